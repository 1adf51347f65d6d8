// The cost of an equation's storage orders, in extra elements moved: see layouts.h.
//
// A read whose elements are walked in another order than they are stored costs its elements once
// more: it is a transpose, alone or inside a kernel that then can't share its box. A contraction
// packs its operands from runs along any index. The preferences of contractions and windows are
// measured (layouts_kernels.c).
#include "passes/layouts.h"

#include <string.h>

// ---------------------------------------------------------------- indices
static bool has_points(MgLayouts *l, const MgPiece *p, uint32_t i) {
    MgIxTable *t = l->g->module->ix;
    return mg_ix_sub(t, p->indices[i].high, p->indices[i].low) != mg_ix_const(t, 1);
}

uint32_t mg_layout_index_of(MgLayouts *l, const MgPiece *p, const MgSx *sub) {
    MgIxTable *t = l->g->module->ix;
    uint32_t found = MG_LAYOUT_NONE;
    if (sub->kind != MG_SX_IX || p->n_indices > MG_LAYOUT_INDICES)
        return MG_LAYOUT_NONE;
    for (uint32_t i = 0; i < p->n_indices; i++) {
        if (!mg_ix_mentions(t, sub->ix, mg_ix_index(t, i)) || !has_points(l, p, i))
            continue;
        if (found != MG_LAYOUT_NONE && (i < p->n_free || found >= p->n_free))
            return MG_LAYOUT_NONE;
        if (found == MG_LAYOUT_NONE)
            found = i;
    }
    return found;
}

bool mg_layout_is_unit(MgLayouts *l, MgValueId v, uint32_t axis) {
    return mg_value(l->g, v)->shape[axis] == mg_ix_const(l->g->module->ix, 1);
}

void mg_layout_storage(MgLayouts *l, MgValueId v, uint8_t *order) {
    uint32_t rank = mg_value(l->g, v)->rank, n = 0;
    const MgLayoutFamily *f = l->family_of[v] ? &l->families.at[l->family_of[v]] : NULL;
    for (uint32_t i = 0; i < rank && (!f || !f->changed); i++)
        order[i] = (uint8_t)i;
    for (uint32_t i = 0; f && f->changed && i < f->n_axes; i++)
        for (uint32_t a = 0; a < rank; a++)
            if (l->axis[v * MG_LAYOUT_AXES + a] == f->order[i])
                order[n++] = (uint8_t)a;
}

uint8_t mg_layout_place(MgLayouts *l, MgOpId op, const MgPiece *p, uint32_t index) {
    MgValueId y = mg_op(l->g, op)->results[0];
    uint8_t order[MG_LAYOUT_AXES], place = 0;
    mg_layout_storage(l, y, order);
    for (uint32_t a = 0; a < mg_value(l->g, y)->rank; a++) {
        const MgTarget *target = &p->target[order[a]];
        for (uint32_t i = 0; i < target->n_tuple; i++, place++)
            if (target->tuple[i] == index)
                return place;
        if (!target->n_tuple && mg_sx_mentions(l->g->module, target->sub, index))
            return place;
        place++;
    }
    return place;
}

int64_t mg_layout_elements(MgLayouts *l, MgValueId v) {
    if (!l->elements[v])
        l->elements[v] = mg_ix_likely(l->g->module->ix, mg_value_elements(l->g, v)) + 1;
    return l->elements[v] - 1;
}

// ---------------------------------------------------------------- contractions
static bool is_contraction(MgLayouts *l, const MgPiece *p) {
    return mg_piece_contraction(l->g->module, p) == MG_CONTRACTS_MATRICES;
}

bool mg_layout_is_contraction(MgLayouts *l, MgOpId id) {
    const MgPiece *p = mg_only_piece(mg_op(l->g, id));
    return p && is_contraction(l, p);
}

// ---------------------------------------------------------------- what a read costs
typedef struct Cost {
    MgLayouts *l;
    MgOpId id;
    const MgPiece *piece;
    bool reversed;   // within an axis: its indices are out of order
    int place;       // of the last index visited; -1: none
    uint32_t index;  // the last index visited
    const MgSx *sub; // the subscript that contains it
    int last;        // position of the index along which the op's result is contiguous
    int64_t sum;
} Cost;

// Does the subscript stay at 0 for the first points of the index, as for its outer part?
static bool is_outer_part(Cost *c, const MgSx *sub, uint32_t index) {
    MgIxTable *t = c->l->g->module->ix;
    MgIx with[MG_LAYOUT_INDICES];
    for (uint32_t i = 0; i < c->piece->n_indices; i++)
        with[i] = mg_ix_const(t, i == index);
    return mg_ix_subst_indices(t, sub->ix, with, c->piece->n_indices) == mg_ix_const(t, 0);
}

static void meet(Cost *c, const MgSx *sub, uint32_t index) {
    int place = mg_layout_place(c->l, c->id, c->piece, index);
    if (place < c->place ||
        (index == c->index && (sub == c->sub || !is_outer_part(c, c->sub, index))))
        c->reversed = true;
    c->place = place;
    c->index = index;
    c->sub = sub;
}

static int64_t coefficient(Cost *c, const MgSx *sub, uint32_t index) {
    MgIxTable *t = c->l->g->module->ix;
    MgIx factor, rest;
    return mg_ix_linear(t, sub->ix, mg_ix_index(t, index), &factor, &rest) ? mg_ix_likely(t, factor)
                                                                           : 1;
}

// Visits the free indices of one subscript, those with the largest coefficients first.
static void meet_subscript(Cost *c, const MgSx *sub) {
    uint32_t met[MG_LAYOUT_INDICES], n = 0;
    int64_t by[MG_LAYOUT_INDICES];
    if (sub->kind != MG_SX_IX)
        return;
    for (uint32_t i = 0; i < c->piece->n_free; i++) {
        if (!mg_sx_mentions(c->l->g->module, sub, i) || !has_points(c->l, c->piece, i))
            continue;
        int64_t much = coefficient(c, sub, i);
        uint32_t k = n++;
        for (; k && by[k - 1] < much; k--) {
            by[k] = by[k - 1];
            met[k] = met[k - 1];
        }
        by[k] = much;
        met[k] = i;
    }
    for (uint32_t k = 0; k < n; k++)
        meet(c, sub, met[k]);
}

bool mg_layout_mentions(MgLayouts *l, const MgPiece *p, const MgSx *sub, bool bound) {
    for (uint32_t i = bound ? p->n_free : 0; i < (bound ? p->n_indices : p->n_free); i++)
        if (mg_sx_mentions(l->g->module, sub, i) && has_points(l, p, i))
            return true;
    return false;
}

// A row's reductions and the ops after them are one kernel only if the row is contiguous.
static bool breaks_row(Cost *c, const MgSx *x, const uint8_t *order, bool *window) {
    bool bound = false, after = false;
    for (uint32_t i = 0; i < x->n_args; i++) {
        const MgSx *sub = x->args[order[i]];
        bool in = mg_layout_mentions(c->l, c->piece, sub, true),
             out = mg_layout_mentions(c->l, c->piece, sub, false);
        *window |= in && out;
        after |= bound && out;
        bound |= in;
    }
    return after && !*window;
}

static void read_cost(void *ctx, const MgSx *x) {
    Cost *c = ctx;
    MgLayouts *l = c->l;
    uint8_t order[MG_LAYOUT_AXES];
    bool window = false;
    MgValueId v;
    if (x->kind != MG_SX_READ || x->n_args < 2 || x->n_args > MG_LAYOUT_AXES)
        return;
    v = mg_op(l->g, c->id)->operands[x->operand];
    mg_layout_storage(l, v, order);
    c->place = -1;
    c->index = MG_LAYOUT_NONE;
    c->sub = NULL;
    c->reversed = false;
    for (uint32_t i = 0; i < x->n_args; i++)
        meet_subscript(c, x->args[order[i]]);
    if (c->reversed) // moves whole runs, otherwise single elements
        c->sum += mg_layout_elements(l, v) * (c->place == c->last ? 1 : 2);
    if (breaks_row(c, x, order, &window) && l->uses[v].len > 1)
        c->sum += mg_layout_elements(l, v) / 2;
    if (window)
        c->sum += mg_layout_window(l, c->piece, x, order);
}

static int last_place(Cost *c) {
    int last = -1;
    for (uint32_t i = 0; i < c->piece->n_free; i++) {
        int at = mg_layout_place(c->l, c->id, c->piece, i);
        if (at > last && has_points(c->l, c->piece, i))
            last = at;
    }
    return last;
}

static void add_piece(Cost *c, const MgPiece *p) {
    c->piece = p;
    if (p->n_indices > MG_LAYOUT_INDICES)
        return;
    if (is_contraction(c->l, p)) {
        c->sum += mg_layout_contraction(c->l, c->id, p);
        return;
    }
    c->last = last_place(c);
    mg_sx_walk(p->expr, read_cost, c);
}

int64_t mg_layout_cost(MgLayouts *l, MgOpId id) {
    const MgOp *op = mg_op(l->g, id);
    Cost c = {.l = l, .id = id};
    for (uint32_t i = 0; i < op->equation->n_pieces; i++)
        add_piece(&c, &op->equation->pieces[i]);
    return c.sum;
}

int64_t mg_layout_pieces_cost(MgLayouts *l, MgOpId id, const MgLayoutPieces *pieces) {
    Cost c = {.l = l, .id = id};
    for (uint32_t i = 0; pieces && i < pieces->len; i++)
        add_piece(&c, pieces->at[i]);
    return c.sum;
}
