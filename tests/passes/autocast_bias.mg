// Mixed precision rounds a product of matrices once: after its bias, if it has one. A bias's gradient sums what the
// weights' gradient has as a factor.
// RUN: %mgc --emit-ir -O0 --precision=bf16 --graph=step %s | %FileCheck %s
// RUN: %mgc --emit-ir -O0 --precision=bf16 --graph=added %s | %FileCheck %s --check-prefix=ADDED
mg 1
import nn
graph step(x: f32[N, 8], r: f32[N, 4]) -> (loss: f32[], z: f32[N, 4]) {
    param l: nn.linear(features = 4)
    param w: f32[4, 4]
    // CHECK: p_sum[{{.*}}]: f32[N, 4] = sum[i in 0..8] x_bf16[{{.*}}] * l.weight_bf16[
    // CHECK-NEXT: p[{{.*}}]: f32[N, 4] = p_sum[n, o] + l.bias[o]
    // CHECK-NEXT: p_bf16[{{.*}}]: bf16[N, 4] = f32(bf16(p[
    p = l(x)
    // CHECK: s[{{.*}}]: f32[N, 4] = p_bf16_f32[i, j] * r[i, j]
    s[i, j] = p[i, j] * r[i, j]
    // What is added differs for each element, so it is no bias.
    // CHECK: z_q[{{.*}}]: f32[N, 4] = sum[k in 0..4] s_bf16[i, k] * w_bf16[k, j]
    // CHECK-NEXT: z_q_bf16[
    // CHECK: z[{{.*}}]: f32[N, 4] = z_q_bf16_f32[i, j] + r[i, j]
    z_q[i, j]: f32[N, 4] = sum[k] s[i, k] * w[k, j]
    z[i, j] = z_q[i, j] + r[i, j]
    loss[] = sum[i, j] z[i, j] * z[i, j] * z[i, j]
    // CHECK: l.bias.next[o in 0..4]: f32[4] = sum[n in 0..N] d_p_bf16[n, o]
    // CHECK: l.weight.next[{{.*}}]: f32[4, 8] = sum[n in 0..N] d_p_bf16[n, o] * x_bf16[n, i]
    next w = derivative(loss, w)
    next l.weight = derivative(loss, l.weight)
    next l.bias = derivative(loss, l.bias)
}

// A derivative with respect to a parameter is not rounded, whatever is added to it.
graph added(x: f32[N, 8], r: f32[4]) -> (loss: f32[], u: f32[4, 8]) {
    param w: f32[4, 8]
    p[n, o]: f32[N, 4] = sum[i] x[n, i] * w[o, i]
    loss[] = sum[i, j] p[i, j] * p[i, j] * r[j]
    // ADDED: d_w[{{.*}}]: f32[4, 8] = sum[n in 0..N] d_p_bf16[n, o] * x_bf16[n, i]
    // ADDED-NEXT: u[o in 0..4, i in 0..8]: f32[4, 8] = d_w[o, i] + r[o]
    d = derivative(loss, w)
    u[o, i] = d[o, i] + r[o]
}
