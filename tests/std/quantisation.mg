mg 1
// made by make_cases.py
graph quantisation(x0: f32[16],
    x1: f32[],
    x2: u8[],
    x3: i8[],
    x4: f32[2, 3, 4],
    x5: f32[3],
    x6: i8[3],
    x7: u8[2, 3, 4],
    x8: u8[3],
    x9: f32[6],
    x10: i32[2, 3, 4],
    x11: f32[],
    x12: f32[3],
    x13: i8[])
-> (quantize: u8[16],
    quantize_i8: i8[16],
    quantize_axis: i8[2, 3, 4],
    dequantize: f32[2, 3, 4],
    dequantize_bare: f32[2, 3, 4],
    dequantize_axis: f32[2, 3, 4],
    dynamic_quantize_0: u8[6],
    dynamic_quantize_1: f32[],
    dynamic_quantize_2: u8[],
    requantize: i8[2, 3, 4])
{
    quantize = quantize(x0, x1, x2)
    quantize_i8 = quantize(x0, x1, x3)
    quantize_axis = quantize_axis(x4, x5, x6)
    dequantize = dequantize(x7, x1, x2)
    dequantize_bare = dequantize(x7, x1)
    dequantize_axis = dequantize_axis(x7, x5, x8)
    dynamic_quantize_0, dynamic_quantize_1, dynamic_quantize_2 = dynamic_quantize(x9)
    requantize = requantize(x10, x11, x12, x1, x13)
}
