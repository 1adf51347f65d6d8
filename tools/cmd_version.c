// mgc version: what this build is, for a report of a defect.
#include "tools/mgc.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdio.h>

int mgc_version(const MgcOptions *options) {
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    char *cpu = LLVMGetHostCPUName();
    const char *format =
        options->json
            ? "{\"mgc\": \"%d.%d\", \"language\": 1, \"llvm\": \"%u.%u.%u\", \"cpu\": \"%s\"}\n"
            : "mgc %d.%d\nlanguage mg 1\nLLVM %u.%u.%u\nCPU %s\n";
    printf(format, MG_VERSION_MAJOR, MG_VERSION_MINOR, major, minor, patch, cpu);
    LLVMDisposeMessage(cpu);
    return 0;
}
