mg 1
// Derivatives of convolutions with respect to their weights, which -O3 computes by the adjoint of
// Winograd's algorithm: of several images, as one block and as blocks, with an optimiser's step, of
// images without a batch, and of values that must be computed.
graph g(x: f32[3, 20, 11, 13], d: f32[3, 24, 11, 13], v: f32[24, 20, 3, 3], u: f32[6, 35, 4, 4])
    -> (a, b, c, e)
{
    s[m, k, p in 0..3, q in 0..3] = sum[n, i, j] d[n, m, i, j]
        * (x[n, k, i + p - 1, j + q - 1] else 0)
    b[m, k, p, q] = 0.9 * v[m, k, p, q] + s[m, k, p, q]
    a[m, k, p, q] = v[m, k, p, q] - 0.1 * b[m, k, p, q]
    c[m, k, p in 0..3, q in 0..3] = sum[i in 0..9, j in 0..11] max(d[0, m, i, j], 0)
        * x[1, k, i + p, j + q]
    e[m, k, p in 0..3, q in 0..3] = sum[n, i in 0..4, j in 0..4] exp(u[n, m, i, j])
        * (u[n, k, i + p - 1, j + q - 1] else 0)
}
