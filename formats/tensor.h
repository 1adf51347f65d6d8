// Run-time tensors: typed, row-major arrays. They are reference counted and live in no arena,
// because they outlive the compilation or the file from which they came.
#ifndef MG_FORMATS_TENSOR_H
#define MG_FORMATS_TENSOR_H

#include "include/mg.h"
#include "ir/types.h"

#include <stdatomic.h>

#define MG_TENSOR_ALIGN 64
#define MG_TENSOR_RANK_MAX 64 // in files too

struct MgTensor {
    atomic_uint references;
    MgDType dtype;
    uint32_t rank;
    size_t count, bytes; // elements, bytes
    void *data;
    void (*release)(void *user);
    void *user;
    int64_t dims[]; // rank
};

// *count becomes the product of dims, *bytes that times the element's size. False if a dimension is
// negative or a product overflows.
bool mg_tensor_size(MgDType dtype, uint32_t rank, const int64_t *dims, size_t *count,
                    size_t *bytes);

#endif
