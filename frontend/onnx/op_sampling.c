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

// Computes floor(size * scale). An open size can be scaled if the scale is a ratio of small
// integers.
static bool scaled_size(MgOnnxNode *n, MgIx size, double scale, MgIx *to) {
    MgIxTable *ix = n->t->ix;
    int64_t d;
    if (!(scale > 0) || scale > 1e6)
        return mg_onnx_fail(n, "a scale is %g; expected more than 0 and at most 1e6", scale);
    if (mg_onnx_const(n, size, &d)) {
        if (d > INT32_MAX)
            return mg_onnx_fail(n, "a size is %lld; the limit is 2147483647", (long long)d);
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

// Resizes all axes. Axis axes[k] gets the size to[k], or the scale scale[k] (0: the ratio of the
// sizes).
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

// Computes the sizes that keep the aspect ratio: all axes get one scale.
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

static const char *axes_word(const Resize *r) {
    return r->count == 1 ? "axis" : "axes";
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
            return mg_onnx_fail(n, "it has %u size%s for %u %s; expected one for each", sizes.n,
                                mg_plural(sizes.n), r->count, axes_word(r));
        if (strcmp(policy, "stretch") != 0)
            return keep_ratio(n, !strcmp(policy, "not_smaller"), axes, sizes, to, scale);
        memcpy(to, sizes.at, sizes.n * sizeof *to);
        return true;
    }
    if (!mg_onnx_known(n, in_scales, &numbers, &count))
        return n->failed ? false : mg_onnx_fail(n, "it needs scales or sizes");
    if (count != r->count)
        return mg_onnx_fail(n, "it has %u scale%s for %u %s; expected one for each", count,
                            mg_plural(count), r->count, axes_word(r));
    for (uint32_t k = 0; k < count; k++) {
        if (!numbers[k].real)
            return mg_onnx_fail(n, "its scales must be floats");
        scale[k] = numbers[k].f;
        if (!scaled_size(n, n->inputs[0]->type.shape[axes[k]], scale[k], &to[k]))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- decided by the run
// The inputs of a Resize; 0 for an input that its opset doesn't have.
typedef struct ResizeInputs {
    uint32_t roi, scales, sizes;
} ResizeInputs;

// A tensor of one number.
static const char *let_number(MgOnnxNode *n, const char *hint, const char *type,
                              const char *expression) {
    const char *name = mg_onnx_spelled(n->t, mg_onnx_fresh(n->t, NULL, hint));
    n->failed |= !mg_onnx_say(n, mg_onnx_text(n, "%s[]: %s[] = %s", name, type, expression));
    return name;
}

static const char *known_float(const MgOnnxNode *n, MgOnnxNumber x) {
    return x.real ? mg_float_str(n->t->arena, x.f, true)
                  : mg_onnx_text(n, "1.0 * (%s)", mg_onnx_ix(n, x.ix));
}

// The scale of axis k of the lists, as the name of a tensor. For sizes it is their ratio. NULL if
// the axis is not resized.
static const char *scale_of(const Resize *r, ResizeInputs in, uint32_t k, MgIx from) {
    MgOnnxNode *n = r->n;
    MgOnnxNumber number;
    bool by_sizes = mg_onnx_input(n, in.sizes) && in.sizes;
    uint32_t input = by_sizes ? in.sizes : in.scales;
    const char *d = mg_onnx_ix(n, from), *list = mg_onnx_operand(n, n->inputs[input]);
    if (!mg_onnx_entry(n, n->inputs[input], k, &number))
        return let_number(n, "scale", "f32",
                          by_sizes ? mg_onnx_text(n, "f32(%s[%u]) / (%s)", list, k, d)
                                   : mg_onnx_text(n, "%s[%u]", list, k));
    if (by_sizes ? number.ix == from : number.real && number.f == 1)
        return NULL;
    const char *value = known_float(n, number);
    return let_number(n, "scale", "f32",
                      by_sizes ? mg_onnx_text(n, "(%s) / (%s)", value, d) : value);
}

// The common scale of all axes that keeps the aspect ratio.
static const char *common_scale(const Resize *r, ResizeInputs in, const int64_t *axes,
                                bool larger) {
    MgOnnxNode *n = r->n;
    MgText all = mg_text(n->t->arena);
    const char *list = mg_onnx_operand(n, n->inputs[in.sizes]);
    for (uint32_t k = 0; k + 1 < r->count; k++)
        mg_text_add(&all, larger ? "max(" : "min(");
    for (uint32_t k = 0; k < r->count; k++)
        mg_textf(&all, "%sf32(%s[%u]) / (%s)%s", k ? ", " : "", list, k,
                 mg_onnx_ix(n, n->inputs[0]->type.shape[axes[k]]), k ? ")" : "");
    return let_number(n, "scale", "f32", mg_text_str(&all));
}

// The bound of an axis in its new size. The batch and the channels of images don't grow.
static MgIx bound_of(const Resize *r, bool image, int64_t axis, int64_t most) {
    MgIxTable *ix = r->n->t->ix;
    MgIx from = r->n->inputs[0]->type.shape[axis];
    return image && axis < 2 ? from : mg_onnx_larger(r->n, from, mg_ix_const(ix, most));
}

static const char *resized_at(const Resize *r, const char *x, const char *scale, MgIx to,
                              int64_t axis, const char *region) {
    MgOnnxNode *n = r->n;
    MgText out = mg_text(n->t->arena);
    mg_textf(&out, "resize_at(%s, %s%s%s, to = %s, axis = %lld, mode = \"%s\"", x, scale,
             region ? ", " : "", region ? region : "", mg_onnx_ix(n, to), (long long)axis, r->mode);
    if (strcmp(r->coordinates, "half_pixel") != 0)
        mg_textf(&out, ", coordinates = \"%s\"", r->coordinates);
    if (!strcmp(r->mode, "nearest"))
        mg_textf(&out, ", rounding = \"%s\"", r->shrinks_up ? "shrinking" : r->rounding);
    if (r->antialias)
        mg_text_add(&out, ", antialias = true");
    if (!strcmp(r->mode, "cubic"))
        mg_text_add(&out, "{, a = @cubic_coeff_a}");
    if (mg_onnx_int(n, "exclude_outside", 0))
        mg_text_add(&out, ", exclude_outside = true");
    if (r->crop)
        mg_text_add(&out, "{, outside = @extrapolation_value}");
    mg_text_add(&out, ")");
    return mg_text_str(&out);
}

// The size of an axis, given the name of its scale, or a number of a list of sizes.
static MgIx size_of_run(const Resize *r, ResizeInputs in, const char *scale, bool ratio, uint32_t k,
                        MgIx from, MgIx most) {
    MgOnnxNode *n = r->n;
    MgOnnxNumber number;
    bool by_sizes = in.sizes && mg_onnx_input(n, in.sizes) && !ratio;
    if (by_sizes && mg_onnx_entry(n, n->inputs[in.sizes], k, &number))
        return number.ix;
    const char *value =
        by_sizes ? mg_onnx_text(n, "i64(%s[%u])", mg_onnx_operand(n, n->inputs[in.sizes]), k)
                 : mg_onnx_text(n, "i64(floor(f64(%s[]) * (%s)%s))", scale, mg_onnx_ix(n, from),
                                ratio ? " + 0.5" : "");
    return mg_onnx_late(n, "resized", value, most);
}

// Axis axes[k] of y, resized. scale: the name of its scale, or NULL for 1.
static MgOnnxValue *axis_of_run(const Resize *r, ResizeInputs in, MgOnnxValue *y, const char *scale,
                                bool ratio, uint32_t k, int64_t axis, MgIx most) {
    MgOnnxNode *n = r->n;
    const char *region = NULL;
    if (r->crop) {
        region = mg_onnx_spelled(n->t, mg_onnx_fresh(n->t, NULL, "region"));
        mg_onnx_say(n, mg_onnx_text(n, "%s[i in 0..2]: f32[2] = f32(%s[%u + %u * i])", region,
                                    mg_onnx_operand(n, n->inputs[in.roi]), k, r->count));
    }
    scale = scale ? scale : let_number(n, "scale", "f32", "1");
    MgIx from = n->inputs[0]->type.shape[axis];
    MgIx to = size_of_run(r, in, scale, ratio, k, from, most);
    if (n->failed || to == MG_IX_ERROR)
        return NULL;
    return mg_onnx_let(n, "resized", resized_at(r, mg_onnx_operand(n, y), scale, to, axis, region));
}

// The largest size of an axis that has a scale, and isn't the batch or the channels of images.
static int64_t most_of_axis(const Resize *r, const char **scale, const int64_t *axes, bool image) {
    MgOnnxNode *n = r->n;
    const MgScopeType *x = &n->inputs[0]->type;
    MgScopeType kept = *x;
    uint32_t late = 0;
    MgIx *sizes = mg_arena_copy(n->t->arena, x->shape, x->rank, sizeof *x->shape);
    kept.shape = sizes;
    for (uint32_t k = 0; k < r->count; k++)
        if (scale[k] && !(image && axes[k] < 2)) {
            sizes[axes[k]] = mg_ix_const(n->t->ix, 1);
            late++;
        }
    return mg_onnx_room(n, mg_onnx_elements(n, &kept), NULL, late);
}

// Resizes if the run decides scales, sizes or the region: the places are computed from tensors.
// image: the first two axes are the batch and the channels.
static bool resize_of_run(const Resize *r, ResizeInputs in, const int64_t *axes, bool image) {
    MgOnnxNode *n = r->n;
    const MgScopeType *x = &n->inputs[0]->type;
    uint32_t input = in.sizes && mg_onnx_input(n, in.sizes) ? in.sizes : in.scales;
    const MgScopeType *list = &n->inputs[input]->type;
    const char *policy =
        mg_onnx_word(n, "keep_aspect_ratio_policy", "stretch not_larger not_smaller");
    bool ratio = in.sizes == input && strcmp(policy, "stretch") != 0;
    bool whole = !mg_is_float(x->dtype) && strcmp(r->mode, "nearest") != 0;
    int64_t entries;
    if (list->rank != 1 || !mg_onnx_const(n, list->shape[0], &entries) || entries != r->count)
        return mg_onnx_fail(n, "it needs a scale or a size for each of %u %s", r->count,
                            axes_word(r));
    const char **scale = MG_NEW_N(n->t->arena, const char *, r->count + 1);
    const char *common = ratio ? common_scale(r, in, axes, !strcmp(policy, "not_smaller")) : NULL;
    for (uint32_t k = 0; k < r->count; k++)
        scale[k] = ratio ? common : scale_of(r, in, k, x->shape[axes[k]]);
    int64_t most = most_of_axis(r, scale, axes, image);
    MgOnnxValue *y = whole ? mg_onnx_let(n, "real", "cast($0, to = f32)") : n->inputs[0];
    for (uint32_t k = 0; k < r->count && y && !n->failed; k++)
        if (scale[k] || r->crop)
            y = axis_of_run(r, in, y, scale[k], ratio, k, axes[k],
                            bound_of(r, image, axes[k], most));
    if (!y || n->failed)
        return false;
    return whole ? mg_onnx_give(n, 0,
                                mg_onnx_text(n, "cast(%s, to = %s)", mg_onnx_operand(n, y),
                                             mg_dtype(x->dtype)->name))
                 : mg_onnx_same(n, 0, y);
}

// ---------------------------------------------------------------- operators
// Before opset 11 an element of the result was read at its position divided by the scale. The
// nearest element was the one before that position, or the one after it along an axis that shrinks.
static Resize resize_old_way(MgOnnxNode *n, bool grows_only) {
    const char *mode = mg_onnx_word(n, "mode", "nearest linear bilinear");
    return (Resize){.n = n,
                    .mode = strcmp(mode, "bilinear") != 0 ? mode : "linear",
                    .coordinates = "asymmetric",
                    .rounding = "floor",
                    .shrinks_up = !grows_only,
                    .count = n->inputs[0]->type.rank};
}

static bool resize_old(MgOnnxNode *n, const double *scale, bool grows_only) {
    uint32_t rank = n->inputs[0]->type.rank;
    int64_t *axes = MG_NEW_N(n->t->arena, int64_t, rank + 1);
    MgIx *to = MG_NEW_N(n->t->arena, MgIx, rank + 1);
    for (uint32_t k = 0; k < rank; k++) {
        axes[k] = k;
        if (!scaled_size(n, n->inputs[0]->type.shape[k], scale[k], &to[k]))
            return false;
    }
    Resize r = resize_old_way(n, grows_only);
    return resize_axes(&r, axes, to, scale);
}

static bool resize_old_of_run(MgOnnxNode *n, bool grows_only) {
    uint32_t rank = n->inputs[0]->type.rank;
    Resize r = resize_old_way(n, grows_only);
    int64_t *axes = MG_NEW_N(n->t->arena, int64_t, rank + 1);
    for (uint32_t k = 0; k < rank; k++)
        axes[k] = k;
    return resize_of_run(&r, (ResizeInputs){.scales = 1}, axes, rank > 2);
}

static bool resize_by_input(MgOnnxNode *n, bool grows_only) {
    const MgOnnxNumber *numbers;
    uint32_t count;
    if (!mg_onnx_takes(n, 2))
        return false;
    if (n->t->use == MG_ONNX_USE_BOUNDS && mg_onnx_by_run(n, 1))
        return resize_old_of_run(n, grows_only);
    if (!mg_onnx_known(n, 1, &numbers, &count))
        return false;
    if (count != n->inputs[0]->type.rank || !numbers[0].real)
        return mg_onnx_fail(n, "it has %u scale%s for %u dimension%s; expected one float for each",
                            count, mg_plural(count), n->inputs[0]->type.rank,
                            mg_plural(n->inputs[0]->type.rank));
    double *scale = MG_NEW_N(n->t->arena, double, count + 1);
    for (uint32_t k = 0; k < count; k++)
        scale[k] = numbers[k].f;
    return resize_old(n, scale, grows_only);
}

MG_ONNX_OP(resize) {
    (void)text;
    if (!mg_onnx_takes(n, 1))
        return false;
    if (n->opset < 11)
        return resize_by_input(n, false);
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
    if (n->t->use == MG_ONNX_USE_BOUNDS &&
        ((r.crop && mg_onnx_by_run(n, 1)) || mg_onnx_by_run(n, 2) || mg_onnx_by_run(n, 3)))
        return resize_of_run(&r, (ResizeInputs){1, 2, 3}, axes, !some.given && rank > 2);
    if (r.crop && (!mg_onnx_known(n, 1, &r.roi, &count) || count != 2 * r.count || !r.roi[0].real))
        return mg_onnx_fail(n, "'tf_crop_and_resize' needs a region, two floats for each axis");
    return sizes_or_scales(&r, axes, 2, 3, to, scale) && resize_axes(&r, axes, to, scale);
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
        return mg_onnx_fail(n, "it has %u scale%s for %u dimension%s; expected one float for each",
                            scales.n, mg_plural(scales.n), n->inputs[0]->type.rank,
                            mg_plural(n->inputs[0]->type.rank));
    double *scale = MG_NEW_N(n->t->arena, double, scales.n + 1);
    for (uint32_t k = 0; k < scales.n; k++)
        scale[k] = (double)scales.at[k];
    return resize_old(n, scale, true);
}
