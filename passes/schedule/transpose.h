// Operands that lie across the result: what its loops (transpose.c) and the way of results whose
// rows end inside of cache lines (transpose_lines.c) share.
#ifndef MG_PASSES_SCHEDULE_TRANSPOSE_H
#define MG_PASSES_SCHEDULE_TRANSPOSE_H

#include "passes/schedule/group.h"

enum {
    MAX_LANES = 16,
    MAX_TURNED = MAX_GIVEN,
    BLOCK_SIDE = 128,
    LINES_ALONG = 4, // blocks that are written as one stretch
    LINES_DOWN = 32  // blocks of rows whose ends are kept meanwhile, in L2
};

typedef struct Turned { // a read that moves by one along p
    const Nest *nest;
    const MgSx *read;
} Turned;

typedef struct Transpose {
    Group *gr;
    uint32_t p, q, lanes;
    Turned turned[MAX_TURNED];
    uint32_t n_turned;
    bool ok;
    const Nest *nest;             // whose reads are looked at
    const MgKx *from[2], *end[2]; // of the open block, along p and q
    bool by_lines;                // rows leave through a buffer, in whole lines
    int64_t line;                 // its elements
    const MgKx *row, *span;       // the first row whose end is kept; where its stretch begins
    MgKBufId buf;
    const MgKx *base; // where the worker's part of it begins; NULL: at 0
} Transpose;

// Is it worth it? Makes the buffer.
bool mg_transpose_by_lines(Transpose *t);
// Computes row `i` of the open tile and keeps it.
void mg_transpose_keep(Transpose *t, MgKBlock *block, uint32_t i, const MgKx *mask);
// Stores the rows of the open block's tiles at p.
void mg_transpose_flush(Transpose *t, MgKBlock *block, const MgKx *p);

#endif
