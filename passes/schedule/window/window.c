// Windows: y[outer, h, w] = reduce[k] E(outer, k, s*h + d*kh, t*w + e*kw) * F(outer, k), with an
// elementwise epilogue: depthwise convolutions and pooling of every kind, one to any number of
// dimensions.
//
// Windows are found by structure: a small reduction over constant ranges. The last free index w,
// the row h and the bound indices paired with them occur only in such sums in subscripts. Rows of E
// are staged first, for a few output rows at a time: each element is evaluated once, however many
// windows contain it; padding is filled in; a stride along w is separated into its phases. The rest
// of the reduction then reads whole vectors from L1 at constant distances, without masks, and each
// load serves all output rows that need it. Windows that share no element need no stage
// (apart.c).
#include "passes/schedule/window/window.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

// ---------------------------------------------------------------- emission helpers
MgPoint mg_window_point(MgWindow *w, MgKBlock *block, int vector, const MgKx *mask) {
    return mg_loops_point(&w->at, &w->kb, block, vector, vector < 0 ? 1 : w->plan.lanes, mask);
}

void mg_window_slice(MgWindow *w, int64_t number) {
    const MgPiece *p = w->piece;
    for (uint32_t b = p->n_indices; b-- > p->n_free;) {
        if ((int)b == w->row.bound || (int)b == w->column.bound)
            continue;
        int64_t n = mg_window_known(w, p->indices[b].high);
        w->at.loop[b] = num(w->kb.k, number % n);
        number /= n;
    }
}

const MgKx *mg_window_at(MgWindow *w, const MgKx *row, int64_t phase, const MgKx *at) {
    MgKernel *k = w->kb.k;
    const MgKx *line = plus(k, times(k, row, w->column.stride), phase);
    at = add(k, mul(k, line, w->stage.pitch_x), at);
    return w->stage.base ? add(k, at, w->stage.base) : at;
}

// ---------------------------------------------------------------- the reduction
static const MgKx *acc_at(MgWindow *w, uint32_t r) {
    return loaded(w->kb.k, w->acc, num(w->kb.k, r), w->plan.lanes);
}

static int64_t tap(MgWindow *w, int64_t slice, int64_t kh, int64_t kw) {
    return (slice * w->row.taps + kh) * w->column.taps + kw;
}

// Is the row of the stage used by one of the current rows?
static bool uses_row(MgWindow *w, int64_t line) {
    const MgWindowPair *row = &w->row;
    for (uint32_t r = 0; r < w->now.rows; r++)
        for (int64_t kh = 0; kh < row->taps; kh++)
            if (r * row->stride + kh * row->dilation == line)
                return true;
    return false;
}

// Adds x, times the row's factor if there are factors, to the sums of all current rows that use row
// `line` of the stage; first: for a row's first use, its sum is set to x.
static void step_rows(MgWindow *w, MgKBlock *block, int64_t line, const MgKx *x,
                      const MgKx *const *factors, bool first) {
    MgKernel *k = w->kb.k;
    const MgWindowPair *row = &w->row;
    for (uint32_t r = 0; r < w->now.rows; r++)
        for (int64_t kh = 0; kh < row->taps; kh++) {
            if (r * row->stride + kh * row->dilation != line)
                continue;
            const MgKx *acc = acc_at(w, r), *next;
            if (factors)
                next = mg_multiply_add(w->s, k, x, factors[tap(w, 0, kh, 0)], acc);
            else
                next = first && kh == 0 ? x : mg_reduce_step(k, w->piece->reducer, acc, x);
            store(k, block, w->acc, num(k, r), next);
        }
}

// The staged vector that tap kw of row i (counted as slice * rows + row) reads, for columns `at`.
static const MgKx *staged(MgWindow *w, MgKBlock *block, int64_t slice, int64_t i, int64_t kw,
                          const MgKx *at) {
    MgKernel *k = w->kb.k;
    const MgWindowPair *column = &w->column;
    int64_t shift = kw * column->dilation;
    const MgKx *line =
        add(k, num(k, slice * w->stage.rows + i), times(k, w->now.first, w->row.stride));
    const MgKx *from =
        mg_window_at(w, line, shift % column->stride, plus(k, at, shift / column->stride));
    return named(k, block, "x", loaded(k, w->stage.buf, from, w->plan.lanes));
}

// Adds all taps to the current rows of the tile at columns `at`: each staged vector is read once.
// Without factors, the taps of a row are reduced before the output rows that share it use it: of 5
// x 5 taps, 10 steps are left.
static void reduce_tile(MgWindow *w, MgKBlock *block, const MgKx *at, const MgKx *const *factors) {
    MgKernel *k = w->kb.k;
    const MgWindowPair *column = &w->column;
    MgKType type = mg_kt(w->piece->expr->dtype, w->plan.lanes);
    int64_t rows = mg_window_rows(w, w->now.rows);
    for (uint32_t r = 0; r < w->now.rows && factors; r++)
        store(k, block, w->acc, num(k, r), mg_reduce_identity(k, w->piece->reducer, type));
    for (int64_t i = 0; i < w->slices * rows; i++) {
        const MgKx *together = NULL, *taps[256];
        int64_t slice = i / rows, line = i % rows;
        if (!uses_row(w, line))
            continue;
        if (w->plan.lies)
            mg_window_line(w, block, slice, line, at, taps);
        for (int64_t kw = 0; kw < column->taps; kw++) {
            const MgKx *x = w->plan.lies ? taps[kw] : staged(w, block, slice, line, kw, at);
            if (factors)
                step_rows(w, block, line, x, factors + tap(w, slice, 0, kw), false);
            else
                together = together ? named(k, block, "x",
                                            mg_reduce_step(k, w->piece->reducer, together, x))
                                    : x;
        }
        if (!factors)
            step_rows(w, block, line, together, NULL, slice == 0);
    }
}

// F at every tap, in all lanes: loaded once per tile.
static const MgKx *const *load_factors(MgWindow *w, MgKBlock *block) {
    if (!w->factor)
        return NULL;
    int64_t n = w->slices * w->row.taps * w->column.taps;
    const MgKx **factors = MG_NEW_N(w->s->arena, const MgKx *, n);
    for (int64_t i = 0; i < n; i++) {
        mg_window_slice(w, i / (w->row.taps * w->column.taps));
        if (w->row.bound != MG_WINDOW_NONE)
            w->at.loop[w->row.bound] = num(w->kb.k, i / w->column.taps % w->row.taps);
        if (w->column.bound != MG_WINDOW_NONE)
            w->at.loop[w->column.bound] = num(w->kb.k, i % w->column.taps);
        MgPoint p = mg_window_point(w, block, MG_WINDOW_NONE, NULL);
        factors[i] = named(w->kb.k, block, "f",
                           mg_ksplat(w->kb.k, mg_point_expr(&p, w->factor), w->plan.lanes));
    }
    return factors;
}

static const MgKx *mean(MgWindow *w, const MgKx *sum) {
    if (w->piece->reducer != MG_REDUCE_MEAN)
        return sum;
    double n = (double)(w->slices * w->row.taps * w->column.taps);
    return bin(w->kb.k, MG_PRIM_DIV, sum, mg_kfloat(w->kb.k, sum->type, n));
}

void mg_window_columns(MgWindow *w, MgKBlock *block, const MgKx *at, const MgKx *mask,
                       const MgKx *const *factors) {
    MgKernel *k = w->kb.k;
    w->at.loop[w->column.free] = at;
    if (w->plan.apart) {
        const MgKx *x = named(k, block, "sum", mean(w, mg_window_apart(w, block, at, mask)));
        MgPoint p = mg_window_point(w, block, w->column.free, mask);
        mg_kb_epilogue(&p, x);
        return;
    }
    reduce_tile(w, block, at, factors);
    for (uint32_t r = 0; r < w->now.rows; r++) {
        const MgKx *x = named(k, block, "sum", mean(w, acc_at(w, r)));
        if (w->row.free != MG_WINDOW_NONE) {
            const MgKx *h = plus(k, add(k, w->at.loop[MG_WINDOW_TOP], w->now.first), r);
            w->at.loop[w->row.free] = named(k, block, "h", h);
        }
        MgPoint p = mg_window_point(w, block, w->column.free, mask);
        mg_kb_epilogue(&p, x);
    }
}

typedef struct Lines { // the current rows
    MgWindow *w;
    const MgKx *const *factors;
} Lines;

static void emit_vector(void *ctx, MgKBlock *block, const MgKx *mask) {
    const Lines *l = ctx;
    mg_window_columns(l->w, block, l->w->at.loop[l->w->column.free], mask, l->factors);
}

static void emit_columns(MgWindow *w, MgKBlock *block) {
    MgKernel *k = w->kb.k;
    const MgKx *const *factors = load_factors(w, block);
    if (w->plan.lies) {
        mg_window_line_columns(w, block, factors);
        return;
    }
    const MgKx *width = mg_window_ix(w, mg_window_extent(w, w->column.free)), *first = num(k, 0);
    if (w->stage.first) {
        first = w->stage.first;
        width = named(k, block, "end", least(k, width, plus(k, first, w->plan.chunk)));
    }
    Lines lines = {w, factors};
    mg_lanes_loop(k, block, &w->at.loop[w->column.free], first, width, w->plan.lanes, false,
                  emit_vector, &lines);
}

// Computes a whole tile at once. The last tile may have fewer rows: it is a smaller tile if their
// number is known, and is computed row by row otherwise.
static void emit_rows(MgWindow *w, MgKBlock *block) {
    MgKernel *k = w->kb.k;
    int64_t height = mg_window_known(w, mg_window_extent(w, w->row.free));
    w->now.rows = w->plan.tile;
    w->now.first = num(k, 0);
    if (w->row.free == MG_WINDOW_NONE || (height >= 0 && height % w->plan.tile == 0)) {
        emit_columns(w, block);
        return;
    }
    const MgKx *top = w->at.loop[MG_WINDOW_TOP],
               *end = mg_window_ix(w, mg_window_extent(w, w->row.free));
    MgKs *whole = mg_kif(k, block, bin(k, MG_PRIM_LE, plus(k, top, w->plan.tile), end));
    emit_columns(w, &whole->body);
    MgKBlock *rest = &whole->orelse;
    if (height >= 0) {
        w->now.rows = (uint32_t)(height % w->plan.tile);
    } else {
        Loop loop = each_of(k, rest, "r", sub(k, end, top));
        w->now.rows = 1;
        w->now.first = loop.at;
        rest = loop.body;
    }
    emit_columns(w, rest);
}

// Opens the loops over the outer free indices and the tiles of rows.
static MgKBlock *open_outer(MgWindow *w) {
    MgKernel *k = w->kb.k;
    MgIxTable *t = w->s->ix;
    MgIx rows = mg_window_extent(w, w->row.free);
    MgIx tiles = mg_ix_ceil_div(t, rows, mg_ix_const(t, w->plan.tile));
    const MgKx *tile;
    MgKBlock *block =
        mg_loops_open(&w->at, &w->kb, w->piece, mg_window_axes(w),
                      w->plan.separate ? mg_ix_const(t, 1) : tiles, w->plan.shared, &tile);
    if (w->plan.separate) {
        Loop loop = each_of(k, block, "tile", mg_window_ix(w, tiles));
        block = loop.body;
        tile = loop.at;
    }
    w->at.loop[MG_WINDOW_TOP] = named(k, block, "top", times(k, tile, w->plan.tile));
    return block;
}

// The loop over chunks of columns; the stage then begins at the first column of the current chunk.
static MgKBlock *open_chunk(MgWindow *w, MgKBlock *block) {
    MgKernel *k = w->kb.k;
    if (!w->plan.chunk)
        return block;
    Loop loop = each_from(k, block, "first", num(k, 0),
                          mg_window_ix(w, mg_window_extent(w, w->column.free)), w->plan.chunk);
    w->stage.first = loop.at;
    const MgKx *base = w->stage.base ? w->stage.base : num(k, 0);
    w->stage.base = named(k, loop.body, "base", sub(k, base, w->stage.first));
    return loop.body;
}

static void make_apart(MgWindow *w) {
    emit_columns(w, mg_window_apart_rows(w, open_outer(w)));
    mg_kb_stream(&w->kb);
}

static void make_lying(MgWindow *w) {
    MgKType type = mg_kt(w->piece->expr->dtype, w->plan.lanes);
    w->acc = mg_kb_private(&w->kb, "tile", type, w->plan.tile);
    w->taps = mg_kb_private(&w->kb, "taps", type, (uint32_t)w->column.taps);
    emit_rows(w, open_outer(w));
}

static void make_staged(MgWindow *w) {
    MgIxTable *t = w->s->ix;
    MgIx lines = mg_ix_const(t, w->slices * w->stage.rows * w->column.stride);
    w->stage.buf =
        mg_kb_scratch(&w->kb, "stage", w->staged->dtype, mg_ix_mul(t, lines, w->stage.pitch),
                      MG_SCOPE_WORKER, &w->stage.base);
    w->acc =
        mg_kb_private(&w->kb, "tile", mg_kt(w->piece->expr->dtype, w->plan.lanes), w->plan.tile);
    w->stage.pitch_x = mg_window_ix(w, w->stage.pitch);
    MgKBlock *block = open_outer(w);
    mg_window_ask(w, block);
    block = open_chunk(w, block);
    mg_window_stage(w, block);
    emit_rows(w, block);
}

static void make(void *found) {
    MgWindow *w = found;
    mg_window_derive(w);
    mg_loops_begin(&w->at, &w->kb, w->piece);
    w->at.high[MG_WINDOW_TOP] = mg_window_extent(w, w->row.free);
    (w->plan.apart ? make_apart : w->plan.lies ? make_lying : make_staged)(w);
}

static void *begin(MgSched *s, const MgUnit *unit) {
    MgWindow w = {.s = s, .unit = unit, .kb = {.s = s}};
    return mg_window_find(&w) ? mg_arena_copy(s->arena, &w, 1, sizeof w) : NULL;
}

const MgForm mg_form_window = {.nests = MG_NEST_WINDOW,
                               .level = 2,
                               .what = "a window",
                               .kernel = "window",
                               .find = begin,
                               .choose = mg_window_choose,
                               .read = mg_window_read,
                               .nest = mg_window_nest,
                               .make = make};
