mg 1
// Products whose factors are exact in the narrow types of matrix units, so that they need no permission: bf16 and f16
// with each factor along the sum and across it, weights that never change, edges on all sides, an odd depth, a batch, a
// convolution, a cast factor, a mask; f16 by bf16, which both fit tf32; i8 and u8 in all four pairs; a long sum in
// parts, and one of few rows, which more slices share than there are vectors of sums.
graph g(h: f32[3]) -> (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, z0, z1, z2, z3, z4, z5, z6, z7) {
    a[m in 0..64, q in 0..96]: bf16[64, 96] = sin(11 * m + 5 * q) + h[0]
    b[q in 0..96, n in 0..64]: bf16[96, 64] = cos(7 * n + 3 * q) + h[1]
    c[m in 0..70, q in 0..50]: f16[70, 50] = sin(9 * m + 7 * q) + h[1]
    z[n in 0..2, m in 0..33, q in 0..40]: bf16[2, 33, 40] = sin(3 * n + 9 * m + 7 * q) + h[1]
    p[n in 0..1, q in 0..8, x in 0..16, y in 0..17]: f16[1, 8, 16, 17] = sin(n + 5 * q + 3 * x * y + x) + h[2]
    i[m in 0..64, q in 0..96]: i8[64, 96] = i8(128 * sin(m + 5 * q) + h[0])
    k[q in 0..96, n in 0..64]: i8[96, 64] = i8(128 * sin(3 * n + 2 * q) + h[1])
    u[m in 0..64, q in 0..96]: u8[64, 96] = u8(127 + 127 * sin(m + 5 * q) + h[0])
    v[q in 0..96, n in 0..64]: u8[96, 64] = u8(127 + 127 * sin(2 * n + 3 * q) + h[1])
    o[m in 0..70, q in 0..50]: i8[70, 50] = i8(100 * cos(m + 2 * q) + h[2])
    e[q in 0..1024, m in 0..32]: bf16[1024, 32] = sin(3 * m + 7 * q) + h[0]
    f[q in 0..1024, n in 0..64]: bf16[1024, 64] = sin(5 * n + 2 * q) + h[1]
    g[m in 0..9, q in 0..1024]: bf16[9, 1024] = sin(3 * m + 7 * q) + h[2]
    w[n in 0..64, q in 0..96]: bf16[64, 96] = sin(7 * n + 3 * q)
    t[q in 0..96, n in 0..64]: bf16[96, 64] = cos(7 * n + 3 * q)
    s[n in 0..64]: f32[64] = cos(n)
    d[n in 0..67, q in 0..50]: f16[67, 50] = cos(5 * n + 2 * q)
    r[n in 0..16, c in 0..8, x in 0..3, y in 0..3]: f16[16, 8, 3, 3] = cos(n + 3 * c + 5 * x + 7 * y)
    l[n in 0..67, q in 0..50]: i8[67, 50] = n * 3 - q * 2
    x[m in 0..64, q in 0..96]: f32[64, 96] = sin(11 * m + 5 * q) + h[0]
    y0 = relu(linear(a, w))
    y1[m, n]: f32[64, 64] = sum[q] f32(a[m, q]) * f32(t[q, n])
    y2 = matmul(a, b)
    y3[m, n]: f32[96, 96] = sum[q] f32(a[q, m]) * f32(b[n, q]) + 0
    y4 = linear(c, d)
    y5[n, m, o] = sum[k] z[n, m, k] * z[n, o, k]
    y6 = relu(conv2d(p, r, pad = 1))
    y7[m, n]: f32[64, 64] = sum[q] f32(bf16(x[m, q])) * f32(w[n, q])
    y8[m, n]: f32[64, 64] = sum[q] where(q < m, f32(a[m, q]), 0) * -f32(b[q, n])
    y9[m, n]: f32[64, 64] = sum[q] f32(f16(x[m, q])) * f32(w[n, q])
    z0[m, n]: i32[64, 64] = sum[q] i32(i[m, q]) * i32(k[q, n])
    z1[m, n]: i32[64, 64] = sum[q] i32(u[m, q]) * i32(k[q, n])
    z2[m, n]: i32[64, 64] = sum[q] i32(i[m, q]) * i32(v[q, n])
    z3[m, n]: i32[64, 64] = sum[q] i32(u[m, q]) * i32(v[q, n])
    z4[m, n]: i32[70, 67] = sum[q] i32(o[m, q]) * i32(l[n, q])
    z5[m, n]: f32[32, 64] = sum[q] f32(e[q, m]) * f32(f[q, n])
    z6[m, n]: f32[64, 64] = sum[q] f32(i[m, q]) * f32(k[q, n]) * s[n]
    z7[m, n]: f32[9, 64] = sum[q] f32(g[m, q]) * f32(f[q, n])
}
