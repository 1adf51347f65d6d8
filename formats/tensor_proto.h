// ONNX's TensorProto, serialised: the .pb files of its test data, and the tensors inside a model.
// https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
#ifndef MG_FORMATS_TENSOR_PROTO_H
#define MG_FORMATS_TENSOR_PROTO_H

#include "formats/tensor.h"
#include "support/files.h"
#include "support/wire.h"

// ONNX's element types by their numbers (TensorProto.DataType). dtype is MG_DTYPE_COUNT if MG has
// no counterpart (string, complex64, …). i8 and u8 stand for integers of two and four bits; u8 also
// stands for the codes of floats of four and eight bits.
typedef struct MgOnnxType {
    const char *name; // as ONNX writes it: "float16"
    MgDType dtype;
    uint32_t bits; // of an element in raw_data; 0: never stored there
} MgOnnxType;
const MgOnnxType *mg_onnx_type(uint64_t number); // NULL: ONNX has no such type
uint32_t mg_onnx_type_number(MgDType dtype);     // its own type, never int4

typedef struct MgTensorProto {
    const char *name; // "" if it has none
    uint32_t onnx_type;
    MgDType dtype; // of data
    uint32_t rank;
    const int64_t *dims;
    size_t count, bytes; // elements; bytes of data
    // The elements, row-major, bools as 0 or 1. It points into the given bytes if they have that
    // form (then it is not aligned), otherwise into the arena. NULL: the elements are in another
    // file, or their type has no counterpart.
    const unsigned char *data;
    // data_location EXTERNAL: the place of the elements. location is as the file has it: check it.
    const char *location; // NULL: not external
    uint64_t offset, length;
    bool has_length;
} MgTensorProto;

// Reads a serialised TensorProto. Returns NULL, or why the bytes are not one. What *t points to
// lives as long as the arena and the bytes.
const char *mg_tensor_proto_parse(MgArena *arena, const unsigned char *bytes, size_t length,
                                  MgTensorProto *t);
// Takes the elements of *t from the bytes of another file, at t's own offset: sets data, as above.
// Returns NULL, or why it failed.
const char *mg_tensor_proto_external(MgArena *arena, const unsigned char *bytes, size_t length,
                                     MgTensorProto *t);

// Are the bytes a SequenceProto or an OptionalProto of tensors, at any depth? If so, *tensors are
// its n tensors, in order. Neither of them is ever a TensorProto.
typedef struct MgTensorProtos {
    uint32_t n;
    const MgWireField *tensors; // the field of each
} MgTensorProtos;
bool mg_tensor_protos(MgArena *arena, const unsigned char *bytes, size_t length,
                      MgTensorProtos *tensors);

// Reads a .pb file. NULL after a diagnostic; the caller owns the reference.
MgTensor *mg_pb_of_bytes(MgSession *session, const char *name, const unsigned char *bytes,
                         size_t length);
MgTensor *mg_pb_read(MgSession *session, const char *path);
// `name` is the tensor's name in the file. The parts are a header in the arena and the tensor's
// bytes.
void mg_pb_parts(MgSession *session, const char *name, const MgTensor *tensor, MgBytes parts[2]);
bool mg_pb_write(MgSession *session, const char *path, const char *name, const MgTensor *tensor);

#endif
