// A tile of the sort: the elements that a group has in local memory, sorted by one digit after
// another.
#include "passes/schedule/gpu/sort.h"
#include "passes/schedule/words.h"

enum {
    COUNTS = 1 << MG_SORT_DIGIT >> 1, // words of an item: each counts two digits, in 16 bits
    BANKS = 32, // a cell is left free after so many: items access different banks
};

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

const MgKx *mg_sort_bits(MgSort *st, const MgKx *word, const MgKx *from, int64_t width) {
    MgKernel *k = st->k;
    const MgKx *moved = bin(k, MG_PRIM_SHR, word, converted(k, word->type.dtype, from));
    int64_t mask = ((int64_t)1 << width) - 1; // said twice, so that it is known to be a small i64
    moved = cast(k, MG_I32, both(k, moved, mg_kconst(k, moved->type, (uint64_t)mask)));
    return both(k, cast(k, MG_I64, moved), num(k, mask));
}

// ---------------------------------------------------------------- a tile in local memory

const MgKx *mg_sort_cell(MgSort *st, const MgKx *i) {
    return add(st->k, i, over(st->k, i, BANKS));
}

static int64_t cells(int64_t n) {
    return n + n / BANKS;
}

const MgKx *mg_sort_slot(MgSort *st, MgKBlock *block, int64_t j) {
    return named(st->k, block, "slot", plus(st->k, st->me, j * st->items));
}

// Replaces the counts by the number of elements before them, in the order of digits, then of items.
// An item adds up COUNTS neighbours.
static void add_counts(MgSort *st, MgKBlock *block) {
    MgKernel *k = st->k;
    const MgKx *at[COUNTS], *count[COUNTS], *sum = NULL;
    for (int64_t i = 0; i < COUNTS; i++) {
        at[i] = named(k, block, "at", mg_sort_cell(st, plus(k, times(k, st->me, COUNTS), i)));
        count[i] = named(k, block, "count", mg_sort_get(st, st->counts, at[i]));
        sum = sum ? add(k, sum, count[i]) : count[i];
    }
    sum = named(k, block, "sum", sum);
    store(k, block, st->totals, st->me, sum);
    const MgKx *side = mg_gpu_scan_totals(k, block, st->totals, st->items, MG_REDUCE_SUM);
    const MgKx *all = mg_sort_get(st, st->totals, plus(k, side, st->items - 1));
    const MgKx *before = sub(k, mg_sort_get(st, st->totals, add(k, side, st->me)), sum);
    // The digits of the upper halves come after all those of the lower ones.
    before = add(k, before, bin(k, MG_PRIM_SHL, all, mg_kconst(k, all->type, 16)));
    for (int64_t i = 0; i < COUNTS; i++) {
        before = named(k, block, "before", before);
        store(k, block, st->counts, at[i], before);
        before = add(k, before, count[i]);
    }
}

typedef struct Element {
    const MgKx *word, *place;
    const MgKx *at, *half; // of its digit's count: the word, and the first bit there
    const MgKx *before;    // elements of the item that have the digit and come before it
} Element;

static void count_element(MgSort *st, MgKBlock *block, Element *e, const MgKx *digit) {
    MgKernel *k = st->k;
    digit = named(k, block, "digit", digit);
    const MgKx *word = times(k, both(k, digit, num(k, COUNTS - 1)), st->items);
    e->at = named(k, block, "at", mg_sort_cell(st, add(k, word, st->me)));
    const MgKx *half = where(k, less(k, digit, num(k, COUNTS)), mg_kconst(k, mg_kt(MG_U32, 1), 0),
                             mg_kconst(k, mg_kt(MG_U32, 1), 16));
    e->half = named(k, block, "half", half);
    const MgKx *count = named(k, block, "count", mg_sort_get(st, st->counts, e->at));
    e->before = named(k, block, "before", mg_sort_bits(st, count, e->half, 16));
    const MgKx *one = mg_kconst(k, mg_kt(MG_U32, 1), 1);
    store(k, block, st->counts, e->at, add(k, count, bin(k, MG_PRIM_SHL, one, e->half)));
}

// Moves the tile's elements to the order of one digit, which begins at bit `from`.
static void by_digit(MgSort *st, MgKBlock *block, const MgKx *from, bool of_places) {
    MgKernel *k = st->k;
    Element e[MG_SORT_MOST_EACH];
    for (int64_t i = 0; i < COUNTS; i++)
        store(k, block, st->counts, mg_sort_cell(st, plus(k, st->me, i * st->items)),
              mg_kconst(k, mg_kt(MG_U32, 1), 0));
    for (int64_t j = 0; j < st->each; j++) {
        const MgKx *slot = named(k, block, "own", plus(k, times(k, st->me, st->each), j));
        slot = named(k, block, "from", mg_sort_cell(st, slot));
        e[j].word = named(k, block, "word", mg_sort_get(st, st->tile.words, slot));
        e[j].place = named(k, block, "place", mg_sort_get(st, st->tile.places, slot));
    }
    for (int64_t j = 0; j < st->each; j++)
        count_element(st, block, &e[j],
                      mg_sort_bits(st, of_places ? e[j].place : e[j].word, from, MG_SORT_DIGIT));
    mg_sort_meet(st, block);
    add_counts(st, block);
    mg_sort_meet(st, block);
    for (int64_t j = 0; j < st->each; j++) {
        const MgKx *first = mg_sort_bits(st, mg_sort_get(st, st->counts, e[j].at), e[j].half, 16);
        const MgKx *to = mg_sort_cell(st, named(k, block, "rank", add(k, first, e[j].before)));
        to = named(k, block, "to", to);
        store(k, block, st->tile.words, to, e[j].word);
        store(k, block, st->tile.places, to, e[j].place);
    }
    mg_sort_meet(st, block);
}

void mg_sort_by_digits(MgSort *st, MgKBlock *block, const MgKx *low, const MgKx *high,
                       bool of_places) {
    Loop loop = each_from(st->k, block, "bit", low, high, MG_SORT_DIGIT);
    by_digit(st, loop.body, loop.at, of_places);
}

void mg_sort_make_tile(MgSort *st) {
    st->tile.words = mg_gpu_local(st->k, "words", mg_kt(st->word, 1), cells(st->slots));
    st->tile.places = mg_gpu_local(st->k, "places", mg_kt(st->place, 1), cells(st->slots));
    st->counts = mg_gpu_local(st->k, "counts", mg_kt(MG_U32, 1), cells(st->items * COUNTS));
    st->totals = mg_gpu_local(st->k, "totals", mg_kt(MG_U32, 1), 2 * st->items);
}

int64_t mg_sort_tile_bytes(const MgSort *st, int64_t each) {
    int64_t key = mg_dtype_size(st->word), place = mg_dtype_size(st->place);
    return cells(st->items * each) * (key + place) +
           4 * (cells(st->items * COUNTS) + 2 * st->items) + 2 * place * (MG_SORT_BINS + st->items);
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
    const MgKx *at = named(k, block, "to", mg_sort_cell(st, a->slot));
    store(k, block, st->tile.words, at, where(k, a->there, word, mg_sort_last(st)));
    store(k, block, st->tile.places, at, converted(k, st->place, a->place));
}

void mg_sort_put(MgSort *st, MgKBlock *block, const MgKx *row, const MgKx *to, const MgKx *word,
                 const MgKx *place) {
    MgKernel *k = st->k;
    const MgKx *at = named(k, block, "at", address(st, block, row, to));
    store(k, block, st->of->result, at, converted(k, MG_I64, place));
    if (st->of->sorts)
        store(k, block, st->of->sorted, at, converted(k, st->of->dtype, word));
}
