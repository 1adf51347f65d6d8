// Writes to computed places: which points never meet in one element, and the element of a point.
#include "passes/schedule/places.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

typedef struct Look {
    const MgSched *s;
    const MgPiece *piece;
    MgApart found;
} Look;

// Is x the same for all values of the indices that aren't known to be distinct yet?
static bool is_fixed(const Look *l, const MgSx *x) {
    for (uint32_t i = 0; i < l->piece->n_indices; i++)
        if (!(l->found.set >> i & 1) && mg_sx_mentions(l->s->m, x, i))
            return false;
    return true;
}

// Is subscript x index i plus or minus a fixed term? It then differs if i does.
static bool moves_with(const Look *l, const MgSx *x, uint32_t i) {
    MgIxTable *t = l->s->ix;
    MgIx rest;
    int64_t c;
    if (x->kind == MG_SX_IX) {
        if (!mg_ix_steps(t, x->ix, mg_ix_index(t, i), &c, &rest) || (c != 1 && c != -1))
            return false;
        const MgSx fixed = {.kind = MG_SX_IX, .dtype = x->dtype, .ix = rest};
        return is_fixed(l, &fixed);
    }
    if (x->kind != MG_SX_PRIM || (x->prim != MG_PRIM_ADD && x->prim != MG_PRIM_SUB))
        return false;
    return (moves_with(l, x->args[0], i) && is_fixed(l, x->args[1])) ||
           (is_fixed(l, x->args[0]) && moves_with(l, x->args[1], i));
}

// The target subscript in which values of index i differ, in addition to the indices that are known
// to be distinct already; the rank if there is none.
static uint32_t subscript_that_moves(const Look *l, uint32_t rank, uint32_t i) {
    const MgIndex *index = &l->piece->indices[i];
    uint32_t r = 0;
    if (mg_ix_mentions_index(l->s->ix, index->low) || mg_ix_mentions_index(l->s->ix, index->high))
        return rank;
    while (r < rank && !moves_with(l, l->piece->target[r].sub, i))
        r++;
    return r;
}

MgApart mg_apart(const MgSched *s, const MgPiece *piece, uint32_t rank) {
    Look l = {.s = s, .piece = piece};
    MgApart *a = &l.found;
    for (uint32_t i = 0; i < piece->n_indices; i++) {
        uint32_t r = subscript_that_moves(&l, rank, i), j = a->n;
        if (r == rank)
            continue;
        for (; j > 0 && a->moves[j - 1] > r; j--) {
            a->ones[j] = a->ones[j - 1];
            a->moves[j] = a->moves[j - 1];
        }
        a->ones[j] = i;
        a->moves[j] = r;
        a->set |= (uint64_t)1 << i;
        a->moving |= (uint64_t)1 << r;
        a->n++;
    }
    return *a;
}

// Is an affine subscript inside its axis at every point?
static bool is_inside(const MgPoint *p, const MgSx *sub, MgIx extent) {
    MgIxTable *t = p->kb->s->ix;
    return sub->kind == MG_SX_IX &&
           mg_inside(t, mg_ix_subst_indices(t, sub->ix, p->with, p->n_with), extent, &p->ranges,
                     NULL, 0) == MG_PROVED;
}

const MgKx *mg_point_place(MgPoint *p, const MgPiece *piece, uint64_t which) {
    MgKernel *k = p->kb->k;
    MgKBlock *block = p->block;
    MgValueId v = mg_op(p->kb->s->g, p->op)->results[0];
    const MgValue *result = mg_value(p->kb->s->g, v);
    const MgKx *address = num(k, 0), *inside = NULL, *outside[64] = {NULL}, *subs[64] = {NULL};
    for (uint32_t r = 0; r < result->rank; r++) {
        if (!(which >> r & 1))
            continue;
        const MgKx *extent = mg_kb_ix(p->kb, result->shape[r], p->loop);
        const MgKx *sub = named(k, block, "sub", mg_point_expr(p, piece->target[r].sub));
        if (piece->write != MG_BOUNDS_PROVED &&
            !is_inside(p, piece->target[r].sub, result->shape[r])) {
            const MgKx *in = both(k, bin(k, MG_PRIM_GE, sub, num(k, 0)), less(k, sub, extent));
            inside = both(k, inside, in);
            outside[r] = un(k, MG_PRIM_NOT, in);
            subs[r] = sub;
        }
        address = add(k, mul(k, address, extent), sub);
    }
    if (inside) {
        inside = named(k, block, "inside", inside);
        MgKs *branch = mg_kif(k, block, inside);
        for (uint32_t r = 0; r < result->rank && piece->write == MG_BOUNDS_CHECKED; r++)
            if (subs[r])
                mg_ktrap(k, block_if(k, &branch->orelse, outside[r]),
                         mg_kb_trap_subscript(p->kb, p->op, v, r), subs[r]);
        p->block = &branch->body;
        p->memo_on = false;
    }
    return named(k, p->block, "at", address);
}
