// What the files of the pass rescore share.
#ifndef MG_PASSES_RESCORE_H
#define MG_PASSES_RESCORE_H

#include "passes/attention.h"
#include "passes/pass.h"

// An op that sums, over the keys of attention `a`, weights times a product with the values:
//
//   t(i) = f(sum[j] w(i, j) * (sum[c] g(i, c) * v(j, c)))
//
// The inner sums may change places, and one of them is attention's result y:
//
//   t(i) = f(sum[c] g(i, c) * y(i, c))
//
// Rewrites the op in this way, which needs no weights. f multiplies, or chooses between its
// argument and 0. A gain of the weights may be on either side. False, and nothing has changed, if
// the op has another form.
bool mg_rescore_rows(MgGraph *g, MgPassContext *context, const MgAttention *a, MgOpId id);

#endif
