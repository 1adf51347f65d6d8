// A range of an index may end before it begins (sum[k in 0..N - 70] with a small N): then it is
// empty. Schedules multiply extents and split them into vectors, for which negative extents would
// be wrong. So before any schedule, unless a proof shows that this never happens, the end becomes
// the maximum of both ends. An end that follows another index is not changed, because scans
// recognise its form, and loops over it apply the same rule themselves (mg_lanes_loop).
#include "passes/schedule/schedule.h"

#include "ir/equation.h"

static void end_behind_begin(MgSched *s, const MgPiece *p, const MgIx *facts, uint32_t n_facts) {
    MgIxTable *t = s->ix;
    MgIxRanges none = {NULL, NULL, 0};
    for (uint32_t i = 0; i < p->n_indices; i++) {
        MgIndex *index = &p->indices[i];
        MgIx extent = mg_ix_sub(t, index->high, index->low);
        if (!mg_ix_mentions_index(t, extent) &&
            mg_ix_nonnegative(t, extent, &none, facts, n_facts) != MG_PROVED)
            index->high = mg_ix_max(t, index->low, index->high);
    }
}

void mg_ranges_not_negative(MgSched *s) {
    MgGraph *g = s->g;
    MgIx *facts;
    uint32_t n_facts = mg_graph_facts(g, s->arena, &facts);
    for (MgOpId id = 1; id < g->ops.len; id++) {
        const MgOp *op = mg_op(g, id);
        for (uint32_t p = 0; op->kind == MG_OP_EQUATION && p < op->equation->n_pieces; p++)
            end_behind_begin(s, &op->equation->pieces[p], facts, n_facts);
    }
}
