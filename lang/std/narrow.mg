mg 1
// Floats of four and eight bits, whose codes u8 carries: Micikevicius et al., 2022; the microscaling
// formats of the Open Compute Project, 2023. A format of eight bits is described by the bits of
// its mantissa, the bias of its exponent, its least number above 0, its largest code, and its
// special values: "fn" has NaN only, "uz" has NaN instead of -0, "ieee" has infinity and NaN.

// the value of a float of eight bits, given as its byte
op f8_decode(x: u8[..S], mantissa: int = 3, bias: int = 7, least: float = 0.001953125,
        kind: "fn" | "uz" | "ieee" = "fn") -> (y: f32[..S])
{
    c[..s] = i32(x[..s]) % 128
    // a code with an exponent is the f32's upper bits except for the bias
    m[..s] = where(shr(c[..s], mantissa) == 0, f32(c[..s]) * least,
        bitcast(shl(c[..s], 23 - mantissa) + shl(127 - bias, 23), f32))
    if kind == "fn" { v[..s] = where(c[..s] == 127, nan, m[..s]) }
    if kind == "ieee" { v[..s] = where(c[..s] > 124, nan, where(c[..s] == 124, inf, m[..s])) }
    if kind == "uz" { v[..s] = where(x[..s] == 128, nan, m[..s]) }
    y[..s] = where(x[..s] < 128, v[..s], -v[..s])
}
// the byte of the nearest float of eight bits, the even one of two.
// If `saturate`, too large a value becomes the largest; if not, infinity, or NaN if there is none.
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
// the value of a float of four bits (sign, two of exponent, one of mantissa): 0, 0.5, 1, 1.5 … 6
op f4_decode(x: u8[..S]) -> (y: f32[..S]) {
    c[..s] = i32(x[..s]) % 8
    m[..s] = where(c[..s] < 2, f32(c[..s]) / 2, bitcast(shl(c[..s], 22) + shl(126, 23), f32))
    y[..s] = where(x[..s] < 8, m[..s], -m[..s])
}
// the nearest float of four bits, the even one of two; too large becomes 6, NaN becomes -0
op f4_encode(x: f32[..S]) -> (y: u8[..S]) {
    b[..s] = bitcast(abs(x[..s]), i32)
    n[..s] = shr(b[..s] + shl(1, 21) - 1 + (shr(b[..s], 22) and 1), 22) - shl(126, 1)
    c[..s] = where(n[..s] < 2, i32(round(min(abs(x[..s]), 1) * 2)), min(n[..s], 7))
    signed[..s] = where(bitcast(x[..s], i32) < 0, c[..s] + 8, c[..s])
    y[..s] = u8(where(isnan(x[..s]), 8, signed[..s]))
}
// the value of a code that is an exponent alone, for scales: c is 2^(c - 127), and 255 is NaN
op e8_decode(x: u8[..S]) -> (y: f32[..S]) {
    m[..s] = where(x[..s] == 0, 5.877471754111438e-39, bitcast(shl(i32(x[..s]), 23), f32))
    y[..s] = where(x[..s] == 255, nan, m[..s])
}
// the exponent of x without its sign; too large becomes the largest power if `saturate`, else NaN
op e8_encode(x: f32[..S], rounding: "up" | "down" | "nearest" = "up", saturate: bool = true)
    -> (y: u8[..S])
{
    b[..s] = bitcast(abs(x[..s]), i32)
    e[..s] = shr(b[..s], 23)
    f[..s] = b[..s] % 8388608
    if rounding == "up" { more[..s] = f[..s] > 0 }
    if rounding == "down" { more[..s] = f[..s] < 0 }
    if rounding == "nearest" {  // halfway between two powers lies 1.5 times the lower one
        more[..s] = f[..s] > 4194304 or f[..s] == 4194304 and e[..s] > 0
    }
    r[..s] = min(e[..s] + i32(more[..s]), where(saturate, 254, 255))
    y[..s] = u8(where(e[..s] == 255, 255, r[..s]))
}
