module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<i32>, %arg2: tensor<f32>) -> (tensor<4xf32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}, tensor<i32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}, tensor<f32> {jax.result_info = "result[5]"}, tensor<f32> {jax.result_info = "result[6]"}, tensor<4xf32> {jax.result_info = "result[7]"}, tensor<4xf32> {jax.result_info = "result[8]"}, tensor<4xf32> {jax.result_info = "result[9]"}, tensor<4xf32> {jax.result_info = "result[10]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare GT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.convert %0 : (tensor<i1>) -> tensor<i32>
    %2 = "stablehlo.case"(%1) ({
      %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %51 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %52 = stablehlo.subtract %arg0, %51 : tensor<4xf32>
      stablehlo.return %52 : tensor<4xf32>
    }, {
      %cst_21 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %51 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %52 = stablehlo.multiply %arg0, %51 : tensor<4xf32>
      stablehlo.return %52 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %3 = stablehlo.clamp %c_0, %arg1, %c_1 : tensor<i32>
    %4 = "stablehlo.case"(%3) ({
      stablehlo.return %arg0 : tensor<4xf32>
    }, {
      %51 = stablehlo.multiply %arg0, %arg0 : tensor<4xf32>
      stablehlo.return %51 : tensor<4xf32>
    }, {
      %51 = stablehlo.negate %arg0 : tensor<4xf32>
      stablehlo.return %51 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5:3 = stablehlo.while(%iterArg = %arg2, %iterArg_21 = %cst, %iterArg_22 = %c_2) : tensor<f32>, tensor<f32>, tensor<i32>
    cond {
      %51 = stablehlo.abs %iterArg : tensor<f32>
      %cst_23 = stablehlo.constant dense<5.000000e+01> : tensor<f32>
      %52 = stablehlo.multiply %51, %cst_23 : tensor<f32>
      %53 = stablehlo.compare LT, %iterArg_21, %52, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %53 : tensor<i1>
    } do {
      %cst_23 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
      %51 = stablehlo.multiply %iterArg_21, %cst_23 : tensor<f32>
      %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %52 = stablehlo.add %51, %cst_24 : tensor<f32>
      %c_25 = stablehlo.constant dense<1> : tensor<i32>
      %53 = stablehlo.add %iterArg_22, %c_25 : tensor<i32>
      stablehlo.return %iterArg, %52, %53 : tensor<f32>, tensor<f32>, tensor<i32>
    }
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %6:4 = stablehlo.while(%iterArg = %arg0, %iterArg_21 = %c_5, %iterArg_22 = %c_3, %iterArg_23 = %cst_4) : tensor<4xf32>, tensor<i32>, tensor<i32>, tensor<f32>
    cond {
      %c_24 = stablehlo.constant dense<4> : tensor<i32>
      %51 = stablehlo.compare LT, %iterArg_21, %c_24, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %51 : tensor<i1>
    } do {
      %51:2 = func.call @closed_call(%iterArg, %iterArg_22, %iterArg_23) : (tensor<4xf32>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
      %c_24 = stablehlo.constant dense<1> : tensor<i32>
      %52 = stablehlo.add %iterArg_21, %c_24 : tensor<i32>
      stablehlo.return %iterArg, %52, %51#0, %51#1 : tensor<4xf32>, tensor<i32>, tensor<i32>, tensor<f32>
    }
    %c_6 = stablehlo.constant dense<1> : tensor<i32>
    %7 = stablehlo.add %arg1, %c_6 : tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8:4 = stablehlo.while(%iterArg = %arg0, %iterArg_21 = %c_7, %iterArg_22 = %7, %iterArg_23 = %cst_8) : tensor<4xf32>, tensor<i32>, tensor<i32>, tensor<f32>
    cond {
      %51 = stablehlo.compare LT, %iterArg_21, %iterArg_22, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %51 : tensor<i1>
    } do {
      %c_24 = stablehlo.constant dense<1> : tensor<i32>
      %51 = stablehlo.add %iterArg_21, %c_24 : tensor<i32>
      %c_25 = stablehlo.constant dense<0> : tensor<i32>
      %52 = stablehlo.compare LT, %iterArg_21, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %53 = stablehlo.convert %iterArg_21 : tensor<i32>
      %c_26 = stablehlo.constant dense<4> : tensor<i32>
      %54 = stablehlo.add %53, %c_26 : tensor<i32>
      %55 = stablehlo.select %52, %54, %iterArg_21 : tensor<i1>, tensor<i32>
      %56 = stablehlo.dynamic_slice %iterArg, %55, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
      %57 = stablehlo.reshape %56 : (tensor<1xf32>) -> tensor<f32>
      %58 = stablehlo.convert %iterArg_21 : (tensor<i32>) -> tensor<f32>
      %59 = stablehlo.multiply %57, %58 : tensor<f32>
      %60 = stablehlo.convert %iterArg_23 : tensor<f32>
      %61 = stablehlo.add %60, %59 : tensor<f32>
      stablehlo.return %iterArg, %51, %iterArg_22, %61 : tensor<4xf32>, tensor<i32>, tensor<i32>, tensor<f32>
    }
    %9 = stablehlo.slice %arg0 [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %12:4 = stablehlo.while(%iterArg = %arg0, %iterArg_21 = %c_10, %iterArg_22 = %10, %iterArg_23 = %11) : tensor<4xf32>, tensor<i32>, tensor<f32>, tensor<4xf32>
    cond {
      %c_24 = stablehlo.constant dense<4> : tensor<i32>
      %51 = stablehlo.compare LT, %iterArg_21, %c_24, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %51 : tensor<i1>
    } do {
      %c_24 = stablehlo.constant dense<4> : tensor<i32>
      %51 = stablehlo.subtract %c_24, %iterArg_21 : tensor<i32>
      %c_25 = stablehlo.constant dense<1> : tensor<i32>
      %52 = stablehlo.subtract %51, %c_25 : tensor<i32>
      %53 = func.call @dynamic_index_in_dim(%iterArg, %52) : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
      %54:2 = func.call @closed_call_0(%iterArg_22, %53) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
      %55 = func.call @dynamic_update_index_in_dim(%iterArg_23, %54#1, %52) : (tensor<4xf32>, tensor<f32>, tensor<i32>) -> tensor<4xf32>
      %c_26 = stablehlo.constant dense<1> : tensor<i32>
      %56 = stablehlo.add %iterArg_21, %c_26 : tensor<i32>
      stablehlo.return %iterArg, %56, %54#0, %55 : tensor<4xf32>, tensor<i32>, tensor<f32>, tensor<4xf32>
    }
    %13 = stablehlo.slice %arg0 [0:3:2] : (tensor<4xf32>) -> tensor<2xf32>
    %14 = stablehlo.slice %arg0 [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
    %15 = stablehlo.maximum %13, %14 : tensor<2xf32>
    %16 = stablehlo.slice %15 [0:1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %17 = stablehlo.slice %15 [1:2:2] : (tensor<2xf32>) -> tensor<1xf32>
    %18 = stablehlo.maximum %16, %17 : tensor<1xf32>
    %19 = stablehlo.slice %18 [0:0] : (tensor<1xf32>) -> tensor<0xf32>
    %20 = stablehlo.slice %15 [2:2:2] : (tensor<2xf32>) -> tensor<0xf32>
    %21 = stablehlo.maximum %19, %20 : tensor<0xf32>
    %22 = stablehlo.slice %15 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %23 = stablehlo.concatenate %22, %21, dim = 0 : (tensor<1xf32>, tensor<0xf32>) -> tensor<1xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.pad %23, %cst_11, low = [0], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.pad %18, %cst_12, low = [1], high = [0], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    %26 = stablehlo.add %24, %25 : tensor<2xf32>
    %27 = stablehlo.slice %26 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %28 = stablehlo.slice %arg0 [2:4:2] : (tensor<4xf32>) -> tensor<1xf32>
    %29 = stablehlo.maximum %27, %28 : tensor<1xf32>
    %30 = stablehlo.slice %arg0 [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %31 = stablehlo.concatenate %30, %29, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.pad %31, %cst_13, low = [0], high = [1], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.pad %26, %cst_14, low = [1], high = [0], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    %34 = stablehlo.add %32, %33 : tensor<4xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %36 = stablehlo.compare GT, %arg0, %35, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %37 = stablehlo.convert %36 : (tensor<4xi1>) -> tensor<4xi32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %39 = stablehlo.compare EQ, %37, %38, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %40 = stablehlo.select %39, %arg0, %arg0 : tensor<4xi1>, tensor<4xf32>
    %41 = stablehlo.cosine %40 : tensor<4xf32>
    %c_17 = stablehlo.constant dense<1> : tensor<i32>
    %42 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %43 = stablehlo.compare EQ, %37, %42, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %44 = stablehlo.select %43, %arg0, %arg0 : tensor<4xi1>, tensor<4xf32>
    %45 = stablehlo.sine %44 : tensor<4xf32>
    %c_18 = stablehlo.constant dense<1> : tensor<i32>
    %46 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %47 = stablehlo.compare LT, %37, %46, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %48 = stablehlo.select %47, %41, %45 : tensor<4xi1>, tensor<4xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %50:3 = stablehlo.while(%iterArg = %arg0, %iterArg_21 = %c_20, %iterArg_22 = %49) : tensor<4xf32>, tensor<i32>, tensor<4xf32>
    cond {
      %c_23 = stablehlo.constant dense<4> : tensor<i32>
      %51 = stablehlo.compare LT, %iterArg_21, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %51 : tensor<i1>
    } do {
      %51 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_21) : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
      %52 = func.call @closed_call_1(%51) : (tensor<f32>) -> tensor<f32>
      %53 = func.call @dynamic_update_index_in_dim(%iterArg_22, %52, %iterArg_21) : (tensor<4xf32>, tensor<f32>, tensor<i32>) -> tensor<4xf32>
      %c_23 = stablehlo.constant dense<1> : tensor<i32>
      %54 = stablehlo.add %iterArg_21, %c_23 : tensor<i32>
      stablehlo.return %iterArg, %54, %53 : tensor<4xf32>, tensor<i32>, tensor<4xf32>
    }
    return %2, %4, %5#1, %5#2, %6#3, %8#3, %12#2, %12#3, %34, %48, %50#2 : tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func private @closed_call(%arg0: tensor<4xf32>, %arg1: tensor<i32>, %arg2: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i32>
    %c_1 = stablehlo.constant dense<4> : tensor<i32>
    %3 = stablehlo.add %2, %c_1 : tensor<i32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i32>
    %5 = stablehlo.dynamic_slice %arg0, %4, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %6 = stablehlo.reshape %5 : (tensor<1xf32>) -> tensor<f32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %8 = stablehlo.multiply %6, %7 : tensor<f32>
    %9 = stablehlo.convert %arg2 : tensor<f32>
    %10 = stablehlo.add %9, %8 : tensor<f32>
    return %0, %10 : tensor<i32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call_0(%arg0: tensor<f32>, %arg1: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<f32>
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<f32>
    return %0, %1 : tensor<f32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<f32>) -> tensor<f32> {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.multiply %arg0, %cst : tensor<f32>
    return %0 : tensor<f32>
  }
}
