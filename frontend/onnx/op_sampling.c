// Operators of ops_sampling.def. A Resize becomes one call of the library's operator for each axis
// whose size changes.
#include "frontend/onnx/ops.h"

#include "frontend/spell.h"

#include <math.h>

typedef struct Resize {
    MgOnnxNode *n;
    const char *mode, *coordinates, *rounding;
    bool antialias, crop;
    bool shrinks_up;         // an axis that shrinks takes the element after its position
    const MgOnnxNumber *roi; // starts, then ends; NULL: none
    uint32_t count;          // number of axes
} Resize;

// floor(size * scale). An open size can be scaled if the scale is a ratio of small integers.
static bool scaled_size(MgOnnxNode *n, MgIx size, double scale, MgIx *to) {
    MgIxTable *ix = n->t->ix;
    int64_t d;
    if (!(scale > 0) || scale > 1e6)
        return mg_onnx_fail(n, "a scale is %g", scale);
    if (mg_onnx_const(n, size, &d)) {
        if (d > INT32_MAX)
            return mg_onnx_fail(n, "a size is %lld", (long long)d);
        *to = mg_ix_const(ix, (int64_t)floor((double)d * scale));
        return true;
    }
    for (int64_t q = 1; q <= 64; q++) {
        double p = scale * (double)q;
        if (fabs(p - round(p)) > 1e-6 * p)
            continue;
        *to = mg_ix_div(ix, mg_ix_mul(ix, size, mg_ix_const(ix, (int64_t)round(p))),
                        mg_ix_const(ix, q));
        return true;
    }
    return mg_onnx_unsupported(n, "an open size times %g", scale);
}

// Resizes one axis of x by entry k of the lists.
static const char *resized(const Resize *r, const char *x, MgIx from, MgIx to, int64_t axis,
                           double scale, uint32_t k) {
    MgOnnxNode *n = r->n;
    MgText out = mg_text(n->t->arena);
    bool nearest = !strcmp(r->mode, "nearest"), cubic = !strcmp(r->mode, "cubic");
    bool smooth = r->antialias && !nearest;
    mg_textf(&out, "resize_%s(%s, to = %s, axis = %lld",
             r->crop  ? "axis"
             : smooth ? "antialias"
                      : r->mode,
             x, mg_onnx_ix(n, to), (long long)axis);
    if (r->crop || (smooth && cubic))
        mg_textf(&out, ", mode = \"%s\"", r->mode);
    if (r->crop && smooth)
        mg_text_add(&out, ", antialias = true");
    int64_t d, s;
    bool exact =
        mg_onnx_const(n, from, &d) && mg_onnx_const(n, to, &s) && (double)s == (double)d * scale;
    if (scale > 0 && !exact)
        mg_textf(&out, ", scale = %s", mg_float_str(n->t->arena, scale, true));
    if (strcmp(r->coordinates, "half_pixel") != 0)
        mg_textf(&out, ", coordinates = \"%s\"", r->coordinates);
    const char *rounding = r->shrinks_up && scale < 1 ? "ceil" : r->rounding;
    if (nearest && strcmp(rounding, "round_prefer_floor") != 0)
        mg_textf(&out, ", rounding = \"%s\"", rounding);
    if (cubic)
        mg_text_add(&out, "{, a = @cubic_coeff_a}");
    if ((cubic || smooth) && mg_onnx_int(n, "exclude_outside", 0))
        mg_text_add(&out, ", exclude_outside = true");
    if (r->crop)
        mg_textf(&out, ", begin = %s, end = %s{, outside = @extrapolation_value}",
                 mg_float_str(n->t->arena, r->roi[k].f, true),
                 mg_float_str(n->t->arena, r->roi[k + r->count].f, true));
    mg_text_add(&out, ")");
    return mg_text_str(&out);
}

// Resizes all axes. Axis axes[k] has the size to[k], or the scale scale[k] (0 means the ratio of
// the sizes).
static bool resize_axes(const Resize *r, const int64_t *axes, const MgIx *to, const double *scale) {
    MgOnnxNode *n = r->n;
    const MgScopeType *x = &n->inputs[0]->type;
    bool whole = !mg_is_float(x->dtype) && strcmp(r->mode, "nearest") != 0;
    const char *so_far = whole ? "cast($0, to = f32)" : "$0";
    bool changed = false;
    for (uint32_t k = 0; k < r->count; k++) {
        MgIx from = x->shape[axes[k]];
        bool cut = r->crop && (r->roi[k].f != 0 || r->roi[k + r->count].f != 1);
        if (to[k] == from && !cut && (scale[k] == 1 || scale[k] == 0))
            continue;
        so_far = resized(r, so_far, from, to[k], axes[k], scale[k], k);
        changed = true;
    }
    if (!changed)
        return mg_onnx_same(n, 0, n->inputs[0]);
    if (whole)
        so_far = mg_onnx_text(n, "cast(%s, to = %s)", so_far, mg_dtype(x->dtype)->name);
    return mg_onnx_give(n, 0, so_far);
}

// Computes the sizes that keep the aspect ratio: all axes share one scale.
static bool keep_ratio(MgOnnxNode *n, bool larger, const int64_t *axes, MgOnnxSizes sizes, MgIx *to,
                       double *scale) {
    double best = 0;
    int64_t from, wanted;
    const MgIx *shape = n->inputs[0]->type.shape;
    for (uint32_t k = 0; k < sizes.n; k++) {
        if (!mg_onnx_const(n, shape[axes[k]], &from) || !mg_onnx_const(n, sizes.at[k], &wanted) ||
            !from)
            return mg_onnx_unsupported(n, "ratios of open sizes");
        double s = (double)wanted / (double)from;
        best = !k || (larger ? s > best : s < best) ? s : best;
    }
    for (uint32_t k = 0; k < sizes.n; k++) {
        mg_onnx_const(n, shape[axes[k]], &from);
        to[k] = mg_ix_const(n->t->ix, (int64_t)floor((double)from * best + 0.5));
        scale[k] = best;
    }
    return true;
}

static bool sizes_or_scales(Resize *r, const int64_t *axes, uint32_t in_scales, uint32_t in_sizes,
                            MgIx *to, double *scale) {
    MgOnnxNode *n = r->n;
    const MgOnnxNumber *numbers = NULL;
    uint32_t count = 0;
    const char *policy =
        mg_onnx_word(n, "keep_aspect_ratio_policy", "stretch not_larger not_smaller");
    MgOnnxSizes sizes =
        mg_onnx_input(n, in_sizes) ? mg_onnx_sizes(n, NULL, in_sizes) : (MgOnnxSizes){0};
    if (n->failed)
        return false;
    if (sizes.given && sizes.n) {
        if (sizes.n != r->count)
            return mg_onnx_fail(n, "%u sizes for %u axes", sizes.n, r->count);
        if (strcmp(policy, "stretch") != 0)
            return keep_ratio(n, !strcmp(policy, "not_smaller"), axes, sizes, to, scale);
        memcpy(to, sizes.at, sizes.n * sizeof *to);
        return true;
    }
    if (!mg_onnx_known(n, in_scales, &numbers, &count))
        return n->failed ? false : mg_onnx_fail(n, "it needs scales or sizes");
    if (count != r->count)
        return mg_onnx_fail(n, "%u scales for %u axes", count, r->count);
    for (uint32_t k = 0; k < count; k++) {
        if (!numbers[k].real)
            return mg_onnx_fail(n, "its scales must be floats");
        scale[k] = numbers[k].f;
        if (!scaled_size(n, n->inputs[0]->type.shape[axes[k]], scale[k], &to[k]))
            return false;
    }
    return true;
}

MG_ONNX_OP(resize) {
    (void)text;
    if (!mg_onnx_takes(n, 1))
        return false;
    uint32_t rank = n->inputs[0]->type.rank, count;
    MgOnnxInts some = mg_onnx_ints(n, "axes");
    Resize r = {.n = n,
                .mode = mg_onnx_word(n, "mode", "nearest linear cubic"),
                .coordinates = mg_onnx_word(n, "coordinate_transformation_mode",
                                            "half_pixel half_pixel_symmetric pytorch_half_pixel "
                                            "align_corners asymmetric tf_crop_and_resize "
                                            "tf_half_pixel_for_nn"),
                .rounding = mg_onnx_word(n, "nearest_mode",
                                         "round_prefer_floor round_prefer_ceil floor ceil"),
                .antialias = mg_onnx_int(n, "antialias", 0),
                .count = some.given ? some.n : rank};
    int64_t *axes = MG_NEW_N(n->t->arena, int64_t, r.count + 1);
    MgIx *to = MG_NEW_N(n->t->arena, MgIx, r.count + 1);
    double *scale = MG_NEW_N(n->t->arena, double, r.count + 1);
    for (uint32_t k = 0; k < r.count; k++) {
        axes[k] = some.given ? some.at[k] : k;
        if (!mg_onnx_axis(n, &axes[k], rank))
            return false;
    }
    r.crop = !strcmp(r.coordinates, "tf_crop_and_resize");
    if (r.crop && (!mg_onnx_known(n, 1, &r.roi, &count) || count != 2 * r.count || !r.roi[0].real))
        return mg_onnx_fail(n, "'tf_crop_and_resize' needs a region, two floats for each axis");
    return sizes_or_scales(&r, axes, 2, 3, to, scale) && resize_axes(&r, axes, to, scale);
}

// Before opset 11 an element of the result was read at its position divided by the scale. The
// nearest element was the one before that position, or the one after it along an axis that shrinks.
static bool resize_old(MgOnnxNode *n, const double *scale, bool grows_only) {
    uint32_t rank = n->inputs[0]->type.rank;
    const char *mode = mg_onnx_word(n, "mode", "nearest linear bilinear");
    int64_t *axes = MG_NEW_N(n->t->arena, int64_t, rank + 1);
    MgIx *to = MG_NEW_N(n->t->arena, MgIx, rank + 1);
    for (uint32_t k = 0; k < rank; k++) {
        axes[k] = k;
        if (!scaled_size(n, n->inputs[0]->type.shape[k], scale[k], &to[k]))
            return false;
    }
    Resize r = {.n = n,
                .mode = strcmp(mode, "bilinear") != 0 ? mode : "linear",
                .coordinates = "asymmetric",
                .rounding = "floor",
                .shrinks_up = !grows_only,
                .count = rank};
    return resize_axes(&r, axes, to, scale);
}

static bool resize_by_input(MgOnnxNode *n, bool grows_only) {
    const MgOnnxNumber *numbers;
    uint32_t count;
    if (!mg_onnx_takes(n, 2) || !mg_onnx_known(n, 1, &numbers, &count))
        return false;
    if (count != n->inputs[0]->type.rank || !numbers[0].real)
        return mg_onnx_fail(n, "%u scales for %u dimensions", count, n->inputs[0]->type.rank);
    double *scale = MG_NEW_N(n->t->arena, double, count + 1);
    for (uint32_t k = 0; k < count; k++)
        scale[k] = numbers[k].f;
    return resize_old(n, scale, grows_only);
}

MG_ONNX_OP(resize_10) {
    (void)text;
    return resize_by_input(n, false);
}

// The scales are an attribute in opset 7 and an input from 9 on.
MG_ONNX_OP(upsample) {
    (void)text;
    MgOnnxFloats scales = mg_onnx_floats(n, "scales");
    if (!mg_onnx_takes(n, 1))
        return false;
    if (!scales.given)
        return resize_by_input(n, true);
    if (scales.n != n->inputs[0]->type.rank)
        return mg_onnx_fail(n, "%u scales for %u dimensions", scales.n, n->inputs[0]->type.rank);
    double *scale = MG_NEW_N(n->t->arena, double, scales.n + 1);
    for (uint32_t k = 0; k < scales.n; k++)
        scale[k] = (double)scales.at[k];
    return resize_old(n, scale, true);
}
