// Attention on a GPU in parts of the keys, for few rows, as in decoding with a cache. A group takes
// one part and stores an element of the monoid for each row (group/monoid.h): the largest score,
// the sum of exponentials relative to it, and the weighted values. In a second phase, a group for
// each row combines the parts.
#include "passes/schedule/gpu/attention.h"
#include "passes/schedule/gpu/attention_words.h"
#include "passes/schedule/group/monoid.h"
#include "passes/schedule/words.h"

#include <math.h>

enum { JOINED_ALONE = 16 }; // parts that each item joins by itself

// ---------------------------------------------------------------- number of parts, and buffers
int64_t mg_gpu_attention_choose_parts(const MgGpuAttn *g) {
    enum { BLOCKS = 2, MOST = 128 }; // the least blocks of keys in a part; the most parts
    const MgAttn *t = &g->t;
    int64_t rows, keys = mg_ix_likely(t->s->ix, t->size.keys), groups = 8;
    if (!mg_ix_is_const(t->s->ix, t->size.rows, &rows))
        rows = 1024;
    mg_ix_is_const(t->s->ix, t->size.batches, &groups);
    if (rows < 1 || groups < 1 || __builtin_mul_overflow(groups, rows, &rows))
        return 1;
    int64_t blocks = mg_ceil_div(rows, g->plan.rows), least = BLOCKS * g->plan.keys;
    groups = blocks > groups ? blocks : groups;
    int64_t parts = (int64_t)t->s->options->target.compute_units / groups;
    parts = parts < keys / least ? parts : keys / least;
    parts = parts < MOST ? parts : MOST;
    return parts > 1 ? parts : 1;
}

MgKBufId mg_gpu_attention_scratch(MgAttn *t, const char *name, MgDType type, MgIx each) {
    for (uint32_t i = 0; i < t->a->n_symbols; i++)
        if (t->a->batch >> i & 1)
            each = mg_ix_mul(t->s->ix, each, t->a->extent[i]);
    return mg_kb_common(&t->kb, name, type, each);
}

// A buffer for `values` values of each part of each row.
static MgKBufId make_place(MgGpuAttn *g, const char *name, int64_t values) {
    MgAttn *t = &g->t;
    MgIxTable *ix = t->s->ix;
    MgIx each = mg_ix_mul(ix, t->size.rows, mg_ix_const(ix, values * g->plan.parts));
    return mg_gpu_attention_scratch(t, name, t->a->type, each);
}

void mg_gpu_attention_make_parts(MgGpuAttn *g) {
    if (g->plan.parts == 1)
        return;
    g->found.top = make_place(g, "tops", 1);
    g->found.total = make_place(g, "totals", 1);
    g->found.values = make_place(g, "values", g->columns);
}

MgKBlock *mg_gpu_attention_open(MgGpuAttn *g, int64_t rows, bool backwards) {
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    const MgKx *one = num(k, 1), *down = rows ? mg_kceil_div(k, ix(g, t->size.rows), rows) : one;
    const MgKx *across = g->wide ? mg_kceil_div(k, ix(g, t->size.columns), g->columns) : one;
    const MgKx *groups = mul(k, mul(k, down, across), mg_attention_batches(t));
    groups = times(k, groups, g->plan.parts);
    k->items = (uint32_t)g->items;
    Loop loop = each_group(k, &k->body, "block", groups);
    const MgKx *block = loop.at;
    if (g->wide) { // parts of one row are next to each other
        g->group.left = let(g, loop.body, times(k, remainder_of(k, block, across), g->columns));
        block = let(g, loop.body, quotient(k, block, across));
    }
    if (g->plan.parts > 1) {
        g->group.part = let(g, loop.body, modulo(k, block, g->plan.parts));
        block = let(g, loop.body, over(k, block, g->plan.parts));
    }
    const MgKx *number = remainder_of(k, block, down);
    number = backwards ? sub(k, minus(k, down, 1), number) : number;
    g->group.first = let(g, loop.body, times(k, number, rows));
    g->group.batch = let(g, loop.body, quotient(k, block, down));
    mg_attention_batch(t, loop.body, g->group.batch);
    return loop.body;
}

MgKBlock *mg_gpu_attention_blocks(MgGpuAttn *g, MgKBlock *block, int64_t size, const MgKx **first,
                                  const MgKx **last) {
    MgKernel *k = g->t.kb.k;
    const MgKx *keys = ix(g, g->t.size.keys), *low = num(k, 0), *high = keys;
    *last = let(g, block, minus(k, keys, 1));
    if (g->plan.parts > 1) {
        const MgKx *length = times(k, mg_kceil_div(k, keys, g->plan.parts * size), size);
        low = let(g, block, mul(k, g->group.part, length));
        high = let(g, block, least(k, keys, add(k, low, length)));
    }
    Loop loop = each_from(k, block, "keys", low, high, size);
    *first = loop.at;
    return loop.body;
}

const MgKx *mg_gpu_attention_place(MgGpuAttn *g, const MgKx *row) {
    MgKernel *k = g->t.kb.k;
    row = add(k, mul(k, g->group.batch, ix(g, g->t.size.rows)), row);
    return add(k, times(k, row, g->plan.parts), g->group.part);
}

// ---------------------------------------------------------------- parts
void mg_gpu_attention_keep(MgGpuAttn *g, MgKBlock *block) {
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    const MgKx *row = let(g, block, add(k, g->group.first, g->item.me));
    MgKBlock *b = block_if(k, block, less(k, row, ix(g, t->size.rows)));
    const MgKx *place = let(g, b, mg_gpu_attention_place(g, row));
    store(k, b, g->found.top, place, kept(g, t->kept.peak, 0, 1));
    store(k, b, g->found.total, place, kept(g, t->kept.sum, 0, 1));
}

// Combines the values of all items of the group by the primitive.
static const MgKx *meet(MgGpuAttn *g, MgKBlock *b, MgPrim prim, const MgKx *x) {
    MgKernel *k = g->t.kb.k;
    MgKBufId cells = local(g, "meet", g->items);
    store(k, b, cells, g->item.me, x);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    const MgKx *all = NULL;
    for (int64_t i = 0; i < g->items; i += MG_QUAD) {
        x = load(g, b, cells, num(k, i), MG_QUAD);
        all = all ? let(g, b, bin(k, prim, all, x)) : x;
    }
    return let(g, b, mg_kfold(k, prim, all));
}

// Combines the row's parts, some of which each item has: sets the weight of each, and returns the
// row's factor.
static const MgKx *join_tops(MgGpuAttn *g, MgKBlock *b, const MgKx *first, MgKBufId weights) {
    enum { MOST = MG_GPU_ATTN_JOINED };
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    int64_t n = mg_ceil_div(g->plan.parts, g->items);
    const MgKx *at[MOST], *top[MOST], *total[MOST], *peak = number(g, -INFINITY),
                                                    *sum = number(g, 0);
    for (int64_t i = 0; i < n; i++) {
        at[i] = let(g, b, plus(k, g->item.me, i * g->items));
        const MgKx *inside = let(g, b, less(k, at[i], num(k, g->plan.parts)));
        const MgKx *place = least(k, at[i], num(k, g->plan.parts - 1));
        place = let(g, b, add(k, first, place));
        top[i] = load(g, b, g->found.top, place, 1);
        total[i] = load(g, b, g->found.total, place, 1);
        top[i] = let(g, b, where(k, inside, top[i], number(g, -INFINITY)));
        total[i] = let(g, b, where(k, inside, total[i], number(g, 0)));
        peak = let(g, b, greatest(k, peak, top[i]));
    }
    peak = meet(g, b, MG_PRIM_MAX, peak);
    const MgKx *shift = let(g, b, mg_attention_shift(t, peak));
    for (int64_t i = 0; i < n; i++) {
        const MgKx *one =
            mg_monoid_moved(k, b, MG_MONOID_SHIFTED, number(g, 1), top[i], NULL, shift, false);
        store(k, b, weights, at[i], let(g, b, one));
        const MgKx *own =
            mg_monoid_moved(k, b, MG_MONOID_SHIFTED, total[i], top[i], NULL, shift, false);
        sum = let(g, b, add(k, sum, own));
    }
    t->leaves = equal(k, g->item.me, num(k, 0));
    return mg_attention_row_factor(t, b, NULL, peak, meet(g, b, MG_PRIM_ADD, sum));
}

// Combines few parts of a vector of columns. Everything is loaded before anything is used, so that
// an item waits once; each one combines the largest scores and the sums by itself.
static void join_few(MgGpuAttn *g, MgKBlock *b, const MgKx *first, const MgKx *column,
                     uint32_t lanes) {
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    const MgKx *x[JOINED_ALONE], *top[JOINED_ALONE], *total[JOINED_ALONE], *peak = NULL;
    int64_t n = g->plan.parts;
    for (int64_t i = 0; i < n; i++) {
        const MgKx *place = let(g, b, plus(k, first, i));
        top[i] = load(g, b, g->found.top, place, 1);
        total[i] = load(g, b, g->found.total, place, 1);
        x[i] = load(g, b, g->found.values, add(k, times(k, place, g->columns), column), lanes);
    }
    for (int64_t i = 0; i < n; i++)
        peak = peak ? let(g, b, greatest(k, peak, top[i])) : top[i];
    const MgKx *shift = let(g, b, mg_attention_shift(t, peak));
    const MgKx *sum = number(g, 0), *all = mg_kfloat(k, lanes_of(g, lanes), 0);
    for (int64_t i = 0; i < n; i++) {
        const MgKx *weight =
            mg_monoid_moved(k, b, MG_MONOID_SHIFTED, number(g, 1), top[i], NULL, shift, false);
        weight = let(g, b, weight);
        sum = let(g, b, mg_kprim(k, MG_PRIM_FMA, total[i], weight, sum));
        all = let(g, b, mg_kprim(k, MG_PRIM_FMA, x[i], mg_ksplat(k, weight, lanes), all));
    }
    t->leaves = equal(k, g->item.me, num(k, 0));
    const MgKx *factor = mg_attention_row_factor(t, b, NULL, peak, sum);
    mg_gpu_attention_leave(g, b, column, let(g, b, mul(k, all, mg_ksplat(k, factor, lanes))));
}

// Combines the parts of columns, whose weights and factor the group has found together.
static void join_columns(MgGpuAttn *g, MgKBlock *b, const MgKx *first, MgKBufId weights,
                         const MgKx *factor, const MgKx *column, uint32_t lanes) {
    MgKernel *k = g->t.kb.k;
    const MgKx *zero = num(k, 0);
    MgKBufId sum = mg_kb_private(&g->t.kb, "all", lanes_of(g, lanes), 1);
    store(k, b, sum, zero, mg_kfloat(k, lanes_of(g, lanes), 0));
    Loop parts = each_of(k, b, "part", num(k, g->plan.parts));
    const MgKx *part = parts.at, *at = times(k, add(k, first, part), g->columns);
    const MgKx *x = load(g, parts.body, g->found.values, add(k, at, column), lanes);
    const MgKx *weight = mg_ksplat(k, loaded(k, weights, part, 1), lanes);
    x = mg_kprim(k, MG_PRIM_FMA, x, weight, kept(g, sum, 0, lanes));
    store(k, parts.body, sum, zero, x);
    x = mul(k, kept(g, sum, 0, lanes), mg_ksplat(k, factor, lanes));
    mg_gpu_attention_leave(g, b, column, let(g, b, x));
}

// A group for each row combines its parts; each item takes vectors of columns.
void mg_gpu_attention_join(MgGpuAttn *g) {
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    const MgKx *rows = ix(g, t->size.rows), *all = mul(k, mg_attention_batches(t), rows);
    int64_t items = g->items;
    uint32_t lanes = MG_QUAD;
    while (g->columns % lanes)
        lanes /= 2;
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    bool alone = g->plan.parts <= JOINED_ALONE && g->columns <= items * lanes;
    MgKBufId weights = alone ? 0 : local(g, "weights", mg_round_up(g->plan.parts, items));
    Loop loop = each_group(k, &k->body, "row", all);
    MgKBlock *b = loop.body;
    const MgKx *row = loop.at, *first = let(g, b, times(k, row, g->plan.parts)), *factor = NULL;
    t->at.loop[MG_ATTN_ROW] = let(g, b, remainder_of(k, row, rows));
    mg_attention_batch(t, b, let(g, b, quotient(k, row, rows)));
    if (!alone) {
        factor = join_tops(g, b, first, weights);
        mg_kbarrier(k, b, MG_BARRIER_GROUP);
    }
    loop =
        each_from(k, b, "column", times(k, g->item.me, lanes), num(k, g->columns), items * lanes);
    if (alone) {
        join_few(g, loop.body, first, loop.at, lanes);
        return;
    }
    join_columns(g, loop.body, first, weights, factor, loop.at, lanes);
    mg_kbarrier(k, b, MG_BARRIER_GROUP); // the next row uses the same buffers
}
