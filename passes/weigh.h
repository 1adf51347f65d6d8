// What the pass weigh and fuse share.
#ifndef MG_PASSES_WEIGH_H
#define MG_PASSES_WEIGH_H

#include "passes/attention.h"
#include "passes/pass.h"

// Does a kernel that computes the weights of these products by itself, and so keeps none, take less
// time than to write the weights and to read them? `a` has no softmax.
bool mg_weigh_pays(MgGraph *g, const MgPassContext *context, const MgAttention *a);

// weigh_rows.c: takes what steps compute for each row, or for each key, out of them. own: all steps
// are in one kernel, and no other op reads them. Ops that were made for other sums are in `made`,
// and are used again. Returns whether anything changed.
typedef MG_VEC(MgOpId) MgWeighMade;
bool mg_weigh_rows(MgGraph *g, MgPassContext *context, const MgAttention *a, bool own,
                   MgWeighMade *made);

#endif
