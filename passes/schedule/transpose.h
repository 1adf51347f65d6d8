// Operands that lie across the result, on a CPU: what its tiles (transpose.c) and the way of
// results whose rows end inside cache lines (transpose_lines.c) share.
#ifndef MG_PASSES_SCHEDULE_TRANSPOSE_H
#define MG_PASSES_SCHEDULE_TRANSPOSE_H

#include "passes/schedule/group_nest.h"

enum { MG_TURNED_LANES = 16, MG_MOST_TURNED = MG_GROUP_GIVEN };

typedef struct MgTurned { // a read that moves by one along p
    const MgGroupNest *nest;
    const MgSx *read;
} MgTurned;

typedef struct MgTranspose {
    MgGroup *gr;
    uint32_t p, q, lanes; // a tile's rows and columns, so many of each
    MgTurned turned[MG_MOST_TURNED];
    uint32_t n_turned;
    bool ok;
    const MgGroupNest *nest; // whose reads are looked at
    int64_t side[2];         // of the blocks around the tiles, along p and q; 0: there are none
    const MgKx *from[2], *end[2]; // of the open one
    bool by_lines;                // rows leave through a buffer, in whole lines
    int64_t rows, line;           // whose ends are kept; elements of a line
    const MgKx *row, *span;       // the first row whose end is kept; where its stretch begins
    const MgKx *span_end;
    MgKBufId buf;
    const MgKx *base; // where the worker's part of it begins; NULL: at 0
} MgTranspose;

// Finds p and q of a group whose operands lie across; false if there are none.
bool mg_transpose_find(MgTranspose *t, MgGroup *gr);
// Do vectors of the result start at multiples of a line? Then they may go past the caches.
bool mg_transpose_lines_fill(const MgTranspose *t);
// The tiles that a checked nest says.
MgTranspose *mg_transpose_read(MgGroup *gr, const MgNest *nest, const MgNestScope *scope);
// Writes the loops over the tiles of the open block, and the tiles.
void mg_transpose_tiles(MgTranspose *t, MgKBlock *block);

// transpose_lines.c -------------------------------------------------------------

enum { MG_LINES_SIDE = 128, MG_LINES_ALONG = 512, MG_LINES_DOWN = 4096 };
// Is it worth it, with the blocks of rows and columns that a core has?
bool mg_transpose_lines_pay(const MgTranspose *t);
// Can the result leave through a buffer?
bool mg_transpose_lines_fit(const MgTranspose *t);
// Makes the buffer.
void mg_transpose_lines_open(MgTranspose *t);
// Computes row `i` of the open tile and keeps it.
void mg_transpose_keep(MgTranspose *t, MgKBlock *block, uint32_t i, const MgKx *mask);
// Stores the rows of the open block's tiles at p.
void mg_transpose_flush(MgTranspose *t, MgKBlock *block, const MgKx *p);

#endif
