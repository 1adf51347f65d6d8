// Scans: one reduction whose range follows an outer index, y[.., i] = reduce[j in a..i + c]
// body(j).
//
// The body does not use i, so the result at i extends the result at i - 1 (or at i + 1, if the low
// end follows i): this takes linear time. The accumulator is f64 for float sums, so that long
// prefixes stay within the error bound. Any other reduction over a prefix is left to the general
// loop nest, which takes quadratic time.
//
// If the axis is contiguous, and sums may be reordered, a vector at a time is summed in registers:
// in log2(lanes) steps each lane adds the lane 1, 2, 4, ... before it (Hillis and Steele, 1986),
// then the carry, which depends on one addition only. One long scan is split into parts for several
// workers. If another index is contiguous, as along the first axis of a matrix, lanes are scans of
// their own, in the order of the definition. A GPU has a form of its own for long scans
// (scan_gpu.c).
#include "passes/schedule/ordered/scan.h"

#include "ir/equation.h"

enum { MOST_PARTS = 4096 };

// +1 if x is sym plus terms without sym, 0 if x does not mention it, -1 otherwise.
static int follows(MgIxTable *t, MgIx x, MgIxSym sym) {
    return !mg_ix_mentions(t, x, sym) ? 0 : mg_moves_by_one(t, x, sym) ? 1 : -1;
}

// Finds the index that the range follows, and the direction.
static bool find_axis(MgScan *c) {
    MgIxTable *t = c->s->ix;
    const MgPiece *p = c->piece;
    const MgIndex *b = &p->indices[p->n_free];
    for (uint32_t i = 0; i < p->n_free; i++) {
        MgIxSym sym = mg_ix_index(t, i);
        int low = follows(t, b->low, sym), high = follows(t, b->high, sym);
        if (low == 0 && high == 0)
            continue;
        if (mg_sx_mentions(c->s->m, p->expr, i) || low < 0 || high < 0 || low == high)
            return false;
        for (uint32_t j = i + 1; j < p->n_free; j++)
            if (mg_ix_mentions(t, b->low, mg_ix_index(t, j)) ||
                mg_ix_mentions(t, b->high, mg_ix_index(t, j)))
                return false;
        c->axis = i;
        c->bound = p->n_free;
        c->up = high == 1;
        return true;
    }
    return false;
}

int64_t mg_scan_extent(const MgScan *c, uint32_t index) {
    return mg_form_extent(c->s, &c->piece->indices[index]);
}

bool mg_scan_has_rows(const MgScan *c) {
    for (uint32_t i = 0; i < c->piece->n_free; i++)
        if (i != c->axis && mg_scan_extent(c, i) != 1)
            return true;
    return false;
}

// ---------------------------------------------------------------- access to rows

// Are all reads that move with an index contiguous along it?
static bool reads_straight(const MgScan *c, uint32_t index) {
    MgAccesses all = mg_accesses(c->s, c->unit->ops[0], c->piece->expr, NULL, 0);
    bool any = false;
    for (uint32_t i = 0; i < all.n; i++) {
        MgMove along = mg_moves(c->s, &all.at[i], index);
        if (along == MG_JUMPS)
            return false;
        any |= along == MG_STEPS;
    }
    return any;
}

static bool stores_straight(const MgScan *c, uint32_t index) {
    return mg_moves_by_one(c->s->ix, mg_unit_target(c->s, c->unit->ops[0], NULL, 0),
                           mg_ix_index(c->s->ix, index));
}

// Can prefixes be combined with the elements between them, and does every step add one element?
static void see_steps(MgScan *c) {
    MgSched *s = c->s;
    MgIxTable *t = s->ix;
    const MgPiece *p = c->piece;
    const MgIndex *axis = &p->indices[c->axis], *b = &p->indices[c->bound];
    bool reorders = mg_reduce_order(p->reducer) == MG_ORDER_SUM && mg_is_float(p->expr->dtype);
    if (s->options->level < 2 || (s->options->strict && reorders) || p->expr->dtype == MG_BOOL ||
        p->reducer == MG_REDUCE_LAST)
        return;
    MgIx first = c->up ? axis->low : mg_ix_sub(t, axis->high, mg_ix_const(t, 1));
    MgIx entered = mg_ix_sub(t, mg_ix_subst_index(t, b->high, c->axis, first),
                             mg_ix_subst_index(t, b->low, c->axis, first));
    int64_t n;
    c->by_steps = mg_ix_is_const(t, entered, &n) && (n == 0 || n == 1);
    c->exclusive = c->by_steps && n == 0;
}

// Is every element next to the previous one, as its result is?
static bool may_take_vectors(const MgScan *c) {
    return c->by_steps && reads_straight(c, c->bound) && stores_straight(c, c->axis) &&
           mg_kb_lanes(&c->kb, c->type.dtype) > 1;
}

// May rows be adjacent lanes of a vector along this index?
static bool may_lie_across(const MgScan *c, uint32_t i) {
    return c->s->options->level >= 2 && i != c->axis && i < c->piece->n_free &&
           c->piece->expr->dtype != MG_BOOL && reads_straight(c, i) && stores_straight(c, i);
}

// One row of known length may be split. Products of floats may not: the product of a part may
// overflow although the product before it is 0.
static bool may_be_cut(const MgScan *c) {
    return !mg_scan_has_rows(c) && mg_scan_extent(c, c->axis) > 0 &&
           (c->piece->reducer != MG_REDUCE_PROD || !mg_is_float(c->type.dtype));
}

// ---------------------------------------------------------------- the plan

// Lanes of adjacent rows: several vectors, since otherwise a row's cache lines would be fetched in
// small pieces.
static uint32_t lanes_across(const MgScan *c) {
    uint32_t lanes = mg_kb_lanes(&c->kb, c->piece->expr->dtype);
    int64_t n = mg_scan_extent(c, (uint32_t)c->across);
    uint32_t several = 4 * lanes, most = c->s->options->target.max_lanes;
    bool few = n >= 0 && n < 4 * (int64_t)lanes;
    return few ? lanes : most && several > most ? most : several;
}

// The split into parts depends on the length alone, so that any number of workers gives the same
// result.
static int64_t part_of(const MgScan *c) {
    int64_t n = mg_scan_extent(c, c->axis), lanes = c->type.lanes;
    bool pays =
        may_be_cut(c) && n >= mg_figure(c->s, parts_points) && c->s->workers > 1 && !c->s->walk;
    return pays ? (n / mg_figure(c->s, parts) + lanes - 1) / lanes * lanes : 0;
}

static bool choose(void *found) {
    MgScan *c = found;
    if (c->s->options->target.gpu) {
        if (!mg_gpu_scan_fits(c) || !mg_gpu_scan_pays(c, reads_straight(c, c->bound)))
            return true;
        c->way = MG_SCAN_GROUPS;
        mg_gpu_scan_choose(c);
    } else if (may_take_vectors(c)) {
        c->way = MG_SCAN_VECTORS;
        c->type.lanes = mg_kb_lanes(&c->kb, c->type.dtype);
        c->length = part_of(c);
    } else {
        for (uint32_t i = 0; i < c->piece->n_free && c->across < 0; i++)
            c->across = may_lie_across(c, i) ? (int)i : -1;
        if (c->across >= 0)
            c->type.lanes = lanes_across(c);
    }
    return true;
}

// On a GPU, if groups don't share a row, items take rows.
static MgLine *add_items(const MgScan *c, MgNest *nest, MgNestScope *scope) {
    uint32_t axes[MG_FORM_SYMS], n = 0;
    for (uint32_t i = 0; i < c->piece->n_free; i++)
        if (i != c->axis && mg_scan_extent(c, i) != 1)
            axes[n++] = mg_nest_index(scope, 0, i);
    return mg_form_add_items(c->s, nest, scope, axes, n, MG_SHARING_ITEMS);
}

// The loops around a row, or around a vector of rows.
static MgLine *add_rows(const MgScan *c, MgNest *nest, MgNestScope *scope) {
    MgArena *arena = c->s->arena;
    if (nest->gpu && c->way == MG_SCAN_STEPS)
        return add_items(c, nest, scope);
    uint64_t without = (uint64_t)1 << c->axis;
    MgWalk vectors = {0};
    if (c->across >= 0) {
        vectors =
            (MgWalk){.index = mg_nest_index(scope, 0, (uint32_t)c->across), .by = c->type.lanes};
        without |= (uint64_t)1 << c->across;
    }
    MgLine *line = mg_nest_add_grid(arena, &nest->root, scope, without, vectors, true);
    if (c->across < 0)
        return line;
    line = mg_nest_add_blocks(arena, line, vectors.index, 0);
    mg_nest_add_digit(line->walks, MG_LEVEL_LANE, c->type.lanes);
    int64_t extent = mg_scan_extent(c, (uint32_t)c->across);
    line->tail = extent < 0 || extent % c->type.lanes ? MG_TAIL_MASK : MG_TAIL_NONE;
    return line;
}

static MgLine *carry(const MgScan *c, MgLine *line) {
    line->n_numbers = 1;
    line->numbers = MG_NEW_N(c->s->arena, uint32_t, 1);
    return line;
}

static void nest_of(void *found, MgNest *nest, MgNestScope *scope) {
    const MgScan *c = found;
    MgArena *arena = c->s->arena;
    uint32_t axis = mg_nest_index(scope, 0, c->axis);
    int64_t extent = c->exclusive ? -1 : mg_scan_extent(c, c->axis);
    MgLine *line = add_rows(c, nest, scope);
    if (c->length) {
        line = carry(c, mg_nest_add_blocks(arena, line, axis, c->length));
        line->level = MG_LEVEL_CORE;
        line->dealt = c->dealt;
    }
    if (c->way == MG_SCAN_VECTORS) {
        line = carry(c, mg_nest_add_lanes(arena, line, axis, 1, c->type.lanes, extent));
    } else if (c->way == MG_SCAN_STEPS) {
        line = carry(c, mg_nest_add_blocks(arena, line, axis, 0));
    } else {
        line = carry(c, mg_nest_add_blocks(arena, line, axis, mg_scan_block(c)));
        line = mg_nest_add_blocks(arena, line, axis, 0);
        mg_nest_add_digit(line->walks, MG_LEVEL_LANE, MG_SCAN_ITEMS);
        mg_nest_add_digit(line->walks, MG_LEVEL_VEC, c->each);
        line->tail = extent < 0 || extent % mg_scan_block(c) ? MG_TAIL_MASK : MG_TAIL_NONE;
    }
    mg_nest_add_numbers(arena, line, MG_LINE_DO, 0, 1);
}

static bool check_part(const MgScan *c, const MgGivenNest *given, const MgLine *line) {
    int64_t n = mg_scan_extent(c, c->axis);
    int64_t unit = c->way == MG_SCAN_GROUPS ? mg_scan_block(c) : c->type.lanes;
    if (c->way == MG_SCAN_STEPS || (c->way == MG_SCAN_VECTORS && !may_be_cut(c)))
        return mg_form_refuse(given, line,
                              "only one row of known length, which is walked by vectors, can be "
                              "cut into parts; and no product of floats");
    if (c->dealt &&
        (c->length != unit || !mg_gpu_scan_looks_back(c, mg_ceil_div(n > 0 ? n : 1, c->length))))
        return mg_form_refuse(given, line,
                              "only on a GPU whose groups can wait for earlier ones are parts "
                              "dealt, each a block, if not too many");
    if (n > c->length && (c->dealt || n / c->length < MOST_PARTS) && c->length % unit == 0)
        return true;
    return mg_form_refuse(given, line,
                          "the row is cut into 2 to %d parts, each a multiple of %lld steps",
                          MOST_PARTS, (long long)unit);
}

static bool read_plan(void *found, const MgGivenNest *given) {
    MgScan *c = found;
    uint32_t axis = mg_nest_index(given->scope, 0, c->axis);
    MgNestFound lanes = mg_nest_find_digit(&given->nest->root, MG_LEVEL_LANE),
                part = mg_nest_find_blocks(&given->nest->root, axis);
    uint32_t index = lanes.walk ? mg_nest_first_part(given->nest, lanes.walk->index) : axis;
    uint32_t most = mg_kb_lanes(&c->kb, c->type.dtype);
    if (lanes.walk && index == axis) {
        c->way = given->nest->gpu ? MG_SCAN_GROUPS : MG_SCAN_VECTORS;
        if (!(given->nest->gpu ? mg_gpu_scan_fits(c) : may_take_vectors(c)))
            return mg_form_refuse(given, lanes.line,
                                  "these sums can't be carried by more than one step at a time");
    } else if (lanes.walk && !given->nest->gpu) {
        c->across = (int)given->scope->indices.at[index].position;
        most = lanes_across(c);
        if (!may_lie_across(c, (uint32_t)c->across))
            return mg_form_refuse(given, lanes.line,
                                  "results and what they are made of don't lie side by side along "
                                  "'%s'",
                                  mg_given_name(given, index));
    }
    if (lanes.walk && !given->nest->gpu) {
        if (!mg_form_read_lanes(given, lanes, most, &most))
            return false;
        c->type.lanes = most;
    }
    if (lanes.walk && given->nest->gpu && index == axis) {
        c->each = mg_nest_digit(lanes.walk, MG_LEVEL_VEC);
        bool known = c->each == 4 || c->each == 8 || c->each == MG_SCAN_MOST_EACH;
        if (!known || !mg_gpu_scan_fits(c))
            return mg_form_refuse(given, lanes.line,
                                  "an item has 4, 8 or 16 neighbours, if local memory has room");
    }
    if (part.line && part.line->level == MG_LEVEL_CORE) {
        c->length = part.walk->by;
        c->dealt = part.line->dealt;
        return check_part(c, given, part.line);
    }
    return true;
}

static void make(void *found) {
    MgScan *c = found;
    mg_loops_begin(&c->at, &c->kb, c->piece);
    if (c->way == MG_SCAN_GROUPS)
        mg_gpu_scan_emit(c);
    else
        mg_scan_emit(c);
    if (c->way == MG_SCAN_VECTORS)
        mg_kb_stream(&c->kb);
}

// Are the ranges of rows those of a box?
static bool is_box(const MgScan *c) {
    for (uint32_t i = 0; i < c->piece->n_free; i++)
        if (mg_ix_mentions_index(c->s->ix, c->piece->indices[i].low) ||
            mg_ix_mentions_index(c->s->ix, c->piece->indices[i].high))
            return false;
    return true;
}

static void *find(MgSched *s, const MgUnit *unit) {
    const MgPiece *p = mg_only_piece(mg_op(s->g, unit->ops[0]));
    if (unit->n_ops != 1 || !p || p->scatter || p->n_indices != p->n_free + 1 ||
        p->n_indices >= MG_FORM_SYMS || p->reducer == MG_REDUCE_MEAN ||
        p->reducer == MG_REDUCE_ARGMAX || p->reducer == MG_REDUCE_ARGMIN)
        return NULL;
    MgDType type = p->expr->dtype;
    if (mg_reduce_order(p->reducer) == MG_ORDER_SUM && mg_is_float(type))
        type = MG_F64;
    MgScan c = {.s = s, .unit = unit, .piece = p, .kb = {.s = s}, .across = -1};
    c.type = mg_kt(type, 1);
    if (!find_axis(&c) || !is_box(&c))
        return NULL;
    see_steps(&c);
    return mg_arena_copy(s->arena, &c, 1, sizeof c);
}

const MgForm mg_form_scan = {.nests = MG_NEST_SCAN,
                             .what = "a scan",
                             .kernel = "scan",
                             .find = find,
                             .choose = choose,
                             .read = read_plan,
                             .nest = nest_of,
                             .make = make};
