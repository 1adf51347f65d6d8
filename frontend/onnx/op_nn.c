// Operators of ops_nn.def that need more than a template.
#include "frontend/onnx/ops.h"

// The usual layer becomes linear(x, weight, bias). Anything more general becomes gemm.
MG_ONNX_OP(gemm) {
    (void)text;
    const MgOnnxValue *c = mg_onnx_input(n, 2);
    if (!mg_onnx_takes(n, 2))
        return false;
    double alpha = mg_onnx_float(n, "alpha", 1), beta = mg_onnx_float(n, "beta", 1);
    bool ta = mg_onnx_int(n, "transA", 0), tb = mg_onnx_int(n, "transB", 0);
    const MgScopeType *b = &n->inputs[1]->type;
    bool bias = !c || (c->type.rank == 1 && b->rank == 2 && c->type.shape[0] == b->shape[0]);
    if (tb && !ta && alpha == 1 && beta == 1 && bias)
        return mg_onnx_give(n, 0, "linear($0, $1, $2?)");
    MgText how = mg_text(n->t->arena);
    if (alpha != 1)
        mg_textf(&how, ", alpha = %s", mg_float_str(n->t->arena, alpha, true));
    if (beta != 1 && c)
        mg_textf(&how, ", beta = %s", mg_float_str(n->t->arena, beta, true));
    mg_textf(&how, "%s%s", ta ? ", transpose_a = true" : "", tb ? ", transpose_b = true" : "");
    return mg_onnx_give(n, 0, mg_onnx_text(n, "gemm($0, $1, $2?%s)", mg_text_str(&how)));
}

// ---------------------------------------------------------------- windows
const char *mg_onnx_short(const MgOnnxNode *n, const MgIx *at, uint32_t count) {
    bool same = count > 0;
    for (uint32_t i = 1; i < count; i++)
        same &= at[i] == at[0];
    return same ? mg_onnx_ix(n, at[0]) : mg_onnx_ix_list(n, at, count);
}

static const MgIx *as_ix(MgOnnxNode *n, MgOnnxInts ints, uint32_t from, uint32_t count,
                         int64_t otherwise) {
    MgIx *out = MG_NEW_N(n->t->arena, MgIx, count + 1);
    for (uint32_t i = 0; i < count; i++)
        out[i] = mg_ix_const(n->t->ix, ints.given ? ints.at[from + i] : otherwise);
    return out;
}

// SAME gives ceil(size / stride) positions, with the padding that this takes.
static void same_pads(MgOnnxNode *n, const MgOnnxValue *x, const MgIx *kernel, const MgIx *stride,
                      const MgIx *dilation, bool lower, uint32_t dims, MgIx *pad, MgIx *pad_end) {
    MgIxTable *ix = n->t->ix;
    MgIx one = mg_ix_const(ix, 1), two = mg_ix_const(ix, 2), zero = mg_ix_const(ix, 0);
    for (uint32_t i = 0; i < dims; i++) {
        MgIx size = x->type.shape[2 + i];
        MgIx places = mg_ix_neg(ix, mg_ix_div(ix, mg_ix_neg(ix, size), stride[i]));
        MgIx reach = mg_ix_add(
            ix, mg_ix_mul(ix, mg_ix_sub(ix, places, one), stride[i]),
            mg_ix_add(ix, one, mg_ix_mul(ix, mg_ix_sub(ix, kernel[i], one), dilation[i])));
        MgIx all = mg_ix_max(ix, zero, mg_ix_sub(ix, reach, size));
        MgIx half = mg_ix_div(ix, all, two), rest = mg_ix_sub(ix, all, half);
        pad[i] = lower ? rest : half;
        pad_end[i] = lower ? half : rest;
    }
}

static bool all_are(const MgOnnxNode *n, const MgIx *at, uint32_t count, int64_t value) {
    int64_t c;
    for (uint32_t i = 0; i < count; i++)
        if (!mg_ix_is_const(n->t->ix, at[i], &c) || c != value)
            return false;
    return true;
}

static bool as_many(MgOnnxNode *n, const char *name, MgOnnxInts ints, uint32_t count) {
    return !ints.given || ints.n == count ||
           mg_onnx_fail(n, "attribute '%s' has %u numbers, expected %u", name, ints.n, count);
}

bool mg_onnx_window(MgOnnxNode *n, const MgOnnxValue *x, const MgIx *kernel, uint32_t dims,
                    bool with_stride, MgOnnxWindow *w) {
    MgOnnxInts pads = mg_onnx_ints(n, "pads");
    const char *automatic = mg_onnx_str(n, "auto_pad", "NOTSET");
    *w = (MgOnnxWindow){
        .n = dims, .stride = mg_onnx_ints(n, "strides"), .dilation = mg_onnx_ints(n, "dilations")};
    if (x->type.rank != dims + 2)
        return mg_onnx_fail(n, "the image has %u dimensions, the window %u", x->type.rank, dims);
    if (!as_many(n, "strides", w->stride, dims) || !as_many(n, "dilations", w->dilation, dims) ||
        !as_many(n, "pads", pads, 2 * dims))
        return false;
    const MgIx *stride = as_ix(n, w->stride, 0, dims, 1);
    const MgIx *dilation = as_ix(n, w->dilation, 0, dims, 1);
    for (uint32_t i = 0; i < dims; i++) {
        if ((w->stride.given && w->stride.at[i] < 1) ||
            (w->dilation.given && w->dilation.at[i] < 1))
            return mg_onnx_fail(n, "strides and dilations begin at 1");
    }
    bool same = !strncmp(automatic, "SAME_", 5), none = !strcmp(automatic, "VALID");
    MgIx *pad = mg_arena_copy(n->t->arena, as_ix(n, none ? (MgOnnxInts){0} : pads, 0, dims, 0),
                              dims + 1, sizeof *pad);
    MgIx *end = mg_arena_copy(n->t->arena, as_ix(n, none ? (MgOnnxInts){0} : pads, dims, dims, 0),
                              dims + 1, sizeof *end);
    if (same)
        same_pads(n, x, kernel, stride, dilation, !strcmp(automatic, "SAME_LOWER"), dims, pad, end);
    w->pad = pad;
    w->pad_end = end;
    MgText out = mg_text(n->t->arena);
    if (with_stride || !all_are(n, stride, dims, 1))
        mg_textf(&out, ", stride = %s", mg_onnx_short(n, stride, dims));
    if (!all_are(n, dilation, dims, 1))
        mg_textf(&out, ", dilation = %s", mg_onnx_short(n, dilation, dims));
    if (!all_are(n, pad, dims, 0))
        mg_textf(&out, ", pad = %s", mg_onnx_short(n, pad, dims));
    if (memcmp(pad, end, dims * sizeof *pad) != 0)
        mg_textf(&out, ", pad_end = %s", mg_onnx_short(n, end, dims));
    w->text = mg_text_str(&out);
    return true;
}

// Whether the dropout ratio may be anything but 0.
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
