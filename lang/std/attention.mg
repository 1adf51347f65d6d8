mg 1
// Attention: contraction, softmax, contraction. The heads of the query may form groups that share a
// head of the keys. (In the usual form each group has one head; in multi-query attention there is
// one head of keys for all.) A row whose scores are all masked gives 0, not NaN.

// the mean of the values, weighted for each query by the softmax of its products with the keys:
// Vaswani et al., 2017; grouped heads: Ainslie et al., 2023.
// The mask is added to the scores and broadcasts against B, heads, S, L. If `causal`, the last
// query sees every key and the one before it all but the last, as in decoding with a cache.
// Scores are not rounded to T, probabilities are.
op attention<T: float>(q: T[B, KV * G, S, D], k: T[B, KV, L, D], v: T[B, KV, L, E], mask: T[..M]?,
        causal: bool = false, scale: float = 1 / sqrt(D)) -> (y: T[B, KV * G, S, E])
{
    s[b, (h, g), i, j] = scale * (sum[d] q[b, (h, g), i, d] * k[b, h, j, d])
    if given(mask) { s = add_mask(s, mask) }
    if causal { s = causal_mask(s) }
    p = masked_softmax(s, type = T)
    y = attend_values(p, v)
}
// the score of each query with each key
op attention_scores<T: float>(q: T[B, KV * G, S, D], k: T[B, KV, L, D], scale: float = 1 / sqrt(D))
    -> (s: T[B, KV * G, S, L])
{
    s[b, (h, g), i, j] = scale * (sum[d] q[b, (h, g), i, d] * k[b, h, j, d])
}
// the values, weighted by the probabilities p
op attend_values<T: float>(p: T[B, KV * G, S, L], v: T[B, KV, L, E]) -> (y: T[B, KV * G, S, E]) {
    y[b, (h, g), i, e] = sum[j] p[b, (h, g), i, j] * v[b, h, j, e]
}
// x, bent smoothly so that it lies between -cap and cap
op soft_cap<T: float>(x: T[..S], cap: float) -> (y: T[..S]) {
    y[..s] = cap * tanh(x[..s] / cap)
}
// the heads, which lie side by side in the last dimension, as a dimension of their own
op split_heads<T: any>(x: T[B, S, heads * E], heads: int) -> (y: T[B, heads, S, E]) {
    y[b, h, s, e] = x[b, s, (h, e)]
}
// the inverse of split_heads: heads become one axis of features again
op merge_heads<T: any>(x: T[B, H, S, E]) -> (y: T[B, S, H * E]) {
    y[b, s, (h, e)] = x[b, h, s, e]
}
// the scores plus the mask, whose type may be narrower
op add_mask<T: float, M: float>(x: T[..S], mask: M[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = x[..s] + T(mask[..s])
}
// the scores, but -inf for keys after the query; the first query comes after `past` keys
op causal_mask<T: float>(x: T[..N, S, L], past: int = L - S) -> (y: T[..N, S, L]) {
    y[..n, i, j] = where(j <= i + past, x[..n, i, j], -inf)
}
// the scores, but -inf where a key lies outside a window around the query's own key:
// more than `left` places before it or `right` after it. `past` keys come before the first query's.
op window_mask<T: float>(x: T[..N, S, L], left: int, right: int, past: int = L - S)
    -> (y: T[..N, S, L])
{
    y[..n, i, j] = where(j < i + past - left, -inf, where(j > i + past + right, -inf, x[..n, i, j]))
}
// the scores, but -inf for the keys of a fixed-size cache from lengths[b] on, which don't count.
// Here, and in the two operators below, the last key that counts is the last query's own.
op length_mask<T: float>(x: T[B, H, S, L], lengths: i64[B]) -> (y: T[B, H, S, L]) {
    y[b, h, i, j] = where(j < lengths[b], x[b, h, i, j], -inf)
}
// the scores, but -inf for keys after the query, where each sequence has a length of its own
op length_causal_mask<T: float>(x: T[B, H, S, L], lengths: i64[B]) -> (y: T[B, H, S, L]) {
    y[b, h, i, j] = where(j <= i + lengths[b] - S, x[b, h, i, j], -inf)
}
// the scores, but -inf outside a window around the query, where each sequence has its own length
op length_window_mask<T: float>(x: T[B, H, S, L], lengths: i64[B], left: int, right: int)
    -> (y: T[B, H, S, L])
{
    off[b in 0..B, i in 0..S, j in 0..L] = i + lengths[b] - S - j
    y[b, h, i, j] = where(off[b, i, j] > left, -inf,
        where(-off[b, i, j] > right, -inf, x[b, h, i, j]))
}
// softmax over the last axis, rounded to `type`; a row of nothing but -inf gives zeros
op masked_softmax<T: float>(x: T[..N, L], type: type = T) -> (y: type[..N, L]) {
    m[..n] = max[j] x[..n, j]
    e[..n, j] = exp(x[..n, j] - where(m[..n] == -inf, 0, m[..n]))
    z[..n] = sum[j] e[..n, j]
    y[..n, j] = e[..n, j] / where(z[..n] == 0, 1, z[..n])
}
// a mask to add to scores: 0 where `keep` is true, `off` where it is false
op mask_scores(keep: bool[..S], type: type = f32, off: float = -inf) -> (y: type[..S]) {
    y[..s] = where(keep[..s], type(0), type(off))
}
// a cache of P places, with the fresh ones written from place `at` on
op cache_update<T: any>(cache: T[B, H, P, D], fresh: T[B, H, S, D], at: i64[]) -> (y: T[B, H, P, D])
{
    y[b, h, at[] + s, d] = last[s] fresh[b, h, s, d] over cache
}
// a cache, updated along any axis at a place for each batch; a circular one continues at its start
op tensor_scatter<T: any>(cache: T[B, ..M, P @ axis], fresh: T[B, ..M, S @ axis], at: i64[B],
        axis: int = -2, circular: bool = false) -> (y: T[B, ..M, P @ axis])
{
    if circular {
        y[b, ..m, (at[b] + s) % P @ axis] = last[s] fresh[b, ..m, s @ axis] over cache
    } else {
        y[b, ..m, at[b] + s @ axis] = last[s] fresh[b, ..m, s @ axis] over cache
    }
}
// attention without softmax: Katharopoulos et al., 2020; Yang et al., 2024.
// Each place adds its key and value to a state, keys by values, which its query then reads. Before
// that, exp(`decay`) scales the old state (one number for each key feature, or one for all). With
// `beta`, the value replaces that share of what the state holds for the key.
op linear_attention<T: float>(q: T[B, KV * G, S, D], k: T[B, KV, S, D], v: T[B, KV, S, E],
        state: T[B, KV, D, E]?, decay: T[B, KV, S, X]?, beta: T[B, Y, S]?,
        scale: float = 1 / sqrt(D)) -> (y: T[B, KV * G, S, E], last_state: T[B, KV, D, E])
{
    first[b in 0..B, h in 0..KV, d in 0..D, e in 0..E]: T[B, KV, D, E] = state[b, h, d, e] else 0
    last_state, ys = loop t in 0..S carry (m = first) {
        if given(decay) {
            f[b, h, d, e] = m[b, h, d, e] * exp(decay[b, h, t, d % X])
        } else {
            f = m
        }
        if given(beta) {
            u[b, h, e] = beta[b, h % Y, t]
                * (v[b, h, t, e] - (sum[d] f[b, h, d, e] * k[b, h, t, d]))
        } else {
            u[b, h, e] = v[b, h, t, e]
        }
        n[b, h, d, e] = f[b, h, d, e] + k[b, h, t, d] * u[b, h, e]
        r[b, (h, g), e] = scale * (sum[d] q[b, (h, g), t, d] * n[b, h, d, e])
        next m = n
        emit r
    }
    y[b, h, s, e] = ys[s, b, h, e]
}
// pairs of features (i, i + D), rotated by an angle that grows with the position: Su et al., 2021
op rotary<T: float>(x: T[..N, S, 2 * D], positions: T[S], base: float = 10000.0)
    -> (y: T[..N, S, 2 * D])
{
    t[s, d in 0..D] = positions[s] * pow(base, -(T(d) / D))
    c = cos(t)
    k = sin(t)
    y[..n, s, i in 0..D] = x[..n, s, i] * c[s, i] - x[..n, s, i + D] * k[s, i]
    y[..n, s, i in D..2 * D] = x[..n, s, i] * c[s, i - D] + x[..n, s, i - D] * k[s, i - D]
}
// the first 2 * R features, rotated in pairs by cosines and sines from a table.
// If `interleaved`, the features of a pair are adjacent.
op rotary_by<T: float>(x: T[B, H, S, D], c: T[B, S, R], s: T[B, S, R], interleaved: bool = false)
    -> (y: T[B, H, S, D])
    require 2 * R <= D : "{R} angles turn {2 * R} features, but x has {D}"
{
    // each feature turns with another: after it or before it
    if interleaved {
        along[b, t, i in 0..D]: T[B, S, D] = c[b, t, i / 2] else 1
        across[b, t, i in 0..D]: T[B, S, D] = where(i % 2 == 0, -1, 1) * (s[b, t, i / 2] else 0)
        y[b, h, t, i] = x[b, h, t, i] * along[b, t, i]
            + (x[b, h, t, i + 1 - 2 * (i % 2)] else 0) * across[b, t, i]
    } else {
        along[b, t, i in 0..D]: T[B, S, D] = c[b, t, i] else (c[b, t, i - R] else 1)
        across[b, t, i in 0..D]: T[B, S, D] = where(i < R, -1, 1)
            * (s[b, t, i] else (s[b, t, i - R] else 0))
        y[b, h, t, i] = x[b, h, t, i] * along[b, t, i]
            + (x[b, h, t, where(i < R, i + R, i - R)] else 0) * across[b, t, i]
    }
}
