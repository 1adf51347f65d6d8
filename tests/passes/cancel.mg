// RUN: %mgc --emit-ir --passes=canonicalise,cancel,cse,dce --verify-each --no-annotations %s | %FileCheck %s
// RUN: %mgc --emit-ir --passes=canonicalise,cancel,cse,dce --strict --no-annotations %s | %FileCheck %s --check-prefix=STRICT
// RUN: %mgc --emit-ir --graph=layers %s | %FileCheck %s --check-prefix=FUSED
mg 1
import norm

// Nothing reaches x through the maximum of its row. The factor of a whole row leaves its sum.
// CHECK: graph soft
// CHECK-NOT: argmax
// CHECK: d_y_sum_core[n in 0..64]: f32[64] = sum[d in 0..10] g[n, d] * y[n, d]
// CHECK-NEXT: d_y_sum[n in 0..64]: f32[64] = -(1.0 / y_sum[n] * d_y_sum_core[n])
// CHECK-NOT: d_y_m
// CHECK: dx[i0 in 0..64, i1 in 0..10]: f32[64, 10] = d_x[i0, i1]
// STRICT: graph soft
// STRICT: argmax
graph soft(x: f32[64, 10], g: f32[64, 10]) -> (dx) {
    y = softmax(x, axis = 1)
    dx = derivative(y, x, along = g)
}

// The same in other words, and with rows of -inf.
// CHECK: graph words
// CHECK-NOT: argmax
// CHECK: graph masked
graph words(x: f32[64, 10], g: f32[64]) -> (dx) {
    m[n] = max[d] x[n, d]
    z[n] = log(sum[d] exp(x[n, d] - m[n])) + m[n]
    dx = derivative(z, x, along = g)
}
// CHECK-NOT: argmax
// CHECK: graph loss
graph masked(x: f32[64, 10], g: f32[64, 10]) -> (dx) {
    y = masked_softmax(x)
    dx = derivative(y, x, along = g)
}

// Softmax with cross-entropy: the probabilities less one at the label, each times a number of the
// row. The only sums are those of the forward part.
// CHECK-NOT: argmax
// CHECK: d_logs[n in 0..64, i1 in 0..10]: f32[64, 10] = where(l_class[n] == i1,
// CHECK-NOT: {{= sum}}
// CHECK: d_x_2[n in 0..64, d in 0..10]: f32[64, 10] = d_logs_l_sum[n] * exp(x[n, d] - logs_m[n])
// CHECK: dx[i0 in 0..64, i1 in 0..10]: f32[64, 10] = d_x[i0, i1] + d_x_2[i0, i1]
graph loss(x: f32[64, 10], t: i64[64]) -> (dx) {
    l, logs = cross_entropy(x, t)
    dx = derivative(l, x)
}

// A layer norm's backward part has two sums along the row, and is one kernel with its statistics.
// CHECK: graph layers
// CHECK: d_y_v_core[n in 0..64]: f32[64] = sum[r in 0..128] g[n, r] * w[r] * (x[n, r] - y_mu[n])
// CHECK: d_y_mu[n in 0..64]: f32[64] = sum[r in 0..128]
// CHECK-NOT: {{= sum}}
// CHECK: dx[i0 in 0..64, i1 in 0..128]
// FUSED: graph layers
// FUSED: dx: f32[64, 128] = fused {
// FUSED: mean[r in 0..128] x[n, r]
// FUSED: dx_in[
// FUSED-NEXT: yield
// FUSED-NEXT: }
// FUSED-NEXT: }
graph layers(x: f32[64, 128], w: f32[128], b: f32[128], g: f32[64, 128]) -> (dx) {
    y = layer_norm(x, w, b)
    dx = derivative(y, x, along = g)
}

// A batch norm's has two sums, which are the derivatives of its parameters except for a factor.
// CHECK: graph batches
// CHECK: d_y_v_core[c in 0..16]: f32[16] = sum[n in 0..8, i0 in 0..8, i1 in 0..8] g[n, c, i0, i1] * (x[n, c, i0, i1] - y_mu[c])
// CHECK: sum[n in 0..8, i0 in 0..8, i1 in 0..8] g[n, c, i0, i1]{{$}}
// CHECK-NOT: {{= sum}}
// CHECK: dw[c in 0..16]: f32[16] = 1.0 / sqrt(y_v[c] + 1e-05) * d_y_v_core[c]
graph batches(x: f32[8, 16, 8, 8], w: f32[16], b: f32[16], m: f32[16], v: f32[16], g: f32[8, 16, 8, 8]) -> (dx, dw, db) {
    y, m1, v1 = norm.batch_norm_train(x, w, b, m, v)
    dx = derivative(y, x, along = g)
    dw = derivative(y, w, along = g)
    db = derivative(y, b, along = g)
}

// Values that are not derivatives stay as written, and so do values that don't cancel.
// CHECK: graph stays
// CHECK: away[n in 0..64]: f32[64] = sum[d in 0..10] (x[n, d] - m[n])
// CHECK: argmax
graph stays(x: f32[64, 10], g: f32[64]) -> (away, dx) {
    m[n] = mean[d] x[n, d]
    away[n] = sum[d] (x[n, d] - m[n])
    h[n] = max[d] x[n, d]
    y[n] = sum[d] exp(x[n, d] - 2 * h[n])
    dx = derivative(y, x, along = g)
}
