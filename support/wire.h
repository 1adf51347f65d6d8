// The wire format of protocol buffers, read without copying: a message is a run of fields, each a
// number, a type and a value. Everything is bounded by the given bytes, so a reader built on it
// can't leave them, whatever they contain. https://protobuf.dev/programming-guides/encoding/
#ifndef MG_SUPPORT_WIRE_H
#define MG_SUPPORT_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum MgWireType {
    MG_WIRE_VARINT = 0,
    MG_WIRE_FIXED64 = 1,
    MG_WIRE_BYTES = 2, // strings, messages, packed numbers
    MG_WIRE_FIXED32 = 5
} MgWireType;

typedef struct MgWireField {
    uint32_t number;
    MgWireType type;
    uint64_t value;             // of a varint or a fixed number
    const unsigned char *bytes; // of MG_WIRE_BYTES, inside the message
    size_t length;
} MgWireField;

typedef struct MgWire {
    const unsigned char *at, *end;
    bool bad; // the bytes are not a message: a field runs over the end, or has no known type
} MgWire;

static inline MgWire mg_wire(const unsigned char *bytes, size_t length) {
    return (MgWire){.at = bytes, .end = length ? bytes + length : bytes};
}
// Reads the next field. False at the end, and where the bytes are not a message (then w->bad).
bool mg_wire_next(MgWire *w, MgWireField *field);

// The numbers of a repeated field, packed or not. Begin with a field from mg_wire_next, and take
// numbers until false. `type` is the type of one number: VARINT, FIXED32 or FIXED64.
typedef struct MgWireNumbers {
    MgWire packed;
    uint64_t single;
    bool one; // one number is left: it was in the field itself, not packed
} MgWireNumbers;
MgWireNumbers mg_wire_numbers(const MgWireField *field);
// Takes the next number. False at the end; sets *bad if the field holds no such numbers.
bool mg_wire_number(MgWireNumbers *numbers, MgWireType type, uint64_t *value, bool *bad);

#endif
