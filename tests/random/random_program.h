// Random well-typed programs: from a seed, the text of a graph and its inputs.
//
// Valid by construction: every subscript, axis, size and domain is chosen so that the program
// compiles and runs. Sizes are small but for one program in four, and include 0, 1, odd ones and
// dimensions known only when the graph is bound. A share of programs has NaN, infinities, signed
// zeros and denormals among its inputs. The same seed gives the same program.
#ifndef MG_TESTS_RANDOM_PROGRAM_H
#define MG_TESTS_RANDOM_PROGRAM_H

#include "ir/types.h"
#include "support/text.h"

typedef struct MgRandomInput {
    const char *name;
    MgDType dtype;
    uint32_t rank;
    int64_t shape[8];
    size_t n; // elements
    void *data;
} MgRandomInput;

typedef struct MgRandomProgram {
    uint64_t seed;
    const char *text; // one graph named `random`
    uint32_t n_inputs;
    MgRandomInput *inputs; // in port order
} MgRandomProgram;

MgRandomProgram *mg_random_program(uint64_t seed, MgArena *arena);
// One of layers of the sizes that networks have: every fourth seed of mg_random_program gives one.
MgRandomProgram *mg_random_layers(uint64_t seed, MgArena *arena);
// One of products that share a factor alone, and what follows them, of larger sizes.
MgRandomProgram *mg_random_siblings(uint64_t seed, MgArena *arena);

#endif
