// The indices of an equation and their ranges.
//
// The range of an index is the first of these: its own `in a..b`; the dimension at its place on the
// left side; the dimension of the reads in which it is a whole subscript, which must all be equal.
// A computed subscript never determines a range.
#include "frontend/sema_suggest.h"

enum { FROM_READS = 1, FROM_LEFT = 5, FROM_RANGE = 9 };

// ---------------------------------------------------------------- scope
MgIndexVar *mg_index_find(MgEq *eq, MgSym name) {
    for (uint32_t i = eq->active.len; i-- > 0;)
        if (eq->vars.at[eq->active.at[i]].name == name)
            return &eq->vars.at[eq->active.at[i]];
    return NULL;
}

const MgAstExpr *mg_index_reduction(MgEq *eq, MgSym name) {
    for (uint32_t i = 0; i < eq->scopes.entries.len; i++) {
        const MgMapEntry *scope = &eq->scopes.entries.at[i];
        uint32_t first = (uint32_t)(scope->value >> 32), n = (uint32_t)scope->value;
        for (uint32_t k = first; k < first + n; k++)
            if (eq->vars.at[k].name == name)
                return (const MgAstExpr *)(uintptr_t)scope->key;
    }
    return NULL;
}

uint32_t mg_eq_pack_length(MgEq *eq, MgSym name, bool *is_index) {
    MgIndexVar *v = mg_index_find(eq, name);
    *is_index = v != NULL;
    return v && v->pack ? v->n : MG_UNKNOWN_LENGTH;
}

bool mg_eq_index(MgCtx *c, MgSym name, MgSpan span, MgVal *out) {
    MgEq *eq = c->eq;
    MgSema *s = eq->env->s;
    MgIndexVar *v = mg_index_find(eq, name);
    if (!v)
        return false;
    *out = mg_val_poison();
    uint32_t k = 0;
    if (v->pack) {
        if (c->pos < 0) {
            MG_FAIL(c->env, span, pack_outside_zip, mg_sym_text(s, name), mg_sym_text(s, name));
            return true;
        }
        if (c->pos >= v->n) {
            MG_FAIL(c->env, span, zip_length, mg_sym_text(s, name), v->n, (unsigned)c->pos + 1);
            return true;
        }
        k = (uint32_t)c->pos;
    }
    if (!eq->positioned || v->first == UINT32_MAX)
        return true; // reported where its range is needed
    *out = mg_val_ix(mg_ix_idx(s->ix, v->first + k));
    return true;
}

const MgIxRanges *mg_eq_ranges(MgEq *eq) {
    return eq->positioned ? &eq->ranges : NULL;
}

static const MgIndexVar *at_position(const MgEq *eq, uint32_t position) {
    for (uint32_t i = 0; i < eq->vars.len; i++) {
        const MgIndexVar *v = &eq->vars.at[i];
        if (v->first != UINT32_MAX && position >= v->first && position < v->first + v->n)
            return v;
    }
    return NULL;
}

const char *mg_eq_index_name(void *sema, uint32_t position) {
    MgSema *s = sema;
    const MgIndexVar *v = s->eq ? at_position(s->eq, position) : NULL;
    return v ? mg_sym_text(s, v->name) : "an index";
}

void *mg_eq_hide(MgEq *eq) {
    uint32_t *len = MG_NEW(eq->env->s->arena, uint32_t);
    *len = eq->active.len;
    eq->active.len = 0;
    return len;
}

void mg_eq_show(MgEq *eq, void *hidden) {
    eq->active.len = *(uint32_t *)hidden;
}

static bool shadows(MgEq *eq, MgSym name, MgSpan span) {
    MgEnv *env = eq->env;
    MgSema *s = env->s;
    if (mg_index_find(eq, name)) {
        MG_FAIL(env, span, index_twice, mg_sym_text(s, name));
        eq->failed = true;
        return true;
    }
    MgBinding *b = mg_env_find(env, name);
    if (b && (mg_is_scalar(&b->val) || b->val.kind == V_LIST || b->val.kind == V_STR) &&
        !b->is_operand) {
        MG_FAIL(env, span, index_shadows, mg_sym_text(s, name));
        mg_diag_note(s->session, b->span, MG_D_defined_here, mg_sym_text(s, name));
        eq->failed = true;
        return true;
    }
    return false;
}

static void set_length(MgEq *eq, MgIndexVar *v, uint32_t n) {
    MgArena *arena = eq->env->s->arena;
    v->n = n;
    v->low = MG_NEW_N(arena, MgIx, n);
    v->high = MG_NEW_N(arena, MgIx, n);
    v->strength = MG_NEW_N(arena, uint8_t, n);
    v->from = MG_NEW_N(arena, MgSym, n);
    eq->changed = true;
}

typedef struct RangeLength {
    MgCtx *c;
    uint32_t n;
} RangeLength;

static void see_list(void *ctx, const MgAstExpr *e) {
    RangeLength *l = ctx;
    bool is_index = false;
    uint32_t n = mg_eq_pack_length(l->c->eq, e->name, &is_index);
    MgBinding *b = is_index ? NULL : mg_env_find(l->c->env, e->name);
    if (b && b->val.kind == V_LIST)
        n = b->val.n;
    if (n != MG_UNKNOWN_LENGTH)
        l->n = n;
}

MgIndexVar *mg_index_new(MgEq *eq, const MgAstBinder *b, bool bound) {
    if (shadows(eq, b->name.sym, b->name.span))
        return NULL;
    mg_push(eq->env->s->arena, &eq->vars,
            (MgIndexVar){.name = b->name.sym,
                         .span = b->name.span,
                         .pack = b->pack,
                         .bound = bound,
                         .first = UINT32_MAX,
                         .n = MG_UNKNOWN_LENGTH});
    MgIndexVar *v = &eq->vars.at[eq->vars.len - 1];
    mg_push(eq->env->s->arena, &eq->active, eq->vars.len - 1);
    if (b->range.first)
        v->range = &b->range;
    if (!b->pack)
        set_length(eq, v, 1);
    return v;
}

// ---------------------------------------------------------------- collecting
static void collect_reductions(MgEq *eq, const MgAstExpr *e);

static void collect_in_subs(MgEq *eq, const MgAstSubs *subs) {
    for (uint32_t i = 0; i < subs->len; i++) {
        const MgAstSub *sub = &subs->at[i];
        if (sub->kind == MG_SUB_EXPR || sub->kind == MG_SUB_ZIP)
            collect_reductions(eq, sub->expr);
        else if (sub->kind == MG_SUB_TUPLE)
            collect_in_subs(eq, &sub->tuple);
    }
}

static void collect_binders(MgEq *eq, const MgAstExpr *reduce) {
    uint32_t first = eq->vars.len;
    for (uint32_t i = 0; i < reduce->reduce.binders.len; i++)
        mg_index_new(eq, &reduce->reduce.binders.at[i], true);
    mg_map_put(&eq->scopes, (uintptr_t)reduce, (uint64_t)first << 32 | (eq->vars.len - first));
}

static void collect_reductions(MgEq *eq, const MgAstExpr *e) {
    switch (e->kind) {
    case MG_EXPR_UNARY:
        collect_reductions(eq, e->unary.operand);
        return;
    case MG_EXPR_BINARY:
        collect_reductions(eq, e->binary.left);
        collect_reductions(eq, e->binary.right);
        return;
    case MG_EXPR_REDUCE: {
        uint32_t scope = eq->active.len;
        if (e != eq->root)
            collect_binders(eq, e);
        collect_reductions(eq, e->reduce.body);
        eq->active.len = scope;
        return;
    }
    case MG_EXPR_READ:
        collect_in_subs(eq, &e->read.subs);
        if (e->read.otherwise)
            collect_reductions(eq, e->read.otherwise);
        return;
    case MG_EXPR_CALL:
        for (uint32_t i = 0; i < e->call.args.len; i++)
            collect_reductions(eq, e->call.args.at[i].value);
        return;
    default:
        return;
    }
}

static bool is_static_name(MgEq *eq, MgSym name) {
    MgBinding *b = mg_env_find(eq->env, name);
    return b && b->val.kind != V_TENSOR && b->val.kind != V_PIECES && b->val.kind != V_PARAM &&
           b->val.kind != V_INSTANCE && b->val.kind != V_ABSENT && !b->is_operand;
}

static void collect_left(MgEq *eq, const MgAstSubs *subs) {
    for (uint32_t i = 0; i < subs->len; i++) {
        const MgAstSub *sub = &subs->at[i];
        MgAstBinder b = {.span = sub->span};
        switch (sub->kind) {
        case MG_SUB_PACK:
        case MG_SUB_INDEX:
            if (sub->index.range.first || !mg_index_find(eq, sub->index.name.sym))
                mg_index_new(eq, &sub->index, false);
            break;
        case MG_SUB_TUPLE:
            collect_left(eq, &sub->tuple);
            break;
        case MG_SUB_EXPR:
            if (sub->expr->kind != MG_EXPR_NAME || mg_index_find(eq, sub->expr->name) ||
                is_static_name(eq, sub->expr->name))
                break;
            b.name = (MgAstName){sub->expr->name, sub->expr->span};
            mg_index_new(eq, &b, false);
            break;
        default:
            break;
        }
    }
}

void mg_index_collect(MgEq *eq, const MgAstStmt *st) {
    if (eq->root)
        collect_binders(eq, eq->root);
    collect_left(eq, &st->equation.subs);
    collect_in_subs(eq, &st->equation.subs);
    collect_reductions(eq, st->equation.value);
}

// ---------------------------------------------------------------- inference
static void range_conflict(MgEq *eq, MgIndexVar *v, uint32_t k, MgIx high, MgSym from,
                           MgSpan span) {
    MgSema *s = eq->env->s;
    const char *a = mg_ix_text(s, v->high[k]), *b = mg_ix_text(s, high);
    MG_FAIL(eq->env, span, range_conflict, mg_sym_text(s, v->name), a, mg_sym_text(s, v->from[k]),
            b, mg_sym_text(s, from));
    if (mg_same(s, v->high[k], high) == MG_UNKNOWN)
        mg_diag_note(s->session, span, MG_D_suggest_require, a, b);
    eq->failed = true;
}

static void set_range(MgEq *eq, MgIndexVar *v, uint32_t k, MgIx high, uint8_t strength, MgSym from,
                      MgSpan span) {
    MgSema *s = eq->env->s;
    if (v->range || k >= v->n || v->strength[k] > strength || high == MG_IX_ERROR)
        return;
    if (v->strength[k] == strength) {
        if (v->high[k] == high || eq->failed)
            return;
        if (!mg_equate(eq->env, span, v->high[k], high))
            range_conflict(eq, v, k, high, from, span);
        return;
    }
    v->low[k] = mg_ix_const(s->ix, 0);
    v->high[k] = high;
    v->strength[k] = strength;
    v->from[k] = from;
    eq->changed = true;
}

typedef struct Note {
    MgEq *eq;
    uint8_t strength;
    MgSym from;
    MgSpan span;
    bool left;
} Note;

static bool plain(const MgAstSub *sub, MgSym *name) {
    if (sub->kind == MG_SUB_EXPR && sub->expr->kind == MG_EXPR_NAME)
        *name = sub->expr->name;
    else if (sub->kind == MG_SUB_INDEX && !sub->index.pack)
        *name = sub->index.name.sym;
    else
        return false;
    return true;
}

// Sets the ranges of a tuple's indices from the declared factors of its dimension.
static void note_tuple(Note *n, const MgAstSubs *tuple, const MgFactors *f) {
    MgEq *eq = n->eq;
    MgCtx c = {.env = eq->env, .eq = eq, .mode = M_SUB, .pos = -1};
    uint32_t known = 0;
    MgIndexVar *open = NULL;
    for (uint32_t i = 0; i < tuple->len; i++) {
        uint32_t len = mg_entry_length(&c, &tuple->at[i]);
        if (len != MG_UNKNOWN_LENGTH) {
            known += len;
        } else if (!open && tuple->at[i].kind == MG_SUB_PACK) {
            open = mg_index_find(eq, tuple->at[i].index.name.sym);
        } else {
            return;
        }
    }
    if (open && known <= f->n) {
        set_length(eq, open, f->n - known);
        known = f->n;
    }
    if (known != f->n)
        return;
    for (uint32_t i = 0, k = 0; i < tuple->len; i++) {
        const MgAstSub *sub = &tuple->at[i];
        MgSym name;
        MgIndexVar *v = NULL;
        if (sub->kind == MG_SUB_PACK)
            v = mg_index_find(eq, sub->index.name.sym);
        else if (plain(sub, &name))
            v = mg_index_find(eq, name);
        uint32_t len = mg_entry_length(&c, sub);
        for (uint32_t j = 0; j < len; j++, k++)
            if (v && !(n->left && v->bound) && (v->strength[j] == 0 || n->left))
                set_range(eq, v, j, f->at[k], n->strength, n->from, n->span);
    }
}

static void note_entries(Note *n, const MgAstSubs *subs, const MgAxes *at, const MgIx *shape,
                         const MgFactors *factors) {
    MgEq *eq = n->eq;
    for (uint32_t i = 0; i < subs->len; i++) {
        const MgAstSub *sub = &subs->at[i];
        MgSym name;
        if (sub->kind == MG_SUB_PACK || (sub->kind == MG_SUB_INDEX && sub->index.pack)) {
            MgIndexVar *v = mg_index_find(eq, sub->index.name.sym);
            if (!v || !v->pack)
                continue;
            if (v->n == MG_UNKNOWN_LENGTH)
                set_length(eq, v, at->count[i]);
            for (uint32_t j = 0; j < at->count[i] && j < v->n; j++) {
                MgIx dim = at->pack.kind == V_LIST ? at->pack.list[j].ix
                           : at->axes[i][j] >= 0   ? shape[at->axes[i][j]]
                                                   : MG_IX_ERROR;
                if (!(n->left && v->bound))
                    set_range(eq, v, j, dim, n->strength, n->from, n->span);
            }
        } else if (sub->kind == MG_SUB_TUPLE) {
            if (factors && at->count[i] == 1 && factors[at->axes[i][0]].n)
                note_tuple(n, &sub->tuple, &factors[at->axes[i][0]]);
        } else if (plain(sub, &name) && at->count[i] == 1 && at->axes[i][0] >= 0) {
            MgIndexVar *v = mg_index_find(eq, name);
            if (v && !v->pack && !(n->left && v->bound))
                set_range(eq, v, 0, shape[at->axes[i][0]], n->strength, n->from, n->span);
        }
    }
}

static void note_expr(MgEq *eq, const MgAstExpr *e);

static void note_in_subs(MgEq *eq, const MgAstSubs *subs) {
    for (uint32_t i = 0; i < subs->len; i++) {
        const MgAstSub *sub = &subs->at[i];
        if (sub->kind == MG_SUB_EXPR || sub->kind == MG_SUB_ZIP)
            note_expr(eq, sub->expr);
        else if (sub->kind == MG_SUB_TUPLE)
            note_in_subs(eq, &sub->tuple);
    }
}

static void note_read(MgEq *eq, const MgAstExpr *e) {
    MgEnv *env = eq->env;
    MgSema *s = env->s;
    MgCtx c = {.env = env, .eq = eq, .mode = M_SUB, .pos = -1};
    MgBinding *b = mg_env_find(env, e->read.name.sym);
    MgVal v = {0};
    if (b && b->val.kind == V_PIECES && e->read.name.sym != eq->target) {
        mg_finish_pieces(b->val.pieces);
        b = mg_env_find(env, e->read.name.sym);
    }
    if (b) {
        v = b->val;
    } else if (mg_index_find(eq, e->read.name.sym)) {
        MG_FAIL(env, e->span, index_read, mg_sym_text(s, e->read.name.sym));
        eq->failed = true;
    } else if (e->read.name.sym != eq->target) {
        MgCtx named = c;
        named.mode = M_VALUE;
        v = mg_named(&named, e->read.name.sym, e->read.name.span);
        eq->failed |= v.kind == V_POISON;
    }
    if (e->read.name.sym == eq->target && (!b || b->val.kind == V_PIECES) && !eq->failed) {
        MG_FAIL(env, e->span, reads_itself, mg_sym_text(s, eq->target));
        eq->failed = true;
    }
    if (v.kind == V_PARAM && !eq->failed) {
        MG_FAIL(env, e->span, open_param, mg_sym_text(s, e->read.name.sym));
        eq->failed = true;
    }
    if (b && v.kind == V_POISON)
        eq->failed = true; // reported where it arose
    if (v.kind != V_TENSOR)
        return;
    MgValue *t = mg_value(s->g, v.tensor);
    MgAxes at;
    if (!mg_axes(&c, &e->read.subs, t->rank, b, b ? b->decl : NULL, e->span, true, &at)) {
        if (at.wrong != UINT32_MAX)
            mg_rank_differs(env, e->span, e->read.name.sym, v.tensor, at.wrong);
        return;
    }
    Note n = {eq, FROM_READS, e->read.name.sym, e->span, false};
    note_entries(&n, &e->read.subs, &at, t->shape, b ? b->factors : NULL);
}

// rank(x), size(x), len(x) and given(x) query a tensor without reading it.
static bool asks_shape(MgEq *eq, const MgAstExpr *e) {
    const char *name = mg_sym_text(eq->env->s, e->call.name.sym);
    return !strcmp(name, "rank") || !strcmp(name, "size") || !strcmp(name, "given") ||
           !strcmp(name, "len");
}

static void note_name(MgEq *eq, const MgAstExpr *e) {
    MgEnv *env = eq->env;
    MgSema *s = env->s;
    MgBinding *b = mg_index_find(eq, e->name) ? NULL : mg_env_find(env, e->name);
    if (!b || b->val.kind != V_TENSOR || eq->failed)
        return;
    MG_FAIL(env, e->span, tensor_needs_subscripts, mg_sym_text(s, e->name), mg_val_text(s, &b->val),
            mg_element_text(s, e->name, &b->val));
    eq->failed = true;
}

static void note_expr(MgEq *eq, const MgAstExpr *e) {
    switch (e->kind) {
    case MG_EXPR_UNARY:
        note_expr(eq, e->unary.operand);
        return;
    case MG_EXPR_BINARY:
        note_expr(eq, e->binary.left);
        note_expr(eq, e->binary.right);
        return;
    case MG_EXPR_REDUCE: {
        uint32_t scope = eq->active.len;
        uint64_t vars = mg_map_get(&eq->scopes, (uintptr_t)e, 0);
        if (e != eq->root)
            for (uint32_t i = 0; i < (uint32_t)vars; i++)
                mg_push(eq->env->s->arena, &eq->active, (uint32_t)(vars >> 32) + i);
        note_expr(eq, e->reduce.body);
        eq->active.len = scope;
        return;
    }
    case MG_EXPR_READ:
        note_read(eq, e);
        note_in_subs(eq, &e->read.subs);
        if (e->read.otherwise)
            note_expr(eq, e->read.otherwise);
        return;
    case MG_EXPR_CALL:
        if (!asks_shape(eq, e))
            for (uint32_t i = 0; i < e->call.args.len; i++)
                note_expr(eq, e->call.args.at[i].value);
        return;
    case MG_EXPR_NAME:
        note_name(eq, e);
        return;
    default:
        return;
    }
}

static void range_lengths(MgEq *eq) {
    MgCtx c = {.env = eq->env, .eq = eq, .mode = M_SUB, .pos = -1};
    for (uint32_t i = 0; i < eq->vars.len; i++) {
        MgIndexVar *v = &eq->vars.at[i];
        if (v->n != MG_UNKNOWN_LENGTH || !v->range)
            continue;
        RangeLength l = {&c, MG_UNKNOWN_LENGTH};
        mg_ast_names(v->range->first, see_list, &l);
        if (v->range->last)
            mg_ast_names(v->range->last, see_list, &l);
        if (l.n != MG_UNKNOWN_LENGTH)
            set_length(eq, v, l.n);
    }
}

void mg_index_infer(MgEq *eq, const MgAstStmt *st, const MgShape *shape, const MgAstSubs *decl) {
    MgCtx c = {.env = eq->env, .eq = eq, .mode = M_SUB, .pos = -1};
    const MgAstSubs *left = &st->equation.subs;
    do {
        eq->changed = false;
        range_lengths(eq);
        MgAxes at;
        if (shape && mg_axes(&c, left, shape->rank, NULL, decl, st->span, true, &at)) {
            Note n = {eq, FROM_LEFT, eq->target, st->span, true};
            note_entries(&n, left, &at, shape->dims, shape->factors);
        } else if (shape && at.wrong != UINT32_MAX) {
            MgSema *s = eq->env->s;
            MG_FAIL(eq->env, st->equation.name.span, rank_left, mg_sym_text(s, eq->target),
                    shape->rank, mg_counted(s->arena, shape->rank, "subscript"), at.wrong);
        }
        note_in_subs(eq, left);
        note_expr(eq, st->equation.value);
    } while (eq->changed && !eq->failed);
}

// ---------------------------------------------------------------- positions and ranges
// Loops nest in the order of positions, so a range may only depend on earlier indices.
static bool follows_earlier(MgEq *eq, const MgIndexVar *v, uint32_t k) {
    MgSema *s = eq->env->s;
    for (uint32_t i = v->first + k; i < eq->n_positions; i++) {
        MgIx later = mg_ix_index(s->ix, i);
        if (!mg_ix_mentions(s->ix, v->low[k], later) && !mg_ix_mentions(s->ix, v->high[k], later))
            continue;
        const MgIndexVar *other = at_position(eq, i);
        const char *name = mg_sym_text(s, v->name), *after = mg_sym_text(s, other->name);
        if (other->bound && !v->bound)
            MG_FAIL(eq->env, v->span, range_follows_bound, name, after, name);
        else
            MG_FAIL(eq->env, v->span, range_follows_later, name, after);
        return false;
    }
    return true;
}

bool mg_index_range(MgEq *eq, MgIndexVar *v) {
    MgEnv *env = eq->env;
    MgSema *s = env->s;
    if (v->ranged)
        return v->n == 0 || eq->high[v->first] != MG_IX_ERROR;
    v->ranged = true;
    for (uint32_t k = 0; k < v->n; k++) {
        MgCtx c = {.env = env, .eq = eq, .mode = M_SUB, .pos = v->pack ? (int64_t)k : -1};
        if (v->range && !mg_eval_range(&c, v->range, &v->low[k], &v->high[k]))
            return false;
        if (v->high[k] == MG_IX_ERROR) {
            MG_FAIL(env, v->span, no_range, mg_sym_text(s, v->name), mg_sym_text(s, v->name));
            return false;
        }
        if (!follows_earlier(eq, v, k))
            return false;
        eq->low[v->first + k] = v->low[k];
        eq->high[v->first + k] = v->high[k];
    }
    return true;
}

// Gives an index a single point, so that proofs take no facts from an index out of scope.
static void one_point(MgEq *eq, uint32_t position) {
    eq->low[position] = mg_ix_const(eq->env->s->ix, 0);
    eq->high[position] = mg_ix_const(eq->env->s->ix, 1);
}

bool mg_index_position(MgEq *eq) {
    MgSema *s = eq->env->s;
    uint32_t n = 0;
    if (eq->failed)
        return false;
    for (int bound = 0; bound < 2; bound++)
        for (uint32_t i = 0; i < eq->vars.len; i++) {
            MgIndexVar *v = &eq->vars.at[i];
            if (v->bound != bound)
                continue;
            if (v->n == MG_UNKNOWN_LENGTH) {
                MG_FAIL(eq->env, v->span, index_pack_length, mg_sym_text(s, v->name));
                return false;
            }
            v->first = n;
            n += v->n;
        }
    if (n > 64) {
        MG_FAIL(eq->env, eq->span, too_many_indices, n);
        return false;
    }
    eq->n_positions = n;
    eq->low = MG_NEW_N(s->arena, MgIx, n);
    eq->high = MG_NEW_N(s->arena, MgIx, n);
    for (uint32_t i = 0; i < n; i++) // until their scopes are entered
        one_point(eq, i);
    eq->ranges = (MgIxRanges){eq->low, eq->high, n};
    eq->positioned = true;
    bool ok = true;
    for (uint32_t i = 0; i < eq->active.len; i++)
        ok &= mg_index_range(eq, &eq->vars.at[eq->active.at[i]]);
    return ok;
}

bool mg_index_enter(MgEq *eq, const MgAstExpr *reduce) {
    uint64_t *vars = mg_map_find(&eq->scopes, (uintptr_t)reduce);
    if (!vars)
        return false;
    uint32_t first = (uint32_t)(*vars >> 32), n = (uint32_t)*vars;
    for (uint32_t i = 0; i < n; i++)
        mg_push(eq->env->s->arena, &eq->active, first + i);
    bool ok = true;
    for (uint32_t i = 0; i < n; i++)
        ok &= mg_index_range(eq, &eq->vars.at[first + i]);
    return ok;
}

void mg_index_leave(MgEq *eq, const MgAstExpr *reduce) {
    uint64_t vars = mg_map_get(&eq->scopes, (uintptr_t)reduce, 0);
    for (uint32_t i = 0; i < (uint32_t)vars; i++) {
        const MgIndexVar *v = &eq->vars.at[(uint32_t)(vars >> 32) + i];
        for (uint32_t k = 0; k < v->n; k++)
            one_point(eq, v->first + k);
    }
    eq->active.len -= (uint32_t)vars;
}
