// Placing blocks of memory whose lifetimes are known: dynamic storage allocation, offline.
#ifndef MG_PASSES_SCHEDULE_PLAN_PLACE_H
#define MG_PASSES_SCHEDULE_PLAN_PLACE_H

#include "support/mem.h"

typedef struct MgBlockLife {
    int64_t bytes; // never negative; the caller has rounded it to the alignment that it wants
    uint32_t first, last; // the steps in which it is alive, both included
    int64_t offset;       // the result
} MgBlockLife;

// The number of steps, and the bytes alive in each.
int64_t *mg_place_alive(const MgBlockLife *lives, uint32_t n, uint32_t *steps, MgArena *scratch);
// The most bytes alive in one step: no placement has a lower peak.
int64_t mg_place_lower_bound(const MgBlockLife *lives, uint32_t n, MgArena *scratch);

// Gives every block an offset such that no two blocks that are alive together overlap, and returns
// the peak. The problem is NP-hard (Garey and Johnson, SR2). This runs first fit and best fit in
// several orders, then repairs the order where the peak is, until the lower bound is reached or the
// effort is spent ("squeaky wheel" optimisation, Joslin and Clements, JAIR 10, 1999). It is
// deterministic.
int64_t mg_place_blocks(MgBlockLife *lives, uint32_t n, MgArena *scratch);

// The same, but bytes are used again as late as that peak allows, for launches that may run side by
// side: one that writes bytes waits for all that used them (runtime/device_order.h).
int64_t mg_place_apart(MgBlockLife *lives, uint32_t n, MgArena *scratch);

#endif
