// Exact identities of scalar expressions: bit for bit the same value at every point, NaN and the
// sign of zero included. Each makes the expression smaller, or turns a node into a simpler kind, so
// rewriting ends.
#include "passes/simplify.h"

// A constant equal to v, of the same sign where v is 0.
static bool equals(const MgSx *x, double v) {
    return x->kind == MG_SX_CONST && x->bits == mg_bits_from_double(x->dtype, v);
}

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

// f32(f16(c)): the type in between is no compute type, so the two fold together.
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
    // an index has no type of its own: as a float it is rounded once either way
    if (a->kind == MG_SX_IX && a->dtype == MG_I64 && (x->dtype == MG_F32 || x->dtype == MG_F64))
        return mg_sx_ix(m, x->dtype, a->ix);
    return fold_rounding(m, x);
}

static const MgSx *simplify_pow(MgModule *m, const MgSx *x) {
    if (equals(x->args[1], 1))
        return x->args[0];
    // the square of an f32 is exact in f64, so both round it once
    if (equals(x->args[1], 2) && x->dtype == MG_F32 && x->args[0]->kind == MG_SX_READ) {
        const MgSx *args[] = {x->args[0], x->args[0]};
        return mg_sx_prim(m, MG_PRIM_MUL, x->dtype, args, 2);
    }
    return x;
}

static const MgSx *simplify_by_prim(MgModule *m, const MgSx *x) {
    const MgSx *a = x->args[0], *b = x->n_args > 1 ? x->args[1] : NULL;
    bool integer = !mg_is_float(x->dtype);
    switch (x->prim) {
    case MG_PRIM_ADD: // x + -0.0 is x for every x; x + 0.0 loses the sign of -0.0
        if (equals(b, integer ? 0 : -0.0))
            return a;
        return equals(a, integer ? 0 : -0.0) ? b : x;
    case MG_PRIM_SUB:
        return equals(b, 0) ? a : x;
    case MG_PRIM_MUL:
        if (integer && (equals(a, 0) || equals(b, 0)))
            return mg_sx_int(m, x->dtype, 0);
        return equals(b, 1) ? a : equals(a, 1) ? b : x;
    case MG_PRIM_DIV:
        return equals(b, 1) ? a : x;
    case MG_PRIM_NEG:
    case MG_PRIM_NOT:
        return a->kind == MG_SX_PRIM && a->prim == x->prim ? a->args[0] : x;
    case MG_PRIM_AND:
    case MG_PRIM_OR: {
        if (x->dtype != MG_BOOL)
            return x;
        bool neutral = x->prim == MG_PRIM_AND;
        for (int i = 0; i < 2; i++)
            if (x->args[i]->kind == MG_SX_CONST)
                return (x->args[i]->bits != 0) == neutral ? x->args[1 - i] : x->args[i];
        return x;
    }
    case MG_PRIM_WHERE:
        if (a->kind == MG_SX_CONST)
            return a->bits ? x->args[1] : x->args[2];
        return mg_sx_equal(x->args[1], x->args[2]) ? x->args[1] : x;
    case MG_PRIM_CAST:
        return simplify_cast(m, x);
    case MG_PRIM_POW:
        return simplify_pow(m, x);
    default:
        return x;
    }
}

const MgSx *mg_simplify_prim(MgModule *m, const MgSx *x) {
    const MgSx *r = fold_constants(m, x);
    if (r == x)
        r = simplify_by_prim(m, x);
    return r == x ? fold_indices(m, x) : r;
}
