// Powers, the reciprocal root, and the remainder, which need more than f32 for intermediate
// results.
//
// pow computes y log2(x) in f64 (an error of 2^-24 in the result is one of 2^-31 in the exponent),
// with log2((1 + s) / (1 - s)) as an odd polynomial. The remainder is exact: it takes six steps of
// division in f64, each of which gives 50 bits of the quotient.
#include "ir/kernel_math.h"

#include "ir/kernel_polynomials.h"

#define ROUNDER64 0x1.8p52

X mg_math_rsqrt(MgKernel *k, X x) {
    return quotient(k, num(k, 1), root(k, x));
}

// log2 of a >= 0 in f64; -inf, inf and NaN as defined.
static X log2_wide(MgKernel *k, X a) {
    MgLogParts p = mg_math_log_parts(k, a);
    X m = cast(k, MG_F64, p.mantissa);
    X s = quotient(k, sub(k, m, num64(k, 1)), add(k, m, num64(k, 1)));
    X l = fused(k, s, POLYNOMIAL(k, log2_f64_poly, mul(k, s, s)), cast(k, MG_F64, p.exponent));
    l = mg_kwhere(k, equal(k, a, num(k, 0)), num64(k, -INFINITY), l);
    return mg_kwhere(k, less(k, a, num(k, INFINITY)), l, cast(k, MG_F64, a));
}

// 2^t in f32.
static X exp2_wide(MgKernel *k, X t) {
    X none = less(k, t, num64(k, -151));
    t = mg_k2(k, MG_PRIM_MAX, t, num64(k, -160));
    t = mg_k2(k, MG_PRIM_MIN, t, num64(k, 160));
    X shifted = add(k, t, num64(k, ROUNDER64)), n = sub(k, shifted, num64(k, ROUNDER64));
    X r = cast(k, MG_F32, sub(k, t, n));
    MgExponent e = {.n = cast(k, MG_F32, n),
                    .shifted =
                        real(k, cast(k, MG_U32, mg_kcast(k, MG_PRIM_BITCAST, MG_U64, shifted)))};
    X fraction = fused(k, r, POLYNOMIAL(k, exp2_poly, r), num(k, 1));
    return mg_math_scale(k, fraction, e, less(k, num64(k, 0), t), none);
}

static X is_integer(MgKernel *k, X y) {
    return equal(k, mg_k1(k, MG_PRIM_TRUNC, y), y);
}

X mg_math_pow(MgKernel *k, X x, X y) {
    X a = magnitude(k, x), one = num(k, 1);
    X t = mul(k, log2_wide(k, a), cast(k, MG_F64, y));
    X p = exp2_wide(k, mg_kwhere(k, equal(k, a, one), num64(k, 0), t)); // avoids 0 * inf
    X whole = is_integer(k, y);
    X odd = both(k, whole, mg_k1(k, MG_PRIM_NOT, is_integer(k, mul(k, y, num(k, 0.5)))));
    X sign = both(k, bits(k, x), word(k, 0x80000000));
    p = real(k, either(k, bits(k, p), mg_kwhere(k, odd, sign, word(k, 0))));
    X negative = both(k, less(k, x, num(k, 0)), less(k, num(k, -INFINITY), x));
    p = mg_kwhere(k, both(k, negative, mg_k1(k, MG_PRIM_NOT, whole)), num(k, NAN), p);
    return mg_kwhere(k, either(k, equal(k, y, num(k, 0)), equal(k, x, one)), one, p);
}

X mg_math_rem(MgKernel *k, X x, X y) {
    X a = cast(k, MG_F64, magnitude(k, x)), b = cast(k, MG_F64, magnitude(k, y)), r = a;
    for (int step = 5; step >= 0; step--) {
        X d = mul(k, b, num64(k, ldexp(1, 50 * step)));
        X q = mg_k1(k, MG_PRIM_TRUNC, quotient(k, r, d));
        r = fused(k, mg_k1(k, MG_PRIM_NEG, q), d, r);
        r = mg_kwhere(k, less(k, r, num64(k, 0)), add(k, r, d), r); // the quotient was rounded up
    }
    X finite = both(k, less(k, a, num64(k, INFINITY)), equal(k, b, num64(k, INFINITY)));
    return signed_like(k, cast(k, MG_F32, mg_kwhere(k, finite, a, r)), x);
}
