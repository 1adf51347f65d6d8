// squeeze: removes axes of size 1 from values inside the graph.
//
// Needs: nothing; it runs before fuse, because an axis of one point (a convolution with one group,
// a reduction that keeps its axis) prevents equations over the same elements from sharing a box. An
// output computed from values that lost an axis becomes a view of a value without that axis. Keeps:
// shapes that are seen from outside: those of values that regions yield or carry, bases of
// scatters, and operands of builtins. Ends: each axis is removed once.
#include "passes/rewrite.h"

typedef struct Squeeze {
    MgGraph *g;
    bool *pinned;      // by value id: its shape stays
    bool *is_output;   // by value id
    uint64_t *guarded; // by value id: axes along which a read may be outside
    bool **dropped;    // by value id: axes to remove; NULL: none
    const MgOp *op;    // the op whose reads are rewritten
} Squeeze;

// Does the piece have a point along the axis? An empty piece would gain a point without its index.
static bool has_point(MgIxTable *t, const MgPiece *p, MgIx sub) {
    MgIxSym sym;
    uint32_t i;
    if (!mg_ix_is_sym(t, sub, &sym) || !mg_ix_sym_is_index(t, sym, &i) || i >= p->n_free)
        return true;
    return p->indices[i].high == mg_ix_add(t, p->indices[i].low, mg_ix_const(t, 1));
}

static bool size_one(Squeeze *s, const MgOp *op, uint32_t axis) {
    int64_t n;
    if (!mg_ix_is_const(s->g->module->ix, mg_value(s->g, op->results[0])->shape[axis], &n) ||
        n != 1)
        return false;
    for (uint32_t p = 0; p < op->equation->n_pieces; p++) {
        const MgPiece *piece = &op->equation->pieces[p];
        const MgTarget *t = &piece->target[axis];
        // A write that may fall outside along the axis needs the axis, which decides which elements
        // are dropped.
        if (t->n_tuple || t->sub->kind != MG_SX_IX ||
            !has_point(s->g->module->ix, piece, t->sub->ix) ||
            (piece->scatter && piece->write != MG_BOUNDS_PROVED))
            return false;
    }
    return true;
}

// Removes the axis from the target. An index that was its whole subscript has one point, and is
// removed too.
static void drop_axis(Squeeze *s, MgOpId id, uint32_t axis) {
    MgGraph *g = s->g;
    MgIxTable *t = g->module->ix;
    MgEquation *e = mg_op(g, id)->equation;
    uint32_t rank = mg_value(g, mg_op(g, id)->results[0])->rank;
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        MgPiece *p = &e->pieces[i];
        MgIxSym sym;
        uint32_t position;
        MgIx sub = p->target[axis].sub->ix;
        if (mg_ix_is_sym(t, sub, &sym) && mg_ix_sym_is_index(t, sym, &position) &&
            position < p->n_free)
            mg_drop_index(g, id, p, position, p->indices[position].low);
        memmove(p->target + axis, p->target + axis + 1, (rank - axis - 1) * sizeof *p->target);
    }
    MgValue *v = mg_value(g, mg_op(g, id)->results[0]);
    memmove(v->shape + axis, v->shape + axis + 1, (rank - axis - 1) * sizeof *v->shape);
    v->rank--;
}

static const MgSx *without_axes(void *ctx, const MgSx *x) {
    Squeeze *s = ctx;
    if (x->kind != MG_SX_READ || !s->dropped[s->op->operands[x->operand]])
        return x;
    const bool *dropped = s->dropped[s->op->operands[x->operand]];
    const MgSx *subs[64];
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (!dropped[i])
            subs[n++] = x->args[i];
    return mg_sx_read(s->g->module, x->operand, x->dtype, subs, n, x->bounds, x->otherwise);
}

typedef struct Guard {
    Squeeze *s;
    const MgOp *op;
    const MgPiece *piece;
} Guard;

// Is x 0 at every point of the piece?
static bool always_zero(Guard *guard, MgIx x) {
    MgIxTable *t = guard->s->g->module->ix;
    const MgPiece *p = guard->piece;
    MgIx low[64], high[64];
    if (p->n_indices > 64)
        return false;
    for (uint32_t i = 0; i < p->n_indices; i++) {
        low[i] = p->indices[i].low;
        high[i] = p->indices[i].high;
    }
    MgIxRanges ranges = {low, high, p->n_indices};
    return mg_ix_nonnegative(t, x, &ranges, NULL, 0) == MG_PROVED &&
           mg_ix_nonnegative(t, mg_ix_neg(t, x), &ranges, NULL, 0) == MG_PROVED;
}

// A read that may fall outside along an axis of size 1 needs the axis, unless its subscript there
// is always 0.
static void pin_guarded(void *ctx, const MgSx *x) {
    Guard *guard = ctx;
    if (x->kind != MG_SX_READ || x->bounds == MG_BOUNDS_PROVED)
        return;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (x->args[i]->kind != MG_SX_IX || !always_zero(guard, x->args[i]->ix))
            guard->s->guarded[guard->op->operands[x->operand]] |= (uint64_t)1 << i;
}

static void pin_guarded_reads(Squeeze *s) {
    for (MgOpId id = 1; id < s->g->ops.len; id++) {
        Guard guard = {s, mg_op(s->g, id), NULL};
        for (uint32_t p = 0; guard.op->kind == MG_OP_EQUATION && p < guard.op->equation->n_pieces;
             p++) {
            const MgPiece *piece = &guard.op->equation->pieces[p];
            guard.piece = piece;
            mg_sx_walk(piece->expr, pin_guarded, &guard);
            for (uint32_t a = 0; a < mg_value(s->g, guard.op->results[0])->rank; a++)
                mg_sx_walk(piece->target[a].sub, pin_guarded, &guard);
        }
    }
}

static void rewrite_reads(Squeeze *s, MgOpId id) {
    MgGraph *g = s->g;
    s->op = mg_op(g, id);
    for (uint32_t p = 0; p < s->op->equation->n_pieces; p++) {
        MgPiece *piece = &s->op->equation->pieces[p];
        piece->expr = mg_sx_rewrite(g->module, piece->expr, without_axes, s);
        for (uint32_t a = 0; a < mg_value(g, s->op->results[0])->rank; a++)
            piece->target[a].sub = mg_sx_rewrite(g->module, piece->target[a].sub, without_axes, s);
    }
}

// An output is worth a view if the values it is computed from have fewer axes, squeezed or by
// definition.
static bool reads_fewer_axes(const Squeeze *s, const MgOp *op) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const MgValue *v = mg_value(s->g, op->operands[i]);
        if (v->def && mg_op(s->g, v->def)->kind == MG_OP_EQUATION &&
            v->rank < mg_value(s->g, op->results[0])->rank)
            return true;
    }
    return false;
}

static bool squeeze_op(Squeeze *s, MgPassContext *context, MgOpId id) {
    const MgOp *op = mg_op(s->g, id);
    MgValueId v = op->n_results ? op->results[0] : MG_NONE;
    if (op->kind != MG_OP_EQUATION || s->pinned[v] || op->equation->has_base ||
        (s->is_output[v] && !reads_fewer_axes(s, op)))
        return false;
    for (uint32_t axis = mg_value(s->g, v)->rank; axis-- > 0;) {
        if (s->guarded[v] >> axis & 1 || !size_one(s, mg_op(s->g, id), axis) ||
            !mg_pass_may(context, id))
            continue;
        if (!s->dropped[v]) {
            s->dropped[v] = MG_NEW_N(context->scratch, bool, mg_value(s->g, v)->rank);
            mg_output_apart(s->g, v);
        }
        s->dropped[v][axis] = true;
        drop_axis(s, id, axis);
    }
    return s->dropped[v] != NULL;
}

bool mg_pass_squeeze(MgGraph *g, MgPassContext *context) {
    uint32_t n_values = g->values.len, n_ops = g->ops.len;
    Squeeze s = {.g = g,
                 .pinned = MG_NEW_N(context->scratch, bool, n_values),
                 .is_output = MG_NEW_N(context->scratch, bool, n_values),
                 .guarded = MG_NEW_N(context->scratch, uint64_t, n_values),
                 .dropped = MG_NEW_N(context->scratch, bool *, n_values)};
    mg_pin_operands(g, s.pinned);
    for (uint32_t i = 0; i < g->outputs.len; i++)
        s.is_output[g->outputs.at[i].value] = true;
    pin_guarded_reads(&s);
    bool changed = false;
    for (MgOpId id = 1; id < n_ops; id++)
        changed |= squeeze_op(&s, context, id);
    for (MgOpId id = 1; changed && id < g->ops.len; id++)
        if (mg_op(g, id)->kind == MG_OP_EQUATION)
            rewrite_reads(&s, id);
    return changed;
}
