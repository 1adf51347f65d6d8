// mgc fmt: prints a source in canonical form. With -i it rewrites the file in place if that
// differs; with --check it prints the names of the files that differ.
#include "tools/mgc.h"

#include "frontend/ast.h"
#include "frontend/source.h"
#include "support/files.h"

#include <stdio.h>

static int fmt_file(MgSession *session, const MgcOptions *options, const char *path) {
    uint32_t errors = session->n_errors, source = mg_source_read(session, path, mg_no_span());
    MgAstFile *file = source ? mg_parse(session, source) : NULL;
    if (!file || session->n_errors != errors)
        return 1;
    MgText out = mg_text(session->arena);
    mg_fmt(session, file, &out);
    const MgSource *before = &session->sources.all.at[source];
    const char *text = mg_text_str(&out);
    bool same = before->length == out.bytes.len && !memcmp(before->text, text, out.bytes.len);
    if (options->check && !same)
        printf("%s\n", before->name);
    if (options->check)
        return !same;
    if (!options->in_place || !strcmp(path, "-"))
        return mgc_put(session, options, text, out.bytes.len);
    return !same && !mg_file_write(session, path, &(MgBytes){text, out.bytes.len}, 1);
}

static int fmt(MgSession *session, const MgcOptions *options) {
    int status = 0;
    if (options->files.n > 1 && !options->check && !options->in_place)
        return mgc_fail(2, "several files need --check or -i");
    for (uint32_t i = 0; i < options->files.n; i++)
        status |= fmt_file(session, options, options->files.at[i]);
    return status;
}

int mgc_fmt(const MgcOptions *options) {
    if (options->check_what)
        return mgc_fail(2, "--check of fmt takes no '=%s'", options->check_what);
    if (options->check && options->in_place)
        return mgc_fail(2, "--check writes nothing, so it does not go with -i");
    return mgc_in_session(options, fmt);
}
