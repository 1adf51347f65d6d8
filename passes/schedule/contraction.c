// Contractions: y[batch, m, n] = sum[k] a(batch, m, k) * b(batch, n, k), with an elementwise
// epilogue.
//
// Found by structure: a float sum of a product whose factors share the bound indices and split the
// free ones. Each class of indices (rows m, columns n, bound k) is walked as one flattened loop;
// the normal form of the addresses makes contiguous ones plain again. Factors may be any
// expressions (widening casts, reads with `else`): they are evaluated once, while packing.
//
// The algorithm is that of Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication", ACM TOMS 2008: columns of b are packed to strips of `nr` columns and `kc` deep,
// kept in L2 and L1; rows of a to panels of `mr` rows; a tile of mr x nr accumulators stays in
// registers. A panel keeps each row contiguous where a is contiguous along k, so that packing it is
// a copy. Row remainders are tile variants, column remainders masks.
#include "passes/schedule/schedule.h"

enum { SYM_M = 48, SYM_N = 49, SYM_K = 50, N_SYMS = 64, MAX_INDEX = 40 };

typedef enum Sharing {
    SHARE_BATCH,  // every worker runs whole products (or there is one worker)
    SHARE_ROWS,   // blocks of rows are shared out; packed columns are common
    SHARE_COLUMNS // strips of columns are shared out; packed rows are common
} Sharing;

typedef struct Class { // indices walked as one
    uint32_t index[MAX_INDEX], n;
    MgIx extent;   // their product
    int64_t known; // or -1
} Class;

typedef struct Gemm {
    MgSched *s;
    MgKb kb;
    const MgUnit *unit;
    const MgPiece *piece;
    const MgSx *row, *column; // factors: broadcast, vector
    Class m, n, k, batch;
    MgIx with[N_SYMS], low[N_SYMS], high[N_SYMS];
    const MgKx *loop[N_SYMS];
    MgDType type;
    uint32_t lanes, mr, nv; // tile: mr rows, nv vectors of lanes
    int64_t kc, mc;
    Sharing sharing;
    bool row_along_k;            // panels keep rows contiguous
    MgKBufId rows, columns, acc; // packed panels, packed strips, the tile
    const MgKx *rows_base, *columns_base;
} Gemm;

// ---------------------------------------------------------------- is it a contraction?
typedef struct Mentions {
    MgIxTable *t;
    uint64_t seen; // bit i: index i
    uint32_t n;
} Mentions;

static void note_indices(void *ctx, const MgSx *x) {
    Mentions *m = ctx;
    for (uint32_t i = 0; x->kind == MG_SX_IX && i < m->n; i++)
        if (mg_ix_mentions(m->t, x->ix, mg_ix_index(m->t, i)))
            m->seen |= (uint64_t)1 << i;
}

static uint64_t indices_of(MgIxTable *t, const MgSx *x, uint32_t n) {
    Mentions m = {t, 0, n};
    mg_sx_walk(x, note_indices, &m);
    return m.seen;
}

static void add_index(Gemm *g, Class *c, uint32_t i) {
    c->index[c->n++] = i;
    const MgIndex *index = &g->piece->indices[i];
    c->extent = mg_ix_mul(g->s->ix, c->extent, mg_ix_sub(g->s->ix, index->high, index->low));
}

static bool zero_based_box(MgIxTable *t, const MgPiece *p) {
    int64_t low;
    for (uint32_t i = 0; i < p->n_indices; i++)
        if (!mg_ix_is_const(t, p->indices[i].low, &low) || low ||
            mg_ix_mentions_index(t, p->indices[i].high))
            return false;
    return true;
}

// The target's row-major address over plain indices.
static MgIx address_of(Gemm *g, MgOpId op, const MgIx *with) {
    MgGraph *graph = g->s->g;
    MgValueId v = mg_op(graph, op)->results[0];
    const MgPiece *p = &mg_op(graph, op)->equation->pieces[0];
    MgIx subs[N_SYMS];
    for (uint32_t i = 0; i < mg_value(graph, v)->rank; i++)
        subs[i] = with ? mg_ix_subst_indices(g->s->ix, p->target[i].sub->ix, with, N_SYMS)
                       : p->target[i].sub->ix;
    return mg_address(g->s, v, subs, mg_value(graph, v)->rank, 0);
}

static bool unit_stride(MgIxTable *t, MgIx address, uint32_t index) {
    MgIx coefficient, rest;
    int64_t step;
    return mg_ix_linear(t, address, mg_ix_index(t, index), &coefficient, &rest) &&
           mg_ix_is_const(t, coefficient, &step) && step == 1;
}

static bool classify(Gemm *g) {
    MgIxTable *t = g->s->ix;
    const MgPiece *p = g->piece;
    uint64_t a = indices_of(t, g->row, p->n_indices), b = indices_of(t, g->column, p->n_indices);
    MgIx address = address_of(g, g->unit->ops[0], NULL);
    // Columns are what the result is contiguous along.
    for (uint32_t i = 0; i < p->n_free; i++)
        if (unit_stride(t, address, i) && (a >> i & 1) && !(b >> i & 1)) {
            const MgSx *swap = g->row;
            g->row = g->column;
            g->column = swap;
            uint64_t bits = a;
            a = b;
            b = bits;
            break;
        }
    MgIx one = mg_ix_const(t, 1);
    g->m.extent = g->n.extent = g->k.extent = g->batch.extent = one;
    for (uint32_t i = 0; i < p->n_indices; i++) {
        bool in_a = a >> i & 1, in_b = b >> i & 1;
        if (i >= p->n_free)
            add_index(g, &g->k, i);
        else if (in_a != in_b)
            add_index(g, in_a ? &g->m : &g->n, i);
        else
            add_index(g, &g->batch, i);
    }
    Class *all[] = {&g->m, &g->n, &g->k, &g->batch};
    for (int c = 0; c < 4; c++)
        if (!mg_ix_is_const(t, all[c]->extent, &all[c]->known))
            all[c]->known = -1;
    return g->m.n && g->n.n && unit_stride(t, address, g->n.index[g->n.n - 1]);
}

// Index i of a flattened class, as digits of its symbol.
static void flatten(Gemm *g, const Class *c, uint32_t sym) {
    MgIxTable *t = g->s->ix;
    MgIx stride = mg_ix_const(t, 1), whole = mg_ix_idx(t, sym);
    for (uint32_t i = c->n; i-- > 0;) {
        const MgIndex *index = &g->piece->indices[c->index[i]];
        MgIx digit = mg_ix_div(t, whole, stride);
        g->with[c->index[i]] = i ? mg_ix_mod(t, digit, index->high) : digit;
        stride = mg_ix_mul(t, stride, index->high);
    }
    g->low[sym] = mg_ix_const(t, 0);
    g->high[sym] = c->extent;
}

// The epilogue: elementwise equations over the same box that read the group's values in place.
static bool epilogue_fits(Gemm *g) {
    MgGraph *graph = g->s->g;
    MgIxTable *t = g->s->ix;
    for (uint32_t o = 0; o < g->unit->n_ops; o++) {
        const MgOp *op = mg_op(graph, g->unit->ops[o]);
        if (op->kind != MG_OP_EQUATION || op->equation->n_pieces != 1)
            return false;
        const MgPiece *p = &op->equation->pieces[0];
        if (p->n_free != g->piece->n_free || (o && p->n_indices != p->n_free) || p->scatter)
            return false;
        for (uint32_t i = 0; i < p->n_free; i++)
            if (p->indices[i].low != g->piece->indices[i].low ||
                p->indices[i].high != g->piece->indices[i].high)
                return false;
        for (uint32_t i = 0; o && i < mg_value(graph, op->results[0])->rank; i++)
            if (p->target[i].sub->kind != MG_SX_IX || p->target[i].sub->ix != mg_ix_idx(t, i))
                return false;
        if (o && mg_value(graph, op->results[0])->rank != p->n_free)
            return false;
    }
    return mg_unit_reads_in_place(g->s, g->unit, g->piece->n_free);
}

static bool find(Gemm *g) {
    const MgOp *op = mg_op(g->s->g, g->unit->ops[0]);
    if (op->kind != MG_OP_EQUATION || op->equation->n_pieces != 1)
        return false;
    const MgPiece *p = g->piece = &op->equation->pieces[0];
    const MgSx *x = p->expr;
    if (p->reducer != MG_REDUCE_SUM || p->scatter || p->n_indices > MAX_INDEX ||
        x->kind != MG_SX_PRIM || x->prim != MG_PRIM_MUL ||
        (x->dtype != MG_F32 && x->dtype != MG_F64) || !zero_based_box(g->s->ix, p))
        return false;
    g->type = x->dtype;
    g->row = x->args[0];
    g->column = x->args[1];
    return epilogue_fits(g) && classify(g);
}

// ---------------------------------------------------------------- sizes of tile and blocks
static int64_t ceil_div(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

static void choose_tile(Gemm *g) {
    const MgTargetInfo *target = &g->s->options->target;
    g->lanes = mg_kb_lanes(&g->kb, g->type);
    // Accumulators, one vector of the column factor each, and room for a broadcast.
    g->nv = g->n.known > 0 && g->n.known <= g->lanes ? 1 : 2;
    uint32_t most = (target->vector_registers - 2 - g->nv) / g->nv;
    if (most > 14)
        most = 14;
    g->mr = most;
    if (g->m.known > 0) { // the height that wastes least; at least 8 rows hide the latency of fma
        int64_t best = INT64_MAX;
        for (uint32_t r = most; r >= (most < 8 ? most : 8); r--) {
            int64_t tail = g->m.known % r,
                    cost = g->m.known / r * r + (tail ? (tail < 6 ? 6 : tail) : 0);
            if (cost < best) {
                best = cost;
                g->mr = r;
            }
        }
        if (g->m.known < g->mr)
            g->mr = (uint32_t)g->m.known;
    }
    int64_t size = (int64_t)mg_dtype_size(g->type);
    // A strip of nr columns fills two thirds of L1, a block of rows half of L2.
    int64_t l1 = target->l1_bytes ? target->l1_bytes : 32768,
            l2 = target->l2_bytes ? target->l2_bytes : 262144;
    g->kc = l1 * 2 / 3 / (g->nv * g->lanes * size) / 8 * 8;
    if (g->kc < 64)
        g->kc = 64;
    if (g->k.known > 0 && g->kc < g->k.known) // equal blocks
        g->kc = ceil_div(ceil_div(g->k.known, ceil_div(g->k.known, g->kc)), 8) * 8;
    if (g->k.known >= 0 && g->kc > g->k.known)
        g->kc = g->k.known > 0 ? g->k.known : 1;
    g->mc = l2 / 2 / (g->kc * size) / g->mr * g->mr;
    if (g->mc < g->mr)
        g->mc = g->mr;
    uint32_t workers = g->s->p->max_workers;
    if (g->m.known > 0) { // equal blocks, a whole number for every worker
        int64_t blocks = ceil_div(ceil_div(g->m.known, g->mc), workers) * workers;
        int64_t rows = ceil_div(ceil_div(g->m.known, blocks), g->mr) * g->mr;
        g->mc = rows < g->mr ? g->mr : rows;
    }
}

static void choose_sharing(Gemm *g) {
    uint32_t workers = g->s->p->max_workers;
    g->sharing = SHARE_BATCH;
    if (workers < 2 || (g->batch.known >= (int64_t)workers && g->batch.known % workers == 0) ||
        g->batch.known >= 8 * (int64_t)workers)
        return;
    g->sharing = g->m.known > 0 && g->m.known <= g->mc && g->m.known < 2 * (int64_t)g->mr * workers
                     ? SHARE_COLUMNS
                     : SHARE_ROWS;
}

// Sums in blocks of k keep their partial result in the output; is that possible?
static bool keeps_partials(Gemm *g) {
    MgGraph *graph = g->s->g;
    MgOpId last = g->unit->ops[g->unit->n_ops - 1];
    MgValueId v = mg_op(graph, last)->results[0];
    if (!mg_unit_is_output(g->unit, v) || mg_value(graph, v)->dtype != g->type)
        return false;
    return !g->kb.k->bufs.at[mg_kb_value(&g->kb, v)].reads; // not if it is also an operand's buffer
}

// ---------------------------------------------------------------- emission helpers
static const MgKx *c(Gemm *g, int64_t v) {
    return mg_kint(g->kb.k, v);
}

static const MgKx *bin(Gemm *g, MgPrim prim, const MgKx *a, const MgKx *b) {
    return mg_kprim(g->kb.k, prim, a, b, NULL);
}

static const MgKx *ceil_kx(Gemm *g, const MgKx *a, int64_t b) {
    return bin(g, MG_PRIM_FDIV, mg_kadd(g->kb.k, a, c(g, b - 1)), c(g, b));
}

static const MgKx *extent(Gemm *g, const Class *cl) {
    return mg_kb_ix(&g->kb, cl->extent, g->loop);
}

static MgPoint point(Gemm *g, MgOpId op, MgKBlock *block, int vector, const MgKx *mask) {
    return (MgPoint){.kb = &g->kb,
                     .op = op,
                     .block = block,
                     .with = g->with,
                     .n_with = N_SYMS,
                     .loop = g->loop,
                     .vector = vector,
                     .lanes = vector < 0 ? 1 : g->lanes,
                     .mask = mask,
                     .ranges = {g->low, g->high, N_SYMS}};
}

// One factor at the open point, zero where the mask is off.
static const MgKx *factor(Gemm *g, MgKBlock *block, const MgSx *x, int vector, const MgKx *mask) {
    MgPoint p = point(g, g->unit->ops[0], block, vector, mask);
    const MgKx *v = mg_ksplat(g->kb.k, mg_point_expr(&p, x), p.lanes);
    if (mask)
        v = mg_kprim(g->kb.k, MG_PRIM_WHERE, mask, v, mg_kfloat(g->kb.k, v->type, 0));
    return v;
}

// Body over [low, high) of symbol sym in whole vectors, then a masked rest; `put` stores lanes at
// offset.
typedef void PutFn(Gemm *g, MgKBlock *block, const MgKx *at, const MgKx *mask, void *ctx);
static void along(Gemm *g, MgKBlock *block, uint32_t sym, const MgKx *low, const MgKx *n,
                  PutFn *put, void *ctx) {
    MgKernel *k = g->kb.k;
    const MgKx *whole = bin(g, MG_PRIM_FDIV, n, c(g, g->lanes));
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "v", c(g, 0), mg_kmul(k, whole, c(g, g->lanes)),
                         g->lanes);
    g->loop[sym] = mg_klet_x(k, &loop->body, "i", mg_kadd(k, low, mg_kvar(k, loop->var)));
    put(g, &loop->body, mg_kvar(k, loop->var), NULL, ctx);
    if (n->kind == MG_KX_CONST && n->bits % g->lanes == 0)
        return;
    const MgKx *at = mg_klet_x(k, block, "at", mg_kmul(k, whole, c(g, g->lanes)));
    MgKs *rest = mg_kif(k, block, bin(g, MG_PRIM_LT, at, n));
    g->loop[sym] = mg_klet_x(k, &rest->body, "i", mg_kadd(k, low, at));
    const MgKx *lane = mg_kramp(k, at, c(g, 1), g->lanes);
    const MgKx *mask =
        mg_klet_x(k, &rest->body, "mask", bin(g, MG_PRIM_LT, lane, mg_ksplat(k, n, g->lanes)));
    put(g, &rest->body, at, mask, ctx);
}

// ---------------------------------------------------------------- packing
typedef struct Pack {
    const MgKx *to; // element offset of the strip or panel row
    MgKBufId buf;
} Pack;

static void put_row(Gemm *g, MgKBlock *block, const MgKx *at, const MgKx *mask, void *ctx) {
    const Pack *p = ctx;
    const MgKx *x = factor(g, block, g->row, SYM_K, mask);
    mg_kstore(g->kb.k, block, p->buf, mg_kadd(g->kb.k, p->to, at), x, mask);
}

// A panel of `mr` rows from m0, kc deep, at offset `to`: row after row, or (rows contiguous in
// memory) step after step.
static void pack_panel(Gemm *g, MgKBlock *block, const MgKx *to, const MgKx *m0, uint32_t mr,
                       const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    const MgKx *rows = extent(g, &g->m);
    bool guard = g->m.known < 0;
    if (g->row_along_k) {
        MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "r", c(g, 0), c(g, mr), 1);
        MgKBlock *body = &loop->body;
        const MgKx *r = mg_kvar(k, loop->var);
        g->loop[SYM_M] = mg_klet_x(k, body, "m", mg_kadd(k, m0, r));
        if (guard) // rows past the end repeat the last one; their results are not stored
            g->loop[SYM_M] =
                mg_klet_x(k, body, "m",
                          bin(g, MG_PRIM_MIN, g->loop[SYM_M], bin(g, MG_PRIM_SUB, rows, c(g, 1))));
        Pack p = {mg_klet_x(k, body, "to", mg_kadd(k, to, mg_kmul(k, r, c(g, g->kc)))), g->rows};
        along(g, body, SYM_K, k0, kc, put_row, &p);
        return;
    }
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "k", c(g, 0), kc, 1);
    MgKBlock *body = &loop->body;
    g->loop[SYM_K] = mg_klet_x(k, body, "kk", mg_kadd(k, k0, mg_kvar(k, loop->var)));
    g->loop[SYM_M] = m0;
    const MgKx *lane = mg_kramp(k, m0, c(g, 1), g->lanes);
    const MgKx *end = bin(g, MG_PRIM_MIN, mg_kadd(k, m0, c(g, mr)), rows);
    const MgKx *mask =
        mg_klet_x(k, body, "mask", bin(g, MG_PRIM_LT, lane, mg_ksplat(k, end, g->lanes)));
    const MgKx *at = mg_kadd(k, to, mg_kmul(k, mg_kvar(k, loop->var), c(g, g->mr)));
    mg_kstore(k, body, g->rows, at, factor(g, body, g->row, SYM_M, mask), mask);
}

// A strip of nv vectors of columns from n0, kc deep, at offset `to`: step after step.
static void pack_strip(Gemm *g, MgKBlock *block, const MgKx *to, const MgKx *n0, uint32_t nv,
                       const MgKx *k0, const MgKx *kc) {
    MgKernel *k = g->kb.k;
    const MgKx *columns = extent(g, &g->n);
    bool whole = g->n.known > 0 && g->n.known % (g->nv * g->lanes) == 0;
    const MgKx *masks[4] = {0};
    for (uint32_t v = 0; v < nv && !whole; v++) {
        const MgKx *lane = mg_kramp(k, mg_kadd(k, n0, c(g, v * g->lanes)), c(g, 1), g->lanes);
        masks[v] =
            mg_klet_x(k, block, "mask", bin(g, MG_PRIM_LT, lane, mg_ksplat(k, columns, g->lanes)));
    }
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "k", c(g, 0), kc, 1);
    MgKBlock *body = &loop->body;
    g->loop[SYM_K] = mg_klet_x(k, body, "kk", mg_kadd(k, k0, mg_kvar(k, loop->var)));
    for (uint32_t v = 0; v < nv; v++) {
        g->loop[SYM_N] = mg_klet_x(k, body, "n", mg_kadd(k, n0, c(g, v * g->lanes)));
        const MgKx *at = mg_kadd(k, mg_kmul(k, mg_kvar(k, loop->var), c(g, g->nv * g->lanes)),
                                 mg_kadd(k, to, c(g, v * g->lanes)));
        mg_kstore(k, body, g->columns, at, factor(g, body, g->column, SYM_N, masks[v]), NULL);
    }
}

// ---------------------------------------------------------------- the tile
typedef struct Tile {
    const MgKx *m0, *n0, *kc;  // first row and column, depth of this block
    const MgKx *panel, *strip; // element offsets
    const MgKx *first, *last;  // is this the first, the last block of k? NULL: yes
    uint32_t mr, nv;
} Tile;

static const MgKx *tile_at(Gemm *g, const Tile *t, uint32_t r, uint32_t v) {
    return mg_kload(g->kb.k, g->acc, c(g, r * t->nv + v), g->lanes, NULL, NULL);
}

static void multiply(Gemm *g, MgKBlock *block, const Tile *t) {
    MgKernel *k = g->kb.k;
    const MgKx *zero = mg_kfloat(k, mg_kt(g->type, g->lanes), 0);
    for (uint32_t i = 0; i < t->mr * t->nv; i++)
        mg_kstore(k, block, g->acc, c(g, i), zero, NULL);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "k", c(g, 0), t->kc, 1);
    MgKBlock *body = &loop->body;
    const MgKx *kk = mg_kvar(k, loop->var), *b[4];
    const MgKx *strip =
        mg_klet_x(k, body, "strip", mg_kadd(k, t->strip, mg_kmul(k, kk, c(g, g->nv * g->lanes))));
    for (uint32_t v = 0; v < t->nv; v++)
        b[v] = mg_klet_x(
            k, body, "b",
            mg_kload(k, g->columns, mg_kadd(k, strip, c(g, v * g->lanes)), g->lanes, NULL, NULL));
    const MgKx *panel = mg_klet_x(
        k, body, "panel", mg_kadd(k, t->panel, g->row_along_k ? kk : mg_kmul(k, kk, c(g, g->mr))));
    for (uint32_t r = 0; r < t->mr; r++) {
        const MgKx *at = mg_kadd(k, panel, c(g, r * (g->row_along_k ? g->kc : 1)));
        const MgKx *a = mg_klet_x(k, body, "a",
                                  mg_ksplat(k, mg_kload(k, g->rows, at, 1, NULL, NULL), g->lanes));
        for (uint32_t v = 0; v < t->nv; v++) {
            const MgKx *acc = tile_at(g, t, r, v);
            const MgKx *next = g->s->options->strict ? mg_kadd(k, acc, mg_kmul(k, a, b[v]))
                                                     : mg_kprim(k, MG_PRIM_FMA, a, b[v], acc);
            mg_kstore(k, body, g->acc, c(g, r * t->nv + v), next, NULL);
        }
    }
}

// For every row and vector of the tile: block, with the point's symbols and mask set.
typedef void CellFn(Gemm *g, MgKBlock *block, const Tile *t, uint32_t r, uint32_t v,
                    const MgKx *mask);
static void each_cell(Gemm *g, MgKBlock *block, const Tile *t, CellFn *cell) {
    MgKernel *k = g->kb.k;
    bool whole = g->n.known > 0 && g->n.known % (t->nv * g->lanes) == 0 && t->nv == g->nv;
    const MgKx *masks[4] = {0}, *columns[4];
    for (uint32_t v = 0; v < t->nv; v++) {
        columns[v] = mg_klet_x(k, block, "n", mg_kadd(k, t->n0, c(g, v * g->lanes)));
        const MgKx *lane = mg_kramp(k, columns[v], c(g, 1), g->lanes);
        if (!whole)
            masks[v] =
                mg_klet_x(k, block, "mask",
                          bin(g, MG_PRIM_LT, lane, mg_ksplat(k, extent(g, &g->n), g->lanes)));
    }
    for (uint32_t r = 0; r < t->mr; r++) {
        MgKBlock *row = block;
        const MgKx *m = mg_klet_x(k, block, "m", mg_kadd(k, t->m0, c(g, r)));
        if (g->m.known < 0)
            row = &mg_kif(k, block, bin(g, MG_PRIM_LT, m, extent(g, &g->m)))->body;
        for (uint32_t v = 0; v < t->nv; v++) {
            g->loop[SYM_M] = m;
            g->loop[SYM_N] = columns[v];
            cell(g, row, t, r, v, masks[v]);
        }
    }
}

static MgOpId last_op(Gemm *g) {
    return g->unit->ops[g->unit->n_ops - 1];
}

static void add_partial(Gemm *g, MgKBlock *block, const Tile *t, uint32_t r, uint32_t v,
                        const MgKx *mask) {
    MgPoint p = point(g, last_op(g), block, SYM_N, mask);
    MgKBufId buf = mg_kb_value(&g->kb, mg_op(g->s->g, last_op(g))->results[0]);
    const MgKx *old =
        mg_point_load(&p, buf, g->type, address_of(g, last_op(g), g->with), NULL, NULL);
    mg_kstore(g->kb.k, block, g->acc, c(g, r * t->nv + v),
              mg_kadd(g->kb.k, tile_at(g, t, r, v), old), NULL);
}

static void store_partial(Gemm *g, MgKBlock *block, const Tile *t, uint32_t r, uint32_t v,
                          const MgKx *mask) {
    MgPoint p = point(g, last_op(g), block, SYM_N, mask);
    MgKBufId buf = mg_kb_value(&g->kb, mg_op(g->s->g, last_op(g))->results[0]);
    mg_point_store(&p, buf, g->type, address_of(g, last_op(g), g->with), tile_at(g, t, r, v));
}

// The finished sum goes through the epilogue; what leaves the unit is stored.
static void finish(Gemm *g, MgKBlock *block, const Tile *t, uint32_t r, uint32_t v,
                   const MgKx *mask) {
    MgGraph *graph = g->s->g;
    MgKernel *k = g->kb.k;
    uint32_t locals = g->kb.sources.len;
    for (uint32_t o = 0; o < g->unit->n_ops; o++) {
        const MgOp *op = mg_op(graph, g->unit->ops[o]);
        MgValueId result = op->results[0];
        MgDType storage = mg_value(graph, result)->dtype;
        MgPoint p = point(g, g->unit->ops[o], block, SYM_N, mask);
        const MgKx *x = o ? mg_point_expr(&p, op->equation->pieces[0].expr) : tile_at(g, t, r, v);
        x = mg_klet_x(k, block, "x", mg_ksplat(k, x, g->lanes));
        if (mg_unit_is_output(g->unit, result))
            mg_point_store(&p, mg_kb_value(&g->kb, result), storage,
                           address_of(g, g->unit->ops[o], g->with), x);
        if (x->type.dtype != storage) // readers see the declared type
            x = mg_klet_x(
                k, block, "x",
                mg_kcast(k, MG_PRIM_CAST, x->type.dtype, mg_kcast(k, MG_PRIM_CAST, storage, x)));
        mg_kb_define(&g->kb, (MgLocal){.value = result, .reg = x});
    }
    mg_kb_forget(&g->kb, locals);
}

static void emit_tile(Gemm *g, MgKBlock *block, const Tile *t) {
    MgKernel *k = g->kb.k;
    multiply(g, block, t);
    if (t->first)
        each_cell(g, &mg_kif(k, block, mg_kprim(k, MG_PRIM_NOT, t->first, NULL, NULL))->body, t,
                  add_partial);
    if (!t->last) {
        each_cell(g, block, t, finish);
        return;
    }
    MgKs *end = mg_kif(k, block, t->last);
    each_cell(g, &end->body, t, finish);
    each_cell(g, &end->orelse, t, store_partial);
}

// ---------------------------------------------------------------- the loops around it
typedef struct Level { // one block of k
    const MgKx *k0, *kc, *first, *last;
} Level;

// All row panels of [m0, m0 + rows) against one strip.
static void emit_panels(Gemm *g, MgKBlock *block, const Level *l, const MgKx *m0, const MgKx *rows,
                        const MgKx *panels_at, const MgKx *n0, const MgKx *strip, uint32_t nv) {
    MgKernel *k = g->kb.k;
    int64_t tail = g->m.known > 0 ? g->m.known % g->mr : 0;
    const MgKx *n =
        g->m.known > 0 ? bin(g, MG_PRIM_FDIV, rows, c(g, g->mr)) : ceil_kx(g, rows, g->mr);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "panel", c(g, 0), n, 1);
    const MgKx *i = mg_kvar(k, loop->var);
    Tile t = {.kc = l->kc,
              .n0 = n0,
              .strip = strip,
              .first = l->first,
              .last = l->last,
              .mr = g->mr,
              .nv = nv};
    t.m0 = mg_klet_x(k, &loop->body, "m0", mg_kadd(k, m0, mg_kmul(k, i, c(g, g->mr))));
    t.panel =
        mg_klet_x(k, &loop->body, "at", mg_kadd(k, panels_at, mg_kmul(k, i, c(g, g->mr * g->kc))));
    emit_tile(g, &loop->body, &t);
    if (!tail)
        return;
    const MgKx *done = mg_klet_x(k, block, "done", mg_kmul(k, n, c(g, g->mr)));
    MgKs *rest = mg_kif(k, block, bin(g, MG_PRIM_LT, done, rows));
    t.mr = (uint32_t)tail;
    t.m0 = mg_klet_x(k, &rest->body, "m0", mg_kadd(k, m0, done));
    t.panel =
        mg_klet_x(k, &rest->body, "at", mg_kadd(k, panels_at, mg_kmul(k, n, c(g, g->mr * g->kc))));
    emit_tile(g, &rest->body, &t);
}

static void pack_panels(Gemm *g, MgKBlock *block, const Level *l, MgLoopKind kind, const MgKx *m0,
                        const MgKx *rows) {
    MgKernel *k = g->kb.k;
    int64_t tail = g->m.known > 0 ? g->m.known % g->mr : 0;
    const MgKx *n =
        g->m.known > 0 ? bin(g, MG_PRIM_FDIV, rows, c(g, g->mr)) : ceil_kx(g, rows, g->mr);
    MgKs *loop = mg_kfor(k, block, kind, "panel", c(g, 0), n, 1);
    const MgKx *i = mg_kvar(k, loop->var);
    const MgKx *to = mg_klet_x(k, &loop->body, "to",
                               mg_kadd(k, g->rows_base, mg_kmul(k, i, c(g, g->mr * g->kc))));
    const MgKx *at = mg_klet_x(k, &loop->body, "m0", mg_kadd(k, m0, mg_kmul(k, i, c(g, g->mr))));
    pack_panel(g, &loop->body, to, at, g->mr, l->k0, l->kc);
    if (!tail)
        return;
    const MgKx *done = mg_klet_x(k, block, "done", mg_kmul(k, n, c(g, g->mr)));
    MgKBlock *rest = &mg_kif(k, block, bin(g, MG_PRIM_LT, done, rows))->body;
    if (kind == MG_LOOP_PARALLEL)
        rest = &mg_kif(k, rest, bin(g, MG_PRIM_EQ, mg_kspecial(k, MG_KX_WORKER), c(g, 0)))->body;
    to = mg_klet_x(k, rest, "to", mg_kadd(k, g->rows_base, mg_kmul(k, n, c(g, g->mr * g->kc))));
    pack_panel(g, rest, to, mg_klet_x(k, rest, "m0", mg_kadd(k, m0, done)), (uint32_t)tail, l->k0,
               l->kc);
}

// body(strip number, first column, vectors) for every strip; the last may be narrower.
typedef void StripFn(Gemm *g, MgKBlock *block, const Level *l, const MgKx *number, const MgKx *n0,
                     uint32_t nv, void *ctx);
static void each_strip(Gemm *g, MgKBlock *block, const Level *l, MgLoopKind kind, StripFn *body,
                       void *ctx) {
    MgKernel *k = g->kb.k;
    int64_t width = g->nv * g->lanes;
    int64_t rest = g->n.known > 0 ? g->n.known % width : 0;
    bool narrow = rest && ceil_div(rest, g->lanes) < g->nv; // the last strip has fewer vectors
    const MgKx *n = narrow ? c(g, g->n.known / width) : ceil_kx(g, extent(g, &g->n), width);
    MgKs *loop = mg_kfor(k, block, kind, "strip", c(g, 0), n, 1);
    const MgKx *i = mg_kvar(k, loop->var);
    body(g, &loop->body, l, i, mg_klet_x(k, &loop->body, "n0", mg_kmul(k, i, c(g, width))), g->nv,
         ctx);
    if (!narrow)
        return;
    if (kind == MG_LOOP_PARALLEL) { // the last worker has the fewest whole strips
        const MgKx *last = bin(g, MG_PRIM_SUB, mg_kspecial(k, MG_KX_WORKERS), c(g, 1));
        block = &mg_kif(k, block, bin(g, MG_PRIM_EQ, mg_kspecial(k, MG_KX_WORKER), last))->body;
    }
    body(g, block, l, n, c(g, g->n.known / width * width), (uint32_t)ceil_div(rest, g->lanes), ctx);
}

static const MgKx *strip_offset(Gemm *g, const MgKx *number) {
    return mg_kadd(g->kb.k, g->columns_base,
                   mg_kmul(g->kb.k, number, c(g, g->nv * g->lanes * g->kc)));
}

static void pack_one_strip(Gemm *g, MgKBlock *block, const Level *l, const MgKx *number,
                           const MgKx *n0, uint32_t nv, void *ctx) {
    (void)ctx;
    pack_strip(g, block, mg_klet_x(g->kb.k, block, "to", strip_offset(g, number)), n0, nv, l->k0,
               l->kc);
}

typedef struct RowBlock {
    const MgKx *m0, *rows;
} RowBlock;

static void multiply_strip(Gemm *g, MgKBlock *block, const Level *l, const MgKx *number,
                           const MgKx *n0, uint32_t nv, void *ctx) {
    const RowBlock *rb = ctx;
    const MgKx *strip = mg_klet_x(g->kb.k, block, "strip_at", strip_offset(g, number));
    emit_panels(g, block, l, rb->m0, rb->rows, g->rows_base, n0, strip, nv);
}

static void own_strip(Gemm *g, MgKBlock *block, const Level *l, const MgKx *number, const MgKx *n0,
                      uint32_t nv, void *ctx) {
    (void)number;
    pack_one_strip(g, block, l, c(g, 0), n0, nv, NULL);
    multiply_strip(g, block, l, c(g, 0), n0, nv, ctx);
}

static void emit_level(Gemm *g, MgKBlock *block, const Level *l) {
    MgKernel *k = g->kb.k;
    const MgKx *rows = extent(g, &g->m);
    if (g->sharing == SHARE_COLUMNS) {
        RowBlock all = {c(g, 0), rows};
        pack_panels(g, block, l, MG_LOOP_PARALLEL, all.m0, rows);
        mg_kbarrier(k, block, MG_BARRIER_GRID);
        each_strip(g, block, l, MG_LOOP_PARALLEL, own_strip, &all);
        mg_kbarrier(k, block, MG_BARRIER_GRID);
        return;
    }
    bool shared = g->sharing == SHARE_ROWS;
    MgLoopKind kind = shared ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL;
    each_strip(g, block, l, kind, pack_one_strip, NULL);
    if (shared)
        mg_kbarrier(k, block, MG_BARRIER_GRID);
    MgKs *blocks = mg_kfor(k, block, kind, "block", c(g, 0), ceil_kx(g, rows, g->mc), 1);
    RowBlock rb;
    rb.m0 =
        mg_klet_x(k, &blocks->body, "block_m", mg_kmul(k, mg_kvar(k, blocks->var), c(g, g->mc)));
    rb.rows = mg_klet_x(k, &blocks->body, "rows",
                        bin(g, MG_PRIM_MIN, c(g, g->mc), bin(g, MG_PRIM_SUB, rows, rb.m0)));
    pack_panels(g, &blocks->body, l, MG_LOOP_SERIAL, rb.m0, rb.rows);
    each_strip(g, &blocks->body, l, MG_LOOP_SERIAL, multiply_strip, &rb);
    if (shared)
        mg_kbarrier(k, block, MG_BARRIER_GRID);
}

static void emit_product(Gemm *g, MgKBlock *block) {
    MgKernel *k = g->kb.k;
    if (g->k.known >= 0 && g->k.known <= g->kc) {
        Level all = {c(g, 0), c(g, g->k.known), NULL, NULL};
        emit_level(g, block, &all);
        return;
    }
    const MgKx *depth = extent(g, &g->k);
    // An empty sum still writes zeros: there is always one block.
    const MgKx *n = bin(g, MG_PRIM_MAX, ceil_kx(g, depth, g->kc), c(g, 1));
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "depth", c(g, 0), n, 1);
    const MgKx *i = mg_kvar(k, loop->var);
    Level l;
    l.k0 = mg_klet_x(k, &loop->body, "k0", mg_kmul(k, i, c(g, g->kc)));
    l.kc = mg_klet_x(k, &loop->body, "kc",
                     bin(g, MG_PRIM_MIN, c(g, g->kc), bin(g, MG_PRIM_SUB, depth, l.k0)));
    l.first = mg_klet_x(k, &loop->body, "first", bin(g, MG_PRIM_EQ, i, c(g, 0)));
    l.last =
        mg_klet_x(k, &loop->body, "last", bin(g, MG_PRIM_EQ, i, bin(g, MG_PRIM_SUB, n, c(g, 1))));
    emit_level(g, &loop->body, &l);
}

static MgKBlock *open_batch(Gemm *g, MgKBlock *block) {
    MgKernel *k = g->kb.k;
    bool parallel = g->sharing == SHARE_BATCH && g->s->p->max_workers > 1;
    if (!g->batch.n) {
        if (!parallel)
            return block;
        return &mg_kif(k, block, bin(g, MG_PRIM_EQ, mg_kspecial(k, MG_KX_WORKER), c(g, 0)))->body;
    }
    MgKs *loop = mg_kfor(k, block, parallel ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL, "batch", c(g, 0),
                         extent(g, &g->batch), 1);
    block = &loop->body;
    const MgKx *left = mg_kvar(k, loop->var);
    for (uint32_t i = g->batch.n; i-- > 0;) {
        const MgKx *size = mg_kb_ix(&g->kb, g->piece->indices[g->batch.index[i]].high, g->loop);
        g->loop[g->batch.index[i]] =
            mg_klet_x(k, block, "i", i ? bin(g, MG_PRIM_FMOD, left, size) : left);
        if (i)
            left = mg_klet_x(k, block, "left", bin(g, MG_PRIM_FDIV, left, size));
    }
    return block;
}

// Is the row factor contiguous along k (or no more along m than along k)?
static void watch_stride(void *ctx, const MgSx *x) {
    Gemm *g = ctx;
    if (x->kind != MG_SX_READ)
        return;
    MgIx subs[N_SYMS];
    for (uint32_t i = 0; i < x->n_args; i++) {
        if (x->args[i]->kind != MG_SX_IX)
            return;
        subs[i] = mg_ix_subst_indices(g->s->ix, x->args[i]->ix, g->with, N_SYMS);
    }
    MgValueId v = mg_op(g->s->g, g->unit->ops[0])->operands[x->operand];
    MgIx address = mg_address(g->s, v, subs, x->n_args, 0);
    if (unit_stride(g->s->ix, address, SYM_M) && !unit_stride(g->s->ix, address, SYM_K))
        g->row_along_k = false;
}

static void make_buffers(Gemm *g) {
    MgIxTable *t = g->s->ix;
    MgScope common = g->s->p->max_workers > 1 ? MG_SCOPE_CALL : MG_SCOPE_WORKER;
    int64_t width = g->nv * g->lanes;
    MgIx strips =
        mg_ix_div(t, mg_ix_add(t, g->n.extent, mg_ix_const(t, width - 1)), mg_ix_const(t, width));
    MgIx panels = mg_ix_const(t, ceil_div(g->mc, g->mr));
    if (g->sharing == SHARE_COLUMNS) {
        strips = mg_ix_const(t, 1);
        panels = mg_ix_const(t, ceil_div(g->m.known, g->mr));
    }
    // A panel stored step by step is written in whole vectors: room for the last one's overhang.
    MgIx rows =
        mg_ix_add(t, mg_ix_mul(t, panels, mg_ix_const(t, g->mr * g->kc)), mg_ix_const(t, g->lanes));
    MgIx columns = mg_ix_mul(t, strips, mg_ix_const(t, width * g->kc));
    g->rows = mg_kb_scratch(&g->kb, "rows", g->type, rows,
                            g->sharing == SHARE_COLUMNS ? common : MG_SCOPE_WORKER, &g->rows_base);
    g->columns =
        mg_kb_scratch(&g->kb, "columns", g->type, columns,
                      g->sharing == SHARE_ROWS ? common : MG_SCOPE_WORKER, &g->columns_base);
    if (!g->rows_base)
        g->rows_base = c(g, 0);
    if (!g->columns_base)
        g->columns_base = c(g, 0);
    g->acc = mg_kb_private(&g->kb, "tile", mg_kt(g->type, g->lanes), g->mr * g->nv);
}

// Below this many multiplications packing costs more than it saves.
static bool large_enough(Gemm *g) {
    if (g->m.known < 0 || g->n.known < 0 || g->k.known < 0)
        return true;
    return g->m.known >= 4 && g->n.known >= 8 && g->m.known * g->n.known * g->k.known >= 4096;
}

bool mg_schedule_contraction(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    if (s->options->level < 1)
        return false;
    Gemm *g = MG_NEW(s->arena, Gemm);
    *g = (Gemm){.s = s, .unit = unit, .row_along_k = true};
    if (!find(g) || !large_enough(g))
        return false;
    mg_kb_begin(&g->kb, s, unit, "contraction");
    for (uint32_t i = 0; i < N_SYMS; i++) {
        bool used = i < g->piece->n_indices;
        g->with[i] = mg_ix_idx(s->ix, i);
        g->low[i] = mg_ix_const(s->ix, 0);
        g->high[i] = used ? g->piece->indices[i].high : mg_ix_const(s->ix, 0);
        g->loop[i] = mg_kint(g->kb.k, 0);
    }
    flatten(g, &g->m, SYM_M);
    flatten(g, &g->n, SYM_N);
    flatten(g, &g->k, SYM_K);
    choose_tile(g);
    if (!keeps_partials(g)) { // the whole depth at once, if that is known and not too deep
        if (g->k.known < 0 || g->k.known > 4096)
            return false;
        g->kc = g->k.known > 0 ? g->k.known : 1;
    }
    choose_sharing(g);
    mg_sx_walk(g->row, watch_stride, g);
    make_buffers(g);
    emit_product(g, open_batch(g, &g->kb.k->body));
    mg_kb_end(&g->kb, plan, unit->ops[0]);
    return true;
}
