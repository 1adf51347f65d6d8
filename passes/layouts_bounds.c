// The second half of layouts: reorders the bound indices of sums of products to follow the operands
// in memory, so that the flattened bound index walks contiguous elements. This reorders sums, so
// --strict disables it.
#include "passes/layouts.h"
#include "passes/merge.h"

typedef struct Bounds {
    MgLayouts *l;
    const MgOp *op;
    const MgPiece *piece;
    int64_t most;                 // elements of the largest operand so far
    uint32_t n;                   // number of its bound indices ...
    uint32_t seq[MG_LAYOUT_AXES]; // ... in the order of the axes, outermost first
    bool innermost;               // its last axis moves by one with the last of these
} Bounds;

static void look_at(void *ctx, const MgSx *x) {
    Bounds *b = ctx;
    MgGraph *g = b->l->g;
    MgIxTable *t = g->module->ix;
    if (x->kind != MG_SX_READ || x->n_args > MG_LAYOUT_AXES)
        return;
    MgValueId v = b->op->operands[x->operand];
    int64_t elements = mg_ix_likely(t, mg_value_elements(g, v));
    if (mg_merge_never_changes(g, v) || elements <= b->most)
        return;
    b->most = elements;
    b->n = 0;
    b->innermost = false;
    for (uint32_t i = 0; i < x->n_args; i++) {
        if (x->args[i]->kind != MG_SX_IX || mg_layout_is_unit(b->l, v, i))
            continue;
        b->innermost = false;
        for (uint32_t k = b->piece->n_free; k < b->piece->n_indices; k++) {
            MgIx by, rest;
            if (!mg_ix_mentions(t, x->args[i]->ix, mg_ix_index(t, k)) || b->n == MG_LAYOUT_AXES)
                continue;
            b->seq[b->n++] = k;
            b->innermost = mg_ix_linear(t, x->args[i]->ix, mg_ix_index(t, k), &by, &rest) &&
                           by == mg_ix_const(t, 1) && rest == mg_ix_const(t, 0);
        }
    }
}

static bool is_distinct(const Bounds *b) {
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (b->seq[k] == b->seq[i])
                return false;
    return true;
}

// Indices missing from the sequence stay in front of it.
static void reorder(MgLayouts *l, MgPiece *p, const Bounds *b) {
    MgModule *m = l->g->module;
    MgIx *with = MG_NEW_N(m->arena, MgIx, p->n_indices);
    MgIndex *indices = mg_arena_copy(m->arena, p->indices, p->n_indices, sizeof *indices);
    uint32_t at = p->n_free;
    for (uint32_t i = 0; i < p->n_free; i++)
        with[i] = mg_ix_idx(m->ix, i);
    for (uint32_t i = p->n_free; i < p->n_indices; i++) {
        bool in = false;
        for (uint32_t k = 0; k < b->n; k++)
            in |= b->seq[k] == i;
        if (in)
            continue;
        indices[at] = p->indices[i];
        with[i] = mg_ix_idx(m->ix, at++);
    }
    for (uint32_t k = 0; k < b->n; k++) {
        indices[at] = p->indices[b->seq[k]];
        with[b->seq[k]] = mg_ix_idx(m->ix, at++);
    }
    p->expr = mg_sx_subst_indices(m, p->expr, with, p->n_indices);
    p->indices = indices;
}

static bool follow(MgLayouts *l, MgOpId id) {
    MgOp *op = mg_op(l->g, id);
    const MgPiece *p = &op->equation->pieces[0];
    Bounds b = {.l = l, .op = op, .piece = p};
    if (p->n_indices < p->n_free + 2 || p->n_indices > MG_LAYOUT_INDICES || p->scatter ||
        mg_piece_is_scanned(l->g->module, p))
        return false;
    mg_sx_walk(p->expr, look_at, &b);
    if (b.n < 2 || !b.innermost || b.seq[b.n - 1] == p->n_indices - 1 || !is_distinct(&b) ||
        !mg_pass_may(l->context, id))
        return false;
    MgModule *m = l->g->module;
    op->equation = mg_arena_copy(m->arena, op->equation, 1, sizeof *op->equation);
    op->equation->pieces = mg_arena_copy(m->arena, op->equation->pieces, 1, sizeof *p);
    reorder(l, &op->equation->pieces[0], &b);
    return true;
}

bool mg_layout_bounds(MgLayouts *l) {
    bool changed = false;
    for (MgOpId id = 1; id < l->g->ops.len && !l->context->strict; id++)
        if (mg_layout_is_contraction(l, id))
            changed |= follow(l, id);
    return changed;
}
