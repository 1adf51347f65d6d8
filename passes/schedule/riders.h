// Writes that ride: equations that copy a part of a unit's result into a larger tensor, in place,
// as the new rows of a cache. The kernel of the unit, their host, writes these elements as well
// when it stores the result, so that no kernel follows for the copy. Forms on a GPU do so.
//
// A form carries them if it calls mg_kb_ride before its kernel has buffers of its own, and stores
// all results of the unit with mg_point_leave. If the unit's form doesn't, the writes are units.
#ifndef MG_PASSES_SCHEDULE_RIDERS_H
#define MG_PASSES_SCHEDULE_RIDERS_H

#include "passes/schedule/schedule.h"

// Finds the hosts of all writes of the graph, once storage is assigned.
void mg_riders_find(MgSched *s);
// Adds those that may ride with op `host` to its unit.
void mg_riders_board(MgSched *s, MgOpId host, MgUnit *unit);
// The kernels of the unit have its riders' writes; and does any kernel have those of an op?
void mg_riders_arrive(MgSched *s, const MgUnit *unit);
bool mg_has_ridden(const MgSched *s, MgOpId op);

// The kernel has the riders of its unit.
void mg_kb_ride(MgKb *kb);
// Loads the single numbers that decide their places, which they would wait for at the end.
void mg_kb_ride_loads(MgKb *kb, MgKBlock *block);
// Stores lanes of v, a result of the unit, and of the riders that copy them.
void mg_point_leave(MgPoint *p, MgValueId v, MgIx address, const MgKx *x);

#endif
