// The evaluator of expressions: one walk for compile-time values, tensors and scalar expressions.
//
// The context (MgEvalMode) determines the meaning of an operator: between tensors it is the
// library's operator, in an equation a primitive, and in shapes and subscripts integer arithmetic
// that floors.
#include "frontend/sema_suggest.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_LISTED = 65536 }; // elements of a list
enum { MAX_DEPTH = 4000 }; // of expressions and calls together, so that no input exhausts the stack

static const MgPrim prim_of_op[MG_AST_OP_COUNT] = {
    [MG_AST_OR] = MG_PRIM_OR,   [MG_AST_AND] = MG_PRIM_AND, [MG_AST_NOT] = MG_PRIM_NOT,
    [MG_AST_EQ] = MG_PRIM_EQ,   [MG_AST_NE] = MG_PRIM_NE,   [MG_AST_LT] = MG_PRIM_LT,
    [MG_AST_LE] = MG_PRIM_LE,   [MG_AST_GT] = MG_PRIM_GT,   [MG_AST_GE] = MG_PRIM_GE,
    [MG_AST_ADD] = MG_PRIM_ADD, [MG_AST_SUB] = MG_PRIM_SUB, [MG_AST_MUL] = MG_PRIM_MUL,
    [MG_AST_DIV] = MG_PRIM_DIV, [MG_AST_MOD] = MG_PRIM_REM, [MG_AST_NEG] = MG_PRIM_NEG,
};
// The library's operators for operators between tensors.
static const char *const std_of_op[MG_AST_OP_COUNT] = {
    [MG_AST_OR] = "logical_or", [MG_AST_AND] = "logical_and", [MG_AST_NOT] = "logical_not",
    [MG_AST_EQ] = "equal",      [MG_AST_NE] = "not_equal",    [MG_AST_LT] = "less",
    [MG_AST_LE] = "less_equal", [MG_AST_GT] = "greater",      [MG_AST_GE] = "greater_equal",
    [MG_AST_ADD] = "add",       [MG_AST_SUB] = "sub",         [MG_AST_MUL] = "mul",
    [MG_AST_DIV] = "div",       [MG_AST_MOD] = "rem",         [MG_AST_NEG] = "neg",
};

// ---------------------------------------------------------------- names
void mg_ast_names(const MgAstExpr *e, void (*see)(void *ctx, const MgAstExpr *name), void *ctx) {
    switch (e->kind) {
    case MG_EXPR_NAME:
        see(ctx, e);
        return;
    case MG_EXPR_LIST:
        for (uint32_t i = 0; i < e->list.len; i++) {
            mg_ast_names(e->list.at[i].first, see, ctx);
            if (e->list.at[i].last)
                mg_ast_names(e->list.at[i].last, see, ctx);
        }
        return;
    case MG_EXPR_UNARY:
        mg_ast_names(e->unary.operand, see, ctx);
        return;
    case MG_EXPR_BINARY:
        mg_ast_names(e->binary.left, see, ctx);
        mg_ast_names(e->binary.right, see, ctx);
        return;
    case MG_EXPR_REDUCE:
        mg_ast_names(e->reduce.body, see, ctx);
        return;
    case MG_EXPR_READ:
        for (uint32_t i = 0; i < e->read.subs.len; i++)
            if (e->read.subs.at[i].kind == MG_SUB_EXPR || e->read.subs.at[i].kind == MG_SUB_ZIP)
                mg_ast_names(e->read.subs.at[i].expr, see, ctx);
        if (e->read.otherwise)
            mg_ast_names(e->read.otherwise, see, ctx);
        return;
    case MG_EXPR_CALL:
        for (uint32_t i = 0; i < e->call.args.len; i++)
            mg_ast_names(e->call.args.at[i].value, see, ctx);
        return;
    default:
        return;
    }
}

static bool word(MgSema *s, MgSym name, MgVal *out) {
    const char *t = mg_sym_text(s, name);
    if (!strcmp(t, "true") || !strcmp(t, "false"))
        *out = mg_val_bool(t[0] == 't');
    else if (!strcmp(t, "training")) {
        *out = mg_val_bool(s->training != MG_NONE);
        s->asks_training = true;
    } else if (!strcmp(t, "inf"))
        *out = mg_val_float(INFINITY);
    else if (!strcmp(t, "nan"))
        *out = mg_val_float(NAN);
    else if (!strcmp(t, "none")) // an omitted operand
        *out = (MgVal){.kind = MG_V_ABSENT};
    else if (mg_dtype_of_name(t) != MG_DTYPE_COUNT)
        *out = (MgVal){.kind = MG_V_TYPE, .type = mg_dtype_of_name(t)};
    else
        return false;
    return true;
}

typedef struct Known {
    MgCtx *c;
    bool all;
} Known;

static void see_known(void *ctx, const MgAstExpr *e) {
    Known *k = ctx;
    MgVal v;
    MgSym name = e->name;
    bool is_index;
    if (mg_env_find(k->c->env, name) || word(k->c->env->s, name, &v))
        return;
    if (k->c->eq && (mg_eq_pack_length(k->c->eq, name, &is_index), is_index))
        return;
    if (k->c->pos >= 0 && !strcmp(mg_sym_text(k->c->env->s, name), "pos"))
        return;
    k->all = false;
}

bool mg_known(MgCtx *c, const MgAstExpr *e) {
    Known k = {c, true};
    mg_ast_names(e, see_known, &k);
    return k.all;
}

// The component of a pack or list at the position of the zip.
static MgVal component(MgCtx *c, MgVal v, MgSym name, MgSpan span) {
    if (v.kind != MG_V_LIST || c->pos < 0)
        return v;
    if (c->pos < (int64_t)v.n)
        return v.list[c->pos];
    MG_FAIL(c->env, span, zip_length, mg_sym_text(c->env->s, name), v.n, (unsigned)c->pos + 1);
    return mg_val_poison();
}

MgVal mg_named(MgCtx *c, MgSym name, MgSpan span) {
    MgSema *s = c->env->s;
    MgVal v;
    const char *text = mg_sym_text(s, name);
    if (c->pos >= 0 && !strcmp(text, "pos"))
        return mg_val_ix(mg_ix_const(s->ix, c->pos));
    if (c->eq && mg_eq_index(c, name, span, &v))
        return v;
    MgBinding *b = mg_env_find(c->env, name);
    if (b) {
        if (b->val.kind == MG_V_PIECES)
            return mg_finish_pieces(b->val.pieces);
        return component(c, b->val, name, span);
    }
    if (word(s, name, &v))
        return v;
    const char *dot = strchr(text, '.');
    if (dot) {
        MgSym head = mg_sym_n(s->names, text, (size_t)(dot - text));
        b = mg_env_find(c->env, head);
        if (b && b->val.kind == MG_V_INSTANCE)
            return mg_instance_member(c->env, b->val.instance, dot + 1, span, name);
        if (b && b->val.kind == MG_V_LIST && b->val.n && b->val.list[0].kind == MG_V_INSTANCE) {
            char *end;
            unsigned long k = strtoul(dot + 1, &end, 10);
            if (end != dot + 1 && *end == '.' && k < b->val.n)
                return mg_instance_member(c->env, b->val.list[k].instance, end + 1, span, name);
        }
        if (b && b->val.kind == MG_V_POISON)
            return b->val;
    }
    mg_unknown_value(c, name, span);
    // This is reported once. After that the name is poison.
    if (!c->eq)
        mg_env_bind(c->env, name, mg_val_poison(), span);
    return mg_val_poison();
}

// ---------------------------------------------------------------- operators
static bool is_tensor(const MgVal *v) {
    return v->kind == MG_V_TENSOR || v->kind == MG_V_PARAM;
}

static MgVal operate(MgCtx *c, const MgAstExpr *e, MgAstOp op, MgVal *args,
                     const MgAstExpr *const *exprs, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (args[i].kind == MG_V_POISON)
            return mg_val_poison();
        if (is_tensor(&args[i])) {
            if (c->mode == MG_M_TENSOR)
                return mg_call_std(c, e->span, std_of_op[op], args, exprs, n);
        }
    }
    // `+` concatenates lists, in attributes.
    if (op == MG_AST_ADD && n == 2 && args[0].kind == MG_V_LIST && args[1].kind == MG_V_LIST &&
        c->pos < 0) {
        int64_t length = (int64_t)args[0].n + args[1].n;
        if (length > MOST_LISTED) {
            MG_FAIL(c->env, e->span, list_too_long, (unsigned long long)length);
            return mg_val_poison();
        }
        MgVal *list = MG_NEW_N(c->env->s->arena, MgVal, (size_t)length);
        memcpy(list, args[0].list, args[0].n * sizeof *list);
        memcpy(list + args[0].n, args[1].list, args[1].n * sizeof *list);
        return mg_val_list(list, (uint32_t)length);
    }
    return mg_apply_prim(c, e->span, prim_of_op[op], args, n);
}

static bool is_too_deep(MgCtx *c, const MgAstExpr *e, uint32_t levels) {
    MgSema *s = c->env->s;
    if (s->depth + levels < MAX_DEPTH)
        return false;
    MG_FAIL(c->env, e->span, too_deep, MAX_DEPTH);
    return s->stopped = true;
}

// Applies one operator of a chain, whose left side has been evaluated.
static MgVal eval_right(MgCtx *c, const MgAstExpr *e, MgVal left) {
    MgSema *s = c->env->s;
    MgAstOp op = e->binary.op;
    // A part that a compile-time condition excludes is not evaluated.
    if (c->mode == MG_M_STATIC && left.kind == MG_V_BOOL &&
        ((op == MG_AST_AND && !left.b) || (op == MG_AST_OR && left.b)))
        return left;
    MgCtx inner = *c;
    if (c->mode == MG_M_TENSOR)
        inner.hint = c->hint ? mg_symf(s->names, "%s_right", mg_sym_text(s, c->hint)) : 0;
    MgVal args[] = {left, mg_eval(&inner, e->binary.right)};
    return operate(c, e, op, args, (const MgAstExpr *[]){e->binary.left, e->binary.right}, 2);
}

// A chain a + b + … leans to the left and may be far longer than the limit on depth, so a loop
// walks it. In an equation it becomes a tree as deep as the chain is long.
static MgVal eval_binary(MgCtx *c, const MgAstExpr *e) {
    MgSema *s = c->env->s;
    MG_VEC(const MgAstExpr *) chain = {0};
    const MgAstExpr *first = e;
    while (c->mode == MG_M_VALUE ? (first = mg_strip_absent(c->env, first))->kind == MG_EXPR_BINARY
                                 : first->kind == MG_EXPR_BINARY) {
        mg_push(s->arena, &chain, first);
        first = first->binary.left;
    }
    if (c->mode != MG_M_TENSOR && is_too_deep(c, e, chain.len))
        return mg_val_poison();
    MgCtx inner = *c;
    if (c->mode == MG_M_TENSOR && chain.len)
        inner.hint = c->hint ? mg_symf(s->names, "%s_left", mg_sym_text(s, c->hint)) : 0;
    uint32_t depth = s->depth;
    s->depth += c->mode == MG_M_TENSOR ? 0 : chain.len;
    MgVal v = mg_eval(&inner, first);
    while (chain.len) {
        const MgAstExpr *b = mg_pop(&chain);
        v = eval_right(b == e ? c : &inner, b, v);
    }
    s->depth = depth;
    return v;
}

MgVal mg_list_of(MgCtx *c, const MgAstExpr *e) {
    MgSema *s = c->env->s;
    MgVals list = {0};
    MgCtx inner = *c;
    inner.pos = -1;
    for (uint32_t i = 0; i < e->list.len; i++) {
        const MgAstRange *r = &e->list.at[i];
        MgVal first = mg_eval(&inner, r->first);
        if (!r->last) {
            if (first.kind == MG_V_POISON)
                return first;
            mg_push(s->arena, &list, first);
            continue;
        }
        MgVal last = mg_eval(&inner, r->last);
        int64_t a, b;
        if (first.kind == MG_V_POISON || last.kind == MG_V_POISON)
            return mg_val_poison();
        if (!mg_val_const_int(s, &first, &a) || !mg_val_const_int(s, &last, &b)) {
            MG_FAIL(c->env, r->span, not_constant, "the range", mg_val_text(s, &last));
            return mg_val_poison();
        }
        uint64_t length = a <= b ? (uint64_t)b - (uint64_t)a : 0;
        if (r->closed && a <= b && length < UINT64_MAX)
            length++;
        if (length > MOST_LISTED) {
            MG_FAIL(c->env, r->span, list_too_long, (unsigned long long)length);
            return mg_val_poison();
        }
        for (uint64_t i = 0; i < length; i++)
            mg_push(s->arena, &list, mg_val_ix(mg_ix_const(s->ix, a + (int64_t)i)));
    }
    return mg_val_list(list.at, list.len);
}

static MgVal eval_kind(MgCtx *c, const MgAstExpr *e) {
    MgSema *s = c->env->s;
    MgVal v;
    switch (e->kind) {
    case MG_EXPR_INT:
        if (e->integer > INT64_MAX) // too large for an index, but not for a u64
            return mg_val_sx(mg_sx_int(s->module, MG_U64, (int64_t)e->integer));
        return mg_val_ix(mg_ix_const(s->ix, (int64_t)e->integer));
    case MG_EXPR_FLOAT:
        return mg_val_float(e->number.value);
    case MG_EXPR_STRING:
        return (MgVal){.kind = MG_V_STR, .sym = e->string};
    case MG_EXPR_NAME:
        v = mg_named(c, e->name, e->span);
        if (is_tensor(&v) && c->mode != MG_M_TENSOR) {
            if (c->condition)
                MG_FAIL(c->env, e->span, static_condition, "");
            else
                MG_FAIL(c->env, e->span, tensor_needs_subscripts, mg_sym_text(s, e->name),
                        mg_val_text(s, &v), mg_element_text(s, e->name, &v));
            return mg_val_poison();
        }
        return v;
    case MG_EXPR_LIST:
        return mg_list_of(c, e);
    case MG_EXPR_UNARY: {
        MgCtx inner = *c;
        inner.hint = 0;
        const MgAstExpr *of = e->unary.operand; // the least integer is a literal, not a negation
        if (e->unary.op == MG_AST_NEG && of->kind == MG_EXPR_INT && of->integer == 1ULL << 63)
            return mg_val_ix(mg_ix_const(s->ix, INT64_MIN));
        v = mg_eval(&inner, of);
        return operate(c, e, e->unary.op, &v, (const MgAstExpr *[]){e->unary.operand}, 1);
    }
    case MG_EXPR_BINARY:
        return eval_binary(c, e);
    case MG_EXPR_REDUCE:
        return mg_eval_reduce(c, e);
    case MG_EXPR_READ:
        return mg_eval_read(c, e);
    case MG_EXPR_CALL:
        return mg_eval_call(c, e);
    }
    return mg_val_poison();
}

MgVal mg_eval(MgCtx *c, const MgAstExpr *e) {
    MgSema *s = c->env->s;
    if (s->stopped)
        return mg_val_poison();
    if (is_too_deep(c, e, 0))
        return mg_val_poison();
    s->depth++;
    MgVal v = eval_kind(c, e);
    s->depth--;
    return v;
}

MgVal mg_eval_static(MgEnv *env, const MgAstExpr *e) {
    MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
    return mg_eval(&c, e);
}

MgVal mg_eval_int(MgCtx *c, const MgAstExpr *e, const char *what) {
    MgVal v = mg_eval(c, e);
    if (v.kind == MG_V_INT && v.ix != MG_IX_ERROR)
        return v;
    if (v.kind == MG_V_INT)
        mg_lost(c->env, e->span, what);
    else if (v.kind != MG_V_POISON)
        MG_FAIL(c->env, e->span, expected_int, what, mg_val_text(c->env->s, &v));
    return mg_val_poison();
}

bool mg_eval_const(MgCtx *c, const MgAstExpr *e, const char *what, int64_t *out) {
    MgVal v = mg_eval_int(c, e, what);
    if (v.kind == MG_V_POISON)
        return false;
    if (mg_val_const_int(c->env->s, &v, out))
        return true;
    MG_FAIL(c->env, e->span, not_constant, what, mg_val_text(c->env->s, &v));
    return false;
}

bool mg_eval_range(MgCtx *c, const MgAstRange *r, MgIx *low, MgIx *high) {
    MgSema *s = c->env->s;
    MgVal a = mg_eval_int(c, r->first, "the range");
    MgVal b = r->last ? mg_eval_int(c, r->last, "the range") : a;
    if (a.kind == MG_V_POISON || b.kind == MG_V_POISON)
        return false;
    *low = a.ix;
    *high = r->closed || !r->last ? mg_ix_add(s->ix, b.ix, mg_ix_const(s->ix, 1)) : b.ix;
    if (*high == MG_IX_ERROR)
        mg_lost(c->env, r->span, "the end of the range");
    return *high != MG_IX_ERROR;
}
