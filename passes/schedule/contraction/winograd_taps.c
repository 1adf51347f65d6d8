// Derivatives of convolutions with respect to filters of 3 x 3, by the adjoint of Winograd's
// algorithm (winograd.c).
//
// They are found by structure: a sum over two places, and any other indices, of a factor that
// depends on place + tap in two directions, for three taps each, times one that depends on the
// places alone, the gradient. Both are cut into tiles. The image's are transformed as for the
// convolution (B' d B), the gradient's by the adjoint of the outputs' transform (A s A'). Then one
// product of matrices for each point, maps by channels, sums over tiles, with 4 or 2.25 times fewer
// multiplications than the plain sum, and the adjoint of the weights' transform (G' q G) makes taps
// of the sums.
//
// The points of a block of tiles are made, then multiplied, strip by strip of maps and channels.
// The sums of all strips lie in memory from one block to the next. If one block has all tiles,
// those of one strip are enough.
#include "passes/schedule/contraction/winograd_taps.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

// ---------------------------------------------------------------- recognising it
static int64_t extent(const MgTaps *t, uint32_t index) {
    return mg_form_extent(t->w.s, &t->w.piece->indices[index]);
}

static bool in_image(const MgTaps *t, uint32_t index) {
    return mg_sx_mentions(t->w.s->m, t->w.image, index);
}

static bool in_gradient(const MgTaps *t, uint32_t index) {
    return mg_sx_mentions(t->w.s->m, t->gradient, index);
}

// Is a free index a tap, which meets a place of the gradient in the image's subscripts?
static bool find_side(MgTaps *t, uint32_t tap, MgWinoSide *side) {
    const MgPiece *p = t->w.piece;
    if (extent(t, tap) != MG_TILE_TAPS || in_gradient(t, tap))
        return false;
    for (uint32_t b = p->n_free; b < p->n_indices; b++) {
        *side = (MgWinoSide){
            .place = b, .tap = tap, .extent = p->indices[b].high, .size = extent(t, b)};
        if (in_gradient(t, b) && mg_sx_depends_on_sum(t->w.s->m, t->w.image, b, tap, 1))
            return true;
    }
    return false;
}

// Is each of the four free indices a tap, the map or the channel?
static bool classify(MgTaps *t) {
    MgWinoSide sides[2];
    uint32_t n = 0, maps = 0, channels = 0;
    for (uint32_t i = 0; i < t->w.piece->n_free; i++) {
        MgWinoSide side;
        if (n < 2 && find_side(t, i, &side)) {
            sides[n++] = side;
        } else if (in_gradient(t, i) && !in_image(t, i)) {
            t->w.box.map = i;
            maps++;
        } else if (in_image(t, i) && !in_gradient(t, i)) {
            t->w.box.channel = i;
            channels++;
        } else {
            return false;
        }
    }
    if (n != 2 || maps != 1 || channels != 1 || sides[0].place == sides[1].place)
        return false;
    t->w.row = sides[0];
    t->w.column = sides[1];
    return true;
}

// The results of a map are channels of squares of taps, one after another.
static bool lies(const MgTaps *t, uint32_t index, int64_t apart) {
    MgIxTable *ix = t->w.s->ix;
    MgIx target = mg_unit_target(t->w.s, t->w.unit->ops[0], NULL, 0), at, rest;
    return mg_ix_linear(ix, target, mg_ix_index(ix, index), &at, &rest) &&
           at == mg_ix_const(ix, apart);
}

static bool has_lines(MgTaps *t, const MgSx *factor) {
    MgIx with[MG_FORM_SYMS];
    for (uint32_t i = 0; i < MG_FORM_SYMS; i++)
        with[i] = mg_ix_idx(t->w.s->ix, i);
    MgAccesses reads = mg_accesses(t->w.s, t->w.unit->ops[0], factor, with, MG_FORM_SYMS);
    bool some = false;
    for (uint32_t i = 0; i < reads.n; i++) {
        MgMove along = mg_moves(t->w.s, &reads.at[i], t->w.column.place);
        if (along == MG_JUMPS || reads.at[i].read->bounds == MG_BOUNDS_CHECKED)
            return false;
        some |= along == MG_STEPS;
    }
    return some;
}

static bool find_batches(MgTaps *t) {
    const MgPiece *p = t->w.piece;
    MgWinoBox *box = &t->w.box;
    box->n_batch = 0;
    box->batches = 1;
    for (uint32_t b = p->n_free; b < p->n_indices; b++) {
        if (b == t->w.row.place || b == t->w.column.place)
            continue;
        if (box->n_batch == MG_WINO_BATCH)
            return false;
        box->batch[box->n_batch++] = b;
        box->batches *= extent(t, b);
    }
    box->maps = extent(t, box->map);
    box->channels = extent(t, box->channel);
    return true;
}

static bool find(MgTaps *t) {
    const MgPiece *p = t->w.piece = mg_form_box(t->w.s, t->w.unit);
    const MgSx *x = p ? p->expr : NULL;
    if (!p || !mg_piece_sums_products(p) || p->scatter || p->n_free != 4 ||
        p->n_indices >= MG_FORM_SYMS || x->dtype != MG_F32)
        return false;
    for (uint32_t i = 0; i < p->n_indices; i++)
        if (extent(t, i) <= 0)
            return false;
    for (uint32_t a = 0; a < 2; a++) {
        t->w.image = x->args[a];
        t->gradient = x->args[1 - a];
        if (classify(t) && lies(t, t->w.column.tap, 1) && lies(t, t->w.row.tap, MG_TILE_TAPS) &&
            lies(t, t->w.box.channel, MG_TILE_TAPS * MG_TILE_TAPS) && has_lines(t, t->w.image) &&
            has_lines(t, t->gradient) && find_batches(t))
            return mg_unit_has_epilogue(t->w.s, t->w.unit);
    }
    return false;
}

// ---------------------------------------------------------------- sizes
void mg_taps_derive(MgTaps *t) {
    MgWino *w = &t->w;
    int64_t lanes = w->plan.lanes, products = mg_wino_products(w);
    mg_wino_count_tiles(w);
    w->size.blocks = mg_ceil_div(w->row.tiles, w->plan.rows);
    w->size.tiles = w->plan.images * w->plan.rows * w->column.tiles;
    w->size.line = mg_wino_line(w, w->column.tiles, MG_TILE_TAPS - 1);
    t->blocks = mg_wino_blocks(w);
    t->size.map = mg_ceil_div(w->box.maps, lanes);
    t->size.channel = mg_ceil_div(w->box.channels, lanes);
    t->size.across = mg_ceil_div(t->size.channel, w->plan.nv);
    t->size.strips = t->size.across * mg_ceil_div(w->box.maps, t->maps);
    // One more vector, so that products don't all fall into the same sets of the cache.
    t->size.product = t->maps * mg_taps_width(t) + lanes;
    t->size.sums = products * t->size.product * (t->blocks > 1 ? t->size.strips : 1);
}

static int64_t points_of(const MgTaps *t, int64_t vectors) {
    return mg_wino_products(&t->w) * (vectors * t->w.size.tiles + 1) * t->w.plan.lanes;
}

int64_t mg_taps_largest(const MgTaps *t) {
    int64_t map = points_of(t, t->size.map), channel = points_of(t, t->size.channel);
    int64_t points = map > channel ? map : channel;
    return points > t->size.sums ? points : t->size.sums;
}

// Strips as high as the sums and the slopes of one fit into a part of L2, and enough strips that
// workers have some each.
static void choose_strips(MgTaps *t) {
    MgWino *w = &t->w;
    int64_t lanes = w->plan.lanes, maps = mg_round_up(w->box.maps, lanes);
    int64_t row = mg_wino_products(w) *
                  (mg_taps_width(t) + w->plan.images * w->plan.rows *
                                          mg_ceil_div(w->column.size, w->plan.form->outputs));
    int64_t most = mg_wino_l2(w->s) / 2 / (row * (int64_t)sizeof(float)) / lanes * lanes;
    most = most < lanes ? lanes : most;
    t->maps = mg_round_up(mg_ceil_div(maps, mg_ceil_div(maps, most)), lanes);
    mg_taps_derive(t);
    while (t->size.strips < 2 * (int64_t)w->s->workers && w->s->workers > 1 && t->maps > lanes) {
        t->maps = mg_round_up(t->maps / 2, lanes);
        mg_taps_derive(t);
    }
}

static void choose_sizes(MgTaps *t, const MgTileForm *form, int64_t images, int64_t rows) {
    MgWino *w = &t->w;
    int64_t registers = w->s->options->target.vector_registers;
    w->plan = (MgWinoPlan){
        .form = form, .lanes = mg_kb_lanes(&w->kb, MG_F32), .images = images, .rows = rows};
    w->plan.nv = w->box.channels > w->plan.lanes ? 2 : 1;
    w->plan.mr = w->plan.lanes < 8 ? w->plan.lanes : 8;
    while (w->plan.mr > 1 && (int64_t)(w->plan.mr + 1) * w->plan.nv + 1 > registers)
        w->plan.mr /= 2;
    choose_strips(t);
}

// ---------------------------------------------------------------- costs
// Bytes that come from beyond L2: points that are more than a part of it, which are written once
// and read once, and an image's again for each strip of other maps; and sums, for each block.
static double fetched(const MgTaps *t) {
    double size = sizeof(float), l2 = (double)mg_wino_l2(t->w.s);
    double maps = (double)points_of(t, t->size.map) * size;
    double channels = (double)points_of(t, t->size.channel) * size;
    double sums = (double)t->size.sums * size, all = maps + channels;
    double again = (double)(t->size.strips / t->size.across - 1);
    double bytes = all > l2 / 2 ? 2 * all + again * channels : 0;
    if (t->blocks > 1 && sums + all > l2)
        bytes += 2 * sums;
    return bytes * (double)t->blocks;
}

// In vector operations, and time to load in the same unit.
static double cost(const MgTaps *t) {
    const MgWino *w = &t->w;
    const MgMachine *machine = &w->s->options->target.machine;
    double products = mg_wino_products(w), turn = machine->winograd_turn;
    double outputs = w->plan.form->outputs, rows = (double)(w->row.tiles * w->box.batches);
    double tiles = rows * (double)w->column.tiles, blocks = (double)t->blocks;
    double image = rows * (outputs + 2. / (double)w->plan.rows) * (double)w->size.line;
    double slope = rows * outputs * (double)mg_wino_line(w, w->column.tiles, 0);
    double in = (double)t->size.channel * (image * turn + tiles * products * 6) +
                (double)t->size.map * (slope * turn + tiles * products * 5);
    double results = (double)w->box.maps * (double)t->size.channel;
    double out = results * (products * 3 + MG_TILE_TAPS * MG_TILE_TAPS * turn);
    double product = results * products * (tiles * machine->winograd_product + 2 * blocks);
    return in + out + product + fetched(t) * machine->winograd_byte;
}

// Chooses the block: some rows of an image, or several images. Returns the cost.
static double choose_block(void *found, const MgTileForm *form) {
    MgTaps *t = found;
    choose_sizes(t, form, 1, 1);
    int64_t best[2] = {1, 1};
    double least = cost(t);
    // Several indices of images are walked one image at a time.
    int64_t most = t->w.row.tiles + (t->w.box.n_batch == 1 ? t->w.box.batches - 1 : 0);
    for (int64_t n = 1; n < most && mg_taps_largest(t) <= MG_WINO_MOST;) {
        n = n + 1 + n / 16 < most ? n + 1 + n / 16 : most;
        int64_t rows = n < t->w.row.tiles ? n : t->w.row.tiles, images = n - rows + 1;
        rows = mg_ceil_div(t->w.row.tiles, mg_ceil_div(t->w.row.tiles, rows)); // equal blocks
        images = mg_ceil_div(t->w.box.batches, mg_ceil_div(t->w.box.batches, images));
        choose_sizes(t, form, images, rows);
        double needs = cost(t);
        if (needs < least && mg_taps_largest(t) <= MG_WINO_MOST) {
            least = needs;
            best[0] = images;
            best[1] = rows;
        }
    }
    choose_sizes(t, form, best[0], best[1]);
    return least;
}

static bool choose(void *found) {
    MgTaps *t = found;
    return mg_wino_choose_form(&t->w, choose_block, t) && mg_taps_largest(t) <= MG_WINO_MOST;
}

// ---------------------------------------------------------------- the form
static MgWinoPoints points(MgTaps *t, const char *name, const MgSx *x, uint32_t channel,
                           int64_t vectors) {
    MgWino *w = &t->w;
    MgWinoPoints p = {.x = x,
                      .channel = channel,
                      .channels = extent(t, channel),
                      .by_product = (vectors * w->size.tiles + 1) * w->plan.lanes,
                      .by_tile = w->plan.lanes,
                      .by_group = w->size.tiles * w->plan.lanes};
    MgIx size = mg_ix_const(w->s->ix, points_of(t, vectors));
    p.to.buf = mg_kb_scratch(&w->kb, name, MG_F32, size, MG_SCOPE_CALL, &p.to.base);
    return p;
}

static void make_buffers(MgTaps *t) {
    MgWino *w = &t->w;
    MgKernel *k = w->kb.k;
    uint32_t lanes = w->plan.lanes, outputs = w->plan.form->outputs;
    int64_t lines = w->plan.rows * outputs + MG_TILE_TAPS - 1;
    MgIx stage = mg_ix_const(w->s->ix, lines * w->size.line * lanes);
    w->stage.buf = mg_kb_scratch(&w->kb, "stage", MG_F32, stage, MG_SCOPE_WORKER, &w->stage.base);
    t->image = points(t, "points", w->image, w->box.channel, t->size.channel);
    t->image.side = w->plan.form->points;
    t->image.beyond = MG_TILE_TAPS - 1;
    t->image.transform = mg_wino_input;
    t->slope = points(t, "slopes", t->gradient, w->box.map, t->size.map);
    t->slope.side = outputs;
    t->slope.transform = mg_wino_slope;
    t->sums.buf = mg_kb_scratch(&w->kb, "sums", MG_F32, mg_ix_const(w->s->ix, t->size.sums),
                                t->blocks > 1 ? MG_SCOPE_CALL : MG_SCOPE_WORKER, &t->sums.base);
    MgWinoPoints *both[] = {&t->image, &t->slope};
    for (uint32_t i = 0; i < 2; i++) {
        both[i]->length = mg_wino_line(w, w->column.tiles, both[i]->beyond);
        both[i]->line = num(k, both[i]->length);
    }
    MgKType vector = mg_kt(MG_F32, lanes);
    w->acc = mg_kb_private(&w->kb, "tile", vector, w->plan.mr * w->plan.nv);
    w->lines = mg_kb_private(&w->kb, "taps", mg_kt(MG_F32, 1),
                             (MG_TILE_TAPS * MG_TILE_TAPS + 1) * (int64_t)lanes);
}

static void *begin(MgSched *s, const MgUnit *unit) {
    MgTaps t = {.w = {.s = s, .unit = unit, .kb = {.s = s}}};
    bool is = s->options->level >= 2 && !s->options->strict && find(&t);
    return is ? mg_arena_copy(s->arena, &t, 1, sizeof t) : NULL;
}

static void make(void *found) {
    MgTaps *t = found;
    MgWino *w = &t->w;
    w->kb.tiled = mg_wino_tiled(w, true);
    mg_loops_begin(&w->at, &w->kb, w->piece);
    make_buffers(t);
    mg_wino_count_blocks(w);
    mg_taps_emit(t);
}

const MgForm mg_form_winograd_taps = {.nests = MG_NEST_WINOGRAD,
                                      .level = 3,
                                      .what = "a derivative by Winograd's algorithm",
                                      .kernel = "winograd",
                                      .find = begin,
                                      .choose = choose,
                                      .read = mg_taps_read,
                                      .nest = mg_taps_nest,
                                      .make = make};
