mg 1
// Attention by wide products: several blocks of keys, the last of them partial; grouped heads of f16 with a mask, whose
// depth and columns fill no line; two lines of depth; sizes that are known only at run time; one block of keys; keys that
// rows don't see, one of which has a value that is NaN.
graph g(h: f32[3], rows: f32[S], keys: f32[L]) -> (y0, y1, y2, y3, y4) {
    q0[b in 0..1, n in 0..1, i in 0..128, d in 0..64]: bf16[1, 1, 128, 64] = sin(3 * n + 5 * i + 2 * d) + h[0]
    k0[b in 0..1, n in 0..1, j in 0..384, d in 0..64]: bf16[1, 1, 384, 64] = cos(2 * n + 3 * j + 7 * d) + h[1]
    v0[b in 0..1, n in 0..1, j in 0..384, d in 0..64]: bf16[1, 1, 384, 64] = sin(n + 7 * j + 3 * d) + h[2]
    y0 = attention(q0, k0, v0)

    q1[b in 0..1, n in 0..2, i in 0..75, d in 0..24]: f16[1, 2, 75, 24] = 2 * sin(3 * n + 5 * i + 2 * d) + h[0]
    k1[b in 0..1, n in 0..1, j in 0..201, d in 0..24]: f16[1, 1, 201, 24] = 2 * cos(2 * n + 3 * j + 7 * d) + h[1]
    v1[b in 0..1, n in 0..1, j in 0..201, e in 0..80]: f16[1, 1, 201, 80] = sin(n + 7 * j + 3 * e) + h[2]
    m1[i in 0..75, j in 0..201]: f16[75, 201] = sin(i + j) + h[0]
    y1 = attention(q1, k1, v1, m1, causal = true)

    q2[b in 0..1, n in 0..1, i in 0..100, d in 0..128]: bf16[1, 1, 100, 128] = sin(5 * i + 2 * d) + h[0]
    k2[b in 0..1, n in 0..1, j in 0..200, d in 0..128]: bf16[1, 1, 200, 128] = cos(3 * j + 7 * d) + h[1]
    v2[b in 0..1, n in 0..1, j in 0..200, e in 0..128]: bf16[1, 1, 200, 128] = sin(7 * j + 3 * e) + h[2]
    y2 = attention(q2, k2, v2)

    q3[b in 0..1, n in 0..1, i, d in 0..80]: bf16[1, 1, S, 80] = sin(3 * n + 5 * i + 2 * d) + rows[i]
    k3[b in 0..1, n in 0..1, j, d in 0..80]: bf16[1, 1, L, 80] = cos(2 * n + 3 * j + 7 * d) + keys[j]
    v3[b in 0..1, n in 0..1, j, d in 0..16]: bf16[1, 1, L, 16] = sin(n + 7 * j + 3 * d) + keys[j]
    y3 = attention(q3, k3, v3)

    q4[b in 0..1, n in 0..1, i in 0..300, d in 0..16]: bf16[1, 1, 300, 16] = sin(5 * i + 2 * d) + h[0]
    k4[b in 0..1, n in 0..1, j in 0..300, d in 0..16]: bf16[1, 1, 300, 16] = cos(3 * j + 7 * d) + h[1]
    v4[b in 0..1, n in 0..1, j in 0..300, e in 0..8]: bf16[1, 1, 300, 8] = where(j == 280 and e == 3, nan, sin(7 * j + 3 * e) + h[2])
    y4 = attention(q4, k4, v4, causal = true)
}
