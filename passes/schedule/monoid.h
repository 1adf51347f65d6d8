// Reductions as monoids (lang/monoids.def), for workers and for GPUs: which one equations are, and
// what is computed of their elements.
#ifndef MG_PASSES_SCHEDULE_MONOID_H
#define MG_PASSES_SCHEDULE_MONOID_H

#include "passes/schedule/group.h"

// Equations that are reduced together.
typedef struct MgTogether {
    MgMonoid monoid;
    uint32_t second;      // the nest whose sum stands beside the first one's leader; 0: none
    const MgSx *shift[2]; // what the second takes from each element; twice where it is squared
} MgTogether;

// monoid_find.c: what is the group's first nest reduced to, with a single other one? False if no
// other one goes with it, or several do.
bool mg_monoid_find(MgGroup *gr, MgTogether *t);

// Of nothing. at: the type of places.
MgPartial mg_monoid_identity(MgKernel *k, MgMonoid m, MgKType type, MgDType at);
// The better of two extremes. behind: b stands behind a; else their places tell. Lanes in which
// `on` is off (NULL: none) keep a.
MgPartial mg_monoid_better(MgKernel *k, MgKBlock *block, MgMonoid m, MgPartial a, MgPartial b,
                           bool behind, const MgKx *on);
// The formulas of a sum beside a leader x of n points, which some monoids don't ask for: the shift
// of the part, what a adds about b, and sum s of the part about b.
const MgKx *mg_monoid_shift(MgKernel *k, MgKBlock *block, MgMonoid m, const MgKx *x, const MgKx *n);
const MgKx *mg_monoid_term(MgKernel *k, MgMonoid m, const MgKx *a, const MgKx *b);
const MgKx *mg_monoid_moved(MgKernel *k, MgKBlock *block, MgMonoid m, const MgKx *s, const MgKx *x,
                            const MgKx *n, const MgKx *b);
// Do these ask for the number of points?
bool mg_monoid_counts(MgMonoid m);

#endif
