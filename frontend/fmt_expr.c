// Formats expressions, entries and types. Decides where parentheses are needed and where lines may
// break.
#include "frontend/fmt.h"

static const MgDoc *operand(MgFmt *f, const MgAstExpr *e, int least);
static const MgDoc *sub_list(MgFmt *f, MgAstSubs subs);

// ---------------------------------------------------------------- expressions

// How tightly the outermost operator binds. An operand that binds less tightly gets parentheses.
enum { OR = 1, AND, NOT, COMPARE, SUM, REDUCTION, PRODUCT, NEGATION, POSTFIX };

static int level_of_op(MgAstOp op) {
    static const int levels[MG_AST_OP_COUNT] = {
        [MG_AST_OR] = OR,       [MG_AST_AND] = AND,     [MG_AST_NOT] = NOT,
        [MG_AST_EQ] = COMPARE,  [MG_AST_NE] = COMPARE,  [MG_AST_LT] = COMPARE,
        [MG_AST_LE] = COMPARE,  [MG_AST_GT] = COMPARE,  [MG_AST_GE] = COMPARE,
        [MG_AST_ADD] = SUM,     [MG_AST_SUB] = SUM,     [MG_AST_MUL] = PRODUCT,
        [MG_AST_DIV] = PRODUCT, [MG_AST_MOD] = PRODUCT, [MG_AST_NEG] = NEGATION,
    };
    return levels[op];
}

static int level(const MgAstExpr *e) {
    switch (e->kind) {
    case MG_EXPR_UNARY:
        return level_of_op(e->unary.op);
    case MG_EXPR_BINARY:
        return level_of_op(e->binary.op);
    case MG_EXPR_REDUCE:
        return REDUCTION;
    default:
        return POSTFIX;
    }
}

static bool has_else(const MgAstExpr *e) {
    return e->kind == MG_EXPR_READ && e->read.otherwise;
}

static const MgDoc *in_parens(MgFmt *f, const MgDoc *inner) {
    MgDocs docs = {0};
    say(f, &docs, "(");
    add(f, &docs, inner);
    say(f, &docs, ")");
    return cat(f, docs);
}

const MgDoc *mg_fmt_range(MgFmt *f, MgAstRange r) {
    if (!r.last)
        return mg_fmt_expr(f, r.first);
    MgDocs docs = {0};
    add(f, &docs, mg_fmt_expr(f, r.first));
    say(f, &docs, r.closed ? "..=" : "..");
    add(f, &docs, mg_fmt_expr(f, r.last));
    return cat(f, docs);
}

const MgDoc *mg_fmt_binder(MgFmt *f, const MgAstBinder *b) {
    MgDocs docs = {0};
    say(f, &docs, b->pack ? ".." : "");
    add(f, &docs, name(f, b->name));
    if (b->range.first) {
        say(f, &docs, " in ");
        add(f, &docs, mg_fmt_range(f, b->range));
    }
    return cat(f, docs);
}

void mg_fmt_add_args(MgFmt *f, MgDocs *docs, MgAstArgs args) {
    MgDocs inner = {0};
    for (uint32_t i = 0; i < args.len; i++) {
        MgDocs arg = {0};
        if (args.at[i].name.sym) {
            add(f, &arg, name_as(f, args.at[i].name.sym, MG_SPELL_WORD));
            say(f, &arg, " = ");
        }
        add(f, &arg, mg_fmt_expr(f, args.at[i].value));
        item_of(f, &inner, i, cat(f, arg));
    }
    say(f, docs, "(");
    add(f, docs, nested(f, INDENT, inner));
    say(f, docs, ")");
}

void mg_fmt_add_subs(MgFmt *f, MgDocs *docs, MgAstSubs subs) {
    say(f, docs, "[");
    add(f, docs, sub_list(f, subs));
    say(f, docs, "]");
}

static const MgDoc *list(MgFmt *f, const MgAstExpr *e) {
    MgDocs docs = {0}, inner = {0};
    for (uint32_t i = 0; i < e->list.len; i++)
        item_of(f, &inner, i, mg_fmt_range(f, e->list.at[i]));
    say(f, &docs, "[");
    add(f, &docs, nested(f, INDENT, inner));
    say(f, &docs, "]");
    return cat(f, docs);
}

static const MgDoc *call(MgFmt *f, const MgAstExpr *e) {
    MgDocs docs = {0};
    unsigned where = MG_SPELL_PATH | (e->call.indexed ? 0 : MG_SPELL_REDUCER);
    add(f, &docs, name_as(f, e->call.name.sym, where));
    if (e->call.indexed)
        mg_fmt_add_subs(f, &docs, e->call.index);
    mg_fmt_add_args(f, &docs, e->call.args);
    return group(f, docs);
}

// The value of an `else`: an atom, a read, or a negation of one. Anything else gets parentheses.
static const MgDoc *else_value(MgFmt *f, const MgAstExpr *e) {
    bool negated = e->kind == MG_EXPR_UNARY && e->unary.op == MG_AST_NEG && !e->parens;
    if (!negated)
        return has_else(e) ? mg_fmt_expr(f, e) : operand(f, e, POSTFIX);
    MgDocs docs = {0};
    say(f, &docs, "-");
    add(f, &docs, else_value(f, e->unary.operand));
    return cat(f, docs);
}

static const MgDoc *read(MgFmt *f, const MgAstExpr *e) {
    MgDocs docs = {0};
    add(f, &docs, path(f, e->read.name));
    mg_fmt_add_subs(f, &docs, e->read.subs);
    if (e->read.otherwise) {
        say(f, &docs, " else ");
        add(f, &docs, else_value(f, e->read.otherwise));
    }
    return cat(f, docs);
}

static const MgDoc *reduce(MgFmt *f, const MgAstExpr *e) {
    MgDocs docs = {0};
    add(f, &docs, name_as(f, e->reduce.reducer.sym, MG_SPELL_REDUCER));
    say(f, &docs, "[");
    for (uint32_t i = 0; i < e->reduce.binders.len; i++) {
        say(f, &docs, i ? ", " : "");
        add(f, &docs, mg_fmt_binder(f, &e->reduce.binders.at[i]));
    }
    say(f, &docs, "] ");
    const MgAstExpr *body = e->reduce.body;
    add(f, &docs,
        level(body) >= REDUCTION && !has_else(body) ? mg_fmt_expr(f, body)
                                                    : operand(f, body, PRODUCT));
    return cat(f, docs);
}

static const MgDoc *unary(MgFmt *f, const MgAstExpr *e) {
    MgDocs docs = {0};
    say(f, &docs, e->unary.op == MG_AST_NOT ? "not " : "-");
    add(f, &docs, operand(f, e->unary.operand, level(e)));
    return cat(f, docs);
}

// A chain of operators of one level. If it breaks, it breaks before the operators.
static const MgDoc *binary(MgFmt *f, const MgAstExpr *e) {
    int own = level(e);
    bool chains = own != COMPARE;
    MG_VEC(const MgAstExpr *) chain = {0};
    const MgAstExpr *first = e;
    while (first->kind == MG_EXPR_BINARY && level(first) == own && (first == e || !first->parens)) {
        mg_push(f->arena, &chain, first);
        first = first->binary.left;
        if (!chains)
            break;
    }
    MgDocs docs = {0}, rest = {0};
    add(f, &docs, operand(f, first, chains ? own : own + 1));
    while (chain.len) {
        const MgAstExpr *b = mg_pop(&chain);
        add(f, &rest, mg_doc_line());
        say(f, &rest, mg_ast_op_text(b->binary.op));
        say(f, &rest, " ");
        add(f, &rest, operand(f, b->binary.right, own + 1));
    }
    add(f, &docs, nested(f, INDENT, rest));
    return group(f, docs);
}

static const MgDoc *bare(MgFmt *f, const MgAstExpr *e) {
    switch (e->kind) {
    case MG_EXPR_INT:
    case MG_EXPR_FLOAT:
    case MG_EXPR_STRING:
        return written(f, e->span);
    case MG_EXPR_NAME:
        return name_as(f, e->name, MG_SPELL_PATH | MG_SPELL_REDUCER);
    case MG_EXPR_LIST:
        return list(f, e);
    case MG_EXPR_UNARY:
        return unary(f, e);
    case MG_EXPR_BINARY:
        return binary(f, e);
    case MG_EXPR_REDUCE:
        return reduce(f, e);
    case MG_EXPR_READ:
        return read(f, e);
    case MG_EXPR_CALL:
        return call(f, e);
    }
    return NULL;
}

static bool atom(const MgAstExpr *e) {
    return level(e) == POSTFIX && !has_else(e);
}

const MgDoc *mg_fmt_expr(MgFmt *f, const MgAstExpr *e) {
    const MgDoc *doc = bare(f, e);
    return e->parens && !atom(e) ? in_parens(f, doc) : doc;
}

// An operand, which needs parentheses if it binds less tightly than `least`.
static const MgDoc *operand(MgFmt *f, const MgAstExpr *e, int least) {
    bool extent = e->kind == MG_EXPR_REDUCE || has_else(e);
    const MgDoc *doc = bare(f, e);
    return (e->parens && !atom(e)) || extent || level(e) < least ? in_parens(f, doc) : doc;
}

// ---------------------------------------------------------------- entries and types

static const MgDoc *sub(MgFmt *f, const MgAstSub *s) {
    MgDocs docs = {0};
    switch (s->kind) {
    case MG_SUB_EXPR:
        add(f, &docs, mg_fmt_expr(f, s->expr));
        break;
    case MG_SUB_INDEX:
    case MG_SUB_PACK:
        add(f, &docs, mg_fmt_binder(f, &s->index));
        break;
    case MG_SUB_ZIP:
        say(f, &docs, "..(");
        add(f, &docs, mg_fmt_expr(f, s->expr));
        say(f, &docs, ")");
        break;
    case MG_SUB_TUPLE:
        say(f, &docs, "(");
        add(f, &docs, sub_list(f, s->tuple));
        say(f, &docs, ")");
        break;
    case MG_SUB_SOME:
        say(f, &docs, "some ");
        add(f, &docs, mg_fmt_expr(f, s->expr));
        break;
    }
    if (s->place.first) {
        say(f, &docs, " @ ");
        add(f, &docs, mg_fmt_range(f, s->place));
    }
    return cat(f, docs);
}

static const MgDoc *sub_list(MgFmt *f, MgAstSubs subs) {
    MgDocs docs = {0};
    for (uint32_t i = 0; i < subs.len; i++)
        item_of(f, &docs, i, sub(f, &subs.at[i]));
    return nested(f, INDENT, docs);
}

const MgDoc *mg_fmt_type(MgFmt *f, const MgAstType *t) {
    MgDocs docs = {0};
    add(f, &docs, path(f, t->element));
    if (t->has_shape)
        mg_fmt_add_subs(f, &docs, t->shape);
    return cat(f, docs);
}

void mg_fmt_add_type(MgFmt *f, MgDocs *docs, const MgAstType *t) {
    if (t) {
        say(f, docs, ": ");
        add(f, docs, mg_fmt_type(f, t));
    }
}
