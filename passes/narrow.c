// narrow: stores a float in the narrower type to which every read of it rounds, or to which its
// own equation has rounded it.
//
//   h[i, j]: f32 = …                     becomes   h[i, j]: bf16 = …
//   y[i, k] = sum[j] f32(bf16(h[i, j])) * w[j, k]
//
// Mixed precision rounds at each use. A rounded value takes half the bytes, and the units that
// multiply matrices copy it as it lies. For these, a GPU also stores a rounded copy beside a value
// that something else reads as it is: fuse makes one kernel of both. Sums of columns, such as
// gradients of biases, read that copy, too.
//
// Needs: nothing; after inline, which moves conversions to the reads. Keeps every bit: the reads
// still round, as a kernel may keep the value in a register of the wider type. Shapes stay; the
// types of values that are seen from outside stay, too: inputs, outputs, gradients, what loops
// carry, bases of scatters and operands of builtins. Ends: it is one walk over the ops, and one
// over the reads.
#include "ir/equation.h"
#include "passes/local.h"

typedef struct Narrow {
    MgGraph *g;
    bool *pinned;     // by value: its type stays
    const MgOp *op;   // whose reads are looked at
    MgDType *to;      // by value: the type to which the reads so far round; its own if one does not
    bool *is_read;    // by value
    MgDType *rounded; // by value: the type to which its own equation rounds it; its own if none
} Narrow;

static void note_read(Narrow *n, const MgSx *read, MgDType to) {
    MgValueId v = n->op->operands[read->operand];
    if (n->is_read[v] && n->to[v] != to)
        to = mg_value(n->g, v)->dtype;
    n->is_read[v] = true;
    n->to[v] = to;
}

static bool rounds(const MgSx *x) {
    return x->kind == MG_SX_PRIM && x->prim == MG_PRIM_CAST && mg_is_float(x->dtype);
}

// Notes the reads among the operands of a node.
static void note_operands(void *ctx, const MgSx *x) {
    Narrow *n = ctx;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (x->args[i]->kind == MG_SX_READ)
            note_read(n, x->args[i], rounds(x) ? x->dtype : x->args[i]->dtype);
    if (x->otherwise && x->otherwise->kind == MG_SX_READ)
        note_read(n, x->otherwise, x->otherwise->dtype);
}

// stored: the type in which the value of the expression is stored.
static void note_expression(Narrow *n, const MgSx *x, MgDType stored) {
    if (x->kind == MG_SX_READ)
        note_read(n, x, mg_is_float(stored) ? stored : x->dtype);
    mg_sx_walk(x, note_operands, n);
}

static void note_reads(Narrow *n, MgOpId id) {
    n->op = mg_op(n->g, id);
    if (n->op->kind != MG_OP_EQUATION)
        return;
    const MgValue *v = mg_value(n->g, n->op->results[0]);
    for (uint32_t i = 0; i < n->op->equation->n_pieces; i++) {
        const MgPiece *p = &n->op->equation->pieces[i];
        bool moves = p->reducer == MG_REDUCE_NONE && !n->pinned[n->op->results[0]];
        note_expression(n, p->expr, moves ? v->dtype : p->expr->dtype);
        for (uint32_t d = 0; d < v->rank; d++)
            note_expression(n, p->target[d].sub, MG_I64);
    }
}

// The type to which a piece of an equation rounds its result: it does so itself, or it moves
// elements of a value that is rounded.
static MgDType type_of_piece(const Narrow *n, const MgOp *op, const MgPiece *p, MgDType own) {
    const MgSx *x = p->expr;
    if (p->reducer != MG_REDUCE_NONE)
        return own;
    if (x->kind == MG_SX_READ && x->bounds == MG_BOUNDS_PROVED)
        return n->rounded[op->operands[x->operand]];
    return rounds(x) && rounds(x->args[0]) ? x->args[0]->dtype : own;
}

// The type to which every piece of an equation rounds its result; the result's own if there is
// none.
static MgDType type_of_results(const Narrow *n, const MgOp *op) {
    MgDType own = mg_value(n->g, op->results[0])->dtype, to = own;
    for (uint32_t i = 0; i < op->equation->n_pieces; i++) {
        MgDType type = type_of_piece(n, op, &op->equation->pieces[i], own);
        if (i && type != to)
            return own;
        to = type;
    }
    return to;
}

// From the first op to the last, so that a chain of moves takes one walk.
static void find_rounded(Narrow *n, MgRegionId r) {
    for (uint32_t i = 0; i < mg_region(n->g, r)->ops.len; i++) {
        const MgOp *op = mg_op(n->g, mg_region(n->g, r)->ops.at[i]);
        for (uint32_t k = 0; k < op->n_regions; k++)
            find_rounded(n, op->regions[k]);
        if (op->kind == MG_OP_EQUATION && !op->equation->has_base)
            n->rounded[op->results[0]] = type_of_results(n, op);
    }
}

// Is it a narrower float that is computed as `from` is? A type in which nothing is computed rounds
// when it is stored, which a narrower one must not skip.
static bool is_narrower(MgDType from, MgDType to) {
    return mg_is_float(from) && mg_dtype(from)->compute == from &&
           mg_dtype(to)->bits < mg_dtype(from)->bits && mg_dtype(to)->compute == from;
}

// Gives the result of an equation, whose reads all are noted, the narrowest type that they allow.
static bool narrow_result(Narrow *n, MgPassContext *context, MgOpId id) {
    const MgOp *op = mg_op(n->g, id);
    MgValueId v = op->kind == MG_OP_EQUATION ? op->results[0] : MG_NONE;
    if (!v || n->pinned[v] || !n->is_read[v] || op->equation->has_base)
        return false;
    MgDType from = mg_value(n->g, v)->dtype, to = n->to[v];
    to = is_narrower(from, to) ? to : n->rounded[v];
    if (!is_narrower(from, to) || !mg_pass_may(context, id))
        return false;
    mg_value(n->g, v)->dtype = to;
    return true;
}

// From the last op to the first: what a value is copied to has its type before the value's reads
// are judged, so chains of copies take one walk.
static bool narrow_region(Narrow *n, MgPassContext *context, MgRegionId r) {
    bool changed = false;
    for (uint32_t i = mg_region(n->g, r)->ops.len; i-- > 0;) {
        MgOpId id = mg_region(n->g, r)->ops.at[i];
        for (uint32_t k = 0; k < mg_op(n->g, id)->n_regions; k++)
            changed |= narrow_region(n, context, mg_op(n->g, id)->regions[k]);
        changed |= narrow_result(n, context, id);
        note_reads(n, id);
    }
    return changed;
}

// ---------------------------------------------------------------- copies

typedef struct Copies {
    MgValueId *of; // by value: its copy, or MG_NONE
    MgDType *to;   // by value: the type of its copy
    bool *may;     // by value: it is computed here, or a parameter
    uint32_t n;    // the number of values
} Copies;

// May the value have a copy in the type?
static bool may_copy(const MgLocal *local, const Copies *c, MgValueId v, MgDType to) {
    return v < c->n && c->may[v] && is_narrower(mg_value(local->g, v)->dtype, to) &&
           (!c->of[v] || c->to[v] == to);
}

static MgValueId value_of(const MgLocal *local, const MgSx *read) {
    return mg_op(local->g, local->op)->operands[read->operand];
}

static const MgSx *read_of_copy(MgLocal *local, const MgSx *x, MgValueId copy) {
    const MgSx *read = mg_local_read(local, copy, x->args[0]);
    return mg_sx_prim(local->m, MG_PRIM_CAST, x->dtype, &read, 1);
}

// A factor of a product of matrices that rounds what it reads: an MgLocalFn.
static const MgSx *copy_factor(MgLocal *local, const MgSx *x) {
    Copies *c = local->ctx;
    if (!rounds(x) || !mg_is_plain_read(x->args[0]))
        return x;
    MgValueId v = value_of(local, x->args[0]);
    if (!may_copy(local, c, v, x->dtype) ||
        mg_piece_contraction(local->m, local->piece) != MG_CONTRACTS_MATRICES ||
        !mg_local_may(local))
        return x;
    if (!c->of[v])
        c->of[v] = mg_copy_behind(local->g, v, mg_dtype(x->dtype)->name, x->dtype);
    c->to[v] = x->dtype;
    return read_of_copy(local, x, c->of[v]);
}

// Does the current piece sum over positions that lie apart in memory? A sum along a row may be part
// of the kernel that computes the row.
static bool sums_columns(const MgLocal *local, const MgSx *read) {
    const MgPiece *p = local->piece;
    const MgSx *last = read->n_args ? read->args[read->n_args - 1] : NULL;
    bool free = false;
    for (uint32_t i = 0; last && last->kind == MG_SX_IX && i < p->n_free; i++)
        free |= last->ix == mg_ix_idx(local->m->ix, i);
    return mg_piece_reduces(p) && free;
}

// What a sum of columns rounds, if there is a copy: an MgLocalFn.
static const MgSx *read_copy(MgLocal *local, const MgSx *x) {
    Copies *c = local->ctx;
    if (!rounds(x) || !mg_is_plain_read(x->args[0]))
        return x;
    MgValueId v = value_of(local, x->args[0]);
    return v < c->n && c->of[v] && c->to[v] == x->dtype && sums_columns(local, x->args[0]) &&
                   mg_local_may(local)
               ? read_of_copy(local, x, c->of[v])
               : x;
}

static bool make_copies(MgGraph *g, MgPassContext *context) {
    Copies c = {.of = MG_NEW_N(context->scratch, MgValueId, g->values.len),
                .to = MG_NEW_N(context->scratch, MgDType, g->values.len),
                .may = MG_NEW_N(context->scratch, bool, g->values.len),
                .n = g->values.len};
    for (MgOpId id = 1; id < g->ops.len; id++) {
        const MgOp *op = mg_op(g, id);
        if (op->kind == MG_OP_PARAM || (op->kind == MG_OP_EQUATION && !mg_traits(g, id).view))
            c.may[op->results[0]] = true;
    }
    for (uint32_t i = 0; i < g->inputs.len; i++) // a parameter that is updated is an input
        c.may[g->inputs.at[i].value] = g->inputs.at[i].key != 0;
    bool made = mg_each_expression(g, context, copy_factor, &c);
    return mg_each_expression(g, context, read_copy, &c) || made;
}

bool mg_pass_narrow(MgGraph *g, MgPassContext *context) {
    Narrow n = {.g = g,
                .pinned = MG_NEW_N(context->scratch, bool, g->values.len),
                .to = MG_NEW_N(context->scratch, MgDType, g->values.len),
                .is_read = MG_NEW_N(context->scratch, bool, g->values.len),
                .rounded = MG_NEW_N(context->scratch, MgDType, g->values.len)};
    mg_pin_shapes(g, n.pinned);
    for (uint32_t i = 0; i < g->gradients.len; i++)
        n.pinned[g->gradients.at[i].value] = true;
    for (MgValueId v = 1; v < g->values.len; v++)
        n.rounded[v] = mg_value(g, v)->dtype;
    find_rounded(&n, 0);
    bool changed = narrow_region(&n, context, 0);
    return (context->gpu && make_copies(g, context)) || changed;
}
