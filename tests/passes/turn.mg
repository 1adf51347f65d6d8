// RUN: %mgc --emit-ir --passes=turn --verify-each %s | %FileCheck %s
// RUN: %mgc --emit-ir --passes=turn --strict %s | %FileCheck %s --check-prefix=STRICT
mg 1

// The larger value is read forward, whichever way the smaller one is then read.
// CHECK: y[i in 0..4, j in 0..2]: f32[4, 2] = sum[t in 0..100] a[t, i] * b[99 - t, j]
// STRICT: y[i in 0..4, j in 0..2]: f32[4, 2] = sum[t in 0..100] a[99 - t, i] * b[t, j]
// CHECK: y2[i in 0..4, j in 0..8]: f32[4, 8] = sum[t in 0..100] a[99 - t, i] * c[t, j]
// The order of terms doesn't matter for a maximum, but it does for its place.
// CHECK: m[i in 0..4]: f32[4] = max[t in 0..99] a[t + 1, i]
// STRICT: m[i in 0..4]: f32[4] = max[t in 0..99] a[t + 1, i]
// CHECK: l[i in 0..4]: i64[4] = argmax
// CHECK-SAME: a[99 - t, i]
graph backward(a: f32[100, 4], b: f32[100, 2], c: f32[100, 8]) -> (y: f32[4, 2], y2: f32[4, 8], m: f32[4], l: i64[4]) {
    y[i, j] = sum[t in 0..100] a[99 - t, i] * b[t, j]
    y2[i, j] = sum[t in 0..100] a[99 - t, i] * c[t, j]
    m[i] = max[t in 0..99] a[99 - t, i]
    l[i] = argmax[t in 0..100] a[99 - t, i]
}
