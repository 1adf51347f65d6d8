// The state that the formatter's files share, and short names for building documents.
#ifndef MG_FRONTEND_FMT_H
#define MG_FRONTEND_FMT_H

#include "frontend/ast.h"
#include "frontend/doc.h"
#include "frontend/spell.h"

enum { INDENT = 4, CONTINUATION = 8, WIDTH = 100 };

typedef struct MgFmt {
    const MgSession *session;
    const MgAstFile *file;
    const MgSource *source;
    MgArena *arena;
    uint32_t comment; // number of the next comment to print
} MgFmt;

static inline const MgDoc *text(MgFmt *f, const char *string) {
    return mg_doc_text(f->arena, string, strlen(string));
}

static inline const MgDoc *written(MgFmt *f, MgSpan span) {
    return mg_doc_text(f->arena, f->source->text + span.begin, span.end - span.begin);
}

static inline void add(MgFmt *f, MgDocs *docs, const MgDoc *doc) {
    mg_push(f->arena, docs, doc);
}

static inline void say(MgFmt *f, MgDocs *docs, const char *string) {
    add(f, docs, text(f, string));
}

static inline const MgDoc *cat(MgFmt *f, MgDocs docs) {
    return mg_doc_cat(f->arena, docs);
}

static inline const MgDoc *group(MgFmt *f, MgDocs docs) {
    return mg_doc_group(f->arena, cat(f, docs));
}

static inline const MgDoc *name_as(MgFmt *f, MgSym sym, unsigned where) {
    MgText out = mg_text(f->arena);
    mg_spell_name(f->session->names, sym, where, &out);
    return text(f, mg_text_str(&out));
}

static inline const MgDoc *path(MgFmt *f, MgAstName name) {
    return name_as(f, name.sym, MG_SPELL_PATH);
}

static inline const MgDoc *name(MgFmt *f, MgAstName name) {
    return name_as(f, name.sym, 0);
}

// Adds a part after a space, or on a new line if it does not fit.
static inline void fill(MgFmt *f, MgDocs *docs, const MgDoc *part) {
    MgDocs both = {0};
    add(f, &both, mg_doc_line());
    add(f, &both, part);
    add(f, docs, group(f, both));
}

// Adds part number i of a comma-separated list that fills its lines.
static inline void item_of(MgFmt *f, MgDocs *docs, uint32_t i, const MgDoc *part) {
    if (!i) {
        add(f, docs, part);
        return;
    }
    say(f, docs, ",");
    fill(f, docs, part);
}

static inline const MgDoc *nested(MgFmt *f, uint32_t columns, MgDocs docs) {
    return mg_doc_nest(f->arena, columns, cat(f, docs));
}

// ---- fmt_expr.c
const MgDoc *mg_fmt_expr(MgFmt *f, const MgAstExpr *e);
const MgDoc *mg_fmt_range(MgFmt *f, MgAstRange r);
const MgDoc *mg_fmt_binder(MgFmt *f, const MgAstBinder *b);
const MgDoc *mg_fmt_type(MgFmt *f, const MgAstType *t);
// `: type`, or nothing if there is none.
void mg_fmt_add_type(MgFmt *f, MgDocs *docs, const MgAstType *t);
void mg_fmt_add_args(MgFmt *f, MgDocs *docs, MgAstArgs args); // with its parentheses
void mg_fmt_add_subs(MgFmt *f, MgDocs *docs, MgAstSubs subs); // with its brackets

#endif
