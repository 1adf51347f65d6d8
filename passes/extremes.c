// extremes: whether every number of a row is an infinity is asked of the row's extreme.
//
//   a[i] = all[j] (x[i, j] == -inf)     becomes     m[i] = max[j] x[i, j],  a[i] = m[i] == -inf
//   a[i] = any[j] (x[i, j] != inf)      becomes     m[i] = min[j] x[i, j],  a[i] = m[i] != inf
//
// A softmax that is careful with rows that are masked out asks so, and has the maximum already: cse
// keeps one of the two, and the row is read once less.
//
// Needs: inline before it, which brings the comparison into the reduction, and cse after it. Keeps
// every bit: an extreme is NaN if a number of its row is, and the extreme of no numbers is the
// infinity itself. Ends: each rewrite takes such a question away.
#include <math.h>

#include "passes/rewrite.h"

typedef struct Question {
    const MgSx *x, *infinity; // is x equal to infinity?
} Question;

// Does the piece ask whether all elements, or not all, are an infinity?
static bool asks(const MgPiece *p, Question *q) {
    MgPrim prim = p->reducer == MG_REDUCE_ALL   ? MG_PRIM_EQ
                  : p->reducer == MG_REDUCE_ANY ? MG_PRIM_NE
                                                : MG_PRIM_COUNT;
    if (p->scatter || p->expr->kind != MG_SX_PRIM || p->expr->prim != prim)
        return false;
    bool first = p->expr->args[0]->kind == MG_SX_CONST;
    *q = (Question){p->expr->args[first], p->expr->args[!first]};
    return mg_is_float(q->x->dtype) && q->infinity->kind == MG_SX_CONST &&
           isinf(mg_bits_to_double(q->infinity->dtype, q->infinity->bits));
}

// Makes the op that finds the extreme of each row, in front of the question.
static MgValueId make_extreme(MgGraph *g, MgOpId id, const Question *q, MgArena *scratch) {
    MgNames *names = g->module->session->names;
    MgOp op = *mg_op(g, id);
    MgValue v = *mg_value(g, op.results[0]);
    MgPiece p = op.equation->pieces[0];
    bool lowest = mg_bits_to_double(q->infinity->dtype, q->infinity->bits) < 0;
    p.reducer = lowest ? MG_REDUCE_MAX : MG_REDUCE_MIN;
    p.expr = q->x;
    MgOpId made = mg_op_new_before(g, id, MG_OP_EQUATION, op.operands, op.n_operands, op.origin);
    mg_op(g, made)->equation = mg_equation_of(g->module, p);
    MgSym name = mg_symf(names, "%s_extreme", mg_name(names, v.name));
    MgValueId y = mg_op_result(g, made, mg_unique_name(g, name), q->x->dtype, v.rank, v.shape);
    mg_normalise_operands(g, made, scratch);
    return y;
}

static bool ask_extreme(MgGraph *g, MgPassContext *context, MgOpId id) {
    const MgOp *op = mg_op(g, id);
    Question q;
    const MgPiece *p = mg_only_piece(op);
    if (!p || op->equation->has_base || !asks(p, &q) || !mg_pass_may(context, id))
        return false;
    const MgSx *question = p->expr;
    mg_set_copy(g, id, make_extreme(g, id, &q, context->scratch));
    MgPiece *copy = &mg_op(g, id)->equation->pieces[0];
    const MgSx *args[] = {mg_sx_read(g->module, 0, q.x->dtype, copy->expr->args, copy->expr->n_args,
                                     MG_BOUNDS_PROVED, NULL),
                          q.infinity};
    copy->expr = mg_sx_prim(g->module, question->prim, MG_BOOL, args, 2);
    return true;
}

bool mg_pass_extremes(MgGraph *g, MgPassContext *context) {
    bool changed = false;
    for (MgOpId id = 1, n = (MgOpId)g->ops.len; id < n; id++)
        changed |= ask_extreme(g, context, id);
    return changed;
}
