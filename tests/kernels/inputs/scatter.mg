mg 1
// Computed writes, some or all of whose indices may be shared out: subscripts that move with one index, that count down, that are
// an index plus data of another index or of none, and diagonals. Others collide: equal places by data, strides, windows.
graph scatter(cache: f32[2, 3, 9, 5], fresh: f32[2, 3, 4, 5], at: i64[2], one: i64[], x: f32[6, 5],
        ids: i64[6], h: f16[6, 5], wide: f32[14, 5])
    -> (a: f32[2, 3, 9, 5], b: f32[2, 3, 9, 5], c: f32[6, 10], d: f32[7, 5], e: f16[4, 5],
        f: f32[11, 5], g: f32[9, 5], k: f32[14, 5], l: f32[7, 5], m: f32[9, 4, 5], n: f32[9, 5],
        o: f32[9, 5], p: f32[9, 5])
{
    a[p, q, at[p] + s, j] = last[s] fresh[p, q, s, j] over cache
    b[p, q, 8 - one[] - s, 4 - j] = sum[s, j] fresh[p, q, s, j] over cache
    c[i, i + j]: f32[6, 10] = sum[j] x[i, j]
    d[ids[i], j]: f32[7, 5] = sum[i] x[i, j]
    e[ids[i] % 4, j]: f16[4, 5] = sum[i] h[i, j]
    f[i + r, j]: f32[11, 5] = sum[i, r in 0..6] x[i, j] * wide[r, j]
    g[i * 2 - 1, j]: f32[9, 5] else none = max[i] x[i, j]
    k[2 * i + at[r], j] = last[i, r] x[i, j] * f32(r + 1) over wide
    l[ids[i], (i + j) % 5]: f32[7, 5] = sum[i, j] x[i, j]
    m[one[] + i, r, j]: f32[9, 4, 5] else none = sum[i, r in 0..i % 4] x[i, j]
    n[i + one[] * 2, j]: f32[9, 5] else none = sum[i in 0..5] x[i, j]
    o[one[] + i, j]: f32[9, 5] else none = sum[i in 2..6] x[i, j]
    p[one[] + i, j]: f32[9, 5] else none = max[i in -1..3] x[i + 1, j]
}
