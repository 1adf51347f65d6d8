// The stage of a window: rows of E, with each element evaluated once, padding filled in, and a
// stride along the columns separated into its phases. Away from the edges no read can be outside,
// and the ranges of the loops show this, so there are no masks.
#include "passes/schedule/window/window.h"
#include "passes/schedule/words.h"

static MgIx origin(MgWindow *w, const MgWindowPair *p) {
    return p->common ? p->offset : mg_ix_const(w->s->ix, 0);
}

// Replaces stride*f + dilation*b + offset by one symbol: the position in the axis that is read
// (before its offset, if subscripts have several).
static MgIx place_of(MgWindow *w, MgIx x) {
    MgIxTable *t = w->s->ix;
    for (int i = 0; i < 2; i++) {
        const MgWindowPair *p = i ? &w->row : &w->column;
        int64_t coefficient;
        MgIx rest;
        if (p->free == MG_WINDOW_NONE || !mg_ix_mentions(t, x, mg_ix_index(t, (uint32_t)p->free)) ||
            !mg_window_split(w, x, p->free, &coefficient, &rest))
            continue;
        if (p->bound != MG_WINDOW_NONE)
            mg_window_split(w, rest, p->bound, &coefficient, &rest);
        x = mg_ix_add(t, mg_ix_sub(t, rest, origin(w, p)),
                      mg_ix_idx(t, i ? MG_WINDOW_ROW : MG_WINDOW_COLUMN));
    }
    return x;
}

static const MgSx *rewrite_read(void *ctx, const MgSx *x) {
    MgWindow *w = ctx;
    if (x->kind != MG_SX_READ)
        return x;
    const MgSx *subs[64];
    for (uint32_t i = 0; i < x->n_args; i++)
        subs[i] = mg_sx_ix(w->s->m, x->args[i]->dtype, place_of(w, x->args[i]->ix));
    return mg_sx_read(w->s->m, x->operand, x->dtype, subs, x->n_args, x->bounds, x->otherwise);
}

// An operation with fixed rounding keeps it when its reads are rewritten.
static void fix_places(MgWindow *w, const MgSx *from, const MgSx *to) {
    if (from == to)
        return;
    if (mg_sx_in(&w->s->fixed, from))
        mg_map_put(&w->s->fixed, (uint64_t)(uintptr_t)to, 1);
    for (uint32_t i = 0; i < from->n_args && from->kind == MG_SX_PRIM; i++)
        fix_places(w, from->args[i], to->args[i]);
    if (from->otherwise)
        fix_places(w, from->otherwise, to->otherwise);
}

const MgSx *mg_window_places(MgWindow *w) {
    const MgSx *x = mg_sx_rewrite(w->s->m, w->staged, rewrite_read, w);
    fix_places(w, w->staged, x);
    return x;
}

const MgKx *mg_window_phase(MgWindow *w, const MgKx *const *vectors, int64_t phase) {
    const MgKx *x = vectors[0];
    uint8_t lanes[64];
    for (int64_t v = 1; v < w->column.stride; v++) {
        for (uint32_t l = 0; l < w->plan.lanes; l++) {
            int64_t from = l * w->column.stride + phase, vector = from / w->plan.lanes;
            int64_t first = v == 1 ? from % w->plan.lanes : l; // present, or moved there
            lanes[l] = (uint8_t)(vector == v  ? w->plan.lanes + from % w->plan.lanes
                                 : vector < v ? first
                                              : l);
        }
        x = mg_kpermute(w->kb.k, x, vectors[v], lanes, w->plan.lanes);
    }
    return x;
}

// The range of the current row's position: inside the axis that is read, or as far as windows
// reach.
static void rows_in(MgWindow *w, bool inside) {
    MgIxTable *t = w->s->ix;
    const MgWindowPair *p = &w->row;
    MgIx reach = mg_ix_const(t, w->stage.rows + w->plan.tile * p->stride), low = origin(w, p);
    inside |= p->free == MG_WINDOW_NONE;
    w->at.low[MG_WINDOW_ROW] = inside ? mg_ix_const(t, 0) : low;
    w->at.high[MG_WINDOW_ROW] = p->free == MG_WINDOW_NONE ? mg_ix_const(t, 1) : p->size;
    if (!inside)
        w->at.high[MG_WINDOW_ROW] =
            mg_ix_add(t, mg_ix_add(t, low, reach),
                      mg_ix_mul(t, w->piece->indices[p->free].high, mg_ix_const(t, p->stride)));
}

static void columns_in(MgWindow *w, MgIx low, MgIx high) { // of positions in a row
    w->at.low[MG_WINDOW_COLUMN] = low;
    w->at.high[MG_WINDOW_COLUMN] = high;
}

void mg_window_inside(MgWindow *w) {
    rows_in(w, true);
    columns_in(w, mg_ix_const(w->s->ix, 0), w->column.size);
}

// The position of row number `row` of the stage; rows past those that the last output row needs
// repeat its last one.
static const MgKx *place_of_row(MgWindow *w, const MgKx *row) {
    MgKernel *k = w->kb.k;
    const MgWindowPair *p = &w->row;
    if (p->free == MG_WINDOW_NONE)
        return row;
    MgIx height = w->piece->indices[p->free].high;
    const MgKx *top = times(k, w->at.loop[MG_WINDOW_TOP], p->stride);
    const MgKx *last =
        plus(k, mg_window_ix(w, mg_ix_mul(w->s->ix, height, mg_ix_const(w->s->ix, p->stride))),
             (p->taps - 1) * p->dilation - p->stride);
    const MgKx *at = least(k, add(k, top, row), last);
    return add(k, at, mg_window_ix(w, origin(w, p)));
}

// A loop over the rows of a slice, at the current row's position in E; inside: only the rows
// inside.
static MgKBlock *open_row(MgWindow *w, MgKBlock *block, int64_t slice, bool inside, MgKs **branch) {
    MgKernel *k = w->kb.k;
    const MgWindowPair *p = &w->row;
    Loop loop = each_of(k, block, "row", num(k, w->stage.rows));
    const MgKx *row = loop.at;
    block = loop.body;
    w->stage.line = add(k, num(k, slice * w->stage.rows), row);
    w->at.loop[MG_WINDOW_ROW] = row = named(k, block, "i", place_of_row(w, row));
    *branch = NULL;
    if (!inside || p->free == MG_WINDOW_NONE)
        return block;
    rows_in(w, true);
    const MgKx *is =
        both(k, bin(k, MG_PRIM_GE, row, num(k, 0)), less(k, row, mg_window_ix(w, p->size)));
    *branch = mg_kif(k, block, is);
    return &(*branch)->body;
}

// Stores the vectors of all phases at position `at`, with these masks or none, to the current line.
static void stage_vectors(MgWindow *w, MgKBlock *block, const MgSx *x, const MgKx *at,
                          const MgKx *const *places, const MgKx *const *masks) {
    MgKernel *k = w->kb.k;
    const MgKx *vectors[MG_WINDOW_STRIDE];
    for (int64_t v = 0; v < w->column.stride; v++) {
        w->at.loop[MG_WINDOW_COLUMN] = places[v];
        MgPoint p = mg_window_point(w, block, MG_WINDOW_COLUMN, masks ? masks[v] : NULL);
        vectors[v] = named(k, block, "x", mg_ksplat(k, mg_point_expr(&p, x), w->plan.lanes));
    }
    for (int64_t phase = 0; phase < w->column.stride; phase++)
        store(k, block, w->stage.buf, mg_window_at(w, w->stage.line, phase, at),
              mg_window_phase(w, vectors, phase));
}

// The loop over positions [low, high) in the current chunk; sets the positions of the vectors.
static MgKs *open_positions(MgWindow *w, MgKBlock *block, MgIx from, MgIx to, const MgKx **places) {
    MgKernel *k = w->kb.k;
    const MgKx *low = mg_window_ix(w, from), *high = mg_window_ix(w, to);
    if (w->stage.first && from == mg_ix_const(w->s->ix, 0) &&
        mg_ix_const_or(w->s->ix, to, INT64_MAX) <= w->plan.chunk) { // all are in the first one
        const MgKx *first = equal(k, w->stage.first, num(k, 0));
        block = block_if(k, block, first);
    } else if (w->stage.first) {
        low = greatest(k, low, w->stage.first);
        high = least(k, high, plus(k, w->stage.first, w->stage.span));
    }
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "t", low, high, w->plan.lanes);
    for (int64_t v = 0; v < w->column.stride; v++) {
        const MgKx *j = times(k, mg_kvar(k, loop->var), w->column.stride);
        j = add(k, j, add(k, num(k, v * w->plan.lanes), mg_window_ix(w, origin(w, &w->column))));
        places[v] = named(k, &loop->body, "j", j);
    }
    return loop;
}

static void mask_end(MgWindow *w, MgKBlock *block, const MgKx *const *places, const MgKx **masks) {
    MgKernel *k = w->kb.k;
    MgIx end = mg_ix_add(w->s->ix, origin(w, &w->column), w->stage.columns);
    const MgKx *stop = mg_ksplat(k, mg_window_ix(w, end), w->plan.lanes);
    for (int64_t v = 0; v < w->column.stride; v++) {
        const MgKx *lane = mg_kramp(k, places[v], num(k, 1), w->plan.lanes);
        masks[v] = named(k, block, "mask", less(k, lane, stop));
    }
}

// The whole current line; any element may be outside.
static void whole_line(MgWindow *w, MgKBlock *block, const MgSx *x) {
    const MgKx *places[MG_WINDOW_STRIDE], *masks[MG_WINDOW_STRIDE];
    columns_in(w, origin(w, &w->column),
               mg_ix_add(w->s->ix, origin(w, &w->column), w->stage.columns));
    MgKs *loop = open_positions(w, block, mg_ix_const(w->s->ix, 0), w->stage.reach, places);
    mask_end(w, &loop->body, places, masks);
    stage_vectors(w, &loop->body, x, mg_kvar(w->kb.k, loop->var), places, masks);
}

// Positions [low, high), which may contain the end of E, and the elements outside. If all is known,
// this handles the current line, so that masks are constants; otherwise all lines whose row is
// inside (of `slice`), so that masks are computed once.
static void edge(MgWindow *w, MgKBlock *block, const MgSx *x, int64_t slice, MgIx low, MgIx high) {
    const MgKx *places[MG_WINDOW_STRIDE], *masks[MG_WINDOW_STRIDE];
    MgKs *branch;
    if (low == high)
        return;
    MgKs *loop = open_positions(w, block, low, high, places);
    mask_end(w, &loop->body, places, masks);
    MgKBlock *row = slice < 0 ? &loop->body : open_row(w, &loop->body, slice, true, &branch);
    stage_vectors(w, row, x, mg_kvar(w->kb.k, loop->var), places, masks);
}

// The positions from *low to *high, between the edges, at which every vector of a line is inside.
static void between(MgWindow *w, MgIx *low, MgIx *high) {
    MgIxTable *t = w->s->ix;
    const MgWindowPair *p = &w->column;
    MgIx zero = mg_ix_const(t, 0), lanes = mg_ix_const(t, w->plan.lanes);
    MgIx step = mg_ix_const(t, w->plan.lanes * p->stride);
    MgIx end = mg_ix_min(t, mg_ix_sub(t, p->size, p->offset), w->stage.columns);
    *low = mg_ix_mul(t, mg_ix_max(t, zero, mg_ix_neg(t, mg_ix_div(t, p->offset, step))), lanes);
    *high = mg_ix_max(t, *low, mg_ix_mul(t, mg_ix_div(t, end, step), lanes));
}

static void stage_slice(MgWindow *w, MgKBlock *block, const MgSx *x, int64_t slice) {
    MgIxTable *t = w->s->ix;
    const MgWindowPair *p = &w->column;
    const MgKx *places[MG_WINDOW_STRIDE];
    MgKs *branch;
    MgIx low, high, zero = mg_ix_const(t, 0);
    rows_in(w, false);
    if (!p->common || (w->row.free != MG_WINDOW_NONE && !w->row.common)) {
        whole_line(w, open_row(w, block, slice, false, &branch), x);
        return;
    }
    MgKBlock *line = open_row(w, block, slice, true, &branch);
    between(w, &low, &high);
    columns_in(w, zero, p->size);
    MgKs *loop = open_positions(w, line, low, high, places);
    stage_vectors(w, &loop->body, x, mg_kvar(w->kb.k, loop->var), places, NULL);
    if (branch) {
        rows_in(w, false);
        whole_line(w, &branch->orelse, x);
    }
    rows_in(w, true);
    bool apart = w->stage.first != NULL; // in chunks: the width is open
    columns_in(w, p->offset, mg_ix_add(t, p->offset, w->stage.columns));
    edge(w, apart ? block : line, x, apart ? slice : -1, zero, low);
    columns_in(w, zero, mg_ix_add(t, p->offset, w->stage.columns));
    edge(w, apart ? block : line, x, apart ? slice : -1, high, w->stage.reach);
}

void mg_window_stage(MgWindow *w, MgKBlock *block) {
    const MgSx *x = mg_window_places(w);
    for (int64_t slice = 0; slice < w->slices; slice++) {
        mg_window_slice(w, slice);
        stage_slice(w, block, x, slice);
    }
}
