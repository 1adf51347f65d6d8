// A part of layouts: images with few channels, for targets with matrix units.
//
// A convolution's factor comes in whole vectors along the channels of one tap. An image of three
// channels has none, so its elements would be gathered one by one, once for each tap. A copy with
// channels innermost, and zeros after the last one, has a vector at each pixel. The weights read
// zeros there, too, so the sum gets terms that are 0.
#include "passes/layouts.h"

typedef struct Pad {
    MgLayouts *l;
    MgOpId id;
    const MgPiece *piece;
    const MgSx *image, *weights; // both are reads
    uint32_t axis, channel;      // of the image, and the bound index that walks it
    int64_t to;                  // the channels of the copy
} Pad;

// Is the subscript exactly this index?
static bool is_index(const Pad *p, const MgSx *sub, uint32_t i) {
    return sub->kind == MG_SX_IX && sub->ix == mg_ix_idx(p->l->g->module->ix, i);
}

// Is x a read that gives 0 outside, if it can be outside, and that uses the channel as a plain
// subscript only?
static bool is_plain(const Pad *p, const MgSx *x) {
    if (x->kind != MG_SX_READ || x->bounds == MG_BOUNDS_CHECKED || x->n_args > MG_LAYOUT_AXES)
        return false;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (x->args[i]->kind != MG_SX_IX ||
            (!is_index(p, x->args[i], p->channel) &&
             mg_sx_mentions(p->l->g->module, x->args[i], p->channel)))
            return false;
    return !x->otherwise || (x->otherwise->kind == MG_SX_CONST && !x->otherwise->bits);
}

static int64_t extent(const Pad *p, uint32_t i) {
    return mg_ix_const_or(p->l->g->module->ix, p->piece->indices[i].high, -1);
}

// Does the image's last axis have whole vectors along a bound index, as patches that lie side by
// side have?
static bool has_vectors(const Pad *p) {
    MgModule *m = p->l->g->module;
    for (uint32_t i = p->piece->n_free; i < p->piece->n_indices; i++)
        if (mg_sx_mentions(m, p->image->args[p->image->n_args - 1], i) && extent(p, i) % p->to == 0)
            return true;
    return false;
}

// Finds the channel: a bound index that walks a whole axis of the image, and has fewer points than
// a vector of the matrix units has elements.
static bool find_channel(Pad *p) {
    MgGraph *g = p->l->g;
    const MgValue *image = mg_value(g, mg_op(g, p->id)->operands[p->image->operand]);
    bool window = false, found = false;
    p->to = 16 / (int64_t)mg_dtype_size(image->dtype);
    for (uint32_t a = 0; a < p->image->n_args; a++) {
        const MgSx *sub = p->image->args[a];
        window |= mg_layout_mentions(p->l, p->piece, sub, true) &&
                  mg_layout_mentions(p->l, p->piece, sub, false);
        for (uint32_t i = p->piece->n_free; i < p->piece->n_indices; i++)
            if (is_index(p, sub, i) && extent(p, i) > 1 && extent(p, i) < p->to &&
                image->shape[a] == p->piece->indices[i].high) {
                p->axis = a;
                p->channel = i;
                found = true;
            }
    }
    return window && found && is_plain(p, p->image) && is_plain(p, p->weights) &&
           mg_sx_mentions(g->module, p->weights, p->channel) && !has_vectors(p);
}

static void rewrite(Pad *p) {
    MgGraph *g = p->l->g;
    MgModule *m = g->module;
    const MgSx *x = p->image, *w = p->weights, *subs[MG_LAYOUT_AXES];
    MgIx to = mg_ix_const(m->ix, p->to);
    MgValueId image = mg_op(g, p->id)->operands[x->operand];
    image = mg_layout_copy_last(p->l, p->id, image, p->axis, to, "_padded");
    uint32_t operand = mg_add_operand(g, p->id, image);
    MgOp *op = mg_op(g, p->id);
    op->equation = mg_arena_copy(m->arena, op->equation, 1, sizeof *op->equation);
    MgPiece *own = op->equation->pieces =
        mg_arena_copy(m->arena, op->equation->pieces, 1, sizeof *own);
    own->indices = mg_arena_copy(m->arena, own->indices, own->n_indices, sizeof *own->indices);
    own->indices[p->channel].high = to;
    for (uint32_t a = 0; a < x->n_args; a++)
        subs[mg_layout_last(p->axis, a, x->n_args)] = x->args[a];
    bool first = own->expr->args[0] == x;
    const MgSx *args[2];
    args[!first] = mg_sx_read(m, operand, x->dtype, subs, x->n_args, x->bounds, x->otherwise);
    args[first] = mg_sx_read(m, w->operand, w->dtype, w->args, w->n_args, MG_BOUNDS_ELSE,
                             mg_sx_const(m, w->dtype, 0));
    own->expr = mg_sx_prim(m, MG_PRIM_MUL, own->expr->dtype, args, 2);
    mg_normalise_operands(g, p->id, p->l->arena);
}

static bool pad(MgLayouts *l, MgOpId id) {
    const MgPiece *piece = &mg_op(l->g, id)->equation->pieces[0];
    if (piece->scatter || piece->expr->dtype != MG_F32)
        return false;
    for (uint32_t a = 0; a < 2; a++) {
        const MgSx *const *args = piece->expr->args;
        Pad p = {.l = l, .id = id, .piece = piece, .image = args[a], .weights = args[1 - a]};
        if (args[a]->kind == MG_SX_READ && args[1 - a]->kind == MG_SX_READ && find_channel(&p) &&
            mg_pass_may(l->context, id)) {
            rewrite(&p);
            return true;
        }
    }
    return false;
}

bool mg_layout_pad(MgLayouts *l) {
    bool changed = false;
    uint32_t n = l->g->ops.len;
    for (MgOpId id = 1; id < n && mg_layout_for_units(l); id++)
        changed |= mg_layout_is_contraction(l, id) && pad(l, id);
    return changed;
}
