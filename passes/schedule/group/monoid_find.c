// Recognises the monoid of equations: the term of a row of lang/monoids.def is used as a pattern.
#include "passes/schedule/group/monoid.h"

#include "ir/equation.h"

typedef struct Match {
    MgGroup *gr;
    const MgGroupNest *first, *second;
    MgTogether *t;
    uint32_t n; // shifts
} Match;

static bool is_of_row(const Match *m, const MgSx *x) {
    for (uint32_t i = m->gr->depth; i < m->second->piece->n_indices; i++)
        if (mg_sx_mentions(m->gr->s->g->module, x, i))
            return false;
    return true;
}

// Symbols of a pattern besides primitives: an element of the first nest, and a shift.
enum { A = MG_PRIM_COUNT, B };

// Does x match the pattern? Returns the rest of the pattern; NULL if it doesn't.
static const uint8_t *match(Match *m, const uint8_t *pattern, const MgSx *x) {
    MgGraph *g = m->gr->s->g;
    uint32_t what = *pattern++;
    if (what == A)
        return mg_sx_same(m->first->piece->expr, mg_op(g, m->first->op)->operands, x,
                          mg_op(g, m->second->op)->operands)
                   ? pattern
                   : NULL;
    if (what == B) {
        m->t->shift[m->n++] = x;
        return is_of_row(m, x) ? pattern : NULL;
    }
    if (x->kind != MG_SX_PRIM || x->prim != what)
        return NULL;
    if (what == MG_PRIM_MUL) // a square
        return mg_sx_equal(x->args[0], x->args[1]) && match(m, pattern, x->args[0])
                   ? match(m, pattern, x->args[1])
                   : NULL;
    for (uint32_t i = 0; pattern && i < x->n_args; i++)
        pattern = match(m, pattern, x->args[i]);
    return pattern;
}

typedef struct Pattern {
    MgMonoid monoid;
    uint8_t term[8];
} Pattern;
#define SQUARE(x) MG_PRIM_MUL, x
#define EXP(x) MG_PRIM_EXP, x
#define SUB(x, y) MG_PRIM_SUB, x, y
#define a A
#define b B
static const Pattern patterns[] = {
#define MG_MONOID_SHIFTED(id, word, leader, identity, order, counts, shift, term, moved)           \
    {MG_MONOID_##id, {term}},
#define MG_MONOID(id, word, leader, identity, order)
#include "lang/monoids.def"
};
#undef a
#undef b

static bool goes_with(Match *m) {
    const MgPiece *first = m->first->piece, *second = m->second->piece;
    const MgMonoidRow *leads = mg_monoid(mg_reducer(first->reducer)->monoid);
    if (mg_reducer(second->reducer)->monoid != MG_MONOID_SUM || leads->beside ||
        !mg_is_float(second->expr->dtype) || second->expr->dtype != first->expr->dtype ||
        first->n_indices != second->n_indices || first->n_free != second->n_free ||
        !mg_same_box(first, second, first->n_indices))
        return false;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        m->n = 0;
        *m->t = (MgTogether){.monoid = patterns[i].monoid};
        if (mg_monoid(m->t->monoid)->leader == leads->leader &&
            match(m, patterns[i].term, second->expr))
            return true;
    }
    return false;
}

bool mg_monoid_find(MgGroup *gr, MgTogether *t) {
    uint32_t n = 0, second = 0;
    *t = (MgTogether){0};
    for (uint32_t i = 1; i < gr->n_nests; i++)
        if (gr->nests[i].piece->n_indices > gr->depth) {
            second = i;
            n++;
        }
    Match m = {.gr = gr, .first = gr->nests, .second = &gr->nests[second], .t = t};
    if (n == 1 && gr->nests[0].piece->n_indices > gr->depth && goes_with(&m)) {
        t->second = second;
        return true;
    }
    *t = (MgTogether){0};
    return false;
}
