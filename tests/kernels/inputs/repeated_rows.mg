mg 1
// Sums of products with a normalised row, which each group computes itself: whole vectors and rounds
// that end inside one, rows past the end, a softmax, biases, results of several axes, f16. The last
// one does not sum rows, so its row is stored.
graph repeated(x: f32[200], w: f32[37, 200], b: f32[37], h: f16[150], g: f16[150], u: f16[9, 6, 150],
        r: f16[9, 6], t: f32[2, 97], k: f32[21, 97], m: f32[97])
    -> (y: f32[37], z: f16[9, 6], p: f32[21], e: f32[21], v: f32[21])
{
    n = layer_norm(x)
    s[o] = sum[i] n[i] * w[o, i]
    y[o] = max(s[o] + b[o], 0)
    q = rms_norm(h)
    c[a, d] = sum[i] q[i] * g[i] * u[a, d, i]
    z[a, d] = c[a, d] + r[a, d]
    f[i] = t[0, i] * 2 + t[1, i]
    l = softmax(f, axis = 0)
    p[o] = sum[i] l[i] * k[o, i]
    a_m = mean(m)
    a[i] = m[i] - a_m[]
    e[o] = sum[i] a[i] * k[o, i]
    d_m = mean(f)
    d[i] = m[i] - d_m[]
    v[o in 0..21] = sum[i] d[i] * w[o, i + o]
}
