// One compilation in LLVM, from programs to an object: what cpu.c and library.c are made of.
#ifndef MG_BACKENDS_CPU_UNIT_H
#define MG_BACKENDS_CPU_UNIT_H

#include "backends/cpu/emit.h"

// What of LLVM one compilation holds; released also if memory runs out in between.
typedef struct CpuUnit {
    LLVMContextRef context;
    LLVMModuleRef module, all; // being made; of a library, what is linked so far. May be NULL
    LLVMBuilderRef builder, allocas;
    LLVMTargetMachineRef machine;
    LLVMMemoryBufferRef result;
    const MgDeviceCode *device; // the kernels of a program for a device, else NULL
} CpuUnit;

CpuUnit *mg_cpu_begin(MgSession *session, const CpuTarget *target); // NULL with a diagnostic
void mg_cpu_end(MgSession *session, CpuUnit *u);                    // NULL is allowed
// u->module from a program, checked, not yet optimised. form: which of a library it is, or NULL.
bool mg_cpu_build(MgSession *session, MgProgram *p, const CpuTarget *target, const CpuForm *form,
                  CpuUnit *u);
bool mg_cpu_verify(MgSession *session, CpuUnit *u);
bool mg_cpu_optimise(MgSession *session, CpuUnit *u);
bool mg_cpu_run_passes(MgSession *session, CpuUnit *u, const char *passes); // LLVM's names of them
bool mg_cpu_generate(MgSession *session, CpuUnit *u, LLVMCodeGenFileType type); // into u->result
bool mg_cpu_take(CpuUnit *u, unsigned char **bytes, size_t *length); // a copy of it, malloc'd
// Reports LLVM's message, which is disposed of. False.
bool mg_cpu_llvm_error(MgSession *session, char *message);

#endif
