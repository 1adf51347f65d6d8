// Windows over images whose channels are innermost: y[outer, h, w, c] = reduce[kh, kw] x[outer, s*h
// + d*kh + o, t*w + e*kw + p, c] * F(kh, kw, c), with an elementwise epilogue: depthwise
// convolutions and pooling, in one or two dimensions.
//
// Channels fill whole vectors whatever the image's size, while a row of 7 or 14 pixels fills half
// of its last vector. A tile of pixels of one row keeps its accumulators in registers. Each loaded
// vector serves all windows that contain it, and the factors of a row of taps stay in registers.
// Taps in the padding are skipped: rows by the bounds of the loop over taps, columns when the tile
// is written, since tiles at the edges have code of their own. So the read's value outside must be
// the value that the reduction begins with.
#include "passes/schedule/form.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

#include <math.h>

enum { NONE = -1, MOST_TAPS = 32 };

// An axis of x that a window moves along: stride*free + dilation*bound + offset.
typedef struct Axis {
    int free, bound; // NONE: no such axis
    int64_t stride, dilation, offset, taps;
    MgIx size; // of x
} Axis;

typedef struct Channels {
    MgKb kb;
    MgSched *s;
    const MgUnit *unit;
    const MgPiece *piece;
    const MgSx *x, *factor; // NULL: none
    Axis row, column;
    uint32_t channel;     // the index of the channels, the last free one
    int64_t width, input; // columns of y and of x
    int64_t pitch;        // elements from one column of x to the next
    MgIx address;         // of x
    uint32_t lanes, tile; // the plan: lanes of channels; pixels of a tile
    bool shared;          // cores share the rows
    MgKBufId from, acc;
    MgLoops at;
} Channels;

// ---------------------------------------------------------------- recognising it
static bool known(const Channels *c, MgIx x, int64_t *v) {
    return mg_ix_is_const(c->s->ix, x, v);
}

// Is x = by*index + *rest, with a positive constant `by`?
static bool take(Channels *c, MgIx x, uint32_t index, int64_t *by, MgIx *rest) {
    return mg_ix_steps(c->s->ix, x, mg_ix_index(c->s->ix, index), by, rest) && *by > 0;
}

// A subscript with a bound index: is it a window's, and is that axis still unused?
static bool find_axis(Channels *c, MgIx sub, MgIx size) {
    const MgPiece *p = c->piece;
    Axis a = {.free = NONE, .bound = NONE, .size = size};
    MgIx rest = sub;
    for (uint32_t i = 0; i < p->n_indices; i++) {
        int64_t by;
        if (!mg_ix_mentions(c->s->ix, rest, mg_ix_index(c->s->ix, i)))
            continue;
        int *at = i < p->n_free ? &a.free : &a.bound;
        if (*at != NONE || i == c->channel || !take(c, rest, i, &by, &rest))
            return false;
        *at = (int)i;
        *(i < p->n_free ? &a.stride : &a.dilation) = by;
    }
    if (a.free == NONE || a.bound == NONE || !known(c, rest, &a.offset) ||
        !known(c, p->indices[a.bound].high, &a.taps) || a.taps < 1 || a.taps > MOST_TAPS)
        return false;
    if (c->row.free != NONE) // a third axis
        return false;
    c->row = c->column;
    c->column = a;
    return c->row.free == NONE || (c->row.free != a.free && c->row.bound != a.bound);
}

// On an axis without a window, a read that may be outside must be inside.
static bool is_whole(Channels *c, MgIx sub, MgIx size) {
    MgIxSym sym;
    uint32_t i;
    return mg_ix_is_sym(c->s->ix, sub, &sym) && mg_ix_sym_is_index(c->s->ix, sym, &i) &&
           i < c->piece->n_free && c->piece->indices[i].high == size;
}

static bool mentions_bound(Channels *c, MgIx x) {
    for (uint32_t i = c->piece->n_free; i < c->piece->n_indices; i++)
        if (mg_ix_mentions(c->s->ix, x, mg_ix_index(c->s->ix, i)))
            return true;
    return false;
}

// Reads outside have no effect: they give the value that the reduction begins with.
static bool is_neutral(Channels *c, const MgSx *x) {
    if (x->bounds != MG_BOUNDS_ELSE)
        return x->bounds == MG_BOUNDS_PROVED;
    if (x->otherwise->kind != MG_SX_CONST || c->piece->reducer == MG_REDUCE_MEAN)
        return false;
    double v = mg_bits_to_double(x->dtype, x->otherwise->bits);
    return c->piece->reducer == MG_REDUCE_SUM   ? v == 0 && !signbit(v)
           : c->piece->reducer == MG_REDUCE_MAX ? v == -INFINITY
                                                : v == INFINITY;
}

static bool find_read(Channels *c) {
    const MgSx *x = c->x;
    MgIx subs[MG_FORM_SYMS];
    const MgOp *op = mg_op(c->s->g, c->unit->ops[0]);
    if (x->kind != MG_SX_READ || x->n_args > MG_FORM_SYMS || !mg_read_subs(x, subs) ||
        !is_neutral(c, x))
        return false;
    MgValueId v = op->operands[x->operand];
    if (mg_value(c->s->g, v)->dtype != x->dtype || mg_unit_def(c->unit, c->s->g, v))
        return false;
    for (uint32_t i = 0; i < x->n_args; i++) {
        MgIx size = mg_value(c->s->g, v)->shape[i];
        if (mentions_bound(c, subs[i]) ? !find_axis(c, subs[i], size)
                                       : x->bounds == MG_BOUNDS_ELSE && !is_whole(c, subs[i], size))
            return false;
    }
    if (c->column.free == NONE)
        return false;
    c->address = mg_address(c->s, v, subs, x->n_args, 0);
    MgIx rest;
    return mg_moves_by_one(c->s->ix, c->address, mg_ix_index(c->s->ix, c->channel)) &&
           take(c, c->address, (uint32_t)c->column.bound, &c->pitch, &rest) &&
           c->pitch % c->column.dilation == 0;
}

static bool find_factors(Channels *c) {
    const MgSx *x = c->piece->expr;
    c->x = x;
    if (!mg_piece_sums_products(c->piece))
        return find_read(c);
    for (uint32_t a = 0; a < 2; a++) {
        c->x = x->args[a];
        c->factor = x->args[1 - a];
        c->row = c->column = (Axis){.free = NONE, .bound = NONE, .taps = 1, .dilation = 1};
        if (find_read(c) && !mg_sx_mentions(c->s->m, c->factor, (uint32_t)c->column.free) &&
            (c->row.free == NONE || !mg_sx_mentions(c->s->m, c->factor, (uint32_t)c->row.free)))
            return true;
    }
    return false;
}

static bool find(Channels *c) {
    const MgPiece *p = c->piece = mg_form_box(c->s, c->unit);
    if (!p || !mg_form_folds(c->s, p) || p->n_free < 2 || p->n_indices > MG_FORM_SYMS)
        return false;
    c->channel = p->n_free - 1;
    c->row = c->column = (Axis){.free = NONE, .bound = NONE, .taps = 1, .dilation = 1};
    uint32_t axes = p->n_indices - p->n_free;
    return find_factors(c) && axes == 1u + (c->row.free != NONE) &&
           known(c, p->indices[c->column.free].high, &c->width) && c->width > 0 &&
           known(c, c->column.size, &c->input) && mg_unit_has_epilogue(c->s, c->unit) &&
           mg_moves_by_one(c->s->ix, mg_unit_target(c->s, c->unit->ops[0], NULL, 0),
                           mg_ix_index(c->s->ix, c->channel));
}

// ---------------------------------------------------------------- the plan
// Pixels of a tile: as many as the registers hold besides the factors of a row of taps.
static int64_t most_pixels(const Channels *c) {
    int64_t registers = c->s->options->target.vector_registers;
    int64_t most = registers - 2 - (c->factor ? c->column.taps : 0);
    return most > mg_figure(c->s, tallest) ? mg_figure(c->s, tallest) : most < 1 ? 1 : most;
}

// All tiles but the first and the last share their code, so they must not read outside.
static bool tile_fits(const Channels *c) {
    const Axis *a = &c->column;
    int64_t tiles = mg_ceil_div(c->width, c->tile);
    if (c->x->bounds == MG_BOUNDS_PROVED || tiles < 3)
        return true;
    int64_t last = a->stride * ((tiles - 1) * c->tile - 1) + a->dilation * (a->taps - 1);
    return a->stride * c->tile + a->offset >= 0 && last + a->offset < c->input;
}

static bool choose(void *found) {
    Channels *c = found;
    int64_t channels, tiles = mg_ceil_div(c->width, most_pixels(c)); // of one width
    c->tile = (uint32_t)mg_ceil_div(c->width, tiles);
    c->lanes = mg_kb_lanes(&c->kb, c->piece->expr->dtype);
    if (known(c, c->piece->indices[c->channel].high, &channels))
        while (c->lanes > 4 && channels % c->lanes && channels % (c->lanes / 2) == 0)
            c->lanes /= 2;
    c->shared = mg_form_shares(c->s, c->piece);
    return tile_fits(c);
}

static uint64_t tile_axes(const Channels *c) {
    return 1ull << c->channel | 1ull << c->column.free;
}

static void nest_of(void *found, MgNest *nest, MgNestScope *scope) {
    Channels *c = found;
    MgArena *arena = c->s->arena;
    int64_t channels;
    if (!known(c, c->piece->indices[c->channel].high, &channels))
        channels = -1;
    MgLine *line =
        mg_nest_add_grid(arena, &nest->root, scope, tile_axes(c), (MgWalk){0}, c->shared);
    line = mg_nest_add_blocks(arena, line, mg_nest_index(scope, 0, (uint32_t)c->column.free), 0);
    mg_nest_add_digit(line->walks, MG_LEVEL_TIME, 0);
    mg_nest_add_digit(line->walks, MG_LEVEL_REG, c->tile);
    line->edges = true;
    uint32_t channel = mg_nest_index(scope, 0, c->channel);
    MgLine *lanes = mg_nest_add_lanes(arena, line, channel, 1, c->lanes, channels);
    line = lanes;
    if (c->row.free != NONE)
        line = mg_nest_add_blocks(arena, line, mg_nest_index(scope, 0, (uint32_t)c->row.bound), 0);
    line = mg_nest_add_blocks(arena, line, mg_nest_index(scope, 0, (uint32_t)c->column.bound), 0);
    line->level = MG_LEVEL_REG;
    mg_nest_add_numbers(arena, line, MG_LINE_DO, 0, 1);
    if (scope->n_ops > 1)
        mg_nest_add_numbers(arena, lanes, MG_LINE_DO, 1, scope->n_ops - 1);
}

static bool read_plan(void *found, const MgGivenNest *given) {
    Channels *c = found;
    MgNestFound lanes = mg_nest_find_digit(&given->nest->root, MG_LEVEL_LANE),
                tile = mg_nest_find_digit(&given->nest->root, MG_LEVEL_REG);
    const char *name =
        mg_given_name(given, mg_nest_index(given->scope, 0, (uint32_t)c->column.free));
    if (!mg_form_read_lanes(given, lanes, mg_kb_lanes(&c->kb, c->piece->expr->dtype), &c->lanes))
        return false;
    c->shared = mg_form_is_shared(given, tile_axes(c));
    int64_t n = mg_nest_digit(tile.walk, MG_LEVEL_REG), most = most_pixels(c);
    most = most < c->width ? most : c->width;
    if (n < 1 || n > most)
        return mg_form_refuse(given, tile.line,
                              "a tile has at most %lld positions of '%s': what registers hold "
                              "beside the factors of a row, and no more than there are",
                              (long long)most, name);
    c->tile = (uint32_t)n;
    return tile_fits(c) ||
           mg_form_refuse(given, tile.line,
                          "the second tile of '%s', or the last but one, would read outside: only "
                          "the tiles at the ends have code of their own for that",
                          name);
}

// ---------------------------------------------------------------- emission
static const MgKx *extent(Channels *c, uint32_t index) {
    return mg_kb_ix(&c->kb, c->piece->indices[index].high, c->at.loop);
}

static MgPoint point(Channels *c, MgKBlock *block, const MgKx *mask) {
    return mg_loops_point(&c->at, &c->kb, block, (int)c->channel, c->lanes, mask);
}

static const MgKx *acc_at(Channels *c, uint32_t t) {
    return loaded(c->kb.k, c->acc, num(c->kb.k, t), c->lanes);
}

static void step(Channels *c, MgKBlock *block, uint32_t t, const MgKx *x, const MgKx *factor) {
    MgKernel *k = c->kb.k;
    const MgKx *acc = acc_at(c, t);
    const MgKx *next = factor ? mg_multiply_add(c->s, k, x, factor, acc)
                              : mg_reduce_step(k, c->piece->reducer, acc, x);
    store(k, block, c->acc, num(k, t), next);
}

static const MgKx *nothing(Channels *c) {
    return mg_kfloat(c->kb.k, mg_kt(c->piece->expr->dtype, c->lanes), 0);
}

// Loads the factors of one row of taps, as vectors of channels.
static void load_factors(Channels *c, MgKBlock *block, const MgKx *mask, const MgKx **factors) {
    MgKernel *k = c->kb.k;
    for (int64_t kw = 0; kw < c->column.taps && c->factor; kw++) {
        c->at.loop[c->column.bound] = num(k, kw);
        MgPoint p = point(c, block, mask);
        factors[kw] = named(k, block, "f", mg_ksplat(k, mg_point_expr(&p, c->factor), c->lanes));
    }
    c->at.loop[c->column.bound] = num(k, 0);
}

// Adds one row of taps to the tile's first n pixels. The tile begins at column `at`; if that is
// negative, it begins anywhere and reads nothing outside.
static void row_of_taps(Channels *c, MgKBlock *block, int64_t at, uint32_t n, const MgKx *mask) {
    MgKernel *k = c->kb.k;
    const Axis *a = &c->column;
    const MgKx *factors[MOST_TAPS] = {0};
    load_factors(c, block, mask, factors);
    const MgKx *base = named(k, block, "from", mg_kb_ix(&c->kb, c->address, c->at.loop));
    int64_t last = a->stride * (int64_t)(n - 1) + a->dilation * (a->taps - 1);
    for (int64_t pos = 0; pos <= last; pos++) {
        const MgKx *x = NULL;
        int64_t column = a->stride * at + pos + a->offset;
        for (uint32_t t = 0; t < n; t++) {
            int64_t left = pos - a->stride * (int64_t)t, kw = left / a->dilation;
            if (left < 0 || left % a->dilation || kw >= a->taps)
                continue;
            bool outside = at >= 0 && (column < 0 || column >= c->input);
            if (outside && !c->factor)
                continue;
            const MgKx *from = plus(k, base, pos * (c->pitch / a->dilation));
            if (!x)
                x = outside
                        ? nothing(c)
                        : named(k, block, "x", mg_kload(k, c->from, from, c->lanes, mask, NULL));
            step(c, block, t, x, factors[kw]);
        }
    }
}

static MgKBlock *each_row(Channels *c, MgKBlock *block, const MgKx *low, const MgKx *high) {
    Loop loop = each_from(c->kb.k, block, "kh", low, high, 1);
    c->at.loop[c->row.bound] = loop.at;
    return loop.body;
}

// Rows of taps outside the image: adds 0 times their factors.
static void rows_outside(Channels *c, MgKBlock *block, const MgKx *low, const MgKx *high,
                         uint32_t n, const MgKx *mask) {
    const MgKx *factors[MOST_TAPS] = {0};
    block = each_row(c, block, low, high);
    load_factors(c, block, mask, factors);
    for (int64_t kw = 0; kw < c->column.taps; kw++)
        for (uint32_t t = 0; t < n; t++)
            step(c, block, t, nothing(c), factors[kw]);
}

// All rows of taps. The taps inside the image begin at ceil((-o - s*h) / d).
static void rows_of_taps(Channels *c, MgKBlock *block, int64_t at, uint32_t n, const MgKx *mask) {
    const Axis *a = &c->row;
    MgKernel *k = c->kb.k;
    const MgKx *none = num(k, 0), *all = num(k, a->taps), *low = none, *high = all;
    if (a->free == NONE) {
        row_of_taps(c, block, at, n, mask);
        return;
    }
    bool padded = c->x->bounds == MG_BOUNDS_ELSE;
    if (padded) {
        const MgKx *first = plus(k, times(k, c->at.loop[a->free], a->stride), a->offset),
                   *size = mg_kb_ix(&c->kb, a->size, c->at.loop);
        const MgKx *above = over(k, first, a->dilation);
        const MgKx *room = sub(k, minus(k, size, 1), first);
        const MgKx *until = plus(k, over(k, room, a->dilation), 1);
        low = greatest(k, none, sub(k, none, above));
        low = named(k, block, "low", least(k, low, all));
        high = named(k, block, "high", greatest(k, low, least(k, all, until)));
    }
    if (padded && c->factor)
        rows_outside(c, block, none, low, n, mask);
    row_of_taps(c, each_row(c, block, low, high), at, n, mask);
    if (padded && c->factor)
        rows_outside(c, block, high, all, n, mask);
}

typedef struct
    Tile { // n pixels from column `at` on (NONE: not known); first: the column as a value
    Channels *c;
    const MgKx *first;
    int64_t at;
    uint32_t n;
} Tile;

static void emit_tile(void *ctx, MgKBlock *block, const MgKx *mask) {
    const Tile *tile = ctx;
    Channels *c = tile->c;
    MgKernel *k = c->kb.k;
    MgKType type = mg_kt(c->piece->expr->dtype, c->lanes);
    for (uint32_t t = 0; t < tile->n; t++)
        store(k, block, c->acc, num(k, t), mg_reduce_identity(k, c->piece->reducer, type));
    c->at.loop[c->column.free] = tile->first;
    rows_of_taps(c, block, tile->at, tile->n, mask);
    double taps = (double)(c->row.taps * c->column.taps);
    for (uint32_t t = 0; t < tile->n; t++) {
        const MgKx *x = acc_at(c, t);
        if (c->piece->reducer == MG_REDUCE_MEAN)
            x = bin(k, MG_PRIM_DIV, x, mg_kfloat(k, x->type, taps));
        x = named(k, block, "sum", x);
        c->at.loop[c->column.free] = named(k, block, "w", plus(k, tile->first, t));
        MgPoint p = point(c, block, mask);
        mg_kb_epilogue(&p, x);
    }
}

// Emits the tile for every vector of channels. So memory is read from front to back.
static void each_vector(Channels *c, MgKBlock *block, const MgKx *first, int64_t at, uint32_t n) {
    Tile tile = {c, first, at, n};
    mg_lanes_loop(c->kb.k, block, &c->at.loop[c->channel], num(c->kb.k, 0), extent(c, c->channel),
                  c->lanes, false, emit_tile, &tile);
}

static void emit_columns(Channels *c, MgKBlock *block) {
    MgKernel *k = c->kb.k;
    int64_t tiles = mg_ceil_div(c->width, c->tile), whole = tiles - 1;
    int64_t from = c->x->bounds == MG_BOUNDS_ELSE ? 1 : 0;
    if (from && whole > 0)
        each_vector(c, block, num(k, 0), 0, c->tile);
    if (whole > from) {
        Loop loop =
            each_from(k, block, "w", num(k, from * c->tile), num(k, whole * c->tile), c->tile);
        each_vector(c, loop.body, loop.at, NONE, c->tile);
    }
    int64_t at = whole * c->tile;
    each_vector(c, block, num(k, at), at, (uint32_t)(c->width - at));
}

static void make(void *found) {
    Channels *c = found;
    MgSched *s = c->s;
    mg_loops_begin(&c->at, &c->kb, c->piece);
    c->from = mg_kb_value(&c->kb, mg_op(s->g, c->unit->ops[0])->operands[c->x->operand]);
    c->acc = mg_kb_private(&c->kb, "tile", mg_kt(c->piece->expr->dtype, c->lanes), c->tile);
    const MgKx *number;
    MgIx one = mg_ix_const(s->ix, 1);
    emit_columns(c, mg_loops_open(&c->at, &c->kb, c->piece, tile_axes(c), one, c->shared, &number));
}

static void *begin(MgSched *s, const MgUnit *unit) {
    Channels c = {.s = s, .unit = unit, .kb = {.s = s}};
    return find(&c) ? mg_arena_copy(s->arena, &c, 1, sizeof c) : NULL;
}

const MgForm mg_form_channels = {.nests = MG_NEST_CHANNELS,
                                 .level = 2,
                                 .what = "a window of channels",
                                 .kernel = "window",
                                 .find = begin,
                                 .choose = choose,
                                 .read = read_plan,
                                 .nest = nest_of,
                                 .make = make};
