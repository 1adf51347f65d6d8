mg 1
import nn
import optim
// A step of training a small transformer.
layer decoder(ids: i64[B, S]) -> (logits: f32[B, S, 12]) {
    param embed: nn.embedding(entries = 12, width = 16)
    param blocks[2]: nn.transformer_block(heads = 2, causal = true)
    param norm: nn.layer_norm()
    param head: nn.linear(features = 12)
    x = embed(ids)
    for i in 0..2 { x = blocks[i](x) }
    logits = head(norm(x))
}
graph step(lr: f32[]) -> (loss: f32[]) {
    param net: decoder()
    ids[b in 0..2, s in 0..7] = (5 * b + s * s) % 12
    y = net(ids)
    x[(b, s), c]: f32[14, 12] = y[b, s, c]
    t[(b in 0..2, s in 0..7)]: i64[14] = (5 * b + (s + 1) * (s + 1)) % 12
    loss, logs = cross_entropy(x, t)
    for w in net {
        u = optim.adamw(w, derivative(loss, w), lr)
        next w = u
    }
}
