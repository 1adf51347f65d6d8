// The table of operators, from ops.def.
#include "frontend/onnx/ops.h"

const MgOnnxRow mg_onnx_rows[] = {
#define OP(name, since, said) {"", name, since, NULL, said},
#define FN(name, since, fn, said) {"", name, since, mg_onnx_op_##fn, said},
#define OP_IN(domain, name, since, said) {domain, name, since, NULL, said},
#define FN_IN(domain, name, since, fn, said) {domain, name, since, mg_onnx_op_##fn, said},
#include "frontend/onnx/ops.def"
    {NULL, NULL, 0, NULL, NULL}};
