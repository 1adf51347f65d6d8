// The reference interpreter: the meaning of graph IR, element by element, each float with its error
// bound.
//
// Scalar operations are correctly rounded in the compute type, sums accumulate in f64 and round
// once; declared results round once to their type. The bound of each element follows the rules of
// docs/architecture.md ("Numbers"): a backend's result passes if it lies within 8 bounds.
#ifndef MG_IR_INTERP_H
#define MG_IR_INTERP_H

#include "ir/graph.h"

typedef struct MgInterpTensor {
    MgDType dtype;
    uint32_t rank;
    int64_t *shape;
    size_t n;      // elements
    void *data;    // n elements of dtype, row-major
    double *bound; // n absolute error bounds, or NULL (exact)
    uint8_t
        *exempt; // n flags: the element depends on a comparison or jump within its bound; or NULL
} MgInterpTensor;

typedef struct MgInterpOptions {
    bool bounds;            // carry error bounds (about 3 times slower)
    bool fast_convolutions; // of the class that -O3 has: what a convolution of 3 by 3 may be off
                            // anywhere, it may be off everywhere
    bool tf32;              // the bounds allow for factors of contractions rounded to tf32
    uint64_t max_steps; // scalar evaluations, 0: no limit; past it the run fails with a diagnostic
    // Bytes of parameter `key` (row-major, dtype and shape as declared) or NULL with a diagnostic
    // made.
    const void *(*param)(void *ctx, MgSym key, const MgValue *value, size_t bytes);
    void *ctx;
    // Called after each op of the top region with its results, if not NULL (for bisecting).
    void (*observe)(void *ctx, MgGraph *g, MgOpId op, const MgInterpTensor *results, uint32_t n);
} MgInterpOptions;

// Runs g. inputs and outputs are in port order; outputs are made in the arena. False with a
// diagnostic that names the line: a failed require, a checked read outside, a dim outside its
// bounds.
bool mg_interp(MgGraph *g, const MgInterpTensor *inputs, MgInterpTensor *outputs,
               const MgInterpOptions *options, MgArena *arena);

// Compares a backend's bytes with the interpreter's tensor by the bound rule.
typedef struct MgComparison {
    bool ok;
    size_t n, n_exempt, first_bad; // first_bad: element number, if !ok
    double got, expected, bound;   // of first_bad, or of the worst element
    double worst;                  // largest |got - expected| / bound
} MgComparison;
MgComparison mg_interp_compare(const MgInterpTensor *expected, const void *got);

#endif
