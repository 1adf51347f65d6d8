// Attention of few rows on a GPU, as in decoding with a cache: what counts is how fast keys and
// values come from memory.
//
// A group takes a part of the keys, in blocks of as many keys as it has items. Each item reads one
// key as a whole and has its scores. For the values, the group is a matrix of slices by vectors of
// columns: neighbouring items read one value together, and each slice takes every so many keys.
// The slices are added in the end. Parts are joined as in attention_parts.c.
//
// The way to memory takes longer than everything else, so a block's first keys and values are on
// their way together, before the rows of q are there.
#include "passes/schedule/gpu/attention.h"
#include "passes/schedule/gpu/attention_words.h"
#include "passes/schedule/words.h"

#include <math.h>

enum { MOST_ROWS = 4, MOST_WIDTH = 256, MOST_ITEMS = 128, LEAST_ITEMS = 32 };
enum { CHUNK = 16, VECTOR_BYTES = 16 }; // loads that are on their way at once; of a load

typedef struct Few {
    MgGpuAttn g;
    int64_t rows, items;
    uint32_t key_lanes, value_lanes;
    int64_t across, slices; // the vectors of a value; the slices of a block's keys
    MgKBufId q, cells, p;   // in local memory: rows of q; scores and weights by row and key
    MgKBufId gained;        // weights with their gains, if there are any; else p
    // Private, by row: products of lanes with the item's key; its score; the sum of weights.
    MgKBufId dots, score, weights;
    const MgKx *slice, *column;
    // Vectors of the item's key and of values that are on their way, as expressions of what was
    // loaded: a conversion waits for its load.
    const MgKx *key[CHUNK], *value[CHUNK];
    int64_t n_keys, n_values;
} Few;

// ---------------------------------------------------------------- sizes

// The lanes of a load along the factor: a vector as wide as memory likes, if its width allows that.
static uint32_t lanes_along(MgAttn *t, const MgAttnFactor *f, int64_t width) {
    MgAccesses reads = mg_reads(t->s, t->a->steps[f->step].op, f->x);
    if (!reads.n || !mg_attention_straight(t, f->step, f->x, f->along))
        return 1;
    size_t size = mg_dtype_size(mg_value(t->s->g, reads.at[0].value)->dtype);
    uint32_t lanes = (uint32_t)(VECTOR_BYTES / size);
    while (lanes > 1 && width % lanes)
        lanes /= 2;
    return lanes;
}

static void derive(Few *f) {
    MgGpuAttn *g = &f->g;
    const MgGpuAttnPlan *p = &g->plan;
    f->rows = p->rows;
    f->items = g->items = p->keys;
    f->key_lanes = p->key_lanes;
    f->value_lanes = p->value_lanes;
    g->depth = mg_attn_known_or(&g->t, g->t.size.depth, 0);
    g->columns = mg_attn_known_or(&g->t, g->t.size.columns, 0);
    f->across = g->columns / f->value_lanes;
    f->slices = f->items / f->across;
}

static int64_t local_bytes(const Few *f) {
    int64_t cells = mg_attention_gains(f->g.t.a) ? 3 : 2;
    int64_t elements = f->rows * (f->g.depth + cells * f->items + f->slices * (f->g.columns + 1));
    return elements * (int64_t)mg_dtype_size(f->g.t.a->type);
}

// Are there few rows, whose widths are known and not too large?
static bool suits(const MgGpuAttn *g) {
    int64_t rows = 0, depth = 0, columns = 0;
    MgIxTable *table = g->t.s->ix;
    return mg_ix_is_const(table, g->t.size.rows, &rows) &&
           mg_ix_is_const(table, g->t.size.depth, &depth) &&
           mg_ix_is_const(table, g->t.size.columns, &columns) && rows >= 1 && rows <= MOST_ROWS &&
           depth >= 1 && depth <= MOST_WIDTH && columns >= 1 && columns <= MOST_WIDTH;
}

// Parts of the keys that give each unit some groups.
static int64_t choose_parts(MgGpuAttn *g) {
    enum { GROUPS = 4, MOST = 128 };
    MgAttn *t = &g->t;
    int64_t n = mg_attn_known_or(t, t->size.batches, 8);
    int64_t parts =
        mg_ceil_div((int64_t)t->s->options->target.compute_units * GROUPS, n > 0 ? n : 1);
    int64_t blocks = mg_ceil_div(mg_ix_likely(t->s->ix, t->size.keys), g->plan.keys);
    parts = parts < blocks ? parts : blocks;
    parts = parts < MOST ? parts : MOST;
    return parts > 1 ? parts : 1;
}

static bool choose(MgGpuAttn *g) {
    MgAttn *t = &g->t;
    MgGpuAttnPlan *p = &g->plan;
    const MgTargetInfo *target = &t->s->options->target;
    int64_t keys = mg_ix_likely(t->s->ix, t->size.keys);
    if (!suits(g))
        return false;
    *p = (MgGpuAttnPlan){.kind = MG_GPU_ATTN_FEW, .keys = MOST_ITEMS};
    p->rows = mg_attn_known_or(t, t->size.rows, 0);
    while (p->keys > LEAST_ITEMS && (p->keys > target->max_items || p->keys / 2 >= keys))
        p->keys /= 2;
    p->key_lanes = lanes_along(t, &t->products[0].k, mg_attn_known_or(t, t->size.depth, 0));
    p->value_lanes = lanes_along(t, &t->value_factor, mg_attn_known_or(t, t->size.columns, 0));
    p->parts = choose_parts(g);
    Few f = {.g = *g};
    derive(&f);
    return f.slices > 0 && p->keys <= target->max_items &&
           local_bytes(&f) <= (int64_t)target->local_bytes / 2;
}

static const char *misfit(const MgGpuAttn *g) {
    const MgGpuAttnPlan *p = &g->plan;
    const MgTargetInfo *target = &g->t.s->options->target;
    if (!suits(g))
        return "an item has a key only if there are at most 4 rows, and depth and columns are "
               "known and at most 256";
    Few f = {.g = *g};
    uint32_t keys =
        lanes_along(&f.g.t, &g->t.products[0].k, mg_attn_known_or(&f.g.t, g->t.size.depth, 0));
    uint32_t values =
        lanes_along(&f.g.t, &g->t.value_factor, mg_attn_known_or(&f.g.t, g->t.size.columns, 0));
    if (p->key_lanes < 1 || p->value_lanes < 1 || keys % p->key_lanes || values % p->value_lanes)
        return "vectors are 16 bytes at most, a power of two of elements, and divide a row that is "
               "contiguous";
    derive(&f);
    if (p->keys % MG_QUAD || p->keys > target->max_items || f.slices < 1)
        return "a group has a multiple of 4 items, at least one for each vector of columns";
    return local_bytes(&f) > (int64_t)target->local_bytes
               ? "the copies do not fit into a group's local memory"
               : NULL;
}

// ---------------------------------------------------------------- factors

// A vector of a factor at one of its rows, `at` along it; what is loaded has a name in the block.
static const MgKx *begin(Few *f, MgKBlock *b, const MgAttnFactor *from, const MgKx *row,
                         const MgKx *at, uint32_t lanes) {
    MgAttn *t = &f->g.t;
    t->at.loop[from->sym] = row;
    t->at.loop[from->along] = at;
    MgPoint p = mg_attention_point(t, from->step, b, -1, NULL);
    p.vector = lanes > 1 ? (int)from->along : -1;
    p.lanes = lanes;
    return mg_ksplat(t->kb.k, mg_point_expr(&p, from->x), lanes);
}

static const MgKx *take(Few *f, MgKBlock *b, const MgAttnFactor *from, const MgKx *row,
                        const MgKx *at, uint32_t lanes) {
    return let(&f->g, b, begin(f, b, from, row, at, lanes));
}

static void stage_rows(Few *f, MgKBlock *b) {
    MgAttn *t = &f->g.t;
    MgKernel *k = t->kb.k;
    const MgKx *depth = num(k, f->g.depth);
    Loop loop = each_from(k, b, "i", f->g.item.me, num(k, f->rows * f->g.depth), f->items);
    const MgKx *row = let(&f->g, loop.body, quotient(k, loop.at, depth));
    const MgKx *at = let(&f->g, loop.body, remainder_of(k, loop.at, depth));
    store(k, loop.body, f->q, loop.at, take(f, loop.body, &t->products[0].q, row, at, 1));
}

// ---------------------------------------------------------------- a block of keys

static const MgKx *key_of(Few *f, MgKBlock *b, const MgKx *own, const MgKx *last) {
    return let(&f->g, b, least(f->g.t.kb.k, own, last));
}

// Begins the loads of the item's first vectors in a block of keys.
static void begin_loads(Few *f, MgKBlock *b, const MgKx *first, const MgKx *last) {
    MgGpuAttn *g = &f->g;
    MgKernel *k = g->t.kb.k;
    const MgKx *key = key_of(f, b, let(g, b, add(k, first, g->item.me)), last);
    int64_t vectors = g->depth / f->key_lanes, each = f->items / f->slices;
    f->n_keys = vectors < CHUNK ? vectors : CHUNK;
    f->n_values = f->slices * f->across != f->items ? 0 : each < CHUNK ? each : CHUNK;
    for (int64_t i = 0; i < f->n_keys; i++)
        f->key[i] = begin(f, b, &g->t.products[0].k, key, num(k, i * f->key_lanes), f->key_lanes);
    for (int64_t i = 0; i < f->n_values; i++) {
        const MgKx *own = let(g, b, add(k, first, plus(k, f->slice, i * f->slices)));
        f->value[i] =
            begin(f, b, &g->t.value_factor, key_of(f, b, own, last), f->column, f->value_lanes);
    }
}

// Adds the products of some vectors of the item's key, from `d` on, to its scores. `begun`: their
// loads, or NULL.
static void multiply(Few *f, MgKBlock *b, const MgKx *key, const MgKx *d, int64_t vectors,
                     const MgKx *const *begun) {
    MgGpuAttn *g = &f->g;
    MgKernel *k = g->t.kb.k;
    const MgKx *x[CHUNK], *at[CHUNK];
    for (int64_t i = 0; i < vectors; i++) {
        at[i] = let(g, b, plus(k, d, i * f->key_lanes));
        x[i] =
            begun ? let(g, b, begun[i]) : take(f, b, &g->t.products[0].k, key, at[i], f->key_lanes);
    }
    for (int64_t r = 0; r < f->rows; r++) {
        const MgKx *sum = kept(g, f->dots, (uint32_t)r, f->key_lanes);
        for (int64_t i = 0; i < vectors; i++) {
            const MgKx *q = load(g, b, f->q, plus(k, at[i], r * g->depth), f->key_lanes);
            sum = let(g, b, mg_kprim(k, MG_PRIM_FMA, q, x[i], sum));
        }
        store(k, b, f->dots, num(k, r), sum);
    }
}

// The scores of the item's key. Those past the last key are -inf.
static void scores(Few *f, MgKBlock *b, const MgKx *first, const MgKx *last) {
    MgGpuAttn *g = &f->g;
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    int64_t vectors = g->depth / f->key_lanes, done = f->n_keys;
    int64_t whole = done + (vectors - done) / CHUNK * CHUNK;
    const MgKx *own = let(g, b, add(k, first, g->item.me)), *key = key_of(f, b, own, last);
    for (int64_t r = 0; r < f->rows; r++)
        store(k, b, f->dots, num(k, r), mg_kfloat(k, lanes_of(g, f->key_lanes), 0));
    multiply(f, b, key, num(k, 0), done, f->key);
    if (whole > done) {
        Loop loop = each_from(k, b, "d", num(k, done * f->key_lanes), num(k, whole * f->key_lanes),
                              CHUNK * f->key_lanes);
        multiply(f, loop.body, key, loop.at, CHUNK, NULL);
    }
    if (vectors > whole)
        multiply(f, b, key, num(k, whole * f->key_lanes), vectors - whole, NULL);
    for (int64_t r = 0; r < f->rows; r++) {
        t->at.loop[MG_ATTN_ROW] = num(k, r);
        t->at.loop[MG_ATTN_KEY] = key;
        const MgKx *x = kept(g, f->dots, (uint32_t)r, f->key_lanes);
        x = f->key_lanes > 1 ? mg_kfold(k, MG_PRIM_ADD, x) : x;
        x = let(g, b, x);
        x = mg_attention_score(t, b, NULL, &x);
        x = let(g, b, where(k, bin(k, MG_PRIM_LE, own, last), x, number(g, -INFINITY)));
        store(k, b, f->score, num(k, r), x);
        store(k, b, f->cells, add(k, num(k, r * f->items), g->item.me), x);
    }
}

// The weights of the block's keys relative to the largest score so far, and sums made relative to
// it.
static void weigh(Few *f, MgKBlock *b, const MgKx *first, const MgKx *last) {
    MgGpuAttn *g = &f->g;
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    const MgKx *own = add(k, first, g->item.me);
    t->at.loop[MG_ATTN_KEY] = least(k, own, last);
    for (int64_t r = 0; r < f->rows; r++) {
        const MgKx *most = NULL, *row = num(k, r);
        for (int64_t i = 0; i < f->items; i += MG_QUAD) {
            const MgKx *x = load(g, b, f->cells, num(k, r * f->items + i), MG_QUAD);
            most = most ? let(g, b, mg_attention_larger(t, most, x)) : x;
        }
        const MgKx *before = let(g, b, kept(g, t->kept.peak, (uint32_t)r, 1));
        const MgKx *peak = let(g, b, greatest(k, before, mg_kfold(k, MG_PRIM_MAX, most)));
        const MgKx *shift = let(g, b, mg_attention_shift(t, peak));
        const MgKx *scale = let(g, b, un(k, MG_PRIM_EXP, sub(k, before, shift)));
        store(k, b, t->kept.peak, row, peak);
        store(k, b, f->weights, row, mul(k, kept(g, f->weights, (uint32_t)r, 1), scale));
        store(k, b, g->sums, row,
              mul(k, kept(g, g->sums, (uint32_t)r, f->value_lanes),
                  mg_ksplat(k, scale, f->value_lanes)));
        const MgKx *x = sub(k, kept(g, f->score, (uint32_t)r, 1), shift);
        x = let(g, b, un(k, MG_PRIM_EXP, least(k, x, number(g, 0))));
        const MgKx *to = add(k, num(k, r * f->items), g->item.me);
        store(k, b, f->p, to, x);
        if (f->gained == f->p)
            continue;
        t->at.loop[MG_ATTN_ROW] = row;
        const MgKx *exists = bin(k, MG_PRIM_LE, own, last);
        store(k, b, f->gained, to, mg_attention_gained(t, b, NULL, exists, x));
    }
}

// Adds n values of the item's slice, from key `from` of the block on. A value past the last key
// must be 0: its weight is 0, and 0 times an infinity is NaN. `begun`: their loads, or NULL.
static void add_values(Few *f, MgKBlock *b, const MgKx *first, const MgKx *last, const MgKx *from,
                       int64_t n, const MgKx *const *begun) {
    MgGpuAttn *g = &f->g;
    MgKernel *k = g->t.kb.k;
    const MgKx *x[CHUNK], *at[CHUNK];
    for (int64_t i = 0; i < n; i++) {
        at[i] = let(g, b, plus(k, from, i * f->slices));
        const MgKx *own = let(g, b, add(k, first, at[i]));
        x[i] = begun ? let(g, b, begun[i])
                     : take(f, b, &g->t.value_factor, key_of(f, b, own, last), f->column,
                            f->value_lanes);
        if (mg_attn_known_or(&g->t, g->t.size.keys, 1) % f->items == 0)
            continue;
        const MgKx *is = mg_ksplat(k, bin(k, MG_PRIM_LE, own, last), f->value_lanes);
        x[i] = let(g, b, where(k, is, x[i], mg_kfloat(k, x[i]->type, 0)));
    }
    for (int64_t r = 0; r < f->rows; r++) {
        const MgKx *sum = kept(g, g->sums, (uint32_t)r, f->value_lanes);
        const MgKx *all = kept(g, f->weights, (uint32_t)r, 1);
        for (int64_t i = 0; i < n; i++) {
            const MgKx *p = load(g, b, f->p, plus(k, at[i], r * f->items), 1), *weight = p;
            if (f->gained != f->p)
                weight = load(g, b, f->gained, plus(k, at[i], r * f->items), 1);
            weight = mg_ksplat(k, weight, f->value_lanes);
            sum = let(g, b, mg_kprim(k, MG_PRIM_FMA, weight, x[i], sum));
            all = let(g, b, add(k, all, p));
        }
        store(k, b, g->sums, num(k, r), sum);
        store(k, b, f->weights, num(k, r), all);
    }
}

static void values(Few *f, MgKBlock *b, const MgKx *first, const MgKx *last) {
    MgKernel *k = f->g.t.kb.k;
    int64_t together = f->slices * CHUNK, done = f->slices * f->n_values;
    int64_t whole = done + (f->items - done) / together * together;
    MgKBlock *in = block_if(k, b, less(k, f->slice, num(k, f->slices)));
    if (done)
        add_values(f, in, first, last, f->slice, f->n_values, f->value);
    if (whole > done) {
        MgKs *loop = mg_kfor(k, in, MG_LOOP_SERIAL, "key", num(k, done), num(k, whole), together);
        const MgKx *key = let(&f->g, &loop->body, add(k, mg_kvar(k, loop->var), f->slice));
        add_values(f, &loop->body, first, last, key, CHUNK, NULL);
    }
    if (f->items == whole)
        return;
    const MgKx *from = let(&f->g, in, plus(k, f->slice, whole));
    MgKs *loop = mg_kfor(k, in, MG_LOOP_SERIAL, "key", from, num(k, f->items), f->slices);
    add_values(f, &loop->body, first, last, mg_kvar(k, loop->var), 1, NULL);
}

// ---------------------------------------------------------------- results

// Adds the slices of a row: returns the item's columns, and sets the sum of weights.
static const MgKx *add_slices(Few *f, MgKBlock *b, MgKBufId sums, MgKBufId totals, int64_t row,
                              const MgKx **total) {
    MgGpuAttn *g = &f->g;
    MgKernel *k = g->t.kb.k;
    const MgKx *sum = NULL;
    *total = NULL;
    for (int64_t s = 0; s < f->slices; s++) {
        int64_t at = row * f->slices + s;
        const MgKx *x =
            load(g, b, sums, add(k, num(k, at * g->columns), f->column), f->value_lanes);
        const MgKx *w = load(g, b, totals, num(k, at), 1);
        sum = sum ? let(g, b, add(k, sum, x)) : x;
        *total = *total ? let(g, b, add(k, *total, w)) : w;
    }
    return sum;
}

static void leave(Few *f, MgKBlock *block) {
    MgGpuAttn *g = &f->g;
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    MgKBufId sums = local(g, "slices", f->rows * f->slices * g->columns);
    MgKBufId totals = local(g, "sums", f->rows * f->slices);
    MgKBlock *b = block_if(k, block, less(k, f->slice, num(k, f->slices)));
    for (int64_t r = 0; r < f->rows; r++) {
        const MgKx *at = let(g, b, add(k, num(k, r * f->slices), f->slice));
        store(k, b, sums, add(k, times(k, at, g->columns), f->column),
              kept(g, g->sums, (uint32_t)r, f->value_lanes));
        MgKBlock *one = block_if(k, b, equal(k, f->column, num(k, 0)));
        store(k, one, totals, at, kept(g, f->weights, (uint32_t)r, 1));
    }
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    b = block_if(k, block, equal(k, f->slice, num(k, 0)));
    for (int64_t r = 0; r < f->rows; r++) {
        const MgKx *total, *row = t->at.loop[MG_ATTN_ROW] = num(k, r);
        const MgKx *x = add_slices(f, b, sums, totals, r, &total);
        const MgKx *peak = let(g, b, kept(g, t->kept.peak, (uint32_t)r, 1));
        if (g->plan.parts == 1) {
            t->leaves = equal(k, g->item.me, num(k, 0));
            const MgKx *factor = mg_attention_row_factor(t, b, NULL, peak, total);
            x = mul(k, x, mg_ksplat(k, factor, f->value_lanes));
            mg_gpu_attention_leave(g, b, f->column, let(g, b, x));
            continue;
        }
        const MgKx *place = let(g, b, mg_gpu_attention_place(g, row));
        store(k, b, g->found.values, add(k, times(k, place, g->columns), f->column), x);
        MgKBlock *one = block_if(k, b, equal(k, g->item.me, num(k, 0)));
        store(k, one, g->found.top, place, peak);
        store(k, one, g->found.total, place, total);
    }
}

// ---------------------------------------------------------------- the kernel

static void make_buffers(Few *f) {
    MgGpuAttn *g = &f->g;
    MgAttn *t = &g->t;
    MgKType one = lanes_of(g, 1);
    f->q = local(g, "q", f->rows * g->depth);
    f->cells = local(g, "cells", f->rows * f->items);
    f->p = local(g, "p", f->rows * f->items);
    f->gained = mg_attention_gains(t->a) ? local(g, "gained", f->rows * f->items) : f->p;
    f->dots = mg_kb_private(&t->kb, "dots", lanes_of(g, f->key_lanes), f->rows);
    f->score = mg_kb_private(&t->kb, "score", one, f->rows);
    f->weights = mg_kb_private(&t->kb, "weights", one, f->rows);
    t->kept.peak = mg_kb_private(&t->kb, "peak", one, f->rows);
    g->sums = mg_kb_private(&t->kb, "sums", lanes_of(g, f->value_lanes), f->rows);
}

static void walk_keys(Few *f, MgKBlock *block) {
    MgGpuAttn *g = &f->g;
    MgKernel *k = g->t.kb.k;
    const MgKx *first, *last;
    MgKBlock *b = mg_gpu_attention_blocks(g, block, f->items, &first, &last);
    MgKBlock staged = {0}, scored = {0}, rest = {0};
    begin_loads(f, b, first, last);
    stage_rows(f, &staged);
    scores(f, &scored, first, last);
    mg_gpu_part_loads(k, &scored, b, &rest); // a mask's elements
    // Rows follow all of these loads, since an item waits where it stores what it loaded.
    mg_kblock_append(k, b, &staged);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    mg_kblock_append(k, b, &rest);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    weigh(f, b, first, last);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    values(f, b, first, last);
}

static void emit_body(Few *f) {
    MgGpuAttn *g = &f->g;
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    g->item.me = let(g, &k->body, mg_kspecial(k, MG_KX_LOCAL_ID));
    f->slice = let(g, &k->body, over(k, g->item.me, f->across));
    f->column = let(g, &k->body, times(k, modulo(k, g->item.me, f->across), f->value_lanes));
    MgKBlock *b = mg_gpu_attention_open(g, 0, false);
    mg_kbarrier(k, b, MG_BARRIER_GROUP); // the previous rows have been used
    for (int64_t r = 0; r < f->rows; r++) {
        store(k, b, t->kept.peak, num(k, r), number(g, -INFINITY));
        store(k, b, f->weights, num(k, r), number(g, 0));
        store(k, b, g->sums, num(k, r), mg_kfloat(k, lanes_of(g, f->value_lanes), 0));
    }
    walk_keys(f, b);
    leave(f, b);
    if (g->plan.parts > 1)
        mg_gpu_attention_join(g);
}

static void emit(MgGpuAttn *attention) {
    Few f = {.g = *attention};
    derive(&f);
    mg_gpu_attention_make_parts(&f.g);
    make_buffers(&f);
    emit_body(&f);
    *attention = f.g;
}

const MgGpuAttnForm mg_gpu_attn_few = {choose, misfit, emit};
