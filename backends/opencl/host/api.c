// Loads the OpenCL library and names its status codes.
#include "backends/opencl/host/api.h"

#include "support/library.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <unistd.h>

static const MgFunctionName functions[] = {
#define X(name) {#name, offsetof(MgClApi, name)},
    MG_CL_FUNCTIONS(X)
#undef X
};

// A driver that was loaded before fork() doesn't work in the child, whoever loaded it.
static const char *check_process(void) {
    static _Atomic pid_t first;
    pid_t none = 0, here = getpid();
    if (atomic_compare_exchange_strong(&first, &none, here) || none == here)
        return NULL;
    return "OpenCL was used before this process was made by fork(), and its drivers don't work in "
           "the child: use the device in one process, or start the others without fork() (in "
           "Python's multiprocessing: the start method spawn)";
}

const char *mg_cl_api(MgClApi *api) {
    const char *why = check_process();
    if (why)
        return why;
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return "libOpenCL.so.1 cannot be loaded: install the OpenCL loader (Debian: "
               "ocl-icd-libopencl1) and your GPU's driver, or PoCL for the CPU (pocl-opencl-icd)";
    bool all = mg_library_functions(library, functions, sizeof functions / sizeof *functions, api);
    return all ? NULL : "libOpenCL.so.1 lacks functions of OpenCL 1.2: install a newer loader";
}

const char *mg_cl_status(cl_int status) {
    static const struct {
        cl_int status;
        const char *name;
    } names[] = {
#define X(name) {name, #name},
        X(CL_DEVICE_NOT_FOUND) X(CL_DEVICE_NOT_AVAILABLE) X(CL_COMPILER_NOT_AVAILABLE)
            X(CL_MEM_OBJECT_ALLOCATION_FAILURE) X(CL_OUT_OF_RESOURCES) X(CL_OUT_OF_HOST_MEMORY)
                X(CL_PROFILING_INFO_NOT_AVAILABLE) X(CL_BUILD_PROGRAM_FAILURE) X(CL_MAP_FAILURE)
                    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) X(CL_INVALID_VALUE)
                        X(CL_INVALID_DEVICE) X(CL_INVALID_CONTEXT) X(CL_INVALID_COMMAND_QUEUE) X(
                            CL_INVALID_MEM_OBJECT) X(CL_INVALID_BINARY) X(CL_INVALID_BUILD_OPTIONS)
                            X(CL_INVALID_PROGRAM) X(CL_INVALID_PROGRAM_EXECUTABLE) X(
                                CL_INVALID_KERNEL_NAME) X(CL_INVALID_KERNEL) X(CL_INVALID_ARG_INDEX)
                                X(CL_INVALID_ARG_VALUE) X(CL_INVALID_ARG_SIZE)
                                    X(CL_INVALID_KERNEL_ARGS) X(CL_INVALID_WORK_GROUP_SIZE)
                                        X(CL_INVALID_WORK_ITEM_SIZE) X(CL_INVALID_BUFFER_SIZE)
                                            X(CL_INVALID_GLOBAL_WORK_SIZE)
#undef X
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].status == status)
            return names[i].name;
    return "an unknown status";
}

const char *mg_cl_build_options(const MgClApi *api, cl_device_id device) {
    cl_device_fp_config f32 = 0;
    api->clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof f32, &f32, NULL);
    return f32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
               ? "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
               : "-cl-std=CL1.2";
}
