// RUN: %mgc --emit-kernels --graph=g --target=gpu --march=cu=2,items=64,warp=8 %s | %FileCheck %s
// RUN: %mgc --emit-kernels --graph=g --strict --target=gpu --march=cu=2,items=64,warp=8 %s | %FileCheck %s --check-prefix=STRICT
mg 1
// An exponential is rough if what it ends in has 16 bits or is a long sum; not if it is stored, compared, or of an input.
// STRICT-NOT: ~exp2
// CHECK-LABEL: kernel
// CHECK: ~exp2({{.*}} * 1.442695
// CHECK: ~erfc({{.*}} * -0.70710677
// CHECK: kernel reduction_
// CHECK: ~exp2({{.*}} * 1.442695
// CHECK: kernel reduction_
// CHECK-NOT: ~exp2
graph g(x: f32[64, 96])
    -> (narrow: bf16[64, 96], long: f32[64], short: f32[64, 2], wide: f32[64, 96], c: bool[64, 96],
        direct: bf16[64, 96], gelu: bf16[64, 96])
{
    narrow[i, j] = bf16(where(i < 3, x[i, j], 3.0 * exp(x[i, j] - 1.0)) + x[i, j])
    gelu[i, j] = bf16(x[i, j] * erfc(x[i, j] * -0.70710677))
    long[i] = sum[j] exp(x[i, j] * 0.5)
    short[i, k]: f32[64, 2] = sum[j in 0..48] exp(x[i, k * 48 + j] - 2.0)
    wide[i, j] = exp(x[i, j] - 3.0)
    c[i, j] = exp(x[i, j] - 4.0) < 0.5
    direct[i, j] = bf16(exp(x[i, j]))
}
