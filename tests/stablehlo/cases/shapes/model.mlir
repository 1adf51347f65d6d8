module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x4xf32>) -> (tensor<6x4xf32> {jax.result_info = "result[0]"}, tensor<4x3x2xf32> {jax.result_info = "result[1]"}, tensor<2x3x4xf32> {jax.result_info = "result[2]"}, tensor<2x5x4xf32> {jax.result_info = "result[3]"}, tensor<2x2x2xf32> {jax.result_info = "result[4]"}, tensor<2x7x4xf32> {jax.result_info = "result[5]"}, tensor<2x2x3x4xf32> {jax.result_info = "result[6]"}, tensor<1x2x3x4x1xf32> {jax.result_info = "result[7]"}, tensor<2x4xf32> {jax.result_info = "result[8]"}, tensor<3x5x6xf32> {jax.result_info = "result[9]"}, tensor<4x2x11xf32> {jax.result_info = "result[10]"}, tensor<2x6x4xf32> {jax.result_info = "result[11]"}, tensor<2x3x4xf32> {jax.result_info = "result[12]"}, tensor<2x6x4xf32> {jax.result_info = "result[13]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
    %1 = stablehlo.transpose %arg0, dims = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
    %2 = call @_flip(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %3 = stablehlo.slice %arg0 [0:2, 0:1, 0:4] : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x1x4xf32>) -> tensor<2x5x4xf32>
    %5 = stablehlo.slice %arg0 [0:2, 1:3, 0:4:2] : (tensor<2x3x4xf32>) -> tensor<2x2x2xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3x4xf32>
    %7 = stablehlo.multiply %arg0, %6 : tensor<2x3x4xf32>
    %8 = stablehlo.slice %arg0 [0:2, 0:1, 0:4] : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
    %9 = stablehlo.concatenate %arg0, %7, %8, dim = 1 : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x7x4xf32>
    %10 = stablehlo.negate %arg0 : tensor<2x3x4xf32>
    %11 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2, 3] : (tensor<2x3x4xf32>) -> tensor<2x1x3x4xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [0, 2, 3] : (tensor<2x3x4xf32>) -> tensor<2x1x3x4xf32>
    %13 = stablehlo.concatenate %11, %12, dim = 1 : (tensor<2x1x3x4xf32>, tensor<2x1x3x4xf32>) -> tensor<2x2x3x4xf32>
    %14 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3] : (tensor<2x3x4xf32>) -> tensor<1x2x3x4x1xf32>
    %15 = stablehlo.slice %arg0 [0:2, 0:1, 0:4] : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
    %16 = stablehlo.reshape %15 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %17 = call @_pad(%arg0, %cst_0) : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3x5x6xf32>
    %cst_1 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %18 = stablehlo.pad %arg0, %cst_1, low = [1, 0, -1], high = [0, -1, 2], interior = [1, 0, 2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<4x2x11xf32>
    %19 = stablehlo.reshape %arg0 : (tensor<2x3x4xf32>) -> tensor<1x2x1x3x1x4xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4, 5] : (tensor<1x2x1x3x1x4xf32>) -> tensor<1x2x2x3x1x4xf32>
    %21 = stablehlo.reshape %20 : (tensor<1x2x2x3x1x4xf32>) -> tensor<2x6x4xf32>
    %22 = call @_roll_static(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %23 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 3] : (tensor<2x3x4xf32>) -> tensor<2x3x2x4xf32>
    %24 = stablehlo.reshape %23 : (tensor<2x3x2x4xf32>) -> tensor<2x6x4xf32>
    return %0, %1, %2, %4, %5, %9, %13, %14, %16, %17, %18, %21, %22, %24 : tensor<6x4xf32>, tensor<4x3x2xf32>, tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x2x2xf32>, tensor<2x7x4xf32>, tensor<2x2x3x4xf32>, tensor<1x2x3x4x1xf32>, tensor<2x4xf32>, tensor<3x5x6xf32>, tensor<4x2x11xf32>, tensor<2x6x4xf32>, tensor<2x3x4xf32>, tensor<2x6x4xf32>
  }
  func.func private @_flip(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func private @_pad(%arg0: tensor<2x3x4xf32>, %arg1: tensor<f32>) -> tensor<3x5x6xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 0, 1], high = [0, 2, 1], interior = [0, 0, 0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3x5x6xf32>
    return %1 : tensor<3x5x6xf32>
  }
  func.func private @_roll_static(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = stablehlo.slice %arg0 [0:2, 0:3, 3:4] : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
    %1 = stablehlo.slice %arg0 [0:2, 0:3, 0:3] : (tensor<2x3x4xf32>) -> tensor<2x3x3xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 2 : (tensor<2x3x1xf32>, tensor<2x3x3xf32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
