// Folds expressions that are known at compile time: constants, integers over indices, conversions.
// Identities that patterns can express are in rules.def instead. The value stays the same at every
// point, bit for bit. Each rewrite turns a node into a simpler kind, so rewriting ends.
#include "passes/simplify.h"

static bool is_compute_type(MgDType d) {
    return mg_dtype(d)->compute == d;
}

// ---------------------------------------------------------------- constants

static const MgSx *fold_constants(MgModule *m, const MgSx *x) {
    MgBits bits[4];
    uint32_t first = x->prim == MG_PRIM_WHERE ? 1 : 0;
    if (!is_compute_type(x->dtype) || x->n_args > 4)
        return x;
    for (uint32_t i = 0; i < x->n_args; i++) {
        if (x->args[i]->kind != MG_SX_CONST)
            return x;
        bits[i] = x->args[i]->bits;
    }
    return mg_sx_const(m, x->dtype, mg_prim_eval(x->prim, x->args[first]->dtype, x->dtype, bits));
}

// f32(f16(c)): the inner type is not a compute type, so both conversions fold together.
static const MgSx *fold_rounding(MgModule *m, const MgSx *x) {
    const MgSx *inner = x->args[0];
    if (inner->kind != MG_SX_PRIM || mg_prim(inner->prim)->result != MG_RESULT_CONVERT ||
        inner->args[0]->kind != MG_SX_CONST)
        return x;
    const MgSx *c = inner->args[0];
    MgBits stored = mg_prim_eval(inner->prim, c->dtype, inner->dtype, &c->bits);
    return mg_sx_const(m, x->dtype, mg_prim_eval(x->prim, inner->dtype, x->dtype, &stored));
}

// ---------------------------------------------------------------- integers over indices

static bool as_ix(MgIxTable *t, const MgSx *x, MgIx *ix) {
    if (x->kind == MG_SX_CONST)
        *ix = mg_ix_const(t, mg_bits_to_int(x->dtype, x->bits));
    else
        *ix = x->ix;
    return x->kind == MG_SX_CONST || x->kind == MG_SX_IX;
}

static const MgSx *fold_indices(MgModule *m, const MgSx *x) {
    MgIxTable *t = m->ix;
    MgIx a = 0, b = 0, r = MG_IX_ERROR;
    if (x->dtype != MG_I64 || !as_ix(t, x->args[0], &a) ||
        (x->n_args > 1 && !as_ix(t, x->args[1], &b)))
        return x;
    switch (x->prim) {
    case MG_PRIM_ADD:
        r = mg_ix_add(t, a, b);
        break;
    case MG_PRIM_SUB:
        r = mg_ix_sub(t, a, b);
        break;
    case MG_PRIM_MUL:
        r = mg_ix_mul(t, a, b);
        break;
    case MG_PRIM_NEG:
        r = mg_ix_neg(t, a);
        break;
    case MG_PRIM_MIN:
        r = mg_ix_min(t, a, b);
        break;
    case MG_PRIM_MAX:
        r = mg_ix_max(t, a, b);
        break;
    case MG_PRIM_FDIV:
        r = mg_ix_div(t, a, b);
        break;
    default:
        break;
    }
    return r ? mg_sx_ix(m, MG_I64, r) : x;
}

// ---------------------------------------------------------------- one primitive

static const MgSx *simplify_cast(MgModule *m, const MgSx *x) {
    const MgSx *a = x->args[0];
    if (a->dtype == x->dtype)
        return a;
    // An index has no type of its own, so converting it to a float rounds once in both cases.
    if (a->kind == MG_SX_IX && a->dtype == MG_I64 && (x->dtype == MG_F32 || x->dtype == MG_F64))
        return mg_sx_ix(m, x->dtype, a->ix);
    return fold_rounding(m, x);
}

// A bitcast and its inverse give the original bits.
static const MgSx *simplify_bitcast(const MgSx *x) {
    const MgSx *a = x->args[0];
    bool back = a->kind == MG_SX_PRIM && a->prim == MG_PRIM_BITCAST;
    return back && a->args[0]->dtype == x->dtype ? a->args[0] : x;
}

const MgSx *mg_simplify_prim(MgModule *m, const MgSx *x) {
    const MgSx *r = fold_constants(m, x);
    if (r == x && x->prim == MG_PRIM_CAST)
        r = simplify_cast(m, x);
    if (r == x && x->prim == MG_PRIM_BITCAST)
        r = simplify_bitcast(x);
    return r == x ? fold_indices(m, x) : r;
}
