mg 1
import nn
import random

// The language model GPT-2: Radford et al., 2019. Parameters have the keys and shapes of the public
// files, so a graph that applies `model` uses such a file as it is. All sizes are attributes or come
// from the shapes of the cache: f32[layers, heads, positions, features of a head].

// a linear map, whose weight lies the other way round than that of nn.linear
layer conv1d(x: f32[S, I], features: int) -> (y: f32[S, features]) {
    param weight: f32[I, features]
    param bias: f32[features]
    y[s, o] = (sum[i] x[s, i] * weight[i, o]) + bias[o]
}
// Attention of S new tokens, which stand at places `at` … at + S - 1, to themselves and to all
// tokens before them. Their keys and values are written into the cache of layer `l`. Without `at`
// they are the first ones, and nothing in the cache counts.
layer attention(x: f32[S, D], keys: f32[L, H, P, E], values: f32[L, H, P, E], at: i64[]?, l: int)
    -> (y: f32[S, D], keys1: f32[L, H, P, E], values1: f32[L, H, P, E])
{
    param c_attn: conv1d(features = 3 * D)
    param c_proj: conv1d(features = D)
    qkv = c_attn(x)
    new[part, h, s, e]: f32[3, H, S, E] = qkv[s, (part, h, e)]
    start[]: i64[] = at[] else 0
    keys1[l, h, start[] + s, e] = last[h, s, e] new[1, h, s, e] over keys
    values1[l, h, start[] + s, e] = last[h, s, e] new[2, h, s, e] over values
    if given(at) {
        k[h, p, e] = keys1[l, h, p, e]
        v[h, p, e] = values1[l, h, p, e]
    } else {
        k[h, p, e] = new[1, h, p, e]
        v[h, p, e] = new[2, h, p, e]
    }
    score[h, s, p] = (sum[e] new[0, h, s, e] * k[h, p, e]) / sqrt(f32(E))
    seen[h, s, p] = where(p <= start[] + s, score[h, s, p], -inf)
    weight = softmax(seen)
    heads[s, (h, e)]: f32[S, H * E] = sum[p] weight[h, s, p] * v[h, p, e]
    y = c_proj(heads)
}
layer mlp(x: f32[S, D]) -> (y: f32[S, D]) {
    param c_fc: conv1d(features = 4 * D)
    param c_proj: conv1d(features = D)
    y = c_proj(gelu_tanh(c_fc(x)))
}
layer block(x: f32[S, D], keys: f32[L, H, P, E], values: f32[L, H, P, E], at: i64[]?, l: int)
    -> (y: f32[S, D], keys1: f32[L, H, P, E], values1: f32[L, H, P, E])
{
    param ln_1: nn.layer_norm()
    param attn: attention()
    param ln_2: nn.layer_norm()
    param mlp: mlp()
    a, keys1, values1 = attn(ln_1(x), keys, values, at, l = l)
    u = add(x, a)
    y = add(u, mlp(ln_2(u)))
}
// the logits of the token after the last of S tokens, and the cache with these tokens
layer model(tokens: i64[S], keys: f32[L, H, P, E], values: f32[L, H, P, E], at: i64[]?, layers: int,
        entries: int) -> (logits: f32[entries], keys1: f32[L, H, P, E], values1: f32[L, H, P, E])
    require layers == L : "the cache has {L} layers, the model {layers}"
    require 1 <= S and S <= P : "{S} tokens; expected 1 to {P}"
{
    param wte: nn.embedding(entries = entries, width = H * E)
    param wpe: nn.embedding(entries = P, width = H * E)
    param h[layers]: block()
    param ln_f: nn.layer_norm()
    place[s in 0..S]: i64[S] = (at[] else 0) + s
    x = add(wte(tokens), wpe(place))
    keys1 = keys
    values1 = values
    for l in 0..layers { x, keys1, values1 = h[l](x, keys1, values1, at, l = l) }
    last_one[s in 0..1, d] = x[S - 1, d]
    z = ln_f(last_one)
    logits[v] = sum[d] z[0, d] * wte.weight[v, d]
}
// A token, drawn from the k most probable ones, and of these from the nucleus that has the
// probability p together. The temperature divides the logits: below 1 it prefers what is probable.
// k = 1 takes the most probable token; k = the number of tokens and p = 1 draw from all. Each place
// `at` of a text has a random number of its own, which follows from the seed.
op sample(logits: f32[V], temperature: f32[], k: i64[], p: f32[], seed: u64[], at: i64[])
    -> (token: i64[])
{
    most[] = max[v] logits[v]
    scaled[b in 0..1, v] = (logits[v] - most[]) / temperature[]
    likely = top_p_logits(top_k_logits(scaled, k), p)
    drawn = multinomial(likely, seed_at(seed, cast(at, to = u64)), n = 1, type = i64)
    token[] = drawn[0, 0]
}
