// Attention on a GPU: what the kernel of a group's rows (attention.c) and the joining of parts
// of the keys (attention_parts.c) share.
#ifndef MG_PASSES_SCHEDULE_GPU_ATTENTION_H
#define MG_PASSES_SCHEDULE_GPU_ATTENTION_H

#include "passes/schedule/attention/attention.h"
#include "passes/schedule/gpu/gpu.h"

typedef struct MgGpuAttnShape {
    uint32_t rows, keys; // of a group's block; a group has as many items as rows
} MgGpuAttnShape;
typedef struct MgGpuRows {
    MgKBufId buf;
    int64_t pitch; // elements from row to row
} MgGpuRows;

typedef struct MgGpuAttn {
    MgAttn t;
    MgGpuAttnShape shape;
    uint32_t item_keys, vectors;   // the keys of an item, and its vectors of columns
    int64_t depth, columns;        // sizes of the part that is in local memory
    bool deep, wide;               // the depth, or the columns, have several parts
    MgGpuRows q, k, v, p;          // in local memory; p has a row for each key
    MgKBufId scale;                // the scale of each row, in local memory
    MgKBufId scores, sums;         // the item's tiles: its scores, and its vectors of columns
    const MgKx *me, *x, *y, *row;  // the item's number, its place in the tile, and the number of
                                   // its row
    const MgKx *first;             // the group's first row
    const MgKx *left;              // the group's first column; NULL: 0
    int64_t parts;                 // the number of parts of the keys; 1: a group has all keys
    const MgKx *batch, *part;      // the numbers of the group's batch and part
    MgKBufId tops, totals, values; // for each row and part: largest score, sum, weighted values
} MgGpuAttn;

// attention.c: stores finished columns of the current row, from `column` of the group's columns
// on. Columns past the last are not stored.
void mg_gpu_attention_leave(MgGpuAttn *g, MgKBlock *b, const MgKx *column, const MgKx *x);

// attention_units.c: emits the kernel's body with matrix units. False, and nothing is emitted,
// if the device has none, or if they would round what the definition keeps.
bool mg_gpu_attention_units(MgAttn *t);

// attention_few.c: emits the kernel's body for few rows. False, and nothing is emitted, if
// there are many, or if their width is not known.
bool mg_gpu_attention_few(MgGpuAttn *g);

// attention_parts.c -----------------------------------------------------------------------
// Scratch of `each` elements per batch that all groups see. Call it before making any buffer of a
// group.
MgKBufId mg_gpu_attention_scratch(MgAttn *t, const char *name, MgDType type, MgIx each);
// Chooses the number of parts of the keys, and makes the buffers for what groups find in their
// parts.
void mg_gpu_attention_part(MgGpuAttn *g);
// Makes these buffers for g->parts.
void mg_gpu_attention_make_parts(MgGpuAttn *g);
// The place of a row in the buffers for the group's part of the keys.
const MgKx *mg_gpu_attention_place(MgGpuAttn *g, const MgKx *row);
// Stores the largest score and the sum of the item's row.
void mg_gpu_attention_keep(MgGpuAttn *g, MgKBlock *block);
// Emits the second phase, which joins the parts.
void mg_gpu_attention_join(MgGpuAttn *g);

#endif
