// What a pass of a graph takes as separate launches, by which the other two forms are judged; and
// what became of each form, for --explain=launch.
#ifndef MG_PASSES_SCHEDULE_LAUNCH_COST_H
#define MG_PASSES_SCHEDULE_LAUNCH_COST_H

#include "passes/schedule/schedule.h"

// On a GPU, estimates for the ops of s->g, all of which have known sizes or count as little: sets
// s->launches, and says them in the program's launch_why.
void mg_launches_estimate(MgSched *s);

// Is there little to save, as with few launches, or is the device a CPU, whose groups cost a
// barrier what a layer takes? NULL: neither.
const char *mg_launches_misfit(const MgSched *s);

// Adds a line to the program's launch_why.
void mg_say_launch(MgSched *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
