// Runs printed kernels on an OpenCL device: for tests, and for a look at what a device makes of
// them.
//
// The OpenCL library is loaded when it is first needed, so nothing of MG depends on it.
#ifndef MG_BACKENDS_OPENCL_RUN_H
#define MG_BACKENDS_OPENCL_RUN_H

#include "ir/kernel.h"

typedef enum MgClDeviceType { MG_CL_CPU, MG_CL_GPU } MgClDeviceType;
typedef struct MgClDevice MgClDevice;

// The first device of the type on any platform; released with the session. NULL with a diagnostic
// that says what is missing: the library, a platform, or a device of the type.
MgClDevice *mg_opencl_open(MgSession *session, MgClDeviceType type);
const char *mg_opencl_device_name(const MgClDevice *device);

// Copies the buffers over, runs k (legalised) with `groups` work-groups of `items` work-items, and
// copies back what k writes. Buffers of the same address and size are one buffer on the device;
// others must not overlap. trap may be NULL. False with a diagnostic; a program that the device's
// compiler refuses is shown with its log.
bool mg_opencl_run(MgClDevice *device, const MgKernel *k, const MgKBufferArg *buffers,
                   const int64_t *scalars, uint32_t groups, uint32_t items, uint32_t *trap);

#endif
