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

// The launches of a run's segment.
typedef struct Notes {
    Note *notes;
    int64_t *args;
    uint32_t n, room;
    size_t n_args, args_room;
    uint64_t freed; // the device's `freed` at the time of the notes
    MgHostRecording *recording;
    bool refused; // the driver can't record it
} Notes;

typedef struct Segment {
    Notes runs[2];  // those of two runs that differ, as if two places of a value are swapped
    uint32_t which; // the one that is repeated, or noted, now
} Segment;

struct MgReplay {
    MgDevice *device;
    MgHostQueue *queue;
    MgReplayLaunch *launch;
    MgReplayUses *uses;
    void *run;
    Segment segments[SEGMENTS];
    uint32_t now;  // the segment
    uint32_t held; // so many of its launches were repeated and are held back
    bool repeats;  // all launches of the segment so far repeated its notes
};

MgReplay *mg_replay_new(MgDevice *device, MgHostQueue *queue, MgReplayLaunch *launch,
                        MgReplayUses *uses, void *run) {
    MgReplay *r = device->host->record ? calloc(1, sizeof *r) : NULL;
    if (r)
        *r = (MgReplay){
            .device = device, .queue = queue, .launch = launch, .uses = uses, .run = run};
    return r;
}

static void drop_recording(MgReplay *r, Notes *s) {
    if (s->recording)
        r->device->host->free_recording(r->device->driver, s->recording);
    s->recording = NULL;
    s->refused = false;
}

void mg_replay_free(MgReplay *r) {
    if (!r)
        return;
    for (uint32_t i = 0; i < 2 * SEGMENTS; i++) {
        Notes *notes = &r->segments[i / 2].runs[i % 2];
        drop_recording(r, notes);
        free(notes->notes);
        free(notes->args);
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
static void note(Notes *s, uint32_t launch, const int64_t *args, uint32_t n, int64_t groups) {
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

static bool is_next(const MgReplay *r, const Notes *s, uint32_t launch, const int64_t *args,
                    uint32_t n, int64_t groups) {
    if (r->held >= s->n || s->freed != r->device->freed)
        return false;
    const Note *next = &s->notes[r->held];
    return next->launch == launch && next->n == n && next->groups == groups &&
           !memcmp(s->args + next->args, args, n * sizeof *args);
}

// False if one of them failed.
static bool launch_held(MgReplay *r, const Notes *s) {
    bool all = true;
    for (uint32_t i = 0; i < r->held; i++)
        all &=
            r->launch(r->run, s->notes[i].launch, s->args + s->notes[i].args, s->notes[i].groups);
    return all;
}

static Notes *current(Segment *s) {
    return &s->runs[s->which];
}

// Did both begin with the same n launches?
static bool begin_alike(const Notes *a, const Notes *b, uint32_t n) {
    bool alike = a->n >= n && b->n >= n;
    for (uint32_t i = 0; i < n && alike; i++) {
        const Note *x = &a->notes[i], *y = &b->notes[i];
        alike = x->launch == y->launch && x->n == y->n && x->groups == y->groups &&
                !memcmp(a->args + x->args, b->args + y->args, x->n * sizeof *a->args);
    }
    return alike;
}

// Makes the other run's notes the current ones if what is held back repeats them, too.
static bool turn_to_other(const MgReplay *r, Segment *s) {
    const Notes *other = &s->runs[1 - s->which];
    bool alike =
        other->n && other->freed == r->device->freed && begin_alike(current(s), other, r->held);
    if (alike)
        s->which = 1 - s->which;
    return alike;
}

// Launches what is held back. The other run's notes begin with it, and go on with what follows.
static void differ(MgReplay *r, Segment *s) {
    Notes *held = current(s);
    launch_held(r, held);
    s->which = 1 - s->which;
    Notes *new = current(s);
    drop_recording(r, new);
    new->n = 0;
    new->n_args = 0;
    new->freed = r->device->freed;
    for (uint32_t i = 0; i < r->held; i++) {
        const Note *one = &held->notes[i];
        note(new, one->launch, held->args + one->args, one->n, one->groups);
    }
    if (held->freed != r->device->freed) { // it is never repeated again
        drop_recording(r, held);
        held->n = 0;
    }
    r->repeats = false;
}

void mg_replay_launch(MgReplay *r, uint32_t launch, const int64_t *args, uint32_t n,
                      int64_t groups) {
    if (r->now >= SEGMENTS) {
        r->launch(r->run, launch, args, groups);
        return;
    }
    Segment *s = &r->segments[r->now];
    Notes *other = &s->runs[1 - s->which];
    if (r->repeats && (is_next(r, current(s), launch, args, n, groups) ||
                       (is_next(r, other, launch, args, n, groups) && turn_to_other(r, s)))) {
        r->held++;
        return;
    }
    if (r->repeats)
        differ(r, s);
    if (!current(s)->n)
        current(s)->freed = r->device->freed;
    note(current(s), launch, args, n, groups);
    r->launch(r->run, launch, args, groups);
}

// ---------------------------------------------------------------- segments

// Finds which of the segment's launches wait for which. False if that is not known: each waits for
// the one before it then.
static bool find_order(MgReplay *r, const Notes *s, MgLaunchOrder *order) {
    uint32_t *first = calloc((size_t)s->n + 1, sizeof *first), n = 0;
    for (uint32_t i = 0; first && i < s->n; i++) {
        first[i] = n;
        n += r->uses(r->run, s->notes[i].launch, s->args + s->notes[i].args, NULL);
    }
    MgLaunchUse *uses = first ? calloc((size_t)n + 1, sizeof *uses) : NULL;
    bool ok = uses != NULL;
    if (ok)
        first[s->n] = n;
    for (uint32_t i = 0; ok && i < s->n; i++)
        r->uses(r->run, s->notes[i].launch, s->args + s->notes[i].args, uses + first[i]);
    ok = ok && mg_order_launches(uses, first, s->n, order);
    free(first);
    free(uses);
    return ok;
}

// Launches what is held back, into the recording. False if one of them failed.
static bool launch_in_order(MgReplay *r, const Notes *s) {
    const MgDeviceHost *host = r->device->host;
    MgLaunchOrder order;
    if (!find_order(r, s, &order))
        return launch_held(r, s);
    bool all = true;
    for (uint32_t i = 0; i < s->n; i++) {
        const uint32_t *after = order.after + order.first[i];
        all &=
            !host->record_after(r->device->driver, r->queue, after,
                                order.first[i + 1] - order.first[i]) &&
            r->launch(r->run, s->notes[i].launch, s->args + s->notes[i].args, s->notes[i].groups);
    }
    mg_order_free(&order);
    return all;
}

// A recording that lacks a launch, because that failed, is not kept: later runs would leave it out.
static void record(MgReplay *r, Notes *s) {
    const MgDeviceHost *host = r->device->host;
    MgHostDevice *driver = r->device->driver;
    MgHostRecording *recording = NULL;
    s->refused = true;
    if (host->record(driver, r->queue))
        return;
    bool all = launch_in_order(r, s);
    if (host->recorded(driver, r->queue, &recording))
        return;
    if (all)
        s->recording = recording;
    else
        host->free_recording(driver, recording);
}

static MgHostStatus replay(MgReplay *r, Notes *s) {
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
    bool repeats = s && r->repeats;
    if (repeats &&
        (r->held == current(s)->n || (r->held == s->runs[1 - s->which].n && turn_to_other(r, s))))
        status = replay(r, current(s));
    else if (repeats)
        differ(r, s);
    r->now = next;
    r->held = 0;
    r->repeats = next < SEGMENTS && current(&r->segments[next])->n;
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
