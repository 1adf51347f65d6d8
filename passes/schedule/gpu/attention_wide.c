// Attention by wide products: 128 items issue one instruction for 64 rows, which runs while they do
// other work. Keys and values are in lines of local memory. The weights are a product's rows, in
// each item's registers.
//
// Two products alternate: the scores of a block of keys, and the previous block's values multiplied
// by its weights. The exponentials of a block are computed while the previous block's values are
// summed. Items wait to start each instruction of a product, so this stands between instructions.
// If a group has two strips, which a barrier keeps in step, half of the exponentials are deferred:
// they are computed while the next block's scores are.
//
// Keys and values have two slots each. A copy to a slot that a product has finished with completes
// during the next two products, if the items copy; if the device does (attention_boxes.c), it
// begins when all items have met. So a block has one barrier, after which each row's four items
// have stored their largest scores, and all items see the next keys and values.
//
// Blocks of which all rows see all keys have a loop of their own, in which steps don't choose.
//
// Without a softmax, a block has fewer keys, and its products follow one another: several groups
// share a unit, and one multiplies while others compute weights. The next block of all factors
// comes meanwhile, and a block has one barrier, after which its slots are free.
//
// Shah et al., "FlashAttention-3", 2024, overlaps products and exponentials in this way.
#include "passes/schedule/gpu/attention_units.h"
#include "passes/schedule/gpu/attention_words.h"
#include "passes/schedule/words.h"

enum {
    WIDEST = 128,           // depth and columns
    KEYS = 128,             // of a block
    SLOTS = MG_UNITS_SLOTS, // of keys, values and largest scores
};

// ---------------------------------------------------------------- the plan

// Several products' sums take the registers that a softmax has for a block of twice as many keys.
static int64_t keys_of(const MgGpuAttn *g) {
    return g->t.a->softmax ? KEYS : KEYS / 2;
}

static const char *misfit(const MgGpuAttn *g) {
    const MgGpuAttnPlan *p = &g->plan;
    const MgTargetInfo *target = &g->t.s->options->target;
    if (!mg_attn_units_suit(g) || mg_attn_units_split(g) ||
        !mg_machine_has_wide(&target->machine) || target->max_items < 2 * MG_UNITS_STRIP_ITEMS ||
        mg_attn_widest(&g->t) > WIDEST)
        return "wide products need a device that has them, at least 16 rows, and rows of up to "
               "128 elements of a type in which they are exact";
    if ((p->rows != MG_UNITS_STRIP && p->rows != 2 * MG_UNITS_STRIP) || p->keys != keys_of(g))
        return "a group has 64 or 128 rows, and 128 keys at once, or 64 without a softmax";
    return mg_attn_units_fit(g) ? NULL : "the copies do not fit into a group's local memory";
}

// With narrow heads, a unit has room for two groups, which don't wait for each other: one
// multiplies while the other computes exponentials. Wide heads fill it with one group, whose two
// strips share keys and values.
static bool choose(MgGpuAttn *g) {
    MgAttn *t = &g->t;
    int64_t rows = mg_attn_known_or(t, t->size.rows, 1024), groups;
    int64_t batches = mg_attn_known_or(t, t->size.batches, 8);
    int64_t strips = mg_attn_widest(t) <= MG_UNITS_LINE ? 1 : 2;
    g->plan = (MgGpuAttnPlan){.kind = MG_GPU_ATTN_WIDE,
                              .rows = strips * MG_UNITS_STRIP,
                              .keys = keys_of(g),
                              .parts = 1,
                              .skips = t->seen.keys};
    return !misfit(g) &&
           !__builtin_mul_overflow(batches, mg_ceil_div(rows, g->plan.rows), &groups) &&
           groups >= mg_ceil_div(t->s->options->target.compute_units, 2);
}

const MgGpuAttnForm mg_gpu_attn_wide = {choose, misfit, mg_attn_units_emit};

// ---------------------------------------------------------------- blocks of keys

// The first key of a block. If there is no block of that number, the last one's.
static const MgKx *first_of(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys,
                            const MgKx *block) {
    MgKernel *k = u->g.t.kb.k;
    const MgKx *last = minus(k, keys->high, 1);
    return let(&u->g, b, times(k, least(k, block, last), u->keys));
}

static void finish_scores(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys, const MgKx *block,
                          MgUnitsScores x) {
    MgKernel *k = u->g.t.kb.k;
    const MgKx *first = let(&u->g, b, times(k, block, u->keys));
    const MgKx *n = keys->keys && !keys->seen ? let(&u->g, b, sub(k, keys->keys, first)) : NULL;
    mg_attn_finish_scores(u, b, first, n, x);
}

// The same for a softmax, whose rows' largest scores go to a slot.
static void find_peaks(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys, const MgKx *block,
                       const MgKx *slot, MgUnitsScores x) {
    MgKernel *k = u->g.t.kb.k;
    u->peaks.at = let(&u->g, b, times(k, slot, u->rows * MG_QUAD));
    finish_scores(u, b, keys, block, x);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
}

// Computes the weights of a block. The factor of its sums is kept for later.
static void weigh(MgAttnUnits *u, MgKBlock *b, MgUnitsScores x) {
    MgKernel *k = u->g.t.kb.k;
    MgUnitsRows shift, scale;
    mg_attn_raise_peaks(u, b, shift, scale);
    mg_attn_weigh(u, b, x, shift, scale);
    for (uint32_t h = 0; h < 2; h++)
        store(k, b, u->scale, num(k, h), scale[h]);
}

// Prepares the weights for the next product, when the previous one has ended: those that are
// deferred, or the others.
static void hold(MgAttnUnits *u, MgKBlock *b, bool deferred) {
    MgKernel *k = u->g.t.kb.k;
    for (uint32_t i = 0; i < u->keys / MG_PRODUCT_COLUMNS; i++) {
        MgUnitsWeight at = mg_attn_weight(u, i);
        if (mg_attn_defers(u, i) == deferred)
            store(k, b, u->weights.rows.buf, num(k, i),
                  cast(k, u->weights.type, kept(&u->g, at.buf, at.i, MG_QUAD)));
    }
}

// Computes the deferred weights in block `meanwhile` of b, or in b itself.
static void weigh_rest(MgAttnUnits *u, MgKBlock *b, MgKBlock *meanwhile) {
    if (!u->defers)
        return;
    mg_attn_weigh_rest(u, meanwhile);
    hold(u, b, true);
}

static void rescale(MgAttnUnits *u, MgKBlock *b) {
    MgUnitsRows scale;
    for (uint32_t h = 0; h < 2; h++)
        scale[h] = let(&u->g, b, kept(&u->g, u->scale, h, 1));
    mg_attn_rescale(u, b, scale);
}

// Begins to copy block `block` of a factor, if there is one.
static void fill(MgAttnUnits *u, MgKBlock *b, MgUnitsFactor *f, const MgUnitsBlocks *keys,
                 const MgKx *block) {
    MgKernel *k = u->g.t.kb.k;
    MgKBlock *there = block_if(k, b, less(k, block, keys->high));
    mg_attn_fill(u, there, f, block, modulo(k, block, SLOTS));
}

// Copies the first blocks. The next block of keys follows when the scores of block 0 have been
// computed; until then it is in `next`.
static void copy_first(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys,
                       MgUnitsVectors *next) {
    MgKernel *k = u->g.t.kb.k;
    MgUnitsVectors v[SLOTS], values;
    for (uint32_t i = 0; i < SLOTS; i++)
        mg_attn_fetch(u, b, &u->products[0].k, first_of(u, b, keys, num(k, i)), keys->keys, &v[i]);
    mg_attn_fetch(u, b, &u->v, num(k, 0), keys->keys, &values);
    for (uint32_t i = 0; i < SLOTS; i++)
        mg_attn_put(u, b, &u->products[0].k, num(k, i * u->products[0].k.tile), &v[i]);
    mg_attn_put(u, b, &u->v, NULL, &values);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    mg_attn_fetch(u, b, &u->products[0].k, first_of(u, b, keys, num(k, SLOTS)), keys->keys, next);
}

// The work before the loop: the weights of block 0 are computed, and its values and three blocks of
// keys are loaded.
static void begin(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys) {
    MgKernel *k = u->g.t.kb.k;
    MgUnitsScores x;
    MgUnitsVectors next;
    if (u->boxed) {
        mg_kbarrier(k, b, MG_BARRIER_GROUP); // the rows have been stored
        mg_attn_await(u, b, &u->products[0].k, num(k, 0));
    } else {
        copy_first(u, b, keys, &next);
    }
    mg_attn_multiply_keys(u, b, &u->products[0], num(k, 0));
    find_peaks(u, b, keys, num(k, 0), num(k, 0), x);
    if (u->boxed)
        fill(u, b, &u->products[0].k, keys, num(k, SLOTS));
    else
        mg_attn_put(u, b, &u->products[0].k, NULL, &next);
    weigh(u, b, x);
    hold(u, b, false);
}

// Computes the scores of a block of keys, and multiplies the values of the previous block.
static void emit_block(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys, const MgKx *block) {
    MgKernel *k = u->g.t.kb.k;
    const MgKx *slot = let(&u->g, b, modulo(k, block, SLOTS));
    const MgKx *other = let(&u->g, b, sub(k, num(k, SLOTS - 1), slot));
    MgUnitsScores x;
    if (u->boxed)
        mg_attn_await(u, b, &u->products[0].k, slot);
    MgKBlock *meanwhile = mg_attn_multiply_keys(u, b, &u->products[0], slot);
    rescale(u, meanwhile);
    weigh_rest(u, b, meanwhile);
    find_peaks(u, b, keys, block, slot, x);
    if (u->boxed) {
        fill(u, b, &u->products[0].k, keys, let(&u->g, b, plus(k, block, SLOTS)));
        fill(u, b, &u->v, keys, block);
        mg_attn_await(u, b, &u->v, other);
    }
    meanwhile = mg_attn_multiply_values(u, b, other, u->boxed ? MG_LAG_NONE : MG_LAG_STORES);
    if (!u->boxed) {
        const MgKx *next = first_of(u, meanwhile, keys, plus(k, block, SLOTS));
        mg_attn_copy_later(u, meanwhile, &u->products[0].k, next, keys->keys, slot);
        mg_attn_copy_later(u, meanwhile, &u->v, first_of(u, meanwhile, keys, block), keys->keys,
                           slot);
    }
    weigh(u, meanwhile, x);
    hold(u, b, false);
}

static void emit_blocks(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys, const MgKx *low,
                        const MgKx *high) {
    Loop loop = each_from(u->g.t.kb.k, b, "keys", low, high, 1);
    emit_block(u, loop.body, keys, loop.at);
}

// Emits the blocks of which all rows see all keys. Returns the number of the next block.
static const MgKx *emit_seen_blocks(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    MgUnitsBlocks seen = *keys;
    const MgKx *n = mg_attention_seen_by_all(t, b, u->g.group.first);
    n = let(&u->g, b, greatest(k, over(k, n, u->keys), num(k, 1)));
    seen.seen = true;
    t->sees = MG_SEES_ALL;
    emit_blocks(u, b, &seen, num(k, 1), n);
    t->sees = MG_SEES_SOME;
    return n;
}

static void emit_softmax(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys) {
    MgKernel *k = u->g.t.kb.k;
    begin(u, b, keys);
    emit_blocks(u, b, keys, u->g.t.seen.keys ? emit_seen_blocks(u, b, keys) : num(k, 1),
                keys->high);
    mg_kawait(k, b, u->g.sums); // the last values
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    rescale(u, b);
    weigh_rest(u, b, b);
    const MgKx *last = minus(k, keys->high, 1);
    last = let(&u->g, b, modulo(k, last, SLOTS));
    if (u->boxed)
        mg_attn_await(u, b, &u->v, last);
    mg_attn_multiply_values(u, b, last, MG_LAG_NONE);
    u->peaks.at = NULL;
}

// ---------------------------------------------------------------- weights without a softmax

// The factors that have a row for each key: those of the scores, and the values, if they aren't one
// of these.
static uint32_t factors_of_keys(const MgAttnUnits *u) {
    return u->n_products + (u->shared == u->n_products);
}

static MgUnitsFactor *factor_of_keys(MgAttnUnits *u, uint32_t i) {
    return i < u->n_products ? &u->products[i].k : &u->v;
}

typedef MgUnitsVectors Block[MG_ATTENTION_PRODUCTS + 1]; // an item's part of all these factors

// Begins to bring a block of all factors to its slots, or loads it.
static void bring(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys, const MgKx *block,
                  Block v) {
    for (uint32_t i = 0; i < factors_of_keys(u); i++)
        if (u->boxed)
            fill(u, b, factor_of_keys(u, i), keys, block);
        else
            mg_attn_fetch(u, b, factor_of_keys(u, i), first_of(u, b, keys, block), keys->keys,
                          &v[i]);
}

static void put(MgAttnUnits *u, MgKBlock *b, const MgKx *slot, Block v) {
    for (uint32_t i = 0; i < factors_of_keys(u); i++) {
        const MgUnitsFactor *f = factor_of_keys(u, i);
        mg_attn_put(u, b, f, let(&u->g, b, times(u->g.t.kb.k, slot, f->tile)), &v[i]);
    }
}

// Computes a block of keys, while the next one comes to the other slot.
static void emit_weighted_block(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys,
                                const MgKx *block) {
    MgKernel *k = u->g.t.kb.k;
    const MgKx *slot = let(&u->g, b, modulo(k, block, SLOTS));
    const MgKx *next = let(&u->g, b, plus(k, block, 1));
    MgUnitsScores x;
    Block more;
    bring(u, b, keys, next, more);
    for (uint32_t i = 0; i < factors_of_keys(u) && u->boxed; i++)
        mg_attn_await(u, b, factor_of_keys(u, i), slot);
    for (uint32_t i = 0; i < u->n_products; i++)
        mg_attn_multiply_keys(u, b, &u->products[i], slot);
    finish_scores(u, b, keys, block, x);
    mg_attn_put_weights(u, b, x);
    hold(u, b, false);
    mg_attn_multiply_values(u, b, slot, MG_LAG_NONE);
    if (!u->boxed)
        put(u, b, sub(k, num(k, SLOTS - 1), slot), more);
    mg_kbarrier(k, b, MG_BARRIER_GROUP); // the block has been used
}

static void emit_weighted_blocks(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys,
                                 const MgKx *low, const MgKx *high, MgAttnSees sees) {
    Loop loop = each_from(u->g.t.kb.k, b, "keys", low, high, 1);
    u->g.t.sees = sees;
    emit_weighted_block(u, loop.body, keys, loop.at);
    u->g.t.sees = MG_SEES_SOME;
}

// The block before which, or from which on, all rows see all keys; NULL: it is not known.
static const MgKx *find_border(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    if (!t->seen.keys)
        return NULL;
    const MgKx *first = u->g.group.first;
    const MgKx *block = t->seen.after ? mg_kceil_div(k, mg_attention_seen(t, b, first), u->keys)
                                      : over(k, mg_attention_seen_by_all(t, b, first), u->keys);
    return let(&u->g, b, greatest(k, least(k, block, keys->high), keys->low));
}

static void emit_weighted(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys) {
    MgKernel *k = u->g.t.kb.k;
    if (!u->boxed) {
        Block first;
        bring(u, b, keys, keys->low, first);
        put(u, b, let(&u->g, b, modulo(k, keys->low, SLOTS)), first);
    }
    mg_kbarrier(k, b, MG_BARRIER_GROUP); // the rows have been stored
    const MgKx *border = find_border(u, b, keys);
    bool after = u->g.t.seen.after;
    if (border)
        emit_weighted_blocks(u, b, keys, keys->low, border, after ? MG_SEES_SOME : MG_SEES_ALL);
    emit_weighted_blocks(u, b, keys, border ? border : keys->low, keys->high,
                         border && after ? MG_SEES_ALL : MG_SEES_SOME);
}

void mg_attn_wide_first(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys) {
    MgKernel *k = u->g.t.kb.k;
    u->boxed = mg_attn_find_boxes(u);
    if (!u->boxed)
        return;
    if (!u->g.t.a->softmax) {
        bring(u, b, keys, keys->low, NULL);
        return;
    }
    u->defers = u->rows > MG_UNITS_STRIP && !mg_attention_gains(u->g.t.a);
    if (u->defers)
        u->exponents = mg_kb_private(&u->g.t.kb, "exponents", mg_kt(MG_F32, MG_QUAD),
                                     mg_attn_first_deferred(u));
    for (uint32_t i = 0; i < SLOTS; i++)
        fill(u, b, &u->products[0].k, keys, num(k, i));
    fill(u, b, &u->v, keys, num(k, 0));
}

void mg_attn_wide_keys(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys) {
    (u->g.t.a->softmax ? emit_softmax : emit_weighted)(u, b, keys);
}
