mg 1
// made by make_cases.py
graph special_values(x0: f32[10, 10],
    x1: f32[10, 10],
    x2: f32[10],
    x3: f32[6])
-> (add: f32[10, 10],
    mul: f32[10, 10],
    div: f32[10, 10],
    maximum: f32[10, 10],
    minimum: f32[10, 10],
    equal: bool[10, 10],
    not_equal: bool[10, 10],
    less: bool[10, 10],
    less_equal: bool[10, 10],
    greater: bool[10, 10],
    greater_equal: bool[10, 10],
    sign_of_zero: f32[10],
    neg_sign_of_zero: f32[10],
    is_nan: bool[10],
    is_inf: bool[10],
    is_inf_positive: bool[10],
    is_inf_negative: bool[10],
    is_finite: bool[10],
    relu: f32[10],
    sign: f32[10],
    abs: f32[10],
    sqrt: f32[10],
    exp: f32[10],
    log: f32[10],
    floor: f32[10],
    to_i32: i32[10],
    to_u8: u8[10],
    sum_nan: f32[],
    max_nan: f32[],
    argmax_nan: i64[],
    min_inf: f32[],
    cummax_nan: f32[10])
{
    add = add(x0, x1)
    mul = mul(x0, x1)
    div = div(x0, x1)
    maximum = maximum(x0, x1)
    minimum = minimum(x0, x1)
    equal = equal(x0, x1)
    not_equal = not_equal(x0, x1)
    less = less(x0, x1)
    less_equal = less_equal(x0, x1)
    greater = greater(x0, x1)
    greater_equal = greater_equal(x0, x1)
    sign_of_zero = div(1, x2)
    neg_sign_of_zero = div(1, neg(x2))
    is_nan = is_nan(x2)
    is_inf = is_inf(x2)
    is_inf_positive = is_inf(x2, negative = false)
    is_inf_negative = is_inf(x2, positive = false)
    is_finite = is_finite(x2)
    relu = relu(x2)
    sign = sign(x2)
    abs = abs(x2)
    sqrt = sqrt(x2)
    exp = exp(x2)
    log = log(x2)
    floor = floor(x2)
    to_i32 = cast(x2, to = i32)
    to_u8 = cast(x2, to = u8)
    sum_nan = sum(x2)
    max_nan = max(x2)
    argmax_nan = argmax(x2)
    min_inf = min(x3)
    cummax_nan = cummax(x2)
}
