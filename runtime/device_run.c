// Runs: one in-order queue, and for every launch of a plan a kernel object that keeps its arguments
// from run to run. A launch with the same arguments as in the last run costs one comparison and one
// clEnqueueNDRangeKernel. Nothing waits until finish.
//
// Small transfers go through pinned memory that the run keeps; the driver handles large ones. The
// first failure is kept until finish, and nothing is enqueued after it.
#include "runtime/device_impl.h"

#include "runtime/context.h"
#include "runtime/instance.h"

#include <stdlib.h>
#include <string.h>

enum { STAGING = 4 << 20, STAGED_MAX = 1 << 20 };
static const int64_t most_groups = (int64_t)1
                                   << 30; // any number is right, and every driver takes this one

typedef struct Launch {
    cl_kernel kernel;
    size_t items;
    uint32_t n_buffers, n_args; // n_args: the number of arguments that the plan passes
    bool set;
    uint64_t freed; // the device's `freed` when the arguments were set
    int64_t *args;  // those that the kernel object has
} Launch;

typedef struct Fetch { // a copy from staging to its place, at finish
    void *to;
    size_t at, bytes;
} Fetch;

typedef struct Pending { // a timed command
    cl_event event;
    MgDeviceEvent record;
} Pending;

struct MgDeviceRun {
    MgCallDevice hooks; // first, since a hook gets its address
    MgDevice *device;
    const MgImage *image;
    MgDeviceProgram *program;
    cl_command_queue queue;
    Launch *launches;
    int64_t *args; // of all launches, one after another
    int64_t trap;  // address of the MgDeviceTrap
    MgDeviceTrap trapped;
    cl_int status; // the first failure
    const char *failed;
    cl_mem staging;
    unsigned char *staged; // mapped
    size_t staging_used;
    Fetch *fetches;
    uint32_t n_fetches, fetch_room;
    bool timed;
    uint64_t enqueued; // host time of the first timed command
    Pending *pending;
    MgDeviceEvent *events;
    uint32_t n_pending, pending_room, n_events;
};

static void note(MgDeviceRun *r, cl_int status, const char *what) {
    if (status && !r->status) {
        r->status = status;
        r->failed = what;
    }
}

// Makes room for one more element of `size` bytes. False if memory ran out, which it notes.
static bool grow(MgDeviceRun *r, void **list, uint32_t n, uint32_t *room, size_t size) {
    if (n < *room)
        return true;
    void *grown = realloc(*list, (*room ? 2 * *room : 16) * size);
    if (!grown) {
        note(r, CL_OUT_OF_HOST_MEMORY, "a run");
        return false;
    }
    *list = grown;
    *room = *room ? 2 * *room : 16;
    return true;
}

// ---------------------------------------------------------------- timed commands

// The place for the next command's event, or NULL.
static cl_event *timed(MgDeviceRun *r, MgDeviceEventKind kind, uint32_t launch, uint64_t bytes) {
    void *list = r->pending;
    if (!r->timed || !grow(r, &list, r->n_pending, &r->pending_room, sizeof *r->pending))
        return NULL;
    r->pending = list;
    if (!r->n_pending)
        r->enqueued = mg_now_ns();
    Pending *p = &r->pending[r->n_pending++];
    *p = (Pending){.record = {.kind = kind, .launch = launch, .bytes = bytes}};
    return &p->event;
}

static uint64_t moment(const MgDeviceRun *r, cl_event event, cl_profiling_info which) {
    cl_ulong ns = 0;
    r->device->cl.clGetEventProfilingInfo(event, which, sizeof ns, &ns, NULL);
    return ns;
}

// Translates the device's clock to the host's; the two meet where the first command was enqueued.
static void collect_events(MgDeviceRun *r) {
    free(r->events);
    r->n_events = 0;
    r->events = r->n_pending ? calloc(r->n_pending, sizeof *r->events) : NULL;
    uint64_t shift = 0;
    for (uint32_t i = 0; i < r->n_pending; i++) {
        Pending *p = &r->pending[i];
        if (!p->event)
            continue;
        if (i == 0)
            shift = r->enqueued - moment(r, p->event, CL_PROFILING_COMMAND_QUEUED);
        p->record.begin = moment(r, p->event, CL_PROFILING_COMMAND_START) + shift;
        p->record.end = moment(r, p->event, CL_PROFILING_COMMAND_END) + shift;
        if (r->events && !r->status)
            r->events[r->n_events++] = p->record;
        r->device->cl.clReleaseEvent(p->event);
    }
    r->n_pending = 0;
}

uint32_t mg_device_events(MgDeviceRun *r, const MgDeviceEvent **events) {
    *events = r->events;
    return r->n_events;
}

// ---------------------------------------------------------------- launches
static void set_arguments(MgDeviceRun *r, Launch *l, const int64_t *args) {
    const MgClApi *cl = &r->device->cl;
    cl_uint n = 0;
    cl_int status = CL_SUCCESS;
    for (uint32_t i = 0; i < l->n_args; i++) {
        bool same = l->set && l->args[i] == args[i];
        if (i >= l->n_buffers) {
            if (!same)
                status |= cl->clSetKernelArg(l->kernel, n, sizeof args[i], &args[i]);
            n++;
            continue;
        }
        int64_t offset;
        cl_mem memory = same ? NULL : mg_device_memory(r->device, args[i], &offset);
        if (!same) {
            status |= cl->clSetKernelArg(l->kernel, n, sizeof memory, &memory);
            status |= cl->clSetKernelArg(l->kernel, n + 1, sizeof offset, &offset);
        }
        n += 2;
    }
    memcpy(l->args, args, l->n_args * sizeof *args);
    l->set = !status;
    note(r, status, "the arguments of a kernel can't be set");
}

static void launch(MgCallDevice *hooks, uint32_t number, const int64_t *args, int64_t groups) {
    MgDeviceRun *r = (MgDeviceRun *)hooks;
    Launch *l = &r->launches[number];
    if (r->status)
        return;
    if (groups < 1) // without a whole group, the rest still runs
        groups = 1;
    uint64_t freed = r->device->freed;
    l->set &= l->freed == freed;
    if (!l->set || memcmp(l->args, args, l->n_args * sizeof *args) != 0)
        set_arguments(r, l, args);
    l->freed = freed;
    size_t global = (size_t)(groups < most_groups ? groups : most_groups) * l->items;
    cl_event *event = r->timed ? timed(r, MG_EVENT_KERNEL, number, 0) : NULL;
    note(r,
         r->device->cl.clEnqueueNDRangeKernel(r->queue, l->kernel, 1, NULL, &global, &l->items, 0,
                                              NULL, event),
         "a kernel can't be launched");
}

static void read_now(MgCallDevice *hooks, int64_t address, void *to, uint64_t bytes) {
    MgDeviceRun *r = (MgDeviceRun *)hooks;
    int64_t offset;
    memset(to, 0, bytes);
    if (r->status)
        return;
    cl_mem memory = mg_device_memory(r->device, address, &offset);
    note(r,
         r->device->cl.clEnqueueReadBuffer(r->queue, memory, CL_TRUE, (size_t)offset, bytes, to, 0,
                                           NULL, timed(r, MG_EVENT_DOWNLOAD, 0, bytes)),
         "memory of the device can't be read");
}

// ---------------------------------------------------------------- transfers

// The offset of a place in the staging memory, or SIZE_MAX: transfer directly.
static size_t stage(MgDeviceRun *r, size_t bytes) {
    if (!r->staged || bytes > STAGED_MAX)
        return SIZE_MAX;
    size_t at = (r->staging_used + 63) & ~(size_t)63;
    if (at + bytes > STAGING)
        return SIZE_MAX;
    r->staging_used = at + bytes;
    return at;
}

void mg_device_upload(MgDeviceRun *r, int64_t to, const void *from, size_t bytes) {
    int64_t offset;
    if (r->status || !bytes)
        return;
    cl_mem memory = mg_device_memory(r->device, to, &offset);
    size_t at = stage(r, bytes);
    if (at != SIZE_MAX)
        from = memcpy(r->staged + at, from, bytes);
    note(r,
         r->device->cl.clEnqueueWriteBuffer(r->queue, memory, CL_FALSE, (size_t)offset, bytes, from,
                                            0, NULL, timed(r, MG_EVENT_UPLOAD, 0, bytes)),
         "memory of the device can't be written");
}

void mg_device_download(MgDeviceRun *r, void *to, int64_t from, size_t bytes) {
    int64_t offset;
    if (r->status || !bytes)
        return;
    cl_mem memory = mg_device_memory(r->device, from, &offset);
    void *list = r->fetches;
    size_t at = grow(r, &list, r->n_fetches, &r->fetch_room, sizeof *r->fetches) ? stage(r, bytes)
                                                                                 : SIZE_MAX;
    r->fetches = list;
    if (at != SIZE_MAX) {
        r->fetches[r->n_fetches++] = (Fetch){to, at, bytes};
        to = r->staged + at;
    }
    note(r,
         r->device->cl.clEnqueueReadBuffer(r->queue, memory, CL_FALSE, (size_t)offset, bytes, to, 0,
                                           NULL, timed(r, MG_EVENT_DOWNLOAD, 0, bytes)),
         "memory of the device can't be read");
}

void mg_device_move(MgDeviceRun *r, int64_t to, int64_t from, size_t bytes) {
    int64_t at, origin;
    if (r->status || !bytes)
        return;
    cl_mem target = mg_device_memory(r->device, to, &at);
    cl_mem source = mg_device_memory(r->device, from, &origin);
    note(r,
         r->device->cl.clEnqueueCopyBuffer(r->queue, source, target, (size_t)origin, (size_t)at,
                                           bytes, 0, NULL, NULL),
         "memory of the device can't be copied");
}

static void reset_trap(MgDeviceRun *r) {
    static const MgDeviceTrap zero;
    int64_t offset;
    r->device->cl.clEnqueueWriteBuffer(r->queue, mg_device_memory(r->device, r->trap, &offset),
                                       CL_TRUE, 0, sizeof zero, &zero, 0, NULL, NULL);
}

MgStatus mg_device_finish(MgDeviceRun *r, MgDeviceTrap *trap, char **message) {
    r->trapped = (MgDeviceTrap){0};
    if (r->image->n_traps)
        mg_device_download(r, &r->trapped, r->trap, sizeof r->trapped);
    note(r, r->device->cl.clFinish(r->queue), "the run failed");
    for (uint32_t i = 0; i < r->n_fetches && !r->status; i++)
        memcpy(r->fetches[i].to, r->staged + r->fetches[i].at, r->fetches[i].bytes);
    r->n_fetches = 0;
    r->staging_used = 0;
    if (r->timed)
        collect_events(r);
    cl_int status = r->status;
    *trap = status ? (MgDeviceTrap){0} : r->trapped;
    r->status = CL_SUCCESS;
    if (trap->code)
        reset_trap(r);
    return status ? mg_device_fail(r->device, message, r->failed, status) : MG_OK;
}

// ---------------------------------------------------------------- making and freeing
static bool make_launch(MgDeviceRun *r, uint32_t number, int64_t *args) {
    const MgImageDevice *code = r->image->device;
    const MgImageKernel *k = &code->kernels[code->launches[number].kernel];
    const MgClApi *cl = &r->device->cl;
    Launch *l = &r->launches[number];
    cl_int status;
    l->kernel = cl->clCreateKernel(mg_device_program_handle(r->program), k->name, &status);
    note(r, status, "a kernel is not in its program");
    if (status)
        return false;
    *l = (Launch){.kernel = l->kernel,
                  .items = k->items,
                  .n_buffers = k->n_buffers,
                  .n_args = k->n_buffers + k->n_scalars,
                  .args = args};
    int64_t offset;
    cl_mem trap = mg_device_memory(r->device, r->trap, &offset);
    if (k->traps)
        note(r, cl->clSetKernelArg(l->kernel, 2 * k->n_buffers + k->n_scalars, sizeof trap, &trap),
             "the arguments of a kernel can't be set");
    return !r->status;
}

static bool make_launches(MgDeviceRun *r) {
    const MgImageDevice *code = r->image->device;
    size_t n = 0;
    for (uint32_t i = 0; i < code->n_launches; i++) {
        const MgImageKernel *k = &code->kernels[code->launches[i].kernel];
        n += (size_t)k->n_buffers + k->n_scalars;
    }
    r->launches = calloc(code->n_launches + 1, sizeof *r->launches);
    r->args = calloc(n + 1, sizeof *r->args);
    if (!r->launches || !r->args) {
        note(r, CL_OUT_OF_HOST_MEMORY, "a run");
        return false;
    }
    n = 0;
    for (uint32_t i = 0; i < code->n_launches; i++) {
        if (!make_launch(r, i, r->args + n))
            return false;
        n += r->launches[i].n_args;
    }
    return true;
}

// Maps pinned memory for the run's whole life. A device that shares the host's memory needs none,
// and a run works without it.
static void make_staging(MgDeviceRun *r) {
    const MgClApi *cl = &r->device->cl;
    cl_int status;
    if (r->device->unified)
        return;
    r->staging = cl->clCreateBuffer(r->device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                    STAGING, NULL, &status);
    if (r->staging)
        r->staged =
            cl->clEnqueueMapBuffer(r->queue, r->staging, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                   STAGING, 0, NULL, NULL, &status);
}

static MgStatus make(MgDeviceRun *r, char **message) {
    const MgClApi *cl = &r->device->cl;
    const MgImageDevice *code = r->image->device;
    static const MgDeviceTrap zero;
    cl_int status;
    MgStatus result = MG_OK;
    if (code->n_launches)
        result =
            mg_device_program(r->device, code->source, code->source_length, &r->program, message);
    if (result)
        return result;
    r->queue = cl->clCreateCommandQueue(r->device->context, r->device->id,
                                        r->timed ? CL_QUEUE_PROFILING_ENABLE : 0, &status);
    if (status)
        return mg_device_fail(r->device, message, "a queue can't be made", status);
    size_t dims = (r->image->n_dims + 1) * sizeof(int64_t);
    r->hooks.dims = mg_device_alloc(r->device, dims, NULL, message);
    r->trap = r->hooks.dims ? mg_device_alloc(r->device, sizeof zero, &zero, message) : 0;
    if (!r->trap)
        return MG_RUN_FAILED;
    make_staging(r);
    if (!make_launches(r))
        return mg_device_fail(r->device, message, r->failed, r->status);
    return MG_OK;
}

MgStatus mg_device_run_new(MgDevice *device, const MgImage *image, bool timed, MgDeviceRun **run,
                           char **message) {
    MgDeviceRun *r = *run = calloc(1, sizeof *r);
    if (!r) {
        mg_message_set(message, "out of memory");
        return MG_OUT_OF_MEMORY;
    }
    r->hooks = (MgCallDevice){.launch = launch, .read = read_now};
    r->device = device;
    r->image = image;
    r->timed = timed;
    MgStatus status = make(r, message);
    if (status) {
        mg_device_run_free(r);
        *run = NULL;
    }
    return status;
}

void mg_device_run_free(MgDeviceRun *r) {
    if (!r)
        return;
    const MgClApi *cl = &r->device->cl;
    if (!mg_device_here(r->device, NULL))
        return;
    // A queue that is lost may still write to this memory at any time, so it is never freed.
    if (r->queue && cl->clFinish(r->queue))
        return;
    for (uint32_t i = 0; r->launches && i < r->image->device->n_launches; i++)
        if (r->launches[i].kernel)
            cl->clReleaseKernel(r->launches[i].kernel);
    if (r->staged)
        cl->clEnqueueUnmapMemObject(r->queue, r->staging, r->staged, 0, NULL, NULL);
    if (r->queue)
        cl->clReleaseCommandQueue(r->queue);
    if (r->staging)
        cl->clReleaseMemObject(r->staging);
    mg_device_free(r->device, r->hooks.dims);
    mg_device_free(r->device, r->trap);
    void *owned[] = {r->launches, r->args, r->fetches, r->pending, r->events, r};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

MgCallDevice *mg_device_run_hooks(MgDeviceRun *r) {
    return &r->hooks;
}

cl_command_queue mg_device_run_queue(const MgDeviceRun *r) {
    return r->queue;
}

bool mg_device_run_timed(const MgDeviceRun *r) {
    return r->timed;
}

void mg_device_run_built(const MgDeviceRun *r, uint64_t *begin, uint64_t *end) {
    *begin = *end = 0; // the graph has no kernels
    if (r->program)
        mg_device_program_built(r->program, begin, end);
}
