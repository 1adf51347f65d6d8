// derivative(y, x): asks for the equations of a derivative, and evaluates the texts of
// derivatives.def as expressions of the language.
#include "derive/derive.h"
#include "frontend/sema_internal.h"

// One text of derivatives.def, where a, b and c are the operands, y the result, g its adjoint.
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
    MgCtx c = {.env = env, .mode = M_VALUE, .pos = -1};
    MgVal v = e ? mg_eval(&c, e) : mg_val_poison();
    return mg_adopt(&c, caller->call_span, v, adjoint->dtype);
}

static MgValueId operand(MgEnv *env, const char *name) {
    MgBinding *b = mg_env_find_here(env, mg_sym(env->s->names, name));
    return b && b->val.kind == V_TENSOR ? b->val.tensor : MG_NONE;
}

static void refuse(MgEnv *env, MgSpan span, const MgDerive *derive) {
    MgSema *s = env->s;
    const char *y = mg_sym_text(s, mg_value(s->g, derive->y)->name),
               *x = mg_sym_text(s, mg_value(s->g, derive->x)->name);
    if (!derive->refused) {
        MG_FAIL(env->caller, span, derivative_none, y, x);
        return;
    }
    mg_diag(s->session, mg_origin_user_span(s->module, mg_op(s->g, derive->refused)->origin),
            MG_D_derivative_refused, derive->reason);
    mg_diag_note(s->session, span, MG_D_derivative_made, y, x);
}

uint32_t mg_lower_derivative(MgEnv *env, const MgArguments *variadic, MgSpan span, MgVal *results) {
    (void)variadic;
    MgSema *s = env->s;
    MgDerive derive = {.g = s->g,
                       .region = env->region,
                       .origin = env->inlined,
                       .rule = apply_rule,
                       .ctx = env,
                       .y = operand(env, "y"),
                       .x = operand(env, "x"),
                       .along = operand(env, "along")};
    if (!derive.y || !derive.x)
        return 1;
    MgValueId d = mg_derive(&derive);
    if (d)
        results[0] = mg_val_tensor(d);
    else
        refuse(env, span, &derive);
    return 1;
}
