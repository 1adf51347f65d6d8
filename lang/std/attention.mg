mg 1
// Attention: contraction, softmax, contraction. The query's heads may be groups that share a key's
// head (one group for each head is the usual form, one key head for all is multi-query). A row
// whose every score is masked gives 0, not NaN.

// Vaswani et al., 2017; Ainslie et al., 2023. The mask is added to the scores and broadcasts
// against B, heads, S, L. Causal: the last query sees every key, the one before it all but the
// last, as in decoding with a cache.
op attention<T: float>(q: T[B, KV * G, S, D], k: T[B, KV, L, D], v: T[B, KV, L, E], mask: T[..M]?,
        causal: bool = false, scale: float = 1 / sqrt(D)) -> (y: T[B, KV * G, S, E])
{
    s[b, (h, g), i, j] = scale * (sum[d] q[b, (h, g), i, d] * k[b, h, j, d])
    if given(mask) { s = add_mask(s, mask) }
    if causal { s = causal_mask(s) }
    p = masked_softmax(s)
    y[b, (h, g), i, e] = sum[j] p[b, (h, g), i, j] * v[b, h, j, e]
}
// the mask may be narrower than the scores
op add_mask<T: float, M: float>(x: T[..S], mask: M[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = x[..s] + T(mask[..s])
}
// -inf where a query would see what comes after it
op causal_mask<T: float>(x: T[..N, S, L]) -> (y: T[..N, S, L]) {
    y[..n, i, j] = where(j <= i + L - S, x[..n, i, j], -inf)
}
// softmax over the last axis, 0 throughout a row of -inf
op masked_softmax<T: float>(x: T[..N, L]) -> (y: T[..N, L]) {
    m[..n] = max[j] x[..n, j]
    e[..n, j] = exp(x[..n, j] - where(m[..n] == -inf, 0, m[..n]))
    z[..n] = sum[j] e[..n, j]
    y[..n, j] = e[..n, j] / where(z[..n] == 0, 1, z[..n])
}
// what to add to scores: 0 where true, -inf where false
op mask_scores(keep: bool[..S], type: type = f32) -> (y: type[..S]) {
    y[..s] = where(keep[..s], 0, -inf)
}
// a cache of P places with the fresh ones written from place `at` on
op cache_update<T: any>(cache: T[B, H, P, D], fresh: T[B, H, S, D], at: i64[]) -> (y: T[B, H, P, D])
{
    y[b, h, at[] + s, d] = last[s] fresh[b, h, s, d] over cache
}
// Su et al., 2021: pairs of features (i, i + D) turned by an angle that grows with the position
op rotary<T: float>(x: T[..N, S, 2 * D], positions: T[S], base: float = 10000.0)
    -> (y: T[..N, S, 2 * D])
{
    t[s, d in 0..D] = positions[s] * pow(base, -(T(d) / D))
    y[..n, s, i in 0..D] = x[..n, s, i] * cos(t[s, i]) - x[..n, s, i + D] * sin(t[s, i])
    y[..n, s, i in D..2 * D] = x[..n, s, i] * cos(t[s, i - D]) + x[..n, s, i - D] * sin(t[s, i - D])
}
