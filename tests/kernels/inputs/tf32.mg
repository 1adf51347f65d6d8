mg 1
// Products for matrix units: whole tiles with a factor that never changes, both ways round; edges on all sides and a
// depth that is not a multiple of 8; a batch; a convolution; f16 factors; numbers that tf32 can't round up; a long
// sum in parts.
graph g(h: f32[3]) -> (a, b, c, d, e, f, i, j) {
    x[m in 0..64, k in 0..96]: f32[64, 96] = sin(11 * m + 5 * k) + h[0]
    y[m in 0..70, k in 0..50]: f32[70, 50] = sin(9 * m + 7 * k) + h[1]
    z[n in 0..2, m in 0..33, k in 0..40]: f32[2, 33, 40] = sin(3 * n + 9 * m + 7 * k) + h[1]
    p[n in 0..1, c in 0..8, u in 0..16, v in 0..17]: f32[1, 8, 16, 17] = sin(n + 5 * c + 3 * u * v + u) + h[2]
    l[m in 0..32, k in 0..32]: f32[32, 32] = where(m == k, 3.402e38, 0.0) + h[2] * 0
    o[k in 0..1024, m in 0..32]: f32[1024, 32] = sin(3 * m + 7 * k) + h[0]
    t[k in 0..1024, n in 0..64]: f32[1024, 64] = sin(5 * n + 2 * k) + h[1]
    w[n in 0..64, k in 0..96]: f32[64, 96] = sin(7 * n + 3 * k)
    u[k in 0..96, n in 0..64]: f32[96, 64] = cos(7 * n + 3 * k)
    v[n in 0..67, k in 0..50]: f32[67, 50] = cos(5 * n + 2 * k)
    r[o in 0..16, c in 0..8, u in 0..3, v in 0..3]: f32[16, 8, 3, 3] = cos(o + 3 * c + 5 * u + 7 * v)
    q[k in 0..32, n in 0..32]: f32[32, 32] = where((k + n) % 2 == 0, 0.0625, -0.03125)
    s[n in 0..64]: f32[64] = cos(n)
    a = relu(linear(x, w, s))
    b = gelu(matmul(x, u) + s)
    c = linear(y, v)
    d[n, m, o] = sum[k] z[n, m, k] * z[n, o, k]
    e = relu(conv2d(p, r, pad = 1))
    f[m, n] = sum[k] f32(f16(x[m, k])) * w[n, k]
    i = matmul(l, q)
    j[m, n] = sum[k] o[k, m] * t[k, n]
}
