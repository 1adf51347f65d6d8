// What never changes among the ops of fuse.c: weights in the form in which they are used
// (normalised, scaled, turned), tables made of parameters. Storage keeps such results from the
// first run on, and knows of single ops: so these stay out of groups.
#include "passes/fuse.h"

#include "ir/equation.h"

static bool is_output(const MgGraph *g, MgValueId v) {
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (g->outputs.at[i].value == v)
            return true;
    return false;
}

bool mg_fuse_is_unchanging(Fuse *f, MgOpId id) {
    MgGraph *g = f->g;
    const MgOp *op = mg_op(g, id);
    int64_t bytes;
    if (f->context->gpu || op->kind != MG_OP_EQUATION || op->region || !op->n_operands ||
        is_output(g, op->results[0]) ||
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
