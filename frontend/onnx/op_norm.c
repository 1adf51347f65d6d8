// Operators of ops_norm.def that need more than a template.
#include "frontend/onnx/ops.h"

// Whether the operand has the dimensions of x from the axis on.
static bool same_tail(const MgOnnxValue *x, const MgOnnxValue *v, uint32_t axis) {
    bool same = v->type.rank == x->type.rank - axis;
    for (uint32_t i = 0; same && i < v->type.rank; i++)
        same = v->type.shape[i] == x->type.shape[axis + i];
    return same;
}

MG_ONNX_OP(layer_norm) {
    (void)text;
    if (!mg_onnx_takes(n, 1))
        return false;
    const MgOnnxValue *x = n->inputs[0], *scale = mg_onnx_input(n, 1), *bias = mg_onnx_input(n, 2);
    int64_t axis = mg_onnx_int(n, "axis", -1);
    if (!mg_onnx_axis(n, &axis, x->type.rank))
        return false;
    bool plain = (!scale || same_tail(x, scale, (uint32_t)axis)) &&
                 (!bias || (scale && same_tail(x, bias, (uint32_t)axis)));
    const char *how = "{, axis = @axis}{, eps = @epsilon}";
    const char *y = mg_onnx_text(n, plain ? "layer_norm($0, $1?, $2?%s)" : "layer_norm($0%s)", how);
    if (!plain && scale)
        y = mg_onnx_text(n, "mul(%s, $1)", y);
    if (!plain && bias)
        y = mg_onnx_text(n, "add(%s, $2)", y);
    if (!mg_onnx_give(n, 0, y))
        return false;
    if (!mg_onnx_wants(n, 1) && !mg_onnx_wants(n, 2))
        return true;
    return mg_onnx_give_from(n, 1, 2, mg_onnx_text(n, "layer_norm_stats($0%s)", how));
}
