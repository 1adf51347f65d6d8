mg 1
// Products by wide products of matrix units: rows and columns that fill no tile; columns that lie across and a depth that fills no
// line; rows that lie across; integers, along the depth and across it; factors that are computed while staged; sizes known only at
// run time; an odd number of columns.
graph g(h: f32[3], rows: f32[S]) -> (y0, y1, y2, y3, y4, y5, y6, y7) {
    a0[i in 0..100, k in 0..128]: bf16[100, 128] = sin(3 * i + 5 * k) + h[0]
    b0[j in 0..264, k in 0..128]: bf16[264, 128] = cos(2 * k + 7 * j) + h[1]
    y0[i, j]: f32[100, 264] = sum[k] f32(a0[i, k]) * f32(b0[j, k])

    a1[i in 0..256, k in 0..72]: f16[256, 72] = sin(3 * i + 5 * k) + h[0]
    b1[k in 0..72, j in 0..256]: f16[72, 256] = cos(2 * k + 7 * j) + h[1]
    y1[i, j]: f16[256, 256] = sum[k] f32(a1[i, k]) * f32(b1[k, j])

    a2[k in 0..192, i in 0..128]: bf16[192, 128] = sin(3 * i + 5 * k) + h[0]
    b2[k in 0..192, j in 0..256]: bf16[192, 256] = cos(2 * k + 7 * j) + h[1]
    y2[i, j]: bf16[128, 256] = tanh(sum[k] f32(a2[k, i]) * f32(b2[k, j]))

    a3[i in 0..128, k in 0..256]: i8[128, 256] = i8(round(100 * sin(3 * i + 5 * k) + h[0]))
    b3[j in 0..256, k in 0..256]: i8[256, 256] = i8(round(100 * cos(2 * k + 7 * j) + h[1]))
    y3[i, j]: i32[128, 256] = sum[k] i32(a3[i, k]) * i32(b3[j, k])

    y4[i, j]: bf16[100, 264] = sum[k] f32(bf16(relu(f32(a0[i, k])))) * f32(b0[j, k])

    a5[n in 0..2, i, k in 0..64]: bf16[2, S, 64] = sin(3 * i + 5 * k + n) + rows[i]
    b5[n in 0..2, j in 0..256, k in 0..64]: bf16[2, 256, 64] = cos(2 * k + 7 * j + n) + h[2]
    y5[n, i, j]: f32[2, S, 256] = sum[k] f32(a5[n, i, k]) * f32(b5[n, j, k])

    b6[k in 0..256, j in 0..256]: i8[256, 256] = i8(round(100 * cos(2 * k + 7 * j) + h[1]))
    y6[i, j]: i32[128, 256] = sum[k] i32(a3[i, k]) * i32(b6[k, j])

    b7[j in 0..253, k in 0..128]: bf16[253, 128] = cos(2 * k + 7 * j) + h[1]
    y7[i, j]: bf16[100, 253] = sum[k] f32(a0[i, k]) * f32(b7[j, k])
}
