mg 1
// Attention whole, with more rows and keys than a block of either, and none filled to its end.
graph g(q: f32[2, 2, 37, 12], k: f32[2, 1, 53, 12], v: f32[2, 1, 53, 10], m: f32[37, 53],
        b: f16[53, 12]) -> (y: f32[2, 2, 37, 10], z: f32[2, 37, 10])
{
    y = attention(q, k, v, m, causal = true)
    s[n, i, j] = sum[d] q[n, 1, i, d] * f32(b[j, d])
    p = softmax(s)
    z[n, i, e] = sum[j] p[n, i, j] * v[n, 0, j, e]
}
