// The error bounds of what a model's code computes; tests and `mgc bisect` check against them.
#ifndef MG_RUNTIME_BOUNDS_H
#define MG_RUNTIME_BOUNDS_H

#include "include/mg.h"
#include "ir/interp.h"

// Returns `expected`, the interpreter's outputs of the model's graph with their bounds, widened by
// the errors of the algorithms that the model's code for these inputs uses in place of definitions.
// The program of that code is made once more, since an object doesn't record its algorithms. The
// result lies in the arena. NULL after diagnostics in the model's session.
MgInterpTensor *mg_model_widen(MgModel *model, const MgContext *context,
                               const MgInterpTensor *inputs, const MgInterpTensor *expected,
                               MgArena *arena);

#endif
