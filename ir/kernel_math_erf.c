// The error function and its complement.
//
// erf: an odd polynomial near 0, and 1 - exp(p(a)) with p fitted to log(erfc(a)) beyond, where an
// error of erfc hardly counts. erfc: a polynomial for the scaled function (1 + 2a) exp(a^2) erfc(a)
// in m = (a - 4) / (a + 4) (the substitution of Shepherd and Laframboise, "Chebyshev approximation
// of (1 + 2x) exp(x^2) erfc x", 1981), times exp(-a^2) with the rounding error of a^2 put back.
#include "ir/kernel_math.h"

#include "ir/kernel_polynomials.h"

X mg_math_erf(MgKernel *k, X x) {
    X a = at_most(k, magnitude(k, x), 4), t = mul(k, a, a); // 1 beyond
    X small = fused(k, a, POLYNOMIAL(k, erf_poly, t), a);
    X large = sub(k, num(k, 1), mg_math_exp_bounded(k, POLYNOMIAL(k, erf_tail_poly, a)));
    return signed_like(k, mg_kwhere(k, less(k, a, num(k, 0.925)), small, large), x);
}

// (a - 4) / (a + 4), with the error of the division taken back: near a = 0 the result is near -1
// and its last bits are those of a.
static X substitution(MgKernel *k, X a) {
    X r = quotient(k, num(k, 1), add(k, a, num(k, 4)));
    X m = mul(k, sub(k, a, num(k, 4)), r);
    X rest = fused(k, m, mg_k1(k, MG_PRIM_NEG, a), fused(k, add(k, m, num(k, 1)), num(k, -4), a));
    return fused(k, r, rest, m);
}

// p / (1 + 2a), corrected for the rounding of the divisor and of the quotient.
static X unscaled(MgKernel *k, X p, X a) {
    X d = fused(k, a, num(k, 2), num(k, 1));
    X lost = fused(k, a, num(k, 2), sub(k, num(k, 1), d));
    X r = quotient(k, num(k, 1), d), q = mul(k, p, r), minus_q = mg_k1(k, MG_PRIM_NEG, q);
    return fused(k, fused(k, minus_q, lost, fused(k, minus_q, d, p)), r, q);
}

X mg_math_erfc(MgKernel *k, X x) {
    X a = at_most(k, magnitude(k, x), 10.125); // 0 beyond
    X scaled = unscaled(k, POLYNOMIAL(k, erfcx_poly, substitution(k, a)), a);
    X minus_a = mg_k1(k, MG_PRIM_NEG, a);
    X s = mul(k, minus_a, a), low = fused(k, minus_a, a, mg_k1(k, MG_PRIM_NEG, s));
    MgExpParts e = mg_math_exp_parts(k, s, low);
    X y = fused(k, scaled, e.tail, scaled);
    y = mul(k, y, mg_math_power_of_two(k, e.shifted, 64));
    y = mul(k, y, num(k, 0x1p-64)); // the only rounding to a denormal
    return mg_kwhere(k, less(k, x, num(k, 0)), sub(k, num(k, 2), y), y);
}
