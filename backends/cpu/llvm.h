// LLVM is loaded when code is first generated. Mapping it and running its initialisers takes 5 ms
// (15 ms for all of libLLVM), which a run whose code comes from a cache or a package should not
// spend. So nothing links against it: each function of llvm.def is called through a table, under
// its own name.
#ifndef MG_BACKENDS_CPU_LLVM_H
#define MG_BACKENDS_CPU_LLVM_H

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
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

// This is part of linking, not state: it is written once, with the same contents for everyone.
extern MgLlvm mg_llvm;

// Loads LLVM. Returns NULL, or why it can't be loaded; *memory says whether memory ran out, which
// may be temporary. Call it before any other function of LLVM. Any thread may call it, any number
// of times.
const char *mg_llvm_load(bool *memory);

#include "llvm_names.h" // generated from llvm.def: each name stands for the table's entry

#endif
