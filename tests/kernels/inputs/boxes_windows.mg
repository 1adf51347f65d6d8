mg 1
// Convolutions whose windows the device copies by itself: padding, strides and distances between taps that differ by axis, one image
// and several, channels of several lines, images of one axis and of three, and f32.
graph windows(h: f32[3]) -> (y0, y1, y2, y3, y4, y5, y6) {
    a[n in 0..2, x in 0..9, y in 0..8, c in 0..64]: bf16[2, 9, 8, 64] = sin(n + 5 * c + 3 * x * y + x) + h[0]
    b[m in 0..128, i in 0..3, j in 0..3, c in 0..64]: bf16[128, 3, 3, 64] = cos(2 * c + 7 * m + i - j) + h[1]
    y0[n, x in 0..9, y in 0..8, m]: bf16[2, 9, 8, 128] = abs(sum[i, j, c] f32(a[n, x + i - 1, y + j - 1, c] else 0) * f32(b[m, i, j, c]))
    d[n in 0..3, x in 0..15, y in 0..12, c in 0..128]: f16[3, 15, 12, 128] = cos(n + 5 * c + 3 * x * y + x) + h[0]
    e[m in 0..128, i in 0..2, j in 0..3, c in 0..128]: f16[128, 2, 3, 128] = cos(2 * c + 7 * m + i - j) + h[1]
    y1[n, x in 0..7, y in 0..9, m]: f32[3, 7, 9, 128] = sum[i, j, c] f32(d[n, 2 * x + 3 * i - 2, y + 2 * j - 1, c] else 0) * f32(e[m, i, j, c])
    y2[n, x in 0..8, y in 0..6, m]: f16[3, 8, 6, 128] = sum[j, c] f32(d[n, 2 * x, 2 * y + j - 1, c] else 0) * f32(e[m, 0, j, c])
    y3[n, x in 0..8, y in 0..6, m]: f16[3, 8, 6, 128] = sum[c] f32(d[n, 2 * x, 2 * y, c]) * f32(e[m, 1, 0, c])
    p[n in 0..2, x in 0..90, c in 0..64]: bf16[2, 90, 64] = sin(n + 5 * c + 3 * x) + h[2]
    r[m in 0..128, i in 0..5, c in 0..64]: bf16[128, 5, 64] = cos(m + 3 * c + 5 * i)
    y4[n, x in 0..90, m]: bf16[2, 90, 128] = sum[i, c] f32(p[n, x + i - 2, c] else 0) * f32(r[m, i, c])
    u[n in 0..1, x in 0..6, y in 0..5, z in 0..7, c in 0..64]: f16[1, 6, 5, 7, 64] = sin(n + 5 * c + 3 * x * y + z) + h[0]
    v[m in 0..128, i in 0..2, j in 0..3, k in 0..3, c in 0..64]: f16[128, 2, 3, 3, 64] = cos(2 * c + 7 * m + i - j + 2 * k) + h[1]
    y5[n, x in 0..5, y in 0..5, z in 0..7, m]: f32[1, 5, 5, 7, 128] = sum[i, j, k, c] f32(u[n, x + i, y + j - 1, z + k - 1, c] else 0) * f32(v[m, i, j, k, c])
    f[n in 0..2, x in 0..9, y in 0..8, c in 0..32]: f32[2, 9, 8, 32] = sin(n + 5 * c + 3 * x * y + x) + h[0]
    g[m in 0..128, i in 0..3, j in 0..3, c in 0..32]: f32[128, 3, 3, 32] = cos(2 * c + 7 * m + i - j) + h[1]
    y6[n, x in 0..9, y in 0..4, m]: f32[2, 9, 4, 128] = sum[i, j, c] (f[n, x + i - 1, 2 * y + j - 1, c] else 0) * g[m, i, j, c]
}
