mg 1
import "gpt2.mg" as gpt2

// A model of the same kind, but tiny, for tests: 2 layers of 3 heads, 24 wide.
// `prompt` reads the first tokens of a text, and `step` one token at place `at`. Both write the cache
// and draw the token that follows.
graph prompt(tokens: i64[N], keys: f32[2, 3, 32, 8], values: f32[2, 3, 32, 8], temperature: f32[],
        k: i64[], p: f32[], seed: u64[])
    -> (token: i64[], logits: f32[97], keys1: f32[2, 3, 32, 8] over keys,
        values1: f32[2, 3, 32, 8] over values)
    weights "tiny.safetensors"
{
    param model: gpt2.model(layers = 2, entries = 97) as ""
    logits, keys1, values1 = model(tokens, keys, values)
    next_place[]: i64[] = N
    token = gpt2.sample(logits, temperature, k, p, seed, next_place)
}
graph step(newest: i64[], at: i64[], keys: f32[2, 3, 32, 8], values: f32[2, 3, 32, 8],
        temperature: f32[], k: i64[], p: f32[], seed: u64[])
    -> (token: i64[], logits: f32[97], keys1: f32[2, 3, 32, 8] over keys,
        values1: f32[2, 3, 32, 8] over values)
    weights "tiny.safetensors"
{
    param model: gpt2.model(layers = 2, entries = 97) as ""
    tokens[s in 0..1] = newest[]
    logits, keys1, values1 = model(tokens, keys, values, at)
    next_place[] = at[] + 1
    token = gpt2.sample(logits, temperature, k, p, seed, next_place)
}
