// Buffers of CUDA as tensors of DLPack, which PyTorch, CuPy, JAX and others take without a copy.
#ifndef MG_DLPACK_H
#define MG_DLPACK_H

#include "../mg.h"

#ifdef __cplusplus
extern "C" {
#endif

// DLTensor and DLManagedTensor of dlpack.h, with room for the sizes behind them.
enum { MG_DLPACK_RANK = 64 };
typedef struct MgDLTensor {
    void *data;
    int32_t device_type, device;
    int32_t rank;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides; // no strides: row-major without gaps
    uint64_t byte_offset;
} MgDLTensor;
typedef struct MgDLManaged {
    MgDLTensor tensor;
    void *manager;
    void (*deleter)(struct MgDLManaged *self);
    int64_t sizes[MG_DLPACK_RANK];
} MgDLManaged;

// A tensor at the start of a buffer, which it retains until its deleter is called. `device` is the
// device's number in CUDA. NULL if the buffer is not memory of CUDA or is too small, or if memory
// runs out.
MG_API MgDLManaged *mg_buffer_dlpack(MgBuffer *buffer, int32_t device, MgElement element,
                                     uint32_t rank, const int64_t *dims);

// The destructor for a capsule of Python (PyCapsule_New(managed, "dltensor", this)): calls the
// deleter if nobody has taken the tensor over. It finds Python's functions in the process, where
// the interpreter's symbols are global; otherwise such a tensor is never released.
MG_API void mg_dlpack_end_capsule(void *capsule);

#ifdef __cplusplus
}
#endif

#endif
