// The order of ops and the memory it takes: a model of what the storage plan will do.
#ifndef MG_PASSES_ORDER_H
#define MG_PASSES_ORDER_H

#include "ir/graph.h"

// One op of a region, as memory sees it.
typedef struct MgOrderStep {
    MgOpId op;
    uint32_t *needs; // steps that must come before, by position in the source
    uint32_t n_needs;
    uint32_t *reads; // blocks that must be alive while it runs
    uint32_t n_reads;
    uint32_t *makes; // blocks that it makes
    uint32_t n_makes;
    uint32_t over; // block whose bytes its result may take if it dies here; UINT32_MAX: none
    bool fixed;    // everything before it stays before, everything after it after
} MgOrderStep;

// Bytes that live from the step that makes them to the last that reads them.
typedef struct MgOrderBlock {
    int64_t bytes;
    uint32_t n_readers;
} MgOrderBlock;

typedef struct MgOrderProblem {
    MgOrderStep *steps; // in source order
    MgOrderBlock *blocks;
    uint32_t n_steps, n_blocks;
} MgOrderProblem;

// The problem of one region; everything is in arena. Sizes that depend on dims are guessed.
MgOrderProblem mg_order_problem(MgGraph *g, MgRegionId r, MgArena *arena);
// The most bytes alive while steps order[0..n) run, each block from its making to its last reader.
int64_t mg_order_peak(const MgOrderProblem *p, const uint32_t *order, uint32_t n, MgArena *arena);
// The best order found, as positions in the source: exhaustive for up to 14 steps between fixed
// ones, otherwise several heuristics repaired window by window; the source order unless another is
// better.
uint32_t *mg_order_search(const MgOrderProblem *p, MgArena *arena);

#endif
