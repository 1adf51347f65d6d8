// The kernel of an attention: packing, the two products of a strip of rows against a block of keys,
// and the softmax between them. attention.c says how the operands are laid out.
#include "passes/schedule/attention/attention.h"
#include "passes/schedule/words.h"

#include <math.h>

static const MgKx *ix(MgAttn *t, MgIx x) {
    return mg_kb_ix(&t->kb, x, t->at.loop);
}

static const MgKx *splat(MgAttn *t, double v) {
    return mg_kfloat(t->kb.k, mg_kt(t->a->type, t->lanes), v);
}

// The lanes at places from `first` that are below `end`; NULL: all of them.
static const MgKx *below(MgAttn *t, MgKBlock *block, const MgKx *first, const MgKx *end) {
    MgKernel *k = t->kb.k;
    return named(k, block, "mask", lanes_below(k, first, end, t->lanes));
}

// ---------------------------------------------------------------- packing
// Packs one row of keys or values, with 0 past its end.
static void pack_row(MgAttn *t, MgKBlock *block, const MgAttnFactor *f, const MgAttnMatrix *to,
                     const MgKx *at) {
    MgKernel *k = t->kb.k;
    const MgKx *n = ix(t, f->n), *pitch = ix(t, to->pitch);
    const MgKx *whole = named(k, block, "whole", times(k, over(k, n, t->lanes), t->lanes));
    Loop loop = each_from(k, block, "v", num(k, 0), whole, t->lanes);
    const MgKx *v = t->at.loop[f->along] = loop.at;
    store(k, loop.body, to->buf, add(k, at, v),
          mg_attention_factor(t, loop.body, f->step, f->x, (int)f->along, NULL));
    loop = each_from(k, block, "v", whole, pitch, t->lanes);
    v = t->at.loop[f->along] = loop.at;
    const MgKx *mask = below(t, loop.body, v, n);
    mg_kstore(k, loop.body, to->buf, add(k, at, v),
              mg_attention_factor(t, loop.body, f->step, f->x, (int)f->along, mask),
              below(t, loop.body, v, pitch));
}

// Packs the keys or values of a batch; rows up to `all` are padded with 0. A matrix that is already
// in the right order is not copied.
static void pack(MgAttn *t, MgKBlock *block, const MgAttnFactor *f, MgAttnMatrix *to, MgIx all) {
    MgKernel *k = t->kb.k;
    if (to->at) {
        to->base = named(k, block, "base", ix(t, to->at));
        return;
    }
    const MgKx *pitch = ix(t, to->pitch), *n = ix(t, t->size.keys);
    Loop loop = each_of(k, block, "row", n);
    t->at.loop[f->sym] = loop.at;
    const MgKx *at = add(k, to->base, mul(k, t->at.loop[f->sym], pitch));
    pack_row(t, loop.body, f, to, named(k, loop.body, "at", at));
    const MgKx *end = mul(k, ix(t, all), pitch);
    loop = each_from(k, block, "pad", mul(k, n, pitch), end, 1);
    store(k, loop.body, to->buf, add(k, to->base, loop.at), mg_kfloat(k, mg_kt(t->a->type, 1), 0));
}

typedef struct Strip {
    const MgKx *first;                 // row
    const MgKx *mask[MG_ATTN_VECTORS]; // of its rows; NULL: all
    uint32_t nv;
} Strip;

// Vector v of the element `at` rows into a matrix whose rows are lanes.
static const MgKx *line(MgAttn *t, const MgAttnMatrix *m, const MgKx *at, uint32_t v) {
    MgKernel *k = t->kb.k;
    at = add(k, m->base, times(k, at, t->width));
    return plus(k, at, v * t->lanes);
}

// Packs the strip's rows of q, transposed. If q is contiguous along the depth, squares of lanes are
// transposed in registers.
static void pack_strip(MgAttn *t, MgKBlock *block, const Strip *strip, uint32_t v) {
    MgKernel *k = t->kb.k;
    const MgKx *depth = ix(t, t->size.depth), *squares[64];
    bool turn = t->plan.turn_rows;
    const MgKx *first = plus(k, strip->first, v * t->lanes);
    Loop loop = each_from(k, block, "d", num(k, 0), depth, turn ? t->lanes : 1);
    const MgKx *d = t->at.loop[MG_ATTN_DEPTH] = loop.at;
    if (!turn) {
        t->at.loop[MG_ATTN_ROW] = first;
        store(k, loop.body, t->q.buf, line(t, &t->q, d, v),
              mg_attention_factor(t, loop.body, t->a->products[0].step, t->a->products[0].q,
                                  MG_ATTN_ROW, strip->mask[v]));
        return;
    }
    const MgKx *mask =
        mg_attn_known_or(t, t->size.depth, 1) % t->lanes ? below(t, loop.body, d, depth) : NULL;
    const MgKx *end = minus(k, ix(t, t->size.rows), 1);
    for (uint32_t i = 0; i < t->lanes; i++) { // rows past the last one repeat it
        t->at.loop[MG_ATTN_ROW] = named(k, loop.body, "i", least(k, plus(k, first, i), end));
        squares[i] = named(k, loop.body, "q",
                           mg_attention_factor(t, loop.body, t->a->products[0].step,
                                               t->a->products[0].q, MG_ATTN_DEPTH, mask));
    }
    mg_ktranspose(k, loop.body, squares, t->lanes);
    for (uint32_t i = 0; i < t->lanes; i++)
        store(k, loop.body, t->q.buf, line(t, &t->q, plus(k, d, i), v), squares[i]);
}

// ---------------------------------------------------------------- products
static const MgKx *keep(MgAttn *t, MgKBufId buf, uint32_t v) {
    return loaded(t->kb.k, buf, num(t->kb.k, v), t->lanes);
}

typedef struct Product { // a register tile of `rows` broadcast rows by the strip
    uint32_t rows;
    MgKBufId left;
    const MgKx *at;            // element of the left factor at its first row and step
    const MgKx *row, *step;    // elements to its next row, and step
    const MgAttnMatrix *right; // a line of the strip for each step
    const MgKx *n;             // steps
} Product;

static const MgKx *tile_at(MgAttn *t, uint32_t i) {
    return loaded(t->kb.k, t->strip.tile, num(t->kb.k, i), t->lanes);
}

// Adds the products to the tile.
static void multiply(MgAttn *t, MgKBlock *block, const Product *p, uint32_t nv) {
    MgKernel *k = t->kb.k;
    Loop loop = each_of(k, block, "k", p->n);
    const MgKx *i = loop.at, *b[MG_ATTN_VECTORS];
    for (uint32_t v = 0; v < nv; v++)
        b[v] =
            named(k, loop.body, "b", loaded(k, p->right->buf, line(t, p->right, i, v), t->lanes));
    const MgKx *at = named(k, loop.body, "at", add(k, p->at, mul(k, i, p->step)));
    for (uint32_t r = 0; r < p->rows; r++) {
        const MgKx *place = add(k, at, mul(k, num(k, r), p->row));
        const MgKx *a =
            named(k, loop.body, "a", mg_ksplat(k, loaded(k, p->left, place, 1), t->lanes));
        for (uint32_t v = 0; v < nv; v++) {
            const MgKx *sum = tile_at(t, r * nv + v);
            const MgKx *next = mg_multiply_add(t->s, k, a, b[v], sum);
            store(k, loop.body, t->strip.tile, num(k, r * nv + v), next);
        }
    }
}

typedef struct Block {     // of keys
    const MgKx *first, *n; // the first key, and the number of keys
    const MgKx *shift[MG_ATTN_VECTORS],
        *scale[MG_ATTN_VECTORS]; // the factor of this block; the factor of the earlier sums
} Block;

// Stores the sums of a tile to their lines; with `finish`, stores them as scores and keeps the
// largest.
static void store_tile(MgAttn *t, MgKBlock *block, const Strip *strip, const MgKx *first,
                       const MgKx *key, bool finish) {
    MgKernel *k = t->kb.k;
    for (uint32_t v = 0; v < strip->nv; v++) {
        const MgKx *x[MG_ATTN_TILE];
        t->at.loop[MG_ATTN_ROW] = plus(k, strip->first, v * t->lanes);
        for (uint32_t i = 0; i < t->plan.key_tile; i++) {
            const MgKx *own = plus(k, key, i), *sum = tile_at(t, i * strip->nv + v);
            t->at.loop[MG_ATTN_KEY] = add(k, first, own);
            x[i] = finish ? mg_attention_score(t, block, strip->mask[v], &sum) : sum;
            store(k, block, t->strip.scores.buf, line(t, &t->strip.scores, own, v), x[i]);
        }
        for (uint32_t n = t->plan.key_tile; finish && n > 1; n = (n + 1) / 2) // by halves
            for (uint32_t i = 0; i < n / 2; i++)
                x[i] = named(k, block, "max", mg_attention_larger(t, x[i], x[n - 1 - i]));
        if (finish)
            store(k, block, t->kept.most, num(k, v),
                  mg_attention_larger(t, keep(t, t->kept.most, v), x[0]));
    }
}

static void scores(MgAttn *t, MgKBlock *block, const Strip *strip, const Block *keys, bool finish) {
    MgKernel *k = t->kb.k;
    const MgKx *tiles = mg_kceil_div(k, keys->n, t->plan.key_tile);
    Loop loop = each_of(k, block, "tile", tiles);
    const MgKx *key = named(k, loop.body, "key", times(k, loop.at, t->plan.key_tile));
    for (uint32_t i = 0; i < t->plan.key_tile * strip->nv; i++)
        store(k, loop.body, t->strip.tile, num(k, i), splat(t, 0));
    const MgKx *pitch = ix(t, t->k.pitch);
    const MgKx *at = add(k, t->k.base, mul(k, add(k, keys->first, key), pitch));
    Product p = {t->plan.key_tile, t->k.buf, named(k, loop.body, "at", at), pitch,
                 num(k, 1),        &t->q,    ix(t, t->size.depth)};
    multiply(t, loop.body, &p, strip->nv);
    store_tile(t, loop.body, strip, keys->first, key, finish);
}

static void weigh_values(MgAttn *t, MgKBlock *block, const Strip *strip, const Block *keys) {
    MgKernel *k = t->kb.k;
    const MgKx *pitch = ix(t, t->v.pitch);
    Loop loop = each_from(k, block, "column", num(k, 0), ix(t, mg_attn_tiled_columns(t)),
                          t->plan.column_tile);
    for (uint32_t i = 0; i < t->plan.column_tile * strip->nv; i++) {
        const MgKx *at = line(t, &t->strip.sums, plus(k, loop.at, i / strip->nv), i % strip->nv);
        const MgKx *before = t->one_block ? splat(t, 0)
                                          : mul(k, loaded(k, t->strip.sums.buf, at, t->lanes),
                                                keys->scale[i % strip->nv]);
        store(k, loop.body, t->strip.tile, num(k, i), before);
    }
    const MgKx *at = add(k, add(k, t->v.base, mul(k, keys->first, pitch)), loop.at);
    Product p = {t->plan.column_tile, t->v.buf, named(k, loop.body, "at", at), num(k, 1), pitch,
                 &t->strip.scores,    keys->n};
    multiply(t, loop.body, &p, strip->nv);
    for (uint32_t i = 0; i < t->plan.column_tile * strip->nv; i++)
        store(k, loop.body, t->strip.sums.buf,
              line(t, &t->strip.sums, plus(k, loop.at, i / strip->nv), i % strip->nv),
              tile_at(t, i));
}

// ---------------------------------------------------------------- softmax

// For each read that is contiguous along the keys instead of the lanes, loads a square along the
// keys, from key `at` of the block on, and transposes it.
static void turn_across(MgAttn *t, MgKBlock *block, const Strip *strip, const Block *keys,
                        const MgKx *at) {
    MgKernel *k = t->kb.k;
    const MgKx *last = minus(k, ix(t, t->size.rows), 1), *x[64];
    const MgKx *mask = below(t, block, at, keys->n);
    t->at.loop[MG_ATTN_KEY] = named(k, block, "j", add(k, keys->first, at));
    for (uint32_t a = 0; a < t->across.n; a++)
        for (uint32_t v = 0; v < strip->nv; v++) {
            const MgKx *first = plus(k, strip->first, v * t->lanes);
            for (uint32_t i = 0; i < t->lanes; i++) {
                const MgKx *row = least(k, plus(k, first, i), last);
                t->at.loop[MG_ATTN_ROW] = named(k, block, "i", row);
                x[i] = mg_attention_factor(t, block, t->across.at[a].step, t->across.at[a].read,
                                           MG_ATTN_KEY, mask);
                x[i] = named(k, block, "x", x[i]);
            }
            mg_ktranspose(k, block, x, t->lanes);
            for (uint32_t i = 0; i < t->lanes; i++)
                store(k, block, t->strip.turned.buf,
                      line(t, &t->strip.turned, num(k, a * t->lanes + i), v), x[i]);
        }
}

// The score of key `at` of the block. square: the number of the key among those transposed with it.
static void finish_key(MgAttn *t, MgKBlock *block, const Strip *strip, const Block *keys,
                       const MgKx *at, const MgKx *square) {
    MgKernel *k = t->kb.k;
    t->at.loop[MG_ATTN_KEY] = named(k, block, "j", add(k, keys->first, at));
    for (uint32_t v = 0; v < strip->nv; v++) {
        const MgKx *to = line(t, &t->strip.scores, at, v);
        for (uint32_t a = 0; a < t->across.n && t->plan.turn_across; a++) {
            const MgKx *own = plus(k, sub(k, at, square), a * t->lanes);
            t->across.at[a].now =
                named(k, block, "turned",
                      loaded(k, t->strip.turned.buf, line(t, &t->strip.turned, own, v), t->lanes));
        }
        t->at.loop[MG_ATTN_ROW] = plus(k, strip->first, v * t->lanes);
        const MgKx *sum = loaded(k, t->strip.scores.buf, to, t->lanes);
        const MgKx *x = mg_attention_score(t, block, strip->mask[v], &sum);
        store(k, block, t->strip.scores.buf, to, x);
        store(k, block, t->kept.most, num(k, v),
              mg_attention_larger(t, keep(t, t->kept.most, v), x));
    }
    for (uint32_t a = 0; a < t->across.n; a++)
        t->across.at[a].now = NULL;
}

// Finishes scores line by line.
static void finish_scores(MgAttn *t, MgKBlock *block, const Strip *strip, const Block *keys) {
    MgKernel *k = t->kb.k;
    const MgKx *low = num(k, 0), *high = keys->n;
    if (t->plan.turn_across) {
        Loop squares = each_from(k, block, "square", low, high, t->lanes);
        block = squares.body;
        low = squares.at;
        turn_across(t, block, strip, keys, low);
        high = least(k, high, plus(k, low, t->lanes));
    }
    Loop loop = each_from(k, block, "key", low, high, 1);
    finish_key(t, loop.body, strip, keys, loop.at, low);
}

static void exponentials(MgAttn *t, MgKBlock *block, const Strip *strip, Block *keys) {
    MgKernel *k = t->kb.k;
    for (uint32_t v = 0; v < strip->nv; v++) {
        const MgKx *before = named(k, block, "before", keep(t, t->kept.peak, v));
        const MgKx *peak = named(k, block, "peak", greatest(k, before, keep(t, t->kept.most, v)));
        keys->shift[v] = named(k, block, "shift", mg_attention_shift(t, peak));
        keys->scale[v] = t->one_block ? NULL
                                      : named(k, block, "scale",
                                              mg_kexp_below(k, sub(k, before, keys->shift[v])));
        store(k, block, t->kept.peak, num(k, v), peak);
        if (!t->one_block)
            store(k, block, t->kept.sum, num(k, v),
                  mul(k, keep(t, t->kept.sum, v), keys->scale[v]));
    }
    Loop loop = each_of(k, block, "key", keys->n);
    t->at.loop[MG_ATTN_KEY] = add(k, keys->first, loop.at);
    for (uint32_t v = 0; v < strip->nv; v++) {
        const MgKx *at = line(t, &t->strip.scores, loop.at, v);
        t->at.loop[MG_ATTN_ROW] = plus(k, strip->first, v * t->lanes);
        const MgKx *x = sub(k, loaded(k, t->strip.scores.buf, at, t->lanes), keys->shift[v]);
        x = named(k, loop.body, "e", mg_kexp_below(k, x));
        store(k, loop.body, t->strip.scores.buf, at,
              mg_attention_gained(t, loop.body, strip->mask[v], NULL, x));
        store(k, loop.body, t->kept.sum, num(k, v), add(k, keep(t, t->kept.sum, v), x));
    }
}

// ---------------------------------------------------------------- results

// A square of results, with a vector of columns for each row from `first`, goes through the
// epilogue row by row, in a loop, so that its code is written only once. some: the rows may end
// inside the square.
static void store_square(MgAttn *t, MgKBlock *block, const MgKx *first, const MgKx *const *square,
                         const MgKx *mask, bool some) {
    MgKernel *k = t->kb.k;
    const MgKx *rows = ix(t, t->size.rows);
    if (t->tail.n_ops > 1) {
        const MgKx *n = num(k, t->lanes);
        for (uint32_t i = 0; i < t->lanes; i++)
            store(k, block, t->strip.square, num(k, i), square[i]);
        n = some ? least(k, n, sub(k, rows, first)) : n;
        Loop loop = each_of(k, block, "r", n);
        t->at.loop[MG_ATTN_ROW] = named(k, loop.body, "row", add(k, first, loop.at));
        MgPoint p = mg_attention_point(t, t->a->values, loop.body, MG_ATTN_COLUMN, mask);
        mg_kb_epilogue(&p, loaded(k, t->strip.square, loop.at, t->lanes));
        return;
    }
    for (uint32_t i = 0; i < t->lanes; i++) {
        MgKBlock *row = block;
        t->at.loop[MG_ATTN_ROW] = plus(k, first, i);
        if (some)
            row = block_if(k, block, less(k, t->at.loop[MG_ATTN_ROW], rows));
        MgPoint p = mg_attention_point(t, t->a->values, row, MG_ATTN_COLUMN, mask);
        mg_kb_epilogue(&p, square[i]);
    }
}

// Finishes the columns of a vector of rows. If the result is contiguous along columns, squares are
// transposed back.
static void finish_rows(MgAttn *t, MgKBlock *block, const Strip *strip, uint32_t v) {
    MgKernel *k = t->kb.k;
    t->at.loop[MG_ATTN_ROW] = plus(k, strip->first, v * t->lanes);
    const MgKx *peak = named(k, block, "peak", keep(t, t->kept.peak, v));
    const MgKx *factor =
        mg_attention_row_factor(t, block, strip->mask[v], peak, keep(t, t->kept.sum, v));
    bool turn = t->plan.turn_sums;
    const MgKx *columns = ix(t, t->size.columns), *squares[64];
    Loop loop = each_from(k, block, "column", num(k, 0), columns, turn ? t->lanes : 1);
    const MgKx *column = t->at.loop[MG_ATTN_COLUMN] = loop.at;
    const MgKx *first = plus(k, strip->first, v * t->lanes);
    if (!turn) {
        t->at.loop[MG_ATTN_ROW] = first;
        MgPoint p = mg_attention_point(t, t->a->values, loop.body, MG_ATTN_ROW, strip->mask[v]);
        mg_kb_epilogue(
            &p, mul(k, loaded(k, t->strip.sums.buf, line(t, &t->strip.sums, column, v), t->lanes),
                    factor));
        return;
    }
    for (uint32_t i = 0; i < t->lanes; i++)
        squares[i] = named(k, loop.body, "o",
                           mul(k,
                               loaded(k, t->strip.sums.buf,
                                      line(t, &t->strip.sums, plus(k, column, i), v), t->lanes),
                               factor));
    mg_ktranspose(k, loop.body, squares, t->lanes);
    const MgKx *mask = mg_attn_known_or(t, t->size.columns, 1) % t->lanes
                           ? below(t, loop.body, column, columns)
                           : NULL;
    store_square(t, loop.body, first, squares, mask, strip->mask[v] != NULL);
}

// ---------------------------------------------------------------- loops
static void emit_block(MgAttn *t, MgKBlock *block, const Strip *strip, Block *keys) {
    bool in_tile = t->plan.in_tile;
    for (uint32_t v = 0; v < strip->nv; v++)
        store(t->kb.k, block, t->kept.most, num(t->kb.k, v), splat(t, -INFINITY));
    scores(t, block, strip, keys, in_tile);
    if (!in_tile)
        finish_scores(t, block, strip, keys);
    exponentials(t, block, strip, keys);
    weigh_values(t, block, strip, keys);
}

static void clear_sums(MgAttn *t, MgKBlock *block, const Strip *strip) {
    MgKernel *k = t->kb.k;
    for (uint32_t v = 0; v < strip->nv; v++) {
        store(k, block, t->kept.peak, num(k, v), splat(t, -INFINITY));
        store(k, block, t->kept.sum, num(k, v), splat(t, 0));
    }
    Loop loop = each_of(k, block, "i", ix(t, mg_attn_sum_lines(t)));
    const MgKx *i = loop.at, *x = splat(t, 0);
    if (t->seen.keys)
        x = mg_ksplat(k, loaded(k, t->strip.unseen.buf, add(k, t->strip.unseen.base, i), 1),
                      t->lanes);
    for (uint32_t v = 0; v < strip->nv; v++)
        store(k, loop.body, t->strip.sums.buf, line(t, &t->strip.sums, i, v), x);
}

static void emit_strip(MgAttn *t, MgKBlock *block, Strip *strip) {
    MgKernel *k = t->kb.k;
    const MgKx *rows = ix(t, t->size.rows), *keys = ix(t, t->size.keys);
    bool whole = mg_attn_known_or(t, t->size.rows, 1) % (t->width) == 0;
    for (uint32_t v = 0; v < strip->nv; v++) {
        strip->mask[v] = whole ? NULL : below(t, block, plus(k, strip->first, v * t->lanes), rows);
        pack_strip(t, block, strip, v);
    }
    if (t->seen.keys) {
        keys = mg_attention_seen(t, block, strip->first);
        mg_attention_sum_unseen(t, block, keys);
    }
    clear_sums(t, block, strip);
    if (t->one_block) {
        Block all = {.first = num(k, 0), .n = keys};
        emit_block(t, block, strip, &all);
    } else {
        Loop loop = each_from(k, block, "keys", num(k, 0), keys, t->plan.key_block);
        const MgKx *n = least(k, num(k, t->plan.key_block), sub(k, keys, loop.at));
        Block some = {.first = loop.at, .n = named(k, loop.body, "n", n)};
        emit_block(t, loop.body, strip, &some);
    }
    for (uint32_t v = 0; v < strip->nv; v++)
        finish_rows(t, block, strip, v);
}

// The strips of a trip. A narrower strip takes the remaining rows, if they fit.
static void emit_strips(MgAttn *t, MgKBlock *block, const MgKx *part) {
    MgKernel *k = t->kb.k;
    int64_t width = t->width, known = mg_attn_known_or(t, t->size.rows, -1);
    int64_t rest = known > 0 ? (known % width + t->lanes - 1) / t->lanes : 0; // vectors
    bool narrow = rest && rest < t->plan.nv;
    const MgKx *all = narrow ? num(k, known / width) : mg_kceil_div(k, ix(t, t->size.rows), width);
    const MgKx *each = ix(t, t->trips.strips);
    const MgKx *low = named(k, block, "low", mul(k, part, each));
    const MgKx *high = named(k, block, "high", least(k, add(k, low, each), all));
    Loop loop = each_from(k, block, "strip", low, high, 1);
    const MgKx *first = times(k, loop.at, width);
    Strip strip = {.first = named(k, loop.body, "first", first), .nv = t->plan.nv};
    emit_strip(t, loop.body, &strip);
    if (!narrow)
        return;
    MgKs *last = mg_kif(k, block, equal(k, part, minus(k, ix(t, t->trips.n), 1)));
    strip = (Strip){.first = num(k, known / width * width), .nv = (uint32_t)rest};
    emit_strip(t, &last->body, &strip);
}

// The trips of a worker; *number counts the parts of all batches. If trips are dealt out, seven
// eighths of the batches have an owner, which begins with them (mg_kdealt). Otherwise keys and
// values that two workers read at the same time might stay in the cache of one, which is no nearer
// to the other than memory.
static MgKBlock *open_trips(MgAttn *t, const MgKx **number) {
    MgKernel *k = t->kb.k;
    const MgKx *parts = ix(t, t->trips.n), *batches = mg_attention_batches(t);
    const MgKx *zero = num(k, 0), *all = mul(k, batches, parts);
    if (!t->plan.dealt || t->s->workers < 2) {
        Loop loop = share_out(k, &k->body, "batch", all);
        *number = loop.at;
        return loop.body;
    }
    const MgKx *workers = mg_kspecial(k, MG_KX_WORKERS);
    const MgKx *own = bin(k, MG_PRIM_SHR, times(k, batches, 7), num(k, 3));
    own = named(k, &k->body, "own", mul(k, quotient(k, own, workers), parts));
    const MgKx *dealt = named(k, &k->body, "dealt", mul(k, own, workers));
    const MgKx *trips = add(k, workers, sub(k, all, dealt));
    MgKs *loop = mg_kdealt(k, &k->body, "trip", zero, trips);
    const MgKx *trip = mg_kvar(k, loop->var);
    const MgKx *owned = named(k, &loop->body, "owned", less(k, trip, workers));
    const MgKx *low = add(k, dealt, sub(k, trip, workers));
    low = named(k, &loop->body, "first", where(k, owned, mul(k, trip, own), low));
    const MgKx *high = add(k, low, where(k, owned, own, num(k, 1)));
    Loop inner = each_from(k, &loop->body, "batch", low, high, 1);
    *number = inner.at;
    return inner.body;
}

// ---------------------------------------------------------------- buffers
static MgAttnMatrix make_matrix(MgAttn *t, const char *name, MgIx rows, MgIx pitch) {
    MgAttnMatrix m = {.pitch = pitch};
    m.buf = mg_kb_scratch(&t->kb, name, t->a->type, mg_ix_mul(t->s->ix, rows, pitch),
                          MG_SCOPE_WORKER, &m.base);
    if (!m.base)
        m.base = num(t->kb.k, 0);
    return m;
}

static MgKBufId buffer_of(MgAttn *t, const MgAttnFactor *f) {
    return mg_kb_value(&t->kb, mg_op(t->s->g, t->a->steps[f->step].op)->operands[f->x->operand]);
}

static void make_buffers(MgAttn *t) {
    MgIxTable *table = t->s->ix;
    const MgAttnPlan *p = &t->plan;
    MgIx width = mg_ix_const(table, t->width), columns = mg_attn_tiled_columns(t);
    if (p->keys_lie && mg_attention_lies(t, &t->products[0].k, t->size.keys, p->key_tile, &t->k))
        t->k.buf = buffer_of(t, &t->products[0].k);
    else
        t->k =
            make_matrix(t, "keys", mg_ix_round_up(table, t->size.keys, p->key_tile), t->size.depth);
    if (p->values_lie &&
        mg_attention_lies(t, &t->value_factor, t->size.columns, p->column_tile, &t->v))
        t->v.buf = buffer_of(t, &t->value_factor);
    else
        t->v = make_matrix(t, "values", t->size.keys, columns);
    t->q = make_matrix(t, "strip", mg_ix_round_up(table, t->size.depth, t->lanes), width);
    t->strip.scores = make_matrix(t, "scores", mg_ix_const(table, p->key_block), width);
    t->strip.sums = make_matrix(t, "sums", mg_attn_sum_lines(t), width);
    if (p->turn_across)
        t->strip.turned =
            make_matrix(t, "turned", mg_ix_const(table, t->across.n * t->lanes), width);
    if (t->seen.keys)
        t->strip.unseen = make_matrix(t, "unseen", mg_attn_unseen_lines(t), mg_ix_const(table, 1));
    uint32_t tile = p->key_tile > p->column_tile ? p->key_tile : p->column_tile;
    MgKType vector = mg_kt(t->a->type, t->lanes);
    t->strip.tile = mg_kb_private(&t->kb, "tile", vector, tile * p->nv);
    t->kept.most = mg_kb_private(&t->kb, "most", vector, p->nv);
    t->kept.peak = mg_kb_private(&t->kb, "peak", vector, p->nv);
    t->kept.sum = mg_kb_private(&t->kb, "sum", vector, p->nv);
    if (t->tail.n_ops > 1)
        t->strip.square = mg_kb_private(&t->kb, "square", vector, t->lanes);
}

void mg_attention_emit(MgAttn *t) {
    MgKernel *k = t->kb.k;
    make_buffers(t);
    const MgKx *left, *parts = ix(t, t->trips.n);
    MgKBlock *block = open_trips(t, &left);
    const MgKx *part = named(k, block, "part", remainder_of(k, left, parts));
    left = named(k, block, "left", quotient(k, left, parts));
    mg_attention_batch(t, block, left);
    pack(t, block, &t->products[0].k, &t->k,
         mg_ix_round_up(t->s->ix, t->size.keys, t->plan.key_tile));
    pack(t, block, &t->value_factor, &t->v, t->size.keys);
    emit_strips(t, block, part);
}
