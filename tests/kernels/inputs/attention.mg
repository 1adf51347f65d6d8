mg 1
// Whole attention, with more rows and keys than a block has, and without full blocks.
graph g(q: f32[2, 2, 37, 12], k: f32[2, 1, 53, 12], v: f32[2, 1, 53, 10], m: f32[37, 53],
        b: f16[53, 12])
    -> (y: f32[2, 2, 37, 10], z: f32[2, 37, 10], w: f32[37, 10], o: f16[37, 10], u: f32[37, 10])
{
    y = attention(q, k, v, m, causal = true)
    s[n, i, j] = sum[d] q[n, 1, i, d] * f32(b[j, d])
    p = softmax(s)
    z[n, i, e] = sum[j] p[n, i, j] * v[n, 0, j, e]
    // the first rows see one block of keys only
    c[i, j]: f32[37, 150] = sum[d] q[0, 0, i, d] * k[0, 0, j % 53, d]
    h[i, j] = where(j < 3 * i + 40, c[i, j], -inf)
    r = softmax(h)
    w[i, e] = sum[j] r[i, j] * v[0, 0, j % 53, e]
    // The elementwise steps read along the rows and across them, and the result itself is an output.
    a[i, j] = sum[d] q[1, 1, i, d] * k[1, 0, j, d]
    l = softmax(a)
    o[i, e]: f16[37, 10] = sum[j] l[i, j] * v[1, 0, j, e]
    u[i, e] = tanh(o[i, e] * q[0, 0, i, e]) + m[e, i] + (m[e, i - 1] else 2)
}
