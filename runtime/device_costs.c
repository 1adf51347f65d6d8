// The costs of a launch and of a barrier over the grid on a device. A kernel with nothing but a
// meeting of groups measures them. They are kept in the cache on disk, and read when the device is
// opened.
#include "runtime/device_impl.h"

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
                           {d->host->name, strlen(d->host->name)},
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
    MgHostQueue *queue;
    MgHostKernel *kernel;
    MgHostMemory *words, *trap;
    size_t items, groups;
    MgHostStatus status; // the first failure
} Meeting;

static void note(Meeting *m, MgHostStatus status) {
    m->status = m->status ? m->status : status;
}

// Copies to the device (if from is given) or from it, and waits.
static void copy(Meeting *m, MgHostMemory *memory, const void *from, void *to, size_t bytes) {
    const MgDeviceHost *host = m->d->host;
    note(m, from ? host->write(m->d->driver, m->queue, memory, 0, from, bytes, true, NULL)
                 : host->read(m->d->driver, m->queue, memory, 0, to, bytes, true, NULL));
}

static void launch(Meeting *m, uint32_t launches) {
    const MgDeviceHost *host = m->d->host;
    for (uint32_t i = 0; i < launches && !m->status; i++)
        note(m, host->launch(m->d->driver, m->queue, m->kernel, m->groups, m->items, NULL));
}

// Several launches as a recording, as runs that are repeated make them. NULL: the driver has none.
static MgHostRecording *record(Meeting *m, uint32_t launches) {
    const MgDeviceHost *host = m->d->host;
    MgHostRecording *recording = NULL;
    if (launches < 2 || !host->record || m->status)
        return NULL;
    note(m, host->record(m->d->driver, m->queue));
    launch(m, launches);
    note(m, host->recorded(m->d->driver, m->queue, &recording));
    return m->status ? NULL : recording;
}

// Nanoseconds of `launches` launches of `rounds` rounds each. *met: the number of groups that ran
// together in the last launch.
static double run(Meeting *m, uint32_t launches, int32_t rounds, uint32_t *met) {
    const MgDeviceHost *host = m->d->host;
    uint32_t words[WORDS] = {0};
    note(m, host->set_value(m->d->driver, m->kernel, 1, sizeof rounds, &rounds));
    copy(m, m->words, words, NULL, sizeof words);
    MgHostRecording *recording = record(m, launches);
    uint64_t begin = mg_now_ns();
    if (recording)
        note(m, host->replay(m->d->driver, m->queue, recording));
    else
        launch(m, launches);
    note(m, host->finish(m->d->driver, m->queue));
    double ns = (double)(mg_now_ns() - begin);
    if (recording)
        host->free_recording(m->d->driver, recording);
    copy(m, m->words, NULL, words, sizeof words);
    *met = words[WORDS - 1];
    return ns;
}

// The shortest time of the runs in which most groups met. *met: their number, or 0 if the next best
// run took much longer, because something else used the device.
static double least(Meeting *m, uint32_t launches, int32_t rounds, uint32_t *met) {
    double best = 0, next = 0;
    *met = 0;
    for (int i = 0; i <= RUNS && !m->status; i++) {
        uint32_t groups;
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

// Nanoseconds of a barrier, and the number of groups that met at it; 0 if not all of them came in
// time in every launch. A busy device may start a group after the others have left or trapped; such
// times mean nothing.
static double meet(Meeting *m, uint32_t *met) {
    int32_t trapped = 0;
    uint32_t once, often;
    copy(m, m->trap, &trapped, NULL, sizeof trapped);
    bool late = run(m, 1, FEW, &once) > FEW * LATEST_NS;
    if (late)
        return *met = once, 0;
    double ns = -least(m, 1, 1, &once);
    ns += least(m, 1, 1 + ROUNDS, &often);
    copy(m, m->trap, NULL, &trapped, sizeof trapped);
    *met = once < often ? once : often;
    return trapped || *met < m->groups || ns < 0 ? 0 : ns / ROUNDS;
}

static void measure(Meeting *m, MgDeviceCosts *costs) {
    uint32_t alone;
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

static MgStatus build_meeting(MgDevice *d, MgDeviceProgram **program, char **message) {
    MgMem *mem = mg_mem_new(0);
    MgArena *arena = mg_arena_new(mem);
    MgText text = mg_text(arena);
    d->host->meeting(arena, &text);
    const char *code = mg_text_str(&text);
    MgStatus status = mg_device_program(d, code, strlen(code), program, message);
    mg_mem_free(mem);
    return status;
}

static MgStatus open_meeting(Meeting *m, char **message) {
    const MgDeviceHost *host = m->d->host;
    MgHostDevice *driver = m->d->driver;
    MgDeviceProgram *program;
    static const int32_t none;
    MgStatus result = build_meeting(m->d, &program, message);
    if (result)
        return result;
    MgHostProgram *built = mg_device_program_handle(program);
    note(m, host->queue(driver, false, &m->queue));
    note(m, host->kernel(driver, built, "mg_meeting", &m->kernel));
    note(m, host->alloc(driver, WORDS * sizeof(uint32_t), NULL, &m->words));
    note(m, host->alloc(driver, sizeof none, &none, &m->trap));
    if (!m->status) {
        note(m, host->set_memory(driver, m->kernel, 0, m->words));
        note(m, host->set_memory(driver, m->kernel, 2, m->trap));
    }
    return MG_OK;
}

static void close_meeting(Meeting *m) {
    const MgDeviceHost *host = m->d->host;
    if (m->words)
        host->free(m->d->driver, m->words);
    if (m->trap)
        host->free(m->d->driver, m->trap);
    if (m->kernel)
        host->free_kernel(m->d->driver, m->kernel);
    if (m->queue)
        host->free_queue(m->d->driver, m->queue);
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
