module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<6xf32>, %arg7: tensor<6xf32>, %arg8: tensor<6xf32>, %arg9: tensor<6xf32>, %arg10: tensor<4xf32>, %arg11: tensor<4xf32>, %arg12: tensor<4xf32>, %arg13: tensor<4xf32>, %arg14: tensor<4xf32>, %arg15: tensor<4xf32>, %arg16: tensor<6xf32>, %arg17: tensor<6xf32>, %arg18: tensor<6xf32>, %arg19: tensor<6xf32>, %arg20: tensor<3x3x3x4xf32>, %arg21: tensor<3x3x4x4xf32>, %arg22: tensor<3x3x4x4xf32>, %arg23: tensor<3x3x4x6xf32>, %arg24: tensor<3x3x6x6xf32>, %arg25: tensor<1x1x4x6xf32>, %arg26: tensor<3xf32>, %arg27: tensor<6x3xf32>, %arg28: tensor<3x16x16x3xf32>) -> (tensor<3x3xf32> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.convolution(%arg28, %arg20) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x16x16x3xf32>, tensor<3x3x3x4xf32>) -> tensor<3x8x8x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %4 = stablehlo.subtract %0, %3 : tensor<3x8x8x4xf32>
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %6 = stablehlo.add %2, %5 : tensor<1x1x1x4xf32>
    %7 = stablehlo.rsqrt %6 : tensor<1x1x1x4xf32>
    %8 = stablehlo.reshape %arg11 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<1x1x1x4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %11 = stablehlo.multiply %4, %10 : tensor<3x8x8x4xf32>
    %12 = stablehlo.reshape %arg10 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %14 = stablehlo.add %11, %13 : tensor<3x8x8x4xf32>
    %15 = call @relu(%14) : (tensor<3x8x8x4xf32>) -> tensor<3x8x8x4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.reduce_window"(%15, %16) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %92 = stablehlo.maximum %arg29, %arg30 : tensor<f32>
      stablehlo.return %92 : tensor<f32>
    }) : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<3x4x4x4xf32>
    %18 = stablehlo.convolution(%17, %arg21) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x3x4x4xf32>) -> tensor<3x4x4x4xf32>
    %19 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %20 = stablehlo.broadcast_in_dim %arg3, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %21 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %22 = stablehlo.subtract %18, %21 : tensor<3x4x4x4xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %24 = stablehlo.add %20, %23 : tensor<1x1x1x4xf32>
    %25 = stablehlo.rsqrt %24 : tensor<1x1x1x4xf32>
    %26 = stablehlo.reshape %arg13 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %27 = stablehlo.multiply %25, %26 : tensor<1x1x1x4xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %29 = stablehlo.multiply %22, %28 : tensor<3x4x4x4xf32>
    %30 = stablehlo.reshape %arg12 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %32 = stablehlo.add %29, %31 : tensor<3x4x4x4xf32>
    %33 = call @relu_0(%32) : (tensor<3x4x4x4xf32>) -> tensor<3x4x4x4xf32>
    %34 = stablehlo.convolution(%33, %arg22) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x3x4x4xf32>) -> tensor<3x4x4x4xf32>
    %35 = stablehlo.broadcast_in_dim %arg4, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %36 = stablehlo.broadcast_in_dim %arg5, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %37 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %38 = stablehlo.subtract %34, %37 : tensor<3x4x4x4xf32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %40 = stablehlo.add %36, %39 : tensor<1x1x1x4xf32>
    %41 = stablehlo.rsqrt %40 : tensor<1x1x1x4xf32>
    %42 = stablehlo.reshape %arg15 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %43 = stablehlo.multiply %41, %42 : tensor<1x1x1x4xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %45 = stablehlo.multiply %38, %44 : tensor<3x4x4x4xf32>
    %46 = stablehlo.reshape %arg14 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %48 = stablehlo.add %45, %47 : tensor<3x4x4x4xf32>
    %49 = stablehlo.add %17, %48 : tensor<3x4x4x4xf32>
    %50 = call @relu_0(%49) : (tensor<3x4x4x4xf32>) -> tensor<3x4x4x4xf32>
    %51 = stablehlo.convolution(%50, %arg23) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x3x4x6xf32>) -> tensor<3x2x2x6xf32>
    %52 = stablehlo.broadcast_in_dim %arg6, dims = [3] : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %53 = stablehlo.broadcast_in_dim %arg7, dims = [3] : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %54 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %55 = stablehlo.subtract %51, %54 : tensor<3x2x2x6xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1x1x6xf32>
    %57 = stablehlo.add %53, %56 : tensor<1x1x1x6xf32>
    %58 = stablehlo.rsqrt %57 : tensor<1x1x1x6xf32>
    %59 = stablehlo.reshape %arg17 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %60 = stablehlo.multiply %58, %59 : tensor<1x1x1x6xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %62 = stablehlo.multiply %55, %61 : tensor<3x2x2x6xf32>
    %63 = stablehlo.reshape %arg16 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %65 = stablehlo.add %62, %64 : tensor<3x2x2x6xf32>
    %66 = call @relu_1(%65) : (tensor<3x2x2x6xf32>) -> tensor<3x2x2x6xf32>
    %67 = stablehlo.convolution(%66, %arg24) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x2x2x6xf32>, tensor<3x3x6x6xf32>) -> tensor<3x2x2x6xf32>
    %68 = stablehlo.broadcast_in_dim %arg8, dims = [3] : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %69 = stablehlo.broadcast_in_dim %arg9, dims = [3] : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %70 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %71 = stablehlo.subtract %67, %70 : tensor<3x2x2x6xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x1x1x6xf32>
    %73 = stablehlo.add %69, %72 : tensor<1x1x1x6xf32>
    %74 = stablehlo.rsqrt %73 : tensor<1x1x1x6xf32>
    %75 = stablehlo.reshape %arg19 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %76 = stablehlo.multiply %74, %75 : tensor<1x1x1x6xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %78 = stablehlo.multiply %71, %77 : tensor<3x2x2x6xf32>
    %79 = stablehlo.reshape %arg18 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %81 = stablehlo.add %78, %80 : tensor<3x2x2x6xf32>
    %82 = stablehlo.convolution(%50, %arg25) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<1x1x4x6xf32>) -> tensor<3x2x2x6xf32>
    %83 = stablehlo.add %82, %81 : tensor<3x2x2x6xf32>
    %84 = call @relu_1(%83) : (tensor<3x2x2x6xf32>) -> tensor<3x2x2x6xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.reduce(%84 init: %cst_5) applies stablehlo.add across dimensions = [1, 2] : (tensor<3x2x2x6xf32>, tensor<f32>) -> tensor<3x6xf32>
    %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %87 = stablehlo.divide %85, %86 : tensor<3x6xf32>
    %88 = stablehlo.dot_general %87, %arg27, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x6xf32>, tensor<6x3xf32>) -> tensor<3x3xf32>
    %89 = stablehlo.reshape %arg26 : (tensor<3xf32>) -> tensor<1x3xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %91 = stablehlo.add %88, %90 : tensor<3x3xf32>
    return %91 : tensor<3x3xf32>
  }
  func.func private @relu(%arg0: tensor<3x8x8x4xf32>) -> tensor<3x8x8x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x8x8x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x8x8x4xf32>
    return %1 : tensor<3x8x8x4xf32>
  }
  func.func private @relu_0(%arg0: tensor<3x4x4x4xf32>) -> tensor<3x4x4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4x4x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x4x4x4xf32>
    return %1 : tensor<3x4x4x4xf32>
  }
  func.func private @relu_1(%arg0: tensor<3x2x2x6xf32>) -> tensor<3x2x2x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2x2x6xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x2x2x6xf32>
    return %1 : tensor<3x2x2x6xf32>
  }
}
