module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xi32>, %arg1: tensor<7xi32>) -> (tensor<7xi32> {jax.result_info = "result[0]"}, tensor<7xi32> {jax.result_info = "result[1]"}, tensor<7xi32> {jax.result_info = "result[2]"}, tensor<7xi32> {jax.result_info = "result[3]"}, tensor<7xi32> {jax.result_info = "result[4]"}, tensor<7xi32> {jax.result_info = "result[5]"}, tensor<7xi32> {jax.result_info = "result[6]"}, tensor<7xi32> {jax.result_info = "result[7]"}, tensor<7xi32> {jax.result_info = "result[8]"}, tensor<7xi32> {jax.result_info = "result[9]"}, tensor<7xi32> {jax.result_info = "result[10]"}, tensor<7xi1> {jax.result_info = "result[11]"}, tensor<7xi32> {jax.result_info = "result[12]"}, tensor<7xi32> {jax.result_info = "result[13]"}, tensor<7xi32> {jax.result_info = "result[14]"}, tensor<7xi32> {jax.result_info = "result[15]"}, tensor<7xi32> {jax.result_info = "result[16]"}, tensor<7xi32> {jax.result_info = "result[17]"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<7xi32>
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<7xi32>
    %2 = stablehlo.maximum %arg0, %arg1 : tensor<7xi32>
    %3 = stablehlo.and %arg0, %arg1 : tensor<7xi32>
    %4 = stablehlo.or %arg0, %arg1 : tensor<7xi32>
    %5 = stablehlo.xor %arg0, %arg1 : tensor<7xi32>
    %6 = call @floor_divide(%arg0, %arg1) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %7 = stablehlo.divide %arg0, %arg1 : tensor<7xi32>
    %8 = stablehlo.remainder %arg0, %arg1 : tensor<7xi32>
    %9 = stablehlo.shift_left %arg0, %arg1 : tensor<7xi32>
    %10 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<7xi32>
    %11 = stablehlo.compare LE, %arg0, %arg1, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %12 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<7xi32>
    %13 = stablehlo.not %arg0 : tensor<7xi32>
    %14 = stablehlo.negate %arg0 : tensor<7xi32>
    %15 = stablehlo.abs %arg0 : tensor<7xi32>
    %16 = stablehlo.sign %arg0 : tensor<7xi32>
    %17 = stablehlo.popcnt %arg0 : tensor<7xi32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17 : tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi1>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>
  }
  func.func private @floor_divide(%arg0: tensor<7xi32>, %arg1: tensor<7xi32>) -> tensor<7xi32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<7xi32>
    %1 = stablehlo.sign %arg0 : tensor<7xi32>
    %2 = stablehlo.sign %arg1 : tensor<7xi32>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %4 = stablehlo.remainder %arg0, %arg1 : tensor<7xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %7 = stablehlo.and %3, %6 : tensor<7xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %9 = stablehlo.subtract %0, %8 : tensor<7xi32>
    %10 = call @_where(%7, %9, %0) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    return %10 : tensor<7xi32>
  }
  func.func private @_where(%arg0: tensor<7xi1>, %arg1: tensor<7xi32>, %arg2: tensor<7xi32>) -> tensor<7xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<7xi1>, tensor<7xi32>
    return %0 : tensor<7xi32>
  }
}
