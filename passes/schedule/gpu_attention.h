// An attention on a GPU: shared by the kernel of a group's rows (gpu_attention.c) and by what joins
// parts of the keys (gpu_attention_parts.c).
#ifndef MG_PASSES_SCHEDULE_GPU_ATTENTION_H
#define MG_PASSES_SCHEDULE_GPU_ATTENTION_H

#include "passes/schedule/attention.h"
#include "passes/schedule/words.h"

enum {
    MG_QUAD = 4,
    ITEM_ROWS = 8,
    ACROSS = 8,
    COLUMNS = ACROSS * MG_QUAD,
    MG_TILE_ROUNDS = 16,
    CHUNK = 8
};

typedef struct Shape {
    uint32_t rows, keys; // of a group's block: as many items as rows
} Shape;
typedef struct MgGemmTile {
    MgKBufId buf;
    int64_t pitch; // elements from row to row
} MgGemmTile;

typedef struct GpuAttn {
    MgAttn t;
    Shape shape;
    uint32_t item_keys, vectors;   // an item's keys, and vectors of columns
    int64_t depth, columns;        // of a part that is in local memory
    bool deep, wide;               // there are several parts of the depth, of the columns
    MgGemmTile q, k, v, p;         // in local memory; p: a row of rows for each key
    MgKBufId scale;                // of each row, in local memory
    MgKBufId scores, sums;         // the item's tiles: scores, vectors of columns
    const MgKx *me, *x, *y, *row;  // item, its place in the tile, the row that it is
    const MgKx *first;             // row of the group
    const MgKx *left;              // the group's first column; NULL: 0
    int64_t parts;                 // of the keys; 1: a group has all
    const MgKx *batch, *part;      // numbers of the group's
    MgKBufId tops, totals, values; // of each row's parts: mg_interp_largest, sum, weighted values
} GpuAttn;

static inline const MgKx *let(GpuAttn *g, MgKBlock *b, const MgKx *x) {
    return mg_klet_x(g->t.kb.k, b, "x", x);
}

static inline const MgKx *ix(GpuAttn *g, MgIx x) {
    return mg_kb_ix(&g->t.kb, x, g->t.loop);
}

static inline const MgKx *load(GpuAttn *g, MgKBlock *b, MgKBufId buf, const MgKx *at,
                               uint32_t lanes) {
    return let(g, b, mg_kload(g->t.kb.k, buf, at, lanes, NULL, NULL));
}

// So many lanes of the type that all is computed in.
static inline MgKType lanes_of(const GpuAttn *g, uint32_t lanes) {
    return mg_kt(g->t.a->type, lanes);
}

static inline MgKBufId local(GpuAttn *g, const char *name, int64_t elements) {
    MgKernel *k = g->t.kb.k;
    return mg_kalloc(k, name, lanes_of(g, 1), MG_SPACE_SHARED, MG_SCOPE_GROUP, num(k, elements));
}

static inline const MgKx *kept(GpuAttn *g, MgKBufId buf, uint32_t i, uint32_t lanes) {
    MgKernel *k = g->t.kb.k;
    return mg_kload(k, buf, num(k, i), lanes, NULL, NULL);
}

static inline const MgKx *number(GpuAttn *g, double v) {
    return mg_kfloat(g->t.kb.k, lanes_of(g, 1), v);
}

// gpu_attention.c: finished columns of the open row, from `column` of the group's; those behind the
// last are none.
void mg_gpu_attention_leave(GpuAttn *g, MgKBlock *b, const MgKx *column, const MgKx *x);

// gpu_attention_parts.c -----------------------------------------------------------------------
// Chooses how many parts keys come in, and makes the places for what groups find of theirs.
void mg_gpu_attention_part(GpuAttn *g);
// Of a row, where the group's part of the keys is.
const MgKx *mg_gpu_attention_place(GpuAttn *g, const MgKx *row);
// Stores the scores' element of the item's row.
void mg_gpu_attention_keep(GpuAttn *g, MgKBlock *block);
// The second phase.
void mg_gpu_attention_join(GpuAttn *g);

#endif
