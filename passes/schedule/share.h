// Which work the workers share (share.c).
#ifndef MG_PASSES_SCHEDULE_SHARE_H
#define MG_PASSES_SCHEDULE_SHARE_H

#include "passes/schedule/schedule.h"

// The work of an op, or of all ops of a region, in steps of 1/64 ns of one core, as a function of
// the dimensions.
MgIx mg_share_work(MgSched *s, MgOpId op);
MgIx mg_share_work_of(MgSched *s, const MgOpId *ops, uint32_t n);
// Are the sizes known, and is the work so small that sharing it saves less than the barrier after
// it costs?
bool mg_share_is_small(MgSched *s, MgIx work);
// Is the work known, and does a barrier cost at least a hundredth of each worker's part of it?
bool mg_share_is_short(MgSched *s, MgIx work);
// The time that the operations of a piece, neither a contraction nor a scan, take one worker.
MgIx mg_share_piece_work(MgSched *s, const MgPiece *piece);
// Are that many points of equations (or an open number) worth sharing among the workers? Fewer are
// if their operations take long enough, in ticks; 0: unknown.
bool mg_share_pays(MgSched *s, MgIx points, MgIx work);
// The workers that the plan is built for: one if sizes are known and waking another does not pay.
uint32_t mg_share_program(MgSched *s);
// Call it after the plan is built. Emits into bind how many workers a call is worth (slot
// MG_SLOT_WORKERS).
void mg_share_bind(MgSched *s);

// Opens a block of the plan in which the first worker alone makes calls, or continues the one right
// before, without a barrier between them. Schedule with *alone in it, then close it.
MgKBlock *mg_share_open_alone(const MgSched *s, MgKBlock *plan, MgSched *alone);
void mg_share_close_alone(MgSched *s, MgKBlock *plan);

#endif
