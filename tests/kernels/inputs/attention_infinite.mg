mg 1
// Attention whose last values are infinite. Blocks of keys end past the last key, and what is there must not count.
graph g(q: f32[1, 2, 40, 16], k: f32[1, 2, 77, 16], v: f32[1, 2, 77, 8],
        r: f16[1, 1, 4, 24], l: f16[1, 1, 90, 24], w: f16[1, 1, 90, 16], open: f32[1, 2, N, 16], o: f32[1, 2, N, 8])
    -> (y: f32[1, 2, 40, 8], z: f16[1, 1, 4, 16], u: f32[1, 2, 40, 8])
{
    a[b, h, j, e] = where(j == 76 and e == 3, inf, v[b, h, j, e])
    y = attention(q, k, a)
    c[b in 0..1, h in 0..1, j in 0..90, e in 0..16]: f16[1, 1, 90, 16] = where(j == 89 and e % 4 == 1, -inf, w[b, h, j, e])
    z = attention(r, l, c)
    d[b, h, j, e] = where(j == N - 1 and e == 5, inf, o[b, h, j, e])
    u = attention(q, open, d)
}
