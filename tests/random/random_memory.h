// Random graphs for the memory plan. From a seed, makes the text of a graph of n_ops ops over
// matrices of very different sizes. Every value that nothing reads is an output. The text lives in
// the arena.
#ifndef MG_TESTS_RANDOM_MEMORY_H
#define MG_TESTS_RANDOM_MEMORY_H

#include "support/text.h"

const char *mg_random_memory(uint64_t seed, uint32_t n_ops, MgArena *arena);

#endif
