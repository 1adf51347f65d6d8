mg 1
// Sums in parts whose columns are no neighbours in the result: the tenth lies far behind the ninth.
graph g(h: f32[3]) -> (y: f32[4, 256, 3, 3]) {
    g[n in 0..4, m in 0..512, i in 0..3, j in 0..3]: f32[4, 512, 3, 3] = f32((7 * n
            + 3 * m
            + 5 * i
            + j)
            % 11)
        + h[0]
    w[m in 0..512, c in 0..256]: f32[512, 256] = f32((5 * m + 2 * c) % 7) + h[1]
    y[n, c, i, j] = sum[m] g[n, m, i, j] * w[m, c]
}
