// Fuzzes the parser and the formatter. No input crashes them or takes unbounded memory. For an
// input without errors, the canonical form has the same tree and comments, and is its own canonical
// form.
#include <stdio.h>
#include <stdlib.h>

#include "frontend/ast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *tree(MgSession *session, const MgAstFile *file) {
    MgText out = mg_text(session->arena);
    mg_ast_dump(session, file, false, &out);
    return mg_text_str(&out);
}

static const char *format(MgSession *session, const MgAstFile *file) {
    MgText out = mg_text(session->arena);
    mg_fmt(session, file, &out);
    return mg_text_str(&out);
}

// The comments of a file, in order.
static const char *comments(MgSession *session, const MgAstFile *file) {
    MgText out = mg_text(session->arena);
    for (uint32_t i = 0; i < file->comments.len; i++) {
        MgSpan at = file->comments.at[i];
        const char *text = session->sources.all.at[at.source].text + at.begin;
        mg_text_add_n(&out, text, at.end - at.begin);
        mg_text_add(&out, "\n");
    }
    return mg_text_str(&out);
}

static void must_equal(const char *what, const char *a, const char *b) {
    if (!strcmp(a, b))
        return;
    fprintf(stderr, "%s differ:\n%s\n----\n%s\n", what, a, b);
    abort();
}

static void check(MgSession *session, const char *text, size_t length) {
    MgAstFile *file = mg_parse(session, mg_add_source(session, "a.mg", text, length));
    MgText rendered = mg_text(session->arena);
    mg_diags_render(session, &rendered, false);
    if (file)
        tree(session, file);
    if (!file || session->n_errors)
        return;
    const char *once = format(session, file);
    MgAstFile *again = mg_parse(session, mg_add_source(session, "b.mg", once, strlen(once)));
    if (!again || session->n_errors) {
        mg_diags_render(session, &rendered, false);
        fprintf(stderr, "canonical form does not parse:\n%s\n%s\n", once, mg_text_str(&rendered));
        abort();
    }
    must_equal("trees", tree(session, file), tree(session, again));
    must_equal("comments", comments(session, file), comments(session, again));
    must_equal("canonical forms", once, format(session, again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    MgSession *session = mg_session_new((size_t)256 << 20);
    MgTry frame;
    if (!session)
        return 0;
    if (MG_TRY(session->mem, frame)) {
        check(session, (const char *)data, size);
        mg_try_end(session->mem, &frame);
    } else {
        fprintf(stderr, "%zu bytes of input took more than 256 MiB\n", size);
        abort();
    }
    mg_session_free(session);
    return 0;
}
