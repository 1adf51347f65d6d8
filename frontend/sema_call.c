// Calls: instantiates a body for its operands, attributes, types and shapes.
//
// It binds operands first, then element types, then dimensions to a fixpoint (one operand may
// determine what another leaves open), then defaults, lists, `let`s and requirements. Then it runs
// the body. An operand may be a number: it is a tensor of rank 0 whose reads give the number. In an
// index expression the same happens with scalar operands, and the result is an expression.
#include "frontend/sema_call.h"
#include "frontend/sema_suggest.h"

const MgAstResult *mg_result_of(MgEnv *env, MgSym name) {
    if (!env->item)
        return NULL;
    for (uint32_t i = 0; i < env->item->results.len; i++)
        if (env->item->results.at[i].name.sym == name)
            return &env->item->results.at[i];
    return NULL;
}

bool mg_missing_attributes(MgOpCall *k, bool all) {
    MgSema *s = k->env->s;
    bool missing = false;
    for (uint32_t i = 0; i < k->item->params.len; i++) {
        const MgAstParam *p = &k->item->params.at[i];
        MgBinding *b = mg_env_find_here(k->env, p->name.sym);
        if (mg_is_operand_param(p) || b || (p->initial && !all))
            continue;
        missing = true;
        if (p->initial) // it has unknown names: evaluating it reports them
            mg_eval_static(k->env, p->initial);
        else
            MG_FAIL(k->env->caller, k->span, missing_attribute, mg_sym_text(s, k->item->name.sym),
                    mg_sym_text(s, p->name.sym), mg_kind_text(s, p));
    }
    return missing;
}

// ---------------------------------------------------------------- results
static MgVal scalar_result(MgOpCall *k, const MgAstResult *r, MgVal v) {
    if (!r->type || v.kind == MG_V_POISON || k->c->mode != MG_M_VALUE)
        return v;
    MgDType d = mg_element_type_quiet(k->env, r->type->element.sym);
    if (d == MG_DTYPE_COUNT || v.kind == MG_V_BOOL || v.kind == MG_V_PRED)
        return v;
    const MgSx *x = mg_adopt(k->c, k->span, v, mg_compute(d));
    return x ? mg_val_sx(x) : mg_val_poison();
}

static MgVal tensor_result(MgOpCall *k, const MgAstResult *r, MgVal v, MgSpan defined) {
    MgEnv *env = k->env;
    MgSema *s = env->s;
    if (!r->type || v.kind != MG_V_TENSOR)
        return v;
    MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
    MgDType d;
    MgValue t = *mg_value(s->g, v.tensor);
    if (!mg_element_type(env, &r->type->element, &d))
        return mg_val_poison();
    if (d != t.dtype) {
        MG_FAIL(env, defined, result_type, mg_sym_text(s, r->name.sym), mg_dtype(d)->name,
                mg_dtype(t.dtype)->name);
        mg_diag_note(s->session, r->span, MG_D_declared_here, mg_sym_text(s, r->name.sym));
        return mg_val_poison();
    }
    if (mg_unify(&c, &r->type->shape, t.rank, t.shape, r->name.sym, defined, r->type->span) < 0)
        return mg_val_poison();
    return v;
}

bool mg_result_twice(MgEnv *env, const MgAstItem *item, uint32_t i) {
    const MgAstResults *results = &item->results;
    for (uint32_t k = 0; k < i; k++)
        if (results->at[k].name.sym == results->at[i].name.sym) {
            const char *name = mg_sym_text(env->s, results->at[i].name.sym);
            MG_FAIL(env, results->at[i].name.span, defined_twice, name);
            mg_diag_note(env->s->session, results->at[k].name.span, MG_D_defined_here, name);
            return true;
        }
    return false;
}

static void collect_results(MgOpCall *k, uint32_t n, MgVal *results) {
    MgEnv *env = k->env;
    MgSema *s = env->s;
    for (uint32_t i = 0; i < k->item->results.len && i < n; i++) {
        const MgAstResult *r = &k->item->results.at[i];
        if (mg_result_twice(env, k->item, i))
            continue;
        MgBinding *b = mg_env_find_here(env, r->name.sym);
        if (!b) {
            if (!s->stopped && !mg_definition_was_skipped(env, r->name.sym, k->item->body.span))
                MG_FAIL(env, r->span, result_missing, mg_sym_text(s, r->name.sym),
                        mg_sym_text(s, k->item->name.sym));
            continue;
        }
        MgSpan defined = b->span;
        MgVal v = b->val.kind == MG_V_PIECES ? mg_finish_pieces(b->val.pieces) : b->val;
        results[i] = env->scalar ? scalar_result(k, r, v) : tensor_result(k, r, v, defined);
    }
}

static MgEnv *around(MgEnv *e) {
    return e->outer ? e->outer : e->caller;
}

// Reports that the item calls itself, through the calls between `first` and here. Each cycle is
// reported once.
static void report_cycle(MgOpCall *k, MgEnv *first) {
    MgSema *s = k->env->s;
    bool told = false;
    for (MgEnv *e = k->env->caller; e != around(first); e = around(e)) {
        told |= mg_map_find(&s->recursive, (uintptr_t)e->item) != NULL;
        mg_map_put(&s->recursive, (uintptr_t)e->item, 1);
    }
    if (!told)
        MG_FAIL(k->env->caller, k->span, recursion, mg_sym_text(s, k->item->name.sym));
}

static bool may_enter(MgOpCall *k) {
    MgSema *s = k->env->s;
    if (k->env->depth > s->options.max_depth) {
        MG_FAIL(k->env->caller, k->span, call_depth, s->options.max_depth);
        s->stopped = true;
        return false;
    }
    for (MgEnv *e = k->env->caller; e; e = around(e))
        if (e->item == k->item && k->item->kind != MG_ITEM_GRAPH) {
            report_cycle(k, e);
            return false;
        }
    return true;
}

// Can every operand be a single number, as a call in an index expression needs?
static bool takes_numbers(MgOpCall *k) {
    if (mg_map_find(&k->env->unit->derivatives, k->item->name.sym)) {
        MG_FAIL(k->env->caller, k->span, own_in_equation,
                mg_sym_text(k->env->s, k->item->name.sym));
        return false;
    }
    for (uint32_t i = 0; i < k->item->params.len; i++) {
        const MgAstParam *p = &k->item->params.at[i];
        for (uint32_t j = 0; mg_is_operand_param(p) && j < p->type.shape.len; j++)
            if (p->type.shape.at[j].kind != MG_SUB_PACK) {
                MG_FAIL(k->env->caller, k->span, not_scalar_op,
                        mg_sym_text(k->env->s, k->item->name.sym));
                return false;
            }
    }
    return true;
}

static void name_results(MgOpCall *k, const MgSym *hints, uint32_t n_hints) {
    MgSema *s = k->env->s;
    const MgAstItem *item = k->item;
    k->env->hints = MG_NEW_N(s->arena, MgSym, item->results.len);
    MgSym base = mg_env_hint(k->env->caller, item->name.sym);
    for (uint32_t i = 0; i < item->results.len; i++) {
        if (i < n_hints && hints[i])
            k->env->hints[i] = hints[i];
        else if (item->results.len == 1)
            k->env->hints[i] = base;
        else
            k->env->hints[i] = mg_symf(s->names, "%s_%s", mg_sym_text(s, base),
                                       mg_sym_text(s, item->results.at[i].name.sym));
    }
    k->env->prefix = item->results.len ? k->env->hints[0] : base;
}

uint32_t mg_call(MgCtx *c, const MgCallee *callee, const MgArguments *args, MgSpan span,
                 const MgSym *hints, uint32_t n_hints, MgVal *results) {
    MgSema *s = c->env->s;
    MgOpCall k = {.c = c, .item = callee->item, .span = span};
    const MgAstItem *item = callee->item;
    for (uint32_t i = 0; i < n_hints; i++)
        results[i] = mg_val_poison();
    if (s->stopped)
        return item->results.len;
    MgEnv *env = k.env = mg_env_new(s, c->env);
    env->unit = callee->unit;
    env->item = item;
    env->call_span = span;
    env->instance = callee->instance;
    env->scalar = c->mode != MG_M_TENSOR;
    env->scalar_ctx = c;
    if (!may_enter(&k) || (env->scalar && !takes_numbers(&k)))
        return item->results.len;
    for (uint32_t i = 0; i < item->clauses.len; i++)
        if (item->clauses.at[i].kind == MG_CLAUSE_BROADCAST)
            mg_push(s->arena, &env->broadcast, item->clauses.at[i].name.sym);
    if (!env->scalar) {
        name_results(&k, hints, n_hints);
        env->inlined = mg_env_origin(c->env, span);
    }
    if (!mg_bind_arguments(&k, args, callee->instance) || !mg_bind_types(&k) ||
        !mg_solve_shapes(&k) || mg_missing_attributes(&k, true) || !mg_spread_lists(&k) ||
        !mg_declare_operands(&k) || !mg_run_clauses(&k))
        return item->results.len;
    if (item->kind == MG_ITEM_BUILTIN)
        return mg_call_builtin(env, &k.variadic, span, n_hints, results);
    void *hidden = c->eq ? mg_eq_hide(c->eq) : NULL;
    uint32_t first = s->g ? s->g->values.len : 0;
    mg_block(env, &item->body);
    collect_results(&k, n_hints, results);
    if (item->kind == MG_ITEM_OP && !env->scalar)
        mg_note_own(env, first, n_hints, results);
    if (c->eq)
        mg_eq_show(c->eq, hidden);
    if (callee->instance)
        callee->instance->applied = true;
    return item->results.len;
}
