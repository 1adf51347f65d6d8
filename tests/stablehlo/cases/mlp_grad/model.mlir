module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x3xf32>, %arg3: tensor<3xf32>, %arg4: tensor<5x4xf32>) -> (tensor<4x6xf32> {jax.result_info = "result[0]"}, tensor<6xf32> {jax.result_info = "result[1]"}, tensor<6x3xf32> {jax.result_info = "result[2]"}, tensor<3xf32> {jax.result_info = "result[3]"}, tensor<5x4xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<5x6xf32>
    %4 = stablehlo.multiply %3, %3 : tensor<5x6xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<5x6xf32>
    %6 = stablehlo.multiply %3, %3 : tensor<5x6xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<5x6xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %10 = stablehlo.multiply %9, %5 : tensor<5x6xf32>
    %11 = stablehlo.add %3, %10 : tensor<5x6xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<5x6xf32>
    %14 = stablehlo.tanh %13 : tensor<5x6xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %16 = stablehlo.subtract %15, %14 : tensor<5x6xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %18 = stablehlo.add %17, %14 : tensor<5x6xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %20 = stablehlo.multiply %19, %18 : tensor<5x6xf32>
    %21 = stablehlo.multiply %3, %20 : tensor<5x6xf32>
    %22 = stablehlo.dot_general %21, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x3xf32>) -> tensor<5x3xf32>
    %23 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<5x3xf32>
    %25 = stablehlo.add %22, %24 : tensor<5x3xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_5) applies stablehlo.maximum across dimensions = [1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<5xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %28 = stablehlo.maximum %27, %26 : tensor<5xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x3xf32>
    %31 = stablehlo.subtract %25, %30 : tensor<5x3xf32>
    %32 = stablehlo.exponential %31 : tensor<5x3xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<5xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x3xf32>
    %36 = stablehlo.divide %32, %35 : tensor<5x3xf32>
    %37 = stablehlo.multiply %34, %34 : tensor<5x1xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %39 = stablehlo.divide %38, %37 : tensor<5x1xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
    %41 = stablehlo.multiply %40, %36 : tensor<5x3xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
    %43 = stablehlo.multiply %42, %41 : tensor<5x3xf32>
    %44 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x3xf32>
    %45 = stablehlo.multiply %43, %44 : tensor<5x3xf32>
    %46 = stablehlo.multiply %45, %32 : tensor<5x3xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<5xf32>
    %48 = stablehlo.reshape %47 : (tensor<5xf32>) -> tensor<5x1xf32>
    %49 = stablehlo.negate %48 : tensor<5x1xf32>
    %50 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x3xf32>
    %51 = stablehlo.divide %43, %50 : tensor<5x3xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.reduce(%49 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<5x1xf32>, tensor<f32>) -> tensor<5xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0] : (tensor<5xf32>) -> tensor<5x3xf32>
    %54 = stablehlo.add %51, %53 : tensor<5x3xf32>
    %55 = stablehlo.multiply %54, %32 : tensor<5x3xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_13) applies stablehlo.add across dimensions = [0] : (tensor<5x3xf32>, tensor<f32>) -> tensor<3xf32>
    %57 = stablehlo.reshape %56 : (tensor<3xf32>) -> tensor<1x3xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.reduce(%57 init: %cst_14) applies stablehlo.add across dimensions = [0] : (tensor<1x3xf32>, tensor<f32>) -> tensor<3xf32>
    %59 = stablehlo.dot_general %55, %21, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x3xf32>, tensor<5x6xf32>) -> tensor<3x6xf32>
    %60 = stablehlo.transpose %59, dims = [1, 0] : (tensor<3x6xf32>) -> tensor<6x3xf32>
    %61 = stablehlo.dot_general %55, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<5x3xf32>, tensor<6x3xf32>) -> tensor<5x6xf32>
    %62 = stablehlo.multiply %3, %61 : tensor<5x6xf32>
    %63 = stablehlo.multiply %61, %20 : tensor<5x6xf32>
    %cst_15 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %65 = stablehlo.multiply %64, %62 : tensor<5x6xf32>
    %66 = stablehlo.multiply %65, %16 : tensor<5x6xf32>
    %67 = stablehlo.multiply %66, %14 : tensor<5x6xf32>
    %68 = stablehlo.add %66, %67 : tensor<5x6xf32>
    %cst_16 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %70 = stablehlo.multiply %69, %68 : tensor<5x6xf32>
    %71 = stablehlo.add %63, %70 : tensor<5x6xf32>
    %cst_17 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %73 = stablehlo.multiply %72, %70 : tensor<5x6xf32>
    %74 = stablehlo.multiply %73, %8 : tensor<5x6xf32>
    %75 = stablehlo.add %71, %74 : tensor<5x6xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.reduce(%75 init: %cst_18) applies stablehlo.add across dimensions = [0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<6xf32>
    %77 = stablehlo.reshape %76 : (tensor<6xf32>) -> tensor<1x6xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.reduce(%77 init: %cst_19) applies stablehlo.add across dimensions = [0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<6xf32>
    %79 = stablehlo.dot_general %75, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %80 = stablehlo.transpose %79, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %81 = stablehlo.dot_general %75, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<4x6xf32>) -> tensor<5x4xf32>
    return %80, %78, %60, %58, %81 : tensor<4x6xf32>, tensor<6xf32>, tensor<6x3xf32>, tensor<3xf32>, tensor<5x4xf32>
  }
}
