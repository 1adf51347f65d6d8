mg 1
import nn
import optim

// A small decoder over characters: 4 layers of 4 heads, 128 wide, which see the last 64 characters.
// Positions rotate queries and keys, so only the distance between two characters counts, and a text
// may be of any length.

// One block, with a cache of the last P keys and values. The S characters stand at places at to
// at + S - 1. Either they fill the cache, or S is 1 and the character replaces the oldest one.
layer block(x: f32[B, S, D], k: f32[B, H, P, E], v: f32[B, H, P, E], at: i64[])
    -> (y: f32[B, S, D], k1: f32[B, H, P, E], v1: f32[B, H, P, E])
    require D == H * E : "{D} channels do not split into {H} heads of {E}"
{
    param norm1: nn.layer_norm()
    param qkv: nn.linear(features = 3 * D, biased = false)
    param out: nn.linear(features = D, biased = false)
    param norm2: nn.layer_norm()
    param up: nn.linear(features = 4 * D)
    param down: nn.linear(features = D)

    z = qkv(norm1(x))
    q[b, h, s, e]: f32[B, H, S, E] = z[b, s, h * E + e]
    kn[b, h, s, e]: f32[B, H, S, E] = z[b, s, D + h * E + e]
    vn[b, h, s, e]: f32[B, H, S, E] = z[b, s, 2 * D + h * E + e]
    place[s in 0..S]: f32[S] = f32(at[] + s)
    slot[]: i64[] = at[] % P
    k1 = cache_update(k, rotary(kn, place), slot)
    v1 = cache_update(v, vn, slot)
    mask[s in 0..S, j in 0..P]: f32[S, P] = where(j <= at[] + s, 0, -inf)
    a = attention(rotary(q, place), k1, v1, mask)
    m[b, s, (h, e)]: f32[B, S, H * E] = a[b, h, s, e]
    u = add(x, out(m))
    y = add(u, down(gelu(up(norm2(u)))))
}
// The caches of all blocks lie one after another. Characters are ASCII.
layer decoder(text: u8[B, S], k: f32[4, B, H, P, E], v: f32[4, B, H, P, E], at: i64[])
    -> (logits: f32[B, S, 128], k1: f32[4, B, H, P, E], v1: f32[4, B, H, P, E])
{
    param embed: nn.embedding(entries = 128, width = 128)
    param blocks[4]: block()
    param norm: nn.layer_norm()
    param head: nn.linear(features = 128)
    x = embed(text)
    k1 = k
    v1 = v
    for l in 0..4 {
        kl[b, h, p, e] = k[l, b, h, p, e]
        vl[b, h, p, e] = v[l, b, h, p, e]
        x, kn, vn = blocks[l](x, kl, vl, at)
        k1[i, b, h, p, e] = where(i == l, kn[b, h, p, e], k1[i, b, h, p, e])
        v1[i, b, h, p, e] = where(i == l, vn[b, h, p, e], v1[i, b, h, p, e])
    }
    logits = head(norm(x))
}
// Gives the mean loss over the next characters, in nats.
op next_loss(logits: f32[B, S, 128], targets: u8[B, S]) -> (loss: f32[]) {
    l[(b, s), c]: f32[B * S, 128] = logits[b, s, c]
    t[(b, s)]: i64[B * S] = i64(targets[b, s])
    loss, logs = cross_entropy(l, t)
}

// Takes one step of AdamW. The rate rises for 100 steps and falls to a tenth like a cosine.
graph step(text: u8[B, S], targets: u8[B, S], step: i64[]) -> (loss: f32[]) {
    param net: decoder()
    empty = zeros(shape = [4, B, 4, S, 32])
    first[]: i64[] = 0
    logits, k, v = net(text, empty, empty, first)
    loss = next_loss(logits, targets)
    lr = optim.warmup_cosine(step, peak = 0.002, warmup = 100, steps = 2000, floor = 0.0002)
    for w in net {
        u = optim.adamw(w, derivative(loss, w), lr)
        next w = u
    }
}
graph validate(text: u8[B, S], targets: u8[B, S]) -> (loss: f32[]) {
    param net: decoder()
    empty = zeros(shape = [4, B, 4, S, 32])
    first[]: i64[] = 0
    logits, k, v = net(text, empty, empty, first)
    loss = next_loss(logits, targets)
}

// Draws N characters after a line's end, each with a seed of its own, by the probabilities that the
// net gives. A temperature below 1 makes likely characters likelier.
graph sample(seeds: u64[N], temperature: f32[]) -> (text: u8[N])
    weights "shakespeare.safetensors"
{
    param net: decoder()
    empty = zeros(shape = [4, 1, 4, 64, 32])
    line_end[b in 0..1, s in 0..1]: u8[1, 1] = 10
    newest, ks, vs, text = loop t in 0..N carry (c = line_end, k = empty, v = empty) {
        at[]: i64[] = t
        logits, kn, vn = net(c, k, v, at)
        row[b, i] = logits[b, 0, i] / temperature[]
        seed[]: u64[] = seeds[t]
        drawn = multinomial(row, seed, n = 1)
        d[b in 0..1, s in 0..1]: u8[1, 1] = u8(drawn[b, s])
        letter[]: u8[] = u8(drawn[0, 0])
        next c = d, k = kn, v = vn
        emit letter
    }
}

// Computes the logits of a text at once, and one character at a time as `sample` does, and gives
// the largest difference.
graph compare(text: u8[S]) -> (difference: f32[])
    weights "shakespeare.safetensors"
{
    param net: decoder()
    empty = zeros(shape = [4, 1, 4, S, 32])
    k, v, one = loop t in 0..S carry (kt = empty, vt = empty) {
        c[b in 0..1, s in 0..1] = text[t]
        at[]: i64[] = t
        logits, kn, vn = net(c, kt, vt, at)
        row[i] = logits[0, 0, i]
        next kt = kn, vt = vn
        emit row
    }
    first[]: i64[] = 0
    whole[b in 0..1, s] = text[s]
    together, ka, va = net(whole, empty, empty, first)
    difference[] = max[s, i] abs(one[s, i] - together[0, s, i])
}
