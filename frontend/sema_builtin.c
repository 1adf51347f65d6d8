// Builtins. Their results have the types that the library declares. concat becomes pieces, and
// derivative becomes the equations that it finds.
#include "frontend/sema_call.h"
#include "frontend/sema_eq.h"

static bool attribute(MgEnv *env, const MgAstParam *p, MgAttr *a) {
    MgSema *s = env->s;
    MgBinding *b = mg_env_find_here(env, p->name.sym);
    *a = (MgAttr){.name = p->name.sym};
    switch (b->val.kind) {
    case MG_V_INT:
        a->kind = MG_ATTR_INT;
        a->ix = b->val.ix;
        return true;
    case MG_V_FLOAT:
        a->kind = MG_ATTR_FLOAT;
        a->f = b->val.f;
        return true;
    case MG_V_BOOL:
        a->kind = MG_ATTR_BOOL;
        a->b = b->val.b;
        return true;
    case MG_V_STR:
        a->kind = MG_ATTR_STR;
        a->str = b->val.sym;
        return true;
    case MG_V_TYPE:
        a->kind = MG_ATTR_TYPE;
        a->type = b->val.type;
        return true;
    case MG_V_LIST: // a shape: the result's type holds it
        return false;
    default:
        MG_FAIL(env->caller, env->call_span, attribute_kind, mg_sym_text(s, p->name.sym),
                "known at compile time", mg_val_text(s, &b->val), "");
        return false;
    }
}

static MgValueId operand_tensor(MgEnv *env, const MgAstParam *p) {
    MgSema *s = env->s;
    MgBinding *b = mg_env_find_here(env, p->name.sym);
    if (b->val.kind == MG_V_TENSOR)
        return b->val.tensor;
    MgVal given = b->val.kind == MG_V_ABSENT ? mg_val_float(0) : b->val; // what is left out is 0
    MgDType d = mg_element_type_quiet(env, p->type.element.sym);
    MgSym hint =
        mg_symf(s->names, "%s_%s", mg_sym_text(s, env->prefix), mg_sym_text(s, p->name.sym));
    return mg_materialise(env, given, d, hint, env->call_span);
}

// ---------------------------------------------------------------- concat
static bool same_but(MgEnv *env, const MgArgument *a, MgValueId first, MgValueId v, uint32_t axis,
                     MgDType d) {
    MgSema *s = env->s;
    MgValue *x = mg_value(s->g, first), *y = mg_value(s->g, v);
    bool same = x->rank == y->rank && x->dtype == d && y->dtype == d;
    for (uint32_t i = 0; same && i < x->rank; i++) {
        MgRequire *made = NULL;
        same = i == axis || mg_equate_or_require(env, a->span, x->shape[i], y->shape[i], &made);
        if (made)
            made->message =
                mg_symf(s->names, "concat along axis %u joins '%s' %s and '%s' %s", axis,
                        mg_sym_text(s, x->name), mg_shape_of_run(s, x->rank, x->shape),
                        mg_sym_text(s, y->name), mg_shape_of_run(s, y->rank, y->shape));
    }
    if (!same) {
        MgVal vx = mg_val_tensor(first), vy = mg_val_tensor(v);
        MG_FAIL(env->caller, a->span, concat_differs, mg_val_text(s, &vx), mg_val_text(s, &vy),
                axis);
    }
    return same;
}

static void concat_piece(MgPieces *p, MgValueId v, uint32_t axis, MgIx offset) {
    MgEnv *env = p->env;
    MgSema *s = env->s;
    uint32_t rank = p->shape.rank;
    MgValue t = *mg_value(s->g, v);
    MgEq eq = {.env = env, .n_positions = rank};
    uint32_t *free = MG_NEW_N(s->arena, uint32_t, rank);
    MgSubscript *target = MG_NEW_N(s->arena, MgSubscript, rank);
    const MgSx **subs = MG_NEW_N(s->arena, const MgSx *, rank);
    eq.low = MG_NEW_N(s->arena, MgIx, rank);
    eq.high = MG_NEW_N(s->arena, MgIx, rank);
    for (uint32_t i = 0; i < rank; i++) {
        free[i] = i;
        mg_push(s->arena, &eq.vars,
                (MgIndexVar){.name = mg_symf(s->names, "i%u", i), .n = 1, .first = i});
        eq.low[i] = i == axis ? offset : mg_ix_const(s->ix, 0);
        eq.high[i] = i == axis ? mg_ix_add(s->ix, offset, t.shape[i]) : p->shape.dims[i];
        MgIx index = mg_ix_idx(s->ix, i);
        target[i] = (MgSubscript){
            .sx = mg_sx_ix(s->module, MG_I64, index), .low = eq.low[i], .high = eq.high[i]};
        subs[i] = mg_sx_ix(s->module, MG_I64, i == axis ? mg_ix_sub(s->ix, index, offset) : index);
    }
    MgPieceSpec spec = {
        .free = free,
        .n_free = rank,
        .target = target,
        .expr = mg_sx_read(s->module, v, mg_compute(p->dtype), subs, rank, MG_BOUNDS_PROVED, NULL)};
    mg_piece_add(&eq, p, &spec);
}

static uint32_t lower_concat(MgEnv *env, const MgArguments *xs, MgSpan span, MgVal *results) {
    MgSema *s = env->s;
    MgBinding *b = mg_env_find_here(env, mg_sym(s->names, "axis"));
    int64_t axis;
    if (!xs->len || !b || !mg_val_const_int(s, &b->val, &axis)) {
        MG_FAIL(env->caller, span, concat_operands, "");
        return 1;
    }
    for (uint32_t i = 0; i < xs->len; i++)
        if (xs->at[i].val.kind != MG_V_TENSOR) {
            if (xs->at[i].val.kind != MG_V_POISON)
                MG_FAIL(env->caller, xs->at[i].span, operand_kind, "xs",
                        mg_val_text(s, &xs->at[i].val), mg_operand_advice(&xs->at[i].val));
            return 1;
        }
    MgValueId first = xs->at[0].val.tensor;
    MgValue t = *mg_value(s->g, first);
    int64_t given = axis;
    axis += axis < 0 ? t.rank : 0;
    if (axis < 0 || axis >= t.rank) {
        MG_FAIL(env->caller, span, axis_range, (long long)given, t.rank);
        return 1;
    }
    MgIx total = mg_ix_const(s->ix, 0);
    for (uint32_t i = 0; i < xs->len; i++) {
        if (!same_but(env, &xs->at[i], first, xs->at[i].val.tensor, (uint32_t)axis, t.dtype))
            return 1;
        total = mg_ix_add(s->ix, total, mg_value(s->g, xs->at[i].val.tensor)->shape[axis]);
    }
    MgPieces p = {.env = env,
                  .target = env->item->results.at[0].name.sym,
                  .span = span,
                  .origin = env->inlined,
                  .dtype = t.dtype};
    p.name = mg_env_local(env, p.target);
    p.shape = (MgShape){.rank = t.rank,
                        .dims = mg_arena_copy(s->arena, t.shape, t.rank, sizeof *t.shape)};
    p.shape.dims[axis] = total;
    MgIx offset = mg_ix_const(s->ix, 0);
    for (uint32_t i = 0; i < xs->len; i++) {
        MgValueId v = xs->at[i].val.tensor;
        int64_t extent;
        MgIx n = mg_value(s->g, v)->shape[axis];
        if (mg_ix_is_const(s->ix, n, &extent) && !extent)
            continue;
        concat_piece(&p, v, (uint32_t)axis, offset);
        offset = mg_ix_add(s->ix, offset, n);
    }
    if (!p.pieces.len)
        concat_piece(&p, first, (uint32_t)axis, offset);
    MgValueId v = mg_pieces_emit(&p);
    if (v)
        results[0] = mg_val_tensor(v);
    return 1;
}

// ---------------------------------------------------------------- the others
// Builtins that become equations. The others become ops, rows of ops.def.
static const struct Special {
    const char *name;
    uint32_t (*lower)(MgEnv *env, const MgArguments *variadic, MgSpan span, MgVal *results);
} special[] = {{"concat", lower_concat}, {"derivative", mg_lower_derivative}};

uint32_t mg_call_builtin(MgEnv *env, const MgArguments *variadic, MgSpan span, uint32_t n_results,
                         MgVal *results) {
    MgSema *s = env->s;
    const MgAstItem *item = env->item;
    const char *name = mg_sym_text(s, item->name.sym);
    MgBuiltin builtin = mg_builtin_of_name(name);
    if (env->scalar) {
        MG_FAIL(env->caller, span, not_scalar_op, name);
        return item->results.len;
    }
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (!strcmp(name, special[i].name))
            return n_results ? special[i].lower(env, variadic, span, results) : 1;
    if (builtin == MG_BUILTIN_COUNT) {
        MG_FAIL(env->caller, span, unknown_op, name, "");
        return item->results.len;
    }
    MgValueId operands[8];
    MgAttr attrs[16];
    uint32_t n = 0, n_attrs = 0;
    for (uint32_t i = 0; i < item->params.len; i++) {
        const MgAstParam *p = &item->params.at[i];
        if (p->kind == MG_PARAM_TENSOR && n < 8) {
            operands[n] = operand_tensor(env, p);
            if (!operands[n++])
                return item->results.len;
        } else if (n_attrs < 16) {
            n_attrs += attribute(env, p, &attrs[n_attrs]);
        }
    }
    MgOpId op = mg_op_new(s->g, env->region, MG_OP_BUILTIN, operands, n, env->inlined);
    mg_op(s->g, op)->builtin = builtin;
    mg_op(s->g, op)->n_attrs = n_attrs;
    mg_op(s->g, op)->attrs = mg_arena_copy(s->module->arena, attrs, n_attrs, sizeof *attrs);
    for (uint32_t i = 0; i < item->results.len; i++) {
        const MgAstResult *r = &item->results.at[i];
        MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
        MgShape shape;
        MgDType d;
        if (!mg_element_type(env, &r->type->element, &d) ||
            !mg_shape_of(&c, &r->type->shape, MG_SHAPE_SOME, r->span, &shape))
            return item->results.len;
        MgValueId v =
            mg_op_result(s->g, op, mg_env_local(env, r->name.sym), d, shape.rank, shape.dims);
        if (shape.some) {
            mg_op(s->g, op)->dim = shape.some;
            mg_op(s->g, op)->dim_bound = shape.some_bound;
        }
        if (i < n_results)
            results[i] = mg_val_tensor(v);
    }
    return item->results.len;
}
