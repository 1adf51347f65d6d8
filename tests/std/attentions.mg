mg 1
// made by make_cases.py
graph attentions(x0: f32[2, 4, 3, 4],
    x1: f32[2, 4, 5, 4],
    x2: f32[2, 4, 5, 2],
    x3: f32[3, 5],
    x4: f32[4, 3, 5],
    x5: f32[2, 2, 5, 4],
    x6: f32[2, 2, 5, 2],
    x7: f32[2, 1, 5, 4],
    x8: f32[2, 1, 5, 2],
    x9: f32[3, 5],
    x10: f32[2, 3],
    x11: bool[2],
    x12: f32[1, 2, 6, 3],
    x13: f32[1, 2, 2, 3],
    x14: i64[],
    x15: f32[2, 3, 4],
    x16: f32[3])
-> (attention: f32[2, 4, 3, 2],
    causal: f32[2, 4, 3, 2],
    scaled: f32[2, 4, 3, 2],
    masked: f32[2, 4, 3, 2],
    biased: f32[2, 4, 3, 2],
    grouped: f32[2, 4, 3, 2],
    multi_query: f32[2, 4, 3, 2],
    add_mask: f32[4, 3, 5],
    window_mask: f32[4, 3, 5],
    causal_mask: f32[4, 3, 5],
    masked_softmax: f32[2, 3],
    mask_scores: f32[2],
    cache_update: f32[1, 2, 6, 3],
    rotary: f32[2, 3, 4])
{
    attention = attention(x0, x1, x2)
    causal = attention(x0, x1, x2, causal = true)
    scaled = attention(x0, x1, x2, scale = 0.25)
    masked = attention(x0, x1, x2, x3)
    biased = attention(x0, x1, x2, x4, causal = true)
    grouped = attention(x0, x5, x6)
    multi_query = attention(x0, x7, x8, causal = true)
    add_mask = add_mask(x4, x9)
    window_mask = window_mask(x4, left = 1, right = 0)
    causal_mask = causal_mask(x4)
    masked_softmax = masked_softmax(x10)
    mask_scores = mask_scores(x11)
    cache_update = cache_update(x12, x13, x14)
    rotary = rotary(x15, x16)
}
