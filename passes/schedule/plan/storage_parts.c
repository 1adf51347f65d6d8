// Makes the parts of a concatenation in their place.
//
// A piece of an equation that only copies a value, which nothing else reads, needs no kernel if the
// value is made where the piece would put it. Rows of the value then lie as far apart as those of
// the whole, so what writes it computes addresses by that distance (mg_address). Views between the
// value and the piece have the same bytes, and the value may be what a fused op yields.
//
// This is done for GPUs, where each copy is a launch and passes through memory twice. On a CPU
// workers make rows of values in memory of their own.
#include "passes/schedule/schedule.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

enum {
    PART_BYTES = 64, // parts begin at multiples of it: a line of the caches, or half of one
    STEP_BYTES = 16  // rows do: vectors stay whole
};

typedef struct Parts {
    MgSched *s;
    const uint32_t *uses;
    bool *varies; // by value id: it depends on an input
} Parts;

typedef struct Part { // of a whole, in bytes
    MgIx row;         // elements of a row of the part
    int64_t step, shift;
} Part;

// The value that the piece copies, and where to; MG_NONE if it does anything else. Both differ in
// the size of one axis at most.
static MgValueId copied(MgSched *s, const MgOp *op, const MgPiece *p, Part *part) {
    MgIxTable *t = s->ix;
    MgIx subs[64];
    const MgValue *whole = mg_value(s->g, op->results[0]);
    const MgSx *x = mg_sx_unrounded(p->expr, whole->dtype);
    if (x->kind != MG_SX_READ || x->bounds != MG_BOUNDS_PROVED || mg_piece_reduces(p) ||
        p->scatter || x->n_args != whole->rank || !mg_read_subs(x, subs))
        return MG_NONE;
    MgValueId v = op->operands[x->operand];
    const MgValue *from = mg_value(s->g, v);
    MgIx points = mg_ix_const(t, 1);
    for (uint32_t i = 0; i < p->n_indices; i++)
        points = mg_ix_mul(t, points, mg_ix_sub(t, p->indices[i].high, p->indices[i].low));
    if (from->dtype != whole->dtype || points != mg_ix_product(t, from->shape, from->rank))
        return MG_NONE;
    uint32_t axis = whole->rank;
    for (uint32_t i = 0; i < whole->rank; i++) {
        if (p->target[i].n_tuple || p->target[i].sub->kind != MG_SX_IX)
            return MG_NONE;
        if (subs[i] == p->target[i].sub->ix && from->shape[i] == whole->shape[i])
            continue;
        if (axis < whole->rank)
            return MG_NONE;
        axis = i;
    }
    if (axis == whole->rank)
        return MG_NONE;
    MgIx inner = mg_ix_product(t, whole->shape + axis + 1, whole->rank - axis - 1);
    MgIx low = mg_ix_sub(t, p->target[axis].sub->ix, subs[axis]);
    MgIx size = mg_ix_const(t, (int64_t)mg_dtype_size(whole->dtype));
    MgIx shift = mg_ix_mul(t, mg_ix_mul(t, low, inner), size);
    MgIx step = mg_ix_mul(t, mg_ix_mul(t, whole->shape[axis], inner), size);
    part->row = mg_ix_mul(t, from->shape[axis], inner);
    bool known = mg_ix_is_const(t, shift, &part->shift) && mg_ix_is_const(t, step, &part->step);
    return known && part->shift % PART_BYTES == 0 && part->step % STEP_BYTES == 0 ? v : MG_NONE;
}

// The number of axes of v in front of those that make up a row; UINT32_MAX if none do.
static uint32_t axes_before(MgSched *s, MgValueId v, MgIx row) {
    const MgValue *value = mg_value(s->g, v);
    for (uint32_t i = 0; i < value->rank; i++)
        if (mg_ix_product(s->ix, value->shape + i, value->rank - i) == row)
            return i;
    return UINT32_MAX;
}

// Does op write each element of its only result by its address, in one box?
static bool writes_a_box(const MgOp *op) {
    const MgPiece *p = mg_only_piece(op);
    return p && !op->equation->has_base && !p->scatter;
}

// The value that is made and then viewed as v, in this region, with no other reader on the way;
// MG_NONE if there is none. `inside`: what the fused op that makes it yields, if one does.
static MgValueId made(Parts *parts, MgRegionId region, MgValueId v, MgValueId *inside) {
    MgSched *s = parts->s;
    MgGraph *g = s->g;
    const uint32_t *uses = parts->uses;
    for (;;) {
        MgOpId id = mg_value(g, v)->def;
        const MgOp *op = id ? mg_op(g, id) : NULL;
        if (!op || op->region != region || uses[v] != 1 || s->storage_of[v])
            return MG_NONE;
        if (op->kind == MG_OP_FUSED) {
            *inside = mg_yield_of(g, op->regions[0])->operands[mg_value(g, v)->result];
            MgOpId def = mg_value(g, *inside)->def;
            return def && mg_op(g, def)->region == op->regions[0] && uses[*inside] == 1 &&
                           !s->storage_of[*inside] && writes_a_box(mg_op(g, def))
                       ? v
                       : MG_NONE;
        }
        if (!writes_a_box(op))
            return MG_NONE;
        if (!op->n_operands || !mg_traits(g, id).view)
            return v;
        v = op->operands[0];
    }
}

static void put(MgSched *s, MgValueId v, MgStorageId id, uint32_t axes, MgIx step) {
    s->storage_of[v] = id;
    s->draft->placing.because[v] = "in its place in a whole";
    s->placed[v] = (MgInWhole){true, axes, step};
}

// How often the equation's pieces read each of its operands. A value that two pieces copy is in the
// place of neither.
static const uint32_t *count_reads(MgSched *s, MgOpId id) {
    const MgOp *op = mg_op(s->g, id);
    uint32_t *reads = MG_NEW_N(s->arena, uint32_t, op->n_operands + 1);
    for (uint32_t i = 0; i < op->equation->n_pieces; i++) {
        MgAccesses all = mg_reads(s, id, op->equation->pieces[i].expr);
        for (uint32_t r = 0; r < all.n; r++)
            reads[all.at[r].read->operand]++;
    }
    return reads;
}

static void place(Parts *parts, MgOpId id, const MgPiece *p, const uint32_t *reads) {
    MgSched *s = parts->s;
    const MgOp *op = mg_op(s->g, id);
    MgValueId whole = op->results[0], inside = MG_NONE;
    Part part;
    MgValueId v = copied(s, op, p, &part);
    if (!v || reads[mg_sx_unrounded(p->expr, mg_value(s->g, whole)->dtype)->operand] != 1)
        return;
    MgValueId from = made(parts, op->region, v, &inside);
    if (from && !parts->varies[from])
        return;
    uint32_t axes = from ? axes_before(s, from, part.row) : UINT32_MAX;
    if (axes == UINT32_MAX)
        return;
    if (!s->storage_of[whole]) {
        s->storage_of[whole] = mg_storage_new(s, MG_PLAN_ARENA, mg_bytes_bound(s, whole), whole);
        s->draft->placing.because[whole] = "its own bytes";
    }
    MgStorage st = s->draft->storages.at[s->storage_of[whole]];
    st.part_of = s->storage_of[whole];
    st.shift = num(s->p->plan, part.shift);
    st.value = from;
    mg_push(s->arena, &s->draft->storages, st);
    MgStorageId own = s->draft->storages.len - 1;
    MgIx step = mg_ix_const(s->ix, part.step / (int64_t)mg_dtype_size(mg_value(s->g, v)->dtype));
    for (MgValueId w = v;; w = mg_op(s->g, mg_value(s->g, w)->def)->operands[0]) {
        put(s, w, own, axes, step);
        if (w == from)
            break;
    }
    if (inside)
        put(s, inside, own, axes, step);
}

// Whatever does not vary is made once, in bytes of its own.
static void look_at(Parts *parts, MgOpId id) {
    MgSched *s = parts->s;
    const MgOp *op = mg_op(s->g, id);
    bool equation = op->kind == MG_OP_EQUATION;
    bool varies = !equation && op->kind != MG_OP_PARAM && op->kind != MG_OP_CONST;
    for (uint32_t i = 0; i < op->n_operands; i++)
        varies |= parts->varies[op->operands[i]];
    for (uint32_t i = 0; i < op->n_results; i++)
        parts->varies[op->results[i]] = varies;
    if (equation && varies && op->equation->n_pieces > 1 && !op->equation->has_base &&
        !s->storage_of[op->results[0]]) {
        const uint32_t *reads = count_reads(s, id);
        for (uint32_t i = 0; i < op->equation->n_pieces; i++)
            place(parts, id, &op->equation->pieces[i], reads);
    }
}

static void look_at_region(Parts *parts, MgRegionId id) {
    MgGraph *g = parts->s->g;
    const MgRegion *r = mg_region(g, id);
    for (uint32_t i = 0; i < r->params.len; i++)
        parts->varies[r->params.at[i]] = true;
    for (uint32_t i = 0; i < r->ops.len; i++) {
        const MgOp *op = mg_op(g, r->ops.at[i]);
        for (uint32_t k = 0; k < op->n_regions && op->kind != MG_OP_FUSED; k++)
            look_at_region(parts, op->regions[k]);
        look_at(parts, r->ops.at[i]);
    }
}

void mg_storage_parts(MgSched *s) {
    MgGraph *g = s->g;
    Parts parts = {s, mg_use_counts(g, s->arena), MG_NEW_N(s->arena, bool, g->values.len)};
    for (uint32_t i = 0; i < g->inputs.len; i++)
        parts.varies[g->inputs.at[i].value] = true;
    look_at_region(&parts, 0);
}

bool mg_is_in_place(MgSched *s, MgOpId id, const MgPiece *p) {
    const MgOp *op = mg_op(s->g, id);
    const MgSx *x = mg_sx_unrounded(p->expr, mg_value(s->g, op->results[0])->dtype);
    MgValueId v = x->kind == MG_SX_READ ? op->operands[x->operand] : MG_NONE;
    return v && s->placed[v].in &&
           s->draft->storages.at[s->storage_of[v]].part_of == s->storage_of[op->results[0]];
}
