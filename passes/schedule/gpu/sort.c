// The stable order of rows on a GPU, by merging: each element of two sorted runs finds its place in
// the merged run by a search in the other run.
//
// A group sorts a part of a row in local memory, or several short rows. Longer runs are merged in
// the device's memory, with a launch for each doubling. An element goes before its equals of the
// other run if its own run is the left one, so the order is stable, and no item waits for another:
// the result does not depend on the number of items. Keys are moved with their positions, since a
// search that loaded them through positions would access memory at random.
#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/words.h"

enum { LONGEST_RUN = 1024, MOST_DOUBLINGS = 40 };

// Elements and their positions; element i of a row is at `base` + i.
typedef struct Cells {
    MgKBufId keys, places;
    const MgKx *base;
} Cells;

typedef struct Sort {
    MgKb *kb;
    MgKernel *k;
    MgKBufId x, result, sorted;
    bool sorts; // `sorted` gets the elements in their order
    MgDType key, place;
    bool descending;
    const MgKx *n, *rows, *stride; // of a row: elements, and the distance between two
    MgIx elements;                 // of all rows
    int64_t run;                   // elements of a row that a group sorts, a power of two
    int64_t items;                 // of a group
    const MgKx *me;
} Sort;

// Is x strictly before y in the order? NaN comes last in either direction.
static const MgKx *before(Sort *st, const MgKx *x, const MgKx *y) {
    MgKernel *k = st->k;
    const MgKx *better = bin(k, st->descending ? MG_PRIM_GT : MG_PRIM_LT, x, y);
    if (!mg_is_float(st->key))
        return better;
    const MgKx *x_nan = un(k, MG_PRIM_ISNAN, x), *y_nan = un(k, MG_PRIM_ISNAN, y);
    const MgKx *x_is = un(k, MG_PRIM_NOT, x_nan);
    return either(k, better, both(k, x_is, y_nan));
}

// The first element of a row.
static const MgKx *row_base(Sort *st, MgKBlock *block, const MgKx *row) {
    MgKernel *k = st->k;
    const MgKx *outer = quotient(k, row, st->stride), *inner = remainder_of(k, row, st->stride);
    const MgKx *rows = mul(k, mul(k, outer, st->n), st->stride);
    return named(k, block, "base", add(k, rows, inner));
}

// How many of the `most` elements from `first` on go before x? If x is in the left run of two, its
// equals don't go before it; if it is in the right one, they do. width: a power of two, at least
// `most`.
static const MgKx *search(Sort *st, MgKBlock *block, const Cells *in, const MgKx *x,
                          const MgKx *right, const MgKx *first, const MgKx *most,
                          const MgKx *width) {
    MgKernel *k = st->k;
    const MgKx *zero = num(k, 0), *one = num(k, 1);
    MgKBufId count = mg_kb_private(st->kb, "count", mg_kt(MG_I64, 1), 1),
             step = mg_kb_private(st->kb, "step", mg_kt(MG_I64, 1), 1);
    store(k, block, count, zero, zero);
    store(k, block, step, zero, width);
    MgKs *loop = mg_kwhile(k, block, bin(k, MG_PRIM_GT, held(k, step), zero));
    const MgKx *by = named(k, &loop->body, "by", held(k, step));
    const MgKx *next = named(k, &loop->body, "next", add(k, held(k, count), by));
    MgKBlock *in_run = block_if(k, &loop->body, bin(k, MG_PRIM_LE, next, most));
    const MgKx *last = add(k, first, sub(k, next, one));
    const MgKx *y = named(k, in_run, "y", loaded(k, in->keys, add(k, in->base, last), 1));
    // Elements before x: y < x, or, if y is left of it, y <= x, which is not x < y.
    const MgKx *less = before(st, where(k, right, x, y), where(k, right, y, x));
    MgKBlock *found = block_if(k, in_run, bin(k, MG_PRIM_NE, less, right));
    store(k, found, count, zero, next);
    store(k, &loop->body, step, zero, bin(k, MG_PRIM_SHR, by, one));
    return named(k, block, "count", held(k, count));
}

typedef struct Element {
    const MgKx *key, *place, *to; // to: its number in the merged runs
} Element;

// Merges: finds the place of element e of n, if pairs of neighbouring runs of `width` become one.
static Element merged(Sort *st, MgKBlock *block, const Cells *in, const MgKx *e, const MgKx *n,
                      const MgKx *width) {
    MgKernel *k = st->k;
    const MgKx *zero = num(k, 0), *at = named(k, block, "at", add(k, in->base, e));
    const MgKx *key = named(k, block, "key", loaded(k, in->keys, at, 1));
    const MgKx *place = named(k, block, "place", loaded(k, in->places, at, 1));
    const MgKx *right = named(k, block, "right", bin(k, MG_PRIM_NE, both(k, e, width), zero));
    const MgKx *own = named(k, block, "own", both(k, e, minus(k, width, 1)));
    const MgKx *low = named(k, block, "low", sub(k, e, own)); // of its run
    const MgKx *other = add(k, low, where(k, right, un(k, MG_PRIM_NEG, width), width));
    other = named(k, block, "other", other);
    const MgKx *most = named(k, block, "most",
                             least(k, width, sub(k, n, other))); // below 0 if there is no other run
    const MgKx *count = search(st, block, in, key, right, other, most, width);
    const MgKx *to = add(k, least(k, low, other), add(k, own, count));
    return (Element){key, place, named(k, block, "to", to)};
}

static void put(Sort *st, MgKBlock *block, const Cells *out, Element x) {
    const MgKx *at = named(st->k, block, "at", add(st->k, out->base, x.to));
    store(st->k, block, out->keys, at, x.key);
    store(st->k, block, out->places, at, x.place);
}

static void put_result(Sort *st, MgKBlock *block, const MgKx *row, Element x) {
    const MgKx *base = row_base(st, block, row);
    const MgKx *at = add(st->k, base, mul(st->k, x.to, st->stride));
    const MgKx *place = x.place;
    place = converted(st->k, MG_I64, place);
    store(st->k, block, st->result, at, place);
    if (st->sorts)
        store(st->k, block, st->sorted, at, x.key);
}

// ---------------------------------------------------------------- in local memory

static MgKBlock *open_groups(Sort *st, const MgKx *groups, const MgKx **number) {
    MgKernel *k = st->k;
    k->items = (uint32_t)st->items;
    Loop loop = each_group(k, &k->body, "g", groups);
    *number = loop.at;
    return loop.body;
}

// A part of a row, and the items that share it.
typedef struct Part {
    const MgKx *row, *start, *length; // length: 0 past the last row
    int64_t slots;                    // of a group, in local memory
    MgKBufId keys, places;            // in two halves
} Part;

// Opens a loop over the item's slots that hold elements: e is the element's number in the part,
// *base the part's first slot.
static MgKBlock *open_slots(Sort *st, MgKBlock *block, const Part *part, const MgKx **e,
                            const MgKx **base) {
    MgKernel *k = st->k;
    Loop rounds = each_from(k, block, "v", num(k, 0), num(k, part->slots), st->items);
    block = rounds.body;
    const MgKx *slot = named(k, block, "slot", add(k, rounds.at, st->me));
    *e = named(k, block, "e", both(k, slot, num(k, st->run - 1)));
    *base = named(k, block, "part", sub(k, slot, *e));
    return block_if(k, block, less(k, *e, part->length));
}

static void load_part(Sort *st, MgKBlock *block, const Part *part) {
    MgKernel *k = st->k;
    const MgKx *e, *base;
    MgKBlock *b = open_slots(st, block, part, &e, &base);
    const MgKx *position = named(k, b, "position", add(k, part->start, e));
    const MgKx *from = add(k, row_base(st, b, part->row), mul(k, position, st->stride));
    const MgKx *x = loaded(k, st->x, from, 1);
    x = converted(k, st->key, x);
    if (st->place != MG_I64)
        position = cast(k, st->place, position);
    put(st, b, &(Cells){part->keys, part->places, base}, (Element){x, position, e});
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
}

// Merges runs of 1, 2, 4, ... elements. The halves of local memory change roles.
static void sort_part(Sort *st, MgKBlock *block, const Part *part, int64_t doublings) {
    MgKernel *k = st->k;
    const MgKx *e, *base;
    Loop loop = each_of(k, block, "doubling", num(k, doublings));
    const MgKx *width = named(k, loop.body, "width", bin(k, MG_PRIM_SHL, num(k, 1), loop.at));
    const MgKx *side = times(k, both(k, loop.at, num(k, 1)), part->slots);
    side = named(k, loop.body, "side", side);
    MgKBlock *b = open_slots(st, loop.body, part, &e, &base);
    const MgKx *from = named(k, b, "from", add(k, base, side));
    const MgKx *to = add(k, base, sub(k, num(k, part->slots), side));
    Element x = merged(st, b, &(Cells){part->keys, part->places, from}, e, part->length, width);
    put(st, b, &(Cells){part->keys, part->places, named(k, b, "into", to)}, x);
    mg_kbarrier(k, loop.body, MG_BARRIER_GROUP);
}

// Sorts the parts of all rows into `out`, where a row has n elements; NULL: each part is a whole
// row.
static void sort_parts(Sort *st, const Cells *out) {
    MgKernel *k = st->k;
    int64_t doublings = 0;
    while ((int64_t)1 << doublings < st->run)
        doublings++;
    int64_t several = st->run < st->items ? st->items / st->run : 1;
    Part part = {.slots = several * st->run};
    const MgKx *e, *base, *group;
    part.keys = mg_gpu_local(k, "keys", mg_kt(st->key, 1), 2 * part.slots);
    part.places = mg_gpu_local(k, "places", mg_kt(st->place, 1), 2 * part.slots);
    const MgKx *parts = mg_kceil_div(k, st->n, st->run);
    MgKBlock *block = open_groups(st, mg_kceil_div(k, mul(k, st->rows, parts), several), &group);
    const MgKx *number = times(k, group, several);
    if (several > 1)
        number = add(k, number, over(k, st->me, st->run));
    number = named(k, block, "number", number);
    part.row = named(k, block, "row", out ? quotient(k, number, parts) : number);
    part.start = out ? times(k, remainder_of(k, number, parts), st->run) : num(k, 0);
    part.start = named(k, block, "start", part.start);
    const MgKx *left = least(k, sub(k, st->n, part.start), num(k, st->run));
    left = where(k, less(k, part.row, st->rows), left, num(k, 0));
    part.length = named(k, block, "length", left);
    load_part(st, block, &part);
    sort_part(st, block, &part, doublings);
    MgKBlock *b = open_slots(st, block, &part, &e, &base);
    const MgKx *at = plus(k, base, doublings % 2 * part.slots);
    at = named(k, b, "from", add(k, at, e));
    Element x = {loaded(k, part.keys, at, 1), loaded(k, part.places, at, 1), add(k, part.start, e)};
    if (out) {
        const MgKx *row = named(k, b, "to", mul(k, part.row, st->n));
        put(st, b, &(Cells){out->keys, out->places, row}, x);
    } else {
        put_result(st, b, part.row, x);
    }
    mg_kbarrier(k, block, MG_BARRIER_GROUP); // the next part uses the same memory
}

// ---------------------------------------------------------------- in the device's memory

// The number of doublings, at least one, until a run is a row.
static const MgKx *doublings_of(Sort *st, int64_t most) {
    MgKernel *k = st->k;
    const MgKx *n = num(k, 1);
    for (int64_t width = st->run * 2, i = 1; i < MOST_DOUBLINGS && width < most; i++, width *= 2)
        n = add(k, n, where(k, less(k, num(k, width), st->n), num(k, 1), num(k, 0)));
    return named(k, &k->body, "doublings", n);
}

// Merges runs after `number` doublings, from one half of `cells` into the other or, the last time,
// into the result.
static void merge_all(Sort *st, MgKBlock *block, const Cells *cells, const MgKx *number,
                      bool last) {
    MgKernel *k = st->k;
    const MgKx *all = mul(k, st->rows, st->n), *each = num(k, st->items);
    const MgKx *width = named(k, block, "width", bin(k, MG_PRIM_SHL, num(k, st->run), number));
    const MgKx *from = named(k, block, "side", mul(k, both(k, number, num(k, 1)), all));
    const MgKx *chunks = named(k, block, "chunks", mg_kceil_div(k, st->n, st->items));
    Loop loop = loop_of(k, block, MG_LOOP_GROUP, "g", num(k, 0), mul(k, st->rows, chunks), 1);
    MgKBlock *b = loop.body;
    const MgKx *row = named(k, b, "row", quotient(k, loop.at, chunks));
    const MgKx *e = mul(k, remainder_of(k, loop.at, chunks), each);
    e = named(k, b, "e", add(k, e, st->me));
    b = block_if(k, b, less(k, e, st->n));
    const MgKx *first = named(k, b, "first", mul(k, row, st->n));
    Cells in = *cells, out = *cells;
    in.base = named(k, b, "from", add(k, from, first));
    Element x = merged(st, b, &in, e, st->n, width);
    if (last) {
        put_result(st, b, row, x);
        return;
    }
    out.base = named(k, b, "into", add(k, sub(k, all, from), first));
    put(st, b, &out, x);
}

static void sort_long(Sort *st, int64_t most) {
    MgKernel *k = st->k;
    MgIx both = mg_ix_mul(st->kb->s->ix, st->elements, mg_ix_const(st->kb->s->ix, 2));
    Cells cells = {.base = num(k, 0)};
    cells.keys = mg_kb_common(st->kb, "key", st->key, both);
    cells.places = mg_kb_common(st->kb, "place", st->place, both);
    sort_parts(st, &cells);
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    const MgKx *last = named(k, &k->body, "last", minus(k, doublings_of(st, most), 1));
    const MgKx *chunks = mg_kceil_div(k, st->n, st->items);
    k->groups = greatest(k, k->groups, mul(k, st->rows, chunks));
    Loop loop = each_of(k, &k->body, "doubling", last);
    merge_all(st, loop.body, &cells, loop.at, false);
    mg_kbarrier(k, loop.body, MG_BARRIER_GRID);
    merge_all(st, &k->body, &cells, last, true);
}

void mg_gpu_sort(MgKb *kb, const MgGpuSort *sort) {
    MgSched *s = kb->s;
    MgIxTable *t = s->ix;
    MgIx rows = mg_ix_mul(t, sort->outer, sort->inner);
    int64_t least, most;
    mg_ix_interval(t, mg_bound_of(s, sort->n), NULL, &least, &most);
    Sort st = {.kb = kb,
               .k = kb->k,
               .x = sort->x,
               .result = sort->result,
               .sorted = sort->sorted,
               .sorts = sort->sorts,
               .key = mg_dtype(sort->dtype)->compute,
               .place = most <= INT32_MAX ? MG_I32 : MG_I64,
               .descending = sort->descending,
               .n = mg_kb_ix(kb, sort->n, NULL),
               .rows = mg_kb_ix(kb, rows, NULL),
               .stride = mg_kb_ix(kb, sort->inner, NULL),
               .elements = mg_ix_mul(t, rows, sort->n),
               .run = 1,
               .items = 1,
               .me = mg_kspecial(kb->k, MG_KX_LOCAL_ID)};
    while (st.items < MG_GPU_SORT_ITEMS && 2 * st.items <= s->options->target.max_items)
        st.items *= 2;
    while (st.run < LONGEST_RUN && st.run < most)
        st.run *= 2;
    if (most <= st.run)
        sort_parts(&st, NULL);
    else
        sort_long(&st, most);
}
