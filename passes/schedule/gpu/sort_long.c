// Rows of several tiles, sorted by some bits at a time, the lowest ones first. Three launches are a
// step: groups sort tiles and count the elements of each bin, the counts of all tiles before each
// one are added up, and each tile is moved to its places.
#include "passes/schedule/gpu/sort.h"
#include "passes/schedule/words.h"

struct MgSortLong {
    MgSort *st;
    MgSortCells given, sorted; // words in the order of the last step; and those of sorted tiles
    MgKBufId first, before;    // of a bin in a tile: its first slot; elements in earlier tiles
    MgKBufId all;              // of a bin
    MgKBufId bins, ends, sums; // in local memory; totals of items, in two halves
    MgKBufId sum;              // of items that came before
    const MgKx *tiles;         // of a row
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

// The bin's place in `before`: bins of a row, then its tiles; and in `first`: tiles, then bins.
static const MgKx *in_before(MgSortLong *l, const Tile *tile, const MgKx *bin) {
    MgKernel *k = l->st->k;
    const MgKx *line = add(k, times(k, tile->row, MG_SORT_BINS), bin);
    return add(k, mul(k, line, l->tiles), tile->in_row);
}

static const MgKx *in_first(MgSortLong *l, const Tile *tile, const MgKx *bin) {
    return add(l->st->k, times(l->st->k, tile->number, MG_SORT_BINS), bin);
}

static const MgKx *bit_of_step(MgSortLong *l, const MgKx *step) {
    return times(l->st->k, step, MG_SORT_STEP);
}

static Loop each_bin(MgSortLong *l, MgKBlock *block) {
    MgKernel *k = l->st->k;
    return each_from(k, block, "bin", l->st->me, num(k, MG_SORT_BINS), l->st->items);
}

static void clear_bins(MgSortLong *l, MgKBlock *block) {
    MgKernel *k = l->st->k;
    const MgKx *zero = cast(k, l->st->place, num(k, 0));
    Loop bins = each_bin(l, block);
    store(k, bins.body, l->bins, bins.at, zero);
    store(k, bins.body, l->ends, bins.at, zero);
}

static const MgKx *bin_at(MgSortLong *l, const MgKx *slot, const MgKx *bit) {
    MgSort *st = l->st;
    return mg_sort_bits(st, mg_sort_get(st, st->tile.words, mg_sort_cell(st, slot)), bit,
                        MG_SORT_STEP);
}

// Notes the first slot of each bin, and the one behind its last.
static void find_bins(MgSortLong *l, MgKBlock *block, const Tile *tile, const MgKx *bit) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    for (int64_t j = 0; j < st->each; j++) {
        const MgKx *slot = mg_sort_slot(st, block, j), *next = plus(k, slot, 1);
        MgKBlock *b = block_if(k, block, less(k, slot, tile->length));
        const MgKx *own = named(k, b, "bin", bin_at(l, slot, bit));
        const MgKx *left = named(k, b, "left", greatest(k, minus(k, slot, 1), num(k, 0)));
        const MgKx *right = named(k, b, "right", least(k, next, num(k, st->slots - 1)));
        const MgKx *begins = bin(k, MG_PRIM_NE, bin_at(l, left, bit), own);
        const MgKx *ends = bin(k, MG_PRIM_NE, bin_at(l, right, bit), own);
        begins = either(k, equal(k, slot, num(k, 0)), begins);
        ends = either(k, equal(k, next, tile->length), ends);
        store(k, block_if(k, b, begins), l->bins, own, converted(k, st->place, slot));
        store(k, block_if(k, b, ends), l->ends, own, converted(k, st->place, next));
        const MgKx *from = named(k, b, "from", mg_sort_cell(st, slot));
        const MgKx *to = named(k, b, "to", add(k, tile->base, slot));
        store(k, b, l->sorted.words, to, mg_sort_get(st, st->tile.words, from));
        store(k, b, l->sorted.places, to, mg_sort_get(st, st->tile.places, from));
    }
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
    a->place = named(k, block, "place", mg_kload(k, from->places, at, 1, a->there, none));
}

// Loads a tile: keys of the operand, or words in the order of the last step.
static void load_tile(MgSortLong *l, MgKBlock *block, const Tile *tile, bool keys) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    MgArrival a[MG_SORT_MOST_EACH];
    for (int64_t j = 0; j < st->each; j++) {
        a[j] = arrival(l, block, tile, j);
        a[j].place = named(k, block, "position", add(k, tile->start, a[j].slot));
        if (keys)
            mg_sort_load(st, block, &a[j], tile->row, a[j].place);
        else
            load_cell(l, block, &l->given, &a[j], add(k, tile->base, a[j].slot));
    }
    for (int64_t j = 0; j < st->each; j++)
        mg_sort_arrive(st, block, &a[j], keys);
}

// Sorts each tile by the bits of a step, and counts its elements in each bin.
static void sort_tiles(MgSortLong *l, MgKBlock *outer, const MgKx *step) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    Tile tile;
    MgKBlock *block = open_tiles(l, outer, &tile);
    const MgKx *bit = named(k, block, "low", bit_of_step(l, step));
    MgKs *first = mg_kif(k, block, equal(k, step, num(k, 0)));
    load_tile(l, &first->body, &tile, true);
    load_tile(l, &first->orelse, &tile, false);
    clear_bins(l, block);
    mg_sort_meet(st, block);
    mg_sort_by_digits(st, block, bit, plus(k, bit, MG_SORT_STEP), false);
    find_bins(l, block, &tile, bit);
    mg_sort_meet(st, block);
    Loop bins = each_bin(l, block);
    const MgKx *begin = named(k, bins.body, "begin", mg_sort_get(st, l->bins, bins.at));
    store(k, bins.body, l->first, in_first(l, &tile, bins.at), begin);
    store(k, bins.body, l->before, in_before(l, &tile, bins.at),
          sub(k, mg_sort_get(st, l->ends, bins.at), begin));
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

// Replaces the counts of a bin by those of all earlier tiles of the row.
static void count_tiles(MgSortLong *l, MgKBlock *outer) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    const MgKx *line, *zero = cast(k, st->place, num(k, 0));
    MgKBlock *block = mg_sort_groups(st, outer, "line", times(k, st->rows, MG_SORT_BINS), &line);
    set_held(k, block, l->sum, zero);
    Loop loop = each_from(k, block, "from", num(k, 0), l->tiles, st->items);
    const MgKx *tile = named(k, loop.body, "tile", add(k, loop.at, st->me));
    const MgKx *there = named(k, loop.body, "there", less(k, tile, l->tiles));
    const MgKx *at = named(k, loop.body, "at", add(k, mul(k, line, l->tiles), tile));
    const MgKx *count = mg_kload(k, l->before, at, 1, there, zero);
    count = named(k, loop.body, "count", count);
    const MgKx *before = add_items(l, loop.body, count);
    store(k, block_if(k, loop.body, there), l->before, at, before);
    MgKBlock *one = block_if(k, block, equal(k, st->me, num(k, 0)));
    store(k, one, l->all, line, held(k, l->sum));
}

static void move_element(MgSortLong *l, MgKBlock *block, const Tile *tile, const MgArrival *a,
                         const MgKx *bit, bool last) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    block = block_if(k, block, a->there);
    const MgKx *begin = mg_sort_get(st, l->bins, mg_sort_bits(st, a->x, bit, MG_SORT_STEP));
    const MgKx *to = named(k, block, "moved", add(k, converted(k, MG_I64, begin), a->slot));
    if (last) {
        mg_sort_put(st, block, tile->row, to, a->x, a->place);
        return;
    }
    to = named(k, block, "into", add(k, mul(k, tile->row, st->n), to));
    store(k, block, l->given.words, to, a->x);
    store(k, block, l->given.places, to, a->place);
}

// Moves the elements of each sorted tile to their places in the row, in the end of the result.
static void move_tiles(MgSortLong *l, MgKBlock *outer, const MgKx *step, const MgKx *last) {
    MgSort *st = l->st;
    MgKernel *k = st->k;
    Tile tile;
    MgKBlock *block = open_tiles(l, outer, &tile);
    const MgKx *bit = named(k, block, "low", bit_of_step(l, step));
    MgArrival a[MG_SORT_MOST_EACH];
    for (int64_t j = 0; j < st->each; j++) {
        a[j] = arrival(l, block, &tile, j);
        load_cell(l, block, &l->sorted, &a[j], add(k, tile.base, a[j].slot));
    }
    set_held(k, block, l->sum, cast(k, st->place, num(k, 0)));
    // All items go through the same trips, in which they meet.
    Loop bins = each_from(k, block, "from", num(k, 0), num(k, MG_SORT_BINS), st->items);
    const MgKx *own = named(k, bins.body, "bin", add(k, bins.at, st->me));
    const MgKx *all = mg_sort_get(st, l->all, add(k, times(k, tile.row, MG_SORT_BINS), own));
    const MgKx *smaller = add_items(l, bins.body, named(k, bins.body, "all", all));
    const MgKx *to = add(k, smaller, mg_sort_get(st, l->before, in_before(l, &tile, own)));
    to = sub(k, to, mg_sort_get(st, l->first, in_first(l, &tile, own)));
    store(k, bins.body, l->bins, own, to);
    mg_sort_meet(st, block);
    MgKs *end = mg_kif(k, block, equal(k, step, last));
    for (int64_t j = 0; j < st->each; j++) {
        move_element(l, &end->body, &tile, &a[j], bit, true);
        move_element(l, &end->orelse, &tile, &a[j], bit, false);
    }
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
    l->given.words = common(st, "words", st->word, st->elements, 1);
    l->given.places = common(st, "places", st->place, st->elements, 1);
    l->sorted.words = common(st, "sorted_words", st->word, st->elements, 1);
    l->sorted.places = common(st, "sorted_places", st->place, st->elements, 1);
    l->first = common(st, "first", st->place, tiles, MG_SORT_BINS);
    l->before = common(st, "before", st->place, tiles, MG_SORT_BINS);
    l->all = common(st, "all", st->place, rows, MG_SORT_BINS);
    MgKType type = mg_kt(st->place, 1);
    l->bins = mg_gpu_local(st->k, "bins", type, MG_SORT_BINS);
    l->ends = mg_gpu_local(st->k, "ends", type, MG_SORT_BINS);
    l->sums = mg_gpu_local(st->k, "sums", type, 2 * st->items);
    l->sum = mg_kb_private(st->kb, "sum", type, 1);
    return l;
}

void mg_sort_long(MgSortLong *l) {
    MgKernel *k = l->st->k;
    const MgKx *steps = num(k, mg_ceil_div(l->st->bits, MG_SORT_STEP)), *none = num(k, 0);
    const MgKx *trips = where(k, less(k, none, l->st->rows), steps, none); // they cost launches
    Loop loop = each_of(k, &k->body, "step", trips);
    sort_tiles(l, loop.body, loop.at);
    mg_kbarrier(k, loop.body, MG_BARRIER_GRID);
    count_tiles(l, loop.body);
    mg_kbarrier(k, loop.body, MG_BARRIER_GRID);
    move_tiles(l, loop.body, loop.at, minus(k, steps, 1));
    mg_kbarrier(k, loop.body, MG_BARRIER_GRID);
}
