// A piece of an equation while it is derived, for its adjoint (piece.c) or its tangent (tangent.c).
#ifndef MG_DERIVE_PART_H
#define MG_DERIVE_PART_H

#include "derive/internal.h"

// Its indices follow those of the extra dimensions; free ones begin at 0.
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
    const MgSx *body; // reads name values
    const MgSx *base; // of a scatter over a base: a read of the base at the place; else NULL
} Part;

// Opens a piece of the op. False if it has too many indices.
bool mg_part_open(Part *p, const MgPiece *piece);
// Gives the bound indices the ranges that the reducer's rule needs, which may change the body.
// False if that can't be done.
bool mg_part_settle(Part *p);
// A read of a value like the result, or of its adjoint (`extras`), where the piece writes.
const MgSx *mg_part_place(Part *p, MgValueId v, bool extras, const MgSx *otherwise);
// What the reducer lets through to (or from) the term at the piece's point, given g: the adjoint of
// the result, or the tangent of the term. NULL if there is no rule.
const MgSx *mg_part_term(Part *p, const MgSx *g);
// What the base of a scatter shares with the result, like the base: of the result's adjoint the
// base's own; or of the base's tangent what reaches the result. MG_NONE if there is no rule.
MgValueId mg_part_base(Part *p, MgValueId base, MgValueId g, MgSym name);

#endif
