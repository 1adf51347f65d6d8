// A group being scheduled: shared by the choice of its loops and lanes (group_vector.c) and its
// emission (group.c).
#ifndef MG_PASSES_SCHEDULE_GROUP_H
#define MG_PASSES_SCHEDULE_GROUP_H

#include "passes/schedule/schedule.h"

#define MAX_LOOPS 64

typedef struct Nest { // one equation's piece
    MgOpId op;
    const MgPiece *piece;
    MgValueId result;
} Nest;

typedef struct Group {
    MgSched *s;
    MgKb kb;
    const MgUnit *unit;
    Nest *nests;
    uint32_t n_nests;
    uint32_t depth; // outer indices that all nests share
    bool collapsed[MAX_LOOPS];
    MgIx with[MAX_LOOPS];                 // index -> expression over loop symbols
    MgIx low[MAX_LOOPS], high[MAX_LOOPS]; // of loop symbols
    const MgKx *loop[MAX_LOOPS];          // their values, where a loop is open
} Group;

// Merges outer indices whose product every access walks contiguously into one loop.
void mg_group_merge(Group *gr);
// Makes the nest's own indices, those past the shared ones, the current loop symbols.
void mg_group_enter(Group *gr, const Nest *n);
// Lanes of a vector of the widest type in the nests.
uint32_t mg_group_lanes(Group *gr, const Nest *nests, uint32_t n);
// The cheapest vector index of nests over the loops [first_free, n_free) and, of a single nest, its
// last bound one. -1: scalar code. Its cost in *least, if that is not NULL.
int mg_group_vector(Group *gr, const Nest *nests, uint32_t n, uint32_t first_free, uint32_t n_free,
                    uint32_t lanes, double *least);
// Several vectors at once where a reduction runs along index `vector`.
uint32_t mg_group_widen(Group *gr, const Nest *nests, uint32_t n, int vector, uint32_t lanes);
MgIx mg_group_target(Group *gr, const Nest *n); // address of its target over loop symbols
bool mg_group_folds(MgReducer r);               // can lanes be reduced apart and folded?

static inline int64_t const_or(MgIxTable *t, MgIx x, int64_t otherwise) {
    int64_t v;
    return mg_ix_is_const(t, x, &v) ? v : otherwise;
}

#endif
