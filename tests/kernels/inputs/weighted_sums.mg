mg 1
// Sums over computed weights, without a softmax: sizes known at run time, with a choice by places and a decay; two products, of which
// one has no batch, with a matrix read for each weight; weights that depend on a key that isn't seen; a layer of two products;
// jumps that exact numbers decide, which are rounded as they are defined; rows' divisors that have no reciprocal;
// weights of keys that are not seen, which depend on the row where a read is outside.
graph g(h: f32[3], rows: f32[S], keys: f32[L]) -> (y0, y1, y2, y3, y4, y5, y6) {
    q0[n in 0..3, i, d in 0..32]: bf16[3, S, 32] = sin(3 * n + 5 * i + 2 * d) + rows[i]
    k0[n in 0..3, j, d in 0..32]: bf16[3, L, 32] = cos(2 * n + 3 * j + 7 * d) + keys[j]
    v0[n in 0..3, j, d in 0..16]: bf16[3, L, 16] = sin(n + 7 * j + 3 * d) + keys[j]
    s0[n, i, j]: f32[3, S, L] = sum[d] f32(q0[n, i, d]) * f32(k0[n, j, d])
    w0[n, i, j]: bf16[3, S, L] = where(j <= i + 2, relu(s0[n, i, j]) * exp(0.01 * (f32(j) - f32(i))), 0.0)
    y0[n, i, e]: f32[3, S, 16] = sum[j] f32(w0[n, i, j]) * f32(v0[n, j, e])

    q1[n in 0..2, i in 0..75, d in 0..24]: f16[2, 75, 24] = sin(3 * n + 5 * i + 2 * d) + h[0]
    k1[n in 0..2, j in 0..101, d in 0..24]: f16[2, 101, 24] = cos(2 * n + 3 * j + 7 * d) + h[1]
    a1[i in 0..75, d in 0..40]: f16[75, 40] = cos(5 * i + 2 * d) + h[0]
    b1[j in 0..101, d in 0..40]: f16[101, 40] = sin(3 * j + 7 * d) + h[1]
    m1[i in 0..75, j in 0..101]: f32[75, 101] = cos(i + 3 * j) + h[2]
    v1[n in 0..2, j in 0..101, e in 0..40]: f16[2, 101, 40] = sin(n + 7 * j + 3 * e) + h[2]
    s1[n, i, j]: f32[2, 75, 101] = sum[d] f32(q1[n, i, d]) * f32(k1[n, j, d])
    t1[i, j]: f32[75, 101] = sum[d] f32(a1[i, d]) * f32(b1[j, d])
    w1[n, i, j]: f16[2, 75, 101] = tanh(s1[n, i, j]) * sin(t1[i, j]) / (2.0 + rows[0] * f32(j)) + m1[i, j]
    y1[n, i, e]: f32[2, 75, 40] = tanh(sum[j] f32(w1[n, i, j]) * f32(v1[n, j, e]))

    q2[i in 0..90, d in 0..16]: bf16[90, 16] = sin(5 * i + 2 * d) + h[0]
    k2[j in 0..200, d in 0..16]: bf16[200, 16] = cos(3 * j + 7 * d) + h[1]
    v2[j in 0..200, e in 0..24]: bf16[200, 24] = where(j == 3 and e == 1, inf, sin(7 * j + 3 * e) + h[2])
    s2[i, j]: f32[90, 200] = sum[d] f32(q2[i, d]) * f32(k2[j, d])
    t2[i, j]: f32[90, 200] = where(j >= 2 * i + 5, s2[i, j], 0.5)
    w2[i, j]: bf16[90, 200] = t2[i, j] * cos(f32(j))
    y2[i, e]: bf16[90, 24] = sum[j] f32(w2[i, j]) * f32(v2[j, e])

    u3[o in 0..80, d in 0..24]: bf16[80, 24] = sin(5 * o + 2 * d) + h[0]
    d3[o in 0..80, e in 0..8]: bf16[80, 8] = cos(3 * o + 7 * e) + h[1]
    s3[i, o]: f32[75, 80] = (sum[d] f32(q1[0, i, d]) * f32(u3[o, d])) + f32(o)
    w3[i, o]: bf16[75, 80] = max(s3[i, o], 0.0)
    y3[i, e]: f32[75, 8] = sum[o] f32(w3[i, o]) * f32(d3[o, e])

    w4[i in 0..90, j in 0..200]: bf16[90, 200] =
        where(f32(bf16(1 + 0.001 * f32((i + j) % 2))) > 1, 9.0, s2[i, j])
        * (floor(0.1 * f32(i + 1) * f32(j % 29) / (0.1 * f32(i + 1))) % 2)
    y4[i, e]: f32[90, 16] = sum[j] f32(w4[i, j]) * f32(k2[j, e])
    w5[i, j]: bf16[90, 200] = s2[i, j] * 1e-38 / where(i < 40, 1e-40, 1e-3)
    y5[i, e]: f32[90, 16] = sum[j] f32(w5[i, j]) * f32(k2[j, e])

    f6[i in 0..90]: f32[90] = sin(7 * i) + h[1]
    w6[i, j]: bf16[90, 200] = where(j <= i, s2[i, j], f6[j - 50] else f6[i])
    y6[i, e]: f32[90, 16] = sum[j] f32(w6[i, j]) * f32(k2[j, e])
}
