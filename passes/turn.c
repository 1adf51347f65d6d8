// turn: makes sums run forward through most of their operands.
//
// The derivative of a loop visits the last trip first, so sums over trips read it backward. If the
// index is counted from the other end, addresses that grow with the sum are contiguous again.
//
// Needs: nothing; it runs after inline, which brings such reads into sums. Keeps: the terms. Their
// order is reversed, so it doesn't run with --strict if the order matters. Ends: each rewrite
// reduces the elements that are read backward.
#include "passes/rewrite.h"

typedef struct Walk {
    MgGraph *g;
    MgOpId op;
    MgIxSym index;
    double forward, backward; // elements of the values that are read in this direction
} Walk;

static void see_read(void *ctx, const MgSx *x) {
    Walk *w = ctx;
    MgIxTable *t = w->g->module->ix;
    if (x->kind != MG_SX_READ)
        return;
    MgValueId v = mg_op(w->g, w->op)->operands[x->operand];
    for (uint32_t k = 0; k < x->n_args; k++) {
        MgIx rest;
        int64_t factor;
        if (x->args[k]->kind != MG_SX_IX || !mg_ix_mentions(t, x->args[k]->ix, w->index))
            continue;
        bool linear = mg_ix_steps(t, x->args[k]->ix, w->index, &factor, &rest);
        double size = (double)mg_ix_likely(t, mg_value_elements(w->g, v));
        *(linear && factor < 0 ? &w->backward : &w->forward) += size;
    }
}

static void see_error(void *lost, const MgSx *x) {
    *(bool *)lost |= x->kind == MG_SX_IX && x->ix == MG_IX_ERROR;
}

static bool has_fixed_range(MgGraph *g, const MgPiece *p, uint32_t i) {
    MgIxTable *t = g->module->ix;
    bool fixed =
        !mg_ix_mentions_index(t, p->indices[i].low) && !mg_ix_mentions_index(t, p->indices[i].high);
    for (uint32_t k = 0; k < p->n_indices; k++)
        fixed &= !mg_ix_mentions(t, p->indices[k].low, mg_ix_index(t, i)) &&
                 !mg_ix_mentions(t, p->indices[k].high, mg_ix_index(t, i));
    return fixed;
}

static bool takes_any_order(const MgPassContext *context, const MgPiece *p) {
    MgIdentity identity = mg_reducer(p->reducer)->empty;
    return !p->scatter && p->reducer != MG_REDUCE_NONE && identity != MG_IDENTITY_NONE &&
           identity != MG_IDENTITY_NAN &&
           !(context->strict && mg_is_float(p->expr->dtype) &&
             mg_reduce_order(p->reducer) == MG_ORDER_SUM);
}

static bool turn_piece(MgGraph *g, MgPassContext *context, MgOpId op, MgPiece *p) {
    MgIxTable *t = g->module->ix;
    bool turned = false;
    for (uint32_t i = p->n_free; i < p->n_indices && takes_any_order(context, p); i++) {
        Walk w = {.g = g, .op = op, .index = mg_ix_index(t, i)};
        mg_sx_walk(p->expr, see_read, &w);
        if (w.backward <= w.forward || !has_fixed_range(g, p, i) || !mg_pass_may(context, op))
            continue;
        MgIx *with = MG_NEW_N(context->scratch, MgIx, p->n_indices);
        for (uint32_t k = 0; k < p->n_indices; k++)
            with[k] = mg_ix_idx(t, k);
        MgIx ends = mg_ix_add(t, p->indices[i].low, p->indices[i].high);
        with[i] = mg_ix_sub(t, mg_ix_sub(t, ends, mg_ix_const(t, 1)), with[i]);
        const MgSx *expr = with[i] == MG_IX_ERROR
                               ? NULL
                               : mg_sx_subst_indices(g->module, p->expr, with, p->n_indices);
        bool lost = !expr; // numbers may become too large
        if (expr)
            mg_sx_walk(expr, see_error, &lost);
        if (lost)
            continue;
        p->expr = expr;
        turned = true;
    }
    return turned;
}

bool mg_pass_turn(MgGraph *g, MgPassContext *context) {
    MgArena *arena = g->module->arena;
    bool changed = false;
    for (MgOpId id = 1; id < g->ops.len; id++) {
        if (mg_op(g, id)->kind != MG_OP_EQUATION)
            continue;
        const MgEquation *before = mg_op(g, id)->equation;
        MgPiece *pieces = mg_arena_copy(arena, before->pieces, before->n_pieces, sizeof *pieces);
        bool turned = false;
        for (uint32_t i = 0; i < before->n_pieces; i++)
            turned |= turn_piece(g, context, id, &pieces[i]);
        if (!turned)
            continue;
        MgEquation *e = mg_op(g, id)->equation = mg_arena_copy(arena, before, 1, sizeof *e);
        e->pieces = pieces;
        changed = true;
    }
    return changed;
}
