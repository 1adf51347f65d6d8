mg 1
// Two reductions of long rows in one pass, in parts: whole vectors and a rest, rows across memory,
// masked parts and rows, shifts of other forms.
graph joint(x: f32[3, 9000], y: f64[2, 9001], t: f32[6000, 2])
    -> (l: f32[3], m: f64[2], v: f64[2], mu: f32[2], w: f32[2], p: f32[4], q: f32[4], e: f32[3],
        g: f32[3])
{
    top[i] = max[j] x[i, j]
    total[i] = sum[j] exp(x[i, j] - top[i])
    l[i] = log(total[i]) + top[i]
    m[i] = max[j] y[i, j]
    v[i] = sum[j] exp(y[i, j] - m[i])
    mu[i] = mean[j] t[j, i]
    w[i] = sum[j] (t[j, i] - mu[i]) * (t[j, i] - mu[i])
    e[i] = mean[j] x[i, j]
    g[i] = mean[j] (x[i, j] - e[i]) * (x[i, j] - e[i])
    // Row 0 is whole, row 1 begins at 4000, row 2 at 8000, and row 3 is masked out: it gives 0 by a finite shift, NaN by its own.
    p_m[r in 0..4] = max[j in 0..9000] where(j >= 4000 * r, x[0, j] - 200, -inf)
    p[r in 0..4] = sum[j in 0..9000] exp(where(j >= 4000 * r, x[0, j] - 200, -inf)
            - where(p_m[r] == -inf, 0, p_m[r]))
    q_m[r in 0..4] = max[j in 0..9000] where(j >= 4000 * r, x[0, j] - 100, -inf)
    q[r in 0..4] = sum[j in 0..9000] exp(where(j >= 4000 * r, x[0, j] - 100, -inf) - q_m[r])
}
