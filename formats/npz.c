// npz: a zip archive whose members are NAME.npy. An archive may lie about unpacked sizes: each is
// checked against the limit before memory is allocated, and reading stops at it, whatever follows.
#include "formats/npy.h"
#include "formats/zip.h"

#include <errno.h>
#include <stdlib.h>

static MgTensor *bad(MgSession *session, const char *path, const char *why) {
    mg_diag(session, mg_no_span(), MG_D_file_format, path, "npz", why);
    return NULL;
}

static void discard(void *archive) {
    mg_zip.discard(archive);
}

static void report_missing(MgSession *session, zip_t *zip, const char *path, const char *key) {
    zip_int64_t n = mg_zip.get_num_entries(zip, 0);
    const char **names = MG_NEW_N(session->arena, const char *, (size_t)n + 1);
    for (zip_int64_t i = 0; i < n; i++) {
        const char *name = mg_zip.get_name(zip, (zip_uint64_t)i, 0);
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

// The unpacked bytes of member `number`, from malloc; NULL after a diagnostic.
static unsigned char *unpack(MgSession *session, zip_t *zip, zip_uint64_t number, const char *path,
                             size_t limit, size_t *length) {
    zip_stat_t st;
    if (mg_zip.stat_index(zip, number, 0, &st) || !(st.valid & ZIP_STAT_SIZE)) {
        bad(session, path, mg_zip.strerror(zip));
        return NULL;
    }
    if (st.size > PTRDIFF_MAX || (limit && st.size > limit)) {
        mg_diag(session, mg_no_span(), MG_D_file_unpacks, path, (unsigned long long)st.size, limit);
        return NULL;
    }
    zip_file_t *member = mg_zip.fopen_index(zip, number, 0);
    if (!member) {
        bad(session, path, mg_zip.strerror(zip));
        return NULL;
    }
    unsigned char *bytes = malloc(st.size ? st.size : 1);
    size_t done = 0;
    for (zip_int64_t n = 1; bytes && n > 0 && done<st.size; done += n> 0 ? (size_t)n : 0)
        n = mg_zip.fread(member, bytes + done, st.size - done);
    char beyond;
    bool whole =
        bytes && done == st.size && mg_zip.fread(member, &beyond, 1) == 0; // the end checks the sum
    mg_zip.fclose(member);
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
    MgFileBytes map; // opened first, for the same messages as for any other file
    if (!mg_file_read(session, path, mg_no_span(), &map))
        return NULL;
    const char *why = mg_zip_load();
    if (why)
        return bad(session, path, why);
    int code = 0;
    zip_t *zip = mg_zip.open(path, ZIP_RDONLY, &code);
    if (!zip)
        return bad(session, path, "it is not a zip archive");
    mg_mem_defer(session->mem, discard, zip);
    const char *member = mg_arena_printf(session->arena, "%s.npy", key);
    zip_int64_t number = mg_zip.name_locate(zip, member, ZIP_FL_ENC_GUESS);
    if (number < 0)
        number = mg_zip.name_locate(zip, key, ZIP_FL_ENC_GUESS);
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
    mg_zip.discard(zip);
    return tensor;
}

// ------------------------------------------------------------------------------------------
// Writes the archive to memory first and then to the file, so that it replaces an old one as a
// whole.
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
            mg_zip.source_buffer_fragment(w->zip, fragments, parts[1].length ? 2 : 1, 0);
        const char *name = mg_arena_printf(w->session->arena, "%s.npy", keys[i]);
        zip_int64_t number = source ? mg_zip.file_add(w->zip, name, source, ZIP_FL_ENC_UTF_8) : -1;
        if (number < 0) {
            mg_zip.source_free(source);
            return false;
        }
        mg_zip.set_file_compression(w->zip, (zip_uint64_t)number, ZIP_CM_STORE, 0);
        mg_zip.file_set_mtime(w->zip, (zip_uint64_t)number, 315532800,
                              0); // 1980, so that the bytes never vary
    }
    return true;
}

static bool write_buffer(Writer *w) {
    zip_stat_t st;
    if (mg_zip.source_stat(w->buffer, &st) || mg_zip.source_open(w->buffer))
        return false;
    bool ok = false;
    unsigned char *bytes = malloc(st.size ? st.size : 1);
    if (bytes && mg_zip.source_read(w->buffer, bytes, st.size) == (zip_int64_t)st.size) {
        mg_mem_defer(w->session->mem, free, bytes);
        ok = mg_file_write(w->session, w->path, &(MgBytes){bytes, st.size}, 1);
        mg_mem_undefer(w->session->mem, bytes);
    }
    free(bytes);
    mg_zip.source_close(w->buffer);
    return ok;
}

bool mg_npz_write(MgSession *session, const char *path, const char *const *keys,
                  MgTensor *const *tensors, size_t n) {
    Writer w = {.session = session, .path = path};
    uint32_t errors = session->n_errors;
    bool ok = false;
    if (mg_zip_load()) {
        bad(session, path, mg_zip_load());
        return false;
    }
    w.buffer = mg_zip.source_buffer_create(NULL, 0, 0, NULL);
    if (w.buffer) {
        mg_zip.source_keep(w.buffer);
        w.zip = mg_zip.open_from_source(w.buffer, ZIP_CREATE | ZIP_TRUNCATE, NULL);
        if (!w.zip)
            mg_zip.source_free(w.buffer);
        else if (!add_members(&w, keys, tensors, n))
            mg_zip.discard(w.zip);
        else if (mg_zip.close(w.zip))
            mg_zip.discard(w.zip);
        else
            ok = write_buffer(&w);
        mg_zip.source_free(w.buffer);
    }
    if (!ok && session->n_errors == errors)
        mg_diag(session, mg_no_span(), MG_D_file_write, path, strerror(ENOMEM));
    return ok;
}
