// A group being scheduled: shared by the choice of its loops and lanes (group_vector.c), what is
// computed at a point (group_emit.c), and the loops around it, for workers (group.c) and GPUs
// (gpu_point.c, gpu_row.c).
#ifndef MG_PASSES_SCHEDULE_GROUP_H
#define MG_PASSES_SCHEDULE_GROUP_H

#include "passes/schedule/schedule.h"

#define MG_GROUP_LOOPS 64
#define MG_GROUP_GIVEN 8

typedef struct MgGroupNest { // one equation's piece
    MgOpId op;
    const MgPiece *piece;
    MgValueId result;
} MgGroupNest;

typedef struct MgGroupGiven { // lanes of a read that were fetched beforehand, for the point that is
                              // emitted; or of a subscript, checked beforehand
    const MgGroupNest *nest;
    const MgSx *read;
    const MgKx *lanes;
} MgGroupGiven;

typedef struct MgGroup {
    MgSched *s;
    MgKb kb;
    const MgUnit *unit;
    MgGroupNest *nests;
    uint32_t n_nests;
    uint32_t depth;     // outer indices that all nests share
    uint32_t piece;     // of the only equation, from 1; 0: it has one
    bool rows, reduces; // a nest has more free indices than these; a nest has bound ones
    bool collapsed[MG_GROUP_LOOPS];
    MgIx with[MG_GROUP_LOOPS];                      // index -> expression over loop symbols
    MgIx low[MG_GROUP_LOOPS], high[MG_GROUP_LOOPS]; // of loop symbols
    const MgKx *loop[MG_GROUP_LOOPS];               // their values, where a loop is open
    MgGroupGiven given[MG_GROUP_GIVEN];
    uint32_t n_given;
    uint32_t together, row; // so many reductions at once, along this symbol; 0: one
    const MgKx *first;      // its value of the first of them
    const MgKx *number;     // which of them is open; NULL: there is one
    MgKBlock *tail;         // where each is finished
} MgGroup;

// group.c: calls emit for the unit, or for each piece of its only equation, as a group whose kernel
// has been begun and whose loop symbols are the indices. emit finishes the kernel, or returns false
// without side effects if several equations are better scheduled separately. Returns false then,
// and if the unit is not a group.
typedef bool MgGroupFn(MgGroup *gr, MgKBlock *plan);
bool mg_group_form(MgSched *s, const MgUnit *unit, MgGroupFn *emit, MgKBlock *plan);
MgGroupFn mg_group_workers; // loops for workers

// Merges outer indices whose product every access walks contiguously into one loop.
void mg_group_merge(MgGroup *gr);
// The same for these, outermost first: neighbours among them become one where that can be. Have all
// become one?
bool mg_group_join(MgGroup *gr, const uint32_t *axes, uint32_t n);
// Makes the nest's own indices, those past the shared ones, the current loop symbols.
void mg_group_enter(MgGroup *gr, const MgGroupNest *n);
// Lanes of a vector of the widest type in the nests.
uint32_t mg_group_lanes(MgGroup *gr, const MgGroupNest *nests, uint32_t n);
// The cheapest vector index of nests over the loops [first_free, n_free) and, of a single nest, its
// last bound one. -1: scalar code. Its cost in *least, if that is not NULL.
int mg_group_vector(MgGroup *gr, const MgGroupNest *nests, uint32_t n, uint32_t first_free,
                    uint32_t n_free, uint32_t lanes, double *least);
// Several vectors at once where a reduction runs along index `vector`.
uint32_t mg_group_widen(MgGroup *gr, const MgGroupNest *nests, uint32_t n, int vector,
                        uint32_t lanes);
MgIx mg_group_target(MgGroup *gr, const MgGroupNest *n); // address of its target over loop symbols
bool mg_group_folds(MgReducer r);                        // can lanes be reduced apart and folded?

// group_emit.c ------------------------------------------------------------ at the open point

// The type that a reduction accumulates in: f64 for float sums in the interpreter's order, else the
// value's own.
MgDType mg_group_accumulator(const MgScheduleOptions *o, const MgPiece *p);
// The point of a nest; vector < 0: scalar.
MgPoint mg_group_point(MgGroup *gr, const MgGroupNest *n, MgKBlock *block, int vector,
                       uint32_t lanes, const MgKx *mask);
// Opens a loop over the range of a symbol in *block, which becomes its body; gives its variable.
const MgKx *mg_group_open(MgGroup *gr, MgKBlock **block, uint32_t sym, MgLoopKind kind);
// Body at vector positions [base, base + lanes) of symbol v, in a main loop and a masked remainder.
typedef void MgLanesFn(void *ctx, MgKBlock *block, const MgKx *mask);
void mg_group_lanes_loop(MgGroup *gr, MgKBlock *block, uint32_t v, uint32_t lanes, const MgKx *low,
                         const MgKx *high, MgLanesFn *body, void *ctx);
// A nest's finished element or lanes x at point p: stored if it leaves, kept in a register or
// scratch.
void mg_group_settle(MgGroup *gr, const MgGroupNest *n, MgPoint *p, const MgKx *x, bool keep);
// The same, computed first.
void mg_group_emit(MgGroup *gr, const MgGroupNest *n, MgKBlock *block, int vector, uint32_t lanes,
                   const MgKx *mask, bool keep);
typedef struct MgPoints {
    MgGroup *gr;
    int vector;
    uint32_t lanes;
    uint32_t first, n; // nests
    bool keep;
} MgPoints;
// The nests of an MgPoints in order, an MgLanesFn; what is kept is forgotten afterwards.
void mg_group_points(void *ctx, MgKBlock *block, const MgKx *mask);

// group_reduce.c ---------------------------------------------------------- reductions there

// An element of a monoid: its leader and what stands beside it, the place of an extreme or a sum.
typedef struct MgPartial {
    const MgKx *x, *at;
} MgPartial;
// Runs the reduction of a nest at the open outer point over the ranges of gr->low and gr->high;
// lanes along a bound index are folded.
MgPartial mg_group_reduce(MgGroup *gr, const MgGroupNest *n, MgKBlock *block, int vector,
                          uint32_t lanes, const MgKx *mask);
// Opens each of the reductions that run together; the block itself if there is one.
MgKBlock *mg_group_each(MgGroup *gr, MgKBlock *block);
// Its result in the nest's compute type.
const MgKx *mg_group_reduced(MgGroup *gr, const MgGroupNest *n, MgKBlock *block, MgPartial all);
// May lanes look for extremes apart? Where places are known as expressions, and fit 32 bits.
bool mg_group_places(MgGroup *gr, const MgPiece *p);

// chosen.c ---------------------------------------------------------------- subscripts from data

typedef struct MgChosenPlace {
    const MgGroupNest *nest;
    const MgSx *sub;
    const MgSx *read; // whose subscript it is, and which
    uint32_t position;
    MgKBufId buf; // where they are kept
    const MgKx *base;
} MgChosenPlace;
typedef struct MgChosen { // of a group whose lanes run along free index `vector`
    MgGroup *gr;
    MgPoints *points;
    uint32_t vector, lanes, n;
    MgChosenPlace at[MG_GROUP_GIVEN];
} MgChosen;
// Computes and checks, before the loops over rows, what all rows share; false if there is nothing.
bool mg_group_choose(MgChosen *c, MgKBlock *block);
// mg_group_points with these given; its context is the MgChosen.
MgLanesFn mg_group_chosen_points;

// parts.c: has the group several long reductions to few elements? Then each is faster in a kernel
// of its own.
bool mg_group_parts_apart(MgGroup *gr);

static inline int64_t mg_group_const_or(MgIxTable *t, MgIx x, int64_t otherwise) {
    int64_t v;
    return mg_ix_is_const(t, x, &v) ? v : otherwise;
}

#endif
