mg 1
// Convolutions by wide products: channels innermost, with padding, a stride, runs of channels that are shorter than a line, weights
// that change and weights that never change; channels outermost, which the layouts pass turns; f32, whose factors are split.
graph g(h: f32[3]) -> (y0, y1, y2, y3, y4, y5) {
    a[n in 0..2, x in 0..9, y in 0..8, c in 0..64]: bf16[2, 9, 8, 64] = sin(n + 5 * c + 3 * x * y + x) + h[0]
    b[m in 0..128, i in 0..3, j in 0..3, c in 0..64]: bf16[128, 3, 3, 64] = cos(2 * c + 7 * m + i - j) + h[1]
    y0[n, x in 0..9, y in 0..8, m]: bf16[2, 9, 8, 128] = relu(sum[i, j, c] f32(a[n, x + i - 1, y + j - 1, c] else 0) * f32(b[m, i, j, c]))
    y1[n, x in 0..5, y in 0..4, m]: f32[2, 5, 4, 128] = sum[i, j, c] f32(a[n, 2 * x + i - 1, 2 * y + j - 1, c] else 0) * f32(b[m, i, j, c])
    d[n in 0..2, x in 0..9, y in 0..8, c in 0..16]: f16[2, 9, 8, 16] = cos(n + 5 * c + 3 * x * y + x) + h[0]
    e[m in 0..128, i in 0..3, j in 0..3, c in 0..16]: f16[128, 3, 3, 16] = cos(2 * c + 7 * m + i - j) + h[1]
    y2[n, x in 0..9, y in 0..8, m]: f16[2, 9, 8, 128] = sum[i, j, c] f32(d[n, x + i - 1, y + j - 1, c] else 0) * f32(e[m, i, j, c])
    y3[n, x in 0..9, y in 0..8, m]: f16[2, 9, 8, 128] = sum[i, j, c] f32(d[n, x + i - 1, y + j - 1, c] else h[2]) * f32(e[m, i, j, c])
    p[n in 0..2, c in 0..64, x in 0..8, y in 0..8]: f16[2, 64, 8, 8] = sin(n + 5 * c + 3 * x * y + x) + h[2]
    r[m in 0..128, c in 0..64, i in 0..3, j in 0..3]: f16[128, 64, 3, 3] = cos(m + 3 * c + 5 * i + 7 * j)
    u = relu(conv2d(p, r, pad = 1))
    v[m in 0..128, c in 0..128, i in 0..1, j in 0..1]: f16[128, 128, 1, 1] = sin(m + 3 * c)
    y4 = conv2d(u, v)
    s[n in 0..2, x in 0..8, y in 0..8, c in 0..32]: f32[2, 8, 8, 32] = sin(n + 5 * c + 3 * x * y + x) + h[0]
    t[m in 0..128, i in 0..3, j in 0..3, c in 0..32]: f32[128, 3, 3, 32] = cos(2 * c + 7 * m + i - j) + h[1]
    y5[n, x in 0..8, y in 0..8, m]: f32[2, 8, 8, 128] = sum[i, j, c] (s[n, x + i - 1, y + j - 1, c] else 0) * t[m, i, j, c]
}
