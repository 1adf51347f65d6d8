// For the files that define rows' functions: op_*.c, which the rows of ops_*.def name.
#ifndef MG_FRONTEND_ONNX_OPS_H
#define MG_FRONTEND_ONNX_OPS_H

#include "frontend/onnx/internal.h"

// MG_ONNX_OP(conv) { … } defines the function that FN("Conv", 1, conv, "…") names. text is the
// row's.
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

// A window that slides over the axes after the first two: conv and pooling.
typedef struct MgOnnxWindow {
    uint32_t n; // number of dimensions
    MgOnnxInts stride, dilation;
    const MgIx *pad, *pad_end; // with auto_pad resolved
    const char *text;          // ", stride = 2, pad = 1": what differs from the defaults 1 and 0
} MgOnnxWindow;
// x: the image; kernel: its n sizes. with_stride: a stride of 1 is written too, because the
// operator's default differs. False after an error.
bool mg_onnx_window(MgOnnxNode *n, const MgOnnxValue *x, const MgIx *kernel, uint32_t dims,
                    bool with_stride, MgOnnxWindow *w);
// "2" if all are 2, else "[1, 2]".
const char *mg_onnx_short(const MgOnnxNode *n, const MgIx *at, uint32_t count);

#endif
