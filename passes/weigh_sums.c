// Is a value the sum of a softmax, or an expression one of its terms?
//
//   z(i) = sum[j] exp(s(i, j) - h)     h = m(i), or 0 if m(i) is -inf;  m(i) = max[j] s(i, j)
//
// One of its terms is exp(0), so it is at least 1, unless the row sees no key or has a number that
// is not finite: then it is 0 or NaN. So its reciprocal is neither infinite nor subnormal where the
// sum itself is not 0.
#include "passes/local.h"
#include "passes/weigh.h"

#include <math.h>

enum { MOST = 16 };

// The expression x of an op, whose index k stands for with[k], over the indices of the sum.
typedef struct Place {
    MgGraph *g;
    MgOpId op;
    const MgSx *x;
    MgIx with[MOST];
} Place;

static const MgPiece *piece_of(const Place *p) {
    return &mg_op(p->g, p->op)->equation->pieces[0];
}

// Moves to the op that computes v. False if it is not a simple equation.
static bool enter(Place *p, MgValueId v) {
    const MgPiece *made = mg_only_piece(mg_def(p->g, v));
    if (!made)
        return false;
    p->op = mg_value(p->g, v)->def;
    p->x = made->expr;
    return made->n_indices <= MOST && mg_piece_is_plain(p->g, made, v);
}

// The places of a read that is inside everywhere: outside, a score and its row's largest may have
// different values.
static bool read_places(const Place *p, MgIx *subs) {
    if (!mg_is_plain_read(p->x) || p->x->n_args > MOST || !mg_read_subs(p->x, subs))
        return false;
    for (uint32_t i = 0; i < p->x->n_args; i++)
        subs[i] = mg_ix_subst_indices(p->g->module->ix, subs[i], p->with, MOST);
    return true;
}

static MgValueId value_read(const Place *p) {
    return mg_op(p->g, p->op)->operands[p->x->operand];
}

// Moves from a read to what is read.
static bool follow(Place *p) {
    MgIx subs[MOST] = {0};
    bool ok = read_places(p, subs);
    memcpy(p->with, subs, sizeof subs);
    return ok && enter(p, value_read(p));
}

// Moves through reads of elementwise values to a primitive.
static bool seek(Place *p, MgPrim prim) {
    while (p->x->kind == MG_SX_READ)
        if (!follow(p) || piece_of(p)->reducer != MG_REDUCE_NONE)
            return false;
    return p->x->kind == MG_SX_PRIM && p->x->prim == prim;
}

// Does the op reduce one index, over n places from 0 on? Sets what it stands for.
static bool reduces(Place *p, MgReducer reducer, MgIx to, MgIx n) {
    const MgPiece *piece = piece_of(p);
    const MgIndex *index = &piece->indices[piece->n_free];
    if (piece->reducer != reducer || piece->n_indices != piece->n_free + 1 || index->high != n ||
        index->low != mg_ix_const(p->g->module->ix, 0) || mg_ix_mentions_index(p->g->module->ix, n))
        return false;
    p->with[piece->n_free] = to;
    return true;
}

// From `where(m == -inf, c, m)` to m.
static void choose_finite(Place *p) {
    const MgSx *x = p->x, *asked = x->n_args ? x->args[0] : NULL;
    if (x->kind == MG_SX_PRIM && x->prim == MG_PRIM_WHERE && asked->kind == MG_SX_PRIM &&
        asked->prim == MG_PRIM_EQ && mg_sx_is_number(asked->args[1], -INFINITY) &&
        x->args[1]->kind == MG_SX_CONST && mg_sx_equal(asked->args[0], x->args[2]))
        p->x = x->args[2];
}

// Is p the largest of the scores along the summed index, of n places?
static bool is_largest(Place p, const Place *score, MgIx summed, MgIx n) {
    MgIx own[MOST] = {0}, scores[MOST] = {0};
    do {
        choose_finite(&p);
        if (!follow(&p))
            return false;
    } while (piece_of(&p)->reducer == MG_REDUCE_NONE);
    return reduces(&p, MG_REDUCE_MAX, summed, n) && read_places(&p, own) &&
           read_places(score, scores) && value_read(&p) == value_read(score) &&
           !memcmp(own, scores, sizeof own);
}

bool mg_is_softmax_power(MgGraph *g, MgOpId op, const MgSx *x) {
    const MgPiece *piece = mg_only_piece(mg_op(g, op));
    const MgSx *by = x->kind == MG_SX_PRIM && x->prim == MG_PRIM_EXP ? x->args[0] : NULL;
    if (!piece || !by || by->kind != MG_SX_PRIM || by->prim != MG_PRIM_SUB ||
        piece->n_indices > MOST)
        return false;
    Place score = {.g = g, .op = op, .x = by->args[0]};
    for (uint32_t k = 0; k < piece->n_indices; k++)
        score.with[k] = mg_ix_idx(g->module->ix, k);
    Place shift = score;
    shift.x = by->args[1];
    bool found = false;
    for (uint32_t k = 0; k < piece->n_indices && !found; k++)
        found = piece->indices[k].low == mg_ix_const(g->module->ix, 0) &&
                is_largest(shift, &score, score.with[k], piece->indices[k].high);
    return found;
}

bool mg_is_softmax_sum(MgGraph *g, MgValueId v) {
    Place p = {.g = g};
    if (!enter(&p, v) || piece_of(&p)->reducer != MG_REDUCE_SUM)
        return false;
    uint32_t bound = piece_of(&p)->n_free;
    MgIx summed = mg_ix_idx(g->module->ix, bound), n = piece_of(&p)->indices[bound].high;
    for (uint32_t k = 0; k < bound; k++)
        p.with[k] = mg_ix_idx(g->module->ix, k);
    if (!reduces(&p, MG_REDUCE_SUM, summed, n) || !seek(&p, MG_PRIM_EXP))
        return false;
    p.x = p.x->args[0];
    if (!seek(&p, MG_PRIM_SUB))
        return false;
    Place score = p, shift = p;
    score.x = p.x->args[0];
    shift.x = p.x->args[1];
    return is_largest(shift, &score, summed, n);
}
