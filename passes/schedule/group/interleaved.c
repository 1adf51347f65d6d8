// Elementwise groups whose last index is too short for a vector, as when an image is made twice as
// wide: y[.., v, e] = E(.., v, e) with two values of e.
//
// Lanes run along v instead: the vectors of both e are interleaved into two vectors of the result.
#include "passes/schedule/group/nest.h"
#include "passes/schedule/words.h"

enum { PHASES = 2, MAX_LANES = 16 };

static bool moves_by(MgGroup *gr, MgIx address, uint32_t index, int64_t by) {
    MgIx step, rest;
    return mg_ix_linear(gr->s->ix, address, mg_ix_index(gr->s->ix, index), &step, &rest) &&
           mg_ix_const_or(gr->s->ix, step, 0) == by;
}

// Only the last nest's result is used outside; the others are in registers.
static bool is_chain(const MgGroup *gr) {
    for (uint32_t i = 0; i < gr->n_nests; i++)
        if (gr->nests[i].piece->n_free != gr->depth ||
            mg_unit_is_output(gr->unit, gr->nests[i].result) != (i == gr->n_nests - 1))
            return false;
    return true;
}

bool mg_interleaves(MgGroup *gr, uint32_t v, uint32_t e, uint32_t lanes) {
    MgIxTable *ix = gr->s->ix;
    if (gr->s->options->level < 2 || gr->s->options->target.gpu || gr->reduces || !is_chain(gr) ||
        gr->depth < 2 || e != gr->depth - 1 || v != gr->depth - 2)
        return false;
    MgIx target = mg_group_target(gr, &gr->nests[gr->n_nests - 1]);
    return !gr->collapsed[v] && !gr->collapsed[e] && !mg_ix_const_or(ix, gr->low[v], 1) &&
           !mg_ix_const_or(ix, gr->low[e], 1) && mg_ix_const_or(ix, gr->high[e], 0) == PHASES &&
           lanes >= 4 && lanes <= MAX_LANES && moves_by(gr, target, e, 1) &&
           moves_by(gr, target, v, PHASES);
}

bool mg_interleaving_pays(MgGroup *gr, uint32_t v, uint32_t e, uint32_t lanes) {
    double along, across;
    if (mg_ix_const_or(gr->s->ix, gr->high[v], MAX_LANES) < lanes)
        return false;
    mg_group_vector(gr, gr->nests, gr->n_nests, e, gr->depth, lanes, &along);
    // strided stores are not counted
    mg_group_vector(gr, gr->nests, gr->n_nests, v, e, lanes, &across);
    return across - 12 < along;
}

void mg_interleaved_points(void *ctx, MgKBlock *block, const MgKx *mask) {
    const MgInterleaved *t = ctx;
    MgGroup *gr = t->gr;
    MgKernel *k = gr->kb.k;
    const MgGroupNest *n = &gr->nests[gr->n_nests - 1];
    MgDType type = mg_value(gr->s->g, n->result)->dtype;
    MgKBufId buf = mg_kb_value(&gr->kb, n->result);
    uint32_t lanes = t->lanes;
    const MgKx *x[PHASES], *v = gr->loop[t->v];
    for (uint32_t i = 0; i < PHASES; i++) {
        gr->loop[t->e] = num(k, i);
        uint32_t sources = gr->kb.sources.len;
        for (uint32_t j = 0; j + 1 < gr->n_nests; j++)
            mg_group_emit(gr, &gr->nests[j], block, (int)t->v, lanes, mask, true);
        mg_group_enter(gr, n);
        MgPoint p = mg_group_point(gr, n, block, (int)t->v, lanes, mask);
        const MgKx *value = mg_ksplat(k, mg_point_expr(&p, n->piece->expr), lanes);
        value = converted(k, type, value);
        x[i] = named(k, block, "x", value);
        mg_kb_forget(&gr->kb, sources);
    }
    gr->loop[t->e] = num(k, 0);
    const MgKx *at = named(k, block, "at", mg_kb_ix(&gr->kb, mg_group_target(gr, n), gr->loop));
    for (uint32_t i = 0; i < PHASES; i++) {
        uint8_t from[MAX_LANES];
        for (uint32_t l = 0; l < lanes; l++) // of the concatenation of x[0] and x[1]
            from[l] = (uint8_t)((i * lanes + l) / PHASES + (l % PHASES) * lanes);
        const MgKx *both = named(k, block, "both", mg_kpermute(k, x[0], x[1], from, lanes));
        const MgKx *inside = NULL;
        if (mask) {
            const MgKx *left = times(k, sub(k, t->end, v), PHASES);
            inside = named(k, block, "inside", lanes_below(k, num(k, i * lanes), left, lanes));
        }
        mg_kstore(k, block, buf, plus(k, at, i * lanes), both, inside);
    }
}
