// What the files of the OpenCL host share: find.c lists devices, host.c has the table with memory
// and programs, commands.c kernels and queues. Objects of the table are OpenCL's own.
#ifndef MG_BACKENDS_OPENCL_HOST_HOST_H
#define MG_BACKENDS_OPENCL_HOST_HOST_H

#include "backends/opencl/host/api.h"
#include "backends/opencl/host/compiler.h"

struct MgHostDevice {
    MgClApi cl;
    cl_device_id id;
    cl_context context;
    const char *options; // the options of a build
    uint64_t max_allocation;
};

// commands.c: as in the table
MgHostStatus mg_cl_kernel(MgHostDevice *device, MgHostProgram *program, const char *name,
                          MgHostKernel **kernel);
void mg_cl_free_kernel(MgHostDevice *device, MgHostKernel *kernel);
MgHostStatus mg_cl_set_value(MgHostDevice *device, MgHostKernel *kernel, uint32_t argument,
                             size_t bytes, const void *value);
MgHostStatus mg_cl_set_memory(MgHostDevice *device, MgHostKernel *kernel, uint32_t argument,
                              MgHostMemory *memory);
MgHostStatus mg_cl_queue(MgHostDevice *device, bool timed, MgHostQueue **queue);
void mg_cl_free_queue(MgHostDevice *device, MgHostQueue *queue);
MgHostStatus mg_cl_launch(MgHostDevice *device, MgHostQueue *queue, MgHostKernel *kernel,
                          size_t groups, size_t items, MgHostEvent **event);
MgHostStatus mg_cl_write(MgHostDevice *device, MgHostQueue *queue, MgHostMemory *to, size_t at,
                         const void *from, size_t bytes, bool wait, MgHostEvent **event);
MgHostStatus mg_cl_read(MgHostDevice *device, MgHostQueue *queue, MgHostMemory *from, size_t at,
                        void *to, size_t bytes, bool wait, MgHostEvent **event);
MgHostStatus mg_cl_copy(MgHostDevice *device, MgHostQueue *queue, MgHostMemory *to, size_t to_at,
                        MgHostMemory *from, size_t from_at, size_t bytes);
MgHostStatus mg_cl_finish(MgHostDevice *device, MgHostQueue *queue);
uint64_t mg_cl_moment(MgHostDevice *device, MgHostEvent *event, MgHostMoment which);
void mg_cl_free_event(MgHostDevice *device, MgHostEvent *event);
MgHostMemory *mg_cl_pin(MgHostDevice *device, MgHostQueue *queue, size_t bytes, void **at);
void mg_cl_unpin(MgHostDevice *device, MgHostQueue *queue, MgHostMemory *memory, void *at);

#endif
