// An anchor (a contraction, a window, an attention) and the elementwise equations behind it: do
// they fit, and what becomes of the anchor's finished value at one point or a vector of points.
#include "passes/schedule/schedule.h"

MgIx mg_unit_target(MgSched *s, MgOpId op, const MgIx *with, uint32_t n_with) {
    MgValueId v = mg_op(s->g, op)->results[0];
    const MgPiece *p = &mg_op(s->g, op)->equation->pieces[0];
    MgIx subs[64];
    for (uint32_t i = 0; i < mg_value(s->g, v)->rank; i++)
        subs[i] = with ? mg_ix_subst_indices(s->ix, p->target[i].sub->ix, with, n_with)
                       : p->target[i].sub->ix;
    return mg_address(s, v, subs, mg_value(s->g, v)->rank, 0);
}

static bool same_box(const MgPiece *a, const MgPiece *b) {
    if (a->n_free != b->n_free)
        return false;
    for (uint32_t i = 0; i < a->n_free; i++)
        if (a->indices[i].low != b->indices[i].low || a->indices[i].high != b->indices[i].high)
            return false;
    return true;
}

bool mg_unit_has_epilogue(MgSched *s, const MgUnit *unit) {
    MgGraph *g = s->g;
    const MgPiece *first = &mg_op(g, unit->ops[0])->equation->pieces[0];
    for (uint32_t o = 0; o < unit->n_ops; o++) {
        const MgOp *op = mg_op(g, unit->ops[o]);
        if (op->kind != MG_OP_EQUATION || op->equation->n_pieces != 1)
            return false;
        const MgPiece *p = &op->equation->pieces[0];
        uint32_t rank = mg_value(g, op->results[0])->rank;
        if (!same_box(first, p) || p->scatter ||
            (o && (p->n_indices != p->n_free || rank != p->n_free)))
            return false;
        for (uint32_t i = 0; o && i < rank; i++)
            if (p->target[i].sub->kind != MG_SX_IX || p->target[i].sub->ix != mg_ix_idx(s->ix, i))
                return false;
    }
    return mg_unit_reads_in_place(s, unit, first->n_free);
}

void mg_kb_epilogue(const MgPoint *at, const MgKx *x) {
    MgKb *kb = at->kb;
    MgKernel *k = kb->k;
    MgGraph *g = kb->s->g;
    uint32_t locals = kb->sources.len;
    for (uint32_t o = kb->anchor; o < kb->unit->n_ops; o++) {
        const MgOp *op = mg_op(g, kb->unit->ops[o]);
        MgValueId result = op->results[0];
        MgDType storage = mg_value(g, result)->dtype;
        MgPoint p = *at;
        p.op = kb->unit->ops[o];
        p.memo_on = false;
        if (o > kb->anchor)
            x = mg_point_expr(&p, op->equation->pieces[0].expr);
        x = mg_klet_x(k, p.block, "x", mg_ksplat(k, x, p.lanes));
        if (mg_unit_is_output(kb->unit, result))
            mg_point_store(&p, mg_kb_value(kb, result), storage,
                           mg_unit_target(kb->s, p.op, p.with, p.n_with), x);
        if (x->type.dtype != storage) // readers see the declared type
            x = mg_klet_x(
                k, p.block, "x",
                mg_kcast(k, MG_PRIM_CAST, x->type.dtype, mg_kcast(k, MG_PRIM_CAST, storage, x)));
        mg_kb_define(kb, (MgLocal){.value = result, .reg = x});
    }
    mg_kb_forget(kb, locals);
}
