// Tensors of a model. Their elements lie in the model's bytes, or in files beside it.
#include "frontend/onnx/internal.h"

#include "formats/tensor_proto.h"
#include "frontend/onnx/wire.h"
#include "support/wire.h"

#include <stdlib.h>

bool mg_onnx_carrier(int64_t onnx, MgDType *dtype) {
    const MgOnnxType *type = onnx > 0 ? mg_onnx_type((uint64_t)onnx) : NULL;
    *dtype = type ? type->dtype : MG_DTYPE_COUNT;
    return *dtype != MG_DTYPE_COUNT;
}

bool mg_onnx_is_narrow(int64_t onnx) {
    MgDType carrier;
    return mg_onnx_carrier(onnx, &carrier) && mg_onnx_type_number(carrier) != onnx;
}

bool mg_onnx_is_narrow_float(int64_t onnx) {
    return onnx == MG_ONNX_F8E4M3FNUZ || onnx == MG_ONNX_F8E5M2FNUZ || onnx == MG_ONNX_F4E2M1 ||
           onnx == MG_ONNX_F8E8M0;
}

bool mg_onnx_dtype(int64_t onnx, MgDType *dtype) {
    bool known = mg_onnx_carrier(onnx, dtype) && !mg_onnx_is_narrow(onnx);
    *dtype = known ? *dtype : MG_DTYPE_COUNT;
    return known;
}

const char *mg_onnx_dtype_name(int64_t onnx) {
    const MgOnnxType *type = onnx > 0 ? mg_onnx_type((uint64_t)onnx) : NULL;
    return type ? type->name : "of an unknown type";
}

static bool fail(const MgOnnx *t, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(const MgOnnx *t, const char *what, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = mg_arena_vprintf(t->arena, format, args);
    va_end(args);
    mg_diag(t->session, mg_no_span(), MG_D_onnx_tensor, t->file.path, what, text);
    return false;
}

// Does path, with links resolved, lie in base's folder, or does it not exist?
static bool is_beside(MgArena *arena, const char *base, const char *path) {
    char *home = mg_arena_realpath(arena, base), *real = mg_arena_realpath(arena, path);
    char *slash = home ? strrchr(home, '/') : NULL;
    return !real || (slash && !strncmp(real, home, (size_t)(slash - home) + 1));
}

// Files are opened only in the model's folder, whatever the model says.
static bool external(MgOnnx *t, const char *what, MgTensorProto *p) {
    const char *path = mg_path_beside(t->arena, t->file.path, p->location), *why;
    if (p->location[0] == '/' || !strncmp(p->location, "../", 3) || strstr(p->location, "/../") ||
        !is_beside(t->arena, t->file.path, path))
        return fail(t, what, "its data would lie outside the model's folder: '%s'", p->location);
    uint64_t *known = mg_map_find(&t->files, mg_sym(t->names, path));
    MgFileBytes *map = known ? (MgFileBytes *)(uintptr_t)*known : MG_NEW(t->arena, MgFileBytes);
    if (!known && !mg_file_read(t->session, path, mg_no_span(), map))
        return fail(t, what, "its data cannot be read");
    mg_map_put(&t->files, mg_sym(t->names, path), (uintptr_t)map);
    why = mg_tensor_proto_external(t->arena, map->bytes, map->length, p);
    return !why || fail(t, what, "its data in '%s': %s", p->location, why);
}

// A tensor's name for messages, even if nothing else in it is valid.
static const char *called(MgOnnx *t, const char *what, const MgWirePlace *place) {
    enum { NAME = 8 };
    MgWire w = mg_wire(t->file.bytes + place->offset, (size_t)place->length);
    MgWireField f;
    while (mg_wire_next(&w, &f))
        if (f.number == NAME && f.type == MG_WIRE_BYTES && mg_wire_is_text(f.bytes, f.length))
            return mg_arena_printf(t->arena, "%s '%.*s'", what, (int)(f.length & 0xffff), f.bytes);
    return what;
}

const MgSafetensor *mg_onnx_tensor(MgOnnx *t, ProtobufCBinaryData field, const char *what,
                                   const char *key) {
    MgWirePlace place;
    MgTensorProto p;
    if (field.len != sizeof place)
        return fail(t, what, "it is lost"), NULL;
    memcpy(&place, field.data, sizeof place);
    if (!key)
        what = called(t, what, &place);
    const char *why =
        mg_tensor_proto_parse(t->arena, t->file.bytes + place.offset, (size_t)place.length, &p);
    if (why)
        return fail(t, what, "%s", why), NULL;
    key = key ? key : p.name;
    if (!mg_wire_is_text((const unsigned char *)key, strlen(key)))
        return fail(t, what, "its name is not text"), NULL;
    MgDType known;
    if (!mg_onnx_carrier(p.onnx_type, &known)) {
        mg_diag(t->session, mg_no_span(), MG_D_onnx_unsupported, t->file.path, what,
                mg_arena_printf(t->arena, "its elements are %s", mg_onnx_dtype_name(p.onnx_type)));
        return NULL;
    }
    if (p.location && !external(t, what, &p))
        return NULL;
    MgSafetensor *out = MG_NEW(t->arena, MgSafetensor);
    *out = (MgSafetensor){.key = mg_sym(t->names, key),
                          .type = mg_dtype(p.dtype)->name,
                          .dtype = p.dtype,
                          .rank = p.rank,
                          .dims = p.dims,
                          .data = p.data,
                          .bytes = p.bytes};
    if (mg_onnx_is_narrow(p.onnx_type))
        mg_map_put(&t->narrow, (uintptr_t)out, p.onnx_type);
    return out;
}
