// Long scans on a GPU. A group takes a row, or a part of one, block by block. Its items read a
// block side by side into local memory, and each combines neighbouring elements there. The items'
// totals are scanned in steps that combine ever more of them (Hillis and Steele, 1986). Then each
// item walks its elements again, starting from the total of everything before them.
//
// If there are few rows, they are split into parts. Each part is reduced alone and, after a barrier
// over the grid, scanned from the total of all parts before it. The split depends on the number and
// length of rows only, so results don't depend on the device.
//
// Products of floats are left to one item: the product of a part may overflow although the product
// before it is 0.
#include "ir/equation.h"
#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/ordered/scan.h"
#include "passes/schedule/words.h"

enum { ITEMS = MG_SCAN_ITEMS, EACH = MG_SCAN_EACH, BLOCK = MG_SCAN_BLOCK };

typedef struct GpuScan {
    MgScan *c;
    MgKernel *k;
    const MgKx *me;
    const MgKx *n, *low, *rows; // steps of a row, its first index, and the number of rows
    const MgKx *parts;          // of a row
    int64_t length;             // of a part; 0: a row is one part
    MgKBufId cells, totals;     // of a block; of its items, in two halves
    MgKBufId sums;              // of all parts
} GpuScan;

static const MgKx *get(GpuScan *g, MgKBufId buf, const MgKx *at) {
    return loaded(g->k, buf, at, 1);
}

static const MgKx *identity(GpuScan *g) {
    return mg_reduce_identity(g->k, g->c->piece->reducer, g->c->type);
}

// Combines a, which comes before x, with x.
static const MgKx *join(GpuScan *g, const MgKx *a, const MgKx *x) {
    return mg_reduce_step(g->k, g->c->piece->reducer, a, x);
}

static void meet(GpuScan *g, MgKBlock *block) {
    mg_kbarrier(g->k, block, MG_BARRIER_GROUP);
}

// ---------------------------------------------------------------- rows and parts

// Sets the indices of a row's point from the row's number; the last one changes fastest.
static void set_row(GpuScan *g, MgKBlock *block, const MgKx *row) {
    MgScan *c = g->c;
    MgKDigit digits[MG_FORM_SYMS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->piece->n_free; i++) {
        if (i != c->axis)
            digits[n++] = mg_loops_digit(&c->at, &c->kb, i);
    }
    mg_kb_digits(&c->kb, block, digits, n, row, c->at.loop);
}

// The part of a row that a group computes.
typedef struct Part {
    const MgKx *number, *first; // among those of all rows; the first one of its row
    const MgKx *start, *end;    // its steps
} Part;

static MgKBlock *open_part(GpuScan *g, Part *part) {
    MgKernel *k = g->k;
    k->items = ITEMS;
    Loop all = each_group(k, &k->body, "g", mul(k, g->rows, g->parts));
    part->number = all.at;
    const MgKx *row = named(k, all.body, "row", quotient(k, part->number, g->parts));
    part->first = named(k, all.body, "first", mul(k, row, g->parts));
    part->start = num(k, 0);
    part->end = g->n;
    if (g->length) {
        part->start = times(k, sub(k, part->number, part->first), g->length);
        part->start = named(k, all.body, "start", part->start);
        part->end = named(k, all.body, "end", least(k, plus(k, part->start, g->length), g->n));
    }
    set_row(g, all.body, row);
    return all.body;
}

// The axis' index at step t of the scan.
static void set_step(GpuScan *g, MgKBlock *block, const MgKx *t) {
    MgScan *c = g->c;
    const MgKx *last = minus(g->k, add(g->k, g->low, g->n), 1);
    const MgKx *i = c->up ? add(g->k, g->low, t) : sub(g->k, last, t);
    c->at.loop[c->axis] = named(g->k, block, "i", i);
}

// The element that enters at step t; the step exists.
static const MgKx *entering(GpuScan *g, MgKBlock *block, const MgKx *t) {
    MgScan *c = g->c;
    const MgIndex *b = &c->piece->indices[c->bound];
    set_step(g, block, t);
    const MgKx *j = mg_kb_ix(&c->kb, c->up ? b->high : b->low, c->at.loop);
    c->at.loop[c->bound] = named(g->k, block, "j", c->up ? minus(g->k, j, 1) : j);
    MgPoint p = mg_scan_point(c, block, -1, NULL);
    return mg_scan_element(c, &p);
}

// The condition that an element enters at step t, which is in a part.
static const MgKx *enters(GpuScan *g, const Part *part, const MgKx *t) {
    MgKernel *k = g->k;
    const MgKx *there = less(k, t, part->end);
    return g->c->exclusive ? both(k, there, bin(k, MG_PRIM_GT, t, num(k, 0))) : there;
}

// ---------------------------------------------------------------- a block in local memory

// The cell of a step of the block. There is a free cell after the elements of each item, so that
// neighbouring items access different banks.
static const MgKx *cell(GpuScan *g, const MgKx *step) {
    return add(g->k, step, over(g->k, step, EACH));
}

static void read_block(GpuScan *g, MgKBlock *block, const Part *part, const MgKx *start) {
    MgKernel *k = g->k;
    Loop v = each_from(k, block, "v", num(k, 0), num(k, BLOCK), ITEMS);
    const MgKx *step = named(k, v.body, "step", add(k, v.at, g->me));
    const MgKx *t = named(k, v.body, "t", add(k, start, step));
    const MgKx *to = named(k, v.body, "to", cell(g, step));
    MgKs *there = mg_kif(k, v.body, enters(g, part, t));
    store(k, &there->body, g->cells, to, entering(g, &there->body, t));
    store(k, &there->orelse, g->cells, to, identity(g));
    meet(g, block);
}

static void write_block(GpuScan *g, MgKBlock *block, const Part *part, const MgKx *start) {
    MgKernel *k = g->k;
    Loop v = each_from(k, block, "v", num(k, 0), num(k, BLOCK), ITEMS);
    const MgKx *step = named(k, v.body, "step", add(k, v.at, g->me));
    const MgKx *t = named(k, v.body, "t", add(k, start, step));
    MgKBlock *there = block_if(k, v.body, less(k, t, part->end));
    set_step(g, there, t);
    MgPoint p = mg_scan_point(g->c, there, -1, NULL);
    mg_scan_store(g->c, &p, get(g, g->cells, cell(g, step)));
    meet(g, block); // the next block uses the same cells
}

// Walks the item's elements, starting with `acc`; stores: each element is replaced by its total
// with those before it.
static void walk_neighbours(GpuScan *g, MgKBlock *block, MgKBufId acc, bool stores) {
    MgKernel *k = g->k;
    Loop q = each_of(k, block, "q", num(k, EACH));
    const MgKx *at = named(k, q.body, "at", add(k, times(k, g->me, EACH + 1), q.at));
    const MgKx *x = named(k, q.body, "x", join(g, held(k, acc), get(g, g->cells, at)));
    set_held(k, q.body, acc, x);
    if (stores)
        store(k, q.body, g->cells, at, x);
}

// Each step combines up to SIDE totals, of as many items each as the steps before it combined.
const MgKx *mg_gpu_scan_totals(MgKernel *k, MgKBlock *block, MgKBufId totals, int64_t items,
                               MgReducer reducer) {
    enum { SIDE = 4 };
    const MgKx *me = mg_kspecial(k, MG_KX_LOCAL_ID);
    int64_t side = 0;
    for (int64_t by = 1; by < items; by *= SIDE) {
        mg_kbarrier(k, block, MG_BARRIER_GROUP);
        const MgKx *at = named(k, block, "at", plus(k, me, side));
        const MgKx *sum = named(k, block, "own", loaded(k, totals, at, 1)), *own = sum;
        for (int64_t j = 1; j < SIDE && j * by < items; j++) {
            const MgKx *has = bin(k, MG_PRIM_GE, me, num(k, j * by));
            const MgKx *before = mg_kload(k, totals, minus(k, at, j * by), 1, has, own);
            before = named(k, block, "before", before);
            sum = where(k, has, mg_reduce_step(k, reducer, before, sum), sum);
        }
        side = items - side;
        store(k, block, totals, plus(k, me, side), sum);
    }
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    return num(k, side);
}

// Replaces each item's total by that of all items up to it. Returns the first one's position.
static const MgKx *scan_totals(GpuScan *g, MgKBlock *block) {
    return mg_gpu_scan_totals(g->k, block, g->totals, ITEMS, g->c->piece->reducer);
}

static void scan_block(GpuScan *g, MgKBlock *block, MgKBufId acc, MgKBufId carry) {
    MgKernel *k = g->k;
    set_held(k, block, acc, identity(g));
    walk_neighbours(g, block, acc, false);
    store(k, block, g->totals, g->me, held(k, acc));
    const MgKx *first = scan_totals(g, block);
    set_held(k, block, acc, held(k, carry));
    MgKBlock *has = block_if(k, block, bin(k, MG_PRIM_GT, g->me, num(k, 0)));
    const MgKx *before = get(g, g->totals, add(k, first, minus(k, g->me, 1)));
    set_held(k, has, acc, join(g, held(k, carry), before));
    walk_neighbours(g, block, acc, true);
    const MgKx *all = get(g, g->totals, plus(k, first, ITEMS - 1));
    set_held(k, block, carry, join(g, held(k, carry), all));
    meet(g, block);
}

// ---------------------------------------------------------------- the phases

// Combines `acc` of all items, in their order; each item gets the result.
static const MgKx *of_all_items(GpuScan *g, MgKBlock *block, MgKBufId acc) {
    MgKernel *k = g->k;
    store(k, block, g->totals, g->me, held(k, acc));
    const MgKx *first = scan_totals(g, block);
    const MgKx *all = named(k, block, "all", get(g, g->totals, plus(k, first, ITEMS - 1)));
    meet(g, block);
    return all;
}

// Reduces each part of all rows. An item combines elements that are not adjacent; this is allowed,
// since reducers whose order matters don't have this form.
static void reduce_parts(GpuScan *g) {
    MgKernel *k = g->k;
    Part part;
    MgKBlock *block = open_part(g, &part);
    MgKBufId acc = mg_kb_held(&g->c->kb, block, "acc", identity(g));
    const MgKx *from = named(k, block, "from", add(k, part.start, g->me));
    Loop t = each_from(k, block, "t", from, part.end, ITEMS);
    MgKBlock *there = block_if(k, t.body, enters(g, &part, t.at));
    mg_reduce_held(k, there, g->c->piece->reducer, acc, entering(g, there, t.at));
    const MgKx *all = of_all_items(g, block, acc);
    MgKBlock *one = block_if(k, block, equal(k, g->me, num(k, 0)));
    store(k, one, g->sums, part.number, all);
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
}

// The total of the parts before the group's.
static const MgKx *before_part(GpuScan *g, MgKBlock *block, const Part *part, MgKBufId acc) {
    MgKernel *k = g->k;
    set_held(k, block, acc, identity(g));
    const MgKx *from = named(k, block, "from", add(k, part->first, g->me));
    Loop past = each_from(k, block, "past", from, part->number, ITEMS);
    mg_reduce_held(k, past.body, g->c->piece->reducer, acc, get(g, g->sums, past.at));
    return of_all_items(g, block, acc);
}

static void scan_parts(GpuScan *g) {
    MgKernel *k = g->k;
    Part part;
    MgKBufId acc = mg_kb_private(&g->c->kb, "acc", g->c->type, 1),
             carry = mg_kb_private(&g->c->kb, "carry", g->c->type, 1);
    MgKBlock *block = open_part(g, &part);
    const MgKx *before = g->length ? before_part(g, block, &part, acc) : identity(g);
    set_held(k, block, carry, before);
    Loop blocks = each_from(k, block, "block", part.start, part.end, BLOCK);
    read_block(g, blocks.body, &part, blocks.at);
    scan_block(g, blocks.body, acc, carry);
    write_block(g, blocks.body, &part, blocks.at);
}

// ---------------------------------------------------------------- choosing the form

static MgIx count_rows(const MgScan *c) {
    MgIx rows = mg_ix_const(c->s->ix, 1);
    for (uint32_t i = 0; i < c->piece->n_free; i++)
        if (i != c->axis)
            rows = mg_ix_mul(c->s->ix, rows, mg_index_extent(c->s->ix, &c->piece->indices[i]));
    return rows;
}

bool mg_gpu_scan_fits(const MgScan *c) {
    return c->by_steps && c->s->options->target.max_items >= ITEMS &&
           (c->piece->reducer != MG_REDUCE_PROD || !mg_is_float(c->type.dtype));
}

bool mg_gpu_scan_pays(const MgScan *c, bool straight) {
    int64_t length = mg_scan_extent(c, c->axis);
    if (length >= 0 && length < ITEMS)
        return false;
    return straight ||
           (length >= 0 && mg_ix_likely(c->s->ix, count_rows(c)) < mg_figure(c->s, scan_rows));
}

int64_t mg_gpu_scan_part(const MgScan *c) {
    int64_t steps = mg_scan_extent(c, c->axis), several = mg_ix_likely(c->s->ix, count_rows(c));
    if (steps < 0)
        return 0;
    int64_t groups = mg_figure(c->s, scan_groups);
    int64_t parts = several > 0 && several < groups ? groups / several : 1;
    int64_t length = mg_ceil_div(mg_ceil_div(steps, parts), BLOCK) * BLOCK;
    return length < steps ? length : 0;
}

void mg_gpu_scan_emit(MgScan *c) {
    MgKb *kb = &c->kb;
    MgKernel *k = kb->k;
    MgIxTable *t = c->s->ix;
    MgIx rows = count_rows(c);
    GpuScan g = {.c = c, .k = k, .length = c->length, .me = mg_kspecial(k, MG_KX_LOCAL_ID)};
    g.n = mg_kb_ix(kb, mg_index_extent(t, &c->piece->indices[c->axis]), c->at.loop);
    g.low = mg_kb_ix(kb, c->at.low[c->axis], c->at.loop);
    g.rows = mg_kb_ix(kb, rows, c->at.loop);
    g.parts = num(k, 1);
    if (g.length) {
        int64_t parts = mg_ceil_div((int64_t)g.n->bits, g.length);
        g.parts = num(k, parts);
        g.sums = mg_kb_common(kb, "sums", c->type.dtype, mg_ix_mul(t, rows, mg_ix_const(t, parts)));
    }
    g.cells = mg_gpu_local(k, "cells", c->type, BLOCK + ITEMS);
    g.totals = mg_gpu_local(k, "totals", c->type, 2 * ITEMS);
    if (g.length)
        reduce_parts(&g);
    scan_parts(&g);
}
