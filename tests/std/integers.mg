mg 1
// made by make_cases.py
graph integers(x0: i8[15],
    x1: i8[15],
    x2: i8[13],
    x3: i8[13],
    x4: i8[4],
    x5: i8[15],
    x6: f32[11],
    x7: i64[10],
    x8: i16[15],
    x9: i16[15],
    x10: i16[13],
    x11: i16[13],
    x12: i16[4],
    x13: i16[15],
    x14: i32[15],
    x15: i32[15],
    x16: i32[13],
    x17: i32[13],
    x18: i32[4],
    x19: i32[15],
    x20: i64[15],
    x21: i64[15],
    x22: i64[13],
    x23: i64[13],
    x24: i64[4],
    x25: i64[15],
    x26: u8[10],
    x27: u8[10],
    x28: u8[8],
    x29: u8[8],
    x30: u8[4],
    x31: u8[10],
    x32: u16[10],
    x33: u16[10],
    x34: u16[8],
    x35: u16[8],
    x36: u16[4],
    x37: u16[10],
    x38: u32[10],
    x39: u32[10],
    x40: u32[8],
    x41: u32[8],
    x42: u32[4],
    x43: u32[10],
    x44: u64[10],
    x45: u64[10],
    x46: u64[8],
    x47: u64[8],
    x48: u64[4],
    x49: u64[10])
-> (i8_add: i8[15],
    i8_sub: i8[15],
    i8_mul: i8[15],
    i8_div: i8[15],
    i8_rem: i8[13],
    i8_mod: i8[13],
    i8_floor_div: i8[13],
    i8_maximum: i8[15],
    i8_less: bool[15],
    i8_relu: i8[15],
    i8_sum: i8[],
    i8_prod: i8[],
    i8_max: i8[],
    i8_cumsum: i8[15],
    i8_and: i8[15],
    i8_or: i8[15],
    i8_xor: i8[15],
    i8_not: i8[15],
    i8_left: i8[15],
    i8_right: i8[15],
    i8_abs: i8[15],
    i8_sign: i8[15],
    i8_from_float: i8[11],
    i8_saturated: i8[10],
    i8_wrapped: i8[10],
    i8_to_float: f32[15],
    i8_to_bool: bool[15],
    i16_add: i16[15],
    i16_sub: i16[15],
    i16_mul: i16[15],
    i16_div: i16[15],
    i16_rem: i16[13],
    i16_mod: i16[13],
    i16_floor_div: i16[13],
    i16_maximum: i16[15],
    i16_less: bool[15],
    i16_relu: i16[15],
    i16_sum: i16[],
    i16_prod: i16[],
    i16_max: i16[],
    i16_cumsum: i16[15],
    i16_and: i16[15],
    i16_or: i16[15],
    i16_xor: i16[15],
    i16_not: i16[15],
    i16_left: i16[15],
    i16_right: i16[15],
    i16_abs: i16[15],
    i16_sign: i16[15],
    i16_from_float: i16[11],
    i16_saturated: i16[10],
    i16_wrapped: i16[10],
    i16_to_float: f32[15],
    i16_to_bool: bool[15],
    i32_add: i32[15],
    i32_sub: i32[15],
    i32_mul: i32[15],
    i32_div: i32[15],
    i32_rem: i32[13],
    i32_mod: i32[13],
    i32_floor_div: i32[13],
    i32_maximum: i32[15],
    i32_less: bool[15],
    i32_relu: i32[15],
    i32_sum: i32[],
    i32_prod: i32[],
    i32_max: i32[],
    i32_cumsum: i32[15],
    i32_and: i32[15],
    i32_or: i32[15],
    i32_xor: i32[15],
    i32_not: i32[15],
    i32_left: i32[15],
    i32_right: i32[15],
    i32_abs: i32[15],
    i32_sign: i32[15],
    i32_from_float: i32[11],
    i32_saturated: i32[10],
    i32_wrapped: i32[10],
    i32_to_float: f32[15],
    i32_to_bool: bool[15],
    i64_add: i64[15],
    i64_sub: i64[15],
    i64_mul: i64[15],
    i64_div: i64[15],
    i64_rem: i64[13],
    i64_mod: i64[13],
    i64_floor_div: i64[13],
    i64_maximum: i64[15],
    i64_less: bool[15],
    i64_relu: i64[15],
    i64_sum: i64[],
    i64_prod: i64[],
    i64_max: i64[],
    i64_cumsum: i64[15],
    i64_and: i64[15],
    i64_or: i64[15],
    i64_xor: i64[15],
    i64_not: i64[15],
    i64_left: i64[15],
    i64_right: i64[15],
    i64_abs: i64[15],
    i64_sign: i64[15],
    i64_from_float: i64[11],
    i64_saturated: i64[10],
    i64_wrapped: i64[10],
    i64_to_float: f32[15],
    i64_to_bool: bool[15],
    u8_add: u8[10],
    u8_sub: u8[10],
    u8_mul: u8[10],
    u8_div: u8[10],
    u8_rem: u8[8],
    u8_mod: u8[8],
    u8_floor_div: u8[8],
    u8_maximum: u8[10],
    u8_less: bool[10],
    u8_relu: u8[10],
    u8_sum: u8[],
    u8_prod: u8[],
    u8_max: u8[],
    u8_cumsum: u8[10],
    u8_and: u8[10],
    u8_or: u8[10],
    u8_xor: u8[10],
    u8_not: u8[10],
    u8_left: u8[10],
    u8_right: u8[10],
    u8_from_float: u8[11],
    u8_saturated: u8[10],
    u8_wrapped: u8[10],
    u8_to_float: f32[10],
    u8_to_bool: bool[10],
    u16_add: u16[10],
    u16_sub: u16[10],
    u16_mul: u16[10],
    u16_div: u16[10],
    u16_rem: u16[8],
    u16_mod: u16[8],
    u16_floor_div: u16[8],
    u16_maximum: u16[10],
    u16_less: bool[10],
    u16_relu: u16[10],
    u16_sum: u16[],
    u16_prod: u16[],
    u16_max: u16[],
    u16_cumsum: u16[10],
    u16_and: u16[10],
    u16_or: u16[10],
    u16_xor: u16[10],
    u16_not: u16[10],
    u16_left: u16[10],
    u16_right: u16[10],
    u16_from_float: u16[11],
    u16_saturated: u16[10],
    u16_wrapped: u16[10],
    u16_to_float: f32[10],
    u16_to_bool: bool[10],
    u32_add: u32[10],
    u32_sub: u32[10],
    u32_mul: u32[10],
    u32_div: u32[10],
    u32_rem: u32[8],
    u32_mod: u32[8],
    u32_floor_div: u32[8],
    u32_maximum: u32[10],
    u32_less: bool[10],
    u32_relu: u32[10],
    u32_sum: u32[],
    u32_prod: u32[],
    u32_max: u32[],
    u32_cumsum: u32[10],
    u32_and: u32[10],
    u32_or: u32[10],
    u32_xor: u32[10],
    u32_not: u32[10],
    u32_left: u32[10],
    u32_right: u32[10],
    u32_from_float: u32[11],
    u32_saturated: u32[10],
    u32_wrapped: u32[10],
    u32_to_float: f32[10],
    u32_to_bool: bool[10],
    u64_add: u64[10],
    u64_sub: u64[10],
    u64_mul: u64[10],
    u64_div: u64[10],
    u64_rem: u64[8],
    u64_mod: u64[8],
    u64_floor_div: u64[8],
    u64_maximum: u64[10],
    u64_less: bool[10],
    u64_relu: u64[10],
    u64_sum: u64[],
    u64_prod: u64[],
    u64_max: u64[],
    u64_cumsum: u64[10],
    u64_and: u64[10],
    u64_or: u64[10],
    u64_xor: u64[10],
    u64_not: u64[10],
    u64_left: u64[10],
    u64_right: u64[10],
    u64_from_float: u64[11],
    u64_saturated: u64[10],
    u64_wrapped: u64[10],
    u64_to_float: f32[10],
    u64_to_bool: bool[10])
{
    i8_add = add(x0, x1)
    i8_sub = sub(x0, x1)
    i8_mul = mul(x0, x1)
    i8_div = div(x0, x1)
    i8_rem = rem(x2, x3)
    i8_mod = mod(x2, x3)
    i8_floor_div = floor_div(x2, x3)
    i8_maximum = maximum(x0, x1)
    i8_less = less(x0, x1)
    i8_relu = relu(x0)
    i8_sum = sum(x0)
    i8_prod = prod(x4)
    i8_max = max(x0)
    i8_cumsum = cumsum(x0)
    i8_and = bit_and(x0, x1)
    i8_or = bit_or(x0, x1)
    i8_xor = bit_xor(x0, x1)
    i8_not = bit_not(x0)
    i8_left = shift_left(x0, x5)
    i8_right = shift_right(x0, x5)
    i8_abs = abs(x0)
    i8_sign = sign(x0)
    i8_from_float = cast(x6, to = i8)
    i8_saturated = saturate(x7, to = i8)
    i8_wrapped = cast(x7, to = i8)
    i8_to_float = cast(x0, to = f32)
    i8_to_bool = cast(x0, to = bool)
    i16_add = add(x8, x9)
    i16_sub = sub(x8, x9)
    i16_mul = mul(x8, x9)
    i16_div = div(x8, x9)
    i16_rem = rem(x10, x11)
    i16_mod = mod(x10, x11)
    i16_floor_div = floor_div(x10, x11)
    i16_maximum = maximum(x8, x9)
    i16_less = less(x8, x9)
    i16_relu = relu(x8)
    i16_sum = sum(x8)
    i16_prod = prod(x12)
    i16_max = max(x8)
    i16_cumsum = cumsum(x8)
    i16_and = bit_and(x8, x9)
    i16_or = bit_or(x8, x9)
    i16_xor = bit_xor(x8, x9)
    i16_not = bit_not(x8)
    i16_left = shift_left(x8, x13)
    i16_right = shift_right(x8, x13)
    i16_abs = abs(x8)
    i16_sign = sign(x8)
    i16_from_float = cast(x6, to = i16)
    i16_saturated = saturate(x7, to = i16)
    i16_wrapped = cast(x7, to = i16)
    i16_to_float = cast(x8, to = f32)
    i16_to_bool = cast(x8, to = bool)
    i32_add = add(x14, x15)
    i32_sub = sub(x14, x15)
    i32_mul = mul(x14, x15)
    i32_div = div(x14, x15)
    i32_rem = rem(x16, x17)
    i32_mod = mod(x16, x17)
    i32_floor_div = floor_div(x16, x17)
    i32_maximum = maximum(x14, x15)
    i32_less = less(x14, x15)
    i32_relu = relu(x14)
    i32_sum = sum(x14)
    i32_prod = prod(x18)
    i32_max = max(x14)
    i32_cumsum = cumsum(x14)
    i32_and = bit_and(x14, x15)
    i32_or = bit_or(x14, x15)
    i32_xor = bit_xor(x14, x15)
    i32_not = bit_not(x14)
    i32_left = shift_left(x14, x19)
    i32_right = shift_right(x14, x19)
    i32_abs = abs(x14)
    i32_sign = sign(x14)
    i32_from_float = cast(x6, to = i32)
    i32_saturated = saturate(x7, to = i32)
    i32_wrapped = cast(x7, to = i32)
    i32_to_float = cast(x14, to = f32)
    i32_to_bool = cast(x14, to = bool)
    i64_add = add(x20, x21)
    i64_sub = sub(x20, x21)
    i64_mul = mul(x20, x21)
    i64_div = div(x20, x21)
    i64_rem = rem(x22, x23)
    i64_mod = mod(x22, x23)
    i64_floor_div = floor_div(x22, x23)
    i64_maximum = maximum(x20, x21)
    i64_less = less(x20, x21)
    i64_relu = relu(x20)
    i64_sum = sum(x20)
    i64_prod = prod(x24)
    i64_max = max(x20)
    i64_cumsum = cumsum(x20)
    i64_and = bit_and(x20, x21)
    i64_or = bit_or(x20, x21)
    i64_xor = bit_xor(x20, x21)
    i64_not = bit_not(x20)
    i64_left = shift_left(x20, x25)
    i64_right = shift_right(x20, x25)
    i64_abs = abs(x20)
    i64_sign = sign(x20)
    i64_from_float = cast(x6, to = i64)
    i64_saturated = saturate(x7, to = i64)
    i64_wrapped = cast(x7, to = i64)
    i64_to_float = cast(x20, to = f32)
    i64_to_bool = cast(x20, to = bool)
    u8_add = add(x26, x27)
    u8_sub = sub(x26, x27)
    u8_mul = mul(x26, x27)
    u8_div = div(x26, x27)
    u8_rem = rem(x28, x29)
    u8_mod = mod(x28, x29)
    u8_floor_div = floor_div(x28, x29)
    u8_maximum = maximum(x26, x27)
    u8_less = less(x26, x27)
    u8_relu = relu(x26)
    u8_sum = sum(x26)
    u8_prod = prod(x30)
    u8_max = max(x26)
    u8_cumsum = cumsum(x26)
    u8_and = bit_and(x26, x27)
    u8_or = bit_or(x26, x27)
    u8_xor = bit_xor(x26, x27)
    u8_not = bit_not(x26)
    u8_left = shift_left(x26, x31)
    u8_right = shift_right(x26, x31)
    u8_from_float = cast(x6, to = u8)
    u8_saturated = saturate(x7, to = u8)
    u8_wrapped = cast(x7, to = u8)
    u8_to_float = cast(x26, to = f32)
    u8_to_bool = cast(x26, to = bool)
    u16_add = add(x32, x33)
    u16_sub = sub(x32, x33)
    u16_mul = mul(x32, x33)
    u16_div = div(x32, x33)
    u16_rem = rem(x34, x35)
    u16_mod = mod(x34, x35)
    u16_floor_div = floor_div(x34, x35)
    u16_maximum = maximum(x32, x33)
    u16_less = less(x32, x33)
    u16_relu = relu(x32)
    u16_sum = sum(x32)
    u16_prod = prod(x36)
    u16_max = max(x32)
    u16_cumsum = cumsum(x32)
    u16_and = bit_and(x32, x33)
    u16_or = bit_or(x32, x33)
    u16_xor = bit_xor(x32, x33)
    u16_not = bit_not(x32)
    u16_left = shift_left(x32, x37)
    u16_right = shift_right(x32, x37)
    u16_from_float = cast(x6, to = u16)
    u16_saturated = saturate(x7, to = u16)
    u16_wrapped = cast(x7, to = u16)
    u16_to_float = cast(x32, to = f32)
    u16_to_bool = cast(x32, to = bool)
    u32_add = add(x38, x39)
    u32_sub = sub(x38, x39)
    u32_mul = mul(x38, x39)
    u32_div = div(x38, x39)
    u32_rem = rem(x40, x41)
    u32_mod = mod(x40, x41)
    u32_floor_div = floor_div(x40, x41)
    u32_maximum = maximum(x38, x39)
    u32_less = less(x38, x39)
    u32_relu = relu(x38)
    u32_sum = sum(x38)
    u32_prod = prod(x42)
    u32_max = max(x38)
    u32_cumsum = cumsum(x38)
    u32_and = bit_and(x38, x39)
    u32_or = bit_or(x38, x39)
    u32_xor = bit_xor(x38, x39)
    u32_not = bit_not(x38)
    u32_left = shift_left(x38, x43)
    u32_right = shift_right(x38, x43)
    u32_from_float = cast(x6, to = u32)
    u32_saturated = saturate(x7, to = u32)
    u32_wrapped = cast(x7, to = u32)
    u32_to_float = cast(x38, to = f32)
    u32_to_bool = cast(x38, to = bool)
    u64_add = add(x44, x45)
    u64_sub = sub(x44, x45)
    u64_mul = mul(x44, x45)
    u64_div = div(x44, x45)
    u64_rem = rem(x46, x47)
    u64_mod = mod(x46, x47)
    u64_floor_div = floor_div(x46, x47)
    u64_maximum = maximum(x44, x45)
    u64_less = less(x44, x45)
    u64_relu = relu(x44)
    u64_sum = sum(x44)
    u64_prod = prod(x48)
    u64_max = max(x44)
    u64_cumsum = cumsum(x44)
    u64_and = bit_and(x44, x45)
    u64_or = bit_or(x44, x45)
    u64_xor = bit_xor(x44, x45)
    u64_not = bit_not(x44)
    u64_left = shift_left(x44, x49)
    u64_right = shift_right(x44, x49)
    u64_from_float = cast(x6, to = u64)
    u64_saturated = saturate(x7, to = u64)
    u64_wrapped = cast(x7, to = u64)
    u64_to_float = cast(x44, to = f32)
    u64_to_bool = cast(x44, to = bool)
}
