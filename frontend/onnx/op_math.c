// Operators of ops_math.def that need more than a template.
#include "frontend/onnx/ops.h"

// Combines any number of operands, two at a time.
MG_ONNX_OP(variadic) {
    if (!n->n_inputs)
        return mg_onnx_fail(n, "it has no inputs");
    if (!mg_onnx_takes(n, n->n_inputs))
        return false;
    if (n->n_inputs == 1)
        return mg_onnx_same(n, 0, n->inputs[0]);
    const char *so_far = mg_onnx_literal(n, n->inputs[0]);
    for (uint32_t i = 1; i < n->n_inputs; i++)
        so_far = mg_onnx_text(n, "%s(%s, %s)", text, so_far, mg_onnx_literal(n, n->inputs[i]));
    return mg_onnx_give(n, 0, so_far);
}

// The exponent may have another type. The result has the base's.
MG_ONNX_OP(pow) {
    (void)text;
    MgOnnxValue *base = mg_onnx_input(n, 0), *exponent = mg_onnx_input(n, 1);
    if (!base || !exponent)
        return mg_onnx_fail(n, "it takes two inputs");
    const char *type = mg_dtype(base->type.dtype)->name;
    bool whole = !mg_is_float(base->type.dtype);
    if (!whole && base->type.dtype == exponent->type.dtype)
        return mg_onnx_give(n, 0, "pow($0~, $1~)");
    if (!whole)
        return mg_onnx_give(n, 0, mg_onnx_text(n, "pow($0, cast($1, to = %s))", type));
    if (!mg_is_float(exponent->type.dtype))
        return mg_onnx_give(n, 0, "pow_int($0, $1)");
    return mg_onnx_give(
        n, 0, mg_onnx_text(n, "cast(pow(cast($0, to = f64), cast($1, to = f64)), to = %s)", type));
}

// Before opset 13, all dimensions from the axis on formed one row.
MG_ONNX_OP(softmax_2d) {
    MgOnnxValue *x = mg_onnx_input(n, 0);
    int64_t axis = mg_onnx_int(n, "axis", 1);
    if (!x)
        return mg_onnx_fail(n, "input 0 is missing");
    if (axis != x->type.rank && !mg_onnx_axis(n, &axis, x->type.rank))
        return false;
    if (axis + 1 == x->type.rank)
        return mg_onnx_give(n, 0, mg_onnx_text(n, "%s($0)", text));
    return mg_onnx_give(n, 0,
                        mg_onnx_text(n, "reshape(%s(flatten2d($0, axis = %lld)), shape = %s)", text,
                                     (long long)axis,
                                     mg_onnx_ix_list(n, x->type.shape, x->type.rank)));
}

// The bounds are attributes up to opset 6 and inputs from 11 on.
MG_ONNX_OP(clip) {
    (void)text;
    MgOnnxValue *x = mg_onnx_input(n, 0), *lo = mg_onnx_input(n, 1), *hi = mg_onnx_input(n, 2);
    if (!x)
        return mg_onnx_fail(n, "input 0 is missing");
    const char *low = lo ? mg_onnx_literal(n, lo) : NULL,
               *high = hi ? mg_onnx_literal(n, hi) : NULL;
    if (mg_onnx_has(n, "min"))
        low = mg_float_str(n->t->arena, mg_onnx_float(n, "min", 0), true);
    if (mg_onnx_has(n, "max"))
        high = mg_float_str(n->t->arena, mg_onnx_float(n, "max", 0), true);
    if (low && high)
        return mg_onnx_give(n, 0, mg_onnx_text(n, "clip($0, %s, %s)", low, high));
    if (low || high)
        return mg_onnx_give(
            n, 0, mg_onnx_text(n, "%s($0, %s)", low ? "maximum" : "minimum", low ? low : high));
    return mg_onnx_same(n, 0, x);
}

// These reductions of integers are computed in floats, since an intermediate result may be no
// integer.
static bool of_floats(const char *reduction) {
    static const char *const names[] = {"mean", "norm2", "log_sum", "log_sum_exp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(reduction, names[i]))
            return true;
    return false;
}

MG_ONNX_OP(reduce) {
    MgOnnxValue *x = mg_onnx_input(n, 0);
    if (!x)
        return mg_onnx_fail(n, "input 0 is missing");
    MgOnnxInts axes = mg_onnx_axes(n, "axes", 1);
    if (n->failed)
        return false;
    int64_t *at = MG_NEW_N(n->t->arena, int64_t, axes.n + 1);
    for (uint32_t i = 0; i < axes.n; i++) {
        at[i] = axes.at[i];
        if (!mg_onnx_axis(n, &at[i], x->type.rank))
            return false;
    }
    const char *which = axes.n ? mg_onnx_text(n, ", axes = %s", mg_onnx_list(n, at, axes.n)) : "";
    const char *keep = mg_onnx_int(n, "keepdims", 1) && x->type.rank ? ", keepdims = true" : "";
    if (!axes.n && mg_onnx_int(n, "noop_with_empty_axes", 0)) { // each element by itself
        n->inputs[0] = mg_onnx_let(n, "each", "unsqueeze($0, axes = [-1])");
        if (!n->inputs[0])
            return false;
        which = ", axes = [-1]";
        keep = "";
    }
    const char *type = mg_dtype(x->type.dtype)->name;
    if (x->type.dtype == MG_BOOL) // max of bools is `or`, min is `and`
        text = !strcmp(text, "max") ? "any" : !strcmp(text, "min") ? "all" : text;
    if (!mg_is_float(x->type.dtype) && of_floats(text))
        return mg_onnx_give(
            n, 0,
            mg_onnx_text(n, "cast(%s(cast($0, to = f64)%s%s), to = %s)", text, which, keep, type));
    return mg_onnx_give(n, 0, mg_onnx_text(n, "%s($0%s%s)", text, which, keep));
}

MG_ONNX_OP(arg_reduce) {
    const char *keep = mg_onnx_int(n, "keepdims", 1) ? ", keepdims = true" : "";
    const char *last = mg_onnx_int(n, "select_last_index", 0) ? ", select_last = true" : "";
    return mg_onnx_give(n, 0, mg_onnx_text(n, "%s($0, axis = @axis=0%s%s)", text, keep, last));
}

MG_ONNX_OP(cumsum) {
    MgOnnxInts axis = mg_onnx_axes(n, NULL, 1);
    if (n->failed || axis.n != 1)
        return mg_onnx_fail(n, "it needs an axis");
    return mg_onnx_give(
        n, 0,
        mg_onnx_text(
            n, "%s($0, axis = %lld{, exclusive = @exclusive:bool}{, reverse = @reverse:bool})",
            text, (long long)axis.at[0]));
}
