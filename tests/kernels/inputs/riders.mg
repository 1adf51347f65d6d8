mg 1
// Writes that ride with the product whose result they copy, over tensors in the same memory: rows of caches, every other
// element, rows that are outside, a loop's rows. And writes that don't: the old tensor is read after the product, or written
// twice, or the product is not the only one.
graph riders(x: f32[1, 128], u: f32[5, 128], w: f32[96, 128], b: f32[96], kc: f32[1, 2, 9, 16],
        vc: f32[1, 2, 9, 16], a0: f32[9, 40], c0: f32[9, 32], d0: f32[9, 32], e0: f32[9, 32],
        f0: f32[1, 2, 9, 16], at: i64[], g0: f32[9, 32], h0: f32[20, 8])
    -> (y: f32[1, 96], k: f32[1, 2, 9, 16] over kc, v: f32[1, 2, 9, 16] over vc, s: f32[2, 9], odd: f32[9, 40] over a0,
        few: f32[9, 32] over c0, twice: f32[9, 32] over d0, turned: f32[20, 8] over h0,
         late: f32[9, 32] over e0, old: f32[9, 32],
        several: f32[1, 2, 9, 16] over f0, trips: f32[9], end: f32[1, 128], t3: f32[16, 5])
{
    y = relu(linear(x, w, b))
    kn[i, h, t, d]: f32[1, 2, 1, 16] = y[i, 32 + h * 16 + d]
    vn[i, h, t, d]: f32[1, 2, 1, 16] = y[i, 64 + h * 16 + d]
    k = cache_update(kc, kn, at)
    v = cache_update(vc, vn, at)
    s[h, t] = sum[d in 0..16] y[0, h * 16 + d] * k[0, h, t, d] * v[0, h, t, d]
    z = tanh(linear(x, w, b))
    odd[at[] + r, i + 3] = last[r in 0..1, i in 0..37] z[0, 2 * i + 5] over a0
    few[at[] + r + 6, i] else none = last[r in 0..2, i in 0..32] z[0, 32 * r + i] over c0
    once[at[] + r, i] = last[r in 0..1, i in 0..32] z[0, i] over d0
    twice[at[] + r, 31 - i] = last[r in 0..2, i in 0..30] z[0, 40 * r + i] over once
    old[t, i] = e0[t, i] + z[0, i]
    late[at[] + r, i] = last[r in 0..1, i in 0..32] z[0, i] over e0
    q = relu(linear(u, w, b))
    fn[i, h, t, d]: f32[1, 2, 5, 16] = q[t, 32 + h * 16 + d]
    several = cache_update(f0, fn, at)
    t3[c, i] = tanh(x[0, 8 * i + c]) + y[0, i]
    turned[at[] + c, 7 - i] = last[c in 0..16, i in 0..5] t3[c, i] over h0
    rows, end = loop t in 0..4 carry (o = g0, h = x) {
        l = tanh(linear(h, w, b))
        o1[t + r, i] = last[r in 0..1, i in 0..32] l[0, 32 + i] over o
        g[i in 0..1, j in 0..128]: f32[1, 128] = l[0, j % 96] + o1[t, j % 32]
        next o = o1, h = g
    }
    trips[t] = sum[i in 0..32] rows[t, i]
}
