// Random well-typed programs: a seed gives the text of a graph, and its inputs.
//
// They are valid by construction: every subscript, axis, size and domain is chosen so that the
// program compiles and runs. Sizes are small except in one program of four; they include 0, 1, odd
// numbers and open dimensions. Some programs have NaN, infinities, signed zeros and denormals among
// their inputs. The same seed gives the same program.
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
// A small program in which all dimensions are numbers.
MgRandomProgram *mg_random_closed(uint64_t seed, MgArena *arena);
// A program of layers at the sizes of real networks. Every fourth seed of mg_random_program gives
// one.
MgRandomProgram *mg_random_layers(uint64_t seed, MgArena *arena);
// A larger program with only products that share a factor, and ops that follow them.
MgRandomProgram *mg_random_siblings(uint64_t seed, MgArena *arena);

#endif
