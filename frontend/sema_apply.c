// Calls in expressions: finds the callee, evaluates its arguments, and gives a layer its instance.
#include "frontend/sema_suggest.h"

// ---------------------------------------------------------------- names of operators
static bool in_unit(MgSema *s, MgSourceUnit *u, MgSym name, MgCallee *out) {
    const MgAstItem *item = u ? mg_unit_item(s, u, name) : NULL;
    *out = (MgCallee){.item = item, .unit = u};
    return item != NULL;
}

bool mg_find_item(MgEnv *env, MgSym name, MgCallee *out) {
    MgSema *s = env->s;
    const char *text = mg_sym_text(s, name), *dot = strrchr(text, '.');
    if (dot) {
        MgSym alias = mg_sym_n(s->names, text, (size_t)(dot - text));
        MgSourceUnit *u = (MgSourceUnit *)(uintptr_t)mg_map_get(&env->unit->imports, alias, 0);
        return in_unit(s, u, mg_sym(s->names, dot + 1), out);
    }
    if (in_unit(s, env->unit, name, out))
        return true;
    return in_unit(s, mg_unit_prelude(s, name), name, out);
}

// ---------------------------------------------------------------- calls in expressions
// The text by which messages name an operand: its name or its source text; 0: its parameter names
// it.
static MgSym operand_text(MgSema *s, const MgAstExpr *e) {
    enum { MOST = 32 };
    if (e->kind == MG_EXPR_NAME || !e->span.source)
        return e->kind == MG_EXPR_NAME ? e->name : 0;
    const char *text = s->session->sources.all.at[e->span.source].text + e->span.begin;
    uint32_t length = e->span.end - e->span.begin;
    return length <= MOST && !memchr(text, '\n', length) ? mg_sym_n(s->names, text, length) : 0;
}

void mg_eval_args(MgCtx *c, const MgAstItem *item, const MgAstArgs *args, MgArguments *out) {
    MgSema *s = c->env->s;
    for (uint32_t i = 0; i < args->len; i++) {
        const MgAstArg *a = &args->at[i];
        MgCtx inner = *c;
        MgArgument arg = {.name = a->name.sym, .span = a->span};
        if (a->name.sym && !mg_operand_named(item, a->name.sym)) {
            inner.mode = MG_M_STATIC;
            inner.eq = NULL;
            inner.hint = 0;
        } else if (c->mode == MG_M_TENSOR) {
            inner.hint = 0;
            if (a->value->kind == MG_EXPR_CALL && c->hint) {
                const char *name = mg_sym_text(s, a->value->call.name.sym),
                           *dot = strrchr(name, '.');
                inner.hint =
                    mg_symf(s->names, "%s_%s", mg_sym_text(s, c->hint), dot ? dot + 1 : name);
            } else if (c->hint) {
                inner.hint = mg_symf(s->names, "%s_arg", mg_sym_text(s, c->hint));
            }
        }
        arg.text = operand_text(s, a->value);
        arg.val = mg_eval(&inner, a->value);
        mg_push(s->arena, out, arg);
    }
}

static bool instance_callee(MgCtx *c, const MgAstExpr *e, MgCallee *out, bool *failed) {
    MgEnv *env = c->env;
    MgSema *s = env->s;
    MgSym name = e->call.name.sym;
    *failed = false;
    MgBinding *b = mg_env_find(env, name);
    MgVal v = {0};
    if (b) {
        v = b->val;
    } else {
        const char *text = mg_sym_text(s, name), *dot = strchr(text, '.');
        MgBinding *h =
            dot ? mg_env_find(env, mg_sym_n(s->names, text, (size_t)(dot - text))) : NULL;
        if (!h || h->val.kind != MG_V_INSTANCE)
            return false;
        v = mg_instance_member(env, h->val.instance, dot + 1, e->call.name.span, name);
    }
    if (e->call.indexed) {
        int64_t i;
        MgCtx inner = {.env = env, .mode = MG_M_STATIC, .pos = -1};
        if (v.kind != MG_V_LIST || e->call.index.len != 1 ||
            e->call.index.at[0].kind != MG_SUB_EXPR) {
            *failed = true;
            if (v.kind != MG_V_POISON)
                MG_FAIL(env, e->span, not_an_instance, mg_sym_text(s, name));
            return true;
        }
        if (!mg_eval_const(&inner, e->call.index.at[0].expr, "the number of an instance", &i)) {
            *failed = true;
            return true;
        }
        if (i < 0 || i >= v.n) {
            *failed = true;
            MG_FAIL(env, e->span, element_range, mg_sym_text(s, name), v.n, (long long)i);
            return true;
        }
        v = v.list[i];
    }
    if (v.kind == MG_V_POISON) {
        *failed = true;
        return true;
    }
    if (v.kind != MG_V_INSTANCE) {
        bool array = v.kind == MG_V_LIST && v.n && v.list[0].kind == MG_V_INSTANCE;
        *failed = e->call.indexed || array;
        if (array)
            MG_FAIL(env, e->span, which_instance, mg_sym_text(s, name), mg_sym_text(s, name));
        else if (*failed)
            MG_FAIL(env, e->span, not_an_instance, mg_sym_text(s, name));
        return *failed;
    }
    *out = (MgCallee){v.instance->item, v.instance->unit, v.instance};
    return true;
}

// A call of a layer by its name is sugar: the binding declares the instance.
static bool sugar_instance(MgCtx *c, const MgAstExpr *e, MgCallee *callee, MgArguments *args,
                           uint32_t n) {
    MgEnv *env = c->env;
    MgSema *s = env->s;
    if (!c->sugar || n != 1) {
        MG_FAIL(env, e->span, layer_needs_name, mg_sym_text(s, e->call.name.sym));
        return false;
    }
    MgArguments attrs = {0}, operands = {0};
    for (uint32_t i = 0; i < args->len; i++)
        if (args->at[i].name && !mg_operand_named(callee->item, args->at[i].name))
            mg_push(s->arena, &attrs, args->at[i]);
        else
            mg_push(s->arena, &operands, args->at[i]);
    callee->instance = mg_instance_for(env, c->sugar, callee, &attrs, e->span);
    *args = operands;
    return callee->instance != NULL;
}

uint32_t mg_eval_call_many(MgCtx *c, const MgAstExpr *e, const MgSym *hints, uint32_t n,
                           MgVal *results) {
    MgEnv *env = c->env;
    MgSema *s = env->s;
    MgCallee callee = {0};
    bool failed = false;
    for (uint32_t i = 0; i < n; i++)
        results[i] = mg_val_poison();
    if (!instance_callee(c, e, &callee, &failed) && !mg_find_item(env, e->call.name.sym, &callee)) {
        mg_unknown_op(c, &e->call.name, false);
        failed = true;
    }
    if (failed)
        return n;
    MgArguments args = {0};
    MgCtx inner = *c;
    inner.sugar = 0;
    if (n)
        inner.hint = hints[0];
    mg_eval_args(&inner, callee.item, &e->call.args, &args);
    if (callee.item->kind == MG_ITEM_GRAPH) {
        MG_FAIL(env, e->call.name.span, graph_called, mg_sym_text(s, e->call.name.sym));
        return n;
    }
    if (callee.item->kind == MG_ITEM_LAYER && !callee.instance &&
        !sugar_instance(c, e, &callee, &args, n))
        return n;
    if (callee.item->results.len < n) {
        mg_result_count(env, e->span, e->call.name.sym, callee.item->results.len, n);
        return n;
    }
    return mg_call(&inner, &callee, &args, e->span, hints, n, results);
}

MgVal mg_call_std(MgCtx *c, MgSpan span, const char *name, MgVal *vals,
                  const MgAstExpr *const *exprs, uint32_t n) {
    MgSema *s = c->env->s;
    MgSym sym = mg_sym(s->names, name);
    MgCallee callee;
    MgVal result = mg_val_poison();
    if (!in_unit(s, mg_unit_prelude(s, sym), sym, &callee)) {
        MG_FAIL(c->env, span, unknown_op, name, "");
        return result;
    }
    MgArguments args = {0};
    for (uint32_t i = 0; i < n; i++)
        mg_push(s->arena, &args,
                (MgArgument){
                    .val = vals[i], .span = exprs[i]->span, .text = operand_text(s, exprs[i])});
    MgSym hint = c->hint;
    mg_call(c, &callee, &args, span, &hint, 1, &result);
    return result;
}
