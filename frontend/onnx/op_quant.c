// Operators of ops_quant.def. There is one scale or zero point for the whole tensor, for each slice
// along an axis, or for each block of it. The library has an operator for each case.
#include "frontend/onnx/ops.h"

static bool is_one(const MgOnnxNode *n, const MgOnnxValue *v) {
    int64_t size;
    return v->type.rank == 0 ||
           (v->type.rank == 1 && mg_onnx_const(n, v->type.shape[0], &size) && size == 1);
}

// Input k, one number, as a tensor of rank 0.
static const char *number(const MgOnnxNode *n, uint32_t k) {
    return n->inputs[k]->type.rank ? mg_onnx_text(n, "reshape($%u, shape = [])", k)
                                   : mg_onnx_text(n, "$%u", k);
}

// Input k, expanded to every position along an axis.
static const char *line(const MgOnnxNode *n, uint32_t k, MgIx count) {
    const char *size = mg_onnx_ix(n, count);
    return is_one(n, n->inputs[k]) ? mg_onnx_text(n, "full(%s, shape = [%s])", number(n, k), size)
                                   : mg_onnx_text(n, "$%u", k);
}

// Whether input k is absent, or known to be all zeros.
static bool is_zero(MgOnnxNode *n, uint32_t k) {
    MgOnnxValue *v = mg_onnx_input(n, k);
    int64_t c;
    if (!v)
        return true;
    if (!mg_onnx_numbers(n->t, v))
        return false;
    for (uint32_t i = 0; i < v->n_known; i++)
        if (v->known[i].real || !mg_onnx_const(n, v->known[i].ix, &c) || c)
            return false;
    return true;
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

// The scale in a shape that broadcasts to x. NULL after an error.
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
    int64_t to = zero ? zero->narrow : mg_onnx_int(n, "output_dtype", 0);
    uint32_t narrow = mg_onnx_is_narrow(to) ? (uint32_t)to : 0;
    const char *y, *scale;
    if (mg_onnx_is_narrow_float(narrow)) { // narrow floats have no zero point
        if (!(scale = scale_beside(n)))
            return false;
        // ONNX adds the zero point 0, so the sum is never -0.
        y = mg_onnx_text(n, "cast(add(div(%s, %s), 0.0), to = f32)", x, scale);
        y = mg_onnx_encoded(n, y, narrow);
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
    if (mg_onnx_is_narrow_float(narrow)) {
        const char *scale = scale_beside(n), *type = mg_dtype(n->inputs[1]->type.dtype)->name;
        return scale && mg_onnx_give(n, 0,
                                     mg_onnx_text(n, "mul(cast(%s, to = %s), %s)",
                                                  mg_onnx_decoded(n, "$0", narrow), type, scale));
    }
    const char *y = by_scale(n, text, "$0", zero ? mg_onnx_text(n, ", %s", number(n, 2)) : "",
                             zero ? ", $2" : "");
    return y && mg_onnx_give(n, 0, y);
}

// ---------------------------------------------------------------- products
// Input k as i32 minus its zero point, which holds one number for each row of a (row) or each
// column of b.
static const char *above(MgOnnxNode *n, uint32_t k, uint32_t zero, bool row) {
    if (is_zero(n, zero))
        return mg_onnx_text(n, "cast($%u, to = i32)", k);
    const MgOnnxValue *z = n->inputs[zero];
    bool turn = row && z->type.rank == 1 && !is_one(n, z);
    return mg_onnx_text(
        n, turn ? "above_zero($%u, unsqueeze($%u, axes = [1]))" : "above_zero($%u, $%u)", k, zero);
}

// Turns input k, if it is a vector, into a matrix whose dimension `axis` is 1.
static bool as_matrix(MgOnnxNode *n, uint32_t k, int axis) {
    if (n->inputs[k]->type.rank != 1)
        return n->inputs[k]->type.rank || mg_onnx_fail(n, "input %u has no dimension", k);
    n->inputs[k] =
        mg_onnx_let(n, "matrix", mg_onnx_text(n, "unsqueeze($%u, axes = [%d])", k, axis));
    return n->inputs[k] != NULL;
}

static const char *matrix_product(MgOnnxNode *n, uint32_t a, uint32_t az, uint32_t b, uint32_t bz) {
    MgOnnxValue *za = mg_onnx_input(n, az), *zb = mg_onnx_input(n, bz);
    bool plain = (is_zero(n, az) || is_one(n, za)) && (is_zero(n, bz) || is_one(n, zb));
    if (!plain)
        return mg_onnx_text(n, "matmul(%s, %s)", above(n, a, az, true), above(n, b, bz, false));
    const char *left = za ? mg_onnx_text(n, ", %s", number(n, az)) : "";
    const char *right = zb ? mg_onnx_text(n, ", %s", number(n, bz)) : "";
    if (zb && !za)
        left = mg_onnx_text(n, ", zeros(shape = [], type = %s)",
                            mg_dtype(n->inputs[a]->type.dtype)->name);
    return mg_onnx_text(n, "matmul_integer($%u, $%u%s%s)", a, b, left, right);
}

// The product of integers. A vector is a row on the left and a column on the right.
static const char *integer_product(MgOnnxNode *n, uint32_t a, uint32_t az, uint32_t b,
                                   uint32_t bz) {
    bool row = n->inputs[a]->type.rank == 1, column = n->inputs[b]->type.rank == 1;
    if (!as_matrix(n, a, 0) || !as_matrix(n, b, 1))
        return "_";
    const char *y = matrix_product(n, a, az, b, bz);
    const char *axes = row && column ? "[-2, -1]" : row ? "[-2]" : "[-1]";
    return row || column ? mg_onnx_text(n, "squeeze(%s, axes = %s)", y, axes) : y;
}

MG_ONNX_OP(matmul_integer) {
    (void)text;
    return mg_onnx_takes(n, 2) && mg_onnx_give(n, 0, integer_product(n, 0, 2, 1, 3));
}

// Input k, a scale of rows or columns, in a shape that broadcasts to the product.
static const char *scale_of(const MgOnnxNode *n, uint32_t k, bool row) {
    if (is_one(n, n->inputs[k]))
        return number(n, k);
    return mg_onnx_text(
        n, row && n->inputs[k]->type.rank == 1 ? "unsqueeze($%u, axes = [1])" : "$%u", k);
}

MG_ONNX_OP(qlinear_matmul) {
    (void)text;
    if (!mg_onnx_takes(n, 8))
        return false;
    MgOnnxValue *sums = mg_onnx_let(n, "sums", integer_product(n, 0, 2, 3, 5));
    if (!sums)
        return false;
    return mg_onnx_give(n, 0,
                        mg_onnx_text(n, "rescale(%s, div(mul(%s, %s), %s), %s)",
                                     mg_onnx_operand(n, sums), scale_of(n, 1, true),
                                     scale_of(n, 4, false), number(n, 6), number(n, 7)));
}

// Inputs x, w and, if they are given, their zero points; the window comes from attributes.
static const char *integer_conv(MgOnnxNode *n, uint32_t x, uint32_t xz, uint32_t w, uint32_t wz) {
    const MgOnnxValue *weight = n->inputs[w];
    MgOnnxWindow window;
    if (weight->type.rank < 3) {
        mg_onnx_fail(n, "its weight has %u dimensions; expected 3 or more", weight->type.rank);
        return "_";
    }
    if (!mg_onnx_window(n, n->inputs[x], weight->type.shape + 2, weight->type.rank - 2, false,
                        &window))
        return "_";
    const char *left = "", *right = "";
    if (!is_zero(n, wz))
        right = mg_onnx_text(n, ", %s", line(n, wz, weight->type.shape[0]));
    if (!is_zero(n, xz))
        left = mg_onnx_text(n, ", %s", number(n, xz));
    else if (*right)
        left = mg_onnx_text(n, ", zeros(shape = [], type = %s)",
                            mg_dtype(n->inputs[x]->type.dtype)->name);
    return mg_onnx_text(n, "conv_integer($%u, $%u%s%s%s{, groups = @group})", x, w, left, right,
                        window.text);
}

MG_ONNX_OP(conv_integer) {
    (void)text;
    return mg_onnx_takes(n, 2) && mg_onnx_give(n, 0, integer_conv(n, 0, 2, 1, 3));
}

MG_ONNX_OP(qlinear_conv) {
    (void)text;
    if (!mg_onnx_takes(n, 8))
        return false;
    const MgOnnxValue *weight = n->inputs[3];
    const char *product = integer_conv(n, 0, 2, 3, 5);
    if (mg_onnx_input(n, 8) && !n->failed) {
        MgText ones = mg_text(n->t->arena);
        for (uint32_t i = 2; i < weight->type.rank; i++)
            mg_textf(&ones, "%s%u", i > 2 ? ", " : "", i - 1);
        product =
            mg_onnx_text(n, "add(%s, unsqueeze($8, axes = [%s]))", product, mg_text_str(&ones));
    }
    MgOnnxValue *sums = n->failed ? NULL : mg_onnx_let(n, "sums", product);
    if (!sums)
        return false;
    return mg_onnx_give(n, 0,
                        mg_onnx_text(n, "requantize(%s, %s, %s, %s, %s)", mg_onnx_operand(n, sums),
                                     number(n, 1), line(n, 4, weight->type.shape[0]), number(n, 6),
                                     number(n, 7)));
}
