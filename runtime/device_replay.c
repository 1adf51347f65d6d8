#include "runtime/device_replay.h"

#include <stdlib.h>
#include <string.h>

// Fewer launches take less time than a replay. Longer segments aren't noted.
enum { LEAST = 4, MOST = 1 << 16, SEGMENTS = 64 };

typedef struct Note { // a launch
    uint32_t launch, n;
    int64_t groups;
    size_t args; // where its arguments begin
} Note;

typedef struct Segment {
    Note *notes;
    int64_t *args;
    uint32_t n, room;
    size_t n_args, args_room;
    uint64_t freed; // the device's `freed` at the time of the notes
    MgHostRecording *recording;
    bool refused; // the driver can't record it
} Segment;

struct MgReplay {
    MgDevice *device;
    MgHostQueue *queue;
    MgReplayLaunch *launch;
    void *run;
    Segment segments[SEGMENTS];
    uint32_t now;  // the segment
    uint32_t held; // so many of its launches were repeated and are held back
    bool repeats;  // all launches of the segment so far repeated its notes
};

MgReplay *mg_replay_new(MgDevice *device, MgHostQueue *queue, MgReplayLaunch *launch, void *run) {
    MgReplay *r = device->host->record ? calloc(1, sizeof *r) : NULL;
    if (r)
        *r = (MgReplay){.device = device, .queue = queue, .launch = launch, .run = run};
    return r;
}

static void drop_recording(MgReplay *r, Segment *s) {
    if (s->recording)
        r->device->host->free_recording(r->device->driver, s->recording);
    s->recording = NULL;
    s->refused = false;
}

void mg_replay_free(MgReplay *r) {
    if (!r)
        return;
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        drop_recording(r, &r->segments[i]);
        free(r->segments[i].notes);
        free(r->segments[i].args);
    }
    free(r);
}

// ---------------------------------------------------------------- notes

// Makes room for n more elements of `size` bytes. False if memory runs out.
static bool grow(void **list, size_t used, size_t n, size_t *room, size_t size) {
    if (used + n <= *room)
        return true;
    size_t wanted = 2 * (used + n);
    void *grown = realloc(*list, wanted * size);
    if (!grown)
        return false;
    *list = grown;
    *room = wanted;
    return true;
}

// Notes a launch. Without memory, or in a long segment, the notes are given up: they only serve
// later runs.
static void note(Segment *s, uint32_t launch, const int64_t *args, uint32_t n, int64_t groups) {
    void *notes = s->notes, *all = s->args;
    size_t room = s->room;
    bool ok = s->n < MOST && grow(&notes, s->n, 1, &room, sizeof *s->notes);
    s->notes = notes;
    s->room = (uint32_t)room;
    ok = ok && grow(&all, s->n_args, n, &s->args_room, sizeof *s->args);
    s->args = all;
    if (!ok) {
        s->n = 0;
        s->n_args = 0;
        return;
    }
    memcpy(s->args + s->n_args, args, n * sizeof *args);
    s->notes[s->n++] = (Note){launch, n, groups, s->n_args};
    s->n_args += n;
}

static bool is_next(const MgReplay *r, const Segment *s, uint32_t launch, const int64_t *args,
                    uint32_t n, int64_t groups) {
    if (r->held >= s->n || s->freed != r->device->freed)
        return false;
    const Note *next = &s->notes[r->held];
    return next->launch == launch && next->n == n && next->groups == groups &&
           !memcmp(s->args + next->args, args, n * sizeof *args);
}

// False if one of them failed.
static bool launch_held(MgReplay *r, const Segment *s) {
    bool all = true;
    for (uint32_t i = 0; i < r->held; i++)
        all &=
            r->launch(r->run, s->notes[i].launch, s->args + s->notes[i].args, s->notes[i].groups);
    return all;
}

// Launches what is held back, and forgets what was expected after it.
static void differ(MgReplay *r, Segment *s) {
    launch_held(r, s);
    drop_recording(r, s);
    s->n = r->held;
    s->n_args = s->n ? s->notes[s->n - 1].args + s->notes[s->n - 1].n : 0;
    s->freed = r->device->freed;
    r->repeats = false;
}

void mg_replay_launch(MgReplay *r, uint32_t launch, const int64_t *args, uint32_t n,
                      int64_t groups) {
    if (r->now >= SEGMENTS) {
        r->launch(r->run, launch, args, groups);
        return;
    }
    Segment *s = &r->segments[r->now];
    if (r->repeats && is_next(r, s, launch, args, n, groups)) {
        r->held++;
        return;
    }
    if (r->repeats)
        differ(r, s);
    if (!s->n)
        s->freed = r->device->freed;
    note(s, launch, args, n, groups);
    r->launch(r->run, launch, args, groups);
}

// ---------------------------------------------------------------- segments

// A recording that lacks a launch, because that failed, is not kept: later runs would leave it out.
static void record(MgReplay *r, Segment *s) {
    const MgDeviceHost *host = r->device->host;
    MgHostDevice *driver = r->device->driver;
    MgHostRecording *recording = NULL;
    s->refused = true;
    if (host->record(driver, r->queue))
        return;
    bool all = launch_held(r, s);
    if (host->recorded(driver, r->queue, &recording))
        return;
    if (all)
        s->recording = recording;
    else
        host->free_recording(driver, recording);
}

static MgHostStatus replay(MgReplay *r, Segment *s) {
    if (!s->recording && !s->refused && s->n >= LEAST)
        record(r, s);
    if (s->recording)
        return r->device->host->replay(r->device->driver, r->queue, s->recording);
    launch_held(r, s);
    return 0;
}

static MgHostStatus end(MgReplay *r, uint32_t next) {
    MgHostStatus status = 0;
    Segment *s = r->now < SEGMENTS ? &r->segments[r->now] : NULL;
    if (s && r->repeats && r->held == s->n)
        status = replay(r, s);
    else if (s && r->repeats)
        differ(r, s);
    r->now = next;
    r->held = 0;
    r->repeats = next < SEGMENTS && r->segments[next].n;
    return status;
}

MgHostStatus mg_replay_end(MgReplay *r) {
    return r->now < SEGMENTS ? end(r, r->now + 1) : 0;
}

MgHostStatus mg_replay_restart(MgReplay *r) {
    return end(r, 0);
}

MgHostStatus mg_replay_finish(MgReplay *r) {
    return end(r, SEGMENTS);
}
