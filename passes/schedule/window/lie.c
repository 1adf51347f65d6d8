// Windows over a tensor in place: a plain read, contiguous along the columns, needs no stage. The
// taps of a row are vectors of the image itself, loaded from memory; with a stride, one vector is
// loaded for each phase, and lanes are picked. The caches do the work of a stage: a row's vectors
// overlap, and so do the rows of a tile.
//
// Vectors inside the image have no masks; those at either end of a line do. A line is walked from
// left to right: in any other order the CPU's prefetchers are a tenth slower. Rows outside are few,
// and known from their number in the tile: only these are tested.
#include "passes/schedule/window/window.h"
#include "passes/schedule/words.h"

// Is it known to be larger than the last-level cache?
static bool is_large(MgWindow *w, const MgValue *image) {
    MgIx elements = mg_ix_product(w->s->ix, image->shape, image->rank);
    int64_t cache = w->s->options->target.l3_bytes;
    return cache &&
           mg_ix_const_or(w->s->ix, elements, 0) > cache / (int64_t)mg_dtype_size(image->dtype);
}

// Images that no cache holds are better read line by line, one row of the stage after another:
// their lines are as many streams for the CPU's prefetchers. Without partial loads of vectors, both
// ends of a line would be scalar code.
static bool suits(MgWindow *w) {
    const MgOp *op = mg_op(w->s->g, w->unit->ops[0]);
    return w->s->options->target.vector_bytes >= 32 &&
           !is_large(w, mg_value(w->s->g, op->operands[w->staged->operand]));
}

// Is E, with its place as symbols, a read that is contiguous along the columns?
static bool is_contiguous(MgWindow *w, MgAccess *a) {
    MgAccesses all = mg_accesses(w->s, w->unit->ops[0], mg_window_places(w), NULL, 0);
    *a = all.at[all.n - 1]; // after the reads in its subscripts
    return mg_moves(w->s, a, MG_WINDOW_COLUMN) == MG_STEPS;
}

bool mg_window_may_lie(MgWindow *w) {
    const MgSx *x = w->staged;
    const MgWindowPair *row = &w->row, *column = &w->column;
    MgAccess a;
    if (x->kind != MG_SX_READ || !column->common || (row->free != MG_WINDOW_NONE && !row->common) ||
        column->taps * column->stride > MG_WINDOW_LINE_LOADS ||
        (x->otherwise && x->otherwise->kind != MG_SX_CONST))
        return false;
    return is_contiguous(w, &a);
}

bool mg_window_lies(MgWindow *w) {
    return mg_window_may_lie(w) && suits(w);
}

// Prefetches as many elements as a tile has, `window_ahead` bytes after the next tile's first.
static void ask(MgWindow *w, MgKBlock *block, MgValueId v, MgIx address, int64_t n) {
    MgKernel *k = w->kb.k;
    int64_t size = (int64_t)mg_dtype_size(mg_value(w->s->g, v)->dtype);
    const MgKx *from =
        plus(k, mg_kb_ix(&w->kb, address, w->at.loop), mg_figure(w->s, window_ahead) / size);
    from = named(k, block, "next", from);
    Loop loop = each_from(k, block, "ask", num(k, 0), num(k, n), mg_line(w->s) / size);
    from = add(k, from, loop.at);
    mg_kprefetch(k, loop.body, mg_kb_value(&w->kb, v), from)->far = true;
}

void mg_window_ask(MgWindow *w, MgKBlock *block) {
    MgSched *s = w->s;
    MgKernel *k = w->kb.k;
    const MgSx *x = w->staged;
    const MgWindowPair *row = &w->row;
    MgAccess a;
    int64_t width, columns;
    if (x->kind != MG_SX_READ || row->free == MG_WINDOW_NONE || !row->common || w->slices > 1)
        return;
    MgValueId v = mg_op(s->g, w->unit->ops[0])->operands[x->operand];
    if (!is_large(w, mg_value(s->g, v)) || !mg_ix_is_const(s->ix, w->column.size, &width) ||
        !mg_ix_is_const(s->ix, w->piece->indices[w->column.free].high, &columns) ||
        !is_contiguous(w, &a))
        return;
    const MgKx *next = plus(k, w->at.loop[MG_WINDOW_TOP], w->plan.tile);
    w->at.loop[MG_WINDOW_COLUMN] = w->at.loop[w->column.free] = num(k, 0);
    w->at.loop[MG_WINDOW_ROW] = add(k, times(k, next, row->stride), mg_window_ix(w, row->offset));
    w->at.loop[row->free] = next;
    ask(w, block, v, a.address, w->plan.tile * row->stride * width);
    MgOpId last = w->unit->ops[w->unit->n_ops - 1];
    ask(w, block, mg_op(s->g, last)->results[0], mg_unit_target(s, last, NULL, 0),
        w->plan.tile * columns);
}

// ---------------------------------------------------------------- rows

// The number of rows before the image that the first tile's rows use; with `behind`, the number
// after the image that the last tile's rows use; at most all current rows.
static int64_t rows_outside(MgWindow *w, bool behind) {
    MgIxTable *t = w->s->ix;
    const MgWindowPair *p = &w->row;
    int64_t n;
    MgIx outside = mg_ix_neg(t, p->offset);
    if (behind) {
        MgIx last = mg_ix_sub(t, w->piece->indices[p->free].high, mg_ix_const(t, 1));
        outside = mg_ix_add(t, mg_ix_mul(t, last, mg_ix_const(t, p->stride)),
                            mg_ix_const(t, (p->taps - 1) * p->dilation + 1));
        outside = mg_ix_sub(t, mg_ix_add(t, outside, p->offset), p->size);
    }
    if (mg_ix_is_const(t, outside, &n))
        return n;
    MgIxRanges ranges = {w->at.low, w->at.high, MG_WINDOW_SYMS};
    bool none = mg_ix_nonnegative(t, mg_ix_neg(t, outside), &ranges, NULL, 0) == MG_PROVED;
    return none ? 0 : INT32_MAX;
}

// Is row `line` of the current ones in the image? NULL: it is.
static const MgKx *row_inside(MgWindow *w, int64_t line, const MgKx *place) {
    MgKernel *k = w->kb.k;
    const MgWindowPair *p = &w->row;
    int64_t rows = (w->now.rows - 1) * p->stride + (p->taps - 1) * p->dilation + 1;
    const MgKx *is = NULL;
    if (p->free == MG_WINDOW_NONE || w->staged->bounds == MG_BOUNDS_PROVED)
        return NULL;
    if (line < rows_outside(w, false))
        is = bin(k, MG_PRIM_GE, place, num(k, 0));
    if (line >= rows - rows_outside(w, true)) {
        const MgKx *before = less(k, place, mg_window_ix(w, p->size));
        is = is ? both(k, is, before) : before;
    }
    return is;
}

// ---------------------------------------------------------------- the taps of a row

// The value outside.
static const MgKx *otherwise(MgWindow *w, MgKBlock *block) {
    MgPoint point = mg_window_point(w, block, MG_WINDOW_NONE, NULL);
    return mg_ksplat(w->kb.k, mg_point_expr(&point, w->staged->otherwise), w->plan.lanes);
}

// The beginning of the vector of phase v, from `base` elements after the first tap's.
static const MgKx *place(MgWindow *w, const MgKx *at, int64_t base, int64_t v) {
    MgKernel *k = w->kb.k;
    const MgKx *j = add(k, times(k, at, w->column.stride), mg_window_ix(w, w->column.offset));
    return plus(k, j, base + v * w->plan.lanes);
}

// Taps in one group of phases share its loads. The last group ends with the last tap, so that
// nothing after it is read.
static int64_t base_of(MgWindow *w, int64_t kw) {
    const MgWindowPair *p = &w->column;
    int64_t last = (p->taps - 1) * p->dilation - (p->stride - 1);
    int64_t base = kw * p->dilation / p->stride * p->stride;
    return last <= 0 ? 0 : base > last ? last : base;
}

// Loads the vectors of all phases from `base` on; at an end of the line, elements outside are
// `otherwise`.
static void load_phases(MgWindow *w, MgKBlock *block, const MgKx *at, int64_t base,
                        const MgKx *const *masks, const MgKx **vectors) {
    MgKernel *k = w->kb.k;
    const MgSx *x = mg_window_places(w);
    for (int64_t v = 0; v < w->column.stride; v++) {
        w->at.loop[MG_WINDOW_COLUMN] = named(k, block, "j", place(w, at, base, v));
        const MgKx *mask = w->now.edge ? masks[v] : NULL;
        MgPoint point = mg_window_point(w, block, MG_WINDOW_COLUMN, mask);
        const MgKx *loaded = mg_ksplat(k, mg_point_expr(&point, x), w->plan.lanes);
        if (mask && w->staged->otherwise)
            loaded = where(k, mask, loaded, otherwise(w, block));
        vectors[v] = named(k, block, "x", loaded);
    }
}

static void load_taps(MgWindow *w, MgKBlock *block, const MgKx *at, const MgKx **taps) {
    const MgWindowPair *p = &w->column;
    const MgKx *vectors[64];
    int64_t open = -1, group = 0;
    for (int64_t kw = 0; kw < p->taps; kw++) {
        int64_t base = base_of(w, kw);
        if (base != open)
            load_phases(w, block, at, base, w->now.masks + group++ * p->stride, vectors);
        open = base;
        taps[kw] = named(w->kb.k, block, "x", mg_window_phase(w, vectors, kw * p->dilation - base));
    }
}

// Computes the masks of all loads of a line at columns `at`, near its ends: the same for all lines.
static void make_masks(MgWindow *w, MgKBlock *block, const MgKx *at) {
    MgKernel *k = w->kb.k;
    const MgWindowPair *p = &w->column;
    int64_t open = -1, n = 0;
    bool before = mg_ix_const_or(w->s->ix, p->offset, -1) < 0;
    const MgKx *size = mg_ksplat(k, mg_window_ix(w, p->size), w->plan.lanes);
    for (int64_t kw = 0; kw < p->taps; kw++) {
        int64_t base = base_of(w, kw);
        for (int64_t v = 0; v < p->stride && base != open; v++) {
            const MgKx *j = mg_kramp(k, place(w, at, base, v), num(k, 1), w->plan.lanes);
            const MgKx *mask = less(k, j, size);
            if (before)
                mask = both(k, mask, bin(k, MG_PRIM_GE, j, mg_ksplat(k, num(k, 0), w->plan.lanes)));
            w->now.masks[n++] = named(k, block, "mask", mask);
        }
        open = base;
    }
}

void mg_window_line(MgWindow *w, MgKBlock *block, int64_t slice, int64_t line, const MgKx *at,
                    const MgKx **taps) {
    MgKernel *k = w->kb.k;
    const MgWindowPair *row = &w->row, *column = &w->column;
    mg_window_slice(w, slice);
    mg_window_inside(w);
    w->at.loop[MG_WINDOW_ROW] = num(k, 0);
    if (row->free != MG_WINDOW_NONE) {
        const MgKx *first = times(k, add(k, w->at.loop[MG_WINDOW_TOP], w->now.first), row->stride);
        first = plus(k, add(k, first, mg_window_ix(w, row->offset)), line);
        w->at.loop[MG_WINDOW_ROW] = named(k, block, "row", first);
    }
    const MgKx *is = row_inside(w, line, w->at.loop[MG_WINDOW_ROW]);
    if (!is) {
        load_taps(w, block, at, taps);
        return;
    }
    MgKs *branch = mg_kif(k, block, is);
    load_taps(w, &branch->body, at, taps);
    const MgKx *outside = otherwise(w, &branch->orelse);
    for (int64_t kw = 0; kw < column->taps; kw++) {
        store(k, &branch->body, w->taps, num(k, kw), taps[kw]);
        store(k, &branch->orelse, w->taps, num(k, kw), outside);
        taps[kw] = named(k, block, "x", loaded(k, w->taps, num(k, kw), w->plan.lanes));
    }
}

// ---------------------------------------------------------------- columns

// The vectors of columns from *low to *high whose taps are all inside.
static void inside(MgWindow *w, MgIx width, MgIx *low, MgIx *high) {
    MgIxTable *t = w->s->ix;
    const MgWindowPair *p = &w->column;
    MgIx zero = mg_ix_const(t, 0), lanes = mg_ix_const(t, w->plan.lanes);
    MgIx stride = mg_ix_const(t, p->stride), step = mg_ix_mul(t, stride, lanes);
    *low = mg_ix_mul(t, mg_ix_max(t, zero, mg_ix_neg(t, mg_ix_div(t, p->offset, step))), lanes);
    int64_t reach = (p->taps - 1) * p->dilation; // all phases are loaded, whether they are taps or
                                                 // not
    reach = reach < p->stride - 1 ? p->stride - 1 : reach;
    MgIx last = mg_ix_sub(t, mg_ix_sub(t, p->size, p->offset), mg_ix_const(t, reach + 1));
    MgIx n = mg_ix_add(t, mg_ix_div(t, last, stride), mg_ix_const(t, 1));
    n = mg_ix_div(t, mg_ix_min(t, n, width), lanes);
    *high = mg_ix_max(t, *low, mg_ix_mul(t, n, lanes));
}

static bool is_empty(const MgKx *from, const MgKx *to) {
    return from->kind == MG_KX_CONST && to->kind == MG_KX_CONST && from->bits >= to->bits;
}

// Vectors at columns [from, to), near an end of the line.
static void end_columns(MgWindow *w, MgKBlock *block, const MgKx *from, const MgKx *to,
                        const MgKx *const *factors) {
    MgKernel *k = w->kb.k;
    if (is_empty(from, to))
        return;
    Loop loop = each_from(k, block, "end", from, to, w->plan.lanes);
    const MgKx *at = loop.at;
    if (from->kind == MG_KX_CONST && to->kind == MG_KX_CONST &&
        to->bits - from->bits <= w->plan.lanes) // a single vector, whose masks are the same for all
                                                // lines
        at = from;
    const MgKx *width = mg_window_ix(w, w->piece->indices[w->column.free].high);
    const MgKx *mask = named(k, loop.body, "mask", lanes_below(k, at, width, w->plan.lanes));
    w->now.edge = true;
    make_masks(w, loop.body, at);
    mg_window_columns(w, loop.body, at, mask, factors);
}

void mg_window_line_columns(MgWindow *w, MgKBlock *block, const MgKx *const *factors) {
    MgKernel *k = w->kb.k;
    MgIx width = w->piece->indices[w->column.free].high, low, high;
    inside(w, width, &low, &high);
    const MgKx *from = mg_window_ix(w, low), *to = mg_window_ix(w, high);
    end_columns(w, block, num(k, 0), from, factors);
    if (!is_empty(from, to)) {
        Loop loop = each_from(k, block, "w", from, to, w->plan.lanes);
        w->now.edge = false;
        mg_window_columns(w, loop.body, loop.at, NULL, factors);
    }
    end_columns(w, block, to, mg_window_ix(w, width), factors);
}
