// Loops whose states are computed again from checkpoints: checkpoint.c finds and chooses them,
// checkpoint_make.c rewrites them.
#ifndef MG_PASSES_CHECKPOINT_H
#define MG_PASSES_CHECKPOINT_H

#include "passes/remat.h"

// A loop, and what backward loops read of its trips.
typedef struct MgCheckpoint {
    MgGraph *g;
    MgPassContext *context;
    MgOpId forward;
    MG_VEC(MgOpId) backward; // the loops that read stacks, each in reverse
    MG_VEC(uint32_t) stacks; // numbers of results: the stacks to compute again
    bool *needed;            // by op: an op of the body that they need
    uint32_t n_ops;          // the ops of which `needed` knows
    MG_VEC(uint32_t) states; // numbers of the carried values that they need
    MgValueId *kept;         // by carried number: a stack of its states that stays, or MG_NONE
    MgIx trips;
    int64_t every; // the trips of a segment
} MgCheckpoint;

// The trip of the forward loop, from 0, that a trip of the backward loop goes back over.
MgIx mg_checkpoint_trip(const MgCheckpoint *c, MgOpId backward);
// Sums over the trips of a backward loop are added up inside it, if the price of what they read of
// all trips is higher. That changes the order of the sums. Returns whether anything changed.
bool mg_checkpoint_sums(MgGraph *g, MgPassContext *context, MgOpId backward);
// Makes the loop keep the first state of each segment. At its last trip, each backward loop
// computes the segment again.
void mg_checkpoint_make(MgCheckpoint *c);

#endif
