mg 1
// One result element from the elements at the same place: arithmetic, comparison, logic, bits and
// the scalar functions, lifted to tensors. Infix operators on tensors mean the operators of this
// file. Only what says `broadcast` broadcasts.

// ---- arithmetic
// a + b, with broadcasting
op add<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] + b[..s] }
// a - b, with broadcasting
op sub<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] - b[..s] }
// a * b, with broadcasting
op mul<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] * b[..s] }
// a / b, with broadcasting; integers truncate towards zero, and x / 0 is 0
op div<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] / b[..s] }
// the remainder with the sign of the dividend, as in C
op rem<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] % b[..s] }
// the remainder with the sign of the divisor, as in Python
op mod<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = where(a[..s] % b[..s] != 0 and (a[..s] % b[..s] < 0) != (b[..s] < 0),
        a[..s] % b[..s] + b[..s], a[..s] % b[..s])
}
// the quotient, rounded down; mod is the remainder
op floor_div<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = where(a[..s] % b[..s] != 0 and (a[..s] % b[..s] < 0) != (b[..s] < 0),
        a[..s] / b[..s] - 1, a[..s] / b[..s])
}
// a to the power b, with broadcasting
op pow<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = pow(a[..s], b[..s]) }
// whole numbers to a whole power, by squaring.
// A negative exponent gives 1 / a^-b without its fraction.
op pow_int<T: int, E: int>(a: T[..S], b: E[..S]) -> (y: T[..S])
    broadcast S
{
    base[..s]: T[..S] = a[..s]
    rest[..s]: E[..S] = b[..s]
    one[..s]: T[..S] = where(rest[..s] >= 0 or abs(base[..s]) == 1, 1, 0)
    times[..s]: E[..S] = where(rest[..s] >= 0, rest[..s], -rest[..s])
    y, square, left = loop i in 0..64 carry (r = one, q = base, n = times) while max(n) != 0 {
        s[..s] = where(n[..s] % 2 != 0, r[..s] * q[..s], r[..s])
        t[..s] = q[..s] * q[..s]
        m[..s] = n[..s] / 2
        next r = s, q = t, n = m
    }
}
// the larger of a and b, with broadcasting
op maximum<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = max(a[..s], b[..s])
}
// the smaller of a and b, with broadcasting
op minimum<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = min(a[..s], b[..s])
}
// -x
op neg<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = -x[..s] }
// x without its sign
op abs<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = abs(x[..s]) }
// -1, 0 or 1
op sign<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = sign(x[..s]) }
// x * x
op square<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = x[..s] * x[..s] }
// 1 / x
op reciprocal<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = 1 / x[..s] }
// x itself
op identity<T: any>(x: T[..S]) -> (y: T[..S]) { y[..s] = x[..s] }
// x, whose derivative is 0; it goes through the bits, which have no derivative
op constant<T: float>(x: T[..S]) -> (y: T[..S]) {
    if T == f64 {
        y[..s] = bitcast(bitcast(x[..s], u64), f64)
    } else {
        y[..s] = T(bitcast(bitcast(f32(x[..s]), u32), f32))
    }
}

// ---- comparison
// whether a == b, with broadcasting
op equal<T: any>(a: T[..S], b: T[..S]) -> (y: bool[..S]) broadcast S { y[..s] = a[..s] == b[..s] }
// whether a != b, with broadcasting
op not_equal<T: any>(a: T[..S], b: T[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = a[..s] != b[..s]
}
// whether a < b, with broadcasting
op less<T: number>(a: T[..S], b: T[..S]) -> (y: bool[..S]) broadcast S { y[..s] = a[..s] < b[..s] }
// whether a <= b, with broadcasting
op less_equal<T: number>(a: T[..S], b: T[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = a[..s] <= b[..s]
}
// whether a > b, with broadcasting
op greater<T: number>(a: T[..S], b: T[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = a[..s] > b[..s]
}
// whether a >= b, with broadcasting
op greater_equal<T: number>(a: T[..S], b: T[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = a[..s] >= b[..s]
}
// whether x is NaN
op is_nan<T: float>(x: T[..S]) -> (y: bool[..S]) { y[..s] = isnan(x[..s]) }
// whether x is infinite
op is_inf<T: float>(x: T[..S], negative: bool = true, positive: bool = true) -> (y: bool[..S]) {
    if negative and positive {
        y[..s] = abs(x[..s]) == inf
    } else if negative {
        y[..s] = x[..s] == -inf
    } else if positive {
        y[..s] = x[..s] == inf
    } else {
        y[..s] = false
    }
}
// whether x is neither infinite nor NaN
op is_finite<T: float>(x: T[..S]) -> (y: bool[..S]) { y[..s] = abs(x[..s]) < inf }

// ---- logic
// whether both are true, with broadcasting
op logical_and(a: bool[..S], b: bool[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = a[..s] and b[..s]
}
// whether at least one is true, with broadcasting
op logical_or(a: bool[..S], b: bool[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = a[..s] or b[..s]
}
// whether exactly one is true, with broadcasting
op logical_xor(a: bool[..S], b: bool[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = xor(a[..s], b[..s])
}
// true where x is false
op logical_not(x: bool[..S]) -> (y: bool[..S]) { y[..s] = not x[..s] }

// ---- bits: a shift by the width or more gives 0; a right shift of a signed number copies its sign
// the bits that are set in both, with broadcasting
op bit_and<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] and b[..s] }
// the bits that are set in at least one, with broadcasting
op bit_or<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] or b[..s] }
// the bits that are set in exactly one, with broadcasting
op bit_xor<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = xor(a[..s], b[..s]) }
// every bit inverted
op bit_not<T: int>(x: T[..S]) -> (y: T[..S]) { y[..s] = not x[..s] }
// the same bits read as a type of the same width
op bit_cast<T: any>(x: T[..S], to: type) -> (y: to[..S]) { y[..s] = bitcast(T(x[..s]), to) }
// the bits of a moved up by b, with broadcasting
op shift_left<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = shl(a[..s], b[..s])
}
// the bits of a moved down by b, with broadcasting
op shift_right<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = shr(a[..s], b[..s])
}

// ---- choice and types
// a where the condition holds, else b, with broadcasting
op where<T: any>(c: bool[..S], a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = where(c[..s], a[..s], b[..s])
}
// x in another type. Floats round to nearest even, and integers wrap.
// A float becomes an integer without its fraction, clamped to the type's range; NaN becomes 0.
op cast<T: any>(x: T[..S], to: type) -> (y: to[..S]) { y[..s] = to(x[..s]) }
// x in an integer type. A value outside its range becomes the nearest value in it.
op saturate<T: number>(x: T[..S], to: type) -> (y: to[..S]) { y[..s] = saturate(x[..s], to) }
// x no lower than lo and no higher than hi. A bound that is left out does not limit x.
op clip<T: number>(x: T[..S], lo: T[]?, hi: T[]?) -> (y: T[..S]) {
    y[..s] = min(max(x[..s], lo[] else lowest(T)), hi[] else highest(T))
}

// ---- roots, exponentials and logarithms
// the square root
op sqrt<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = sqrt(x[..s]) }
// 1 / sqrt(x)
op rsqrt<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = rsqrt(x[..s]) }
// e to the power x
op exp<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = exp(x[..s]) }
// 2 to the power x
op exp2<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = exp2(x[..s]) }
// exp(x) - 1, exact for small x
op expm1<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = expm1(x[..s]) }
// the natural logarithm
op log<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = log(x[..s]) }
// the logarithm to base 2
op log2<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = log2(x[..s]) }
// log(1 + x), exact for small x
op log1p<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = log1p(x[..s]) }
// the error function
op erf<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = erf(x[..s]) }
// 1 - erf(x), exact for large x
op erfc<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = erfc(x[..s]) }

// ---- circular and hyperbolic functions
// the sine of x, in radians
op sin<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = sin(x[..s]) }
// the cosine of x, in radians
op cos<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = cos(x[..s]) }
// the tangent of x, in radians
op tan<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = tan(x[..s]) }
// the angle whose sine is x
op asin<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = asin(x[..s]) }
// the angle whose cosine is x
op acos<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = acos(x[..s]) }
// the angle whose tangent is x
op atan<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = atan(x[..s]) }
// the hyperbolic sine
op sinh<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = sinh(x[..s]) }
// the hyperbolic cosine
op cosh<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = cosh(x[..s]) }
// the hyperbolic tangent
op tanh<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = tanh(x[..s]) }
// the inverse hyperbolic sine
op asinh<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = asinh(x[..s]) }
// the inverse hyperbolic cosine
op acosh<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = acosh(x[..s]) }
// the inverse hyperbolic tangent
op atanh<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = atanh(x[..s]) }

// ---- rounding; round is half to even
// the largest whole number that is not above x
op floor<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = floor(x[..s]) }
// the smallest whole number that is not below x
op ceil<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = ceil(x[..s]) }
// the nearest whole number, halves to even
op round<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = round(x[..s]) }
// x without its fraction
op trunc<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = trunc(x[..s]) }
