module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x6xf32>, %arg1: tensor<6x6xf32>, %arg2: tensor<7xf32>, %arg3: tensor<7xi32>, %arg4: tensor<4x3x3xf32>) -> (tensor<7xf32> {jax.result_info = "result[0]"}, tensor<7xf32> {jax.result_info = "result[1]"}, tensor<6x6xf32> {jax.result_info = "result[2]"}, tensor<5x6xf32> {jax.result_info = "result[3]"}, tensor<5x6xf32> {jax.result_info = "result[4]"}, tensor<7xf32> {jax.result_info = "result[5]"}, tensor<6xf32> {jax.result_info = "result[6]"}, tensor<5x6xf32> {jax.result_info = "result[7]"}, tensor<5x6xf32> {jax.result_info = "result[8]"}, tensor<7xf32> {jax.result_info = "result[9]"}, tensor<7xf32> {jax.result_info = "result[10]"}, tensor<4x3x3xf32> {jax.result_info = "result[11]"}, tensor<5x6xf32> {jax.result_info = "result[12]"}, tensor<5x6xf32> {jax.result_info = "result[13]"}, tensor<5x6xf32> {jax.result_info = "result[14]"}, tensor<5x6xf32> {jax.result_info = "result[15]"}, tensor<5x6xf32> {jax.result_info = "result[16]"}, tensor<5x6xf32> {jax.result_info = "result[17]"}, tensor<5x6xf32> {jax.result_info = "result[18]"}, tensor<5x6xf32> {jax.result_info = "result[19]"}, tensor<5x6xf32> {jax.result_info = "result[20]"}, tensor<5x6xf32> {jax.result_info = "result[21]"}, tensor<5x6xf32> {jax.result_info = "result[22]"}) {
    %0 = stablehlo.abs %arg2 : tensor<7xf32>
    %1 = stablehlo.while(%iterArg = %0) : tensor<7xf32>
    cond {
      %cst_180 = stablehlo.constant dense<5.000000e+01> : tensor<f32>
      %603 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<7xf32>
      %604 = stablehlo.compare LT, %iterArg, %603, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
      %c_181 = stablehlo.constant dense<false> : tensor<i1>
      %605 = stablehlo.reduce(%604 init: %c_181) applies stablehlo.or across dimensions = [0] : (tensor<7xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %605 : tensor<i1>
    } do {
      %cst_180 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
      %603 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<7xf32>
      %604 = stablehlo.multiply %iterArg, %603 : tensor<7xf32>
      %cst_181 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %605 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<7xf32>
      %606 = stablehlo.add %604, %605 : tensor<7xf32>
      %cst_182 = stablehlo.constant dense<5.000000e+01> : tensor<f32>
      %607 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<7xf32>
      %608 = stablehlo.compare LT, %iterArg, %607, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
      %609 = stablehlo.broadcast_in_dim %608, dims = [0] : (tensor<7xi1>) -> tensor<7xi1>
      %610 = stablehlo.select %609, %606, %iterArg : tensor<7xi1>, tensor<7xf32>
      stablehlo.return %610 : tensor<7xf32>
    }
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %3:3 = stablehlo.while(%iterArg = %arg3, %iterArg_180 = %arg2, %iterArg_181 = %2) : tensor<7xi32>, tensor<7xf32>, tensor<7xi32>
    cond {
      %603 = stablehlo.convert %iterArg_181 : tensor<7xi32>
      %604 = stablehlo.compare LT, %603, %iterArg, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
      %c_182 = stablehlo.constant dense<false> : tensor<i1>
      %605 = stablehlo.reduce(%604 init: %c_182) applies stablehlo.or across dimensions = [0] : (tensor<7xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %605 : tensor<i1>
    } do {
      %cst_182 = stablehlo.constant dense<1.100000e+00> : tensor<f32>
      %603 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<7xf32>
      %604 = stablehlo.multiply %iterArg_180, %603 : tensor<7xf32>
      %c_183 = stablehlo.constant dense<1> : tensor<i32>
      %605 = stablehlo.broadcast_in_dim %c_183, dims = [] : (tensor<i32>) -> tensor<7xi32>
      %606 = stablehlo.add %iterArg_181, %605 : tensor<7xi32>
      %607 = stablehlo.convert %iterArg_181 : tensor<7xi32>
      %608 = stablehlo.compare LT, %607, %iterArg, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
      %609 = stablehlo.broadcast_in_dim %608, dims = [0] : (tensor<7xi1>) -> tensor<7xi1>
      %610 = stablehlo.select %609, %604, %iterArg_180 : tensor<7xi1>, tensor<7xf32>
      %611 = stablehlo.broadcast_in_dim %608, dims = [0] : (tensor<7xi1>) -> tensor<7xi1>
      %612 = stablehlo.select %611, %606, %iterArg_181 : tensor<7xi1>, tensor<7xi32>
      stablehlo.return %iterArg, %610, %612 : tensor<7xi32>, tensor<7xf32>, tensor<7xi32>
    }
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %9:8 = stablehlo.while(%iterArg = %arg0, %iterArg_180 = %arg1, %iterArg_181 = %c_4, %iterArg_182 = %4, %iterArg_183 = %5, %iterArg_184 = %6, %iterArg_185 = %7, %iterArg_186 = %8) : tensor<5x6xf32>, tensor<6x6xf32>, tensor<i32>, tensor<6xf32>, tensor<5xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>
    cond {
      %c_187 = stablehlo.constant dense<5> : tensor<i32>
      %603 = stablehlo.compare LT, %iterArg_181, %c_187, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %603 : tensor<i1>
    } do {
      %603 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_181) : (tensor<5x6xf32>, tensor<i32>) -> tensor<6xf32>
      %604:5 = func.call @closed_call(%iterArg_180, %iterArg_182, %603) : (tensor<6x6xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>, tensor<f32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>)
      %605 = func.call @dynamic_update_index_in_dim(%iterArg_183, %604#1, %iterArg_181) : (tensor<5xf32>, tensor<f32>, tensor<i32>) -> tensor<5xf32>
      %606 = func.call @dynamic_update_index_in_dim_0(%iterArg_184, %604#2, %iterArg_181) : (tensor<5x6xf32>, tensor<6xf32>, tensor<i32>) -> tensor<5x6xf32>
      %607 = func.call @dynamic_update_index_in_dim_0(%iterArg_185, %604#3, %iterArg_181) : (tensor<5x6xf32>, tensor<6xf32>, tensor<i32>) -> tensor<5x6xf32>
      %608 = func.call @dynamic_update_index_in_dim_0(%iterArg_186, %604#4, %iterArg_181) : (tensor<5x6xf32>, tensor<6xf32>, tensor<i32>) -> tensor<5x6xf32>
      %c_187 = stablehlo.constant dense<1> : tensor<i32>
      %609 = stablehlo.add %iterArg_181, %c_187 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_180, %609, %604#0, %605, %606, %607, %608 : tensor<5x6xf32>, tensor<6x6xf32>, tensor<i32>, tensor<6xf32>, tensor<5xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>
    }
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9#4 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %16:9 = stablehlo.while(%iterArg = %12, %iterArg_180 = %9#5, %iterArg_181 = %9#6, %iterArg_182 = %9#7, %iterArg_183 = %arg1, %iterArg_184 = %c_11, %iterArg_185 = %14, %iterArg_186 = %13, %iterArg_187 = %15) : tensor<5xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<6x6xf32>, tensor<i32>, tensor<6x6xf32>, tensor<6xf32>, tensor<5x6xf32>
    cond {
      %c_188 = stablehlo.constant dense<5> : tensor<i32>
      %603 = stablehlo.compare LT, %iterArg_184, %c_188, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %603 : tensor<i1>
    } do {
      %c_188 = stablehlo.constant dense<5> : tensor<i32>
      %603 = stablehlo.subtract %c_188, %iterArg_184 : tensor<i32>
      %c_189 = stablehlo.constant dense<1> : tensor<i32>
      %604 = stablehlo.subtract %603, %c_189 : tensor<i32>
      %605 = func.call @dynamic_index_in_dim_1(%iterArg, %604) : (tensor<5xf32>, tensor<i32>) -> tensor<f32>
      %606 = func.call @dynamic_index_in_dim(%iterArg_180, %604) : (tensor<5x6xf32>, tensor<i32>) -> tensor<6xf32>
      %607 = func.call @dynamic_index_in_dim(%iterArg_181, %604) : (tensor<5x6xf32>, tensor<i32>) -> tensor<6xf32>
      %608 = func.call @dynamic_index_in_dim(%iterArg_182, %604) : (tensor<5x6xf32>, tensor<i32>) -> tensor<6xf32>
      %609:3 = func.call @closed_call_2(%iterArg_183, %iterArg_185, %iterArg_186, %605, %606, %607, %608) : (tensor<6x6xf32>, tensor<6x6xf32>, tensor<6xf32>, tensor<f32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<6x6xf32>, tensor<6xf32>, tensor<6xf32>)
      %610 = func.call @dynamic_update_index_in_dim_0(%iterArg_187, %609#2, %604) : (tensor<5x6xf32>, tensor<6xf32>, tensor<i32>) -> tensor<5x6xf32>
      %c_190 = stablehlo.constant dense<1> : tensor<i32>
      %611 = stablehlo.add %iterArg_184, %c_190 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_180, %iterArg_181, %iterArg_182, %iterArg_183, %611, %609#0, %609#1, %610 : tensor<5xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<6x6xf32>, tensor<i32>, tensor<6x6xf32>, tensor<6xf32>, tensor<5x6xf32>
    }
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%arg0 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.compare GT, %17, %cst_13, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %19 = stablehlo.convert %18 : (tensor<i1>) -> tensor<i32>
    %20:2 = "stablehlo.case"(%19) ({
      %603 = stablehlo.sine %arg0 : tensor<5x6xf32>
      %604 = stablehlo.cosine %arg0 : tensor<5x6xf32>
      %cst_180 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %605 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
      stablehlo.return %603, %604 : tensor<5x6xf32>, tensor<5x6xf32>
    }, {
      %603 = stablehlo.multiply %arg0, %arg0 : tensor<5x6xf32>
      %cst_180 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %604 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
      %605 = stablehlo.multiply %604, %arg0 : tensor<5x6xf32>
      %cst_181 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %606 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
      stablehlo.return %603, %605 : tensor<5x6xf32>, tensor<5x6xf32>
    }) : (tensor<i32>) -> (tensor<5x6xf32>, tensor<5x6xf32>)
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20#0 init: %cst_14) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %23 = "stablehlo.case"(%19) ({
      %603 = stablehlo.multiply %22, %20#1 : tensor<5x6xf32>
      stablehlo.return %603 : tensor<5x6xf32>
    }, {
      %603 = stablehlo.multiply %22, %20#1 : tensor<5x6xf32>
      stablehlo.return %603 : tensor<5x6xf32>
    }) : (tensor<i32>) -> tensor<5x6xf32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %c_17 = stablehlo.constant dense<2> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %25 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %26 = stablehlo.clamp %24, %arg3, %25 : tensor<7xi32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %28 = stablehlo.compare EQ, %26, %27, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %29 = stablehlo.select %28, %arg2, %arg2 : tensor<7xi1>, tensor<7xf32>
    %30 = stablehlo.sine %29 : tensor<7xf32>
    %c_19 = stablehlo.constant dense<1> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %32 = stablehlo.compare EQ, %26, %31, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %33 = stablehlo.select %32, %arg2, %arg2 : tensor<7xi1>, tensor<7xf32>
    %34 = stablehlo.cosine %33 : tensor<7xf32>
    %c_20 = stablehlo.constant dense<2> : tensor<i32>
    %35 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %36 = stablehlo.compare EQ, %26, %35, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %37 = stablehlo.select %36, %arg2, %arg2 : tensor<7xi1>, tensor<7xf32>
    %38 = stablehlo.multiply %37, %37 : tensor<7xf32>
    %c_21 = stablehlo.constant dense<1> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %40 = stablehlo.compare LT, %26, %39, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %c_22 = stablehlo.constant dense<2> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %42 = stablehlo.compare LT, %26, %41, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %43 = stablehlo.select %42, %34, %38 : tensor<7xi1>, tensor<7xf32>
    %44 = stablehlo.select %40, %30, %43 : tensor<7xi1>, tensor<7xf32>
    %45 = stablehlo.slice %arg0 [0:1, 0:6] : (tensor<5x6xf32>) -> tensor<1x6xf32>
    %46 = stablehlo.reshape %45 : (tensor<1x6xf32>) -> tensor<6xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %48:4 = stablehlo.while(%iterArg = %arg0, %iterArg_180 = %c_24, %iterArg_181 = %46, %iterArg_182 = %47) : tensor<5x6xf32>, tensor<i32>, tensor<6xf32>, tensor<5x6xf32>
    cond {
      %c_183 = stablehlo.constant dense<5> : tensor<i32>
      %603 = stablehlo.compare LT, %iterArg_180, %c_183, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %603 : tensor<i1>
    } do {
      %603 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_180) : (tensor<5x6xf32>, tensor<i32>) -> tensor<6xf32>
      %604:2 = func.call @closed_call_3(%iterArg_181, %603) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>)
      %605 = func.call @dynamic_update_index_in_dim_0(%iterArg_182, %604#1, %iterArg_180) : (tensor<5x6xf32>, tensor<6xf32>, tensor<i32>) -> tensor<5x6xf32>
      %c_183 = stablehlo.constant dense<1> : tensor<i32>
      %606 = stablehlo.add %iterArg_180, %c_183 : tensor<i32>
      stablehlo.return %iterArg, %606, %604#0, %605 : tensor<5x6xf32>, tensor<i32>, tensor<6xf32>, tensor<5x6xf32>
    }
    %49 = stablehlo.slice %arg0 [0:1, 0:6] : (tensor<5x6xf32>) -> tensor<1x6xf32>
    %50 = stablehlo.reshape %49 : (tensor<1x6xf32>) -> tensor<6xf32>
    %51 = stablehlo.slice %arg0 [0:4, 0:6] : (tensor<5x6xf32>) -> tensor<4x6xf32>
    %52 = stablehlo.slice %arg0 [4:5, 0:6] : (tensor<5x6xf32>) -> tensor<1x6xf32>
    %53 = stablehlo.reshape %51 : (tensor<4x6xf32>) -> tensor<2x2x6xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x2x6xf32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %55:4 = stablehlo.while(%iterArg = %53, %iterArg_180 = %c_26, %iterArg_181 = %50, %iterArg_182 = %54) : tensor<2x2x6xf32>, tensor<i32>, tensor<6xf32>, tensor<2x2x6xf32>
    cond {
      %c_183 = stablehlo.constant dense<2> : tensor<i32>
      %603 = stablehlo.compare LT, %iterArg_180, %c_183, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %603 : tensor<i1>
    } do {
      %603 = func.call @dynamic_index_in_dim_7(%iterArg, %iterArg_180) : (tensor<2x2x6xf32>, tensor<i32>) -> tensor<2x6xf32>
      %604 = stablehlo.slice %603 [0:1, 0:6] : (tensor<2x6xf32>) -> tensor<1x6xf32>
      %605 = stablehlo.reshape %604 : (tensor<1x6xf32>) -> tensor<6xf32>
      %606:2 = func.call @closed_call_8(%iterArg_181, %605) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>)
      %607 = stablehlo.slice %603 [1:2, 0:6] : (tensor<2x6xf32>) -> tensor<1x6xf32>
      %608 = stablehlo.reshape %607 : (tensor<1x6xf32>) -> tensor<6xf32>
      %609:2 = func.call @closed_call_8(%606#0, %608) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>)
      %610 = stablehlo.broadcast_in_dim %606#1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
      %611 = stablehlo.broadcast_in_dim %609#1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
      %612 = stablehlo.concatenate %610, %611, dim = 0 : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<2x6xf32>
      %613 = func.call @dynamic_update_index_in_dim_9(%iterArg_182, %612, %iterArg_180) : (tensor<2x2x6xf32>, tensor<2x6xf32>, tensor<i32>) -> tensor<2x2x6xf32>
      %c_183 = stablehlo.constant dense<1> : tensor<i32>
      %614 = stablehlo.add %iterArg_180, %c_183 : tensor<i32>
      stablehlo.return %iterArg, %614, %609#0, %613 : tensor<2x2x6xf32>, tensor<i32>, tensor<6xf32>, tensor<2x2x6xf32>
    }
    %56 = stablehlo.reshape %55#3 : (tensor<2x2x6xf32>) -> tensor<4x6xf32>
    %57 = stablehlo.slice %52 [0:1, 0:6] : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %58 = stablehlo.reshape %57 : (tensor<1x6xf32>) -> tensor<6xf32>
    %59:2 = call @closed_call_8(%55#2, %58) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>)
    %60 = stablehlo.broadcast_in_dim %59#1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %61 = stablehlo.concatenate %56, %60, dim = 0 : (tensor<4x6xf32>, tensor<1x6xf32>) -> tensor<5x6xf32>
    %62 = stablehlo.reverse %arg2, dims = [0] : tensor<7xf32>
    %63 = stablehlo.slice %arg2 [0:6:2] : (tensor<7xf32>) -> tensor<3xf32>
    %64 = stablehlo.slice %62 [0:6:2] : (tensor<7xf32>) -> tensor<3xf32>
    %65 = stablehlo.slice %arg2 [1:7:2] : (tensor<7xf32>) -> tensor<3xf32>
    %66 = stablehlo.slice %62 [1:7:2] : (tensor<7xf32>) -> tensor<3xf32>
    %67 = stablehlo.multiply %63, %65 : tensor<3xf32>
    %68 = stablehlo.multiply %64, %65 : tensor<3xf32>
    %69 = stablehlo.add %68, %66 : tensor<3xf32>
    %70 = stablehlo.slice %67 [0:2:2] : (tensor<3xf32>) -> tensor<1xf32>
    %71 = stablehlo.slice %69 [0:2:2] : (tensor<3xf32>) -> tensor<1xf32>
    %72 = stablehlo.slice %67 [1:3:2] : (tensor<3xf32>) -> tensor<1xf32>
    %73 = stablehlo.slice %69 [1:3:2] : (tensor<3xf32>) -> tensor<1xf32>
    %74 = stablehlo.multiply %70, %72 : tensor<1xf32>
    %75 = stablehlo.multiply %71, %72 : tensor<1xf32>
    %76 = stablehlo.add %75, %73 : tensor<1xf32>
    %77 = stablehlo.slice %67 [2:3:2] : (tensor<3xf32>) -> tensor<1xf32>
    %78 = stablehlo.slice %69 [2:3:2] : (tensor<3xf32>) -> tensor<1xf32>
    %79 = stablehlo.multiply %74, %77 : tensor<1xf32>
    %80 = stablehlo.multiply %76, %77 : tensor<1xf32>
    %81 = stablehlo.add %80, %78 : tensor<1xf32>
    %82 = stablehlo.slice %67 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %83 = stablehlo.concatenate %82, %79, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %84 = stablehlo.slice %69 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %85 = stablehlo.concatenate %84, %81, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.pad %83, %cst_27, low = [0], high = [0], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.pad %74, %cst_28, low = [1], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %88 = stablehlo.add %86, %87 : tensor<3xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = stablehlo.pad %85, %cst_29, low = [0], high = [0], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.pad %76, %cst_30, low = [1], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %91 = stablehlo.add %89, %90 : tensor<3xf32>
    %92 = stablehlo.slice %arg2 [2:7:2] : (tensor<7xf32>) -> tensor<3xf32>
    %93 = stablehlo.slice %62 [2:7:2] : (tensor<7xf32>) -> tensor<3xf32>
    %94 = stablehlo.multiply %88, %92 : tensor<3xf32>
    %95 = stablehlo.multiply %91, %92 : tensor<3xf32>
    %96 = stablehlo.add %95, %93 : tensor<3xf32>
    %97 = stablehlo.slice %arg2 [0:1] : (tensor<7xf32>) -> tensor<1xf32>
    %98 = stablehlo.concatenate %97, %94, dim = 0 : (tensor<1xf32>, tensor<3xf32>) -> tensor<4xf32>
    %99 = stablehlo.slice %62 [0:1] : (tensor<7xf32>) -> tensor<1xf32>
    %100 = stablehlo.concatenate %99, %96, dim = 0 : (tensor<1xf32>, tensor<3xf32>) -> tensor<4xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %101 = stablehlo.pad %98, %cst_31, low = [0], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.pad %88, %cst_32, low = [1], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<7xf32>
    %103 = stablehlo.add %101, %102 : tensor<7xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.pad %100, %cst_33, low = [0], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.pad %91, %cst_34, low = [1], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<7xf32>
    %106 = stablehlo.add %104, %105 : tensor<7xf32>
    %107 = stablehlo.slice %arg4 [0:3:2, 0:3, 0:3] : (tensor<4x3x3xf32>) -> tensor<2x3x3xf32>
    %108 = stablehlo.slice %arg4 [1:4:2, 0:3, 0:3] : (tensor<4x3x3xf32>) -> tensor<2x3x3xf32>
    %109 = stablehlo.dot_general %107, %108, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %110 = stablehlo.slice %109 [0:1:2, 0:3, 0:3] : (tensor<2x3x3xf32>) -> tensor<1x3x3xf32>
    %111 = stablehlo.slice %109 [1:2:2, 0:3, 0:3] : (tensor<2x3x3xf32>) -> tensor<1x3x3xf32>
    %112 = stablehlo.reshape %110 : (tensor<1x3x3xf32>) -> tensor<3x3xf32>
    %113 = stablehlo.reshape %111 : (tensor<1x3x3xf32>) -> tensor<3x3xf32>
    %114 = stablehlo.dot_general %112, %113, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<1x3x3xf32>
    %116 = stablehlo.slice %115 [0:0, 0:3, 0:3] : (tensor<1x3x3xf32>) -> tensor<0x3x3xf32>
    %117 = stablehlo.slice %109 [2:2:2, 0:3, 0:3] : (tensor<2x3x3xf32>) -> tensor<0x3x3xf32>
    %118 = stablehlo.dot_general %116, %117, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<0x3x3xf32>, tensor<0x3x3xf32>) -> tensor<0x3x3xf32>
    %119 = stablehlo.slice %109 [0:1, 0:3, 0:3] : (tensor<2x3x3xf32>) -> tensor<1x3x3xf32>
    %120 = stablehlo.concatenate %119, %118, dim = 0 : (tensor<1x3x3xf32>, tensor<0x3x3xf32>) -> tensor<1x3x3xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.pad %120, %cst_35, low = [0, 0, 0], high = [1, 0, 0], interior = [1, 0, 0] : (tensor<1x3x3xf32>, tensor<f32>) -> tensor<2x3x3xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %122 = stablehlo.pad %115, %cst_36, low = [1, 0, 0], high = [0, 0, 0], interior = [1, 0, 0] : (tensor<1x3x3xf32>, tensor<f32>) -> tensor<2x3x3xf32>
    %123 = stablehlo.add %121, %122 : tensor<2x3x3xf32>
    %124 = stablehlo.slice %123 [0:1, 0:3, 0:3] : (tensor<2x3x3xf32>) -> tensor<1x3x3xf32>
    %125 = stablehlo.slice %arg4 [2:4:2, 0:3, 0:3] : (tensor<4x3x3xf32>) -> tensor<1x3x3xf32>
    %126 = stablehlo.reshape %124 : (tensor<1x3x3xf32>) -> tensor<3x3xf32>
    %127 = stablehlo.reshape %125 : (tensor<1x3x3xf32>) -> tensor<3x3xf32>
    %128 = stablehlo.dot_general %126, %127, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<1x3x3xf32>
    %130 = stablehlo.slice %arg4 [0:1, 0:3, 0:3] : (tensor<4x3x3xf32>) -> tensor<1x3x3xf32>
    %131 = stablehlo.concatenate %130, %129, dim = 0 : (tensor<1x3x3xf32>, tensor<1x3x3xf32>) -> tensor<2x3x3xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.pad %131, %cst_37, low = [0, 0, 0], high = [1, 0, 0], interior = [1, 0, 0] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<4x3x3xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %133 = stablehlo.pad %123, %cst_38, low = [1, 0, 0], high = [0, 0, 0], interior = [1, 0, 0] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<4x3x3xf32>
    %134 = stablehlo.add %132, %133 : tensor<4x3x3xf32>
    %135 = stablehlo.reverse %arg0, dims = [1] : tensor<5x6xf32>
    %136 = stablehlo.slice %135 [0:5, 0:5:2] : (tensor<5x6xf32>) -> tensor<5x3xf32>
    %137 = stablehlo.slice %135 [0:5, 1:6:2] : (tensor<5x6xf32>) -> tensor<5x3xf32>
    %138 = stablehlo.maximum %136, %137 : tensor<5x3xf32>
    %139 = stablehlo.subtract %136, %137 : tensor<5x3xf32>
    %140 = stablehlo.compare NE, %139, %139, FLOAT : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xi1>
    %141 = stablehlo.add %136, %137 : tensor<5x3xf32>
    %142 = stablehlo.abs %139 : tensor<5x3xf32>
    %143 = stablehlo.negate %142 : tensor<5x3xf32>
    %144 = stablehlo.exponential %143 : tensor<5x3xf32>
    %145 = stablehlo.log_plus_one %144 : tensor<5x3xf32>
    %146 = stablehlo.add %138, %145 : tensor<5x3xf32>
    %147 = stablehlo.select %140, %141, %146 : tensor<5x3xi1>, tensor<5x3xf32>
    %148 = stablehlo.slice %147 [0:5, 0:2:2] : (tensor<5x3xf32>) -> tensor<5x1xf32>
    %149 = stablehlo.slice %147 [0:5, 1:3:2] : (tensor<5x3xf32>) -> tensor<5x1xf32>
    %150 = stablehlo.maximum %148, %149 : tensor<5x1xf32>
    %151 = stablehlo.subtract %148, %149 : tensor<5x1xf32>
    %152 = stablehlo.compare NE, %151, %151, FLOAT : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x1xi1>
    %153 = stablehlo.add %148, %149 : tensor<5x1xf32>
    %154 = stablehlo.abs %151 : tensor<5x1xf32>
    %155 = stablehlo.negate %154 : tensor<5x1xf32>
    %156 = stablehlo.exponential %155 : tensor<5x1xf32>
    %157 = stablehlo.log_plus_one %156 : tensor<5x1xf32>
    %158 = stablehlo.add %150, %157 : tensor<5x1xf32>
    %159 = stablehlo.select %152, %153, %158 : tensor<5x1xi1>, tensor<5x1xf32>
    %160 = stablehlo.slice %147 [0:5, 2:3:2] : (tensor<5x3xf32>) -> tensor<5x1xf32>
    %161 = stablehlo.maximum %159, %160 : tensor<5x1xf32>
    %162 = stablehlo.subtract %159, %160 : tensor<5x1xf32>
    %163 = stablehlo.compare NE, %162, %162, FLOAT : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x1xi1>
    %164 = stablehlo.add %159, %160 : tensor<5x1xf32>
    %165 = stablehlo.abs %162 : tensor<5x1xf32>
    %166 = stablehlo.negate %165 : tensor<5x1xf32>
    %167 = stablehlo.exponential %166 : tensor<5x1xf32>
    %168 = stablehlo.log_plus_one %167 : tensor<5x1xf32>
    %169 = stablehlo.add %161, %168 : tensor<5x1xf32>
    %170 = stablehlo.select %163, %164, %169 : tensor<5x1xi1>, tensor<5x1xf32>
    %171 = stablehlo.slice %147 [0:5, 0:1] : (tensor<5x3xf32>) -> tensor<5x1xf32>
    %172 = stablehlo.concatenate %171, %170, dim = 1 : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %173 = stablehlo.pad %172, %cst_39, low = [0, 0], high = [0, 0], interior = [0, 1] : (tensor<5x2xf32>, tensor<f32>) -> tensor<5x3xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %174 = stablehlo.pad %159, %cst_40, low = [0, 1], high = [0, 1], interior = [0, 1] : (tensor<5x1xf32>, tensor<f32>) -> tensor<5x3xf32>
    %175 = stablehlo.add %173, %174 : tensor<5x3xf32>
    %176 = stablehlo.slice %175 [0:5, 0:2] : (tensor<5x3xf32>) -> tensor<5x2xf32>
    %177 = stablehlo.slice %135 [0:5, 2:6:2] : (tensor<5x6xf32>) -> tensor<5x2xf32>
    %178 = stablehlo.maximum %176, %177 : tensor<5x2xf32>
    %179 = stablehlo.subtract %176, %177 : tensor<5x2xf32>
    %180 = stablehlo.compare NE, %179, %179, FLOAT : (tensor<5x2xf32>, tensor<5x2xf32>) -> tensor<5x2xi1>
    %181 = stablehlo.add %176, %177 : tensor<5x2xf32>
    %182 = stablehlo.abs %179 : tensor<5x2xf32>
    %183 = stablehlo.negate %182 : tensor<5x2xf32>
    %184 = stablehlo.exponential %183 : tensor<5x2xf32>
    %185 = stablehlo.log_plus_one %184 : tensor<5x2xf32>
    %186 = stablehlo.add %178, %185 : tensor<5x2xf32>
    %187 = stablehlo.select %180, %181, %186 : tensor<5x2xi1>, tensor<5x2xf32>
    %188 = stablehlo.slice %135 [0:5, 0:1] : (tensor<5x6xf32>) -> tensor<5x1xf32>
    %189 = stablehlo.concatenate %188, %187, dim = 1 : (tensor<5x1xf32>, tensor<5x2xf32>) -> tensor<5x3xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %190 = stablehlo.pad %189, %cst_41, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<5x6xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %191 = stablehlo.pad %175, %cst_42, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<5x6xf32>
    %192 = stablehlo.add %190, %191 : tensor<5x6xf32>
    %193 = stablehlo.reverse %192, dims = [1] : tensor<5x6xf32>
    %c_43 = stablehlo.constant dense<0> : tensor<i32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<3x5x6xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<3x5x6xf32>
    %c_46 = stablehlo.constant dense<0> : tensor<i32>
    %196:6 = stablehlo.while(%iterArg = %arg0, %iterArg_180 = %c_46, %iterArg_181 = %c_43, %iterArg_182 = %arg0, %iterArg_183 = %194, %iterArg_184 = %195) : tensor<5x6xf32>, tensor<i32>, tensor<i32>, tensor<5x6xf32>, tensor<3x5x6xf32>, tensor<3x5x6xf32>
    cond {
      %c_185 = stablehlo.constant dense<3> : tensor<i32>
      %603 = stablehlo.compare LT, %iterArg_180, %c_185, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %603 : tensor<i1>
    } do {
      %603:4 = func.call @closed_call_10(%iterArg, %iterArg_181, %iterArg_182) : (tensor<5x6xf32>, tensor<i32>, tensor<5x6xf32>) -> (tensor<i32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>)
      %604 = func.call @dynamic_update_index_in_dim_11(%iterArg_183, %603#2, %iterArg_180) : (tensor<3x5x6xf32>, tensor<5x6xf32>, tensor<i32>) -> tensor<3x5x6xf32>
      %605 = func.call @dynamic_update_index_in_dim_11(%iterArg_184, %603#3, %iterArg_180) : (tensor<3x5x6xf32>, tensor<5x6xf32>, tensor<i32>) -> tensor<3x5x6xf32>
      %c_185 = stablehlo.constant dense<1> : tensor<i32>
      %606 = stablehlo.add %iterArg_180, %c_185 : tensor<i32>
      stablehlo.return %iterArg, %606, %603#0, %603#1, %604, %605 : tensor<5x6xf32>, tensor<i32>, tensor<i32>, tensor<5x6xf32>, tensor<3x5x6xf32>, tensor<3x5x6xf32>
    }
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %197 = stablehlo.reduce(%196#3 init: %cst_47) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %c_50 = stablehlo.constant dense<0> : tensor<i32>
    %200:6 = stablehlo.while(%iterArg = %196#4, %iterArg_180 = %196#5, %iterArg_181 = %arg0, %iterArg_182 = %c_50, %iterArg_183 = %199, %iterArg_184 = %198) : tensor<3x5x6xf32>, tensor<3x5x6xf32>, tensor<5x6xf32>, tensor<i32>, tensor<5x6xf32>, tensor<5x6xf32>
    cond {
      %c_185 = stablehlo.constant dense<3> : tensor<i32>
      %603 = stablehlo.compare LT, %iterArg_182, %c_185, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %603 : tensor<i1>
    } do {
      %c_185 = stablehlo.constant dense<3> : tensor<i32>
      %603 = stablehlo.subtract %c_185, %iterArg_182 : tensor<i32>
      %c_186 = stablehlo.constant dense<1> : tensor<i32>
      %604 = stablehlo.subtract %603, %c_186 : tensor<i32>
      %605 = func.call @dynamic_index_in_dim_12(%iterArg, %604) : (tensor<3x5x6xf32>, tensor<i32>) -> tensor<5x6xf32>
      %606 = func.call @dynamic_index_in_dim_12(%iterArg_180, %604) : (tensor<3x5x6xf32>, tensor<i32>) -> tensor<5x6xf32>
      %607:2 = func.call @closed_call_13(%iterArg_181, %iterArg_183, %iterArg_184, %605, %606) : (tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>) -> (tensor<5x6xf32>, tensor<5x6xf32>)
      %c_187 = stablehlo.constant dense<1> : tensor<i32>
      %608 = stablehlo.add %iterArg_182, %c_187 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_180, %iterArg_181, %608, %607#0, %607#1 : tensor<3x5x6xf32>, tensor<3x5x6xf32>, tensor<5x6xf32>, tensor<i32>, tensor<5x6xf32>, tensor<5x6xf32>
    }
    %201 = stablehlo.add %200#4, %200#5 : tensor<5x6xf32>
    %202 = stablehlo.exponential %arg0 : tensor<5x6xf32>
    %203 = stablehlo.sine %202 : tensor<5x6xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %204 = stablehlo.reduce(%203 init: %cst_51) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %206:2 = stablehlo.optimization_barrier %arg0, %205 : tensor<5x6xf32>, tensor<5x6xf32>
    %207 = stablehlo.exponential %206#0 : tensor<5x6xf32>
    %208 = stablehlo.cosine %207 : tensor<5x6xf32>
    %209 = stablehlo.multiply %206#1, %208 : tensor<5x6xf32>
    %210 = stablehlo.multiply %209, %207 : tensor<5x6xf32>
    %211 = call @cumsum(%arg0) : (tensor<5x6xf32>) -> tensor<5x6xf32>
    %212 = call @cumprod(%arg0) : (tensor<5x6xf32>) -> tensor<5x6xf32>
    %213 = call @cummax(%arg0) : (tensor<5x6xf32>) -> tensor<5x6xf32>
    %214 = call @cummin(%arg0) : (tensor<5x6xf32>) -> tensor<5x6xf32>
    %215 = call @cumsum_14(%arg0) : (tensor<5x6xf32>) -> tensor<5x6xf32>
    %216 = stablehlo.multiply %215, %215 : tensor<5x6xf32>
    %cst_53 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %218 = stablehlo.multiply %217, %215 : tensor<5x6xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %219 = stablehlo.reduce(%216 init: %cst_54) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %221 = stablehlo.multiply %220, %218 : tensor<5x6xf32>
    %222 = call @cumsum_15(%221) : (tensor<5x6xf32>) -> tensor<5x6xf32>
    %223 = stablehlo.slice %arg0 [0:4:2, 0:6] : (tensor<5x6xf32>) -> tensor<2x6xf32>
    %224 = stablehlo.slice %arg0 [1:5:2, 0:6] : (tensor<5x6xf32>) -> tensor<2x6xf32>
    %225 = stablehlo.multiply %223, %224 : tensor<2x6xf32>
    %226 = stablehlo.slice %225 [0:1:2, 0:6] : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %227 = stablehlo.slice %225 [1:2:2, 0:6] : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %228 = stablehlo.multiply %226, %227 : tensor<1x6xf32>
    %229 = stablehlo.slice %228 [0:0, 0:6] : (tensor<1x6xf32>) -> tensor<0x6xf32>
    %230 = stablehlo.slice %225 [2:2:2, 0:6] : (tensor<2x6xf32>) -> tensor<0x6xf32>
    %231 = stablehlo.multiply %229, %230 : tensor<0x6xf32>
    %232 = stablehlo.slice %225 [0:1, 0:6] : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %233 = stablehlo.concatenate %232, %231, dim = 0 : (tensor<1x6xf32>, tensor<0x6xf32>) -> tensor<1x6xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %234 = stablehlo.pad %233, %cst_56, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %235 = stablehlo.pad %228, %cst_57, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %236 = stablehlo.add %234, %235 : tensor<2x6xf32>
    %237 = stablehlo.slice %arg0 [2:5:2, 0:6] : (tensor<5x6xf32>) -> tensor<2x6xf32>
    %238 = stablehlo.multiply %236, %237 : tensor<2x6xf32>
    %239 = stablehlo.slice %arg0 [0:1, 0:6] : (tensor<5x6xf32>) -> tensor<1x6xf32>
    %240 = stablehlo.concatenate %239, %238, dim = 0 : (tensor<1x6xf32>, tensor<2x6xf32>) -> tensor<3x6xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %241 = stablehlo.pad %240, %cst_58, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<3x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %242 = stablehlo.pad %236, %cst_59, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %243 = stablehlo.add %241, %242 : tensor<5x6xf32>
    %244 = stablehlo.multiply %243, %243 : tensor<5x6xf32>
    %cst_60 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %246 = stablehlo.multiply %245, %243 : tensor<5x6xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %247 = stablehlo.reduce(%244 init: %cst_61) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %249 = stablehlo.multiply %248, %246 : tensor<5x6xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %250 = stablehlo.pad %249, %cst_63, low = [-1, 0], high = [-1, 0], interior = [0, 0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<3x6xf32>
    %251 = stablehlo.slice %250 [0:3:2, 0:6] : (tensor<3x6xf32>) -> tensor<2x6xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %252 = stablehlo.pad %249, %cst_64, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %253 = stablehlo.slice %252 [0:5:2, 0:6] : (tensor<5x6xf32>) -> tensor<3x6xf32>
    %254 = stablehlo.slice %253 [0:1, 0:6] : (tensor<3x6xf32>) -> tensor<1x6xf32>
    %255 = stablehlo.slice %253 [1:3, 0:6] : (tensor<3x6xf32>) -> tensor<2x6xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %256 = stablehlo.pad %254, %cst_65, low = [0, 0], high = [4, 0], interior = [0, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %257 = stablehlo.multiply %236, %255 : tensor<2x6xf32>
    %258 = stablehlo.multiply %255, %237 : tensor<2x6xf32>
    %259 = stablehlo.add %251, %258 : tensor<2x6xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %260 = stablehlo.pad %257, %cst_66, low = [2, 0], high = [0, 0], interior = [1, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %261 = stablehlo.add %256, %260 : tensor<5x6xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %262 = stablehlo.pad %259, %cst_67, low = [-1, 0], high = [0, 0], interior = [0, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<1x6xf32>
    %263 = stablehlo.slice %262 [0:1:2, 0:6] : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %264 = stablehlo.pad %259, %cst_68, low = [0, 0], high = [-1, 0], interior = [0, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<1x6xf32>
    %265 = stablehlo.slice %264 [0:1:2, 0:6] : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %266 = stablehlo.slice %265 [0:1, 0:6] : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %267 = stablehlo.slice %265 [1:1, 0:6] : (tensor<1x6xf32>) -> tensor<0x6xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %268 = stablehlo.pad %266, %cst_69, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %269 = stablehlo.multiply %229, %267 : tensor<0x6xf32>
    %270 = stablehlo.multiply %267, %230 : tensor<0x6xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %271 = stablehlo.pad %269, %cst_70, low = [2, 0], high = [0, 0], interior = [1, 0] : (tensor<0x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %272 = stablehlo.add %268, %271 : tensor<2x6xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %273 = stablehlo.pad %270, %cst_71, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<0x6xf32>, tensor<f32>) -> tensor<1x6xf32>
    %274 = stablehlo.add %263, %273 : tensor<1x6xf32>
    %275 = stablehlo.multiply %226, %274 : tensor<1x6xf32>
    %276 = stablehlo.multiply %274, %227 : tensor<1x6xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %277 = stablehlo.pad %275, %cst_72, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %278 = stablehlo.add %272, %277 : tensor<2x6xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %279 = stablehlo.pad %276, %cst_73, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %280 = stablehlo.add %278, %279 : tensor<2x6xf32>
    %281 = stablehlo.multiply %223, %280 : tensor<2x6xf32>
    %282 = stablehlo.multiply %280, %224 : tensor<2x6xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %283 = stablehlo.pad %281, %cst_74, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %284 = stablehlo.add %261, %283 : tensor<5x6xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %285 = stablehlo.pad %282, %cst_75, low = [0, 0], high = [2, 0], interior = [1, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %286 = stablehlo.add %284, %285 : tensor<5x6xf32>
    %287 = stablehlo.slice %arg0 [0:4:2, 0:6] : (tensor<5x6xf32>) -> tensor<2x6xf32>
    %288 = stablehlo.slice %arg0 [1:5:2, 0:6] : (tensor<5x6xf32>) -> tensor<2x6xf32>
    %289 = stablehlo.maximum %287, %288 : tensor<2x6xf32>
    %290 = stablehlo.compare EQ, %287, %289, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %291 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %292 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %293 = stablehlo.select %290, %291, %292 : tensor<2x6xi1>, tensor<2x6xf32>
    %294 = stablehlo.compare EQ, %288, %289, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_78 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %295 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_79 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %296 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %297 = stablehlo.select %294, %295, %296 : tensor<2x6xi1>, tensor<2x6xf32>
    %298 = stablehlo.divide %293, %297 : tensor<2x6xf32>
    %299 = stablehlo.compare EQ, %288, %289, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_80 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %300 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %301 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %302 = stablehlo.select %299, %300, %301 : tensor<2x6xi1>, tensor<2x6xf32>
    %303 = stablehlo.compare EQ, %287, %289, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_82 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %304 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_83 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %306 = stablehlo.select %303, %304, %305 : tensor<2x6xi1>, tensor<2x6xf32>
    %307 = stablehlo.divide %302, %306 : tensor<2x6xf32>
    %308 = stablehlo.slice %289 [0:1:2, 0:6] : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %309 = stablehlo.slice %289 [1:2:2, 0:6] : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %310 = stablehlo.maximum %308, %309 : tensor<1x6xf32>
    %311 = stablehlo.compare EQ, %308, %310, FLOAT : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xi1>
    %cst_84 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %312 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %313 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %314 = stablehlo.select %311, %312, %313 : tensor<1x6xi1>, tensor<1x6xf32>
    %315 = stablehlo.compare EQ, %309, %310, FLOAT : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xi1>
    %cst_86 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %cst_87 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %317 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %318 = stablehlo.select %315, %316, %317 : tensor<1x6xi1>, tensor<1x6xf32>
    %319 = stablehlo.divide %314, %318 : tensor<1x6xf32>
    %320 = stablehlo.compare EQ, %309, %310, FLOAT : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xi1>
    %cst_88 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %321 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %322 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %323 = stablehlo.select %320, %321, %322 : tensor<1x6xi1>, tensor<1x6xf32>
    %324 = stablehlo.compare EQ, %308, %310, FLOAT : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xi1>
    %cst_90 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %325 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %cst_91 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %326 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %327 = stablehlo.select %324, %325, %326 : tensor<1x6xi1>, tensor<1x6xf32>
    %328 = stablehlo.divide %323, %327 : tensor<1x6xf32>
    %329 = stablehlo.slice %310 [0:0, 0:6] : (tensor<1x6xf32>) -> tensor<0x6xf32>
    %330 = stablehlo.slice %289 [2:2:2, 0:6] : (tensor<2x6xf32>) -> tensor<0x6xf32>
    %331 = stablehlo.maximum %329, %330 : tensor<0x6xf32>
    %332 = stablehlo.compare EQ, %329, %331, FLOAT : (tensor<0x6xf32>, tensor<0x6xf32>) -> tensor<0x6xi1>
    %cst_92 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %333 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %334 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %335 = stablehlo.select %332, %333, %334 : tensor<0x6xi1>, tensor<0x6xf32>
    %336 = stablehlo.compare EQ, %330, %331, FLOAT : (tensor<0x6xf32>, tensor<0x6xf32>) -> tensor<0x6xi1>
    %cst_94 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %337 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %cst_95 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %338 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %339 = stablehlo.select %336, %337, %338 : tensor<0x6xi1>, tensor<0x6xf32>
    %340 = stablehlo.divide %335, %339 : tensor<0x6xf32>
    %341 = stablehlo.compare EQ, %330, %331, FLOAT : (tensor<0x6xf32>, tensor<0x6xf32>) -> tensor<0x6xi1>
    %cst_96 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %342 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %343 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %344 = stablehlo.select %341, %342, %343 : tensor<0x6xi1>, tensor<0x6xf32>
    %345 = stablehlo.compare EQ, %329, %331, FLOAT : (tensor<0x6xf32>, tensor<0x6xf32>) -> tensor<0x6xi1>
    %cst_98 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %346 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %cst_99 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %347 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %348 = stablehlo.select %345, %346, %347 : tensor<0x6xi1>, tensor<0x6xf32>
    %349 = stablehlo.divide %344, %348 : tensor<0x6xf32>
    %350 = stablehlo.slice %289 [0:1, 0:6] : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %351 = stablehlo.concatenate %350, %331, dim = 0 : (tensor<1x6xf32>, tensor<0x6xf32>) -> tensor<1x6xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %352 = stablehlo.pad %351, %cst_100, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %353 = stablehlo.pad %310, %cst_101, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %354 = stablehlo.add %352, %353 : tensor<2x6xf32>
    %355 = stablehlo.slice %arg0 [2:5:2, 0:6] : (tensor<5x6xf32>) -> tensor<2x6xf32>
    %356 = stablehlo.maximum %354, %355 : tensor<2x6xf32>
    %357 = stablehlo.compare EQ, %354, %356, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_102 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %358 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %359 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %360 = stablehlo.select %357, %358, %359 : tensor<2x6xi1>, tensor<2x6xf32>
    %361 = stablehlo.compare EQ, %355, %356, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_104 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %362 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_105 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %363 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %364 = stablehlo.select %361, %362, %363 : tensor<2x6xi1>, tensor<2x6xf32>
    %365 = stablehlo.divide %360, %364 : tensor<2x6xf32>
    %366 = stablehlo.compare EQ, %355, %356, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_106 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %367 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %368 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %369 = stablehlo.select %366, %367, %368 : tensor<2x6xi1>, tensor<2x6xf32>
    %370 = stablehlo.compare EQ, %354, %356, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_108 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %371 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_109 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %372 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %373 = stablehlo.select %370, %371, %372 : tensor<2x6xi1>, tensor<2x6xf32>
    %374 = stablehlo.divide %369, %373 : tensor<2x6xf32>
    %375 = stablehlo.slice %arg0 [0:1, 0:6] : (tensor<5x6xf32>) -> tensor<1x6xf32>
    %376 = stablehlo.concatenate %375, %356, dim = 0 : (tensor<1x6xf32>, tensor<2x6xf32>) -> tensor<3x6xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %377 = stablehlo.pad %376, %cst_110, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<3x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %378 = stablehlo.pad %354, %cst_111, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %379 = stablehlo.add %377, %378 : tensor<5x6xf32>
    %380 = stablehlo.multiply %379, %379 : tensor<5x6xf32>
    %cst_112 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %381 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %382 = stablehlo.multiply %381, %379 : tensor<5x6xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %383 = stablehlo.reduce(%380 init: %cst_113) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_114 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %384 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %385 = stablehlo.multiply %384, %382 : tensor<5x6xf32>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %386 = stablehlo.pad %385, %cst_115, low = [-1, 0], high = [-1, 0], interior = [0, 0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<3x6xf32>
    %387 = stablehlo.slice %386 [0:3:2, 0:6] : (tensor<3x6xf32>) -> tensor<2x6xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %388 = stablehlo.pad %385, %cst_116, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %389 = stablehlo.slice %388 [0:5:2, 0:6] : (tensor<5x6xf32>) -> tensor<3x6xf32>
    %390 = stablehlo.slice %389 [0:1, 0:6] : (tensor<3x6xf32>) -> tensor<1x6xf32>
    %391 = stablehlo.slice %389 [1:3, 0:6] : (tensor<3x6xf32>) -> tensor<2x6xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %392 = stablehlo.pad %390, %cst_117, low = [0, 0], high = [4, 0], interior = [0, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %393 = stablehlo.multiply %391, %374 : tensor<2x6xf32>
    %394 = stablehlo.multiply %391, %365 : tensor<2x6xf32>
    %395 = stablehlo.add %387, %394 : tensor<2x6xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %396 = stablehlo.pad %393, %cst_118, low = [2, 0], high = [0, 0], interior = [1, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %397 = stablehlo.add %392, %396 : tensor<5x6xf32>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %398 = stablehlo.pad %395, %cst_119, low = [-1, 0], high = [0, 0], interior = [0, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<1x6xf32>
    %399 = stablehlo.slice %398 [0:1:2, 0:6] : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %400 = stablehlo.pad %395, %cst_120, low = [0, 0], high = [-1, 0], interior = [0, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<1x6xf32>
    %401 = stablehlo.slice %400 [0:1:2, 0:6] : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %402 = stablehlo.slice %401 [0:1, 0:6] : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %403 = stablehlo.slice %401 [1:1, 0:6] : (tensor<1x6xf32>) -> tensor<0x6xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %404 = stablehlo.pad %402, %cst_121, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %405 = stablehlo.multiply %403, %349 : tensor<0x6xf32>
    %406 = stablehlo.multiply %403, %340 : tensor<0x6xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %407 = stablehlo.pad %405, %cst_122, low = [2, 0], high = [0, 0], interior = [1, 0] : (tensor<0x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %408 = stablehlo.add %404, %407 : tensor<2x6xf32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %409 = stablehlo.pad %406, %cst_123, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<0x6xf32>, tensor<f32>) -> tensor<1x6xf32>
    %410 = stablehlo.add %399, %409 : tensor<1x6xf32>
    %411 = stablehlo.multiply %410, %328 : tensor<1x6xf32>
    %412 = stablehlo.multiply %410, %319 : tensor<1x6xf32>
    %cst_124 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %413 = stablehlo.pad %411, %cst_124, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %414 = stablehlo.add %408, %413 : tensor<2x6xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %415 = stablehlo.pad %412, %cst_125, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %416 = stablehlo.add %414, %415 : tensor<2x6xf32>
    %417 = stablehlo.multiply %416, %307 : tensor<2x6xf32>
    %418 = stablehlo.multiply %416, %298 : tensor<2x6xf32>
    %cst_126 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %419 = stablehlo.pad %417, %cst_126, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %420 = stablehlo.add %397, %419 : tensor<5x6xf32>
    %cst_127 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %421 = stablehlo.pad %418, %cst_127, low = [0, 0], high = [2, 0], interior = [1, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %422 = stablehlo.add %420, %421 : tensor<5x6xf32>
    %423 = stablehlo.slice %arg0 [0:4:2, 0:6] : (tensor<5x6xf32>) -> tensor<2x6xf32>
    %424 = stablehlo.slice %arg0 [1:5:2, 0:6] : (tensor<5x6xf32>) -> tensor<2x6xf32>
    %425 = stablehlo.maximum %423, %424 : tensor<2x6xf32>
    %426 = stablehlo.subtract %423, %424 : tensor<2x6xf32>
    %427 = stablehlo.compare NE, %426, %426, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %428 = stablehlo.add %423, %424 : tensor<2x6xf32>
    %429 = stablehlo.abs %426 : tensor<2x6xf32>
    %430 = stablehlo.negate %429 : tensor<2x6xf32>
    %431 = stablehlo.exponential %430 : tensor<2x6xf32>
    %432 = stablehlo.log_plus_one %431 : tensor<2x6xf32>
    %433 = stablehlo.add %425, %432 : tensor<2x6xf32>
    %434 = stablehlo.select %427, %428, %433 : tensor<2x6xi1>, tensor<2x6xf32>
    %cst_128 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %435 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %436 = stablehlo.compare EQ, %423, %435, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %437 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %438 = stablehlo.select %436, %437, %423 : tensor<2x6xi1>, tensor<2x6xf32>
    %cst_130 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %439 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %440 = stablehlo.compare EQ, %434, %439, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_131 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %441 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %442 = stablehlo.select %440, %441, %434 : tensor<2x6xi1>, tensor<2x6xf32>
    %443 = stablehlo.subtract %438, %442 : tensor<2x6xf32>
    %444 = stablehlo.exponential %443 : tensor<2x6xf32>
    %cst_132 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %445 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %446 = stablehlo.compare EQ, %424, %445, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %447 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %448 = stablehlo.select %446, %447, %424 : tensor<2x6xi1>, tensor<2x6xf32>
    %cst_134 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %449 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %450 = stablehlo.compare EQ, %434, %449, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_135 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %451 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %452 = stablehlo.select %450, %451, %434 : tensor<2x6xi1>, tensor<2x6xf32>
    %453 = stablehlo.subtract %448, %452 : tensor<2x6xf32>
    %454 = stablehlo.exponential %453 : tensor<2x6xf32>
    %455 = stablehlo.slice %434 [0:1:2, 0:6] : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %456 = stablehlo.slice %434 [1:2:2, 0:6] : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %457 = stablehlo.maximum %455, %456 : tensor<1x6xf32>
    %458 = stablehlo.subtract %455, %456 : tensor<1x6xf32>
    %459 = stablehlo.compare NE, %458, %458, FLOAT : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xi1>
    %460 = stablehlo.add %455, %456 : tensor<1x6xf32>
    %461 = stablehlo.abs %458 : tensor<1x6xf32>
    %462 = stablehlo.negate %461 : tensor<1x6xf32>
    %463 = stablehlo.exponential %462 : tensor<1x6xf32>
    %464 = stablehlo.log_plus_one %463 : tensor<1x6xf32>
    %465 = stablehlo.add %457, %464 : tensor<1x6xf32>
    %466 = stablehlo.select %459, %460, %465 : tensor<1x6xi1>, tensor<1x6xf32>
    %cst_136 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %467 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %468 = stablehlo.compare EQ, %455, %467, FLOAT : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xi1>
    %cst_137 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %469 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %470 = stablehlo.select %468, %469, %455 : tensor<1x6xi1>, tensor<1x6xf32>
    %cst_138 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %471 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %472 = stablehlo.compare EQ, %466, %471, FLOAT : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xi1>
    %cst_139 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %474 = stablehlo.select %472, %473, %466 : tensor<1x6xi1>, tensor<1x6xf32>
    %475 = stablehlo.subtract %470, %474 : tensor<1x6xf32>
    %476 = stablehlo.exponential %475 : tensor<1x6xf32>
    %cst_140 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %477 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %478 = stablehlo.compare EQ, %456, %477, FLOAT : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xi1>
    %cst_141 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %479 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %480 = stablehlo.select %478, %479, %456 : tensor<1x6xi1>, tensor<1x6xf32>
    %cst_142 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %481 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %482 = stablehlo.compare EQ, %466, %481, FLOAT : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xi1>
    %cst_143 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %483 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %484 = stablehlo.select %482, %483, %466 : tensor<1x6xi1>, tensor<1x6xf32>
    %485 = stablehlo.subtract %480, %484 : tensor<1x6xf32>
    %486 = stablehlo.exponential %485 : tensor<1x6xf32>
    %487 = stablehlo.slice %466 [0:0, 0:6] : (tensor<1x6xf32>) -> tensor<0x6xf32>
    %488 = stablehlo.slice %434 [2:2:2, 0:6] : (tensor<2x6xf32>) -> tensor<0x6xf32>
    %489 = stablehlo.maximum %487, %488 : tensor<0x6xf32>
    %490 = stablehlo.subtract %487, %488 : tensor<0x6xf32>
    %491 = stablehlo.compare NE, %490, %490, FLOAT : (tensor<0x6xf32>, tensor<0x6xf32>) -> tensor<0x6xi1>
    %492 = stablehlo.add %487, %488 : tensor<0x6xf32>
    %493 = stablehlo.abs %490 : tensor<0x6xf32>
    %494 = stablehlo.negate %493 : tensor<0x6xf32>
    %495 = stablehlo.exponential %494 : tensor<0x6xf32>
    %496 = stablehlo.log_plus_one %495 : tensor<0x6xf32>
    %497 = stablehlo.add %489, %496 : tensor<0x6xf32>
    %498 = stablehlo.select %491, %492, %497 : tensor<0x6xi1>, tensor<0x6xf32>
    %cst_144 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %499 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %500 = stablehlo.compare EQ, %487, %499, FLOAT : (tensor<0x6xf32>, tensor<0x6xf32>) -> tensor<0x6xi1>
    %cst_145 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %501 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %502 = stablehlo.select %500, %501, %487 : tensor<0x6xi1>, tensor<0x6xf32>
    %cst_146 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %503 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %504 = stablehlo.compare EQ, %498, %503, FLOAT : (tensor<0x6xf32>, tensor<0x6xf32>) -> tensor<0x6xi1>
    %cst_147 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %505 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %506 = stablehlo.select %504, %505, %498 : tensor<0x6xi1>, tensor<0x6xf32>
    %507 = stablehlo.subtract %502, %506 : tensor<0x6xf32>
    %508 = stablehlo.exponential %507 : tensor<0x6xf32>
    %cst_148 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %509 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %510 = stablehlo.compare EQ, %488, %509, FLOAT : (tensor<0x6xf32>, tensor<0x6xf32>) -> tensor<0x6xi1>
    %cst_149 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %511 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %512 = stablehlo.select %510, %511, %488 : tensor<0x6xi1>, tensor<0x6xf32>
    %cst_150 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %513 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %514 = stablehlo.compare EQ, %498, %513, FLOAT : (tensor<0x6xf32>, tensor<0x6xf32>) -> tensor<0x6xi1>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %515 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<0x6xf32>
    %516 = stablehlo.select %514, %515, %498 : tensor<0x6xi1>, tensor<0x6xf32>
    %517 = stablehlo.subtract %512, %516 : tensor<0x6xf32>
    %518 = stablehlo.exponential %517 : tensor<0x6xf32>
    %519 = stablehlo.slice %434 [0:1, 0:6] : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %520 = stablehlo.concatenate %519, %498, dim = 0 : (tensor<1x6xf32>, tensor<0x6xf32>) -> tensor<1x6xf32>
    %cst_152 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %521 = stablehlo.pad %520, %cst_152, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_153 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %522 = stablehlo.pad %466, %cst_153, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %523 = stablehlo.add %521, %522 : tensor<2x6xf32>
    %524 = stablehlo.slice %arg0 [2:5:2, 0:6] : (tensor<5x6xf32>) -> tensor<2x6xf32>
    %525 = stablehlo.maximum %523, %524 : tensor<2x6xf32>
    %526 = stablehlo.subtract %523, %524 : tensor<2x6xf32>
    %527 = stablehlo.compare NE, %526, %526, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %528 = stablehlo.add %523, %524 : tensor<2x6xf32>
    %529 = stablehlo.abs %526 : tensor<2x6xf32>
    %530 = stablehlo.negate %529 : tensor<2x6xf32>
    %531 = stablehlo.exponential %530 : tensor<2x6xf32>
    %532 = stablehlo.log_plus_one %531 : tensor<2x6xf32>
    %533 = stablehlo.add %525, %532 : tensor<2x6xf32>
    %534 = stablehlo.select %527, %528, %533 : tensor<2x6xi1>, tensor<2x6xf32>
    %cst_154 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %535 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %536 = stablehlo.compare EQ, %523, %535, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_155 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %537 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %538 = stablehlo.select %536, %537, %523 : tensor<2x6xi1>, tensor<2x6xf32>
    %cst_156 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %539 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %540 = stablehlo.compare EQ, %534, %539, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_157 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %541 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %542 = stablehlo.select %540, %541, %534 : tensor<2x6xi1>, tensor<2x6xf32>
    %543 = stablehlo.subtract %538, %542 : tensor<2x6xf32>
    %544 = stablehlo.exponential %543 : tensor<2x6xf32>
    %cst_158 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %545 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %546 = stablehlo.compare EQ, %524, %545, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_159 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %547 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %548 = stablehlo.select %546, %547, %524 : tensor<2x6xi1>, tensor<2x6xf32>
    %cst_160 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %549 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %550 = stablehlo.compare EQ, %534, %549, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_161 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %551 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %552 = stablehlo.select %550, %551, %534 : tensor<2x6xi1>, tensor<2x6xf32>
    %553 = stablehlo.subtract %548, %552 : tensor<2x6xf32>
    %554 = stablehlo.exponential %553 : tensor<2x6xf32>
    %555 = stablehlo.slice %arg0 [0:1, 0:6] : (tensor<5x6xf32>) -> tensor<1x6xf32>
    %556 = stablehlo.concatenate %555, %534, dim = 0 : (tensor<1x6xf32>, tensor<2x6xf32>) -> tensor<3x6xf32>
    %cst_162 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %557 = stablehlo.pad %556, %cst_162, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<3x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %cst_163 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %558 = stablehlo.pad %523, %cst_163, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %559 = stablehlo.add %557, %558 : tensor<5x6xf32>
    %560 = stablehlo.multiply %559, %559 : tensor<5x6xf32>
    %cst_164 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %561 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %562 = stablehlo.multiply %561, %559 : tensor<5x6xf32>
    %cst_165 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %563 = stablehlo.reduce(%560 init: %cst_165) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_166 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %564 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %565 = stablehlo.multiply %564, %562 : tensor<5x6xf32>
    %cst_167 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %566 = stablehlo.pad %565, %cst_167, low = [-1, 0], high = [-1, 0], interior = [0, 0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<3x6xf32>
    %567 = stablehlo.slice %566 [0:3:2, 0:6] : (tensor<3x6xf32>) -> tensor<2x6xf32>
    %cst_168 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %568 = stablehlo.pad %565, %cst_168, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %569 = stablehlo.slice %568 [0:5:2, 0:6] : (tensor<5x6xf32>) -> tensor<3x6xf32>
    %570 = stablehlo.slice %569 [0:1, 0:6] : (tensor<3x6xf32>) -> tensor<1x6xf32>
    %571 = stablehlo.slice %569 [1:3, 0:6] : (tensor<3x6xf32>) -> tensor<2x6xf32>
    %cst_169 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %572 = stablehlo.pad %570, %cst_169, low = [0, 0], high = [4, 0], interior = [0, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %573 = stablehlo.multiply %571, %554 : tensor<2x6xf32>
    %574 = stablehlo.multiply %571, %544 : tensor<2x6xf32>
    %575 = stablehlo.add %567, %574 : tensor<2x6xf32>
    %cst_170 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %576 = stablehlo.pad %573, %cst_170, low = [2, 0], high = [0, 0], interior = [1, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %577 = stablehlo.add %572, %576 : tensor<5x6xf32>
    %cst_171 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %578 = stablehlo.pad %575, %cst_171, low = [-1, 0], high = [0, 0], interior = [0, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<1x6xf32>
    %579 = stablehlo.slice %578 [0:1:2, 0:6] : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %cst_172 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %580 = stablehlo.pad %575, %cst_172, low = [0, 0], high = [-1, 0], interior = [0, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<1x6xf32>
    %581 = stablehlo.slice %580 [0:1:2, 0:6] : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %582 = stablehlo.slice %581 [0:1, 0:6] : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %583 = stablehlo.slice %581 [1:1, 0:6] : (tensor<1x6xf32>) -> tensor<0x6xf32>
    %cst_173 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %584 = stablehlo.pad %582, %cst_173, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %585 = stablehlo.multiply %583, %518 : tensor<0x6xf32>
    %586 = stablehlo.multiply %583, %508 : tensor<0x6xf32>
    %cst_174 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %587 = stablehlo.pad %585, %cst_174, low = [2, 0], high = [0, 0], interior = [1, 0] : (tensor<0x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %588 = stablehlo.add %584, %587 : tensor<2x6xf32>
    %cst_175 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %589 = stablehlo.pad %586, %cst_175, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<0x6xf32>, tensor<f32>) -> tensor<1x6xf32>
    %590 = stablehlo.add %579, %589 : tensor<1x6xf32>
    %591 = stablehlo.multiply %590, %486 : tensor<1x6xf32>
    %592 = stablehlo.multiply %590, %476 : tensor<1x6xf32>
    %cst_176 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %593 = stablehlo.pad %591, %cst_176, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %594 = stablehlo.add %588, %593 : tensor<2x6xf32>
    %cst_177 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %595 = stablehlo.pad %592, %cst_177, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %596 = stablehlo.add %594, %595 : tensor<2x6xf32>
    %597 = stablehlo.multiply %596, %454 : tensor<2x6xf32>
    %598 = stablehlo.multiply %596, %444 : tensor<2x6xf32>
    %cst_178 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %599 = stablehlo.pad %597, %cst_178, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %600 = stablehlo.add %577, %599 : tensor<5x6xf32>
    %cst_179 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %601 = stablehlo.pad %598, %cst_179, low = [0, 0], high = [2, 0], interior = [1, 0] : (tensor<2x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %602 = stablehlo.add %600, %601 : tensor<5x6xf32>
    return %1, %3#1, %16#6, %16#8, %23, %44, %48#2, %48#3, %61, %103, %106, %134, %193, %201, %210, %211, %212, %213, %214, %222, %286, %422, %602 : tensor<7xf32>, tensor<7xf32>, tensor<6x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<7xf32>, tensor<6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<7xf32>, tensor<7xf32>, tensor<4x3x3xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x6xf32>, %arg1: tensor<i32>) -> tensor<6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 6] : (tensor<5x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x6xf32>) -> tensor<6xf32>
    return %1 : tensor<6xf32>
  }
  func.func private @closed_call(%arg0: tensor<6x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> (tensor<6xf32>, tensor<f32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6xf32>, tensor<6x6xf32>) -> tensor<6xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<6xf32>
    %2 = stablehlo.tanh %1 : tensor<6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%arg1 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    return %2, %5, %arg1, %2, %4 : tensor<6xf32>, tensor<f32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>
    return %1 : tensor<5xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<5x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<i32>) -> tensor<5x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<5x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<5x6xf32>
    return %1 : tensor<5x6xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<5xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call_2(%arg0: tensor<6x6xf32>, %arg1: tensor<6x6xf32>, %arg2: tensor<6xf32>, %arg3: tensor<f32>, %arg4: tensor<6xf32>, %arg5: tensor<6xf32>, %arg6: tensor<6xf32>) -> (tensor<6x6xf32>, tensor<6xf32>, tensor<6xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.multiply %arg2, %arg6 : tensor<6xf32>
    %2 = stablehlo.multiply %1, %arg5 : tensor<6xf32>
    %3 = stablehlo.add %1, %2 : tensor<6xf32>
    %4 = stablehlo.dot_general %3, %arg4, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<6xf32>, tensor<6xf32>) -> tensor<6x6xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>
    %6 = stablehlo.add %arg1, %5 : tensor<6x6xf32>
    %7 = stablehlo.dot_general %3, %arg0, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6xf32>, tensor<6x6xf32>) -> tensor<6xf32>
    %8 = stablehlo.add %0, %7 : tensor<6xf32>
    return %6, %8, %3 : tensor<6x6xf32>, tensor<6xf32>, tensor<6xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<6xf32>
    %1 = stablehlo.slice %arg1 [0:1] : (tensor<6xf32>) -> tensor<1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4:4 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %c, %iterArg_1 = %2, %iterArg_2 = %3) : tensor<6xf32>, tensor<i32>, tensor<f32>, tensor<6xf32>
    cond {
      %c_3 = stablehlo.constant dense<6> : tensor<i32>
      %5 = stablehlo.compare LT, %iterArg_0, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5 = func.call @dynamic_index_in_dim_4(%iterArg, %iterArg_0) : (tensor<6xf32>, tensor<i32>) -> tensor<f32>
      %6:2 = func.call @closed_call_5(%iterArg_1, %5) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
      %7 = func.call @dynamic_update_index_in_dim_6(%iterArg_2, %6#1, %iterArg_0) : (tensor<6xf32>, tensor<f32>, tensor<i32>) -> tensor<6xf32>
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_0, %c_3 : tensor<i32>
      stablehlo.return %iterArg, %8, %6#0, %7 : tensor<6xf32>, tensor<i32>, tensor<f32>, tensor<6xf32>
    }
    return %0, %4#3 : tensor<6xf32>, tensor<6xf32>
  }
  func.func private @dynamic_index_in_dim_4(%arg0: tensor<6xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<6xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call_5(%arg0: tensor<f32>, %arg1: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<f32>
    return %0, %arg0 : tensor<f32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<6xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<6xf32>, tensor<1xf32>, tensor<i32>) -> tensor<6xf32>
    return %1 : tensor<6xf32>
  }
  func.func private @dynamic_index_in_dim_7(%arg0: tensor<2x2x6xf32>, %arg1: tensor<i32>) -> tensor<2x6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 6] : (tensor<2x2x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    return %1 : tensor<2x6xf32>
  }
  func.func private @closed_call_8(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<6xf32>
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<6xf32>
    return %0, %1 : tensor<6xf32>, tensor<6xf32>
  }
  func.func private @dynamic_update_index_in_dim_9(%arg0: tensor<2x2x6xf32>, %arg1: tensor<2x6xf32>, %arg2: tensor<i32>) -> tensor<2x2x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x6xf32>) -> tensor<1x2x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x2x6xf32>, tensor<1x2x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x6xf32>
    return %1 : tensor<2x2x6xf32>
  }
  func.func private @closed_call_10(%arg0: tensor<5x6xf32>, %arg1: tensor<i32>, %arg2: tensor<5x6xf32>) -> (tensor<i32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.sine %arg2 : tensor<5x6xf32>
    %2 = stablehlo.cosine %arg2 : tensor<5x6xf32>
    %3 = stablehlo.multiply %1, %arg0 : tensor<5x6xf32>
    return %0, %3, %2, %1 : tensor<i32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>
  }
  func.func private @dynamic_update_index_in_dim_11(%arg0: tensor<3x5x6xf32>, %arg1: tensor<5x6xf32>, %arg2: tensor<i32>) -> tensor<3x5x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<5x6xf32>) -> tensor<1x5x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x5x6xf32>, tensor<1x5x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x5x6xf32>
    return %1 : tensor<3x5x6xf32>
  }
  func.func private @dynamic_index_in_dim_12(%arg0: tensor<3x5x6xf32>, %arg1: tensor<i32>) -> tensor<5x6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 5, 6] : (tensor<3x5x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x5x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x5x6xf32>) -> tensor<5x6xf32>
    return %1 : tensor<5x6xf32>
  }
  func.func private @closed_call_13(%arg0: tensor<5x6xf32>, %arg1: tensor<5x6xf32>, %arg2: tensor<5x6xf32>, %arg3: tensor<5x6xf32>, %arg4: tensor<5x6xf32>) -> (tensor<5x6xf32>, tensor<5x6xf32>) {
    %0 = stablehlo.multiply %arg4, %arg2 : tensor<5x6xf32>
    %1 = stablehlo.add %arg1, %0 : tensor<5x6xf32>
    %2 = stablehlo.multiply %arg2, %arg0 : tensor<5x6xf32>
    %3 = stablehlo.multiply %2, %arg3 : tensor<5x6xf32>
    return %1, %3 : tensor<5x6xf32>, tensor<5x6xf32>
  }
  func.func private @cumsum(%arg0: tensor<5x6xf32>) -> tensor<5x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 5]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    return %1 : tensor<5x6xf32>
  }
  func.func private @cumprod(%arg0: tensor<5x6xf32>) -> tensor<5x6xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 5]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    return %0 : tensor<5x6xf32>
  }
  func.func private @cummax(%arg0: tensor<5x6xf32>) -> tensor<5x6xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 5]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    return %1 : tensor<5x6xf32>
  }
  func.func private @cummin(%arg0: tensor<5x6xf32>) -> tensor<5x6xf32> {
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 5]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.minimum %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    return %1 : tensor<5x6xf32>
  }
  func.func private @cumsum_14(%arg0: tensor<5x6xf32>) -> tensor<5x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[4, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 5, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    return %1 : tensor<5x6xf32>
  }
  func.func private @cumsum_15(%arg0: tensor<5x6xf32>) -> tensor<5x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 4], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 5, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    return %1 : tensor<5x6xf32>
  }
}
