mg 1
// Attention, and a sum over computed weights, whose rows see the first keys: when the program runs, there is no key.
graph g(q: f32[3, S, 32], k: f32[3, L, 32], v: f32[3, L, 16]) -> (y: f32[3, 1, S, 16], z: f32[3, S, 16]) {
    a[b, h in 0..1, i, d]: f32[3, 1, S, 32] = q[b, i, d]
    c[b, h in 0..1, i, d]: f32[3, 1, L, 32] = k[b, i, d]
    e[b, h in 0..1, i, d]: f32[3, 1, L, 16] = v[b, i, d]
    y = attention(a, c, e, causal = true)
    p[b, i, d]: bf16[3, S, 32] = sin(q[b, i, d])
    r[b, i, d]: bf16[3, L, 32] = sin(k[b, i, d])
    u[b, i, d]: bf16[3, L, 16] = sin(v[b, i, d])
    s[b, i, j]: f32[3, S, L] = sum[d] f32(p[b, i, d]) * f32(r[b, j, d])
    w[b, i, j]: bf16[3, S, L] = where(j <= i, s[b, i, j], 0.0)
    z[b, i, d]: f32[3, S, 16] = sum[j] f32(w[b, i, j]) * f32(u[b, j, d])
}
