// Parameters: tensors, layer instances, and arrays of these, under the keys of a weights file.
//
// A key is the path of names that lead to the parameter, with the numbers of its arrays, joined by
// dots; or the string that `as` gives, relative to its layer. One key is one tensor of the graph:
// an instance may be applied many times.
#include "frontend/sema_suggest.h"

typedef struct Member {
    MgVal val;
    MgSpan span;
} Member;

// ---------------------------------------------------------------- one parameter of the graph
static MgValueId existing(MgEnv *env, MgValueId v, MgDType d, uint32_t rank, const MgIx *shape,
                          MgSym key, MgSpan span) {
    MgSema *s = env->s;
    MgValue *t = mg_value(s->g, v);
    bool same = t->dtype == d && t->rank == rank;
    for (uint32_t i = 0; same && i < rank; i++)
        same = shape[i] == MG_IX_ERROR || mg_equate(env, span, t->shape[i], shape[i]);
    if (same)
        return v;
    MgVal old = mg_val_tensor(v);
    MG_FAIL(env, span, param_differs, mg_sym_text(s, key), mg_val_text(s, &old), mg_dtype(d)->name,
            mg_shape_text(s, rank, shape));
    mg_diag_note(s->session, mg_origin_span(s->module, t->origin), MG_D_defined_here,
                 mg_sym_text(s, key));
    return 0;
}

static MgOpId first_op(MgSema *s) {
    MgRegion *body = mg_region(s->g, 0);
    for (uint32_t i = 0; i < body->ops.len; i++)
        if (mg_op(s->g, body->ops.at[i])->kind != MG_OP_PARAM)
            return body->ops.at[i];
    return 0;
}

// The same key of the same file is the same tensor in every graph, so its types must agree.
static bool same_in_file(MgEnv *env, const MgOpenParam *p, MgValueId v) {
    MgSema *s = env->s;
    int64_t n;
    for (uint32_t i = 0; i < p->rank; i++)
        if (!mg_ix_is_const(s->ix, p->shape[i], &n))
            return true; // known only when the file is read
    MgVal t = mg_val_tensor(v);
    const char *text = mg_val_text(s, &t);
    MgSym entry =
        mg_symf(s->names, "%s\n%s", mg_sym_text(s, s->g->weights), mg_sym_text(s, p->key));
    uint64_t *old = mg_map_find(&s->weights, entry);
    MgSym type = mg_sym(s->names, text);
    if (!s->g->weights || !old) {
        mg_map_put(&s->weights, entry, type);
        return true;
    }
    if (*old == type)
        return true;
    MG_FAIL(env, p->span, param_differs, mg_sym_text(s, p->key), mg_sym_text(s, (MgSym)*old), text,
            "");
    return false;
}

static MgValueId make_param(MgEnv *env, const MgOpenParam *p) {
    MgSema *s = env->s;
    uint64_t *old = mg_map_find(&s->params, p->key);
    if (old)
        return existing(env, (MgValueId)*old, p->dtype, p->rank, p->shape, p->key, p->span);
    MgOriginId origin = mg_env_origin(env, p->span);
    // Parameters come first in the graph, whichever region names them.
    if (!s->first_op)
        s->first_op = first_op(s);
    MgOpId op = s->first_op ? mg_op_new_before(s->g, s->first_op, MG_OP_PARAM, NULL, 0, origin)
                            : mg_op_new(s->g, 0, MG_OP_PARAM, NULL, 0, origin);
    mg_op(s->g, op)->key = p->key;
    mg_op(s->g, op)->buffer = p->buffer;
    mg_op(s->g, op)->has_initial = p->has_initial;
    mg_op(s->g, op)->initial = p->initial;
    if (p->begins) {
        MgGraph *begins = mg_initial_graph(s, p);
        mg_op(s->g, op)->begins = begins;
        if (!begins)
            return 0;
    }
    MgValueId v =
        mg_op_result(s->g, op, mg_unique_name(s->g, p->name), p->dtype, p->rank, p->shape);
    mg_map_put(&s->params, p->key, v);
    return same_in_file(env, p, v) ? v : 0;
}

bool mg_close_param(MgEnv *env, MgVal *v, const MgIx *shape) {
    MgOpenParam *p = v->open;
    if (!p->value) {
        for (uint32_t i = 0; i < p->rank; i++) {
            if (p->shape[i] == MG_IX_ERROR)
                p->shape[i] = shape[i];
            if (p->shape[i] == MG_IX_ERROR) {
                MG_FAIL(env, p->span, open_param, mg_sym_text(env->s, p->name));
                return false;
            }
        }
        p->value = make_param(env, p);
    }
    *v = p->value ? mg_val_tensor(p->value) : mg_val_poison();
    return p->value != 0;
}

// ---------------------------------------------------------------- keys
static MgSym join_path(MgSema *s, MgSym prefix, MgSym name) {
    return prefix ? mg_symf(s->names, "%s.%s", mg_sym_text(s, prefix), mg_sym_text(s, name)) : name;
}

static const char *counter_text(MgSema *s, const MgVal *v) {
    return v->kind == MG_V_STR ? mg_sym_text(s, v->sym) : mg_val_text(s, v);
}

// A name inside unrolled loops is an array over the loops' counters.
static MgSym numbered(MgEnv *env, MgSym name) {
    MgSema *s = env->s;
    for (uint32_t i = 0; i < env->counters.len; i++)
        name =
            mg_symf(s->names, "%s.%s", mg_sym_text(s, name), counter_text(s, &env->counters.at[i]));
    return name;
}

static MgEnv *body_env(MgEnv *env) {
    while (env->outer)
        env = env->outer;
    return env;
}

typedef struct Path {
    MgSym key, name, member; // in the file, in the graph, and within the layer
} Path;

static Path path_of(MgEnv *env, MgSym name, const MgAstStmt *st) {
    MgSema *s = env->s;
    MgLayerInstance *in = body_env(env)->instance;
    bool has_key = st && st->param.has_key;
    MgSym local = has_key ? name : numbered(env, name);
    MgSym key = has_key ? mg_interpolate(env, st->param.key.sym) : local;
    MgSym shown = in                      ? join_path(s, in->path, local)
                  : body_env(env)->caller ? mg_env_hint(env, local)
                                          : local;
    return (Path){.key = in ? join_path(s, in->key, key) : key, .name = shown, .member = local};
}

MgSym mg_env_key(MgEnv *env) {
    const MgLayerInstance *in = body_env(env)->instance;
    return in ? in->key : 0;
}

static void add_member(MgEnv *env, MgSym name, MgVal v, MgSpan span) {
    MgSema *s = env->s;
    MgLayerInstance *in = body_env(env)->instance;
    if (!in)
        return;
    Member *m = MG_NEW(s->arena, Member);
    *m = (Member){v, span};
    mg_map_put(&in->members, name, (uintptr_t)m);
}

// ---------------------------------------------------------------- instances
static MgLayerInstance *new_instance(MgEnv *env, Path path, const MgCallee *callee,
                                     const MgArguments *attrs, MgSpan span) {
    MgSema *s = env->s;
    MgLayerInstance *in = body_env(env)->instance;
    if (in) { // later applications of the layer find the instance of the first
        Member *m = (Member *)(uintptr_t)mg_map_get(&in->members, path.member, 0);
        if (m && m->val.kind == MG_V_INSTANCE) {
            m->val.instance->attrs.len = 0;
            for (uint32_t i = 0; i < attrs->len; i++)
                mg_push(s->arena, &m->val.instance->attrs, attrs->at[i]);
            return m->val.instance;
        }
    }
    MgLayerInstance *n = MG_NEW(s->arena, MgLayerInstance);
    *n = (MgLayerInstance){.item = callee->item,
                           .unit = callee->unit,
                           .key = path.key,
                           .path = path.name,
                           .span = span};
    mg_map_init(&n->members, s->arena);
    for (uint32_t i = 0; i < attrs->len; i++)
        mg_push(s->arena, &n->attrs, attrs->at[i]);
    add_member(env, path.member, (MgVal){.kind = MG_V_INSTANCE, .instance = n}, span);
    return n;
}

MgLayerInstance *mg_instance_for(MgEnv *env, MgSym name, const MgCallee *callee,
                                 const MgArguments *attrs, MgSpan span) {
    MgSema *s = env->s;
    Path path = path_of(env, name, NULL);
    uint64_t *used = mg_map_find(&s->instance_keys, path.key);
    MgLayerInstance *n = new_instance(env, path, callee, attrs, span);
    if (used && *used != (uintptr_t)n) {
        MgLayerInstance *other = (MgLayerInstance *)(uintptr_t)*used;
        MG_FAIL(env, span, key_twice, mg_sym_text(s, path.key));
        mg_diag_note(s->session, other->span, MG_D_defined_here, mg_sym_text(s, path.key));
        return NULL;
    }
    mg_map_put(&s->instance_keys, path.key, (uintptr_t)n);
    return n;
}

MgVal mg_instance_member(MgEnv *env, MgLayerInstance *in, const char *path, MgSpan span,
                         MgSym whole) {
    MgSema *s = env->s;
    Member *m = (Member *)(uintptr_t)mg_map_get(&in->members, mg_sym(s->names, path), 0);
    if (m) {
        if (m->val.kind == MG_V_PARAM && m->val.open->value)
            return mg_val_tensor(m->val.open->value);
        return m->val;
    }
    // The search continues at the longest member with which the path starts.
    for (const char *dot = strchr(path, '.'); dot; dot = strchr(dot + 1, '.')) {
        m = (Member *)(uintptr_t)mg_map_get(&in->members,
                                            mg_sym_n(s->names, path, (size_t)(dot - path)), 0);
        if (m && m->val.kind == MG_V_INSTANCE)
            return mg_instance_member(env, m->val.instance, dot + 1, span, whole);
    }
    if (!in->applied) {
        MG_FAIL(env, span, not_applied, mg_sym_text(s, whole), mg_sym_text(s, in->path));
    } else {
        MgSymList names = {0};
        for (uint32_t i = 0; i < in->members.entries.len; i++)
            mg_push(s->arena, &names, (MgSym)in->members.entries.at[i].key);
        MG_FAIL(env, span, no_member, mg_sym_text(s, in->item->name.sym), path,
                mg_suggest(s, mg_sym(s->names, path), names.at, names.len));
    }
    return mg_val_poison();
}

void mg_params_of(MgEnv *env, MgLayerInstance *in, MgSpan span, MgVals *params) {
    MgSema *s = env->s;
    if (!in->applied)
        MG_FAIL(env, span, params_unknown, mg_sym_text(s, in->path));
    for (uint32_t i = 0; i < in->members.entries.len; i++) {
        Member *m = (Member *)(uintptr_t)in->members.entries.at[i].value;
        MgVal v = m->val;
        if (v.kind == MG_V_PARAM && v.open->value)
            v = mg_val_tensor(v.open->value);
        if (v.kind == MG_V_INSTANCE)
            mg_params_of(env, v.instance, span, params);
        else if (v.kind == MG_V_TENSOR && !mg_op(s->g, mg_value(s->g, v.tensor)->def)->buffer)
            mg_push(s->arena, params, v);
    } // lists name members again
}

static MgVal layer_param(MgEnv *env, const MgAstStmt *st, Path path) {
    MgSema *s = env->s;
    const MgAstExpr *layer = st->param.layer;
    MgCallee callee;
    if (layer->kind != MG_EXPR_CALL || layer->call.indexed) {
        MG_FAIL(env, layer->span, expected_layer, "");
        return mg_val_poison();
    }
    if (!mg_find_item(env, layer->call.name.sym, &callee)) {
        MgCtx here = {.env = env, .mode = MG_M_TENSOR, .pos = -1};
        mg_unknown_op(&here, &layer->call.name, true);
        return mg_val_poison();
    }
    if (callee.item->kind != MG_ITEM_LAYER) {
        MG_FAIL(env, layer->call.name.span, not_a_layer, mg_sym_text(s, layer->call.name.sym));
        return mg_val_poison();
    }
    if (st->param.initial) {
        MG_FAIL(env, st->param.initial->span, initial_layer, mg_sym_text(s, st->param.name.sym),
                mg_sym_text(s, layer->call.name.sym));
        return mg_val_poison();
    }
    MgCtx c = {.env = env, .mode = MG_M_TENSOR, .pos = -1};
    MgArguments attrs = {0};
    mg_eval_args(&c, callee.item, &layer->call.args, &attrs);
    for (uint32_t i = 0; i < attrs.len; i++) {
        if (!attrs.at[i].name) {
            MG_FAIL(env, attrs.at[i].span, instance_operand, mg_sym_text(s, st->param.name.sym));
            return mg_val_poison();
        }
        if (attrs.at[i].val.kind == MG_V_POISON)
            return mg_val_poison();
    }
    if (!mg_check_attributes(env, &callee, &attrs, layer->span))
        return mg_val_poison();
    return (MgVal){.kind = MG_V_INSTANCE,
                   .instance = new_instance(env, path, &callee, &attrs, st->span)};
}

// ---------------------------------------------------------------- statements
// `= value`: the value of every element if nothing is loaded, or a call that computes the values.
static bool initial_value(MgEnv *env, const MgAstStmt *st, MgOpenParam *p) {
    MgSema *s = env->s;
    if (mg_is_initial_call(env, st->param.initial)) {
        p->begins = mg_initial_call(env, st->param.name.sym, st->param.initial);
        return p->has_initial = p->begins != NULL;
    }
    MgCtx c = {.env = env, .mode = MG_M_TENSOR, .pos = -1};
    MgVal v = mg_eval(&c, st->param.initial);
    int64_t n;
    if (v.kind == MG_V_POISON)
        return false;
    if (v.kind == MG_V_FLOAT && mg_is_float(p->dtype))
        p->initial = v.f;
    else if (mg_val_const_int(s, &v, &n))
        p->initial = (double)n;
    else {
        MG_FAIL(env, st->param.initial->span, initial_number, mg_sym_text(s, st->param.name.sym),
                mg_is_float(p->dtype) ? "a number" : "an integer", mg_val_text(s, &v));
        if (v.kind == MG_V_TENSOR)
            mg_diag_note(s->session, mg_no_span(), MG_D_initial_op);
        return false;
    }
    return p->has_initial = true;
}

// *factors receives the factors of product dimensions, for tuple subscripts.
static MgVal tensor_param(MgEnv *env, const MgAstStmt *st, Path path, MgFactors **factors) {
    MgSema *s = env->s;
    const MgAstType *type = st->param.type;
    MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
    MgShape shape;
    MgOpenParam *p = MG_NEW(s->arena, MgOpenParam);
    *p = (MgOpenParam){.key = path.key,
                       .name = path.name,
                       .buffer = st->kind == MG_STMT_BUFFER,
                       .span = st->param.name.span};
    if (!mg_element_type(env, &type->element, &p->dtype) ||
        (st->param.initial && !initial_value(env, st, p)))
        return mg_val_poison();
    if (!mg_shape_of(&c, &type->shape, MG_SHAPE_OPEN, type->span, &shape))
        return mg_val_poison();
    p->rank = shape.rank;
    p->shape = shape.dims;
    *factors = shape.factors;
    bool open = false;
    for (uint32_t i = 0; i < p->rank; i++)
        open |= p->shape[i] == MG_IX_ERROR;
    MgVal v = {.kind = MG_V_PARAM, .open = p};
    if (open) {
        uint64_t *old = mg_map_find(&s->params, p->key);
        if (!old) {
            mg_push(s->arena, &s->open_params, p);
            return v;
        }
        p->value = existing(env, (MgValueId)*old, p->dtype, p->rank, p->shape, p->key, p->span);
    } else {
        p->value = make_param(env, p);
    }
    return p->value ? mg_val_tensor(p->value) : mg_val_poison();
}

static MgVal one_param(MgEnv *env, const MgAstStmt *st, Path path, MgFactors **factors) {
    *factors = NULL;
    MgVal v = st->param.layer ? layer_param(env, st, path) : tensor_param(env, st, path, factors);
    if (v.kind != MG_V_INSTANCE)
        add_member(env, path.member, v, st->span);
    return v;
}

void mg_param_stmt(MgEnv *env, const MgAstStmt *st) {
    MgSema *s = env->s;
    MgSym name = st->param.name.sym;
    Path path = path_of(env, name, st);
    MgFactors *factors;
    if (!st->param.count) {
        MgVal v = one_param(env, st, path, &factors);
        MgBinding *b = mg_env_bind(env, name, v, st->param.name.span);
        if (b)
            b->factors = factors;
        return;
    }
    int64_t n;
    MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
    if (!mg_eval_const(&c, st->param.count, "the number of instances", &n))
        n = -1;
    else if (n < 0 || n > 65536)
        MG_FAIL(env, st->param.count->span, instances_range, (long long)n);
    if (n < 0 || n > 65536) {
        mg_env_bind(env, name, mg_val_poison(), st->param.name.span);
        return;
    }
    MgVal *list = MG_NEW_N(s->arena, MgVal, n);
    for (int64_t i = 0; i < n; i++) {
        Path p = {.key = mg_symf(s->names, "%s.%lld", mg_sym_text(s, path.key), (long long)i),
                  .name = mg_symf(s->names, "%s.%lld", mg_sym_text(s, path.name), (long long)i),
                  .member =
                      mg_symf(s->names, "%s.%lld", mg_sym_text(s, path.member), (long long)i)};
        list[i] = one_param(env, st, p, &factors);
    }
    MgVal array = mg_val_list(list, (uint32_t)n);
    add_member(env, path.member, array, st->span);
    mg_env_bind(env, name, array, st->param.name.span);
}
