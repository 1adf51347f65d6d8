// What the schedules for GPUs share.
//
// A group is a worker: its items run together, meet at group barriers and share local memory. A
// kernel says how many items its groups have and how many groups have work; loops over groups are
// right with any number of these.
#ifndef MG_PASSES_SCHEDULE_GPU_H
#define MG_PASSES_SCHEDULE_GPU_H

#include "passes/schedule/group.h"

enum { MG_QUAD = 4 }; // lanes of local memory

// Items of a group whose kernel needs no other number.
static inline uint32_t mg_gpu_usual_items(const MgSched *s) {
    uint32_t usual = (uint32_t)mg_figure(s, usual_items), most = s->options->target.max_items;
    return usual < most ? usual : most;
}

// gpu_wide.c: where a line of a wide product's factor (MgKProduct) has a piece of so many elements.
const MgKx *mg_gpu_piece_of_line(MgKernel *k, const MgKx *number, const MgKx *piece,
                                 int64_t elements);
// Opens loops over groups and items for `trips` trips, and sets the kernel's groups and items:
// *block becomes the body, *number the trip's.
void mg_gpu_flat_loop(MgKb *kb, const MgKx *trips, uint32_t items, MgKBlock **block,
                      const MgKx **number);
// The symbols of the n axes from the flat number `left`; the last one moves by `lanes`.
void mg_gpu_digits(MgGroup *gr, MgKBlock *block, const uint32_t *axes, uint32_t n, const MgKx *left,
                   uint32_t lanes);
// gpu_point.c: the axes of a group of points, the last the fastest. Returns how many.
uint32_t mg_gpu_order_axes(MgGroup *gr, uint32_t *axes);
// gpu_row.c: the group as rows that items share, false without side effects if it is not of that
// form. *apart: it has few long rows, and its reductions fill the device only in kernels of their
// own.
bool mg_gpu_rows(MgGroup *gr, MgKBlock *plan, bool *apart);
// gpu_sort.c: stores the stable order of rows of n elements, which move by `inner`, as i64.
typedef struct MgGpuSort {
    MgKBufId x, result;
    MgDType dtype; // of x
    MgIx outer, n, inner;
    bool descending;
} MgGpuSort;
enum { MG_GPU_SORT_ITEMS = 256 }; // of a group, or as many as the device has
void mg_gpu_sort(MgKb *kb, const MgGpuSort *sort);
// gpu_widen.c: the kernel for groups of `items`, no fewer than it has; NULL if it has no such
// form. Its buffers and variables are those of k, and more.
const MgKernel *mg_gpu_widen(const MgKernel *k, uint32_t items);

#endif
