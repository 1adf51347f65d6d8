// Infers the ranges of an equation's indices.
//
// The range of an index is the first of these: its own `in a..b`; the dimension at its place on the
// left side; the dimension of the reads in which it is a whole subscript, which must all be equal.
// A computed subscript never determines a range.
#include "frontend/sema_suggest.h"

enum { FROM_READS = 1, FROM_LEFT = 5, FROM_RANGE = 9 };

static void range_conflict(MgEq *eq, MgIndexVar *v, uint32_t k, MgIx high, MgSym from,
                           MgSpan span) {
    MgSema *s = eq->env->s;
    const char *a = mg_ix_text(s, v->high[k]), *b = mg_ix_text(s, high);
    MG_FAIL(eq->env, span, range_conflict, mg_sym_text(s, v->name), a, mg_sym_text(s, v->from[k]),
            b, mg_sym_text(s, from));
    if (mg_same(s, v->high[k], high) == MG_UNKNOWN)
        mg_diag_note(s->session, span, MG_D_suggest_range, a, b, mg_sym_text(s, v->name), a);
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
        MgRequire *made;
        if (!mg_equate_or_require(eq->env, span, v->high[k], high, &made))
            range_conflict(eq, v, k, high, from, span);
        if (made)
            made->message = mg_symf(
                s->names, "the index '%s' ranges over {%s} of '%s', but also over {%s} of '%s'",
                mg_sym_text(s, v->name), mg_ix_text(s, v->high[k]), mg_sym_text(s, v->from[k]),
                mg_ix_text(s, high), mg_sym_text(s, from));
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

static bool is_plain(const MgAstSub *sub, MgSym *name) {
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
    MgCtx c = {.env = eq->env, .eq = eq, .mode = MG_M_SUB, .pos = -1};
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
        mg_index_set_length(eq, open, f->n - known);
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
        else if (is_plain(sub, &name))
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
                mg_index_set_length(eq, v, at->count[i]);
            for (uint32_t j = 0; j < at->count[i] && j < v->n; j++) {
                MgIx dim = at->pack.kind == MG_V_LIST ? at->pack.list[j].ix
                           : at->axes[i][j] >= 0      ? shape[at->axes[i][j]]
                                                      : MG_IX_ERROR;
                if (!(n->left && v->bound))
                    set_range(eq, v, j, dim, n->strength, n->from, n->span);
            }
        } else if (sub->kind == MG_SUB_TUPLE) {
            if (factors && at->count[i] == 1 && factors[at->axes[i][0]].n)
                note_tuple(n, &sub->tuple, &factors[at->axes[i][0]]);
        } else if (is_plain(sub, &name) && at->count[i] == 1 && at->axes[i][0] >= 0) {
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
    MgCtx c = {.env = env, .eq = eq, .mode = MG_M_SUB, .pos = -1};
    MgBinding *b = mg_env_find(env, e->read.name.sym);
    MgVal v = {0};
    if (b && b->val.kind == MG_V_PIECES && e->read.name.sym != eq->target) {
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
        named.mode = MG_M_VALUE;
        v = mg_named(&named, e->read.name.sym, e->read.name.span);
        eq->failed |= v.kind == MG_V_POISON;
    }
    if (e->read.name.sym == eq->target && (!b || b->val.kind == MG_V_PIECES) && !eq->failed) {
        MG_FAIL(env, e->span, reads_itself, mg_sym_text(s, eq->target));
        eq->failed = true;
    }
    if (v.kind == MG_V_PARAM && !eq->failed) {
        MG_FAIL(env, e->span, open_param, mg_sym_text(s, e->read.name.sym));
        eq->failed = true;
    }
    if (b && v.kind == MG_V_POISON)
        eq->failed = true; // reported where it arose
    if (v.kind != MG_V_TENSOR)
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

// rank(x), size(x), len(x), given(x) and proved(c) query a tensor without reading it.
static bool asks_shape(MgEq *eq, const MgAstExpr *e) {
    const char *name = mg_sym_text(eq->env->s, e->call.name.sym);
    return !strcmp(name, "rank") || !strcmp(name, "size") || !strcmp(name, "given") ||
           !strcmp(name, "len") || !strcmp(name, "proved");
}

static void note_name(MgEq *eq, const MgAstExpr *e) {
    MgEnv *env = eq->env;
    MgSema *s = env->s;
    MgBinding *b = mg_index_find(eq, e->name) ? NULL : mg_env_find(env, e->name);
    if (!b || b->val.kind != MG_V_TENSOR || eq->failed)
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

typedef struct RangeLength {
    MgCtx *c;
    uint32_t n;
} RangeLength;

static void see_list(void *ctx, const MgAstExpr *e) {
    RangeLength *l = ctx;
    bool is_index = false;
    uint32_t n = mg_eq_pack_length(l->c->eq, e->name, &is_index);
    MgBinding *b = is_index ? NULL : mg_env_find(l->c->env, e->name);
    if (b && b->val.kind == MG_V_LIST)
        n = b->val.n;
    if (n != MG_UNKNOWN_LENGTH)
        l->n = n;
}

static void range_lengths(MgEq *eq) {
    MgCtx c = {.env = eq->env, .eq = eq, .mode = MG_M_SUB, .pos = -1};
    for (uint32_t i = 0; i < eq->vars.len; i++) {
        MgIndexVar *v = &eq->vars.at[i];
        if (v->n != MG_UNKNOWN_LENGTH || !v->range)
            continue;
        RangeLength l = {&c, MG_UNKNOWN_LENGTH};
        mg_ast_names(v->range->first, see_list, &l);
        if (v->range->last)
            mg_ast_names(v->range->last, see_list, &l);
        if (l.n != MG_UNKNOWN_LENGTH)
            mg_index_set_length(eq, v, l.n);
    }
}

void mg_index_infer(MgEq *eq, const MgAstStmt *st, const MgShape *shape, const MgAstSubs *decl) {
    MgCtx c = {.env = eq->env, .eq = eq, .mode = MG_M_SUB, .pos = -1};
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
