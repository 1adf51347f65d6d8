// Protocol buffers of a hostile file, made safe to unpack.
#ifndef MG_FRONTEND_ONNX_WIRE_H
#define MG_FRONTEND_ONNX_WIRE_H

#include "support/diag.h"

#include <protobuf-c/protobuf-c.h>

// Where a serialised tensor lies in the bytes that were read: what the unpacked message has in its
// place.
typedef struct MgWirePlace {
    uint64_t offset, length;
} MgWirePlace;

// Checks bytes as a message of this kind: lengths inside each other, wire types as declared, depth,
// text that is text. Then unpacks them into the session's arena, each tensor as an MgWirePlace.
// NULL after a diagnostic that names `path`, `format` and the offset of what is wrong.
ProtobufCMessage *mg_wire_read(MgSession *session, const char *path, const char *format,
                               const ProtobufCMessageDescriptor *kind, const unsigned char *bytes,
                               size_t length);
// Text is UTF-8 without control characters.
bool mg_wire_is_text(const unsigned char *text, size_t length);

#endif
