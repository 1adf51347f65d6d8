// Each layer's wide values are computed again where the derivatives of that layer begin, from what is kept between the
// layers. Not all of them before the first derivative.
// RUN: %mgc --emit-ir --passes=remat --remat=all --no-annotations %s | %FileCheck %s
mg 1
graph g(x: f32[64], w: f32[64]) -> (loss: f32[], d: f32[64]) {
    a[i in 0..64, j in 0..256] = x[i] * w[i]
    b[i, j] = tanh(a[i, j])
    p[i] = sum[j] b[i, j]
    c[i in 0..64, j in 0..256] = p[i] * w[i]
    e[i, j] = tanh(c[i, j])
    q[i] = sum[j] e[i, j]
    loss[] = sum[i] q[i] * q[i]
    d = derivative(loss, w)
}
// CHECK: loss[]
// CHECK: d_q[
// CHECK: c_again[i in 0..64, j in 0..256]: f32[64, 256] = p[i] * w[i]
// CHECK: e_again[
// CHECK: d_c[
// CHECK: d_p[
// CHECK: a_again[
// CHECK: b_again[
// CHECK: d_a[
