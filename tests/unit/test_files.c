// Tests the readers and writers of tensor files: round trips, foreign forms and hostile files. Each
// hostile file has to be refused with a message that says why. The sanitizers must find no bad
// access and no leak.
#include "formats/idx.h"
#include "formats/npy.h"
#include "formats/safetensors.h"
#include "support/files.h"

#include "tests/unit/check.h"
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>
#include <zlib.h>

static MgSession *session;
static char folder[] = "/tmp/mg_test_XXXXXX";

static void setup(void) {
    session = mg_session_new(0);
}

static void teardown(void) {
    mg_session_free(session);
}

static const char *in_folder(const char *name) {
    return mg_arena_printf(session->arena, "%s/%s", folder, name);
}

// Checks that the file was refused, and returns the last message.
static void ck_refused(const void *result, const char *part) {
    ck_assert_ptr_null(result);
    ck_assert_uint_gt(session->diags.len, 0);
    const char *message = session->diags.at[session->diags.len - 1].message;
    ck_assert_msg(strstr(message, part) != NULL, "'%s' does not say '%s'", message, part);
}

// ---------------------------------------------------------------- safetensors
// A file with this header and a number of data bytes. length is the number in the first 8 bytes, or
// -1 for the true one.
static const unsigned char *file_of(const char *header, int64_t claimed, size_t data,
                                    size_t *length) {
    size_t n = strlen(header);
    uint64_t claim = claimed < 0 ? n : (uint64_t)claimed;
    unsigned char *bytes = mg_arena_alloc(session->arena, 8 + n + data, 1);
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(claim >> (8 * i));
    memcpy(bytes + 8, header, n);
    for (size_t i = 0; i < data; i++)
        bytes[8 + n + i] = (unsigned char)i;
    *length = 8 + n + data;
    return bytes;
}

static MgSafetensors *read_safetensors(const char *header, int64_t claimed, size_t data) {
    size_t length;
    const unsigned char *bytes = file_of(header, claimed, data, &length);
    return mg_safetensors_of_bytes(session, "w.safetensors", mg_no_span(), bytes, length);
}

static const struct {
    const char *header, *message;
    int64_t claimed;
    size_t data;
} hostile[] = {
    {"{}", "header would have 18446744073709551615 bytes", INT64_MAX, 0},
    {"{}", "header would have 100 bytes, but 2 follow", 100, 0},
    {"{", "not a JSON object", -1, 0},
    {"[1]", "not a JSON object", -1, 0},
    {"{\"a\":1}", "'a' has no dtype", -1, 0},
    {"{\"a\":{\"dtype\":3,\"shape\":[],\"data_offsets\":[0,4]}}", "'a' has no dtype", -1, 4},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":4,\"data_offsets\":[0,4]}}", "shape of 'a' is not a list",
     -1, 4},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}", "not a whole number", -1,
     4},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1.5],\"data_offsets\":[0,4]}}", "not a whole number", -1,
     4},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1e300],\"data_offsets\":[0,4]}}", "not a whole number",
     -1, 4},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,4]}}",
     "overflows", -1, 4},
    {"{\"a\":{\"dtype\":\"F64\",\"shape\":[4503599627370496,512],\"data_offsets\":[0,0]}}",
     "overflows", -1, 4},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0]}}", "not two whole numbers", -1,
     4},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}}", "lies at 4..0", -1, 4},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
     "lies at 0..8, but the file has 4", -1, 4},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}",
     "'a' has 4 bytes, but its shape and type make 8", -1, 4},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
     "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[4,12]}}",
     "'a' and 'b' overlap", -1, 12},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
     "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
     "the key 'a' occurs twice", -1, 8},
};

START_TEST(safetensors_hostile) {
    int64_t claimed = hostile[_i].claimed == INT64_MAX ? -1 : hostile[_i].claimed;
    size_t length;
    unsigned char *bytes =
        (unsigned char *)(uintptr_t)file_of(hostile[_i].header, claimed, hostile[_i].data, &length);
    if (hostile[_i].claimed == INT64_MAX)
        memset(bytes, 0xff, 8);
    ck_refused(mg_safetensors_of_bytes(session, "w.safetensors", mg_no_span(), bytes, length),
               hostile[_i].message);
}
END_TEST

START_TEST(safetensors_short) {
    for (size_t n = 0; n < 8; n++)
        ck_refused(mg_safetensors_of_bytes(session, "w", mg_no_span(),
                                           (const unsigned char *)"\2\0\0\0\0\0\0", n),
                   "less than the 8");
}
END_TEST

START_TEST(safetensors_deep) { // nesting is bounded by the parser, not by the stack
    char *header = mg_arena_alloc(session->arena, 400001, 1);
    memset(header, '[', 400000);
    ck_refused(read_safetensors(header, -1, 0), "not a JSON object");
}
END_TEST

START_TEST(safetensors_good) {
    MgSafetensors *f = read_safetensors(
        "{\"__metadata__\":{\"format\":\"pt\"},"
        "\"x\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
        "\"odd\":{\"dtype\":\"F8_E8M0\",\"shape\":[3],\"data_offsets\":[8,11]},"
        "\"none\":{\"dtype\":\"F32\",\"shape\":[0,9007199254740992],\"data_offsets\":[3,3]}}",
        -1, 11);
    ck_assert_ptr_nonnull(f);
    const MgSafetensor *x = mg_safetensors_find(f, mg_sym(session->names, "x"));
    ck_assert_ptr_nonnull(x);
    ck_assert_int_eq(x->dtype, MG_F32);
    ck_assert_int_eq(x->dims[0], 2);
    ck_assert_int_eq(((const unsigned char *)x->data)[5], 5);
    ck_assert_int_eq(mg_safetensors_find(f, mg_sym(session->names, "odd"))->dtype, MG_DTYPE_COUNT);
    ck_assert_ptr_null(mg_safetensors_find(f, mg_sym(session->names, "y")));
    ck_assert_uint_eq(mg_safetensors_nearest(session, f, NULL, mg_sym(session->names, "nome")),
                      mg_sym(session->names, "none"));
}
END_TEST

START_TEST(safetensors_of_bytes) {
    MgSafetensors *f =
        read_safetensors("{\"four\":{\"dtype\":\"F8_E4M3\",\"shape\":[2],\"data_offsets\":[0,2]},"
                         "\"five\":{\"dtype\":\"F8_E5M2\",\"shape\":[1],\"data_offsets\":[2,3]}}",
                         -1, 3);
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(mg_safetensors_find(f, mg_sym(session->names, "four"))->dtype, MG_F8E4M3);
    ck_assert_int_eq(mg_safetensors_find(f, mg_sym(session->names, "five"))->dtype, MG_F8E5M2);
}
END_TEST

START_TEST(safetensors_round_trip) {
    float a[6] = {1, 2, 3, 4, 5, 6};
    int64_t b = -7, dims[2] = {2, 3};
    MgSafetensor t[2] = {{.key = mg_sym(session->names, "a \"quoted\\\" \x01"),
                          .dtype = MG_F32,
                          .rank = 2,
                          .dims = dims,
                          .data = a,
                          .bytes = 24},
                         {.key = mg_sym(session->names, "b"),
                          .dtype = MG_I64,
                          .rank = 0,
                          .dims = dims,
                          .data = &b,
                          .bytes = 8}};
    const char *path = in_folder("round.safetensors");
    ck_assert(mg_safetensors_write(session, path, t, 2));
    MgSafetensors *f = mg_safetensors_open(session, path, mg_no_span());
    ck_assert_ptr_nonnull(f);
    const MgSafetensor *ra = mg_safetensors_find(f, t[0].key),
                       *rb = mg_safetensors_find(f, t[1].key);
    ck_assert_ptr_nonnull(ra);
    ck_assert_ptr_nonnull(rb);
    ck_assert_uint_eq((uintptr_t)ra->data % 64, 0);
    ck_assert_mem_eq(ra->data, a, 24);
    ck_assert_mem_eq(rb->data, &b, 8);
}
END_TEST

// ---------------------------------------------------------------- npy
static MgTensor *read_npy(unsigned version, const char *dictionary, const void *data,
                          size_t bytes) {
    size_t n = strlen(dictionary), start = version == 1 ? 10 : 12;
    unsigned char *file = mg_arena_alloc(session->arena, start + n + bytes, 1);
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[8] = (unsigned char)n;
    file[9] = (unsigned char)(n >> 8);
    memcpy(file + start, dictionary, n);
    memcpy(file + start + n, data, bytes);
    return mg_npy_of_bytes(session, "x.npy", file, start + n + bytes);
}

static const struct {
    const char *dictionary, *message;
} bad_npy[] = {
    {"", "not a dictionary"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4,)", "does not end"},
    {"{'descr': '<f4', 'fortran_order': False}", "lacks"},
    {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "expected once"},
    {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "records or objects"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "no counterpart"},
    {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "no counterpart"},
    {"{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}", "neither True nor False"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "not a tuple"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "not a tuple"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "overflows"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}", "asks for 20 bytes, but it has 16"},
    {"{'descr': '<f4", "records or objects"},
};

START_TEST(npy_hostile) {
    float data[4] = {1, 2, 3, 4};
    ck_refused(read_npy(1, bad_npy[_i].dictionary, data, sizeof data), bad_npy[_i].message);
}
END_TEST

START_TEST(npy_hostile_start) {
    ck_refused(mg_npy_of_bytes(session, "x.npy", (const unsigned char *)"\x93NUMPY\x01", 7),
               "does not begin");
    ck_refused(
        mg_npy_of_bytes(session, "x.npy", (const unsigned char *)"\x93NUMPY\x09\0\0\0\0\0", 12),
        "version is 9");
    ck_refused(
        mg_npy_of_bytes(session, "x.npy", (const unsigned char *)"\x93NUMPY\x01\0\xff\xff", 10),
        "truncated");
    ck_refused(mg_npy_of_bytes(session, "x.npy",
                               (const unsigned char *)"\x93NUMPY\x02\0\xff\xff\xff\xff", 12),
               "truncated");
    ck_refused(
        mg_npy_of_bytes(session, "x.npy", (const unsigned char *)"\x93NUMPY\x02\0\x01\0", 10),
        "truncated");
}
END_TEST

START_TEST(npy_every_version) {
    const unsigned char data[8] = {0, 0, 128, 63, 0, 0, 0, 64};
    MgTensor *t = read_npy((unsigned)_i,
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", data, 8);
    ck_assert_ptr_nonnull(t);
    ck_assert_float_eq(((float *)t->data)[0], 1);
    ck_assert_float_eq(((float *)t->data)[1], 2);
    mg_tensor_release(t);
}
END_TEST

START_TEST(npy_big_endian_columns) { // 2 x 3, big-endian i16, column-major
    const unsigned char data[12] = {0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6};
    MgTensor *t = read_npy(1, "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3)}", data, 12);
    ck_assert_ptr_nonnull(t);
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(((int16_t *)t->data)[i], i + 1);
    mg_tensor_release(t);
}
END_TEST

START_TEST(npy_bool_and_scalar) {
    MgTensor *t =
        read_npy(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", "\x00\x01\x07", 3);
    ck_assert_mem_eq(t->data, "\x00\x01\x01", 3);
    mg_tensor_release(t);
    t = read_npy(1, "{'descr': '<i8', 'fortran_order': False, 'shape': ()}", "\x05\0\0\0\0\0\0", 8);
    ck_assert_uint_eq(t->rank, 0);
    ck_assert_int_eq(*(int64_t *)t->data, 5);
    mg_tensor_release(t);
}
END_TEST

// ---------------------------------------------------------------- IDX
#define BYTES(text) (const unsigned char *)text, sizeof text - 1

START_TEST(idx_turns_elements_round) {
    MgTensor *t = mg_idx_of_bytes(
        session, "x.idx", BYTES("\0\0\x0b\x02\0\0\0\x02\0\0\0\x02\0\x01\0\x02\x01\0\xff\xfa"));
    ck_assert_ptr_nonnull(t);
    ck_assert_int_eq(t->dtype, MG_I16);
    ck_assert_uint_eq(t->rank, 2);
    ck_assert_int_eq(t->dims[1], 2);
    ck_assert_mem_eq(t->data, ((const int16_t[]){1, 2, 256, -6}), 8);
    mg_tensor_release(t);
    t = mg_idx_of_bytes(session, "x.idx", BYTES("\0\0\x0e\0\x3f\xf8\0\0\0\0\0\0"));
    ck_assert_ptr_nonnull(t);
    ck_assert_double_eq(*(double *)t->data, 1.5);
    mg_tensor_release(t);
}
END_TEST

static const struct {
    const unsigned char *bytes;
    size_t length;
    const char *message;
} bad_idx[] = {
    {BYTES(""), "two zeros"},
    {BYTES("\x1f\x8b\x08\x01"), "two zeros"},
    {BYTES("\0\0\x0a\x01\0\0\0\x01"), "no type of number 0x0a"},
    {BYTES("\0\0\x08\x02\0\0\0\x02"), "ends within its sizes"},
    {BYTES("\0\0\x08\xff"), "ends within its sizes"},
    {BYTES("\0\0\x0e\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), "overflow"},
    {BYTES("\0\0\x08\x01\0\0\0\x03"
           "ab"),
     "need 3 bytes, but it has 2"},
    {BYTES("\0\0\x08\x01\0\0\0\x03"
           "abcd"),
     "need 3 bytes, but it has 4"},
};

START_TEST(idx_hostile) {
    ck_refused(mg_idx_of_bytes(session, "x.idx", bad_idx[_i].bytes, bad_idx[_i].length),
               bad_idx[_i].message);
}
END_TEST

START_TEST(idx_packed) {
    ck_refused(mg_idx_read(session, "/nowhere/x.idx", 0), "/nowhere/x.idx");
    const char *path = mg_arena_printf(session->arena, "%s/t-idx1-ubyte.gz", folder);
    gzFile f = gzopen(path, "wb");
    static char data[8 + 100000] = {0, 0, 8, 1, 0, 1, (char)0x86, (char)0xa0};
    data[8 + 99999] = 7;
    ck_assert_int_eq(gzwrite(f, data, sizeof data), (int)sizeof data);
    ck_assert_int_eq(gzclose(f), Z_OK);
    MgTensor *t = mg_idx_read(session, path, 0);
    ck_assert_ptr_nonnull(t);
    ck_assert_uint_eq(t->bytes, 100000);
    ck_assert_mem_eq(t->data, data + 8, 100000);
    mg_tensor_release(t);
    ck_refused(mg_idx_read(session, path, 50000), "more than the memory limit");
    MgFileBytes packed;
    ck_assert(mg_file_read(session, path, mg_no_span(), &packed));
    for (size_t cut = 0; cut <= packed.length; cut++) { // one byte of it damaged, or its end gone
        MgBytes part = {mg_arena_copy(session->arena, packed.bytes, packed.length, 1), cut};
        if (cut == packed.length)
            ((unsigned char *)(uintptr_t)part.at)[cut - 1] ^= 0x40;
        const char *cut_path = mg_arena_printf(session->arena, "%s/cut.idx.gz", folder);
        ck_assert(mg_file_write(session, cut_path, &part, 1));
        ck_refused(mg_idx_read(session, cut_path, 0), "gz");
    }
}
END_TEST

START_TEST(idx_names) {
    ck_assert(mg_idx_is("a/train-images-idx3-ubyte"));
    ck_assert(mg_idx_is("t10k-labels-idx1-ubyte.gz"));
    ck_assert(mg_idx_is("x.idx") && mg_idx_is("x.idx.gz") && mg_idx_is("x-idx2-float"));
    ck_assert(!mg_idx_is("x.gz") && !mg_idx_is("-ubyte") && !mg_idx_is("") &&
              !mg_idx_is("idx.npy"));
}
END_TEST

static MgTensor *sample(void) {
    int64_t dims[2] = {3, 5};
    MgTensor *t = mg_tensor_new(MG_ELEMENT_F64, 2, dims);
    for (int i = 0; i < 15; i++)
        ((double *)t->data)[i] = i / 7.0;
    return t;
}

START_TEST(npy_and_npz_round_trip) {
    MgTensor *t = sample();
    const char *npy = in_folder("a.npy"), *npz = in_folder("a.npz"), *keys[2] = {"x", "y"};
    MgTensor *both[2] = {t, t};
    ck_assert(mg_npy_write(session, npy, t));
    ck_assert(mg_npz_write(session, npz, keys, both, 2));
    MgTensor *a = mg_npy_read(session, npy), *b = mg_npz_read(session, npz, "y", 0);
    ck_assert_ptr_nonnull(a);
    ck_assert_ptr_nonnull(b);
    ck_assert_mem_eq(a->data, t->data, t->bytes);
    ck_assert_mem_eq(b->data, t->data, t->bytes);
    ck_assert_int_eq(b->dims[1], 5);
    ck_refused(mg_npz_read(session, npz, "z", 0), "has no array 'z'");
    ck_refused(mg_npz_read(session, npz, "x", 100), "would unpack to");
    mg_tensor_release(a);
    mg_tensor_release(b);
    mg_tensor_release(t);
}
END_TEST

static const char *deflated(const char *name, const void *bytes, size_t length) {
    const char *path = in_folder(name);
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    zip_file_add(zip, "x.npy", zip_source_buffer(zip, bytes, length, 0), 0);
    zip_set_file_compression(zip, 0, ZIP_CM_DEFLATE, 9);
    ck_assert_int_eq(zip_close(zip), 0);
    return path;
}

START_TEST(npz_deflated) {
    MgTensor *t = sample();
    MgBytes parts[2];
    mg_npy_parts(session, t, parts);
    unsigned char *whole = mg_arena_alloc(session->arena, parts[0].length + parts[1].length, 1);
    memcpy(whole, parts[0].at, parts[0].length);
    memcpy(whole + parts[0].length, parts[1].at, parts[1].length);
    const char *path = deflated("deflated.npz", whole, parts[0].length + parts[1].length);
    MgTensor *r = mg_npz_read(session, path, "x", 0);
    ck_assert_ptr_nonnull(r);
    ck_assert_mem_eq(r->data, t->data, t->bytes);
    mg_tensor_release(r);
    mg_tensor_release(t);
}
END_TEST

START_TEST(npz_bomb) { // 64 MiB of zeros in 64 kB
    size_t size = (size_t)64 << 20;
    unsigned char *zeros = calloc(size, 1);
    const char *path = deflated("bomb.npz", zeros, size);
    free(zeros);
    ck_refused(mg_npz_read(session, path, "x", (size_t)1 << 20), "the limit is 1048576");
}
END_TEST

START_TEST(npz_damaged) {
    MgTensor *t = sample();
    const char *path = in_folder("damaged.npz"), *keys[1] = {"x"};
    ck_assert(mg_npz_write(session, path, keys, &t, 1));
    mg_tensor_release(t);
    FILE *f = fopen(path, "r+b");
    fseek(f, 150, SEEK_SET);
    fputs("damaged", f);
    fclose(f);
    ck_refused(mg_npz_read(session, path, "x", 0), "damaged");
    ck_assert_int_eq(truncate(path, 60), 0);
    ck_refused(mg_npz_read(session, path, "x", 0), "not a zip archive");
}
END_TEST

// ---------------------------------------------------------------- files
static int entries(const char *path) {
    DIR *d = opendir(path);
    int n = 0;
    while (readdir(d))
        n++;
    closedir(d);
    return n - 2;
}

START_TEST(write_replaces_or_leaves) {
    const char *sub = in_folder("sub"), *path = in_folder("sub/f");
    mkdir(sub, 0700);
    ck_assert(mg_file_write(session, path, (MgBytes[]){{"one", 3}, {"two", 3}}, 2));
    ck_assert(mg_file_write(session, path, &(MgBytes){"three", 5}, 1));
    MgFileBytes map;
    ck_assert(mg_file_read(session, path, mg_no_span(), &map));
    ck_assert_uint_eq(map.length, 5);
    ck_assert_mem_eq(map.bytes, "three", 5);
    ck_assert_int_eq(entries(sub), 1);
    ck_assert(!mg_file_write(session, sub, &(MgBytes){"x", 1}, 1)); // a folder
    ck_assert(!mg_file_write(session, in_folder("none/f"), &(MgBytes){"x", 1}, 1));
    ck_assert_int_eq(entries(sub), 1);
}
END_TEST

START_TEST(write_full_disk) { // a limit on file sizes stands for a full disk
    const char *sub = in_folder("full"), *path = in_folder("full/f");
    mkdir(sub, 0700);
    struct rlimit before, small = {4096, 4096};
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    char *bytes = mg_arena_alloc(session->arena, 100000, 1);
    bool ok = mg_file_write(session, path, &(MgBytes){bytes, 100000}, 1);
    setrlimit(RLIMIT_FSIZE, &before);
    ck_assert(!ok);
    ck_refused(NULL, "cannot write");
    ck_assert_int_eq(entries(sub), 0);
}
END_TEST

START_TEST(map_what_is_no_file) {
    MgFileBytes map;
    ck_assert(!mg_file_read(session, folder, mg_no_span(), &map));
    ck_assert(!mg_file_read(session, in_folder("absent"), mg_no_span(), &map));
    ck_assert(!mg_file_read(session, "/dev/zero", mg_no_span(), &map));
    ck_assert_uint_eq(session->n_errors, 3);
}
END_TEST

START_TEST(paths) {
    MgArena *a = session->arena;
    ck_assert_str_eq(mg_path_beside(a, "a/b/net.mg", "w.safetensors"), "a/b/w.safetensors");
    ck_assert_str_eq(mg_path_beside(a, "net.mg", "w"), "w");
    ck_assert_str_eq(mg_path_beside(a, "a/net.mg", "/w"), "/w");
    ck_assert_str_eq(mg_path_with_extension(a, "a.b/net.mg", ".mgb"), "a.b/net.mgb");
    ck_assert_str_eq(mg_path_with_extension(a, "a.b/net", ".mgb"), "a.b/net.mgb");
    ck_assert(mg_path_has_extension("x/y.npy", ".npy"));
    ck_assert(!mg_path_has_extension("x.npy/y", ".npy"));
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

int main(void) {
    if (!mkdtemp(folder))
        return EXIT_FAILURE;
    Suite *suite = suite_create("files");
    TCase *t = tcase_create("files");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, safetensors_hostile, 0, COUNT(hostile));
    tcase_add_test(t, safetensors_short);
    tcase_add_test(t, safetensors_deep);
    tcase_add_test(t, safetensors_good);
    tcase_add_test(t, safetensors_of_bytes);
    tcase_add_test(t, safetensors_round_trip);
    tcase_add_loop_test(t, npy_hostile, 0, COUNT(bad_npy));
    tcase_add_test(t, npy_hostile_start);
    tcase_add_loop_test(t, npy_every_version, 1, 4);
    tcase_add_test(t, npy_big_endian_columns);
    tcase_add_test(t, npy_bool_and_scalar);
    tcase_add_test(t, npy_and_npz_round_trip);
    tcase_add_test(t, npz_deflated);
    tcase_add_test(t, idx_turns_elements_round);
    tcase_add_loop_test(t, idx_hostile, 0, sizeof bad_idx / sizeof *bad_idx);
    tcase_add_test(t, idx_packed);
    tcase_add_test(t, idx_names);
    tcase_add_test(t, npz_bomb);
    tcase_add_test(t, npz_damaged);
    tcase_add_test(t, write_replaces_or_leaves);
    tcase_add_test(t, write_full_disk);
    tcase_add_test(t, map_what_is_no_file);
    tcase_add_test(t, paths);
    suite_add_tcase(suite, t);
    int failed = mg_test_run(suite, CK_FORK);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) || failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
