// Two wide values are made, and each is read once. If the second is made after the first is read, only one is alive.
// RUN: %mgc --emit-ir --passes=order --no-annotations %s | %FileCheck %s
mg 1
graph g(x: f32[8]) -> (y: f32[8]) {
    // CHECK: a[i in 0..4096]
    a[i in 0..4096] = x[i % 8] * 2
    // CHECK: p[j in 0..8]: f32[8] = sum[i in 0..512] a
    // CHECK: b[i in 0..4096]
    b[i in 0..4096] = x[i % 8] * 3
    // CHECK: q[j in 0..8]
    p[j in 0..8] = sum[i in 0..512] a[i + 512 * j]
    q[j in 0..8] = sum[i in 0..512] b[i + 512 * j]
    // CHECK: y[
    y[j in 0..8] = p[j] + q[j]
}
