mg 1
// Linear algebra other than sums of products.

// the determinant of each matrix, by elimination with the largest pivot of each column
op det<T: float>(x: T[..N, M, M]) -> (y: T[..N]) {
    one[..n]: T[..N] = 1
    y, rest = loop k in 0..M carry (d = one, a = x) {
        below[..n, i in 0..M]: T[..N, M] = where(i >= k, abs(a[..n, i, k]), -1)
        p[..n]: i64[..N] = argmax[i] below[..n, i]
        pivot[..n] = a[..n, p[..n], k]
        turned[..n, i, j]: T[..N, M, M] = where(i == k, a[..n, p[..n], j],
            where(p[..n] == i, a[..n, k, j], a[..n, i, j]))
        share[..n, i] = where(i > k and pivot[..n] != 0, turned[..n, i, k] / pivot[..n], 0)
        reduced[..n, i, j] = turned[..n, i, j] - share[..n, i] * turned[..n, k, j]
        product[..n] = d[..n] * where(p[..n] == k, pivot[..n], -pivot[..n])
        next d = product, a = reduced
    }
}
