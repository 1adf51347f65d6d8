// Reads the wire format: varints of at most ten bytes, little-endian fixed numbers, and lengths
// checked against the bytes left. Groups, which the format gave up long ago, count as damage.
#include "support/wire.h"

#include <string.h>

static bool take_varint(MgWire *w, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64 && w->at < w->end; shift += 7) {
        unsigned char byte = *w->at++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

static bool take_fixed(MgWire *w, size_t size, uint64_t *value) {
    if ((size_t)(w->end - w->at) < size)
        return false;
    *value = 0;
    for (size_t i = 0; i < size; i++)
        *value |= (uint64_t)w->at[i] << (8 * i);
    w->at += size;
    return true;
}

static bool take_number(MgWire *w, MgWireType type, uint64_t *value) {
    return type == MG_WIRE_VARINT ? take_varint(w, value)
                                  : take_fixed(w, type == MG_WIRE_FIXED64 ? 8 : 4, value);
}

static bool take_bytes(MgWire *w, MgWireField *f) {
    uint64_t length;
    if (!take_varint(w, &length) || length > (uint64_t)(w->end - w->at))
        return false;
    f->bytes = w->at;
    f->length = (size_t)length;
    w->at += length;
    return true;
}

bool mg_wire_next(MgWire *w, MgWireField *f) {
    uint64_t key;
    *f = (MgWireField){0};
    if (w->bad || w->at == w->end)
        return false;
    bool ok = take_varint(w, &key) && key >> 3 && key >> 3 <= UINT32_MAX >> 3;
    f->number = (uint32_t)(key >> 3);
    f->type = (MgWireType)(key & 7);
    if (f->type == MG_WIRE_BYTES)
        ok = ok && take_bytes(w, f);
    else
        ok = ok &&
             (f->type == MG_WIRE_VARINT || f->type == MG_WIRE_FIXED32 ||
              f->type == MG_WIRE_FIXED64) &&
             take_number(w, f->type, &f->value);
    w->bad = !ok;
    return ok;
}

MgWireNumbers mg_wire_numbers(const MgWireField *f) {
    return (MgWireNumbers){.packed = mg_wire(f->bytes, f->length),
                           .single = f->value,
                           .one = f->type != MG_WIRE_BYTES};
}

bool mg_wire_number(MgWireNumbers *n, MgWireType type, uint64_t *value, bool *bad) {
    if (n->one) {
        n->one = false;
        *value = n->single;
        return true;
    }
    if (n->packed.at == n->packed.end)
        return false;
    if (take_number(&n->packed, type, value))
        return true;
    *bad = true;
    return false;
}
