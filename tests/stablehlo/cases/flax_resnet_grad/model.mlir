module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<6xf32>, %arg7: tensor<6xf32>, %arg8: tensor<6xf32>, %arg9: tensor<6xf32>, %arg10: tensor<4xf32>, %arg11: tensor<4xf32>, %arg12: tensor<4xf32>, %arg13: tensor<4xf32>, %arg14: tensor<4xf32>, %arg15: tensor<4xf32>, %arg16: tensor<6xf32>, %arg17: tensor<6xf32>, %arg18: tensor<6xf32>, %arg19: tensor<6xf32>, %arg20: tensor<3x3x3x4xf32>, %arg21: tensor<3x3x4x4xf32>, %arg22: tensor<3x3x4x4xf32>, %arg23: tensor<3x3x4x6xf32>, %arg24: tensor<3x3x6x6xf32>, %arg25: tensor<1x1x4x6xf32>, %arg26: tensor<3xf32>, %arg27: tensor<6x3xf32>, %arg28: tensor<3x16x16x3xf32>) -> (tensor<4xf32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}, tensor<4xf32> {jax.result_info = "result[2]"}, tensor<4xf32> {jax.result_info = "result[3]"}, tensor<4xf32> {jax.result_info = "result[4]"}, tensor<4xf32> {jax.result_info = "result[5]"}, tensor<6xf32> {jax.result_info = "result[6]"}, tensor<6xf32> {jax.result_info = "result[7]"}, tensor<6xf32> {jax.result_info = "result[8]"}, tensor<6xf32> {jax.result_info = "result[9]"}, tensor<4xf32> {jax.result_info = "result[10]"}, tensor<4xf32> {jax.result_info = "result[11]"}, tensor<4xf32> {jax.result_info = "result[12]"}, tensor<4xf32> {jax.result_info = "result[13]"}, tensor<4xf32> {jax.result_info = "result[14]"}, tensor<4xf32> {jax.result_info = "result[15]"}, tensor<6xf32> {jax.result_info = "result[16]"}, tensor<6xf32> {jax.result_info = "result[17]"}, tensor<6xf32> {jax.result_info = "result[18]"}, tensor<6xf32> {jax.result_info = "result[19]"}, tensor<3x3x3x4xf32> {jax.result_info = "result[20]"}, tensor<3x3x4x4xf32> {jax.result_info = "result[21]"}, tensor<3x3x4x4xf32> {jax.result_info = "result[22]"}, tensor<3x3x4x6xf32> {jax.result_info = "result[23]"}, tensor<3x3x6x6xf32> {jax.result_info = "result[24]"}, tensor<1x1x4x6xf32> {jax.result_info = "result[25]"}, tensor<3xf32> {jax.result_info = "result[26]"}, tensor<6x3xf32> {jax.result_info = "result[27]"}, tensor<3x16x16x3xf32> {jax.result_info = "result[28]"}) {
    %0 = stablehlo.convolution(%arg28, %arg20) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x16x16x3xf32>, tensor<3x3x3x4xf32>) -> tensor<3x8x8x4xf32>
    %1 = chlo.square %0 : tensor<3x8x8x4xf32> -> tensor<3x8x8x4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x8x8x4xf32>
    %3 = stablehlo.multiply %2, %0 : tensor<3x8x8x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.divide %4, %5 : tensor<4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%1 init: %cst_2) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_3 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %9 = stablehlo.divide %7, %8 : tensor<4xf32>
    %10 = chlo.square %6 : tensor<4xf32> -> tensor<4xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %12 = stablehlo.multiply %11, %6 : tensor<4xf32>
    %13 = stablehlo.subtract %9, %10 : tensor<4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<4xf32>
    %16 = stablehlo.compare EQ, %13, %15, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %19 = stablehlo.select %16, %17, %18 : tensor<4xi1>, tensor<4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %21 = stablehlo.compare EQ, %20, %15, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %24 = stablehlo.select %21, %22, %23 : tensor<4xi1>, tensor<4xf32>
    %25 = stablehlo.divide %19, %24 : tensor<4xf32>
    %cst_11 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %27 = stablehlo.multiply %26, %arg0 : tensor<4xf32>
    %cst_12 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %29 = stablehlo.multiply %28, %6 : tensor<4xf32>
    %30 = stablehlo.add %27, %29 : tensor<4xf32>
    %cst_13 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %32 = stablehlo.multiply %31, %arg1 : tensor<4xf32>
    %cst_14 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %34 = stablehlo.multiply %33, %15 : tensor<4xf32>
    %35 = stablehlo.add %32, %34 : tensor<4xf32>
    %36 = stablehlo.broadcast_in_dim %6, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %37 = stablehlo.broadcast_in_dim %15, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %38 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %39 = stablehlo.subtract %0, %38 : tensor<3x8x8x4xf32>
    %cst_15 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %41 = stablehlo.add %37, %40 : tensor<1x1x1x4xf32>
    %42 = stablehlo.rsqrt %41 : tensor<1x1x1x4xf32>
    %43 = stablehlo.divide %42, %41 : tensor<1x1x1x4xf32>
    %cst_16 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %45 = stablehlo.multiply %44, %43 : tensor<1x1x1x4xf32>
    %46 = stablehlo.reshape %arg11 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %47 = stablehlo.multiply %42, %46 : tensor<1x1x1x4xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %49 = stablehlo.multiply %39, %48 : tensor<3x8x8x4xf32>
    %50 = stablehlo.reshape %arg10 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %52 = stablehlo.add %49, %51 : tensor<3x8x8x4xf32>
    %53 = call @relu(%52) : (tensor<3x8x8x4xf32>) -> tensor<3x8x8x4xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<3x8x8x4xf32>
    %55 = stablehlo.compare GT, %52, %54, FLOAT : (tensor<3x8x8x4xf32>, tensor<3x8x8x4xf32>) -> tensor<3x8x8x4xi1>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<3x8x8x4xf32>
    %cst_19 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<f32>
    %58 = "stablehlo.reduce_window"(%53, %57) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %506 = stablehlo.maximum %arg29, %arg30 : tensor<f32>
      stablehlo.return %506 : tensor<f32>
    }) : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<3x4x4x4xf32>
    %59 = stablehlo.convolution(%58, %arg21) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x3x4x4xf32>) -> tensor<3x4x4x4xf32>
    %60 = chlo.square %59 : tensor<3x4x4x4xf32> -> tensor<3x4x4x4xf32>
    %cst_20 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<3x4x4x4xf32>
    %62 = stablehlo.multiply %61, %59 : tensor<3x4x4x4xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%59 init: %cst_21) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_22 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %65 = stablehlo.divide %63, %64 : tensor<4xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.reduce(%60 init: %cst_23) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_24 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %68 = stablehlo.divide %66, %67 : tensor<4xf32>
    %69 = chlo.square %65 : tensor<4xf32> -> tensor<4xf32>
    %cst_25 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %71 = stablehlo.multiply %70, %65 : tensor<4xf32>
    %72 = stablehlo.subtract %68, %69 : tensor<4xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %74 = stablehlo.maximum %73, %72 : tensor<4xf32>
    %75 = stablehlo.compare EQ, %72, %74, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %78 = stablehlo.select %75, %76, %77 : tensor<4xi1>, tensor<4xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %80 = stablehlo.compare EQ, %79, %74, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_30 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %83 = stablehlo.select %80, %81, %82 : tensor<4xi1>, tensor<4xf32>
    %84 = stablehlo.divide %78, %83 : tensor<4xf32>
    %cst_32 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %86 = stablehlo.multiply %85, %arg2 : tensor<4xf32>
    %cst_33 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %88 = stablehlo.multiply %87, %65 : tensor<4xf32>
    %89 = stablehlo.add %86, %88 : tensor<4xf32>
    %cst_34 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %91 = stablehlo.multiply %90, %arg3 : tensor<4xf32>
    %cst_35 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %93 = stablehlo.multiply %92, %74 : tensor<4xf32>
    %94 = stablehlo.add %91, %93 : tensor<4xf32>
    %95 = stablehlo.broadcast_in_dim %65, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %96 = stablehlo.broadcast_in_dim %74, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %97 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %98 = stablehlo.subtract %59, %97 : tensor<3x4x4x4xf32>
    %cst_36 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %100 = stablehlo.add %96, %99 : tensor<1x1x1x4xf32>
    %101 = stablehlo.rsqrt %100 : tensor<1x1x1x4xf32>
    %102 = stablehlo.divide %101, %100 : tensor<1x1x1x4xf32>
    %cst_37 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %104 = stablehlo.multiply %103, %102 : tensor<1x1x1x4xf32>
    %105 = stablehlo.reshape %arg13 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %106 = stablehlo.multiply %101, %105 : tensor<1x1x1x4xf32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %108 = stablehlo.multiply %98, %107 : tensor<3x4x4x4xf32>
    %109 = stablehlo.reshape %arg12 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %111 = stablehlo.add %108, %110 : tensor<3x4x4x4xf32>
    %112 = call @relu_0(%111) : (tensor<3x4x4x4xf32>) -> tensor<3x4x4x4xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<3x4x4x4xf32>
    %114 = stablehlo.compare GT, %111, %113, FLOAT : (tensor<3x4x4x4xf32>, tensor<3x4x4x4xf32>) -> tensor<3x4x4x4xi1>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<3x4x4x4xf32>
    %116 = stablehlo.convolution(%112, %arg22) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x3x4x4xf32>) -> tensor<3x4x4x4xf32>
    %117 = chlo.square %116 : tensor<3x4x4x4xf32> -> tensor<3x4x4x4xf32>
    %cst_40 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<3x4x4x4xf32>
    %119 = stablehlo.multiply %118, %116 : tensor<3x4x4x4xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %120 = stablehlo.reduce(%116 init: %cst_41) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_42 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %122 = stablehlo.divide %120, %121 : tensor<4xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %123 = stablehlo.reduce(%117 init: %cst_43) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_44 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %125 = stablehlo.divide %123, %124 : tensor<4xf32>
    %126 = chlo.square %122 : tensor<4xf32> -> tensor<4xf32>
    %cst_45 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %128 = stablehlo.multiply %127, %122 : tensor<4xf32>
    %129 = stablehlo.subtract %125, %126 : tensor<4xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %131 = stablehlo.maximum %130, %129 : tensor<4xf32>
    %132 = stablehlo.compare EQ, %129, %131, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %135 = stablehlo.select %132, %133, %134 : tensor<4xi1>, tensor<4xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %137 = stablehlo.compare EQ, %136, %131, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_50 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %140 = stablehlo.select %137, %138, %139 : tensor<4xi1>, tensor<4xf32>
    %141 = stablehlo.divide %135, %140 : tensor<4xf32>
    %cst_52 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %143 = stablehlo.multiply %142, %arg4 : tensor<4xf32>
    %cst_53 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %145 = stablehlo.multiply %144, %122 : tensor<4xf32>
    %146 = stablehlo.add %143, %145 : tensor<4xf32>
    %cst_54 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %148 = stablehlo.multiply %147, %arg5 : tensor<4xf32>
    %cst_55 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %150 = stablehlo.multiply %149, %131 : tensor<4xf32>
    %151 = stablehlo.add %148, %150 : tensor<4xf32>
    %152 = stablehlo.broadcast_in_dim %122, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %153 = stablehlo.broadcast_in_dim %131, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %154 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %155 = stablehlo.subtract %116, %154 : tensor<3x4x4x4xf32>
    %cst_56 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %157 = stablehlo.add %153, %156 : tensor<1x1x1x4xf32>
    %158 = stablehlo.rsqrt %157 : tensor<1x1x1x4xf32>
    %159 = stablehlo.divide %158, %157 : tensor<1x1x1x4xf32>
    %cst_57 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %161 = stablehlo.multiply %160, %159 : tensor<1x1x1x4xf32>
    %162 = stablehlo.reshape %arg15 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %163 = stablehlo.multiply %158, %162 : tensor<1x1x1x4xf32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %165 = stablehlo.multiply %155, %164 : tensor<3x4x4x4xf32>
    %166 = stablehlo.reshape %arg14 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %167 = stablehlo.broadcast_in_dim %166, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %168 = stablehlo.add %165, %167 : tensor<3x4x4x4xf32>
    %169 = stablehlo.add %58, %168 : tensor<3x4x4x4xf32>
    %170 = call @relu_0(%169) : (tensor<3x4x4x4xf32>) -> tensor<3x4x4x4xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<3x4x4x4xf32>
    %172 = stablehlo.compare GT, %169, %171, FLOAT : (tensor<3x4x4x4xf32>, tensor<3x4x4x4xf32>) -> tensor<3x4x4x4xi1>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<3x4x4x4xf32>
    %174 = stablehlo.convolution(%170, %arg23) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x3x4x6xf32>) -> tensor<3x2x2x6xf32>
    %175 = chlo.square %174 : tensor<3x2x2x6xf32> -> tensor<3x2x2x6xf32>
    %cst_60 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<3x2x2x6xf32>
    %177 = stablehlo.multiply %176, %174 : tensor<3x2x2x6xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %178 = stablehlo.reduce(%174 init: %cst_61) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x2x2x6xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_62 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %180 = stablehlo.divide %178, %179 : tensor<6xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %181 = stablehlo.reduce(%175 init: %cst_63) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x2x2x6xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_64 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %183 = stablehlo.divide %181, %182 : tensor<6xf32>
    %184 = chlo.square %180 : tensor<6xf32> -> tensor<6xf32>
    %cst_65 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %186 = stablehlo.multiply %185, %180 : tensor<6xf32>
    %187 = stablehlo.subtract %183, %184 : tensor<6xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %189 = stablehlo.maximum %188, %187 : tensor<6xf32>
    %190 = stablehlo.compare EQ, %187, %189, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_67 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %193 = stablehlo.select %190, %191, %192 : tensor<6xi1>, tensor<6xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %195 = stablehlo.compare EQ, %194, %189, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_70 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_71 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %198 = stablehlo.select %195, %196, %197 : tensor<6xi1>, tensor<6xf32>
    %199 = stablehlo.divide %193, %198 : tensor<6xf32>
    %cst_72 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %200 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %201 = stablehlo.multiply %200, %arg6 : tensor<6xf32>
    %cst_73 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %203 = stablehlo.multiply %202, %180 : tensor<6xf32>
    %204 = stablehlo.add %201, %203 : tensor<6xf32>
    %cst_74 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %206 = stablehlo.multiply %205, %arg7 : tensor<6xf32>
    %cst_75 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %208 = stablehlo.multiply %207, %189 : tensor<6xf32>
    %209 = stablehlo.add %206, %208 : tensor<6xf32>
    %210 = stablehlo.broadcast_in_dim %180, dims = [3] : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %211 = stablehlo.broadcast_in_dim %189, dims = [3] : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %212 = stablehlo.broadcast_in_dim %210, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %213 = stablehlo.subtract %174, %212 : tensor<3x2x2x6xf32>
    %cst_76 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<1x1x1x6xf32>
    %215 = stablehlo.add %211, %214 : tensor<1x1x1x6xf32>
    %216 = stablehlo.rsqrt %215 : tensor<1x1x1x6xf32>
    %217 = stablehlo.divide %216, %215 : tensor<1x1x1x6xf32>
    %cst_77 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<1x1x1x6xf32>
    %219 = stablehlo.multiply %218, %217 : tensor<1x1x1x6xf32>
    %220 = stablehlo.reshape %arg17 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %221 = stablehlo.multiply %216, %220 : tensor<1x1x1x6xf32>
    %222 = stablehlo.broadcast_in_dim %221, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %223 = stablehlo.multiply %213, %222 : tensor<3x2x2x6xf32>
    %224 = stablehlo.reshape %arg16 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %225 = stablehlo.broadcast_in_dim %224, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %226 = stablehlo.add %223, %225 : tensor<3x2x2x6xf32>
    %227 = call @relu_1(%226) : (tensor<3x2x2x6xf32>) -> tensor<3x2x2x6xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<3x2x2x6xf32>
    %229 = stablehlo.compare GT, %226, %228, FLOAT : (tensor<3x2x2x6xf32>, tensor<3x2x2x6xf32>) -> tensor<3x2x2x6xi1>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<3x2x2x6xf32>
    %231 = stablehlo.convolution(%227, %arg24) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x2x2x6xf32>, tensor<3x3x6x6xf32>) -> tensor<3x2x2x6xf32>
    %232 = chlo.square %231 : tensor<3x2x2x6xf32> -> tensor<3x2x2x6xf32>
    %cst_80 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<3x2x2x6xf32>
    %234 = stablehlo.multiply %233, %231 : tensor<3x2x2x6xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %235 = stablehlo.reduce(%231 init: %cst_81) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x2x2x6xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_82 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %237 = stablehlo.divide %235, %236 : tensor<6xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %238 = stablehlo.reduce(%232 init: %cst_83) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x2x2x6xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_84 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %239 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %240 = stablehlo.divide %238, %239 : tensor<6xf32>
    %241 = chlo.square %237 : tensor<6xf32> -> tensor<6xf32>
    %cst_85 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %243 = stablehlo.multiply %242, %237 : tensor<6xf32>
    %244 = stablehlo.subtract %240, %241 : tensor<6xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %246 = stablehlo.maximum %245, %244 : tensor<6xf32>
    %247 = stablehlo.compare EQ, %244, %246, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_87 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %250 = stablehlo.select %247, %248, %249 : tensor<6xi1>, tensor<6xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %252 = stablehlo.compare EQ, %251, %246, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_90 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_91 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %255 = stablehlo.select %252, %253, %254 : tensor<6xi1>, tensor<6xf32>
    %256 = stablehlo.divide %250, %255 : tensor<6xf32>
    %cst_92 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %258 = stablehlo.multiply %257, %arg8 : tensor<6xf32>
    %cst_93 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %260 = stablehlo.multiply %259, %237 : tensor<6xf32>
    %261 = stablehlo.add %258, %260 : tensor<6xf32>
    %cst_94 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %263 = stablehlo.multiply %262, %arg9 : tensor<6xf32>
    %cst_95 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %265 = stablehlo.multiply %264, %246 : tensor<6xf32>
    %266 = stablehlo.add %263, %265 : tensor<6xf32>
    %267 = stablehlo.broadcast_in_dim %237, dims = [3] : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %268 = stablehlo.broadcast_in_dim %246, dims = [3] : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %269 = stablehlo.broadcast_in_dim %267, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %270 = stablehlo.subtract %231, %269 : tensor<3x2x2x6xf32>
    %cst_96 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %271 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<1x1x1x6xf32>
    %272 = stablehlo.add %268, %271 : tensor<1x1x1x6xf32>
    %273 = stablehlo.rsqrt %272 : tensor<1x1x1x6xf32>
    %274 = stablehlo.divide %273, %272 : tensor<1x1x1x6xf32>
    %cst_97 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<1x1x1x6xf32>
    %276 = stablehlo.multiply %275, %274 : tensor<1x1x1x6xf32>
    %277 = stablehlo.reshape %arg19 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %278 = stablehlo.multiply %273, %277 : tensor<1x1x1x6xf32>
    %279 = stablehlo.broadcast_in_dim %278, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %280 = stablehlo.multiply %270, %279 : tensor<3x2x2x6xf32>
    %281 = stablehlo.reshape %arg18 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %282 = stablehlo.broadcast_in_dim %281, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %283 = stablehlo.add %280, %282 : tensor<3x2x2x6xf32>
    %284 = stablehlo.convolution(%170, %arg25) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<1x1x4x6xf32>) -> tensor<3x2x2x6xf32>
    %285 = stablehlo.add %284, %283 : tensor<3x2x2x6xf32>
    %286 = call @relu_1(%285) : (tensor<3x2x2x6xf32>) -> tensor<3x2x2x6xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<3x2x2x6xf32>
    %288 = stablehlo.compare GT, %285, %287, FLOAT : (tensor<3x2x2x6xf32>, tensor<3x2x2x6xf32>) -> tensor<3x2x2x6xi1>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %289 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<3x2x2x6xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %290 = stablehlo.reduce(%286 init: %cst_100) applies stablehlo.add across dimensions = [1, 2] : (tensor<3x2x2x6xf32>, tensor<f32>) -> tensor<3x6xf32>
    %cst_101 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %291 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %292 = stablehlo.divide %290, %291 : tensor<3x6xf32>
    %293 = stablehlo.dot_general %292, %arg27, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x6xf32>, tensor<6x3xf32>) -> tensor<3x3xf32>
    %294 = stablehlo.reshape %arg26 : (tensor<3xf32>) -> tensor<1x3xf32>
    %295 = stablehlo.broadcast_in_dim %294, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %296 = stablehlo.add %293, %295 : tensor<3x3xf32>
    %297 = stablehlo.multiply %296, %296 : tensor<3x3xf32>
    %cst_102 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %298 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %299 = stablehlo.multiply %298, %296 : tensor<3x3xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %300 = stablehlo.reduce(%297 init: %cst_103) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %301 = stablehlo.add %cst_104, %300 : tensor<f32>
    %cst_105 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %302 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %303 = stablehlo.multiply %302, %299 : tensor<3x3xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %304 = stablehlo.reduce(%303 init: %cst_106) applies stablehlo.add across dimensions = [0] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %305 = stablehlo.reshape %304 : (tensor<3xf32>) -> tensor<1x3xf32>
    %306 = stablehlo.reshape %305 : (tensor<1x3xf32>) -> tensor<3xf32>
    %307 = stablehlo.dot_general %303, %292, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x6xf32>) -> tensor<3x6xf32>
    %308 = stablehlo.transpose %307, dims = [1, 0] : (tensor<3x6xf32>) -> tensor<6x3xf32>
    %309 = stablehlo.dot_general %303, %arg27, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<6x3xf32>) -> tensor<3x6xf32>
    %cst_107 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %310 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %311 = stablehlo.divide %309, %310 : tensor<3x6xf32>
    %312 = stablehlo.broadcast_in_dim %311, dims = [0, 3] : (tensor<3x6xf32>) -> tensor<3x2x2x6xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %313 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<3x2x2x6xf32>
    %314 = stablehlo.select %288, %312, %313 : tensor<3x2x2x6xi1>, tensor<3x2x2x6xf32>
    %315 = stablehlo.convolution(%170, %314) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, -1], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x2x2x6xf32>) -> tensor<1x1x4x6xf32>
    %316 = stablehlo.reverse %arg25, dims = [0, 1] : tensor<1x1x4x6xf32>
    %317 = stablehlo.convolution(%314, %316) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x2x2x6xf32>, tensor<1x1x4x6xf32>) -> tensor<3x4x4x4xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %318 = stablehlo.reduce(%314 init: %cst_109) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x2x2x6xf32>, tensor<f32>) -> tensor<6xf32>
    %319 = stablehlo.reshape %318 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %320 = stablehlo.reshape %319 : (tensor<1x1x1x6xf32>) -> tensor<6xf32>
    %321 = stablehlo.multiply %270, %314 : tensor<3x2x2x6xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %322 = stablehlo.reduce(%321 init: %cst_110) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x2x2x6xf32>, tensor<f32>) -> tensor<6xf32>
    %323 = stablehlo.reshape %322 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %324 = stablehlo.broadcast_in_dim %278, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %325 = stablehlo.multiply %314, %324 : tensor<3x2x2x6xf32>
    %326 = stablehlo.multiply %273, %323 : tensor<1x1x1x6xf32>
    %327 = stablehlo.multiply %323, %277 : tensor<1x1x1x6xf32>
    %328 = stablehlo.reshape %326 : (tensor<1x1x1x6xf32>) -> tensor<6xf32>
    %329 = stablehlo.multiply %327, %276 : tensor<1x1x1x6xf32>
    %330 = stablehlo.negate %325 : tensor<3x2x2x6xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %331 = stablehlo.reduce(%330 init: %cst_111) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x2x2x6xf32>, tensor<f32>) -> tensor<6xf32>
    %332 = stablehlo.reshape %331 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %333 = stablehlo.reduce(%329 init: %cst_112) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x6xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %334 = stablehlo.reduce(%332 init: %cst_113) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x6xf32>, tensor<f32>) -> tensor<6xf32>
    %335 = stablehlo.multiply %333, %256 : tensor<6xf32>
    %336 = stablehlo.negate %335 : tensor<6xf32>
    %337 = stablehlo.multiply %336, %243 : tensor<6xf32>
    %338 = stablehlo.add %334, %337 : tensor<6xf32>
    %cst_114 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %339 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %340 = stablehlo.divide %335, %339 : tensor<6xf32>
    %341 = stablehlo.broadcast_in_dim %340, dims = [3] : (tensor<6xf32>) -> tensor<3x2x2x6xf32>
    %cst_115 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %342 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %343 = stablehlo.divide %338, %342 : tensor<6xf32>
    %344 = stablehlo.broadcast_in_dim %343, dims = [3] : (tensor<6xf32>) -> tensor<3x2x2x6xf32>
    %345 = stablehlo.add %325, %344 : tensor<3x2x2x6xf32>
    %346 = stablehlo.multiply %341, %234 : tensor<3x2x2x6xf32>
    %347 = stablehlo.add %345, %346 : tensor<3x2x2x6xf32>
    %348 = stablehlo.convolution(%227, %347) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x2x2x6xf32>, tensor<3x2x2x6xf32>) -> tensor<3x3x6x6xf32>
    %349 = stablehlo.reverse %arg24, dims = [0, 1] : tensor<3x3x6x6xf32>
    %350 = stablehlo.convolution(%347, %349) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x2x2x6xf32>, tensor<3x3x6x6xf32>) -> tensor<3x2x2x6xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %351 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<3x2x2x6xf32>
    %352 = stablehlo.select %229, %350, %351 : tensor<3x2x2x6xi1>, tensor<3x2x2x6xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %353 = stablehlo.reduce(%352 init: %cst_117) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x2x2x6xf32>, tensor<f32>) -> tensor<6xf32>
    %354 = stablehlo.reshape %353 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %355 = stablehlo.reshape %354 : (tensor<1x1x1x6xf32>) -> tensor<6xf32>
    %356 = stablehlo.multiply %213, %352 : tensor<3x2x2x6xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %357 = stablehlo.reduce(%356 init: %cst_118) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x2x2x6xf32>, tensor<f32>) -> tensor<6xf32>
    %358 = stablehlo.reshape %357 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %359 = stablehlo.broadcast_in_dim %221, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<3x2x2x6xf32>
    %360 = stablehlo.multiply %352, %359 : tensor<3x2x2x6xf32>
    %361 = stablehlo.multiply %216, %358 : tensor<1x1x1x6xf32>
    %362 = stablehlo.multiply %358, %220 : tensor<1x1x1x6xf32>
    %363 = stablehlo.reshape %361 : (tensor<1x1x1x6xf32>) -> tensor<6xf32>
    %364 = stablehlo.multiply %362, %219 : tensor<1x1x1x6xf32>
    %365 = stablehlo.negate %360 : tensor<3x2x2x6xf32>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %366 = stablehlo.reduce(%365 init: %cst_119) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x2x2x6xf32>, tensor<f32>) -> tensor<6xf32>
    %367 = stablehlo.reshape %366 : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %368 = stablehlo.reduce(%364 init: %cst_120) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x6xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %369 = stablehlo.reduce(%367 init: %cst_121) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x6xf32>, tensor<f32>) -> tensor<6xf32>
    %370 = stablehlo.multiply %368, %199 : tensor<6xf32>
    %371 = stablehlo.negate %370 : tensor<6xf32>
    %372 = stablehlo.multiply %371, %186 : tensor<6xf32>
    %373 = stablehlo.add %369, %372 : tensor<6xf32>
    %cst_122 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %374 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %375 = stablehlo.divide %370, %374 : tensor<6xf32>
    %376 = stablehlo.broadcast_in_dim %375, dims = [3] : (tensor<6xf32>) -> tensor<3x2x2x6xf32>
    %cst_123 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %377 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %378 = stablehlo.divide %373, %377 : tensor<6xf32>
    %379 = stablehlo.broadcast_in_dim %378, dims = [3] : (tensor<6xf32>) -> tensor<3x2x2x6xf32>
    %380 = stablehlo.add %360, %379 : tensor<3x2x2x6xf32>
    %381 = stablehlo.multiply %376, %177 : tensor<3x2x2x6xf32>
    %382 = stablehlo.add %380, %381 : tensor<3x2x2x6xf32>
    %383 = stablehlo.convolution(%170, %382) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x2x2x6xf32>) -> tensor<3x3x4x6xf32>
    %384 = stablehlo.reverse %arg23, dims = [0, 1] : tensor<3x3x4x6xf32>
    %385 = stablehlo.convolution(%382, %384) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x2x2x6xf32>, tensor<3x3x4x6xf32>) -> tensor<3x4x4x4xf32>
    %386 = stablehlo.add %317, %385 : tensor<3x4x4x4xf32>
    %cst_124 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %387 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<3x4x4x4xf32>
    %388 = stablehlo.select %172, %386, %387 : tensor<3x4x4x4xi1>, tensor<3x4x4x4xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %389 = stablehlo.reduce(%388 init: %cst_125) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %390 = stablehlo.reshape %389 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %391 = stablehlo.reshape %390 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %392 = stablehlo.multiply %155, %388 : tensor<3x4x4x4xf32>
    %cst_126 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %393 = stablehlo.reduce(%392 init: %cst_126) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %394 = stablehlo.reshape %393 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %395 = stablehlo.broadcast_in_dim %163, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %396 = stablehlo.multiply %388, %395 : tensor<3x4x4x4xf32>
    %397 = stablehlo.multiply %158, %394 : tensor<1x1x1x4xf32>
    %398 = stablehlo.multiply %394, %162 : tensor<1x1x1x4xf32>
    %399 = stablehlo.reshape %397 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %400 = stablehlo.multiply %398, %161 : tensor<1x1x1x4xf32>
    %401 = stablehlo.negate %396 : tensor<3x4x4x4xf32>
    %cst_127 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %402 = stablehlo.reduce(%401 init: %cst_127) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %403 = stablehlo.reshape %402 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %cst_128 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %404 = stablehlo.reduce(%400 init: %cst_128) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %405 = stablehlo.reduce(%403 init: %cst_129) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %406 = stablehlo.multiply %404, %141 : tensor<4xf32>
    %407 = stablehlo.negate %406 : tensor<4xf32>
    %408 = stablehlo.multiply %407, %128 : tensor<4xf32>
    %409 = stablehlo.add %405, %408 : tensor<4xf32>
    %cst_130 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %410 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %411 = stablehlo.divide %406, %410 : tensor<4xf32>
    %412 = stablehlo.broadcast_in_dim %411, dims = [3] : (tensor<4xf32>) -> tensor<3x4x4x4xf32>
    %cst_131 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %413 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %414 = stablehlo.divide %409, %413 : tensor<4xf32>
    %415 = stablehlo.broadcast_in_dim %414, dims = [3] : (tensor<4xf32>) -> tensor<3x4x4x4xf32>
    %416 = stablehlo.add %396, %415 : tensor<3x4x4x4xf32>
    %417 = stablehlo.multiply %412, %119 : tensor<3x4x4x4xf32>
    %418 = stablehlo.add %416, %417 : tensor<3x4x4x4xf32>
    %419 = stablehlo.convolution(%112, %418) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x4x4x4xf32>) -> tensor<3x3x4x4xf32>
    %420 = stablehlo.reverse %arg22, dims = [0, 1] : tensor<3x3x4x4xf32>
    %421 = stablehlo.convolution(%418, %420) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x3x4x4xf32>) -> tensor<3x4x4x4xf32>
    %cst_132 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %422 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<3x4x4x4xf32>
    %423 = stablehlo.select %114, %421, %422 : tensor<3x4x4x4xi1>, tensor<3x4x4x4xf32>
    %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %424 = stablehlo.reduce(%423 init: %cst_133) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %425 = stablehlo.reshape %424 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %426 = stablehlo.reshape %425 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %427 = stablehlo.multiply %98, %423 : tensor<3x4x4x4xf32>
    %cst_134 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %428 = stablehlo.reduce(%427 init: %cst_134) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %429 = stablehlo.reshape %428 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %430 = stablehlo.broadcast_in_dim %106, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x4x4x4xf32>
    %431 = stablehlo.multiply %423, %430 : tensor<3x4x4x4xf32>
    %432 = stablehlo.multiply %101, %429 : tensor<1x1x1x4xf32>
    %433 = stablehlo.multiply %429, %105 : tensor<1x1x1x4xf32>
    %434 = stablehlo.reshape %432 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %435 = stablehlo.multiply %433, %104 : tensor<1x1x1x4xf32>
    %436 = stablehlo.negate %431 : tensor<3x4x4x4xf32>
    %cst_135 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %437 = stablehlo.reduce(%436 init: %cst_135) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %438 = stablehlo.reshape %437 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %cst_136 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %439 = stablehlo.reduce(%435 init: %cst_136) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_137 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %440 = stablehlo.reduce(%438 init: %cst_137) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %441 = stablehlo.multiply %439, %84 : tensor<4xf32>
    %442 = stablehlo.negate %441 : tensor<4xf32>
    %443 = stablehlo.multiply %442, %71 : tensor<4xf32>
    %444 = stablehlo.add %440, %443 : tensor<4xf32>
    %cst_138 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %445 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %446 = stablehlo.divide %441, %445 : tensor<4xf32>
    %447 = stablehlo.broadcast_in_dim %446, dims = [3] : (tensor<4xf32>) -> tensor<3x4x4x4xf32>
    %cst_139 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %448 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %449 = stablehlo.divide %444, %448 : tensor<4xf32>
    %450 = stablehlo.broadcast_in_dim %449, dims = [3] : (tensor<4xf32>) -> tensor<3x4x4x4xf32>
    %451 = stablehlo.add %431, %450 : tensor<3x4x4x4xf32>
    %452 = stablehlo.multiply %447, %62 : tensor<3x4x4x4xf32>
    %453 = stablehlo.add %451, %452 : tensor<3x4x4x4xf32>
    %454 = stablehlo.convolution(%58, %453) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x4x4x4xf32>) -> tensor<3x3x4x4xf32>
    %455 = stablehlo.reverse %arg21, dims = [0, 1] : tensor<3x3x4x4xf32>
    %456 = stablehlo.convolution(%453, %455) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x3x4x4xf32>) -> tensor<3x4x4x4xf32>
    %457 = stablehlo.add %388, %456 : tensor<3x4x4x4xf32>
    %cst_140 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %458 = stablehlo.pad %53, %cst_140, low = [0, 0, 0, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<3x9x9x4xf32>
    %cst_141 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %459 = "stablehlo.select_and_scatter"(%458, %457, %cst_141) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %506 = stablehlo.compare GE, %arg29, %arg30, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %506 : tensor<i1>
    }, {
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %506 = stablehlo.add %arg29, %arg30 : tensor<f32>
      stablehlo.return %506 : tensor<f32>
    }) : (tensor<3x9x9x4xf32>, tensor<3x4x4x4xf32>, tensor<f32>) -> tensor<3x9x9x4xf32>
    %460 = stablehlo.slice %459 [0:3, 0:8, 0:8, 0:4] : (tensor<3x9x9x4xf32>) -> tensor<3x8x8x4xf32>
    %cst_142 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %461 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<3x8x8x4xf32>
    %462 = stablehlo.select %55, %460, %461 : tensor<3x8x8x4xi1>, tensor<3x8x8x4xf32>
    %cst_143 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %463 = stablehlo.reduce(%462 init: %cst_143) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %464 = stablehlo.reshape %463 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %465 = stablehlo.reshape %464 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %466 = stablehlo.multiply %39, %462 : tensor<3x8x8x4xf32>
    %cst_144 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %467 = stablehlo.reduce(%466 init: %cst_144) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %468 = stablehlo.reshape %467 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %469 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %470 = stablehlo.multiply %462, %469 : tensor<3x8x8x4xf32>
    %471 = stablehlo.multiply %42, %468 : tensor<1x1x1x4xf32>
    %472 = stablehlo.multiply %468, %46 : tensor<1x1x1x4xf32>
    %473 = stablehlo.reshape %471 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %474 = stablehlo.multiply %472, %45 : tensor<1x1x1x4xf32>
    %475 = stablehlo.negate %470 : tensor<3x8x8x4xf32>
    %cst_145 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %476 = stablehlo.reduce(%475 init: %cst_145) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %477 = stablehlo.reshape %476 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %cst_146 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %478 = stablehlo.reduce(%474 init: %cst_146) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_147 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %479 = stablehlo.reduce(%477 init: %cst_147) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %480 = stablehlo.multiply %478, %25 : tensor<4xf32>
    %481 = stablehlo.negate %480 : tensor<4xf32>
    %482 = stablehlo.multiply %481, %12 : tensor<4xf32>
    %483 = stablehlo.add %479, %482 : tensor<4xf32>
    %cst_148 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %484 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %485 = stablehlo.divide %480, %484 : tensor<4xf32>
    %486 = stablehlo.broadcast_in_dim %485, dims = [3] : (tensor<4xf32>) -> tensor<3x8x8x4xf32>
    %cst_149 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %487 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %488 = stablehlo.divide %483, %487 : tensor<4xf32>
    %489 = stablehlo.broadcast_in_dim %488, dims = [3] : (tensor<4xf32>) -> tensor<3x8x8x4xf32>
    %490 = stablehlo.add %470, %489 : tensor<3x8x8x4xf32>
    %491 = stablehlo.multiply %486, %3 : tensor<3x8x8x4xf32>
    %492 = stablehlo.add %490, %491 : tensor<3x8x8x4xf32>
    %493 = stablehlo.convolution(%arg28, %492) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x16x16x3xf32>, tensor<3x8x8x4xf32>) -> tensor<3x3x3x4xf32>
    %494 = stablehlo.reverse %arg20, dims = [0, 1] : tensor<3x3x3x4xf32>
    %495 = stablehlo.convolution(%492, %494) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x8x8x4xf32>, tensor<3x3x3x4xf32>) -> tensor<3x16x16x3xf32>
    %cst_150 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %496 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %497 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_152 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %498 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_153 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %499 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_154 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %500 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_155 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %501 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_156 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %502 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_157 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %503 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_158 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %504 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_159 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %505 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<6xf32>
    return %496, %497, %498, %499, %500, %501, %502, %503, %504, %505, %465, %473, %426, %434, %391, %399, %355, %363, %320, %328, %493, %454, %419, %383, %348, %315, %306, %308, %495 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<3x3x3x4xf32>, tensor<3x3x4x4xf32>, tensor<3x3x4x4xf32>, tensor<3x3x4x6xf32>, tensor<3x3x6x6xf32>, tensor<1x1x4x6xf32>, tensor<3xf32>, tensor<6x3xf32>, tensor<3x16x16x3xf32>
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
