// layouts: chooses the order in which values inside the graph are stored, so that moves between
// orders vanish.
//
// An order is a permutation of a value's axes. The equation that makes the value writes permuted
// axes and walks its box in that order; its readers read permuted axes. A transpose between two
// values whose orders are free then costs nothing, and equations over the same box in different
// orders get the same box, which fuse needs.
//
// Values that equations walk point by point together (elementwise ops, pooling, concatenations, row
// reductions) form a family. A family has axes of its own; every value's axes map to them, so one
// order of the family's axes gives each value its order. A contraction is a border: it may read one
// order and write another. The candidates are the orders that the values have and those in which
// equations read them. layouts_cost.c estimates what each costs, and each family takes the
// cheapest, in two sweeps over all families.
//
// Needs: inline and split before it, which look at equations as they were written, and fuse after
// it. Keeps: the value of every element, and shapes seen from outside. An order that gains little
// is not taken. Ends: there are two sweeps.
#include "passes/layouts.h"

#include <string.h>

// WORTH: the share (1 in WORTH) that justifies a change.
enum { MOST_CANDIDATES = 12, SWEEPS = 2, WORTH = 4 };

// ---------------------------------------------------------------- which values may change
static bool may_permute(MgLayouts *l, MgOpId id) {
    const MgOp *op = mg_op(l->g, id);
    MgValueId v = op->n_results ? op->results[0] : MG_NONE;
    if (op->kind != MG_OP_EQUATION || l->pinned[v] || op->equation->has_base ||
        mg_value(l->g, v)->rank > MG_LAYOUT_AXES || mg_value(l->g, v)->rank < 2)
        return false;
    for (uint32_t i = 0; i < op->equation->n_pieces; i++) {
        const MgPiece *p = &op->equation->pieces[i];
        if (p->scatter || p->n_indices > MG_LAYOUT_INDICES || mg_piece_is_scanned(l->g->module, p))
            return false;
        for (uint32_t a = 0; a < mg_value(l->g, v)->rank; a++)
            if (p->target[a].sub->kind != MG_SX_IX)
                return false;
    }
    return true;
}

static void find_uses(MgLayouts *l) {
    for (MgOpId id = 1; id < l->g->ops.len; id++) {
        const MgOp *op = mg_op(l->g, id);
        for (uint32_t i = 0; i < op->n_operands && op->kind == MG_OP_EQUATION; i++)
            if (op->n_results && mg_value(l->g, op->results[0])->rank <= MG_LAYOUT_AXES)
                mg_push(l->arena, &l->uses[op->operands[i]], id);
    }
}

// ---------------------------------------------------------------- candidates
// Sorts the axes of seq into seq's order, within the positions that they occupy now.
static void induce(const MgLayoutFamily *f, const uint8_t *seq, uint32_t n, uint8_t *order) {
    bool in[MG_LAYOUT_AXES] = {0};
    for (uint32_t i = 0; i < n; i++)
        in[seq[i]] = true;
    for (uint32_t i = 0, k = 0; i < f->n_axes; i++)
        order[i] = in[f->order[i]] ? seq[k++] : f->order[i];
}

typedef struct Candidates {
    MgLayouts *l;
    MgLayoutFamily *f;
    uint8_t at[MOST_CANDIDATES][MG_LAYOUT_AXES];
    uint32_t n;
    MgOpId op; // the op whose walk gives the order
    const MgPiece *piece;
} Candidates;

static void add_candidate(Candidates *c, const uint8_t *seq, uint32_t n) {
    uint8_t order[MG_LAYOUT_AXES] = {0};
    induce(c->f, seq, n, order);
    for (uint32_t i = 0; i < c->n; i++)
        if (!memcmp(c->at[i], order, c->f->n_axes))
            return;
    if (c->n < MOST_CANDIDATES)
        memcpy(c->at[c->n++], order, sizeof order);
}

static bool is_member(const Candidates *c, MgValueId v) {
    return c->l->family_of[v] && &c->l->families.at[c->l->family_of[v]] == c->f;
}

// Adds the order in which an equation outside the family walks one of its values.
static void add_walk(Candidates *c, const MgSx *x, MgValueId v) {
    MgLayouts *l = c->l;
    uint8_t seq[MG_LAYOUT_AXES], place[MG_LAYOUT_AXES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_args; i++) {
        uint32_t index = mg_layout_index_of(l, c->piece, x->args[i]), k = n;
        if (index == MG_LAYOUT_NONE || index >= c->piece->n_free)
            continue;
        uint8_t at = mg_layout_place(l, c->op, c->piece, index);
        for (n++; k && place[k - 1] > at; k--) {
            place[k] = place[k - 1];
            seq[k] = seq[k - 1];
        }
        place[k] = at;
        seq[k] = l->axis[v * MG_LAYOUT_AXES + i];
    }
    add_candidate(c, seq, n);
}

// Adds the order that a value of the family would inherit from its equation's operand.
static void add_given(Candidates *c, const MgSx *x, MgValueId v, MgValueId y) {
    MgLayouts *l = c->l;
    uint8_t seq[MG_LAYOUT_AXES], order[MG_LAYOUT_AXES];
    uint32_t n = 0;
    if (mg_value(l->g, v)->rank > MG_LAYOUT_AXES)
        return;
    mg_layout_storage(l, v, order);
    for (uint32_t i = 0; i < x->n_args; i++) {
        uint32_t index = mg_layout_index_of(l, c->piece, x->args[order[i]]);
        for (uint32_t a = 0; a < mg_value(l->g, y)->rank && index != MG_LAYOUT_NONE; a++) {
            uint8_t axis = l->axis[y * MG_LAYOUT_AXES + a];
            if (!c->piece->target[a].n_tuple &&
                mg_layout_index_of(l, c->piece, c->piece->target[a].sub) == index &&
                (!n || !memchr(seq, axis, n)))
                seq[n++] = axis;
        }
    }
    add_candidate(c, seq, n);
}

static void add_read(void *ctx, const MgSx *x) {
    Candidates *c = ctx;
    if (x->kind != MG_SX_READ)
        return;
    const MgOp *op = mg_op(c->l->g, c->op);
    MgValueId v = op->operands[x->operand];
    if (is_member(c, v) && !is_member(c, op->results[0]))
        add_walk(c, x, v);
    if (is_member(c, op->results[0]) && !is_member(c, v))
        add_given(c, x, v, op->results[0]);
}

// The order with the axis innermost, which some kernels prefer.
typedef struct Sequence {
    uint8_t at[MG_LAYOUT_AXES];
} Sequence;
static Sequence last_of(const MgLayoutFamily *f, uint32_t axis) {
    Sequence seq;
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n_axes; i++)
        if (f->order[i] != axis)
            seq.at[n++] = f->order[i];
    seq.at[n] = (uint8_t)axis;
    return seq;
}

// Does the family try orders that the source doesn't have? On a CPU, the preferences of kernels are
// measured for one image of known sizes: channels and two axes of pixels.
static bool tries_others(MgLayouts *l, const MgLayoutFamily *f) {
    if (mg_layout_for_units(l))
        return f->n_axes >= 3;
    for (uint32_t i = 0; i < f->members.len; i++) {
        const MgValue *v = mg_value(l->g, f->members.at[i]);
        int64_t size;
        for (uint32_t a = 0; a < v->rank; a++)
            if (!mg_ix_is_const(l->g->module->ix, v->shape[a], &size))
                return false;
    }
    return f->n_axes == 3;
}

static void find_candidates(Candidates *c) {
    MgLayouts *l = c->l;
    for (uint32_t i = 0; i < c->f->members.len; i++) {
        MgValueId v = c->f->members.at[i];
        add_candidate(c, &l->axis[v * MG_LAYOUT_AXES], mg_value(l->g, v)->rank);
    }
    for (uint32_t a = 0; a < c->f->n_axes && tries_others(l, c->f); a++)
        add_candidate(c, last_of(c->f, a).at, c->f->n_axes);
    for (uint32_t i = 0; i < c->f->ops.len; i++) {
        c->op = c->f->ops.at[i];
        const MgOp *op = mg_op(l->g, c->op);
        bool border = mg_layout_is_contraction(l, c->op) || mg_layout_has_many(l, c->f, c->op);
        for (uint32_t p = 0; p < op->equation->n_pieces && !border; p++) {
            c->piece = &op->equation->pieces[p];
            mg_sx_walk(c->piece->expr, add_read, c);
        }
    }
    for (uint32_t i = 0; i < c->f->members.len; i++) {
        MgValueId v = c->f->members.at[i];
        for (uint32_t k = 0; k < l->uses[v].len; k++) {
            c->op = l->uses[v].at[k];
            const MgLayoutPieces *pieces =
                mg_layout_has_many(l, c->f, c->op) ? mg_layout_pieces_of(l, c->op, v) : NULL;
            for (uint32_t p = 0; pieces && p < pieces->len; p++) {
                c->piece = pieces->at[p];
                mg_sx_walk(c->piece->expr, add_read, c);
            }
        }
    }
}

static int64_t cost_of(MgLayouts *l, const MgLayoutFamily *f) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < f->ops.len; i++)
        sum += mg_layout_has_many(l, f, f->ops.at[i]) ? 0 : mg_layout_cost(l, f->ops.at[i]);
    for (uint32_t i = 0; i < f->members.len; i++) {
        MgValueId v = f->members.at[i];
        for (uint32_t k = 0; k < l->uses[v].len; k++)
            if (mg_layout_has_many(l, f, l->uses[v].at[k]))
                sum += mg_layout_pieces_cost(l, l->uses[v].at[k],
                                             mg_layout_pieces_of(l, l->uses[v].at[k], v));
    }
    return sum;
}

static void choose(MgLayouts *l, uint32_t number) {
    MgLayoutFamily *f = &l->families.at[number];
    MgLayoutFamily before = *f;
    int64_t least = cost_of(l, f), now = least;
    if (!least)
        return;
    Candidates c = {.l = l, .f = f};
    find_candidates(&c);
    f->changed = true;
    int best = -1;
    for (uint32_t i = 0; i < c.n; i++) {
        memcpy(f->order, c.at[i], sizeof f->order);
        int64_t cost = cost_of(l, f);
        if (cost < least && cost < now - now / WORTH) {
            least = cost;
            best = (int)i;
        }
    }
    memcpy(f->order, best < 0 ? before.order : c.at[best], sizeof f->order);
    f->changed = best >= 0 || before.changed;
    f->saved = before.saved + now - least;
    f->left = least;
}

// ---------------------------------------------------------------- explaining
// Writes the value's axes in an order, under the names that its equation uses.
static void put_axes(MgLayouts *l, MgValueId v, const uint8_t *order, MgText *text) {
    const MgPiece *p = &mg_op(l->g, mg_value(l->g, v)->def)->equation->pieces[0];
    MgNames *names = l->g->module->session->names;
    for (uint32_t a = 0; a < mg_value(l->g, v)->rank; a++) {
        const MgTarget *target = &p->target[order ? order[a] : a];
        mg_textf(text, a ? ", " : "[");
        for (uint32_t i = 0, n = 0; i < p->n_free; i++)
            if (mg_sx_mentions(l->g->module, target->sub, i))
                mg_textf(text, "%s%s", n++ ? " " : "", mg_name(names, p->indices[i].name));
    }
    mg_textf(text, "]");
}

// order: the chosen order; NULL if it stays.
static void explain(MgLayouts *l, const MgLayoutFamily *f, MgValueId v, const uint8_t *order) {
    MgText text = mg_text(l->arena);
    if (!l->context->layout)
        return;
    put_axes(l, v, order, &text);
    if (order) {
        mg_textf(&text, " instead of ");
        put_axes(l, v, NULL, &text);
        mg_textf(&text, ": %s fewer to move, with what depends on it",
                 mg_counted(text.arena, (uint64_t)f->saved, "element"));
    } else {
        mg_textf(&text, f->left ? ", as written: no other order moves clearly fewer elements"
                                : ", as written: all readers walk it in this order");
    }
    if (f->left)
        mg_textf(&text, " (%s still move)", mg_counted(text.arena, (uint64_t)f->left, "element"));
    l->context->layout(l->context->edge_ctx, l->g, v, mg_text_str(&text));
}

// ---------------------------------------------------------------- the pass
static bool is_identity(const uint8_t *order, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (order[i] != i)
            return false;
    return true;
}

static bool settle(MgLayouts *l, const MgLayoutFamily *f) {
    bool some = false;
    for (uint32_t i = 0; i < f->members.len; i++) {
        MgValueId v = f->members.at[i];
        uint8_t order[MG_LAYOUT_AXES];
        uint32_t rank = mg_value(l->g, v)->rank;
        mg_layout_storage(l, v, order);
        if (is_identity(order, rank)) {
            explain(l, f, v, NULL);
            continue;
        }
        if (!some && !mg_pass_may(l->context, mg_value(l->g, v)->def))
            return false;
        some = true;
        explain(l, f, v, order);
        l->order_of[v] = mg_arena_copy(l->arena, order, rank, 1);
    }
    return some;
}

static void begin(MgLayouts *l) {
    uint32_t n = l->g->values.len;
    l->arena = l->context->scratch;
    l->pinned = MG_NEW_N(l->arena, bool, n);
    l->free = MG_NEW_N(l->arena, bool, n);
    l->family_of = MG_NEW_N(l->arena, uint32_t, n);
    l->axis = MG_NEW_N(l->arena, uint8_t, (size_t)n * MG_LAYOUT_AXES);
    l->order_of = MG_NEW_N(l->arena, uint8_t *, n);
    l->uses = MG_NEW_N(l->arena, MgLayoutOps, n);
    l->seen = MG_NEW_N(l->arena, uint32_t, l->g->ops.len);
    l->elements = MG_NEW_N(l->arena, int64_t, n);
    mg_pin_operands(l->g, l->pinned);
    MgValueId *output_of = MG_NEW_N(l->arena, MgValueId, n);
    mg_output_bytes(l->g, output_of);
    for (MgValueId v = 1; v < n; v++)
        l->pinned[v] |= output_of[v] != MG_NONE;
    for (MgOpId id = 1; id < l->g->ops.len; id++)
        if (may_permute(l, id))
            l->free[mg_op(l->g, id)->results[0]] = true;
    find_uses(l);
    mg_layout_note_pieces(l);
    mg_push(l->arena, &l->families, (MgLayoutFamily){0});
}

bool mg_pass_layouts(MgGraph *g, MgPassContext *context) {
    MgLayouts l = {.g = g, .context = context};
    begin(&l);
    for (MgValueId v = 1; v < g->values.len; v++)
        if (l.free[v] && !l.family_of[v])
            mg_layout_grow(&l, v);
    for (uint32_t i = 1; i < l.families.len; i++)
        mg_layout_find_ops(&l, i);
    for (uint32_t sweep = 0; sweep < SWEEPS; sweep++)
        for (uint32_t i = 1; i < l.families.len; i++)
            choose(&l, i);
    bool changed = false;
    for (uint32_t i = 1; i < l.families.len; i++)
        changed |= settle(&l, &l.families.at[i]);
    if (changed)
        mg_layout_rewrite(&l);
    changed |= mg_layout_parameters(&l);
    changed |= mg_layout_pad(&l);
    changed |= mg_layout_bounds(&l);
    changed |= mg_drop_copies(g, context);
    return mg_layout_rows(&l) || changed;
}
