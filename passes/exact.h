// Which narrow type always holds an expression's value, so that nothing is lost in it.
#ifndef MG_PASSES_EXACT_H
#define MG_PASSES_EXACT_H

#include "ir/graph.h"

// Is every value that x, an expression of op's equation, can have a number of the type (or a NaN)?
// False where it is not obvious: reads, conversions, choices, signs and constants are looked into.
bool mg_sx_is_exact_in(MgGraph *g, const MgOp *op, const MgSx *x, MgDType type);

#endif
