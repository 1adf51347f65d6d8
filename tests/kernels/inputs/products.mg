mg 1
// Products whose factors are read in place: wide tiles with rows and columns left over, strips
// packed by the tiles that use them first, parts for every worker, and two blocks of depth.
graph g(a: f32[50, 40], b: f32[40, 410], d: f32[31, 1600], e: f32[1600, 70]) -> (p, q, r, s) {
    p = matmul(a, b)
    q = relu(matmul(d, e) + 1)
    r[m, n] = sum[k] f32(f16(a[m, k])) * f32(f16(b[k, n]))
    s = matmul(transpose(e, perm = [1, 0]), transpose(d, perm = [1, 0]))
}
