// Computes what an equation is from its index maps: the facts that passes and schedules match on.
#include "ir/equation.h"

#define MAX_RANK 64

typedef struct Look {
    MgGraph *g;
    const MgOp *op;
    const MgPiece *piece;
    MgTraits *traits;
    bool rows; // so far every read has the bound indices as its trailing axes
} Look;

static bool mentions(const Look *look, const MgSx *x, uint32_t from, uint32_t to) {
    for (uint32_t k = from; k < to; k++)
        if (mg_sx_mentions(look->g->module, x, k))
            return true;
    return false;
}

// Are the trailing subscripts the bound indices in order, and does no other subscript mention one?
static bool is_row(const Look *look, const MgSx *read) {
    const MgPiece *p = look->piece;
    uint32_t bound = p->n_indices - p->n_free;
    if (!mentions(look, read, p->n_free, p->n_indices))
        return true;
    if (read->n_args < bound)
        return false;
    const MgValue *v = mg_value(look->g, look->op->operands[read->operand]);
    for (uint32_t i = 0; i < read->n_args; i++) {
        uint32_t tail = read->n_args - bound;
        if (i < tail) {
            if (mentions(look, read->args[i], p->n_free, p->n_indices))
                return false;
            continue;
        }
        const MgIndex *index = &p->indices[p->n_free + i - tail];
        if (read->args[i]->kind != MG_SX_IX ||
            read->args[i]->ix != mg_ix_idx(look->g->module->ix, p->n_free + i - tail) ||
            index->high != v->shape[i] || index->low != mg_ix_const(look->g->module->ix, 0))
            return false;
    }
    return true;
}

static void see(void *ctx, const MgSx *x) {
    Look *look = ctx;
    const MgPiece *p = look->piece;
    if (x->kind == MG_SX_PRIM && mg_prim(x->prim)->kind == MG_KIND_JUMP)
        look->traits->jumps = true;
    if (x->kind != MG_SX_READ)
        return;
    for (uint32_t i = 0; i < x->n_args; i++) {
        look->traits->gathered |= x->args[i]->kind != MG_SX_IX;
        look->traits->window |= mentions(look, x->args[i], 0, p->n_free) &&
                                mentions(look, x->args[i], p->n_free, p->n_indices);
    }
    look->rows &= is_row(look, x);
}

// The address, with every index of a single point set to that point: an axis of size 1 moves
// nothing.
static MgIx at_single_points(MgIxTable *t, const MgPiece *p, MgIx address) {
    MgIx with[MAX_RANK];
    if (p->n_indices > MAX_RANK)
        return address;
    for (uint32_t i = 0; i < p->n_indices; i++) {
        bool single = p->indices[i].high == mg_ix_add(t, p->indices[i].low, mg_ix_const(t, 1));
        with[i] = single && mg_ix_is_const(t, p->indices[i].low, NULL) ? p->indices[i].low
                                                                       : mg_ix_idx(t, i);
    }
    return mg_ix_subst_indices(t, address, with, p->n_indices);
}

// Is it one read of the same element type whose row-major address equals the target's? Then no data
// moves. A rounding to that type changes no element that is stored in it.
static bool is_view(MgGraph *g, const MgOp *op, const MgPiece *p) {
    MgIx subs[MAX_RANK], target[MAX_RANK];
    const MgValue *result = mg_value(g, op->results[0]);
    const MgSx *x = mg_sx_unrounded(p->expr, result->dtype);
    if (x->kind != MG_SX_READ || x->bounds != MG_BOUNDS_PROVED || p->reducer != MG_REDUCE_NONE ||
        x->n_args > MAX_RANK || result->rank > MAX_RANK || !mg_read_subs(x, subs))
        return false;
    const MgValue *from = mg_value(g, op->operands[x->operand]);
    MgIxTable *t = g->module->ix;
    if (from->dtype != result->dtype ||
        mg_ix_product(t, from->shape, from->rank) != mg_ix_product(t, result->shape, result->rank))
        return false;
    for (uint32_t i = 0; i < result->rank; i++) {
        if (p->target[i].sub->kind != MG_SX_IX)
            return false;
        target[i] = p->target[i].sub->ix;
    }
    MgIx a = mg_row_major(g, op->operands[x->operand], subs),
         b = mg_row_major(g, op->results[0], target);
    return a && b && at_single_points(t, p, a) == at_single_points(t, p, b);
}

MgTraits mg_traits(MgGraph *g, MgOpId id) {
    MgTraits traits = {0};
    const MgOp *op = mg_op(g, id);
    if (op->kind != MG_OP_EQUATION)
        return traits;
    const MgEquation *e = op->equation;
    bool one = e->n_pieces == 1, rows = true;
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        Look look = {g, op, &e->pieces[i], &traits, true};
        mg_sx_walk(e->pieces[i].expr, see, &look);
        rows &= look.rows;
        traits.scatter |= e->pieces[i].scatter;
        traits.scanned |= mg_piece_is_scanned(g->module, &e->pieces[i]);
    }
    const MgPiece *p = &e->pieces[0];
    bool reduces = p->reducer != MG_REDUCE_NONE;
    traits.elementwise = one && !reduces && mg_piece_is_plain(g, p, op->results[0]);
    traits.copy = one && !reduces && (p->expr->kind == MG_SX_READ || p->expr->kind == MG_SX_CONST);
    traits.view = one && is_view(g, op, p);
    traits.row = one && reduces && rows && !traits.scatter && !traits.scanned;
    traits.contraction = one && mg_piece_sums_products(p) && p->expr->args[0]->kind == MG_SX_READ &&
                         p->expr->args[1]->kind == MG_SX_READ;
    return traits;
}

static bool makes_bytes(const MgOp *op) {
    return op->kind == MG_OP_EQUATION || op->kind == MG_OP_FUSED || op->kind == MG_OP_BUILTIN ||
           op->kind == MG_OP_LOOP || op->kind == MG_OP_IF;
}

void mg_output_bytes(MgGraph *g, MgValueId *output_of) {
    for (uint32_t i = 0; i < g->outputs.len; i++)
        output_of[g->outputs.at[i].value] = g->outputs.at[i].value;
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        MgValueId output = g->outputs.at[i].value, v = output;
        while (mg_value(g, v)->def && mg_traits(g, mg_value(g, v)->def).view) {
            v = mg_op(g, mg_value(g, v)->def)->operands[0];
            MgOpId def = mg_value(g, v)->def;
            if (output_of[v] || !def || !makes_bytes(mg_op(g, def)))
                break;
            output_of[v] = output;
        }
    }
}
