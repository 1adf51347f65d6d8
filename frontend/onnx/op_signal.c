// Operators of ops_signal.def.
#include "frontend/onnx/ops.h"

#include "frontend/spell.h"
#include "support/map.h"

// ---------------------------------------------------------------- random numbers
// The bits of the node's seed. A node without one derives it from its result's name.
const char *mg_onnx_seed(MgOnnxNode *n) {
    const char *name = n->n_outputs ? n->proto->output[0] : "";
    uint64_t s = mg_hash(name, strlen(name), 0);
    const Onnx__AttributeProto *a = mg_onnx_attribute(n, "seed");
    if (a && a->has_i && !a->has_f) {
        s = (uint64_t)a->i;
    } else if (a) {
        float given = (float)mg_onnx_float(n, "seed", 0);
        uint32_t bits;
        memcpy(&bits, &given, sizeof bits);
        s = bits;
    }
    return mg_onnx_text(n, "%llu", (unsigned long long)s);
}
