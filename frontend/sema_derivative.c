// derivative(y, x): requests the equations of a derivative, and evaluates the texts of
// derivatives.def as expressions of the language.
#include "derive/derive.h"
#include "frontend/sema_internal.h"

// Evaluates a text of derivatives.def; a, b and c are the operands, y is the result, and g its
// adjoint.
static const MgSx *apply_rule(void *ctx, const char *text, const MgSx *const *operands, uint32_t n,
                              const MgSx *result, const MgSx *adjoint) {
    static const char *const names[] = {"a", "b", "c"};
    MgEnv *caller = ctx;
    MgSema *s = caller->s;
    MgEnv *env = mg_env_new(s, caller);
    env->unit = caller->unit;
    const MgAstExpr *e = mg_message_expr(s, mg_sym(s->names, text));
    for (uint32_t i = 0; i < n; i++)
        mg_env_bind(env, mg_sym(s->names, names[i]), mg_val_sx(operands[i]), caller->call_span);
    mg_env_bind(env, mg_sym(s->names, "y"), mg_val_sx(result), caller->call_span);
    mg_env_bind(env, mg_sym(s->names, "g"), mg_val_sx(adjoint), caller->call_span);
    MgCtx c = {.env = env, .mode = MG_M_VALUE, .pos = -1};
    MgVal v = e ? mg_eval(&c, e) : mg_val_poison();
    return mg_adopt(&c, caller->call_span, v, adjoint->dtype);
}

static MgValueId operand(MgEnv *env, const char *name) {
    MgBinding *b = mg_env_find_here(env, mg_sym(env->s->names, name));
    return b && b->val.kind == MG_V_TENSOR ? b->val.tensor : MG_NONE;
}

// Is `to` computed from `from`, through operands?
static bool leads(const MgSema *s, MgValueId from, MgValueId to) {
    bool *seen = MG_NEW_N(s->arena, bool, s->g->values.len + 1);
    MgValueIds open = {0};
    mg_push(s->arena, &open, to);
    while (open.len) {
        MgValueId v = open.at[--open.len];
        MgOpId def = mg_value(s->g, v)->def;
        if (v == from)
            return true;
        for (uint32_t k = 0; def && !seen[v] && k < mg_op(s->g, def)->n_operands; k++)
            mg_push(s->arena, &open, mg_op(s->g, def)->operands[k]);
        seen[v] = true;
    }
    return false;
}

static void refuse(MgEnv *env, MgSpan span, const MgDerive *derive, MgValueId of) {
    MgSema *s = env->s;
    const char *y = mg_sym_text(s, mg_value(s->g, derive->y)->name),
               *x = mg_sym_text(s, mg_value(s->g, of)->name);
    if (!derive->refused) {
        MG_FAIL(env->caller, span, derivative_none, y, x);
        if (derive->y != of && leads(s, derive->y, of))
            mg_diag_note(s->session, span, MG_D_derivative_turned, x, y, x, y);
        else
            mg_diag_note(s->session, span, MG_D_derivative_takes);
        return;
    }
    if (derive->reason)
        mg_diag(s->session, mg_origin_user_span(s->module, mg_op(s->g, derive->refused)->origin),
                MG_D_derivative_refused, derive->reason);
    mg_diag_note(s->session, span, MG_D_derivative_made, y, x);
}

// ---------------------------------------------------------------- derivatives that are known
// One walk gives the derivatives with respect to all existing parameters. Those that are not used
// are erased when the graph is complete.

static bool is_float_param(const MgOp *op, const MgGraph *g) {
    return op->kind == MG_OP_PARAM && !op->buffer &&
           mg_is_float(g->values.at[op->results[0]].dtype);
}

static bool derive(MgSema *s, MgDerive *derive, MgValueIds *xs, MgMap *known) {
    MgOpId first = s->g->ops.len;
    derive->xs = xs->at;
    derive->n_xs = xs->len;
    derive->results = MG_NEW_N(s->arena, MgValueId, xs->len);
    bool ok = mg_derive(derive);
    for (uint32_t i = 0; i < xs->len && ok; i++)
        mg_map_put(known, xs->at[i], derive->results[i]);
    for (MgOpId id = first; id < s->g->ops.len; id++)
        mg_push(s->arena, &s->derived, id);
    return ok;
}

// The known derivatives of y in this region, by the value with respect to which they are.
static MgMap *known_of(MgEnv *env, const MgDerive *derive) {
    MgSema *s = env->s;
    MgSym key =
        mg_symf(s->names, "%u %u %u %u", derive->y, derive->along, derive->towards, derive->region);
    uint64_t *found = mg_map_find(&s->derivatives, key);
    if (found)
        return (MgMap *)(uintptr_t)*found;
    MgMap *known = MG_NEW(s->arena, MgMap);
    mg_map_init(known, s->arena);
    mg_map_put(&s->derivatives, key, (uintptr_t)known);
    return known;
}

static MgValueId derivative_by(MgEnv *env, MgDerive *of, MgValueId x) {
    MgSema *s = env->s;
    MgMap *known = known_of(env, of);
    MgOpId def = mg_value(s->g, x)->def;
    MgValueIds xs = {0};
    if (mg_map_find(known, x))
        return (MgValueId)mg_map_get(known, x, MG_NONE);
    if (!of->towards && def && is_float_param(mg_op(s->g, def), s->g)) {
        for (MgOpId id = 1; id < s->g->ops.len; id++)
            if (is_float_param(mg_op(s->g, id), s->g))
                mg_push(s->arena, &xs, mg_op(s->g, id)->results[0]);
        if (derive(s, of, &xs, known))
            return (MgValueId)mg_map_get(known, x, MG_NONE);
        xs.len = 0; // with respect to another parameter there is none
        of->refused = MG_NONE;
    }
    mg_push(s->arena, &xs, x);
    return derive(s, of, &xs, known) ? (MgValueId)mg_map_get(known, x, MG_NONE) : MG_NONE;
}

void mg_drop_unasked(MgSema *s) {
    if (!s->derived.len)
        return;
    uint32_t *uses = mg_use_counts(s->g, s->arena);
    for (uint32_t i = s->derived.len; i-- > 0;) {
        const MgOp *op = mg_op(s->g, s->derived.at[i]);
        bool used = !op->n_results || op->kind == MG_OP_ERASED;
        for (uint32_t k = 0; k < op->n_results; k++)
            used |= uses[op->results[k]] > 0;
        for (uint32_t k = 0; k < op->n_operands && !used; k++)
            uses[op->operands[k]]--;
        if (!used)
            mg_op_erase(s->g, s->derived.at[i]);
    }
    mg_graph_compact(s->g);
}

// Records derivatives for accumulation: those of a number, or along a direction.
static void note_gradient(MgSema *s, const MgDerive *of, MgValueId x, MgValueId d) {
    MgGraph *g = s->g;
    MgOpId def = mg_value(g, x)->def;
    bool by_param = def && mg_op(g, def)->kind == MG_OP_PARAM && !of->region && !of->towards;
    if (by_param && (of->along || !mg_value(g, of->y)->rank))
        mg_push(g->module->arena, &g->gradients, (MgParamGradient){d, mg_op(g, def)->key});
}

uint32_t mg_lower_derivative(MgEnv *env, const MgArguments *variadic, MgSpan span, MgVal *results) {
    (void)variadic;
    MgSema *s = env->s;
    MgValueId x = operand(env, "x");
    env->inlined = mg_origin_backward(s->module, env->inlined);
    MgDerive of = {.g = s->g,
                   .region = env->region,
                   .origin = env->inlined,
                   .rule = apply_rule,
                   .own_rule = mg_apply_own,
                   .own = &s->owns,
                   .ctx = env,
                   .y = operand(env, "y"),
                   .along = operand(env, "along"),
                   .towards = operand(env, "towards")};
    if (!of.y || !x)
        return 1;
    if (of.along && of.towards) {
        MG_FAIL(env->caller, span, derivative_both, "");
        return 1;
    }
    MgValueId d = derivative_by(env, &of, x);
    if (d) {
        results[0] = mg_val_tensor(d);
        note_gradient(s, &of, x, d);
    } else {
        refuse(env, span, &of, x);
    }
    return 1;
}
