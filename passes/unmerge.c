// unmerge: an index of a sum of products that walks two axes of an operand at once, because a view
// has merged them, becomes an index for each, in the sum, its result, and what follows it.
//
//   l[(b, s, c)] = x[b, s, c]                  becomes     z[b, s, n] = sum[c] x[b, s, c] * w[n, c]
//   z[i, n] = sum[c] l[C*i + c] * w[n, c]                  y[b, s, n] = max(z[b, s, n], 0)
//   y[b, s, n] = max(z[S*b + s, n], 0)
//
// Other frameworks multiply matrices of two dimensions, and batches of them of three. Around each
// product they merge axes and part them again, and all that is between has boxes of its own: the
// operand is copied if it lies otherwise, and what follows can't share the product's kernel.
//
// Needs: inline before it, which brings views into their readers, and after it, for the moves that
// are plain then. Keeps every bit. Ends: an index that walks one axis stays.
#include "passes/split_axes.h"

typedef struct Walked {
    MgSplit *s;
    MgOpId op;
    uint32_t index;
    MgAxisCut *cut;
} Walked;

// The move that makes a line of all elements of a value, in order, or NULL.
static const MgPiece *line_of(MgSplit *s, MgValueId v) {
    const MgPiece *p = mg_only_piece(mg_def(s->g, v));
    if (!p)
        return NULL;
    bool whole = mg_value(s->g, v)->rank == 1 && p->target[0].n_tuple == p->n_indices &&
                 p->expr->kind == MG_SX_READ;
    for (uint32_t i = 0; whole && i < p->n_indices; i++)
        whole = p->target[0].tuple[i] == i;
    return whole ? p : NULL;
}

// Does the index walk axes p..q of the line, of which there are several, over their whole size?
static bool find_axes(Walked *w, const MgPiece *line, MgIx step, MgIx extent) {
    MgIxTable *t = w->s->g->module->ix;
    MgIx stride = mg_ix_const(t, 1), inner = mg_ix_const(t, 1);
    bool inside = false;
    for (uint32_t i = line->n_indices; i-- > 0;) {
        MgIx size = line->indices[i].high;
        inside |= stride == step;
        if (inside && inner != mg_ix_const(t, 1) && mg_ix_mul(t, inner, size) == extent &&
            size != mg_ix_const(t, 1)) {
            *w->cut = (MgAxisCut){
                true, w->index, size, inner, {line->indices[i].name, line->indices[i + 1].name}};
            return true;
        }
        inner = inside ? mg_ix_mul(t, inner, size) : inner;
        stride = mg_ix_mul(t, stride, size);
    }
    return false;
}

static void look(void *ctx, const MgSx *x) {
    Walked *w = ctx;
    MgIxTable *t = w->s->g->module->ix;
    const MgOp *op = mg_op(w->s->g, w->op);
    MgIx step, rest;
    if (w->cut->is || x->kind != MG_SX_READ || x->n_args != 1 || x->args[0]->kind != MG_SX_IX ||
        x->bounds != MG_BOUNDS_PROVED)
        return;
    const MgPiece *line = line_of(w->s, op->operands[x->operand]);
    if (line && mg_ix_linear(t, x->args[0]->ix, mg_ix_index(t, w->index), &step, &rest))
        find_axes(w, line, step, op->equation->pieces[0].indices[w->index].high);
}

static bool begins(MgSplit *s, MgOpId id, MgAxisCut *cut) {
    const MgOp *op = mg_op(s->g, id);
    *cut = (MgAxisCut){0};
    const MgPiece *p = mg_only_piece(op);
    if (!p || op->equation->has_base || !mg_piece_sums_products(p) ||
        !mg_piece_is_plain(s->g, p, op->results[0]) || mg_piece_is_scanned(s->g->module, p) ||
        p->n_indices >= MG_SPLIT_MOST)
        return false;
    Walked w = {s, id, 0, cut};
    for (; w.index < p->n_free && !cut->is; w.index++)
        mg_sx_walk(p->expr, look, &w);
    if (!cut->is || s->of_op[id].is || !mg_split_may_cut(s, op->results[0], cut) ||
        !mg_pass_may(s->context, id))
        return false;
    s->of_op[id] = *cut;
    return true;
}

bool mg_pass_unmerge(MgGraph *g, MgPassContext *context) {
    return mg_split_axes(g, context, begins, true);
}
