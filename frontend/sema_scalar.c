// Scalar arithmetic while lowering: compile-time numbers fold, others become expression nodes.
//
// Literals, dimensions, indices and attributes have no type of their own. A tree of them stays
// untyped (its nodes hold i64 or f64 as a placeholder) until it is combined with something typed
// and takes that type. Typed nodes have a compute type. Nothing is converted unless the program
// asks for it.
#include "frontend/sema_eq.h"

MgDType mg_compute(MgDType d) {
    return mg_dtype(d)->compute;
}

bool mg_is_scalar(const MgVal *v) {
    switch (v->kind) {
    case MG_V_INT:
    case MG_V_FLOAT:
    case MG_V_BOOL:
    case MG_V_PRED:
    case MG_V_UNTYPED:
    case MG_V_SCALAR:
        return true;
    default:
        return false;
    }
}

static const MgSx *ix_node(MgSema *s, MgDType d, MgIx ix) {
    int64_t value;
    if (mg_ix_is_const(s->ix, ix, &value))
        return mg_sx_int(s->module, d, value);
    return mg_sx_ix(s->module, d, ix);
}

// Replaces every placeholder of an untyped tree by d.
static const MgSx *retype(MgSema *s, const MgSx *x, MgDType d) {
    if (x->dtype == d)
        return x;
    switch (x->kind) {
    case MG_SX_CONST:
        return mg_is_float(x->dtype)
                   ? mg_sx_double(s->module, d, mg_bits_to_double(x->dtype, x->bits))
                   : mg_sx_int(s->module, d, mg_bits_to_int(x->dtype, x->bits));
    case MG_SX_IX:
        return mg_sx_ix(s->module, d, x->ix);
    default: {
        const MgSx *args[4];
        uint32_t n = x->n_args < 4 ? x->n_args : 4;
        for (uint32_t i = 0; i < n; i++)
            args[i] = x->prim == MG_PRIM_WHERE && i == 0 ? x->args[i] : retype(s, x->args[i], d);
        return mg_sx_prim(s->module, x->prim, d, args, n);
    }
    }
}

static bool literal_fits(MgSema *s, MgIx ix, MgDType d, int64_t *value) {
    if (!mg_is_int(d) || !mg_ix_is_const(s->ix, ix, value))
        return true;
    if (d == MG_U64) // negative numbers wrap
        return true;
    return mg_bits_to_int(d, mg_bits_from_int(d, *value)) == *value;
}

const MgSx *mg_adopt(MgCtx *c, MgSpan span, MgVal v, MgDType d) {
    MgSema *s = c->env->s;
    int64_t value;
    switch (v.kind) {
    case MG_V_POISON:
        return NULL;
    case MG_V_SCALAR:
        if (v.sx->dtype == d)
            return v.sx;
        break;
    case MG_V_INT:
        if (d == MG_BOOL)
            break;
        if (v.ix == MG_IX_ERROR) {
            MG_FAIL(c->env, span, too_large, "an integer");
            return NULL;
        }
        if (!literal_fits(s, v.ix, d, &value)) {
            MG_FAIL(c->env, span, literal_range, (long long)value, mg_dtype(d)->name);
            return NULL;
        }
        return ix_node(s, d, v.ix);
    case MG_V_FLOAT:
        if (!mg_is_float(d)) {
            MG_FAIL(c->env, span, float_meets_int, mg_val_text(s, &v), mg_dtype(d)->name);
            return NULL;
        }
        return mg_sx_double(s->module, d, v.f);
    case MG_V_UNTYPED:
        if (d == MG_BOOL)
            break;
        if (v.real && !mg_is_float(d)) {
            MG_FAIL(c->env, span, float_meets_int, "this", mg_dtype(d)->name);
            return NULL;
        }
        if (v.sx->dtype != d && !mg_tree_fits(c->env, span, v.sx))
            return NULL;
        return retype(s, v.sx, d);
    case MG_V_BOOL:
        if (d == MG_BOOL)
            return mg_sx_int(s->module, MG_BOOL, v.b);
        break;
    case MG_V_PRED:
        if (d == MG_BOOL)
            return v.written;
        break;
    default:
        break;
    }
    MG_FAIL(c->env, span, type_expected, mg_dtype(d)->name, mg_val_text(s, &v), mg_dtype(d)->name);
    return NULL;
}

const MgSx *mg_default_type(MgCtx *c, MgSpan span, MgVal v) {
    switch (v.kind) {
    case MG_V_SCALAR:
        return v.sx;
    case MG_V_BOOL:
    case MG_V_PRED:
        return mg_adopt(c, span, v, MG_BOOL);
    case MG_V_FLOAT:
        return mg_adopt(c, span, v, MG_F32);
    case MG_V_UNTYPED:
        return mg_adopt(c, span, v, v.real ? MG_F32 : MG_I64);
    default:
        return mg_adopt(c, span, v, MG_I64);
    }
}

// ---------------------------------------------------------------- compile-time numbers
static bool constant(MgSema *s, const MgVal *v, double *out) {
    int64_t i;
    if (v->kind == MG_V_FLOAT) {
        *out = v->f;
        return true;
    }
    if (mg_val_const_int(s, v, &i)) {
        *out = (double)i;
        return true;
    }
    return false;
}

static bool fold_floats(MgSema *s, MgPrim prim, const MgVal *args, uint32_t n, MgVal *out) {
    MgBits bits[3];
    bool any_float = mg_prim(prim)->operands == MG_OPERANDS_FLOAT;
    for (uint32_t i = 0; i < n; i++) {
        double d;
        if (!constant(s, &args[i], &d))
            return false;
        any_float |= args[i].kind == MG_V_FLOAT;
        bits[i] = mg_bits_from_double(MG_F64, d);
    }
    if (!any_float || !mg_operands_admit(mg_prim(prim)->operands, MG_F64))
        return false;
    if (mg_prim(prim)->result == MG_RESULT_BOOL)
        *out = mg_val_bool(mg_prim_eval(prim, MG_F64, MG_BOOL, bits) != 0);
    else
        *out = mg_val_float(mg_bits_to_double(MG_F64, mg_prim_eval(prim, MG_F64, MG_F64, bits)));
    return true;
}

static bool is_compare(MgPrim p) {
    return p >= MG_PRIM_EQ && p <= MG_PRIM_GE;
}

// Operators that give an expression over dimensions and indices if both operands are untyped
// integers.
static MgIx (*const exact[MG_PRIM_COUNT])(MgIxTable *t, MgIx x, MgIx y) = {
    [MG_PRIM_ADD] = mg_ix_add, [MG_PRIM_SUB] = mg_ix_sub,  [MG_PRIM_MUL] = mg_ix_mul,
    [MG_PRIM_MIN] = mg_ix_min, [MG_PRIM_MAX] = mg_ix_max,  [MG_PRIM_DIV] = mg_ix_div,
    [MG_PRIM_REM] = mg_ix_mod, [MG_PRIM_FDIV] = mg_ix_div, [MG_PRIM_FMOD] = mg_ix_mod,
};

// The smaller or larger of two sizes. It is simply one of them if the facts decide which.
static MgIx extremum(MgSema *s, MgPrim prim, MgIx x, MgIx y) {
    MgIx more = prim == MG_PRIM_MAX ? mg_ix_sub(s->ix, x, y) : mg_ix_sub(s->ix, y, x);
    if (mg_prove(s, more, NULL) == MG_PROVED)
        return x;
    return mg_prove(s, mg_ix_neg(s->ix, more), NULL) == MG_PROVED ? y : exact[prim](s->ix, x, y);
}

// Untyped integers stay expressions over dimensions and indices if that is exact.
static bool fold_ints(MgCtx *c, MgPrim prim, const MgVal *a, uint32_t n, MgVal *out) {
    MgSema *s = c->env->s;
    MgIxTable *t = s->ix;
    for (uint32_t i = 0; i < n; i++)
        if (a[i].kind != MG_V_INT)
            return false;
    MgIx x = a[0].ix, y = n > 1 ? a[1].ix : 0;
    const MgIxRanges *ranges = c->eq ? mg_eq_ranges(c->eq) : NULL;
    // In values these truncate, which equals flooring only if nothing is negative.
    if ((prim == MG_PRIM_DIV || prim == MG_PRIM_REM) && c->mode == MG_M_VALUE &&
        (mg_prove(s, x, ranges) != MG_PROVED || mg_prove(s, y, ranges) != MG_PROVED))
        return false;
    if (c->mode == MG_M_STATIC && (prim == MG_PRIM_MIN || prim == MG_PRIM_MAX)) {
        *out = mg_val_ix(extremum(s, prim, x, y));
        return true;
    }
    if (exact[prim]) {
        MgIx exactly = exact[prim](t, x, y);
        *out = mg_val_ix(exactly);
        // A value that is too long for a normal form is computed by primitives.
        return exactly != MG_IX_ERROR || c->mode != MG_M_VALUE || mg_ix_overflowed(t);
    }
    if (prim == MG_PRIM_NEG || prim == MG_PRIM_ABS) {
        MgIx minus = mg_ix_neg(t, x);
        *out = mg_val_ix(prim == MG_PRIM_NEG ? minus : mg_ix_max(t, x, minus));
        return true;
    }
    if (is_compare(prim) && !mg_ix_mentions_index(t, x) && !mg_ix_mentions_index(t, y)) {
        *out = mg_compare_ix(s, prim, x, y);
        return true;
    }
    int64_t value;
    if (mg_prim(prim)->operands == MG_OPERANDS_INT ||
        mg_prim(prim)->operands == MG_OPERANDS_LOGIC) {
        MgBits bits[2];
        for (uint32_t i = 0; i < n; i++) {
            if (!mg_ix_is_const(t, a[i].ix, &value))
                return false;
            bits[i] = mg_bits_from_int(MG_I64, value);
        }
        value = mg_bits_to_int(MG_I64, mg_prim_eval(prim, MG_I64, MG_I64, bits));
        *out = mg_val_ix(mg_ix_const(t, value));
        return true;
    }
    return false;
}

static bool fold_logic(MgSema *s, MgPrim prim, const MgVal *a, uint32_t n, MgVal *out) {
    bool statics = true;
    for (uint32_t i = 0; i < n; i++)
        statics &= a[i].kind == MG_V_BOOL || a[i].kind == MG_V_PRED;
    if (prim == MG_PRIM_NOT && statics) {
        *out = mg_pred_not(s, a[0]);
        return true;
    }
    if (prim != MG_PRIM_AND && prim != MG_PRIM_OR) {
        if (n == 2 && a[0].kind == MG_V_BOOL && a[1].kind == MG_V_BOOL &&
            (prim == MG_PRIM_EQ || prim == MG_PRIM_NE || prim == MG_PRIM_XOR)) {
            *out = mg_val_bool((a[0].b == a[1].b) == (prim == MG_PRIM_EQ));
            return true;
        }
        return false;
    }
    if (statics) {
        *out = prim == MG_PRIM_AND ? mg_pred_and(s, a[0], a[1]) : mg_pred_or(s, a[0], a[1]);
        return true;
    }
    for (uint32_t i = 0; i < 2; i++)
        if (a[i].kind == MG_V_BOOL && a[1 - i].kind == MG_V_SCALAR &&
            a[1 - i].sx->dtype == MG_BOOL) {
            *out = a[i].b == (prim == MG_PRIM_AND) ? a[1 - i] : a[i];
            return true;
        }
    return false;
}

// Compares strings and types, at compile time.
static bool fold_words(MgPrim prim, const MgVal *a, uint32_t n, MgVal *out) {
    if (n != 2 || (prim != MG_PRIM_EQ && prim != MG_PRIM_NE) || a[0].kind != a[1].kind)
        return false;
    bool same;
    if (a[0].kind == MG_V_STR)
        same = a[0].sym == a[1].sym;
    else if (a[0].kind == MG_V_TYPE)
        same = a[0].type == a[1].type;
    else
        return false;
    *out = mg_val_bool(same == (prim == MG_PRIM_EQ));
    return true;
}

// ---------------------------------------------------------------- expressions
static const MgSx *untyped_tree(MgSema *s, const MgVal *v, bool real) {
    MgDType d = real ? MG_F64 : MG_I64;
    switch (v->kind) {
    case MG_V_INT:
        return ix_node(s, d, v->ix);
    case MG_V_FLOAT:
        return mg_sx_double(s->module, d, v->f);
    default:
        return retype(s, v->sx, d);
    }
}

static bool untyped(const MgVal *v) {
    return v->kind == MG_V_INT || v->kind == MG_V_FLOAT || v->kind == MG_V_UNTYPED;
}

static bool is_real(const MgVal *v) {
    return v->kind == MG_V_FLOAT || (v->kind == MG_V_UNTYPED && v->real);
}

// A choice between two sizes by a condition on sizes is a size: b + (a - b) * t, where t is 1 if
// the condition holds and 0 otherwise.
static MgIx chosen_size(MgSema *s, MgIx condition, MgIx a, MgIx b) {
    MgIxTable *t = s->ix;
    MgIx zero = mg_ix_const(t, 0), one = mg_ix_const(t, 1);
    MgIx truth = mg_ix_min(t, one, mg_ix_max(t, zero, mg_ix_add(t, condition, one)));
    return mg_ix_add(t, b, mg_ix_mul(t, mg_ix_sub(t, a, b), truth));
}

static MgVal where_value(MgCtx *c, MgSpan span, MgVal *a) {
    MgSema *s = c->env->s;
    if (a[0].kind == MG_V_BOOL)
        return a[0].b ? a[1] : a[2];
    if (c->mode == MG_M_STATIC && a[0].kind == MG_V_PRED && a[1].kind == MG_V_INT &&
        a[2].kind == MG_V_INT)
        return mg_val_ix(chosen_size(s, a[0].ix, a[1].ix, a[2].ix));
    const MgSx *args[3];
    args[0] = mg_adopt(c, span, a[0], MG_BOOL);
    if (!args[0])
        return mg_val_poison();
    if (args[0]->kind == MG_SX_CONST)
        return args[0]->bits ? a[1] : a[2];
    if (untyped(&a[1]) && untyped(&a[2])) {
        bool real = is_real(&a[1]) || is_real(&a[2]);
        args[1] = untyped_tree(s, &a[1], real);
        args[2] = untyped_tree(s, &a[2], real);
        return (MgVal){.kind = MG_V_UNTYPED,
                       .real = real,
                       .sx = mg_sx_prim(s->module, MG_PRIM_WHERE, real ? MG_F64 : MG_I64, args, 3)};
    }
    const MgSx *typed = mg_default_type(c, span, untyped(&a[1]) ? a[2] : a[1]);
    if (!typed)
        return mg_val_poison();
    args[1] = mg_adopt(c, span, a[1], typed->dtype);
    args[2] = args[1] ? mg_adopt(c, span, a[2], typed->dtype) : NULL;
    if (!args[2])
        return mg_val_poison();
    return mg_val_sx(mg_sx_prim(s->module, MG_PRIM_WHERE, typed->dtype, args, 3));
}

static const char *prim_text(MgPrim prim) {
    return mg_prim(prim)->name;
}

static MgPrim in_mode(const MgCtx *c, MgPrim prim, MgDType d) {
    if (c->mode == MG_M_VALUE || mg_is_float(d))
        return prim;
    return prim == MG_PRIM_DIV ? MG_PRIM_FDIV : prim == MG_PRIM_REM ? MG_PRIM_FMOD : prim;
}

// Are all operands constants? They have one type, and folding has been tried.
static bool all_const(const MgSx *const *args, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (args[i]->kind != MG_SX_CONST)
            return false;
    return true;
}

static MgVal node(MgCtx *c, MgSpan span, MgPrim prim, MgVal *a, uint32_t n) {
    MgSema *s = c->env->s;
    const MgPrimRow *row = mg_prim(prim);
    const MgVal *typed = NULL;
    bool real = row->operands == MG_OPERANDS_FLOAT;
    for (uint32_t i = 0; i < n; i++) {
        if (!untyped(&a[i]) && !typed)
            typed = &a[i];
        real |= is_real(&a[i]);
    }
    const MgSx *args[3];
    for (uint32_t i = 0; i < n; i++)
        if (a[i].kind == MG_V_UNTYPED && real && !a[i].real && !mg_tree_fits(c->env, span, a[i].sx))
            return mg_val_poison();
    if (!typed && row->result != MG_RESULT_BOOL) {
        MgDType d = real ? MG_F64 : MG_I64;
        if (!mg_operands_admit(row->operands, d)) {
            MG_FAIL(c->env, span, prim_operands, prim_text(prim), real ? "a float" : "an integer");
            return mg_val_poison();
        }
        for (uint32_t i = 0; i < n; i++)
            args[i] = untyped_tree(s, &a[i], real);
        return (MgVal){.kind = MG_V_UNTYPED,
                       .real = real,
                       .sx = mg_sx_prim(s->module, in_mode(c, prim, d), d, args, n)};
    }
    MgDType d = typed  ? (typed->kind == MG_V_SCALAR ? typed->sx->dtype : MG_BOOL)
                : real ? MG_F32
                       : MG_I64;
    for (uint32_t i = 0; i < n; i++) {
        if (a[i].kind == MG_V_SCALAR && a[i].sx->dtype != d) {
            MG_FAIL(c->env, span, types_mix, prim_text(prim), mg_dtype(d)->name,
                    mg_dtype(a[i].sx->dtype)->name, mg_dtype(d)->name);
            return mg_val_poison();
        }
        args[i] = mg_adopt(c, span, a[i], d);
        if (!args[i])
            return mg_val_poison();
    }
    if (!mg_operands_admit(row->operands, d)) {
        MG_FAIL(c->env, span, prim_operands, prim_text(prim), mg_dtype(d)->name);
        return mg_val_poison();
    }
    MgDType result = row->result == MG_RESULT_BOOL ? MG_BOOL : d;
    prim = in_mode(c, prim, d);
    if (!mg_is_float(result) && all_const(args, n)) { // folded, as untyped literals are
        MgBits bits[3];
        for (uint32_t i = 0; i < n; i++)
            bits[i] = args[i]->bits;
        return mg_val_sx(mg_sx_const(s->module, result, mg_prim_eval(prim, d, result, bits)));
    }
    return mg_val_sx(mg_sx_prim(s->module, prim, result, args, n));
}

// Compares two lists, or a list and a number. The result holds if it holds at every position.
static MgVal compare_each(MgCtx *c, MgSpan span, MgPrim prim, const MgVal *args) {
    const MgVal *list = args[0].kind == MG_V_LIST ? &args[0] : &args[1];
    const MgVal *other = list == args ? &args[1] : &args[0];
    MgVal all = {.kind = MG_V_BOOL, .b = true};
    if (other->kind == MG_V_LIST && other->n != list->n) {
        MG_FAIL(c->env, span, lists_differ, prim_text(prim), args[0].n, args[1].n);
        return mg_val_poison();
    }
    for (uint32_t i = 0; i < list->n; i++) {
        MgVal pair[2];
        for (int k = 0; k < 2; k++)
            pair[k] = args[k].kind == MG_V_LIST ? args[k].list[i] : args[k];
        MgVal one = mg_apply_prim(c, span, prim, pair, 2);
        if (one.kind != MG_V_BOOL && one.kind != MG_V_PRED)
            return one;
        all = mg_pred_and(c->env->s, all, one);
        if (mg_is_lost(&all)) {
            mg_lost(c->env, span, "this comparison");
            return mg_val_poison();
        }
    }
    return all;
}

MgVal mg_apply_prim(MgCtx *c, MgSpan span, MgPrim prim, MgVal *args, uint32_t n) {
    MgSema *s = c->env->s;
    MgVal out;
    for (uint32_t i = 0; i < n; i++)
        if (args[i].kind == MG_V_POISON)
            return mg_val_poison();
    if (fold_words(prim, args, n, &out))
        return out;
    if (c->mode == MG_M_STATIC && n == 2 && mg_prim(prim)->result == MG_RESULT_BOOL &&
        (args[0].kind == MG_V_LIST || args[1].kind == MG_V_LIST))
        return compare_each(c, span, prim, args);
    for (uint32_t i = 0; i < n; i++)
        if (!mg_is_scalar(&args[i])) {
            MG_FAIL(c->env, span, expected_number, prim_text(prim), mg_val_text(s, &args[i]));
            return mg_val_poison();
        }
    if (prim == MG_PRIM_WHERE)
        return where_value(c, span, args);
    if (fold_logic(s, prim, args, n, &out) || fold_ints(c, prim, args, n, &out) ||
        fold_floats(s, prim, args, n, &out)) {
        if (!mg_is_lost(&out))
            return out;
        mg_lost(c->env, span, mg_arena_printf(s->arena, "the result of '%s'", prim_text(prim)));
        return mg_val_poison();
    }
    return node(c, span, prim, args, n);
}

MgVal mg_arith(MgCtx *c, MgSpan span, MgPrim prim, MgVal a, MgVal b) {
    MgVal args[2] = {a, b};
    return mg_apply_prim(c, span, prim, args, 2);
}

MgVal mg_convert(MgCtx *c, MgSpan span, MgVal v, MgDType to, MgPrim how) {
    MgSema *s = c->env->s;
    if (v.kind == MG_V_POISON)
        return v;
    if (!mg_is_scalar(&v)) {
        MG_FAIL(c->env, span, expected_number, mg_dtype(to)->name, mg_val_text(s, &v));
        return mg_val_poison();
    }
    MgDType compute = mg_compute(to);
    const MgSx *x;
    if (how == MG_PRIM_CAST && to == compute && to != MG_BOOL && untyped(&v) &&
        (mg_is_float(to) || !is_real(&v)) && (mg_is_float(to) || to == MG_I64)) {
        x = mg_adopt(c, span, v, to); // exact, so no conversion remains
        return x ? mg_val_sx(x) : mg_val_poison();
    }
    x = mg_default_type(c, span, v);
    if (!x)
        return mg_val_poison();
    if (how == MG_PRIM_CAST && to == compute && mg_is_float(to) && x->kind == MG_SX_IX)
        return mg_val_sx(ix_node(s, to, x->ix)); // as for an index without a conversion
    if (how == MG_PRIM_CAST && to == compute && mg_is_float(to) && x->kind == MG_SX_CONST &&
        x->dtype == MG_I64)
        return mg_val_sx(mg_sx_int(s->module, to, mg_bits_to_int(MG_I64, x->bits)));
    if (how == MG_PRIM_SATURATE && !mg_is_int(to)) {
        MG_FAIL(c->env, span, prim_operands, "saturate", mg_dtype(to)->name);
        return mg_val_poison();
    }
    if (how == MG_PRIM_BITCAST && x->kind == MG_SX_PRIM && x->prim == MG_PRIM_CAST &&
        mg_compute(x->args[0]->dtype) == x->dtype)
        x = x->args[0]; // f16(y), as it is stored
    if (how == MG_PRIM_BITCAST && mg_dtype(to)->bits != mg_dtype(x->dtype)->bits) {
        MG_FAIL(c->env, span, prim_operands, "bitcast to another width", mg_dtype(x->dtype)->name);
        return mg_val_poison();
    }
    if (x->dtype != to)
        x = mg_sx_prim(s->module, how, to, &x, 1);
    if (compute != to) // a value of a storage type is computed with in its compute type
        x = mg_sx_prim(s->module, MG_PRIM_CAST, compute, &x, 1);
    MgVal converted = mg_val_sx(x);
    converted.converted = true;
    return converted;
}
