// An attention on a GPU: shared by the kernel of a group's rows (gpu_attention.c) and by what joins
// parts of the keys (gpu_attention_parts.c).
#ifndef MG_PASSES_SCHEDULE_GPU_ATTENTION_H
#define MG_PASSES_SCHEDULE_GPU_ATTENTION_H

#include "passes/schedule/attention.h"
#include "passes/schedule/gpu.h"

typedef struct MgGpuAttnShape {
    uint32_t rows, keys; // of a group's block: as many items as rows
} MgGpuAttnShape;
typedef struct MgGpuRows {
    MgKBufId buf;
    int64_t pitch; // elements from row to row
} MgGpuRows;

typedef struct MgGpuAttn {
    MgAttn t;
    MgGpuAttnShape shape;
    uint32_t item_keys, vectors;   // an item's keys, and vectors of columns
    int64_t depth, columns;        // of a part that is in local memory
    bool deep, wide;               // there are several parts of the depth, of the columns
    MgGpuRows q, k, v, p;          // in local memory; p: a row of rows for each key
    MgKBufId scale;                // of each row, in local memory
    MgKBufId scores, sums;         // the item's tiles: scores, vectors of columns
    const MgKx *me, *x, *y, *row;  // item, its place in the tile, the row that it is
    const MgKx *first;             // row of the group
    const MgKx *left;              // the group's first column; NULL: 0
    int64_t parts;                 // of the keys; 1: a group has all
    const MgKx *batch, *part;      // numbers of the group's
    MgKBufId tops, totals, values; // of each row's parts: mg_interp_largest, sum, weighted values
} MgGpuAttn;

// gpu_attention.c: finished columns of the open row, from `column` of the group's; those behind the
// last are none.
void mg_gpu_attention_leave(MgGpuAttn *g, MgKBlock *b, const MgKx *column, const MgKx *x);

// gpu_attention_units.c: emits the kernel's body by matrix units. False, and nothing is emitted, if
// the device has none, or they would round what the definition keeps.
bool mg_gpu_attention_units(MgAttn *t);

// gpu_attention_parts.c -----------------------------------------------------------------------
// So many elements for each batch, which all groups see. Before any buffer of a group's.
MgKBufId mg_gpu_attention_scratch(MgAttn *t, const char *name, MgDType type, MgIx each);
// Chooses how many parts keys come in, and makes the places for what groups find of theirs.
void mg_gpu_attention_part(MgGpuAttn *g);
// Of a row, where the group's part of the keys is.
const MgKx *mg_gpu_attention_place(MgGpuAttn *g, const MgKx *row);
// Stores the scores' element of the item's row.
void mg_gpu_attention_keep(MgGpuAttn *g, MgKBlock *block);
// The second phase.
void mg_gpu_attention_join(MgGpuAttn *g);

#endif
