// dce: erases ops whose results nobody uses.
//
// Needs: nothing. Keeps: outputs, requirements, and ops that introduce a dimension. A read that
// would have trapped in an erased op no longer traps. Ends: there is one walk from the uses back to
// the definitions.
#include "passes/pass.h"

typedef struct Dce {
    MgGraph *g;
    bool *live; // by op id
    MgArena *arena;
    MG_VEC(MgOpId) work;
} Dce;

static void mark_op(Dce *d, MgOpId id) {
    while (id && !d->live[id]) { // the op and those that enclose it
        d->live[id] = true;
        mg_push(d->arena, &d->work, id);
        id = mg_region(d->g, mg_op(d->g, id)->region)->parent;
    }
}

static void mark_value(Dce *d, MgValueId v) {
    const MgValue *value = mg_value(d->g, v);
    if (value->def)
        mark_op(d, value->def);
    else if (value->param_of != UINT32_MAX)
        mark_op(d, mg_region(d->g, value->param_of)->parent);
}

static bool is_root(const MgOp *op) {
    return op->kind == MG_OP_REQUIRE || op->kind == MG_OP_DIM ||
           (op->kind == MG_OP_BUILTIN && op->dim) || (op->kind == MG_OP_LOOP && op->loop->trips);
}

// Everything that the marked ops need is live too.
static void spread(Dce *d) {
    MgGraph *g = d->g;
    while (d->work.len) {
        MgOpId id = mg_pop(&d->work);
        const MgOp *op = mg_op(g, id);
        for (uint32_t i = 0; i < op->n_operands; i++)
            mark_value(d, op->operands[i]);
        for (uint32_t r = 0; r < op->n_regions; r++) { // the regions' yields
            const MgRegion *region = mg_region(g, op->regions[r]);
            for (uint32_t i = 0; i < region->ops.len; i++)
                if (mg_op(g, region->ops.at[i])->kind == MG_OP_YIELD)
                    mark_op(d, region->ops.at[i]);
        }
    }
}

static void mark_roots(Dce *d) {
    MgGraph *g = d->g;
    for (uint32_t i = 0; i < g->outputs.len; i++)
        mark_value(d, g->outputs.at[i].value);
    for (MgOpId id = 1; id < g->ops.len; id++)
        if (is_root(mg_op(g, id)))
            mark_op(d, id);
    spread(d);
}

bool mg_pass_dce(MgGraph *g, MgPassContext *context) {
    Dce d = {.g = g, .arena = context->scratch};
    d.live = MG_NEW_N(context->scratch, bool, g->ops.len);
    mark_roots(&d);
    // Users first, so that an op held back keeps its operands.
    for (MgOpId id = g->ops.len; id-- > 1;)
        if (mg_op(g, id)->kind != MG_OP_ERASED && !d.live[id] && !mg_pass_may(context, id)) {
            mark_op(&d, id);
            spread(&d);
        }
    bool changed = false;
    for (MgOpId id = 1; id < g->ops.len; id++)
        if (mg_op(g, id)->kind != MG_OP_ERASED && !d.live[id]) {
            mg_op(g, id)->kind = MG_OP_ERASED;
            changed = true;
        }
    if (changed)
        mg_graph_compact(g);
    return changed;
}
