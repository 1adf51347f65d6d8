// The topmost block of each step, while blocks are laid upon each other. A segment tree over the
// steps: n blocks take O(n log n) altogether.
#ifndef MG_PASSES_SKYLINE_H
#define MG_PASSES_SKYLINE_H

#include "passes/schedule/place.h"
#include "support/map.h"

typedef struct MgSkyline {
    MgArena *arena;
    uint32_t *tops;  // per node: the top of all its steps, or MIXED
    uint32_t leaves; // a power of two, at least the number of steps
} MgSkyline;

// An empty skyline over all the steps in which blocks are alive.
MgSkyline mg_skyline(MgArena *arena, const MgBlockLife *lives, uint32_t n);

// Adds the tops of the steps first to last, both included, to `below`, then lays block `top` on
// them. Tops are numbers from 1; where nothing lies yet, nothing is added.
void mg_skyline_raise(MgSkyline *line, uint32_t first, uint32_t last, uint32_t top,
                      MgDistinct *below);

#endif
