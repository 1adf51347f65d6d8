// Conversions between element types, in operations that every target has.
//
// A backend still does these: float to i32, i64, u32, u64 with the operand inside the range;
// integers to integers (wrapping); integers to f32 and f64; f32 to f64 and back; f32 to f16 and
// back, and f32 to bf16, if the target has them. Otherwise narrowing to 16-bit floats works on the
// bits: half to even, and NaN becomes quiet and keeps the upper bits of its payload. From wider
// types it goes through f32 rounded to odd, so that the value is rounded once (Boldo and Melquiond,
// "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
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

// ---------------------------------------------------------------- 16-bit floats

static const MgKx *widen(MgExpander *e, const MgKx *x) { // to f32
    MgKernel *k = e->k;
    if (x->type.dtype == MG_F16 && e->options->f16)
        return mg_kcast(k, MG_PRIM_CAST, MG_F32, x);
    const MgKx *h = mg_kcast(k, MG_PRIM_CAST, MG_U32, mg_kcast(k, MG_PRIM_BITCAST, MG_U16, x));
    if (x->type.dtype == MG_BF16)
        return float_of(k, with(k, MG_PRIM_SHL, h, 16));
    const MgKx *sign = with(k, MG_PRIM_SHL, with(k, MG_PRIM_AND, h, 0x8000), 16);
    const MgKx *magnitude = with(k, MG_PRIM_AND, h, 0x7fff);
    const MgKx *shifted = with(k, MG_PRIM_SHL, magnitude, 13);
    const MgKx *normal = with(k, MG_PRIM_ADD, shifted, 112u << 23);
    const MgKx *special = with(k, MG_PRIM_OR, shifted, 0x7f800000); // infinity and NaN
    const MgKx *tiny = mg_kmul(k, mg_kcast(k, MG_PRIM_CAST, MG_F32, magnitude),
                               mg_klike_float(k, x, MG_F32, 0x1p-24));
    const MgKx *wide = mg_kwhere(k, with(k, MG_PRIM_GE, magnitude, 0x7c00), special, normal);
    wide = mg_kwhere(k, with(k, MG_PRIM_LT, magnitude, 0x0400), bits_of(k, tiny), wide);
    return float_of(k, mg_k2(k, MG_PRIM_OR, wide, sign));
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

static const MgKx *to_half(MgKernel *k, const MgKx *bits) {
    const MgKx *sign = with(k, MG_PRIM_AND, with(k, MG_PRIM_SHR, bits, 16), 0x8000);
    const MgKx *magnitude = with(k, MG_PRIM_AND, bits, 0x7fffffff);
    const MgKx *normal = shift_to_even(k, with(k, MG_PRIM_SUB, magnitude, 112u << 23), 13);
    // Below 2^-14 the result is a multiple of 2^-24. That is the spacing of f32 at 0.5, so adding
    // 0.5 rounds it.
    const MgKx *half = mg_klike_float(k, bits, MG_F32, 0.5);
    const MgKx *tiny =
        with(k, MG_PRIM_SUB, bits_of(k, mg_kadd(k, float_of(k, magnitude), half)), 0x3f000000);
    const MgKx *payload = with(k, MG_PRIM_AND, with(k, MG_PRIM_SHR, magnitude, 13), 0x3ff);
    const MgKx *nan = with(k, MG_PRIM_OR, payload, 0x7e00);
    const MgKx *h = mg_kwhere(k, with(k, MG_PRIM_LT, magnitude, 113u << 23), tiny, normal);
    h = mg_kwhere(k, with(k, MG_PRIM_GE, magnitude, 0x477ff000), u32(k, bits, 0x7c00), h); // 65520
    h = mg_kwhere(k, with(k, MG_PRIM_GT, magnitude, 0x7f800000), nan, h);
    return mg_k2(k, MG_PRIM_OR, h, sign);
}

static const MgKx *narrow(MgExpander *e, MgDType to, const MgKx *x) { // from f32
    MgKernel *k = e->k;
    if (to == MG_F16 ? e->options->f16 : e->options->bf16)
        return mg_kcast(k, MG_PRIM_CAST, to, x);
    const MgKx *bits = to == MG_F16 ? to_half(k, bits_of(k, x)) : to_bfloat(k, bits_of(k, x));
    return mg_kcast(k, MG_PRIM_BITCAST, to, mg_kcast(k, MG_PRIM_CAST, MG_U16, bits));
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
    if (from == MG_F16 || from == MG_BF16) {
        const MgKx *wide = widen(e, x);
        return to == MG_F32 ? wide : mg_expand_cast(e, prim, to, wide);
    }
    if (to == MG_BOOL)
        return mg_k2(k, MG_PRIM_NE, x, mg_klike_int(k, x, from, 0));
    if (to == MG_F16 || to == MG_BF16)
        return to_short_float(e, to, x);
    if (mg_is_float(from) && mg_is_int(to))
        return float_to_int(k, to, x);
    if (prim == MG_PRIM_SATURATE && mg_is_int(from) && mg_is_int(to))
        return clamp(k, to, x);
    return mg_kcast(k, MG_PRIM_CAST, to, x);
}
