// mgc reduce FILE.mg --test=COMMAND finds a smaller program for which the command still exits 0.
//
// The command runs in a shell with {} replaced by the candidate's path. The candidate lies beside
// the program, so that it finds the program's weights and imports.
#include "tools/mgc.h"
#include "tools/reduce.h"

#include "frontend/source.h"
#include "support/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Test {
    MgSession *session;
    const char *command, *path;
    bool progress;
    uint32_t ran;
} Test;

static bool write_text(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    bool ok = f && fputs(text, f) >= 0;
    return f && !fclose(f) && ok;
}

static const char *with_path(Test *t) {
    MgText out = mg_text(t->session->arena);
    const char *at = t->command, *hole;
    bool any = false;
    for (; (hole = strstr(at, "{}")); at = hole + 2, any = true) {
        mg_text_add_n(&out, at, (size_t)(hole - at));
        mg_textf(&out, "'%s'", t->path);
    }
    mg_text_add(&out, at);
    if (!any)
        mg_textf(&out, " '%s'", t->path);
    return mg_text_str(&out);
}

static bool interesting(void *ctx, const char *text) {
    Test *t = ctx;
    if (!write_text(t->path, text))
        return false;
    t->ran++;
    if (t->progress)
        fprintf(stderr, "\r%u test%s, %zu bytes \r", t->ran, mg_plural(t->ran), strlen(text));
    return system(with_path(t)) == 0;
}

// Creates a file beside the source, where it finds weights and imports, or elsewhere if that folder
// can't be written. Returns NULL after a message.
static const char *new_file(MgSession *session, const char *source) {
    const char *slash = strrchr(source, '/');
    char *path = mg_arena_printf(session->arena, "%.*smgc-reduce-XXXXXX.mg",
                                 slash ? (int)(slash - source) + 1 : 0, source);
    int file = mkstemps(path, 3);
    if (file < 0)
        file = mkstemps(path = mg_arena_printf(session->arena, "%s/mgc-reduce-XXXXXX.mg",
                                               mg_temporary_folder()),
                        3);
    if (file < 0) {
        mgc_fail(3, "cannot make a file beside %s or in %s", source, mg_temporary_folder());
        return NULL;
    }
    close(file);
    return path;
}

static int reduce(MgSession *session, const MgcOptions *options) {
    if (!options->test)
        return mgc_fail(
            2, "mgc reduce needs --test='COMMAND {}', which exits 0 for what is looked for");
    if (mgc_put_check(session, options))
        return 1;
    uint32_t source = mg_source_read(session, options->file, mg_no_span());
    if (!source)
        return 1;
    const char *text = session->sources.all.at[source].text;
    const char *path = new_file(session, options->file);
    if (!path)
        return 3;
    Test test = {session, options->test, path, mgc_color(STDERR_FILENO), 0};
    int status = 1;
    if (!interesting(&test, text))
        mgc_fail(1, "the command does not exit 0 for %s itself: %s", options->file, options->test);
    else {
        uint32_t tried = 0;
        const char *small = mgc_reduce_text(session->arena, options->file, text, options->graph,
                                            interesting, &test, &tried);
        status = mgc_put(session, options, small, strlen(small));
        fprintf(stderr, "mgc: from %zu bytes to %zu in %u test%s\n", strlen(text), strlen(small),
                test.ran, mg_plural(test.ran));
    }
    unlink(path);
    return status;
}

int mgc_reduce(const MgcOptions *options) {
    return mgc_in_session(options, reduce);
}
