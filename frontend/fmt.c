// The canonical form of a file: `mgc fmt`.
//
// The form has an indent of four columns, one statement on each line, and at most 100 columns where
// a line can be broken. A block of one statement that was written on one line stays there if it
// fits. Blank lines are kept, at most one in a row. Numbers and strings are printed as they were
// written. Parentheses are printed where the grammar needs them, where the user put them around
// more than an atom, and around a reduction or a read with `else` that is an operand, because
// readers misjudge how far those reach. A comment stays in its place: before the line that follows
// it, or at the end of its line. The output has the same tree as the input, and formatting it again
// changes nothing.
#include "frontend/fmt.h"

static const MgDoc *block(MgFmt *f, const MgAstBlock *b);

// ---------------------------------------------------------------- comments

// The line of an offset, from 1. (mg_place counts columns too, which takes time on long lines.)
static uint32_t line_of(const MgFmt *f, uint32_t offset) {
    uint32_t low = 0, high = f->source->n_lines;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (f->source->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

static const MgSpan *next_comment(const MgFmt *f) {
    return f->comment < f->file->comments.len ? &f->file->comments.at[f->comment] : NULL;
}

static bool comment_before(const MgFmt *f, uint32_t offset) {
    const MgSpan *c = next_comment(f);
    return c && c->begin < offset;
}

static bool comment_on_line(const MgFmt *f, uint32_t line) {
    const MgSpan *c = next_comment(f);
    return c && line_of(f, c->begin) == line;
}

// Adds the comment after `end` on the same line, if there is one before `limit`.
static void trailing(MgFmt *f, MgDocs *docs, uint32_t end, uint32_t limit) {
    if (!comment_before(f, limit) || !comment_on_line(f, line_of(f, end)))
        return;
    MgDocs inner = {0};
    say(f, &inner, "  ");
    add(f, &inner, written(f, *next_comment(f)));
    add(f, docs, mg_doc_trailing(f->arena, cat(f, inner), true));
    f->comment++;
}

// A sequence of lines: items, statements, and the comments between them.
typedef struct Lines {
    MgDocs docs;
    bool any;
    uint32_t last_line; // the source line of the last thing printed
} Lines;

static void next_line(MgFmt *f, Lines *l, uint32_t line) {
    if (l->any)
        add(f, &l->docs, line > l->last_line + 1 ? mg_doc_blank() : mg_doc_hard());
    l->any = true;
    l->last_line = line;
}

// Adds the comments before `offset`, each on a line of its own. `at` is the line that follows them.
static void leading(MgFmt *f, Lines *l, uint32_t offset, uint32_t at) {
    while (comment_before(f, offset)) {
        uint32_t line = line_of(f, next_comment(f)->begin);
        next_line(f, l, line < at ? line : at);
        add(f, &l->docs, written(f, *next_comment(f)));
        f->comment++;
    }
}

// Adds one element of a sequence. Comments before it, and comments inside it that no part of it has
// printed, go before it. A comment after it on its last line stays there.
static void unit(MgFmt *f, Lines *l, MgSpan span, uint32_t limit,
                 const MgDoc *(*print)(MgFmt *, const void *), const void *node) {
    uint32_t line = line_of(f, span.begin);
    leading(f, l, span.begin, line);
    const MgDoc *doc = print(f, node);
    leading(f, l, span.end, line);
    next_line(f, l, line);
    add(f, &l->docs, doc);
    l->last_line = line_of(f, span.end);
    trailing(f, &l->docs, span.end, limit);
}

// ---------------------------------------------------------------- statements

static void add_targets(MgFmt *f, MgDocs *docs, MgAstTargets targets) {
    for (uint32_t i = 0; i < targets.len; i++) {
        MgDocs target = {0};
        add(f, &target, path(f, targets.at[i].name));
        mg_fmt_add_type(f, &target, targets.at[i].type);
        item_of(f, docs, i, cat(f, target));
    }
    say(f, docs, " = ");
}

static void add_carries(MgFmt *f, MgDocs *docs, MgAstCarries carries) {
    for (uint32_t i = 0; i < carries.len; i++) {
        MgDocs carry = {0};
        add(f, &carry, path(f, carries.at[i].name));
        mg_fmt_add_type(f, &carry, carries.at[i].type);
        say(f, &carry, " = ");
        add(f, &carry, mg_fmt_expr(f, carries.at[i].value));
        item_of(f, docs, i, cat(f, carry));
    }
}

static void equation(MgFmt *f, MgDocs *docs, const MgAstStmt *s) {
    MgDocs value = {0};
    add(f, docs, path(f, s->equation.name));
    mg_fmt_add_subs(f, docs, s->equation.subs);
    mg_fmt_add_type(f, docs, s->equation.type);
    say(f, docs, s->equation.drop ? " else none = " : " = ");
    add(f, &value, mg_fmt_expr(f, s->equation.value));
    if (s->equation.over.sym) {
        MgDocs over = {0};
        say(f, &over, "over ");
        add(f, &over, path(f, s->equation.over));
        fill(f, &value, mg_doc_nest(f->arena, INDENT, cat(f, over)));
    }
    add(f, docs, cat(f, value));
}

static void loop(MgFmt *f, MgDocs *docs, const MgAstStmt *s) {
    MgDocs head = {0};
    add_targets(f, docs, s->loop.targets);
    say(f, docs, "loop ");
    if (s->loop.index.name.sym) {
        add(f, docs, name_as(f, s->loop.index.name.sym, MG_SPELL_IDENT));
        say(f, docs, " in ");
        add(f, docs, mg_fmt_range(f, s->loop.index.range));
        say(f, docs, " ");
    }
    say(f, &head, "carry (");
    add_carries(f, &head, s->loop.carries);
    say(f, &head, ")");
    if (s->loop.while_cond) {
        MgDocs condition = {0};
        say(f, &condition, "while ");
        add(f, &condition, mg_fmt_expr(f, s->loop.while_cond));
        fill(f, &head, cat(f, condition));
    }
    add(f, docs, nested(f, CONTINUATION, head));
    say(f, docs, " ");
    add(f, docs, block(f, &s->loop.body));
}

static void param(MgFmt *f, MgDocs *docs, const MgAstStmt *s) {
    say(f, docs, s->kind == MG_STMT_PARAM ? "param " : "buffer ");
    add(f, docs, path(f, s->param.name));
    if (s->param.count) {
        say(f, docs, "[");
        add(f, docs, mg_fmt_expr(f, s->param.count));
        say(f, docs, "]");
    }
    say(f, docs, ": ");
    add(f, docs, s->param.type ? mg_fmt_type(f, s->param.type) : mg_fmt_expr(f, s->param.layer));
    if (s->param.initial) {
        say(f, docs, " = ");
        add(f, docs, mg_fmt_expr(f, s->param.initial));
    }
    if (s->param.has_key) {
        say(f, docs, " as ");
        add(f, docs, written(f, s->param.key.span));
    }
}

static void require(MgFmt *f, MgDocs *docs, const MgAstExpr *cond, MgAstName message) {
    say(f, docs, "require ");
    add(f, docs, mg_fmt_expr(f, cond));
    if (message.span.source) {
        say(f, docs, " : ");
        add(f, docs, written(f, message.span));
    }
}

static void static_if(MgFmt *f, MgDocs *docs, const MgAstStmt *s) {
    say(f, docs, "if ");
    add(f, docs, mg_doc_nest(f->arena, CONTINUATION, mg_fmt_expr(f, s->if_.cond)));
    say(f, docs, " ");
    add(f, docs, block(f, &s->if_.then));
    if (!s->if_.has_else)
        return;
    say(f, docs, " else ");
    bool chained = f->source->text[s->if_.otherwise.span.begin] != '{';
    if (chained)
        static_if(f, docs, s->if_.otherwise.stmts.at[0]);
    else
        add(f, docs, block(f, &s->if_.otherwise));
}

static void if_value(MgFmt *f, MgDocs *docs, const MgAstStmt *s) {
    add_targets(f, docs, s->if_value.targets);
    say(f, docs, "if ");
    add(f, docs, mg_doc_nest(f->arena, CONTINUATION, mg_fmt_expr(f, s->if_value.cond)));
    say(f, docs, " ");
    add(f, docs, block(f, &s->if_value.then));
    say(f, docs, " else ");
    add(f, docs, block(f, &s->if_value.otherwise));
}

static void dim(MgFmt *f, MgDocs *docs, const MgAstStmt *s) {
    say(f, docs, "dim ");
    add(f, docs, name(f, s->dim.name));
    if (s->dim.bound) {
        say(f, docs, " <= ");
        add(f, docs, mg_fmt_expr(f, s->dim.bound));
    }
    say(f, docs, " = ");
    add(f, docs, mg_fmt_expr(f, s->dim.value));
}

static void stmt_parts(MgFmt *f, MgDocs *docs, const MgAstStmt *s) {
    switch (s->kind) {
    case MG_STMT_CONST:
        say(f, docs, "const ");
        // fall through
    case MG_STMT_BIND:
        add_targets(f, docs, s->bind.targets);
        add(f, docs, mg_fmt_expr(f, s->bind.value));
        break;
    case MG_STMT_EQUATION:
        equation(f, docs, s);
        break;
    case MG_STMT_IF_VALUE:
        if_value(f, docs, s);
        break;
    case MG_STMT_LOOP:
        loop(f, docs, s);
        break;
    case MG_STMT_FUSED:
        add_targets(f, docs, s->fused.targets);
        say(f, docs, "fused ");
        add(f, docs, block(f, &s->fused.body));
        break;
    case MG_STMT_PARAM:
    case MG_STMT_BUFFER:
        param(f, docs, s);
        break;
    case MG_STMT_DIM:
        dim(f, docs, s);
        break;
    case MG_STMT_REQUIRE:
        require(f, docs, s->require.cond, s->require.text);
        break;
    case MG_STMT_FOR:
        say(f, docs, "for ");
        add(f, docs, mg_fmt_binder(f, &s->for_.index));
        say(f, docs, " ");
        add(f, docs, block(f, &s->for_.body));
        break;
    case MG_STMT_IF:
        static_if(f, docs, s);
        break;
    case MG_STMT_YIELD:
    case MG_STMT_EMIT:
        say(f, docs, s->kind == MG_STMT_YIELD ? "yield " : "emit ");
        for (uint32_t i = 0; i < s->values.len; i++)
            item_of(f, docs, i, mg_fmt_expr(f, s->values.at[i]));
        break;
    case MG_STMT_NEXT:
        say(f, docs, "next ");
        add_carries(f, docs, s->next);
        break;
    }
}

static void annotations(MgFmt *f, MgDocs *docs, const MgAstAnnots *annots) {
    for (uint32_t i = 0; i < annots->len; i++) {
        const MgAstAnnot *a = &annots->at[i];
        MgDocs annot = {0};
        say(f, &annot, " #");
        add(f, &annot, name_as(f, a->name.sym, MG_SPELL_WORD));
        if (f->source->text[a->span.end - 1] == ')')
            mg_fmt_add_args(f, &annot, a->args);
        add(f, docs, mg_doc_trailing(f->arena, cat(f, annot), false));
    }
}

static const MgDoc *stmt(MgFmt *f, const void *node) {
    const MgAstStmt *s = node;
    MgDocs docs = {0};
    stmt_parts(f, &docs, s);
    annotations(f, &docs, &s->annots);
    return group(f, docs);
}

static MgSpan stmt_span(const MgAstStmt *s) {
    MgSpan span = s->span;
    for (uint32_t i = 0; i < s->annots.len; i++)
        span = mg_span_join(span, s->annots.at[i].span);
    return span;
}

static bool comment_between(const MgFmt *f, uint32_t begin, uint32_t end) {
    for (uint32_t i = f->comment; begin < end && i < f->file->comments.len; i++)
        if (f->file->comments.at[i].begin >= begin)
            return f->file->comments.at[i].begin < end;
    return false;
}

// A block of one statement may stay on one line if it was written on one. Every other block is
// broken.
static const MgDoc *block(MgFmt *f, const MgAstBlock *b) {
    MgDocs docs = {0};
    Lines lines = {0};
    uint32_t line = line_of(f, b->span.begin);
    bool inline_ =
        line == line_of(f, b->span.end) && b->stmts.len == 1 && !comment_before(f, b->span.end);
    if (!b->stmts.len && !comment_before(f, b->span.end))
        return text(f, "{}");
    say(f, &docs, "{");
    if (!comment_before(f, b->span.begin))
        trailing(f, &docs, b->span.begin, b->stmts.len ? b->stmts.at[0]->span.begin : b->span.end);
    for (uint32_t i = 0; i < b->stmts.len; i++) {
        bool last = i + 1 == b->stmts.len;
        uint32_t limit = last ? b->span.end : b->stmts.at[i + 1]->span.begin;
        MgSpan span = stmt_span(b->stmts.at[i]);
        if (comment_between(f, b->stmts.at[i]->span.end, span.end))
            leading(f, &lines, span.end, line_of(f, span.begin)); // all of them, in order
        unit(f, &lines, span, limit, stmt, b->stmts.at[i]);
    }
    leading(f, &lines, b->span.end, UINT32_MAX);
    MgDocs body = {0};
    add(f, &body, inline_ ? mg_doc_line() : mg_doc_hard());
    add(f, &body, cat(f, lines.docs));
    add(f, &docs, nested(f, INDENT, body));
    add(f, &docs, inline_ ? mg_doc_line() : mg_doc_hard());
    say(f, &docs, "}");
    return cat(f, docs);
}

// ---------------------------------------------------------------- items

static const MgDoc *item_param(MgFmt *f, const void *node) {
    const MgAstParam *p = node;
    MgDocs docs = {0};
    add(f, &docs, name_as(f, p->name.sym, MG_SPELL_PATH | MG_SPELL_WORD));
    say(f, &docs, ": ");
    if (p->kind != MG_PARAM_ENUM)
        add(f, &docs, mg_fmt_type(f, &p->type));
    for (uint32_t i = 0; i < p->choices.len; i++) {
        MgDocs choice = {0};
        say(f, &choice, i ? "| " : "");
        add(f, &choice, written(f, p->choices.at[i].span));
        if (i)
            fill(f, &docs, cat(f, choice));
        else
            add(f, &docs, cat(f, choice));
    }
    say(f, &docs, p->optional ? "?" : p->variadic ? "..." : "");
    if (p->initial) {
        say(f, &docs, " = ");
        add(f, &docs, mg_fmt_expr(f, p->initial));
    }
    return cat(f, docs);
}

// Does the item contain a comment after its parameters?
static bool comment_after(const MgFmt *f, const MgAstItem *it) {
    uint32_t end = it->params.len ? it->params.at[it->params.len - 1].span.end : 0;
    for (uint32_t i = f->comment; i < f->file->comments.len; i++) {
        uint32_t at = f->file->comments.at[i].begin;
        // A comment on their last line stays there.
        if (at >= end && line_of(f, at) != line_of(f, end))
            return at < it->span.end;
    }
    return false;
}

// Parameters fill their lines. If there are comments among them, each parameter has its own line.
static void add_params(MgFmt *f, MgDocs *docs, const MgAstItem *it) {
    MgDocs inner = {0};
    MgAstParams params = it->params;
    bool commented = params.len && comment_before(f, params.at[params.len - 1].span.end);
    if (it->kind == MG_ITEM_BUILTIN && !it->clauses.len && comment_after(f, it))
        commented = false; // all comments go before the item, which keeps their order
    if (commented) {
        Lines lines = {.any = true};
        for (uint32_t i = 0; i < params.len; i++) {
            const MgAstParam *p = &params.at[i];
            leading(f, &lines, p->span.end, 0);
            next_line(f, &lines, 0);
            add(f, &lines.docs, item_param(f, p));
            say(f, &lines.docs, i + 1 < params.len ? "," : "");
            trailing(f, &lines.docs, p->span.end,
                     i + 1 < params.len ? params.at[i + 1].span.begin : it->span.end);
        }
        add(f, &lines.docs, mg_doc_hard());
        inner = lines.docs;
    }
    for (uint32_t i = 0; i < params.len && !commented; i++)
        item_of(f, &inner, i, item_param(f, &params.at[i]));
    say(f, docs, "(");
    add(f, docs, nested(f, CONTINUATION, inner));
    say(f, docs, ")");
}

static void add_results(MgFmt *f, MgDocs *docs, const MgAstItem *it) {
    MgDocs inner = {0}, all = {0};
    if (!it->has_results)
        return;
    for (uint32_t i = 0; i < it->results.len; i++) {
        const MgAstResult *r = &it->results.at[i];
        MgDocs result = {0};
        add(f, &result, path(f, r->name));
        mg_fmt_add_type(f, &result, r->type);
        say(f, &result, r->variadic ? "..." : "");
        if (r->over.sym) {
            say(f, &result, " over ");
            add(f, &result, path(f, r->over));
        }
        item_of(f, &inner, i, cat(f, result));
    }
    say(f, &all, "-> (");
    add(f, &all, nested(f, INDENT, inner));
    say(f, &all, ")");
    MgDocs arrow = {0};
    fill(f, &arrow, cat(f, all));
    add(f, docs, nested(f, INDENT, arrow));
}

static const MgDoc *clause(MgFmt *f, const void *node) {
    const MgAstClause *c = node;
    MgDocs docs = {0};
    switch (c->kind) {
    case MG_CLAUSE_REQUIRE:
        require(f, &docs, c->expr, c->text);
        annotations(f, &docs, &c->annots);
        break;
    case MG_CLAUSE_WEIGHTS:
        say(f, &docs, "weights ");
        add(f, &docs, written(f, c->text.span));
        break;
    case MG_CLAUSE_LET:
    case MG_CLAUSE_LET_PACK:
        say(f, &docs, c->kind == MG_CLAUSE_LET ? "let " : "let ..");
        add(f, &docs, name(f, c->name));
        say(f, &docs, " = ");
        add(f, &docs, mg_fmt_expr(f, c->expr));
        break;
    case MG_CLAUSE_BROADCAST:
    case MG_CLAUSE_TRAINING:
        say(f, &docs, c->kind == MG_CLAUSE_TRAINING ? "training " : "broadcast ");
        add(f, &docs, name(f, c->name));
        break;
    }
    return cat(f, docs);
}

static void add_head(MgFmt *f, MgDocs *docs, const MgAstItem *it) {
    static const char *const kinds[] = {"graph ", "layer ", "op ", "builtin op ", "derivative of "};
    say(f, docs, kinds[it->kind]);
    add(f, docs, name_as(f, it->name.sym, MG_SPELL_PATH | MG_SPELL_REDUCER));
    for (uint32_t i = 0; i < it->type_params.len; i++) {
        const MgAstTypeParam *t = &it->type_params.at[i];
        say(f, docs, i ? ", " : "<");
        add(f, docs, name(f, t->name));
        say(f, docs, ": ");
        add(f, docs, name_as(f, t->constraint.sym, MG_SPELL_WORD));
    }
    say(f, docs, it->type_params.len ? ">" : "");
    add_params(f, docs, it);
    add_results(f, docs, it);
}

static const MgDoc *item(MgFmt *f, const void *node) {
    const MgAstItem *it = node;
    MgDocs docs = {0}, clauses = {0};
    add_head(f, &docs, it);
    bool brace = it->kind != MG_ITEM_BUILTIN && !it->clauses.len;
    if (brace) // it stays on the head's line if the head is one line
        add(f, &docs, mg_doc_line());
    const MgDoc *head = group(f, docs);
    docs = (MgDocs){0};
    add(f, &docs, head);
    for (uint32_t i = 0; i < it->clauses.len; i++) {
        const MgAstClause *c = &it->clauses.at[i];
        add(f, &clauses, mg_doc_line());
        while (comment_before(f, c->span.end)) {
            add(f, &clauses, written(f, *next_comment(f)));
            add(f, &clauses, mg_doc_hard());
            f->comment++;
        }
        add(f, &clauses, clause(f, c));
        uint32_t limit = i + 1 < it->clauses.len       ? it->clauses.at[i + 1].span.begin
                         : it->kind == MG_ITEM_BUILTIN ? c->span.end
                                                       : it->body.span.begin;
        trailing(f, &clauses, c->span.end, limit);
    }
    add(f, &docs, nested(f, INDENT, clauses));
    if (it->kind != MG_ITEM_BUILTIN) {
        if (!brace)
            add(f, &docs, mg_doc_line());
        add(f, &docs, block(f, &it->body));
    }
    return group(f, docs);
}

static const MgDoc *import(MgFmt *f, const void *node) {
    const MgAstImport *m = node;
    MgDocs docs = {0};
    say(f, &docs, "import ");
    if (m->from_file) {
        add(f, &docs, written(f, m->file.span));
        say(f, &docs, " as ");
        add(f, &docs, name(f, m->alias));
    } else {
        add(f, &docs, path(f, m->name));
    }
    return cat(f, docs);
}

static const MgDoc *version(MgFmt *f, const void *node) {
    const MgAstFile *file = node;
    return text(f, mg_arena_printf(f->arena, "mg %u", file->version));
}

// The beginning of item or import number i. Comments from here on belong to it.
static uint32_t item_limit(const MgAstFile *file, uint32_t i) {
    return i < file->items.len ? file->items.at[i]->span.begin : UINT32_MAX;
}

static uint32_t import_limit(const MgAstFile *file, uint32_t i) {
    return i < file->imports.len ? file->imports.at[i].span.begin : item_limit(file, 0);
}

void mg_fmt(const MgSession *session, const MgAstFile *file, MgText *out) {
    MgArena *scratch = mg_arena_new(session->mem);
    MgFmt f = {.session = session, .file = file, .arena = scratch};
    f.source = &session->sources.all.at[file->source];
    Lines lines = {0};
    unit(&f, &lines, file->version_span, import_limit(file, 0), version, file);
    for (uint32_t i = 0; i < file->imports.len; i++)
        unit(&f, &lines, file->imports.at[i].span, import_limit(file, i + 1), import,
             &file->imports.at[i]);
    for (uint32_t i = 0; i < file->items.len; i++)
        unit(&f, &lines, file->items.at[i]->span, item_limit(file, i + 1), item, file->items.at[i]);
    leading(&f, &lines, UINT32_MAX, UINT32_MAX);
    mg_doc_print(scratch, cat(&f, lines.docs), WIDTH, out);
    mg_arena_free(scratch);
}
