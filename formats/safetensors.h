// safetensors files: 8 bytes of header length, a JSON header, then the tensors' bytes.
// https://github.com/huggingface/safetensors (format). Tensors are used in place, in the bytes
// read.
#ifndef MG_FORMATS_SAFETENSORS_H
#define MG_FORMATS_SAFETENSORS_H

#include "ir/types.h"
#include "support/files.h"

typedef struct MgSafetensor {
    MgSym key;
    const char *type; // as written: "F32"
    MgDType dtype;    // MG_DTYPE_COUNT: a type that MG does not have; using it is an error
    uint32_t rank;
    const int64_t *dims;
    const void *data; // in the bytes of the file, aligned as it is there
    size_t bytes;
} MgSafetensor;

typedef struct MgSafetensors {
    const char *path;
    MG_VEC(MgSafetensor) tensors; // in order of the header
    MgMap by_key;                 // MgSym -> index
} MgSafetensors;

// Both check everything before they use it: lengths, JSON, types, sizes against shapes, offsets
// inside the file and disjoint, keys unique. NULL after a diagnostic at `from`. The result lives in
// the session.
MgSafetensors *mg_safetensors_open(MgSession *session, const char *path, MgSpan from);
MgSafetensors *mg_safetensors_of_bytes(MgSession *session, const char *path, MgSpan from,
                                       const unsigned char *bytes, size_t length);
const MgSafetensor *mg_safetensors_find(const MgSafetensors *file,
                                        MgSym key); // NULL if there is none
// The type's name for messages, even if MG does not have it.
const char *mg_safetensor_type(const MgSafetensor *tensor);
// The nearest key that is not in `taken` (NULL: none is taken), or 0.
MgSym mg_safetensors_nearest(const MgSession *session, const MgSafetensors *file,
                             const MgMap *taken,
                             MgSym key); // 0: none is near

// The bytes of a file of these tensors, to be written one after another: a header and the tensors'
// own bytes. Reads key, dtype, rank, dims, data and bytes of each tensor.
typedef MG_VEC(MgBytes) MgByteParts;
void mg_safetensors_parts(MgSession *session, const MgSafetensor *tensors, size_t n,
                          MgByteParts *parts);
bool mg_safetensors_write(MgSession *session, const char *path, const MgSafetensor *tensors,
                          size_t n);

#endif
