// The plan of a convolution by Winograd's algorithm as a nest, and the plan that a nest describes.
//
// A loop over blocks of both places has the tiles: blocks of 4 or 2 outputs. Its registers have
// several tiles (positions of the index that joins both places), and vectors of maps. The
// transforms have no lines of their own: `by winograd` says that what is staged is transformed, and
// that sums are transformed back.
#include "passes/schedule/contraction/winograd.h"

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

static void add_weights(const MgWino *w, MgLine *outer, const MgNestScope *scope,
                        const Indices *x) {
    MgLine *line = mg_nest_add_stage(w->s->arena, outer, scope, 0, w->weight);
    int64_t width = (int64_t)w->plan.nv * w->plan.lanes;
    line->space = w->plan.weights;
    line->way = MG_WAY_WINOGRAD;
    line->n_axes = 3;
    line->axes = MG_NEW_N(w->s->arena, MgNestAxis, 3);
    line->axes[0] = (MgNestAxis){.index = x->map, .by = width};
    line->axes[1] = (MgNestAxis){.index = x->channel};
    line->axes[2] = (MgNestAxis){.index = UINT32_MAX, .by = width};
}

static void add_image(const MgWino *w, MgLine *outer, const MgNestScope *scope, const Indices *x) {
    MgLine *line = mg_nest_add_stage(w->s->arena, outer, scope, 0, w->image);
    line->space = w->plan.shared ? MG_NEST_SPACE_COMMON : MG_NEST_SPACE_LOCAL;
    line->way = MG_WAY_WINOGRAD;
    line->n_axes = 2;
    line->axes = MG_NEW_N(w->s->arena, MgNestAxis, 2);
    line->axes[0] = (MgNestAxis){.index = x->both};
    line->axes[1] = (MgNestAxis){.index = x->channel};
}

// Adds the sums of tiles, and what follows at each element.
static void add_tiles(const MgWino *w, MgLine *outer, const Indices *x) {
    const MgWinoPlan *p = &w->plan;
    MgArena *arena = w->s->arena;
    MgLine *tile = mg_nest_add_for(arena, outer, 2);
    tile->walks[0] = (MgWalk){.index = x->row, .by = p->form->outputs};
    tile->walks[1] = (MgWalk){.index = x->column, .by = p->form->outputs};
    MgLine *line = mg_nest_add_for(arena, mg_nest_add_blocks(arena, tile, x->channel, 0), 2);
    line->walks[0] = (MgWalk){.index = x->both, .digits = {{MG_LEVEL_REG, p->mr}}, .n_digits = 1};
    line->walks[1].index = x->map;
    if (p->nv > 1)
        mg_nest_add_digit(&line->walks[1], MG_LEVEL_REG, p->nv);
    mg_nest_add_digit(&line->walks[1], MG_LEVEL_LANE, p->lanes);
    mg_nest_add_numbers(arena, line, MG_LINE_DO, 0, 1)->way = MG_WAY_WINOGRAD;
    if (w->unit->n_ops > 1)
        mg_nest_add_numbers(arena, tile, MG_LINE_DO, 1, w->unit->n_ops - 1);
}

MgNest *mg_wino_nest(void *found, MgNestScope *scope) {
    MgWino *w = found;
    const MgWinoPlan *p = &w->plan;
    MgNest *nest = MG_NEW(w->s->arena, MgNest);
    Indices x = indices_of(w, scope);
    const uint32_t places[] = {x.row, x.column};
    nest->depth = w->piece->n_free;
    x.both = mg_nest_add_joined(nest, scope, w->s->arena, places, 2);
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
    add_image(w, block, scope, &x);
    MgLine *strip = mg_nest_add_blocks(w->s->arena, block, x.map, (int64_t)p->nv * p->lanes);
    strip->level = p->shared ? MG_LEVEL_CORE : MG_LEVEL_TIME;
    if (p->weights == MG_NEST_SPACE_LOCAL)
        add_weights(w, strip, scope, &x);
    add_tiles(w, strip, &x);
    return nest;
}

// ---------------------------------------------------------------- reading

#define refuse(line, ...) mg_form_refuse(w->s, nest, line, __VA_ARGS__)

static bool read_registers(MgWino *w, const MgNest *nest) {
    MgWinoPlan *p = &w->plan;
    MgNestFound lanes = mg_nest_find_digit(&nest->root, MG_LEVEL_LANE);
    if (!mg_form_check_lanes(w->s, nest, lanes, mg_kb_lanes(&w->kb, MG_F32)))
        return false;
    int64_t nv = mg_nest_digit(lanes.walk, MG_LEVEL_REG);
    int64_t mr = mg_nest_digit(lanes.line->walks, MG_LEVEL_REG);
    p->lanes = (uint32_t)mg_nest_digit(lanes.walk, MG_LEVEL_LANE);
    if (p->lanes < p->form->outputs)
        return refuse(lanes.line, "a vector has fewer lanes than a tile's row has outputs");
    if (lanes.line->n_walks != 2 || nv < 1 || nv > MG_WINO_VECTORS || mr < 1 || mr > MG_WINO_PANEL)
        return refuse(lanes.line, "registers have 1 to %d tiles, and 1 to %d vectors of maps",
                      MG_WINO_PANEL, MG_WINO_VECTORS);
    p->nv = (uint32_t)nv;
    p->mr = (uint32_t)mr;
    return true;
}

// The memory of the transformed weights: a strip's own line, or the first line that stages.
static bool read_weights(MgWino *w, const MgNest *nest, const Indices *x) {
    const MgLine *strip = mg_nest_find_blocks(&nest->root, x->map).line;
    const MgLine *line = strip ? mg_nest_find_kind(strip, MG_LINE_STAGE) : NULL;
    w->plan.weights = MG_NEST_SPACE_LOCAL;
    if (line)
        return true;
    line = mg_nest_find_kind(&nest->root, MG_LINE_STAGE);
    w->plan.weights =
        line && line->space == MG_NEST_SPACE_COMMON ? MG_NEST_SPACE_COMMON : MG_NEST_SPACE_KEPT;
    return w->plan.weights == MG_NEST_SPACE_COMMON || w->unchanging ||
           refuse(line, "this factor may change between runs: stage it 'in common', or 'in local' "
                        "in the loop over strips");
}

// Blocks of several images.
static bool read_images(MgWino *w, const MgNest *nest, const MgNestScope *scope, const Indices *x) {
    MgNestFound blocks = {0};
    if (x->image != UINT32_MAX)
        blocks = mg_nest_find_blocks(&nest->root, x->image);
    w->plan.images = blocks.walk && blocks.walk->by ? blocks.walk->by : 1;
    return w->plan.images <= w->box.batches ||
           refuse(blocks.line, "a block has at most all %lld of '%s'", (long long)w->box.batches,
                  scope->indices.at[x->image].name);
}

static bool read_blocks(MgWino *w, const MgNest *nest, const MgNestScope *scope, const Indices *x) {
    MgWinoPlan *p = &w->plan;
    if (!read_images(w, nest, scope, x))
        return false;
    int64_t outputs = p->form->outputs, unit = w->open ? outputs * outputs : outputs;
    MgNestFound blocks = mg_nest_find_blocks(&nest->root, w->open ? x->both : x->row);
    const char *name = scope->indices.at[w->open ? x->both : x->row].name;
    int64_t n = blocks.walk ? blocks.walk->by / unit : 0, most = w->open ? MG_WINO_MOST : 0;
    most = w->open ? most : mg_ceil_div(w->row.size, outputs);
    if (p->images > 1) // with all their rows
        n = most;
    else if (!n || blocks.walk->by % unit || n > most)
        return refuse(blocks.line,
                      "blocks of '%s' are whole tiles, a multiple of %lld, and at "
                      "most %lld",
                      name, (long long)unit, (long long)(most * unit));
    p->most = w->open ? n : 0;
    p->rows = w->open ? 0 : n;
    mg_wino_derive(w);
    return mg_wino_largest(w) <= MG_WINO_MOST ||
           refuse(blocks.line, "a transformed block, or all weights, have more than %d elements",
                  MG_WINO_MOST);
}

bool mg_wino_read(void *found, const MgNest *nest, const MgNestScope *scope) {
    MgWino *w = found;
    Indices x = indices_of(w, scope);
    const uint32_t places[] = {x.row, x.column};
    if (!mg_form_read_joined(w->s, nest, scope, places, 2, "a convolution by Winograd's algorithm",
                             &x.both))
        return false;
    MgNestFound tile = mg_nest_find_blocks(&nest->root, x.column);
    w->plan.form = tile.walk ? mg_wino_form(tile.walk->by) : NULL;
    if (!w->plan.form)
        return refuse(tile.line, "tiles have 2 x 2 or 4 x 4 outputs: 'for %s by 4, %s by 4'",
                      scope->indices.at[x.row].name, scope->indices.at[x.column].name);
    const MgLine *core = mg_nest_find_cores(&nest->root);
    w->plan.shared = core && core->walks[0].index == x.map;
    return read_weights(w, nest, &x) && read_registers(w, nest) && read_blocks(w, nest, scope, &x);
}
