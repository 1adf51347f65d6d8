// Operators of ops_quant.def. There is one scale or zero point for the whole tensor, for each slice
// along an axis, or for each block of it. The library has an operator for each case.
#include "frontend/onnx/ops.h"

#include "formats/tensor_proto.h"

static bool is_one(const MgOnnxNode *n, const MgOnnxValue *v) {
    int64_t size;
    return v->type.rank == 0 ||
           (v->type.rank == 1 && mg_onnx_const(n, v->type.shape[0], &size) && size == 1);
}

// Input k, a single number, as a tensor of rank 0.
static const char *number(const MgOnnxNode *n, uint32_t k) {
    return n->inputs[k]->type.rank ? mg_onnx_text(n, "reshape($%u, shape = [])", k)
                                   : mg_onnx_text(n, "$%u", k);
}

// ---------------------------------------------------------------- to small integers and back
// The zero points of a quantisation: the given ones, or zeros of the type that the node names, or
// of u8.
static const char *zero_points(MgOnnxNode *n, bool one) {
    MgDType type = MG_U8;
    int64_t wanted = mg_onnx_int(n, "output_dtype", 0);
    if (mg_onnx_input(n, 2))
        return one ? number(n, 2) : "$2";
    if (wanted && !mg_onnx_carrier(wanted, &type)) {
        mg_onnx_unsupported(n, "elements that are %s", mg_onnx_dtype_name(wanted));
        return "_";
    }
    return mg_onnx_text(n, "zeros(shape = %s, type = %s)",
                        one ? "[]"
                            : mg_onnx_ix_list(n, n->inputs[1]->type.shape, n->inputs[1]->type.rank),
                        mg_dtype(type)->name);
}

// Quantises or dequantises, depending on the scale's shape. NULL after an error.
static const char *by_scale(MgOnnxNode *n, const char *op, const char *x, const char *zero_one,
                            const char *zero_many) {
    const MgOnnxValue *scale = n->inputs[1];
    int64_t axis = mg_onnx_int(n, "axis", 1), block = mg_onnx_int(n, "block_size", 0);
    uint32_t rank = n->inputs[0]->type.rank;
    if (is_one(n, scale) && !block)
        return mg_onnx_text(n, "%s(%s, %s%s)", op, x, number(n, 1), zero_one);
    if (!mg_onnx_axis(n, &axis, rank))
        return NULL;
    if (block)
        return mg_onnx_text(n, "%s_blocks(%s, $1%s, block = %lld, axis = %lld)", op, x, zero_many,
                            (long long)block, (long long)axis);
    return mg_onnx_text(n, "%s_axis(%s, $1%s, axis = %lld)", op, x, zero_many, (long long)axis);
}

// The scale, in a shape that broadcasts to x. NULL after an error.
static const char *scale_beside(MgOnnxNode *n) {
    const MgScopeType *x = &n->inputs[0]->type;
    int64_t axis = mg_onnx_int(n, "axis", 1), block = mg_onnx_int(n, "block_size", 0), size;
    if (is_one(n, n->inputs[1]) && !block)
        return number(n, 1);
    if (!mg_onnx_axis(n, &axis, x->rank))
        return NULL;
    if (block && (!mg_onnx_const(n, x->shape[axis], &size) || size % block))
        return mg_onnx_unsupported(n, "an incomplete last block"), NULL;
    if (block)
        return mg_onnx_text(n, "repeat($1, times = %lld, axis = %lld)", (long long)block,
                            (long long)axis);
    MgText axes = mg_text(n->t->arena);
    for (uint32_t i = 1; axis + i < x->rank; i++)
        mg_textf(&axes, "%s%u", i > 1 ? ", " : "", i);
    return axis + 1 == x->rank ? "$1"
                               : mg_onnx_text(n, "unsqueeze($1, axes = [%s])", mg_text_str(&axes));
}

MG_ONNX_OP(quantize) {
    if (!mg_onnx_takes(n, 2))
        return false;
    MgDType type = n->inputs[1]->type.dtype;
    const char *x = n->inputs[0]->type.dtype == type
                        ? "$0"
                        : mg_onnx_text(n, "cast($0, to = %s)", mg_dtype(type)->name);
    const MgOnnxValue *zero = mg_onnx_input(n, 2);
    int64_t to = !zero          ? mg_onnx_int(n, "output_dtype", 0)
                 : zero->narrow ? zero->narrow
                                : mg_onnx_type_number(zero->type.dtype);
    uint32_t narrow = mg_onnx_is_narrow(to) ? (uint32_t)to : 0;
    MgDType plain;
    bool real = mg_onnx_dtype(to, &plain) && mg_is_float(plain);
    const char *y, *scale;
    if (real || mg_onnx_is_narrow_float(narrow)) { // floats have no zero point
        if (!(scale = scale_beside(n)))
            return false;
        // ONNX adds the zero point 0, so the sum is never -0.
        y = mg_onnx_text(n, "add(div(%s, %s), 0.0)", x, scale);
        y = real ? mg_onnx_rounded(n, y, type, plain)
                 : mg_onnx_encoded(n, mg_onnx_text(n, "cast(%s, to = f32)", y), narrow);
    } else {
        const char *one = mg_onnx_text(n, ", %s", zero_points(n, true));
        y = by_scale(n, text, x, one, mg_onnx_text(n, ", %s", zero_points(n, false)));
        if (y && narrow)
            y = mg_onnx_clipped(n, y, narrow);
    }
    if (!y || n->failed || !mg_onnx_give(n, 0, y))
        return false;
    n->outputs[0]->narrow = narrow;
    return true;
}

MG_ONNX_OP(dequantize) {
    if (!mg_onnx_takes(n, 2))
        return false;
    bool zero = mg_onnx_input(n, 2);
    uint32_t narrow = n->inputs[0]->narrow;
    bool coded = mg_onnx_is_narrow_float(narrow);
    if (coded || mg_is_float(n->inputs[0]->type.dtype)) {
        const char *scale = scale_beside(n), *type = mg_dtype(n->inputs[1]->type.dtype)->name;
        const char *x = coded ? mg_onnx_decoded(n, "$0", narrow) : "$0";
        return scale &&
               mg_onnx_give(n, 0, mg_onnx_text(n, "mul(cast(%s, to = %s), %s)", x, type, scale));
    }
    const char *y = by_scale(n, text, "$0", zero ? mg_onnx_text(n, ", %s", number(n, 2)) : "",
                             zero ? ", $2" : "");
    return y && mg_onnx_give(n, 0, y);
}
