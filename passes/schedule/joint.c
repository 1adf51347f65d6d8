// Two reductions in one reading: the form, and what parts of a row are put together with.
#include "passes/schedule/joint.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

#include <float.h>
#include <math.h>

// ---------------------------------------------------------------- the form
// x is `a` of the leader less something of the row, which it gives.
static const MgSx *shift_of(MgGroup *gr, const MgGroupNest *lead, const MgGroupNest *follow,
                            const MgSx *x) {
    MgGraph *g = gr->s->g;
    if (x->kind != MG_SX_PRIM || x->prim != MG_PRIM_SUB ||
        !mg_sx_same(lead->piece->expr, mg_op(g, lead->op)->operands, x->args[0],
                    mg_op(g, follow->op)->operands))
        return NULL;
    for (uint32_t i = gr->depth; i < follow->piece->n_indices; i++)
        if (mg_sx_mentions(g->module, x->args[1], i))
            return NULL;
    return x->args[1];
}

static bool same_box(const MgPiece *a, const MgPiece *b) {
    bool equal = a->n_indices == b->n_indices && a->n_free == b->n_free;
    for (uint32_t i = 0; equal && i < a->n_indices; i++)
        equal = a->indices[i].low == b->indices[i].low && a->indices[i].high == b->indices[i].high;
    return equal;
}

static bool follows(MgGroup *gr, const MgGroupNest *lead, const MgGroupNest *follow,
                    const MgSx **shift) {
    const MgSx *x = follow->piece->expr;
    MgReducer first = lead->piece->reducer, second = follow->piece->reducer;
    bool adds = second == MG_REDUCE_SUM || second == MG_REDUCE_MEAN;
    if (x->kind != MG_SX_PRIM || !adds || !mg_is_float(x->dtype) ||
        x->dtype != lead->piece->expr->dtype || !same_box(lead->piece, follow->piece))
        return false;
    bool squares = (first == MG_REDUCE_MEAN || first == MG_REDUCE_SUM) && x->prim == MG_PRIM_MUL &&
                   mg_sx_equal(x->args[0], x->args[1]);
    if (!squares && (first != MG_REDUCE_MAX || x->prim != MG_PRIM_EXP))
        return false;
    for (uint32_t i = 0; i < x->n_args; i++)
        shift[i] = shift_of(gr, lead, follow, x->args[i]);
    return shift[0] != NULL;
}

bool mg_joint_find(MgGroup *gr, MgJoint *j) {
    uint32_t n = 0;
    *j = (MgJoint){0};
    for (uint32_t i = 1; i < gr->n_nests; i++)
        if (gr->nests[i].piece->n_indices > gr->depth) {
            j->follower = i;
            n++;
        }
    if (n == 1 && gr->nests[0].piece->n_indices > gr->depth &&
        follows(gr, &gr->nests[0], &gr->nests[j->follower], j->shift))
        return true;
    j->follower = 0;
    return false;
}

// ---------------------------------------------------------------- putting parts together
const MgKx *mg_joint_about(MgKernel *k, MgKBlock *b, const MgKx *x) {
    double most = x->type.dtype == MG_F64 ? DBL_MAX : FLT_MAX;
    const MgKx *none = bin(k, MG_PRIM_EQ, x, mg_kfloat(k, x->type, -INFINITY));
    const MgKx *finite = bin(k, MG_PRIM_MIN, x, mg_kfloat(k, x->type, most));
    return mg_klet_x(k, b, "about",
                     mg_kprim(k, MG_PRIM_WHERE, none, mg_kfloat(k, x->type, 0), finite));
}

const MgKx *mg_joint_exp(MgKernel *k, const MgKx *a, const MgKx *b) {
    return mg_kprim(k, MG_PRIM_EXP, bin(k, MG_PRIM_SUB, a, mg_ksplat(k, b, a->type.lanes)), NULL,
                    NULL);
}

const MgKx *mg_joint_moved(MgKernel *k, const MgKx *acc, const MgKx *n, const MgKx *u,
                           const MgKx *b) {
    const MgKx *d = bin(k, MG_PRIM_SUB, u, mg_ksplat(k, b, u->type.lanes));
    return mg_kprim(k, MG_PRIM_FMA, bin(k, MG_PRIM_MUL, d, d), n, acc);
}

const MgKx *mg_joint_average(MgKernel *k, const MgKx *sum, const MgKx *n) {
    return bin(k, MG_PRIM_DIV, sum, bin(k, MG_PRIM_MAX, n, mg_kfloat(k, n->type, 1)));
}
