// Rows of several tiles, sorted by one digit at a time, the lowest one first. Three launches are a
// step: groups count the elements of each bin in tiles, the counts of all tiles before each one are
// added up, and each tile is sorted and moved to its places. If there are few tiles, each group
// adds up their counts by itself, so that a step has two launches.
#include "passes/schedule/gpu/sort.h"
#include "passes/schedule/words.h"

struct MgSortLong {
    MgSort *st;
    MgSortCells given[2]; // words in the order of the last step, in turn
    MgKBufId before, all; // of a bin: elements in earlier tiles of the row, and in all tiles. If
                          // there are few, `before` has those in each tile instead
    MgKBufId bins, sums;  // in local memory; totals of items, in two halves
    MgKBufId sum;         // of items that came before
    const MgKx *tiles;    // of a row
};

typedef struct Tile {
    const MgKx *number, *row, *start, *length;
    const MgKx *base; // its first element, among those of all rows
    const MgKx *in_row;
} Tile;

static MgKBlock *open_tiles(MgSortLong *l, MgKBlock *outer, Tile *tile) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    MgKBlock *block = mg_sort_groups(st, outer, "g", mul(k, st->rows, l->tiles), &tile->number);
    tile->row = named(k, block, "row", quotient(k, tile->number, l->tiles));
    tile->in_row = named(k, block, "tile", remainder_of(k, tile->number, l->tiles));
    tile->start = named(k, block, "start", times(k, tile->in_row, st->slots));
    const MgKx *left = least(k, sub(k, st->n, tile->start), num(k, st->slots));
    tile->length = named(k, block, "length", left);
    tile->base = named(k, block, "first", add(k, mul(k, tile->row, st->n), tile->start));
    return block;
}

// The place in `before` of a bin in a tile of a row: neighbouring tiles, which an item adds up, are
// neighbours, or neighbouring bins, which neighbouring items have.
static const MgKx *in_before(MgSortLong *l, const MgKx *row, const MgKx *tile, const MgKx *bin) {
    MgKernel *k = l->st->k;
    if (l->st->few)
        return add(k, times(k, add(k, mul(k, row, l->tiles), tile), l->st->bins), bin);
    return add(k, mul(k, add(k, times(k, row, l->st->bins), bin), l->tiles), tile);
}

static const MgKx *bit_of_step(MgSortLong *l, const MgKx *step) {
    return times(l->st->k, step, l->st->digit);
}

static MgArrival arrival(MgSortLong *l, MgKBlock *block, const Tile *tile, int64_t j) {
    MgKernel *k = l->st->k;
    MgArrival a = {.slot = mg_sort_slot(l->st, block, j)};
    a.there = named(k, block, "there", less(k, a.slot, tile->length));
    return a;
}

// Begins to load an element of a tile.
static void load_cell(MgSortLong *l, MgKBlock *block, const MgSortCells *from, MgArrival *a,
                      const MgKx *at) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    const MgKx *none = cast(k, st->place, num(k, 0));
    at = named(k, block, "at", at);
    a->x = named(k, block, "word", mg_kload(k, from->words, at, 1, a->there, mg_sort_last(st)));
    if (a->place)
        a->place = named(k, block, "place", mg_kload(k, from->places, at, 1, a->there, none));
}

// Loads a tile: keys of the operand, or words in the order of the last step; with their positions,
// or without.
static void load_tile(MgSortLong *l, MgKBlock *block, const Tile *tile, const MgSortCells *from,
                      bool places) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    MgArrival a[MG_SORT_MOST_EACH];
    for (int64_t j = 0; j < st->each; j++) {
        a[j] = arrival(l, block, tile, j);
        a[j].place = named(k, block, "position", add(k, tile->start, a[j].slot));
        const MgKx *position = a[j].place;
        if (!places)
            a[j].place = NULL;
        if (from)
            load_cell(l, block, from, &a[j], add(k, tile->base, a[j].slot));
        else
            mg_sort_load(st, block, &a[j], tile->row, position);
    }
    for (int64_t j = 0; j < st->each; j++)
        mg_sort_arrive(st, block, &a[j], !from);
}

// Is the step the second one of two that take turns?
static const MgKx *is_odd(MgSortLong *l, const MgKx *step) {
    MgKernel *k = l->st->k;
    return equal(k, modulo(k, step, 2), num(k, 1));
}

static void load_step(MgSortLong *l, MgKBlock *block, const Tile *tile, const MgKx *step,
                      bool places) {
    MgKernel *k = l->st->k;
    MgKs *first = mg_kif(k, block, equal(k, step, num(k, 0)));
    load_tile(l, &first->body, tile, NULL, places);
    MgKs *turn = mg_kif(k, &first->orelse, is_odd(l, step));
    load_tile(l, &turn->body, tile, &l->given[0], places);
    load_tile(l, &turn->orelse, tile, &l->given[1], places);
}

// Counts each tile's elements in each bin. Those that aren't there are in the last bin.
static void count_elements(MgSortLong *l, MgKBlock *outer, const MgKx *step) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    Tile tile;
    MgSortOwn own = {0};
    MgKBlock *block = open_tiles(l, outer, &tile);
    load_step(l, block, &tile, step, false);
    mg_sort_tally(st, block, named(k, block, "low", bit_of_step(l, step)), false, &own);
    for (int64_t b = 0; b < st->bins / st->items; b++) {
        const MgKx *bin = mg_sort_bin(st, block, b), *count = mg_sort_count(st, bin, 0);
        for (int64_t part = 1; part < st->items / MG_TOGETHER; part++)
            count = add(k, count, mg_sort_count(st, bin, part));
        const MgKx *absent = sub(k, num(k, st->slots), tile.length);
        absent = where(k, equal(k, bin, num(k, st->bins - 1)), absent, num(k, 0));
        count = sub(k, converted(k, st->place, count), converted(k, st->place, absent));
        store(k, block, l->before, in_before(l, tile.row, tile.in_row, bin), count);
    }
    mg_sort_meet(st, block); // the next tile uses the same memory
}

// The sum of x over the items before this one and of what l->sum holds, to which it adds the sum
// over all items.
static const MgKx *add_items(MgSortLong *l, MgKBlock *block, const MgKx *x) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    store(k, block, l->sums, st->me, x);
    const MgKx *side = mg_gpu_scan_totals(k, block, l->sums, st->items, MG_REDUCE_SUM);
    const MgKx *own = sub(k, mg_sort_get(st, l->sums, add(k, side, st->me)), x);
    const MgKx *before = named(k, block, "before", add(k, held(k, l->sum), own));
    const MgKx *all = mg_sort_get(st, l->sums, plus(k, side, st->items - 1));
    set_held(k, block, l->sum, add(k, held(k, l->sum), all));
    mg_sort_meet(st, block); // the next sum uses the same memory
    return before;
}

// Replaces the counts of a bin by those of all earlier tiles of the row. An item has neighbouring
// tiles, whose loads are in flight together.
static void count_tiles(MgSortLong *l, MgKBlock *outer) {
    enum { TILES = 4 };
    MgSort *st = l->st;
    MgKernel *k = st->k;
    const MgKx *line, *zero = cast(k, st->place, num(k, 0));
    const MgKx *at[TILES], *there[TILES], *count[TILES], *sum = zero;
    MgKBlock *block = mg_sort_groups(st, outer, "line", times(k, st->rows, st->bins), &line);
    set_held(k, block, l->sum, zero);
    Loop loop = each_from(k, block, "from", num(k, 0), l->tiles, st->items * TILES);
    for (int64_t i = 0; i < TILES; i++) {
        const MgKx *tile = plus(k, add(k, loop.at, times(k, st->me, TILES)), i);
        tile = named(k, loop.body, "tile", tile);
        there[i] = named(k, loop.body, "there", less(k, tile, l->tiles));
        at[i] = named(k, loop.body, "at", add(k, mul(k, line, l->tiles), tile));
        count[i] = mg_kload(k, l->before, at[i], 1, there[i], zero);
        count[i] = named(k, loop.body, "count", count[i]);
        sum = add(k, sum, count[i]);
    }
    const MgKx *before = add_items(l, loop.body, named(k, loop.body, "sum", sum));
    for (int64_t i = 0; i < TILES; i++) {
        before = named(k, loop.body, "before", before);
        store(k, block_if(k, loop.body, there[i]), l->before, at[i], before);
        before = add(k, before, count[i]);
    }
    MgKBlock *one = block_if(k, block, equal(k, st->me, num(k, 0)));
    store(k, one, l->all, line, held(k, l->sum));
}

// Stores an item's elements of the sorted tile to the row, or to the result's if `to` is NULL.
static void put_elements(MgSortLong *l, MgKBlock *block, const Tile *tile, const MgKx *bit,
                         const MgSortCells *to) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    for (int64_t j = 0; j < st->each; j++) {
        MgArrival a = arrival(l, block, tile, j);
        MgKBlock *b = block_if(k, block, a.there);
        const MgKx *word = named(k, b, "word", mg_sort_get(st, st->tile.words, a.slot));
        const MgKx *place = named(k, b, "place", mg_sort_get(st, st->tile.places, a.slot));
        const MgKx *bin = mg_sort_get(st, l->bins, mg_sort_digit(st, word, bit));
        const MgKx *at = named(k, b, "moved", add(k, converted(k, MG_I64, bin), a.slot));
        if (!to) {
            mg_sort_put(st, b, tile->row, at, word, place);
            continue;
        }
        at = named(k, b, "into", add(k, mul(k, tile->row, st->n), at));
        store(k, b, to->words, at, word);
        store(k, b, to->places, at, place);
    }
}

enum { MOST_BINS = 16 }; // of an item

// Of an item's bins: the elements in the row, and those in earlier tiles.
typedef struct Bins {
    const MgKx *bin[MOST_BINS], *all[MOST_BINS], *before[MOST_BINS];
    int64_t n;
} Bins;

// Adds up the counts of all tiles of the row, some of which are on their way at once.
static void count_bins(MgSortLong *l, MgKBlock *block, const Tile *tile, Bins *bins) {
    enum { TILES = 16 };
    MgSort *st = l->st;
    MgKernel *k = st->k;
    MgKBufId all[MOST_BINS], before[MOST_BINS];
    const MgKx *zero = cast(k, st->place, num(k, 0)), *count[TILES], *at[TILES];
    for (int64_t b = 0; b < bins->n; b++) {
        all[b] = mg_kb_held(st->kb, block, "all", zero);
        before[b] = mg_kb_held(st->kb, block, "before", zero);
    }
    Loop loop = each_from(k, block, "from", num(k, 0), l->tiles, TILES);
    for (int64_t i = 0; i < TILES; i++)
        at[i] = named(k, loop.body, "tile", plus(k, loop.at, i));
    for (int64_t b = 0; b < bins->n; b++) {
        for (int64_t i = 0; i < TILES; i++) {
            const MgKx *there = less(k, at[i], l->tiles);
            count[i] = mg_kload(k, l->before, in_before(l, tile->row, at[i], bins->bin[b]), 1,
                                there, zero);
            count[i] = named(k, loop.body, "count", count[i]);
        }
        const MgKx *sum = held(k, all[b]), *earlier = held(k, before[b]);
        for (int64_t i = 0; i < TILES; i++) {
            sum = add(k, sum, count[i]);
            earlier = add(k, earlier, where(k, less(k, at[i], tile->in_row), count[i], zero));
        }
        set_held(k, loop.body, all[b], sum);
        set_held(k, loop.body, before[b], earlier);
    }
    for (int64_t b = 0; b < bins->n; b++) {
        bins->all[b] = named(k, block, "all", held(k, all[b]));
        bins->before[b] = named(k, block, "before", held(k, before[b]));
    }
}

static void load_bins(MgSortLong *l, MgKBlock *block, const Tile *tile, Bins *bins) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    bins->n = st->bins / st->items;
    for (int64_t b = 0; b < bins->n; b++)
        bins->bin[b] = mg_sort_bin(st, block, b);
    if (st->few) {
        count_bins(l, block, tile, bins);
        return;
    }
    for (int64_t b = 0; b < bins->n; b++) {
        const MgKx *bin = bins->bin[b];
        const MgKx *all = mg_sort_get(st, l->all, add(k, times(k, tile->row, st->bins), bin));
        bins->all[b] = named(k, block, "all", all);
        const MgKx *before = in_before(l, tile->row, tile->in_row, bin);
        bins->before[b] = named(k, block, "before", mg_sort_get(st, l->before, before));
    }
}

// Replaces the first slot of each bin by what is added to its elements' slots for their places in
// the row.
static void find_places(MgSortLong *l, MgKBlock *block, const Bins *bins) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    const MgKx *sum = bins->all[0];
    for (int64_t b = 1; b < bins->n; b++)
        sum = add(k, sum, bins->all[b]);
    set_held(k, block, l->sum, cast(k, st->place, num(k, 0)));
    const MgKx *smaller = add_items(l, block, named(k, block, "sum", sum));
    for (int64_t b = 0; b < bins->n; b++) {
        smaller = named(k, block, "smaller", smaller);
        const MgKx *to = add(k, smaller, bins->before[b]);
        store(k, block, l->bins, bins->bin[b], sub(k, to, mg_sort_get(st, l->bins, bins->bin[b])));
        smaller = add(k, smaller, bins->all[b]);
    }
    mg_sort_meet(st, block);
}

// Sorts each tile, and moves it to its places in the row; the last step moves it to the result.
static void move_tiles(MgSortLong *l, MgKBlock *outer, const MgKx *step, const MgKx *last) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    Tile tile;
    Bins bins = {0};
    MgSortOwn own = {0};
    MgKBlock *block = open_tiles(l, outer, &tile);
    const MgKx *bit = named(k, block, "low", bit_of_step(l, step));
    load_bins(l, block, &tile, &bins);
    load_step(l, block, &tile, step, true);
    mg_sort_tally(st, block, bit, false, &own);
    mg_sort_move(st, block, &own, &l->bins);
    find_places(l, block, &bins);
    MgKs *end = mg_kif(k, block, equal(k, step, last));
    put_elements(l, &end->body, &tile, bit, NULL);
    MgKs *turn = mg_kif(k, &end->orelse, is_odd(l, step));
    put_elements(l, &turn->body, &tile, bit, &l->given[1]);
    put_elements(l, &turn->orelse, &tile, bit, &l->given[0]);
    mg_sort_meet(st, block); // the next tile uses the same memory
}

static MgKBufId common(MgSort *st, const char *name, MgDType type, MgIx n, int64_t each) {
    MgIxTable *t = st->kb->s->ix;
    return mg_kb_common(st->kb, name, type, mg_ix_mul(t, n, mg_ix_const(t, each)));
}

MgSortLong *mg_sort_long_begin(MgSort *st) {
    MgSortLong *l = MG_NEW(st->kb->s->arena, MgSortLong);
    l->st = st;
    l->tiles = mg_kceil_div(st->k, st->n, st->slots);
    MgIxTable *t = st->kb->s->ix;
    MgIx rows = mg_ix_mul(t, st->of->outer, st->of->inner);
    MgIx tiles = mg_ix_mul(t, rows, mg_ix_ceil_div(t, st->of->n, mg_ix_const(t, st->slots)));
    for (int i = 0; i < 2; i++) {
        l->given[i].words = common(st, "words", st->word, st->elements, 1);
        l->given[i].places = common(st, "places", st->place, st->elements, 1);
    }
    l->before = common(st, "before", st->place, tiles, st->bins);
    if (!st->few)
        l->all = common(st, "all", st->place, rows, st->bins);
    MgKType type = mg_kt(st->place, 1);
    l->bins = mg_gpu_local(st->k, "bins", type, st->bins);
    l->sums = mg_gpu_local(st->k, "sums", type, 2 * st->items);
    l->sum = mg_kb_private(st->kb, "sum", type, 1);
    return l;
}

void mg_sort_long(MgSortLong *l) {
    MgKernel *k = l->st->k;
    const MgKx *steps = num(k, mg_ceil_div(l->st->bits, l->st->digit)), *none = num(k, 0);
    const MgKx *trips = where(k, less(k, none, l->st->rows), steps, none); // they cost launches
    Loop loop = each_of(k, &k->body, "step", trips);
    count_elements(l, loop.body, loop.at);
    mg_kbarrier(k, loop.body, MG_BARRIER_GRID);
    if (!l->st->few) {
        count_tiles(l, loop.body);
        mg_kbarrier(k, loop.body, MG_BARRIER_GRID);
    }
    move_tiles(l, loop.body, loop.at, minus(k, steps, 1));
    mg_kbarrier(k, loop.body, MG_BARRIER_GRID);
}
