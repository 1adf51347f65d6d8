// Ops whose results never change, for fuse.c: weights that are normalised, scaled or transposed
// before use, and tables computed from parameters. The storage plan computes such a result in the
// first run and keeps it, but only for single ops, so these ops stay out of groups.
#include "passes/fuse.h"

#include "ir/equation.h"

bool mg_fuse_is_unchanging(MgFuse *f, MgOpId id) {
    MgGraph *g = f->g;
    const MgOp *op = mg_op(g, id);
    int64_t bytes;
    if (op->kind != MG_OP_EQUATION || op->region || !op->n_operands || f->output[op->results[0]] ||
        !mg_ix_is_const(g->module->ix, mg_value_bytes(g, op->results[0]), &bytes) ||
        bytes > MG_MOST_KEPT)
        return false;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        MgOpId def = mg_value(g, op->operands[i])->def;
        if (!def || (mg_op(g, def)->kind != MG_OP_PARAM && mg_op(g, def)->kind != MG_OP_CONST &&
                     !f->unchanging[def]))
            return false;
    }
    return !mg_equation_varies(g->module, op->equation, f->arena);
}
