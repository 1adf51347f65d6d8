mg 1
import elementwise
import gather
import move
// Factorisations of matrices, and systems of equations, as LAPACK has them.

// the lower triangle l of which x = l * transpose(l), by columns. It reads the lower triangle of
// x. info is 0, or the number of the first column without a positive pivot, counted from 1
op cholesky<T: float>(x: T[..N, M, M]) -> (y: T[..N, M, M], info: i32[..N]) {
    zeros[..n, i, j]: T[..N, M, M] = 0
    fine[..n]: i32[..N] = 0
    rest, y, info = loop k in 0..M carry (a = x, l = zeros, wrong = fine) {
        pivot[..n] = a[..n, k, k]
        root[..n] = sqrt(pivot[..n])
        column[..n, i in 0..M]: T[..N, M] = where(i == k, root[..n],
            where(i > k, a[..n, i, k] / root[..n], 0))
        reduced[..n, i, j]: T[..N, M, M] = where(j > k and i >= j,
            a[..n, i, j] - column[..n, i] * column[..n, j], a[..n, i, j])
        found[..n, i, j]: T[..N, M, M] = where(j == k, column[..n, i], l[..n, i, j])
        first[..n]: i32[..N] = where(wrong[..n] == 0 and not (pivot[..n] > 0), i32(k + 1),
            wrong[..n])
        next a = reduced, l = found, wrong = first
    }
}
// the y of which a * y = b, where a is a triangle: its other elements aren't read. With `unit`, its
// diagonal is 1 and isn't read either
op triangular_solve<T: float>(a: T[..N, M, M], b: T[..N, M, K], lower: bool = true,
        unit: bool = false) -> (y: T[..N, M, K])
{
    if lower {
        u = a
        first = b
    } else {
        u[..n, i, j]: T[..N, M, M] = a[..n, M - 1 - i, M - 1 - j]
        first[..n, i, j]: T[..N, M, K] = b[..n, M - 1 - i, j]
    }
    v = loop k in 0..M carry (x = first) {
        row[..n, j in 0..K]: T[..N, K] = x[..n, k, j] / where(unit, 1, u[..n, k, k])
        solved[..n, i, j]: T[..N, M, K] = where(i == k, row[..n, j],
            where(i > k, x[..n, i, j] - u[..n, i, k] * row[..n, j], x[..n, i, j]))
        next x = solved
    }
    if lower {
        y = v
    } else {
        y[..n, i, j] = v[..n, M - 1 - i, j]
    }
}
// a lower triangle with the diagonal 1, which is left out, below an upper one, whose product is x
// with exchanged rows: in order of the columns, row k with row pivots[k] - 1, which has the largest
// element. info is 0, or the number of the first column without a pivot, counted from 1
op lu<T: float>(x: T[..N, M, K]) -> (y: T[..N, M, K], pivots: i32[..N, min(M, K)], info: i32[..N]) {
    none[..n, i]: i32[..N, min(M, K)] = 0
    fine[..n]: i32[..N] = 0
    y, pivots, info = loop k in 0..min(M, K) carry (a = x, rows = none, wrong = fine) {
        below[..n, i in 0..M]: T[..N, M] = where(i >= k, abs(a[..n, i, k]), -1)
        p[..n]: i64[..N] = argmax[i] below[..n, i]
        pivot[..n] = a[..n, p[..n], k]
        turned[..n, i, j]: T[..N, M, K] = where(i == k, a[..n, p[..n], j],
            where(p[..n] == i, a[..n, k, j], a[..n, i, j]))
        share[..n, i] = where(i > k and pivot[..n] != 0, turned[..n, i, k] / pivot[..n], 0)
        reduced[..n, i, j] = where(j == k and i > k, share[..n, i],
            where(j > k, turned[..n, i, j] - share[..n, i] * turned[..n, k, j], turned[..n, i, j]))
        chosen[..n, i]: i32[..N, min(M, K)] = where(i == k, i32(p[..n] + 1), rows[..n, i])
        first[..n]: i32[..N] = where(wrong[..n] == 0 and pivot[..n] == 0, i32(k + 1), wrong[..n])
        next a = reduced, rows = chosen, wrong = first
    }
}
// an upper triangle r, and below it the vectors of the reflections of which x = h0 * h1 * ... * r:
// hk is 1 - tau[k] * v * transpose(v), where v is 0 above row k, and 1 there
op householder<T: float>(x: T[..N, M, K]) -> (y: T[..N, M, K], tau: T[..N, min(M, K)]) {
    none[..n, i]: T[..N, min(M, K)] = 0
    y, tau = loop k in 0..min(M, K) carry (a = x, shares = none) {
        head[..n] = a[..n, k, k]
        uneven[..n] = (max[i in 0..M] where(i > k, abs(a[..n, i, k]), 0)) > 0
        largest[..n] = max[i in 0..M] where(i >= k, abs(a[..n, i, k]), 0)
        // Not 0, nor a root of 0, in a column that is left as it is: those have no derivative
        scale[..n] = where(uneven[..n], largest[..n], 1)
        tail[..n] = sum[i in 0..M] where(i > k,
            (a[..n, i, k] / scale[..n]) * (a[..n, i, k] / scale[..n]), 0)
        length[..n] = scale[..n]
            * sqrt(where(uneven[..n],
                    (head[..n] / scale[..n]) * (head[..n] / scale[..n]) + tail[..n], 1))
        end[..n] = where(uneven[..n], where(head[..n] < 0, length[..n], -length[..n]), head[..n])
        share[..n] = where(uneven[..n], (end[..n] - head[..n]) / end[..n], 0)
        v[..n, i in 0..M] = where(i == k, 1,
            where(i > k and uneven[..n], a[..n, i, k] / (head[..n] - end[..n]), 0))
        across[..n, j in 0..K] = share[..n] * (sum[i] v[..n, i] * a[..n, i, j])
        reduced[..n, i, j]: T[..N, M, K] = where(j > k, a[..n, i, j] - v[..n, i] * across[..n, j],
            where(j == k and i == k, end[..n], where(j == k and i > k, v[..n, i], a[..n, i, j])))
        chosen[..n, i]: T[..N, min(M, K)] = where(i == k, share[..n], shares[..n, i])
        next a = reduced, shares = chosen
    }
}
// the first columns of the product of the reflections that `householder` gives
op householder_product<T: float>(x: T[..N, M, K], tau: T[..N, R]) -> (y: T[..N, M, K]) {
    one[..n, i, j]: T[..N, M, K] = where(i == j, 1, 0)
    y = loop t in 0..R carry (q = one) {
        v[..n, i in 0..M]: T[..N, M] = where(i == R - 1 - t, 1,
            where(i > R - 1 - t, x[..n, i, R - 1 - t], 0))
        across[..n, j in 0..K] = tau[..n, R - 1 - t] * (sum[i] v[..n, i] * q[..n, i, j])
        next_q[..n, i, j]: T[..N, M, K] = q[..n, i, j] - v[..n, i] * across[..n, j]
        next q = next_q
    }
}
// With whom each of M columns is paired in step t, so that every two meet once in M - 1 steps (M, if
// M is odd: then one of them, in turn, has itself). Jacobi's rotations turn all pairs of a step at
// once
op partners(t: i64[], like: bool[M]) -> (y: i64[M]) {
    odd = M + M % 2 - 1
    y[i in 0..M] = where(i == odd, t[] * ((odd + 1) / 2) % odd,
        where((t[] + odd - i) % odd == i, where(odd < M, odd, i), (t[] + odd - i) % odd))
}
// the cosine, and the sine with a sign for its own row, of the rotation after which two rows or
// columns are apart: a is the own square, b the partner's, both their product
op rotation<T: float>(a: T[..N, M], b: T[..N, M], both: T[..N, M], p: i64[M])
    -> (c: T[..N, M], s: T[..N, M])
{
    half[..n, i] = (b[..n, i] - a[..n, i]) / (2 * both[..n, i])
    size[..n, i] = 1 / (abs(half[..n, i]) + sqrt(1 + half[..n, i] * half[..n, i]))
    way[..n, i]: T[..N, M] = where(half[..n, i] > 0 or half[..n, i] == 0 and i < p[i], 1, -1)
    t[..n, i] = where(both[..n, i] == 0 or p[i] == i, 0, way[..n, i] * size[..n, i])
    c[..n, i] = 1 / sqrt(1 + t[..n, i] * t[..n, i])
    s[..n, i] = -t[..n, i] * c[..n, i]
}
// which matrices have an element off the diagonal that counts beside their own largest one. One with
// a NaN has none: no rotation helps it
op not_diagonal<T: float>(x: T[..N, M, M]) -> (y: bool[..N]) {
    least[]: T[] = where(T == f64, 1e-17, 1e-9)
    far[..n] = max[i in 0..M, j in 0..M] where(i == j, 0, abs(x[..n, i, j]))
    y[..n] = far[..n] > least[] * (max[i, j] abs(x[..n, i, j]))
}
// the eigenvalues of a symmetric matrix in ascending order, and the eigenvectors, as columns, by
// Jacobi's method. It reads the lower triangle of x
op eigh<T: float>(x: T[..N, M, M]) -> (vectors: T[..N, M, M], values: T[..N, M]) {
    whole[..n, i, j]: T[..N, M, M] = x[..n, max(i, j), min(i, j)]
    one[..n, i, j]: T[..N, M, M] = where(i == j, 1, 0)
    any_column[i in 0..M]: bool[M] = true
    apart = not_diagonal(whole)
    a, v, rest = loop k in 0..30 * M carry (m = whole, turns = one, more = apart) while any(more) {
        at[]: i64[] = k % (M + M % 2 - 1)
        p = partners(at, any_column)
        own[..n, i] = m[..n, i, i]
        other[..n, i] = own[..n, p[i]]
        both[..n, i] = m[..n, i, p[i]]
        c, s = rotation(own, other, both, p)
        rows[..n, i, j] = c[..n, i] * m[..n, i, j] + s[..n, i] * m[..n, p[i], j]
        turned[..n, i, j]: T[..N, M, M] = where(p[i] == j and i != j, 0,
            c[..n, j] * rows[..n, i, j] + s[..n, j] * rows[..n, i, p[j]])
        columns[..n, i, j]: T[..N, M, M] = c[..n, j] * turns[..n, i, j]
            + s[..n, j] * turns[..n, i, p[j]]
        still = not_diagonal(turned)
        next m = turned, turns = columns, more = still
    }
    found[..n, i] = a[..n, i, i]
    order = argsort(found, axis = -1)
    values[..n, i] = found[..n, order[..n, i]]
    vectors[..n, i, j] = v[..n, i, order[..n, j]]
}
// An eigenvalue moves as the matrix does along its vector, and two vectors turn towards one another
// by that over the distance of their values. Where two values are the same, the vectors have no
// derivative
derivative of eigh<T: float>(vectors: T[..N, M, M], values: T[..N, M], d_vectors: T[..N, M, M],
        d_values: T[..N, M]) -> (d_x: T[..N, M, M])
{
    between[..n, i, j] = sum[k] vectors[..n, k, i] * d_vectors[..n, k, j]
    inner[..n, i, j] = where(i == j, d_values[..n, i],
        between[..n, i, j] / (values[..n, j] - values[..n, i]))
    left[..n, i, j] = sum[k] vectors[..n, i, k] * inner[..n, k, j]
    whole[..n, i, j] = sum[k] left[..n, i, k] * vectors[..n, j, k]
    d_x[..n, i, j] = where(i == j, whole[..n, i, j],
        where(i > j, whole[..n, i, j] + whole[..n, j, i], 0))
}
// orthonormal columns of which the first are those of x, where these are orthonormal or 0
op orthonormal<T: float>(x: T[..N, M, K], columns: int) -> (y: T[..N, M, columns]) {
    wide[..n, i, j]: T[..N, M, columns] = x[..n, i, j] else 0
    h, tau = householder(wide)
    q = householder_product(h, tau)
    y[..n, i, j] = where(h[..n, j, j] < 0, -q[..n, i, j], q[..n, i, j])
}
// the singular values of x in descending order, and the vectors as columns: x is
// u * s * transpose(v). x has no more columns than rows. By Jacobi's method, on the columns of x
// divided by its largest element, whose squares are neither too large nor too small
op svd<T: float>(x: T[..N, M, K]) -> (u: T[..N, M, K], s: T[..N, K], v: T[..N, K, K])
    require M >= K
{
    largest[..n] = max[i, j] abs(x[..n, i, j])
    scale[..n]: T[..N] = where(largest[..n] > 0 and largest[..n] < inf, largest[..n], 1)
    scaled[..n, i, j]: T[..N, M, K] = x[..n, i, j] / scale[..n]
    one[..n, i, j]: T[..N, K, K] = where(i == j, 1, 0)
    any_column[i in 0..K]: bool[K] = true
    far[..n]: bool[..N] = true
    near[..n]: T[..N] = 0
    first[]: i64[] = 0
    least[]: T[] = where(T == f64, 1e-15, 1e-6)
    steps = K + K % 2 - 1
    b, turned, sweep, rest, place = loop k in 0..40 * steps carry (m = scaled, w = one, more = far,
            most = near, at = first) while any(more) {
        p = partners(at, any_column)
        own[..n, j] = sum[i in 0..M] m[..n, i, j] * m[..n, i, j]
        other[..n, j] = own[..n, p[j]]
        both[..n, j] = sum[i in 0..M] m[..n, i, j] * m[..n, i, p[j]]
        c, d = rotation(own, other, both, p)
        rotated[..n, i, j]: T[..N, M, K] = c[..n, j] * m[..n, i, j] + d[..n, j] * m[..n, i, p[j]]
        together[..n, i, j]: T[..N, K, K] = c[..n, j] * w[..n, i, j] + d[..n, j] * w[..n, i, p[j]]
        now[..n] = max[j in 0..K] where(p[j] == j or both[..n, j] == 0, 0,
            abs(both[..n, j]) / sqrt(own[..n, j]) / sqrt(other[..n, j]))
        seen[..n]: T[..N] = max(now[..n], where(at[] == 0, 0, most[..n]))
        left[..n] = where(at[] == steps - 1, seen[..n] > least[], more[..n])
        then[] = (at[] + 1) % steps
        next m = rotated, w = together, more = left, most = seen, at = then
    }
    length[..n, j] = sqrt(sum[i in 0..M] b[..n, i, j] * b[..n, i, j])
    order = argsort(length, axis = -1, descending = true)
    sorted[..n, j] = length[..n, order[..n, j]]
    s[..n, j] = sorted[..n, j] * scale[..n]
    v[..n, i, j] = turned[..n, i, order[..n, j]]
    tall[..n, i, j]: T[..N, M, K] = where(sorted[..n, j] > least[] * sorted[..n, 0],
        b[..n, i, order[..n, j]] / sorted[..n, j], 0)
    u = orthonormal(tall, columns = K)
}
// As Townsend derives it ("Differentiating the singular value decomposition", 2016). Where two singular values
// are the same, or one is 0, the vectors have no derivative
derivative of svd<T: float>(u: T[..N, M, K], s: T[..N, K], v: T[..N, K, K], d_u: T[..N, M, K],
        d_s: T[..N, K], d_v: T[..N, K, K]) -> (d_x: T[..N, M, K])
{
    left[..n, i, j] = sum[k in 0..M] u[..n, k, i] * d_u[..n, k, j]
    right[..n, i, j] = sum[k in 0..K] v[..n, k, i] * d_v[..n, k, j]
    apart[..n, i, j] = (s[..n, j] - s[..n, i]) * (s[..n, j] + s[..n, i])
    inner[..n, i, j] = where(i == j, d_s[..n, i],
        ((left[..n, i, j] - left[..n, j, i]) * s[..n, j]
            + s[..n, i] * (right[..n, i, j] - right[..n, j, i]))
            / apart[..n, i, j])
    // What of d_u lies outside the space of u
    inside[..n, i, j] = sum[k in 0..K] u[..n, i, k] * left[..n, k, j]
    outside[..n, i, j] = (d_u[..n, i, j] - inside[..n, i, j]) / s[..n, j]
    columns[..n, i, j] = (sum[k in 0..K] u[..n, i, k] * inner[..n, k, j]) + outside[..n, i, j]
    d_x[..n, i, j] = sum[k in 0..K] columns[..n, i, k] * v[..n, j, k]
}
// the y of which a * y = b, by elimination
op solve<T: float>(a: T[..N, M, M], b: T[..N, M, K]) -> (y: T[..N, M, K]) {
    f, p, info = lu(a)
    turned = loop k in 0..M carry (x = b) {
        other[..n]: i64[..N] = i64(p[..n, k]) - 1
        next_x[..n, i, j]: T[..N, M, K] = where(i == k, x[..n, other[..n], j],
            where(other[..n] == i, x[..n, k, j], x[..n, i, j]))
        next x = next_x
    }
    y = triangular_solve(f, triangular_solve(f, turned, unit = true), lower = false)
}
// orthonormal columns and an upper triangle, whose product is x
op qr<T: float>(x: T[..N, M, K]) -> (q: T[..N, M, min(M, K)], r: T[..N, min(M, K), K]) {
    h, tau = householder(x)
    first[..n, i, j]: T[..N, M, min(M, K)] = h[..n, i, j]
    q = householder_product(first, tau)
    r[..n, i, j] = where(i <= j, h[..n, i, j], 0)
}
