// What the builtins of lang/ops.def compute, on plain row-major memory.
//
// There is one definition: the reference interpreter runs these functions, and a backend may call
// them if it has no code of its own. They allocate from an arena and know nothing of graphs.
#ifndef MG_IR_BUILTINS_H
#define MG_IR_BUILTINS_H

#include "ir/types.h"
#include "support/mem.h"

// Writes the stable order of n elements of x, which lie `stride` elements apart, to order[0..n).
// Ties keep the lower number first; NaN comes last in either direction.
void mg_argsort_lane(MgDType dtype, const void *x, size_t n, size_t stride, bool descending,
                     int64_t *order, MgArena *scratch);
// The same along the middle axis of x[outer, n, inner]; order has the shape of x.
void mg_argsort(MgDType dtype, const void *x, size_t outer, size_t n, size_t inner, bool descending,
                int64_t *order, MgArena *scratch);

// The number of non-zero elements (NaN is one), and their coordinates: out[rank, count], row-major.
size_t mg_count_nonzero(MgDType dtype, const void *x, size_t n);
void mg_nonzero(MgDType dtype, const void *x, uint32_t rank, const int64_t *shape, size_t count,
                int64_t *out);

// Non-maximum suppression as ONNX defines it. boxes f32[batches, n, 4]: corners (y1, x1, y2, x2) in
// any order, or with `center` (x, y, width, height). scores f32[batches, classes, n]. Each class
// visits its boxes by descending score, the lower number first among equals. It takes a box if the
// box's score is above `score` and no taken box overlaps it by more than `iou`. out[k, 3] gets
// batch, class and box; it has room for batches * classes * min(max_output, n) rows. Returns k.
typedef struct MgNms {
    const float *boxes, *scores;
    size_t batches, classes, n;
    int64_t max_output;
    double iou, score;
    bool center;
} MgNms;
size_t mg_non_max_suppression(const MgNms *nms, int64_t *out, MgArena *scratch);

// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC
// 2011).
void mg_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
// Element number i of random_bits: the first word for counter i under the key `seed`.
uint32_t mg_random_bits(uint64_t seed, uint64_t i);
// Element number i of random_keeps. together: four elements have the words for one counter.
bool mg_random_keeps(float ratio, uint64_t seed, uint64_t i, bool together);

#endif
