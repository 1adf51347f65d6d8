// The error function and its complement.
//
// erf is an odd polynomial near 0, and 1 - exp(p(a)) elsewhere, with p fitted to log(erfc(a)):
// there an error of erfc hardly matters. erfc is exp(-a^2), where a^2 is exact, times a quotient of
// polynomials for exp(a^2) erfc(a) (as in Cody, "Rational Chebyshev approximations for the error
// function", 1969, but with one quotient for all a: its coefficients are positive, so nothing
// cancels).
//
// Gelu takes erfc of a product with a constant. If that product need not be rounded and the target
// looks constants up by a permutation, erfc is made of 2^(-b^2). Here b is the product of the same
// factor with another constant, so its square is exact, no part of ln 2 is left over, and b is
// rounded only once, like the product in the formula. A table of 16 constants has room for pieces:
// there, erfc is the power over a quartic that depends on the piece in which b lies.
#include "ir/kernel_math.h"

#include "ir/kernel_polynomials.h"

X mg_math_erf(MgKernel *k, X x) {
    X a = at_most(k, magnitude(k, x), 4), t = mul(k, a, a); // erf is 1 beyond
    X small = fused(k, a, POLYNOMIAL(k, erf_poly, t), a);
    X large = sub(k, num(k, 1), mg_math_exp_bounded(k, POLYNOMIAL(k, erf_tail_poly, a)));
    return signed_like(k, mg_kwhere(k, less(k, a, num(k, 0.925)), small, large), x);
}

// exp(a^2) erfc(a) is c d / (s a d + r) with d = 1 + p. All of these have the factor 2^24, or 2^32
// where a is counted in units of sqrt(ln 2).
typedef struct ErfcQuotient {
    X square, p, d, under; // a^2; d has the factor s
} ErfcQuotient;

static ErfcQuotient erfc_quotient(MgKernel *k, X a, const double over[4], double scale,
                                  const double under[4]) {
    X t = mul(k, a, a), s = num(k, scale);
    X even = mul(k, t, fused(k, t, num(k, over[3]), num(k, over[1])));
    X odd = fused(k, t, num(k, over[2]), num(k, over[0])), p = fused(k, odd, a, even);
    X d = fused(k, p, s, s);
    return (ErfcQuotient){t, p, d, fused(k, a, d, polynomial(k, under, 4, a))};
}

static ErfcQuotient natural_quotient(MgKernel *k, X a) {
    return erfc_quotient(k, a, erfc_over_poly, erfc_under_scale[0], erfc_under_poly);
}

// e d / (s a d + r) with e = c exp(-a^2). e d is one fma. So near 0, where the result
// lies just below 1, little is rounded to the spacing at 1. Far from 0 the divisor is nearly s a d,
// and the rounding of d cancels. The divisor contains 2^24, so that one product with 2^(n + 24)
// reaches every denormal result with one rounding.
static X erfc_by_quotient(MgKernel *k, X a) {
    ErfcQuotient f = natural_quotient(k, a);
    MgExponent n;
    X rest = mg_math_minus_square(k, a, f.square, &n);
    X e = POLYNOMIAL(k, erfc_exp_poly, rest), over = fused(k, e, f.p, e);
    X q = near_quotient(k, over, f.under);
    return k->scaleb ? mg_k2(k, MG_PRIM_SCALEB, q, add(k, n.n, num(k, 24)))
                     : mul(k, q, mg_math_power_of_two(k, n, 24));
}

#define LOG2E 1.4426950408889634
// The same with a power of 2 by the device, whose exponent is rounded once, so that -a^2 is off by
// half of its last place; c / s is part of it.
static X erfc_roughly(MgKernel *k, X a) {
    ErfcQuotient f = natural_quotient(k, a);
    X factor = num(k, log2(erfc_exp_poly[0] / erfc_under_scale[0]) + 24);
    X e = mg_kexp2_rough(k, fused(k, f.square, num(k, -LOG2E), factor));
    return mul(k, e, near_quotient(k, f.d, f.under));
}

enum { PIECES = 16 };
#define ROOT_LOG2E 0x1.337cc2183b050p+0 // exp(-a^2) = 2^(-b^2) with b = a sqrt(log2(e))

// The divisor, 2^(-b^2) / erfc, is a quartic in b on each piece. It is less curved than its
// reciprocal, so it needs one degree less. The result is a quotient anyway, so this costs no
// product. Pieces are a quarter wide up to 1, then a half up to 3, 1 up to 7, and 2: two bits of b
// + 0.90625 and the two lowest of its exponent.
static X erfc_by_table(MgKernel *k, X b) {
    MgExpParts e = mg_math_power_of_minus_square(k, b);
    X piece = shr(k, bits(k, add(k, b, num(k, 0.90625))), 21);
    X under = mg_klookup(k, MG_F32, erfc_quartics[4], PIECES, piece);
    for (uint32_t i = 4; i-- > 0;)
        under = fused(k, under, b, mg_klookup(k, MG_F32, erfc_quartics[i], PIECES, piece));
    return mg_k2(k, MG_PRIM_SCALEB, quotient(k, e.fraction, under), e.exponent.n);
}

// The same quotient in b, whose first coefficient is 1.
static X erfc_by_power(MgKernel *k, X b) {
    ErfcQuotient f = erfc_quotient(k, b, erfc2_over_poly, erfc2_under_scale[0], erfc2_under_poly);
    MgExpParts e = mg_math_power_of_minus_square(k, b);
    X over = fused(k, e.fraction, f.p, e.fraction);
    return mul(k, near_quotient(k, over, f.under), mg_math_power_of_two(k, e.exponent, 32));
}

// Is x = z c for a constant c far from the ends of the range?
static bool is_multiple(X x, X *z, double *c) {
    if (x->kind != MG_KX_PRIM || x->prim != MG_PRIM_MUL)
        return false;
    bool first = x->args[0]->kind == MG_KX_CONST;
    X constant = x->args[first ? 0 : 1];
    *z = x->args[first ? 1 : 0];
    *c = constant->kind == MG_KX_CONST ? mg_bits_to_double(MG_F32, constant->bits) : 0;
    return fabs(*c) > 0x1p-60 && fabs(*c) < 0x1p60;
}

X mg_math_erfc_near(MgKernel *k, X x) {
    X y = erfc_roughly(k, at_most(k, magnitude(k, x), 10.125));
    return mg_kwhere(k, less(k, x, num(k, 0)), sub(k, num(k, 2), y), y);
}

X mg_math_erfc(MgKernel *k, X x) {
    double c;
    X y, z, zero = num(k, 0), negative = less(k, x, zero);
    if (mg_math_has_table(k) && k->contracts && is_multiple(x, &z, &c)) {
        X b = mul(k, magnitude(k, z), num(k, fabs(c) * ROOT_LOG2E));
        b = at_most(k, b, 12.1875); // erfc is 0 beyond
        y = k->lookup ? erfc_by_table(k, b) : erfc_by_power(k, b);
        negative = c < 0 ? less(k, zero, z) : less(k, z, zero);
    } else {
        y = erfc_by_quotient(k, at_most(k, magnitude(k, x), 10.125)); // erfc is 0 beyond
    }
    return mg_kwhere(k, negative, sub(k, num(k, 2), y), y);
}
