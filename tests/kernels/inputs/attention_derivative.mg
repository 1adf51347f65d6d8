mg 1
// Derivatives of attention, whose weights are computed again: rows that see few keys, sizes that fill no block, grouped
// heads with a mask that has a derivative, too, and a plain softmax of one head. A row is masked out.
graph g(h: f32[3]) -> (y0, a0, b0, c0, y1, a1, b1, c1, d1, y2, a2, b2, c2) {
    q0[b in 0..1, n in 0..2, i in 0..70, d in 0..16]: f32[1, 2, 70, 16] = sin(3 * n + 5 * i + 2 * d + b) + h[0]
    k0[b in 0..1, n in 0..2, j in 0..70, d in 0..16]: f32[1, 2, 70, 16] = cos(2 * n + 3 * j + 7 * d + b) + h[1]
    v0[b in 0..1, n in 0..2, j in 0..70, e in 0..24]: f32[1, 2, 70, 24] = sin(n + 7 * j + 3 * e + b) + h[2]
    g0[b in 0..1, n in 0..2, i in 0..70, e in 0..24]: f32[1, 2, 70, 24] = cos(n + 4 * i + 5 * e + b) + h[2]
    y0 = attention(q0, k0, v0, causal = true)
    a0 = derivative(y0, q0, g0)
    b0 = derivative(y0, k0, g0)
    c0 = derivative(y0, v0, g0)

    q1[b in 0..1, n in 0..4, i in 0..37, d in 0..24]: f32[1, 4, 37, 24] = sin(3 * n + 5 * i + 2 * d) + h[0]
    k1[b in 0..1, n in 0..2, j in 0..66, d in 0..24]: f32[1, 2, 66, 24] = cos(2 * n + 3 * j + 7 * d) + h[1]
    v1[b in 0..1, n in 0..2, j in 0..66, e in 0..24]: f32[1, 2, 66, 24] = sin(n + 7 * j + 3 * e) + h[2]
    m1[i in 0..37, j in 0..66]: f32[37, 66] = where(i == 9, -inf, sin(i + j) + h[0])
    y1 = attention(q1, k1, v1, m1)
    g1[b in 0..1, n in 0..4, i in 0..37, e in 0..24]: f32[1, 4, 37, 24] = cos(n + 4 * i + 5 * e) + h[1]
    a1 = derivative(y1, q1, g1)
    b1 = derivative(y1, k1, g1)
    c1 = derivative(y1, v1, g1)
    d1 = derivative(y1, m1, g1)

    q2[i in 0..80, d in 0..32]: f32[80, 32] = sin(5 * i + 2 * d) + h[0]
    k2[j in 0..90, d in 0..32]: f32[90, 32] = cos(3 * j + 7 * d) + h[1]
    v2[j in 0..90, e in 0..16]: f32[90, 16] = sin(7 * j + 3 * e) + h[2]
    g2[i in 0..80, e in 0..16]: f32[80, 16] = cos(4 * i + 5 * e) + h[2]
    s2[i, j] = 0.2 * (sum[d] q2[i, d] * k2[j, d])
    p2 = softmax(s2)
    y2[i, e] = sum[j] p2[i, j] * v2[j, e]
    a2 = derivative(y2, q2, g2)
    b2 = derivative(y2, k2, g2)
    c2 = derivative(y2, v2, g2)
}
