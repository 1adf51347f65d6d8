// Operators of ops_old.def, as they were before opset 7. Operands broadcast only if an attribute
// says so. Then the second operand's axes are aligned with those of the first, from a given axis
// on.
#include "frontend/onnx/ops.h"

MG_ONNX_OP(old_dropout) {
    if (!mg_onnx_int(n, "is_test", 0))
        return mg_onnx_unsupported(n, "training");
    return mg_onnx_op_dropout(n, text);
}
