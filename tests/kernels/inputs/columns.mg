mg 1
// Reductions down columns: equal extremes (the first counts), NaN, infinities; sums and products with a vector.
graph columns(x: f32[130, 300], y: f32[2, 70, 257], v: f32[130])
    -> (a: i64[300], b: i64[300], c: i64[2, 257], d: i64[300], e: f32[300], f: f32[2, 257],
        g: f32[300])
{
    a = argmax(x, axis = 0)
    b = argmin(x, axis = 0)
    c = argmax(y, axis = 1)
    d[j] = argmin[i] x[i, j] * v[i]
    e = mean(x, axes = [0])
    f = min(y, axes = [1])
    g[j] = sum[i] v[i] * abs(x[i, j])
}
