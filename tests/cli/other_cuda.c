// A libcuda.so.1 whose calls return the status MG_CUDA (default: 0, success). It has one device
// that OpenCL doesn't know.
#include "backends/cuda/api.h"

#include <stdlib.h>

static MgCuResult status(void) {
    const char *text = getenv("MG_CUDA");
    return text ? atoi(text) : 0;
}

MgCuResult cuDeviceGetCount(int *n);
MgCuResult cuDeviceGetCount(int *n) {
    *n = 1;
    return status();
}

#define cuDeviceGetCount another_cuDeviceGetCount // so that the list below gives it no second body
#define X(name, member, parameters)                                                                \
    MgCuResult name parameters;                                                                    \
    MgCuResult name parameters {                                                                   \
        return status();                                                                           \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"
MG_CU_FUNCTIONS(X)
