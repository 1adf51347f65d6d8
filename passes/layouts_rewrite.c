// Rewrites a graph to the orders that the layouts pass chose.
#include "passes/layouts.h"

// Renumbers the free indices in the order of the result's axes; with[old] = new.
static void renumber(MgLayouts *l, MgPiece *p, uint32_t rank) {
    MgModule *m = l->g->module;
    MgIx *with = MG_NEW_N(m->arena, MgIx, p->n_indices);
    uint32_t *at = MG_NEW_N(m->arena, uint32_t, p->n_indices), n = 0;
    bool *done = MG_NEW_N(m->arena, bool, p->n_indices);
    MgIndex *indices = MG_NEW_N(m->arena, MgIndex, p->n_indices);
    for (uint32_t a = 0; a <= rank; a++)
        for (uint32_t i = 0; i < p->n_indices; i++) {
            uint32_t which = i;
            if (a < rank && p->target[a].n_tuple)
                which = i < p->target[a].n_tuple ? p->target[a].tuple[i] : MG_LAYOUT_NONE;
            if (which == MG_LAYOUT_NONE || done[which] ||
                (a < rank && (which >= p->n_free || !mg_sx_mentions(m, p->target[a].sub, which))))
                continue;
            done[which] = true;
            at[which] = n;
            indices[n] = p->indices[which];
            with[which] = mg_ix_idx(m->ix, n++);
        }
    MgTarget *target = mg_arena_copy(m->arena, p->target, rank, sizeof *target);
    for (uint32_t a = 0; a < rank; a++) {
        target[a].sub = mg_sx_subst_indices(m, target[a].sub, with, p->n_indices);
        target[a].tuple = MG_NEW_N(m->arena, uint32_t, target[a].n_tuple);
        for (uint32_t i = 0; i < target[a].n_tuple; i++)
            target[a].tuple[i] = at[p->target[a].tuple[i]];
    }
    p->expr = mg_sx_subst_indices(m, p->expr, with, p->n_indices);
    p->indices = indices;
    p->target = target;
}

static void permute_value(MgLayouts *l, MgValueId v) {
    MgModule *m = l->g->module;
    MgValue *value = mg_value(l->g, v);
    MgOp *op = mg_op(l->g, value->def);
    uint32_t rank = value->rank;
    const uint8_t *from = l->order_of[v];
    MgIx *shape = MG_NEW_N(m->arena, MgIx, rank);
    for (uint32_t a = 0; a < rank; a++)
        shape[a] = value->shape[from[a]];
    value->shape = shape;
    for (uint32_t i = 0; i < op->equation->n_pieces; i++) {
        MgPiece *p = &op->equation->pieces[i];
        MgTarget *target = MG_NEW_N(m->arena, MgTarget, rank);
        for (uint32_t a = 0; a < rank; a++)
            target[a] = p->target[from[a]];
        p->target = target;
        renumber(l, p, rank);
    }
}

static const MgSx *permute_read(void *ctx, const MgSx *x) {
    MgLayouts *l = ctx;
    const MgSx *subs[MG_LAYOUT_AXES];
    if (x->kind != MG_SX_READ)
        return x;
    const uint8_t *from = l->order_of[mg_op(l->g, l->op)->operands[x->operand]];
    if (!from)
        return x;
    for (uint32_t i = 0; i < x->n_args; i++)
        subs[i] = x->args[from[i]];
    return mg_sx_read(l->g->module, x->operand, x->dtype, subs, x->n_args, x->bounds, x->otherwise);
}

// Gives the op an equation of its own, whose reads follow the chosen orders.
static void rewrite_op(MgLayouts *l, MgOpId id) {
    MgModule *m = l->g->module;
    MgOp *op = mg_op(l->g, id);
    l->op = id;
    op->equation = mg_arena_copy(m->arena, op->equation, 1, sizeof *op->equation);
    op->equation->pieces = mg_arena_copy(m->arena, op->equation->pieces, op->equation->n_pieces,
                                         sizeof *op->equation->pieces);
    uint32_t rank = mg_value(l->g, op->results[0])->rank;
    for (uint32_t i = 0; i < op->equation->n_pieces; i++) {
        MgPiece *p = &op->equation->pieces[i];
        p->expr = mg_sx_rewrite(m, p->expr, permute_read, l);
        p->target = mg_arena_copy(m->arena, p->target, rank, sizeof *p->target);
        for (uint32_t a = 0; a < rank; a++)
            p->target[a].sub = mg_sx_rewrite(m, p->target[a].sub, permute_read, l);
    }
}

void mg_layout_rewrite(MgLayouts *l) {
    for (MgOpId id = 1; id < l->g->ops.len; id++) {
        const MgOp *op = mg_op(l->g, id);
        bool reads = false;
        for (uint32_t i = 0; i < op->n_operands && op->kind == MG_OP_EQUATION; i++)
            reads |= l->order_of[op->operands[i]] != NULL;
        bool makes = op->kind == MG_OP_EQUATION && l->order_of[op->results[0]];
        if (reads || makes)
            rewrite_op(l, id);
        if (makes)
            permute_value(l, op->results[0]);
    }
}
