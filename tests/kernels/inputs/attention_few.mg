mg 1
// Attention of few rows over many keys, as in decoding: one query of six heads, two of which share
// keys, over a cache whose length is data; four queries in 16 bits; a row that sees only one key;
// values that lie across; and widths that fill no vector.
graph g(q: f32[1, 6, 1, 16], k: f32[1, 3, 333, 16], v: f32[1, 3, 333, 8], at: i64[], m: f32[2, 333],
        h: f16[1, 1, 4, 24], kh: f16[1, 1, 90, 24], vh: f16[1, 1, 90, 16], vt: f32[8, 333])
    -> (y: f32[1, 6, 1, 8], z: f32[2, 8], w: f16[1, 1, 4, 16], x: f32[8], u: f32[12])
{
    mask[i in 0..1, j in 0..333]: f32[1, 333] = where(j <= at[] + i, 0, -inf)
    y = attention(q, k, v, mask)
    a[i in 0..2, j in 0..333]: f32[2, 333] = (sum[d] q[0, i, 0, d] * k[0, 0, j, d]) + m[i, j]
    b = softmax(a)
    z[i, e] = sum[j] b[i, j] * v[0, 0, j, e]
    w = attention(h, kh, vh)
    c[j] = sum[d] q[0, 1, 0, d] * k[0, 1, j, d]
    p = softmax(c)
    x[e] = sum[j] p[j] * vt[e, j]
    t[j in 0..333]: f32[333] = sum[d in 0..7] q[0, 2, 0, d] * k[0, 2, j, d]
    o = softmax(t)
    l[e in 0..12]: f32[12] = sum[j] o[j] * v[0, e / 5, j, e % 8]
    u = tanh(l)
}
