mg 1
// Wide products whose factors lie along the depth or across it, in all four ways, copied by the device as boxes: sizes that fill no
// line and no tile; bf16 and f16; batches; a depth that is cut into parts. Then rows that end within a vector
// and become longer: a product's results, what follows from them, and the products that read those along and across.
graph products(h: f32[3]) -> (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, z1, z2, z3, z4) {
    a0[i in 0..104, k in 0..136]: bf16[104, 136] = sin(3 * i + 5 * k) + h[0]
    a1[k in 0..136, i in 0..104]: bf16[136, 104] = sin(3 * i + 5 * k) + h[0]
    b0[j in 0..200, k in 0..136]: bf16[200, 136] = cos(2 * k + 7 * j) + h[1]
    b1[k in 0..136, j in 0..200]: bf16[136, 200] = cos(2 * k + 7 * j) + h[1]
    y0[i, j]: f32[104, 200] = sum[k] f32(a0[i, k]) * f32(b0[j, k])
    y1[i, j]: bf16[104, 200] = sum[k] f32(a0[i, k]) * f32(b1[k, j])
    y2[i, j]: bf16[104, 200] = tanh(sum[k] f32(a1[k, i]) * f32(b0[j, k]))
    y3[i, j]: f32[104, 200] = sum[k] f32(a1[k, i]) * f32(b1[k, j])

    a4[n in 0..2, k in 0..72, i in 0..136]: f16[2, 72, 136] = sin(3 * i + 5 * k + n) + h[0]
    b4[n in 0..2, k in 0..72, j in 0..72]: f16[2, 72, 72] = cos(2 * k + 7 * j + n) + h[2]
    c4[n in 0..2, j in 0..72, k in 0..72]: f16[2, 72, 72] = cos(2 * k + 7 * j + n) + h[2]
    y4[n, i, j]: f32[2, 136, 72] = sum[k] f32(a4[n, k, i]) * f32(b4[n, k, j])
    y5[n, i, j]: f16[2, 136, 72] = sum[k] f32(a4[n, k, i]) * f32(c4[n, j, k])
    y6[n, j, l]: f32[2, 72, 72] = sum[k] f32(c4[n, j, k]) * f32(b4[n, k, l])

    a7[k in 0..70, i in 0..72]: bf16[70, 72] = sin(3 * i + 5 * k) + h[0]
    b7[k in 0..70, j in 0..128]: bf16[70, 128] = cos(2 * k + 7 * j) + h[1]
    y7[i, j]: f32[72, 128] = sum[k] f32(a7[k, i]) * f32(b7[k, j])
    a8[k in 0..2048, i in 0..72]: bf16[2048, 72] = sin(3 * i + 5 * k) + h[0]
    b8[k in 0..2048, j in 0..72]: bf16[2048, 72] = cos(2 * k + 7 * j) + h[1]
    y8[i, j]: f32[72, 72] = sum[k] f32(a8[k, i]) * f32(b8[k, j])
    y9[i, j]: bf16[64, 64] = sum[k in 0..128] f32(a8[k + 8, i + 8]) * f32(b8[k, j])

    x[i in 0..72, d in 0..64]: bf16[72, 64] = sin(3 * i + 5 * d) + h[0]
    w[t in 0..191, d in 0..64]: bf16[191, 64] = cos(2 * d + 7 * t) + h[1]
    l[i, t]: bf16[72, 191] = sum[d] f32(x[i, d]) * f32(w[t, d])
    m[i]: f32[72] = max[t] f32(l[i, t])
    u[i, t]: f32[72, 191] = f32(l[i, t]) - m[i]
    e[i, t]: bf16[72, 191] = exp(0.1 * u[i, t]) * sqrt(190.5 - f32(t)) // no number behind the row
    z1[i]: f32[72] = m[i] + (sum[t] f32(e[i, t]))
    z2[i, d]: bf16[72, 64] = sum[t] f32(e[i, t]) * f32(w[t, d])
    q[i]: i64[72] = i64(2 * i + h[0] * 0)
    z4[i]: f32[72] = f32(e[i, q[i]])
    z3[t, d]: f32[191, 64] = sum[i] f32(e[i, t]) * f32(x[i, d])
}
