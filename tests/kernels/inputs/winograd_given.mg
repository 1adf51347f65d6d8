mg 1
// Winograd's algorithm with weights that are given at run time, of several small images in one block, and with images
// that are read backward.
graph g(x: f32[2, 20, 11, 13], w: f32[24, 20, 3, 3], small: f32[5, 18, 6, 4], v: f32[18, 17, 3, 3])
    -> (a, b)
{
    a = relu(conv2d(x, w, pad = 1))
    b[n, m, h in 0..6, l in 0..4] = sum[k, i in 0..3, j in 0..3] (small[n, k, h + 1 - i,
        l + 1 - j] else 0)
        * v[k, m, i, j]
}
