// Elementwise groups whose last index is too short for a vector, as when an image is made twice as
// wide: y[.., v, e] = E(.., v, e) with two values of e.
//
// Lanes run along v instead: the vectors of both e are interleaved to two vectors of the result.
#include "passes/schedule/group.h"
#include "passes/schedule/words.h"

enum { PHASES = 2, MAX_LANES = 16 };

typedef struct Interleaved {
    MgGroup *gr;
    uint32_t v, e, lanes;
    const MgKx *end;
} Interleaved;

static bool moves_by(MgGroup *gr, MgIx address, uint32_t index, int64_t by) {
    MgIx step, rest;
    return mg_ix_linear(gr->s->ix, address, mg_ix_index(gr->s->ix, index), &step, &rest) &&
           mg_group_const_or(gr->s->ix, step, 0) == by;
}

// Only the last nest leaves the group; the others are in registers.
static bool is_chain(const MgGroup *gr) {
    for (uint32_t i = 0; i < gr->n_nests; i++)
        if (gr->nests[i].piece->n_free != gr->depth ||
            mg_unit_is_output(gr->unit, gr->nests[i].result) != (i == gr->n_nests - 1))
            return false;
    return true;
}

// Is there another loop, for workers to share?
static bool has_others(const Interleaved *t) {
    bool any = false;
    for (uint32_t i = 0; i < t->v; i++)
        any |= !t->gr->collapsed[i] && mg_ix_sub(t->gr->s->ix, t->gr->high[i], t->gr->low[i]) !=
                                           mg_ix_const(t->gr->s->ix, 1);
    return any;
}

static bool find(Interleaved *t) {
    MgGroup *gr = t->gr;
    MgIxTable *ix = gr->s->ix;
    if (gr->s->options->level < 2 || gr->s->options->target.gpu || gr->reduces || !is_chain(gr) ||
        gr->depth < 2)
        return false;
    t->e = gr->depth - 1;
    t->v = gr->depth - 2;
    MgIx target = mg_group_target(gr, &gr->nests[gr->n_nests - 1]);
    t->lanes = mg_group_lanes(gr, gr->nests, gr->n_nests);
    if (gr->collapsed[t->v] || gr->collapsed[t->e] || mg_group_const_or(ix, gr->low[t->v], 1) ||
        mg_group_const_or(ix, gr->low[t->e], 1) ||
        mg_group_const_or(ix, gr->high[t->e], 0) != PHASES || t->lanes < 4 ||
        t->lanes > MAX_LANES || mg_group_const_or(ix, gr->high[t->v], MAX_LANES) < t->lanes ||
        !moves_by(gr, target, t->e, 1) || !moves_by(gr, target, t->v, PHASES))
        return false;
    double along, across;
    mg_group_vector(gr, gr->nests, gr->n_nests, t->e, gr->depth, t->lanes, &along);
    mg_group_vector(gr, gr->nests, gr->n_nests, t->v, t->e, t->lanes,
                    &across); // that it writes apart is no cost here
    return across - 12 < along;
}

// Elements of both phases at [v, v + lanes).
static void points(void *ctx, MgKBlock *block, const MgKx *mask) {
    Interleaved *t = ctx;
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
        if (value->type.dtype != type)
            value = mg_kcast(k, MG_PRIM_CAST, type, value);
        x[i] = mg_klet_x(k, block, "x", value);
        mg_kb_forget(&gr->kb, sources);
    }
    gr->loop[t->e] = num(k, 0);
    const MgKx *at = mg_kb_ix(&gr->kb, mg_group_target(gr, n), gr->loop);
    at = mg_klet_x(k, block, "at", at);
    for (uint32_t i = 0; i < PHASES; i++) {
        uint8_t from[MAX_LANES];
        for (uint32_t l = 0; l < lanes; l++) // of x[0] and x[1] one after another
            from[l] = (uint8_t)((i * lanes + l) / PHASES + (l % PHASES) * lanes);
        const MgKx *both = mg_klet_x(k, block, "both", mg_kpermute(k, x[0], x[1], from, lanes));
        const MgKx *inside = NULL;
        if (mask) {
            const MgKx *left = times(k, bin(k, MG_PRIM_SUB, t->end, v), PHASES);
            inside = bin(k, MG_PRIM_LT, mg_kramp(k, num(k, i * lanes), num(k, 1), lanes),
                         mg_ksplat(k, left, lanes));
            inside = mg_klet_x(k, block, "inside", inside);
        }
        mg_kstore(k, block, buf, add(k, at, num(k, i * lanes)), both, inside);
    }
}

bool mg_group_interleaved(MgGroup *gr, MgKBlock *block, bool parallel) {
    Interleaved *t = MG_NEW(gr->s->arena, Interleaved);
    *t = (Interleaved){.gr = gr};
    if (!find(t) || (parallel && !has_others(t)))
        return false;
    gr->collapsed[t->e] = true; // no loop of its own
    MgKBlock *inner = mg_group_open_outer(gr, block, (int)t->v, parallel);
    const MgKx *low = num(gr->kb.k, 0);
    t->end = mg_kb_ix(&gr->kb, gr->high[t->v], gr->loop);
    mg_group_lanes_loop(gr, inner, t->v, t->lanes, low, t->end, points, t);
    return true;
}
