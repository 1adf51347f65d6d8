// An item's work on its rows in an attention by matrix units. Rows are the fragments of products of
// small matrices: an item has a quarter of the scores, weights and results of each of its rows, and
// three neighbours have the rest.
#include "passes/schedule/gpu/attention_units.h"
#include "passes/schedule/gpu/attention_words.h"
#include "passes/schedule/words.h"

#include <math.h>

void mg_attn_place_items(MgAttnUnits *u, MgKBlock *b) {
    MgKernel *k = u->g.t.kb.k;
    u->g.item.me = let(&u->g, b, mg_kspecial(k, MG_KX_LOCAL_ID));
    const MgKx *lane = let(&u->g, b, modulo(k, u->g.item.me, MG_TOGETHER));
    u->g.item.y = let(&u->g, b, over(k, u->g.item.me, MG_TOGETHER));
    u->item.quarter = let(&u->g, b, modulo(k, lane, 4));
    const MgKx *high = let(&u->g, b, over(k, lane, 4));
    for (uint32_t r = 0; r < 2 * u->parts; r++) {
        const MgKx *within = plus(k, high, r * MG_PRODUCT_ROWS / 2);
        u->item.row[r] = let(&u->g, b, add(k, times(k, u->g.item.y, u->item_rows), within));
    }
}

void mg_attn_clear(MgAttnUnits *u, MgKBlock *b, MgKBufId sums, int64_t columns) {
    MgKernel *k = u->g.t.kb.k;
    for (int64_t i = 0; i < u->parts * columns / MG_PRODUCT_COLUMNS; i++)
        store(k, b, sums, num(k, i), mg_kfloat(k, mg_kt(MG_F32, MG_QUAD), 0));
}

// ---------------------------------------------------------------- rows

// Stores the values of each row's four items in local memory, for each other.
static void tell(MgAttnUnits *u, MgKBlock *b, MgUnitsRows x) {
    MgKernel *k = u->g.t.kb.k;
    for (uint32_t r = 0; r < 2 * u->parts; r++) {
        const MgKx *to = add(k, times(k, u->item.row[r], MG_QUAD), u->item.quarter);
        store(k, b, u->peaks.told, u->peaks.at ? add(k, u->peaks.at, to) : to, x[r]);
    }
}

static const MgKx *told(MgAttnUnits *u, MgKBlock *b, uint32_t row) {
    MgKernel *k = u->g.t.kb.k;
    const MgKx *at = times(k, u->item.row[row], MG_QUAD);
    return load(&u->g, b, u->peaks.told, u->peaks.at ? add(k, u->peaks.at, at) : at, MG_QUAD);
}

static void tell_largest(MgAttnUnits *u, MgKBlock *b, MgUnitsScores x) {
    MgKernel *k = u->g.t.kb.k;
    MgUnitsRows most;
    for (uint32_t r = 0; r < 2 * u->parts; r++) {
        most[r] = x[r][0];
        for (uint32_t j = 1; j < u->keys / MG_QUAD; j++)
            most[r] = let(&u->g, b, greatest(k, most[r], x[r][j]));
    }
    tell(u, b, most);
}

// Finds the keys of the item's scores, in the block of n keys (NULL: all) from `first` on.
static void place_keys(MgAttnUnits *u, MgKBlock *b, const MgKx *first, const MgKx *n) {
    MgKernel *k = u->g.t.kb.k;
    u->item.keys = n;
    for (uint32_t j = 0; j < u->keys / MG_QUAD; j++) {
        const MgKx *own = num(k, j / 2 * MG_PRODUCT_COLUMNS + j % 2);
        own = u->item.own[j] = let(&u->g, b, add(k, times(k, u->item.quarter, 2), own));
        const MgKx *key = add(k, first, own);
        key = n ? least(k, key, minus(k, add(k, first, n), 1)) : key;
        u->item.key[j] = let(&u->g, b, key);
    }
}

void mg_attn_finish_scores(MgAttnUnits *u, MgKBlock *b, const MgKx *first, const MgKx *n,
                           MgUnitsScores x) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    const MgKx *none = number(&u->g, t->a->softmax ? -INFINITY : 0);
    uint32_t across = (uint32_t)u->keys / MG_PRODUCT_COLUMNS;
    place_keys(u, b, first, n);
    for (uint32_t r = 0; r < 2 * u->parts; r++) {
        t->at.loop[MG_ATTN_ROW] = u->item.now[r];
        for (uint32_t j = 0; j < 2 * across; j++) {
            const MgKx *sums[MG_ATTENTION_PRODUCTS];
            for (uint32_t p = 0; p < u->n_products; p++)
                sums[p] =
                    mg_klane(k, kept(&u->g, u->products[p].sums, r / 2 * across + j / 2, MG_QUAD),
                             2 * (r % 2) + j % 2);
            t->at.loop[MG_ATTN_KEY] = u->item.key[j];
            const MgKx *s = mg_attention_score(t, b, NULL, sums);
            s = n ? where(k, less(k, u->item.own[j], n), s, none) : s;
            x[r][j] = let(&u->g, b, s);
        }
    }
    if (t->a->softmax)
        tell_largest(u, b, x);
}

void mg_attn_raise_peaks(MgAttnUnits *u, MgKBlock *b, MgUnitsRows shift, MgUnitsRows scale) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    for (uint32_t r = 0; r < 2 * u->parts; r++) {
        const MgKx *before = let(&u->g, b, kept(&u->g, u->peaks.most, r, 1));
        const MgKx *peak = mg_kfold(k, MG_PRIM_MAX, told(u, b, r));
        peak = u->factor == 1 ? peak : mul(k, peak, number(&u->g, u->factor));
        peak = let(&u->g, b, greatest(k, before, peak));
        shift[r] = let(&u->g, b, mg_attention_shift(t, peak));
        const MgKx *grown = least(k, sub(k, before, shift[r]), number(&u->g, 0));
        scale[r] = let(&u->g, b, mg_kexp_below(k, grown));
        store(k, b, u->peaks.most, num(k, r), peak);
    }
}

// f16 has no numbers much below 2^-14. Weights are scaled to at most 2^14, so that they lose little
// there.
static double unit_of(const MgAttnUnits *u) {
    return u->weights.type == MG_F16 ? 0x1p14 : 1;
}

// The logarithm by which a row's weights are multiplied; if they aren't rounded, what is subtracted
// from its scores.
static const MgKx *log_of(MgAttnUnits *u, MgKBlock *b, const MgKx *shift) {
    MgKernel *k = u->g.t.kb.k;
    if (u->weights.type == MG_F32)
        return shift;
    const MgKx *unit = number(&u->g, log2(unit_of(u)));
    return let(&u->g, b, mg_kprim(k, MG_PRIM_FMA, shift, number(&u->g, -MG_LOG2_E), unit));
}

// The logarithm of a weight that is rounded to 16 bits, for powers of 2.
static const MgKx *exponent_of(MgAttnUnits *u, MgKBlock *b, const MgKx *x, const MgKx *log) {
    MgKernel *k = u->g.t.kb.k;
    return let(&u->g, b, mg_kprim(k, MG_PRIM_FMA, x, number(&u->g, u->factor * MG_LOG2_E), log));
}

// If a weight is rounded to 16 bits, its power needs no more accuracy.
static const MgKx *weight_of(MgAttnUnits *u, MgKBlock *b, const MgKx *x, const MgKx *log) {
    MgKernel *k = u->g.t.kb.k;
    if (u->weights.type == MG_F32)
        return let(&u->g, b, mg_kexp_below(k, least(k, sub(k, x, log), number(&u->g, 0))));
    return let(&u->g, b, mg_kexp2_rough(k, exponent_of(u, b, x, log)));
}

static const MgKx *beside(MgAttnUnits *u, const MgKx *a, const MgKx *b) {
    static const uint8_t all[] = {0, 1, 2, 3};
    return mg_kpermute(u->g.t.kb.k, a, b, all, 2 * a->type.lanes);
}

// Stores the weights, as rows of the last product, to local memory.
static void store_weights(MgAttnUnits *u, MgKBlock *b, MgUnitsScores x) {
    MgKernel *k = u->g.t.kb.k;
    for (uint32_t r = 0; r < 2 * u->parts; r++) {
        const MgKx *to = times(k, u->item.row[r], u->weights.rows.pitch);
        to = let(&u->g, b, add(k, to, times(k, u->item.quarter, 2)));
        for (uint32_t j = 0; j < u->keys / MG_PRODUCT_COLUMNS; j++)
            store(k, b, u->weights.rows.buf, plus(k, to, j * MG_PRODUCT_COLUMNS),
                  cast(k, u->weights.type, beside(u, x[r][2 * j], x[r][2 * j + 1])));
    }
}

// If the product is wide, the weights take the place of the scores, and are narrowed when no
// running product reads them.
static void keep_weights(MgAttnUnits *u, MgKBlock *b, MgUnitsScores x) {
    MgKernel *k = u->g.t.kb.k;
    for (uint32_t j = 0; j < u->keys / MG_PRODUCT_COLUMNS; j++) {
        const MgKx *const *high = x[0] + 2 * j, *const *low = x[1] + 2 * j;
        MgUnitsWeight to = mg_attn_weight(u, j);
        store(k, b, to.buf, num(k, to.i),
              beside(u, beside(u, high[0], high[1]), beside(u, low[0], low[1])));
    }
}

void mg_attn_put_weights(MgAttnUnits *u, MgKBlock *b, MgUnitsScores x) {
    (u->wide ? keep_weights : store_weights)(u, b, x);
}

// Multiplies the weights of one of the item's rows by their gains.
static void gain(MgAttnUnits *u, MgKBlock *b, const MgKx *row, const MgKx **e) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    t->at.loop[MG_ATTN_ROW] = row;
    for (uint32_t j = 0; j < u->keys / MG_QUAD && mg_attention_gains(t->a); j++) {
        const MgKx *n = u->item.keys, *exists = n ? less(k, u->item.own[j], n) : NULL;
        t->at.loop[MG_ATTN_KEY] = u->item.key[j];
        e[j] = mg_attention_gained(t, b, NULL, exists, e[j]);
    }
}

void mg_attn_weigh(MgAttnUnits *u, MgKBlock *b, MgUnitsScores x, MgUnitsRows shift,
                   MgUnitsRows scale) {
    MgKernel *k = u->g.t.kb.k;
    for (uint32_t r = 0; r < 2 * u->parts; r++) {
        const MgKx *sum = NULL, **e = x[r], *log = log_of(u, b, shift[r]);
        for (uint32_t j = 0; j < u->keys / MG_QUAD; j += 2) {
            if (mg_attn_defers(u, j / 2)) {
                e[j] = exponent_of(u, b, e[j], log);
                e[j + 1] = exponent_of(u, b, e[j + 1], log);
                continue;
            }
            e[j] = weight_of(u, b, e[j], log);
            e[j + 1] = weight_of(u, b, e[j + 1], log);
            const MgKx *both = add(k, e[j], e[j + 1]);
            sum = let(&u->g, b, sum ? add(k, sum, both) : both);
        }
        const MgKx *before = mul(k, kept(&u->g, u->peaks.total, r, 1), scale[r]);
        store(k, b, u->peaks.total, num(k, r), add(k, before, sum));
        gain(u, b, u->item.now[r], e);
    }
    mg_attn_put_weights(u, b, x);
}

void mg_attn_weigh_rest(MgAttnUnits *u, MgKBlock *b) {
    MgKernel *k = u->g.t.kb.k;
    const MgKx *sum[2] = {NULL, NULL};
    for (uint32_t j = mg_attn_first_deferred(u); j < u->keys / MG_PRODUCT_COLUMNS; j++) {
        MgUnitsWeight at = mg_attn_weight(u, j);
        const MgKx *e[MG_QUAD], *x = kept(&u->g, at.buf, at.i, MG_QUAD);
        for (uint32_t l = 0; l < MG_QUAD; l++)
            e[l] = let(&u->g, b, mg_kexp2_rough(k, mg_klane(k, x, l)));
        for (uint32_t r = 0; r < 2; r++) {
            const MgKx *both = add(k, e[2 * r], e[2 * r + 1]);
            sum[r] = let(&u->g, b, sum[r] ? add(k, sum[r], both) : both);
        }
        store(k, b, at.buf, num(k, at.i), beside(u, beside(u, e[0], e[1]), beside(u, e[2], e[3])));
    }
    for (uint32_t r = 0; r < 2; r++)
        store(k, b, u->peaks.total, num(k, r), add(k, kept(&u->g, u->peaks.total, r, 1), sum[r]));
}

void mg_attn_rescale(MgAttnUnits *u, MgKBlock *b, MgUnitsRows by) {
    static const uint8_t rows[] = {0, 0, 1, 1};
    MgKernel *k = u->g.t.kb.k;
    uint32_t across = (uint32_t)u->g.columns / MG_PRODUCT_COLUMNS;
    for (uint32_t i = 0; i < u->parts; i++) {
        const MgKx *factor = let(&u->g, b, mg_kpermute(k, by[2 * i], by[2 * i + 1], rows, MG_QUAD));
        for (uint32_t j = i * across; j < (i + 1) * across; j++)
            store(k, b, u->g.sums, num(k, j), mul(k, kept(&u->g, u->g.sums, j, MG_QUAD), factor));
    }
}

// Multiplies the rows' results by their last factors.
static void scale_rows(MgAttnUnits *u, MgKBlock *block) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    MgUnitsRows x;
    for (uint32_t r = 0; r < 2 * u->parts; r++)
        x[r] = kept(&u->g, u->peaks.total, r, 1);
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    tell(u, block, x);
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    for (uint32_t r = 0; r < 2 * u->parts; r++) {
        const MgKx *sum = mg_kfold(k, MG_PRIM_ADD, told(u, block, r));
        const MgKx *one = number(&u->g, 1 / unit_of(u));
        const MgKx *peak = let(&u->g, block, kept(&u->g, u->peaks.most, r, 1));
        const MgKx *row = add(k, u->g.group.first, u->item.row[r]);
        t->leaves =
            both(k, equal(k, u->item.quarter, num(k, 0)), less(k, row, ix(&u->g, t->size.rows)));
        t->at.loop[MG_ATTN_ROW] = u->item.now[r];
        sum = let(&u->g, block, mul(k, sum, one));
        x[r] = mul(k, mg_attention_row_factor(t, block, NULL, peak, sum), one);
        x[r] = let(&u->g, block, x[r]);
    }
    mg_attn_rescale(u, block, x);
}

void mg_attn_finish_rows(MgAttnUnits *u, MgKBlock *block) {
    static const uint8_t pairs[2][2] = {{0, 1}, {2, 3}};
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    uint32_t across = (uint32_t)u->g.columns / MG_PRODUCT_COLUMNS;
    if (t->a->softmax)
        scale_rows(u, block);
    for (uint32_t r = 0; r < 2 * u->parts; r++) {
        const MgKx *row = let(&u->g, block, add(k, u->g.group.first, u->item.row[r]));
        MgKBlock *b = block_if(k, block, less(k, row, ix(&u->g, t->size.rows)));
        t->at.loop[MG_ATTN_ROW] = row;
        for (uint32_t j = 0; j < across; j++) {
            const MgKx *sums = kept(&u->g, u->g.sums, r / 2 * across + j, MG_QUAD);
            const MgKx *column = plus(k, times(k, u->item.quarter, 2), j * MG_PRODUCT_COLUMNS);
            mg_gpu_attention_leave(&u->g, b, let(&u->g, b, column),
                                   let(&u->g, b, mg_kpermute(k, sums, NULL, pairs[r % 2], 2)));
        }
    }
}
