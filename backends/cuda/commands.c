// Kernels with their arguments, queues, the commands in them, and recordings of launches.
#include "backends/cuda/host.h"

#include "backends/cuda/boxes.h"
#include "backends/cuda/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- kernels
struct MgHostKernel {
    MgHostProgram *program;
    MgCuFunction function;
    uint32_t local; // bytes of local memory that a launch must ask for
    uint32_t n, room;
    uint64_t *values; // an argument is at most 8 bytes
    void **places;    // of the values, and behind the arguments of the maps
    uint32_t n_boxes;
    MgCuBox boxes[MG_CU_MOST_BOXES];
    MgCuPointer mapped[MG_CU_MOST_BOXES]; // where the tensor of each map is
    MgCuMap maps[MG_CU_MOST_BOXES];
};

// Finds the variable of the module that says something about a kernel. False: there is none.
static bool find_variable(MgCuHost *d, MgHostProgram *program, const char *name, const char *suffix,
                          MgCuPointer *at, size_t *bytes) {
    char variable[256];
    snprintf(variable, sizeof variable, "%s%s", name, suffix);
    for (uint32_t i = 0; i < program->parts.n; i++)
        if (!d->cu.global(at, bytes, program->modules[i], variable))
            return true;
    return false;
}

static MgHostStatus find_local(MgCuHost *d, MgHostProgram *program, const char *name,
                               MgHostKernel *k) {
    MgCuPointer at;
    size_t bytes;
    if (!find_variable(d, program, name, MG_CU_LOCAL_SUFFIX, &at, &bytes))
        return 0; // it needs none
    k->local = (uint32_t)bytes;
    return d->cu.set_function(k->function, MG_CU_LOCAL_BYTES, (int)bytes);
}

static MgHostStatus find_boxes(MgCuHost *d, MgHostProgram *program, const char *name,
                               MgHostKernel *k) {
    MgCuPointer at;
    size_t bytes;
    if (!find_variable(d, program, name, MG_CU_BOX_SUFFIX, &at, &bytes))
        return 0; // it has none
    if (bytes > sizeof k->boxes || bytes % sizeof *k->boxes)
        return MG_CU_INVALID_IMAGE;
    k->n_boxes = (uint32_t)(bytes / sizeof *k->boxes);
    MgHostStatus status = d->cu.read(k->boxes, at, bytes, NULL);
    return status ? status : d->cu.wait(NULL);
}

MgHostStatus mg_cu_kernel(MgHostDevice *device, MgHostProgram *program, const char *name,
                          MgHostKernel **kernel) {
    MgCuHost *d = mg_cu(device);
    MgHostKernel *k = aligned_alloc(_Alignof(MgHostKernel), sizeof *k);
    if (!k)
        return MG_CU_OUT_OF_MEMORY;
    memset(k, 0, sizeof *k);
    MgHostStatus status = mg_cu_enter(d);
    if (!status) {
        status = MG_CU_NOT_FOUND;
        for (uint32_t i = 0; status == MG_CU_NOT_FOUND && i < program->parts.n; i++)
            status = d->cu.function(&k->function, program->modules[i], name);
        status = status ? status : find_local(d, program, name, k);
        status = status ? status : find_boxes(d, program, name, k);
        status = mg_cu_leave(d, status);
    }
    if (status) {
        free(k);
        return status;
    }
    k->program = program;
    atomic_fetch_add(&program->references, 1);
    *kernel = k;
    return 0;
}

void mg_cu_free_kernel(MgHostDevice *device, MgHostKernel *k) {
    mg_cu_free_program(device, k->program);
    free(k->values);
    free(k->places);
    free(k);
}

static bool has_room(MgHostKernel *k, uint32_t argument) {
    if (argument < k->room)
        return true;
    uint32_t room = 2 * argument + 16;
    uint64_t *values = calloc(room, sizeof *values);
    void **places = calloc(room, sizeof *places);
    if (!values || !places) {
        free(values);
        free(places);
        return false;
    }
    if (k->n)
        memcpy(values, k->values, k->n * sizeof *values);
    for (uint32_t i = 0; i < room; i++)
        places[i] = &values[i];
    free(k->values);
    free(k->places);
    k->values = values;
    k->places = places;
    k->room = room;
    return true;
}

MgHostStatus mg_cu_set_value(MgHostDevice *device, MgHostKernel *k, uint32_t argument, size_t bytes,
                             const void *value) {
    (void)device;
    if (bytes > sizeof *k->values)
        return MG_CU_INVALID_VALUE;
    if (!has_room(k, argument))
        return MG_CU_OUT_OF_MEMORY;
    memcpy(&k->values[argument], value, bytes);
    k->n = argument < k->n ? k->n : argument + 1;
    return 0;
}

MgHostStatus mg_cu_set_memory(MgHostDevice *device, MgHostKernel *k, uint32_t argument,
                              MgHostMemory *memory) {
    return memory ? mg_cu_set_value(device, k, argument, sizeof memory->at, &memory->at)
                  : MG_CU_INVALID_VALUE;
}

// ---------------------------------------------------------------- queues and events
struct MgHostQueue {
    MgCuStream stream;
    MgCuEvent start; // of a timed queue: moments are counted from it, until the next `finish`
    bool started;
    MgCuEvent order; // orders the queue and a stream of the caller's; made when first needed
    MgCuGraph graph; // while launches are kept for a recording; otherwise NULL
    MgCuNode *nodes; // the graph's launches, in order, and behind them what the next one waits for
    uint32_t n_nodes, n_after, room;
};

struct MgHostEvent {
    MgCuEvent begin, end, start;
};

MgHostStatus mg_cu_queue(MgHostDevice *device, bool timed, MgHostQueue **queue) {
    MgCuHost *d = mg_cu(device);
    MgHostQueue *q = calloc(1, sizeof *q);
    if (!q)
        return MG_CU_OUT_OF_MEMORY;
    MgHostStatus status = mg_cu_enter(d);
    if (!status) {
        status = d->cu.stream(&q->stream, MG_CU_STREAM_NON_BLOCKING);
        if (!status && timed)
            status = d->cu.event(&q->start, MG_CU_EVENT_DEFAULT);
        status = mg_cu_leave(d, status);
    }
    if (status)
        mg_cu_free_queue(device, q);
    else
        *queue = q;
    return status;
}

void mg_cu_free_queue(MgHostDevice *device, MgHostQueue *q) {
    MgCuHost *d = mg_cu(device);
    if (!mg_cu_enter(d)) {
        if (q->start)
            d->cu.free_event(q->start);
        if (q->order)
            d->cu.free_event(q->order);
        if (q->graph)
            d->cu.free_graph(q->graph);
        mg_cu_leave(d, q->stream ? d->cu.free_stream(q->stream) : 0);
    }
    free(q->nodes);
    free(q);
}

// Marks the beginning of a command whose event the caller wants.
static MgHostStatus begin(MgCuHost *d, MgHostQueue *q, MgHostEvent **event) {
    MgHostStatus status = mg_cu_enter(d);
    if (status || !event)
        return status;
    MgHostEvent *e = *event = calloc(1, sizeof *e);
    if (!e)
        return mg_cu_leave(d, MG_CU_OUT_OF_MEMORY);
    e->start = q->start;
    status = d->cu.event(&e->begin, MG_CU_EVENT_DEFAULT);
    status = status ? status : d->cu.event(&e->end, MG_CU_EVENT_DEFAULT);
    if (!status && !q->started)
        status = d->cu.record_event(q->start, q->stream);
    q->started = true;
    status = status ? status : d->cu.record_event(e->begin, q->stream);
    return status ? mg_cu_leave(d, status) : 0;
}

static MgHostStatus end(MgCuHost *d, MgHostQueue *q, MgHostStatus status, MgHostEvent **event) {
    if (!status && event)
        status = d->cu.record_event((*event)->end, q->stream);
    return mg_cu_leave(d, status);
}

// Of a moment that precedes the beginning, nothing is known but that.
uint64_t mg_cu_moment(MgHostDevice *device, MgHostEvent *e, MgHostMoment which) {
    MgCuHost *d = mg_cu(device);
    float milliseconds = 0;
    if (!mg_cu_enter(d))
        mg_cu_leave(
            d, d->cu.elapsed(&milliseconds, e->start, which == MG_HOST_END ? e->end : e->begin));
    return (uint64_t)((double)milliseconds * 1e6);
}

void mg_cu_free_event(MgHostDevice *device, MgHostEvent *e) {
    MgCuHost *d = mg_cu(device);
    if (!mg_cu_enter(d)) {
        if (e->begin)
            d->cu.free_event(e->begin);
        mg_cu_leave(d, e->end ? d->cu.free_event(e->end) : 0);
    }
    free(e);
}

// ---------------------------------------------------------------- commands
static MgHostStatus wait_for(MgCuHost *d, MgHostQueue *q) {
    MgHostStatus status = mg_cu_enter(d);
    return status ? status : mg_cu_leave(d, d->cu.wait(q->stream));
}

// Maps the tensors of the kernel's boxes where they are now. A launch copies its arguments.
static MgHostStatus map_boxes(MgCuHost *d, MgHostKernel *k) {
    MgHostStatus status = 0;
    if (k->n_boxes && !has_room(k, k->n + k->n_boxes - 1))
        return MG_CU_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < k->n_boxes && !status; i++) {
        const MgCuBox *b = &k->boxes[i];
        if (b->argument < 0 || b->argument + 1 >= k->n)
            return MG_CU_INVALID_IMAGE;
        MgCuPointer at = k->values[b->argument] + k->values[b->argument + 1] + (MgCuPointer)b->base;
        k->places[k->n + i] = &k->maps[i];
        if (at != k->mapped[i])
            status = mg_cu_map(&d->cu, b, at, &k->maps[i]);
        k->mapped[i] = status ? 0 : at;
    }
    return status;
}

// The next launch that is kept waits for these.
static MgHostStatus wait_for_nodes(MgHostQueue *q, const uint32_t *launches, uint32_t n) {
    if (q->n_nodes + n >= q->room) { // there is a place for the next launch, too
        uint32_t room = 2 * (q->n_nodes + n) + 64;
        MgCuNode *nodes = realloc(q->nodes, room * sizeof *nodes);
        if (!nodes)
            return MG_CU_OUT_OF_MEMORY;
        q->nodes = nodes;
        q->room = room;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (launches[i] >= q->n_nodes)
            return MG_CU_INVALID_VALUE;
        q->nodes[q->n_nodes + i] = q->nodes[launches[i]];
    }
    q->n_after = n;
    return 0;
}

// Keeps a launch for the recording.
static MgHostStatus keep(MgCuHost *d, MgHostQueue *q, const MgCuLaunch *launch) {
    MgCuNode node;
    MgHostStatus status =
        d->cu.add_launch(&node, q->graph, q->nodes + q->n_nodes, q->n_after, launch);
    if (status)
        return status;
    q->nodes[q->n_nodes++] = node;
    return wait_for_nodes(q, &(uint32_t){q->n_nodes - 1}, 1);
}

MgHostStatus mg_cu_launch(MgHostDevice *device, MgHostQueue *q, MgHostKernel *k, size_t groups,
                          size_t items, MgHostEvent **event) {
    MgCuHost *d = mg_cu(device);
    MgHostStatus status = begin(d, q, event);
    if (status)
        return status;
    status = map_boxes(d, k);
    if (!status && q->graph)
        status = keep(d, q,
                      &(MgCuLaunch){k->function, (unsigned)groups, 1, 1, (unsigned)items, 1, 1,
                                    k->local, k->places, NULL});
    else if (!status)
        status = d->cu.launch(k->function, (unsigned)groups, 1, 1, (unsigned)items, 1, 1, k->local,
                              q->stream, k->places, NULL);
    return end(d, q, status, event);
}

MgHostStatus mg_cu_write(MgHostDevice *device, MgHostQueue *q, MgHostMemory *to, size_t at,
                         const void *from, size_t bytes, bool wait, MgHostEvent **event) {
    MgCuHost *d = mg_cu(device);
    MgHostStatus status = begin(d, q, event);
    if (status)
        return status;
    status = end(d, q, d->cu.write(to->at + at, from, bytes, q->stream), event);
    return !status && wait ? wait_for(d, q) : status;
}

MgHostStatus mg_cu_read(MgHostDevice *device, MgHostQueue *q, MgHostMemory *from, size_t at,
                        void *to, size_t bytes, bool wait, MgHostEvent **event) {
    MgCuHost *d = mg_cu(device);
    MgHostStatus status = begin(d, q, event);
    if (status)
        return status;
    status = end(d, q, d->cu.read(to, from->at + at, bytes, q->stream), event);
    return !status && wait ? wait_for(d, q) : status;
}

MgHostStatus mg_cu_copy(MgHostDevice *device, MgHostQueue *q, MgHostMemory *to, size_t to_at,
                        MgHostMemory *from, size_t from_at, size_t bytes) {
    MgCuHost *d = mg_cu(device);
    MgHostStatus status = begin(d, q, NULL);
    if (status)
        return status;
    return end(d, q, d->cu.copy(to->at + to_at, from->at + from_at, bytes, q->stream), NULL);
}

MgHostStatus mg_cu_finish(MgHostDevice *device, MgHostQueue *q) {
    q->started = false; // a moment is a float of milliseconds, so its start must not be far away
    return wait_for(mg_cu(device), q);
}

// What `later` gets from here on waits for what `first` has.
static MgHostStatus put_in_order(MgHostDevice *device, MgHostQueue *q, MgCuStream first,
                                 MgCuStream later) {
    MgCuHost *d = mg_cu(device);
    MgHostStatus status = mg_cu_enter(d);
    if (status)
        return status;
    if (!q->order)
        status = d->cu.event(&q->order, MG_CU_EVENT_UNTIMED);
    status = status ? status : d->cu.record_event(q->order, first);
    return mg_cu_leave(d, status ? status : d->cu.await(later, q->order, 0));
}

MgHostStatus mg_cu_follow(MgHostDevice *device, MgHostQueue *q, void *stream) {
    return put_in_order(device, q, (MgCuStream)stream, q->stream);
}

MgHostStatus mg_cu_lead(MgHostDevice *device, MgHostQueue *q, void *stream) {
    return put_in_order(device, q, q->stream, (MgCuStream)stream);
}

// ---------------------------------------------------------------- recordings
MgHostStatus mg_cu_record(MgHostDevice *device, MgHostQueue *q) {
    MgCuHost *d = mg_cu(device);
    q->n_nodes = 0;
    MgHostStatus status = wait_for_nodes(q, NULL, 0);
    status = status ? status : mg_cu_enter(d);
    return status ? status : mg_cu_leave(d, d->cu.graph(&q->graph, 0));
}

MgHostStatus mg_cu_record_after(MgHostDevice *device, MgHostQueue *q, const uint32_t *launches,
                                uint32_t n) {
    (void)device;
    return wait_for_nodes(q, launches, n);
}

MgHostStatus mg_cu_recorded(MgHostDevice *device, MgHostQueue *q, MgHostRecording **recording) {
    MgCuHost *d = mg_cu(device);
    MgCuGraphRun run = NULL;
    MgHostStatus status = mg_cu_enter(d);
    if (status)
        return status;
    status = d->cu.graph_run(&run, q->graph, 0);
    d->cu.free_graph(q->graph);
    q->graph = NULL;
    *recording = (MgHostRecording *)run;
    return mg_cu_leave(d, status);
}

MgHostStatus mg_cu_replay(MgHostDevice *device, MgHostQueue *q, MgHostRecording *recording) {
    MgCuHost *d = mg_cu(device);
    MgHostStatus status = mg_cu_enter(d);
    return status ? status : mg_cu_leave(d, d->cu.replay((MgCuGraphRun)recording, q->stream));
}

void mg_cu_free_recording(MgHostDevice *device, MgHostRecording *recording) {
    MgCuHost *d = mg_cu(device);
    if (!mg_cu_enter(d))
        mg_cu_leave(d, d->cu.free_graph_run((MgCuGraphRun)recording));
}
