#include "passes/loops.h"

#include "passes/rewrite.h"

MgOpId mg_op_in(MgGraph *g, MgRegionId region, MgOpId id) {
    while (id && mg_op(g, id)->region != region)
        id = mg_region(g, mg_op(g, id)->region)->parent;
    return id;
}

static MgOp *yield_of(MgGraph *g, MgOpId loop) {
    const MgRegion *body = mg_region(g, mg_op(g, loop)->regions[0]);
    return mg_op(g, body->ops.at[body->ops.len - 1]);
}

const MgOp *mg_loop_yield(MgGraph *g, MgOpId loop) {
    return yield_of(g, loop);
}

bool mg_is_backward_loop(MgGraph *g, MgOpId id, MgIx trips) {
    const MgOp *op = mg_op(g, id);
    return op->kind == MG_OP_LOOP && op->loop->counted && !op->loop->has_while &&
           mg_origin_is_backward(g->module, op->origin) &&
           op->loop->low == mg_ix_const(g->module->ix, 0) && op->loop->high == trips;
}

// The loop gets a copy of its description: graphs share them.
static MgLoop *own_loop(MgGraph *g, MgOpId id) {
    MgLoop *loop = mg_arena_copy(g->module->arena, mg_op(g, id)->loop, 1, sizeof *loop);
    mg_op(g, id)->loop = loop;
    return loop;
}

// The list of n values with v at place `at`.
static MgValueId *with(MgGraph *g, const MgValueId *list, uint32_t n, uint32_t at, MgValueId v) {
    MgValueId *longer = MG_NEW_N(g->module->arena, MgValueId, n + 1);
    for (uint32_t i = 0; i < n; i++)
        longer[i < at ? i : i + 1] = list[i];
    longer[at] = v;
    return longer;
}

static void number_results(MgGraph *g, MgOpId id) {
    for (uint32_t i = 0; i < mg_op(g, id)->n_results; i++)
        mg_value(g, mg_op(g, id)->results[i])->result = i;
}

MgValueId mg_loop_carry(MgGraph *g, MgOpId id, MgValueId init, MgValueId next, MgSym name) {
    const MgValue v = *mg_value(g, init);
    MgValueId result = mg_op_result(g, id, name, v.dtype, v.rank, v.shape);
    MgOp *op = mg_op(g, id), *yield = yield_of(g, id);
    uint32_t at = own_loop(g, id)->n_carried++;
    op->results = with(g, op->results, op->n_results - 1, at, result);
    op->operands = with(g, op->operands, op->n_operands++, at, init);
    yield->operands = with(g, yield->operands, yield->n_operands++, at, next);
    number_results(g, id);
    return result;
}

void mg_loop_drop(MgGraph *g, MgOpId id, const bool *drop) {
    MgOp *op = mg_op(g, id), *yield = yield_of(g, id);
    MgValueId *results = MG_NEW_N(g->module->arena, MgValueId, op->n_results + 1);
    MgValueId *yields = MG_NEW_N(g->module->arena, MgValueId, op->n_results + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (drop[i]) {
            mg_value(g, op->results[i])->def = MG_NONE;
            continue;
        }
        results[n] = op->results[i];
        yields[n++] = yield->operands[i];
    }
    own_loop(g, id)->n_emitted -= op->n_results - n;
    op->results = results;
    yield->operands = yields;
    op->n_results = yield->n_operands = n;
    number_results(g, id);
}

MgValueId mg_zeros(MgGraph *g, MgOpId before, const MgValue *like, MgSym name) {
    MgEquation *e = mg_plain_copy(g, like);
    e->pieces[0].expr = mg_sx_const(g->module, mg_dtype(like->dtype)->compute, (MgBits){0});
    MgOpId op = mg_op_new_before(g, before, MG_OP_EQUATION, NULL, 0, mg_op(g, before)->origin);
    mg_op(g, op)->equation = e;
    return mg_op_result(g, op, name, like->dtype, like->rank, like->shape);
}
