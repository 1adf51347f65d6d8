// The costs of a launch and of a barrier over the grid on a device. A kernel that does nothing but
// meet measures them. They are kept in the cache on disk, and read when the device is opened.
#include "runtime/device_impl.h"

#include "backends/opencl/print.h"
#include "runtime/context.h"
#include "runtime/instance.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 4, LAUNCHES = 256, ROUNDS = 2048, RUNS = 5, ITEMS = 64 };
enum { TRIES = 8, TRIED_NS = 2000000000 }; // to get all groups together
enum { FEW = 64, LATEST_NS = 100000 };     // rounds, and the longest one on an idle device
#define ALIKE 1.25                         // ratio of the two best times of undisturbed runs

static MgCacheKey key_of(const MgDevice *d) {
    MgCachePart parts[] = {{"launches and meetings", 21},
                           {d->info.name, strlen(d->info.name)},
                           {d->info.driver, strlen(d->info.driver)}};
    MgCacheKey key = mg_cache_key(parts, sizeof parts / sizeof *parts);
    key.measured = true;
    return key;
}

bool mg_device_costs_known(const MgDevice *d, MgDeviceCosts *costs) {
    void *kept = NULL;
    size_t length = 0;
    bool known =
        d->cache && mg_cache_get(d->cache, key_of(d), &kept, &length) && length == sizeof *costs;
    if (known)
        memcpy(costs, kept, sizeof *costs);
    free(kept);
    return known;
}

typedef struct Meeting {
    MgDevice *d;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem words, trap;
    size_t items, groups;
    cl_int status; // the first failure
} Meeting;

static void note(Meeting *m, cl_int status) {
    m->status = m->status ? m->status : status;
}

// Nanoseconds of `launches` launches of `rounds` rounds each. *met: how many groups ran together in
// the last one.
static double run(Meeting *m, uint32_t launches, cl_int rounds, cl_uint *met) {
    const MgClApi *cl = &m->d->cl;
    cl_uint words[WORDS] = {0};
    size_t global = m->items * m->groups;
    note(m, cl->clSetKernelArg(m->kernel, 1, sizeof rounds, &rounds));
    note(m, cl->clEnqueueWriteBuffer(m->queue, m->words, CL_TRUE, 0, sizeof words, words, 0, NULL,
                                     NULL));
    uint64_t begin = mg_now_ns();
    for (uint32_t i = 0; i < launches && !m->status; i++)
        note(m, cl->clEnqueueNDRangeKernel(m->queue, m->kernel, 1, NULL, &global, &m->items, 0,
                                           NULL, NULL));
    note(m, cl->clFinish(m->queue));
    double ns = (double)(mg_now_ns() - begin);
    note(m, cl->clEnqueueReadBuffer(m->queue, m->words, CL_TRUE, 0, sizeof words, words, 0, NULL,
                                    NULL));
    *met = words[WORDS - 1];
    return ns;
}

// The least time of the runs in which most groups met. *met: their number, or 0 if the next best
// run took much longer, since then something else used the device.
static double least(Meeting *m, uint32_t launches, cl_int rounds, cl_uint *met) {
    double best = 0, next = 0;
    *met = 0;
    for (int i = 0; i <= RUNS && !m->status; i++) {
        cl_uint groups;
        double ns = run(m, launches, rounds, &groups);
        if (i < 1 || groups < *met) // the first is a warm-up
            continue;
        if (groups > *met)
            best = next = 0;
        *met = groups;
        next = best == 0 ? 0 : ns < best ? best : next == 0 || ns < next ? ns : next;
        best = best == 0 || ns < best ? ns : best;
    }
    if (rounds > FEW && (next == 0 || next > ALIKE * best))
        *met = 0;
    return best;
}

static uint32_t whole(double ns) {
    return ns < 1 ? 1 : ns > 1e9 ? 1000000000 : (uint32_t)ns;
}

// Nanoseconds of a barrier, and the number of groups that met at it; 0 if they did not all come in
// time, each time. A busy device may start a group when the others have left or trapped; such times
// mean nothing.
static double meet(Meeting *m, cl_uint *met) {
    const MgClApi *cl = &m->d->cl;
    cl_int trapped = 0;
    cl_uint once, often;
    note(m, cl->clEnqueueWriteBuffer(m->queue, m->trap, CL_TRUE, 0, sizeof trapped, &trapped, 0,
                                     NULL, NULL));
    bool late = run(m, 1, FEW, &once) > FEW * LATEST_NS;
    if (late)
        return *met = once, 0;
    double ns = -least(m, 1, 1, &once);
    ns += least(m, 1, 1 + ROUNDS, &often);
    note(m, cl->clEnqueueReadBuffer(m->queue, m->trap, CL_TRUE, 0, sizeof trapped, &trapped, 0,
                                    NULL, NULL));
    *met = once < often ? once : often;
    return trapped || *met < m->groups || ns < 0 ? 0 : ns / ROUNDS;
}

static void measure(Meeting *m, MgDeviceCosts *costs) {
    cl_uint alone;
    m->groups = 1; // measure launches that do nothing
    costs->launch = whole(least(m, LAUNCHES, 0, &alone) / LAUNCHES);
    costs->groups = alone;
    m->groups = m->d->info.compute_units;
    if (alone == 0 || m->groups < 2) // it lacks ordered atomics, or has one group
        return;
    uint64_t begin = mg_now_ns();
    for (int i = 0; i < TRIES && !costs->barrier && !m->status; i++) {
        double ns = meet(m, &costs->groups);
        costs->barrier = ns > 0 ? whole(ns) : 0;
        if (mg_now_ns() - begin > TRIED_NS)
            break;
    }
    costs->disturbed = !costs->barrier;
}

static MgStatus open_meeting(Meeting *m, char **message) {
    const MgClApi *cl = &m->d->cl;
    MgMem *mem = mg_mem_new(0);
    MgArena *arena = mg_arena_new(mem);
    MgText text = mg_text(arena);
    MgClSource source;
    MgDeviceProgram *program;
    static const cl_int none;
    cl_int status[3] = {0};
    mg_opencl_source_begin(&source, arena, &text);
    mg_opencl_print_meeting(&source);
    const char *code = mg_text_str(&text);
    MgStatus result = mg_device_program(m->d, code, strlen(code), &program, message);
    mg_mem_free(mem);
    if (result)
        return result;
    m->queue = cl->clCreateCommandQueue(m->d->context, m->d->id, 0, &status[0]);
    m->kernel = cl->clCreateKernel(mg_device_program_handle(program), "mg_meeting", &status[1]);
    m->words = cl->clCreateBuffer(m->d->context, CL_MEM_READ_WRITE, WORDS * sizeof(cl_uint), NULL,
                                  &status[2]);
    for (int i = 0; i < 3; i++)
        note(m, status[i]);
    m->trap = cl->clCreateBuffer(m->d->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                 sizeof none, (void *)(uintptr_t)&none, &status[0]);
    note(m, status[0]);
    if (!m->status) {
        note(m, cl->clSetKernelArg(m->kernel, 0, sizeof m->words, &m->words));
        note(m, cl->clSetKernelArg(m->kernel, 2, sizeof m->trap, &m->trap));
    }
    return MG_OK;
}

static void close_meeting(Meeting *m) {
    const MgClApi *cl = &m->d->cl;
    if (m->words)
        cl->clReleaseMemObject(m->words);
    if (m->trap)
        cl->clReleaseMemObject(m->trap);
    if (m->kernel)
        cl->clReleaseKernel(m->kernel);
    if (m->queue)
        cl->clReleaseCommandQueue(m->queue);
}

MgStatus mg_device_measure(MgDevice *d, MgDeviceCosts *costs, char **message) {
    Meeting m = {.d = d, .items = d->info.max_group < ITEMS ? d->info.max_group : ITEMS};
    *costs = (MgDeviceCosts){0};
    MgStatus status = open_meeting(&m, message);
    if (!status && !m.status)
        measure(&m, costs);
    if (!status && m.status)
        status = mg_device_fail(d, message, "launches can't be measured", m.status);
    close_meeting(&m);
    if (!status && d->cache && !costs->disturbed)
        mg_cache_put(d->cache, key_of(d), costs, sizeof *costs);
    return status;
}
