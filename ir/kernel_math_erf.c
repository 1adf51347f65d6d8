// The error function and its complement.
//
// erf: an odd polynomial near 0, and 1 - exp(p(a)) with p fitted to log(erfc(a)) beyond, where an
// error of erfc hardly counts. erfc: exp(-a^2), a^2 being exact, times a quotient of polynomials
// for exp(a^2) erfc(a) (as Cody, "Rational Chebyshev approximations for the error function", 1969,
// but one for all a: its coefficients are positive, so nothing cancels). Where the target looks
// constants up by a permutation, exp(-a^2) over a quartic that depends on the piece that a lies in.
#include "ir/kernel_math.h"

#include "ir/kernel_polynomials.h"

X mg_math_erf(MgKernel *k, X x) {
    X a = at_most(k, magnitude(k, x), 4), t = mul(k, a, a); // 1 beyond
    X small = fused(k, a, POLYNOMIAL(k, erf_poly, t), a);
    X large = sub(k, num(k, 1), mg_math_exp_bounded(k, POLYNOMIAL(k, erf_tail_poly, a)));
    return signed_like(k, mg_kwhere(k, less(k, a, num(k, 0.925)), small, large), x);
}

// e d / (s a d + r) with e = c exp(-a^2) and d = 1 + p. e d is one fma, so that near 0, where the
// result lies just below 1, little is rounded at the grain of 1; far from 0 the divisor is nearly
// s a d, and what d was rounded by cancels. The divisor carries 2^24, so that one product with
// 2^(n + 24) reaches every denormal result, rounded once.
static X erfc_by_quotient(MgKernel *k, X a) {
    X t = mul(k, a, a);
    MgExponent n;
    X rest = mg_math_minus_square(k, a, t, &n);
    const double *c = erfc_over_poly;
    X even = mul(k, t, fused(k, t, num(k, c[3]), num(k, c[1])));
    X odd = fused(k, t, num(k, c[2]), num(k, c[0])), p = fused(k, odd, a, even);
    X s = num(k, erfc_under_scale[0]), d = fused(k, p, s, s);
    X e = POLYNOMIAL(k, erfc_exp_poly, rest), over = fused(k, e, p, e);
    X q = near_quotient(k, over, fused(k, a, d, POLYNOMIAL(k, erfc_under_poly, a)));
    return k->scaleb ? mg_k2(k, MG_PRIM_SCALEB, q, add(k, n.n, num(k, 24)))
                     : mul(k, q, mg_math_power_of_two(k, n, 24));
}

enum { PIECES = 16 };

// The pieces are a quarter wide up to 0.5, a half up to 4.5, then 1: three bits of a + 3.5 and the
// lowest of its exponent. The quartic in the distance from a point in the piece, where its constant
// term happens to be nearly an f32, is 1 / (exp(a^2) erfc(a)); a less curved function, so that it
// takes one degree less, and no product, as the result is a quotient anyway.
static X erfc_by_table(MgKernel *k, X a) {
    MgExpParts e = mg_math_exp_minus_square(k, a);
    X piece = shr(k, bits(k, add(k, a, num(k, 3.5))), 20);
    X far = sub(k, a, mg_klookup(k, MG_F32, erfc_points, PIECES, piece));
    X under = mg_klookup(k, MG_F32, erfc_quartics[4], PIECES, piece);
    for (uint32_t i = 4; i-- > 0;)
        under = fused(k, under, far, mg_klookup(k, MG_F32, erfc_quartics[i], PIECES, piece));
    return mg_k2(k, MG_PRIM_SCALEB, quotient(k, e.fraction, under), e.exponent.n);
}

X mg_math_erfc(MgKernel *k, X x) {
    X a = at_most(k, magnitude(k, x), 10.125); // 0 beyond
    X y = k->lookup ? erfc_by_table(k, a) : erfc_by_quotient(k, a);
    return mg_kwhere(k, less(k, x, num(k, 0)), sub(k, num(k, 2), y), y);
}
