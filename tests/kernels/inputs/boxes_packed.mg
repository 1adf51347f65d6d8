mg 1
// Factors that are packed in each run, so that the device copies them by itself: the parts of split f32, along the depth and across
// it, with infinities, NaN and numbers that have no parts in tf32; expressions; weights that never change and fill no whole vector;
// bytes that lie across the depth; two equal products, each with packed factors of its own.
graph g(h: f32[3]) -> (y0, y1, y2, y3, y4, y5, y6, y7) {
    a[i in 0..128, k in 0..288]: f32[128, 288] = sin(3 * i + 5 * k) + h[0]
    b[k in 0..288, j in 0..128]: f32[288, 128] = cos(2 * k + 7 * j) + h[1]
    c[k in 0..72, i in 0..100]: f32[72, 100] = sin(3 * i + 5 * k) + h[0]
    d[j in 0..136, k in 0..72]: f32[136, 72] = cos(2 * k + 7 * j) + h[1]
    e[i in 0..128, k in 0..96]: f32[128, 96] = where(k == i, 3.402e38, 0.0) + h[2] * 0
    o[i in 0..128, k in 0..96]: f32[128, 96] = where(k == 3 and i % 5 == 0, inf, where(k == 7 and i % 11 == 0, nan, 1.0 + k))
    v[k in 0..96, j in 0..128]: f32[96, 128] = cos(2 * k + 7 * j) * exp2(120 - f32(k % 16) * 8) + h[0] * 0
    w[j in 0..128, k in 0..70]: f32[128, 70] = cos(2 * k + 7 * j)
    y0[i, j]: f32[128, 128] = sum[k] a[i, k] * b[k, j]
    a7[i in 0..128, k in 0..288]: f32[128, 288] = cos(3 * i - 5 * k) + h[1]
    b7[k in 0..288, j in 0..128]: f32[288, 128] = sin(2 * k - 7 * j) + h[2]
    y7[i, j]: f32[128, 128] = sum[k] a7[i, k] * b7[k, j]
    y1[i, j]: f32[100, 136] = tanh(sum[k] c[k, i] * d[j, k])
    y2[i, j]: f32[128, 128] = sum[k] e[i, k] * (v[k, j] * 0.01)
    y3[i, j]: f32[128, 128] = relu(sum[k] o[i, k] * v[k, j])
    y4[i, j]: f32[100, 128] = sum[k in 0..70] c[k, i] * w[j, k]
    p[i in 0..128, k in 0..160]: i8[128, 160] = i8(round(100 * sin(3 * i + 5 * k) + h[0]))
    q[k in 0..160, j in 0..128]: i8[160, 128] = i8(round(100 * cos(2 * k + 7 * j) + h[1]))
    r[k in 0..160, i in 0..100]: u8[160, 100] = u8(100 + round(100 * sin(3 * i + 5 * k)) + h[0] * 0)
    y5[i, j]: i32[128, 128] = sum[k] i32(p[i, k]) * i32(q[k, j])
    y6[i, j]: i32[100, 128] = sum[k] i32(r[k, i]) * i32(q[k, j])
}
