// Upper bounds of expressions over dimensions that data decide.
#ifndef MG_IR_IX_BOUND_H
#define MG_IR_IX_BOUND_H

#include "ir/ix.h"

// An expression that x doesn't exceed while each symbol s with highest(ctx, s, &to) lies between
// the symbol's least value and `to`. The other symbols stay. If x doesn't decrease as any of these
// symbols grows, it is x at their highest values. It is that, too, if a product with a factor that
// may be negative prevents any better bound.
MgIx mg_ix_upper(MgIxTable *t, MgIx x, MgIxMapFn *highest, void *ctx);

#endif
