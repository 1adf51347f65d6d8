// Runs printed kernels on an OpenCL device, for tests and for experiments.
//
// The OpenCL library is loaded when first needed, so nothing in MG depends on it.
#ifndef MG_BACKENDS_OPENCL_HOST_RUN_H
#define MG_BACKENDS_OPENCL_HOST_RUN_H

#include "ir/kernel.h"

typedef enum MgClDeviceType { MG_CL_CPU, MG_CL_GPU } MgClDeviceType;
typedef struct MgClDevice MgClDevice;

// Opens the first device of the type on any platform. The session releases it. NULL with a
// diagnostic that names what is missing: the library, a platform, or a device.
MgClDevice *mg_opencl_open(MgSession *session, MgClDeviceType type);
const char *mg_opencl_device_name(const MgClDevice *device);
// Lets each source begin with a text, whose macros may stand for what only other devices have.
void mg_opencl_begin(MgClDevice *device, const char *text);

// Copies the buffers to the device, runs k (legalised) with `groups` work-groups of `items`
// work-items, and copies back what k writes. Buffers of the same address and size share one buffer
// on the device; other buffers must not overlap. trap may be NULL. False with a diagnostic, which
// includes the compiler's log if it refuses the program.
bool mg_opencl_run(MgClDevice *device, const MgKernel *k, const MgKBufferArg *buffers,
                   const int64_t *scalars, uint32_t groups, uint32_t items, uint32_t *trap);

#endif
