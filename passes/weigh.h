// What the pass weigh and fuse share.
#ifndef MG_PASSES_WEIGH_H
#define MG_PASSES_WEIGH_H

#include "passes/attention.h"
#include "passes/pass.h"

// Does a kernel that computes the weights of these products by itself, and so keeps none, take less
// time than to write the weights and to read them? Steps with other readers are computed again, and
// read again what else decides the weights, which may be as large. `a` has no softmax; uses counts
// the uses of each value.
bool mg_weigh_pays(MgGraph *g, const MgPassContext *context, const MgAttention *a,
                   const uint32_t *uses);

// weigh_sums.c: is v the sum of a softmax? Then it is 0, NaN, or a number that has a reciprocal.
bool mg_is_softmax_sum(MgGraph *g, MgValueId v);
// Is x, in the equation of op, the exponential of an element minus the largest of its row? Then its
// operand is not above 0.
bool mg_is_softmax_power(MgGraph *g, MgOpId op, const MgSx *x);

// weigh_rows.c: what a run of the pass knows.
typedef struct MgWeighRows {
    MgMap fixed;         // the expressions whose rounding is fixed (ir/rounding.h)
    bool *done;          // by op: the steps that have been looked at
    MG_VEC(MgOpId) made; // ops that were made for some sum, and are used again for others
} MgWeighRows;

MgWeighRows mg_weigh_rows_begin(MgGraph *g, MgPassContext *context);
// Takes what steps compute for each row, or for each key, out of them. own: all steps are in one
// kernel, and no other op reads them. Returns whether anything changed.
bool mg_weigh_rows(MgGraph *g, MgPassContext *context, const MgAttention *a, bool own,
                   MgWeighRows *known);

#endif
