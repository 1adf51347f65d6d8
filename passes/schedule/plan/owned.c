// Is row i of every value computed from row i alone, and what are the stages? Only structure is
// considered: each read has the row as its first subscript, or does not depend on the row.
#include "passes/schedule/plan/owned.h"
#include "passes/schedule/form.h"

#include "ir/equation.h"

enum { MOST_BUFFERS = 200 };

bool mg_owned_shares_rows(const MgOwned *o, const MgOwnedStage *stage) {
    return stage->reduces && !stage->product && stage->points == 1 &&
           mg_op(o->s->g, stage->ops[0])->equation->pieces[0].n_free == 1;
}

int64_t mg_owned_const(const MgOwned *o, MgIx x) {
    return mg_ix_const_or(o->s->ix, x, -1);
}

// ---------------------------------------------------------------- equations

// Notes values of which another row is read. False if data may decide that a read traps.
static bool note_reads(MgOwned *o, MgOpId id, const MgSx *x) {
    MgAccesses reads = mg_reads(o->s, id, x);
    for (uint32_t i = 0; i < reads.n; i++) {
        const MgSx *read = reads.at[i].read;
        if (!read->n_args || !mg_reads_at(o->s, read, 1) || read->bounds != MG_BOUNDS_PROVED)
            o->by_row[reads.at[i].value] = false;
        if (read->bounds == MG_BOUNDS_CHECKED)
            return false;
    }
    return true;
}

// Is it one box without gaps, whose first index is the row, and all of it in f32?
static bool is_row_equation(MgOwned *o, MgOpId id) {
    MgGraph *g = o->s->g;
    const MgOp *op = mg_op(g, id);
    const MgPiece *p = mg_only_piece(op);
    if (!p || op->equation->has_base)
        return false;
    const MgValue *v = mg_value(g, op->results[0]);
    bool ok = !p->scatter && v->dtype == MG_F32 && p->expr->dtype == MG_F32 && v->rank >= 1 &&
              p->n_free == v->rank && mg_owned_const(o, v->shape[0]) == o->rows;
    for (uint32_t i = 0; ok && i < v->rank; i++)
        ok = p->target[i].sub->kind == MG_SX_IX && p->target[i].sub->ix == mg_ix_idx(o->s->ix, i);
    for (uint32_t i = 0; ok && i < p->n_indices; i++)
        ok = mg_owned_const(o, p->indices[i].low) == 0 && mg_owned_const(o, p->indices[i].high) > 0;
    if (ok && mg_piece_reduces(p))
        ok = mg_reduce_order(p->reducer) == MG_ORDER_SUM || p->reducer == MG_REDUCE_MAX ||
             p->reducer == MG_REDUCE_MIN || p->reducer == MG_REDUCE_PROD;
    return ok && note_reads(o, id, p->expr);
}

// Has the op the free box, and does it read values of this stage at its own point only?
static bool may_join(MgOwned *o, const MgOwnedStage *stage, MgOpId id) {
    MgGraph *g = o->s->g;
    const MgPiece *p = &mg_op(g, id)->equation->pieces[0],
                  *first = &mg_op(g, stage->ops[0])->equation->pieces[0];
    if (mg_piece_reduces(p) || p->n_free != first->n_free)
        return false;
    for (uint32_t i = 0; i < p->n_free; i++)
        if (p->indices[i].high != first->indices[i].high)
            return false;
    MgAccesses reads = mg_reads(o->s, id, p->expr);
    for (uint32_t i = 0; i < reads.n; i++) {
        const MgSx *x = reads.at[i].read;
        if (o->made[reads.at[i].value] == o->stages.len &&
            (x->n_args < p->n_free || x->bounds != MG_BOUNDS_PROVED ||
             !mg_reads_at(o->s, x, p->n_free)))
            return false;
    }
    return true;
}

// sum[k] x[i, k] * w[j, k], or w[k, j]: whole rows of both; x is owned, w does not depend on rows.
static bool find_product(MgOwned *o, MgOpId id, MgOwnedProduct *product) {
    MgGraph *g = o->s->g;
    MgIxTable *t = o->s->ix;
    const MgOp *op = mg_op(g, id);
    const MgPiece *p = &op->equation->pieces[0];
    if (!mg_piece_sums_products(p) || p->n_free != 2 || p->n_indices != 3)
        return false;
    int64_t k = mg_owned_const(o, p->indices[2].high), j = mg_owned_const(o, p->indices[1].high);
    for (int side = 0; side < 2; side++) {
        const MgSx *x = p->expr->args[side], *w = p->expr->args[1 - side];
        if (x->kind != MG_SX_READ || w->kind != MG_SX_READ || x->n_args != 2 || w->n_args != 2 ||
            w->bounds != MG_BOUNDS_PROVED)
            continue;
        MgValueId xv = op->operands[x->operand], wv = op->operands[w->operand];
        MgIx is_k = mg_ix_idx(t, 2), is_j = mg_ix_idx(t, 1);
        if (!o->by_row[xv] || o->by_row[wv] || mg_value(g, xv)->dtype != MG_F32 ||
            mg_value(g, wv)->dtype != MG_F32 || x->args[1]->kind != MG_SX_IX ||
            x->args[1]->ix != is_k || w->args[0]->kind != MG_SX_IX || w->args[1]->kind != MG_SX_IX)
            continue;
        bool across = w->args[0]->ix == is_k && w->args[1]->ix == is_j;
        bool along = w->args[0]->ix == is_j && w->args[1]->ix == is_k;
        const MgIx *shape = mg_value(g, wv)->shape;
        if ((!across && !along) || mg_owned_const(o, shape[across ? 0 : 1]) != k ||
            mg_owned_const(o, shape[across ? 1 : 0]) != j ||
            mg_owned_const(o, mg_value(g, xv)->shape[1]) != k)
            continue;
        o->places[xv].padded |= k % 4 != 0;
        *product = (MgOwnedProduct){.x = xv, .w = wv, .across = across, .k = k, .j = j};
        return true;
    }
    return false;
}

static void add_equation(MgOwned *o, uint32_t number) {
    MgArena *arena = o->s->arena;
    MgOpId id = o->unit.ops[number];
    MgValueId result = mg_op(o->s->g, id)->results[0];
    const MgPiece *p = &mg_op(o->s->g, id)->equation->pieces[0];
    MgOwnedStage *last = o->stages.len ? &o->stages.at[o->stages.len - 1] : NULL;
    if (last && may_join(o, last, id)) {
        last->n_ops++;
        o->made[result] = o->stages.len;
        return;
    }
    MgOwnedStage stage = {.ops = &o->unit.ops[number], .n_ops = 1};
    stage.reduces = mg_piece_reduces(p);
    stage.points = 1;
    for (uint32_t i = 1; i < p->n_free; i++)
        stage.points *= mg_owned_const(o, p->indices[i].high);
    stage.product = stage.reduces && find_product(o, id, &stage.p);
    if (stage.product) {
        stage.p.packed = o->packed;
        o->packed += 4 * mg_owned_steps(&stage.p) * stage.p.j;
        for (uint32_t i = 0; i < o->stages.len; i++) // a weight used twice is packed once
            if (o->stages.at[i].product && o->stages.at[i].p.w == stage.p.w &&
                o->stages.at[i].p.across == stage.p.across) {
                o->packed = stage.p.packed;
                stage.p.packed = o->stages.at[i].p.packed;
                break;
            }
    }
    mg_push(arena, &o->stages, stage);
    o->made[result] = o->stages.len;
}

// ---------------------------------------------------------------- the graph

// A copy of g without groups: its equations unchanged, in one list. NULL if there are other ops, or
// if sizes are open.
static MgGraph *flattened(MgGraph *g, MgArena *arena) {
    for (uint32_t i = 0; i < g->regions.at[0].ops.len; i++) {
        MgOpKind kind = mg_op(g, g->regions.at[0].ops.at[i])->kind;
        if (kind != MG_OP_FUSED && kind != MG_OP_EQUATION && kind != MG_OP_PARAM &&
            kind != MG_OP_CONST && kind != MG_OP_ERASED)
            return NULL;
    }
    if (g->dims.len)
        return NULL;
    MgGraph *flat = mg_graph_copy(g);
    MgValueId *with = MG_NEW_N(arena, MgValueId, flat->values.len + 1);
    for (MgOpId id = 1; id < flat->ops.len; id++) {
        if (mg_op(flat, id)->kind != MG_OP_FUSED || mg_op(flat, id)->region)
            continue;
        const MgOp fused = *mg_op(flat, id);
        MgRegion inside = *mg_region(flat, fused.regions[0]);
        MgOpId *ops = mg_arena_copy(arena, inside.ops.at, inside.ops.len, sizeof *ops);
        for (uint32_t i = 0; i < inside.ops.len; i++)
            if (mg_op(flat, ops[i])->kind == MG_OP_YIELD)
                for (uint32_t k = 0; k < fused.n_results; k++)
                    with[fused.results[k]] = mg_op(flat, ops[i])->operands[k];
            else if (mg_op(flat, ops[i])->kind != MG_OP_ERASED)
                mg_op_move_before(flat, ops[i], id);
    }
    mg_replace_all_uses(flat, with);
    for (MgOpId id = 1; id < flat->ops.len; id++)
        if (mg_op(flat, id)->kind == MG_OP_FUSED)
            mg_op_erase(flat, id);
    mg_graph_compact(flat);
    return flat;
}

static bool collect(MgOwned *o) {
    MgGraph *g = o->s->g;
    const MgRegion *body = mg_region(g, 0);
    o->unit.ops = MG_NEW_N(o->s->arena, MgOpId, body->ops.len + 1);
    o->unit.outputs = MG_NEW_N(o->s->arena, MgValueId, g->outputs.len + 1);
    for (uint32_t i = 0; i < body->ops.len; i++)
        if (mg_op(g, body->ops.at[i])->kind == MG_OP_EQUATION)
            o->unit.ops[o->unit.n_ops++] = body->ops.at[i];
    if (!o->unit.n_ops || !g->outputs.len)
        return false;
    const MgValue *first = mg_value(g, mg_op(g, o->unit.ops[0])->results[0]);
    o->rows = first->rank ? mg_owned_const(o, first->shape[0]) : 0;
    for (MgValueId v = 1; v < g->values.len; v++)
        o->by_row[v] =
            mg_value(g, v)->rank > 0 && mg_value(g, v)->dtype == MG_F32 &&
            mg_owned_const(o, mg_value(g, v)->shape[0]) == o->rows &&
            (!mg_value(g, v)->def || mg_op(g, mg_value(g, v)->def)->kind == MG_OP_EQUATION);
    bool ok = o->rows > 0;
    MgMap seen;
    mg_map_init(&seen, o->s->arena);
    for (uint32_t i = 0; i < o->unit.n_ops && ok; i++)
        ok = is_row_equation(o, o->unit.ops[i]);
    for (uint32_t i = 0; i < o->unit.n_ops && ok; i++) // it is computed here, but another row of it
                                                       // is read
        ok = o->by_row[mg_op(g, o->unit.ops[i])->results[0]];
    for (uint32_t k = 0; k < g->outputs.len && ok; k++) {
        MgValueId v = g->outputs.at[k].value;
        ok = mg_value(g, v)->def && mg_op(g, mg_value(g, v)->def)->kind == MG_OP_EQUATION &&
             !mg_map_find(&seen, v);
        mg_map_put(&seen, v, 1);
        o->unit.outputs[o->unit.n_outputs++] = v;
    }
    mg_unit_index(o->s, &o->unit);
    return ok;
}

int64_t *mg_fed_from(const MgGraph *g, MgArena *arena) {
    int64_t *from = MG_NEW_N(arena, int64_t, g->inputs.len + 1);
    for (uint32_t i = 0; i < g->inputs.len; i++)
        from[i] = -1;
    for (uint32_t k = 0; k < g->outputs.len; k++) {
        const MgValue *out = &g->values.at[g->outputs.at[k].value];
        for (uint32_t i = 0; i < g->inputs.len; i++) {
            const MgValue *in = &g->values.at[g->inputs.at[i].value];
            if (from[i] >= 0 || in->dtype != out->dtype || in->rank != out->rank ||
                memcmp(in->shape, out->shape, in->rank * sizeof *in->shape) != 0)
                continue;
            from[i] = k;
            break;
        }
    }
    return from;
}

// Passes can stay inside the kernel if all inputs that are fed are owned. An input that nothing
// reads is no buffer of the kernel, so it is neither loaded nor fed.
static void find_feeds(MgOwned *o) {
    MgGraph *g = o->s->g;
    const uint32_t *uses = mg_use_counts(g, o->s->arena);
    o->fed_from = mg_fed_from(g, o->s->arena);
    o->loops = true;
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        MgValueId in = g->inputs.at[i].value;
        if (!uses[in]) {
            o->by_row[in] = false;
            o->fed_from[i] = -1;
        }
        if (o->fed_from[i] < 0)
            continue;
        o->loops &= o->by_row[in];
        o->places[g->outputs.at[o->fed_from[i]].value].padded |= o->places[in].padded;
    }
}

// ---------------------------------------------------------------- offsets

static void use(MgOwned *o, MgValueId v, uint32_t stage) {
    MgOwnedPlace *p = &o->places[v];
    if (!p->placed) {
        const MgValue *value = mg_value(o->s->g, v);
        *p = (MgOwnedPlace){.placed = true, .padded = p->padded, .first = stage, .width = 1};
        for (uint32_t a = 1; a < value->rank; a++)
            p->width *= mg_owned_const(o, value->shape[a]);
        p->width = (p->width + 3) / 4 * 4;
    }
    p->last = stage > p->last ? stage : p->last;
}

// Lifetimes in numbers of stages: 0 is loading, the last one feeding and storing. A value that only
// its own stage reads stays in registers.
static void find_lives(MgOwned *o) {
    MgGraph *g = o->s->g;
    uint32_t end = o->stages.len + 1;
    const uint32_t *made = o->made;
    for (uint32_t i = 0; i < g->inputs.len; i++)
        if (o->by_row[g->inputs.at[i].value]) {
            use(o, g->inputs.at[i].value, 0);
            use(o, g->inputs.at[i].value, end); // the next pass reads it again
        }
    for (uint32_t i = 0; i < o->stages.len; i++)
        for (uint32_t k = 0; k < o->stages.at[i].n_ops; k++) {
            const MgOp *op = mg_op(g, o->stages.at[i].ops[k]);
            for (uint32_t n = 0; n < op->n_operands; n++) {
                MgValueId v = op->operands[n];
                if (!o->by_row[v] || !mg_value(g, v)->def || made[v] == i + 1)
                    continue;
                use(o, v, made[v]);
                use(o, v, i + 1);
            }
        }
    for (uint32_t k = 0; k < o->unit.n_outputs; k++) {
        use(o, o->unit.outputs[k], made[o->unit.outputs[k]]);
        use(o, o->unit.outputs[k], end);
    }
}

// First fit, in order of definition: two values never share bytes while both are alive.
static void place(MgOwned *o) {
    MgGraph *g = o->s->g;
    for (uint32_t stage = 0; stage <= o->stages.len; stage++)
        for (MgValueId v = 1; v < g->values.len; v++) {
            MgOwnedPlace *p = &o->places[v];
            if (!p->placed || p->first != stage)
                continue;
            for (MgValueId w = 1; w < g->values.len; w++) { // the offset moves past each
                                                            // overlapping value
                const MgOwnedPlace *q = &o->places[w];
                bool earlier = q->placed && (q->first < stage || (q->first == stage && w < v));
                if (earlier && q->last >= p->first && p->offset < q->offset + q->width &&
                    q->offset < p->offset + p->width) {
                    p->offset = q->offset + q->width;
                    w = 0;
                }
            }
            if (p->offset + p->width > o->row_elements)
                o->row_elements = p->offset + p->width;
        }
}

// Does an output take over an input? Other groups may still read rows of it.
static bool takes_over(const MgGraph *g) {
    bool found = false;
    for (uint32_t i = 0; i < g->outputs.len; i++)
        found |= g->outputs.at[i].aliases >= 0;
    return found;
}

MgOwned *mg_owned_find(const MgSched *whole) {
    MgGraph *g = whole->g, *flat;
    const MgScheduleOptions *options = whole->options;
    if (!options->target.gpu || options->level < 2 || options->strict || takes_over(g) ||
        (options->launch != MG_LAUNCH_AUTO && options->launch != MG_LAUNCH_OWNED) ||
        g->inputs.len + g->outputs.len >= MOST_BUFFERS || !(flat = flattened(g, whole->arena)))
        return NULL;
    MgSched *s = mg_arena_copy(whole->arena, whole, 1, sizeof *whole);
    MgOwned *o = MG_NEW(s->arena, MgOwned);
    s->g = flat;
    o->s = s;
    o->by_row = MG_NEW_N(s->arena, bool, flat->values.len);
    o->made = MG_NEW_N(s->arena, uint32_t, flat->values.len);
    o->places = MG_NEW_N(s->arena, MgOwnedPlace, flat->values.len);
    bool ok = collect(o);
    for (uint32_t i = 0; ok && i < o->unit.n_ops; i++) {
        add_equation(o, i);
        ok = flat->inputs.len + flat->outputs.len + 2 * o->stages.len < MOST_BUFFERS;
    }
    if (ok) {
        find_feeds(o);
        find_lives(o);
        place(o);
    }
    bool failed = false;
    o->nest = ok ? mg_form_given(&mg_form_owned, o, s, &o->unit, &failed) : NULL;
    if (o->nest)
        return o;
    if (ok && !s->draft->failed && mg_owned_choose(o) &&
        (mg_owned_pays(o) || options->launch == MG_LAUNCH_OWNED)) {
        o->nest = mg_form_nest(&mg_form_owned, o, s, (MgFormPlace){.unit = &o->unit});
        return o;
    }
    return NULL;
}
