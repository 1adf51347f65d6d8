#include "runtime/device_order.h"

#include <stdlib.h>
#include <string.h>

// The work is the square of the number of launches, and so is the memory (in bits).
enum { MOST_LAUNCHES = 4096, WORD = 64 };

typedef struct Live { // a use that later launches may have to wait for
    MgLaunchUse use;
    uint32_t launch;
} Live;

typedef struct Ordering {
    Live *live;
    uint32_t n_live;
    uint64_t *waits;     // by launch, a bit for each launch before it for which it waits
    uint64_t *wanted;    // a bit for each launch for which this one must wait
    uint32_t n_words;    // of a row of bits
    MgLaunchUse *ranges; // all that some launch writes, in order, apart from each other
    uint32_t n_ranges;
    uint32_t n_after, room;
} Ordering;

// ---------------------------------------------------------------- what is written

static int by_begin(const void *a, const void *b) {
    const MgLaunchUse *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static bool is_empty(const MgLaunchUse *use) {
    return use->begin >= use->end;
}

static void find_written(Ordering *o, const MgLaunchUse *uses, uint32_t n) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++)
        if (uses[i].writes && !is_empty(&uses[i]))
            o->ranges[found++] = uses[i];
    qsort(o->ranges, found, sizeof *o->ranges, by_begin);
    for (uint32_t i = 0; i < found; i++) {
        MgLaunchUse *last = o->n_ranges ? &o->ranges[o->n_ranges - 1] : NULL;
        if (!last || o->ranges[i].begin > last->end)
            o->ranges[o->n_ranges++] = o->ranges[i];
        else if (o->ranges[i].end > last->end)
            last->end = o->ranges[i].end;
    }
}

static bool meet(const MgLaunchUse *a, const MgLaunchUse *b) {
    return a->begin < b->end && b->begin < a->end;
}

// Must the later of two launches with these uses wait?
static bool conflict(const MgLaunchUse *a, const MgLaunchUse *b) {
    bool apart = a->part_of && a->part_of == b->part_of && a->begin != b->begin;
    return (a->writes || b->writes) && !apart && meet(a, b);
}

// Does some launch write any of it? Weights, which none does, keep no launch waiting.
static bool is_written(const Ordering *o, const MgLaunchUse *use) {
    uint32_t low = 0, high = o->n_ranges; // the first range that ends behind its beginning
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (o->ranges[middle].end > use->begin)
            high = middle;
        else
            low = middle + 1;
    }
    return low < o->n_ranges && meet(&o->ranges[low], use);
}

// ---------------------------------------------------------------- one launch

// Finds the launches for which a use must wait, and forgets uses that it covers: who meets them
// meets this one, too. The use of a part covers nothing, since other parts don't wait for it.
static void meet_live(Ordering *o, const MgLaunchUse *use, uint32_t launch) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < o->n_live; i++) {
        const Live *l = &o->live[i];
        bool waits = l->launch != launch && conflict(&l->use, use);
        if (waits)
            o->wanted[l->launch / WORD] |= 1ull << l->launch % WORD;
        bool covered = waits && use->writes && !use->part_of && use->begin <= l->use.begin &&
                       l->use.end <= use->end;
        if (!covered)
            o->live[kept++] = *l;
    }
    o->n_live = kept;
    o->live[o->n_live++] = (Live){*use, launch};
}

static bool push(Ordering *o, MgLaunchOrder *order, uint32_t launch) {
    if (o->n_after == o->room) {
        uint32_t room = 2 * o->room + 64;
        uint32_t *after = realloc(order->after, room * sizeof *after);
        if (!after)
            return false;
        order->after = after;
        o->room = room;
    }
    order->after[o->n_after++] = launch;
    return true;
}

// From the latest to the first, so that what a later one waits for is known to be waited for.
static bool wait_for_wanted(Ordering *o, MgLaunchOrder *order, uint32_t launch) {
    uint64_t *row = o->waits + (size_t)launch * o->n_words;
    for (uint32_t other = launch; other-- > 0;) {
        uint64_t bit = 1ull << other % WORD;
        if (!(o->wanted[other / WORD] & bit) || row[other / WORD] & bit)
            continue;
        if (!push(o, order, other))
            return false;
        const uint64_t *its = o->waits + (size_t)other * o->n_words;
        for (uint32_t w = 0; w < o->n_words; w++)
            row[w] |= its[w];
        row[other / WORD] |= bit;
    }
    return true;
}

static bool order_all(Ordering *o, const MgLaunchUse *uses, const uint32_t *first_use, uint32_t n,
                      MgLaunchOrder *order) {
    find_written(o, uses, first_use[n]);
    for (uint32_t i = 0; i < n; i++) {
        order->first[i] = o->n_after;
        memset(o->wanted, 0, o->n_words * sizeof *o->wanted);
        for (uint32_t k = first_use[i]; k < first_use[i + 1]; k++)
            if (!is_empty(&uses[k]) && is_written(o, &uses[k]))
                meet_live(o, &uses[k], i);
        if (!wait_for_wanted(o, order, i))
            return false;
    }
    order->first[n] = o->n_after;
    return true;
}

bool mg_order_launches(const MgLaunchUse *uses, const uint32_t *first_use, uint32_t n,
                       MgLaunchOrder *order) {
    *order = (MgLaunchOrder){0};
    if (n > MOST_LAUNCHES)
        return false;
    Ordering o = {.n_words = n / WORD + 1};
    size_t n_uses = (size_t)first_use[n] + 1;
    order->first = calloc((size_t)n + 1, sizeof *order->first);
    o.live = calloc(n_uses, sizeof *o.live);
    o.ranges = calloc(n_uses, sizeof *o.ranges);
    o.waits = calloc((size_t)n * o.n_words + 1, sizeof *o.waits);
    o.wanted = calloc(o.n_words, sizeof *o.wanted);
    bool ok = order->first && o.live && o.ranges && o.waits && o.wanted &&
              order_all(&o, uses, first_use, n, order);
    free(o.live);
    free(o.ranges);
    free(o.waits);
    free(o.wanted);
    if (!ok)
        mg_order_free(order);
    return ok;
}

void mg_order_free(MgLaunchOrder *order) {
    free(order->first);
    free(order->after);
    *order = (MgLaunchOrder){0};
}
