#include "backends/cuda/boxes.h"

#include <stdbool.h>

// Bits are copied as they are, so the type of an integer of that size will do.
static int type_of(const MgCuBox *box) {
    return box->rounds         ? MG_CU_TF32
           : box->element == 1 ? MG_CU_U8
           : box->element == 2 ? MG_CU_U16
                               : MG_CU_U32;
}

MgCuResult mg_cu_map(const MgCuApi *cu, const MgCuBox *box, MgCuPointer at, MgCuMap *map) {
    uint64_t sizes[MG_CU_BOX_AXES], strides[MG_CU_BOX_AXES];
    uint32_t extents[MG_CU_BOX_AXES], steps[MG_CU_BOX_AXES];
    int low[MG_CU_BOX_PIXELS], high[MG_CU_BOX_PIXELS];
    uint32_t rank = (uint32_t)box->rank;
    if (box->rank < (box->pixels ? 3 : 2) || box->rank > MG_CU_BOX_AXES || box->element > 4)
        return MG_CU_INVALID_VALUE;
    for (uint32_t i = 0; i < rank; i++) {
        bool walks = box->pixels && i && i + 1 < rank;
        sizes[i] = (uint64_t)box->axes[i].size;
        extents[i] = (uint32_t)box->axes[i].extent;
        steps[i] = walks ? (uint32_t)box->walks[i - 1].step : 1;
        if (i) // the first stride is that of axis 1
            strides[i - 1] = (uint64_t)box->axes[i].stride;
        if (walks) {
            low[i - 1] = (int)box->walks[i - 1].low;
            high[i - 1] = (int)box->walks[i - 1].high;
        }
    }
    if (box->pixels)
        return cu->map_pixels(map, type_of(box), rank, at, sizes, strides, low, high, extents[0],
                              (uint32_t)box->pixels, steps, MG_CU_NOT_INTERLEAVED,
                              MG_CU_SWIZZLE_128, MG_CU_PROMOTE_256, MG_CU_ZEROS_OUTSIDE);
    return cu->map(map, type_of(box), rank, at, sizes, strides, extents, steps,
                   MG_CU_NOT_INTERLEAVED, MG_CU_SWIZZLE_128, MG_CU_PROMOTE_256,
                   MG_CU_ZEROS_OUTSIDE);
}
