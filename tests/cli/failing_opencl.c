// A libOpenCL.so.1 whose calls fail as the environment says: MG_FAIL=clBuildProgram=-11 returns
// that status from the MG_FAIL_AFTER-th call on (default: the first), clFinish=crash crashes. Every
// other call goes to the real library, MG_REAL_OPENCL. MG_REPLACE=TEXT replaces the first TEXT of
// every compiled source by MG_WITH, so that a kernel is wrong. With MG_PCI=BUS each device is a GPU
// with memory of its own at that place of the bus, as other_cuda.c has one. A call that must not
// fail is a jump through a table, for any arguments: x86-64 only.
#define CL_TARGET_OPENCL_VERSION 120
#include "backends/opencl/host/api.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define X(name)                                                                                    \
    __attribute__((visibility("hidden"))) void *to_##name;                                         \
    __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ": jmp *to_" #name       \
            "(%rip)");
MG_CL_FUNCTIONS(X)
#undef X

static int status, calls_left;

// Replaces a function that returns its status.
static cl_int fail(void) {
    return status;
}

// Replaces a driver's function that crashes.
static cl_int crash(void) {
    return raise(SIGSEGV);
}

// The commands finish before the failure is reported: this does not test how a driver handles the
// end of a process with work in flight.
static __typeof__(clFinish) *real_finish;
static cl_int finish(cl_command_queue queue) {
    real_finish(queue);
    return status;
}

static void *real_create_buffer;
static cl_mem create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                            cl_int *error) {
    __typeof__(clCreateBuffer) *real = (__typeof__(clCreateBuffer) *)real_create_buffer;
    if (calls_left-- > 0)
        return real(context, flags, size, host, error);
    *error = status;
    return NULL;
}

static cl_context create_context(const cl_context_properties *properties, cl_uint n,
                                 const cl_device_id *devices, void (*notify)(void), void *user,
                                 cl_int *error) {
    (void)properties, (void)n, (void)devices, (void)notify, (void)user;
    *error = status;
    return NULL;
}

static cl_program create_binary(cl_context context, cl_uint n, const cl_device_id *devices,
                                const size_t *lengths, const unsigned char **binaries,
                                cl_int *statuses, cl_int *error) {
    (void)context, (void)n, (void)devices, (void)lengths, (void)binaries, (void)statuses;
    *error = status;
    return NULL;
}

static void *real_create_program;
static cl_program create_program(cl_context context, cl_uint n, const char **strings,
                                 const size_t *lengths, cl_int *error) {
    __typeof__(clCreateProgramWithSource) *real =
        (__typeof__(clCreateProgramWithSource) *)real_create_program;
    const char *from = getenv("MG_REPLACE"), *to = getenv("MG_WITH");
    const char *at = n == 1 && to ? strstr(strings[0], from) : NULL;
    size_t length = at && lengths ? lengths[0] : at ? strlen(strings[0]) : 0;
    char *changed = at ? calloc(1, length + strlen(to) + 1) : NULL;
    if (!changed)
        return real(context, n, strings, lengths, error);
    memcpy(changed, strings[0], (size_t)(at - strings[0]));
    strcat(changed, to);
    const char *rest = at + strlen(from);
    strncat(changed, rest, length - (size_t)(rest - strings[0]));
    cl_program program = real(context, 1, (const char **)&changed, NULL, error);
    free(changed);
    return program;
}

static __typeof__(clGetDeviceInfo) *real_device_info;
static cl_int device_info(cl_device_id device, cl_device_info what, size_t bytes, void *to,
                          size_t *length) {
    enum { PCI_BUS = 0x4008, PCI_SLOT, PCI_DOMAIN };
    cl_device_type type = CL_DEVICE_TYPE_GPU;
    cl_uint bus = (cl_uint)atoi(getenv("MG_PCI")), none = 0;
    const void *value = NULL;
    if (what == CL_DEVICE_TYPE)
        value = &type;
    else if (what == PCI_BUS)
        value = &bus;
    else if (what == PCI_SLOT || what == PCI_DOMAIN || what == CL_DEVICE_HOST_UNIFIED_MEMORY)
        value = &none;
    if (!value || !to)
        return real_device_info(device, what, bytes, to, length);
    memcpy(to, value, bytes);
    return CL_SUCCESS;
}

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("MG_FAIL"), *after = getenv("MG_FAIL_AFTER");
    void *real = dlopen(getenv("MG_REAL_OPENCL"), RTLD_NOW | RTLD_LOCAL);
    const char *equals = name ? strchr(name, '=') : NULL;
    size_t length = equals ? (size_t)(equals - name) : 0;
    status = equals ? atoi(equals + 1) : 0;
    calls_left = after ? atoi(after) - 1 : 0;
    if (!real)
        return;
#define X(function)                                                                                \
    to_##function = dlsym(real, #function);                                                        \
    if (length == strlen(#function) && !memcmp(name, #function, length))                           \
        to_##function = !strcmp(equals, "=crash")                         ? (void *)crash          \
                        : !strcmp(#function, "clCreateBuffer")            ? (void *)create_buffer  \
                        : !strcmp(#function, "clFinish")                  ? (void *)finish         \
                        : !strcmp(#function, "clCreateContext")           ? (void *)create_context \
                        : !strcmp(#function, "clCreateProgramWithBinary") ? (void *)create_binary  \
                                                                          : (void *)fail;
    MG_CL_FUNCTIONS(X)
#undef X
    real_finish = (__typeof__(clFinish) *)dlsym(real, "clFinish");
    real_create_buffer = dlsym(real, "clCreateBuffer");
    real_create_program = to_clCreateProgramWithSource;
    real_device_info = (__typeof__(clGetDeviceInfo) *)to_clGetDeviceInfo;
    if (getenv("MG_PCI"))
        to_clGetDeviceInfo = (void *)device_info;
    if (getenv("MG_REPLACE"))
        to_clCreateProgramWithSource = (void *)create_program;
}
