// Two reductions of long rows in one reading (joint.h), for workers.
//
// A row is cut into parts that stay in a near cache: each is read from memory for the first
// reduction and from the cache for the second, about a shift of its own, while the next part is
// asked for. After a barrier the parts of each row are put together in their order. How many there
// are depends on the sizes alone, so any number of workers gives the same bits. How long a row is
// may be open where there are few rows: of many short ones a worker would rather have some each.
#include "passes/schedule/joint.h"
#include "passes/schedule/words.h"

#include <math.h>

enum { LEAST_POINTS = 1 << 16, FEW = 8, PART_BYTES = 8 << 10, PART = MG_GROUP_LOOPS - 1 };

typedef struct Parts {
    MgGroup *gr;
    MgJoint form;
    const MgGroupNest *lead, *follow;
    uint32_t cut;        // the outermost bound index that is longer than 1
    MgIx extent, number; // of it; of parts
    int64_t length;      // of a part, along it
    int64_t inner;       // points for each step of it
    MgKType type;
    MgKBufId first, second; // of each part: the largest or the sum; the sum or the squares
} Parts;

// ---------------------------------------------------------------- is it one?
static MgIx extent_of(const Parts *t, uint32_t i) {
    const MgIndex *index = &t->lead->piece->indices[i];
    return mg_ix_sub(t->gr->s->ix, index->high, index->low);
}

static bool find(Parts *t) {
    MgGroup *gr = t->gr;
    const MgScheduleOptions *o = gr->s->options;
    if (o->level < 2 || o->strict || o->target.gpu || gr->s->walk || gr->rows || gr->n_nests < 2 ||
        !mg_joint_find(gr, &t->form))
        return false;
    t->lead = &gr->nests[0];
    t->follow = &gr->nests[t->form.follower];
    const MgPiece *p = t->lead->piece;
    if (p->n_free != gr->depth || p->n_indices >= PART || t->form.shift[0]->kind == MG_SX_CONST)
        return false;
    MgIxTable *ix = gr->s->ix;
    int64_t rows = 1, points = t->inner = 1, n;
    bool open = false;
    for (uint32_t i = 0; i < p->n_free; i++)
        if (!mg_ix_is_const(ix, extent_of(t, i), &n) || __builtin_mul_overflow(rows, n, &rows))
            rows = INT64_MAX;
    t->cut = p->n_indices;
    for (uint32_t i = p->n_free; i < p->n_indices; i++) {
        MgIx extent = extent_of(t, i);
        bool known = mg_ix_is_const(ix, extent, &n);
        if (t->cut == p->n_indices && (!known || n > 1)) {
            t->cut = i;
            t->extent = extent;
            open = !known;
        } else if (!known ||
                   (t->cut < p->n_indices && __builtin_mul_overflow(t->inner, n, &t->inner)))
            return false;
        if (known && (n < 1 || __builtin_mul_overflow(points, n, &points)))
            return false;
    }
    if (t->cut == p->n_indices || mg_ix_mentions_index(ix, t->extent))
        return false;
    t->length = PART_BYTES / (int64_t)mg_dtype_size(p->expr->dtype) / t->inner;
    return (open ? rows < FEW : points >= LEAST_POINTS) && t->length > 0;
}

static bool exponential(const Parts *t) {
    return t->lead->piece->reducer == MG_REDUCE_MAX;
}

// ---------------------------------------------------------------- parts
// The cut index runs over the open part of the nest's range.
static void enter_part(Parts *t, const MgGroupNest *n) {
    MgGroup *gr = t->gr;
    MgIxTable *ix = gr->s->ix;
    mg_group_enter(gr, n);
    MgIx first = mg_ix_mul(ix, mg_ix_idx(ix, PART), mg_ix_const(ix, t->length));
    MgIx left = mg_ix_sub(ix, mg_ix_sub(ix, gr->high[t->cut], gr->low[t->cut]), first);
    gr->with[t->cut] = mg_ix_add(ix, mg_ix_add(ix, gr->low[t->cut], first), mg_ix_idx(ix, t->cut));
    gr->low[t->cut] = mg_ix_const(ix, 0);
    int64_t all = mg_group_const_or(ix, t->extent, 1);
    gr->high[t->cut] = mg_ix_const(ix, t->length);
    if (all % t->length)
        gr->high[t->cut] = mg_ix_min(ix, gr->high[t->cut], left);
}

static void open_part(Parts *t, const MgKs *loop) {
    t->gr->loop[PART] = mg_kvar(t->gr->kb.k, loop->var);
    t->gr->low[PART] = mg_ix_const(t->gr->s->ix, 0);
    t->gr->high[PART] = t->number;
}

// Points of the open part.
static const MgKx *points(Parts *t, MgKBlock *b) {
    MgGroup *gr = t->gr;
    MgIxTable *ix = gr->s->ix;
    enter_part(t, t->lead);
    MgIx n = mg_ix_mul(ix, gr->high[t->cut], mg_ix_const(ix, t->inner));
    mg_group_enter(gr, t->lead);
    return mg_klet_x(
        gr->kb.k, b, "n",
        mg_kcast(gr->kb.k, MG_PRIM_CAST, t->type.dtype, mg_kb_ix(&gr->kb, n, gr->loop)));
}

// Where the open part's sums are kept.
static const MgKx *place(Parts *t, MgKBlock *b) {
    MgGroup *gr = t->gr;
    MgIxTable *ix = gr->s->ix;
    MgIx row = mg_ix_const(ix, 0);
    for (uint32_t i = 0; i < gr->depth; i++)
        row = mg_ix_add(ix, mg_ix_mul(ix, row, mg_ix_sub(ix, gr->high[i], gr->low[i])),
                        mg_ix_sub(ix, mg_ix_idx(ix, i), gr->low[i]));
    MgIx at = mg_ix_add(ix, mg_ix_mul(ix, row, t->number), mg_ix_idx(ix, PART));
    return mg_klet_x(gr->kb.k, b, "at", mg_kb_ix(&gr->kb, at, gr->loop));
}

static void reduce_parts(Parts *t, int vector, uint32_t lanes) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    MgKBlock *block = &k->body;
    for (uint32_t i = 0; i < gr->depth; i++)
        mg_group_open(gr, &block, i, MG_LOOP_SERIAL);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_PARALLEL, "part", num(k, 0),
                         mg_kb_ix(&gr->kb, t->number, gr->loop), 1);
    open_part(t, loop);
    block = &loop->body;
    const MgKx *at = place(t, block), *n = exponential(t) ? NULL : points(t, block);
    enter_part(t, t->lead);
    const MgKx *first = mg_group_reduce(gr, t->lead, block, vector, lanes, NULL).x;
    first = mg_klet_x(k, block, "first", first);
    const MgKx *about = exponential(t) ? mg_joint_about(k, block, first)
                                       : mg_klet_x(k, block, "mean", mg_joint_average(k, first, n));
    enter_part(t, t->follow);
    for (uint32_t i = 0; i < 2 && t->form.shift[i]; i++)
        gr->given[gr->n_given++] = (MgGroupGiven){t->follow, t->form.shift[i], about};
    const MgKx *second = mg_group_reduce(gr, t->follow, block, vector, lanes, NULL).x;
    gr->n_given = 0;
    mg_kstore(k, block, t->first, at, first, NULL);
    mg_kstore(k, block, t->second, at, second, NULL);
    mg_group_enter(gr, t->lead);
}

// ---------------------------------------------------------------- rows
// All parts of the open row, in their order: what is kept of each goes to `acc` by `step`.
typedef const MgKx *Step(Parts *t, MgKBlock *b, const MgKx *acc, const MgKx *at, const MgKx *about);

static const MgKx *combine(Parts *t, MgKBlock *block, Step *step, const MgKx *begin,
                           const MgKx *about) {
    MgKernel *k = t->gr->kb.k;
    const MgKx *zero = num(k, 0);
    MgKBufId acc = mg_kb_private(&t->gr->kb, "acc", t->type, 1);
    mg_kstore(k, block, acc, zero, begin, NULL);
    const MgKx *parts = mg_kb_ix(&t->gr->kb, t->number, t->gr->loop);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "part", zero, parts, 1);
    open_part(t, loop);
    const MgKx *old = mg_kload(k, acc, zero, 1, NULL, NULL);
    mg_kstore(k, &loop->body, acc, zero, step(t, &loop->body, old, place(t, &loop->body), about),
              NULL);
    return mg_klet_x(k, block, "all", mg_kload(k, acc, zero, 1, NULL, NULL));
}

static const MgKx *kept(Parts *t, MgKBlock *b, MgKBufId buf, const MgKx *at) {
    return mg_klet_x(t->gr->kb.k, b, "kept", mg_kload(t->gr->kb.k, buf, at, 1, NULL, NULL));
}

static const MgKx *lead_step(Parts *t, MgKBlock *b, const MgKx *acc, const MgKx *at,
                             const MgKx *about) {
    (void)about;
    return mg_reduce_step(t->gr->kb.k, t->lead->piece->reducer, acc, kept(t, b, t->first, at));
}

static const MgKx *exp_step(Parts *t, MgKBlock *b, const MgKx *acc, const MgKx *at,
                            const MgKx *about) {
    MgKernel *k = t->gr->kb.k;
    const MgKx *scale = mg_joint_exp(k, kept(t, b, t->first, at), about);
    return add(k, acc, bin(k, MG_PRIM_MUL, kept(t, b, t->second, at), scale));
}

static const MgKx *squares_step(Parts *t, MgKBlock *b, const MgKx *acc, const MgKx *at,
                                const MgKx *about) {
    MgKernel *k = t->gr->kb.k;
    const MgKx *n = points(t, b);
    const MgKx *mean = mg_klet_x(k, b, "mean", mg_joint_average(k, kept(t, b, t->first, at), n));
    // Equal ones are not apart, infinite ones either: a sum that overflows gives what it gives
    // plainly.
    const MgKx *same = mg_klet_x(k, b, "same", bin(k, MG_PRIM_EQ, mean, about));
    const MgKx *zero = mg_kfloat(k, t->type, 0);
    mean = mg_kprim(k, MG_PRIM_WHERE, same, zero, mean);
    about = mg_kprim(k, MG_PRIM_WHERE, same, zero, about);
    return mg_joint_moved(k, add(k, acc, kept(t, b, t->second, at)), n, mean, about);
}

// The second sum of the open row, about the definition's shift.
static const MgKx *about_shift(Parts *t, MgKBlock *block, const MgKx *top) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    mg_group_enter(gr, t->follow);
    MgPoint p = mg_group_point(gr, t->follow, block, -1, 1, NULL);
    const MgKx *shift = mg_klet_x(k, block, "shift", mg_point_expr(&p, t->form.shift[0]));
    const MgKx *zero = mg_kfloat(k, t->type, 0);
    if (!exponential(t))
        return combine(t, block, squares_step, zero, shift);
    const MgKx *about = mg_joint_about(k, block, top);
    const MgKx *sum = combine(t, block, exp_step, zero, about);
    sum = bin(k, MG_PRIM_MUL, sum, mg_joint_exp(k, about, shift));
    int64_t n;
    if (mg_ix_is_const(gr->s->ix, t->number, &n))
        return sum;
    const MgKx *none = bin(k, MG_PRIM_EQ, mg_kb_ix(&gr->kb, t->number, gr->loop), num(k, 0));
    return mg_kprim(k, MG_PRIM_WHERE, none, zero, sum); // an empty row's maximum is -inf
}

static void finish(Parts *t, const MgGroupNest *n, MgKBlock *block, const MgKx *x) {
    MgGroup *gr = t->gr;
    mg_group_enter(gr, n);
    MgPartial all = {mg_klet_x(gr->kb.k, block, "x", x), NULL};
    MgPoint p = mg_group_point(gr, n, block, -1, 1, NULL);
    mg_group_settle(gr, n, &p, mg_group_reduced(gr, n, block, all), true);
}

static void finish_rows(Parts *t) {
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    MgKBlock *block = &k->body;
    if (!gr->depth)
        block = &mg_kfor(k, block, MG_LOOP_PARALLEL, "row", num(k, 0), num(k, 1), 1)->body;
    for (uint32_t i = 0; i < gr->depth; i++)
        mg_group_open(gr, &block, i, i ? MG_LOOP_SERIAL : MG_LOOP_PARALLEL);
    uint32_t sources = gr->kb.sources.len;
    const MgKx *begin = mg_reduce_identity(k, t->lead->piece->reducer, t->type);
    const MgKx *first = combine(t, block, lead_step, begin, NULL);
    finish(t, t->lead, block, first);
    for (uint32_t i = 1; i < gr->n_nests; i++)
        if (i == t->form.follower)
            finish(t, t->follow, block, about_shift(t, block, first));
        else
            mg_group_emit(gr, &gr->nests[i], block, -1, 1, NULL, true);
    mg_kb_forget(&gr->kb, sources);
}

bool mg_group_joint_parts(MgGroup *gr) {
    Parts *t = MG_NEW(gr->s->arena, Parts);
    *t = (Parts){.gr = gr};
    if (!find(t))
        return false;
    MgIxTable *ix = gr->s->ix;
    mg_group_enter(gr, t->lead);
    uint32_t lanes = mg_group_lanes(gr, t->lead, 1);
    int vector = mg_group_vector(gr, t->lead, 1, gr->depth, gr->depth, lanes, NULL);
    lanes = mg_group_widen(gr, t->lead, 1, vector, lanes);
    if ((int)t->cut == vector && t->length > lanes)
        t->length = t->length / lanes * lanes; // whole vectors but in the last part
    t->number = mg_ix_max(ix, t->extent, mg_ix_const(ix, 0));
    t->number = mg_ix_div(ix, mg_ix_add(ix, t->number, mg_ix_const(ix, t->length - 1)),
                          mg_ix_const(ix, t->length));
    t->type = mg_kt(mg_group_accumulator(gr->s->options, t->lead->piece), 1);
    MgIx count = t->number;
    for (uint32_t i = 0; i < gr->depth; i++)
        count = mg_ix_mul(ix, count, mg_ix_sub(ix, gr->high[i], gr->low[i]));
    const MgKx *base;
    t->first = mg_kb_scratch(&gr->kb, "parts", t->type.dtype, count, MG_SCOPE_CALL, &base);
    t->second = mg_kb_scratch(&gr->kb, "others", t->type.dtype, count, MG_SCOPE_CALL, &base);
    reduce_parts(t, vector, lanes);
    mg_kbarrier(gr->kb.k, &gr->kb.k->body, MG_BARRIER_GRID);
    finish_rows(t);
    mg_kb_stream(&gr->kb);
    return true;
}
