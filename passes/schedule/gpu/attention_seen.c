// Keys that no row of a group's block sees, on a GPU (attention/seen.c): the loop over blocks of
// keys ends before them, or begins after them.
//
// These keys can't simply be skipped: 0 times an infinite or NaN value is NaN. If the last rows see
// all keys, or the first, their sums tell whether there is such a value: a weight times it is not
// finite, and neither is what is added to that. Then a phase behind the others computes the sum of
// 0 times the values of each block, and the sums over all blocks from each one on, or before it.
// Results become NaN if this is the sum of the blocks that their group leaves out. If all sums are
// finite, nothing is left to do.
//
// Otherwise that phase is the first one, and a group's results begin with its sum. This reads the
// values once more for each batch, while the other phase reads them for each block of rows. Without
// a softmax, there may be another weight in place of 0, and the blocks may lie before a group's
// own.
//
// Neighbouring items load neighbouring vectors of a row, as many as leave groups for the device's
// units. If a group has more items than that times the blocks, each block is cut into slices of
// keys.
#include "passes/schedule/gpu/attention_units.h"
#include "passes/schedule/gpu/attention_words.h"
#include "passes/schedule/words.h"

static MgIx blocks_of(MgAttnUnits *u) {
    MgIxTable *table = u->g.t.s->ix;
    return mg_ix_ceil_div(table, u->g.t.size.keys, mg_ix_const(table, u->keys));
}

// Does the last row see all keys, or the first, and is its result a sum that is only stored? What
// follows the sum can't be computed twice, since it may read memory that the result takes over.
static bool some_row_sees_all(MgAttnUnits *u) {
    MgAttn *t = &u->g.t;
    MgIxTable *table = t->s->ix;
    bool after = t->seen.after;
    MgIx zero = mg_ix_const(table, 0), one = mg_ix_const(table, 1);
    MgIx row = after ? zero : mg_ix_sub(table, t->a->extent[t->seen.row], one);
    MgIx end = mg_ix_subst_index(table, t->seen.keys, t->seen.row, row);
    MgIx more = after ? mg_ix_sub(table, zero, end) : mg_ix_sub(table, end, t->size.keys);
    return t->tail.n_ops == 1 && mg_ix_const_or(table, more, -1) >= 0 &&
           mg_attention_unseen_is_nothing(t);
}

// The vectors of a row that a group sums, a power of two.
static uint32_t vectors_of(MgAttnUnits *u) {
    enum { GROUPS = 4 }; // of a unit: while one waits for memory, others add
    int64_t all = u->g.columns / u->v.lanes, units = u->g.t.s->options->target.compute_units,
            batches = mg_attn_known_or(&u->g.t, u->g.t.size.batches, 1);
    uint32_t vectors = 1;
    while (all % (vectors * 2) == 0 &&
           (u->behind.late || all / (vectors * 2) * batches >= GROUPS * units))
        vectors *= 2;
    return vectors;
}

// The items that share a vector of columns.
static int64_t sharers(const MgAttnUnits *u) {
    return u->g.items / u->behind.vectors;
}

// The slices of a block: as many as keep the items of a group busy, a power of two.
static uint32_t slices_of(MgAttnUnits *u) {
    int64_t blocks = mg_ix_likely(u->g.t.s->ix, blocks_of(u));
    uint32_t slices = 1;
    while (slices * 2 * blocks <= sharers(u) && u->keys % (slices * 2) == 0)
        slices *= 2;
    return slices;
}

// A buffer for `blocks` sums of each batch.
static MgKBufId make_sums(MgAttnUnits *u, const char *name, MgIx blocks) {
    MgIxTable *table = u->g.t.s->ix;
    return mg_gpu_attention_scratch(&u->g.t, name, MG_F32,
                                    mg_ix_mul(table, blocks, mg_ix_const(table, u->g.columns)));
}

// The sums of slices are in local memory, if it is known how many there are and they have room
// there, beside `bytes` and what aligns lines. Returns the bytes of local memory that they take.
static int64_t make_parts(MgAttnUnits *u, int64_t bytes) {
    MgIxTable *table = u->g.t.s->ix;
    MgIx slices = mg_ix_mul(table, blocks_of(u), mg_ix_const(table, u->behind.slices));
    int64_t room = (int64_t)u->g.t.s->options->target.local_most - bytes - MG_LINES_BYTES;
    int64_t n, each = (int64_t)u->behind.vectors * u->v.lanes;
    u->behind.near = !u->behind.late && mg_ix_is_const(table, slices, &n) && n <= room / 4 / each;
    u->behind.parts = u->behind.near
                          ? mg_gpu_local(u->g.t.kb.k, "nothings", mg_kt(MG_F32, 1), n * each)
                          : make_sums(u, "nothings", slices);
    return u->behind.near ? 4 * n * each : 0;
}

int64_t mg_attn_find_seen(MgAttnUnits *u, int64_t bytes) {
    MgAttn *t = &u->g.t;
    MgIxTable *table = t->s->ix;
    t->width = u->rows;
    if (!u->g.plan.skips)
        t->seen.keys = 0;
    if (!t->seen.keys)
        return 0;
    u->behind.late = some_row_sees_all(u);
    if (u->behind.late)
        u->behind.whole = mg_gpu_attention_scratch(t, "whole", MG_F32, mg_ix_const(table, MG_QUAD));
    u->behind.vectors = vectors_of(u);
    u->behind.slices = slices_of(u);
    u->behind.sums = make_sums(u, "behind", mg_ix_add(table, blocks_of(u), mg_ix_const(table, 1)));
    return make_parts(u, bytes);
}

// A vector to which a loop adds terms.
typedef struct Sum {
    MgKBufId buf;
    MgKBlock *in; // the loop's body
    const MgKx *i;
} Sum;

static Sum open_sum(MgAttnUnits *u, MgKBlock *b, const MgKx *low, const MgKx *high) {
    MgKernel *k = u->g.t.kb.k;
    MgKType vector = mg_kt(MG_F32, u->v.lanes);
    MgKBufId buf = mg_kb_private(&u->g.t.kb, "sum", vector, 1);
    store(k, b, buf, num(k, 0), mg_kfloat(k, vector, 0));
    Loop loop = each_from(k, b, "i", low, high, 1);
    return (Sum){buf, loop.body, loop.at};
}

// Adds the term of the current trip; after the loop, in block b, the sum goes to `to`.
static void add_term(MgAttnUnits *u, const Sum *sum, const MgKx *x, MgKBlock *b, MgKBufId buf,
                     const MgKx *to) {
    MgKernel *k = u->g.t.kb.k;
    const MgKx *so_far = kept(&u->g, sum->buf, 0, u->v.lanes);
    store(k, sum->in, sum->buf, num(k, 0), add(k, so_far, x));
    store(k, b, buf, to, so_far);
}

// Where the sum of slice number `slice` of the item's vector is.
static const MgKx *part_at(MgAttnUnits *u, const MgKx *slice) {
    MgKernel *k = u->g.t.kb.k;
    int64_t pitch = u->behind.near ? u->behind.vectors * u->v.lanes : u->g.columns;
    return add(k, times(k, slice, pitch), u->behind.first);
}

// For a vector of columns of a batch: the sum of 0 times the values of each slice of keys.
static void sum_slices(MgAttnUnits *u, MgKBlock *b, const MgKx *column) {
    MgKernel *k = u->g.t.kb.k;
    int64_t each = u->keys / u->behind.slices;
    const MgKx *keys = ix(&u->g, u->g.t.size.keys),
               *n = times(k, ix(&u->g, blocks_of(u)), u->behind.slices);
    Loop loop = each_from(k, b, "slice", u->behind.lane, n, sharers(u));
    const MgKx *slice = loop.at, *low = let(&u->g, loop.body, times(k, slice, each));
    const MgKx *high = plus(k, low, each);
    if (mg_attn_known_or(&u->g.t, u->g.t.size.keys, 1) % u->keys)
        high = least(k, keys, high);
    Sum sum = open_sum(u, loop.body, low, let(&u->g, loop.body, high));
    const MgKx *x = mg_attn_units_vector(u, sum.in, &u->v, sum.i, column, NULL);
    x = cast(k, MG_F32, let(&u->g, sum.in, x));
    u->g.t.at.loop[MG_ATTN_ROW] = num(k, 0);
    u->g.t.at.loop[MG_ATTN_KEY] = sum.i;
    const MgKx *weight = mg_attention_unseen_weight(&u->g.t, sum.in);
    x = let(&u->g, sum.in, mul(k, x, mg_ksplat(k, weight, u->v.lanes)));
    add_term(u, &sum, x, loop.body, u->behind.parts, part_at(u, slice));
}

// Adds up the sums of each block's slices, in the place of the first.
static void join_slices(MgAttnUnits *u, MgKBlock *b) {
    MgKernel *k = u->g.t.kb.k;
    Loop loop = each_from(k, b, "block", u->behind.lane, ix(&u->g, blocks_of(u)), sharers(u));
    const MgKx *first = let(&u->g, loop.body, times(k, loop.at, u->behind.slices));
    Sum sum = open_sum(u, loop.body, first, plus(k, first, u->behind.slices));
    const MgKx *from = part_at(u, sum.i);
    add_term(u, &sum, load(&u->g, sum.in, u->behind.parts, from, u->v.lanes), loop.body,
             u->behind.parts, part_at(u, first));
}

// The same for all blocks from each one on, or before it, and one more entry after the last.
static void sum_behind(MgAttnUnits *u, MgKBlock *b, const MgKx *batch, const MgKx *column) {
    MgKernel *k = u->g.t.kb.k;
    const MgKx *blocks = ix(&u->g, blocks_of(u)), *high = plus(k, blocks, 1);
    Loop loop = each_from(k, b, "block", u->behind.lane, high, sharers(u));
    bool after = u->g.t.seen.after;
    Sum sum = open_sum(u, loop.body, after ? num(k, 0) : loop.at, after ? loop.at : blocks);
    const MgKx *from = part_at(u, times(k, sum.i, u->behind.slices));
    const MgKx *entry = add(k, mul(k, batch, high), loop.at);
    add_term(u, &sum, load(&u->g, sum.in, u->behind.parts, from, u->v.lanes), loop.body,
             u->behind.sums, add(k, times(k, entry, u->g.columns), column));
}

static const MgKx *is_nan(MgKernel *k, const MgKx *x) {
    return bin(k, MG_PRIM_NE, x, x);
}

// All rows of a group have the same factors of values, so one of them tells what the others would.
void mg_attn_note_whole(MgAttnUnits *u, MgKBlock *b) {
    MgKernel *k = u->g.t.kb.k;
    const MgKx *sum = NULL, *zero = number(&u->g, 0), *first = u->g.group.first;
    const MgKx *is_whole = u->g.t.seen.after ? equal(k, first, num(k, 0))
                                             : bin(k, MG_PRIM_GE, plus(k, first, u->rows),
                                                   ix(&u->g, u->g.t.size.rows));
    b = block_if(k, b, both(k, is_whole, equal(k, u->item.row[0], num(k, 0))));
    for (uint32_t j = 0; j < u->g.columns / MG_PRODUCT_COLUMNS; j++)
        for (uint32_t i = 0; i < 2; i++) {
            const MgKx *x = mg_klane(k, kept(&u->g, u->g.sums, j, MG_QUAD), i);
            x = mul(k, x, zero);
            sum = let(&u->g, b, sum ? add(k, sum, x) : x);
        }
    const MgKx *at = add(k, times(k, u->g.group.batch, MG_QUAD), u->item.quarter);
    store(k, b, u->behind.whole, at, sum);
}

// Stores the results of n columns, from `left` on, that are NaN by values that rows don't see.
static void mend(MgAttnUnits *u, MgKBlock *b, const MgKx *batch, const MgKx *left, int64_t n) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    Loop row = each_from(k, b, "row", u->g.item.me, ix(&u->g, t->size.rows), u->g.items);
    u->g.group.first = let(&u->g, row.body, times(k, over(k, row.at, u->rows), u->rows));
    t->at.loop[MG_ATTN_ROW] = row.at;
    MgUnitsBlocks seen = mg_attn_seen_blocks(u, row.body, ix(&u->g, t->size.keys));
    const MgKx *end = t->seen.after ? seen.low : seen.high;
    const MgKx *entries = plus(k, ix(&u->g, blocks_of(u)), 1);
    const MgKx *entry = add(k, mul(k, batch, entries), end);
    entry = let(&u->g, row.body, times(k, entry, u->g.columns));
    Loop one = each_of(k, row.body, "column", num(k, n));
    const MgKx *column = let(&u->g, one.body, add(k, left, one.at));
    const MgKx *x = load(&u->g, one.body, u->behind.sums, add(k, entry, column), 1);
    mg_gpu_attention_leave(&u->g, block_if(k, one.body, is_nan(k, x)), column, x);
}

// A group computes some vectors of columns of a batch, and an item a slice of one, then a block.
void mg_attn_sum_unseen(MgAttnUnits *u) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    uint32_t each = u->behind.vectors;
    int64_t parts = u->g.columns / u->v.lanes / each;
    if (u->behind.late)
        mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    Loop loop = each_group(k, &k->body, "part", times(k, mg_attention_batches(t), parts));
    MgKBlock *b = loop.body;
    const MgKx *batch = let(&u->g, b, over(k, loop.at, parts));
    if (u->behind.late) {
        const MgKx *whole = load(&u->g, b, u->behind.whole, times(k, batch, MG_QUAD), MG_QUAD);
        b = block_if(k, b, is_nan(k, let(&u->g, b, mg_kfold(k, MG_PRIM_ADD, whole))));
    }
    const MgKx *own = let(&u->g, b, modulo(k, u->g.item.me, each));
    const MgKx *left = let(&u->g, b, times(k, modulo(k, loop.at, parts), each * u->v.lanes));
    const MgKx *column = let(&u->g, b, add(k, left, times(k, own, u->v.lanes)));
    const MgKx *slices = times(k, ix(&u->g, blocks_of(u)), u->behind.slices);
    const MgKx *first = u->behind.near
                            ? times(k, own, u->v.lanes)
                            : add(k, times(k, mul(k, batch, slices), u->g.columns), column);
    u->behind.first = let(&u->g, b, first);
    u->behind.lane = let(&u->g, b, over(k, u->g.item.me, each));
    mg_attention_batch(t, b, batch);
    if (u->behind.near)
        mg_kbarrier(k, b, MG_BARRIER_GROUP); // the previous part has been summed
    sum_slices(u, b, column);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    if (u->behind.slices > 1) {
        join_slices(u, b);
        mg_kbarrier(k, b, MG_BARRIER_GROUP);
    }
    sum_behind(u, b, batch, column);
    if (!u->behind.late) {
        mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
        return;
    }
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    mend(u, b, batch, left, each * u->v.lanes);
}

MgUnitsBlocks mg_attn_seen_blocks(MgAttnUnits *u, MgKBlock *b, const MgKx *keys) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    bool after = t->seen.keys && t->seen.after;
    const MgKx *low = num(k, 0), *first = u->g.group.first;
    if (t->seen.keys && !after)
        keys = mg_attention_seen(t, b, first);
    // Rows that see no key are computed with the first ones, or the last.
    const MgKx *high = let(&u->g, b, greatest(k, mg_kceil_div(k, keys, u->keys), num(k, 1)));
    if (after)
        low = least(k, over(k, mg_attention_seen_by_all(t, b, first), u->keys), minus(k, high, 1));
    bool whole = mg_attn_known_or(t, t->size.keys, 1) % u->keys == 0;
    return (MgUnitsBlocks){.low = after ? let(&u->g, b, low) : low,
                           .high = high,
                           .keys = whole ? NULL : ix(&u->g, t->size.keys)};
}

void mg_attn_begin_behind(MgAttnUnits *u, MgKBlock *b, const MgKx *blocks) {
    static const uint8_t both[] = {0, 1, 0, 1};
    MgKernel *k = u->g.t.kb.k;
    const MgKx *all = ix(&u->g, blocks_of(u));
    if (mg_attn_known_or(&u->g.t, u->g.t.size.keys, 0) == 0) // without keys there is no block
        blocks = least(k, blocks, all);
    const MgKx *row = add(k, mul(k, u->g.group.batch, plus(k, all, 1)), blocks);
    const MgKx *at =
        let(&u->g, b, add(k, times(k, row, u->g.columns), times(k, u->item.quarter, 2)));
    uint32_t across = (uint32_t)u->g.columns / MG_PRODUCT_COLUMNS;
    for (uint32_t j = 0; j < across; j++) {
        const MgKx *x = load(&u->g, b, u->behind.sums, plus(k, at, j * MG_PRODUCT_COLUMNS), 2);
        x = let(&u->g, b, mg_kpermute(k, x, NULL, both, MG_QUAD));
        for (uint32_t i = 0; i < u->parts; i++)
            store(k, b, u->g.sums, num(k, i * across + j), x);
    }
}
