// Which work the workers share (share.c).
#ifndef MG_PASSES_SCHEDULE_SHARE_H
#define MG_PASSES_SCHEDULE_SHARE_H

#include "passes/schedule/schedule.h"

// The work of an op, or of all ops of a region, in steps of 1/64 ns of one core, as a function of
// the dimensions.
MgIx mg_share_work(MgSched *s, MgOpId op);
// Are the sizes known, and is the work so small that sharing it saves less than the barrier after
// it costs?
bool mg_share_is_small(MgSched *s, MgIx work);
// Is the work known, and does a barrier cost at least a hundredth of each worker's part of it?
bool mg_share_is_short(MgSched *s, MgIx work);
// Are that many points of equations (or an open number) worth waking a second worker for?
bool mg_share_pays(MgSched *s, MgIx points);
// Call it before the plan is built. A program of known sizes gets one worker if waking another does
// not pay.
void mg_share_program(MgSched *s);
// Call it after the plan is built. Emits into bind how many workers a call is worth (slot
// MG_SLOT_WORKERS).
void mg_share_bind(MgSched *s);

// Between these two, the first worker alone makes the calls, in the block that is returned. Calls
// right after such a block continue in it, without a barrier.
MgKBlock *mg_share_begin_alone(MgSched *s, MgKBlock *plan);
void mg_share_end_alone(MgSched *s, MgKBlock *plan);

#endif
