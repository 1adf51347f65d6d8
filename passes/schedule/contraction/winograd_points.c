// Blocks of an image by Winograd's algorithm, and their points; the algorithm is named in
// winograd.c.
//
// Lanes are channels: pixels of a line are transposed once to vectors of channels, which are
// staged, and the squares of staged pixels are transformed to points.
#include "passes/schedule/contraction/winograd.h"
#include "passes/schedule/words.h"

const MgKx *mg_wino_scaled(MgWino *w, const MgKx *a, int64_t by, const MgKx *b) {
    return add(w->kb.k, times(w->kb.k, a, by), b);
}

const MgKx *mg_wino_mask_below(MgWino *w, MgKBlock *block, const MgKx *first, const MgKx *end) {
    MgKernel *k = w->kb.k;
    return named(k, block, "mask", lanes_below(k, first, end, w->plan.lanes));
}

void mg_wino_set_places(MgWino *w, int64_t beyond) {
    MgIxTable *t = w->s->ix;
    w->at.high[w->row.place] = mg_ix_add(t, w->row.extent, mg_ix_const(t, beyond));
    w->at.high[w->column.place] = mg_ix_add(t, w->column.extent, mg_ix_const(t, beyond));
}

void mg_wino_set_taps(MgWino *w, bool weights) {
    const MgWinoSide *sides[] = {&w->row, &w->column};
    for (uint32_t i = 0; i < 2; i++) {
        MgIx first = mg_ix_const(w->s->ix, sides[i]->backward ? MG_TILE_TAPS - 1 : 0);
        w->at.with[sides[i]->tap] = weights ? mg_ix_idx(w->s->ix, sides[i]->tap) : first;
    }
}

void mg_wino_set_batch(MgWino *w, MgKBlock *block, const MgKx *number) {
    mg_kb_positions(&w->kb, block, w->piece, w->box.batch, w->box.n_batch, number, w->at.loop);
}

const MgKx *mg_wino_factor(MgWino *w, MgKBlock *block, const MgSx *x, uint32_t vector,
                           const MgKx *mask) {
    MgPoint p = mg_wino_point(w, block, (int)vector, mask);
    return named(w->kb.k, block, "x", mg_point_factor(&p, x));
}

// ---------------------------------------------------------------- the stage
static const MgKx *stage_at(MgWino *w, const MgWinoPoints *points, const MgKx *row,
                            const MgKx *pixel) {
    const MgKx *at = add(w->kb.k, mul(w->kb.k, row, points->line), pixel);
    at = times(w->kb.k, at, w->plan.lanes);
    return w->stage.base ? add(w->kb.k, at, w->stage.base) : at;
}

// Stages a line of `channels` from the current channel on, as vectors of channels.
static void stage_line(MgWino *w, MgKBlock *block, const MgWinoBlock *b, const MgWinoPoints *points,
                       const MgKx *slot, const MgKx *channel, uint32_t channels) {
    MgKernel *k = w->kb.k;
    Loop loop = each_from(k, block, "pixel", num(k, 0), points->line, w->plan.lanes);
    const MgKx *pixel = loop.at, *x[64];
    const MgKx *end = plus(k, w->column.end, points->beyond), *mask = NULL;
    const MgKx *place = mg_wino_scaled(w, b->left, w->plan.form->outputs, pixel);
    place = w->at.loop[w->column.place] = w->open ? named(k, loop.body, "place", place) : place;
    if (!points->length || points->length > w->column.size + points->beyond)
        mask = mg_wino_mask_below(w, loop.body, place, end);
    for (uint32_t i = 0; i < w->plan.lanes; i++) {
        w->at.loop[points->channel] = plus(k, channel, i);
        x[i] = i < channels ? mg_wino_factor(w, loop.body, points->x, w->column.place, mask)
                            : mg_kfloat(k, mg_kt(MG_F32, w->plan.lanes), 0);
    }
    mg_ktranspose(k, loop.body, x, w->plan.lanes);
    const MgKx *to = named(k, loop.body, "to", stage_at(w, points, slot, pixel));
    for (uint32_t i = 0; i < w->plan.lanes; i++)
        store(k, loop.body, w->stage.buf, plus(k, to, (int64_t)i * w->plan.lanes), x[i]);
}

static void clear_line(MgWino *w, MgKBlock *block, const MgWinoPoints *points, const MgKx *slot) {
    MgKernel *k = w->kb.k;
    Loop loop = each_of(k, block, "pixel", points->line);
    store(k, loop.body, w->stage.buf, stage_at(w, points, slot, loop.at),
          mg_kfloat(k, mg_kt(MG_F32, w->plan.lanes), 0));
}

// The lines that a block's tiles read; below the image they are 0.
static void stage(MgWino *w, MgKBlock *block, const MgWinoBlock *b, const MgWinoPoints *points,
                  const MgKx *channel, uint32_t channels) {
    MgKernel *k = w->kb.k;
    const MgKx *n = mg_wino_scaled(w, b->rows, w->plan.form->outputs, num(k, points->beyond));
    Loop loop = each_of(k, block, "slot", n);
    const MgKx *slot = loop.at, *row = mg_wino_scaled(w, b->top, w->plan.form->outputs, slot);
    row = w->at.loop[w->row.place] = named(k, loop.body, "row", row);
    const MgKx *end = plus(k, w->row.end, points->beyond);
    MgKs *inside = mg_kif(k, loop.body, less(k, row, end));
    stage_line(w, &inside->body, b, points, slot, channel, channels);
    clear_line(w, &inside->orelse, points, slot);
}

// ---------------------------------------------------------------- points
const MgKx *mg_wino_points_at(MgWino *w, const MgWinoPoints *points, const MgKx *tile,
                              const MgKx *group) {
    MgKernel *k = w->kb.k;
    const MgKx *at = add(k, times(k, tile, points->by_tile), times(k, group, points->by_group));
    return points->to.base ? add(k, at, points->to.base) : at;
}

// Transforms all tiles of the stage.
static void transform(MgWino *w, MgKBlock *block, const MgWinoBlock *b, const MgWinoPoints *points,
                      const MgKx *group, const MgKx *before) {
    MgKernel *k = w->kb.k;
    uint32_t n = points->side;
    const MgKx *x[MG_TILE_POINTS * MG_TILE_POINTS];
    Loop rows = each_of(k, block, "row", b->rows);
    Loop across = each_of(k, rows.body, "tile", b->columns);
    const MgKx *row = rows.at, *tile = across.at;
    const MgKx *from = named(k, across.body, "from",
                             stage_at(w, points, times(k, row, w->plan.form->outputs),
                                      times(k, tile, w->plan.form->outputs)));
    for (uint32_t i = 0; i < n * n; i++) {
        const MgKx *line = times(k, points->line, i / n * w->plan.lanes);
        const MgKx *at = add(k, from, plus(k, line, i % n * w->plan.lanes));
        x[i] = named(k, across.body, "d", loaded(k, w->stage.buf, at, w->plan.lanes));
    }
    points->transform(w, across.body, x);
    const MgKx *number = add(k, before, add(k, mul(k, row, b->columns), tile));
    number = named(k, across.body, "number", number);
    const MgKx *to = named(k, across.body, "to", mg_wino_points_at(w, points, number, group));
    for (uint32_t i = 0; i < mg_wino_products(w); i++)
        store(k, across.body, points->to.buf, plus(k, to, i * points->by_product), x[i]);
}

MgKBlock *mg_wino_each_image(MgWino *w, MgKBlock *block, const MgWinoBlock *b,
                             const MgKx **before) {
    MgKernel *k = w->kb.k;
    *before = num(k, 0);
    if (!b->images)
        return block;
    Loop loop = each_of(k, block, "image", b->images);
    mg_wino_set_batch(w, loop.body, add(k, b->first, loop.at));
    *before = mul(k, loop.at, mul(k, b->rows, b->columns));
    *before = named(k, loop.body, "before", *before);
    return loop.body;
}

void mg_wino_emit_points(MgWino *w, MgKBlock *block, const MgWinoBlock *b,
                         const MgWinoPoints *points, const MgKx *group) {
    MgKernel *k = w->kb.k;
    mg_wino_set_places(w, points->beyond);
    int64_t whole = points->channels / w->plan.lanes, rest = points->channels % w->plan.lanes;
    const MgKx *channel = named(k, block, "channel", times(k, group, w->plan.lanes));
    const MgKx *before;
    MgKBlock *image = mg_wino_each_image(w, block, b, &before);
    MgKs *some = whole && rest ? mg_kif(k, image, less(k, group, num(k, whole))) : NULL;
    if (whole)
        stage(w, some ? &some->body : image, b, points, channel, w->plan.lanes);
    if (rest)
        stage(w, some ? &some->orelse : image, b, points, channel, (uint32_t)rest);
    transform(w, image, b, points, group, before);
    mg_wino_set_places(w, 0);
}

// ---------------------------------------------------------------- products
const MgKx *mg_wino_sum_at(MgWino *w, uint32_t i) {
    return loaded(w->kb.k, w->acc, num(w->kb.k, i), w->plan.lanes);
}

void mg_wino_clear_sums(MgWino *w, MgKBlock *block) {
    MgKernel *k = w->kb.k;
    for (uint32_t i = 0; i < w->plan.mr * w->plan.nv; i++)
        store(k, block, w->acc, num(k, i), mg_kfloat(k, mg_kt(MG_F32, w->plan.lanes), 0));
}

void mg_wino_step(MgWino *w, MgKBlock *block, MgKBufId factor, const MgKx *a, int64_t apart,
                  MgKBufId vectors, const MgKx *const *b) {
    MgKernel *k = w->kb.k;
    const MgKx *x[MG_WINO_VECTORS];
    for (uint32_t v = 0; v < w->plan.nv; v++)
        x[v] = named(k, block, "b", loaded(k, vectors, b[v], w->plan.lanes));
    for (uint32_t r = 0, i = 0; r < w->plan.mr; r++) {
        const MgKx *y = mg_ksplat(k, loaded(k, factor, plus(k, a, r * apart), 1), w->plan.lanes);
        y = named(k, block, "a", y);
        for (uint32_t v = 0; v < w->plan.nv; v++, i++)
            store(k, block, w->acc, num(k, i),
                  mg_multiply_add(w->s, k, y, x[v], mg_wino_sum_at(w, i)));
    }
}

// ---------------------------------------------------------------- blocks
static const MgKx *digit(MgWino *w, MgKBlock *block, const MgKx **number, const MgKx *of) {
    const MgKx *d = remainder_of(w->kb.k, *number, of);
    *number = named(w->kb.k, block, "number", quotient(w->kb.k, *number, of));
    return d;
}

// If sizes are open, an image's blocks also lie side by side, and the last ones may be smaller.
static void open_sides(MgWino *w, MgKBlock *block, const MgKx **number, MgWinoBlock *b) {
    MgKernel *k = w->kb.k;
    const MgKx *up = num(k, w->plan.form->outputs - 1), *outputs = num(k, w->plan.form->outputs);
    b->left =
        named(k, block, "left", mul(k, digit(w, block, number, w->now.across), w->now.columns));
    b->top = named(k, block, "top", mul(k, digit(w, block, number, w->now.blocks), w->now.rows));
    const MgKx *columns = quotient(k, add(k, w->column.end, up), outputs);
    const MgKx *rows = quotient(k, add(k, w->row.end, up), outputs);
    const MgKx *zero = num(k, 0);
    columns = greatest(k, sub(k, columns, b->left), zero);
    rows = greatest(k, sub(k, rows, b->top), zero);
    b->columns = named(k, block, "columns", least(k, w->now.columns, columns));
    b->rows = named(k, block, "rows", least(k, w->now.rows, rows));
}

MgWinoBlock mg_wino_open_block(MgWino *w, MgKBlock *block, const MgKx *number) {
    MgKernel *k = w->kb.k;
    MgWinoBlock b = {.left = num(k, 0), .columns = w->now.columns};
    if (w->open) {
        open_sides(w, block, &number, &b);
    } else {
        b.top =
            named(k, block, "top", mul(k, digit(w, block, &number, w->now.blocks), w->now.rows));
        b.rows = w->now.rows;
        if (w->row.tiles % w->plan.rows)
            b.rows = named(k, block, "rows", least(k, b.rows, sub(k, num(k, w->row.tiles), b.top)));
    }
    if (w->plan.images > 1) {
        b.first = named(k, block, "first", times(k, number, w->plan.images));
        b.images = num(k, w->plan.images);
        if (w->box.batches % w->plan.images)
            b.images = named(k, block, "images",
                             least(k, b.images, sub(k, num(k, w->box.batches), b.first)));
    } else {
        mg_wino_set_batch(w, block, number);
    }
    b.number = number;
    b.tiles = mul(k, b.rows, b.columns);
    if (b.images)
        b.tiles = mul(k, b.images, b.tiles);
    b.tiles = named(k, block, "tiles", b.tiles);
    b.panels = named(k, block, "panels", over(k, plus(k, b.tiles, w->plan.mr - 1), w->plan.mr));
    return b;
}
