mg 1
// Reductions of rows of open length: one row, a few, several indices, parts that are not full, rows shorter than a vector and
// empty ones; two in one pass, masked, shifted, of other types; and single sums and extremes.
graph reductions(x: f32[N], z: f32[3, M], t: f32[2, K, 5], s: f32[S], e: f32[E])
    -> (a: f32[N], b: f32[N], c: f32[], d: f32[3], f: f32[3, M], g: f64[2], h: f32[2], i: f32[S],
        j: f32[], k: f32[4], l: f32[3], m: f32[], n: f32[2], o: f32[2], p: i32[], q: f32[3], r: f32[])
{
    a = softmax(x)
    b = layer_norm(x)
    c = variance(x, axes = [0])
    d = variance(z, axes = [1])
    f = log_softmax(z)
    // two indices, f64
    g_u[u] = max[v in 0..K, w in 0..5] f64(t[u, v, w])
    g[u] = sum[v in 0..K, w in 0..5] exp(f64(t[u, v, w]) - g_u[u])
    h_u[u] = mean[v in 0..K, w in 0..5] t[u, v, w]
    h[u] = mean[v in 0..K, w in 0..5] (t[u, v, w] - h_u[u]) * (t[u, v, w] - h_u[u])
    i = softmax(s)
    j = variance(s, axes = [0])
    // Nothing, or everything masked out, gives 0 for no terms, NaN by its own shift, and 0 by a finite one.
    k_e[] = max[v in 0..E] e[v]
    k_s[] = sum[v in 0..E] exp(e[v] - k_e[])
    k_m[] = max[v in 0..N] where(v >= N, x[v], -inf)
    k_n[] = sum[v in 0..N] exp(where(v >= N, x[v], -inf) - k_m[])
    k_o[] = sum[v in 0..N] exp(where(v >= N, x[v], -inf) - where(k_m[] == -inf, 0, k_m[]))
    k[u in 0..4] = where(u == 0, k_e[], where(u == 1, k_s[], where(u == 2, k_n[], k_o[])))
    l[u in 0..3] = sum[v in 0..M] abs(z[u, v])
    m = max(x)
    n[u] = min[v in 0..K, w in 0..5] t[u, v, w] * t[u, v, w]
    o[u] = sum[v in 3..K] t[u, v, 1]
    p[] = sum[v in 0..N] i32(x[v] * 100)
    q = norm2(z, axes = [1])
    r = sum(e)
}
