// Reads IDX files. Nothing is allocated until the file is known to have as many bytes as its sizes
// need.
#include "formats/idx.h"

#include <limits.h>
#include <zlib.h>

// The element's type by the third byte of the magic.
static const struct {
    unsigned char code;
    MgDType dtype;
} types[] = {{0x08, MG_U8},  {0x09, MG_I8},  {0x0b, MG_I16},
             {0x0c, MG_I32}, {0x0d, MG_F32}, {0x0e, MG_F64}};

static MgTensor *bad(MgSession *session, const char *name, const char *why) {
    mg_diag(session, mg_no_span(), MG_D_file_format, name, "IDX", why);
    return NULL;
}

bool mg_idx_is(const char *path) {
    static const char *const words[] = {"-ubyte", "-short", "-int", "-float", "-double"};
    size_t n = strlen(path);
    n -= mg_path_has_extension(path, ".gz") ? 3 : 0;
    if (n >= 4 && !memcmp(path + n - 4, ".idx", 4))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t word = strlen(words[i]);
        if (n >= word + 5 && !memcmp(path + n - word, words[i], word) &&
            !memcmp(path + n - word - 5, "-idx", 4))
            return true;
    }
    return false;
}

static uint32_t big_endian(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// Copies n elements and reverses their bytes, since the machine is little-endian.
static void copy_elements(char *to, const unsigned char *from, size_t n, size_t size) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < size; k++)
            to[i * size + k] = (char)from[i * size + size - 1 - k];
}

MgTensor *mg_idx_of_bytes(MgSession *session, const char *name, const unsigned char *bytes,
                          size_t length) {
    int64_t dims[UCHAR_MAX];
    MgDType dtype = MG_DTYPE_COUNT;
    if (length < 4 || bytes[0] || bytes[1])
        return bad(session, name, "it does not begin with two zeros, a type and a rank");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        dtype = types[i].code == bytes[2] ? types[i].dtype : dtype;
    if (dtype == MG_DTYPE_COUNT)
        return bad(session, name,
                   mg_arena_printf(session->arena, "it has no type of number 0x%02x", bytes[2]));
    uint32_t rank = bytes[3];
    size_t begin = 4 + 4 * (size_t)rank, n, size;
    if (length < begin)
        return bad(session, name, "it ends within its sizes");
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = big_endian(bytes + 4 + 4 * (size_t)i);
    if (rank > MG_TENSOR_RANK_MAX || !mg_tensor_size(dtype, rank, dims, &n, &size))
        return bad(session, name, "its sizes overflow");
    if (length - begin != size)
        return bad(session, name,
                   mg_arena_printf(session->arena, "its sizes need %zu byte%s, but it has %zu",
                                   size, mg_plural(size), length - begin));
    MgTensor *t = mg_tensor_new((MgElement)dtype, rank, dims);
    if (!t)
        mg_mem_fail(session->mem);
    copy_elements(t->data, bytes + begin, n, mg_dtype_size(dtype));
    return t;
}

// ---------------------------------------------------------------- gzip

static void *take(void *arena, uInt n, uInt size) {
    return mg_arena_alloc(arena, (size_t)n * size, _Alignof(max_align_t));
}

static void leave(void *arena, void *at) { // it is freed with the arena
    (void)arena;
    (void)at;
}

// Unpacks into the session's arena. The last four bytes give the size; deflate can't compress by
// more than a factor of 1032.
static const unsigned char *unpack(MgSession *session, const char *path, const MgFileBytes *file,
                                   size_t limit, size_t *length) {
    if (file->length < 18 || file->length > UINT_MAX)
        return (void *)bad(session, path, "it is no gzip file");
    const unsigned char *end = file->bytes + file->length;
    *length = (size_t)end[-1] << 24 | (size_t)end[-2] << 16 | (size_t)end[-3] << 8 | end[-4];
    if (*length / 1032 > file->length)
        return (void *)bad(session, path, "its gzip form is damaged");
    if (limit && *length > limit)
        return (void *)bad(session, path, "it unpacks to more than the memory limit");
    unsigned char *to = mg_arena_alloc(session->arena, *length + 1, 1);
    z_stream z = {.next_in = (Bytef *)(uintptr_t)file->bytes,
                  .avail_in = (uInt)file->length,
                  .next_out = to,
                  .avail_out = (uInt)*length,
                  .zalloc = take,
                  .zfree = leave,
                  .opaque = session->arena};
    int status = inflateInit2(&z, 15 + 16); // the largest window, and gzip's header
    if (!status)
        status = inflate(&z, Z_FINISH);
    if (status != Z_STREAM_END || z.total_out != *length || z.avail_in)
        return (void *)bad(session, path, "its gzip form is damaged");
    return to;
}

MgTensor *mg_idx_read(MgSession *session, const char *path, size_t limit) {
    MgFileBytes file;
    if (!mg_file_read(session, path, mg_no_span(), &file))
        return NULL;
    const unsigned char *bytes = file.bytes;
    size_t length = file.length;
    if (mg_path_has_extension(path, ".gz") &&
        !(bytes = unpack(session, path, &file, limit, &length)))
        return NULL;
    return mg_idx_of_bytes(session, path, bytes, length);
}
