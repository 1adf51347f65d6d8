// Reductions down columns: y[outer, j] = reduce[k] E(outer, k, j), where E's reads are contiguous
// along j and k strides over rows: a vector times a matrix, sums over a leading axis, the position
// of each column's largest element.
//
// Reducing one vector of columns at a time would jump from row to row, a page at each step.
// Instead, the accumulators of a chunk of columns stay in cache, and several rows at once stream
// by. So memory is read from front to back, and each accumulator is loaded once for all of these
// rows.
#include "passes/schedule/form.h"
#include "passes/schedule/group/monoid.h"
#include "passes/schedule/words.h"

enum { MOST_AT_ONCE = 64, MOST_CHUNK = 1 << 24 };

typedef struct Columns {
    MgKb kb;
    MgSched *s;
    const MgUnit *unit;
    const MgPiece *piece;
    uint32_t column, row;   // indices: the last free one, the bound one
    MgKBufId sums, places;  // places: of extremes, if they are needed
    const MgKx *base, *at0; // of this worker's sums and places, or NULL
    bool extreme;           // argmax, argmin
    MgLoops at;
    const MgKx *first; // the first column of the current chunk
    int64_t rows;      // that are added at once now
    // The plan: columns whose sums are kept at once, rows added at once, lanes of both.
    int64_t chunk, at_once;
    uint32_t lanes;
} Columns;

// ---------------------------------------------------------------- recognising it
// Do some reads move by one with the columns, and otherwise with the rows, and do no others move
// with the columns?
static bool lies(const Columns *c) {
    MgAccesses all = mg_accesses(c->s, c->unit->ops[0], c->piece->expr, NULL, 0);
    bool any = false;
    for (uint32_t i = 0; i < all.n; i++) {
        const MgAccess *a = &all.at[i];
        MgMove along = mg_moves(c->s, a, c->column);
        if (along == MG_STAYS)
            continue;
        if (along == MG_JUMPS || mg_moves(c->s, a, c->row) != MG_JUMPS ||
            a->read->bounds == MG_BOUNDS_CHECKED)
            return false;
        any = true;
    }
    return any;
}

static int64_t known(const Columns *c, uint32_t index, int64_t otherwise) {
    return mg_ix_const_or(c->s->ix, c->piece->indices[index].high, otherwise);
}

static bool find(Columns *c) {
    MgIxTable *t = c->s->ix;
    const MgPiece *p = c->piece = mg_form_box(c->s, c->unit);
    if (!p)
        return false;
    MgDType type = p->expr->dtype;
    c->extreme = !mg_group_folds(p->reducer) && (type == MG_F32 || type == MG_F64) && !p->scatter;
    if ((!c->extreme && !mg_form_folds(c->s, p)) || !p->n_free || p->n_indices != p->n_free + 1 ||
        p->n_indices > MG_FORM_SYMS)
        return false;
    c->column = p->n_free - 1;
    c->row = p->n_free;
    if (c->extreme && known(c, c->row, INT32_MAX) >= INT32_MAX)
        return false; // places are counted in 32 bits
    return lies(c) && mg_unit_has_epilogue(c->s, c->unit) &&
           mg_moves_by_one(t, mg_unit_target(c->s, c->unit->ops[0], NULL, 0),
                           mg_ix_index(t, c->column));
}

// ---------------------------------------------------------------- the plan
static bool pays(const Columns *c) {
    int64_t columns = known(c, c->column, 2048), rows = known(c, c->row, 1 << 10);
    return columns >= mg_figure(c->s, columns_least) && rows >= 2 * mg_figure(c->s, columns_rows) &&
           rows * columns >= mg_figure(c->s, columns_work);
}

// Few long runs of memory are read faster than many short ones, so a chunk's sums take half of L1,
// and a remainder does not become a chunk of its own. But there is at least one chunk for every
// worker.
static void choose_chunk(Columns *c) {
    MgSched *s = c->s;
    int64_t size = (int64_t)mg_dtype_size(c->piece->expr->dtype), line = mg_line(s) / size;
    int64_t most = s->options->target.l1_bytes / 2 / size, workers = s->workers;
    int64_t columns = known(c, c->column, 0), outer = 1;
    for (uint32_t i = 0; i < c->column; i++)
        outer *= known(c, i, workers);
    if (outer >= workers)
        workers = 1;
    int64_t chunk = most / workers;
    if (columns > 0) {
        int64_t chunks = (columns + most - 1) / most;
        chunks = (chunks + workers - 1) / workers * workers;
        chunk = (columns + chunks - 1) / chunks;
    }
    chunk = mg_param(s, c->unit, MG_PARAM_COLUMNS_CHUNK, chunk);
    line = line > (int64_t)c->lanes ? line : (int64_t)c->lanes;
    c->chunk = (chunk + line - 1) / line * line;
}

static bool choose(void *found) {
    Columns *c = found;
    if (!pays(c))
        return false;
    c->lanes = mg_kb_lanes(&c->kb, c->piece->expr->dtype);
    choose_chunk(c);
    c->at_once = mg_param(c->s, c->unit, MG_PARAM_COLUMNS_ROWS, mg_figure(c->s, columns_rows));
    return true;
}

static MgLine *add_columns(const Columns *c, MgLine *outer, uint32_t column) {
    int64_t columns = known(c, c->column, -1);
    return mg_nest_add_lanes(c->s->arena, outer, column, 1, c->lanes, columns);
}

static void nest_of(void *found, MgNest *nest, MgNestScope *scope) {
    Columns *c = found;
    MgArena *arena = c->s->arena;
    uint32_t column = mg_nest_index(scope, 0, c->column), row = mg_nest_index(scope, 0, c->row);
    MgWalk blocks = {.index = column, .by = c->chunk};
    MgLine *chunk = mg_nest_add_grid(arena, &nest->root, scope, 1ull << c->column, blocks, true);
    mg_nest_add_numbers(arena, chunk, MG_LINE_KEEP, 0, 1)->space = MG_NEST_SPACE_LOCAL;
    MgLine *rows = mg_nest_add_blocks(arena, chunk, row, c->at_once);
    rows = mg_nest_add_blocks(arena, add_columns(c, rows, column), row, 0);
    rows->level = MG_LEVEL_REG;
    mg_nest_add_numbers(arena, rows, MG_LINE_DO, 0, 1);
    if (scope->n_ops > 1)
        mg_nest_add_numbers(arena, add_columns(c, chunk, column), MG_LINE_DO, 1, scope->n_ops - 1);
}

static bool read_plan(void *found, const MgGivenNest *given) {
    Columns *c = found;
    uint32_t row = mg_nest_index(given->scope, 0, c->row),
             column = mg_nest_index(given->scope, 0, c->column);
    MgNestFound lanes = mg_nest_find_digit(&given->nest->root, MG_LEVEL_LANE),
                chunk = mg_nest_find_blocks(&given->nest->root, column),
                rows = mg_nest_find_blocks(&given->nest->root, row);
    if (!mg_form_read_lanes(given, lanes, mg_kb_lanes(&c->kb, c->piece->expr->dtype), &c->lanes))
        return false;
    c->chunk = chunk.walk ? chunk.walk->by : 0;
    c->at_once = rows.walk ? rows.walk->by : 0;
    if (!c->chunk || c->chunk % c->lanes || c->chunk > MOST_CHUNK)
        return mg_form_refuse(given, chunk.line,
                              "the sums of a block of '%s' are kept: a multiple of %u lanes, and "
                              "at most %d",
                              mg_given_name(given, column), c->lanes, MOST_CHUNK);
    if (!c->at_once || c->at_once > MOST_AT_ONCE)
        return mg_form_refuse(given, rows.line,
                              "each sum takes a block of '%s' at once: of at most %d",
                              mg_given_name(given, row), MOST_AT_ONCE);
    return true;
}

// ---------------------------------------------------------------- emission
static const MgKx *extent(Columns *c, uint32_t index) {
    return mg_kb_ix(&c->kb, c->piece->indices[index].high, c->at.loop);
}

static MgPoint point(Columns *c, MgKBlock *block, const MgKx *mask) {
    return mg_loops_point(&c->at, &c->kb, block, (int)c->column, c->lanes, mask);
}

// The position of the column's accumulator in scratch that begins at `base`.
static const MgKx *place_in(Columns *c, const MgKx *base, const MgKx *column) {
    const MgKx *at = sub(c->kb.k, column, c->first);
    return base ? add(c->kb.k, at, base) : at;
}

static const MgKx *sum_at(Columns *c, const MgKx *column) {
    return place_in(c, c->base, column);
}

// These are for a vector of the chunk's columns.
static void clear(void *ctx, MgKBlock *block, const MgKx *mask) {
    Columns *c = ctx;
    (void)mask;
    MgKType type = mg_kt(c->piece->expr->dtype, c->lanes);
    MgReducer r = c->piece->reducer;
    if (c->extreme) {
        r = r == MG_REDUCE_ARGMAX ? MG_REDUCE_MAX : MG_REDUCE_MIN;
        store(c->kb.k, block, c->places, place_in(c, c->at0, c->at.loop[c->column]),
              mg_kconst(c->kb.k, mg_kt(MG_I32, c->lanes), 0));
    }
    store(c->kb.k, block, c->sums, sum_at(c, c->at.loop[c->column]),
          mg_reduce_identity(c->kb.k, r, type));
}

// Combines the partial result with x, an element of the current row.
static MgPartial one_more(Columns *c, MgKBlock *block, MgPartial so_far, const MgKx *x) {
    MgKernel *k = c->kb.k;
    if (c->extreme) {
        const MgKx *row = cast(k, MG_I32, c->at.loop[c->row]);
        MgPartial here = {named(k, block, "x", x), mg_ksplat(k, row, c->lanes)};
        so_far = mg_monoid_better(k, block, mg_reducer(c->piece->reducer)->monoid, so_far, here,
                                  true, NULL);
        so_far.at = named(k, block, "where", so_far.at);
    } else {
        bool fuse = c->piece->reducer == MG_REDUCE_SUM && x->kind == MG_KX_PRIM &&
                    x->prim == MG_PRIM_MUL && mg_contracts(c->s->options);
        so_far.x = fuse ? mg_kprim(k, MG_PRIM_FMA, x->args[0], x->args[1], so_far.x)
                        : mg_reduce_step(k, c->piece->reducer, so_far.x, x);
    }
    so_far.x = named(k, block, "sum", so_far.x);
    return so_far;
}

// Adds c->rows rows, from the current one on, to the sums.
static void add_rows(void *ctx, MgKBlock *block, const MgKx *mask) {
    Columns *c = ctx;
    MgKernel *k = c->kb.k;
    const MgKx *row = c->at.loop[c->row],
               *at = named(k, block, "at", sum_at(c, c->at.loop[c->column]));
    MgPartial so_far = {loaded(k, c->sums, at, c->lanes), NULL};
    so_far.x = named(k, block, "sum", so_far.x);
    const MgKx *place = NULL;
    if (c->extreme) {
        place = named(k, block, "place", place_in(c, c->at0, c->at.loop[c->column]));
        so_far.at = named(k, block, "where", loaded(k, c->places, place, c->lanes));
    }
    for (int64_t r = 0; r < c->rows; r++) {
        c->at.loop[c->row] = plus(k, row, r);
        MgPoint p = point(c, block, mask);
        const MgKx *x = mg_ksplat(k, mg_point_expr(&p, c->piece->expr), c->lanes);
        so_far = one_more(c, block, so_far, x);
    }
    c->at.loop[c->row] = row;
    store(k, block, c->sums, at, so_far.x);
    if (c->extreme)
        store(k, block, c->places, place, so_far.at);
}

static void finish(void *ctx, MgKBlock *block, const MgKx *mask) {
    Columns *c = ctx;
    MgKernel *k = c->kb.k;
    const MgKx *x = loaded(k, c->sums, sum_at(c, c->at.loop[c->column]), c->lanes);
    if (c->extreme) {
        const MgKx *place = place_in(c, c->at0, c->at.loop[c->column]);
        place = loaded(k, c->places, place, c->lanes);
        x = cast(k, MG_I64, place);
    }
    if (c->piece->reducer == MG_REDUCE_MEAN)
        x = bin(k, MG_PRIM_DIV, x,
                mg_ksplat(k, cast(k, x->type.dtype, extent(c, c->row)), c->lanes));
    MgPoint p = point(c, block, mask);
    mg_kb_epilogue(&p, named(k, block, "x", x));
}

// Opens one loop over chunks and the outer indices, shared out to workers.
static MgKBlock *open_chunks(Columns *c, const MgKx **end) {
    MgKernel *k = c->kb.k;
    MgIxTable *t = c->s->ix;
    MgIx width = c->piece->indices[c->column].high;
    MgIx chunks = mg_ix_ceil_div(t, width, mg_ix_const(t, c->chunk));
    const MgKx *number;
    MgKBlock *block =
        mg_loops_open(&c->at, &c->kb, c->piece, 1ull << c->column, chunks, true, &number);
    c->first = named(k, block, "first", times(k, number, c->chunk));
    const MgKx *stop = least(k, plus(k, c->first, c->chunk), extent(c, c->column));
    *end = named(k, block, "end", stop);
    return block;
}

static void each_vector(Columns *c, MgKBlock *block, const MgKx *end, MgLanesFn *body) {
    bool whole = known(c, c->column, 1) % c->lanes == 0;
    mg_lanes_loop(c->kb.k, block, &c->at.loop[c->column], c->first, end, c->lanes, whole, body, c);
}

// Adds the rows from low to high, several at once.
static void emit_rows(Columns *c, MgKBlock *block, const MgKx *end, const MgKx *low,
                      const MgKx *high, int64_t at_once) {
    Loop loop = each_from(c->kb.k, block, "row", low, high, at_once);
    c->at.loop[c->row] = loop.at;
    c->rows = at_once;
    each_vector(c, loop.body, end, add_rows);
}

static void emit(Columns *c) {
    MgKernel *k = c->kb.k;
    const MgKx *end, *rows = extent(c, c->row);
    MgKBlock *block = open_chunks(c, &end);
    each_vector(c, block, end, clear);
    const MgKx *whole = times(k, over(k, rows, c->at_once), c->at_once);
    emit_rows(c, block, end, num(k, 0), whole, c->at_once);
    emit_rows(c, block, end, whole, rows, 1);
    each_vector(c, block, end, finish);
}

static void make(void *found) {
    Columns *c = found;
    MgSched *s = c->s;
    mg_loops_begin(&c->at, &c->kb, c->piece);
    c->sums = mg_kb_scratch(&c->kb, "sums", c->piece->expr->dtype, mg_ix_const(s->ix, c->chunk),
                            MG_SCOPE_WORKER, &c->base);
    if (c->extreme)
        c->places = mg_kb_scratch(&c->kb, "places", MG_I32, mg_ix_const(s->ix, c->chunk),
                                  MG_SCOPE_WORKER, &c->at0);
    emit(c);
}

static void *begin(MgSched *s, const MgUnit *unit) {
    Columns c = {.s = s, .unit = unit, .kb = {.s = s}};
    return find(&c) ? mg_arena_copy(s->arena, &c, 1, sizeof c) : NULL;
}

const MgForm mg_form_columns = {.nests = MG_NEST_COLUMNS,
                                .level = 2,
                                .what = "a reduction down columns",
                                .kernel = "reduction",
                                .find = begin,
                                .choose = choose,
                                .read = read_plan,
                                .nest = nest_of,
                                .make = make};
