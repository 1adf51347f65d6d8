// Parses, indexes and lowers a text in a session of its own, with bounds on memory and time. A text
// in an editor is often wrong, and may unroll a loop a million times while its bound is typed.
#include "editor/analysis.h"

#include "frontend/sema.h"
#include "support/clock.h"

#include <stdlib.h>

static const size_t memory_limit = (size_t)1 << 30;

typedef struct Lowering {
    MgAnalysis *analysis;
    uint64_t end; // when the budget is spent
} Lowering;

static void note_type(void *context, MgSpan name, const char *type) {
    MgAnalysis *a = ((Lowering *)context)->analysis;
    if (name.source == a->source)
        mg_push(a->session->arena, &a->types, (MgTypeNote){name.begin, type});
}

static bool go_on(void *context) {
    return mg_now_ns() < ((Lowering *)context)->end;
}

static int by_place(const void *a, const void *b) {
    const MgTypeNote *x = a, *y = b;
    return x->begin != y->begin ? (x->begin < y->begin ? -1 : 1) : strcmp(x->type, y->type);
}

static void sort_types(MgAnalysis *a) {
    uint32_t n = 0;
    if (a->types.len)
        qsort(a->types.at, a->types.len, sizeof *a->types.at, by_place);
    for (uint32_t i = 0; i < a->types.len; i++)
        if (!n || by_place(&a->types.at[n - 1], &a->types.at[i]))
            a->types.at[n++] = a->types.at[i];
    a->types.len = n;
}

static void analyse(MgAnalysis *a, const MgAnalysisInput *input) {
    MgSession *session = a->session;
    session->reader = input->reader;
    a->source = mg_add_source(session, input->name, input->text, input->length);
    a->file = mg_parse(session, a->source);
    a->syntax_errors = session->n_errors > 0;
    if (!a->file)
        return;
    a->symbols = mg_symbols(session, a->file);
    for (uint32_t i = 0; i < a->file->imports.len; i++)
        a->imports_files |= a->file->imports.at[i].from_file;
}

static bool try_analyse(MgAnalysis *a, const MgAnalysisInput *input) {
    MgTry frame;
    if (!MG_TRY(a->session->mem, frame))
        return false;
    analyse(a, input);
    mg_try_end(a->session->mem, &frame);
    return true;
}

MgAnalysis *mg_analysis_new(const MgAnalysisInput *input) {
    MgAnalysis *a = calloc(1, sizeof *a);
    if (a && (a->session = mg_session_new(memory_limit)) && try_analyse(a, input))
        return a;
    mg_analysis_free(a);
    return NULL;
}

bool mg_analysis_find_types(MgAnalysis *a, uint32_t budget_ms) {
    MgTry frame;
    Lowering lowering = {a, mg_now_ns() + (uint64_t)budget_ms * 1000000};
    MgLowerObserver observer = {&lowering, note_type, go_on};
    if (a->typed || !a->file)
        return true;
    a->typed = true;
    if (!MG_TRY(a->session->mem, frame))
        return false;
    mg_lower_file(a->session, a->file, &(MgLowerOptions){.observer = &observer});
    sort_types(a);
    mg_try_end(a->session->mem, &frame);
    return true;
}

void mg_analysis_free(MgAnalysis *a) {
    if (a)
        mg_session_free(a->session);
    free(a);
}

const MgSource *mg_analysis_source(const MgAnalysis *a) {
    return &a->session->sources.all.at[a->source];
}

const MgTypeNote *mg_analysis_types(const MgAnalysis *a, uint32_t begin, uint32_t *n) {
    uint32_t low = 0, high = a->types.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (a->types.at[middle].begin < begin)
            low = middle + 1;
        else
            high = middle;
    }
    for (*n = 0; low + *n < a->types.len && a->types.at[low + *n].begin == begin; ++*n)
        ;
    return *n ? &a->types.at[low] : NULL;
}
