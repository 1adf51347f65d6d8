// Buffers as tensors of DLPack, which other libraries take without a copy (dmlc/dlpack, the
// structure of versions before 1).
#include "include/mg/dlpack.h"

#include "include/mg/cuda.h"

#include <dlfcn.h>
#include <stdlib.h>

enum {
    SIGNED = 0,
    UNSIGNED = 1,
    FLOAT = 2,
    BFLOAT = 4,
    BOOL = 6,
    FLOAT8_E4M3 = 10,
    FLOAT8_E5M2 = 12
};
enum { CUDA = 2 };

static const uint8_t codes[] = {
    [MG_ELEMENT_F64] = FLOAT,          [MG_ELEMENT_F32] = FLOAT,
    [MG_ELEMENT_F16] = FLOAT,          [MG_ELEMENT_BF16] = BFLOAT,
    [MG_ELEMENT_I64] = SIGNED,         [MG_ELEMENT_I32] = SIGNED,
    [MG_ELEMENT_I16] = SIGNED,         [MG_ELEMENT_I8] = SIGNED,
    [MG_ELEMENT_U64] = UNSIGNED,       [MG_ELEMENT_U32] = UNSIGNED,
    [MG_ELEMENT_U16] = UNSIGNED,       [MG_ELEMENT_U8] = UNSIGNED,
    [MG_ELEMENT_BOOL] = BOOL,          [MG_ELEMENT_F8E4M3] = FLOAT8_E4M3,
    [MG_ELEMENT_F8E5M2] = FLOAT8_E5M2,
};

static void drop(MgDLManaged *managed) {
    mg_buffer_release(managed->manager);
    free(managed);
}

MgDLManaged *mg_buffer_dlpack(MgBuffer *buffer, int32_t device, MgElement element, uint32_t rank,
                              const int64_t *dims) {
    size_t size = mg_element_size(element), bytes = size;
    if (!buffer || !size || (rank && !dims) || rank > MG_DLPACK_RANK ||
        !mg_buffer_cuda_address(buffer))
        return NULL;
    for (uint32_t a = 0; a < rank; a++)
        if (dims[a] < 0 || __builtin_mul_overflow(bytes, (size_t)dims[a], &bytes))
            return NULL;
    MgDLManaged *m = bytes <= mg_buffer_bytes(buffer) ? calloc(1, sizeof *m) : NULL;
    if (!m)
        return NULL;
    for (uint32_t a = 0; a < rank; a++)
        m->sizes[a] = dims[a];
    m->tensor = (MgDLTensor){.data = (void *)(uintptr_t)mg_buffer_cuda_address(buffer),
                             .device_type = CUDA,
                             .device = device,
                             .rank = (int32_t)rank,
                             .code = codes[element],
                             .bits = (uint8_t)(8 * size),
                             .lanes = 1,
                             .shape = m->sizes};
    m->manager = mg_buffer_retain(buffer);
    m->deleter = drop;
    return m;
}

// It runs while an exception may be on its way, so it makes no other calls of Python.
void mg_dlpack_end_capsule(void *capsule) {
    static const char unused[] = "dltensor";
    int (*is_valid)(void *, const char *);
    void *(*pointer)(void *, const char *);
    *(void **)&is_valid = dlsym(RTLD_DEFAULT, "PyCapsule_IsValid");
    *(void **)&pointer = dlsym(RTLD_DEFAULT, "PyCapsule_GetPointer");
    if (!is_valid || !pointer || !is_valid(capsule, unused))
        return; // whoever took it over has renamed it
    MgDLManaged *managed = pointer(capsule, unused);
    managed->deleter(managed);
}
