// Is an equation a window? It must have the structure that window.c describes: a small reduction
// over constant ranges, and pairs of a free and a bound index that are added in subscripts.
#include "passes/schedule/window/window.h"

#include "ir/equation.h"

static bool mentions(const MgWindow *w, MgIx x, int index) {
    return index != MG_WINDOW_NONE &&
           mg_ix_mentions(w->s->ix, x, mg_ix_index(w->s->ix, (uint32_t)index));
}

bool mg_window_split(const MgWindow *w, MgIx x, int index, int64_t *coefficient, MgIx *rest) {
    return mg_ix_steps(w->s->ix, x, mg_ix_index(w->s->ix, (uint32_t)index), coefficient, rest) &&
           *coefficient > 0;
}

// Subscript x mentions the pair's free index. Is it stride*free + dilation*bound + rest, as
// elsewhere?
static bool fits_pair(const MgWindow *w, MgWindowPair *p, const MgWindowPair *other, MgIx x,
                      MgIx size) {
    int64_t stride, dilation = 1;
    MgIx rest;
    int bound = MG_WINDOW_NONE;
    if (!mg_window_split(w, x, p->free, &stride, &rest))
        return false;
    for (uint32_t b = w->piece->n_free; b < w->piece->n_indices; b++)
        if (mentions(w, rest, (int)b)) {
            if (bound != MG_WINDOW_NONE || !mg_window_split(w, rest, (int)b, &dilation, &rest))
                return false;
            bound = (int)b;
        }
    for (uint32_t i = 0; i < w->piece->n_indices; i++)
        if (((int)i == p->free || (int)i == bound || (int)i == other->free ||
             (int)i == other->bound) &&
            mentions(w, rest, (int)i))
            return false;
    if (!p->stride) {
        p->stride = stride;
        p->dilation = dilation;
        p->bound = bound;
        p->common = true;
        p->offset = rest;
        p->size = size;
    }
    p->common &= p->offset == rest && p->size == size;
    return p->stride == stride && p->bound == bound &&
           (bound == MG_WINDOW_NONE || p->dilation == dilation);
}

static bool find_pair(const MgWindow *w, const MgSx *x, MgWindowPair *p,
                      const MgWindowPair *other) {
    MgAccesses all = mg_reads(w->s, w->unit->ops[0], x);
    for (uint32_t r = 0; r < all.n; r++)
        for (uint32_t i = 0; i < all.at[r].read->n_args; i++) {
            const MgSx *sub = all.at[r].read->args[i];
            MgIx size = mg_value(w->s->g, all.at[r].value)->shape[i];
            if (sub->kind != MG_SX_IX ||
                (mentions(w, sub->ix, p->free) && !fits_pair(w, p, other, sub->ix, size)))
                return false;
        }
    return true;
}

typedef struct Counted {
    MgWindow *w;
    bool ok;
} Counted;

// Indices of a pair must occur only in its sums in subscripts, no index as a value, and nothing may
// trap.
static void check_use(void *ctx, const MgSx *x) {
    Counted *c = ctx;
    MgWindow *w = c->w;
    for (uint32_t i = 0; x->kind == MG_SX_PRIM && i < x->n_args; i++)
        c->ok &= x->args[i]->kind != MG_SX_IX;
    if (x->kind != MG_SX_READ)
        return;
    c->ok &= x->bounds != MG_BOUNDS_CHECKED && !(x->otherwise && x->otherwise->kind == MG_SX_IX);
    for (uint32_t i = 0; i < x->n_args; i++)
        for (int p = 0; p < 2; p++) {
            const MgWindowPair *pair = p ? &w->row : &w->column;
            if (mentions(w, x->args[i]->ix, pair->bound) &&
                !mentions(w, x->args[i]->ix, pair->free))
                c->ok = false;
        }
}

static bool stages(MgWindow *w, const MgSx *x) {
    Counted c = {w, x->kind != MG_SX_IX};
    mg_sx_walk(x, check_use, &c);
    return c.ok;
}

static bool mentions_in(MgWindow *w, const MgSx *x, int index) {
    return index != MG_WINDOW_NONE && mg_sx_mentions(w->s->m, x, (uint32_t)index);
}

static bool depends_on_place(MgWindow *w, const MgSx *x) {
    return mentions_in(w, x, w->column.free) || mentions_in(w, x, w->row.free);
}

static MgWindowPair pair_of(int free) {
    return (MgWindowPair){.free = free, .bound = MG_WINDOW_NONE, .dilation = 1, .taps = 1};
}

static bool find_pairs(MgWindow *w, const MgSx *x) {
    const MgPiece *p = w->piece;
    w->row = pair_of(MG_WINDOW_NONE);
    w->column = pair_of((int)p->n_free - 1);
    if (!find_pair(w, x, &w->column, &w->row) || !w->column.stride)
        return false;
    for (uint32_t i = p->n_free - 1; i-- > 0;) { // the last other free index that is paired with a
                                                 // bound one
        w->row = pair_of((int)i);
        if (find_pair(w, x, &w->row, &w->column) && w->row.bound != MG_WINDOW_NONE)
            break;
        w->row = pair_of(MG_WINDOW_NONE);
    }
    return w->column.bound != MG_WINDOW_NONE || w->row.bound != MG_WINDOW_NONE;
}

static bool constant_taps(MgWindow *w) {
    const MgPiece *p = w->piece;
    MgIxTable *t = w->s->ix;
    int64_t low, high, taps = 1;
    for (uint32_t i = 0; i < p->n_free; i++)
        if (!mg_ix_is_const(t, p->indices[i].low, &low) || low ||
            mg_ix_mentions_index(t, p->indices[i].high))
            return false;
    w->slices = 1;
    for (uint32_t b = p->n_free; b < p->n_indices; b++) {
        if (!mg_ix_is_const(t, p->indices[b].low, &low) || low ||
            !mg_ix_is_const(t, p->indices[b].high, &high) || high < 1 || high > 64)
            return false;
        taps *= high;
        if ((int)b == w->row.bound)
            w->row.taps = high;
        else if ((int)b == w->column.bound)
            w->column.taps = high;
        else
            w->slices *= high;
        if (taps > 64)
            return false;
    }
    return w->row.dilation * w->row.taps <= 64 && w->column.dilation * w->column.taps <= 256 &&
           w->row.stride <= MG_WINDOW_STRIDE && w->column.stride <= MG_WINDOW_STRIDE;
}

bool mg_window_find(MgWindow *w) {
    const MgPiece *p = w->piece = mg_only_piece(mg_op(w->s->g, w->unit->ops[0]));
    if (!p)
        return false;
    const MgSx *x = p->expr;
    if (!mg_form_folds(w->s, p) || !p->n_free || p->n_indices > MG_WINDOW_TOP)
        return false;
    w->staged = x;
    if (mg_piece_sums_products(p))
        for (uint32_t a = 0; a < 2; a++) {
            w->column.free = (int)p->n_free - 1;
            w->row.free = MG_WINDOW_NONE;
            if (mentions_in(w, x->args[a], w->column.free) &&
                !mentions_in(w, x->args[1 - a], w->column.free)) {
                w->staged = x->args[a];
                w->factor = x->args[1 - a];
            }
        }
    return find_pairs(w, w->staged) && (!w->factor || !depends_on_place(w, w->factor)) &&
           constant_taps(w) && stages(w, w->staged) && mg_unit_has_epilogue(w->s, w->unit) &&
           mg_moves_by_one(w->s->ix, mg_unit_target(w->s, w->unit->ops[0], NULL, 0),
                           mg_ix_index(w->s->ix, (uint32_t)w->column.free));
}
