mg 1
// made by make_cases.py
graph arithmetic(x0: f32[2, 3, 4],
    x1: f32[2, 3, 4],
    x2: f32[4],
    x3: f32[3, 1],
    x4: f32[1, 1, 1],
    x5: f32[],
    x6: f32[2, 3, 4],
    x7: f32[0, 3],
    x8: f32[3],
    x9: f32[1, 3],
    x10: f64[3],
    x11: f64[3],
    x12: f16[3, 4])
-> (add: f32[2, 3, 4],
    add_row: f32[2, 3, 4],
    add_outer: f32[3, 4],
    add_literal: f32[2, 3, 4],
    sub: f32[2, 3, 4],
    sub_row: f32[2, 3, 4],
    sub_outer: f32[3, 4],
    sub_literal: f32[2, 3, 4],
    mul: f32[2, 3, 4],
    mul_row: f32[2, 3, 4],
    mul_outer: f32[3, 4],
    mul_literal: f32[2, 3, 4],
    div: f32[2, 3, 4],
    div_row: f32[2, 3, 4],
    div_outer: f32[3, 4],
    div_literal: f32[2, 3, 4],
    maximum: f32[2, 3, 4],
    maximum_row: f32[2, 3, 4],
    maximum_outer: f32[3, 4],
    maximum_literal: f32[2, 3, 4],
    minimum: f32[2, 3, 4],
    minimum_row: f32[2, 3, 4],
    minimum_outer: f32[3, 4],
    minimum_literal: f32[2, 3, 4],
    infix: f32[2, 3, 4],
    infix_negated: f32[2, 3, 4],
    stretch_both: f32[1, 1, 4],
    scalar: f32[2, 3, 4],
    rem: f32[2, 3, 4],
    mod: f32[2, 3, 4],
    pow: f32[2, 3, 4],
    pow_square: f32[2, 3, 4],
    neg: f32[2, 3, 4],
    abs: f32[2, 3, 4],
    sign: f32[2, 3, 4],
    square: f32[2, 3, 4],
    reciprocal: f32[2, 3, 4],
    identity: f32[2, 3, 4],
    empty: f32[0, 3],
    empty_stretched: f32[0, 3],
    double: f64[3],
    half: f16[3, 4])
{
    add = add(x0, x1)
    add_row = add(x0, x2)
    add_outer = add(x2, x3)
    add_literal = add(x0, 2)
    sub = sub(x0, x1)
    sub_row = sub(x0, x2)
    sub_outer = sub(x2, x3)
    sub_literal = sub(x0, 2)
    mul = mul(x0, x1)
    mul_row = mul(x0, x2)
    mul_outer = mul(x2, x3)
    mul_literal = mul(x0, 2)
    div = div(x0, x1)
    div_row = div(x0, x2)
    div_outer = div(x2, x3)
    div_literal = div(x0, 2)
    maximum = maximum(x0, x1)
    maximum_row = maximum(x0, x2)
    maximum_outer = maximum(x2, x3)
    maximum_literal = maximum(x0, 2)
    minimum = minimum(x0, x1)
    minimum_row = minimum(x0, x2)
    minimum_outer = minimum(x2, x3)
    minimum_literal = minimum(x0, 2)
    infix = (x0 + x2) * x1 - x0 / 2
    infix_negated = -x0 + 1
    stretch_both = add(x4, x2)
    scalar = mul(x0, x5)
    rem = rem(x0, x1)
    mod = mod(x0, x1)
    pow = pow(x6, x1)
    pow_square = pow(x0, 2)
    neg = neg(x0)
    abs = abs(x0)
    sign = sign(x0)
    square = square(x0)
    reciprocal = reciprocal(x0)
    identity = identity(x0)
    empty = add(x7, x8)
    empty_stretched = mul(x7, x9)
    double = div(x10, x11)
    half = mul(x12, x12)
}
