mg 1
// Derivatives of queries, keys and values that were slices of one tensor are made in their places in its derivative.
graph g(h: f32[3]) -> (y, d, u) {
    z[b in 0..2, s in 0..70, c in 0..96]: f32[2, 70, 96] = sin(3 * b + 5 * s + 2 * c) + h[0]
    q[b, n, s, e]: f32[2, 2, 70, 16] = z[b, s, n * 16 + e]
    k[b, n, s, e]: f32[2, 2, 70, 16] = z[b, s, n * 16 + e + 32]
    v[b, n, s, e]: f32[2, 2, 70, 16] = z[b, s, n * 16 + e + 64]
    a = attention(q, k, v, causal = true)
    m[b, s, (n, e)]: f32[2, 70, 32] = a[b, n, s, e]
    g[b in 0..2, s in 0..70, c in 0..32]: f32[2, 70, 32] = cos(b + 4 * s + 5 * c) + h[2]
    y = m
    t = derivative(y, z, g)
    w[c in 0..96, o in 0..48]: f32[96, 48] = sin(7 * c + 3 * o) + h[1]
    d[b, s, o]: f32[2, 70, 48] = sum[c] t[b, s, c] * w[c, o]
    u[c] = sum[b, s] t[b, s, c]
}
