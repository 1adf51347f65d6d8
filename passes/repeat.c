// repeat: on a GPU, each group that sums products with a row computes the row itself.
//
//   m[]  = mean[i] x[i]                        becomes   m[o]    = mean[i] x[i]
//   n[i] = x[i] - m[]                                    n[o, i] = x[i] - m[o]
//   y[o] = sum[i] n[i] * w[o, i]                         y[o]    = sum[i] n[o, i] * w[o, i]
//
// So a token's normalised row needs no kernel of its own: fuse makes all three one group of rows,
// in which a schedule computes what is the same for all rows once for each group of items. A kernel
// takes longer to begin than such a row takes to compute, but not if very many groups do so.
//
// Needs: siblings and inline before it, which leave a row with one reader, and fuse after it.
// Keeps: every value, and the order of every sum. The row and what leads to it have no other
// readers; what else they read stays stored. Ends: each sum is looked at once, and reads no such
// row afterwards.
#include "passes/remat.h"
#include "passes/rewrite.h"

#include <string.h>

enum { MAX_MEMBERS = 16, MAX_INDICES = 16 };

typedef struct Repeat {
    MgGraph *g;
    MgModule *m;
    MgPassContext *context;
    MgReaders readers;
    const bool *pinned; // by value: its shape stays
    MgOpId sum;
    MgPiece of_sum;
    MgOpId members[MAX_MEMBERS]; // each before those that it reads, but for the last ones
    uint32_t n_members;
} Repeat;

static const MgPiece *piece_of(const Repeat *r, MgOpId op) {
    return &mg_op(r->g, op)->equation->pieces[0];
}

static uint32_t width_axes(const Repeat *r) { // of the row
    return r->of_sum.n_indices - r->of_sum.n_free;
}

static bool is_plain(const Repeat *r, MgOpId id) {
    const MgOp *op = mg_op(r->g, id);
    const MgPiece *p = mg_only_piece(op);
    if (!p || op->equation->has_base || mg_traits(r->g, id).view)
        return false;
    return mg_piece_is_plain(r->g, p, op->results[0]) && !mg_piece_is_scanned(r->m, p) &&
           p->n_indices + r->of_sum.n_free <= MAX_INDICES;
}

static bool is_member(const Repeat *r, MgOpId op) {
    bool is = op == r->sum;
    for (uint32_t i = 0; i < r->n_members; i++)
        is |= r->members[i] == op;
    return is;
}

// Is the value read by nothing but members? Its equation may then be computed as often as they are.
static bool is_inside(const Repeat *r, MgValueId v) {
    bool is = v < r->readers.g->values.len && !r->pinned[v];
    for (uint32_t i = r->readers.first[v]; is && i < r->readers.first[v + 1]; i++)
        is = is_member(r, r->readers.ops[i]);
    return is;
}

// May the op be computed again by each group? It must be a row, or one number for the row.
static bool may_repeat(const Repeat *r, MgOpId id) {
    if (!id || is_member(r, id) || !is_plain(r, id) ||
        mg_op(r->g, id)->region != mg_op(r->g, r->sum)->region)
        return false;
    const MgPiece *p = piece_of(r, id);
    bool row = p->n_free == width_axes(r);
    bool reduces = p->reducer != MG_REDUCE_NONE;
    return is_inside(r, mg_op(r->g, id)->results[0]) &&
           mg_piece_contraction(r->m, p) < MG_CONTRACTS_VECTORS &&
           (reduces ? !p->n_free && mg_traits(r->g, id).row : row || !p->n_free);
}

// Takes what members read and nothing else does, until there is no more.
static void take_members(Repeat *r) {
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < r->n_members; i++) {
            const MgOp *op = mg_op(r->g, r->members[i]);
            for (uint32_t k = 0; k < op->n_operands && r->n_members < MAX_MEMBERS; k++) {
                MgOpId def = mg_value(r->g, op->operands[k])->def;
                if (!may_repeat(r, def))
                    continue;
                r->members[r->n_members++] = def;
                more = true;
            }
        }
    }
}

// ---------------------------------------------------------------- the row

typedef struct Reads { // of a member, or of all
    const Repeat *r;
    MgOpId reader, member; // MG_NONE: all
    bool any, straight;    // they are at the point, or of a number
} Reads;

static void see_read(void *ctx, const MgSx *x) {
    Reads *reads = ctx;
    const Repeat *r = reads->r;
    if (x->kind != MG_SX_READ)
        return;
    MgOpId def = mg_value(r->g, mg_op(r->g, reads->reader)->operands[x->operand])->def;
    if (!def || (reads->member ? def != reads->member : !is_member(r, def)))
        return;
    uint32_t first = reads->reader == r->sum ? r->of_sum.n_free : 0;
    reads->any = true;
    reads->straight &= x->bounds == MG_BOUNDS_PROVED && (!x->n_args || x->n_args == width_axes(r));
    for (uint32_t i = 0; i < x->n_args && reads->straight; i++)
        reads->straight =
            x->args[i]->kind == MG_SX_IX && x->args[i]->ix == mg_ix_idx(r->m->ix, first + i);
}

static Reads reads_of(const Repeat *r, MgOpId reader, MgOpId member) {
    Reads reads = {r, reader, member, false, true};
    mg_sx_walk(piece_of(r, reader)->expr, see_read, &reads);
    return reads;
}

// Finds the row that the sum reads, and what leads to it. Some of that must be a reduction, else
// the row is an ordinary factor.
static bool find_row(Repeat *r) {
    const MgOp *op = mg_op(r->g, r->sum);
    bool reduces = false;
    for (uint32_t k = 0; k < op->n_operands && !r->n_members; k++) {
        MgOpId def = mg_value(r->g, op->operands[k])->def;
        if (!may_repeat(r, def) || !piece_of(r, def)->n_free)
            continue;
        Reads reads = reads_of(r, r->sum, def);
        if (reads.any && reads.straight)
            r->members[r->n_members++] = def;
    }
    take_members(r);
    for (uint32_t i = 0; i < r->n_members; i++)
        reduces |= piece_of(r, r->members[i])->reducer != MG_REDUCE_NONE;
    return reduces;
}

// Reads of members get the sum's free indices as their first subscripts.
static const MgSx *read_repeated(void *ctx, const MgSx *x) {
    const Repeat *r = ((const Repeat *const *)ctx)[0];
    MgOpId reader = *((const MgOpId *const *)ctx)[1];
    MgOpId def = x->kind == MG_SX_READ
                     ? mg_value(r->g, mg_op(r->g, reader)->operands[x->operand])->def
                     : MG_NONE;
    if (!def || def == r->sum || !is_member(r, def))
        return x;
    uint32_t n = r->of_sum.n_free;
    const MgSx **args = MG_NEW_N(r->m->arena, const MgSx *, n + x->n_args);
    for (uint32_t i = 0; i < n; i++)
        args[i] = mg_sx_ix(r->m, MG_I64, mg_ix_idx(r->m->ix, i));
    for (uint32_t i = 0; i < x->n_args; i++)
        args[n + i] = x->args[i];
    return mg_sx_read(r->m, x->operand, x->dtype, args, n + x->n_args, x->bounds, x->otherwise);
}

static const MgSx *with_reads(const Repeat *r, MgOpId reader, const MgSx *x) {
    const void *ctx[] = {r, &reader};
    return mg_sx_rewrite(r->m, x, read_repeated, ctx);
}

// Will all be one kernel? Its rows have one known width, and each element is read at its own
// position only. What isn't computed in the kernel would be stored for each row of the sum.
static bool fits(Repeat *r) {
    const MgIndex *width = r->of_sum.indices + r->of_sum.n_free;
    bool fits = reads_of(r, r->sum, MG_NONE).straight;
    for (uint32_t k = 0; k < width_axes(r); k++)
        fits &= mg_ix_is_const(r->m->ix, width[k].high, NULL);
    for (uint32_t i = 0; i < r->n_members && fits; i++) {
        const MgPiece *p = piece_of(r, r->members[i]);
        fits = reads_of(r, r->members[i], MG_NONE).straight &&
               (!p->n_indices || p->n_indices == width_axes(r));
        for (uint32_t k = 0; k < p->n_indices && fits; k++)
            fits = p->indices[k].low == width[k].low && p->indices[k].high == width[k].high;
    }
    MgPiece sum = r->of_sum;
    sum.expr = with_reads(r, r->sum, sum.expr);
    return fits && mg_piece_contraction(r->m, &sum) < MG_CONTRACTS_VECTORS;
}

// Do all groups take less time for the row than the beginning of a kernel? Enough items share a row
// of the sum to keep it in registers, and to give all units work.
static bool pays(const Repeat *r) {
    const MgMachine *machine = r->context->machine;
    const MgPiece *p = &r->of_sum;
    double rows = mg_remat_points(r->g, p, 0, p->n_free),
           width = mg_remat_points(r->g, p, p->n_free, p->n_indices);
    if (rows < 2 || width < 2 || width > machine->lone_row)
        return false; // it would not be one kernel
    double items = rows * width / machine->row_kept, all = machine->units * machine->row_unit_items;
    double groups = (items > all ? items : all) / machine->row_items, ns = 0;
    for (uint32_t i = 0; i < r->n_members; i++) {
        const MgPiece *own = piece_of(r, r->members[i]);
        ns += mg_remat_points(r->g, own, 0, own->n_indices) *
              mg_remat_point_ns(r->context, own->expr);
    }
    return groups * ns < machine->after_kernel;
}

// ---------------------------------------------------------------- rewriting

// Puts the sum's free indices before the member's own.
static void repeat(Repeat *r, MgOpId id) {
    MgArena *arena = r->m->arena;
    MgPiece p = *piece_of(r, id);
    MgValue *v = mg_value(r->g, mg_op(r->g, id)->results[0]);
    uint32_t n = r->of_sum.n_free;
    MgIndex *indices = MG_NEW_N(arena, MgIndex, n + p.n_indices);
    MgIx with[MAX_INDICES], *shape = MG_NEW_N(arena, MgIx, n + v->rank);
    memcpy(indices, r->of_sum.indices, n * sizeof *indices);
    memcpy(indices + n, p.indices, p.n_indices * sizeof *indices);
    for (uint32_t i = n; i-- > 0;) {
        MgPiece behind = {.indices = indices + i + 1, .n_indices = n + p.n_indices - i - 1};
        indices[i].name = mg_unused_index(r->g, &behind, indices[i].name);
    }
    for (uint32_t i = 0; i < p.n_indices; i++)
        with[i] = mg_ix_idx(r->m->ix, n + i);
    for (uint32_t i = 0; i < n + v->rank; i++)
        shape[i] = indices[i].high;
    p.expr = with_reads(r, id, mg_sx_subst_indices(r->m, p.expr, with, p.n_indices));
    p.indices = indices;
    p.n_free += n;
    p.n_indices += n;
    v->rank += n;
    v->shape = shape;
    p.target = mg_plain_target(r->m, v->rank);
    mg_op(r->g, id)->equation = mg_equation_of(r->m, p);
}

static bool repeat_row(Repeat *r, MgOpId sum) {
    r->sum = sum;
    r->n_members = 0;
    r->of_sum = (MgPiece){0};
    if (!is_plain(r, sum))
        return false;
    MgPiece p = r->of_sum = *piece_of(r, sum);
    if (p.reducer != MG_REDUCE_SUM || !p.n_free ||
        mg_piece_contraction(r->m, &p) != MG_CONTRACTS_VECTORS || !mg_traits(r->g, sum).row ||
        !find_row(r) || !fits(r) || !pays(r) || !mg_pass_may(r->context, sum))
        return false;
    for (uint32_t i = 0; i < r->n_members; i++)
        repeat(r, r->members[i]);
    p.expr = with_reads(r, sum, p.expr);
    mg_op(r->g, sum)->equation = mg_equation_of(r->m, p);
    return true;
}

bool mg_pass_repeat(MgGraph *g, MgPassContext *context) {
    bool changed = false, *pinned = MG_NEW_N(context->scratch, bool, g->values.len);
    if (!context->gpu || context->strict)
        return false;
    mg_pin_shapes(g, pinned);
    Repeat r = {.g = g,
                .m = g->module,
                .context = context,
                .readers = mg_readers(g, context->scratch),
                .pinned = pinned};
    for (MgOpId id = 1; id < g->ops.len; id++)
        changed |= repeat_row(&r, id);
    return changed;
}
