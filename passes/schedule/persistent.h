// A plan rendered as one kernel whose groups meet between the layers.
#ifndef MG_PASSES_SCHEDULE_PERSISTENT_H
#define MG_PASSES_SCHEDULE_PERSISTENT_H

#include "passes/schedule/schedule.h"

#define MG_MEETING_BYTES 64

// Would it be the faster form of the graph, for many passes? By a model of launches, barriers and
// work; says why in the program's launch_why.
bool mg_persistent_pays(MgSched *s);
// Replaces the finished, placed plan by what it does in the first run alone and two calls: one that
// clears `meeting` (MG_MEETING_BYTES of the arena), one of the whole. passes: the dimension that
// says how many. NULL, or why the plan has no such form, and nothing changed.
const char *mg_schedule_persistent(MgSched *s, MgStorageId meeting, MgIxSym passes);

#endif
