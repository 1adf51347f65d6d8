// Solves the dimensions of a call from the operands to a fixpoint, with defaults, lists and
// clauses.
#include "frontend/sema_call.h"

// ---------------------------------------------------------------- dimensions
static void shape_of_val(MgSema *s, const MgVal *v, uint32_t *rank, const MgIx **shape) {
    *rank = 0;
    *shape = NULL;
    if (v->kind == MG_V_TENSOR) {
        MgValue *t = mg_value(s->g, v->tensor);
        *rank = t->rank;
        *shape = t->shape;
    } else if (v->kind == MG_V_PARAM) {
        *rank = v->open->rank;
        *shape = v->open->shape;
    }
}

// Evaluates the defaults whose names are now known.
static bool defaults(MgOpCall *k) {
    bool progress = false;
    for (uint32_t i = 0; i < k->item->params.len; i++) {
        const MgAstParam *p = &k->item->params.at[i];
        if (mg_is_operand_param(p) || !p->initial || mg_env_find_here(k->env, p->name.sym))
            continue;
        MgCtx c = {.env = k->env, .mode = MG_M_STATIC, .pos = -1};
        if (!mg_known(&c, p->initial))
            continue;
        MgVal v = mg_eval(&c, p->initial);
        if (v.kind != MG_V_POISON && !mg_check_attribute(k, p, &v, p->initial->span))
            v = mg_val_poison();
        mg_env_bind(k->env, p->name.sym, v, p->name.span);
        progress = true;
    }
    return progress;
}

// A single number for int[..X] becomes a list as long as X.
bool mg_spread_lists(MgOpCall *k) {
    MgSema *s = k->env->s;
    for (uint32_t i = 0; i < k->item->params.len; i++) {
        const MgAstParam *p = &k->item->params.at[i];
        if (mg_is_operand_param(p) || p->kind == MG_PARAM_ENUM || !p->type.has_shape ||
            p->type.shape.len != 1 || p->type.shape.at[0].kind != MG_SUB_PACK)
            continue;
        MgSym pack = p->type.shape.at[0].index.name.sym;
        MgBinding *b = mg_env_find_here(k->env, p->name.sym);
        MgBinding *x = mg_env_find_here(k->env, pack);
        if (!b || b->val.kind == MG_V_POISON || mg_env_is_broadcast(k->env, pack) || !x ||
            x->val.kind != MG_V_LIST)
            continue;
        uint32_t n = x->val.n;
        if (b->val.kind != MG_V_LIST) {
            MgVal *list = MG_NEW_N(s->arena, MgVal, n);
            for (uint32_t j = 0; j < n; j++)
                list[j] = b->val;
            b->val = mg_val_list(list, n);
        } else if (b->val.n != n) {
            MG_FAIL(k->env->caller, k->span, list_length, mg_sym_text(s, p->name.sym), b->val.n,
                    mg_sym_text(s, pack), n);
            return false;
        }
    }
    return true;
}

static bool join_lists(MgOpCall *k) {
    for (uint32_t i = 0; i < k->item->params.len; i++) {
        const MgAstParam *p = &k->item->params.at[i];
        if (mg_is_operand_param(p) || !p->type.has_shape || p->type.shape.len != 1 ||
            p->type.shape.at[0].kind != MG_SUB_PACK)
            continue;
        MgSym pack = p->type.shape.at[0].index.name.sym;
        MgBinding *b = mg_env_find_here(k->env, p->name.sym);
        if (!mg_env_is_broadcast(k->env, pack) || !b || b->val.kind != MG_V_LIST)
            continue;
        MgCtx c = {.env = k->env, .mode = MG_M_STATIC, .pos = -1};
        if (!mg_join_list(&c, pack, b->val, k->span, p->name.sym))
            return false;
    }
    return true;
}

// An operand exists, so none of its dimensions is negative.
static void assume_sizes(MgSema *s, uint32_t rank, const MgIx *shape) {
    for (uint32_t i = 0; i < rank; i++) {
        int64_t low, high;
        mg_ix_interval(s->ix, shape[i], NULL, &low, &high);
        if (shape[i] != MG_IX_ERROR && low < 0)
            mg_assume(s, shape[i]);
    }
}

bool mg_solve_shapes(MgOpCall *k) {
    MgSema *s = k->env->s;
    MgCtx c = {.env = k->env, .mode = MG_M_STATIC, .pos = -1};
    bool progress = true;
    uint32_t left = k->operands.len;
    while (left && progress) {
        progress = defaults(k);
        if (!mg_spread_lists(k)) // a dimension may be computed from them
            return false;
        for (uint32_t i = 0; i < k->operands.len; i++) {
            MgOperand *o = &k->operands.at[i];
            if (o->solved)
                continue;
            uint32_t rank;
            const MgIx *shape;
            shape_of_val(s, &o->val, &rank, &shape);
            assume_sizes(s, rank, shape);
            uint32_t before = k->env->names.len;
            int r =
                mg_unify(&c, &o->param->type.shape, rank, shape, o->text, o->span, o->param->span);
            if (r < 0)
                return false;
            o->solved = r == 1;
            left -= o->solved;
            progress |= o->solved || k->env->names.len != before;
        }
    }
    if (left && mg_missing_attributes(k, false)) // it reports the reason
        return false;
    for (uint32_t i = 0; i < k->operands.len && left; i++)
        if (!k->operands.at[i].solved) {
            MgOperand *o = &k->operands.at[i];
            MG_FAIL(k->env->caller, o->span, unsolved_shape, mg_sym_text(s, o->text),
                    mg_sym_text(s, k->item->name.sym));
            mg_diag_note(s->session, o->param->span, MG_D_declared_here,
                         mg_sym_text(s, o->param->name.sym));
            return false;
        }
    defaults(k);
    return join_lists(k);
}

static bool has_factors(const MgAstSubs *subs) {
    for (uint32_t i = 0; i < subs->len; i++)
        if (subs->at[i].kind == MG_SUB_EXPR &&
            (subs->at[i].expr->kind == MG_EXPR_BINARY || subs->at[i].expr->kind == MG_EXPR_CALL))
            return true;
    return false;
}

// Finds the axes of each operand's declared entries, and the factors of its products.
bool mg_declare_operands(MgOpCall *k) {
    for (uint32_t i = 0; i < k->operands.len; i++) {
        MgOperand *o = &k->operands.at[i];
        const MgAstSubs *decl = &o->param->type.shape;
        MgFactors *factors = NULL;
        MgShape shape = {0};
        MgCtx c = {.env = k->env, .mode = MG_M_STATIC, .pos = -1};
        if (o->val.kind == MG_V_PARAM || (o->val.kind == MG_V_TENSOR && has_factors(decl))) {
            if (!mg_shape_of(&c, decl, MG_SHAPE_OPEN, o->span, &shape))
                return false;
            factors = shape.factors;
        }
        if (o->val.kind == MG_V_PARAM && !mg_close_param(k->env->caller, &o->val, shape.dims))
            return false;
        MgBinding *b = mg_env_find_here(k->env, o->param->name.sym);
        b->val = o->val;
        b->decl = decl;
        b->factors = factors;
    }
    return true;
}

bool mg_run_clauses(MgOpCall *k) {
    MgEnv *env = k->env;
    MgSema *s = env->s;
    for (uint32_t i = 0; i < k->item->clauses.len; i++) {
        const MgAstClause *cl = &k->item->clauses.at[i];
        MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
        if (cl->kind == MG_CLAUSE_LET) {
            MgVal v = mg_eval(&c, cl->expr);
            MgBinding *b = mg_env_bind(env, cl->name.sym, v, cl->name.span);
            if (!b || v.kind == MG_V_POISON)
                return false;
            b->is_dim = true;
        } else if (cl->kind == MG_CLAUSE_LET_PACK) {
            MgAstSub zip = {.kind = MG_SUB_ZIP, .span = cl->span, .expr = cl->expr};
            uint32_t n = mg_entry_length(&c, &zip);
            if (n == MG_UNKNOWN_LENGTH) {
                MG_FAIL(env, cl->span, pack_length_unknown, "");
                return false;
            }
            MgVal *list = MG_NEW_N(s->arena, MgVal, n);
            for (uint32_t j = 0; j < n; j++) {
                c.pos = j;
                list[j] = mg_eval_int(&c, cl->expr, "a dimension");
                if (list[j].kind == MG_V_POISON)
                    return false;
            }
            MgBinding *b = mg_env_bind(env, cl->name.sym, mg_val_list(list, n), cl->name.span);
            if (!b)
                return false;
            b->is_dim = true;
        } else if (cl->kind == MG_CLAUSE_REQUIRE) {
            MgVal v = mg_eval(&c, cl->expr);
            if (!mg_require(env, cl->expr->span, &v, cl->text.sym))
                return false;
        }
    }
    return true;
}
