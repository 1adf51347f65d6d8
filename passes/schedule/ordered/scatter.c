// Scatter equations: contributions to computed places, which the reducer combines.
//
// The target is first filled with the base or the identity, then contributions are added in
// row-major order of the indices. If a target subscript moves with an index, two values of that
// index never contribute to the same element. Such indices are shared out among workers: one of
// them on a CPU, all of them as one flat loop on a GPU. The others run in order inside, so results
// don't depend on threads. If a GPU would have few items with long loops, contributions to a place
// are first sorted together (scatter_gpu.c).
#include "passes/schedule/ordered/scatter.h"
#include "ir/equation.h"
#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/words.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 8, MOST_CHUNK = 1 << 24 }; // vectors that a worker takes at once; positions

// A sum in narrow floats is kept in f32 and rounded once, at the end. So is an extreme in a type
// without infinity, which would begin as NaN.
static MgDType type_of_sum(const MgScatter *sc) {
    MgDType stored = mg_value(sc->s->g, sc->result)->dtype;
    bool finite = mg_is_float(stored) && isfinite(mg_bits_to_double(stored, mg_lowest(stored)));
    bool wide = finite || mg_reduce_order(sc->piece->reducer) == MG_ORDER_SUM;
    return wide ? mg_dtype(stored)->compute : stored;
}

static void make_sum(MgScatter *sc) {
    MgSched *s = sc->s;
    sc->sum = mg_kb_value(&sc->kb, sc->result);
    if (sc->type == mg_value(s->g, sc->result)->dtype)
        return;
    sc->sum = mg_kb_common(&sc->kb, "sum", sc->type, mg_value_elements(s->g, sc->result));
}

// to[i] = from[i] in the type of `to`, one block of elements per worker; from NULL: the identity.
// Elements are copied in vectors, if these divide their number.
static void emit_copy(MgScatter *sc, MgKBlock *block, MgKBufId to, MgDType type,
                      const MgKBufId *from) {
    MgKernel *k = sc->kb.k;
    MgIx elements = mg_value_elements(sc->s->g, sc->result);
    MgDType compute = mg_dtype(type)->compute;
    uint32_t lanes = mg_kb_lanes(&sc->kb, compute);
    if (lanes > 1 && mg_ix_const_or(sc->s->ix, elements, 1) % lanes)
        lanes = 1;
    const MgKx *n = over(k, mg_kb_ix(&sc->kb, elements, sc->at.loop), lanes);
    const MgKx *i = times(k, mg_kb_share(&sc->kb, &block, "i", n), lanes), *x;
    if (from)
        x = loaded(k, *from, i, lanes);
    else
        x = mg_reduce_identity(k, sc->piece->reducer, mg_kt(compute, lanes));
    x = converted(k, type, x);
    store(k, block, to, i, x);
}

// Fills the sum with the base's elements or the identity.
static void emit_fill(MgScatter *sc, MgKBlock *block) {
    MgKBufId from = sc->base ? mg_kb_value(&sc->kb, sc->base) : 0;
    if (sc->base && from == sc->sum)
        return; // in place
    emit_copy(sc, block, sc->sum, sc->type, sc->base ? &from : NULL);
}

void mg_scatter_combine(MgScatter *sc, MgPoint *p, MgKBufId sum, const MgKx *at) {
    mg_scatter_add(sc, p, sum, at,
                   mg_ksplat(sc->kb.k, mg_point_expr(p, sc->piece->expr), p->lanes));
}

void mg_scatter_add(MgScatter *sc, MgPoint *p, MgKBufId sum, const MgKx *at, const MgKx *x) {
    MgKernel *k = sc->kb.k;
    if (sc->piece->reducer != MG_REDUCE_LAST) {
        const MgKx *none = p->mask ? mg_kconst(k, mg_kt(sc->type, p->lanes), 0) : NULL;
        const MgKx *old = mg_kload(k, sum, at, p->lanes, p->mask, none);
        x = mg_reduce_step(k, sc->piece->reducer, converted(k, x->type.dtype, old), x);
    }
    mg_kstore(k, p->block, sum, at, converted(k, sc->type, x), p->mask);
}

// Combines target[subs] with expr at the current point.
static void emit_contribution(MgScatter *sc, MgKBlock *block) {
    MgPoint p = mg_scatter_point(sc, block);
    const MgKx *at = mg_point_place(&p, sc->piece, UINT64_MAX);
    mg_scatter_combine(sc, &p, sc->sum, at);
}

MgKBlock *mg_scatter_inner(MgScatter *sc, MgKBlock *block, uint64_t but) {
    MgKernel *k = sc->kb.k;
    for (uint32_t i = 0; i < sc->piece->n_indices; i++) {
        if (but >> i & 1)
            continue;
        const MgKx *low = mg_kb_ix(&sc->kb, sc->at.low[i], sc->at.loop);
        const MgKx *high = mg_kb_ix(&sc->kb, sc->at.high[i], sc->at.loop);
        Loop loop = each_from(k, block, "i", low, high, 1);
        sc->at.loop[i] = loop.at;
        block = loop.body;
    }
    return block;
}

// Shared indices are outside; the others follow in order.
static void emit_in_order(MgScatter *sc, MgKBlock *block) {
    const MgKx *number;
    uint64_t shared = 0;
    for (uint32_t i = 0; i < sc->n_shared; i++)
        shared |= (uint64_t)1 << sc->shared_ones[i];
    if (sc->piece->n_indices)
        block = mg_loops_flat(&sc->at, &sc->kb, block, sc->shared_ones, sc->n_shared,
                              mg_ix_const(sc->s->ix, 1), sc->n_shared, &number);
    emit_contribution(sc, mg_scatter_inner(sc, block, shared));
}

static void make(void *found) {
    MgScatter *sc = found;
    MgKernel *k = sc->kb.k;
    mg_loops_begin(&sc->at, &sc->kb, sc->piece);
    make_sum(sc);
    struct MgTogether *together = sc->together ? mg_gpu_scatter_begin(sc) : NULL;
    emit_fill(sc, &k->body);
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    if (together)
        mg_gpu_scatter(sc, together);
    else if (sc->lanes)
        mg_scatter_by_lanes(sc, &k->body);
    else
        emit_in_order(sc, &k->body);
    MgKBufId target = mg_kb_value(&sc->kb, sc->result);
    if (sc->sum != target) {
        mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
        emit_copy(sc, &k->body, target, mg_value(sc->s->g, sc->result)->dtype, &sc->sum);
    }
}

// ---------------------------------------------------------------- the plan

static int64_t extent_of(const MgScatter *sc, uint32_t i) {
    return mg_form_extent(sc->s, &sc->piece->indices[i]);
}

// On a GPU, items share all indices that can be shared. A CPU's workers share one index; if the
// last index may run along the lanes, it does.
static bool choose(void *found) {
    MgScatter *sc = found;
    uint32_t last = sc->apart.n ? sc->apart.ones[sc->apart.n - 1] : 0, first = 0;
    uint32_t lanes = mg_kb_lanes(&sc->kb, sc->type);
    if (sc->s->options->target.gpu) {
        memcpy(sc->shared_ones, sc->apart.ones, sizeof sc->shared_ones);
        sc->n_shared = sc->apart.n;
        sc->together = mg_gpu_scatter_fits(sc) && mg_gpu_scatter_pays(sc);
        return true;
    }
    int64_t n = sc->apart.n ? extent_of(sc, last) : 0;
    if (sc->apart.n && mg_scatter_takes_lanes(sc, last) && (n < 0 || n >= lanes)) {
        sc->lane = last;
        sc->lanes = lanes;
        sc->n_shared = sc->apart.n > 1;
        sc->shared_ones[0] = sc->apart.ones[0];
        sc->chunk = sc->n_shared ? 0 : CHUNK * lanes;
        return true;
    }
    while (first < sc->piece->n_indices && !(sc->apart.set >> first & 1))
        first++;
    sc->n_shared = sc->apart.n > 0;
    sc->shared_ones[0] = first;
    return true;
}

// The indices that are neither shared nor along the lanes, in order.
static uint32_t others_of(const MgScatter *sc, const MgNestScope *scope, uint32_t *axes) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < sc->piece->n_indices; i++) {
        bool other = !sc->lanes || i != sc->lane;
        for (uint32_t j = 0; j < sc->n_shared; j++)
            other &= sc->shared_ones[j] != i;
        if (other)
            axes[n++] = mg_nest_index(scope, 0, i);
    }
    return n;
}

static MgLine *add_others(const MgScatter *sc, MgLine *outer, const MgNestScope *scope) {
    uint32_t axes[MG_FORM_SYMS], n = others_of(sc, scope, axes);
    MgLine *line = n ? mg_nest_add_for(sc->s->arena, outer, n) : outer;
    for (uint32_t i = 0; i < n; i++)
        line->walks[i].index = axes[i];
    return line;
}

// The loops that cores or items share. If contributions are sorted, these are all loops.
static MgLine *add_shared(const MgScatter *sc, MgNest *nest, MgNestScope *scope) {
    uint32_t axes[MG_FORM_SYMS], n = sc->together ? others_of(sc, scope, axes) : 0;
    for (uint32_t i = 0; i < sc->n_shared; i++)
        axes[n++] = mg_nest_index(scope, 0, sc->shared_ones[i]);
    if (nest->gpu)
        return mg_form_add_items(sc->s, nest, scope, axes, n,
                                 sc->together ? MG_GPU_SORT_ITEMS : MG_SHARING_ITEMS);
    if (!sc->n_shared && !sc->chunk)
        return &nest->root;
    uint32_t index = sc->n_shared ? axes[0] : mg_nest_index(scope, 0, sc->lane);
    MgLine *line = mg_nest_add_blocks(sc->s->arena, &nest->root, index, sc->chunk);
    line->level = MG_LEVEL_CORE;
    return line;
}

static void nest_of(void *found, MgNest *nest, MgNestScope *scope) {
    const MgScatter *sc = found;
    MgArena *arena = sc->s->arena;
    MgLine *line = add_shared(sc, nest, scope);
    if (!sc->together)
        line = add_others(sc, line, scope);
    if (sc->lanes)
        line = mg_nest_add_lanes(arena, line, mg_nest_index(scope, 0, sc->lane), 1, sc->lanes,
                                 extent_of(sc, sc->lane));
    line = mg_nest_add_numbers(arena, line, MG_LINE_DO, 0, 1);
    line->way = sc->together ? MG_WAY_SORT : MG_WAY_PLAIN;
}

static bool read_lanes(MgScatter *sc, const MgGivenNest *given, MgNestFound lanes) {
    sc->lane =
        given->scope->indices.at[mg_nest_first_part(given->nest, lanes.walk->index)].position;
    if (!mg_scatter_takes_lanes(sc, sc->lane))
        return mg_form_refuse(given, lanes.line,
                              "'%s' is not along the lanes: neighbours of it don't go to "
                              "neighbouring elements, or some may go to one",
                              mg_given_name(given, lanes.walk->index));
    return mg_form_read_lanes(given, lanes, mg_kb_lanes(&sc->kb, sc->type), &sc->lanes);
}

static bool read_cores(MgScatter *sc, const MgGivenNest *given, const MgLine *cores) {
    uint32_t index = mg_nest_first_part(given->nest, cores->walks[0].index);
    uint32_t i = given->scope->indices.at[index].position;
    if (!(sc->apart.set >> i & 1))
        return mg_form_refuse(given, cores,
                              "two values of '%s' may go to one element: cores can't share them",
                              mg_given_name(given, index));
    if (sc->lanes && i == sc->lane) {
        sc->chunk = cores->walks[0].by;
        if (!sc->chunk || sc->chunk % sc->lanes || sc->chunk > MOST_CHUNK)
            return mg_form_refuse(given, cores,
                                  "blocks of '%s' are a multiple of %u lanes, and at most %d",
                                  mg_given_name(given, index), sc->lanes, MOST_CHUNK);
    } else {
        sc->n_shared = 1;
        sc->shared_ones[0] = i;
    }
    return true;
}

static bool read_plan(void *found, const MgGivenNest *given) {
    MgScatter *sc = found;
    const MgLine *cores = mg_nest_find_cores(&given->nest->root),
                 *last = mg_nest_find_kind(&given->nest->root, MG_LINE_DO);
    MgNestFound lanes = mg_nest_find_digit(&given->nest->root, MG_LEVEL_LANE);
    if (given->nest->gpu) {
        memcpy(sc->shared_ones, sc->apart.ones, sizeof sc->shared_ones);
        sc->n_shared = sc->apart.n;
        sc->together = last && last->way == MG_WAY_SORT;
        return !sc->together || mg_gpu_scatter_fits(sc) ||
               mg_form_refuse(given, last,
                              "contributions are sorted only if their number is known, and at "
                              "most 4194304");
    }
    if ((lanes.walk && !read_lanes(sc, given, lanes)) || (cores && !read_cores(sc, given, cores)))
        return false;
    return !sc->lanes || sc->n_shared || sc->chunk ||
           mg_form_refuse(given, lanes.line,
                          "if an index is along the lanes, blocks of it, or another index, are on "
                          "cores");
}

static void *find(MgSched *s, const MgUnit *unit) {
    const MgOp *op = mg_op(s->g, unit->ops[0]);
    if (unit->n_ops != 1 || op->kind != MG_OP_EQUATION || !op->equation->pieces[0].scatter)
        return NULL;
    MgScatter *sc = MG_NEW(s->arena, MgScatter);
    *sc = (MgScatter){.s = s,
                      .kb = {.s = s},
                      .unit = unit,
                      .piece = &op->equation->pieces[0],
                      .result = op->results[0]};
    sc->base = op->equation->has_base ? op->operands[op->n_operands - 1] : MG_NONE;
    sc->type = type_of_sum(sc);
    sc->apart = mg_apart(s, sc->piece, mg_value(s->g, sc->result)->rank);
    return sc;
}

const MgForm mg_form_scatter = {.nests = MG_NEST_SCATTER,
                                .what = "a scatter",
                                .kernel = "scatter",
                                .find = find,
                                .choose = choose,
                                .read = read_plan,
                                .nest = nest_of,
                                .make = make};
