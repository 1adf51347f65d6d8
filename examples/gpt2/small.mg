mg 1
import "gpt2.mg" as gpt2

// GPT-2 small: 12 layers of 12 heads, 768 wide, 50,257 tokens, 1,024 positions.
// `prompt` reads the first tokens of a text, and `step` one token at place `at`. Both write the cache
// and draw the token that follows.
graph prompt(tokens: i64[N], keys: f32[12, 12, 1024, 64], values: f32[12, 12, 1024, 64],
        temperature: f32[], k: i64[], p: f32[], seed: u64[])
    -> (token: i64[], logits: f32[50257], keys1: f32[12, 12, 1024, 64] over keys,
        values1: f32[12, 12, 1024, 64] over values)
    weights "model.safetensors"
{
    param model: gpt2.model(layers = 12, entries = 50257) as ""
    logits, keys1, values1 = model(tokens, keys, values)
    next_place[]: i64[] = N
    token = gpt2.sample(logits, temperature, k, p, seed, next_place)
}
graph step(newest: i64[], at: i64[], keys: f32[12, 12, 1024, 64], values: f32[12, 12, 1024, 64],
        temperature: f32[], k: i64[], p: f32[], seed: u64[])
    -> (token: i64[], logits: f32[50257], keys1: f32[12, 12, 1024, 64] over keys,
        values1: f32[12, 12, 1024, 64] over values)
    weights "model.safetensors"
{
    param model: gpt2.model(layers = 12, entries = 50257) as ""
    tokens[s in 0..1] = newest[]
    logits, keys1, values1 = model(tokens, keys, values, at)
    next_place[] = at[] + 1
    token = gpt2.sample(logits, temperature, k, p, seed, next_place)
}
