// Operators of ops_elementwise.def that need more than a template.
#include "frontend/onnx/ops.h"

#include "formats/tensor_proto.h"

MG_ONNX_OP(cast_like) {
    (void)text;
    if (!mg_onnx_takes(n, 2))
        return false;
    const MgOnnxValue *like = n->inputs[1];
    return mg_onnx_cast(n, like->narrow ? like->narrow : mg_onnx_type_number(like->type.dtype));
}
