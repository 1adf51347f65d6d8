// The plans of a convolution by Winograd's algorithm and of its adjoint as nests, and the plans
// that nests describe.
//
// A loop over blocks of both places has the tiles: blocks of 4 or 2 outputs. Registers have several
// tiles (positions of the index that joins both places) and vectors of maps; the adjoint's have
// maps and vectors of channels, whose strips sum over tiles. The transforms have no lines of their
// own: `by winograd` says that what is staged is transformed, and that sums are transformed back.
#include "passes/schedule/contraction/winograd_taps.h"

typedef struct Indices {
    uint32_t row, column, both, map, channel, image; // image: UINT32_MAX if blocks have one
} Indices;

static Indices indices_of(const MgWino *w, const MgNestScope *scope) {
    return (Indices){.row = mg_nest_index(scope, 0, w->row.place),
                     .column = mg_nest_index(scope, 0, w->column.place),
                     .map = mg_nest_index(scope, 0, w->box.map),
                     .channel = mg_nest_index(scope, 0, w->box.channel),
                     .image = w->box.n_batch == 1 && !w->open && !w->weights_differ
                                  ? mg_nest_index(scope, 0, w->box.batch[0])
                                  : UINT32_MAX};
}

// ---------------------------------------------------------------- writing

static Indices add_indices(const MgWino *w, MgNest *nest, MgNestScope *scope) {
    Indices x = indices_of(w, scope);
    const uint32_t places[] = {x.row, x.column};
    x.both = mg_nest_add_joined(nest, scope, w->s->arena, places, 2);
    return x;
}

static void add_weights(const MgWino *w, MgLine *outer, const MgNestScope *scope,
                        const Indices *x) {
    int64_t width = (int64_t)w->plan.nv * w->plan.lanes;
    const MgNestAxis axes[] = {
        {.index = x->map, .by = width}, {.index = x->channel}, {.index = UINT32_MAX, .by = width}};
    mg_nest_set_copy(w->s->arena, mg_nest_add_stage(w->s->arena, outer, scope, 0, w->weight),
                     w->plan.weights, MG_WAY_WINOGRAD, axes, 3);
}

// Adds the points of a factor.
static void add_points(const MgWino *w, MgLine *outer, const MgNestScope *scope, const MgSx *factor,
                       const Indices *x, uint32_t channel, MgNestSpace space) {
    const MgNestAxis axes[] = {{.index = x->both}, {.index = channel}};
    mg_nest_set_copy(w->s->arena, mg_nest_add_stage(w->s->arena, outer, scope, 0, factor), space,
                     MG_WAY_WINOGRAD, axes, 2);
}

// Adds the loop over tiles.
static MgLine *add_tiles(const MgWino *w, MgLine *outer, const Indices *x) {
    int64_t outputs = w->plan.form->outputs;
    const MgWalk places[] = {{.index = x->row, .by = outputs}, {.index = x->column, .by = outputs}};
    return mg_nest_add_walks(w->s->arena, outer, MG_LEVEL_TIME, places, 2);
}

// Adds the sums of a tile, and, below `end`, what follows at each element.
static void add_sums(const MgWino *w, MgLine *outer, uint32_t index, uint32_t along, MgLine *end) {
    const MgWinoPlan *p = &w->plan;
    MgLine *line = mg_nest_add_registers(w->s->arena, outer, index, p->mr, along, p->nv, p->lanes);
    mg_nest_add_numbers(w->s->arena, line, MG_LINE_DO, 0, 1)->way = MG_WAY_WINOGRAD;
    if (w->unit->n_ops > 1)
        mg_nest_add_numbers(w->s->arena, end, MG_LINE_DO, 1, w->unit->n_ops - 1);
}

void mg_wino_nest(void *found, MgNest *nest, MgNestScope *scope) {
    MgWino *w = found;
    const MgWinoPlan *p = &w->plan;
    Indices x = add_indices(w, nest, scope);
    if (p->weights != MG_NEST_SPACE_LOCAL)
        add_weights(w, &nest->root, scope, &x);
    int64_t outputs = p->form->outputs;
    MgWalk blocks = p->most ? (MgWalk){.index = x.both, .by = p->most * outputs * outputs}
                            : (MgWalk){.index = x.row, .by = p->rows * outputs};
    uint64_t without = 1ull << w->row.place | 1ull << w->column.place | 1ull << w->box.map;
    if (p->images > 1) {
        blocks = (MgWalk){.index = x.image, .by = p->images};
        without |= 1ull << w->box.batch[0];
    }
    MgLine *block = mg_nest_add_grid(w->s->arena, &nest->root, scope, without, blocks, !p->shared);
    add_points(w, block, scope, w->image, &x, x.channel,
               p->shared ? MG_NEST_SPACE_COMMON : MG_NEST_SPACE_LOCAL);
    MgLine *strip = mg_nest_add_blocks(w->s->arena, block, x.map, (int64_t)p->nv * p->lanes);
    strip->level = p->shared ? MG_LEVEL_CORE : MG_LEVEL_TIME;
    if (p->weights == MG_NEST_SPACE_LOCAL)
        add_weights(w, strip, scope, &x);
    MgLine *tile = add_tiles(w, strip, &x);
    add_sums(w, mg_nest_add_blocks(w->s->arena, tile, x.channel, 0), x.both, x.map, tile);
}

void mg_taps_nest(void *found, MgNest *nest, MgNestScope *scope) {
    MgTaps *t = found;
    MgWino *w = &t->w;
    const MgWinoPlan *p = &w->plan;
    Indices x = add_indices(w, nest, scope);
    MgLine *block = p->images > 1 ? mg_nest_add_blocks(w->s->arena, &nest->root, x.image, p->images)
                                  : mg_nest_add_blocks(w->s->arena, &nest->root, x.row,
                                                       p->rows * p->form->outputs);
    add_points(w, block, scope, w->image, &x, x.channel, MG_NEST_SPACE_COMMON);
    add_points(w, block, scope, t->gradient, &x, x.map, MG_NEST_SPACE_COMMON);
    const MgWalk sides[] = {{.index = x.map, .by = t->maps},
                            {.index = x.channel, .by = mg_taps_width(t)}};
    MgLine *strip = mg_nest_add_walks(w->s->arena, block, MG_LEVEL_CORE, sides, 2);
    add_sums(w, add_tiles(w, strip, &x), x.map, x.channel, strip);
}

// ---------------------------------------------------------------- reading

// The words for what the two have.
typedef struct Words {
    const char *what, *places, *registers, *vectors;
} Words;

static const Words of_image = {"a convolution by Winograd's algorithm", "outputs", "tiles", "maps"};
static const Words of_taps = {"a derivative by Winograd's algorithm", "places",
                              "maps, which divide the lanes", "channels"};

#define refuse(line, ...) mg_form_refuse(given, line, __VA_ARGS__)

static bool read_form(MgWino *w, const MgGivenNest *given, const Words *words, Indices *x) {
    *x = indices_of(w, given->scope);
    const uint32_t places[] = {x->row, x->column};
    if (!mg_form_read_joined(given, places, 2, words->what, &x->both))
        return false;
    MgNestFound tile = mg_nest_find_blocks(&given->nest->root, x->column);
    w->plan.form = tile.walk ? mg_wino_form(tile.walk->by) : NULL;
    return w->plan.form ||
           refuse(tile.line, "tiles have 2 x 2 or 4 x 4 %s: 'for %s by 4, %s by 4'", words->places,
                  mg_given_name(given, x->row), mg_given_name(given, x->column));
}

static bool read_registers(MgWino *w, const MgGivenNest *given, const Words *words) {
    MgWinoPlan *p = &w->plan;
    MgNestFound lanes = mg_nest_find_digit(&given->nest->root, MG_LEVEL_LANE);
    if (!mg_form_read_lanes(given, lanes, mg_kb_lanes(&w->kb, MG_F32), &p->lanes))
        return false;
    int64_t nv = mg_nest_digit(lanes.walk, MG_LEVEL_REG);
    int64_t mr = mg_nest_digit(lanes.line->walks, MG_LEVEL_REG);
    if (p->lanes < p->form->outputs)
        return refuse(lanes.line, "a vector has fewer lanes than a tile's row has %s",
                      words->places);
    if (lanes.line->n_walks != 2 || nv < 1 || nv > MG_WINO_VECTORS || mr < 1 ||
        mr > MG_WINO_PANEL || (words == &of_taps && p->lanes % mr))
        return refuse(lanes.line, "registers have 1 to %d %s, and 1 to %d vectors of %s",
                      MG_WINO_PANEL, words->registers, MG_WINO_VECTORS, words->vectors);
    p->nv = (uint32_t)nv;
    p->mr = (uint32_t)mr;
    return true;
}

// The memory of the transformed weights: a strip's own line, or the first line that stages.
static bool read_weights(MgWino *w, const MgGivenNest *given, const Indices *x) {
    const MgLine *strip = mg_nest_find_blocks(&given->nest->root, x->map).line;
    const MgLine *line = strip ? mg_nest_find_kind(strip, MG_LINE_STAGE) : NULL;
    w->plan.weights = MG_NEST_SPACE_LOCAL;
    if (line)
        return true;
    line = mg_nest_find_kind(&given->nest->root, MG_LINE_STAGE);
    w->plan.weights =
        line && line->space == MG_NEST_SPACE_COMMON ? MG_NEST_SPACE_COMMON : MG_NEST_SPACE_KEPT;
    return w->plan.weights == MG_NEST_SPACE_COMMON || w->unchanging ||
           refuse(line, "this factor may change between runs: stage it 'in common', or 'in local' "
                        "in the loop over strips");
}

// Blocks of several images, which have all their rows; or of some rows; or, for open sizes, of a
// number of tiles.
static bool read_blocks(MgWino *w, const MgGivenNest *given, const Indices *x) {
    MgWinoPlan *p = &w->plan;
    MgNestFound blocks = {0};
    if (x->image != UINT32_MAX)
        blocks = mg_nest_find_blocks(&given->nest->root, x->image);
    p->images = blocks.walk && blocks.walk->by ? blocks.walk->by : 1;
    if (p->images > w->box.batches)
        return refuse(blocks.line, "a block has at most all %lld of '%s'",
                      (long long)w->box.batches, mg_given_name(given, x->image));
    uint32_t index = w->open ? x->both : x->row;
    int64_t outputs = p->form->outputs, unit = w->open ? outputs * outputs : outputs;
    int64_t most = w->open ? MG_WINO_MOST : mg_ceil_div(w->row.size, outputs), n = most;
    if (p->images == 1) {
        blocks = mg_nest_find_blocks(&given->nest->root, index);
        n = blocks.walk ? blocks.walk->by / unit : 0;
        if (!n || blocks.walk->by % unit || n > most)
            return refuse(blocks.line,
                          "blocks of '%s' are whole tiles, a multiple of %lld, and at most %lld",
                          mg_given_name(given, index), (long long)unit, (long long)(most * unit));
    }
    p->most = w->open ? n : 0;
    p->rows = w->open ? 0 : n;
    return true;
}

bool mg_wino_read(void *found, const MgGivenNest *given) {
    MgWino *w = found;
    Indices x;
    if (!read_form(w, given, &of_image, &x))
        return false;
    const MgLine *core = mg_nest_find_cores(&given->nest->root);
    w->plan.shared = core && core->walks[0].index == x.map;
    if (!read_weights(w, given, &x) || !read_registers(w, given, &of_image) ||
        !read_blocks(w, given, &x))
        return false;
    mg_wino_derive(w);
    return mg_wino_largest(w) <= MG_WINO_MOST ||
           refuse(mg_nest_find_kind(&given->nest->root, MG_LINE_FOR),
                  "a transformed block, or all weights, have more than %d elements", MG_WINO_MOST);
}

bool mg_taps_read(void *found, const MgGivenNest *given) {
    MgTaps *t = found;
    MgWino *w = &t->w;
    Indices x;
    if (!read_form(w, given, &of_taps, &x) || !read_registers(w, given, &of_taps) ||
        !read_blocks(w, given, &x))
        return false;
    int64_t lanes = w->plan.lanes, most = mg_round_up(w->box.maps, lanes);
    MgNestFound strip = mg_nest_find_blocks(&given->nest->root, x.map);
    t->maps = strip.walk ? strip.walk->by : 0;
    if (t->maps < lanes || t->maps % lanes || t->maps > most)
        return refuse(strip.line,
                      "strips have whole vectors of maps, a multiple of %lld, and at most %lld",
                      (long long)lanes, (long long)most);
    mg_taps_derive(t);
    return mg_taps_largest(t) <= MG_WINO_MOST ||
           refuse(strip.line, "a transformed block, or all sums, have more than %d elements",
                  MG_WINO_MOST);
}
