// Derivatives of graph IR: the equations of an adjoint, made from those of a value.
//
// Reverse accumulation (Speelpenning 1980) over the ops between x and y. The derivative of a read
// is a write: y[s] = e, which reads x[t], adds de/dx[t] * d_y[s] to d_x[t]. If the indices of t can
// be solved for the place, the write becomes a sum over the other indices, which is an ordinary
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
// adjoint. NULL on failure.
typedef const MgSx *MgScalarRuleFn(void *ctx, const char *text, const MgSx *const *operands,
                                   uint32_t n, const MgSx *result, const MgSx *adjoint);

// A call of an op that states a derivative of its own. Only the front end knows the op.
typedef struct MgOwn {
    const void *call;
    const MgValueId *values; // the values of the call, in the front end's order: operands, then
                             // results
    uint32_t n_operands, n_results;
} MgOwn;
typedef MG_VEC(MgOwn) MgOwns;
// Evaluates the derivative in the region. adjoints has one entry per result. Fills in shares, one
// per operand: its adjoint, or MG_NONE. False after reporting an error.
typedef bool MgOwnRuleFn(void *ctx, const MgOwn *own, MgRegionId region, const MgValueId *adjoints,
                         MgValueId *shares);

// A request for derivatives. The caller owns everything; the equations are appended to `region`.
typedef struct MgDerive {
    MgGraph *g;
    MgRegionId region;
    MgOriginId origin; // of every new equation
    MgScalarRuleFn *rule;
    MgOwnRuleFn *own_rule;
    void *ctx;
    MgOwns *own;     // copies of loops' bodies are added; if several calls have the same result,
                     // the last counts
    MgValueId y;     // a float
    MgValueId along; // of the type of y: the result is the sum over y of along * dy/dx, shaped like
                     // x. MG_NONE: the result is dy/dx, which has the dimensions of y, then those
                     // of x
    MgValueId towards;   // of the type of the only x: the result is the sum over x of dy/dx *
                         // towards, shaped like y. MG_NONE otherwise; not with `along`
    const MgValueId *xs; // floats; they count as independent, whatever they were computed from
    uint32_t n_xs;
    MgValueId *results; // for each x: the derivative, or MG_NONE if no path of floats leads from it
                        // to y
    // If a derivative can't be made:
    MgOpId refused;     // the op that has none
    const char *reason; // why it has none; NULL if that was reported
} MgDerive;

// Makes the derivatives, each with the type of its x, in one walk. False, with `refused`, if an op
// between an x and y has no derivative.
bool mg_derive(MgDerive *derive);
// The text for an operand of a primitive (derivatives.def). NULL if the operand has no derivative.
const char *mg_derivative_text(MgPrim prim, uint32_t operand);

#endif
