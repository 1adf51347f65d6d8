// A part of layouts: rows that end inside a vector, for targets whose matrix units take wide
// products.
//
// A device copies a factor of 16 bits by itself if its rows begin at whole vectors. Rows of 50,257
// don't. So values inside the graph get rows of whole lines: the last axis of a factor, or of a
// product's result, and of all values that elementwise equations walk with it, is made a little
// longer. What is stored behind the end depends on nothing that may be outside, and nobody reads
// it: the readers' subscripts stay as they are.
#include "passes/layouts.h"

#include "ir/kernel.h"
#include "passes/attention.h"

#include <string.h>

enum { LINE = MG_LINE_BYTES / 2, PIECE = MG_PIECE_BYTES / 2 }; // elements of 16 bits
enum { WORTH = 64 };                                           // 1 in WORTH elements may be added

// An elementwise equation walks the last axes of both by one index.
typedef struct Walk {
    MgValueId from, to;
} Walk;

typedef struct Rows {
    MgLayouts *l;
    MgGraph *g;
    MgModule *m;
    uint32_t n_values;
    bool *fixed, *longer;      // by value: its rows stay; they become longer
    MgValueId *places;         // by value: the numbers of a row's elements
    MG_VEC(MgValueId) members; // whose rows may become longer
    MG_VEC(Walk) walks;
    MgOpId op; // whose expressions are looked at
    uint32_t index;
    bool fits;
} Rows;

static int64_t row_of(const Rows *r, MgValueId v) {
    const MgValue *value = mg_value(r->g, v);
    return value->rank ? mg_ix_const_or(r->m->ix, value->shape[value->rank - 1], -1) : -1;
}

static int64_t lines_of(int64_t row) {
    return (row + LINE - 1) / LINE * LINE;
}

static const MgPiece *piece_of(const Rows *r, MgValueId v) {
    return &mg_op(r->g, mg_value(r->g, v)->def)->equation->pieces[0];
}

// The free index that walks the value's last axis from end to end, and no other; or -1.
static int last_index(const Rows *r, MgValueId v) {
    const MgValue *value = mg_value(r->g, v);
    const MgPiece *p = piece_of(r, v);
    MgIxTable *t = r->m->ix;
    const MgTarget *last = &p->target[value->rank - 1];
    int found = -1;
    for (uint32_t i = 0; i < p->n_free; i++)
        if (!last->n_tuple && last->sub->kind == MG_SX_IX && last->sub->ix == mg_ix_idx(t, i))
            found = (int)i;
    if (found < 0 || p->indices[found].low != mg_ix_const(t, 0) ||
        p->indices[found].high != value->shape[value->rank - 1])
        return -1;
    for (uint32_t a = 0; a + 1 < value->rank; a++)
        if (mg_sx_mentions(r->m, p->target[a].sub, (uint32_t)found))
            return -1;
    return found;
}

static bool is_at(const Rows *r, const MgSx *x, uint32_t index) {
    return x->kind == MG_SX_IX && x->ix == mg_ix_idx(r->m->ix, index);
}

// ---------------------------------------------------------------- which rows may become longer

// Do data choose the element of the row?
static bool is_chosen(const MgSx *x) {
    return x->kind == MG_SX_READ && x->bounds == MG_BOUNDS_CHECKED && x->n_args &&
           x->args[x->n_args - 1]->kind != MG_SX_IX;
}

static void note_checked(void *ctx, const MgSx *x) {
    Rows *r = ctx;
    if (x->kind == MG_SX_READ && x->bounds != MG_BOUNDS_PROVED)
        r->fixed[mg_op(r->g, r->op)->operands[x->operand]] = true;
}

static void note_end(void *ctx, const MgSx *x) {
    if (!is_chosen(x))
        note_checked(ctx, x);
}

// A read that ends with a value's end would end elsewhere.
static void fix_ends(Rows *r) {
    for (r->op = 1; r->op < r->g->ops.len; r->op++) {
        const MgOp *op = mg_op(r->g, r->op);
        for (uint32_t i = 0; op->kind == MG_OP_EQUATION && i < op->equation->n_pieces; i++) {
            const MgPiece *p = &op->equation->pieces[i];
            mg_sx_walk(p->expr, note_end, r);
            for (uint32_t a = 0; a < mg_value(r->g, op->results[0])->rank; a++)
                mg_sx_walk(p->target[a].sub, note_checked, r);
        }
    }
}

// Attention knows its keys by their number.
static void fix_attention(Rows *r) {
    MgAttention a;
    const char *why;
    for (MgOpId id = 1; id < r->g->ops.len; id++)
        if (mg_op(r->g, id)->kind == MG_OP_EQUATION && mg_attention_find(r->g, id, NULL, &a, &why))
            for (uint32_t i = 0; i < a.n_steps; i++)
                r->fixed[mg_op(r->g, a.steps[i].op)->results[0]] = true;
}

static bool may_grow(const Rows *r, MgValueId v) {
    const MgOp *op = mg_def(r->g, v);
    const MgPiece *p = mg_only_piece(op);
    if (r->fixed[v] || !p || mg_value(r->g, v)->rank > MG_LAYOUT_AXES || op->equation->has_base ||
        !mg_is_float(mg_value(r->g, v)->dtype))
        return false;
    int64_t row = row_of(r, v);
    return !p->scatter && !mg_piece_is_scanned(r->m, p) && row > 0 &&
           (lines_of(row) - row) * WORTH <= row && last_index(r, v) >= 0;
}

// Is the value of 16 bits, and do its rows begin inside vectors?
static bool is_torn(const Rows *r, MgValueId v) {
    return mg_dtype_size(mg_value(r->g, v)->dtype) == 2 && row_of(r, v) % PIECE && may_grow(r, v);
}

static void add(Rows *r, MgValueId v) {
    if (r->longer[v])
        return;
    r->longer[v] = true;
    mg_push(r->l->arena, &r->members, v);
}

static void add_factors(Rows *r, const MgOp *op) {
    const MgSx *product = op->equation->pieces[0].expr;
    for (uint32_t a = 0; a < product->n_args; a++) {
        const MgSx *x = product->args[a];
        while (x->kind == MG_SX_PRIM && x->prim == MG_PRIM_CAST)
            x = x->args[0];
        if (x->kind == MG_SX_READ && is_torn(r, op->operands[x->operand]))
            add(r, op->operands[x->operand]);
    }
}

static void find_torn(Rows *r) {
    for (MgOpId id = 1; id < r->g->ops.len; id++) {
        const MgOp *op = mg_op(r->g, id);
        if (!mg_layout_is_contraction(r->l, id) || !mg_pass_may(r->l->context, id))
            continue;
        add_factors(r, op);
        if (is_torn(r, op->results[0]))
            add(r, op->results[0]);
    }
}

// ---------------------------------------------------------------- what is walked with them

static void note_walk(void *ctx, const MgSx *x) {
    Rows *r = ctx;
    const MgOp *op = mg_op(r->g, r->op);
    if (x->kind == MG_SX_READ && x->n_args && is_at(r, x->args[x->n_args - 1], r->index) &&
        may_grow(r, op->operands[x->operand]) &&
        row_of(r, op->operands[x->operand]) == row_of(r, op->results[0]))
        mg_push(r->l->arena, &r->walks, ((Walk){op->operands[x->operand], op->results[0]}));
}

static void find_walks(Rows *r) {
    for (r->op = 1; r->op < r->g->ops.len; r->op++) {
        const MgOp *op = mg_op(r->g, r->op);
        if (op->kind != MG_OP_EQUATION || !may_grow(r, op->results[0]) ||
            mg_piece_reduces(&op->equation->pieces[0]))
            continue;
        r->index = (uint32_t)last_index(r, op->results[0]);
        mg_sx_walk(op->equation->pieces[0].expr, note_walk, r);
    }
}

static void follow(Rows *r) {
    for (uint32_t before = 0; before < r->members.len;) {
        before = r->members.len;
        for (uint32_t i = 0; i < r->walks.len; i++) {
            const Walk *w = &r->walks.at[i];
            if (r->longer[w->from] || r->longer[w->to]) {
                add(r, w->from);
                add(r, w->to);
            }
        }
    }
}

// ---------------------------------------------------------------- what they read

// Is the read the same behind the row's end?
static bool reads_row(const Rows *r, const MgSx *x) {
    uint32_t last = x->n_args - 1;
    for (uint32_t a = 0; a < last; a++)
        if (mg_sx_mentions(r->m, x->args[a], r->index))
            return false;
    return r->longer[mg_op(r->g, r->op)->operands[x->operand]] && is_at(r, x->args[last], r->index);
}

static bool follows(const Rows *r, const MgSx *x) {
    for (uint32_t a = 0; a < x->n_args; a++)
        if (mg_sx_mentions(r->m, x->args[a], r->index))
            return true;
    return false;
}

// A read of something that ends there is 0 behind it. That must not be all that an elementwise
// equation reads.
static void check_read(void *ctx, const MgSx *x) {
    Rows *r = ctx;
    const MgOp *op = mg_op(r->g, r->op);
    if (x->kind != MG_SX_READ || !follows(r, x) || reads_row(r, x))
        return;
    for (uint32_t a = 0; a < x->n_args; a++)
        r->fits &= x->args[a]->kind == MG_SX_IX;
    r->fits &= x->bounds != MG_BOUNDS_CHECKED;
    r->fits &= mg_layout_is_contraction(r->l, r->op) ||
               mg_layout_elements(r->l, op->operands[x->operand]) <
                   mg_layout_elements(r->l, op->results[0]);
}

static void look_at(Rows *r, MgValueId v) {
    r->op = mg_value(r->g, v)->def;
    r->index = (uint32_t)last_index(r, v);
}

// Leaves out what can't be computed behind the end, until the others need nothing of it.
static void leave_out(Rows *r) {
    for (bool some = true; some;) {
        some = false;
        for (uint32_t i = 0; i < r->members.len; i++) {
            MgValueId v = r->members.at[i];
            if (!r->longer[v])
                continue;
            look_at(r, v);
            r->fits = true;
            mg_sx_walk(piece_of(r, v)->expr, check_read, r);
            some |= !r->fits;
            r->longer[v] = r->fits;
        }
    }
}

static const MgSx *or_zero(void *ctx, const MgSx *x) {
    Rows *r = ctx;
    if (x->kind != MG_SX_READ || x->bounds != MG_BOUNDS_PROVED || !follows(r, x) || reads_row(r, x))
        return x;
    return mg_sx_read(r->m, x->operand, x->dtype, x->args, x->n_args, MG_BOUNDS_ELSE,
                      mg_sx_const(r->m, x->dtype, 0));
}

static void rewrite(Rows *r, MgValueId v) {
    MgArena *arena = r->m->arena;
    MgValue *value = mg_value(r->g, v);
    MgOp *op = mg_op(r->g, r->op);
    MgIx size = mg_ix_const(r->m->ix, lines_of(row_of(r, v)));
    op->equation = mg_arena_copy(arena, op->equation, 1, sizeof *op->equation);
    MgPiece *p = op->equation->pieces =
        mg_arena_copy(arena, op->equation->pieces, 1, sizeof *op->equation->pieces);
    p->expr = mg_sx_rewrite(r->m, p->expr, or_zero, r);
    p->indices = mg_arena_copy(arena, p->indices, p->n_indices, sizeof *p->indices);
    p->indices[r->index].high = size;
    value->shape = mg_arena_copy(arena, value->shape, value->rank, sizeof *value->shape);
    value->shape[value->rank - 1] = size;
}

// ---------------------------------------------------------------- elements that data choose

// The numbers of a row's elements. A subscript that is read from here is checked against the row's
// own end.
static MgValueId make_places(Rows *r, MgValueId v) {
    MgGraph *g = r->g;
    MgModule *m = r->m;
    MgIx size = mg_ix_const(m->ix, row_of(r, v));
    const MgValue value = *mg_value(g, v);
    MgOpId made = mg_op_new_before(g, value.def, MG_OP_EQUATION, NULL, 0, value.origin);
    MgSym name = mg_symf(m->session->names, "%s_place", mg_name(m->session->names, value.name));
    MgValueId y = mg_op_result(g, made, mg_unique_name(g, name), MG_I64, 1, &size);
    MgIndex *index = MG_NEW(m->arena, MgIndex);
    *index = (MgIndex){mg_symf(m->session->names, "i0"), mg_ix_const(m->ix, 0), size};
    MgPiece piece = {.indices = index,
                     .n_free = 1,
                     .n_indices = 1,
                     .target = mg_plain_target(m, 1),
                     .expr = mg_sx_ix(m, MG_I64, mg_ix_idx(m->ix, 0))};
    mg_op(g, made)->equation = mg_equation_of(m, piece);
    return y;
}

static const MgSx *choose(void *ctx, const MgSx *x) {
    Rows *r = ctx;
    const MgSx *subs[MG_LAYOUT_AXES];
    MgValueId v = is_chosen(x) ? mg_op(r->g, r->op)->operands[x->operand] : MG_NONE;
    if (!v || v >= r->n_values || !r->longer[v])
        return x;
    if (!r->places[v])
        r->places[v] = make_places(r, v);
    uint32_t last = x->n_args - 1, places = mg_add_operand(r->g, r->op, r->places[v]);
    memcpy(subs, x->args, last * sizeof *subs);
    subs[last] = mg_sx_read(r->m, places, MG_I64, &x->args[last], 1, MG_BOUNDS_CHECKED, NULL);
    return mg_sx_read(r->m, x->operand, x->dtype, subs, x->n_args, x->bounds, x->otherwise);
}

static void note_chosen(void *ctx, const MgSx *x) {
    Rows *r = ctx;
    r->fits |= is_chosen(x) && r->longer[mg_op(r->g, r->op)->operands[x->operand]];
}

// Before the rows become longer.
static void check_chosen(Rows *r) {
    uint32_t n = r->g->ops.len;
    for (r->op = 1; r->op < n; r->op++) {
        const MgOp *op = mg_op(r->g, r->op);
        uint32_t pieces = op->kind == MG_OP_EQUATION ? op->equation->n_pieces : 0;
        r->fits = false;
        for (uint32_t i = 0; i < pieces; i++)
            mg_sx_walk(op->equation->pieces[i].expr, note_chosen, r);
        if (!r->fits)
            continue;
        MgEquation *e = mg_arena_copy(r->m->arena, op->equation, 1, sizeof *e);
        e->pieces = mg_arena_copy(r->m->arena, e->pieces, pieces, sizeof *e->pieces);
        for (uint32_t i = 0; i < pieces; i++)
            e->pieces[i].expr = mg_sx_rewrite(r->m, e->pieces[i].expr, choose, r);
        mg_op(r->g, r->op)->equation = e;
        mg_normalise_operands(r->g, r->op, r->l->arena);
    }
}

bool mg_layout_rows(MgLayouts *l) {
    MgGraph *g = l->g;
    Rows r = {.l = l, .g = g, .m = g->module};
    bool changed = false;
    if (!mg_layout_for_units(l) || !mg_machine_has_wide(l->context->machine))
        return false;
    r.n_values = g->values.len;
    r.fixed = MG_NEW_N(l->arena, bool, r.n_values);
    r.longer = MG_NEW_N(l->arena, bool, r.n_values);
    r.places = MG_NEW_N(l->arena, MgValueId, r.n_values);
    l->elements = MG_NEW_N(l->arena, int64_t, g->values.len); // layouts may have made some
    mg_pin_shapes(g, r.fixed);
    fix_ends(&r);
    find_torn(&r);
    if (!r.members.len)
        return false;
    fix_attention(&r);
    for (uint32_t i = 0; i < r.members.len; i++)
        r.longer[r.members.at[i]] = !r.fixed[r.members.at[i]];
    find_walks(&r);
    follow(&r);
    leave_out(&r);
    check_chosen(&r);
    for (uint32_t i = 0; i < r.members.len; i++)
        if (r.longer[r.members.at[i]]) {
            look_at(&r, r.members.at[i]);
            rewrite(&r, r.members.at[i]);
            changed = true;
        }
    return changed;
}
