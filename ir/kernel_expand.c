// Expands what a primitive defines but a machine instruction does not: division by zero, shifts by
// the width or more, flooring division, sign and magnitude of integers. Casts and mathematical
// functions have files of their own.
//
// Operands are shared freely; the legaliser names nodes that are used more than once.
#include "ir/kernel_expand.h"

const MgKx *mg_klike_int(MgKernel *k, const MgKx *x, MgDType dtype, int64_t value) {
    return mg_kconst(k, mg_kt(dtype, x->type.lanes), mg_bits_from_int(dtype, value));
}

const MgKx *mg_klike_float(MgKernel *k, const MgKx *x, MgDType dtype, double value) {
    return mg_kfloat(k, mg_kt(dtype, x->type.lanes), value);
}

static const MgKx *like(MgKernel *k, const MgKx *x, int64_t value) {
    return mg_klike_int(k, x, x->type.dtype, value);
}

// ---------------------------------------------------------------- division

static const MgKx *negative(MgKernel *k, const MgKx *x) {
    return mg_k2(k, MG_PRIM_LT, x, like(k, x, 0));
}

// Truncating or flooring division and remainder by a divisor that is neither 0 nor (if a is the
// lowest integer) -1.
static const MgKx *divide_safely(MgExpander *e, MgPrim prim, const MgKx *a, const MgKx *b) {
    MgKernel *k = e->k;
    bool floors = (prim == MG_PRIM_FDIV || prim == MG_PRIM_FMOD) && mg_is_signed(a->type.dtype);
    bool divides = prim == MG_PRIM_FDIV || prim == MG_PRIM_DIV;
    const MgKx *r = mg_k2(k, MG_PRIM_REM, a, b), *q = mg_k2(k, MG_PRIM_DIV, a, b);
    if (!floors)
        return divides ? q : r;
    // Subtracts 1, or adds b, if the remainder is not zero and its sign differs from b's.
    const MgKx *off = mg_k2(k, MG_PRIM_AND, mg_k2(k, MG_PRIM_NE, r, like(k, r, 0)),
                            negative(k, mg_k2(k, MG_PRIM_XOR, r, b)));
    if (divides)
        return mg_kwhere(k, off, mg_k2(k, MG_PRIM_SUB, q, like(k, q, 1)), q);
    return mg_kwhere(k, off, mg_kadd(k, r, b), r);
}

static const MgKx *divide_by_constant(MgExpander *e, MgPrim prim, const MgKx *a, const MgKx *b,
                                      int64_t c) {
    MgKernel *k = e->k;
    bool divides = prim == MG_PRIM_FDIV || prim == MG_PRIM_DIV;
    bool is_signed = mg_is_signed(a->type.dtype);
    bool positive = !is_signed || e->nonnegative(e->ctx, a);
    bool floors = positive || prim == MG_PRIM_FDIV || prim == MG_PRIM_FMOD;
    if (is_signed && c == -1)
        return divides ? mg_k1(k, MG_PRIM_NEG, a) : like(k, a, 0);
    if (c > 0 && (c & (c - 1)) == 0 && floors) {
        if (divides)
            return mg_k2(k, MG_PRIM_SHR, a, like(k, a, __builtin_ctzll((uint64_t)c)));
        return mg_k2(k, MG_PRIM_AND, a, like(k, a, c - 1));
    }
    if (positive && c > 0)
        prim = divides ? MG_PRIM_DIV : MG_PRIM_REM;
    return divide_safely(e, prim, a, b);
}

static const MgKx *divide(MgExpander *e, MgPrim prim, const MgKx *a, const MgKx *b) {
    MgKernel *k = e->k;
    int64_t c;
    if (mg_kx_is_int(b, &c) && c != 0)
        return divide_by_constant(e, prim, a, b, c);
    bool divides = prim == MG_PRIM_FDIV || prim == MG_PRIM_DIV;
    const MgKx *zero = mg_k2(k, MG_PRIM_EQ, b, like(k, b, 0)), *bad = zero;
    bool plain =
        mg_is_signed(a->type.dtype) && e->nonnegative(e->ctx, a) && e->nonnegative(e->ctx, b);
    if (plain)
        prim = divides ? MG_PRIM_DIV : MG_PRIM_REM;
    else if (mg_is_signed(a->type.dtype)) {
        const MgKx *lowest = mg_kconst(k, a->type, mg_lowest(a->type.dtype));
        bad = mg_k2(k, MG_PRIM_OR, bad,
                    mg_k2(k, MG_PRIM_AND, mg_k2(k, MG_PRIM_EQ, b, like(k, b, -1)),
                          mg_k2(k, MG_PRIM_EQ, a, lowest)));
    }
    // Divides by 1 instead. So the lowest / -1 wraps to itself and every remainder is 0, as
    // defined.
    const MgKx *x = divide_safely(e, prim, a, mg_kwhere(k, bad, like(k, b, 1), b));
    return divides ? mg_kwhere(k, zero, like(k, a, 0), x) : x;
}

// ---------------------------------------------------------------- the rest

static const MgKx *shift(MgExpander *e, MgPrim prim, const MgKx *a, const MgKx *b) {
    MgKernel *k = e->k;
    int64_t c, width = mg_dtype(a->type.dtype)->bits;
    bool constant = mg_kx_is_int(b, &c),
         arithmetic = prim == MG_PRIM_SHR && mg_is_signed(a->type.dtype);
    if (constant && c >= 0 && c < width)
        return mg_k2(k, prim, a, b);
    // A signed negative count must fail the test, too.
    const MgKx *inside = mg_k2(k, MG_PRIM_LT, b, like(k, b, width));
    if (mg_is_signed(b->type.dtype))
        inside = mg_k2(k, MG_PRIM_AND, inside, mg_k2(k, MG_PRIM_GE, b, like(k, b, 0)));
    const MgKx *count = mg_kwhere(k, inside, b, like(k, b, arithmetic ? width - 1 : 0));
    const MgKx *x = mg_k2(k, prim, a, count);
    return arithmetic ? x : mg_kwhere(k, inside, x, like(k, a, 0));
}

static const MgKx *sign(MgKernel *k, const MgKx *x) {
    if (mg_is_float(x->type.dtype)) {
        const MgKx *zero = mg_klike_float(k, x, x->type.dtype, 0);
        const MgKx *below = mg_kwhere(k, mg_k2(k, MG_PRIM_LT, x, zero),
                                      mg_klike_float(k, x, x->type.dtype, -1), zero);
        const MgKx *s = mg_kwhere(k, mg_k2(k, MG_PRIM_GT, x, zero),
                                  mg_klike_float(k, x, x->type.dtype, 1), below);
        return mg_kwhere(k, mg_k1(k, MG_PRIM_ISNAN, x), x, s);
    }
    const MgKx *s =
        mg_kwhere(k, mg_k2(k, MG_PRIM_NE, x, like(k, x, 0)), like(k, x, 1), like(k, x, 0));
    return mg_is_signed(x->type.dtype) ? mg_kwhere(k, negative(k, x), like(k, x, -1), s) : s;
}

static const MgKx *magnitude(MgKernel *k, const MgKx *x) {
    return mg_is_signed(x->type.dtype) ? mg_kwhere(k, negative(k, x), mg_k1(k, MG_PRIM_NEG, x), x)
                                       : x;
}

const MgKx *mg_expand_prim(MgExpander *e, const MgKx *x, const MgKx *const *args) {
    MgDType d = args[0]->type.dtype;
    switch (x->prim) {
    case MG_PRIM_CAST:
    case MG_PRIM_SATURATE:
        return mg_expand_cast(e, x->prim, x->type.dtype, args[0]);
    case MG_PRIM_BITCAST:
        return mg_kcast(e->k, x->prim, x->type.dtype, args[0]);
    case MG_PRIM_DIV:
    case MG_PRIM_REM:
    case MG_PRIM_FDIV:
    case MG_PRIM_FMOD:
        if (mg_is_int(d))
            return divide(e, x->prim, args[0], args[1]);
        break;
    case MG_PRIM_SHL:
    case MG_PRIM_SHR:
        return shift(e, x->prim, args[0], args[1]);
    case MG_PRIM_SCALEB:
        return mg_expand_scaleb(e->k, args[0], args[1]);
    case MG_PRIM_SIGN:
        return sign(e->k, args[0]);
    case MG_PRIM_ABS:
        if (mg_is_int(d))
            return magnitude(e->k, args[0]);
        break;
    default:
        break;
    }
    bool math = mg_prim(x->prim)->kind == MG_KIND_APPROX || x->prim == MG_PRIM_REM;
    bool constant = args[0]->kind == MG_KX_CONST && (x->n_args < 2 || args[1]->kind == MG_KX_CONST);
    bool rough = x->near && !constant && e->options->rough_exp2;
    if (rough && x->prim == MG_PRIM_EXP2)
        return mg_kexp2_rough(e->k, args[0]);
    if (rough && x->prim == MG_PRIM_ERFC && e->options->keeps_math)
        return mg_kerfc_near(e->k, args[0]);
    if (math && d == MG_F32 && !constant && !e->options->keeps_math)
        return mg_expand_math(e->k, x, args[0], x->n_args > 1 ? args[1] : NULL);
    return mg_kprim(e->k, x->prim, args[0], x->n_args > 1 ? args[1] : NULL,
                    x->n_args > 2 ? args[2] : NULL);
}
