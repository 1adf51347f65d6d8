// Operators of ops_legacy.def.
#include "frontend/onnx/ops.h"

// Input 1 with `behind` dimensions of 1 added at its end.
static const char *stretched(const MgOnnxNode *n, uint32_t behind) {
    MgText axes = mg_text(n->t->arena);
    for (uint32_t i = 0; i < behind; i++)
        mg_textf(&axes, "%s%u", i ? ", " : "", n->inputs[1]->type.rank + i);
    return behind ? mg_onnx_text(n, "unsqueeze($1, axes = [%s])", mg_text_str(&axes)) : "$1~";
}

// With `broadcast`, the second operand's dimensions are the first's from `axis` on, or its last.
MG_ONNX_OP(legacy_binary) {
    if (!mg_onnx_takes(n, 2))
        return false;
    uint32_t rank = n->inputs[0]->type.rank, other = n->inputs[1]->type.rank;
    int64_t axis = mg_onnx_int(n, "axis", (int64_t)rank - other);
    uint32_t behind = 0;
    if (mg_onnx_int(n, "broadcast", 0) && other < rank) {
        axis += axis < 0 ? rank : 0;
        if (axis < 0 || axis + other > rank)
            return mg_onnx_fail(n, "axis %lld, but there are %u and %u dimensions", (long long)axis,
                                rank, other);
        behind = rank - other - (uint32_t)axis;
    }
    return mg_onnx_give(n, 0, mg_onnx_text(n, "%s($0~, %s)", text, stretched(n, behind)));
}

// One slope, or one for each channel.
MG_ONNX_OP(legacy_prelu) {
    (void)text;
    if (!mg_onnx_takes(n, 2))
        return false;
    uint32_t rank = n->inputs[0]->type.rank;
    bool channels = n->inputs[1]->type.rank == 1 && rank > 2;
    return mg_onnx_give(n, 0,
                        mg_onnx_text(n, "prelu($0, %s)", channels ? stretched(n, rank - 2) : "$1"));
}
