mg 1
// Attention of f64 is one kernel too: items keep and share values of the type in which it computes.
// RUN: %mgc --emit-opencl --target=gpu --march=cu=132,items=1024,local=49152,warp=32 %s | %FileCheck %s
// CHECK-NOT: __kernel void mg_contraction
// CHECK: __kernel void mg_attention_{{[0-9]+}}(
// CHECK-NOT: float
// CHECK: __local double {{b[0-9]+}}_q[
// CHECK: double4 [[SUMS:b[0-9]+_sums]][
// CHECK: = fma({{.*}}double4
// CHECK-NOT: __kernel
graph g(q: f64[2, 12, 512, 64], k: f64[2, 12, 512, 64], v: f64[2, 12, 512, 64]) -> (y: f64[2, 12, 512, 64])
{
    y = attention(q, k, v)
}
