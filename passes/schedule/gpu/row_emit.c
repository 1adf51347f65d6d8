// The kernel of a group of rows: its loops, the nests over an item's part of a row, and the
// combination of items' results in local memory. row.c explains the form.
#include "passes/schedule/gpu/row.h"
#include "passes/schedule/riders.h"
#include "passes/schedule/words.h"

// ---------------------------------------------------------------- values at a point

// The row's position at round `round`; negative: no position (a scalar of the row).
MgPoint mg_gpu_row_point(MgRows *r, const MgGroupNest *n, MgKBlock *block, int round) {
    mg_gpu_row_enter(r, n);
    if (round >= 0)
        r->gr->loop[MG_ROWS_SYM] = r->position[round];
    if (round >= 0 && r->p.columns > 1)
        return mg_group_point(r->gr, n, block, (int)r->gr->depth - 1, r->p.columns, NULL);
    bool vector = round >= 0 && r->p.lanes > 1;
    return mg_group_point(r->gr, n, block, vector ? MG_ROWS_SYM : -1, r->p.lanes, NULL);
}

// Elements that nests keep in this round are read from registers.
static void define_kept(MgRows *r, uint32_t n_nests, uint32_t round) {
    MgGroup *gr = r->gr;
    for (uint32_t i = 0; i < r->n_cached; i++)
        mg_kb_define(&gr->kb, (MgKbValue){.value = r->cached[i].value,
                                          .reg = r->kept[(gr->n_nests + i) * r->rounds + round]});
    for (uint32_t i = 0; i < n_nests; i++)
        if (mg_gpu_row_inner(gr, &gr->nests[i]) && r->kept[i * r->rounds + round])
            mg_kb_define(&gr->kb, (MgKbValue){.value = gr->nests[i].result,
                                              .reg = r->kept[i * r->rounds + round]});
}

// What one nest reads is converted there, since a conversion waits for its load. Such loads come
// first, so that all are on their way together.
static void load_cached(MgRows *r, MgKBlock *block) {
    MgGroup *gr = r->gr;
    for (uint32_t i = r->n_cached; i-- > 0;)
        for (uint32_t round = 0; round < r->rounds; round++) {
            gr->loop[MG_ROWS_SYM] = r->position[round];
            const MgKx *x = mg_gpu_load_read(gr, block, &r->cached[i],
                                             r->p.lanes > 1 ? MG_ROWS_SYM : -1, r->p.lanes);
            r->kept[(gr->n_nests + i) * r->rounds + round] =
                r->cached[i].readers > 1 ? named(gr->kb.k, block, "x", x) : x;
        }
}

// Loads what has one element for each row, as a bias has: behind the reductions, items would wait
// for it once more.
static void load_singles(MgRows *r, MgKBlock *block) {
    for (uint32_t i = r->n_read; i < r->n_single; i++)
        mg_kb_define(&r->gr->kb, (MgKbValue){.value = r->cached[i].value,
                                             .reg = mg_gpu_load_read(r->gr, block, &r->cached[i],
                                                                     -1, r->p.lanes)});
}

// The result as its readers see it: rounded to its declared type.
static const MgKx *declared(MgRows *r, MgKBlock *block, const MgGroupNest *n, const MgKx *x) {
    MgKernel *k = r->gr->kb.k;
    MgDType storage = mg_value(r->gr->s->g, n->result)->dtype;
    if (x->type.dtype != storage)
        x = cast(k, x->type.dtype, cast(k, storage, x));
    return named(k, block, "r", x);
}

static void store_own(MgRows *r, MgKBlock *block, const MgGroupNest *n, int round, const MgKx *x) {
    MgKernel *k = r->gr->kb.k;
    MgGroup *gr = r->gr;
    if (!mg_unit_is_output(gr->unit, n->result))
        return;
    const MgKx *own = round >= 0       ? r->inside[round]
                      : r->p.items > 1 ? equal(k, r->me, num(k, 0))
                                       : NULL;
    block = block_if(k, block, both(k, r->valid, own));
    MgPoint p = mg_gpu_row_point(r, n, block, round);
    mg_point_leave(&p, n->result, mg_group_target(gr, n), x);
}

// ---------------------------------------------------------------- combining items

// Combines a value of each item of a row, in a fixed order; each item gets the result.
static const MgKx *combine(MgRows *r, MgKBlock *block, MgPrim prim, MgKBufId buf, const MgKx *first,
                           uint32_t n) {
    MgKernel *k = r->gr->kb.k;
    uint32_t lanes = n % 4 == 0 ? 4 : 1;
    const MgKx *sum = NULL;
    for (uint32_t i = 0; i < n; i += lanes) {
        const MgKx *x = named(k, block, "x", loaded(k, buf, plus(k, first, i), lanes));
        sum = sum ? named(k, block, "sum", bin(k, prim, sum, x)) : x;
    }
    return named(k, block, "r", lanes > 1 ? mg_kfold(k, prim, sum) : sum);
}

const MgKx *mg_gpu_row_meet(MgRows *r, MgKBlock *block, MgPrim prim, const MgKx *x) {
    enum { STEP = 32 }; // items that combine the values of all
    MgKernel *k = r->gr->kb.k;
    if (r->p.items == 1)
        return x;
    MgKBufId buf = mg_gpu_local(k, "meet", x->type, mg_gpu_row_group(r));
    store(k, block, buf, add(k, r->first, r->me), x);
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    if (r->p.items <= STEP)
        return combine(r, block, prim, buf, r->first, r->p.items);
    MgKBufId next = mg_gpu_local(k, "meet", x->type, r->p.rows * STEP);
    const MgKx *at = named(k, block, "at", over(k, r->first, r->p.items / STEP));
    MgKBlock *some = block_if(k, block, less(k, r->me, num(k, STEP)));
    const MgKx *sum = NULL;
    for (uint32_t i = 0; i < r->p.items; i += STEP) {
        const MgKx *from = plus(k, add(k, r->first, r->me), i);
        const MgKx *y = named(k, some, "x", loaded(k, buf, from, 1));
        sum = sum ? named(k, some, "sum", bin(k, prim, sum, y)) : y;
    }
    store(k, some, next, add(k, at, r->me), sum);
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    return combine(r, block, prim, next, at, STEP);
}

// ---------------------------------------------------------------- reductions

static MgKType acc_type(MgRows *r, const MgGroupNest *n) {
    uint32_t lanes = r->p.columns > 1 ? r->p.columns : r->p.lanes;
    return mg_kt(mg_group_accumulator(r->gr->s->options, n->piece), lanes);
}

// Combines acc with the nest's expression at the point.
static const MgKx *step(MgRows *r, MgPoint *p, const MgGroupNest *n, const MgKx *acc,
                        const MgKx *inside) {
    MgKernel *k = r->gr->kb.k;
    const MgScheduleOptions *o = r->gr->s->options;
    MgReducer reducer = n->piece->reducer;
    const MgKx *x = mg_point_expr(p, n->piece->expr);
    x = converted(k, acc->type.dtype, x);
    bool product = mg_reduce_prim(reducer) == MG_PRIM_ADD && x->kind == MG_KX_PRIM &&
                   x->prim == MG_PRIM_MUL && mg_is_float(x->type.dtype);
    if (product && !inside && o->level >= 2) {
        const MgKx *a = mg_ksplat(k, x->args[0], acc->type.lanes);
        return mg_kprim(k, MG_PRIM_FMA, a, mg_ksplat(k, x->args[1], acc->type.lanes), acc);
    }
    x = mg_ksplat(k, x, acc->type.lanes);
    if (inside)
        x = where(k, mg_ksplat(k, inside, acc->type.lanes), x,
                  mg_reduce_identity(k, reducer, acc->type));
    return mg_reduce_step(k, reducer, acc, x);
}

// Reduces the item's elements of the row that are in registers.
static const MgKx *reduce_kept(MgRows *r, MgKBlock *block, uint32_t number) {
    const MgGroupNest *n = &r->gr->nests[number];
    const MgKx *acc = mg_reduce_identity(r->gr->kb.k, n->piece->reducer, acc_type(r, n));
    for (uint32_t round = 0; round < r->rounds; round++) {
        uint32_t locals = r->gr->kb.sources.len;
        define_kept(r, number, round);
        MgPoint p = mg_gpu_row_point(r, n, block, (int)round);
        acc = named(r->gr->kb.k, block, "acc", step(r, &p, n, acc, r->inside[round]));
        mg_kb_forget(&r->gr->kb, locals);
    }
    return acc;
}

// Reduces [low, high) of the row from memory: several sums side by side, then one.
const MgKx *mg_gpu_row_stream(MgRows *r, MgKBlock *block, const MgGroupNest *n, const MgKx *low,
                              const MgKx *high) {
    MgKernel *k = r->gr->kb.k;
    uint32_t side = r->p.side;
    MgKType type = acc_type(r, n);
    int64_t stride = r->p.items * r->p.lanes;
    const MgKx *own = times(k, r->me, r->p.lanes);
    MgKBufId acc = mg_kb_private(&r->gr->kb, "acc", type, side);
    for (uint32_t i = 0; i < side; i++)
        store(k, block, acc, num(k, i), mg_reduce_identity(k, n->piece->reducer, type));
    const MgKx *whole = sub(k, high, low);
    whole = over(k, whole, side * stride);
    whole = named(k, block, "whole", add(k, low, times(k, whole, side * stride)));
    for (int tail = mg_gpu_row_empty(low, whole); tail < 2; tail++) {
        Loop loop = each_from(k, block, "v", tail ? add(k, whole, own) : add(k, low, own),
                              tail ? high : whole, tail ? stride : side * stride);
        MgKBlock rest = {0};
        for (uint32_t i = 0; i < (tail ? 1 : side); i++) {
            MgKBlock copy = {0};
            const MgKx *at = plus(k, loop.at, i * stride);
            r->position[0] = named(k, &copy, "at", at);
            MgPoint p = mg_gpu_row_point(r, n, &copy, 0);
            p.early = true;
            const MgKx *old = loaded(k, acc, num(k, i), type.lanes);
            store(k, &copy, acc, num(k, i), step(r, &p, n, old, NULL));
            mg_gpu_part_loads(k, &copy, loop.body, &rest);
        }
        mg_kblock_append(k, loop.body, &rest);
    }
    const MgKx *sum = loaded(k, acc, num(k, 0), type.lanes);
    for (uint32_t i = 1; i < side; i++)
        sum = bin(k, mg_reduce_prim(n->piece->reducer), sum, loaded(k, acc, num(k, i), type.lanes));
    return named(k, block, "acc", sum);
}

// The reduction's final value, from the combined values of the row.
const MgKx *mg_gpu_row_finished(MgRows *r, const MgGroupNest *n, const MgKx *x) {
    MgKernel *k = r->gr->kb.k;
    if (n->piece->reducer == MG_REDUCE_MEAN)
        x = bin(k, MG_PRIM_DIV, x, cast(k, x->type.dtype, num(k, r->p.width)));
    x = converted(k, n->piece->expr->dtype, x);
    return x;
}

// ---------------------------------------------------------------- nests

// Stores a value of the whole row: its first item does, and all items keep it.
void mg_gpu_row_leave(MgRows *r, MgKBlock *block, const MgGroupNest *n, const MgKx *x) {
    x = named(r->gr->kb.k, block, "r", x);
    store_own(r, block, n, -1, x);
    mg_kb_define(&r->gr->kb, (MgKbValue){.value = n->result, .reg = declared(r, block, n, x)});
}

static void emit_inner(MgRows *r, MgKBlock *block, uint32_t number) {
    const MgGroupNest *n = &r->gr->nests[number];
    for (uint32_t round = 0; round < r->rounds; round++) {
        uint32_t locals = r->gr->kb.sources.len;
        define_kept(r, number, round);
        MgPoint p = mg_gpu_row_point(r, n, block, (int)round);
        const MgKx *x = named(r->gr->kb.k, block, "x", mg_point_expr(&p, n->piece->expr));
        store_own(r, block, n, (int)round, x);
        r->kept[number * r->rounds + round] = declared(r, block, n, x);
        mg_kb_forget(&r->gr->kb, locals);
    }
}

void mg_gpu_row_nest(MgRows *r, MgKBlock *block, uint32_t number) {
    MgKernel *k = r->gr->kb.k;
    const MgGroupNest *n = &r->gr->nests[number];
    if (mg_gpu_row_inner(r->gr, n)) {
        emit_inner(r, block, number);
        return;
    }
    if (!mg_piece_reduces(n->piece)) {
        MgPoint p = mg_gpu_row_point(r, n, block, -1);
        mg_gpu_row_leave(r, block, n, mg_point_expr(&p, n->piece->expr));
        return;
    }
    const MgKx *x = r->p.stream ? mg_gpu_row_stream(r, block, n, num(k, 0), num(k, r->p.width))
                                : reduce_kept(r, block, number);
    MgPrim prim = mg_reduce_prim(n->piece->reducer);
    x = named(k, block, "part", x->type.lanes > 1 ? mg_kfold(k, prim, x) : x);
    x = mg_gpu_row_meet(r, block, prim, x);
    mg_gpu_row_leave(r, block, n, mg_gpu_row_finished(r, n, x));
}

// ---------------------------------------------------------------- loops

// Opens the loop over groups for `rows` rows; returns the number of this item's row.
const MgKx *mg_gpu_rows_open(MgRows *r, MgKBlock **block, const MgKx *rows) {
    MgKernel *k = r->gr->kb.k;
    int64_t per_group = r->p.rows;
    k->items = (uint32_t)mg_gpu_row_group(r);
    const MgKx *groups = mg_kceil_div(k, rows, per_group);
    const MgKx *item = mg_kspecial(k, MG_KX_LOCAL_ID);
    const MgKx *side = num(k, r->p.across ? per_group : r->p.items);
    const MgKx *low = named(k, *block, "low", remainder_of(k, item, side));
    const MgKx *high = named(k, *block, "high", quotient(k, item, side));
    const MgKx *sub = r->p.across ? low : high;
    r->me = r->p.across ? high : low;
    r->first = named(k, *block, "first", times(k, sub, r->p.items));
    Loop loop = each_group(k, *block, "g", groups);
    *block = loop.body;
    const MgKx *row = times(k, loop.at, per_group);
    row = named(k, *block, "row", add(k, row, sub));
    r->valid = NULL;
    bool whole = rows->kind == MG_KX_CONST && (int64_t)rows->bits % per_group == 0;
    if (per_group > 1 && !whole) { // rows past the end repeat the last one
        r->valid = named(k, *block, "valid", less(k, row, rows));
        row = named(k, *block, "row", least(k, row, minus(k, rows, 1)));
    }
    return row;
}

// Sets the positions of the item's elements: in every round, neighbouring items have neighbouring
// positions.
static void set_positions(MgRows *r, MgKBlock *block) {
    MgKernel *k = r->gr->kb.k;
    int64_t stride = r->p.items * r->p.lanes;
    const MgKx *own = named(k, block, "own", times(k, r->me, r->p.lanes));
    for (uint32_t i = 0; i < r->rounds; i++) {
        const MgKx *at = named(k, block, "at", plus(k, own, i * stride));
        r->inside[i] = NULL;
        if ((i + 1) * stride > r->p.width) { // past the end: the last element again
            r->inside[i] = named(k, block, "inside", less(k, at, num(k, r->p.width)));
            at = least(k, at, num(k, r->p.width - r->p.lanes));
        }
        r->position[i] = named(k, block, "at", at);
    }
}

void mg_gpu_row_begin(MgRows *r, MgKBlock *block) {
    uint32_t n = r->gr->n_nests + r->n_cached;
    r->kept = MG_NEW_N(r->gr->s->arena, const MgKx *, n * r->rounds + 1);
    if (r->p.stream)
        return;
    set_positions(r, block);
    load_cached(r, block);
}

const MgKx *mg_gpu_row_count(MgRows *r) {
    return mg_kb_ix(&r->gr->kb, mg_group_rows(r->gr), r->gr->loop);
}

void mg_gpu_row_set(MgRows *r, MgKBlock *block, const MgKx *row) {
    mg_gpu_digits(r->gr, block, r->axes, r->gr->depth, row, r->p.columns);
}

MgKBlock *mg_gpu_row_first(MgRows *r, MgKBlock *block) {
    const MgKx *own = equal(r->gr->kb.k, r->me, num(r->gr->kb.k, 0));
    return block_if(r->gr->kb.k, block, both(r->gr->kb.k, r->valid, own));
}

static void emit_lines(MgRows *r, MgKBlock *block, const MgLine *outer) {
    for (uint32_t i = 0; i < outer->body.len; i++) {
        const MgLine *line = outer->body.at[i];
        if (line->kind == MG_LINE_FOR)
            emit_lines(r, block, line);
        for (uint32_t j = 0; line->kind == MG_LINE_DO && j < line->n_numbers; j++)
            if (!r->common || !r->common[line->numbers[j]])
                mg_gpu_row_nest(r, block, line->numbers[j]);
    }
}

void mg_gpu_rows_emit(void *rows) {
    MgRows *r = rows;
    MgGroup *gr = r->gr;
    MgKernel *k = gr->kb.k;
    MgKBlock *block = &k->body;
    mg_kb_ride(&gr->kb);
    if (r->p.parts > 1 || r->together.second || !mg_group_folds(gr->nests[0].piece->reducer)) {
        mg_gpu_row_parts(r);
        return;
    }
    r->common = mg_gpu_rows_common(r);
    const MgKx *row = mg_gpu_rows_open(r, &block, mg_gpu_row_count(r)); // this moves `block` inside
    mg_gpu_row_set(r, block, row);
    load_singles(r, block);
    mg_kb_ride_loads(&gr->kb, block);
    if (r->common)
        mg_gpu_rows_share(r, block);
    else
        mg_gpu_row_begin(r, block);
    emit_lines(r, block, &r->nest->root);
    mg_kbarrier(k, block, MG_BARRIER_GROUP); // the next row uses the same buffers
}
