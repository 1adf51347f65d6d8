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

// Before opset 21 there is a weight for each group, and from then on one for each channel.
MG_ONNX_OP(group_norm) {
    (void)text;
    int64_t groups = mg_onnx_int(n, "num_groups", 0), channels;
    if (!mg_onnx_takes(n, 3) || groups < 1 || n->inputs[0]->type.rank < 2)
        return mg_onnx_fail(n, "it takes three tensors, and groups");
    const char *tail = mg_onnx_text(n, ", groups = %lld{, eps = @epsilon}", (long long)groups);
    if (n->opset >= 21)
        return mg_onnx_give(n, 0, mg_onnx_text(n, "group_norm($0, $1, $2%s)", tail));
    if (!mg_onnx_const(n, n->inputs[0]->type.shape[1], &channels) || channels % groups)
        return mg_onnx_fail(n, "the channels don't split into %lld groups", (long long)groups);
    long long each = (long long)(channels / groups);
    return mg_onnx_give(
        n, 0,
        mg_onnx_text(n, "group_norm($0, repeat($1, times = %lld), repeat($2, times = %lld)%s)",
                     each, each, tail));
}

MG_ONNX_OP(lp_norm) {
    (void)text;
    int64_t p = mg_onnx_int(n, "p", 2);
    if (p != 1 && p != 2)
        return mg_onnx_fail(n, "attribute 'p' is %lld; expected 1 or 2", (long long)p);
    return mg_onnx_give(
        n, 0, p == 1 ? "normalize1($0, axis = @axis=-1)" : "normalize($0, axis = @axis=-1)");
}

MG_ONNX_OP(mvn) {
    (void)text;
    return mg_onnx_give(n, 0,
                        mg_onnx_has(n, "axes") ? "standardize($0, axes = @axes)"
                                               : "standardize($0, axes = [0, 2, 3])");
}

MG_ONNX_OP(loss) {
    const char *call = mg_onnx_text(n, "%s($0, $1, $2?{, reduction = @reduction:word}%s)", text,
                                    "{, ignore = @ignore_index}");
    return mg_onnx_give_all(n, mg_onnx_wants(n, 1) ? 2 : 1, call);
}
