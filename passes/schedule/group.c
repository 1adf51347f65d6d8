// The general schedule: a group of equations that share leading indices, as one loop nest.
//
// The shared indices (the outer box) are walked in parallel; within one outer point every equation
// of the group runs in order over what is left of its own box. Three forms fall out of this:
//   elementwise and contraction-with-epilogue groups: nothing is left but reductions; values stay
//   in registers; row groups (softmax, normalisations): inner indices and reductions over a row;
//   rows stay in scratch; the generic loop nest of any single equation.
// Each nest is vectorised along the index that makes its loads contiguous: a free one (then
// reductions have one accumulator a lane) or a bound one (then lanes are folded at the end). At -O0
// the same code writes scalar loops in the interpreter's order, sums in f64.
//
// A group that fits none of this is not taken; its equations are scheduled one by one.
#include "passes/schedule/group.h"

#include <stdio.h>

static MgIx extent_of(MgIxTable *t, const MgIndex *i) {
    return mg_ix_sub(t, i->high, i->low);
}

// ---------------------------------------------------------------- is it a group?
static bool plain_target(MgIxTable *t, const MgPiece *p, const MgValue *result, uint32_t n) {
    if (p->n_free < n || result->rank < n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (p->target[i].n_tuple || p->target[i].sub->kind != MG_SX_IX ||
            p->target[i].sub->ix != mg_ix_idx(t, i))
            return false;
    return true;
}

static bool depth_fits(Group *gr, uint32_t depth) {
    MgGraph *g = gr->s->g;
    const MgPiece *first = gr->nests[0].piece;
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        const Nest *n = &gr->nests[i];
        if (!plain_target(gr->s->ix, n->piece, mg_value(g, n->result), depth))
            return false;
        for (uint32_t d = 0; d < depth; d++)
            if (n->piece->indices[d].low != first->indices[d].low ||
                n->piece->indices[d].high != first->indices[d].high)
                return false;
    }
    return mg_unit_reads_in_place(gr->s, gr->unit, depth);
}

static bool find_depth(Group *gr) {
    uint32_t most = UINT32_MAX;
    for (uint32_t i = 0; i < gr->n_nests; i++)
        if (gr->nests[i].piece->n_free < most)
            most = gr->nests[i].piece->n_free;
    if (gr->n_nests == 1) { // alone: whatever its target looks like
        gr->depth = most;
        return true;
    }
    for (uint32_t d = most; d >= 1; d--)
        if (depth_fits(gr, d)) {
            gr->depth = d;
            return true;
        }
    return most == 0 && depth_fits(gr, 0);
}

// The type that a reduction accumulates in: f64 for float sums in the interpreter's order, else the
// value's own.
static MgDType accumulator(const MgScheduleOptions *o, const MgPiece *p) {
    bool sum = mg_reducer(p->reducer)->order == MG_ORDER_SUM;
    bool exact = o->level == 0 || o->strict;
    return sum && exact && mg_is_float(p->expr->dtype) ? MG_F64 : p->expr->dtype;
}

// ---------------------------------------------------------------- emission
static MgPoint point_at(Group *gr, const Nest *n, MgKBlock *block, int vector, uint32_t lanes,
                        const MgKx *mask) {
    return (MgPoint){.kb = &gr->kb,
                     .op = n->op,
                     .block = block,
                     .with = gr->with,
                     .n_with = MAX_LOOPS,
                     .loop = gr->loop,
                     .vector = vector,
                     .lanes = vector < 0 ? 1 : lanes,
                     .mask = mask,
                     .ranges = {gr->low, gr->high, MAX_LOOPS}};
}

static const MgKx *open_loop(Group *gr, MgKBlock **block, uint32_t sym, MgLoopKind kind) {
    MgKernel *k = gr->kb.k;
    char name[16];
    snprintf(name, sizeof name, "i%u", sym);
    const MgKx *low = mg_kb_ix(&gr->kb, gr->low[sym], gr->loop);
    const MgKx *high = mg_kb_ix(&gr->kb, gr->high[sym], gr->loop);
    MgKs *loop = mg_kfor(k, *block, kind, name, low, high, 1);
    *block = &loop->body;
    return gr->loop[sym] = mg_kvar(k, loop->var);
}

// Body at vector positions [base, base + lanes) of symbol v, in a main loop and a masked remainder.
typedef void BodyFn(void *ctx, MgKBlock *block, const MgKx *mask);
static void vector_loop(Group *gr, MgKBlock *block, uint32_t v, uint32_t lanes, const MgKx *low,
                        const MgKx *high, BodyFn *body, void *ctx) {
    MgKernel *k = gr->kb.k;
    const MgKx *extent = mg_kprim(k, MG_PRIM_SUB, high, low, NULL);
    bool known = extent->kind == MG_KX_CONST;
    int64_t n = known ? (int64_t)extent->bits : 0;
    if (!known || n >= lanes) {
        const MgKx *last = mg_kprim(k, MG_PRIM_SUB, high, mg_kint(k, lanes - 1), NULL);
        MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "v", low, last, lanes);
        gr->loop[v] = mg_kvar(k, loop->var);
        body(ctx, &loop->body, NULL);
    }
    if (known && n % lanes == 0)
        return;
    // The remainder starts at low + extent / lanes * lanes; its lanes past `high` are off.
    const MgKx *whole =
        mg_kmul(k, mg_kprim(k, MG_PRIM_FDIV, extent, mg_kint(k, lanes), NULL), mg_kint(k, lanes));
    const MgKx *base = mg_klet_x(k, block, "tail", mg_kadd(k, low, whole));
    MgKBlock *inside = block;
    if (!known)
        inside = &mg_kif(k, block, mg_kprim(k, MG_PRIM_LT, base, high, NULL))->body;
    gr->loop[v] = base;
    const MgKx *ramp = mg_kramp(k, base, mg_kint(k, 1), lanes);
    const MgKx *mask = mg_klet_x(k, inside, "mask",
                                 mg_kprim(k, MG_PRIM_LT, ramp, mg_ksplat(k, high, lanes), NULL));
    body(ctx, inside, mask);
}

typedef struct Reduction {
    Group *gr;
    const Nest *nest;
    MgKBufId acc, at; // at: position of argmax, argmin
    MgKType type;
    int vector; // index along the lanes (free or bound)
    uint32_t lanes;
    const MgKx *outer_mask; // active lanes of a free vector index
    const MgKx *count;      // running position, of argmax and argmin
} Reduction;

static void reduce_point(void *ctx, MgKBlock *block, const MgKx *mask) {
    Reduction *r = ctx;
    Group *gr = r->gr;
    MgKernel *k = gr->kb.k;
    const MgPiece *piece = r->nest->piece;
    bool bound = r->vector >= (int)piece->n_free;
    MgPoint p = point_at(gr, r->nest, block, r->vector, r->lanes, bound ? mask : r->outer_mask);
    const MgKx *x = mg_point_expr(&p, piece->expr);
    if (x->type.dtype != r->type.dtype)
        x = mg_kcast(k, MG_PRIM_CAST, r->type.dtype, x);
    x = mg_ksplat(k, x, r->type.lanes);
    if (bound && mask)
        x = mg_kprim(k, MG_PRIM_WHERE, mask, x, mg_reduce_identity(k, piece->reducer, r->type));
    const MgKx *zero = mg_kint(k, 0);
    const MgKx *acc = mg_kload(k, r->acc, zero, r->type.lanes, NULL, NULL);
    if (mg_group_folds(piece->reducer)) {
        bool fuse = piece->reducer == MG_REDUCE_SUM && x->kind == MG_KX_PRIM &&
                    x->prim == MG_PRIM_MUL && mg_is_float(r->type.dtype) &&
                    gr->s->options->level >= 2 && !gr->s->options->strict;
        const MgKx *next = fuse ? mg_kprim(k, MG_PRIM_FMA, x->args[0], x->args[1], acc)
                                : mg_reduce_step(k, piece->reducer, acc, x);
        mg_kstore(k, block, r->acc, zero, next, NULL);
        return;
    }
    // The first extreme wins; the first NaN beats everything. A negative position marks "none yet".
    MgPrim better = piece->reducer == MG_REDUCE_ARGMAX ? MG_PRIM_GT : MG_PRIM_LT;
    x = mg_klet_x(k, block, "x", x);
    const MgKx *at = mg_kload(k, r->at, zero, r->type.lanes, NULL, NULL);
    const MgKx *take = mg_kprim(k, better, x, acc, NULL);
    if (mg_is_float(r->type.dtype)) {
        const MgKx *nan = mg_kprim(k, MG_PRIM_ISNAN, x, NULL, NULL);
        const MgKx *had = mg_kprim(k, MG_PRIM_ISNAN, acc, NULL, NULL);
        take = mg_kprim(
            k, MG_PRIM_OR, take,
            mg_kprim(k, MG_PRIM_AND, nan, mg_kprim(k, MG_PRIM_NOT, had, NULL, NULL), NULL), NULL);
    }
    const MgKx *none = mg_kprim(k, MG_PRIM_LT, at, mg_ksplat(k, zero, r->type.lanes), NULL);
    take = mg_klet_x(k, block, "take", mg_kprim(k, MG_PRIM_OR, take, none, NULL));
    const MgKx *position =
        mg_ksplat(k, mg_kload(k, (MgKBufId)(r->at + 1), zero, 1, NULL, NULL), r->type.lanes);
    const MgKx *new_at = mg_klet_x(k, block, "at", mg_kprim(k, MG_PRIM_WHERE, take, position, at));
    mg_kstore(k, block, r->acc, zero, mg_kprim(k, MG_PRIM_WHERE, take, x, acc), NULL);
    mg_kstore(k, block, r->at, zero, new_at, NULL);
    mg_kstore(k, block, (MgKBufId)(r->at + 1), zero,
              mg_kadd(k, mg_kload(k, (MgKBufId)(r->at + 1), zero, 1, NULL, NULL), mg_kint(k, 1)),
              NULL);
}

// The number of points of a reduction, in float type (for mean).
static const MgKx *reduced_points(Group *gr, const MgPiece *p, MgDType type) {
    const MgKx *n = mg_kint(gr->kb.k, 1);
    for (uint32_t b = p->n_free; b < p->n_indices; b++) {
        MgIx extent = mg_ix_sub(gr->s->ix, gr->high[b], gr->low[b]);
        extent = mg_ix_max(gr->s->ix, extent, mg_ix_const(gr->s->ix, 0));
        n = mg_kmul(gr->kb.k, n, mg_kb_ix(&gr->kb, extent, gr->loop));
    }
    return mg_kcast(gr->kb.k, MG_PRIM_CAST, type, n);
}

// Runs the reduction of a nest at the open outer point; the result in the nest's compute type.
static const MgKx *emit_reduction(Group *gr, const Nest *n, MgKBlock *block, int vector,
                                  uint32_t lanes, const MgKx *mask) {
    MgKernel *k = gr->kb.k;
    const MgPiece *piece = n->piece;
    bool bound = vector >= (int)piece->n_free;
    Reduction r = {.gr = gr, .nest = n, .vector = vector, .lanes = lanes, .outer_mask = mask};
    r.type = mg_kt(accumulator(gr->s->options, piece), vector < 0 ? 1 : lanes);
    r.acc = mg_kb_private(&gr->kb, "acc", r.type, 1);
    const MgKx *zero = mg_kint(k, 0);
    bool arg = !mg_group_folds(piece->reducer);
    mg_kstore(k, block, r.acc, zero,
              arg ? mg_kconst(k, r.type, 0) : mg_reduce_identity(k, piece->reducer, r.type), NULL);
    if (arg) {
        r.at = mg_kb_private(&gr->kb, "at", mg_kt(MG_I64, r.type.lanes), 1);
        mg_kb_private(&gr->kb, "position", mg_kt(MG_I64, 1), 1); // r.at + 1
        mg_kstore(k, block, r.at, zero, mg_ksplat(k, mg_kint(k, -1), r.type.lanes), NULL);
        mg_kstore(k, block, (MgKBufId)(r.at + 1), zero, zero, NULL);
    }
    MgKBlock *inner = block;
    for (uint32_t b = piece->n_free; b < piece->n_indices; b++)
        if ((int)b != vector)
            open_loop(gr, &inner, b, MG_LOOP_SERIAL);
    if (bound)
        vector_loop(gr, inner, (uint32_t)vector, lanes,
                    mg_kb_ix(&gr->kb, gr->low[vector], gr->loop),
                    mg_kb_ix(&gr->kb, gr->high[vector], gr->loop), reduce_point, &r);
    else
        reduce_point(&r, inner, NULL);
    const MgKx *x =
        mg_klet_x(k, block, "r", mg_kload(k, arg ? r.at : r.acc, zero, r.type.lanes, NULL, NULL));
    if (arg)
        return x;
    if (bound && lanes > 1)
        x = mg_kfold(k, mg_reduce_prim(piece->reducer), x);
    if (piece->reducer == MG_REDUCE_MEAN)
        x = mg_kprim(k, MG_PRIM_DIV, x,
                     mg_ksplat(k, reduced_points(gr, piece, r.type.dtype), x->type.lanes), NULL);
    if (x->type.dtype != piece->expr->dtype)
        x = mg_kcast(k, MG_PRIM_CAST, piece->expr->dtype, x);
    return mg_klet_x(k, block, "r", x);
}

// A nest's element or lanes at the open point: computed, stored if it leaves, kept in a register or
// scratch.
static void emit_point(Group *gr, const Nest *n, MgKBlock *block, int vector, uint32_t lanes,
                       const MgKx *mask, bool keep) {
    MgSched *s = gr->s;
    const MgPiece *piece = n->piece;
    const MgValue *result = mg_value(s->g, n->result);
    mg_group_enter(gr, n);
    bool bound = vector >= (int)piece->n_free;
    MgPoint p = point_at(gr, n, block, bound ? -1 : vector, lanes, bound ? NULL : mask);
    const MgKx *x;
    if (piece->n_indices > piece->n_free)
        x = emit_reduction(gr, n, block, vector, lanes, mask);
    else
        x = mg_klet_x(gr->kb.k, block, mg_name(s->m->session->names, result->name),
                      mg_point_expr(&p, piece->expr));
    const MgLocal *scratch = keep ? NULL : mg_kb_local(&gr->kb, n->result);
    if (scratch && !scratch->reg) {
        MgIx subs[64];
        for (uint32_t i = 0; i < result->rank; i++)
            subs[i] = mg_ix_subst_indices(s->ix, piece->target[i].sub->ix, gr->with, MAX_LOOPS);
        MgIx address = mg_address(s, n->result, subs, result->rank, scratch->depth);
        if (x->type.dtype != result->dtype)
            x = mg_kcast(gr->kb.k, MG_PRIM_CAST, result->dtype, x);
        const MgKx *index = bound ? NULL : mg_point_strided(&p, address);
        if (!index)
            index = mg_kb_ix(&gr->kb, address, gr->loop);
        if (scratch->base)
            index = mg_kadd(gr->kb.k, index, mg_ksplat(gr->kb.k, scratch->base, index->type.lanes));
        mg_kstore(gr->kb.k, block, scratch->buf, index, bound ? x : mg_ksplat(gr->kb.k, x, p.lanes),
                  p.mask);
        return;
    }
    if (mg_unit_is_output(gr->unit, n->result))
        mg_point_store(&p, mg_kb_value(&gr->kb, n->result), result->dtype, mg_group_target(gr, n),
                       x);
    if (keep) {
        // A declared type narrower than the compute type rounds, also for readers in the group.
        if (x->type.dtype != result->dtype)
            x = mg_kcast(gr->kb.k, MG_PRIM_CAST, x->type.dtype,
                         mg_kcast(gr->kb.k, MG_PRIM_CAST, result->dtype, x));
        x = mg_klet_x(gr->kb.k, block, "r", x);
        mg_kb_define(&gr->kb, (MgLocal){.value = n->result, .reg = x});
    }
}

typedef struct PointBody {
    Group *gr;
    int vector;
    uint32_t lanes;
    uint32_t first, n; // nests
    bool keep;
} PointBody;

static void points(void *ctx, MgKBlock *block, const MgKx *mask) {
    PointBody *b = ctx;
    uint32_t sources = b->gr->kb.sources.len;
    for (uint32_t i = 0; i < b->n; i++)
        emit_point(b->gr, &b->gr->nests[b->first + i], block, b->vector, b->lanes, mask, b->keep);
    mg_kb_forget(&b->gr->kb, sources);
}

// Scalar points of the row: what every nest leaves without inner indices is a register of the row.
static void row_nest(Group *gr, uint32_t number, MgKBlock *block) {
    const Nest *n = &gr->nests[number];
    mg_group_enter(gr, n);
    uint32_t lanes = mg_group_lanes(gr, n, 1);
    int vector = mg_group_vector(gr, n, 1, gr->depth, n->piece->n_free, lanes, NULL);
    lanes = mg_group_widen(gr, n, 1, vector, lanes);
    if (n->piece->n_free == gr->depth) {
        emit_point(gr, n, block, vector, lanes, NULL, true);
        return;
    }
    MgKBlock *inner = block;
    for (uint32_t i = gr->depth; i < n->piece->n_free; i++)
        if ((int)i != vector)
            open_loop(gr, &inner, i, MG_LOOP_SERIAL);
    PointBody body = {gr, vector, lanes, number, 1, false};
    if (vector >= 0 && vector < (int)n->piece->n_free)
        vector_loop(gr, inner, (uint32_t)vector, lanes,
                    mg_kb_ix(&gr->kb, gr->low[vector], gr->loop),
                    mg_kb_ix(&gr->kb, gr->high[vector], gr->loop), points, &body);
    else
        points(&body, inner, NULL);
}

// Rows of values that stay inside live in a worker's scratch (or in the output itself, if they
// leave).
static void make_scratch(Group *gr) {
    MgSched *s = gr->s;
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        const Nest *n = &gr->nests[i];
        if (n->piece->n_free == gr->depth)
            continue;
        const MgValue *v = mg_value(s->g, n->result);
        MgLocal source = {.value = n->result};
        if (mg_unit_is_output(gr->unit, n->result)) {
            source.buf = mg_kb_value(&gr->kb, n->result);
        } else {
            MgIx count = mg_ix_product(s->ix, v->shape + gr->depth, v->rank - gr->depth);
            source.depth = gr->depth;
            source.buf = mg_kb_scratch(&gr->kb, mg_name(s->m->session->names, v->name), v->dtype,
                                       count, MG_SCOPE_WORKER, &source.base);
        }
        mg_kb_define(&gr->kb, source);
    }
}

// Opens the outer loops but `skip`, divided among the workers; returns the innermost block.
// The leading ones are flattened into one parallel loop, as many as give every worker enough trips.
static MgKBlock *open_outer(Group *gr, MgKBlock *block, int skip, bool parallel) {
    MgKernel *k = gr->kb.k;
    uint32_t live[MAX_LOOPS], n = 0;
    for (uint32_t i = 0; i < gr->depth; i++)
        if (!gr->collapsed[i] && (int)i != skip)
            live[n++] = i;
    uint32_t flat = 0;
    int64_t trips = 1;
    while (parallel && flat < n && trips < 16 * (int64_t)gr->s->p->max_workers)
        trips *= const_or(gr->s->ix, gr->high[live[flat++]], 8);
    if (flat == 1) {
        open_loop(gr, &block, live[0], MG_LOOP_PARALLEL);
    } else if (flat > 1) {
        const MgKx *total = mg_kint(k, 1);
        for (uint32_t i = 0; i < flat; i++)
            total =
                mg_kmul(k, total,
                        mg_kb_ix(&gr->kb, mg_ix_sub(gr->s->ix, gr->high[live[i]], gr->low[live[i]]),
                                 gr->loop));
        MgKs *loop = mg_kfor(k, block, MG_LOOP_PARALLEL, "t", mg_kint(k, 0), total, 1);
        block = &loop->body;
        const MgKx *left = mg_kvar(k, loop->var);
        for (uint32_t i = flat; i-- > 0;) {
            MgIx extent = mg_ix_sub(gr->s->ix, gr->high[live[i]], gr->low[live[i]]);
            const MgKx *size = mg_kb_ix(&gr->kb, extent, gr->loop),
                       *low = mg_kb_ix(&gr->kb, gr->low[live[i]], gr->loop);
            const MgKx *digit = i ? mg_kprim(k, MG_PRIM_FMOD, left, size, NULL) : left;
            gr->loop[live[i]] = mg_klet_x(k, block, "i", mg_kadd(k, digit, low));
            if (i)
                left = mg_klet_x(k, block, "t", mg_kprim(k, MG_PRIM_FDIV, left, size, NULL));
        }
    }
    for (uint32_t i = flat; i < n; i++)
        open_loop(gr, &block, live[i], MG_LOOP_SERIAL);
    return block;
}

// Work worth waking a second worker for: about 10 µs of it.
static bool worth_sharing(Group *gr) {
    MgIxTable *t = gr->s->ix;
    if (gr->s->options->target.gpu)
        return true;
    MgIx work = mg_ix_const(t, 0);
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        MgIx box = mg_ix_const(t, 1);
        for (uint32_t j = 0; j < gr->nests[i].piece->n_indices; j++)
            box = mg_ix_mul(t, box, extent_of(t, &gr->nests[i].piece->indices[j]));
        work = mg_ix_add(t, work, box);
    }
    return const_or(t, work, 1 << 30) >= 16384;
}

// All nests at one point of the outer box, values in registers.
static void emit_points(Group *gr, MgKBlock *block, bool parallel) {
    MgKernel *k = gr->kb.k;
    uint32_t lanes = mg_group_lanes(gr, gr->nests, gr->n_nests);
    int vector = mg_group_vector(gr, gr->nests, gr->n_nests, 0, gr->depth, lanes, NULL);
    lanes = mg_group_widen(gr, gr->nests, gr->n_nests, vector, lanes);
    PointBody body = {gr, vector, lanes, 0, gr->n_nests, true};
    bool free_vector = vector >= 0 && vector < (int)gr->depth;
    uint32_t others = 0;
    for (uint32_t i = 0; i < gr->depth; i++)
        others += !gr->collapsed[i] && (int)i != vector && const_or(gr->s->ix, gr->high[i], 2) > 1;
    if (!free_vector) {
        points(&body, open_outer(gr, block, -1, parallel), NULL);
        return;
    }
    const MgKx *low = mg_kb_ix(&gr->kb, gr->low[vector], gr->loop),
               *high = mg_kb_ix(&gr->kb, gr->high[vector], gr->loop);
    if (parallel && !others) { // one long loop: shared out in chunks
        int64_t chunk = 4096;
        const MgKx *n = mg_kprim(k, MG_PRIM_SUB, high, low, NULL);
        const MgKx *chunks = mg_kprim(k, MG_PRIM_FDIV, mg_kadd(k, n, mg_kint(k, chunk - 1)),
                                      mg_kint(k, chunk), NULL);
        MgKBlock *outer = open_outer(gr, block, vector, false);
        MgKs *loop = mg_kfor(k, outer, MG_LOOP_PARALLEL, "chunk", mg_kint(k, 0), chunks, 1);
        const MgKx *from =
            mg_klet_x(k, &loop->body, "from",
                      mg_kadd(k, low, mg_kmul(k, mg_kvar(k, loop->var), mg_kint(k, chunk))));
        const MgKx *to = mg_kprim(k, MG_PRIM_MIN, high, mg_kadd(k, from, mg_kint(k, chunk)), NULL);
        to = mg_klet_x(k, &loop->body, "to", to);
        vector_loop(gr, &loop->body, (uint32_t)vector, lanes, from, to, points, &body);
        return;
    }
    MgKBlock *inner = open_outer(gr, block, vector, parallel);
    vector_loop(gr, inner, (uint32_t)vector, lanes, low, high, points, &body);
}

// Would the reductions of a point group rather run along their own lanes, the rest being scalar?
static bool reduces_along_rows(Group *gr) {
    double across, along;
    uint32_t lanes = mg_group_lanes(gr, gr->nests, gr->n_nests);
    mg_group_vector(gr, gr->nests, gr->n_nests, 0, gr->depth, lanes, &across);
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        const Nest *n = &gr->nests[i];
        if (n->piece->n_indices == n->piece->n_free)
            continue;
        mg_group_enter(gr, n);
        mg_group_vector(gr, n, 1, gr->depth, gr->depth, lanes, &along);
        if (along < across)
            return true;
    }
    return false;
}

static void emit_group(Group *gr, MgKBlock *plan) {
    MgIxTable *t = gr->s->ix;
    MgKernel *k;
    bool rows = false, reduces = false;
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        rows |= gr->nests[i].piece->n_free > gr->depth;
        reduces |= gr->nests[i].piece->n_indices > gr->nests[i].piece->n_free;
    }
    mg_kb_begin(&gr->kb, gr->s, gr->unit, rows ? "row" : reduces ? "reduction" : "elementwise");
    k = gr->kb.k;
    const Nest *first = &gr->nests[0];
    for (uint32_t i = 0; i < MAX_LOOPS; i++) {
        gr->with[i] = mg_ix_idx(t, i);
        gr->low[i] = mg_ix_const(t, 0);
        gr->high[i] = mg_ix_const(t, 1); // an empty range would prove anything
        gr->loop[i] = mg_kint(k, 0);
    }
    for (uint32_t i = 0; i < first->piece->n_indices; i++) {
        gr->low[i] = first->piece->indices[i].low;
        gr->high[i] = first->piece->indices[i].high;
    }
    if (!rows && gr->n_nests > 1 && reduces && reduces_along_rows(gr))
        rows = true;
    if (rows)
        make_scratch(gr);
    bool parallel = worth_sharing(gr) && gr->depth > 0;
    MgKBlock *block = &k->body;
    if (!parallel) // one worker does it all
        block = &mg_kif(k, block,
                        mg_kprim(k, MG_PRIM_EQ, mg_kspecial(k, MG_KX_WORKER), mg_kint(k, 0), NULL))
                     ->body;
    if (rows) {
        MgKBlock *row = open_outer(gr, block, -1, parallel);
        for (uint32_t i = 0; i < gr->n_nests; i++)
            row_nest(gr, i, row);
    } else {
        if (gr->s->options->level > 0 && !reduces)
            mg_group_merge(gr);
        emit_points(gr, block, parallel);
    }
    mg_kb_end(&gr->kb, plan, gr->nests[gr->n_nests - 1].op);
}

static bool takes(MgGraph *g, const MgUnit *unit) {
    for (uint32_t i = 0; i < unit->n_ops; i++) {
        const MgOp *op = mg_op(g, unit->ops[i]);
        if (op->kind != MG_OP_EQUATION)
            return false;
        const MgEquation *e = op->equation;
        if (e->pieces[0].scatter || (e->n_pieces > 1 && unit->n_ops > 1))
            return false;
    }
    return true;
}

bool mg_schedule_group(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    if (!takes(s->g, unit))
        return false;
    const MgEquation *alone = mg_op(s->g, unit->ops[0])->equation;
    if (unit->n_ops == 1) { // each piece has a box, and a kernel, of its own
        for (uint32_t i = 0; i < alone->n_pieces; i++) {
            Group *gr = MG_NEW(s->arena, Group);
            Nest nest = {unit->ops[0], &alone->pieces[i], mg_op(s->g, unit->ops[0])->results[0]};
            *gr = (Group){.s = s, .unit = unit, .nests = &nest, .n_nests = 1};
            find_depth(gr);
            emit_group(gr, plan);
        }
        return true;
    }
    Group *gr = MG_NEW(s->arena, Group);
    *gr = (Group){.s = s,
                  .unit = unit,
                  .nests = MG_NEW_N(s->arena, Nest, unit->n_ops),
                  .n_nests = unit->n_ops};
    for (uint32_t i = 0; i < unit->n_ops; i++) {
        const MgOp *op = mg_op(s->g, unit->ops[i]);
        gr->nests[i] = (Nest){unit->ops[i], &op->equation->pieces[0], op->results[0]};
    }
    if (!find_depth(gr))
        return false;
    emit_group(gr, plan);
    return true;
}
