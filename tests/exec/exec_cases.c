// Runs the cases of the standard library on a backend at every level, and checks the results
// against the reference interpreter's bounds. The cases cover every operator of the library.
//
//   exec_cases [--levels=0123] [--threads=12] [--modes=icglop] [--target=gpu] SUITE.mg...
//
// SUITE.npz lies beside SUITE.mg and holds each input under its port's name. The last line is
// 'N passed, N failed'.
#include "frontend/sema.h"
#include "tests/exec/compare.h"
#include "tests/exec/suite.h"

static bool run_suite(const char *path, const MgExecOptions *options) {
    size_t length = 0;
    char *text = mg_suite_text(path, &length);
    MgSession *session = mg_session_new(0);
    MgContext *context = NULL;
    bool ok = false;
    MgModule *module = text ? mg_load_module_text(session, path, text, length) : NULL;
    if (!module || module->graphs.len == 0) {
        printf("%s: does not compile\n", path);
    } else if (mg_context_new(NULL, &context) == MG_OK) {
        MgGraph *g = module->graphs.at[0];
        MgInterpTensor *inputs = mg_suite_inputs(session, context, path, g);
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
    bool asked = false;
    for (int k = 1; k < argc; k++) {
        if (mg_exec_option(&options, argv[k]))
            continue;
        else if (!asked && !(asked = mg_exec_has_target(&options))) // before any driver is loaded
            return 77;
        else if (run_suite(argv[k], &options))
            passed++;
        else
            failed++;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
