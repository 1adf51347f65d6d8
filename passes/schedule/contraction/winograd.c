// Convolutions with filters of 3 x 3 by Winograd's algorithm: Lavin and Gray, "Fast algorithms for
// convolutional neural networks", CVPR 2016. F(m x m, 3 x 3) transforms tiles of m + 2 by m + 2
// pixels into as many products per channel, which give m x m outputs: 4 times (m = 4) or 2.25 times
// (m = 2) fewer multiplications. It rounds differently from the plain sum (docs/architecture.md has
// the numbers), so only -O3 uses it.
//
// It is found by structure: a sum over a channel and two taps of 3 points, of a factor that depends
// on place + tap (or place - tap, as in derivatives) in two directions times one that doesn't, the
// weights. They are transformed once for all runs if they never change. Otherwise each run
// transforms them first, or, if all images are one block, strip by strip. Blocks of an image's tile
// rows, or of several small images, are transformed to points[product][tile][channel], multiplied
// strip by strip of maps (outputs' channels), and transformed back while they are in cache. If
// sizes of the image are open, blocks are also split across, so that the number of tiles in a block
// has a known maximum; the actual number is computed when the kernel begins.
#include "passes/schedule/contraction/winograd.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

static const MgTileForm forms[] = {
    {.outputs = 4,
     .points = 6,
     .input = {{4, 0, -5, 0, 1, 0},
               {0, -4, -4, 1, 1, 0},
               {0, 4, -4, -1, 1, 0},
               {0, -2, -1, 2, 1, 0},
               {0, 2, -1, -2, 1, 0},
               {0, 4, 0, -5, 0, 1}},
     .weight = {{1, 0, 0}, {1, 1, 1}, {1, -1, 1}, {1, 2, 4}, {1, -2, 4}, {0, 0, 1}},
     .scale = {1. / 4, -1. / 6, -1. / 6, 1. / 24, 1. / 24, 1},
     .output =
         {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}}},
    {.outputs = 2,
     .points = 4,
     .input = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, -1, 0, 1}},
     .weight = {{1, 0, 0}, {1, 1, 1}, {1, -1, 1}, {0, 0, 1}},
     .scale = {1, 1. / 2, 1. / 2, 1},
     .output = {{1, 1, 1, 0}, {0, 1, -1, 1}}},
};

// ---------------------------------------------------------------- recognising it
static int64_t extent(MgWino *w, uint32_t index) {
    return mg_ix_const_or(w->s->ix, w->piece->indices[index].high, -1);
}

static bool mentions(MgWino *w, const MgSx *x, uint32_t index) {
    return mg_sx_mentions(w->s->m, x, index);
}

// Do a free index and a bound one meet in the image's subscripts?
static bool meet(MgWino *w, uint32_t place, uint32_t tap, MgWinoSide *side) {
    bool forward = mg_sx_depends_on_sum(w->s->m, w->image, place, tap, 1);
    *side = (MgWinoSide){
        .place = place, .tap = tap, .backward = !forward, .extent = w->piece->indices[place].high};
    return forward || mg_sx_depends_on_sum(w->s->m, w->image, place, tap, -1);
}

static bool find_sides(MgWino *w) {
    const MgPiece *p = w->piece;
    MgWinoSide sides[2];
    uint32_t n = 0;
    bool has_channel = false;
    for (uint32_t b = p->n_free; b < p->n_indices; b++) {
        uint32_t i = 0;
        MgWinoSide side;
        while (i < p->n_free && !(extent(w, b) == MG_TILE_TAPS && meet(w, i, b, &side)))
            i++;
        if (i < p->n_free && n < 2) {
            sides[n++] = side;
        } else if (!has_channel && i == p->n_free) {
            has_channel = true;
            w->box.channel = b;
        } else {
            return false;
        }
    }
    if (n < 2 || !has_channel)
        return false;
    MgIx target = mg_unit_target(w->s, w->unit->ops[0], NULL, 0);
    bool turned = mg_moves_by_one(w->s->ix, target, mg_ix_index(w->s->ix, sides[0].place));
    for (uint32_t i = 0; i < 2; i++)
        sides[i].size = mg_ix_likely(w->s->ix, sides[i].extent);
    w->row = sides[turned];
    w->column = sides[!turned];
    return sides[0].place != sides[1].place &&
           mg_moves_by_one(w->s->ix, target, mg_ix_index(w->s->ix, w->column.place));
}

static bool classify(MgWino *w) {
    const MgPiece *p = w->piece;
    bool has_map = false;
    w->box.batches = 1;
    for (uint32_t i = 0; i < p->n_free; i++) {
        if (i == w->row.place || i == w->column.place) {
            if (mentions(w, w->weight, i))
                return false;
        } else if (mentions(w, w->weight, i) && !mentions(w, w->image, i)) {
            if (has_map)
                return false;
            has_map = true;
            w->box.map = i;
        } else {
            if (w->box.n_batch == MG_WINO_BATCH)
                return false;
            w->weights_differ |= mentions(w, w->weight, i);
            w->box.batch[w->box.n_batch++] = i;
            w->box.batches *= mg_ix_likely(w->s->ix, p->indices[i].high);
        }
    }
    w->box.channels = extent(w, w->box.channel);
    w->box.maps = has_map ? extent(w, w->box.map) : 0;
    return w->box.channels > 0 && w->box.maps > 0 && !(w->weights_differ && w->open) &&
           mentions(w, w->image, w->box.channel) && mentions(w, w->weight, w->box.channel);
}

// Is an index known to have no position? Also finds out whether sizes are open.
static bool is_empty(MgWino *w) {
    bool empty = false;
    for (uint32_t i = 0; i < w->piece->n_indices; i++) {
        w->open |= extent(w, i) < 0;
        empty |= extent(w, i) == 0;
    }
    return empty;
}

static bool find(MgWino *w) {
    const MgPiece *p = w->piece = mg_form_box(w->s, w->unit);
    const MgSx *x = p ? p->expr : NULL;
    if (!p || !mg_piece_sums_products(p) || p->scatter || p->n_indices != p->n_free + 3 ||
        p->n_indices > MG_FORM_SYMS || x->dtype != MG_F32 || is_empty(w))
        return false;
    for (uint32_t a = 0; a < 2; a++) {
        w->image = x->args[a];
        w->weight = x->args[1 - a];
        w->box.n_batch = 0;
        w->weights_differ = false;
        bool checks = false;
        MgAccesses reads = mg_reads(w->s, w->unit->ops[0], w->image);
        for (uint32_t i = 0; i < reads.n; i++)
            checks |= reads.at[i].read->bounds == MG_BOUNDS_CHECKED;
        if (!checks && find_sides(w) && classify(w)) {
            w->unchanging = mg_is_unchanging(w->s, w->unit->ops[0], w->weight);
            return mg_unit_has_epilogue(w->s, w->unit);
        }
    }
    return false;
}

// ---------------------------------------------------------------- sizes
enum { MOST_LINE = 128, MOST_ROWS = 16 }; // pixels; tile rows

int64_t mg_wino_line(const MgWino *w, int64_t columns, int64_t beyond) {
    return mg_round_up(columns * w->plan.form->outputs + beyond, w->plan.lanes);
}

static int64_t line_of(const MgWino *w, int64_t columns) {
    return mg_wino_line(w, columns, MG_TILE_TAPS - 1);
}

void mg_wino_count_tiles(MgWino *w) {
    w->row.tiles = mg_ceil_div(w->row.size, w->plan.form->outputs);
    w->column.tiles = mg_ceil_div(w->column.size, w->plan.form->outputs);
}

// For open sizes, the maximum size of a block.
static void derive_open(MgWino *w) {
    const MgWinoPlan *p = &w->plan;
    int64_t columns = (MOST_LINE - MG_TILE_TAPS + 1) / p->form->outputs;
    w->size.most_columns = columns < p->most ? columns : p->most;
    w->size.tiles = mg_round_up(p->most, p->mr);
    w->size.stage = 0;
    for (columns = 1; columns <= w->size.most_columns; columns++) {
        int64_t rows = p->most / columns < MOST_ROWS ? p->most / columns : MOST_ROWS;
        int64_t size = (rows * p->form->outputs + MG_TILE_TAPS - 1) * line_of(w, columns);
        w->size.stage = size > w->size.stage ? size : w->size.stage;
    }
}

void mg_wino_derive(MgWino *w) {
    const MgWinoPlan *p = &w->plan;
    mg_wino_count_tiles(w);
    w->size.strips = mg_ceil_div(w->box.maps, (int64_t)p->nv * p->lanes);
    w->size.line = line_of(w, w->column.tiles);
    // One more vector, so that tiles don't all fall into the same sets of the cache.
    w->size.pitch = mg_round_up(w->box.channels, p->lanes) + p->lanes;
    if (p->most) {
        derive_open(w);
        return;
    }
    w->size.blocks = mg_ceil_div(w->row.tiles, p->rows);
    w->size.tiles = mg_round_up(p->images * p->rows * w->column.tiles, p->mr);
}

int64_t mg_wino_blocks(const MgWino *w) {
    return mg_ceil_div(w->box.batches, w->plan.images) * w->size.blocks;
}

int64_t mg_wino_l2(const MgSched *s) {
    int64_t bytes = s->options->target.l2_bytes;
    return bytes ? bytes : 262144;
}

// The most tiles whose products with a strip stay in cache.
static int64_t most_tiles(MgWino *w) {
    int64_t width = (int64_t)w->plan.nv * w->plan.lanes;
    return mg_wino_l2(w->s) / 3 / (mg_wino_products(w) * width * (int64_t)sizeof(float));
}

// Chooses the rows of tiles that are processed together: enough tiles that weights, which are read
// once for all of them, don't wait for memory, and so few that the products with a strip stay in
// L2. So a block may also have several images.
static void choose_block(MgWino *w, int64_t images) {
    MgWinoPlan *p = &w->plan;
    int64_t most = most_tiles(w) / w->column.tiles;
    most = most < 1 ? 1 : most;
    p->rows = mg_ceil_div(w->row.tiles, mg_ceil_div(w->row.tiles, most)); // equal blocks
    p->images = mg_ceil_div(w->box.batches, mg_ceil_div(w->box.batches, images));
    int64_t tiles = p->images * p->rows * w->column.tiles;
    int64_t registers = w->s->options->target.vector_registers;
    int64_t mr = (registers - 2 - p->nv) / p->nv;
    mr = mr < 1 ? 1 : mr > 12 ? 12 : mr;
    p->mr = (uint32_t)mg_ceil_div(tiles, mg_ceil_div(tiles, mr));
}

// Workers have blocks of their own, which need no barriers, if that divides the work as well.
static void choose_sharing(MgWino *w) {
    int64_t workers = w->s->workers, n = mg_wino_blocks(w);
    double apart = (double)(w->box.batches * w->row.tiles) /
                   (double)(mg_ceil_div(n, workers) * w->plan.images * w->plan.rows * workers);
    double together =
        (double)w->size.strips / (double)(mg_ceil_div(w->size.strips, workers) * workers);
    w->plan.shared = workers > 1 && together > apart;
}

static void choose_weights(MgWino *w) {
    w->plan.weights = w->unchanging                        ? MG_NEST_SPACE_KEPT
                      : !w->open && mg_wino_blocks(w) == 1 ? MG_NEST_SPACE_LOCAL
                                                           : MG_NEST_SPACE_COMMON;
}

static void choose_sizes(MgWino *w, const MgTileForm *form, int64_t images) {
    MgWinoPlan *p = &w->plan;
    *p = (MgWinoPlan){.form = form, .lanes = mg_kb_lanes(&w->kb, MG_F32)};
    p->nv = w->box.maps > p->lanes && w->box.maps / p->lanes >= 2 * (int64_t)w->s->workers ? 2 : 1;
    mg_wino_count_tiles(w);
    choose_block(w, images);
    mg_wino_derive(w);
    choose_sharing(w);
    choose_weights(w);
}

// The most images that a block may have.
static int64_t most_images(MgWino *w) {
    int64_t images = most_tiles(w) / (w->row.tiles * w->column.tiles);
    bool one = w->open || w->box.n_batch != 1 || w->weights_differ || images < 1;
    return one ? 1 : images < w->box.batches ? images : w->box.batches;
}

// Bytes that come from beyond L2: the weights for each block, and points that are too many for it
// for each strip.
static double fetched(MgWino *w) {
    double blocks = (double)mg_wino_blocks(w), size = sizeof(float);
    double weights = (double)(w->size.strips * mg_wino_strip_size(w)) * size;
    double points = (double)(mg_wino_products(w) * w->size.tiles * w->size.pitch) * size;
    bool far = w->plan.images > 1 && points > (double)mg_wino_l2(w->s) / 2;
    return blocks * ((w->plan.weights == MG_NEST_SPACE_LOCAL ? 0 : weights) +
                     (far ? (double)w->size.strips * points : 0));
}

// The cost in vector operations, and the time to load weights in the same unit.
static double cost(MgWino *w) {
    double tiles = (double)(w->row.tiles * w->column.tiles), products = mg_wino_products(w);
    double outputs = w->plan.form->outputs, lanes = w->plan.lanes;
    double channels = (double)mg_ceil_div(w->box.channels, w->plan.lanes);
    double maps = (double)mg_ceil_div(w->box.maps, w->plan.lanes);
    double pixels = (double)(w->row.tiles * w->size.line) * (outputs + 2. / (double)w->plan.rows);
    const MgMachine *machine = &w->s->options->target.machine;
    double turn = machine->winograd_turn;
    double in = channels * (pixels * turn + tiles * products * 6);
    double out = maps * tiles * (products * 3 + outputs * outputs * 2 * turn);
    double product =
        maps * (double)(mg_wino_blocks(w) * w->size.tiles) * products * (double)w->box.channels;
    double weight = MG_TILE_TAPS * MG_TILE_TAPS * lanes + products * 6; // looked up one by one
    double weights = w->unchanging ? 0 : maps * (double)w->box.channels * weight;
    return (double)w->box.batches * (in + out) + weights + product * machine->winograd_product +
           fetched(w) * machine->winograd_byte;
}

static double direct_cost(MgWino *w) {
    double work =
        (double)(w->row.size * w->column.size) * (double)w->box.maps * (double)w->box.channels;
    work *= (double)w->box.batches * MG_TILE_TAPS * MG_TILE_TAPS;
    return work / mg_kb_lanes(&w->kb, MG_F32) * w->s->options->target.machine.winograd_plain;
}

// Chooses the number of images in a block. Returns the cost.
static double choose_images(void *found, const MgTileForm *form) {
    MgWino *w = found;
    int64_t best = 1;
    choose_sizes(w, form, 1);
    double least = cost(w);
    for (int64_t images = 2, most = most_images(w); images <= most; images++) {
        choose_sizes(w, form, images);
        if (cost(w) < least) {
            least = cost(w);
            best = images;
        }
    }
    choose_sizes(w, form, best);
    return least;
}

bool mg_wino_choose_form(MgWino *w, MgWinoChoose *choose, void *found) {
    if (w->s->options->winograd == MG_WINO_NEVER)
        return false;
    double least = direct_cost(w);
    const MgTileForm *best = NULL;
    static const int64_t tiles[] = {[MG_WINO_TILES_2] = 2, [MG_WINO_TILES_4] = 4};
    int64_t asked = tiles[w->s->options->winograd];
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (mg_kb_lanes(&w->kb, MG_F32) < forms[i].outputs || (asked && asked != forms[i].outputs))
            continue;
        double needs = choose(found, &forms[i]);
        if (needs < least || asked) {
            least = needs;
            best = &forms[i];
        }
    }
    if (best)
        choose(found, best);
    return best;
}

// ---------------------------------------------------------------- buffers
// The weights' memory. Those of all runs are transformed in a call of its own.
static void make_weights(MgWino *w) {
    MgSched *s = w->s;
    if (w->plan.weights != MG_NEST_SPACE_KEPT) {
        bool local = w->plan.weights == MG_NEST_SPACE_LOCAL;
        w->weights.buf =
            mg_kb_scratch(&w->kb, "weights", MG_F32, mg_ix_const(s->ix, mg_wino_weight_size(w)),
                          local ? MG_SCOPE_WORKER : MG_SCOPE_CALL, &w->weights.base);
        return;
    }
    MgIx bytes = mg_ix_const(s->ix, mg_wino_weight_size(w) * (int64_t)sizeof(float));
    MgStorageId storage = mg_storage_kept(s, bytes, MG_NONE);
    MgWino p = *w;
    MgUnit unit = {.ops = w->unit->ops, .outputs = w->unit->outputs};
    mg_kb_begin(&p.kb, s, &unit, "transform");
    const MgOp *op = mg_op(s->g, w->unit->ops[0]);
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (mg_is_kept(s, op->operands[i]) && mg_kb_value(&p.kb, op->operands[i]) == UINT32_MAX)
            mg_kb_extra(&p.kb, "weight", mg_value(s->g, op->operands[i])->dtype,
                        s->storage_of[op->operands[i]], NULL, true, false);
    p.weights.buf = mg_kb_extra(&p.kb, "transformed", MG_F32, storage, NULL, false, true);
    mg_loops_begin(&p.at, &p.kb, p.piece);
    mg_wino_emit_weights(&p);
    unit.n_outputs = 1; // for the name of its site
    storage = mg_kb_end_ahead(&p.kb, w->unit->ops[0], s->once, storage);
    w->weights.buf = mg_kb_extra(&w->kb, "weights", MG_F32, storage, NULL, true, false);
}

static void make_buffers(MgWino *w) {
    MgIxTable *t = w->s->ix;
    int64_t slots = w->plan.rows * w->plan.form->outputs + MG_TILE_TAPS - 1,
            products = mg_wino_products(w);
    MgIx stage = mg_ix_const(t, (w->open ? w->size.stage : slots * w->size.line) * w->plan.lanes);
    MgIx points = mg_ix_const(t, products * w->size.tiles * w->size.pitch);
    MgIx sums = mg_ix_const(t, products * w->size.tiles * w->plan.nv * w->plan.lanes);
    w->stage.buf = mg_kb_scratch(&w->kb, "stage", MG_F32, stage, MG_SCOPE_WORKER, &w->stage.base);
    w->points.buf =
        mg_kb_scratch(&w->kb, "points", MG_F32, points,
                      w->plan.shared ? MG_SCOPE_CALL : MG_SCOPE_WORKER, &w->points.base);
    w->products.buf =
        mg_kb_scratch(&w->kb, "products", MG_F32, sums, MG_SCOPE_WORKER, &w->products.base);
    MgKType vector = mg_kt(MG_F32, w->plan.lanes);
    w->acc = mg_kb_private(&w->kb, "tile", vector, w->plan.mr * w->plan.nv);
    w->turned = mg_kb_private(&w->kb, "turned", vector, w->plan.form->outputs * w->plan.lanes);
    w->lines = mg_kb_private(&w->kb, "lines", vector, w->plan.lanes);
    w->check = mg_kb_private(&w->kb, "check", vector, 1);
}

static const MgKx *divided_up(MgWino *w, const MgKx *a, const MgKx *b) {
    MgKernel *k = w->kb.k;
    const MgKx *up = minus(k, add(k, a, b), 1);
    return named(k, &k->body, "n", quotient(k, up, b));
}

static const MgKx *at_least_one(MgWino *w, const MgKx *x) {
    return greatest(w->kb.k, x, num(w->kb.k, 1));
}

void mg_wino_count_blocks(MgWino *w) {
    MgKernel *k = w->kb.k;
    MgIxTable *t = w->s->ix;
    w->row.end = mg_kb_ix(&w->kb, w->row.extent, w->at.loop);
    w->column.end = mg_kb_ix(&w->kb, w->column.extent, w->at.loop);
    w->now.rows = num(k, w->plan.rows);
    w->now.blocks = num(k, w->size.blocks);
    w->now.across = num(k, 1);
    w->now.columns = num(k, w->column.tiles);
    w->now.line = num(k, w->size.line);
    if (!w->open) {
        w->now.all = num(k, mg_wino_blocks(w));
        return;
    }
    const MgKx *outputs = num(k, w->plan.form->outputs);
    const MgKx *columns = divided_up(w, w->column.end, outputs);
    const MgKx *rows = divided_up(w, w->row.end, outputs);
    w->now.across = at_least_one(w, divided_up(w, columns, num(k, w->size.most_columns)));
    w->now.columns = at_least_one(w, divided_up(w, columns, w->now.across)); // equal blocks
    const MgKx *most = quotient(k, num(k, w->plan.most), w->now.columns);
    most = least(k, at_least_one(w, most), num(k, MOST_ROWS));
    w->now.blocks = at_least_one(w, divided_up(w, rows, named(k, &k->body, "most", most)));
    w->now.rows = at_least_one(w, divided_up(w, rows, w->now.blocks));
    const MgKx *line = plus(k, mul(k, w->now.columns, outputs), MG_TILE_TAPS - 1);
    const MgKx *lanes = num(k, w->plan.lanes);
    w->now.line = named(k, &k->body, "line", mul(k, divided_up(w, line, lanes), lanes));
    MgIx images = mg_ix_const(t, 1);
    for (uint32_t i = 0; i < w->box.n_batch; i++)
        images = mg_ix_mul(t, images, w->piece->indices[w->box.batch[i]].high);
    w->now.all = mul(k, mg_kb_ix(&w->kb, images, w->at.loop), mul(k, w->now.blocks, w->now.across));
}

const MgTiled *mg_wino_tiled(const MgWino *w, bool of_taps) {
    MgTiled *t = MG_NEW(w->s->arena, MgTiled);
    *t = (MgTiled){.form = w->plan.form,
                   .of_taps = of_taps,
                   .image = w->image == w->piece->expr->args[1],
                   .place = {w->row.place, w->column.place},
                   .tap = {w->row.tap, w->column.tap},
                   .backward = {w->row.backward, w->column.backward},
                   .channel = w->box.channel,
                   .map = w->box.map};
    return t;
}

// ---------------------------------------------------------------- the form
const MgTileForm *mg_wino_form(int64_t outputs) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].outputs == outputs)
            return &forms[i];
    return NULL;
}

int64_t mg_wino_largest(const MgWino *w) {
    int64_t weights = mg_wino_weight_size(w),
            points = mg_wino_products(w) * w->size.tiles * w->size.pitch;
    return weights > points ? weights : points;
}

static void *begin(MgSched *s, const MgUnit *unit) {
    MgWino w = {.s = s, .unit = unit, .kb = {.s = s}};
    bool is = s->options->level >= 2 && !s->options->strict && find(&w);
    return is ? mg_arena_copy(s->arena, &w, 1, sizeof w) : NULL;
}

static bool choose(void *found) {
    MgWino *w = found;
    if (!mg_wino_choose_form(w, choose_images, w))
        return false;
    if (w->open) {
        int64_t most = most_tiles(w);
        w->plan.most = most < 1 ? 1 : most;
        w->plan.mr = w->plan.mr < w->plan.most ? w->plan.mr : (uint32_t)w->plan.most;
        w->plan.rows = 0;
        mg_wino_derive(w);
    }
    return mg_wino_weight_size(w) <= MG_WINO_MOST;
}

static void make(void *found) {
    MgWino *w = found;
    w->kb.tiled = mg_wino_tiled(w, false);
    mg_loops_begin(&w->at, &w->kb, w->piece);
    mg_wino_set_taps(w, false);
    make_weights(w);
    make_buffers(w);
    mg_wino_count_blocks(w);
    mg_wino_emit(w);
}

const MgForm mg_form_winograd = {.nests = MG_NEST_WINOGRAD,
                                 .level = 3,
                                 .what = "a convolution by Winograd's algorithm",
                                 .kernel = "winograd",
                                 .find = begin,
                                 .choose = choose,
                                 .read = mg_wino_read,
                                 .nest = mg_wino_nest,
                                 .make = make};
