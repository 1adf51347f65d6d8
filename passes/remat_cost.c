// Costs by the figures of the machine.
#include "passes/remat.h"

#include "ir/equation.h"
#include "passes/exact.h"

static double likely(MgGraph *g, MgIx x) {
    return (double)mg_ix_likely(g->module->ix, x);
}

double mg_remat_bytes(MgGraph *g, MgValueId v) {
    return likely(g, mg_value_bytes(g, v));
}

double mg_remat_memory_ns(const MgPassContext *context, double bytes) {
    const MgMachine *m = context->machine;
    return context->gpu ? bytes / m->memory_rate : bytes * m->memory_byte;
}

static void count_approximate(void *ctx, const MgSx *x) {
    uint32_t *n = ctx;
    *n += x->kind == MG_SX_PRIM && mg_prim(x->prim)->kind == MG_KIND_APPROX;
}

static void count_operations(void *ctx, const MgSx *x) {
    uint32_t *n = ctx;
    *n += x->kind == MG_SX_PRIM;
}

double mg_remat_points(MgGraph *g, const MgPiece *piece, uint32_t first, uint32_t end) {
    MgIxTable *t = g->module->ix;
    double n = 1;
    for (uint32_t i = first; i < end; i++) {
        MgIx extent = mg_index_extent(t, &piece->indices[i]);
        n *= mg_ix_mentions_index(t, extent) ? 1 : likely(g, extent);
    }
    return n;
}

static double arithmetic_ns(MgGraph *g, const MgPassContext *context, const MgPiece *piece) {
    const MgMachine *m = context->machine;
    double flops = likely(g, mg_piece_flops(g, piece)), lanes = m->vector_size / 4;
    uint32_t approximate = 0;
    mg_sx_walk(piece->expr, count_approximate, &approximate);
    if (context->gpu)
        return flops / (2 * m->units * m->unit_products * m->clock * m->small_share);
    if (mg_piece_contraction(g->module, piece) >= MG_CONTRACTS_VECTORS)
        return flops / (2 * m->products);
    return (flops * m->operation +
            mg_remat_points(g, piece, 0, piece->n_indices) * approximate * m->approx) /
           lanes;
}

double mg_remat_point_ns(const MgPassContext *context, const MgSx *x) {
    const MgMachine *m = context->machine;
    if (context->gpu)
        return mg_sx_instructions(m, x) / (m->units * m->unit_products * m->clock * m->small_share);
    uint32_t approximate = 0, operations = 0;
    mg_sx_walk(x, count_approximate, &approximate);
    mg_sx_walk(x, count_operations, &operations);
    double lanes = m->vector_size / mg_dtype_size(x->dtype);
    return (operations * m->operation + approximate * m->approx) / (lanes < 1 ? 1 : lanes);
}

// Nanoseconds to read `bytes` of a value with `whole` bytes. In a loop's trip, what fits into a
// near cache is still there from this trip or from the one before.
static double read_ns(const MgPassContext *context, double bytes, double whole, bool trip) {
    const MgMachine *m = context->machine;
    if (trip && !context->gpu && whole <= (double)m->l2_size)
        return bytes * m->near_byte;
    return mg_remat_memory_ns(context, bytes);
}

// Of a large operand, as of all trips' inputs, an equation reads at most one element for each
// point.
static double repeat_ns(MgGraph *g, const MgPassContext *context, const MgOp *op, bool trip) {
    double ns = 0, all = 0;
    for (uint32_t i = 0; i < op->equation->n_pieces; i++) {
        all += mg_remat_points(g, &op->equation->pieces[i], 0, op->equation->pieces[i].n_indices);
        ns += arithmetic_ns(g, context, &op->equation->pieces[i]);
    }
    for (uint32_t i = 0; i < op->n_operands; i++) {
        double whole = mg_remat_bytes(g, op->operands[i]),
               read = all * (double)mg_dtype_size(mg_value(g, op->operands[i])->dtype);
        ns += read_ns(context, read < whole ? read : whole, whole, trip);
    }
    return ns;
}

double mg_remat_repeat_ns(MgGraph *g, const MgPassContext *context, const MgOp *op) {
    return repeat_ns(g, context, op, false);
}

double mg_remat_product_ns(MgGraph *g, const MgPassContext *context, const MgOp *op) {
    const MgMachine *m = context->machine;
    const MgSx *const *factors = op->equation->pieces[0].expr->args;
    double ns = mg_remat_repeat_ns(g, context, op);
    if (!context->gpu || !mg_machine_has_units(m))
        return ns;
    if (mg_sx_are_exact_in_16(g, op, factors[0], factors[1]))
        return ns / m->units_faster;
    bool splits = op->equation->pieces[0].expr->dtype == MG_F32 && mg_machine_splits(m) &&
                  m->parts_faster > 1 && !context->strict;
    return splits ? ns / m->parts_faster : ns;
}

double mg_remat_trip_ns(MgGraph *g, const MgPassContext *context, MgOpId id) {
    const MgOp *op = mg_op(g, id);
    if (op->kind == MG_OP_EQUATION)
        return repeat_ns(g, context, op, true);
    if (op->kind == MG_OP_BUILTIN)
        return mg_remat_memory_ns(context, likely(g, mg_cost(g, id).bytes));
    double trips = 1, ns = 0;
    if (op->kind == MG_OP_LOOP)
        trips = likely(g, mg_ix_sub(g->module->ix, op->loop->high, op->loop->low));
    for (uint32_t k = 0; k < op->n_regions; k++)
        for (uint32_t i = 0; i < mg_region(g, op->regions[k])->ops.len; i++)
            ns += trips * mg_remat_trip_ns(g, context, mg_region(g, op->regions[k])->ops.at[i]);
    return ns;
}
