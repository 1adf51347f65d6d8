// Attention for workers: what is known of a unit, and the choice of its plan. passes/attention.h
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
    int64_t sums = r * t->plan.nv, least = t->plan.nv < 2 ? 6 : 12; // these hide the latency of fma
    return (n + r - 1) / r * (2 * (sums < least ? least : sums) + 3);
}

// ---------------------------------------------------------------- operands
bool mg_attention_lies(MgAttn *t, const MgAttnFactor *f, MgIx tiled, uint32_t tile,
                       MgAttnMatrix *m) {
    MgIxTable *ix = t->s->ix;
    MgIx step, rest;
    if (f->x->kind != MG_SX_READ || f->x->bounds != MG_BOUNDS_PROVED ||
        mg_attn_known_or(t, tiled, 1) % tile)
        return false;
    MgValueId v = mg_op(t->s->g, t->a->steps[f->step].op)->operands[f->x->operand];
    if (mg_value(t->s->g, v)->dtype != t->a->type)
        return false;
    *m = (MgAttnMatrix){0};
    if (!mg_read_address(t->s, v, f->x, t->at.with[f->step], MG_ATTN_SYMS, &m->at))
        return false;
    MgIxSym row = mg_ix_index(ix, f->sym), along = mg_ix_index(ix, f->along);
    return mg_moves_by_one(ix, m->at, along) && mg_ix_linear(ix, m->at, along, &step, &rest) &&
           mg_ix_linear(ix, rest, row, &m->pitch, &m->at) && !mg_ix_mentions(ix, m->pitch, row) &&
           !mg_ix_mentions(ix, m->pitch, along);
}

// Is a factor that lies right dense, or nearly so? Then tiles read it in place: it takes few pages,
// and its rows don't share sets of the cache.
static bool lies_dense(MgAttn *t, const MgAttnFactor *f, MgIx tiled, uint32_t tile) {
    MgAttnMatrix m;
    int64_t pitch;
    return mg_attention_lies(t, f, tiled, tile, &m) && mg_ix_is_const(t->s->ix, m.pitch, &pitch) &&
           pitch > 0 && pitch <= 2 * mg_attn_known_or(t, f->n, 0);
}

bool mg_attention_whole_tiles(MgAttn *t) {
    return mg_attn_known_or(t, t->size.keys, 1) % t->plan.key_tile == 0;
}

// ---------------------------------------------------------------- the plan
// Chooses the rows of a register tile for n rows. The last tile may be padded with unused rows;
// with `whole`, no tile is padded if that is possible.
static uint32_t choose_tile(MgAttn *t, MgIx extent, bool whole) {
    int64_t n = mg_attn_known_or(t, extent, 0), best = 0, divides = 0;
    int64_t most = (t->s->options->target.vector_registers - 2 - t->plan.nv) / t->plan.nv;
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
    MgAttnPlan *p = &t->plan;
    int64_t rows = mg_attn_known_or(t, t->size.rows, INT64_MAX),
            keys = mg_attn_known_or(t, t->size.keys, INT64_MAX);
    p->lanes = t->lanes = mg_kb_lanes(&t->kb, t->a->type);
    p->nv = choose_width(t, rows);
    p->key_tile = choose_tile(t, t->size.keys, true);
    p->column_tile =
        choose_tile(t, t->size.columns, lies_dense(t, &t->value_factor, t->size.columns, 1));
    int64_t l1 = target->l1_bytes ? target->l1_bytes : 32768;
    int64_t key = (int64_t)(p->nv * p->lanes * mg_dtype_size(t->a->type)); // bytes of its scores
    int64_t tiles = l1 / 2 / key / p->key_tile;
    tiles = tiles < 1 ? 1 : tiles;
    if (keys < INT64_MAX) { // equal blocks
        int64_t all = (keys + p->key_tile - 1) / p->key_tile;
        int64_t blocks = (all + tiles - 1) / tiles;
        blocks = blocks < 1 ? 1 : blocks;
        tiles = (all + blocks - 1) / blocks;
        tiles = tiles < 1 ? 1 : tiles;
    }
    p->key_block = tiles * p->key_tile;
    p->keys_lie = lies_dense(t, &t->products[0].k, t->size.keys, p->key_tile);
    p->values_lie = lies_dense(t, &t->value_factor, t->size.columns, p->column_tile);
}

// If keys and values are packed, each worker packs its own: a batch is one trip if there are enough
// batches for the workers. Short trips are not dealt out, since a trip that moves to another worker
// finds its operands in the wrong cache.
static void choose_trips(MgAttn *t) {
    enum { ENOUGH = 8 };
    MgAttnPlan *p = &t->plan;
    const int64_t least = mg_figure(t->s, attention_trip), small = mg_figure(t->s, attention_short);
    MgIxTable *ix = t->s->ix;
    int64_t workers = t->s->workers, width = p->nv * p->lanes;
    MgIx of_row = mg_ix_mul(ix, t->size.keys, mg_ix_add(ix, t->size.depth, t->size.columns));
    int64_t work = mg_attn_known_or(t, of_row, least),
            rows = mg_attn_known_or(t, t->size.rows, width);
    p->dealt = rows > 0 && work >= (small + rows - 1) / rows;
    if (p->keys_lie && p->values_lie) {
        work = work < 1 ? width : work < least ? work * width : least;
        p->trip = (least + work - 1) / work;
        return;
    }
    int64_t n = mg_attn_known_or(t, t->size.batches, 0);
    p->part = n <= 0 || (n % workers && n < ENOUGH * workers);
}

typedef struct Work {
    MgAttn *t;
    const MgOp *op;
    int64_t n;
} Work;

static void count_work(void *ctx, const MgSx *x) {
    enum { INDEX = 4 }; // the cost of a position in a score, or in another operand's address
    Work *w = ctx;
    w->n += x->kind == MG_SX_PRIM ? 1 : x->kind == MG_SX_IX ? INDEX : 0;
    if (x->kind == MG_SX_READ) { // its subscripts have been counted
        bool own = mg_unit_def(w->t->unit, w->t->s->g, w->op->operands[x->operand]);
        w->n -= INDEX * ((int64_t)x->n_args - !own);
    }
}

// Do the steps from sums to scores take so little code that it is best written out for each score,
// in registers?
static bool finish_in_tile(MgAttn *t) {
    enum { LITTLE = 2 };
    Work work = {.t = t};
    for (uint32_t s = 0; s < t->a->n_steps; s++) {
        work.op = mg_op(t->s->g, t->a->steps[s].op);
        if (t->a->steps[s].role == MG_ATTENTION_SCORE)
            mg_sx_walk(work.op->equation->pieces[0].expr, count_work, &work);
    }
    return mg_attention_whole_tiles(t) && work.n <= LITTLE;
}

static bool choose(void *found) {
    MgAttn *t = found;
    MgAttnPlan *p = &t->plan;
    MgIx target =
        mg_unit_target(t->s, t->a->steps[t->a->values].op, t->at.with[t->a->values], MG_ATTN_SYMS);
    choose_sizes(t);
    choose_trips(t);
    p->in_tile = finish_in_tile(t);
    p->turn_rows =
        mg_attention_straight(t, t->a->products[0].step, t->a->products[0].q, MG_ATTN_DEPTH);
    p->turn_sums = mg_moves_by_one(t->s->ix, target, mg_ix_index(t->s->ix, MG_ATTN_COLUMN));
    p->turn_across = t->across.n && p->lanes > 1 && !p->in_tile;
    p->skips = t->seen.keys && mg_attn_known_or(t, t->size.keys, INT64_MAX) > p->key_block;
    return true;
}

// ---------------------------------------------------------------- reads across the lanes
// Finds reads of a step that lie along the keys, such as a mask or a bias.
static void note_across(MgAttn *t, uint32_t step) {
    MgOpId op = t->a->steps[step].op;
    MgAccesses all = mg_accesses(t->s, op, mg_op(t->s->g, op)->equation->pieces[0].expr,
                                 t->at.with[step], MG_ATTN_SYMS);
    for (uint32_t i = 0; i < all.n && t->across.n < MG_ATTN_ACROSS; i++) {
        const MgAccess *a = &all.at[i];
        if (a->read->bounds == MG_BOUNDS_PROVED && a->read->dtype == t->a->type && a->known &&
            !mg_unit_def(t->unit, t->s->g, a->value) &&
            mg_moves(t->s, a, MG_ATTN_ROW) == MG_JUMPS &&
            mg_moves(t->s, a, MG_ATTN_KEY) == MG_STEPS)
            t->across.at[t->across.n++] = (MgAttnAcross){step, a->read, NULL};
    }
}

static void find_across(MgAttn *t) {
    for (uint32_t s = 0; s < t->a->n_steps; s++)
        if (t->a->steps[s].role == MG_ATTENTION_SCORE)
            note_across(t, s);
}

// ---------------------------------------------------------------- the form
static void *find(MgSched *s, const MgUnit *unit) {
    MgAttn *t = MG_NEW(s->arena, MgAttn);
    if (!mg_attention_of_unit(t, s, unit) || !t->a->softmax ||
        !t->a->rows) // rows lie along the lanes
        return NULL;
    find_across(t);
    mg_attention_find_seen(t);
    return t;
}

// What follows from the plan.
static void derive(MgAttn *t) {
    const MgAttnPlan *p = &t->plan;
    MgIxTable *ix = t->s->ix;
    t->lanes = p->lanes;
    t->width = (int64_t)p->nv * p->lanes;
    t->one_block = mg_attn_known_or(t, t->size.keys, INT64_MAX) <= p->key_block;
    t->seen.keys = p->skips ? t->seen.keys : 0;
    MgIx strips = mg_ix_ceil_div(ix, t->size.rows, mg_ix_const(ix, t->width));
    if (p->trip) {
        t->trips.strips = mg_ix_const(ix, p->trip);
        t->trips.n = mg_ix_ceil_div(ix, strips, t->trips.strips);
    } else {
        t->trips.n = mg_ix_const(ix, p->part ? t->s->workers : 1);
        t->trips.strips = mg_ix_ceil_div(ix, strips, t->trips.n);
    }
}

static void make(void *found) {
    MgAttn *t = found;
    derive(t);
    mg_attention_begin(t);
    mg_attention_emit(t);
}

const MgForm mg_form_attention = {.nests = MG_NEST_ATTENTION,
                                  .level = 2,
                                  .what = "attention",
                                  .find = find,
                                  .choose = choose,
                                  .read = mg_attention_read_workers,
                                  .nest = mg_attention_workers_nest,
                                  .make = make};
