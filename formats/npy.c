// Reads and writes npy files. The header's dictionary has a parser of its own: three keys, strings,
// True and False, and one tuple of numbers. Nothing is allocated until the file is known to have as
// many bytes as its shape needs.
#include "formats/npy.h"

#include <stdlib.h>

typedef struct Npy {
    MgSession *session;
    const char *name;
    const char *at, *end; // of the dictionary
    MgDType dtype;
    bool swap, fortran;
    uint32_t rank;
    int64_t dims[MG_TENSOR_RANK_MAX];
} Npy;

static bool bad(const Npy *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool bad(const Npy *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *why = mg_arena_vprintf(r->session->arena, format, args);
    va_end(args);
    mg_diag(r->session, mg_no_span(), MG_D_file_format, r->name, "npy", why);
    return false;
}

// ---------------------------------------------------------------- dictionary
static void skip_spaces(Npy *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t'))
        r->at++;
}

static bool accept(Npy *r, const char *text) {
    skip_spaces(r);
    size_t n = strlen(text);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, text, n) != 0)
        return false;
    r->at += n;
    return true;
}

// Reads a string without escapes into text.
static bool accept_string(Npy *r, char *text, size_t room) {
    skip_spaces(r);
    if (r->at == r->end || (*r->at != '\'' && *r->at != '"'))
        return false;
    const char quote = *r->at++, *begin = r->at;
    while (r->at < r->end && *r->at != quote)
        r->at++;
    size_t n = (size_t)(r->at - begin);
    if (r->at == r->end || n >= room || memchr(begin, '\\', n))
        return false;
    memcpy(text, begin, n);
    text[n] = '\0';
    r->at++;
    return true;
}

static bool accept_shape(Npy *r) {
    if (!accept(r, "("))
        return false;
    r->rank = 0;
    while (!accept(r, ")")) {
        skip_spaces(r);
        int64_t value = 0;
        const char *begin = r->at;
        for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
            if (__builtin_mul_overflow(value, 10, &value) ||
                __builtin_add_overflow(value, *r->at - '0', &value))
                return false;
        if (r->at == begin || r->rank == MG_TENSOR_RANK_MAX)
            return false;
        r->dims[r->rank++] = value;
        if (!accept(r, ",")) // this was the last size, or a 1-tuple has no comma
            return accept(r, ")");
    }
    return true;
}

static bool is_code(const char *code, const char *descr) {
    return !strcmp(code + 1, descr + 1);
}

static bool read_type(Npy *r, const char *descr) {
    bool big = descr[0] == '>';
    if (!descr[0] || !strchr("<>|=", descr[0]))
        return bad(r, "its type '%s' is not one number or truth value per element", descr);
    for (int d = 0; d < MG_DTYPE_COUNT; d++)
        if (is_code(mg_dtype((MgDType)d)->npy, descr)) {
            r->dtype = (MgDType)d;
            r->swap = big && mg_dtype_size(r->dtype) > 1;
            return true;
        }
    return bad(r, "its type '%s' has no counterpart here", descr);
}

static bool read_dictionary(Npy *r) {
    char key[32], descr[32];
    bool seen_type = false, seen_order = false, seen_shape = false;
    if (!accept(r, "{"))
        return bad(r, "its header is not a dictionary");
    while (!accept(r, "}")) {
        if (!accept_string(r, key, sizeof key) || !accept(r, ":"))
            return bad(r, "its header is not a dictionary of names");
        if (!strcmp(key, "descr") && !seen_type) {
            if (!accept_string(r, descr, sizeof descr))
                return bad(r, "its elements are records or objects, not plain numbers");
            if (!read_type(r, descr))
                return false;
            seen_type = true;
        } else if (!strcmp(key, "fortran_order") && !seen_order) {
            r->fortran = accept(r, "True");
            if (!r->fortran && !accept(r, "False"))
                return bad(r, "fortran_order is neither True nor False");
            seen_order = true;
        } else if (!strcmp(key, "shape") && !seen_shape) {
            if (!accept_shape(r))
                return bad(r, "its shape is not a tuple of at most %d sizes", MG_TENSOR_RANK_MAX);
            seen_shape = true;
        } else
            return bad(
                r, "its header has '%s' where descr, fortran_order or shape is expected once", key);
        if (!accept(r, ",")) {
            if (!accept(r, "}"))
                return bad(r, "its header does not end");
            break;
        }
    }
    return (seen_type && seen_order && seen_shape) ||
           bad(r, "its header lacks descr, fortran_order or shape");
}

// ---------------------------------------------------------------- data
static void swap_bytes(unsigned char *at, size_t count, size_t size) {
    for (size_t i = 0; i < count; i++, at += size)
        for (size_t a = 0, b = size - 1; a < b; a++, b--) {
            unsigned char c = at[a];
            at[a] = at[b];
            at[b] = c;
        }
}

// Column-major to row-major: walks the target in order and steps the position in the source like an
// odometer.
static void transpose_into(MgTensor *t, const unsigned char *from) {
    size_t size = mg_dtype_size(t->dtype), at = 0;
    unsigned char *to = t->data;
    int64_t position[MG_TENSOR_RANK_MAX] = {0};
    size_t stride[MG_TENSOR_RANK_MAX], step = 1;
    for (uint32_t i = 0; i < t->rank; i++) {
        stride[i] = step;
        step *= (size_t)t->dims[i];
    }
    for (size_t n = 0; n < t->count; n++, to += size) {
        memcpy(to, from + at * size, size);
        for (uint32_t i = t->rank; i-- > 0;) {
            at += stride[i];
            if (++position[i] < t->dims[i])
                break;
            at -= stride[i] * (size_t)t->dims[i];
            position[i] = 0;
        }
    }
}

static MgTensor *read_data(const Npy *r, const unsigned char *data, size_t length) {
    size_t count, bytes;
    if (!mg_tensor_size(r->dtype, r->rank, r->dims, &count, &bytes)) {
        bad(r, "its shape overflows");
        return NULL;
    }
    if (bytes > length) {
        bad(r, "its shape asks for %zu byte%s, but it has %zu (is it truncated?)", bytes,
            mg_plural(bytes), length);
        return NULL;
    }
    MgTensor *t = mg_tensor_new((MgElement)r->dtype, r->rank, r->dims);
    if (!t)
        mg_mem_fail(r->session->mem);
    if (r->fortran && t->rank > 1)
        transpose_into(t, data);
    else if (bytes)
        memcpy(t->data, data, bytes);
    if (r->swap)
        swap_bytes(t->data, t->count, mg_dtype_size(t->dtype));
    if (t->dtype == MG_BOOL) // 0 and 1 are the type's only values
        for (size_t i = 0; i < count; i++)
            ((unsigned char *)t->data)[i] = ((unsigned char *)t->data)[i] != 0;
    return t;
}

MgTensor *mg_npy_of_bytes(MgSession *session, const char *name, const unsigned char *bytes,
                          size_t length) {
    Npy r = {.session = session, .name = name};
    if (length < 10 || memcmp(bytes, "\x93NUMPY", 6) != 0) {
        bad(&r, "it does not begin as one");
        return NULL;
    }
    unsigned version = bytes[6];
    size_t header = bytes[8] | (size_t)bytes[9] << 8, start = 10;
    if (version < 1 || version > 3) {
        bad(&r, "its version is %u.%u, versions 1 to 3 are known", version, bytes[7]);
        return NULL;
    }
    if (version > 1) {
        start = 12;
        if (length >= start)
            header |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    }
    if (length < start || header > length - start) {
        bad(&r, "its header would have %zu byte%s, but the file ends before (is it truncated?)",
            header, mg_plural(header));
        return NULL;
    }
    r.at = (const char *)bytes + start;
    r.end = r.at + header;
    if (!read_dictionary(&r))
        return NULL;
    return read_data(&r, bytes + start + header, length - start - header);
}

MgTensor *mg_npy_read(MgSession *session, const char *path) {
    MgFileBytes map;
    if (!mg_file_read(session, path, mg_no_span(), &map))
        return NULL;
    return mg_npy_of_bytes(session, map.path, map.bytes, map.length);
}

// ---------------------------------------------------------------- writing
void mg_npy_parts(MgSession *session, const MgTensor *t, MgBytes parts[2]) {
    MgText out = mg_text(session->arena);
    mg_textf(&out, "{'descr': '%s', 'fortran_order': False, 'shape': (", mg_dtype(t->dtype)->npy);
    for (uint32_t i = 0; i < t->rank; i++)
        mg_textf(&out, "%lld%s", (long long)t->dims[i],
                 t->rank == 1      ? ","
                 : i + 1 < t->rank ? ", "
                                   : "");
    mg_text_add(&out, "), }");
    while (out.bytes.len % 64 != 64 - 10 - 1)
        mg_text_add(&out, " ");
    mg_text_add(&out, "\n"); // at most 64 sizes, so well under 64 kB
    uint32_t n = out.bytes.len;
    unsigned char *header = mg_arena_alloc(session->arena, n + 10, 1);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (unsigned char)n;
    header[9] = (unsigned char)(n >> 8);
    memcpy(header + 10, out.bytes.at, n);
    parts[0] = (MgBytes){header, n + 10};
    parts[1] = (MgBytes){t->data, t->bytes};
}

bool mg_npy_write(MgSession *session, const char *path, const MgTensor *tensor) {
    MgBytes parts[2];
    mg_npy_parts(session, tensor, parts);
    return mg_file_write(session, path, parts, 2);
}
