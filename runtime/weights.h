// A graph's parameters, found in its weights file and checked against their declarations.
#ifndef MG_RUNTIME_WEIGHTS_H
#define MG_RUNTIME_WEIGHTS_H

#include "formats/safetensors.h"
#include "ir/graph.h"

typedef struct MgWeight {
    MgSym key;
    const char *name; // the key's text
    MgDType dtype;
    uint32_t rank;
    const int64_t *dims;
    const void *data; // aligned to its element, bools 0 or 1; it is in the file's bytes, or a copy
                      // if they had to be changed. NULL if the module's parameters get no values
    size_t bytes;
    const struct MgWeight *of; // the weight of another model whose data this is; NULL: its own
} MgWeight;

typedef struct MgWeights {
    MG_VEC(MgWeight) all; // each key once, in order of the graph's ops
    MgMap by_key;         // MgSym -> index
} MgWeights;

// Finds the weights: those of the file that the graph names (relative to the module's source),
// those that came with the module, or random ones if the module asks for them. Reports every
// parameter that is missing, or has another type or shape, at its line; nothing is converted. The
// data lives in the session.
bool mg_weights_find(MgGraph *g, MgWeights *weights);
// The same, but parameters with the key of a weight of `others`, which belong to the graph named
// `owner`, take its data. Their types and shapes must agree.
bool mg_weights_share(MgGraph *g, const MgWeights *others, const char *owner, MgWeights *weights);
// A type in messages: "f32[16, 8]".
const char *mg_weight_type(MgArena *arena, const char *dtype, uint32_t rank, const int64_t *dims);
const MgWeight *mg_weight(const MgWeights *weights, MgSym key); // NULL if there is none

#endif
