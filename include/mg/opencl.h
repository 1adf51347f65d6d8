// libmg together with your own OpenCL objects, by their types. A model of target "gpu" runs on a
// device that OpenCL drives. mg.h has everything else about devices and buffers. This header needs
// OpenCL's headers, and no library but libmg.
#ifndef MG_OPENCL_H
#define MG_OPENCL_H

#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif

#include "../mg.h"

#ifdef __cplusplus
extern "C" {
#endif

// The context and the device of a model; NULL if it runs on the CPU. Use them to make buffers and
// queues of your own.
static inline cl_context mg_opencl_context(const MgModel *model) {
    return (cl_context)mg_model_native(model, "opencl", MG_NATIVE_CONTEXT);
}

static inline cl_device_id mg_opencl_device(const MgModel *model) {
    return (cl_device_id)mg_model_native(model, "opencl", MG_NATIVE_DEVICE);
}

// Makes a buffer from an OpenCL buffer of mg_opencl_context, or from a part of one, and retains it.
// A run waits for its own commands, but not for your queues: finish the commands that write an
// input before the run. Commands that read an output may begin after the run.
static inline MgStatus mg_buffer_wrap(MgModel *model, MgContext *context, cl_mem memory,
                                      MgBuffer **buffer) {
    return mg_buffer_of_native(model, context, "opencl", memory, buffer);
}

// The OpenCL buffer of a buffer.
static inline cl_mem mg_buffer_cl_mem(const MgBuffer *buffer) {
    return (cl_mem)mg_buffer_native(buffer, "opencl");
}

#ifdef __cplusplus
}
#endif
#endif
