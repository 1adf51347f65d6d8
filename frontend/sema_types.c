// Element types of a call: type parameters take the types of the operands that mention them.
#include "frontend/sema_call.h"

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

static bool is_class(const char *name) {
    static const char *const classes[] = {"any", "number", "int", "float"};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (!strcmp(classes[i], name))
            return true;
    return false;
}

static const MgAstTypeParam *type_param(const MgAstItem *item, MgSym name) {
    for (uint32_t i = 0; i < item->type_params.len; i++)
        if (item->type_params.at[i].name.sym == name)
            return &item->type_params.at[i];
    return NULL;
}

static MgDType type_of(MgSema *s, const MgVal *v) {
    switch (v->kind) {
    case MG_V_TENSOR:
        return mg_value(s->g, v->tensor)->dtype;
    case MG_V_PARAM:
        return v->open->dtype;
    case MG_V_SCALAR:
        return v->sx->dtype;
    case MG_V_BOOL:
    case MG_V_PRED:
        return MG_BOOL;
    default:
        return MG_DTYPE_COUNT;
    }
}

static bool bind_type(MgOpCall *k, const MgAstTypeParam *tp, MgDType d, const MgOperand *o) {
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
    if (!is_class(mg_sym_text(s, tp->constraint.sym))) {
        MG_FAIL(k->env, tp->constraint.span, unknown_class, mg_sym_text(s, tp->constraint.sym));
        return false;
    }
    if (!admits(s, tp->constraint.sym, d)) {
        const char *kind = mg_sym_text(s, tp->constraint.sym);
        MG_FAIL(k->env->caller, o->span, type_constraint, mg_sym_text(s, k->item->name.sym),
                mg_sym_text(s, o->text), mg_dtype(d)->name,
                !strcmp(kind, "int")     ? "an integer type"
                : !strcmp(kind, "float") ? "a floating-point type"
                                         : "a number type");
        mg_diag_note(s->session, tp->span, MG_D_declared_here, mg_sym_text(s, tp->name.sym));
        return false;
    }
    b = mg_env_bind(k->env, tp->name.sym, (MgVal){.kind = MG_V_TYPE, .type = d}, tp->span);
    if (b)
        b->from = o->text;
    return b != NULL;
}

static bool operand_type(MgOpCall *k, MgOperand *o, bool untyped_too) {
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
        bool real = o->val.kind == MG_V_FLOAT || (o->val.kind == MG_V_UNTYPED && o->val.real) ||
                    !strcmp(mg_sym_text(s, tp->constraint.sym), "float");
        return bind_type(k, tp, real ? MG_F32 : MG_I64, o);
    }
    MgDType want;
    if (!mg_element_type(k->env, element, &want))
        return false;
    if (d == MG_DTYPE_COUNT || d == want || (o->val.kind == MG_V_SCALAR && mg_compute(want) == d))
        return true;
    if (k->c->mode == MG_M_SUB && o->val.kind == MG_V_SCALAR && want == MG_I64 && mg_is_int(d))
        return true;
    MG_FAIL(k->env->caller, o->span, operand_type, mg_sym_text(s, k->item->name.sym),
            mg_sym_text(s, o->param->name.sym), mg_dtype(want)->name, mg_sym_text(s, o->text),
            mg_dtype(d)->name);
    mg_diag_note(s->session, o->param->span, MG_D_declared_here,
                 mg_sym_text(s, o->param->name.sym));
    return false;
}

// Numbers take the element type of their operand, which is now known.
static bool adopt_numbers(MgOpCall *k) {
    for (uint32_t i = 0; i < k->operands.len; i++) {
        MgOperand *o = &k->operands.at[i];
        if (!mg_is_scalar(&o->val) || o->val.kind == MG_V_SCALAR)
            continue;
        bool in_subscript = k->env->scalar && k->c->mode != MG_M_VALUE;
        MgDType d = mg_element_type_quiet(k->env, o->param->type.element.sym);
        if (in_subscript || d == MG_DTYPE_COUNT || (k->env->scalar && o->val.kind == MG_V_BOOL))
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

bool mg_bind_types(MgOpCall *k) {
    bool ok = true;
    for (uint32_t i = 0; i < k->operands.len; i++)
        ok = ok && operand_type(k, &k->operands.at[i], false);
    for (uint32_t i = 0; ok && i < k->operands.len; i++)
        ok &= operand_type(k, &k->operands.at[i], true);
    for (uint32_t i = 0; ok && i < k->variadic.len; i++) {
        const MgAstParam *p = &k->item->params.at[0];
        MgOperand o = {.param = p,
                       .val = k->variadic.at[i].val,
                       .span = k->variadic.at[i].span,
                       .text = k->variadic.at[i].text ? k->variadic.at[i].text : p->name.sym};
        ok &= o.val.kind != MG_V_POISON && operand_type(k, &o, false);
    }
    return ok && adopt_numbers(k);
}
