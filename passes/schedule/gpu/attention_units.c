// Attention by the matrix units of a GPU, for factors that are always exact in a narrow float type,
// and weights that the definition rounds to one; and sums over computed weights, of which it is one
// with a softmax.
//
// 32 items work together. They keep the scores, weights and results of some rows as the fragments
// of products of small matrices, so a row is shared by only four neighbours, each of which has a
// quarter of the keys and of the columns. Keys and values of a block are staged in local memory as
// whole words along the summed index: rows of keys as lines, values as pairs of rows. The weights
// are rounded, stored to local memory, and are the rows of the second product.
//
// While a block is computed, the next one is loaded into registers: values go to the other half of
// their buffer, and keys replace those that all items have used. So a block has two barriers. After
// one, each row's four items have stored their largest scores; after the other, the weights and the
// next block are stored.
//
// Dao, "FlashAttention-2", 2023, divides rows among warps in this way.
#include "passes/schedule/gpu/attention_units.h"
#include "passes/exact.h"
#include "passes/schedule/gpu/attention_words.h"
#include "passes/schedule/gpu/tile.h"
#include "passes/schedule/words.h"

#include <math.h>

enum {
    WARPS = 4,
    ITEMS = WARPS * MG_TOGETHER,
    STEP = 16,              // elements: eight words of them are the depth of an atom
    APART = MG_UNITS_LANES, // elements between lines, which keep lines in different banks
    WIDEST = 256,           // depth and columns
    MOST_KEYS = 64,         // of a block
    MOST_VECTORS = MOST_KEYS * WIDEST / MG_UNITS_LANES / ITEMS, // that an item stages for a block
};

// ---------------------------------------------------------------- conditions

// The first atom of narrow floats in whose types the factors are always exact.
static bool find_atom(const MgAttn *t, uint32_t step, const MgSx *row, const MgSx *column,
                      MgAtom *atom) {
    MgGraph *graph = t->s->g;
    const MgOp *op = mg_op(graph, t->a->steps[step].op);
    for (uint32_t i = 0; i < MG_ATOM_COUNT; i++) {
        const MgAtomRow *a = mg_atom((MgAtom)i);
        *atom = (MgAtom)i;
        if (a->sum == MG_F32 && !a->rounds && mg_atom_per_word(*atom) == MG_UNITS_PER_WORD &&
            mg_sx_is_exact_in(graph, op, row, a->row) &&
            mg_sx_is_exact_in(graph, op, column, a->column))
            return true;
    }
    return false;
}

static bool in_vectors(MgAttn *t, const MgAttnFactor *f) {
    int64_t n = mg_attn_known_or(t, f->n, 0);
    return n > 0 && n <= WIDEST && n % MG_UNITS_LANES == 0 &&
           mg_attention_straight(t, f->step, f->x, f->along);
}

bool mg_gpu_attn_atoms(const MgGpuAttn *g, MgAtom *scores, MgAtom *value) {
    const MgAttention *a = g->t.a;
    bool ok = find_atom(&g->t, a->values, a->weight, a->v, value);
    // f16 has numbers for weights up to 1, and these times a gain may be more.
    ok &= mg_attention_only_drops(a) || mg_atom(*value)->row != MG_F16;
    for (uint32_t i = 0; i < a->n_products; i++)
        ok = ok &&
             find_atom(&g->t, a->products[i].step, a->products[i].q, a->products[i].k, &scores[i]);
    return ok;
}

bool mg_attn_units_suit(const MgGpuAttn *g) {
    MgAttn copy = g->t, *t = &copy;
    const MgTargetInfo *target = &t->s->options->target;
    MgAtom scores[MG_ATTENTION_PRODUCTS], value;
    for (uint32_t i = 0; i < t->a->n_products; i++)
        if (!in_vectors(t, &t->products[i].q) || !in_vectors(t, &t->products[i].k))
            return false;
    return mg_machine_has_units(&target->machine) && target->max_items >= ITEMS &&
           t->a->type == MG_F32 &&
           mg_attn_known_or(t, t->size.rows, MG_PRODUCT_ROWS) >= MG_PRODUCT_ROWS &&
           in_vectors(t, &t->value_factor) && mg_gpu_attn_atoms(g, scores, &value);
}

// ---------------------------------------------------------------- sizes

static int64_t half_of_values(const MgAttnUnits *u) {
    return u->keys / MG_UNITS_PER_WORD * u->v.pitch;
}

// Sets what follows from the plan; an item has `parts` fragments of rows. Returns the bytes of
// local memory.
static int64_t lay_out(MgAttnUnits *u) {
    MgAttn *t = &u->g.t;
    int64_t columns = mg_attn_known_or(t, t->size.columns, 0);
    u->parts = (uint32_t)(u->g.plan.rows / (WARPS * MG_PRODUCT_ROWS));
    u->g.items = ITEMS;
    u->item_rows = u->parts * MG_PRODUCT_ROWS;
    u->v = (MgUnitsFactor){.of = &t->value_factor,
                           .type = mg_atom(u->value)->column,
                           .rows = u->keys,
                           .width = columns,
                           .pitch = (columns + APART) * MG_UNITS_PER_WORD,
                           .paired = true};
    u->weights.rows.pitch = u->keys + APART;
    int64_t narrow = 2 * half_of_values(u) + u->rows * u->weights.rows.pitch;
    for (uint32_t i = 0; i < u->n_products; i++) {
        MgUnitsProduct *p = &u->products[i];
        int64_t width = mg_round_up(mg_attn_known_or(t, t->products[i].q.n, 0), STEP);
        p->q = (MgUnitsFactor){.of = &t->products[i].q,
                               .type = mg_atom(p->atom)->row,
                               .rows = u->rows,
                               .width = width,
                               .pitch = width + APART};
        p->k = (MgUnitsFactor){.of = &t->products[i].k,
                               .type = mg_atom(p->atom)->column,
                               .rows = u->keys,
                               .width = width,
                               .pitch = width + APART};
        narrow += (u->rows + u->keys) * p->k.pitch;
    }
    return narrow * 2 + (t->a->softmax ? u->rows * MG_QUAD * 4 : 0);
}

// What is known of a kernel of the plan; *bytes of local memory.
MgAttnUnits mg_attn_units_of(const MgGpuAttn *g, int64_t *bytes) {
    MgAtom scores[MG_ATTENTION_PRODUCTS];
    MgAttnUnits u = {.g = *g,
                     .wide = g->plan.kind == MG_GPU_ATTN_WIDE,
                     .rows = g->plan.rows,
                     .keys = g->plan.keys,
                     .n_products = g->t.a->n_products};
    mg_gpu_attn_atoms(g, scores, &u.value);
    for (uint32_t i = 0; i < u.n_products; i++)
        u.products[i].atom = scores[i];
    u.weights.type = mg_atom(u.value)->row;
    *bytes = (u.wide ? mg_attn_wide_lay_out : lay_out)(&u);
    return u;
}

static bool fits(const MgGpuAttn *g) {
    int64_t bytes;
    mg_attn_units_of(g, &bytes);
    return bytes <= (int64_t)g->t.s->options->target.local_most;
}

int64_t mg_attn_widest(const MgAttn *t) {
    int64_t widest = mg_attn_known_or(t, t->size.columns, 0);
    for (uint32_t i = 0; i < t->a->n_products; i++) {
        int64_t depth = mg_attn_known_or(t, t->products[i].q.n, 0);
        widest = depth > widest ? depth : widest;
    }
    return widest;
}

// Chooses large blocks, unless they would leave most of the device idle or don't fit.
static bool choose(MgGpuAttn *g) {
    MgAttn *t = &g->t;
    int64_t rows = mg_attn_known_or(t, t->size.rows, 1024),
            batches = mg_attn_known_or(t, t->size.batches, 8);
    int64_t width = mg_attn_widest(t), units = t->s->options->target.compute_units, groups;
    bool many = width > 64 || t->a->n_products > 1; // registers for a fragment of rows
    if (!mg_attn_units_suit(g))
        return false;
    for (int64_t parts = many ? 1 : MG_UNITS_MOST_PARTS; parts; parts--) {
        g->plan = (MgGpuAttnPlan){.kind = MG_GPU_ATTN_UNITS,
                                  .rows = WARPS * MG_PRODUCT_ROWS * parts,
                                  .keys = width > 128 ? MOST_KEYS / 2 : MOST_KEYS,
                                  .parts = 1,
                                  .skips = t->seen.keys};
        if (!fits(g) || __builtin_mul_overflow(batches, mg_ceil_div(rows, g->plan.rows), &groups))
            continue;
        // With fewer groups than this, it is better to split the keys of a softmax into parts.
        if (groups >= (parts > 1 ? units : mg_ceil_div(units, 4)) || !t->a->softmax)
            return true;
    }
    return false;
}

static const char *misfit(const MgGpuAttn *g) {
    const MgGpuAttnPlan *p = &g->plan;
    bool rows = p->rows == WARPS * MG_PRODUCT_ROWS || p->rows == 2 * WARPS * MG_PRODUCT_ROWS;
    if (!mg_attn_units_suit(g))
        return "matrix units need a device that has them, at least 16 rows, and rows of vectors "
               "of a type in which they are exact";
    if (!rows || p->keys % STEP || p->keys < STEP || p->keys > MOST_KEYS)
        return "a group has 64 or 128 rows, and 16, 32, 48 or 64 keys at once";
    return fits(g) ? NULL : "the copies do not fit into a group's local memory";
}

int64_t mg_gpu_attn_together(const MgGpuAttn *g) {
    return g->plan.kind == MG_GPU_ATTN_WIDE ? MG_WIDE * MG_PRODUCT_ROWS : g->plan.rows / WARPS;
}

// ---------------------------------------------------------------- buffers

MgKBufId mg_attn_units_shared(MgAttnUnits *u, const char *name, MgDType type, int64_t elements) {
    MgKernel *k = u->g.t.kb.k;
    return mg_kalloc(k, name, mg_kt(type, 1), MG_SPACE_SHARED, MG_SCOPE_GROUP, num(k, elements));
}

static void make_buffers(MgAttnUnits *u) {
    MgKb *kb = &u->g.t.kb;
    uint32_t fragments = u->parts * (uint32_t)u->keys / MG_PRODUCT_COLUMNS;
    if (u->wide) {
        mg_attn_wide_buffers(u);
    } else {
        for (uint32_t i = 0; i < u->n_products; i++) {
            MgUnitsFactor *q = &u->products[i].q, *own = &u->products[i].k;
            q->buf = mg_attn_units_shared(u, "q", q->type, q->rows * q->pitch);
            own->buf = mg_attn_units_shared(u, "k", own->type, own->rows * own->pitch);
        }
        u->v.buf = mg_attn_units_shared(u, "v", u->v.type, 2 * half_of_values(u));
        u->weights.rows.buf =
            mg_attn_units_shared(u, "p", u->weights.type, u->rows * u->weights.rows.pitch);
        if (u->g.t.a->softmax)
            u->peaks.told = mg_attn_units_shared(u, "tops", MG_F32, u->rows * MG_QUAD);
    }
    for (uint32_t i = 0; i < u->n_products; i++)
        u->products[i].sums = mg_kb_private(kb, "scores", mg_kt(MG_F32, MG_QUAD), fragments);
    fragments = u->parts * (uint32_t)u->g.columns / MG_PRODUCT_COLUMNS;
    u->g.sums = mg_kb_private(kb, "sums", mg_kt(MG_F32, MG_QUAD), fragments);
    if (!u->g.t.a->softmax)
        return;
    u->peaks.most = mg_kb_private(kb, "most", mg_kt(MG_F32, 1), 2 * u->parts);
    u->peaks.total = mg_kb_private(kb, "total", mg_kt(MG_F32, 1), 2 * u->parts);
}

// ---------------------------------------------------------------- staging

typedef struct Vectors { // of a block, while they are loaded; of pairs, the first rows and then the
                         // second
    const MgKx *x[2 * MOST_VECTORS], *to[2 * MOST_VECTORS], *own[2 * MOST_VECTORS];
    uint32_t n;
} Vectors;

const MgKx *mg_attn_units_vector(MgAttnUnits *u, MgKBlock *b, const MgUnitsFactor *f,
                                 const MgKx *row, const MgKx *at, const MgKx *rows) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    int64_t along = mg_attn_known_or(t, f->of->n, 0);
    const MgKx *inside = NULL;
    if (rows) {
        inside = less(k, row, rows);
        row = least(k, row, minus(k, rows, 1));
    }
    if (along < f->width) {
        const MgKx *is = less(k, at, num(k, along));
        inside = inside ? both(k, inside, is) : is;
        at = least(k, at, num(k, along - MG_UNITS_LANES));
    }
    t->at.loop[f->of->sym] = let(&u->g, b, row);
    t->at.loop[f->of->along] = let(&u->g, b, at);
    MgPoint p = mg_attention_point(t, f->of->step, b, -1, NULL);
    p.vector = (int)f->of->along;
    p.lanes = MG_UNITS_LANES;
    p.bare = true;
    const MgKx *x = mg_ksplat(k, mg_point_expr(&p, f->of->x), MG_UNITS_LANES);
    const MgKx *narrow = mg_narrowed(k, x, f->type);
    x = narrow ? narrow : cast(k, f->type, x);
    if (inside)
        x = where(k, mg_ksplat(k, inside, MG_UNITS_LANES), x, mg_kfloat(k, x->type, 0));
    return x;
}

// Loads the item's vectors of the `n` rows from `first` on (NULL: all rows of the block exist).
static void fetch(MgAttnUnits *u, MgKBlock *b, const MgUnitsFactor *f, const MgKx *first,
                  const MgKx *rows, Vectors *v) {
    MgKernel *k = u->g.t.kb.k;
    int64_t run = f->width / MG_UNITS_LANES,
            lines = f->paired ? f->rows / MG_UNITS_PER_WORD : f->rows;
    v->n = 0;
    for (int64_t done = 0; done < lines * run; done += ITEMS) {
        const MgKx *number = plus(k, u->g.item.me, done), *own = NULL;
        if (done + ITEMS > lines * run) {
            own = let(&u->g, b, less(k, number, num(k, lines * run)));
            number = least(k, number, num(k, lines * run - 1));
        }
        number = let(&u->g, b, number);
        const MgKx *line = let(&u->g, b, over(k, number, run));
        const MgKx *at = let(&u->g, b, times(k, modulo(k, number, run), MG_UNITS_LANES));
        int64_t each = f->paired ? MG_UNITS_PER_WORD : 1;
        const MgKx *to = let(&u->g, b, add(k, times(k, line, f->pitch), times(k, at, each)));
        for (int64_t i = 0; i < each; i++, v->n++) {
            const MgKx *row = add(k, first, plus(k, times(k, line, each), i));
            v->x[v->n] = let(&u->g, b, mg_attn_units_vector(u, b, f, row, at, rows));
            v->to[v->n] = plus(k, to, i * MG_UNITS_LANES);
            v->own[v->n] = own;
        }
    }
}

static void put(MgAttnUnits *u, MgKBlock *block, const MgUnitsFactor *f, const MgKx *base,
                Vectors *v) {
    MgKernel *k = u->g.t.kb.k;
    uint32_t each = f->paired ? MG_UNITS_PER_WORD : 1;
    for (uint32_t i = 0; i < v->n; i += each) {
        MgKBlock *b = v->own[i] ? block_if(k, block, v->own[i]) : block;
        if (f->paired)
            mg_gpu_join_words(k, b, v->x + i, MG_UNITS_PER_WORD);
        for (uint32_t j = i; j < i + each; j++)
            store(k, b, f->buf, base ? add(k, base, v->to[j]) : v->to[j], v->x[j]);
    }
}

// ---------------------------------------------------------------- products

static const MgKx *first_row(MgAttnUnits *u, int64_t pitch) { // of the items that work together
    MgKernel *k = u->g.t.kb.k;
    return times(k, u->g.item.y, u->item_rows * pitch);
}

static void multiply_keys(MgAttnUnits *u, MgKBlock *b, const MgUnitsProduct *p) {
    MgKernel *k = u->g.t.kb.k;
    MgKProduct product = {.atom = p->atom,
                          .row_buf = p->q.buf,
                          .column_buf = p->k.buf,
                          .row_step = p->q.pitch,
                          .row_deep = MG_UNITS_PER_WORD,
                          .column_step = p->k.pitch,
                          .column_deep = MG_UNITS_PER_WORD,
                          .rows = u->item_rows,
                          .columns = (uint32_t)u->keys,
                          .depth = (uint32_t)p->k.width};
    mg_attn_clear(u, b, p->sums, u->keys);
    mg_kproduct(k, b, p->sums, &product, let(&u->g, b, first_row(u, p->q.pitch)), num(k, 0));
}

static void multiply_values(MgAttnUnits *u, MgKBlock *b, const MgKx *half) {
    MgKernel *k = u->g.t.kb.k;
    MgKProduct product = {.atom = u->value,
                          .row_buf = u->weights.rows.buf,
                          .column_buf = u->v.buf,
                          .row_step = u->weights.rows.pitch,
                          .row_deep = MG_UNITS_PER_WORD,
                          .column_step = MG_UNITS_PER_WORD,
                          .column_deep = u->v.pitch,
                          .rows = u->item_rows,
                          .columns = (uint32_t)u->v.width,
                          .depth = (uint32_t)u->keys};
    mg_kproduct(k, b, u->g.sums, &product, let(&u->g, b, first_row(u, u->weights.rows.pitch)),
                half);
}

// ---------------------------------------------------------------- loops

// Computes one block of keys, while the next one is loaded.
static void emit_block(MgAttnUnits *u, MgKBlock *b, const MgKx *number, const MgKx *keys) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    bool whole = mg_attn_known_or(t, t->size.keys, 1) % u->keys == 0;
    const MgKx *first = let(&u->g, b, times(k, number, u->keys));
    const MgKx *next = plus(k, first, u->keys);
    Vectors more_keys[MG_ATTENTION_PRODUCTS], more_values;
    MgUnitsScores x;
    MgUnitsRows shift, scale;
    if (whole) // after the last block, it is loaded once more and not used
        next = least(k, next, minus(k, keys, u->keys));
    next = let(&u->g, b, next);
    for (uint32_t i = 0; i < u->n_products; i++)
        fetch(u, b, &u->products[i].k, next, whole ? NULL : keys, &more_keys[i]);
    fetch(u, b, &u->v, next, whole ? NULL : keys, &more_values);
    for (uint32_t i = 0; i < u->n_products; i++)
        multiply_keys(u, b, &u->products[i]);
    mg_attn_finish_scores(u, b, first, whole ? NULL : let(&u->g, b, sub(k, keys, first)), x);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    for (uint32_t i = 0; i < u->n_products; i++)
        put(u, b, &u->products[i].k, NULL, &more_keys[i]);
    const MgKx *half = let(&u->g, b, modulo(k, number, 2));
    const MgKx *other = sub(k, num(k, 1), half);
    put(u, b, &u->v, let(&u->g, b, times(k, other, half_of_values(u))), &more_values);
    if (t->a->softmax) {
        mg_attn_raise_peaks(u, b, shift, scale);
        mg_attn_weigh(u, b, x, shift, scale);
        mg_attn_rescale(u, b, scale);
    } else {
        mg_attn_put_weights(u, b, x);
    }
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    multiply_values(u, b, let(&u->g, b, times(k, half, half_of_values(u))));
}

static void stage_rows(MgAttnUnits *u, MgKBlock *b) {
    MgAttn *t = &u->g.t;
    bool whole = mg_attn_known_or(t, t->size.rows, 1) % u->rows == 0;
    for (uint32_t i = 0; i < u->n_products; i++) {
        const MgUnitsFactor *q = &u->products[i].q;
        Vectors v;
        fetch(u, b, q, u->g.group.first, whole ? NULL : ix(&u->g, t->size.rows), &v);
        put(u, b, q, NULL, &v);
    }
}

static void emit_keys(MgAttnUnits *u, MgKBlock *b, const MgKx *keys, MgUnitsBlocks blocks) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    const MgKx *first = let(&u->g, b, times(k, blocks.low, u->keys));
    const MgKx *half = let(&u->g, b, times(k, modulo(k, blocks.low, 2), half_of_values(u)));
    bool whole = mg_attn_known_or(t, t->size.keys, 1) % u->keys == 0;
    Vectors v;
    for (uint32_t i = 0; i < u->n_products; i++) {
        fetch(u, b, &u->products[i].k, first, whole ? NULL : keys, &v);
        put(u, b, &u->products[i].k, NULL, &v);
    }
    fetch(u, b, &u->v, first, whole ? NULL : keys, &v);
    put(u, b, &u->v, half, &v);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    Loop loop = each_from(k, b, "keys", blocks.low, blocks.high, 1);
    emit_block(u, loop.body, loop.at, keys);
}

static void emit(MgAttnUnits *u) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    const MgKx *rows = ix(&u->g, t->size.rows), *blocks = mg_kceil_div(k, rows, u->rows);
    const MgKx *keys = ix(&u->g, t->size.keys);
    bool some = mg_attn_known_or(t, t->size.keys, 0) > 0;
    k->items = (uint32_t)u->g.items;
    k->groups = mul(k, blocks, mg_attention_batches(t));
    mg_attn_place_items(u, &k->body);
    const MgKx *tiles = k->groups;
    if (t->seen.keys)
        mg_attn_sum_unseen(u);
    Loop loop = each_group(k, &k->body, "block", tiles);
    const MgKx *strip = remainder_of(k, loop.at, blocks);
    if (t->seen.keys && !t->seen.after) // the later rows see more keys, so they begin first
        strip = sub(k, minus(k, blocks, 1), strip);
    u->g.group.first = let(&u->g, loop.body, times(k, strip, u->rows));
    const MgKx *batch = let(&u->g, loop.body, quotient(k, loop.at, blocks));
    mg_attention_batch(t, loop.body, batch);
    const MgKx *last = let(&u->g, loop.body, minus(k, rows, 1));
    for (uint32_t i = 0; i < 2 * u->parts; i++) {
        const MgKx *row = add(k, u->g.group.first, u->item.row[i / 2][i % 2]);
        u->item.now[i / 2][i % 2] = let(&u->g, loop.body, least(k, row, last));
        if (!t->a->softmax)
            continue;
        store(k, loop.body, u->peaks.most, num(k, i), number(&u->g, -INFINITY));
        store(k, loop.body, u->peaks.total, num(k, i), number(&u->g, 0));
    }
    mg_kbarrier(k, loop.body, MG_BARRIER_GROUP); // the previous rows have been used
    (u->wide ? mg_attn_wide_rows : stage_rows)(u, loop.body);
    MgUnitsBlocks seen = mg_attn_seen_blocks(u, loop.body, keys);
    if (t->seen.keys)
        mg_attn_begin_behind(u, loop.body, batch, t->seen.after ? seen.low : seen.high);
    else
        mg_attn_clear(u, loop.body, u->g.sums, u->g.columns);
    MgKBlock *in = some ? loop.body : block_if(k, loop.body, bin(k, MG_PRIM_GT, keys, num(k, 0)));
    (u->wide ? mg_attn_wide_keys : emit_keys)(u, in, keys, seen);
    mg_attn_finish_rows(u, loop.body);
}

void mg_attn_units_emit(MgGpuAttn *g) {
    int64_t bytes;
    MgAttnUnits units = mg_attn_units_of(g, &bytes), *u = &units;
    for (uint32_t i = 0; i < u->n_products; i++) { // of this copy
        u->products[i].q.of = &u->g.t.products[i].q;
        u->products[i].k.of = &u->g.t.products[i].k;
    }
    u->v.of = &u->g.t.value_factor;
    u->g.columns = mg_attn_known_or(&u->g.t, u->g.t.size.columns, 0);
    u->factor = u->g.t.a->softmax ? mg_attention_leave_factor(&u->g.t) : 1;
    mg_attn_find_seen(u);
    make_buffers(u);
    emit(u);
    *g = u->g;
}

const MgGpuAttnForm mg_gpu_attn_units = {choose, misfit, mg_attn_units_emit};
