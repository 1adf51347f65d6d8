// The orders that a CPU's kernels prefer, as a cost for layouts.h. The numbers are measured
// (docs/log/cpu.md). Their unit is an element moved (the machine's `turn`, about half a
// nanosecond), which makes them comparable with transposes. On a GPU only moves count, but matrix
// units take factors by vectors along the sum.
//
// With channels innermost, a window kernel works on whole vectors whatever the image's size. With
// rows innermost, the rows of a tile share their reads, but a row of 7 pixels fills half a vector.
// A contraction reads and writes either order, and pays for gathering.
#include "passes/layouts.h"

#include <math.h>

static int64_t extent(MgLayouts *l, const MgPiece *p, uint32_t i) {
    MgIxTable *t = l->g->module->ix;
    int64_t n = mg_ix_likely(t, mg_ix_sub(t, p->indices[i].high, p->indices[i].low));
    return n > 0 ? n : 1;
}

// The number of points over the indices that x mentions (over all indices if x is NULL).
static int64_t points(MgLayouts *l, const MgPiece *p, const MgSx *x, bool bound) {
    int64_t n = 1;
    for (uint32_t i = 0; i < (bound ? p->n_indices : p->n_free); i++)
        if ((!x || mg_sx_mentions(l->g->module, x, i)) &&
            __builtin_mul_overflow(n, extent(l, p, i), &n))
            return INT64_MAX / 1024;
    return n < INT64_MAX / 1024 ? n : INT64_MAX / 1024;
}

static int64_t stride_of(MgLayouts *l, const MgSx *sub, uint32_t i) {
    MgIxTable *t = l->g->module->ix;
    MgIx by, rest;
    bool linear = sub->kind == MG_SX_IX && mg_ix_linear(t, sub->ix, mg_ix_index(t, i), &by, &rest);
    return linear ? mg_ix_const_or(t, by, 1) : 1;
}

static const MgSx *innermost(MgLayouts *l, MgValueId v, const MgSx *x, const uint8_t *order) {
    for (uint32_t i = x->n_args; i-- > 0;)
        if (!mg_layout_is_unit(l, v, order[i]))
            return x->args[order[i]];
    return x->args[order[x->n_args - 1]];
}

int64_t mg_layout_window(MgLayouts *l, const MgPiece *p, const MgSx *x, const uint8_t *order) {
    int64_t outputs = points(l, p, NULL, false);
    bool factor = p->expr->kind == MG_SX_PRIM && p->expr->prim == MG_PRIM_MUL;
    const MgSx *sub = x->args[order[x->n_args - 1]];
    if (l->context->gpu)
        return 0;
    if (!mg_layout_mentions(l, p, sub, true)) // channels
        return outputs * 3 / 10;
    for (uint32_t i = 0; i < p->n_free; i++)
        if (mg_sx_mentions(l->g->module, sub, i)) {
            int64_t by = !factor ? 8 : stride_of(l, sub, i) > 1 ? 16 : 12;
            return outputs * by / extent(l, p, i);
        }
    // Lanes run along the result, so each vector of a sum over channels is gathered.
    const MgMachine *machine = l->context->machine;
    double vectors = (double)points(l, p, NULL, true) / ((double)machine->vector_size / 4);
    return (int64_t)fmin(vectors * machine->gather / machine->turn, INT64_MAX / 1024);
}

typedef struct Factor {
    MgLayouts *l;
    const MgOp *op;
    const MgPiece *piece;
    const MgSx *factor;
    bool window, given; // windows read it; it is not a parameter
    bool channels;      // the innermost axis follows only a bound index
    bool pixels;        // the innermost axis follows a free index
    bool fixed;         // its order can't be chosen
    int64_t stride;     // along the innermost axis
    int64_t elements;
} Factor;

static void see_read(void *ctx, const MgSx *x) {
    Factor *f = ctx;
    MgLayouts *l = f->l;
    uint8_t order[MG_LAYOUT_AXES];
    if (x->kind != MG_SX_READ || !x->n_args || x->n_args > MG_LAYOUT_AXES)
        return;
    MgValueId v = f->op->operands[x->operand];
    if (mg_is_param_or_const(l->g, v))
        return;
    f->given = true;
    f->fixed |= !l->free[v];
    f->elements += mg_layout_elements(l, v);
    mg_layout_storage(l, v, order);
    for (uint32_t i = 0; i < x->n_args; i++)
        f->window |= mg_layout_mentions(l, f->piece, x->args[i], true) &&
                     mg_layout_mentions(l, f->piece, x->args[i], false);
    const MgSx *sub = innermost(l, v, x, order);
    f->pixels |= mg_layout_mentions(l, f->piece, sub, false);
    f->channels |= !mg_layout_mentions(l, f->piece, sub, false);
    for (uint32_t i = 0; i < f->piece->n_free; i++)
        if (mg_sx_mentions(l->g->module, sub, i))
            f->stride = stride_of(l, sub, i);
}

// The free index along which the result is contiguous.
static uint32_t last_index(MgLayouts *l, MgOpId id, const MgPiece *p) {
    uint32_t last = 0;
    int place = -1;
    for (uint32_t i = 0; i < p->n_free; i++) {
        int at = mg_layout_place(l, id, p, i);
        if (at > place && extent(l, p, i) > 1) {
            place = at;
            last = i;
        }
    }
    return last;
}

// May Winograd's algorithm apply? It applies to a 3 by 3 convolution: an f32 sum of products with
// at least three bound indices, one factor of which depends on two free and two bound indices only
// through their sums or differences.
static bool is_small_convolution(MgModule *m, const MgPiece *p) {
    const MgSx *x = p->expr;
    if (!mg_piece_sums_products(p) || p->scatter || p->n_indices < p->n_free + 3 ||
        x->dtype != MG_F32)
        return false;
    for (uint32_t arg = 0; arg < 2; arg++) {
        uint32_t sums = 0;
        for (uint32_t b = p->n_free; b < p->n_indices; b++)
            for (uint32_t i = 0; i < p->n_free; i++)
                sums += p->indices[b].high == mg_ix_const(m->ix, 3) &&
                        (mg_sx_depends_on_sum(m, x->args[arg], i, b, 1) ||
                         mg_sx_depends_on_sum(m, x->args[arg], i, b, -1));
        if (sums == 2)
            return true;
    }
    return false;
}

bool mg_layout_for_units(const MgLayouts *l) {
    return l->context->gpu && mg_machine_has_units(l->context->machine) && !l->context->strict;
}

// The elements of a factor that reach the matrix units one by one. Whole vectors lie along the sum,
// or along the only index that the other factor lacks.
static int64_t gathered(const Factor *f, const MgSx *other) {
    MgModule *m = f->l->g->module;
    uint32_t own = 0;
    for (uint32_t i = 0; i < f->piece->n_free; i++)
        own += mg_sx_mentions(m, f->factor, i) && !mg_sx_mentions(m, other, i) &&
               extent(f->l, f->piece, i) > 1;
    return f->fixed || !f->pixels || own < 2 ? 0
           : f->window                       ? points(f->l, f->piece, f->factor, true)
                                             : f->elements;
}

int64_t mg_layout_contraction(MgLayouts *l, MgOpId id, const MgPiece *p) {
    Factor f[2];
    const MgMachine *machine = l->context->machine;
    int64_t of_a_move = (int64_t)lround(machine->products * machine->turn), cost = 0;
    int64_t all = points(l, p, NULL, true) / (of_a_move > 0 ? of_a_move : 1);
    uint32_t last = last_index(l, id, p);
    for (uint32_t a = 0; a < 2; a++) {
        f[a] = (Factor){.l = l, .op = mg_op(l->g, id), .piece = p, .factor = p->expr->args[a]};
        mg_sx_walk(f[a].factor, see_read, &f[a]);
    }
    for (uint32_t a = 0; a < 2; a++) {
        // If the result is contiguous along an index of the weights, lanes past the last column are
        // idle.
        bool across = !f[1 - a].given && mg_sx_mentions(l->g->module, f[1 - a].factor, last);
        if (!f[a].given)
            continue;
        if (mg_layout_for_units(l) && p->expr->dtype == MG_F32) {
            cost += gathered(&f[a], f[1 - a].factor);
            continue;
        }
        if (f[a].window && f[a].channels)
            cost += points(l, p, f[a].factor, true);
        if (l->context->gpu)
            continue;
        if (l->context->level >= 3 && is_small_convolution(l->g->module, p) &&
            (across || f[a].channels)) // Winograd's algorithm works on lines of pixels
            cost += all;
        if (f[a].window && f[a].pixels && f[a].stride > 1 && across)
            cost += points(l, p, f[a].factor, true) * 14 / 10;
        int64_t n = extent(l, p, last), vector = (int64_t)machine->vector_size / 4;
        int64_t lanes = (n + vector - 1) / vector * vector;
        if (across)
            cost += all * (lanes - n) / n;
        if (!f[a].window && !f[1 - a].given && f[a].pixels)
            cost += f[a].elements / 10;
    }
    return cost;
}

// ---------------------------------------------------------------- parameters
// The axis of the parameter whose subscript is the result's last index, if other axes lie further
// inside; else -1.
static int channel_axis(MgLayouts *l, const MgPiece *p, MgValueId v, const MgSx *x) {
    MgIxTable *t = l->g->module->ix;
    int found = -1;
    for (uint32_t i = 0; i < x->n_args; i++) {
        if (x->args[i]->kind != MG_SX_IX)
            return -1;
        if (x->args[i]->ix == mg_ix_idx(t, p->n_free - 1))
            found = (int)i;
        else if (mg_sx_mentions(l->g->module, x->args[i], p->n_free - 1))
            return -1;
    }
    for (uint32_t i = (uint32_t)found + 1; found >= 0 && i < x->n_args; i++)
        if (!mg_layout_is_unit(l, v, i))
            return found;
    return -1;
}

// Does a window move over the factor? Other kernels read their parameters in the stored order.
static bool is_windowed(MgLayouts *l, const MgPiece *p, const MgSx *x) {
    for (uint32_t i = 0; x->kind == MG_SX_READ && i < x->n_args; i++)
        if (mg_layout_mentions(l, p, x->args[i], true) &&
            mg_layout_mentions(l, p, x->args[i], false))
            return true;
    return false;
}

uint32_t mg_layout_last(uint32_t axis, uint32_t a, uint32_t rank) {
    return a < axis ? a : a == axis ? rank - 1 : a - 1;
}

MgValueId mg_layout_copy_last(MgLayouts *l, MgOpId id, MgValueId v, uint32_t axis, MgIx size,
                              const char *suffix) {
    MgGraph *g = l->g;
    MgModule *m = g->module;
    const MgValue from = *mg_value(g, v);
    bool padded = size != from.shape[axis];
    MgIndex *indices = MG_NEW_N(m->arena, MgIndex, from.rank);
    MgTarget *target = mg_plain_target(m, from.rank);
    MgIx *shape = MG_NEW_N(m->arena, MgIx, from.rank);
    const MgSx **subs = MG_NEW_N(m->arena, const MgSx *, from.rank);
    for (uint32_t i = 0; i < from.rank; i++) {
        uint32_t at = mg_layout_last(axis, i, from.rank);
        MgSym name = mg_symf(m->session->names, "a%u", at);
        shape[at] = i == axis ? size : from.shape[i];
        indices[at] = (MgIndex){name, mg_ix_const(m->ix, 0), shape[at]};
        subs[i] = target[at].sub;
    }
    MgOpId made = mg_op_new_before(g, id, MG_OP_EQUATION, &v, 1, from.origin);
    MgSym name = mg_symf(m->session->names, "%s%s", mg_name(m->session->names, from.name), suffix);
    MgValueId y = mg_op_result(g, made, mg_unique_name(g, name), from.dtype, from.rank, shape);
    MgDType type = mg_dtype(from.dtype)->compute;
    MgPiece piece = {.indices = indices,
                     .n_free = from.rank,
                     .n_indices = from.rank,
                     .target = target,
                     .expr = mg_sx_read(m, 0, type, subs, from.rank,
                                        padded ? MG_BOUNDS_ELSE : MG_BOUNDS_PROVED,
                                        padded ? mg_sx_const(m, type, 0) : NULL)};
    mg_op(g, made)->equation = mg_equation_of(m, piece);
    return y;
}

static bool reorder_factor(MgLayouts *l, MgOpId id, uint32_t a) {
    MgGraph *g = l->g;
    MgModule *m = g->module;
    const MgSx *x = mg_op(g, id)->equation->pieces[0].expr->args[a];
    const MgPiece *p = &mg_op(g, id)->equation->pieces[0];
    if (x->kind != MG_SX_READ || x->bounds != MG_BOUNDS_PROVED || x->n_args > MG_LAYOUT_AXES ||
        !is_windowed(l, p, p->expr->args[1 - a]))
        return false;
    MgValueId v = mg_op(g, id)->operands[x->operand];
    MgOpId def = mg_value(g, v)->def;
    int axis = channel_axis(l, p, v, x);
    if (!def || mg_op(g, def)->kind != MG_OP_PARAM || axis < 0 || !mg_pass_may(l->context, id))
        return false;
    const MgSx *subs[MG_LAYOUT_AXES];
    for (uint32_t i = 0; i < x->n_args; i++)
        subs[mg_layout_last((uint32_t)axis, i, x->n_args)] = x->args[i];
    MgIx size = mg_value(g, v)->shape[axis];
    MgValueId y = mg_layout_copy_last(l, id, v, (uint32_t)axis, size, "_last");
    uint32_t operand = mg_add_operand(g, id, y);
    MgOp *op = mg_op(g, id);
    op->equation = mg_arena_copy(m->arena, op->equation, 1, sizeof *op->equation);
    op->equation->pieces = mg_arena_copy(m->arena, op->equation->pieces, 1, sizeof *p);
    MgPiece *own = &op->equation->pieces[0];
    const MgSx *args[2] = {own->expr->args[0], own->expr->args[1]};
    args[a] = mg_sx_read(m, operand, x->dtype, subs, x->n_args, MG_BOUNDS_PROVED, NULL);
    own->expr = mg_sx_prim(m, MG_PRIM_MUL, own->expr->dtype, args, 2);
    mg_normalise_operands(g, id, l->arena);
    return true;
}

bool mg_layout_parameters(MgLayouts *l) {
    bool changed = false;
    uint32_t n = l->g->ops.len;
    for (MgOpId id = 1; id < n && !l->context->gpu; id++) {
        const MgOp *op = mg_op(l->g, id);
        const MgPiece *p = mg_only_piece(op);
        if (!p || !mg_piece_sums_products(p) || p->scatter || !p->n_free ||
            mg_layout_is_contraction(l, id) || !mg_piece_is_plain(l->g, p, op->results[0]))
            continue;
        for (uint32_t a = 0; a < 2; a++)
            changed |= reorder_factor(l, id, a);
    }
    return changed;
}
