// Reductions down columns: y[outer, j] = reduce[k] E(outer, k, j), where what E reads lies along j
// and k strides over rows: a vector times a matrix, sums over a leading axis, where the largest of
// each column is.
//
// A vector of columns at a time would jump from row to row, a page at each step. Here a chunk of
// columns has its accumulators in cache, and rows stream by, several at once, so that memory is
// read from front to back and each accumulator is touched once for all of them.
#include "passes/schedule/monoid.h"
#include "passes/schedule/words.h"

enum { N_SYMS = 64, AT_ONCE = 8, LINE = 64 };

typedef struct Columns {
    MgSched *s;
    MgKb kb;
    const MgUnit *unit;
    const MgPiece *piece;
    uint32_t column, row; // indices: the last free one, the bound one
    uint32_t lanes;
    MgKBufId sums, places;  // places: of extremes, if these are asked for
    const MgKx *base, *at0; // of this worker's sums and places, or NULL
    bool extreme;           // argmax, argmin
    MgIx with[N_SYMS], low[N_SYMS], high[N_SYMS];
    const MgKx *loop[N_SYMS];
    const MgKx *first; // column of the open chunk
    int64_t chunk;
    uint32_t at_once; // rows
} Columns;

// ---------------------------------------------------------------- is it one?
typedef struct Lies {
    Columns *c;
    uint32_t along, across; // reads that move by one with the columns; that do anything else
} Lies;

static void see_read(void *ctx, const MgSx *x) {
    Lies *lies = ctx;
    Columns *c = lies->c;
    MgIxTable *t = c->s->ix;
    if (x->kind != MG_SX_READ)
        return;
    MgIx subs[N_SYMS];
    for (uint32_t i = 0; i < x->n_args; i++) {
        if (x->args[i]->kind != MG_SX_IX) {
            lies->across++;
            return;
        }
        subs[i] = x->args[i]->ix;
    }
    MgValueId v = mg_op(c->s->g, c->unit->ops[0])->operands[x->operand];
    MgIx address = mg_address(c->s, v, subs, x->n_args, 0);
    MgIxSym column = mg_ix_index(t, c->column), row = mg_ix_index(t, c->row);
    if (!mg_ix_mentions(t, address, column))
        return;
    bool straight = mg_moves_by_one(t, address, column) && !mg_moves_by_one(t, address, row) &&
                    mg_ix_mentions(t, address, row) && x->bounds != MG_BOUNDS_CHECKED;
    lies->along += straight;
    lies->across += !straight;
}

static int64_t known(Columns *c, MgIx x, int64_t otherwise) {
    int64_t v;
    return mg_ix_is_const(c->s->ix, x, &v) ? v : otherwise;
}

static bool find(Columns *c) {
    MgIxTable *t = c->s->ix;
    const MgOp *op = mg_op(c->s->g, c->unit->ops[0]);
    if (op->kind != MG_OP_EQUATION || op->equation->n_pieces != 1)
        return false;
    const MgPiece *p = c->piece = &op->equation->pieces[0];
    bool sum = p->reducer == MG_REDUCE_SUM || p->reducer == MG_REDUCE_MEAN;
    c->extreme = p->reducer == MG_REDUCE_ARGMAX || p->reducer == MG_REDUCE_ARGMIN;
    if (p->scatter || !p->n_free || p->n_indices != p->n_free + 1 || p->n_indices > N_SYMS ||
        (!sum && !c->extreme && p->reducer != MG_REDUCE_MAX && p->reducer != MG_REDUCE_MIN) ||
        (sum && c->s->options->strict) || (p->expr->dtype != MG_F32 && p->expr->dtype != MG_F64))
        return false;
    c->column = p->n_free - 1;
    c->row = p->n_free;
    for (uint32_t i = 0; i < p->n_indices; i++)
        if (known(c, p->indices[i].low, 1) || mg_ix_mentions_index(t, p->indices[i].high))
            return false;
    int64_t columns = known(c, p->indices[c->column].high, 2048),
            rows = known(c, p->indices[c->row].high, 1 << 10);
    if (c->extreme && known(c, p->indices[c->row].high, INT32_MAX) >= INT32_MAX)
        return false; // places are counted in 32 bits
    Lies lies = {c, 0, 0};
    mg_sx_walk(p->expr, see_read, &lies);
    return columns >= 256 && rows >= 2 * AT_ONCE && rows * columns >= 1 << 15 && lies.along &&
           !lies.across && mg_unit_has_epilogue(c->s, c->unit) &&
           mg_moves_by_one(t, mg_unit_target(c->s, c->unit->ops[0], NULL, 0),
                           mg_ix_index(t, c->column));
}

// Few long runs of memory are read faster than many short ones, so a chunk's sums take half of L1,
// and what is left over is not a chunk of its own. But there is one for every worker.
static void choose_chunk(Columns *c) {
    MgSched *s = c->s;
    int64_t size = (int64_t)mg_dtype_size(c->piece->expr->dtype), line = LINE / size;
    int64_t most = s->options->target.l1_bytes / 2 / size, workers = s->p->max_workers;
    int64_t columns = known(c, c->piece->indices[c->column].high, 0), outer = 1;
    for (uint32_t i = 0; i < c->column; i++)
        outer *= known(c, c->piece->indices[i].high, workers);
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

// ---------------------------------------------------------------- emission
static const MgKx *extent(Columns *c, uint32_t index) {
    return mg_kb_ix(&c->kb, c->piece->indices[index].high, c->loop);
}

static MgPoint point(Columns *c, MgKBlock *block, const MgKx *mask) {
    return (MgPoint){.kb = &c->kb,
                     .op = c->unit->ops[0],
                     .block = block,
                     .with = c->with,
                     .n_with = N_SYMS,
                     .loop = c->loop,
                     .vector = (int)c->column,
                     .lanes = c->lanes,
                     .mask = mask,
                     .ranges = {c->low, c->high, N_SYMS}};
}

// Where the column's accumulator is in scratch that begins at `base`.
static const MgKx *place_in(Columns *c, const MgKx *base, const MgKx *column) {
    const MgKx *at = bin(c->kb.k, MG_PRIM_SUB, column, c->first);
    return base ? mg_kadd(c->kb.k, at, base) : at;
}

static const MgKx *sum_at(Columns *c, const MgKx *column) {
    return place_in(c, c->base, column);
}

// Body for every vector of the chunk's columns, the last one under a mask.
typedef void VectorFn(Columns *c, MgKBlock *block, const MgKx *mask, int64_t rows);
static void each_vector(Columns *c, MgKBlock *block, const MgKx *end, VectorFn *body,
                        int64_t rows) {
    MgKernel *k = c->kb.k;
    const MgKx *count = bin(k, MG_PRIM_SUB, end, c->first);
    const MgKx *whole = mg_kmul(k, bin(k, MG_PRIM_FDIV, count, num(k, c->lanes)), num(k, c->lanes));
    whole = mg_klet_x(k, block, "whole", mg_kadd(k, c->first, whole));
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "v", c->first, whole, c->lanes);
    c->loop[c->column] = mg_kvar(k, loop->var);
    body(c, &loop->body, NULL, rows);
    int64_t columns = known(c, c->piece->indices[c->column].high, 1);
    if (columns % c->lanes == 0)
        return;
    MgKBlock *rest = &mg_kif(k, block, bin(k, MG_PRIM_LT, whole, end))->body;
    const MgKx *lane = mg_kramp(k, whole, num(k, 1), c->lanes);
    c->loop[c->column] = whole;
    body(c, rest, mg_klet_x(k, rest, "mask", bin(k, MG_PRIM_LT, lane, mg_ksplat(k, end, c->lanes))),
         rows);
}

static void clear(Columns *c, MgKBlock *block, const MgKx *mask, int64_t rows) {
    (void)mask;
    (void)rows;
    MgKType type = mg_kt(c->piece->expr->dtype, c->lanes);
    MgReducer r = c->piece->reducer;
    if (c->extreme) {
        r = r == MG_REDUCE_ARGMAX ? MG_REDUCE_MAX : MG_REDUCE_MIN;
        mg_kstore(c->kb.k, block, c->places, place_in(c, c->at0, c->loop[c->column]),
                  mg_kconst(c->kb.k, mg_kt(MG_I32, c->lanes), 0), NULL);
    }
    mg_kstore(c->kb.k, block, c->sums, sum_at(c, c->loop[c->column]),
              mg_reduce_identity(c->kb.k, r, type), NULL);
}

// What was found so far and x, of the open row.
static MgPartial one_more(Columns *c, MgKBlock *block, MgPartial so_far, const MgKx *x) {
    MgKernel *k = c->kb.k;
    if (c->extreme) {
        const MgKx *row = mg_kcast(k, MG_PRIM_CAST, MG_I32, c->loop[c->row]);
        MgPartial here = {mg_klet_x(k, block, "x", x), mg_ksplat(k, row, c->lanes)};
        so_far = mg_monoid_better(k, block, mg_reducer(c->piece->reducer)->monoid, so_far, here,
                                  true, NULL);
        so_far.at = mg_klet_x(k, block, "where", so_far.at);
    } else {
        bool fuse = c->piece->reducer == MG_REDUCE_SUM && x->kind == MG_KX_PRIM &&
                    x->prim == MG_PRIM_MUL && mg_contracts(c->s->options);
        so_far.x = fuse ? mg_kprim(k, MG_PRIM_FMA, x->args[0], x->args[1], so_far.x)
                        : mg_reduce_step(k, c->piece->reducer, so_far.x, x);
    }
    so_far.x = mg_klet_x(k, block, "sum", so_far.x);
    return so_far;
}

// `rows` rows from the open one into the sums.
static void add_rows(Columns *c, MgKBlock *block, const MgKx *mask, int64_t rows) {
    MgKernel *k = c->kb.k;
    const MgKx *row = c->loop[c->row],
               *at = mg_klet_x(k, block, "at", sum_at(c, c->loop[c->column]));
    MgPartial so_far = {mg_kload(k, c->sums, at, c->lanes, NULL, NULL), NULL};
    so_far.x = mg_klet_x(k, block, "sum", so_far.x);
    const MgKx *place = NULL;
    if (c->extreme) {
        place = mg_klet_x(k, block, "place", place_in(c, c->at0, c->loop[c->column]));
        so_far.at = mg_kload(k, c->places, place, c->lanes, NULL, NULL);
        so_far.at = mg_klet_x(k, block, "where", so_far.at);
    }
    for (int64_t r = 0; r < rows; r++) {
        c->loop[c->row] = mg_kadd(k, row, num(k, r));
        MgPoint p = point(c, block, mask);
        const MgKx *x = mg_ksplat(k, mg_point_expr(&p, c->piece->expr), c->lanes);
        so_far = one_more(c, block, so_far, x);
    }
    c->loop[c->row] = row;
    mg_kstore(k, block, c->sums, at, so_far.x, NULL);
    if (c->extreme)
        mg_kstore(k, block, c->places, place, so_far.at, NULL);
}

static void finish(Columns *c, MgKBlock *block, const MgKx *mask, int64_t rows) {
    (void)rows;
    MgKernel *k = c->kb.k;
    const MgKx *x = mg_kload(k, c->sums, sum_at(c, c->loop[c->column]), c->lanes, NULL, NULL);
    if (c->extreme) {
        const MgKx *place = place_in(c, c->at0, c->loop[c->column]);
        place = mg_kload(k, c->places, place, c->lanes, NULL, NULL);
        x = mg_kcast(k, MG_PRIM_CAST, MG_I64, place);
    }
    if (c->piece->reducer == MG_REDUCE_MEAN)
        x = bin(
            k, MG_PRIM_DIV, x,
            mg_ksplat(k, mg_kcast(k, MG_PRIM_CAST, x->type.dtype, extent(c, c->row)), c->lanes));
    MgPoint p = point(c, block, mask);
    mg_kb_epilogue(&p, mg_klet_x(k, block, "x", x));
}

// One loop over chunks and the outer indices, shared out.
static MgKBlock *open_chunks(Columns *c, const MgKx **end) {
    MgKernel *k = c->kb.k;
    MgIxTable *t = c->s->ix;
    MgIx width = mg_ix_const(t, c->chunk), total = mg_ix_const(t, 1);
    MgIx columns = c->piece->indices[c->column].high;
    MgIx chunks = mg_ix_div(t, mg_ix_add(t, columns, mg_ix_const(t, c->chunk - 1)), width);
    for (uint32_t i = 0; i < c->column; i++)
        total = mg_ix_mul(t, total, c->piece->indices[i].high);
    total = mg_ix_mul(t, total, chunks);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "chunk", num(k, 0),
                         mg_kb_ix(&c->kb, total, c->loop), 1);
    MgKBlock *block = &loop->body;
    const MgKx *n = mg_kb_ix(&c->kb, chunks, c->loop), *left = mg_kvar(k, loop->var);
    const MgKx *first = mg_kmul(k, bin(k, MG_PRIM_FMOD, left, n), num(k, c->chunk));
    c->first = mg_klet_x(k, block, "first", first);
    const MgKx *stop =
        bin(k, MG_PRIM_MIN, mg_kadd(k, c->first, num(k, c->chunk)), extent(c, c->column));
    *end = mg_klet_x(k, block, "end", stop);
    left = mg_klet_x(k, block, "left", bin(k, MG_PRIM_FDIV, left, n));
    for (uint32_t i = c->column; i-- > 0;) {
        n = extent(c, i);
        c->loop[i] = mg_klet_x(k, block, "i", bin(k, MG_PRIM_FMOD, left, n));
        left = mg_klet_x(k, block, "left", bin(k, MG_PRIM_FDIV, left, n));
    }
    return block;
}

static void emit(Columns *c) {
    MgKernel *k = c->kb.k;
    const MgKx *end;
    MgKBlock *block = open_chunks(c, &end);
    each_vector(c, block, end, clear, 0);
    const MgKx *rows = extent(c, c->row), *step = num(k, c->at_once);
    const MgKx *whole = mg_kmul(k, bin(k, MG_PRIM_FDIV, rows, step), step);
    MgKs *blocks = mg_kfor(k, block, MG_LOOP_SERIAL, "row", num(k, 0), whole, c->at_once);
    c->loop[c->row] = mg_kvar(k, blocks->var);
    each_vector(c, &blocks->body, end, add_rows, c->at_once);
    MgKs *rest = mg_kfor(k, block, MG_LOOP_SERIAL, "row", whole, rows, 1);
    c->loop[c->row] = mg_kvar(k, rest->var);
    each_vector(c, &rest->body, end, add_rows, 1);
    each_vector(c, block, end, finish, 0);
}

bool mg_schedule_columns(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    if (s->options->level < 2)
        return false;
    Columns *c = MG_NEW(s->arena, Columns);
    *c = (Columns){.s = s, .unit = unit};
    if (!find(c))
        return false;
    mg_kb_begin(&c->kb, s, unit, "reduction");
    c->lanes = mg_kb_lanes(&c->kb, c->piece->expr->dtype);
    choose_chunk(c);
    c->at_once = (uint32_t)mg_param(s, unit, MG_PARAM_COLUMNS_ROWS, AT_ONCE);
    for (uint32_t i = 0; i < N_SYMS; i++) {
        c->with[i] = mg_ix_idx(s->ix, i);
        c->low[i] = mg_ix_const(s->ix, 0);
        c->high[i] = i < c->piece->n_indices ? c->piece->indices[i].high : mg_ix_const(s->ix, 1);
        c->loop[i] = mg_kint(c->kb.k, 0);
    }
    c->sums = mg_kb_scratch(&c->kb, "sums", c->piece->expr->dtype, mg_ix_const(s->ix, c->chunk),
                            MG_SCOPE_WORKER, &c->base);
    if (c->extreme)
        c->places = mg_kb_scratch(&c->kb, "places", MG_I32, mg_ix_const(s->ix, c->chunk),
                                  MG_SCOPE_WORKER, &c->at0);
    emit(c);
    mg_kb_end(&c->kb, plan, unit->ops[0]);
    return true;
}
