mg 1
import activation
import attention
import contraction
import elementwise
import gather
import move
import norm
import random
import sampling
import window
// The operators of ONNX whose attributes differ from the library's. Each has ONNX's attributes
// with ONNX's defaults, and names the library's operator for it. The import of a model calls
// them; where the library's operator differs in names alone, it calls that.

// ---- helpers
// one number, whatever its rank
op number<T: any>(x: T[..S]) -> (y) {
    if rank(x) == 0 { y = x } else { y = reshape(x, shape = []) }
}
// b with axes of 1, so that it broadcasts against a as attributes said before opset 7:
// its axes begin at `axis` of a
op aligned<T: any, U: any>(a: T[..A], b: U[..B], axis: int = rank(a) - rank(b),
        broadcast: bool = false) -> (y)
    let first = wrap(axis, rank(a))
    require not broadcast
        or rank(b) == 0
        or first >= 0
            and first + rank(b)
                <= rank(a) : "axis {axis}: ranks {rank(a)} and {rank(b)} don't fit there"
{
    if broadcast and rank(b) > 0 and first + rank(b) < rank(a) {
        y = unsqueeze(b, axes = [rank(b)..rank(a) - first])
    } else {
        y = b
    }
}
// Before opset 7, a slope with several elements has one for each channel.
op slopes<T: any>(x: T[..A], slope: T[..B]) -> (y) {
    if rank(slope) == 1 and rank(x) > 2 and size(slope) != 1 {
        y = unsqueeze(slope, axes = [1..rank(x) - 1])
    } else {
        y = slope
    }
}

// ---- elementwise
// the remainder: with the dividend's sign if `fmod`, else with the divisor's
op mod<T: number>(a: T[..A], b: T[..B], fmod: bool = false) -> (y) {
    if fmod { y = rem(a, b) } else { y = elementwise.mod(a, b) }
}
// the bits of a, moved by b places
op bit_shift<T: int>(a: T[..A], b: T[..B], direction: "LEFT" | "RIGHT") -> (y) {
    if direction == "LEFT" { y = shift_left(a, b) } else { y = shift_right(a, b) }
}
// x times the normal distribution function, exact or approximated by tanh
op gelu<T: float>(x: T[..S], approximate: "none" | "tanh" = "none") -> (y) {
    if approximate == "tanh" { y = gelu_tanh(x) } else { y = activation.gelu(x) }
}
// x times sigmoid(alpha * x)
op swish<T: float>(x: T[..S], alpha: float = 1.0) -> (y) {
    if alpha == 1 { y = silu(x) } else { y = mul(x, sigmoid(mul(x, alpha))) }
}
// x between two bounds that are attributes, as before opset 11, each of which may be absent
op clip_to<T: number>(x: T[..S], lo: float = -inf, hi: float = inf) -> (y) {
    if lo > -inf and hi < inf {
        y = elementwise.clip(x, lo, hi)
    } else if lo > -inf {
        y = maximum(x, lo)
    } else if hi < inf {
        y = minimum(x, hi)
    } else {
        y = x
    }
}
// softmax before opset 13: all axes from `axis` on are one row
op softmax_rows<T: float>(x: T[..S], axis: int = 1) -> (y) {
    if wrap(axis, rank(x)) == rank(x) - 1 {
        y = softmax(x)
    } else {
        y = reshape(softmax(flatten2d(x, axis = wrap(axis, rank(x)))), shape = S)
    }
}
// log_softmax before opset 13: all axes from `axis` on are one row
op log_softmax_rows<T: float>(x: T[..S], axis: int = 1) -> (y) {
    if wrap(axis, rank(x)) == rank(x) - 1 {
        y = log_softmax(x)
    } else {
        y = reshape(log_softmax(flatten2d(x, axis = wrap(axis, rank(x)))), shape = S)
    }
}
// hardmax before opset 13: all axes from `axis` on are one row
op hardmax_rows<T: float>(x: T[..S], axis: int = 1) -> (y) {
    if wrap(axis, rank(x)) == rank(x) - 1 {
        y = hardmax(x)
    } else {
        y = reshape(hardmax(flatten2d(x, axis = wrap(axis, rank(x)))), shape = S)
    }
}

// ---- reductions
// the reduction `by` over the axes; no axes mean all of them, or none with `noop_with_empty_axes`
op reduce<T: any>(x: T[..S],
        by: "sum" | "prod" | "mean" | "max" | "min" | "l1" | "l2" | "sum_square" | "log_sum"
        | "log_sum_exp", axes: int[] = [], keepdims: bool = true,
        noop_with_empty_axes: bool = false) -> (y)
{
    if len(axes) > 0 {
        y = reduced(x, by = by, axes = axes, keepdims = keepdims)
    } else if noop_with_empty_axes {
        y = reduced(unsqueeze(x, axes = [-1]), by = by, axes = [-1])
    } else {
        y = reduced(x, by = by, axes = [0..rank(x)], keepdims = keepdims and rank(x) > 0)
    }
}
// the reduction `by` over the axes that are named. Bools have a largest and a smallest too.
// Integer results that need not be integers are computed in f64.
op reduced<T: any>(x: T[..S], by: str, axes: int[], keepdims: bool = false) -> (y) {
    if T == bool and by == "max" {
        y = any(x, axes = axes, keepdims = keepdims)
    } else if T == bool and by == "min" {
        y = all(x, axes = axes, keepdims = keepdims)
    } else if T == f16
                or T == bf16
                or T == f32
                or T == f64
                or by == "sum"
                or by == "prod"
                or by == "max"
                or by == "min"
                or by == "l1"
                or by == "sum_square" {
        y = reduced_number(x, by = by, axes = axes, keepdims = keepdims)
    } else {
        y = cast(reduced_number(cast(x, to = f64), by = by, axes = axes, keepdims = keepdims),
            to = T)
    }
}
// `reduced` of numbers, in their own type
op reduced_number<T: number>(x: T[..S], by: str, axes: int[], keepdims: bool) -> (y) {
    if by == "sum" { y = sum(x, axes = axes, keepdims = keepdims) }
    if by == "prod" { y = prod(x, axes = axes, keepdims = keepdims) }
    if by == "mean" { y = mean(x, axes = axes, keepdims = keepdims) }
    if by == "max" { y = max(x, axes = axes, keepdims = keepdims) }
    if by == "min" { y = min(x, axes = axes, keepdims = keepdims) }
    if by == "l1" { y = norm1(x, axes = axes, keepdims = keepdims) }
    if by == "l2" { y = norm2(x, axes = axes, keepdims = keepdims) }
    if by == "sum_square" { y = sum_square(x, axes = axes, keepdims = keepdims) }
    if by == "log_sum" { y = log_sum(x, axes = axes, keepdims = keepdims) }
    if by == "log_sum_exp" { y = log_sum_exp(x, axes = axes, keepdims = keepdims) }
}

// ---- products and normalisation
// the matrix product of tensors of any rank; a vector is a row on the left, a column on the right
op matmul<T: number>(a: T[..A], b: T[..B]) -> (y)
    require rank(a) > 0 and rank(b) > 0 : "expected two tensors of rank 1 or more"
{
    if rank(a) == 1 and rank(b) == 1 {
        y = dot(a, b)
    } else if rank(a) == 1 {
        y = squeeze(contraction.matmul(unsqueeze(a, axes = [0]), b), axes = [-2])
    } else if rank(b) == 1 {
        y = matvec(a, b)
    } else {
        y = contraction.matmul(a, b)
    }
}
// alpha * a * b + beta * c, either factor transposed; a layer's product is `linear`
op gemm<T: number>(a: T[..A], b: T[P, Q], c: T[..C]?, alpha: float = 1.0, beta: float = 1.0,
        transA: bool = false, transB: bool = false) -> (y)
{
    if transB
                and not transA
                and alpha == 1
                and beta == 1
                and (not given(c) or rank(c) == 1 and proved(size(c) == P)) {
        y = linear(a, b, c)
    } else {
        y = contraction.gemm(a, b, c, alpha = alpha, beta = beta, transpose_a = transA,
            transpose_b = transB)
    }
}
// Powers in the base's type: of floats, or of integers, by integers or through f64.
op pow<T: any, U: any>(a: T[..A], b: U[..B]) -> (y) {
    if T == f16 or T == bf16 or T == f32 or T == f64 {
        if T == U { y = elementwise.pow(a, b) } else { y = elementwise.pow(a, cast(b, to = T)) }
    } else if U == f16 or U == bf16 or U == f32 or U == f64 {
        y = cast(elementwise.pow(cast(a, to = f64), cast(b, to = f64)), to = T)
    } else {
        y = pow_int(a, b)
    }
}
// Normalises over the axes from `axis` to the last. The weight and the bias may broadcast.
op layer_norm<T: float>(x: T[..N, ..R @ axis..rank(x)], scale: T[..A]?, bias: T[..B]?,
        axis: int = -1, epsilon: float = 1e-5) -> (y)
{
    if (not given(scale) or rank(scale) == len(R) and proved(size(scale) == size(R)))
                and (not given(bias)
                    or given(scale) and rank(bias) == len(R) and proved(size(bias) == size(R))) {
        y = norm.layer_norm(x, scale, bias, axis = axis, eps = epsilon)
    } else {
        z = norm.layer_norm(x, axis = axis, eps = epsilon)
        if given(scale) { u = mul(z, scale) } else { u = z }
        if given(bias) { y = add(u, bias) } else { y = u }
    }
}
// layer_norm, with the mean that it subtracts and the factor by which it multiplies
op layer_norm_statistics<T: float>(x: T[..S], scale: T[..A]?, bias: T[..B]?, axis: int = -1,
        epsilon: float = 1e-5) -> (y, mu, factor)
{
    y = layer_norm(x, scale, bias, axis = axis, epsilon = epsilon)
    mu, factor = layer_norm_stats(x, axis = axis, eps = epsilon)
}
// Normalises by the given statistics, or by those of x itself.
op batch_norm<T: float>(x: T[N, C, ..X], scale: T[C], bias: T[C], mean: T[C], variance: T[C],
        epsilon: float = 1e-5, momentum: float = 0.9, training_mode: bool = false) -> (y)
{
    if training_mode {
        y, next_mean, next_variance = batch_norm_train(x, scale, bias, mean, variance,
            momentum = momentum, eps = epsilon)
    } else {
        y = norm.batch_norm(x, mean, variance, scale, bias, eps = epsilon)
    }
}
// batch_norm, with the statistics that training updates
op batch_norm_statistics<T: float>(x: T[N, C, ..X], scale: T[C], bias: T[C], mean: T[C],
        variance: T[C], epsilon: float = 1e-5, momentum: float = 0.9, training_mode: bool = false)
    -> (y, next_mean, next_variance)
    require training_mode : "not supported: statistics as outputs outside training"
{
    y, next_mean, next_variance = batch_norm_train(x, scale, bias, mean, variance,
        momentum = momentum, eps = epsilon)
}
// batch_norm before opset 7, where `is_test` turned training off
op batch_norm_test<T: float>(x: T[N, C, ..X], scale: T[C], bias: T[C], mean: T[C], variance: T[C],
        epsilon: float = 1e-5, is_test: bool = false) -> (y)
    require is_test : "not supported: training"
{
    y = norm.batch_norm(x, mean, variance, scale, bias, eps = epsilon)
}
// group_norm before opset 21, with a weight and a bias for each group
op group_norm<T: float>(x: T[N, C, ..X], scale: T[num_groups], bias: T[num_groups], num_groups: int,
        epsilon: float = 1e-5) -> (y)
    require num_groups >= 1
        and C % num_groups == 0 : "{C} channels don't split into {num_groups} groups"
{
    y = norm.group_norm(x, repeat(scale, times = C / num_groups),
        repeat(bias, times = C / num_groups), groups = num_groups, eps = epsilon)
}
// x, divided by its l1 or l2 norm along an axis
op lp_normalization<T: float>(x: T[..S], axis: int = -1, p: int = 2) -> (y)
    require p == 1 or p == 2 : "attribute 'p' is {p}; expected 1 or 2"
{
    if p == 1 { y = normalize1(x, axis = axis) } else { y = normalize(x, axis = axis) }
}

// ---- windows; `pads` holds the widths before the axes, then those after them
// the largest element of each window
op max_pool<T: number>(x: T[N, C, ..X], kernel_shape: int[..X],
        auto_pad: "NOTSET" | "SAME_UPPER" | "SAME_LOWER" | "VALID" = "NOTSET",
        ceil_mode: bool = false, dilations: int[..X] = 1, pads: int[] = [], strides: int[..X] = 1)
    -> (y)
    require len(pads) == 0 or len(pads) == 2 * len(X) : "{len(pads)} pads; expected {2 * len(X)}"
    let ..Same = same_pad(X, kernel_shape, strides, dilations)
    let ..P = Same * 0
        + where(auto_pad == "SAME_UPPER", Same / 2,
            where(auto_pad == "SAME_LOWER", Same - Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos], 0)))
    let ..E = Same * 0
        + where(auto_pad == "SAME_UPPER", Same - Same / 2,
            where(auto_pad == "SAME_LOWER", Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos + len(X)], 0)))
{
    y = window.max_pool(x, kernel = kernel_shape, stride = strides, dilation = dilations, pad = P,
        pad_end = E, ceil_mode = ceil_mode)
}
// max_pool, with the position of each maximum; positions are column-major with `storage_order`
op max_pool_index<T: number>(x: T[N, C, ..X], kernel_shape: int[..X],
        auto_pad: "NOTSET" | "SAME_UPPER" | "SAME_LOWER" | "VALID" = "NOTSET",
        ceil_mode: bool = false, storage_order: bool = false, dilations: int[..X] = 1,
        pads: int[] = [], strides: int[..X] = 1) -> (y, index)
    require len(pads) == 0 or len(pads) == 2 * len(X) : "{len(pads)} pads; expected {2 * len(X)}"
    let ..Same = same_pad(X, kernel_shape, strides, dilations)
    let ..P = Same * 0
        + where(auto_pad == "SAME_UPPER", Same / 2,
            where(auto_pad == "SAME_LOWER", Same - Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos], 0)))
    let ..E = Same * 0
        + where(auto_pad == "SAME_UPPER", Same - Same / 2,
            where(auto_pad == "SAME_LOWER", Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos + len(X)], 0)))
{
    y, index = window.max_pool_index(x, kernel = kernel_shape, stride = strides,
        dilation = dilations, pad = P, pad_end = E, ceil_mode = ceil_mode, columns = storage_order)
}
// the mean of each window
op average_pool<T: float>(x: T[N, C, ..X], kernel_shape: int[..X],
        auto_pad: "NOTSET" | "SAME_UPPER" | "SAME_LOWER" | "VALID" = "NOTSET",
        ceil_mode: bool = false, count_include_pad: bool = false, dilations: int[..X] = 1,
        pads: int[] = [], strides: int[..X] = 1) -> (y)
    require len(pads) == 0 or len(pads) == 2 * len(X) : "{len(pads)} pads; expected {2 * len(X)}"
    let ..Same = same_pad(X, kernel_shape, strides, dilations)
    let ..P = Same * 0
        + where(auto_pad == "SAME_UPPER", Same / 2,
            where(auto_pad == "SAME_LOWER", Same - Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos], 0)))
    let ..E = Same * 0
        + where(auto_pad == "SAME_UPPER", Same - Same / 2,
            where(auto_pad == "SAME_LOWER", Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos + len(X)], 0)))
{
    y = avg_pool(x, kernel = kernel_shape, stride = strides, dilation = dilations, pad = P,
        pad_end = E, ceil_mode = ceil_mode, count_pad = count_include_pad)
}
// the p-norm of each window
op lp_pool<T: float>(x: T[N, C, ..X], kernel_shape: int[..X],
        auto_pad: "NOTSET" | "SAME_UPPER" | "SAME_LOWER" | "VALID" = "NOTSET",
        ceil_mode: bool = false, p: float = 2.0, dilations: int[..X] = 1, pads: int[] = [],
        strides: int[..X] = 1) -> (y)
    require len(pads) == 0 or len(pads) == 2 * len(X) : "{len(pads)} pads; expected {2 * len(X)}"
    let ..Same = same_pad(X, kernel_shape, strides, dilations)
    let ..P = Same * 0
        + where(auto_pad == "SAME_UPPER", Same / 2,
            where(auto_pad == "SAME_LOWER", Same - Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos], 0)))
    let ..E = Same * 0
        + where(auto_pad == "SAME_UPPER", Same - Same / 2,
            where(auto_pad == "SAME_LOWER", Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos + len(X)], 0)))
{
    y = window.lp_pool(x, kernel = kernel_shape, stride = strides, dilation = dilations, pad = P,
        pad_end = E, ceil_mode = ceil_mode, p = p)
}
// a convolution; the weight has the kernel's sizes
op conv<T: number>(x: T[N, C, ..X], weight: T[M, D, ..K], bias: T[M]?,
        auto_pad: "NOTSET" | "SAME_UPPER" | "SAME_LOWER" | "VALID" = "NOTSET",
        dilations: int[..X] = 1, group: int = 1, pads: int[] = [], strides: int[..X] = 1) -> (y)
    require rank(weight)
        == rank(x) : "the image has {rank(x)} dimensions, the window {rank(weight) - 2}"
    require len(pads) == 0 or len(pads) == 2 * len(X) : "{len(pads)} pads; expected {2 * len(X)}"
    let ..Same = same_pad(X, K, strides, dilations)
    let ..P = Same * 0
        + where(auto_pad == "SAME_UPPER", Same / 2,
            where(auto_pad == "SAME_LOWER", Same - Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos], 0)))
    let ..E = Same * 0
        + where(auto_pad == "SAME_UPPER", Same - Same / 2,
            where(auto_pad == "SAME_LOWER", Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos + len(X)], 0)))
{
    y = contraction.conv(x, weight, bias, stride = strides, dilation = dilations, pad = P,
        pad_end = E, groups = group)
}
// a convolution whose taps are moved by offsets and weighted by a mask
op deform_conv<T: float>(x: T[N, C, ..X], weight: T[M, D, ..K], offset: T[..F], bias: T[M]?,
        mask: T[..G]?, dilations: int[..X] = 1, group: int = 1, offset_group: int = 1,
        pads: int[] = [], strides: int[..X] = 1,
        auto_pad: "NOTSET" | "SAME_UPPER" | "SAME_LOWER" | "VALID" = "NOTSET") -> (y)
    require len(pads) == 0 or len(pads) == 2 * len(X) : "{len(pads)} pads; expected {2 * len(X)}"
    let ..Same = same_pad(X, K, strides, dilations)
    let ..P = Same * 0
        + where(auto_pad == "SAME_UPPER", Same / 2,
            where(auto_pad == "SAME_LOWER", Same - Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos], 0)))
    let ..E = Same * 0
        + where(auto_pad == "SAME_UPPER", Same - Same / 2,
            where(auto_pad == "SAME_LOWER", Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos + len(X)], 0)))
{
    y = sampling.deform_conv(x, weight, offset, bias, mask, stride = strides, dilation = dilations,
        pad = P, pad_end = E, groups = group, offset_groups = offset_group)
}
// the transpose of a convolution.
// A wanted size, given by `output_shape` or by `auto_pad` (the image's size times the stride),
// decides the padding. An odd element goes to the front, except with SAME_UPPER.
op conv_transpose<T: number>(x: T[N, C, ..X], weight: T[C, M, ..K], bias: T[B]?,
        auto_pad: "NOTSET" | "SAME_UPPER" | "SAME_LOWER" | "VALID" = "NOTSET",
        dilations: int[..X] = 1, group: int = 1, output_padding: int[..X] = 0,
        output_shape: int[] = [], pads: int[] = [], strides: int[..X] = 1) -> (y)
    require rank(weight) == rank(x)
        and rank(x) >= 3 : "the image has {rank(x)} dimensions, the weight {rank(weight)}"
    require len(output_shape) == 0
        or len(output_shape)
            >= len(X) : "'output_shape' has {len(output_shape)} numbers, expected {len(X)}"
    require len(pads) == 0 or len(pads) == 2 * len(X) : "{len(pads)} pads; expected {2 * len(X)}"
    let ..Same = same_pad(X, K, strides, dilations)
    let ..P = Same * 0
        + where(auto_pad == "SAME_UPPER", Same / 2,
            where(auto_pad == "SAME_LOWER", Same - Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos], 0)))
    let ..E = Same * 0
        + where(auto_pad == "SAME_UPPER", Same - Same / 2,
            where(auto_pad == "SAME_LOWER", Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos + len(X)], 0)))
    let ..O = X * strides * 0
        + where(len(output_shape) > 0, output_shape[pos + len(output_shape) - len(X)], X * strides)
{
    if len(output_shape) > 0 or auto_pad == "SAME_UPPER" or auto_pad == "SAME_LOWER" {
        y = conv_transpose_to(x, weight, bias, extent = O, stride = strides, dilation = dilations,
            out_pad = output_padding, groups = group, end_larger = auto_pad == "SAME_UPPER")
    } else {
        y = contraction.conv_transpose(x, weight, bias, stride = strides, dilation = dilations,
            pad = P, pad_end = E, out_pad = output_padding, groups = group)
    }
}
// blocks of an image, added up where they overlap
op col2im<T: number>(x: T[..S], image_shape: int[], block_shape: int[..image_shape],
        dilations: int[..image_shape] = 1, pads: int[] = [], strides: int[..image_shape] = 1) -> (y)
    require len(pads) == 0
        or len(pads) == 2 * len(image_shape) : "{len(pads)} pads for {len(image_shape)} dimensions"
    let ..P = image_shape * 0 + where(len(pads) > 0, pads[pos], 0)
    let ..E = image_shape * 0 + where(len(pads) > 0, pads[pos + len(image_shape)], 0)
{
    y = fold(x, extent = image_shape, kernel = block_shape, stride = strides, dilation = dilations,
        pad = P, pad_end = E)
}
// the transpose of max_pool. The places refer to the size that the windows give.
// A larger `output_shape` adds zeros at the end.
op max_unpool<T: number, I: int>(x: T[N, C, ..X], index: I[N, C, ..X], kernel_shape: int[..X],
        output_shape: int[] = [], pads: int[] = [], strides: int[..X] = 1) -> (y)
    require len(pads) == 0 or len(pads) == 2 * len(X) : "{len(pads)} pads; expected {2 * len(X)}"
    require len(output_shape) == 0
        or len(output_shape) == rank(x) : "the wanted shape has {len(output_shape)} numbers"
    let ..P = X * 0 + where(len(pads) > 0, pads[pos], 0)
    let ..E = X * 0 + where(len(pads) > 0, pads[pos + len(X)], 0)
    let ..O = (X - 1) * strides + kernel_shape - P - E
    let ..Zeros = X * 0
    let ..More = O * 0 + where(len(output_shape) > 0, output_shape[pos + 2] - O, 0)
{
    u = window.max_unpool(x, index, kernel = kernel_shape, stride = strides, pad = P, pad_end = E)
    if len(output_shape) > 0 {
        y = move.pad(u, before = [0, 0] + Zeros, after = [0, 0] + More)
    } else {
        y = u
    }
}

// ---- shapes and places
// the value for `axis` if it is among the axes, each of which has one, else `otherwise`.
// All of them depend on data.
op of_axis<I: int, J: int>(values: I[K], axes: J[K], axis: int, rank: int, otherwise: int)
    -> (v: i64[])
{
    v[] = otherwise
        + (sum[i] where(axes[i] == axis or axes[i] == axis - rank, i64(values[i]) - otherwise, 0))
}
// x, where an axis of size 1 gets the size that data decide; a wanted size of 1 keeps the axis.
// In any other case the run fails unless the sizes agree.
op stretch<T: any>(x: T[..N, D @ axis], size: int, axis: int)
    -> (y: T[..N, some L <= max(D, size) @ axis])
    require D == 1 or size == 1 or D == size : "axis {axis} has size {D}; expected 1 or {size}"
{
    many[]: i64[] = where(D == 1, size, D)
    dim L <= max(D, size) = many
    y[..n, i in 0..L @ axis] = x[..n, where(D == 1, 0, i) @ axis] else T(0)
}
// x, where an axis of size 1 gets another size. The run fails if the sizes differ otherwise.
op stretch_to<T: any>(x: T[..N, D @ axis], size: int, axis: int) -> (y: T[..N, size @ axis])
    require D == 1 or D == size : "axis {axis} has size {D}; expected 1 or {size}"
{
    y[..n, i @ axis] = x[..n, where(D == 1, 0, i) @ axis] else T(0)
}
// x, whose size along an axis is known to be `size`. The run fails if it is not.
op sized<T: any>(x: T[..N, D @ axis], size: int, axis: int) -> (y: T[..N, size @ axis])
    require D == size : "axis {axis} has size {D}; expected {size}"
{
    y[..n, i @ axis] = x[..n, i @ axis]
}
// Where a slice with a negative step starts: below the axis means its first element.
op start_down(start: i64[], size: int) -> (y: i64[]) { y[] = max(start[], -size) }
// Where a slice with a negative step ends: the largest i32 or i64 means that nothing ends it, as in
// ONNX Runtime.
op stop_down(stop: i64[], size: int) -> (y: i64[]) {
    y[] = where(stop[] == 2147483647 or stop[] == highest(i64), -1 - size, stop[])
}
// A slice along one axis, whose ends and step data decide.
op slice_by<T: any>(x: T[..N, D @ axis], start: i64[], stop: i64[], step: i64[], axis: int) -> (y) {
    from[] = where(step[] < 0, start_down(start[], size = D), start[])
    to[] = where(step[] < 0, stop_down(stop[], size = D), stop[])
    y = move.slice_by(x, from, to, step, axis = axis)
}
// x with something around it: `pads` holds the widths before the axes, then those after them
op pad<T: any>(x: T[..S], value: T[..V]?, pads: int[], axes: int[] = [],
        mode: "constant" | "reflect" | "edge" | "wrap" = "constant") -> (y)
    require len(pads)
        == 2
            * where(len(axes) > 0, len(axes),
                rank(x)) : "{len(pads)} widths for {where(len(axes) > 0, len(axes), rank(x))} axes"
    let ..B = S * 0 + where(len(axes) > 0, 0, pads[pos])
    let ..E = S * 0 + where(len(axes) > 0, 0, pads[pos + len(S)])
{
    if given(value) { v = number(value) } else { v = none }
    if len(axes) == 0 {
        y = move.pad(x, v, before = B, after = E, mode = mode)
    } else {
        y = x
        for i in 0..len(axes) {
            y = pad_axis(y, v, axis = axes[i], before = pads[i], after = pads[i + len(axes)],
                mode = mode)
        }
    }
}
// `pad` along one axis
op pad_axis<T: any>(x: T[..S], value: T[]?, axis: int, before: int, after: int,
        mode: "constant" | "reflect" | "edge" | "wrap") -> (y)
    let ..B = S * 0 + where(pos == wrap(axis, len(S)), before, 0)
    let ..E = S * 0 + where(pos == wrap(axis, len(S)), after, 0)
{
    y = move.pad(x, value, before = B, after = E, mode = mode)
}
// the distinct slices along an axis, or elements, with the first place and the count of each.
// For each slice there is also the number of its distinct slice.
op unique<T: number>(x: T[..S], axis: int[] = [], sorted: bool = true)
    -> (y, first, inverse, counts)
{
    if len(axis) > 0 and rank(x) > 1 {
        rows = as_rows(x, axis = axis[0])
        u, first, inverse, counts = unique_rows(rows, sorted = sorted)
        y = along(u, x, axis = axis[0])
    } else {
        u, first, inverse, counts = unique_rows(reshape(x, shape = [-1, 1]), sorted = sorted)
        y = squeeze(u, axes = [1])
    }
}
// each slice along an axis as a row
op as_rows<T: any>(x: T[..M, D @ axis], axis: int) -> (y: T[D, size(M)]) {
    y[d, (..m)] = x[..m, d @ axis]
}
// rows of as_rows as slices again, which are shaped like those of x
op along<T: any>(rows: T[K, W], x: T[..M, D @ axis], axis: int) -> (y: T[..M, K @ axis]) {
    y[..m, k @ axis] = rows[k, (..m)]
}
// The axes before `axis` become one, and so do the others.
op flatten<T: any>(x: T[..S], axis: int = 1) -> (y) {
    y = flatten2d(x, axis = wrap(axis, rank(x)))
}
// dimension i of the result is dimension perm[i] of x; without `perm` the order is reversed
op transpose<T: any>(x: T[..S], perm: int[] = []) -> (y)
    require len(perm) == 0
        or len(perm) == rank(x) : "'perm' has {len(perm)} numbers, the tensor {rank(x)} dimensions"
    let ..P = S * 0 + where(len(perm) > 0, perm[pos], len(S) - 1 - pos)
{
    if P == [0..rank(x)] { y = x } else { y = move.transpose(x, perm = P) }
}
// the slices at the places where `keep` is true; without an axis, the elements
op compress<T: any>(x: T[..S], keep: bool[L], axis: int[] = []) -> (y) {
    if len(axis) == 0 {
        y = gather.compress(reshape(x, shape = [-1]), keep, axis = 0)
    } else {
        y = gather.compress(x, keep, axis = axis[0])
    }
}
// the upper or lower triangle
op trilu<T: any>(x: T[..S], k: int = 0, upper: bool = true) -> (y) {
    if T == bool {
        y = cast(move.trilu(cast(x, to = u8), k = k, upper = upper), to = bool)
    } else {
        y = move.trilu(x, k = k, upper = upper)
    }
}
// the upper or lower triangle, from a diagonal that is known only in the run
op trilu_at<T: any>(x: T[..N, R, C], k: i64[], upper: bool = true) -> (y: T[..N, R, C]) {
    if upper {
        keep[i in 0..R, j in 0..C] = j - i >= k[]
    } else {
        keep[i in 0..R, j in 0..C] = j - i <= k[]
    }
    if T == bool {
        y[..n, i, j] = x[..n, i, j] and keep[i, j]
    } else {
        y[..n, i, j] = where(keep[i, j], x[..n, i, j], T(0))
    }
}
// ones on a diagonal, in the shape of x
op eye_like<T: any>(x: T[R, C], k: int = 0, dtype: type = T) -> (y) {
    y = eye(rows = R, columns = C, k = k, type = dtype)
}
// values[1] at each index, values[0] elsewhere
op one_hot<I: any, T: any>(ids: I[..S], values: T[2], depth: int, axis: int = -1) -> (y) {
    off = select(values, index = 0)
    on = select(values, index = 1)
    if I == f16 or I == bf16 or I == f32 or I == f64 {
        y = gather.one_hot(cast(ids, to = i64), off, on, depth = depth, axis = axis)
    } else {
        y = gather.one_hot(ids, off, on, depth = depth, axis = axis)
    }
}
// the middle of x, or x in the middle of zeros
op center_crop_pad<T: any>(x: T[..S], shape: int[], axes: int[] = [0..rank(x)]) -> (y)
    require len(shape) == len(axes) : "'shape' has {len(shape)} sizes for {len(axes)} axes"
{
    y = move.center_crop_pad(x, shape = shape, axes = axes)
}
// Reverses the first lengths[b] elements of each sequence.
op reverse_sequence<T: any, I: int>(x: T[..S], lengths: I[B], batch_axis: int = 1,
        time_axis: int = 0) -> (y)
    require batch_axis + time_axis == 1
        and batch_axis * time_axis
            == 0 : "its axes are {time_axis} and {batch_axis}; expected 0 and 1"
{
    y = move.reverse_sequence(x, lengths, axis = time_axis)
}
// the boxes that remain when only the best of those that overlap is kept
op non_max_boxes(boxes: f32[B, N, 4], scores: f32[B, C, N], iou: f32[]?, max_output: int = 0,
        score: float = -inf, center_point_box: bool = false) -> (y)
{
    y = non_max_suppression(boxes, scores, iou, max_output = min(max(max_output, 0), 2147483647),
        score = score, center = center_point_box)
}
// the scores that are larger than a number that data decide; others become -inf and never count
op scores_over(scores: f32[B, C, N], least: f32[]) -> (y: f32[B, C, N]) {
    y[b, c, i] = where(scores[b, c, i] > least[], scores[b, c, i], -inf)
}
// writes new entries into a cache at given places
op tensor_scatter<T: any>(cache: T[B, ..C], fresh: T[B, ..F], at: i64[B]?, axis: int = -2,
        mode: "linear" | "circular" = "linear") -> (y)
    require wrap(axis, rank(cache)) != 0 : "axis 0 is the batch axis; expected another one"
{
    if given(at) { start = at } else { start = zeros(shape = [B], type = i64) }
    y = attention.tensor_scatter(cache, fresh, start, axis = axis, circular = mode == "circular")
}

// ---- sampling and random numbers
// elements at places between those of an image
op grid_sample<T: float, G: float>(x: T[N, C, ..X], grid: G[N, ..O, R],
        mode: "linear" | "nearest" | "cubic" | "bilinear" | "bicubic" = "linear",
        padding_mode: "zeros" | "border" | "reflection" = "zeros", align_corners: bool = false)
    -> (y)
{
    if mode == "nearest" {
        y = sampling.grid_sample(x, grid, mode = "nearest", padding = padding_mode,
            align_corners = align_corners)
    }
    if mode == "linear" or mode == "bilinear" {
        y = sampling.grid_sample(x, grid, mode = "linear", padding = padding_mode,
            align_corners = align_corners)
    }
    if mode == "cubic" or mode == "bicubic" {
        y = sampling.grid_sample(x, grid, mode = "cubic", padding = padding_mode,
            align_corners = align_corners)
    }
}
// the places that an affine map of an image's places gives; `size` includes batch and channels
op affine_grid<T: float>(theta: T[N, R, S], size: int[], align_corners: bool = false) -> (y)
    require len(size) == 4 or len(size) == 5 : "size has {len(size)} numbers; expected 4 or 5"
{
    if len(size) == 4 {
        y = sampling.affine_grid(theta, shape = [size[2], size[3]], align_corners = align_corners)
    } else {
        y = sampling.affine_grid(theta, shape = [size[2], size[3], size[4]],
            align_corners = align_corners)
    }
}
// regions of an image, each sampled to one size
op roi_align<T: float, I: int>(x: T[N, C, H, W], regions: T[R, 4], image: I[R],
        coordinate_transformation_mode: "half_pixel" | "output_half_pixel" = "half_pixel",
        mode: "avg" | "max" = "avg", output_height: int = 1, output_width: int = 1,
        sampling_ratio: int = 0, spatial_scale: float = 1.0) -> (y)
{
    y = sampling.roi_align(x, regions, image, height = output_height, width = output_width,
        mode = mode, samples = sampling_ratio, scale = spatial_scale,
        half_pixel = coordinate_transformation_mode == "half_pixel")
}
// regions of an image, pooled to one size
op max_roi_pool<T: float>(x: T[N, C, H, W], regions: T[R, 5], pooled_shape: int[],
        spatial_scale: float = 1.0) -> (y)
    require len(pooled_shape) == 2 : "'pooled_shape' has {len(pooled_shape)} numbers, expected 2"
{
    y = sampling.max_roi_pool(x, regions, height = pooled_shape[0], width = pooled_shape[1],
        scale = spatial_scale)
}
// normally distributed numbers, in the shape and type of x
op random_normal_like<T: any>(x: T[..S], seed: u64[], mean: float = 0.0, scale: float = 1.0,
        dtype: type = T) -> (y)
{
    y = random_normal(seed, shape = S, mean = mean, scale = scale, type = dtype)
}
// uniformly distributed numbers, in the shape and type of x
op random_uniform_like<T: any>(x: T[..S], seed: u64[], low: float = 0.0, high: float = 1.0,
        dtype: type = T) -> (y)
{
    y = random_uniform(seed, shape = S, low = low, high = high, type = dtype)
}
// 1 with the probability that x holds, else 0
op bernoulli<T: float>(x: T[..S], seed: u64[], dtype: type = T) -> (y) {
    y = random.bernoulli(x, seed, type = dtype)
}

// ---- attention
// x with its heads in an axis of their own
op by_heads<T: any>(x: T[..S], heads: int) -> (y) {
    if rank(x) == 4 { y = x } else { y = split_heads(x, heads = heads) }
}
// pairs of features, rotated: Su et al., 2021; the heads may lie in the last axis
op rotary_embedding<T: float, I: int>(x: T[..S], cosines: T[..A], sines: T[..B], places: I[..P]?,
        interleaved: bool = false, num_heads: int = 1) -> (y)
{
    u = by_heads(x, heads = num_heads)
    if given(places) {
        v = rotary_by(u, gather(cosines, places), gather(sines, places), interleaved = interleaved)
    } else {
        v = rotary_by(u, cosines, sines, interleaved = interleaved)
    }
    if rank(x) == 3 { y = merge_heads(v) } else { y = v }
}
// a causal convolution, then an activation that is computed in f32
op causal_conv<T: float>(x: T[B, C, L], weight: T[C, D, K], bias: T[C]?, past: T[B, C, ..Q]?,
        activation: "none" | "silu" | "swish" = "none") -> (y, state)
{
    u, state = contraction.causal_conv(x, weight, bias, past)
    if activation == "none" {
        y = u
    } else if T == f16 or T == bf16 {
        y = cast(silu(cast(u, to = f32)), to = T)
    } else {
        y = silu(u)
    }
}

// ---- quantised tensors
// a product of integers, each minus its zero point.
// A vector is a row on the left, a column on the right.
op matmul_integer<A: int, B: int>(a: A[..X], b: B[..Y], a_zero: A[..P]?, b_zero: B[..Q]?) -> (y) {
    if rank(a) == 1 { row = unsqueeze(a, axes = [0]) } else { row = a }
    if rank(b) == 1 { column = unsqueeze(b, axes = [1]) } else { column = b }
    z = integer_product(row, column, a_zero, b_zero)
    if rank(a) == 1 and rank(b) == 1 {
        y = squeeze(z, axes = [-2, -1])
    } else if rank(a) == 1 {
        y = squeeze(z, axes = [-2])
    } else if rank(b) == 1 {
        y = squeeze(z, axes = [-1])
    } else {
        y = z
    }
}
// matmul_integer for matrices. A zero point is one number, or one for each row of a or column of b.
op integer_product<A: int, B: int>(a: A[..X], b: B[..Y], a_zero: A[..P]?, b_zero: B[..Q]?) -> (y) {
    if (given(a_zero) and size(a_zero) != 1) or (given(b_zero) and size(b_zero) != 1) {
        y = contraction.matmul(above(a, a_zero, rows = true), above(b, b_zero))
    } else if given(a_zero) and given(b_zero) {
        y = contraction.matmul_integer(a, b, number(a_zero), number(b_zero))
    } else if given(a_zero) {
        y = contraction.matmul_integer(a, b, number(a_zero))
    } else if given(b_zero) {
        y = contraction.matmul_integer(a, b, none, number(b_zero))
    } else {
        y = contraction.matmul_integer(a, b)
    }
}
// integers minus their zero points, as i32
op above<T: int>(x: T[..X], zero: T[..Q]?, rows: bool = false) -> (y) {
    if not given(zero) {
        y = cast(x, to = i32)
    } else {
        y = above_zero(x, for_rows(zero, rows = rows))
    }
}
// a number for each row, in a shape that broadcasts to a matrix
op for_rows<T: any>(x: T[..S], rows: bool = true) -> (y) {
    if rows and rank(x) == 1 and size(x) != 1 { y = unsqueeze(x, axes = [1]) } else { y = x }
}
// the product of quantised matrices, quantised
op qlinear_matmul<A: int, B: int, F: float, T: int>(a: A[..X], a_scale: F[..P], a_zero: A[..Q]?,
        b: B[..Y], b_scale: F[..R], b_zero: B[..S]?, y_scale: F[..U], y_zero: T[..V]) -> (y)
{
    sums = matmul_integer(a, b, a_zero, b_zero)
    scale = div(mul(for_rows(a_scale), b_scale), number(y_scale))
    y = rescale(sums, scale, number(y_zero))
}
// a convolution of integers, each minus its zero point
op conv_integer<A: int, B: int>(x: A[N, C, ..X], weight: B[M, D, ..K], x_zero: A[..P0]?,
        weight_zero: B[..Q]?, auto_pad: "NOTSET" | "SAME_UPPER" | "SAME_LOWER" | "VALID" = "NOTSET",
        dilations: int[..X] = 1, group: int = 1, pads: int[] = [], strides: int[..X] = 1) -> (y)
    require rank(weight)
        == rank(x) : "the image has {rank(x)} dimensions, the window {rank(weight) - 2}"
    require len(pads) == 0 or len(pads) == 2 * len(X) : "{len(pads)} pads; expected {2 * len(X)}"
    let ..Same = same_pad(X, K, strides, dilations)
    let ..P = Same * 0
        + where(auto_pad == "SAME_UPPER", Same / 2,
            where(auto_pad == "SAME_LOWER", Same - Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos], 0)))
    let ..E = Same * 0
        + where(auto_pad == "SAME_UPPER", Same - Same / 2,
            where(auto_pad == "SAME_LOWER", Same / 2,
                where(auto_pad == "NOTSET" and len(pads) > 0, pads[pos + len(X)], 0)))
{
    if given(x_zero) { u = number(x_zero) } else { u = none }
    if given(weight_zero) { v = for_all(weight_zero, n = M) } else { v = none }
    y = contraction.conv_integer(x, weight, u, v, stride = strides, dilation = dilations, pad = P,
        pad_end = E, groups = group)
}
// n numbers: one number n times, or n given numbers
op for_all<T: any>(x: T[..S], n: int) -> (y) {
    if size(x) == 1 { y = full(number(x), shape = [n]) } else { y = x }
}
// a convolution of quantised images, quantised
op qlinear_conv<A: int, B: int, F: float, T: int>(x: A[N, C, ..X], x_scale: F[..P1],
        x_zero: A[..P2]?, weight: B[M, D, ..K], weight_scale: F[..P3], weight_zero: B[..P4]?,
        y_scale: F[..P5], y_zero: T[..P6], bias: i32[M]?,
        auto_pad: "NOTSET" | "SAME_UPPER" | "SAME_LOWER" | "VALID" = "NOTSET",
        dilations: int[..X] = 1, group: int = 1, pads: int[] = [], strides: int[..X] = 1) -> (y)
{
    sums = conv_integer(x, weight, x_zero, weight_zero, auto_pad = auto_pad, dilations = dilations,
        group = group, pads = pads, strides = strides)
    if given(bias) {
        biased = add(sums, unsqueeze(bias, axes = [1..rank(x) - 1]))
    } else {
        biased = sums
    }
    y = requantize(biased, number(x_scale), for_all(weight_scale, n = M), number(y_scale),
        number(y_zero))
}
// the sum of two quantised tensors, quantised
op qlinear_add<T: int, F: float>(a: T[..A], a_scale: F[..P], a_zero: T[..Q]?, b: T[..B],
        b_scale: F[..R], b_zero: T[..S]?, y_scale: F[..U], y_zero: T[..V]?) -> (y)
{
    c = add(real(a, a_scale, a_zero), real(b, b_scale, b_zero))
    y = to_integers(c, y_scale, y_zero, type = T)
}
// the product of two quantised tensors, quantised
op qlinear_mul<T: int, F: float>(a: T[..A], a_scale: F[..P], a_zero: T[..Q]?, b: T[..B],
        b_scale: F[..R], b_zero: T[..S]?, y_scale: F[..U], y_zero: T[..V]?) -> (y)
{
    c = mul(real(a, a_scale, a_zero), real(b, b_scale, b_zero))
    y = to_integers(c, y_scale, y_zero, type = T)
}
// the numbers that a quantised tensor represents
op real<T: int, F: float>(x: T[..X], scale: F[..P], zero: T[..Q]?) -> (y) {
    if given(zero) {
        y = dequantize(x, number(scale), number(zero))
    } else {
        y = dequantize(x, number(scale))
    }
}
// x, quantised with a zero point that may be left out
op to_integers<F: float, T: int>(x: F[..X], scale: F[..P], zero: T[..Q]?, type: type) -> (y) {
    if given(zero) {
        y = quantize(x, number(scale), number(zero))
    } else {
        y = quantize(x, number(scale), zeros(shape = [], type = type))
    }
}

// ---- training
// one step of stochastic gradient descent with momentum
op momentum<R: float, T: float>(rate: R[], step: i64[], x: T[..S], gradient: T[..S],
        velocity: T[..S], alpha: float, beta: float, mode: "standard" | "nesterov",
        norm_coefficient: float) -> (y, next_velocity)
{
    y, next_velocity = momentum_step(rate, step, x, gradient, velocity, alpha = alpha, beta = beta,
        norm = norm_coefficient, nesterov = mode == "nesterov")
}
