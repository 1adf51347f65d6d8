// Circular functions and their inverses.
//
// Every angle is reduced by the method of Payne and Hanek ("Radian reduction for trigonometric
// functions", 1983): x = m 2^e times the 96 bits of 2/pi that matter for this e, in integers. The
// part of the product above 4 is never computed, so large arguments are reduced like small ones.
#include "ir/kernel_math.h"

#include "ir/kernel_polynomials.h"

typedef struct Angle {
    X rest;     // in [-pi/4, pi/4]
    X quadrant; // u32, modulo 4
} Angle;

// Word i + j of the sequence (a word of zeros, then 2/pi), for i in 0..4.
static X word_at(MgKernel *k, X i, uint32_t j) {
    X w = word(k, two_over_pi[3 + j]);
    for (uint32_t n = 4; n-- > 0;)
        w = mg_kwhere(k, less(k, i, word(k, n + 1)), word(k, n + j ? two_over_pi[n + j - 1] : 0),
                      w);
    return w;
}

// 32 bits of the pair (high, low), from bit `shift` on.
static X window(MgKernel *k, X high, X low, X shift) {
    X rest = mg_k2(k, MG_PRIM_SHR, shr(k, low, 1), sub(k, word(k, 31), shift));
    return either(k, mg_k2(k, MG_PRIM_SHL, high, shift), rest);
}

static X wide(MgKernel *k, X a) {
    return cast(k, MG_U64, a);
}

static X word64(MgKernel *k, uint64_t value) {
    return mg_kconst(k, mg_kt(MG_U64, 1), value);
}

// a * 2/pi modulo 4 as 2 + 62 bits, for a >= 1/2.
static X quarters(MgKernel *k, X a) {
    X b = bits(k, a);
    X m = wide(k, either(k, both(k, b, word(k, 0x7fffff)), word(k, 0x800000)));
    X offset = sub(k, shr(k, b, 23), word(k, 120)), shift = both(k, offset, word(k, 31));
    X i = shr(k, offset, 5), words[4];
    for (uint32_t j = 0; j < 4; j++)
        words[j] = word_at(k, i, j);
    X top = mul(k, m, wide(k, window(k, words[0], words[1], shift)));
    X middle = mul(k, m, wide(k, window(k, words[1], words[2], shift)));
    X low = mul(k, m, wide(k, window(k, words[2], words[3], shift)));
    return add(k, add(k, shl(k, top, 32), middle), shr(k, low, 32));
}

static Angle reduce(MgKernel *k, X a) {
    X p = quarters(k, a);
    X quadrant = cast(k, MG_U32, shr(k, add(k, p, word64(k, 1ull << 61)), 62));
    X f = shl(k, p, 2); // signed: in [-1/2, 1/2) quarters
    X high = mg_kcast(k, MG_PRIM_BITCAST, MG_I32, cast(k, MG_U32, shr(k, f, 32)));
    X low = mg_kcast(k, MG_PRIM_BITCAST, MG_I32, shr(k, cast(k, MG_U32, f), 1));
    X sum = fused(k, cast(k, MG_F64, low), num64(k, 0x1p-31), cast(k, MG_F64, high));
    X rest = cast(k, MG_F32, mul(k, sum, num64(k, 0x1.921fb54442d18p+0 * 0x1p-32)));
    X small = less(k, a, num(k, 0x1.921fb6p-1)); // pi / 4
    return (Angle){mg_kwhere(k, small, a, rest), mg_kwhere(k, small, word(k, 0), quadrant)};
}

static X sine(MgKernel *k, X r) {
    X t = mul(k, r, r);
    return fused(k, mul(k, r, t), POLYNOMIAL(k, sin_poly, t), r);
}

static X cosine(MgKernel *k, X r) {
    X t = mul(k, r, r);
    X head = fused(k, t, num(k, -0.5), num(k, 1));
    return fused(k, mul(k, t, t), POLYNOMIAL(k, cos_poly, t), head);
}

// sin of an angle: the quadrant's low bit chooses sine or cosine of the rest; its other bit and
// `sign` negate.
static X by_quadrant(MgKernel *k, Angle angle, X quadrant, X sign) {
    X odd = equal(k, both(k, quadrant, word(k, 1)), word(k, 1));
    X y = mg_kwhere(k, odd, cosine(k, angle.rest), sine(k, angle.rest));
    X flip = shl(k, both(k, quadrant, word(k, 2)), 30);
    if (sign)
        flip = mg_k2(k, MG_PRIM_XOR, flip, sign);
    return real(k, mg_k2(k, MG_PRIM_XOR, bits(k, y), flip));
}

static X finite_only(MgKernel *k, X y, X a) {
    return mg_kwhere(k, less(k, a, num(k, INFINITY)), y, num(k, NAN));
}

static X sign_of(MgKernel *k, X x) {
    return both(k, bits(k, x), word(k, 0x80000000));
}

X mg_math_sin(MgKernel *k, X x) {
    X a = magnitude(k, x);
    Angle angle = reduce(k, a);
    return finite_only(k, by_quadrant(k, angle, angle.quadrant, sign_of(k, x)), a);
}

X mg_math_cos(MgKernel *k, X x) {
    X a = magnitude(k, x);
    Angle angle = reduce(k, a);
    return finite_only(k, by_quadrant(k, angle, add(k, angle.quadrant, word(k, 1)), NULL), a);
}

X mg_math_tan(MgKernel *k, X x) {
    X a = magnitude(k, x);
    Angle angle = reduce(k, a);
    X s = sine(k, angle.rest), c = cosine(k, angle.rest);
    X odd = equal(k, both(k, angle.quadrant, word(k, 1)), word(k, 1));
    X y = quotient(k, mg_kwhere(k, odd, mg_k1(k, MG_PRIM_NEG, c), s), mg_kwhere(k, odd, s, c));
    y = real(k, mg_k2(k, MG_PRIM_XOR, bits(k, y), sign_of(k, x)));
    return finite_only(k, y, a);
}

// ---------------------------------------------------------------- inverses

#define HALF_PI 0x1.921fb6p+0
#define HALF_PI_LOW -0x1.777a5cp-25

// asin(a), or for a > 1/2 asin(sqrt((1 - a) / 2)) = (pi/2 - asin(a)) / 2.
static X asin_part(MgKernel *k, X a, X large) {
    X t = mg_kwhere(k, large, mul(k, sub(k, num(k, 1), a), num(k, 0.5)), mul(k, a, a));
    X z = mg_kwhere(k, large, root(k, t), a);
    return fused(k, mul(k, z, t), POLYNOMIAL(k, asin_poly, t), z);
}

X mg_math_asin(MgKernel *k, X x) {
    X a = magnitude(k, x), large = less(k, num(k, 0.5), a), p = asin_part(k, a, large);
    X far = add(k, fused(k, p, num(k, -2), num(k, HALF_PI)), num(k, HALF_PI_LOW));
    return signed_like(k, mg_kwhere(k, large, far, p), x);
}

X mg_math_acos(MgKernel *k, X x) {
    X a = magnitude(k, x), large = less(k, num(k, 0.5), a), p = asin_part(k, a, large);
    X twice = add(k, p, p);
    X pi = add(k, sub(k, num(k, 2 * HALF_PI), twice), num(k, 2 * HALF_PI_LOW));
    X far = mg_kwhere(k, less(k, x, num(k, 0)), pi, twice);
    X near = add(k, sub(k, num(k, HALF_PI), signed_like(k, p, x)), num(k, HALF_PI_LOW));
    return mg_kwhere(k, large, far, near);
}

X mg_math_atan(MgKernel *k, X x) {
    X a = magnitude(k, x), large = less(k, num(k, 1), a);
    X z = mg_kwhere(k, large, quotient(k, num(k, 1), a), a), t = mul(k, z, z);
    X p = fused(k, mul(k, z, t), POLYNOMIAL(k, atan_poly, t), z);
    X far = add(k, sub(k, num(k, HALF_PI), p), num(k, HALF_PI_LOW));
    return signed_like(k, mg_kwhere(k, large, far, p), x);
}
