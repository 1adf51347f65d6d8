mg 1
// made by make_cases.py
graph bytes(x0: u8[256],
    x1: f32[60],
    x2: f64[60],
    x3: i32[80],
    x4: f16[60],
    x5: u8[5, 24],
    x6: u8[5, 24],
    x7: u8[5, 24],
    x8: u8[5, 24])
-> (from_f8e4m3: f32[256],
    to_f8e4m3_4: u8[60],
    to_f8e4m3_8: u8[60],
    f8e4m3_of_i32: u8[80],
    f8e4m3_of_f16: u8[60],
    product_f8e4m3: f32[5, 5],
    from_f8e5m2: f32[256],
    to_f8e5m2_4: u8[60],
    to_f8e5m2_8: u8[60],
    f8e5m2_of_i32: u8[80],
    f8e5m2_of_f16: u8[60],
    product_f8e5m2: f32[5, 5])
{
    from_f8e4m3 = cast(bit_cast(x0, to = f8e4m3), to = f32)
    to_f8e4m3_4 = bit_cast(cast(x1, to = f8e4m3), to = u8)
    to_f8e4m3_8 = bit_cast(cast(x2, to = f8e4m3), to = u8)
    f8e4m3_of_i32 = bit_cast(cast(x3, to = f8e4m3), to = u8)
    f8e4m3_of_f16 = bit_cast(cast(x4, to = f8e4m3), to = u8)
    product_f8e4m3 = matmul(cast(bit_cast(x5, to = f8e4m3), to = f32), transpose(cast(bit_cast(x6, to = f8e4m3), to = f32), perm = [1, 0]))
    from_f8e5m2 = cast(bit_cast(x0, to = f8e5m2), to = f32)
    to_f8e5m2_4 = bit_cast(cast(x1, to = f8e5m2), to = u8)
    to_f8e5m2_8 = bit_cast(cast(x2, to = f8e5m2), to = u8)
    f8e5m2_of_i32 = bit_cast(cast(x3, to = f8e5m2), to = u8)
    f8e5m2_of_f16 = bit_cast(cast(x4, to = f8e5m2), to = u8)
    product_f8e5m2 = matmul(cast(bit_cast(x7, to = f8e5m2), to = f32), transpose(cast(bit_cast(x8, to = f8e5m2), to = f32), perm = [1, 0]))
}
