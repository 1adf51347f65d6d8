// See split_axes.h.
#include "passes/split_axes.h"

// Can an index of the op be cut?
static bool has_plain_box(const MgSplit *s, MgOpId id) {
    const MgOp *op = mg_op(s->g, id);
    const MgPiece *p = mg_only_piece(op);
    return p && !op->equation->has_base &&
           (p->reducer == MG_REDUCE_NONE ||
            (s->reductions && !mg_piece_is_scanned(s->g->module, p))) &&
           p->n_indices < MG_SPLIT_MOST && mg_piece_is_plain(s->g, p, op->results[0]);
}

// Checks that every read of s->value has index s->axis as the subscript of that axis.
static void check_in_place(void *ctx, const MgSx *x) {
    MgSplit *s = ctx;
    if (x->kind != MG_SX_READ || mg_op(s->g, s->op)->operands[x->operand] != s->value)
        return;
    s->found = true;
    s->ok &= x->bounds == MG_BOUNDS_PROVED && x->args[s->axis]->kind == MG_SX_IX &&
             x->args[s->axis]->ix == mg_ix_idx(s->g->module->ix, s->axis);
}

static bool reads_in_place(MgSplit *s, MgOpId id, MgValueId v, uint32_t axis) {
    s->op = id;
    s->value = v;
    s->axis = axis;
    s->ok = true;
    s->found = false;
    mg_sx_walk(mg_op(s->g, id)->equation->pieces[0].expr, check_in_place, s);
    return s->ok && s->found;
}

// A reader computes the parts by division, so they must be proved inside. A read that may be
// outside tests the whole axis, and needs it.
static void check_certain(void *ctx, const MgSx *x) {
    MgSplit *s = ctx;
    if (x->kind != MG_SX_READ || mg_op(s->g, s->op)->operands[x->operand] != s->value || !s->ok)
        return;
    MgIxTable *t = s->g->module->ix;
    const MgAxisCut *cut = s->cut;
    MgIxRanges ranges = mg_piece_ranges(s->piece, s->context->scratch);
    s->ok = x->args[cut->axis]->kind == MG_SX_IX;
    if (!s->ok)
        return;
    MgIx at = x->args[cut->axis]->ix, size = mg_value(s->g, s->value)->shape[cut->axis];
    MgIx outer = mg_ix_div(t, at, cut->inner), inner = mg_ix_mod(t, at, cut->inner);
    s->ok = mg_inside(t, at, size, &ranges, NULL, 0) == MG_PROVED &&
            mg_inside(t, outer, cut->outer, &ranges, NULL, 0) == MG_PROVED &&
            mg_inside(t, inner, cut->inner, &ranges, NULL, 0) == MG_PROVED;
}

bool mg_split_may_cut(MgSplit *s, MgValueId v, const MgAxisCut *cut) {
    MgGraph *g = s->g;
    s->value = v;
    s->cut = cut;
    s->ok = !s->pinned[v] && !s->of_value[v].is && mg_value(g, v)->rank < MG_SPLIT_MOST;
    for (uint32_t i = s->readers.first[v]; i < s->readers.first[v + 1] && s->ok; i++) {
        MgOpId id = s->readers.ops[i];
        const MgOp *op = mg_op(g, id);
        for (uint32_t p = 0; op->kind == MG_OP_EQUATION && p < op->equation->n_pieces; p++) {
            s->op = id;
            s->piece = &op->equation->pieces[p];
            mg_sx_walk(s->piece->expr, check_certain, s);
            for (uint32_t a = 0; a < mg_value(g, op->results[0])->rank; a++)
                mg_sx_walk(s->piece->target[a].sub, check_certain, s);
        }
    }
    return s->ok;
}

// ---------------------------------------------------------------- choosing axes
// Can the op take part? It can if it reads v in place, by an index of its result that walks the
// whole axis, and its own result can be split.
static bool may_follow(MgSplit *s, MgOpId id, MgValueId v, const MgAxisCut *cut) {
    MgGraph *g = s->g;
    MgValueId result = mg_op(g, id)->n_results ? mg_op(g, id)->results[0] : MG_NONE;
    return has_plain_box(s, id) && !s->of_op[id].is && reads_in_place(s, id, v, cut->axis) &&
           cut->axis < mg_value(g, result)->rank &&
           mg_value(g, result)->shape[cut->axis] == mg_value(g, v)->shape[cut->axis] &&
           mg_split_may_cut(s, result, cut);
}

bool mg_split_all_follow(MgSplit *s, MgValueId v, const MgAxisCut *cut) {
    uint32_t begin = s->readers.first[v], end = s->readers.first[v + 1];
    for (uint32_t i = begin; i < end; i++)
        if (!may_follow(s, s->readers.ops[i], v, cut))
            return false;
    return begin < end;
}

static void cut_value(MgSplit *s, MgValueId v, const MgAxisCut *cut) {
    s->of_value[v] = *cut;
    mg_push(s->context->scratch, &s->cuts, v);
}

static void find_seeds(MgSplit *s, MgSplitSeed *seed) {
    for (MgOpId id = 1; id < s->g->ops.len; id++) {
        MgAxisCut cut;
        MgValueId v = mg_op(s->g, id)->n_results ? mg_op(s->g, id)->results[0] : MG_NONE;
        if (v && !s->of_value[v].is && seed(s, id, &cut))
            cut_value(s, v, &cut);
    }
}

static void follow(MgSplit *s) {
    for (uint32_t next = 0; next < s->cuts.len; next++) {
        MgValueId v = s->cuts.at[next];
        MgAxisCut cut = s->of_value[v];
        for (uint32_t i = s->readers.first[v]; i < s->readers.first[v + 1]; i++) {
            MgOpId id = s->readers.ops[i];
            if (mg_op(s->g, id)->kind != MG_OP_EQUATION || !may_follow(s, id, v, &cut))
                continue;
            s->of_op[id] = cut;
            cut_value(s, mg_op(s->g, id)->results[0], &cut);
        }
    }
}

// ---------------------------------------------------------------- splitting

static void split_index(MgGraph *g, MgPiece *p, const MgAxisCut *cut) {
    MgModule *m = g->module;
    MgIxTable *t = m->ix;
    uint32_t n = p->n_indices;
    MgIx *with = MG_NEW_N(m->arena, MgIx, n);
    MgIndex *indices = MG_NEW_N(m->arena, MgIndex, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        with[i] = mg_ix_idx(t, i + (i > cut->axis));
        indices[i + (i > cut->axis)] = p->indices[i];
    }
    with[cut->axis] = mg_ix_add(t, mg_ix_mul(t, cut->inner, mg_ix_idx(t, cut->axis)),
                                mg_ix_idx(t, cut->axis + 1));
    MgIx zero = mg_ix_const(t, 0);
    indices[cut->axis] = (MgIndex){mg_unused_index(g, p, cut->names[0]), zero, cut->outer};
    indices[cut->axis + 1] = (MgIndex){mg_unused_index(g, p, cut->names[1]), zero, cut->inner};
    p->expr = mg_sx_subst_indices(m, p->expr, with, n);
    p->indices = indices;
    p->n_free++;
    p->n_indices++;
}

// Gives the value the new axes. The op writes them as plain subscripts.
static void split_value(MgGraph *g, MgOpId id, const MgAxisCut *cut) {
    MgModule *m = g->module;
    MgValue *v = mg_value(g, mg_op(g, id)->results[0]);
    MgIx *shape = MG_NEW_N(m->arena, MgIx, v->rank + 1);
    MgTarget *target = MG_NEW_N(m->arena, MgTarget, v->rank + 1);
    MgPiece *p = &mg_op(g, id)->equation->pieces[0];
    uint32_t index = 0; // the next index of the box
    for (uint32_t a = 0, to = 0; a < v->rank; a++) {
        const MgTarget *old = &p->target[a];
        bool is_cut = a == cut->axis;
        for (uint32_t part = 0; part < 1u + is_cut; part++, to++) {
            shape[to] = !is_cut ? v->shape[a] : part ? cut->inner : cut->outer;
            if (old->n_tuple && !is_cut)
                target[to] = *old;
            else
                target[to].sub = mg_sx_ix(m, MG_I64, mg_ix_idx(m->ix, index));
            index += old->n_tuple && !is_cut ? old->n_tuple : 1;
        }
    }
    v->shape = shape;
    v->rank++;
    p->target = target;
}

static const MgSx *rewrite_read(void *ctx, const MgSx *x) {
    MgSplit *s = ctx;
    MgModule *m = s->g->module;
    MgIxTable *t = m->ix;
    if (x->kind != MG_SX_READ)
        return x;
    const MgAxisCut *cut = &s->of_value[mg_op(s->g, s->op)->operands[x->operand]];
    if (!cut->is)
        return x;
    const MgSx *subs[64];
    for (uint32_t i = 0; i < x->n_args; i++)
        subs[i + (i > cut->axis)] = x->args[i];
    MgIx at = x->args[cut->axis]->ix;
    MgIx outer = mg_ix_narrow(t, mg_ix_div(t, at, cut->inner), &s->ranges);
    MgIx inner = mg_ix_narrow(t, mg_ix_mod(t, at, cut->inner), &s->ranges);
    const MgAxisCut *own = &s->of_op[s->op];
    MgIx k = mg_ix_idx(t, own->axis), next = mg_ix_idx(t, own->axis + 1);
    if (own->is && own->inner == cut->inner &&
        at == mg_ix_add(t, mg_ix_mul(t, cut->inner, k), next)) {
        outer = k;
        inner = next;
    }
    subs[cut->axis] = mg_sx_ix(m, MG_I64, outer);
    subs[cut->axis + 1] = mg_sx_ix(m, MG_I64, inner);
    return mg_sx_read(m, x->operand, x->dtype, subs, x->n_args + 1, x->bounds, x->otherwise);
}

static void split_op(MgSplit *s, MgOpId id) {
    MgGraph *g = s->g;
    const MgOp *op = mg_op(g, id);
    s->op = id;
    for (uint32_t i = 0; i < op->equation->n_pieces; i++) {
        MgPiece *p = &op->equation->pieces[i];
        if (s->of_op[id].is)
            split_index(g, p, &s->of_op[id]);
        s->ranges = mg_piece_ranges(p, s->context->scratch);
        p->expr = mg_sx_rewrite(g->module, p->expr, rewrite_read, s);
        for (uint32_t a = 0; a < mg_value(g, op->results[0])->rank; a++)
            p->target[a].sub = mg_sx_rewrite(g->module, p->target[a].sub, rewrite_read, s);
    }
    if (s->of_value[op->results[0]].is)
        split_value(g, id, &s->of_value[op->results[0]]);
}

// Splits one axis of each value that has an axis to split.
static bool split_once(MgGraph *g, MgPassContext *context, MgSplitSeed *seed, bool reductions) {
    uint32_t n_outputs = g->outputs.len, n_values = g->values.len; // each output may get a view
    MgSplit s = {.g = g,
                 .context = context,
                 .reductions = reductions,
                 .readers = mg_readers(g, context->scratch),
                 .pinned = MG_NEW_N(context->scratch, bool, n_values),
                 .of_value = MG_NEW_N(context->scratch, MgAxisCut, n_values + n_outputs),
                 .of_op = MG_NEW_N(context->scratch, MgAxisCut, g->ops.len + n_outputs)};
    mg_pin_operands(g, s.pinned);
    find_seeds(&s, seed);
    if (!s.cuts.len)
        return false;
    follow(&s);
    for (MgValueId v = 1; v < n_values; v++)
        if (s.of_value[v].is)
            mg_output_apart(g, v);
    for (MgOpId id = 1; id < g->ops.len; id++)
        if (mg_op(g, id)->kind == MG_OP_EQUATION)
            split_op(&s, id);
    return true;
}

bool mg_split_axes(MgGraph *g, MgPassContext *context, MgSplitSeed *seed, bool reductions) {
    bool changed = false;
    while (split_once(g, context, seed, reductions))
        changed = true;
    return changed;
}
