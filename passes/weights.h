// Weights in a narrow type, everything else as it was: --weights-type.
//
// A factor of a sum of products of f32 that parameters alone decide is a weight: a parameter, or
// what is computed from parameters. In bf16 and f16 it is rounded:
//
//     y[i, j] = sum[k] x[i, k] * w[j, k]
//
// becomes
//
//     w_bf16[j, k]: bf16 = bf16(w[j, k])
//     y[i, j] = sum[k] x[i, k] * w_bf16[j, k]
//
// i8 and f8e4m3 have a scale for each output channel, which is each point of the axes that the
// result keeps. It leaves the sum, so the factor is exact in the narrow type:
//
//     w_most[j] = max[k] abs(w[j, k])
//     w_scale[j] = where(w_most[j] > 0, w_most[j] / 127, 1)
//     w_i8[j, k]: i8 = i8(round(w[j, k] / w_scale[j]))
//     y_sum[i, j] = sum[k] x[i, k] * f32(w_i8[j, k])
//     y[i, j] = y_sum[i, j] * w_scale[j]
//
// Weights never change, so the first run computes the narrow ones and later runs read these. This
// changes what the graph means, so the interpreter runs the changed graph, too. Parameters that
// training changes are no weights in this sense.
#ifndef MG_PASSES_WEIGHTS_H
#define MG_PASSES_WEIGHTS_H

#include "ir/graph.h"

// Changes a graph as sema made it, before any pass. narrow: MG_BF16, MG_F16, MG_I8 or MG_F8E4M3.
void mg_narrow_weights(MgGraph *g, MgDType narrow);

#endif
