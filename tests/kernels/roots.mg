// A vector's quotient by one root is a product with its inverse at -O3; not by a root for each lane, of less, or with --strict.
// RUN: %mgc --emit-kernels -O3 --target=gpu --march=cu=2,items=64,warp=8 %s | %FileCheck %s
// RUN: %mgc --emit-kernels -O2 --target=gpu --march=cu=2,items=64,warp=8 %s | %FileCheck %s --check-prefix=KEPT
// RUN: %mgc --emit-kernels -O3 --strict --target=gpu --march=cu=2,items=64,warp=8 %s | %FileCheck %s --check-prefix=KEPT
// KEPT-NOT: 1.0 / sqrt
mg 1
graph g(x: f32[64, 96], v: f32[64], u: f32[96]) -> (rows: f32[64, 96], columns: f32[64, 96], by: f32[64, 96])
{
    // CHECK: splat<{{.*}}>(1.0 / sqrt(
    rows[i, j] = (x[i, j] - 1) / sqrt(v[i] + 0.5)
    // CHECK-NOT: 1.0 / sqrt(
    columns[i, j] = (x[i, j] - 1) / sqrt(u[j] + 0.5)
    by[i, j] = (x[i, j] - 1) / v[i]
}
