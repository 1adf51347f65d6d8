// The loops and the register tile of a contraction; the algorithm is named in contraction.c.
#include "passes/schedule/contraction.h"

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

// ---------------------------------------------------------------- the tile
typedef struct Tile {
    const MgKx *m0, *n0, *kc;  // first row and column, depth of this block
    const MgKx *panel, *strip; // element offsets
    const MgKx *first, *last;  // is this the first, the last block of k? NULL: yes
    const MgKx *k0;            // first step of this block
    uint32_t mr, nv;
} Tile;

static const MgKx *tile_vector(Gemm *g, uint32_t number) {
    return mg_kload(g->kb.k, g->acc, c(g, number), g->lanes, NULL, NULL);
}

// Whole strips of the columns, and whether a narrower one follows.
static bool last_is_narrow(Gemm *g) {
    int64_t width = g->nv * g->lanes, rest = g->n.known > 0 ? g->n.known % width : 0;
    return rest && ceil_div(rest, g->lanes) < g->nv;
}

// Lanes of each vector that are columns; NULL: all.
static void column_masks(Gemm *g, MgKBlock *block, const Tile *t, const MgKx **masks) {
    MgKernel *k = g->kb.k;
    bool whole = t->nv == g->nv && (last_is_narrow(g) || g->n.known % (t->nv * g->lanes) == 0);
    for (uint32_t v = 0; v < t->nv; v++) {
        masks[v] = NULL;
        if (whole)
            continue;
        const MgKx *lane = mg_kramp(k, mg_kadd(k, t->n0, c(g, v * g->lanes)), c(g, 1), g->lanes);
        const MgKx *columns = mg_ksplat(k, mg_gemm_extent(g, &g->n), g->lanes);
        masks[v] = mg_klet_x(k, block, "mask", bin(g, MG_PRIM_LT, lane, columns));
    }
}

// The column factor's vectors at the open step.
// Whether a strip comes from L2: it is too large to stay in L1 beside a panel.
static bool strips_stream(const Gemm *g) {
    int64_t l1 = g->s->options->target.l1_bytes, size = (int64_t)mg_dtype_size(g->type);
    return g->kc * g->nv * g->lanes * size > (l1 ? l1 : 32768) / 2;
}

static void load_columns(Gemm *g, MgKBlock *body, const Tile *t, const MgKx *kk,
                         const MgKx *const *masks, const MgKx **b) {
    MgKernel *k = g->kb.k;
    const MgKx *at = mg_kadd(k, t->strip, mg_kmul(k, kk, c(g, g->nv * g->lanes)));
    at = g->columns_in_place ? NULL : mg_klet_x(k, body, "strip", at);
    for (uint32_t v = 0; v < t->nv; v++) {
        g->loop[SYM_N] = mg_kadd(k, t->n0, c(g, v * g->lanes));
        const MgKx *x =
            at ? mg_kload(k, g->columns, mg_kadd(k, at, c(g, v * g->lanes)), g->lanes, NULL, NULL)
               : mg_gemm_factor(g, body, g->column, SYM_N, masks[v]);
        b[v] = mg_klet_x(k, body, "b", x);
    }
    enum { STEPS = 8 }; // ahead
    for (uint32_t v = 0; at && strips_stream(g) && v < t->nv; v++)
        mg_kprefetch(k, body, g->columns, mg_kadd(k, at, c(g, (STEPS * g->nv + v) * g->lanes)));
}

static void multiply(Gemm *g, MgKBlock *block, const Tile *t) {
    MgKernel *k = g->kb.k;
    const MgKx *b[MAX_VECTORS], *masks[MAX_VECTORS];
    if (g->columns_in_place)
        column_masks(g, block, t, masks);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "k", c(g, 0), t->kc, 1);
    MgKBlock *body = &loop->body;
    const MgKx *kk = mg_kvar(k, loop->var);
    if (g->columns_in_place)
        g->loop[SYM_K] = mg_klet_x(k, body, "kk", mg_kadd(k, t->k0, kk));
    load_columns(g, body, t, kk, masks, b);
    const MgKx *panel = mg_kadd(k, t->panel, g->row_along_k ? kk : mg_kmul(k, kk, c(g, g->mr)));
    panel = mg_klet_x(k, body, "panel", panel);
    for (uint32_t r = 0; r < t->mr; r++) { // statements: the tile's indices are constants
        const MgKx *at = mg_kadd(k, panel, c(g, r * (g->row_along_k ? g->pitch : 1)));
        const MgKx *a = mg_klet_x(k, body, "a",
                                  mg_ksplat(k, mg_kload(k, g->rows, at, 1, NULL, NULL), g->lanes));
        for (uint32_t v = 0; v < t->nv; v++) {
            const MgKx *acc = tile_vector(g, r * t->nv + v);
            const MgKx *next = mg_contracts(g->s->options) ? mg_kprim(k, MG_PRIM_FMA, a, b[v], acc)
                                                           : mg_kadd(k, acc, mg_kmul(k, a, b[v]));
            mg_kstore(k, body, g->acc, c(g, r * t->nv + v), next, NULL);
        }
    }
}

static MgOpId last_op(Gemm *g) {
    return g->unit->ops[g->unit->n_ops - 1];
}

// body(point, number in the tile) for every vector of the tile at its place in the output.
typedef void VectorFn(Gemm *g, const MgPoint *p, uint32_t number);
static void each_vector(Gemm *g, MgKBlock *block, const Tile *t, VectorFn *body) {
    MgKernel *k = g->kb.k;
    const MgKx *masks[MAX_VECTORS];
    column_masks(g, block, t, masks);
    for (uint32_t r = 0; r < t->mr; r++) {
        g->loop[SYM_M] = mg_klet_x(k, block, "m", mg_kadd(k, t->m0, c(g, r)));
        for (uint32_t v = 0; v < t->nv; v++) {
            g->loop[SYM_N] = mg_kadd(k, t->n0, c(g, v * g->lanes));
            MgPoint p = mg_gemm_point(g, last_op(g), block, SYM_N, masks[v]);
            body(g, &p, r * t->nv + v);
        }
    }
}

static void add_vector(Gemm *g, MgKBlock *block, uint32_t number, const MgKx *x) {
    MgKernel *k = g->kb.k;
    mg_kstore(k, block, g->acc, c(g, number), mg_kadd(k, tile_vector(g, number), x), NULL);
}

// Sums between blocks of depth are in the output, ...
static void add_from_output(Gemm *g, const MgPoint *at, uint32_t number) {
    MgPoint p = *at;
    MgKBufId buf = mg_kb_value(&g->kb, mg_op(g->s->g, p.op)->results[0]);
    MgIx address = mg_unit_target(g->s, p.op, g->with, N_SYMS);
    add_vector(g, p.block, number, mg_point_load(&p, buf, address, NULL, NULL));
}

static void store_in_output(Gemm *g, const MgPoint *at, uint32_t number) {
    MgPoint p = *at;
    MgKBufId buf = mg_kb_value(&g->kb, mg_op(g->s->g, p.op)->results[0]);
    MgIx address = mg_unit_target(g->s, p.op, g->with, N_SYMS);
    mg_point_store(&p, buf, g->type, address, tile_vector(g, number));
}

// ... or in a buffer of their own, tile by tile.
static const MgKx *partials_at(Gemm *g, MgKBlock *block, const Tile *t) {
    MgKernel *k = g->kb.k;
    int64_t width = g->nv * g->lanes, columns = ceil_div(g->n.known, width) * width;
    const MgKx *at = mg_kadd(k, mg_kmul(k, t->m0, c(g, columns)), mg_kmul(k, t->n0, c(g, g->mr)));
    if (g->partials_base)
        at = mg_kadd(k, at, g->partials_base);
    return mg_klet_x(k, block, "partial", at);
}

static void add_partials(Gemm *g, MgKBlock *block, const Tile *t) {
    if (!g->own_partials) {
        each_vector(g, block, t, add_from_output);
        return;
    }
    const MgKx *at = partials_at(g, block, t);
    for (uint32_t i = 0; i < t->mr * t->nv; i++)
        add_vector(g, block, i,
                   mg_kload(g->kb.k, g->partials, mg_kadd(g->kb.k, at, c(g, i * g->lanes)),
                            g->lanes, NULL, NULL));
}

static void store_partials(Gemm *g, MgKBlock *block, const Tile *t) {
    if (!g->own_partials) {
        each_vector(g, block, t, store_in_output);
        return;
    }
    const MgKx *at = partials_at(g, block, t);
    for (uint32_t i = 0; i < t->mr * t->nv; i++)
        mg_kstore(g->kb.k, block, g->partials, mg_kadd(g->kb.k, at, c(g, i * g->lanes)),
                  tile_vector(g, i), NULL);
}

typedef struct Length {
    uint32_t nodes;
    bool cheap;
} Length;

static void count_node(void *ctx, const MgSx *x) {
    Length *l = ctx;
    l->nodes++;
    l->cheap &= x->kind != MG_SX_PRIM || mg_prim(x->prim)->kind == MG_KIND_ARITH ||
                mg_prim(x->prim)->kind == MG_KIND_MOVE;
}

// Does so little follow the sums that it may stand behind every vector of the tile? Of deep sums
// the end is a small part.
static bool short_end(Gemm *g) {
    enum { DEEP = 256, MOST = 16 };
    Length l = {0, g->k.known > 0 && g->k.known <= DEEP};
    for (uint32_t i = 1; i < g->unit->n_ops; i++)
        mg_sx_walk(mg_op(g->s->g, g->unit->ops[i])->equation->pieces[0].expr, count_node, &l);
    return g->unit->n_ops == 1 || (l.cheap && l.nodes <= MOST);
}

// Such sums go straight from the registers to the output.
static void finish_vector(Gemm *g, const MgPoint *at, uint32_t number) {
    mg_kb_epilogue(at, mg_klet_x(g->kb.k, at->block, "sum", tile_vector(g, number)));
}

// Others go through the epilogue row by row (a loop: its code stands once); what leaves the unit is
// stored.
static void finish_rows(Gemm *g, MgKBlock *block, const Tile *t) {
    MgKernel *k = g->kb.k;
    const MgKx *masks[MAX_VECTORS];
    column_masks(g, block, t, masks);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "r", c(g, 0), c(g, t->mr), 1);
    MgKBlock *row = &loop->body;
    const MgKx *r = mg_kvar(k, loop->var);
    const MgKx *m = mg_klet_x(k, row, "m", mg_kadd(k, t->m0, r));
    for (uint32_t v = 0; v < t->nv; v++) {
        const MgKx *n = mg_klet_x(k, row, "n", mg_kadd(k, t->n0, c(g, v * g->lanes)));
        const MgKx *at = mg_kadd(k, mg_kmul(k, r, c(g, t->nv)), c(g, v));
        g->loop[SYM_M] = m;
        g->loop[SYM_N] = n;
        MgPoint p = mg_gemm_point(g, last_op(g), row, SYM_N, masks[v]);
        const MgKx *sum = mg_kload(k, g->sums, at, g->lanes, NULL, NULL);
        mg_kb_epilogue(&p, mg_klet_x(k, row, "sum", sum));
    }
}

// The same column by column, along the rows.
static void finish_columns(Gemm *g, MgKBlock *block, const Tile *t) {
    MgKernel *k = g->kb.k;
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "j", c(g, 0), c(g, t->nv * g->lanes), 1);
    const MgKx *j = mg_kvar(k, loop->var);
    MgKBlock *column = &loop->body;
    const MgKx *n = mg_klet_x(k, column, "n", mg_kadd(k, t->n0, j));
    column = &mg_kif(k, column, bin(g, MG_PRIM_LT, n, mg_gemm_extent(g, &g->n)))->body;
    for (uint32_t r = 0; r < t->mr; r += g->lanes) {
        const MgKx *lane = mg_kramp(k, c(g, 0), c(g, 1), g->lanes), *mask = NULL;
        if (t->mr - r < g->lanes)
            mask = bin(g, MG_PRIM_LT, lane, mg_ksplat(k, c(g, t->mr - r), g->lanes));
        const MgKx *at = mg_kadd(k, j, c(g, r * t->nv * g->lanes));
        at = mg_kramp(k, at, c(g, t->nv * g->lanes), g->lanes);
        g->loop[SYM_M] = mg_klet_x(k, column, "m", mg_kadd(k, t->m0, c(g, r)));
        g->loop[SYM_N] = n;
        MgPoint p = mg_gemm_point(g, last_op(g), column, SYM_M, mask);
        const MgKx *sum = mg_kload(k, g->sums, at, g->lanes, mask, NULL);
        mg_kb_epilogue(&p, mg_klet_x(k, column, "sum", sum));
    }
}

// Sums of the blocks before are asked for while the tile is summed.
static void prefetch_partials(Gemm *g, MgKBlock *block, const Tile *t) {
    if (!g->own_partials || !t->first)
        return;
    const MgKx *at = partials_at(g, block, t);
    for (uint32_t i = 0; i < t->mr * t->nv; i++)
        mg_kprefetch(g->kb.k, block, g->partials, mg_kadd(g->kb.k, at, c(g, i * g->lanes)));
}

static void clear_tile(Gemm *g, MgKBlock *block, const Tile *t) {
    const MgKx *zero = mg_kfloat(g->kb.k, mg_kt(g->type, g->lanes), 0);
    for (uint32_t i = 0; i < t->mr * t->nv; i++)
        mg_kstore(g->kb.k, block, g->acc, c(g, i), zero, NULL);
}

static void emit_tile(Gemm *g, MgKBlock *block, const Tile *t) {
    MgKernel *k = g->kb.k;
    bool straight = !g->transposed && short_end(g);
    prefetch_partials(g, block, t);
    mg_gemm_prefetch(g, block, t->m0, t->n0, t->mr, t->nv);
    clear_tile(g, block, t);
    multiply(g, block, t);
    if (t->first) // what was asked for at the tile's beginning is there now
        add_partials(g, &mg_kif(k, block, t->first)->orelse, t);
    // with nothing behind it a partial sum goes where the whole one will
    bool same = g->unit->n_ops == 1 && straight && !g->own_partials;
    MgKs *last = t->last && !same ? mg_kif(k, block, t->last) : NULL;
    if (last)
        store_partials(g, &last->orelse, t);
    block = last ? &last->body : block;
    if (straight) {
        each_vector(g, block, t, finish_vector);
        return;
    }
    for (uint32_t i = 0; i < t->mr * t->nv; i++)
        mg_kstore(k, block, g->sums, c(g, g->transposed ? i * g->lanes : i), tile_vector(g, i),
                  NULL);
    if (g->transposed)
        finish_columns(g, block, t);
    else
        finish_rows(g, block, t);
}

// ---------------------------------------------------------------- the loops around it
typedef struct Level { // one block of columns and depth
    const MgKx *depth; // its number
    const MgKx *strip0, *strips,
        *last_columns; // first strip, whole strips; are these the last columns? NULL: yes
    const MgKx *k0, *kc, *first, *last; // first and last block of depth, NULL: the only one
} Level;

typedef struct RowBlock {
    const MgKx *m0, *rows;
    const MgKx *packs; // is each strip packed just before it is used? NULL: no
} RowBlock;

static int64_t panel_size(const Gemm *g) {
    return g->mr * g->pitch;
}

// A tile of `mr` rows, `done` rows behind the first panel's.
static void emit_rest(Gemm *g, MgKBlock *block, const RowBlock *rb, const MgKx *panels_at,
                      const MgKx *done, const MgKx *panel, uint32_t mr, Tile t) {
    MgKernel *k = g->kb.k;
    t.mr = mr;
    t.m0 = mg_klet_x(k, block, "m0", mg_kadd(k, rb->m0, done));
    t.panel = mg_klet_x(k, block, "at", mg_kadd(k, panels_at, panel));
    emit_tile(g, block, &t);
}

// What is left of an open number of rows behind whole panels: tiles of 8, 4, 2 and 1 rows, in the
// panel that they share.
static void emit_open_rest(Gemm *g, MgKBlock *block, const RowBlock *rb, const MgKx *panels_at,
                           const MgKx *n, const Tile *t) {
    MgKernel *k = g->kb.k;
    const MgKx *whole = mg_klet_x(k, block, "done", mg_kmul(k, n, c(g, g->mr)));
    const MgKx *left = mg_klet_x(k, block, "left", bin(g, MG_PRIM_SUB, rb->rows, whole));
    for (uint32_t mr = 8; mr; mr /= 2) {
        if (mr >= g->mr)
            continue;
        const MgKx *open = bin(g, MG_PRIM_FMOD, left, c(g, 2 * mr)), *least = c(g, mr);
        MgKBlock *body = &mg_kif(k, block, bin(g, MG_PRIM_GE, open, least))->body;
        const MgKx *before = mg_klet_x(k, body, "before", bin(g, MG_PRIM_SUB, left, open));
        const MgKx *panel = mg_kmul(k, before, c(g, g->row_along_k ? g->pitch : 1));
        panel = mg_kadd(k, mg_kmul(k, n, c(g, panel_size(g))), panel);
        emit_rest(g, body, rb, panels_at, mg_kadd(k, whole, before), panel, mr, *t);
    }
}

// All row panels of [m0, m0 + rows) against one strip.
static void emit_panels(Gemm *g, MgKBlock *block, const Level *l, const RowBlock *rb,
                        const MgKx *panels_at, const MgKx *n0, const MgKx *strip, uint32_t nv) {
    const MgKx *m0 = rb->m0, *rows = rb->rows;
    MgKernel *k = g->kb.k;
    int64_t tail = g->m.known > 0 ? g->m.known % g->mr : 0;
    const MgKx *n = mg_klet_x(k, block, "panels", bin(g, MG_PRIM_FDIV, rows, c(g, g->mr)));
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "panel", c(g, 0), n, 1);
    const MgKx *i = mg_kvar(k, loop->var);
    Tile t = {.kc = l->kc,
              .n0 = n0,
              .strip = strip,
              .first = l->first,
              .last = l->last,
              .k0 = l->k0,
              .mr = g->mr,
              .nv = nv};
    t.m0 = mg_klet_x(k, &loop->body, "m0", mg_kadd(k, m0, mg_kmul(k, i, c(g, g->mr))));
    t.panel =
        mg_klet_x(k, &loop->body, "at", mg_kadd(k, panels_at, mg_kmul(k, i, c(g, panel_size(g)))));
    emit_tile(g, &loop->body, &t);
    if (g->m.known < 0)
        emit_open_rest(g, block, rb, panels_at, n, &t);
    if (!tail)
        return;
    const MgKx *done = mg_klet_x(k, block, "done", mg_kmul(k, n, c(g, g->mr)));
    MgKs *rest = mg_kif(k, block, bin(g, MG_PRIM_LT, done, rows));
    const MgKx *panel = mg_kmul(k, n, c(g, panel_size(g)));
    emit_rest(g, &rest->body, rb, panels_at, done, panel, (uint32_t)tail, t);
}

static int64_t strip_size(const Gemm *g) {
    return g->nv * g->lanes * g->kc;
}

int64_t mg_gemm_kept_size(const Gemm *g, Keeping what) {
    if (what == KEEP_ROWS)
        return g->depths * ceil_div(g->m.known, g->mr) * panel_size(g);
    return g->depths * ceil_div(g->n.known, g->nv * g->lanes) * strip_size(g);
}

// The packed panels from row m0 on, which begins a block.
static const MgKx *panels_offset(Gemm *g, const Level *l, const MgKx *m0) {
    MgKernel *k = g->kb.k;
    if (packs_rows(g))
        return g->rows_base;
    if (g->rows_lie) {
        g->loop[SYM_M] = m0;
        g->loop[SYM_K] = l->k0;
        return mg_kb_ix(&g->kb, g->rows_at, g->loop);
    }
    int64_t all = ceil_div(g->m.known, g->mr) * panel_size(g);
    const MgKx *at = mg_kadd(k, g->rows_base, mg_kmul(k, l->depth, c(g, all)));
    return mg_kadd(k, at, mg_kmul(k, m0, c(g, g->pitch))); // panels of mr rows
}

static const MgKx *strip_offset(Gemm *g, const Level *l, const MgKx *number) {
    MgKernel *k = g->kb.k;
    const MgKx *at = g->columns_base;
    if (g->columns_kept) {
        int64_t all = ceil_div(g->n.known, g->nv * g->lanes) * strip_size(g);
        at = mg_kadd(k, at, mg_kmul(k, l->depth, c(g, all)));
        number = mg_kadd(k, number, l->strip0);
    }
    return mg_kadd(k, at, mg_kmul(k, number, c(g, strip_size(g))));
}

static void pack_panels(Gemm *g, MgKBlock *block, const Level *l, MgLoopKind kind, const MgKx *m0,
                        const MgKx *rows) {
    MgKernel *k = g->kb.k;
    int64_t tail = g->m.known > 0 ? g->m.known % g->mr : 0;
    const MgKx *n =
        g->m.known > 0 ? bin(g, MG_PRIM_FDIV, rows, c(g, g->mr)) : ceil_kx(g, rows, g->mr);
    MgKs *loop = mg_kfor(k, block, kind, "panel", c(g, 0), n, 1);
    const MgKx *i = mg_kvar(k, loop->var);
    const MgKx *base = panels_offset(g, l, m0);
    const MgKx *to =
        mg_klet_x(k, &loop->body, "to", mg_kadd(k, base, mg_kmul(k, i, c(g, panel_size(g)))));
    const MgKx *at = mg_klet_x(k, &loop->body, "m0", mg_kadd(k, m0, mg_kmul(k, i, c(g, g->mr))));
    mg_gemm_pack_panel(g, &loop->body, to, at, g->mr, l->k0, l->kc);
    if (!tail)
        return;
    const MgKx *done = mg_klet_x(k, block, "done", mg_kmul(k, n, c(g, g->mr)));
    MgKBlock *rest = &mg_kif(k, block, bin(g, MG_PRIM_LT, done, rows))->body;
    if (kind == MG_LOOP_PARALLEL)
        rest = &mg_kif(k, rest, bin(g, MG_PRIM_EQ, mg_kspecial(k, MG_KX_WORKER), c(g, 0)))->body;
    to = mg_klet_x(k, rest, "to", mg_kadd(k, base, mg_kmul(k, n, c(g, panel_size(g)))));
    mg_gemm_pack_panel(g, rest, to, mg_klet_x(k, rest, "m0", mg_kadd(k, m0, done)), (uint32_t)tail,
                       l->k0, l->kc);
}

static const MgKx *whole_strips(Gemm *g) {
    int64_t width = g->nv * g->lanes;
    return last_is_narrow(g) ? c(g, g->n.known / width)
                             : ceil_kx(g, mg_gemm_extent(g, &g->n), width);
}

// body(strip number in the block, first column, vectors) for every strip; the last of all may be
// narrower.
typedef void StripFn(Gemm *g, MgKBlock *block, const Level *l, const MgKx *number, const MgKx *n0,
                     uint32_t nv, void *ctx);
static void each_strip(Gemm *g, MgKBlock *block, const Level *l, MgLoopKind kind, StripFn *body,
                       void *ctx) {
    MgKernel *k = g->kb.k;
    int64_t width = g->nv * g->lanes;
    MgKs *loop = mg_kfor(k, block, kind, "strip", c(g, 0), l->strips, 1);
    const MgKx *i = mg_kvar(k, loop->var);
    const MgKx *n0 = mg_kmul(k, mg_kadd(k, l->strip0, i), c(g, width));
    body(g, &loop->body, l, i, mg_klet_x(k, &loop->body, "n0", n0), g->nv, ctx);
    if (!last_is_narrow(g))
        return;
    if (l->last_columns)
        block = &mg_kif(k, block, l->last_columns)->body;
    if (kind == MG_LOOP_PARALLEL) { // the last worker has the fewest whole strips
        const MgKx *last = bin(g, MG_PRIM_SUB, mg_kspecial(k, MG_KX_WORKERS), c(g, 1));
        block = &mg_kif(k, block, bin(g, MG_PRIM_EQ, mg_kspecial(k, MG_KX_WORKER), last))->body;
    }
    int64_t rest = g->n.known % width;
    body(g, block, l, l->strips, c(g, g->n.known - rest), (uint32_t)ceil_div(rest, g->lanes), ctx);
}

static void pack_one_strip(Gemm *g, MgKBlock *block, const Level *l, const MgKx *number,
                           const MgKx *n0, uint32_t nv, void *ctx) {
    (void)ctx;
    mg_gemm_pack_strip(g, block, mg_klet_x(g->kb.k, block, "to", strip_offset(g, l, number)), n0,
                       nv, l->k0, l->kc);
}

static void multiply_strip(Gemm *g, MgKBlock *block, const Level *l, const MgKx *number,
                           const MgKx *n0, uint32_t nv, void *ctx) {
    const RowBlock *rb = ctx;
    if (rb->packs)
        pack_one_strip(g, &mg_kif(g->kb.k, block, rb->packs)->body, l, number, n0, nv, NULL);
    const MgKx *strip = mg_klet_x(g->kb.k, block, "strip_at", strip_offset(g, l, number));
    const MgKx *panels = mg_klet_x(g->kb.k, block, "panels", panels_offset(g, l, rb->m0));
    emit_panels(g, block, l, rb, panels, n0, strip, nv);
}

static void own_strip(Gemm *g, MgKBlock *block, const Level *l, const MgKx *number, const MgKx *n0,
                      uint32_t nv, void *ctx) {
    multiply_strip(g, block, l, g->columns_kept ? number : c(g, 0), n0, nv, ctx);
}

// Strips are shared out, each packed just before its only use.
static void share_columns(Gemm *g, MgKBlock *block, const Level *l) {
    MgKernel *k = g->kb.k;
    RowBlock all = {c(g, 0), mg_gemm_extent(g, &g->m),
                    packs_columns(g) ? mg_kconst(k, mg_kt(MG_BOOL, 1), 1) : NULL};
    if (packs_rows(g)) {
        pack_panels(g, block, l, MG_LOOP_PARALLEL, all.m0, all.rows);
        mg_kbarrier(k, block, MG_BARRIER_GRID);
    }
    each_strip(g, block, l, MG_LOOP_PARALLEL, own_strip, &all);
    if (packs_rows(g))
        mg_kbarrier(k, block, MG_BARRIER_GRID);
}

static void emit_level(Gemm *g, MgKBlock *block, const Level *l) {
    MgKernel *k = g->kb.k;
    if (g->keeping == KEEP_COLUMNS) { // before there are rows, whose number may be open
        each_strip(g, block, l, MG_LOOP_PARALLEL, pack_one_strip, NULL);
        return;
    }
    const MgKx *rows = mg_gemm_extent(g, &g->m);
    if (g->keeping == KEEP_ROWS) {
        pack_panels(g, block, l, MG_LOOP_PARALLEL, c(g, 0), rows);
        return;
    }
    if (g->sharing == SHARE_COLUMNS) {
        share_columns(g, block, l);
        return;
    }
    bool shared = g->sharing == SHARE_ROWS;
    MgLoopKind kind = shared ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL;
    if (shared && packs_columns(g)) {
        each_strip(g, block, l, kind, pack_one_strip, NULL);
        mg_kbarrier(k, block, MG_BARRIER_GRID);
    }
    MgKs *blocks = mg_kfor(k, block, kind, "block", c(g, 0), ceil_kx(g, rows, g->mc), 1);
    RowBlock rb = {0};
    rb.m0 =
        mg_klet_x(k, &blocks->body, "block_m", mg_kmul(k, mg_kvar(k, blocks->var), c(g, g->mc)));
    rb.rows = mg_klet_x(k, &blocks->body, "rows",
                        bin(g, MG_PRIM_MIN, c(g, g->mc), bin(g, MG_PRIM_SUB, rows, rb.m0)));
    if (!shared && packs_columns(g)) // the first rows meet every strip first
        rb.packs = mg_klet_x(k, &blocks->body, "packs", bin(g, MG_PRIM_EQ, rb.m0, c(g, 0)));
    if (packs_rows(g))
        pack_panels(g, &blocks->body, l, MG_LOOP_SERIAL, rb.m0, rb.rows);
    each_strip(g, &blocks->body, l, MG_LOOP_SERIAL, multiply_strip, &rb);
    if (shared && packs_columns(g))
        mg_kbarrier(k, block, MG_BARRIER_GRID);
}

// The blocks of k of one block of columns.
static void emit_depth(Gemm *g, MgKBlock *block, Level l) {
    MgKernel *k = g->kb.k;
    if (g->k.known >= 0 && g->k.known <= g->kc) {
        l.depth = l.k0 = c(g, 0);
        l.kc = c(g, g->k.known);
        emit_level(g, block, &l);
        return;
    }
    const MgKx *depth = mg_gemm_extent(g, &g->k);
    // An empty sum still writes zeros: there is always one block.
    const MgKx *n = bin(g, MG_PRIM_MAX, ceil_kx(g, depth, g->kc), c(g, 1));
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "depth", c(g, 0), n, 1);
    const MgKx *i = l.depth = mg_kvar(k, loop->var);
    l.k0 = mg_klet_x(k, &loop->body, "k0", mg_kmul(k, i, c(g, g->kc)));
    l.kc = mg_klet_x(k, &loop->body, "kc",
                     bin(g, MG_PRIM_MIN, c(g, g->kc), bin(g, MG_PRIM_SUB, depth, l.k0)));
    l.first = mg_klet_x(k, &loop->body, "first", bin(g, MG_PRIM_EQ, i, c(g, 0)));
    l.last =
        mg_klet_x(k, &loop->body, "last", bin(g, MG_PRIM_EQ, i, bin(g, MG_PRIM_SUB, n, c(g, 1))));
    emit_level(g, &loop->body, &l);
}

// Whole strips of this worker: all, or its part of them. The last one has the fewest, and what is
// narrower.
static Level own_strips(Gemm *g, MgKBlock *block) {
    MgKernel *k = g->kb.k;
    const MgKx *strips = whole_strips(g);
    if (g->sharing != SHARE_PARTS || g->keeping)
        return (Level){.strip0 = c(g, 0), .strips = strips};
    const MgKx *worker = mg_kspecial(k, MG_KX_WORKER), *workers = mg_kspecial(k, MG_KX_WORKERS);
    const MgKx *ends[2];
    for (int i = 0; i < 2; i++) {
        const MgKx *part = mg_kmul(k, strips, mg_kadd(k, worker, c(g, i)));
        part = mg_kadd(k, part, bin(g, MG_PRIM_SUB, workers, c(g, 1)));
        ends[i] = mg_klet_x(k, block, i ? "end" : "strip0", bin(g, MG_PRIM_FDIV, part, workers));
    }
    const MgKx *last = bin(g, MG_PRIM_EQ, worker, bin(g, MG_PRIM_SUB, workers, c(g, 1)));
    return (Level){.strip0 = ends[0],
                   .strips = mg_klet_x(k, block, "strips", bin(g, MG_PRIM_SUB, ends[1], ends[0])),
                   .last_columns = mg_klet_x(k, block, "last_columns", last)};
}

static void emit_product(Gemm *g, MgKBlock *block) {
    MgKernel *k = g->kb.k;
    Level own = own_strips(g, block);
    if (g->keeping || g->sharing == SHARE_COLUMNS || (g->n.known >= 0 && g->n.known <= g->nc)) {
        emit_depth(g, block, own);
        return;
    }
    int64_t per_block = g->nc / (g->nv * g->lanes);
    const MgKx *n = own.last_columns ? ceil_kx(g, own.strips, per_block)
                                     : ceil_kx(g, mg_gemm_extent(g, &g->n), g->nc);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "columns", c(g, 0), n, 1);
    const MgKx *i = mg_kvar(k, loop->var), *done = mg_kmul(k, i, c(g, per_block));
    Level l = {.strip0 = mg_klet_x(k, &loop->body, "strip0", mg_kadd(k, own.strip0, done))};
    const MgKx *left = bin(g, MG_PRIM_SUB, own.strips, done);
    l.strips = mg_klet_x(k, &loop->body, "strips", bin(g, MG_PRIM_MIN, c(g, per_block), left));
    const MgKx *last = bin(g, MG_PRIM_EQ, mg_kadd(k, i, c(g, 1)), n);
    if (own.last_columns)
        last = bin(g, MG_PRIM_AND, last, own.last_columns);
    l.last_columns = mg_klet_x(k, &loop->body, "last_columns", last);
    emit_depth(g, &loop->body, l);
}

static MgKBlock *open_batch(Gemm *g, MgKBlock *block) {
    MgKernel *k = g->kb.k;
    bool parallel = g->sharing == SHARE_BATCH && g->s->p->max_workers > 1 && !g->keeping;
    g->batch_no = c(g, 0);
    if (!g->batch.n) {
        if (!parallel)
            return block;
        return &mg_kif(k, block, bin(g, MG_PRIM_EQ, mg_kspecial(k, MG_KX_WORKER), c(g, 0)))->body;
    }
    MgKs *loop = mg_kfor(k, block, parallel ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL, "batch", c(g, 0),
                         mg_gemm_extent(g, &g->batch), 1);
    block = &loop->body;
    const MgKx *left = g->batch_no = mg_kvar(k, loop->var);
    for (uint32_t i = g->batch.n; i-- > 0;) {
        const MgKx *size = mg_kb_ix(&g->kb, g->piece->indices[g->batch.index[i]].high, g->loop);
        g->loop[g->batch.index[i]] =
            mg_klet_x(k, block, "i", i ? bin(g, MG_PRIM_FMOD, left, size) : left);
        if (i)
            left = mg_klet_x(k, block, "left", bin(g, MG_PRIM_FDIV, left, size));
    }
    return block;
}

// A factor that the batch has a part in is packed for every batch.
static const MgKx *kept_base(Gemm *g, MgKBlock *block, const MgSx *factor, Keeping what) {
    bool follows = mg_gemm_follows_batch(g, factor);
    int64_t size = follows ? mg_gemm_kept_size(g, what) : 0;
    return mg_klet_x(g->kb.k, block, "kept", mg_kmul(g->kb.k, g->batch_no, c(g, size)));
}

void mg_gemm_emit(Gemm *g) {
    MgKBlock *block = open_batch(g, &g->kb.k->body);
    if (g->rows_kept)
        g->rows_base = kept_base(g, block, g->row, KEEP_ROWS);
    if (g->columns_kept)
        g->columns_base = kept_base(g, block, g->column, KEEP_COLUMNS);
    emit_product(g, block);
}
