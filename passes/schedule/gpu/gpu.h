// What the schedules for GPUs share.
//
// A group is a worker: its items run together, meet at group barriers and share local memory. A
// kernel states how many items a group has and how many groups have work. Loops over groups are
// correct for any number of groups.
#ifndef MG_PASSES_SCHEDULE_GPU_GPU_H
#define MG_PASSES_SCHEDULE_GPU_GPU_H

#include "passes/schedule/group/group.h"

enum { MG_QUAD = 4 }; // lanes of a vector in local memory

// The items of a group, for kernels that have no reason for another number.
static inline uint32_t mg_gpu_usual_items(const MgSched *s) {
    uint32_t usual = (uint32_t)mg_figure(s, usual_items), most = s->options->target.max_items;
    return usual < most ? usual : most;
}

// A buffer of the group in local memory.
static inline MgKBufId mg_gpu_local(MgKernel *k, const char *name, MgKType type, int64_t count) {
    return mg_kalloc(k, name, type, MG_SPACE_SHARED, MG_SCOPE_GROUP, mg_kint(k, count));
}

// wide.c: the first element of piece number `piece` of line `number` of a wide product's factor
// (MgKProduct). A piece has `elements` elements.
const MgKx *mg_gpu_piece_of_line(MgKernel *k, const MgKx *number, const MgKx *piece,
                                 int64_t elements);
// boxes.c: the plain read that a factor is, in whatever type it is multiplied, or NULL.
const MgSx *mg_gpu_plain_read(const MgSx *factor);
// Computes the symbols of the n axes from the flat number `left`; the last axis moves by `lanes`.
void mg_gpu_digits(MgGroup *gr, MgKBlock *block, const uint32_t *axes, uint32_t n, const MgKx *left,
                   uint32_t lanes);
// early.c: copies the statements of a block in order; those that only load what does not change
// before them go to `early`.
void mg_gpu_part_loads(MgKernel *k, const MgKBlock *from, MgKBlock *early, MgKBlock *rest);
// Moves such statements in front of the others, from statement `first` of the block on. inside:
// those of branches, too, since what these load is there whether they are entered or not.
void mg_gpu_loads_first(MgKernel *k, MgKBlock *block, uint32_t first, bool inside);
// The registers that the memory loaded by the block's statements takes, from `first` on.
uint32_t mg_gpu_words_loaded(const MgKernel *k, const MgKBlock *block, uint32_t first);
// chains.c: the loops over groups and items around statements that compute one point. Each chain of
// them is for items of its own.
void mg_gpu_chains(MgKb *kb, const MgKBlock *all, uint32_t items);
// reads.c: a value from outside that a group's equations read at one address, in all of its loops.
typedef struct MgGpuRead {
    MgValueId value;
    MgOpId op; // an op that reads it
    const MgSx *read;
    MgIx address;
    uint32_t readers;
    bool ok;    // every read of it is at that address, and of that kind
    bool moves; // along a row; otherwise there is one element for each row
} MgGpuRead;
typedef struct MgGpuReads {
    MgGpuRead *at;
    uint32_t n, room; // further values are not noted
} MgGpuReads;
void mg_gpu_note_read(MgGpuReads *reads, MgOpId op, const MgAccess *a, bool ok, bool moves);
// Its element, or lanes along a symbol, at the current point.
const MgKx *mg_gpu_load_read(MgGroup *gr, MgKBlock *block, const MgGpuRead *read, int vector,
                             uint32_t lanes);
// point.c: orders the axes of a group of points; the last changes fastest. Returns their
// number.
uint32_t mg_gpu_order_axes(MgGroup *gr, uint32_t *axes);
// row.c: schedules the group as rows that items share. False, without side effects, if it does
// not have that form. *apart: it has few long rows, and its reductions fill the device only in
// kernels of their own.
bool mg_gpu_rows(MgGroup *gr, bool *apart);
// sort.c: stores the stable order of rows of n elements, which lie `inner` apart, as i64; and the
// elements in that order, if `sorts` is set.
typedef struct MgGpuSort {
    MgKBufId x, result, sorted;
    bool sorts;
    MgDType dtype; // of x
    MgIx outer, n, inner;
    bool descending;
    int64_t below; // all of x is in 0 to below - 1; 0: it may be anything
} MgGpuSort;
enum { MG_GPU_SORT_ITEMS = 256 }; // the items of a group; fewer if the device has fewer
void mg_gpu_sort(MgKb *kb, const MgGpuSort *sort);
// ordered/scan_gpu.c: replaces the total of each of `items` items, a power of two, by that of all
// items up to it. `totals` has two halves, and totals are in the first. Returns where the result
// begins. Its first step waits for all items.
const MgKx *mg_gpu_scan_totals(MgKernel *k, MgKBlock *block, MgKBufId totals, int64_t items,
                               MgReducer reducer);
// widen.c: the kernel for groups of `items` items, which must be no fewer than it has. NULL if
// there is none. It has the buffers and variables of k, and more.
const MgKernel *mg_gpu_widen(const MgKernel *k, uint32_t items);

// Do products of 32 items split factors of f32 (MgKProduct)?
bool mg_gpu_may_split_apart(const MgScheduleOptions *o);

#endif
