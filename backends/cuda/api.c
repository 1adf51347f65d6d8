// Loads NVIDIA's driver library and names its results.
#include "backends/cuda/api.h"

#include "support/library.h"

#include <dlfcn.h>

static const MgFunctionName functions[] = {
#define X(name, member, parameters) {#name, offsetof(MgCuApi, member)},
    MG_CU_FUNCTIONS(X)
#undef X
};

const char *mg_cu_api(MgCuApi *api) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return "libcuda.so.1 cannot be loaded: install NVIDIA's driver";
    if (!mg_library_functions(library, functions, sizeof functions / sizeof *functions, api))
        return "libcuda.so.1 lacks functions of CUDA 12: install a newer driver";
    return api->init(0) ? "there is no CUDA device" : NULL;
}

const char *mg_cu_status(MgCuResult result) {
    MgCuApi api;
    const char *name = NULL;
    if (mg_cu_api(&api) || api.error_name(result, &name) || !name)
        return "an unknown result";
    return name;
}
