mg 1
// Rows that begin at whole vectors and end within one: a maximum with its sum of exponentials, and a mean with its
// squares, are found in one reading. What follows is stored in 16 bits by vectors, though it compares wider numbers.
graph g(x: f16[10, 2120], w: f32[3, 2504], t: i64[10], s: f32[10])
    -> (l: f32[10], short: f32[10], m: f32[3], v: f32[3], d: f16[10, 2120])
{
    most[n] = max[i in 0..2115] f32(x[n, i])
    total[n] = sum[i in 0..2115] exp(f32(x[n, i]) - most[n])
    l[n] = most[n] + log(total[n])
    top[n] = max[i in 0..2049] f32(x[n, i])
    rest[n] = sum[i in 0..2049] exp(f32(x[n, i]) - top[n])
    short[n] = top[n] + log(rest[n])
    m[n] = mean[i in 0..2501] w[n, i]
    v[n] = mean[i in 0..2501] (w[n, i] - m[n]) * (w[n, i] - m[n])
    d[n, i]: f16[10, 2120] = f16(s[n] * exp(f32(x[n, i]) - most[n]) + where(t[n] == i, s[n], 0.0))
}
