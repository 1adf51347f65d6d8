// Reads tensors of ONNX. Their elements are either raw_data (little-endian, as in memory) or
// numbers of a typed field, packed or not; the table tells which field. Nothing is allocated until
// the message is known to have as many elements as its shape needs. Unknown fields are skipped, as
// the format requires.
#include "formats/tensor_proto.h"

enum { // fields of TensorProto
    FIELD_DIMS = 1,
    FIELD_TYPE = 2,
    FIELD_FLOAT = 4,
    FIELD_INT32 = 5,
    FIELD_STRING = 6,
    FIELD_INT64 = 7,
    FIELD_NAME = 8,
    FIELD_RAW = 9,
    FIELD_DOUBLE = 10,
    FIELD_UINT64 = 11,
    FIELD_EXTERNAL = 13,
    FIELD_LOCATION = 14
};

typedef struct Row {
    MgOnnxType type;
    uint32_t field; // the field of its numbers, if they are not in raw_data
    MgWireType wire;
} Row;

#define NONE MG_DTYPE_COUNT
static const Row rows[] = {
    [1] = {{"float", MG_F32, 32}, FIELD_FLOAT, MG_WIRE_FIXED32},
    [2] = {{"uint8", MG_U8, 8}, FIELD_INT32, MG_WIRE_VARINT},
    [3] = {{"int8", MG_I8, 8}, FIELD_INT32, MG_WIRE_VARINT},
    [4] = {{"uint16", MG_U16, 16}, FIELD_INT32, MG_WIRE_VARINT},
    [5] = {{"int16", MG_I16, 16}, FIELD_INT32, MG_WIRE_VARINT},
    [6] = {{"int32", MG_I32, 32}, FIELD_INT32, MG_WIRE_VARINT},
    [7] = {{"int64", MG_I64, 64}, FIELD_INT64, MG_WIRE_VARINT},
    [8] = {{"string", NONE, 0}, FIELD_STRING, MG_WIRE_BYTES},
    [9] = {{"bool", MG_BOOL, 8}, FIELD_INT32, MG_WIRE_VARINT},
    [10] = {{"float16", MG_F16, 16}, FIELD_INT32, MG_WIRE_VARINT},
    [11] = {{"double", MG_F64, 64}, FIELD_DOUBLE, MG_WIRE_FIXED64},
    [12] = {{"uint32", MG_U32, 32}, FIELD_UINT64, MG_WIRE_VARINT},
    [13] = {{"uint64", MG_U64, 64}, FIELD_UINT64, MG_WIRE_VARINT},
    [14] = {{"complex64", NONE, 64}, FIELD_FLOAT, MG_WIRE_FIXED32},
    [15] = {{"complex128", NONE, 128}, FIELD_DOUBLE, MG_WIRE_FIXED64},
    [16] = {{"bfloat16", MG_BF16, 16}, FIELD_INT32, MG_WIRE_VARINT},
    [17] = {{"float8e4m3fn", MG_F8E4M3, 8}, FIELD_INT32, MG_WIRE_VARINT},
    [18] = {{"float8e4m3fnuz", MG_U8, 8}, FIELD_INT32, MG_WIRE_VARINT},
    [19] = {{"float8e5m2", MG_F8E5M2, 8}, FIELD_INT32, MG_WIRE_VARINT},
    [20] = {{"float8e5m2fnuz", MG_U8, 8}, FIELD_INT32, MG_WIRE_VARINT},
    [21] = {{"uint4", MG_U8, 4}, FIELD_INT32, MG_WIRE_VARINT},
    [22] = {{"int4", MG_I8, 4}, FIELD_INT32, MG_WIRE_VARINT},
    [23] = {{"float4e2m1", MG_U8, 4}, FIELD_INT32, MG_WIRE_VARINT},
    [24] = {{"float8e8m0", MG_U8, 8}, FIELD_INT32, MG_WIRE_VARINT},
    [25] = {{"uint2", MG_U8, 2}, FIELD_INT32, MG_WIRE_VARINT},
    [26] = {{"int2", MG_I8, 2}, FIELD_INT32, MG_WIRE_VARINT},
    [27] = {{"float6e2m3", NONE, 6}, FIELD_INT32, MG_WIRE_VARINT},
    [28] = {{"float6e3m2", NONE, 6}, FIELD_INT32, MG_WIRE_VARINT},
};
#define N_ROWS (sizeof rows / sizeof *rows)

const MgOnnxType *mg_onnx_type(uint64_t number) {
    return number && number < N_ROWS ? &rows[number].type : NULL;
}

uint32_t mg_onnx_type_number(MgDType dtype) {
    uint32_t n = 1;
    while (rows[n].type.dtype != dtype || rows[n].type.bits != mg_dtype(dtype)->bits)
        n++; // every type of MG has one
    return n;
}

// ---------------------------------------------------------------- message
typedef struct Reader {
    MgArena *arena;
    MgTensorProto *t;
    const unsigned char *bytes; // the message
    size_t length;
    const Row *row;
    const unsigned char *raw; // raw_data
    size_t raw_length, numbers;
    bool external;
    int64_t dims[MG_TENSOR_RANK_MAX];
} Reader;

static const char *read_dims(Reader *r, const MgWireField *f) {
    MgWireNumbers numbers = mg_wire_numbers(f);
    uint64_t value;
    bool bad = false;
    while (mg_wire_number(&numbers, MG_WIRE_VARINT, &value, &bad)) {
        if (value > INT64_MAX)
            return "one of its dimensions is negative";
        if (r->t->rank == MG_TENSOR_RANK_MAX)
            return "it has more than 64 dimensions";
        r->dims[r->t->rank++] = (int64_t)value;
    }
    return bad ? "its dimensions are damaged" : NULL;
}

static bool read_size(const MgWireField *f, uint64_t *to) {
    *to = 0;
    for (size_t i = 0; i < f->length; i++)
        if (f->bytes[i] < '0' || f->bytes[i] > '9' || __builtin_mul_overflow(*to, 10, to) ||
            __builtin_add_overflow(*to, f->bytes[i] - '0', to))
            return false;
    return f->length > 0;
}

static const char *text(const Reader *r, const MgWireField *f) {
    return f->length ? mg_arena_str(r->arena, (const char *)f->bytes, f->length) : "";
}

// Reads one entry of external_data: a key and a value, both text.
static const char *read_external(Reader *r, const MgWireField *entry) {
    MgWire w = mg_wire(entry->bytes, entry->length);
    MgWireField f, key = {0}, value = {0};
    while (mg_wire_next(&w, &f))
        if (f.type == MG_WIRE_BYTES && f.number <= 2)
            *(f.number == 1 ? &key : &value) = f;
    if (w.bad)
        return "its external_data is damaged";
    const char *name = text(r, &key);
    if (!strcmp(name, "location")) {
        if (value.length && memchr(value.bytes, 0, value.length))
            return "its external location has a zero byte";
        r->t->location = text(r, &value);
    } else if (!strcmp(name, "offset") && !read_size(&value, &r->t->offset))
        return "its external offset is not a number";
    else if (!strcmp(name, "length") && !(r->t->has_length = read_size(&value, &r->t->length)))
        return "its external length is not a number";
    return NULL;
}

static const char *read_field(Reader *r, const MgWireField *f) {
    bool bytes = f->type == MG_WIRE_BYTES;
    switch (f->number) {
    case FIELD_DIMS:
        return read_dims(r, f);
    case FIELD_TYPE:
        r->t->onnx_type = f->value < N_ROWS ? (uint32_t)f->value : 0;
        return bytes || !mg_onnx_type(f->value) ? "ONNX has no such element type" : NULL;
    case FIELD_NAME:
        if (bytes)
            r->t->name = text(r, f);
        return bytes ? NULL : "its name is no text";
    case FIELD_RAW:
        r->raw = f->bytes;
        r->raw_length = f->length;
        return bytes ? NULL : "its raw_data is no bytes";
    case FIELD_EXTERNAL:
        return bytes ? read_external(r, f) : "its external_data is not a message";
    case FIELD_LOCATION:
        r->external = f->value == 1;
        return NULL;
    default:
        return NULL;
    }
}

static const char *damaged(void) {
    return "its bytes are damaged or cut off";
}

static const char *read_message(Reader *r) {
    MgWire w = mg_wire(r->bytes, r->length);
    MgWireField f;
    const char *why = NULL;
    while (!why && mg_wire_next(&w, &f))
        why = read_field(r, &f);
    if (why || w.bad)
        return why ? why : damaged();
    if (!r->t->onnx_type)
        return "it has no element type";
    r->row = &rows[r->t->onnx_type];
    r->t->dtype = r->row->type.dtype;
    r->t->dims = mg_arena_copy(r->arena, r->dims, r->t->rank, sizeof *r->dims);
    size_t size; // a type that MG lacks is sized as one byte
    MgDType measure = r->t->dtype == NONE ? MG_U8 : r->t->dtype;
    if (!mg_tensor_size(measure, r->t->rank, r->t->dims, &r->t->count, &size))
        return "its shape overflows";
    r->t->bytes = r->t->dtype == NONE ? 0 : size;
    return NULL;
}

// ---------------------------------------------------------------- elements
// Calls put for each number of the typed field, in order, and counts them.
static const char *each_number(Reader *r, void (*put)(Reader *r, uint64_t value, void *to),
                               void *to) {
    MgWire w = mg_wire(r->bytes, r->length);
    MgWireField f;
    bool bad = false;
    r->numbers = 0;
    while (!bad && mg_wire_next(&w, &f)) {
        if (f.number != r->row->field)
            continue;
        if (f.type != r->row->wire && f.type != MG_WIRE_BYTES)
            return damaged();
        MgWireNumbers numbers = mg_wire_numbers(&f);
        uint64_t value;
        for (; mg_wire_number(&numbers, r->row->wire, &value, &bad); r->numbers++)
            if (put)
                put(r, value, to);
    }
    return bad || w.bad ? damaged() : NULL;
}

static void put_number(Reader *r, uint64_t value, void *to) {
    size_t size = r->row->type.bits < 8 ? 1 : r->row->type.bits / 8;
    memcpy((unsigned char *)to + r->numbers * size, &value, size); // little-endian machines
}

// The number of elements that share a byte.
static size_t in_a_byte(const MgTensorProto *t) {
    uint32_t bits = rows[t->onnx_type].type.bits;
    return bits == 2 || bits == 4 ? 8 / bits : 1;
}

// The number of bytes that the stored elements take; elements that share a byte begin at its low
// bits.
static size_t stored_bytes(const MgTensorProto *t) {
    size_t share = in_a_byte(t);
    return share == 1 ? t->bytes : t->count / share + (t->count % share != 0);
}

// Unpacks elements of less than a byte, each to a byte of its own.
static const unsigned char *spread(MgArena *arena, const unsigned char *stored, MgTensorProto *t) {
    uint32_t bits = rows[t->onnx_type].type.bits, share = 8 / bits;
    unsigned mask = (1u << bits) - 1, sign = t->dtype == MG_I8 ? 1u << (bits - 1) : 0;
    unsigned char *out = mg_arena_alloc(arena, t->count, 1);
    for (size_t i = 0; i < t->count; i++) {
        unsigned code = stored[i / share] >> (i % share * bits) & mask;
        out[i] = (unsigned char)(code & sign ? code | ~mask : code);
    }
    return out;
}

// Unpacks stored bytes to elements: unchanged, or one element per byte, with bools as 0 or 1.
static const unsigned char *unpack(MgArena *arena, const unsigned char *stored, MgTensorProto *t) {
    if (in_a_byte(t) > 1)
        return spread(arena, stored, t);
    for (size_t i = 0; t->dtype == MG_BOOL && i < t->count; i++)
        if (stored[i] > 1) {
            unsigned char *out = mg_arena_alloc(arena, t->count, 1);
            for (i = 0; i < t->count; i++)
                out[i] = stored[i] != 0;
            return out;
        }
    return stored;
}

static const char *wrong_size(MgArena *arena, const char *what, size_t want, size_t got) {
    return mg_arena_printf(arena, "its shape asks for %zu %s, but it has %zu", want, what, got);
}

static const char *read_elements(Reader *r) {
    MgTensorProto *t = r->t;
    size_t want = stored_bytes(t);
    const char *why = each_number(r, NULL, NULL);
    if (why)
        return why;
    const unsigned char *stored = r->raw;
    if (r->raw_length || !r->numbers) {
        if (r->raw_length != want)
            return wrong_size(r->arena, "bytes", want, r->raw_length);
    } else {
        size_t numbers = in_a_byte(t) > 1 ? want : t->count;
        if (r->numbers != numbers)
            return wrong_size(r->arena, "numbers", numbers, r->numbers);
        unsigned char *made = mg_arena_alloc(r->arena, want, 1);
        each_number(r, put_number, made);
        stored = made;
    }
    t->data = want ? unpack(r->arena, stored, t) : (const unsigned char *)"";
    return NULL;
}

const char *mg_tensor_proto_parse(MgArena *arena, const unsigned char *bytes, size_t length,
                                  MgTensorProto *t) {
    *t = (MgTensorProto){.name = ""};
    Reader r = {.arena = arena, .t = t, .bytes = bytes, .length = length};
    const char *why = read_message(&r);
    if (why)
        return why;
    if (r.external && !t->location)
        return "its elements are in another file, but it names none";
    if (!r.external)
        t->location = NULL;
    return r.external || t->dtype == NONE ? NULL : read_elements(&r);
}

const char *mg_tensor_proto_external(MgArena *arena, const unsigned char *bytes, size_t length,
                                     MgTensorProto *t) {
    if (t->dtype == NONE)
        return NULL;
    size_t want = stored_bytes(t);
    if (t->has_length && t->length != want)
        return wrong_size(arena, "bytes", want, (size_t)t->length);
    if (t->offset > length || want > length - t->offset)
        return mg_arena_printf(arena, "its %zu byte%s at offset %llu lie outside the file's %zu",
                               want, mg_plural(want), (unsigned long long)t->offset, length);
    t->data = want ? unpack(arena, bytes + t->offset, t) : (const unsigned char *)"";
    return NULL;
}

// ------------------------------------------------------------------------------------------ lists
// SequenceProto and OptionalProto share the numbers of their fields; fields that repeat in the
// first occur once in the second.
enum { LIST_NAME = 1, LIST_TYPE = 2, LIST_TENSOR = 3, LIST_SEQUENCE = 5, LIST_OPTIONAL = 7 };
enum { LIST_DEPTH = 8, LIST_MOST = 4096 };

typedef MG_VEC(MgWireField) Fields;

static bool read_list(MgArena *arena, const unsigned char *bytes, size_t length, uint32_t depth,
                      Fields *out) {
    MgWire w = mg_wire(bytes, length);
    MgWireField f;
    bool typed = false, ok = depth < LIST_DEPTH;
    while (ok && mg_wire_next(&w, &f)) {
        MgTensorProto t;
        bool bytes_follow = f.type == MG_WIRE_BYTES;
        typed |= f.number == LIST_TYPE && f.type == MG_WIRE_VARINT;
        if (f.number == LIST_TENSOR) {
            ok = bytes_follow && out->len < LIST_MOST &&
                 !mg_tensor_proto_parse(arena, f.bytes, f.length, &t);
            mg_push(arena, out, f);
        } else if (f.number == LIST_SEQUENCE || f.number == LIST_OPTIONAL) {
            ok = bytes_follow && read_list(arena, f.bytes, f.length, depth + 1, out);
        } else {
            ok = f.number == LIST_NAME ? bytes_follow : f.number == LIST_TYPE;
        }
    }
    return ok && !w.bad && typed;
}

bool mg_tensor_protos(MgArena *arena, const unsigned char *bytes, size_t length,
                      MgTensorProtos *tensors) {
    MgTensorProto t;
    Fields fields = {0};
    if (!mg_tensor_proto_parse(arena, bytes, length, &t) ||
        !read_list(arena, bytes, length, 0, &fields))
        return false;
    *tensors = (MgTensorProtos){fields.len, fields.at};
    return true;
}

// ------------------------------------------------------------------------------------------ files
MgTensor *mg_pb_of_bytes(MgSession *session, const char *name, const unsigned char *bytes,
                         size_t length) {
    MgTensorProto t;
    const char *why = mg_tensor_proto_parse(session->arena, bytes, length, &t);
    if (!why && t.dtype == NONE)
        why = mg_arena_printf(session->arena, "MG has no counterpart of elements of type %s",
                              rows[t.onnx_type].type.name);
    if (!why && t.location)
        why = "its elements are in another file, which only a model may have";
    if (why) {
        mg_diag(session, mg_no_span(), MG_D_file_format, name, "pb (TensorProto)", why);
        return NULL;
    }
    MgTensor *tensor = mg_tensor_new((MgElement)t.dtype, t.rank, t.dims);
    if (!tensor)
        mg_mem_fail(session->mem);
    if (t.bytes)
        memcpy(tensor->data, t.data, t.bytes);
    return tensor;
}

MgTensor *mg_pb_read(MgSession *session, const char *path) {
    MgFileBytes map;
    if (!mg_file_read(session, path, mg_no_span(), &map))
        return NULL;
    return mg_pb_of_bytes(session, map.path, map.bytes, map.length);
}

static void add_varint(MgText *out, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        mg_text_add_n(out, &(char){(char)(value | 0x80)}, 1);
    mg_text_add_n(out, &(char){(char)value}, 1);
}

static void add_key(MgText *out, uint32_t field, MgWireType type) {
    add_varint(out, (uint64_t)field << 3 | type);
}

void mg_pb_parts(MgSession *session, const char *name, const MgTensor *t, MgBytes parts[2]) {
    MgText out = mg_text(session->arena);
    for (uint32_t i = 0; i < t->rank; i++) {
        add_key(&out, FIELD_DIMS, MG_WIRE_VARINT);
        add_varint(&out, (uint64_t)t->dims[i]);
    }
    add_key(&out, FIELD_TYPE, MG_WIRE_VARINT);
    add_varint(&out, mg_onnx_type_number(t->dtype));
    add_key(&out, FIELD_NAME, MG_WIRE_BYTES);
    add_varint(&out, strlen(name));
    mg_text_add(&out, name);
    add_key(&out, FIELD_RAW, MG_WIRE_BYTES);
    add_varint(&out, t->bytes);
    parts[0] = (MgBytes){out.bytes.at, out.bytes.len};
    parts[1] = (MgBytes){t->data, t->bytes};
}

bool mg_pb_write(MgSession *session, const char *path, const char *name, const MgTensor *tensor) {
    MgBytes parts[2];
    mg_pb_parts(session, name, tensor, parts);
    return mg_file_write(session, path, parts, 2);
}
