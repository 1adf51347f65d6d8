mg 1
import random
// Derivatives of attention whose weights have a gain after the softmax: dropout under a causal mask, in heads that lie beside one
// another, with several blocks; and grouped heads with a matrix of gains, one row of which is 0, and a mask.
graph g(h: f32[3], seed: u64[]) -> (y0, a0, b0, c0, y1, a1, b1, c1) {
    ratio[]: f32[] = 0.3
    z0[b in 0..1, i in 0..150, e in 0..96]: f32[1, 150, 96] = sin(3 * b + 5 * i + 2 * e) + h[0]
    q0[b, n, i, d]: f32[1, 2, 150, 16] = z0[b, i, 16 * n + d]
    k0[b, n, i, d]: f32[1, 2, 150, 16] = z0[b, i, 32 + 16 * n + d]
    v0[b, n, i, d]: f32[1, 2, 150, 16] = z0[b, i, 64 + 16 * n + d]
    g0[b in 0..1, n in 0..2, i in 0..150, e in 0..16]: f32[1, 2, 150, 16] = cos(n + 4 * i + 5 * e + b) + h[2]
    s0 = attention_scores(q0, k0)
    c[b, n, i, j] = where(j <= i, s0[b, n, i, j], -inf)
    p0 = softmax(c)
    w0, kept0 = dropout(p0, seed, ratio)
    y0 = attend_values(w0, v0)
    a0 = derivative(y0, q0, g0)
    b0 = derivative(y0, k0, g0)
    c0 = derivative(y0, v0, g0)

    q1[b in 0..1, n in 0..4, i in 0..70, d in 0..32]: f32[1, 4, 70, 32] = sin(3 * n + 5 * i + 2 * d) + h[0]
    k1[b in 0..1, n in 0..2, j in 0..90, d in 0..32]: f32[1, 2, 90, 32] = cos(2 * n + 3 * j + 7 * d) + h[1]
    v1[b in 0..1, n in 0..2, j in 0..90, e in 0..16]: f32[1, 2, 90, 16] = sin(n + 7 * j + 3 * e) + h[2]
    g1[b in 0..1, n in 0..4, i in 0..70, e in 0..16]: f32[1, 4, 70, 16] = cos(n + 4 * i + 5 * e) + h[1]
    m1[i in 0..70, j in 0..90]: f32[70, 90] = sin(i + j) + h[0]
    f1[i in 0..70, j in 0..90]: f32[70, 90] = where(i == 9, 0.0, cos(2 * i + 3 * j) + h[1])
    t1 = attention_scores(q1, k1)
    s1[b, n, i, j] = 0.2 * t1[b, n, i, j] + m1[i, j]
    p1 = softmax(s1)
    w1[b, n, i, j] = f1[i, j] * p1[b, n, i, j]
    y1 = attend_values(w1, v1)
    a1 = derivative(y1, q1, g1)
    b1 = derivative(y1, k1, g1)
    c1 = derivative(y1, v1, g1)
}
