// Shorthand for f32 formulas over kernel IR, and the builders of kernel_math_*.c.
//
// A formula may use an operand any number of times; the legaliser names shared nodes. A scalar is
// broadcast to the lanes of the other operand.
#ifndef MG_IR_KERNEL_MATH_H
#define MG_IR_KERNEL_MATH_H

#include "ir/kernel_expand.h"

#include <math.h>

typedef const MgKx *X; // a subexpression of a formula

static inline X num(MgKernel *k, double value) {
    return mg_kfloat(k, mg_kt(MG_F32, 1), value);
}
static inline X num64(MgKernel *k, double value) {
    return mg_kfloat(k, mg_kt(MG_F64, 1), value);
}
static inline X word(MgKernel *k, uint32_t value) {
    return mg_kconst(k, mg_kt(MG_U32, 1), value);
}
static inline X add(MgKernel *k, X a, X b) {
    return mg_k2(k, MG_PRIM_ADD, a, b);
}
static inline X sub(MgKernel *k, X a, X b) {
    return mg_k2(k, MG_PRIM_SUB, a, b);
}
static inline X mul(MgKernel *k, X a, X b) {
    return mg_k2(k, MG_PRIM_MUL, a, b);
}
static inline X quotient(MgKernel *k, X a, X b) {
    return mg_k2(k, MG_PRIM_DIV, a, b);
}
static inline X near_quotient(MgKernel *k, X a, X b) { // a / b, or a neighbour of it
    return mg_knear(k, a, b);
}
static inline X fused(MgKernel *k, X a, X b, X c) { // a * b + c
    return mg_kprim(k, MG_PRIM_FMA, a, b, c);
}
static inline X root(MgKernel *k, X a) {
    return mg_k1(k, MG_PRIM_SQRT, a);
}
static inline X magnitude(MgKernel *k, X a) {
    return mg_k1(k, MG_PRIM_ABS, a);
}
static inline X less(MgKernel *k, X a, X b) {
    return mg_k2(k, MG_PRIM_LT, a, b);
}
static inline X equal(MgKernel *k, X a, X b) {
    return mg_k2(k, MG_PRIM_EQ, a, b);
}
static inline X either(MgKernel *k, X a, X b) {
    return mg_k2(k, MG_PRIM_OR, a, b);
}
static inline X both(MgKernel *k, X a, X b) {
    return mg_k2(k, MG_PRIM_AND, a, b);
}
static inline X shl(MgKernel *k, X a, uint32_t n) {
    return mg_k2(k, MG_PRIM_SHL, a, mg_kconst(k, mg_kt(a->type.dtype, 1), n));
}
static inline X shr(MgKernel *k, X a, uint32_t n) {
    return mg_k2(k, MG_PRIM_SHR, a, mg_kconst(k, mg_kt(a->type.dtype, 1), n));
}
static inline X bits(MgKernel *k, X a) {
    return mg_kcast(k, MG_PRIM_BITCAST, MG_U32, a);
}
static inline X real(MgKernel *k, X a) { // the f32 with these bits
    return mg_kcast(k, MG_PRIM_BITCAST, MG_F32, a);
}
static inline X cast(MgKernel *k, MgDType to, X a) {
    return mg_kcast(k, MG_PRIM_CAST, to, a);
}
// Both propagate a NaN of x.
static inline X at_least(MgKernel *k, X x, double low) {
    return mg_k2(k, MG_PRIM_MAX, x, num(k, low));
}
static inline X at_most(MgKernel *k, X x, double high) {
    return mg_k2(k, MG_PRIM_MIN, x, num(k, high));
}
// a (not negative) with the sign of x: odd functions keep -0.
static inline X signed_like(MgKernel *k, X a, X x) {
    return real(k, either(k, bits(k, a), both(k, bits(k, x), word(k, 0x80000000))));
}
// Horner's scheme in the type of x.
static inline X polynomial(MgKernel *k, const double *c, uint32_t n, X x) {
    MgKType t = mg_kt(x->type.dtype, 1);
    X p = mg_kfloat(k, t, c[n - 1]);
    for (uint32_t i = n - 1; i-- > 0;)
        p = fused(k, p, x, mg_kfloat(k, t, c[i]));
    return p;
}
#define POLYNOMIAL(k, table, x) polynomial((k), table, sizeof table / sizeof *table, (x))

// ---------------------------------------------------------------- shared parts

// A whole number as f32, and in the low bits of an f32.
typedef struct MgExponent {
    X n, shifted;
    bool quarters; // the number is one of quarters
} MgExponent;
// Does the target look up parts of a power of 2?
static inline bool mg_math_has_table(const MgKernel *k) {
    return k->lookup || k->lookup4;
}
// exp(x) = fraction * 2^floor(exponent), with the fraction in [0.7, 2]. The exponent is an integer,
// unless the target has `lookup`: then it counts sixteenths. With `lookup4` it counts quarters, and
// exp(x) is the fraction, about 100, times what mg_math_power_of_two makes of the exponent.
typedef struct MgExpParts {
    X fraction;
    MgExponent exponent;
} MgExpParts;
MgExpParts mg_math_exp_parts(MgKernel *k, X x);
// The r and n for which -a^2 = n ln 2 + r, for a <= 13; square is a^2, rounded.
X mg_math_minus_square(MgKernel *k, X a, X square, MgExponent *n);
// The parts of 2^(-b^2), for b <= 16; only for targets with a table.
MgExpParts mg_math_power_of_minus_square(MgKernel *k, X b);
// 2^(exponent + offset), which must lie in [-126, 127], [-119, 133] for an exponent in quarters.
// That is no one of sixteenths.
X mg_math_power_of_two(MgKernel *k, MgExponent e, int32_t offset);
// fraction * 2^exponent, rounded once if the result is denormal; 0 where `none` is true. Without
// scaleb, the exponent must lie in [-190, 190] and, where `none` is true, the fraction be finite.
// `positive` has the sign of the exponent; with scaleb it isn't used, and may be NULL.
X mg_math_scale(MgKernel *k, X fraction, MgExponent e, X positive, X none);
X mg_math_exp_bounded(MgKernel *k, X x); // |x| <= 80

// x = mantissa * 2^exponent, with the mantissa in [2/3, 4/3) and the exponent as f32; for positive
// finite x.
typedef struct MgLogParts {
    X mantissa, exponent;
} MgLogParts;
MgLogParts mg_math_log_parts(MgKernel *k, X x);

// ---------------------------------------------------------------- builders

X mg_math_exp(MgKernel *k, X x);
X mg_math_exp_below(MgKernel *k, X x); // near: see MgKx
X mg_math_exp2(MgKernel *k, X x);
X mg_math_expm1(MgKernel *k, X x);
X mg_math_sinh(MgKernel *k, X x);
X mg_math_cosh(MgKernel *k, X x);
X mg_math_tanh(MgKernel *k, X x);
X mg_math_log(MgKernel *k, X x);
X mg_math_log2(MgKernel *k, X x);
X mg_math_log1p(MgKernel *k, X x);
X mg_math_asinh(MgKernel *k, X x);
X mg_math_acosh(MgKernel *k, X x);
X mg_math_atanh(MgKernel *k, X x);
X mg_math_erf(MgKernel *k, X x);
X mg_math_erfc(MgKernel *k, X x);
X mg_math_erfc_near(MgKernel *k, X x); // see MgKx; only for targets with `rough_exp2`
X mg_math_sin(MgKernel *k, X x);
X mg_math_cos(MgKernel *k, X x);
X mg_math_tan(MgKernel *k, X x);
X mg_math_asin(MgKernel *k, X x);
X mg_math_acos(MgKernel *k, X x);
X mg_math_atan(MgKernel *k, X x);
X mg_math_rsqrt(MgKernel *k, X x);
X mg_math_pow(MgKernel *k, X x, X y);
X mg_math_rem(MgKernel *k, X x, X y);

#endif
