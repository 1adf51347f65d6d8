// Offline placement. A placement is an order of the blocks and a rule of fit: each block goes to a
// gap among those placed before it that are alive with it. So the search is over orders: a few good
// ones first, then repairs of the best, in which the block that makes the peak goes before others.
//
// Effort is bounded by the number of comparisons, so that compile time does not depend on luck.
#include "passes/schedule/place.h"

#include <stdlib.h>
#include <string.h>

enum { EFFORT = 4000000 }; // comparisons of the repairs; some 10 ms

typedef enum Fit { LOWEST, TIGHTEST, N_FITS } Fit;

typedef struct Busy {
    int64_t offset, end;
} Busy;

typedef struct Search {
    MgBlockLife *lives;
    uint32_t n;
    uint32_t **near; // per block: those alive with it
    uint32_t *n_near;
    uint32_t *order, *best_order, *rank;
    int64_t *best; // offsets of the best placement
    int64_t peak, bound;
    Fit fit;
    Busy *busy;
    uint64_t work, seed;
} Search;

int64_t mg_place_lower_bound(const MgBlockLife *lives, uint32_t n, MgArena *scratch) {
    uint32_t steps = 0;
    for (uint32_t i = 0; i < n; i++)
        steps = lives[i].last >= steps ? lives[i].last + 1 : steps;
    int64_t *change = MG_NEW_N(scratch, int64_t, (size_t)steps + 1), most = 0, now = 0;
    for (uint32_t i = 0; i < n; i++) {
        change[lives[i].first] += lives[i].bytes;
        change[lives[i].last + 1] -= lives[i].bytes;
    }
    for (uint32_t i = 0; i < steps; i++) {
        now += change[i];
        most = now > most ? now : most;
    }
    return most;
}

bool mg_blocks_together(const MgBlockLife *a, const MgBlockLife *b) {
    return a->first <= b->last && b->first <= a->last;
}

static void find_near(Search *p, MgArena *scratch) {
    uint32_t *list = MG_NEW_N(scratch, uint32_t, p->n);
    p->near = MG_NEW_N(scratch, uint32_t *, p->n);
    p->n_near = MG_NEW_N(scratch, uint32_t, p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t m = 0;
        for (uint32_t k = 0; k < p->n; k++)
            if (k != i && mg_blocks_together(&p->lives[i], &p->lives[k]))
                list[m++] = k;
        p->near[i] = mg_arena_copy(scratch, list, m, sizeof *list);
        p->n_near[i] = m;
    }
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

// Offsets in the given order, until the peak is no better than the best.
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

// ---------------------------------------------------------------- orders
typedef struct Key {
    double key; // larger first
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

// Blocks that end at the peak go forward, and now and then another changes places.
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
    find_near(p, scratch);
    for (uint32_t k = 0; k < sizeof keys / sizeof *keys && p->peak > p->bound; k++) {
        sort(p, keys[k], list);
        for (p->fit = LOWEST; p->fit < N_FITS && p->peak > p->bound; p->fit++)
            attempt(p, false);
    }
    while (p->peak > p->bound && p->work < EFFORT) {
        repair(p);
        attempt(p, true);
    }
}

// What is alive all the time, such as packed weights, shares no byte with anything: it lies below
// the rest in any order. Puts it there, and the rest of the blocks into `rest`; its bytes.
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
