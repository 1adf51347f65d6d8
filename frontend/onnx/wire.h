// Makes the protocol buffers of a hostile file safe to unpack.
#ifndef MG_FRONTEND_ONNX_WIRE_H
#define MG_FRONTEND_ONNX_WIRE_H

#include "support/diag.h"

#include <protobuf-c/protobuf-c.h>

// The place of a serialised tensor in the bytes that were read. The unpacked message holds this
// instead of the tensor.
typedef struct MgWirePlace {
    uint64_t offset, length;
} MgWirePlace;

// Checks bytes as a message of this kind: nested lengths, wire types, depth, and that text is text.
// Then unpacks them into the session's arena, each tensor as an MgWirePlace. NULL after a
// diagnostic that names `path`, `format` and the offset of the error.
ProtobufCMessage *mg_wire_read(MgSession *session, const char *path, const char *format,
                               const ProtobufCMessageDescriptor *kind, const unsigned char *bytes,
                               size_t length);
// Text is UTF-8 without control characters.
bool mg_wire_is_text(const unsigned char *text, size_t length);

#endif
