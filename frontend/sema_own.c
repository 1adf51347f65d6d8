// Derivatives that ops state: `derivative of f(x, y, d_y) -> (d_x)`. Each call of such an op is
// recorded with its values, and the derivative's text is instantiated when an adjoint arrives.
#include "frontend/sema_call.h"

typedef struct OwnCall {
    const MgAstItem *derivative;
    MgEnv *env; // of the call's body, with the values of its attributes
} OwnCall;

// ---------------------------------------------------------------- items

static const MgAstParam *param_of(const MgAstItem *item, MgSym name) {
    for (uint32_t i = 0; i < item->params.len; i++)
        if (item->params.at[i].name.sym == name)
            return &item->params.at[i];
    return NULL;
}

static int result_of(const MgAstItem *item, MgSym name) {
    for (uint32_t i = 0; i < item->results.len; i++)
        if (item->results.at[i].name.sym == name)
            return (int)i;
    return -1;
}

// The name after `d_`, or 0.
static MgSym without_d(MgSema *s, MgSym name) {
    const char *text = mg_sym_text(s, name);
    return strncmp(text, "d_", 2) ? 0 : mg_sym(s->names, text + 2);
}

static bool check_params(MgSema *s, const MgAstItem *op, const MgAstItem *derivative) {
    for (uint32_t i = 0; i < derivative->params.len; i++) {
        MgAstName name = derivative->params.at[i].name;
        MgSym of = without_d(s, name.sym);
        if (param_of(op, name.sym) || result_of(op, name.sym) >= 0 ||
            (of && result_of(op, of) >= 0))
            continue;
        mg_diag(s->session, name.span, MG_D_own_param, mg_sym_text(s, name.sym),
                mg_sym_text(s, op->name.sym));
        return false;
    }
    return true;
}

static bool check_results(MgSema *s, const MgAstItem *op, const MgAstItem *derivative) {
    for (uint32_t i = 0; i < derivative->results.len; i++) {
        MgAstName name = derivative->results.at[i].name;
        MgSym of = without_d(s, name.sym);
        const MgAstParam *p = of ? param_of(op, of) : NULL;
        if (p && mg_is_operand_param(p))
            continue;
        mg_diag(s->session, name.span, MG_D_own_result, mg_sym_text(s, name.sym),
                mg_sym_text(s, op->name.sym));
        return false;
    }
    return true;
}

void mg_declare_own(MgSema *s, MgSourceUnit *u, const MgAstItem *derivative) {
    MgSym name = derivative->name.sym;
    uint64_t *known = mg_map_find(&u->items, name), *before = mg_map_find(&u->derivatives, name);
    const MgAstItem *op = known ? (const MgAstItem *)(uintptr_t)*known : NULL;
    if (!op || op->kind != MG_ITEM_OP) {
        mg_diag(s->session, derivative->name.span, MG_D_own_op, mg_sym_text(s, name));
        return;
    }
    if (before) {
        mg_diag(s->session, derivative->name.span, MG_D_own_twice, mg_sym_text(s, name));
        mg_diag_note(s->session, ((const MgAstItem *)(uintptr_t)*before)->name.span,
                     MG_D_defined_here, mg_sym_text(s, name));
        return;
    }
    for (uint32_t i = 0; i < op->params.len; i++)
        if (op->params.at[i].variadic) {
            mg_diag(s->session, derivative->name.span, MG_D_own_variadic, mg_sym_text(s, name));
            return;
        }
    if (check_params(s, op, derivative) && check_results(s, op, derivative))
        mg_map_put(&u->derivatives, name, (uintptr_t)derivative);
}

// ---------------------------------------------------------------- calls

// A new value like v. So a result is defined only by its call, even if the op passes an operand on.
static MgVal apart(MgEnv *env, MgVal v, MgSym name) {
    MgEnv *in = mg_env_new(env->s, env);
    MgSym x = mg_sym(env->s->names, "x");
    mg_env_bind(in, x, v, env->call_span);
    MgCtx c = {.env = in, .mode = MG_M_TENSOR, .pos = -1, .hint = name};
    return mg_eval(&c, mg_message_expr(env->s, mg_sym(env->s->names, "identity(x)")));
}

void mg_note_own(MgEnv *call, uint32_t first, uint32_t n_results, MgVal *results) {
    MgSema *s = call->s;
    const MgAstItem *op = call->item;
    uint64_t *derivative = mg_map_find(&call->unit->derivatives, op->name.sym);
    MgValueIds values = {0};
    if (!derivative)
        return;
    for (uint32_t i = 0; i < op->params.len; i++) {
        MgBinding *b = mg_env_find_here(call, op->params.at[i].name.sym);
        if (mg_is_operand_param(&op->params.at[i]) && b && b->val.kind == MG_V_TENSOR)
            mg_push(s->arena, &values, b->val.tensor);
    }
    MgOwn own = {.n_operands = values.len, .n_results = op->results.len};
    for (uint32_t i = 0; i < op->results.len; i++) {
        MgBinding *b = mg_env_find_here(call, op->results.at[i].name.sym);
        if (!b || b->val.kind != MG_V_TENSOR)
            return; // an error, which was reported
        bool again = b->val.tensor < first;
        for (uint32_t k = own.n_operands; k < values.len; k++)
            again |= values.at[k] == b->val.tensor;
        if (again)
            b->val = apart(call, b->val, mg_env_hint(call, b->name));
        if (b->val.kind != MG_V_TENSOR)
            return;
        if (i < n_results)
            results[i] = b->val;
        mg_push(s->arena, &values, b->val.tensor);
    }
    OwnCall *made = MG_NEW(s->arena, OwnCall);
    *made = (OwnCall){(const MgAstItem *)(uintptr_t)*derivative, call};
    own.call = made;
    own.values = values.at;
    mg_push(s->arena, &s->owns, own);
}

// ---------------------------------------------------------------- its derivative

// The place, among the values, of the value that the operand or result `name` of the op has in this
// call or in its copy; -1 if there is none.
static int place_of(const OwnCall *call, const MgOwn *own, MgSym name) {
    const MgAstItem *op = call->env->item;
    int result = result_of(op, name), n = 0;
    if (result >= 0)
        return (int)own->n_operands + result;
    for (uint32_t i = 0; i < op->params.len; i++) {
        MgBinding *b = mg_env_find_here(call->env, op->params.at[i].name.sym);
        if (!mg_is_operand_param(&op->params.at[i]) || !b || b->val.kind != MG_V_TENSOR)
            continue;
        if (op->params.at[i].name.sym == name)
            return n;
        n++;
    }
    return -1;
}

static MgArguments arguments(MgSema *s, const OwnCall *call, const MgOwn *own,
                             const MgValueId *adjoints) {
    MgArguments args = {0};
    const MgAstItem *op = call->env->item, *derivative = call->derivative;
    for (uint32_t i = 0; i < derivative->params.len; i++) {
        const MgAstParam *p = &derivative->params.at[i];
        MgSym name = p->name.sym;
        int place = place_of(call, own, name);
        MgBinding *b = mg_env_find_here(call->env, name);
        MgArgument arg = {.span = p->span, .text = name};
        if (!mg_is_operand_param(p) || p->optional)
            arg.name = name;
        if (!param_of(op, name) && result_of(op, name) < 0)
            arg.val = mg_val_tensor(adjoints[result_of(op, without_d(s, name))]);
        else if (place >= 0)
            arg.val = mg_val_tensor(own->values[place]);
        else if (b)
            arg.val = b->val;
        else
            continue; // an operand that was left out
        mg_push(s->arena, &args, arg);
    }
    return args;
}

// Does d_x fit x? If not, reports that.
static bool fits(MgEnv *env, const MgAstResult *r, MgVal made, MgValueId x) {
    MgSema *s = env->s;
    if (made.kind != MG_V_TENSOR)
        return false;
    const MgValue *d = mg_value(s->g, made.tensor), *v = mg_value(s->g, x);
    bool same = d->dtype == v->dtype && d->rank == v->rank;
    for (uint32_t k = 0; same && k < v->rank; k++)
        same = d->shape[k] == v->shape[k];
    MgVal like = mg_val_tensor(x);
    if (!same)
        mg_diag(s->session, r->span, MG_D_own_shape, mg_sym_text(s, r->name.sym),
                mg_val_text(s, &made), mg_sym_text(s, without_d(s, r->name.sym)),
                mg_val_text(s, &like));
    return same;
}

bool mg_apply_own(void *ctx, const MgOwn *own, MgRegionId region, const MgValueId *adjoints,
                  MgValueId *shares) {
    MgEnv *caller = ctx, *env = mg_env_new(caller->s, caller);
    MgSema *s = env->s;
    const OwnCall *call = own->call;
    const MgAstResults *results = &call->derivative->results;
    MgArguments args = arguments(s, call, own, adjoints);
    MgVal *made = MG_NEW_N(s->arena, MgVal, results->len);
    MgSym *hints = MG_NEW_N(s->arena, MgSym, results->len);
    env->region = region;
    env->inlined = caller->inlined;
    for (uint32_t i = 0; i < results->len; i++) {
        int x = place_of(call, own, without_d(s, results->at[i].name.sym));
        const char *of = x < 0 ? "" : mg_sym_text(s, mg_value(s->g, own->values[x])->name);
        hints[i] = mg_symf(s->names, "d_%s", of);
    }
    MgCtx c = {.env = env, .mode = MG_M_TENSOR, .pos = -1};
    MgCallee callee = {.item = call->derivative, .unit = call->env->unit};
    mg_call(&c, &callee, &args, caller->call_span, hints, results->len, made);
    for (uint32_t i = 0; i < results->len; i++) {
        int x = place_of(call, own, without_d(s, results->at[i].name.sym));
        if (x < 0)
            continue; // it was a number, or was left out
        if (!fits(env, &results->at[i], made[i], own->values[x]))
            return false;
        shares[x] = made[i].tensor;
    }
    return !s->stopped;
}
