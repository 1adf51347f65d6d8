// The plan of a derivative by the adjoint of Winograd's algorithm as a nest, and the plan that a
// nest describes.
//
// A loop over blocks of a place, or of images, stages the points of both factors. Strips of maps
// and channels sum over tiles, blocks of both places. As for convolutions, `by winograd` says that
// what is staged is transformed, and that sums are transformed back.
#include "passes/schedule/contraction/winograd_taps.h"

typedef struct Indices {
    uint32_t row, column, both, map, channel, image; // image: UINT32_MAX if blocks have one
} Indices;

static Indices indices_of(const MgTaps *t, const MgNestScope *scope) {
    const MgWino *w = &t->w;
    return (Indices){.row = mg_nest_index(scope, 0, w->row.place),
                     .column = mg_nest_index(scope, 0, w->column.place),
                     .map = mg_nest_index(scope, 0, w->box.map),
                     .channel = mg_nest_index(scope, 0, w->box.channel),
                     .image = w->box.n_batch == 1 ? mg_nest_index(scope, 0, w->box.batch[0])
                                                  : UINT32_MAX};
}

// ---------------------------------------------------------------- writing
static void add_points(const MgTaps *t, MgLine *outer, const MgNestScope *scope, const MgSx *x,
                       uint32_t both, uint32_t channel) {
    MgArena *arena = t->w.s->arena;
    MgLine *line = mg_nest_add_stage(arena, outer, scope, 0, x);
    line->space = MG_NEST_SPACE_COMMON;
    line->way = MG_WAY_WINOGRAD;
    line->n_axes = 2;
    line->axes = MG_NEW_N(arena, MgNestAxis, 2);
    line->axes[0] = (MgNestAxis){.index = both};
    line->axes[1] = (MgNestAxis){.index = channel};
}

MgNest *mg_taps_nest(void *found, MgNestScope *scope) {
    MgTaps *t = found;
    const MgWinoPlan *p = &t->w.plan;
    MgArena *arena = t->w.s->arena;
    MgNest *nest = MG_NEW(arena, MgNest);
    Indices x = indices_of(t, scope);
    const uint32_t places[] = {x.row, x.column};
    nest->depth = t->w.piece->n_free;
    x.both = mg_nest_add_joined(nest, scope, arena, places, 2);
    MgLine *block = p->images > 1
                        ? mg_nest_add_blocks(arena, &nest->root, x.image, p->images)
                        : mg_nest_add_blocks(arena, &nest->root, x.row, p->rows * p->form->outputs);
    add_points(t, block, scope, t->w.image, x.both, x.channel);
    add_points(t, block, scope, t->gradient, x.both, x.map);
    MgLine *strip = mg_nest_add_for(arena, block, 2);
    strip->level = MG_LEVEL_CORE;
    strip->walks[0] = (MgWalk){.index = x.map, .by = t->maps};
    strip->walks[1] = (MgWalk){.index = x.channel, .by = mg_taps_width(t)};
    MgLine *tile = mg_nest_add_for(arena, strip, 2);
    tile->walks[0] = (MgWalk){.index = x.row, .by = p->form->outputs};
    tile->walks[1] = (MgWalk){.index = x.column, .by = p->form->outputs};
    MgLine *line = mg_nest_add_for(arena, tile, 2);
    line->walks[0] = (MgWalk){.index = x.map, .digits = {{MG_LEVEL_REG, p->mr}}, .n_digits = 1};
    line->walks[1].index = x.channel;
    if (p->nv > 1)
        mg_nest_add_digit(&line->walks[1], MG_LEVEL_REG, p->nv);
    mg_nest_add_digit(&line->walks[1], MG_LEVEL_LANE, p->lanes);
    mg_nest_add_numbers(arena, line, MG_LINE_DO, 0, 1)->way = MG_WAY_WINOGRAD;
    if (t->w.unit->n_ops > 1)
        mg_nest_add_numbers(arena, strip, MG_LINE_DO, 1, t->w.unit->n_ops - 1);
    return nest;
}

// ---------------------------------------------------------------- reading
#define refuse(line, ...) mg_form_refuse(t->w.s, nest, line, __VA_ARGS__)

static bool read_registers(MgTaps *t, const MgNest *nest) {
    MgWinoPlan *p = &t->w.plan;
    MgNestFound lanes = mg_nest_find_digit(&nest->root, MG_LEVEL_LANE);
    if (!mg_form_check_lanes(t->w.s, nest, lanes, mg_kb_lanes(&t->w.kb, MG_F32)))
        return false;
    int64_t nv = mg_nest_digit(lanes.walk, MG_LEVEL_REG);
    int64_t mr = mg_nest_digit(lanes.line->walks, MG_LEVEL_REG);
    p->lanes = (uint32_t)mg_nest_digit(lanes.walk, MG_LEVEL_LANE);
    if (p->lanes < p->form->outputs)
        return refuse(lanes.line, "a vector has fewer lanes than a tile's row has places");
    if (lanes.line->n_walks != 2 || nv < 1 || nv > MG_WINO_VECTORS || mr < 1 ||
        mr > MG_WINO_PANEL || p->lanes % mr)
        return refuse(lanes.line,
                      "registers have 1 to %d maps, which divide the lanes, and 1 to %d vectors of "
                      "channels",
                      MG_WINO_PANEL, MG_WINO_VECTORS);
    p->nv = (uint32_t)nv;
    p->mr = (uint32_t)mr;
    return true;
}

// Blocks of several images, with all their rows, or of some rows of one.
static bool read_block(MgTaps *t, const MgNest *nest, const MgNestScope *scope, const Indices *x) {
    MgWino *w = &t->w;
    const MgLine *line = mg_nest_find_kind(&nest->root, MG_LINE_FOR);
    const MgWalk *walk = line && line->n_walks == 1 ? line->walks : NULL;
    int64_t outputs = w->plan.form->outputs, rows = mg_ceil_div(w->row.size, outputs);
    if (walk && walk->index == x->image && walk->by > 1 && walk->by <= w->box.batches) {
        w->plan.images = walk->by;
        w->plan.rows = rows;
        return true;
    }
    if (!walk || walk->index != x->row || walk->by < 1 || walk->by % outputs ||
        walk->by > rows * outputs)
        return refuse(line, "blocks of '%s' are whole tiles, a multiple of %lld, and at most %lld",
                      scope->indices.at[x->row].name, (long long)outputs,
                      (long long)(rows * outputs));
    w->plan.images = 1;
    w->plan.rows = walk->by / outputs;
    return true;
}

static bool read_strip(MgTaps *t, const MgNest *nest, const Indices *x) {
    int64_t lanes = t->w.plan.lanes, most = mg_round_up(t->w.box.maps, lanes);
    MgNestFound strip = mg_nest_find_blocks(&nest->root, x->map);
    t->maps = strip.walk ? strip.walk->by : 0;
    if (t->maps < lanes || t->maps % lanes || t->maps > most)
        return refuse(strip.line,
                      "strips have whole vectors of maps, a multiple of %lld, and at "
                      "most %lld",
                      (long long)lanes, (long long)most);
    mg_taps_derive(t);
    return mg_taps_largest(t) <= MG_WINO_MOST ||
           refuse(strip.line, "a transformed block, or all sums, have more than %d elements",
                  MG_WINO_MOST);
}

bool mg_taps_read(void *found, const MgNest *nest, const MgNestScope *scope) {
    MgTaps *t = found;
    Indices x = indices_of(t, scope);
    const uint32_t places[] = {x.row, x.column};
    if (!mg_form_read_joined(t->w.s, nest, scope, places, 2, "a derivative by Winograd's algorithm",
                             &x.both))
        return false;
    MgNestFound tile = mg_nest_find_blocks(&nest->root, x.column);
    t->w.plan.form = tile.walk ? mg_wino_form(tile.walk->by) : NULL;
    if (!t->w.plan.form)
        return refuse(tile.line, "tiles have 2 x 2 or 4 x 4 places: 'for %s by 4, %s by 4'",
                      scope->indices.at[x.row].name, scope->indices.at[x.column].name);
    return read_registers(t, nest) && read_block(t, nest, scope, &x) && read_strip(t, nest, &x);
}
