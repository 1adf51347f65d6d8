module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4x3xf32>, %arg1: tensor<2x3xi32>, %arg2: tensor<2x3xi32>) -> (tensor<5x4x3xf32> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x3xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x3xi1>, tensor<2x3xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 3>}> : (tensor<5x4x3xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4x3xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3x4x3xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<2x3x4x3xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %10 = stablehlo.compare LT, %arg1, %9, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_2 = stablehlo.constant dense<5> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %12 = stablehlo.add %arg1, %11 : tensor<2x3xi32>
    %13 = stablehlo.select %10, %12, %arg1 : tensor<2x3xi1>, tensor<2x3xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %15 = stablehlo.compare LT, %arg2, %14, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_4 = stablehlo.constant dense<4> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %17 = stablehlo.add %arg2, %16 : tensor<2x3xi32>
    %18 = stablehlo.select %15, %17, %arg2 : tensor<2x3xi1>, tensor<2x3xi32>
    %19 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %20 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %21 = stablehlo.concatenate %19, %20, dim = 2 : (tensor<2x3x1xi32>, tensor<2x3x1xi32>) -> tensor<2x3x2xi32>
    %22 = "stablehlo.gather"(%arg0, %21) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<5x4x3xf32>, tensor<2x3x2xi32>) -> tensor<2x3x3xf32>
    %23 = stablehlo.multiply %22, %22 : tensor<2x3x3xf32>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %25 = stablehlo.multiply %24, %23 : tensor<2x3x3xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %27 = stablehlo.compare LT, %arg1, %26, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_7 = stablehlo.constant dense<5> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %29 = stablehlo.add %arg1, %28 : tensor<2x3xi32>
    %30 = stablehlo.select %27, %29, %arg1 : tensor<2x3xi1>, tensor<2x3xi32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x3x4x3xf32>
    %33 = stablehlo.iota dim = 0 : tensor<6xui32>
    %34 = stablehlo.reshape %33 : (tensor<6xui32>) -> tensor<2x3x1x1xui32>
    %c_9 = stablehlo.constant dense<1> : tensor<ui32>
    %35 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<ui32>) -> tensor<2x3x4x3xui32>
    %36 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<2x3x1x1xui32>) -> tensor<2x3x4x3xui32>
    %37 = stablehlo.add %36, %35 : tensor<2x3x4x3xui32>
    %c_10 = stablehlo.constant dense<0> : tensor<ui32>
    %38 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<ui32>) -> tensor<5x4x3xui32>
    %39 = "stablehlo.scatter"(%38, %31, %37) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<ui32>, %arg4: tensor<ui32>):
      stablehlo.return %arg4 : tensor<ui32>
    }) : (tensor<5x4x3xui32>, tensor<2x3x1xi32>, tensor<2x3x4x3xui32>) -> tensor<5x4x3xui32>
    %40 = "stablehlo.gather"(%39, %31) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 3>}> : (tensor<5x4x3xui32>, tensor<2x3x1xi32>) -> tensor<2x3x4x3xui32>
    %c_11 = stablehlo.constant dense<0> : tensor<ui32>
    %41 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<ui32>) -> tensor<5x4x3xui32>
    %42 = stablehlo.compare EQ, %39, %41, UNSIGNED : (tensor<5x4x3xui32>, tensor<5x4x3xui32>) -> tensor<5x4x3xi1>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<5x4x3xf32>
    %44 = stablehlo.select %42, %arg0, %43 : tensor<5x4x3xi1>, tensor<5x4x3xf32>
    %45 = stablehlo.compare EQ, %37, %40, UNSIGNED : (tensor<2x3x4x3xui32>, tensor<2x3x4x3xui32>) -> tensor<2x3x4x3xi1>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x3x4x3xf32>
    %47 = stablehlo.select %45, %32, %46 : tensor<2x3x4x3xi1>, tensor<2x3x4x3xf32>
    %c_14 = stablehlo.constant dense<0> : tensor<ui32>
    %48 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<ui32>) -> tensor<5x4x3xui32>
    %49 = stablehlo.compare EQ, %39, %48, UNSIGNED : (tensor<5x4x3xui32>, tensor<5x4x3xui32>) -> tensor<5x4x3xi1>
    %50 = "stablehlo.scatter"(%44, %31, %47) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %73 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %73 : tensor<f32>
    }) : (tensor<5x4x3xf32>, tensor<2x3x1xi32>, tensor<2x3x4x3xf32>) -> tensor<5x4x3xf32>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<5x4x3xf32>
    %52 = stablehlo.multiply %51, %50 : tensor<5x4x3xf32>
    %53 = call @sort(%arg0) : (tensor<5x4x3xf32>) -> tensor<5x4x3x1xui32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.pad %55, %cst_17, low = [1, 0, 0], high = [3, 0, 0], interior = [0, 0, 0] : (tensor<1x4x3xf32>, tensor<f32>) -> tensor<5x4x3xf32>
    %57 = call @sort_0(%53, %56) : (tensor<5x4x3x1xui32>, tensor<5x4x3xf32>) -> tensor<5x4x3xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<5x4x3xf32>
    %59 = stablehlo.multiply %58, %52 : tensor<5x4x3xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<5x4x3xf32>
    %61 = stablehlo.select %49, %59, %60 : tensor<5x4x3xi1>, tensor<5x4x3xf32>
    %62 = stablehlo.add %57, %61 : tensor<5x4x3xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %64 = stablehlo.multiply %63, %25 : tensor<2x3x3xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<5x4x3xf32>
    %66 = "stablehlo.scatter"(%65, %21, %64) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %73 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %73 : tensor<f32>
    }) : (tensor<5x4x3xf32>, tensor<2x3x2xi32>, tensor<2x3x3xf32>) -> tensor<5x4x3xf32>
    %67 = stablehlo.add %62, %66 : tensor<5x4x3xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x3x4x3xf32>
    %69 = stablehlo.multiply %68, %8 : tensor<2x3x4x3xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<5x4x3xf32>
    %71 = "stablehlo.scatter"(%70, %5, %69) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %73 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %73 : tensor<f32>
    }) : (tensor<5x4x3xf32>, tensor<2x3x1xi32>, tensor<2x3x4x3xf32>) -> tensor<5x4x3xf32>
    %72 = stablehlo.add %67, %71 : tensor<5x4x3xf32>
    return %72 : tensor<5x4x3xf32>
  }
  func.func private @sort(%arg0: tensor<5x4x3xf32>) -> tensor<5x4x3x1xui32> {
    %0 = stablehlo.iota dim = 0 : tensor<5x4x3xui32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %4 = stablehlo.select %3, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %5 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %6 = stablehlo.select %5, %cst_1, %4 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %8 = stablehlo.select %7, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %10 = stablehlo.select %9, %cst_4, %8 : tensor<i1>, tensor<f32>
      %11 = stablehlo.compare LT, %6, %10, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<5x4x3xf32>, tensor<5x4x3xui32>) -> (tensor<5x4x3xf32>, tensor<5x4x3xui32>)
    %2 = stablehlo.broadcast_in_dim %1#1, dims = [0, 1, 2] : (tensor<5x4x3xui32>) -> tensor<5x4x3x1xui32>
    return %2 : tensor<5x4x3x1xui32>
  }
  func.func private @sort_0(%arg0: tensor<5x4x3x1xui32>, %arg1: tensor<5x4x3xf32>) -> tensor<5x4x3xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x4x3xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], input_batching_dims = [1, 2], scatter_indices_batching_dims = [1, 2], scatter_dims_to_operand_dims = [0], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<5x4x3xf32>, tensor<5x4x3x1xui32>, tensor<5x4x3xf32>) -> tensor<5x4x3xf32>
    return %1 : tensor<5x4x3xf32>
  }
}
