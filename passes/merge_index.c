// The facts about values and ops that merging uses; see merge.h.
#include "passes/merge_plan.h"

static void grow(MgMergeIndex *x, const MgGraph *g) {
    while (x->values.len < g->values.len)
        mg_push(x->arena, &x->values, (MgMergeValue){0});
    while (x->position.len < g->ops.len)
        mg_push(x->arena, &x->position, UINT32_MAX);
}

static void note_operands(MgMergeIndex *x, MgGraph *g, MgOpId id) {
    const MgOp *op = mg_op(g, id);
    for (uint32_t i = 0; i < op->n_operands && op->kind != MG_OP_ERASED; i++) {
        MgMergeValue *v = &x->values.at[op->operands[i]];
        if (!v->readers.len || v->readers.at[v->readers.len - 1] != id)
            mg_push(x->arena, &v->readers, id);
    }
}

MgMergeIndex *mg_merge_index(MgGraph *g, MgArena *arena) {
    MgMergeIndex *x = MG_NEW(arena, MgMergeIndex);
    x->arena = arena;
    grow(x, g);
    bool *pinned = MG_NEW_N(arena, bool, g->values.len);
    mg_pin_operands(g, pinned);
    for (MgValueId v = 1; v < g->values.len; v++)
        x->values.at[v].pinned = pinned[v];
    for (uint32_t i = 0; i < g->outputs.len; i++)
        x->values.at[g->outputs.at[i].value].output = true;
    for (MgOpId id = 1; id < g->ops.len; id++)
        note_operands(x, g, id);
    for (uint32_t r = 0; r < g->regions.len; r++)
        for (uint32_t i = 0; i < mg_region(g, r)->ops.len; i++)
            x->position.at[mg_region(g, r)->ops.at[i]] = 2 * i + 1;
    return x;
}

void mg_merge_index_op(MgMergeIndex *x, MgGraph *g, MgOpId id) {
    grow(x, g);
    note_operands(x, g, id);
}

void mg_merge_index_before(MgMergeIndex *x, MgGraph *g, MgOpId id, MgOpId before) {
    mg_merge_index_op(x, g, id);
    x->position.at[id] = x->position.at[before] & ~1u;
}

void mg_merge_index_output(MgMergeIndex *x, MgGraph *g, MgValueId v) {
    if (!x->values.at[v].output)
        return;
    uint32_t copy = g->values.len;
    mg_output_apart(g, v);
    x->values.at[v].output = false;
    mg_merge_index_op(x, g, mg_value(g, copy)->def);
    x->values.at[copy].output = true;
}
