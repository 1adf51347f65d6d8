mg 1
// Work that a GPU shares among the items of a group: products with factors that never change, of
// whole tiles and of parts; reductions down columns and over scattered axes; extremes; transposes.
graph g(h: f32[3]) -> (a, b, c, d, e, f, i, j, o, p, q, r) {
    x[m in 0..64, k in 0..96]: f32[64, 96] = sin(11 * m + 5 * k) + h[0]
    y[m in 0..70, k in 0..50]: f32[70, 50] = sin(9 * m + 7 * k) + h[1]
    l[m in 0..700, n in 0..20]: f32[700, 20] = 3 * sin(3 * m * n + n) + h[0]
    z[m in 0..9, k in 0..60, n in 0..7]: f32[9, 60, 7] = sin(m + 7 * k + 5 * n) + h[2]
    t[m in 0..150, n in 0..130]: f32[150, 130] = sin(m * n + 2 * n) + h[1]
    w[n in 0..64, k in 0..96]: f32[64, 96] = sin(7 * n + 3 * k)
    v[n in 0..66, k in 0..50]: f32[66, 50] = cos(5 * n + 2 * k)
    s[n in 0..64]: f32[64] = cos(n)
    a = relu(linear(x, w, s))
    b = linear(y, v)
    c = sum(l, axes = [0])
    d = max(z, axes = [1])
    e = mean(z, axes = [0, 2])
    f = softmax(l, axis = 0)
    i = argmax(t, axis = -1)
    j = argmin(round(l), axis = 0)
    o = transpose(t, perm = [1, 0])
    p = transpose(t, perm = [1, 0]) * 2 + transpose(exp(t), perm = [1, 0])
    q = softmax(z, axis = -1)
    r[m in 0..130, n in 0..130]: f32[130, 130] = t[m, n] - t[n, m]
}
