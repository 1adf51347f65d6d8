// Files that are not open: those of the workspace's folder, and the library's. The latter are part
// of the compiler, and are written to disk when a client wants to show one.
#include "editor/internal.h"

#include "runtime/cache.h"
#include "support/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 1000, MOST_ENTRIES = 20000, DEEPEST = 8 };

typedef struct Walk {
    MgServer *server;
    uint32_t files, entries;
} Walk;

static bool is_source(const char *name) {
    size_t n = strlen(name);
    return n > 3 && !strcmp(name + n - 3, ".mg");
}

// Skips links, and folders whose names begin with a dot.
static void walk_folder(Walk *walk, const char *folder, uint32_t depth) {
    DIR *dir = depth < DEEPEST ? opendir(folder) : NULL;
    const struct dirent *entry;
    while (dir && walk->files < MOST_FILES && walk->entries++ < MOST_ENTRIES &&
           (entry = readdir(dir))) {
        char path[4096];
        int n = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        struct stat st;
        if (entry->d_name[0] == '.' || n < 0 || (size_t)n >= sizeof path || lstat(path, &st))
            continue;
        if (S_ISDIR(st.st_mode))
            walk_folder(walk, path, depth + 1);
        else if (S_ISREG(st.st_mode) && is_source(entry->d_name))
            walk->files += mg_documents_file(&walk->server->documents, path) != NULL;
    }
    if (dir)
        closedir(dir);
}

void mg_workspace_load(MgServer *server) {
    Walk walk = {.server = server};
    if (server->root && server->root[0] == '/')
        walk_folder(&walk, server->root, 0);
}

// ---------------------------------------------------------------- the library
static bool holds(const char *path, const MgSource *source) {
    FILE *file = fopen(path, "rb");
    char *bytes = file ? malloc((size_t)source->length + 1) : NULL;
    size_t n = bytes ? fread(bytes, 1, (size_t)source->length + 1, file) : SIZE_MAX;
    bool same = n == source->length && !memcmp(bytes, source->text, n);
    free(bytes);
    if (file)
        fclose(file);
    return same;
}

static bool write_source(const char *path, const MgSource *source) {
    MgSession *session = mg_session_new(0); // it takes the diagnostic, which is not shown
    MgTry frame;
    volatile bool written = false;
    if (!session)
        return false;
    if (MG_TRY(session->mem, frame)) {
        written = mg_file_write(session, path, &(MgBytes){source->text, source->length}, 1);
        mg_try_end(session->mem, &frame);
    }
    mg_session_free(session);
    return written;
}

static const char *library_folder(MgServer *server) {
    MgCache *cache = server->library_folder ? NULL : mg_cache_open(NULL, 0);
    const char *folder = cache ? mg_cache_folder(cache) : NULL;
    char path[4096];
    int n = folder ? snprintf(path, sizeof path, "%s/std", folder) : -1;
    if (n > 0 && (size_t)n < sizeof path && (!mkdir(path, 0755) || !access(path, W_OK)))
        server->library_folder = realpath(path, NULL);
    mg_cache_close(cache);
    return server->library_folder;
}

char *mg_library_uri(MgServer *server, const MgSource *source) {
    const char *folder = library_folder(server), *name = strrchr(source->name, '/');
    char path[4096];
    int n = folder && name ? snprintf(path, sizeof path, "%s%s", folder, name) : -1;
    if (n < 0 || (size_t)n >= sizeof path || !is_source(path))
        return NULL;
    return holds(path, source) || write_source(path, source) ? mg_path_to_uri(path) : NULL;
}
