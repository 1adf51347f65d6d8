// Which operations must round exactly as defined, at every level and on every target.
//
// Near a jump of a function (floor, a comparison, a cast to an integer, a remainder, argmax,
// sorting), a difference in the last place of the operand may change the result by any amount. An
// error bound means nothing there, so the rounding itself must be the same. This is possible for
// *exact* values: those computed from inputs, parameters, constants and indices only by correctly
// rounded operations, moves and jumps. Sums of floats and transcendental functions are not exact,
// and neither is anything computed from them: a backend may add in another order and use another
// polynomial, so the jump of such a value is certain only up to its bound.
//
// An operation has *fixed rounding* if it is exact and a jump may depend on it, through any number
// of exact operations, in this op or a later one. A pass or schedule must not contract it into an
// fma, reassociate it, or replace it by another formula.
#ifndef MG_IR_ROUNDING_H
#define MG_IR_ROUNDING_H

#include "ir/graph.h"

typedef struct MgRounding {
    bool *exact;    // by value id: all its elements are exact
    bool *decisive; // by value id: it is exact, and a jump may depend on it
} MgRounding;

// Computes both for all values of g, in time linear in the size of the graph (times the depth of
// nested loops). The arrays live in arena.
MgRounding mg_rounding(MgGraph *g, MgArena *arena);
// Adds every exact expression of an equation to `exact` (the keys are nodes, as uintptr_t).
void mg_rounding_exact(const MgRounding *r, MgGraph *g, MgOpId op, MgMap *exact);
// Adds every expression of an equation that has fixed rounding to `fixed`. Nodes below such a node
// have it, too.
void mg_rounding_fixed(const MgRounding *r, MgGraph *g, MgOpId op, MgMap *fixed);
// Does the result of a primitive jump when its operands change continuously?
bool mg_sx_jumps(const MgSx *x);
static inline bool mg_sx_in(const MgMap *set, const MgSx *x) {
    return mg_map_find(set, (uint64_t)(uintptr_t)x) != NULL;
}

#endif
