// exp and functions made from it: exp2, expm1, sinh, cosh, tanh.
//
// The argument is reduced as Cody and Waite do ("Software Manual for the Elementary Functions",
// 1980): x = n ln 2 + r with ln 2 in two parts, a polynomial in r, and 2^n put together from bits.
// Adding 1.5 * 2^23 rounds n and leaves it in the low bits of the sum, so no conversion is needed.
//
// If the target looks constants up by a permutation, all of these functions but expm1 are powers of
// two: x log2(e) = n + r, where n counts sixteenths. 2^(n mod 1) comes from a table (Tang,
// "Table-driven implementation of the exponential function in IEEE floating-point arithmetic",
// 1989), and a cubic is enough for 2^r. Its leading coefficient is 1, since the table contains the
// true one, so its first step is an addition. Every function uses the same table and cubic, so
// registers hold them once.
//
// If a table has room for four constants, n counts quarters, and 2^r is a quartic. There such a
// target has no scaling by a power of two, and 2^n is put together from bits: its fraction is the
// table's entry, so one product takes both.
#include "ir/kernel_math.h"

#include "ir/kernel_polynomials.h"

#define ROUNDER 0x1.8p23    // adding it rounds numbers below 2^22 to integers, half to even
#define QUARTERS 0x1.8p21   // the same to quarters, for numbers below 2^20
#define SIXTEENTHS 0x1.8p19 // and to sixteenths, for numbers below 2^18
#define LOG2E 0x1.715476p+0
#define LN2_HIGH 0x1.62e43p-1
#define LN2_LOW -0x1.05c61p-29
#define LN2_SHORT 0x1.62e4p-1 // 15 bits: its product with any exponent is exact
#define LN2_REST 0x1.7f7d1cp-20

// The exponent: x times scale, rounded by adding `rounder`.
static MgExponent whole(MgKernel *k, X x, X scale, double rounder) {
    X shifted = fused(k, x, scale, num(k, rounder));
    return (MgExponent){sub(k, shifted, num(k, rounder)), shifted, rounder == QUARTERS};
}

// The rounder for the steps in which the target counts exponents.
static double steps(const MgKernel *k) {
    return k->lookup ? SIXTEENTHS : k->lookup4 ? QUARTERS : ROUNDER;
}

// n = x / ln 2, rounded, and r.
static X reduce(MgKernel *k, X x, MgExponent *e, double rounder) {
    *e = whole(k, x, num(k, LOG2E), rounder);
    X r = fused(k, e->n, num(k, -LN2_HIGH), x);
    return fused(k, e->n, num(k, -LN2_LOW), r);
}

// 2^(n + r), where n is a multiple of 1/16; only for targets with `lookup`.
typedef struct PowerParts {
    X sixteenth, cubic; // 2^(n mod 1) and 2^r, apart from factors that cancel
} PowerParts;

// Horner's scheme for a leading coefficient of 1, which is not in the table.
static X monic(MgKernel *k, const double *c, uint32_t n, X x) {
    X p = add(k, x, num(k, c[n - 1]));
    for (uint32_t i = n - 1; i-- > 0;)
        p = fused(k, p, x, num(k, c[i]));
    return p;
}
#define MONIC(k, table, x) monic((k), table, sizeof table / sizeof *table, (x))

static PowerParts power_parts(MgKernel *k, X r, MgExponent e) {
    return (PowerParts){mg_klookup(k, MG_F32, exp2_sixteenths, 16, bits(k, e.shifted)),
                        MONIC(k, exp2_cubic, r)};
}

// 2^(n + r) in parts, for targets with a table.
static MgExpParts power(MgKernel *k, X r, MgExponent e) {
    if (e.quarters)
        return (MgExpParts){MONIC(k, exp2_quartic, r), e};
    PowerParts p = power_parts(k, r, e);
    return (MgExpParts){mul(k, p.sixteenth, p.cubic), e};
}

static X minus(MgKernel *k, X x) {
    return mg_k1(k, MG_PRIM_NEG, x);
}

// n and r for exp(x): x log2(e) - n is exact apart from the second part of log2(e).
static X natural(MgKernel *k, X x, MgExponent *e) {
    *e = whole(k, x, num(k, LOG2E), steps(k));
    X r = fused(k, x, num(k, LOG2E), minus(k, e->n));
    return fused(k, x, num(k, log2e[1]), r);
}

MgExpParts mg_math_exp_parts(MgKernel *k, X x) {
    MgExponent e;
    if (mg_math_has_table(k)) {
        X r = natural(k, x, &e);
        return power(k, r, e);
    }
    X r = reduce(k, x, &e, ROUNDER);
    return (MgExpParts){fused(k, r, POLYNOMIAL(k, exp_poly, r), num(k, 1)), e};
}

// The square is never rounded: n LN2_SHORT is exact, so the difference of both is one fma.
X mg_math_minus_square(MgKernel *k, X a, X square, MgExponent *e) {
    *e = whole(k, square, num(k, -LOG2E), ROUNDER);
    X r = fused(k, mg_k1(k, MG_PRIM_NEG, a), a, mul(k, e->n, num(k, -LN2_SHORT)));
    return fused(k, e->n, num(k, -LN2_REST), r);
}

MgExpParts mg_math_power_of_minus_square(MgKernel *k, X b) {
    MgExponent e = whole(k, minus(k, b), b, steps(k));
    return power(k, fused(k, minus(k, b), b, minus(k, e.n)), e);
}

// The bits of 2^(n + offset), times the table's factor. Shifted, an exponent in quarters has its
// two lowest bits in the mantissa; the table's entries are what must be added to that.
static X power_bits(MgKernel *k, MgExponent e, int32_t offset) {
    if (!e.quarters)
        return add(k, shl(k, bits(k, e.shifted), 23), word(k, (uint32_t)(127 + offset) << 23));
    double entries[4];
    for (uint32_t i = 0; i < 4; i++) {
        MgBits entry = mg_bits_from_double(MG_F32, ldexp(exp2_quarters[i], offset));
        entries[i] = mg_bits_to_double(MG_F32, entry - (i << 21));
    }
    X entry = mg_klookup(k, MG_F32, entries, 4, bits(k, e.shifted));
    return add(k, shl(k, bits(k, e.shifted), 21), bits(k, entry));
}

X mg_math_power_of_two(MgKernel *k, MgExponent e, int32_t offset) {
    return real(k, power_bits(k, e, offset));
}

// Without an instruction for scaleb there are two steps, so that no factor leaves the normal range:
// 2^(n - 64) and 2^64, or their mirror. A CPU takes a hundred cycles and more for a product that
// underflows, so what is 0 is multiplied by 0.
X mg_math_scale(MgKernel *k, X fraction, MgExponent e, X positive, X none) {
    if (k->scaleb)
        return mg_kwhere(k, none, num(k, 0), mg_k2(k, MG_PRIM_SCALEB, fraction, e.n));
    uint32_t bias = e.quarters ? 0 : 127;
    X n = e.quarters ? power_bits(k, e, 0) : shl(k, bits(k, e.shifted), 23);
    X exponent = mg_kwhere(k, positive, word(k, (bias - 64) << 23), word(k, (bias + 64) << 23));
    X first = real(k, add(k, n, exponent));
    X second = mg_kwhere(k, positive, num(k, 0x1p64), num(k, 0x1p-64));
    return mul(k, mul(k, fraction, first), mg_kwhere(k, none, num(k, 0), second));
}

X mg_math_exp_bounded(MgKernel *k, X x) {
    MgExpParts e = mg_math_exp_parts(k, x);
    if (k->scaleb)
        return mg_k2(k, MG_PRIM_SCALEB, e.fraction, e.exponent.n);
    return mul(k, e.fraction, mg_math_power_of_two(k, e.exponent, 0));
}

// The result can only underflow. The part of log2(e) or ln 2 that is omitted is smaller than the
// last place of x.
X mg_math_exp_below(MgKernel *k, X x) {
    X none = less(k, x, num(k, -104));
    if (!k->scaleb)
        x = at_least(k, x, -104);
    MgExponent e = whole(k, x, num(k, LOG2E), steps(k));
    X fraction;
    if (mg_math_has_table(k)) {
        fraction = power(k, fused(k, x, num(k, LOG2E), minus(k, e.n)), e).fraction;
    } else {
        X r = fused(k, e.n, num(k, -LN2_HIGH), x);
        fraction = fused(k, r, POLYNOMIAL(k, exp_poly, r), num(k, 1));
    }
    if (k->scaleb)
        return mg_math_scale(k, fraction, e, NULL, none);
    X second = mg_kwhere(k, none, num(k, 0), num(k, 0x1p-64));
    return mul(k, mul(k, fraction, mg_math_power_of_two(k, e, 64)), second);
}

// Clamps x to [low, high]. A negation stays outermost, so that the reduction can absorb its sign.
static X bounded(MgKernel *k, X x, double low, double high) {
    if (x->kind == MG_KX_PRIM && x->prim == MG_PRIM_NEG)
        return minus(k, at_least(k, at_most(k, x->args[0], -low), -high));
    return at_most(k, at_least(k, x, low), high);
}

X mg_math_exp(MgKernel *k, X x) {
    X none = less(k, x, num(k, -104)); // exp is 0 below, and infinity above 89
    x = k->scaleb ? at_most(k, x, 89) : bounded(k, x, -104, 89);
    MgExpParts e = mg_math_exp_parts(k, x);
    return mg_math_scale(k, e.fraction, e.exponent, less(k, num(k, 0), x), none);
}

bool mg_plus_exp_suits(const MgKernel *k, X c) {
    double most = 0x1p60, value = c->kind == MG_KX_CONST && c->type.dtype == MG_F32
                                      ? fabs(mg_bits_to_double(MG_F32, c->bits))
                                      : 0;
    return (k->lookup || !k->scaleb) && value >= 1 / most && value <= most;
}

// Beside c, anything below 2^-115 vanishes. So one step reaches every exponent that matters: twice
// the fraction times 2^(n - 1), which only infinity exceeds. That product is exact or infinite, so
// one fma gives the sum, to the bit. With a table, its entry is scaled while the polynomial is
// computed, and their product is not rounded at all.
X mg_math_plus_exp(MgKernel *k, X c, X x) {
    enum { TERMS = sizeof exp_poly / sizeof *exp_poly };
    MgExponent e;
    if (k->lookup) {
        X y = natural(k, bounded(k, x, -86, 89), &e);
        PowerParts p = power_parts(k, y, e);
        return fused(k, p.cubic, mg_k2(k, MG_PRIM_SCALEB, p.sixteenth, e.n), c);
    }
    if (k->lookup4) {
        MgExpParts p = mg_math_exp_parts(k, bounded(k, x, -80, 89));
        return fused(k, p.fraction, mg_math_power_of_two(k, p.exponent, 0), c);
    }
    double twice[TERMS];
    for (int i = 0; i < TERMS; i++)
        twice[i] = 2 * exp_poly[i];
    X r = reduce(k, at_most(k, at_least(k, x, -86), 89), &e, ROUNDER);
    X fraction = fused(k, r, POLYNOMIAL(k, twice, r), num(k, 2));
    return fused(k, fraction, mg_math_power_of_two(k, e, -1), c);
}

X mg_math_exp2(MgKernel *k, X x) {
    X none = less(k, x, num(k, -151));
    x = at_most(k, k->scaleb ? x : at_least(k, x, -151), 129);
    X rounder = num(k, steps(k)), shifted = add(k, x, rounder);
    MgExponent e = {sub(k, shifted, rounder), shifted, k->lookup4};
    X r = sub(k, x, e.n);
    X fraction = mg_math_has_table(k) ? power(k, r, e).fraction
                                      : fused(k, r, POLYNOMIAL(k, exp2_poly, r), num(k, 1));
    return mg_math_scale(k, fraction, e, less(k, num(k, 0), x), none);
}

// 2^n (expm1(r) + 1) - 1, computed as twice 2^(n-1) expm1(r) + (2^(n-1) - 1/2): the difference is
// exact where it matters.
X mg_math_expm1(MgKernel *k, X x) {
    MgExponent n;
    X y = at_most(k, at_least(k, x, -18), 89), r = reduce(k, y, &n, ROUNDER);
    X p = fused(k, mul(k, r, r), POLYNOMIAL(k, expm1_poly, r), r);
    X half = mg_math_power_of_two(k, n, -1);
    X e = fused(k, p, half, sub(k, half, num(k, 0.5)));
    e = add(k, e, e);
    return mg_kwhere(k, less(k, magnitude(k, x), num(k, 0x1p-25)), x, e); // and for -0
}

// ---------------------------------------------------------------- hyperbolic functions

// exp(a) / 2 for a >= 0. It overflows only where sinh and cosh may.
static X half_exp(MgKernel *k, X a) {
    MgExpParts e = mg_math_exp_parts(k, at_most(k, a, 90));
    if (k->scaleb)
        return mg_k2(k, MG_PRIM_SCALEB, e.fraction, sub(k, e.exponent.n, num(k, 1)));
    return mul(k, mul(k, e.fraction, mg_math_power_of_two(k, e.exponent, -65)), num(k, 0x1p64));
}

X mg_math_sinh(MgKernel *k, X x) {
    X a = magnitude(k, x), t = mul(k, a, a);
    X small = fused(k, mul(k, a, t), POLYNOMIAL(k, sinh_poly, t), a);
    X h = half_exp(k, a);
    X large = sub(k, h, quotient(k, num(k, 0.25), h));
    return signed_like(k, mg_kwhere(k, less(k, a, num(k, 1)), small, large), x);
}

X mg_math_cosh(MgKernel *k, X x) {
    X h = half_exp(k, magnitude(k, x));
    return add(k, h, quotient(k, num(k, 0.25), h));
}

// An odd polynomial below 0.625; above it 1 - 2 / (exp(2a) + 1), where the quotient is small.
X mg_math_tanh(MgKernel *k, X x) {
    X a = at_most(k, magnitude(k, x), 9.25), t = mul(k, a, a); // tanh is 1 beyond
    X small = fused(k, mul(k, a, t), POLYNOMIAL(k, tanh_poly, t), a);
    X e = mg_math_exp_bounded(k, add(k, a, a));
    X large = sub(k, num(k, 1), near_quotient(k, num(k, 2), add(k, e, num(k, 1))));
    return signed_like(k, mg_kwhere(k, less(k, a, num(k, 0.625)), small, large), x);
}
