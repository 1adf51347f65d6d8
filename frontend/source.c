// Reads source text. A regular file's size is checked before memory is allocated; a pipe is read up
// to the limit.
#include "frontend/source.h"

#include <errno.h>
#include <stdio.h>

#include "frontend/std_embedded.h"

static void close_file(void *file) {
    fclose(file);
}

// Reads all bytes of an open file. NULL with errno set: EFBIG if it exceeds the limit, EISDIR for a
// directory.
static char *read_all(MgArena *arena, FILE *file, size_t *length) {
    MG_VEC(char) bytes = {0};
    char chunk[1 << 14];
    size_t n;
    errno = 0;
    while ((n = fread(chunk, 1, sizeof chunk, file)) > 0) {
        if (bytes.len + n > MG_SOURCE_MAX) {
            errno = EFBIG;
            return NULL;
        }
        while (bytes.cap - bytes.len < n)
            bytes.at = mg_vec_grow(arena, bytes.at, bytes.len, &bytes.cap, 1);
        memcpy(bytes.at + bytes.len, chunk, n);
        bytes.len += (uint32_t)n;
    }
    if (ferror(file))
        return NULL;
    *length = bytes.len;
    return bytes.at ? bytes.at : "";
}

static uint32_t cannot_read(MgSession *session, const char *path, MgSpan from, int error) {
    if (error == ENOMEM)
        mg_mem_fail(session->mem);
    if (error == EFBIG)
        mg_diag(session, from, MG_D_file_too_large, path, MG_SOURCE_TOO_LARGE);
    else
        mg_diag(session, from, MG_D_file_open, path, strerror(error));
    return 0;
}

static uint32_t from_reader(MgSession *session, const char *path, MgSpan from) {
    const char *text = NULL;
    size_t length = 0;
    MgArena *scratch = mg_arena_new(session->mem);
    int error = session->reader->read(session->reader->context, scratch, path, &text, &length);
    if (!error && length > MG_SOURCE_MAX)
        error = EFBIG;
    uint32_t source = error ? cannot_read(session, path, from, error)
                            : mg_add_source(session, path, text, length);
    mg_arena_free(scratch);
    return source;
}

uint32_t mg_source_read(MgSession *session, const char *path, MgSpan from) {
    if (session->reader)
        return from_reader(session, path, from);
    bool standard = !strcmp(path, "-");
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file)
        return cannot_read(session, path, from, errno);
    if (!standard)
        mg_mem_defer(session->mem, close_file, file);
    MgArena *scratch = mg_arena_new(session->mem);
    size_t length = 0;
    char *text = read_all(scratch, file, &length);
    uint32_t source = 0;
    if (text)
        source = mg_add_source(session, standard ? "<stdin>" : path, text, length);
    else
        cannot_read(session, path, from, errno);
    mg_arena_free(scratch);
    if (!standard && mg_mem_undefer(session->mem, file))
        fclose(file);
    return source;
}

uint32_t mg_source_std(MgSession *session, const char *name) {
    for (const MgStdFile *f = mg_std_files; f->name; f++)
        if (!strcmp(f->name, name))
            return mg_add_source(session, mg_arena_printf(session->arena, "std/%s.mg", name),
                                 f->text, f->length);
    return 0;
}
