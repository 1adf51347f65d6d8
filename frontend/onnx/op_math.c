// Operators of ops_math.def that need more than a template.
#include "frontend/onnx/ops.h"

// The exponent may have another type. The result has the base's.
MG_ONNX_OP(pow) {
    (void)text;
    MgOnnxValue *base = mg_onnx_input(n, 0), *exponent = mg_onnx_input(n, 1);
    if (!base || !exponent)
        return mg_onnx_fail(n, "it takes two inputs");
    const char *type = mg_dtype(base->type.dtype)->name;
    bool whole = !mg_is_float(base->type.dtype);
    if (!whole && base->type.dtype == exponent->type.dtype)
        return mg_onnx_give(n, 0, "pow($0~, $1~)");
    if (!whole)
        return mg_onnx_give(n, 0, mg_onnx_text(n, "pow($0, cast($1, to = %s))", type));
    if (!mg_is_float(exponent->type.dtype))
        return mg_onnx_give(n, 0, "pow_int($0, $1)");
    return mg_onnx_give(
        n, 0, mg_onnx_text(n, "cast(pow(cast($0, to = f64), cast($1, to = f64)), to = %s)", type));
}
