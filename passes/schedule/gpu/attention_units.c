// Attention by the matrix units of a GPU, and sums over computed weights, of which it is one with a
// softmax. Factors are always exact in a narrow float type, as are weights that the definition
// rounds to one; or they are f32, and products split them as they read them (split.c says how). The
// new sums of each block are added to those of the others then, so that few are truncated.
//
// 32 items work together. They keep the scores, weights and results of some rows as the fragments
// of products of small matrices, so a row is shared by only four neighbours, each of which has a
// quarter of the keys and of the columns. Keys and values of a block are staged in local memory as
// whole words along the summed index: rows of keys as lines, values as pairs of rows if a word has
// two elements. The weights are rounded, unless they are split, stored to local memory, and are the
// rows of the second product.
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
    APART = 8,          // words between lines that are words of rows, so that banks differ
    WIDEST = 256,       // depth and columns
    WIDEST_SPLIT = 128, // the same of f32
    STEP = 16,          // of keys
    MOST_KEYS = 64,     // of a block
    SPLIT_KEYS = 32,    // the same of f32
};

// ---------------------------------------------------------------- conditions

// The first atom of narrow floats in whose types the factors are always exact; or that of the parts
// of split factors.
static bool find_atom(const MgAttn *t, uint32_t step, const MgSx *row, const MgSx *column,
                      MgAtom *atom) {
    MgGraph *graph = t->s->g;
    const MgOp *op = mg_op(graph, t->a->steps[step].op);
    for (uint32_t i = 0; i < MG_ATOM_COUNT; i++) {
        const MgAtomRow *a = mg_atom((MgAtom)i);
        *atom = (MgAtom)i;
        if (a->sum == MG_F32 && !a->rounds && mg_atom_per_word(*atom) == 2 &&
            mg_sx_is_exact_in(graph, op, row, a->row) &&
            mg_sx_is_exact_in(graph, op, column, a->column))
            return true;
    }
    *atom = MG_ATOM_TF32;
    return mg_gpu_may_split_apart(t->s->options);
}

static bool in_vectors(MgAttn *t, const MgAttnFactor *f, int64_t widest) {
    int64_t n = mg_attn_known_or(t, f->n, 0);
    return n > 0 && n <= widest && n % MG_PRODUCT_COLUMNS == 0 &&
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

// Do products by these atoms split factors?
static bool atoms_split(const MgGpuAttn *g, const MgAtom *scores, MgAtom value) {
    bool split = mg_atom(value)->rounds > 0;
    for (uint32_t i = 0; i < g->t.a->n_products; i++)
        split |= mg_atom(scores[i])->rounds > 0;
    return split;
}

bool mg_attn_units_split(const MgGpuAttn *g) {
    MgAtom scores[MG_ATTENTION_PRODUCTS], value;
    return mg_gpu_attn_atoms(g, scores, &value) && atoms_split(g, scores, value);
}

bool mg_attn_units_suit(const MgGpuAttn *g) {
    MgAttn copy = g->t, *t = &copy;
    const MgTargetInfo *target = &t->s->options->target;
    MgAtom scores[MG_ATTENTION_PRODUCTS], value;
    if (!mg_gpu_attn_atoms(g, scores, &value))
        return false;
    int64_t widest = atoms_split(g, scores, value) ? WIDEST_SPLIT : WIDEST;
    for (uint32_t i = 0; i < t->a->n_products; i++)
        if (!in_vectors(t, &t->products[i].q, widest) || !in_vectors(t, &t->products[i].k, widest))
            return false;
    return mg_machine_has_units(&target->machine) && target->max_items >= MG_UNITS_STRIP_ITEMS &&
           t->a->type == MG_F32 &&
           mg_attn_known_or(t, t->size.rows, MG_PRODUCT_ROWS) >= MG_PRODUCT_ROWS &&
           in_vectors(t, &t->value_factor, widest);
}

// ---------------------------------------------------------------- sizes

// A factor of a block, of an atom; over_rows: its product sums over rows.
static MgUnitsFactor factor(const MgAttnUnits *u, const MgAttnFactor *of, MgAtom atom, bool column,
                            int64_t rows, bool over_rows) {
    int64_t n = mg_attn_known_or(&u->g.t, of->n, 0);
    const MgAtomRow *row = mg_atom(atom);
    MgUnitsFactor f = {.of = of,
                       .type = column ? row->column : row->row,
                       .word = mg_atom_per_word(atom),
                       .rows = rows,
                       .slots = 1};
    f.lanes = MG_PIECE_BYTES / (uint32_t)mg_dtype_size(f.type);
    if (u->wide) {
        f.width = mg_round_up(n, MG_UNITS_LINE);
        f.tile = rows * f.width;
        f.strip = rows;
    } else if (over_rows) {
        f.over_rows = true;
        f.width = n;
        f.pitch = (n + APART) * f.word;
        f.tile = rows / f.word * f.pitch;
    } else {
        f.width = mg_round_up(n, MG_PRODUCT_WORDS * f.word);
        f.pitch = f.width + f.lanes;
        f.tile = rows * f.pitch;
    }
    return f;
}

// Have factors of keys the same elements, in rows of the same length?
static bool are_same(const MgAttnUnits *u, const MgUnitsFactor *a, const MgUnitsFactor *b) {
    MgIxTable *table = u->g.t.s->ix;
    MgIx at, other;
    MgValueId v, w;
    if (!mg_attn_lies(u, a, &v, &at) || !mg_attn_lies(u, b, &w, &other))
        return false;
    MgIx along = mg_ix_idx(table, b->of->along);
    return v == w && a->type == b->type && a->of->n == b->of->n &&
           mg_ix_subst_index(table, at, a->of->along, along) == other;
}

static uint32_t find_shared(const MgAttnUnits *u) {
    uint32_t i = u->wide && !u->g.t.a->softmax ? 0 : u->n_products;
    while (i < u->n_products && !are_same(u, &u->products[i].k, &u->v))
        i++;
    return i;
}

static int64_t bytes_of(const MgUnitsFactor *f) {
    return f->slots * f->tile * (int64_t)mg_dtype_size(f->type);
}

// Sets what follows from the types and the blocks. Returns the bytes of local memory.
static int64_t lay_out(MgAttnUnits *u) {
    MgAttn *t = &u->g.t;
    int64_t strips = u->rows / MG_UNITS_STRIP;
    u->parts = u->wide ? 1 : (uint32_t)strips;
    u->g.items = (u->wide ? strips : 1) * MG_UNITS_STRIP_ITEMS;
    u->item_rows = u->parts * MG_PRODUCT_ROWS;
    u->v = factor(u, &t->value_factor, u->value, true, u->keys, true);
    u->v.slots = MG_UNITS_SLOTS;
    u->weights.rows.pitch = u->keys + u->v.lanes;
    int64_t weights = u->rows * u->weights.rows.pitch * (int64_t)mg_dtype_size(u->weights.type);
    int64_t bytes = u->wide ? 0 : weights;
    for (uint32_t i = 0; i < u->n_products; i++) {
        MgUnitsProduct *p = &u->products[i];
        p->q = factor(u, &t->products[i].q, p->atom, false, u->rows, false);
        p->q.strip = u->wide ? MG_UNITS_STRIP : 0;
        p->k = factor(u, &t->products[i].k, p->atom, true, u->keys, false);
        p->k.slots = u->wide ? MG_UNITS_SLOTS : 1;
        p->k.number = 1 + i;
        bytes += bytes_of(&p->q) + bytes_of(&p->k);
    }
    u->shared = find_shared(u);
    bytes += u->shared < u->n_products ? 0 : bytes_of(&u->v);
    u->peaks.slots = t->a->softmax ? u->products[0].k.slots : 0;
    return bytes + u->peaks.slots * u->rows * MG_QUAD * 4;
}

// Sets what is known of a kernel of the plan. Returns the bytes of local memory.
static int64_t begin(MgAttnUnits *u, const MgGpuAttn *g) {
    MgAtom scores[MG_ATTENTION_PRODUCTS];
    *u = (MgAttnUnits){.g = *g,
                       .wide = g->plan.kind == MG_GPU_ATTN_WIDE,
                       .rows = g->plan.rows,
                       .keys = g->plan.keys,
                       .n_products = g->t.a->n_products};
    mg_gpu_attn_atoms(g, scores, &u->value);
    for (uint32_t i = 0; i < u->n_products; i++)
        u->products[i].atom = scores[i];
    u->weights.type = mg_atom(u->value)->row;
    return lay_out(u);
}

bool mg_attn_units_fit(const MgGpuAttn *g) {
    MgAttnUnits u;
    return begin(&u, g) <= (int64_t)g->t.s->options->target.local_most;
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
    if (!mg_attn_units_suit(g))
        return false;
    bool splits = mg_attn_units_split(g);
    bool many = width > 64 || t->a->n_products > 1 || splits; // registers for a fragment of rows
    for (int64_t parts = many ? 1 : MG_UNITS_MOST_PARTS; parts; parts--) {
        g->plan = (MgGpuAttnPlan){.kind = MG_GPU_ATTN_UNITS,
                                  .rows = MG_UNITS_STRIP * parts,
                                  .keys = splits        ? SPLIT_KEYS
                                          : width > 128 ? MOST_KEYS / 2
                                                        : MOST_KEYS,
                                  .parts = 1,
                                  .skips = t->seen.keys};
        if (!mg_attn_units_fit(g) ||
            __builtin_mul_overflow(batches, mg_ceil_div(rows, g->plan.rows), &groups))
            continue;
        // With fewer groups than this, it is better to split the keys of a softmax into parts.
        if (groups >= (parts > 1 ? units : mg_ceil_div(units, 4)) || !t->a->softmax)
            return true;
    }
    return false;
}

static const char *misfit(const MgGpuAttn *g) {
    const MgGpuAttnPlan *p = &g->plan;
    bool rows = p->rows == MG_UNITS_STRIP || p->rows == 2 * MG_UNITS_STRIP;
    if (!mg_attn_units_suit(g))
        return "matrix units need a device that has them, at least 16 rows, and rows of vectors "
               "of a type in which they are exact, or of f32 if the figure 'parts_faster' is not 0";
    if (!rows || p->keys % STEP || p->keys < STEP || p->keys > MOST_KEYS)
        return "a group has 64 or 128 rows, and 16, 32, 48 or 64 keys at once";
    return mg_attn_units_fit(g) ? NULL : "the copies do not fit into a group's local memory";
}

int64_t mg_gpu_attn_together(const MgGpuAttn *g) {
    return g->plan.kind == MG_GPU_ATTN_WIDE ? MG_WIDE * MG_PRODUCT_ROWS : g->plan.rows / WARPS;
}

// ---------------------------------------------------------------- buffers

static void make_factor(MgAttnUnits *u, const char *name, MgUnitsFactor *f) {
    f->buf = mg_gpu_local(u->g.t.kb.k, name, mg_kt(f->type, 1), f->slots * f->tile);
    if (u->wide)
        u->g.t.kb.k->bufs.at[f->buf].align = MG_LINES_BYTES;
}

static void make_buffers(MgAttnUnits *u) {
    MgKb *kb = &u->g.t.kb;
    bool softmax = u->g.t.a->softmax;
    uint32_t across = (uint32_t)u->keys / MG_PRODUCT_COLUMNS;
    for (uint32_t i = 0; i < u->n_products; i++) {
        make_factor(u, "q", &u->products[i].q);
        make_factor(u, "k", &u->products[i].k);
    }
    if (u->shared < u->n_products)
        u->v.buf = u->products[u->shared].k.buf;
    else
        make_factor(u, "v", &u->v);
    if (u->wide)
        u->weights.rows.buf = mg_kb_private(kb, "held", mg_kt(u->weights.type, MG_QUAD), across);
    else
        u->weights.rows.buf =
            mg_gpu_local(kb->k, "p", mg_kt(u->weights.type, 1), u->rows * u->weights.rows.pitch);
    if (softmax)
        u->peaks.told =
            mg_gpu_local(kb->k, "tops", mg_kt(MG_F32, 1), u->peaks.slots * u->rows * MG_QUAD);
    if (softmax && u->wide)
        u->scale = mg_kb_private(kb, "scale", mg_kt(MG_F32, 1), 2);
    for (uint32_t i = 0; i < u->n_products; i++)
        u->products[i].sums =
            mg_kb_private(kb, "scores", mg_kt(MG_F32, MG_QUAD), u->parts * across);
    u->g.sums = mg_kb_private(kb, "sums", mg_kt(MG_F32, MG_QUAD),
                              u->parts * (uint32_t)u->g.columns / MG_PRODUCT_COLUMNS);
    if (!softmax)
        return;
    u->peaks.most = mg_kb_private(kb, "most", mg_kt(MG_F32, 1), 2 * u->parts);
    u->peaks.total = mg_kb_private(kb, "total", mg_kt(MG_F32, 1), 2 * u->parts);
}

// ---------------------------------------------------------------- loops

// Computes one block of keys, while the next one is loaded.
static void emit_block(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys, const MgKx *number) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    const MgKx *first = let(&u->g, b, times(k, number, u->keys));
    const MgKx *next = plus(k, first, u->keys);
    MgUnitsVectors more_keys[MG_ATTENTION_PRODUCTS], more_values;
    MgUnitsScores x;
    MgUnitsRows shift, scale;
    if (!keys->keys) // after the last block, it is loaded once more and not used
        next = least(k, next, minus(k, ix(&u->g, t->size.keys), u->keys));
    next = let(&u->g, b, next);
    for (uint32_t i = 0; i < u->n_products; i++)
        mg_attn_fetch(u, b, &u->products[i].k, next, keys->keys, &more_keys[i]);
    mg_attn_fetch(u, b, &u->v, next, keys->keys, &more_values);
    for (uint32_t i = 0; i < u->n_products; i++)
        mg_attn_multiply_keys(u, b, &u->products[i], num(k, 0));
    mg_attn_finish_scores(u, b, first, keys->keys ? let(&u->g, b, sub(k, keys->keys, first)) : NULL,
                          x);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    for (uint32_t i = 0; i < u->n_products; i++)
        mg_attn_put(u, b, &u->products[i].k, NULL, &more_keys[i]);
    const MgKx *half = let(&u->g, b, modulo(k, number, 2));
    const MgKx *other = sub(k, num(k, 1), half);
    mg_attn_put(u, b, &u->v, let(&u->g, b, times(k, other, u->v.tile)), &more_values);
    if (t->a->softmax) {
        mg_attn_raise_peaks(u, b, shift, scale);
        mg_attn_weigh(u, b, x, shift, scale);
        mg_attn_rescale(u, b, scale);
    } else {
        mg_attn_put_weights(u, b, x);
    }
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    mg_attn_multiply_values(u, b, half, MG_LAG_NONE);
}

static void stage_rows(MgAttnUnits *u, MgKBlock *b) {
    MgAttn *t = &u->g.t;
    bool whole = mg_attn_known_or(t, t->size.rows, 1) % u->rows == 0;
    for (uint32_t i = 0; i < u->n_products; i++) {
        const MgUnitsFactor *q = &u->products[i].q;
        MgUnitsVectors v;
        mg_attn_fetch(u, b, q, u->g.group.first, whole ? NULL : ix(&u->g, t->size.rows), &v);
        mg_attn_put(u, b, q, NULL, &v);
    }
}

static void emit_keys(MgAttnUnits *u, MgKBlock *b, const MgUnitsBlocks *keys) {
    MgKernel *k = u->g.t.kb.k;
    const MgKx *first = let(&u->g, b, times(k, keys->low, u->keys));
    const MgKx *half = let(&u->g, b, times(k, modulo(k, keys->low, 2), u->v.tile));
    MgUnitsVectors v;
    for (uint32_t i = 0; i < u->n_products; i++) {
        mg_attn_fetch(u, b, &u->products[i].k, first, keys->keys, &v);
        mg_attn_put(u, b, &u->products[i].k, NULL, &v);
    }
    mg_attn_fetch(u, b, &u->v, first, keys->keys, &v);
    mg_attn_put(u, b, &u->v, half, &v);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    Loop loop = each_from(k, b, "keys", keys->low, keys->high, 1);
    emit_block(u, loop.body, keys, loop.at);
}

// How many groups share a unit: as many as have room for their copies, and for the numbers that an
// item keeps.
static uint32_t residents(const MgAttnUnits *u, int64_t bytes) {
    enum { OTHERS = 40 }; // registers besides these numbers
    const MgTargetInfo *target = &u->g.t.s->options->target;
    int64_t quads = u->n_products * u->keys + u->g.columns; // of scores and sums
    int64_t numbers = (quads + u->keys / 2) * MG_PRODUCT_ROWS * u->parts / MG_TOGETHER;
    int64_t fit = (int64_t)target->machine.unit_registers / (u->g.items * (numbers + OTHERS));
    int64_t most = target->local_most / (bytes + MG_LINES_BYTES);
    return (uint32_t)(fit < most ? fit : most);
}

static void emit(MgAttnUnits *u) {
    MgAttn *t = &u->g.t;
    MgKernel *k = t->kb.k;
    const MgKx *rows = ix(&u->g, t->size.rows), *keys = ix(&u->g, t->size.keys);
    bool some = mg_attn_known_or(t, t->size.keys, 0) > 0;
    mg_attn_place_items(u, &k->body);
    bool late = u->behind.late;
    if (t->seen.keys && !late)
        mg_attn_sum_unseen(u);
    // If later rows see more keys, they begin first.
    MgKBlock *b = mg_gpu_attention_open(&u->g, u->rows, t->seen.keys && !t->seen.after);
    const MgKx *last = let(&u->g, b, minus(k, rows, 1));
    for (uint32_t i = 0; i < 2 * u->parts; i++) {
        const MgKx *row = add(k, u->g.group.first, u->item.row[i]);
        u->item.now[i] = let(&u->g, b, least(k, row, last));
        if (!t->a->softmax)
            continue;
        store(k, b, u->peaks.most, num(k, i), number(&u->g, -INFINITY));
        store(k, b, u->peaks.total, num(k, i), number(&u->g, 0));
    }
    mg_kbarrier(k, b, MG_BARRIER_GROUP); // the previous rows have been used
    MgUnitsBlocks seen = mg_attn_seen_blocks(u, b, keys);
    if (u->wide)
        mg_attn_wide_first(u, b, &seen);
    stage_rows(u, b);
    if (t->seen.keys && !late)
        mg_attn_begin_behind(u, b, t->seen.after ? seen.low : seen.high);
    else
        mg_attn_clear(u, b, u->g.sums, u->g.columns);
    MgKBlock *in = some ? b : block_if(k, b, bin(k, MG_PRIM_GT, keys, num(k, 0)));
    (u->wide ? mg_attn_wide_keys : emit_keys)(u, in, &seen);
    if (late)
        mg_attn_note_whole(u, b);
    mg_attn_finish_rows(u, b);
    if (late)
        mg_attn_sum_unseen(u);
}

void mg_attn_units_emit(MgGpuAttn *g) {
    MgAttnUnits units, *u = &units;
    int64_t bytes = begin(u, g);
    u->g.columns = mg_attn_known_or(&u->g.t, u->g.t.size.columns, 0);
    bool rough = u->weights.type != MG_F32; // powers take the factor along
    u->factor = u->g.t.a->softmax && rough ? mg_attention_leave_factor(&u->g.t) : 1;
    bytes += mg_attn_find_seen(u, bytes);
    make_buffers(u);
    emit(u);
    if (u->boxed)
        u->g.t.kb.k->resident = residents(u, bytes);
    *g = u->g;
}

const MgGpuAttnForm mg_gpu_attn_units = {choose, misfit, mg_attn_units_emit};
