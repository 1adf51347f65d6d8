module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xf32>) -> (tensor<7xf32> {jax.result_info = "result[0]"}, tensor<7xf32> {jax.result_info = "result[1]"}, tensor<7xf32> {jax.result_info = "result[2]"}, tensor<7xf32> {jax.result_info = "result[3]"}, tensor<7xf32> {jax.result_info = "result[4]"}, tensor<7xf32> {jax.result_info = "result[5]"}, tensor<7xf32> {jax.result_info = "result[6]"}, tensor<7xi1> {jax.result_info = "result[7]"}, tensor<7xf32> {jax.result_info = "result[8]"}, tensor<7xf32> {jax.result_info = "result[9]"}, tensor<7xf32> {jax.result_info = "result[10]"}, tensor<7xf32> {jax.result_info = "result[11]"}, tensor<7xf32> {jax.result_info = "result[12]"}, tensor<7xf32> {jax.result_info = "result[13]"}, tensor<7xf32> {jax.result_info = "result[14]"}, tensor<7xf32> {jax.result_info = "result[15]"}, tensor<7xf32> {jax.result_info = "result[16]"}, tensor<7xf32> {jax.result_info = "result[17]"}, tensor<7xf32> {jax.result_info = "result[18]"}, tensor<7xf32> {jax.result_info = "result[19]"}, tensor<7xf32> {jax.result_info = "result[20]"}, tensor<7xf32> {jax.result_info = "result[21]"}) {
    %0 = stablehlo.abs %arg0 : tensor<7xf32>
    %1 = stablehlo.cbrt %arg0 : tensor<7xf32>
    %2 = stablehlo.ceil %arg0 : tensor<7xf32>
    %3 = stablehlo.cosine %arg0 : tensor<7xf32>
    %4 = stablehlo.exponential %arg0 : tensor<7xf32>
    %5 = stablehlo.exponential_minus_one %arg0 : tensor<7xf32>
    %6 = stablehlo.floor %arg0 : tensor<7xf32>
    %7 = stablehlo.is_finite %arg0 : (tensor<7xf32>) -> tensor<7xi1>
    %8 = stablehlo.log_plus_one %arg0 : tensor<7xf32>
    %9 = stablehlo.negate %arg0 : tensor<7xf32>
    %10 = stablehlo.exponential %9 : tensor<7xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %12 = stablehlo.add %11, %10 : tensor<7xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %14 = stablehlo.divide %13, %12 : tensor<7xf32>
    %15 = stablehlo.negate %arg0 : tensor<7xf32>
    %16 = call @round(%arg0) : (tensor<7xf32>) -> tensor<7xf32>
    %17 = stablehlo.sign %arg0 : tensor<7xf32>
    %18 = stablehlo.sine %arg0 : tensor<7xf32>
    %19 = stablehlo.tan %arg0 : tensor<7xf32>
    %20 = stablehlo.tanh %arg0 : tensor<7xf32>
    %21 = chlo.erf %arg0 : tensor<7xf32> -> tensor<7xf32>
    %22 = chlo.square %arg0 : tensor<7xf32> -> tensor<7xf32>
    %23 = chlo.sinh %arg0 : tensor<7xf32> -> tensor<7xf32>
    %24 = chlo.cosh %arg0 : tensor<7xf32> -> tensor<7xf32>
    %25 = chlo.atan %arg0 : tensor<7xf32> -> tensor<7xf32>
    %26 = call @trunc(%arg0) : (tensor<7xf32>) -> tensor<7xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26 : tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi1>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>
  }
  func.func private @round(%arg0: tensor<7xf32>) -> tensor<7xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<7xf32>
    return %0 : tensor<7xf32>
  }
  func.func private @trunc(%arg0: tensor<7xf32>) -> tensor<7xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %1 = stablehlo.compare LT, %arg0, %0, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
    %2 = stablehlo.ceil %arg0 : tensor<7xf32>
    %3 = stablehlo.floor %arg0 : tensor<7xf32>
    %4 = call @_where(%1, %2, %3) : (tensor<7xi1>, tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    return %4 : tensor<7xf32>
  }
  func.func private @_where(%arg0: tensor<7xi1>, %arg1: tensor<7xf32>, %arg2: tensor<7xf32>) -> tensor<7xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<7xi1>, tensor<7xf32>
    return %0 : tensor<7xf32>
  }
}
