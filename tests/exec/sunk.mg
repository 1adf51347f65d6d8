mg 1
// Losses over many classes and other values that several kernels read. With figures of a machine whose caches hold next to
// nothing, the pass sink computes them in the kernels that read them.
graph sunk(h: f32[40, 8], w: f32[301, 8], t: i32[40], at: i64[40], x: f32[12, 5, 33], r: f32[12],
        e: f32[3, 400], v: f32[2051])
    -> (loss: f32[], dh: f32[40, 8], dw: f32[301, 8], smooth: f32[], ds: f32[40, 8],
        chosen: f32[40], rows: f32[12, 5], columns: f32[33], turned: f32[33, 5, 12], each: f32[400],
        long: f32[40, 2051])
{
    l[n, c] = sum[k] h[n, k] * w[c, k]
    loss, logs = cross_entropy(l, t, ignore = 3)
    dh = derivative(loss, h)
    dw = derivative(loss, w)
    smooth, other = cross_entropy(l, t, smoothing = 0.1, reduction = "sum")
    ds = derivative(smooth, h)
    p = softmax(l)
    chosen[n] = p[n, at[n]] + p[at[n], 7]
    // one value that several kernels read, in different orders
    s[i, j, c] = 0.1 * x[i, j, c] - r[i]
    rows = sum(s, axes = [2])
    columns = max(s, axes = [0, 1])
    turned[c, j, i] = s[i, j, c] / 3
    // rows that no vectors divide, which groups of a GPU walk
    long[n, c] = where(at[n] == c, 1, 0) + h[n, 0] * exp(v[c])
    // in a loop
    first[c] = e[0, c]
    each = loop i in 0..3 carry (a = first) {
        b[c] = sin(a[c] + e[i, c])
        total = sum(b)
        d[c] = b[c] * 0.5 + total[] * 0.001
        next a = d
    }
}
