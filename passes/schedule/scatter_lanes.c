// Lanes of a scatter: two values of a shared index never go to the same element. If the last
// subscript moves with it by one, adjacent values go to adjacent elements, so a vector of them is
// combined at once. The other subscripts, which may depend on data, are evaluated once for all of
// them.
#include "ir/equation.h"
#include "passes/schedule/scatter.h"

enum { CHUNK = 8 }; // vectors that a worker takes at once

static uint32_t last_of(const MgScatter *sc) {
    return mg_value(sc->s->g, sc->result)->rank - 1;
}

// Does the last subscript alone move with index i, by one, and stay inside?
static bool lies_along(const MgScatter *sc, uint32_t i) {
    MgIxTable *t = sc->s->ix;
    uint32_t last = last_of(sc);
    const MgSx *sub = sc->piece->target[last].sub;
    MgIxRanges ranges = {sc->low, sc->high, 64};
    MgIx *facts;
    uint32_t n_facts = mg_graph_facts(sc->s->g, sc->s->arena, &facts);
    for (uint32_t r = 0; r < last; r++)
        if (mg_sx_mentions(sc->s->m, sc->piece->target[r].sub, i))
            return false;
    return sub->kind == MG_SX_IX && mg_moves_by_one(t, sub->ix, mg_ix_index(t, i)) &&
           mg_inside(t, sub->ix, mg_value(sc->s->g, sc->result)->shape[last], &ranges, facts,
                     n_facts) == MG_PROVED;
}

typedef struct Lanes {
    MgScatter *sc;
    uint32_t index, lanes;
    const MgKx *row; // the number of the other subscripts
} Lanes;

// The index to run along the lanes is that of the last subscript; the first of the others is
// shared out.
static bool find(Lanes *l) {
    MgScatter *sc = l->sc;
    MgScatter all = *sc;
    int64_t n;
    l->lanes = mg_kb_lanes(sc->kb, sc->type);
    if (sc->s->options->target.gpu || l->lanes < 2 || mg_dtype_size(sc->type) < 4)
        return false;
    all.shared = all.moving = 0;
    mg_scatter_share(&all, 64);
    l->index = all.n_shared ? all.shared_ones[all.n_shared - 1] : 0;
    if (!all.n_shared || !lies_along(&all, l->index))
        return false;
    MgIx extent = mg_ix_sub(sc->s->ix, sc->high[l->index], sc->low[l->index]);
    if (mg_ix_is_const(sc->s->ix, extent, &n) && n < l->lanes)
        return false;
    sc->n_shared = all.n_shared > 1;
    sc->shared_ones[0] = all.shared_ones[0];
    return true;
}

static void combine(const Lanes *l, MgKBlock *block, const MgKx *mask) {
    MgScatter *sc = l->sc;
    MgKernel *k = sc->kb->k;
    uint32_t last = last_of(sc);
    MgPoint first = mg_scatter_point(sc, block), p = first;
    const MgKx *extent = mg_kb_ix(sc->kb, mg_value(sc->s->g, sc->result)->shape[last], sc->loop);
    const MgKx *sub = mg_point_expr(&first, sc->piece->target[last].sub);
    const MgKx *at = mg_kadd(k, mg_kmul(k, l->row, extent), sub);
    p.vector = (int)l->index;
    p.lanes = l->lanes;
    p.mask = mask;
    mg_scatter_combine(sc, &p, sc->sum, mg_klet_x(k, block, "at", at));
}

// From `begin` to `end`: whole vectors, then those of the last one that there are.
static void combine_all(Lanes *l, MgKBlock *block, const MgKx *begin, const MgKx *end) {
    MgScatter *sc = l->sc;
    MgKernel *k = sc->kb->k;
    const MgKx *lanes = mg_kint(k, l->lanes), *n = mg_kprim(k, MG_PRIM_SUB, end, begin, NULL);
    const MgKx *vectors = mg_kprim(k, MG_PRIM_FDIV, n, lanes, NULL);
    const MgKx *whole = mg_kadd(k, begin, mg_kmul(k, vectors, lanes));
    whole = mg_klet_x(k, block, "whole", whole);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "v", begin, whole, l->lanes);
    sc->loop[l->index] = mg_kvar(k, loop->var);
    combine(l, &loop->body, NULL);
    MgIx extent = mg_ix_sub(sc->s->ix, sc->high[l->index], sc->low[l->index]);
    int64_t known;
    if (mg_ix_is_const(sc->s->ix, extent, &known) && known % l->lanes == 0)
        return;
    MgKs *rest = mg_kif(k, block, mg_kprim(k, MG_PRIM_LT, whole, end, NULL));
    const MgKx *lane = mg_kramp(k, whole, mg_kint(k, 1), l->lanes);
    const MgKx *mask = mg_kprim(k, MG_PRIM_LT, lane, mg_ksplat(k, end, l->lanes), NULL);
    sc->loop[l->index] = whole;
    combine(l, &rest->body, mg_klet_x(k, &rest->body, "mask", mask));
}

bool mg_scatter_by_lanes(MgScatter *sc, MgKBlock *block) {
    Lanes l = {.sc = sc};
    if (!find(&l))
        return false;
    MgKernel *k = sc->kb->k;
    const MgKx *begin = mg_kb_ix(sc->kb, sc->low[l.index], sc->loop),
               *end = mg_kb_ix(sc->kb, sc->high[l.index], sc->loop);
    uint64_t open = (uint64_t)1 << l.index;
    if (sc->n_shared) {
        block = mg_scatter_loop(sc, block, MG_LOOP_PARALLEL, sc->shared_ones[0]);
        open |= (uint64_t)1 << sc->shared_ones[0];
    } else {
        const MgKx *size = mg_kint(k, CHUNK * l.lanes);
        MgKs *chunks = mg_kfor(k, block, MG_LOOP_PARALLEL, "first", begin, end, CHUNK * l.lanes);
        block = &chunks->body;
        begin = mg_kvar(k, chunks->var);
        end = mg_kprim(k, MG_PRIM_MIN, mg_kadd(k, begin, size), end, NULL);
        end = mg_klet_x(k, block, "end", end);
    }
    sc->loop[l.index] = begin;
    MgPoint p = mg_scatter_point(sc, mg_scatter_inner(sc, block, open));
    l.row = mg_scatter_place(sc, &p, ((uint64_t)1 << last_of(sc)) - 1);
    combine_all(&l, p.block, begin, end);
    return true;
}
