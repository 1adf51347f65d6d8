// The indices of an equation: their scopes, and their positions and ranges once these are inferred
// (sema_infer.c).
#include "frontend/sema_suggest.h"

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
    v->named = true;
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
    if (b && (mg_is_scalar(&b->val) || b->val.kind == MG_V_LIST || b->val.kind == MG_V_STR) &&
        !b->is_operand) {
        MG_FAIL(env, span, index_shadows, mg_sym_text(s, name));
        mg_diag_note(s->session, b->span, MG_D_defined_here, mg_sym_text(s, name));
        eq->failed = true;
        return true;
    }
    return false;
}

void mg_index_set_length(MgEq *eq, MgIndexVar *v, uint32_t n) {
    MgArena *arena = eq->env->s->arena;
    v->n = n;
    v->low = MG_NEW_N(arena, MgIx, n);
    v->high = MG_NEW_N(arena, MgIx, n);
    v->strength = MG_NEW_N(arena, uint8_t, n);
    v->from = MG_NEW_N(arena, MgSym, n);
    eq->changed = true;
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
        mg_index_set_length(eq, v, 1);
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
    return b && b->val.kind != MG_V_TENSOR && b->val.kind != MG_V_PIECES &&
           b->val.kind != MG_V_PARAM && b->val.kind != MG_V_INSTANCE &&
           b->val.kind != MG_V_ABSENT && !b->is_operand;
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
        MgCtx c = {.env = env, .eq = eq, .mode = MG_M_SUB, .pos = v->pack ? (int64_t)k : -1};
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

// Gives an index a single point, so that proofs use no facts about an index out of scope.
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
