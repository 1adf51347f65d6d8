// split: an axis that a sum of products writes through a tuple of indices becomes an axis for each
// index, in its result and in the elementwise equations after it.
//
// A grouped convolution computes y[(g, m), h, w] over a box of g, m, h and w. The ops after it run
// over a box of c, h and w, so they can't share a group with it. With y[g, m, h, w], and c = M*g +
// m in the ops after it, all boxes are the same. Nothing moves, since elements stay in their order.
//
// Needs: inline and affine before it, which look at chains as they were written, and fuse after it.
// Keeps: every shape that is seen from outside (an output becomes a view of the split value). Other
// readers get floor and mod of their subscript, which an address simplifies again. Ends: an axis is
// split once.
#include "passes/split_axes.h"

// Is the target of a piece its free indices in order, some of them in tuples?
static bool is_in_order(MgIxTable *t, const MgPiece *p, uint32_t rank) {
    uint32_t next = 0;
    for (uint32_t a = 0; a < rank; a++) {
        const MgTarget *target = &p->target[a];
        for (uint32_t i = 0; i < target->n_tuple; i++)
            if (target->tuple[i] != next++)
                return false;
        if (!target->n_tuple &&
            (target->sub->kind != MG_SX_IX || target->sub->ix != mg_ix_idx(t, next++)))
            return false;
    }
    return next == p->n_free;
}

// Splitting begins where an equation writes an axis through a tuple of two indices. It
// is a sum of products, or follows one (the bias of a grouped convolution), or it writes rows and
// columns of a larger image.
static bool find_tuple(MgSplit *s, MgOpId id, MgAxisCut *cut) {
    MgGraph *g = s->g;
    MgIxTable *t = g->module->ix;
    const MgOp *op = mg_op(g, id);
    const MgPiece *p = mg_only_piece(op);
    if (!p || op->equation->has_base)
        return false;
    uint32_t rank = mg_value(g, op->results[0])->rank;
    bool sum = mg_piece_sums_products(p);
    if ((!sum && p->reducer != MG_REDUCE_NONE) || p->scatter || rank >= MG_SPLIT_MOST ||
        !is_in_order(t, p, rank))
        return false;
    *cut = (MgAxisCut){0};
    for (uint32_t a = 0; a < rank && !cut->is; a++) {
        const uint32_t *tuple = p->target[a].tuple;
        if (p->target[a].n_tuple == 2)
            *cut = (MgAxisCut){.is = true,
                               .axis = a,
                               .outer = p->indices[tuple[0]].high,
                               .inner = p->indices[tuple[1]].high,
                               .names = {p->indices[tuple[0]].name, p->indices[tuple[1]].name}};
    }
    return cut->is && mg_ix_is_const(t, cut->outer, NULL) && mg_ix_is_const(t, cut->inner, NULL);
}

// Is the read's value computed over the same box as a sum that already has the axes? Then the op
// joins that sum's kernel.
static void check_sum(void *ctx, const MgSx *x) {
    MgSplit *s = ctx;
    if (x->kind != MG_SX_READ || x->bounds != MG_BOUNDS_PROVED || x->n_args != s->piece->n_free)
        return;
    MgOpId def = mg_value(s->g, mg_op(s->g, s->op)->operands[x->operand])->def;
    bool in_place = def && mg_op(s->g, def)->kind == MG_OP_EQUATION &&
                    mg_op(s->g, def)->equation->pieces[0].reducer == MG_REDUCE_SUM;
    for (uint32_t i = 0; i < x->n_args && in_place; i++)
        in_place = x->args[i]->kind == MG_SX_IX && x->args[i]->ix == mg_ix_idx(s->g->module->ix, i);
    s->found |= in_place;
}

static bool follows_sum(MgSplit *s, MgOpId id) {
    s->op = id;
    s->piece = &mg_op(s->g, id)->equation->pieces[0];
    s->found = false;
    if (s->piece->reducer == MG_REDUCE_NONE)
        mg_sx_walk(s->piece->expr, check_sum, s);
    return s->found;
}

static bool begins(MgSplit *s, MgOpId id, MgAxisCut *cut) {
    MgValueId v = mg_op(s->g, id)->results[0];
    return find_tuple(s, id, cut) && mg_split_may_cut(s, v, cut) &&
           (follows_sum(s, id) || mg_split_all_follow(s, v, cut)) && mg_pass_may(s->context, id);
}

bool mg_pass_split(MgGraph *g, MgPassContext *context) {
    return mg_split_axes(g, context, begins, false);
}
