// mgc version describes this build, for bug reports.
#include "backends/cpu/llvm.h"
#include "tools/mgc.h"

#include <stdio.h>

int mgc_version(const MgcOptions *options) {
    bool memory;
    const char *missing = mg_llvm_load(&memory);
    char *cpu = missing ? NULL : LLVMGetHostCPUName();
    unsigned major = 0, minor = 0, patch = 0;
    if (!missing)
        LLVMGetVersion(&major, &minor, &patch);
    const char *format =
        options->json
            ? "{\"mgc\": \"%d.%d\", \"language\": 1, \"llvm\": \"%u.%u.%u\", \"cpu\": \"%s\"}\n"
            : "mgc %d.%d\nlanguage mg 1\nLLVM %u.%u.%u\nCPU %s\n";
    printf(format, MG_VERSION_MAJOR, MG_VERSION_MINOR, major, minor, patch, cpu ? cpu : "unknown");
    if (missing)
        fprintf(stderr, "mgc: %s\n", missing);
    else
        LLVMDisposeMessage(cpu);
    return 0;
}
