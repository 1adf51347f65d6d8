// LLVM, loaded when code is first generated: mapping it and running its initialisers takes 5 ms
// (all of libLLVM, 15), which a run whose code comes from a cache or a package need not spend. So
// nothing is linked against it: each function of llvm.def is called through a table, under its own
// name.
#ifndef MG_BACKENDS_CPU_LLVM_H
#define MG_BACKENDS_CPU_LLVM_H

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>

typedef struct MgLlvm {
#define LLVM_FUNCTION(name) __typeof__(name) *name##_;
#include "backends/cpu/llvm.def"
#undef LLVM_FUNCTION
} MgLlvm;

// A part of linking, not state: written once, the same for everyone.
extern MgLlvm mg_llvm;

// NULL, or why LLVM can't be loaded; *memory: for want of memory, which may pass. It comes before all
// other calls of LLVM. Any thread may call it, any number of times.
const char *mg_llvm_load(bool *memory);

#include "llvm_names.h" // generated from llvm.def: each name stands for the table's entry

#endif
