module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4x3xf32>, %arg1: tensor<2x3xi32>, %arg2: tensor<2x3xi32>, %arg3: tensor<2x3xf32>) -> (tensor<2x3x4x3xf32> {jax.result_info = "result[0]"}, tensor<2x3x3xf32> {jax.result_info = "result[1]"}, tensor<5x2x3x3xf32> {jax.result_info = "result[2]"}, tensor<5x2x3x3xf32> {jax.result_info = "result[3]"}, tensor<5x3xf32> {jax.result_info = "result[4]"}, tensor<2x3x4x3xf32> {jax.result_info = "result[5]"}, tensor<5x3xf32> {jax.result_info = "result[6]"}, tensor<5x4x3xf32> {jax.result_info = "result[7]"}, tensor<5x4xf32> {jax.result_info = "result[8]"}, tensor<5x4xf32> {jax.result_info = "result[9]"}, tensor<5x4xf32> {jax.result_info = "result[10]"}, tensor<5x4xf32> {jax.result_info = "result[11]"}, tensor<5x4x3xf32> {jax.result_info = "result[12]"}, tensor<2x2x2xf32> {jax.result_info = "result[13]"}, tensor<5x4x3xf32> {jax.result_info = "result[14]"}, tensor<4x3xf32> {jax.result_info = "result[15]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x3xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x3xi1>, tensor<2x3xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 3>}> : (tensor<5x4x3xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4x3xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %8 = stablehlo.compare LT, %arg1, %7, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_2 = stablehlo.constant dense<5> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %10 = stablehlo.add %arg1, %9 : tensor<2x3xi32>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<2x3xi1>, tensor<2x3xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %13 = stablehlo.compare LT, %arg2, %12, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_4 = stablehlo.constant dense<4> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %15 = stablehlo.add %arg2, %14 : tensor<2x3xi32>
    %16 = stablehlo.select %13, %15, %arg2 : tensor<2x3xi1>, tensor<2x3xi32>
    %17 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %19 = stablehlo.concatenate %17, %18, dim = 2 : (tensor<2x3x1xi32>, tensor<2x3x1xi32>) -> tensor<2x3x2xi32>
    %20 = "stablehlo.gather"(%arg0, %19) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<5x4x3xf32>, tensor<2x3x2xi32>) -> tensor<2x3x3xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %22 = stablehlo.compare LT, %arg2, %21, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_6 = stablehlo.constant dense<4> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %24 = stablehlo.add %arg2, %23 : tensor<2x3xi32>
    %25 = stablehlo.select %22, %24, %arg2 : tensor<2x3xi1>, tensor<2x3xi32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %27 = "stablehlo.gather"(%arg0, %26) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 3], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1, 3>}> : (tensor<5x4x3xf32>, tensor<2x3x1xi32>) -> tensor<5x2x3x3xf32>
    %28 = call @_take(%arg0, %arg1) : (tensor<5x4x3xf32>, tensor<2x3xi32>) -> tensor<5x2x3x3xf32>
    %29 = stablehlo.slice %arg0 [0:5, 0:4, 0:1] : (tensor<5x4x3xf32>) -> tensor<5x4x1xf32>
    %30 = stablehlo.reshape %29 : (tensor<5x4x1xf32>) -> tensor<5x4xf32>
    %31 = stablehlo.slice %arg2 [0:1, 0:3] : (tensor<2x3xi32>) -> tensor<1x3xi32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 2] : (tensor<1x3xi32>) -> tensor<1x5x3xi32>
    %33 = stablehlo.reshape %32 : (tensor<1x5x3xi32>) -> tensor<5x3xi32>
    %34 = call @take_along_axis(%30, %33) : (tensor<5x4xf32>, tensor<5x3xi32>) -> tensor<5x3xf32>
    %c_7 = stablehlo.constant dense<3> : tensor<i32>
    %35 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %36 = stablehlo.add %arg1, %35 : tensor<2x3xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %37 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %38 = stablehlo.compare LT, %36, %37, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_9 = stablehlo.constant dense<5> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %40 = stablehlo.add %36, %39 : tensor<2x3xi32>
    %41 = stablehlo.select %38, %40, %36 : tensor<2x3xi1>, tensor<2x3xi32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %43 = "stablehlo.gather"(%arg0, %42) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 3>}> : (tensor<5x4x3xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4x3xf32>
    %44 = stablehlo.slice %arg0 [0:5, 1:2, 0:3] : (tensor<5x4x3xf32>) -> tensor<5x1x3xf32>
    %45 = stablehlo.reshape %44 : (tensor<5x1x3xf32>) -> tensor<5x3xf32>
    %46 = stablehlo.slice %arg1 [0:1, 0:3] : (tensor<2x3xi32>) -> tensor<1x3xi32>
    %47 = stablehlo.reshape %46 : (tensor<1x3xi32>) -> tensor<3xi32>
    %48 = stablehlo.slice %arg3 [0:2, 0:1] : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%48 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1xf32>, tensor<f32>) -> tensor<f32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %50 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %51 = stablehlo.compare LT, %47, %50, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_11 = stablehlo.constant dense<5> : tensor<i32>
    %52 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %53 = stablehlo.add %47, %52 : tensor<3xi32>
    %54 = stablehlo.select %51, %53, %47 : tensor<3xi1>, tensor<3xi32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %56 = stablehlo.broadcast_in_dim %49, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %57 = "stablehlo.scatter"(%45, %55, %56) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<5x3xf32>, tensor<3x1xi32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %58 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %59 = stablehlo.compare LT, %arg1, %58, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_13 = stablehlo.constant dense<5> : tensor<i32>
    %60 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %61 = stablehlo.add %arg1, %60 : tensor<2x3xi32>
    %62 = stablehlo.select %59, %61, %arg1 : tensor<2x3xi1>, tensor<2x3xi32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x3x4x3xf32>
    %65 = "stablehlo.scatter"(%arg0, %63, %64) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %165 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %165 : tensor<f32>
    }) : (tensor<5x4x3xf32>, tensor<2x3x1xi32>, tensor<2x3x4x3xf32>) -> tensor<5x4x3xf32>
    %66 = stablehlo.slice %arg0 [0:5, 0:4, 0:1] : (tensor<5x4x3xf32>) -> tensor<5x4x1xf32>
    %67 = stablehlo.reshape %66 : (tensor<5x4x1xf32>) -> tensor<5x4xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %68 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %69 = stablehlo.compare LT, %arg1, %68, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_16 = stablehlo.constant dense<5> : tensor<i32>
    %70 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %71 = stablehlo.add %arg1, %70 : tensor<2x3xi32>
    %72 = stablehlo.select %69, %71, %arg1 : tensor<2x3xi1>, tensor<2x3xi32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %73 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %74 = stablehlo.compare LT, %arg2, %73, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_18 = stablehlo.constant dense<4> : tensor<i32>
    %75 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %76 = stablehlo.add %arg2, %75 : tensor<2x3xi32>
    %77 = stablehlo.select %74, %76, %arg2 : tensor<2x3xi1>, tensor<2x3xi32>
    %78 = stablehlo.broadcast_in_dim %72, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %79 = stablehlo.broadcast_in_dim %77, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %80 = stablehlo.concatenate %78, %79, dim = 2 : (tensor<2x3x1xi32>, tensor<2x3x1xi32>) -> tensor<2x3x2xi32>
    %81 = "stablehlo.scatter"(%67, %80, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %165 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %165 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<2x3x2xi32>, tensor<2x3xf32>) -> tensor<5x4xf32>
    %82 = stablehlo.slice %arg0 [0:5, 0:4, 0:1] : (tensor<5x4x3xf32>) -> tensor<5x4x1xf32>
    %83 = stablehlo.reshape %82 : (tensor<5x4x1xf32>) -> tensor<5x4xf32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %84 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %85 = stablehlo.compare LT, %arg1, %84, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_20 = stablehlo.constant dense<5> : tensor<i32>
    %86 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %87 = stablehlo.add %arg1, %86 : tensor<2x3xi32>
    %88 = stablehlo.select %85, %87, %arg1 : tensor<2x3xi1>, tensor<2x3xi32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %89 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %90 = stablehlo.compare LT, %arg2, %89, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_22 = stablehlo.constant dense<4> : tensor<i32>
    %91 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %92 = stablehlo.add %arg2, %91 : tensor<2x3xi32>
    %93 = stablehlo.select %90, %92, %arg2 : tensor<2x3xi1>, tensor<2x3xi32>
    %94 = stablehlo.broadcast_in_dim %88, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %95 = stablehlo.broadcast_in_dim %93, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %96 = stablehlo.concatenate %94, %95, dim = 2 : (tensor<2x3x1xi32>, tensor<2x3x1xi32>) -> tensor<2x3x2xi32>
    %97 = "stablehlo.scatter"(%83, %96, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %165 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      stablehlo.return %165 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<2x3x2xi32>, tensor<2x3xf32>) -> tensor<5x4xf32>
    %98 = stablehlo.slice %arg0 [0:5, 0:4, 0:1] : (tensor<5x4x3xf32>) -> tensor<5x4x1xf32>
    %99 = stablehlo.reshape %98 : (tensor<5x4x1xf32>) -> tensor<5x4xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %100 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %101 = stablehlo.compare LT, %arg1, %100, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_24 = stablehlo.constant dense<5> : tensor<i32>
    %102 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %103 = stablehlo.add %arg1, %102 : tensor<2x3xi32>
    %104 = stablehlo.select %101, %103, %arg1 : tensor<2x3xi1>, tensor<2x3xi32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %105 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %106 = stablehlo.compare LT, %arg2, %105, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_26 = stablehlo.constant dense<4> : tensor<i32>
    %107 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %108 = stablehlo.add %arg2, %107 : tensor<2x3xi32>
    %109 = stablehlo.select %106, %108, %arg2 : tensor<2x3xi1>, tensor<2x3xi32>
    %110 = stablehlo.broadcast_in_dim %104, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %111 = stablehlo.broadcast_in_dim %109, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %112 = stablehlo.concatenate %110, %111, dim = 2 : (tensor<2x3x1xi32>, tensor<2x3x1xi32>) -> tensor<2x3x2xi32>
    %113 = "stablehlo.scatter"(%99, %112, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %165 = stablehlo.minimum %arg4, %arg5 : tensor<f32>
      stablehlo.return %165 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<2x3x2xi32>, tensor<2x3xf32>) -> tensor<5x4xf32>
    %114 = stablehlo.slice %arg0 [0:5, 0:4, 0:1] : (tensor<5x4x3xf32>) -> tensor<5x4x1xf32>
    %115 = stablehlo.reshape %114 : (tensor<5x4x1xf32>) -> tensor<5x4xf32>
    %c_27 = stablehlo.constant dense<3> : tensor<i32>
    %116 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %117 = stablehlo.add %arg1, %116 : tensor<2x3xi32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %118 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %119 = stablehlo.compare LT, %117, %118, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_29 = stablehlo.constant dense<5> : tensor<i32>
    %120 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %121 = stablehlo.add %117, %120 : tensor<2x3xi32>
    %122 = stablehlo.select %119, %121, %117 : tensor<2x3xi1>, tensor<2x3xi32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %123 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %124 = stablehlo.compare LT, %arg2, %123, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %c_31 = stablehlo.constant dense<4> : tensor<i32>
    %125 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %126 = stablehlo.add %arg2, %125 : tensor<2x3xi32>
    %127 = stablehlo.select %124, %126, %arg2 : tensor<2x3xi1>, tensor<2x3xi32>
    %128 = stablehlo.broadcast_in_dim %122, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %129 = stablehlo.broadcast_in_dim %127, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %130 = stablehlo.concatenate %128, %129, dim = 2 : (tensor<2x3x1xi32>, tensor<2x3x1xi32>) -> tensor<2x3x2xi32>
    %131 = "stablehlo.scatter"(%115, %130, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %165 = stablehlo.multiply %arg4, %arg5 : tensor<f32>
      stablehlo.return %165 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<2x3x2xi32>, tensor<2x3xf32>) -> tensor<5x4xf32>
    %c_32 = stablehlo.constant dense<1> : tensor<i32>
    %132 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_33 = stablehlo.constant dense<2> : tensor<i32>
    %133 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %134 = stablehlo.concatenate %132, %133, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %cst_34 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %136 = "stablehlo.scatter"(%arg0, %134, %135) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<5x4x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<5x4x3xf32>
    %137 = stablehlo.slice %arg1 [0:1, 0:1] : (tensor<2x3xi32>) -> tensor<1x1xi32>
    %138 = stablehlo.reshape %137 : (tensor<1x1xi32>) -> tensor<i32>
    %139 = stablehlo.slice %arg2 [0:1, 0:1] : (tensor<2x3xi32>) -> tensor<1x1xi32>
    %140 = stablehlo.reshape %139 : (tensor<1x1xi32>) -> tensor<i32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %141 = stablehlo.compare LT, %138, %c_35, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_36 = stablehlo.constant dense<5> : tensor<i32>
    %142 = stablehlo.add %138, %c_36 : tensor<i32>
    %143 = stablehlo.select %141, %142, %138 : tensor<i1>, tensor<i32>
    %c_37 = stablehlo.constant dense<0> : tensor<i32>
    %144 = stablehlo.compare LT, %140, %c_37, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_38 = stablehlo.constant dense<4> : tensor<i32>
    %145 = stablehlo.add %140, %c_38 : tensor<i32>
    %146 = stablehlo.select %144, %145, %140 : tensor<i1>, tensor<i32>
    %c_39 = stablehlo.constant dense<9> : tensor<i32>
    %147 = stablehlo.dynamic_slice %arg0, %143, %146, %c_39, sizes = [2, 2, 2] : (tensor<5x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x2xf32>
    %148 = stablehlo.slice %arg0 [0:2, 0:2, 0:3] : (tensor<5x4x3xf32>) -> tensor<2x2x3xf32>
    %cst_40 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2x2x3xf32>
    %150 = stablehlo.multiply %148, %149 : tensor<2x2x3xf32>
    %151 = stablehlo.slice %arg1 [1:2, 1:2] : (tensor<2x3xi32>) -> tensor<1x1xi32>
    %152 = stablehlo.reshape %151 : (tensor<1x1xi32>) -> tensor<i32>
    %153 = stablehlo.slice %arg2 [1:2, 1:2] : (tensor<2x3xi32>) -> tensor<1x1xi32>
    %154 = stablehlo.reshape %153 : (tensor<1x1xi32>) -> tensor<i32>
    %c_41 = stablehlo.constant dense<0> : tensor<i32>
    %155 = stablehlo.compare LT, %152, %c_41, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_42 = stablehlo.constant dense<5> : tensor<i32>
    %156 = stablehlo.add %152, %c_42 : tensor<i32>
    %157 = stablehlo.select %155, %156, %152 : tensor<i1>, tensor<i32>
    %c_43 = stablehlo.constant dense<0> : tensor<i32>
    %158 = stablehlo.compare LT, %154, %c_43, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_44 = stablehlo.constant dense<4> : tensor<i32>
    %159 = stablehlo.add %154, %c_44 : tensor<i32>
    %160 = stablehlo.select %158, %159, %154 : tensor<i1>, tensor<i32>
    %c_45 = stablehlo.constant dense<0> : tensor<i32>
    %161 = stablehlo.dynamic_update_slice %arg0, %150, %157, %160, %c_45 : (tensor<5x4x3xf32>, tensor<2x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x4x3xf32>
    %162 = stablehlo.slice %arg1 [0:1, 1:2] : (tensor<2x3xi32>) -> tensor<1x1xi32>
    %163 = stablehlo.reshape %162 : (tensor<1x1xi32>) -> tensor<i32>
    %164 = call @dynamic_index_in_dim(%arg0, %163) : (tensor<5x4x3xf32>, tensor<i32>) -> tensor<4x3xf32>
    return %6, %20, %27, %28, %34, %43, %57, %65, %81, %97, %113, %131, %136, %147, %161, %164 : tensor<2x3x4x3xf32>, tensor<2x3x3xf32>, tensor<5x2x3x3xf32>, tensor<5x2x3x3xf32>, tensor<5x3xf32>, tensor<2x3x4x3xf32>, tensor<5x3xf32>, tensor<5x4x3xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4x3xf32>, tensor<2x2x2xf32>, tensor<5x4x3xf32>, tensor<4x3xf32>
  }
  func.func private @_take(%arg0: tensor<5x4x3xf32>, %arg1: tensor<2x3xi32>) -> tensor<5x2x3x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 3], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1, 3>}> : (tensor<5x4x3xf32>, tensor<2x3x1xi32>) -> tensor<5x2x3x3xf32>
    return %1 : tensor<5x2x3x3xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<5x4xf32>, %arg1: tensor<5x3xi32>) -> tensor<5x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<5x3xi32>, tensor<5x3xi32>) -> tensor<5x3xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5x3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<5x3xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<5x3xi1>, tensor<5x3xi32>
    %5 = stablehlo.reshape %4 : (tensor<5x3xi32>) -> tensor<5x3x1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<5x3x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<5x3x1xi32>, tensor<5x3x1xi32>) -> tensor<5x3x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<5x3x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<5x3x1xi32>, tensor<5x3x1xi32>) -> tensor<5x3x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<5x3x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<5x3x1xi1>, tensor<i1>) -> tensor<5x3xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<5x4xf32>, tensor<5x3x1xi32>) -> tensor<5x3xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<5x3xi1>, tensor<5x3xf32>
    return %15 : tensor<5x3xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x4x3xf32>, %arg1: tensor<i32>) -> tensor<4x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %arg0, %2, %c_1, %c_2, sizes = [1, 4, 3] : (tensor<5x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x3xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x4x3xf32>) -> tensor<4x3xf32>
    return %4 : tensor<4x3xf32>
  }
}
