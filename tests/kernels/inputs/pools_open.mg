mg 1
// Pools of images of any size: wide rows, which are walked in chunks of columns, windows that overlap or don't, with padding
// or without, and numbers of rows for which the last tile is whole or not.
graph g(x: f32[1, 2, H, 90 * W], y: f32[2, 2 * P, 46 * Q], z: f32[1, 1, 9 * R, 33 * S],
        v: f32[3, 66 * L]) -> (a, b, c, d, e, f, g, h, i, j)
{
    require H > 2
    require W > 0
    require P > 0
    require Q > 0
    a = max_pool2d(x, kernel = 3, stride = 2, pad = 1)
    b = avg_pool2d(x, kernel = 3, stride = 1, pad = 1)
    c = max_pool2d(x, kernel = 3)
    d[n, r in 0..P, k in 0..23 * Q] = max[p in 0..2, q in 0..2] relu(y[n, 2 * r + p, 2 * k + q])
    e[n, r in 0..P, k in 0..23 * Q] = mean[p in 0..2, q in 0..2] y[n, 2 * r + p, 2 * k + q]
    f[n, k in 0..P, l in 0..Q] = sum[p in 0..2, q in 0..46] y[n, 2 * k + p, 46 * l + q]
    g = avg_pool2d(z, kernel = 3)
    h[n, k in 0..22 * L] = max[q in 0..3] v[n, 3 * k + q]
    i[n in 0..2, k in 0..33 * L] = min[q in 0..2, o in 0..3] v[o, 2 * k + q] * f32(n + 1)
    j[n, k in 0..66 * L] = sum[q in 0..5] (v[n, k + q - 2] else 0)
}
