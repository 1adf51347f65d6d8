// Runs: one in-order queue, and for every launch of a plan a kernel object that keeps its arguments
// from run to run. A launch with the same arguments as in the last run costs one comparison and one
// call of the driver. Nothing waits until finish.
//
// Small transfers go through pinned memory that the run keeps; the driver handles large ones. The
// first failure is kept until finish, and nothing is enqueued after it.
#include "runtime/device_replay.h"

#include "runtime/context.h"
#include "runtime/instance.h"

#include <stdlib.h>
#include <string.h>

enum { STAGING = 4 << 20, STAGED_MAX = 1 << 20 };
static const int64_t most_groups = (int64_t)1
                                   << 30; // any number is correct, and every driver accepts this
                                          // one

typedef struct Launch {
    MgHostKernel *kernel;
    size_t items;
    uint32_t n_buffers, n_args; // n_args: the number of arguments that the plan passes
    bool set;
    uint64_t freed; // the device's `freed` at the time when the arguments were set
    int64_t *args;  // the arguments that the kernel object has
} Launch;

typedef struct Fetch { // a copy from staging to its place, made at finish
    void *to;
    size_t at, bytes;
} Fetch;

typedef struct Pending { // a timed command
    MgHostEvent *event;
    MgDeviceEvent record;
} Pending;

struct MgDeviceRun {
    MgCallDevice hooks; // first, since a hook gets its address
    MgDevice *device;
    const MgImage *image;
    MgDeviceProgram *program;
    MgHostQueue *queue;
    MgReplay *replay; // NULL: every launch is a command of its own
    Launch *launches;
    int64_t *args; // of all launches, concatenated
    int64_t trap;  // address of the MgDeviceTrap
    MgDeviceTrap trapped;
    MgHostStatus status; // the first failure
    const char *failed;
    MgHostMemory *staging; // pinned; NULL: none
    unsigned char *staged; // its bytes
    size_t staging_used;
    Fetch *fetches;
    uint32_t n_fetches, fetch_room;
    bool timed;
    uint64_t enqueued; // host time of the first timed command
    Pending *pending;
    MgDeviceEvent *events;
    uint32_t n_pending, pending_room, n_events;
};

static void note(MgDeviceRun *r, MgHostStatus status, const char *what) {
    if (status && !r->status) {
        r->status = status;
        r->failed = what;
    }
}

// Makes room for one more element of `size` bytes. False if memory ran out, which it records.
static bool grow(MgDeviceRun *r, void **list, uint32_t n, uint32_t *room, size_t size) {
    if (n < *room)
        return true;
    void *grown = realloc(*list, (*room ? 2 * *room : 16) * size);
    if (!grown) {
        note(r, r->device->host->no_memory, "a run");
        return false;
    }
    *list = grown;
    *room = *room ? 2 * *room : 16;
    return true;
}

// ---------------------------------------------------------------- timed commands

// The place for the next command's event, or NULL.
static MgHostEvent **timed(MgDeviceRun *r, MgDeviceEventKind kind, uint32_t launch,
                           uint64_t bytes) {
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

static uint64_t moment(const MgDeviceRun *r, MgHostEvent *event, MgHostMoment which) {
    return r->device->host->moment(r->device->driver, event, which);
}

// Translates the device's clock to the host's. They are matched at the time when the first command
// was enqueued.
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
            shift = r->enqueued - moment(r, p->event, MG_HOST_QUEUED);
        p->record.begin = moment(r, p->event, MG_HOST_BEGIN) + shift;
        p->record.end = moment(r, p->event, MG_HOST_END) + shift;
        if (r->events && !r->status)
            r->events[r->n_events++] = p->record;
        r->device->host->free_event(r->device->driver, p->event);
    }
    r->n_pending = 0;
}

uint32_t mg_device_events(MgDeviceRun *r, const MgDeviceEvent **events) {
    *events = r->events;
    return r->n_events;
}

// ---------------------------------------------------------------- launches
static void set_arguments(MgDeviceRun *r, Launch *l, const int64_t *args) {
    const MgDeviceHost *host = r->device->host;
    MgHostDevice *driver = r->device->driver;
    uint32_t n = 0;
    MgHostStatus status = 0;
    for (uint32_t i = 0; i < l->n_args; i++) {
        bool same = l->set && l->args[i] == args[i];
        if (i >= l->n_buffers) {
            if (!same)
                status |= host->set_value(driver, l->kernel, n, sizeof args[i], &args[i]);
            n++;
            continue;
        }
        int64_t offset;
        MgHostMemory *memory = same ? NULL : mg_device_memory(r->device, args[i], &offset);
        if (!same) {
            status |= host->set_memory(driver, l->kernel, n, memory);
            status |= host->set_value(driver, l->kernel, n + 1, sizeof offset, &offset);
        }
        n += 2;
    }
    memcpy(l->args, args, l->n_args * sizeof *args);
    l->set = !status;
    note(r, status, "the arguments of a kernel can't be set");
}

static bool launch_now(void *run, uint32_t number, const int64_t *args, int64_t groups) {
    MgDeviceRun *r = run;
    Launch *l = &r->launches[number];
    if (r->status)
        return false;
    if (groups < 1) // even without a whole group, the remaining positions run
        groups = 1;
    uint64_t freed = r->device->freed;
    l->set &= l->freed == freed;
    if (!l->set || memcmp(l->args, args, l->n_args * sizeof *args) != 0)
        set_arguments(r, l, args);
    l->freed = freed;
    size_t count = (size_t)(groups < most_groups ? groups : most_groups);
    note(r,
         r->device->host->launch(r->device->driver, r->queue, l->kernel, count, l->items,
                                 timed(r, MG_EVENT_KERNEL, number, 0)),
         "a kernel can't be launched");
    return !r->status;
}

// A kernel that traps writes the run's trap, too.
static uint32_t uses(void *run, uint32_t number, const int64_t *args, MgLaunchUse *use) {
    const MgDeviceRun *r = run;
    const MgImageLaunch *l = &r->image->device->launches[number];
    const MgImageKernel *k = &r->image->device->kernels[l->kernel];
    for (uint32_t i = 0; use && i < k->n_buffers; i++) {
        uint64_t begin = (uint64_t)args[i], bytes = (uint64_t)l->uses[i].bytes;
        bool known = l->uses[i].bytes >= 0;
        use[i] = (MgLaunchUse){known ? begin : 0, known ? begin + bytes : UINT64_MAX,
                               l->uses[i].part_of, l->uses[i].writes};
    }
    uint64_t trap = (uint64_t)r->trap;
    if (use && k->traps)
        use[k->n_buffers] = (MgLaunchUse){trap, trap + sizeof(MgDeviceTrap), 0, true};
    return k->n_buffers + k->traps;
}

static void launch(MgCallDevice *hooks, uint32_t number, const int64_t *args, int64_t groups) {
    MgDeviceRun *r = (MgDeviceRun *)hooks;
    if (r->status)
        return;
    if (r->replay)
        mg_replay_launch(r->replay, number, args, r->launches[number].n_args, groups);
    else
        launch_now(r, number, args, groups);
}

// Enqueues launches that are held back, since what follows must come after them.
static void end_segment(MgDeviceRun *r) {
    if (r->replay)
        note(r, mg_replay_end(r->replay), "kernels can't be launched");
}

void mg_device_begin_pass(MgDeviceRun *r) {
    if (r->replay)
        note(r, mg_replay_restart(r->replay), "kernels can't be launched");
}

// Enqueues a copy to a place on the device (if from is given) or from it.
static void transfer(MgDeviceRun *r, int64_t address, const void *from, void *to, size_t bytes,
                     bool wait) {
    const MgDeviceHost *host = r->device->host;
    MgHostDevice *driver = r->device->driver;
    int64_t offset;
    MgHostMemory *memory = mg_device_memory(r->device, address, &offset);
    end_segment(r);
    MgHostEvent **event = timed(r, from ? MG_EVENT_UPLOAD : MG_EVENT_DOWNLOAD, 0, bytes);
    size_t at = (size_t)offset;
    if (from)
        note(r, host->write(driver, r->queue, memory, at, from, bytes, wait, event),
             "memory of the device can't be written");
    else
        note(r, host->read(driver, r->queue, memory, at, to, bytes, wait, event),
             "memory of the device can't be read");
}

static void read_now(MgCallDevice *hooks, int64_t address, void *to, uint64_t bytes) {
    MgDeviceRun *r = (MgDeviceRun *)hooks;
    memset(to, 0, bytes);
    if (!r->status)
        transfer(r, address, NULL, to, bytes, true);
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
    if (r->status || !bytes)
        return;
    size_t at = stage(r, bytes);
    if (at != SIZE_MAX)
        from = memcpy(r->staged + at, from, bytes);
    transfer(r, to, from, NULL, bytes, false);
}

void mg_device_download(MgDeviceRun *r, void *to, int64_t from, size_t bytes) {
    if (r->status || !bytes)
        return;
    void *list = r->fetches;
    size_t at = grow(r, &list, r->n_fetches, &r->fetch_room, sizeof *r->fetches) ? stage(r, bytes)
                                                                                 : SIZE_MAX;
    r->fetches = list;
    if (at != SIZE_MAX) {
        r->fetches[r->n_fetches++] = (Fetch){to, at, bytes};
        to = r->staged + at;
    }
    transfer(r, from, NULL, to, bytes, false);
}

void mg_device_move(MgDeviceRun *r, int64_t to, int64_t from, size_t bytes) {
    int64_t at, origin;
    if (r->status || !bytes)
        return;
    MgHostMemory *target = mg_device_memory(r->device, to, &at);
    MgHostMemory *source = mg_device_memory(r->device, from, &origin);
    end_segment(r);
    note(r,
         r->device->host->copy(r->device->driver, r->queue, target, (size_t)at, source,
                               (size_t)origin, bytes),
         "memory of the device can't be copied");
}

void mg_device_follow(MgDeviceRun *r, void *stream) {
    note(r, r->device->host->follow(r->device->driver, r->queue, stream),
         "the run can't wait for the stream");
}

bool mg_device_lead(MgDeviceRun *r, void *stream) {
    if (r->replay)
        note(r, mg_replay_finish(r->replay), "kernels can't be launched");
    note(r, r->device->host->lead(r->device->driver, r->queue, stream),
         "the stream can't wait for the run");
    return !r->status;
}

static void reset_trap(MgDeviceRun *r) {
    static const MgDeviceTrap zero;
    int64_t offset;
    MgHostMemory *trap = mg_device_memory(r->device, r->trap, &offset);
    r->device->host->write(r->device->driver, r->queue, trap, 0, &zero, sizeof zero, true, NULL);
}

MgStatus mg_device_finish(MgDeviceRun *r, MgDeviceTrap *trap, char **message) {
    r->trapped = (MgDeviceTrap){0};
    if (r->image->n_traps)
        mg_device_download(r, &r->trapped, r->trap, sizeof r->trapped);
    if (r->replay)
        note(r, mg_replay_finish(r->replay), "kernels can't be launched");
    note(r, r->device->host->finish(r->device->driver, r->queue), "the run failed");
    for (uint32_t i = 0; i < r->n_fetches && !r->status; i++)
        memcpy(r->fetches[i].to, r->staged + r->fetches[i].at, r->fetches[i].bytes);
    r->n_fetches = 0;
    r->staging_used = 0;
    if (r->timed)
        collect_events(r);
    MgHostStatus status = r->status;
    *trap = status ? (MgDeviceTrap){0} : r->trapped;
    r->status = 0;
    if (trap->code)
        reset_trap(r);
    return status ? mg_device_fail(r->device, message, r->failed, status) : MG_OK;
}

// ---------------------------------------------------------------- making and freeing
static bool make_launch(MgDeviceRun *r, uint32_t number, int64_t *args) {
    const MgImageDevice *code = r->image->device;
    const MgImageKernel *k = &code->kernels[code->launches[number].kernel];
    const MgDeviceHost *host = r->device->host;
    MgHostDevice *driver = r->device->driver;
    Launch *l = &r->launches[number];
    MgHostStatus status =
        host->kernel(driver, mg_device_program_handle(r->program), k->name, &l->kernel);
    note(r, status, "a kernel is not in its program");
    if (status)
        return false;
    *l = (Launch){.kernel = l->kernel,
                  .items = k->items,
                  .n_buffers = k->n_buffers,
                  .n_args = k->n_buffers + k->n_scalars,
                  .args = args};
    int64_t offset;
    MgHostMemory *trap = mg_device_memory(r->device, r->trap, &offset);
    if (k->traps)
        note(r, host->set_memory(driver, l->kernel, 2 * k->n_buffers + k->n_scalars, trap),
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
        note(r, r->device->host->no_memory, "a run");
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
    void *at = NULL;
    if (r->device->info.unified)
        return;
    r->staging = r->device->host->pin(r->device->driver, r->queue, STAGING, &at);
    r->staged = r->staging ? at : NULL;
}

static MgStatus make(MgDeviceRun *r, char **message) {
    const MgImageDevice *code = r->image->device;
    static const MgDeviceTrap zero;
    MgStatus result = MG_OK;
    if (code->n_launches)
        result =
            mg_device_program(r->device, code->source, code->source_length, &r->program, message);
    if (result)
        return result;
    MgHostStatus status = r->device->host->queue(r->device->driver, r->timed, &r->queue);
    if (status)
        return mg_device_fail(r->device, message, "a queue can't be made", status);
    size_t dims = (r->image->n_dims + 1) * sizeof(int64_t);
    r->hooks.dims = mg_device_alloc(r->device, dims, NULL, message);
    r->trap = r->hooks.dims ? mg_device_alloc(r->device, sizeof zero, &zero, message) : 0;
    if (!r->trap)
        return MG_RUN_FAILED;
    make_staging(r);
    if (!r->timed)
        r->replay = mg_replay_new(r->device, r->queue, launch_now, uses, r);
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
    if (r->program)
        mg_device_program_used(device, r->program);
    if (status) {
        mg_device_run_free(r);
        *run = NULL;
    }
    return status;
}

void mg_device_run_free(MgDeviceRun *r) {
    if (!r)
        return;
    const MgDeviceHost *host = r->device->host;
    MgHostDevice *driver = r->device->driver;
    if (!mg_device_here(r->device, NULL))
        return;
    // A queue that is lost may still write to this memory at any time, so it is never freed.
    if (r->queue && host->finish(driver, r->queue))
        return;
    mg_replay_free(r->replay);
    for (uint32_t i = 0; r->launches && i < r->image->device->n_launches; i++)
        if (r->launches[i].kernel)
            host->free_kernel(driver, r->launches[i].kernel);
    if (r->staging)
        host->unpin(driver, r->queue, r->staging, r->staged);
    if (r->queue)
        host->free_queue(driver, r->queue);
    mg_device_free(r->device, r->hooks.dims);
    mg_device_free(r->device, r->trap);
    void *owned[] = {r->launches, r->args, r->fetches, r->pending, r->events, r};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

MgCallDevice *mg_device_run_hooks(MgDeviceRun *r) {
    return &r->hooks;
}

MgHostQueue *mg_device_run_queue(const MgDeviceRun *r) {
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
