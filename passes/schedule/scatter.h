// What the forms of scatters share (scatter.c, scatter_lanes.c, gpu_scatter.c).
#ifndef MG_PASSES_SCHEDULE_SCATTER_H
#define MG_PASSES_SCHEDULE_SCATTER_H

#include "passes/schedule/schedule.h"

typedef struct MgScatter {
    MgSched *s;
    MgKb *kb;
    const MgPiece *piece;
    MgOpId op;
    MgValueId result, base;
    MgKBufId sum;    // where contributions are combined: the target, or scratch of the compute type
    MgDType type;    // of its elements
    uint64_t shared; // indices whose values different workers may take
    uint64_t moving; // target subscripts that move with those
    uint32_t shared_ones[64], n_shared; // in order of these subscripts
    uint32_t items;                     // of a group, if the kernel is written for items; else 0
    MgIx with[64], low[64], high[64];
    const MgKx *loop[64];
    struct Together *together; // gpu_scatter.c
} MgScatter;

// Opens a loop over independent trips, and returns the trip's number.
const MgKx *mg_scatter_trips(MgScatter *sc, MgKBlock **block, const MgKx *trips);
// An index as a digit of a number.
MgKDigit mg_scatter_digit(MgScatter *sc, uint32_t index);
// The equation where sc->loop says.
MgPoint mg_scatter_point(MgScatter *sc, MgKBlock *block);
// The row-major number of these target subscripts; p goes on where they are inside.
const MgKx *mg_scatter_place(MgScatter *sc, MgPoint *p, uint64_t which);
// The target's indices that may be shared out, at most `most`, in the order of the subscripts that
// move with them.
void mg_scatter_share(MgScatter *sc, uint32_t most);
// A loop over an index.
MgKBlock *mg_scatter_loop(MgScatter *sc, MgKBlock *block, MgLoopKind kind, uint32_t index);
// Loops over the indices but these (bits), in order; their innermost body.
MgKBlock *mg_scatter_inner(MgScatter *sc, MgKBlock *block, uint64_t but);
// sum[at] = sum[at] combined with the contribution, in as many lanes as p has.
void mg_scatter_combine(MgScatter *sc, MgPoint *p, MgKBufId sum, const MgKx *at);

// scatter_lanes.c: for workers, are neighbours of a shared index combined at once? Then makes the
// loops of their contributions.
bool mg_scatter_by_lanes(MgScatter *sc, MgKBlock *block);

// gpu_scatter.c: are contributions to be brought together? Then the kernel is one for items, and
// its scratch is made; and their kernels, behind a barrier.
bool mg_gpu_scatter_begin(MgScatter *sc);
void mg_gpu_scatter(MgScatter *sc);

#endif
