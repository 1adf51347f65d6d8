// `const name: type = …`: literal elements, or a reference to bytes that a dump left out.
#include "frontend/sema_internal.h"

#include <stdlib.h>

typedef struct Fill {
    MgEnv *env;
    MgDType dtype;
    char *data;
    int64_t n, room;
} Fill;

static bool literal(Fill *f, const MgVal *v, MgSpan span) {
    MgSema *s = f->env->s;
    MgCtx c = {.env = f->env, .mode = MG_M_VALUE, .pos = -1};
    if (v->kind == MG_V_LIST) { // nested rows are stored one after another
        for (uint32_t i = 0; i < v->n; i++)
            if (!literal(f, &v->list[i], span))
                return false;
        return true;
    }
    if (v->kind == MG_V_POISON)
        return false;
    const MgSx *x = mg_adopt(&c, span, *v, f->dtype);
    if (!x)
        return false;
    if (x->kind != MG_SX_CONST) {
        MG_FAIL(f->env, span, not_constant, "an element", mg_val_text(s, v));
        return false;
    }
    size_t size = mg_dtype_size(f->dtype);
    if (f->n < f->room)
        memcpy(f->data + (size_t)f->n * size, &x->bits, size);
    f->n++;
    return true;
}

static const MgAstArg *argument(MgSema *s, const MgAstExpr *e, const char *name) {
    for (uint32_t i = 0; i < e->call.args.len; i++)
        if (!strcmp(mg_sym_text(s, e->call.args.at[i].name.sym), name))
            return &e->call.args.at[i];
    return NULL;
}

static bool const_type(MgEnv *env, const MgAstTarget *t, MgDType *d, MgShape *shape, int64_t *n) {
    MgSema *s = env->s;
    MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
    if (!t->type) {
        MG_FAIL(env, t->span, const_needs_type, mg_sym_text(s, t->name.sym),
                mg_sym_text(s, t->name.sym));
        return false;
    }
    if (!mg_element_type(env, &t->type->element, d) ||
        !mg_shape_of(&c, &t->type->shape, MG_SHAPE_CLOSED, t->type->span, shape))
        return false;
    MgIx size = mg_ix_product(s->ix, shape->dims, shape->rank);
    if (!mg_ix_is_const(s->ix, size, n) || *n > (int64_t)1 << 31) {
        MG_FAIL(env, t->type->span, not_constant, "the size of a constant", mg_ix_text(s, size));
        return false;
    }
    return true;
}

static void bind_const(MgEnv *env, const MgAstStmt *st, const MgAstTarget *t, MgDType d,
                       const MgShape *shape, const void *data, uint64_t hash) {
    MgSema *s = env->s;
    MgOpId op = mg_op_new(s->g, env->region, MG_OP_CONST, NULL, 0, mg_stmt_origin(env, st));
    mg_op(s->g, op)->data = data;
    mg_op(s->g, op)->data_hash = hash;
    mg_annotate(env, st, op);
    MgValueId v =
        mg_op_result(s->g, op, mg_env_local(env, t->name.sym), d, shape->rank, shape->dims);
    mg_env_bind(env, t->name.sym, mg_val_tensor(v), t->name.span);
}

bool mg_const_stmt(MgEnv *env, const MgAstStmt *st) {
    MgSema *s = env->s;
    const MgAstExpr *value = st->bind.value;
    const MgAstTarget *t = &st->bind.targets.at[0];
    bool file =
        value->kind == MG_EXPR_CALL && !strcmp(mg_sym_text(s, value->call.name.sym), "file");
    MgDType d;
    MgShape shape;
    int64_t n;
    if (st->bind.targets.len != 1 || (!file && value->kind != MG_EXPR_LIST))
        return false; // a computed value, bound like any other
    if (!const_type(env, t, &d, &shape, &n)) {
        mg_env_bind(env, t->name.sym, mg_val_poison(), t->name.span);
        return true;
    }
    if (file) {
        const MgAstArg *hash = argument(s, value, "xxh3");
        if (!hash || hash->value->kind != MG_EXPR_STRING) {
            MG_FAIL(env, value->span, const_file, "");
            mg_env_bind(env, t->name.sym, mg_val_poison(), t->name.span);
            return true;
        }
        bind_const(env, st, t, d, &shape, NULL,
                   strtoull(mg_sym_text(s, hash->value->string), NULL, 16));
        return true;
    }
    MgVal list = mg_eval_static(env, value);
    size_t bytes = (size_t)n * mg_dtype_size(d);
    Fill f = {.env = env,
              .dtype = d,
              .data = mg_arena_alloc(s->module->arena, (size_t)n, mg_dtype_size(d)),
              .room = n};
    bool ok = literal(&f, &list, value->span);
    if (ok && f.n != n) {
        MG_FAIL(env, value->span, const_count, (long long)f.n, (long long)n);
        ok = false;
    }
    if (ok)
        bind_const(env, st, t, d, &shape, f.data, mg_hash(f.data, bytes, 0));
    else
        mg_env_bind(env, t->name.sym, mg_val_poison(), t->name.span);
    return true;
}
