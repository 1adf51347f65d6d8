// Reductions and the right side of an equation. The outermost reduction belongs to the equation. An
// inner one becomes an equation of its own over exactly the free indices that it uses; a read takes
// its place.
#include "frontend/sema_eq.h"

MgDType mg_reduced_type(MgReducer r, MgDType body) {
    if (r == MG_REDUCE_ARGMAX || r == MG_REDUCE_ARGMIN)
        return MG_I64;
    return body;
}

// The typed body of a reduction. NULL after a diagnostic.
static const MgSx *reduce_body(MgCtx *c, const MgAstExpr *e, MgReducer r) {
    MgEq *eq = c->eq;
    MgSema *s = c->env->s;
    MgCtx inner = *c;
    inner.mode = MG_M_VALUE;
    MgVal v = mg_eval(&inner, e->reduce.body);
    if (v.kind == MG_V_POISON)
        return NULL;
    if (!mg_is_scalar(&v)) {
        MG_FAIL(c->env, e->reduce.body->span, expected_number, mg_reducer(r)->name,
                mg_val_text(s, &v));
        return NULL;
    }
    bool keeps = mg_reduced_type(r, MG_F32) == MG_F32;
    bool untyped = v.kind == MG_V_INT || v.kind == MG_V_FLOAT || v.kind == MG_V_UNTYPED;
    bool real = v.kind == MG_V_FLOAT || (v.kind == MG_V_UNTYPED && v.real) ||
                mg_reducer(r)->operands == MG_OPERANDS_FLOAT;
    const MgSx *x;
    if (untyped && keeps && eq->want != MG_DTYPE_COUNT && eq->want != MG_BOOL &&
        (mg_is_float(eq->want) || !real))
        x = mg_adopt(&inner, e->span, v, eq->want);
    else if (untyped && real)
        x = mg_adopt(&inner, e->span, v, MG_F32);
    else
        x = mg_default_type(&inner, e->span, v);
    if (x && !mg_tree_fits(c->env, e->span, x))
        return NULL;
    if (x && mg_is_int(x->dtype) && mg_dtype(x->dtype)->bits < 32 &&
        (r == MG_REDUCE_SUM || r == MG_REDUCE_PROD))
        MG_FAIL(c->env, e->span, narrow_sum, mg_reducer(r)->name, mg_dtype(x->dtype)->name);
    if (x && !mg_operands_admit(mg_reducer(r)->operands, x->dtype)) {
        MG_FAIL(c->env, e->span, prim_operands, mg_reducer(r)->name, mg_dtype(x->dtype)->name);
        return NULL;
    }
    return x;
}

// The positions of a reduction's own indices.
static uint32_t own_positions(MgEq *eq, const MgAstExpr *reduce, uint32_t *out) {
    uint64_t vars = mg_map_get(&eq->scopes, (uintptr_t)reduce, 0);
    uint32_t n = 0;
    for (uint32_t i = 0; i < (uint32_t)vars; i++) {
        MgIndexVar *v = &eq->vars.at[(uint32_t)(vars >> 32) + i];
        for (uint32_t k = 0; k < v->n; k++)
            out[n++] = v->first + k;
    }
    return n;
}

static MgReducer reducer_of(MgCtx *c, const MgAstExpr *e) {
    MgSema *s = c->env->s;
    MgReducer r = mg_reducer_of_name(mg_sym_text(s, e->reduce.reducer.sym));
    if (r == MG_REDUCE_NONE)
        MG_FAIL(c->env, e->reduce.reducer.span, unknown_name, mg_sym_text(s, e->reduce.reducer.sym),
                "");
    return r;
}

// The value of a reduction that binds nothing, which has one term.
static const MgSx *only_term(MgSema *s, MgReducer r, const MgSx *body) {
    return mg_reduced_type(r, body->dtype) == body->dtype &&
                   mg_reducer(r)->empty != MG_IDENTITY_NONE
               ? body
               : mg_sx_int(s->module, MG_I64, 0);
}

// Requires terms of a reducer that has no value without them, wherever it has a result: for all
// values of the free indices, if there are any, its own indices must have some.
static bool require_terms(MgCtx *c, const MgAstExpr *e, const MgPieceSpec *spec) {
    MgSema *s = c->env->s;
    MgEq *eq = c->eq;
    const MgReducerRow *reducer = mg_reducer(spec->reducer);
    bool own[64] = {0};
    if (reducer->empty != MG_IDENTITY_NONE || mg_reduce_order(spec->reducer) == MG_ORDER_LAST)
        return true;
    for (uint32_t i = 0; i < spec->n_bound; i++)
        own[spec->bound[i]] = true;
    for (uint32_t i = 0; i < spec->n_bound; i++) {
        MgIx extent = mg_ix_sub(s->ix, eq->high[spec->bound[i]], eq->low[spec->bound[i]]);
        MgIx p = mg_ix_sub(s->ix, extent, mg_ix_const(s->ix, 1));
        for (uint32_t k = eq->n_positions; k-- > 0;)
            p = mg_extreme_at(eq, p, k, !own[k]);
        MgProof proof = mg_prove(s, p, NULL); // not known if p is an error, too: the extent bends
        for (uint32_t k = 0; k < spec->n_free && proof != MG_PROVED && p != MG_IX_ERROR; k++) {
            MgIx side = mg_ix_sub(s->ix, eq->high[spec->free[k]], eq->low[spec->free[k]]);
            if (mg_ix_mentions_index(s->ix, side))
                continue;
            MgIx none = mg_ix_neg(s->ix, side);
            p = mg_ix_max(s->ix, p, none);
            proof = mg_prove(s, none, NULL) == MG_PROVED ? MG_PROVED : mg_prove(s, p, NULL);
        }
        if (proof == MG_REFUTED) {
            MG_FAIL(c->env, e->span, interp_empty, reducer->name);
            return false;
        }
        if (proof == MG_PROVED || p == MG_IX_ERROR)
            continue;
        p = mg_unproved(s, p);
        mg_record_require(c->env, e->span, p,
                          mg_symf(s->names, "%s over no elements has no result", reducer->name));
        mg_assume(s, p);
    }
    return true;
}

// The positions that a reduction over `bound` uses besides its own, in its body or its ranges.
static uint32_t free_positions(MgEq *eq, const MgSx *body, const uint32_t *bound, uint32_t n_bound,
                               uint32_t *out) {
    bool used[64] = {0};
    uint32_t n = 0;
    mg_used_positions(eq, body, used);
    for (uint32_t i = 0; i < n_bound; i++) {
        mg_used_positions_ix(eq, eq->low[bound[i]], used);
        mg_used_positions_ix(eq, eq->high[bound[i]], used);
    }
    for (uint32_t i = 0; i < n_bound; i++)
        used[bound[i]] = false;
    for (uint32_t k = 0; k < eq->n_positions; k++)
        if (used[k])
            out[n++] = k;
    return n;
}

// An inner reduction becomes a local over the free indices that it uses. Its indices begin at 0.
static MgVal split(MgCtx *c, const MgAstExpr *e, MgReducer r, const MgSx *body) {
    MgEq *eq = c->eq;
    MgEnv *env = eq->env;
    MgSema *s = env->s;
    uint32_t bound[64], free[64];
    uint32_t n_bound = own_positions(eq, e, bound);
    if (!n_bound)
        return mg_val_sx(only_term(s, r, body));
    uint32_t n_free = free_positions(eq, body, bound, n_bound, free);
    MgPieceSpec spec = {.free = free,
                        .bound = bound,
                        .n_free = n_free,
                        .n_bound = n_bound,
                        .reducer = r,
                        .expr = body};
    if (!require_terms(c, e, &spec))
        return mg_val_poison();
    MgIx *saved_low = mg_arena_copy(s->arena, eq->low, eq->n_positions, sizeof *eq->low);
    MgIx *saved_high = mg_arena_copy(s->arena, eq->high, eq->n_positions, sizeof *eq->high);
    MgPieces p = {
        .env = env, .target = eq->target, .span = e->span, .origin = mg_env_origin(env, e->span)};
    MgSubscript target[64];
    const MgSx *subs[64];
    MgIx begin[64], dims[64];
    for (uint32_t i = 0; i < n_free; i++) {
        MgIx low = begin[free[i]] = mg_extreme(eq, saved_low[free[i]], true);
        MgIx high = mg_extreme(eq, saved_high[free[i]], false);
        if (low == MG_IX_ERROR || high == MG_IX_ERROR || i >= MG_MAX_RANK) {
            MG_FAIL(env, e->span, inner_reduction, mg_reducer(r)->name);
            return mg_val_poison();
        }
        dims[i] = mg_ix_sub(s->ix, high, low);
        MgIx index = mg_ix_idx(s->ix, free[i]);
        subs[i] = mg_sx_ix(s->module, MG_I64, mg_ix_sub(s->ix, index, low));
        target[i] = (MgSubscript){.sx = subs[i], .low = mg_ix_const(s->ix, 0), .high = dims[i]};
    }
    for (uint32_t i = 0; i < n_free; i++) {
        eq->low[free[i]] = mg_ix_const(s->ix, 0);
        eq->high[free[i]] = dims[i];
    }
    p.dtype = mg_reduced_type(r, body->dtype);
    p.shape = (MgShape){.rank = n_free, .dims = dims};
    p.name = mg_unique_name(
        s->g, mg_symf(s->names, "%s_%s", mg_sym_text(s, eq->base), mg_reducer(r)->name));
    spec.target = target;
    spec.begin = begin;
    mg_piece_add(eq, &p, &spec);
    MgValueId v = mg_pieces_emit(&p);
    memcpy(eq->low, saved_low, eq->n_positions * sizeof *eq->low);
    memcpy(eq->high, saved_high, eq->n_positions * sizeof *eq->high);
    if (!v)
        return mg_val_poison();
    return mg_val_sx(
        mg_sx_read(s->module, v, mg_compute(p.dtype), subs, n_free, MG_BOUNDS_PROVED, NULL));
}

MgVal mg_eval_reduce(MgCtx *c, const MgAstExpr *e) {
    MgSema *s = c->env->s;
    MgEq *eq = c->eq;
    MgReducer r = reducer_of(c, e);
    if (r == MG_REDUCE_NONE)
        return mg_val_poison();
    if (!eq || !mg_map_find(&eq->scopes, (uintptr_t)e)) {
        MG_FAIL(c->env, e->span, reduction_here, mg_reducer(r)->name);
        return mg_val_poison();
    }
    if (mg_reduce_order(r) == MG_ORDER_LAST) {
        MG_FAIL(c->env, e->span, last_only_writes, mg_sym_text(s, e->reduce.reducer.sym));
        return mg_val_poison();
    }
    bool ok = mg_index_enter(eq, e);
    const MgSx *body = ok ? reduce_body(c, e, r) : NULL;
    MgVal v = body ? split(c, e, r, body) : mg_val_poison();
    mg_index_leave(eq, e);
    return v;
}

bool mg_right_side(MgEq *eq, const MgAstExpr *value, MgPieceSpec *spec, uint32_t *bound) {
    MgEnv *env = eq->env;
    MgCtx c = {.env = env, .eq = eq, .mode = MG_M_VALUE, .pos = -1};
    if (eq->root) {
        spec->reducer = reducer_of(&c, eq->root);
        if (spec->reducer == MG_REDUCE_NONE)
            return false;
        spec->n_bound = own_positions(eq, eq->root, bound);
        spec->bound = bound;
        spec->expr = reduce_body(&c, eq->root, spec->reducer);
        if (spec->expr && !spec->n_bound && mg_reduce_order(spec->reducer) != MG_ORDER_LAST) {
            spec->expr = only_term(env->s, spec->reducer, spec->expr);
            spec->reducer = MG_REDUCE_NONE;
        }
        return spec->expr && require_terms(&c, eq->root, spec);
    }
    MgVal v = mg_eval(&c, value);
    if (v.kind == MG_V_POISON)
        return false;
    if (!mg_is_scalar(&v)) {
        MG_FAIL(env, value->span, expected_number, "=", mg_val_text(env->s, &v));
        return false;
    }
    spec->expr = eq->want != MG_DTYPE_COUNT ? mg_adopt(&c, value->span, v, eq->want)
                                            : mg_default_type(&c, value->span, v);
    spec->copies = spec->expr && !v.converted && spec->expr->kind == MG_SX_READ &&
                   spec->expr->bounds != MG_BOUNDS_ELSE;
    return spec->expr && mg_tree_fits(env, value->span, spec->expr);
}
