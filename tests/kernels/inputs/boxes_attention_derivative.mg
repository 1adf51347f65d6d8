mg 1
// Derivatives of attention by wide products, each of which computes its weights again: heads that lie beside one another in a row,
// causal, with several blocks; rows and keys that fill no block, of wide heads that share keys, with a mask;
// values that are not finite at keys and rows that blocks leave out; heads of 128 columns, without a mask.
graph g(h: f32[3]) -> (y0, a0, b0, c0, y1, a1, b1, c1, y2, a2, b2, c2, y3, a3, b3, c3) {
    z0[b in 0..1, i in 0..150, e in 0..192]: f32[1, 150, 192] = sin(3 * b + 5 * i + 2 * e) + h[0]
    q0[b, n, i, d]: f32[1, 2, 150, 32] = z0[b, i, 32 * n + d]
    k0[b, n, i, d]: f32[1, 2, 150, 32] = z0[b, i, 64 + 32 * n + d]
    v0[b, n, i, d]: f32[1, 2, 150, 32] = z0[b, i, 128 + 32 * n + d]
    g0[b in 0..1, n in 0..2, i in 0..150, e in 0..32]: f32[1, 2, 150, 32] = cos(n + 4 * i + 5 * e + b) + h[2]
    y0 = attention(q0, k0, v0, causal = true)
    a0 = derivative(y0, q0, g0)
    b0 = derivative(y0, k0, g0)
    c0 = derivative(y0, v0, g0)

    q1[b in 0..1, n in 0..2, i in 0..70, d in 0..72]: f32[1, 2, 70, 72] = sin(3 * n + 5 * i + 2 * d) + h[0]
    k1[b in 0..1, n in 0..1, j in 0..90, d in 0..72]: f32[1, 1, 90, 72] = cos(2 * n + 3 * j + 7 * d) + h[1]
    v1[b in 0..1, n in 0..1, j in 0..90, e in 0..80]: f32[1, 1, 90, 80] = sin(n + 7 * j + 3 * e) + h[2]
    m1[i in 0..70, j in 0..90]: f32[70, 90] = where(i == 9, -inf, sin(i + j) + h[0])
    g1[b in 0..1, n in 0..2, i in 0..70, e in 0..80]: f32[1, 2, 70, 80] = cos(n + 4 * i + 5 * e) + h[1]
    y1 = attention(q1, k1, v1, m1)
    a1 = derivative(y1, q1, g1)
    b1 = derivative(y1, k1, g1)
    c1 = derivative(y1, v1, g1)

    q2[b in 0..1, n in 0..1, i in 0..130, d in 0..16]: f32[1, 1, 130, 16] = sin(5 * i + 2 * d) + h[0]
    k2[b in 0..1, n in 0..1, j in 0..130, d in 0..16]: f32[1, 1, 130, 16] = where(j == 128 and d == 3, inf, cos(3 * j + 7 * d) + h[1])
    v2[b in 0..1, n in 0..1, j in 0..130, e in 0..8]: f32[1, 1, 130, 8] = sin(7 * j + 3 * e) + h[2]
    g2[b in 0..1, n in 0..1, i in 0..130, e in 0..8]: f32[1, 1, 130, 8] = where(i == 0 and e == 5, nan, cos(4 * i + 5 * e) + h[2])
    y2 = attention(q2, k2, v2, causal = true)
    a2 = derivative(y2, q2, g2)
    b2 = derivative(y2, k2, g2)
    c2 = derivative(y2, v2, g2)

    q3[b in 0..1, n in 0..1, i in 0..64, d in 0..128]: f32[1, 1, 64, 128] = sin(5 * i + 2 * d) + h[0]
    k3[b in 0..1, n in 0..1, j in 0..66, d in 0..128]: f32[1, 1, 66, 128] = cos(3 * j + 7 * d) + h[1]
    v3[b in 0..1, n in 0..1, j in 0..66, e in 0..128]: f32[1, 1, 66, 128] = sin(7 * j + 3 * e) + h[2]
    g3[b in 0..1, n in 0..1, i in 0..64, e in 0..128]: f32[1, 1, 64, 128] = cos(4 * i + 5 * e) + h[2]
    y3 = attention(q3, k3, v3)
    a3 = derivative(y3, q3, g3)
    b3 = derivative(y3, k3, g3)
    c3 = derivative(y3, v3, g3)
}
