// Operators of ops_old.def, as they were before opset 7. Operands broadcast only if an attribute
// says so. Then the second operand's axes are aligned with those of the first, from a given axis
// on.
#include "frontend/onnx/ops.h"

// Appends axes of size 1 to input 1, so that its own axes begin at `axis` of input 0.
static bool put_at(MgOnnxNode *n, int64_t axis) {
    const MgOnnxValue *a = n->inputs[0], *b = n->inputs[1];
    int64_t behind = a->type.rank - axis - b->type.rank;
    if (axis < 0 || behind < 0)
        return mg_onnx_fail(n, "its axis is %lld: operands of ranks %u and %u don't fit so",
                            (long long)axis, a->type.rank, b->type.rank);
    MgIx *shape = MG_NEW_N(n->t->arena, MgIx, a->type.rank + 1);
    for (uint32_t i = 0; i < b->type.rank + (uint32_t)behind; i++)
        shape[i] = i < b->type.rank ? b->type.shape[i] : mg_ix_const(n->t->ix, 1);
    if (behind)
        n->inputs[1] =
            mg_onnx_let(n, "spread",
                        mg_onnx_text(n, "reshape($1, shape = %s)",
                                     mg_onnx_ix_list(n, shape, b->type.rank + (uint32_t)behind)));
    return n->inputs[1] != NULL;
}

MG_ONNX_OP(old_binary) {
    const MgOnnxValue *a = mg_onnx_input(n, 0), *b = mg_onnx_input(n, 1);
    if (!a || !b)
        return mg_onnx_fail(n, "it takes two inputs");
    int64_t axis = mg_onnx_int(n, "axis", (int64_t)a->type.rank - b->type.rank);
    axis += axis < 0 ? a->type.rank : 0;
    bool spread = mg_onnx_int(n, "broadcast", 0) && b->type.rank;
    return (!spread || put_at(n, axis)) && mg_onnx_give(n, 0, text);
}

// A slope with several elements has one for each channel.
MG_ONNX_OP(old_prelu) {
    (void)text;
    const MgOnnxValue *x = mg_onnx_input(n, 0), *slope = mg_onnx_input(n, 1);
    int64_t one = 0;
    if (!x || !slope)
        return mg_onnx_fail(n, "it takes two inputs");
    bool channels = slope->type.rank == 1 && x->type.rank > 1 &&
                    !(mg_onnx_const(n, slope->type.shape[0], &one) && one == 1);
    return (!channels || put_at(n, 1)) && mg_onnx_give(n, 0, "prelu($0, $1)");
}

MG_ONNX_OP(old_batch_norm) {
    if (!mg_onnx_int(n, "is_test", 0))
        return mg_onnx_unsupported(n, "training");
    return mg_onnx_op_batch_norm(n, text);
}

MG_ONNX_OP(old_dropout) {
    if (!mg_onnx_int(n, "is_test", 0))
        return mg_onnx_unsupported(n, "training");
    return mg_onnx_op_dropout(n, text);
}
