// Lays out documents.
#include "frontend/doc.h"

typedef enum Kind { TEXT, LINE, HARD, BLANK, CAT, GROUP, NEST, TRAILING } Kind;

struct MgDoc {
    Kind kind;
    bool breaks;      // it is certain to contain a line end
    uint32_t columns; // of a NEST, its indent; of a TEXT, its width in characters
    const char *text;
    size_t length;
    const MgDoc *inner;
    MgDocs parts;
};

static MgDoc *make(MgArena *arena, Kind kind, const MgDoc *inner) {
    MgDoc *d = MG_NEW(arena, MgDoc);
    d->kind = kind;
    d->inner = inner;
    d->breaks = inner && inner->breaks;
    return d;
}

const MgDoc *mg_doc_text(MgArena *arena, const char *text, size_t length) {
    MgDoc *d = make(arena, TEXT, NULL);
    d->text = text;
    d->length = length;
    d->columns = (uint32_t)mg_columns(text, length);
    return d;
}

const MgDoc *mg_doc_line(void) {
    static const MgDoc line = {.kind = LINE};
    return &line;
}

const MgDoc *mg_doc_hard(void) {
    static const MgDoc hard = {.kind = HARD, .breaks = true};
    return &hard;
}

const MgDoc *mg_doc_blank(void) {
    static const MgDoc blank = {.kind = BLANK, .breaks = true};
    return &blank;
}

const MgDoc *mg_doc_cat(MgArena *arena, MgDocs parts) {
    MgDoc *d = make(arena, CAT, NULL);
    d->parts = parts;
    for (uint32_t i = 0; i < parts.len; i++)
        d->breaks = d->breaks || parts.at[i]->breaks;
    return d;
}

const MgDoc *mg_doc_group(MgArena *arena, const MgDoc *inner) {
    return make(arena, GROUP, inner);
}

const MgDoc *mg_doc_nest(MgArena *arena, uint32_t columns, const MgDoc *inner) {
    MgDoc *d = make(arena, NEST, inner);
    d->columns = columns;
    return d;
}

const MgDoc *mg_doc_trailing(MgArena *arena, const MgDoc *inner, bool ends_line) {
    MgDoc *d = make(arena, TRAILING, inner);
    d->breaks = ends_line;
    return d;
}

// ---------------------------------------------------------------- layout

typedef struct Step {
    const MgDoc *doc;
    uint32_t indent;
    bool flat;
} Step;
typedef MG_VEC(Step) Steps;

typedef struct Layout {
    MgArena *arena;
    MgText *out;
    uint32_t width, column;
    bool line_start;
    Steps todo, trial;
} Layout;

static void push_parts(Layout *l, Steps *steps, Step s) {
    for (uint32_t i = s.doc->parts.len; i-- > 0;)
        mg_push(l->arena, steps, (Step){s.doc->parts.at[i], s.indent, s.flat});
}

// Does `first`, laid out on one line, fit together with the text up to the next possible line end?
static bool fits(Layout *l, Step first) {
    uint32_t rest = l->todo.len, room = l->width > l->column ? l->width - l->column : 0;
    l->trial.len = 0;
    mg_push(l->arena, &l->trial, first);
    while (l->trial.len || rest) {
        Step s = l->trial.len ? mg_pop(&l->trial) : l->todo.at[--rest];
        switch (s.doc->kind) {
        case TEXT:
            if (s.doc->columns > room)
                return false;
            room -= s.doc->columns;
            break;
        case LINE:
            if (!s.flat)
                return true;
            if (!room--)
                return false;
            break;
        case HARD:
        case BLANK:
            return true;
        case CAT:
            push_parts(l, &l->trial, s);
            break;
        case GROUP:
        case NEST:
            mg_push(l->arena, &l->trial, (Step){s.doc->inner, s.indent, s.flat});
            break;
        case TRAILING:
            break;
        }
    }
    return true;
}

static void add_text(Layout *l, const MgDoc *d, uint32_t indent) {
    if (l->line_start)
        for (l->column = 0; l->column < indent; l->column++)
            mg_text_add_n(l->out, " ", 1);
    l->line_start = false;
    mg_text_add_n(l->out, d->text, d->length);
    l->column += d->columns;
}

static void end_line(Layout *l, uint32_t indent) {
    while (l->out->bytes.len && l->out->bytes.at[l->out->bytes.len - 1] == ' ')
        l->out->bytes.len--;
    mg_text_add_n(l->out, "\n", 1);
    l->column = indent;
    l->line_start = true;
}

static void step(Layout *l, Step s) {
    switch (s.doc->kind) {
    case TEXT:
        add_text(l, s.doc, s.indent);
        break;
    case LINE:
        if (s.flat)
            add_text(l, &(MgDoc){.kind = TEXT, .text = " ", .length = 1, .columns = 1}, s.indent);
        else
            end_line(l, s.indent);
        break;
    case BLANK:
        end_line(l, s.indent);
        end_line(l, s.indent);
        break;
    case HARD:
        end_line(l, s.indent);
        break;
    case CAT:
        push_parts(l, &l->todo, s);
        break;
    case GROUP: {
        Step flat = {s.doc->inner, s.indent, true};
        flat.flat = s.flat || (!s.doc->breaks && fits(l, flat));
        mg_push(l->arena, &l->todo, flat);
        break;
    }
    case NEST:
        mg_push(l->arena, &l->todo, (Step){s.doc->inner, s.indent + s.doc->columns, s.flat});
        break;
    case TRAILING:
        mg_push(l->arena, &l->todo, (Step){s.doc->inner, s.indent, true});
        break;
    }
}

void mg_doc_print(MgArena *scratch, const MgDoc *doc, uint32_t width, MgText *out) {
    Layout l = {.arena = scratch, .out = out, .width = width, .line_start = true};
    mg_push(l.arena, &l.todo, (Step){doc, 0, false});
    while (l.todo.len)
        step(&l, mg_pop(&l.todo));
    if (!l.line_start)
        end_line(&l, 0);
}
