mg 1
// RUN: %mgc --emit-ir -O2 --target=gpu --march=h200 --machine=%S/unweighed.machine --precision=bf16 --verify-each --graph=causal %s | %FileCheck %s
// RUN: %mgc --emit-ir -O2 --target=gpu --march=h200 --machine=%S/unweighed.machine --precision=bf16 --verify-each --graph=causal %s | %FileCheck --check-prefix=DELTA %s
// RUN: %mgc --emit-ir -O2 --target=gpu --march=h200 --precision=bf16 --verify-each --graph=causal %s | %FileCheck --check-prefix=WEIGH %s
// RUN: %mgc --emit-ir -O2 --target=gpu --march=h200,cu=132,items=1024,local=49152,warp=32 --verify-each --graph=causal %s | %FileCheck --check-prefix=PLAIN %s
// RUN: %mgc --emit-ir -O2 --target=gpu --march=h200,cu=132,items=1024,local=49152,warp=32 --machine=%S/unweighed.machine --verify-each --graph=kept %s | %FileCheck --check-prefix=KEPT %s
// RUN: %mgc --emit-ir -O2 --target=gpu --march=h200,cu=132,items=1024,local=49152,warp=32 --strict --graph=causal %s | %FileCheck --check-prefix=STRICT %s
// RUN: %mgc --emit-memplan -O2 --target=gpu --march=h200 --precision=bf16 --graph=causal %s | %FileCheck --check-prefix=MEMORY %s
// RUN: %mgc --emit-ir -O2 --target=gpu --march=h200,cu=132,items=1024,local=49152,warp=32 --verify-each --graph=gated %s | %FileCheck --check-prefix=GATED %s
// RUN: %mgc --emit-ir -O2 --target=gpu --march=h200,cu=132,items=1024,local=49152,warp=32 --verify-each --graph=parts %s | %FileCheck --check-prefix=PARTS %s
// RUN: %mgc --emit-ir -O2 --target=gpu --march=h200 --verify-each --graph=double %s | %FileCheck --check-prefix=DOUBLE %s
// RUN: for to in -O2 -O3; do %mgc run --graph=gated --input q=random --input k=random:2 --input v=random:3 --input g=random:4 --input gate=zeros $to %s; done | %FileCheck --check-prefix=ZERO %s
// RUN: %mgc --emit-schedule --target=gpu --march=h200 --precision=bf16 --graph=causal %s > %t.mgs
// RUN: %mgc --emit-schedule --target=gpu --march=h200 --precision=bf16 --graph=causal --schedule=%t.mgs %s | cmp - %t.mgs
// Attention keeps one maximum and one sum for each row, from which its derivative computes the weights again. The sum over
// the keys of weights times their derivatives is one over the columns of the result. Of what has a value for each key, only
// scores, weights and the scores' derivatives are in memory, in 16 bits.
// CHECK-LABEL: graph causal
// STRICT-NOT: _again
// MEMORY: arena: {{[0-9]?[0-9]?[0-9][0-9][0-9][0-9]}} bytes
graph causal(q: f32[2, 4, 512, 64], k: f32[2, 4, 512, 64], v: f32[2, 4, 512, 64], g: f32[2, 4, 512, 64]) -> (y, a, b, c) {
    // CHECK: y_p_m: f32[2, 4, 512], y_p_z: f32[2, 4, 512],
    // CHECK-SAME: = fused {
    // CHECK: } #anchor("attention")
    // DELTA: y_p_z_sum[
    // DELTA-SAME: = sum[e in 0..64] bf16(g[n0, n1, n2, e]) * y
    // CHECK: y_s_sum_again_in[
    // CHECK-SAME: = sum[d in 0..64] bf16(q[b, h, i, d]) * bf16(k[b, h, j, d])
    // CHECK: y_p_e_again{{.*}} - where(y_p_m[
    // CHECK: y_p_again{{.*}}_once[
    // CHECK-NOT: y_p_e_again_2
    // CHECK: yield y_s_sum_again_in, y_p_bf16_2_again_in
    // CHECK: y_p_e_again_2[
    // CHECK: bf16[2, 4, 512, 512] = d_y_s[
    // PLAIN: yield y_p_m_in, y_p_z_in, y_in
    // PLAIN-NEXT: } #anchor("attention")
    // PLAIN-NOT: sum[j in 0..512] where(
    // On a machine where this pays, each sum computes its weights itself, and a row's reciprocal is computed once.
    // WEIGH-COUNT-1: = 1.0 / where(y_p_z
    // WEIGH-NOT: = 1.0 / where(y_p_z
    // WEIGH-COUNT-3: anchor("attention") #backward
    // WEIGH-NOT: {{^}}    {{[a-z0-9_]*}}: bf16[2, 4, 512, 512]
    y = attention(q, k, v, causal = true)
    a = derivative(y, q, g)
    b = derivative(y, k, g)
    c = derivative(y, v, g)
}
// Weights that something else reads are in memory anyway.
// KEPT-LABEL: graph kept
graph kept(q: f32[70, 16], k: f32[90, 16], v: f32[90, 24], g: f32[70, 24]) -> (y, p, a) {
    // KEPT-NOT: _again
    s[i, j] = sum[d] q[i, d] * k[j, d]
    p = softmax(s)
    y[i, e] = sum[j] p[i, j] * v[j, e]
    a = derivative(y, q, g)
}
// A gate may be 0, so no sum is divided by it.
// GATED-LABEL: graph gated
// ZERO-NOT: nan
graph gated(q: f32[64, 16], k: f32[64, 16], v: f32[64, 16], g: f32[64, 16], gate: f32[64]) -> (y, t) {
    // GATED-NOT: / gate
    // GATED: t[{{.*}} = sum[j in 0..64]
    s[i, j] = sum[d] q[i, d] * k[j, d]
    p = softmax(s)
    w[i, j] = p[i, j] * gate[i]
    y[i, c] = sum[j] w[i, j] * v[j, c]
    d[i, j] = sum[c] g[i, c] * v[j, c]
    t[i] = sum[j] p[i, j] * d[i, j] #backward
}
// A sum over some of the keys is none over the columns, and nor is one of scores.
// PARTS-LABEL: graph parts
graph parts(q: f32[64, 16], k: f32[64, 16], v: f32[64, 16], g: f32[64, 16]) -> (y, t, u) {
    // PARTS: u[{{.*}} = sum[j in 0..64]
    // PARTS: t[{{.*}} = sum[j in 2..64]
    s[i, j] = sum[d] q[i, d] * k[j, d]
    m[i] = max[j] s[i, j]
    e[i, j] = exp(s[i, j] - m[i])
    z[i] = sum[j] e[i, j]
    y[i, c] = sum[j] e[i, j] / z[i] * v[j, c]
    d[i, j] = sum[c] g[i, c] * v[j, c]
    t[i] = sum[j in 2..64] e[i, j] * d[i, j] #backward
    u[i] = sum[j] s[i, j] * d[i, j] #backward
}
// Only products of f32 are split by matrix units: those of f64 are as slow as they are, and scores so deep stay in memory.
// DOUBLE-LABEL: graph double
// DOUBLE-NOT: _again
graph double(q: f64[16, 512, 176], k: f64[16, 512, 176], v: f64[16, 512, 64], g: f64[16, 512, 64]) -> (y, a) {
    s[n, i, j] = sum[d] q[n, i, d] * k[n, j, d]
    p = softmax(s)
    y[n, i, e] = sum[j] p[n, i, j] * v[n, j, e]
    a = derivative(y, q, g)
}
