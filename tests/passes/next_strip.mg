// Columns that are packed once and stay in no near cache: while the panels of rows multiply a strip, each chain of a tile's sums prefetches a
// part of the next strip into the second-level cache. With few rows, memory is the limit in any case, and nothing is asked early.
// RUN: %mgc --emit-kernels --march=sapphirerapids --weights=random --set N=197 %s | %FileCheck %s
// RUN: %mgc --emit-kernels --march=sapphirerapids --weights=random --set N=12 %s | %FileCheck %s --check-prefix=FEW
mg 1
graph g(x: f32[N, 768]) -> (y: f32[N, 3072]) {
    param w: f32[3072, 768]
    y[n, i] = sum[k] x[n, k] * w[i, k]
}
// CHECK: for chain in
// CHECK: for line in 0..16
// CHECK-NEXT: prefetch far
// FEW-NOT: prefetch far
