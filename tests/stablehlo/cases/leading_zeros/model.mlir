module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xi32>) -> (tensor<6xi32> {jax.result_info = "result[0]"}, tensor<6xui32> {jax.result_info = "result[1]"}, tensor<6xi8> {jax.result_info = "result[2]"}, tensor<6xui8> {jax.result_info = "result[3]"}, tensor<6xi16> {jax.result_info = "result[4]"}, tensor<6xui16> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.count_leading_zeros %arg0 : tensor<6xi32>
    %1 = stablehlo.convert %arg0 : (tensor<6xi32>) -> tensor<6xui32>
    %2 = stablehlo.count_leading_zeros %1 : tensor<6xui32>
    %3 = stablehlo.convert %arg0 : (tensor<6xi32>) -> tensor<6xi8>
    %4 = stablehlo.count_leading_zeros %3 : tensor<6xi8>
    %5 = stablehlo.convert %arg0 : (tensor<6xi32>) -> tensor<6xui8>
    %6 = stablehlo.count_leading_zeros %5 : tensor<6xui8>
    %7 = stablehlo.convert %arg0 : (tensor<6xi32>) -> tensor<6xi16>
    %8 = stablehlo.count_leading_zeros %7 : tensor<6xi16>
    %9 = stablehlo.convert %arg0 : (tensor<6xi32>) -> tensor<6xui16>
    %10 = stablehlo.count_leading_zeros %9 : tensor<6xui16>
    return %0, %2, %4, %6, %8, %10 : tensor<6xi32>, tensor<6xui32>, tensor<6xi8>, tensor<6xui8>, tensor<6xi16>, tensor<6xui16>
  }
}
