// Rows on a GPU that are reduced in one pass: several sums, the position of an extreme, two
// equations at once (group/monoid.h). Every item has an element of the monoid for the elements that
// it has read, and the items of a row combine theirs. If there are few rows, groups of their own
// reduce parts of them, and a second phase combines these. The order is always the same.
#include "passes/schedule/gpu/row.h"
#include "passes/schedule/riders.h"
#include "passes/schedule/words.h"

// An item's element of the monoid: in lanes, for its vectors; or one, for what is left of a row
// that ends within a vector.
typedef struct Own {
    MgKBufId x, at;
    uint32_t lanes;
} Own;

typedef struct MgScanWalk {
    MgRows *r;
    const MgGroupNest *lead, *second; // second: NULL if there is none
    MgMonoid monoid;
    MgBeside beside;
    bool rough;    // its exponentials need little accuracy
    MgKType type;  // of an item's leader
    MgKType place; // of the value that accompanies the leader
    Own own[2];
    uint32_t n_own;          // 2: rows end within a vector
    MgKBufId values, places; // of the items of a group, to combine extremes
} MgScanWalk;

static MgKernel *kernel(const MgScanWalk *w) {
    return w->r->gr->kb.k;
}

static bool sums(const MgScanWalk *w) {
    return w->second != NULL;
}

static MgPrim leader(const MgScanWalk *w) {
    return mg_monoid(w->monoid)->leader;
}

static MgPartial load(MgScanWalk *w, MgKBlock *b, MgKBufId x, MgKBufId at, const MgKx *index,
                      uint32_t lanes) {
    MgKernel *k = kernel(w);
    MgPartial p = {named(k, b, "x", loaded(k, x, index, lanes)), NULL};
    if (w->beside)
        p.at = named(k, b, "at", loaded(k, at, index, lanes));
    return p;
}

// Combines a vector of columns of each item of a row; the first one gets the result.
static const MgKx *meet_columns(MgScanWalk *w, MgKBlock *block, const MgKx *x) {
    MgRows *r = w->r;
    MgKernel *k = kernel(w);
    int64_t side = r->p.rows, columns = r->p.columns;
    MgKBufId buf = mg_gpu_local(k, "meet", mg_kt(x->type.dtype, 1), mg_gpu_row_group(r) * columns);
    const MgKx *own = times(k, over(k, r->first, r->p.items), columns), *sum = x;
    own = named(k, block, "own", own);
    store(k, block, buf, add(k, own, times(k, r->me, side * columns)), x);
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    for (uint32_t i = 1; i < r->p.items; i++) {
        const MgKx *other = loaded(k, buf, plus(k, own, i * side * columns), r->p.columns);
        sum = named(k, block, "sum", bin(k, leader(w), sum, other));
    }
    return sum;
}

static void store_element(MgScanWalk *w, MgKBlock *b, MgKBufId x, MgKBufId at, const MgKx *index,
                          MgPartial p) {
    store(kernel(w), b, x, index, p.x);
    if (w->beside)
        store(kernel(w), b, at, index, p.at);
}

static MgPartial identity(MgScanWalk *w, uint32_t lanes) {
    return mg_monoid_identity(kernel(w), w->monoid, mg_kt(w->type.dtype, lanes), w->place.dtype);
}

// A number of points in the type of sums; NULL if it is not used.
static const MgKx *counted(MgScanWalk *w, MgKBlock *b, const MgKx *n) {
    if (!mg_monoid_counts(w->monoid))
        return NULL;
    return named(kernel(w), b, "n", cast(kernel(w), w->type.dtype, n));
}

// ---------------------------------------------------------------- an item's elements
static MgPartial better(MgScanWalk *w, MgKBlock *b, MgPartial old, MgPartial new, bool behind) {
    MgPartial p = mg_monoid_better(kernel(w), b, w->monoid, old, new, behind, NULL);
    return (MgPartial){named(kernel(w), b, "x", p.x), named(kernel(w), b, "at", p.at)};
}

// Combines n vectors with the item's element of `before` vectors.
static MgPartial take_vectors(MgScanWalk *w, MgKBlock *b, MgPartial old, const MgKx *const *x,
                              int64_t n, const MgKx *before) {
    MgKernel *k = kernel(w);
    const MgKx *all = x[0];
    for (int64_t i = 1; i < n; i++)
        all = named(k, b, "all", bin(k, leader(w), all, x[i]));
    all = named(k, b, "all", bin(k, leader(w), old.x, all));
    const MgKx *had = counted(w, b, before), *has = counted(w, b, plus(k, before, n));
    const MgKx *about = mg_monoid_shift(k, b, w->monoid, all, has);
    const MgKx *sum = mg_monoid_moved(k, b, w->monoid, old.at, old.x, had, about, w->rough);
    for (int64_t i = 0; i < n; i++) {
        const MgKx *term = mg_monoid_term(k, w->monoid, x[i], about, w->rough);
        sum = named(k, b, "sum", add(k, sum, term));
    }
    return (MgPartial){all, sum};
}

// Reduces the positions below `high` that begin at `from` to an item's element, n vectors at once.
// It has seen what lies between `start` and `from`.
static void take(MgScanWalk *w, MgKBlock *block, const Own *own, const MgKx *start,
                 const MgKx *from, const MgKx *high, int64_t n) {
    MgRows *r = w->r;
    MgKernel *k = kernel(w);
    int64_t stride = r->p.items * own->lanes;
    const MgKx *zero = num(k, 0);
    Loop loop = each_from(k, block, "v", from, high, n * stride);
    const MgKx **x = MG_NEW_N(r->gr->s->arena, const MgKx *, n);
    const MgKx **at = MG_NEW_N(r->gr->s->arena, const MgKx *, n);
    for (int64_t i = 0; i < n; i++) {
        r->position[0] = at[i] = named(k, loop.body, "at", plus(k, loop.at, i * stride));
        MgPoint p = mg_gpu_row_point(r, w->lead, loop.body, 0);
        x[i] = mg_ksplat(k, mg_point_expr(&p, w->lead->piece->expr), own->lanes);
        x[i] = named(k, loop.body, "x", x[i]);
    }
    MgPartial seen = load(w, loop.body, own->x, own->at, zero, own->lanes);
    if (sums(w)) {
        const MgKx *before = over(k, sub(k, loop.at, start), stride);
        seen = take_vectors(w, loop.body, seen, x, n, before);
    } else {
        for (int64_t i = 0; i < n; i++)
            seen = better(w, loop.body, seen, (MgPartial){x[i], at[i]}, true);
    }
    store_element(w, loop.body, own->x, own->at, zero, seen);
}

// Where the positions of a row begin that fill no vector.
static const MgKx *rest_of(MgScanWalk *w, const MgKx *high) {
    return times(kernel(w), over(kernel(w), high, w->own[0].lanes), w->own[0].lanes);
}

// Reduces the row from low to high in one item; several vectors are in flight at once.
static void walk(MgScanWalk *w, MgKBlock *block, const MgKx *low, const MgKx *high) {
    MgRows *r = w->r;
    MgKernel *k = kernel(w);
    int64_t lanes = r->p.lanes, stride = r->p.items * lanes, side = r->p.side;
    const MgKx *own = named(k, block, "own", times(k, r->me, lanes));
    const MgKx *whole = over(k, sub(k, high, low), side * stride);
    whole = named(k, block, "whole", add(k, low, times(k, whole, side * stride)));
    const MgKx *start = named(k, block, "start", add(k, low, own));
    if (!mg_gpu_row_empty(low, whole))
        take(w, block, &w->own[0], start, start, whole, side);
    const MgKx *last = w->n_own > 1 ? minus(k, high, lanes - 1) : high;
    take(w, block, &w->own[0], start, add(k, whole, own), last, 1);
    if (w->n_own < 2)
        return;
    start = named(k, block, "start", add(k, rest_of(w, high), r->me));
    r->p.lanes = 1;
    take(w, block, &w->own[1], start, start, high, 1);
    r->p.lanes = lanes;
}

// ---------------------------------------------------------------- combining items
static const MgKx *meet(MgScanWalk *w, MgKBlock *b, MgPrim prim, const MgKx *x) {
    x = x->type.lanes > 1 ? mg_kfold(kernel(w), prim, x) : x;
    return mg_gpu_row_meet(w->r, b, prim, named(kernel(w), b, "part", x));
}

// Combines extremes by halves: the result is in the slot of the row's first item.
static MgPartial meet_extremes(MgScanWalk *w, MgKBlock *block, MgPartial own) {
    MgRows *r = w->r;
    MgKernel *k = kernel(w);
    const MgKx *me = named(k, block, "own", add(k, r->first, r->me));
    store_element(w, block, w->values, w->places, me, own);
    for (uint32_t half = r->p.items / 2; half; half /= 2) {
        mg_kbarrier(k, block, MG_BARRIER_GROUP);
        MgKBlock *b = block_if(k, block, less(k, r->me, num(k, half)));
        MgPartial one = load(w, b, w->values, w->places, me, 1);
        MgPartial other = load(w, b, w->values, w->places, plus(k, me, half), 1);
        store_element(w, b, w->values, w->places, me, better(w, b, one, other, false));
    }
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    return load(w, block, w->values, w->places, r->first, 1);
}

// Combines an item's elements; `ready` are values of their lanes.
static const MgKx *joined(MgScanWalk *w, MgKBlock *b, MgPrim prim, const MgKx *const *ready) {
    MgKernel *k = kernel(w);
    const MgKx *all = NULL;
    for (uint32_t i = 0; i < w->n_own; i++) {
        const MgKx *x = ready[i]->type.lanes > 1 ? mg_kfold(k, prim, ready[i]) : ready[i];
        all = all ? bin(k, prim, all, x) : x;
    }
    return meet(w, b, prim, all);
}

// The number of an item's positions in each lane of its element, in the range from low to high.
static const MgKx *points(MgScanWalk *w, MgKBlock *b, uint32_t own, const MgKx *low,
                          const MgKx *high) {
    MgKernel *k = kernel(w);
    int64_t lanes = w->own[own].lanes, stride = w->r->p.items * lanes;
    const MgKx *first = own ? rest_of(w, high) : low;
    const MgKx *left = sub(k, high, add(k, first, times(k, w->r->me, lanes)));
    left = greatest(k, plus(k, left, stride - lanes), num(k, 0));
    return counted(w, b, over(k, left, stride));
}

// Combines the elements of all items of a row for the range from low to high; each item gets the
// result.
static MgPartial element(MgScanWalk *w, MgKBlock *b, const MgKx *low, const MgKx *high) {
    MgRows *r = w->r;
    MgKernel *k = kernel(w);
    const MgKx *x[2] = {NULL}, *moved[2] = {NULL}, *zero = num(k, 0);
    if (!w->beside) {
        const MgKx *own = mg_gpu_row_stream(r, b, w->lead, low, high);
        own = r->p.columns > 1 ? meet_columns(w, b, own) : meet(w, b, leader(w), own);
        return (MgPartial){own, NULL};
    }
    for (uint32_t i = 0; i < w->n_own; i++)
        store_element(w, b, w->own[i].x, w->own[i].at, zero, identity(w, w->own[i].lanes));
    walk(w, b, low, high);
    MgPartial own[2] = {{NULL, NULL}}, all;
    for (uint32_t i = 0; i < w->n_own; i++) {
        own[i] = load(w, b, w->own[i].x, w->own[i].at, zero, w->own[i].lanes);
        x[i] = own[i].x;
    }
    if (!sums(w))
        return meet_extremes(w, b, own[0]);
    all.x = joined(w, b, leader(w), x);
    const MgKx *n = counted(w, b, sub(k, high, low));
    const MgKx *about = mg_monoid_shift(k, b, w->monoid, all.x, n);
    for (uint32_t i = 0; i < w->n_own; i++)
        moved[i] = mg_monoid_moved(k, b, w->monoid, own[i].at, own[i].x, points(w, b, i, low, high),
                                   about, w->rough);
    all.at = joined(w, b, MG_PRIM_ADD, moved);
    return all;
}

// ---------------------------------------------------------------- parts
static int64_t part_length(const MgRows *r) {
    int64_t stride = r->p.items * r->p.lanes;
    return mg_ceil_div(mg_ceil_div(r->p.width, r->p.parts), stride) * stride;
}

// The place of a row's part: those of neighbouring rows are neighbours if memory runs across rows.
static const MgKx *place_of(MgRows *r, const MgKx *row, const MgKx *chunk) {
    MgKernel *k = r->gr->kb.k;
    return r->p.across ? add(k, mul(k, chunk, mg_gpu_row_count(r)), row)
                       : add(k, times(k, row, r->p.parts), chunk);
}

// Opens the loop over parts of rows; returns the number of this item's part, and its range in the
// row. Neighbouring rows, or the parts of one, go to neighbouring items.
static const MgKx *open_parts(MgRows *r, MgKBlock **block, const MgKx **low, const MgKx **high) {
    MgKernel *k = r->gr->kb.k;
    int64_t length = part_length(r);
    const MgKx *rows = over(k, mg_gpu_row_count(r), r->p.columns);
    const MgKx *part = mg_gpu_rows_open(r, block, times(k, rows, r->p.parts));
    const MgKx *fast = r->p.across ? rows : num(k, r->p.parts);
    const MgKx *slow = named(k, *block, "slow", quotient(k, part, fast));
    fast = named(k, *block, "fast", remainder_of(k, part, fast));
    const MgKx *row = r->p.across ? fast : slow, *chunk = r->p.across ? slow : fast;
    *low = named(k, *block, "low", times(k, chunk, length));
    *low = named(k, *block, "low", least(k, *low, num(k, r->p.width)));
    *high = least(k, plus(k, *low, length), num(k, r->p.width));
    *high = named(k, *block, "high", *high);
    mg_gpu_row_set(r, *block, row);
    return named(k, *block, "place", place_of(r, times(k, row, r->p.columns), chunk));
}

static void emit_parts(MgScanWalk *w, MgKBufId first, MgKBufId beside) {
    MgRows *r = w->r;
    MgKernel *k = kernel(w);
    MgKBlock *block = &k->body;
    const MgKx *low, *high, *place = open_parts(r, &block, &low, &high);
    MgPartial all = element(w, block, low, high);
    store_element(w, mg_gpu_row_first(r, block), first, beside, place, all);
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    r->p.columns = 1; // what joins the parts takes one row at a time
}

typedef struct Seen { // an item's values of its row's parts
    MgPartial part;
    const MgKx *n; // the number of its points
} Seen;

// Loads part `number` of the row; the identity if there is no such part.
static Seen see(MgScanWalk *w, MgKBlock *b, MgKBufId first, MgKBufId beside, const MgKx *row,
                const MgKx *number) {
    MgRows *r = w->r;
    MgKernel *k = kernel(w);
    const MgKx *inside = named(k, b, "inside", less(k, number, num(k, r->p.parts)));
    number = least(k, number, num(k, r->p.parts - 1));
    const MgKx *place = named(k, b, "place", place_of(r, row, number));
    Seen s = {load(w, b, first, beside, place, 1), NULL};
    MgPartial none = identity(w, 1);
    s.part.x = named(k, b, "x", where(k, inside, s.part.x, none.x));
    if (w->beside)
        s.part.at = named(k, b, "at", where(k, inside, s.part.at, none.at));
    int64_t length = part_length(r);
    const MgKx *left = sub(k, num(k, r->p.width), times(k, number, length));
    left = greatest(k, least(k, left, num(k, length)), num(k, 0));
    s.n = counted(w, b, where(k, inside, left, num(k, 0)));
    return s;
}

// Combines the leaders of the items of a row; each item gets the result.
static MgPartial join_leaders(MgScanWalk *w, MgKBlock *b, const Seen *seen, uint32_t n) {
    MgPartial all = seen[0].part;
    for (uint32_t i = 1; i < n; i++)
        if (w->beside == MG_BESIDE_PLACE)
            all = better(w, b, all, seen[i].part, false);
        else
            all.x = named(kernel(w), b, "x", bin(kernel(w), leader(w), all.x, seen[i].part.x));
    if (w->beside == MG_BESIDE_PLACE)
        return meet_extremes(w, b, all);
    return (MgPartial){meet(w, b, leader(w), all.x), NULL};
}

// Combines the sums that accompany them, converted to the definition's shift; the values of the row
// that it reads are available.
static const MgKx *join_sums(MgScanWalk *w, MgKBlock *b, const Seen *seen, uint32_t n) {
    MgKernel *k = kernel(w);
    MgPoint p = mg_gpu_row_point(w->r, w->second, b, -1);
    const MgKx *shift = named(k, b, "shift", mg_point_expr(&p, w->r->together.shift[0])),
               *sum = NULL;
    for (uint32_t i = 0; i < n; i++) {
        MgPartial s = seen[i].part;
        const MgKx *more = mg_monoid_moved(k, b, w->monoid, s.at, s.x, seen[i].n, shift, w->rough);
        sum = named(k, b, "sum", sum ? add(k, sum, more) : more);
    }
    return sum;
}

static void emit_rows(MgScanWalk *w, MgKBufId first, MgKBufId beside) {
    MgRows *r = w->r;
    MgKernel *k = kernel(w);
    MgKBlock *block = &k->body;
    const MgKx *row = mg_gpu_rows_open(r, &block, mg_gpu_row_count(r));
    mg_gpu_row_set(r, block, row);
    mg_kb_ride_loads(&r->gr->kb, block);
    uint32_t first_line = block->list.len;
    uint32_t n = r->p.parts > 1 ? (uint32_t)mg_ceil_div(r->p.parts, r->p.items) : 1;
    Seen *seen = MG_NEW_N(r->gr->s->arena, Seen, n);
    MgPartial all;
    if (r->p.parts > 1) {
        for (uint32_t i = 0; i < n; i++) {
            const MgKx *number = named(k, block, "i", plus(k, r->me, (int64_t)i * r->p.items));
            seen[i] = see(w, block, first, beside, row, number);
        }
        all = join_leaders(w, block, seen, n);
    } else {
        all = element(w, block, num(k, 0), num(k, r->p.width));
        seen[0] = (Seen){all, counted(w, block, num(k, r->p.width))};
    }
    bool place = w->beside == MG_BESIDE_PLACE;
    const MgKx *x = place ? all.at : mg_gpu_row_finished(r, w->lead, all.x);
    mg_gpu_row_leave(r, block, w->lead, x);
    for (uint32_t i = 1; i < r->gr->n_nests; i++) {
        if (&r->gr->nests[i] != w->second) {
            mg_gpu_row_nest(r, block, i);
            continue;
        }
        x = join_sums(w, block, seen, n);
        x = r->p.parts > 1 ? mg_gpu_row_meet(r, block, MG_PRIM_ADD, x) : x;
        mg_gpu_row_leave(r, block, w->second, mg_gpu_row_finished(r, w->second, x));
    }
    mg_kbarrier(k, block, MG_BARRIER_GROUP); // the next row uses the same buffers
    mg_gpu_loads_first(k, block, first_line, false);
}

void mg_gpu_row_parts(MgRows *r) {
    MgGroup *gr = r->gr;
    const MgGroupNest *lead = gr->nests;
    MgScanWalk w = {.r = r, .lead = lead, .monoid = mg_reducer(lead->piece->reducer)->monoid};
    if (r->together.second) {
        w.second = &gr->nests[r->together.second];
        w.monoid = r->together.monoid;
        w.rough = mg_is_rough(gr->s, w.second->piece->expr);
    }
    w.beside = mg_monoid(w.monoid)->beside;
    w.type = mg_kt(mg_group_accumulator(gr->s->options, lead->piece), r->p.lanes);
    w.place = w.beside == MG_BESIDE_PLACE ? mg_kt(MG_I64, r->p.lanes) : w.type;
    MgKBufId first = 0, beside = 0;
    MgIx chunks = mg_ix_const(gr->s->ix, r->p.parts);
    if (r->p.parts > 1) {
        first = mg_group_place(gr, "parts", w.type.dtype, chunks);
        beside = w.beside ? mg_group_place(gr, "beside", w.place.dtype, chunks) : 0;
    }
    w.n_own = w.beside ? 1 + (r->p.width % r->p.lanes > 0) : 0;
    for (uint32_t i = 0; i < w.n_own; i++) {
        uint32_t lanes = i ? 1 : r->p.lanes;
        w.own[i] = (Own){mg_kb_private(&gr->kb, "x", mg_kt(w.type.dtype, lanes), 1),
                         mg_kb_private(&gr->kb, "at", mg_kt(w.place.dtype, lanes), 1), lanes};
    }
    if (w.beside == MG_BESIDE_PLACE) {
        w.values = mg_gpu_local(gr->kb.k, "values", w.type, mg_gpu_row_group(r));
        w.places = mg_gpu_local(gr->kb.k, "places", w.place, mg_gpu_row_group(r));
    }
    if (r->p.parts > 1)
        emit_parts(&w, first, beside);
    emit_rows(&w, first, beside);
}
