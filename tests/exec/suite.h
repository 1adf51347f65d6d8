// A suite of cases: SUITE.mg, whose graph has one operator per line, and SUITE.npz beside it with
// the inputs.
#ifndef MG_TESTS_EXEC_SUITE_H
#define MG_TESTS_EXEC_SUITE_H

#include "formats/tensor.h"
#include "ir/interp.h"

#include <stdio.h>
#include <stdlib.h>

// The file's bytes, malloc'd; NULL if it can't be read.
static inline char *mg_suite_text(const char *path, size_t *length) {
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    if (f && fseek(f, 0, SEEK_END) == 0) {
        long n = ftell(f);
        rewind(f);
        text = n >= 0 ? malloc((size_t)n + 1) : NULL;
        *length = text ? fread(text, 1, (size_t)n, f) : 0;
    }
    if (f)
        fclose(f);
    return text;
}

// Reads the graph's inputs from the archive; NULL for one that is missing.
static inline MgInterpTensor *mg_suite_inputs(MgSession *session, MgContext *context,
                                              const char *path, MgGraph *g) {
    MgInterpTensor *inputs = MG_NEW_N(session->arena, MgInterpTensor, g->inputs.len + 1);
    for (uint32_t k = 0; k < g->inputs.len; k++) {
        const char *name = mg_name(session->names, g->inputs.at[k].name);
        const char *place =
            mg_arena_printf(session->arena, "%.*s.npz:%s", (int)(strlen(path) - 3), path, name);
        MgTensor *t;
        if (mg_tensor_read(context, place, &t) != MG_OK) {
            printf("%s: %s\n", path, mg_context_message(context));
            return NULL;
        }
        inputs[k] = (MgInterpTensor){.dtype = t->dtype, .rank = t->rank, .n = t->count};
        inputs[k].shape = mg_arena_copy(session->arena, t->dims, t->rank, sizeof *t->dims);
        inputs[k].data = mg_arena_copy(session->arena, t->data, t->bytes, 1);
        mg_tensor_release(t);
    }
    return inputs;
}

#endif
