// Transposed operands on a CPU: what the tiles (transpose.c) and the stores of results whose rows
// end inside cache lines (transpose_lines.c) share.
#ifndef MG_PASSES_SCHEDULE_GROUP_TRANSPOSE_H
#define MG_PASSES_SCHEDULE_GROUP_TRANSPOSE_H

#include "passes/schedule/group/nest.h"

enum { MG_TURNED_LANES = 16, MG_MOST_TURNED = MG_GROUP_GIVEN };

typedef struct MgTurned { // a read that moves by one along p
    const MgGroupNest *nest;
    const MgSx *read;
    MgIx address;
} MgTurned;

typedef struct MgTranspose {
    MgGroup *gr;
    uint32_t p, q, lanes; // the axes of a tile's rows and columns; a tile has `lanes` of each
    MgTurned turned[MG_MOST_TURNED];
    uint32_t n_turned;
    bool ok;
    int64_t side[2]; // the sizes of the blocks around the tiles, along p and q; 0: there
                     // are no blocks
    const MgKx *from[2], *end[2]; // of the current block
    bool by_lines;                // rows are stored through a buffer, in whole lines
    int64_t rows, line;           // the number of rows whose ends are kept; the elements of a line
    const MgKx *row, *span;       // the first row whose end is kept; the first position of its
                                  // stretch
    const MgKx *span_end;
    MgKBufId buf;
    const MgKx *base; // where the worker's part of the buffer begins; NULL: at 0
} MgTranspose;

// Finds p and q of a group with transposed operands. False if there are none.
bool mg_transpose_find(MgTranspose *t, MgGroup *gr);
// Do all vectors of the result start at multiples of a line? Then stores may bypass the caches.
bool mg_transpose_lines_fill(const MgTranspose *t);
// Reads the tiles from a checked nest.
MgTranspose *mg_transpose_read(MgGroup *gr, const MgNest *nest, const MgNestScope *scope);
// Emits the loops over the tiles of the current block, and the tiles.
void mg_transpose_tiles(MgTranspose *t, MgKBlock *block);

// transpose_lines.c -------------------------------------------------------------

enum { MG_LINES_SIDE = 128, MG_LINES_ALONG = 512, MG_LINES_DOWN = 4096 };
// Does it pay, with the blocks of rows and columns that a core has?
bool mg_transpose_lines_pay(const MgTranspose *t);
// Can the result be stored through a buffer?
bool mg_transpose_lines_fit(const MgTranspose *t);
// Makes the buffer.
void mg_transpose_lines_open(MgTranspose *t);
// Computes row `i` of the current tile and keeps it in the buffer.
void mg_transpose_keep(MgTranspose *t, MgKBlock *block, uint32_t i, const MgKx *mask);
// Stores the rows of the current block's tiles at p.
void mg_transpose_flush(MgTranspose *t, MgKBlock *block, const MgKx *p);

#endif
