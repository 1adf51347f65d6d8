// Instructions that add dot products of words (lang/dots.def).
#ifndef MG_BACKENDS_CPU_DOT_H
#define MG_BACKENDS_CPU_DOT_H

#include "backends/cpu/target.h"

// The atoms that a machine multiplies in whole vectors: bit i for number i.
uint32_t mg_cpu_dots(const MgCpuTarget *target, const MgMachine *machine);
// Sets the figures of what this CPU has and its kind has not.
void mg_cpu_dots_here(const MgCpuTarget *target, MgMachine *machine, const char *from);
// LLVM's features for them, each behind a comma. LLVM asks the system, and may not learn of them.
void mg_cpu_dot_features_here(const MgCpuTarget *target, MgText *features);
// Has this CPU all those that code for the machine may use?
bool mg_cpu_dots_run_here(const MgCpuTarget *target, const MgMachine *machine);
// LLVM's name of the instruction that a vector of `bits` needs; NULL if there is none.
const char *mg_cpu_dot_intrinsic(const MgCpuTarget *target, MgAtom atom, uint32_t bits);

#endif
