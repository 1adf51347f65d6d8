// Calls by name: functions of shapes, conversions, primitives, and otherwise operators.
#include "frontend/sema_internal.h"

typedef MgVal FunctionFn(MgCtx *c, const MgAstExpr *e);

// ---------------------------------------------------------------- functions of shapes
static const MgAstExpr *only_arg(MgCtx *c, const MgAstExpr *e, uint32_t n) {
    if (e->call.args.len == n && !e->call.args.at[0].name.sym)
        return e->call.args.at[0].value;
    MgSema *s = c->env->s;
    MG_FAIL(c->env, e->span, argument_count, mg_sym_text(s, e->call.name.sym),
            mg_counted(s->arena, n, "argument"), e->call.args.len);
    return NULL;
}

// The dimensions of a rank() or size() argument: an operand, a pack or a list.
static bool shape_like(MgCtx *c, const MgAstExpr *arg, uint32_t *n, MgVal **dims) {
    MgSema *s = c->env->s;
    MgCtx inner = {.env = c->env, .mode = MG_M_TENSOR, .pos = -1};
    MgVal v = mg_eval(&inner, arg);
    const MgIx *shape = NULL;
    switch (v.kind) {
    case MG_V_LIST:
        *n = v.n;
        *dims = v.list;
        return true;
    case MG_V_TENSOR:
        *n = mg_value(s->g, v.tensor)->rank;
        shape = mg_value(s->g, v.tensor)->shape;
        break;
    case MG_V_PARAM:
        *n = v.open->rank;
        shape = v.open->shape;
        break;
    case MG_V_POISON:
        return false;
    default:
        if (!mg_is_scalar(&v)) {
            MG_FAIL(c->env, arg->span, no_shape, mg_val_text(s, &v));
            return false;
        }
        *n = 0;
    }
    *dims = MG_NEW_N(s->arena, MgVal, *n);
    for (uint32_t i = 0; i < *n; i++)
        (*dims)[i] = mg_val_ix(shape[i]);
    return true;
}

static MgVal fn_rank(MgCtx *c, const MgAstExpr *e) {
    const MgAstExpr *arg = only_arg(c, e, 1);
    uint32_t n;
    MgVal *dims;
    if (!arg || !shape_like(c, arg, &n, &dims))
        return mg_val_poison();
    return mg_val_ix(mg_ix_const(c->env->s->ix, n));
}

static MgVal fn_size(MgCtx *c, const MgAstExpr *e) {
    MgSema *s = c->env->s;
    const MgAstExpr *arg = only_arg(c, e, 1);
    uint32_t n;
    MgVal *dims;
    if (!arg || !shape_like(c, arg, &n, &dims))
        return mg_val_poison();
    MgIx product = mg_ix_const(s->ix, 1);
    for (uint32_t i = 0; i < n; i++) {
        if (dims[i].kind != MG_V_INT) {
            MG_FAIL(c->env, arg->span, no_shape, mg_val_text(s, &dims[i]));
            return mg_val_poison();
        }
        if (mg_is_lost(&dims[i])) {
            MG_FAIL(c->env, arg->span, open_param,
                    arg->kind == MG_EXPR_NAME ? mg_sym_text(s, arg->name) : "this");
            return mg_val_poison();
        }
        product = mg_ix_mul(s->ix, product, dims[i].ix);
    }
    if (product == MG_IX_ERROR) {
        mg_lost(c->env, e->span, "this size");
        return mg_val_poison();
    }
    return mg_val_ix(product);
}

static MgVal fn_given(MgCtx *c, const MgAstExpr *e) {
    const MgAstExpr *arg = only_arg(c, e, 1);
    if (!arg)
        return mg_val_poison();
    MgBinding *b = arg->kind == MG_EXPR_NAME ? mg_env_find(c->env, arg->name) : NULL;
    if (!b) {
        MG_FAIL(c->env, arg->span, given_operand, "");
        return mg_val_poison();
    }
    return mg_val_bool(b->val.kind != MG_V_ABSENT);
}

// proved(c): does a condition on sizes certainly hold? This is decided when the program is
// compiled.
static MgVal fn_proved(MgCtx *c, const MgAstExpr *e) {
    MgSema *s = c->env->s;
    const MgAstExpr *arg = only_arg(c, e, 1);
    MgVal v = arg ? mg_eval_static(c->env, arg) : mg_val_poison();
    if (v.kind == MG_V_PRED)
        return mg_val_bool(mg_prove(s, v.ix, NULL) == MG_PROVED);
    if (v.kind == MG_V_BOOL || v.kind == MG_V_POISON)
        return v;
    MG_FAIL(c->env, arg->span, expected_condition, mg_val_text(s, &v));
    return mg_val_poison();
}

// coord(a, box): coordinate `pos` of row-major position a in a box, inside a zip.
static MgVal fn_coord(MgCtx *c, const MgAstExpr *e) {
    MgSema *s = c->env->s;
    if (!only_arg(c, e, 2))
        return mg_val_poison();
    MgCtx inner = *c;
    inner.pos = -1;
    inner.mode = MG_M_SUB;
    MgVal a = mg_eval(&inner, e->call.args.at[0].value);
    MgVal box = mg_eval_static(c->env, e->call.args.at[1].value);
    if (a.kind == MG_V_POISON || box.kind == MG_V_POISON)
        return mg_val_poison();
    if (box.kind != MG_V_LIST || c->pos < 0 || c->pos >= (int64_t)box.n) {
        MG_FAIL(c->env, e->span, coord_in_zip, "");
        return mg_val_poison();
    }
    MgVal width = mg_val_ix(mg_ix_const(s->ix, 1));
    for (uint32_t i = (uint32_t)c->pos + 1; i < box.n; i++)
        width = mg_arith(&inner, e->span, MG_PRIM_MUL, width, box.list[i]);
    return mg_arith(&inner, e->span, MG_PRIM_REM, mg_arith(&inner, e->span, MG_PRIM_DIV, a, width),
                    box.list[c->pos]);
}

static bool type_argument(MgCtx *c, const MgAstExpr *e, MgDType *out) {
    if (e->kind == MG_EXPR_NAME) {
        MgAstName name = {e->name, e->span};
        return mg_element_type(c->env, &name, out);
    }
    MG_FAIL(c->env, e->span, expected_type, "");
    return false;
}

static MgVal limit(MgCtx *c, const MgAstExpr *e, MgBits (*of)(MgDType)) {
    MgSema *s = c->env->s;
    const MgAstExpr *arg = only_arg(c, e, 1);
    MgDType d;
    if (!arg || !type_argument(c, arg, &d))
        return mg_val_poison();
    MgDType compute = mg_compute(d);
    MgBits bits = compute == d ? of(d) : mg_bits_from_double(compute, mg_bits_to_double(d, of(d)));
    return mg_val_sx(mg_sx_const(s->module, compute, bits));
}

static MgVal fn_lowest(MgCtx *c, const MgAstExpr *e) {
    return limit(c, e, mg_lowest);
}

static MgVal fn_highest(MgCtx *c, const MgAstExpr *e) {
    return limit(c, e, mg_highest);
}

static MgVal typed(MgCtx *c, const MgAstExpr *e, MgPrim how) {
    MgDType d;
    if (!only_arg(c, e, 2) || !type_argument(c, e->call.args.at[1].value, &d))
        return mg_val_poison();
    return mg_convert(c, e->span, mg_eval(c, e->call.args.at[0].value), d, how);
}

static MgVal fn_saturate(MgCtx *c, const MgAstExpr *e) {
    return typed(c, e, MG_PRIM_SATURATE);
}

static MgVal fn_bitcast(MgCtx *c, const MgAstExpr *e) {
    return typed(c, e, MG_PRIM_BITCAST);
}

// draw(): a seed of its own, which follows from the graph's seed, the layer's key and the number of
// earlier draws of the layer. So it does not depend on what else the graph computes.
static MgVal fn_draw(MgCtx *c, const MgAstExpr *e) {
    MgSema *s = c->env->s;
    MgCallee callee;
    MgVal result = mg_val_poison();
    MgSym hint = c->hint, key = mg_env_key(c->env);
    if (e->call.args.len || !s->training) {
        MG_FAIL(c->env, e->span, draw_seed, "");
        return result;
    }
    uint64_t n = mg_map_get(&s->draws, key, 0);
    const char *text =
        mg_arena_printf(s->arena, "%s %llu", mg_sym_text(s, key), (unsigned long long)n);
    mg_map_put(&s->draws, key, n + 1);
    if (!mg_find_item(c->env, mg_sym(s->names, "salted"), &callee))
        return result;
    int64_t salt = (int64_t)(mg_hash(text, strlen(text), 0) >> 2);
    MgArguments args = {0};
    mg_push(s->arena, &args, (MgArgument){.val = mg_val_tensor(s->training), .span = e->span});
    mg_push(s->arena, &args,
            (MgArgument){.name = mg_sym(s->names, "salt"),
                         .val = mg_val_ix(mg_ix_const(s->ix, salt)),
                         .span = e->span});
    mg_call(c, &callee, &args, e->span, &hint, 1, &result);
    return result;
}

static const struct Function {
    const char *name;
    FunctionFn *fn;
    bool always; // also in tensor expressions
} functions[] = {
    {"rank", fn_rank, true},        {"len", fn_rank, true},        {"size", fn_size, true},
    {"given", fn_given, true},      {"proved", fn_proved, true},   {"coord", fn_coord, false},
    {"lowest", fn_lowest, true},    {"highest", fn_highest, true}, {"saturate", fn_saturate, false},
    {"bitcast", fn_bitcast, false}, {"draw", fn_draw, true},
};

// ---------------------------------------------------------------- conversions and primitives
static MgVal eval_conversion(MgCtx *c, const MgAstExpr *e, MgDType d) {
    MgSema *s = c->env->s;
    const MgAstExpr *arg = only_arg(c, e, 1);
    if (!arg)
        return mg_val_poison();
    MgVal v = mg_eval(c, arg);
    if (c->mode == MG_M_TENSOR &&
        (v.kind == MG_V_TENSOR || v.kind == MG_V_PARAM)) { // f16(x): the library's cast
        MgCallee callee;
        MgVal result = mg_val_poison();
        MgSym cast = mg_sym(s->names, "cast"), hint = c->hint;
        MgArguments args = {0};
        if (!mg_find_item(c->env, cast, &callee))
            return result;
        mg_push(s->arena, &args, (MgArgument){.val = v, .span = arg->span});
        mg_push(s->arena, &args,
                (MgArgument){.name = mg_sym(s->names, "to"),
                             .val = {.kind = MG_V_TYPE, .type = d},
                             .span = e->call.name.span});
        mg_call(c, &callee, &args, e->span, &hint, 1, &result);
        return result;
    }
    return mg_convert(c, e->span, v, d, MG_PRIM_CAST);
}

static MgVal eval_prim(MgCtx *c, const MgAstExpr *e, MgPrim prim) {
    MgVal args[3];
    uint32_t n = mg_prim(prim)->arity;
    if (e->call.args.len != n) {
        MG_FAIL(c->env, e->span, argument_count, mg_prim(prim)->name,
                mg_counted(c->env->s->arena, n, "argument"), e->call.args.len);
        return mg_val_poison();
    }
    for (uint32_t i = 0; i < n; i++) {
        if (e->call.args.at[i].name.sym) {
            MG_FAIL(c->env, e->call.args.at[i].span, no_attribute, mg_prim(prim)->name,
                    mg_sym_text(c->env->s, e->call.args.at[i].name.sym), "");
            return mg_val_poison();
        }
        args[i] = mg_eval(c, e->call.args.at[i].value);
        // The branch that a compile-time condition excludes is not evaluated.
        if (prim == MG_PRIM_WHERE && i == 0 && args[0].kind == MG_V_BOOL)
            return mg_eval(c, e->call.args.at[args[0].b ? 1 : 2].value);
    }
    return mg_apply_prim(c, e->span, prim, args, n);
}

MgVal mg_eval_call(MgCtx *c, const MgAstExpr *e) {
    MgSema *s = c->env->s;
    const char *name = mg_sym_text(s, e->call.name.sym);
    if (!e->call.indexed) {
        for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
            if (!strcmp(functions[i].name, name) && (c->mode != MG_M_TENSOR || functions[i].always))
                return functions[i].fn(c, e);
        MgBinding *b = mg_env_find(c->env, e->call.name.sym);
        MgDType d = b && b->val.kind == MG_V_TYPE ? b->val.type : mg_dtype_of_name(name);
        if (d != MG_DTYPE_COUNT)
            return eval_conversion(c, e, d);
        MgPrim prim = c->mode == MG_M_TENSOR ? MG_PRIM_COUNT : mg_prim_of_name(name);
        if (prim != MG_PRIM_COUNT && mg_prim(prim)->result != MG_RESULT_CONVERT)
            return eval_prim(c, e, prim);
    }
    MgSym hint = c->hint;
    MgVal result;
    mg_eval_call_many(c, e, &hint, 1, &result);
    return result;
}
