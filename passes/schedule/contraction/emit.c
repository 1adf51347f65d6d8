// The loops around the register tile of a contraction; the algorithm is named in contraction.c.
#include "passes/schedule/contraction/contraction.h"
#include "passes/schedule/words.h"

// ---------------------------------------------------------------- panels and strips
typedef struct Level { // one block of columns and depth
    const MgKx *depth; // its number
    const MgKx *strip0, *strips,
        *last_columns; // first strip, number of whole strips; are these the last columns? NULL: yes
    const MgKx *k0, *kc, *first, *last; // first and last block of depth, NULL: the only one
} Level;

typedef struct RowBlock {
    const MgKx *m0, *rows;
    const MgKx *packs; // is each strip packed just before it is used? NULL: no
} RowBlock;

static int64_t panel_size(const MgGemm *g) {
    return g->plan.mr * g->pitch;
}

// A tile of `mr` rows, which begins `done` rows after the first panel.
static void emit_rest(MgGemm *g, MgKBlock *block, const RowBlock *rb, const MgKx *panels_at,
                      const MgKx *done, const MgKx *panel, uint32_t mr, MgGemmTile t) {
    MgKernel *k = g->kb.k;
    t.mr = mr;
    t.m0 = named(k, block, "m0", add(k, rb->m0, done));
    t.panel = named(k, block, "at", add(k, panels_at, panel));
    mg_gemm_tile(g, block, &t);
}

// The rows of a tile for the remainder, if the number of rows is open. Fewer than MG_GEMM_OPEN_ROWS
// vectors would take as long, since these just hide the latency of fma.
static uint32_t rest_rows(const MgGemm *g) {
    uint32_t rows = (uint32_t)mg_ceil_div(MG_GEMM_OPEN_ROWS, g->plan.nv);
    return rows < g->plan.mr ? rows : g->plan.mr - 1;
}

// The remainder after whole panels, if the number of rows is open. It has a panel of its own,
// walked by a loop of small tiles, the last of which may have too many rows. A tile for each size
// would be little faster, and as much code as a whole panel's.
static void emit_open_rest(MgGemm *g, MgKBlock *block, const RowBlock *rb, const MgKx *panels_at,
                           const MgKx *n, const MgGemmTile *t) {
    MgKernel *k = g->kb.k;
    uint32_t mr = rest_rows(g);
    if (!mr)
        return;
    const MgKx *whole = named(k, block, "done", times(k, n, g->plan.mr));
    const MgKx *left = named(k, block, "left", sub(k, rb->rows, whole));
    Loop loop = each_from(k, block, "rest", num(k, 0), left, mr);
    const MgKx *panel = times(k, loop.at, g->plan.row_along_k ? g->pitch : 1);
    panel = add(k, times(k, n, panel_size(g)), panel);
    MgGemmTile rest = *t;
    if (mr > 1)
        rest.valid = named(k, loop.body, "valid", least(k, sub(k, left, loop.at), num(k, mr)));
    emit_rest(g, loop.body, rb, panels_at, add(k, whole, loop.at), panel, mr, rest);
}

// Multiplies all row panels of [m0, m0 + rows) by one strip.
static void emit_panels(MgGemm *g, MgKBlock *block, const Level *l, const RowBlock *rb,
                        const MgKx *panels_at, const MgKx *n0, const MgKx *strip, uint32_t nv) {
    const MgKx *m0 = rb->m0, *rows = rb->rows;
    MgKernel *k = g->kb.k;
    int64_t tail = g->m.known > 0 ? g->m.known % g->plan.mr : 0;
    const MgKx *n = named(k, block, "panels", over(k, rows, g->plan.mr));
    Loop loop = each_of(k, block, "panel", n);
    MgGemmTile t = {.kc = l->kc,
                    .n0 = n0,
                    .strip = strip,
                    .first = l->first,
                    .last = l->last,
                    .k0 = l->k0,
                    .number = loop.at,
                    .mr = g->plan.mr,
                    .nv = nv};
    t.m0 = named(k, loop.body, "m0", add(k, m0, times(k, loop.at, g->plan.mr)));
    t.panel = named(k, loop.body, "at", add(k, panels_at, times(k, loop.at, panel_size(g))));
    if (g->plan.columns_fill && rb->packs)
        t.fills = named(k, loop.body, "fills", both(k, rb->packs, equal(k, loop.at, num(k, 0))));
    mg_gemm_tile(g, loop.body, &t);
    t.fills = t.number = NULL;
    if (g->m.known < 0)
        emit_open_rest(g, block, rb, panels_at, n, &t);
    if (!tail)
        return;
    const MgKx *done = named(k, block, "done", times(k, n, g->plan.mr));
    MgKs *rest = mg_kif(k, block, less(k, done, rows));
    const MgKx *panel = times(k, n, panel_size(g));
    emit_rest(g, &rest->body, rb, panels_at, done, panel, (uint32_t)tail, t);
}

static int64_t strip_size(const MgGemm *g) {
    return g->plan.nv * g->lanes * g->plan.kc;
}

int64_t mg_gemm_kept_size(const MgGemm *g, MgGemmKeeping what) {
    if (what == MG_GEMM_KEEP_ROWS)
        return g->depths * mg_ceil_div(g->m.known, g->plan.mr) * panel_size(g);
    return g->depths * mg_ceil_div(g->n.known, g->plan.nv * g->lanes) * strip_size(g);
}

// The offset of the packed panels from row m0 on, which begins a block.
static const MgKx *panels_offset(MgGemm *g, const Level *l, const MgKx *m0) {
    MgKernel *k = g->kb.k;
    if (mg_gemm_packs_rows(g)) // the panels of a block, or of all rows
        return g->plan.sharing == MG_GEMM_SHARE_TILES ? add(k, g->row.base, times(k, m0, g->pitch))
                                                      : g->row.base;
    if (g->plan.rows_lie) {
        g->at.loop[MG_GEMM_M] = m0;
        g->at.loop[MG_GEMM_K] = l->k0;
        return mg_kb_ix(&g->kb, g->row.lies_at, g->at.loop);
    }
    int64_t all = mg_ceil_div(g->m.known, g->plan.mr) * panel_size(g);
    const MgKx *at = add(k, g->row.base, times(k, l->depth, all));
    return add(k, at, times(k, m0, g->pitch)); // panels of mr rows
}

static const MgKx *strip_offset(MgGemm *g, const Level *l, const MgKx *number) {
    MgKernel *k = g->kb.k;
    const MgKx *at = g->column.base;
    if (g->plan.columns_kept) {
        int64_t all = mg_ceil_div(g->n.known, g->plan.nv * g->lanes) * strip_size(g);
        at = add(k, at, times(k, l->depth, all));
        number = add(k, number, l->strip0);
    }
    return add(k, at, times(k, number, strip_size(g)));
}

// Packs all panels a few steps at a time. Each step's rows are neighbours in memory, so its cache
// lines are read once for all panels. Steps that lie a power of two apart share a cache's sets, so
// few of them stay in it at the same time.
static void pack_panels_by_steps(MgGemm *g, MgKBlock *block, const Level *l, MgLoopKind kind,
                                 const MgKx *m0, const MgKx *n) {
    enum { STEPS = 8 };
    MgKernel *k = g->kb.k;
    Loop steps = loop_of(k, block, kind, "from", num(k, 0), l->kc, STEPS);
    const MgKx *from = steps.at, *base = panels_offset(g, l, m0);
    const MgKx *some = named(k, steps.body, "some", least(k, num(k, STEPS), sub(k, l->kc, from)));
    const MgKx *k0 = named(k, steps.body, "k0", add(k, l->k0, from));
    base = named(k, steps.body, "to", add(k, base, times(k, from, g->plan.mr)));
    Loop loop = each_of(k, steps.body, "panel", n);
    const MgKx *to = named(k, loop.body, "to", add(k, base, times(k, loop.at, panel_size(g))));
    const MgKx *at = named(k, loop.body, "m0", add(k, m0, times(k, loop.at, g->plan.mr)));
    mg_gemm_pack_panel(g, loop.body, to, at, g->plan.mr, k0, some);
}

// The last panel may have fewer rows. It gets a loop of its own if panels keep rows contiguous;
// otherwise its vectors have a mask in any case.
static void pack_panels(MgGemm *g, MgKBlock *block, const Level *l, MgLoopKind kind, const MgKx *m0,
                        const MgKx *rows) {
    MgKernel *k = g->kb.k;
    int64_t tail = g->m.known > 0 && g->plan.row_along_k ? g->m.known % g->plan.mr : 0;
    const MgKx *n = tail ? over(k, rows, g->plan.mr) : mg_kceil_div(k, rows, g->plan.mr);
    if (mg_gemm_packs_by_steps(g)) {
        pack_panels_by_steps(g, block, l, kind, m0, n);
        return;
    }
    Loop loop = loop_of(k, block, kind, "panel", num(k, 0), n, 1);
    const MgKx *base = panels_offset(g, l, m0);
    const MgKx *to = named(k, loop.body, "to", add(k, base, times(k, loop.at, panel_size(g))));
    const MgKx *at = named(k, loop.body, "m0", add(k, m0, times(k, loop.at, g->plan.mr)));
    mg_gemm_pack_panel(g, loop.body, to, at, g->plan.mr, l->k0, l->kc);
    if (!tail)
        return;
    const MgKx *done = named(k, block, "done", times(k, n, g->plan.mr));
    MgKBlock *rest = block_if(k, block, less(k, done, rows));
    if (kind == MG_LOOP_PARALLEL)
        rest = first_worker(k, rest);
    to = named(k, rest, "to", add(k, base, times(k, n, panel_size(g))));
    mg_gemm_pack_panel(g, rest, to, named(k, rest, "m0", add(k, m0, done)), (uint32_t)tail, l->k0,
                       l->kc);
}

static const MgKx *whole_strips(MgGemm *g) {
    MgKernel *k = g->kb.k;
    int64_t width = g->plan.nv * g->lanes;
    return mg_gemm_last_is_narrow(g) ? num(k, g->n.known / width)
                                     : mg_kceil_div(k, mg_gemm_extent(g, &g->n), width);
}

// A strip of the block, or either kind of strip: the very last one may be narrower.
typedef struct Strip {
    const MgKx *number, *n0; // in the block; the first column
    uint32_t nv;
    const MgKx *whole; // is it no narrower one? NULL: its width is nv
} Strip;

// Vectors of the narrower strip, and its first column.
static uint32_t narrow_vectors(const MgGemm *g) {
    return (uint32_t)mg_ceil_div(g->n.known % (g->plan.nv * g->lanes), g->lanes);
}

static const MgKx *narrow_column(const MgGemm *g) {
    return num(g->kb.k, g->n.known - g->n.known % (g->plan.nv * g->lanes));
}

// Whole strips, and the narrower one where this block has it.
static const MgKx *every_strip(MgGemm *g, const Level *l) {
    MgKernel *k = g->kb.k;
    if (!mg_gemm_last_is_narrow(g))
        return l->strips;
    return add(k, l->strips, l->last_columns ? cast(k, MG_I64, l->last_columns) : num(k, 1));
}

// Either kind of strip, by its number.
static Strip any_strip(MgGemm *g, MgKBlock *block, const Level *l, const MgKx *number) {
    MgKernel *k = g->kb.k;
    const MgKx *n0 = times(k, add(k, l->strip0, number), g->plan.nv * g->lanes);
    Strip strip = {number, named(k, block, "n0", n0), g->plan.nv, NULL};
    if (mg_gemm_last_is_narrow(g))
        strip.whole = named(k, block, "whole", less(k, number, l->strips));
    return strip;
}

typedef void StripFn(MgGemm *g, MgKBlock *block, const Level *l, Strip strip, void *ctx);
static void strips_between(MgGemm *g, MgKBlock *block, const Level *l, MgLoopKind kind,
                           const MgKx *low, const MgKx *high, StripFn *body, void *ctx) {
    MgKernel *k = g->kb.k;
    Loop loop = loop_of(k, block, kind, "strip", low, high, 1);
    const MgKx *n0 = times(k, add(k, l->strip0, loop.at), g->plan.nv * g->lanes);
    body(g, loop.body, l, (Strip){loop.at, named(k, loop.body, "n0", n0), g->plan.nv, NULL}, ctx);
}

// The narrower strip of a loop that is shared out.
static void narrow_strip(MgGemm *g, MgKBlock *block, const Level *l, StripFn *body, void *ctx) {
    MgKernel *k = g->kb.k;
    if (!mg_gemm_last_is_narrow(g))
        return;
    if (l->last_columns)
        block = block_if(k, block, l->last_columns);
    // the last worker has the fewest whole strips
    const MgKx *last = minus(k, mg_kspecial(k, MG_KX_WORKERS), 1);
    block = block_if(k, block, equal(k, mg_kspecial(k, MG_KX_WORKER), last));
    body(g, block, l, (Strip){l->strips, narrow_column(g), narrow_vectors(g), NULL}, ctx);
}

// Emits the body for every strip. A worker's own loop has either kind, so that its code to pack
// strips is there once.
static void each_strip(MgGemm *g, MgKBlock *block, const Level *l, MgLoopKind kind, StripFn *body,
                       void *ctx) {
    const MgKx *none = num(g->kb.k, 0);
    if (kind == MG_LOOP_PARALLEL) {
        strips_between(g, block, l, kind, none, l->strips, body, ctx);
        narrow_strip(g, block, l, body, ctx);
        return;
    }
    Loop loop = loop_of(g->kb.k, block, kind, "strip", none, every_strip(g, l), 1);
    body(g, loop.body, l, any_strip(g, loop.body, l, loop.at), ctx);
}

static void pack_one_strip(MgGemm *g, MgKBlock *block, const Level *l, Strip strip, void *ctx) {
    (void)ctx;
    MgKernel *k = g->kb.k;
    const MgKx *to = named(k, block, "to", strip_offset(g, l, strip.number));
    const MgKx *width = num(k, strip.nv * g->lanes);
    if (strip.whole)
        width = where(k, strip.whole, width, num(k, narrow_vectors(g) * g->lanes));
    mg_gemm_pack_strip(g, block, to, strip.n0, strip.nv, named(k, block, "width", width), l->k0,
                       l->kc);
}

static void multiply_strip(MgGemm *g, MgKBlock *block, const Level *l, Strip strip, void *ctx) {
    const RowBlock *rb = ctx;
    MgKernel *k = g->kb.k;
    if (rb->packs && !g->plan.columns_fill)
        pack_one_strip(g, block_if(k, block, rb->packs), l, strip, NULL);
    const MgKx *at = named(k, block, "strip_at", strip_offset(g, l, strip.number));
    const MgKx *panels = named(k, block, "panels", panels_offset(g, l, rb->m0));
    MgKs *whole = strip.whole ? mg_kif(k, block, strip.whole) : NULL;
    emit_panels(g, whole ? &whole->body : block, l, rb, panels, strip.n0, at, strip.nv);
    if (whole)
        emit_panels(g, &whole->orelse, l, rb, panels, narrow_column(g), at, narrow_vectors(g));
}

static void own_strip(MgGemm *g, MgKBlock *block, const Level *l, Strip strip, void *ctx) {
    strip.number = g->plan.columns_kept ? strip.number : num(g->kb.k, 0);
    multiply_strip(g, block, l, strip, ctx);
}

// Shares strips out to workers, or takes those of one worker's trip. Each strip is packed just
// before its only use.
static void share_columns(MgGemm *g, MgKBlock *block, const Level *l) {
    MgKernel *k = g->kb.k;
    bool shared = g->s->workers > 1 && g->plan.sharing != MG_GEMM_SHARE_TRIPS;
    MgLoopKind kind = shared ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL;
    RowBlock all = {num(k, 0), mg_gemm_extent(g, &g->m),
                    mg_gemm_packs_columns(g) ? mg_kconst(k, mg_kt(MG_BOOL, 1), 1) : NULL};
    if (mg_gemm_packs_rows(g)) {
        pack_panels(g, block, l, kind, all.m0, all.rows);
        mg_kbarrier(k, block, MG_BARRIER_GRID);
    }
    each_strip(g, block, l, kind, own_strip, &all);
    if (mg_gemm_packs_rows(g))
        mg_kbarrier(k, block, MG_BARRIER_GRID);
}

// Tiles are blocks of rows times strips. Seven eighths of the strips have an owner, who packs them
// and multiplies all rows with them. The others are dealt out, one tile per trip, to workers that
// have finished their own. So a slow core delays no other, and yet the operands and sums of a tile
// are in the core's own caches. Another core's cache may be no nearer than memory.
typedef struct Tiles {
    const MgKx *rows, *blocks, *workers;
    const MgKx *strips;      // including the narrow one
    const MgKx *own, *dealt; // strips of an owner, and the first strip without an owner
} Tiles;

static Tiles find_tiles(MgGemm *g, MgKBlock *block, const Level *l) {
    MgKernel *k = g->kb.k;
    Tiles t = {.rows = mg_gemm_extent(g, &g->m),
               .strips = named(k, block, "strips", every_strip(g, l)),
               .workers = mg_kspecial(k, MG_KX_WORKERS)};
    const MgKx *owned = bin(k, MG_PRIM_SHR, times(k, l->strips, 7), num(k, 3));
    t.blocks = mg_kceil_div(k, t.rows, g->plan.mc);
    t.own = named(k, block, "own", quotient(k, owned, t.workers));
    t.dealt = named(k, block, "dealt", mul(k, t.own, t.workers));
    return t;
}

// Each worker packs its own strips, and a part of the others.
static void pack_tiles(MgGemm *g, MgKBlock *block, const Level *l, const Tiles *t) {
    MgKernel *k = g->kb.k;
    if (mg_gemm_packs_rows(g))
        pack_panels(g, block, l, MG_LOOP_PARALLEL, num(k, 0), t->rows);
    if (mg_gemm_packs_columns(g)) {
        Loop loop = each_of(k, block, "part", num(k, 2));
        const MgKx *owned = named(k, loop.body, "owned", equal(k, loop.at, num(k, 0)));
        const MgKx *low = where(k, owned, num(k, 0), t->dealt);
        const MgKx *high = where(k, owned, t->dealt, l->strips);
        strips_between(g, loop.body, l, MG_LOOP_PARALLEL, low, high, pack_one_strip, NULL);
        narrow_strip(g, block, l, pack_one_strip, NULL);
    }
    if (mg_gemm_packs_rows(g) || mg_gemm_packs_columns(g))
        mg_kbarrier(k, block, MG_BARRIER_GRID);
}

// The first trips, one for each worker, are the owned strips: each worker begins with its own
// (mg_kdealt).
static void share_tiles(MgGemm *g, MgKBlock *block, const Level *l) {
    MgKernel *k = g->kb.k;
    Tiles t = find_tiles(g, block, l);
    pack_tiles(g, block, l, &t);
    const MgKx *others = named(k, block, "others", sub(k, t.strips, t.dealt));
    MgKs *loop =
        mg_kdealt(k, block, "trip", num(k, 0), add(k, t.workers, mul(k, others, t.blocks)));
    MgKBlock *body = &loop->body;
    const MgKx *trip = mg_kvar(k, loop->var);
    const MgKx *owned = named(k, body, "owned", less(k, trip, t.workers));
    const MgKx *tile = named(k, body, "tile", sub(k, trip, t.workers));
    const MgKx *ends[2][2]; // of blocks, of strips
    ends[0][0] =
        named(k, body, "first_block", where(k, owned, num(k, 0), quotient(k, tile, others)));
    ends[0][1] = where(k, owned, t.blocks, plus(k, ends[0][0], 1));
    ends[1][0] =
        where(k, owned, mul(k, trip, t.own), add(k, t.dealt, remainder_of(k, tile, others)));
    ends[1][0] = named(k, body, "first_strip", ends[1][0]);
    ends[1][1] = add(k, ends[1][0], where(k, owned, t.own, num(k, 1)));
    Loop blocks = each_from(k, body, "block", ends[0][0], ends[0][1], 1);
    RowBlock rb = {0};
    rb.m0 = named(k, blocks.body, "block_m", times(k, blocks.at, g->plan.mc));
    rb.rows = named(k, blocks.body, "rows", least(k, num(k, g->plan.mc), sub(k, t.rows, rb.m0)));
    Loop strips = each_from(k, blocks.body, "strip", ends[1][0], ends[1][1], 1);
    multiply_strip(g, strips.body, l, any_strip(g, strips.body, l, strips.at), &rb);
}

static void emit_level(MgGemm *g, MgKBlock *block, const Level *l) {
    MgKernel *k = g->kb.k;
    if (g->keeping == MG_GEMM_KEEP_COLUMNS) { // this comes before the rows, whose number may be
                                              // open
        each_strip(g, block, l, MG_LOOP_PARALLEL, pack_one_strip, NULL);
        return;
    }
    const MgKx *rows = mg_gemm_extent(g, &g->m);
    if (g->keeping == MG_GEMM_KEEP_ROWS) {
        pack_panels(g, block, l, MG_LOOP_PARALLEL, num(k, 0), rows);
        return;
    }
    if (mg_gemm_strip_by_strip(g)) {
        share_columns(g, block, l);
        return;
    }
    if (g->plan.sharing == MG_GEMM_SHARE_TILES) {
        share_tiles(g, block, l);
        return;
    }
    bool shared = g->plan.sharing == MG_GEMM_SHARE_ROWS;
    MgLoopKind kind = shared ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL;
    if (shared && mg_gemm_packs_columns(g)) {
        each_strip(g, block, l, kind, pack_one_strip, NULL);
        mg_kbarrier(k, block, MG_BARRIER_GRID);
    }
    Loop blocks = loop_of(k, block, kind, "block", num(k, 0), mg_kceil_div(k, rows, g->plan.mc), 1);
    RowBlock rb = {0};
    rb.m0 = named(k, blocks.body, "block_m", times(k, blocks.at, g->plan.mc));
    rb.rows = named(k, blocks.body, "rows", least(k, num(k, g->plan.mc), sub(k, rows, rb.m0)));
    if (!shared && mg_gemm_packs_columns(g)) // the first rows use every strip first
        rb.packs = named(k, blocks.body, "packs", equal(k, rb.m0, num(k, 0)));
    if (mg_gemm_packs_rows(g))
        pack_panels(g, blocks.body, l, MG_LOOP_SERIAL, rb.m0, rb.rows);
    each_strip(g, blocks.body, l, MG_LOOP_SERIAL, multiply_strip, &rb);
    if (shared && mg_gemm_packs_columns(g))
        mg_kbarrier(k, block, MG_BARRIER_GRID);
}

// Walks the blocks of k of one block of columns.
static void emit_depth(MgGemm *g, MgKBlock *block, Level l) {
    MgKernel *k = g->kb.k;
    if (g->k.known >= 0 && g->k.known <= g->plan.kc) {
        l.depth = l.k0 = num(k, 0);
        l.kc = num(k, g->k.known);
        emit_level(g, block, &l);
        return;
    }
    const MgKx *depth = mg_gemm_extent(g, &g->k);
    // An empty sum must still write zeros, so there is always one block.
    const MgKx *n = greatest(k, mg_kceil_div(k, depth, g->plan.kc), num(k, 1));
    Loop loop = each_of(k, block, "depth", n);
    const MgKx *i = l.depth = loop.at;
    l.k0 = named(k, loop.body, "k0", times(k, i, g->plan.kc));
    l.kc = named(k, loop.body, "kc", least(k, num(k, g->plan.kc), sub(k, depth, l.k0)));
    l.first = named(k, loop.body, "first", equal(k, i, num(k, 0)));
    l.last = named(k, loop.body, "last", equal(k, i, minus(k, n, 1)));
    emit_level(g, loop.body, &l);
}

// The whole strips of this worker: all strips, or its part of them. The last worker has the fewest,
// and the narrower one.
static Level own_strips(MgGemm *g, MgKBlock *block) {
    MgKernel *k = g->kb.k;
    if (g->keeping == MG_GEMM_KEEP_ROWS) // it doesn't depend on the number of columns
        return (Level){.strip0 = num(k, 0), .strips = num(k, 0)};
    const MgKx *strips = whole_strips(g);
    if (g->plan.sharing != MG_GEMM_SHARE_PARTS || g->keeping)
        return (Level){.strip0 = num(k, 0), .strips = strips};
    const MgKx *worker = mg_kspecial(k, MG_KX_WORKER), *workers = mg_kspecial(k, MG_KX_WORKERS);
    const MgKx *ends[2];
    for (int i = 0; i < 2; i++) {
        const MgKx *part = mul(k, strips, plus(k, worker, i));
        part = add(k, part, minus(k, workers, 1));
        ends[i] = named(k, block, i ? "end" : "strip0", quotient(k, part, workers));
    }
    const MgKx *last = equal(k, worker, minus(k, workers, 1));
    return (Level){.strip0 = ends[0],
                   .strips = named(k, block, "strips", sub(k, ends[1], ends[0])),
                   .last_columns = named(k, block, "last_columns", last)};
}

// Strips are dealt out by halves: each round has one trip for every worker, and together they take
// half of the remaining strips; the last round takes the rest. So trips are long at first, when
// neighbours share their operands, and short at the end, when no worker should wait long (Hummel,
// Schonberg and Flynn, "Factoring: a method for scheduling parallel loops", CACM 1992).
static void deal_columns(MgGemm *g, MgKBlock *block) {
    MgKernel *k = g->kb.k;
    int64_t width = g->plan.nv * g->lanes, batches = 1;
    int64_t strips =
        mg_gemm_last_is_narrow(g) ? g->n.known / width : mg_ceil_div(g->n.known, width);
    while (strips >> batches >= mg_gemm_least_trip(g) * g->s->workers)
        batches++;
    const MgKx *workers = mg_kspecial(k, MG_KX_WORKERS), *all = num(k, strips);
    MgKs *loop = mg_kdealt(k, block, "trip", num(k, 0), times(k, workers, batches));
    MgKBlock *body = &loop->body;
    const MgKx *trip = mg_kvar(k, loop->var);
    const MgKx *batch = named(k, body, "batch", quotient(k, trip, workers));
    const MgKx *is_last = named(k, body, "is_last", equal(k, batch, num(k, batches - 1)));
    const MgKx *left = named(k, body, "left", bin(k, MG_PRIM_SHR, all, batch));
    const MgKx *after = bin(k, MG_PRIM_SHR, left, num(k, 1));
    after = named(k, body, "after", where(k, is_last, num(k, 0), after));
    const MgKx *part = named(k, body, "part", remainder_of(k, trip, workers));
    const MgKx *ends[2];
    for (int i = 0; i < 2; i++) {
        const MgKx *x = mul(k, sub(k, left, after), plus(k, part, i));
        x = add(k, sub(k, all, left), quotient(k, x, workers));
        ends[i] = named(k, body, i ? "end" : "strip0", x);
    }
    Level l = {.strip0 = ends[0], .strips = named(k, body, "strips", sub(k, ends[1], ends[0]))};
    l.last_columns = named(k, body, "last_columns", equal(k, ends[1], all));
    emit_depth(g, body, l);
}

static void emit_product(MgGemm *g, MgKBlock *block) {
    MgKernel *k = g->kb.k;
    Level own = own_strips(g, block);
    if (g->plan.sharing == MG_GEMM_SHARE_TRIPS && !g->keeping) {
        deal_columns(g, block);
        return;
    }
    if (g->keeping || g->plan.sharing == MG_GEMM_SHARE_COLUMNS ||
        (g->n.known >= 0 && g->n.known <= g->plan.nc)) {
        emit_depth(g, block, own);
        return;
    }
    int64_t per_block = g->plan.nc / (g->plan.nv * g->lanes);
    const MgKx *n = own.last_columns ? mg_kceil_div(k, every_strip(g, &own), per_block)
                                     : mg_kceil_div(k, mg_gemm_extent(g, &g->n), g->plan.nc);
    Loop loop = each_of(k, block, "columns", n);
    const MgKx *i = loop.at, *done = times(k, i, per_block);
    Level l = {.strip0 = named(k, loop.body, "strip0", add(k, own.strip0, done))};
    const MgKx *left = sub(k, own.strips, done);
    l.strips = named(k, loop.body, "strips", least(k, num(k, per_block), left));
    const MgKx *last = equal(k, plus(k, i, 1), n);
    if (own.last_columns)
        last = both(k, last, own.last_columns);
    l.last_columns = named(k, loop.body, "last_columns", last);
    emit_depth(g, loop.body, l);
}

static MgKBlock *open_batch(MgGemm *g, MgKBlock *block) {
    MgKernel *k = g->kb.k;
    bool parallel = g->plan.sharing == MG_GEMM_SHARE_BATCH && g->s->workers > 1 && !g->keeping;
    g->batch_no = num(k, 0);
    if (!g->batch.n) {
        return parallel ? first_worker(k, block) : block;
    }
    Loop loop = loop_of(k, block, parallel ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL, "batch", num(k, 0),
                        mg_gemm_extent(g, &g->batch), 1);
    block = loop.body;
    g->batch_no = loop.at;
    mg_kb_positions(&g->kb, block, g->piece, g->batch.index, g->batch.n, g->batch_no, g->at.loop);
    return block;
}

// A factor that depends on the batch is packed for every batch.
static const MgKx *kept_base(MgGemm *g, MgKBlock *block, const MgSx *factor, MgGemmKeeping what) {
    bool follows = mg_gemm_follows_batch(g, factor);
    int64_t size = follows ? mg_gemm_kept_size(g, what) : 0;
    return named(g->kb.k, block, "kept", times(g->kb.k, g->batch_no, size));
}

void mg_gemm_emit(MgGemm *g) {
    MgKBlock *block = open_batch(g, &g->kb.k->body);
    if (g->plan.rows_kept)
        g->row.base = kept_base(g, block, g->row.x, MG_GEMM_KEEP_ROWS);
    if (g->plan.columns_kept)
        g->column.base = kept_base(g, block, g->column.x, MG_GEMM_KEEP_COLUMNS);
    emit_product(g, block);
}
