// mgc version, or mgc --version, describes this build and the libraries that it loads, for bug
// reports.
#include "backends/cpu/llvm.h"
#include "backends/opencl/host/api.h"
#include "tools/mgc.h"

#include <stdio.h>

int mgc_version(const MgcOptions *options) {
    MgClApi opencl;
    bool memory, devices = !mg_cl_api(&opencl);
    const char *missing = mg_llvm_load(&memory);
    char *cpu = missing ? NULL : LLVMGetHostCPUName();
    unsigned major = 0, minor = 0, patch = 0;
    if (!missing)
        LLVMGetVersion(&major, &minor, &patch);
    const char *format = options->json ? "{\"mgc\": \"%d.%d\", \"language\": 1, \"llvm\": "
                                         "\"%u.%u.%u\", \"opencl\": %s, \"cpu\": \"%s\"}\n"
                                       : "mgc %d.%d\nlanguage mg 1\nLLVM %u.%u.%u\n"
                                         "OpenCL 1.2: libOpenCL.so.1 is %s\nCPU %s\n";
    static const char *const found[2][2] = {{"not installed", "installed"}, {"false", "true"}};
    printf(format, MG_VERSION_MAJOR, MG_VERSION_MINOR, major, minor, patch,
           found[options->json != 0][devices], cpu ? cpu : "unknown");
    if (missing)
        fprintf(stderr, "mgc: %s\n", missing);
    else
        LLVMDisposeMessage(cpu);
    return 0;
}
