mg 1
import nn
import optim

// The decoder over characters that nanoGPT trains on a GPU: 6 layers of 6 heads, 384 wide, which see
// 256 characters, with dropout of 0.2. Here positions rotate queries and keys, as in shakespeare.mg.

layer block(x: f32[B, S, D], heads: int, ratio: float) -> (y: f32[B, S, D])
    require D % heads == 0 : "{D} channels do not split into {heads} heads"
{
    param norm1: nn.layer_norm()
    param qkv: nn.linear(features = 3 * D, biased = false, deviation = 0.02)
    param out: nn.linear(features = D, biased = false, deviation = 0.006)
    param norm2: nn.layer_norm()
    param up: nn.linear(features = 4 * D, biased = false, deviation = 0.02)
    param down: nn.linear(features = D, biased = false, deviation = 0.006)

    z = qkv(norm1(x))
    q[b, h in 0..heads, s, e in 0..D / heads] = z[b, s, h * (D / heads) + e]
    k[b, h in 0..heads, s, e in 0..D / heads] = z[b, s, D + h * (D / heads) + e]
    v[b, h in 0..heads, s, e in 0..D / heads] = z[b, s, 2 * D + h * (D / heads) + e]
    place[s in 0..S] = f32(s)
    mask[s in 0..S, j in 0..S]: f32[S, S] = where(j <= s, 0, -inf)
    qr = rotary(q, place)
    kr = rotary(k, place)
    scores[b, h, i, j]: f32[B, heads, S, S] = (sum[e] qr[b, h, i, e] * kr[b, h, j, e])
        / sqrt(f32(D / heads))
        + mask[i, j]
    p = softmax(scores)
    w = nn.dropout(p, ratio = ratio)
    a[b, h, i, e]: f32[B, heads, S, D / heads] = sum[j] w[b, h, i, j] * v[b, h, j, e]
    m[b, s, (h, e)]: f32[B, S, D] = a[b, h, s, e]
    kept1 = nn.dropout(out(m), ratio = ratio)
    u = add(x, kept1)
    kept2 = nn.dropout(down(gelu(up(norm2(u)))), ratio = ratio)
    y = add(u, kept2)
}

layer decoder(text: u8[B, S]) -> (logits: f32[B, S, 128]) {
    param embed: nn.embedding(entries = 128, width = 384, deviation = 0.02)
    param blocks[6]: block(heads = 6, ratio = 0.2)
    param norm: nn.layer_norm()
    param head: nn.linear(features = 128, biased = false, deviation = 0.02)
    x = nn.dropout(embed(text), ratio = 0.2)
    for l in 0..6 {
        x = blocks[l](x)
    }
    logits = head(norm(x))
}

// Gives the mean loss over the next characters, in nats.
op next_loss(logits: f32[B, S, 128], targets: u8[B, S]) -> (loss: f32[]) {
    l[(b, s), c]: f32[B * S, 128] = logits[b, s, c]
    t[(b, s)]: i64[B * S] = i64(targets[b, s])
    loss, logs = cross_entropy(l, t)
}

// Takes one step of AdamW, with the rates and the decay of nanoGPT.
graph step(text: u8[B, S], targets: u8[B, S], step: i64[], seed: u64[]) -> (loss: f32[])
    training seed
{
    param net: decoder()
    logits = net(text)
    loss = next_loss(logits, targets)
    lr = optim.warmup_cosine(step, peak = 0.001, warmup = 100, steps = 5000, floor = 0.0001)
    for w in net {
        u = optim.adamw(w, derivative(loss, w), lr, beta2 = 0.99, decay = 0.1)
        next w = u
    }
}

graph validate(text: u8[B, S], targets: u8[B, S]) -> (loss: f32[]) {
    param net: decoder()
    logits = net(text)
    loss = next_loss(logits, targets)
}
