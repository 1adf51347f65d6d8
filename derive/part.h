// A piece of an equation under derivation, for its adjoint (piece.c) or its tangent (tangent.c).
#ifndef MG_DERIVE_PART_H
#define MG_DERIVE_PART_H

#include "derive/internal.h"

// Its indices follow those of the extra dimensions. Free indices begin at 0.
typedef struct Part {
    MgDerivation *d;
    MgOpId op;
    MgValueId result;
    MgDraft draft;             // all its indices
    uint32_t first, n_free, n; // its indices: [first, n_free) are free, [n_free, n) bound
    MgReducer reducer;
    bool scatter;
    MgBounds write;
    MgTarget *target;
    const MgSx *body; // its reads name values
    const MgSx *base; // of a scatter over a base: a read of the base at the place; otherwise NULL
} Part;

// Opens a piece of the op. False if it has too many indices.
bool mg_part_open(Part *p, const MgPiece *piece);
// Gives the bound indices the ranges that the reducer's rule needs, which may change the body.
// False if that isn't possible.
bool mg_part_settle(Part *p);
// A read of a value shaped like the result, or like its adjoint (`extras`), at the place that the
// piece writes.
const MgSx *mg_part_place(Part *p, MgValueId v, bool extras, const MgSx *otherwise);
// The share of the term at the piece's point, given g. Backward, g is the adjoint of the result;
// forward, g is the tangent of the term and the result is its share of the result's tangent. NULL
// if there is no rule.
const MgSx *mg_part_term(Part *p, const MgSx *g);
// For the base of a scatter, given g: backward, the share of the base in the result's adjoint;
// forward, the share of the base's tangent in the result's tangent. MG_NONE if there is no rule.
MgValueId mg_part_base(Part *p, MgValueId base, MgValueId g, MgSym name);

#endif
