mg 1
// Attention of heads that are split into parts: wider than local memory, of widths known at run time, stored in f16.
graph g(q: f32[1, 2, 19, D], k: f32[1, 2, L, D], v: f32[1, 2, L, E], a: f16[18, 300], b: f16[35, 300], c: f16[35, 140])
    -> (y: f32[1, 2, 19, E], z: f16[18, 140])
{
    y = attention(q, k, v)
    s[i, j] = sum[d] a[i, d] * b[j, d]
    p = softmax(s)
    z[i, e] = sum[j] p[i, j] * c[j, e]
}
