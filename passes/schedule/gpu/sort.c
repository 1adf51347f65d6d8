// The stable order of rows on a GPU, by their digits, the lowest one first (LSD radix sort).
//
// A group has a tile of a row, or several short rows, in local memory. By each digit,
// neighbouring items count their elements in each bin, the counts of all items are added up, and
// elements move to their places. An element keeps its place among equals, so no result depends on
// the number of items. In short rows, elements are compared with all others instead.
// Satish, Harris, Garland: "Designing efficient sorting algorithms for manycore GPUs", 2009;
// Adinets, Merrill: "Onesweep", 2022, from which the counting by neighbouring items is.
//
// Instead of keys, words are sorted, unsigned numbers whose order is that of the keys. They are
// moved with their positions, since reads through positions would access memory at random.
#include "passes/schedule/gpu/sort.h"
#include "passes/schedule/words.h"

enum { SHORT = 64 }; // elements of a row, up to which all are compared with each other
enum { LEAST_DIGIT = 8, MOST_DIGIT = 9 }; // bits: an item of a group has one bin at least

static int64_t log2_up(int64_t n) {
    int64_t bits = 0;
    while (bits < 63 && (int64_t)1 << bits < n)
        bits++;
    return bits;
}

MgKBlock *mg_sort_groups(MgSort *st, MgKBlock *block, const char *name, const MgKx *n,
                         const MgKx **number) {
    MgKernel *k = st->k;
    k->items = (uint32_t)st->items;
    Loop loop = each_group(k, block, name, n);
    *number = loop.at;
    return loop.body;
}

// A slot's row and its element there, whose number is `e`.
typedef struct Slot {
    const MgKx *row, *e;
    MgArrival a;
} Slot;

// Each element of a short row counts those that come before it.
static void by_counts(MgSort *st, MgKBlock *block, const Slot *slots) {
    MgKernel *k = st->k;
    const MgKx *word[MG_SORT_MOST_EACH], *one = num(k, 1), *zero = num(k, 0);
    MgKBufId ranks = mg_kb_private(st->kb, "ranks", mg_kt(MG_I64, 1), st->each);
    for (int64_t j = 0; j < st->each; j++) {
        word[j] = named(k, block, "word", mg_sort_get(st, st->tile.words, slots[j].a.slot));
        store(k, block, ranks, num(k, j), zero);
    }
    Loop loop = each_of(k, block, "i", st->n);
    for (int64_t j = 0; j < st->each; j++) {
        const MgKx *at = add(k, sub(k, slots[j].a.slot, slots[j].e), loop.at);
        const MgKx *x = mg_sort_get(st, st->tile.words, at);
        x = named(k, loop.body, "x", x);
        const MgKx *equals = both(k, less(k, loop.at, slots[j].e), equal(k, x, word[j]));
        const MgKx *before = where(k, either(k, less(k, x, word[j]), equals), one, zero);
        const MgKx *rank = add(k, loaded(k, ranks, num(k, j), 1), before);
        store(k, loop.body, ranks, num(k, j), rank);
    }
    for (int64_t j = 0; j < st->each; j++) {
        MgKBlock *b = block_if(k, block, slots[j].a.there);
        const MgKx *rank = named(k, b, "rank", loaded(k, ranks, num(k, j), 1));
        mg_sort_put(st, b, slots[j].row, rank, word[j], slots[j].e);
    }
}

// Sorts all slots by their words, then by the rows from which they came.
static void by_words(MgSort *st, MgKBlock *block, const Slot *slots) {
    MgKernel *k = st->k;
    mg_sort_by_digits(st, block, 0, st->bits, false);
    if (st->slots > st->run)
        mg_sort_by_digits(st, block, log2_up(st->run), log2_up(st->slots), true);
    for (int64_t j = 0; j < st->each; j++) {
        MgKBlock *b = block_if(k, block, slots[j].a.there);
        const MgKx *at = slots[j].a.slot;
        const MgKx *place = converted(k, MG_I64, mg_sort_get(st, st->tile.places, at));
        place = named(k, b, "place", both(k, place, num(k, st->run - 1)));
        const MgKx *word = mg_sort_get(st, st->tile.words, at);
        mg_sort_put(st, b, slots[j].row, slots[j].e, word, place);
    }
}

// Each group sorts whole rows.
static void sort_rows(MgSort *st) {
    MgKernel *k = st->k;
    int64_t several = st->slots / st->run;
    const MgKx *group;
    Slot slots[MG_SORT_MOST_EACH];
    MgKBlock *block = mg_sort_groups(st, &k->body, "g", mg_kceil_div(k, st->rows, several), &group);
    for (int64_t j = 0; j < st->each; j++) {
        const MgKx *slot = mg_sort_slot(st, block, j);
        const MgKx *row = add(k, times(k, group, several), over(k, slot, st->run));
        row = named(k, block, "row", row);
        const MgKx *e = named(k, block, "e", both(k, slot, num(k, st->run - 1)));
        const MgKx *there = both(k, less(k, row, st->rows), less(k, e, st->n));
        there = named(k, block, "there", there);
        slots[j] = (Slot){row, e, {.slot = slot, .there = there, .place = slot}};
        mg_sort_load(st, block, &slots[j].a, row, e);
    }
    for (int64_t j = 0; j < st->each; j++)
        mg_sort_arrive(st, block, &slots[j].a, true);
    mg_sort_meet(st, block);
    (st->run <= SHORT ? by_counts : by_words)(st, block, slots);
    mg_sort_meet(st, block); // the next rows use the same memory
}

// ---------------------------------------------------------------- sizes

// Do all groups add up few counts of a bin, if each does so for the tiles of its row?
static bool adds_few(const MgSort *st, int64_t most, int64_t many) {
    int64_t slots = st->items * st->each, added = (int64_t)mg_figure(st->kb->s, sort_added);
    bool fit = most <= added * slots && many <= added * slots; // an open size is any number
    return fit && mg_ceil_div(many, slots) * mg_ceil_div(most, slots) <= added;
}

// Tiles are large if there are many elements, so that few counts are added up for each; otherwise
// they are small and each unit has some.
static void choose_sizes(MgSort *st, int64_t most) {
    const MgTargetInfo *target = &st->kb->s->options->target;
    int64_t many = mg_ix_likely(st->kb->s->ix, st->elements), units = target->compute_units;
    while (st->items < MG_GPU_SORT_ITEMS && 2 * st->items <= target->max_items &&
           st->items < many && 2 * mg_sort_tile_bytes(st, 1) <= target->local_bytes)
        st->items *= 2;
    if (st->k->items > 1) // by what comes before
        st->items = st->k->items;
    while (st->run < most && st->run < st->items * MG_SORT_MOST_EACH)
        st->run *= 2;
    bool whole = most <= st->run;
    while (st->each < MG_SORT_MOST_EACH &&
           mg_sort_tile_bytes(st, 2 * st->each) <= target->local_bytes &&
           ((whole && st->items * st->each < st->run) ||
            many / (2 * st->items * st->each) >= 2 * units))
        st->each *= 2;
    int64_t each = st->each;
    while (!whole && st->each < MG_SORT_MOST_EACH && !adds_few(st, most, many) &&
           mg_sort_tile_bytes(st, 2 * st->each) <= target->local_bytes)
        st->each *= 2;
    st->few = !whole && adds_few(st, most, many);
    if (!st->few)
        st->each = each;
    st->slots = st->items * st->each;
    if (st->run > st->slots)
        st->run = st->slots;
}

// If it is open how long rows are, one of the two has no rows when the kernel runs.
static void sort_all(MgSort *st, int64_t least, int64_t most) {
    MgKernel *k = st->k;
    const MgKx *rows = st->rows, *fit = bin(k, MG_PRIM_LE, st->n, num(k, st->run));
    MgSortLong *tiles = most > st->run ? mg_sort_long_begin(st) : NULL;
    mg_sort_make_tile(st);
    if (least <= st->run) {
        st->rows = tiles ? where(k, fit, rows, num(k, 0)) : rows;
        sort_rows(st);
    }
    if (tiles) {
        st->rows = least <= st->run ? where(k, fit, num(k, 0), rows) : rows;
        mg_sort_long(tiles);
    }
}

void mg_gpu_sort(MgKb *kb, const MgGpuSort *sort) {
    MgSched *s = kb->s;
    MgIxTable *t = s->ix;
    MgIx rows = mg_ix_mul(t, sort->outer, sort->inner);
    int64_t least, most;
    mg_ix_interval(t, mg_bound_of(s, sort->n), NULL, &least, &most);
    MgSort st = {.kb = kb,
                 .k = kb->k,
                 .of = sort,
                 .place = most <= INT32_MAX ? MG_I32 : MG_I64,
                 .n = mg_kb_ix(kb, sort->n, NULL),
                 .rows = mg_kb_ix(kb, rows, NULL),
                 .stride = mg_kb_ix(kb, sort->inner, NULL),
                 .elements = mg_ix_mul(t, rows, sort->n),
                 .run = 1,
                 .each = 1,
                 .items = MG_TOGETHER,
                 .me = mg_kspecial(kb->k, MG_KX_LOCAL_ID)};
    st.bits = sort->below ? log2_up(sort->below) : mg_dtype(sort->dtype)->bits;
    st.word = st.bits > 32 ? MG_U64 : MG_U32;
    // Few steps, of digits that are as short as possible: each bin is counted.
    st.digit = mg_ceil_div(st.bits, mg_ceil_div(st.bits, MOST_DIGIT));
    st.digit = st.digit > LEAST_DIGIT ? st.digit : LEAST_DIGIT;
    st.bins = (int64_t)1 << st.digit;
    choose_sizes(&st, most);
    sort_all(&st, least, most);
}
