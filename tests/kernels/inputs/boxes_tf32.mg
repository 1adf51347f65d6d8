mg 1
// Wide products whose factors the device copies by itself and rounds to tf32 on their way; columns that lie across the depth are
// packed first. There are windows of a convolution, weights that never change, a depth that fills no line, and numbers that become
// infinite when they are rounded.
graph g(h: f32[3]) -> (y0, y1, y2, y3, y4) {
    a[i in 0..100, k in 0..72]: f32[100, 72] = sin(3 * i + 5 * k) + h[0]
    b[j in 0..256, k in 0..72]: f32[256, 72] = cos(2 * k + 7 * j) + h[1]
    c[k in 0..72, j in 0..264]: f32[72, 264] = cos(2 * k + 7 * j) + h[1]
    d[k in 0..72, i in 0..128]: f32[72, 128] = sin(3 * i + 5 * k) + h[0]
    e[i in 0..128, k in 0..72]: f32[128, 72] = where(k == i, 3.4028e38, where(k == i + 1, -3.4022e38, 0.0)) + h[2] * 0
    w[j in 0..128, k in 0..72]: f32[128, 72] = cos(2 * k + 7 * j)
    y0[i, j]: f32[100, 256] = sum[k] a[i, k] * b[j, k]
    y1[i, j]: f32[100, 264] = tanh(sum[k] a[i, k] * c[k, j])
    y2[i, j]: f32[128, 128] = sum[k] d[k, i] * w[j, k]
    y3[i, j]: f32[128, 256] = relu(sum[k] e[i, k] * (b[j, k] * 0.01))
    p[n in 0..2, x in 0..9, y in 0..8, c in 0..32]: f32[2, 9, 8, 32] = sin(n + 5 * c + 3 * x * y + x) + h[0]
    f[m in 0..128, i in 0..3, j in 0..3, c in 0..32]: f32[128, 3, 3, 32] = cos(2 * c + 7 * m + i - j) + h[1]
    y4[n, x in 0..9, y in 0..8, m]: f32[2, 9, 8, 128] = sum[i, j, c] (p[n, x + i - 1, y + j - 1, c] else 0) * f[m, i, j, c]
}
