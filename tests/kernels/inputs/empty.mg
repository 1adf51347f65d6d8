mg 1
// An op after a sum over nothing may read the sum's empty operand, with an `else`.
graph g(x: f32[A, B], y: f32[B, C], s: f32[A, B]) -> (p, q, r) {
    t[i, k]: f32[A, C] = sum[j] x[i, j] * y[j, k]
    p[i, k in 0..C] = t[i, k] + (y[0, k] else 1.0)
    m[i]: f32[A] = sum[j] s[i, j] * s[i, j]
    q[i] = m[i] + (s[i, 0] else 2.0)
    n[i, j in 0..5]: f32[A, 5] = max[k in 0..B] x[i, k] * f32(j)
    r[i, j in 0..5] = max(n[i, j], 0) + (x[i, 0] else 3.0)
}
