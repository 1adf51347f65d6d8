// The CUDA host: NVIDIA's driver, which is opened at run time.
#include "backends/cuda/host.h"

#include "backends/opencl/host/compiler.h"

#include <stdlib.h>

MgHostStatus mg_cu_enter(MgCuHost *d) {
    return d->cu.push_context(d->context);
}

MgHostStatus mg_cu_leave(MgCuHost *d, MgHostStatus status) {
    MgCuContext context;
    d->cu.pop_context(&context);
    return status;
}

// ---------------------------------------------------------------- devices
static void close_device(MgHostDevice *device) {
    MgCuHost *d = mg_cu(device);
    if (d->context)
        d->cu.release_context(d->id);
    free(d);
}

static MgHostStatus open_device(const MgFoundDevice *found, MgHostDevice **device) {
    MgCuHost *d = calloc(1, sizeof *d);
    if (!d)
        return MG_CU_OUT_OF_MEMORY;
    d->id = (MgCuDevice)(uintptr_t)found->id;
    MgHostStatus status = mg_cu_api(&d->cu) || !mg_cu_find_compiler(&d->cu, d->id, &d->compiler) ||
                                  !(d->options = mg_cl_options(&d->compiler))
                              ? MG_CU_NO_DEVICE
                              : d->cu.retain_context(&d->context, d->id);
    if (status) {
        close_device((MgHostDevice *)d);
        return status;
    }
    *device = (MgHostDevice *)d;
    return 0;
}

static void *object(const MgHostDevice *device, MgHostObject which) {
    const MgCuHost *d = mg_cu(device);
    return which == MG_HOST_CONTEXT ? (void *)d->context : (void *)(uintptr_t)(uint32_t)d->id;
}

// ---------------------------------------------------------------- memory
// Queues don't wait for a copy outside them, and from ordinary memory it may end after the call.
static MgHostStatus fill(MgCuHost *d, MgCuPointer at, const void *content, size_t bytes) {
    MgHostStatus status = d->cu.write_now(at, content, bytes);
    return status ? status : d->cu.wait(NULL);
}

static MgHostStatus alloc(MgHostDevice *device, size_t bytes, const void *content,
                          MgHostMemory **memory) {
    enum { LEAST = 16 };
    MgCuHost *d = mg_cu(device);
    MgHostMemory *m = calloc(1, sizeof *m);
    if (!m)
        return MG_CU_OUT_OF_MEMORY;
    MgHostStatus status = mg_cu_enter(d);
    if (!status) {
        status = d->cu.alloc(&m->at, bytes > LEAST ? bytes : LEAST);
        if (!status && content && bytes && (status = fill(d, m->at, content, bytes)))
            d->cu.free(m->at);
        status = mg_cu_leave(d, status);
    }
    if (status)
        free(m);
    else
        *memory = m;
    return status;
}

// Kernels read and write vectors of this many bytes.
enum { ALIGNED = 16 };
static const char unaligned[] = "its address is no multiple of 16, as kernels need it";

static const char *adopt(MgHostDevice *device, void *object, MgHostMemory **adopted,
                         size_t *bytes) {
    MgCuHost *d = mg_cu(device);
    MgCuPointer at = (MgCuPointer)(uintptr_t)object, base = 0;
    size_t all = 0;
    if (at % ALIGNED)
        return unaligned;
    MgHostStatus status = mg_cu_enter(d);
    if (!status)
        status = mg_cu_leave(d, d->cu.range(&base, &all, at));
    if (status || !at)
        return "this is not memory of the device that CUDA allocated";
    MgHostMemory *m = calloc(1, sizeof *m);
    if (!m)
        return "out of memory";
    *adopted = m;
    *m = (MgHostMemory){.at = at, .adopted = true};
    *bytes = all - (size_t)(at - base);
    return NULL;
}

static MgHostMemory *space(MgHostDevice *device) {
    MgCuHost *d = mg_cu(device);
    return &d->space;
}

static bool is_here(const MgCuHost *d, MgCuPointer at) {
    int number = -1;
    return !d->cu.pointer(&number, MG_CU_POINTER_DEVICE, at) && number == d->id;
}

// An allocation may consist of several parts, so its bounds aren't asked for.
static const char *outside(MgHostDevice *device, uint64_t at, size_t bytes) {
    MgCuHost *d = mg_cu(device);
    if (at % ALIGNED)
        return unaligned;
    if (mg_cu_enter(d))
        return "the device's context is lost";
    bool here = at && bytes && at + bytes > at && is_here(d, at) && is_here(d, at + bytes - 1);
    mg_cu_leave(d, 0);
    return here ? NULL : "this is not memory of the device that CUDA allocated";
}

static void *memory_object(const MgHostDevice *device, const MgHostMemory *memory) {
    (void)device;
    return (void *)(uintptr_t)memory->at;
}

static void free_memory(MgHostDevice *device, MgHostMemory *m) {
    MgCuHost *d = mg_cu(device);
    if (!m->adopted && !mg_cu_enter(d))
        mg_cu_leave(d, d->cu.free(m->at));
    free(m);
}

static MgHostMemory *pin(MgHostDevice *device, MgHostQueue *queue, size_t bytes, void **at) {
    MgCuHost *d = mg_cu(device);
    (void)queue;
    MgHostMemory *m = calloc(1, sizeof *m);
    MgHostStatus status = m ? mg_cu_enter(d) : MG_CU_OUT_OF_MEMORY;
    if (!status)
        status = mg_cu_leave(d, d->cu.alloc_host(&m->pinned, bytes, 0));
    if (status) {
        free(m);
        return NULL;
    }
    *at = m->pinned;
    return m;
}

static void unpin(MgHostDevice *device, MgHostQueue *queue, MgHostMemory *m, void *at) {
    MgCuHost *d = mg_cu(device);
    (void)queue, (void)at;
    if (!mg_cu_enter(d))
        mg_cu_leave(d, d->cu.free_host(m->pinned));
    free(m);
}

static const char *options(const MgHostDevice *device) {
    const MgCuHost *d = mg_cu(device);
    return d->options;
}

static void meeting(MgArena *arena, MgText *source) {
    mg_opencl_host.meeting(arena, source);
}

const MgDeviceHost mg_cuda_host = {.name = "cuda",
                                   .second = true,
                                   .backend = "opencl",
                                   .no_memory = MG_CU_OUT_OF_MEMORY,
                                   .find = mg_cu_find,
                                   .status_name = mg_cu_status,
                                   .open = open_device,
                                   .close = close_device,
                                   .object = object,
                                   .alloc = alloc,
                                   .adopt = adopt,
                                   .memory_object = memory_object,
                                   .free = free_memory,
                                   .space = space,
                                   .outside = outside,
                                   .pin = pin,
                                   .unpin = unpin,
                                   .options = options,
                                   .build = mg_cu_build,
                                   .binary = mg_cu_binary,
                                   .free_program = mg_cu_free_program,
                                   .kernel = mg_cu_kernel,
                                   .free_kernel = mg_cu_free_kernel,
                                   .set_value = mg_cu_set_value,
                                   .set_memory = mg_cu_set_memory,
                                   .queue = mg_cu_queue,
                                   .free_queue = mg_cu_free_queue,
                                   .launch = mg_cu_launch,
                                   .write = mg_cu_write,
                                   .read = mg_cu_read,
                                   .copy = mg_cu_copy,
                                   .finish = mg_cu_finish,
                                   .follow = mg_cu_follow,
                                   .lead = mg_cu_lead,
                                   .moment = mg_cu_moment,
                                   .free_event = mg_cu_free_event,
                                   .record = mg_cu_record,
                                   .record_after = mg_cu_record_after,
                                   .recorded = mg_cu_recorded,
                                   .replay = mg_cu_replay,
                                   .free_recording = mg_cu_free_recording,
                                   .meeting = meeting};
