// Declared shapes: their dimensions, the factors of their products, and the new dimensions that
// they introduce.
#include "frontend/sema_suggest.h"

// ---------------------------------------------------------------- declared shapes
bool mg_is_blank(MgSema *s, const MgAstExpr *e) {
    return e->kind == MG_EXPR_NAME && !strcmp(mg_sym_text(s, e->name), "_");
}

// Collects the declared factors of a product. An expression that is not a product adds none.
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
        if (b && b->val.kind == MG_V_LIST) {
            for (uint32_t i = 0; i < b->val.n && f->n < cap; i++)
                f->at[f->n++] = b->val.list[i].kind == MG_V_INT ? b->val.list[i].ix : MG_IX_ERROR;
            return;
        }
    }
    v = mg_eval(c, e);
    if (f->n < cap)
        f->at[f->n++] = v.kind == MG_V_INT ? v.ix : MG_IX_ERROR;
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

const MgAstExpr *mg_dim_bound(MgCtx *c, const MgAstExpr *e, int64_t *low, int64_t *high) {
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
    MgCtx inner = {.env = c->env, .mode = MG_M_STATIC, .pos = -1};
    if (name->kind != MG_EXPR_NAME || !mg_eval_const(&inner, limit, "the bound", &v))
        return NULL;
    bool strict = op == MG_AST_LT || op == MG_AST_GT;
    if (strict && v == (upper ? INT64_MIN : INT64_MAX)) {
        MG_FAIL(c->env, limit->span, too_large, "the bound");
        strict = false;
    }
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

// Handles `some C <= bound`, which introduces a dimension that data decide.
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
    if (v.kind == MG_V_POISON)
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

static bool is_negative(const MgCtx *c, MgSpan span, MgIx dim, MgShapeMode mode) {
    int64_t value;
    if (!mg_ix_is_const(c->env->s->ix, dim, &value) || value >= 0)
        return false;
    MG_FAIL(c->env, span, negative_dim, (long long)value,
            mode == MG_SHAPE_FRESH ? "; a dimension of any size has a name, as in f32[N]" : "");
    return true;
}

// Evaluates an entry that covers one axis.
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
    if (mg_is_blank(s, e)) {
        *dim = MG_IX_ERROR;
        if (mode == MG_SHAPE_OPEN)
            return true;
        MG_FAIL(c->env, sub->span, blank_not_here, "");
        return false;
    }
    const MgAstExpr *name = mg_dim_bound(c, e, &low, &high);
    if (!name)
        name = e;
    MgBinding *known = name->kind == MG_EXPR_NAME ? mg_env_find(c->env, name->name) : NULL;
    if (name->kind == MG_EXPR_NAME && !known && mode == MG_SHAPE_FRESH) {
        *dim = fresh_dim(c, name->name, name->span, low, high, &sym);
        return true;
    }
    if (mode == MG_SHAPE_FRESH) // in an input's shape 2 * H, H is solved when the graph is bound
        mg_ast_names(name, see_fresh, c);
    if (name->kind == MG_EXPR_NAME && !known && mode == MG_SHAPE_OPEN) {
        *dim = MG_IX_ERROR;
        return true;
    }
    MgVal v = mg_eval_int(c, name, "a dimension");
    if (v.kind == MG_V_POISON)
        return false;
    *dim = v.ix;
    if (is_negative(c, sub->span, v.ix, mode))
        return false;
    if (name == e)
        *f = factors_of(c, e);
    return true;
}

// Do the bytes of a tensor of the widest elements fit an expression? Open dimensions (`_`) count as
// 1.
static bool bytes_fit(MgSema *s, uint32_t rank, const MgIx *dims) {
    MgIx bytes = mg_ix_const(s->ix, 8);
    for (uint32_t k = 0; k < rank; k++)
        if (dims[k] != MG_IX_ERROR)
            bytes = mg_ix_mul(s->ix, bytes, dims[k]);
    return bytes != MG_IX_ERROR;
}

bool mg_shape_fits(MgEnv *env, MgSpan span, uint32_t rank, const MgIx *dims) {
    int64_t n = 1, value;
    bool empty = false, fits = true;
    for (uint32_t k = 0; k < rank; k++)
        if (mg_ix_is_const(env->s->ix, dims[k], &value)) {
            empty |= value == 0;
            fits &= !__builtin_mul_overflow(n, value, &n) && n <= MG_COUNT_MAX;
        }
    if (empty)
        return true;
    if (!fits)
        MG_FAIL(env, span, shape_too_large, mg_shape_text(env->s, rank, dims));
    else if (!bytes_fit(env->s, rank, dims))
        MG_FAIL(env, span, shape_bytes, mg_shape_text(env->s, rank, dims));
    else
        return true;
    return false;
}

// The dimensions of an entry that covers several axes: a pack, or an expression that is repeated
// for each element of a pack.
static bool entry_dims(const MgCtx *c, const MgAstSub *sub, const MgLayout *at, uint32_t entry,
                       MgIx *dims) {
    MgSema *s = c->env->s;
    MgBinding *pack = sub->kind == MG_SUB_PACK ? mg_env_find(c->env, sub->index.name.sym) : NULL;
    if (sub->kind == MG_SUB_PACK && !pack && at->count[entry]) {
        MG_FAIL(c->env, sub->span, unknown_name, mg_sym_text(s, sub->index.name.sym), "");
        return false;
    }
    for (uint32_t j = 0; j < at->count[entry]; j++) {
        MgCtx zip = *c;
        zip.pos = j;
        MgVal v = pack ? pack->val.list[j] : mg_eval_int(&zip, sub->expr, "a dimension");
        if (v.kind != MG_V_INT || is_negative(c, sub->span, v.ix, MG_SHAPE_CLOSED))
            return false;
        dims[at->axes[at->first[entry] + j]] = v.ix;
    }
    return true;
}

bool mg_shape_of(MgCtx *c, const MgAstSubs *subs, MgShapeMode mode, MgSpan span, MgShape *out) {
    MgSema *s = c->env->s;
    MgCtx inner = {.env = c->env, .mode = MG_M_STATIC, .pos = -1};
    uint32_t rank = mg_entries_rank(&inner, subs);
    bool failed;
    MgLayout at;
    *out = (MgShape){0};
    for (uint32_t i = 0; rank == MG_UNKNOWN_LENGTH && i < subs->len; i++)
        if (mg_entry_length(&inner, &subs->at[i]) == MG_UNKNOWN_LENGTH) {
            MG_FAIL(c->env, subs->at[i].span, pack_length_unknown, "");
            return false;
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
        if (sub->kind == MG_SUB_TUPLE || sub->kind == MG_SUB_INDEX) {
            MG_FAIL(c->env, sub->span, tuple_in_shape, "");
            return false;
        }
        if (sub->kind == MG_SUB_PACK || sub->kind == MG_SUB_ZIP) {
            if (!entry_dims(&inner, sub, &at, i, out->dims))
                return false;
            continue;
        }
        uint32_t axis = at.axes[at.first[i]];
        if (!entry_dim(&inner, sub, mode, &out->dims[axis], &out->factors[axis], out))
            return false;
    }
    return mg_shape_fits(c->env, span, rank, out->dims);
}

// ---------------------------------------------------------------- element types
MgDType mg_element_type_quiet(MgEnv *env, MgSym name) {
    MgBinding *b = mg_env_find(env, name);
    if (b && b->val.kind == MG_V_TYPE)
        return b->val.type;
    return mg_dtype_of_name(mg_sym_text(env->s, name));
}

bool mg_element_type(MgEnv *env, const MgAstName *name, MgDType *out) {
    *out = mg_element_type_quiet(env, name->sym);
    if (*out != MG_DTYPE_COUNT)
        return true;
    MgBinding *b = mg_env_find(env, name->sym);
    if (b && b->val.kind == MG_V_POISON)
        return false;
    MgSema *s = env->s;
    MgSym all[MG_DTYPE_COUNT];
    for (uint32_t i = 0; i < MG_DTYPE_COUNT; i++)
        all[i] = mg_sym(s->names, mg_dtype((MgDType)i)->name);
    const char *text = mg_sym_text(s, name->sym);
    if (env->item && env->item->kind != MG_ITEM_GRAPH && text[0] >= 'A' && text[0] <= 'Z' &&
        !text[1]) {
        MG_FAIL(env, name->span, unknown_type, text,
                mg_arena_printf(s->arena, "; declare a type parameter, as in '%s<%s: float>(…)'",
                                mg_sym_text(s, env->item->name.sym), text));
        return false;
    }
    MG_FAIL(env, name->span, unknown_type, mg_sym_text(s, name->sym),
            mg_suggest_foreign(s, MG_FOREIGN_TYPE, name->sym, all, MG_DTYPE_COUNT));
    return false;
}
