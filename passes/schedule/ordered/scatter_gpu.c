// Scatters of many contributions that may collide, on a GPU: those to the same place are sorted
// together.
//
// Contributions that differ in shared indices never collide. The others are numbered in their
// order, and have a key: the target's subscripts that don't move with shared indices. Their numbers
// are sorted by key, stably. Then the item that has the first of several equal keys adds all their
// contributions, in order. So each place gets the definition's result, bit for bit. Keys that vary
// with shared indices form rows, which are sorted in parallel.
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
    Digits own, rows, all; // indices of a row; those in which rows differ; all shared ones
    MgKBufId keys, order;
};
typedef struct MgTogether Together;

static void add_digit(const MgScatter *sc, Digits *d, uint32_t i) {
    MgIxTable *t = sc->s->ix;
    if (!d->n)
        d->count = mg_ix_const(t, 1);
    d->which[d->n++] = i;
    d->count =
        mg_ix_mul(t, d->count, mg_ix_sub(t, sc->piece->indices[i].high, sc->piece->indices[i].low));
}

static bool differs_in(const MgScatter *sc, uint32_t i) {
    bool found = false;
    uint32_t rank = mg_value(sc->s->g, sc->result)->rank;
    for (uint32_t r = 0; r < rank && !found; r++)
        found = !(sc->moving >> r & 1) && mg_sx_mentions(sc->s->m, sc->piece->target[r].sub, i);
    return found;
}

static bool find_digits(const MgScatter *sc, Together *all) {
    MgIxTable *t = sc->s->ix;
    all->own.count = all->rows.count = all->all.count = mg_ix_const(t, 1);
    for (uint32_t i = 0; i < sc->piece->n_indices; i++) {
        if (mg_ix_mentions_index(t, sc->piece->indices[i].low) ||
            mg_ix_mentions_index(t, sc->piece->indices[i].high))
            return false;
        if (!(sc->apart >> i & 1))
            add_digit(sc, &all->own, i);
    }
    for (uint32_t j = 0; j < sc->n_apart; j++) {
        add_digit(sc, &all->all, sc->apart_ones[j]);
        if (differs_in(sc, sc->apart_ones[j]))
            add_digit(sc, &all->rows, sc->apart_ones[j]);
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

Together *mg_gpu_scatter_begin(MgScatter *sc) {
    Together *all = MG_NEW(sc->s->arena, Together);
    find_digits(sc, all);
    const MgKx *base;
    MgIx n = mg_ix_mul(sc->s->ix, all->rows.count, all->own.count);
    all->keys = mg_kb_scratch(&sc->kb, "keys", MG_I64, n, MG_SCOPE_CALL, &base);
    all->order = mg_kb_scratch(&sc->kb, "order", MG_I64, n, MG_SCOPE_CALL, &base);
    sc->items = MG_GPU_SORT_ITEMS;
    return all;
}

static const MgKx *let(MgScatter *sc, MgKBlock *block, const char *name, const MgKx *x) {
    return mg_klet_x(sc->kb.k, block, name, x);
}

static const MgKx *get(MgScatter *sc, MgKBufId buf, const MgKx *at) {
    return mg_kload(sc->kb.k, buf, at, 1, NULL, NULL);
}

static const MgKx *count_of(MgScatter *sc, const Digits *d) {
    return mg_kb_ix(&sc->kb, d->count, sc->at.loop);
}

// Sets the indices from their number.
static void set_digits(MgScatter *sc, MgKBlock *block, const Digits *d, const MgKx *number) {
    MgKDigit digits[MG_FORM_SYMS];
    for (uint32_t j = 0; j < d->n; j++)
        digits[j] = mg_scatter_digit(sc, d->which[j]);
    mg_kb_digits(&sc->kb, block, digits, d->n, number, sc->at.loop);
}

// The number of the indices' point.
static const MgKx *number_of(MgScatter *sc, const Digits *d) {
    MgKernel *k = sc->kb.k;
    const MgKx *number = num(k, 0);
    for (uint32_t j = 0; j < d->n; j++) {
        MgKDigit digit = mg_scatter_digit(sc, d->which[j]);
        number = mg_kmul(k, number, digit.size);
        number = add(k, number, bin(k, MG_PRIM_SUB, sc->at.loop[digit.index], digit.low));
    }
    return number;
}

// The key of a contribution outside, which is sorted after all others.
static const MgKx *nowhere(MgScatter *sc) {
    return num(sc->kb.k, INT64_MAX);
}

static void make_keys(MgScatter *sc, const Together *all) {
    MgKernel *k = sc->kb.k;
    MgKBlock *block = &k->body;
    const MgKx *own = count_of(sc, &all->own);
    const MgKx *number = mg_scatter_trips(sc, &block, mg_kmul(k, count_of(sc, &all->rows), own));
    mg_kstore(k, block, all->keys, number, nowhere(sc), NULL);
    for (uint32_t j = 0; j < all->all.n; j++) // keys differ in no index but those of rows
        sc->at.loop[all->all.which[j]] =
            mg_kb_ix(&sc->kb, sc->at.low[all->all.which[j]], sc->at.loop);
    set_digits(sc, block, &all->rows, let(sc, block, "row", bin(k, MG_PRIM_FDIV, number, own)));
    set_digits(sc, block, &all->own, let(sc, block, "own", bin(k, MG_PRIM_FMOD, number, own)));
    MgPoint p = mg_scatter_point(sc, block);
    const MgKx *key = mg_scatter_place(sc, &p, ~sc->moving);
    mg_kstore(k, p.block, all->keys, number, key, NULL);
}

// The key of the contribution at a position of the order, in the row that begins at `row`.
static const MgKx *key_at(MgScatter *sc, const Together *all, MgKBlock *block, const MgKx *row,
                          const MgKx *position) {
    MgKernel *k = sc->kb.k;
    const MgKx *which = get(sc, all->order, add(k, row, position));
    return let(sc, block, "key", get(sc, all->keys, add(k, row, which)));
}

// Opens a block for the first contribution of each key.
static MgKBlock *open_first(MgScatter *sc, const Together *all, MgKBlock *block, const MgKx *row,
                            const MgKx *position, const MgKx *key) {
    MgKernel *k = sc->kb.k;
    const MgKx *zero = num(k, 0), *before = bin(k, MG_PRIM_SUB, position, num(k, 1));
    before = let(sc, block, "before", bin(k, MG_PRIM_MAX, before, zero));
    const MgKx *other = bin(k, MG_PRIM_NE, key_at(sc, all, block, row, before), key);
    const MgKx *first = bin(k, MG_PRIM_OR, other, bin(k, MG_PRIM_EQ, position, zero));
    const MgKx *there = bin(k, MG_PRIM_NE, key, nowhere(sc));
    return &mg_kif(k, block, bin(k, MG_PRIM_AND, first, there))->body;
}

// Adds all contributions with the key, from a position of the order on.
static void add_equals(MgScatter *sc, const Together *all, MgKBlock *block, const MgKx *row,
                       const MgKx *position, const MgKx *key) {
    MgKernel *k = sc->kb.k;
    const MgKx *zero = num(k, 0), *own = count_of(sc, &all->own);
    MgKBufId acc = mg_kb_private(&sc->kb, "acc", mg_kt(sc->type, 1), 1),
             next = mg_kb_private(&sc->kb, "next", mg_kt(MG_I64, 1), 1),
             more = mg_kb_private(&sc->kb, "more", mg_kt(MG_I64, 1), 1);
    set_digits(sc, block, &all->own, get(sc, all->order, add(k, row, position)));
    MgPoint p = mg_scatter_point(sc, block);
    const MgKx *at = mg_scatter_place(sc, &p, UINT64_MAX);
    block = p.block;
    mg_kstore(k, block, acc, zero, get(sc, sc->sum, at), NULL);
    mg_kstore(k, block, next, zero, position, NULL);
    mg_kstore(k, block, more, zero, num(k, 1), NULL);
    MgKs *loop = mg_kwhile(k, block, bin(k, MG_PRIM_NE, get(sc, more, zero), zero));
    MgKBlock *body = &loop->body;
    const MgKx *now = let(sc, body, "now", get(sc, next, zero));
    const MgKx *which = let(sc, body, "which", get(sc, all->order, add(k, row, now)));
    set_digits(sc, body, &all->own, which);
    MgPoint inner = mg_scatter_point(sc, body);
    mg_scatter_combine(sc, &inner, acc, zero);
    const MgKx *after = let(sc, body, "after", add(k, now, num(k, 1)));
    const MgKx *last = bin(k, MG_PRIM_SUB, own, num(k, 1));
    const MgKx *same = bin(
        k, MG_PRIM_EQ,
        key_at(sc, all, body, row, let(sc, body, "then", bin(k, MG_PRIM_MIN, after, last))), key);
    same = bin(k, MG_PRIM_AND, same, bin(k, MG_PRIM_LT, after, own));
    mg_kstore(k, body, next, zero, after, NULL);
    mg_kstore(k, body, more, zero, mg_kprim(k, MG_PRIM_WHERE, same, num(k, 1), zero), NULL);
    mg_kstore(k, block, sc->sum, at, get(sc, acc, zero), NULL);
}

void mg_gpu_scatter(MgScatter *sc, const Together *all) {
    MgKernel *k = sc->kb.k;
    MgIxTable *t = sc->s->ix;
    make_keys(sc, all);
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    mg_gpu_sort(&sc->kb, &(MgGpuSort){.x = all->keys,
                                      .result = all->order,
                                      .dtype = MG_I64,
                                      .outer = all->rows.count,
                                      .n = all->own.count,
                                      .inner = mg_ix_const(t, 1)});
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    MgKBlock *block = &k->body;
    const MgKx *shared = count_of(sc, &all->all), *own = count_of(sc, &all->own);
    const MgKx *number = mg_scatter_trips(sc, &block, mg_kmul(k, own, shared));
    const MgKx *position = let(sc, block, "position", bin(k, MG_PRIM_FDIV, number, shared));
    const MgKx *point = let(sc, block, "point", bin(k, MG_PRIM_FMOD, number, shared));
    set_digits(sc, block, &all->all, point);
    const MgKx *row = let(sc, block, "row", mg_kmul(k, number_of(sc, &all->rows), own));
    const MgKx *key = key_at(sc, all, block, row, position);
    add_equals(sc, all, open_first(sc, all, block, row, position, key), row, position, key);
}
