mg 1
// Attention of few rows over many keys, which groups of a GPU share: a single query, one that sees
// nothing and one whose first parts see nothing, and a score that is infinite. Later kernels read
// maxima and sums of rows. A mask before the softmax and behind it makes a row that sees nothing 0.
graph g(q: f32[3, 12], k: f32[600, 12], v: f32[600, 10], m: f32[3, 600])
    -> (y: f32[10], z: f32[3, 10], w: f32[3, 10], x: f32[10],
        n: f32[3], u: f32[3], d: f32[3, 10], x2: f32[3, 10])
{
    s[j] = sum[d] q[0, d] * k[j, d]
    p = softmax(s)
    y[e] = sum[j] p[j] * v[j, e]
    a[i, j] = sum[d] q[i, d] * k[j, d]
    b = masked_softmax(a + m)
    z[i, e] = sum[j] b[i, j] * v[j, e]
    c[i, j] = sum[d] k[j, d] * q[i, d]
    h[i, j] = c[i, j] + where(i == 0, m[0, j], 0)
    r = softmax(h)
    f[i, e] = sum[j] r[i, j] * v[j, e]
    w = tanh(f)
    t[j] = sum[d] q[1, d] * k[j, d]
    l[j] = where(j == 77, 1e30 * 1e30, t[j])
    o = softmax(l)
    x[e] = sum[j] o[j] * v[j, e]
    b2[i in 0..3, j] = sum[d] q[2 - i, d] * k[j, d]
    n[i] = max[j] b2[i, j]
    g[i, j] = exp(b2[i, j] - n[i])
    u[i] = sum[j] g[i, j]
    d[i, e] = sum[j] g[i, j] / u[i] * v[j, e]
    a2[i, j in 0..600] = sum[d] q[i, d] * k[599 - j, d]
    p2 = softmax(a2 + m)
    w2[i, j] = where(m[i, j] == -inf, 0, p2[i, j])
    x2[i, e] = sum[j] w2[i, j] * v[j, e]
}
