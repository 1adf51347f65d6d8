// Windows that don't overlap: each is as wide as its stride and no higher, so no two share an
// element, and none reaches outside. Pooling in most networks is like this: 2 x 2 with stride 2.
//
// Nothing needs to be staged: the rows of a window are reduced in place, in whole vectors, then the
// columns of each window are moved to the same lanes. Rows are a loop, so an open size costs
// nothing, and the last tile needs no guard.
#include "passes/schedule/window/window.h"
#include "passes/schedule/words.h"

bool mg_window_is_apart(MgWindow *w) {
    const MgWindowPair *row = &w->row, *column = &w->column;
    bool inside = true;
    MgAccesses reads = mg_reads(w->s, w->unit->ops[0], w->staged);
    for (uint32_t i = 0; i < reads.n; i++)
        inside &= reads.at[i].read->bounds == MG_BOUNDS_PROVED;
    return inside && !w->factor && column->common && column->bound != MG_WINDOW_NONE &&
           column->dilation == 1 && column->taps == column->stride &&
           (row->free == MG_WINDOW_NONE ||
            (row->common && (row->taps - 1) * row->dilation < row->stride));
}

MgKBlock *mg_window_apart_rows(MgWindow *w, MgKBlock *block) {
    MgKernel *k = w->kb.k;
    if (w->row.free == MG_WINDOW_NONE)
        return block;
    const MgKx *top = w->at.loop[MG_WINDOW_TOP],
               *height = mg_window_ix(w, w->piece->indices[w->row.free].high);
    const MgKx *end = least(k, plus(k, top, w->plan.tile), height);
    Loop rows = each_from(k, block, "h", top, end, 1);
    w->at.loop[w->row.free] = rows.at;
    return rows.body;
}

// The vectors of E for the windows at columns `at` of the current row, reduced over all taps of
// rows and slices; columns past the end are masked if there may be any.
static void reduce_rows(MgWindow *w, MgKBlock *block, const MgKx *at, bool edge,
                        const MgKx **vectors) {
    MgKernel *k = w->kb.k;
    MgIxTable *t = w->s->ix;
    const MgWindowPair *row = &w->row, *column = &w->column;
    const MgSx *x = mg_window_places(w);
    const MgKx *end = mg_ksplat(k, mg_window_ix(w, mg_ix_add(t, column->offset, w->stage.columns)),
                                w->plan.lanes);
    for (int64_t v = 0; v < column->stride; v++) {
        const MgKx *j = plus(k, times(k, at, column->stride), v * w->plan.lanes);
        j = add(k, j, mg_window_ix(w, column->offset));
        w->at.loop[MG_WINDOW_COLUMN] = j = named(k, block, "j", j);
        const MgKx *lane = mg_kramp(k, j, num(k, 1), w->plan.lanes), *mask = NULL;
        if (edge)
            mask = named(k, block, "mask", less(k, lane, end));
        vectors[v] = NULL;
        for (int64_t tap = 0; tap < w->slices * row->taps; tap++) {
            mg_window_slice(w, tap / row->taps);
            if (row->free != MG_WINDOW_NONE) {
                const MgKx *h = times(k, w->at.loop[row->free], row->stride);
                h = plus(k, h, tap % row->taps * row->dilation);
                w->at.loop[MG_WINDOW_ROW] = add(k, h, mg_window_ix(w, row->offset));
            }
            MgPoint p = mg_window_point(w, block, MG_WINDOW_COLUMN, mask);
            const MgKx *one =
                named(k, block, "x", mg_ksplat(k, mg_point_expr(&p, x), w->plan.lanes));
            vectors[v] = vectors[v] ? named(k, block, "x",
                                            mg_reduce_step(k, w->piece->reducer, vectors[v], one))
                                    : one;
        }
    }
}

const MgKx *mg_window_apart(MgWindow *w, MgKBlock *block, const MgKx *at, const MgKx *mask) {
    MgKernel *k = w->kb.k;
    const MgWindowPair *column = &w->column;
    mg_window_inside(w);
    const MgKx **vectors = MG_NEW_N(w->s->arena, const MgKx *, column->stride), *sum = NULL;
    reduce_rows(w, block, at, mask != NULL, vectors);
    for (int64_t phase = 0; phase < column->stride; phase++) {
        const MgKx *x = named(k, block, "x", mg_window_phase(w, vectors, phase));
        sum = sum ? named(k, block, "x", mg_reduce_step(k, w->piece->reducer, sum, x)) : x;
    }
    return sum;
}
