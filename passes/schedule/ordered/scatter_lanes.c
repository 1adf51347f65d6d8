// Lanes of a scatter: two values of a shared index never go to the same element. If the last
// subscript moves with it by one, adjacent values go to adjacent elements, so a vector of them is
// combined at once. The other subscripts, which may depend on data, are evaluated once for all of
// them.
#include "ir/equation.h"
#include "passes/schedule/ordered/scatter.h"
#include "passes/schedule/words.h"

static uint32_t last_of(const MgScatter *sc) {
    return mg_value(sc->s->g, sc->result)->rank - 1;
}

static bool lies_along(const MgScatter *sc, uint32_t index) {
    MgIxTable *t = sc->s->ix;
    uint32_t last = last_of(sc), n = sc->piece->n_indices, n_facts;
    const MgSx *sub = sc->piece->target[last].sub;
    MgIx low[MG_FORM_SYMS], high[MG_FORM_SYMS], *facts;
    MgIxRanges ranges = {low, high, n};
    n_facts = mg_graph_facts(sc->s->g, sc->s->arena, &facts);
    for (uint32_t i = 0; i < n; i++) {
        low[i] = sc->piece->indices[i].low;
        high[i] = sc->piece->indices[i].high;
    }
    for (uint32_t r = 0; r < last; r++)
        if (mg_sx_mentions(sc->s->m, sc->piece->target[r].sub, index))
            return false;
    return sub->kind == MG_SX_IX && mg_moves_by_one(t, sub->ix, mg_ix_index(t, index)) &&
           mg_inside(t, sub->ix, mg_value(sc->s->g, sc->result)->shape[last], &ranges, facts,
                     n_facts) == MG_PROVED;
}

bool mg_scatter_takes_lanes(const MgScatter *sc, uint32_t index) {
    return mg_kb_lanes(&sc->kb, sc->type) > 1 && mg_dtype_size(sc->type) >= 4 &&
           sc->apart.set >> index & 1 && lies_along(sc, index);
}

typedef struct Lanes {
    MgScatter *sc;
    const MgKx *row; // the number of the other subscripts
} Lanes;

static void combine(void *ctx, MgKBlock *block, const MgKx *mask) {
    const Lanes *l = ctx;
    MgScatter *sc = l->sc;
    MgKernel *k = sc->kb.k;
    uint32_t last = last_of(sc);
    MgPoint first = mg_scatter_point(sc, block), p = first;
    const MgKx *extent =
        mg_kb_ix(&sc->kb, mg_value(sc->s->g, sc->result)->shape[last], sc->at.loop);
    const MgKx *sub = mg_point_expr(&first, sc->piece->target[last].sub);
    const MgKx *at = add(k, mul(k, l->row, extent), sub);
    p.vector = (int)sc->lane;
    p.lanes = sc->lanes;
    p.mask = mask;
    mg_scatter_combine(sc, &p, sc->sum, named(k, block, "at", at));
}

void mg_scatter_by_lanes(MgScatter *sc, MgKBlock *block) {
    Lanes l = {.sc = sc};
    MgKernel *k = sc->kb.k;
    const MgKx *begin = mg_kb_ix(&sc->kb, sc->at.low[sc->lane], sc->at.loop),
               *end = mg_kb_ix(&sc->kb, sc->at.high[sc->lane], sc->at.loop), *number;
    uint64_t open = (uint64_t)1 << sc->lane;
    bool whole = mg_form_extent(sc->s, &sc->piece->indices[sc->lane]) % sc->lanes == 0;
    if (sc->n_shared) {
        block = mg_loops_flat(&sc->at, &sc->kb, block, sc->shared_ones, 1,
                              mg_ix_const(sc->s->ix, 1), true, &number);
        open |= (uint64_t)1 << sc->shared_ones[0];
    } else {
        const MgKx *size = num(k, sc->chunk);
        Loop chunks = loop_of(k, block, MG_LOOP_PARALLEL, "first", begin, end, sc->chunk);
        block = chunks.body;
        begin = chunks.at;
        end = named(k, block, "end", least(k, add(k, begin, size), end));
    }
    sc->at.loop[sc->lane] = begin;
    MgPoint p = mg_scatter_point(sc, mg_scatter_inner(sc, block, open));
    l.row = mg_point_place(&p, sc->piece, ((uint64_t)1 << last_of(sc)) - 1);
    mg_lanes_loop(k, p.block, &sc->at.loop[sc->lane], begin, end, sc->lanes, whole, combine, &l);
}
