// The register tile of a contraction: a panel of rows times a strip of columns, and how its sums
// are finished. The algorithm is named in contraction.c.
#include "passes/schedule/contraction/contraction.h"
#include "passes/schedule/words.h"

// ---------------------------------------------------------------- the product
// The rounding error of a sum grows with the square root of its length, since each addition rounds
// a number of the sum's size. So a long sum of f32 is cut into chains that are summed on their own
// and then added (Blanchard, Higham and Mary, "A class of fast and accurate summation algorithms",
// SIAM J. Sci. Comput. 2020). Returns the length of a chain, or 0 if there is only one.
static int64_t chain_length(const MgGemm *g) {
    enum { USUAL = 128 }; // about 1% of the time goes into adding chains
    int64_t depth = g->plan.kc, chains = (depth + USUAL / 2) / USUAL;
    // A result of 16 bits is rounded far more than a long chain is.
    MgDType result = mg_value(g->s->g, g->unit->outputs[0])->dtype;
    if (g->type != MG_F32 || mg_dtype_size(result) < mg_dtype_size(MG_F32) || g->words.used ||
        g->s->options->strict || chains < 2)
        return 0;
    return mg_ceil_div(depth, chains);
}

static const MgKx *tile_vector(MgGemm *g, uint32_t number) {
    return loaded(g->kb.k, g->sums.acc, num(g->kb.k, number), g->lanes);
}

// Where the tile's sums are once all steps are added, and one of them.
static MgKBufId sums_in(const MgGemm *g) {
    return chain_length(g) ? g->sums.done : g->sums.acc;
}

static const MgKx *sum_vector(MgGemm *g, uint32_t number) {
    return loaded(g->kb.k, sums_in(g), num(g->kb.k, number), g->lanes);
}

// Masks the lanes of each vector that are columns; NULL: all.
static void column_masks(MgGemm *g, MgKBlock *block, const MgGemmTile *t, const MgKx **masks) {
    MgKernel *k = g->kb.k;
    bool whole = t->nv == g->plan.nv && (mg_gemm_last_is_narrow(g) || mg_gemm_strips_are_whole(g));
    for (uint32_t v = 0; v < t->nv; v++) {
        masks[v] = NULL;
        if (whole)
            continue;
        const MgKx *n = plus(k, t->n0, v * g->lanes);
        masks[v] = lanes_below(k, n, mg_gemm_extent(g, &g->n), g->lanes);
        masks[v] = named(k, block, "mask", masks[v]);
    }
}

// Does a strip come from L2? It does if it is too large to stay in L1 besides a panel.
static bool strips_stream(const MgGemm *g) {
    int64_t l1 = g->s->options->target.l1_bytes, size = (int64_t)mg_dtype_size(g->type);
    return g->plan.kc * g->plan.nv * g->lanes * size > (l1 ? l1 : 32768) / 2;
}

typedef enum From {
    STRIP,  // packed columns
    LYING,  // columns in place
    FILLING // columns in place, which are packed on the way
} From;

// Lines from L2 or beyond are prefetched a page, or an eighth of L1, ahead of their use.
static void prefetch_columns(MgGemm *g, MgKBlock *body, const MgGemmTile *t, const MgKx *at,
                             From from) {
    MgKernel *k = g->kb.k;
    int64_t ahead = mg_figure(g->s, strip_ahead), steps = ahead / g->plan.nv;
    int64_t in_line = mg_line(g->s) / (g->lanes * (int64_t)mg_dtype_size(g->type)); // vectors
    if (from == FILLING)
        g->at.loop[MG_GEMM_K] = plus(k, g->at.loop[MG_GEMM_K], steps);
    else if (from == LYING || !strips_stream(g))
        return;
    for (uint32_t v = 0; v < t->nv && ahead; v += in_line > 1 ? (uint32_t)in_line : 1) {
        g->at.loop[MG_GEMM_N] = plus(k, t->n0, v * g->lanes);
        if (from == FILLING)
            mg_kprefetch(k, body, g->column.lies_in,
                         mg_kb_ix(&g->kb, g->column.lies_at, g->at.loop));
        mg_kprefetch(k, body, g->column.packed, plus(k, at, (steps * g->plan.nv + v) * g->lanes));
    }
}

// Loads the column factor's vectors at step kk.
static void load_columns(MgGemm *g, MgKBlock *body, const MgGemmTile *t, const MgKx *kk, From from,
                         const MgKx *const *masks, const MgKx **b) {
    MgKernel *k = g->kb.k;
    const MgKx *at = add(k, t->strip, times(k, kk, g->plan.nv * g->lanes));
    at = from == LYING ? NULL : named(k, body, "strip", at);
    if (from != STRIP)
        g->at.loop[MG_GEMM_K] = named(k, body, "kk", add(k, t->k0, kk));
    for (uint32_t v = 0; v < t->nv; v++) {
        const MgKx *place = at ? plus(k, at, v * g->lanes) : NULL;
        g->at.loop[MG_GEMM_N] = plus(k, t->n0, v * g->lanes);
        const MgKx *x = from == STRIP ? loaded(k, g->column.packed, place, g->lanes)
                                      : mg_gemm_factor(g, body, g->column.x, MG_GEMM_N, masks[v]);
        b[v] = named(k, body, "b", x);
        if (from == FILLING)
            store(k, body, g->column.packed, place, b[v]);
    }
    prefetch_columns(g, body, t, at, from);
}

// The beginning of row r, or of the last row if r may not exist.
static const MgKx *open_row(MgGemm *g, MgKBlock *block, const MgGemmTile *t, uint32_t r) {
    MgKernel *k = g->kb.k;
    const MgKx *row = least(k, num(k, r), minus(k, t->valid, 1));
    row = times(k, row, g->plan.row_along_k ? g->pitch : 1);
    return named(k, block, "row", r ? add(k, t->panel, row) : t->panel);
}

// Row r's factor of a step, in all lanes. `at` is its element of the panel. Where an instruction
// takes a lane as a factor, the rows of a packed step are loaded as vectors.
static const MgKx *row_factor(MgGemm *g, MgKBlock *body, const MgGemmTile *t, uint32_t r,
                              const MgKx *at, const MgKx **vector) {
    MgKernel *k = g->kb.k;
    uint32_t lane = r % g->lanes;
    if (!mg_gemm_takes_lanes(g) || r - lane + g->lanes > t->mr)
        return named(k, body, "a", mg_ksplat(k, loaded(k, g->row.packed, at, 1), g->lanes));
    if (!lane)
        *vector = named(k, body, "rows", loaded(k, g->row.packed, at, g->lanes));
    return mg_ksplat(k, mg_klane(k, *vector, lane), g->lanes);
}

// Adds the products of step `kk` to the tile. `open`: the rows' beginnings, if some may not exist.
static void multiply_step(MgGemm *g, MgKBlock *body, const MgGemmTile *t, From from, const MgKx *kk,
                          const MgKx *const *masks, const MgKx *const *open) {
    MgKernel *k = g->kb.k;
    const MgKx *b[MG_GEMM_VECTORS], *rows = NULL;
    load_columns(g, body, t, kk, from, masks, b);
    const MgKx *step = g->plan.row_along_k ? kk : times(k, kk, g->plan.mr);
    const MgKx *panel = t->valid ? NULL : named(k, body, "panel", add(k, t->panel, step));
    for (uint32_t r = 0; r < t->mr; r++) { // these are statements, since the tile's indices are
                                           // constants
        const MgKx *at = panel ? plus(k, panel, r * (g->plan.row_along_k ? g->pitch : 1))
                               : add(k, open[r], step);
        const MgKx *a = row_factor(g, body, t, r, at, &rows);
        for (uint32_t v = 0; v < t->nv; v++) {
            const MgKx *acc = tile_vector(g, r * t->nv + v);
            const MgKx *next = mg_gemm_multiply(g, a, b[v], acc);
            store(k, body, g->sums.acc, num(k, r * t->nv + v), next);
        }
    }
    for (uint32_t v = 0; v < t->nv && g->words.offset; v++) {
        const MgKx *sum = tile_vector(g, t->mr * t->nv + v);
        sum = mg_gemm_multiply(g, mg_gemm_offset_row(g), b[v], sum);
        store(k, body, g->sums.acc, num(k, t->mr * t->nv + v), sum);
    }
}

// Adds the products of the steps from `begin` to `end` to the tile. A trip has several steps where
// the loop's own instructions count.
static void multiply(MgGemm *g, MgKBlock *block, const MgGemmTile *t, From from, const MgKx *begin,
                     const MgKx *end) {
    MgKernel *k = g->kb.k;
    const MgKx *masks[MG_GEMM_VECTORS], *open[MG_GEMM_OPEN_ROWS];
    int64_t steps = t->valid ? 1 : mg_figure(g->s, tile_steps);
    for (uint32_t r = 0; r < t->mr && t->valid; r++)
        open[r] = open_row(g, block, t, r);
    if (from != STRIP)
        column_masks(g, block, t, masks);
    if (steps > 1) {
        const MgKx *whole = times(k, over(k, sub(k, end, begin), steps), steps);
        whole = named(k, block, "whole", add(k, begin, whole));
        Loop loop = each_from(k, block, "k", begin, whole, steps);
        for (int64_t i = 0; i < steps; i++)
            multiply_step(g, loop.body, t, from, plus(k, loop.at, i), masks, open);
        begin = whole;
    }
    Loop loop = each_from(k, block, "k", begin, end, 1);
    multiply_step(g, loop.body, t, from, loop.at, masks, open);
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

// Is the epilogue so short that it may be written out for every vector of the tile? If sums are
// deep, the epilogue is a small part of the work.
static bool short_end(MgGemm *g) {
    enum { DEEP = 256, MOST = 16 };
    Length l = {0, g->k.known > 0 && g->k.known <= DEEP};
    for (uint32_t i = 1; i < g->unit->n_ops; i++)
        mg_sx_walk(mg_op(g->s->g, g->unit->ops[i])->equation->pieces[0].expr, count_node, &l);
    return g->unit->n_ops == 1 || (l.cheap && l.nodes <= MOST);
}

// Do sums go from the registers to the output, vector by vector? Otherwise they go through memory.
static bool ends_straight(MgGemm *g) {
    return !g->plan.transposed && !g->row_end && short_end(g);
}

static void clear(MgGemm *g, MgKBlock *block, MgKBufId vectors, uint32_t count) {
    MgKernel *k = g->kb.k;
    const MgKx *zero = mg_kfloat(k, mg_kt(g->type, g->lanes), 0);
    for (uint32_t i = 0; i < count; i++)
        store(k, block, vectors, num(k, i), zero);
}

static void sum_tile(MgGemm *g, MgKBlock *block, const MgGemmTile *t, From from) {
    MgKernel *k = g->kb.k;
    uint32_t vectors = t->mr * t->nv;
    int64_t length = chain_length(g);
    if (!length) {
        mg_gemm_prefetch_strip(g, block, t, num(k, 0), 1);
        clear(g, block, g->sums.acc, (t->mr + g->words.offset) * t->nv);
        multiply(g, block, t, from, num(k, 0), t->kc);
        return;
    }
    if (ends_straight(g)) {
        clear(g, block, g->sums.done, vectors);
    } else { // they stay in memory, where a loop, which is less code, clears them
        Loop each = each_of(k, block, "vector", num(k, vectors));
        store(k, each.body, g->sums.done, each.at, mg_kfloat(k, mg_kt(g->type, g->lanes), 0));
    }
    Loop loop = each_from(k, block, "chain", num(k, 0), t->kc, length);
    const MgKx *end = least(k, t->kc, plus(k, loop.at, length));
    mg_gemm_prefetch_strip(g, loop.body, t, over(k, loop.at, length),
                           mg_ceil_div(g->plan.kc, length));
    clear(g, loop.body, g->sums.acc, vectors);
    multiply(g, loop.body, t, from, loop.at, named(k, loop.body, "end", end));
    for (uint32_t i = 0; i < vectors; i++)
        store(k, loop.body, g->sums.done, num(k, i), add(k, sum_vector(g, i), tile_vector(g, i)));
}

// Subtracts the row of offsets from the others.
static void take_offset(MgGemm *g, MgKBlock *block, const MgGemmTile *t) {
    MgKernel *k = g->kb.k;
    for (uint32_t i = 0; i < t->mr * t->nv && g->words.offset; i++) {
        const MgKx *offset = tile_vector(g, t->mr * t->nv + i % t->nv);
        store(k, block, g->sums.acc, num(k, i), sub(k, tile_vector(g, i), offset));
    }
}

static MgOpId last_op(MgGemm *g) {
    return g->unit->ops[g->unit->n_ops - 1];
}

// Emits body(point, number in the tile) for every vector of the tile at its place in the output.
typedef void VectorFn(MgGemm *g, const MgPoint *p, uint32_t number);
static void each_vector(MgGemm *g, MgKBlock *block, const MgGemmTile *t, VectorFn *body) {
    MgKernel *k = g->kb.k;
    const MgKx *masks[MG_GEMM_VECTORS];
    column_masks(g, block, t, masks);
    for (uint32_t r = 0; r < t->mr; r++) {
        MgKBlock *row = block;
        if (t->valid && r)
            row = block_if(k, block, less(k, num(k, r), t->valid));
        g->at.loop[MG_GEMM_M] = named(k, row, "m", plus(k, t->m0, r));
        for (uint32_t v = 0; v < t->nv; v++) {
            g->at.loop[MG_GEMM_N] = plus(k, t->n0, v * g->lanes);
            MgPoint p = mg_gemm_point(g, last_op(g), row, MG_GEMM_N, masks[v]);
            body(g, &p, r * t->nv + v);
        }
    }
}

static void add_vector(MgGemm *g, MgKBlock *block, uint32_t number, const MgKx *x) {
    MgKernel *k = g->kb.k;
    store(k, block, sums_in(g), num(k, number), add(k, sum_vector(g, number), x));
}

// Between blocks of depth, sums are kept in the output, ...
static void add_from_output(MgGemm *g, const MgPoint *at, uint32_t number) {
    MgPoint p = *at;
    MgKBufId buf = mg_kb_value(&g->kb, mg_op(g->s->g, p.op)->results[0]);
    MgIx address = mg_unit_target(g->s, p.op, g->at.with, MG_GEMM_SYMS);
    add_vector(g, p.block, number, mg_point_load(&p, buf, address, NULL, NULL));
}

static void store_in_output(MgGemm *g, const MgPoint *at, uint32_t number) {
    MgPoint p = *at;
    MgKBufId buf = mg_kb_value(&g->kb, mg_op(g->s->g, p.op)->results[0]);
    MgIx address = mg_unit_target(g->s, p.op, g->at.with, MG_GEMM_SYMS);
    mg_point_store(&p, buf, g->type, address, sum_vector(g, number));
}

// ... or in a buffer of their own, tile by tile.
static const MgKx *partials_at(MgGemm *g, MgKBlock *block, const MgGemmTile *t) {
    MgKernel *k = g->kb.k;
    int64_t width = g->plan.nv * g->lanes;
    const MgKx *columns = plus(k, mg_gemm_extent(g, &g->n), width - 1);
    columns = times(k, over(k, columns, width), width);
    const MgKx *at = add(k, mul(k, t->m0, columns), times(k, t->n0, t->mr));
    if (g->partials.base)
        at = add(k, at, g->partials.base);
    return named(k, block, "partial", at);
}

typedef enum Partials { ADD, KEEP, ASK } Partials;

// Adds the sums of earlier blocks, keeps those so far, or prefetches the former while the tile is
// summed.
static void each_partial(MgGemm *g, MgKBlock *block, const MgGemmTile *t, Partials what) {
    MgKernel *k = g->kb.k;
    if (!g->partials.own) {
        if (what != ASK)
            each_vector(g, block, t, what == ADD ? add_from_output : store_in_output);
        return;
    }
    const MgKx *first = partials_at(g, block, t);
    for (uint32_t i = 0; i < t->mr * t->nv; i++) {
        const MgKx *at = plus(k, first, i * g->lanes);
        if (what == ADD)
            add_vector(g, block, i, loaded(k, g->partials.buf, at, g->lanes));
        else if (what == KEEP)
            store(k, block, g->partials.buf, at, sum_vector(g, i));
        else
            mg_kprefetch(k, block, g->partials.buf, at);
    }
}

// Straight to the output, ...
static void finish_vector(MgGemm *g, const MgPoint *at, uint32_t number) {
    mg_kb_epilogue(at, named(g->kb.k, at->block, "sum", sum_vector(g, number)));
}

// ... or from memory through the epilogue row by row, in a loop, so that its code is written once;
// values that are used outside the unit are stored.
static void finish_rows(MgGemm *g, MgKBlock *block, const MgGemmTile *t) {
    MgKernel *k = g->kb.k;
    const MgKx *masks[MG_GEMM_VECTORS];
    column_masks(g, block, t, masks);
    const MgKx *rows = t->valid ? t->valid : num(k, t->mr);
    Loop loop = each_of(k, block, "r", rows);
    const MgKx *m = named(k, loop.body, "m", add(k, t->m0, loop.at));
    for (uint32_t v = 0; v < t->nv; v++) {
        const MgKx *n = named(k, loop.body, "n", plus(k, t->n0, v * g->lanes));
        const MgKx *at = plus(k, times(k, loop.at, t->nv), v);
        g->at.loop[MG_GEMM_M] = m;
        g->at.loop[MG_GEMM_N] = n;
        MgPoint p = mg_gemm_point(g, last_op(g), loop.body, MG_GEMM_N, masks[v]);
        const MgKx *sum = loaded(k, g->sums.done, at, g->lanes);
        mg_kb_epilogue(&p, named(k, loop.body, "sum", sum));
    }
}

// The same for following ops that take whole rows: all vectors of a row at once.
static void finish_row_ends(MgGemm *g, MgKBlock *block, const MgGemmTile *t) {
    MgKernel *k = g->kb.k;
    const MgKx *masks[MG_GEMM_VECTORS], *loops[MG_GEMM_VECTORS][MG_GEMM_SYMS],
        *sums[MG_GEMM_VECTORS];
    MgPoint points[MG_GEMM_VECTORS];
    column_masks(g, block, t, masks);
    const MgKx *rows = t->valid ? t->valid : num(k, t->mr);
    Loop loop = each_of(k, block, "r", rows);
    MgKBlock *row = loop.body;
    const MgKx *r = loop.at;
    g->at.loop[MG_GEMM_M] = named(k, row, "m", add(k, t->m0, r));
    for (uint32_t v = 0; v < t->nv; v++) {
        const MgKx *at = plus(k, times(k, r, t->nv), v);
        g->at.loop[MG_GEMM_N] = named(k, row, "n", plus(k, t->n0, v * g->lanes));
        memcpy(loops[v], g->at.loop, sizeof g->at.loop);
        points[v] = mg_gemm_point(g, last_op(g), row, MG_GEMM_N, masks[v]);
        points[v].loop = loops[v];
        sums[v] = named(k, row, "sum", loaded(k, g->sums.done, at, g->lanes));
    }
    mg_kb_row_end(points, t->nv, sums);
}

// Transposes a square of sums (vector v of the columns, and as many rows from r as there are
// lanes): each vector becomes a column.
static void turn_sums(MgGemm *g, MgKBlock *block, const MgGemmTile *t, uint32_t r, const MgKx *v) {
    MgKernel *k = g->kb.k;
    const MgKx *x[64];
    for (uint32_t i = 0; i < g->lanes; i++) { // rows past the last one are not stored
        uint32_t row = r + i < t->mr ? r + i : t->mr - 1;
        const MgKx *at = plus(k, v, row * t->nv);
        x[i] = named(k, block, "sum", loaded(k, g->sums.done, at, g->lanes));
    }
    mg_ktranspose(k, block, x, g->lanes);
    for (uint32_t i = 0; i < g->lanes; i++)
        store(k, block, g->sums.turned, num(k, i), x[i]);
}

// The same column by column, along the rows.
static void finish_columns(MgGemm *g, MgKBlock *block, const MgGemmTile *t) {
    MgKernel *k = g->kb.k;
    Loop vectors = each_of(k, block, "v", num(k, t->nv));
    const MgKx *n0 = named(k, vectors.body, "n0", add(k, t->n0, times(k, vectors.at, g->lanes)));
    const MgKx *left = sub(k, mg_gemm_extent(g, &g->n), n0);
    left = named(k, vectors.body, "left", least(k, left, num(k, g->lanes)));
    for (uint32_t r = 0; r < t->mr; r += g->lanes) {
        turn_sums(g, vectors.body, t, r, vectors.at);
        const MgKx *mask = NULL;
        if (t->mr - r < g->lanes)
            mask = lanes_below(k, num(k, 0), num(k, t->mr - r), g->lanes);
        Loop loop = each_of(k, vectors.body, "j", left);
        g->at.loop[MG_GEMM_M] = named(k, loop.body, "m", plus(k, t->m0, r));
        g->at.loop[MG_GEMM_N] = named(k, loop.body, "n", add(k, n0, loop.at));
        MgPoint p = mg_gemm_point(g, last_op(g), loop.body, MG_GEMM_M, mask);
        const MgKx *sum = loaded(k, g->sums.turned, loop.at, g->lanes);
        mg_kb_epilogue(&p, named(k, loop.body, "sum", sum));
    }
}

void mg_gemm_tile(MgGemm *g, MgKBlock *block, const MgGemmTile *t) {
    MgKernel *k = g->kb.k;
    bool straight = ends_straight(g);
    if (t->first)
        each_partial(g, block, t, ASK);
    mg_gemm_prefetch(g, block, t->m0, t->n0, t->mr, t->nv);
    MgKs *filling = t->fills ? mg_kif(k, block, t->fills) : NULL;
    if (filling)
        sum_tile(g, &filling->body, t, FILLING);
    sum_tile(g, filling ? &filling->orelse : block, t, g->plan.columns_in_place ? LYING : STRIP);
    take_offset(g, block, t);
    if (t->first) // the lines prefetched at the tile's beginning have arrived
        each_partial(g, &mg_kif(k, block, t->first)->orelse, t, ADD);
    // without an epilogue, a partial sum is stored where the complete one will be
    bool same = g->unit->n_ops == 1 && straight && !g->partials.own;
    MgKs *last = t->last && !same ? mg_kif(k, block, t->last) : NULL;
    if (last)
        each_partial(g, &last->orelse, t, KEEP);
    block = last ? &last->body : block;
    if (straight) {
        each_vector(g, block, t, finish_vector);
        return;
    }
    for (uint32_t i = 0; i < t->mr * t->nv && sums_in(g) != g->sums.done; i++)
        store(k, block, g->sums.done, num(k, i), tile_vector(g, i));
    if (g->row_end)
        finish_row_ends(g, block, t);
    else if (g->plan.transposed)
        finish_columns(g, block, t);
    else
        finish_rows(g, block, t);
}
