module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x2xf32> {jax.result_info = "result[1]"}, tensor<4xf32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}, tensor<3x2xf32> {jax.result_info = "result[4]"}, tensor<4x2xf32> {jax.result_info = "result[5]"}, tensor<3x4xf32> {jax.result_info = "result[6]"}, tensor<3x2xi32> {jax.result_info = "result[7]"}, tensor<i32> {jax.result_info = "result[8]"}, tensor<3x2xi1> {jax.result_info = "result[9]"}, tensor<i1> {jax.result_info = "result[10]"}, tensor<3x4x2xf32> {jax.result_info = "result[11]"}, tensor<3x4x2xf32> {jax.result_info = "result[12]"}, tensor<3x4x2xf32> {jax.result_info = "result[13]"}, tensor<3x2xf32> {jax.result_info = "result[14]"}, tensor<f32> {jax.result_info = "result[15]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.maximum across dimensions = [0, 2] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %3 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.minimum across dimensions = [0, 1, 2] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%arg0 init: %cst_3) applies stablehlo.multiply across dimensions = [1] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%arg0 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %7 = stablehlo.divide %5, %6 : tensor<4x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %8 = call @_var(%arg0, %c) : (tensor<3x4x2xf32>, tensor<i32>) -> tensor<3x4xf32>
    %9 = call @argmax(%arg0) : (tensor<3x4x2xf32>) -> tensor<3x2xi32>
    %10 = stablehlo.reshape %arg0 : (tensor<3x4x2xf32>) -> tensor<24xf32>
    %11 = call @argmin(%10) : (tensor<24xf32>) -> tensor<i32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x4x2xf32>
    %13 = stablehlo.compare GT, %arg0, %12, FLOAT : (tensor<3x4x2xf32>, tensor<3x4x2xf32>) -> tensor<3x4x2xi1>
    %c_7 = stablehlo.constant dense<false> : tensor<i1>
    %14 = stablehlo.reduce(%13 init: %c_7) applies stablehlo.or across dimensions = [1] : (tensor<3x4x2xi1>, tensor<i1>) -> tensor<3x2xi1>
    %cst_8 = stablehlo.constant dense<-9.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x4x2xf32>
    %16 = stablehlo.compare GT, %arg0, %15, FLOAT : (tensor<3x4x2xf32>, tensor<3x4x2xf32>) -> tensor<3x4x2xi1>
    %c_9 = stablehlo.constant dense<true> : tensor<i1>
    %17 = stablehlo.reduce(%16 init: %c_9) applies stablehlo.and across dimensions = [0, 1, 2] : (tensor<3x4x2xi1>, tensor<i1>) -> tensor<i1>
    %18 = call @cumsum(%arg0) : (tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
    %19 = call @cumprod(%arg0) : (tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
    %20 = call @cummax(%arg0) : (tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.reduce(%arg0 init: %cst_10) applies stablehlo.maximum across dimensions = [1] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %23 = stablehlo.maximum %22, %21 : tensor<3x2xf32>
    %24 = stablehlo.is_finite %23 : (tensor<3x2xf32>) -> tensor<3x2xi1>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %26 = stablehlo.select %24, %23, %25 : tensor<3x2xi1>, tensor<3x2xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 2] : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<3x1x2xf32>) -> tensor<3x4x2xf32>
    %29 = stablehlo.subtract %arg0, %28 : tensor<3x4x2xf32>
    %30 = stablehlo.exponential %29 : tensor<3x4x2xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %32 = stablehlo.abs %31 : tensor<3x2xf32>
    %33 = stablehlo.log %32 : tensor<3x2xf32>
    %34 = stablehlo.add %33, %26 : tensor<3x2xf32>
    %35 = call @norm(%arg0) : (tensor<3x4x2xf32>) -> tensor<f32>
    return %0, %1, %2, %3, %4, %7, %8, %9, %11, %14, %17, %18, %19, %20, %34, %35 : tensor<f32>, tensor<3x2xf32>, tensor<4xf32>, tensor<f32>, tensor<3x2xf32>, tensor<4x2xf32>, tensor<3x4xf32>, tensor<3x2xi32>, tensor<i32>, tensor<3x2xi1>, tensor<i1>, tensor<3x4x2xf32>, tensor<3x4x2xf32>, tensor<3x4x2xf32>, tensor<3x2xf32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<3x4x2xf32>, %arg1: tensor<i32>) -> tensor<3x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<3x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<3x4xf32>) -> tensor<3x4x1xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<3x4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<3x4x1xf32>) -> tensor<3x4x2xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<3x4x2xf32>
    %6 = chlo.square %5 : tensor<3x4x2xf32> -> tensor<3x4x2xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<3x4xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %11 = stablehlo.divide %9, %10 : tensor<3x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %13 = call @_where(%12, %11, %cst_4) : (tensor<i1>, tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    return %13 : tensor<3x4xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<3x4xf32>, %arg2: tensor<f32>) -> tensor<3x4xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<3x4xf32>
    return %2 : tensor<3x4xf32>
  }
  func.func private @argmax(%arg0: tensor<3x4x2xf32>) -> tensor<3x2xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<3x4x2xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<3x4x2xf32>, tensor<3x4x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<3x2xi32>
  }
  func.func private @argmin(%arg0: tensor<24xf32>) -> tensor<i32> {
    %0 = stablehlo.iota dim = 0 : tensor<24xi32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<24xf32>, tensor<24xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<i32>
  }
  func.func private @cumsum(%arg0: tensor<3x4x2xf32>) -> tensor<3x4x2xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
    return %0 : tensor<3x4x2xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<3x4x2xf32>) -> tensor<3x4x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [3, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 4, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<3x4x2xf32>
    return %1 : tensor<3x4x2xf32>
  }
  func.func private @cumprod(%arg0: tensor<3x4x2xf32>) -> tensor<3x4x2xf32> {
    %0 = call @cumprod_1(%arg0) : (tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
    return %0 : tensor<3x4x2xf32>
  }
  func.func private @cumprod_1(%arg0: tensor<3x4x2xf32>) -> tensor<3x4x2xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[2, 0], [0, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 3, 1, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<3x4x2xf32>
    return %0 : tensor<3x4x2xf32>
  }
  func.func private @cummax(%arg0: tensor<3x4x2xf32>) -> tensor<3x4x2xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [3, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 4, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<3x4x2xf32>
    return %1 : tensor<3x4x2xf32>
  }
  func.func private @norm(%arg0: tensor<3x4x2xf32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<3x4x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.sqrt %1 : tensor<f32>
    return %2 : tensor<f32>
  }
}
