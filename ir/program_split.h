// Launches: a program for a device where only the end of a kernel is a barrier over the grid.
//
// The loops and branches around a kernel's grid barriers move into the plan. Each run of statements
// between barriers becomes a kernel of its own, with the counters of those loops as scalars. The
// meaning stays: the interpreters run a split program like any other.
#ifndef MG_IR_PROGRAM_SPLIT_H
#define MG_IR_PROGRAM_SPLIT_H

#include "ir/program.h"

// Splits every (legalised) kernel of p that has a grid barrier. False with a diagnostic if a
// barrier stands where the plan can't go: under a condition on data, or with a value needed after
// it that only one worker knows.
bool mg_program_split(MgProgram *p);
// The number of groups that a call of p's plan launches, as an expression of the plan.
const MgKx *mg_call_groups(const MgProgram *p, const MgKCall *call);

#endif
