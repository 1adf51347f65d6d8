mg 1
// Wide products whose factors the device copies by itself, as boxes: lines along the depth, and across it; a depth that fills no
// line; rows that fill no tile; batches; columns that are dealt, for results of two bytes and of four; bytes; weights that never
// change; rows of results that fill no vectors; tiles of 192 columns; groups that stay for several tiles.
graph products(h: f32[3]) -> (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11) {
    a0[i in 0..100, k in 0..136]: bf16[100, 136] = sin(3 * i + 5 * k) + h[0]
    b0[j in 0..288, k in 0..136]: bf16[288, 136] = cos(2 * k + 7 * j) + h[1]
    y0[i, j]: f32[100, 288] = sum[k] f32(a0[i, k]) * f32(b0[j, k])
    y1[i, j]: bf16[100, 288] = abs(sum[k] f32(a0[i, k]) * f32(b0[j, k]))

    a2[k in 0..328, i in 0..128]: f16[328, 128] = sin(3 * i + 5 * k) + h[0]
    b2[k in 0..328, j in 0..320]: f16[328, 320] = cos(2 * k + 7 * j) + h[1]
    y2[i, j]: f16[128, 320] = sum[k] f32(a2[k, i]) * f32(b2[k, j])

    a3[i in 0..128, k in 0..272]: i8[128, 272] = i8(round(100 * sin(3 * i + 5 * k) + h[0]))
    b3[j in 0..256, k in 0..272]: i8[256, 272] = i8(round(100 * cos(2 * k + 7 * j) + h[1]))
    y3[i, j]: i32[128, 256] = sum[k] i32(a3[i, k]) * i32(b3[j, k])

    a4[n in 0..3, i in 0..72, k in 0..128]: bf16[3, 72, 128] = sin(3 * i + 5 * k + n) + h[0]
    b4[n in 0..3, j in 0..256, k in 0..128]: bf16[3, 256, 128] = cos(2 * k + 7 * j + n) + h[2]
    y4[n, i, j]: f32[3, 72, 256] = sum[k] f32(a4[n, i, k]) * f32(b4[n, j, k])
    b5[n in 0..3, k in 0..128, j in 0..128]: bf16[3, 128, 128] = cos(2 * k + 7 * j + n) + h[2]
    y5[n, i, j]: bf16[3, 72, 128] = sum[k] f32(a4[n, i, k]) * f32(b5[n, k, j])

    b6[j in 0..256, k in 0..136]: bf16[256, 136] = cos(2 * k + 7 * j)
    y6[i, j]: bf16[100, 256] = sum[k] f32(a0[i, k]) * f32(b6[j, k])

    b7[j in 0..261, k in 0..136]: bf16[261, 136] = cos(2 * k + 7 * j) + h[1]
    c7[j in 0..261]: f32[261] = sin(j) + h[0]
    y7[i, j]: bf16[100, 261] = tanh(c7[j] + (sum[k] f32(a0[i, k]) * f32(b7[j, k])))
    b8[j in 0..201, k in 0..272]: i8[201, 272] = i8(round(100 * cos(2 * k + 7 * j) + h[1]))
    y8[i, j]: i32[128, 201] = sum[k] i32(a3[i, k]) * i32(b8[j, k])

    a9[i in 0..136, k in 0..776]: bf16[136, 776] = sin(3 * i + 5 * k) + h[0]
    b9[j in 0..192, k in 0..776]: bf16[192, 776] = cos(2 * k + 7 * j) + h[1]
    y9[i, j]: bf16[136, 192] = sum[k] f32(a9[i, k]) * f32(b9[j, k])

    a10[i in 0..760, k in 0..72]: bf16[760, 72] = sin(3 * i + 5 * k) + h[0]
    b10[j in 0..64, k in 0..72]: bf16[64, 72] = cos(2 * k + 7 * j) + h[1]
    y10[i, j]: bf16[760, 64] = sum[k] f32(a10[i, k]) * f32(b10[j, k])
    b11[j in 0..64, k in 0..328]: bf16[64, 328] = cos(2 * k + 7 * j) + h[1]
    a11[i in 0..900, k in 0..328]: bf16[900, 328] = sin(3 * i + 5 * k) + h[2]
    y11[i, j]: f32[900, 64] = sum[k] f32(a11[i, k]) * f32(b11[j, k])
}
