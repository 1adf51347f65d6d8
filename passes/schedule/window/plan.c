// The plan of a window: it is chosen by rules, written as a nest, or read from a given nest.
//
// In the nest, blocks of rows of the result are tiles, whose sums are in registers; blocks of
// columns are served by one stage. Without a stage, windows are read in place: with code of its own
// for the ends of a line (edges), or, if they share no element, by phases.
#include "passes/schedule/window/window.h"

enum { MOST_TILE = 64, MOST_STEPS = 4096, MOST_STAGE = 1 << 24 };

int64_t mg_window_rows(const MgWindow *w, int64_t results) {
    if (w->row.free == MG_WINDOW_NONE)
        return 1;
    return (results - 1) * w->row.stride + (w->row.taps - 1) * w->row.dilation + 1;
}

static bool has_stage(const MgWindow *w) {
    return !w->plan.lies && !w->plan.apart;
}

// The distance between the first and the last tap of a row, in columns of a phase.
static int64_t shift(const MgWindow *w) {
    return (w->column.taps - 1) * w->column.dilation / w->column.stride;
}

void mg_window_derive(MgWindow *w) {
    MgIxTable *t = w->s->ix;
    const MgWindowPair *c = &w->column;
    MgIx width = mg_window_extent(w, c->free), one = mg_ix_const(t, 1);
    w->stage.rows = mg_window_rows(w, w->plan.tile);
    w->stage.columns =
        mg_ix_add(t, mg_ix_mul(t, mg_ix_sub(t, width, one), mg_ix_const(t, c->stride)),
                  mg_ix_const(t, (c->taps - 1) * c->dilation + 1));
    // Whole vectors of outputs, each shifted by up to reach / stride, in whole vectors.
    MgIx whole = mg_ix_round_up(t, width, w->plan.lanes);
    w->stage.pitch = w->stage.reach =
        mg_ix_round_up(t, mg_ix_add(t, whole, mg_ix_const(t, shift(w))), w->plan.lanes);
    if (!w->plan.chunk)
        return;
    w->stage.span = w->plan.chunk + mg_round_up(shift(w), w->plan.lanes);
    // odd: lines spread over L1's sets
    w->stage.pitch = mg_ix_const(t, (w->stage.span / w->plan.lanes | 1) * w->plan.lanes);
}

uint64_t mg_window_axes(const MgWindow *w) {
    return 1ull << w->column.free | (w->row.free == MG_WINDOW_NONE ? 0 : 1ull << w->row.free);
}

// ---------------------------------------------------------------- rules

// The distances between lines of an open width would be open, so every line and vector would need
// an address of its own. So such a row is walked in chunks of columns, whose stage takes half of
// L1.
static void choose_chunk(MgWindow *w) {
    int64_t lines = w->slices * mg_window_rows(w, w->plan.tile) * w->column.stride;
    int64_t line = lines * (int64_t)mg_dtype_size(w->piece->expr->dtype);
    int64_t vectors = w->s->options->target.l1_bytes / 2 / line / w->plan.lanes;
    if (has_stage(w) && mg_window_known(w, mg_window_extent(w, w->column.free)) < 0)
        w->plan.chunk = (vectors < 4 ? 4 : vectors > 32 ? 32 : vectors) * w->plan.lanes;
}

// The time of an operation on n vectors with that number of lanes.
static double time_of(const MgWindow *w, double n, uint32_t lanes) {
    const MgTargetInfo *target = &w->s->options->target;
    size_t bytes = lanes * mg_dtype_size(w->piece->expr->dtype);
    bool half = target->vector_bytes > 32 && bytes < target->vector_bytes;
    return n * (half ? target->machine.half_operation : target->machine.operation);
}

// Chooses the lanes for which a row takes the least time. If that is the same with shorter vectors,
// more of these are away from the edges.
static void choose_lanes(MgWindow *w) {
    int64_t width = mg_window_known(w, mg_window_extent(w, w->column.free));
    w->plan.lanes = mg_kb_lanes(&w->kb, w->piece->expr->dtype);
    while (width > 0 && w->plan.lanes > 4) {
        int64_t lanes = w->plan.lanes, half = lanes / 2;
        double edges = width > lanes && width < 4 * lanes ? 1 / (double)lanes : 0;
        double now = time_of(w, (double)mg_ceil_div(width, lanes) + edges, w->plan.lanes);
        if (width > half && now <= time_of(w, (double)mg_ceil_div(width, half), (uint32_t)half))
            return;
        w->plan.lanes /= 2;
    }
}

// Chooses the rows of a tile: as many as the registers hold besides the factors.
static void choose_tile(MgWindow *w) {
    int64_t height = mg_window_known(w, mg_window_extent(w, w->row.free)), best = INT64_MAX;
    int64_t taps = w->slices * w->row.taps * w->column.taps,
            most = w->row.free == MG_WINDOW_NONE ? 1 : 8;
    while (most > 1 &&
           (most * taps > 320 || most > (int64_t)w->s->options->target.vector_registers / 2))
        most /= 2;
    w->plan.tile = (uint32_t)most;
    for (int64_t r = most; height > 0 && r > most / 2; r--)
        if (mg_round_up(height, r) < best) {
            best = mg_round_up(height, r);
            w->plan.tile = (uint32_t)(r < height ? r : height);
        }
    if (w->row.free != MG_WINDOW_NONE) {
        int64_t rows = mg_param(w->s, w->unit, MG_PARAM_WINDOW_ROWS, w->plan.tile);
        w->plan.tile = (uint32_t)(height > 0 && rows > height ? height : rows);
    }
}

// Tiles share one loop with the outer indices only if these are too few for all workers: dividing
// by an open number of tiles takes as long as a line.
static void choose_sharing(MgWindow *w) {
    MgIx outer = mg_ix_const(w->s->ix, 1);
    for (uint32_t i = 0; i < w->piece->n_free; i++)
        if (!(mg_window_axes(w) >> i & 1))
            outer = mg_ix_mul(w->s->ix, outer, mg_window_extent(w, (int)i));
    int64_t trips = mg_window_known(w, outer);
    w->plan.shared = mg_form_shares(w->s, w->piece);
    w->plan.separate = mg_window_known(w, mg_window_extent(w, w->row.free)) < 0 &&
                       trips >= 16 * (int64_t)w->s->workers;
}

bool mg_window_choose(void *found) {
    MgWindow *w = found;
    w->plan.lies = mg_window_lies(w);
    w->plan.apart = mg_window_is_apart(w);
    choose_lanes(w);
    choose_tile(w);
    choose_chunk(w);
    choose_sharing(w);
    return true;
}

// ---------------------------------------------------------------- to a nest

static uint32_t index_of(const MgNestScope *scope, int position) {
    return mg_nest_index(scope, 0, (uint32_t)position);
}

// Is it a bound index that is in no pair?
static bool is_slice(const MgWindow *w, const MgNestScope *scope, uint32_t i) {
    return (int)i != w->row.bound && (int)i != w->column.bound &&
           !mg_nest_is_single(scope, mg_nest_index(scope, 0, i));
}

static void add_axis(MgLine *line, const MgNestScope *scope, const MgWindowPair *p) {
    if (p->free == MG_WINDOW_NONE)
        return;
    MgNestAxis *axis = &line->axes[line->n_axes++];
    axis->index = index_of(scope, p->free);
    axis->plus = p->bound == MG_WINDOW_NONE ? 0 : 1 + index_of(scope, p->bound);
}

static void add_stage(const MgWindow *w, MgLine *outer, const MgNestScope *scope) {
    MgLine *line = mg_nest_add_stage(w->s->arena, outer, scope, 0, w->staged);
    line->space = MG_NEST_SPACE_LOCAL;
    line->way = w->column.stride > 1 ? MG_WAY_PHASES : MG_WAY_PLAIN;
    line->axes = MG_NEW_N(w->s->arena, MgNestAxis, w->piece->n_indices);
    for (uint32_t i = w->piece->n_free; i < w->piece->n_indices; i++)
        if (is_slice(w, scope, i))
            line->axes[line->n_axes++].index = mg_nest_index(scope, 0, i);
    add_axis(line, scope, &w->row);
    add_axis(line, scope, &w->column);
}

// Adds all taps, each with registers of its own.
static MgLine *add_taps(const MgWindow *w, MgLine *outer, const MgNestScope *scope) {
    MgLine *line = mg_nest_add_for(w->s->arena, outer, w->piece->n_indices - w->piece->n_free);
    line->level = MG_LEVEL_REG;
    line->n_walks = 0;
    for (uint32_t i = w->piece->n_free; i < w->piece->n_indices; i++)
        if (is_slice(w, scope, i))
            line->walks[line->n_walks++].index = mg_nest_index(scope, 0, i);
    const int taps[] = {w->row.bound, w->column.bound};
    for (int i = 0; i < 2; i++)
        if (taps[i] != MG_WINDOW_NONE)
            line->walks[line->n_walks++].index = index_of(scope, taps[i]);
    return line;
}

void mg_window_nest(void *found, MgNest *nest, MgNestScope *scope) {
    MgWindow *w = found;
    MgArena *arena = w->s->arena;
    bool rows = w->row.free != MG_WINDOW_NONE;
    uint32_t row = rows ? index_of(scope, w->row.free) : 0,
             column = index_of(scope, w->column.free);
    MgWalk tiles = {.index = row, .by = rows && !w->plan.separate ? w->plan.tile : 0};
    MgLine *line =
        mg_nest_add_grid(arena, &nest->root, scope, mg_window_axes(w), tiles, w->plan.shared);
    if (rows && w->plan.separate)
        line = mg_nest_add_blocks(arena, line, row, w->plan.tile);
    if (w->plan.chunk)
        line = mg_nest_add_blocks(arena, line, column, w->plan.chunk);
    if (has_stage(w))
        add_stage(w, line, scope);
    if (rows && w->plan.apart)
        line = mg_nest_add_blocks(arena, line, row, 0);
    int64_t width = mg_window_known(w, mg_window_extent(w, w->column.free));
    line = mg_nest_add_lanes(arena, line, column, 1, w->plan.lanes, width);
    line->edges = w->plan.lies;
    if (rows && !w->plan.apart) {
        line = mg_nest_add_blocks(arena, line, row, 0);
        line->level = MG_LEVEL_REG;
    }
    mg_nest_add_numbers(arena, add_taps(w, line, scope), MG_LINE_DO, 0, 1)->way =
        w->plan.apart ? MG_WAY_PHASES : MG_WAY_PLAIN;
    if (scope->n_ops > 1)
        mg_nest_add_numbers(arena, line, MG_LINE_DO, 1, scope->n_ops - 1);
}

// ---------------------------------------------------------------- from a nest

static bool read_tile(MgWindow *w, const MgGivenNest *given) {
    int64_t taps = w->slices * w->row.taps * w->column.taps;
    w->plan.tile = 1;
    w->plan.shared = mg_form_is_shared(given, mg_window_axes(w));
    if (w->row.free == MG_WINDOW_NONE)
        return true;
    MgNestFound tile = mg_nest_find_blocks(&given->nest->root, index_of(given->scope, w->row.free));
    const char *name = mg_given_name(given, index_of(given->scope, w->row.free));
    int64_t height = mg_window_known(w, mg_window_extent(w, w->row.free));
    int64_t n = tile.walk ? tile.walk->by : 0, most = MOST_STEPS / taps;
    most = most > MOST_TILE ? MOST_TILE : most;
    most = height > 0 && most > height ? height : most;
    if (n < 1 || n > most)
        return mg_form_refuse(given, tile.line,
                              "windows come in tiles of at most %lld rows here: 'for %s by N'",
                              (long long)most, name);
    w->plan.tile = (uint32_t)n;
    w->plan.separate = tile.line->n_walks == 1 && tile.line != given->nest->root.body.at[0];
    w->plan.shared = mg_nest_find_cores(&given->nest->root) != NULL;
    return true;
}

static bool read_stage(MgWindow *w, const MgGivenNest *given) {
    uint32_t column = index_of(given->scope, w->column.free);
    MgNestFound chunk = mg_nest_find_blocks(&given->nest->root, column);
    const char *name = mg_given_name(given, column);
    const MgLine *stage = mg_nest_find_kind(&given->nest->root, MG_LINE_STAGE);
    if (!has_stage(w))
        return true;
    w->plan.chunk = chunk.walk ? chunk.walk->by : 0;
    if (w->plan.chunk % w->plan.lanes || w->plan.chunk > MOST_STAGE)
        return mg_form_refuse(given, chunk.line,
                              "blocks of '%s' are a multiple of %u lanes, and at most %d", name,
                              w->plan.lanes, MOST_STAGE);
    if (!w->plan.chunk && mg_window_known(w, mg_window_extent(w, w->column.free)) < 0)
        return mg_form_refuse(
            given, stage, "the size of '%s' is open: a stage serves blocks of it, 'for %s by N'",
            name, name);
    mg_window_derive(w);
    int64_t lines = w->slices * w->stage.rows * w->column.stride,
            pitch = mg_window_known(w, w->stage.pitch);
    return pitch <= 0 || lines <= MOST_STAGE / pitch ||
           mg_form_refuse(given, stage, "the stage has more than %d elements", MOST_STAGE);
}

bool mg_window_read(void *found, const MgGivenNest *given) {
    MgWindow *w = found;
    MgNestFound lanes = mg_nest_find_digit(&given->nest->root, MG_LEVEL_LANE);
    const MgLine *first = mg_nest_find_kind(&given->nest->root, MG_LINE_DO);
    if (!mg_form_read_lanes(given, lanes, mg_kb_lanes(&w->kb, w->piece->expr->dtype),
                            &w->plan.lanes))
        return false;
    w->plan.lies = lanes.line->edges;
    w->plan.apart = first && first->way == MG_WAY_PHASES;
    if (w->plan.lies && !mg_window_may_lie(w))
        return mg_form_refuse(given, lanes.line,
                              "only what lies in memory as windows take it is read with edges: "
                              "this has a stage");
    if (w->plan.apart && !mg_window_is_apart(w))
        return mg_form_refuse(given, first,
                              "windows that share elements, or reach outside, are not reduced by "
                              "phases");
    return read_tile(w, given) && read_stage(w, given);
}
