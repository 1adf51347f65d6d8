mg 1
// Reductions over any axes, or over all of them if none are named. `keepdims` leaves each axis as a
// dimension of size 1. Sums accumulate in f64 and round once. Over nothing, sum is 0, prod 1, max
// the lowest value, min the highest, and mean NaN. The file also has softmax and its variants, and
// prefix sums.

// the sum over the given axes
op sum<T: number>(x: T[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false) -> (y)
{
    r[..k]: T[..K] = sum[..i] x[..k, ..i @ axes]
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}
// the mean over the given axes
op mean<T: float>(x: T[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false) -> (y)
{
    r[..k]: T[..K] = mean[..i] x[..k, ..i @ axes]
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}
// the largest element over the given axes
op max<T: number>(x: T[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false) -> (y)
{
    r[..k]: T[..K] = max[..i] x[..k, ..i @ axes]
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}
// the smallest element over the given axes
op min<T: number>(x: T[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false) -> (y)
{
    r[..k]: T[..K] = min[..i] x[..k, ..i @ axes]
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}
// the product over the given axes
op prod<T: number>(x: T[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false) -> (y)
{
    r[..k]: T[..K] = prod[..i] x[..k, ..i @ axes]
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}
// whether any element over the given axes is true
op any(x: bool[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false) -> (y) {
    r[..k] = any[..i] x[..k, ..i @ axes]
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}
// whether every element over the given axes is true
op all(x: bool[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false) -> (y) {
    r[..k] = all[..i] x[..k, ..i @ axes]
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}
// how many elements are true
op count(x: bool[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false) -> (y) {
    r[..k] = sum[..i] i64(x[..k, ..i @ axes])
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}
// the sum of squares over the given axes
op sum_square<T: number>(x: T[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false)
    -> (y)
{
    r[..k]: T[..K] = sum[..i] x[..k, ..i @ axes] * x[..k, ..i @ axes]
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}
// l1 norm: the sum of magnitudes
op norm1<T: number>(x: T[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false)
    -> (y)
{
    r[..k]: T[..K] = sum[..i] abs(x[..k, ..i @ axes])
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}
// l2 norm: the square root of the sum of squares
op norm2<T: float>(x: T[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false) -> (y)
{
    r[..k]: T[..K] = sqrt(sum[..i] x[..k, ..i @ axes] * x[..k, ..i @ axes])
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}
// the logarithm of the sum over the given axes
op log_sum<T: float>(x: T[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false)
    -> (y)
{
    r[..k]: T[..K] = log(sum[..i] x[..k, ..i @ axes])
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}
// log(sum(exp(x))) without overflow: the largest element is subtracted first, unless it is infinite
op log_sum_exp<T: float>(x: T[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false)
    -> (y)
{
    top[..k] = max[..i] x[..k, ..i @ axes]
    m[..k] = where(abs(top[..k]) < inf, top[..k], 0)
    r[..k]: T[..K] = m[..k] + log(sum[..i] exp(x[..k, ..i @ axes] - m[..k]))
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}
// the mean of the squared distances from the mean, in two passes so that nothing cancels.
// `correction` = 1 gives the unbiased estimate.
op variance<T: float>(x: T[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false,
        correction: int = 0) -> (y)
{
    mu[..k] = mean[..i] x[..k, ..i @ axes]
    r[..k]: T[..K] = (sum[..i] (x[..k, ..i @ axes] - mu[..k]) * (x[..k, ..i @ axes] - mu[..k]))
        / (size(R) - correction)
    if keepdims { y = unsqueeze(r, axes = axes) } else { y = r }
}

// the place of the largest element of an axis: the first, or the last if `select_last`.
// The first NaN counts as the largest.
op argmax<T: number>(x: T[..N, D @ axis], axis: int = -1, keepdims: bool = false,
        select_last: bool = false) -> (y)
{
    if select_last {
        p[..n] = D - 1 - (argmax[d in 0..D] x[..n, D - 1 - d @ axis])
    } else {
        p[..n] = argmax[d] x[..n, d @ axis]
    }
    if keepdims { y = unsqueeze(p, axes = [axis]) } else { y = p }
}
// the place of the smallest element of an axis
op argmin<T: number>(x: T[..N, D @ axis], axis: int = -1, keepdims: bool = false,
        select_last: bool = false) -> (y)
{
    if select_last {
        p[..n] = D - 1 - (argmin[d in 0..D] x[..n, D - 1 - d @ axis])
    } else {
        p[..n] = argmin[d] x[..n, d @ axis]
    }
    if keepdims { y = unsqueeze(p, axes = [axis]) } else { y = p }
}

// exp(x) / sum(exp(x)) along an axis; the largest element is subtracted first
op softmax<T: float>(x: T[..N, D @ axis], axis: int = -1) -> (y: T[..N, D @ axis]) {
    m[..n] = max[d] x[..n, d @ axis]
    e[..n, d @ axis] = exp(x[..n, d @ axis] - m[..n])
    y[..n, d @ axis] = e[..n, d @ axis] / (sum[j] e[..n, j @ axis])
}
// log(softmax(x)) without underflow
op log_softmax<T: float>(x: T[..N, D @ axis], axis: int = -1) -> (y: T[..N, D @ axis]) {
    m[..n] = max[d] x[..n, d @ axis]
    l[..n] = log(sum[d] exp(x[..n, d @ axis] - m[..n]))
    y[..n, d @ axis] = x[..n, d @ axis] - m[..n] - l[..n]
}
// 1 at the first largest element, 0 elsewhere
op hardmax<T: number>(x: T[..N, D @ axis], axis: int = -1) -> (y: T[..N, D @ axis]) {
    p[..n] = argmax[d] x[..n, d @ axis]
    y[..n, d @ axis] = where(p[..n] == d, 1, 0)
}

// the running sum along an axis.
// `exclusive` leaves each element out of its own sum, and `reverse` sums from the end.
op cumsum<T: number>(x: T[..N, D @ axis], axis: int = -1, exclusive: bool = false,
        reverse: bool = false) -> (y: T[..N, D @ axis])
{
    if not reverse and not exclusive { y[..n, i @ axis] = sum[j in 0..i + 1] x[..n, j @ axis] }
    if not reverse and exclusive { y[..n, i @ axis] = sum[j in 0..i] x[..n, j @ axis] }
    if reverse and not exclusive { y[..n, i @ axis] = sum[j in i..D] x[..n, j @ axis] }
    if reverse and exclusive { y[..n, i @ axis] = sum[j in i + 1..D] x[..n, j @ axis] }
}
// the running product along an axis
op cumprod<T: number>(x: T[..N, D @ axis], axis: int = -1, exclusive: bool = false,
        reverse: bool = false) -> (y: T[..N, D @ axis])
{
    if not reverse and not exclusive { y[..n, i @ axis] = prod[j in 0..i + 1] x[..n, j @ axis] }
    if not reverse and exclusive { y[..n, i @ axis] = prod[j in 0..i] x[..n, j @ axis] }
    if reverse and not exclusive { y[..n, i @ axis] = prod[j in i..D] x[..n, j @ axis] }
    if reverse and exclusive { y[..n, i @ axis] = prod[j in i + 1..D] x[..n, j @ axis] }
}
// the running maximum along an axis
op cummax<T: number>(x: T[..N, D @ axis], axis: int = -1) -> (y: T[..N, D @ axis]) {
    y[..n, i @ axis] = max[j in 0..i + 1] x[..n, j @ axis]
}
// the running minimum along an axis
op cummin<T: number>(x: T[..N, D @ axis], axis: int = -1) -> (y: T[..N, D @ axis]) {
    y[..n, i @ axis] = min[j in 0..i + 1] x[..n, j @ axis]
}
