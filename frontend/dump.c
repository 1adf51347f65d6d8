// Prints the tree as indented text, with one node on each line. `--emit-ast` prints it, and tests
// use it to compare trees.
//
// Parentheses that the grammar does not need are not part of the tree, so they are not shown.
#include "frontend/ast.h"

typedef struct Dump {
    const MgSession *session;
    MgText *out;
    bool places;
    uint32_t indent;
} Dump;

static void expr(Dump *d, const char *role, const MgAstExpr *e);
static void subs(Dump *d, const char *role, MgAstSubs list);
static void block(Dump *d, const char *role, const MgAstBlock *b);

// ---------------------------------------------------------------- lines

// Begins the line of a node. The caller adds text and then calls `finish`.
static void begin(Dump *d, const char *what) {
    for (uint32_t i = 0; i < d->indent; i++)
        mg_text_add(d->out, "  ");
    mg_text_add(d->out, what);
}

static void finish(Dump *d, MgSpan span) {
    if (d->places && span.source) {
        MgPlace place = mg_place(d->session, span.source, span.begin);
        mg_textf(d->out, "  @%u:%u", place.line, place.column);
    }
    mg_text_add(d->out, "\n");
}

static const char *text(const Dump *d, MgSym sym) {
    return mg_name(d->session->names, sym);
}

static void word(Dump *d, const char *label, MgSym sym) {
    mg_textf(d->out, " %s`%s`", label, text(d, sym));
}

static void quoted(Dump *d, MgSym sym) {
    mg_text_add(d->out, " \"");
    for (const char *c = text(d, sym); *c; c++)
        if (*c == '\n')
            mg_text_add(d->out, "\\n");
        else
            mg_text_add_n(d->out, c, 1);
    mg_text_add(d->out, "\"");
}

// Prints a line for a node. The lines after it are indented below it.
static void open_node(Dump *d, const char *what, MgAstName name, MgSpan span) {
    begin(d, what);
    if (name.sym)
        word(d, "", name.sym);
    finish(d, span);
    d->indent++;
}

static void close_node(Dump *d) {
    d->indent--;
}

static const MgAstName unnamed;

// ---------------------------------------------------------------- expressions

static void range(Dump *d, const char *role, MgAstRange r) {
    if (!r.first)
        return;
    if (!r.last) {
        expr(d, role, r.first);
        return;
    }
    begin(d, role);
    mg_text_add(d->out, r.closed ? "..=" : "..");
    finish(d, r.span);
    d->indent++;
    expr(d, "", r.first);
    expr(d, "", r.last);
    d->indent--;
}

static void binder(Dump *d, const MgAstBinder *b) {
    open_node(d, b->pack ? "pack" : "index", b->name, b->span);
    range(d, "in ", b->range);
    close_node(d);
}

static void args(Dump *d, MgAstArgs list) {
    for (uint32_t i = 0; i < list.len; i++) {
        const MgAstArg *a = &list.at[i];
        if (a->name.sym)
            expr(d, mg_arena_printf(d->out->arena, "%s = ", text(d, a->name.sym)), a->value);
        else
            expr(d, "", a->value);
    }
}

static void expr_children(Dump *d, const MgAstExpr *e) {
    switch (e->kind) {
    case MG_EXPR_LIST:
        for (uint32_t i = 0; i < e->list.len; i++)
            range(d, "", e->list.at[i]);
        break;
    case MG_EXPR_UNARY:
        expr(d, "", e->unary.operand);
        break;
    case MG_EXPR_BINARY:
        expr(d, "", e->binary.left);
        expr(d, "", e->binary.right);
        break;
    case MG_EXPR_REDUCE:
        for (uint32_t i = 0; i < e->reduce.binders.len; i++)
            binder(d, &e->reduce.binders.at[i]);
        expr(d, "", e->reduce.body);
        break;
    case MG_EXPR_READ:
        subs(d, "at", e->read.subs);
        if (e->read.otherwise)
            expr(d, "else ", e->read.otherwise);
        break;
    case MG_EXPR_CALL:
        if (e->call.indexed)
            subs(d, "at", e->call.index);
        args(d, e->call.args);
        break;
    default:
        break;
    }
}

static void expr(Dump *d, const char *role, const MgAstExpr *e) {
    static const char *const kinds[] = {"int",   "float",  "string", "name", "list",
                                        "unary", "binary", "reduce", "read", "call"};
    begin(d, role);
    mg_text_add(d->out, kinds[e->kind]);
    switch (e->kind) {
    case MG_EXPR_INT:
        mg_textf(d->out, " %llu", (unsigned long long)e->integer);
        break;
    case MG_EXPR_FLOAT:
        mg_textf(d->out, " %s", mg_float_str(d->out->arena, e->number.value, false));
        break;
    case MG_EXPR_STRING:
        quoted(d, e->string);
        break;
    case MG_EXPR_NAME:
        word(d, "", e->name);
        break;
    case MG_EXPR_UNARY:
        mg_textf(d->out, " %s", mg_ast_op_text(e->unary.op));
        break;
    case MG_EXPR_BINARY:
        mg_textf(d->out, " %s", mg_ast_op_text(e->binary.op));
        break;
    case MG_EXPR_REDUCE:
        word(d, "", e->reduce.reducer.sym);
        break;
    case MG_EXPR_READ:
        word(d, "", e->read.name.sym);
        break;
    case MG_EXPR_CALL:
        word(d, "", e->call.name.sym);
        break;
    case MG_EXPR_LIST:
        break;
    }
    finish(d, e->span);
    d->indent++;
    expr_children(d, e);
    d->indent--;
}

static void sub(Dump *d, const MgAstSub *s) {
    switch (s->kind) {
    case MG_SUB_EXPR:
        expr(d, "", s->expr);
        break;
    case MG_SUB_INDEX:
    case MG_SUB_PACK:
        binder(d, &s->index);
        break;
    case MG_SUB_ZIP:
        expr(d, "zip ", s->expr);
        break;
    case MG_SUB_SOME:
        expr(d, "some ", s->expr);
        break;
    case MG_SUB_TUPLE:
        open_node(d, "tuple", unnamed, s->span);
        for (uint32_t i = 0; i < s->tuple.len; i++)
            sub(d, &s->tuple.at[i]);
        close_node(d);
        break;
    }
    d->indent++;
    range(d, "@ ", s->place);
    d->indent--;
}

static void subs(Dump *d, const char *role, MgAstSubs list) {
    begin(d, role);
    mg_text_add(d->out, list.len ? "\n" : " []\n");
    d->indent++;
    for (uint32_t i = 0; i < list.len; i++)
        sub(d, &list.at[i]);
    d->indent--;
}

static void type(Dump *d, const MgAstType *t) {
    if (!t)
        return;
    open_node(d, "type", t->element, t->span);
    if (t->has_shape)
        subs(d, "shape", t->shape);
    close_node(d);
}

// ---------------------------------------------------------------- statements

static void targets(Dump *d, MgAstTargets list) {
    for (uint32_t i = 0; i < list.len; i++) {
        open_node(d, "target", list.at[i].name, list.at[i].span);
        type(d, list.at[i].type);
        close_node(d);
    }
}

static void carries(Dump *d, MgAstCarries list) {
    for (uint32_t i = 0; i < list.len; i++) {
        open_node(d, "carry", list.at[i].name, list.at[i].span);
        type(d, list.at[i].type);
        expr(d, "", list.at[i].value);
        close_node(d);
    }
}

static void text_line(Dump *d, const char *what, MgAstName name) {
    if (!name.span.source)
        return;
    begin(d, what);
    quoted(d, name.sym);
    finish(d, name.span);
}

static void loop(Dump *d, const MgAstStmt *s) {
    targets(d, s->loop.targets);
    if (s->loop.index.name.sym)
        binder(d, &s->loop.index);
    carries(d, s->loop.carries);
    if (s->loop.while_cond)
        expr(d, "while ", s->loop.while_cond);
    block(d, "body", &s->loop.body);
}

static void equation(Dump *d, const MgAstStmt *s) {
    subs(d, "at", s->equation.subs);
    type(d, s->equation.type);
    if (s->equation.drop) {
        begin(d, "else none\n");
    }
    expr(d, "", s->equation.value);
    if (s->equation.over.sym)
        open_node(d, "over", s->equation.over, s->equation.over.span), close_node(d);
}

static void param(Dump *d, const MgAstStmt *s) {
    if (s->param.count)
        expr(d, "count ", s->param.count);
    type(d, s->param.type);
    if (s->param.layer)
        expr(d, "layer ", s->param.layer);
    if (s->param.initial)
        expr(d, "initial ", s->param.initial);
    text_line(d, "key", s->param.key);
}

static void stmt_children(Dump *d, const MgAstStmt *s) {
    switch (s->kind) {
    case MG_STMT_BIND:
    case MG_STMT_CONST:
        targets(d, s->bind.targets);
        expr(d, "", s->bind.value);
        break;
    case MG_STMT_EQUATION:
        equation(d, s);
        break;
    case MG_STMT_IF_VALUE:
        targets(d, s->if_value.targets);
        expr(d, "", s->if_value.cond);
        block(d, "then", &s->if_value.then);
        block(d, "else", &s->if_value.otherwise);
        break;
    case MG_STMT_LOOP:
        loop(d, s);
        break;
    case MG_STMT_FUSED:
        targets(d, s->fused.targets);
        block(d, "body", &s->fused.body);
        break;
    case MG_STMT_PARAM:
    case MG_STMT_BUFFER:
        param(d, s);
        break;
    case MG_STMT_DIM:
        if (s->dim.bound)
            expr(d, "<= ", s->dim.bound);
        expr(d, "", s->dim.value);
        break;
    case MG_STMT_REQUIRE:
        expr(d, "", s->require.cond);
        text_line(d, "message", s->require.text);
        break;
    case MG_STMT_FOR:
        binder(d, &s->for_.index);
        block(d, "body", &s->for_.body);
        break;
    case MG_STMT_IF:
        expr(d, "", s->if_.cond);
        block(d, "then", &s->if_.then);
        if (s->if_.has_else)
            block(d, "else", &s->if_.otherwise);
        break;
    case MG_STMT_YIELD:
    case MG_STMT_EMIT:
        for (uint32_t i = 0; i < s->values.len; i++)
            expr(d, "", s->values.at[i]);
        break;
    case MG_STMT_NEXT:
        carries(d, s->next);
        break;
    }
}

static MgAstName stmt_name(const MgAstStmt *s) {
    switch (s->kind) {
    case MG_STMT_EQUATION:
        return s->equation.name;
    case MG_STMT_PARAM:
    case MG_STMT_BUFFER:
        return s->param.name;
    case MG_STMT_DIM:
        return s->dim.name;
    default:
        return unnamed;
    }
}

static void annotations(Dump *d, const MgAstAnnots *annots) {
    for (uint32_t i = 0; i < annots->len; i++) {
        open_node(d, "annotation", annots->at[i].name, annots->at[i].span);
        args(d, annots->at[i].args);
        close_node(d);
    }
}

static void stmt(Dump *d, const MgAstStmt *s) {
    static const char *const kinds[] = {"bind",  "const", "equation", "if value", "loop",
                                        "fused", "param", "buffer",   "dim",      "require",
                                        "for",   "if",    "yield",    "emit",     "next"};
    open_node(d, kinds[s->kind], stmt_name(s), s->span);
    stmt_children(d, s);
    annotations(d, &s->annots);
    close_node(d);
}

static void block(Dump *d, const char *role, const MgAstBlock *b) {
    open_node(d, role, unnamed, b->span);
    for (uint32_t i = 0; i < b->stmts.len; i++)
        stmt(d, b->stmts.at[i]);
    close_node(d);
}

// ---------------------------------------------------------------- items

static void item_param(Dump *d, const MgAstParam *p) {
    static const char *const kinds[] = {"tensor", "int", "float", "str", "type", "bool", "enum"};
    begin(d, p->kind ? "attribute" : "operand");
    word(d, "", p->name.sym);
    mg_textf(d->out, " %s%s%s%s", kinds[p->kind], p->kind && p->type.has_shape ? " list" : "",
             p->optional ? " optional" : "", p->variadic ? " variadic" : "");
    finish(d, p->span);
    d->indent++;
    if (p->kind == MG_PARAM_TENSOR || p->type.has_shape)
        type(d, &p->type);
    for (uint32_t i = 0; i < p->choices.len; i++)
        text_line(d, "choice", p->choices.at[i]);
    if (p->initial)
        expr(d, "default ", p->initial);
    d->indent--;
}

static void item_result(Dump *d, const MgAstResult *r) {
    open_node(d, r->variadic ? "result variadic" : "result", r->name, r->span);
    type(d, r->type);
    if (r->over.sym)
        open_node(d, "over", r->over, r->over.span), close_node(d);
    close_node(d);
}

static void clause(Dump *d, const MgAstClause *c) {
    static const char *const kinds[] = {"require",  "weights",   "let",
                                        "let pack", "broadcast", "training"};
    open_node(d, kinds[c->kind], c->name, c->span);
    if (c->expr)
        expr(d, "", c->expr);
    text_line(d, c->kind == MG_CLAUSE_WEIGHTS ? "file" : "message", c->text);
    annotations(d, &c->annots);
    close_node(d);
}

static void item(Dump *d, const MgAstItem *it) {
    static const char *const kinds[] = {"graph", "layer", "op", "builtin op", "derivative of"};
    open_node(d, kinds[it->kind], it->name, it->span);
    for (uint32_t i = 0; i < it->type_params.len; i++) {
        const MgAstTypeParam *t = &it->type_params.at[i];
        begin(d, "type parameter");
        word(d, "", t->name.sym);
        mg_textf(d->out, " %s", text(d, t->constraint.sym));
        finish(d, t->span);
    }
    for (uint32_t i = 0; i < it->params.len; i++)
        item_param(d, &it->params.at[i]);
    if (!it->has_results)
        begin(d, "no results\n");
    for (uint32_t i = 0; i < it->results.len; i++)
        item_result(d, &it->results.at[i]);
    for (uint32_t i = 0; i < it->clauses.len; i++)
        clause(d, &it->clauses.at[i]);
    if (it->kind != MG_ITEM_BUILTIN)
        block(d, "body", &it->body);
    close_node(d);
}

void mg_ast_dump(const MgSession *session, const MgAstFile *file, bool places, MgText *out) {
    Dump d = {.session = session, .out = out, .places = places};
    mg_textf(out, "file version %u\n", file->version);
    d.indent++;
    for (uint32_t i = 0; i < file->imports.len; i++) {
        const MgAstImport *m = &file->imports.at[i];
        begin(&d, "import");
        if (m->from_file)
            quoted(&d, m->file.sym);
        word(&d, m->from_file ? "as " : "", m->alias.sym);
        finish(&d, m->span);
    }
    for (uint32_t i = 0; i < file->items.len; i++)
        item(&d, file->items.at[i]);
}
