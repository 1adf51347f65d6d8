// The general schedule: a loop nest for a group of equations that share leading indices.
//
// The shared indices (the outer box) are walked in parallel. Within one outer point, every equation
// of the group walks the rest of its own box, in order. This covers three forms:
//   - elementwise groups and contractions with an epilogue: only reductions remain; values stay in
//     registers;
//   - row groups (softmax, normalisations): inner indices and reductions over a row; rows stay in
//     scratch;
//   - the generic loop nest of any single equation.
// Each nest is vectorised along the index that makes its loads contiguous: a free one (then
// reductions have one accumulator per lane) or a bound one (then lanes are combined at the end). At
// -O0 the same code writes scalar loops in the interpreter's order, with sums in f64.
//
// A group that fits none of these forms is refused; its equations are scheduled one by one.
#include "passes/schedule/group/nest.h"
#include "passes/schedule/share.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

// ---------------------------------------------------------------- recognising it
static bool plain_target(MgIxTable *t, const MgPiece *p, const MgValue *result, uint32_t n) {
    if (p->n_free < n || result->rank < n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (p->target[i].n_tuple || p->target[i].sub->kind != MG_SX_IX ||
            p->target[i].sub->ix != mg_ix_idx(t, i))
            return false;
    return true;
}

static bool depth_fits(MgGroup *gr, uint32_t depth) {
    MgGraph *g = gr->s->g;
    const MgPiece *first = gr->nests[0].piece;
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        const MgGroupNest *n = &gr->nests[i];
        if (!plain_target(gr->s->ix, n->piece, mg_value(g, n->result), depth) ||
            !mg_same_box(n->piece, first, depth))
            return false;
    }
    return mg_unit_reads_in_place(gr->s, gr->unit, depth);
}

static bool find_depth(MgGroup *gr) {
    uint32_t most = UINT32_MAX;
    for (uint32_t i = 0; i < gr->n_nests; i++)
        if (gr->nests[i].piece->n_free < most)
            most = gr->nests[i].piece->n_free;
    if (gr->n_nests == 1) { // alone: its target may have any form
        gr->depth = most;
        return true;
    }
    for (uint32_t d = most; d >= 1; d--)
        if (depth_fits(gr, d)) {
            gr->depth = d;
            return true;
        }
    return most == 0 && depth_fits(gr, 0);
}

// ---------------------------------------------------------------- rows and loops
// Many points are, and fewer if their functions take long.
static bool worth_sharing(MgGroup *gr) {
    MgIxTable *t = gr->s->ix;
    MgIx points = mg_ix_const(t, 0), work = mg_ix_const(t, 0);
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        const MgGroupNest *n = &gr->nests[i];
        points = mg_ix_add(t, points, mg_index_points(t, n->piece->indices, n->piece->n_indices));
        work = mg_ix_add(t, work, mg_share_piece_work(gr->s, n->piece));
    }
    return mg_share_pays(gr->s, points, work);
}

// Is it better for the reductions of a group of points to run along lanes of their own, with
// everything else scalar?
static bool reduces_along_rows(MgGroup *gr) {
    double across, along = 0;
    uint32_t lanes = mg_group_lanes(gr, gr->nests, gr->n_nests);
    mg_group_vector(gr, gr->nests, gr->n_nests, 0, gr->depth, lanes, &across);
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        const MgGroupNest *n = &gr->nests[i];
        double cost = lanes * mg_group_scalar(gr, n);
        if (mg_piece_reduces(n->piece)) {
            mg_group_enter(gr, n);
            mg_group_vector(gr, n, 1, gr->depth, gr->depth, lanes, &cost);
        }
        along += cost;
    }
    return along < across;
}

static void begin(MgGroup *gr) {
    MgIxTable *t = gr->s->ix;
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        gr->rows |= gr->nests[i].piece->n_free > gr->depth;
        gr->reduces |= gr->nests[i].piece->n_indices > gr->nests[i].piece->n_free;
    }
    const MgGroupNest *first = &gr->nests[0];
    const char *kind = gr->rows ? "row" : gr->reduces ? "reduction" : "elementwise";
    if (gr->piece)
        mg_kb_begin_piece(&gr->kb, gr->s, gr->unit, first->piece, kind);
    else
        mg_kb_begin(&gr->kb, gr->s, gr->unit, kind);
    const MgKx *zero = num(gr->kb.k, 0);
    for (uint32_t i = 0; i < MG_GROUP_LOOPS; i++) {
        gr->with[i] = mg_ix_idx(t, i);
        gr->low[i] = mg_ix_const(t, 0);
        gr->high[i] = mg_ix_const(t, 1); // an empty range would prove anything
        gr->loop[i] = zero;
    }
    for (uint32_t i = 0; i < first->piece->n_indices; i++) {
        gr->low[i] = first->piece->indices[i].low;
        gr->high[i] = first->piece->indices[i].high;
    }
}

static bool has_cores(const MgNest *nest) {
    for (uint32_t i = 0; i < nest->root.body.len; i++) {
        const MgLine *line = nest->root.body.at[i];
        if (line->kind == MG_LINE_FOR && line->level == MG_LEVEL_CORE)
            return true;
    }
    return false;
}

// A nest without a loop for workers is the first one's work.
static void by_workers(MgGroup *gr, const MgNest *nest) {
    MgKernel *k = gr->kb.k;
    gr->kb.nest = nest;
    mg_nest_workers(gr, nest, has_cores(nest) ? &k->body : first_worker(k, &k->body));
}

bool mg_group_by_form(MgGroup *gr, const MgForm *form) {
    void *found = form->find_in(gr);
    if (!found || !form->choose(found))
        return false;
    gr->kb.nest = mg_form_nest(form, found, gr->s, mg_group_place_of(gr));
    form->make(found);
    return true;
}

// Makes the kernel of a started group, from the user's nest or by `emit`.
static bool make(MgGroup *gr, uint32_t n_pieces, MgGroupFn *emit, MgKBlock *plan) {
    bool failed = false;
    const MgForm *form = NULL;
    void *found = NULL;
    const MgNest *given = mg_nest_given(gr, n_pieces, &failed, &form, &found);
    gr->s->draft->failed |= failed;
    if (failed)
        return true;
    gr->kb.nest = given;
    if (form)
        form->make(found);
    else if (given)
        (given->gpu ? mg_nest_items : by_workers)(gr, given);
    else if (!emit(gr))
        return false;
    mg_kb_end(&gr->kb, plan, gr->nests[gr->n_nests - 1].op);
    return true;
}

// Would most lanes be idle along each row, of many?
static bool short_rows(MgGroup *gr) {
    MgIxTable *t = gr->s->ix;
    int64_t longest = 0, lanes = mg_group_lanes(gr, gr->nests, gr->n_nests);
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        const MgPiece *p = gr->nests[i].piece;
        if (p->n_indices <= gr->depth)
            continue;
        int64_t extent =
            mg_ix_const_or(t, mg_index_extent(t, &p->indices[p->n_indices - 1]), lanes);
        longest = extent > longest ? extent : longest;
    }
    return gr->rows && gr->reduces && gr->n_nests > 1 && !gr->s->walk && 4 * longest <= lanes &&
           mg_ix_const_or(t, mg_group_rows(gr), 0) >= mg_figure(gr->s, shared_points);
}

static bool workers(MgGroup *gr) {
    bool rows = gr->rows;
    if (mg_group_by_form(gr, &mg_group_parts))
        return true;
    if (mg_group_parts_apart(gr)) {
        gr->s->draft->unit.apart_why =
            "each of several long reductions is cut into parts for all workers; a "
            "kernel has one of them";
        return false;
    }
    if (short_rows(gr)) {
        gr->s->draft->unit.apart_why = "rows are so short that lanes run across them";
        return false;
    }
    if (!rows && gr->n_nests > 1 && gr->reduces && reduces_along_rows(gr))
        rows = true;
    bool parallel = worth_sharing(gr) && gr->depth > 0;
    const MgNest *nest = gr->reduces ? mg_choose_together(gr, parallel)
                         : rows      ? NULL
                                     : mg_choose_transposed(gr, parallel);
    if (!nest && !rows && !gr->reduces)
        nest = mg_choose_interleaved(gr, parallel);
    if (!nest)
        nest = rows ? mg_choose_rows(gr, parallel) : mg_choose_points(gr, parallel);
    by_workers(gr, nest);
    return true;
}

static bool takes(MgGraph *g, const MgUnit *unit) {
    for (uint32_t i = 0; i < unit->n_ops; i++) {
        const MgOp *op = mg_op(g, unit->ops[i]);
        if (op->kind != MG_OP_EQUATION)
            return false;
        const MgEquation *e = op->equation;
        if (e->pieces[0].scatter || (e->n_pieces > 1 && unit->n_ops > 1))
            return false;
    }
    return true;
}

bool mg_group_form(MgSched *s, const MgUnit *unit, MgGroupFn *emit, MgKBlock *plan) {
    if (!takes(s->g, unit))
        return false;
    const MgEquation *alone = mg_op(s->g, unit->ops[0])->equation;
    if (unit->n_ops == 1) { // each piece has a box, and a kernel, of its own
        for (uint32_t i = 0; i < alone->n_pieces; i++) {
            if (mg_is_in_place(s, unit->ops[0], &alone->pieces[i]))
                continue;
            MgGroupNest nest = {unit->ops[0], &alone->pieces[i],
                                mg_op(s->g, unit->ops[0])->results[0]};
            MgSched of_piece = *s;
            if (alone->n_pieces > 1)
                of_piece.part =
                    mg_arena_printf(s->arena, "piece %u of %u%s%s", i + 1, alone->n_pieces,
                                    s->part ? ", " : "", s->part ? s->part : "");
            MgGroup gr = {.s = &of_piece, .unit = unit, .nests = &nest, .n_nests = 1};
            gr.piece = alone->n_pieces > 1 ? i + 1 : 0;
            find_depth(&gr);
            begin(&gr);
            make(&gr, alone->n_pieces, emit, plan);
        }
        return true;
    }
    MgGroup gr = {.s = s,
                  .unit = unit,
                  .nests = MG_NEW_N(s->arena, MgGroupNest, unit->n_ops),
                  .n_nests = unit->n_ops};
    for (uint32_t i = 0; i < unit->n_ops; i++) {
        const MgOp *op = mg_op(s->g, unit->ops[i]);
        gr.nests[i] = (MgGroupNest){unit->ops[i], &op->equation->pieces[0], op->results[0]};
    }
    if (!find_depth(&gr))
        return false;
    begin(&gr);
    return make(&gr, 1, emit, plan);
}

bool mg_schedule_group(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    return mg_group_form(s, unit, workers, plan);
}
