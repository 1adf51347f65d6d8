// Slice and Pad. If the run decides parts of them, they become one call of an operator per axis,
// whose size data then decide.
#include "frontend/onnx/ops.h"

// ---------------------------------------------------------------- slices
bool mg_onnx_is_open_end(int64_t end, int64_t step) {
    return step < 0 && (end == INT32_MAX || end == INT64_MAX);
}

// One end of a slice as text, or NULL if it is the operator's default. The library clamps both ends
// as ONNX does, with one exception: in ONNX, a start below the axis means its first element even if
// the step is negative.
static const char *end_of(MgOnnxNode *n, MgIx end, MgIx size, int64_t step, bool is_stop) {
    MgIxTable *ix = n->t->ix;
    int64_t e, d, low = step < 0 ? -1 : 0;
    bool fixed = mg_onnx_const(n, end, &e);
    if (fixed && e >= INT32_MAX && (is_stop ? step > 0 : step < 0))
        return NULL; // everything up to the end
    if (fixed && e <= -(int64_t)INT32_MAX && (is_stop ? step < 0 : step > 0))
        return NULL;
    if (fixed && is_stop && mg_onnx_is_open_end(e, step))
        return NULL;
    if (step < 0 && !is_stop && !(fixed && e >= -1))
        end = mg_ix_max(ix, end, mg_ix_neg(ix, size));
    if (!mg_onnx_const(n, end, &e) || !mg_onnx_const(n, size, &d))
        return mg_onnx_ix(n, end);
    int64_t high = step < 0 ? d - 1 : d;
    e += e < 0 ? d : 0;
    e = e < low ? low : e > high ? high : e;
    if (e < 0)
        return is_stop ? NULL : mg_onnx_ix(n, mg_ix_const(ix, -1 - d));
    if (is_stop ? (step > 0 && e == d) : (step > 0 ? e == 0 : e == d - 1))
        return NULL;
    return mg_onnx_text(n, "%lld", (long long)e);
}

// `slice(x, axis = 1, start = 2)`, or x itself if the slice takes the whole axis.
static const char *slice_text(MgOnnxNode *n, const char *x, MgIx size, int64_t axis, MgIx from,
                              MgIx to, int64_t step) {
    const char *start = end_of(n, from, size, step, false), *stop = end_of(n, to, size, step, true);
    MgText out = mg_text(n->t->arena);
    if (!start && !stop && step == 1)
        return x;
    mg_textf(&out, "slice(%s, axis = %lld", x, (long long)axis);
    if (step != 1)
        mg_textf(&out, ", step = %lld", (long long)step);
    if (start)
        mg_textf(&out, ", start = %s", start);
    if (stop)
        mg_textf(&out, ", stop = %s", stop);
    mg_text_add(&out, ")");
    return mg_text_str(&out);
}

// The numbers of input k for one axis, as an expression. The input `axes` says to which axis an
// entry belongs.
static const char *of_axis(MgOnnxNode *n, uint32_t k, uint32_t axes, uint32_t axis,
                           const char *otherwise) {
    return mg_onnx_text(n, "onnx.of_axis($%u, $%u, axis = %u, rank = %u, otherwise = %s)", k, axes,
                        axis, n->inputs[0]->type.rank, otherwise);
}

static const char *entry_of(MgOnnxNode *n, uint32_t k, int64_t i) {
    return mg_onnx_text(n, "cast(select($%u, index = %lld), to = i64)", k, (long long)i);
}

// A slice whose axes the run decides. Each axis is sliced by the run's numbers for it.
static bool slice_any(MgOnnxNode *n) {
    const MgScopeType *x = &n->inputs[0]->type;
    if (n->t->use != MG_ONNX_USE_BOUNDS)
        return mg_onnx_unsupported(n, "axes that are known only at run time");
    MgOnnxValue *y = n->inputs[0];
    for (uint32_t i = 0; i < x->rank && y; i++)
        y = mg_onnx_let(n, "cut",
                        mg_onnx_text(n, "onnx.slice_by(%s, %s, %s, %s, axis = %u)",
                                     mg_onnx_operand(n, y), of_axis(n, 1, 3, i, "0"),
                                     of_axis(n, 2, 3, i, mg_onnx_ix(n, x->shape[i])),
                                     mg_onnx_input(n, 4) ? of_axis(n, 4, 3, i, "1") : "1", i));
    return y && mg_onnx_same(n, 0, y);
}

// A slice whose steps the run decides.
static bool slice_by(MgOnnxNode *n) {
    const MgScopeType *x = &n->inputs[0]->type;
    MgOnnxInts axes = mg_onnx_axes(n, NULL, 3);
    int64_t count;
    if (n->failed || !mg_onnx_takes(n, 3))
        return false;
    if (!mg_onnx_const(n, n->inputs[4]->type.shape[0], &count) || count > x->rank ||
        (axes.given && axes.n != count))
        return mg_onnx_fail(n, "starts, ends, axes and steps differ in length");
    MgOnnxValue *y = n->inputs[0];
    for (int64_t i = 0; i < count && y; i++) {
        int64_t axis = axes.given ? axes.at[i] : i;
        if (!mg_onnx_axis(n, &axis, x->rank))
            return false;
        y = mg_onnx_let(n, "cut",
                        mg_onnx_text(n, "onnx.slice_by(%s, %s, %s, %s, axis = %lld)",
                                     mg_onnx_operand(n, y), entry_of(n, 1, i), entry_of(n, 2, i),
                                     entry_of(n, 4, i), (long long)axis));
    }
    return y && mg_onnx_same(n, 0, y);
}

// A slice whose ends the run decides. It is at most as long as its axis.
static bool slice_at(MgOnnxNode *n) {
    const MgScopeType *x = &n->inputs[0]->type;
    MgOnnxInts axes = mg_onnx_axes(n, NULL, 3), steps = mg_onnx_axes(n, NULL, 4);
    int64_t count;
    if (n->failed || !mg_onnx_takes(n, 3))
        return false;
    const MgScopeType *ends = &n->inputs[1]->type;
    if (ends->rank != 1 || !mg_onnx_const(n, ends->shape[0], &count))
        return mg_onnx_unsupported(n, "a number of starts that depends on sizes");
    if ((axes.given && axes.n != count) || (steps.given && steps.n != count) || count > x->rank)
        return mg_onnx_fail(n, "starts, ends, axes and steps differ in length");
    MgOnnxValue *y = n->inputs[0];
    for (int64_t i = 0; i < count && y; i++) {
        int64_t axis = axes.given ? axes.at[i] : i, step = steps.given ? steps.at[i] : 1;
        if (!mg_onnx_axis(n, &axis, x->rank))
            return false;
        const char *start = entry_of(n, 1, i), *stop = entry_of(n, 2, i);
        if (step < 0) {
            const char *size = mg_onnx_ix(n, x->shape[axis]);
            start = mg_onnx_text(n, "onnx.start_down(%s, size = %s)", start, size);
            stop = mg_onnx_text(n, "onnx.stop_down(%s, size = %s)", stop, size);
        }
        y = mg_onnx_let(n, "cut",
                        mg_onnx_text(n, "slice_at(%s, %s, %s, axis = %lld, step = %lld)",
                                     mg_onnx_operand(n, y), start, stop, (long long)axis,
                                     (long long)step));
    }
    return y && mg_onnx_same(n, 0, y);
}

MG_ONNX_OP(slice) {
    (void)text;
    if (!mg_onnx_takes(n, 1))
        return false;
    bool lists = !mg_onnx_has(n, "starts");
    if (lists && mg_onnx_by_run(n, 3))
        return slice_any(n);
    if (lists && mg_onnx_by_run(n, 4))
        return slice_by(n);
    if (lists && (mg_onnx_by_run(n, 1) || mg_onnx_by_run(n, 2)))
        return slice_at(n);
    const MgScopeType *x = &n->inputs[0]->type;
    MgOnnxSizes from = mg_onnx_sizes(n, "starts", 1), to = mg_onnx_sizes(n, "ends", 2);
    MgOnnxInts axes = mg_onnx_axes(n, "axes", 3), steps = mg_onnx_axes(n, NULL, 4);
    if (n->failed || from.n != to.n || (axes.given && axes.n != from.n) ||
        (steps.given && steps.n != from.n) || from.n > x->rank)
        return mg_onnx_fail(n, "starts, ends, axes and steps differ in length");
    const char *so_far = mg_onnx_operand(n, n->inputs[0]), *first = so_far;
    for (uint32_t i = 0; i < from.n; i++) {
        int64_t axis = axes.given ? axes.at[i] : i, step = steps.given ? steps.at[i] : 1;
        if (!mg_onnx_axis(n, &axis, x->rank))
            return false;
        if (!step)
            return mg_onnx_fail(n, "a step is 0; expected another number");
        so_far = slice_text(n, so_far, x->shape[axis], axis, from.at[i], to.at[i], step);
    }
    return so_far == first ? mg_onnx_same(n, 0, n->inputs[0]) : mg_onnx_give(n, 0, so_far);
}

// ---------------------------------------------------------------- padding
// Is entry k of the widths known to be 0?
static bool no_width(const MgOnnxNode *n, uint32_t k) {
    MgOnnxNumber width;
    int64_t value;
    return mg_onnx_entry(n, n->inputs[1], k, &width) && !width.real &&
           mg_onnx_const(n, width.ix, &value) && !value;
}

// The place of each axis in the list of widths: its own number, or its place in `axes`. -1 if the
// axis is not padded.
static bool padded_axes(MgOnnxNode *n, int64_t *place, uint32_t *count) {
    const MgScopeType *x = &n->inputs[0]->type;
    MgOnnxInts axes = mg_onnx_input(n, 3) ? mg_onnx_axes(n, NULL, 3) : (MgOnnxInts){0};
    int64_t widths;
    *count = axes.given ? axes.n : x->rank;
    if (n->failed || n->inputs[1]->type.rank != 1 ||
        !mg_onnx_const(n, n->inputs[1]->type.shape[0], &widths))
        return mg_onnx_unsupported(n, "a number of widths that depends on sizes");
    if (widths != 2 * (int64_t)*count)
        return mg_onnx_fail(n,
                            "its widths are %lld, its axes %u; expected two widths for each axis",
                            (long long)widths, *count);
    for (uint32_t i = 0; i < x->rank; i++)
        place[i] = axes.given ? -1 : (int64_t)i;
    for (uint32_t i = 0; i < axes.n; i++) {
        int64_t axis = axes.at[i];
        if (!mg_onnx_axis(n, &axis, x->rank))
            return false;
        place[axis] = i;
    }
    for (uint32_t i = 0; i < x->rank; i++)
        if (place[i] >= 0 && no_width(n, (uint32_t)place[i]) &&
            no_width(n, (uint32_t)place[i] + *count))
            place[i] = -1;
    return true;
}

// Pads by widths that the run decides, perhaps with axes that it decides: one axis after the other
// grows by at most the room that is left.
static bool pad_of_run(MgOnnxNode *n) {
    const MgScopeType *x = &n->inputs[0]->type;
    bool any = mg_onnx_by_run(n, 3);
    int64_t *place = MG_NEW_N(n->t->arena, int64_t, x->rank + 1), d;
    uint32_t count = 0, late = 0;
    MgIx *least = MG_NEW_N(n->t->arena, MgIx, x->rank + 1);
    double kept = 1;
    const char *before = NULL, *after = NULL, *value = "none";
    if (!any && !padded_axes(n, place, &count))
        return false;
    for (uint32_t i = 0; i < x->rank; i++)
        if (any || place[i] >= 0)
            least[late++] = x->shape[i];
        else if (mg_onnx_const(n, x->shape[i], &d))
            kept *= (double)d;
    if (any) {
        MgOnnxValue *half[2];
        for (int h = 0; h < 2; h++)
            if (!(half[h] = mg_onnx_let(n, "widths",
                                        mg_onnx_text(n,
                                                     "select(reshape($1, shape = [2, -1]), "
                                                     "index = %d)",
                                                     h))))
                return false;
        before = mg_onnx_operand(n, half[0]);
        after = mg_onnx_operand(n, half[1]);
    }
    if (mg_onnx_input(n, 2))
        value = mg_onnx_scalar(n, 2) ? mg_onnx_operand(n, n->inputs[2]) : "_";
    int64_t most = mg_onnx_room(n, kept, least, late);
    MgOnnxValue *y = n->inputs[0];
    for (uint32_t i = 0; i < x->rank && y; i++) {
        if (!any && place[i] < 0)
            continue;
        const char *one = "onnx.of_axis(%s, $3, axis = %u, rank = %u, otherwise = 0)";
        const char *front =
            any ? mg_onnx_text(n, one, before, i, x->rank) : entry_of(n, 1, place[i]);
        const char *back =
            any ? mg_onnx_text(n, one, after, i, x->rank) : entry_of(n, 1, place[i] + count);
        y = mg_onnx_let(n, "wide",
                        mg_onnx_text(n,
                                     "pad_at(%s, %s, %s, %s, axis = %u, most = %lld"
                                     "{, mode = @mode:word!=constant})",
                                     mg_onnx_operand(n, y), value, front, back, i,
                                     (long long)most));
    }
    return y && mg_onnx_same(n, 0, y);
}

// The text is for known widths.
MG_ONNX_OP(pad) {
    if (!mg_onnx_takes(n, 2))
        return false;
    if (n->t->use == MG_ONNX_USE_BOUNDS && (mg_onnx_by_run(n, 1) || mg_onnx_by_run(n, 3)))
        return pad_of_run(n);
    return mg_onnx_by_template(n, text);
}
