mg 1
// Windows over images whose channels are innermost: padded, strided and dilated windows of one row
// and of many; rows of one tile and of several; channels that fill no vector.
graph g(x: f32[N, H, 9, 19], wide: f32[H, 45, 32], line: f64[50, 7], w: f32[3, 3, 19], v: f32[3, 3, 32], u: f64[5, 7]) -> (a: f32[N, H, 9, 19], b: f32[N, (H + 1) / 2, 5, 19], c: f32[N, (H + 1) / 2, 5, 19], d: f32[N, H - 1, 8, 19], e: f32[H, 45, 32], f: f64[50, 7], h: f32[H, 23, 32])
    require H >= 3
{
    p[n in 0..N, i in 0..H, j in 0..9, m in 0..19]: f32[N, H, 9, 19] = sum[k in 0..3, l in 0..3] x[n, i + k - 1, j + l - 1, m] else 0 * w[k, l, m]
    a[n, i, j, m] = max(p[n, i, j, m] + 0.5, 0)
    b[n in 0..N, i in 0..(H + 1) / 2, j in 0..5, m in 0..19] = sum[k in 0..3, l in 0..3] x[n, 2 * i + 2 * k - 2, 2 * j + 2 * l - 2, m] else 0 * w[k, l, m]
    c[n in 0..N, i in 0..(H + 1) / 2, j in 0..5, m in 0..19] = max[k in 0..3, l in 0..3] x[n, 2 * i + k - 1, 2 * j + l - 1, m] else (-inf)
    d[n in 0..N, i in 0..H - 1, j in 0..8, m in 0..19] = mean[k in 0..2, l in 0..2] x[n, i + k, j + l, m]
    e[i in 0..H, j in 0..45, m in 0..32] = sum[k in 0..3, l in 0..3] wide[i + k - 1, j + l - 1, m] else 0 * v[k, l, m]
    f[i in 0..50, m in 0..7] = sum[k in 0..5] line[i + k - 2, m] else 0 * u[k, m]
    h[i in 0..H, j in 0..23, m in 0..32] = min[k in 0..1, l in 0..2] wide[i + k, 2 * j + l, m] else inf
}
