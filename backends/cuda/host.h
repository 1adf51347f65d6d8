// What the files of the CUDA host share: find.c lists devices, program.c builds programs, host.c
// has the table with memory, commands.c kernels, queues and recordings.
//
// The kernels are OpenCL C. The driver's own OpenCL compiler makes PTX of them, and the CUDA driver
// runs that: launches take less time, instructions of "sm_90a" need no second build in OpenCL, and
// a sequence of launches can be recorded and replayed as one.
#ifndef MG_BACKENDS_CUDA_HOST_H
#define MG_BACKENDS_CUDA_HOST_H

#include "backends/cuda/api.h"
#include "backends/cuda/parts.h"
#include "backends/device_host.h"

#include <stdatomic.h>

struct MgHostMemory {
    MgCuPointer at; // of memory on the device; 0: it is pinned memory of the host, or all addresses
    void *pinned;
    bool adopted;
};

// What an MgHostDevice of this host is.
typedef struct MgCuHost {
    MgCuApi cu;
    MgHostMemory space; // all addresses
    MgCuDevice id;
    MgCuContext context; // the device's primary one, which other users of CUDA in the process share
    MgFoundDevice compiler; // the same device, as OpenCL lists it
    const char *options;    // of its compiler
} MgCuHost;
static inline MgCuHost *mg_cu(const MgHostDevice *device) {
    return (MgCuHost *)(uintptr_t)device;
}

// A kernel may be used longer than its program is asked for, so each holds a reference.
struct MgHostProgram {
    atomic_uint references;
    MgCuParts parts;
    MgCuModule *modules; // of each part
};

// Every call of the driver is for the context that is current in its thread: these two surround
// them.
MgHostStatus mg_cu_enter(MgCuHost *host);
MgHostStatus mg_cu_leave(MgCuHost *host, MgHostStatus status);

// find.c: as in the table; and the device as OpenCL's host lists it. False if it doesn't.
const char *mg_cu_find(MgFoundDevice *found, uint32_t room, uint32_t *n);
bool mg_cu_find_compiler(const MgCuApi *cu, MgCuDevice device, MgFoundDevice *compiler);

// program.c: as in the table
MgHostStatus mg_cu_build(MgHostDevice *device, const MgHostCode *code, MgHostProgram **program,
                         char **log);
bool mg_cu_binary(MgHostDevice *device, MgHostProgram *program, unsigned char **bytes,
                  size_t *length);
void mg_cu_free_program(MgHostDevice *device, MgHostProgram *program);

// commands.c: as in the table
MgHostStatus mg_cu_kernel(MgHostDevice *device, MgHostProgram *program, const char *name,
                          MgHostKernel **kernel);
void mg_cu_free_kernel(MgHostDevice *device, MgHostKernel *kernel);
MgHostStatus mg_cu_set_value(MgHostDevice *device, MgHostKernel *kernel, uint32_t argument,
                             size_t bytes, const void *value);
MgHostStatus mg_cu_set_memory(MgHostDevice *device, MgHostKernel *kernel, uint32_t argument,
                              MgHostMemory *memory);
MgHostStatus mg_cu_queue(MgHostDevice *device, bool timed, MgHostQueue **queue);
void mg_cu_free_queue(MgHostDevice *device, MgHostQueue *queue);
MgHostStatus mg_cu_launch(MgHostDevice *device, MgHostQueue *queue, MgHostKernel *kernel,
                          size_t groups, size_t items, MgHostEvent **event);
MgHostStatus mg_cu_write(MgHostDevice *device, MgHostQueue *queue, MgHostMemory *to, size_t at,
                         const void *from, size_t bytes, bool wait, MgHostEvent **event);
MgHostStatus mg_cu_read(MgHostDevice *device, MgHostQueue *queue, MgHostMemory *from, size_t at,
                        void *to, size_t bytes, bool wait, MgHostEvent **event);
MgHostStatus mg_cu_copy(MgHostDevice *device, MgHostQueue *queue, MgHostMemory *to, size_t to_at,
                        MgHostMemory *from, size_t from_at, size_t bytes);
MgHostStatus mg_cu_finish(MgHostDevice *device, MgHostQueue *queue);
MgHostStatus mg_cu_follow(MgHostDevice *device, MgHostQueue *queue, void *stream);
MgHostStatus mg_cu_lead(MgHostDevice *device, MgHostQueue *queue, void *stream);
uint64_t mg_cu_moment(MgHostDevice *device, MgHostEvent *event, MgHostMoment which);
void mg_cu_free_event(MgHostDevice *device, MgHostEvent *event);
MgHostStatus mg_cu_record(MgHostDevice *device, MgHostQueue *queue);
MgHostStatus mg_cu_record_after(MgHostDevice *device, MgHostQueue *queue, const uint32_t *launches,
                                uint32_t n);
MgHostStatus mg_cu_recorded(MgHostDevice *device, MgHostQueue *queue, MgHostRecording **recording);
MgHostStatus mg_cu_replay(MgHostDevice *device, MgHostQueue *queue, MgHostRecording *recording);
void mg_cu_free_recording(MgHostDevice *device, MgHostRecording *recording);

#endif
