module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>) -> (tensor<12xf32> {jax.result_info = "result[0]"}, tensor<12xf32> {jax.result_info = "result[1]"}, tensor<12xf32> {jax.result_info = "result[2]"}, tensor<12xf32> {jax.result_info = "result[3]"}, tensor<12xf32> {jax.result_info = "result[4]"}, tensor<12xf32> {jax.result_info = "result[5]"}, tensor<12xf32> {jax.result_info = "result[6]"}, tensor<12xf32> {jax.result_info = "result[7]"}, tensor<12xf32> {jax.result_info = "result[8]"}, tensor<12xf32> {jax.result_info = "result[9]"}, tensor<12xf32> {jax.result_info = "result[10]"}, tensor<12xf32> {jax.result_info = "result[11]"}) {
    %0 = stablehlo.complex %arg0, %arg1 : tensor<12xcomplex<f32>>
    %1 = chlo.asin %0 : tensor<12xcomplex<f32>> -> tensor<12xcomplex<f32>>
    %2 = stablehlo.real %1 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %3 = stablehlo.complex %arg0, %arg1 : tensor<12xcomplex<f32>>
    %4 = chlo.asin %3 : tensor<12xcomplex<f32>> -> tensor<12xcomplex<f32>>
    %5 = stablehlo.imag %4 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %6 = stablehlo.complex %arg0, %arg1 : tensor<12xcomplex<f32>>
    %7 = chlo.acos %6 : tensor<12xcomplex<f32>> -> tensor<12xcomplex<f32>>
    %8 = stablehlo.real %7 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %9 = stablehlo.complex %arg0, %arg1 : tensor<12xcomplex<f32>>
    %10 = chlo.acos %9 : tensor<12xcomplex<f32>> -> tensor<12xcomplex<f32>>
    %11 = stablehlo.imag %10 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %12 = stablehlo.complex %arg0, %arg1 : tensor<12xcomplex<f32>>
    %13 = chlo.atan %12 : tensor<12xcomplex<f32>> -> tensor<12xcomplex<f32>>
    %14 = stablehlo.real %13 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %15 = stablehlo.complex %arg0, %arg1 : tensor<12xcomplex<f32>>
    %16 = chlo.atan %15 : tensor<12xcomplex<f32>> -> tensor<12xcomplex<f32>>
    %17 = stablehlo.imag %16 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %18 = stablehlo.complex %arg0, %arg1 : tensor<12xcomplex<f32>>
    %19 = chlo.asinh %18 : tensor<12xcomplex<f32>> -> tensor<12xcomplex<f32>>
    %20 = stablehlo.real %19 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %21 = stablehlo.complex %arg0, %arg1 : tensor<12xcomplex<f32>>
    %22 = chlo.asinh %21 : tensor<12xcomplex<f32>> -> tensor<12xcomplex<f32>>
    %23 = stablehlo.imag %22 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %24 = stablehlo.complex %arg0, %arg1 : tensor<12xcomplex<f32>>
    %25 = call @arccosh(%24) : (tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
    %26 = stablehlo.real %25 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %27 = stablehlo.complex %arg0, %arg1 : tensor<12xcomplex<f32>>
    %28 = call @arccosh(%27) : (tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
    %29 = stablehlo.imag %28 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %30 = stablehlo.complex %arg0, %arg1 : tensor<12xcomplex<f32>>
    %31 = chlo.atanh %30 : tensor<12xcomplex<f32>> -> tensor<12xcomplex<f32>>
    %32 = stablehlo.real %31 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %33 = stablehlo.complex %arg0, %arg1 : tensor<12xcomplex<f32>>
    %34 = chlo.atanh %33 : tensor<12xcomplex<f32>> -> tensor<12xcomplex<f32>>
    %35 = stablehlo.imag %34 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    return %2, %5, %8, %11, %14, %17, %20, %23, %26, %29, %32, %35 : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
  }
  func.func private @arccosh(%arg0: tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>> {
    %0 = chlo.acosh %arg0 : tensor<12xcomplex<f32>> -> tensor<12xcomplex<f32>>
    %1 = stablehlo.real %0 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %3 = stablehlo.compare LT, %1, %2, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %4 = stablehlo.negate %0 : tensor<12xcomplex<f32>>
    %5 = call @_where(%3, %4, %0) : (tensor<12xi1>, tensor<12xcomplex<f32>>, tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
    return %5 : tensor<12xcomplex<f32>>
  }
  func.func private @_where(%arg0: tensor<12xi1>, %arg1: tensor<12xcomplex<f32>>, %arg2: tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<12xi1>, tensor<12xcomplex<f32>>
    return %0 : tensor<12xcomplex<f32>>
  }
}
