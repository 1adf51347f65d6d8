mg 1
// Wide attention whose keys and values the device copies by itself: several blocks of keys; heads that share keys, which lie beside
// one another in a row of all heads, with a last block that is not whole; depth and columns that fill no line; one block of keys; keys
// that rows don't see, whose results are stored or change once more; a mask.
graph g(h: f32[3]) -> (y0, y1, y2, y3, y4, y5, y6) {
    q0[b in 0..1, n in 0..1, i in 0..128, d in 0..64]: bf16[1, 1, 128, 64] = sin(3 * n + 5 * i + 2 * d) + h[0]
    k0[b in 0..1, n in 0..1, j in 0..512, d in 0..64]: bf16[1, 1, 512, 64] = cos(2 * n + 3 * j + 7 * d) + h[1]
    v0[b in 0..1, n in 0..1, j in 0..512, d in 0..64]: bf16[1, 1, 512, 64] = sin(n + 7 * j + 3 * d) + h[2]
    y0 = attention(q0, k0, v0)

    z1[b in 0..2, i in 0..200, e in 0..256]: bf16[2, 200, 256] = 2 * sin(3 * b + 5 * i + 2 * e) + h[0]
    q1[b, n, i, d]: bf16[2, 2, 200, 64] = z1[b, i, 64 * n + d]
    k1[b, n, i, d]: bf16[2, 1, 200, 64] = z1[b, i, 128 + d]
    v1[b, n, i, d]: bf16[2, 1, 200, 64] = z1[b, i, 192 + d]
    y1 = attention(q1, k1, v1)

    q2[b in 0..1, n in 0..1, i in 0..100, d in 0..80]: f16[1, 1, 100, 80] = sin(5 * i + 2 * d) + h[0]
    k2[b in 0..1, n in 0..1, j in 0..120, d in 0..80]: f16[1, 1, 120, 80] = cos(3 * j + 7 * d) + h[1]
    v2[b in 0..1, n in 0..1, j in 0..120, e in 0..96]: f16[1, 1, 120, 96] = sin(7 * j + 3 * e) + h[2]
    y2 = attention(q2, k2, v2)

    q3[b in 0..1, n in 0..1, i in 0..300, d in 0..16]: bf16[1, 1, 300, 16] = sin(5 * i + 2 * d) + h[0]
    k3[b in 0..1, n in 0..1, j in 0..300, d in 0..16]: bf16[1, 1, 300, 16] = cos(3 * j + 7 * d) + h[1]
    v3[b in 0..1, n in 0..1, j in 0..300, e in 0..8]: bf16[1, 1, 300, 8] = where(j == 280 and e == 3, nan, sin(7 * j + 3 * e) + h[2])
    y3 = attention(q3, k3, v3, causal = true)

    m4[i in 0..128, j in 0..512]: bf16[128, 512] = sin(i + j) + h[0]
    y4 = attention(q0, k0, v0, m4)

    // Two strips of rows and several blocks of keys.
    k6[b in 0..1, n in 0..1, j in 0..300, d in 0..80]: f16[1, 1, 300, 80] = cos(3 * j + 5 * d) + h[1]
    v6[b in 0..1, n in 0..1, j in 0..300, e in 0..96]: f16[1, 1, 300, 96] = sin(5 * j + 3 * e) + h[2]
    y6 = attention(q2, k6, v6)

    a5 = attention(k3, q3, v3, causal = true)
    y5[b, n, i, e] = tanh(a5[b, n, i, e]) + h[0]
}
