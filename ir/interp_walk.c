// Runs equations: walks the box of each piece in row-major order and fills strips for its programs.
//
// The free indices are walked in strips. For a reduction, each free point of a strip then walks the
// box of the bound indices. Its points are packed into strips of their own, which may mix several
// free points. Ranges may depend on outer indices (prefix ranges).
#include "ir/equation.h"
#include "ir/interp_internal.h"

// ---------------------------------------------------------------- walking a box
typedef struct Limit { // one end of a range: a linear function of the indices, or an expression
    bool linear;
    int64_t constant, *coefficients;
    MgIx ix;
} Limit;

typedef struct Walker {
    MgInterpRun *run;
    const Limit *low, *high;
    int64_t *at, *end;    // by index
    uint32_t first, last; // it walks the indices [first, last)
    bool empty;           // a range is empty at every point, so there are no points
    bool overflow;
} Walker;

static bool index_value(void *ctx, MgIxSym s, int64_t *value) {
    const Walker *w = ctx;
    uint32_t position;
    if (mg_ix_sym_is_index(w->run->module->ix, s, &position)) {
        *value = w->at[position];
        return true;
    }
    *value = w->run->dims[s];
    return w->run->known[s];
}

static int64_t limit_at(Walker *w, const Limit *limit, uint32_t n_outer) {
    int64_t v = limit->constant;
    if (limit->linear) {
        for (uint32_t k = 0; k < n_outer; k++)
            v = (int64_t)((uint64_t)v + (uint64_t)limit->coefficients[k] * (uint64_t)w->at[k]);
        return v;
    }
    if (!mg_ix_eval(w->run->module->ix, limit->ix, index_value, w, &v)) {
        w->overflow = true;
        return 0;
    }
    return v;
}

// Opens the levels from k on at their first point. Steps outer levels past empty ranges.
static bool walker_open(Walker *w, uint32_t k) {
    if (w->empty)
        return false;
    while (k < w->last) {
        w->at[k] = limit_at(w, &w->low[k], k);
        w->end[k] = limit_at(w, &w->high[k], k);
        while (w->at[k] >= w->end[k]) {
            if (k == w->first)
                return false;
            w->at[--k]++;
        }
        k++;
    }
    return true;
}

static bool walker_step(Walker *w, int64_t count) {
    if (w->first == w->last)
        return false;
    uint32_t k = w->last - 1;
    w->at[k] += count;
    while (w->at[k] >= w->end[k]) {
        if (k == w->first)
            return false;
        w->at[--k]++;
    }
    return walker_open(w, k + 1);
}

// Fills lanes [n, LANES) of the program's index registers with the points from the walker's
// position on. Adds their number to n. Returns whether points remain.
static bool walker_fill(Walker *w, const MgInterpProgram *p, uint32_t *n) {
    bool more = true;
    while (more && *n < MG_INTERP_LANES) {
        int64_t count = 1;
        if (w->first < w->last) {
            count = w->end[w->last - 1] - w->at[w->last - 1];
            if (count > MG_INTERP_LANES - *n)
                count = MG_INTERP_LANES - *n;
        }
        for (uint32_t k = 0; k < w->last; k++) {
            int64_t *lanes = p->regs.at[p->index[k]].v.i + *n, v = w->at[k];
            int64_t step = k + 1 == w->last && w->first < w->last;
            for (int64_t l = 0; l < count; l++, v += step)
                lanes[l] = v;
        }
        *n += (uint32_t)count;
        more = walker_step(w, count);
    }
    return more;
}

// ---------------------------------------------------------------- one piece
typedef struct PieceRun {
    MgInterpRun *run;
    const MgPiece *piece;
    MgInterpTensor *out;
    const MgInterpTensor *const *operands;
    MgDType type; // type of the expression
    MgInterpProgram *target,
        *value; // without a reduction, and for a scatter, both are the same program
    uint32_t *subs, root;
    Walker free, bound;
    int64_t *at;               // where the free walk was, since both walk in the same positions
    uint8_t *written;          // by element, as pieces must be disjoint and cover; NULL for a
                               // scatter
    const MgTiledBound *tiled; // what the algorithm adds to the bounds; NULL: nothing
} PieceRun;

static Limit make_limit(MgInterpRun *run, MgIx ix, uint32_t n_outer) {
    Limit limit = {.ix = ix, .coefficients = MG_NEW_N(run->scratch, int64_t, n_outer + 1)};
    limit.linear = mg_interp_linear_terms(run, ix, n_outer, &limit.constant, limit.coefficients);
    return limit;
}

static bool is_constant(const Limit *limit, uint32_t n_outer) {
    bool constant = limit->linear;
    for (uint32_t k = 0; k < n_outer; k++)
        constant &= limit->coefficients[k] == 0;
    return constant;
}

// Walks no box of which a side is empty everywhere: its other sides may be very long.
static Walker walker(MgInterpRun *run, const Limit *low, const Limit *high, int64_t *at,
                     int64_t *end, uint32_t first, uint32_t last) {
    Walker w = {
        .run = run, .low = low, .high = high, .at = at, .end = end, .first = first, .last = last};
    for (uint32_t k = first; k < last; k++)
        w.empty |= is_constant(&low[k], k) && is_constant(&high[k], k) &&
                   low[k].constant >= high[k].constant;
    return w;
}

static void set_walkers(PieceRun *p, const Limit *low, const Limit *high) {
    uint32_t n = p->piece->n_indices, n_outer = p->piece->scatter ? n : p->piece->n_free;
    MgArena *scratch = p->run->scratch;
    int64_t *at = MG_NEW_N(scratch, int64_t, n + 1), *end = MG_NEW_N(scratch, int64_t, n + 1);
    p->free = walker(p->run, low, high, at, end, 0, n_outer);
    p->bound = walker(p->run, low, high, at, end, n_outer, n);
    p->at = MG_NEW_N(scratch, int64_t, n + 1);
}

static void make_walkers(PieceRun *p) {
    const MgPiece *piece = p->piece;
    uint32_t n = piece->n_indices;
    MgArena *scratch = p->run->scratch;
    Limit *low = MG_NEW_N(scratch, Limit, n + 1), *high = MG_NEW_N(scratch, Limit, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        low[k] = make_limit(p->run, piece->indices[k].low, k);
        high[k] = make_limit(p->run, piece->indices[k].high, k);
    }
    set_walkers(p, low, high);
}

static void compile_piece(PieceRun *p) {
    const MgPiece *piece = p->piece;
    bool one = piece->reducer == MG_REDUCE_NONE || piece->scatter;
    p->target = mg_interp_program_new(p->run, one ? piece->n_indices : piece->n_free);
    p->value = one ? p->target : mg_interp_program_new(p->run, piece->n_indices);
    p->subs = MG_NEW_N(p->run->scratch, uint32_t, p->out->rank + 1);
    for (uint32_t k = 0; k < p->out->rank; k++)
        p->subs[k] = mg_interp_program_sx(p->run, p->target, piece->target[k].sub, p->operands);
    p->root = mg_interp_program_sx(p->run, p->value, piece->expr, p->operands);
    p->type = mg_dtype(piece->expr->dtype)->compute;
}

// The offset of the element that lane l writes; -1 if the write is dropped, -2 after a diagnostic.
static int64_t target_offset(PieceRun *p, uint32_t l) {
    int64_t offset = 0;
    for (uint32_t k = 0; k < p->out->rank; k++) {
        int64_t s = p->target->regs.at[p->subs[k]].v.i[l];
        if (s < 0 || s >= p->out->shape[k]) {
            if (p->piece->write == MG_BOUNDS_ELSE && p->piece->scatter)
                return -1;
            const char *name =
                mg_interp_run_value_name(p->run, mg_op(p->run->g, p->run->op)->results[0]);
            mg_interp_run_fail(p->run, MG_D_interp_write, name, k, (long long)s,
                               (long long)p->out->shape[k]);
            return -2;
        }
        offset = offset * p->out->shape[k] + s;
    }
    return offset;
}

static bool mark_written(PieceRun *p, int64_t offset) {
    if (!p->written)
        return true;
    if (p->written[offset]) {
        const char *name =
            mg_interp_run_value_name(p->run, mg_op(p->run->g, p->run->op)->results[0]);
        return mg_interp_run_fail(p->run, MG_D_interp_twice, (long long)offset, name);
    }
    p->written[offset] = 1;
    return true;
}

static bool store_strip(PieceRun *p, uint32_t n) {
    const MgInterpReg *r = &p->value->regs.at[p->root];
    for (uint32_t l = 0; l < n; l++) {
        int64_t offset = target_offset(p, l);
        if (offset < 0 || !mark_written(p, offset))
            return false;
        double e = r->e ? r->e[l] : 0;
        if (mg_is_float(p->type))
            mg_interp_store_float(p->out, (size_t)offset, r->v.f[l], e);
        else
            mg_interp_store_int(p->out, (size_t)offset, r->v.i[l], e);
    }
    return true;
}

static bool flush_bound(PieceRun *p, MgInterpAcc *acc, const uint32_t *map, uint32_t n) {
    if (n == 0)
        return true;
    if (!mg_interp_program_run(p->run, p->value, n))
        return false;
    MgInterpReg value = p->value->regs.at[p->root];
    bool place = p->piece->reducer == MG_REDUCE_ARGMAX || p->piece->reducer == MG_REDUCE_ARGMIN;
    if (place && p->run->bounds && mg_sx_in(&p->run->exact, p->piece->expr))
        value.e = NULL; // exact, so the place of the extreme is certain
    mg_interp_acc_add(acc, map, p->piece->reducer, p->type, &value, n);
    return true;
}

static bool is_byte(MgDType type) {
    return mg_is_float(type) && mg_dtype(type)->bits == 8;
}

// Is x made of floats of eight bits alone?
static bool of_bytes(const PieceRun *p, const MgSx *x) {
    MgGraph *g = p->run->g;
    if (x->kind == MG_SX_READ)
        return is_byte(mg_value(g, mg_op(g, p->run->op)->operands[x->operand])->dtype);
    bool all = true;
    for (uint32_t i = 0; x->kind == MG_SX_PRIM && !is_byte(x->dtype) && i < x->n_args && all; i++)
        all = of_bytes(p, x->args[i]);
    return all;
}

// The relative error of a term whose factors may be rounded to tf32, which has 11 significant bits,
// to the nearest. Only sums of products of f32 have such factors.
static double factor_error(const PieceRun *p) {
    const MgSx *x = p->piece->expr;
    bool contraction = mg_piece_sums_products(p->piece) && x->dtype == MG_F32;
    if (!p->run->bounds || !contraction)
        return 0;
    // In sums of few bits, each of up to 128 terms may lose the last of 14 bits of the largest sum.
    return (p->run->options->tf32 ? 0x1p-10 : 0) +
           (p->run->options->short_sums && of_bytes(p, x) ? 0x1p-6 : 0);
}

// What the algorithm adds to the bound of lane l's free point.
static double algorithm_error(const PieceRun *p, uint32_t l) {
    if (!p->tiled)
        return 0;
    int64_t *at = p->bound.at;
    for (uint32_t k = 0; k < p->piece->n_free; k++)
        at[k] = p->target->regs.at[p->target->index[k]].v.i[l];
    return p->tiled->e[mg_interp_tiled_place(p->tiled, at)];
}

// Reduces n free points, whose indices are in the target program's registers.
static bool reduce_strip(PieceRun *p, uint32_t n) {
    MgInterpAcc acc[MG_INTERP_LANES];
    uint32_t map[MG_INTERP_LANES] = {0}, used = 0;
    for (uint32_t f = 0; f < n; f++) {
        mg_interp_acc_init(&acc[f], p->piece->reducer, p->type);
        for (uint32_t k = 0; k < p->piece->n_free; k++)
            p->bound.at[k] = p->target->regs.at[p->target->index[k]].v.i[f];
        bool more = walker_open(&p->bound, p->bound.first);
        while (more) {
            uint32_t before = used;
            more = walker_fill(&p->bound, p->value, &used);
            for (uint32_t l = before; l < used; l++)
                map[l] = f;
            if (used == MG_INTERP_LANES) {
                if (!flush_bound(p, acc, map, used))
                    return false;
                used = 0;
            }
        }
    }
    if (!flush_bound(p, acc, map, used))
        return false;
    for (uint32_t f = 0; f < n; f++) {
        int64_t offset = target_offset(p, f);
        if (offset < 0 || !mark_written(p, offset))
            return false;
        if (!acc[f].special)
            acc[f].e += factor_error(p) * acc[f].magnitude + algorithm_error(p, f);
        if (!mg_interp_acc_store(&acc[f], p->piece->reducer, p->type, p->out, (size_t)offset))
            return mg_interp_run_fail(p->run, MG_D_interp_empty,
                                      mg_reducer(p->piece->reducer)->name);
    }
    return true;
}

static bool scatter_strip(PieceRun *p, MgInterpAcc *acc, uint32_t n) {
    const MgInterpReg *value = &p->value->regs.at[p->root];
    for (uint32_t l = 0; l < n; l++) {
        int64_t offset = target_offset(p, l);
        if (offset == -2)
            return false;
        for (uint32_t k = 0; value->e && k < p->out->rank; k++)
            p->run->unsure |= p->target->regs.at[p->subs[k]].e[l] != 0;
        if (offset < 0)
            continue;
        MgInterpReg lane = {.v.i = value->v.i + l, .e = value->e ? value->e + l : NULL};
        uint32_t to = 0;
        mg_interp_acc_add(&acc[offset], &to, p->piece->reducer, p->type, &lane, 1);
    }
    return true;
}

static bool walk_piece(PieceRun *p, MgInterpAcc *acc) {
    bool more = walker_open(&p->free, 0);
    size_t bytes = (p->piece->n_indices + 1) * sizeof *p->at;
    while (more) {
        uint32_t n = 0;
        more = walker_fill(&p->free, p->target, &n);
        memcpy(p->at, p->free.at, bytes);
        if (!mg_interp_program_run(p->run, p->target, n))
            return false;
        bool ok = acc                                   ? scatter_strip(p, acc, n)
                  : p->piece->reducer == MG_REDUCE_NONE ? store_strip(p, n)
                                                        : reduce_strip(p, n);
        if (!ok)
            return false;
        memcpy(p->free.at, p->at, bytes);
    }
    if (p->free.overflow || p->bound.overflow)
        return mg_interp_run_fail(p->run, MG_D_interp_overflow);
    return true;
}

// ---------------------------------------------------------------- threads
// A worker walks a part of a piece: a part of the range of one index, which is a subscript of the
// result, so that workers write different elements. It allocates and reports nothing. If one fails,
// the piece is walked again by the caller alone, which reports the first failure.

typedef struct Part {
    PieceRun piece;
    MgInterpRun run;
    bool ok;
} Part;

// The longest side of the box that can be cut, and its length; MG_NO_REG if there is none.
static uint32_t longest_side(const PieceRun *p, int64_t *length) {
    uint32_t longest = MG_NO_REG;
    *length = 0;
    for (uint32_t k = 0; k < p->piece->n_free; k++) {
        const Limit *low = &p->free.low[k], *high = &p->free.high[k];
        bool written = false;
        for (uint32_t a = 0; a < p->out->rank; a++)
            written |= p->subs[a] == p->target->index[k];
        int64_t extent;
        if (written && is_constant(low, k) && is_constant(high, k) &&
            !__builtin_sub_overflow(high->constant, low->constant, &extent) && extent > *length) {
            longest = k;
            *length = extent;
        }
    }
    return longest;
}

// A part: the range of index k from `from` to `to` of its points.
static void make_part(Part *part, const PieceRun *p, uint32_t k, int64_t from, int64_t to) {
    MgInterpRun *run = p->run;
    uint32_t n = p->piece->n_indices;
    Limit *low = mg_arena_copy(run->scratch, p->free.low, n, sizeof *low);
    Limit *high = mg_arena_copy(run->scratch, p->free.high, n, sizeof *high);
    high[k].constant = low[k].constant + to;
    low[k].constant += from;
    part->run = *run;
    part->run.quiet = true;
    part->piece = *p;
    part->piece.run = &part->run;
    part->piece.target = mg_interp_program_copy(run, p->target);
    part->piece.value =
        p->value == p->target ? part->piece.target : mg_interp_program_copy(run, p->value);
    set_walkers(&part->piece, low, high);
}

static void walk_part(void *context, uint32_t worker, uint32_t workers) {
    Part *part = (Part *)context + worker;
    (void)workers;
    part->ok = walk_piece(&part->piece, NULL);
}

// Walks the equation's only piece by threads. False if that doesn't pay, or fails.
static bool walk_parts(PieceRun *p) {
    MgInterpRun *run = p->run;
    int64_t length;
    uint32_t k = longest_side(p, &length), n = mg_interp_workers(run, p->out->n);
    n = length < n ? (uint32_t)length : n;
    if (n < 2)
        return false;
    Part *parts = MG_NEW_N(run->scratch, Part, n);
    for (uint32_t w = 0; w < n; w++)
        make_part(&parts[w], p, k, (int64_t)mg_threads_part((uint64_t)length, w, n),
                  (int64_t)mg_threads_part((uint64_t)length, w + 1, n));
    bool ok = mg_threads_run(run->options->threads, walk_part, parts, n);
    uint64_t steps = run->steps, max = run->options->max_steps;
    for (uint32_t w = 0; w < n; w++) {
        ok &= parts[w].ok;
        steps += parts[w].run.steps - run->steps;
    }
    ok &= !max || steps <= max; // each worker counts its own
    for (uint32_t w = 0; ok && w < n; w++)
        run->unsure |= parts[w].run.unsure;
    if (!ok)
        memset(p->written, 0, p->out->n);
    else
        run->steps = steps;
    return ok;
}

// Contributions are combined in row-major order of the indices, starting from the identity or the
// base.
static bool run_scatter(PieceRun *p, const MgInterpTensor *base) {
    MgInterpTensor *out = p->out;
    MgReducer reducer = p->piece->reducer;
    MgInterpAcc *acc = MG_NEW_N(p->run->scratch, MgInterpAcc, out->n);
    for (size_t i = 0; i < out->n; i++) {
        mg_interp_acc_init(&acc[i], reducer, p->type);
        if (!base)
            continue;
        bool is_float = mg_is_float(p->type);
        mg_interp_acc_base(&acc[i], reducer, p->type,
                           is_float ? mg_interp_load_float(base->dtype, base->data, i) : 0,
                           is_float ? 0 : mg_interp_load_int(base->dtype, base->data, i),
                           mg_interp_load_bound(base, i));
    }
    if (!walk_piece(p, acc))
        return false;
    for (size_t i = 0; i < out->n; i++) {
        bool untouched = base && acc[i].n == 1;
        if (untouched && mg_is_float(p->type))
            mg_interp_store_float(out, i, acc[i].f, acc[i].e);
        else if (!mg_interp_acc_store(&acc[i], reducer, p->type, out, i))
            return mg_interp_run_fail(p->run, MG_D_interp_empty, mg_reducer(reducer)->name);
    }
    return true;
}

// How the schedule computes the current op, if not by its definition; otherwise NULL.
static const MgTiled *algorithm_of(const MgInterpRun *run) {
    for (uint32_t i = 0; run->bounds && i < run->options->n_tiled; i++)
        if (run->options->tiled[i].op == run->op)
            return run->options->tiled[i].tiled;
    return NULL;
}

bool mg_interp_run_equation(MgInterpRun *run, MgOpId id) {
    const MgOp *op = mg_op(run->g, id);
    const MgEquation *eq = op->equation;
    MgInterpTensor *out = &run->values[op->results[0]];
    const MgInterpTensor **operands =
        MG_NEW_N(run->scratch, const MgInterpTensor *, op->n_operands + 1);
    for (uint32_t k = 0; k < op->n_operands; k++)
        operands[k] = &run->values[op->operands[k]];
    if (!mg_interp_run_tensor(run, op->results[0], out))
        return false;
    mg_map_init(&run->exact, run->scratch);
    if (run->bounds)
        mg_rounding_exact(&run->rounding, run->g, id, &run->exact);
    uint8_t *written = NULL;
    if (!eq->pieces[0].scatter)
        written = MG_NEW_N(run->scratch, uint8_t, out->n);
    const MgTiled *tiled = algorithm_of(run);
    MgTiledBound added;
    if (tiled && !mg_interp_tiled_bound(run, tiled, &eq->pieces[0], operands, &added))
        return false;
    for (uint32_t k = 0; k < eq->n_pieces; k++) {
        PieceRun p = {.run = run,
                      .piece = &eq->pieces[k],
                      .out = out,
                      .operands = operands,
                      .written = written,
                      .tiled = tiled ? &added : NULL};
        make_walkers(&p);
        compile_piece(&p);
        bool ok = p.piece->scatter
                      ? run_scatter(&p, eq->has_base ? operands[op->n_operands - 1] : NULL)
                      : (eq->n_pieces == 1 && walk_parts(&p)) || walk_piece(&p, NULL);
        if (!ok)
            return false;
    }
    for (size_t i = 0; written && i < out->n; i++)
        if (!written[i])
            return mg_interp_run_fail(run, MG_D_interp_uncovered, (long long)i,
                                      mg_interp_run_value_name(run, op->results[0]));
    return true;
}
