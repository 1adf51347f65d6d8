// Scatter equations: contributions to computed places, combined by the reducer.
//
// The target first becomes the base or the identity, then contributions are added in row-major
// order of the indices. Where a target subscript moves with an index, two values of that index
// never meet in one element. Such indices are shared out among workers: one of them on a CPU, all
// of them as one flat loop on a GPU. The others run in order inside, so results don't depend on
// threads. Where a GPU would have few items with long ways, contributions to a place are first
// brought together (gpu_scatter.c).
#include "passes/schedule/scatter.h"
#include "ir/equation.h"

// Is x the same for all values of the indices that aren't shared yet?
static bool is_fixed(const MgScatter *sc, const MgSx *x) {
    for (uint32_t i = 0; i < sc->piece->n_indices; i++)
        if (!(sc->shared >> i & 1) && mg_sx_mentions(sc->s->m, x, i))
            return false;
    return true;
}

// Is subscript x index i plus or minus something fixed? It then differs wherever i does.
static bool moves_with(const MgScatter *sc, const MgSx *x, uint32_t i) {
    MgIxTable *t = sc->s->ix;
    MgIx coefficient, rest;
    int64_t c;
    if (x->kind == MG_SX_IX) {
        if (!mg_ix_linear(t, x->ix, mg_ix_index(t, i), &coefficient, &rest) ||
            !mg_ix_is_const(t, coefficient, &c) || (c != 1 && c != -1))
            return false;
        const MgSx fixed = {.kind = MG_SX_IX, .dtype = x->dtype, .ix = rest};
        return is_fixed(sc, &fixed);
    }
    if (x->kind != MG_SX_PRIM || (x->prim != MG_PRIM_ADD && x->prim != MG_PRIM_SUB))
        return false;
    return (moves_with(sc, x->args[0], i) && is_fixed(sc, x->args[1])) ||
           (is_fixed(sc, x->args[0]) && moves_with(sc, x->args[1], i));
}

// The target subscript that lets different workers take the values of index i, besides the indices
// that are shared already; the rank if there is none.
static uint32_t subscript_that_moves(const MgScatter *sc, uint32_t i) {
    const MgIndex *index = &sc->piece->indices[i];
    uint32_t rank = mg_value(sc->s->g, sc->result)->rank, r = 0;
    if (mg_ix_mentions_index(sc->s->ix, index->low) || mg_ix_mentions_index(sc->s->ix, index->high))
        return rank;
    while (r < rank && !moves_with(sc, sc->piece->target[r].sub, i))
        r++;
    return r;
}

void mg_scatter_share(MgScatter *sc, uint32_t most) {
    uint32_t n = 0, by[64], rank = mg_value(sc->s->g, sc->result)->rank, *shared = sc->shared_ones;
    for (uint32_t i = 0; i < sc->piece->n_indices && n < most; i++) {
        uint32_t r = subscript_that_moves(sc, i), j = n;
        if (r == rank)
            continue;
        for (; j > 0 && by[j - 1] > r; j--) {
            shared[j] = shared[j - 1];
            by[j] = by[j - 1];
        }
        shared[j] = i;
        by[j] = r;
        sc->shared |= (uint64_t)1 << i;
        sc->moving |= (uint64_t)1 << r;
        n++;
    }
    sc->n_shared = n;
}

// A sum in 16-bit floats is kept in f32 and rounded once, at the end.
static void choose_sum(MgScatter *sc) {
    MgSched *s = sc->s;
    MgDType stored = mg_value(s->g, sc->result)->dtype;
    const MgKx *base;
    sc->sum = mg_kb_value(sc->kb, sc->result);
    sc->type = stored;
    if (mg_dtype(stored)->compute == stored || mg_reduce_order(sc->piece->reducer) != MG_ORDER_SUM)
        return;
    sc->type = mg_dtype(stored)->compute;
    MgIx elements = mg_bound_of(s, mg_value_elements(s->g, sc->result));
    sc->sum = mg_kb_scratch(sc->kb, "sum", sc->type, elements, MG_SCOPE_CALL, &base);
}

const MgKx *mg_scatter_trips(MgScatter *sc, MgKBlock **block, const MgKx *trips) {
    MgKernel *k = sc->kb->k;
    if (!sc->items) {
        MgKs *loop = mg_kfor(k, *block, MG_LOOP_PARALLEL, "i", mg_kint(k, 0), trips, 1);
        *block = &loop->body;
        return mg_kvar(k, loop->var);
    }
    const MgKx *items = mg_kint(k, sc->items), *groups = mg_kceil_div(k, trips, sc->items);
    k->items = sc->items;
    k->groups = k->groups ? mg_kprim(k, MG_PRIM_MAX, k->groups, groups, NULL) : groups;
    MgKs *loop = mg_kfor(k, *block, MG_LOOP_GROUP, "g", mg_kint(k, 0), groups, 1);
    const MgKx *i =
        mg_kadd(k, mg_kmul(k, mg_kvar(k, loop->var), items), mg_kspecial(k, MG_KX_LOCAL_ID));
    i = mg_klet_x(k, &loop->body, "i", i);
    *block = &mg_kif(k, &loop->body, mg_kprim(k, MG_PRIM_LT, i, trips, NULL))->body;
    return i;
}

// to[i] = from[i] in the type of `to`, one worker a block of elements; from NULL: the identity.
static void emit_copy(MgScatter *sc, MgKBlock *block, MgKBufId to, MgDType type,
                      const MgKBufId *from) {
    MgKernel *k = sc->kb->k;
    const MgKx *n = mg_kb_ix(sc->kb, mg_value_elements(sc->s->g, sc->result), sc->loop);
    const MgKx *i = mg_scatter_trips(sc, &block, n), *x;
    if (from)
        x = mg_kload(k, *from, i, 1, NULL, NULL);
    else
        x = mg_reduce_identity(k, sc->piece->reducer, mg_kt(mg_dtype(type)->compute, 1));
    if (x->type.dtype != type)
        x = mg_kcast(k, MG_PRIM_CAST, type, x);
    mg_kstore(k, block, to, i, x, NULL);
}

// Fills the sum with the base's elements or the identity.
static void emit_fill(MgScatter *sc, MgKBlock *block) {
    MgKBufId from = sc->base ? mg_kb_value(sc->kb, sc->base) : 0;
    if (sc->base && from == sc->sum)
        return; // in place
    emit_copy(sc, block, sc->sum, sc->type, sc->base ? &from : NULL);
}
static const MgKx *both(MgKernel *k, const MgKx *a, const MgKx *b) {
    return a ? mg_kprim(k, MG_PRIM_AND, a, b, NULL) : b;
}

MgPoint mg_scatter_point(MgScatter *sc, MgKBlock *block) {
    return (MgPoint){.kb = sc->kb,
                     .op = sc->op,
                     .block = block,
                     .with = sc->with,
                     .n_with = 64,
                     .loop = sc->loop,
                     .vector = -1,
                     .lanes = 1,
                     .ranges = {sc->low, sc->high, 64}};
}

const MgKx *mg_scatter_place(MgScatter *sc, MgPoint *p, uint64_t which) {
    MgKernel *k = sc->kb->k;
    MgKBlock *block = p->block;
    const MgValue *result = mg_value(sc->s->g, sc->result);
    const MgKx *address = mg_kint(k, 0), *inside = NULL, *outside[64] = {NULL}, *subs[64];
    for (uint32_t r = 0; r < result->rank; r++) {
        if (!(which >> r & 1))
            continue;
        const MgKx *extent = mg_kb_ix(sc->kb, result->shape[r], sc->loop);
        const MgKx *sub = mg_klet_x(k, block, "sub", mg_point_expr(p, sc->piece->target[r].sub));
        if (sc->piece->write != MG_BOUNDS_PROVED) {
            const MgKx *in = both(k, mg_kprim(k, MG_PRIM_GE, sub, mg_kint(k, 0), NULL),
                                  mg_kprim(k, MG_PRIM_LT, sub, extent, NULL));
            inside = both(k, inside, in);
            outside[r] = mg_kprim(k, MG_PRIM_NOT, in, NULL, NULL);
            subs[r] = sub;
        }
        address = mg_kadd(k, mg_kmul(k, address, extent), sub);
    }
    if (inside) {
        inside = mg_klet_x(k, block, "inside", inside);
        MgKs *branch = mg_kif(k, block, inside);
        for (uint32_t r = 0; r < result->rank && sc->piece->write == MG_BOUNDS_CHECKED; r++)
            if (which >> r & 1)
                mg_ktrap(k, &mg_kif(k, &branch->orelse, outside[r])->body,
                         mg_kb_trap_subscript(sc->kb, sc->op, sc->result, r), subs[r]);
        p->block = &branch->body;
        p->memo_on = false;
    }
    return mg_klet_x(k, p->block, "at", address);
}

void mg_scatter_combine(MgScatter *sc, MgPoint *p, MgKBufId sum, const MgKx *at) {
    MgKernel *k = sc->kb->k;
    const MgKx *x = mg_ksplat(k, mg_point_expr(p, sc->piece->expr), p->lanes);
    if (sc->piece->reducer != MG_REDUCE_LAST) {
        const MgKx *none = p->mask ? mg_kconst(k, mg_kt(sc->type, p->lanes), 0) : NULL;
        const MgKx *old = mg_kload(k, sum, at, p->lanes, p->mask, none);
        if (sc->type != x->type.dtype)
            old = mg_kcast(k, MG_PRIM_CAST, x->type.dtype, old);
        x = mg_reduce_step(k, sc->piece->reducer, old, x);
    }
    if (sc->type != x->type.dtype)
        x = mg_kcast(k, MG_PRIM_CAST, sc->type, x);
    mg_kstore(k, p->block, sum, at, x, p->mask);
}

// target[subs] = target[subs] combined with expr, at the open point.
static void emit_contribution(MgScatter *sc, MgKBlock *block) {
    MgPoint p = mg_scatter_point(sc, block);
    const MgKx *at = mg_scatter_place(sc, &p, UINT64_MAX);
    mg_scatter_combine(sc, &p, sc->sum, at);
}

MgKDigit mg_scatter_digit(MgScatter *sc, uint32_t index) {
    const MgKx *low = mg_kb_ix(sc->kb, sc->low[index], sc->loop);
    const MgKx *high = mg_kb_ix(sc->kb, sc->high[index], sc->loop);
    return (MgKDigit){index, low, mg_kprim(sc->kb->k, MG_PRIM_SUB, high, low, NULL)};
}

MgKBlock *mg_scatter_loop(MgScatter *sc, MgKBlock *block, MgLoopKind kind, uint32_t index) {
    const MgKx *low = mg_kb_ix(sc->kb, sc->low[index], sc->loop);
    MgKs *loop =
        mg_kfor(sc->kb->k, block, kind, "i", low, mg_kb_ix(sc->kb, sc->high[index], sc->loop), 1);
    sc->loop[index] = mg_kvar(sc->kb->k, loop->var);
    return &loop->body;
}

// One parallel loop over all values of n indices. The last one changes fastest.
static MgKBlock *open_flat(MgScatter *sc, MgKBlock *block, const uint32_t *which, uint32_t n) {
    MgKernel *k = sc->kb->k;
    MgKDigit digits[64];
    const MgKx *trips = mg_kint(k, 1);
    for (uint32_t j = 0; j < n; j++) {
        digits[j] = mg_scatter_digit(sc, which[j]);
        digits[j].size = mg_kprim(k, MG_PRIM_MAX, digits[j].size, mg_kint(k, 0), NULL);
        trips = mg_kmul(k, trips, digits[j].size);
    }
    MgKs *loop = mg_kfor(k, block, MG_LOOP_PARALLEL, "flat", mg_kint(k, 0), trips, 1);
    mg_kb_digits(sc->kb, &loop->body, digits, n, mg_kvar(k, loop->var), sc->loop);
    return &loop->body;
}

MgKBlock *mg_scatter_inner(MgScatter *sc, MgKBlock *block, uint64_t but) {
    for (uint32_t i = 0; i < sc->piece->n_indices; i++)
        if (!(but >> i & 1))
            block = mg_scatter_loop(sc, block, MG_LOOP_SERIAL, i);
    return block;
}

// Opens loops over all indices: shared ones outside, then the others in order.
static MgKBlock *open_loops(MgScatter *sc, MgKBlock *block) {
    MgKernel *k = sc->kb->k;
    uint32_t n = sc->n_shared;
    if (n == 0 && sc->piece->n_indices > 0)
        block = &mg_kif(k, block,
                        mg_kprim(k, MG_PRIM_EQ, mg_kspecial(k, MG_KX_WORKER), mg_kint(k, 0), NULL))
                     ->body;
    else if (n == 1)
        block = mg_scatter_loop(sc, block, MG_LOOP_PARALLEL, sc->shared_ones[0]);
    else if (n > 1)
        block = open_flat(sc, block, sc->shared_ones, n);
    return mg_scatter_inner(sc, block, sc->shared);
}

bool mg_schedule_scatter(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    const MgOp *op = mg_op(s->g, unit->ops[0]);
    if (unit->n_ops != 1 || op->kind != MG_OP_EQUATION || !op->equation->pieces[0].scatter)
        return false;
    MgKb kb;
    mg_kb_begin(&kb, s, unit, "scatter");
    MgScatter sc = {.s = s,
                    .kb = &kb,
                    .piece = &op->equation->pieces[0],
                    .op = unit->ops[0],
                    .result = op->results[0]};
    sc.base = op->equation->has_base ? op->operands[op->n_operands - 1] : MG_NONE;
    for (uint32_t i = 0; i < 64; i++) {
        bool used = i < sc.piece->n_indices;
        sc.with[i] = mg_ix_idx(s->ix, i);
        sc.low[i] = used ? sc.piece->indices[i].low : mg_ix_const(s->ix, 0);
        sc.high[i] = used ? sc.piece->indices[i].high : mg_ix_const(s->ix, 1);
        sc.loop[i] = mg_kint(kb.k, 0);
    }
    MgKernel *k = kb.k;
    choose_sum(&sc);
    mg_scatter_share(&sc, s->options->target.gpu ? 64 : 1);
    bool together = s->options->target.gpu && mg_gpu_scatter_begin(&sc);
    emit_fill(&sc, &k->body);
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    if (together)
        mg_gpu_scatter(&sc);
    else if (!mg_scatter_by_lanes(&sc, &k->body))
        emit_contribution(&sc, open_loops(&sc, &k->body));
    MgKBufId target = mg_kb_value(&kb, sc.result);
    if (sc.sum != target) {
        mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
        emit_copy(&sc, &k->body, target, mg_value(s->g, sc.result)->dtype, &sc.sum);
    }
    mg_kb_end(&kb, plan, unit->ops[0]);
    return true;
}
