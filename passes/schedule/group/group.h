// Scheduling of groups: what the choice of loops and lanes (vector.c), the code at a point
// (emit.c), and the loops for workers (group.c) and for GPUs (gpu/point.c, gpu/row.c) share.
#ifndef MG_PASSES_SCHEDULE_GROUP_GROUP_H
#define MG_PASSES_SCHEDULE_GROUP_GROUP_H

#include "passes/schedule/schedule.h"

#define MG_GROUP_LOOPS 64
#define MG_GROUP_GIVEN 8

typedef struct MgGroupNest { // the piece of one equation
    MgOpId op;
    const MgPiece *piece;
    MgValueId result;
} MgGroupNest;

typedef struct MgGroupGiven { // lanes that were computed before the point that is emitted: of a
                              // read, or of a checked subscript
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
    uint32_t piece;     // the piece of the only equation, from 1; 0: it has one piece
    bool rows, reduces; // a nest has more free indices than these; a nest has bound indices
    bool collapsed[MG_GROUP_LOOPS];
    MgIx with[MG_GROUP_LOOPS];                      // index -> expression over loop symbols
    MgIx low[MG_GROUP_LOOPS], high[MG_GROUP_LOOPS]; // of loop symbols
    const MgKx *loop[MG_GROUP_LOOPS];               // the values of loop symbols whose loops are
                                                    // open
    MgGroupGiven given[MG_GROUP_GIVEN];
    uint32_t n_given;
    uint32_t together, row; // the number of reductions that run together, along symbol `row`; 0:
                            // one
    const MgKx *first;      // the value of `row` for the first of them
    const MgKx *number;     // which of them is current; NULL: there is one
    MgKBlock *tail;         // where each of them is finished
} MgGroup;

// group.c: makes the unit, or each piece of its only equation, a group, whose kernel has been begun
// and whose loop symbols are the indices. Then it calls emit, which makes the kernel's body, or
// returns false without side effects if several equations are better scheduled separately. Returns
// false in that case, and if the unit is not a group.
typedef bool MgGroupFn(MgGroup *gr);
bool mg_group_form(MgSched *s, const MgUnit *unit, MgGroupFn *emit, MgKBlock *plan);

// Merges outer indices into one loop if every access is contiguous over their product.
void mg_group_merge(MgGroup *gr);
// The same for these axes, outermost first: neighbours are merged where possible. Returns whether
// all became one.
bool mg_group_join(MgGroup *gr, const uint32_t *axes, uint32_t n);
// Makes the nest's own indices, after the shared ones, the current loop symbols.
void mg_group_enter(MgGroup *gr, const MgGroupNest *n);
// Lanes of a vector of the widest type in the nests.
uint32_t mg_group_lanes(MgGroup *gr, const MgGroupNest *nests, uint32_t n);
// The vector index that makes the nests cheapest: one of the loops [first_free, n_free) or, of a
// single nest, its last bound index. -1: scalar code is cheapest. *least, unless it is NULL,
// receives the cost.
int mg_group_vector(MgGroup *gr, const MgGroupNest *nests, uint32_t n, uint32_t first_free,
                    uint32_t n_free, uint32_t lanes, double *least);
// The cost of a point of the nest in scalar code, in the same unit: loads of vectors.
double mg_group_scalar(MgGroup *gr, const MgGroupNest *n);
// The number of vectors at once, for a reduction along index `vector`.
uint32_t mg_group_widen(MgGroup *gr, const MgGroupNest *nests, uint32_t n, int vector,
                        uint32_t lanes);
MgIx mg_group_target(MgGroup *gr, const MgGroupNest *n); // address of its target over loop symbols
MgIx mg_group_rows(const MgGroup *gr); // the number of points of the shared indices
// Scratch for a value of each of `parts` parts of each of these points.
MgKBufId mg_group_place(MgGroup *gr, const char *name, MgDType type, MgIx parts);
bool mg_group_folds(MgReducer r); // can lanes be reduced separately and
                                  // folded?

// emit.c ------------------------------------------------------------ at the current point

// The type in which a reduction accumulates: f64 for sums of floats in the interpreter's order,
// otherwise the type of the value.
MgDType mg_group_accumulator(const MgScheduleOptions *o, const MgPiece *p);
// The current point of a nest; vector < 0: scalar.
MgPoint mg_group_point(MgGroup *gr, const MgGroupNest *n, MgKBlock *block, int vector,
                       uint32_t lanes, const MgKx *mask);
// Opens a loop over the range of a symbol in *block, which becomes its body. Returns its variable.
const MgKx *mg_group_open(MgGroup *gr, MgKBlock **block, uint32_t sym, MgLoopKind kind);
// Takes a nest's finished element or lanes x at point p: stores them if they leave the unit, and
// keeps them in a register or scratch.
void mg_group_settle(MgGroup *gr, const MgGroupNest *n, MgPoint *p, const MgKx *x, bool keep);
// Computes the element or lanes first, then does the same.
void mg_group_emit(MgGroup *gr, const MgGroupNest *n, MgKBlock *block, int vector, uint32_t lanes,
                   const MgKx *mask, bool keep);
typedef struct MgPoints {
    MgGroup *gr;
    int vector;
    uint32_t lanes;
    uint32_t first, n; // nests
    bool keep;
} MgPoints;
// An MgLanesFn: the nests of an MgPoints in order. What they keep is forgotten afterwards.
void mg_group_points(void *ctx, MgKBlock *block, const MgKx *mask);

// reduce.c ---------------------------------------------------------- reductions there

// A partial result of a monoid: its leader, and the value that accompanies it (the position of an
// extreme, or a sum).
typedef struct MgPartial {
    const MgKx *x, *at;
} MgPartial;
// Emits the reduction of a nest at the current outer point, over the ranges gr->low and gr->high.
// Lanes along a bound index are folded.
MgPartial mg_group_reduce(MgGroup *gr, const MgGroupNest *n, MgKBlock *block, int vector,
                          uint32_t lanes, const MgKx *mask);
// The result of the reduction in the nest's compute type.
const MgKx *mg_group_reduced(MgGroup *gr, const MgGroupNest *n, MgKBlock *block, MgPartial all);
// May lanes look for extremes separately? Their places must be expressions that fit into 32 bits.
bool mg_group_places(MgGroup *gr, const MgPiece *p);

// chosen.c ---------------------------------------------------------------- subscripts from data

typedef struct MgChosenPlace {
    const MgGroupNest *nest;
    const MgSx *sub;
    const MgSx *read; // the read that has this subscript, at `position`
    uint32_t position;
    MgKBufId buf; // where the subscripts are kept
    const MgKx *base;
} MgChosenPlace;
typedef struct MgChosen { // for a group whose lanes run along free index `vector`
    MgGroup *gr;
    MgPoints *points;
    uint32_t vector, lanes, n;
    MgChosenPlace at[MG_GROUP_GIVEN];
} MgChosen;
// Before the loops over rows, computes and checks the subscripts that all rows share. False if
// there are none.
bool mg_group_choose(MgChosen *c, MgKBlock *block);
// mg_group_points with these subscripts given. Its context is the MgChosen.
MgLanesFn mg_group_chosen_points;

// parts.c: does the group have several long reductions to few elements? Then each is faster in a
// kernel of its own.
bool mg_group_parts_apart(MgGroup *gr);

// The positions of a loop symbol.
static inline MgIx mg_group_extent(const MgGroup *gr, uint32_t sym) {
    return mg_ix_sub(gr->s->ix, gr->high[sym], gr->low[sym]);
}

#endif
