// Resolves the words of a schedule: equations to numbers, indices to symbols.
#include "passes/nest/nest_text.h"

typedef struct Resolver {
    MgSession *session;
    MgNestScope *scope;
    bool failed;
} Resolver;

static const char *all_indices(const Resolver *r) {
    MgText text = mg_text(r->session->arena);
    for (uint32_t i = 0; i < r->scope->indices.len; i++) {
        mg_text_add(&text, i ? ", " : "");
        mg_nest_print_word(r->scope->indices.at[i].name, &text);
    }
    return r->scope->indices.len ? mg_text_str(&text) : "none";
}

static uint32_t index_of(Resolver *r, const MgNestWord *word) {
    for (uint32_t i = 0; i < r->scope->indices.len; i++)
        if (!strcmp(r->scope->indices.at[i].name, word->text))
            return i;
    mg_diag(r->session, word->span, MG_D_schedule_no_index, word->text, all_indices(r));
    r->failed = true;
    return 0;
}

static uint32_t equation_of(Resolver *r, const MgNestWord *word) {
    for (uint32_t i = 0; i < r->scope->n_ops; i++)
        if (!strcmp(r->scope->names[i], word->text))
            return i;
    mg_diag(r->session, word->span, MG_D_schedule_no_value, word->text,
            mg_nest_values(r->session->arena, r->scope));
    r->failed = true;
    return 0;
}

static uint32_t read_of(Resolver *r, const MgNestWord *word) {
    MgText all = mg_text(r->session->arena);
    for (uint32_t i = 0; i < r->scope->reads.len; i++) {
        if (!strcmp(r->scope->reads.at[i].name, word->text))
            return i;
        mg_text_add(&all, i ? ", " : "");
        mg_nest_print_word(r->scope->reads.at[i].name, &all);
    }
    mg_diag(r->session, word->span, MG_D_schedule_no_read, word->text,
            r->scope->reads.len ? mg_text_str(&all) : "nothing");
    r->failed = true;
    return 0;
}

static void join(Resolver *r, const MgTextLine *l, MgLine *line) {
    line->n_numbers = l->n_words - 1;
    line->numbers = MG_NEW_N(r->session->arena, uint32_t, line->n_numbers);
    for (uint32_t i = 1; i < l->n_words; i++)
        line->numbers[i - 1] = index_of(r, &l->words[i]);
    for (uint32_t i = 0; i < r->scope->indices.len; i++)
        if (!strcmp(r->scope->indices.at[i].name, l->words[0].text)) {
            mg_diag(r->session, l->words[0].span, MG_D_schedule_index_twice, l->words[0].text);
            r->failed = true;
        }
    line->index = mg_nest_join(r->scope, r->session->arena, l->words[0].text);
}

// The indices that a line names besides its values.
static void resolve_indices(Resolver *r, const MgTextLine *l, MgLine *line) {
    uint32_t next = 0;
    if (line->at_last || line->kind == MG_LINE_JOIN)
        line->index = index_of(r, &l->indices[0]);
    if (line->n_axes)
        line->axes = mg_arena_copy(r->session->arena, line->axes, line->n_axes, sizeof *line->axes);
    for (uint32_t a = 0; a < line->n_axes; a++)
        if (line->axes[a].index != UINT32_MAX) {
            line->axes[a].index = index_of(r, &l->indices[next++]);
            if (line->axes[a].plus)
                line->axes[a].plus = 1 + index_of(r, &l->indices[next++]);
        }
}

// The equations, or the values that are read, which determine the indices that the line walks.
static void resolve_values(Resolver *r, const MgTextLine *l, MgLine *line) {
    line->n_numbers = l->n_words - line->n_walks;
    line->numbers = MG_NEW_N(r->session->arena, uint32_t, line->n_numbers);
    for (uint32_t i = 0; i < line->n_numbers; i++) {
        const MgNestWord *word = &l->words[line->n_walks + i];
        line->numbers[i] = line->kind == MG_LINE_STAGE ? read_of(r, word) : equation_of(r, word);
    }
}

static void resolve_body(Resolver *r, const MgTextLine *text, MgLine *outer) {
    for (uint32_t i = 0; i < text->below.len; i++) {
        const MgTextLine *l = text->below.at[i];
        MgLine *line = MG_NEW(r->session->arena, MgLine);
        *line = l->line;
        if (line->kind == MG_LINE_INDEX) {
            join(r, l, line);
        } else if (line->kind == MG_LINE_FOR) {
            line->walks =
                mg_arena_copy(r->session->arena, line->walks, line->n_walks, sizeof *line->walks);
            for (uint32_t w = 0; w < line->n_walks; w++)
                line->walks[w].index = index_of(r, &l->words[w]);
        }
        if (line->kind != MG_LINE_INDEX) {
            resolve_values(r, l, line);
            resolve_indices(r, l, line);
        }
        resolve_body(r, l, line);
        mg_push(r->session->arena, &outer->body, line);
    }
}

MgNest *mg_nest_resolve(MgSession *session, const MgNestText *text, MgNestScope *scope) {
    Resolver r = {session, scope, false};
    MgNest *nest = MG_NEW(session->arena, MgNest);
    nest->piece = scope->piece;
    nest->gpu = text->name.gpu;
    nest->follows = text->follows;
    nest->root.span = text->span;
    resolve_body(&r, &text->root, &nest->root);
    return r.failed ? NULL : nest;
}
