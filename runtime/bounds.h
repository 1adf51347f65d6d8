// The error bounds of what a model's code computes: what tests and `mgc bisect` check it by.
#ifndef MG_RUNTIME_BOUNDS_H
#define MG_RUNTIME_BOUNDS_H

#include "include/mg.h"
#include "ir/interp.h"

// `expected`, the outputs of the model's graph by the interpreter with bounds, with the errors added
// of the algorithms by which the model's code for these inputs computes ops otherwise than they are
// defined. The program of that code is made once more, since an object doesn't tell. What is
// returned lies in the arena. NULL with diagnostics in the model's session.
MgInterpTensor *mg_model_widen(MgModel *model, const MgContext *context,
                               const MgInterpTensor *inputs, const MgInterpTensor *expected,
                               MgArena *arena);

#endif
