mg 1
// Windows over values in memory, and over computed values, which are staged: strides, dilations, lines of any width, places outside,
// factors, one dimension, and f64.
graph g(x: f32[2, 3, H, W], y: f32[1, 2, 4 * H, 7 * W], v: f64[2, 5 * W], u: f32[1, 2, 13, 29],
        k: f32[3, 1, 3, 3]) -> (a, b, c, d, e, f, g, h, i, j, l, o, z)
{
    require H > 0
    require W > 0
    a = conv2d(x, k, pad = 1, groups = 3)
    b = conv2d(x, k, pad = 2, stride = 2, dilation = 2, groups = 3)
    c = max_pool2d(y, kernel = 5, stride = 3, pad = 2)
    d[n, m, r in 0..H, s in 0..W] = max[p in 0..3, q in 0..2] (x[n, m, r + p - 2,
        s + 3 * q - 1] else 2)
    e[n, m, r in 0..4 * H, s in 0..7 * W] = max[p in 0..3, q in 0..3] sin(y[n, m, r + p - 1,
            s + q - 1] else -1)
    f[n, s in 0..W] = mean[q in 0..7] (v[n, 5 * s + q - 1] else 0)
    g[n, m, r in 0..13, s in 0..29] = min[p in 0..3, q in 0..3] (u[n, m, r + p - 1,
        s + q - 1] else 1)
    h = avg_pool2d(u, kernel = 3, stride = 2)
    i = max_pool2d(u, kernel = 2, stride = 1)
    j[n, m in 0..2, r in 0..5, s in 0..14] = sum[p in 0..3, q in 0..3] (u[n, m, 2 * r + p,
        2 * s + q - 1] else 0)
        * k[m, 0, p, q]
    l[n, m, r in 0..10, s in 0..10] = max[p in 0..4, q in 0..2] (u[n, m, r + p,
        3 * s + q - 1] else 0)
    o[n, m, r in 0..H, s in 0..W] = max[p in 0..4, q in 0..2] y[n, m, 3 * r + p, 5 * s + 2 * q]
    z[n, m, r in 0..13, t in 0..2] = max[p in 0..3, q in 0..3] (u[n, m, r + p - 1,
        80 * t + q - 60] else 0)
}
