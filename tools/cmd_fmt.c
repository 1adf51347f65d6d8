// mgc fmt: a source in canonical form, to standard output, or with -i in place (and only if it
// differs).
#include "tools/mgc.h"

#include "frontend/ast.h"
#include "frontend/source.h"
#include "runtime/files.h"

static int fmt(MgSession *session, const MgcOptions *options) {
    uint32_t source = mg_source_read(session, options->file, mg_no_span());
    MgAstFile *file = source ? mg_parse(session, source) : NULL;
    if (!file || session->n_errors)
        return 1;
    MgText out = mg_text(session->arena);
    mg_fmt(session, file, &out);
    const MgSource *before = &session->sources.all.at[source];
    const char *text = mg_text_str(&out);
    if (!options->in_place || !strcmp(options->file, "-"))
        return mgc_put(session, options, text, out.bytes.len);
    if (before->length == out.bytes.len && !memcmp(before->text, text, out.bytes.len))
        return 0;
    return !mg_file_write(session, options->file, &(MgBytes){text, out.bytes.len}, 1);
}

int mgc_fmt(const MgcOptions *options) {
    return mgc_in_session(options, fmt);
}
