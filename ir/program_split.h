// Launches: a program for a device, where the end of a kernel is the only barrier over the grid.
//
// The loops and branches around a kernel's grid barriers move into the plan, and each run of
// statements between barriers becomes a kernel of its own, with the counters of those loops as
// scalars. The meaning stays: the interpreters run a split program like any other.
#ifndef MG_IR_PROGRAM_SPLIT_H
#define MG_IR_PROGRAM_SPLIT_H

#include "ir/program.h"

// Splits every kernel of p (legalised) that has a grid barrier; the others stay as they are. False
// with a diagnostic if a barrier stands where the plan can't go: under a condition on data, or with
// a value needed behind it that only one worker knows.
bool mg_program_split(MgProgram *p);
// How many groups a call of p's plan launches, as an expression of the plan.
const MgKx *mg_call_groups(const MgProgram *p, const MgKCall *call);

#endif
