mg 1
// Convolutions whose images are packed as one run of pixels: rows from 5 to 19 long, one that fills no
// vector, dilated windows, two images, weights on either side of the tile, and a depth that is split.
graph g(x: f32[2, 40, 4, 5], wide: f32[1, 3, 6, 19], deep: f32[1, 130, 7, 7], thin: f32[1, 8, 9, 3])
    -> (a, b, c, d, e, f)
{
    few[m in 0..12, k in 0..40, i in 0..3, j in 0..3]: f32[12, 40, 3, 3] = sin(7 * m
            + 3 * k
            + 11 * i * i
            + 5 * j)
    far[m in 0..20, k in 0..3, i in 0..3, j in 0..3]: f32[20, 3, 3, 3] = cos(5 * m
            + k
            + 2 * i
            + 7 * j)
    many[m in 0..48, k in 0..130, i in 0..3, j in 0..3]: f32[48, 130, 3, 3] = sin(m
            + 3 * k
            + 2 * i
            + j)
    five[m in 0..9, k in 0..8, i in 0..5, j in 0..5]: f32[9, 8, 5, 5] = cos(m + 2 * k + i * j)
    a = relu(conv2d(x, few, pad = 1))
    b = conv2d(wide, far, pad = 2, dilation = 2)
    c = conv2d(deep, many, pad = 1)
    d = tanh(conv2d(thin, five, pad = 2))
    e = conv2d(wide, far)
    f[m in 0..12, i in 0..4, j in 0..5] = sum[k in 0..40, p in 0..3, q in 0..3] (x[1, k, i + p - 1,
        j + q - 1] else 2)
        * few[m, k, p, q]
}
