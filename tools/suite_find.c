// Finds cases. A folder is a case if it holds test_data_set_* folders, a model.onnx or a
// model.mlir. Links are followed, except back to a parent.
#include "tools/suite.h"

#include "support/files.h"
#include "tools/mgc.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <stdlib.h>

static const char set_prefix[] = "test_data_set_";

static bool is_set(const char *name) {
    return !strncmp(name, set_prefix, sizeof set_prefix - 1);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Reads a folder as a case. False if it is not one.
static bool look(MgArena *arena, const char *folder, MgcCase *c) {
    *c = (MgcCase){.folder = mg_arena_str(arena, folder, strlen(folder))};
    DIR *dir = opendir(folder);
    if (!dir)
        return false;
    const char *whole = NULL, *mg = NULL;
    uint32_t sources = 0;
    for (const struct dirent *e; (e = readdir(dir));) {
        const char *path = mg_arena_printf(arena, "%s/%s", folder, e->d_name);
        if (is_set(e->d_name))
            mg_push(arena, &c->sets, path);
        else if (!strcmp(e->d_name, "model.onnx") || !strcmp(e->d_name, "model.mlir"))
            whole = path;
        else if (mg_path_has_extension(e->d_name, ".mg")) {
            mg = path;
            sources++;
        }
    }
    closedir(dir);
    if (c->sets.len)
        qsort(c->sets.at, c->sets.len, sizeof *c->sets.at, by_name);
    c->model = whole ? whole : sources == 1 ? mg : NULL;
    return c->sets.len || whole;
}

static int in_order(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

int mgc_find_cases(MgArena *arena, const char *folder, MgcCases *cases) {
    char *root = mg_arena_str(arena, folder, strlen(folder));
    for (size_t n = strlen(root); n > 1 && root[n - 1] == '/'; n--)
        root[n - 1] = '\0';
    FTS *tree = fts_open((char *[]){root, NULL}, FTS_LOGICAL | FTS_NOCHDIR, in_order);
    int status = 0;
    for (FTSENT *e; tree && !status && (e = fts_read(tree));) {
        if (e->fts_info == FTS_D && is_set(e->fts_name))
            fts_set(tree, e, FTS_SKIP);
        MgcCase c;
        if (e->fts_info == FTS_D && look(arena, e->fts_path, &c))
            mg_push(arena, cases, c);
        else if (e->fts_info == FTS_DNR || e->fts_info == FTS_NS)
            status = mgc_fail(1, "cannot read '%s': %s", e->fts_path, strerror(e->fts_errno));
        else if (e->fts_level == 0 && e->fts_info == FTS_F)
            status = mgc_fail(1, "'%s' is not a folder", e->fts_path);
    }
    if (tree)
        fts_close(tree);
    return status;
}
