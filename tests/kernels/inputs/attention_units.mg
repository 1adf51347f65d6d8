mg 1
import random
// Attention by matrix units, with factors that are exact in 16 bits and weights that are rounded to 16 bits: whole blocks;
// grouped heads of f16 whose rows and keys fill no block, with a mask; rows that see few keys or none, wide heads and
// more steps after the last product; sizes that are known only at run time; weights of f16 that are dropped or not; rows
// that see nothing and drop all weights, which are NaN.
graph g(h: f32[3], rows: f32[S], keys: f32[L], seed: u64[]) -> (y0, y1, y2, y3, y4, y5) {
    q0[b in 0..1, n in 0..2, i in 0..192, d in 0..64]: bf16[1, 2, 192, 64] = sin(3 * n + 5 * i + 2 * d) + h[0]
    k0[b in 0..1, n in 0..2, j in 0..128, d in 0..64]: bf16[1, 2, 128, 64] = cos(2 * n + 3 * j + 7 * d) + h[1]
    v0[b in 0..1, n in 0..2, j in 0..128, d in 0..64]: bf16[1, 2, 128, 64] = sin(n + 7 * j + 3 * d) + h[2]
    y0 = attention(q0, k0, v0)

    q1[b in 0..1, n in 0..4, i in 0..75, d in 0..24]: f16[1, 4, 75, 24] = 2 * sin(3 * n + 5 * i + 2 * d) + h[0]
    k1[b in 0..1, n in 0..2, j in 0..101, d in 0..24]: f16[1, 2, 101, 24] = 2 * cos(2 * n + 3 * j + 7 * d) + h[1]
    v1[b in 0..1, n in 0..2, j in 0..101, e in 0..40]: f16[1, 2, 101, 40] = sin(n + 7 * j + 3 * e) + h[2]
    m1[i in 0..75, j in 0..101]: f16[75, 101] = sin(i + j) + h[0]
    y1 = attention(q1, k1, v1, m1, causal = true)

    q2[i in 0..80, d in 0..80]: bf16[80, 80] = sin(5 * i + 2 * d) + h[0]
    k2[j in 0..90, d in 0..80]: bf16[90, 80] = cos(3 * j + 7 * d) + h[1]
    v2[j in 0..90, e in 0..160]: bf16[90, 160] = sin(7 * j + 3 * e) + h[2]
    s2[i, j]: f32[80, 90] = 0.11 * (sum[d] f32(q2[i, d]) * f32(k2[j, d]))
    c2[n in 0..1, i, j]: bf16[1, 80, 90] = where(j < i - 3, s2[i, j], -inf)
    p2 = masked_softmax(c2)
    o2[i, e]: f32[80, 160] = sum[j] f32(p2[0, i, j]) * f32(v2[j, e])
    y2[i, e]: f32[80, 160] = tanh(o2[i, e]) + f32(q2[i, e / 2])

    q3[n in 0..3, i, d in 0..32]: bf16[3, S, 32] = sin(3 * n + 5 * i + 2 * d) + rows[i]
    k3[n in 0..3, j, d in 0..32]: bf16[3, L, 32] = cos(2 * n + 3 * j + 7 * d) + keys[j]
    v3[n in 0..3, j, d in 0..16]: bf16[3, L, 16] = sin(n + 7 * j + 3 * d) + keys[j]
    s3[n, i, j]: bf16[3, S, L] = 0.2 * (sum[d] f32(q3[n, i, d]) * f32(k3[n, j, d]))
    p3 = softmax(s3)
    y3[n, i, e]: bf16[3, S, 16] = sum[j] f32(p3[n, i, j]) * f32(v3[n, j, e])

    ratio[]: f32[] = 0.3
    k4[n in 0..2, j in 0..101, d in 0..24]: f16[2, 101, 24] = cos(3 * n + 2 * j + 5 * d) + h[1]
    s4[n in 0..2, g in 0..2, i, j]: f32[2, 2, 75, 101] = 0.1 * (sum[d] f32(q1[0, 2 * n + g, i, d]) * f32(k4[n, j, d]))
    p4 = softmax(s4)
    w4, kept4 = dropout(p4, seed, ratio)
    u4[n, g, i, j] = f16(w4[n, g, i, j])
    y4[n, g, i, e]: f32[2, 2, 75, 40] = sum[j] f32(u4[n, g, i, j]) * f32(v1[0, n, j, e])

    s5[n in 0..2, i, j]: f32[2, 75, 101] = 0.1 * (sum[d] f32(q1[0, n, i, d]) * f32(k1[0, n, j, d]))
    c5[n, i, j] = where(j < i - 70, s5[n, i, j], -inf)
    p5 = softmax(c5)
    u5[n, i, j] = f16(where(j < i - 70, p5[n, i, j], 0))
    y5[n, i, e]: f32[2, 75, 40] = sum[j] f32(u5[n, i, j]) * f32(v1[0, n, j, e])
}
