// Long reductions on workers, in parts: the sum of a large tensor, the extreme of each of four long
// rows, the softmax's maximum and sum of a row that no cache holds.
//
// A bound index is split into parts. Each part computes an element of a monoid (monoid.h), and
// after a barrier those of a row are combined in order. The number of parts depends on the sizes
// alone, so any number of workers gives the same bits. If the length is open, and may be 0, all
// parts have one length.
//
// If two equations are reduced together, a part stays in a near cache: it is read from memory for
// the first one and from the cache for the second, relative to a shift of its own. The other
// equations of the group, which have a value for each row, are computed after the parts are
// combined.
#include "passes/schedule/group/monoid.h"
#include "passes/schedule/group/nest.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

enum { PART = MG_GROUP_LOOPS - 1 };

typedef struct Parts {
    MgGroup *gr;
    MgTogether form;
    const MgGroupNest *lead, *second; // second: NULL if there is none
    uint32_t cut;                     // the index that is split
    bool open;                        // its length is open
    int64_t points;                   // of a row, unless the length is open
    int64_t inner;                    // points for each step of the split index
    int64_t rows;                     // INT64_MAX: any number
    int64_t length;                   // of a part, in steps of the split index
    MgIx number;                      // of parts
    int vector;                       // the index along the lanes
    uint32_t lanes;
    MgKType type;
    MgKBufId first, beside; // of each part: the leader; the value that accompanies it
} Parts;

// ---------------------------------------------------------------- recognising it
static MgIx extent_of(const Parts *t, uint32_t i) {
    return mg_index_extent(t->gr->s->ix, &t->lead->piece->indices[i]);
}

// 0: the extent is open.
static int64_t extent(const Parts *t, uint32_t i) {
    return mg_ix_const_or(t->gr->s->ix, extent_of(t, i), 0);
}

// Counts rows and their points. False if one of several bound lengths is open, or one is empty.
static bool count(Parts *t) {
    const MgPiece *p = t->lead->piece;
    MgIxTable *ix = t->gr->s->ix;
    int64_t n;
    t->rows = t->points = 1;
    for (uint32_t i = 0; i < p->n_indices; i++) {
        bool known = mg_ix_is_const(ix, extent_of(t, i), &n);
        if (known && n < 1)
            return false;
        if (i < p->n_free) {
            if (!known || __builtin_mul_overflow(t->rows, n, &t->rows))
                t->rows = INT64_MAX;
        } else if (!known) {
            if (t->open || mg_ix_mentions_index(ix, extent_of(t, i)))
                return false;
            t->open = true;
            t->cut = i;
        } else if (__builtin_mul_overflow(t->points, n, &t->points)) {
            return false;
        }
    }
    return true;
}

// Keeps an open index. Otherwise it takes the outermost bound index (for near parts, the outermost
// one of several positions) if a step of it is near; otherwise the outermost index that is long
// enough for all parts, or the longest.
static void choose_cut(Parts *t, int64_t near) {
    const MgPiece *p = t->lead->piece;
    if (t->open)
        return;
    t->cut = p->n_free;
    while (near && t->cut + 1 < p->n_indices && extent(t, t->cut) == 1)
        t->cut++;
    int64_t behind = 1;
    for (uint32_t i = t->cut + 1; i < p->n_indices; i++)
        behind *= extent(t, i);
    if (behind <= near)
        return;
    for (uint32_t i = t->cut + 1; i < p->n_indices; i++)
        if (extent(t, t->cut) < mg_figure(t->gr->s, parts) && extent(t, i) > extent(t, t->cut))
            t->cut = i;
}

static int64_t inner_of(const Parts *t) {
    return t->open ? t->points : t->points / extent(t, t->cut);
}

// Can `lead` be split, with t->second or alone?
static bool can_be_cut(Parts *t) {
    MgGroup *gr = t->gr;
    const MgScheduleOptions *o = gr->s->options;
    const MgPiece *p = t->lead->piece;
    return o->level >= 2 && !gr->s->walk && !gr->rows && mg_piece_reduces(p) &&
           p->n_indices < PART && gr->depth == p->n_free &&
           (mg_monoid(t->form.monoid)->order != MG_ORDER_SUM || !o->strict ||
            !mg_is_float(p->expr->dtype)) &&
           count(t) &&
           (t->second ? t->form.shift[0]->kind != MG_SX_CONST
                      : mg_group_folds(p->reducer) || mg_group_places(gr, p));
}

// The number of elements of a part that is read twice.
static int64_t near_elements(const Parts *t) {
    return mg_figure(t->gr->s, part_bytes) / (int64_t)mg_dtype_size(t->lead->piece->expr->dtype);
}

// Is it long? Sets the index at which it is split.
static bool is_long(Parts *t) {
    const MgSched *s = t->gr->s;
    int64_t near = t->second ? near_elements(t) : 0;
    bool few = t->rows < mg_figure(s, part_rows), many = t->points >= mg_figure(s, parts_points);
    choose_cut(t, near);
    t->inner = inner_of(t);
    if (t->second)
        return (t->open ? few : many) && t->inner <= near;
    return few && (t->open ? t->points <= mg_figure(s, part_points) : many);
}

static bool is_alone(Parts *t, const MgGroupNest *n) {
    *t = (Parts){.gr = t->gr, .lead = n};
    t->form.monoid = mg_reducer(n->piece->reducer)->monoid;
    return can_be_cut(t);
}

static void *find(MgGroup *gr) {
    MgTogether form;
    Parts t = {.gr = gr};
    bool found = true;
    if (mg_monoid_find(gr, &form)) {
        t = (Parts){.gr = gr, .form = form, .lead = gr->nests};
        t.second = &gr->nests[form.second];
        found = can_be_cut(&t);
    } else {
        for (uint32_t i = 1; i < gr->n_nests && found; i++)
            found = gr->nests[i].piece->n_indices == gr->depth;
        found = found && is_alone(&t, gr->nests);
    }
    return found ? mg_arena_copy(gr->s->arena, &t, 1, sizeof t) : NULL;
}

bool mg_group_parts_apart(MgGroup *gr) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        Parts t = {.gr = gr};
        n += is_alone(&t, &gr->nests[i]) && is_long(&t);
    }
    return n > 1;
}

// ---------------------------------------------------------------- length of a part
// All parts but the last consist of whole vectors.
static void choose_length(Parts *t) {
    int64_t unit = (int)t->cut == t->vector ? t->lanes : 1;
    if (t->second) {
        t->length = near_elements(t) / t->inner;
        t->length = t->length > unit ? t->length / unit * unit : t->length;
    } else if (t->open) {
        t->length = mg_round_up(mg_figure(t->gr->s, part_points) / t->inner, unit);
    } else {
        t->length = mg_round_up(mg_ceil_div(extent(t, t->cut), mg_figure(t->gr->s, parts)), unit);
    }
}

static void count_parts(Parts *t) {
    MgIxTable *ix = t->gr->s->ix;
    t->number = mg_ix_max(ix, extent_of(t, t->cut), mg_ix_const(ix, 0));
    t->number = mg_ix_ceil_div(ix, t->number, mg_ix_const(ix, t->length));
}

// ---------------------------------------------------------------- parts
// The current part has a number, from 0.
static void set_part(Parts *t, const MgKx *number) {
    t->gr->loop[PART] = number;
    t->gr->low[PART] = mg_ix_const(t->gr->s->ix, 0);
    t->gr->high[PART] = t->number;
}

// Opens loops over rows, and in them a loop over parts, which is shared out. Returns the position
// at which the part is kept.
static const MgKx *open_all_parts(Parts *t, MgKBlock **block) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    MgIxTable *ix = gr->s->ix;
    MgIx row = mg_ix_const(ix, 0);
    for (uint32_t i = 0; i < gr->depth; i++) {
        mg_group_open(gr, block, i, MG_LOOP_SERIAL);
        row = mg_ix_add(ix, mg_ix_mul(ix, row, extent_of(t, i)),
                        mg_ix_sub(ix, mg_ix_idx(ix, i), gr->low[i]));
    }
    const MgKx *number = mg_kb_ix(&gr->kb, t->number, gr->loop);
    Loop loop = share_out(k, *block, "part", number);
    *block = loop.body;
    set_part(t, loop.at);
    MgIx at = mg_ix_add(ix, mg_ix_mul(ix, row, t->number), mg_ix_idx(ix, PART));
    return named(k, *block, "at", mg_kb_ix(&gr->kb, at, gr->loop));
}

// Opens one loop over all rows, shared out; returns the row's number.
static const MgKx *open_rows(Parts *t, MgKBlock **block) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    MgKDigit digits[MG_GROUP_LOOPS];
    const MgKx *all = num(k, 1);
    for (uint32_t i = 0; i < gr->depth; i++) {
        digits[i] = (MgKDigit){i, mg_kb_ix(&gr->kb, gr->low[i], gr->loop),
                               mg_kb_ix(&gr->kb, extent_of(t, i), gr->loop)};
        all = mul(k, all, digits[i].size);
    }
    Loop loop = share_out(k, *block, "row", all);
    *block = loop.body;
    mg_kb_digits(&gr->kb, *block, digits, gr->depth, loop.at, gr->loop);
    return loop.at;
}

// The split index runs over the current part of the nest's range.
static void enter_part(Parts *t, const MgGroupNest *n) {
    MgGroup *gr = t->gr;
    MgIxTable *ix = gr->s->ix;
    mg_group_enter(gr, n);
    MgIx first = mg_ix_mul(ix, mg_ix_idx(ix, PART), mg_ix_const(ix, t->length));
    MgIx left = mg_ix_sub(ix, mg_group_extent(gr, t->cut), first);
    gr->with[t->cut] = mg_ix_add(ix, mg_ix_add(ix, gr->low[t->cut], first), mg_ix_idx(ix, t->cut));
    gr->low[t->cut] = mg_ix_const(ix, 0);
    gr->high[t->cut] = mg_ix_const(ix, t->length);
    if (extent(t, t->cut) == 0 || extent(t, t->cut) % t->length)
        gr->high[t->cut] = mg_ix_min(ix, gr->high[t->cut], left);
}

// The points of the current part; NULL if they are not used.
static const MgKx *points(Parts *t, MgKBlock *b) {
    MgGroup *gr = t->gr;
    MgIxTable *ix = gr->s->ix;
    if (!mg_monoid_counts(t->form.monoid))
        return NULL;
    enter_part(t, t->lead);
    MgIx n = mg_ix_mul(ix, gr->high[t->cut], mg_ix_const(ix, t->inner));
    mg_group_enter(gr, t->lead);
    return named(gr->kb.k, b, "n", cast(gr->kb.k, t->type.dtype, mg_kb_ix(&gr->kb, n, gr->loop)));
}

static MgPartial reduce(Parts *t, const MgGroupNest *n, MgKBlock *block) {
    enter_part(t, n);
    MgPartial all = mg_group_reduce(t->gr, n, block, t->vector, t->lanes, NULL);
    all.x = named(t->gr->kb.k, block, "first", all.x);
    return all;
}

static void reduce_parts(Parts *t) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    MgKBlock *block = &k->body;
    const MgKx *at = open_all_parts(t, &block);
    MgPartial part = reduce(t, t->lead, block);
    if (t->second) {
        const MgKx *n = points(t, block);
        const MgKx *about = mg_monoid_shift(k, block, t->form.monoid, part.x, n);
        for (uint32_t i = 0; i < 2 && t->form.shift[i]; i++)
            gr->given[gr->n_given++] = (MgGroupGiven){t->second, t->form.shift[i], about};
        part.at = reduce(t, t->second, block).x;
        gr->n_given = 0;
    }
    store(k, block, t->first, at, part.x);
    if (part.at)
        store(k, block, t->beside, at, part.at);
    mg_group_enter(gr, t->lead);
}

// ---------------------------------------------------------------- rows
static const MgKx *kept(Parts *t, MgKBlock *b, MgKBufId buf, const MgKx *at) {
    return named(t->gr->kb.k, b, "kept", loaded(t->gr->kb.k, buf, at, 1));
}

// Opens a loop over the parts of row `row`; returns the position at which the part is kept.
static const MgKx *open_parts(Parts *t, MgKBlock **block, const MgKx *row) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    const MgKx *number = mg_kb_ix(&gr->kb, t->number, gr->loop);
    Loop loop = each_of(k, *block, "part", number);
    *block = loop.body;
    set_part(t, loop.at);
    return named(k, *block, "at", add(k, mul(k, row, number), gr->loop[PART]));
}

// Combines the leaders of all parts, or the extremes with their positions.
static MgPartial join_leaders(Parts *t, MgKBlock *block, const MgKx *row) {
    MgKernel *k = t->gr->kb.k;
    MgPartial all = mg_monoid_identity(k, t->form.monoid, t->type, MG_I32);
    bool places = mg_monoid(t->form.monoid)->beside == MG_BESIDE_PLACE;
    MgKBufId acc = mg_kb_held(&t->gr->kb, block, "acc", all.x);
    MgKBufId where = places ? mg_kb_held(&t->gr->kb, block, "at", all.at) : 0;
    MgKBlock *b = block;
    const MgKx *at = open_parts(t, &b, row);
    MgPartial old = {held(k, acc), NULL}, next = {kept(t, b, t->first, at), NULL};
    if (places) {
        old = (MgPartial){named(k, b, "most", old.x), held(k, where)};
        next.at = kept(t, b, t->beside, at);
        next = mg_monoid_better(k, b, t->form.monoid, old, next, true, NULL);
        set_held(k, b, where, next.at);
    } else {
        next.x = mg_reduce_step(k, t->lead->piece->reducer, old.x, next.x);
    }
    set_held(k, b, acc, next.x);
    all.x = named(k, block, "all", held(k, acc));
    if (places)
        all.at = named(k, block, "at", held(k, where));
    return all;
}

// Combines the sums that accompany them, converted to the definition's shift.
static const MgKx *join_sums(Parts *t, MgKBlock *block, const MgKx *row) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    mg_group_enter(gr, t->second);
    MgPoint p = mg_group_point(gr, t->second, block, -1, 1, NULL);
    const MgKx *shift = named(k, block, "shift", mg_point_expr(&p, t->form.shift[0]));
    MgKBufId acc = mg_kb_held(&gr->kb, block, "acc", mg_kfloat(k, t->type, 0));
    MgKBlock *b = block;
    const MgKx *at = open_parts(t, &b, row), *x = kept(t, b, t->first, at);
    const MgKx *sum = mg_monoid_moved(k, b, t->form.monoid, kept(t, b, t->beside, at), x,
                                      points(t, b), shift, false);
    set_held(k, b, acc, add(k, held(k, acc), sum));
    return named(k, block, "all", held(k, acc));
}

static void finish(Parts *t, const MgGroupNest *n, MgKBlock *block, MgPartial all) {
    MgGroup *gr = t->gr;
    mg_group_enter(gr, n);
    MgPoint p = mg_group_point(gr, n, block, -1, 1, NULL);
    mg_group_settle(gr, n, &p, mg_group_reduced(gr, n, block, all), true);
}

static void join_rows(Parts *t) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    MgKBlock *block = &k->body;
    const MgKx *row = open_rows(t, &block);
    uint32_t sources = gr->kb.sources.len;
    finish(t, t->lead, block, join_leaders(t, block, row));
    for (uint32_t i = 1; i < gr->n_nests; i++)
        if (&gr->nests[i] == t->second)
            finish(t, t->second, block, (MgPartial){join_sums(t, block, row), NULL});
        else
            mg_group_emit(gr, &gr->nests[i], block, -1, 1, NULL, true);
    mg_kb_forget(&gr->kb, sources);
}

static void make(void *found) {
    Parts *t = found;
    MgBeside beside = mg_monoid(t->form.monoid)->beside;
    count_parts(t);
    t->type = mg_kt(mg_group_accumulator(t->gr->s->options, t->lead->piece), 1);
    t->first = mg_group_place(t->gr, "parts", t->type.dtype, t->number);
    if (beside)
        t->beside = beside == MG_BESIDE_PLACE
                        ? mg_group_place(t->gr, "places", MG_I32, t->number)
                        : mg_group_place(t->gr, "others", t->type.dtype, t->number);
    reduce_parts(t);
    mg_kbarrier(t->gr->kb.k, &t->gr->kb.k->body, MG_BARRIER_GRID);
    join_rows(t);
    if (t->second) // otherwise a part is read from end to end, as the CPU expects
        mg_kb_stream(&t->gr->kb);
}

// ---------------------------------------------------------------- the plan

// The index along the lanes; false if positions need one and there is none.
static bool find_lanes(Parts *t) {
    MgGroup *gr = t->gr;
    mg_group_enter(gr, t->lead);
    t->lanes = mg_group_lanes(gr, t->lead, 1);
    t->vector = mg_group_vector(gr, t->lead, 1, gr->depth, gr->depth, t->lanes, NULL);
    return t->vector >= 0 || mg_monoid(t->form.monoid)->beside != MG_BESIDE_PLACE;
}

static bool choose(void *found) {
    Parts *t = found;
    if (!is_long(t) || !find_lanes(t))
        return false;
    t->lanes = mg_group_widen(t->gr, t->lead, 1, t->vector, t->lanes);
    choose_length(t);
    return true;
}

static void add_reduction(const Parts *t, MgLine *outer, const MgNestScope *scope, uint32_t op) {
    MgArena *arena = t->gr->s->arena;
    int64_t n = t->vector < 0 ? 1 : extent(t, (uint32_t)t->vector);
    if (t->vector == (int)t->cut)
        n = n == 0 || n % t->length ? -1 : t->length;
    if (t->vector >= 0) {
        uint32_t one = mg_group_lanes(t->gr, t->lead, 1);
        one = one < t->lanes ? one : t->lanes;
        outer = mg_nest_add_lanes(arena, outer, mg_nest_index(scope, 0, (uint32_t)t->vector),
                                  t->lanes / one, one, n);
    }
    mg_nest_add_numbers(arena, outer, MG_LINE_DO, op, 1);
}

static void nest_of(void *found, MgNest *nest, MgNestScope *scope) {
    const Parts *t = found;
    MgArena *arena = t->gr->s->arena;
    uint32_t cut = mg_nest_index(scope, 0, t->cut), n = t->second ? t->form.second : 0;
    MgLine *part = mg_nest_add_grid(arena, &nest->root, scope, 0, (MgWalk){0}, false);
    part = mg_nest_add_blocks(arena, part, cut, t->length);
    part->level = MG_LEVEL_CORE;
    add_reduction(t, part, scope, 0);
    if (t->second)
        add_reduction(t, part, scope, n);
    MgLine *join = mg_nest_add_numbers(arena, &nest->root, MG_LINE_JOIN, 0, t->second ? 2 : 1);
    if (t->second)
        join->numbers[1] = n;
    join->index = cut;
    join->monoid = t->second ? t->form.monoid + 1 : 0;
    join->space = MG_NEST_SPACE_COMMON;
    MgLine *rows = NULL;
    for (uint32_t i = 1; i < t->gr->n_nests; i++)
        if (i != n) {
            rows = rows ? rows : mg_nest_add_grid(arena, &nest->root, scope, 0, (MgWalk){0}, true);
            mg_nest_add_numbers(arena, rows, MG_LINE_DO, i, 1);
        }
}

static bool read_length(Parts *t, const MgGivenNest *given) {
    enum { MOST = 1 << 16, LEAST_OPEN = 64 }; // parts; the least length of a part of an open range
    const MgPiece *p = t->lead->piece;
    MgNestFound part = {0};
    for (uint32_t i = p->n_free; i < p->n_indices && !part.walk; i++) {
        part = mg_nest_find_blocks(&given->nest->root, mg_nest_index(given->scope, 0, i));
        if (part.walk && t->open && i != t->cut)
            return mg_form_refuse(given, part.line, "the index of open size is cut into parts");
        t->cut = part.walk ? i : t->cut;
    }
    if (!part.walk)
        return mg_form_refuse(given, NULL, "no loop is over parts of what is joined");
    t->length = part.walk->by;
    t->inner = inner_of(t);
    int64_t n = extent(t, t->cut);
    return (n ? t->length < n && n / t->length < MOST
              : t->length >= LEAST_OPEN && t->length <= INT32_MAX) ||
           mg_form_refuse(given, part.line,
                          "there are 2 to %d parts; those of an open size have at least %d steps",
                          MOST, LEAST_OPEN);
}

static bool read_plan(void *found, const MgGivenNest *given) {
    Parts *t = found;
    MgSched *s = t->gr->s;
    MgNestFound lanes = mg_nest_find_digit(&given->nest->root, MG_LEVEL_LANE);
    bool fits = find_lanes(t);
    uint32_t most = t->lanes;
    if (!fits ||
        (lanes.walk && (t->vector < 0 ||
                        lanes.walk->index != mg_nest_index(given->scope, 0, (uint32_t)t->vector))))
        return mg_form_refuse(given, lanes.line, "lanes can't run along this index");
    if (!lanes.walk && mg_monoid(t->form.monoid)->beside == MG_BESIDE_PLACE)
        return mg_form_refuse(given, NULL, "an extreme that is joined with its place needs lanes");
    if (!lanes.walk)
        t->vector = -1;
    t->lanes = 1;
    if (lanes.walk) {
        int64_t several = mg_nest_digit(lanes.walk, MG_LEVEL_REG);
        if (!mg_form_read_lanes(given, lanes, most, &t->lanes))
            return false;
        uint32_t all = s->options->target.max_lanes ? s->options->target.max_lanes : 64;
        if (several > 1 && (t->lanes != most || several * most > all || several & (several - 1)))
            return mg_form_refuse(given, lanes.line,
                                  "several vectors are whole ones, a power of two of them, and at "
                                  "most %u lanes",
                                  all);
        t->lanes *= (uint32_t)several;
    }
    return read_length(t, given);
}

const MgForm mg_group_parts = {.nests = MG_NEST_PARTS,
                               .what = "a reduction in parts",
                               .find_in = find,
                               .choose = choose,
                               .read = read_plan,
                               .nest = nest_of,
                               .make = make};
