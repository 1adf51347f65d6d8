// Windows: y[outer, h, w] = reduce[k] E(outer, k, s*h + d*kh, t*w + e*kw) * F(outer, k), with an
// elementwise epilogue: depthwise convolutions and pooling of every kind, one to any number of
// dimensions.
//
// Found by structure: a small reduction over constant ranges where every place that mentions the
// last free index w, the row h or the bound indices beside them does so as such a sum in a
// subscript. Rows of E are staged first, a few output rows' worth at a time: each element is
// evaluated once, however many windows it is in; padding is filled in; a stride along w is taken
// apart into its phases. What is left of the reduction then is whole vectors from L1 at constant
// distances, without masks, and each one read serves all the output rows that need it. Windows that
// share no element need no stage (window_apart.c).
#include "passes/schedule/window.h"

#include "ir/equation.h"

// ---------------------------------------------------------------- is it a window?
static bool mentions(Window *w, MgIx x, int index) {
    return index != NONE && mg_ix_mentions(w->s->ix, x, mg_ix_index(w->s->ix, (uint32_t)index));
}

bool mg_window_split(Window *w, MgIx x, int index, int64_t *coefficient, MgIx *rest) {
    MgIx c;
    return mg_ix_linear(w->s->ix, x, mg_ix_index(w->s->ix, (uint32_t)index), &c, rest) &&
           mg_ix_is_const(w->s->ix, c, coefficient) && *coefficient > 0;
}

typedef struct Find {
    Window *w;
    Pair *pair;
    const Pair *other;
    bool ok;
} Find;

// Subscript x mentions the pair's free index: is it stride*free + dilation*bound + rest, as
// elsewhere?
static bool fits_pair(Find *f, MgIx x, MgIx size) {
    Window *w = f->w;
    Pair *p = f->pair;
    int64_t stride, dilation = 1;
    MgIx rest;
    int bound = NONE;
    if (!mg_window_split(w, x, p->free, &stride, &rest))
        return false;
    for (uint32_t b = w->piece->n_free; b < w->piece->n_indices; b++)
        if (mentions(w, rest, (int)b)) {
            if (bound != NONE || !mg_window_split(w, rest, (int)b, &dilation, &rest))
                return false;
            bound = (int)b;
        }
    for (uint32_t i = 0; i < w->piece->n_indices; i++)
        if (((int)i == p->free || (int)i == bound || (int)i == f->other->free ||
             (int)i == f->other->bound) &&
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
    return p->stride == stride && p->bound == bound && (bound == NONE || p->dilation == dilation);
}

static void find_pair(void *ctx, const MgSx *x) {
    Find *f = ctx;
    if (x->kind != MG_SX_READ || !f->ok)
        return;
    const MgOp *op = mg_op(f->w->s->g, f->w->unit->ops[0]);
    const MgIx *shape = mg_value(f->w->s->g, op->operands[x->operand])->shape;
    for (uint32_t i = 0; i < x->n_args && f->ok; i++)
        if (x->args[i]->kind != MG_SX_IX)
            f->ok = false;
        else if (mentions(f->w, x->args[i]->ix, f->pair->free))
            f->ok = fits_pair(f, x->args[i]->ix, shape[i]);
}

typedef struct Counted {
    Window *w;
    const MgSx *parent;
    bool ok;
} Counted;

// No index of a pair stands anywhere but in its sums in subscripts; nothing traps.
static void check_use(void *ctx, const MgSx *x) {
    Counted *c = ctx;
    Window *w = c->w;
    if (x->kind != MG_SX_READ)
        return;
    c->ok &= x->bounds != MG_BOUNDS_CHECKED;
    for (uint32_t i = 0; i < x->n_args; i++)
        for (int p = 0; p < 2; p++) {
            const Pair *pair = p ? &w->row : &w->column;
            if (mentions(w, x->args[i]->ix, pair->bound) &&
                !mentions(w, x->args[i]->ix, pair->free))
                c->ok = false;
        }
}

static void count_ix(void *ctx, const MgSx *x) {
    Counted *c = ctx;
    for (uint32_t i = 0; x->kind == MG_SX_PRIM && i < x->n_args; i++)
        if (x->args[i]->kind == MG_SX_IX)
            c->ok = false; // an index as a value
    if (x->kind == MG_SX_READ && x->otherwise && x->otherwise->kind == MG_SX_IX)
        c->ok = false;
}

static bool stages(Window *w, const MgSx *x) {
    Counted c = {w, NULL, x->kind != MG_SX_IX};
    mg_sx_walk(x, check_use, &c);
    mg_sx_walk(x, count_ix, &c);
    return c.ok;
}

static bool mentions_in(Window *w, const MgSx *x, int index) {
    return index != NONE && mg_sx_mentions(w->s->m, x, (uint32_t)index);
}

static bool depends_on_place(Window *w, const MgSx *x) {
    return mentions_in(w, x, w->column.free) || mentions_in(w, x, w->row.free);
}

static bool find_pairs(Window *w, const MgSx *x) {
    const MgPiece *p = w->piece;
    w->row = w->column = (Pair){.free = NONE, .bound = NONE, .dilation = 1, .taps = 1};
    w->column.free = (int)p->n_free - 1;
    Find f = {w, &w->column, &w->row, true};
    mg_sx_walk(x, find_pair, &f);
    if (!f.ok || !w->column.stride)
        return false;
    for (uint32_t i = p->n_free - 1; i-- > 0;) { // the last other free index that meets a bound one
        w->row = (Pair){.free = (int)i, .bound = NONE, .dilation = 1, .taps = 1};
        f = (Find){w, &w->row, &w->column, true};
        mg_sx_walk(x, find_pair, &f);
        if (f.ok && w->row.bound != NONE)
            break;
        w->row = (Pair){.free = NONE, .bound = NONE, .dilation = 1, .taps = 1};
    }
    return w->column.bound != NONE || w->row.bound != NONE;
}

static bool constant_taps(Window *w) {
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
    return w->row.dilation * w->row.taps <= 64 && w->column.dilation * w->column.taps <= 256;
}

static bool find(Window *w) {
    const MgOp *op = mg_op(w->s->g, w->unit->ops[0]);
    if (op->kind != MG_OP_EQUATION || op->equation->n_pieces != 1)
        return false;
    const MgPiece *p = w->piece = &op->equation->pieces[0];
    const MgSx *x = p->expr;
    bool sum = p->reducer == MG_REDUCE_SUM || p->reducer == MG_REDUCE_MEAN;
    if (p->scatter || p->n_indices == p->n_free || !p->n_free || p->n_indices > SYM_TOP ||
        (!sum && p->reducer != MG_REDUCE_MAX && p->reducer != MG_REDUCE_MIN) ||
        (sum && !mg_is_float(x->dtype)) || (x->dtype != MG_F32 && x->dtype != MG_F64))
        return false;
    w->staged = x;
    if (p->reducer == MG_REDUCE_SUM && x->kind == MG_SX_PRIM && x->prim == MG_PRIM_MUL)
        for (uint32_t a = 0; a < 2; a++) {
            w->column.free = (int)p->n_free - 1;
            w->row.free = NONE;
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

// ---------------------------------------------------------------- sizes
static int64_t known(Window *w, MgIx x) {
    int64_t v;
    return mg_ix_is_const(w->s->ix, x, &v) ? v : -1;
}

static MgIx extent(Window *w, int index) {
    return index == NONE ? mg_ix_const(w->s->ix, 1) : w->piece->indices[index].high;
}

static int64_t rounded(int64_t n, int64_t to) {
    return (n + to - 1) / to * to;
}

static MgIx round_up(MgIxTable *t, MgIx x, int64_t to) {
    MgIx n = mg_ix_div(t, mg_ix_add(t, x, mg_ix_const(t, to - 1)), mg_ix_const(t, to));
    return mg_ix_mul(t, n, mg_ix_const(t, to));
}

// Rows of E that so many rows of the result are made of.
static int64_t rows_of(Window *w, int64_t results) {
    if (w->row.free == NONE)
        return 1;
    return (results - 1) * w->row.stride + (w->row.taps - 1) * w->row.dilation + 1;
}

// Lines of an open width would lie at open distances, an address for every line and vector. So such
// a row goes by chunks of columns, of which a stage takes half of L1.
static void choose_chunk(Window *w, int64_t shift) {
    int64_t lines = w->slices * w->rows * w->column.stride;
    int64_t line = lines * (int64_t)mg_dtype_size(w->piece->expr->dtype);
    int64_t vectors = w->s->options->target.l1_bytes / 2 / line / w->lanes;
    w->chunk = (vectors < 4 ? 4 : vectors > 32 ? 32 : vectors) * w->lanes;
    w->span = w->chunk + rounded(shift, w->lanes);
    // odd: lines spread over L1's sets
    w->pitch = mg_ix_const(w->s->ix, (w->span / w->lanes | 1) * w->lanes);
}

// Lanes that waste least of a row, and rows to a tile: as many as registers hold beside the
// factors.
static void choose_sizes(Window *w) {
    int64_t width = known(w, extent(w, w->column.free)), height = known(w, extent(w, w->row.free));
    w->lanes = mg_kb_lanes(&w->kb, w->piece->expr->dtype);
    // At an equal count of lanes short vectors have more of them away from the edges; below 32
    // bytes a CPU does no more of them at once.
    int64_t least = 32 / (int64_t)mg_dtype_size(w->piece->expr->dtype);
    while (width > 0 && w->lanes > 4 && (w->lanes > least || width <= w->lanes / 2) &&
           rounded(width, w->lanes) + (width > w->lanes && width < 4 * w->lanes) >
               rounded(width, w->lanes / 2))
        w->lanes /= 2;
    int64_t taps = w->slices * w->row.taps * w->column.taps, best = INT64_MAX;
    int64_t most = w->row.free == NONE ? 1 : 8;
    while (most > 1 &&
           (most * taps > 320 || most > (int64_t)w->s->options->target.vector_registers / 2))
        most /= 2;
    w->tile = (uint32_t)most;
    for (int64_t r = most; height > 0 && r > most / 2; r--)
        if (rounded(height, r) < best) {
            best = rounded(height, r);
            w->tile = (uint32_t)(r < height ? r : height);
        }
    if (w->row.free != NONE) {
        int64_t rows = mg_param(w->s, w->unit, MG_PARAM_WINDOW_ROWS, w->tile);
        w->tile = (uint32_t)(height > 0 && rows > height ? height : rows);
    }
    w->rows = rows_of(w, w->tile);
    MgIxTable *t = w->s->ix;
    const Pair *c = &w->column;
    int64_t reach = (c->taps - 1) * c->dilation;
    w->columns = mg_ix_add(t,
                           mg_ix_mul(t, mg_ix_sub(t, extent(w, c->free), mg_ix_const(t, 1)),
                                     mg_ix_const(t, c->stride)),
                           mg_ix_const(t, reach + 1));
    // Whole vectors of outputs, each shifted by up to reach / stride, in whole vectors.
    MgIx whole = round_up(t, extent(w, c->free), w->lanes);
    w->pitch = w->reach =
        round_up(t, mg_ix_add(t, whole, mg_ix_const(t, reach / c->stride)), w->lanes);
    if (width < 0)
        choose_chunk(w, reach / c->stride);
}

// ---------------------------------------------------------------- emission helpers
static const MgKx *c(Window *w, int64_t v) {
    return mg_kint(w->kb.k, v);
}

static const MgKx *bin(Window *w, MgPrim prim, const MgKx *a, const MgKx *b) {
    return mg_kprim(w->kb.k, prim, a, b, NULL);
}

static const MgKx *size_of(Window *w, MgIx x) {
    return mg_kb_ix(&w->kb, x, w->loop);
}

MgPoint mg_window_point(Window *w, MgOpId op, MgKBlock *block, int vector, const MgKx *mask) {
    return (MgPoint){.kb = &w->kb,
                     .op = op,
                     .block = block,
                     .with = w->with,
                     .n_with = N_SYMS,
                     .loop = w->loop,
                     .vector = vector,
                     .lanes = vector < 0 ? 1 : w->lanes,
                     .mask = mask,
                     .ranges = {w->low, w->high, N_SYMS}};
}

void mg_window_slice(Window *w, int64_t number) {
    const MgPiece *p = w->piece;
    for (uint32_t b = p->n_indices; b-- > p->n_free;) {
        if ((int)b == w->row.bound || (int)b == w->column.bound)
            continue;
        int64_t n = known(w, p->indices[b].high);
        w->loop[b] = c(w, number % n);
        number /= n;
    }
}

const MgKx *mg_window_at(Window *w, const MgKx *row, int64_t phase, const MgKx *at) {
    MgKernel *k = w->kb.k;
    const MgKx *line = mg_kadd(k, mg_kmul(k, row, c(w, w->column.stride)), c(w, phase));
    at = mg_kadd(k, mg_kmul(k, line, w->pitch_x), at);
    return w->stage_base ? mg_kadd(k, at, w->stage_base) : at;
}

// ---------------------------------------------------------------- the reduction
static const MgKx *acc_at(Window *w, uint32_t r) {
    return mg_kload(w->kb.k, w->acc, c(w, r), w->lanes, NULL, NULL);
}

static int64_t tap(Window *w, int64_t slice, int64_t kh, int64_t kw) {
    return (slice * w->row.taps + kh) * w->column.taps + kw;
}

// Is the row of the stage one of those that an open row is made of?
static bool uses_row(Window *w, int64_t line) {
    const Pair *row = &w->row;
    for (uint32_t r = 0; r < w->open; r++)
        for (int64_t kh = 0; kh < row->taps; kh++)
            if (r * row->stride + kh * row->dilation == line)
                return true;
    return false;
}

// The sums of all open rows that row `line` of the stage is in take x, times the row's factor where
// there are any; first: x is what they begin with where it is their first.
static void step_rows(Window *w, MgKBlock *block, int64_t line, const MgKx *x,
                      const MgKx *const *factors, bool first) {
    MgKernel *k = w->kb.k;
    const Pair *row = &w->row;
    for (uint32_t r = 0; r < w->open; r++)
        for (int64_t kh = 0; kh < row->taps; kh++) {
            if (r * row->stride + kh * row->dilation != line)
                continue;
            const MgKx *acc = acc_at(w, r), *next;
            if (factors)
                next = mg_multiply_add(w->s, k, x, factors[tap(w, 0, kh, 0)], acc);
            else
                next = first && kh == 0 ? x : mg_reduce_step(k, w->piece->reducer, acc, x);
            mg_kstore(k, block, w->acc, c(w, r), next, NULL);
        }
}

// The staged vector that tap kw of row i reads, of slice * rows + row, for columns `at`.
static const MgKx *staged(Window *w, MgKBlock *block, int64_t slice, int64_t i, int64_t kw,
                          const MgKx *at) {
    MgKernel *k = w->kb.k;
    const Pair *column = &w->column;
    int64_t shift = kw * column->dilation;
    const MgKx *line =
        mg_kadd(k, c(w, slice * w->rows + i), mg_kmul(k, w->open_at, c(w, w->row.stride)));
    const MgKx *from =
        mg_window_at(w, line, shift % column->stride, mg_kadd(k, at, c(w, shift / column->stride)));
    return mg_klet_x(k, block, "x", mg_kload(k, w->stage, from, w->lanes, NULL, NULL));
}

// All taps into the open rows of the tile at columns `at`: each staged vector is read once. Without
// factors the taps of a row are reduced before the rows that share it take it: of 5 x 5 taps 10
// steps are left.
static void reduce_tile(Window *w, MgKBlock *block, const MgKx *at, const MgKx *const *factors) {
    MgKernel *k = w->kb.k;
    const Pair *column = &w->column;
    MgKType type = mg_kt(w->piece->expr->dtype, w->lanes);
    int64_t rows = rows_of(w, w->open);
    for (uint32_t r = 0; r < w->open && factors; r++)
        mg_kstore(k, block, w->acc, c(w, r), mg_reduce_identity(k, w->piece->reducer, type), NULL);
    for (int64_t i = 0; i < w->slices * rows; i++) {
        const MgKx *together = NULL;
        int64_t slice = i / rows, line = i % rows;
        if (!uses_row(w, line))
            continue;
        for (int64_t kw = 0; kw < column->taps; kw++) {
            const MgKx *x = staged(w, block, slice, line, kw, at);
            if (factors)
                step_rows(w, block, line, x, factors + tap(w, slice, 0, kw), false);
            else
                together = together ? mg_klet_x(k, block, "x",
                                                mg_reduce_step(k, w->piece->reducer, together, x))
                                    : x;
        }
        if (!factors)
            step_rows(w, block, line, together, NULL, slice == 0);
    }
}

// F at every tap, in all lanes: loaded once a tile.
static const MgKx *const *load_factors(Window *w, MgKBlock *block) {
    if (!w->factor)
        return NULL;
    int64_t n = w->slices * w->row.taps * w->column.taps;
    const MgKx **factors = MG_NEW_N(w->s->arena, const MgKx *, n);
    for (int64_t i = 0; i < n; i++) {
        mg_window_slice(w, i / (w->row.taps * w->column.taps));
        if (w->row.bound != NONE)
            w->loop[w->row.bound] = c(w, i / w->column.taps % w->row.taps);
        if (w->column.bound != NONE)
            w->loop[w->column.bound] = c(w, i % w->column.taps);
        MgPoint p = mg_window_point(w, w->unit->ops[0], block, NONE, NULL);
        factors[i] = mg_klet_x(w->kb.k, block, "f",
                               mg_ksplat(w->kb.k, mg_point_expr(&p, w->factor), w->lanes));
    }
    return factors;
}

static const MgKx *mean(Window *w, const MgKx *sum) {
    if (w->piece->reducer != MG_REDUCE_MEAN)
        return sum;
    double n = (double)(w->slices * w->row.taps * w->column.taps);
    return bin(w, MG_PRIM_DIV, sum, mg_kfloat(w->kb.k, sum->type, n));
}

static void vector_of_columns(Window *w, MgKBlock *block, const MgKx *at, const MgKx *mask,
                              const MgKx *const *factors) {
    MgKernel *k = w->kb.k;
    w->loop[w->column.free] = at;
    if (w->apart) {
        const MgKx *x = mg_klet_x(k, block, "sum", mean(w, mg_window_apart(w, block, at, mask)));
        MgPoint p = mg_window_point(w, w->unit->ops[0], block, w->column.free, mask);
        mg_kb_epilogue(&p, x);
        return;
    }
    reduce_tile(w, block, at, factors);
    for (uint32_t r = 0; r < w->open; r++) {
        const MgKx *x = mg_klet_x(k, block, "sum", mean(w, acc_at(w, r)));
        if (w->row.free != NONE) {
            const MgKx *h = mg_kadd(k, mg_kadd(k, w->loop[SYM_TOP], w->open_at), c(w, r));
            w->loop[w->row.free] = mg_klet_x(k, block, "h", h);
        }
        MgPoint p = mg_window_point(w, w->unit->ops[0], block, w->column.free, mask);
        mg_kb_epilogue(&p, x);
    }
}

static void emit_columns(Window *w, MgKBlock *block) {
    MgKernel *k = w->kb.k;
    const MgKx *const *factors = load_factors(w, block);
    const MgKx *width = size_of(w, extent(w, w->column.free)), *first = c(w, 0);
    if (w->first) {
        first = w->first;
        width = bin(w, MG_PRIM_MIN, width, mg_kadd(k, first, c(w, w->chunk)));
        width = mg_klet_x(k, block, "end", width);
    }
    const MgKx *whole = bin(w, MG_PRIM_FDIV, bin(w, MG_PRIM_SUB, width, first), c(w, w->lanes));
    whole = mg_kadd(k, first, mg_kmul(k, whole, c(w, w->lanes)));
    bool is_known = whole->kind == MG_KX_CONST;
    if (!is_known || whole->bits) {
        MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "w", first, whole, w->lanes);
        vector_of_columns(w, &loop->body, mg_kvar(k, loop->var), NULL, factors);
    }
    if (is_known && whole->bits == width->bits)
        return;
    MgKBlock *rest = is_known ? block : &mg_kif(k, block, bin(w, MG_PRIM_LT, whole, width))->body;
    const MgKx *at = mg_klet_x(k, rest, "at", whole);
    const MgKx *lane = mg_kramp(k, at, c(w, 1), w->lanes);
    const MgKx *mask =
        mg_klet_x(k, rest, "mask", bin(w, MG_PRIM_LT, lane, mg_ksplat(k, width, w->lanes)));
    vector_of_columns(w, rest, at, mask, factors);
}

// All of a tile at once; of the last one, which may have fewer rows, what there is: a smaller tile
// if their number is known, else row by row.
static void emit_rows(Window *w, MgKBlock *block) {
    MgKernel *k = w->kb.k;
    int64_t height = known(w, extent(w, w->row.free));
    w->open = w->tile;
    w->open_at = c(w, 0);
    if (w->row.free == NONE || (height >= 0 && height % w->tile == 0)) {
        emit_columns(w, block);
        return;
    }
    const MgKx *top = w->loop[SYM_TOP], *end = size_of(w, extent(w, w->row.free));
    MgKs *whole = mg_kif(k, block, bin(w, MG_PRIM_LE, mg_kadd(k, top, c(w, w->tile)), end));
    emit_columns(w, &whole->body);
    MgKBlock *rest = &whole->orelse;
    if (height >= 0) {
        w->open = (uint32_t)(height % w->tile);
    } else {
        MgKs *loop =
            mg_kfor(k, rest, MG_LOOP_SERIAL, "r", c(w, 0), bin(w, MG_PRIM_SUB, end, top), 1);
        w->open = 1;
        w->open_at = mg_kvar(k, loop->var);
        rest = &loop->body;
    }
    emit_columns(w, rest);
}

// Opens one loop over the outer free indices and the tiles of rows, shared out among the workers if
// there is enough work.
static MgKBlock *open_outer(Window *w) {
    MgKernel *k = w->kb.k;
    MgIxTable *t = w->s->ix;
    const MgPiece *p = w->piece;
    MgIx tiles = mg_ix_div(t, mg_ix_add(t, extent(w, w->row.free), mg_ix_const(t, w->tile - 1)),
                           mg_ix_const(t, w->tile));
    MgIx total = tiles, work = mg_ix_const(t, w->slices * w->row.taps * w->column.taps);
    for (uint32_t i = 0; i < p->n_free; i++) {
        work = mg_ix_mul(t, work, extent(w, (int)i));
        if ((int)i != w->row.free && (int)i != w->column.free)
            total = mg_ix_mul(t, total, extent(w, (int)i));
    }
    int64_t n = known(w, work);
    bool parallel = n < 0 || n >= 16384;
    MgKBlock *block = &k->body;
    if (!parallel)
        block = &mg_kif(k, block, bin(w, MG_PRIM_EQ, mg_kspecial(k, MG_KX_WORKER), c(w, 0)))->body;
    MgKs *loop = mg_kfor(k, block, parallel ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL, "outer", c(w, 0),
                         size_of(w, total), 1);
    block = &loop->body;
    const MgKx *left = mg_kvar(k, loop->var), *size = size_of(w, tiles);
    const MgKx *tile = bin(w, MG_PRIM_FMOD, left, size);
    w->loop[SYM_TOP] = mg_klet_x(k, block, "top", mg_kmul(k, tile, c(w, w->tile)));
    left = mg_klet_x(k, block, "left", bin(w, MG_PRIM_FDIV, left, size));
    for (uint32_t i = p->n_free; i-- > 0;) {
        if ((int)i == w->row.free || (int)i == w->column.free)
            continue;
        size = size_of(w, extent(w, (int)i));
        w->loop[i] = mg_klet_x(k, block, "i", bin(w, MG_PRIM_FMOD, left, size));
        left = mg_klet_x(k, block, "left", bin(w, MG_PRIM_FDIV, left, size));
    }
    return block;
}

// The loop over chunks of columns; the stage then begins at the first of the open one.
static MgKBlock *open_chunk(Window *w, MgKBlock *block) {
    MgKernel *k = w->kb.k;
    if (!w->chunk)
        return block;
    MgKs *loop = mg_kfor(k, block, MG_LOOP_SERIAL, "first", c(w, 0),
                         size_of(w, extent(w, w->column.free)), w->chunk);
    w->first = mg_kvar(k, loop->var);
    const MgKx *base = w->stage_base ? w->stage_base : c(w, 0);
    w->stage_base = mg_klet_x(k, &loop->body, "base", bin(w, MG_PRIM_SUB, base, w->first));
    return &loop->body;
}

static void set_symbols(Window *w) {
    MgIxTable *t = w->s->ix;
    for (uint32_t i = 0; i < N_SYMS; i++) {
        bool used = i < w->piece->n_indices;
        w->with[i] = mg_ix_idx(t, i);
        w->low[i] = mg_ix_const(t, 0);
        w->high[i] = used ? w->piece->indices[i].high : mg_ix_const(t, 1);
        w->loop[i] = mg_kint(w->kb.k, 0);
    }
    w->high[SYM_TOP] = extent(w, w->row.free);
}

bool mg_schedule_window(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    if (s->options->level < 2)
        return false;
    Window *w = MG_NEW(s->arena, Window);
    *w = (Window){.s = s, .unit = unit};
    if (!find(w) || (s->options->strict && w->piece->reducer != MG_REDUCE_MAX &&
                     w->piece->reducer != MG_REDUCE_MIN))
        return false;
    mg_kb_begin(&w->kb, s, unit, "window");
    choose_sizes(w);
    set_symbols(w);
    if ((w->apart = mg_window_is_apart(w))) {
        emit_columns(w, mg_window_apart_rows(w, open_outer(w)));
        mg_kb_stream(&w->kb);
        mg_kb_end(&w->kb, plan, unit->ops[0]);
        return true;
    }
    MgIxTable *t = s->ix;
    MgIx lines = mg_ix_const(t, w->slices * w->rows * w->column.stride);
    w->stage = mg_kb_scratch(&w->kb, "stage", w->staged->dtype, mg_ix_mul(t, lines, w->pitch),
                             MG_SCOPE_WORKER, &w->stage_base);
    w->acc = mg_kb_private(&w->kb, "tile", mg_kt(w->piece->expr->dtype, w->lanes), w->tile);
    w->pitch_x = size_of(w, w->pitch);
    MgKBlock *block = open_chunk(w, open_outer(w));
    mg_window_stage(w, block);
    emit_rows(w, block);
    mg_kb_end(&w->kb, plan, unit->ops[0]);
    return true;
}
