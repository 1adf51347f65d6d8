// Mixed precision: matrix products in sixteen bits, everything else in f32.
//
// In a sum of products of matrices (MG_CONTRACTS_MATRICES) of f32, each factor is rounded to the
// narrow type, and so is the result:
//
//     y[i, j] = sum[k] a[i, k] * b[k, j]
//
// becomes
//
//     a_bf16[i, k]: bf16 = bf16(a[i, k])
//     b_bf16[k, j]: bf16 = bf16(b[k, j])
//     y[i, j] = sum[k] a_bf16[i, k] * b_bf16[k, j]
//     y_bf16[i, j]: bf16 = bf16(y[i, j])
//
// Readers of y then read y_bf16, as f32. If the only reader adds a bias, its result is rounded
// instead: once, and so it is stored. The products and their sum stay f32, and so do parameters: in
// training these are the master weights. A derivative with respect to a parameter is not rounded,
// since an update follows in the same kernel; nor is a sum over a base. A bias's gradient is the
// sum of the rounded values that the weights' gradient has as a factor, so only these are stored.
// This changes what the graph means, so the interpreter runs the changed graph, too.
#ifndef MG_PASSES_AUTOCAST_H
#define MG_PASSES_AUTOCAST_H

#include "ir/graph.h"

// Changes a graph as sema made it, before any pass. narrow: MG_BF16 or MG_F16.
void mg_autocast(MgGraph *g, MgDType narrow);

#endif
