// Records which node made which line of the text, so that messages at run time name the node.
//
// While the text is written, each name that a statement binds is mapped to the statement's node. A
// requirement binds none; its message is mapped instead. Once the text has its final form, the
// names lead from nodes to lines.
#include "frontend/onnx/internal.h"

#include <ctype.h>

// The name that a statement binds first: `y` of "y, z = …", "`a b`[i] = …", "dim y <= 8 = …". Of a
// requirement, the message.
static MgSym first_name(MgOnnx *t, const char *statement) {
    const char *quote = strchr(statement, '"');
    if (!strncmp(statement, "require ", 8) && quote)
        return mg_sym_n(t->names, quote + 1, strcspn(quote + 1, "\""));
    static const char *const words[] = {"dim ", "const ", "param "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(statement, words[i], strlen(words[i])))
            statement += strlen(words[i]);
    size_t length = 0;
    if (*statement == '`')
        return mg_sym_n(t->names, statement + 1, strcspn(statement + 1, "`"));
    while (isalnum((unsigned char)statement[length]) ||
           (statement[length] && strchr("_.", statement[length])))
        length++;
    return mg_sym_n(t->names, statement, length);
}

void mg_onnx_made_by(MgOnnx *t, const char *statement, const char *label) {
    mg_map_put(&t->makers, first_name(t, statement), (uintptr_t)label);
}

// ---------------------------------------------------------------- lines
typedef struct Lines {
    MgOnnx *t;
    uint32_t source;
    const char **makers;
} Lines;

static void note_block(const Lines *l, const MgAstBlock *block);

static void note_statement(const Lines *l, const MgAstStmt *s) {
    MgSym name = 0;
    switch (s->kind) {
    case MG_STMT_BIND:
        name = s->bind.targets.at[0].name.sym;
        break;
    case MG_STMT_EQUATION:
        name = s->equation.name.sym;
        break;
    case MG_STMT_DIM:
        name = s->dim.name.sym;
        break;
    case MG_STMT_IF_VALUE:
        name = s->if_value.targets.at[0].name.sym;
        break;
    case MG_STMT_LOOP:
        name = s->loop.targets.at[0].name.sym;
        break;
    case MG_STMT_REQUIRE:
        name = s->require.text.sym;
        break;
    default:
        break;
    }
    const char *label = (const char *)(uintptr_t)mg_map_get(&l->t->makers, name, 0);
    uint32_t first = mg_place(l->t->session, l->source, s->span.begin).line;
    uint32_t last = mg_place(l->t->session, l->source, s->span.end).line;
    for (uint32_t i = first; label && i <= last; i++)
        l->makers[i - 1] = label;
    if (s->kind == MG_STMT_IF_VALUE) {
        note_block(l, &s->if_value.then);
        note_block(l, &s->if_value.otherwise);
    } else if (s->kind == MG_STMT_LOOP) {
        note_block(l, &s->loop.body);
    }
}

static void note_block(const Lines *l, const MgAstBlock *block) {
    for (uint32_t i = 0; i < block->stmts.len; i++)
        note_statement(l, block->stmts.at[i]);
}

const char *const *mg_onnx_makers(MgOnnx *t, const char *text, size_t length, uint32_t *n) {
    Lines l = {.t = t, .source = mg_add_source(t->session, t->file.path, text, length)};
    const MgAstFile *file = mg_parse(t->session, l.source);
    *n = t->session->sources.all.at[l.source].n_lines;
    l.makers = MG_NEW_N(t->arena, const char *, *n + 1);
    for (uint32_t i = 0; file && i < file->items.len; i++)
        note_block(&l, &file->items.at[i]->body);
    return l.makers;
}
