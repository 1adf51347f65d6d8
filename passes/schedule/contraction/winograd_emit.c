// The kernels of Winograd's algorithm; the algorithm is named in winograd.c.
//
// Lanes are channels: pixels of a line are transposed once to vectors of channels, and from then on
// both transforms, and the products between them, use whole vectors whatever the image's size.
// Finished outputs are transposed back and go through the epilogue along the line.
#include "passes/schedule/contraction/winograd.h"

static const MgKx *c(MgWino *w, int64_t v) {
    return mg_wino_int(w, v);
}

static const MgKx *bin(MgWino *w, MgPrim prim, const MgKx *a, const MgKx *b) {
    return mg_wino_bin(w, prim, a, b);
}

static const MgKx *scaled(MgWino *w, const MgKx *a, int64_t by, const MgKx *b) {
    return mg_kadd(w->kb.k, mg_kmul(w->kb.k, a, c(w, by)), b);
}

static const MgKx *lanes_below(MgWino *w, MgKBlock *block, const MgKx *first, const MgKx *end) {
    MgKernel *k = w->kb.k;
    const MgKx *lane = mg_kramp(k, first, c(w, 1), w->plan.lanes);
    return mg_klet_x(k, block, "mask", bin(w, MG_PRIM_LT, lane, mg_ksplat(k, end, w->plan.lanes)));
}

// The positions of the image extend beyond those of the outputs.
static void set_places(MgWino *w, bool image) {
    MgIxTable *t = w->s->ix;
    MgIx more = mg_ix_const(t, image ? MG_TILE_TAPS - 1 : 0);
    w->at.high[w->row.place] = mg_ix_add(t, w->row.extent, more);
    w->at.high[w->column.place] = mg_ix_add(t, w->column.extent, more);
}

// A factor at the current point along index `vector`, 0 where the mask is off.
static const MgKx *factor(MgWino *w, MgKBlock *block, const MgSx *x, uint32_t vector,
                          const MgKx *mask) {
    MgPoint p = mg_wino_point(w, block, (int)vector, mask);
    const MgKx *v = mg_ksplat(w->kb.k, mg_point_expr(&p, x), w->plan.lanes);
    if (mask)
        v = mg_kprim(w->kb.k, MG_PRIM_WHERE, mask, v, mg_kfloat(w->kb.k, v->type, 0));
    return mg_klet_x(w->kb.k, block, "x", v);
}

// ---------------------------------------------------------------- weights
int64_t mg_wino_weight_size(const MgWino *w) {
    int64_t one = w->strips * mg_wino_products(w) * w->channels * w->plan.nv * w->plan.lanes;
    return one * (w->weights_differ ? w->batches : 1);
}

// The transformed weights of a strip of maps: products, channels, maps.
static const MgKx *weights_at(MgWino *w, const MgKx *strip) {
    return mg_kmul(w->kb.k, strip,
                   c(w, mg_wino_products(w) * w->channels * (int64_t)w->plan.nv * w->plan.lanes));
}

static void set_batch(MgWino *w, MgKBlock *block, const MgKx *number) {
    MgKernel *k = w->kb.k;
    for (uint32_t i = w->n_batch; i-- > 0;) {
        const MgKx *size = mg_kb_ix(&w->kb, w->piece->indices[w->batch[i]].high, w->at.loop);
        w->at.loop[w->batch[i]] =
            mg_klet_x(k, block, "i", i ? bin(w, MG_PRIM_FMOD, number, size) : number);
        if (i)
            number = mg_klet_x(k, block, "left", bin(w, MG_PRIM_FDIV, number, size));
    }
}

// In f64: it runs once, and sums of thirds and sixths are the larger part of the error.
static void transform_weights(MgWino *w, MgKBlock *block, const MgKx *maps, const MgKx *to) {
    MgKernel *k = w->kb.k;
    const MgKx *x[MG_TILE_POINTS * MG_TILE_POINTS];
    w->at.loop[w->map] = maps;
    const MgKx *mask = lanes_below(w, block, maps, c(w, w->maps));
    for (uint32_t i = 0; i < MG_TILE_TAPS * MG_TILE_TAPS; i++) {
        w->at.loop[w->row.tap] = c(w, i / MG_TILE_TAPS);
        w->at.loop[w->column.tap] = c(w, i % MG_TILE_TAPS);
        x[i] =
            mg_klet_x(k, block, "wide",
                      mg_kcast(k, MG_PRIM_CAST, MG_F64, factor(w, block, w->weight, w->map, mask)));
    }
    mg_wino_weight(w, block, x);
    for (uint32_t i = 0; i < mg_wino_products(w); i++)
        mg_kstore(k, block, w->weights,
                  mg_kadd(k, to, c(w, i * w->channels * (int64_t)w->plan.nv * w->plan.lanes)),
                  mg_kcast(k, MG_PRIM_CAST, MG_F32, x[i]), NULL);
}

void mg_wino_emit_weights(MgWino *w) {
    MgKernel *k = w->kb.k;
    int64_t strips = w->strips * (w->weights_differ ? w->batches : 1);
    MgKs *loop =
        mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "strip", c(w, 0), c(w, strips * w->channels), 1);
    MgKBlock *block = &loop->body;
    const MgKx *all = mg_klet_x(k, block, "strip",
                                bin(w, MG_PRIM_FDIV, mg_kvar(k, loop->var), c(w, w->channels)));
    const MgKx *channel = w->at.loop[w->channel] = mg_klet_x(
        k, block, "channel", bin(w, MG_PRIM_FMOD, mg_kvar(k, loop->var), c(w, w->channels)));
    const MgKx *strip = mg_klet_x(k, block, "maps", bin(w, MG_PRIM_FMOD, all, c(w, w->strips)));
    if (w->weights_differ)
        set_batch(w, block, bin(w, MG_PRIM_FDIV, all, c(w, w->strips)));
    MgKs *vectors = mg_kfor(k, block, MG_LOOP_SERIAL, "v", c(w, 0), c(w, w->plan.nv), 1);
    const MgKx *v = mg_kvar(k, vectors->var);
    block = &vectors->body;
    const MgKx *vector = scaled(w, strip, w->plan.nv, v);
    const MgKx *maps = mg_klet_x(k, block, "f", mg_kmul(k, vector, c(w, w->plan.lanes)));
    const MgKx *to = mg_kadd(k, weights_at(w, all), mg_kmul(k, v, c(w, w->plan.lanes)));
    to = scaled(w, channel, (int64_t)w->plan.nv * w->plan.lanes, to);
    transform_weights(w, block, maps, mg_klet_x(k, block, "to", to));
}

// ---------------------------------------------------------------- the image
typedef struct Block {                       // some tile rows of an image
    const MgKx *top, *rows, *tiles, *panels; // the first; their number; their tiles, in panels
    const MgKx *left, *columns;              // the first tile column; the number of columns
    const MgKx *weights;                     // the element of the first strip's weights
} Block;

static const MgKx *stage_at(MgWino *w, const MgKx *row, const MgKx *pixel) {
    const MgKx *at = mg_kadd(w->kb.k, mg_kmul(w->kb.k, row, w->line_x), pixel);
    at = mg_kmul(w->kb.k, at, c(w, w->plan.lanes));
    return w->stage_base ? mg_kadd(w->kb.k, at, w->stage_base) : at;
}

// Stages a line of `channels` of the image from the current channel on, as vectors of channels.
static void stage_line(MgWino *w, MgKBlock *block, const Block *b, const MgKx *slot,
                       const MgKx *channel, uint32_t channels) {
    MgKernel *k = w->kb.k;
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "pixel", c(w, 0), w->line_x, w->plan.lanes);
    MgKBlock *body = &loop->body;
    const MgKx *pixel = mg_kvar(k, loop->var), *x[64];
    const MgKx *end = mg_kadd(k, w->column.end, c(w, MG_TILE_TAPS - 1)), *mask = NULL;
    const MgKx *place = scaled(w, b->left, w->plan.form->outputs, pixel);
    place = w->at.loop[w->column.place] = w->open ? mg_klet_x(k, body, "place", place) : place;
    if (w->open || w->line > w->column.size + MG_TILE_TAPS - 1)
        mask = lanes_below(w, body, place, end);
    for (uint32_t i = 0; i < w->plan.lanes; i++) {
        w->at.loop[w->channel] = mg_kadd(k, channel, c(w, i));
        x[i] = i < channels ? factor(w, body, w->image, w->column.place, mask)
                            : mg_kfloat(k, mg_kt(MG_F32, w->plan.lanes), 0);
    }
    mg_wino_transpose(w, body, x);
    const MgKx *to = mg_klet_x(k, body, "to", stage_at(w, slot, pixel));
    for (uint32_t i = 0; i < w->plan.lanes; i++)
        mg_kstore(k, body, w->stage, mg_kadd(k, to, c(w, (int64_t)i * w->plan.lanes)), x[i], NULL);
}

static void clear_line(MgWino *w, MgKBlock *block, const MgKx *slot) {
    MgKernel *k = w->kb.k;
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "pixel", c(w, 0), w->line_x, 1);
    mg_kstore(k, &loop->body, w->stage, stage_at(w, slot, mg_kvar(k, loop->var)),
              mg_kfloat(k, mg_kt(MG_F32, w->plan.lanes), 0), NULL);
}

// The lines that a block's tiles read; below the image they are 0.
static void stage(MgWino *w, MgKBlock *block, const Block *b, const MgKx *channel,
                  uint32_t channels) {
    MgKernel *k = w->kb.k;
    const MgKx *n = scaled(w, b->rows, w->plan.form->outputs, c(w, MG_TILE_TAPS - 1));
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "slot", c(w, 0), n, 1);
    const MgKx *slot = mg_kvar(k, loop->var), *row = scaled(w, b->top, w->plan.form->outputs, slot);
    row = w->at.loop[w->row.place] = mg_klet_x(k, &loop->body, "row", row);
    const MgKx *end = mg_kadd(k, w->row.end, c(w, MG_TILE_TAPS - 1));
    MgKs *inside = mg_kif(k, &loop->body, bin(w, MG_PRIM_LT, row, end));
    stage_line(w, &inside->body, b, slot, channel, channels);
    clear_line(w, &inside->orelse, slot);
}

static const MgKx *points_at(MgWino *w, int64_t product, const MgKx *tile, const MgKx *channel) {
    const MgKx *at = scaled(w, mg_kadd(w->kb.k, tile, c(w, product * w->tiles)), w->pitch, channel);
    return w->points_base ? mg_kadd(w->kb.k, at, w->points_base) : at;
}

// Transforms all tiles of the stage; those that pad the last panel are 0.
static void transform_image(MgWino *w, MgKBlock *block, const Block *b, const MgKx *channel) {
    MgKernel *k = w->kb.k;
    uint32_t n = w->plan.form->points;
    const MgKx *x[MG_TILE_POINTS * MG_TILE_POINTS];
    MgKs *rows = mg_kfor(k, block, MG_LOOP_SERIAL, "row", c(w, 0), b->rows, 1);
    MgKs *across = mg_kfor(k, &rows->body, MG_LOOP_SERIAL, "tile", c(w, 0), b->columns, 1);
    MgKBlock *body = &across->body;
    const MgKx *row = mg_kvar(k, rows->var), *tile = mg_kvar(k, across->var);
    const MgKx *from = mg_klet_x(k, body, "from",
                                 stage_at(w, mg_kmul(k, row, c(w, w->plan.form->outputs)),
                                          mg_kmul(k, tile, c(w, w->plan.form->outputs))));
    for (uint32_t i = 0; i < n * n; i++) {
        const MgKx *line = mg_kmul(k, w->line_x, c(w, i / n * w->plan.lanes));
        const MgKx *at = mg_kadd(k, from, mg_kadd(k, line, c(w, i % n * w->plan.lanes)));
        x[i] = mg_klet_x(k, body, "d", mg_kload(k, w->stage, at, w->plan.lanes, NULL, NULL));
    }
    mg_wino_input(w, body, x);
    const MgKx *number = mg_kadd(k, mg_kmul(k, row, b->columns), tile);
    number = mg_klet_x(k, body, "number", number);
    const MgKx *to = mg_klet_x(k, body, "to", points_at(w, 0, number, channel));
    for (uint32_t i = 0; i < n * n; i++)
        mg_kstore(k, body, w->points, mg_kadd(k, to, c(w, i * w->tiles * w->pitch)), x[i], NULL);
    MgKs *rest = mg_kfor(k, block, MG_LOOP_SERIAL, "rest", b->tiles,
                         mg_kmul(k, b->panels, c(w, w->plan.mr)), 1);
    for (uint32_t i = 0; i < n * n; i++)
        mg_kstore(k, &rest->body, w->points, points_at(w, i, mg_kvar(k, rest->var), channel),
                  mg_kfloat(k, mg_kt(MG_F32, w->plan.lanes), 0), NULL);
}

static void emit_image(MgWino *w, MgKBlock *block, const Block *b) {
    MgKernel *k = w->kb.k;
    set_places(w, true);
    int64_t whole = w->channels / w->plan.lanes, rest = w->channels % w->plan.lanes;
    MgKs *loop = mg_kfor(k, block, w->plan.shared ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL, "channels",
                         c(w, 0), c(w, whole + (rest > 0)), 1);
    MgKBlock *body = &loop->body;
    const MgKx *channel =
        mg_klet_x(k, body, "channel", mg_kmul(k, mg_kvar(k, loop->var), c(w, w->plan.lanes)));
    MgKs *some = whole && rest
                     ? mg_kif(k, body, bin(w, MG_PRIM_LT, mg_kvar(k, loop->var), c(w, whole)))
                     : NULL;
    if (whole)
        stage(w, some ? &some->body : body, b, channel, w->plan.lanes);
    if (rest)
        stage(w, some ? &some->orelse : body, b, channel, (uint32_t)rest);
    transform_image(w, body, b, channel);
    set_places(w, false);
}

// ---------------------------------------------------------------- products
static const MgKx *sum_at(MgWino *w, uint32_t r, uint32_t v) {
    return mg_kload(w->kb.k, w->acc, c(w, r * w->plan.nv + v), w->plan.lanes, NULL, NULL);
}

static const MgKx *products_at(MgWino *w, const MgKx *product, const MgKx *tile) {
    const MgKx *at = scaled(w, product, w->tiles, tile);
    at = mg_kmul(w->kb.k, at, c(w, (int64_t)w->plan.nv * w->plan.lanes));
    return w->products_base ? mg_kadd(w->kb.k, at, w->products_base) : at;
}

// One step of the sum over channels.
static void step(MgWino *w, MgKBlock *block, const MgKx *weights, const MgKx *points) {
    MgKernel *k = w->kb.k;
    const MgKx *b[4];
    for (uint32_t v = 0; v < w->plan.nv; v++)
        b[v] = mg_klet_x(k, block, "b",
                         mg_kload(k, w->weights, mg_kadd(k, weights, c(w, v * w->plan.lanes)),
                                  w->plan.lanes, NULL, NULL));
    for (uint32_t r = 0; r < w->plan.mr; r++) {
        const MgKx *x =
            mg_kload(k, w->points, mg_kadd(k, points, c(w, r * w->pitch)), 1, NULL, NULL);
        x = mg_klet_x(k, block, "a", mg_ksplat(k, x, w->plan.lanes));
        for (uint32_t v = 0; v < w->plan.nv; v++) {
            const MgKx *next = mg_multiply_add(w->s, k, x, b[v], sum_at(w, r, v));
            mg_kstore(k, block, w->acc, c(w, r * w->plan.nv + v), next, NULL);
        }
    }
}

// All products of a block's tiles with a strip of maps, each a small matrix product.
static void emit_products(MgWino *w, MgKBlock *block, const Block *b, const MgKx *weights) {
    MgKernel *k = w->kb.k;
    int64_t width = (int64_t)w->plan.nv * w->plan.lanes;
    MgKs *products =
        mg_kfor(k, block, MG_LOOP_SERIAL, "product", c(w, 0), c(w, mg_wino_products(w)), 1);
    const MgKx *product = mg_kvar(k, products->var);
    const MgKx *from =
        mg_klet_x(k, &products->body, "weights", scaled(w, product, w->channels * width, weights));
    MgKs *panels = mg_kfor(k, &products->body, MG_LOOP_SERIAL, "panel", c(w, 0), b->panels, 1);
    MgKBlock *body = &panels->body;
    const MgKx *tile =
        mg_klet_x(k, body, "tile", mg_kmul(k, mg_kvar(k, panels->var), c(w, w->plan.mr)));
    const MgKx *points = scaled(w, product, w->tiles, tile);
    points = mg_kmul(k, points, c(w, w->pitch));
    if (w->points_base)
        points = mg_kadd(k, points, w->points_base);
    points = mg_klet_x(k, body, "points", points);
    for (uint32_t i = 0; i < w->plan.mr * w->plan.nv; i++)
        mg_kstore(k, body, w->acc, c(w, i), mg_kfloat(k, mg_kt(MG_F32, w->plan.lanes), 0), NULL);
    MgKs *channels = mg_kfor(k, body, MG_LOOP_SERIAL, "c", c(w, 0), c(w, w->channels), 1);
    const MgKx *channel = mg_kvar(k, channels->var);
    step(w, &channels->body,
         mg_klet_x(k, &channels->body, "strip", scaled(w, channel, width, from)),
         mg_klet_x(k, &channels->body, "panel", mg_kadd(k, points, channel)));
    const MgKx *to = mg_klet_x(k, body, "to", products_at(w, product, tile));
    for (uint32_t i = 0; i < w->plan.mr * w->plan.nv; i++)
        mg_kstore(k, body, w->products, mg_kadd(k, to, c(w, i * w->plan.lanes)),
                  sum_at(w, i / w->plan.nv, i % w->plan.nv), NULL);
}

// ---------------------------------------------------------------- outputs
// Passes a line of vectors of pixels at row h through the epilogue, map by map.
static void finish_line(MgWino *w, MgKBlock *block, const Block *b, const MgKx *line,
                        const MgKx *maps, const MgKx *pixel) {
    MgKernel *k = w->kb.k;
    const MgKx *x[64];
    for (uint32_t i = 0; i < w->plan.lanes; i++)
        x[i] = mg_klet_x(k, block, "y",
                         mg_kload(k, w->turned, scaled(w, line, w->plan.lanes, c(w, i)),
                                  w->plan.lanes, NULL, NULL));
    mg_wino_transpose(w, block, x);
    for (uint32_t i = 0; i < w->plan.lanes; i++)
        mg_kstore(k, block, w->lines, c(w, i), x[i], NULL);
    const MgKx *end = w->column.end, *mask = NULL;
    if (w->open) // elements past it belong to the next block
        end = bin(w, MG_PRIM_MIN, end,
                  mg_kmul(k, mg_kadd(k, b->left, b->columns), c(w, w->plan.form->outputs)));
    if (w->open || w->column.size % w->plan.lanes)
        mask = lanes_below(w, block, pixel, end);
    const MgKx *n =
        bin(w, MG_PRIM_MIN, c(w, w->plan.lanes), bin(w, MG_PRIM_SUB, c(w, w->maps), maps));
    if (w->maps % w->plan.lanes == 0)
        n = c(w, w->plan.lanes);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "map", c(w, 0), n, 1);
    const MgKx *i = mg_kvar(k, loop->var);
    w->at.loop[w->map] = mg_klet_x(k, &loop->body, "f", mg_kadd(k, maps, i));
    w->at.loop[w->column.place] = pixel;
    MgPoint p = mg_wino_point(w, &loop->body, (int)w->column.place, mask);
    const MgKx *sum = mg_kload(k, w->lines, i, w->plan.lanes, NULL, NULL);
    mg_kb_epilogue(&p, mg_klet_x(k, &loop->body, "sum", sum));
}

// The plain sum at one pixel, with maps along the lanes.
static const MgKx *direct_sum(MgWino *w, MgKBlock *block, const MgKx *h, const MgKx *pixel,
                              const MgKx *mask) {
    MgKernel *k = w->kb.k;
    MgIx none = w->at.with[w->row.tap];
    const MgWinoSide *sides[] = {&w->row, &w->column};
    const MgKx *place[] = {h, pixel}, *taps[2];
    mg_kstore(k, block, w->acc, c(w, 0), mg_kfloat(k, mg_kt(MG_F32, w->plan.lanes), 0), NULL);
    MgKs *channels = mg_kfor(k, block, MG_LOOP_SERIAL, "c", c(w, 0), c(w, w->channels), 1);
    MgKBlock *body = &channels->body;
    w->at.loop[w->channel] = mg_kvar(k, channels->var);
    for (int i = 0; i < 2; i++) {
        MgKs *loop = mg_kfor(k, body, MG_LOOP_SERIAL, "tap", c(w, 0), c(w, MG_TILE_TAPS), 1);
        body = &loop->body;
        taps[i] = mg_kvar(k, loop->var);
        w->at.loop[sides[i]->place] = mg_klet_x(k, body, "at", mg_kadd(k, place[i], taps[i]));
    }
    set_places(w, true);
    MgPoint p = mg_wino_point(w, body, -1, NULL);
    p.lanes = 1;
    const MgKx *x = mg_ksplat(k, mg_point_expr(&p, w->image), w->plan.lanes);
    for (int i = 0; i < 2; i++) {
        w->at.with[sides[i]->tap] = mg_ix_idx(w->s->ix, sides[i]->tap);
        w->at.loop[sides[i]->tap] = taps[i];
    }
    const MgKx *y = factor(w, body, w->weight, w->map, mask);
    w->at.with[w->row.tap] = w->at.with[w->column.tap] = none;
    set_places(w, false);
    mg_kstore(k, body, w->acc, c(w, 0), mg_kadd(k, mg_kmul(k, x, y), sum_at(w, 0, 0)), NULL);
    return sum_at(w, 0, 0);
}

// Infinities and overflows spread over a tile as NaN. If adjacent outputs contain any, these are
// summed plainly.
static void mend_outputs(MgWino *w, MgKBlock *block, const Block *b, const MgKx *row,
                         const MgKx *maps, const MgKx *first) {
    MgKernel *k = w->kb.k;
    const MgKx *sum = mg_kload(k, w->check, c(w, 0), w->plan.lanes, NULL, NULL);
    MgKBlock *body = &mg_kif(k, block, mg_kfold(k, MG_PRIM_OR, bin(w, MG_PRIM_NE, sum, sum)))->body;
    w->at.loop[w->map] = maps;
    const MgKx *mask = w->maps % w->plan.lanes ? lanes_below(w, body, maps, c(w, w->maps)) : NULL;
    MgKs *lines = mg_kfor(k, body, MG_LOOP_SERIAL, "line", c(w, 0), c(w, w->plan.form->outputs), 1);
    MgKs *pixels = mg_kfor(k, &lines->body, MG_LOOP_SERIAL, "j", c(w, 0), c(w, w->plan.lanes), 1);
    body = &pixels->body;
    const MgKx *line = mg_kvar(k, lines->var), *j = mg_kvar(k, pixels->var);
    const MgKx *h = scaled(w, mg_kadd(k, b->top, row), w->plan.form->outputs, line);
    h = mg_klet_x(k, body, "h", h);
    const MgKx *pixel = scaled(w, mg_kadd(k, b->left, first), w->plan.form->outputs, j);
    pixel = mg_klet_x(k, body, "pixel", pixel);
    body = &mg_kif(k, body, bin(w, MG_PRIM_LT, h, w->row.end))->body;
    body = &mg_kif(k, body, bin(w, MG_PRIM_LT, pixel, w->column.end))->body;
    const MgKx *y = direct_sum(w, body, h, pixel, mask);
    mg_kstore(k, body, w->turned, scaled(w, line, w->plan.lanes, j), y, NULL);
}

// Transforms one tile of vector v of the strip to its place among the adjacent tiles.
static void transform_outputs(MgWino *w, MgKBlock *block, const MgKx *tile, const MgKx *v,
                              const MgKx *q) {
    MgKernel *k = w->kb.k;
    uint32_t n = w->plan.form->outputs;
    const MgKx *x[MG_TILE_POINTS * MG_TILE_POINTS];
    const MgKx *from =
        mg_kadd(k, products_at(w, c(w, 0), tile), mg_kmul(k, v, c(w, w->plan.lanes)));
    from = mg_klet_x(k, block, "from", from);
    for (uint32_t i = 0; i < mg_wino_products(w); i++) {
        const MgKx *at = mg_kadd(k, from, c(w, i * w->tiles * (int64_t)w->plan.nv * w->plan.lanes));
        x[i] = mg_klet_x(k, block, "m", mg_kload(k, w->products, at, w->plan.lanes, NULL, NULL));
    }
    mg_wino_output(w, block, x);
    const MgKx *to = mg_klet_x(k, block, "to", mg_kmul(k, q, c(w, n)));
    const MgKx *sum = mg_kload(k, w->check, c(w, 0), w->plan.lanes, NULL, NULL);
    for (uint32_t i = 0; i < n * n; i++) {
        mg_kstore(k, block, w->turned, mg_kadd(k, to, c(w, i / n * w->plan.lanes + i % n)), x[i],
                  NULL);
        sum = mg_klet_x(k, block, "check", mg_kadd(k, sum, bin(w, MG_PRIM_SUB, x[i], x[i])));
    }
    mg_kstore(k, block, w->check, c(w, 0), sum, NULL);
}

static void emit_outputs(MgWino *w, MgKBlock *block, const Block *b, const MgKx *strip) {
    MgKernel *k = w->kb.k;
    int64_t side = w->plan.lanes / w->plan.form->outputs; // adjacent tiles that fill vectors
    MgKs *rows = mg_kfor(k, block, MG_LOOP_SERIAL, "row", c(w, 0), b->rows, 1);
    MgKs *vectors = mg_kfor(k, &rows->body, MG_LOOP_SERIAL, "v", c(w, 0), c(w, w->plan.nv), 1);
    MgKs *groups = mg_kfor(k, &vectors->body, MG_LOOP_SERIAL, "first", c(w, 0), b->columns, side);
    MgKBlock *body = &groups->body;
    const MgKx *row = mg_kvar(k, rows->var), *v = mg_kvar(k, vectors->var);
    const MgKx *first = mg_kvar(k, groups->var);
    mg_kstore(k, body, w->check, c(w, 0), mg_kfloat(k, mg_kt(MG_F32, w->plan.lanes), 0), NULL);
    MgKs *tiles = mg_kfor(k, body, MG_LOOP_SERIAL, "q", c(w, 0), c(w, side), 1);
    const MgKx *q = mg_kvar(k, tiles->var);
    const MgKx *tile =
        bin(w, MG_PRIM_MIN, mg_kadd(k, first, q), bin(w, MG_PRIM_SUB, b->columns, c(w, 1)));
    tile = mg_kadd(k, mg_kmul(k, row, b->columns), tile);
    transform_outputs(w, &tiles->body, tile, v, q);
    const MgKx *maps = mg_kmul(k, scaled(w, strip, w->plan.nv, v), c(w, w->plan.lanes));
    maps = mg_klet_x(k, body, "maps", maps);
    if (w->maps % ((int64_t)w->plan.nv * w->plan.lanes))
        body = &mg_kif(k, body, bin(w, MG_PRIM_LT, maps, c(w, w->maps)))->body;
    mend_outputs(w, body, b, row, maps, first);
    MgKs *lines = mg_kfor(k, body, MG_LOOP_SERIAL, "line", c(w, 0), c(w, w->plan.form->outputs), 1);
    body = &lines->body;
    const MgKx *line = mg_kvar(k, lines->var);
    const MgKx *h = scaled(w, mg_kadd(k, b->top, row), w->plan.form->outputs, line);
    h = w->at.loop[w->row.place] = mg_klet_x(k, body, "h", h);
    if (w->open || w->row.size % w->plan.form->outputs)
        body = &mg_kif(k, body, bin(w, MG_PRIM_LT, h, w->row.end))->body;
    const MgKx *pixel = mg_kmul(k, mg_kadd(k, b->left, first), c(w, w->plan.form->outputs));
    finish_line(w, body, b, line, maps, mg_klet_x(k, body, "pixel", pixel));
}

// ---------------------------------------------------------------- blocks
static const MgKx *least(MgWino *w, MgKBlock *block, const char *name, const MgKx *a,
                         const MgKx *b) {
    return mg_klet_x(w->kb.k, block, name, bin(w, MG_PRIM_MIN, a, b));
}

static const MgKx *digit(MgWino *w, MgKBlock *block, const MgKx **number, const MgKx *of) {
    const MgKx *d = bin(w, MG_PRIM_FMOD, *number, of);
    *number = mg_klet_x(w->kb.k, block, "number", bin(w, MG_PRIM_FDIV, *number, of));
    return d;
}

// If sizes are open, an image's blocks also lie side by side, and the last ones may be smaller.
static void open_sides(MgWino *w, MgKBlock *block, const MgKx **number, Block *b) {
    MgKernel *k = w->kb.k;
    const MgKx *up = c(w, w->plan.form->outputs - 1), *outputs = c(w, w->plan.form->outputs);
    b->left = mg_kmul(k, digit(w, block, number, w->across), w->columns);
    b->left = mg_klet_x(k, block, "left", b->left);
    b->top = mg_kmul(k, digit(w, block, number, w->blocks_x), w->rows_x);
    b->top = mg_klet_x(k, block, "top", b->top);
    const MgKx *columns = bin(w, MG_PRIM_FDIV, mg_kadd(k, w->column.end, up), outputs);
    const MgKx *rows = bin(w, MG_PRIM_FDIV, mg_kadd(k, w->row.end, up), outputs);
    const MgKx *zero = c(w, 0);
    columns = bin(w, MG_PRIM_MAX, bin(w, MG_PRIM_SUB, columns, b->left), zero);
    rows = bin(w, MG_PRIM_MAX, bin(w, MG_PRIM_SUB, rows, b->top), zero);
    b->columns = least(w, block, "columns", w->columns, columns);
    b->rows = least(w, block, "rows", w->rows_x, rows);
}

static Block open_block(MgWino *w, MgKBlock *block, const MgKx *number) {
    MgKernel *k = w->kb.k;
    Block b = {.left = c(w, 0), .columns = w->columns};
    if (w->open) {
        open_sides(w, block, &number, &b);
    } else {
        b.top = mg_kmul(k, digit(w, block, &number, w->blocks_x), w->rows_x);
        b.top = mg_klet_x(k, block, "top", b.top);
        b.rows = w->rows_x;
        if (w->row.tiles % w->plan.rows)
            b.rows =
                least(w, block, "rows", b.rows, bin(w, MG_PRIM_SUB, c(w, w->row.tiles), b.top));
    }
    set_batch(w, block, number);
    b.weights = w->weights_differ ? mg_klet_x(k, block, "weights",
                                              weights_at(w, mg_kmul(k, number, c(w, w->strips))))
                                  : c(w, 0);
    b.tiles = mg_klet_x(k, block, "tiles", mg_kmul(k, b.rows, b.columns));
    b.panels = bin(w, MG_PRIM_FDIV, mg_kadd(k, b.tiles, c(w, w->plan.mr - 1)), c(w, w->plan.mr));
    b.panels = mg_klet_x(k, block, "panels", b.panels);
    return b;
}

void mg_wino_emit(MgWino *w) {
    MgKernel *k = w->kb.k;
    MgLoopKind inner = w->plan.shared ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL;
    MgKs *loop = mg_kfor(k, &k->body, w->plan.shared ? MG_LOOP_SERIAL : MG_LOOP_PARALLEL, "block",
                         c(w, 0), w->all, 1);
    MgKBlock *block = &loop->body;
    Block b = open_block(w, block, mg_kvar(k, loop->var));
    emit_image(w, block, &b);
    if (w->plan.shared)
        mg_kbarrier(k, block, MG_BARRIER_GRID);
    MgKs *strips = mg_kfor(k, block, inner, "strip", c(w, 0), c(w, w->strips), 1);
    const MgKx *strip = mg_kvar(k, strips->var);
    const MgKx *weights =
        mg_klet_x(k, &strips->body, "weights", mg_kadd(k, b.weights, weights_at(w, strip)));
    emit_products(w, &strips->body, &b, weights);
    emit_outputs(w, &strips->body, &b, strip);
    if (w->plan.shared && (w->open || w->batches * w->blocks > 1))
        mg_kbarrier(k, block, MG_BARRIER_GRID);
}
