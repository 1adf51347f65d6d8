// Which narrow type represents an expression's value exactly.
#ifndef MG_PASSES_EXACT_H
#define MG_PASSES_EXACT_H

#include "ir/graph.h"

// Is every value that x, an expression of op's equation, can have a number of the type (or NaN)?
// False if that is not obvious: the search looks into reads, conversions, choices, signs and
// constants, and into the ranges of sums and differences of integers.
bool mg_sx_is_exact_in(MgGraph *g, const MgOp *op, const MgSx *x, MgDType type);
// Is there a float type of 16 bits in which both factors of a product are exact? Matrix units
// multiply such factors.
bool mg_sx_are_exact_in_16(MgGraph *g, const MgOp *op, const MgSx *x, const MgSx *y);

#endif
