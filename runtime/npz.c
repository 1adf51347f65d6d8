// npz: a zip archive whose members are NAME.npy. Unpacked sizes are a stranger's claim: they are
// held against the limit before memory is asked for, and reading stops there whatever the archive
// goes on to say.
#include "runtime/npy.h"

#include <errno.h>
#include <stdlib.h>
#include <zip.h>

static MgTensor *bad(MgSession *session, const char *path, const char *why) {
    mg_diag(session, mg_no_span(), MG_D_file_format, path, "npz", why);
    return NULL;
}

static void discard(void *archive) {
    zip_discard(archive);
}

static void report_missing(MgSession *session, zip_t *zip, const char *path, const char *key) {
    zip_int64_t n = zip_get_num_entries(zip, 0);
    const char **names = MG_NEW_N(session->arena, const char *, (size_t)n + 1);
    for (zip_int64_t i = 0; i < n; i++) {
        const char *name = zip_get_name(zip, (zip_uint64_t)i, 0);
        size_t length = name ? strlen(name) : 0;
        if (length > 4 && !strcmp(name + length - 4, ".npy"))
            length -= 4;
        names[i] = mg_arena_str(session->arena, name ? name : "", length);
    }
    int near = mg_nearest(key, names, (size_t)n);
    if (near >= 0)
        mg_diag(session, mg_no_span(), MG_D_npz_no_key_near, path, key, names[near]);
    else
        mg_diag(session, mg_no_span(), MG_D_npz_no_key, path, key, n ? names[0] : "nothing");
}

// The unpacked bytes of member `number`, malloc'd; NULL with a diagnostic.
static unsigned char *unpack(MgSession *session, zip_t *zip, zip_uint64_t number, const char *path,
                             size_t limit, size_t *length) {
    zip_stat_t st;
    if (zip_stat_index(zip, number, 0, &st) || !(st.valid & ZIP_STAT_SIZE)) {
        bad(session, path, zip_strerror(zip));
        return NULL;
    }
    if (st.size > PTRDIFF_MAX || (limit && st.size > limit)) {
        mg_diag(session, mg_no_span(), MG_D_file_unpacks, path, (unsigned long long)st.size, limit);
        return NULL;
    }
    zip_file_t *member = zip_fopen_index(zip, number, 0);
    if (!member) {
        bad(session, path, zip_strerror(zip));
        return NULL;
    }
    unsigned char *bytes = malloc(st.size ? st.size : 1);
    size_t done = 0;
    for (zip_int64_t n = 1; bytes && n > 0 && done<st.size; done += n> 0 ? (size_t)n : 0)
        n = zip_fread(member, bytes + done, st.size - done);
    char beyond;
    bool whole =
        bytes && done == st.size && zip_fread(member, &beyond, 1) == 0; // checks the sum too
    zip_fclose(member);
    if (!bytes)
        mg_mem_fail(session->mem);
    if (!whole) {
        free(bytes);
        bad(session, path, "a member is damaged");
        return NULL;
    }
    *length = done;
    return bytes;
}

MgTensor *mg_npz_read(MgSession *session, const char *path, const char *key, size_t limit) {
    MgFileMap map; // mapped first: the same messages as for every file that cannot be opened
    if (!mg_file_map(session, path, mg_no_span(), &map))
        return NULL;
    int code = 0;
    zip_t *zip = zip_open(path, ZIP_RDONLY, &code);
    if (!zip)
        return bad(session, path, "it is not a zip archive");
    mg_mem_defer(session->mem, discard, zip);
    const char *member = mg_arena_printf(session->arena, "%s.npy", key);
    zip_int64_t number = zip_name_locate(zip, member, ZIP_FL_ENC_GUESS);
    if (number < 0)
        number = zip_name_locate(zip, key, ZIP_FL_ENC_GUESS);
    MgTensor *tensor = NULL;
    if (number < 0)
        report_missing(session, zip, path, key);
    else {
        size_t length;
        unsigned char *bytes = unpack(session, zip, (zip_uint64_t)number, path, limit, &length);
        if (bytes) {
            mg_mem_defer(session->mem, free, bytes);
            const char *name = mg_arena_printf(session->arena, "%s:%s", path, key);
            tensor = mg_npy_of_bytes(session, name, bytes, length);
            mg_mem_undefer(session->mem, bytes);
            free(bytes);
        }
    }
    mg_mem_undefer(session->mem, zip);
    zip_discard(zip);
    return tensor;
}

// ------------------------------------------------------------------------------------------
// writing The archive is made in memory and written as any file is, so that it replaces the old one
// as a whole.
typedef struct Writer {
    MgSession *session;
    const char *path;
    zip_source_t *buffer;
    zip_t *zip;
} Writer;

static bool add_members(Writer *w, const char *const *keys, MgTensor *const *tensors, size_t n) {
    for (size_t i = 0; i < n; i++) {
        MgBytes parts[2];
        mg_npy_parts(w->session, tensors[i], parts);
        zip_buffer_fragment_t *fragments = MG_NEW_N(w->session->arena, zip_buffer_fragment_t, 2);
        for (int p = 0; p < 2; p++)
            fragments[p] =
                (zip_buffer_fragment_t){(zip_uint8_t *)(uintptr_t)parts[p].at, parts[p].length};
        zip_source_t *source =
            zip_source_buffer_fragment(w->zip, fragments, parts[1].length ? 2 : 1, 0);
        const char *name = mg_arena_printf(w->session->arena, "%s.npy", keys[i]);
        zip_int64_t number = source ? zip_file_add(w->zip, name, source, ZIP_FL_ENC_UTF_8) : -1;
        if (number < 0) {
            zip_source_free(source);
            return false;
        }
        zip_set_file_compression(w->zip, (zip_uint64_t)number, ZIP_CM_STORE, 0);
        zip_file_set_mtime(w->zip, (zip_uint64_t)number, 315532800,
                           0); // 1980: the same bytes every time
    }
    return true;
}

static bool write_buffer(Writer *w) {
    zip_stat_t st;
    if (zip_source_stat(w->buffer, &st) || zip_source_open(w->buffer))
        return false;
    bool ok = false;
    unsigned char *bytes = malloc(st.size ? st.size : 1);
    if (bytes && zip_source_read(w->buffer, bytes, st.size) == (zip_int64_t)st.size) {
        mg_mem_defer(w->session->mem, free, bytes);
        ok = mg_file_write(w->session, w->path, &(MgBytes){bytes, st.size}, 1);
        mg_mem_undefer(w->session->mem, bytes);
    }
    free(bytes);
    zip_source_close(w->buffer);
    return ok;
}

bool mg_npz_write(MgSession *session, const char *path, const char *const *keys,
                  MgTensor *const *tensors, size_t n) {
    Writer w = {.session = session, .path = path};
    uint32_t errors = session->n_errors;
    bool ok = false;
    w.buffer = zip_source_buffer_create(NULL, 0, 0, NULL);
    if (w.buffer) {
        zip_source_keep(w.buffer);
        w.zip = zip_open_from_source(w.buffer, ZIP_CREATE | ZIP_TRUNCATE, NULL);
        if (!w.zip)
            zip_source_free(w.buffer);
        else if (!add_members(&w, keys, tensors, n))
            zip_discard(w.zip);
        else if (zip_close(w.zip))
            zip_discard(w.zip);
        else
            ok = write_buffer(&w);
        zip_source_free(w.buffer);
    }
    if (!ok && session->n_errors == errors)
        mg_diag(session, mg_no_span(), MG_D_file_write, path, strerror(ENOMEM));
    return ok;
}
