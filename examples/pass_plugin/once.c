// once: what changes nothing when it is done again is done once: floor(floor(x)) is floor(x).
//
// Needs: nothing. Keeps: every bit. Ends: each rewrite takes the uses of one value for good.
#include "passes/plugin.h"

// Is each element of the op's result made of the same element of an operand of its type?
static bool same_place(MgGraph *g, const MgOp *op, const MgSx *read) {
    const MgValue *x = mg_value(g, op->operands[0]), *y = mg_value(g, op->results[0]);
    bool same = x->dtype == y->dtype && x->rank == y->rank;
    for (uint32_t k = 0; same && k < x->rank; k++)
        same = x->shape[k] == y->shape[k] && read->args[k]->kind == MG_SX_IX &&
               read->args[k]->ix == mg_ix_idx(g->module->ix, k);
    return same;
}

// The f of an op y[i, …] = f(x[i, …]) with f(f(x)) = f(x), or NULL.
static const MgSx *idempotent(MgGraph *g, MgOpId id) {
    const MgOp *op = mg_op(g, id);
    if (op->kind != MG_OP_EQUATION || op->n_operands != 1 || !mg_traits(g, id).elementwise)
        return NULL;
    const MgSx *f = op->equation->pieces[0].expr;
    bool again = f->kind == MG_SX_PRIM &&
                 (f->prim == MG_PRIM_FLOOR || f->prim == MG_PRIM_CEIL || f->prim == MG_PRIM_ABS);
    if (!again || f->args[0]->kind != MG_SX_READ)
        return NULL;
    return same_place(g, op, f->args[0]) ? f : NULL;
}

static bool mg_pass_once(MgGraph *g, MgPassContext *context) {
    bool changed = false;
    for (MgOpId id = 1; id < g->ops.len; id++) {
        const MgSx *f = idempotent(g, id);
        MgOpId before = f ? mg_value(g, mg_op(g, id)->operands[0])->def : MG_NONE;
        const MgSx *first = before ? idempotent(g, before) : NULL;
        if (!first || !mg_sx_equal(f, first) || !mg_pass_may(context, id))
            continue;
        mg_replace_uses(g, mg_op(g, id)->results[0], mg_op(g, before)->results[0]);
        changed = true;
    }
    return changed;
}

MG_PASS_PLUGIN({"once", mg_pass_once, 1, "what changes nothing again is done once"})
