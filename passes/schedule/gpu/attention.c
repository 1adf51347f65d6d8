// Attention on a GPU: a group keeps a block of rows and walks blocks of keys (passes/attention.h).
//
// The rows' q stays in local memory, and the keys and values of a block are staged there. Each item
// sums a tile of 8 rows by some keys in registers, from vectors along the depth; the scores go to
// local memory. Then every item takes one row: it finishes the scores and computes their maximum,
// exponentials and sum, alone and in order, without a barrier. Then each item adds to its tile of 8
// rows by columns of the result, which stays in registers and is rescaled by the rows' new maxima.
// A row of items reads one row of local memory, or neighbouring rows in different banks: rows are
// padded by a vector.
//
// Heads that are too wide for local memory, or whose width is only known at run time, are processed
// in parts. Scores are summed over parts of the depth; q and the keys are staged again for each
// part. Each group computes some of the columns, and all groups of the same rows compute the same
// scores.
//
// If there are not enough rows for all units, keys are split into parts, too
// (attention_parts.c). Very few rows have a form of their own (attention_few.c).
#include "passes/schedule/gpu/attention.h"
#include "passes/schedule/gpu/attention_words.h"
#include "passes/schedule/words.h"

#include <math.h>

enum {
    ITEM_ROWS = MG_GPU_ATTN_ROWS,
    ACROSS = MG_GPU_ATTN_ACROSS,
    COLUMNS = MG_GPU_ATTN_COLUMNS,
    MAX_ROUNDS = 16,
    CHUNK = 8,
    MOST_ITEM_KEYS = 4,
    MOST_VECTORS = 16 // of an item's columns
};

static const struct { uint32_t rows, keys; } shapes[] = {{64, 32}, {32, 32}, {32, 16}, {32, 8}};

// ---------------------------------------------------------------- sizes and buffers
static int64_t local_bytes(const MgGpuAttn *g) {
    const MgGpuAttnPlan *p = &g->plan;
    int64_t elements = (p->rows + p->keys) * (p->depth + MG_QUAD) + p->keys * p->columns +
                       p->keys * (p->rows + MG_QUAD) + p->rows;
    return elements * (int64_t)mg_dtype_size(g->t.a->type);
}

// The largest blocks that fit, or smaller ones if large blocks would leave most of the device idle.
static bool choose_shape(MgGpuAttn *g) {
    MgAttn *t = &g->t;
    const MgTargetInfo *target = &t->s->options->target;
    int64_t rows = mg_attn_known_or(t, t->size.rows, 1024),
            batches = mg_attn_known_or(t, t->size.batches, 8);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        g->plan.rows = shapes[i].rows;
        g->plan.keys = shapes[i].keys;
        bool idle = i == 0 && mg_ceil_div(rows, g->plan.rows) * batches < target->compute_units;
        if (!idle && g->plan.rows <= target->max_items &&
            local_bytes(g) <= (int64_t)target->local_bytes)
            return true;
    }
    return false;
}

// Chooses whole heads, if they fit; else parts of them.
static bool choose_sizes(MgGpuAttn *g) {
    enum { PART = 64, WIDEST = 4 * COLUMNS };
    MgAttn *t = &g->t;
    MgGpuAttnPlan *p = &g->plan;
    int64_t depth = mg_attn_known_or(t, t->size.depth, -1),
            columns = mg_attn_known_or(t, t->size.columns, -1);
    if (depth == 0 || columns == 0)
        return false;
    p->columns = columns < 0 ? PART : columns > WIDEST ? WIDEST : mg_round_up(columns, COLUMNS);
    p->depth = mg_round_up(depth, MG_QUAD);
    if (depth > 0 && choose_shape(g))
        return true;
    p->depth = PART;
    return choose_shape(g);
}

static bool choose(MgGpuAttn *g) {
    g->plan = (MgGpuAttnPlan){.kind = MG_GPU_ATTN_TILES, .parts = 1};
    if (!choose_sizes(g))
        return false;
    bool wide = mg_gpu_attn_is_part(g, g->t.size.columns, g->plan.columns);
    g->plan.parts = wide ? 1 : mg_gpu_attention_choose_parts(g);
    return true;
}

static const char *misfit(const MgGpuAttn *g) {
    const MgGpuAttnPlan *p = &g->plan;
    const MgTargetInfo *target = &g->t.s->options->target;
    if (p->rows % ITEM_ROWS || p->rows < ITEM_ROWS || p->rows > target->max_items ||
        p->keys % ACROSS || p->keys < ACROSS || p->keys > MOST_ITEM_KEYS * ACROSS)
        return "a group has a multiple of 8 rows, each with an item, and 8, 16, 24 or 32 keys at "
               "once";
    if (p->depth % MG_QUAD || p->depth < MG_QUAD || p->columns % COLUMNS || p->columns < COLUMNS ||
        p->columns > MOST_VECTORS * COLUMNS)
        return "parts of the depth are a multiple of 4, and those of the columns a multiple of 32, "
               "at most 512";
    if (p->depth > (int64_t)target->local_bytes || local_bytes(g) > (int64_t)target->local_bytes)
        return "the copies do not fit into a group's local memory";
    if (p->parts > 1 && mg_gpu_attn_is_part(g, g->t.size.columns, p->columns))
        return "only if a group has all columns, groups have parts of the keys";
    return NULL;
}

static void derive(MgGpuAttn *g) {
    const MgGpuAttnPlan *p = &g->plan;
    g->items = p->rows;
    g->depth = p->depth;
    g->columns = p->columns;
    g->deep = mg_gpu_attn_is_part(g, g->t.size.depth, p->depth);
    g->wide = mg_gpu_attn_is_part(g, g->t.size.columns, p->columns);
    g->item_keys = (uint32_t)p->keys / ACROSS;
    g->vectors = (uint32_t)(p->columns / COLUMNS);
}

static void make_buffers(MgGpuAttn *g) {
    MgAttn *t = &g->t;
    int64_t depth = g->depth + MG_QUAD, columns = g->columns;
    g->q = (MgGpuRows){local(g, "q", g->plan.rows * depth), depth};
    g->k = (MgGpuRows){local(g, "k", g->plan.keys * depth), depth};
    g->v = (MgGpuRows){local(g, "v", g->plan.keys * columns), columns};
    g->p =
        (MgGpuRows){local(g, "p", g->plan.keys * (g->plan.rows + MG_QUAD)), g->plan.rows + MG_QUAD};
    g->scale = local(g, "scale", g->plan.rows);
    MgKType one = lanes_of(g, 1);
    g->scores = mg_kb_private(&t->kb, "scores", one, ITEM_ROWS * g->item_keys);
    g->sums = mg_kb_private(&t->kb, "sums", lanes_of(g, MG_QUAD), ITEM_ROWS * g->vectors);
    t->kept.most = mg_kb_private(&t->kb, "most", one, 1);
    t->kept.peak = mg_kb_private(&t->kb, "peak", one, 1);
    t->kept.sum = mg_kb_private(&t->kb, "sum", one, 1);
}

// ---------------------------------------------------------------- staging
typedef struct Stage { // rows of a factor on their way to local memory
    const MgAttnFactor *f;
    const MgGpuRows *to;
    const MgKx *first, *last; // row, and the last row: rows past it repeat it, or are 0 if `ends`
    const MgKx *left;         // the position along the factor at which the tile begins; NULL: 0
    int64_t rows, width;      // of the tile; the width includes padding
    uint32_t lanes;
    bool ends;
} Stage;

static void stage_one(MgGpuAttn *g, MgKBlock *b, const Stage *s, const MgKx *number, const MgKx **x,
                      const MgKx **to) {
    MgKernel *k = g->t.kb.k;
    MgAttn *t = &g->t;
    int64_t run = s->width / s->lanes, known = mg_attn_known_or(t, s->f->n, -1);
    const MgKx *row = let(g, b, over(k, number, run));
    const MgKx *at = let(g, b, times(k, modulo(k, number, run), s->lanes));
    const MgKx *n = ix(g, s->f->n), *along = s->left ? let(g, b, add(k, s->left, at)) : at;
    bool whole = known >= 0 && (s->left ? known % s->width == 0 : known >= s->width);
    const MgKx *own = let(g, b, add(k, s->first, row));
    t->at.loop[s->f->sym] = let(g, b, least(k, own, s->last));
    t->at.loop[s->f->along] = whole ? along : let(g, b, least(k, along, minus(k, n, s->lanes)));
    MgPoint p = mg_attention_point(t, s->f->step, b, -1, NULL);
    if (s->lanes > 1) {
        p.vector = (int)s->f->along;
        p.lanes = s->lanes;
    }
    const MgKx *v = mg_ksplat(k, mg_point_expr(&p, s->f->x), s->lanes);
    const MgKx *is = whole ? NULL : less(k, along, n);
    if (s->ends) {
        const MgKx *exists = bin(k, MG_PRIM_LE, own, s->last);
        is = is ? both(k, is, exists) : exists;
    }
    if (is)
        v = where(k, mg_ksplat(k, is, s->lanes), v, mg_kfloat(k, v->type, 0));
    *x = let(g, b, v);
    *to = let(g, b, add(k, times(k, row, s->to->pitch), at));
}

// Items take vectors in turn: all are loaded before the first is stored.
static void stage(MgGpuAttn *g, MgKBlock *block, Stage s) {
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    bool vector = mg_attention_straight(t, s.f->step, s.f->x, s.f->along) &&
                  mg_attn_known_or(t, s.f->n, 1) % MG_QUAD == 0;
    s.lanes = vector ? MG_QUAD : 1;
    int64_t all = s.rows * s.width / s.lanes, items = g->plan.rows;
    const MgKx *x[MAX_ROUNDS], *to[MAX_ROUNDS];
    if (all % items || all / items > MAX_ROUNDS) {
        Loop loop = each_from(k, block, "i", g->item.me, num(k, all), items);
        stage_one(g, loop.body, &s, loop.at, x, to);
        store(k, loop.body, s.to->buf, to[0], x[0]);
        return;
    }
    for (int64_t r = 0; r < all / items; r++)
        stage_one(g, block, &s, plus(k, g->item.me, r * items), &x[r], &to[r]);
    for (int64_t r = 0; r < all / items; r++)
        store(k, block, s.to->buf, to[r], x[r]);
}

// ---------------------------------------------------------------- products
static void clear_scores(MgGpuAttn *g, MgKBlock *block) {
    MgKernel *k = g->t.kb.k;
    for (uint32_t i = 0; i < ITEM_ROWS * g->item_keys; i++)
        store(k, block, g->scores, num(k, i), mg_kfloat(k, lanes_of(g, 1), 0));
}

// The item's scores, from local memory: rows y, y + down, ... by keys x, x + ACROSS, ...
static void sum_scores(MgGpuAttn *g, MgKBlock *block) {
    MgKernel *k = g->t.kb.k;
    int64_t down = g->plan.rows / ITEM_ROWS;
    const MgKx *q[ITEM_ROWS], *keys[MOST_ITEM_KEYS];
    Loop loop = each_from(k, block, "d", num(k, 0), num(k, g->q.pitch - MG_QUAD), MG_QUAD);
    const MgKx *row = let(g, loop.body, add(k, times(k, g->item.y, g->q.pitch), loop.at));
    const MgKx *key = let(g, loop.body, add(k, times(k, g->item.x, g->k.pitch), loop.at));
    for (uint32_t i = 0; i < ITEM_ROWS; i++)
        q[i] = load(g, loop.body, g->q.buf, plus(k, row, i * down * g->q.pitch), MG_QUAD);
    for (uint32_t j = 0; j < g->item_keys; j++)
        keys[j] = load(g, loop.body, g->k.buf, plus(k, key, j * ACROSS * g->k.pitch), MG_QUAD);
    for (uint32_t l = 0; l < MG_QUAD; l++)
        for (uint32_t i = 0; i < ITEM_ROWS; i++)
            for (uint32_t j = 0; j < g->item_keys; j++) {
                uint32_t at = i * g->item_keys + j;
                const MgKx *next = mg_kprim(k, MG_PRIM_FMA, mg_klane(k, q[i], l),
                                            mg_klane(k, keys[j], l), kept(g, g->scores, at, 1));
                store(k, loop.body, g->scores, num(k, at), next);
            }
}

static void put_scores(MgGpuAttn *g, MgKBlock *block) {
    MgKernel *k = g->t.kb.k;
    int64_t down = g->plan.rows / ITEM_ROWS;
    for (uint32_t j = 0; j < g->item_keys; j++)
        for (uint32_t i = 0; i < ITEM_ROWS; i++) {
            const MgKx *to =
                add(k, times(k, plus(k, g->item.x, j * ACROSS), g->p.pitch), g->item.y);
            store(k, block, g->p.buf, plus(k, to, i * down),
                  kept(g, g->scores, i * g->item_keys + j, 1));
        }
}

// Multiplies the item's sums by the scales of its rows of the result, from row 8 y on.
static void rescale(MgGpuAttn *g, MgKBlock *block) {
    MgKernel *k = g->t.kb.k;
    const MgKx *scale[ITEM_ROWS / MG_QUAD];
    for (uint32_t q = 0; q < ITEM_ROWS / MG_QUAD; q++)
        scale[q] =
            load(g, block, g->scale, plus(k, times(k, g->item.y, ITEM_ROWS), q * MG_QUAD), MG_QUAD);
    for (uint32_t i = 0; i < ITEM_ROWS; i++)
        for (uint32_t v = 0; v < g->vectors; v++) {
            uint32_t at = i * g->vectors + v;
            const MgKx *by = mg_ksplat(k, mg_klane(k, scale[i / MG_QUAD], i % MG_QUAD), MG_QUAD);
            store(k, block, g->sums, num(k, at), mul(k, kept(g, g->sums, at, MG_QUAD), by));
        }
}

static void weigh_values(MgGpuAttn *g, MgKBlock *block) {
    MgKernel *k = g->t.kb.k;
    const MgKx *p[ITEM_ROWS / MG_QUAD];
    Loop loop = each_of(k, block, "key", num(k, g->plan.keys));
    const MgKx *row =
        let(g, loop.body, add(k, times(k, loop.at, g->p.pitch), times(k, g->item.y, ITEM_ROWS)));
    const MgKx *column =
        let(g, loop.body, add(k, times(k, loop.at, g->v.pitch), times(k, g->item.x, MG_QUAD)));
    for (uint32_t q = 0; q < ITEM_ROWS / MG_QUAD; q++)
        p[q] = load(g, loop.body, g->p.buf, plus(k, row, q * MG_QUAD), MG_QUAD);
    for (uint32_t v = 0; v < g->vectors; v++) {
        const MgKx *value = load(g, loop.body, g->v.buf, plus(k, column, v * COLUMNS), MG_QUAD);
        for (uint32_t i = 0; i < ITEM_ROWS; i++) {
            uint32_t at = i * g->vectors + v;
            const MgKx *weight = mg_ksplat(k, mg_klane(k, p[i / MG_QUAD], i % MG_QUAD), MG_QUAD);
            store(k, loop.body, g->sums, num(k, at),
                  mg_kprim(k, MG_PRIM_FMA, weight, value, kept(g, g->sums, at, MG_QUAD)));
        }
    }
}

// ---------------------------------------------------------------- rows
static void set(MgGpuAttn *g, MgKBlock *b, MgKBufId buf, const MgKx *x) {
    MgKernel *k = g->t.kb.k;
    store(k, b, buf, num(k, 0), x);
}

// Opens a loop over the block's keys, some at a time, so that they are computed independently.
// Loads what the item's row has of them; returns the first of them.
static const MgKx *open_chunk(MgGpuAttn *g, MgKBlock **block, const MgKx **at, const MgKx **x) {
    MgKernel *k = g->t.kb.k;
    Loop loop = each_from(k, *block, "key", num(k, 0), num(k, g->plan.keys), CHUNK);
    *block = loop.body;
    for (uint32_t i = 0; i < CHUNK; i++)
        at[i] = let(g, *block, add(k, times(k, plus(k, loop.at, i), g->p.pitch), g->item.me));
    for (uint32_t i = 0; i < CHUNK; i++)
        x[i] = load(g, *block, g->p.buf, at[i], 1);
    g->t.at.loop[MG_ATTN_ROW] = g->item.row;
    return loop.at;
}

// Reduces several values to the largest, or to their sum, by halves.
static const MgKx *fold(MgGpuAttn *g, MgKBlock *block, bool largest, const MgKx **x) {
    MgKernel *k = g->t.kb.k;
    for (uint32_t n = CHUNK; n > 1; n /= 2)
        for (uint32_t i = 0; i < n / 2; i++)
            x[i] = let(g, block,
                       largest ? mg_attention_larger(&g->t, x[i], x[n - 1 - i])
                               : add(k, x[i], x[n - 1 - i]));
    return x[0];
}

// Finishes the scores of the item's row, n keys from `first`, and computes the largest. Scores past
// the last key are -inf (n NULL: there are none).
static void finish_scores(MgGpuAttn *g, MgKBlock *block, const MgKx *first, const MgKx *n,
                          const MgKx *last) {
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    const MgKx *at[CHUNK], *x[CHUNK];
    set(g, block, t->kept.most, number(g, -INFINITY));
    MgKBlock *b = block;
    const MgKx *key = open_chunk(g, &b, at, x);
    for (uint32_t i = 0; i < CHUNK; i++) {
        const MgKx *own = plus(k, key, i), *place = add(k, first, own);
        t->at.loop[MG_ATTN_KEY] = let(g, b, n ? least(k, place, last) : place);
        x[i] = mg_attention_score(t, b, NULL, &x[i]);
        if (n)
            x[i] = let(g, b, where(k, less(k, own, n), x[i], number(g, -INFINITY)));
        store(k, b, g->p.buf, at[i], x[i]);
    }
    const MgKx *most = fold(g, b, true, x);
    set(g, b, t->kept.most, mg_attention_larger(t, kept(g, t->kept.most, 0, 1), most));
}

// Turns the scores of the item's row into weights, n keys from `first` (n NULL: all).
static void exponentials(MgGpuAttn *g, MgKBlock *block, const MgKx *first, const MgKx *n,
                         const MgKx *last) {
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    const MgKx *before = let(g, block, kept(g, t->kept.peak, 0, 1)), *at[CHUNK], *x[CHUNK];
    const MgKx *peak = let(g, block, greatest(k, before, kept(g, t->kept.most, 0, 1)));
    const MgKx *shift = let(g, block, mg_attention_shift(t, peak));
    const MgKx *scale = let(g, block, un(k, MG_PRIM_EXP, sub(k, before, shift)));
    set(g, block, t->kept.peak, peak);
    set(g, block, t->kept.sum, mul(k, kept(g, t->kept.sum, 0, 1), scale));
    store(k, block, g->scale, g->item.me, scale);
    MgKBlock *b = block;
    const MgKx *key = open_chunk(g, &b, at, x);
    for (uint32_t i = 0; i < CHUNK; i++) { // arguments of the exponential are not above 0
        x[i] = least(k, sub(k, x[i], shift), number(g, 0));
        x[i] = let(g, b, un(k, MG_PRIM_EXP, x[i]));
        const MgKx *own = plus(k, key, i), *place = add(k, first, own);
        t->at.loop[MG_ATTN_KEY] = n ? least(k, place, last) : place;
        store(k, b, g->p.buf, at[i],
              mg_attention_gained(t, b, NULL, n ? less(k, own, n) : NULL, x[i]));
    }
    const MgKx *sum = fold(g, b, false, x);
    set(g, b, t->kept.sum, add(k, kept(g, t->kept.sum, 0, 1), sum));
}

// ---------------------------------------------------------------- results
// Can vectors of columns be stored at once?
static bool leaves_in_vectors(MgGpuAttn *g, uint32_t lanes) {
    MgAttn *t = &g->t;
    MgIx target =
        mg_unit_target(t->s, t->a->steps[t->a->values].op, t->at.with[t->a->values], MG_ATTN_SYMS);
    return mg_attn_known_or(t, t->size.columns, 1) % lanes == 0 &&
           mg_moves_by_one(t->s->ix, target, mg_ix_index(t->s->ix, MG_ATTN_COLUMN)) &&
           mg_attention_tail_straight(t, MG_ATTN_COLUMN);
}

// Stores finished columns of the current row, from `column` of the group's columns on; columns past
// the last are not stored.
void mg_gpu_attention_leave(MgGpuAttn *g, MgKBlock *b, const MgKx *column, const MgKx *x) {
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    bool vector = leaves_in_vectors(g, x->type.lanes);
    uint32_t lanes = vector ? x->type.lanes : 1;
    for (uint32_t l = 0; l < x->type.lanes; l += lanes) {
        const MgKx *own = plus(k, column, l);
        own = let(g, b, g->group.left ? add(k, g->group.left, own) : own);
        t->at.loop[MG_ATTN_COLUMN] = own;
        MgKBlock *in = b;
        if (mg_attn_known_or(t, t->size.columns, 1) % (g->wide ? g->columns : COLUMNS))
            in = block_if(k, b, less(k, own, ix(g, t->size.columns)));
        MgPoint p = mg_attention_point(t, t->a->values, in, -1, NULL);
        p.vector = vector ? MG_ATTN_COLUMN : -1;
        p.lanes = lanes;
        mg_kb_epilogue(&p, vector ? x : mg_klane(k, x, l));
    }
}

// Stores the item's tile of 8 rows by columns: finished, or as the partial result of a part of the
// keys.
static void store_rows(MgGpuAttn *g, MgKBlock *block) {
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    for (uint32_t i = 0; i < ITEM_ROWS; i++) {
        const MgKx *row = plus(k, times(k, g->item.y, ITEM_ROWS), i);
        row = t->at.loop[MG_ATTN_ROW] = let(g, block, add(k, g->group.first, row));
        MgKBlock *b = block_if(k, block, less(k, row, ix(g, t->size.rows)));
        const MgKx *place =
            g->plan.parts > 1 ? times(k, mg_gpu_attention_place(g, row), g->columns) : NULL;
        place = place ? let(g, b, place) : NULL;
        for (uint32_t v = 0; v < g->vectors; v++) {
            const MgKx *x = kept(g, g->sums, i * g->vectors + v, MG_QUAD);
            const MgKx *column = plus(k, times(k, g->item.x, MG_QUAD), v * COLUMNS);
            if (place)
                store(k, b, g->found.values, add(k, place, column), x);
            else
                mg_gpu_attention_leave(g, b, column, x);
        }
    }
}

// ---------------------------------------------------------------- loops
// The scores of the item's rows and the block's keys. q: a factor like the keys, whose rows the
// group keeps.
static void scores(MgGpuAttn *g, MgKBlock *b, Stage q, Stage keys) {
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    clear_scores(g, b);
    MgKBlock *in = b;
    if (g->deep) {
        Loop loop = each_from(k, b, "part", num(k, 0), ix(g, t->size.depth), g->depth);
        in = loop.body;
        q.left = keys.left = loop.at;
        mg_kbarrier(k, in, MG_BARRIER_GROUP); // the previous part has been used
        stage(g, in, q);
    }
    stage(g, in, keys);
    mg_kbarrier(k, in, MG_BARRIER_GROUP);
    sum_scores(g, in);
    put_scores(g, b);
}

static void emit_keys(MgGpuAttn *g, MgKBlock *block, Stage q) {
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    int64_t size = g->plan.keys;
    const MgKx *first, *last, *n = NULL;
    MgKBlock *b = mg_gpu_attention_blocks(g, block, size, &first, &last);
    if (mg_attn_known_or(t, t->size.keys, 1) % size)
        n = let(g, b, sub(k, ix(g, t->size.keys), first));
    mg_kbarrier(k, b, MG_BARRIER_GROUP); // the previous block has been used
    // A value past the last key must be 0: its weight is 0, and 0 times an infinity is NaN.
    stage(g, b,
          (Stage){&t->value_factor, &g->v, first, last, g->group.left, size, g->columns, 1,
                  n != NULL});
    scores(g, b, q, (Stage){&t->products[0].k, &g->k, first, last, NULL, size, g->depth, 1, false});
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    finish_scores(g, b, first, n, last);
    exponentials(g, b, first, n, last);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    rescale(g, b);
    weigh_values(g, b);
}

static void finish_rows(MgGpuAttn *g, MgKBlock *b) {
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    t->at.loop[MG_ATTN_ROW] = g->item.row;
    const MgKx *peak = let(g, b, kept(g, t->kept.peak, 0, 1));
    const MgKx *row = add(k, g->group.first, g->item.me);
    t->leaves = less(k, row, ix(g, t->size.rows));
    if (g->group.left)
        t->leaves = both(k, t->leaves, equal(k, g->group.left, num(k, 0)));
    const MgKx *factor = mg_attention_row_factor(t, b, NULL, peak, kept(g, t->kept.sum, 0, 1));
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    store(k, b, g->scale, g->item.me, factor);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    rescale(g, b);
    store_rows(g, b);
}

static void emit(MgGpuAttn *g) {
    MgAttn *t = &g->t;
    MgKernel *k = t->kb.k;
    int64_t rows = g->plan.rows;
    derive(g);
    mg_gpu_attention_make_parts(g);
    make_buffers(g);
    g->item.me = let(g, &k->body, mg_kspecial(k, MG_KX_LOCAL_ID));
    g->item.x = let(g, &k->body, modulo(k, g->item.me, ACROSS));
    g->item.y = let(g, &k->body, over(k, g->item.me, ACROSS));
    MgKBlock *b = mg_gpu_attention_open(g, rows, false);
    const MgKx *last = let(g, b, minus(k, ix(g, t->size.rows), 1));
    g->item.row = let(g, b, least(k, add(k, g->group.first, g->item.me), last));
    Stage q = {&t->products[0].q, &g->q, g->group.first, last, NULL, rows, g->depth, 1, false};
    mg_kbarrier(k, b, MG_BARRIER_GROUP); // the previous rows have been used
    if (!g->deep)
        stage(g, b, q);
    set(g, b, t->kept.peak, number(g, -INFINITY));
    set(g, b, t->kept.sum, number(g, 0));
    for (uint32_t i = 0; i < ITEM_ROWS * g->vectors; i++)
        store(k, b, g->sums, num(k, i), mg_kfloat(k, lanes_of(g, MG_QUAD), 0));
    emit_keys(g, b, q);
    if (g->plan.parts > 1) {
        mg_gpu_attention_keep(g, b);
        store_rows(g, b);
        mg_gpu_attention_join(g);
    } else {
        finish_rows(g, b);
    }
}

const MgGpuAttnForm mg_gpu_attn_tiles = {choose, misfit, emit};
