// The CPU for which code is made: LLVM's names for it, and the numbers that schedules use.
#ifndef MG_BACKENDS_CPU_TARGET_H
#define MG_BACKENDS_CPU_TARGET_H

#include "backends/cpu/llvm.h"
#include "ir/program.h"

// What LLVM generates code for: CPUs, and NVIDIA's devices (backends/nvptx).
typedef enum MgCpuArch { MG_CPU_X86, MG_CPU_AARCH64, MG_CPU_NVPTX } MgCpuArch;

typedef struct MgCpuTarget {
    MgCpuArch arch;
    const char *cpu, *features; // as LLVM spells them
    bool f16;                   // it has instructions that convert f16
    bool fma;
    bool scaleb;  // x * 2^n is one instruction
    bool lookup;  // a lookup among 16 constants of 32 bits is one instruction
    bool lookup4; // at most among 4
    bool masks;   // masking lanes of a vector instruction is free
    uint32_t vector_bytes;
    const char *vector_bits; // "512", for prefer-vector-width
} MgCpuTarget;

// Loads LLVM. False with a diagnostic.
bool mg_cpu_load(MgSession *session);
// march is NULL or "native" for this machine, or the name of a machine of machines/ whose code is
// for a CPU. False with a diagnostic.
bool mg_cpu_target(MgSession *session, const char *march, MgCpuTarget *target);
// Can this machine run code made for march? False with a diagnostic if not.
bool mg_cpu_runs_here(MgSession *session, const char *march);
static inline MgLegaliseOptions mg_cpu_legal(const MgCpuTarget *t) {
    return (MgLegaliseOptions){
        .f16 = t->f16, .scaleb = t->scaleb, .lookup = t->lookup, .lookup4 = t->lookup4};
}
bool mg_cpu_target_info(MgSession *session, const char *march, MgTargetInfo *info);
// Makes a target machine that the caller disposes of. NULL with a diagnostic.
LLVMTargetMachineRef mg_cpu_machine(MgSession *session, const MgCpuTarget *target);
// Writes text for a cache key that differs between code for march and code for another CPU.
bool mg_cpu_target_key(MgSession *session, const char *march, MgText *out);

#endif
