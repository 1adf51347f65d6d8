// Long reductions to few elements: the sum of a large tensor, the extreme of each of four long
// rows.
//
// There may be fewer results than workers, so a bound index, the outermost that is long, is cut
// into parts, each reduced for itself, and after a barrier the parts are combined in their order.
// How many parts there are depends on the sizes alone: any number of workers gives the same bits.
// Of an open length, which may be 0, parts are of one length. Elementwise ops behind the reduction
// are computed where the parts are combined.
#include "passes/schedule/monoid.h"

enum {
    PARTS = 64,
    FEW = 8,
    LEAST_POINTS = 1 << 16,
    OPEN_POINTS = 1 << 13, // of a part
    PART = MAX_LOOPS - 1
};

typedef struct Parts {
    Group *gr;
    const Nest *nest;
    uint32_t cut;   // the index that is cut
    bool open;      // its length
    int64_t length; // of a part, in steps of that index
    MgIx number;    // of parts
    int64_t results;
    MgKBufId x, at; // what was found in each part
} Parts;

// ---------------------------------------------------------------- is it one?
static MgIx extent_of(Group *gr, const MgPiece *p, uint32_t i) {
    return mg_ix_sub(gr->s->ix, p->indices[i].high, p->indices[i].low);
}

static int64_t extent(Group *gr, const MgPiece *p, uint32_t i) {
    return const_or(gr->s->ix, extent_of(gr, p, i), 0);
}

// Is t->nest a long reduction to few elements?
static bool is_long(Parts *t) {
    Group *gr = t->gr;
    const MgScheduleOptions *o = gr->s->options;
    const MgPiece *p = t->nest->piece;
    if (o->level < 2 || o->target.gpu || gr->s->walk || gr->rows || p->n_indices == p->n_free ||
        p->n_indices >= PART || gr->depth != p->n_free)
        return false;
    if (mg_reduce_order(p->reducer) == MG_ORDER_SUM && o->strict && mg_is_float(p->expr->dtype))
        return false;
    int64_t points = t->results = 1;
    t->cut = p->n_free;
    for (uint32_t i = 0; i < p->n_indices; i++) {
        int64_t n = extent(gr, p, i);
        bool open = i >= p->n_free && !mg_ix_is_const(gr->s->ix, extent_of(gr, p, i), NULL);
        if (open && !t->open && !mg_ix_mentions_index(gr->s->ix, extent_of(gr, p, i))) {
            t->open = true;
            t->cut = i;
            continue;
        }
        if (n < 1 || __builtin_mul_overflow(points, n, &points))
            return false;
        if (i < p->n_free)
            t->results *= n;
        else if (!t->open && extent(gr, p, t->cut) < PARTS && n > extent(gr, p, t->cut))
            t->cut = i;
    }
    points /= t->results;
    return t->results < FEW && (t->open ? points <= OPEN_POINTS : points >= LEAST_POINTS) &&
           (mg_group_folds(p->reducer) || mg_group_places(gr, p));
}

static bool find(Parts *t) {
    t->nest = &t->gr->nests[0];
    for (uint32_t i = 1; i < t->gr->n_nests; i++)
        if (t->gr->nests[i].piece->n_indices != t->gr->depth)
            return false;
    return is_long(t);
}

bool mg_group_parts_apart(Group *gr) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        Parts t = {.gr = gr, .nest = &gr->nests[i]};
        n += is_long(&t);
    }
    return n > 1;
}

// ---------------------------------------------------------------- emission
// One loop over all `counts` of the group's outer indices and, if `part`, of parts, shared out.
static MgKBlock *open_results(Parts *t, bool part) {
    Group *gr = t->gr;
    MgKernel *k = gr->kb.k;
    const MgPiece *p = t->nest->piece;
    const MgKx *n = mg_kb_ix(&gr->kb, t->number, gr->loop), *total = mg_kint(k, t->results);
    if (part)
        total = mg_kmul(k, total, n);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "t", mg_kint(k, 0), total, 1);
    const MgKx *left = mg_kvar(k, loop->var);
    if (part) {
        gr->loop[PART] =
            mg_klet_x(k, &loop->body, "part", mg_kprim(k, MG_PRIM_FMOD, left, n, NULL));
        left = mg_klet_x(k, &loop->body, "t", mg_kprim(k, MG_PRIM_FDIV, left, n, NULL));
    }
    for (uint32_t i = gr->depth; i-- > 0;) {
        const MgKx *n = mg_kint(k, extent(gr, p, i));
        const MgKx *digit = mg_kprim(k, MG_PRIM_FMOD, left, n, NULL);
        digit = mg_kadd(k, digit, mg_kb_ix(&gr->kb, gr->low[i], gr->loop));
        gr->loop[i] = mg_klet_x(k, &loop->body, "i", digit);
        left = mg_klet_x(k, &loop->body, "t", mg_kprim(k, MG_PRIM_FDIV, left, n, NULL));
    }
    return &loop->body;
}

// The cut index runs over the open part.
static void narrow(Parts *t) {
    Group *gr = t->gr;
    MgIxTable *ix = gr->s->ix;
    MgIx length = mg_ix_const(ix, t->length), end = gr->high[t->cut];
    gr->low[PART] = mg_ix_const(ix, 0);
    gr->high[PART] = t->number;
    MgIx first = mg_ix_add(ix, gr->low[t->cut], mg_ix_mul(ix, mg_ix_idx(ix, PART), length));
    gr->low[t->cut] = first;
    gr->high[t->cut] = mg_ix_min(ix, end, mg_ix_add(ix, first, length));
}

static void reduce_parts(Parts *t, int vector, uint32_t lanes) {
    Group *gr = t->gr;
    MgKBlock *block = open_results(t, true);
    const MgKs *loop = gr->kb.k->body.list.at[gr->kb.k->body.list.len - 1];
    const MgKx *number = mg_kvar(gr->kb.k, loop->var);
    narrow(t);
    MgPartial part = mg_group_reduce(gr, t->nest, block, vector, lanes, NULL);
    mg_kstore(gr->kb.k, block, t->x, number, part.x, NULL);
    if (part.at)
        mg_kstore(gr->kb.k, block, t->at, number, part.at, NULL);
    mg_group_enter(gr, t->nest);
}

static MgPartial load_part(Parts *t, MgKBlock *block, const MgKx *index) {
    MgKernel *k = t->gr->kb.k;
    MgPartial p = {mg_klet_x(k, block, "x", mg_kload(k, t->x, index, 1, NULL, NULL)), NULL};
    if (!mg_group_folds(t->nest->piece->reducer))
        p.at = mg_klet_x(k, block, "at", mg_kload(k, t->at, index, 1, NULL, NULL));
    return p;
}

static void combine(Parts *t, MgKBufId acc, MgKBufId at) {
    Group *gr = t->gr;
    MgKernel *k = gr->kb.k;
    MgReducer r = t->nest->piece->reducer;
    MgKBlock *block = open_results(t, false);
    const MgKs *loop = k->body.list.at[k->body.list.len - 1];
    const MgKx *zero = mg_kint(k, 0), *number = mg_kb_ix(&gr->kb, t->number, gr->loop);
    const MgKx *first = mg_kmul(k, mg_kvar(k, loop->var), number);
    MgPartial all = t->open ? (MgPartial){mg_reduce_identity(k, r, k->bufs.at[acc].elem), NULL}
                            : load_part(t, block, first);
    mg_kstore(k, block, acc, zero, all.x, NULL);
    if (all.at)
        mg_kstore(k, block, at, zero, all.at, NULL);
    MgKs *parts = mg_kfor(k, block, MG_LOOP_SERIAL, "part", mg_kint(k, t->open ? 0 : 1), number, 1);
    MgPartial next = load_part(t, &parts->body, mg_kadd(k, first, mg_kvar(k, parts->var)));
    MgPartial old = {mg_kload(k, acc, zero, 1, NULL, NULL), NULL};
    if (next.at) {
        old.x = mg_klet_x(k, &parts->body, "most", old.x);
        old.at = mg_kload(k, at, zero, 1, NULL, NULL);
        next = mg_monoid_better(k, &parts->body, mg_reducer(r)->monoid, old, next, true, NULL);
        mg_kstore(k, &parts->body, at, zero, next.at, NULL);
    } else {
        next.x = mg_reduce_step(k, r, old.x, next.x);
    }
    mg_kstore(k, &parts->body, acc, zero, next.x, NULL);
    all.x = mg_klet_x(k, block, "x", mg_kload(k, acc, zero, 1, NULL, NULL));
    if (all.at)
        all.at = mg_klet_x(k, block, "at", mg_kload(k, at, zero, 1, NULL, NULL));
    uint32_t sources = gr->kb.sources.len;
    MgPoint p = mg_group_point(gr, t->nest, block, -1, 1, NULL);
    mg_group_settle(gr, t->nest, &p, mg_group_reduced(gr, t->nest, block, all), true);
    for (uint32_t i = 1; i < gr->n_nests; i++)
        mg_group_emit(gr, &gr->nests[i], block, -1, 1, NULL, true);
    mg_kb_forget(&gr->kb, sources);
}

bool mg_group_in_parts(Group *gr) {
    Parts *t = MG_NEW(gr->s->arena, Parts);
    *t = (Parts){.gr = gr};
    if (!find(t))
        return false;
    const MgPiece *p = t->nest->piece;
    bool arg = !mg_group_folds(p->reducer);
    mg_group_enter(gr, t->nest);
    uint32_t lanes = mg_group_lanes(gr, t->nest, 1);
    int vector = mg_group_vector(gr, t->nest, 1, gr->depth, gr->depth, lanes, NULL);
    if (arg && vector < 0)
        return false;
    lanes = mg_group_widen(gr, t->nest, 1, vector, lanes);
    MgIxTable *ix = gr->s->ix;
    int64_t n = extent(gr, p, t->cut), unit = (int)t->cut == vector ? lanes : 1;
    t->length = (n + PARTS * unit - 1) / (PARTS * unit) * unit; // whole vectors but in the last
    if (t->open) {
        t->length = OPEN_POINTS;
        for (uint32_t i = p->n_free; i < p->n_indices; i++)
            t->length /= i == t->cut ? 1 : extent(gr, p, i);
        t->length = (t->length + unit - 1) / unit * unit;
    }
    t->number = mg_ix_max(ix, extent_of(gr, p, t->cut), mg_ix_const(ix, 0));
    t->number = mg_ix_add(ix, t->number, mg_ix_const(ix, t->length - 1));
    t->number = mg_ix_div(ix, t->number, mg_ix_const(ix, t->length));
    MgIx count = mg_ix_mul(ix, t->number, mg_ix_const(ix, t->results));
    const MgKx *base;
    MgDType type = mg_group_accumulator(gr->s->options, p);
    t->x = mg_kb_scratch(&gr->kb, "parts", type, count, MG_SCOPE_CALL, &base);
    if (arg)
        t->at = mg_kb_scratch(&gr->kb, "places", MG_I32, count, MG_SCOPE_CALL, &base);
    reduce_parts(t, vector, lanes);
    mg_kbarrier(gr->kb.k, &gr->kb.k->body, MG_BARRIER_GRID);
    MgKBufId acc = mg_kb_private(&gr->kb, "acc", mg_kt(type, 1), 1);
    combine(t, acc, arg ? mg_kb_private(&gr->kb, "at", mg_kt(MG_I32, 1), 1) : 0);
    return true;
}
