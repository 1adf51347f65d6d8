mg 1
// made by make_cases.py
graph losses(x0: f32[3, 5],
    x1: i64[3],
    x2: f32[5],
    x3: f32[2, 5, 3, 2],
    x4: i32[2, 3, 2],
    x5: i32[2, 3, 2])
-> (nll_flat_none: f32[3],
    cross_flat_none_0: f32[3],
    cross_flat_none_1: f32[3, 5],
    nll_flat_sum: f32[],
    cross_flat_sum_0: f32[],
    cross_flat_sum_1: f32[3, 5],
    nll_flat_mean: f32[],
    cross_flat_mean_0: f32[],
    cross_flat_mean_1: f32[3, 5],
    nll_weighted_none: f32[3],
    cross_weighted_none_0: f32[3],
    cross_weighted_none_1: f32[3, 5],
    nll_weighted_sum: f32[],
    cross_weighted_sum_0: f32[],
    cross_weighted_sum_1: f32[3, 5],
    nll_weighted_mean: f32[],
    cross_weighted_mean_0: f32[],
    cross_weighted_mean_1: f32[3, 5],
    nll_image_none: f32[2, 3, 2],
    cross_image_none_0: f32[2, 3, 2],
    cross_image_none_1: f32[2, 5, 3, 2],
    nll_image_sum: f32[],
    cross_image_sum_0: f32[],
    cross_image_sum_1: f32[2, 5, 3, 2],
    nll_image_mean: f32[],
    cross_image_mean_0: f32[],
    cross_image_mean_1: f32[2, 5, 3, 2],
    nll_ignored_none: f32[2, 3, 2],
    cross_ignored_none_0: f32[2, 3, 2],
    cross_ignored_none_1: f32[2, 5, 3, 2],
    nll_ignored_sum: f32[],
    cross_ignored_sum_0: f32[],
    cross_ignored_sum_1: f32[2, 5, 3, 2],
    nll_ignored_mean: f32[],
    cross_ignored_mean_0: f32[],
    cross_ignored_mean_1: f32[2, 5, 3, 2],
    nll_ignored_bare_none: f32[2, 3, 2],
    cross_ignored_bare_none_0: f32[2, 3, 2],
    cross_ignored_bare_none_1: f32[2, 5, 3, 2],
    nll_ignored_bare_sum: f32[],
    cross_ignored_bare_sum_0: f32[],
    cross_ignored_bare_sum_1: f32[2, 5, 3, 2],
    nll_ignored_bare_mean: f32[],
    cross_ignored_bare_mean_0: f32[],
    cross_ignored_bare_mean_1: f32[2, 5, 3, 2])
{
    nll_flat_none = nll_loss(x0, x1, reduction = "none")
    cross_flat_none_0, cross_flat_none_1 = cross_entropy(x0, x1, reduction = "none")
    nll_flat_sum = nll_loss(x0, x1, reduction = "sum")
    cross_flat_sum_0, cross_flat_sum_1 = cross_entropy(x0, x1, reduction = "sum")
    nll_flat_mean = nll_loss(x0, x1, reduction = "mean")
    cross_flat_mean_0, cross_flat_mean_1 = cross_entropy(x0, x1, reduction = "mean")
    nll_weighted_none = nll_loss(x0, x1, x2, reduction = "none")
    cross_weighted_none_0, cross_weighted_none_1 = cross_entropy(x0, x1, x2, reduction = "none")
    nll_weighted_sum = nll_loss(x0, x1, x2, reduction = "sum")
    cross_weighted_sum_0, cross_weighted_sum_1 = cross_entropy(x0, x1, x2, reduction = "sum")
    nll_weighted_mean = nll_loss(x0, x1, x2, reduction = "mean")
    cross_weighted_mean_0, cross_weighted_mean_1 = cross_entropy(x0, x1, x2, reduction = "mean")
    nll_image_none = nll_loss(x3, x4, reduction = "none")
    cross_image_none_0, cross_image_none_1 = cross_entropy(x3, x4, reduction = "none")
    nll_image_sum = nll_loss(x3, x4, reduction = "sum")
    cross_image_sum_0, cross_image_sum_1 = cross_entropy(x3, x4, reduction = "sum")
    nll_image_mean = nll_loss(x3, x4, reduction = "mean")
    cross_image_mean_0, cross_image_mean_1 = cross_entropy(x3, x4, reduction = "mean")
    nll_ignored_none = nll_loss(x3, x5, x2, reduction = "none", ignore = -1)
    cross_ignored_none_0, cross_ignored_none_1 = cross_entropy(x3, x5, x2, reduction = "none", ignore = -1)
    nll_ignored_sum = nll_loss(x3, x5, x2, reduction = "sum", ignore = -1)
    cross_ignored_sum_0, cross_ignored_sum_1 = cross_entropy(x3, x5, x2, reduction = "sum", ignore = -1)
    nll_ignored_mean = nll_loss(x3, x5, x2, reduction = "mean", ignore = -1)
    cross_ignored_mean_0, cross_ignored_mean_1 = cross_entropy(x3, x5, x2, reduction = "mean", ignore = -1)
    nll_ignored_bare_none = nll_loss(x3, x5, reduction = "none", ignore = -1)
    cross_ignored_bare_none_0, cross_ignored_bare_none_1 = cross_entropy(x3, x5, reduction = "none", ignore = -1)
    nll_ignored_bare_sum = nll_loss(x3, x5, reduction = "sum", ignore = -1)
    cross_ignored_bare_sum_0, cross_ignored_bare_sum_1 = cross_entropy(x3, x5, reduction = "sum", ignore = -1)
    nll_ignored_bare_mean = nll_loss(x3, x5, reduction = "mean", ignore = -1)
    cross_ignored_bare_mean_0, cross_ignored_bare_mean_1 = cross_entropy(x3, x5, reduction = "mean", ignore = -1)
}
