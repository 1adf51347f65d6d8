// Calls: a body is instantiated for its operands, attributes, types and shapes.
//
// Operands are bound first, then element types, then dimensions to a fixpoint (one operand may tell
// what another leaves open), then defaults, lists, `let`s and requirements; then the body runs. An
// operand may be a number: it is a tensor of rank 0 whose reads give the number. In an index
// expression the same happens with scalar operands, and the result is an expression.
#include "frontend/sema_internal.h"

// ---------------------------------------------------------------- names of operators
static bool in_unit(MgUnit *u, MgSym name, MgCallee *out) {
    uint64_t *item = u ? mg_map_find(&u->items, name) : NULL;
    if (!item)
        return false;
    *out = (MgCallee){.item = (const MgAstItem *)(uintptr_t)*item, .unit = u};
    return true;
}

bool mg_find_item(MgEnv *env, MgSym name, MgCallee *out) {
    MgSema *s = env->s;
    const char *text = mg_sym_text(s, name), *dot = strrchr(text, '.');
    if (dot) {
        MgSym alias = mg_sym_n(s->names, text, (size_t)(dot - text));
        MgUnit *u = (MgUnit *)(uintptr_t)mg_map_get(&env->unit->imports, alias, 0);
        return in_unit(u, mg_sym(s->names, dot + 1), out);
    }
    if (in_unit(env->unit, name, out))
        return true;
    return in_unit((MgUnit *)(uintptr_t)mg_map_get(&s->prelude, name, 0), name, out);
}

const MgAstResult *mg_result_of(MgEnv *env, MgSym name) {
    if (!env->item)
        return NULL;
    for (uint32_t i = 0; i < env->item->results.len; i++)
        if (env->item->results.at[i].name.sym == name)
            return &env->item->results.at[i];
    return NULL;
}

// ---------------------------------------------------------------- one call
typedef struct Operand {
    const MgAstParam *param;
    MgVal val;
    MgSpan span;
    MgSym text;
    bool solved;
} Operand;

typedef struct Call {
    MgCtx *c; // of the caller
    MgEnv *env;
    const MgAstItem *item;
    MgSpan span;
    MG_VEC(Operand) operands;
    MgArguments variadic;
    MG_VEC(const MgAstParam *) lists; // list attributes as long as a pack
} Call;

static bool is_operand_param(const MgAstParam *p) {
    return p->kind == MG_PARAM_TENSOR;
}

static void bind_value(Call *k, const MgAstParam *p, MgVal v, MgSpan span) {
    (void)span;
    mg_env_bind(k->env, p->name.sym, v, p->name.span);
}

static bool list_kind_ok(MgSema *s, const MgAstParam *p, const MgVal *v) {
    switch (p->kind) {
    case MG_PARAM_INT:
        return v->kind == V_INT;
    case MG_PARAM_FLOAT:
        return v->kind == V_FLOAT || v->kind == V_INT || v->kind == V_UNTYPED;
    case MG_PARAM_STR:
        return v->kind == V_STR;
    case MG_PARAM_TYPE:
        return v->kind == V_TYPE;
    case MG_PARAM_BOOL:
        return v->kind == V_BOOL || v->kind == V_PRED;
    case MG_PARAM_ENUM:
        for (uint32_t i = 0; v->kind == V_STR && i < p->choices.len; i++)
            if (p->choices.at[i].sym == v->sym)
                return true;
        return false;
    default:
        (void)s;
        return true;
    }
}

static const char *kind_text(MgSema *s, const MgAstParam *p) {
    static const char *const text[] = {"a tensor", "an integer", "a float",
                                       "a string", "a type",     "a bool"};
    if (p->kind != MG_PARAM_ENUM)
        return text[p->kind];
    MgText t = mg_text(s->arena);
    for (uint32_t i = 0; i < p->choices.len; i++)
        mg_textf(&t, "%s\"%s\"", i ? " | " : "", mg_sym_text(s, p->choices.at[i].sym));
    return mg_text_str(&t);
}

// An attribute's value has to be of its kind; an integer is a float too.
static bool check_attribute(Call *k, const MgAstParam *p, MgVal *v, MgSpan span) {
    MgSema *s = k->env->s;
    MgEnv *at = k->env->caller;
    if (v->kind == V_POISON)
        return false;
    bool is_list = p->type.has_shape && p->kind != MG_PARAM_ENUM;
    bool per_pack = is_list && p->type.shape.len == 1;
    bool ok = true;
    if (is_list && v->kind == V_LIST) {
        for (uint32_t i = 0; ok && i < v->n; i++)
            ok = list_kind_ok(s, p, &v->list[i]);
    } else {
        ok = (!is_list || per_pack) && list_kind_ok(s, p, v);
    }
    if (!ok) {
        MG_FAIL(at, span, attribute_kind, mg_sym_text(s, p->name.sym),
                is_list ? "a list" : kind_text(s, p), mg_val_text(s, v));
        mg_diag_note(s->session, p->span, MG_D_declared_here, mg_sym_text(s, p->name.sym));
        return false;
    }
    int64_t i;
    if (p->kind == MG_PARAM_FLOAT && mg_val_const_int(s, v, &i))
        *v = mg_val_float((double)i);
    return true;
}

static const MgAstParam *attribute_named(const MgAstItem *item, MgSym name) {
    for (uint32_t i = 0; i < item->params.len; i++)
        if (item->params.at[i].name.sym == name && !is_operand_param(&item->params.at[i]))
            return &item->params.at[i];
    return NULL;
}

static bool bind_attribute(Call *k, const MgArgument *a) {
    MgSema *s = k->env->s;
    const MgAstParam *p = attribute_named(k->item, a->name);
    MgVal v = a->val;
    if (!p) {
        MgSymList names = {0};
        for (uint32_t i = 0; i < k->item->params.len; i++)
            if (!is_operand_param(&k->item->params.at[i]))
                mg_push(s->arena, &names, k->item->params.at[i].name.sym);
        MG_FAIL(k->env->caller, a->span, no_attribute, mg_sym_text(s, k->item->name.sym),
                mg_sym_text(s, a->name), mg_suggest(s, a->name, names.at, names.len));
        return false;
    }
    if (mg_env_find_here(k->env, p->name.sym)) {
        MG_FAIL(k->env->caller, a->span, attribute_twice, mg_sym_text(s, a->name));
        return false;
    }
    if (!check_attribute(k, p, &v, a->span))
        return false;
    bind_value(k, p, v, a->span);
    return true;
}

static bool bind_arguments(Call *k, const MgArguments *args, MgInstance *instance) {
    MgSema *s = k->env->s;
    const MgAstItem *item = k->item;
    bool ok = true;
    uint32_t next = 0;
    for (uint32_t i = 0; i < item->params.len; i++) {
        const MgAstParam *p = &item->params.at[i];
        if (!is_operand_param(p))
            continue;
        if (p->variadic) {
            for (; next < args->len; next++)
                if (!args->at[next].name)
                    mg_push(s->arena, &k->variadic, args->at[next]);
            continue;
        }
        while (next < args->len && args->at[next].name)
            next++;
        const MgArgument *a = next < args->len ? &args->at[next++] : NULL;
        MgVal v = a ? a->val : (MgVal){.kind = V_ABSENT};
        if (v.kind == V_POISON)
            ok = false;
        if (v.kind == V_ABSENT && !p->optional) {
            MG_FAIL(k->env->caller, a ? a->span : k->span, missing_operand,
                    mg_sym_text(s, item->name.sym), mg_sym_text(s, p->name.sym));
            ok = false;
        }
        if (v.kind != V_ABSENT && v.kind != V_POISON && v.kind != V_TENSOR && v.kind != V_PARAM &&
            !mg_is_scalar(&v)) {
            MG_FAIL(k->env->caller, a->span, operand_kind, mg_sym_text(s, p->name.sym),
                    mg_val_text(s, &v));
            ok = false;
        }
        if (!ok)
            continue;
        bind_value(k, p, v, p->span);
        MgBinding *b = mg_env_find_here(k->env, p->name.sym);
        if (b)
            b->is_operand = true;
        if (v.kind != V_ABSENT)
            mg_push(s->arena, &k->operands,
                    (Operand){.param = p,
                              .val = v,
                              .span = a->span,
                              .text = a->text ? a->text : p->name.sym});
    }
    for (; next < args->len; next++)
        if (!args->at[next].name) {
            const MgAstParam *p = NULL;
            for (uint32_t i = 0; i < item->params.len && !p; i++)
                if (!is_operand_param(&item->params.at[i]))
                    p = &item->params.at[i];
            MG_FAIL(k->env->caller, args->at[next].span, too_many_operands,
                    mg_sym_text(s, item->name.sym), mg_val_text(s, &args->at[next].val));
            if (p)
                mg_diag_note(s->session, args->at[next].span, MG_D_attributes_named,
                             mg_sym_text(s, p->name.sym));
            return false;
        }
    for (uint32_t i = 0; i < args->len; i++)
        if (args->at[i].name)
            ok &= bind_attribute(k, &args->at[i]);
    for (uint32_t i = 0; instance && i < instance->attrs.len; i++)
        ok &= bind_attribute(k, &instance->attrs.at[i]);
    return ok;
}

bool mg_check_attributes(MgEnv *env, const MgCallee *callee, const MgArguments *attrs,
                         MgSpan span) {
    Call k = {.item = callee->item, .span = span, .env = mg_env_new(env->s, env)};
    k.env->unit = callee->unit;
    bool ok = true;
    for (uint32_t i = 0; i < attrs->len; i++)
        ok &= bind_attribute(&k, &attrs->at[i]);
    return ok;
}

// ---------------------------------------------------------------- element types
static bool admits(MgSema *s, MgSym constraint, MgDType d) {
    const char *c = mg_sym_text(s, constraint);
    if (!strcmp(c, "any"))
        return true;
    if (!strcmp(c, "float"))
        return mg_is_float(d);
    if (!strcmp(c, "int"))
        return mg_is_int(d);
    return !strcmp(c, "number") && d != MG_BOOL;
}

static const MgAstTypeParam *type_param(const MgAstItem *item, MgSym name) {
    for (uint32_t i = 0; i < item->type_params.len; i++)
        if (item->type_params.at[i].name.sym == name)
            return &item->type_params.at[i];
    return NULL;
}

static MgDType type_of(MgSema *s, const MgVal *v) {
    switch (v->kind) {
    case V_TENSOR:
        return mg_value(s->g, v->tensor)->dtype;
    case V_PARAM:
        return v->open->dtype;
    case V_SCALAR:
        return v->sx->dtype;
    case V_BOOL:
    case V_PRED:
        return MG_BOOL;
    default:
        return MG_DTYPE_COUNT;
    }
}

static bool bind_type(Call *k, const MgAstTypeParam *tp, MgDType d, const Operand *o) {
    MgSema *s = k->env->s;
    MgBinding *b = mg_env_find_here(k->env, tp->name.sym);
    if (b) {
        bool same =
            b->val.type == d || (k->env->scalar && mg_compute(b->val.type) == mg_compute(d));
        if (same)
            return true;
        MG_FAIL(k->env->caller, o->span, type_differs, mg_sym_text(s, tp->name.sym),
                mg_dtype(b->val.type)->name, mg_sym_text(s, b->from), mg_dtype(d)->name,
                mg_sym_text(s, o->text));
        mg_diag_note(s->session, o->param->span, MG_D_declared_here,
                     mg_sym_text(s, o->param->name.sym));
        return false;
    }
    if (!admits(s, tp->constraint.sym, d)) {
        MG_FAIL(k->env->caller, o->span, type_constraint, mg_sym_text(s, k->item->name.sym),
                mg_sym_text(s, o->text), mg_dtype(d)->name, mg_sym_text(s, tp->constraint.sym));
        mg_diag_note(s->session, tp->span, MG_D_declared_here, mg_sym_text(s, tp->name.sym));
        return false;
    }
    b = mg_env_bind(k->env, tp->name.sym, (MgVal){.kind = V_TYPE, .type = d}, tp->span);
    if (b)
        b->from = o->text;
    return b != NULL;
}

static bool operand_type(Call *k, Operand *o, bool untyped_too) {
    MgSema *s = k->env->s;
    const MgAstName *element = &o->param->type.element;
    const MgAstTypeParam *tp = type_param(k->item, element->sym);
    MgDType d = type_of(s, &o->val);
    if (d == MG_DTYPE_COUNT && !untyped_too)
        return true;
    if (tp) {
        if (d != MG_DTYPE_COUNT)
            return bind_type(k, tp, d, o);
        if (k->env->scalar || mg_env_find_here(k->env, element->sym))
            return true;
        bool real = o->val.kind == V_FLOAT || (o->val.kind == V_UNTYPED && o->val.real) ||
                    !strcmp(mg_sym_text(s, tp->constraint.sym), "float");
        return bind_type(k, tp, real ? MG_F32 : MG_I64, o);
    }
    MgDType want;
    if (!mg_element_type(k->env, element, &want))
        return false;
    if (d == MG_DTYPE_COUNT || d == want || (o->val.kind == V_SCALAR && mg_compute(want) == d))
        return true;
    if (k->c->mode == M_SUB && o->val.kind == V_SCALAR && want == MG_I64 && mg_is_int(d))
        return true;
    MG_FAIL(k->env->caller, o->span, operand_type, mg_sym_text(s, k->item->name.sym),
            mg_sym_text(s, o->param->name.sym), mg_dtype(want)->name, mg_sym_text(s, o->text),
            mg_dtype(d)->name);
    mg_diag_note(s->session, o->param->span, MG_D_declared_here,
                 mg_sym_text(s, o->param->name.sym));
    return false;
}

// Numbers take the operand's type now that it is known.
static bool adopt_numbers(Call *k) {
    for (uint32_t i = 0; i < k->operands.len; i++) {
        Operand *o = &k->operands.at[i];
        if (!mg_is_scalar(&o->val) || o->val.kind == V_SCALAR)
            continue;
        bool in_subscript = k->env->scalar && k->c->mode != M_VALUE;
        MgDType d = mg_element_type_quiet(k->env, o->param->type.element.sym);
        if (in_subscript || d == MG_DTYPE_COUNT || (k->env->scalar && o->val.kind == V_BOOL))
            continue;
        const MgSx *x = mg_adopt(k->c, o->span, o->val, mg_compute(d));
        if (!x)
            return false;
        o->val = mg_val_sx(x);
        MgBinding *b = mg_env_find_here(k->env, o->param->name.sym);
        b->val = o->val;
    }
    return true;
}

static bool bind_types(Call *k) {
    bool ok = true;
    for (uint32_t i = 0; i < k->operands.len; i++)
        ok = ok && operand_type(k, &k->operands.at[i], false);
    for (uint32_t i = 0; ok && i < k->operands.len; i++)
        ok &= operand_type(k, &k->operands.at[i], true);
    for (uint32_t i = 0; ok && i < k->variadic.len; i++) {
        const MgAstParam *p = &k->item->params.at[0];
        Operand o = {.param = p,
                     .val = k->variadic.at[i].val,
                     .span = k->variadic.at[i].span,
                     .text = k->variadic.at[i].text ? k->variadic.at[i].text : p->name.sym};
        ok &= o.val.kind != V_POISON && operand_type(k, &o, false);
    }
    return ok && adopt_numbers(k);
}

// ---------------------------------------------------------------- dimensions
static void shape_of_val(MgSema *s, const MgVal *v, uint32_t *rank, const MgIx **shape) {
    *rank = 0;
    *shape = NULL;
    if (v->kind == V_TENSOR) {
        MgValue *t = mg_value(s->g, v->tensor);
        *rank = t->rank;
        *shape = t->shape;
    } else if (v->kind == V_PARAM) {
        *rank = v->open->rank;
        *shape = v->open->shape;
    }
}

// Defaults whose names are known by now.
static bool defaults(Call *k) {
    bool progress = false;
    for (uint32_t i = 0; i < k->item->params.len; i++) {
        const MgAstParam *p = &k->item->params.at[i];
        if (is_operand_param(p) || !p->initial || mg_env_find_here(k->env, p->name.sym))
            continue;
        MgCtx c = {.env = k->env, .mode = M_STATIC, .pos = -1};
        if (!mg_known(&c, p->initial))
            continue;
        MgVal v = mg_eval(&c, p->initial);
        if (v.kind != V_POISON && !check_attribute(k, p, &v, p->initial->span))
            v = mg_val_poison();
        bind_value(k, p, v, p->span);
        progress = true;
    }
    return progress;
}

// int[..X]: one number stands for as many as X has.
static bool spread_lists(Call *k) {
    MgSema *s = k->env->s;
    for (uint32_t i = 0; i < k->item->params.len; i++) {
        const MgAstParam *p = &k->item->params.at[i];
        if (is_operand_param(p) || p->kind == MG_PARAM_ENUM || !p->type.has_shape ||
            p->type.shape.len != 1 || p->type.shape.at[0].kind != MG_SUB_PACK)
            continue;
        MgSym pack = p->type.shape.at[0].index.name.sym;
        MgBinding *b = mg_env_find_here(k->env, p->name.sym);
        MgBinding *x = mg_env_find_here(k->env, pack);
        if (!b || b->val.kind == V_POISON || mg_env_is_broadcast(k->env, pack) || !x ||
            x->val.kind != V_LIST)
            continue;
        uint32_t n = x->val.n;
        if (b->val.kind != V_LIST) {
            MgVal *list = MG_NEW_N(s->arena, MgVal, n);
            for (uint32_t j = 0; j < n; j++)
                list[j] = b->val;
            b->val = mg_val_list(list, n);
        } else if (b->val.n != n) {
            MG_FAIL(k->env->caller, k->span, list_length, mg_sym_text(s, p->name.sym), b->val.n,
                    mg_sym_text(s, pack), n);
            return false;
        }
    }
    return true;
}

static bool join_lists(Call *k) {
    MgSema *s = k->env->s;
    for (uint32_t i = 0; i < k->item->params.len; i++) {
        const MgAstParam *p = &k->item->params.at[i];
        if (is_operand_param(p) || !p->type.has_shape || p->type.shape.len != 1 ||
            p->type.shape.at[0].kind != MG_SUB_PACK)
            continue;
        MgSym pack = p->type.shape.at[0].index.name.sym;
        MgBinding *b = mg_env_find_here(k->env, p->name.sym);
        if (!mg_env_is_broadcast(k->env, pack) || !b || b->val.kind != V_LIST)
            continue;
        MgCtx c = {.env = k->env, .mode = M_STATIC, .pos = -1};
        if (!mg_join_list(&c, pack, b->val, k->span, p->name.sym))
            return false;
    }
    (void)s;
    return true;
}

static bool solve_shapes(Call *k) {
    MgSema *s = k->env->s;
    MgCtx c = {.env = k->env, .mode = M_STATIC, .pos = -1};
    bool progress = true;
    uint32_t left = k->operands.len;
    while (left && progress) {
        progress = defaults(k);
        if (!spread_lists(k)) // a dimension may be made of them
            return false;
        for (uint32_t i = 0; i < k->operands.len; i++) {
            Operand *o = &k->operands.at[i];
            if (o->solved)
                continue;
            uint32_t rank;
            const MgIx *shape;
            shape_of_val(s, &o->val, &rank, &shape);
            uint32_t before = k->env->names.len;
            int r = mg_unify(&c, &o->param->type.shape, rank, shape, o->text, o->span,
                             o->param->span, false);
            if (r < 0)
                return false;
            o->solved = r == 1;
            left -= o->solved;
            progress |= o->solved || k->env->names.len != before;
        }
    }
    for (uint32_t i = 0; i < k->operands.len && left; i++)
        if (!k->operands.at[i].solved) {
            Operand *o = &k->operands.at[i];
            MG_FAIL(k->env->caller, o->span, unsolved_shape, mg_sym_text(s, o->text),
                    mg_sym_text(s, k->item->name.sym));
            mg_diag_note(s->session, o->param->span, MG_D_declared_here,
                         mg_sym_text(s, o->param->name.sym));
            return false;
        }
    defaults(k);
    return join_lists(k);
}

static bool has_factors(const MgAstSubs *subs) {
    for (uint32_t i = 0; i < subs->len; i++)
        if (subs->at[i].kind == MG_SUB_EXPR &&
            (subs->at[i].expr->kind == MG_EXPR_BINARY || subs->at[i].expr->kind == MG_EXPR_CALL))
            return true;
    return false;
}

// Where the declared entries of each operand stand, and the factors of its products.
static bool declare_operands(Call *k) {
    for (uint32_t i = 0; i < k->operands.len; i++) {
        Operand *o = &k->operands.at[i];
        const MgAstSubs *decl = &o->param->type.shape;
        MgFactors *factors = NULL;
        MgShape shape = {0};
        MgCtx c = {.env = k->env, .mode = M_STATIC, .pos = -1};
        if (o->val.kind == V_PARAM || (o->val.kind == V_TENSOR && has_factors(decl))) {
            if (!mg_shape_of(&c, decl, MG_SHAPE_OPEN, o->span, &shape))
                return false;
            factors = shape.factors;
        }
        if (o->val.kind == V_PARAM && !mg_close_param(k->env->caller, &o->val, shape.dims))
            return false;
        MgBinding *b = mg_env_find_here(k->env, o->param->name.sym);
        b->val = o->val;
        b->decl = decl;
        b->factors = factors;
    }
    return true;
}

static bool run_clauses(Call *k) {
    MgEnv *env = k->env;
    MgSema *s = env->s;
    for (uint32_t i = 0; i < k->item->clauses.len; i++) {
        const MgAstClause *cl = &k->item->clauses.at[i];
        MgCtx c = {.env = env, .mode = M_STATIC, .pos = -1};
        if (cl->kind == MG_CLAUSE_LET) {
            MgVal v = mg_eval(&c, cl->expr);
            MgBinding *b = mg_env_bind(env, cl->name.sym, v, cl->name.span);
            if (!b || v.kind == V_POISON)
                return false;
            b->is_dim = true;
        } else if (cl->kind == MG_CLAUSE_LET_PACK) {
            MgAstSub zip = {.kind = MG_SUB_ZIP, .span = cl->span, .expr = cl->expr};
            uint32_t n = mg_entry_length(&c, &zip);
            if (n == MG_UNKNOWN_LENGTH) {
                MG_FAIL(env, cl->span, pack_length_unknown, "");
                return false;
            }
            MgVal *list = MG_NEW_N(s->arena, MgVal, n);
            for (uint32_t j = 0; j < n; j++) {
                c.pos = j;
                list[j] = mg_eval_int(&c, cl->expr, "a dimension");
                if (list[j].kind == V_POISON)
                    return false;
            }
            MgBinding *b = mg_env_bind(env, cl->name.sym, mg_val_list(list, n), cl->name.span);
            if (!b)
                return false;
            b->is_dim = true;
        } else if (cl->kind == MG_CLAUSE_REQUIRE) {
            MgVal v = mg_eval(&c, cl->expr);
            if (!mg_require(env, cl->expr->span, &v, cl->text.sym))
                return false;
        }
    }
    return true;
}

static bool missing_attributes(Call *k) {
    MgSema *s = k->env->s;
    bool missing = false;
    for (uint32_t i = 0; i < k->item->params.len; i++) {
        const MgAstParam *p = &k->item->params.at[i];
        MgBinding *b = mg_env_find_here(k->env, p->name.sym);
        if (is_operand_param(p) || b)
            continue;
        missing = true;
        if (p->initial) // its names are unknown: said by evaluating it
            mg_eval_static(k->env, p->initial);
        else
            MG_FAIL(k->env->caller, k->span, missing_attribute, mg_sym_text(s, k->item->name.sym),
                    mg_sym_text(s, p->name.sym), kind_text(s, p));
    }
    return missing;
}

// ---------------------------------------------------------------- results
static MgVal scalar_result(Call *k, const MgAstResult *r, MgVal v) {
    if (!r->type || v.kind == V_POISON || k->c->mode != M_VALUE)
        return v;
    MgDType d = mg_element_type_quiet(k->env, r->type->element.sym);
    if (d == MG_DTYPE_COUNT || v.kind == V_BOOL || v.kind == V_PRED)
        return v;
    const MgSx *x = mg_adopt(k->c, k->span, v, mg_compute(d));
    return x ? mg_val_sx(x) : mg_val_poison();
}

static MgVal tensor_result(Call *k, const MgAstResult *r, MgVal v) {
    MgEnv *env = k->env;
    MgSema *s = env->s;
    if (!r->type || v.kind != V_TENSOR)
        return v;
    MgCtx c = {.env = env, .mode = M_STATIC, .pos = -1};
    MgDType d;
    MgValue t = *mg_value(s->g, v.tensor);
    if (!mg_element_type(env, &r->type->element, &d))
        return mg_val_poison();
    if (d != t.dtype) {
        MG_FAIL(env, r->span, result_type, mg_sym_text(s, r->name.sym), mg_dtype(d)->name,
                mg_dtype(t.dtype)->name);
        return mg_val_poison();
    }
    if (mg_unify(&c, &r->type->shape, t.rank, t.shape, r->name.sym, r->span, r->type->span, true) <
        0)
        return mg_val_poison();
    return v;
}

static void collect_results(Call *k, uint32_t n, MgVal *results) {
    MgEnv *env = k->env;
    MgSema *s = env->s;
    for (uint32_t i = 0; i < k->item->results.len && i < n; i++) {
        const MgAstResult *r = &k->item->results.at[i];
        MgBinding *b = mg_env_find_here(env, r->name.sym);
        if (!b) {
            if (!s->stopped)
                MG_FAIL(env, r->span, result_missing, mg_sym_text(s, r->name.sym),
                        mg_sym_text(s, k->item->name.sym));
            continue;
        }
        MgVal v = b->val.kind == V_PIECES ? mg_finish_pieces(env, b->val.pieces) : b->val;
        results[i] = env->scalar ? scalar_result(k, r, v) : tensor_result(k, r, v);
    }
}

static bool may_enter(Call *k) {
    MgSema *s = k->env->s;
    if (k->env->depth > s->options.max_depth) {
        MG_FAIL(k->env->caller, k->span, call_depth, s->options.max_depth);
        s->stopped = true;
        return false;
    }
    for (MgEnv *e = k->env->caller; e; e = e->outer ? e->outer : e->caller)
        if (e->item == k->item && k->item->kind != MG_ITEM_GRAPH) {
            MG_FAIL(k->env->caller, k->span, recursion, mg_sym_text(s, k->item->name.sym));
            return false;
        }
    return true;
}

// In an index expression every operand may be a single number.
static bool takes_numbers(Call *k) {
    for (uint32_t i = 0; i < k->item->params.len; i++) {
        const MgAstParam *p = &k->item->params.at[i];
        for (uint32_t j = 0; is_operand_param(p) && j < p->type.shape.len; j++)
            if (p->type.shape.at[j].kind != MG_SUB_PACK) {
                MG_FAIL(k->env->caller, k->span, not_scalar_op,
                        mg_sym_text(k->env->s, k->item->name.sym));
                return false;
            }
    }
    return true;
}

static void name_results(Call *k, const MgSym *hints, uint32_t n_hints) {
    MgSema *s = k->env->s;
    const MgAstItem *item = k->item;
    k->env->hints = MG_NEW_N(s->arena, MgSym, item->results.len);
    MgSym base = mg_env_hint(k->env->caller, item->name.sym);
    for (uint32_t i = 0; i < item->results.len; i++) {
        if (i < n_hints && hints[i])
            k->env->hints[i] = hints[i];
        else if (item->results.len == 1)
            k->env->hints[i] = base;
        else
            k->env->hints[i] = mg_symf(s->names, "%s_%s", mg_sym_text(s, base),
                                       mg_sym_text(s, item->results.at[i].name.sym));
    }
    k->env->prefix = item->results.len ? k->env->hints[0] : base;
}

uint32_t mg_call(MgCtx *c, const MgCallee *callee, const MgArguments *args, MgSpan span,
                 const MgSym *hints, uint32_t n_hints, MgVal *results) {
    MgSema *s = c->env->s;
    Call k = {.c = c, .item = callee->item, .span = span};
    const MgAstItem *item = callee->item;
    for (uint32_t i = 0; i < n_hints; i++)
        results[i] = mg_val_poison();
    if (s->stopped)
        return item->results.len;
    MgEnv *env = k.env = mg_env_new(s, c->env);
    env->unit = callee->unit;
    env->item = item;
    env->call_span = span;
    env->instance = callee->instance;
    env->scalar = c->mode != M_TENSOR;
    env->scalar_ctx = c;
    if (!may_enter(&k) || (env->scalar && !takes_numbers(&k)))
        return item->results.len;
    for (uint32_t i = 0; i < item->clauses.len; i++)
        if (item->clauses.at[i].kind == MG_CLAUSE_BROADCAST)
            mg_push(s->arena, &env->broadcast, item->clauses.at[i].name.sym);
    if (!env->scalar) {
        name_results(&k, hints, n_hints);
        env->inlined = c->env->at ? c->env->at : mg_env_origin(c->env, span);
    }
    if (!bind_arguments(&k, args, callee->instance) || !bind_types(&k) || !solve_shapes(&k) ||
        missing_attributes(&k) || !spread_lists(&k) || !declare_operands(&k) || !run_clauses(&k))
        return item->results.len;
    if (item->kind == MG_ITEM_BUILTIN)
        return mg_call_builtin(env, &k.variadic, span, env->hints, n_hints, results);
    void *hidden = c->eq ? mg_eq_hide(c->eq) : NULL;
    mg_block(env, &item->body);
    collect_results(&k, n_hints, results);
    if (c->eq)
        mg_eq_show(c->eq, hidden);
    if (callee->instance)
        callee->instance->applied = true;
    return item->results.len;
}

// ---------------------------------------------------------------- calls in expressions
void mg_eval_args(MgCtx *c, const MgAstArgs *args, const MgAstItem *item, MgArguments *out) {
    MgSema *s = c->env->s;
    (void)item;
    for (uint32_t i = 0; i < args->len; i++) {
        const MgAstArg *a = &args->at[i];
        MgCtx inner = *c;
        MgArgument arg = {.name = a->name.sym, .span = a->span};
        if (a->name.sym) {
            inner.mode = M_STATIC;
            inner.eq = NULL;
            inner.hint = 0;
        } else if (c->mode == M_TENSOR) {
            inner.hint = 0;
            if (a->value->kind == MG_EXPR_CALL && c->hint) {
                const char *name = mg_sym_text(s, a->value->call.name.sym),
                           *dot = strrchr(name, '.');
                inner.hint =
                    mg_symf(s->names, "%s_%s", mg_sym_text(s, c->hint), dot ? dot + 1 : name);
            } else if (c->hint) {
                inner.hint = mg_symf(s->names, "%s_arg", mg_sym_text(s, c->hint));
            }
        }
        if (a->value->kind == MG_EXPR_NAME)
            arg.text = a->value->name;
        arg.val = mg_eval(&inner, a->value);
        mg_push(s->arena, out, arg);
    }
}

static bool instance_callee(MgCtx *c, const MgAstExpr *e, MgCallee *out, bool *failed) {
    MgEnv *env = c->env;
    MgSema *s = env->s;
    MgSym name = e->call.name.sym;
    *failed = false;
    MgBinding *b = mg_env_find(env, name);
    MgVal v = {0};
    if (b) {
        v = b->val;
    } else {
        const char *text = mg_sym_text(s, name), *dot = strchr(text, '.');
        MgBinding *h =
            dot ? mg_env_find(env, mg_sym_n(s->names, text, (size_t)(dot - text))) : NULL;
        if (!h || h->val.kind != V_INSTANCE)
            return false;
        v = mg_instance_member(env, h->val.instance, dot + 1, e->call.name.span, name);
    }
    if (e->call.indexed) {
        int64_t i;
        MgCtx inner = {.env = env, .mode = M_STATIC, .pos = -1};
        if (v.kind != V_LIST || e->call.index.len != 1 || e->call.index.at[0].kind != MG_SUB_EXPR) {
            *failed = true;
            if (v.kind != V_POISON)
                MG_FAIL(env, e->span, not_an_instance, mg_sym_text(s, name));
            return true;
        }
        if (!mg_eval_const(&inner, e->call.index.at[0].expr, "the number of an instance", &i)) {
            *failed = true;
            return true;
        }
        if (i < 0 || i >= v.n) {
            *failed = true;
            MG_FAIL(env, e->span, element_range, mg_sym_text(s, name), v.n, (long long)i);
            return true;
        }
        v = v.list[i];
    }
    if (v.kind == V_POISON) {
        *failed = true;
        return true;
    }
    if (v.kind != V_INSTANCE) {
        bool array = v.kind == V_LIST && v.n && v.list[0].kind == V_INSTANCE;
        *failed = e->call.indexed || array;
        if (array)
            MG_FAIL(env, e->span, which_instance, mg_sym_text(s, name), mg_sym_text(s, name));
        else if (*failed)
            MG_FAIL(env, e->span, not_an_instance, mg_sym_text(s, name));
        return *failed;
    }
    *out = (MgCallee){v.instance->item, v.instance->unit, v.instance};
    return true;
}

// A layer called by its name is sugar: the binding declares the instance.
static bool sugar_instance(MgCtx *c, const MgAstExpr *e, MgCallee *callee, MgArguments *args,
                           const MgSym *hints, uint32_t n) {
    MgEnv *env = c->env;
    MgSema *s = env->s;
    if (!c->sugar || n != 1) {
        MG_FAIL(env, e->span, layer_needs_name, mg_sym_text(s, e->call.name.sym));
        return false;
    }
    (void)hints;
    MgArguments attrs = {0}, operands = {0};
    for (uint32_t i = 0; i < args->len; i++)
        if (args->at[i].name)
            mg_push(s->arena, &attrs, args->at[i]);
        else
            mg_push(s->arena, &operands, args->at[i]);
    callee->instance = mg_instance_for(env, c->sugar, callee, &attrs, e->span);
    *args = operands;
    return callee->instance != NULL;
}

static void unknown_op(MgCtx *c, const MgAstExpr *e) {
    MgEnv *env = c->env;
    MgSema *s = env->s;
    MgSym name = e->call.name.sym;
    MgSymList names = mg_visible_names(env, true);
    if (c->mode != M_TENSOR)
        for (uint32_t i = 0; i < MG_PRIM_COUNT; i++)
            mg_push(s->arena, &names, mg_sym(s->names, mg_prim((MgPrim)i)->name));
    const char *hint = mg_suggest(s, name, names.at, names.len);
    if (strchr(mg_sym_text(s, name), '.') && !*hint) {
        const char *text = mg_sym_text(s, name), *dot = strchr(text, '.');
        MgSym alias = mg_sym_n(s->names, text, (size_t)(dot - text));
        if (!mg_map_find(&env->unit->imports, alias) && mg_unit_library(s, mg_sym_text(s, alias)))
            hint = mg_arena_printf(s->arena, "; it needs 'import %s'", mg_sym_text(s, alias));
    }
    MG_FAIL(env, e->call.name.span, unknown_op, mg_sym_text(s, name), hint);
}

uint32_t mg_eval_call_many(MgCtx *c, const MgAstExpr *e, const MgSym *hints, uint32_t n,
                           MgVal *results) {
    MgEnv *env = c->env;
    MgSema *s = env->s;
    MgCallee callee = {0};
    bool failed = false;
    for (uint32_t i = 0; i < n; i++)
        results[i] = mg_val_poison();
    if (!instance_callee(c, e, &callee, &failed) && !mg_find_item(env, e->call.name.sym, &callee)) {
        unknown_op(c, e);
        failed = true;
    }
    if (failed)
        return n;
    MgArguments args = {0};
    MgCtx inner = *c;
    inner.sugar = 0;
    if (n)
        inner.hint = hints[0];
    mg_eval_args(&inner, &e->call.args, callee.item, &args);
    if (callee.item->kind == MG_ITEM_GRAPH) {
        MG_FAIL(env, e->call.name.span, graph_called, mg_sym_text(s, e->call.name.sym));
        return n;
    }
    if (callee.item->kind == MG_ITEM_LAYER && !callee.instance &&
        !sugar_instance(c, e, &callee, &args, hints, n))
        return n;
    if (callee.item->results.len < n) {
        MG_FAIL(env, e->span, result_count, mg_sym_text(s, e->call.name.sym),
                callee.item->results.len, n);
        return n;
    }
    return mg_call(&inner, &callee, &args, e->span, hints, n, results);
}

MgVal mg_call_std(MgCtx *c, MgSpan span, const char *name, MgVal *vals,
                  const MgAstExpr *const *exprs, uint32_t n) {
    MgSema *s = c->env->s;
    MgSym sym = mg_sym(s->names, name);
    MgCallee callee;
    MgVal result = mg_val_poison();
    if (!in_unit((MgUnit *)(uintptr_t)mg_map_get(&s->prelude, sym, 0), sym, &callee)) {
        MG_FAIL(c->env, span, unknown_op, name, "");
        return result;
    }
    MgArguments args = {0};
    for (uint32_t i = 0; i < n; i++)
        mg_push(s->arena, &args,
                (MgArgument){.val = vals[i],
                             .span = exprs[i]->span,
                             .text = exprs[i]->kind == MG_EXPR_NAME ? exprs[i]->name : 0});
    MgSym hint = c->hint;
    mg_call(c, &callee, &args, span, &hint, 1, &result);
    return result;
}
