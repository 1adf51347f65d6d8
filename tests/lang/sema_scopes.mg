mg 1
// RUN: %mgc --emit-ir -O0 %s | %FileCheck %s
// The index of a sum has a value inside the sum only.
graph g(x: f32[A, B], y: f32[B, C]) -> (p) {
    p[i, k] = (sum[j] x[i, j]) + y[0, k]
}
// CHECK: require B >= 1
// CHECK: p[i in 0..A, k in 0..C]: f32[A, C] = p_sum[i] + y[0, k]
