mg 1
// Many contributions to few places, which a GPU sorts by place: several blocks for one place, places
// outside, one place only, rows with places of their own, contributions that share a key, and the
// last one, for which they stay in order. Vectors of contributions.
graph collisions(x: f32[700], n: i32[2100], base: f32[3], ids: i64[700], many: i64[2100], of_rows: i64[2, 600],
        rows: f32[2, 600], wide: f32[700, 3], vectors: f32[700, 8])
    -> (a: f32[3], b: i32[5], c: i32[70000], d: i32[1], e: f32[2, 4], f: f32[3, 3], g: f32[3],
        h: f32[3, 8], k: f32[2, 4, 8], l: f32[40, 12])
{
    a[ids[i]]: f32[3] else none = sum[i] x[i]
    b[many[i] % 5]: i32[5] = prod[i] n[i]
    c[many[i] * 17]: i32[70000] else none = max[i] n[i]
    d[many[i] * 0]: i32[1] = min[i] n[i]
    e[r, of_rows[r, i]]: f32[2, 4] else none = sum[i] rows[r, i]
    f[ids[i], j]: f32[3, 3] else none = sum[i] wide[i, j]
    g[ids[i]]: f32[3] else none = last[i] x[i] over base
    h[ids[i], j]: f32[3, 8] else none = sum[i] vectors[i, j] * f32(j)
    k[r, of_rows[r, i], j]: f32[2, 4, 8] else none = max[r, i] rows[r, i] * vectors[i + 9, j]
    l[ids[i] + many[i] % 37, j + 1]: f32[40, 12] else none = sum[i in 0..700, j in 0..8] vectors[i, j]
}
