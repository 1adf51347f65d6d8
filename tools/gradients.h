// Compares derivatives with central differences, for mgc check-gradients.
//
// A graph is written in f64, with one output y at a time and a weight g for each of its elements.
// For each input or parameter x that y reads, derivative(y, x, along = g) is compared with (L(x + h
// v) - L(x - h v)) / 2h, where L = sum g * y. The interpreter computes both, along random
// directions v and for single elements. derivative(y, x, towards = v), which is made by a forward
// walk in other code, is compared with both.
#ifndef MG_TOOLS_GRADIENTS_H
#define MG_TOOLS_GRADIENTS_H

#include "ir/interp.h"

typedef enum MgGradientVerdict {
    MG_GRADIENT_RIGHT,
    MG_GRADIENT_WRONG,
    MG_GRADIENT_ZERO,      // no path of floats, and no difference
    MG_GRADIENT_NONE,      // refused: `why` gives the reason
    MG_GRADIENT_UNDECIDED, // every point that was drawn is near a jump, a tie or an infinity
    MG_GRADIENT_NOT_RUN    // the graph cannot be written in f64, or doesn't run on the drawn
                           // numbers
} MgGradientVerdict;
enum { MG_GRADIENT_VERDICTS = MG_GRADIENT_NOT_RUN + 1 };

typedef struct MgGradient {
    const char *y, *x; // an output, and an input or parameter
    MgGradientVerdict verdict;
    const char *why;          // of NONE and NOT_RUN
    double worst;             // largest difference, relative to the derivative's size
    double derived, measured; // at that place
    int64_t element;          // the element of that place; -1: along a direction
} MgGradient;

typedef struct MgGradientCheck {
    MgGraph *graph;  // its dimensions are constants
    MgGraph *stated; // the same, with the derivatives that ops state (MgLowerOptions); NULL: none
    uint64_t seed;   // all random numbers follow from it
    uint32_t most;   // each output is checked with respect to at most this many parameters, evenly
                     // spread; 0: all
    const void *const *integers; // by input that is not a float, its elements; NULL: 0 or 1, at
                                 // random
} MgGradientCheck;

// Checks every pair of the graph, except pairs with next values of parameters, and reports each;
// the texts live during the call.
void mg_check_gradients(const MgGradientCheck *check,
                        void (*tell)(void *ctx, const MgGradient *gradient), void *ctx);

#endif
