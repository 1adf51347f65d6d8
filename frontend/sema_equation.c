// Lowers equations from index notation to at most one reduction each, the outermost.
//
// Indices and ranges come first (sema_index.c), then the right side, whose inner reductions become
// equations of their own (sema_reduce.c), and finally the target.
#include "frontend/sema_eq.h"
#include "ir/equation.h"

// ---------------------------------------------------------------- absent operands
static bool absent_read(MgEnv *env, const MgAstExpr *e, uint64_t neutral) {
    if (e->kind != MG_EXPR_READ || !e->read.otherwise)
        return false;
    MgBinding *b = mg_env_find(env, e->read.name.sym);
    const MgAstExpr *o = e->read.otherwise;
    return b && b->val.kind == MG_V_ABSENT && o->kind == MG_EXPR_INT && o->integer == neutral;
}

const MgAstExpr *mg_strip_absent(MgEnv *env, const MgAstExpr *e) {
    while (e->kind == MG_EXPR_BINARY) {
        MgAstOp op = e->binary.op;
        if ((op == MG_AST_ADD || op == MG_AST_SUB) && absent_read(env, e->binary.right, 0))
            e = e->binary.left;
        else if ((op == MG_AST_MUL || op == MG_AST_DIV) && absent_read(env, e->binary.right, 1))
            e = e->binary.left;
        else
            break;
    }
    return e;
}

// ---------------------------------------------------------------- the target
static bool all_known(MgEnv *env, const MgAstSubs *subs) {
    MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
    if (mg_entries_rank(&c, subs) == MG_UNKNOWN_LENGTH)
        return false;
    for (uint32_t i = 0; i < subs->len; i++) {
        const MgAstSub *sub = &subs->at[i];
        if ((sub->kind == MG_SUB_EXPR || sub->kind == MG_SUB_ZIP) && !mg_known(&c, sub->expr))
            return false;
        if (sub->kind == MG_SUB_SOME || sub->kind == MG_SUB_TUPLE)
            return false;
    }
    return true;
}

static const MgAstType *declared_type(MgEnv *env, const MgAstStmt *st) {
    if (st->equation.type)
        return st->equation.type;
    const MgAstResult *r = mg_result_of(env, st->equation.name.sym);
    // A result whose dimensions only its definition determines is compared afterwards.
    return r && r->type && (!r->type->has_shape || all_known(env, &r->type->shape)) ? r->type
                                                                                    : NULL;
}

MgVal mg_finish_pieces(MgPieces *p) {
    MgBinding *b = mg_env_find(p->env, p->target);
    if (b && b->val.kind == MG_V_PIECES && b->val.pieces == p) {
        MgFactors *factors = p->shape.factors;
        MgValueId v = mg_pieces_emit(p);
        b = mg_env_find(p->env, p->target);
        b->val = v ? mg_val_tensor(v) : mg_val_poison();
        if (p->env->s->options.observer)
            mg_observe(p->env, b->span, b->val);
        b->factors = factors;
        b->decl = p->decl;
        return b->val;
    }
    return mg_val_poison();
}

// A target without a declared type has the dimensions of its indices.
static bool infer_shape(MgEq *eq, const MgAstStmt *st, MgShape *shape) {
    MgEnv *env = eq->env;
    MgSema *s = env->s;
    MgCtx c = {.env = env, .eq = eq, .mode = MG_M_SUB, .pos = -1};
    const MgAstSubs *subs = &st->equation.subs;
    uint32_t rank = mg_entries_rank(&c, subs);
    MgAxes at;
    if (rank == MG_UNKNOWN_LENGTH) {
        MG_FAIL(env, st->span, pack_length_unknown, "");
        return false;
    }
    *shape = (MgShape){.rank = rank,
                       .dims = MG_NEW_N(s->arena, MgIx, rank),
                       .factors = MG_NEW_N(s->arena, MgFactors, rank)};
    if (!mg_axes(&c, subs, rank, NULL, NULL, st->span, false, &at))
        return false;
    MgIx *open = MG_NEW_N(s->arena, MgIx, rank);
    MgSubscript *out = MG_NEW_N(s->arena, MgSubscript, rank);
    if (!mg_subscripts(&c, subs, &at, open, NULL, out))
        return false;
    for (uint32_t i = 0; i < subs->len; i++)
        for (uint32_t j = 0; j < at.count[i]; j++) {
            uint32_t axis = (uint32_t)at.axes[i][j];
            int64_t low;
            if (out[axis].high == MG_IX_ERROR || mg_ix_mentions_index(s->ix, out[axis].high)) {
                MG_FAIL(env, subs->at[i].span, target_needs_type,
                        mg_sym_text(s, st->equation.name.sym));
                return false;
            }
            if (!mg_ix_is_const(s->ix, out[axis].low, &low) || low != 0) {
                MG_FAIL(env, subs->at[i].span, target_needs_type,
                        mg_sym_text(s, st->equation.name.sym));
                return false;
            }
            shape->dims[axis] = out[axis].high;
            MgFactors *f = &shape->factors[axis];
            f->n = out[axis].n_tuple;
            f->at = MG_NEW_N(s->arena, MgIx, f->n);
            for (uint32_t k = 0; k < f->n; k++)
                f->at[k] = eq->high[out[axis].tuple[k]];
        }
    return true;
}

// Lowers the subscripts of the left side. Is a bound index among their names?
static bool lower_target(MgCtx *c, const MgAstSubs *subs, const MgPieces *p, MgSpan span,
                         MgSubscript *target, bool *placed) {
    MgEq *eq = c->eq;
    MgAxes at;
    for (uint32_t i = 0; i < eq->vars.len; i++)
        eq->vars.at[i].named = false;
    if (!mg_axes(c, subs, p->shape.rank, NULL, p->decl, span, false, &at) ||
        !mg_subscripts(c, subs, &at, p->shape.dims, p->shape.factors, target))
        return false;
    bool used[64] = {0}; // also by entries of tuples
    for (uint32_t i = 0; i < p->shape.rank; i++)
        mg_used_positions(eq, target[i].sx, used);
    *placed = false;
    for (uint32_t i = 0; i < eq->vars.len; i++) {
        const MgIndexVar *v = &eq->vars.at[i];
        bool named = v->named;
        for (uint32_t k = 0; k < v->n; k++)
            named |= used[v->first + k];
        *placed |= v->bound && named;
    }
    return true;
}

// The base of an equation with `over`, checked against the target's type and shape.
static MgValueId base_of(MgEq *eq, const MgAstStmt *st) {
    MgEnv *env = eq->env;
    MgCtx c = {.env = env, .mode = MG_M_TENSOR, .pos = -1};
    MgVal v = mg_named(&c, st->equation.over.sym, st->equation.over.span);
    if (v.kind == MG_V_TENSOR)
        return v.tensor;
    if (v.kind != MG_V_POISON)
        MG_FAIL(env, st->equation.over.span, not_a_tensor,
                mg_sym_text(env->s, st->equation.over.sym), mg_val_text(env->s, &v));
    return 0;
}

static bool check_base(MgEq *eq, const MgAstStmt *st, MgValueId base, const MgPieces *p) {
    MgEnv *env = eq->env;
    MgSema *s = env->s;
    MgValue *v = mg_value(s->g, base);
    bool same = v->dtype == p->dtype && v->rank == p->shape.rank;
    for (uint32_t i = 0; same && i < v->rank; i++)
        same = mg_equate(env, st->equation.over.span, v->shape[i], p->shape.dims[i]);
    if (!same) {
        MgVal t = mg_val_tensor(base);
        MG_FAIL(env, st->equation.over.span, base_type, mg_sym_text(s, st->equation.over.sym),
                mg_val_text(s, &t), mg_dtype(p->dtype)->name,
                mg_shape_text(s, p->shape.rank, p->shape.dims));
    }
    return same;
}

static bool write_bounds(MgEq *eq, const MgAstStmt *st, MgPieces *p, MgPieceSpec *spec) {
    MgEnv *env = eq->env;
    MgSema *s = env->s;
    MgCtx c = {.env = env, .eq = eq, .mode = MG_M_SUB, .pos = -1};
    uint32_t rank = p->shape.rank;
    // The flat form writes `else none` if no bound index is left on its left side.
    spec->scatter = spec->n_bound && (spec->placed || st->equation.drop);
    if (!spec->scatter) {
        for (uint32_t i = 0; i < rank; i++)
            if (spec->target[i].high == MG_IX_ERROR) {
                MG_FAIL(env, st->span, computed_target, mg_sym_text(s, eq->target));
                return false;
            }
        if (spec->reducer != MG_REDUCE_NONE && mg_reduce_order(spec->reducer) == MG_ORDER_LAST) {
            MG_FAIL(env, st->span, last_only_writes, mg_reducer(spec->reducer)->name);
            return false;
        }
        if (st->equation.over.sym || st->equation.drop) {
            MG_FAIL(env, st->span, over_without_scatter, st->equation.drop ? "else none" : "over");
            return false;
        }
        MgBounds inside; // a box must lie inside the target
        return mg_bounds(&c, st->span, eq->target, rank, p->shape.dims, spec->target, false,
                         &inside);
    }
    if (mg_reducer(spec->reducer)->empty == MG_IDENTITY_NONE && !st->equation.over.sym) {
        MG_FAIL(env, st->span, needs_base, mg_reducer(spec->reducer)->name);
        return false;
    }
    if (mg_reduced_type(spec->reducer, MG_F32) != MG_F32 || spec->reducer == MG_REDUCE_MEAN) {
        MG_FAIL(env, st->span, scatter_reducer, mg_reducer(spec->reducer)->name);
        return false;
    }
    return mg_bounds(&c, st->span, eq->target, rank, p->shape.dims, spec->target, st->equation.drop,
                     &spec->write);
}

// The positions of the left side's indices.
static bool free_positions(MgEq *eq, uint32_t *free, uint32_t *n) {
    *n = 0;
    for (uint32_t i = 0; i < eq->vars.len; i++)
        for (uint32_t k = 0; k < eq->vars.at[i].n && !eq->vars.at[i].bound; k++)
            free[(*n)++] = eq->vars.at[i].first + k;
    return true;
}

static bool result_type(MgEq *eq, const MgAstType *type, const MgPieceSpec *spec, MgPieces *p) {
    MgEnv *env = eq->env;
    MgSema *s = env->s;
    MgDType got =
        spec->reducer ? mg_reduced_type(spec->reducer, spec->expr->dtype) : spec->expr->dtype;
    if (!type && eq->want == MG_DTYPE_COUNT) {
        p->dtype = got;
        if (spec->copies) // a plain copy keeps its type
            p->dtype = mg_value(s->g, spec->expr->operand)->dtype;
        return true;
    }
    if (mg_compute(p->dtype) == got)
        return true;
    MG_FAIL(env, eq->span, result_type, mg_sym_text(s, eq->target), mg_dtype(p->dtype)->name,
            mg_dtype(got)->name);
    return false;
}

static bool is_partial(MgEq *eq, const MgPieces *p, const MgSubscript *target) {
    MgSema *s = eq->env->s;
    for (uint32_t i = 0; i < p->shape.rank; i++)
        if (target[i].high != MG_IX_ERROR &&
            (mg_same(s, target[i].high, p->shape.dims[i]) != MG_PROVED ||
             mg_same(s, target[i].low, mg_ix_const(s->ix, 0)) != MG_PROVED))
            return true;
    return false;
}

// Is a rounding to the stored type meant, although the result is stored in it? f32(bf16(x)) says
// so, by converting back.
static bool is_meant(const MgEq *eq, const MgAstExpr *value, MgDType stored) {
    const char *compute = mg_dtype(mg_dtype(stored)->compute)->name;
    return value->kind == MG_EXPR_CALL &&
           strcmp(mg_sym_text(eq->env->s, value->call.name.sym), compute) == 0;
}

// Adds the piece of the target that st defines to p. False after a diagnostic.
static bool lower(MgEq *eq, const MgAstStmt *st, const MgAstType *type, MgPieces *p,
                  bool *partial) {
    MgEnv *env = eq->env;
    MgSema *s = env->s;
    MgCtx c = {.env = env, .eq = eq, .mode = MG_M_SUB, .pos = -1};
    const MgAstSubs *subs = &st->equation.subs;
    const MgAstExpr *value = mg_strip_absent(env, st->equation.value);
    eq->root = value->kind == MG_EXPR_REDUCE ? value : NULL;
    MgAstStmt stripped = *st;
    stripped.equation.value = (MgAstExpr *)value;
    mg_index_collect(eq, &stripped);
    if (eq->failed)
        return false;
    bool known = p->dtype != MG_DTYPE_COUNT && (p->shape.rank || type);
    mg_index_infer(eq, &stripped, known ? &p->shape : NULL, p->decl);
    if (!mg_index_position(eq))
        return false;
    if (!known && !infer_shape(eq, st, &p->shape))
        return false;
    uint32_t rank = p->shape.rank;
    MgSubscript *target = MG_NEW_N(s->arena, MgSubscript, rank);
    uint32_t free[64], bound[64];
    MgPieceSpec spec = {.target = target, .free = free};
    if (!lower_target(&c, subs, p, st->span, target, &spec.placed))
        return false;
    free_positions(eq, free, &spec.n_free);
    if (!mg_right_side(eq, value, &spec, bound) || !result_type(eq, type, &spec, p) ||
        !write_bounds(eq, st, p, &spec))
        return false;
    if (spec.reducer == MG_REDUCE_NONE && !is_meant(eq, value, p->dtype))
        spec.expr = mg_sx_unrounded(spec.expr, p->dtype);
    if (st->equation.over.sym && !p->over) {
        p->over = base_of(eq, st);
        if (!p->over || !check_base(eq, st, p->over, p))
            return false;
    }
    *partial = !spec.scatter && is_partial(eq, p, target);
    mg_piece_add(eq, p, &spec);
    return true;
}

// Handles `y[] = …` or `y[..s] = …` in an op that is inlined into an index expression.
static void scalar_equation(MgEnv *env, const MgAstStmt *st, MgCtx *c) {
    MgSema *s = env->s;
    MgCtx inner = *c;
    inner.env = env;
    inner.pos = -1;
    for (uint32_t i = 0; i < st->equation.subs.len; i++)
        if (st->equation.subs.at[i].kind != MG_SUB_PACK) {
            MG_FAIL(env, st->span, not_scalar_op, mg_sym_text(s, env->item->name.sym));
            mg_env_bind(env, st->equation.name.sym, mg_val_poison(), st->span);
            return;
        }
    MgVal v = mg_eval(&inner, st->equation.value);
    if (v.kind != MG_V_POISON && !mg_is_scalar(&v)) {
        MG_FAIL(env, st->equation.value->span, expected_number, "=", mg_val_text(s, &v));
        v = mg_val_poison();
    }
    mg_env_bind(env, st->equation.name.sym, v, st->span);
}

// A further equation of p must state p's type, if it states any.
static bool same_type(MgEnv *env, const MgAstStmt *st, MgPieces *p) {
    const MgAstType *type = st->equation.type;
    MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
    MgDType dtype;
    if (!type)
        return true;
    if (!mg_element_type(env, &type->element, &dtype))
        return false;
    if (dtype != p->dtype) {
        MG_FAIL(env, type->span, result_type, mg_sym_text(env->s, p->target), mg_dtype(dtype)->name,
                mg_dtype(p->dtype)->name);
        return false;
    }
    return mg_unify(&c, &type->shape, p->shape.rank, p->shape.dims, p->target, st->span,
                    type->span) >= 0;
}

// Does the left side state where its elements lie: by a range, or at one place?
static bool states_box(const MgAstStmt *st) {
    for (uint32_t i = 0; i < st->equation.subs.len; i++) {
        const MgAstSub *sub = &st->equation.subs.at[i];
        bool index = sub->kind == MG_SUB_INDEX || sub->kind == MG_SUB_PACK;
        if (index ? sub->index.range.first != NULL
                  : sub->kind == MG_SUB_EXPR && sub->expr->kind != MG_EXPR_NAME)
            return true;
    }
    return false;
}

// A value that its boxes cover already. Only an equation with an empty box may follow.
static bool whole_already(const MgEnv *env, const MgAstStmt *st, const MgBinding *b) {
    return b && b->val.kind == MG_V_TENSOR && b->block == env->block && b->factors &&
           !b->is_operand && states_box(st);
}

// Is this the body of a loop without trips? Any claim about boxes there holds, so each of them may
// be the whole.
static bool never_runs(MgSema *s) {
    for (const MgCounter *k = s->counters; k; k = k->outer)
        if (k->bounded && mg_prove(s, mg_ix_sub(s->ix, k->low, k->high), NULL) == MG_PROVED)
            return true;
    return false;
}

static void like(MgEnv *env, const MgAstStmt *st, const MgBinding *b, MgPieces *p) {
    const MgValue *v = mg_value(env->s->g, b->val.tensor);
    *p = (MgPieces){.env = env,
                    .target = st->equation.name.sym,
                    .span = st->span,
                    .dtype = v->dtype,
                    .shape = {.rank = v->rank, .dims = v->shape, .factors = b->factors},
                    .decl = b->decl,
                    .name = v->name};
}

static bool start_pieces(MgEnv *env, const MgAstStmt *st, const MgAstType *type, MgPieces *p) {
    MgSema *s = env->s;
    MgSym target = st->equation.name.sym;
    *p = (MgPieces){
        .env = env, .target = target, .span = st->span, .st = st, .dtype = MG_DTYPE_COUNT};
    p->origin = mg_stmt_origin(env, st);
    if (type) {
        MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
        if (!mg_element_type(env, &type->element, &p->dtype) ||
            !mg_shape_of(&c, &type->shape, MG_SHAPE_CLOSED, type->span, &p->shape))
            return false;
        p->decl = &type->shape;
    } else if (st->equation.over.sym) { // it has the type of its base
        MgCtx c = {.env = env, .mode = MG_M_TENSOR, .pos = -1};
        MgVal base = mg_named(&c, st->equation.over.sym, st->equation.over.span);
        if (base.kind == MG_V_TENSOR) {
            MgValue *v = mg_value(s->g, base.tensor);
            p->dtype = v->dtype;
            p->shape =
                (MgShape){.rank = v->rank,
                          .dims = mg_arena_copy(s->arena, v->shape, v->rank, sizeof *v->shape),
                          .factors = MG_NEW_N(s->arena, MgFactors, v->rank)};
        }
    }
    p->name = mg_env_local(env, target);
    return true;
}

void mg_equation_in(MgEnv *env, const MgAstStmt *st, MgCtx *scalar) {
    MgSema *s = env->s;
    if (env->scalar) {
        scalar_equation(env, st, scalar);
        return;
    }
    MgSym target = st->equation.name.sym;
    MgBinding *b = mg_env_find_here(env, target);
    MgPieces *p = b && b->val.kind == MG_V_PIECES ? b->val.pieces : NULL;
    const MgAstType *type = declared_type(env, st);
    if (b && b->val.kind == MG_V_POISON && b->block == env->block)
        return; // another piece of this target failed
    bool fresh = !p, extra = whole_already(env, st, b);
    if (fresh) {
        p = MG_NEW(s->arena, MgPieces);
        if (extra)
            like(env, st, b, p);
        else if (!start_pieces(env, st, type, p)) {
            mg_env_bind(env, target, mg_val_poison(), st->span);
            return;
        }
    }
    MgEq eq = {
        .env = env, .target = target, .base = p->name, .span = st->span, .origin = p->origin};
    eq.want = p->dtype == MG_DTYPE_COUNT ? MG_DTYPE_COUNT : mg_compute(p->dtype);
    mg_map_init(&eq.scopes, s->arena);
    MgEq *outer = s->eq;
    s->eq = &eq;
    bool partial = false, ok = (fresh && !extra) || same_type(env, st, p);
    ok = ok && lower(&eq, st, type, p, &partial);
    s->eq = outer;
    if (!ok) {
        b = mg_env_find_here(env, target);
        if (b && b->val.kind == MG_V_PIECES)
            b->val = mg_val_poison();
        else if (!extra) // otherwise the value is whole without this equation
            mg_env_bind(env, target, mg_val_poison(), st->span);
        return;
    }
    if (!fresh) {
        if (st->annots.len) { // a dump annotates only the last piece
            p->st = st;
            p->origin = mg_stmt_origin(env, st);
        }
        if (mg_pieces_whole(p))
            mg_finish_pieces(p);
        return;
    }
    if (extra && (p->empty || never_runs(s)))
        return;
    MgVal v = {.kind = MG_V_PIECES, .pieces = p};
    if (!mg_env_bind(env, target, v, st->span))
        return;
    if (!partial || mg_pieces_whole(p))
        mg_finish_pieces(p);
}

void mg_equation(MgEnv *env, const MgAstStmt *st) {
    MgCtx c = {.env = env, .mode = MG_M_VALUE, .pos = -1};
    mg_equation_in(env, st, env->scalar_ctx ? env->scalar_ctx : &c);
}

// ---------------------------------------------------------------- rank 0 values of scalars
MgValueId mg_materialise(MgEnv *env, MgVal v, MgDType dtype, MgSym hint, MgSpan span) {
    MgSema *s = env->s;
    MgCtx c = {.env = env, .mode = MG_M_VALUE, .pos = -1};
    const MgSx *x = dtype == MG_DTYPE_COUNT ? mg_default_type(&c, span, v)
                                            : mg_adopt(&c, span, v, mg_compute(dtype));
    if (!x)
        return 0;
    MgEq eq = {.env = env};
    MgPieces p = {.env = env, .span = span, .origin = mg_env_origin(env, span)};
    p.dtype = dtype == MG_DTYPE_COUNT ? x->dtype : dtype;
    p.name = mg_unique_name(s->g, hint);
    MgPieceSpec spec = {.expr = x};
    mg_piece_add(&eq, &p, &spec);
    return mg_pieces_emit(&p);
}

MgValueId mg_scalar_equation(MgEnv *env, const MgAstExpr *e, MgSym name, MgDType dtype) {
    MgSema *s = env->s;
    MgEq eq = {.env = env, .base = name, .span = e->span, .want = mg_compute(dtype)};
    MgAstStmt st = {.kind = MG_STMT_EQUATION, .span = e->span};
    st.equation.value = (MgAstExpr *)e;
    mg_map_init(&eq.scopes, s->arena);
    mg_index_collect(&eq, &st);
    mg_index_infer(&eq, &st, NULL, NULL);
    if (!mg_index_position(&eq))
        return 0;
    MgPieces p = {
        .env = env, .span = e->span, .origin = mg_env_origin(env, e->span), .dtype = dtype};
    MgPieceSpec spec = {0};
    if (!mg_right_side(&eq, e, &spec, NULL))
        return 0;
    p.name = mg_unique_name(s->g, name);
    mg_piece_add(&eq, &p, &spec);
    return mg_pieces_emit(&p);
}
