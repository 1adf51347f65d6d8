// A convolution being scheduled by Winograd's algorithm: shared by its recognition and sizes
// (winograd.c) and its emission (winograd_emit.c, winograd_transform.c).
#ifndef MG_PASSES_SCHEDULE_WINOGRAD_H
#define MG_PASSES_SCHEDULE_WINOGRAD_H

#include "ir/tiled.h"
#include "passes/schedule/schedule.h"

enum { MG_WINO_SYMS = 64, MG_WINO_BATCH = 8 };

typedef struct MgWinoSide { // one of the two directions of an image
    uint32_t place, tap;    // the free index and the bound one that meet in subscripts
    MgIx extent;            // outputs
    int64_t size, tiles;    // the same, and tiles: of an open size, what is likely
    const MgKx *end;        // extent, in the kernel
} MgWinoSide;

typedef struct MgWino {
    MgSched *s;
    MgKb kb;
    const MgUnit *unit;
    const MgPiece *piece;
    const MgSx *image, *weight;
    MgWinoSide row, column;
    uint32_t map, channel, batch[MG_WINO_BATCH], n_batch; // indices: of outputs, bound, the others
    int64_t maps, channels, batches;
    bool open;           // sizes of the image, or the number of images, are known in the run only
    bool weights_differ; // from batch to batch
    const MgTileForm *form;
    uint32_t lanes, nv, mr;      // a tile of products: mr tiles of the image, nv vectors of maps
    int64_t rows, blocks;        // tile rows of a block, blocks of an image
    int64_t tiles;               // of a block, in whole panels of mr
    int64_t strips, line, pitch; // strips of maps; pixels of a staged line; elements between tiles
    int64_t most_columns, stage_size; // of open sizes: tile columns of a block; pixels of the stage
    // In the kernel: tile rows of a block, blocks below and beside each other in an image, tile
    // columns of a block, pixels of a staged line, blocks of all images.
    const MgKx *rows_x, *blocks_x, *across, *columns, *line_x, *all;
    bool shared; // workers share each block, or each has blocks of its own
    MgKBufId weights, stage, points, products, acc, turned, lines, check;
    const MgKx *stage_base, *points_base, *products_base;
    MgIx with[MG_WINO_SYMS], low[MG_WINO_SYMS], high[MG_WINO_SYMS];
    const MgKx *loop[MG_WINO_SYMS];
} MgWino;

static inline const MgKx *mg_wino_int(MgWino *w, int64_t v) {
    return mg_kint(w->kb.k, v);
}
static inline const MgKx *mg_wino_bin(MgWino *w, MgPrim prim, const MgKx *a, const MgKx *b) {
    return mg_kprim(w->kb.k, prim, a, b, NULL);
}
static inline uint32_t mg_wino_products(const MgWino *w) {
    return w->form->points * w->form->points;
}

MgPoint mg_wino_point(MgWino *w, MgKBlock *block, int vector, const MgKx *mask);

// ---------------------------------------------------------------- winograd_transform.c
// Values of a square, row by row, transformed in both directions: B' d B, G g G', A' m A.
void mg_wino_input(MgWino *w, MgKBlock *block, const MgKx **x);
void mg_wino_weight(MgWino *w, MgKBlock *block, const MgKx **x);
void mg_wino_output(MgWino *w, MgKBlock *block, const MgKx **x);
// x[i], lane j becomes x[j], lane i, of as many vectors as they have lanes.
void mg_wino_transpose(MgWino *w, MgKBlock *block, const MgKx **x);

// ---------------------------------------------------------------- winograd_emit.c
int64_t mg_wino_weight_size(const MgWino *w); // elements of all transformed weights
// The body of the kernel that transforms weights, and of the one that convolves.
void mg_wino_emit_weights(MgWino *w);
void mg_wino_emit(MgWino *w);

#endif
