// Shapes: where entries stand, what a declared shape is, and solving one against an operand's.
//
// An entry of a shape or subscript covers one axis, a pack as many as it has components. Entries
// with a place (`D @ axis`) stand there; the others fill the remaining axes in order. A declared
// shape is solved entry by entry: an entry whose names are known is compared, one with a single
// unknown name under + - * is inverted exactly.
#include "frontend/sema_internal.h"

enum { MAX_RANK = 16 };

// ---------------------------------------------------------------- lengths of entries
typedef struct Length {
    MgCtx *c;
    uint32_t n;
} Length;

static void see_length(void *ctx, const MgAstExpr *e) {
    Length *l = ctx;
    bool is_index = false;
    uint32_t n = MG_UNKNOWN_LENGTH;
    if (l->c->eq)
        n = mg_eq_pack_length(l->c->eq, e->name, &is_index);
    if (!is_index) {
        MgBinding *b = mg_env_find(l->c->env, e->name);
        if (b && b->val.kind == V_LIST)
            n = b->val.n;
    }
    if (n != MG_UNKNOWN_LENGTH && l->n == MG_UNKNOWN_LENGTH)
        l->n = n;
}

static uint32_t places_count(MgCtx *c, const MgAstRange *place) {
    MgSema *s = c->env->s;
    MgCtx inner = {.env = c->env, .mode = M_STATIC, .pos = -1};
    if (!mg_known(&inner, place->first) || (place->last && !mg_known(&inner, place->last)))
        return MG_UNKNOWN_LENGTH;
    MgVal a = mg_eval(&inner, place->first);
    if (!place->last)
        return a.kind == V_LIST ? a.n : a.kind == V_INT ? 1 : MG_UNKNOWN_LENGTH;
    MgVal b = mg_eval(&inner, place->last);
    int64_t low, high;
    if (!mg_val_const_int(s, &a, &low) || !mg_val_const_int(s, &b, &high))
        return MG_UNKNOWN_LENGTH;
    if (low < 0) // up to an end that is not normalised: only a rank tells
        return high <= 0 ? (uint32_t)(high + place->closed - low) : MG_UNKNOWN_LENGTH;
    return high + place->closed >= low ? (uint32_t)(high + place->closed - low) : 0;
}

uint32_t mg_entry_length(MgCtx *c, const MgAstSub *sub) {
    bool is_index = false;
    if (sub->kind == MG_SUB_PACK || (sub->kind == MG_SUB_INDEX && sub->index.pack)) {
        if (c->eq) {
            uint32_t n = mg_eq_pack_length(c->eq, sub->index.name.sym, &is_index);
            if (is_index)
                return n;
        }
        MgBinding *b = mg_env_find(c->env, sub->index.name.sym);
        if (b && b->val.kind == V_LIST)
            return b->val.n;
        return sub->place.first ? places_count(c, &sub->place) : MG_UNKNOWN_LENGTH;
    }
    if (sub->kind == MG_SUB_ZIP) {
        Length l = {c, MG_UNKNOWN_LENGTH};
        mg_ast_names(sub->expr, see_length, &l);
        if (l.n == MG_UNKNOWN_LENGTH && sub->place.first)
            return places_count(c, &sub->place);
        return l.n;
    }
    return 1;
}

uint32_t mg_entries_rank(MgCtx *c, const MgAstSubs *subs) {
    uint32_t rank = 0;
    for (uint32_t i = 0; i < subs->len; i++) {
        uint32_t n = mg_entry_length(c, &subs->at[i]);
        if (n == MG_UNKNOWN_LENGTH)
            return n;
        rank += n;
    }
    return rank;
}

// ---------------------------------------------------------------- places
// An attribute that names places is normalised by its first use: from the end becomes from the
// start.
static void normalise(MgCtx *c, const MgAstExpr *e, MgVal v) {
    if (e->kind != MG_EXPR_NAME)
        return;
    MgBinding *b = mg_env_find(c->env, e->name);
    if (b && (b->val.kind == V_INT || b->val.kind == V_LIST) && !b->is_dim)
        b->val = v;
}

static bool place_in(MgCtx *c, int64_t *axis, uint32_t rank, uint32_t *used, MgSpan span) {
    int64_t given = *axis;
    if (*axis < 0)
        *axis += rank;
    if (*axis < 0 || *axis >= rank) {
        MG_FAIL(c->env, span, axis_range, (long long)given, rank);
        return false;
    }
    if (*used & 1u << *axis) {
        MG_FAIL(c->env, span, axis_twice, (long long)given);
        return false;
    }
    *used |= 1u << *axis;
    return true;
}

static bool place_list(MgCtx *c, const MgAstRange *place, MgVal v, uint32_t rank, uint32_t *used,
                       uint32_t *axes, uint32_t *n) {
    MgSema *s = c->env->s;
    if (v.kind != V_LIST)
        v = mg_val_list(mg_arena_copy(s->arena, &v, 1, sizeof v), 1);
    MgVal *at = MG_NEW_N(s->arena, MgVal, v.n);
    if (v.n > rank) {
        MG_FAIL(c->env, place->span, too_many_places, v.n, rank);
        return false;
    }
    for (uint32_t i = 0; i < v.n; i++) {
        int64_t axis;
        if (!mg_val_const_int(s, &v.list[i], &axis)) {
            if (v.list[i].kind != V_POISON)
                MG_FAIL(c->env, place->span, not_constant, "a place", mg_val_text(s, &v.list[i]));
            return false;
        }
        if (!place_in(c, &axis, rank, used, place->span))
            return false;
        at[i] = mg_val_ix(mg_ix_const(s->ix, axis));
        axes[i] = (uint32_t)axis;
    }
    *n = v.n;
    normalise(c, place->first, mg_val_list(at, v.n));
    return true;
}

static bool places(MgCtx *c, const MgAstRange *place, uint32_t rank, uint32_t *used, uint32_t *axes,
                   uint32_t *n) {
    MgSema *s = c->env->s;
    MgCtx inner = {.env = c->env, .mode = M_STATIC, .pos = -1};
    MgVal first = mg_eval(&inner, place->first);
    if (first.kind == V_POISON)
        return false;
    int64_t low, high;
    if (!place->last) {
        if (first.kind == V_LIST)
            return place_list(c, place, first, rank, used, axes, n);
        if (!mg_val_const_int(s, &first, &low)) {
            MG_FAIL(c->env, place->span, not_constant, "a place", mg_val_text(s, &first));
            return false;
        }
        *n = 1;
        if (!place_in(c, &low, rank, used, place->span))
            return false;
        axes[0] = (uint32_t)low;
        normalise(c, place->first, mg_val_ix(mg_ix_const(s->ix, low)));
        return true;
    }
    if (!mg_val_const_int(s, &first, &low)) {
        MG_FAIL(c->env, place->span, not_constant, "a place", mg_val_text(s, &first));
        return false;
    }
    bool from_end = low < 0;
    if (from_end) {
        low += rank;
        normalise(c, place->first, mg_val_ix(mg_ix_const(s->ix, low)));
    }
    if (!mg_eval_const(&inner, place->last, "a place", &high))
        return false;
    high += place->closed;
    if (from_end && high <= 0)
        high += rank;
    if (low < 0 || high > rank || low > high) {
        MG_FAIL(c->env, place->span, places_range, (long long)low, (long long)high, rank);
        return false;
    }
    *n = 0;
    for (; low < high; low++) {
        int64_t axis = low;
        if (!place_in(c, &axis, rank, used, place->span))
            return false;
        axes[(*n)++] = (uint32_t)axis;
    }
    return true;
}

bool mg_layout(MgCtx *c, const MgAstSubs *subs, uint32_t rank, MgSpan span, MgLayout *out,
               bool *failed) {
    MgArena *arena = c->env->s->arena;
    uint32_t n = subs->len, used = 0, total = 0, open = n, next = 0;
    uint32_t at[MAX_RANK];
    *failed = true;
    if (rank > MAX_RANK) {
        MG_FAIL(c->env, span, rank_limit, rank, MAX_RANK);
        return false;
    }
    *out = (MgLayout){MG_NEW_N(arena, uint32_t, n), MG_NEW_N(arena, uint32_t, n),
                      MG_NEW_N(arena, uint32_t, rank)};
    uint32_t *axes = MG_NEW_N(arena, uint32_t, n * MAX_RANK);
    for (uint32_t i = 0; i < n; i++) {
        const MgAstSub *sub = &subs->at[i];
        out->count[i] = MG_UNKNOWN_LENGTH;
        if (sub->place.first) {
            MgCtx inner = {.env = c->env, .mode = M_STATIC, .pos = -1};
            if (!mg_known(&inner, sub->place.first) ||
                (sub->place.last && !mg_known(&inner, sub->place.last))) {
                *failed = false;
                return false;
            }
            if (!places(c, &sub->place, rank, &used, axes + i * MAX_RANK, &out->count[i]))
                return false;
        } else {
            out->count[i] = mg_entry_length(c, sub);
        }
        if (out->count[i] == MG_UNKNOWN_LENGTH) {
            if (open != n) {
                *failed = false;
                return false;
            }
            open = i;
        } else {
            total += out->count[i];
        }
    }
    if (open != n && total <= rank) {
        out->count[open] = rank - total;
        total = rank;
    }
    if (total != rank || total > MAX_RANK) {
        MG_FAIL(c->env, span, rank_differs, total, rank);
        return false;
    }
    for (uint32_t i = 0, k = 0; i < n; i++) {
        out->first[i] = k;
        for (uint32_t j = 0; j < out->count[i]; j++) {
            if (subs->at[i].place.first) {
                at[k++] = axes[i * MAX_RANK + j];
                continue;
            }
            while (used & 1u << next)
                next++;
            at[k++] = next++;
        }
    }
    memcpy(out->axes, at, rank * sizeof *at);
    return true;
}

// ---------------------------------------------------------------- declared shapes
static bool is_blank(MgSema *s, const MgAstExpr *e) {
    return e->kind == MG_EXPR_NAME && !strcmp(mg_sym_text(s, e->name), "_");
}

// The declared factors of a product; nothing for what is no product.
static void factor(MgCtx *c, const MgAstExpr *e, MgFactors *f, uint32_t cap) {
    MgSema *s = c->env->s;
    if (e->kind == MG_EXPR_BINARY && e->binary.op == MG_AST_MUL) {
        factor(c, e->binary.left, f, cap);
        factor(c, e->binary.right, f, cap);
        return;
    }
    MgVal v;
    if (e->kind == MG_EXPR_CALL && e->call.args.len == 1 &&
        !strcmp(mg_sym_text(s, e->call.name.sym), "size") &&
        e->call.args.at[0].value->kind == MG_EXPR_NAME) {
        MgBinding *b = mg_env_find(c->env, e->call.args.at[0].value->name);
        if (b && b->val.kind == V_LIST) {
            for (uint32_t i = 0; i < b->val.n && f->n < cap; i++)
                f->at[f->n++] = b->val.list[i].kind == V_INT ? b->val.list[i].ix : MG_IX_ERROR;
            return;
        }
    }
    v = mg_eval(c, e);
    if (f->n < cap)
        f->at[f->n++] = v.kind == V_INT ? v.ix : MG_IX_ERROR;
}

static MgFactors factors_of(MgCtx *c, const MgAstExpr *e) {
    MgFactors f = {0};
    if (e->kind == MG_EXPR_CALL ? strcmp(mg_sym_text(c->env->s, e->call.name.sym), "size") != 0
                                : e->kind != MG_EXPR_BINARY || e->binary.op != MG_AST_MUL)
        return f;
    f.at = MG_NEW_N(c->env->s->arena, MgIx, 32);
    factor(c, e, &f, 32);
    return f;
}

// `B <= 64`, `1 <= N`: the name and its bounds. NULL if e is no bound.
static const MgAstExpr *bound(MgCtx *c, const MgAstExpr *e, int64_t *low, int64_t *high) {
    if (e->kind != MG_EXPR_BINARY)
        return NULL;
    MgAstOp op = e->binary.op;
    if (op < MG_AST_LT || op > MG_AST_GE)
        return NULL;
    const MgAstExpr *name = e->binary.left, *limit = e->binary.right;
    bool upper = op == MG_AST_LT || op == MG_AST_LE;
    if (name->kind != MG_EXPR_NAME) {
        const MgAstExpr *t = name;
        name = limit;
        limit = t;
        upper = !upper;
    }
    int64_t v;
    MgCtx inner = {.env = c->env, .mode = M_STATIC, .pos = -1};
    if (name->kind != MG_EXPR_NAME || !mg_eval_const(&inner, limit, "the bound", &v))
        return NULL;
    bool strict = op == MG_AST_LT || op == MG_AST_GT;
    if (upper)
        *high = v - strict;
    else
        *low = v + strict;
    return name;
}

static MgIx fresh_dim(MgCtx *c, MgSym name, MgSpan span, int64_t low, int64_t high, MgIxSym *sym) {
    MgSema *s = c->env->s;
    *sym = mg_ix_dim(s->ix, name, low, high);
    mg_push(s->module->arena, &s->g->dims, *sym);
    MgIx ix = mg_ix_sym(s->ix, *sym);
    MgBinding *b = mg_env_bind(c->env, name, mg_val_ix(ix), span);
    if (b)
        b->is_dim = true;
    return ix;
}

MgSym mg_free_dim_name(MgSema *s, MgSym base) {
    MgSym name = base;
    for (uint32_t k = 2; mg_dim_named(s, name); k++)
        name = mg_symf(s->names, "%s_%u", mg_sym_text(s, base), k);
    return name;
}

// some C <= bound: a new dimension that data decides.
static bool some_dim(MgCtx *c, const MgAstSub *sub, bool input, MgIx *dim, MgShape *out) {
    MgSema *s = c->env->s;
    const MgAstExpr *e = sub->expr, *name = e, *limit = NULL;
    if (e->kind == MG_EXPR_BINARY && (e->binary.op == MG_AST_LE || e->binary.op == MG_AST_LT))
        name = e->binary.left, limit = e->binary.right;
    if (name->kind != MG_EXPR_NAME || !limit) {
        MG_FAIL(c->env, sub->span, some_needs_bound, "");
        return false;
    }
    MgVal v = mg_eval_int(c, limit, "the bound");
    if (v.kind == V_POISON)
        return false;
    if (e->binary.op == MG_AST_LT)
        v.ix = mg_ix_sub(s->ix, v.ix, mg_ix_const(s->ix, 1));
    int64_t low, high;
    mg_ix_interval(s->ix, v.ix, NULL, &low, &high);
    MgSym free = mg_free_dim_name(s, name->name);
    out->some = mg_ix_dim(s->ix, free, 0, high);
    out->some_bound = v.ix;
    mg_push(s->module->arena, &s->g->dims, out->some);
    if (!input)
        mg_push(s->arena, &s->late, out->some);
    *dim = mg_ix_sym(s->ix, out->some);
    mg_assume(s, mg_ix_sub(s->ix, v.ix, *dim));
    MgBinding *b = mg_env_bind(c->env, name->name, mg_val_ix(*dim), sub->span);
    if (b)
        b->is_dim = true;
    return true;
}

static void see_fresh(void *ctx, const MgAstExpr *name) {
    MgCtx *c = ctx;
    MgIxSym sym;
    if (!mg_known(c, name))
        fresh_dim(c, name->name, name->span, 0, MG_IX_INF, &sym);
}

// One entry that covers one axis.
static bool entry_dim(MgCtx *c, const MgAstSub *sub, MgShapeMode mode, MgIx *dim, MgFactors *f,
                      MgShape *out) {
    MgSema *s = c->env->s;
    MgIxSym sym;
    if (sub->kind == MG_SUB_SOME) {
        if (mode == MG_SHAPE_SOME || mode == MG_SHAPE_FRESH)
            return some_dim(c, sub, mode == MG_SHAPE_FRESH, dim, out);
        MG_FAIL(c->env, sub->span, some_not_here, "");
        return false;
    }
    const MgAstExpr *e = sub->expr;
    int64_t low = 0, high = MG_IX_INF;
    if (is_blank(s, e)) {
        *dim = MG_IX_ERROR;
        if (mode == MG_SHAPE_OPEN)
            return true;
        MG_FAIL(c->env, sub->span, blank_not_here, "");
        return false;
    }
    const MgAstExpr *name = bound(c, e, &low, &high);
    if (!name)
        name = e;
    MgBinding *known = name->kind == MG_EXPR_NAME ? mg_env_find(c->env, name->name) : NULL;
    if (name->kind == MG_EXPR_NAME && !known && mode == MG_SHAPE_FRESH) {
        *dim = fresh_dim(c, name->name, name->span, low, high, &sym);
        return true;
    }
    if (mode == MG_SHAPE_FRESH) // 2 * H in an input's shape: H is solved when the graph is bound
        mg_ast_names(name, see_fresh, c);
    if (name->kind == MG_EXPR_NAME && !known && mode == MG_SHAPE_OPEN) {
        *dim = MG_IX_ERROR;
        return true;
    }
    MgVal v = mg_eval_int(c, name, "a dimension");
    if (v.kind == V_POISON)
        return false;
    *dim = v.ix;
    int64_t value;
    if (mg_ix_is_const(s->ix, v.ix, &value) && value < 0) {
        MG_FAIL(c->env, sub->span, negative_dim, (long long)value);
        return false;
    }
    if (name == e)
        *f = factors_of(c, e);
    return true;
}

bool mg_shape_of(MgCtx *c, const MgAstSubs *subs, MgShapeMode mode, MgSpan span, MgShape *out) {
    MgSema *s = c->env->s;
    MgCtx inner = {.env = c->env, .mode = M_STATIC, .pos = -1};
    uint32_t rank = mg_entries_rank(&inner, subs);
    bool failed;
    MgLayout at;
    *out = (MgShape){0};
    if (rank == MG_UNKNOWN_LENGTH) {
        for (uint32_t i = 0; i < subs->len; i++) {
            const MgAstSub *sub = &subs->at[i];
            if (mg_entry_length(&inner, sub) != MG_UNKNOWN_LENGTH)
                continue;
            MG_FAIL(c->env, sub->span, pack_length_unknown, "");
            return false;
        }
    }
    if (!mg_layout(&inner, subs, rank, span, &at, &failed)) {
        if (!failed)
            MG_FAIL(c->env, span, pack_length_unknown, "");
        return false;
    }
    out->rank = rank;
    out->dims = MG_NEW_N(s->arena, MgIx, rank);
    out->factors = MG_NEW_N(s->arena, MgFactors, rank);
    for (uint32_t i = 0; i < subs->len; i++) {
        const MgAstSub *sub = &subs->at[i];
        if (sub->kind == MG_SUB_TUPLE) {
            MG_FAIL(c->env, sub->span, tuple_in_shape, "");
            return false;
        }
        if (sub->kind != MG_SUB_PACK && sub->kind != MG_SUB_ZIP && sub->kind != MG_SUB_INDEX) {
            uint32_t axis = at.axes[at.first[i]];
            if (!entry_dim(&inner, sub, mode, &out->dims[axis], &out->factors[axis], out))
                return false;
            continue;
        }
        if (sub->kind == MG_SUB_INDEX) {
            MG_FAIL(c->env, sub->span, tuple_in_shape, "");
            return false;
        }
        MgBinding *pack =
            sub->kind == MG_SUB_PACK ? mg_env_find(c->env, sub->index.name.sym) : NULL;
        for (uint32_t j = 0; j < at.count[i]; j++) {
            MgVal v;
            if (pack) {
                v = pack->val.list[j];
            } else if (sub->kind == MG_SUB_ZIP) {
                MgCtx zip = inner;
                zip.pos = j;
                v = mg_eval_int(&zip, sub->expr, "a dimension");
            } else {
                MG_FAIL(c->env, sub->span, unknown_name, mg_sym_text(s, sub->index.name.sym), "");
                return false;
            }
            if (v.kind != V_INT)
                return false;
            int64_t value;
            if (mg_ix_is_const(s->ix, v.ix, &value) && value < 0) {
                MG_FAIL(c->env, sub->span, negative_dim, (long long)value);
                return false;
            }
            out->dims[at.axes[at.first[i] + j]] = v.ix;
        }
    }
    return true;
}

// ---------------------------------------------------------------- the solver
typedef struct Solve {
    MgCtx *c;
    MgSym from; // operand
    MgSpan span, decl_span;
} Solve;

static void mismatch(Solve *sv, const MgAstExpr *e, MgIx expected, MgIx actual) {
    MgEnv *env = sv->c->env;
    MgSema *s = env->s;
    MgBinding *b = e->kind == MG_EXPR_NAME ? mg_env_find(env, e->name) : NULL;
    const char *want = mg_ix_text(s, expected), *got = mg_ix_text(s, actual);
    MgSource *src = &s->session->sources.all.at[e->span.source];
    const char *text =
        mg_arena_str(s->arena, src->text + e->span.begin, e->span.end - e->span.begin);
    MgEnv *at = env->caller ? env->caller : env;
    if (b && b->from)
        MG_FAIL(at, sv->span, dim_differs, text, want, mg_sym_text(s, b->from), got,
                mg_sym_text(s, sv->from));
    else if (!strcmp(text, want))
        MG_FAIL(at, sv->span, dim_is, mg_sym_text(s, sv->from), got, want);
    else
        MG_FAIL(at, sv->span, dim_expected, mg_sym_text(s, sv->from), got, text, want);
    if (mg_simple_dim(s, expected) && mg_simple_dim(s, actual) &&
        mg_same(s, expected, actual) == MG_UNKNOWN)
        mg_diag_note(s->session, sv->span, MG_D_suggest_require, want, got);
    mg_diag_note(s->session, sv->decl_span, MG_D_declared_here, text);
}

static bool bind_dim(Solve *sv, MgSym name, MgVal v, MgSpan span) {
    MgBinding *b = mg_env_bind(sv->c->env, name, v, span);
    if (!b)
        return false;
    b->from = sv->from;
    b->is_dim = true;
    return true;
}

// 1 solved, 0 more than one unknown, -1 failed.
static int solve(Solve *sv, const MgAstExpr *e, MgIx actual) {
    MgEnv *env = sv->c->env;
    MgSema *s = env->s;
    MgCtx inner = {.env = env, .mode = M_STATIC, .pos = sv->c->pos};
    if (actual == MG_IX_ERROR)
        return 1;
    if (is_blank(s, e))
        return 1;
    int64_t low = INT64_MIN, high = INT64_MAX;
    const MgAstExpr *name = bound(&inner, e, &low, &high);
    if (name) {
        int r = solve(sv, name, actual);
        if (r != 1)
            return r;
        MgVal p = high != INT64_MAX ? mg_compare_ix(s, MG_PRIM_LE, actual, mg_ix_const(s->ix, high))
                                    : mg_compare_ix(s, MG_PRIM_GE, actual, mg_ix_const(s->ix, low));
        return mg_require(env, e->span, &p, 0) ? 1 : -1;
    }
    if (mg_known(&inner, e)) {
        MgVal v = mg_eval_int(&inner, e, "a dimension");
        if (v.kind == V_POISON)
            return -1;
        if (mg_equate(env, sv->span, v.ix, actual))
            return 1;
        mismatch(sv, e, v.ix, actual);
        return -1;
    }
    if (e->kind == MG_EXPR_NAME)
        return bind_dim(sv, e->name, mg_val_ix(actual), e->span) ? 1 : -1;
    if (e->kind != MG_EXPR_BINARY)
        return 0;
    const MgAstExpr *l = e->binary.left, *r = e->binary.right;
    bool lk = mg_known(&inner, l), rk = mg_known(&inner, r);
    if (lk == rk)
        return 0;
    MgVal v = mg_eval_int(&inner, lk ? l : r, "a dimension");
    if (v.kind == V_POISON)
        return -1;
    const MgAstExpr *open = lk ? r : l;
    switch (e->binary.op) {
    case MG_AST_ADD:
        return solve(sv, open, mg_ix_sub(s->ix, actual, v.ix));
    case MG_AST_SUB:
        return solve(sv, open,
                     lk ? mg_ix_sub(s->ix, v.ix, actual) : mg_ix_add(s->ix, actual, v.ix));
    case MG_AST_MUL: {
        MgIx q = mg_ix_div(s->ix, actual, v.ix);
        if (mg_ix_mul(s->ix, q, v.ix) != actual) {
            MgIx rest = mg_ix_mod(s->ix, actual, v.ix);
            int64_t k;
            if (mg_ix_is_const(s->ix, rest, &k) || mg_ix_is_const(s->ix, v.ix, &k)) {
                if (mg_ix_is_const(s->ix, rest, &k)) {
                    MgEnv *at = env->caller ? env->caller : env;
                    MG_FAIL(at, sv->span, not_multiple, mg_sym_text(s, sv->from),
                            mg_ix_text(s, actual), mg_ix_text(s, v.ix));
                    mg_diag_note(s->session, sv->decl_span, MG_D_declared_here,
                                 mg_sym_text(s, sv->from));
                    return -1;
                }
            }
            mg_record_require(env, sv->span, mg_ix_neg(s->ix, rest), 0);
            mg_assume(s, mg_ix_neg(s->ix, rest));
        }
        return solve(sv, open, q);
    }
    default:
        return 0;
    }
}

// ---------------------------------------------------------------- broadcasting packs
static bool join_dim(MgEnv *env, MgSym pack, MgSpan span, MgIx *into, MgIx with, MgSym from) {
    MgSema *s = env->s;
    int64_t one;
    if (*into == with)
        return true;
    if (mg_ix_is_const(s->ix, with, &one) && one == 1)
        return true;
    if (mg_ix_is_const(s->ix, *into, &one) && one == 1) {
        *into = with;
        return true;
    }
    if (mg_equate(env, span, *into, with))
        return true;
    MgEnv *at = env->caller ? env->caller : env;
    MG_FAIL(at, span, no_broadcast, mg_sym_text(s, from), mg_ix_text(s, with), mg_ix_text(s, *into),
            mg_sym_text(s, pack));
    if (mg_same(s, *into, with) == MG_UNKNOWN)
        mg_diag_note(s->session, span, MG_D_suggest_require, mg_ix_text(s, *into),
                     mg_ix_text(s, with));
    return false;
}

static bool join(Solve *sv, MgSym pack, const MgVal *dims, uint32_t n) {
    MgEnv *env = sv->c->env;
    MgSema *s = env->s;
    MgBinding *b = mg_env_find(env, pack);
    if (!b) {
        MgVal *copy = mg_arena_copy(s->arena, dims, n, sizeof *dims);
        return bind_dim(sv, pack, mg_val_list(copy, n), sv->span);
    }
    MgVal have = b->val;
    uint32_t rank = have.n > n ? have.n : n;
    MgVal *list = MG_NEW_N(s->arena, MgVal, rank);
    for (uint32_t i = 0; i < rank; i++) { // right-aligned
        const MgVal *x = i + have.n >= rank ? &have.list[i + have.n - rank] : NULL;
        const MgVal *y = i + n >= rank ? &dims[i + n - rank] : NULL;
        list[i] = x ? *x : *y;
        if (x && y && !join_dim(env, pack, sv->span, &list[i].ix, y->ix, sv->from))
            return false;
    }
    b->val = mg_val_list(list, rank);
    return true;
}

bool mg_join_list(MgCtx *c, MgSym pack, MgVal list, MgSpan span, MgSym from) {
    Solve sv = {c, from, span, span};
    return join(&sv, pack, list.list, list.n);
}

// ---------------------------------------------------------------- one operand
static int solve_pack(Solve *sv, const MgAstSub *sub, const MgVal *dims, uint32_t n) {
    MgEnv *env = sv->c->env;
    MgSema *s = env->s;
    MgSym name = sub->index.name.sym;
    if (mg_env_is_broadcast(env, name))
        return join(sv, name, dims, n) ? 1 : -1;
    MgBinding *b = mg_env_find(env, name);
    if (!b) {
        MgVal *copy = mg_arena_copy(s->arena, dims, n, sizeof *dims);
        return bind_dim(sv, name, mg_val_list(copy, n), sub->span) ? 1 : -1;
    }
    bool same = b->val.kind == V_LIST && b->val.n == n;
    for (uint32_t i = 0; same && i < n; i++)
        same =
            b->val.list[i].kind == V_INT && mg_equate(env, sv->span, b->val.list[i].ix, dims[i].ix);
    if (same)
        return 1;
    MgVal actual = mg_val_list((MgVal *)dims, n);
    MgEnv *at = env->caller ? env->caller : env;
    MG_FAIL(at, sv->span, pack_differs, mg_sym_text(s, name), mg_val_text(s, &b->val),
            b->from ? mg_sym_text(s, b->from) : "its declaration", mg_val_text(s, &actual),
            mg_sym_text(s, sv->from));
    mg_diag_note(s->session, sv->decl_span, MG_D_declared_here,
                 mg_arena_printf(s->arena, "..%s", mg_sym_text(s, name)));
    return -1;
}

static MgLayout *layout_of_operand(MgCtx *c, const MgAstSubs *decl, uint32_t rank, MgSpan span,
                                   MgLayout *at, bool *failed) {
    // a broadcast pack takes what the operand has, whatever has been joined so far
    MgEnv *env = c->env;
    for (uint32_t i = 0; i < decl->len; i++) {
        const MgAstSub *sub = &decl->at[i];
        if (sub->kind != MG_SUB_PACK || !mg_env_is_broadcast(env, sub->index.name.sym))
            continue;
        MgBinding *b = mg_env_find(env, sub->index.name.sym);
        if (!b)
            break;
        uint32_t others = 0;
        MgVal saved = b->val;
        for (uint32_t j = 0; j < decl->len; j++)
            others += j == i ? 0 : mg_entry_length(c, &decl->at[j]);
        if (others <= rank)
            b->val.n = rank - others;
        bool ok = mg_layout(c, decl, rank, span, at, failed);
        b = mg_env_find(env, sub->index.name.sym);
        b->val = saved;
        return ok ? at : NULL;
    }
    return mg_layout(c, decl, rank, span, at, failed) ? at : NULL;
}

// Do the declared entries fit the operand's rank, as far as their lengths are known?
static bool rank_fits(MgCtx *c, const MgAstSubs *decl, uint32_t rank, MgSym from, MgSpan span,
                      MgSpan decl_span) {
    MgEnv *env = c->env;
    MgSema *s = env->s;
    uint32_t known = 0;
    bool open = false;
    for (uint32_t i = 0; i < decl->len; i++) {
        const MgAstSub *sub = &decl->at[i];
        uint32_t n = mg_entry_length(c, sub);
        if (n == MG_UNKNOWN_LENGTH ||
            (sub->kind == MG_SUB_PACK && mg_env_is_broadcast(env, sub->index.name.sym)))
            open = true;
        else
            known += n;
    }
    if (open ? known <= rank : known == rank)
        return true;
    MgEnv *at = env->caller ? env->caller : env;
    MG_FAIL(at, span, rank_operand, mg_sym_text(s, from), rank, open ? "at least " : "", known);
    mg_diag_note(s->session, decl_span, MG_D_declared_here, mg_sym_text(s, from));
    return false;
}

int mg_unify(MgCtx *c, const MgAstSubs *decl, uint32_t rank, const MgIx *shape, MgSym from,
             MgSpan span, MgSpan decl_span, bool last) {
    MgLayout at;
    bool failed;
    MgCtx inner = {.env = c->env, .mode = M_STATIC, .pos = -1};
    Solve sv = {&inner, from, span, decl_span};
    (void)last;
    if (!rank_fits(&inner, decl, rank, from, span, decl_span))
        return -1;
    if (!layout_of_operand(&inner, decl, rank, span, &at, &failed))
        return failed ? -1 : 0;
    int all = 1;
    for (uint32_t i = 0; i < decl->len; i++) {
        const MgAstSub *sub = &decl->at[i];
        uint32_t n = at.count[i];
        MgVal dims[MAX_RANK];
        for (uint32_t j = 0; j < n; j++)
            dims[j] = mg_val_ix(shape[at.axes[at.first[i] + j]]);
        int r = 1;
        switch (sub->kind) {
        case MG_SUB_PACK:
            r = solve_pack(&sv, sub, dims, n);
            break;
        case MG_SUB_ZIP:
            if (!mg_known(&inner, sub->expr)) {
                r = 0;
                break;
            }
            for (uint32_t j = 0; j < n && r == 1; j++) {
                inner.pos = j;
                r = solve(&sv, sub->expr, dims[j].ix);
            }
            inner.pos = -1;
            break;
        case MG_SUB_EXPR:
            r = solve(&sv, sub->expr, dims[0].ix);
            break;
        case MG_SUB_SOME: {
            const MgAstExpr *e = sub->expr;
            if (e->kind == MG_EXPR_BINARY)
                e = e->binary.left;
            r = solve(&sv, e, dims[0].ix);
            break;
        }
        default:
            MG_FAIL(c->env, sub->span, tuple_in_shape, "");
            r = -1;
        }
        if (r < 0)
            return r;
        all &= r;
    }
    return all;
}

// ---------------------------------------------------------------- element types
MgDType mg_element_type_quiet(MgEnv *env, MgSym name) {
    MgBinding *b = mg_env_find(env, name);
    if (b && b->val.kind == V_TYPE)
        return b->val.type;
    return mg_dtype_of_name(mg_sym_text(env->s, name));
}

bool mg_element_type(MgEnv *env, const MgAstName *name, MgDType *out) {
    *out = mg_element_type_quiet(env, name->sym);
    if (*out != MG_DTYPE_COUNT)
        return true;
    MgBinding *b = mg_env_find(env, name->sym);
    if (b && b->val.kind == V_POISON)
        return false;
    MgSema *s = env->s;
    MgSym all[MG_DTYPE_COUNT];
    for (uint32_t i = 0; i < MG_DTYPE_COUNT; i++)
        all[i] = mg_sym(s->names, mg_dtype((MgDType)i)->name);
    MG_FAIL(env, name->span, unknown_type, mg_sym_text(s, name->sym),
            mg_suggest(s, name->sym, all, MG_DTYPE_COUNT));
    return false;
}
