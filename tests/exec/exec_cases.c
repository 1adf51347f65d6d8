// The cases of the standard library, run by a backend at every level against the reference
// interpreter's bounds: every operator of the library, without the operators' names.
//
//   exec_cases [--levels=0123] [--threads=12] SUITE.mg...
//
// SUITE.npz beside it holds each input of its graph under the port's name. The last line is
// 'N passed, N failed'.
#include "frontend/sema.h"
#include "runtime/tensor.h"
#include "tests/exec/compare.h"

#include <stdio.h>
#include <stdlib.h>

static char *file_text(const char *path, size_t *length) {
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

// The graph's inputs from the archive; NULL where one is missing.
static MgInterpTensor *read_inputs(MgSession *session, MgContext *context, const char *path,
                                   MgGraph *g) {
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

static bool run_suite(const char *path, const MgExecOptions *options) {
    size_t length = 0;
    char *text = file_text(path, &length);
    MgSession *session = mg_session_new(0);
    MgContext *context = NULL;
    bool ok = false;
    MgModule *module = text ? mg_load_module_text(session, path, text, length) : NULL;
    if (!module || module->graphs.len == 0) {
        printf("%s: does not compile\n", path);
    } else if (mg_context_new(NULL, &context) == MG_OK) {
        MgGraph *g = module->graphs.at[0];
        MgInterpTensor *inputs = read_inputs(session, context, path, g);
        if (inputs) {
            MgExecResult r =
                mg_exec_compare(session, path, text, length, NULL, inputs, g->inputs.len, options);
            ok = r.ok;
            printf("%s: %s: %zu elements, %zu exempt, worst %.2f of 8%s%s\n", path,
                   ok ? "passed" : "FAILED", r.elements, r.exempt, r.worst, ok ? "" : "\n",
                   ok ? "" : r.what);
        }
    }
    if (context)
        mg_context_free(context);
    mg_session_free(session);
    free(text);
    return ok;
}

int main(int argc, char **argv) {
    MgExecOptions options = {.levels = "0123", .threads = "12"};
    uint32_t passed = 0, failed = 0;
    for (int k = 1; k < argc; k++) {
        if (strncmp(argv[k], "--levels=", 9) == 0)
            options.levels = argv[k] + 9;
        else if (strncmp(argv[k], "--threads=", 10) == 0)
            options.threads = argv[k] + 10;
        else if (run_suite(argv[k], &options))
            passed++;
        else
            failed++;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
