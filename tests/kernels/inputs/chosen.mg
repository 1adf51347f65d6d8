mg 1
// Subscripts that data decide and all rows share: one or several, of i32 and i64, counted from the end, in rows that leave a rest
// beside whole vectors, and beside subscripts that differ by row.
graph chosen(x: f32[9, 37], t: f64[5, 37, 10], ids: i64[21], back: i64[21], at: i32[21],
        own: i64[9, 21])
    -> (y: f32[9, 21], z: f32[9, 21], w: f64[10, 21], v: f32[9, 21], u: f32[3, 3, 21])
{
    y = gather(x, back, axis = 1)
    z[i, j] = x[i, ids[j]] * 2 + x[i, at[j]]
    w[i, j] = t[at[j] % 5, ids[j] % 37, i]
    v[i, j] = x[i, own[i, j]] + x[i, at[j]]
    u[a, b, j] = x[3 * a + b, at[j]] * x[b, 36 - at[j]]
}
