// One compilation in LLVM, from programs to an object. cpu.c and library.c build on it.
#ifndef MG_BACKENDS_CPU_UNIT_H
#define MG_BACKENDS_CPU_UNIT_H

#include "backends/cpu/emit.h"

#include <pthread.h>

// The LLVM objects of one compilation. They are released even if memory runs out.
typedef struct MgCpuUnit {
    LLVMContextRef context;
    // The module that is being made, and the modules of a library linked so far; either may be
    // NULL.
    LLVMModuleRef module, all;
    LLVMBuilderRef builder, allocas;
    LLVMTargetMachineRef machine;
    LLVMMemoryBufferRef result;
    const MgDeviceCode *device; // the kernels of a program for a device, else NULL
    // For an image made in parts: the part of each kernel, and the part of this unit (0 also has
    // the plan).
    const uint32_t *part_of;
    uint32_t part;
    char *message;    // LLVM's message about a failure; NULL: none is known
    pthread_t thread; // makes the object, if `threaded`
    bool threaded, good;
} MgCpuUnit;

MgCpuUnit *mg_cpu_begin(MgSession *session, const MgCpuTarget *target); // NULL with a diagnostic
void mg_cpu_end(MgSession *session, MgCpuUnit *u);                      // NULL is allowed
// Rewrites the program's kernels into what LLVM can express. Call it once, before building modules.
void mg_cpu_legalise(MgProgram *p, const MgCpuTarget *target);
// Begins u->module, and gives what emits into it: the session's errors, temporary things in arena.
MgCpuEmit mg_cpu_new_module(MgSession *session, MgArena *arena, const MgCpuTarget *target,
                            const char *name, MgCpuUnit *u);
// Makes u->module from a program, without checking or optimising it. form is the form of a library,
// or NULL.
bool mg_cpu_build(MgSession *session, MgProgram *p, const MgCpuTarget *target,
                  const MgCpuForm *form, MgCpuUnit *u);
// These functions use only u, so several units may run in parallel. If one returns false, call
// mg_cpu_report.
bool mg_cpu_verify(MgCpuUnit *u);
bool mg_cpu_optimise(MgCpuUnit *u);                           // verifies it first
bool mg_cpu_run_passes(MgCpuUnit *u, const char *passes);     // by LLVM's names
bool mg_cpu_generate(MgCpuUnit *u, LLVMCodeGenFileType type); // into u->result
void mg_cpu_drop(MgCpuUnit *u); // disposes of everything but the result and the message
// Turn the module into object code, which is then all that u holds. mg_cpu_start uses a thread of
// its own if it can make one; the result exists after mg_cpu_finish.
void mg_cpu_start(MgCpuUnit *u);
bool mg_cpu_finish(MgCpuUnit *u);
bool mg_cpu_report(MgSession *session, const MgCpuUnit *u); // reports u's message and returns false
// A copy of the result, malloc'd.
void mg_cpu_take(MgSession *session, MgCpuUnit *u, unsigned char **bytes, size_t *length);

// ---------------------------------------------------------------- parts.c
// Makes a program's image as object code, malloc'd. Several threads generate its kernels.
bool mg_cpu_image_object(MgSession *session, MgProgram *p, const MgCpuTarget *target,
                         const MgDeviceCode *device, unsigned char **bytes, size_t *length);

#endif
