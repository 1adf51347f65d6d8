mg 1
// made by make_cases.py
graph states(x0: f32[2, 4, 5, 3],
    x1: f32[2, 2, 5, 3],
    x2: f32[2, 2, 5, 4],
    x3: f32[2, 2, 3, 4],
    x4: f32[2, 2, 5, 1],
    x5: f32[2, 2, 5],
    x6: f32[2, 2, 5, 3],
    x7: f32[2, 1, 5],
    x8: f32[2, 3, 6],
    x9: f32[3, 1, 4],
    x10: f32[3],
    x11: f32[2, 3, 3],
    x12: f32[2, 3, 1],
    x13: f32[3, 1, 1],
    x14: f32[2, 3, 4, 6],
    x15: i64[2],
    x16: f32[2, 3, 5, 2],
    x17: f32[2, 3, 2, 2],
    x18: i64[2],
    x19: i64[2],
    x20: f32[2, 1, 5, 2],
    x21: i64[2],
    x22: f32[7],
    x23: i64[7])
-> (linear_0: f32[2, 4, 5, 4],
    linear_1: f32[2, 2, 3, 4],
    linear_on_0: f32[2, 4, 5, 4],
    linear_on_1: f32[2, 2, 3, 4],
    linear_gated_0: f32[2, 4, 5, 4],
    linear_gated_1: f32[2, 2, 3, 4],
    linear_delta_0: f32[2, 4, 5, 4],
    linear_delta_1: f32[2, 2, 3, 4],
    linear_all_0: f32[2, 4, 5, 4],
    linear_all_1: f32[2, 2, 3, 4],
    causal_conv_0: f32[2, 3, 6],
    causal_conv_1: f32[2, 3, 3],
    causal_conv_first_0: f32[2, 3, 6],
    causal_conv_first_1: f32[2, 3, 3],
    causal_conv_short_0: f32[2, 3, 1],
    causal_conv_short_1: f32[2, 3, 3],
    causal_conv_one_0: f32[2, 3, 6],
    causal_conv_one_1: f32[2, 3, 0],
    length_mask: f32[2, 3, 4, 6],
    length_causal_mask: f32[2, 3, 4, 6],
    length_window_mask: f32[2, 3, 4, 6],
    tensor_scatter: f32[2, 3, 5, 2],
    tensor_scatter_circular: f32[2, 3, 5, 2],
    tensor_scatter_axis: f32[2, 3, 5, 2],
    bit_cast: i32[7],
    bit_cast_back: f64[7])
{
    linear_0, linear_1 = linear_attention(x0, x1, x2)
    linear_on_0, linear_on_1 = linear_attention(x0, x1, x2, x3, scale = 0.3)
    linear_gated_0, linear_gated_1 = linear_attention(x0, x1, x2, x3, x4)
    linear_delta_0, linear_delta_1 = linear_attention(x0, x1, x2, none, none, x5)
    linear_all_0, linear_all_1 = linear_attention(x0, x1, x2, x3, x6, x7)
    causal_conv_0, causal_conv_1 = causal_conv(x8, x9, x10, x11)
    causal_conv_first_0, causal_conv_first_1 = causal_conv(x8, x9)
    causal_conv_short_0, causal_conv_short_1 = causal_conv(x12, x9, none, x11)
    causal_conv_one_0, causal_conv_one_1 = causal_conv(x8, x13, x10)
    length_mask = length_mask(x14, x15)
    length_causal_mask = length_causal_mask(x14, x15)
    length_window_mask = length_window_mask(x14, x15, left = 1, right = 2)
    tensor_scatter = tensor_scatter(x16, x17, x18)
    tensor_scatter_circular = tensor_scatter(x16, x17, x19, circular = true)
    tensor_scatter_axis = tensor_scatter(x16, x20, x21, axis = 1)
    bit_cast = bit_cast(x22, to = i32)
    bit_cast_back = bit_cast(x23, to = f64)
}
