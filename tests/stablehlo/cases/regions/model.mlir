module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5x4xf32>, %arg1: tensor<3x9xf32>, %arg2: tensor<3x9xi32>, %arg3: tensor<3x9xi32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}, tensor<3x4xf32> {jax.result_info = "result[3]"}, tensor<3x4xf32> {jax.result_info = "result[4]"}, tensor<3xf32> {jax.result_info = "result[5]"}, tensor<3xi32> {jax.result_info = "result[6]"}, tensor<3x5xf32> {jax.result_info = "result[7]"}, tensor<3x5xf32> {jax.result_info = "result[8]"}, tensor<3x5xi32> {jax.result_info = "result[9]"}, tensor<3x9xf32> {jax.result_info = "result[10]"}, tensor<3x9xf32> {jax.result_info = "result[11]"}, tensor<3x5x4xf32> {jax.result_info = "result[12]"}, tensor<3x9xi32> {jax.result_info = "result[13]"}, tensor<3x9xi32> {jax.result_info = "result[14]"}, tensor<3x9xf32> {jax.result_info = "result[15]"}, tensor<3x9xf32> {jax.result_info = "result[16]"}, tensor<3x9xi32> {jax.result_info = "result[17]"}, tensor<3x9xi32> {jax.result_info = "result[18]"}, tensor<3x9xi32> {jax.result_info = "result[19]"}, tensor<3x9xi32> {jax.result_info = "result[20]"}, tensor<3x9xf32> {jax.result_info = "result[21]"}, tensor<3x9xi1> {jax.result_info = "result[22]"}, tensor<3x9xi32> {jax.result_info = "result[23]"}, tensor<3x9xf32> {jax.result_info = "result[24]"}) {
    %0 = stablehlo.iota dim = 1 : tensor<3x9xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst) across dimensions = [0, 2] : (tensor<3x5x4xf32>, tensor<f32>) -> tensor<5xf32>
     reducer(%arg4: tensor<f32>, %arg5: tensor<f32>)  {
      %56 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      %57 = stablehlo.subtract %arg4, %arg5 : tensor<f32>
      %58 = stablehlo.compare NE, %57, %57, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %59 = stablehlo.add %arg4, %arg5 : tensor<f32>
      %60 = stablehlo.abs %57 : tensor<f32>
      %61 = stablehlo.negate %60 : tensor<f32>
      %62 = stablehlo.exponential %61 : tensor<f32>
      %63 = stablehlo.log_plus_one %62 : tensor<f32>
      %64 = stablehlo.add %56, %63 : tensor<f32>
      %65 = stablehlo.select %58, %59, %64 : tensor<i1>, tensor<f32>
      stablehlo.return %65 : tensor<f32>
    }
    %2 = stablehlo.slice %arg0 [0:3, 0:0, 0:4] : (tensor<3x5x4xf32>) -> tensor<3x0x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) across dimensions = [1] : (tensor<3x0x4xf32>, tensor<f32>) -> tensor<3x4xf32>
     reducer(%arg4: tensor<f32>, %arg5: tensor<f32>)  {
      %56 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      %57 = stablehlo.subtract %arg4, %arg5 : tensor<f32>
      %58 = stablehlo.compare NE, %57, %57, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %59 = stablehlo.add %arg4, %arg5 : tensor<f32>
      %60 = stablehlo.abs %57 : tensor<f32>
      %61 = stablehlo.negate %60 : tensor<f32>
      %62 = stablehlo.exponential %61 : tensor<f32>
      %63 = stablehlo.log_plus_one %62 : tensor<f32>
      %64 = stablehlo.add %56, %63 : tensor<f32>
      %65 = stablehlo.select %58, %59, %64 : tensor<i1>, tensor<f32>
      stablehlo.return %65 : tensor<f32>
    }
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x5x4xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<3x5x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x5x4xf32>
    %7 = stablehlo.multiply %6, %arg0 : tensor<3x5x4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x5x4xf32>
    %9 = stablehlo.add %7, %8 : tensor<3x5x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10:3 = stablehlo.reduce(%arg0 init: %cst_4), (%5 init: %cst_5), (%9 init: %cst_6) across dimensions = [1] : (tensor<3x5x4xf32>, tensor<3x5x4xf32>, tensor<3x5x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
     reducer(%arg4: tensor<f32>, %arg7: tensor<f32>) (%arg5: tensor<f32>, %arg8: tensor<f32>) (%arg6: tensor<f32>, %arg9: tensor<f32>)  {
      %56 = stablehlo.add %arg6, %arg9 : tensor<f32>
      %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %57 = stablehlo.maximum %56, %cst_25 : tensor<f32>
      %58 = stablehlo.subtract %arg7, %arg4 : tensor<f32>
      %59 = stablehlo.multiply %58, %arg9 : tensor<f32>
      %60 = stablehlo.divide %59, %57 : tensor<f32>
      %61 = stablehlo.add %arg4, %60 : tensor<f32>
      %62 = stablehlo.add %arg5, %arg8 : tensor<f32>
      %63 = stablehlo.subtract %arg7, %arg4 : tensor<f32>
      %64 = stablehlo.multiply %63, %63 : tensor<f32>
      %65 = stablehlo.multiply %64, %arg6 : tensor<f32>
      %66 = stablehlo.multiply %65, %arg9 : tensor<f32>
      %67 = stablehlo.divide %66, %57 : tensor<f32>
      %68 = stablehlo.add %62, %67 : tensor<f32>
      %69 = stablehlo.add %arg6, %arg9 : tensor<f32>
      stablehlo.return %61, %68, %69 : tensor<f32>, tensor<f32>, tensor<f32>
    }
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %11:2 = stablehlo.reduce(%arg1 init: %cst_7), (%0 init: %c) across dimensions = [1] : (tensor<3x9xf32>, tensor<3x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
     reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<i32>, %arg7: tensor<i32>)  {
      %56:2 = func.call @larger(%arg4, %arg5, %arg6, %arg7) : (tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
      stablehlo.return %56#0, %56#1 : tensor<f32>, tensor<i32>
    }
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = "stablehlo.reduce_window"(%arg1, %cst_8) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %56 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      %57 = stablehlo.subtract %arg4, %arg5 : tensor<f32>
      %58 = stablehlo.compare NE, %57, %57, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %59 = stablehlo.add %arg4, %arg5 : tensor<f32>
      %60 = stablehlo.abs %57 : tensor<f32>
      %61 = stablehlo.negate %60 : tensor<f32>
      %62 = stablehlo.exponential %61 : tensor<f32>
      %63 = stablehlo.log_plus_one %62 : tensor<f32>
      %64 = stablehlo.add %56, %63 : tensor<f32>
      %65 = stablehlo.select %58, %59, %64 : tensor<i1>, tensor<f32>
      stablehlo.return %65 : tensor<f32>
    }) : (tensor<3x9xf32>, tensor<f32>) -> tensor<3x5xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_10 = stablehlo.constant dense<-1> : tensor<i32>
    %13:2 = "stablehlo.reduce_window"(%arg1, %0, %cst_9, %c_10) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<i32>, %arg6: tensor<f32>, %arg7: tensor<i32>):
      %56:2 = func.call @larger(%arg4, %arg5, %arg6, %arg7) : (tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
      stablehlo.return %56#0, %56#1 : tensor<f32>, tensor<i32>
    }) : (tensor<3x9xf32>, tensor<3x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x5xf32>, tensor<3x5xi32>)
    %14 = call @cumlogsumexp(%arg1) : (tensor<3x9xf32>) -> tensor<3x9xf32>
    %15 = stablehlo.slice %arg2 [0:1, 0:9] : (tensor<3x9xi32>) -> tensor<1x9xi32>
    %16 = stablehlo.reshape %15 : (tensor<1x9xi32>) -> tensor<9xi32>
    %c_11 = stablehlo.constant dense<5> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %18 = stablehlo.multiply %16, %17 : tensor<9xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %20 = stablehlo.compare LT, %18, %19, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %c_13 = stablehlo.constant dense<9> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %22 = stablehlo.add %18, %21 : tensor<9xi32>
    %23 = stablehlo.select %20, %22, %18 : tensor<9xi1>, tensor<9xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %25 = stablehlo.convert %24 : tensor<9xi32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %27 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %28 = stablehlo.concatenate %26, %27, dim = 1 : (tensor<9x1xi32>, tensor<9x1xi32>) -> tensor<9x2xi32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %30 = "stablehlo.scatter"(%arg1, %28, %29) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %56 = stablehlo.multiply %arg4, %arg4 : tensor<f32>
      %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %57 = stablehlo.add %56, %cst_25 : tensor<f32>
      stablehlo.return %57 : tensor<f32>
    }) : (tensor<3x9xf32>, tensor<9x2xi32>, tensor<9xf32>) -> tensor<3x9xf32>
    %31 = stablehlo.slice %arg2 [0:1, 0:3] : (tensor<3x9xi32>) -> tensor<1x3xi32>
    %32 = stablehlo.reshape %31 : (tensor<1x3xi32>) -> tensor<3xi32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %33 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %34 = stablehlo.compare LT, %32, %33, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_17 = stablehlo.constant dense<5> : tensor<i32>
    %35 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %36 = stablehlo.add %32, %35 : tensor<3xi32>
    %37 = stablehlo.select %34, %36, %32 : tensor<3xi1>, tensor<3xi32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<3x3x4xf32>
    %40 = "stablehlo.scatter"(%arg0, %38, %39) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 2], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %56 = chlo.sinh %arg4 : tensor<f32> -> tensor<f32>
      stablehlo.return %56 : tensor<f32>
    }) : (tensor<3x5x4xf32>, tensor<3x1xi32>, tensor<3x3x4xf32>) -> tensor<3x5x4xf32>
    %41:3 = "stablehlo.sort"(%arg2, %arg3, %arg1) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %56 = stablehlo.compare LT, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %57 = stablehlo.compare LT, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %58 = stablehlo.compare EQ, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %59 = stablehlo.and %58, %56 : tensor<i1>
      %60 = stablehlo.or %57, %59 : tensor<i1>
      stablehlo.return %60 : tensor<i1>
    }) : (tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xf32>) -> (tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xf32>)
    %42:3 = "stablehlo.sort"(%arg1, %arg2, %0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<i32>, %arg9: tensor<i32>):
      %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %56 = stablehlo.compare EQ, %arg4, %cst_25, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %57 = stablehlo.select %56, %cst_26, %arg4 : tensor<i1>, tensor<f32>
      %58 = stablehlo.compare NE, %arg4, %arg4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_27 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %59 = stablehlo.select %58, %cst_27, %57 : tensor<i1>, tensor<f32>
      %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %60 = stablehlo.compare EQ, %arg5, %cst_28, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %61 = stablehlo.select %60, %cst_29, %arg5 : tensor<i1>, tensor<f32>
      %62 = stablehlo.compare NE, %arg5, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_30 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %63 = stablehlo.select %62, %cst_30, %61 : tensor<i1>, tensor<f32>
      %64 = stablehlo.compare LT, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %65 = stablehlo.compare LT, %59, %63, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %66 = stablehlo.compare EQ, %59, %63, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %67 = stablehlo.and %66, %64 : tensor<i1>
      %68 = stablehlo.or %65, %67 : tensor<i1>
      stablehlo.return %68 : tensor<i1>
    }) : (tensor<3x9xf32>, tensor<3x9xi32>, tensor<3x9xi32>) -> (tensor<3x9xf32>, tensor<3x9xi32>, tensor<3x9xi32>)
    %43:3 = "stablehlo.sort"(%arg2, %arg3, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %56 = stablehlo.compare EQ, %arg8, %cst_25, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %57 = stablehlo.select %56, %cst_26, %arg8 : tensor<i1>, tensor<f32>
      %58 = stablehlo.compare NE, %arg8, %arg8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_27 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %59 = stablehlo.select %58, %cst_27, %57 : tensor<i1>, tensor<f32>
      %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %60 = stablehlo.compare EQ, %arg9, %cst_28, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %61 = stablehlo.select %60, %cst_29, %arg9 : tensor<i1>, tensor<f32>
      %62 = stablehlo.compare NE, %arg9, %arg9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_30 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %63 = stablehlo.select %62, %cst_30, %61 : tensor<i1>, tensor<f32>
      %64 = stablehlo.compare LT, %59, %63, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %65 = stablehlo.compare LT, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %66 = stablehlo.compare EQ, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %67 = stablehlo.and %66, %64 : tensor<i1>
      %68 = stablehlo.or %65, %67 : tensor<i1>
      %69 = stablehlo.compare LT, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %70 = stablehlo.compare EQ, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %71 = stablehlo.and %70, %68 : tensor<i1>
      %72 = stablehlo.or %69, %71 : tensor<i1>
      stablehlo.return %72 : tensor<i1>
    }) : (tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xf32>) -> (tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xf32>)
    %c_19 = stablehlo.constant dense<1> : tensor<i32>
    %44 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<3x9xi32>
    %45 = stablehlo.compare GT, %arg2, %44, SIGNED : (tensor<3x9xi32>, tensor<3x9xi32>) -> tensor<3x9xi1>
    %46 = call @sort(%45) : (tensor<3x9xi1>) -> tensor<3x9xi1>
    %c_20 = stablehlo.constant dense<2> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<3x9xi32>
    %48 = stablehlo.compare EQ, %arg2, %47, SIGNED : (tensor<3x9xi32>, tensor<3x9xi32>) -> tensor<3x9xi1>
    %c_21 = stablehlo.constant dense<1> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<3x9xi32>
    %50 = stablehlo.compare EQ, %arg3, %49, SIGNED : (tensor<3x9xi32>, tensor<3x9xi32>) -> tensor<3x9xi1>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<3x9xf32>
    %52 = stablehlo.multiply %arg1, %51 : tensor<3x9xf32>
    %cst_23 = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
    %53 = call @_where_1(%50, %cst_23, %52) : (tensor<3x9xi1>, tensor<f32>, tensor<3x9xf32>) -> tensor<3x9xf32>
    %cst_24 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %54 = call @_where_1(%48, %cst_24, %53) : (tensor<3x9xi1>, tensor<f32>, tensor<3x9xf32>) -> tensor<3x9xf32>
    %55:2 = "stablehlo.sort"(%arg2, %54) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<f32>, %arg7: tensor<f32>):
      %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %56 = stablehlo.compare EQ, %arg6, %cst_25, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %57 = stablehlo.select %56, %cst_26, %arg6 : tensor<i1>, tensor<f32>
      %58 = stablehlo.compare NE, %arg6, %arg6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_27 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %59 = stablehlo.select %58, %cst_27, %57 : tensor<i1>, tensor<f32>
      %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %60 = stablehlo.compare EQ, %arg7, %cst_28, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %61 = stablehlo.select %60, %cst_29, %arg7 : tensor<i1>, tensor<f32>
      %62 = stablehlo.compare NE, %arg7, %arg7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_30 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %63 = stablehlo.select %62, %cst_30, %61 : tensor<i1>, tensor<f32>
      %64 = stablehlo.compare LT, %59, %63, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %65 = stablehlo.compare LT, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %66 = stablehlo.compare EQ, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %67 = stablehlo.and %66, %64 : tensor<i1>
      %68 = stablehlo.or %65, %67 : tensor<i1>
      stablehlo.return %68 : tensor<i1>
    }) : (tensor<3x9xi32>, tensor<3x9xf32>) -> (tensor<3x9xi32>, tensor<3x9xf32>)
    return %1, %3, %10#0, %10#1, %10#2, %11#0, %11#1, %12, %13#0, %13#1, %14, %30, %40, %41#0, %41#1, %41#2, %42#0, %42#1, %42#2, %43#0, %43#1, %43#2, %46, %55#0, %55#1 : tensor<5xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xi32>, tensor<3x9xf32>, tensor<3x9xf32>, tensor<3x5x4xf32>, tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xf32>, tensor<3x9xf32>, tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xf32>, tensor<3x9xi1>, tensor<3x9xi32>, tensor<3x9xf32>
  }
  func.func private @larger(%arg0: tensor<f32>, %arg1: tensor<i32>, %arg2: tensor<f32>, %arg3: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
    %0 = stablehlo.compare GE, %arg2, %arg0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = call @_where(%0, %arg2, %arg0) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.compare GE, %arg2, %arg0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = call @_where_0(%2, %arg3, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %1, %3 : tensor<f32>, tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @cumlogsumexp(%arg0: tensor<3x9xf32>) -> tensor<3x9xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [8, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 9>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      %2 = stablehlo.subtract %arg1, %arg2 : tensor<f32>
      %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %5 = stablehlo.abs %2 : tensor<f32>
      %6 = stablehlo.negate %5 : tensor<f32>
      %7 = stablehlo.exponential %6 : tensor<f32>
      %8 = stablehlo.log_plus_one %7 : tensor<f32>
      %9 = stablehlo.add %1, %8 : tensor<f32>
      %10 = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<3x9xf32>, tensor<f32>) -> tensor<3x9xf32>
    return %0 : tensor<3x9xf32>
  }
  func.func private @sort(%arg0: tensor<3x9xi1>) -> tensor<3x9xi1> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      %1 = stablehlo.compare LT, %arg1, %arg2, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<3x9xi1>) -> tensor<3x9xi1>
    return %0 : tensor<3x9xi1>
  }
  func.func private @_where_1(%arg0: tensor<3x9xi1>, %arg1: tensor<f32>, %arg2: tensor<3x9xf32>) -> tensor<3x9xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3x9xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<3x9xi1>, tensor<3x9xf32>
    return %2 : tensor<3x9xf32>
  }
}
