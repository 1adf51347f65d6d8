// Run-time control: loops with carried values, conditionals, fused groups, dimensions from data.
//
// Their bodies are regions. Names that a body binds stay in it; results leave through yield, next
// and emit.
#include "frontend/sema_suggest.h"

// Makes a scope for a region's body, which sees the surrounding names and keeps its own.
static MgEnv *scope_in(MgEnv *env, MgRegionId region) {
    MgEnv *inner = mg_env_new(env->s, env);
    inner->outer = env;
    inner->caller = NULL;
    inner->unit = env->unit;
    inner->prefix = env->prefix;
    inner->inlined = env->inlined;
    inner->region = region;
    for (uint32_t i = 0; i < env->counters.len; i++)
        mg_push(env->s->arena, &inner->counters, env->counters.at[i]);
    return inner;
}

// Completes targets whose pieces are still being collected, since a region may read them.
static void finish_pending(MgEnv *env) {
    for (; env; env = env->outer)
        for (uint32_t i = 0; i < env->names.len; i++)
            if (env->names.at[i].val.kind == MG_V_PIECES)
                mg_finish_pieces(env->names.at[i].val.pieces);
}

MgValueId mg_tensor_of(MgEnv *env, const MgAstExpr *e, MgSym hint, MgDType dtype) {
    MgCtx c = {.env = env, .mode = MG_M_TENSOR, .pos = -1, .hint = hint};
    MgVal v = mg_eval(&c, e);
    if (v.kind == MG_V_TENSOR)
        return v.tensor;
    if (mg_is_scalar(&v))
        return mg_materialise(env, v, dtype, hint, e->span);
    if (v.kind != MG_V_POISON)
        MG_FAIL(env, e->span, not_a_tensor, "this", mg_val_text(env->s, &v));
    return 0;
}

static void poison_targets(MgEnv *env, const MgAstTargets *targets) {
    for (uint32_t i = 0; i < targets->len; i++)
        mg_env_bind(env, targets->at[i].name.sym, mg_val_poison(), targets->at[i].name.span);
}

static void yield(MgEnv *inner, MgRegionId region, const MgValueId *values, uint32_t n,
                  MgOriginId origin) {
    mg_op_new(inner->s->g, region, MG_OP_YIELD, values, n, origin);
}

// The origin of the yield that ends a block.
static MgOriginId last_origin(MgEnv *inner, const MgAstBlock *block) {
    return mg_stmt_origin(inner, block->stmts.at[block->stmts.len - 1]);
}

// Runs a block up to its yield. Returns false after a diagnostic.
static bool yielding_block(MgEnv *inner, const MgAstBlock *block, uint32_t n, MgValueId *values,
                           const MgAstTargets *targets) {
    MgSema *s = inner->s;
    uint32_t errors = s->session->n_errors;
    for (uint32_t i = 0; i < block->stmts.len; i++) {
        const MgAstStmt *st = block->stmts.at[i];
        if (st->kind != MG_STMT_YIELD) {
            mg_stmt(inner, st);
            continue;
        }
        if (st->values.len != n || i + 1 != block->stmts.len) {
            MG_FAIL(inner, st->span, yield_count, mg_counted(s->arena, n, "value"), st->values.len);
            return false;
        }
        bool ok = true;
        for (uint32_t k = 0; k < n; k++) {
            values[k] =
                mg_tensor_of(inner, st->values.at[k],
                             mg_env_hint(inner->outer, targets->at[k].name.sym), MG_DTYPE_COUNT);
            ok &= values[k] != 0;
        }
        finish_pending(inner);
        return ok && s->session->n_errors == errors;
    }
    if (!s->stopped && !mg_has_skipped(inner, block->span))
        MG_FAIL(inner, block->span, no_yield, mg_counted(s->arena, n, "value"));
    return false;
}

static void bind_results(MgEnv *env, MgOpId op, const MgAstTargets *targets,
                         const MgValueId *like) {
    MgSema *s = env->s;
    for (uint32_t i = 0; i < targets->len; i++) {
        MgValue v = *mg_value(s->g, like[i]);
        MgIx *shape = mg_arena_copy(s->arena, v.shape, v.rank, sizeof *v.shape);
        MgValueId r = mg_op_result(s->g, op, mg_env_local(env, targets->at[i].name.sym), v.dtype,
                                   v.rank, shape);
        mg_bind_result(env, &targets->at[i], mg_val_tensor(r));
    }
}

// ---------------------------------------------------------------- if, fused
static bool same_types(MgEnv *env, MgSpan span, MgSym name, MgValueId a, MgValueId b) {
    MgSema *s = env->s;
    MgValue *x = mg_value(s->g, a), *y = mg_value(s->g, b);
    bool same = x->dtype == y->dtype && x->rank == y->rank;
    for (uint32_t i = 0; same && i < x->rank; i++)
        same = mg_same(s, x->shape[i], y->shape[i]) == MG_PROVED ||
               (mg_equate(env, span, x->shape[i], y->shape[i]));
    if (!same) {
        MgVal vx = mg_val_tensor(a), vy = mg_val_tensor(b);
        MG_FAIL(env, span, types_vary, mg_sym_text(s, name), mg_val_text(s, &vx),
                mg_val_text(s, &vy));
    }
    return same;
}

void mg_if_value_stmt(MgEnv *env, const MgAstStmt *st) {
    MgSema *s = env->s;
    const MgAstTargets *targets = &st->if_value.targets;
    uint32_t n = targets->len;
    finish_pending(env);
    MgValueId cond = mg_tensor_of(
        env, st->if_value.cond,
        mg_symf(s->names, "%s_if", mg_sym_text(s, mg_env_hint(env, targets->at[0].name.sym))),
        MG_BOOL);
    if (cond && (mg_value(s->g, cond)->dtype != MG_BOOL || mg_value(s->g, cond)->rank)) {
        MgVal v = mg_val_tensor(cond);
        MG_FAIL(env, st->if_value.cond->span, expected_condition, mg_val_text(s, &v));
        cond = 0;
    }
    if (!cond) {
        poison_targets(env, targets);
        return;
    }
    MgOpId op = mg_op_new(s->g, env->region, MG_OP_IF, &cond, 1, mg_stmt_origin(env, st));
    MgValueId *values[2];
    bool ok = true;
    MgRegionId regions[2];
    for (int k = 0; k < 2; k++) {
        regions[k] = mg_region_new(s->g, op);
        MgEnv *inner = scope_in(env, regions[k]);
        const MgAstBlock *block = k ? &st->if_value.otherwise : &st->if_value.then;
        values[k] = MG_NEW_N(s->arena, MgValueId, n);
        ok &= yielding_block(inner, block, n, values[k], targets);
        if (ok)
            yield(inner, regions[k], values[k], n, last_origin(inner, block));
    }
    for (uint32_t i = 0; ok && i < n; i++)
        ok = same_types(env, targets->at[i].span, targets->at[i].name.sym, values[0][i],
                        values[1][i]);
    mg_annotate(env, st, op);
    if (ok)
        bind_results(env, op, targets, values[0]);
    else
        poison_targets(env, targets);
}

void mg_fused_stmt(MgEnv *env, const MgAstStmt *st) {
    MgSema *s = env->s;
    const MgAstTargets *targets = &st->fused.targets;
    uint32_t n = targets->len;
    finish_pending(env);
    MgOpId op = mg_op_new(s->g, env->region, MG_OP_FUSED, NULL, 0, mg_stmt_origin(env, st));
    MgRegionId region = mg_region_new(s->g, op);
    MgEnv *inner = scope_in(env, region);
    MgValueId *values = MG_NEW_N(s->arena, MgValueId, n);
    bool ok = yielding_block(inner, &st->fused.body, n, values, targets);
    mg_annotate(env, st, op);
    if (!ok) {
        poison_targets(env, targets);
        return;
    }
    yield(inner, region, values, n, last_origin(inner, &st->fused.body));
    bind_results(env, op, targets, values);
}

// ---------------------------------------------------------------- loop
typedef struct Loop {
    MgEnv *env, *body;
    const MgAstStmt *st;
    MgOpId op;
    MgLoop *loop;
    MgRegionId region;
    uint32_t n; // number of carried values
    MgValueId *init, *next;
    MG_VEC(MgValueId) emitted;
} Loop;

static bool carried_values(Loop *l) {
    MgEnv *env = l->env;
    MgSema *s = env->s;
    const MgAstCarries *carries = &l->st->loop.carries;
    l->n = carries->len;
    l->init = MG_NEW_N(s->arena, MgValueId, l->n);
    l->next = MG_NEW_N(s->arena, MgValueId, l->n);
    bool ok = true;
    for (uint32_t i = 0; i < l->n; i++) {
        const MgAstCarry *c = &carries->at[i];
        MgDType d = MG_DTYPE_COUNT;
        if (c->type && !mg_element_type(env, &c->type->element, &d))
            return false;
        MgSym hint = mg_symf(s->names, "%s_init", mg_sym_text(s, mg_env_hint(env, c->name.sym)));
        l->init[i] = mg_tensor_of(env, c->value, hint, d);
        ok &= l->init[i] != 0;
        if (!l->init[i] || !c->type)
            continue;
        MgCtx ctx = {.env = env, .mode = MG_M_STATIC, .pos = -1};
        MgValue v = *mg_value(s->g, l->init[i]);
        if (v.dtype != d) {
            MG_FAIL(env, c->span, result_type, mg_sym_text(s, c->name.sym), mg_dtype(d)->name,
                    mg_dtype(v.dtype)->name);
            ok = false;
        } else if (mg_unify(&ctx, &c->type->shape, v.rank, v.shape, c->name.sym, c->span,
                            c->type->span) < 0) {
            ok = false;
        }
    }
    return ok;
}

static void enter_body(Loop *l, MgEnv *inner, MgRegionId region) {
    MgSema *s = inner->s;
    for (uint32_t i = 0; i < l->n; i++) {
        const MgAstCarry *c = &l->st->loop.carries.at[i];
        MgValue v = *mg_value(s->g, l->init[i]);
        MgIx *shape = mg_arena_copy(s->arena, v.shape, v.rank, sizeof *v.shape);
        MgValueId p = mg_region_param_new(s->g, region, mg_env_local(inner, c->name.sym), v.dtype,
                                          v.rank, shape, mg_env_origin(inner, c->span));
        mg_env_bind(inner, c->name.sym, mg_val_tensor(p), c->name.span);
    }
}

static void next_stmt(Loop *l, const MgAstStmt *st) {
    MgEnv *body = l->body;
    MgSema *s = body->s;
    for (uint32_t i = 0; i < st->next.len; i++) {
        const MgAstCarry *x = &st->next.at[i];
        uint32_t k = 0;
        while (k < l->n && l->st->loop.carries.at[k].name.sym != x->name.sym)
            k++;
        if (k == l->n) {
            MG_FAIL(body, x->span, not_carried, mg_sym_text(s, x->name.sym));
            continue;
        }
        if (l->next[k]) {
            MG_FAIL(body, x->span, defined_twice, mg_sym_text(s, x->name.sym));
            continue;
        }
        MgSym hint = mg_symf(s->names, "%s_next", mg_sym_text(s, mg_env_hint(body, x->name.sym)));
        MgValueId v = mg_tensor_of(body, x->value, hint, mg_value(s->g, l->init[k])->dtype);
        if (v && same_types(body, x->span, x->name.sym, l->init[k], v))
            l->next[k] = v;
    }
}

static void run_body(Loop *l) {
    const MgAstBlock *block = &l->st->loop.body;
    for (uint32_t i = 0; i < block->stmts.len; i++) {
        const MgAstStmt *st = block->stmts.at[i];
        if (st->kind == MG_STMT_NEXT) {
            next_stmt(l, st);
        } else if (st->kind == MG_STMT_EMIT) {
            for (uint32_t k = 0; k < st->values.len; k++) {
                MgSym hint =
                    mg_symf(l->env->s->names, "%s_emit", mg_sym_text(l->env->s, l->body->prefix));
                MgValueId v = mg_tensor_of(l->body, st->values.at[k], hint, MG_DTYPE_COUNT);
                if (v)
                    mg_push(l->env->s->arena, &l->emitted, v);
            }
        } else {
            mg_stmt(l->body, st);
        }
    }
    finish_pending(l->body);
}

static bool loop_range(Loop *l, MgCounter *counter) {
    MgSema *s = l->env->s;
    MgIx zero = mg_ix_const(s->ix, 0);
    const MgAstBinder *b = &l->st->loop.index;
    l->loop->counted = b->range.first != NULL;
    l->loop->low = l->loop->high = zero;
    *counter =
        (MgCounter){.low = zero, .high = zero, .bounded = l->loop->counted, .outer = s->counters};
    if (l->loop->counted) {
        MgCtx c = {.env = l->env, .mode = MG_M_STATIC, .pos = -1};
        if (!mg_eval_range(&c, &b->range, &counter->low, &counter->high))
            return false;
        l->loop->low = counter->low;
        l->loop->high = counter->high;
    }
    MgSym name = b->name.sym ? b->name.sym : mg_sym(s->names, "trip");
    name = mg_free_dim_name(s, name);
    int64_t low, high, ignored;
    mg_ix_interval(s->ix, counter->low, NULL, &low, &ignored);
    mg_ix_interval(s->ix, counter->high, NULL, &ignored, &high);
    counter->sym =
        mg_ix_dim(s->ix, name, low, l->loop->counted && high != MG_IX_INF ? high - 1 : MG_IX_INF);
    l->loop->counter = counter->sym;
    return true;
}

// Is e written over elements, not tensors? Dumps write conditions in this way.
static bool has_reads(const MgAstExpr *e) {
    switch (e->kind) {
    case MG_EXPR_READ:
    case MG_EXPR_REDUCE:
        return true;
    case MG_EXPR_UNARY:
        return has_reads(e->unary.operand);
    case MG_EXPR_BINARY:
        return has_reads(e->binary.left) || has_reads(e->binary.right);
    case MG_EXPR_CALL:
        for (uint32_t i = 0; i < e->call.args.len; i++)
            if (has_reads(e->call.args.at[i].value))
                return true;
        return false;
    default:
        return false;
    }
}

// The condition is a region of its own over the same carried values.
static bool condition(Loop *l) {
    MgEnv *env = l->env;
    MgSema *s = env->s;
    MgRegionId region = mg_region_new(s->g, l->op);
    MgEnv *inner = scope_in(env, region);
    enter_body(l, inner, region);
    const MgAstExpr *e = l->st->loop.while_cond;
    MgSym name = mg_symf(s->names, "%s_while",
                         mg_sym_text(s, env->prefix ? env->prefix : mg_sym(s->names, "loop")));
    MgValueId v = has_reads(e) ? mg_scalar_equation(inner, e, name, MG_BOOL)
                               : mg_tensor_of(inner, e, name, MG_BOOL);
    if (!v)
        return false;
    if (mg_value(s->g, v)->dtype != MG_BOOL || mg_value(s->g, v)->rank) {
        MgVal t = mg_val_tensor(v);
        MG_FAIL(env, e->span, expected_condition, mg_val_text(s, &t));
        return false;
    }
    yield(inner, region, &v, 1, mg_env_origin(inner, e->span));
    return true;
}

// The dimension of the emitted values: the length of the range or, with `while`, a number that is
// known only after the loop.
static bool trip_count(Loop *l, MgIx *trips) {
    MgSema *s = l->env->s;
    MgIx length = mg_ix_sub(s->ix, l->loop->high, l->loop->low);
    if (mg_prove(s, length, NULL) != MG_PROVED)
        length = mg_ix_max(s->ix, length, mg_ix_const(s->ix, 0));
    *trips = length;
    if (!l->loop->has_while)
        return true;
    if (!l->loop->counted) {
        MG_FAIL(l->env, l->st->span, emit_unbounded, "");
        return false;
    }
    MgSym name = mg_free_dim_name(s, mg_sym(s->names, "trips"));
    int64_t low, high;
    mg_ix_interval(s->ix, length, NULL, &low, &high);
    MgIxSym sym = mg_ix_dim(s->ix, name, 0, high);
    mg_push(s->module->arena, &s->g->dims, sym);
    mg_push(s->arena, &s->late, sym);
    *trips = mg_ix_sym(s->ix, sym);
    mg_assume(s, mg_ix_sub(s->ix, length, *trips));
    l->loop->trips = sym;
    return true;
}

static void loop_results(Loop *l) {
    MgEnv *env = l->env;
    MgSema *s = env->s;
    const MgAstTargets *targets = &l->st->loop.targets;
    uint32_t total = l->n + l->emitted.len;
    MgIx trips = 0;
    if (targets->len != total) {
        MG_FAIL(env, l->st->span, loop_results, l->n, l->emitted.len,
                mg_counted(s->arena, targets->len, "name"), targets->len == 1 ? "is" : "are");
        poison_targets(env, targets);
        return;
    }
    if (l->emitted.len && !trip_count(l, &trips)) {
        poison_targets(env, targets);
        return;
    }
    for (uint32_t i = 0; i < total; i++) {
        MgValue v = *mg_value(s->g, i < l->n ? l->init[i] : l->emitted.at[i - l->n]);
        MgIx shape[17];
        uint32_t rank = 0;
        if (i >= l->n)
            shape[rank++] = trips;
        for (uint32_t k = 0; k < v.rank && rank < 17; k++)
            shape[rank++] = v.shape[k];
        MgValueId r = mg_op_result(s->g, l->op, mg_env_local(env, targets->at[i].name.sym), v.dtype,
                                   rank, shape);
        mg_bind_result(env, &targets->at[i], mg_val_tensor(r));
    }
}

// Inside the body, the trip number lies in its range.
static void learn_range(MgSema *s, const MgCounter *counter) {
    MgIx trip = mg_ix_sym(s->ix, counter->sym), one = mg_ix_const(s->ix, 1);
    mg_assume(s, mg_ix_sub(s->ix, trip, counter->low));
    if (counter->bounded)
        mg_assume(s, mg_ix_sub(s->ix, mg_ix_sub(s->ix, counter->high, one), trip));
}

// What is known of the trip number, also by checks in the body, says nothing behind the loop: its
// body may never have run.
static void forget_range(MgSema *s, const MgCounter *counter) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->facts.len; i++)
        if (!mg_ix_mentions(s->ix, s->facts.at[i], counter->sym))
            s->facts.at[kept++] = s->facts.at[i];
    s->facts.len = kept;
}

void mg_loop_stmt(MgEnv *env, const MgAstStmt *st) {
    MgSema *s = env->s;
    Loop l = {.env = env, .st = st};
    MgCounter counter;
    finish_pending(env);
    uint32_t errors = s->session->n_errors;
    l.loop = MG_NEW(s->module->arena, MgLoop);
    if (!carried_values(&l) || !loop_range(&l, &counter)) {
        poison_targets(env, &st->loop.targets);
        return;
    }
    if (!l.loop->counted && !st->loop.while_cond) {
        MG_FAIL(env, st->span, loop_endless, "");
        poison_targets(env, &st->loop.targets);
        return;
    }
    l.op = mg_op_new(s->g, env->region, MG_OP_LOOP, l.init, l.n, mg_stmt_origin(env, st));
    mg_op(s->g, l.op)->loop = l.loop;
    l.loop->has_while = st->loop.while_cond != NULL;
    l.region = mg_region_new(s->g, l.op);
    l.body = scope_in(env, l.region);
    s->counters = &counter;
    learn_range(s, &counter);
    enter_body(&l, l.body, l.region);
    if (st->loop.index.name.sym)
        mg_env_bind(l.body, st->loop.index.name.sym, mg_val_ix(mg_ix_sym(s->ix, counter.sym)),
                    st->loop.index.span);
    run_body(&l);
    for (uint32_t i = 0; i < l.n; i++)
        if (!l.next[i] && s->session->n_errors == errors) // its value carries over unchanged
            l.next[i] = mg_env_find_here(l.body, st->loop.carries.at[i].name.sym)->val.tensor;
    bool ok = s->session->n_errors == errors;
    if (ok) {
        l.loop->n_carried = l.n;
        l.loop->n_emitted = l.emitted.len;
        for (uint32_t i = 0; i < l.n; i++)
            mg_push(s->arena, &l.emitted, 0);
        memmove(l.emitted.at + l.n, l.emitted.at, (l.emitted.len - l.n) * sizeof *l.emitted.at);
        memcpy(l.emitted.at, l.next, l.n * sizeof *l.next);
        yield(l.body, l.region, l.emitted.at, l.emitted.len, mg_stmt_origin(env, st));
        memmove(l.emitted.at, l.emitted.at + l.n, (l.emitted.len - l.n) * sizeof *l.emitted.at);
        l.emitted.len -= l.n;
        ok = !l.loop->has_while || condition(&l);
    }
    s->counters = counter.outer;
    forget_range(s, &counter);
    mg_annotate(env, st, l.op);
    if (ok)
        loop_results(&l);
    else
        poison_targets(env, &st->loop.targets);
}

// ---------------------------------------------------------------- dim K <= bound = value
bool mg_dim_named(MgSema *s, MgSym name) {
    for (uint32_t i = 0; i < s->g->dims.len; i++)
        if (mg_ix_sym_name(s->ix, s->g->dims.at[i]) == name)
            return true;
    for (MgCounter *k = s->counters; k; k = k->outer)
        if (mg_ix_sym_name(s->ix, k->sym) == name)
            return true;
    return mg_map_find(&s->g->value_names, name) != NULL;
}

void mg_dim_stmt(MgEnv *env, const MgAstStmt *st) {
    MgSema *s = env->s;
    MgSym name = st->dim.name.sym;
    MgIx bound = 0;
    int64_t low, high = MG_IX_INF;
    finish_pending(env);
    if (!st->dim.bound) {
        MG_FAIL(env, st->span, dim_needs_bound, mg_sym_text(s, name), mg_sym_text(s, name));
        mg_env_bind(env, name, mg_val_poison(), st->dim.name.span);
        return;
    }
    MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
    MgVal b = mg_eval_int(&c, st->dim.bound, "the bound");
    MgValueId v =
        mg_tensor_of(env, st->dim.value,
                     mg_symf(s->names, "%s_value", mg_sym_text(s, mg_env_hint(env, name))), MG_I64);
    if (v && (mg_value(s->g, v)->dtype != MG_I64 || mg_value(s->g, v)->rank)) {
        MgVal t = mg_val_tensor(v);
        MG_FAIL(env, st->dim.value->span, dim_value, mg_val_text(s, &t));
        v = 0;
    }
    if (!v || b.kind == MG_V_POISON) {
        mg_env_bind(env, name, mg_val_poison(), st->dim.name.span);
        return;
    }
    bound = b.ix;
    mg_ix_interval(s->ix, bound, NULL, &low, &high);
    MgSym shown = mg_free_dim_name(s, name);
    MgIxSym sym = mg_ix_dim(s->ix, shown, 0, high);
    mg_push(s->module->arena, &s->g->dims, sym);
    mg_push(s->arena, &s->late, sym);
    MgOpId op = mg_op_new(s->g, env->region, MG_OP_DIM, &v, 1, mg_stmt_origin(env, st));
    mg_op(s->g, op)->dim = sym;
    mg_op(s->g, op)->dim_bound = bound;
    mg_annotate(env, st, op);
    MgIx room = mg_ix_sub(s->ix, bound, mg_ix_sym(s->ix, sym));
    if (mg_prove(s, room, NULL) != MG_PROVED)
        mg_record_require(env, st->span, room, 0);
    mg_assume(s, room);
    MgBinding *binding =
        mg_env_bind(env, name, mg_val_ix(mg_ix_sym(s->ix, sym)), st->dim.name.span);
    if (binding)
        binding->is_dim = true;
}
