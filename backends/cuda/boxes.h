// The maps of tensors with which a device copies boxes to local memory by itself
// (backends/opencl/print_box.c). Only the driver can make one, for a tensor at an address.
#ifndef MG_BACKENDS_CUDA_BOXES_H
#define MG_BACKENDS_CUDA_BOXES_H

#include "backends/cuda/api.h"

// A kernel with boxes has a variable of the module with this suffix to its name, an MgCuBox for
// each in their order. ptx.c makes it of the comments that describe them.
#define MG_CU_BOX_SUFFIX "_boxes"
enum { MG_CU_BOX_AXES = 5, MG_CU_BOX_PIXELS = 3, MG_CU_MOST_BOXES = 16 };
typedef struct MgCuBox {
    int64_t argument; // the kernel's: an address; the next one is an offset in bytes
    int64_t element;  // bytes of an element
    int64_t rounds;   // 1: elements are f32, and are rounded to tf32
    int64_t base;     // bytes from there to the tensor
    int64_t rank, pixels;
    struct {
        int64_t size, stride, extent; // elements, bytes, elements; axis 0 is innermost
    } axes[MG_CU_BOX_AXES];
    struct {
        int64_t low, high, step;
    } walks[MG_CU_BOX_PIXELS]; // of axes 1 to rank - 2, if pixels is not 0
} MgCuBox;
enum { MG_CU_BOX_WORDS = sizeof(MgCuBox) / sizeof(int64_t) };

// Makes the map of the tensor at address `at`.
MgCuResult mg_cu_map(const MgCuApi *cu, const MgCuBox *box, MgCuPointer at, MgCuMap *map);

#endif
