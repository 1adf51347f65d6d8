// Gradients of several batches for one update.
//
// A training graph computes gradients from a batch and next values from gradients. To learn from
// batches that don't fit into memory together, the gradients of several batches are added up, and
// the next values follow from their mean. The graph gets a parameter for the sum of each gradient,
// and one for the number of the batch:
//
//     sum[i…] = where(batch[] <= 1, gradient[i…], before[i…] + gradient[i…])
//     mean[i…] = sum[i…] / batch[]
//
// Whatever used the gradient uses the mean. So no optimiser needs to know, and the sums need no
// zeros to begin with. The runtime runs this graph for the last batch of a step, and for those
// before it the same graph without the next values that are complete with the last (MgTurn of
// ir/graph.h).
#ifndef MG_PASSES_ACCUMULATE_H
#define MG_PASSES_ACCUMULATE_H

#include "ir/graph.h"

// Changes a graph as sema made it, before any pass. False after a diagnostic: there is no
// derivative with respect to a parameter, or a next value would depend only on the last batch.
bool mg_accumulate(MgGraph *g);

// Makes next values of a training graph empty: all of them, or those that only the whole step
// needs, for the batches that are not the last. What led to them alone is dropped with dead ops.
// The ports keep their numbers.
void mg_leave_out_next(MgGraph *g, bool all);

#endif
