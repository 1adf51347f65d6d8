// Conversions between element types, in operations that every target has.
//
// A backend still does these: float to i32, i64, u32, u64 with the operand inside the range;
// integers to integers (wrapping); integers to f32 and f64; f32 to f64 and back; f32 to f16 and
// back, and f32 to bf16, if the target has them. Otherwise narrowing to floats of 16 and 8 bits
// works on the bits: half to even; NaN becomes quiet, and in 16 bits it keeps the upper bits of its
// payload. From wider types it goes through f32 rounded to odd, so that the value is rounded once
// (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using
// rounding to odd", 2008).
#include "ir/kernel_expand.h"

#include <math.h>

static const MgKx *bits_of(MgKernel *k, const MgKx *x) { // bits of an f32
    return mg_kcast(k, MG_PRIM_BITCAST, MG_U32, x);
}

static const MgKx *float_of(MgKernel *k, const MgKx *bits) {
    return mg_kcast(k, MG_PRIM_BITCAST, MG_F32, bits);
}

static const MgKx *u32(MgKernel *k, const MgKx *x, uint32_t value) {
    return mg_klike_int(k, x, MG_U32, value);
}

static const MgKx *with(MgKernel *k, MgPrim prim, const MgKx *x, uint32_t value) {
    return mg_k2(k, prim, x, u32(k, x, value));
}

static const MgKx *like16(MgKernel *k, MgPrim prim, const MgKx *x, uint16_t value) {
    return mg_k2(k, prim, x, mg_klike_int(k, x, MG_U16, value));
}

// ---------------------------------------------------------------- short floats

static const MgKx *half_to_float(MgKernel *k, const MgKx *h) { // h: the bits, in a u32
    const MgKx *sign = with(k, MG_PRIM_SHL, with(k, MG_PRIM_AND, h, 0x8000), 16);
    const MgKx *magnitude = with(k, MG_PRIM_AND, h, 0x7fff);
    const MgKx *shifted = with(k, MG_PRIM_SHL, magnitude, 13);
    const MgKx *normal = with(k, MG_PRIM_ADD, shifted, 112u << 23);
    const MgKx *special = with(k, MG_PRIM_OR, shifted, 0x7f800000); // infinity and NaN
    const MgKx *tiny = mg_kmul(k, mg_kcast(k, MG_PRIM_CAST, MG_F32, magnitude),
                               mg_klike_float(k, h, MG_F32, 0x1p-24));
    const MgKx *wide = mg_kwhere(k, with(k, MG_PRIM_GE, magnitude, 0x7c00), special, normal);
    wide = mg_kwhere(k, with(k, MG_PRIM_LT, magnitude, 0x0400), bits_of(k, tiny), wide);
    return float_of(k, mg_k2(k, MG_PRIM_OR, wide, sign));
}

static const MgKx *widen_half(MgExpander *e, const MgKx *x) {
    MgKernel *k = e->k;
    if (e->options->f16)
        return mg_kcast(k, MG_PRIM_CAST, MG_F32, x);
    return half_to_float(
        k, mg_kcast(k, MG_PRIM_CAST, MG_U32, mg_kcast(k, MG_PRIM_BITCAST, MG_U16, x)));
}

// A float of 8 bits is widened as the f16 that has its bits at the upper end. An f8e4m3 has one bit
// of exponent less, so it is 256 times that number.
static const MgKx *widen_byte(MgExpander *e, const MgKx *x) {
    MgKernel *k = e->k;
    const MgKx *h = mg_kcast(k, MG_PRIM_CAST, MG_U16, mg_kcast(k, MG_PRIM_BITCAST, MG_U8, x));
    if (x->type.dtype == MG_F8E5M2)
        return widen_half(e, mg_kcast(k, MG_PRIM_BITCAST, MG_F16, like16(k, MG_PRIM_SHL, h, 8)));
    const MgKx *magnitude = like16(k, MG_PRIM_AND, h, 0x7f);
    const MgKx *sign = like16(k, MG_PRIM_SHL, like16(k, MG_PRIM_AND, h, 0x80), 8);
    const MgKx *half =
        mg_kwhere(k, like16(k, MG_PRIM_EQ, magnitude, 0x7f), mg_klike_int(k, x, MG_U16, 0x7e00),
                  like16(k, MG_PRIM_SHL, magnitude, 7));
    half = mg_kcast(k, MG_PRIM_BITCAST, MG_F16, mg_k2(k, MG_PRIM_OR, half, sign));
    return mg_kmul(k, widen_half(e, half), mg_klike_float(k, x, MG_F32, 256));
}

static const MgKx *widen(MgExpander *e, const MgKx *x) { // to f32
    MgKernel *k = e->k;
    if (mg_dtype(x->type.dtype)->bits == 8)
        return widen_byte(e, x);
    if (x->type.dtype == MG_F16)
        return widen_half(e, x);
    const MgKx *h = mg_kcast(k, MG_PRIM_CAST, MG_U32, mg_kcast(k, MG_PRIM_BITCAST, MG_U16, x));
    return float_of(k, with(k, MG_PRIM_SHL, h, 16));
}

// Computes bits >> shift, rounded half to even.
static const MgKx *shift_to_even(MgKernel *k, const MgKx *bits, uint32_t shift) {
    const MgKx *odd = with(k, MG_PRIM_AND, with(k, MG_PRIM_SHR, bits, shift), 1);
    const MgKx *half = with(k, MG_PRIM_ADD, bits, (1u << (shift - 1)) - 1);
    return with(k, MG_PRIM_SHR, mg_kadd(k, half, odd), shift);
}

static const MgKx *to_bfloat(MgKernel *k, const MgKx *bits) {
    const MgKx *quiet = with(k, MG_PRIM_OR, with(k, MG_PRIM_SHR, bits, 16), 0x40);
    const MgKx *nan = with(k, MG_PRIM_GT, with(k, MG_PRIM_AND, bits, 0x7fffffff), 0x7f800000);
    return mg_kwhere(k, nan, quiet, shift_to_even(k, bits, 16));
}

// A format with the exponents of f32, but fewer: `digits` bits of mantissa, 1 has exponent `bias`,
// and `over` is the code of a magnitude that is too large.
typedef struct Format {
    uint32_t digits, bias, over;
} Format;

// The code of a magnitude, given by its bits. A NaN is too large.
static const MgKx *to_code(MgKernel *k, const MgKx *magnitude, Format f) {
    const MgKx *normal =
        shift_to_even(k, with(k, MG_PRIM_SUB, magnitude, (127 - f.bias) << 23), 23 - f.digits);
    // Below the least normal number the result is a multiple of the least number. A power of two
    // whose neighbours in f32 are as far apart, if it is added, rounds to that.
    uint32_t power = 151 - f.bias - f.digits;
    const MgKx *least = u32(k, magnitude, power << 23);
    const MgKx *sum = mg_kadd(k, float_of(k, magnitude), float_of(k, least));
    const MgKx *tiny = mg_k2(k, MG_PRIM_SUB, bits_of(k, sum), least);
    const MgKx *code =
        mg_kwhere(k, with(k, MG_PRIM_LT, magnitude, (128 - f.bias) << 23), tiny, normal);
    return with(k, MG_PRIM_MIN, code, f.over);
}

// The bits of a short float but bf16, in a u32.
static const MgKx *to_short_bits(MgKernel *k, MgDType to, const MgKx *bits) {
    bool half = to == MG_F16;
    const Format f = half              ? (Format){10, 15, 0x7c00}
                     : to == MG_F8E5M2 ? (Format){2, 15, 0x7c}
                                       : (Format){3, 7, 0x7f};
    const MgKx *sign =
        with(k, MG_PRIM_AND, with(k, MG_PRIM_SHR, bits, half ? 16 : 24), half ? 0x8000 : 0x80);
    const MgKx *magnitude = with(k, MG_PRIM_AND, bits, 0x7fffffff);
    const MgKx *code = to_code(k, magnitude, f);
    const MgKx *payload = with(k, MG_PRIM_AND, with(k, MG_PRIM_SHR, magnitude, 13), 0x3ff);
    const MgKx *nan = half ? with(k, MG_PRIM_OR, payload, 0x7e00) : u32(k, bits, 0x7f);
    if (to != MG_F8E4M3) // there, what is too large is NaN
        code = mg_kwhere(k, with(k, MG_PRIM_GT, magnitude, 0x7f800000), nan, code);
    return mg_k2(k, MG_PRIM_OR, code, sign);
}

static const MgKx *narrow(MgExpander *e, MgDType to, const MgKx *x) { // from f32
    MgKernel *k = e->k;
    if ((to == MG_F16 && e->options->f16) || (to == MG_BF16 && e->options->bf16))
        return mg_kcast(k, MG_PRIM_CAST, to, x);
    const MgKx *bits =
        to == MG_BF16 ? to_bfloat(k, bits_of(k, x)) : to_short_bits(k, to, bits_of(k, x));
    MgDType stored = mg_dtype(to)->bits == 16 ? MG_U16 : MG_U8;
    return mg_kcast(k, MG_PRIM_BITCAST, to, mg_kcast(k, MG_PRIM_CAST, stored, bits));
}

// f64 to f32, toward zero, with the last bit set if anything was lost.
static const MgKx *round_to_odd(MgKernel *k, const MgKx *x) {
    const MgKx *f = mg_kcast(k, MG_PRIM_CAST, MG_F32, x), *bits = bits_of(k, f);
    const MgKx *back = mg_kcast(k, MG_PRIM_CAST, MG_F64, f);
    const MgKx *above = mg_k2(k, MG_PRIM_GT, mg_k1(k, MG_PRIM_ABS, back), mg_k1(k, MG_PRIM_ABS, x));
    const MgKx *cut = mg_kwhere(k, above, with(k, MG_PRIM_SUB, bits, 1), bits);
    const MgKx *odd = with(k, MG_PRIM_OR, cut, 1);
    return float_of(k, mg_kwhere(k, mg_k2(k, MG_PRIM_NE, back, x), odd, bits));
}

// A 64-bit integer as f64, with the loss of low bits marked in a bit that f64 keeps. The magnitude
// is marked, not the value, so that the rounding is toward zero for both signs.
static const MgKx *int_to_odd(MgKernel *k, const MgKx *x) {
    const MgKx *zero = mg_klike_int(k, x, x->type.dtype, 0);
    bool is_signed = mg_is_signed(x->type.dtype);
    const MgKx *below = mg_k2(k, MG_PRIM_LT, x, zero);
    const MgKx *m = is_signed ? mg_kwhere(k, below, mg_k1(k, MG_PRIM_NEG, x), x) : x;
    m = mg_kcast(k, MG_PRIM_CAST, MG_U64, m);
    const MgKx *low = mg_k2(k, MG_PRIM_AND, m, mg_klike_int(k, x, MG_U64, 0x7ff));
    const MgKx *kept = mg_k2(k, MG_PRIM_AND, m, mg_klike_int(k, x, MG_U64, ~(int64_t)0x7ff));
    const MgKx *marked = mg_k2(k, MG_PRIM_OR, kept, mg_klike_int(k, x, MG_U64, 0x800));
    const MgKx *none = mg_klike_int(k, x, MG_U64, 0);
    const MgKx *large = mg_k2(k, MG_PRIM_GE, m, mg_klike_int(k, x, MG_U64, (int64_t)1 << 53));
    const MgKx *loses = mg_k2(k, MG_PRIM_AND, large, mg_k2(k, MG_PRIM_NE, low, none));
    const MgKx *f = mg_kcast(k, MG_PRIM_CAST, MG_F64, mg_kwhere(k, loses, marked, m));
    return is_signed ? mg_kwhere(k, below, mg_k1(k, MG_PRIM_NEG, f), f) : f;
}

// ---------------------------------------------------------------- integers

static const MgKx *float_to_int(MgKernel *k, MgDType to, const MgKx *x) {
    uint32_t bits = mg_dtype(to)->bits;
    bool is_signed = mg_is_signed(to);
    const MgKx *low = mg_klike_float(k, x, x->type.dtype, is_signed ? -ldexp(1, (int)bits - 1) : 0);
    const MgKx *high = mg_klike_float(k, x, x->type.dtype, ldexp(1, (int)bits - is_signed));
    const MgKx *zero = mg_klike_float(k, x, x->type.dtype, 0);
    const MgKx *inside =
        mg_k2(k, MG_PRIM_AND, mg_k2(k, MG_PRIM_GE, x, low), mg_k2(k, MG_PRIM_LT, x, high));
    const MgKx *y =
        mg_kcast(k, MG_PRIM_CAST, bits < 32 ? MG_I32 : to, mg_kwhere(k, inside, x, zero));
    y = mg_kcast(k, MG_PRIM_CAST, to, y);
    y = mg_kwhere(k, mg_k2(k, MG_PRIM_LT, x, low), mg_kconst(k, y->type, mg_lowest(to)), y);
    return mg_kwhere(k, mg_k2(k, MG_PRIM_GE, x, high), mg_kconst(k, y->type, mg_highest(to)), y);
}

// Clamps in the source type, if a limit of the target lies inside the source's range.
static const MgKx *clamp(MgKernel *k, MgDType to, const MgKx *x) {
    MgDType from = x->type.dtype;
    bool from_signed = mg_is_signed(from), to_signed = mg_is_signed(to);
    uint32_t from_bits = mg_dtype(from)->bits - from_signed,
             to_bits = mg_dtype(to)->bits - to_signed;
    if (to_bits < from_bits) {
        const MgKx *high = mg_kconst(k, x->type, mg_highest(to));
        x = mg_k2(k, MG_PRIM_MIN, x, high);
    }
    if (from_signed && (!to_signed || to_bits < from_bits)) {
        const MgKx *low = mg_klike_int(k, x, from, mg_bits_to_int(to, mg_lowest(to)));
        x = mg_k2(k, MG_PRIM_MAX, x, low);
    }
    return mg_kcast(k, MG_PRIM_CAST, to, x);
}

static const MgKx *to_short_float(MgExpander *e, MgDType to, const MgKx *x) {
    MgKernel *k = e->k;
    MgDType from = x->type.dtype;
    uint32_t bits = mg_dtype(from)->bits;
    if (mg_is_int(from) && bits <= 16)
        return narrow(e, to, mg_kcast(k, MG_PRIM_CAST, MG_F32, x));
    if (mg_is_int(from))
        x = bits == 64 ? int_to_odd(k, x) : mg_kcast(k, MG_PRIM_CAST, MG_F64, x);
    return narrow(e, to, x->type.dtype == MG_F64 ? round_to_odd(k, x) : x);
}

const MgKx *mg_expand_cast(MgExpander *e, MgPrim prim, MgDType to, const MgKx *x) {
    MgKernel *k = e->k;
    MgDType from = x->type.dtype;
    if (from == to || x->kind == MG_KX_CONST)
        return mg_kcast(k, prim, to, x);
    if (from == MG_BOOL)
        return mg_kwhere(k, x, mg_klike_int(k, x, to, 1), mg_klike_int(k, x, to, 0));
    if (mg_is_short_float(from)) {
        const MgKx *wide = widen(e, x);
        return to == MG_F32 ? wide : mg_expand_cast(e, prim, to, wide);
    }
    if (to == MG_BOOL)
        return mg_k2(k, MG_PRIM_NE, x, mg_klike_int(k, x, from, 0));
    if (mg_is_short_float(to))
        return to_short_float(e, to, x);
    if (mg_is_float(from) && mg_is_int(to))
        return float_to_int(k, to, x);
    if (prim == MG_PRIM_SATURATE && mg_is_int(from) && mg_is_int(to))
        return clamp(k, to, x);
    return mg_kcast(k, MG_PRIM_CAST, to, x);
}
