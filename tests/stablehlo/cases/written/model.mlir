module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x6xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xf32>, %arg3: tensor<5x3xf32>, %arg4: tensor<5x3xi32>, %arg5: tensor<3x2xi32>) -> (tensor<5x6xf32> {jax.result_info = "result[0]"}, tensor<5x6xf32> {jax.result_info = "result[1]"}, tensor<5x6xf32> {jax.result_info = "result[2]"}, tensor<5x6xf32> {jax.result_info = "result[3]"}, tensor<5x6xf32> {jax.result_info = "result[4]"}, tensor<5x6xf32> {jax.result_info = "result[5]"}, tensor<5x6xf32> {jax.result_info = "result[6]"}, tensor<5x6xf32> {jax.result_info = "result[7]"}, tensor<5x6xf32> {jax.result_info = "result[8]"}, tensor<5x6xf32> {jax.result_info = "result[9]"}, tensor<4x6xf32> {jax.result_info = "result[10]"}, tensor<5x3x2xf32> {jax.result_info = "result[11]"}, tensor<5x3x2xf32> {jax.result_info = "result[12]"}, tensor<5x3x2xf32> {jax.result_info = "result[13]"}, tensor<3x2x3xf32> {jax.result_info = "result[14]"}, tensor<3x2x3xf32> {jax.result_info = "result[15]"}, tensor<5x6xf32> {jax.result_info = "result[16]"}, tensor<5x3xf32> {jax.result_info = "result[17]"}, tensor<5x6xf32> {jax.result_info = "result[18]"}, tensor<4x6xf32> {jax.result_info = "result[19]"}, tensor<4x6xf32> {jax.result_info = "result[20]"}, tensor<5x6xf32> {jax.result_info = "result[21]"}, tensor<5x6xf32> {jax.result_info = "result[22]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.subtract %arg1, %0 : tensor<4xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.compare LT, %arg1, %2, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_1 = stablehlo.constant dense<5> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %5 = stablehlo.add %arg1, %4 : tensor<4xi32>
    %6 = stablehlo.select %3, %5, %arg1 : tensor<4xi1>, tensor<4xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %8 = stablehlo.compare LT, %1, %7, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_3 = stablehlo.constant dense<6> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %10 = stablehlo.add %1, %9 : tensor<4xi32>
    %11 = stablehlo.select %8, %10, %1 : tensor<4xi1>, tensor<4xi32>
    %12 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %15 = "stablehlo.scatter"(%arg0, %14, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      stablehlo.return %arg7 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<5x6xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %17 = stablehlo.compare LT, %arg1, %16, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_5 = stablehlo.constant dense<5> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %19 = stablehlo.add %arg1, %18 : tensor<4xi32>
    %20 = stablehlo.select %17, %19, %arg1 : tensor<4xi1>, tensor<4xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %22 = stablehlo.compare LT, %1, %21, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_7 = stablehlo.constant dense<6> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %24 = stablehlo.add %1, %23 : tensor<4xi32>
    %25 = stablehlo.select %22, %24, %1 : tensor<4xi1>, tensor<4xi32>
    %26 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %27 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %28 = stablehlo.concatenate %26, %27, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %c_8 = stablehlo.constant dense<[4, 5]> : tensor<2xi32>
    %c_9 = stablehlo.constant dense<2147483647> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %30 = stablehlo.minimum %c_8, %29 : tensor<2xi32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [1] : (tensor<2xi32>) -> tensor<4x2xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<4x2xi32>
    %33 = stablehlo.clamp %32, %28, %31 : tensor<4x2xi32>
    %34 = "stablehlo.scatter"(%arg0, %33, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      stablehlo.return %arg7 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<5x6xf32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %35 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %36 = stablehlo.compare LT, %arg1, %35, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_12 = stablehlo.constant dense<5> : tensor<i32>
    %37 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %38 = stablehlo.add %arg1, %37 : tensor<4xi32>
    %39 = stablehlo.select %36, %38, %arg1 : tensor<4xi1>, tensor<4xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %41 = stablehlo.compare LT, %1, %40, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_14 = stablehlo.constant dense<6> : tensor<i32>
    %42 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %43 = stablehlo.add %1, %42 : tensor<4xi32>
    %44 = stablehlo.select %41, %43, %1 : tensor<4xi1>, tensor<4xi32>
    %45 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %46 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %47 = stablehlo.concatenate %45, %46, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %48 = "stablehlo.scatter"(%arg0, %47, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %265 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %265 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<5x6xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %50 = stablehlo.compare LT, %arg1, %49, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_16 = stablehlo.constant dense<5> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %52 = stablehlo.add %arg1, %51 : tensor<4xi32>
    %53 = stablehlo.select %50, %52, %arg1 : tensor<4xi1>, tensor<4xi32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %55 = stablehlo.compare LT, %1, %54, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_18 = stablehlo.constant dense<6> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %57 = stablehlo.add %1, %56 : tensor<4xi32>
    %58 = stablehlo.select %55, %57, %1 : tensor<4xi1>, tensor<4xi32>
    %59 = stablehlo.broadcast_in_dim %53, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %60 = stablehlo.broadcast_in_dim %58, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %61 = stablehlo.concatenate %59, %60, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %c_19 = stablehlo.constant dense<[4, 5]> : tensor<2xi32>
    %c_20 = stablehlo.constant dense<2147483647> : tensor<i32>
    %62 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %63 = stablehlo.minimum %c_19, %62 : tensor<2xi32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [1] : (tensor<2xi32>) -> tensor<4x2xi32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %65 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<4x2xi32>
    %66 = stablehlo.clamp %65, %61, %64 : tensor<4x2xi32>
    %67 = "stablehlo.scatter"(%arg0, %66, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %265 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %265 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<5x6xf32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %68 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %69 = stablehlo.compare LT, %arg1, %68, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_23 = stablehlo.constant dense<5> : tensor<i32>
    %70 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %71 = stablehlo.add %arg1, %70 : tensor<4xi32>
    %72 = stablehlo.select %69, %71, %arg1 : tensor<4xi1>, tensor<4xi32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %73 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %74 = stablehlo.compare LT, %1, %73, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_25 = stablehlo.constant dense<6> : tensor<i32>
    %75 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %76 = stablehlo.add %1, %75 : tensor<4xi32>
    %77 = stablehlo.select %74, %76, %1 : tensor<4xi1>, tensor<4xi32>
    %78 = stablehlo.broadcast_in_dim %72, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %79 = stablehlo.broadcast_in_dim %77, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %80 = stablehlo.concatenate %78, %79, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %81 = "stablehlo.scatter"(%arg0, %80, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %265 = stablehlo.multiply %arg6, %arg7 : tensor<f32>
      stablehlo.return %265 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<5x6xf32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %82 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %83 = stablehlo.compare LT, %arg1, %82, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_27 = stablehlo.constant dense<5> : tensor<i32>
    %84 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %85 = stablehlo.add %arg1, %84 : tensor<4xi32>
    %86 = stablehlo.select %83, %85, %arg1 : tensor<4xi1>, tensor<4xi32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %87 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %88 = stablehlo.compare LT, %1, %87, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_29 = stablehlo.constant dense<6> : tensor<i32>
    %89 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %90 = stablehlo.add %1, %89 : tensor<4xi32>
    %91 = stablehlo.select %88, %90, %1 : tensor<4xi1>, tensor<4xi32>
    %92 = stablehlo.broadcast_in_dim %86, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %93 = stablehlo.broadcast_in_dim %91, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %94 = stablehlo.concatenate %92, %93, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %c_30 = stablehlo.constant dense<[4, 5]> : tensor<2xi32>
    %c_31 = stablehlo.constant dense<2147483647> : tensor<i32>
    %95 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %96 = stablehlo.minimum %c_30, %95 : tensor<2xi32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [1] : (tensor<2xi32>) -> tensor<4x2xi32>
    %c_32 = stablehlo.constant dense<0> : tensor<i32>
    %98 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<4x2xi32>
    %99 = stablehlo.clamp %98, %94, %97 : tensor<4x2xi32>
    %100 = "stablehlo.scatter"(%arg0, %99, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %265 = stablehlo.multiply %arg6, %arg7 : tensor<f32>
      stablehlo.return %265 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<5x6xf32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %101 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %102 = stablehlo.compare LT, %arg1, %101, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_34 = stablehlo.constant dense<5> : tensor<i32>
    %103 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %104 = stablehlo.add %arg1, %103 : tensor<4xi32>
    %105 = stablehlo.select %102, %104, %arg1 : tensor<4xi1>, tensor<4xi32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %106 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %107 = stablehlo.compare LT, %1, %106, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_36 = stablehlo.constant dense<6> : tensor<i32>
    %108 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %109 = stablehlo.add %1, %108 : tensor<4xi32>
    %110 = stablehlo.select %107, %109, %1 : tensor<4xi1>, tensor<4xi32>
    %111 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %112 = stablehlo.broadcast_in_dim %110, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %113 = stablehlo.concatenate %111, %112, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %114 = "stablehlo.scatter"(%arg0, %113, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %265 = stablehlo.minimum %arg6, %arg7 : tensor<f32>
      stablehlo.return %265 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<5x6xf32>
    %c_37 = stablehlo.constant dense<0> : tensor<i32>
    %115 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %116 = stablehlo.compare LT, %arg1, %115, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_38 = stablehlo.constant dense<5> : tensor<i32>
    %117 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %118 = stablehlo.add %arg1, %117 : tensor<4xi32>
    %119 = stablehlo.select %116, %118, %arg1 : tensor<4xi1>, tensor<4xi32>
    %c_39 = stablehlo.constant dense<0> : tensor<i32>
    %120 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %121 = stablehlo.compare LT, %1, %120, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_40 = stablehlo.constant dense<6> : tensor<i32>
    %122 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %123 = stablehlo.add %1, %122 : tensor<4xi32>
    %124 = stablehlo.select %121, %123, %1 : tensor<4xi1>, tensor<4xi32>
    %125 = stablehlo.broadcast_in_dim %119, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %126 = stablehlo.broadcast_in_dim %124, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %127 = stablehlo.concatenate %125, %126, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %c_41 = stablehlo.constant dense<[4, 5]> : tensor<2xi32>
    %c_42 = stablehlo.constant dense<2147483647> : tensor<i32>
    %128 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %129 = stablehlo.minimum %c_41, %128 : tensor<2xi32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [1] : (tensor<2xi32>) -> tensor<4x2xi32>
    %c_43 = stablehlo.constant dense<0> : tensor<i32>
    %131 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<i32>) -> tensor<4x2xi32>
    %132 = stablehlo.clamp %131, %127, %130 : tensor<4x2xi32>
    %133 = "stablehlo.scatter"(%arg0, %132, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %265 = stablehlo.minimum %arg6, %arg7 : tensor<f32>
      stablehlo.return %265 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<5x6xf32>
    %c_44 = stablehlo.constant dense<0> : tensor<i32>
    %134 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %135 = stablehlo.compare LT, %arg1, %134, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_45 = stablehlo.constant dense<5> : tensor<i32>
    %136 = stablehlo.broadcast_in_dim %c_45, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %137 = stablehlo.add %arg1, %136 : tensor<4xi32>
    %138 = stablehlo.select %135, %137, %arg1 : tensor<4xi1>, tensor<4xi32>
    %c_46 = stablehlo.constant dense<0> : tensor<i32>
    %139 = stablehlo.broadcast_in_dim %c_46, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %140 = stablehlo.compare LT, %1, %139, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_47 = stablehlo.constant dense<6> : tensor<i32>
    %141 = stablehlo.broadcast_in_dim %c_47, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %142 = stablehlo.add %1, %141 : tensor<4xi32>
    %143 = stablehlo.select %140, %142, %1 : tensor<4xi1>, tensor<4xi32>
    %144 = stablehlo.broadcast_in_dim %138, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %145 = stablehlo.broadcast_in_dim %143, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %146 = stablehlo.concatenate %144, %145, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %147 = "stablehlo.scatter"(%arg0, %146, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %265 = stablehlo.maximum %arg6, %arg7 : tensor<f32>
      stablehlo.return %265 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<5x6xf32>
    %c_48 = stablehlo.constant dense<0> : tensor<i32>
    %148 = stablehlo.broadcast_in_dim %c_48, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %149 = stablehlo.compare LT, %arg1, %148, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_49 = stablehlo.constant dense<5> : tensor<i32>
    %150 = stablehlo.broadcast_in_dim %c_49, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %151 = stablehlo.add %arg1, %150 : tensor<4xi32>
    %152 = stablehlo.select %149, %151, %arg1 : tensor<4xi1>, tensor<4xi32>
    %c_50 = stablehlo.constant dense<0> : tensor<i32>
    %153 = stablehlo.broadcast_in_dim %c_50, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %154 = stablehlo.compare LT, %1, %153, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_51 = stablehlo.constant dense<6> : tensor<i32>
    %155 = stablehlo.broadcast_in_dim %c_51, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %156 = stablehlo.add %1, %155 : tensor<4xi32>
    %157 = stablehlo.select %154, %156, %1 : tensor<4xi1>, tensor<4xi32>
    %158 = stablehlo.broadcast_in_dim %152, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %159 = stablehlo.broadcast_in_dim %157, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %160 = stablehlo.concatenate %158, %159, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %c_52 = stablehlo.constant dense<[4, 5]> : tensor<2xi32>
    %c_53 = stablehlo.constant dense<2147483647> : tensor<i32>
    %161 = stablehlo.broadcast_in_dim %c_53, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %162 = stablehlo.minimum %c_52, %161 : tensor<2xi32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [1] : (tensor<2xi32>) -> tensor<4x2xi32>
    %c_54 = stablehlo.constant dense<0> : tensor<i32>
    %164 = stablehlo.broadcast_in_dim %c_54, dims = [] : (tensor<i32>) -> tensor<4x2xi32>
    %165 = stablehlo.clamp %164, %160, %163 : tensor<4x2xi32>
    %166 = "stablehlo.scatter"(%arg0, %165, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %265 = stablehlo.maximum %arg6, %arg7 : tensor<f32>
      stablehlo.return %265 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<5x6xf32>
    %c_55 = stablehlo.constant dense<0> : tensor<i32>
    %167 = stablehlo.broadcast_in_dim %c_55, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %168 = stablehlo.compare LT, %arg1, %167, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_56 = stablehlo.constant dense<5> : tensor<i32>
    %169 = stablehlo.broadcast_in_dim %c_56, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %170 = stablehlo.add %arg1, %169 : tensor<4xi32>
    %171 = stablehlo.select %168, %170, %arg1 : tensor<4xi1>, tensor<4xi32>
    %172 = stablehlo.broadcast_in_dim %171, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %c_57 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_58 = stablehlo.constant dense<0> : tensor<i32>
    %173 = stablehlo.broadcast_in_dim %c_58, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %174 = stablehlo.compare GE, %172, %173, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %175 = stablehlo.broadcast_in_dim %c_57, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %176 = stablehlo.broadcast_in_dim %175, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<4x1xi32>
    %177 = stablehlo.compare LE, %172, %176, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %178 = stablehlo.and %174, %177 : tensor<4x1xi1>
    %c_59 = stablehlo.constant dense<true> : tensor<i1>
    %179 = stablehlo.reduce(%178 init: %c_59) applies stablehlo.and across dimensions = [1] : (tensor<4x1xi1>, tensor<i1>) -> tensor<4xi1>
    %180 = "stablehlo.gather"(%arg0, %172) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<5x6xf32>, tensor<4x1xi32>) -> tensor<4x6xf32>
    %181 = stablehlo.broadcast_in_dim %179, dims = [0] : (tensor<4xi1>) -> tensor<4x6xi1>
    %cst = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %183 = stablehlo.select %181, %180, %182 : tensor<4x6xi1>, tensor<4x6xf32>
    %c_60 = stablehlo.constant dense<2> : tensor<i32>
    %184 = stablehlo.broadcast_in_dim %c_60, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %185 = stablehlo.subtract %arg5, %184 : tensor<3x2xi32>
    %186 = call @_take(%arg0, %185) : (tensor<5x6xf32>, tensor<3x2xi32>) -> tensor<5x3x2xf32>
    %c_61 = stablehlo.constant dense<2> : tensor<i32>
    %187 = stablehlo.broadcast_in_dim %c_61, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %188 = stablehlo.subtract %arg5, %187 : tensor<3x2xi32>
    %189 = call @_take_0(%arg0, %188) : (tensor<5x6xf32>, tensor<3x2xi32>) -> tensor<5x3x2xf32>
    %c_62 = stablehlo.constant dense<2> : tensor<i32>
    %190 = stablehlo.broadcast_in_dim %c_62, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %191 = stablehlo.subtract %arg5, %190 : tensor<3x2xi32>
    %192 = call @_take_1(%arg0, %191) : (tensor<5x6xf32>, tensor<3x2xi32>) -> tensor<5x3x2xf32>
    %193 = "stablehlo.gather"(%arg0, %arg5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 3>}> : (tensor<5x6xf32>, tensor<3x2xi32>) -> tensor<3x2x3xf32>
    %c_63 = stablehlo.constant dense<3> : tensor<2xi32>
    %c_64 = stablehlo.constant dense<0> : tensor<i32>
    %194 = stablehlo.broadcast_in_dim %c_64, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %195 = stablehlo.compare GE, %arg5, %194, SIGNED : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
    %196 = stablehlo.broadcast_in_dim %c_63, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %197 = stablehlo.broadcast_in_dim %196, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<3x2xi32>
    %198 = stablehlo.compare LE, %arg5, %197, SIGNED : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
    %199 = stablehlo.and %195, %198 : tensor<3x2xi1>
    %c_65 = stablehlo.constant dense<true> : tensor<i1>
    %200 = stablehlo.reduce(%199 init: %c_65) applies stablehlo.and across dimensions = [1] : (tensor<3x2xi1>, tensor<i1>) -> tensor<3xi1>
    %201 = "stablehlo.gather"(%arg0, %arg5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 3>}> : (tensor<5x6xf32>, tensor<3x2xi32>) -> tensor<3x2x3xf32>
    %202 = stablehlo.broadcast_in_dim %200, dims = [0] : (tensor<3xi1>) -> tensor<3x2x3xi1>
    %cst_66 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<3x2x3xf32>
    %204 = stablehlo.select %202, %201, %203 : tensor<3x2x3xi1>, tensor<3x2x3xf32>
    %c_67 = stablehlo.constant dense<0> : tensor<i32>
    %205 = stablehlo.broadcast_in_dim %c_67, dims = [] : (tensor<i32>) -> tensor<5x3xi32>
    %206 = stablehlo.compare LT, %arg4, %205, SIGNED : (tensor<5x3xi32>, tensor<5x3xi32>) -> tensor<5x3xi1>
    %c_68 = stablehlo.constant dense<6> : tensor<i32>
    %207 = stablehlo.broadcast_in_dim %c_68, dims = [] : (tensor<i32>) -> tensor<5x3xi32>
    %208 = stablehlo.add %arg4, %207 : tensor<5x3xi32>
    %209 = stablehlo.select %206, %208, %arg4 : tensor<5x3xi1>, tensor<5x3xi32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [0, 1] : (tensor<5x3xi32>) -> tensor<5x3x1xi32>
    %211 = "stablehlo.scatter"(%arg0, %210, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %265 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %265 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<5x3x1xi32>, tensor<5x3xf32>) -> tensor<5x6xf32>
    %c_69 = stablehlo.constant dense<0> : tensor<i32>
    %212 = stablehlo.broadcast_in_dim %c_69, dims = [] : (tensor<i32>) -> tensor<5x3xi32>
    %213 = stablehlo.compare LT, %arg4, %212, SIGNED : (tensor<5x3xi32>, tensor<5x3xi32>) -> tensor<5x3xi1>
    %c_70 = stablehlo.constant dense<6> : tensor<i32>
    %214 = stablehlo.broadcast_in_dim %c_70, dims = [] : (tensor<i32>) -> tensor<5x3xi32>
    %215 = stablehlo.add %arg4, %214 : tensor<5x3xi32>
    %216 = stablehlo.select %213, %215, %arg4 : tensor<5x3xi1>, tensor<5x3xi32>
    %217 = stablehlo.broadcast_in_dim %216, dims = [0, 1] : (tensor<5x3xi32>) -> tensor<5x3x1xi32>
    %218 = "stablehlo.gather"(%arg0, %217) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<5x6xf32>, tensor<5x3x1xi32>) -> tensor<5x3xf32>
    %219 = stablehlo.slice %arg4 [0:5, 0:1] : (tensor<5x3xi32>) -> tensor<5x1xi32>
    %220 = stablehlo.reshape %219 : (tensor<5x1xi32>) -> tensor<5xi32>
    %221 = stablehlo.slice %arg0 [0:5, 0:2] : (tensor<5x6xf32>) -> tensor<5x2xf32>
    %cst_71 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
    %223 = stablehlo.multiply %221, %222 : tensor<5x2xf32>
    %c_72 = stablehlo.constant dense<0> : tensor<i32>
    %224 = stablehlo.broadcast_in_dim %c_72, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %225 = stablehlo.compare LT, %220, %224, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_73 = stablehlo.constant dense<6> : tensor<i32>
    %226 = stablehlo.broadcast_in_dim %c_73, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %227 = stablehlo.add %220, %226 : tensor<5xi32>
    %228 = stablehlo.select %225, %227, %220 : tensor<5xi1>, tensor<5xi32>
    %229 = stablehlo.broadcast_in_dim %228, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %c_74 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_75 = stablehlo.constant dense<2147483647> : tensor<i32>
    %230 = stablehlo.broadcast_in_dim %c_75, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %231 = stablehlo.minimum %c_74, %230 : tensor<1xi32>
    %232 = stablehlo.broadcast_in_dim %231, dims = [1] : (tensor<1xi32>) -> tensor<5x1xi32>
    %c_76 = stablehlo.constant dense<0> : tensor<i32>
    %233 = stablehlo.broadcast_in_dim %c_76, dims = [] : (tensor<i32>) -> tensor<5x1xi32>
    %234 = stablehlo.clamp %233, %229, %232 : tensor<5x1xi32>
    %235 = "stablehlo.scatter"(%arg0, %234, %223) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      stablehlo.return %arg7 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<5x1xi32>, tensor<5x2xf32>) -> tensor<5x6xf32>
    %236 = stablehlo.slice %arg4 [0:5, 0:1] : (tensor<5x3xi32>) -> tensor<5x1xi32>
    %237 = stablehlo.reshape %236 : (tensor<5x1xi32>) -> tensor<5xi32>
    %c_77 = stablehlo.constant dense<4> : tensor<i32>
    %238 = call @remainder_3(%237, %c_77) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
    %cst_78 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %239 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %240 = stablehlo.broadcast_in_dim %238, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %241 = "stablehlo.scatter"(%239, %240, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %265 = stablehlo.maximum %arg6, %arg7 : tensor<f32>
      stablehlo.return %265 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    %242 = stablehlo.slice %arg4 [0:5, 1:2] : (tensor<5x3xi32>) -> tensor<5x1xi32>
    %243 = stablehlo.reshape %242 : (tensor<5x1xi32>) -> tensor<5xi32>
    %c_79 = stablehlo.constant dense<4> : tensor<i32>
    %244 = call @remainder_3(%243, %c_79) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
    %cst_80 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %246 = stablehlo.broadcast_in_dim %244, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %247 = "stablehlo.scatter"(%245, %246, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %265 = stablehlo.multiply %arg6, %arg7 : tensor<f32>
      stablehlo.return %265 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    %cst_81 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %c_82 = stablehlo.constant dense<1> : tensor<i32>
    %249 = stablehlo.broadcast_in_dim %c_82, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_83 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %251 = "stablehlo.scatter"(%248, %249, %250) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %265 = stablehlo.multiply %arg6, %arg7 : tensor<f32>
      stablehlo.return %265 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<1xi32>, tensor<6xf32>) -> tensor<5x6xf32>
    %252 = stablehlo.power %arg0, %251 : tensor<5x6xf32>
    %cst_84 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %254 = stablehlo.iota dim = 0 : tensor<3xi32>
    %c_85 = stablehlo.constant dense<2> : tensor<i32>
    %255 = stablehlo.broadcast_in_dim %c_85, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %256 = stablehlo.multiply %255, %254 : tensor<3xi32>
    %c_86 = stablehlo.constant dense<0> : tensor<i32>
    %257 = stablehlo.broadcast_in_dim %c_86, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %258 = stablehlo.add %257, %256 : tensor<3xi32>
    %c_87 = stablehlo.constant dense<1> : tensor<i32>
    %259 = stablehlo.broadcast_in_dim %c_87, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %260 = stablehlo.broadcast_in_dim %258, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %261 = stablehlo.concatenate %259, %260, dim = 1 : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
    %cst_88 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %263 = "stablehlo.scatter"(%253, %261, %262) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %265 = stablehlo.multiply %arg6, %arg7 : tensor<f32>
      stablehlo.return %265 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<3x2xi32>, tensor<3xf32>) -> tensor<5x6xf32>
    %264 = stablehlo.divide %arg0, %263 : tensor<5x6xf32>
    return %15, %34, %48, %67, %81, %100, %114, %133, %147, %166, %183, %186, %189, %192, %193, %204, %211, %218, %235, %241, %247, %252, %264 : tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<4x6xf32>, tensor<5x3x2xf32>, tensor<5x3x2xf32>, tensor<5x3x2xf32>, tensor<3x2x3xf32>, tensor<3x2x3xf32>, tensor<5x6xf32>, tensor<5x3xf32>, tensor<5x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>
  }
  func.func private @_take(%arg0: tensor<5x6xf32>, %arg1: tensor<3x2xi32>) -> tensor<5x3x2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
    %c_0 = stablehlo.constant dense<6> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<3x2xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<3x2xi1>, tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<3x2xi32>) -> tensor<3x2x1xi32>
    %c_1 = stablehlo.constant dense<5> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3x2x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<3x2x1xi32>, tensor<3x2x1xi32>) -> tensor<3x2x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<3x2x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<3x2x1xi32>, tensor<3x2x1xi32>) -> tensor<3x2x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<3x2x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<3x2x1xi1>, tensor<i1>) -> tensor<3x2xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1>}> : (tensor<5x6xf32>, tensor<3x2x1xi32>) -> tensor<5x3x2xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<3x2xi1>) -> tensor<5x3x2xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x3x2xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<5x3x2xi1>, tensor<5x3x2xf32>
    return %16 : tensor<5x3x2xf32>
  }
  func.func private @_where(%arg0: tensor<3x2xi1>, %arg1: tensor<3x2xi32>, %arg2: tensor<3x2xi32>) -> tensor<3x2xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3x2xi1>, tensor<3x2xi32>
    return %0 : tensor<3x2xi32>
  }
  func.func private @_take_0(%arg0: tensor<5x6xf32>, %arg1: tensor<3x2xi32>) -> tensor<5x3x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<3x2xi32>) -> tensor<3x2x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1>}> : (tensor<5x6xf32>, tensor<3x2x1xi32>) -> tensor<5x3x2xf32>
    return %1 : tensor<5x3x2xf32>
  }
  func.func private @_take_1(%arg0: tensor<5x6xf32>, %arg1: tensor<3x2xi32>) -> tensor<5x3x2xf32> {
    %c = stablehlo.constant dense<6> : tensor<i32>
    %0 = call @remainder(%arg1, %c) : (tensor<3x2xi32>, tensor<i32>) -> tensor<3x2xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<3x2xi32>) -> tensor<3x2x1xi32>
    %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1>}> : (tensor<5x6xf32>, tensor<3x2x1xi32>) -> tensor<5x3x2xf32>
    return %2 : tensor<5x3x2xf32>
  }
  func.func private @remainder(%arg0: tensor<3x2xi32>, %arg1: tensor<i32>) -> tensor<3x2xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare EQ, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = call @_where_2(%0, %c_0, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %3 = stablehlo.remainder %arg0, %2 : tensor<3x2xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %5 = stablehlo.compare NE, %3, %4, SIGNED : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %7 = stablehlo.compare LT, %3, %6, SIGNED : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %1, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<i1>) -> tensor<3x2xi1>
    %10 = stablehlo.compare NE, %7, %9, UNSIGNED : (tensor<3x2xi1>, tensor<3x2xi1>) -> tensor<3x2xi1>
    %11 = stablehlo.and %10, %5 : tensor<3x2xi1>
    %12 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %13 = stablehlo.add %3, %12 : tensor<3x2xi32>
    %14 = stablehlo.select %11, %13, %3 : tensor<3x2xi1>, tensor<3x2xi32>
    return %14 : tensor<3x2xi32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @remainder_3(%arg0: tensor<5xi32>, %arg1: tensor<i32>) -> tensor<5xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_2(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<5xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<5xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<5xi1>, tensor<5xi1>) -> tensor<5xi1>
    %12 = stablehlo.and %11, %6 : tensor<5xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %14 = stablehlo.add %4, %13 : tensor<5xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<5xi1>, tensor<5xi32>
    return %15 : tensor<5xi32>
  }
}
