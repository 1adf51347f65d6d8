// Random graphs for the memory plan: from a seed, the text of a graph of matrices whose sizes
// differ by far, with n_ops ops; every value that nothing reads is an output. The text is in arena.
#ifndef MG_TESTS_RANDOM_MEMORY_H
#define MG_TESTS_RANDOM_MEMORY_H

#include "support/text.h"

const char *mg_random_memory(uint64_t seed, uint32_t n_ops, MgArena *arena);

#endif
