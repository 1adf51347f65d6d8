// Runs of ops that each worker walks alone, by blocks of rows (owned_workers.c).
#ifndef MG_PASSES_SCHEDULE_OWNED_WORKERS_H
#define MG_PASSES_SCHEDULE_OWNED_WORKERS_H

#include "passes/schedule/schedule.h"

// If such a run begins at the first of n ops, puts it into the plan and says how many it took; else
// 0. Until *looked ops from here none that is worth it begins.
uint32_t mg_owned_walk(MgSched *s, const MgOpId *ops, uint32_t n, MgKBlock *block,
                       uint32_t *looked);
// While calls of a run are made (s->walk): scratch in the memory of the worker that makes the call;
// the cost of an op over all rows of the run; and the part of a cost that the calls have in it.
MgStorageId mg_walk_scratch(MgRowWalk *w, MgIx bytes);
MgCost mg_walk_cost(MgRowWalk *w, MgOpId id);
MgIx mg_walk_part(const MgRowWalk *w, MgIx cost);

#endif
