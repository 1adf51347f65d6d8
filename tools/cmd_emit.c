// mgc --emit-…: runs the pipeline up to one stage and prints it. Each stage is a row: how far the
// pipeline goes, and who prints.
#include "tools/mgc.h"

#include "frontend/ast.h"
#include "frontend/source.h"

static bool print_ast(MgSession *session, const MgcOptions *options, MgText *out) {
    uint32_t source = mg_source_read(session, options->file, mg_no_span());
    MgAstFile *file = source ? mg_parse(session, source) : NULL;
    if (!file || session->n_errors)
        return false;
    mg_ast_dump(session, file, options->places, out);
    return true;
}

static const struct {
    MgcEmit emit;
    bool (*print)(MgSession *session, const MgcOptions *options, MgText *out);
} stages[] = {
    {MGC_EMIT_AST, print_ast},
};

static int emit(MgSession *session, const MgcOptions *options) {
    MgText out = mg_text(session->arena);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (stages[i].emit == options->emit)
            return stages[i].print(session, options, &out)
                       ? mgc_put(session, options, mg_text_str(&out), out.bytes.len)
                       : 1;
    return 1;
}

int mgc_emit(const MgcOptions *options) {
    MgcProgress *progress = mgc_progress_begin("compiling", options->file);
    int status = mgc_in_session(options, emit);
    mgc_progress_end(progress);
    return status;
}
