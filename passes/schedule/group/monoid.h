// Reductions as monoids (lang/monoids.def), for workers and for GPUs: which monoid equations reduce
// to, and the formulas over its elements.
#ifndef MG_PASSES_SCHEDULE_GROUP_MONOID_H
#define MG_PASSES_SCHEDULE_GROUP_MONOID_H

#include "passes/schedule/group/group.h"

// Equations that are reduced together.
typedef struct MgTogether {
    MgMonoid monoid;
    uint32_t second;      // the nest whose sum accompanies the first nest's leader; 0: none
    const MgSx *shift[2]; // what the second nest subtracts from each element; two entries if it
                          // squares the difference
} MgTogether;

// monoid_find.c: what does the group's first nest reduce to, together with exactly one other nest?
// False if no other nest, or more than one, goes with it.
bool mg_monoid_find(MgGroup *gr, MgTogether *t);

// The partial result of no points. at: the type of places.
MgPartial mg_monoid_identity(MgKernel *k, MgMonoid m, MgKType type, MgDType at);
// The better of two extremes. behind: b comes after a; otherwise their positions decide. Lanes
// that are false in `on` (NULL: none) keep a.
MgPartial mg_monoid_better(MgKernel *k, MgKBlock *block, MgMonoid m, MgPartial a, MgPartial b,
                           bool behind, const MgKx *on);
// The formulas of a sum beside a leader x of n points (some monoids don't use n): the shift of a
// part; what a adds about b; the sum s of a part about b.
const MgKx *mg_monoid_shift(MgKernel *k, MgKBlock *block, MgMonoid m, const MgKx *x, const MgKx *n);
// rough: its exponentials need little accuracy (mg_is_rough).
const MgKx *mg_monoid_term(MgKernel *k, MgMonoid m, const MgKx *a, const MgKx *b, bool rough);
const MgKx *mg_monoid_moved(MgKernel *k, MgKBlock *block, MgMonoid m, const MgKx *s, const MgKx *x,
                            const MgKx *n, const MgKx *b, bool rough);
// Do the monoid's formulas use the number of points?
bool mg_monoid_counts(MgMonoid m);

#endif
