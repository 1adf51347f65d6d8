// The cost of separate launches of a graph, by which the other two forms of launching are judged;
// and the text of --explain=launch about each form.
#ifndef MG_PASSES_SCHEDULE_PLAN_LAUNCH_COST_H
#define MG_PASSES_SCHEDULE_PLAN_LAUNCH_COST_H

#include "passes/schedule/schedule.h"

// For a GPU. Estimates the time of the ops of s->g, of which all sizes are known or count as small.
// Sets s->launch.separate, and adds the estimate to the program's launch_why.
void mg_launches_estimate(MgSched *s);

// Is there little to save, because launches are few, or because the device is a CPU, where a
// barrier costs as much as a layer? Returns the reason, or NULL.
const char *mg_launches_misfit(const MgSched *s);

// Adds a line to the program's launch_why.
void mg_say_launch(MgSched *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
