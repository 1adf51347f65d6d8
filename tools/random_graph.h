// The random graph on which modes of execution are compared. All tensors are square f32 matrices of
// one size. The first layer is linear with bias, the last is softmax; between them linear layers
// and ReLU stand at random places, so that half of all layers are linear. The same seed, size and
// depth give the same graph and the same weights everywhere.
#ifndef MG_TOOLS_RANDOM_GRAPH_H
#define MG_TOOLS_RANDOM_GRAPH_H

#include "support/diag.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct MgcSeed {
    const char *name;
    uint64_t seed;
} MgcSeed;
#define MGC_SEEDS 5
extern const MgcSeed mgc_seeds[MGC_SEEDS];

// One letter for each layer: L linear, R ReLU, S softmax. depth is at least 2. The string lives in
// the session's arena.
const char *mgc_random_layers(MgSession *session, uint64_t seed, uint32_t depth);
// Writes net.mg (graph net(x: f32[n, n]) -> (y: f32[n, n])) and its weights into the folder, and
// overwrites older files. Returns the path of net.mg, or NULL with a diagnostic.
const char *mgc_random_graph_write(MgSession *session, const char *folder, uint64_t seed,
                                   uint32_t depth, uint32_t n);
// Fills x with the graph's input, n * n numbers.
void mgc_random_input(uint64_t seed, uint32_t n, float *x);
// Multiplications and additions of the linear layers in one pass.
double mgc_random_flops(const char *layers, uint32_t n);

#endif
