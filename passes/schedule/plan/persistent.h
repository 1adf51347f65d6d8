// A plan as one kernel, whose groups meet at barriers between the layers.
#ifndef MG_PASSES_SCHEDULE_PLAN_PERSISTENT_H
#define MG_PASSES_SCHEDULE_PLAN_PERSISTENT_H

#include "passes/schedule/schedule.h"

#define MG_MEETING_BYTES 64

// Would it be the faster form of the graph, for many passes? A model of launches, barriers and work
// decides. Adds the reason to the program's launch_why.
bool mg_persistent_pays(MgSched *s);
// Replaces the finished, placed plan by its calls of the first run and two calls: one clears
// `meeting` (MG_MEETING_BYTES of the arena), the other runs the whole. passes: the dimension that
// gives the number of passes. Returns NULL, or why the plan has no such form; then nothing has
// changed.
const char *mg_schedule_persistent(MgSched *s, MgStorageId meeting, MgIxSym passes);

#endif
