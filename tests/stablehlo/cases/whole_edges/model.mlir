module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xi32>, %arg1: tensor<5xi32>, %arg2: tensor<7xf32>) -> (tensor<5xi32> {jax.result_info = "result[0]"}, tensor<5xi32> {jax.result_info = "result[1]"}, tensor<5xi32> {jax.result_info = "result[2]"}, tensor<5xui32> {jax.result_info = "result[3]"}, tensor<5xui32> {jax.result_info = "result[4]"}, tensor<5xui32> {jax.result_info = "result[5]"}, tensor<5xi8> {jax.result_info = "result[6]"}, tensor<5xi8> {jax.result_info = "result[7]"}, tensor<5xi8> {jax.result_info = "result[8]"}, tensor<5xui16> {jax.result_info = "result[9]"}, tensor<5xui16> {jax.result_info = "result[10]"}, tensor<5xui16> {jax.result_info = "result[11]"}, tensor<5xi32> {jax.result_info = "result[12]"}, tensor<5xi32> {jax.result_info = "result[13]"}, tensor<7xf32> {jax.result_info = "result[14]"}, tensor<7xf32> {jax.result_info = "result[15]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<5xi32>) -> tensor<5xui32>
    %1 = stablehlo.convert %arg1 : (tensor<5xi32>) -> tensor<5xui32>
    %2 = stablehlo.convert %arg0 : (tensor<5xi32>) -> tensor<5xi8>
    %3 = stablehlo.convert %arg1 : (tensor<5xi32>) -> tensor<5xi8>
    %4 = stablehlo.convert %arg0 : (tensor<5xi32>) -> tensor<5xui16>
    %5 = stablehlo.convert %arg1 : (tensor<5xi32>) -> tensor<5xui16>
    %6 = stablehlo.divide %arg0, %arg1 : tensor<5xi32>
    %7 = stablehlo.remainder %arg0, %arg1 : tensor<5xi32>
    %8 = call @floor_divide(%arg0, %arg1) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %9 = stablehlo.divide %0, %1 : tensor<5xui32>
    %10 = stablehlo.remainder %0, %1 : tensor<5xui32>
    %11 = call @floor_divide_0(%0, %1) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %12 = stablehlo.divide %2, %3 : tensor<5xi8>
    %13 = stablehlo.remainder %2, %3 : tensor<5xi8>
    %14 = call @floor_divide_1(%2, %3) : (tensor<5xi8>, tensor<5xi8>) -> tensor<5xi8>
    %15 = stablehlo.divide %4, %5 : tensor<5xui16>
    %16 = stablehlo.remainder %4, %5 : tensor<5xui16>
    %17 = call @floor_divide_3(%4, %5) : (tensor<5xui16>, tensor<5xui16>) -> tensor<5xui16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %19 = stablehlo.multiply %18, %arg1 : tensor<5xi32>
    %20 = stablehlo.divide %arg0, %19 : tensor<5xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %22 = stablehlo.multiply %21, %arg0 : tensor<5xi32>
    %c_1 = stablehlo.constant dense<7> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %24 = stablehlo.add %23, %22 : tensor<5xi32>
    %25 = stablehlo.remainder %24, %arg1 : tensor<5xi32>
    %26 = stablehlo.round_nearest_afz %arg2 : tensor<7xf32>
    %27 = stablehlo.iota dim = 0 : tensor<7xcomplex<f32>>
    %28 = stablehlo.convert %arg2 : (tensor<7xf32>) -> tensor<7xcomplex<f32>>
    %29 = stablehlo.add %28, %27 : tensor<7xcomplex<f32>>
    %30 = stablehlo.imag %29 : (tensor<7xcomplex<f32>>) -> tensor<7xf32>
    return %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %20, %25, %26, %30 : tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xui32>, tensor<5xui32>, tensor<5xui32>, tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xui16>, tensor<5xui16>, tensor<5xui16>, tensor<5xi32>, tensor<5xi32>, tensor<7xf32>, tensor<7xf32>
  }
  func.func private @floor_divide(%arg0: tensor<5xi32>, %arg1: tensor<5xi32>) -> tensor<5xi32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<5xi32>
    %1 = stablehlo.sign %arg0 : tensor<5xi32>
    %2 = stablehlo.sign %arg1 : tensor<5xi32>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %4 = stablehlo.remainder %arg0, %arg1 : tensor<5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %7 = stablehlo.and %3, %6 : tensor<5xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %9 = stablehlo.subtract %0, %8 : tensor<5xi32>
    %10 = call @_where(%7, %9, %0) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    return %10 : tensor<5xi32>
  }
  func.func private @_where(%arg0: tensor<5xi1>, %arg1: tensor<5xi32>, %arg2: tensor<5xi32>) -> tensor<5xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<5xi1>, tensor<5xi32>
    return %0 : tensor<5xi32>
  }
  func.func private @floor_divide_0(%arg0: tensor<5xui32>, %arg1: tensor<5xui32>) -> tensor<5xui32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<5xui32>
    return %0 : tensor<5xui32>
  }
  func.func private @floor_divide_1(%arg0: tensor<5xi8>, %arg1: tensor<5xi8>) -> tensor<5xi8> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<5xi8>
    %1 = stablehlo.sign %arg0 : tensor<5xi8>
    %2 = stablehlo.sign %arg1 : tensor<5xi8>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<5xi8>, tensor<5xi8>) -> tensor<5xi1>
    %4 = stablehlo.remainder %arg0, %arg1 : tensor<5xi8>
    %c = stablehlo.constant dense<0> : tensor<i8>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i8>) -> tensor<5xi8>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<5xi8>, tensor<5xi8>) -> tensor<5xi1>
    %7 = stablehlo.and %3, %6 : tensor<5xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i8>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i8>) -> tensor<5xi8>
    %9 = stablehlo.subtract %0, %8 : tensor<5xi8>
    %10 = call @_where_2(%7, %9, %0) : (tensor<5xi1>, tensor<5xi8>, tensor<5xi8>) -> tensor<5xi8>
    return %10 : tensor<5xi8>
  }
  func.func private @_where_2(%arg0: tensor<5xi1>, %arg1: tensor<5xi8>, %arg2: tensor<5xi8>) -> tensor<5xi8> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<5xi1>, tensor<5xi8>
    return %0 : tensor<5xi8>
  }
  func.func private @floor_divide_3(%arg0: tensor<5xui16>, %arg1: tensor<5xui16>) -> tensor<5xui16> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<5xui16>
    return %0 : tensor<5xui16>
  }
}
