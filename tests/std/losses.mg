mg 1
// made by make_cases.py
graph losses(x0: f32[3, 5],
    x1: i64[3],
    x2: f32[5],
    x3: f32[2, 5, 3, 2],
    x4: i32[2, 3, 2],
    x5: i32[2, 3, 2],
    x6: f32[3, 4],
    x7: f32[3, 4],
    x8: f32[3, 4],
    x9: f32[3, 4],
    x10: f32[3, 4],
    x11: f32[2, 4],
    x12: f32[2, 4],
    x13: f32[4],
    x14: f32[4])
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
    cross_ignored_bare_mean_1: f32[2, 5, 3, 2],
    smooth_flat_none_0: f32[3],
    smooth_flat_none_1: f32[3, 5],
    smooth_flat_sum_0: f32[],
    smooth_flat_sum_1: f32[3, 5],
    smooth_flat_mean_0: f32[],
    smooth_flat_mean_1: f32[3, 5],
    smooth_image_none_0: f32[2, 3, 2],
    smooth_image_none_1: f32[2, 5, 3, 2],
    smooth_image_sum_0: f32[],
    smooth_image_sum_1: f32[2, 5, 3, 2],
    smooth_image_mean_0: f32[],
    smooth_image_mean_1: f32[2, 5, 3, 2],
    reduce_none: f32[3, 4],
    mse_none: f32[3, 4],
    l1_none: f32[3, 4],
    huber_none: f32[3, 4],
    binary_none: f32[3, 4],
    kl_none: f32[3, 4],
    reduce_sum: f32[],
    mse_sum: f32[],
    l1_sum: f32[],
    huber_sum: f32[],
    binary_sum: f32[],
    kl_sum: f32[],
    reduce_mean: f32[],
    mse_mean: f32[],
    l1_mean: f32[],
    huber_mean: f32[],
    binary_mean: f32[],
    kl_mean: f32[],
    binary_far: f32[2, 4],
    softplus_slope: f32[4],
    log_sigmoid_slope: f32[4],
    binary_slope: f32[4],
    kl_batch: f32[])
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
    smooth_flat_none_0, smooth_flat_none_1 = cross_entropy(x0, x1, reduction = "none", smoothing = 0.1)
    smooth_flat_sum_0, smooth_flat_sum_1 = cross_entropy(x0, x1, reduction = "sum", smoothing = 0.1)
    smooth_flat_mean_0, smooth_flat_mean_1 = cross_entropy(x0, x1, reduction = "mean", smoothing = 0.1)
    smooth_image_none_0, smooth_image_none_1 = cross_entropy(x3, x5, x2, reduction = "none", smoothing = 0.1, ignore = -1)
    smooth_image_sum_0, smooth_image_sum_1 = cross_entropy(x3, x5, x2, reduction = "sum", smoothing = 0.1, ignore = -1)
    smooth_image_mean_0, smooth_image_mean_1 = cross_entropy(x3, x5, x2, reduction = "mean", smoothing = 0.1, ignore = -1)
    reduce_none = reduce_loss(x6, reduction = "none")
    mse_none = mse_loss(x6, x7, reduction = "none")
    l1_none = l1_loss(x6, x7, reduction = "none")
    huber_none = huber_loss(x6, x7, reduction = "none", delta = 1.5)
    binary_none = binary_cross_entropy(x6, x8, reduction = "none")
    kl_none = kl_loss(x9, x10, reduction = "none")
    reduce_sum = reduce_loss(x6, reduction = "sum")
    mse_sum = mse_loss(x6, x7, reduction = "sum")
    l1_sum = l1_loss(x6, x7, reduction = "sum")
    huber_sum = huber_loss(x6, x7, reduction = "sum", delta = 1.5)
    binary_sum = binary_cross_entropy(x6, x8, reduction = "sum")
    kl_sum = kl_loss(x9, x10, reduction = "sum")
    reduce_mean = reduce_loss(x6, reduction = "mean")
    mse_mean = mse_loss(x6, x7, reduction = "mean")
    l1_mean = l1_loss(x6, x7, reduction = "mean")
    huber_mean = huber_loss(x6, x7, reduction = "mean", delta = 1.5)
    binary_mean = binary_cross_entropy(x6, x8, reduction = "mean")
    kl_mean = kl_loss(x9, x10, reduction = "mean")
    binary_far = binary_cross_entropy(x11, x12, reduction = "none", positive = 3)
    softplus_total = sum(softplus(x13))
    softplus_slope = derivative(softplus_total, x13)
    log_sigmoid_total = sum(log_sigmoid(x13))
    log_sigmoid_slope = derivative(log_sigmoid_total, x13)
    binary_total = binary_cross_entropy(x13, x14, reduction = "sum")
    binary_slope = derivative(binary_total, x13)
    kl_batch = kl_loss(x9, x10)
}
