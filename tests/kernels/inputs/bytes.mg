mg 1
// Products of floats of eight bits, whose sums may keep few bits: both types, alone and together; rows and columns that fill no
// tile; a depth that fills no line; columns and rows across the depth, which are turned; batches; factors that are computed; few
// rows; weights that never change.
graph bytes(h: f32[3]) -> (y0, y1, y2, y3, y4, y5, y6) {
    a0[i in 0..100, k in 0..144]: f8e4m3[100, 144] = sin(3 * i + 5 * k) + h[0]
    b0[j in 0..264, k in 0..144]: f8e4m3[264, 144] = cos(2 * k + 7 * j) + h[1]
    y0[i, j]: f32[100, 264] = sum[k] f32(a0[i, k]) * f32(b0[j, k])

    a1[i in 0..128, k in 0..160]: f8e5m2[128, 160] = sin(3 * i + 5 * k) + h[0]
    b1[j in 0..256, k in 0..160]: f8e4m3[256, 160] = cos(2 * k + 7 * j) + h[1]
    y1[i, j]: bf16[128, 256] = tanh(sum[k] f32(a1[i, k]) * f32(b1[j, k]))

    b2[k in 0..160, j in 0..256]: f8e5m2[160, 256] = cos(2 * k + 7 * j) + h[2]
    y2[i, j]: f32[128, 256] = sum[k] f32(a1[i, k]) * f32(b2[k, j])

    a3[k in 0..160, i in 0..128]: f8e4m3[160, 128] = sin(3 * i + 5 * k) + h[0]
    b3[j in 0..128, k in 0..160]: f8e5m2[128, 160] = cos(2 * k + 7 * j) + h[1]
    y3[i, j]: f32[128, 128] = sum[k] f32(a3[k, i]) * f32(b3[j, k])

    a4[n in 0..2, i in 0..72, k in 0..128]: f8e4m3[2, 72, 128] = sin(3 * i + 5 * k + n) + h[0]
    b4[n in 0..2, j in 0..128, k in 0..128]: f8e4m3[2, 128, 128] = cos(2 * k + 7 * j + n) + h[2]
    y4[n, i, j]: f32[2, 72, 128] = sum[k] f32(f8e4m3(abs(f32(a4[n, i, k])))) * f32(b4[n, j, k])

    a5[i in 0..16, k in 0..144]: f8e4m3[16, 144] = sin(3 * i + 5 * k) + h[0]
    y5[i, j]: f8e4m3[16, 264] = sum[k] f32(a5[i, k]) * f32(b0[j, k])

    b6[j in 0..256, k in 0..144]: f8e4m3[256, 144] = cos(2 * k + 7 * j)
    y6[i, j]: f32[100, 256] = sum[k] f32(a0[i, k]) * f32(b6[j, k])
}
