// ones: an output that is computed from a sum of products has no index where an axis has one point.
//
// y[n in 0..1, m, i] = s[m, i] + b[m] becomes y[0, m, i] = s[m, i] + b[m]: over the box of the sum,
// so that it can be its epilogue. An output's axes are seen from outside and stay (inner values
// have lost theirs by squeeze); only the index goes.
//
// Needs: to run after all that looks for equations over the plain indices of their results, and
// before fuse. Keeps: every shape and element; outputs that others read keep their indices. Each
// index goes once, so it ends.
#include "passes/rewrite.h"

static bool follows_product(MgGraph *g, const MgOp *op) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const MgValue *v = mg_value(g, op->operands[i]);
        const MgOp *def = v->def ? mg_op(g, v->def) : NULL;
        if (def && def->kind == MG_OP_EQUATION && def->equation->n_pieces == 1 &&
            v->rank < mg_value(g, op->results[0])->rank &&
            mg_piece_is_product(g->module, &def->equation->pieces[0]))
            return true;
    }
    return false;
}

static bool is_candidate(MgGraph *g, const MgOp *op) {
    if (op->kind != MG_OP_EQUATION || op->equation->n_pieces != 1 || op->equation->has_base)
        return false;
    const MgPiece *p = &op->equation->pieces[0];
    return p->reducer == MG_REDUCE_NONE && p->n_free > 1 &&
           mg_piece_is_plain(g, p, op->results[0]) && follows_product(g, op);
}

bool mg_pass_ones(MgGraph *g, MgPassContext *context) {
    MgIx one = mg_ix_const(g->module->ix, 1);
    uint32_t *uses = mg_use_counts(g, context->scratch);
    bool changed = false;
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        MgValueId y = g->outputs.at[i].value;
        MgOpId id = mg_value(g, y)->def;
        if (!id || uses[y] > 1 || !is_candidate(g, mg_op(g, id)))
            continue;
        MgPiece *p = &mg_op(g, id)->equation->pieces[0];
        for (uint32_t k = 0; k < p->n_free && p->n_free > 1;)
            if (p->indices[k].high == one && mg_pass_may(context, id)) {
                mg_drop_index(g, id, p, k, p->indices[k].low);
                changed = true;
            } else {
                k++;
            }
    }
    return changed;
}
