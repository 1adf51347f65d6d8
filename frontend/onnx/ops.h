// For the files that define functions of rows: op_*.c, which the rows of ops_*.def name.
#ifndef MG_FRONTEND_ONNX_OPS_H
#define MG_FRONTEND_ONNX_OPS_H

#include "frontend/onnx/internal.h"

// MG_ONNX_OP(conv) { … } defines the function that FN("Conv", 1, conv, "…") names. text is the text
// of the row.
#define MG_ONNX_OP(fn) bool mg_onnx_op_##fn(MgOnnxNode *n, const char *text)

#define OP(name, since, said)
#define FN(name, since, fn, said) bool mg_onnx_op_##fn(MgOnnxNode *n, const char *text);
#define OP_IN(domain, name, since, said)
#define FN_IN(domain, name, since, fn, said) FN(name, since, fn, said)
#include "frontend/onnx/ops.def"
#undef OP
#undef FN
#undef OP_IN
#undef FN_IN

#endif
