// A tile of the sort: the elements that a group has in local memory, sorted by one digit after
// another.
#include "passes/schedule/gpu/sort.h"
#include "passes/schedule/words.h"

enum { MOST_COUNTS = 32 }; // of an item

static int64_t counts_of(const MgSort *st) {
    return st->bins / MG_TOGETHER;
}

// ---------------------------------------------------------------- words

static const MgKx *word_of(MgSort *st, uint64_t bits) {
    return mg_kconst(st->k, mg_kt(st->word, 1), bits);
}

const MgKx *mg_sort_last(MgSort *st) {
    return un(st->k, MG_PRIM_NOT, word_of(st, 0));
}

// Of x, and of the same number as it is stored. NaN comes last in either direction; zeros are
// equal.
static const MgKx *word_of_float(MgSort *st, MgKBlock *block, const MgKx *x, const MgKx *stored) {
    static const MgDType unsigned_of[] = {[1] = MG_U8, [2] = MG_U16, [4] = MG_U32, [8] = MG_U64};
    MgKernel *k = st->k;
    MgDType type = unsigned_of[mg_dtype_size(st->of->dtype)];
    uint64_t sign = (uint64_t)1 << (st->bits - 1);
    const MgKx *ones = word_of(st, sign - 1 + sign);
    const MgKx *bits = mg_kcast(k, MG_PRIM_BITCAST, type, stored);
    bits = converted(k, st->word, bits);
    bits = where(k, equal(k, x, mg_kfloat(k, x->type, 0)), word_of(st, 0), bits);
    bits = named(k, block, "bits", bits);
    const MgKx *below = bin(k, MG_PRIM_NE, both(k, bits, word_of(st, sign)), word_of(st, 0));
    const MgKx *word = bin(k, MG_PRIM_XOR, bits, where(k, below, ones, word_of(st, sign)));
    if (st->of->descending)
        word = bin(k, MG_PRIM_XOR, word, ones);
    return where(k, un(k, MG_PRIM_ISNAN, x), mg_sort_last(st), word);
}

static const MgKx *word_of_key(MgSort *st, MgKBlock *block, const MgKx *x) {
    MgKernel *k = st->k;
    MgDType dtype = st->of->dtype;
    const MgKx *stored = x;
    x = named(k, block, "x", converted(k, mg_dtype(dtype)->compute, x));
    if (mg_is_float(dtype))
        return named(k, block, "word", word_of_float(st, block, x, stored));
    const MgKx *word = converted(k, st->word, x);
    if (mg_is_signed(dtype) && !st->of->below)
        word = add(k, word, word_of(st, (uint64_t)1 << (st->bits - 1)));
    if (st->of->descending)
        word = un(k, MG_PRIM_NOT, word);
    return named(k, block, "word", word);
}

const MgKx *mg_sort_digit(MgSort *st, const MgKx *word, const MgKx *from) {
    MgKernel *k = st->k;
    const MgKx *moved = bin(k, MG_PRIM_SHR, word, converted(k, word->type.dtype, from));
    int64_t mask = st->bins - 1; // said twice, so that it is known to be a small i64
    moved = cast(k, MG_I32, both(k, moved, mg_kconst(k, moved->type, (uint64_t)mask)));
    return both(k, cast(k, MG_I64, moved), num(k, mask));
}

// ---------------------------------------------------------------- a tile in local memory

const MgKx *mg_sort_slot(MgSort *st, MgKBlock *block, int64_t j) {
    MgKernel *k = st->k;
    const MgKx *part = times(k, over(k, st->me, MG_TOGETHER), st->each * MG_TOGETHER);
    const MgKx *slot = add(k, part, modulo(k, st->me, MG_TOGETHER));
    return named(k, block, "slot", plus(k, slot, j * MG_TOGETHER));
}

const MgKx *mg_sort_bin(MgSort *st, MgKBlock *block, int64_t b) {
    int64_t own = st->bins / st->items;
    return named(st->k, block, "bin", plus(st->k, times(st->k, st->me, own), b));
}

static const MgKx *cell(MgSort *st, const MgKx *bin, const MgKx *part) {
    return add(st->k, times(st->k, part, st->bins), bin);
}

const MgKx *mg_sort_count(MgSort *st, const MgKx *bin, int64_t part) {
    return mg_sort_get(st, st->counts, cell(st, bin, num(st->k, part)));
}

void mg_sort_tally(MgSort *st, MgKBlock *block, const MgKx *from, bool of_places, MgSortOwn *own) {
    MgKernel *k = st->k;
    const MgKx *part = over(k, st->me, MG_TOGETHER);
    for (int64_t i = 0; i < counts_of(st); i++)
        store(k, block, st->counts, plus(k, st->me, i * st->items),
              mg_kconst(k, mg_kt(MG_U32, 1), 0));
    for (int64_t j = 0; j < st->each; j++) {
        const MgKx *slot = mg_sort_slot(st, block, j);
        if (of_places)
            own->place[j] = named(k, block, "place", mg_sort_get(st, st->tile.places, slot));
        else
            own->word[j] = named(k, block, "word", mg_sort_get(st, st->tile.words, slot));
    }
    mg_sort_meet(st, block);
    for (int64_t j = 0; j < st->each; j++) {
        const MgKx *digit = mg_sort_digit(st, of_places ? own->place[j] : own->word[j], from);
        own->count[j] = named(k, block, "at", cell(st, digit, part));
        own->rank[j] = mg_ktally(k, block, "rank", st->counts, own->count[j]);
    }
    mg_sort_meet(st, block);
}

// Replaces the counts by the number of elements before them, in the order of bins, then of parts.
static void add_counts(MgSort *st, MgKBlock *block, const MgKBufId *begins) {
    MgKernel *k = st->k;
    int64_t parts = st->items / MG_TOGETHER;
    const MgKx *bins[MOST_COUNTS], *count[MOST_COUNTS], *sum = NULL;
    for (int64_t i = 0; i < counts_of(st); i++) {
        bins[i] = i % parts ? bins[i - 1] : mg_sort_bin(st, block, i / parts);
        count[i] = named(k, block, "count", mg_sort_count(st, bins[i], i % parts));
        sum = sum ? add(k, sum, count[i]) : count[i];
    }
    sum = named(k, block, "sum", sum);
    store(k, block, st->totals, st->me, sum);
    const MgKx *side = mg_gpu_scan_totals(k, block, st->totals, st->items, MG_REDUCE_SUM);
    const MgKx *before = sub(k, mg_sort_get(st, st->totals, add(k, side, st->me)), sum);
    for (int64_t i = 0; i < counts_of(st); i++) {
        before = named(k, block, "before", before);
        store(k, block, st->counts, cell(st, bins[i], num(k, i % parts)), before);
        if (begins && !(i % parts))
            store(k, block, *begins, bins[i], converted(k, st->place, before));
        before = add(k, before, count[i]);
    }
}

void mg_sort_move(MgSort *st, MgKBlock *block, MgSortOwn *own, const MgKBufId *begins) {
    MgKernel *k = st->k;
    for (int64_t j = 0; j < st->each; j++) {
        const MgKx *slot = mg_sort_slot(st, block, j);
        if (!own->word[j])
            own->word[j] = named(k, block, "word", mg_sort_get(st, st->tile.words, slot));
        if (!own->place[j])
            own->place[j] = named(k, block, "place", mg_sort_get(st, st->tile.places, slot));
    }
    add_counts(st, block, begins);
    mg_sort_meet(st, block);
    for (int64_t j = 0; j < st->each; j++) {
        const MgKx *before = mg_sort_get(st, st->counts, own->count[j]);
        // No slot needs more than 16 bits, which makes it a small i64.
        const MgKx *to = cast(k, MG_I64, add(k, before, own->rank[j]));
        to = named(k, block, "to", both(k, to, num(k, UINT16_MAX)));
        store(k, block, st->tile.words, to, own->word[j]);
        store(k, block, st->tile.places, to, own->place[j]);
    }
    mg_sort_meet(st, block);
}

void mg_sort_by_digits(MgSort *st, MgKBlock *block, int64_t low, int64_t high, bool of_places) {
    MgKernel *k = st->k;
    Loop loop = each_from(k, block, "bit", num(k, low), num(k, high), st->digit);
    MgSortOwn own = {0};
    mg_sort_tally(st, loop.body, loop.at, of_places, &own);
    mg_sort_move(st, loop.body, &own, NULL);
}

void mg_sort_make_tile(MgSort *st) {
    MgKType count = mg_kt(MG_U32, 1);
    st->tile.words = mg_gpu_local(st->k, "words", mg_kt(st->word, 1), st->slots);
    st->tile.places = mg_gpu_local(st->k, "places", mg_kt(st->place, 1), st->slots);
    st->counts = mg_gpu_local(st->k, "counts", count, st->items * counts_of(st));
    st->totals = mg_gpu_local(st->k, "totals", count, 2 * st->items);
}

int64_t mg_sort_tile_bytes(const MgSort *st, int64_t each) {
    int64_t key = mg_dtype_size(st->word), place = mg_dtype_size(st->place);
    return st->items * each * (key + place) + 4 * st->items * (counts_of(st) + 2) +
           place * (st->bins + 2 * st->items);
}

// ---------------------------------------------------------------- from rows, and to them

// The first element of a row.
static const MgKx *row_base(MgSort *st, MgKBlock *block, const MgKx *row) {
    MgKernel *k = st->k;
    const MgKx *outer = quotient(k, row, st->stride), *inner = remainder_of(k, row, st->stride);
    const MgKx *rows = mul(k, mul(k, outer, st->n), st->stride);
    return named(k, block, "base", add(k, rows, inner));
}

static const MgKx *address(MgSort *st, MgKBlock *block, const MgKx *row, const MgKx *position) {
    return add(st->k, row_base(st, block, row), mul(st->k, position, st->stride));
}

void mg_sort_load(MgSort *st, MgKBlock *block, MgArrival *a, const MgKx *row,
                  const MgKx *position) {
    MgKernel *k = st->k;
    const MgKx *at = named(k, block, "at", address(st, block, row, position));
    const MgKx *none = cast(k, st->of->dtype, num(k, 0));
    const MgKx *x = mg_kload(k, st->of->x, at, 1, a->there, none);
    a->x = named(k, block, "x", x);
}

void mg_sort_arrive(MgSort *st, MgKBlock *block, const MgArrival *a, bool is_key) {
    MgKernel *k = st->k;
    const MgKx *word = is_key ? word_of_key(st, block, a->x) : a->x;
    store(k, block, st->tile.words, a->slot, where(k, a->there, word, mg_sort_last(st)));
    if (a->place)
        store(k, block, st->tile.places, a->slot, converted(k, st->place, a->place));
}

void mg_sort_put(MgSort *st, MgKBlock *block, const MgKx *row, const MgKx *to, const MgKx *word,
                 const MgKx *place) {
    MgKernel *k = st->k;
    const MgKx *at = named(k, block, "at", address(st, block, row, to));
    store(k, block, st->of->result, at, converted(k, MG_I64, place));
    if (st->of->sorts)
        store(k, block, st->of->sorted, at, converted(k, st->of->dtype, word));
}
