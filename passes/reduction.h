// Ways to make a program smaller, one at a time, for mgc reduce and mgc bisect.
//
// A reduction does not preserve the meaning, and its result may be invalid: the caller prints the
// program, reads it back and tests it.
#ifndef MG_PASSES_REDUCTION_H
#define MG_PASSES_REDUCTION_H

#include "ir/graph.h"

typedef enum MgReduction {
    MG_REDUCE_GRAPHS,     // removes all graphs but one
    MG_REDUCE_OUTPUT,     // removes an output, and the ops that only it needed
    MG_REDUCE_EARLY,      // makes an op's result the only output
    MG_REDUCE_CUT,        // makes an op's result an input
    MG_REDUCE_BYPASS,     // replaces an op's result by one of its operands
    MG_REDUCE_EXPRESSION, // replaces an equation's expression by a part of it
    MG_REDUCE_INPUT,      // removes an input that nothing reads
    MG_REDUCTIONS
} MgReduction;

// Applies the k-th reduction of a kind to graph number `graph` of the module. False if there are at
// most k.
bool mg_reduce(MgModule *module, uint32_t graph, MgReduction kind, uint32_t k);

#endif
