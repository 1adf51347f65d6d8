// The kernel of the adjoint of Winograd's algorithm; winograd_taps.c describes it.
#include "passes/schedule/contraction/winograd_taps.h"
#include "passes/schedule/words.h"

enum { SQUARE = MG_TILE_TAPS * MG_TILE_TAPS };

typedef struct Strip {
    const MgKx *map, *maps, *group; // its first map, the number of its maps, its first vector of
                                    // channels
    const MgKx *sums;               // the element where its sums begin
} Strip;

// ---------------------------------------------------------------- points
// Workers share the vectors of both factors.
static void emit_points(MgTaps *t, MgKBlock *block, const MgWinoBlock *b) {
    MgWino *w = &t->w;
    MgKernel *k = w->kb.k;
    Loop loop = share_out(k, block, "group", num(k, t->size.channel + t->size.map));
    MgKs *image = mg_kif(k, loop.body, less(k, loop.at, num(k, t->size.channel)));
    mg_wino_set_taps(w, false);
    mg_wino_emit_points(w, &image->body, b, &t->image, loop.at);
    const MgKx *rest = named(k, &image->orelse, "rest", minus(k, loop.at, t->size.channel));
    mg_wino_emit_points(w, &image->orelse, b, &t->slope, rest);
}

// ---------------------------------------------------------------- products
// Stores the tile's sums, or adds them to those of the blocks before. So a chain of additions is no
// longer than a block.
static void keep_sums(MgTaps *t, MgKBlock *block, const MgWinoBlock *b, const MgKx *to) {
    MgWino *w = &t->w;
    MgKernel *k = w->kb.k;
    MgKBlock *first = block, *later = NULL;
    if (t->blocks > 1) {
        MgKs *is_first = mg_kif(k, block, equal(k, b->number, num(k, 0)));
        first = &is_first->body;
        later = &is_first->orelse;
    }
    for (uint32_t i = 0; i < w->plan.mr * w->plan.nv; i++) {
        const MgKx *at = plus(k, to, i * w->plan.lanes);
        store(k, first, t->sums.buf, at, mg_wino_sum_at(w, i));
        if (later)
            store(k, later, t->sums.buf, at,
                  add(k, loaded(k, t->sums.buf, at, w->plan.lanes), mg_wino_sum_at(w, i)));
    }
}

// Adds up a strip's products over the tiles of the block, each a small product of matrices.
static void emit_products(MgTaps *t, MgKBlock *block, const MgWinoBlock *b, const Strip *strip) {
    MgWino *w = &t->w;
    MgKernel *k = w->kb.k;
    int64_t lanes = w->plan.lanes;
    Loop products = each_of(k, block, "product", num(k, mg_wino_products(w)));
    block = products.body;
    const MgKx *product = products.at, *points[MG_WINO_VECTORS];
    const MgKx *from = times(k, product, t->image.by_product);
    for (uint32_t v = 0; v < w->plan.nv; v++) { // vectors past the last one are never used
        const MgKx *group = least(k, plus(k, strip->group, v), num(k, t->size.channel - 1));
        const MgKx *at = mg_wino_points_at(w, &t->image, num(k, 0), group);
        points[v] = named(k, block, "points", add(k, from, at));
    }
    Loop panels = each_from(k, block, "panel", num(k, 0), strip->maps, w->plan.mr);
    block = panels.body;
    const MgKx *map = named(k, block, "map", add(k, strip->map, panels.at));
    const MgKx *slopes = mg_wino_points_at(w, &t->slope, num(k, 0), over(k, map, lanes));
    slopes = add(k, slopes, add(k, modulo(k, map, lanes), times(k, product, t->slope.by_product)));
    slopes = named(k, block, "slopes", slopes);
    const MgKx *at =
        add(k, times(k, product, t->size.product), times(k, panels.at, mg_taps_width(t)));
    at = named(k, block, "at", add(k, strip->sums, at));
    mg_wino_clear_sums(w, block);
    Loop tiles = each_of(k, block, "t", b->tiles);
    const MgKx *tile = times(k, tiles.at, lanes), *now[MG_WINO_VECTORS];
    tile = named(k, tiles.body, "tile", tile);
    for (uint32_t v = 0; v < w->plan.nv; v++)
        now[v] = add(k, points[v], tile);
    mg_wino_step(w, tiles.body, t->slope.to.buf, add(k, slopes, tile), 1, t->image.to.buf, now);
    keep_sums(t, block, b, at);
}

// ---------------------------------------------------------------- results
// The plain sum at one tap, with places along the lanes.
static const MgKx *direct_sum(MgTaps *t, MgKBlock *block, const MgKx *row, const MgKx *column) {
    MgWino *w = &t->w;
    MgKernel *k = w->kb.k;
    MgKType vector = mg_kt(MG_F32, w->plan.lanes);
    store(k, block, w->acc, num(k, 0), mg_kfloat(k, vector, 0));
    Loop images = each_of(k, block, "image", num(k, w->box.batches));
    mg_wino_set_batch(w, images.body, images.at);
    Loop rows = each_of(k, images.body, "row", num(k, w->row.size));
    Loop columns =
        each_from(k, rows.body, "column", num(k, 0), num(k, w->column.size), w->plan.lanes);
    w->at.loop[w->row.place] = rows.at;
    w->at.loop[w->column.place] = columns.at;
    w->at.loop[w->row.tap] = row;
    w->at.loop[w->column.tap] = column;
    mg_wino_set_taps(w, true);
    const MgKx *mask = NULL;
    if (w->column.size % w->plan.lanes)
        mask = mg_wino_mask_below(w, columns.body, columns.at, num(k, w->column.size));
    const MgKx *x = mg_wino_factor(w, columns.body, w->image, w->column.place, mask);
    const MgKx *y = mg_wino_factor(w, columns.body, t->gradient, w->column.place, mask);
    store(k, columns.body, w->acc, num(k, 0), add(k, mul(k, x, y), mg_wino_sum_at(w, 0)));
    return mg_kfold(k, MG_PRIM_ADD, mg_wino_sum_at(w, 0));
}

// Infinities and overflows spread over taps as NaN. If the results of a map and adjacent channels
// contain any, these are summed plainly.
static void mend(MgTaps *t, MgKBlock *block, const MgKx *check, const MgKx *channel) {
    MgWino *w = &t->w;
    MgKernel *k = w->kb.k;
    MgKBlock *body = block_if(k, block, mg_kfold(k, MG_PRIM_OR, bin(k, MG_PRIM_NE, check, check)));
    Loop lanes = each_of(k, body, "c", num(k, w->plan.lanes));
    const MgKx *now = w->at.loop[w->box.channel] =
        named(k, lanes.body, "channel", add(k, channel, lanes.at));
    body = block_if(k, lanes.body, less(k, now, num(k, w->box.channels)));
    Loop rows = each_of(k, body, "k", num(k, MG_TILE_TAPS));
    Loop columns = each_of(k, rows.body, "l", num(k, MG_TILE_TAPS));
    const MgKx *row = rows.at, *column = columns.at;
    body = columns.body;
    const MgKx *sum = direct_sum(t, body, row, column);
    const MgKx *at =
        add(k, times(k, lanes.at, SQUARE), add(k, times(k, row, MG_TILE_TAPS), column));
    store(k, body, w->lines, at, sum);
}

// Passes the taps of a map and a vector of channels through the epilogue, as one line.
static void finish(MgTaps *t, MgKBlock *block, const MgKx *channel) {
    MgWino *w = &t->w;
    MgKernel *k = w->kb.k;
    MgIxTable *ix = w->s->ix;
    uint32_t line = w->piece->n_indices; // the symbol of a place in the line of all channels
    MgIx n = mg_ix_idx(ix, line), taps = mg_ix_const(ix, MG_TILE_TAPS);
    MgIx square = mg_ix_const(ix, SQUARE);
    MgWino with = *w;
    with.at.with[w->box.channel] = mg_ix_div(ix, n, square);
    with.at.with[w->row.tap] = mg_ix_mod(ix, mg_ix_div(ix, n, taps), taps);
    with.at.with[w->column.tap] = mg_ix_mod(ix, n, taps);
    with.at.high[line] = mg_ix_const(ix, SQUARE * w->box.channels);
    Loop vectors = each_from(k, block, "at", num(k, 0), num(k, (int64_t)SQUARE * w->plan.lanes),
                             w->plan.lanes);
    const MgKx *at = vectors.at, *mask = NULL;
    with.at.loop[line] = named(k, vectors.body, "place", add(k, times(k, channel, SQUARE), at));
    if (w->box.channels % w->plan.lanes)
        mask = mg_wino_mask_below(w, vectors.body, with.at.loop[line],
                                  num(k, SQUARE * w->box.channels));
    MgPoint p = mg_wino_point(&with, vectors.body, (int)line, mask);
    mg_kb_epilogue(&p, named(k, vectors.body, "sum", loaded(k, w->lines, at, w->plan.lanes)));
}

// Stores vectors of channels, one for each tap, as taps of one channel after another. A vector that
// is longer than a channel's taps ends in the next one's, which are stored later.
static void store_taps(MgTaps *t, MgKBlock *block, const MgKx *const *x) {
    MgWino *w = &t->w;
    MgKernel *k = w->kb.k;
    uint32_t lanes = w->plan.lanes;
    const MgKx *turned[64];
    for (uint32_t first = 0; first < SQUARE; first += lanes) {
        if (first + 1 == SQUARE) {
            store(k, block, w->lines, mg_kramp(k, num(k, first), num(k, SQUARE), lanes), x[first]);
            continue;
        }
        for (uint32_t i = 0; i < lanes; i++)
            turned[i] = first + i < SQUARE ? x[first + i] : mg_kfloat(k, mg_kt(MG_F32, lanes), 0);
        mg_ktranspose(k, block, turned, lanes);
        for (uint32_t i = 0; i < lanes; i++)
            store(k, block, w->lines, num(k, (int64_t)i * SQUARE + first), turned[i]);
    }
}

// Makes the taps of a map and a vector of channels of their products.
static void emit_taps(MgTaps *t, MgKBlock *block, const MgKx *from, const MgKx *channel) {
    MgWino *w = &t->w;
    MgKernel *k = w->kb.k;
    const MgKx *x[MG_TILE_POINTS * MG_TILE_POINTS];
    for (uint32_t i = 0; i < mg_wino_products(w); i++)
        x[i] = named(k, block, "q",
                     loaded(k, t->sums.buf, plus(k, from, i * t->size.product), w->plan.lanes));
    mg_wino_taps(w, block, x);
    const MgKx *check = mg_kfloat(k, mg_kt(MG_F32, w->plan.lanes), 0);
    for (uint32_t i = 0; i < SQUARE; i++)
        check = named(k, block, "check", add(k, check, sub(k, x[i], x[i])));
    store_taps(t, block, x);
    mend(t, block, check, channel);
    finish(t, block, channel);
}

static void emit_results(MgTaps *t, MgKBlock *block, const MgWinoBlock *b, const Strip *strip) {
    MgWino *w = &t->w;
    MgKernel *k = w->kb.k;
    if (t->blocks > 1)
        block = block_if(k, block, equal(k, b->number, num(k, t->blocks - 1)));
    const MgKx *end = least(k, strip->maps, sub(k, num(k, w->box.maps), strip->map));
    Loop maps = each_of(k, block, "m", end);
    Loop vectors = each_of(k, maps.body, "v", num(k, w->plan.nv));
    const MgKx *m = maps.at, *v = vectors.at;
    block = vectors.body;
    const MgKx *group = named(k, block, "group", add(k, strip->group, v));
    if (t->size.channel % w->plan.nv)
        block = block_if(k, block, less(k, group, num(k, t->size.channel)));
    w->at.loop[w->box.map] = named(k, block, "map", add(k, strip->map, m));
    const MgKx *channel = named(k, block, "channel", times(k, group, w->plan.lanes));
    const MgKx *from = add(k, times(k, m, mg_taps_width(t)), times(k, v, w->plan.lanes));
    emit_taps(t, block, named(k, block, "from", add(k, strip->sums, from)), channel);
}

// ---------------------------------------------------------------- strips
static Strip open_strip(MgTaps *t, MgKBlock *block, const MgKx *number) {
    MgWino *w = &t->w;
    MgKernel *k = w->kb.k;
    Strip s = {.group = times(k, modulo(k, number, t->size.across), w->plan.nv),
               .map = times(k, over(k, number, t->size.across), t->maps)};
    s.group = named(k, block, "group", s.group);
    s.map = named(k, block, "map", s.map);
    const MgKx *left = sub(k, num(k, t->size.map * w->plan.lanes), s.map);
    s.maps = named(k, block, "maps", least(k, num(k, t->maps), left));
    s.sums = t->sums.base ? t->sums.base : num(k, 0);
    if (t->blocks > 1)
        s.sums = add(k, s.sums, times(k, number, mg_wino_products(w) * t->size.product));
    s.sums = named(k, block, "sums", s.sums);
    return s;
}

void mg_taps_emit(MgTaps *t) {
    MgWino *w = &t->w;
    MgKernel *k = w->kb.k;
    Loop blocks = each_of(k, &k->body, "block", w->now.all);
    MgWinoBlock b = mg_wino_open_block(w, blocks.body, blocks.at);
    b.number = blocks.at;
    emit_points(t, blocks.body, &b);
    mg_kbarrier(k, blocks.body, MG_BARRIER_GRID);
    Loop strips = share_out(k, blocks.body, "strip", num(k, t->size.strips));
    Strip strip = open_strip(t, strips.body, strips.at);
    emit_products(t, strips.body, &b, &strip);
    emit_results(t, strips.body, &b, &strip);
    if (t->blocks > 1)
        mg_kbarrier(k, blocks.body, MG_BARRIER_GRID);
}
