module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>) -> (tensor<4x10xf32> {jax.result_info = "result[0]"}, tensor<4x7xf32> {jax.result_info = "result[1]"}, tensor<4x10xf32> {jax.result_info = "result[2]"}, tensor<4x10xf32> {jax.result_info = "result[3]"}, tensor<4x6xf32> {jax.result_info = "result[4]"}, tensor<4x6xf32> {jax.result_info = "result[5]"}, tensor<4x6xf32> {jax.result_info = "result[6]"}, tensor<4x6xf32> {jax.result_info = "result[7]"}, tensor<4x6xf32> {jax.result_info = "result[8]"}, tensor<4x6xf32> {jax.result_info = "result[9]"}, tensor<4x6xf32> {jax.result_info = "result[10]"}, tensor<4x6xf32> {jax.result_info = "result[11]"}, tensor<4x6xf32> {jax.result_info = "result[12]"}, tensor<4x6xf32> {jax.result_info = "result[13]"}, tensor<4x6xf32> {jax.result_info = "result[14]"}, tensor<4x4xf32> {jax.result_info = "result[15]"}, tensor<4x4xf32> {jax.result_info = "result[16]"}, tensor<4x4xf32> {jax.result_info = "result[17]"}, tensor<4x4xf32> {jax.result_info = "result[18]"}, tensor<4x9xf32> {jax.result_info = "result[19]"}, tensor<4x9xf32> {jax.result_info = "result[20]"}) {
    %0 = stablehlo.complex %arg0, %arg1 : tensor<4x6xcomplex<f32>>
    %1 = call @fft(%arg0) : (tensor<4x6xf32>) -> tensor<4x6xcomplex<f32>>
    %2 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x6xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
    %3 = call @fft_0(%2) : (tensor<6x4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<6x4xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %5 = call @fft_1(%0) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %6 = call @fft_2(%0) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %7 = call @fft_3(%0) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %8 = call @fft_4(%arg0) : (tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>>
    %9 = call @fft_5(%arg0) : (tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %10 = call @_pad(%0, %c) : (tensor<4x6xcomplex<f32>>, tensor<i32>) -> tensor<4x9xcomplex<f32>>
    %11 = call @fft_6(%10) : (tensor<4x9xcomplex<f32>>) -> tensor<4x9xcomplex<f32>>
    %12 = call @fft_7(%0) : (tensor<4x6xcomplex<f32>>) -> tensor<4x10xf32>
    %13 = stablehlo.slice %0 [0:4, 0:4] : (tensor<4x6xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %14 = call @_pad_8(%13, %c_0) : (tensor<4x4xcomplex<f32>>, tensor<i32>) -> tensor<4x4xcomplex<f32>>
    %15 = call @fft_9(%14) : (tensor<4x4xcomplex<f32>>) -> tensor<4x7xf32>
    %16 = call @fft_10(%0) : (tensor<4x6xcomplex<f32>>) -> tensor<4x10xf32>
    %17 = stablehlo.real %0 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %18 = stablehlo.imag %0 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %19 = stablehlo.negate %18 : tensor<4x6xf32>
    %20 = stablehlo.complex %17, %19 : tensor<4x6xcomplex<f32>>
    %21 = call @fft_7(%20) : (tensor<4x6xcomplex<f32>>) -> tensor<4x10xf32>
    %cst = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x10xf32>
    %23 = stablehlo.multiply %21, %22 : tensor<4x10xf32>
    %24 = call @fft_11(%arg0) : (tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>>
    %25 = stablehlo.abs %24 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %26 = stablehlo.real %24 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %27 = stablehlo.imag %24 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %28 = stablehlo.negate %27 : tensor<4x4xf32>
    %29 = stablehlo.complex %26, %28 : tensor<4x4xcomplex<f32>>
    %30 = stablehlo.convert %25 : (tensor<4x4xf32>) -> tensor<4x4xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %31 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    %32 = stablehlo.compare EQ, %30, %31, FLOAT : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xi1>
    %cst_2 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %33 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    %34 = stablehlo.select %32, %33, %30 : tensor<4x4xi1>, tensor<4x4xcomplex<f32>>
    %35 = stablehlo.divide %29, %34 : tensor<4x4xcomplex<f32>>
    %36 = stablehlo.multiply %25, %25 : tensor<4x4xf32>
    %37 = stablehlo.multiply %36, %25 : tensor<4x4xf32>
    %38 = stablehlo.multiply %25, %25 : tensor<4x4xf32>
    %cst_3 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %40 = stablehlo.multiply %39, %38 : tensor<4x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%37 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %43 = stablehlo.multiply %42, %40 : tensor<4x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %45 = stablehlo.complex %43, %44 : tensor<4x4xcomplex<f32>>
    %46 = stablehlo.multiply %45, %35 : tensor<4x4xcomplex<f32>>
    %47 = call @fft_12(%46) : (tensor<4x4xcomplex<f32>>) -> tensor<4x6xf32>
    %48 = stablehlo.real %1 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %49 = stablehlo.imag %1 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %50 = stablehlo.real %4 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %51 = stablehlo.imag %4 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %52 = stablehlo.real %5 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %53 = stablehlo.imag %5 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %54 = stablehlo.real %6 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %55 = stablehlo.imag %6 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %56 = stablehlo.real %7 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %57 = stablehlo.imag %7 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %58 = stablehlo.real %8 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %59 = stablehlo.imag %8 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %60 = stablehlo.real %9 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %61 = stablehlo.imag %9 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %62 = stablehlo.real %11 : (tensor<4x9xcomplex<f32>>) -> tensor<4x9xf32>
    %63 = stablehlo.imag %11 : (tensor<4x9xcomplex<f32>>) -> tensor<4x9xf32>
    return %12, %15, %16, %23, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63 : tensor<4x10xf32>, tensor<4x7xf32>, tensor<4x10xf32>, tensor<4x10xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x9xf32>, tensor<4x9xf32>
  }
  func.func private @fft(%arg0: tensor<4x6xf32>) -> tensor<4x6xcomplex<f32>> {
    %0 = stablehlo.convert %arg0 : (tensor<4x6xf32>) -> tensor<4x6xcomplex<f32>>
    %1 = stablehlo.fft %0, type = FFT, length = [6] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    return %1 : tensor<4x6xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<6x4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [4] : (tensor<6x4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
    return %0 : tensor<6x4xcomplex<f32>>
  }
  func.func private @fft_1(%arg0: tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [6] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    return %0 : tensor<4x6xcomplex<f32>>
  }
  func.func private @fft_2(%arg0: tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [4, 6] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    return %0 : tensor<4x6xcomplex<f32>>
  }
  func.func private @fft_3(%arg0: tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [4, 6] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    return %0 : tensor<4x6xcomplex<f32>>
  }
  func.func private @fft_4(%arg0: tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [6] : (tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>>
    return %0 : tensor<4x4xcomplex<f32>>
  }
  func.func private @fft_5(%arg0: tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [4, 6] : (tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>>
    return %0 : tensor<4x4xcomplex<f32>>
  }
  func.func private @_pad(%arg0: tensor<4x6xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<4x9xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 3], interior = [0, 0] : (tensor<4x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x9xcomplex<f32>>
    return %1 : tensor<4x9xcomplex<f32>>
  }
  func.func private @fft_6(%arg0: tensor<4x9xcomplex<f32>>) -> tensor<4x9xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [9] : (tensor<4x9xcomplex<f32>>) -> tensor<4x9xcomplex<f32>>
    return %0 : tensor<4x9xcomplex<f32>>
  }
  func.func private @fft_7(%arg0: tensor<4x6xcomplex<f32>>) -> tensor<4x10xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [10] : (tensor<4x6xcomplex<f32>>) -> tensor<4x10xf32>
    return %0 : tensor<4x10xf32>
  }
  func.func private @_pad_8(%arg0: tensor<4x4xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<4x4xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<4x4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    return %1 : tensor<4x4xcomplex<f32>>
  }
  func.func private @fft_9(%arg0: tensor<4x4xcomplex<f32>>) -> tensor<4x7xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [7] : (tensor<4x4xcomplex<f32>>) -> tensor<4x7xf32>
    return %0 : tensor<4x7xf32>
  }
  func.func private @fft_10(%arg0: tensor<4x6xcomplex<f32>>) -> tensor<4x10xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [4, 10] : (tensor<4x6xcomplex<f32>>) -> tensor<4x10xf32>
    return %0 : tensor<4x10xf32>
  }
  func.func private @fft_11(%arg0: tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [6] : (tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>>
    return %0 : tensor<4x4xcomplex<f32>>
  }
  func.func private @fft_12(%arg0: tensor<4x4xcomplex<f32>>) -> tensor<4x6xf32> {
    %0 = call @_rfft_transpose(%arg0) : (tensor<4x4xcomplex<f32>>) -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  func.func private @_rfft_transpose(%arg0: tensor<4x4xcomplex<f32>>) -> tensor<4x6xf32> {
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %0, %1, %c : (tensor<4xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<4xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %c_2 = stablehlo.constant dense<3> : tensor<i32>
    %4 = stablehlo.dynamic_update_slice %2, %3, %c_2 : (tensor<4xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<4xcomplex<f32>>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<4xcomplex<f32>>) -> tensor<1x4xcomplex<f32>>
    %6 = stablehlo.real %arg0 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %7 = stablehlo.imag %arg0 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %8 = stablehlo.negate %7 : tensor<4x4xf32>
    %9 = stablehlo.complex %6, %8 : tensor<4x4xcomplex<f32>>
    %10 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %11 = stablehlo.divide %9, %10 : tensor<4x4xcomplex<f32>>
    %12 = call @fft_13(%11) : (tensor<4x4xcomplex<f32>>) -> tensor<4x6xf32>
    %cst_3 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<4x6xf32>
    return %14 : tensor<4x6xf32>
  }
  func.func private @fft_13(%arg0: tensor<4x4xcomplex<f32>>) -> tensor<4x6xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [6] : (tensor<4x4xcomplex<f32>>) -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
}
