// The index of a file's names: statements, expressions, types.
#include "frontend/symbols_internal.h"

// ---------------------------------------------------------------- expressions
static void range(MgIndexer *x, const MgAstRange *r) {
    if (r->first)
        mg_names_expr(x, r->first, MG_UNKNOWN_OUTSIDE);
    if (r->last)
        mg_names_expr(x, r->last, MG_UNKNOWN_OUTSIDE);
}

static void binder(MgIndexer *x, const MgAstBinder *b) {
    range(x, &b->range);
    mg_names_define(x, MG_SYMBOL_INDEX, b->name, true);
}

static void arguments(MgIndexer *x, const MgAstName *callee, const MgAstArgs *args) {
    for (uint32_t i = 0; i < args->len; i++) {
        if (args->at[i].name.sym)
            mg_names_attribute(x, *callee, args->at[i].name);
        mg_names_expr(x, args->at[i].value, MG_UNKNOWN_OUTSIDE);
    }
}

static void reduction(MgIndexer *x, const MgAstExpr *e) {
    uint32_t before = mg_names_enter(x, e->span, false);
    for (uint32_t i = 0; i < e->reduce.binders.len; i++)
        binder(x, &e->reduce.binders.at[i]);
    mg_names_expr(x, e->reduce.body, MG_UNKNOWN_OUTSIDE);
    x->scope = before;
}

void mg_names_expr(MgIndexer *x, const MgAstExpr *e, MgUnknown unknown) {
    switch (e->kind) {
    case MG_EXPR_INT:
    case MG_EXPR_FLOAT:
    case MG_EXPR_STRING:
        return;
    case MG_EXPR_NAME:
        mg_names_use(x, (MgAstName){e->name, e->span}, unknown);
        return;
    case MG_EXPR_LIST:
        for (uint32_t i = 0; i < e->list.len; i++)
            range(x, &e->list.at[i]);
        return;
    case MG_EXPR_UNARY:
        mg_names_expr(x, e->unary.operand, unknown);
        return;
    case MG_EXPR_BINARY:
        mg_names_expr(x, e->binary.left, unknown);
        mg_names_expr(x, e->binary.right, unknown);
        return;
    case MG_EXPR_REDUCE:
        reduction(x, e);
        return;
    case MG_EXPR_READ:
        mg_names_use(x, e->read.name, MG_UNKNOWN_OUTSIDE);
        mg_names_subs(x, &e->read.subs, MG_UNKNOWN_OUTSIDE);
        if (e->read.otherwise)
            mg_names_expr(x, e->read.otherwise, MG_UNKNOWN_OUTSIDE);
        return;
    case MG_EXPR_CALL:
        mg_names_use(x, e->call.name, MG_UNKNOWN_OUTSIDE);
        mg_names_subs(x, &e->call.index, MG_UNKNOWN_OUTSIDE);
        arguments(x, &e->call.name, &e->call.args);
        return;
    }
}

static void entry(MgIndexer *x, const MgAstSub *sub, MgUnknown unknown) {
    switch (sub->kind) {
    case MG_SUB_EXPR:
    case MG_SUB_ZIP:
    case MG_SUB_SOME:
        mg_names_expr(x, sub->expr, unknown);
        break;
    case MG_SUB_INDEX:
        binder(x, &sub->index);
        break;
    case MG_SUB_PACK:
        if (sub->index.range.first)
            binder(x, &sub->index);
        else
            mg_names_use(x, sub->index.name, unknown);
        break;
    case MG_SUB_TUPLE:
        mg_names_subs(x, &sub->tuple, unknown);
        break;
    }
    range(x, &sub->place);
}

void mg_names_subs(MgIndexer *x, const MgAstSubs *subs, MgUnknown unknown) {
    for (uint32_t i = 0; i < subs->len; i++)
        entry(x, &subs->at[i], unknown);
}

void mg_names_type(MgIndexer *x, const MgAstType *type) {
    if (mg_names_lookup(x, type->element.sym) != MG_NO_SYMBOL)
        mg_names_use(x, type->element, MG_UNKNOWN_OUTSIDE);
    mg_names_subs(x, &type->shape, MG_UNKNOWN_DIM);
}

// ---------------------------------------------------------------- statements
static void target(MgIndexer *x, MgSymbolKind kind, MgAstName name, const MgAstType *type) {
    uint32_t id = mg_names_define(x, kind, name, false);
    if (type && id != MG_NO_SYMBOL && !x->out->all.at[id].type)
        x->out->all.at[id].type = type;
    if (type)
        mg_names_type(x, type);
}

static void targets(MgIndexer *x, MgSymbolKind kind, const MgAstTargets *list) {
    for (uint32_t i = 0; i < list->len; i++)
        target(x, kind, list->at[i].name, list->at[i].type);
}

static void equation(MgIndexer *x, const MgAstStmt *st) {
    uint32_t before = mg_names_enter(x, st->span, false);
    mg_names_subs(x, &st->equation.subs, MG_UNKNOWN_INDEX);
    mg_names_expr(x, st->equation.value, MG_UNKNOWN_OUTSIDE);
    mg_names_use(x, st->equation.over, MG_UNKNOWN_OUTSIDE);
    x->scope = before;
    target(x, MG_SYMBOL_VALUE, st->equation.name, st->equation.type);
}

static void region(MgIndexer *x, const MgAstBlock *block) {
    uint32_t before = mg_names_enter(x, block->span, true);
    mg_names_block(x, block);
    x->scope = before;
}

static void loop(MgIndexer *x, const MgAstStmt *st) {
    for (uint32_t i = 0; i < st->loop.carries.len; i++)
        mg_names_expr(x, st->loop.carries.at[i].value, MG_UNKNOWN_OUTSIDE);
    uint32_t before = mg_names_enter(x, st->span, true);
    binder(x, &st->loop.index);
    for (uint32_t i = 0; i < st->loop.carries.len; i++)
        target(x, MG_SYMBOL_CARRY, st->loop.carries.at[i].name, st->loop.carries.at[i].type);
    if (st->loop.while_cond)
        mg_names_expr(x, st->loop.while_cond, MG_UNKNOWN_OUTSIDE);
    mg_names_block(x, &st->loop.body);
    x->scope = before;
    targets(x, MG_SYMBOL_VALUE, &st->loop.targets);
}

static void param(MgIndexer *x, const MgAstStmt *st) {
    MgSymbolKind tensor = st->kind == MG_STMT_PARAM ? MG_SYMBOL_PARAM : MG_SYMBOL_BUFFER;
    if (st->param.count)
        mg_names_expr(x, st->param.count, MG_UNKNOWN_OUTSIDE);
    if (st->param.layer)
        mg_names_expr(x, st->param.layer, MG_UNKNOWN_OUTSIDE);
    if (st->param.initial)
        mg_names_expr(x, st->param.initial, MG_UNKNOWN_OUTSIDE);
    target(x, st->param.layer ? MG_SYMBOL_INSTANCE : tensor, st->param.name, st->param.type);
}

static void counted(MgIndexer *x, const MgAstStmt *st) {
    uint32_t before = mg_names_enter(x, st->span, false);
    binder(x, &st->for_.index);
    mg_names_block(x, &st->for_.body);
    x->scope = before;
}

static void next(MgIndexer *x, const MgAstStmt *st) {
    for (uint32_t i = 0; i < st->next.len; i++) {
        mg_names_expr(x, st->next.at[i].value, MG_UNKNOWN_OUTSIDE);
        mg_names_use(x, st->next.at[i].name, MG_UNKNOWN_OUTSIDE);
    }
}

static void dim(MgIndexer *x, const MgAstStmt *st) {
    if (st->dim.bound)
        mg_names_expr(x, st->dim.bound, MG_UNKNOWN_OUTSIDE);
    mg_names_expr(x, st->dim.value, MG_UNKNOWN_OUTSIDE);
    mg_names_define(x, MG_SYMBOL_DIM, st->dim.name, false);
}

static void statement(MgIndexer *x, const MgAstStmt *st) {
    x->whole = st->span;
    switch (st->kind) {
    case MG_STMT_BIND:
    case MG_STMT_CONST:
        mg_names_expr(x, st->bind.value, MG_UNKNOWN_OUTSIDE);
        targets(x, st->kind == MG_STMT_BIND ? MG_SYMBOL_VALUE : MG_SYMBOL_CONST, &st->bind.targets);
        break;
    case MG_STMT_EQUATION:
        equation(x, st);
        break;
    case MG_STMT_IF_VALUE:
        mg_names_expr(x, st->if_value.cond, MG_UNKNOWN_OUTSIDE);
        region(x, &st->if_value.then);
        region(x, &st->if_value.otherwise);
        x->whole = st->span;
        targets(x, MG_SYMBOL_VALUE, &st->if_value.targets);
        break;
    case MG_STMT_LOOP:
        loop(x, st);
        break;
    case MG_STMT_FUSED:
        region(x, &st->fused.body);
        x->whole = st->span;
        targets(x, MG_SYMBOL_VALUE, &st->fused.targets);
        break;
    case MG_STMT_PARAM:
    case MG_STMT_BUFFER:
        param(x, st);
        break;
    case MG_STMT_DIM:
        dim(x, st);
        break;
    case MG_STMT_REQUIRE:
        mg_names_expr(x, st->require.cond, MG_UNKNOWN_OUTSIDE);
        mg_names_message(x, st->require.text);
        break;
    case MG_STMT_FOR:
        counted(x, st);
        break;
    case MG_STMT_IF:
        mg_names_expr(x, st->if_.cond, MG_UNKNOWN_OUTSIDE);
        mg_names_block(x, &st->if_.then);
        mg_names_block(x, &st->if_.otherwise);
        break;
    case MG_STMT_YIELD:
    case MG_STMT_EMIT:
        for (uint32_t i = 0; i < st->values.len; i++)
            mg_names_expr(x, st->values.at[i], MG_UNKNOWN_OUTSIDE);
        break;
    case MG_STMT_NEXT:
        next(x, st);
        break;
    }
}

void mg_names_block(MgIndexer *x, const MgAstBlock *block) {
    for (uint32_t i = 0; i < block->stmts.len; i++)
        statement(x, block->stmts.at[i]);
}
