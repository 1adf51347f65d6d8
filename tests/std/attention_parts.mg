mg 1
// made by make_cases.py
graph attention_parts(x0: f32[2, 4, 3, 6],
    x1: f32[2, 2, 5, 6],
    x2: f32[2, 4, 3, 5],
    x3: f32[2, 2, 5, 4],
    x4: f32[2, 3, 8],
    x5: f32[2, 3, 3],
    x6: f32[2, 3, 3],
    x7: f32[2, 3, 2],
    x8: f32[2, 3, 2],
    x9: i32[3, 4],
    x10: f32[1, 7])
-> (attention_scores: f32[2, 4, 3, 5],
    attend_values: f32[2, 4, 3, 4],
    soft_cap: f32[2, 4, 3, 6],
    split_heads: f32[2, 4, 3, 2],
    merge_heads: f32[2, 3, 24],
    causal_past: f32[2, 4, 3, 5],
    rotary_by_3_false: f32[2, 4, 3, 6],
    rotary_by_3_true: f32[2, 4, 3, 6],
    rotary_by_2_false: f32[2, 4, 3, 6],
    rotary_by_2_true: f32[2, 4, 3, 6],
    prelu_int: i32[3, 4],
    half_pixel_for_nn: f32[1, 4])
{
    attention_scores = attention_scores(x0, x1, scale = 0.5)
    attend_values = attend_values(x2, x3)
    soft_cap = soft_cap(x0, cap = 1.5)
    split_heads = split_heads(x4, heads = 4)
    merge_heads = merge_heads(x0)
    causal_past = causal_mask(x2, past = 1)
    rotary_by_3_false = rotary_by(x0, x5, x6, interleaved = false)
    rotary_by_3_true = rotary_by(x0, x5, x6, interleaved = true)
    rotary_by_2_false = rotary_by(x0, x7, x8, interleaved = false)
    rotary_by_2_true = rotary_by(x0, x7, x8, interleaved = true)
    prelu_int = prelu(x9, 3)
    half_pixel_for_nn = resize_nearest(x10, to = 4, coordinates = "tf_half_pixel_for_nn", rounding = "floor")
}
