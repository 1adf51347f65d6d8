// The kernel of an owned graph, and the one before it that packs weights.
//
// Local memory holds the rows of every value that a later stage reads, at the offsets that owned.c
// chose, and partial results. All items of a group meet after each stage that writes there.
#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/plan/owned.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

enum { MOST_UNROLL = 8, MAX_INDICES = 64 };

typedef struct Emit {
    MgOwned *o;
    MgKb *kb;
    MgKernel *k;
    const MgKx *item, *first_row; // number of this item; the block's first row in the graph
    MgKBufId rows, part, packed;
    const MgKx *loop[MAX_INDICES]; // values of the indices at the current point
    MgIx with[MAX_INDICES];
} Emit;

static const MgKx *scaled(Emit *e, const MgKx *a, int64_t by, int64_t more) {
    return plus(e->k, times(e->k, a, by), more);
}

static MgKBlock *when_below(Emit *e, MgKBlock *b, const MgKx *x, int64_t limit) {
    return block_if(e->k, b, less(e->k, x, num(e->k, limit)));
}

static void meet(Emit *e, MgKBlock *b) {
    mg_kbarrier(e->k, b, MG_BARRIER_GROUP);
}

// The beginning of row r (of the block) of a value.
static const MgKx *row_of(Emit *e, MgValueId v, const MgKx *r) {
    const MgOwnedPlace *p = &e->o->places[v];
    return scaled(e, r, p->width, p->offset * e->o->block);
}

// Opens a loop in which the items share `points` points; returns the point's number.
static const MgKx *share(Emit *e, MgKBlock **b, int64_t points) {
    int64_t items = e->o->items;
    if (points == items)
        return e->item;
    Loop loop = each_from(e->k, *b, "p", e->item, num(e->k, points), items);
    *b = loop.body;
    return loop.at;
}

// ---------------------------------------------------------------- a point

static const MgPiece *piece_of(Emit *e, MgOpId op) {
    return &mg_op(e->o->s->g, op)->equation->pieces[0];
}

// Sets indices [first, n) from a flat number; the last index changes fastest.
static void set_digits(Emit *e, MgKBlock *b, const MgPiece *p, uint32_t first, uint32_t n,
                       const MgKx *flat) {
    for (uint32_t i = n; i-- > first;) {
        int64_t extent = mg_owned_const(e->o, p->indices[i].high);
        e->loop[i] = i == first ? flat : named(e->k, b, "i", modulo(e->k, flat, extent));
        if (i > first)
            flat = named(e->k, b, "q", over(e->k, flat, extent));
    }
}

static MgPoint point_of(Emit *e, MgOpId op, MgKBlock *b) {
    return mg_point(e->kb, op, b, e->with, MAX_INDICES, e->loop,
                    mg_piece_ranges(piece_of(e, op), e->o->s->arena));
}

// Defines the op's operands in local memory, at row r of the block.
static void define_rows(Emit *e, MgOpId id, const MgKx *r) {
    const MgOp *op = mg_op(e->o->s->g, id);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        MgValueId v = op->operands[i];
        const MgKbValue *known = mg_kb_local(e->kb, v);
        if (e->o->places[v].placed && !(known && known->reg))
            mg_kb_define(
                e->kb,
                (MgKbValue){.value = v, .buf = e->rows, .depth = 1, .base = row_of(e, v, r)});
    }
}

// Stores zeros after element q, if it is the last of the n elements of row r.
static void pad_row(Emit *e, MgValueId v, MgKBlock *b, const MgKx *r, const MgKx *q, int64_t n) {
    const MgKx *is_last = equal(e->k, q, num(e->k, n - 1));
    MgKBlock *last = block_if(e->k, b, is_last);
    for (int64_t i = n; i < e->o->places[v].width; i++)
        store(e->k, last, e->rows, plus(e->k, row_of(e, v, r), i),
              mg_kfloat(e->k, mg_kt(MG_F32, 1), 0));
}

// Computes the stage's results at the current point: row r of the block, element q of the row. x:
// the result of the first op, if it is computed already.
static void finish_point(Emit *e, const MgOwnedStage *st, MgKBlock *b, const MgKx *r, const MgKx *q,
                         const MgKx *x) {
    uint32_t sources = e->kb->sources.len;
    for (uint32_t n = 0; n < st->n_ops; n++) {
        MgValueId v = mg_op(e->o->s->g, st->ops[n])->results[0];
        if (n || !x) {
            define_rows(e, st->ops[n], r);
            MgPoint p = point_of(e, st->ops[n], b);
            x = mg_point_expr(&p, piece_of(e, st->ops[n])->expr);
        }
        x = named(e->k, b, "x", x);
        mg_kb_define(e->kb, (MgKbValue){.value = v, .reg = x});
        if (e->o->places[v].placed)
            store(e->k, b, e->rows, add(e->k, row_of(e, v, r), q), x);
        if (e->o->places[v].padded)
            pad_row(e, v, b, r, q, st->points);
    }
    mg_kb_forget(e->kb, sources);
}

static void open_row(Emit *e, MgKBlock *b, const MgKx *r) {
    e->loop[0] = named(e->k, b, "row", add(e->k, e->first_row, r));
}

// ---------------------------------------------------------------- stages

// Adds the points low, low + step, … of the reduction at the current point to acc[0].
static void accumulate(Emit *e, const MgOwnedStage *st, MgKBlock *b, const MgKx *r, MgKBufId acc,
                       const MgKx *low, int64_t step) {
    const MgPiece *p = piece_of(e, st->ops[0]);
    uint32_t sources = e->kb->sources.len;
    int64_t n = 1;
    for (uint32_t i = p->n_free; i < p->n_indices; i++)
        n *= mg_owned_const(e->o, p->indices[i].high);
    Loop loop = each_from(e->k, b, "k", low, num(e->k, n), step);
    set_digits(e, loop.body, p, p->n_free, p->n_indices, loop.at);
    define_rows(e, st->ops[0], r);
    MgPoint at = point_of(e, st->ops[0], loop.body);
    mg_reduce_held(e->k, loop.body, p->reducer, acc, mg_point_expr(&at, p->expr));
    mg_kb_forget(e->kb, sources);
}

static const MgKx *reduced(Emit *e, const MgPiece *p, const MgKx *x) {
    double n = 1;
    for (uint32_t i = p->n_free; i < p->n_indices; i++)
        n *= (double)mg_owned_const(e->o, p->indices[i].high);
    return p->reducer == MG_REDUCE_MEAN ? bin(e->k, MG_PRIM_DIV, x, mg_kfloat(e->k, x->type, n))
                                        : x;
}

static MgKBufId begin_acc(Emit *e, const MgPiece *p, MgKBlock *b) {
    return mg_kb_held(e->kb, b, "acc", mg_reduce_identity(e->k, p->reducer, mg_kt(MG_F32, 1)));
}

// One item computes each result of a row.
static void emit_points(Emit *e, const MgOwnedStage *st, MgKBlock *b) {
    const MgPiece *p = piece_of(e, st->ops[0]);
    const MgKx *at = share(e, &b, st->points * e->o->block);
    const MgKx *r = named(e->k, b, "r", over(e->k, at, st->points));
    const MgKx *q = named(e->k, b, "q", modulo(e->k, at, st->points));
    open_row(e, b, r);
    set_digits(e, b, p, 1, p->n_free, q);
    if (!st->reduces) {
        finish_point(e, st, b, r, q, NULL);
        return;
    }
    MgKBufId acc = begin_acc(e, p, b);
    accumulate(e, st, b, r, acc, num(e->k, 0), 1);
    finish_point(e, st, b, r, q, reduced(e, p, held(e->k, acc)));
}

// If there is one result per row, each item of a row computes a share of it; the shares are
// combined by halves.
static void emit_row_reduction(Emit *e, const MgOwnedStage *st, MgKBlock *b) {
    const MgPiece *p = piece_of(e, st->ops[0]);
    int64_t team = e->o->items / e->o->block; // both are powers of two
    const MgKx *r = named(e->k, b, "r", over(e->k, e->item, team));
    const MgKx *q = named(e->k, b, "q", modulo(e->k, e->item, team));
    open_row(e, b, r);
    MgKBufId acc = begin_acc(e, p, b);
    accumulate(e, st, b, r, acc, q, team);
    store(e->k, b, e->part, e->item, held(e->k, acc));
    meet(e, b);
    for (int64_t half = team / 2; half; half /= 2) {
        MgKBlock *lower = when_below(e, b, q, half);
        const MgKx *mine = loaded(e->k, e->part, e->item, 1);
        const MgKx *other = loaded(e->k, e->part, plus(e->k, e->item, half), 1);
        store(e->k, lower, e->part, e->item, mg_reduce_step(e->k, p->reducer, mine, other));
        meet(e, b);
    }
    MgKBlock *first = when_below(e, b, q, 1);
    const MgKx *x = named(e->k, first, "x", loaded(e->k, e->part, e->item, 1));
    finish_point(e, st, first, r, num(e->k, 0), reduced(e, p, x));
}

// The steps of four k are dealt out to the parts in turn. A part without a step in the last round
// loads the last step again, and doesn't use it.
typedef struct Product {
    const MgOwnedStage *st;
    uint32_t columns, splits, unroll;
    int64_t side, lanes;       // columns of one kind: j / columns; items side by side
    int64_t steps, each, sure; // steps of four k; of the longest part; before the last round
    bool even;                 // all rounds of all parts are whole
    bool once;                 // one trip, and the next one's weights are loaded before its end
    const MgKx *column, *part; // of this item: its first column, its share of the sum
    MgKBufId acc, ahead;       // [row][column], four partial sums each; weights of the next steps
    bool ready;                // those of the first steps are loaded
} Product;

static const MgKx *step_of(Emit *e, const Product *p, const MgKx *n) {
    return add(e->k, scaled(e, n, p->splits, 0), p->part);
}

static const MgKx *at_most(Emit *e, const MgKx *x, int64_t limit) {
    return least(e->k, x, num(e->k, limit));
}

// Loads the weights of the steps [at, at + unroll), so that they arrive during other work.
static void load_ahead(Emit *e, const Product *p, MgKBlock *b, const MgKx *at) {
    const MgOwnedProduct *m = &p->st->p;
    const MgKx *column = p->column;
    if (p->once && p->side < p->lanes)
        column = named(e->k, b, "column", at_most(e, column, p->side - 1));
    for (uint32_t u = 0; u < p->unroll; u++) {
        const MgKx *step = step_of(e, p, plus(e->k, at, u));
        step = named(e->k, b, "step", p->even ? step : at_most(e, step, p->steps - 1));
        for (uint32_t c = 0; c < p->columns; c++) {
            const MgKx *j = plus(e->k, column, c * p->side);
            const MgKx *place = scaled(e, add(e->k, scaled(e, step, m->j, 0), j), 4, m->packed);
            store(e->k, b, p->ahead, num(e->k, u * p->columns + c),
                  loaded(e->k, e->packed, place, 4));
        }
    }
}

static void multiply_step(Emit *e, const Product *p, MgKBlock *b, const MgKx *step,
                          const MgKx *const *w) {
    for (uint32_t r = 0; r < e->o->block; r++) {
        const MgKx *place = add(e->k, row_of(e, p->st->p.x, num(e->k, r)), scaled(e, step, 4, 0));
        const MgKx *x = named(e->k, b, "x", loaded(e->k, e->rows, place, 4));
        for (uint32_t c = 0; c < p->columns; c++) {
            const MgKx *slot = num(e->k, r * p->columns + c);
            const MgKx *acc = loaded(e->k, p->acc, slot, 4);
            store(e->k, b, p->acc, slot, mg_kprim(e->k, MG_PRIM_FMA, x, w[c], acc));
        }
    }
}

// A round of the steps [at, at + unroll), loaded ahead; then it loads the next of the `rounds`.
static void multiply(Emit *e, const Product *p, MgKBlock *b, const MgKx *at, int64_t rounds) {
    const MgKx *w[MOST_UNROLL * 2];
    for (uint32_t n = 0; n < p->unroll * p->columns; n++)
        w[n] = named(e->k, b, "w", loaded(e->k, p->ahead, num(e->k, n), 4));
    if (!p->even || rounds > 1) {
        const MgKx *next = named(e->k, b, "next", plus(e->k, at, p->unroll));
        load_ahead(e, p, p->even ? when_below(e, b, next, p->each) : b, next);
    }
    for (uint32_t u = 0; u < p->unroll; u++)
        multiply_step(e, p, b, step_of(e, p, plus(e->k, at, u)), &w[u * p->columns]);
}

static void multiply_rest(Emit *e, const Product *p, MgKBlock *b) {
    const MgKx *w[2];
    for (int64_t n = p->sure; n < p->each; n++) {
        const MgKx *step = step_of(e, p, num(e->k, n));
        bool all_have = (n + 1) * p->splits <= p->steps;
        MgKBlock *have = all_have ? b : when_below(e, b, step, p->steps);
        for (uint32_t c = 0; c < p->columns; c++) {
            const MgKx *slot = num(e->k, (n - p->sure) * p->columns + c);
            w[c] = named(e->k, have, "w", loaded(e->k, p->ahead, slot, 4));
        }
        multiply_step(e, p, have, step, w);
    }
}

// The sums of the item's columns for one trip, four partial sums each.
static void emit_sums(Emit *e, const Product *p, MgKBlock *b) {
    MgKType four = mg_kt(MG_F32, 4);
    for (uint32_t i = 0; i < e->o->block * p->columns; i++)
        store(e->k, b, p->acc, num(e->k, i), mg_kfloat(e->k, four, 0));
    if (!p->ready)
        load_ahead(e, p, b, num(e->k, 0));
    int64_t rounds = p->sure / p->unroll;
    if (rounds == 1) {
        multiply(e, p, b, num(e->k, 0), rounds);
    } else if (rounds) {
        Loop loop = each_from(e->k, b, "s", num(e->k, 0), num(e->k, p->sure), p->unroll);
        multiply(e, p, loop.body, loop.at, rounds);
    }
    multiply_rest(e, p, b);
}

// Stores results, or partial sums for emit_parts.
static void emit_results(Emit *e, const Product *p, MgKBlock *b) {
    const MgOwnedProduct *m = &p->st->p;
    for (uint32_t r = 0; r < e->o->block; r++)
        for (uint32_t c = 0; c < p->columns; c++) {
            const MgKx *acc = loaded(e->k, p->acc, num(e->k, r * p->columns + c), 4);
            const MgKx *sum = named(e->k, b, "sum", mg_kfold(e->k, MG_PRIM_ADD, acc));
            const MgKx *j = named(e->k, b, "j", plus(e->k, p->column, c * p->side));
            if (p->splits > 1) {
                const MgKx *row = scaled(e, p->part, e->o->block * m->j, r * m->j);
                store(e->k, b, e->part, add(e->k, row, j), sum);
                continue;
            }
            open_row(e, b, num(e->k, r));
            e->loop[1] = j;
            finish_point(e, p->st, b, num(e->k, r), j, sum);
        }
}

// Adds the shares of each sum.
static void emit_parts(Emit *e, const Product *p, MgKBlock *b) {
    int64_t j = p->st->p.j, all = j * e->o->block;
    const MgKx *at = share(e, &b, all);
    const MgKx *r = named(e->k, b, "r", over(e->k, at, j));
    const MgKx *q = named(e->k, b, "j", modulo(e->k, at, j));
    const MgKx *sum = loaded(e->k, e->part, at, 1);
    for (uint32_t s = 1; s < p->splits; s++)
        sum = add(e->k, sum, loaded(e->k, e->part, plus(e->k, at, s * all), 1));
    sum = named(e->k, b, "sum", sum);
    open_row(e, b, r);
    e->loop[1] = q;
    finish_point(e, p->st, b, r, q, sum);
}

// Divides the product among the items, and allocates its registers.
static void begin_product(Emit *e, const MgOwnedStage *st, Product *p, MgKBlock *b) {
    MgOwned *o = e->o;
    *p = (Product){.st = st,
                   .columns = mg_owned_columns(o, st->p.j),
                   .splits = mg_owned_splits(o, &st->p),
                   .lanes = 1};
    p->side = st->p.j / p->columns;
    while (p->lanes < o->items && p->lanes < p->side)
        p->lanes *= 2;
    p->steps = mg_owned_steps(&st->p);
    p->each = (p->steps + p->splits - 1) / p->splits;
    int64_t most = o->block * p->columns > 4 ? MOST_UNROLL / 2 : MOST_UNROLL;
    int64_t whole = most;
    while (p->each % whole)
        whole /= 2;
    bool parts = p->steps % p->splits == 0 && whole >= MOST_UNROLL / 2;
    int64_t rounds = parts ? p->each / whole : (p->each + most - 1) / most;
    p->unroll = (uint32_t)((p->each + rounds - 1) / rounds);
    p->even = p->unroll * rounds * p->splits == p->steps;
    p->once =
        p->lanes * p->splits == o->items && (p->even ? p->lanes == p->side : p->lanes >= p->side);
    p->sure = p->even ? p->each : (rounds - 1) * p->unroll;
    p->acc = mg_kb_private(e->kb, "acc", mg_kt(MG_F32, 4), o->block * p->columns);
    p->ahead = mg_kb_private(e->kb, "ahead", mg_kt(MG_F32, 4), p->unroll * p->columns);
    p->column = named(e->k, b, "lane", modulo(e->k, e->item, p->lanes));
    p->part = p->splits > 1 ? named(e->k, b, "part", over(e->k, e->item, p->lanes)) : num(e->k, 0);
}

static MgKBlock *with_column(Emit *e, const Product *p, MgKBlock *b) {
    return p->side % p->lanes ? when_below(e, b, p->column, p->side) : b;
}

// after: the product whose first weights are loaded meanwhile, or NULL.
static void emit_product(Emit *e, Product *p, Product *after, MgKBlock *b) {
    MgKBlock *inner = b;
    if (p->lanes * p->splits < e->o->items)
        inner = when_below(e, inner, e->item, p->lanes * p->splits);
    if (p->side > p->lanes) {
        Loop loop = each_from(e->k, inner, "j", num(e->k, 0), num(e->k, p->side), p->lanes);
        inner = loop.body;
        p->column = named(e->k, inner, "column", add(e->k, loop.at, p->column));
    }
    MgKBlock *own = with_column(e, p, inner);
    emit_sums(e, p, own);
    if (after && after->once && p->once) {
        load_ahead(e, after, b, num(e->k, 0));
        after->ready = true;
        own = with_column(e, p, inner);
    }
    emit_results(e, p, own);
    if (p->splits > 1) {
        meet(e, b);
        emit_parts(e, p, b);
    }
}

static void emit_stages(Emit *e, MgKBlock *b) {
    MgOwned *o = e->o;
    Product *products = MG_NEW_N(o->s->arena, Product, o->stages.len + 1);
    for (uint32_t i = 0; i < o->stages.len; i++)
        if (o->stages.at[i].product)
            begin_product(e, &o->stages.at[i], &products[i], b);
    for (uint32_t i = 0; i < o->stages.len; i++) {
        Product *after = NULL;
        for (uint32_t n = o->stages.len; n-- > i + 1;)
            if (o->stages.at[n].product)
                after = &products[n];
        if (o->stages.at[i].product)
            emit_product(e, &products[i], after, b);
        else if (mg_owned_shares_rows(o, &o->stages.at[i]))
            emit_row_reduction(e, &o->stages.at[i], b);
        else
            emit_points(e, &o->stages.at[i], b);
        meet(e, b);
    }
}

// ---------------------------------------------------------------- loading and storing

typedef enum Way { LOAD, STORE } Way;

// Copies rows of a value between its parameter and local memory.
static void move_rows(Emit *e, MgValueId v, Way way, MgKBlock *b) {
    int64_t width = mg_owned_const(e->o, mg_value_elements(e->o->s->g, v)) / e->o->rows;
    const MgKx *at = share(e, &b, width * e->o->block);
    const MgKx *r = over(e->k, at, width), *q = modulo(e->k, at, width);
    const MgKx *here = named(e->k, b, "here", add(e->k, row_of(e, v, r), q));
    const MgKx *there = named(e->k, b, "there", add(e->k, scaled(e, e->first_row, width, 0), at));
    MgKBufId from = way == LOAD ? mg_kb_value(e->kb, v) : e->rows;
    MgKBufId to = way == LOAD ? e->rows : mg_kb_value(e->kb, v);
    const MgKx *x = loaded(e->k, from, way == LOAD ? there : here, 1);
    store(e->k, b, to, way == LOAD ? here : there, x);
}

// The results of a pass become the inputs of the next one.
static void feed(Emit *e, MgKBlock *b) {
    MgGraph *g = e->o->s->g;
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        if (e->o->fed_from[i] < 0)
            continue;
        MgValueId from = g->outputs.at[e->o->fed_from[i]].value, to = g->inputs.at[i].value;
        MgKBlock *inner = b;
        int64_t width = e->o->places[to].width;
        const MgKx *at = share(e, &inner, width * e->o->block);
        const MgKx *source = plus(e->k, at, e->o->places[from].offset * e->o->block);
        const MgKx *target = plus(e->k, at, e->o->places[to].offset * e->o->block);
        store(e->k, inner, e->rows, target, loaded(e->k, e->rows, source, 1));
    }
    meet(e, b);
}

static MgKBufId local_array(Emit *e, const char *name, int64_t count) {
    MgKBufId buf = mg_kalloc(e->k, name, mg_kt(MG_F32, 1), MG_SPACE_SHARED, MG_SCOPE_GROUP,
                             num(e->k, count ? count : 1));
    e->k->bufs.at[buf].align = 16;
    return buf;
}

// Padding is copied with its row, so it is written first.
static void clear_rows(Emit *e, MgKBlock *b) {
    int64_t all = e->o->row_elements * e->o->block;
    const MgKx *at = share(e, &b, all);
    store(e->k, b, e->rows, at, mg_kfloat(e->k, mg_kt(MG_F32, 1), 0));
}

static void emit_group(Emit *e, MgKBlock *b) {
    MgOwned *o = e->o;
    MgGraph *g = o->s->g;
    clear_rows(e, b);
    meet(e, b);
    for (uint32_t i = 0; i < g->inputs.len; i++)
        if (o->places[g->inputs.at[i].value].placed)
            move_rows(e, g->inputs.at[i].value, LOAD, b);
    meet(e, b);
    MgKBlock *pass = b;
    if (o->loops) {
        const MgKx *passes = mg_kb_ix(e->kb, mg_ix_sym(o->s->ix, o->passes), NULL);
        passes = greatest(e->k, passes, num(e->k, 1));
        pass = &mg_kfor(e->k, b, MG_LOOP_SERIAL, "pass", num(e->k, 0), passes, 1)->body;
    }
    emit_stages(e, pass);
    if (o->loops)
        feed(e, pass);
    for (uint32_t i = 0; i < o->unit.n_outputs; i++)
        move_rows(e, o->unit.outputs[i], STORE, b);
    meet(e, b); // before the next block is loaded
}

// ---------------------------------------------------------------- packing

// An element of a weight, 0 past its last k.
static const MgKx *weight_at(Emit *e, const MgOwnedProduct *p, MgKBufId from, const MgKx *k,
                             const MgKx *j) {
    const MgKx *there = p->k % 4 ? at_most(e, k, p->k - 1) : k;
    const MgKx *place = p->across ? add(e->k, scaled(e, there, p->j, 0), j)
                                  : add(e->k, scaled(e, j, p->k, 0), there);
    const MgKx *x = loaded(e->k, from, place, 1);
    if (there == k)
        return x;
    return where(e->k, less(e->k, k, num(e->k, p->k)), x, mg_kfloat(e->k, x->type, 0));
}

// Packs each weight as [k / 4][j][k mod 4], so that neighbouring items read neighbouring columns.
static void emit_pack(MgOwned *o, MgKBlock *plan) {
    MgSched *s = o->s;
    MgOpId op = o->unit.ops[0];
    MgUnit unit = {.ops = &op, .outputs = o->unit.outputs};
    MgKb kb;
    Emit e = {.o = o, .kb = &kb};
    mg_kb_begin(&kb, s, &unit, "pack");
    e.k = kb.k;
    unit.n_outputs = 1;
    uint32_t n = 0;
    MgKBufId *from = MG_NEW_N(s->arena, MgKBufId, o->stages.len);
    for (uint32_t i = 0; i < o->stages.len; i++)
        if (o->stages.at[i].product)
            from[i] = mg_kb_extra(&kb, "w", MG_F32, s->storage_of[o->stages.at[i].p.w], NULL, true,
                                  false);
    MgKBufId to = mg_kb_extra(&kb, "packed", MG_F32, o->packed_storage, NULL, false, true);
    for (uint32_t i = 0; i < o->stages.len; i++) {
        const MgOwnedProduct *p = &o->stages.at[i].p;
        if (!o->stages.at[i].product)
            continue;
        MgKBlock *b = &kb.k->body;
        const MgKx *trips = num(e.k, mg_owned_steps(p) * p->j);
        const MgKx *at = mg_share_items(e.k, &b, trips, mg_gpu_usual_items(s));
        const MgKx *step = named(kb.k, b, "step", over(e.k, at, p->j));
        const MgKx *j = named(kb.k, b, "j", modulo(e.k, at, p->j));
        for (int64_t r = 0; r < 4; r++)
            store(kb.k, b, to, scaled(&e, at, 4, p->packed + r),
                  weight_at(&e, p, from[i], scaled(&e, step, 4, r), j));
        n++;
    }
    if (n)
        mg_kb_end(&kb, plan, op);
}

void mg_owned_emit(MgOwned *o, MgKBlock *plan) {
    MgSched *s = o->s;
    Emit e = {.o = o, .kb = &o->kb};
    if (o->packed) {
        o->packed_storage =
            mg_storage_new(s, MG_PLAN_ARENA, mg_ix_const(s->ix, 4 * o->packed), MG_NONE);
        emit_pack(o, plan);
    }
    if (s->options->schedules)
        mg_nest_count(s, &o->unit);
    mg_kb_begin(&o->kb, s, &o->unit, "owned");
    o->kb.nest = o->nest;
    e.k = o->kb.k;
    if (o->packed) {
        e.packed = mg_kb_extra(&o->kb, "packed", MG_F32, o->packed_storage, NULL, true, false);
        e.k->bufs.at[e.packed].align = 64; // like the arena
    }
    for (uint32_t i = 0; i < MAX_INDICES; i++)
        e.with[i] = mg_ix_idx(s->ix, i);
    e.rows = local_array(&e, "rows", o->row_elements * o->block);
    e.part = local_array(&e, "part", mg_owned_partials(o));
    e.k->items = o->items;
    MgKBlock *b = &e.k->body;
    e.item = named(e.k, b, "item", mg_kspecial(e.k, MG_KX_LOCAL_ID));
    Loop groups = each_group(e.k, b, "g", num(e.k, o->rows / o->block));
    b = groups.body;
    e.first_row = named(e.k, b, "first", scaled(&e, groups.at, o->block, 0));
    emit_group(&e, b);
    mg_kb_end(&o->kb, plan, o->unit.ops[o->unit.n_ops - 1]);
}
