// Derivatives of graph IR: the equations of an adjoint, made from those of a value.
//
// Reverse accumulation (Speelpenning 1980) over the ops between x and y. The derivative of a read
// is a write: y[s] = e, which reads x[t], adds de/dx[t] * d_y[s] to d_x[t]. Where the indices of t
// can be solved for the place, the write is turned into a sum over the other indices, an ordinary
// equation; otherwise it stays a computed write. So derivatives are equations like any other: they
// are printed, read back, optimised, and have derivatives of their own.
//
// Forward accumulation (Wengert 1964) gives the change of y for a change of x, by the same rules.
//
// Subscripts, ranges, conditions and integers are positions; they have no derivative.
#ifndef MG_DERIVE_DERIVE_H
#define MG_DERIVE_DERIVE_H

#include "ir/graph.h"

// Evaluates a text of derivatives.def over the operands of a primitive, its result and the result's
// adjoint. NULL if it can't.
typedef const MgSx *MgScalarRuleFn(void *ctx, const char *text, const MgSx *const *operands,
                                   uint32_t n, const MgSx *result, const MgSx *adjoint);

// A call of an op that states a derivative of its own. What the op is, only the front end knows.
typedef struct MgOwn {
    const void *call;
    const MgValueId *values; // what the call had, in the front end's order: operands, then results
    uint32_t n_operands, n_results;
} MgOwn;
typedef MG_VEC(MgOwn) MgOwns;
// Evaluates the derivative in the region. adjoints: of each result. Fills in shares: of each
// operand, or MG_NONE. False after reporting an error.
typedef bool MgOwnRuleFn(void *ctx, const MgOwn *own, MgRegionId region, const MgValueId *adjoints,
                         MgValueId *shares);

// A derivative to be made. The caller owns everything; the equations are appended to `region`.
typedef struct MgDerive {
    MgGraph *g;
    MgRegionId region;
    MgOriginId origin; // of every equation that is made
    MgScalarRuleFn *rule;
    MgOwnRuleFn *own_rule;
    void *ctx;
    MgOwns *own;     // copies of loops' bodies join them; a value may be a result of the last only
    MgValueId y;     // a float
    MgValueId along; // like y: the sum over y of along * dy/dx, shaped like x; or MG_NONE: dy/dx,
                     // which has the dimensions of y, then those of x
    MgValueId towards;   // like the one x: the sum over x of dy/dx * towards, shaped like y; or
                         // MG_NONE. Not with `along`.
    const MgValueId *xs; // floats; they count as independent, whatever they were made from
    uint32_t n_xs;
    MgValueId *results; // of each x: the derivative, or MG_NONE if no path of floats leads to y
    // Of a derivative that can't be made:
    MgOpId refused;     // the op that has none
    const char *reason; // why it has none; NULL if that was reported
} MgDerive;

// Makes the derivatives, each of its x's type, in one walk. False with `refused` if some op between
// an x and y has none.
bool mg_derive(MgDerive *derive);
// The text for an operand of a primitive (derivatives.def), or NULL if it gets no derivative.
const char *mg_derivative_text(MgPrim prim, uint32_t operand);

#endif
