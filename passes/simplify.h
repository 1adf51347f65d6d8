// Evaluates a primitive whose operands are already simplified, if that is possible.
#ifndef MG_PASSES_SIMPLIFY_H
#define MG_PASSES_SIMPLIFY_H

#include "ir/graph.h"

const MgSx *mg_simplify_prim(MgModule *m, const MgSx *x); // x itself if nothing applies

#endif
