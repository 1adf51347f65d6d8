// What the forms of scatters share (scatter.c, scatter_lanes.c, scatter_gpu.c).
#ifndef MG_PASSES_SCHEDULE_ORDERED_SCATTER_H
#define MG_PASSES_SCHEDULE_ORDERED_SCATTER_H

#include "passes/schedule/form.h"
#include "passes/schedule/places.h"

typedef struct MgScatter {
    MgKb kb;
    MgSched *s;
    const MgUnit *unit;
    const MgPiece *piece;
    MgValueId result, base; // base: the tensor to which contributions are added, or MG_NONE
    MgLoops at;
    MgKBufId sum; // where contributions are combined: the target, or scratch of the compute type
    MgDType type; // the type of its elements
    MgApart apart;
    // The plan.
    uint32_t shared_ones[MG_FORM_SYMS], n_shared; // those of them whose values workers share
    uint32_t lane, lanes;                         // the one that runs along the lanes; the number
                                                  // of lanes, or 0
    int64_t chunk; // the part of that index for a worker, if no other is shared; otherwise 0
    bool together; // scatter_gpu.c brings contributions to a place together
} MgScatter;

// Opens loops over all indices except these (bits), in order. Returns the innermost body.
MgKBlock *mg_scatter_inner(MgScatter *sc, MgKBlock *block, uint64_t but);
// The equation's point at sc->at.
static inline MgPoint mg_scatter_point(MgScatter *sc, MgKBlock *block) {
    return mg_loops_point(&sc->at, &sc->kb, block, -1, 1, NULL);
}
// Combines the contribution with sum[at], in as many lanes as p has.
void mg_scatter_combine(MgScatter *sc, MgPoint *p, MgKBufId sum, const MgKx *at);
// The same for a contribution x that has been computed.
void mg_scatter_add(MgScatter *sc, MgPoint *p, MgKBufId sum, const MgKx *at, const MgKx *x);

// scatter_lanes.c: may neighbouring values of such an index be combined as vectors; and the loops
// of a worker's contributions.
bool mg_scatter_takes_lanes(const MgScatter *sc, uint32_t index);
void mg_scatter_by_lanes(MgScatter *sc, MgKBlock *block);

// scatter_gpu.c: can contributions be brought together, and does it pay? The next two make their
// kernel: the first makes its scratch, and the caller fills the target between the two.
bool mg_gpu_scatter_fits(const MgScatter *sc);
bool mg_gpu_scatter_pays(const MgScatter *sc);
struct MgTogether *mg_gpu_scatter_begin(MgScatter *sc);
void mg_gpu_scatter(MgScatter *sc, const struct MgTogether *all);

#endif
