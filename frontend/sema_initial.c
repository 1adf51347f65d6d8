// Initial values that an op computes: `param w: f32[N] = random_normal(scale = 0.02)`.
//
// The op gets the parameter's shape and element type, if it has attributes `shape` and `type` that
// the call does not give, and a seed, if it has an operand `seed`. Its body becomes a graph of its
// own, so nothing of the net can be read there.
#include "frontend/sema_internal.h"

typedef struct MgInitial {
    MgEnv *env;
    MgCallee callee;
    MgArguments attrs;
    MgSpan span;
} MgInitial;

static bool is_seed(MgSema *s, const MgAstParam *p) {
    return p->kind == MG_PARAM_TENSOR && !p->variadic && p->name.sym == mg_sym(s->names, "seed");
}

bool mg_is_initial_call(MgEnv *env, const MgAstExpr *e) {
    MgCallee callee;
    if (e->kind != MG_EXPR_CALL || e->call.indexed ||
        !mg_find_item(env, e->call.name.sym, &callee) ||
        (callee.item->kind != MG_ITEM_OP && callee.item->kind != MG_ITEM_BUILTIN))
        return false;
    for (uint32_t i = 0; i < callee.item->params.len; i++)
        if (callee.item->params.at[i].kind == MG_PARAM_TENSOR &&
            !is_seed(env->s, &callee.item->params.at[i]))
            return false;
    return true;
}

MgInitial *mg_initial_call(MgEnv *env, MgSym param, const MgAstExpr *e) {
    MgSema *s = env->s;
    MgInitial *in = MG_NEW(s->arena, MgInitial);
    MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
    *in = (MgInitial){.env = env, .span = e->span};
    mg_find_item(env, e->call.name.sym, &in->callee);
    for (uint32_t i = 0; i < e->call.args.len; i++) {
        const MgAstArg *arg = &e->call.args.at[i];
        if (arg->name.sym && arg->name.sym != mg_sym(s->names, "seed"))
            continue;
        MG_FAIL(env, arg->span, initial_operand, mg_sym_text(s, param),
                mg_sym_text(s, e->call.name.sym));
        return NULL;
    }
    mg_eval_args(&c, in->callee.item, &e->call.args, &in->attrs);
    for (uint32_t i = 0; i < in->attrs.len; i++)
        if (in->attrs.at[i].val.kind == MG_V_POISON)
            return NULL;
    return in;
}

// ---------------------------------------------------------------- the graph

static bool is_given(const MgInitial *in, MgSym name) {
    bool given = false;
    for (uint32_t i = 0; i < in->attrs.len; i++)
        given |= in->attrs.at[i].name == name;
    return given;
}

static MgVal shape_of(MgSema *s, const MgOpenParam *p) {
    MgVal *list = MG_NEW_N(s->arena, MgVal, p->rank + 1);
    for (uint32_t i = 0; i < p->rank; i++)
        list[i] = mg_val_ix(p->shape[i]);
    return mg_val_list(list, p->rank);
}

// The call's attributes, with those that follow from the parameter, and the seed.
static MgArguments arguments(MgSema *s, const MgOpenParam *p, MgValueId seed) {
    const MgInitial *in = p->begins;
    MgArguments args = {0};
    for (uint32_t i = 0; i < in->attrs.len; i++)
        mg_push(s->arena, &args, in->attrs.at[i]);
    for (uint32_t i = 0; i < in->callee.item->params.len; i++) {
        const MgAstParam *q = &in->callee.item->params.at[i];
        MgArgument arg = {.name = q->name.sym, .span = in->span, .text = q->name.sym};
        if (is_seed(s, q)) {
            arg.name = 0;
            arg.val = mg_val_tensor(seed);
        } else if (is_given(in, q->name.sym)) {
            continue;
        } else if (q->kind == MG_PARAM_INT && q->name.sym == mg_sym(s->names, "shape")) {
            arg.val = shape_of(s, p);
        } else if (q->kind == MG_PARAM_TYPE && q->name.sym == mg_sym(s->names, "type")) {
            arg.val = (MgVal){.kind = MG_V_TYPE, .type = p->dtype};
        } else {
            continue;
        }
        mg_push(s->arena, &args, arg);
    }
    return args;
}

// Takes over what `from` knows about its graph.
static void use_state(MgSema *s, const MgSema *from) {
    s->g = from->g;
    s->first_op = from->first_op;
    s->training = from->training;
    s->counters = from->counters;
    s->eq = from->eq;
    s->open_params = from->open_params;
    s->updates = from->updates;
    s->derived = from->derived;
    s->owns = from->owns;
    s->draws = from->draws;
    s->derivatives = from->derivatives;
    s->params = from->params;
    s->instance_keys = from->instance_keys;
    s->requires = from->requires;
}

// A graph that is none of the module's, with the input `seed`.
static MgValueId open_graph(MgSema *s, MgOriginId origin) {
    static const MgSema none;
    use_state(s, &none);
    s->g = mg_graph_new(s->module, mg_sym(s->names, "initial"));
    s->module->graphs.len--; // it is none of the module's
    s->g->origin = origin;
    MgMap *maps[] = {&s->draws, &s->derivatives, &s->params, &s->instance_keys, &s->requires};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        mg_map_init(maps[i], s->arena);
    return mg_input_new(s->g, mg_sym(s->names, "seed"), MG_U64, 0, NULL, origin);
}

static MgEnv *outside(const MgInitial *in) {
    MgEnv *env = mg_env_new(in->env->s, in->env);
    env->outer = in->env;
    env->caller = NULL;
    env->inlined = in->env->inlined;
    env->region = 0;
    return env;
}

// Names values by their numbers, so that printing the graph and reading it again changes nothing.
static void number_values(MgSema *s, MgValueId result) {
    mg_map_init(&s->g->value_names, s->module->arena);
    for (MgValueId v = 1; v < s->g->values.len; v++) {
        MgValue *value = mg_value(s->g, v);
        if (v == result)
            value->name = mg_sym(s->names, "y");
        else if (value->def)
            value->name = mg_symf(s->names, "v%u", v);
        mg_map_put(&s->g->value_names, value->name, v);
    }
}

static bool is_of_type(MgSema *s, const MgOpenParam *p, const MgVal *v) {
    if (v->kind != MG_V_TENSOR)
        return false;
    const MgValue *made = mg_value(s->g, v->tensor);
    bool same = made->dtype == p->dtype && made->rank == p->rank;
    for (uint32_t i = 0; i < p->rank && same; i++)
        same = made->shape[i] == p->shape[i];
    return same;
}

static MgGraph *lower(MgSema *s, const MgOpenParam *p) {
    const MgInitial *in = p->begins;
    MgValueId seed = open_graph(s, mg_env_origin(in->env, p->span));
    MgEnv *env = outside(in);
    MgCtx c = {.env = env, .mode = MG_M_TENSOR, .pos = -1};
    MgArguments args = arguments(s, p, seed);
    uint32_t errors = s->session->n_errors;
    MgSym hint = mg_sym(s->names, "y");
    MgVal v;
    uint32_t n = mg_call(&c, &in->callee, &args, in->span, &hint, 1, &v);
    if (s->session->n_errors > errors || s->stopped || v.kind == MG_V_POISON)
        return NULL;
    if (n != 1 || !is_of_type(s, p, &v)) {
        const char *type = mg_arena_printf(s->arena, "%s%s", mg_dtype(p->dtype)->name,
                                           mg_shape_text(s, p->rank, p->shape));
        MG_FAIL(in->env, in->span, initial_type, mg_sym_text(s, p->name), type,
                mg_sym_text(s, in->callee.item->name.sym),
                n == 1 ? mg_val_text(s, &v) : "several values");
        return NULL;
    }
    mg_graph_compact(s->g);
    number_values(s, v.tensor);
    MgPort port = {.value = v.tensor, .name = hint, .aliases = -1};
    mg_push(s->module->arena, &s->g->outputs, port);
    mg_graph_guard(s->g);
    return s->g;
}

MgGraph *mg_initial_graph(MgSema *s, const MgOpenParam *p) {
    int64_t n;
    for (uint32_t i = 0; i < p->rank; i++)
        if (!mg_ix_is_const(s->ix, p->shape[i], &n)) {
            MG_FAIL(p->begins->env, p->span, initial_open, mg_sym_text(s, p->name),
                    mg_shape_text(s, p->rank, p->shape));
            return NULL;
        }
    MgSema was = *s;
    MgGraph *g = lower(s, p);
    use_state(s, &was);
    return g;
}
