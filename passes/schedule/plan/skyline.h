// The topmost block of each step while blocks are stacked. It is a segment tree over the steps: n
// blocks take O(n log n) in total.
#ifndef MG_PASSES_SCHEDULE_PLAN_SKYLINE_H
#define MG_PASSES_SCHEDULE_PLAN_SKYLINE_H

#include "passes/schedule/plan/place.h"
#include "support/map.h"

typedef struct MgSkyline {
    MgArena *arena;
    uint32_t *tops;  // by node: the top of all its steps, or MIXED
    uint32_t leaves; // a power of two, at least the number of steps
} MgSkyline;

// An empty skyline over all steps in which blocks are alive.
MgSkyline mg_skyline(MgArena *arena, const MgBlockLife *lives, uint32_t n);

// Adds the tops of the steps first to last, both included, to `below`, and puts block `top` on
// them. Tops are numbers from 1; a step without a block adds nothing.
void mg_skyline_raise(MgSkyline *line, uint32_t first, uint32_t last, uint32_t top,
                      MgDistinct *below);

#endif
