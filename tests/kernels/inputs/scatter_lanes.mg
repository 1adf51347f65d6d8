mg 1
// Computed writes whose last subscript moves with an index by one, so that vectors of neighbours are combined: sums, the last one and
// the largest, if data decide the row; a rest beside whole vectors, an offset, several shared indices, 16-bit floats, open sizes.
graph scatter_lanes(x: f32[11, 37], h: f16[11, 40], w: f64[11, 33], n: i32[11, 48], cache: f32[2, 3, 9, 20], fresh: f32[2, 3, 4, 20],
    ids: i64[11], at: i64[2], o: f32[M, N], rows: i64[M])
    -> (a: f32[7, 37], b: f16[7, 40], c: f64[7, 33], d: i32[7, 48], e: f32[2, 3, 9, 20], f: f32[7, 60], g: f32[7, N], k: f32[37, 7],
        m: f32[7, 37])
{
    a[ids[i], j]: f32[7, 37] = sum[i] x[i, j]
    b[ids[i], j]: f16[7, 40] = sum[i] h[i, j]
    c[ids[i], j]: f64[7, 33] = sum[i] w[i, j]
    d[ids[i], j]: i32[7, 48] else none = max[i] n[i, j]
    e[p, q, at[p] + s, j] = last[s] fresh[p, q, s, j] over cache
    f[ids[i], j + 23]: f32[7, 60] = sum[i, j] x[i, j] * x[i, 0]
    g[rows[i], j]: f32[7, N] = sum[i] exp(o[i, j])
    k[j, ids[i]]: f32[37, 7] = sum[i] x[i, j]
    m[ids[i], 36 - j]: f32[7, 37] = sum[i, j] x[i, j]
}
