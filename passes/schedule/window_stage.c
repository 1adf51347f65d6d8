// The stage of a window: rows of E, each element evaluated once, padding filled in, a stride along
// the columns taken apart into its phases. Away from the edges no read can be outside, and the
// ranges of the loops say so: there are no masks.
#include "passes/schedule/window.h"

static const MgKx *c(Window *w, int64_t v) {
    return mg_window_int(w, v);
}

static const MgKx *size_of(Window *w, MgIx x) {
    return mg_kb_ix(&w->kb, x, w->loop);
}

static MgIx origin(Window *w, const Pair *p) {
    return p->common ? p->offset : mg_ix_const(w->s->ix, 0);
}

// stride*f + dilation*b + offset becomes one symbol, the place in the axis that is read (before its
// offset, if subscripts have several).
static MgIx place_of(Window *w, MgIx x) {
    MgIxTable *t = w->s->ix;
    for (int i = 0; i < 2; i++) {
        const Pair *p = i ? &w->row : &w->column;
        int64_t coefficient;
        MgIx rest;
        if (p->free == NONE || !mg_ix_mentions(t, x, mg_ix_index(t, (uint32_t)p->free)) ||
            !mg_window_split(w, x, p->free, &coefficient, &rest))
            continue;
        if (p->bound != NONE)
            mg_window_split(w, rest, p->bound, &coefficient, &rest);
        x = mg_ix_add(t, mg_ix_sub(t, rest, origin(w, p)), mg_ix_idx(t, i ? SYM_ROW : SYM_COLUMN));
    }
    return x;
}

static const MgSx *rewrite_read(void *ctx, const MgSx *x) {
    Window *w = ctx;
    if (x->kind != MG_SX_READ)
        return x;
    const MgSx *subs[64];
    for (uint32_t i = 0; i < x->n_args; i++)
        subs[i] = mg_sx_ix(w->s->m, x->args[i]->dtype, place_of(w, x->args[i]->ix));
    return mg_sx_read(w->s->m, x->operand, x->dtype, subs, x->n_args, x->bounds, x->otherwise);
}

// Lane l of the phase is element l*stride + phase of the vectors, which follow one another.
static const MgKx *take_phase(Window *w, const MgKx *const *vectors, int64_t phase) {
    const MgKx *x = vectors[0];
    uint8_t lanes[64];
    for (int64_t v = 1; v < w->column.stride; v++) {
        for (uint32_t l = 0; l < w->lanes; l++) {
            int64_t from = l * w->column.stride + phase, vector = from / w->lanes;
            int64_t first = v == 1 ? from % w->lanes : l; // what is there, or was put there
            lanes[l] = (uint8_t)(vector == v ? w->lanes + from % w->lanes : vector < v ? first : l);
        }
        x = mg_kpermute(w->kb.k, x, vectors[v], lanes, w->lanes);
    }
    return x;
}

typedef struct Line { // of the stage
    const MgSx *x;
    const MgKx *row;
} Line;

// Positions [low, high) of every phase of a line; masked: the end of E may be among them.
static void stage_part(Window *w, MgKBlock *block, const Line *line, const MgKx *low,
                       const MgKx *high, bool masked) {
    MgKernel *k = w->kb.k;
    MgIxTable *t = w->s->ix;
    if (low->kind == MG_KX_CONST && high->kind == MG_KX_CONST && low->bits >= high->bits)
        return;
    int64_t stride = w->column.stride;
    MgIx first = origin(w, &w->column);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "t", low, high, w->lanes);
    MgKBlock *body = &loop->body;
    const MgKx *at = mg_kvar(k, loop->var), *vectors[64];
    const MgKx *end = mg_ksplat(k, size_of(w, mg_ix_add(t, first, w->columns)), w->lanes);
    for (int64_t v = 0; v < stride; v++) {
        const MgKx *j = mg_kadd(k, mg_kmul(k, at, c(w, stride)), c(w, v * w->lanes));
        w->loop[SYM_COLUMN] = mg_klet_x(k, body, "j", mg_kadd(k, j, size_of(w, first)));
        const MgKx *lane = mg_kramp(k, w->loop[SYM_COLUMN], c(w, 1), w->lanes);
        const MgKx *mask =
            masked ? mg_klet_x(k, body, "mask", mg_kprim(k, MG_PRIM_LT, lane, end, NULL)) : NULL;
        MgPoint p = mg_window_point(w, w->unit->ops[0], body, SYM_COLUMN, mask);
        vectors[v] = mg_klet_x(k, body, "x", mg_ksplat(k, mg_point_expr(&p, line->x), w->lanes));
    }
    for (int64_t phase = 0; phase < stride; phase++)
        mg_kstore(k, body, w->stage, mg_window_at(w, line->row, phase, at),
                  take_phase(w, vectors, phase), NULL);
}

static void whole_line(Window *w, MgKBlock *block, const Line *line) {
    MgIxTable *t = w->s->ix;
    w->low[SYM_COLUMN] = origin(w, &w->column);
    w->high[SYM_COLUMN] = mg_ix_add(t, origin(w, &w->column), w->columns);
    stage_part(w, block, line, c(w, 0), w->pitch_x, true);
}

// A line whose row is inside: vectors between its edges are too.
static void line_inside(Window *w, MgKBlock *block, const Line *line) {
    MgIxTable *t = w->s->ix;
    const Pair *p = &w->column;
    MgIx zero = mg_ix_const(t, 0), lanes = mg_ix_const(t, w->lanes);
    MgIx step = mg_ix_const(t, w->lanes * p->stride);
    MgIx end = mg_ix_min(t, mg_ix_sub(t, p->size, p->offset), w->columns);
    MgIx low = mg_ix_mul(t, mg_ix_max(t, zero, mg_ix_neg(t, mg_ix_div(t, p->offset, step))), lanes);
    MgIx high = mg_ix_max(t, low, mg_ix_mul(t, mg_ix_div(t, end, step), lanes));
    w->low[SYM_COLUMN] = p->offset;
    w->high[SYM_COLUMN] = mg_ix_add(t, p->offset, w->columns);
    stage_part(w, block, line, c(w, 0), size_of(w, low), true);
    w->low[SYM_COLUMN] = zero;
    w->high[SYM_COLUMN] = p->size;
    stage_part(w, block, line, size_of(w, low), size_of(w, high), false);
    w->low[SYM_COLUMN] = p->offset;
    w->high[SYM_COLUMN] = mg_ix_add(t, p->offset, w->columns);
    stage_part(w, block, line, size_of(w, high), w->pitch_x, true);
}

static void stage_line(Window *w, MgKBlock *block, const Line *line) {
    MgKernel *k = w->kb.k;
    MgIxTable *t = w->s->ix;
    const Pair *p = &w->row;
    MgIx reach = mg_ix_const(t, w->rows + w->tile * p->stride);
    w->low[SYM_ROW] = origin(w, p);
    w->high[SYM_ROW] =
        p->free == NONE
            ? mg_ix_const(t, 1)
            : mg_ix_add(t, mg_ix_add(t, origin(w, p), reach),
                        mg_ix_mul(t, w->piece->indices[p->free].high, mg_ix_const(t, p->stride)));
    if (!w->column.common || (p->free != NONE && !p->common)) {
        whole_line(w, block, line);
        return;
    }
    if (p->free == NONE) {
        line_inside(w, block, line);
        return;
    }
    const MgKx *row = w->loop[SYM_ROW];
    const MgKx *inside = mg_kprim(k, MG_PRIM_AND, mg_kprim(k, MG_PRIM_GE, row, c(w, 0), NULL),
                                  mg_kprim(k, MG_PRIM_LT, row, size_of(w, p->size), NULL), NULL);
    MgKs *branch = mg_kif(k, block, inside);
    whole_line(w, &branch->orelse, line);
    w->low[SYM_ROW] = mg_ix_const(t, 0);
    w->high[SYM_ROW] = p->size;
    line_inside(w, &branch->body, line);
}

// Where row number `row` of the stage lies; rows past what the last output row needs repeat its
// last one.
static const MgKx *place_of_row(Window *w, const MgKx *row) {
    MgKernel *k = w->kb.k;
    const Pair *p = &w->row;
    if (p->free == NONE)
        return row;
    MgIx height = w->piece->indices[p->free].high;
    const MgKx *top = mg_kmul(k, w->loop[SYM_TOP], c(w, p->stride));
    const MgKx *last =
        mg_kadd(k, size_of(w, mg_ix_mul(w->s->ix, height, mg_ix_const(w->s->ix, p->stride))),
                c(w, (p->taps - 1) * p->dilation - p->stride));
    const MgKx *at = mg_kprim(k, MG_PRIM_MIN, mg_kadd(k, top, row), last, NULL);
    return mg_kadd(k, at, size_of(w, origin(w, p)));
}

void mg_window_stage(Window *w, MgKBlock *block) {
    MgKernel *k = w->kb.k;
    const MgSx *x = mg_sx_rewrite(w->s->m, w->staged, rewrite_read, w);
    for (int64_t slice = 0; slice < w->slices; slice++) {
        mg_window_slice(w, slice);
        MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "row", c(w, 0), c(w, w->rows), 1);
        const MgKx *row = mg_kvar(k, loop->var);
        w->loop[SYM_ROW] = mg_klet_x(k, &loop->body, "i", place_of_row(w, row));
        Line line = {x, mg_kadd(k, c(w, slice * w->rows), row)};
        stage_line(w, &loop->body, &line);
    }
}
