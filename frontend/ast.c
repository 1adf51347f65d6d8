// Builds the tree. The grammar's actions call one function for each kind of node.
//
// Each function counts the depth of the node that it builds. A part that is too deep is reported
// once and replaced by a leaf, so code that walks a tree may recurse.
#include "frontend/ast.h"

#include "frontend/parse.h"

const char *mg_ast_op_text(MgAstOp op) {
    static const char *const texts[] = {
#define X(id, text) text,
        MG_AST_OPS(X)
#undef X
    };
    return texts[op];
}

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static void report_depth(MgParser *p, MgSpan span) {
    if (!p->too_deep)
        mg_diag(p->session, span, MG_D_syntax_nesting, MG_AST_MAX_DEPTH / MG_AST_LEVEL,
                MG_AST_MAX_DEPTH);
    p->too_deep = true;
}

// ---------------------------------------------------------------- expressions

// Makes a node. Its deepest child has depth `below`.
static MgAstExpr *expr(MgParser *p, MgSpan span, MgAstExprKind kind, uint32_t below) {
    MgAstExpr *e = MG_NEW(p->arena, MgAstExpr);
    e->kind = kind;
    e->span = span;
    e->depth = (uint16_t)(below + MG_AST_LEVEL);
    return e;
}

// Returns the node itself, or a leaf if the tree would be too deep.
static MgAstExpr *bounded(MgParser *p, MgAstExpr *e) {
    if (e->depth <= MG_AST_MAX_DEPTH)
        return e;
    report_depth(p, e->span);
    return mg_ast_int(p, e->span, 0);
}

static uint32_t expr_depth(const MgAstExpr *e) {
    return e ? e->depth : 0;
}

static uint32_t range_depth(MgAstRange range) {
    return larger(expr_depth(range.first), expr_depth(range.last));
}

static uint32_t subs_depth(MgAstSubs subs) {
    uint32_t depth = 0;
    for (uint32_t i = 0; i < subs.len; i++)
        depth = larger(depth, subs.at[i].depth);
    return depth;
}

static uint32_t args_depth(MgAstArgs args) {
    uint32_t depth = 0;
    for (uint32_t i = 0; i < args.len; i++)
        depth = larger(depth, expr_depth(args.at[i].value));
    return depth;
}

MgAstExpr *mg_ast_int(MgParser *p, MgSpan span, uint64_t value) {
    MgAstExpr *e = expr(p, span, MG_EXPR_INT, 0);
    e->integer = value;
    return e;
}

MgAstExpr *mg_ast_float(MgParser *p, MgSpan span, double value, MgSym spelling) {
    MgAstExpr *e = expr(p, span, MG_EXPR_FLOAT, 0);
    e->number.value = value;
    e->number.spelling = spelling;
    return e;
}

MgAstExpr *mg_ast_string(MgParser *p, MgSpan span, MgSym text) {
    MgAstExpr *e = expr(p, span, MG_EXPR_STRING, 0);
    e->string = text;
    return e;
}

MgAstExpr *mg_ast_name(MgParser *p, MgAstName name) {
    MgAstExpr *e = expr(p, name.span, MG_EXPR_NAME, 0);
    e->name = name.sym;
    return e;
}

MgAstExpr *mg_ast_list(MgParser *p, MgSpan span, MgAstRanges items) {
    uint32_t depth = 0;
    for (uint32_t i = 0; i < items.len; i++)
        depth = larger(depth, range_depth(items.at[i]));
    MgAstExpr *e = expr(p, span, MG_EXPR_LIST, depth);
    e->list = items;
    return bounded(p, e);
}

MgAstExpr *mg_ast_unary(MgParser *p, MgSpan span, MgAstOp op, MgAstExpr *operand) {
    MgAstExpr *e = expr(p, span, MG_EXPR_UNARY, operand->depth);
    e->unary.op = op;
    e->unary.operand = operand;
    return bounded(p, e);
}

MgAstExpr *mg_ast_binary(MgParser *p, MgSpan op_span, MgAstOp op, MgAstExpr *l, MgAstExpr *r) {
    MgSpan span = mg_span_join(l->span, r->span);
    MgAstExpr *e = expr(p, span, MG_EXPR_BINARY, r->depth);
    e->depth = (uint16_t)larger(e->depth, l->depth + 1u);
    e->binary.op = op;
    e->binary.op_span = op_span;
    e->binary.left = l;
    e->binary.right = r;
    return bounded(p, e);
}

MgAstExpr *mg_ast_reduce(MgParser *p, MgSpan span, MgAstName reducer, MgAstBinders binders,
                         MgAstExpr *body) {
    uint32_t depth = body->depth;
    for (uint32_t i = 0; i < binders.len; i++)
        depth = larger(depth, range_depth(binders.at[i].range));
    MgAstExpr *e = expr(p, span, MG_EXPR_REDUCE, depth);
    e->reduce.reducer = reducer;
    e->reduce.binders = binders;
    e->reduce.body = body;
    return bounded(p, e);
}

MgAstExpr *mg_ast_read(MgParser *p, MgSpan span, MgAstName name, MgAstSubs subs) {
    MgAstExpr *e = expr(p, span, MG_EXPR_READ, subs_depth(subs));
    e->read.name = name;
    e->read.subs = subs;
    return e; // it is one level above its entries, whose depth mg_ast_sub bounds
}

MgAstExpr *mg_ast_read_else(MgParser *p, MgSpan span, MgAstExpr *read, MgAstExpr *otherwise) {
    MgAstExpr *e =
        expr(p, span, MG_EXPR_READ, larger((uint32_t)read->depth - MG_AST_LEVEL, otherwise->depth));
    e->read = read->read;
    e->read.otherwise = otherwise;
    return bounded(p, e);
}

MgAstExpr *mg_ast_call(MgParser *p, MgSpan span, MgAstName name, MgAstArgs args) {
    MgAstExpr *e = expr(p, span, MG_EXPR_CALL, args_depth(args));
    e->call.name = name;
    e->call.args = args;
    return bounded(p, e);
}

MgAstExpr *mg_ast_call_at(MgParser *p, MgSpan span, MgAstExpr *read, MgAstArgs args) {
    MgAstExpr *e =
        expr(p, span, MG_EXPR_CALL, larger((uint32_t)read->depth - MG_AST_LEVEL, args_depth(args)));
    e->call.name = read->read.name;
    e->call.indexed = true;
    e->call.index = read->read.subs;
    e->call.args = args;
    return bounded(p, e);
}

MgAstExpr *mg_ast_parens(MgAstExpr *inner) {
    inner->parens = true;
    return inner;
}

// ---------------------------------------------------------------- entries and types

MgAstBinder *mg_ast_binder(MgParser *p, MgSpan span, MgAstName name, bool pack, MgAstRange range) {
    MgAstBinder *b = MG_NEW(p->arena, MgAstBinder);
    *b = (MgAstBinder){.span = span, .name = name, .pack = pack, .range = range};
    return b;
}

// NULL after a diagnostic if the entry would be too deep. An entry stays one level below the limit,
// so that the read around it stays within the limit.
static MgAstSub *sub(MgParser *p, MgSpan span, MgAstSubKind kind, uint32_t depth) {
    if (depth + MG_AST_LEVEL > MG_AST_MAX_DEPTH) {
        report_depth(p, span);
        return NULL;
    }
    MgAstSub *s = MG_NEW(p->arena, MgAstSub);
    s->kind = kind;
    s->span = span;
    s->depth = (uint16_t)depth;
    return s;
}

static MgAstSub *leaf_sub(MgParser *p, MgSpan span) {
    MgAstSub *s = sub(p, span, MG_SUB_EXPR, 1);
    s->expr = mg_ast_int(p, span, 0);
    return s;
}

MgAstSub *mg_ast_sub(MgParser *p, MgSpan span, MgAstSubKind kind, MgAstExpr *expr) {
    MgAstSub *s = sub(p, span, kind, expr->depth);
    if (!s)
        return leaf_sub(p, span);
    s->expr = expr;
    return s;
}

MgAstSub *mg_ast_sub_index(MgParser *p, MgAstBinder *index) {
    MgAstSubKind kind = index->pack ? MG_SUB_PACK : MG_SUB_INDEX;
    MgAstSub *s = sub(p, index->span, kind, MG_AST_LEVEL + range_depth(index->range));
    if (!s)
        return leaf_sub(p, index->span);
    s->index = *index;
    return s;
}

MgAstSub *mg_ast_sub_tuple(MgParser *p, MgSpan span, MgAstSubs entries) {
    MgAstSub *s = sub(p, span, MG_SUB_TUPLE, MG_AST_LEVEL + subs_depth(entries));
    if (!s)
        return leaf_sub(p, span);
    s->tuple = entries;
    return s;
}

MgAstSub *mg_ast_sub_pack(MgParser *p, MgSpan span, MgAstBinder *pack) {
    MgAstSubs entries = {0};
    mg_push(p->arena, &entries, *mg_ast_sub_index(p, pack));
    return mg_ast_sub_tuple(p, span, entries);
}

MgAstSub *mg_ast_sub_place(MgParser *p, MgSpan span, MgAstSub *s, MgAstRange place) {
    if (range_depth(place) + MG_AST_LEVEL > MG_AST_MAX_DEPTH) {
        report_depth(p, span);
        return s;
    }
    s->span = span;
    s->place = place;
    s->depth = (uint16_t)larger(s->depth, range_depth(place));
    return s;
}

MgAstType *mg_ast_type(MgParser *p, MgSpan span, MgAstName element, bool has_shape,
                       MgAstSubs shape) {
    MgAstType *t = MG_NEW(p->arena, MgAstType);
    *t = (MgAstType){.span = span, .element = element, .has_shape = has_shape, .shape = shape};
    return t;
}

// ---------------------------------------------------------------- items

void mg_ast_import(MgParser *p, MgAstImport import) {
    if (p->file->items.len)
        mg_diag(p->session, import.span, MG_D_syntax_late_import);
    mg_push(p->arena, &p->file->imports, import);
}

MgAstItem *mg_ast_signature(MgParser *p, MgAstName name, MgAstTypeParams type_params,
                            MgAstParams params, bool has_results, MgAstResults results,
                            MgAstClauses clauses) {
    MgAstItem *item = MG_NEW(p->arena, MgAstItem);
    item->name = name;
    item->type_params = type_params;
    item->params = params;
    item->has_results = has_results;
    item->results = results;
    item->clauses = clauses;
    return item;
}

void mg_ast_item(MgParser *p, MgSpan span, MgAstItemKind kind, MgAstItem *sig, MgAstBlock body) {
    sig->kind = kind;
    sig->span = span;
    sig->body = body;
    mg_push(p->arena, &p->file->items, sig);
}

// The kind of a parameter follows from the name of its element type. `bool` with brackets is a
// tensor.
static MgAstParamKind param_kind(const MgParser *p, const MgAstType *type) {
    static const struct {
        const char *name;
        MgAstParamKind kind;
    } kinds[] = {{"int", MG_PARAM_INT},
                 {"float", MG_PARAM_FLOAT},
                 {"str", MG_PARAM_STR},
                 {"type", MG_PARAM_TYPE}};
    const char *name = mg_name(p->session->names, type->element.sym);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name))
            return kinds[i].kind;
    return !strcmp(name, "bool") && !type->has_shape ? MG_PARAM_BOOL : MG_PARAM_TENSOR;
}

MgAstParam *mg_ast_param(MgParser *p, MgSpan span, MgAstType *type, bool optional, bool variadic) {
    MgAstParam *param = MG_NEW(p->arena, MgAstParam);
    *param = (MgAstParam){.span = span, .type = *type, .optional = optional, .variadic = variadic};
    param->kind = param_kind(p, type);
    return param;
}

MgAstParam *mg_ast_param_enum(MgParser *p, MgSpan span, MgAstNames choices) {
    MgAstParam *param = MG_NEW(p->arena, MgAstParam);
    *param = (MgAstParam){.span = span, .kind = MG_PARAM_ENUM, .choices = choices};
    return param;
}

MgAstParam *mg_ast_param_named(MgParser *p, MgSpan span, MgAstName name, MgAstParam *param,
                               MgAstExpr *initial) {
    (void)p;
    param->span = span;
    param->name = name;
    param->initial = initial;
    return param;
}

MgAstResult *mg_ast_result(MgParser *p, MgSpan span, MgAstName name, MgAstType *type, bool variadic,
                           MgAstName over) {
    MgAstResult *r = MG_NEW(p->arena, MgAstResult);
    *r = (MgAstResult){.span = span, .name = name, .type = type, .variadic = variadic};
    r->over = over;
    return r;
}

MgAstClause *mg_ast_clause(MgParser *p, MgSpan span, MgAstClauseKind kind, MgAstName name,
                           MgAstExpr *expr, MgAstName text) {
    MgAstClause *c = MG_NEW(p->arena, MgAstClause);
    *c = (MgAstClause){.kind = kind, .span = span, .name = name, .expr = expr, .text = text};
    return c;
}

// ---------------------------------------------------------------- statements

static MgAstStmt *stmt(MgParser *p, MgSpan span, MgAstStmtKind kind) {
    MgAstStmt *s = MG_NEW(p->arena, MgAstStmt);
    s->kind = kind;
    s->span = span;
    return s;
}

static uint32_t stmt_depth(const MgAstStmt *s) {
    switch (s->kind) {
    case MG_STMT_IF_VALUE:
        return larger(s->if_value.then.depth, s->if_value.otherwise.depth);
    case MG_STMT_LOOP:
        return s->loop.body.depth;
    case MG_STMT_FUSED:
        return s->fused.body.depth;
    case MG_STMT_FOR:
        return s->for_.body.depth;
    case MG_STMT_IF:
        return larger(s->if_.then.depth, s->if_.otherwise.depth);
    default:
        return 0;
    }
}

MgAstBlock mg_ast_block(MgParser *p, MgSpan span, MgAstStmts stmts) {
    uint32_t depth = 1;
    for (uint32_t i = 0; i < stmts.len; i++)
        depth = larger(depth, 1 + stmt_depth(stmts.at[i]));
    if (depth <= MG_AST_MAX_BLOCKS)
        return (MgAstBlock){.span = span, .depth = (uint16_t)depth, .stmts = stmts};
    if (!p->too_deep)
        mg_diag(p->session, span, MG_D_syntax_blocks, MG_AST_MAX_BLOCKS);
    p->too_deep = true;
    return (MgAstBlock){.span = span, .depth = 1};
}

MgAstStmt *mg_ast_annotated(MgAstStmt *s, MgAstAnnots annots) {
    s->annots = annots;
    return s;
}

MgAstStmt *mg_ast_bind(MgParser *p, MgSpan span, MgAstStmtKind kind, MgAstTargets targets,
                       MgAstExpr *value) {
    MgAstStmt *s = stmt(p, span, kind);
    s->bind.targets = targets;
    s->bind.value = value;
    return s;
}

MgAstStmt *mg_ast_equation(MgParser *p, MgSpan span, MgAstName name, MgAstSubs subs,
                           MgAstType *type, bool drop, MgAstExpr *value, MgAstName over) {
    MgAstStmt *s = stmt(p, span, MG_STMT_EQUATION);
    s->equation.name = name;
    s->equation.subs = subs;
    s->equation.type = type;
    s->equation.drop = drop;
    s->equation.value = value;
    s->equation.over = over;
    return s;
}

bool mg_ast_is_none(MgParser *p, MgAstName name) {
    const char *text = mg_name(p->session->names, name.sym);
    if (strcmp(text, "none"))
        mg_diag(p->session, name.span, MG_D_syntax_else_none, text);
    return true;
}

MgAstStmt *mg_ast_if_value(MgParser *p, MgSpan span, MgAstTargets targets, MgAstExpr *cond,
                           MgAstBlock then, MgAstBlock otherwise) {
    MgAstStmt *s = stmt(p, span, MG_STMT_IF_VALUE);
    s->if_value.targets = targets;
    s->if_value.cond = cond;
    s->if_value.then = then;
    s->if_value.otherwise = otherwise;
    return s;
}

MgAstStmt *mg_ast_loop(MgParser *p, MgSpan span, MgAstTargets targets, MgAstBinder *index,
                       MgAstCarries carries, MgAstExpr *while_cond, MgAstBlock body) {
    MgAstStmt *s = stmt(p, span, MG_STMT_LOOP);
    s->loop.targets = targets;
    if (index)
        s->loop.index = *index;
    s->loop.carries = carries;
    s->loop.while_cond = while_cond;
    s->loop.body = body;
    return s;
}

MgAstStmt *mg_ast_fused(MgParser *p, MgSpan span, MgAstTargets targets, MgAstBlock body) {
    MgAstStmt *s = stmt(p, span, MG_STMT_FUSED);
    s->fused.targets = targets;
    s->fused.body = body;
    return s;
}

MgAstStmt *mg_ast_held(MgParser *p, MgAstType *type, MgAstExpr *layer) {
    MgAstStmt *s = stmt(p, type ? type->span : layer->span, MG_STMT_PARAM);
    s->param.type = type;
    s->param.layer = layer;
    if (layer && layer->kind != MG_EXPR_CALL) { // it was too deep; that was reported
        s->param.layer = NULL;
        s->param.type = mg_ast_type(p, layer->span, (MgAstName){0}, true, (MgAstSubs){0});
    }
    return s;
}

MgAstStmt *mg_ast_param_stmt(MgParser *p, MgSpan span, MgAstStmtKind kind, MgAstName name,
                             MgAstExpr *count, MgAstStmt *what, MgAstExpr *initial, MgAstName key) {
    (void)p;
    what->kind = kind;
    what->span = span;
    what->param.name = name;
    what->param.count = count;
    what->param.initial = initial;
    what->param.has_key = key.span.source != 0;
    what->param.key = key;
    return what;
}

MgAstStmt *mg_ast_dim(MgParser *p, MgSpan span, MgAstName name, MgAstExpr *bound,
                      MgAstExpr *value) {
    MgAstStmt *s = stmt(p, span, MG_STMT_DIM);
    s->dim.name = name;
    s->dim.bound = bound;
    s->dim.value = value;
    return s;
}

MgAstStmt *mg_ast_require(MgParser *p, MgSpan span, MgAstExpr *cond, MgAstName text) {
    MgAstStmt *s = stmt(p, span, MG_STMT_REQUIRE);
    s->require.cond = cond;
    s->require.text = text;
    return s;
}

MgAstStmt *mg_ast_for(MgParser *p, MgSpan span, MgAstBinder *index, MgAstBlock body) {
    MgAstStmt *s = stmt(p, span, MG_STMT_FOR);
    s->for_.index = *index;
    s->for_.body = body;
    return s;
}

MgAstStmt *mg_ast_if(MgParser *p, MgSpan span, MgAstExpr *cond, MgAstBlock then, bool has_else,
                     MgAstBlock otherwise) {
    MgAstStmt *s = stmt(p, span, MG_STMT_IF);
    s->if_.cond = cond;
    s->if_.then = then;
    s->if_.has_else = has_else;
    s->if_.otherwise = otherwise;
    return s;
}

MgAstStmt *mg_ast_else_if(MgParser *p, MgSpan span, MgAstExpr *cond, MgAstBlock then,
                          MgAstStmt *otherwise) {
    MgAstStmts only = {0};
    mg_push(p->arena, &only, otherwise);
    return mg_ast_if(p, span, cond, then, true, mg_ast_block(p, otherwise->span, only));
}

MgAstStmt *mg_ast_values(MgParser *p, MgSpan span, MgAstStmtKind kind, MgAstExprs values) {
    MgAstStmt *s = stmt(p, span, kind);
    s->values = values;
    return s;
}

MgAstStmt *mg_ast_next(MgParser *p, MgSpan span, MgAstCarries next) {
    MgAstStmt *s = stmt(p, span, MG_STMT_NEXT);
    s->next = next;
    return s;
}
