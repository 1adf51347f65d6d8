mg 1
// An op for each form of schedules, at sizes that leave a rest beside whole vectors.
graph forms(x: f32[90, 301], b: f32[301])
    -> (up: f32[90, 301], side: f32[90, 301], put: f32[9, 301], d: f32[90], two: f32[90, 301, 2],
        c: f32[301], t: f32[301, 90], soft: f32[90, 301], p: f32[90, 90], w: f32[88, 299])
{
    up[i, j in 0..301] = sum[t in 0..j + 1] x[i, t]
    side[i in 0..90, j] = max[t in i..90] x[t, j]
    n[i] = i64(abs(x[i, 0]) * 5) % 9
    put[n[i], j] = sum[i] x[i, j]
    d[i] = sum[k] x[i, k] * b[k]
    two[i, j, e in 0..2] = x[i, j] * f32(e + 1)
    c[j] = sum[i] x[i, j]
    t[j, i] = x[i, j]
    soft = softmax(x)
    p[i, j] = sum[k] x[i, k] * x[j, k]
    w[i in 0..88, j in 0..299] = max[s in 0..3, u in 0..3] x[i + s, j + u]
}
