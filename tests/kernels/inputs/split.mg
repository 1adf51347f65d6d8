mg 1
// Products of f32 by three wide products of matrix units, over the parts of split factors: rows and columns that fill no tile,
// factors across the depth and along it, infinities and NaN (one with all bits set, as a device computes it), numbers that
// have no parts in tf32, and an epilogue.
graph g(h: f32[3]) -> (y0, y1, y2, y3, y4, y5) {
    a[i in 0..128, k in 0..288]: f32[128, 288] = sin(3 * i + 5 * k) + h[0]
    b[k in 0..288, j in 0..128]: f32[288, 128] = cos(2 * k + 7 * j) + h[1]
    c[k in 0..72, i in 0..100]: f32[72, 100] = sin(3 * i + 5 * k) + h[0]
    d[j in 0..136, k in 0..72]: f32[136, 72] = cos(2 * k + 7 * j) + h[1]
    e[i in 0..128, k in 0..96]: f32[128, 96] = where(k == i, 3.402e38, 0.0) + h[2] * 0
    o[i in 0..128, k in 0..96]: f32[128, 96] = where(k == 3 and i % 5 == 0, inf, where(k == 7 and i % 11 == 0, nan, 1.0 + k))
    u[i in 0..128, k in 0..96]: f32[128, 96] = sin(3 * i + 5 * k) * exp2(f32(k % 16) * 8 - 120) + h[0] * 0
    v[k in 0..96, j in 0..128]: f32[96, 128] = cos(2 * k + 7 * j) * exp2(120 - f32(k % 16) * 8)
    y0[i, j]: f32[128, 128] = sum[k] a[i, k] * b[k, j]
    y1[i, j]: f32[100, 136] = tanh(sum[k] c[k, i] * d[j, k])
    y2[i, j]: f32[128, 128] = sum[k] e[i, k] * (v[k, j] * 0.01)
    y3[i, j]: f32[128, 128] = relu(sum[k] o[i, k] * v[k, j])
    w[k in 0..96, j in 0..128]: f32[96, 128] = where(k == 5 and j % 7 == 0, bitcast(u32(0x7fffffff), f32), v[k, j])
    y4[i, j]: f32[128, 128] = sum[k] u[i, k] * v[k, j]
    y5[i, j]: f32[128, 128] = sum[k] u[i, k] * w[k, j]
}
