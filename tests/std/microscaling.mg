mg 1
// made by make_cases.py
graph microscaling(x0: u8[16],
    x1: f32[58],
    x2: u8[256],
    x3: f32[58])
-> (decode_f4: f32[16],
    encode_f4: u8[58],
    decode_e8: f32[256],
    encode_e8_up_true: u8[58],
    encode_e8_up_false: u8[58],
    encode_e8_down_true: u8[58],
    encode_e8_down_false: u8[58],
    encode_e8_nearest_true: u8[58],
    encode_e8_nearest_false: u8[58])
{
    decode_f4 = f4_decode(x0)
    encode_f4 = f4_encode(x1)
    decode_e8 = e8_decode(x2)
    encode_e8_up_true = e8_encode(x3, rounding = "up", saturate = true)
    encode_e8_up_false = e8_encode(x3, rounding = "up", saturate = false)
    encode_e8_down_true = e8_encode(x3, rounding = "down", saturate = true)
    encode_e8_down_false = e8_encode(x3, rounding = "down", saturate = false)
    encode_e8_nearest_true = e8_encode(x3, rounding = "nearest", saturate = true)
    encode_e8_nearest_false = e8_encode(x3, rounding = "nearest", saturate = false)
}
