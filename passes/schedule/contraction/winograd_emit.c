// The kernels of Winograd's algorithm; the algorithm is named in winograd.c.
//
// Lanes are channels: pixels of a line are transposed once to vectors of channels, and from then on
// both transforms, and the products between them, use whole vectors whatever the image's size.
// Finished outputs are transposed back and go through the epilogue along the line.
#include "passes/schedule/contraction/winograd.h"
#include "passes/schedule/words.h"

// The weights' tap that meets a place of three.
static const MgKx *tap(MgWino *w, const MgWinoSide *side, const MgKx *place) {
    MgKernel *k = w->kb.k;
    return side->backward ? sub(k, num(k, MG_TILE_TAPS - 1), place) : place;
}

// ---------------------------------------------------------------- weights
int64_t mg_wino_strip_size(const MgWino *w) {
    return mg_wino_products(w) * w->box.channels * (int64_t)w->plan.nv * w->plan.lanes;
}

int64_t mg_wino_weight_size(const MgWino *w) {
    int64_t strips = w->size.strips * (w->weights_differ ? w->box.batches : 1);
    return mg_wino_strip_size(w) * (w->plan.weights == MG_NEST_SPACE_LOCAL ? 1 : strips);
}

// The transformed weights of a strip of maps: products, channels, maps.
static const MgKx *weights_at(MgWino *w, const MgKx *strip) {
    return times(w->kb.k, strip, mg_wino_strip_size(w));
}

// In f64, which takes twice as long, if that is done once for all runs.
static void transform_weights(MgWino *w, MgKBlock *block, const MgKx *maps, const MgKx *to) {
    MgKernel *k = w->kb.k;
    const MgKx *x[MG_TILE_POINTS * MG_TILE_POINTS];
    w->at.loop[w->box.map] = maps;
    mg_wino_set_taps(w, true);
    const MgKx *mask = mg_wino_mask_below(w, block, maps, num(k, w->box.maps));
    for (uint32_t i = 0; i < MG_TILE_TAPS * MG_TILE_TAPS; i++) {
        w->at.loop[w->row.tap] = tap(w, &w->row, num(k, i / MG_TILE_TAPS));
        w->at.loop[w->column.tap] = tap(w, &w->column, num(k, i % MG_TILE_TAPS));
        x[i] = mg_wino_factor(w, block, w->weight, w->box.map, mask);
        if (w->unchanging)
            x[i] = named(k, block, "wide", cast(k, MG_F64, x[i]));
    }
    mg_wino_set_taps(w, false);
    mg_wino_weight(w, block, x);
    for (uint32_t i = 0; i < mg_wino_products(w); i++)
        store(k, block, w->weights.buf,
              plus(k, to, i * w->box.channels * (int64_t)w->plan.nv * w->plan.lanes),
              cast(k, MG_F32, x[i]));
}

// Transforms the weights of a strip and the current channel to the element `to`.
static void transform_strip(MgWino *w, MgKBlock *block, const MgKx *strip, const MgKx *to) {
    MgKernel *k = w->kb.k;
    Loop vectors = each_of(k, block, "v", num(k, w->plan.nv));
    block = vectors.body;
    const MgKx *maps = times(k, mg_wino_scaled(w, strip, w->plan.nv, vectors.at), w->plan.lanes);
    maps = named(k, block, "f", maps);
    to = mg_wino_scaled(w, w->at.loop[w->box.channel], (int64_t)w->plan.nv * w->plan.lanes, to);
    to = add(k, to, times(k, vectors.at, w->plan.lanes));
    transform_weights(w, block, maps, named(k, block, "to", to));
}

void mg_wino_emit_weights(MgWino *w) {
    MgKernel *k = w->kb.k;
    int64_t strips = w->size.strips * (w->weights_differ ? w->box.batches : 1);
    Loop loop = share_out(k, &k->body, "strip", num(k, strips * w->box.channels));
    const MgKx *all = named(k, loop.body, "strip", over(k, loop.at, w->box.channels));
    w->at.loop[w->box.channel] =
        named(k, loop.body, "channel", modulo(k, loop.at, w->box.channels));
    const MgKx *strip = named(k, loop.body, "maps", modulo(k, all, w->size.strips));
    if (w->weights_differ)
        mg_wino_set_batch(w, loop.body, over(k, all, w->size.strips));
    transform_strip(w, loop.body, strip, weights_at(w, all));
}

// Makes the weights of a strip in the worker's memory.
static void make_strip(MgWino *w, MgKBlock *block, const MgKx *strip) {
    MgKernel *k = w->kb.k;
    Loop loop = each_of(k, block, "channel", num(k, w->box.channels));
    w->at.loop[w->box.channel] = loop.at;
    transform_strip(w, loop.body, strip, w->weights.base ? w->weights.base : num(k, 0));
}

// ---------------------------------------------------------------- the image
static MgWinoPoints image_of(const MgWino *w) {
    return (MgWinoPoints){.x = w->image,
                          .channel = w->box.channel,
                          .channels = w->box.channels,
                          .side = w->plan.form->points,
                          .beyond = MG_TILE_TAPS - 1,
                          .transform = mg_wino_input,
                          .to = w->points,
                          .by_product = w->size.tiles * w->size.pitch,
                          .by_tile = w->size.pitch,
                          .by_group = w->plan.lanes,
                          .length = w->open ? 0 : w->size.line,
                          .line = w->now.line};
}

// Tiles that pad the last panel are 0.
static void clear_rest(MgWino *w, MgKBlock *block, const MgWinoBlock *b, const MgWinoPoints *points,
                       const MgKx *group) {
    MgKernel *k = w->kb.k;
    Loop rest = each_from(k, block, "rest", b->tiles, times(k, b->panels, w->plan.mr), 1);
    const MgKx *at = mg_wino_points_at(w, points, rest.at, group);
    for (uint32_t i = 0; i < mg_wino_products(w); i++)
        store(k, rest.body, points->to.buf, plus(k, at, i * points->by_product),
              mg_kfloat(k, mg_kt(MG_F32, w->plan.lanes), 0));
}

static void emit_image(MgWino *w, MgKBlock *block, const MgWinoBlock *b) {
    MgKernel *k = w->kb.k;
    MgWinoPoints image = image_of(w);
    Loop loop = loop_of(k, block, w->plan.shared ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL, "channels",
                        num(k, 0), num(k, mg_ceil_div(image.channels, w->plan.lanes)), 1);
    mg_wino_emit_points(w, loop.body, b, &image, loop.at);
    clear_rest(w, loop.body, b, &image, loop.at);
}

// ---------------------------------------------------------------- products
static const MgKx *products_at(MgWino *w, const MgKx *product, const MgKx *tile) {
    const MgKx *at = mg_wino_scaled(w, product, w->size.tiles, tile);
    at = times(w->kb.k, at, (int64_t)w->plan.nv * w->plan.lanes);
    return w->products.base ? add(w->kb.k, at, w->products.base) : at;
}

// All products of a block's tiles with a strip of maps, each a small matrix product.
static void emit_products(MgWino *w, MgKBlock *block, const MgWinoBlock *b, const MgKx *weights) {
    MgKernel *k = w->kb.k;
    int64_t width = (int64_t)w->plan.nv * w->plan.lanes;
    Loop products = each_of(k, block, "product", num(k, mg_wino_products(w)));
    const MgKx *from = named(k, products.body, "weights",
                             mg_wino_scaled(w, products.at, w->box.channels * width, weights));
    Loop panels = each_of(k, products.body, "panel", b->panels);
    const MgKx *tile = named(k, panels.body, "tile", times(k, panels.at, w->plan.mr));
    const MgKx *points = mg_wino_scaled(w, products.at, w->size.tiles, tile);
    points = times(k, points, w->size.pitch);
    if (w->points.base)
        points = add(k, points, w->points.base);
    points = named(k, panels.body, "points", points);
    mg_wino_clear_sums(w, panels.body);
    Loop channels = each_of(k, panels.body, "c", num(k, w->box.channels));
    const MgKx *vectors[MG_WINO_VECTORS];
    points = named(k, channels.body, "panel", add(k, points, channels.at));
    const MgKx *strip = mg_wino_scaled(w, channels.at, width, from);
    strip = named(k, channels.body, "strip", strip);
    for (uint32_t v = 0; v < w->plan.nv; v++)
        vectors[v] = plus(k, strip, v * w->plan.lanes);
    mg_wino_step(w, channels.body, w->points.buf, points, w->size.pitch, w->weights.buf, vectors);
    const MgKx *to = named(k, panels.body, "to", products_at(w, products.at, tile));
    for (uint32_t i = 0; i < w->plan.mr * w->plan.nv; i++)
        store(k, panels.body, w->products.buf, plus(k, to, i * w->plan.lanes),
              mg_wino_sum_at(w, i));
}

// ---------------------------------------------------------------- outputs
// Passes a line of vectors of pixels at row h through the epilogue, map by map.
static void finish_line(MgWino *w, MgKBlock *block, const MgWinoBlock *b, const MgKx *line,
                        const MgKx *maps, const MgKx *pixel) {
    MgKernel *k = w->kb.k;
    const MgKx *x[64];
    for (uint32_t i = 0; i < w->plan.lanes; i++)
        x[i] = named(
            k, block, "y",
            loaded(k, w->turned, mg_wino_scaled(w, line, w->plan.lanes, num(k, i)), w->plan.lanes));
    mg_ktranspose(k, block, x, w->plan.lanes);
    for (uint32_t i = 0; i < w->plan.lanes; i++)
        store(k, block, w->lines, num(k, i), x[i]);
    const MgKx *end = w->column.end, *mask = NULL;
    if (w->open) // elements past it belong to the next block
        end = least(k, end, times(k, add(k, b->left, b->columns), w->plan.form->outputs));
    if (w->open || w->column.size % w->plan.lanes)
        mask = mg_wino_mask_below(w, block, pixel, end);
    const MgKx *n = least(k, num(k, w->plan.lanes), sub(k, num(k, w->box.maps), maps));
    if (w->box.maps % w->plan.lanes == 0)
        n = num(k, w->plan.lanes);
    Loop loop = each_of(k, block, "map", n);
    const MgKx *i = loop.at;
    w->at.loop[w->box.map] = named(k, loop.body, "f", add(k, maps, i));
    w->at.loop[w->column.place] = pixel;
    MgPoint p = mg_wino_point(w, loop.body, (int)w->column.place, mask);
    const MgKx *sum = loaded(k, w->lines, i, w->plan.lanes);
    mg_kb_epilogue(&p, named(k, loop.body, "sum", sum));
}

// The plain sum at one pixel, with maps along the lanes.
static const MgKx *direct_sum(MgWino *w, MgKBlock *block, const MgKx *h, const MgKx *pixel,
                              const MgKx *mask) {
    MgKernel *k = w->kb.k;
    const MgWinoSide *sides[] = {&w->row, &w->column};
    const MgKx *place[] = {h, pixel}, *taps[2];
    store(k, block, w->acc, num(k, 0), mg_kfloat(k, mg_kt(MG_F32, w->plan.lanes), 0));
    Loop channels = each_of(k, block, "c", num(k, w->box.channels));
    MgKBlock *body = channels.body;
    w->at.loop[w->box.channel] = channels.at;
    for (int i = 0; i < 2; i++) {
        Loop loop = each_of(k, body, "tap", num(k, MG_TILE_TAPS));
        body = loop.body;
        taps[i] = loop.at;
        w->at.loop[sides[i]->place] = named(k, body, "at", add(k, place[i], taps[i]));
    }
    mg_wino_set_places(w, MG_TILE_TAPS - 1);
    MgPoint p = mg_wino_point(w, body, -1, NULL);
    p.lanes = 1;
    const MgKx *x = mg_ksplat(k, mg_point_expr(&p, w->image), w->plan.lanes);
    for (int i = 0; i < 2; i++)
        w->at.loop[sides[i]->tap] = tap(w, sides[i], taps[i]);
    mg_wino_set_taps(w, true);
    const MgKx *y = mg_wino_factor(w, body, w->weight, w->box.map, mask);
    mg_wino_set_taps(w, false);
    mg_wino_set_places(w, 0);
    store(k, body, w->acc, num(k, 0), add(k, mul(k, x, y), mg_wino_sum_at(w, 0)));
    return mg_wino_sum_at(w, 0);
}

// Infinities and overflows spread over a tile as NaN. If adjacent outputs contain any, these are
// summed plainly.
static void mend_outputs(MgWino *w, MgKBlock *block, const MgWinoBlock *b, const MgKx *row,
                         const MgKx *maps, const MgKx *first) {
    MgKernel *k = w->kb.k;
    const MgKx *sum = loaded(k, w->check, num(k, 0), w->plan.lanes);
    MgKBlock *body = block_if(k, block, mg_kfold(k, MG_PRIM_OR, bin(k, MG_PRIM_NE, sum, sum)));
    w->at.loop[w->box.map] = maps;
    const MgKx *mask =
        w->box.maps % w->plan.lanes ? mg_wino_mask_below(w, body, maps, num(k, w->box.maps)) : NULL;
    Loop lines = each_of(k, body, "line", num(k, w->plan.form->outputs));
    Loop pixels = each_of(k, lines.body, "j", num(k, w->plan.lanes));
    body = pixels.body;
    const MgKx *line = lines.at, *j = pixels.at;
    const MgKx *h = mg_wino_scaled(w, add(k, b->top, row), w->plan.form->outputs, line);
    h = named(k, body, "h", h);
    const MgKx *pixel = mg_wino_scaled(w, add(k, b->left, first), w->plan.form->outputs, j);
    pixel = named(k, body, "pixel", pixel);
    body = block_if(k, body, less(k, h, w->row.end));
    body = block_if(k, body, less(k, pixel, w->column.end));
    const MgKx *y = direct_sum(w, body, h, pixel, mask);
    store(k, body, w->turned, mg_wino_scaled(w, line, w->plan.lanes, j), y);
}

// Transforms one tile of vector v of the strip to its place among the adjacent tiles.
static void transform_outputs(MgWino *w, MgKBlock *block, const MgKx *tile, const MgKx *v,
                              const MgKx *q) {
    MgKernel *k = w->kb.k;
    uint32_t n = w->plan.form->outputs;
    const MgKx *x[MG_TILE_POINTS * MG_TILE_POINTS];
    const MgKx *from = add(k, products_at(w, num(k, 0), tile), times(k, v, w->plan.lanes));
    from = named(k, block, "from", from);
    for (uint32_t i = 0; i < mg_wino_products(w); i++) {
        const MgKx *at = plus(k, from, i * w->size.tiles * (int64_t)w->plan.nv * w->plan.lanes);
        x[i] = named(k, block, "m", loaded(k, w->products.buf, at, w->plan.lanes));
    }
    mg_wino_output(w, block, x);
    const MgKx *to = named(k, block, "to", times(k, q, n));
    const MgKx *sum = loaded(k, w->check, num(k, 0), w->plan.lanes);
    for (uint32_t i = 0; i < n * n; i++) {
        store(k, block, w->turned, plus(k, to, i / n * w->plan.lanes + i % n), x[i]);
        sum = named(k, block, "check", add(k, sum, sub(k, x[i], x[i])));
    }
    store(k, block, w->check, num(k, 0), sum);
}

static void emit_outputs(MgWino *w, MgKBlock *block, const MgWinoBlock *b, const MgKx *strip) {
    MgKernel *k = w->kb.k;
    int64_t side = w->plan.lanes / w->plan.form->outputs; // adjacent tiles that fill vectors
    const MgKx *before;
    block = mg_wino_each_image(w, block, b, &before);
    Loop rows = each_of(k, block, "row", b->rows);
    Loop vectors = each_of(k, rows.body, "v", num(k, w->plan.nv));
    Loop groups = each_from(k, vectors.body, "first", num(k, 0), b->columns, side);
    MgKBlock *body = groups.body;
    const MgKx *row = rows.at, *v = vectors.at;
    store(k, body, w->check, num(k, 0), mg_kfloat(k, mg_kt(MG_F32, w->plan.lanes), 0));
    Loop tiles = each_of(k, body, "q", num(k, side));
    const MgKx *q = tiles.at;
    const MgKx *tile = least(k, add(k, groups.at, q), minus(k, b->columns, 1));
    tile = add(k, before, add(k, mul(k, row, b->columns), tile));
    transform_outputs(w, tiles.body, tile, v, q);
    const MgKx *maps = times(k, mg_wino_scaled(w, strip, w->plan.nv, v), w->plan.lanes);
    maps = named(k, body, "maps", maps);
    if (w->box.maps % ((int64_t)w->plan.nv * w->plan.lanes))
        body = block_if(k, body, less(k, maps, num(k, w->box.maps)));
    mend_outputs(w, body, b, row, maps, groups.at);
    Loop lines = each_of(k, body, "line", num(k, w->plan.form->outputs));
    body = lines.body;
    const MgKx *h = mg_wino_scaled(w, add(k, b->top, row), w->plan.form->outputs, lines.at);
    h = w->at.loop[w->row.place] = named(k, body, "h", h);
    if (w->open || w->row.size % w->plan.form->outputs)
        body = block_if(k, body, less(k, h, w->row.end));
    const MgKx *pixel = times(k, add(k, b->left, groups.at), w->plan.form->outputs);
    finish_line(w, body, b, lines.at, maps, named(k, body, "pixel", pixel));
}

void mg_wino_emit(MgWino *w) {
    MgKernel *k = w->kb.k;
    MgLoopKind inner = w->plan.shared ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL;
    if (w->plan.weights == MG_NEST_SPACE_COMMON) {
        mg_wino_emit_weights(w);
        mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    }
    Loop loop = loop_of(k, &k->body, w->plan.shared ? MG_LOOP_SERIAL : MG_LOOP_PARALLEL, "block",
                        num(k, 0), w->now.all, 1);
    MgWinoBlock b = mg_wino_open_block(w, loop.body, loop.at);
    const MgKx *first = num(k, 0); // the element of the first strip's weights
    if (w->weights_differ)
        first = named(k, loop.body, "weights", weights_at(w, times(k, b.number, w->size.strips)));
    emit_image(w, loop.body, &b);
    if (w->plan.shared)
        mg_kbarrier(k, loop.body, MG_BARRIER_GRID);
    Loop strips = loop_of(k, loop.body, inner, "strip", num(k, 0), num(k, w->size.strips), 1);
    const MgKx *weights = w->weights.base ? w->weights.base : num(k, 0);
    if (w->plan.weights == MG_NEST_SPACE_LOCAL)
        make_strip(w, strips.body, strips.at);
    else
        weights = add(k, first, weights_at(w, strips.at));
    emit_products(w, strips.body, &b, named(k, strips.body, "weights", weights));
    emit_outputs(w, strips.body, &b, strips.at);
    if (w->plan.shared && (w->open || mg_wino_blocks(w) > 1))
        mg_kbarrier(k, loop.body, MG_BARRIER_GRID);
}
