// Offline placement. A placement is an order of the blocks and a rule of fit: each block goes to a
// gap among the blocks placed before it that are alive at the same time. So the search is over
// orders: a few good ones first, then repairs of the best one, which move the block that makes the
// peak ahead of others.
//
// Effort is bounded by the number of comparisons, so that compile time does not depend on luck. If
// there are many blocks, a sweep over the steps places them first, in time n log n; the search
// follows if the sweep is not optimal and not too many blocks are alive at the same time.
#include "passes/schedule/plan/place.h"

#include <stdlib.h>
#include <string.h>

enum {
    EFFORT = 4000000, // comparisons of the repairs; some 10 ms
    MANY = 256,       // blocks
};

typedef enum Fit { LOWEST, TIGHTEST, N_FITS } Fit;

typedef struct Busy {
    int64_t offset, end;
} Busy;

typedef struct Search {
    MgBlockLife *lives;
    uint32_t n;
    uint32_t **near; // per block: the blocks alive at the same time
    uint32_t *n_near;
    uint32_t *order, *best_order, *rank;
    int64_t *best; // offsets of the best placement
    int64_t peak, bound;
    Fit fit;
    Busy *busy;
    uint64_t work, seed;
} Search;

int64_t *mg_place_alive(const MgBlockLife *lives, uint32_t n, uint32_t *steps, MgArena *scratch) {
    *steps = 0;
    for (uint32_t i = 0; i < n; i++)
        *steps = lives[i].last >= *steps ? lives[i].last + 1 : *steps;
    int64_t *alive = MG_NEW_N(scratch, int64_t, (size_t)*steps + 1);
    for (uint32_t i = 0; i < n; i++) {
        alive[lives[i].first] += lives[i].bytes;
        alive[lives[i].last + 1] -= lives[i].bytes;
    }
    for (uint32_t step = 1; step < *steps; step++)
        alive[step] += alive[step - 1];
    return alive;
}

int64_t mg_place_lower_bound(const MgBlockLife *lives, uint32_t n, MgArena *scratch) {
    uint32_t steps;
    const int64_t *alive = mg_place_alive(lives, n, &steps, scratch);
    int64_t most = 0;
    for (uint32_t i = 0; i < steps; i++)
        most = alive[i] > most ? alive[i] : most;
    return most;
}

static int by_first(const void *a, const void *b) {
    const MgBlockLife *x = *(MgBlockLife *const *)a, *y = *(MgBlockLife *const *)b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x < y ? -1 : x > y;
}

static int by_last(const void *a, const void *b) {
    const MgBlockLife *x = *(MgBlockLife *const *)a, *y = *(MgBlockLife *const *)b;
    return x->last != y->last ? (x->last < y->last ? -1 : 1) : (x < y ? -1 : x > y);
}

static MgBlockLife **sorted(Search *p, int (*by)(const void *, const void *), MgArena *scratch) {
    MgBlockLife **list = MG_NEW_N(scratch, MgBlockLife *, p->n);
    for (uint32_t i = 0; i < p->n; i++)
        list[i] = &p->lives[i];
    qsort(list, p->n, sizeof *list, by);
    return list;
}

// Finds for each block those alive at the same time; false if there are too many to search.
static bool find_near(Search *p, MgArena *scratch) {
    MgBlockLife **list = sorted(p, by_first, scratch);
    uint32_t *found = MG_NEW_N(scratch, uint32_t, p->n);
    uint64_t total = 0;
    p->n_near = MG_NEW_N(scratch, uint32_t, p->n);
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t k = i + 1; k < p->n && list[k]->first <= list[i]->last; k++) {
            p->n_near[list[i] - p->lives]++;
            p->n_near[list[k] - p->lives]++;
            if (++total > EFFORT && p->n > MANY)
                return false;
        }
    uint32_t **near = MG_NEW_N(scratch, uint32_t *, p->n);
    p->near = MG_NEW_N(scratch, uint32_t *, p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        near[i] = MG_NEW_N(scratch, uint32_t, p->n_near[i]);
        p->near[i] = MG_NEW_N(scratch, uint32_t, p->n_near[i]);
    }
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t k = i + 1; k < p->n && list[k]->first <= list[i]->last; k++) {
            uint32_t x = (uint32_t)(list[i] - p->lives), y = (uint32_t)(list[k] - p->lives);
            near[x][found[x]++] = y;
            near[y][found[y]++] = x;
        }
    memset(found, 0, p->n * sizeof *found);
    for (uint32_t i = 0; i < p->n; i++) // in the order of the blocks
        for (uint32_t k = 0; k < p->n_near[i]; k++)
            p->near[near[i][k]][found[near[i][k]]++] = i;
    return true;
}

// ---------------------------------------------------------------- one placement
static int by_offset(const void *a, const void *b) {
    const Busy *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int64_t gap(const Search *p, uint32_t m, int64_t bytes) {
    int64_t at = 0, found = -1, least = INT64_MAX;
    for (uint32_t i = 0; i < m; i++) {
        int64_t room = p->busy[i].offset - at;
        if (room >= bytes && p->fit == LOWEST)
            return at;
        if (room >= bytes && room < least) {
            least = room;
            found = at;
        }
        at = p->busy[i].end > at ? p->busy[i].end : at;
    }
    return found >= 0 ? found : at;
}

// Computes offsets in the given order, until the peak is no better than the best.
static int64_t place_in_order(Search *p) {
    int64_t peak = 0;
    for (uint32_t i = 0; i < p->n; i++)
        p->rank[p->order[i]] = i;
    for (uint32_t i = 0; i < p->n; i++) {
        MgBlockLife *life = &p->lives[p->order[i]];
        uint32_t m = 0, b = p->order[i];
        for (uint32_t k = 0; k < p->n_near[b]; k++) {
            const MgBlockLife *other = &p->lives[p->near[b][k]];
            if (p->rank[p->near[b][k]] < i)
                p->busy[m++] = (Busy){other->offset, other->offset + other->bytes};
        }
        p->work += p->n_near[b] + 4 * m;
        qsort(p->busy, m, sizeof *p->busy, by_offset);
        life->offset = gap(p, m, life->bytes);
        if (life->offset + life->bytes > peak)
            peak = life->offset + life->bytes;
    }
    return peak;
}

static bool attempt(Search *p, bool take_equal) {
    int64_t peak = place_in_order(p);
    if (peak > p->peak || (peak == p->peak && !take_equal))
        return false;
    p->peak = peak;
    memcpy(p->best_order, p->order, p->n * sizeof *p->order);
    for (uint32_t i = 0; i < p->n; i++)
        p->best[i] = p->lives[i].offset;
    return true;
}

// ---------------------------------------------------------------- many blocks
// Works like an allocator at run time: a block that begins takes a gap, one that ends leaves one.
// Gaps are listed by size, in classes of powers of two.
typedef struct Room { // a block's memory, or a gap
    int64_t offset, bytes;
    uint32_t below, above;  // its neighbours; 0: none
    uint32_t before, after; // gaps of its class; 0: none
    bool is_gap;
} Room;

typedef struct Sweep {
    Room *rooms; // from 1
    uint32_t n, top;
    uint32_t gaps[64]; // by class: the latest gap
    uint64_t filled;   // the classes that have a gap
} Sweep;

static uint32_t class_of(int64_t bytes) {
    return 63 - (uint32_t)__builtin_clzll((uint64_t)bytes | 1);
}

static void list_gap(Sweep *w, uint32_t id) {
    Room *r = &w->rooms[id];
    uint32_t c = class_of(r->bytes), after = w->gaps[c];
    r->is_gap = true;
    r->before = 0;
    r->after = after;
    if (after)
        w->rooms[after].before = id;
    w->gaps[c] = id;
    w->filled |= UINT64_C(1) << c;
}

static void unlist_gap(Sweep *w, uint32_t id) {
    Room *r = &w->rooms[id];
    uint32_t c = class_of(r->bytes);
    r->is_gap = false;
    if (r->after)
        w->rooms[r->after].before = r->before;
    if (r->before)
        w->rooms[r->before].after = r->after;
    else
        w->gaps[c] = r->after;
    if (!w->gaps[c])
        w->filled &= ~(UINT64_C(1) << c);
}

// Adds a room of `bytes` bytes above another, or above all.
static uint32_t room_above(Sweep *w, uint32_t below, int64_t bytes) {
    uint32_t id = ++w->n, above = below ? w->rooms[below].above : 0;
    int64_t offset = below ? w->rooms[below].offset + w->rooms[below].bytes : 0;
    w->rooms[id] = (Room){.offset = offset, .bytes = bytes, .below = below, .above = above};
    if (below)
        w->rooms[below].above = id;
    if (above)
        w->rooms[above].below = id;
    else
        w->top = id;
    return id;
}

// A gap that is large enough, nearly the smallest such gap, or 0.
static uint32_t gap_for(const Sweep *w, int64_t bytes) {
    enum { LOOKED_AT = 8 };
    uint32_t c = class_of(bytes), best = 0, id = w->gaps[c];
    for (uint32_t i = 0; i < LOOKED_AT && id; i++, id = w->rooms[id].after)
        if (w->rooms[id].bytes >= bytes && (!best || w->rooms[id].bytes < w->rooms[best].bytes))
            best = id;
    uint64_t larger = w->filled & ~(UINT64_MAX >> (63 - c));
    return best || !larger ? best : w->gaps[__builtin_ctzll(larger)];
}

static uint32_t take_room(Sweep *w, int64_t bytes) {
    uint32_t id = gap_for(w, bytes);
    if (!id && !(w->top && w->rooms[w->top].is_gap))
        return room_above(w, w->top, bytes);
    id = id ? id : w->top;
    unlist_gap(w, id);
    int64_t left = w->rooms[id].bytes - bytes;
    w->rooms[id].bytes = bytes;
    if (left > 0)
        list_gap(w, room_above(w, id, left));
    return id;
}

// Joins a gap with the one below it.
static void join(Sweep *w, uint32_t below, uint32_t id) {
    Room *r = &w->rooms[id];
    w->rooms[below].bytes += r->bytes;
    w->rooms[below].above = r->above;
    if (r->above)
        w->rooms[r->above].below = below;
    else
        w->top = below;
}

static void leave_room(Sweep *w, uint32_t id) {
    uint32_t above = w->rooms[id].above, below = w->rooms[id].below;
    if (above && w->rooms[above].is_gap) {
        unlist_gap(w, above);
        join(w, id, above);
    }
    if (below && w->rooms[below].is_gap) {
        unlist_gap(w, below);
        join(w, below, id);
        id = below;
    }
    list_gap(w, id);
}

// Places all blocks in one sweep over the steps.
static void sweep(Search *p, MgArena *scratch) {
    Sweep w = {.rooms = MG_NEW_N(scratch, Room, 2 * (size_t)p->n + 1)};
    MgBlockLife **begin = sorted(p, by_first, scratch), **end = sorted(p, by_last, scratch);
    uint32_t *room = MG_NEW_N(scratch, uint32_t, p->n);
    p->peak = 0;
    for (uint32_t i = 0, ended = 0; i < p->n; i++) {
        for (; end[ended]->last < begin[i]->first; ended++)
            leave_room(&w, room[end[ended] - p->lives]);
        uint32_t b = (uint32_t)(begin[i] - p->lives);
        room[b] = take_room(&w, begin[i]->bytes);
        p->best[b] = w.rooms[room[b]].offset;
        p->best_order[i] = b;
        if (p->best[b] + begin[i]->bytes > p->peak)
            p->peak = p->best[b] + begin[i]->bytes;
    }
}

// ---------------------------------------------------------------- orders
typedef struct Key {
    double key; // larger keys come first
    uint32_t first, block;
} Key;

static int by_key(const void *a, const void *b) {
    const Key *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return x->first != y->first ? (x->first < y->first ? -1 : 1)
                                : (x->block < y->block ? -1 : x->block > y->block);
}

static double size(const MgBlockLife *l) {
    return (double)l->bytes;
}
static double area(const MgBlockLife *l) {
    return (double)l->bytes * (l->last - l->first + 1.0);
}
static double length(const MgBlockLife *l) {
    return l->last - l->first + 1.0;
}
static double start(const MgBlockLife *l) {
    return -(double)l->first;
}
static double (*const keys[])(const MgBlockLife *) = {size, area, length, start};

static void sort(Search *p, double (*key)(const MgBlockLife *), Key *list) {
    for (uint32_t i = 0; i < p->n; i++)
        list[i] = (Key){key(&p->lives[i]), p->lives[i].first, i};
    qsort(list, p->n, sizeof *list, by_key);
    for (uint32_t i = 0; i < p->n; i++)
        p->order[i] = list[i].block;
}

static uint32_t below(Search *p, uint32_t n) { // Knuth's MMIX constants
    p->seed = p->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((p->seed >> 33) % n);
}

// Blocks that end at the peak are moved forward, and sometimes another one moves as well.
static void repair(Search *p) {
    memcpy(p->order, p->best_order, p->n * sizeof *p->order);
    uint32_t from = 0;
    for (uint32_t i = 0; i < p->n; i++)
        if (p->best[p->order[i]] + p->lives[p->order[i]].bytes == p->peak)
            from = i;
    if (below(p, 4) == 0)
        from = below(p, p->n);
    uint32_t to = from ? below(p, from) : below(p, p->n), block = p->order[from];
    if (to < from)
        memmove(p->order + to + 1, p->order + to, (from - to) * sizeof *p->order);
    else
        memmove(p->order + from, p->order + from + 1, (to - from) * sizeof *p->order);
    p->order[to] = block;
    p->fit = below(p, 2) ? LOWEST : TIGHTEST;
}

static void search(Search *p, MgArena *scratch) {
    Key *list = MG_NEW_N(scratch, Key, p->n);
    if (p->n > MANY)
        sweep(p, scratch);
    if (p->peak == p->bound || !find_near(p, scratch))
        return;
    for (uint32_t k = 0; k < sizeof keys / sizeof *keys && p->peak > p->bound; k++) {
        sort(p, keys[k], list);
        bool late = p->n > MANY && p->work >= EFFORT;
        for (p->fit = LOWEST; p->fit < N_FITS && p->peak > p->bound && !late; p->fit++)
            attempt(p, false);
    }
    while (p->peak > p->bound && p->work < EFFORT) {
        repair(p);
        attempt(p, true);
    }
}

// Blocks that are alive all the time, such as packed weights, share no bytes with others, so they
// lie below the rest, in any order. Places them, puts all other blocks into `rest`, and returns
// their bytes.
static int64_t stack_lasting(MgBlockLife *lives, uint32_t n, uint32_t *rest, uint32_t *n_rest) {
    uint32_t first = UINT32_MAX, last = 0;
    int64_t top = 0;
    for (uint32_t i = 0; i < n; i++) {
        first = lives[i].first < first ? lives[i].first : first;
        last = lives[i].last > last ? lives[i].last : last;
    }
    *n_rest = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (lives[i].first > first || lives[i].last < last) {
            rest[(*n_rest)++] = i;
            continue;
        }
        lives[i].offset = top;
        top += lives[i].bytes;
    }
    return top;
}

int64_t mg_place_blocks(MgBlockLife *lives, uint32_t n, MgArena *scratch) {
    uint32_t *rest = MG_NEW_N(scratch, uint32_t, n);
    Search p = {.peak = INT64_MAX, .seed = n};
    int64_t below_rest = stack_lasting(lives, n, rest, &p.n);
    if (!p.n)
        return below_rest;
    p.lives = MG_NEW_N(scratch, MgBlockLife, p.n);
    for (uint32_t i = 0; i < p.n; i++)
        p.lives[i] = lives[rest[i]];
    p.bound = mg_place_lower_bound(p.lives, p.n, scratch);
    p.order = MG_NEW_N(scratch, uint32_t, p.n);
    p.best_order = MG_NEW_N(scratch, uint32_t, p.n);
    p.rank = MG_NEW_N(scratch, uint32_t, p.n);
    p.best = MG_NEW_N(scratch, int64_t, p.n);
    p.busy = MG_NEW_N(scratch, Busy, p.n);
    search(&p, scratch);
    for (uint32_t i = 0; i < p.n; i++)
        lives[rest[i]].offset = below_rest + p.best[i];
    return below_rest + p.peak;
}
