// FLOPs and bytes of an op as functions of the dimensions, computed from its equation.
//
// A point of the box costs its arithmetic primitives (an fma counts two, a transcendental one) and
// one for the reduction. Each operand counts as read once and the result as written once, which is
// what a perfect cache would move. A prefix range costs no factor, since it runs in linear time.
#include "ir/equation.h"
#include "ir/ix_bound.h"

MgIx mg_value_elements(MgGraph *g, MgValueId v) {
    return mg_ix_product(g->module->ix, mg_value(g, v)->shape, mg_value(g, v)->rank);
}

MgIx mg_value_bytes(MgGraph *g, MgValueId v) {
    MgIxTable *t = g->module->ix;
    return mg_ix_mul(t, mg_value_elements(g, v),
                     mg_ix_const(t, (int64_t)mg_dtype_size(mg_value(g, v)->dtype)));
}

// The arithmetic of one point. Subscripts are addresses, not work.
static int64_t point_flops(const MgSx *x) {
    int64_t n = 0;
    if (x->kind == MG_SX_READ)
        return x->otherwise ? point_flops(x->otherwise) : 0;
    if (x->kind != MG_SX_PRIM)
        return 0;
    for (uint32_t i = 0; i < x->n_args; i++)
        n += point_flops(x->args[i]);
    switch (mg_prim(x->prim)->kind) {
    case MG_KIND_ARITH:
    case MG_KIND_APPROX:
        return n + (x->prim == MG_PRIM_FMA ? 2 : 1);
    case MG_KIND_MOVE:
        return n + (x->prim == MG_PRIM_MIN || x->prim == MG_PRIM_MAX);
    default:
        return n;
    }
}

MgIx mg_piece_flops(MgGraph *g, const MgPiece *p) {
    MgIxTable *t = g->module->ix;
    int64_t flops = point_flops(p->expr) + (p->reducer != MG_REDUCE_NONE);
    return mg_ix_mul(t, mg_piece_points(t, p), mg_ix_const(t, flops));
}

static MgCost add(MgIxTable *t, MgCost a, MgCost b) {
    return (MgCost){mg_ix_add(t, a.flops, b.flops), mg_ix_add(t, a.bytes, b.bytes)};
}

static bool is_inside(MgGraph *g, MgValueId v, MgRegionId r) {
    const MgValue *value = mg_value(g, v);
    return value->def ? mg_op(g, value->def)->region == r : value->param_of == r;
}

// The cost of a region's ops. With `once`, only the bytes of values that enter or leave the region
// count.
static MgCost region_cost(MgGraph *g, MgRegionId r, bool once) {
    MgIxTable *t = g->module->ix;
    MgCost sum = {mg_ix_const(t, 0), mg_ix_const(t, 0)};
    MgMap seen;
    MgArena *scratch = mg_arena_new(mg_arena_mem(g->module->arena));
    mg_map_init(&seen, scratch);
    for (uint32_t i = 0; i < mg_region(g, r)->ops.len; i++) {
        MgOpId id = mg_region(g, r)->ops.at[i];
        const MgOp *op = mg_op(g, id);
        if (op->kind == MG_OP_ERASED || op->region != r)
            continue;
        MgCost cost = mg_cost(g, id);
        sum.flops = mg_ix_add(t, sum.flops, cost.flops);
        if (!once)
            sum.bytes = mg_ix_add(t, sum.bytes, cost.bytes);
        op = mg_op(g, id);
        for (uint32_t k = 0; once && k < op->n_operands; k++) {
            MgValueId v = op->operands[k];
            if (mg_map_find(&seen, v) || (is_inside(g, v, r) && op->kind != MG_OP_YIELD))
                continue;
            mg_map_put(&seen, v, 1);
            sum.bytes = mg_ix_add(t, sum.bytes, mg_value_bytes(g, v));
        }
    }
    mg_arena_free(scratch);
    return sum;
}

static MgCost loop_cost(MgGraph *g, const MgOp *op) {
    MgIxTable *t = g->module->ix;
    const MgLoop *loop = op->loop;
    MgIx trips = loop->counted ? mg_ix_sub(t, loop->high, loop->low) : mg_ix_const(t, 1);
    MgCost body = region_cost(g, op->regions[0], false);
    if (loop->has_while)
        body = add(t, body, region_cost(g, op->regions[1], false));
    return (MgCost){mg_ix_mul(t, body.flops, trips), mg_ix_mul(t, body.bytes, trips)};
}

MgCost mg_cost(MgGraph *g, MgOpId id) {
    MgIxTable *t = g->module->ix;
    MgCost cost = {mg_ix_const(t, 0), mg_ix_const(t, 0)};
    MgOp op = *mg_op(g, id);
    switch (op.kind) {
    case MG_OP_EQUATION:
        for (uint32_t i = 0; i < op.equation->n_pieces; i++)
            cost.flops = mg_ix_add(t, cost.flops, mg_piece_flops(g, &op.equation->pieces[i]));
        break;
    case MG_OP_BUILTIN:
        break;
    case MG_OP_FUSED:
        return region_cost(g, op.regions[0], true);
    case MG_OP_LOOP:
        return loop_cost(g, &op);
    case MG_OP_IF: // which branch is taken is not known: the first counts
        return region_cost(g, op.regions[0], false);
    default:
        return cost;
    }
    MgArena *scratch = mg_arena_new(mg_arena_mem(g->module->arena));
    MgDistinct read = {0};
    for (uint32_t i = 0; i < op.n_operands; i++) {
        uint32_t known = read.len;
        if (mg_distinct(scratch, &read, op.operands[i]) == known)
            cost.bytes = mg_ix_add(t, cost.bytes, mg_value_bytes(g, op.operands[i]));
    }
    mg_arena_free(scratch);
    for (uint32_t i = 0; i < op.n_results; i++)
        cost.bytes = mg_ix_add(t, cost.bytes, mg_value_bytes(g, op.results[i]));
    return cost;
}

// The dimension that an op defines from data; 0: none.
static MgIxSym dim_made(const MgOp *op) {
    if (op->kind == MG_OP_LOOP)
        return op->loop->counted ? op->loop->trips : 0;
    return op->kind == MG_OP_DIM || op->kind == MG_OP_BUILTIN ? op->dim : 0;
}

MgDimMakers mg_dim_makers(MgGraph *g, MgArena *arena) {
    MgDimMakers makers = {.graph = g};
    mg_map_init(&makers.ops, arena);
    for (MgOpId id = 1; id < g->ops.len; id++) {
        MgIxSym sym = dim_made(mg_op(g, id));
        if (sym && !mg_map_find(&makers.ops, sym))
            mg_map_put(&makers.ops, sym, id);
    }
    return makers;
}

// The largest value of a dimension that data decide. Returns false if sym is not such a dimension.
static bool dim_bound(void *context, MgIxSym sym, MgIx *bound) {
    const MgDimMakers *makers = context;
    MgIxTable *t = makers->graph->module->ix;
    const uint64_t *id = mg_map_find(&makers->ops, sym);
    if (!id)
        return false;
    const MgOp *op = mg_op(makers->graph, (MgOpId)*id);
    int64_t low, high;
    mg_ix_sym_bounds(t, sym, &low, &high);
    if (op->kind == MG_OP_LOOP)
        *bound = mg_ix_max(t, mg_ix_sub(t, op->loop->high, op->loop->low), mg_ix_const(t, 0));
    else
        *bound = op->dim_bound ? op->dim_bound : mg_ix_const(t, high);
    return true;
}

MgIx mg_bound_dims(const MgDimMakers *makers, MgIx x) {
    for (int i = 0; i < 8; i++) { // a bound may mention another such dimension, defined earlier
        MgIx y = mg_ix_upper(makers->graph->module->ix, x, dim_bound, (void *)makers);
        if (y == x)
            break;
        x = y;
    }
    return x;
}
