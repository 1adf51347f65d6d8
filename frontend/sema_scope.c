// Lowers a graph's body from outside, one statement at a time.
#include "frontend/sema_scope.h"

#include "frontend/sema_internal.h"

struct MgSemaScope {
    MgSema *s;
    MgEnv *env;
};

MgSemaScope *mg_scope_open(MgSession *session, const char *header) {
    MgAstFile *file = mg_parse(session, mg_add_source(session, "a header", header, strlen(header)));
    MgSemaScope *scope = MG_NEW(session->arena, MgSemaScope);
    if (!file)
        return NULL;
    scope->s = mg_sema_new(session, NULL);
    scope->env = mg_sema_open(scope->s, file);
    return scope->env ? scope : NULL;
}

// No file consists of statements, so this wraps them in an operator. Spans still show their line.
bool mg_scope_add(MgSemaScope *scope, const char *label, const char *statements) {
    MgSession *session = scope->s->session;
    uint32_t errors = session->n_errors;
    scope->s->unequal[0] = scope->s->unequal[1] = MG_IX_ERROR;
    const char *text =
        mg_arena_printf(session->arena, "mg 1\nop statements() -> () {\n%s\n}\n", statements);
    MgAstFile *file = mg_parse(session, mg_add_source(session, label, text, strlen(text)));
    if (file && session->n_errors == errors && file->items.len == 1)
        mg_block(scope->env, &file->items.at[0]->body);
    return session->n_errors == errors;
}

bool mg_scope_unequal(const MgSemaScope *scope, MgIx *a, MgIx *b) {
    *a = scope->s->unequal[0];
    *b = scope->s->unequal[1];
    return *a != MG_IX_ERROR;
}

bool mg_scope_allows(const MgSemaScope *scope, MgIxValueFn *value_of, void *context) {
    const MgGraph *g = scope->s->g;
    int64_t value;
    for (uint32_t i = 0; i < g->requires.len; i++)
        if (mg_ix_eval(scope->s->ix, g->requires.at[i].nonnegative, value_of, context, &value) &&
            value < 0)
            return false;
    return true;
}

static MgEnv *outermost(const MgSemaScope *scope) {
    MgEnv *env = scope->env;
    while (env->outer)
        env = env->outer;
    return env;
}

bool mg_scope_declare(MgSemaScope *scope, const char *label, const char *statements) {
    MgEnv *here = scope->env;
    scope->env = outermost(scope);
    bool ok = mg_scope_add(scope, label, statements);
    scope->env = here;
    return ok;
}

bool mg_scope_size(MgSemaScope *scope, MgSym name, MgIx *size) {
    MgBinding *b = mg_env_find(scope->env, name);
    bool found = b && b->val.kind == MG_V_INT;
    if (found)
        *size = b->val.ix;
    return found;
}

bool mg_scope_is_inner(const MgSemaScope *scope) {
    return scope->env->outer != NULL;
}

bool mg_scope_is_outermost(const MgSemaScope *scope, MgSym name) {
    return mg_env_find_here(outermost(scope), name) != NULL;
}

bool mg_scope_is_outer(const MgSemaScope *scope, MgIx x) {
    MgSema *s = scope->s;
    for (uint32_t i = 0; i < s->late.len; i++) {
        MgIxSym late = s->late.at[i];
        MgBinding *b = mg_env_find(scope->env, mg_ix_sym_name(s->ix, late));
        bool known = b && b->val.kind == MG_V_INT && b->val.ix == mg_ix_sym(s->ix, late);
        if (!known && mg_ix_mentions(s->ix, x, late))
            return false;
    }
    return true;
}

bool mg_scope_is_early(const MgSemaScope *scope, MgIx x) {
    MgSema *s = scope->s;
    for (uint32_t i = 0; i < s->late.len; i++)
        if (mg_ix_mentions(s->ix, x, s->late.at[i]))
            return false;
    return true;
}

bool mg_scope_type(MgSemaScope *scope, MgSym name, MgScopeType *type) {
    MgBinding *b = mg_env_find(scope->env, name);
    if (!b)
        return false;
    MgVal v = b->val.kind == MG_V_PIECES ? mg_finish_pieces(b->val.pieces) : b->val;
    if (mg_is_scalar(&v)) {
        MgValueId id = mg_materialise(scope->env, v, MG_DTYPE_COUNT, name, b->span);
        v = id ? mg_val_tensor(id) : mg_val_poison();
    }
    b = mg_env_find(scope->env, name);
    b->val = v;
    if (v.kind != MG_V_TENSOR)
        return false;
    const MgValue *t = mg_value(scope->s->g, v.tensor);
    *type = (MgScopeType){t->dtype, t->rank, t->shape};
    return true;
}

void mg_scope_reshape(MgSemaScope *scope, MgSym name, MgIx *shape) {
    const MgBinding *b = mg_env_find(scope->env, name);
    if (b && b->val.kind == MG_V_TENSOR)
        mg_value(scope->s->g, b->val.tensor)->shape = shape;
}

void mg_scope_enter(MgSemaScope *scope) {
    MgEnv *inner = mg_env_new(scope->s, NULL);
    inner->outer = scope->env;
    inner->unit = scope->env->unit;
    inner->item = scope->env->item;
    inner->depth = scope->env->depth + 1;
    inner->region = scope->env->region;
    scope->env = inner;
}

void mg_scope_leave(MgSemaScope *scope) {
    scope->env = scope->env->outer;
}

void mg_scope_assume(MgSemaScope *scope, MgSym name, const MgScopeType *type) {
    MgSema *s = scope->s;
    MgValueId v = mg_input_new(s->g, mg_unique_name(s->g, name), type->dtype, type->rank,
                               type->shape, mg_env_origin(scope->env, mg_no_span()));
    mg_env_bind(scope->env, name, mg_val_tensor(v), mg_no_span());
}

bool mg_scope_name_dims(MgSemaScope *scope, const MgScopeType *type) {
    MgSema *s = scope->s;
    bool any = false;
    for (uint32_t i = 0; i < s->late.len; i++) {
        MgSym name = mg_ix_sym_name(s->ix, s->late.at[i]);
        bool here = false;
        for (uint32_t k = 0; k < type->rank; k++)
            here |= mg_ix_mentions(s->ix, type->shape[k], s->late.at[i]);
        if (!here || mg_env_find(scope->env, name))
            continue;
        MgVal dim = mg_val_ix(mg_ix_sym(s->ix, s->late.at[i]));
        MgBinding *b = mg_env_bind(scope->env, name, dim, mg_no_span());
        if (b)
            b->is_dim = true;
        any = true;
    }
    return any;
}

MgIx mg_scope_counter(MgSemaScope *scope, MgSym name, MgIx end) {
    MgSema *s = scope->s;
    MgIxSym sym = mg_ix_dim(s->ix, name, 0, MG_IX_INF);
    MgIx counter = mg_ix_sym(s->ix, sym);
    mg_push(s->arena, &s->late, sym);
    mg_assume(s, mg_ix_sub(s->ix, mg_ix_sub(s->ix, end, mg_ix_const(s->ix, 1)), counter));
    mg_env_bind(scope->env, name, mg_val_ix(counter), mg_no_span());
    return counter;
}

MgIxTable *mg_scope_ix(MgSemaScope *scope) {
    return scope->s->ix;
}

MgProof mg_scope_prove(MgSemaScope *scope, MgIx x) {
    return mg_prove(scope->s, x, NULL);
}

bool mg_scope_binds(MgSemaScope *scope, MgSym name) {
    return mg_env_find(scope->env, name) != NULL;
}

bool mg_scope_has_op(const MgSemaScope *scope, MgSym name) {
    return mg_map_find(&scope->s->prelude, name) != NULL;
}
