// The solver: matches a declared shape with an operand's.
//
// It goes entry by entry. A known entry is compared. An entry with a single unknown name under + -
// * is inverted exactly. A pack is bound or compared; a pack of the broadcast clause is joined.
#include "frontend/sema_internal.h"

// ---------------------------------------------------------------- the solver
typedef struct Solve {
    MgCtx *c;
    MgSym from; // the operand's name
    MgSpan span, decl_span;
    const MgIx *shape; // of the operand
    uint32_t rank;
} Solve;

// "x [B, 3]". For a message of the run, its sizes are {formulas}.
static const char *operand_text(MgSema *s, MgSym name, uint32_t rank, const MgIx *shape,
                                bool of_run) {
    return mg_arena_printf(s->arena, "'%s' %s", mg_sym_text(s, name),
                           of_run ? mg_shape_of_run(s, rank, shape)
                                  : mg_shape_text(s, rank, shape));
}

static const char *own_text(const Solve *sv) {
    return operand_text(sv->c->env->s, sv->from, sv->rank, sv->shape, false);
}

// The origin of a dimension's or a pack's value.
static const char *origin_text(MgSema *s, const MgBinding *b, bool of_run) {
    if (b->from_shape)
        return operand_text(s, b->from, b->from_rank, b->from_shape, of_run);
    return b->from ? mg_arena_printf(s->arena, "'%s'", mg_sym_text(s, b->from)) : "its declaration";
}

static const char *from_text(MgSema *s, const MgBinding *b) {
    return origin_text(s, b, false);
}

// Requires that a size of the operand is the one from another operand, or the declared one. b is
// where that comes from, or NULL. `what` says what two operands are whose sizes differ, or is NULL.
static bool equate(const Solve *sv, const MgBinding *b, MgIx expected, MgIx actual,
                   const char *what) {
    MgSema *s = sv->c->env->s;
    MgRequire *made;
    bool may = mg_equate_or_require(sv->c->env, sv->span, expected, actual, &made);
    if (!made)
        return may;
    const char *own = operand_text(s, sv->from, sv->rank, sv->shape, true);
    const char *want = mg_ix_text(s, expected), *got = mg_ix_text(s, actual);
    if (what && b)
        made->message = mg_symf(s->names, "%s and %s %s", origin_text(s, b, true), own, what);
    else if (b && b->from)
        made->message = mg_symf(s->names, "%s does not fit %s: expected {%s}, found {%s}", own,
                                origin_text(s, b, true), want, got);
    else
        made->message =
            mg_symf(s->names, "%s: expected a dimension of {%s}, found {%s}", own, want, got);
    return may;
}

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
        MG_FAIL(at, sv->span, dim_differs, text, want, from_text(s, b), got, own_text(sv));
    else if (!strcmp(text, want))
        MG_FAIL(at, sv->span, dim_is, own_text(sv), got, want);
    else
        MG_FAIL(at, sv->span, dim_expected, own_text(sv), got, text, want);
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
    b->from_shape = sv->shape;
    b->from_rank = sv->rank;
    b->is_dim = true;
    return true;
}

// Is `actual` a multiple? It is refused if it is known not to be one. If that is unknown, the graph
// requires it.
static bool is_multiple(Solve *sv, MgIx actual, MgIx of, const MgAstExpr *factor) {
    MgEnv *env = sv->c->env;
    MgSema *s = env->s;
    if (mg_ix_mul(s->ix, mg_ix_div(s->ix, actual, of), of) == actual)
        return true;
    MgIx rest = mg_ix_mod(s->ix, actual, of);
    int64_t known;
    if (mg_ix_is_const(s->ix, rest, &known)) {
        const char *text = mg_ix_text(s, of);
        if (factor->kind == MG_EXPR_NAME)
            text = mg_arena_printf(s->arena, "%s = %s", mg_sym_text(s, factor->name), text);
        MG_FAIL(env->caller ? env->caller : env, sv->span, not_multiple, own_text(sv),
                mg_ix_text(s, actual), text);
        mg_diag_note(s->session, sv->decl_span, MG_D_declared_here, mg_sym_text(s, sv->from));
        return false;
    }
    MgSym message = mg_symf(s->names, "%s: {%s} is not a multiple of {%s}",
                            operand_text(s, sv->from, sv->rank, sv->shape, true),
                            mg_ix_text(s, actual), mg_ix_text(s, of));
    mg_record_require(env, sv->span, mg_ix_neg(s->ix, rest), message);
    mg_assume(s, mg_ix_neg(s->ix, rest));
    return true;
}

// Returns 1 if it is solved, 0 if there is more than one unknown, -1 if it failed.
static int solve(Solve *sv, const MgAstExpr *e, MgIx actual) {
    MgEnv *env = sv->c->env;
    MgSema *s = env->s;
    MgCtx inner = {.env = env, .mode = MG_M_STATIC, .pos = sv->c->pos};
    if (actual == MG_IX_ERROR)
        return 1;
    if (mg_is_blank(s, e))
        return 1;
    int64_t low = INT64_MIN, high = INT64_MAX;
    const MgAstExpr *name = mg_dim_bound(&inner, e, &low, &high);
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
        if (v.kind == MG_V_POISON)
            return -1;
        const MgBinding *b = e->kind == MG_EXPR_NAME ? mg_env_find(env, e->name) : NULL;
        if (equate(sv, b, v.ix, actual, NULL))
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
    if (v.kind == MG_V_POISON)
        return -1;
    const MgAstExpr *open = lk ? r : l;
    switch (e->binary.op) {
    case MG_AST_ADD:
        return solve(sv, open, mg_ix_sub(s->ix, actual, v.ix));
    case MG_AST_SUB:
        return solve(sv, open,
                     lk ? mg_ix_sub(s->ix, v.ix, actual) : mg_ix_add(s->ix, actual, v.ix));
    case MG_AST_MUL:
        return is_multiple(sv, actual, v.ix, lk ? l : r)
                   ? solve(sv, open, mg_ix_div(s->ix, actual, v.ix))
                   : -1;
    default:
        return 0;
    }
}

// ---------------------------------------------------------------- broadcasting packs
static bool join_dim(const Solve *sv, const MgBinding *pack, MgIx *into, MgIx with) {
    MgEnv *env = sv->c->env;
    MgSpan span = sv->span;
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
    if (equate(sv, pack, *into, with,
               "do not broadcast: only a size that is 1 at compile time is stretched"))
        return true;
    MgEnv *at = env->caller ? env->caller : env;
    MG_FAIL(at, span, no_broadcast, from_text(s, pack), own_text(sv), mg_ix_text(s, *into),
            mg_ix_text(s, with));
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
        if (x && y && !join_dim(sv, b, &list[i].ix, y->ix))
            return false;
    }
    b->val = mg_val_list(list, rank);
    return true;
}

bool mg_join_list(MgCtx *c, MgSym pack, MgVal list, MgSpan span, MgSym from) {
    MgIx *shape = MG_NEW_N(c->env->s->arena, MgIx, list.n);
    for (uint32_t i = 0; i < list.n; i++)
        shape[i] = list.list[i].ix;
    Solve sv = {c, from, span, span, shape, list.n};
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
    bool same = b->val.kind == MG_V_LIST && b->val.n == n;
    for (uint32_t i = 0; same && i < n; i++)
        same = b->val.list[i].kind == MG_V_INT &&
               equate(sv, b, b->val.list[i].ix, dims[i].ix, "have different sizes");
    if (same)
        return 1;
    MgVal actual = mg_val_list((MgVal *)dims, n);
    MgEnv *at = env->caller ? env->caller : env;
    MG_FAIL(at, sv->span, pack_differs, mg_sym_text(s, name), mg_val_text(s, &b->val),
            from_text(s, b), mg_val_text(s, &actual), own_text(sv));
    mg_diag_note(s->session, sv->decl_span, MG_D_declared_here,
                 mg_arena_printf(s->arena, "..%s", mg_sym_text(s, name)));
    return -1;
}

static MgLayout *layout_of_operand(MgCtx *c, const MgAstSubs *decl, uint32_t rank, MgSpan span,
                                   MgLayout *at, bool *failed) {
    // A broadcast pack takes the operand's remaining axes, whatever has been joined before.
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

// Is the operand written as a derivative? Its syntax tree is not at hand here, so the text tells,
// and only in the usual form: `derivative (y, x)` has no note.
static bool is_derivative(const MgSema *s, MgSpan span) {
    static const char word[] = "derivative(";
    const MgSource *src = &s->session->sources.all.at[span.source];
    return span.end - span.begin >= sizeof word &&
           !strncmp(src->text + span.begin, word, sizeof word - 1);
}

// Do the declared entries fit the operand's rank, as far as their lengths are known?
static bool rank_fits(const Solve *sv, const MgAstSubs *decl, uint32_t rank) {
    MgCtx *c = sv->c;
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
    MG_FAIL(at, sv->span, rank_operand, own_text(sv), rank, open ? "at least " : "", known);
    if (rank > known && is_derivative(s, sv->span))
        mg_diag_note(s->session, sv->span, MG_D_derivative_dims);
    mg_diag_note(s->session, sv->decl_span, MG_D_declared_here, mg_sym_text(s, sv->from));
    return false;
}

int mg_unify(MgCtx *c, const MgAstSubs *decl, uint32_t rank, const MgIx *shape, MgSym from,
             MgSpan span, MgSpan decl_span) {
    MgLayout at;
    bool failed;
    MgCtx inner = {.env = c->env, .mode = MG_M_STATIC, .pos = -1};
    Solve sv = {&inner, from, span, decl_span, shape, rank};
    if (!rank_fits(&sv, decl, rank))
        return -1;
    if (!layout_of_operand(&inner, decl, rank, span, &at, &failed))
        return failed ? -1 : 0;
    int all = 1;
    for (uint32_t i = 0; i < decl->len; i++) {
        const MgAstSub *sub = &decl->at[i];
        uint32_t n = at.count[i];
        MgVal dims[MG_MAX_RANK];
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
