mg 1
// Results whose last index takes two values: images made wider, with whole vectors and with a rest, pairs, other types, beside
// operands that have the last index, with padding, and at places that data choose.
graph wide(x: f32[3, 5, 21], y: f32[4, 40], z: f32[3, 5, 21, 2], w: f32[2], ids: i64[21])
    -> (a, b, c: f32[3, 5, 21, 2], d: f32[3, 5, 21, 2], e: f16[4, 40, 2], f: bool[4, 40, 2],
        g: f32[3, 5, 21, 2], h: f64[4, 40, 2], i: f32[4, 21, 2], j: i32[4, 40, 2], k, l: f32[40, 2])
{
    a = upsample2d(reshape(x, shape = [1, 3, 5, 21]), scale = 2)
    b = upsample2d(reshape(y, shape = [1, 1, 4, 40]), scale = 2)
    c[p, q, r, s] = x[p, q, r] + z[p, q, r, s]
    d[p, q, r, s] = exp(x[p, q, r]) * w[s]
    e[p, q, r] = f16(y[p, q]) + f16(w[r])
    f[p, q, r] = y[p, q] > w[r]
    g[p, q, r, s] = x[p, q, r + s - 1] else 7
    h[p, q, r] = f64(y[p, q]) + f64(r)
    i[p, q, r] = y[p, ids[q]] * w[r]
    j[p, q, r] = i32(y[p, q]) * 2 + i32(q + r)
    l[q, r] = y[3, q] + w[r] // one row: nothing to share
    k = upsample2d(reshape(z, shape = [1, 3, 10, 21]), scale = 2)
}
