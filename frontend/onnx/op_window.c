// Operators of ops_window.def.
#include "frontend/onnx/ops.h"

static const MgIx *sizes_of(MgOnnxNode *n, MgOnnxInts ints) {
    MgIx *out = MG_NEW_N(n->t->arena, MgIx, ints.n + 1);
    for (uint32_t i = 0; i < ints.n; i++)
        out[i] = mg_ix_const(n->t->ix, ints.at[i]);
    return out;
}

// ", name = …" for a list attribute with an entry for each dimension; nothing if it is absent.
static const char *list_of(MgOnnxNode *n, const char *attribute, const char *name, uint32_t dims) {
    MgOnnxInts ints = mg_onnx_ints(n, attribute);
    if (!ints.given || n->failed)
        return "";
    if (ints.n != dims) {
        mg_onnx_fail(n, "attribute '%s' has %u numbers, expected %u", attribute, ints.n, dims);
        return "";
    }
    return mg_onnx_text(n, ", %s = %s", name, mg_onnx_short(n, sizes_of(n, ints), dims));
}

// If the node asks for a size (by `output_shape`, or by `auto_pad`, which means x's size times the
// stride), the padding follows from it. An odd element goes to the front, except with SAME_UPPER.
MG_ONNX_OP(conv_transpose) {
    (void)text;
    if (!mg_onnx_takes(n, 2))
        return false;
    const MgOnnxValue *x = n->inputs[0], *weight = n->inputs[1];
    if (weight->type.rank < 3 || x->type.rank != weight->type.rank)
        return mg_onnx_fail(n, "the image has %u dimensions, the weight %u", x->type.rank,
                            weight->type.rank);
    uint32_t dims = weight->type.rank - 2;
    const char *automatic = mg_onnx_str(n, "auto_pad", "NOTSET");
    bool same = !strncmp(automatic, "SAME_", 5);
    MgOnnxInts shape = mg_onnx_ints(n, "output_shape"), strides = mg_onnx_ints(n, "strides");
    const char *how = mg_onnx_text(
        n, "%s%s%s{, groups = @group}", list_of(n, "strides", "stride", dims),
        list_of(n, "dilations", "dilation", dims), list_of(n, "output_padding", "out_pad", dims));
    if (n->failed)
        return false;
    if (!same && !shape.given) {
        MgOnnxWindow w;
        if (!mg_onnx_window(n, x, weight->type.shape + 2, dims, false, &w))
            return false;
        const char *out = list_of(n, "output_padding", "out_pad", dims);
        return mg_onnx_give(n, 0,
                            mg_onnx_text(n, "conv_transpose($0, $1, $2?%s%s%s)", w.text, out,
                                         "{, groups = @group}"));
    }
    MgIx *extent = MG_NEW_N(n->t->arena, MgIx, dims);
    if (shape.given && shape.n < dims)
        return mg_onnx_fail(n, "attribute 'output_shape' has %u numbers, expected %u", shape.n,
                            dims);
    for (uint32_t i = 0; i < dims; i++)
        extent[i] = shape.given
                        ? mg_ix_const(n->t->ix, shape.at[shape.n - dims + i])
                        : mg_ix_mul(n->t->ix, x->type.shape[2 + i],
                                    mg_ix_const(n->t->ix, strides.given ? strides.at[i] : 1));
    const char *later = !strcmp(automatic, "SAME_UPPER") ? "" : ", end_larger = false";
    return mg_onnx_give(n, 0,
                        mg_onnx_text(n, "conv_transpose_to($0, $1, $2?, extent = %s%s%s)",
                                     mg_onnx_ix_list(n, extent, dims), how, later));
}

MG_ONNX_OP(col2im) {
    (void)text;
    MgOnnxSizes image = mg_onnx_sizes(n, NULL, 1), block = mg_onnx_sizes(n, NULL, 2);
    MgOnnxInts pads = mg_onnx_ints(n, "pads");
    if (n->failed || !image.given || block.n != image.n || (pads.given && pads.n != 2 * image.n))
        return mg_onnx_fail(n, "it takes the sizes of the image and of a block, equally many");
    const MgIx *pad = sizes_of(n, pads);
    const char *padded =
        pads.given ? mg_onnx_text(n, ", pad = %s, pad_end = %s", mg_onnx_short(n, pad, image.n),
                                  mg_onnx_short(n, pad + image.n, image.n))
                   : "";
    return mg_onnx_give(n, 0,
                        mg_onnx_text(n, "fold($0, extent = %s, kernel = %s%s%s%s)",
                                     mg_onnx_ix_list(n, image.at, image.n),
                                     mg_onnx_short(n, block.at, block.n),
                                     list_of(n, "strides", "stride", image.n),
                                     list_of(n, "dilations", "dilation", image.n), padded));
}

// The indices refer to the size that the window gives. A larger wanted size adds zeros at the end.
MG_ONNX_OP(max_unpool) {
    (void)text;
    MgOnnxWindow w;
    MgOnnxInts kernel = mg_onnx_ints(n, "kernel_shape");
    if (!mg_onnx_takes(n, 2) || !kernel.n)
        return mg_onnx_fail(n, "it needs an image, places and attribute 'kernel_shape'");
    const MgIx *sizes = sizes_of(n, kernel);
    if (!mg_onnx_window(n, n->inputs[0], sizes, kernel.n, true, &w))
        return false;
    const char *y = mg_onnx_text(n, "max_unpool($0, $1, kernel = %s%s)",
                                 mg_onnx_short(n, sizes, kernel.n), w.text);
    if (!mg_onnx_input(n, 2))
        return mg_onnx_give(n, 0, y);
    MgOnnxSizes wanted = mg_onnx_sizes(n, NULL, 2);
    MgOnnxValue *small = n->failed ? NULL : mg_onnx_let(n, "unpooled", y);
    if (!small || wanted.n != small->type.rank)
        return mg_onnx_fail(n, "the wanted shape has %u numbers", wanted.n);
    MgIx *more = MG_NEW_N(n->t->arena, MgIx, wanted.n);
    int64_t *none = MG_NEW_N(n->t->arena, int64_t, wanted.n);
    for (uint32_t i = 0; i < wanted.n; i++)
        more[i] = mg_ix_sub(n->t->ix, wanted.at[i], small->type.shape[i]);
    return mg_onnx_give(n, 0,
                        mg_onnx_text(n, "pad(%s, before = %s, after = %s)",
                                     mg_onnx_operand(n, small), mg_onnx_list(n, none, wanted.n),
                                     mg_onnx_ix_list(n, more, wanted.n)));
}
