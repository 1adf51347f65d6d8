// Attention for workers: sizes of tiles and blocks, buffers, and the kernel. passes/attention.h
// defines attention, and explains why it can take keys block by block.
//
// A strip of rows lies along the lanes of vectors. Its scores against a block of keys are a small
// matrix in L1, with a line of rows for each key. Tiles of `key_tile` keys are summed in registers
// with keys broadcast, like the tiles of contraction/contraction.c. So maxima, exponentials and
// sums are plain vector code, and the block is at the same time the vector factor of the second
// product, whose tiles are columns of v, broadcast. The strip is packed (transposed). Keys and
// values are packed once per batch, unless they are already stored in the right order. Any factor
// is evaluated while it is packed. Each worker needs memory for the keys and values of a batch and
// for a block of scores.
#include "passes/schedule/attention/attention.h"

// The time of one step of all rows, by tiles of r rows: see contraction/contraction.c.
static int64_t tile_cost(const MgAttn *t, int64_t n, int64_t r) {
    int64_t sums = r * t->nv, least = t->nv < 2 ? 6 : 12; // these hide the latency of fma
    return (n + r - 1) / r * (2 * (sums < least ? least : sums) + 3);
}

// Is a factor a plain matrix in memory, whose rows are dense or nearly so? Then tiles read it in
// place: it takes few pages, and its rows don't share sets of the cache.
static bool lies_flat(MgAttn *t, const MgAttnFactor *f, MgAttnMatrix *m) {
    MgIxTable *ix = t->s->ix;
    MgIx step, rest;
    int64_t pitch;
    if (f->x->kind != MG_SX_READ || f->x->bounds != MG_BOUNDS_PROVED)
        return false;
    MgValueId v = mg_op(t->s->g, t->a->steps[f->step].op)->operands[f->x->operand];
    if (mg_value(t->s->g, v)->dtype != t->a->type)
        return false;
    *m = (MgAttnMatrix){.buf = mg_kb_value(&t->kb, v)};
    if (!mg_read_address(t->s, v, f->x, t->with[f->step], MG_ATTN_SYMS, &m->at))
        return false;
    MgIxSym row = mg_ix_index(ix, f->sym), along = mg_ix_index(ix, f->along);
    if (!mg_moves_by_one(ix, m->at, along) || !mg_ix_linear(ix, m->at, along, &step, &rest) ||
        !mg_ix_linear(ix, rest, row, &m->pitch, &m->at))
        return false;
    return mg_ix_is_const(ix, m->pitch, &pitch) && pitch > 0 &&
           pitch <= 2 * mg_attn_known_or(t, f->n, 0);
}

// Chooses the rows of a register tile for n rows. The last tile may be padded with unused rows;
// with `whole`, no tile is padded if that is possible.
static uint32_t choose_tile(MgAttn *t, MgIx extent, bool whole) {
    int64_t n = mg_attn_known_or(t, extent, 0), best = 0, divides = 0;
    int64_t most = (t->s->options->target.vector_registers - 2 - t->nv) / t->nv;
    most = most > 14 ? 14 : most < 1 ? 1 : most;
    if (n <= 0)
        return (uint32_t)most;
    for (int64_t r = most; r > most / 2 && r > 0; r--) {
        if (!best || tile_cost(t, n, r) < tile_cost(t, n, best))
            best = r;
        if (!divides && n % r == 0)
            divides = r;
    }
    bool cheap = divides && 100 * tile_cost(t, n, divides) <= 105 * tile_cost(t, n, best);
    return (uint32_t)(whole && cheap ? divides : best);
}

// The number of vectors of a strip. The wider it is, the less often keys and values are read; four
// rows of a tile must fit into registers.
static uint32_t choose_width(const MgAttn *t, int64_t rows) {
    int64_t registers = t->s->options->target.vector_registers, vectors = 2;
    if (rows < INT64_MAX && registers >= 4 * MG_ATTN_VECTORS + MG_ATTN_VECTORS + 2)
        vectors = MG_ATTN_VECTORS;
    int64_t all = rows / t->lanes + (rows % t->lanes > 0);
    return (uint32_t)(all < 1 ? 1 : all < vectors ? all : vectors);
}

static void choose_sizes(MgAttn *t) {
    const MgTargetInfo *target = &t->s->options->target;
    t->lanes = mg_kb_lanes(&t->kb, t->a->type);
    int64_t rows = mg_attn_known_or(t, t->rows, INT64_MAX),
            keys = mg_attn_known_or(t, t->keys, INT64_MAX);
    t->nv = choose_width(t, rows);
    t->key_tile = choose_tile(t, t->keys, true);
    t->column_tile = choose_tile(t, t->columns, lies_flat(t, &t->value_factor, &t->v));
    t->whole_tiles = mg_attn_known_or(t, t->keys, 1) % t->key_tile == 0;
    int64_t l1 = target->l1_bytes ? target->l1_bytes : 32768;
    int64_t key = (int64_t)(t->nv * t->lanes * mg_dtype_size(t->a->type)); // bytes of its scores
    int64_t tiles = l1 / 2 / key / t->key_tile;
    tiles = tiles < 1 ? 1 : tiles;
    if (keys < INT64_MAX) { // equal blocks
        int64_t all = (keys + t->key_tile - 1) / t->key_tile;
        int64_t blocks = (all + tiles - 1) / tiles;
        blocks = blocks < 1 ? 1 : blocks;
        tiles = (all + blocks - 1) / blocks;
        tiles = tiles < 1 ? 1 : tiles;
    }
    t->key_block = tiles * t->key_tile;
    t->one_block = keys <= t->key_block;
}

// Strips of a trip, and trips of a batch. If keys and values are packed, each worker packs its own:
// a batch is one trip if there are enough batches for the workers. Short trips are not dealt out,
// since a trip that moves to another worker finds its operands in the wrong cache.
static void choose_trips(MgAttn *t) {
    enum { ENOUGH = 8 };
    const int64_t least = mg_figure(t->s, attention_trip), small = mg_figure(t->s, attention_short);
    MgIxTable *ix = t->s->ix;
    int64_t workers = t->s->p->max_workers, width = t->nv * t->lanes;
    MgIx strips = mg_attn_div_up(ix, t->rows, mg_ix_const(ix, width)), batches = mg_ix_const(ix, 1);
    MgIx of_row = mg_ix_mul(ix, t->keys, mg_ix_add(ix, t->depth, t->columns));
    int64_t work = mg_attn_known_or(t, of_row, least), rows = mg_attn_known_or(t, t->rows, width);
    t->dealt = rows > 0 && work >= (small + rows - 1) / rows;
    if (t->k.at && t->v.at) {
        work = work < 1 ? width : work < least ? work * width : least;
        t->each = mg_ix_const(ix, (least + work - 1) / work);
        t->parts = mg_attn_div_up(ix, strips, t->each);
        return;
    }
    for (uint32_t i = 0; i < t->a->n_symbols; i++)
        if (t->a->batch >> i & 1)
            batches = mg_ix_mul(ix, batches, t->a->extent[i]);
    int64_t n = mg_attn_known_or(t, batches, 0);
    bool whole = n > 0 && (n % workers == 0 || n >= ENOUGH * workers);
    t->parts = mg_ix_const(ix, whole ? 1 : workers);
    t->each = mg_attn_div_up(ix, strips, t->parts);
}

// ---------------------------------------------------------------- reads across the lanes
typedef struct Look {
    MgAttn *t;
    uint32_t step;
} Look;

// Counts a read that lies along the keys, such as a mask or a bias.
static void note_across(void *ctx, const MgSx *x) {
    Look *look = ctx;
    MgAttn *t = look->t;
    MgIxTable *ix = t->s->ix;
    MgIx address;
    if (x->kind != MG_SX_READ || x->bounds != MG_BOUNDS_PROVED || x->dtype != t->a->type ||
        t->n_across == MG_ATTN_ACROSS)
        return;
    MgValueId v = mg_op(t->s->g, t->a->steps[look->step].op)->operands[x->operand];
    if (mg_unit_def(t->unit, t->s->g, v) ||
        !mg_read_address(t->s, v, x, t->with[look->step], MG_ATTN_SYMS, &address))
        return;
    MgIxSym row = mg_ix_index(ix, MG_ATTN_ROW), key = mg_ix_index(ix, MG_ATTN_KEY);
    if (mg_ix_mentions(ix, address, row) && !mg_moves_by_one(ix, address, row) &&
        mg_moves_by_one(ix, address, key))
        t->across[t->n_across++] = (MgAttnAcross){look->step, x, NULL};
}

static void find_across(MgAttn *t) {
    for (uint32_t s = 0; s < t->a->n_steps && t->lanes > 1; s++) {
        Look look = {t, s};
        if (t->a->steps[s].role == MG_ATTENTION_SCORE)
            mg_sx_walk(mg_op(t->s->g, t->a->steps[s].op)->equation->pieces[0].expr, note_across,
                       &look);
    }
}

// ---------------------------------------------------------------- buffers
static MgAttnMatrix make_matrix(MgAttn *t, const char *name, MgIx rows, MgIx pitch) {
    MgAttnMatrix m = {.pitch = pitch};
    m.buf = mg_kb_scratch(&t->kb, name, t->a->type, mg_ix_mul(t->s->ix, rows, pitch),
                          MG_SCOPE_WORKER, &m.base);
    if (!m.base)
        m.base = mg_kint(t->kb.k, 0);
    return m;
}

static void make_buffers(MgAttn *t) {
    MgIxTable *ix = t->s->ix;
    MgIx width = mg_ix_const(ix, t->nv * t->lanes), columns = mg_attn_tiled_columns(t);
    if (!lies_flat(t, &t->key_factor, &t->k) || !t->whole_tiles)
        t->k = make_matrix(t, "keys", mg_attn_round_up(ix, t->keys, t->key_tile), t->depth);
    if (!lies_flat(t, &t->value_factor, &t->v) || columns != t->columns)
        t->v = make_matrix(t, "values", t->keys, columns);
    t->q = make_matrix(t, "strip", mg_attn_round_up(ix, t->depth, t->lanes), width);
    t->s_ = make_matrix(t, "scores", mg_ix_const(ix, t->key_block), width);
    t->o = make_matrix(t, "sums", mg_attn_sum_lines(t), width);
    if (t->n_across)
        t->turned = make_matrix(t, "turned", mg_ix_const(ix, t->n_across * t->lanes), width);
    if (t->seen)
        t->unseen = make_matrix(t, "unseen", mg_attn_unseen_lines(t), mg_ix_const(ix, 1));
    uint32_t tile = t->key_tile > t->column_tile ? t->key_tile : t->column_tile;
    MgKType vector = mg_kt(t->a->type, t->lanes);
    t->tile = mg_kb_private(&t->kb, "tile", vector, tile * t->nv);
    t->most = mg_kb_private(&t->kb, "most", vector, t->nv);
    t->peak = mg_kb_private(&t->kb, "peak", vector, t->nv);
    t->sum = mg_kb_private(&t->kb, "sum", vector, t->nv);
    if (t->tail.n_ops > 1)
        t->square = mg_kb_private(&t->kb, "square", vector, t->lanes);
}

bool mg_schedule_attention(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    MgAttn attention, *t = &attention;
    if (!mg_attention_begin(t, s, unit))
        return false;
    choose_sizes(t);
    find_across(t);
    mg_attention_find_seen(t);
    make_buffers(t);
    choose_trips(t);
    mg_attention_emit(t);
    mg_kb_end(&t->kb, plan, unit->ops[unit->n_ops - 1]);
    return true;
}
