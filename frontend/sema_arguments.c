// Matches arguments with parameters: operands by position, attributes by name and kind.
#include "frontend/sema_call.h"
#include "frontend/sema_suggest.h"

static bool list_kind_ok(const MgAstParam *p, const MgVal *v) {
    switch (p->kind) {
    case MG_PARAM_INT:
        return v->kind == MG_V_INT;
    case MG_PARAM_FLOAT:
        return v->kind == MG_V_FLOAT || v->kind == MG_V_INT || v->kind == MG_V_UNTYPED;
    case MG_PARAM_STR:
        return v->kind == MG_V_STR;
    case MG_PARAM_TYPE:
        return v->kind == MG_V_TYPE;
    case MG_PARAM_BOOL:
        return v->kind == MG_V_BOOL || v->kind == MG_V_PRED;
    case MG_PARAM_ENUM:
        for (uint32_t i = 0; v->kind == MG_V_STR && i < p->choices.len; i++)
            if (p->choices.at[i].sym == v->sym)
                return true;
        return false;
    default:
        return true;
    }
}

const char *mg_kind_text(MgSema *s, const MgAstParam *p) {
    static const char *const text[] = {"a tensor", "an integer",      "a float",
                                       "a string", "an element type", "true or false"};
    static const char *const lists[] = {[MG_PARAM_INT] = "a list of integers",
                                        [MG_PARAM_FLOAT] = "a list of floats",
                                        [MG_PARAM_STR] = "a list of strings",
                                        [MG_PARAM_TYPE] = "a list of element types",
                                        [MG_PARAM_BOOL] = "a list of bools"};
    bool is_list = p->type.has_shape && p->kind != MG_PARAM_TENSOR;
    // A single value stands for the whole list.
    if (p->kind != MG_PARAM_ENUM && is_list && p->type.shape.len)
        return mg_arena_printf(s->arena, "%s or %s", text[p->kind], lists[p->kind]);
    if (p->kind != MG_PARAM_ENUM)
        return is_list ? lists[p->kind] : text[p->kind];
    MgText t = mg_text(s->arena);
    for (uint32_t i = 0; i < p->choices.len; i++)
        mg_textf(&t, "%s\"%s\"",
                 i == 0                    ? ""
                 : i + 1 == p->choices.len ? " or "
                                           : ", ",
                 mg_sym_text(s, p->choices.at[i].sym));
    return mg_text_str(&t);
}

// Checks that an attribute's value has the right kind. An integer may stand for a float.
bool mg_check_attribute(MgOpCall *k, const MgAstParam *p, MgVal *v, MgSpan span) {
    MgSema *s = k->env->s;
    MgEnv *at = k->env->caller;
    if (v->kind == MG_V_POISON)
        return false;
    bool is_list = p->type.has_shape && p->kind != MG_PARAM_ENUM;
    bool per_pack = is_list && p->type.shape.len == 1;
    bool ok = true;
    if (is_list && v->kind == MG_V_LIST) {
        for (uint32_t i = 0; ok && i < v->n; i++)
            ok = list_kind_ok(p, &v->list[i]);
    } else {
        ok = (!is_list || per_pack) && list_kind_ok(p, v);
    }
    if (!ok) {
        bool alone = is_list && list_kind_ok(p, v);
        MG_FAIL(at, span, attribute_kind, mg_sym_text(s, p->name.sym), mg_kind_text(s, p),
                mg_val_text(s, v),
                alone ? mg_arena_printf(s->arena, "; write [%s]", mg_val_text(s, v)) : "");
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
        if (item->params.at[i].name.sym == name && !mg_is_operand_param(&item->params.at[i]))
            return &item->params.at[i];
    return NULL;
}

const MgAstParam *mg_operand_named(const MgAstItem *item, MgSym name) {
    for (uint32_t i = 0; i < item->params.len; i++)
        if (item->params.at[i].name.sym == name && mg_is_operand_param(&item->params.at[i]) &&
            item->params.at[i].optional)
            return &item->params.at[i];
    return NULL;
}

static bool bind_attribute(MgOpCall *k, const MgArgument *a) {
    MgSema *s = k->env->s;
    const MgAstParam *p = attribute_named(k->item, a->name);
    MgVal v = a->val;
    if (!p) {
        MgSymList names = {0};
        for (uint32_t i = 0; i < k->item->params.len; i++)
            if (!mg_is_operand_param(&k->item->params.at[i]))
                mg_push(s->arena, &names, k->item->params.at[i].name.sym);
        MG_FAIL(k->env->caller, a->span, no_attribute, mg_sym_text(s, k->item->name.sym),
                mg_sym_text(s, a->name),
                mg_suggest_foreign(s, MG_FOREIGN_ATTRIBUTE, a->name, names.at, names.len));
        return false;
    }
    if (mg_env_find_here(k->env, p->name.sym)) {
        MG_FAIL(k->env->caller, a->span, attribute_twice, mg_sym_text(s, a->name));
        return false;
    }
    if (!mg_check_attribute(k, p, &v, a->span))
        return false;
    mg_env_bind(k->env, p->name.sym, v, p->name.span);
    return true;
}

// Advice for a call that lacks an operand: the layer of that name, or how to declare the layer.
static const char *layer_meant(const MgOpCall *k) {
    MgSema *s = k->env->s;
    const char *name = mg_sym_text(s, k->item->name.sym);
    if (k->item->kind == MG_ITEM_LAYER)
        return mg_arena_printf(s->arena,
                               "; to declare a layer without calling it, write 'param h: %s%s(…)'",
                               k->env->unit->library ? "nn." : "", name);
    MgSourceUnit *nn = mg_unit_library(s, "nn");
    return nn && mg_map_find(&nn->items, k->item->name.sym)
               ? mg_arena_printf(s->arena, "; the layer is 'nn.%s', as in 'h = nn.%s(…)'", name,
                                 name)
               : "";
}

const char *mg_operand_advice(const MgVal *v) {
    return v->kind == MG_V_LIST ? "; tensors are given one by one, without brackets" : "";
}

// Binds a parameter to its operand. a is NULL if none was given.
static bool bind_operand(MgOpCall *k, const MgAstParam *p, const MgArgument *a) {
    MgSema *s = k->env->s;
    MgVal v = a ? a->val : (MgVal){.kind = MG_V_ABSENT};
    if (v.kind == MG_V_POISON)
        return false;
    if (v.kind == MG_V_ABSENT && !p->optional) {
        MG_FAIL(k->env->caller, a ? a->span : k->span, missing_operand,
                mg_sym_text(s, k->item->name.sym), mg_sym_text(s, p->name.sym), layer_meant(k));
        return false;
    }
    if (v.kind != MG_V_ABSENT && v.kind != MG_V_TENSOR && v.kind != MG_V_PARAM &&
        !mg_is_scalar(&v)) {
        MG_FAIL(k->env->caller, a->span, operand_kind, mg_sym_text(s, p->name.sym),
                mg_val_text(s, &v), mg_operand_advice(&v));
        return false;
    }
    MgBinding *b = mg_env_bind(k->env, p->name.sym, v, p->name.span);
    if (b)
        b->is_operand = true;
    if (v.kind != MG_V_ABSENT)
        mg_push(
            s->arena, &k->operands,
            (MgOperand){
                .param = p, .val = v, .span = a->span, .text = a->text ? a->text : p->name.sym});
    return true;
}

static void too_many(MgOpCall *k, const MgArgument *a) {
    MgSema *s = k->env->s;
    uint32_t most = 0;
    for (uint32_t i = 0; i < k->item->params.len; i++)
        most += mg_is_operand_param(&k->item->params.at[i]);
    MG_FAIL(k->env->caller, a->span, too_many_operands, mg_sym_text(s, k->item->name.sym),
            mg_counted(s->arena, most, "operand"), mg_val_text(s, &a->val));
    for (uint32_t i = 0; i < k->item->params.len; i++)
        if (!mg_is_operand_param(&k->item->params.at[i]) && a->val.kind != MG_V_TENSOR) {
            mg_diag_note(s->session, a->span, MG_D_attributes_named,
                         mg_sym_text(s, k->item->params.at[i].name.sym));
            return;
        }
}

// The argument that names p, or otherwise the next one by position, which *next counts. NULL if
// there is none.
static const MgArgument *find_argument(const MgAstParam *p, const MgArguments *args,
                                       uint32_t *next) {
    for (uint32_t i = 0; p->optional && i < args->len; i++)
        if (args->at[i].name == p->name.sym)
            return &args->at[i];
    while (*next < args->len && args->at[*next].name)
        ++*next;
    return *next < args->len ? &args->at[(*next)++] : NULL;
}

// Is an operand named twice? If so, reports that.
static bool is_named_twice(MgOpCall *k, const MgArguments *args) {
    for (uint32_t i = 0; i < args->len; i++)
        for (uint32_t j = 0; j < i && mg_operand_named(k->item, args->at[i].name); j++)
            if (args->at[j].name == args->at[i].name) {
                MG_FAIL(k->env->caller, args->at[i].span, operand_twice,
                        mg_sym_text(k->env->s, args->at[i].name));
                return true;
            }
    return false;
}

bool mg_bind_arguments(MgOpCall *k, const MgArguments *args, MgLayerInstance *instance) {
    const MgAstItem *item = k->item;
    if (is_named_twice(k, args))
        return false;
    bool ok = true;
    uint32_t next = 0;
    for (uint32_t i = 0; i < item->params.len; i++) {
        const MgAstParam *p = &item->params.at[i];
        if (!mg_is_operand_param(p))
            continue;
        if (p->variadic) {
            for (; next < args->len; next++)
                if (!args->at[next].name)
                    mg_push(k->env->s->arena, &k->variadic, args->at[next]);
            continue;
        }
        ok &= bind_operand(k, p, find_argument(p, args, &next));
    }
    for (; next < args->len; next++)
        if (!args->at[next].name) {
            too_many(k, &args->at[next]);
            return false;
        }
    bool operands = ok;
    for (uint32_t i = 0; operands && i < args->len; i++)
        if (args->at[i].name && !mg_operand_named(item, args->at[i].name))
            ok &= bind_attribute(k, &args->at[i]);
    for (uint32_t i = 0; instance && i < instance->attrs.len; i++)
        ok &= bind_attribute(k, &instance->attrs.at[i]);
    return ok;
}

bool mg_check_attributes(MgEnv *env, const MgCallee *callee, const MgArguments *attrs,
                         MgSpan span) {
    MgOpCall k = {.item = callee->item, .span = span, .env = mg_env_new(env->s, env)};
    k.env->unit = callee->unit;
    bool ok = true;
    for (uint32_t i = 0; i < attrs->len; i++)
        ok &= bind_attribute(&k, &attrs->at[i]);
    return ok;
}
