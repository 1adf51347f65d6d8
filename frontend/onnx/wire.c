// A walk over the wire format, guided by protobuf-c's descriptors, before protobuf-c unpacks.
//
// protobuf-c has no limit on nesting and copies every bytes field. So the walk bounds the depth,
// checks each length against the enclosing message and each wire type against the declaration, and
// writes a slim copy without unknown fields, in which each serialised tensor is replaced by its
// place. The copy is small even if the weights are gigabytes, and only the copy is unpacked.
#include "frontend/onnx/wire.h"

#include "support/wire.h"

#include <limits.h>

enum { MAX_DEPTH = 100, LENGTH_BYTES = 5 };

typedef struct Wire {
    MgSession *session;
    const char *path, *format;
    const unsigned char *base;
    MgText slim;
} Wire;

static bool fail(const Wire *w, const unsigned char *at, const char *what) {
    mg_diag(w->session, mg_no_span(), MG_D_file_format, w->path, w->format,
            mg_arena_printf(w->session->arena, "%s at byte %zu", what, (size_t)(at - w->base)));
    return false;
}

static void put_varint(MgText *out, uint64_t value) {
    char bytes[10];
    size_t n = 0;
    do {
        bytes[n] = (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
        n++;
    } while (value);
    mg_text_add_n(out, bytes, n);
}

// A length that is known only later is written with as many bytes as any length may need.
static void patch_length(MgText *out, size_t at, uint64_t length) {
    for (unsigned i = 0; i < LENGTH_BYTES; i++, length >>= 7)
        out->bytes.at[at + i] = (char)((length & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}

bool mg_wire_is_text(const unsigned char *t, size_t length) {
    for (size_t i = 0; i < length;) {
        unsigned char c = t[i++];
        unsigned more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : 3;
        if ((c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f ||
            (c >= 0x80 && c < 0xc2) || c > 0xf4 || length - i < more)
            return false;
        for (unsigned k = 0; k < more; k++)
            if ((t[i + k] & 0xc0) != 0x80)
                return false;
        i += more;
    }
    return true;
}

// The wire type of one element of a field.
static MgWireType wire_of(ProtobufCType type) {
    switch (type) {
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_SFIXED32:
        return MG_WIRE_FIXED32;
    case PROTOBUF_C_TYPE_DOUBLE:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
        return MG_WIRE_FIXED64;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return MG_WIRE_BYTES;
    default:
        return MG_WIRE_VARINT;
    }
}

static bool message(Wire *w, const ProtobufCMessageDescriptor *kind, const unsigned char *bytes,
                    size_t length, unsigned depth);

// A packed field must consist of whole numbers.
static bool packed(const Wire *w, const ProtobufCFieldDescriptor *f, const MgWireField *field) {
    MgWireNumbers numbers = mg_wire_numbers(field);
    uint64_t value;
    bool bad = false;
    while (mg_wire_number(&numbers, wire_of(f->type), &value, &bad))
        ;
    return !bad || fail(w, field->bytes, "a list of numbers that ends within one");
}

// Does the field hold a serialised tensor?
static bool is_tensor(const ProtobufCFieldDescriptor *f) {
    static const char *const names[] = {"initializer", "t", "tensors"};
    for (size_t i = 0; f->type == PROTOBUF_C_TYPE_BYTES && i < sizeof names / sizeof *names; i++)
        if (!strcmp(f->name, names[i]))
            return true;
    return false;
}

static bool delimited(Wire *w, const ProtobufCMessageDescriptor *kind,
                      const ProtobufCFieldDescriptor *f, const MgWireField *field, unsigned depth) {
    size_t length = field->length;
    put_varint(&w->slim, (uint64_t)f->id << 3 | MG_WIRE_BYTES);
    if (f->type == PROTOBUF_C_TYPE_MESSAGE) {
        size_t at = w->slim.bytes.len;
        mg_text_add_n(&w->slim, "\0\0\0\0\0", LENGTH_BYTES);
        if (!message(w, f->descriptor, field->bytes, length, depth + 1))
            return false;
        patch_length(&w->slim, at, w->slim.bytes.len - at - LENGTH_BYTES);
        return true;
    }
    if (is_tensor(f)) {
        MgWirePlace place = {(uint64_t)(field->bytes - w->base), length};
        put_varint(&w->slim, sizeof place);
        mg_text_add_n(&w->slim, (const char *)&place, sizeof place);
        return true;
    }
    if (f->type == PROTOBUF_C_TYPE_STRING && !mg_wire_is_text(field->bytes, length))
        return fail(w, field->bytes,
                    mg_arena_printf(w->session->arena, "the %s of a %s is not text,", f->name,
                                    kind->short_name));
    if (length > INT_MAX)
        return fail(w, field->bytes, "a field of more than 2 GiB that is not a tensor");
    if (wire_of(f->type) != MG_WIRE_BYTES && !packed(w, f, field))
        return false;
    put_varint(&w->slim, length);
    mg_text_add_n(&w->slim, (const char *)field->bytes, length);
    return true;
}

static bool message(Wire *w, const ProtobufCMessageDescriptor *kind, const unsigned char *bytes,
                    size_t length, unsigned depth) {
    MgWire wire = mg_wire(bytes, length);
    MgWireField field;
    const unsigned char *tag = bytes;
    if (depth > MAX_DEPTH)
        return fail(w, bytes, "messages nested too deeply");
    if (w->slim.bytes.len > INT_MAX)
        return fail(w, bytes, "more than 2 GiB besides the weights");
    for (; mg_wire_next(&wire, &field); tag = wire.at) {
        const ProtobufCFieldDescriptor *f =
            protobuf_c_message_descriptor_get_field(kind, field.number);
        if (!f)
            continue;
        bool list = field.type == MG_WIRE_BYTES && f->label == PROTOBUF_C_LABEL_REPEATED;
        if (field.type != wire_of(f->type) && !list)
            return fail(w, tag,
                        mg_arena_printf(w->session->arena, "the %s of a %s has a wrong type",
                                        f->name, kind->short_name));
        if (field.type != MG_WIRE_BYTES)
            mg_text_add_n(&w->slim, (const char *)tag, (size_t)(wire.at - tag));
        else if (!delimited(w, kind, f, &field, depth))
            return false;
    }
    return !wire.bad || fail(w, tag, "a field that doesn't end where it should");
}

static void *in_arena(void *arena, size_t size) {
    return mg_arena_alloc(arena, size, 1);
}

static void stays(void *arena, void *object) {
    (void)arena;
    (void)object;
}

ProtobufCMessage *mg_wire_read(MgSession *session, const char *path, const char *format,
                               const ProtobufCMessageDescriptor *kind, const unsigned char *bytes,
                               size_t length) {
    Wire w = {.session = session,
              .path = path,
              .format = format,
              .base = bytes,
              .slim = mg_text(session->arena)};
    if (!message(&w, kind, bytes, length, 0))
        return NULL;
    ProtobufCAllocator allocator = {in_arena, stays, session->arena};
    ProtobufCMessage *m = protobuf_c_message_unpack(kind, &allocator, w.slim.bytes.len,
                                                    (const unsigned char *)mg_text_str(&w.slim));
    if (!m)
        fail(&w, bytes, "messages that cannot be unpacked");
    return m;
}
