// Ways to make a program smaller, one at a time: what mgc reduce and mgc bisect try.
//
// Each keeps the program well-formed or leaves something that does not read back, and the caller
// prints, reads back and tests it; none keeps the meaning.
#ifndef MG_PASSES_REDUCTION_H
#define MG_PASSES_REDUCTION_H

#include "ir/graph.h"

typedef enum MgReduction {
    MG_REDUCE_GRAPHS,     // all but one graph go
    MG_REDUCE_OUTPUT,     // an output goes, and what it alone needed
    MG_REDUCE_EARLY,      // an op's result is the only output
    MG_REDUCE_CUT,        // what an op computes is given from outside
    MG_REDUCE_BYPASS,     // an op's result is one of its operands
    MG_REDUCE_EXPRESSION, // an equation computes a part of its expression
    MG_REDUCE_INPUT,      // an input that nothing reads goes
    MG_REDUCTIONS
} MgReduction;

// Applies the k-th reduction of a kind to the module, whose graph number `graph` it works on. False
// if there are not so many.
bool mg_reduce(MgModule *module, uint32_t graph, MgReduction kind, uint32_t k);

#endif
