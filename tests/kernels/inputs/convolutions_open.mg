mg 1
// Convolutions of images of any size: padded, strided, depthwise, followed by a pool, and so deep that sums are split.
graph g(x: f32[N, 20, H, W], deep: f32[M, 1600, P, Q]) -> (a, b, c, d, e) {
    w[m in 0..24, k in 0..20, i in 0..3, j in 0..3]: f32[24, 20, 3, 3] = sin(7 * m
            + 3 * k
            + 11 * i * i
            + 5 * j)
    v[m in 0..20, k in 0..1, i in 0..3, j in 0..3]: f32[20, 1, 3, 3] = cos(5 * m + 2 * i + 7 * j)
    u[m in 0..18, k in 0..1600, i in 0..1, j in 0..1]: f32[18, 1600, 1, 1] = sin(m + 3 * k)
    a = relu(conv2d(x, w, pad = 1))
    b = conv2d(x, w, pad = 1, stride = 2)
    c = tanh(conv2d(x, v, pad = 1, groups = 20))
    d = max_pool2d(x, kernel = 3, stride = 2)
    e = relu(conv2d(deep, u))
}
