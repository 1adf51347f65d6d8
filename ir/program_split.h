// Splits kernels at grid barriers, for devices where only the end of a launch is such a barrier.
//
// The loops and branches around a kernel's grid barriers move into the plan. Each run of statements
// between barriers becomes a kernel of its own, which gets the counters of those loops as scalars.
// The meaning stays the same: the interpreters run a split program like any other.
#ifndef MG_IR_PROGRAM_SPLIT_H
#define MG_IR_PROGRAM_SPLIT_H

#include "ir/program.h"

// Splits every (legalised) kernel of p that has a grid barrier. False with a diagnostic if a
// barrier is where the plan can't be: under a condition on data, or where a value that only one
// worker knows is needed after it.
bool mg_program_split(MgProgram *p);
// The number of groups that a call of p's plan launches, as an expression of the plan.
const MgKx *mg_call_groups(const MgProgram *p, const MgKCall *call);

#endif
