// Long scans on a GPU. A group takes a row, or a part of one, block by block. Its items read a
// block side by side into local memory, and each combines neighbouring elements there. The items'
// totals are scanned in steps that combine ever more of them (Hillis and Steele, 1986). Then each
// item walks its elements again, starting from the total of everything before them.
//
// If there are few rows, they are split into parts. Where groups can wait for earlier ones, a part
// is a block, and its group looks back at the totals of those before it (look_back.c). Elsewhere
// each part is reduced alone and, after a barrier over the grid, scanned from the total of all
// parts before it. The split depends on the number and length of rows only.
//
// Products of floats are left to one item: the product of a part may overflow although the product
// before it is 0.
#include "ir/equation.h"
#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/gpu/look_back.h"
#include "passes/schedule/ordered/scan.h"
#include "passes/schedule/words.h"

enum { ITEMS = MG_SCAN_ITEMS, MOST_EACH = MG_SCAN_MOST_EACH };
enum { WHOLE_EACH = 8 }; // of rows that are not cut

typedef struct GpuScan {
    MgScan *c;
    MgKernel *k;
    const MgKx *me;
    const MgKx *n, *low, *rows; // steps of a row, its first index, and the number of rows
    const MgKx *parts;          // of a row
    int64_t length;             // of a part; 0: a row is one part
    int64_t each, block;        // elements of an item, and of a block
    MgKBufId cells, totals;     // of a block; of its items, in two halves
    MgKBufId sums;              // of all parts
    const MgKx *x[MOST_EACH];   // an item's elements in a block
    MgLookBack *back;           // NULL: groups don't look back
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
    part->number = g->back ? mg_look_back_turn(g->back, all.body) : all.at;
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
    return add(g->k, step, over(g->k, step, g->each));
}

static MgDType cell_type(const GpuScan *g) {
    return g->k->bufs.at[g->cells].elem.dtype;
}

static const MgKx *step_of(GpuScan *g, MgKBlock *block, int64_t v) {
    return named(g->k, block, "step", plus(g->k, g->me, v * ITEMS));
}

// Does the block end before the part does, with an element for each step?
static const MgKx *is_whole(GpuScan *g, const Part *part, const MgKx *start) {
    MgKernel *k = g->k;
    const MgKx *whole = bin(k, MG_PRIM_LE, plus(k, start, g->block), part->end);
    return g->c->exclusive ? both(k, whole, bin(k, MG_PRIM_GT, start, num(k, 0))) : whole;
}

// Loads the item's elements of a whole block, which are in flight together.
static void load_whole(GpuScan *g, MgKBlock *block, const MgKx *start, const MgKx **x) {
    MgKernel *k = g->k;
    for (int64_t v = 0; v < g->each; v++) {
        const MgKx *t = add(k, start, step_of(g, block, v));
        const MgKx *own = entering(g, block, named(k, block, "t", t));
        x[v] = named(k, block, "x", converted(k, cell_type(g), own));
    }
}

static void read_whole(GpuScan *g, MgKBlock *block, const MgKx *start) {
    const MgKx *x[MOST_EACH];
    load_whole(g, block, start, x);
    for (int64_t v = 0; v < g->each; v++)
        store(g->k, block, g->cells, cell(g, step_of(g, block, v)), x[v]);
}

static void read_block(GpuScan *g, MgKBlock *block, const Part *part, const MgKx *start) {
    MgKernel *k = g->k;
    MgKs *whole = mg_kif(k, block, is_whole(g, part, start));
    read_whole(g, &whole->body, start);
    Loop v = each_from(k, &whole->orelse, "v", num(k, 0), num(k, g->block), ITEMS);
    const MgKx *step = named(k, v.body, "step", add(k, v.at, g->me));
    const MgKx *t = named(k, v.body, "t", add(k, start, step));
    const MgKx *to = named(k, v.body, "to", cell(g, step));
    MgKs *there = mg_kif(k, v.body, enters(g, part, t));
    const MgKx *x = entering(g, &there->body, t);
    store(k, &there->body, g->cells, to, converted(k, cell_type(g), x));
    store(k, &there->orelse, g->cells, to, converted(k, cell_type(g), identity(g)));
    meet(g, block);
}

static void write_step(GpuScan *g, MgKBlock *block, const MgKx *start, const MgKx *step) {
    set_step(g, block, named(g->k, block, "t", add(g->k, start, step)));
    MgPoint p = mg_scan_point(g->c, block, -1, NULL);
    mg_scan_store(g->c, &p, get(g, g->cells, cell(g, step)));
}

static void write_block(GpuScan *g, MgKBlock *block, const Part *part, const MgKx *start) {
    MgKernel *k = g->k;
    MgKs *whole = mg_kif(k, block, bin(k, MG_PRIM_LE, plus(k, start, g->block), part->end));
    for (int64_t i = 0; i < g->each; i++)
        write_step(g, &whole->body, start, step_of(g, &whole->body, i));
    Loop v = each_from(k, &whole->orelse, "v", num(k, 0), num(k, g->block), ITEMS);
    const MgKx *step = named(k, v.body, "step", add(k, v.at, g->me));
    MgKBlock *there = block_if(k, v.body, less(k, add(k, start, step), part->end));
    write_step(g, there, start, step);
    meet(g, block); // the next block uses the same cells
}

static const MgKx *own_cell(GpuScan *g, int64_t q) {
    return plus(g->k, times(g->k, g->me, g->each + 1), q);
}

// Loads the item's elements, and returns their total.
static const MgKx *add_own(GpuScan *g, MgKBlock *block) {
    MgKernel *k = g->k;
    const MgKx *sum = NULL;
    for (int64_t q = 0; q < g->each; q++) {
        const MgKx *x = converted(k, g->c->type.dtype, get(g, g->cells, own_cell(g, q)));
        g->x[q] = named(k, block, "x", x);
        sum = named(k, block, "sum", sum ? join(g, sum, g->x[q]) : g->x[q]);
    }
    return sum;
}

// Replaces each of the item's elements by its total with all those before it.
static void store_own(GpuScan *g, MgKBlock *block, const MgKx *before) {
    MgKernel *k = g->k;
    for (int64_t q = 0; q < g->each; q++) {
        before = named(k, block, "sum", join(g, before, g->x[q]));
        store(k, block, g->cells, own_cell(g, q), converted(k, cell_type(g), before));
    }
    meet(g, block);
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

// The total of all items, and of those before this one.
static const MgKx *join_items(GpuScan *g, MgKBlock *block, const MgKx *own, const MgKx **before) {
    MgKernel *k = g->k;
    store(k, block, g->totals, g->me, own);
    const MgKx *first = scan_totals(g, block), *has = bin(k, MG_PRIM_GT, g->me, num(k, 0));
    const MgKx *all = named(k, block, "all", get(g, g->totals, plus(k, first, ITEMS - 1)));
    const MgKx *at = add(k, first, minus(k, g->me, 1));
    const MgKx *sum = mg_kload(k, g->totals, at, 1, has, identity(g));
    if (before)
        *before = named(k, block, "before", sum);
    meet(g, block);
    return all;
}

// ---------------------------------------------------------------- the phases

// Adds a block's elements to `acc` of each item.
static void reduce_block(GpuScan *g, MgKBlock *block, const Part *part, const MgKx *start,
                         MgKBufId acc) {
    MgKernel *k = g->k;
    const MgKx *x[MOST_EACH], *sum = held(k, acc);
    MgKs *whole = mg_kif(k, block, is_whole(g, part, start));
    load_whole(g, &whole->body, start, x);
    for (int64_t v = 0; v < g->each; v++)
        sum = join(g, sum, converted(k, g->c->type.dtype, x[v]));
    set_held(k, &whole->body, acc, sum);
    const MgKx *from = named(k, &whole->orelse, "from", add(k, start, g->me));
    const MgKx *end = least(k, plus(k, start, g->block), part->end);
    Loop t = each_from(k, &whole->orelse, "t", from, end, ITEMS);
    MgKBlock *there = block_if(k, t.body, enters(g, part, t.at));
    mg_reduce_held(k, there, g->c->piece->reducer, acc, entering(g, there, t.at));
}

// Reduces each part of all rows. An item combines elements that are not adjacent; this is allowed,
// since reducers whose order matters don't have this form.
static void reduce_parts(GpuScan *g) {
    MgKernel *k = g->k;
    Part part;
    MgKBlock *block = open_part(g, &part);
    MgKBufId acc = mg_kb_held(&g->c->kb, block, "acc", identity(g));
    Loop blocks = each_from(k, block, "block", part.start, part.end, g->block);
    reduce_block(g, blocks.body, &part, blocks.at, acc);
    const MgKx *all = join_items(g, block, held(k, acc), NULL);
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
    return join_items(g, block, held(k, acc), NULL);
}

// Each block starts from the total of those before it.
static void scan_blocks(GpuScan *g, MgKBlock *block, const Part *part, const MgKx *before) {
    MgKernel *k = g->k;
    MgKBufId carry = mg_kb_held(&g->c->kb, block, "carry", before);
    Loop blocks = each_from(k, block, "block", part->start, part->end, g->block);
    read_block(g, blocks.body, part, blocks.at);
    const MgKx *own = add_own(g, blocks.body);
    const MgKx *all = join_items(g, blocks.body, own, &before);
    before = named(k, blocks.body, "sum", join(g, held(k, carry), before));
    set_held(k, blocks.body, carry, join(g, held(k, carry), all));
    store_own(g, blocks.body, before);
    write_block(g, blocks.body, part, blocks.at);
}

// A part is a block, whose elements wait in registers for the total of those before it.
static void scan_looking_back(GpuScan *g, MgKBlock *block, const Part *part) {
    MgKernel *k = g->k;
    const MgKx *before;
    read_block(g, block, part, part->start);
    const MgKx *own = add_own(g, block);
    const MgKx *all = join_items(g, block, own, &before);
    const MgKx *number = named(k, block, "number", sub(k, part->number, part->first));
    MgLookBackAt at = {part->first, number, quotient(k, part->first, g->parts)};
    const MgKx *earlier = mg_look_back(g->back, block, &at, all);
    store_own(g, block, named(k, block, "sum", join(g, earlier, before)));
    write_block(g, block, part, part->start);
}

static void scan_parts(GpuScan *g) {
    Part part;
    MgKBlock *block = open_part(g, &part);
    if (g->back) {
        scan_looking_back(g, block, &part);
        return;
    }
    const MgKx *before = identity(g);
    if (g->length)
        before = before_part(g, block, &part, mg_kb_private(&g->c->kb, "acc", g->c->type, 1));
    scan_blocks(g, block, &part, before);
}

// ---------------------------------------------------------------- choosing the form

static MgIx count_rows(const MgScan *c) {
    MgIx rows = mg_ix_const(c->s->ix, 1);
    for (uint32_t i = 0; i < c->piece->n_free; i++)
        if (i != c->axis)
            rows = mg_ix_mul(c->s->ix, rows, mg_index_extent(c->s->ix, &c->piece->indices[i]));
    return rows;
}

// The type in which a block's elements lie in local memory.
static MgDType stored_type(const MgScan *c) {
    return c->piece->expr->dtype == MG_F32 ? MG_F32 : c->type.dtype;
}

static int64_t local_bytes(const MgScan *c, int64_t each) {
    int64_t cells = ITEMS * (each + 1) * (int64_t)mg_dtype_size(stored_type(c));
    int64_t totals = 2 * ITEMS * (int64_t)mg_dtype_size(c->type.dtype), turn = sizeof(uint32_t);
    return cells + totals + turn;
}

bool mg_gpu_scan_fits(const MgScan *c) {
    const MgTargetInfo *target = &c->s->options->target;
    int64_t each = c->each ? c->each : MG_SCAN_LEAST_EACH;
    return c->by_steps && target->max_items >= ITEMS &&
           local_bytes(c, each) <= (int64_t)target->local_bytes &&
           (c->piece->reducer != MG_REDUCE_PROD || !mg_is_float(c->type.dtype));
}

bool mg_gpu_scan_looks_back(const MgScan *c, int64_t parts) {
    return c->s->options->target.posts && mg_look_back_fits(c->type.dtype, ITEMS, parts);
}

bool mg_gpu_scan_pays(const MgScan *c, bool straight) {
    int64_t length = mg_scan_extent(c, c->axis);
    if (length >= 0 && length < ITEMS)
        return false;
    return straight ||
           (length >= 0 && mg_ix_likely(c->s->ix, count_rows(c)) < mg_figure(c->s, scan_rows));
}

// Cuts rows into parts, if there are few.
static void cut(MgScan *c, int64_t steps, int64_t several) {
    int64_t groups = mg_figure(c->s, scan_groups), block = mg_scan_block(c);
    int64_t parts = several > 0 && several < groups ? groups / several : 1;
    int64_t blocks = mg_ceil_div(steps, block);
    int64_t length = mg_ceil_div(mg_ceil_div(steps, parts), block) * block;
    // If not all parts run at once, each waits for the slowest of those before it.
    bool looks_back = parts > 1 && several * blocks <= c->s->workers;
    looks_back = looks_back && mg_gpu_scan_looks_back(c, blocks);
    c->length = looks_back ? block : length;
    if (c->length >= steps)
        c->length = 0;
    c->dealt = looks_back && c->length;
}

void mg_gpu_scan_choose(MgScan *c) {
    const MgTargetInfo *target = &c->s->options->target;
    MgIx extent = mg_index_extent(c->s->ix, &c->piece->indices[c->axis]);
    int64_t steps = mg_scan_extent(c, c->axis), several = mg_ix_likely(c->s->ix, count_rows(c));
    c->each = MG_SCAN_LEAST_EACH;
    while (c->each < MOST_EACH && mg_scan_block(c) < mg_ix_likely(c->s->ix, extent) &&
           local_bytes(c, 2 * c->each) <= (int64_t)target->local_bytes)
        c->each *= 2;
    if (steps >= 0)
        cut(c, steps, several);
    if (!c->length && c->each > WHOLE_EACH) // more groups share a unit
        c->each = WHOLE_EACH;
}

void mg_gpu_scan_emit(MgScan *c) {
    MgKb *kb = &c->kb;
    MgKernel *k = kb->k;
    MgIxTable *t = c->s->ix;
    MgIx rows = count_rows(c);
    GpuScan g = {.c = c,
                 .k = k,
                 .length = c->length,
                 .each = c->each,
                 .block = mg_scan_block(c),
                 .me = mg_kspecial(k, MG_KX_LOCAL_ID)};
    g.n = mg_kb_ix(kb, mg_index_extent(t, &c->piece->indices[c->axis]), c->at.loop);
    g.low = mg_kb_ix(kb, c->at.low[c->axis], c->at.loop);
    g.rows = mg_kb_ix(kb, rows, c->at.loop);
    int64_t parts = g.length ? mg_ceil_div((int64_t)g.n->bits, g.length) : 1;
    g.parts = num(k, parts);
    if (g.length && !c->dealt)
        g.sums = mg_kb_common(kb, "sums", c->type.dtype, mg_ix_mul(t, rows, mg_ix_const(t, parts)));
    MgLookBack back = {.kb = kb,
                       .type = c->type.dtype,
                       .reducer = c->piece->reducer,
                       .items = ITEMS,
                       .rows = rows,
                       .parts = parts};
    if (c->dealt)
        mg_look_back_begin(g.back = &back);
    g.cells = mg_gpu_local(k, "cells", mg_kt(stored_type(c), 1), g.block + ITEMS);
    g.totals = mg_gpu_local(k, "totals", c->type, 2 * ITEMS);
    back.totals = g.totals;
    if (g.length && !c->dealt)
        reduce_parts(&g);
    scan_parts(&g);
}
