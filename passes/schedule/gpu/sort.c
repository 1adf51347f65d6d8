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
    MgKBufId x, result;
    MgDType key, place;
    bool descending;
    const MgKx *n, *rows, *stride; // of a row: elements, and the distance between two
    MgIx elements;                 // of all rows
    int64_t run;                   // elements of a row that a group sorts, a power of two
    int64_t items;                 // of a group
    const MgKx *me;
} Sort;

static const MgKx *let(Sort *st, MgKBlock *block, const char *name, const MgKx *x) {
    return mg_klet_x(st->k, block, name, x);
}

static const MgKx *at_zero(Sort *st, MgKBufId buf) {
    return mg_kload(st->k, buf, num(st->k, 0), 1, NULL, NULL);
}

static const MgKx *where(Sort *st, const MgKx *c, const MgKx *x, const MgKx *y) {
    return mg_kprim(st->k, MG_PRIM_WHERE, c, x, y);
}

// Is x strictly before y in the order? NaN comes last in either direction.
static const MgKx *before(Sort *st, const MgKx *x, const MgKx *y) {
    MgKernel *k = st->k;
    const MgKx *better = bin(k, st->descending ? MG_PRIM_GT : MG_PRIM_LT, x, y);
    if (!mg_is_float(st->key))
        return better;
    const MgKx *x_nan = mg_kprim(k, MG_PRIM_ISNAN, x, NULL, NULL),
               *y_nan = mg_kprim(k, MG_PRIM_ISNAN, y, NULL, NULL);
    const MgKx *x_is = mg_kprim(k, MG_PRIM_NOT, x_nan, NULL, NULL);
    return bin(k, MG_PRIM_OR, better, bin(k, MG_PRIM_AND, x_is, y_nan));
}

// The first element of a row.
static const MgKx *row_base(Sort *st, MgKBlock *block, const MgKx *row) {
    MgKernel *k = st->k;
    const MgKx *outer = bin(k, MG_PRIM_FDIV, row, st->stride),
               *inner = bin(k, MG_PRIM_FMOD, row, st->stride);
    const MgKx *rows = mg_kmul(k, mg_kmul(k, outer, st->n), st->stride);
    return let(st, block, "base", add(k, rows, inner));
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
    mg_kstore(k, block, count, zero, zero, NULL);
    mg_kstore(k, block, step, zero, width, NULL);
    MgKs *loop = mg_kwhile(k, block, bin(k, MG_PRIM_GT, at_zero(st, step), zero));
    const MgKx *by = let(st, &loop->body, "by", at_zero(st, step));
    const MgKx *next = let(st, &loop->body, "next", add(k, at_zero(st, count), by));
    MgKBlock *in_run = &mg_kif(k, &loop->body, bin(k, MG_PRIM_LE, next, most))->body;
    const MgKx *last = add(k, first, bin(k, MG_PRIM_SUB, next, one));
    const MgKx *y =
        let(st, in_run, "y", mg_kload(k, in->keys, add(k, in->base, last), 1, NULL, NULL));
    // Elements before x: y < x, or, if y is left of it, y <= x, which is not x < y.
    const MgKx *less = before(st, where(st, right, x, y), where(st, right, y, x));
    MgKBlock *found = &mg_kif(k, in_run, bin(k, MG_PRIM_NE, less, right))->body;
    mg_kstore(k, found, count, zero, next, NULL);
    mg_kstore(k, &loop->body, step, zero, bin(k, MG_PRIM_SHR, by, one), NULL);
    return let(st, block, "count", at_zero(st, count));
}

typedef struct Element {
    const MgKx *key, *place, *to; // to: its number in the merged runs
} Element;

// Merges: finds the place of element e of n, if pairs of neighbouring runs of `width` become one.
static Element merged(Sort *st, MgKBlock *block, const Cells *in, const MgKx *e, const MgKx *n,
                      const MgKx *width) {
    MgKernel *k = st->k;
    const MgKx *zero = num(k, 0), *at = let(st, block, "at", add(k, in->base, e));
    const MgKx *key = let(st, block, "key", mg_kload(k, in->keys, at, 1, NULL, NULL));
    const MgKx *place = let(st, block, "place", mg_kload(k, in->places, at, 1, NULL, NULL));
    const MgKx *right =
        let(st, block, "right", bin(k, MG_PRIM_NE, bin(k, MG_PRIM_AND, e, width), zero));
    const MgKx *own = bin(k, MG_PRIM_AND, e, bin(k, MG_PRIM_SUB, width, num(k, 1)));
    own = let(st, block, "own", own);
    const MgKx *low = let(st, block, "low", bin(k, MG_PRIM_SUB, e, own)); // of its run
    const MgKx *other =
        add(k, low, where(st, right, mg_kprim(k, MG_PRIM_NEG, width, NULL, NULL), width));
    other = let(st, block, "other", other);
    const MgKx *most = bin(k, MG_PRIM_MIN, width, bin(k, MG_PRIM_SUB, n, other));
    most = let(st, block, "most", most); // below 0 if there is no other run
    const MgKx *count = search(st, block, in, key, right, other, most, width);
    const MgKx *to = add(k, bin(k, MG_PRIM_MIN, low, other), add(k, own, count));
    return (Element){key, place, let(st, block, "to", to)};
}

static void put(Sort *st, MgKBlock *block, const Cells *out, Element x) {
    const MgKx *at = let(st, block, "at", add(st->k, out->base, x.to));
    mg_kstore(st->k, block, out->keys, at, x.key, NULL);
    mg_kstore(st->k, block, out->places, at, x.place, NULL);
}

static void put_result(Sort *st, MgKBlock *block, const MgKx *row, Element x) {
    const MgKx *base = row_base(st, block, row);
    const MgKx *at = add(st->k, base, mg_kmul(st->k, x.to, st->stride));
    const MgKx *place = x.place;
    if (place->type.dtype != MG_I64)
        place = mg_kcast(st->k, MG_PRIM_CAST, MG_I64, place);
    mg_kstore(st->k, block, st->result, at, place, NULL);
}

// ---------------------------------------------------------------- in local memory

static MgKBlock *open_groups(Sort *st, const MgKx *groups, const MgKx **number) {
    MgKernel *k = st->k;
    k->items = (uint32_t)st->items;
    k->groups = k->groups ? bin(k, MG_PRIM_MAX, k->groups, groups) : groups;
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_GROUP, "g", num(k, 0), groups, 1);
    *number = mg_kvar(k, loop->var);
    return &loop->body;
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
    MgKs *rounds =
        mg_kfor(k, block, MG_LOOP_SERIAL, "v", num(k, 0), num(k, part->slots), st->items);
    block = &rounds->body;
    const MgKx *slot = let(st, block, "slot", add(k, mg_kvar(k, rounds->var), st->me));
    *e = let(st, block, "e", bin(k, MG_PRIM_AND, slot, num(k, st->run - 1)));
    *base = let(st, block, "part", bin(k, MG_PRIM_SUB, slot, *e));
    return &mg_kif(k, block, bin(k, MG_PRIM_LT, *e, part->length))->body;
}

static void load_part(Sort *st, MgKBlock *block, const Part *part) {
    MgKernel *k = st->k;
    const MgKx *e, *base;
    MgKBlock *b = open_slots(st, block, part, &e, &base);
    const MgKx *position = let(st, b, "position", add(k, part->start, e));
    const MgKx *from = add(k, row_base(st, b, part->row), mg_kmul(k, position, st->stride));
    const MgKx *x = mg_kload(k, st->x, from, 1, NULL, NULL);
    if (x->type.dtype != st->key)
        x = mg_kcast(k, MG_PRIM_CAST, st->key, x);
    if (st->place != MG_I64)
        position = mg_kcast(k, MG_PRIM_CAST, st->place, position);
    put(st, b, &(Cells){part->keys, part->places, base}, (Element){x, position, e});
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
}

// Merges runs of 1, 2, 4, ... elements. The halves of local memory change roles.
static void sort_part(Sort *st, MgKBlock *block, const Part *part, int64_t doublings) {
    MgKernel *k = st->k;
    const MgKx *e, *base;
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "doubling", num(k, 0), num(k, doublings), 1);
    const MgKx *number = mg_kvar(k, loop->var);
    const MgKx *width = let(st, &loop->body, "width", bin(k, MG_PRIM_SHL, num(k, 1), number));
    const MgKx *side = times(k, bin(k, MG_PRIM_AND, number, num(k, 1)), part->slots);
    side = let(st, &loop->body, "side", side);
    MgKBlock *b = open_slots(st, &loop->body, part, &e, &base);
    const MgKx *from = let(st, b, "from", add(k, base, side));
    const MgKx *to = add(k, base, bin(k, MG_PRIM_SUB, num(k, part->slots), side));
    Element x = merged(st, b, &(Cells){part->keys, part->places, from}, e, part->length, width);
    put(st, b, &(Cells){part->keys, part->places, let(st, b, "into", to)}, x);
    mg_kbarrier(k, &loop->body, MG_BARRIER_GROUP);
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
    const MgKx *size = num(k, 2 * part.slots), *e, *base, *group;
    part.keys = mg_kalloc(k, "keys", mg_kt(st->key, 1), MG_SPACE_SHARED, MG_SCOPE_GROUP, size);
    part.places =
        mg_kalloc(k, "places", mg_kt(st->place, 1), MG_SPACE_SHARED, MG_SCOPE_GROUP, size);
    const MgKx *parts = mg_kceil_div(k, st->n, st->run);
    MgKBlock *block =
        open_groups(st, mg_kceil_div(k, mg_kmul(k, st->rows, parts), several), &group);
    const MgKx *number = times(k, group, several);
    if (several > 1)
        number = add(k, number, bin(k, MG_PRIM_FDIV, st->me, num(k, st->run)));
    number = let(st, block, "number", number);
    part.row = let(st, block, "row", out ? bin(k, MG_PRIM_FDIV, number, parts) : number);
    part.start = out ? times(k, bin(k, MG_PRIM_FMOD, number, parts), st->run) : num(k, 0);
    part.start = let(st, block, "start", part.start);
    const MgKx *left = bin(k, MG_PRIM_MIN, bin(k, MG_PRIM_SUB, st->n, part.start), num(k, st->run));
    left = where(st, bin(k, MG_PRIM_LT, part.row, st->rows), left, num(k, 0));
    part.length = let(st, block, "length", left);
    load_part(st, block, &part);
    sort_part(st, block, &part, doublings);
    MgKBlock *b = open_slots(st, block, &part, &e, &base);
    const MgKx *at = add(k, base, num(k, doublings % 2 * part.slots));
    at = let(st, b, "from", add(k, at, e));
    Element x = {mg_kload(k, part.keys, at, 1, NULL, NULL),
                 mg_kload(k, part.places, at, 1, NULL, NULL), add(k, part.start, e)};
    if (out) {
        const MgKx *row = let(st, b, "to", mg_kmul(k, part.row, st->n));
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
        n = add(k, n, where(st, bin(k, MG_PRIM_LT, num(k, width), st->n), num(k, 1), num(k, 0)));
    return let(st, &k->body, "doublings", n);
}

// Merges runs after `number` doublings, from one half of `cells` into the other or, the last time,
// into the result.
static void merge_all(Sort *st, MgKBlock *block, const Cells *cells, const MgKx *number,
                      bool last) {
    MgKernel *k = st->k;
    const MgKx *all = mg_kmul(k, st->rows, st->n), *each = num(k, st->items);
    const MgKx *width = let(st, block, "width", bin(k, MG_PRIM_SHL, num(k, st->run), number));
    const MgKx *from = mg_kmul(k, bin(k, MG_PRIM_AND, number, num(k, 1)), all);
    from = let(st, block, "side", from);
    const MgKx *chunks = let(st, block, "chunks", mg_kceil_div(k, st->n, st->items));
    MgKs *loop = mg_kfor(k, block, MG_LOOP_GROUP, "g", num(k, 0), mg_kmul(k, st->rows, chunks), 1);
    MgKBlock *b = &loop->body;
    const MgKx *group = mg_kvar(k, loop->var);
    const MgKx *row = let(st, b, "row", bin(k, MG_PRIM_FDIV, group, chunks));
    const MgKx *e = mg_kmul(k, bin(k, MG_PRIM_FMOD, group, chunks), each);
    e = let(st, b, "e", add(k, e, st->me));
    b = &mg_kif(k, b, bin(k, MG_PRIM_LT, e, st->n))->body;
    const MgKx *first = let(st, b, "first", mg_kmul(k, row, st->n));
    Cells in = *cells, out = *cells;
    in.base = let(st, b, "from", add(k, from, first));
    Element x = merged(st, b, &in, e, st->n, width);
    if (last) {
        put_result(st, b, row, x);
        return;
    }
    out.base = let(st, b, "into", add(k, bin(k, MG_PRIM_SUB, all, from), first));
    put(st, b, &out, x);
}

static void sort_long(Sort *st, int64_t most) {
    MgKernel *k = st->k;
    const MgKx *base;
    MgIx both = mg_ix_mul(st->kb->s->ix, st->elements, mg_ix_const(st->kb->s->ix, 2));
    Cells cells = {.base = num(k, 0)};
    cells.keys = mg_kb_scratch(st->kb, "key", st->key, both, MG_SCOPE_CALL, &base);
    cells.places = mg_kb_scratch(st->kb, "place", st->place, both, MG_SCOPE_CALL, &base);
    sort_parts(st, &cells);
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    const MgKx *last = bin(k, MG_PRIM_SUB, doublings_of(st, most), num(k, 1));
    last = let(st, &k->body, "last", last);
    const MgKx *chunks = mg_kceil_div(k, st->n, st->items);
    k->groups = bin(k, MG_PRIM_MAX, k->groups, mg_kmul(k, st->rows, chunks));
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "doubling", num(k, 0), last, 1);
    merge_all(st, &loop->body, &cells, mg_kvar(k, loop->var), false);
    mg_kbarrier(k, &loop->body, MG_BARRIER_GRID);
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
