// Graphs that change their parameters: `next w = value`, and `for w in net`.
//
// Such a graph is like the body of a loop whose carried values are its parameters. Reads see the
// old values, and all parameters change together when a run ends. In the IR a parameter with a next
// value is an input, and the next value is an output over it: the update is in place, and the graph
// is still pure.
#include "frontend/sema_suggest.h"

// The op that declares a parameter of the graph, or MG_NONE.
static MgOpId declaration(MgSema *s, MgValueId v) {
    MgOpId def = v ? mg_value(s->g, v)->def : MG_NONE;
    return def && mg_op(s->g, def)->kind == MG_OP_PARAM ? def : MG_NONE;
}

// The parameter that a name means. If it had no shape yet, it gets that of v. 0 after a diagnostic.
static MgValueId named_param(MgEnv *env, const MgAstCarry *x, MgValueId v) {
    MgSema *s = env->s;
    MgCtx c = {.env = env, .mode = MG_M_TENSOR, .pos = -1};
    MgVal p = mg_named(&c, x->name.sym, x->name.span);
    if (p.kind == MG_V_PARAM && mg_value(s->g, v)->rank == p.open->rank &&
        !mg_close_param(env, &p, mg_value(s->g, v)->shape))
        return 0;
    if (p.kind == MG_V_TENSOR && declaration(s, p.tensor))
        return p.tensor;
    if (p.kind != MG_V_POISON)
        MG_FAIL(env, x->name.span, next_param, mg_sym_text(s, x->name.sym),
                p.kind == MG_V_TENSOR ? "a value" : mg_val_text(s, &p));
    return 0;
}

static bool same_type(MgEnv *env, const MgAstCarry *x, MgValueId param, MgValueId next) {
    MgSema *s = env->s;
    MgValue a = *mg_value(s->g, param), b = *mg_value(s->g, next);
    bool same = a.dtype == b.dtype && a.rank == b.rank;
    for (uint32_t i = 0; same && i < a.rank; i++)
        same = mg_equate(env, x->span, a.shape[i], b.shape[i]);
    MgVal is = mg_val_tensor(param), given = mg_val_tensor(next);
    if (!same)
        MG_FAIL(env, x->value->span, next_type, mg_sym_text(s, x->name.sym), mg_val_text(s, &is),
                mg_val_text(s, &given));
    return same;
}

void mg_next_param(MgEnv *env, const MgAstCarry *x) {
    MgSema *s = env->s;
    if (env->region) {
        MG_FAIL(env, x->span, next_inside, mg_sym_text(s, x->name.sym));
        return;
    }
    MgBinding *b = mg_env_find(env, x->name.sym);
    MgDType d = b && b->val.kind == MG_V_TENSOR  ? mg_value(s->g, b->val.tensor)->dtype
                : b && b->val.kind == MG_V_PARAM ? b->val.open->dtype
                                                 : MG_DTYPE_COUNT;
    MgSym hint = mg_symf(s->names, "%s.next", mg_sym_text(s, mg_env_hint(env, x->name.sym)));
    MgValueId next = mg_tensor_of(env, x->value, hint, d);
    MgValueId param = next ? named_param(env, x, next) : 0;
    if (!param || !same_type(env, x, param, next))
        return;
    for (uint32_t i = 0; i < s->updates.len; i++)
        if (s->updates.at[i].param == param) {
            const char *name = mg_sym_text(s, mg_value(s->g, param)->name);
            MG_FAIL(env, x->span, next_twice, name);
            mg_diag_note(s->session, s->updates.at[i].span, MG_D_next_before, name);
            return;
        }
    mg_push(s->arena, &s->updates, (MgUpdate){param, next, x->span});
}

// Updates follow the order in which the parameters are declared, whatever the order of the
// statements.
void mg_update_params(MgSema *s) {
    MgMap next;
    mg_map_init(&next, s->arena);
    for (uint32_t i = 0; i < s->updates.len; i++)
        mg_map_put(&next, declaration(s, s->updates.at[i].param), s->updates.at[i].next);
    MG_VEC(MgOpId) params = {0};
    const MgRegion *body = mg_region(s->g, 0);
    for (uint32_t i = 0; i < body->ops.len && s->updates.len; i++)
        if (mg_map_find(&next, body->ops.at[i]))
            mg_push(s->arena, &params, body->ops.at[i]);
    for (uint32_t i = 0; i < params.len; i++)
        mg_param_update(s->g, params.at[i], (MgValueId)mg_map_get(&next, params.at[i], 0));
    mg_graph_compact(s->g);
}

MgVal mg_counter_of(MgSema *s, MgVal v) {
    MgSym path = v.kind == MG_V_TENSOR     ? mg_value(s->g, v.tensor)->name
                 : v.kind == MG_V_INSTANCE ? v.instance->path
                                           : 0;
    return path ? (MgVal){.kind = MG_V_STR, .sym = path} : v;
}
