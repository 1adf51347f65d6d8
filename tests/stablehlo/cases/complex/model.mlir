module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>) -> (tensor<4x6xf32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]"}, tensor<4x6xi1> {jax.result_info = "result[2]"}, tensor<4x6xi1> {jax.result_info = "result[3]"}, tensor<4x6xi1> {jax.result_info = "result[4]"}, tensor<4x6xf32> {jax.result_info = "result[5]"}, tensor<4x6xf32> {jax.result_info = "result[6]"}, tensor<4x6xf32> {jax.result_info = "result[7]"}, tensor<4x6xf32> {jax.result_info = "result[8]"}, tensor<4x6xf32> {jax.result_info = "result[9]"}, tensor<4x6xf32> {jax.result_info = "result[10]"}, tensor<4x6xf32> {jax.result_info = "result[11]"}, tensor<4x6xf32> {jax.result_info = "result[12]"}, tensor<4x6xf32> {jax.result_info = "result[13]"}, tensor<4x6xf32> {jax.result_info = "result[14]"}, tensor<4x6xf32> {jax.result_info = "result[15]"}, tensor<4x6xf32> {jax.result_info = "result[16]"}, tensor<4x6xf32> {jax.result_info = "result[17]"}, tensor<4x6xf32> {jax.result_info = "result[18]"}, tensor<4x6xf32> {jax.result_info = "result[19]"}, tensor<4x6xf32> {jax.result_info = "result[20]"}, tensor<4x6xf32> {jax.result_info = "result[21]"}, tensor<4x6xf32> {jax.result_info = "result[22]"}, tensor<4x6xf32> {jax.result_info = "result[23]"}, tensor<4x6xf32> {jax.result_info = "result[24]"}, tensor<4x6xf32> {jax.result_info = "result[25]"}, tensor<4x6xf32> {jax.result_info = "result[26]"}, tensor<4x6xf32> {jax.result_info = "result[27]"}, tensor<4x6xf32> {jax.result_info = "result[28]"}, tensor<4x6xf32> {jax.result_info = "result[29]"}, tensor<4x6xf32> {jax.result_info = "result[30]"}, tensor<4x6xf32> {jax.result_info = "result[31]"}, tensor<4x6xf32> {jax.result_info = "result[32]"}, tensor<4x6xf32> {jax.result_info = "result[33]"}, tensor<4x6xf32> {jax.result_info = "result[34]"}, tensor<4x6xf32> {jax.result_info = "result[35]"}, tensor<4x6xf32> {jax.result_info = "result[36]"}, tensor<4x6xf32> {jax.result_info = "result[37]"}, tensor<4x6xf32> {jax.result_info = "result[38]"}, tensor<4x6xf32> {jax.result_info = "result[39]"}, tensor<4x6xf32> {jax.result_info = "result[40]"}, tensor<4x6xf32> {jax.result_info = "result[41]"}, tensor<4x6xf32> {jax.result_info = "result[42]"}, tensor<4x6xf32> {jax.result_info = "result[43]"}, tensor<4x6xf32> {jax.result_info = "result[44]"}, tensor<6xf32> {jax.result_info = "result[45]"}, tensor<6xf32> {jax.result_info = "result[46]"}, tensor<4xf32> {jax.result_info = "result[47]"}, tensor<4xf32> {jax.result_info = "result[48]"}, tensor<4x6xf32> {jax.result_info = "result[49]"}, tensor<4x6xf32> {jax.result_info = "result[50]"}, tensor<4x6xf32> {jax.result_info = "result[51]"}, tensor<4x6xf32> {jax.result_info = "result[52]"}, tensor<4x4xf32> {jax.result_info = "result[53]"}, tensor<4x4xf32> {jax.result_info = "result[54]"}, tensor<f32> {jax.result_info = "result[55]"}, tensor<f32> {jax.result_info = "result[56]"}, tensor<6x8xf32> {jax.result_info = "result[57]"}, tensor<6x8xf32> {jax.result_info = "result[58]"}, tensor<4x6xf32> {jax.result_info = "result[59]"}, tensor<4x6xf32> {jax.result_info = "result[60]"}, tensor<2x6xf32> {jax.result_info = "result[61]"}, tensor<2x6xf32> {jax.result_info = "result[62]"}, tensor<4x6xf32> {jax.result_info = "result[63]"}, tensor<4x6xf32> {jax.result_info = "result[64]"}, tensor<4x6xf32> {jax.result_info = "result[65]"}, tensor<4x6xf32> {jax.result_info = "result[66]"}, tensor<4x6xf32> {jax.result_info = "result[67]"}, tensor<4x6xf32> {jax.result_info = "result[68]"}, tensor<4x6xf32> {jax.result_info = "result[69]"}, tensor<4x6xf32> {jax.result_info = "result[70]"}, tensor<4x6xf32> {jax.result_info = "result[71]"}, tensor<4x6xf32> {jax.result_info = "result[72]"}, tensor<6xf32> {jax.result_info = "result[73]"}, tensor<6xf32> {jax.result_info = "result[74]"}, tensor<4x6xf32> {jax.result_info = "result[75]"}, tensor<4x6xf32> {jax.result_info = "result[76]"}, tensor<4x6xf32> {jax.result_info = "result[77]"}, tensor<4x6xf32> {jax.result_info = "result[78]"}) {
    %c = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
    %cst = stablehlo.constant dense<[(0.000000e+00,1.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,0.000000e+00), (4.000000e+00,0.000000e+00), (5.000000e+00,0.000000e+00), (6.000000e+00,0.000000e+00)]> : tensor<6xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<[[(0.000000e+00,0.000000e+00), (1.000000e+00,2.000000e+00), (2.000000e+00,4.000000e+00), (3.000000e+00,6.000000e+00), (4.000000e+00,8.000000e+00), (5.000000e+00,1.000000e+01)], [(6.000000e+00,1.200000e+01), (7.000000e+00,1.400000e+01), (8.000000e+00,1.600000e+01), (9.000000e+00,1.800000e+01), (1.000000e+01,2.000000e+01), (1.100000e+01,2.200000e+01)], [(1.200000e+01,2.400000e+01), (1.300000e+01,2.600000e+01), (1.400000e+01,2.800000e+01), (1.500000e+01,3.000000e+01), (1.600000e+01,3.200000e+01), (1.700000e+01,3.400000e+01)], [(1.800000e+01,3.600000e+01), (1.900000e+01,3.800000e+01), (2.000000e+01,4.000000e+01), (2.100000e+01,4.200000e+01), (2.200000e+01,4.400000e+01), (2.300000e+01,4.600000e+01)]]> : tensor<4x6xcomplex<f32>>
    %0 = stablehlo.convert %arg1 : (tensor<4x6xf32>) -> tensor<4x6xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>
    %1 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<4x6xcomplex<f32>>
    %2 = stablehlo.multiply %1, %0 : tensor<4x6xcomplex<f32>>
    %3 = stablehlo.convert %arg0 : (tensor<4x6xf32>) -> tensor<4x6xcomplex<f32>>
    %4 = stablehlo.add %3, %2 : tensor<4x6xcomplex<f32>>
    %5 = stablehlo.reverse %arg0, dims = [0] : tensor<4x6xf32>
    %6 = stablehlo.complex %arg1, %5 : tensor<4x6xcomplex<f32>>
    %7 = stablehlo.multiply %4, %6 : tensor<4x6xcomplex<f32>>
    %8 = stablehlo.divide %4, %6 : tensor<4x6xcomplex<f32>>
    %9 = stablehlo.negate %4 : tensor<4x6xcomplex<f32>>
    %10 = stablehlo.real %4 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %11 = stablehlo.imag %4 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %12 = stablehlo.negate %11 : tensor<4x6xf32>
    %13 = stablehlo.complex %10, %12 : tensor<4x6xcomplex<f32>>
    %14 = stablehlo.exponential %4 : tensor<4x6xcomplex<f32>>
    %15 = stablehlo.log %4 : tensor<4x6xcomplex<f32>>
    %16 = stablehlo.sqrt %4 : tensor<4x6xcomplex<f32>>
    %17 = stablehlo.real %4 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %18 = stablehlo.imag %4 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %20 = stablehlo.compare EQ, %17, %19, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %21 = stablehlo.sine %17 : tensor<4x6xf32>
    %22 = stablehlo.cosine %17 : tensor<4x6xf32>
    %23 = stablehlo.exponential_minus_one %18 : tensor<4x6xf32>
    %24 = stablehlo.negate %18 : tensor<4x6xf32>
    %25 = stablehlo.exponential_minus_one %24 : tensor<4x6xf32>
    %26 = stablehlo.subtract %23, %25 : tensor<4x6xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %28 = stablehlo.divide %26, %27 : tensor<4x6xf32>
    %29 = stablehlo.add %23, %25 : tensor<4x6xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %31 = stablehlo.add %29, %30 : tensor<4x6xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %33 = stablehlo.divide %31, %32 : tensor<4x6xf32>
    %34 = stablehlo.multiply %21, %33 : tensor<4x6xf32>
    %35 = stablehlo.multiply %22, %28 : tensor<4x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %37 = stablehlo.complex %36, %35 : tensor<4x6xcomplex<f32>>
    %38 = stablehlo.complex %34, %35 : tensor<4x6xcomplex<f32>>
    %39 = stablehlo.select %20, %37, %38 : tensor<4x6xi1>, tensor<4x6xcomplex<f32>>
    %40 = stablehlo.real %4 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %41 = stablehlo.imag %4 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %43 = stablehlo.compare EQ, %40, %42, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %44 = stablehlo.sine %40 : tensor<4x6xf32>
    %45 = stablehlo.cosine %40 : tensor<4x6xf32>
    %46 = stablehlo.exponential_minus_one %41 : tensor<4x6xf32>
    %47 = stablehlo.negate %41 : tensor<4x6xf32>
    %48 = stablehlo.exponential_minus_one %47 : tensor<4x6xf32>
    %49 = stablehlo.subtract %46, %48 : tensor<4x6xf32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %51 = stablehlo.divide %49, %50 : tensor<4x6xf32>
    %52 = stablehlo.add %46, %48 : tensor<4x6xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %54 = stablehlo.add %52, %53 : tensor<4x6xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %56 = stablehlo.divide %54, %55 : tensor<4x6xf32>
    %57 = stablehlo.multiply %45, %56 : tensor<4x6xf32>
    %58 = stablehlo.negate %44 : tensor<4x6xf32>
    %59 = stablehlo.multiply %58, %51 : tensor<4x6xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %61 = stablehlo.complex %57, %60 : tensor<4x6xcomplex<f32>>
    %62 = stablehlo.complex %57, %59 : tensor<4x6xcomplex<f32>>
    %63 = stablehlo.select %43, %61, %62 : tensor<4x6xi1>, tensor<4x6xcomplex<f32>>
    %64 = stablehlo.tan %4 : tensor<4x6xcomplex<f32>>
    %cst_12 = stablehlo.constant dense<(2.000000e+01,0.000000e+00)> : tensor<complex<f32>>
    %65 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<complex<f32>>) -> tensor<4x6xcomplex<f32>>
    %66 = stablehlo.multiply %4, %65 : tensor<4x6xcomplex<f32>>
    %67 = stablehlo.tanh %66 : tensor<4x6xcomplex<f32>>
    %68 = chlo.sinh %4 : tensor<4x6xcomplex<f32>> -> tensor<4x6xcomplex<f32>>
    %69 = chlo.cosh %4 : tensor<4x6xcomplex<f32>> -> tensor<4x6xcomplex<f32>>
    %70 = stablehlo.multiply %4, %4 : tensor<4x6xcomplex<f32>>
    %71 = stablehlo.multiply %70, %4 : tensor<4x6xcomplex<f32>>
    %72 = stablehlo.power %4, %6 : tensor<4x6xcomplex<f32>>
    %73 = stablehlo.rsqrt %4 : tensor<4x6xcomplex<f32>>
    %74 = stablehlo.sign %4 : tensor<4x6xcomplex<f32>>
    %75 = stablehlo.log_plus_one %4 : tensor<4x6xcomplex<f32>>
    %76 = stablehlo.exponential_minus_one %4 : tensor<4x6xcomplex<f32>>
    %77 = stablehlo.negate %4 : tensor<4x6xcomplex<f32>>
    %78 = stablehlo.exponential %77 : tensor<4x6xcomplex<f32>>
    %cst_13 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %79 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<complex<f32>>) -> tensor<4x6xcomplex<f32>>
    %80 = stablehlo.add %79, %78 : tensor<4x6xcomplex<f32>>
    %cst_14 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %81 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<complex<f32>>) -> tensor<4x6xcomplex<f32>>
    %82 = stablehlo.divide %81, %80 : tensor<4x6xcomplex<f32>>
    %cst_15 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %83 = stablehlo.reduce(%4 init: %cst_15) applies stablehlo.add across dimensions = [0] : (tensor<4x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<6xcomplex<f32>>
    %cst_16 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %84 = stablehlo.reduce(%4 init: %cst_16) applies stablehlo.multiply across dimensions = [1] : (tensor<4x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
    %85 = call @cumsum(%4) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %86 = stablehlo.compare GT, %arg0, %arg1, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %87 = call @_where(%86, %4, %6) : (tensor<4x6xi1>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %88 = stablehlo.transpose %6, dims = [1, 0] : (tensor<4x6xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
    %89 = stablehlo.dot_general %4, %88, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xcomplex<f32>>, tensor<6x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %90 = stablehlo.real %4 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %91 = stablehlo.imag %4 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %92 = stablehlo.negate %91 : tensor<4x6xf32>
    %93 = stablehlo.complex %90, %92 : tensor<4x6xcomplex<f32>>
    %94 = stablehlo.reshape %93 : (tensor<4x6xcomplex<f32>>) -> tensor<24xcomplex<f32>>
    %95 = stablehlo.reshape %6 : (tensor<4x6xcomplex<f32>>) -> tensor<24xcomplex<f32>>
    %96 = stablehlo.dot_general %94, %95, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24xcomplex<f32>>, tensor<24xcomplex<f32>>) -> tensor<complex<f32>>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %97 = call @_pad(%4, %c_17) : (tensor<4x6xcomplex<f32>>, tensor<i32>) -> tensor<6x8xcomplex<f32>>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %98 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_19 = stablehlo.constant dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>
    %99 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<complex<f32>>) -> tensor<6xcomplex<f32>>
    %100 = "stablehlo.scatter"(%4, %98, %99) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<complex<f32>>, %arg3: tensor<complex<f32>>):
      stablehlo.return %arg3 : tensor<complex<f32>>
    }) : (tensor<4x6xcomplex<f32>>, tensor<1xi32>, tensor<6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %101 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %102 = stablehlo.compare LT, %c, %101, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_21 = stablehlo.constant dense<4> : tensor<i32>
    %103 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %104 = stablehlo.add %c, %103 : tensor<2xi32>
    %105 = stablehlo.select %102, %104, %c : tensor<2xi1>, tensor<2xi32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %107 = "stablehlo.gather"(%4, %106) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xcomplex<f32>>, tensor<2x1xi32>) -> tensor<2x6xcomplex<f32>>
    %108 = call @sort(%4) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %109 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<6xcomplex<f32>>) -> tensor<1x6xcomplex<f32>>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1] : (tensor<1x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %111 = stablehlo.multiply %110, %4 : tensor<4x6xcomplex<f32>>
    %112 = stablehlo.add %cst_0, %4 : tensor<4x6xcomplex<f32>>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %113:4 = stablehlo.while(%iterArg = %4, %iterArg_29 = %c_23, %iterArg_30 = %c_22, %iterArg_31 = %6) : tensor<4x6xcomplex<f32>>, tensor<i32>, tensor<i32>, tensor<4x6xcomplex<f32>>
    cond {
      %c_32 = stablehlo.constant dense<3> : tensor<i32>
      %212 = stablehlo.compare LT, %iterArg_29, %c_32, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %212 : tensor<i1>
    } do {
      %212:2 = func.call @closed_call(%iterArg, %iterArg_30, %iterArg_31) : (tensor<4x6xcomplex<f32>>, tensor<i32>, tensor<4x6xcomplex<f32>>) -> (tensor<i32>, tensor<4x6xcomplex<f32>>)
      %c_32 = stablehlo.constant dense<1> : tensor<i32>
      %213 = stablehlo.add %iterArg_29, %c_32 : tensor<i32>
      stablehlo.return %iterArg, %213, %212#0, %212#1 : tensor<4x6xcomplex<f32>>, tensor<i32>, tensor<i32>, tensor<4x6xcomplex<f32>>
    }
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.reduce(%arg0 init: %cst_24) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %115 = stablehlo.compare GT, %114, %cst_25, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %116 = stablehlo.convert %115 : (tensor<i1>) -> tensor<i32>
    %117 = "stablehlo.case"(%116) ({
      %212 = stablehlo.negate %4 : tensor<4x6xcomplex<f32>>
      stablehlo.return %212 : tensor<4x6xcomplex<f32>>
    }, {
      %cst_29 = stablehlo.constant dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>
      %212 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<complex<f32>>) -> tensor<4x6xcomplex<f32>>
      %213 = stablehlo.multiply %4, %212 : tensor<4x6xcomplex<f32>>
      stablehlo.return %213 : tensor<4x6xcomplex<f32>>
    }) : (tensor<i32>) -> tensor<4x6xcomplex<f32>>
    %118 = stablehlo.slice %4 [0:1, 0:6] : (tensor<4x6xcomplex<f32>>) -> tensor<1x6xcomplex<f32>>
    %119 = stablehlo.reshape %118 : (tensor<1x6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
    %cst_26 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %120 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<complex<f32>>) -> tensor<4x6xcomplex<f32>>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %121:4 = stablehlo.while(%iterArg = %6, %iterArg_29 = %c_27, %iterArg_30 = %119, %iterArg_31 = %120) : tensor<4x6xcomplex<f32>>, tensor<i32>, tensor<6xcomplex<f32>>, tensor<4x6xcomplex<f32>>
    cond {
      %c_32 = stablehlo.constant dense<4> : tensor<i32>
      %212 = stablehlo.compare LT, %iterArg_29, %c_32, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %212 : tensor<i1>
    } do {
      %212 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_29) : (tensor<4x6xcomplex<f32>>, tensor<i32>) -> tensor<6xcomplex<f32>>
      %213:2 = func.call @closed_call_1(%iterArg_30, %212) : (tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>) -> (tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>)
      %214 = func.call @dynamic_update_index_in_dim(%iterArg_31, %213#1, %iterArg_29) : (tensor<4x6xcomplex<f32>>, tensor<6xcomplex<f32>>, tensor<i32>) -> tensor<4x6xcomplex<f32>>
      %c_32 = stablehlo.constant dense<1> : tensor<i32>
      %215 = stablehlo.add %iterArg_29, %c_32 : tensor<i32>
      stablehlo.return %iterArg, %215, %213#0, %214 : tensor<4x6xcomplex<f32>>, tensor<i32>, tensor<6xcomplex<f32>>, tensor<4x6xcomplex<f32>>
    }
    %122 = stablehlo.slice %4 [0:4, 0:1] : (tensor<4x6xcomplex<f32>>) -> tensor<4x1xcomplex<f32>>
    %123 = stablehlo.reshape %122 : (tensor<4x1xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0] : (tensor<4xcomplex<f32>>) -> tensor<4x1xcomplex<f32>>
    %125 = stablehlo.broadcast_in_dim %124, dims = [0, 1] : (tensor<4x1xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %126 = stablehlo.divide %4, %125 : tensor<4x6xcomplex<f32>>
    %127 = stablehlo.abs %4 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %128 = call @angle(%4) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %129 = stablehlo.compare EQ, %4, %4, FLOAT : (tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<4x6xi1>
    %130 = stablehlo.compare NE, %4, %6, FLOAT : (tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<4x6xi1>
    %cst_28 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %131 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<complex<f32>>) -> tensor<4x6xcomplex<f32>>
    %132 = stablehlo.divide %4, %131 : tensor<4x6xcomplex<f32>>
    %133 = stablehlo.real %132 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %134 = stablehlo.is_finite %133 : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %135 = stablehlo.imag %132 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %136 = stablehlo.is_finite %135 : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %137 = stablehlo.and %134, %136 : tensor<4x6xi1>
    %138 = stablehlo.real %7 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %139 = stablehlo.imag %7 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %140 = stablehlo.real %8 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %141 = stablehlo.imag %8 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %142 = stablehlo.real %9 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %143 = stablehlo.imag %9 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %144 = stablehlo.real %13 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %145 = stablehlo.imag %13 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %146 = stablehlo.real %14 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %147 = stablehlo.imag %14 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %148 = stablehlo.real %15 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %149 = stablehlo.imag %15 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %150 = stablehlo.real %16 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %151 = stablehlo.imag %16 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %152 = stablehlo.real %39 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %153 = stablehlo.imag %39 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %154 = stablehlo.real %63 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %155 = stablehlo.imag %63 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %156 = stablehlo.real %64 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %157 = stablehlo.imag %64 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %158 = stablehlo.real %67 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %159 = stablehlo.imag %67 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %160 = stablehlo.real %68 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %161 = stablehlo.imag %68 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %162 = stablehlo.real %69 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %163 = stablehlo.imag %69 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %164 = stablehlo.real %71 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %165 = stablehlo.imag %71 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %166 = stablehlo.real %72 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %167 = stablehlo.imag %72 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %168 = stablehlo.real %73 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %169 = stablehlo.imag %73 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %170 = stablehlo.real %74 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %171 = stablehlo.imag %74 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %172 = stablehlo.real %75 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %173 = stablehlo.imag %75 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %174 = stablehlo.real %76 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %175 = stablehlo.imag %76 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %176 = stablehlo.real %82 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %177 = stablehlo.imag %82 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %178 = stablehlo.real %83 : (tensor<6xcomplex<f32>>) -> tensor<6xf32>
    %179 = stablehlo.imag %83 : (tensor<6xcomplex<f32>>) -> tensor<6xf32>
    %180 = stablehlo.real %84 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %181 = stablehlo.imag %84 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %182 = stablehlo.real %85 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %183 = stablehlo.imag %85 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %184 = stablehlo.real %87 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %185 = stablehlo.imag %87 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %186 = stablehlo.real %89 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %187 = stablehlo.imag %89 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %188 = stablehlo.real %96 : (tensor<complex<f32>>) -> tensor<f32>
    %189 = stablehlo.imag %96 : (tensor<complex<f32>>) -> tensor<f32>
    %190 = stablehlo.real %97 : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xf32>
    %191 = stablehlo.imag %97 : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xf32>
    %192 = stablehlo.real %100 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %193 = stablehlo.imag %100 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %194 = stablehlo.real %107 : (tensor<2x6xcomplex<f32>>) -> tensor<2x6xf32>
    %195 = stablehlo.imag %107 : (tensor<2x6xcomplex<f32>>) -> tensor<2x6xf32>
    %196 = stablehlo.real %108 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %197 = stablehlo.imag %108 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %198 = stablehlo.real %111 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %199 = stablehlo.imag %111 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %200 = stablehlo.real %112 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %201 = stablehlo.imag %112 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %202 = stablehlo.real %113#3 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %203 = stablehlo.imag %113#3 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %204 = stablehlo.real %117 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %205 = stablehlo.imag %117 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %206 = stablehlo.real %121#2 : (tensor<6xcomplex<f32>>) -> tensor<6xf32>
    %207 = stablehlo.imag %121#2 : (tensor<6xcomplex<f32>>) -> tensor<6xf32>
    %208 = stablehlo.real %121#3 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %209 = stablehlo.imag %121#3 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %210 = stablehlo.real %126 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %211 = stablehlo.imag %126 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    return %127, %128, %129, %130, %137, %138, %139, %140, %141, %142, %143, %144, %145, %146, %147, %148, %149, %150, %151, %152, %153, %154, %155, %156, %157, %158, %159, %160, %161, %162, %163, %164, %165, %166, %167, %168, %169, %170, %171, %172, %173, %174, %175, %176, %177, %178, %179, %180, %181, %182, %183, %184, %185, %186, %187, %188, %189, %190, %191, %192, %193, %194, %195, %196, %197, %198, %199, %200, %201, %202, %203, %204, %205, %206, %207, %208, %209, %210, %211 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xi1>, tensor<4x6xi1>, tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
  }
  func.func private @cumsum(%arg0: tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>> {
    %0 = call @cumsum_0(%arg0) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    return %0 : tensor<4x6xcomplex<f32>>
  }
  func.func private @cumsum_0(%arg0: tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>> {
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<complex<f32>>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<complex<f32>>, %arg2: tensor<complex<f32>>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<complex<f32>>
      stablehlo.return %2 : tensor<complex<f32>>
    }) : (tensor<4x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x6xcomplex<f32>>
    return %1 : tensor<4x6xcomplex<f32>>
  }
  func.func private @_where(%arg0: tensor<4x6xi1>, %arg1: tensor<4x6xcomplex<f32>>, %arg2: tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x6xi1>, tensor<4x6xcomplex<f32>>
    return %0 : tensor<4x6xcomplex<f32>>
  }
  func.func private @_pad(%arg0: tensor<4x6xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<6x8xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<4x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<6x8xcomplex<f32>>
    return %1 : tensor<6x8xcomplex<f32>>
  }
  func.func private @sort(%arg0: tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<complex<f32>>, %arg2: tensor<complex<f32>>):
      %1 = stablehlo.real %arg1 : (tensor<complex<f32>>) -> tensor<f32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.compare EQ, %1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.select %2, %cst_0, %1 : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f32>
      %6 = stablehlo.imag %arg1 : (tensor<complex<f32>>) -> tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.compare EQ, %6, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %8 = stablehlo.select %7, %cst_3, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare NE, %6, %6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %10 = stablehlo.select %9, %cst_4, %8 : tensor<i1>, tensor<f32>
      %11 = stablehlo.real %arg2 : (tensor<complex<f32>>) -> tensor<f32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.compare EQ, %11, %cst_5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %13 = stablehlo.select %12, %cst_6, %11 : tensor<i1>, tensor<f32>
      %14 = stablehlo.compare NE, %11, %11, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_7 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %15 = stablehlo.select %14, %cst_7, %13 : tensor<i1>, tensor<f32>
      %16 = stablehlo.imag %arg2 : (tensor<complex<f32>>) -> tensor<f32>
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %17 = stablehlo.compare EQ, %16, %cst_8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %18 = stablehlo.select %17, %cst_9, %16 : tensor<i1>, tensor<f32>
      %19 = stablehlo.compare NE, %16, %16, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %20 = stablehlo.select %19, %cst_10, %18 : tensor<i1>, tensor<f32>
      %21 = stablehlo.compare LT, %10, %20, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %22 = stablehlo.compare LT, %5, %15, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %23 = stablehlo.compare EQ, %5, %15, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %24 = stablehlo.and %23, %21 : tensor<i1>
      %25 = stablehlo.or %22, %24 : tensor<i1>
      stablehlo.return %25 : tensor<i1>
    }) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    return %0 : tensor<4x6xcomplex<f32>>
  }
  func.func private @closed_call(%arg0: tensor<4x6xcomplex<f32>>, %arg1: tensor<i32>, %arg2: tensor<4x6xcomplex<f32>>) -> (tensor<i32>, tensor<4x6xcomplex<f32>>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.multiply %arg2, %arg0 : tensor<4x6xcomplex<f32>>
    %2 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<complex<f32>>) -> tensor<4x6xcomplex<f32>>
    %4 = stablehlo.add %1, %3 : tensor<4x6xcomplex<f32>>
    return %0, %4 : tensor<i32>, tensor<4x6xcomplex<f32>>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x6xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<6xcomplex<f32>> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 6] : (tensor<4x6xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<1x6xcomplex<f32>>
    %1 = stablehlo.reshape %0 : (tensor<1x6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
    return %1 : tensor<6xcomplex<f32>>
  }
  func.func private @closed_call_1(%arg0: tensor<6xcomplex<f32>>, %arg1: tensor<6xcomplex<f32>>) -> (tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<6xcomplex<f32>>
    %1 = stablehlo.add %arg0, %arg1 : tensor<6xcomplex<f32>>
    return %0, %1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x6xcomplex<f32>>, %arg1: tensor<6xcomplex<f32>>, %arg2: tensor<i32>) -> tensor<4x6xcomplex<f32>> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xcomplex<f32>>) -> tensor<1x6xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<4x6xcomplex<f32>>, tensor<1x6xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<4x6xcomplex<f32>>
    return %1 : tensor<4x6xcomplex<f32>>
  }
  func.func private @angle(%arg0: tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32> {
    %0 = stablehlo.real %arg0 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %1 = stablehlo.imag %arg0 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %2 = stablehlo.atan2 %1, %0 : tensor<4x6xf32>
    return %2 : tensor<4x6xf32>
  }
}
