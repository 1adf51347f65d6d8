mg 1
// Workers compute two reductions of long rows in one pass: parts that stay in a cache, with a rest that
// fills no vector and without one; one row, a few; two indices; masked parts and rows, infinities, NaN;
// shifts of other forms; and two sums that cannot share a pass, each in parts of its own.
graph joint(x: f32[70100])
    -> (l: f32[], s: f32[2], w: f32[2], d: f64[2], v: f64[2], b: f32[2], c: f32[2], h: f16[],
        p: f32[4], q: f32[4], e: f32[3], g: f32[3], m: f32[], r: f32[])
{
    l_m[] = max[j in 0..65536] x[j]
    l[] = log(sum[j in 0..65536] exp(x[j] - l_m[])) + l_m[]
    s_m[i in 0..2] = max[j in 0..70001] x[j + 33 * i]
    s[i in 0..2] = sum[j in 0..70001] exp(x[j + 33 * i] - s_m[i])
    mu[i in 0..2] = mean[j in 0..65543] x[j + 7 * i]
    w[i in 0..2] = sum[j in 0..65543] (x[j + 7 * i] - mu[i]) * (x[j + 7 * i] - mu[i])
    d[i in 0..2] = max[j in 0..66000] f64(x[j + i])
    v[i in 0..2] = sum[j in 0..66000] exp(f64(x[j + i]) - d[i])
    // rows of 100 x 700, each 5 after the previous one
    b[i in 0..2] = mean[j in 0..100, k in 0..700] x[700 * j + k + 5 * i]
    c[i in 0..2] = mean[j in 0..100, k in 0..700] (x[700 * j + k + 5 * i] - b[i])
        * (x[700 * j + k + 5 * i] - b[i])
    h_u[] = mean[j in 0..70000] f16(x[j])
    h[] = mean[j in 0..70000] (f16(x[j]) - h_u[]) * (f16(x[j]) - h_u[])
    // Row 0 is whole, row 1 begins at 30000, row 2 at 60000, and row 3 is masked out: it gives 0 by a finite shift, NaN by its own.
    p_m[i in 0..4] = max[j in 0..70001] where(j >= 30000 * i, x[j] - 200, -inf)
    p[i in 0..4] = sum[j in 0..70001] exp(where(j >= 30000 * i, x[j] - 200, -inf)
            - where(p_m[i] == -inf, 0, p_m[i]))
    q_m[i in 0..4] = max[j in 0..70001] where(j >= 30000 * i, x[j] - 100, -inf)
    q[i in 0..4] = sum[j in 0..70001] exp(where(j >= 30000 * i, x[j] - 100, -inf) - q_m[i])
    // There are infinities, and NaN in row 1. By a finite shift the sum is infinite; by the row's own it is NaN.
    e_m[i in 0..3] = max[j in 0..70001] where(j + 100000 * i == 150002, nan,
        where(j + 20000 * i == 40001, inf, x[j]))
    e[i in 0..3] = sum[j in 0..70001] exp(where(j + 100000 * i == 150002, nan,
            where(j + 20000 * i == 40001, inf, x[j]))
            - where(e_m[i] < inf, e_m[i], 0))
    g_m[i in 0..3] = max[j in 0..70001] where(j + 40000 * i == 40001, inf, x[j])
    g[i in 0..3] = sum[j in 0..70001] exp(where(j + 40000 * i == 40001, inf, x[j]) - g_m[i])
    m[] = max[j in 0..70000] x[j]
    r[] = sum[j in 0..70000] sqrt(abs(x[j] - m[]))
}
