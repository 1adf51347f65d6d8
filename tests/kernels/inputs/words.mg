mg 1
// Products of narrow types, by instructions that multiply words if the machine has them: every pair of signs, sums that leave
// a word partly empty, factors along the depth and across it, batches, an epilogue, taps, and a factor that is packed once.
graph g(a: i8[2, 29, 37], u: u8[2, 29, 37], b: i8[37, 41], v: u8[41, 37], h: i16[29, 37], x: f32[29, 41], p: i8[3, 12, 13])
    -> (signed: i32[2, 29, 41], mixed: i32[2, 29, 41], turned: i32[2, 29, 41], unsigned: i32[2, 29, 41], halves: i32[29, 41],
        scaled: f32[29, 41], taps: i32[9, 10, 11], kept: i32[29, 41])
{
    w[k, n]: i8[37, 41] = i8(k * 23 + n * 57 - 9)
    f[o, c, i, j]: i8[9, 3, 3, 3] = i8(o * 31 - c * 7 + i * 57 + j * 5)
    signed[i, m, n] = sum[k] i32(a[i, m, k]) * i32(b[k, n])
    mixed[i, m, n] = sum[k] i32(u[i, m, k]) * i32(b[k, n])
    turned[i, m, n] = sum[k] i32(a[i, m, k]) * i32(v[n, k])
    unsigned[i, m, n] = sum[k] i32(u[i, m, k]) * i32(v[n, k])
    halves[m, n] = sum[k] i32(h[m, k]) * i32(b[k, n])
    s[m, n]: i32[29, 41] = sum[k] i32(a[0, 28 - m, k]) * i32(b[k, n])
    scaled[m, n] = relu(f32(s[m, n]) * 0.125 + x[m, n])
    taps[o, y, z] = sum[c, i, j] i32(p[c, y + i, z + j]) * i32(f[o, c, i, j])
    kept[m, n] = sum[k] i32(a[1, m, k]) * i32(w[k, n])
}
