module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x2x4xf32>, %arg1: tensor<6x2x4xf32>, %arg2: tensor<6x2x4xf32>, %arg3: tensor<2x4x6xf32>, %arg4: tensor<6xf32>, %arg5: tensor<2x5x6xf32>) -> (tensor<6x2x4xf32> {jax.result_info = "result[0]"}, tensor<6x2x4xf32> {jax.result_info = "result[1]"}, tensor<6x2x4xf32> {jax.result_info = "result[2]"}, tensor<2x4x6xf32> {jax.result_info = "result[3]"}, tensor<6xf32> {jax.result_info = "result[4]"}, tensor<2x5x6xf32> {jax.result_info = "result[5]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg5 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x5x6xf32>, tensor<f32>) -> tensor<2x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x6xf32>
    %5 = stablehlo.subtract %arg5, %4 : tensor<2x5x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6:4 = call @_var(%arg5, %c) : (tensor<2x5x6xf32>, tensor<i32>) -> (tensor<2x5x1xf32>, tensor<2x5x6xf32>, tensor<f32>, tensor<i1>)
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %8 = stablehlo.add %6#0, %7 : tensor<2x5x1xf32>
    %9 = stablehlo.sqrt %8 : tensor<2x5x1xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %11 = stablehlo.divide %10, %9 : tensor<2x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x6xf32>
    %13 = stablehlo.divide %5, %12 : tensor<2x5x6xf32>
    %14 = stablehlo.multiply %9, %9 : tensor<2x5x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %16 = stablehlo.divide %15, %14 : tensor<2x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<6xf32>) -> tensor<1x1x6xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<1x1x6xf32>) -> tensor<2x5x6xf32>
    %19 = stablehlo.multiply %13, %18 : tensor<2x5x6xf32>
    %20 = stablehlo.dot_general %arg0, %19, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x2x4xf32>, tensor<2x5x6xf32>) -> tensor<2x4x2x5xf32>
    %21 = stablehlo.transpose %20, dims = [2, 0, 3, 1] : (tensor<2x4x2x5xf32>) -> tensor<2x2x5x4xf32>
    %22 = stablehlo.dot_general %arg1, %19, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x2x4xf32>, tensor<2x5x6xf32>) -> tensor<2x4x2x5xf32>
    %23 = stablehlo.transpose %22, dims = [2, 0, 3, 1] : (tensor<2x4x2x5xf32>) -> tensor<2x2x5x4xf32>
    %24 = stablehlo.dot_general %arg2, %19, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x2x4xf32>, tensor<2x5x6xf32>) -> tensor<2x4x2x5xf32>
    %25 = stablehlo.transpose %24, dims = [2, 0, 3, 1] : (tensor<2x4x2x5xf32>) -> tensor<2x2x5x4xf32>
    %26 = stablehlo.dot_general %21, %23, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x5x4xf32>, tensor<2x2x5x4xf32>) -> tensor<2x2x5x5xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %28 = stablehlo.divide %26, %27 : tensor<2x2x5x5xf32>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %29 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %30 = call @tril(%29) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %cst_6 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %31:2 = call @_where_0(%30, %28, %cst_6) : (tensor<5x5xi1>, tensor<2x2x5x5xf32>, tensor<f32>) -> (tensor<2x2x5x5xf32>, tensor<2x2x5x5xi1>)
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %32 = stablehlo.reduce(%31#0 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
    %34 = stablehlo.maximum %33, %32 : tensor<2x2x5xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %37 = stablehlo.subtract %31#0, %36 : tensor<2x2x5x5xf32>
    %38 = stablehlo.exponential %37 : tensor<2x2x5x5xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %42 = stablehlo.divide %38, %41 : tensor<2x2x5x5xf32>
    %43 = stablehlo.multiply %40, %40 : tensor<2x2x5x1xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x2x5x1xf32>
    %45 = stablehlo.divide %44, %43 : tensor<2x2x5x1xf32>
    %46 = stablehlo.dot_general %25, %42, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x5x4xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x4x5xf32>
    %47 = stablehlo.dot_general %46, %arg3, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4x5xf32>, tensor<2x4x6xf32>) -> tensor<2x5x6xf32>
    %48 = stablehlo.add %arg5, %47 : tensor<2x5x6xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x5x6xf32>
    %50 = stablehlo.multiply %49, %48 : tensor<2x5x6xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x5x6xf32>
    %52 = stablehlo.multiply %51, %50 : tensor<2x5x6xf32>
    %53 = stablehlo.dot_general %52, %46, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x6xf32>, tensor<2x2x4x5xf32>) -> tensor<6x2x4xf32>
    %54 = stablehlo.transpose %53, dims = [1, 2, 0] : (tensor<6x2x4xf32>) -> tensor<2x4x6xf32>
    %55 = stablehlo.dot_general %52, %arg3, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x5x6xf32>, tensor<2x4x6xf32>) -> tensor<2x5x2x4xf32>
    %56 = stablehlo.transpose %55, dims = [0, 2, 3, 1] : (tensor<2x5x2x4xf32>) -> tensor<2x2x4x5xf32>
    %57 = stablehlo.dot_general %56, %25, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4x5xf32>, tensor<2x2x5x4xf32>) -> tensor<2x2x5x5xf32>
    %58 = stablehlo.dot_general %56, %42, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4x5xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x4x5xf32>
    %59 = stablehlo.transpose %58, dims = [0, 1, 3, 2] : (tensor<2x2x4x5xf32>) -> tensor<2x2x5x4xf32>
    %60 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %61 = stablehlo.multiply %57, %60 : tensor<2x2x5x5xf32>
    %62 = stablehlo.multiply %61, %38 : tensor<2x2x5x5xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%62 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %64 = stablehlo.reshape %63 : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %65 = stablehlo.negate %64 : tensor<2x2x5x1xf32>
    %66 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %67 = stablehlo.divide %57, %66 : tensor<2x2x5x5xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.reduce(%65 init: %cst_14) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x1xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x5xf32>
    %70 = stablehlo.add %67, %69 : tensor<2x2x5x5xf32>
    %71 = stablehlo.multiply %70, %38 : tensor<2x2x5x5xf32>
    %72 = call @_where_1(%31#1, %71) : (tensor<2x2x5x5xi1>, tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %74 = stablehlo.divide %72, %73 : tensor<2x2x5x5xf32>
    %75 = stablehlo.dot_general %74, %21, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x5x5xf32>, tensor<2x2x5x4xf32>) -> tensor<2x2x5x4xf32>
    %76 = stablehlo.dot_general %74, %23, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x5x5xf32>, tensor<2x2x5x4xf32>) -> tensor<2x2x5x4xf32>
    %77 = stablehlo.transpose %59, dims = [1, 3, 0, 2] : (tensor<2x2x5x4xf32>) -> tensor<2x4x2x5xf32>
    %78 = stablehlo.dot_general %77, %arg2, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x5xf32>, tensor<6x2x4xf32>) -> tensor<2x5x6xf32>
    %79 = stablehlo.dot_general %77, %19, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x5xf32>, tensor<2x5x6xf32>) -> tensor<2x4x6xf32>
    %80 = stablehlo.transpose %79, dims = [2, 0, 1] : (tensor<2x4x6xf32>) -> tensor<6x2x4xf32>
    %81 = stablehlo.transpose %75, dims = [1, 3, 0, 2] : (tensor<2x2x5x4xf32>) -> tensor<2x4x2x5xf32>
    %82 = stablehlo.dot_general %81, %arg1, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x5xf32>, tensor<6x2x4xf32>) -> tensor<2x5x6xf32>
    %83 = stablehlo.add %78, %82 : tensor<2x5x6xf32>
    %84 = stablehlo.dot_general %81, %19, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x5xf32>, tensor<2x5x6xf32>) -> tensor<2x4x6xf32>
    %85 = stablehlo.transpose %84, dims = [2, 0, 1] : (tensor<2x4x6xf32>) -> tensor<6x2x4xf32>
    %86 = stablehlo.transpose %76, dims = [1, 3, 0, 2] : (tensor<2x2x5x4xf32>) -> tensor<2x4x2x5xf32>
    %87 = stablehlo.dot_general %86, %arg0, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x5xf32>, tensor<6x2x4xf32>) -> tensor<2x5x6xf32>
    %88 = stablehlo.add %83, %87 : tensor<2x5x6xf32>
    %89 = stablehlo.dot_general %86, %19, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x5xf32>, tensor<2x5x6xf32>) -> tensor<2x4x6xf32>
    %90 = stablehlo.transpose %89, dims = [2, 0, 1] : (tensor<2x4x6xf32>) -> tensor<6x2x4xf32>
    %91 = stablehlo.multiply %13, %88 : tensor<2x5x6xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.reduce(%91 init: %cst_16) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x5x6xf32>, tensor<f32>) -> tensor<6xf32>
    %93 = stablehlo.reshape %92 : (tensor<6xf32>) -> tensor<1x1x6xf32>
    %94 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<1x1x6xf32>) -> tensor<2x5x6xf32>
    %95 = stablehlo.multiply %88, %94 : tensor<2x5x6xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.reduce(%93 init: %cst_17) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x6xf32>, tensor<f32>) -> tensor<6xf32>
    %97 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x6xf32>
    %98 = stablehlo.multiply %95, %97 : tensor<2x5x6xf32>
    %99 = stablehlo.multiply %98, %5 : tensor<2x5x6xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.reduce(%99 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<2x5x6xf32>, tensor<f32>) -> tensor<2x5xf32>
    %101 = stablehlo.reshape %100 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %102 = stablehlo.negate %101 : tensor<2x5x1xf32>
    %103 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x6xf32>
    %104 = stablehlo.divide %95, %103 : tensor<2x5x6xf32>
    %105 = stablehlo.multiply %102, %11 : tensor<2x5x1xf32>
    %106 = call @_var_2(%6#1, %6#2, %6#3, %105) : (tensor<2x5x6xf32>, tensor<f32>, tensor<i1>, tensor<2x5x1xf32>) -> tensor<2x5x6xf32>
    %107 = stablehlo.add %52, %106 : tensor<2x5x6xf32>
    %108 = stablehlo.negate %104 : tensor<2x5x6xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.reduce(%108 init: %cst_19) applies stablehlo.add across dimensions = [2] : (tensor<2x5x6xf32>, tensor<f32>) -> tensor<2x5xf32>
    %110 = stablehlo.reshape %109 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %111 = stablehlo.add %107, %104 : tensor<2x5x6xf32>
    %cst_20 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %113 = stablehlo.divide %110, %112 : tensor<2x5x1xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.reduce(%113 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<2x5x1xf32>, tensor<f32>) -> tensor<2x5xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x6xf32>
    %116 = stablehlo.add %111, %115 : tensor<2x5x6xf32>
    return %90, %85, %80, %54, %96, %116 : tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<2x4x6xf32>, tensor<6xf32>, tensor<2x5x6xf32>
  }
  func.func private @_var(%arg0: tensor<2x5x6xf32>, %arg1: tensor<i32>) -> (tensor<2x5x1xf32>, tensor<2x5x6xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x5x6xf32>, tensor<f32>) -> tensor<2x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x6xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x5x6xf32>
    %6 = chlo.square %5 : tensor<2x5x6xf32> -> tensor<2x5x6xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x6xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<2x5x6xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x5x6xf32>, tensor<f32>) -> tensor<2x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<2x5x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<2x5x1xf32>, tensor<f32>) -> tensor<2x5x1xf32>
    return %16, %8, %10, %15 : tensor<2x5x1xf32>, tensor<2x5x6xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x5x1xf32>, %arg2: tensor<f32>) -> tensor<2x5x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x5x1xf32>
    return %2 : tensor<2x5x1xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where_0(%arg0: tensor<5x5xi1>, %arg1: tensor<2x2x5x5xf32>, %arg2: tensor<f32>) -> (tensor<2x2x5x5xf32>, tensor<2x2x5x5xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x2x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x5x5xi1>, tensor<2x2x5x5xf32>
    return %3, %1 : tensor<2x2x5x5xf32>, tensor<2x2x5x5xi1>
  }
  func.func private @_where_1(%arg0: tensor<2x2x5x5xi1>, %arg1: tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x2x5x5xi1>, tensor<2x2x5x5xf32>
    return %1 : tensor<2x2x5x5xf32>
  }
  func.func private @_var_2(%arg0: tensor<2x5x6xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<2x5x1xf32>) -> tensor<2x5x6xf32> {
    %0 = call @_where_3(%arg2, %arg3) : (tensor<i1>, tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x5x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x5x1xf32>, tensor<f32>) -> tensor<2x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x6xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<2x5x6xf32>
    %6 = stablehlo.negate %5 : tensor<2x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x5x6xf32>, tensor<f32>) -> tensor<2x5xf32>
    %8 = stablehlo.reshape %7 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_1 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<2x5x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x5x1xf32>, tensor<f32>) -> tensor<2x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x6xf32>
    %13 = stablehlo.add %5, %12 : tensor<2x5x6xf32>
    return %13 : tensor<2x5x6xf32>
  }
  func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<2x5x1xf32>) -> tensor<2x5x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<2x5x1xf32>
    return %1 : tensor<2x5x1xf32>
  }
}
