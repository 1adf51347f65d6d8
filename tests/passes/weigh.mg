// RUN: %mgc --emit-ir --target=gpu --march=h200 --verify-each %s | %FileCheck %s
mg 1
// A sum over computed weights has its steps for itself, and what is the same for all keys leaves them.
// CHECK-LABEL: graph sums
graph sums(q: bf16[80, 32], k: bf16[90, 32], v: bf16[90, 16], x: f32[80, 90], r: f32[80]) -> (y: f32[80, 16], z: f32[80, 32]) {
    // CHECK: w_once[i in 0..80]: f32[80] = exp(r[i])
    // CHECK: y: f32[80, 16] = fused {
    // CHECK: w[{{.*}} * w_once[i] / r[i]
    // CHECK: } #anchor("attention")
    s[i, j]: f32[80, 90] = sum[d] f32(q[i, d]) * f32(k[j, d])
    w[i, j]: bf16[80, 90] = s[i, j] * exp(r[i]) / r[i]
    y[i, e] = sum[j] f32(w[i, j]) * f32(v[j, e])
    // What exact numbers decide has fixed rounding.
    // CHECK: z: f32[80, 32] = fused {
    // CHECK: floor(x[i, j] / r[i])
    // CHECK: } #anchor("attention")
    u[i, j]: bf16[80, 90] = where(floor(x[i, j] / r[i]) % 2 == 0, s[i, j], 0.0)
    z[i, e] = sum[j] f32(u[i, j]) * f32(k[j, e])
}
// A softmax's sum has a reciprocal.
// CHECK-LABEL: graph above
graph above(q: bf16[80, 32], k: bf16[90, 32], v: bf16[90, 16], x: f32[80, 90]) -> (y: f32[80, 16]) {
    // CHECK: p_once[n in 0..80]: f32[80] = 1.0 / p_sum[n]
    // CHECK: * p_once[n]
    // CHECK: anchor("attention")
    s[i, j]: f32[80, 90] = sum[d] f32(q[i, d]) * f32(k[j, d])
    p = softmax(s)
    w[i, j]: bf16[80, 90] = relu(p[i, j] - x[i, j])
    y[i, e] = sum[j] f32(w[i, j]) * f32(v[j, e])
}
// No matrix unit multiplies bf16 and f16, so these factors are split.
// CHECK-LABEL: graph mixed
// CHECK: anchor("attention")
graph mixed(q: bf16[80, 32], k: bf16[90, 32], v: f16[90, 16]) -> (y: f32[80, 16]) {
    s[i, j]: f32[80, 90] = sum[d] f32(q[i, d]) * f32(k[j, d])
    w[i, j]: bf16[80, 90] = 2 * s[i, j]
    y[i, e] = sum[j] f32(w[i, j]) * f32(v[j, e])
}
