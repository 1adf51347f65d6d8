// Reads and writes safetensors files. The header's JSON may be hostile: cJSON parses it with
// bounded nesting, every number must be an integer below 2^53, and a tensor's place must fit the
// size that follows from its shape.
#include "formats/safetensors.h"

#include "formats/tensor.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#define HEADER_MAX ((uint64_t)100 << 20) // the limit of the format's own library
typedef struct Reader {
    MgSession *session;
    MgSpan from;
    const unsigned char *data; // after the header
    size_t length;
    MgSafetensors *file;
} Reader;

static bool bad(const Reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool bad(const Reader *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *why = mg_arena_vprintf(r->session->arena, format, args);
    va_end(args);
    mg_diag(r->session, r->from, MG_D_file_format, r->file->path, "safetensors", why);
    return false;
}

static bool whole_number(const cJSON *item, int64_t *value) {
    if (!cJSON_IsNumber(item))
        return false;
    double v = item->valuedouble;
    if (!(v >= 0 && v <= 9007199254740992.0) || v != (double)(int64_t)v)
        return false;
    *value = (int64_t)v;
    return true;
}

static MgDType dtype_of(const char *name) {
    for (int d = 0; d < MG_DTYPE_COUNT; d++)
        if (!strcmp(mg_dtype((MgDType)d)->safetensors, name))
            return (MgDType)d;
    return MG_DTYPE_COUNT;
}

static bool read_shape(const Reader *r, const char *key, const cJSON *shape, MgSafetensor *t) {
    int n = cJSON_IsArray(shape) ? cJSON_GetArraySize(shape) : -1;
    if (n < 0 || n > MG_TENSOR_RANK_MAX)
        return bad(r, "the shape of '%s' is not a list of at most %d numbers", key,
                   MG_TENSOR_RANK_MAX);
    int64_t *dims = MG_NEW_N(r->session->arena, int64_t, (size_t)n + 1);
    t->rank = 0;
    for (const cJSON *d = shape->child; d; d = d->next)
        if (!whole_number(d, &dims[t->rank++]))
            return bad(r, "dimension %u of '%s' is not a whole number", t->rank - 1, key);
    t->dims = dims;
    return true;
}

static bool read_place(const Reader *r, const char *key, const cJSON *offsets, MgSafetensor *t) {
    int64_t begin, end;
    if (!cJSON_IsArray(offsets) || cJSON_GetArraySize(offsets) != 2 ||
        !whole_number(offsets->child, &begin) || !whole_number(offsets->child->next, &end))
        return bad(r, "the data_offsets of '%s' are not two whole numbers", key);
    if (begin > end || (uint64_t)end > r->length)
        return bad(
            r, "'%s' lies at %lld..%lld, but the file has %zu byte%s of data (is it truncated?)",
            key, (long long)begin, (long long)end, r->length, mg_plural(r->length));
    t->data = r->data + begin;
    t->bytes = (size_t)(end - begin);
    size_t count, bytes;
    if (t->dtype == MG_DTYPE_COUNT)
        return true; // its size is unknown, so it cannot be used
    if (!mg_tensor_size(t->dtype, t->rank, t->dims, &count, &bytes))
        return bad(r, "the shape of '%s' overflows", key);
    if (bytes != t->bytes)
        return bad(r, "'%s' has %zu byte%s, but its shape and type make %zu", key, t->bytes,
                   mg_plural(t->bytes), bytes);
    return true;
}

static bool read_tensor(const Reader *r, const cJSON *item) {
    const char *key = item->string;
    MgSafetensor t = {.key = mg_sym(r->session->names, key)};
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(item, "dtype");
    if (!cJSON_IsObject(item) || !cJSON_IsString(type))
        return bad(r, "'%s' has no dtype", key);
    t.type = mg_arena_str(r->session->arena, type->valuestring, strlen(type->valuestring));
    t.dtype = dtype_of(t.type);
    if (!read_shape(r, key, cJSON_GetObjectItemCaseSensitive(item, "shape"), &t) ||
        !read_place(r, key, cJSON_GetObjectItemCaseSensitive(item, "data_offsets"), &t))
        return false;
    if (mg_map_find(&r->file->by_key, t.key))
        return bad(r, "the key '%s' occurs twice", key);
    mg_map_put(&r->file->by_key, t.key, r->file->tensors.len);
    mg_push(r->session->arena, &r->file->tensors, t);
    return true;
}

static int by_place(const void *a, const void *b) {
    const MgSafetensor *x = *(const MgSafetensor *const *)a, *y = *(const MgSafetensor *const *)b;
    if (x->data != y->data)
        return x->data < y->data ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

// Checks that every byte belongs to a tensor, as the format requires; otherwise header and data
// don't belong together.
static bool check_whole(const Reader *r, const MgSafetensor *const *sorted, uint32_t n) {
    size_t end = 0;
    for (uint32_t i = 0; i <= n; i++) {
        size_t begin =
            i < n ? (size_t)((const unsigned char *)sorted[i]->data - r->data) : r->length;
        if (begin != end)
            return bad(r, "bytes %zu to %zu of its data belong to no tensor", end, begin);
        end = i < n ? begin + sorted[i]->bytes : end;
    }
    return true;
}

static bool check_disjoint(const Reader *r) {
    uint32_t n = 0;
    const MgSafetensor **sorted =
        MG_NEW_N(r->session->arena, const MgSafetensor *, r->file->tensors.len + 1);
    for (uint32_t i = 0; i < r->file->tensors.len; i++)
        if (r->file->tensors.at[i].bytes) // an empty tensor may lie anywhere
            sorted[n++] = &r->file->tensors.at[i];
    qsort(sorted, n, sizeof *sorted, by_place);
    for (uint32_t i = 1; i < n; i++)
        if ((const char *)sorted[i - 1]->data + sorted[i - 1]->bytes >
            (const char *)sorted[i]->data)
            return bad(r, "'%s' and '%s' overlap", mg_name(r->session->names, sorted[i - 1]->key),
                       mg_name(r->session->names, sorted[i]->key));
    return check_whole(r, sorted, n);
}

static void free_json(void *json) {
    cJSON_Delete(json);
}

MgSafetensors *mg_safetensors_of_bytes(MgSession *session, const char *path, MgSpan from,
                                       const unsigned char *bytes, size_t length) {
    MgSafetensors *file = MG_NEW(session->arena, MgSafetensors);
    file->path = mg_arena_str(session->arena, path, strlen(path));
    mg_map_init(&file->by_key, session->arena);
    Reader r = {.session = session, .from = from, .file = file};
    uint64_t header = 0;
    if (length < 8) {
        bad(&r, "it has %zu byte%s, less than the 8 of a header's length", length,
            mg_plural(length));
        return NULL;
    }
    for (int i = 0; i < 8; i++)
        header |= (uint64_t)bytes[i] << (8 * i);
    if (header > HEADER_MAX || header > length - 8) {
        bad(&r, "its header would have %llu byte%s, but %zu follow (is it truncated?)",
            (unsigned long long)header, mg_plural(header), length - 8);
        return NULL;
    }
    r.data = bytes + 8 + header;
    r.length = length - 8 - (size_t)header;
    cJSON *json = cJSON_ParseWithLength((const char *)bytes + 8, (size_t)header);
    if (!json || !cJSON_IsObject(json)) {
        cJSON_Delete(json);
        bad(&r, "its header is not a JSON object");
        return NULL;
    }
    mg_mem_defer(session->mem, free_json, json);
    bool ok = true;
    for (const cJSON *item = json->child; item && ok; item = item->next)
        if (strcmp(item->string, "__metadata__") != 0)
            ok = read_tensor(&r, item);
    ok = ok && check_disjoint(&r);
    mg_mem_undefer(session->mem, json);
    cJSON_Delete(json);
    return ok ? file : NULL;
}

MgSafetensors *mg_safetensors_open(MgSession *session, const char *path, MgSpan from) {
    MgFileBytes map;
    if (!mg_file_read(session, path, from, &map))
        return NULL;
    return mg_safetensors_of_bytes(session, path, from, map.bytes, map.length);
}

const char *mg_safetensor_type(const MgSafetensor *tensor) {
    return tensor->dtype < MG_DTYPE_COUNT ? mg_dtype(tensor->dtype)->name : tensor->type;
}

const MgSafetensor *mg_safetensors_find(const MgSafetensors *file, MgSym key) {
    const uint64_t *at = mg_map_find(&file->by_key, key);
    return at ? &file->tensors.at[*at] : NULL;
}

MgSym mg_safetensors_nearest(const MgSession *session, const MgSafetensors *file,
                             const MgMap *taken, MgSym key) {
    uint32_t n = 0;
    MgSym *keys = MG_NEW_N(session->arena, MgSym, file->tensors.len + 1);
    for (uint32_t i = 0; i < file->tensors.len; i++)
        if (!taken || !mg_map_find(taken, file->tensors.at[i].key))
            keys[n++] = file->tensors.at[i].key;
    return mg_nearest_name(session->names, key, keys, n);
}

// ---------------------------------------------------------------- writing
static void add_json_string(MgText *out, const char *s) {
    mg_text_add(out, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            mg_textf(out, "\\%c", *s);
        else if ((unsigned char)*s < 0x20)
            mg_textf(out, "\\u%04x", (unsigned)*s);
        else
            mg_text_add_n(out, s, 1);
    }
    mg_text_add(out, "\"");
}

void mg_safetensors_parts(MgSession *session, const MgSafetensor *tensors, size_t n,
                          MgByteParts *parts) {
    MgText out = mg_text(session->arena);
    mg_text_add(&out, "{");
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        const MgSafetensor *t = &tensors[i];
        mg_text_add(&out, i ? "," : "");
        add_json_string(&out, mg_name(session->names, t->key));
        mg_textf(&out, ":{\"dtype\":\"%s\",\"shape\":[", mg_dtype(t->dtype)->safetensors);
        for (uint32_t d = 0; d < t->rank; d++)
            mg_textf(&out, "%s%lld", d ? "," : "", (long long)t->dims[d]);
        mg_textf(&out, "],\"data_offsets\":[%zu,%zu]}", at, at + t->bytes);
        at += t->bytes;
    }
    mg_text_add(&out, "}");
    while (out.bytes.len % 64 != 56) // with the length, aligns to 64
        mg_text_add(&out, " ");
    unsigned char *length = mg_arena_alloc(session->arena, 8, 1);
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)((uint64_t)out.bytes.len >> (8 * i));
    mg_push(session->arena, parts, (MgBytes){length, 8});
    mg_push(session->arena, parts, (MgBytes){mg_text_str(&out), out.bytes.len});
    for (size_t i = 0; i < n; i++)
        mg_push(session->arena, parts, (MgBytes){tensors[i].data, tensors[i].bytes});
}

bool mg_safetensors_write(MgSession *session, const char *path, const MgSafetensor *tensors,
                          size_t n) {
    MgByteParts parts = {0};
    mg_safetensors_parts(session, tensors, n, &parts);
    return mg_file_write(session, path, parts.at, parts.len);
}
