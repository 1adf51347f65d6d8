// The largest value of an expression over what data decide.
#ifndef MG_IR_IX_BOUND_H
#define MG_IR_IX_BOUND_H

#include "ir/ix.h"

// An expression that x doesn't exceed while each symbol s with highest(ctx, s, &to) lies between
// the symbol's least value and `to`. The other symbols stay. It is x at the highest values if x
// doesn't fall as any of them grows, or if a product of what may be negative tells nothing else.
MgIx mg_ix_upper(MgIxTable *t, MgIx x, MgIxMapFn *highest, void *ctx);

#endif
