// On a target that looks up four constants at once, exponentials are powers of two with exponents in
// quarters: a quartic times what a table and the bits of the exponent make. erfc of a product with a
// constant is made of such a power, too.
// RUN: %mgc kernels %s --passes=legalise | %FileCheck %s
// RUN: %mgc kernels %s --passes=legalise --run --input=x=-20,-4,-1,0,0.001,1,3,20 | %FileCheck --check-prefix=VALUES %s

// VALUES: y: f32[8] = [1e-45, 0.004677735, 0.47950011, 1.0, 1.0005641, 1.5205, 1.9661051, 2.0]
// VALUES: z: f32[8] = [4.851652e+08, 56.59815, 4.7182817, 3.0, 2.9990005, 2.3678794, 2.049787, 2.0]

// CHECK: kernel quarters
// CHECK-NEXT: v
// CHECK-NEXT: [[B:t[.0-9]*]]: f32<8> = min(abs(v) * 0.6005612<8>, 12.1875<8>)
// CHECK-NEXT: [[N:t[.0-9]*]]: f32<8> = fma(neg([[B]]), [[B]], 3145728.0<8>)
// CHECK: shl(bitcast<u32>([[N]]), 21u32<8>) + bitcast<u32>(lookup<8>[{{[^,]*, [^,]*, [^,]*, [^,]*}}](bitcast<u32>([[N]])))
// CHECK: [[M:t[.0-9]*]]: f32<8> = fma({{.*}}, 1.442695<8>, 3145728.0<8>)
// CHECK: z[0]<8> = fma({{.*}}lookup<8>[{{[^,]*, [^,]*, [^,]*, [^,]*}}](bitcast<u32>([[M]]))){{.*}}, 2.0<8>)
kernel quarters(x: in f32[8] noalias, y: out f32[8] noalias, z: out f32[8] noalias) lookup4 contracts {
  v: f32<8> = x[0]<8>
  y[0]<8> = erfc(v * -0.5<8>)
  z[0]<8> = 2.0<8> + exp(neg(v))
}
