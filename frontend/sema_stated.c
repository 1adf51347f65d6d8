// Derivatives where ops state some, as outputs of the graph. A check of what was stated needs
// them: printed IR no longer knows those ops, so in a text that is read back `derivative` takes
// what their bodies give.
#include "frontend/sema_internal.h"

typedef struct Pair {
    MgSym name; // of the output y
    MgValueId y, g;
    MgValueId x, *v; // *v is made when it is needed first
} Pair;

static MgValueId input_like(MgSema *s, const char *of, MgValueId v, MgSym name) {
    const MgValue like = *mg_value(s->g, v);
    return mg_input_new(s->g, mg_symf(s->names, "%s for %s", of, mg_sym_text(s, name)), like.dtype,
                        like.rank, like.shape, like.origin);
}

// The value of a text over the names y, x and by. MG_NONE, and no diagnostic, if it has none.
static MgValueId value_of(MgEnv *graph, const Pair *pair, const char *text, MgValueId by) {
    MgSema *s = graph->s;
    MgSession *session = s->session;
    uint32_t diags = session->diags.len, errors = session->n_errors;
    MgSpan span = graph->item->name.span;
    MgEnv *env = mg_env_new(s, graph);
    mg_env_bind(env, mg_sym(s->names, "y"), mg_val_tensor(pair->y), span);
    mg_env_bind(env, mg_sym(s->names, "x"), mg_val_tensor(pair->x), span);
    mg_env_bind(env, mg_sym(s->names, "by"), mg_val_tensor(by), span);
    MgCtx c = {.env = env, .mode = MG_M_TENSOR, .pos = -1};
    MgVal v = mg_eval(&c, mg_message_expr(s, mg_sym(s->names, text)));
    if (session->n_errors == errors && v.kind == MG_V_TENSOR)
        return v.tensor;
    session->diags.len = diags;
    session->n_errors = errors;
    return MG_NONE;
}

static void add_output(MgSema *s, const char *way, const Pair *pair, MgValueId v) {
    MgSym name = mg_symf(s->names, "%s from %s to %s", way, mg_sym_text(s, pair->name),
                         mg_sym_text(s, mg_value(s->g, pair->x)->name));
    mg_push(s->module->arena, &s->g->outputs, (MgPort){.value = v, .name = name, .aliases = -1});
}

static void add_pair(MgEnv *graph, const Pair *pair) {
    MgSema *s = graph->s;
    MgValueId back = value_of(graph, pair, "derivative(y, x, along = by)", pair->g);
    if (!back)
        return;
    if (!*pair->v)
        *pair->v = input_like(s, "v", pair->x, mg_value(s->g, pair->x)->name);
    MgValueId forward = value_of(graph, pair, "derivative(y, x, towards = by)", *pair->v);
    if (!forward)
        return;
    add_output(s, "back", pair, back);
    add_output(s, "forward", pair, forward);
}

static bool is_float(const MgSema *s, MgValueId v) {
    return mg_is_float(mg_value(s->g, v)->dtype);
}

// The inputs and parameters that are floats.
static MgValueIds float_leaves(MgSema *s) {
    MgValueIds xs = {0};
    for (uint32_t i = 0; i < s->g->inputs.len; i++)
        if (is_float(s, s->g->inputs.at[i].value))
            mg_push(s->arena, &xs, s->g->inputs.at[i].value);
    for (MgOpId id = 1; id < s->g->ops.len; id++)
        if (mg_op(s->g, id)->kind == MG_OP_PARAM && is_float(s, mg_op(s->g, id)->results[0]))
            mg_push(s->arena, &xs, mg_op(s->g, id)->results[0]);
    return xs;
}

void mg_add_stated(MgEnv *graph) {
    MgSema *s = graph->s;
    if (!s->options.stated || !s->owns.len)
        return;
    MgValueIds xs = float_leaves(s);
    MgValueId *vs = MG_NEW_N(s->arena, MgValueId, xs.len);
    uint32_t n_outputs = s->g->outputs.len;
    for (uint32_t i = 0; i < n_outputs; i++) {
        MgPort y = s->g->outputs.at[i];
        if (!is_float(s, y.value))
            continue;
        MgValueId g = input_like(s, "g", y.value, y.name);
        for (uint32_t k = 0; k < xs.len; k++)
            add_pair(graph, &(Pair){y.name, y.value, g, xs.at[k], &vs[k]});
    }
}
