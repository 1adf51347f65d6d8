module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xf32>) -> (tensor<7xf32> {jax.result_info = "result[0]"}, tensor<7xf32> {jax.result_info = "result[1]"}, tensor<7xf32> {jax.result_info = "result[2]"}, tensor<7xf32> {jax.result_info = "result[3]"}, tensor<7xf32> {jax.result_info = "result[4]"}, tensor<7xf32> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.log %arg0 : tensor<7xf32>
    %1 = stablehlo.sqrt %arg0 : tensor<7xf32>
    %2 = stablehlo.rsqrt %arg0 : tensor<7xf32>
    %cst = stablehlo.constant dense<2.500000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %4 = stablehlo.power %arg0, %3 : tensor<7xf32>
    %5 = stablehlo.multiply %arg0, %arg0 : tensor<7xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<7xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %8 = stablehlo.power %7, %arg0 : tensor<7xf32>
    return %0, %1, %2, %4, %6, %8 : tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>
  }
}
