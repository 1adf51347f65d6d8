mg 1
// Winograd's algorithm with open sizes and an open number of images: several blocks side by side, and a small one.
graph g(x: f32[N, 12, H, W], far: f32[M, 12, P, Q]) -> (a, b) {
    w[m in 0..20, k in 0..12, i in 0..3, j in 0..3]: f32[20, 12, 3, 3] = sin(7 * m
            + 3 * k
            + 11 * i * i
            + 5 * j)
    s[m in 0..20]: f32[20] = cos(m)
    a = relu(conv2d(x, w, s, pad = 1))
    b = conv2d(far, w, pad = 2)
}
