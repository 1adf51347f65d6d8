// One walk over the wire format, led by protobuf-c's descriptors, before protobuf-c unpacks.
//
// protobuf-c has no limit on nesting and copies every bytes field. So the walk bounds the depth,
// checks each length against what is around it and each wire type against the declaration, and
// writes a slim copy: unknown fields are left out, and a serialised tensor is replaced by its
// place. The copy is small even where the weights are gigabytes, and only it is unpacked.
#include "frontend/onnx/wire.h"

#include <limits.h>

enum { MAX_DEPTH = 100, LENGTH_BYTES = 5 };

typedef struct Wire {
    MgSession *session;
    const char *path, *format;
    const unsigned char *base;
    MgText slim;
} Wire;

typedef struct Cursor {
    const unsigned char *at, *end;
} Cursor;

static bool fail(const Wire *w, const unsigned char *at, const char *what) {
    mg_diag(w->session, mg_no_span(), MG_D_file_format, w->path, w->format,
            mg_arena_printf(w->session->arena, "%s at byte %zu", what, (size_t)(at - w->base)));
    return false;
}

static bool varint(const Wire *w, Cursor *c, uint64_t *value) {
    const unsigned char *begin = c->at;
    *value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (c->at == c->end)
            return fail(w, begin, "it ends within a number");
        unsigned char byte = *c->at++;
        if (shift < 64)
            *value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return fail(w, begin, "a number of more than 10 bytes");
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

// A length that is known only afterwards has as many bytes as any may need.
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
static unsigned wire_of(ProtobufCType type) {
    switch (type) {
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_SFIXED32:
        return 5;
    case PROTOBUF_C_TYPE_DOUBLE:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
        return 1;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return 2;
    default:
        return 0;
    }
}

static bool message(Wire *w, const ProtobufCMessageDescriptor *kind, Cursor c, unsigned depth);

// Numbers one after the other in one field: whole ones.
static bool packed(const Wire *w, const ProtobufCFieldDescriptor *f, Cursor c) {
    unsigned wire = wire_of(f->type);
    if (wire)
        return (size_t)(c.end - c.at) % (wire == 5 ? 4 : 8) == 0 ||
               fail(w, c.at, "a list of numbers that ends within one");
    for (uint64_t value; c.at < c.end;)
        if (!varint(w, &c, &value))
            return false;
    return true;
}

// The fields that hold a serialised tensor.
static bool is_tensor(const ProtobufCFieldDescriptor *f) {
    static const char *const names[] = {"initializer", "t", "tensors"};
    for (size_t i = 0; f->type == PROTOBUF_C_TYPE_BYTES && i < sizeof names / sizeof *names; i++)
        if (!strcmp(f->name, names[i]))
            return true;
    return false;
}

static bool delimited(Wire *w, const ProtobufCMessageDescriptor *kind,
                      const ProtobufCFieldDescriptor *f, Cursor c, unsigned depth) {
    size_t length = (size_t)(c.end - c.at);
    put_varint(&w->slim, (uint64_t)f->id << 3 | 2);
    if (f->type == PROTOBUF_C_TYPE_MESSAGE) {
        size_t at = w->slim.bytes.len;
        mg_text_add_n(&w->slim, "\0\0\0\0\0", LENGTH_BYTES);
        if (!message(w, f->descriptor, c, depth + 1))
            return false;
        patch_length(&w->slim, at, w->slim.bytes.len - at - LENGTH_BYTES);
        return true;
    }
    if (is_tensor(f)) {
        MgWirePlace place = {(uint64_t)(c.at - w->base), length};
        put_varint(&w->slim, sizeof place);
        mg_text_add_n(&w->slim, (const char *)&place, sizeof place);
        return true;
    }
    if (f->type == PROTOBUF_C_TYPE_STRING && !mg_wire_is_text(c.at, length))
        return fail(w, c.at,
                    mg_arena_printf(w->session->arena, "the %s of a %s is not text,", f->name,
                                    kind->short_name));
    if (length > INT_MAX)
        return fail(w, c.at, "a field of more than 2 GiB that is no tensor");
    if (wire_of(f->type) != 2 && !packed(w, f, c))
        return false;
    put_varint(&w->slim, length);
    mg_text_add_n(&w->slim, (const char *)c.at, length);
    return true;
}

static bool skip(const Wire *w, Cursor *c, unsigned wire, const unsigned char *tag) {
    uint64_t n;
    switch (wire) {
    case 0:
        return varint(w, c, &n);
    case 1:
    case 5:
        n = wire == 1 ? 8 : 4;
        break;
    case 2:
        if (!varint(w, c, &n))
            return false;
        break;
    default:
        return fail(w, tag, "an unknown kind of field");
    }
    if (n > (uint64_t)(c->end - c->at))
        return fail(w, tag, "a field that is longer than what holds it");
    c->at += n;
    return true;
}

static bool message(Wire *w, const ProtobufCMessageDescriptor *kind, Cursor c, unsigned depth) {
    if (depth > MAX_DEPTH)
        return fail(w, c.at, "messages nested too deeply");
    if (w->slim.bytes.len > INT_MAX)
        return fail(w, c.at, "more than 2 GiB besides the weights");
    while (c.at < c.end) {
        const unsigned char *tag = c.at;
        uint64_t key;
        if (!varint(w, &c, &key))
            return false;
        if (key >> 3 == 0 || key >> 3 > (1 << 29) - 1)
            return fail(w, tag, "a field without a valid number");
        unsigned wire = key & 7;
        Cursor body = c;
        if (!skip(w, &c, wire, tag))
            return false;
        const ProtobufCFieldDescriptor *f =
            protobuf_c_message_descriptor_get_field(kind, (unsigned)(key >> 3));
        if (!f)
            continue;
        bool list = wire == 2 && f->label == PROTOBUF_C_LABEL_REPEATED;
        if (wire != wire_of(f->type) && !list)
            return fail(w, tag,
                        mg_arena_printf(w->session->arena, "the %s of a %s has a wrong type",
                                        f->name, kind->short_name));
        if (wire == 2) {
            uint64_t length;
            varint(w, &body, &length);
            if (!delimited(w, kind, f, (Cursor){body.at, c.at}, depth))
                return false;
        } else {
            mg_text_add_n(&w->slim, (const char *)tag, (size_t)(c.at - tag));
        }
    }
    return true;
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
    if (!message(&w, kind, (Cursor){bytes, bytes + length}, 0))
        return NULL;
    ProtobufCAllocator allocator = {in_arena, stays, session->arena};
    ProtobufCMessage *m = protobuf_c_message_unpack(kind, &allocator, w.slim.bytes.len,
                                                    (const unsigned char *)mg_text_str(&w.slim));
    if (!m)
        fail(&w, bytes, "messages that cannot be unpacked, from a point not far");
    return m;
}
