module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9xf32>, %arg1: tensor<9xf32>) -> (tensor<9xf32> {jax.result_info = "result[0]"}, tensor<9xf32> {jax.result_info = "result[1]"}, tensor<9xf32> {jax.result_info = "result[2]"}, tensor<9xf32> {jax.result_info = "result[3]"}, tensor<9xf32> {jax.result_info = "result[4]"}, tensor<9xf32> {jax.result_info = "result[5]"}, tensor<9xf32> {jax.result_info = "result[6]"}, tensor<i32> {jax.result_info = "result[7]"}, tensor<9xf32> {jax.result_info = "result[8]"}, tensor<9xf32> {jax.result_info = "result[9]"}, tensor<9xf32> {jax.result_info = "result[10]"}, tensor<9x4xui8> {jax.result_info = "result[11]"}, tensor<9xf32> {jax.result_info = "result[12]"}) {
    %0 = chlo.lgamma %arg0 : tensor<9xf32> -> tensor<9xf32>
    %1 = chlo.digamma %arg0 : tensor<9xf32> -> tensor<9xf32>
    %2 = chlo.next_after %arg0, %arg1 : tensor<9xf32>, tensor<9xf32> -> tensor<9xf32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %3 = call @copysign(%cst, %arg0) : (tensor<f32>, tensor<9xf32>) -> tensor<9xf32>
    %4 = chlo.next_after %arg0, %3 : tensor<9xf32>, tensor<9xf32> -> tensor<9xf32>
    %5 = stablehlo.subtract %4, %arg0 : tensor<9xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %7 = stablehlo.compare EQ, %5, %6, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_1 = stablehlo.constant dense<1.401300e-45> : tensor<f32>
    %8 = call @copysign(%cst_1, %arg0) : (tensor<f32>, tensor<9xf32>) -> tensor<9xf32>
    %9 = call @_where_0(%7, %8, %5) : (tensor<9xi1>, tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    %10 = stablehlo.abs %arg0 : tensor<9xf32>
    %11 = stablehlo.abs %arg1 : tensor<9xf32>
    %12 = stablehlo.compare NE, %10, %10, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %13 = stablehlo.compare NE, %11, %11, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %14 = stablehlo.or %12, %13 : tensor<9xi1>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %16 = stablehlo.compare EQ, %11, %15, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %18 = stablehlo.compare EQ, %10, %17, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %20 = stablehlo.compare EQ, %11, %19, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %22 = stablehlo.compare LT, %11, %21, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %24 = stablehlo.compare LT, %10, %23, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %25 = stablehlo.and %18, %20 : tensor<9xi1>
    %26 = stablehlo.or %22, %24 : tensor<9xi1>
    %27 = stablehlo.or %26, %25 : tensor<9xi1>
    %28 = stablehlo.or %27, %14 : tensor<9xi1>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %30 = stablehlo.compare GE, %11, %29, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %31 = stablehlo.compare GT, %11, %10, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %32 = stablehlo.and %30, %31 : tensor<9xi1>
    %33 = stablehlo.log %11 : tensor<9xf32>
    %34 = stablehlo.multiply %10, %33 : tensor<9xf32>
    %35 = stablehlo.subtract %34, %11 : tensor<9xf32>
    %36 = chlo.lgamma %10 : tensor<9xf32> -> tensor<9xf32>
    %37 = stablehlo.subtract %35, %36 : tensor<9xf32>
    %cst_8 = stablehlo.constant dense<3.40282347E+38> : tensor<f32>
    %38 = stablehlo.log %cst_8 : tensor<f32>
    %39 = stablehlo.negate %38 : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %41 = stablehlo.compare LT, %37, %40, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %42 = stablehlo.exponential %37 : tensor<9xf32>
    %43 = stablehlo.or %20, %28 : tensor<9xi1>
    %44 = stablehlo.or %43, %41 : tensor<9xi1>
    %45 = stablehlo.or %44, %16 : tensor<9xi1>
    %46 = stablehlo.not %45 : tensor<9xi1>
    %47 = stablehlo.and %46, %32 : tensor<9xi1>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %49 = stablehlo.subtract %48, %10 : tensor<9xf32>
    %50 = stablehlo.add %11, %49 : tensor<9xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %52 = stablehlo.add %50, %51 : tensor<9xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %55 = stablehlo.add %11, %54 : tensor<9xf32>
    %56 = stablehlo.multiply %52, %11 : tensor<9xf32>
    %57 = stablehlo.divide %55, %56 : tensor<9xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %62 = stablehlo.negate %11 : tensor<9xf32>
    %63 = stablehlo.multiply %57, %62 : tensor<9xf32>
    %64 = stablehlo.subtract %61, %63 : tensor<9xf32>
    %65 = stablehlo.divide %64, %56 : tensor<9xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66:15 = stablehlo.while(%iterArg = %47, %iterArg_36 = %57, %iterArg_37 = %58, %iterArg_38 = %49, %iterArg_39 = %52, %iterArg_40 = %cst_17, %iterArg_41 = %55, %iterArg_42 = %56, %iterArg_43 = %53, %iterArg_44 = %11, %iterArg_45 = %59, %iterArg_46 = %60, %iterArg_47 = %61, %iterArg_48 = %62, %iterArg_49 = %65) : tensor<9xi1>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<f32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>
    cond {
      %cst_50 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
      %119 = stablehlo.compare LT, %iterArg_40, %cst_50, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_51 = stablehlo.constant dense<false> : tensor<i1>
      %120 = stablehlo.reduce(%iterArg init: %c_51) applies stablehlo.or across dimensions = [0] : (tensor<9xi1>, tensor<i1>) -> tensor<i1>
      %121 = stablehlo.and %119, %120 : tensor<i1>
      stablehlo.return %121 : tensor<i1>
    } do {
      %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %119 = stablehlo.add %iterArg_40, %cst_50 : tensor<f32>
      %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %120 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %121 = stablehlo.add %iterArg_38, %120 : tensor<9xf32>
      %cst_52 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %122 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %123 = stablehlo.add %iterArg_39, %122 : tensor<9xf32>
      %124 = stablehlo.broadcast_in_dim %119, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %125 = stablehlo.multiply %121, %124 : tensor<9xf32>
      %126 = stablehlo.multiply %iterArg_41, %123 : tensor<9xf32>
      %127 = stablehlo.multiply %iterArg_43, %125 : tensor<9xf32>
      %128 = stablehlo.subtract %126, %127 : tensor<9xf32>
      %129 = stablehlo.multiply %iterArg_42, %123 : tensor<9xf32>
      %130 = stablehlo.multiply %iterArg_44, %125 : tensor<9xf32>
      %131 = stablehlo.subtract %129, %130 : tensor<9xf32>
      %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %132 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %133 = stablehlo.compare NE, %131, %132, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
      %134 = stablehlo.divide %128, %131 : tensor<9xf32>
      %135 = stablehlo.subtract %iterArg_36, %134 : tensor<9xf32>
      %136 = stablehlo.divide %135, %134 : tensor<9xf32>
      %137 = stablehlo.abs %136 : tensor<9xf32>
      %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %138 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %139 = stablehlo.select %133, %137, %138 : tensor<9xi1>, tensor<9xf32>
      %140 = stablehlo.select %133, %134, %iterArg_36 : tensor<9xi1>, tensor<9xf32>
      %141 = stablehlo.multiply %iterArg_47, %123 : tensor<9xf32>
      %142 = stablehlo.subtract %141, %iterArg_41 : tensor<9xf32>
      %143 = stablehlo.multiply %iterArg_45, %125 : tensor<9xf32>
      %144 = stablehlo.subtract %142, %143 : tensor<9xf32>
      %145 = stablehlo.broadcast_in_dim %119, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %146 = stablehlo.multiply %iterArg_43, %145 : tensor<9xf32>
      %147 = stablehlo.add %144, %146 : tensor<9xf32>
      %148 = stablehlo.multiply %iterArg_48, %123 : tensor<9xf32>
      %149 = stablehlo.subtract %148, %iterArg_42 : tensor<9xf32>
      %150 = stablehlo.multiply %iterArg_46, %125 : tensor<9xf32>
      %151 = stablehlo.subtract %149, %150 : tensor<9xf32>
      %152 = stablehlo.broadcast_in_dim %119, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %153 = stablehlo.multiply %iterArg_44, %152 : tensor<9xf32>
      %154 = stablehlo.add %151, %153 : tensor<9xf32>
      %155 = stablehlo.multiply %140, %154 : tensor<9xf32>
      %156 = stablehlo.subtract %147, %155 : tensor<9xf32>
      %157 = stablehlo.divide %156, %131 : tensor<9xf32>
      %158 = stablehlo.select %133, %157, %iterArg_49 : tensor<9xi1>, tensor<9xf32>
      %159 = stablehlo.subtract %158, %iterArg_49 : tensor<9xf32>
      %160 = stablehlo.abs %159 : tensor<9xf32>
      %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %161 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %162 = stablehlo.select %133, %160, %161 : tensor<9xi1>, tensor<9xf32>
      %163 = stablehlo.abs %128 : tensor<9xf32>
      %cst_56 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %164 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<f32>
      %165 = stablehlo.divide %164, %cst_56 : tensor<f32>
      %166 = stablehlo.broadcast_in_dim %165, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %167 = stablehlo.compare GT, %163, %166, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
      %cst_58 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %168 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %169 = stablehlo.multiply %iterArg_41, %168 : tensor<9xf32>
      %170 = stablehlo.select %167, %169, %iterArg_41 : tensor<9xi1>, tensor<9xf32>
      %cst_59 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %171 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %172 = stablehlo.multiply %128, %171 : tensor<9xf32>
      %173 = stablehlo.select %167, %172, %128 : tensor<9xi1>, tensor<9xf32>
      %cst_60 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %174 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %175 = stablehlo.multiply %iterArg_42, %174 : tensor<9xf32>
      %176 = stablehlo.select %167, %175, %iterArg_42 : tensor<9xi1>, tensor<9xf32>
      %cst_61 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %177 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %178 = stablehlo.multiply %131, %177 : tensor<9xf32>
      %179 = stablehlo.select %167, %178, %131 : tensor<9xi1>, tensor<9xf32>
      %cst_62 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %180 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %181 = stablehlo.multiply %iterArg_47, %180 : tensor<9xf32>
      %182 = stablehlo.select %167, %181, %iterArg_47 : tensor<9xi1>, tensor<9xf32>
      %cst_63 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %183 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %184 = stablehlo.multiply %iterArg_48, %183 : tensor<9xf32>
      %185 = stablehlo.select %167, %184, %iterArg_48 : tensor<9xi1>, tensor<9xf32>
      %cst_64 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %186 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %187 = stablehlo.multiply %147, %186 : tensor<9xf32>
      %188 = stablehlo.select %167, %187, %147 : tensor<9xi1>, tensor<9xf32>
      %cst_65 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %189 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %190 = stablehlo.multiply %154, %189 : tensor<9xf32>
      %191 = stablehlo.select %167, %190, %154 : tensor<9xi1>, tensor<9xf32>
      %cst_66 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %192 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %193 = stablehlo.compare GT, %139, %192, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
      %194 = stablehlo.and %iterArg, %193 : tensor<9xi1>
      %195 = stablehlo.select %iterArg, %140, %iterArg_36 : tensor<9xi1>, tensor<9xf32>
      %196 = stablehlo.select %iterArg, %139, %iterArg_37 : tensor<9xi1>, tensor<9xf32>
      %197 = stablehlo.select %iterArg, %121, %iterArg_38 : tensor<9xi1>, tensor<9xf32>
      %198 = stablehlo.select %iterArg, %123, %iterArg_39 : tensor<9xi1>, tensor<9xf32>
      %199 = stablehlo.select %iterArg, %173, %iterArg_41 : tensor<9xi1>, tensor<9xf32>
      %200 = stablehlo.select %iterArg, %179, %iterArg_42 : tensor<9xi1>, tensor<9xf32>
      %201 = stablehlo.select %iterArg, %170, %iterArg_43 : tensor<9xi1>, tensor<9xf32>
      %202 = stablehlo.select %iterArg, %176, %iterArg_44 : tensor<9xi1>, tensor<9xf32>
      %203 = stablehlo.select %iterArg, %182, %iterArg_45 : tensor<9xi1>, tensor<9xf32>
      %204 = stablehlo.select %iterArg, %185, %iterArg_46 : tensor<9xi1>, tensor<9xf32>
      %205 = stablehlo.select %iterArg, %188, %iterArg_47 : tensor<9xi1>, tensor<9xf32>
      %206 = stablehlo.select %iterArg, %191, %iterArg_48 : tensor<9xi1>, tensor<9xf32>
      %207 = stablehlo.select %iterArg, %158, %iterArg_49 : tensor<9xi1>, tensor<9xf32>
      stablehlo.return %194, %195, %196, %197, %198, %119, %199, %200, %201, %202, %203, %204, %205, %206, %207 : tensor<9xi1>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<f32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>
    }
    %67 = stablehlo.multiply %66#1, %42 : tensor<9xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %69 = stablehlo.subtract %68, %67 : tensor<9xf32>
    %70 = stablehlo.not %32 : tensor<9xi1>
    %71 = stablehlo.and %46, %70 : tensor<9xi1>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %76:7 = stablehlo.while(%iterArg = %71, %iterArg_36 = %10, %iterArg_37 = %72, %iterArg_38 = %73, %iterArg_39 = %11, %iterArg_40 = %74, %iterArg_41 = %75) : tensor<9xi1>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>
    cond {
      %c_42 = stablehlo.constant dense<false> : tensor<i1>
      %119 = stablehlo.reduce(%iterArg init: %c_42) applies stablehlo.or across dimensions = [0] : (tensor<9xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %119 : tensor<i1>
    } do {
      %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %119 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %120 = stablehlo.add %iterArg_36, %119 : tensor<9xf32>
      %121 = stablehlo.divide %iterArg_39, %120 : tensor<9xf32>
      %122 = stablehlo.multiply %iterArg_40, %121 : tensor<9xf32>
      %123 = stablehlo.multiply %iterArg_37, %iterArg_39 : tensor<9xf32>
      %124 = stablehlo.multiply %120, %120 : tensor<9xf32>
      %125 = stablehlo.divide %123, %124 : tensor<9xf32>
      %126 = stablehlo.subtract %122, %125 : tensor<9xf32>
      %127 = stablehlo.add %iterArg_41, %126 : tensor<9xf32>
      %128 = stablehlo.divide %iterArg_39, %120 : tensor<9xf32>
      %129 = stablehlo.multiply %iterArg_37, %128 : tensor<9xf32>
      %130 = stablehlo.add %iterArg_38, %129 : tensor<9xf32>
      %131 = stablehlo.divide %129, %130 : tensor<9xf32>
      %cst_43 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %132 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %133 = stablehlo.compare GT, %131, %132, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
      %134 = stablehlo.and %iterArg, %133 : tensor<9xi1>
      %135 = stablehlo.select %iterArg, %120, %iterArg_36 : tensor<9xi1>, tensor<9xf32>
      %136 = stablehlo.select %iterArg, %129, %iterArg_37 : tensor<9xi1>, tensor<9xf32>
      %137 = stablehlo.select %iterArg, %130, %iterArg_38 : tensor<9xi1>, tensor<9xf32>
      %138 = stablehlo.select %iterArg, %iterArg_39, %iterArg_39 : tensor<9xi1>, tensor<9xf32>
      %139 = stablehlo.select %iterArg, %126, %iterArg_40 : tensor<9xi1>, tensor<9xf32>
      %140 = stablehlo.select %iterArg, %127, %iterArg_41 : tensor<9xi1>, tensor<9xf32>
      stablehlo.return %134, %135, %136, %137, %138, %139, %140 : tensor<9xi1>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>
    }
    %77 = stablehlo.multiply %76#3, %42 : tensor<9xf32>
    %78 = stablehlo.divide %77, %10 : tensor<9xf32>
    %79 = stablehlo.select %32, %69, %78 : tensor<9xi1>, tensor<9xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %81 = stablehlo.select %20, %80, %79 : tensor<9xi1>, tensor<9xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %83 = stablehlo.select %16, %82, %81 : tensor<9xi1>, tensor<9xf32>
    %cst_25 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %85 = stablehlo.select %28, %84, %83 : tensor<9xi1>, tensor<9xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %87 = stablehlo.multiply %arg0, %86 : tensor<9xf32>
    %88 = stablehlo.reduce_precision %87, format = e5m10 : tensor<9xf32>
    %89 = stablehlo.reduce_precision %arg0, format = e4m3 : tensor<9xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %91 = stablehlo.compare GT, %arg0, %90, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %92 = call @argmax(%91) : (tensor<9xi1>) -> tensor<i32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %94 = stablehlo.compare GT, %arg0, %93, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %96 = stablehlo.compare GT, %arg0, %95, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %97 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<9xi1>
    %98 = stablehlo.broadcast_in_dim %97, dims = [1] : (tensor<9xi1>) -> tensor<1x9xi1>
    %99 = stablehlo.broadcast_in_dim %94, dims = [1] : (tensor<9xi1>) -> tensor<1x9xi1>
    %100 = stablehlo.broadcast_in_dim %96, dims = [1] : (tensor<9xi1>) -> tensor<1x9xi1>
    %101 = stablehlo.concatenate %98, %99, %100, dim = 0 : (tensor<1x9xi1>, tensor<1x9xi1>, tensor<1x9xi1>) -> tensor<3x9xi1>
    %102 = call @argmax_1(%101) : (tensor<3x9xi1>) -> tensor<9xi32>
    %cst_30 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %c_31 = stablehlo.constant dense<1> : tensor<i32>
    %104 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %105 = stablehlo.compare LT, %102, %104, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %c_32 = stablehlo.constant dense<2> : tensor<i32>
    %106 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %107 = stablehlo.compare LT, %102, %106, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %108 = stablehlo.select %107, %arg0, %arg1 : tensor<9xi1>, tensor<9xf32>
    %109 = stablehlo.select %105, %103, %108 : tensor<9xi1>, tensor<9xf32>
    %110 = stablehlo.slice %arg1 [2:3] : (tensor<9xf32>) -> tensor<1xf32>
    %111 = stablehlo.reshape %110 : (tensor<1xf32>) -> tensor<f32>
    %c_33 = stablehlo.constant dense<1> : tensor<i32>
    %112 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %113 = "stablehlo.scatter"(%arg0, %112, %111) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %119 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %119 : tensor<f32>
    }) : (tensor<9xf32>, tensor<1xi32>, tensor<f32>) -> tensor<9xf32>
    %c_34 = stablehlo.constant dense<8> : tensor<i32>
    %114 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_35 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %115 = "stablehlo.scatter"(%arg0, %114, %cst_35) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<9xf32>, tensor<1xi32>, tensor<f32>) -> tensor<9xf32>
    %116 = stablehlo.bitcast_convert %arg0 : (tensor<9xf32>) -> tensor<9x4xui8>
    %117 = stablehlo.bitcast_convert %arg1 : (tensor<9xf32>) -> tensor<9x2xi16>
    %118 = stablehlo.bitcast_convert %117 : (tensor<9x2xi16>) -> tensor<9xf32>
    return %0, %1, %2, %9, %85, %88, %89, %92, %109, %113, %115, %116, %118 : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<i32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9x4xui8>, tensor<9xf32>
  }
  func.func private @copysign(%arg0: tensor<f32>, %arg1: tensor<9xf32>) -> tensor<9xf32> {
    %0 = call @signbit(%arg1) : (tensor<9xf32>) -> tensor<9xi1>
    %1 = stablehlo.abs %arg0 : tensor<f32>
    %2 = stablehlo.negate %1 : tensor<f32>
    %3 = stablehlo.abs %arg0 : tensor<f32>
    %4 = call @_where(%0, %2, %3) : (tensor<9xi1>, tensor<f32>, tensor<f32>) -> tensor<9xf32>
    return %4 : tensor<9xf32>
  }
  func.func private @signbit(%arg0: tensor<9xf32>) -> tensor<9xi1> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<9xf32>) -> tensor<9xi32>
    %c = stablehlo.constant dense<31> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<9xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %4 = stablehlo.compare NE, %2, %3, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %5 = stablehlo.convert %4 : tensor<9xi1>
    return %5 : tensor<9xi1>
  }
  func.func private @_where(%arg0: tensor<9xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<9xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<9xi1>, tensor<9xf32>
    return %2 : tensor<9xf32>
  }
  func.func private @_where_0(%arg0: tensor<9xi1>, %arg1: tensor<9xf32>, %arg2: tensor<9xf32>) -> tensor<9xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<9xi1>, tensor<9xf32>
    return %0 : tensor<9xf32>
  }
  func.func private @argmax(%arg0: tensor<9xi1>) -> tensor<i32> {
    %0 = stablehlo.iota dim = 0 : tensor<9xi32>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [0] : (tensor<9xi1>, tensor<9xi32>, tensor<i1>, tensor<i32>) -> (tensor<i1>, tensor<i32>)
     reducer(%arg1: tensor<i1>, %arg3: tensor<i1>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i1>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<i1>, tensor<i32>
    }
    return %1#1 : tensor<i32>
  }
  func.func private @argmax_1(%arg0: tensor<3x9xi1>) -> tensor<9xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<3x9xi32>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [0] : (tensor<3x9xi1>, tensor<3x9xi32>, tensor<i1>, tensor<i32>) -> (tensor<9xi1>, tensor<9xi32>)
     reducer(%arg1: tensor<i1>, %arg3: tensor<i1>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i1>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<i1>, tensor<i32>
    }
    return %1#1 : tensor<9xi32>
  }
}
