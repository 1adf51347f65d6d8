module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5x4xf32>, %arg1: tensor<3x9xf32>, %arg2: tensor<3x9xi32>, %arg3: tensor<3x9xi32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}, tensor<3x4xf32> {jax.result_info = "result[3]"}, tensor<3x4xf32> {jax.result_info = "result[4]"}, tensor<3xf32> {jax.result_info = "result[5]"}, tensor<3xi32> {jax.result_info = "result[6]"}, tensor<3x5xf32> {jax.result_info = "result[7]"}, tensor<3x5xf32> {jax.result_info = "result[8]"}, tensor<3x5xi32> {jax.result_info = "result[9]"}, tensor<3x9xf32> {jax.result_info = "result[10]"}, tensor<3x9xi32> {jax.result_info = "result[11]"}, tensor<3x9xi32> {jax.result_info = "result[12]"}, tensor<3x9xf32> {jax.result_info = "result[13]"}, tensor<3x9xf32> {jax.result_info = "result[14]"}, tensor<3x9xi32> {jax.result_info = "result[15]"}, tensor<3x9xi32> {jax.result_info = "result[16]"}, tensor<3x9xi32> {jax.result_info = "result[17]"}, tensor<3x9xi32> {jax.result_info = "result[18]"}, tensor<3x9xf32> {jax.result_info = "result[19]"}, tensor<3x9xi1> {jax.result_info = "result[20]"}, tensor<3x9xi32> {jax.result_info = "result[21]"}, tensor<3x9xf32> {jax.result_info = "result[22]"}) {
    %0 = stablehlo.iota dim = 1 : tensor<3x9xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst) across dimensions = [0, 2] : (tensor<3x5x4xf32>, tensor<f32>) -> tensor<5xf32>
     reducer(%arg4: tensor<f32>, %arg5: tensor<f32>)  {
      %30 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      %31 = stablehlo.subtract %arg4, %arg5 : tensor<f32>
      %32 = stablehlo.compare NE, %31, %31, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %33 = stablehlo.add %arg4, %arg5 : tensor<f32>
      %34 = stablehlo.abs %31 : tensor<f32>
      %35 = stablehlo.negate %34 : tensor<f32>
      %36 = stablehlo.exponential %35 : tensor<f32>
      %37 = stablehlo.log_plus_one %36 : tensor<f32>
      %38 = stablehlo.add %30, %37 : tensor<f32>
      %39 = stablehlo.select %32, %33, %38 : tensor<i1>, tensor<f32>
      stablehlo.return %39 : tensor<f32>
    }
    %2 = stablehlo.slice %arg0 [0:3, 0:0, 0:4] : (tensor<3x5x4xf32>) -> tensor<3x0x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) across dimensions = [1] : (tensor<3x0x4xf32>, tensor<f32>) -> tensor<3x4xf32>
     reducer(%arg4: tensor<f32>, %arg5: tensor<f32>)  {
      %30 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      %31 = stablehlo.subtract %arg4, %arg5 : tensor<f32>
      %32 = stablehlo.compare NE, %31, %31, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %33 = stablehlo.add %arg4, %arg5 : tensor<f32>
      %34 = stablehlo.abs %31 : tensor<f32>
      %35 = stablehlo.negate %34 : tensor<f32>
      %36 = stablehlo.exponential %35 : tensor<f32>
      %37 = stablehlo.log_plus_one %36 : tensor<f32>
      %38 = stablehlo.add %30, %37 : tensor<f32>
      %39 = stablehlo.select %32, %33, %38 : tensor<i1>, tensor<f32>
      stablehlo.return %39 : tensor<f32>
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
      %30 = stablehlo.add %arg6, %arg9 : tensor<f32>
      %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %31 = stablehlo.maximum %30, %cst_17 : tensor<f32>
      %32 = stablehlo.subtract %arg7, %arg4 : tensor<f32>
      %33 = stablehlo.multiply %32, %arg9 : tensor<f32>
      %34 = stablehlo.divide %33, %31 : tensor<f32>
      %35 = stablehlo.add %arg4, %34 : tensor<f32>
      %36 = stablehlo.add %arg5, %arg8 : tensor<f32>
      %37 = stablehlo.subtract %arg7, %arg4 : tensor<f32>
      %38 = stablehlo.multiply %37, %37 : tensor<f32>
      %39 = stablehlo.multiply %38, %arg6 : tensor<f32>
      %40 = stablehlo.multiply %39, %arg9 : tensor<f32>
      %41 = stablehlo.divide %40, %31 : tensor<f32>
      %42 = stablehlo.add %36, %41 : tensor<f32>
      %43 = stablehlo.add %arg6, %arg9 : tensor<f32>
      stablehlo.return %35, %42, %43 : tensor<f32>, tensor<f32>, tensor<f32>
    }
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %11:2 = stablehlo.reduce(%arg1 init: %cst_7), (%0 init: %c) across dimensions = [1] : (tensor<3x9xf32>, tensor<3x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
     reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<i32>, %arg7: tensor<i32>)  {
      %30:2 = func.call @larger(%arg4, %arg5, %arg6, %arg7) : (tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
      stablehlo.return %30#0, %30#1 : tensor<f32>, tensor<i32>
    }
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = "stablehlo.reduce_window"(%arg1, %cst_8) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %30 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      %31 = stablehlo.subtract %arg4, %arg5 : tensor<f32>
      %32 = stablehlo.compare NE, %31, %31, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %33 = stablehlo.add %arg4, %arg5 : tensor<f32>
      %34 = stablehlo.abs %31 : tensor<f32>
      %35 = stablehlo.negate %34 : tensor<f32>
      %36 = stablehlo.exponential %35 : tensor<f32>
      %37 = stablehlo.log_plus_one %36 : tensor<f32>
      %38 = stablehlo.add %30, %37 : tensor<f32>
      %39 = stablehlo.select %32, %33, %38 : tensor<i1>, tensor<f32>
      stablehlo.return %39 : tensor<f32>
    }) : (tensor<3x9xf32>, tensor<f32>) -> tensor<3x5xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_10 = stablehlo.constant dense<-1> : tensor<i32>
    %13:2 = "stablehlo.reduce_window"(%arg1, %0, %cst_9, %c_10) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<i32>, %arg6: tensor<f32>, %arg7: tensor<i32>):
      %30:2 = func.call @larger(%arg4, %arg5, %arg6, %arg7) : (tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
      stablehlo.return %30#0, %30#1 : tensor<f32>, tensor<i32>
    }) : (tensor<3x9xf32>, tensor<3x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x5xf32>, tensor<3x5xi32>)
    %14 = call @cumlogsumexp(%arg1) : (tensor<3x9xf32>) -> tensor<3x9xf32>
    %15:3 = "stablehlo.sort"(%arg2, %arg3, %arg1) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %30 = stablehlo.compare LT, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %31 = stablehlo.compare LT, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %32 = stablehlo.compare EQ, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %33 = stablehlo.and %32, %30 : tensor<i1>
      %34 = stablehlo.or %31, %33 : tensor<i1>
      stablehlo.return %34 : tensor<i1>
    }) : (tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xf32>) -> (tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xf32>)
    %16:3 = "stablehlo.sort"(%arg1, %arg2, %0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<i32>, %arg9: tensor<i32>):
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %30 = stablehlo.compare EQ, %arg4, %cst_17, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %31 = stablehlo.select %30, %cst_18, %arg4 : tensor<i1>, tensor<f32>
      %32 = stablehlo.compare NE, %arg4, %arg4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_19 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %33 = stablehlo.select %32, %cst_19, %31 : tensor<i1>, tensor<f32>
      %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %34 = stablehlo.compare EQ, %arg5, %cst_20, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %35 = stablehlo.select %34, %cst_21, %arg5 : tensor<i1>, tensor<f32>
      %36 = stablehlo.compare NE, %arg5, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_22 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %37 = stablehlo.select %36, %cst_22, %35 : tensor<i1>, tensor<f32>
      %38 = stablehlo.compare LT, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %39 = stablehlo.compare LT, %33, %37, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %40 = stablehlo.compare EQ, %33, %37, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %41 = stablehlo.and %40, %38 : tensor<i1>
      %42 = stablehlo.or %39, %41 : tensor<i1>
      stablehlo.return %42 : tensor<i1>
    }) : (tensor<3x9xf32>, tensor<3x9xi32>, tensor<3x9xi32>) -> (tensor<3x9xf32>, tensor<3x9xi32>, tensor<3x9xi32>)
    %17:3 = "stablehlo.sort"(%arg2, %arg3, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %30 = stablehlo.compare EQ, %arg8, %cst_17, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %31 = stablehlo.select %30, %cst_18, %arg8 : tensor<i1>, tensor<f32>
      %32 = stablehlo.compare NE, %arg8, %arg8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_19 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %33 = stablehlo.select %32, %cst_19, %31 : tensor<i1>, tensor<f32>
      %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %34 = stablehlo.compare EQ, %arg9, %cst_20, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %35 = stablehlo.select %34, %cst_21, %arg9 : tensor<i1>, tensor<f32>
      %36 = stablehlo.compare NE, %arg9, %arg9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_22 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %37 = stablehlo.select %36, %cst_22, %35 : tensor<i1>, tensor<f32>
      %38 = stablehlo.compare LT, %33, %37, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %39 = stablehlo.compare LT, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %40 = stablehlo.compare EQ, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %41 = stablehlo.and %40, %38 : tensor<i1>
      %42 = stablehlo.or %39, %41 : tensor<i1>
      %43 = stablehlo.compare LT, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %44 = stablehlo.compare EQ, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %45 = stablehlo.and %44, %42 : tensor<i1>
      %46 = stablehlo.or %43, %45 : tensor<i1>
      stablehlo.return %46 : tensor<i1>
    }) : (tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xf32>) -> (tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xf32>)
    %c_11 = stablehlo.constant dense<1> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<3x9xi32>
    %19 = stablehlo.compare GT, %arg2, %18, SIGNED : (tensor<3x9xi32>, tensor<3x9xi32>) -> tensor<3x9xi1>
    %20 = call @sort(%19) : (tensor<3x9xi1>) -> tensor<3x9xi1>
    %c_12 = stablehlo.constant dense<2> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<3x9xi32>
    %22 = stablehlo.compare EQ, %arg2, %21, SIGNED : (tensor<3x9xi32>, tensor<3x9xi32>) -> tensor<3x9xi1>
    %c_13 = stablehlo.constant dense<1> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<3x9xi32>
    %24 = stablehlo.compare EQ, %arg3, %23, SIGNED : (tensor<3x9xi32>, tensor<3x9xi32>) -> tensor<3x9xi1>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<3x9xf32>
    %26 = stablehlo.multiply %arg1, %25 : tensor<3x9xf32>
    %cst_15 = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
    %27 = call @_where_1(%24, %cst_15, %26) : (tensor<3x9xi1>, tensor<f32>, tensor<3x9xf32>) -> tensor<3x9xf32>
    %cst_16 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %28 = call @_where_1(%22, %cst_16, %27) : (tensor<3x9xi1>, tensor<f32>, tensor<3x9xf32>) -> tensor<3x9xf32>
    %29:2 = "stablehlo.sort"(%arg2, %28) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<f32>, %arg7: tensor<f32>):
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %30 = stablehlo.compare EQ, %arg6, %cst_17, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %31 = stablehlo.select %30, %cst_18, %arg6 : tensor<i1>, tensor<f32>
      %32 = stablehlo.compare NE, %arg6, %arg6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_19 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %33 = stablehlo.select %32, %cst_19, %31 : tensor<i1>, tensor<f32>
      %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %34 = stablehlo.compare EQ, %arg7, %cst_20, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %35 = stablehlo.select %34, %cst_21, %arg7 : tensor<i1>, tensor<f32>
      %36 = stablehlo.compare NE, %arg7, %arg7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_22 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %37 = stablehlo.select %36, %cst_22, %35 : tensor<i1>, tensor<f32>
      %38 = stablehlo.compare LT, %33, %37, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %39 = stablehlo.compare LT, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %40 = stablehlo.compare EQ, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %41 = stablehlo.and %40, %38 : tensor<i1>
      %42 = stablehlo.or %39, %41 : tensor<i1>
      stablehlo.return %42 : tensor<i1>
    }) : (tensor<3x9xi32>, tensor<3x9xf32>) -> (tensor<3x9xi32>, tensor<3x9xf32>)
    return %1, %3, %10#0, %10#1, %10#2, %11#0, %11#1, %12, %13#0, %13#1, %14, %15#0, %15#1, %15#2, %16#0, %16#1, %16#2, %17#0, %17#1, %17#2, %20, %29#0, %29#1 : tensor<5xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xi32>, tensor<3x9xf32>, tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xf32>, tensor<3x9xf32>, tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xi32>, tensor<3x9xf32>, tensor<3x9xi1>, tensor<3x9xi32>, tensor<3x9xf32>
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
