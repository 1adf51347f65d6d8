// Subscripts that depend on data and are the same for every row: x[i, ids[j]]. Loading, wrapping
// and checking them again for every row would take half of the time. So each worker computes and
// checks them once, and keeps them as 32-bit numbers in a scratch that stays in its cache.
#include "passes/schedule/group/group.h"
#include "passes/schedule/words.h"

enum { MOST_PLACES = 1 << 14 };

typedef struct Seen {
    MgChosen *c;
    const MgGroupNest *nest;
    bool alone; // it depends only on the vector's index and on values from outside
} Seen;

// ---------------------------------------------------------------- finding them
static void see_part(void *ctx, const MgSx *x) {
    Seen *s = ctx;
    MgGroup *gr = s->c->gr;
    MgIxTable *t = gr->s->ix;
    if (x->kind == MG_SX_READ) {
        MgValueId v = mg_op(gr->s->g, s->nest->op)->operands[x->operand];
        s->alone &= x->bounds == MG_BOUNDS_PROVED && !mg_unit_def(gr->unit, gr->s->g, v);
    }
    if (x->kind != MG_SX_IX)
        return;
    MgIx ix = mg_ix_subst_indices(t, x->ix, gr->with, MG_GROUP_LOOPS);
    for (uint32_t i = 0; i < MG_GROUP_LOOPS; i++)
        s->alone &= i == s->c->vector || !mg_ix_mentions(t, ix, mg_ix_index(t, i));
}

static void see_read(void *ctx, const MgSx *x) {
    Seen *s = ctx;
    MgGroup *gr = s->c->gr;
    if (x->kind != MG_SX_READ || x->bounds != MG_BOUNDS_CHECKED)
        return;
    MgValueId v = mg_op(gr->s->g, s->nest->op)->operands[x->operand];
    for (uint32_t i = 0; i < x->n_args; i++) {
        int64_t extent = mg_ix_const_or(gr->s->ix, mg_value(gr->s->g, v)->shape[i], 0);
        s->alone = x->args[i]->kind != MG_SX_IX && extent > 0 && extent < INT32_MAX &&
                   s->c->n < MG_GROUP_GIVEN;
        for (uint32_t k = 0; k < s->c->n; k++)
            s->alone &= s->c->at[k].sub != x->args[i];
        if (s->alone)
            mg_sx_walk(x->args[i], see_part, s);
        if (s->alone)
            s->c->at[s->c->n++] =
                (MgChosenPlace){.nest = s->nest, .sub = x->args[i], .read = x, .position = i};
    }
}

static bool are_worth_it(const MgChosen *c) {
    MgGroup *gr = c->gr;
    MgIxTable *t = gr->s->ix;
    const MgScheduleOptions *o = gr->s->options;
    int64_t rows = 1, n;
    for (uint32_t i = 0; i < gr->depth; i++) {
        n = mg_ix_const_or(t, mg_group_extent(gr, i), 1);
        if (i != c->vector && !gr->collapsed[i] && n > 0 && n < INT32_MAX &&
            rows < mg_figure(gr->s, chosen_rows))
            rows *= n;
    }
    n = mg_ix_const_or(t, gr->high[c->vector], 0);
    return o->level >= 2 && !gr->s->walk && rows >= mg_figure(gr->s, chosen_rows) && n > 0 &&
           n <= MOST_PLACES && !mg_ix_const_or(t, gr->low[c->vector], 1);
}

// ---------------------------------------------------------------- once
static void check(void *ctx, MgKBlock *block, const MgKx *mask) {
    MgChosen *c = ctx;
    MgGroup *gr = c->gr;
    MgKernel *k = gr->kb.k;
    for (uint32_t i = 0; i < c->n; i++) {
        MgChosenPlace *at = &c->at[i];
        MgPoint p = mg_group_point(gr, at->nest, block, (int)c->vector, c->lanes, mask);
        const MgKx *x = mg_point_checked(&p, at->read, at->position);
        const MgKx *index = gr->loop[c->vector];
        mg_kstore(k, block, at->buf, at->base ? add(k, at->base, index) : index,
                  mg_ksplat(k, cast(k, MG_I32, x), c->lanes), mask);
    }
}

// The check runs once, before the loop over rows. If open sizes leave no rows, it must not run at
// all.
static MgKBlock *unless_empty(const MgChosen *c, MgKBlock *block) {
    MgGroup *gr = c->gr;
    MgKernel *k = gr->kb.k;
    for (uint32_t i = 0; i < gr->depth; i++) {
        MgIx n = mg_group_extent(gr, i);
        if (i == c->vector || gr->collapsed[i] || mg_ix_const_or(gr->s->ix, n, 0) > 0)
            continue;
        const MgKx *size = mg_kb_ix(&gr->kb, n, gr->loop);
        block = block_if(k, block, less(k, num(k, 0), size));
    }
    return block;
}

bool mg_group_choose(MgChosen *c, MgKBlock *block) {
    MgGroup *gr = c->gr;
    if (!are_worth_it(c))
        return false;
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        Seen s = {.c = c, .nest = &gr->nests[i]};
        if (gr->nests[i].piece->n_indices == gr->depth)
            mg_sx_walk(gr->nests[i].piece->expr, see_read, &s);
    }
    if (!c->n)
        return false;
    MgIx n = gr->high[c->vector];
    for (uint32_t i = 0; i < c->n; i++)
        c->at[i].buf = mg_kb_scratch(&gr->kb, "places", MG_I32, n, MG_SCOPE_WORKER, &c->at[i].base);
    mg_lanes_loop(gr->kb.k, unless_empty(c, block), &gr->loop[c->vector], num(gr->kb.k, 0),
                  mg_kb_ix(&gr->kb, n, gr->loop), c->lanes, false, check, c);
    return true;
}

// ---------------------------------------------------------------- in every row
void mg_group_chosen_points(void *ctx, MgKBlock *block, const MgKx *mask) {
    MgChosen *c = ctx;
    MgGroup *gr = c->gr;
    MgKernel *k = gr->kb.k;
    for (uint32_t i = 0; i < c->n; i++) {
        const MgChosenPlace *at = &c->at[i];
        const MgKx *index = gr->loop[c->vector];
        const MgKx *none = mask ? mg_kconst(k, mg_kt(MG_I32, c->lanes), 0) : NULL;
        const MgKx *x =
            mg_kload(k, at->buf, at->base ? add(k, at->base, index) : index, c->lanes, mask, none);
        x = named(k, block, "place", x);
        x = cast(k, at->sub->dtype, x);
        gr->given[i] = (MgGroupGiven){at->nest, at->sub, x};
    }
    gr->n_given = c->n;
    mg_group_points(c->points, block, mask);
    gr->n_given = 0;
}
