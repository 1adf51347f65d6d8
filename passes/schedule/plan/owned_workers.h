// Runs of ops that each worker walks alone, by blocks of rows (owned_workers.c).
#ifndef MG_PASSES_SCHEDULE_PLAN_OWNED_WORKERS_H
#define MG_PASSES_SCHEDULE_PLAN_OWNED_WORKERS_H

#include "passes/schedule/schedule.h"

// If such a run begins at the first of n ops, adds it to the plan and returns the number of ops
// that it took; otherwise 0. No run that pays begins before *looked ops from here.
uint32_t mg_owned_walk(MgSched *s, const MgOpId *ops, uint32_t n, MgKBlock *block,
                       uint32_t *looked);
#endif
