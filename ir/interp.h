// The reference interpreter computes the meaning of graph IR, element by element, and an error
// bound with each float.
//
// Scalar operations are correctly rounded in the compute type. Sums accumulate in f64 and round
// once. A declared result rounds once to its type. docs/architecture.md ("Numbers") gives the rules
// of the bounds. A backend's result passes if it lies within 8 bounds.
#ifndef MG_IR_INTERP_H
#define MG_IR_INTERP_H

#include "ir/tiled.h"
#include "support/threads.h"

typedef struct MgInterpTensor {
    MgDType dtype;
    uint32_t rank;
    int64_t *shape;
    size_t n;        // elements
    void *data;      // n elements of dtype, row-major
    double *bound;   // n absolute error bounds, or NULL (exact)
    uint8_t *exempt; // n flags: the element depends on a jump within its bound; or NULL
} MgInterpTensor;

typedef struct MgInterpOptions {
    bool bounds;            // carry error bounds (about 3 times slower)
    const MgTiledOp *tiled; // ops whose bounds also have the error of another algorithm
    uint32_t n_tiled;
    bool tf32;          // the bounds allow contractions to round their factors to tf32
    bool short_sums;    // and sums of products of floats of eight bits to keep few bits
    uint64_t max_steps; // the most scalar evaluations; a run that needs more fails. 0: no limit
    // They share the elements of large tensors, which are the same with any number of threads.
    // NULL: the caller works alone.
    MgThreads *threads;
    // Returns the bytes of parameter `key`, row-major, of the declared type and shape. Returns NULL
    // after it has reported a diagnostic.
    const void *(*param)(void *ctx, MgSym key, const MgValue *value, size_t bytes);
    void *ctx;
    // If not NULL, called with the results after each op of the top region (for bisecting).
    void (*observe)(void *ctx, MgGraph *g, MgOpId op, const MgInterpTensor *results, uint32_t n);
} MgInterpOptions;

// Runs g. Inputs and outputs are in port order, and the outputs live in the arena. Returns false
// after a diagnostic that names the line: a require failed, a checked read was outside, or a
// dimension was outside its bounds.
bool mg_interp(MgGraph *g, const MgInterpTensor *inputs, MgInterpTensor *outputs,
               const MgInterpOptions *options, MgArena *arena);

// Compares a backend's bytes with the interpreter's tensor by the bound rule.
typedef struct MgComparison {
    bool ok;
    size_t n, n_exempt, first_bad; // first_bad: the number of an element, if !ok
    double got, expected, bound;   // of element first_bad or, if ok, of the worst element
    double worst;                  // largest |got - expected| / bound
} MgComparison;
MgComparison mg_interp_compare(const MgInterpTensor *expected, const void *got);

#endif
