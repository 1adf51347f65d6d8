mg 1
// Ranges that end before they begin are empty, whatever multiplies or divides them; the
// last tile of an open number of rows is not full, and there are sums of two depths. Counters of
// loops may be negative where they are divided, clamped, and added to a constant.
graph g(x: f32[4, N], w: f32[N, N], v: f32[M]) -> (a, b, c, d, e, f, h, p, q, r, trips, known) {
    a[i] = sum[j in 0..N - 60] x[i, j]
    b[i] = mean[j in 5..N - 51] x[i, j] * x[0, j]
    c[i, t in 0..N] = sum[j in t + 5..N] x[i, j] * x[0, t]
    d[i, t in 0..N] = max[j in 0..2 * t - 30] (x[i, j] else 0)
    e[i, j in 0..N] = sum[k in 0..N - 60] x[i, k] * w[k, j]
    f[i, j in 0..N] = exp(x[i, j]) / (1 + (sum[k in 0..N - 60] exp(x[i, k])))
    h[i in 0..2] = sum[j in 0..N - 60, k in 0..N - 50] w[j, k] * x[i, k]
    p[j] = sum[k in 0..N - 60] w[k, j] * x[1, k]
    q[i, j] = sum[k in 5..2] w[i, k] * w[j, k]
    t[i, j in 0..16]: f32[M, 16] = sum[k in 0..2100] v[i] * f32(k % 7) * f32((3 * k + 5 * j) % 11)
    r = softmax(t)
    start[i] = x[i, 0]
    end, trips = loop t in -N..5 carry (s = start) {
        s1[i] = s[i] + x[i, clamp(t, N)] * x[t % 4, clamp(t / 2, N)]
        next s = s1
        emit s1
    }
    done, known = loop t in -2..2 carry (s = end) {
        s1[i] = s[i] + w[t + 5, i + 2] * w[t / 4 + 4, t % 3] + w[t + 3, 7 - i]
        next s = s1
        emit s1
    }
}
