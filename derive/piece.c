// The adjoint of one equation: each piece passes on what its reducer lets through, read by read.
#include "derive/part.h"

static bool derive_base(Part *p, MgValueId base, MgValueId adjoint) {
    MgDerivation *d = p->d;
    MgValueId shared = mg_part_base(p, base, adjoint, mg_adjoint_name(d, base));
    if (shared)
        mg_reach(d, base, shared);
    return shared;
}

static bool derive_piece(Part *p, const MgPiece *piece, MgValueId adjoint) {
    MgDerivation *d = p->d;
    MgShares shares = {0};
    if (!mg_part_open(p, piece))
        return false;
    if (p->base) {
        MgValueId base = p->base->operand;
        if (d->depends[base] && !derive_base(p, base, adjoint))
            return false;
    }
    if (!mg_flows(d, p->body))
        return true;
    if (!mg_part_settle(p))
        return false;
    const MgSx *g = mg_part_term(p, mg_part_place(p, adjoint, true, NULL));
    if (!g)
        return false;
    const MgSx *stored =
        p->reducer == MG_REDUCE_NONE ? mg_part_place(p, p->result, false, NULL) : NULL;
    if (!mg_spread(d, p->body, g, stored, &shares))
        return mg_derive_refuse(d, p->op, "its expression becomes too large");
    for (uint32_t i = 0; i < shares.len; i++)
        if (!mg_contribute(&p->draft, p->op, &shares.at[i]))
            return false;
    return true;
}

bool mg_derive_equation(MgDerivation *d, MgOpId op, MgValueId adjoint) {
    uint32_t n = mg_op(d->g, op)->equation->n_pieces;
    for (uint32_t i = 0; i < n; i++) {
        Part p = {.d = d, .op = op, .result = mg_op(d->g, op)->results[0]};
        if (!derive_piece(&p, &mg_op(d->g, op)->equation->pieces[i], adjoint))
            return false;
    }
    return true;
}
