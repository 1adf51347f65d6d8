module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xi1>, %arg1: tensor<7xi1>) -> (tensor<7xi1> {jax.result_info = "result[0]"}, tensor<7xi1> {jax.result_info = "result[1]"}, tensor<7xi1> {jax.result_info = "result[2]"}, tensor<7xi1> {jax.result_info = "result[3]"}, tensor<7xi1> {jax.result_info = "result[4]"}, tensor<7xf32> {jax.result_info = "result[5]"}, tensor<i1> {jax.result_info = "result[6]"}, tensor<i1> {jax.result_info = "result[7]"}) {
    %0 = stablehlo.and %arg0, %arg1 : tensor<7xi1>
    %1 = stablehlo.or %arg0, %arg1 : tensor<7xi1>
    %2 = stablehlo.xor %arg0, %arg1 : tensor<7xi1>
    %3 = stablehlo.not %arg0 : tensor<7xi1>
    %4 = stablehlo.compare EQ, %arg0, %arg1, UNSIGNED : (tensor<7xi1>, tensor<7xi1>) -> tensor<7xi1>
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<2.500000e+00> : tensor<f32>
    %5 = call @_where(%arg0, %cst, %cst_0) : (tensor<7xi1>, tensor<f32>, tensor<f32>) -> tensor<7xf32>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %6 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<7xi1>, tensor<i1>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.reduce(%arg0 init: %c_1) applies stablehlo.and across dimensions = [0] : (tensor<7xi1>, tensor<i1>) -> tensor<i1>
    return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xf32>, tensor<i1>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<7xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<7xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<7xi1>, tensor<7xf32>
    return %2 : tensor<7xf32>
  }
}
