// Reductions of a group at one point of its loops: accumulators of one lane, or of many lanes that
// are combined at the end; extremes with their positions.
//
// The position of an extreme is the number of its point in the order of the loops. Each lane
// searches alone: it starts at its own first position with the worst possible value, and takes any
// better value. The final step takes the better value or, among equals, the earlier position. So
// the result is the first extreme in the order of the loops, and a NaN comes before all numbers.
#include "passes/schedule/group/monoid.h"
#include "passes/schedule/words.h"

typedef struct Reduction {
    MgGroup *gr;
    const MgGroupNest *nest;
    MgKBufId acc, at, position; // at: position of argmax, argmin; position: the current one
    MgKType type;
    int vector; // index along the lanes (free or bound)
    uint32_t lanes;
    const MgKx *outer_mask; // active lanes of a free vector index
    bool laned;             // positions are kept per lane; otherwise the current one is used
} Reduction;

// ---------------------------------------------------------------- extremes
bool mg_group_places(MgGroup *gr, const MgPiece *p) {
    MgIxTable *t = gr->s->ix;
    int64_t points = 1;
    if (gr->s->options->target.gpu || gr->s->options->level < 2)
        return false;
    for (uint32_t b = p->n_free; b < p->n_indices; b++) {
        int64_t extent = mg_ix_const_or(t, mg_ix_sub(t, p->indices[b].high, p->indices[b].low), 0);
        if (extent < 1 || __builtin_mul_overflow(points, extent, &points) || points >= INT32_MAX)
            return false;
    }
    return true;
}

// The number of the point with the bound indices `at`, in the order of the loops.
static MgIx place_of(MgGroup *gr, const MgPiece *p, const MgIx *at) {
    MgIxTable *t = gr->s->ix;
    MgIx place = mg_ix_const(t, 0);
    for (uint32_t b = p->n_free; b < p->n_indices; b++) {
        MgIx extent = mg_ix_sub(t, p->indices[b].high, p->indices[b].low);
        place = mg_ix_add(t, mg_ix_mul(t, place, extent), mg_ix_sub(t, at[b], p->indices[b].low));
    }
    return place;
}

static const MgKx *places(MgKernel *k, const MgKx *x, uint32_t lanes) {
    return mg_ksplat(k, x->type.dtype == MG_I32 ? x : cast(k, MG_I32, x), lanes);
}

static const MgKx *part_of(MgKernel *k, MgKBlock *block, const MgKx *x, uint32_t first,
                           uint32_t n) {
    uint8_t lanes[128];
    for (uint32_t i = 0; i < n; i++)
        lanes[i] = (uint8_t)(first + i);
    return named(k, block, "half",
                 n == 1 ? mg_klane(k, x, first) : mg_kpermute(k, x, NULL, lanes, n));
}

static MgPartial fold_places(MgKernel *k, MgKBlock *block, MgMonoid m, MgPartial all) {
    for (uint32_t n = all.x->type.lanes / 2; n; n /= 2) {
        MgPartial a = {part_of(k, block, all.x, 0, n), NULL},
                  b = {part_of(k, block, all.x, n, n), NULL};
        a.at = part_of(k, block, all.at, 0, n);
        b.at = part_of(k, block, all.at, n, n);
        all = mg_monoid_better(k, block, m, a, b, false, NULL);
        all = (MgPartial){named(k, block, "x", all.x), named(k, block, "at", all.at)};
    }
    return all;
}

// ---------------------------------------------------------------- a point
// Takes x if it is better than the result so far. Its position is 32 bits per lane, or the current
// position.
static void extreme(Reduction *r, MgPoint *p, const MgKx *x, const MgKx *mask) {
    MgKernel *k = r->gr->kb.k;
    MgKBlock *block = p->block;
    const MgPiece *piece = r->nest->piece;
    uint32_t lanes = r->type.lanes;
    const MgKx *acc = held(k, r->acc);
    x = named(k, block, "x", x);
    MgPartial old = {named(k, block, "most", acc), held(k, r->at)};
    const MgKx *place =
        r->laned ? mg_point_ix(p, place_of(r->gr, piece, r->gr->with)) : held(k, r->position);
    MgPartial new = {x, r->laned ? places(k, place, lanes) : mg_ksplat(k, place, lanes)};
    MgMonoid monoid = mg_reducer(piece->reducer)->monoid;
    MgPartial best = mg_monoid_better(k, block, monoid, old, new, true, r->laned ? mask : NULL);
    set_held(k, block, r->acc, best.x);
    set_held(k, block, r->at, best.at);
    if (!r->laned)
        set_held(k, block, r->position, plus(k, place, 1));
}

// Opens a loop over the reductions that run together. Returns the block itself if there is one.
static MgKBlock *open_each(MgGroup *gr, MgKBlock *block) {
    MgKernel *k = gr->kb.k;
    if (!gr->together)
        return block;
    Loop each = loop_of(k, block, MG_LOOP_UNROLLED, "r", num(k, 0), num(k, gr->together), 1);
    gr->number = each.at;
    gr->loop[gr->row] = add(k, gr->first, gr->number);
    return each.body;
}

static void reduce_point(void *ctx, MgKBlock *block, const MgKx *mask) {
    Reduction *r = ctx;
    MgGroup *gr = r->gr;
    MgKernel *k = gr->kb.k;
    block = open_each(gr, block);
    const MgPiece *piece = r->nest->piece;
    bool bound = r->vector >= (int)piece->n_free;
    MgPoint p =
        mg_group_point(gr, r->nest, block, r->vector, r->lanes, bound ? mask : r->outer_mask);
    const MgKx *x = mg_point_expr(&p, piece->expr);
    x = converted(k, r->type.dtype, x);
    x = mg_ksplat(k, x, r->type.lanes);
    if (!mg_group_folds(piece->reducer)) {
        extreme(r, &p, x, mask);
        return;
    }
    if (bound && mask)
        x = where(k, mask, x, mg_reduce_identity(k, piece->reducer, r->type));
    const MgKx *at = gr->number ? gr->number : num(k, 0);
    const MgKx *acc = loaded(k, r->acc, at, r->type.lanes);
    bool fuse = piece->reducer == MG_REDUCE_SUM && x->kind == MG_KX_PRIM &&
                x->prim == MG_PRIM_MUL && mg_is_float(r->type.dtype) &&
                gr->s->options->level >= 2 && mg_contracts(gr->s->options);
    const MgKx *next = fuse ? mg_kprim(k, MG_PRIM_FMA, x->args[0], x->args[1], acc)
                            : mg_reduce_step(k, piece->reducer, acc, x);
    store(k, block, r->acc, at, next);
}

// ---------------------------------------------------------------- all points
static MgIx extent_of(MgGroup *gr, uint32_t b) {
    MgIx extent = mg_group_extent(gr, b);
    return mg_ix_max(gr->s->ix, extent, mg_ix_const(gr->s->ix, 0));
}

// Does the range of a bound index end at another bound index?
static bool is_nested(MgGroup *gr, const MgPiece *p) {
    MgIxTable *t = gr->s->ix;
    for (uint32_t b = p->n_free; b < p->n_indices; b++)
        for (uint32_t outer = p->n_free; outer < b; outer++)
            if (mg_ix_mentions(t, extent_of(gr, b), mg_ix_index(t, outer)))
                return true;
    return false;
}

// Counts the points of nested ranges: walks all indices but the last.
static const MgKx *counted_points(MgGroup *gr, const MgPiece *p, MgKBlock *block) {
    MgKernel *k = gr->kb.k;
    const MgKx *before[MG_GROUP_LOOPS];
    memcpy(before, gr->loop, sizeof before);
    MgKBufId n = mg_kb_held(&gr->kb, block, "points", num(k, 0));
    MgKBlock *inner = block;
    uint32_t last = p->n_indices - 1;
    for (uint32_t b = p->n_free; b < last; b++) {
        const MgKx *low = mg_kb_ix(&gr->kb, gr->low[b], gr->loop),
                   *high = mg_kb_ix(&gr->kb, gr->high[b], gr->loop);
        Loop loop = each_from(k, inner, "i", low, high, 1);
        gr->loop[b] = loop.at;
        inner = loop.body;
    }
    const MgKx *more = mg_kb_ix(&gr->kb, extent_of(gr, last), gr->loop);
    set_held(k, inner, n, add(k, held(k, n), more));
    memcpy(gr->loop, before, sizeof before);
    return named(k, block, "points", held(k, n));
}

// The number of points of a reduction, in float type (for mean).
static const MgKx *reduced_points(MgGroup *gr, const MgPiece *p, MgKBlock *block, MgDType type) {
    const MgKx *n = num(gr->kb.k, 1);
    bool nested = is_nested(gr, p);
    for (uint32_t b = p->n_free; !nested && b < p->n_indices; b++)
        n = mul(gr->kb.k, n, mg_kb_ix(&gr->kb, extent_of(gr, b), gr->loop));
    return cast(gr->kb.k, type, nested ? counted_points(gr, p, block) : n);
}

static void begin_extreme(Reduction *r, MgKBlock *block) {
    MgGroup *gr = r->gr;
    MgKernel *k = gr->kb.k;
    const MgPiece *p = r->nest->piece;
    MgDType type = r->laned ? MG_I32 : MG_I64;
    MgPartial none = mg_monoid_identity(k, mg_reducer(p->reducer)->monoid, r->type, type);
    r->at = mg_kb_private(&gr->kb, "at", mg_kt(type, r->type.lanes), 1);
    if (r->laned) { // each lane begins at a position of its own
        MgIx first =
            mg_ix_subst_indices(gr->s->ix, place_of(gr, p, gr->low), gr->with, MG_GROUP_LOOPS);
        none.at = mg_kramp(k, mg_kb_ix(&gr->kb, first, gr->loop), num(k, 1), r->type.lanes);
        none.at = places(k, none.at, r->type.lanes);
    } else {
        r->position = mg_kb_held(&gr->kb, block, "position", num(k, 0));
    }
    set_held(k, block, r->acc, none.x);
    set_held(k, block, r->at, none.at);
}

MgPartial mg_group_reduce(MgGroup *gr, const MgGroupNest *n, MgKBlock *block, int vector,
                          uint32_t lanes, const MgKx *mask) {
    MgKernel *k = gr->kb.k;
    const MgPiece *piece = n->piece;
    bool bound = vector >= (int)piece->n_free, arg = !mg_group_folds(piece->reducer);
    Reduction r = {.gr = gr, .nest = n, .vector = vector, .lanes = lanes, .outer_mask = mask};
    r.type = mg_kt(mg_group_accumulator(gr->s->options, piece), vector < 0 ? 1 : lanes);
    r.acc = mg_kb_private(&gr->kb, "acc", r.type, gr->together ? gr->together : 1);
    r.laned = arg && bound;
    const MgKx *zero = num(k, 0), *identity = NULL;
    MgKBlock *each = open_each(gr, block);
    if (arg)
        begin_extreme(&r, block);
    else
        identity = mg_reduce_identity(k, piece->reducer, r.type);
    if (identity)
        store(k, each, r.acc, gr->number ? gr->number : zero, identity);
    MgKBlock *inner = block;
    for (uint32_t b = piece->n_free; b < piece->n_indices; b++)
        if ((int)b != vector)
            mg_group_open(gr, &inner, b, MG_LOOP_SERIAL);
    if (bound)
        mg_lanes_loop(k, inner, &gr->loop[vector], mg_kb_ix(&gr->kb, gr->low[vector], gr->loop),
                      mg_kb_ix(&gr->kb, gr->high[vector], gr->loop), lanes, false, reduce_point,
                      &r);
    else
        reduce_point(&r, inner, NULL);
    block = gr->tail = open_each(gr, block);
    const MgKx *at = gr->number ? gr->number : zero;
    MgPartial all = {named(k, block, "r", loaded(k, r.acc, at, r.type.lanes)), NULL};
    if (arg)
        all.at = named(k, block, "r", held(k, r.at));
    if (!bound || lanes == 1)
        return all;
    if (arg)
        return fold_places(k, block, mg_reducer(piece->reducer)->monoid, all);
    return (MgPartial){mg_kfold(k, mg_reduce_prim(piece->reducer), all.x), NULL};
}

const MgKx *mg_group_reduced(MgGroup *gr, const MgGroupNest *n, MgKBlock *block, MgPartial all) {
    MgKernel *k = gr->kb.k;
    const MgPiece *piece = n->piece;
    const MgKx *x = all.x;
    if (!mg_group_folds(piece->reducer))
        return all.at->type.dtype == MG_I64 ? all.at
                                            : named(k, block, "r", cast(k, MG_I64, all.at));
    if (piece->reducer == MG_REDUCE_MEAN)
        x = bin(k, MG_PRIM_DIV, x,
                mg_ksplat(k, reduced_points(gr, piece, block, x->type.dtype), x->type.lanes));
    x = converted(k, piece->expr->dtype, x);
    return named(k, block, "r", x);
}
