// What the forms of scatters share (scatter.c, scatter_lanes.c, gpu_scatter.c).
#ifndef MG_PASSES_SCHEDULE_SCATTER_H
#define MG_PASSES_SCHEDULE_SCATTER_H

#include "passes/schedule/form.h"

typedef struct MgScatter {
    MgSched *s;
    MgKb kb;
    const MgUnit *unit;
    const MgPiece *piece;
    MgValueId result, base; // base: what contributions are added to; MG_NONE
    MgLoops at;
    MgKBufId sum; // where contributions are combined: the target, or scratch of the compute type
    MgDType type; // of its elements
    // Indices of which no two values meet in one element, in order of the target subscripts that
    // move with them; the sets of both.
    uint32_t apart_ones[MG_FORM_SYMS], moves[MG_FORM_SYMS], n_apart;
    uint64_t apart, moving;
    // The plan.
    uint32_t shared_ones[MG_FORM_SYMS], n_shared; // of these, those whose values workers share
    uint32_t lane, lanes;                         // one that is along the lanes; how many, 0: none
    int64_t chunk;  // of that one for a worker, if no other is shared; else 0
    bool together;  // gpu_scatter.c brings contributions to a place together
    uint32_t items; // of a group, if the kernel is written for items; else 0
} MgScatter;

// Opens a loop over independent trips, and returns the trip's number.
const MgKx *mg_scatter_trips(MgScatter *sc, MgKBlock **block, const MgKx *trips);
// An index as a digit of a number.
MgKDigit mg_scatter_digit(MgScatter *sc, uint32_t index);
// The row-major number of these target subscripts; p goes on where they are inside.
const MgKx *mg_scatter_place(MgScatter *sc, MgPoint *p, uint64_t which);
// Loops over the indices but these (bits), in order; their innermost body.
MgKBlock *mg_scatter_inner(MgScatter *sc, MgKBlock *block, uint64_t but);
// The equation where sc->at says.
static inline MgPoint mg_scatter_point(MgScatter *sc, MgKBlock *block) {
    return mg_loops_point(&sc->at, &sc->kb, block, -1, 1, NULL);
}
// sum[at] = sum[at] combined with the contribution, in as many lanes as p has.
void mg_scatter_combine(MgScatter *sc, MgPoint *p, MgKBufId sum, const MgKx *at);

// scatter_lanes.c: may neighbours of an index of those apart be combined at once, by workers? The
// loops of their contributions.
bool mg_scatter_lies_along(const MgScatter *sc, uint32_t index);
void mg_scatter_by_lanes(MgScatter *sc, MgKBlock *block);

// gpu_scatter.c: can contributions be brought together, and does it pay? Their kernel, whose fill
// goes between the two: the first makes its scratch.
bool mg_gpu_scatter_fits(const MgScatter *sc);
bool mg_gpu_scatter_pays(const MgScatter *sc);
struct MgTogether *mg_gpu_scatter_begin(MgScatter *sc);
void mg_gpu_scatter(MgScatter *sc, const struct MgTogether *all);

#endif
