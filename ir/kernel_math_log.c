// log and functions made from it: log2, log1p, and the inverse hyperbolic functions.
//
// x = 2^n (1 + f) with f in [-1/3, 1/3), found from the bits of x; then a polynomial in f; n ln 2
// is added last. log1p finds n from 1 + x but f from x itself, so that it keeps what rounding 1 + x
// would lose.
#include "ir/kernel_math.h"

#include "ir/kernel_polynomials.h"

#define LN2 0x1.62e43p-1
#define TWO_THIRDS 0x3f2aaaabu // bits of 2/3

// The exponent of a positive number relative to [2/3, 4/3).
static X exponent_of(MgKernel *k, X b) {
    X i = mg_kcast(k, MG_PRIM_BITCAST, MG_I32, sub(k, b, word(k, TWO_THIRDS)));
    return shr(k, i, 23);
}

static X unsigned_of(MgKernel *k, X i) {
    return mg_kcast(k, MG_PRIM_BITCAST, MG_U32, i);
}

MgLogParts mg_math_log_parts(MgKernel *k, X x) {
    X denormal = less(k, x, num(k, 0x1p-126));
    X b = bits(k, mg_kwhere(k, denormal, mul(k, x, num(k, 0x1p23)), x));
    X n = exponent_of(k, b);
    X mantissa = real(k, sub(k, b, shl(k, unsigned_of(k, n), 23)));
    X shift = mg_kwhere(k, denormal, num(k, -23), num(k, 0));
    return (MgLogParts){mantissa, add(k, cast(k, MG_F32, n), shift)};
}

// log(1 + f) + n ln 2
static X log_sum(MgKernel *k, X f, X n) {
    X q = fused(k, f, POLYNOMIAL(k, log_poly, f), num(k, -0.5));
    return fused(k, n, num(k, LN2), fused(k, mul(k, f, f), q, f));
}

// The special values of a logarithm with its pole at `pole`: NaN below it, -inf at it; inf and NaN
// pass through.
static X with_specials(MgKernel *k, X y, X x, double pole) {
    y = mg_kwhere(k, less(k, x, num(k, INFINITY)), y, x);
    y = mg_kwhere(k, less(k, x, num(k, pole)), num(k, NAN), y);
    return mg_kwhere(k, equal(k, x, num(k, pole)), num(k, -INFINITY), y);
}

X mg_math_log(MgKernel *k, X x) {
    MgLogParts p = mg_math_log_parts(k, x);
    return with_specials(k, log_sum(k, sub(k, p.mantissa, num(k, 1)), p.exponent), x, 0);
}

// f log2(e) with log2(e) in two parts, so that the result for x near 1 is rounded once.
X mg_math_log2(MgKernel *k, X x) {
    MgLogParts p = mg_math_log_parts(k, x);
    X f = sub(k, p.mantissa, num(k, 1));
    X tail = fused(k, mul(k, f, f), POLYNOMIAL(k, log2_poly, f), mul(k, f, num(k, log2e[1])));
    return with_specials(k, add(k, p.exponent, fused(k, f, num(k, log2e[0]), tail)), x, 0);
}

// log(1 + x) for x > -1. Everything is scaled by 1/4, since 2^-n would leave the range.
static X log1p_core(MgKernel *k, X x) {
    X n = exponent_of(k, bits(k, add(k, x, num(k, 1))));
    X scale = real(k, sub(k, word(k, 129u << 23), shl(k, unsigned_of(k, n), 23))); // 2^(2 - n)
    X one = fused(k, scale, num(k, 0.25), num(k, -1));
    X f = fused(k, mul(k, x, num(k, 0.25)), scale, one);
    X y = log_sum(k, f, cast(k, MG_F32, n));
    return mg_kwhere(k, less(k, magnitude(k, x), num(k, 0x1p-25)), x, y);
}

X mg_math_log1p(MgKernel *k, X x) {
    return with_specials(k, log1p_core(k, x), x, -1);
}

// ---------------------------------------------------------------- inverse hyperbolic functions

#define LARGE 0x1p12 // from here on asinh(x) and acosh(x) are log(2 x)

// log1p(y), or log(2 x) for large x.
static X log1p_or_log(MgKernel *k, X y, X x) {
    X large = less(k, num(k, LARGE), x);
    X l = log1p_core(k, mg_kwhere(k, large, sub(k, x, num(k, 1)), y));
    l = add(k, l, mg_kwhere(k, large, num(k, LN2), num(k, 0)));
    return mg_kwhere(k, less(k, x, num(k, INFINITY)), l, x);
}

// log1p(a + a^2 / (1 + sqrt(1 + a^2)))
X mg_math_asinh(MgKernel *k, X x) {
    X a = magnitude(k, x), s = mul(k, a, a);
    X r = add(k, root(k, add(k, s, num(k, 1))), num(k, 1));
    X y = add(k, a, quotient(k, s, r));
    return signed_like(k, log1p_or_log(k, y, a), x);
}

// log1p(t + sqrt(t^2 + 2t)), t = x - 1
X mg_math_acosh(MgKernel *k, X x) {
    X t = sub(k, x, num(k, 1));
    X y = add(k, t, root(k, fused(k, t, t, add(k, t, t))));
    return mg_kwhere(k, less(k, x, num(k, 1)), num(k, NAN), log1p_or_log(k, y, x));
}

// log1p(2a / (1 - a)) / 2
X mg_math_atanh(MgKernel *k, X x) {
    X a = magnitude(k, x);
    X y = quotient(k, add(k, a, a), sub(k, num(k, 1), a));
    X l = mg_kwhere(k, less(k, y, num(k, INFINITY)), log1p_core(k, y), y);
    l = mg_kwhere(k, less(k, num(k, 1), a), num(k, NAN), l);
    return signed_like(k, mul(k, l, num(k, 0.5)), x);
}
