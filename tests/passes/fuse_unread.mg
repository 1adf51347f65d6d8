// RUN: %mgc --emit-ir --passes=fuse --verify-each %s | %FileCheck %s
// RUN: %mgc run %s --passes=fuse --input x=1,2,3,4 --no-cache | %FileCheck %s --check-prefix=VALUE
mg 1
// Ops that nothing reads are no group: a fused op has a result.
// VALUE: y: f32[4] = [2.0, 3.0, 4.0, 5.0]
graph g(x: f32[4]) -> (y: f32[4])
{
    // CHECK-NOT: fused
    // CHECK: y[a in 0..4]: f32[4] = x[a] + 1.0
    y[a] = x[a] + 1
    // CHECK-NEXT: v[a in 0..4]
    v[a] = max(x[a], 2)
    // CHECK-NEXT: w[a in 0..4]
    w[a] = v[a] * 3
}
