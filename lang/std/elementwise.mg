mg 1
// One result element from the elements at the same place: arithmetic, comparison, logic, bits and
// the scalar functions, lifted to tensors. Infix operators on tensors mean the operators of this
// file. Only what says `broadcast` broadcasts.

// ---- arithmetic
op add<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] + b[..s] }
op sub<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] - b[..s] }
op mul<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] * b[..s] }
// integers truncate towards zero, and x / 0 is 0
op div<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] / b[..s] }
// remainder with the sign of the dividend, as C has it
op rem<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] % b[..s] }
// remainder with the sign of the divisor, as Python has it
op mod<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = where(a[..s] % b[..s] != 0 and (a[..s] % b[..s] < 0) != (b[..s] < 0),
        a[..s] % b[..s] + b[..s], a[..s] % b[..s])
}
// quotient rounded down, the partner of mod
op floor_div<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = where(a[..s] % b[..s] != 0 and (a[..s] % b[..s] < 0) != (b[..s] < 0),
        a[..s] / b[..s] - 1, a[..s] / b[..s])
}
op pow<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = pow(a[..s], b[..s]) }
// of whole numbers, by squaring; a negative exponent gives what is left of 1 / a^-b without its
// fraction
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
op maximum<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = max(a[..s], b[..s])
}
op minimum<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = min(a[..s], b[..s])
}
op neg<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = -x[..s] }
op abs<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = abs(x[..s]) }
op sign<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = sign(x[..s]) }
op square<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = x[..s] * x[..s] }
op reciprocal<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = 1 / x[..s] }
op identity<T: any>(x: T[..S]) -> (y: T[..S]) { y[..s] = x[..s] }

// ---- comparison
op equal<T: any>(a: T[..S], b: T[..S]) -> (y: bool[..S]) broadcast S { y[..s] = a[..s] == b[..s] }
op not_equal<T: any>(a: T[..S], b: T[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = a[..s] != b[..s]
}
op less<T: number>(a: T[..S], b: T[..S]) -> (y: bool[..S]) broadcast S { y[..s] = a[..s] < b[..s] }
op less_equal<T: number>(a: T[..S], b: T[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = a[..s] <= b[..s]
}
op greater<T: number>(a: T[..S], b: T[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = a[..s] > b[..s]
}
op greater_equal<T: number>(a: T[..S], b: T[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = a[..s] >= b[..s]
}
op is_nan<T: float>(x: T[..S]) -> (y: bool[..S]) { y[..s] = isnan(x[..s]) }
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
op is_finite<T: float>(x: T[..S]) -> (y: bool[..S]) { y[..s] = abs(x[..s]) < inf }

// ---- logic
op logical_and(a: bool[..S], b: bool[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = a[..s] and b[..s]
}
op logical_or(a: bool[..S], b: bool[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = a[..s] or b[..s]
}
op logical_xor(a: bool[..S], b: bool[..S]) -> (y: bool[..S])
    broadcast S
{
    y[..s] = xor(a[..s], b[..s])
}
op logical_not(x: bool[..S]) -> (y: bool[..S]) { y[..s] = not x[..s] }

// ---- bits; a shift by the width or more gives 0, a right shift of a signed one copies its sign
op bit_and<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] and b[..s] }
op bit_or<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = a[..s] or b[..s] }
op bit_xor<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = xor(a[..s], b[..s]) }
op bit_not<T: int>(x: T[..S]) -> (y: T[..S]) { y[..s] = not x[..s] }
// the same bits read as a type of the same width
op bit_cast<T: any>(x: T[..S], to: type) -> (y: to[..S]) { y[..s] = bitcast(x[..s], to) }
op shift_left<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = shl(a[..s], b[..s])
}
op shift_right<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = shr(a[..s], b[..s])
}

// ---- choice and types
op where<T: any>(c: bool[..S], a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = where(c[..s], a[..s], b[..s])
}
// converts: floats round to nearest even, float to integer truncates and saturates (NaN gives 0),
// integer to integer wraps
op cast<T: any>(x: T[..S], to: type) -> (y: to[..S]) { y[..s] = to(x[..s]) }
// converts to an integer type, values outside its range becoming its nearest end
op saturate<T: number>(x: T[..S], to: type) -> (y: to[..S]) { y[..s] = saturate(x[..s], to) }
// an absent bound doesn't bind
op clip<T: number>(x: T[..S], lo: T[]?, hi: T[]?) -> (y: T[..S]) {
    y[..s] = min(max(x[..s], lo[] else lowest(T)), hi[] else highest(T))
}

// ---- roots, exponentials and logarithms
op sqrt<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = sqrt(x[..s]) }
op rsqrt<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = rsqrt(x[..s]) }
op exp<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = exp(x[..s]) }
op exp2<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = exp2(x[..s]) }
op expm1<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = expm1(x[..s]) }
op log<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = log(x[..s]) }
op log2<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = log2(x[..s]) }
op log1p<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = log1p(x[..s]) }
op erf<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = erf(x[..s]) }
op erfc<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = erfc(x[..s]) }

// ---- circular and hyperbolic functions
op sin<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = sin(x[..s]) }
op cos<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = cos(x[..s]) }
op tan<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = tan(x[..s]) }
op asin<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = asin(x[..s]) }
op acos<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = acos(x[..s]) }
op atan<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = atan(x[..s]) }
op sinh<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = sinh(x[..s]) }
op cosh<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = cosh(x[..s]) }
op tanh<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = tanh(x[..s]) }
op asinh<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = asinh(x[..s]) }
op acosh<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = acosh(x[..s]) }
op atanh<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = atanh(x[..s]) }

// ---- rounding; round is half to even
op floor<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = floor(x[..s]) }
op ceil<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = ceil(x[..s]) }
op round<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = round(x[..s]) }
op trunc<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = trunc(x[..s]) }
