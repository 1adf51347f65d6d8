mg 1
import activation
import attention
import contraction
import elementwise
import gather
import move
import norm
import reduce
import resize
import stablehlo
import window
// The operators of ATen, PyTorch's library, whose arguments differ from the library's. Each has
// ATen's meaning in terms of MG, and names the library's operator for it. mg.torch calls
// them; where the library's operator differs in names alone, it calls that.

// ---- elementwise
// x in another type; as a bool, every number but 0 is true
op to<T: any>(x: T[..S], type: type) -> (y) {
    if T == type {
        y = x
    } else if type == bool {
        y = not_equal(x, 0)
    } else {
        y = cast(x, to = type)
    }
}
// the quotient, rounded as the word says
op div<T: number>(a: T[..A], b: T[..B], rounding: "none" | "trunc" | "floor" = "none") -> (y) {
    float = T == f16 or T == bf16 or T == f32 or T == f64
    if rounding == "floor" and float {
        y = div_floor(a, b)
    } else if rounding == "floor" {
        y = floor_div(a, b)
    } else if rounding == "trunc" and float {
        y = trunc(elementwise.div(a, b))
    } else {
        y = elementwise.div(a, b)
    }
}
// -1, 0 or 1; of NaN, 0
op sgn<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = where(x[..s] != x[..s], 0, sign(x[..s])) }
// the quotient, rounded down. The remainder is subtracted first, so rounding the quotient is safe.
// A 0 has the sign of the quotient.
op div_floor<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    rest[..s]: T[..S] = rem(a[..s], b[..s])
    whole[..s]: T[..S] = round((a[..s] - rest[..s]) / b[..s])
    below[..s]: T[..S] = where(rest[..s] != 0 and (rest[..s] < 0) != (b[..s] < 0), whole[..s] - 1,
        whole[..s])
    y[..s] = where(b[..s] == 0, floor(a[..s] / b[..s]),
        where(below[..s] == 0, a[..s] / b[..s] * 0, below[..s]))
}
// powers of floats or of whole numbers
op pow<T: number>(a: T[..A], b: T[..B]) -> (y) {
    if T == f16 or T == bf16 or T == f32 or T == f64 {
        y = elementwise.pow(a, b)
    } else {
        y = pow_int(a, b)
    }
}
// the angle of the point (x, y), between -pi and pi
op atan2<T: float>(y: T[..S], x: T[..S]) -> (angle: T[..S])
    broadcast S
{
    half[..s]: T[..S] = where(y[..s] < 0 or 1 / y[..s] < 0, -3.141592653589793, 3.141592653589793)
    flat[..s]: T[..S] = where(x[..s] > 0 or x[..s] == 0 and 1 / x[..s] > 0, y[..s], half[..s])
    turn[..s]: T[..S] = atan(y[..s] / x[..s])
    ends[..s]: T[..S] = atan(sign(y[..s]) * sign(x[..s]))
    both[..s]: T[..S] = where(abs(x[..s]) == inf and abs(y[..s]) == inf, ends[..s], turn[..s])
    bent[..s]: T[..S] = where(x[..s] == 0, half[..s] / 2,
        where(x[..s] < 0, both[..s] + half[..s], both[..s]))
    angle[..s] = where(isnan(x[..s]) or isnan(y[..s]), x[..s] + y[..s],
        where(y[..s] == 0, flat[..s], bent[..s]))
}
// the logarithm to base 10
op log10<T: float>(x: T[..S]) -> (y: T[..S]) {
    y[..s] = log(x[..s]) * 0.4342944819032518
}
// x, rounded to a number of decimals
op round<T: float>(x: T[..S], decimals: int) -> (y: T[..S]) {
    if decimals >= 0 {
        y[..s] = elementwise.round(x[..s] * pow(10.0, decimals)) / pow(10.0, decimals)
    } else {
        y[..s] = elementwise.round(x[..s] / pow(10.0, -decimals)) * pow(10.0, -decimals)
    }
}
// the size of x with the sign of y
op copysign<T: float>(x: T[..S], y: T[..S]) -> (z: T[..S])
    broadcast S
{
    z[..s] = where(y[..s] < 0 or y[..s] == 0 and 1 / y[..s] < 0, -abs(x[..s]), abs(x[..s]))
}
// the larger of two numbers, of which one may be NaN
op fmax<T: number>(x: T[..S], y: T[..S]) -> (z: T[..S])
    broadcast S
{
    z[..s] = where(x[..s] != x[..s], y[..s], where(y[..s] != y[..s], x[..s], max(x[..s], y[..s])))
}
// the smaller of two numbers, of which one may be NaN
op fmin<T: number>(x: T[..S], y: T[..S]) -> (z: T[..S])
    broadcast S
{
    z[..s] = where(x[..s] != x[..s], y[..s], where(y[..s] != y[..s], x[..s], min(x[..s], y[..s])))
}
// the length of the vector (x, y), without overflow on the way
op hypot<T: float>(x: T[..S], y: T[..S]) -> (z: T[..S])
    broadcast S
{
    long[..s]: T[..S] = max(abs(x[..s]), abs(y[..s]))
    short[..s]: T[..S] = min(abs(x[..s]), abs(y[..s]))
    q[..s]: T[..S] = short[..s] / long[..s]
    z[..s] = where(abs(x[..s]) == inf or abs(y[..s]) == inf, inf,
        where(long[..s] == 0, 0, long[..s] * sqrt(1 + q[..s] * q[..s])))
}
// elu, scaled
op elu<T: float>(x: T[..S], alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0)
    -> (y: T[..S])
{
    y[..s] = where(x[..s] > 0, scale * x[..s], scale * alpha * expm1(input_scale * x[..s]))
}
// gelu by the name of its approximation
op gelu<T: float>(x: T[..S], approximate: "none" | "tanh" = "none") -> (y) {
    if approximate == "tanh" { y = gelu_tanh(x) } else { y = activation.gelu(x) }
}
// log(1 + exp(beta * x)) / beta, which is x beyond the threshold
op softplus<T: float>(x: T[..S], beta: float = 1.0, threshold: float = 20.0) -> (y: T[..S]) {
    y[..s] = where(x[..s] * beta > threshold, x[..s], log1p(exp(x[..s] * beta)) / beta)
}
// x between two bounds, which broadcast, and of which one may be absent
op clamp<T: number>(x: T[..A], lo: T[..B]?, hi: T[..C]?) -> (y) {
    if given(lo) { a = maximum(x, lo) } else { a = x }
    if given(hi) { y = minimum(a, hi) } else { y = a }
}

// ---- moves
// numbers from `start`, `step` apart
op iota(length: int, start: int = 0, step: int = 1, type: type = i64) -> (y: type[length]) {
    y[i in 0..length] = start + i * step
}
// a matrix with its axes exchanged; a vector stays
op t<T: any>(x: T[..S]) -> (y) {
    if rank(x) == 2 { y = swap_axes(x) } else { y = x }
}
// Rotates the elements of several axes, or those of the whole tensor if there are no axes.
op roll<T: any>(x: T[..S], shifts: int[], axes: int[]) -> (y) {
    if len(axes) == 0 {
        y = reshape(move.roll(reshape(x, shape = [-1]), shift = shifts[0], axis = 0), shape = S)
    } else {
        y = x
        for i in 0..len(axes) { y = move.roll(y, shift = shifts[i], axis = axes[i]) }
    }
}
// the positions of a strided view's elements: each axis has its own step
op strided_places(sizes: int[], strides: int[..sizes], offset: int) -> (place) {
    place[]: i64[] = offset
    for i in 0..len(sizes) {
        step = mul(move.iota(n = sizes[i]), strides[i])
        place = add(unsqueeze(place, axes = [-1]), step)
    }
}
// a strided view of a tensor's elements
op as_strided<T: any>(x: T[..S], sizes: int[], strides: int[..sizes], offset: int = 0) -> (y) {
    place = strided_places(sizes = sizes, strides = strides, offset = offset)
    y = gather.gather(reshape(x, shape = [-1]), place)
}
// x, in which src replaces the elements of a strided view
op as_strided_scatter<T: any>(x: T[..S], src: T[..R], sizes: int[], strides: int[..sizes],
        offset: int = 0) -> (y)
{
    place = strided_places(sizes = sizes, strides = strides, offset = offset)
    y = reshape(index_put1(reshape(x, shape = [-1]), src, place, axes = [0]), shape = S)
}
// x, repeated along its axes and along new ones in front
op repeat<T: any>(x: T[..S], times: int[]) -> (y)
    require len(times) >= rank(x) : "{len(times)} numbers for {rank(x)} dimensions"
{
    y = tile(unsqueeze(x, axes = [0..len(times) - rank(x)]), times = times)
}
// the elements (i, i + offset) of two axes, along a new last axis
op diagonal<T: any>(x: T[..N, P @ a, Q @ b], offset: int = 0, a: int = 0, b: int = 1)
    -> (y: T[..N, L])
    let L = max(0, min(P - max(0, -offset), Q - max(0, offset)))
{
    y[..n, i in 0..L] = x[..n, i + max(0, -offset) @ a, i + max(0, offset) @ b]
}
// Surrounds x by a value. Widths begin with those before and after the last axis.
op constant_pad<T: any>(x: T[..S], value: T[], widths: int[]) -> (y)
    let ..B = S * 0 + where(pos >= rank(x) - len(widths) / 2, widths[2 * (rank(x) - 1 - pos)], 0)
    let ..E = S * 0
        + where(pos >= rank(x) - len(widths) / 2, widths[2 * (rank(x) - 1 - pos) + 1], 0)
{
    y = pad(x, value, before = B, after = E)
}
// Surrounds x by itself. Widths begin with those before and after the last axis.
op mirror_pad<T: any>(x: T[..S], widths: int[], mode: "reflect" | "edge") -> (y)
    let ..B = S * 0 + where(pos >= rank(x) - len(widths) / 2, widths[2 * (rank(x) - 1 - pos)], 0)
    let ..E = S * 0
        + where(pos >= rank(x) - len(widths) / 2, widths[2 * (rank(x) - 1 - pos) + 1], 0)
{
    if mode == "reflect" {
        y = pad(x, before = B, after = E, mode = "reflect")
    } else {
        y = pad(x, before = B, after = E, mode = "edge")
    }
}
// x, in which src replaces a slice of an axis
op slice_scatter<T: any>(x: T[..N, D @ axis], src: T[..N, L @ axis], start: int = 0, stop: int = D,
        step: int = 1, axis: int = 0) -> (y: T[..N, D @ axis])
    let lo = min(max(wrap(start, D), 0), D)
    let hi = min(max(wrap(stop, D), 0), D)
{
    y[..n, d @ axis] = where(d >= lo and d < hi and (d - lo) % step == 0,
        src[..n, (d - lo) / step @ axis] else x[..n, d @ axis], x[..n, d @ axis])
}
// x, in which src replaces one place of an axis
op select_scatter<T: any>(x: T[..N, D @ axis], src: T[..N], index: int, axis: int = 0)
    -> (y: T[..N, D @ axis])
{
    y[..n, d @ axis] = where(d == wrap(index, D), src[..n], x[..n, d @ axis])
}

// ---- places that data decide; negative indices count from the end
// x[i], where i stands for the axis
op index1<T: any, I: int>(x: T[..R, A @ axes[0]], i: I[..J], axes: int[])
    -> (y: T[..R, ..J @ axes[0]..axes[0] + rank(i)])
{
    y[..r, ..j @ axes[0]..axes[0] + rank(i)] = x[..r,
        where(i[..j] < 0, i64(i[..j]) + A, i64(i[..j])) @ axes[0]]
}
// x[i, j] for two axes; the dimensions of the indices come first if the axes are not adjacent
op index2<T: any, I: int, K: int>(x: T[..R, A @ axes[0], B @ axes[1]], i: I[..J], j: K[..J],
        axes: int[]) -> (y)
    let at = where(axes[1] == axes[0] + 1, axes[0], 0)
    broadcast J
{
    y[..r, ..s @ at..at + len(J)] = x[..r,
        where(i[..s] < 0, i64(i[..s]) + A, i64(i[..s])) @ axes[0],
        where(j[..s] < 0, i64(j[..s]) + B, i64(j[..s])) @ axes[1]]
}
// x[i, j, k] for three axes; the dimensions of the indices come first if the axes are not adjacent
op index3<T: any, I: int, K: int, L: int>(x: T[..R, A @ axes[0], B @ axes[1], C @ axes[2]],
        i: I[..J], j: K[..J], k: L[..J], axes: int[]) -> (y)
    let at = where(axes[1] == axes[0] + 1 and axes[2] == axes[1] + 1, axes[0], 0)
    broadcast J
{
    y[..r, ..s @ at..at + len(J)] = x[..r,
        where(i[..s] < 0, i64(i[..s]) + A, i64(i[..s])) @ axes[0],
        where(j[..s] < 0, i64(j[..s]) + B, i64(j[..s])) @ axes[1],
        where(k[..s] < 0, i64(k[..s]) + C, i64(k[..s])) @ axes[2]]
}
// x, repeated to the shape of another tensor
op spread<T: any>(x: T[..S], like: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = x[..s]
}
// x with values at x[…, i, …] of an axis, or with these added
op index_put1<T: any, I: int>(x: T[..R, A @ axes[0]], v: T[..V], i: I[..J], axes: int[],
        accumulate: bool = false) -> (y: T[..R, A @ axes[0]])
    let at = axes[0]
    broadcast J
{
    w = spread(v, index1(x, i, axes = axes))
    if accumulate and T == bool {
        y[..r, wrap(i64(i[..s]), A) @ axes[0]] = any[..r, ..s] w[..r, ..s @ at..at + len(J)] over x
    } else if accumulate {
        y[..r, wrap(i64(i[..s]), A) @ axes[0]] = sum[..r, ..s] w[..r, ..s @ at..at + len(J)] over x
    } else {
        y[..r, wrap(i64(i[..s]), A) @ axes[0]] = last[..r, ..s] w[..r, ..s @ at..at + len(J)] over x
    }
}
// x with values at x[i, j] of two axes, or with these added
op index_put2<T: any, I: int, K: int>(x: T[..R, A @ axes[0], B @ axes[1]], v: T[..V], i: I[..J],
        j: K[..J], axes: int[], accumulate: bool = false) -> (y: T[..R, A @ axes[0], B @ axes[1]])
    let at = where(axes[1] == axes[0] + 1, axes[0], 0)
    broadcast J
{
    w = spread(v, index2(x, i, j, axes = axes))
    if accumulate and T == bool {
        y[..r, wrap(i64(i[..s]), A) @ axes[0],
            wrap(i64(j[..s]), B) @ axes[1]] = any[..r, ..s] w[..r, ..s @ at..at + len(J)] over x
    } else if accumulate {
        y[..r, wrap(i64(i[..s]), A) @ axes[0],
            wrap(i64(j[..s]), B) @ axes[1]] = sum[..r, ..s] w[..r, ..s @ at..at + len(J)] over x
    } else {
        y[..r, wrap(i64(i[..s]), A) @ axes[0],
            wrap(i64(j[..s]), B) @ axes[1]] = last[..r, ..s] w[..r, ..s @ at..at + len(J)] over x
    }
}
// x with values at x[i, j, k] of three axes, or with these added
op index_put3<T: any, I: int, K: int, L: int>(x: T[..R, A @ axes[0], B @ axes[1], C @ axes[2]],
        v: T[..V], i: I[..J], j: K[..J], k: L[..J], axes: int[], accumulate: bool = false)
    -> (y: T[..R, A @ axes[0], B @ axes[1], C @ axes[2]])
    let at = where(axes[1] == axes[0] + 1 and axes[2] == axes[1] + 1, axes[0], 0)
    broadcast J
{
    w = spread(v, index3(x, i, j, k, axes = axes))
    if accumulate and T == bool {
        y[..r, wrap(i64(i[..s]), A) @ axes[0], wrap(i64(j[..s]), B) @ axes[1],
            wrap(i64(k[..s]), C) @ axes[2]] = any[..r, ..s] w[..r, ..s @ at..at + len(J)] over x
    } else if accumulate {
        y[..r, wrap(i64(i[..s]), A) @ axes[0], wrap(i64(j[..s]), B) @ axes[1],
            wrap(i64(k[..s]), C) @ axes[2]] = sum[..r, ..s] w[..r, ..s @ at..at + len(J)] over x
    } else {
        y[..r, wrap(i64(i[..s]), A) @ axes[0], wrap(i64(j[..s]), B) @ axes[1],
            wrap(i64(k[..s]), C) @ axes[2]] = last[..r, ..s] w[..r, ..s @ at..at + len(J)] over x
    }
}
// Writes one value into x at ids[…, j, …] of an axis.
op scatter_value<T: any, I: int>(x: T[..R, V @ axis], ids: I[..S, J @ axis], value: T[],
        axis: int = 0) -> (y)
{
    w[..s, j @ axis]: T[..S, J @ axis] = value[]
    y = scatter_elements(x, ids, w, axis = axis)
}

// ---- reductions
// the largest elements; of bools, whether any is true
op amax<T: any>(x: T[..S], axes: int[] = [0..rank(x)], keepdims: bool = false) -> (y) {
    if T == bool {
        y = any(x, axes = axes, keepdims = keepdims)
    } else {
        y = max(x, axes = axes, keepdims = keepdims)
    }
}
// the smallest elements; of bools, whether all are true
op amin<T: any>(x: T[..S], axes: int[] = [0..rank(x)], keepdims: bool = false) -> (y) {
    if T == bool {
        y = all(x, axes = axes, keepdims = keepdims)
    } else {
        y = min(x, axes = axes, keepdims = keepdims)
    }
}
// the largest elements of an axis, and their places
op max_at<T: number>(x: T[..S], axis: int, keepdims: bool = false) -> (y, place) {
    y = max(x, axes = [axis], keepdims = keepdims)
    place = reduce.argmax(x, axis = axis, keepdims = keepdims)
}
// the smallest elements of an axis, and their places
op min_at<T: number>(x: T[..S], axis: int, keepdims: bool = false) -> (y, place) {
    y = min(x, axes = [axis], keepdims = keepdims)
    place = reduce.argmin(x, axis = axis, keepdims = keepdims)
}
// the place of the largest element of an axis
op argmax_of<T: number>(x: T[..S], axis: int, keepdims: bool = false) -> (y) {
    y = reduce.argmax(x, axis = axis, keepdims = keepdims)
}
// the place of the largest of all elements
op argmax_all<T: number>(x: T[..S], keepdims: bool = false) -> (y) {
    z = reduce.argmax(reshape(x, shape = [-1]), axis = 0)
    if keepdims { y = reshape(z, shape = [S * 0 + 1]) } else { y = z }
}
// the place of the smallest of all elements
op argmin_all<T: number>(x: T[..S], keepdims: bool = false) -> (y) {
    z = reduce.argmin(reshape(x, shape = [-1]), axis = 0)
    if keepdims { y = reshape(z, shape = [S * 0 + 1]) } else { y = z }
}
// the squared distances to the mean, added up and divided by their number less the correction
op variance<T: float>(x: T[..K, ..R @ axes], axes: int[] = [0..rank(x)], correction: float = 1.0,
        keepdims: bool = false) -> (y)
{
    v = sum_square(sub(x, mean(x, axes = axes, keepdims = true)), axes = axes, keepdims = keepdims)
    count = where(size(R) > correction, size(R) - correction, 0)
    y = elementwise.div(v, count)
}
// the variance and the mean
op var_mean<T: float>(x: T[..S], axes: int[] = [0..rank(x)], correction: float = 1.0,
        keepdims: bool = false) -> (v, m)
{
    v = variance(x, axes = axes, correction = correction, keepdims = keepdims)
    m = mean(x, axes = axes, keepdims = keepdims)
}
// the permutation that sorts an axis, in whose order NaN is above all numbers
op order<T: number>(x: T[..S], axis: int = -1, descending: bool = false) -> (place) {
    if descending and (T == f16 or T == bf16 or T == f32 or T == f64) {
        alike[..s]: T[..S] = where(isnan(x[..s]), nan, where(x[..s] == 0, 0, x[..s]))
        place = argsort(stablehlo.total_order(alike), axis = axis, descending = true)
    } else {
        place = argsort(x, axis = axis, descending = descending)
    }
}
// the elements of an axis in order, and their places
op sorted<T: number>(x: T[..S], axis: int = -1, descending: bool = false) -> (y, place) {
    place = order(x, axis = axis, descending = descending)
    y = gather_elements(x, place, axis = axis)
}
// the k largest, or smallest, of an axis in order, and their places
op topk<T: number>(x: T[..N, D @ axis], k: int, axis: int = -1, largest: bool = true)
    -> (y: T[..N, k @ axis], place: i64[..N, k @ axis])
    require k <= D : "k is {k}, but the axis has {D} elements"
{
    whole = order(x, axis = axis, descending = largest)
    place[..n, j @ axis] = whole[..n, j @ axis]
    y = gather_elements(x, place, axis = axis)
}

// ---- products
// beta * c + alpha * a * b, where c broadcasts
op addmm<T: number>(c: T[..C], a: T[..A], b: T[..B], beta: float = 1.0, alpha: float = 1.0) -> (y) {
    z = matmul(a, b)
    if alpha != 1 { z = mul(z, alpha) }
    if beta == 0 {
        y = z
    } else if beta == 1 {
        y = add(z, c)
    } else {
        y = add(z, mul(c, beta))
    }
}
// a convolution, or its transpose
op convolution<T: number>(x: T[N, C, ..X], weight: T[P, Q, ..K], bias: T[M]?, stride: int[..X] = 1,
        padding: int[..X] = 0, dilation: int[..X] = 1, transposed: bool = false,
        output_padding: int[..X] = 0, groups: int = 1) -> (y)
{
    if transposed {
        y = conv_transpose(x, weight, bias, stride = stride, pad = padding, dilation = dilation,
            out_pad = output_padding, groups = groups)
    } else {
        y = conv(x, weight, bias, stride = stride, pad = padding, dilation = dilation,
            groups = groups)
    }
}

// ---- normalisation
// Normalises over the last axes.
op layer_norm<T: float>(x: T[..S], weight: T[..R]?, bias: T[..Q]?, axes: int = 1, eps: float = 1e-5)
    -> (y)
{
    y = norm.layer_norm(x, weight, bias, axis = -axes, eps = eps)
}
// layer_norm, with the mean and the factor by which it multiplies
op layer_norm_statistics<T: float>(x: T[..S], weight: T[..R]?, bias: T[..Q]?, axes: int = 1,
        eps: float = 1e-5) -> (y, mu, factor)
{
    y = norm.layer_norm(x, weight, bias, axis = -axes, eps = eps)
    mu, factor = layer_norm_stats(x, axis = -axes, eps = eps)
}
// the gradients of v and g in the weight v * g / |v|, whose norms |v| are over all axes but one
op weight_norm_backward<T: float>(d: T[K @ axis, ..R], v: T[K @ axis, ..R], g: T[..G],
        norms: T[..G], axis: int) -> (to_v: T[K @ axis, ..R], to_g: T[..G])
{
    size = reshape(g, shape = [K])
    norm = reshape(norms, shape = [K])
    along[k] = sum[..r] d[k @ axis, ..r] * v[k @ axis, ..r] / norm[k]
    to_v[k @ axis, ..r] = (d[k @ axis, ..r] - v[k @ axis, ..r] * along[k] / norm[k])
        * size[k]
        / norm[k]
    to_g = reshape(along, shape = G)
}
// group_norm, with the mean of each group and the factor by which it is multiplied
op group_norm_statistics<T: float>(x: T[N, groups * C, ..X], weight: T[groups * C]?,
        bias: T[groups * C]?, groups: int, eps: float = 1e-5)
    -> (y: T[N, groups * C, ..X], mu: T[N, groups], factor: T[N, groups])
{
    y = norm.group_norm(x, weight, bias, groups = groups, eps = eps)
    mu[n, g] = mean[c, ..i] x[n, (g, c), ..i]
    factor[n, g] = 1
        / sqrt((mean[c, ..i] (x[n, (g, c), ..i] - mu[n, g]) * (x[n, (g, c), ..i] - mu[n, g])) + eps)
}

// ---- complex numbers, which are pairs along a last axis
// real numbers as complex ones
op as_complex<T: float>(x: T[..S]) -> (y: T[..S, 2]) {
    y[..s, k] = where(k == 0, x[..s], 0)
}
// the product of complex numbers
op complex_mul<T: float>(a: T[..A, 2], b: T[..B, 2]) -> (y) {
    re = select(a, index = 0, axis = -1)
    im = select(a, index = 1, axis = -1)
    re_b = select(b, index = 0, axis = -1)
    im_b = select(b, index = 1, axis = -1)
    y = stack(sub(mul(re, re_b), mul(im, im_b)), add(mul(re, im_b), mul(im, re_b)), axis = -1)
}
// the quotient of complex numbers: the larger part of the divisor is divided out first
op complex_div<T: float>(a: T[..S, 2], b: T[..S, 2]) -> (y)
    broadcast S
{
    tall[..s]: bool[..S] = abs(b[..s, 1]) > abs(b[..s, 0])
    big[..s]: T[..S] = where(tall[..s], b[..s, 1], b[..s, 0])
    small[..s]: T[..S] = where(tall[..s], b[..s, 0], b[..s, 1])
    ratio[..s]: T[..S] = where(big[..s] == 0, 0, small[..s] / big[..s])
    size[..s]: T[..S] = big[..s] + small[..s] * ratio[..s]
    re[..s]: T[..S] = where(tall[..s], a[..s, 0] * ratio[..s] + a[..s, 1],
        a[..s, 0] + a[..s, 1] * ratio[..s])
        / size[..s]
    im[..s]: T[..S] = where(tall[..s], a[..s, 1] * ratio[..s] - a[..s, 0],
        a[..s, 1] - a[..s, 0] * ratio[..s])
        / size[..s]
    y = stack(re, im, axis = -1)
}
// the conjugate
op conj<T: float>(x: T[..S, 2]) -> (y: T[..S, 2]) {
    y[..s, k] = where(k == 0, x[..s, k], -x[..s, k])
}
// the absolute value of a complex number
op complex_abs<T: float>(x: T[..S, 2]) -> (y) {
    y = hypot(select(x, index = 0, axis = -1), select(x, index = 1, axis = -1))
}
// the angle of a complex number, between -pi and pi
op complex_angle<T: float>(x: T[..S, 2]) -> (y) {
    y = atan2(select(x, index = 1, axis = -1), select(x, index = 0, axis = -1))
}
// the exponential of a complex number
op complex_exp<T: float>(x: T[..S, 2]) -> (y) {
    re[..s]: T[..S] = where(x[..s, 1] == 0, exp(x[..s, 0]), exp(x[..s, 0]) * cos(x[..s, 1]))
    im[..s]: T[..S] = where(x[..s, 1] == 0, x[..s, 1], exp(x[..s, 0]) * sin(x[..s, 1]))
    y = stack(re, im, axis = -1)
}
// the logarithm of a complex number
op complex_log<T: float>(x: T[..S, 2]) -> (y) {
    y = stack(log(complex_abs(x)), complex_angle(x), axis = -1)
}
// the square root of a complex number, whose real part is not negative
op complex_sqrt<T: float>(x: T[..S, 2]) -> (y) {
    size = complex_abs(x)
    more[..s]: T[..S] = sqrt((size[..s] + abs(x[..s, 0])) * 0.5)
    less[..s]: T[..S] = where(more[..s] == 0, 0, abs(x[..s, 1]) / (2 * more[..s]))
    re[..s]: T[..S] = where(x[..s, 0] >= 0, more[..s], less[..s])
    im[..s]: T[..S] = where(x[..s, 0] >= 0, less[..s], more[..s])
    y = stack(re, copysign(im, select(x, index = 1, axis = -1)), axis = -1)
}
// the power of a complex number by another
op complex_pow<T: float>(x: T[..S, 2], n: T[..S, 2]) -> (y: T[..S, 2])
    broadcast S
{
    turned = complex_exp(complex_mul(n, complex_log(x)))
    none[..s]: bool[..S] = n[..s, 0] == 0 and n[..s, 1] == 0
    zero[..s]: bool[..S] = x[..s, 0] == 0 and x[..s, 1] == 0
    at_zero[..s]: T[..S] = where(n[..s, 0] > 0, 0, nan)
    y[..s, k] = where(none[..s], T(1 - k), where(zero[..s], at_zero[..s], turned[..s, k]))
}
// complex numbers of absolute value 1 in the same direction; 0 stays
op complex_sgn<T: float>(x: T[..S, 2]) -> (y: T[..S, 2]) {
    size = complex_abs(x)
    y[..s, k] = where(size[..s] == 0, 0, x[..s, k] / size[..s])
}
// the product of matrices of complex numbers
op complex_matmul<T: float>(a: T[..A, 2], b: T[..B, 2]) -> (y) {
    re = select(a, index = 0, axis = -1)
    im = select(a, index = 1, axis = -1)
    re_b = select(b, index = 0, axis = -1)
    im_b = select(b, index = 1, axis = -1)
    y = stack(sub(matmul(re, re_b), matmul(im, im_b)), add(matmul(re, im_b), matmul(im, re_b)),
        axis = -1)
}

// ---- attention
// softmax(scale * q * k + mask) * v; a causal query sees the keys up to its own position
op attention<T: float, M: any>(q: T[B, KV * G, S, D], k: T[B, KV, L, D], v: T[B, KV, L, E],
        mask: M[..N]?, causal: bool = false, scale: float = 1 / sqrt(D)) -> (y)
{
    if causal and not proved(S == L) {
        s = causal_mask(attention_scores(q, k, scale = scale), past = 0)
        if given(mask) { s = add_mask(s, mask) }
        y = attend_values(masked_softmax(s), v)
    } else {
        y = attention.attention(q, k, v, mask, causal = causal, scale = scale)
    }
}
// attention, with the logarithm of the sum that each row is divided by
op attention_statistics<T: float>(q: T[B, H, S, D], k: T[B, H, L, D], v: T[B, H, L, E],
        mask: T[..N]?, causal: bool = false, scale: float = 1 / sqrt(D)) -> (y, total)
{
    s = attention_scores(q, k, scale = scale)
    if causal { s = causal_mask(s, past = 0) }
    if given(mask) { s = add_mask(s, mask) }
    top[b, h, i] = max[j] s[b, h, i, j]
    shift[b, h, i] = where(top[b, h, i] == -inf, 0, top[b, h, i])
    e[b, h, i, j] = exp(s[b, h, i, j] - shift[b, h, i])
    z[b, h, i] = sum[j] e[b, h, i, j]
    p[b, h, i, j]: T[B, H, S, L] = e[b, h, i, j] / where(z[b, h, i] == 0, 1, z[b, h, i])
    y = attend_values(p, v)
    total[b, h, i]: T[B, H, S] = shift[b, h, i] + log(z[b, h, i])
}
// a layer of an encoder: attention and two linear layers, each with a sum and a normalisation
op encoder_layer<T: float>(x: T[B, S, D], qkv_weight: T[3 * D, D], qkv_bias: T[3 * D],
        proj_weight: T[D, D], proj_bias: T[D], norm1_weight: T[D], norm1_bias: T[D],
        norm2_weight: T[D], norm2_bias: T[D], weight1: T[F, D], bias1: T[F], weight2: T[D, F],
        bias2: T[D], heads: int, gelu: bool = false, norm_first: bool = false, eps: float = 1e-5)
    -> (y)
{
    if norm_first {
        h = norm.layer_norm(x, norm1_weight, norm1_bias, eps = eps)
    } else {
        h = x
    }
    q, k, v = chunk3(linear(h, qkv_weight, qkv_bias))
    a = attention.attention(split_heads(q, heads = heads), split_heads(k, heads = heads),
        split_heads(v, heads = heads))
    r = add(x, linear(merge_heads(a), proj_weight, proj_bias))
    if norm_first {
        u = norm.layer_norm(r, norm2_weight, norm2_bias, eps = eps)
    } else {
        r = norm.layer_norm(r, norm1_weight, norm1_bias, eps = eps)
        u = r
    }
    f = linear(u, weight1, bias1)
    if gelu { f = activation.gelu(f) } else { f = relu(f) }
    z = add(r, linear(f, weight2, bias2))
    if norm_first { y = z } else { y = norm.layer_norm(z, norm2_weight, norm2_bias, eps = eps) }
}

// ---- windows; an image without a batch is one of a batch
// the image as one of a batch
op batched<T: any>(x: T[..S], dims: int) -> (y) {
    if rank(x) == dims + 1 { y = unsqueeze(x, axes = [0]) } else { y = x }
}
// the result of `batched`, without the batch
op unbatched<T: any>(y: T[..S], like: int, dims: int) -> (z) {
    if like == dims + 1 { z = squeeze(y, axes = [0]) } else { z = y }
}
// the largest element of each window
op max_pool<T: number>(x: T[..S], kernel: int[], stride: int[] = kernel, padding: int[..kernel] = 0,
        dilation: int[..kernel] = 1, ceil_mode: bool = false) -> (y)
{
    y = unbatched(window.max_pool(batched(x, dims = len(kernel)), kernel = kernel, stride = stride,
            pad = padding, dilation = dilation, ceil_mode = ceil_mode), like = rank(x),
        dims = len(kernel))
}
// max_pool, with the position of each maximum in its image
op max_pool_index<T: number>(x: T[..S], kernel: int[], stride: int[] = kernel,
        padding: int[..kernel] = 0, dilation: int[..kernel] = 1, ceil_mode: bool = false)
    -> (y, place)
{
    a, i = window.max_pool_index(batched(x, dims = len(kernel)), kernel = kernel, stride = stride,
        pad = padding, dilation = dilation, ceil_mode = ceil_mode, per_channel = true)
    y = unbatched(a, like = rank(x), dims = len(kernel))
    place = unbatched(i, like = rank(x), dims = len(kernel))
}
// the mean of each window
op avg_pool<T: float>(x: T[..S], kernel: int[], stride: int[] = kernel, padding: int[..kernel] = 0,
        ceil_mode: bool = false, count_pad: bool = true) -> (y)
{
    y = unbatched(window.avg_pool(batched(x, dims = len(kernel)), kernel = kernel, stride = stride,
            pad = padding, ceil_mode = ceil_mode, count_pad = count_pad), like = rank(x),
        dims = len(kernel))
}
// the means of parts of an axis, as equal as whole numbers allow
op adaptive_axis<T: float>(x: T[..N, D @ axis], to: int, axis: int) -> (y: T[..N, to @ axis]) {
    count[o in 0..to] = T(((o + 1) * D + to - 1) / to - o * D / to)
    y[..n, o @ axis] = (sum[k in 0..ceildiv(D, to) + 1] where(o * D / to + k
            < ((o + 1) * D + to - 1) / to, x[..n, o * D / to + k @ axis] else 0, 0))
        / count[o]
}
// the mean of each part of an image, cut into a given number of parts
op adaptive_avg_pool<T: float>(x: T[..N, ..X @ rank(x) - len(to)..rank(x)], to: int[..X]) -> (y)
    let ..Rest = X % to
    let ..K = X / to
{
    if to == 1 {
        y = mean(x, axes = [rank(x) - len(to)..rank(x)], keepdims = true)
    } else if proved(Rest == 0) {
        y = unbatched(window.avg_pool(batched(x, dims = len(to)), kernel = K, stride = K),
            like = rank(x), dims = len(to))
    } else {
        y = x
        for i in 0..len(to) { y = adaptive_axis(y, to = to[i], axis = rank(x) - len(to) + i) }
    }
}

// ---- backward: the gradients of an operator's operands, by the language's derivative
// the gradient of a convolution's image
op convolution_to_input<T: float>(g: T[..Y], x: T[N, C, ..X], weight: T[P, Q, ..K],
        stride: int[..X] = 1, padding: int[..X] = 0, dilation: int[..X] = 1,
        transposed: bool = false, output_padding: int[..X] = 0, groups: int = 1) -> (d)
{
    y = convolution(x, weight, stride = stride, padding = padding, dilation = dilation,
        transposed = transposed, output_padding = output_padding, groups = groups)
    d = derivative(y, x, g)
}
// the gradient of a convolution's weight
op convolution_to_weight<T: float>(g: T[..Y], x: T[N, C, ..X], weight: T[P, Q, ..K],
        stride: int[..X] = 1, padding: int[..X] = 0, dilation: int[..X] = 1,
        transposed: bool = false, output_padding: int[..X] = 0, groups: int = 1) -> (d)
{
    y = convolution(x, weight, stride = stride, padding = padding, dilation = dilation,
        transposed = transposed, output_padding = output_padding, groups = groups)
    d = derivative(y, weight, g)
}
// the gradient of a convolution's bias
op convolution_to_bias<T: float>(g: T[N, C, ..Y]) -> (d: T[C]) {
    d[c] = sum[n, ..y] g[n, c, ..y]
}
// the gradient of max_pool's image, at the positions that it found
op max_pool_to_input<T: float>(g: T[..Y], x: T[..S], place: i64[..Y], dims: int) -> (d) {
    a = batched(g, dims = dims)
    i = batched(place, dims = dims)
    z = batched(x, dims = dims)
    d = unbatched(scattered(a, i, z), like = rank(x), dims = dims)
}
// the gradients of the windows, added at the positions of their maxima
op scattered<T: float>(g: T[N, C, ..Y], place: i64[N, C, ..Y], x: T[N, C, ..X]) -> (d: T[N, C, ..X])
{
    flat[n, c, place[n, c, ..y]]: T[N, C, size(X)] = sum[n, c, ..y] g[n, c, ..y]
    d = reshape(flat, shape = [N, C] + X)
}
// the gradient of avg_pool's image
op avg_pool_to_input<T: float>(g: T[..Y], x: T[..S], kernel: int[], stride: int[] = kernel,
        padding: int[..kernel] = 0, ceil_mode: bool = false, count_pad: bool = true) -> (d)
{
    y = avg_pool(x, kernel = kernel, stride = stride, padding = padding, ceil_mode = ceil_mode,
        count_pad = count_pad)
    d = derivative(y, x, g)
}
// the gradient of adaptive_avg_pool's image
op adaptive_avg_pool_to_input<T: float>(g: T[..Y], x: T[..S], to: int[]) -> (d) {
    y = adaptive_avg_pool(x, to = to)
    d = derivative(y, x, g)
}
// the gradients of attention's queries, keys and values
op attention_backward<T: float>(g: T[B, H, S, E], q: T[B, H, S, D], k: T[B, H, L, D],
        v: T[B, H, L, E], mask: T[..N]?, causal: bool = false, scale: float = 1 / sqrt(D))
    -> (dq, dk, dv)
{
    y = attention(q, k, v, mask, causal = causal, scale = scale)
    dq = derivative(y, q, g)
    dk = derivative(y, k, g)
    dv = derivative(y, v, g)
}
