// Operators of ops_nn.def that need more than a template.
#include "frontend/onnx/ops.h"

// Can the dropout ratio be other than 0?
static bool drops(MgOnnxNode *n) {
    MgOnnxValue *ratio = mg_onnx_input(n, 1);
    return !ratio || !mg_onnx_numbers(n->t, ratio) || !ratio->known[0].real ||
           ratio->known[0].f != 0;
}

// Inference drops nothing, unless the model turns training on.
MG_ONNX_OP(dropout) {
    (void)text;
    MgOnnxValue *x = mg_onnx_input(n, 0), *training = mg_onnx_input(n, 2);
    int64_t on = 0;
    if (!x)
        return mg_onnx_fail(n, "input 0 is missing");
    if (n->opset < 7 && !mg_onnx_int(n, "is_test", 0))
        return mg_onnx_unsupported(n, "training");
    if (training && (!mg_onnx_numbers(n->t, training) || training->n_known != 1 ||
                     training->known[0].real || !mg_onnx_const(n, training->known[0].ix, &on)))
        return mg_onnx_unsupported(n, "training that is turned on when the graph runs");
    if (on && drops(n))
        return mg_onnx_give_all(n, mg_onnx_wants(n, 1) ? 2 : 1,
                                mg_onnx_text(n, "dropout($0, %s, %s)", mg_onnx_seed(n),
                                             mg_onnx_input(n, 1) ? "$1~" : "0.5"));
    if (mg_onnx_wants(n, 1) &&
        !mg_onnx_give(n, 1,
                      mg_onnx_text(n, "cast(ones(shape = %s, type = u8), to = %s)",
                                   mg_onnx_ix_list(n, x->type.shape, x->type.rank),
                                   n->opset >= 10 ? "bool" : mg_dtype(x->type.dtype)->name)))
        return false;
    return mg_onnx_same(n, 0, x);
}
