mg 1
graph g(q: f32[1, 12, 1024, 64], k: f32[1, 12, 1024, 64], v: f32[1, 12, 1024, 64]) -> (y: f32[1, 12, 1024, 64])
{
    y = attention(q, k, v, causal = true)
}
