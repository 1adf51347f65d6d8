// Operators of ops_data.def that need more than a template.
#include "frontend/onnx/ops.h"

#include <math.h>

MG_ONNX_OP(topk) {
    (void)text;
    int64_t axis = mg_onnx_int(n, "axis", -1);
    if (!mg_onnx_takes(n, 1) || !mg_onnx_axis(n, &axis, n->inputs[0]->type.rank))
        return false;
    const char *count = mg_onnx_text(n, "%lld", (long long)mg_onnx_int(n, "k", 0));
    MgOnnxValue *many = mg_onnx_input(n, 1);
    // There are at most as many results as elements.
    if (many && !many->known && !mg_onnx_numbers(n->t, many)) {
        MgIx size = n->inputs[0]->type.shape[axis];
        const char *k =
            mg_onnx_text(n, "i64(%s[%s])", mg_onnx_operand(n, many), many->type.rank ? "0" : "");
        count = mg_onnx_ix(n, mg_onnx_late(n, "k", k, size));
    } else if (!mg_onnx_has(n, "k")) {
        MgOnnxSizes k = mg_onnx_sizes(n, NULL, 1);
        if (n->failed || k.n != 1)
            return mg_onnx_fail(n, "it needs a number of elements");
        count = mg_onnx_ix(n, k.at[0]);
    }
    const char *least = mg_onnx_int(n, "largest", 1) ? "" : ", largest = false";
    return mg_onnx_give_all(
        n, 2, mg_onnx_text(n, "topk($0, k = %s, axis = %lld%s)", count, (long long)axis, least));
}

// The number of elements of a Range. False after an error.
static bool places(MgOnnxNode *n, MgOnnxNumber from, MgOnnxNumber to, MgOnnxNumber step,
                   MgIx *count) {
    MgIxTable *ix = n->t->ix;
    int64_t by;
    if (from.real) {
        double places = ceil((to.f - from.f) / step.f);
        *count = mg_ix_const(ix, places > 0 && places < 1e9 ? (int64_t)places : 0);
        return places < 1e9 || mg_onnx_fail(n, "it makes %g numbers; the limit is 1e9", places);
    }
    if (!mg_onnx_const(n, step.ix, &by))
        return mg_onnx_unsupported(n, "a step that depends on sizes");
    if (!by || by == INT64_MIN)
        return mg_onnx_fail(n, "the step is %lld; expected one that is not 0 and can be negated",
                            (long long)by);
    MgIx span = by > 0 ? mg_ix_sub(ix, from.ix, to.ix) : mg_ix_sub(ix, to.ix, from.ix);
    *count = mg_ix_neg(ix, mg_ix_div(ix, span, mg_ix_const(ix, by > 0 ? by : -by)));
    if (mg_scope_prove(n->t->scope, *count) != MG_PROVED)
        *count = mg_ix_max(ix, mg_ix_const(ix, 0), *count);
    return true;
}

// A Range whose ends the run decides.
static bool range_of_run(MgOnnxNode *n) {
    if (n->t->use != MG_ONNX_USE_BOUNDS)
        return mg_onnx_unsupported(n, "a number of elements that is known only at run time");
    for (uint32_t i = 0; i < 3; i++)
        if (!mg_onnx_scalar(n, i))
            return false;
    return mg_onnx_give(n, 0, mg_onnx_text(n, "range_to($0, $1, $2, most = %d)", MG_ONNX_MOST));
}

MG_ONNX_OP(range) {
    (void)text;
    MgOnnxNumber ends[3];
    MgIx count = MG_IX_ERROR;
    int64_t first, by;
    if (!mg_onnx_takes(n, 3))
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        if (!mg_onnx_numbers(n->t, n->inputs[i]) || n->inputs[i]->n_known != 1)
            return range_of_run(n);
        ends[i] = n->inputs[i]->known[0];
    }
    if (!places(n, ends[0], ends[1], ends[2], &count))
        return false;
    const char *size = mg_onnx_ix(n, count), *type = mg_dtype(n->inputs[0]->type.dtype)->name;
    if (!ends[0].real && mg_onnx_const(n, ends[0].ix, &first) && !first &&
        mg_onnx_const(n, ends[2].ix, &by) && by == 1)
        return mg_onnx_give(n, 0, mg_onnx_text(n, "iota(n = %s, type = %s)", size, type));
    const char *from = mg_onnx_operand(n, n->inputs[0]), *step = mg_onnx_operand(n, n->inputs[2]);
    return mg_onnx_give(n, 0, mg_onnx_text(n, "range(%s, %s, n = %s)", from, step, size));
}
