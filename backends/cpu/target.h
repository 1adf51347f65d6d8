// The CPU that code is made for: its LLVM names and the numbers that schedules use.
#ifndef MG_BACKENDS_CPU_TARGET_H
#define MG_BACKENDS_CPU_TARGET_H

#include "backends/cpu/llvm.h"
#include "ir/program.h"

typedef enum CpuArch { CPU_X86, CPU_AARCH64 } CpuArch;

typedef struct CpuTarget {
    CpuArch arch;
    const char *cpu, *features; // LLVM's
    bool f16;                   // converts f16 itself
    bool fma;
    bool bf16_dot;
    bool scaleb; // x 2^n is one instruction
    bool lookup; // so is a choice among 16 constants of 32 bits
    bool masks;  // vector instructions leave lanes out for nothing
    uint32_t vector_bytes, vector_registers;
    const char *vector_bits; // "512", for prefer-vector-width
} CpuTarget;

// march: NULL or "native" for this machine, or a row of the table in target.c. False with a
// diagnostic.
bool mg_cpu_target(MgSession *session, const char *march, CpuTarget *target);
// Can this machine run what is made for march? False with a diagnostic.
bool mg_cpu_runs_here(MgSession *session, const char *march);
static inline MgLegaliseOptions mg_cpu_legal(const CpuTarget *t) {
    return (MgLegaliseOptions){.f16 = t->f16, .scaleb = t->scaleb, .lookup = t->lookup};
}
bool mg_cpu_target_info(MgSession *session, const char *march, MgTargetInfo *info);
// The caller disposes of it. NULL with a diagnostic.
LLVMTargetMachineRef mg_cpu_machine(MgSession *session, const CpuTarget *target);
// What distinguishes the code made for march from that for another CPU, as text for a cache key.
bool mg_cpu_target_key(MgSession *session, const char *march, MgText *out);

#endif
