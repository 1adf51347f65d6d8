// Operators of ops_elementwise.def that need more than a template.
#include "frontend/onnx/ops.h"

#include "runtime/tensor_proto.h"

// With fmod the remainder has the dividend's sign, otherwise the divisor's.
MG_ONNX_OP(mod) {
    (void)text;
    return mg_onnx_give(n, 0, mg_onnx_int(n, "fmod", 0) ? "rem($0~, $1~)" : "mod($0~, $1~)");
}

MG_ONNX_OP(mean) {
    if (n->n_inputs < 2)
        return mg_onnx_op_variadic(n, text);
    const char *so_far = "$0~";
    for (uint32_t i = 1; i < n->n_inputs; i++)
        so_far = mg_onnx_text(n, "add(%s, $%u~)", so_far, i);
    return mg_onnx_give(n, 0, mg_onnx_text(n, "div(%s, %u)", so_far, n->n_inputs));
}

MG_ONNX_OP(cast_like) {
    (void)text;
    if (!mg_onnx_takes(n, 2))
        return false;
    const MgOnnxValue *like = n->inputs[1];
    return mg_onnx_cast(n, like->narrow ? like->narrow : mg_onnx_type_number(like->type.dtype));
}

MG_ONNX_OP(bit_shift) {
    (void)text;
    const char *direction = mg_onnx_str(n, "direction", "");
    bool left = !strcmp(direction, "LEFT");
    if (!left && strcmp(direction, "RIGHT") != 0)
        return mg_onnx_fail(n, "attribute 'direction' is '%s'; expected LEFT or RIGHT", direction);
    return mg_onnx_give(n, 0, left ? "shift_left($0, $1)" : "shift_right($0, $1)");
}

MG_ONNX_OP(gelu) {
    (void)text;
    bool tanh = !strcmp(mg_onnx_str(n, "approximate", "none"), "tanh");
    return mg_onnx_give(n, 0, tanh ? "gelu_tanh($0)" : "gelu($0)");
}

// text: a factor, or nothing.
MG_ONNX_OP(swish) {
    if (*text && !mg_onnx_takes(n, 2))
        return false;
    bool plain = mg_onnx_float(n, "alpha", 1) == 1;
    const char *y = mg_onnx_text(n, plain ? "silu($0)" : "mul($0, sigmoid(mul($0, @alpha)))");
    return mg_onnx_give(n, 0, *text ? mg_onnx_text(n, "mul(%s, %s)", y, text) : y);
}
