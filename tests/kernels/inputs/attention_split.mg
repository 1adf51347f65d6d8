mg 1
// Attention by matrix units that split factors of f32: whole blocks with a causal mask, of which some are skipped; rows and
// keys that fill no block, with a mask; factors of which one is exact in 16 bits; sizes that are known only at run time;
// values, scores and a factor that are infinite or NaN, and factors so large that they have no upper part.
graph g(h: f32[3], rows: f32[S], keys: f32[L]) -> (y0, y1, y2, y3, y4, y5) {
    q0[b in 0..1, n in 0..2, i in 0..96, d in 0..64] = sin(3 * n + 5 * i + 2 * d) + h[0]
    k0[b in 0..1, n in 0..2, j in 0..96, d in 0..64] = cos(2 * n + 3 * j + 7 * d) + h[1]
    v0[b in 0..1, n in 0..2, j in 0..96, d in 0..64] = sin(n + 7 * j + 3 * d) + h[2]
    y0 = attention(q0, k0, v0, causal = true)

    q1[b in 0..1, n in 0..4, i in 0..35, d in 0..24] = 2 * sin(3 * n + 5 * i + 2 * d) + h[0]
    k1[b in 0..1, n in 0..2, j in 0..101, d in 0..24] = 2 * cos(2 * n + 3 * j + 7 * d) + h[1]
    v1[b in 0..1, n in 0..2, j in 0..101, e in 0..40] = sin(n + 7 * j + 3 * e) + h[2]
    m1[i in 0..35, j in 0..101] = sin(i + j) + h[0]
    y1 = attention(q1, k1, v1, m1, causal = true)

    q2[i in 0..40, d in 0..48]: bf16[40, 48] = sin(5 * i + 2 * d) + h[0]
    k2[j in 0..90, d in 0..48]: bf16[90, 48] = cos(3 * j + 7 * d) + h[1]
    v2[j in 0..90, e in 0..96] = sin(7 * j + 3 * e) + h[2]
    s2[n in 0..1, i, j]: f32[1, 40, 90] = 0.11 * (sum[d] f32(q2[i, d]) * f32(k2[j, d]))
    p2 = softmax(s2)
    y2[i, e]: f32[40, 96] = sum[j] p2[0, i, j] * v2[j, e]

    q3[n in 0..3, i, d in 0..32]: f32[3, S, 32] = sin(3 * n + 5 * i + 2 * d) + rows[i]
    k3[n in 0..3, j, d in 0..32]: f32[3, L, 32] = cos(2 * n + 3 * j + 7 * d) + keys[j]
    v3[n in 0..3, j, d in 0..16]: f32[3, L, 16] = sin(n + 7 * j + 3 * d) + keys[j]
    s3[n, i, j]: f32[3, S, L] = 0.2 * (sum[d] q3[n, i, d] * k3[n, j, d])
    p3 = softmax(s3)
    y3[n, i, e]: f32[3, S, 16] = sum[j] p3[n, i, j] * v3[n, j, e]

    v4[b, n, j, d] = where(j == 7 and d == 3, inf, where(j == 60 and d == 5, nan, where(j == 9 and d == 6, 3.4e38, v0[b, n, j, d])))
    q4[b, n, i, d] = 0.5 * q0[b, n, i, d]
    y4 = attention(q4, k0, v4)

    k5[b, n, j, d] = where(j == 70 and d == 3, -inf, where(j == 9 and d == 6, 3.4e38, k0[b, n, j, d]))
    q5[b, n, i, d] = where(i == 9, 0.001 * q0[b, n, i, d], where(i < 50, abs(q0[b, n, i, d]), 0.5))
    y5 = attention(q5, k5, v0)
}
