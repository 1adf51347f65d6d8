mg 1
// made by make_cases.py
graph narrow(x0: u8[256],
    x1: f32[60])
-> (decode_e4m3fn: f32[256],
    encode_e4m3fn_true: u8[60],
    encode_e4m3fn_false: u8[60],
    decode_e4m3fnuz: f32[256],
    encode_e4m3fnuz_true: u8[60],
    encode_e4m3fnuz_false: u8[60],
    decode_e5m2: f32[256],
    encode_e5m2_true: u8[60],
    encode_e5m2_false: u8[60],
    decode_e5m2fnuz: f32[256],
    encode_e5m2fnuz_true: u8[60],
    encode_e5m2fnuz_false: u8[60])
{
    decode_e4m3fn = f8_decode(x0, mantissa = 3, bias = 7, least = 0.001953125, kind = "fn")
    encode_e4m3fn_true = f8_encode(x1, mantissa = 3, bias = 7, least = 0.001953125, kind = "fn", most = 126, saturate = true)
    encode_e4m3fn_false = f8_encode(x1, mantissa = 3, bias = 7, least = 0.001953125, kind = "fn", most = 126, saturate = false)
    decode_e4m3fnuz = f8_decode(x0, mantissa = 3, bias = 8, least = 0.0009765625, kind = "uz")
    encode_e4m3fnuz_true = f8_encode(x1, mantissa = 3, bias = 8, least = 0.0009765625, kind = "uz", most = 127, saturate = true)
    encode_e4m3fnuz_false = f8_encode(x1, mantissa = 3, bias = 8, least = 0.0009765625, kind = "uz", most = 127, saturate = false)
    decode_e5m2 = f8_decode(x0, mantissa = 2, bias = 15, least = 1.52587890625e-05, kind = "ieee")
    encode_e5m2_true = f8_encode(x1, mantissa = 2, bias = 15, least = 1.52587890625e-05, kind = "ieee", most = 123, saturate = true)
    encode_e5m2_false = f8_encode(x1, mantissa = 2, bias = 15, least = 1.52587890625e-05, kind = "ieee", most = 123, saturate = false)
    decode_e5m2fnuz = f8_decode(x0, mantissa = 2, bias = 16, least = 7.62939453125e-06, kind = "uz")
    encode_e5m2fnuz_true = f8_encode(x1, mantissa = 2, bias = 16, least = 7.62939453125e-06, kind = "uz", most = 127, saturate = true)
    encode_e5m2fnuz_false = f8_encode(x1, mantissa = 2, bias = 16, least = 7.62939453125e-06, kind = "uz", most = 127, saturate = false)
}
