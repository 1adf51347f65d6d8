// Statements: one table from their kinds to the functions that lower them.
#include "frontend/sema_internal.h"
#include "frontend/sema_suggest.h"

// ---------------------------------------------------------------- messages with {formulas}
MgSym mg_interpolate(MgEnv *env, MgSym text) {
    MgSema *s = env->s;
    const char *t = mg_sym_text(s, text);
    if (!strchr(t, '{'))
        return text;
    MgText out = mg_text(s->arena);
    while (*t) {
        const char *end = *t == '{' ? strchr(t, '}') : NULL;
        if (!end) {
            mg_text_add_n(&out, t++, 1);
            continue;
        }
        MgVal v = {0};
        MgSym name = mg_sym_n(s->names, t + 1, (size_t)(end - t - 1));
        MgBinding *b = mg_env_find(env, name);
        const MgAstExpr *e = b ? NULL : mg_message_expr(s, name);
        if (b)
            v = b->val;
        else if (e)
            v = mg_eval_static(env, e);
        int64_t value;
        if (v.kind == MG_V_STR)
            mg_text_add(&out, mg_sym_text(s, v.sym));
        else if (v.kind == MG_V_INT && !mg_ix_is_const(s->ix, v.ix, &value))
            mg_textf(&out, "{%s}", mg_ix_text(s, v.ix)); // filled in when dims are bound
        else if (v.kind != MG_V_POISON)
            mg_text_add(&out, mg_val_text(s, &v));
        t = end + 1;
    }
    return mg_sym(s->names, mg_text_str(&out));
}

// ---------------------------------------------------------------- annotations
static const char *source_text(MgSema *s, MgSpan span) {
    const MgSource *src = &s->session->sources.all.at[span.source];
    return mg_arena_str(s->arena, src->text + span.begin, span.end - span.begin);
}

static MgSym annotation_args(MgSema *s, const MgAstAnnot *a) {
    if (!a->args.len)
        return 0;
    MgSpan span = mg_span_join(a->args.at[0].span, a->args.at[a->args.len - 1].span);
    return mg_sym(s->names, source_text(s, span));
}

// #at("net.mg", line, column, end): the origin of a dump's statement, then the calls that led to
// it. #backward: the statement is part of a derivative.
static MgOriginId origin_of_at(MgSema *s, const MgAstAnnot *a, MgOriginId inlined) {
    MgOrigin o = {.inlined = inlined};
    uint32_t *fields[] = {&o.line, &o.column, &o.end};
    for (uint32_t i = 0, k = 0; i < a->args.len; i++) {
        const MgAstExpr *e = a->args.at[i].value;
        if (e->kind == MG_EXPR_STRING)
            o.file = e->string;
        else if (e->kind == MG_EXPR_INT && k < 3)
            *fields[k++] = (uint32_t)e->integer;
    }
    return mg_origin_new(s->module, o);
}

MgOriginId mg_origin_by_at(MgSema *s, const MgAstAnnots *annots) {
    MgOriginId origin = 0;
    for (uint32_t i = annots->len; i-- > 0;) // the innermost call comes first
        if (!strcmp(mg_sym_text(s, annots->at[i].name.sym), "at"))
            origin = origin_of_at(s, &annots->at[i], origin);
    return origin;
}

static MgOriginId origin_by_at(MgEnv *env, const MgAstStmt *st) {
    MgSema *s = env->s;
    MgOriginId origin = mg_origin_by_at(s, &st->annots);
    for (uint32_t i = 0; i < st->annots.len; i++)
        if (!strcmp(mg_sym_text(s, st->annots.at[i].name.sym), "backward"))
            return mg_origin_backward(
                s->module, origin ? origin : mg_origin_of_span(s->module, st->span, env->inlined));
    return origin;
}

MgOriginId mg_stmt_origin(MgEnv *env, const MgAstStmt *st) {
    MgOriginId origin = origin_by_at(env, st);
    return origin ? origin : mg_env_origin(env, st->span);
}

void mg_annotate(MgEnv *env, const MgAstStmt *st, MgOpId op) {
    MgSema *s = env->s;
    for (uint32_t i = 0; i < st->annots.len; i++) {
        const MgAstAnnot *a = &st->annots.at[i];
        const char *name = mg_sym_text(s, a->name.sym);
        if (!strcmp(name, "at") || !strcmp(name, "backward"))
            continue;
        MgAnnotation an = {a->name.sym, annotation_args(s, a)};
        mg_push(s->module->arena, &mg_op(s->g, op)->annotations, an);
    }
}

// ---------------------------------------------------------------- bindings
// y: f32[B, C, H, W] = …: compares the type, and binds its new names.
static MgVal check_declared(MgEnv *env, const MgAstTarget *t, MgVal v) {
    MgSema *s = env->s;
    MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
    MgDType d;
    if (!t->type || v.kind == MG_V_POISON)
        return v;
    if (!mg_element_type(env, &t->type->element, &d))
        return mg_val_poison();
    if (mg_is_scalar(&v)) {
        MgValueId id = mg_materialise(env, v, d, mg_env_hint(env, t->name.sym), t->span);
        v = id ? mg_val_tensor(id) : mg_val_poison();
    }
    if (v.kind != MG_V_TENSOR)
        return v;
    MgValue val = *mg_value(s->g, v.tensor);
    if (val.dtype != d) {
        MG_FAIL(env, t->type->span, result_type, mg_sym_text(s, t->name.sym), mg_dtype(d)->name,
                mg_dtype(val.dtype)->name);
        return mg_val_poison();
    }
    int r = mg_unify(&c, &t->type->shape, val.rank, val.shape, t->name.sym, t->span, t->type->span);
    return r < 0 ? mg_val_poison() : v;
}

void mg_bind_result(MgEnv *env, const MgAstTarget *t, MgVal v) {
    mg_env_bind(env, t->name.sym, check_declared(env, t, v), t->name.span);
}

void mg_result_count(MgEnv *env, MgSpan span, MgSym callee, uint32_t values, uint32_t names) {
    MgSema *s = env->s;
    const char *what = callee ? mg_arena_printf(s->arena, "'%s'", mg_sym_text(s, callee)) : "this";
    MG_FAIL(env, span, result_count, what, mg_counted(s->arena, values, "value"),
            mg_arena_printf(s->arena, "%s %s", mg_counted(s->arena, names, "name"),
                            names == 1 ? "is" : "are"));
}

static void bind_stmt(MgEnv *env, const MgAstStmt *st) {
    MgSema *s = env->s;
    uint32_t n = st->bind.targets.len;
    const MgAstExpr *value = st->bind.value;
    MgCtx scalar = {.env = env, .mode = MG_M_TENSOR, .pos = -1};
    if (env->scalar) {
        scalar = *env->scalar_ctx;
        scalar.env = env;
        scalar.pos = -1;
    }
    if (st->kind == MG_STMT_CONST && mg_const_stmt(env, st))
        return;
    scalar.hint = mg_env_hint(env, st->bind.targets.at[0].name.sym);
    scalar.sugar = st->bind.targets.at[0].name.sym;
    if (n == 1) {
        MgVal v = mg_eval(&scalar, value);
        MgValue *t = v.kind == MG_V_TENSOR ? mg_value(s->g, v.tensor) : NULL;
        if (t && t->def && st->annots.len && value->kind == MG_EXPR_CALL)
            mg_annotate(env, st, t->def);
        mg_bind_result(env, &st->bind.targets.at[0], v);
        return;
    }
    MgVal *results = MG_NEW_N(s->arena, MgVal, n);
    MgSym *hints = MG_NEW_N(s->arena, MgSym, n);
    for (uint32_t i = 0; i < n; i++)
        hints[i] = mg_env_hint(env, st->bind.targets.at[i].name.sym);
    if (value->kind != MG_EXPR_CALL)
        mg_result_count(env, value->span, 0, 1, n);
    else
        mg_eval_call_many(&scalar, value, hints, n, results);
    for (uint32_t i = 0; i < n; i++)
        mg_bind_result(env, &st->bind.targets.at[i],
                       value->kind == MG_EXPR_CALL ? results[i] : mg_val_poison());
}

// ---------------------------------------------------------------- compile-time control
// Refuses nested loops by the product of their trip counts, before they reach the limit. Inner
// counts may depend on outer counters (a triangle), so only a product far above the limit counts.
static bool too_many_trips(MgEnv *env, MgSpan span, uint64_t trips) {
    enum { MARGIN = 64 };
    MgSema *s = env->s;
    if (trips <= s->options.max_unrolled &&
        (trips <= 1 || s->trips <= (uint64_t)s->options.max_unrolled * MARGIN / trips))
        return false;
    MG_FAIL(env, span, unrolled, s->options.max_unrolled);
    return s->stopped = true;
}

static void poison_name(MgEnv *env, const MgAstName *name) {
    if (!mg_env_find(env, name->sym))
        mg_env_bind(env, name->sym, mg_val_poison(), name->span);
}

static void poison_block(MgEnv *env, const MgAstBlock *block);

static void for_stmt(MgEnv *env, const MgAstStmt *st) {
    MgSema *s = env->s;
    const MgAstRange *r = &st->for_.index.range;
    MgVals values = {0};
    if (!r->last) {
        MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
        MgVal v = r->first->kind == MG_EXPR_NAME ? mg_named(&c, r->first->name, r->first->span)
                                                 : mg_eval(&c, r->first);
        if (v.kind == MG_V_INSTANCE) {
            mg_params_of(env, v.instance, r->span, &values);
            if (too_many_trips(env, r->span, values.len))
                return;
        } else if (v.kind != MG_V_LIST) {
            if (v.kind != MG_V_POISON)
                MG_FAIL(env, r->span, for_range, mg_val_text(s, &v));
            poison_block(env, &st->for_.body);
            return;
        }
        for (uint32_t i = 0; v.kind == MG_V_LIST && i < v.n; i++)
            mg_push(s->arena, &values, v.list[i]);
    } else {
        int64_t low, high;
        MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
        if (!mg_eval_const(&c, r->first, "the range of 'for'", &low) ||
            !mg_eval_const(&c, r->last, "the range of 'for'", &high)) {
            poison_block(env, &st->for_.body);
            return;
        }
        uint64_t trips = low <= high ? (uint64_t)high - (uint64_t)low : 0;
        if (r->closed && low <= high && trips < UINT64_MAX)
            trips++;
        if (too_many_trips(env, r->span, trips))
            return;
        for (uint64_t i = 0; i < trips; i++)
            mg_push(s->arena, &values, mg_val_ix(mg_ix_const(s->ix, low + (int64_t)i)));
    }
    uint32_t block = env->block;
    MgSym name = st->for_.index.name.sym;
    if (mg_env_find_here(env, name)) {
        MG_FAIL(env, st->for_.index.span, index_shadows, mg_sym_text(s, name));
        return;
    }
    uint64_t trips = s->trips;
    s->trips *= values.len ? values.len : 1;
    for (uint32_t i = 0; i < values.len && !s->stopped; i++) {
        env->block = ++s->n_blocks;
        mg_env_bind(env, name, values.at[i], st->for_.index.span);
        mg_push(s->arena, &env->counters, mg_counter_of(s, values.at[i]));
        uint32_t errors = s->session->n_errors;
        mg_block(env, &st->for_.body);
        (void)mg_pop(&env->counters);
        if (s->session->n_errors != errors)
            break; // the next round would report the same again
    }
    s->trips = trips;
    env->block = block;
    MgBinding *b = mg_env_find_here(env, name);
    if (b)
        b->hidden = true;
}

// Poisons the names that statements would have defined if they could run.
static void poison_stmt(MgEnv *env, const MgAstStmt *st);

static void poison_block(MgEnv *env, const MgAstBlock *block) {
    for (uint32_t i = 0; i < block->stmts.len; i++)
        poison_stmt(env, block->stmts.at[i]);
}

static void poison_stmt(MgEnv *env, const MgAstStmt *st) {
    if (st->kind == MG_STMT_EQUATION)
        poison_name(env, &st->equation.name);
    for (uint32_t k = 0; st->kind == MG_STMT_BIND && k < st->bind.targets.len; k++)
        poison_name(env, &st->bind.targets.at[k].name);
    if (st->kind == MG_STMT_FOR)
        poison_block(env, &st->for_.body);
    if (st->kind == MG_STMT_IF) {
        poison_block(env, &st->if_.then);
        poison_block(env, &st->if_.otherwise);
    }
}

static void static_condition(MgEnv *env, MgSpan span, const MgVal *v) {
    if (v->kind == MG_V_PRED || v->kind == MG_V_SCALAR)
        MG_FAIL(env, span, static_condition, "");
    else
        MG_FAIL(env, span, expected_condition, mg_val_text(env->s, v));
}

static void if_stmt(MgEnv *env, const MgAstStmt *st) {
    MgSema *s = env->s;
    MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1, .condition = true};
    MgVal v = mg_eval(&c, st->if_.cond);
    if (v.kind != MG_V_BOOL) {
        if (v.kind != MG_V_POISON)
            static_condition(env, st->if_.cond->span, &v);
        poison_block(env, &st->if_.then);
        poison_block(env, &st->if_.otherwise);
        return;
    }
    const MgAstBlock *block = v.b ? &st->if_.then : &st->if_.otherwise;
    if (!v.b && !st->if_.has_else)
        return;
    uint32_t saved = env->block;
    uint64_t trips = s->trips;
    env->block = ++s->n_blocks;
    s->trips = 1; // only some of the trips may take the branch
    mg_block(env, block);
    s->trips = trips;
    env->block = saved;
}

static void require_stmt(MgEnv *env, const MgAstStmt *st) {
    MgVal v = mg_eval_static(env, st->require.cond);
    mg_require(env, st->require.cond->span, &v, st->require.text.sym);
}

static void next_stmt(MgEnv *env, const MgAstStmt *st) {
    for (uint32_t i = 0; i < st->next.len; i++)
        mg_next_param(env, &st->next.at[i]);
}

static void misplaced(MgEnv *env, const MgAstStmt *st) {
    MG_FAIL(env, st->span, misplaced, "");
}

// ---------------------------------------------------------------- dispatch
typedef void StmtFn(MgEnv *env, const MgAstStmt *st);
static StmtFn *const table[] = {
    [MG_STMT_BIND] = bind_stmt,       [MG_STMT_CONST] = bind_stmt,
    [MG_STMT_EQUATION] = mg_equation, [MG_STMT_IF_VALUE] = mg_if_value_stmt,
    [MG_STMT_LOOP] = mg_loop_stmt,    [MG_STMT_FUSED] = mg_fused_stmt,
    [MG_STMT_PARAM] = mg_param_stmt,  [MG_STMT_BUFFER] = mg_param_stmt,
    [MG_STMT_DIM] = mg_dim_stmt,      [MG_STMT_REQUIRE] = require_stmt,
    [MG_STMT_FOR] = for_stmt,         [MG_STMT_IF] = if_stmt,
    [MG_STMT_YIELD] = misplaced,      [MG_STMT_EMIT] = misplaced,
    [MG_STMT_NEXT] = next_stmt,
};

static bool in_scalar(MgAstStmtKind kind) {
    return kind == MG_STMT_BIND || kind == MG_STMT_EQUATION || kind == MG_STMT_IF ||
           kind == MG_STMT_REQUIRE;
}

void mg_stmt(MgEnv *env, const MgAstStmt *st) {
    MgSema *s = env->s;
    if (s->stopped)
        return;
    if (++s->n_statements > s->options.max_unrolled) {
        MG_FAIL(env, st->span, unrolled, s->options.max_unrolled);
        s->stopped = true;
        return;
    }
    if (s->options.observer && !s->options.observer->go_on(s->options.observer->context)) {
        s->stopped = true;
        return;
    }
    if (env->scalar && !in_scalar(st->kind)) {
        MG_FAIL(env, st->span, not_scalar_op, mg_sym_text(s, env->item->name.sym));
        return;
    }
    if (mg_in_skipped(env, st->span)) { // the part that was read may not be what was meant
        poison_stmt(env, st);
        return;
    }
    // A dump's #at is the origin of everything that the statement makes.
    MgOriginId around = env->at;
    env->at = origin_by_at(env, st);
    table[st->kind](env, st);
    env->at = around;
}

void mg_block(MgEnv *env, const MgAstBlock *block) {
    for (uint32_t i = 0; i < block->stmts.len; i++)
        mg_stmt(env, block->stmts.at[i]);
}
