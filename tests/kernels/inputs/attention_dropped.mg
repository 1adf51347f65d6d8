mg 1
import random
// Attention whose weights have a gain after the softmax: dropout and a matrix of gains, for sizes that are known at run time; few
// rows; weights of 16 bits, which are dropped or not; and a factor of the columns, which is no factor of the weights.
graph g(h: f32[3], rows: f32[S], keys: f32[L], seed: u64[]) -> (y0, y1, y2, y3) {
    ratio[]: f32[] = 0.3
    q0[i, d in 0..32]: f32[S, 32] = sin(5 * i + 2 * d) + rows[i]
    k0[j, d in 0..32]: f32[L, 32] = cos(3 * j + 7 * d) + keys[j]
    v0[j, e in 0..20]: f32[L, 20] = sin(7 * j + 3 * e) + keys[j]
    f0[i, j]: f32[S, L] = cos(i + j) + rows[i]
    s0[i, j] = 0.2 * (sum[d] q0[i, d] * k0[j, d])
    p0 = softmax(s0)
    w0, kept0 = dropout(p0, seed, ratio)
    y0[i, e]: f32[S, 20] = sum[j] (w0[i, j] * (f0[i, j] / (2 + f0[i, j]))) * v0[j, e]

    q1[n in 0..2, i in 0..2, d in 0..16]: f32[2, 2, 16] = sin(3 * n + 5 * i + 2 * d) + h[0]
    k1[j in 0..601, d in 0..16]: f32[601, 16] = cos(3 * j + 7 * d) + h[1]
    v1[j in 0..601, e in 0..12]: f32[601, 12] = sin(7 * j + 3 * e) + h[2]
    s1[n, i, j]: f32[2, 2, 601] = sum[d] q1[n, i, d] * k1[j, d]
    p1 = softmax(s1)
    w1, kept1 = dropout(p1, seed, ratio)
    y1[n, i, e]: f32[2, 2, 12] = sum[j] w1[n, i, j] * v1[j, e]

    q2[n in 0..2, i in 0..75, d in 0..24]: f16[2, 75, 24] = 2 * sin(3 * n + 5 * i + 2 * d) + h[0]
    k2[n in 0..2, j in 0..101, d in 0..24]: f16[2, 101, 24] = 2 * cos(2 * n + 3 * j + 7 * d) + h[1]
    v2[n in 0..2, j in 0..101, e in 0..40]: f16[2, 101, 40] = sin(n + 7 * j + 3 * e) + h[2]
    s2[n, i, j]: f32[2, 75, 101] = 0.1 * (sum[d] f32(q2[n, i, d]) * f32(k2[n, j, d]))
    p2 = softmax(s2)
    u2, kept2 = dropout(p2, seed, ratio)
    w2[n, i, j] = f16(u2[n, i, j])
    y2[n, i, e]: f32[2, 75, 40] = sum[j] f32(w2[n, i, j]) * f32(v2[n, j, e])
    s3[n, i, j]: f32[2, 75, 101] = 0.2 * (sum[d] f32(k2[n, j, d]) * f32(q2[n, i, d]))
    p3 = softmax(s3)
    y3[n, i, e in 0..40]: f32[2, 75, 40] = sum[j] (p3[n, i, j] * (1 + f32(e) * h[0])) * f32(v2[n, j, e])
}
