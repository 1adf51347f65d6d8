// What the reads of an expression access, and how their addresses move along the symbols of loops:
// the one map that choices, kernels and the plan ask.
#include "passes/schedule/schedule.h"

#include "ir/equation.h"

bool mg_moves_by_one(MgIxTable *t, MgIx x, MgIxSym sym) {
    MgIx coefficient, rest;
    return mg_ix_linear(t, x, sym, &coefficient, &rest) && coefficient == mg_ix_const(t, 1);
}

MgIx mg_address(MgSched *s, MgValueId v, const MgIx *subs, uint32_t n, uint32_t depth) {
    MgIx address = mg_ix_const(s->ix, 0);
    const MgIx *shape = mg_value(s->g, v)->shape;
    const MgInWhole *at =
        s->placed ? &s->placed[v] : &(MgInWhole){0}; // it is known once storage is
    MgIx before = mg_ix_const(s->ix, 0);             // where the row begins
    for (uint32_t i = depth; i < n; i++) {
        if (at->in && i == at->axes) {
            before = mg_ix_mul(s->ix, address, at->step);
            address = mg_ix_const(s->ix, 0);
        }
        address = mg_ix_add(s->ix, mg_ix_mul(s->ix, address, shape[i]), subs[i]);
    }
    return mg_ix_add(s->ix, before, address);
}

bool mg_read_address(MgSched *s, MgValueId v, const MgSx *read, const MgIx *with, uint32_t n,
                     MgIx *address) {
    MgIx subs[64];
    if (!mg_read_subs(read, subs))
        return false;
    for (uint32_t i = 0; i < read->n_args; i++)
        subs[i] = mg_ix_subst_indices(s->ix, subs[i], with, n);
    *address = mg_address(s, v, subs, read->n_args, 0);
    return true;
}

MgIx mg_target_address(MgSched *s, const MgPiece *piece, MgValueId result, const MgIx *with,
                       uint32_t n_with, uint32_t depth) {
    MgIx subs[64];
    uint32_t rank = mg_value(s->g, result)->rank;
    for (uint32_t i = 0; i < rank; i++) {
        MgIx sub = piece->target[i].sub->ix;
        subs[i] = with ? mg_ix_subst_indices(s->ix, sub, with, n_with) : sub;
    }
    return mg_address(s, result, subs, rank, depth);
}

bool mg_read_is_inside_along(MgSched *s, MgValueId v, const MgSx *read, const MgIx *with,
                             uint32_t n, const MgIxRanges *ranges, MgIxSym sym) {
    MgIxTable *t = s->ix;
    MgIx subs[64];
    if (read->bounds == MG_BOUNDS_PROVED)
        return true;
    if (read->bounds == MG_BOUNDS_CHECKED || !mg_read_subs(read, subs))
        return false;
    for (uint32_t i = 0; i < read->n_args; i++) {
        MgIx sub = mg_ix_subst_indices(t, subs[i], with, n);
        MgIx extent = mg_value(s->g, v)->shape[i];
        if (mg_ix_mentions(t, sub, sym) && mg_inside(t, sub, extent, ranges, NULL, 0) != MG_PROVED)
            return false;
    }
    return true;
}

typedef struct Reads {
    MgSched *s;
    const MgOp *op;
    MG_VEC(MgAccess) all;
} Reads;

static void add_read(void *ctx, const MgSx *x) {
    Reads *r = ctx;
    if (x->kind == MG_SX_READ)
        mg_push(r->s->arena, &r->all, (MgAccess){.read = x, .value = r->op->operands[x->operand]});
}

MgAccesses mg_reads(MgSched *s, MgOpId op, const MgSx *x) {
    Reads r = {.s = s, .op = mg_op(s->g, op)};
    mg_sx_walk(x, add_read, &r);
    return (MgAccesses){r.all.at, r.all.len};
}

MgAccesses mg_accesses(MgSched *s, MgOpId op, const MgSx *x, const MgIx *with, uint32_t n) {
    MgAccesses all = mg_reads(s, op, x);
    for (uint32_t i = 0; i < all.n; i++) {
        MgAccess *a = &all.at[i];
        a->known = mg_read_address(s, a->value, a->read, with, n, &a->address);
    }
    return all;
}

MgMove mg_moves(const MgSched *s, const MgAccess *a, uint32_t index) {
    MgIxSym sym = mg_ix_index(s->ix, index);
    if (!a->known)
        return MG_JUMPS;
    return !mg_ix_mentions(s->ix, a->address, sym)   ? MG_STAYS
           : mg_moves_by_one(s->ix, a->address, sym) ? MG_STEPS
                                                     : MG_JUMPS;
}

bool mg_reads_at(const MgSched *s, const MgSx *read, uint32_t depth) {
    for (uint32_t i = 0; i < depth; i++)
        if (read->args[i]->kind != MG_SX_IX || read->args[i]->ix != mg_ix_idx(s->ix, i))
            return false;
    return true;
}
