// Evaluation, where that is possible, of one primitive whose operands are simplified already.
#ifndef MG_PASSES_SIMPLIFY_H
#define MG_PASSES_SIMPLIFY_H

#include "ir/graph.h"

const MgSx *mg_simplify_prim(MgModule *m, const MgSx *x); // x itself where nothing applies

#endif
