// Which work is shared among the workers (share.c).
#ifndef MG_PASSES_SCHEDULE_SHARE_H
#define MG_PASSES_SCHEDULE_SHARE_H

#include "passes/schedule/schedule.h"

// Work of an op, or of a region's ops, in steps of 1/64 ns of one core, as a function of the
// dimensions.
MgIx mg_share_work(MgSched *s, MgOpId op);
// Are sizes known, and is it so little that its part for others is not worth meeting them behind
// it?
bool mg_share_is_small(MgSched *s, MgIx work);
// Are so many points of equations, or an open number, worth waking a second worker for?
bool mg_share_pays(MgSched *s, MgIx points);
// Before the plan is built: one worker for a program of known sizes that is not worth waking
// another for.
void mg_share_program(MgSched *s);
// After it: how many workers a call is worth, in bind (slot MG_SLOT_WORKERS).
void mg_share_bind(MgSched *s);

// What lies between these two is called by the first worker alone, in the block that is returned;
// what follows such a block goes on in it, without a barrier.
MgKBlock *mg_share_begin_alone(MgSched *s, MgKBlock *plan);
void mg_share_end_alone(MgSched *s, MgKBlock *plan);

#endif
