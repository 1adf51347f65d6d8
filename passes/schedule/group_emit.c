// What a group computes at one point of its loops, whoever opens these: reductions, elements in
// registers, scratch or memory.
#include "passes/schedule/group.h"

#include <stdio.h>

// The type that a reduction accumulates in: f64 for float sums in the interpreter's order, else the
// value's own.
MgDType mg_group_accumulator(const MgScheduleOptions *o, const MgPiece *p) {
    bool sum = mg_reducer(p->reducer)->order == MG_ORDER_SUM;
    bool exact = o->level == 0 || o->strict;
    return sum && exact && mg_is_float(p->expr->dtype) ? MG_F64 : p->expr->dtype;
}

MgPoint mg_group_point(Group *gr, const Nest *n, MgKBlock *block, int vector, uint32_t lanes,
                       const MgKx *mask) {
    MgPoint p = {.kb = &gr->kb,
                 .op = n->op,
                 .block = block,
                 .with = gr->with,
                 .n_with = MAX_LOOPS,
                 .loop = gr->loop,
                 .vector = vector,
                 .lanes = vector < 0 ? 1 : lanes,
                 .mask = mask,
                 .ranges = {gr->low, gr->high, MAX_LOOPS},
                 .memo_on = gr->n_given > 0};
    if (gr->n_given)
        mg_map_init(&p.memo, gr->s->arena);
    for (uint32_t i = 0; i < gr->n_given; i++)
        if (gr->given[i].nest == n)
            mg_map_put(&p.memo, (uint64_t)(uintptr_t)gr->given[i].read,
                       (uint64_t)(uintptr_t)gr->given[i].lanes);
    return p;
}

const MgKx *mg_group_open(Group *gr, MgKBlock **block, uint32_t sym, MgLoopKind kind) {
    MgKernel *k = gr->kb.k;
    char name[16];
    snprintf(name, sizeof name, "i%u", sym);
    const MgKx *low = mg_kb_ix(&gr->kb, gr->low[sym], gr->loop);
    const MgKx *high = mg_kb_ix(&gr->kb, gr->high[sym], gr->loop);
    MgKs *loop = mg_kfor(k, *block, kind, name, low, high, 1);
    *block = &loop->body;
    return gr->loop[sym] = mg_kvar(k, loop->var);
}

void mg_group_lanes_loop(Group *gr, MgKBlock *block, uint32_t v, uint32_t lanes, const MgKx *low,
                         const MgKx *high, MgLanesFn *body, void *ctx) {
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
    MgPoint p =
        mg_group_point(gr, r->nest, block, r->vector, r->lanes, bound ? mask : r->outer_mask);
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
                    gr->s->options->level >= 2 && mg_contracts(gr->s->options);
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
static const MgKx *reduce(Group *gr, const Nest *n, MgKBlock *block, int vector, uint32_t lanes,
                          const MgKx *mask) {
    MgKernel *k = gr->kb.k;
    const MgPiece *piece = n->piece;
    bool bound = vector >= (int)piece->n_free;
    Reduction r = {.gr = gr, .nest = n, .vector = vector, .lanes = lanes, .outer_mask = mask};
    r.type = mg_kt(mg_group_accumulator(gr->s->options, piece), vector < 0 ? 1 : lanes);
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
            mg_group_open(gr, &inner, b, MG_LOOP_SERIAL);
    if (bound)
        mg_group_lanes_loop(gr, inner, (uint32_t)vector, lanes,
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
void mg_group_emit(Group *gr, const Nest *n, MgKBlock *block, int vector, uint32_t lanes,
                   const MgKx *mask, bool keep) {
    MgSched *s = gr->s;
    const MgPiece *piece = n->piece;
    const MgValue *result = mg_value(s->g, n->result);
    mg_group_enter(gr, n);
    bool bound = vector >= (int)piece->n_free;
    MgPoint p = mg_group_point(gr, n, block, bound ? -1 : vector, lanes, bound ? NULL : mask);
    const MgKx *x;
    if (piece->n_indices > piece->n_free)
        x = reduce(gr, n, block, vector, lanes, mask);
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

void mg_group_points(void *ctx, MgKBlock *block, const MgKx *mask) {
    MgPoints *b = ctx;
    uint32_t sources = b->gr->kb.sources.len;
    for (uint32_t i = 0; i < b->n; i++)
        mg_group_emit(b->gr, &b->gr->nests[b->first + i], block, b->vector, b->lanes, mask,
                      b->keep);
    mg_kb_forget(&b->gr->kb, sources);
}
