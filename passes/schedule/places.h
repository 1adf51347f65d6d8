// Writes to computed places: the target of a scatter.
#ifndef MG_PASSES_SCHEDULE_PLACES_H
#define MG_PASSES_SCHEDULE_PLACES_H

#include "passes/schedule/form.h"

// Indices such that no two of their values meet in one element, in the order of the target
// subscripts that move with them; and both as sets of bits.
typedef struct MgApart {
    uint32_t ones[MG_FORM_SYMS], moves[MG_FORM_SYMS], n;
    uint64_t set, moving;
} MgApart;
// piece is one of a result of this rank.
MgApart mg_apart(const MgSched *s, const MgPiece *piece, uint32_t rank);

// The row-major number of these target subscripts at the point, which is one of the piece's op. p
// continues where they are inside.
const MgKx *mg_point_place(MgPoint *p, const MgPiece *piece, uint64_t which);

#endif
