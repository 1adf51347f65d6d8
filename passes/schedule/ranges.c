// A range of an index may end before it begins (sum[k in 0..N - 70] with a small N): then it is
// empty. Schedules multiply extents and split them into vectors, for which negative extents would
// be wrong. So schedules see a graph in which such an end is the maximum of both ends, unless a
// proof shows that this never happens. An end that follows another index is not changed, because
// scans recognise its form, and loops over it apply the same rule themselves (mg_lanes_loop).
#include "passes/schedule/schedule.h"

#include "ir/equation.h"

typedef struct Ranges {
    MgIxTable *ix;
    MgArena *arena;
    const MgIx *facts;
    uint32_t n_facts;
} Ranges;

static bool may_end_before(const Ranges *r, const MgIndex *index) {
    MgIxRanges none = {NULL, NULL, 0};
    MgIx extent = mg_ix_sub(r->ix, index->high, index->low);
    return !mg_ix_mentions_index(r->ix, extent) &&
           mg_ix_nonnegative(r->ix, extent, &none, r->facts, r->n_facts) != MG_PROVED;
}

static bool has_such_range(const Ranges *r, const MgOp *op) {
    for (uint32_t p = 0; op->kind == MG_OP_EQUATION && p < op->equation->n_pieces; p++)
        for (uint32_t i = 0; i < op->equation->pieces[p].n_indices; i++)
            if (may_end_before(r, &op->equation->pieces[p].indices[i]))
                return true;
    return false;
}

static MgEquation *with_ends(const Ranges *r, const MgEquation *from) {
    MgEquation *e = mg_arena_copy(r->arena, from, 1, sizeof *from);
    e->pieces = mg_arena_copy(r->arena, from->pieces, from->n_pieces, sizeof *from->pieces);
    for (uint32_t k = 0; k < e->n_pieces; k++) {
        MgPiece *p = &e->pieces[k];
        p->indices = mg_arena_copy(r->arena, p->indices, p->n_indices, sizeof *p->indices);
        for (uint32_t i = 0; i < p->n_indices; i++)
            if (may_end_before(r, &p->indices[i]))
                p->indices[i].high = mg_ix_max(r->ix, p->indices[i].low, p->indices[i].high);
    }
    return e;
}

MgGraph *mg_ranges_not_negative(MgGraph *g, MgArena *arena) {
    MgIx *facts;
    uint32_t n_facts = mg_graph_facts(g, arena, &facts);
    Ranges r = {g->module->ix, arena, facts, n_facts};
    MgGraph *made = g;
    for (MgOpId id = 1; id < g->ops.len; id++) {
        if (!has_such_range(&r, mg_op(g, id)))
            continue;
        made = made == g ? mg_graph_with_ops(g) : made;
        mg_op(made, id)->equation = with_ends(&r, mg_op(g, id)->equation);
    }
    return made;
}
