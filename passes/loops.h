// Changes to what a loop carries and emits.
#ifndef MG_PASSES_LOOPS_H
#define MG_PASSES_LOOPS_H

#include "ir/graph.h"

// The op of the region that is, or holds, the op; MG_NONE if it is elsewhere.
MgOpId mg_op_in(MgGraph *g, MgRegionId region, MgOpId id);
// What the loop's body yields: the next values, then the emitted ones.
const MgOp *mg_loop_yield(MgGraph *g, MgOpId loop);
// Is it a loop of the trips 0..trips that belongs to a derivative?
bool mg_is_backward_loop(MgGraph *g, MgOpId id, MgIx trips);
// Adds a carried value to the loop, behind the others. Its parameter must be the body's last.
// Returns the result, which gets the name.
MgValueId mg_loop_carry(MgGraph *g, MgOpId loop, MgValueId init, MgValueId next, MgSym name);
// Takes emitted values out of the loop; nothing may use the results. drop: by number of the result.
void mg_loop_drop(MgGraph *g, MgOpId loop, const bool *drop);
// v[i0, …] = 0 in front of the op. like: the shape and the type.
MgValueId mg_zeros(MgGraph *g, MgOpId before, const MgValue *like, MgSym name);

#endif
