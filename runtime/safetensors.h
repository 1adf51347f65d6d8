// safetensors files: 8 bytes of header length, a JSON header, then the tensors' bytes.
// https://github.com/huggingface/safetensors (format). Tensors are used where the file was read to.
#ifndef MG_RUNTIME_SAFETENSORS_H
#define MG_RUNTIME_SAFETENSORS_H

#include "ir/types.h"
#include "runtime/files.h"

typedef struct MgSafetensor {
    MgSym key;
    const char *type; // as written: "F32"
    MgDType
        dtype; // MG_DTYPE_COUNT: a type that this version does not have; an error where it is used
    uint32_t rank;
    const int64_t *dims;
    const void *data; // in the bytes of the file; as aligned as the file has it
    size_t bytes;
} MgSafetensor;

typedef struct MgSafetensors {
    const char *path;
    MG_VEC(MgSafetensor) tensors; // in order of the header
    MgMap by_key;                 // MgSym -> index
} MgSafetensors;

// Both check everything before anything is believed: lengths, JSON, types, sizes against shapes,
// offsets inside the file and disjoint, keys unique. NULL with a diagnostic at `from`. Lives in the
// session.
MgSafetensors *mg_safetensors_open(MgSession *session, const char *path, MgSpan from);
MgSafetensors *mg_safetensors_of_bytes(MgSession *session, const char *path, MgSpan from,
                                       const unsigned char *bytes, size_t length);
const MgSafetensor *mg_safetensors_find(const MgSafetensors *file,
                                        MgSym key); // NULL if there is none
// The nearest of the keys that are not in `taken` (NULL: none is), or 0.
MgSym mg_safetensors_nearest(const MgSession *session, const MgSafetensors *file,
                             const MgMap *taken,
                             MgSym key); // 0: none is near

// What a file of these tensors is made of: a header and the tensors' own bytes, to be written one
// after another. Reads key, dtype, rank, dims, data and bytes of each.
typedef MG_VEC(MgBytes) MgByteParts;
void mg_safetensors_parts(MgSession *session, const MgSafetensor *tensors, size_t n,
                          MgByteParts *parts);
bool mg_safetensors_write(MgSession *session, const char *path, const MgSafetensor *tensors,
                          size_t n);

#endif
