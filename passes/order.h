// The order of ops and the memory that it needs, by a model of the storage plan.
#ifndef MG_PASSES_ORDER_H
#define MG_PASSES_ORDER_H

#include "ir/graph.h"

// An op of a region, with the memory that it uses.
typedef struct MgOrderStep {
    MgOpId op;
    uint32_t *needs; // the steps that must precede it, by position in the source
    uint32_t n_needs;
    uint32_t *reads; // the blocks that must be alive while it runs
    uint32_t n_reads;
    uint32_t *makes; // the blocks that it creates
    uint32_t n_makes;
    uint32_t over; // the block whose bytes its result may take if that block dies here; UINT32_MAX:
                   // none
    bool fixed;    // no step may move across it
} MgOrderStep;

// A block of memory. It lives from the step that creates it to the last step that reads it.
typedef struct MgOrderBlock {
    int64_t bytes;
    uint32_t n_readers;
} MgOrderBlock;

typedef struct MgOrderProblem {
    MgOrderStep *steps; // in source order
    MgOrderBlock *blocks;
    uint32_t n_steps, n_blocks;
} MgOrderProblem;

// The problem of one region, in the arena. Sizes that depend on dims are guessed.
MgOrderProblem mg_order_problem(MgGraph *g, MgRegionId r, MgArena *arena);
// The most bytes that are alive while steps order[0..n) run.
int64_t mg_order_peak(const MgOrderProblem *p, const uint32_t *order, uint32_t n, MgArena *arena);
// The best order that was found, as positions in the source. The search is exhaustive for up to 14
// steps between fixed ones; otherwise it runs several heuristics and repairs the results window by
// window. The source order is kept unless another is better.
uint32_t *mg_order_search(const MgOrderProblem *p, MgArena *arena);

#endif
