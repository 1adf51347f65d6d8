// Random values for a graph's parameters, so that a graph can run before it has been trained.
//
// The scale of a parameter follows from its shape and its use. A factor of a sum keeps the variance
// of what it multiplies (uniform, variance 1 / fan-in), a scale is near 1, a term near 0, and a
// divisor or the operand of a root is positive. So values neither vanish nor overflow on their way
// through a deep network.
#ifndef MG_RUNTIME_WEIGHTS_RANDOM_H
#define MG_RUNTIME_WEIGHTS_RANDOM_H

#include "ir/graph.h"

// Reads "random" or "random:SEED", where SEED is an integer; or "initial" with the same seed, which
// gives parameters their stated initial values. False if text is neither.
bool mg_random_weights_parse(const char *text, uint64_t *seed, bool *initial);

// Fills `data` with `count` elements of the parameter `value`. They depend on its key, type, shape
// and uses and on the seed, and on nothing else in the graph.
void mg_random_weight(const MgReaders *readers, MgSym key, MgValueId value, uint64_t seed,
                      void *data, size_t count);

#endif
