mg 1
// Floats of eight bits, which u8 carries: Micikevicius et al., 2022. A format is the bits of its
// mantissa, the bias of its exponent, its least number above 0, its largest code, and what lies
// beyond: "fn" has NaN only, "uz" NaN instead of -0, "ieee" infinity and NaN.

op f8_decode(x: u8[..S], mantissa: int = 3, bias: int = 7, least: float = 0.001953125,
        kind: "fn" | "uz" | "ieee" = "fn") -> (y: f32[..S])
{
    c[..s] = i32(x[..s]) % 128
    // a code with an exponent is the f32's upper bits but for the bias
    m[..s] = where(shr(c[..s], mantissa) == 0, f32(c[..s]) * least,
        bitcast(shl(c[..s], 23 - mantissa) + shl(127 - bias, 23), f32))
    if kind == "fn" { v[..s] = where(c[..s] == 127, nan, m[..s]) }
    if kind == "ieee" { v[..s] = where(c[..s] > 124, nan, where(c[..s] == 124, inf, m[..s])) }
    if kind == "uz" { v[..s] = where(x[..s] == 128, nan, m[..s]) }
    y[..s] = where(x[..s] < 128, v[..s], -v[..s])
}
// rounded to the nearest, to the even one of two; what is too large is the largest number if
// `saturate`, else infinity, or NaN where there is none
op f8_encode(x: f32[..S], mantissa: int = 3, bias: int = 7, least: float = 0.001953125,
        most: int = 126, kind: "fn" | "uz" | "ieee" = "fn", saturate: bool = true) -> (y: u8[..S])
{
    b[..s] = bitcast(abs(x[..s]), i32)
    r[..s] = b[..s] + shl(1, 22 - mantissa) - 1 + (shr(b[..s], 23 - mantissa) and 1)
    n[..s] = shr(r[..s], 23 - mantissa) - shl(127 - bias, mantissa)
    c[..s] = where(n[..s] < shl(1, mantissa), i32(round(abs(x[..s]) / least)), n[..s])
    if kind == "fn" {
        v[..s] = where(isnan(x[..s]), 127, where(c[..s] > most, where(saturate, most, 127), c[..s]))
    }
    if kind == "ieee" {
        v[..s] = where(isnan(x[..s]), 127, where(c[..s] > most, where(saturate, most, 124), c[..s]))
    }
    if kind == "uz" {
        v[..s] = where(isnan(x[..s]), 0, where(c[..s] > most, where(saturate, most, 0), c[..s]))
    }
    negative[..s] = bitcast(x[..s], i32) < 0
    if kind == "uz" {  // 0 has no sign, and what would be -0 is NaN
        wrong[..s] = isnan(x[..s]) or c[..s] > most and not saturate
        y[..s] = u8(where(wrong[..s] or negative[..s] and v[..s] > 0, v[..s] + 128, v[..s]))
    } else {
        y[..s] = u8(where(negative[..s], v[..s] + 128, v[..s]))
    }
}
