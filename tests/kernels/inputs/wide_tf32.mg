mg 1
// Products of f32 by wide products of matrix units, which round to tf32. Lines run along the depth, so factors that lie across are
// transposed while staged. There are rows and columns that fill no tile, a depth that fills no line, and numbers that tf32 can't round up.
graph g(h: f32[3]) -> (y0, y1, y2, y3) {
    a[i in 0..128, k in 0..96]: f32[128, 96] = sin(3 * i + 5 * k) + h[0]
    b[k in 0..96, j in 0..256]: f32[96, 256] = cos(2 * k + 7 * j) + h[1]
    c[k in 0..72, i in 0..100]: f32[72, 100] = sin(3 * i + 5 * k) + h[0]
    d[k in 0..72, j in 0..264]: f32[72, 264] = cos(2 * k + 7 * j) + h[1]
    e[i in 0..128, k in 0..96]: f32[128, 96] = where(k == i, 3.402e38, 0.0) + h[2] * 0
    y0[i, j]: f32[128, 256] = sum[k] a[i, k] * b[k, j]
    y1[i, j]: f32[100, 264] = sum[k] c[k, i] * d[k, j]
    y2[i, j]: f32[128, 256] = tanh(sum[k] a[i, k] * b[k, j])
    y3[i, j]: f32[128, 256] = sum[k] e[i, k] * (b[k, j] * 0.01)
}
