mg 1
import nn

// Radford et al., Language Models are Unsupervised Multitask Learners (2019): a small net, 12
// layers 256 wide with 4 heads, over any number of tokens.
graph transformer(ids: i64[1, S]) -> (logits: f32[1, S, 8192])
    weights "transformer.safetensors"
    require S <= 1024 : "there are places for 1024 tokens, got {S}"
{
    param tokens: nn.embedding(entries = 8192, width = 256)
    param places: nn.embedding(entries = 1024, width = 256)
    param block[12]: nn.transformer_block(heads = 4, causal = true)
    param norm: nn.layer_norm()
    place[b in 0..1, s in 0..S]: i64[1, S] = s
    x = add(tokens(ids), places(place))
    for i in 0..12 { x = block[i](x) }
    x = norm(x)
    logits[b, s, v] = sum[d] x[b, s, d] * tokens.weight[v, d]
}
