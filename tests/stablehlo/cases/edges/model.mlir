module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x5xf32>, %arg1: tensor<3x2xi32>, %arg2: tensor<3x2x3xf32>, %arg3: tensor<1x8xf32>, %arg4: tensor<i32>) -> (tensor<6x5xf32> {jax.result_info = "result[0]"}, tensor<6x5xf32> {jax.result_info = "result[1]"}, tensor<6x5xf32> {jax.result_info = "result[2]"}, tensor<6x5xf32> {jax.result_info = "result[3]"}, tensor<6x5xf32> {jax.result_info = "result[4]"}, tensor<6x5xf32> {jax.result_info = "result[5]"}, tensor<1x5xf32> {jax.result_info = "result[6]"}, tensor<1x5xi32> {jax.result_info = "result[7]"}, tensor<6x5xui16> {jax.result_info = "result[8]"}, tensor<6x5x2xui8> {jax.result_info = "result[9]"}, tensor<6x5xf32> {jax.result_info = "result[10]"}, tensor<1x8xf32> {jax.result_info = "result[11]"}, tensor<6x5xf32> {jax.result_info = "result[12]"}, tensor<6x5xf32> {jax.result_info = "result[13]"}, tensor<5xf32> {jax.result_info = "result[14]"}) {
    %c = stablehlo.constant dense<[4, 2]> : tensor<2xi32>
    %c_0 = stablehlo.constant dense<2147483647> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %1 = stablehlo.minimum %c, %0 : tensor<2xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<2xi32>) -> tensor<3x2xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %4 = stablehlo.clamp %3, %arg1, %2 : tensor<3x2xi32>
    %5 = "stablehlo.scatter"(%arg0, %4, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      stablehlo.return %arg6 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<3x2xi32>, tensor<3x2x3xf32>) -> tensor<6x5xf32>
    %6 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      stablehlo.return %arg6 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<3x2xi32>, tensor<3x2x3xf32>) -> tensor<6x5xf32>
    %c_2 = stablehlo.constant dense<[4, 2]> : tensor<2xi32>
    %c_3 = stablehlo.constant dense<2147483647> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %8 = stablehlo.minimum %c_2, %7 : tensor<2xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<2xi32>) -> tensor<3x2xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %11 = stablehlo.clamp %10, %arg1, %9 : tensor<3x2xi32>
    %12 = "stablehlo.scatter"(%arg0, %11, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %50 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %50 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<3x2xi32>, tensor<3x2x3xf32>) -> tensor<6x5xf32>
    %13 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %50 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %50 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<3x2xi32>, tensor<3x2x3xf32>) -> tensor<6x5xf32>
    %c_5 = stablehlo.constant dense<[4, 2]> : tensor<2xi32>
    %c_6 = stablehlo.constant dense<2147483647> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %15 = stablehlo.minimum %c_5, %14 : tensor<2xi32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [1] : (tensor<2xi32>) -> tensor<3x2xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %18 = stablehlo.clamp %17, %arg1, %16 : tensor<3x2xi32>
    %19 = "stablehlo.scatter"(%arg0, %18, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %50 = stablehlo.minimum %arg5, %arg6 : tensor<f32>
      stablehlo.return %50 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<3x2xi32>, tensor<3x2x3xf32>) -> tensor<6x5xf32>
    %20 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %50 = stablehlo.minimum %arg5, %arg6 : tensor<f32>
      stablehlo.return %50 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<3x2xi32>, tensor<3x2x3xf32>) -> tensor<6x5xf32>
    %values, %indices = chlo.top_k(%arg3, k = 5) : tensor<1x8xf32> -> (tensor<1x5xf32>, tensor<1x5xi32>)
    %21 = stablehlo.convert %arg0 : (tensor<6x5xf32>) -> tensor<6x5xbf16>
    %22 = stablehlo.bitcast_convert %21 : (tensor<6x5xbf16>) -> tensor<6x5xui16>
    %23 = stablehlo.convert %arg0 : (tensor<6x5xf32>) -> tensor<6x5xf16>
    %24 = stablehlo.bitcast_convert %23 : (tensor<6x5xf16>) -> tensor<6x5x2xui8>
    %25 = stablehlo.abs %arg0 : tensor<6x5xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %27 = stablehlo.add %25, %26 : tensor<6x5xf32>
    %28 = stablehlo.reverse %arg0, dims = [0] : tensor<6x5xf32>
    %29 = stablehlo.abs %28 : tensor<6x5xf32>
    %30 = chlo.zeta %27, %29 : tensor<6x5xf32>, tensor<6x5xf32> -> tensor<6x5xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %32 = stablehlo.minimum %arg3, %31 : tensor<1x8xf32>
    %cst_9 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %34 = stablehlo.subtract %32, %33 : tensor<1x8xf32>
    %35 = chlo.zeta %arg3, %34 : tensor<1x8xf32>, tensor<1x8xf32> -> tensor<1x8xf32>
    %36 = stablehlo.convert %arg4 : (tensor<i32>) -> tensor<f32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %38 = chlo.polygamma %37, %arg0 : tensor<6x5xf32>, tensor<6x5xf32> -> tensor<6x5xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+01> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %40 = stablehlo.multiply %arg0, %39 : tensor<6x5xf32>
    %41 = chlo.bessel_i1e %40 : tensor<6x5xf32> -> tensor<6x5xf32>
    %42 = stablehlo.slice %arg0 [0:1, 0:5] : (tensor<6x5xf32>) -> tensor<1x5xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x5xf32>) -> tensor<5xf32>
    %44 = chlo.digamma %43 : tensor<5xf32> -> tensor<5xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %46 = chlo.polygamma %45, %43 : tensor<5xf32>, tensor<5xf32> -> tensor<5xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%44 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %49 = stablehlo.multiply %48, %46 : tensor<5xf32>
    return %5, %6, %12, %13, %19, %20, %values, %indices, %22, %24, %30, %35, %38, %41, %49 : tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<1x5xf32>, tensor<1x5xi32>, tensor<6x5xui16>, tensor<6x5x2xui8>, tensor<6x5xf32>, tensor<1x8xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<5xf32>
  }
}
