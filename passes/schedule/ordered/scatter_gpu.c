// Scatters of many contributions that may collide, on a GPU: those to the same place are sorted
// together.
//
// Contributions that differ in shared indices never collide. The others are numbered in their
// order, and have a key: the target's subscripts that don't move with shared indices. Their numbers
// are sorted by key, stably. Then the item that has the first of several equal keys adds all their
// contributions, in order. So each place gets the definition's result, bit for bit. Keys that vary
// with shared indices form rows, which are sorted in parallel.
//
// A few places with many contributions each would keep few items busy. If sums may be added up in
// another order, positions of the sorted order therefore form blocks. An item adds equal keys only
// to the end of its block. What a block adds for a key that began in an earlier block is its head,
// and a last step adds the heads of a key to its place.
//
// An item waits for the position, then for the contribution, so it has two vectors of them if it
// can.
#include "ir/equation.h"
#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/ordered/scatter.h"
#include "passes/schedule/words.h"

enum { MOST_SORTED = 1 << 22 }; // contributions, since sorting takes memory

typedef struct Digits { // indices, the last one the fastest
    uint32_t which[MG_FORM_SYMS], n;
    MgIx count;
} Digits;

struct MgTogether {
    Digits own, rows, all;        // indices of a row; those in which rows differ; all shared ones
    MgKBufId keys, order, sorted; // sorted: the keys in their order
    int64_t block;                // positions of a block; 0: there are no blocks
    MgIx blocks;                  // of a row
    MgKBufId heads;
    int64_t nowhere;      // the key of a contribution outside, which is sorted after all others
    uint32_t lane, lanes; // the last shared index and the number of its values that an item takes
    bool lead;            // the subscripts of a key stand before all others
};
typedef struct MgTogether Together;

static void add_digit(const MgScatter *sc, Digits *d, uint32_t i) {
    MgIxTable *t = sc->s->ix;
    if (!d->n)
        d->count = mg_ix_const(t, 1);
    d->which[d->n++] = i;
    d->count = mg_ix_mul(t, d->count, mg_index_extent(t, &sc->piece->indices[i]));
}

static bool differs_in(const MgScatter *sc, uint32_t i) {
    bool found = false;
    uint32_t rank = mg_value(sc->s->g, sc->result)->rank;
    for (uint32_t r = 0; r < rank && !found; r++)
        found =
            !(sc->apart.moving >> r & 1) && mg_sx_mentions(sc->s->m, sc->piece->target[r].sub, i);
    return found;
}

static bool find_digits(const MgScatter *sc, Together *all) {
    MgIxTable *t = sc->s->ix;
    all->own.count = all->rows.count = all->all.count = mg_ix_const(t, 1);
    for (uint32_t i = 0; i < sc->piece->n_indices; i++) {
        if (mg_ix_mentions_index(t, sc->piece->indices[i].low) ||
            mg_ix_mentions_index(t, sc->piece->indices[i].high))
            return false;
        if (!(sc->apart.set >> i & 1))
            add_digit(sc, &all->own, i);
    }
    for (uint32_t j = 0; j < sc->apart.n; j++) {
        add_digit(sc, &all->all, sc->apart.ones[j]);
        if (differs_in(sc, sc->apart.ones[j]))
            add_digit(sc, &all->rows, sc->apart.ones[j]);
    }
    return true;
}

bool mg_gpu_scatter_fits(const MgScatter *sc) {
    MgIxTable *t = sc->s->ix;
    Together all = {0};
    int64_t own, rows;
    return sc->s->options->level >= 2 && sc->s->options->target.max_items >= MG_GPU_SORT_ITEMS &&
           find_digits(sc, &all) && mg_ix_is_const(t, all.own.count, &own) &&
           mg_ix_is_const(t, all.rows.count, &rows) && own > 0 && rows > 0 &&
           own <= MOST_SORTED / rows;
}

bool mg_gpu_scatter_pays(const MgScatter *sc) {
    MgIxTable *t = sc->s->ix;
    Together all = {0};
    int64_t own, shared;
    find_digits(sc, &all);
    // With few contributions in a row, or many items with work, an item adds the contributions of a
    // row.
    return mg_ix_is_const(t, all.own.count, &own) && mg_ix_is_const(t, all.all.count, &shared) &&
           own >= mg_figure(sc->s, place_row) && shared > 0 &&
           shared < mg_figure(sc->s, place_items);
}

// May contributions be joined in any order?
static bool joins(const MgScatter *sc) {
    MgReducer reducer = sc->piece->reducer;
    MgIdentity identity = mg_reducer(reducer)->empty;
    bool rounds = mg_is_float(sc->type) && mg_reduce_order(reducer) == MG_ORDER_SUM;
    return identity != MG_IDENTITY_NONE && identity != MG_IDENTITY_NAN &&
           !(rounds && sc->s->options->strict);
}

// More than any key, and as few as possible, since keys are sorted by their bits.
static int64_t places_of(const MgScatter *sc) {
    MgIxTable *t = sc->s->ix;
    const MgValue *result = mg_value(sc->s->g, sc->result);
    int64_t least, most, places = 1;
    for (uint32_t r = 0; r < result->rank; r++) {
        if (sc->apart.moving >> r & 1)
            continue;
        mg_ix_interval(t, mg_bound_of(sc->s, result->shape[r]), NULL, &least, &most);
        places = most > 0 && places < INT64_MAX / most ? places * most : INT64_MAX - 1;
    }
    return places;
}

static bool keys_lead(const MgScatter *sc) {
    bool lead = true;
    for (uint32_t r = 1; r < mg_value(sc->s->g, sc->result)->rank; r++)
        lead &= sc->apart.moving >> r & 1 || !(sc->apart.moving >> (r - 1) & 1);
    return lead;
}

// Neighbouring contributions go to neighbouring elements, if the last shared index runs along them.
static void choose_lanes(const MgScatter *sc, Together *all) {
    uint32_t lanes = mg_kb_lanes(&sc->kb, sc->type), n = all->all.n;
    uint32_t last = mg_value(sc->s->g, sc->result)->rank - 1;
    all->lanes = 1;
    if (!n || !(sc->apart.moving >> last & 1))
        return;
    all->lane = all->all.which[n - 1];
    int64_t extent = mg_form_extent(sc->s, &sc->piece->indices[all->lane]);
    if (extent > 0 && extent % lanes == 0 && mg_scatter_takes_lanes(sc, all->lane))
        all->lanes = extent % (2 * lanes) ? lanes : 2 * lanes;
}

Together *mg_gpu_scatter_begin(MgScatter *sc) {
    Together *all = MG_NEW(sc->s->arena, Together);
    MgIxTable *t = sc->s->ix;
    find_digits(sc, all);
    choose_lanes(sc, all);
    all->lead = keys_lead(sc);
    all->nowhere = places_of(sc);
    if (joins(sc)) {
        all->block = (int64_t)mg_figure(sc->s, place_block);
        all->blocks = mg_ix_ceil_div(t, all->own.count, mg_ix_const(t, all->block));
        MgIx heads = mg_ix_mul(t, all->blocks, all->all.count);
        all->heads = mg_kb_common(&sc->kb, "heads", sc->type, heads);
    }
    MgIx n = mg_ix_mul(sc->s->ix, all->rows.count, all->own.count);
    all->keys = mg_kb_common(&sc->kb, "keys", MG_I64, n);
    all->order = mg_kb_common(&sc->kb, "order", MG_I64, n);
    all->sorted = mg_kb_common(&sc->kb, "sorted", MG_I64, n);
    sc->kb.k->items = MG_GPU_SORT_ITEMS;
    return all;
}

static const MgKx *get(MgScatter *sc, MgKBufId buf, const MgKx *at) {
    return loaded(sc->kb.k, buf, at, 1);
}

// A vector of contributions, or of their sums.
static const MgKx *get_lanes(MgScatter *sc, const Together *all, MgKBufId buf, const MgKx *at) {
    return loaded(sc->kb.k, buf, at, all->lanes);
}

static const MgKx *count_of(MgScatter *sc, const Digits *d) {
    return mg_kb_ix(&sc->kb, d->count, sc->at.loop);
}

// Sets the indices from their number.
static void set_digits(MgScatter *sc, MgKBlock *block, const Digits *d, const MgKx *number) {
    MgKDigit digits[MG_FORM_SYMS];
    for (uint32_t j = 0; j < d->n; j++)
        digits[j] = mg_loops_digit(&sc->at, &sc->kb, d->which[j]);
    mg_kb_digits(&sc->kb, block, digits, d->n, number, sc->at.loop);
}

// The number of the indices' point.
static const MgKx *number_of(MgScatter *sc, const Digits *d) {
    MgKernel *k = sc->kb.k;
    const MgKx *number = num(k, 0);
    for (uint32_t j = 0; j < d->n; j++) {
        MgKDigit digit = mg_loops_digit(&sc->at, &sc->kb, d->which[j]);
        number = mul(k, number, digit.size);
        number = add(k, number, sub(k, sc->at.loop[digit.index], digit.low));
    }
    return number;
}

static void make_keys(MgScatter *sc, const Together *all) {
    MgKernel *k = sc->kb.k;
    MgKBlock *block = &k->body;
    const MgKx *own = count_of(sc, &all->own);
    const MgKx *number = mg_kb_share(&sc->kb, &block, "i", mul(k, count_of(sc, &all->rows), own));
    store(k, block, all->keys, number, num(k, all->nowhere));
    for (uint32_t j = 0; j < all->all.n; j++) // keys differ in no index but those of rows
        sc->at.loop[all->all.which[j]] =
            mg_kb_ix(&sc->kb, sc->at.low[all->all.which[j]], sc->at.loop);
    set_digits(sc, block, &all->rows, named(k, block, "row", quotient(k, number, own)));
    set_digits(sc, block, &all->own, named(k, block, "own", remainder_of(k, number, own)));
    MgPoint p = mg_scatter_point(sc, block);
    const MgKx *key = mg_point_place(&p, sc->piece, ~sc->apart.moving);
    store(k, p.block, all->keys, number, key);
}

// The key of the contribution at a position of the order, in the row that begins at `row`.
static const MgKx *key_at(MgScatter *sc, const Together *all, MgKBlock *block, const MgKx *row,
                          const MgKx *position) {
    MgKernel *k = sc->kb.k;
    return named(k, block, "key", get(sc, all->sorted, add(k, row, position)));
}

static const MgKx *is_first_of_block(MgScatter *sc, const Together *all, const MgKx *position) {
    MgKernel *k = sc->kb.k;
    return equal(k, modulo(k, position, all->block), num(k, 0));
}

// Is the contribution the first with its key?
static const MgKx *is_first(MgScatter *sc, const Together *all, MgKBlock *block, const MgKx *row,
                            const MgKx *position, const MgKx *key) {
    MgKernel *k = sc->kb.k;
    const MgKx *zero = num(k, 0), *before = minus(k, position, 1);
    before = named(k, block, "before", greatest(k, before, zero));
    const MgKx *other = bin(k, MG_PRIM_NE, key_at(sc, all, block, row, before), key);
    return named(k, block, "first", either(k, other, equal(k, position, zero)));
}

// The number of a block's head in `heads`.
static const MgKx *head(MgScatter *sc, const Together *all, const MgKx *block, const MgKx *point) {
    MgKernel *k = sc->kb.k;
    return add(k, mul(k, block, count_of(sc, &all->all)), point);
}

static const MgKx *identity(const MgScatter *sc, const Together *all) {
    MgKernel *k = sc->kb.k;
    MgKType compute = mg_kt(mg_dtype(sc->type)->compute, all->lanes);
    return cast(k, sc->type, mg_reduce_identity(k, sc->piece->reducer, compute));
}

// The elements that a key has in the target, if it leads.
static MgIx elements_of_key(const MgScatter *sc) {
    const MgValue *result = mg_value(sc->s->g, sc->result);
    MgIx n = mg_ix_const(sc->s->ix, 1);
    for (uint32_t r = 0; r < result->rank; r++)
        if (sc->apart.moving >> r & 1)
            n = mg_ix_mul(sc->s->ix, n, result->shape[r]);
    return n;
}

// The target's element for the key at a position, whose other subscripts are at sc->at. If the key
// leads, it needs no contribution's subscripts, which would be loaded again.
static const MgKx *place_of(MgScatter *sc, const Together *all, MgKBlock **block, const MgKx *key,
                            const MgKx *position) {
    MgKernel *k = sc->kb.k;
    if (!all->lead)
        set_digits(sc, *block, &all->own, get(sc, all->order, position));
    MgPoint p = mg_scatter_point(sc, *block);
    const MgKx *at = mg_point_place(&p, sc->piece, all->lead ? sc->apart.moving : UINT64_MAX);
    *block = p.block;
    if (all->lead)
        at = add(k, mul(k, key, mg_kb_ix(&sc->kb, elements_of_key(sc), sc->at.loop)), at);
    return named(k, *block, "at", at);
}

// A loop over positions, or over blocks, and what it has added up.
typedef struct Run {
    MgKBufId acc, next, more;
    MgKBlock *body;
    const MgKx *now;
} Run;

static Run open_run(MgScatter *sc, MgKBlock *block, const MgKx *acc, const MgKx *from) {
    MgKernel *k = sc->kb.k;
    Run r;
    r.acc = mg_kb_held(&sc->kb, block, "acc", acc);
    r.next = mg_kb_held(&sc->kb, block, "next", from);
    r.more = mg_kb_held(&sc->kb, block, "more", num(k, 1));
    r.body = &mg_kwhile(k, block, bin(k, MG_PRIM_NE, held(k, r.more), num(k, 0)))->body;
    r.now = named(k, r.body, "now", held(k, r.next));
    return r;
}

// The loop goes on at `after` if `more` holds.
static void close_run(MgScatter *sc, const Run *r, const MgKx *after, const MgKx *more) {
    MgKernel *k = sc->kb.k;
    set_held(k, r->body, r->next, after);
    set_held(k, r->body, r->more, where(k, more, num(k, 1), num(k, 0)));
}

// The position behind the last one with the key, from a position on: below `high`.
static const MgKx *end_of_key(MgScatter *sc, const Together *all, MgKBlock *block, const MgKx *row,
                              const MgKx *position, const MgKx *key, const MgKx *high) {
    MgKernel *k = sc->kb.k;
    MgKBufId end = mg_kb_held(&sc->kb, block, "end", plus(k, position, 1));
    const MgKx *now = held(k, end), *there = add(k, row, least(k, now, minus(k, high, 1)));
    const MgKx *same = equal(k, get(sc, all->sorted, there), key);
    MgKs *loop = mg_kwhile(k, block, both(k, less(k, now, high), same));
    set_held(k, &loop->body, end, plus(k, now, 1));
    return named(k, block, "end", held(k, end));
}

// The contributions of an item at sc->at.
static MgPoint contributions(MgScatter *sc, const Together *all, MgKBlock *block) {
    MgPoint p = mg_scatter_point(sc, block);
    return all->lanes == 1 ? p : mg_vector_of(p, (int)all->lane, all->lanes, NULL);
}

// Adds the contributions at positions from low to high of the order, one after another, `side` of
// them in a trip, so that their loads are in flight together.
static void add_positions(MgScatter *sc, const Together *all, MgKBlock *block, const MgKx *row,
                          MgKBufId acc, const MgKx *low, const MgKx *high) {
    enum { MOST_SIDE = 32 };
    MgKernel *k = sc->kb.k;
    int64_t side = (int64_t)mg_figure(sc->s, row_flight);
    side = side < MOST_SIDE ? side : MOST_SIDE;
    const MgKx *x[MOST_SIDE], *whole = times(k, over(k, sub(k, high, low), side), side);
    whole = named(k, block, "whole", add(k, low, whole));
    for (int tail = 0; tail < 2; tail++) {
        int64_t n = tail ? 1 : side;
        Loop loop = each_from(k, block, "v", tail ? whole : low, tail ? high : whole, n);
        MgPoint p = contributions(sc, all, loop.body);
        for (int64_t i = 0; i < n; i++) {
            const MgKx *at = add(k, row, plus(k, loop.at, i));
            set_digits(sc, p.block, &all->own, named(k, p.block, "which", get(sc, all->order, at)));
            p = contributions(sc, all, p.block);
            const MgKx *own = mg_ksplat(k, mg_point_expr(&p, sc->piece->expr), all->lanes);
            x[i] = named(k, p.block, "x", own);
        }
        for (int64_t i = 0; i < n; i++)
            mg_scatter_add(sc, &p, acc, num(k, 0), x[i]);
    }
}

// Adds the contributions with the key from a position of the order on, to the end of its block if
// there are blocks.
static void add_equals(MgScatter *sc, const Together *all, MgKBlock *block, const MgKx *row,
                       const MgKx *position, const MgKx *point) {
    MgKernel *k = sc->kb.k;
    const MgKx *high = count_of(sc, &all->own);
    const MgKx *key = key_at(sc, all, block, row, position);
    const MgKx *first = is_first(sc, all, block, row, position, key), *begins = first;
    if (all->block)
        begins = either(k, first, is_first_of_block(sc, all, position));
    block = block_if(k, block, both(k, begins, bin(k, MG_PRIM_NE, key, num(k, all->nowhere))));
    const MgKx *at = place_of(sc, all, &block, key, add(k, row, position));
    const MgKx *begin = identity(sc, all); // of all places, unless there is a base
    if (sc->base && !all->block)
        begin = get_lanes(sc, all, sc->sum, at);
    if (all->block) { // the place is loaded and stored by the item of the first block only
        const MgKx *next = times(k, plus(k, over(k, position, all->block), 1), all->block);
        high = least(k, high, next);
        if (sc->base) {
            const MgKx *loads = mg_ksplat(k, first, all->lanes);
            begin = mg_kload(k, sc->sum, at, all->lanes, loads, begin);
        }
    }
    const MgKx *end = end_of_key(sc, all, block, row, position, key, high);
    MgKBufId acc = mg_kb_held(&sc->kb, block, "acc", begin);
    add_positions(sc, all, block, row, acc, position, end);
    const MgKx *sum = held(k, acc);
    if (!all->block) {
        store(k, block, sc->sum, at, sum);
        return;
    }
    MgKs *whose = mg_kif(k, block, first);
    store(k, &whose->body, sc->sum, at, sum);
    const MgKx *number = over(k, position, all->block);
    store(k, &whose->orelse, all->heads, head(sc, all, number, point), sum);
}

// Opens the trips over some positions, or blocks, of all rows, and over vectors of the shared
// indices, which it sets. Returns the position, the number of the shared indices' first point, and
// where the row begins.
static const MgKx *open_trips(MgScatter *sc, const Together *all, MgKBlock **block,
                              const MgKx *positions, const MgKx **point, const MgKx **row) {
    MgKernel *k = sc->kb.k;
    const MgKx *shared = over(k, count_of(sc, &all->all), all->lanes);
    const MgKx *number = mg_kb_share(&sc->kb, block, "i", mul(k, positions, shared));
    const MgKx *position = named(k, *block, "position", quotient(k, number, shared));
    *point = times(k, remainder_of(k, number, shared), all->lanes);
    *point = named(k, *block, "point", *point);
    set_digits(sc, *block, &all->all, *point);
    *row = named(k, *block, "row", mul(k, number_of(sc, &all->rows), count_of(sc, &all->own)));
    return position;
}

// Adds the heads of a key to its place. The item of the first head does it.
static void add_heads(MgScatter *sc, const Together *all) {
    MgKernel *k = sc->kb.k;
    MgKBlock *block = &k->body;
    const MgKx *zero = num(k, 0), *one = num(k, 1), *size = num(k, all->block), *point, *row;
    const MgKx *blocks = mg_kb_ix(&sc->kb, all->blocks, sc->at.loop);
    const MgKx *rest = sub(k, blocks, one);
    const MgKx *before = open_trips(sc, all, &block, rest, &point, &row);
    const MgKx *number = named(k, block, "number", add(k, before, one));
    const MgKx *begin = named(k, block, "begin", mul(k, number, size));
    const MgKx *key = key_at(sc, all, block, row, begin);
    const MgKx *last = named(k, block, "last", sub(k, begin, one));
    const MgKx *earlier = sub(k, last, size);
    earlier = named(k, block, "earlier", greatest(k, earlier, zero));
    const MgKx *goes_on = equal(k, key_at(sc, all, block, row, last), key);
    const MgKx *leads = either(k, equal(k, before, zero),
                               bin(k, MG_PRIM_NE, key_at(sc, all, block, row, earlier), key));
    const MgKx *there = bin(k, MG_PRIM_NE, key, num(k, all->nowhere));
    block = block_if(k, block, both(k, both(k, goes_on, leads), there));
    const MgKx *at = place_of(sc, all, &block, key, add(k, row, begin));
    Run run = open_run(sc, block, get_lanes(sc, all, sc->sum, at), number);
    MgDType compute = mg_dtype(sc->type)->compute;
    const MgKx *sum = cast(k, compute, held(k, run.acc));
    const MgKx *part = get_lanes(sc, all, all->heads, head(sc, all, run.now, point));
    part = cast(k, compute, part);
    sum = mg_reduce_step(k, sc->piece->reducer, sum, part);
    set_held(k, run.body, run.acc, cast(k, sc->type, sum));
    const MgKx *after = named(k, run.body, "after", add(k, run.now, one));
    const MgKx *then = mul(k, least(k, after, rest), size);
    then = key_at(sc, all, run.body, row, named(k, run.body, "then", then));
    close_run(sc, &run, after, both(k, equal(k, then, key), less(k, after, blocks)));
    store(k, block, sc->sum, at, held(k, run.acc));
}

void mg_gpu_scatter(MgScatter *sc, const Together *all) {
    MgKernel *k = sc->kb.k;
    make_keys(sc, all);
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    mg_gpu_sort(&sc->kb, &(MgGpuSort){.x = all->keys,
                                      .result = all->order,
                                      .sorted = all->sorted,
                                      .sorts = true,
                                      .dtype = MG_I64,
                                      .outer = all->rows.count,
                                      .n = all->own.count,
                                      .inner = mg_ix_const(sc->s->ix, 1),
                                      .below = all->nowhere + 1});
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    MgKBlock *block = &k->body;
    const MgKx *point, *row;
    const MgKx *position = open_trips(sc, all, &block, count_of(sc, &all->own), &point, &row);
    add_equals(sc, all, block, row, position, point);
    if (!all->block)
        return;
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    add_heads(sc, all);
}
