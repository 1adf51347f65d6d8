mg 1
// Convolutions that -O3 computes by Winograd's algorithm: of several images, in groups, with
// epilogues, and of an image with an infinity.
graph g(x: f32[2, 20, 11, 13], far: f32[1, 20, 9, 6]) -> (a, b, c) {
    w[m in 0..24, k in 0..20, i in 0..3, j in 0..3]: f32[24, 20, 3, 3] = sin(7 * m
            + 3 * k
            + 11 * i * i
            + 5 * j)
    v[m in 0..36, k in 0..10, i in 0..3, j in 0..3]: f32[36, 10, 3, 3] = sin(5 * m
            + 2 * k
            + 13 * i * i
            + 7 * j)
    s[m in 0..24]: f32[24] = cos(m)
    a = relu(conv2d(x, w, s, pad = 1))
    b = conv2d(x, v, groups = 2)
    c = conv2d(far, w, pad = 2)
}
