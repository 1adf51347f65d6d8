mg 1
// Operators of ONNX over axes that the run decides, because an input of the graph names them. Data
// then decide the sizes of the result. A tensor `like` carries such sizes. Only its type is used,
// so the program doesn't compute it.

// ---- the axes, and sizes that follow from them
// how often the run names each axis.
// A negative number counts from the end; if `all`, no axes mean all of them.
op named_axes<J: int>(axes: J[K], rank: int, all: bool = false) -> (on: i64[rank]) {
    axis[wrap(i64(axes[k]), rank)]: i64[rank] = sum[k in 0..K] i64(1)
    if all { on[i] = where(K == 0, 1, axis[i]) } else { on = axis }
}
// The same if no axis may be named twice: the result's rank follows from their number.
op distinct_axes<J: int>(axes: J[K], rank: int) -> (on)
    require proved(K < 64) : "not supported: only the run decides how many axes there are"
    require K <= rank : "{K} axes are named, but the rank is {rank}"
{
    on = named_axes(axes, rank = rank)
    many[] = sum[i] max(on[i] - 1, 0)
    dim axes_named_twice <= 0 = many
}
// `like` with one more axis, whose size data decide and `most` bounds.
// Only the sizes of `like` and `most` are used.
op one_more(like: bool[..N], count: i64[], most: bool[M]) -> (y: bool[..N, some L <= M]) {
    dim L <= M = count
    y[..n, i in 0..L] = like[..n]
}
// the larger bound
op bound<T: any>(most: bool[M], x: T[..N, D @ axis], axis: int) -> (y: bool[max(M, D)]) {
    y[i] = true
}
// the sizes of x, where 1 is the size of each axis that is `on`
op reduced_sizes<T: any>(x: T[..S], on: i64[R]) -> (like) {
    like[]: bool[] = true
    one[i in 0..1]: bool[1] = true
    for i in 0..rank(x) {
        n[] = where(on[i] > 0, i64(1), S[i])
        like = one_more(like, n, bound(one, x, axis = i))
    }
}
// the sizes of the axes of x that are not `on`, as many as `count`
op sizes_left<T: any>(x: T[..S], on: i64[R], count: int) -> (like) {
    before[i in 0..R] = sum[j in 0..i] where(on[j] > 0, i64(0), 1)
    like[]: bool[] = true
    for k in 0..count {
        n[]: i64[] = 0
        most[i in 0..1]: bool[1] = true
        for i in k..rank(x) - count + k + 1 {
            n[] = n[] + where(on[i] == 0 and before[i] == k, S[i], 0)
            most = bound(most, x, axis = i)
        }
        like = one_more(like, n, most)
    }
}
// the elements of x in their order, under the sizes of another tensor
op sized_like<T: any, U: any>(x: T[..S], like: U[..O]) -> (y: T[..O])
    require size(S) == size(O) : "{size(S)} elements into {size(O)}"
{
    line[(..s)] = x[..s]
    y[..o] = line[(..o)]
}
// how many elements there are along the axes that are `on`
op elements_along<T: any>(x: T[..S], on: i64[R]) -> (n: i64[]) {
    many[]: i64[] = 1
    for i in 0..rank(x) { many[] = many[] * where(on[i] > 0, S[i], 1) }
    n = many
}

// ---- shapes
// x without the axes that the run names
op squeeze_at<T: any, J: int>(x: T[..S], axes: J[K]) -> (y) {
    on = distinct_axes(axes, rank = rank(x))
    many = elements_along(x, on)
    beside[] = abs(many[] - 1)
    dim elements_beside_the_first <= 0 = beside
    y = sized_like(x, sizes_left(x, on, count = rank(x) - K))
}
// x with axes of size 1 at the places that the run names
op unsqueeze_at<T: any, J: int>(x: T[..S], axes: J[K]) -> (y) {
    on = distinct_axes(axes, rank = rank(x) + K)
    y = sized_like(x, sizes_among_ones(x, on))
}
// the sizes of x, and 1 for each axis of the result that is `on`
op sizes_among_ones<T: any>(x: T[..S], on: i64[R]) -> (like) {
    before[i in 0..R] = sum[j in 0..i] where(on[j] > 0, i64(0), 1)
    like[]: bool[] = true
    for p in 0..R {
        n[]: i64[] = 1
        most[i in 0..1]: bool[1] = true
        for i in max(0, p + rank(x) - R)..min(rank(x), p + 1) {
            n[] = where(on[p] == 0 and before[p] == i, S[i], n[])
            most = bound(most, x, axis = i)
        }
        like = one_more(like, n, most)
    }
}

// ---- reductions
// `reduce` over the axes that the run names
op reduce_at<T: any, J: int>(x: T[..S], axes: J[K],
        by: "sum" | "prod" | "mean" | "max" | "min" | "l1" | "l2" | "sum_square" | "log_sum"
        | "log_sum_exp", keepdims: bool = true, noop_with_empty_axes: bool = false) -> (y)
{
    if keepdims {
        on = named_axes(axes, rank = rank(x), all = not noop_with_empty_axes)
    } else {
        on = distinct_axes(axes, rank = rank(x))
    }
    like = reduced_sizes(x, on)
    if T == bool {
        r = cast(reduced_into(cast(x, to = u8), like, on, by = by), to = bool)
    } else if by == "mean" or by == "l2" or by == "log_sum" or by == "log_sum_exp" {
        r = cast(reduced_real(cast(x, to = f64), like, on, by = by), to = T)
    } else {
        r = reduced_into(x, like, on, by = by)
    }
    if keepdims { y = r } else { y = sized_like(r, sizes_left(x, on, count = rank(x) - K)) }
}
// Each element goes to its place in the result, whose sizes are those of `like`.
op reduced_into<T: number>(x: T[..S], like: bool[..O], on: i64[R], by: str) -> (y: T[..O]) {
    if by == "sum" { y[..(where(on[pos] > 0, 0, s))] else none = sum[..s] x[..s] }
    if by == "prod" { y[..(where(on[pos] > 0, 0, s))] else none = prod[..s] x[..s] }
    if by == "max" { y[..(where(on[pos] > 0, 0, s))] else none = max[..s] x[..s] }
    if by == "min" { y[..(where(on[pos] > 0, 0, s))] else none = min[..s] x[..s] }
    if by == "l1" { y[..(where(on[pos] > 0, 0, s))] else none = sum[..s] abs(x[..s]) }
    if by == "sum_square" { y[..(where(on[pos] > 0, 0, s))] else none = sum[..s] x[..s] * x[..s] }
}
// the function of a sum
op reduced_real(x: f64[..S], like: bool[..O], on: i64[R], by: str) -> (y: f64[..O]) {
    if by == "mean" {
        n = elements_along(x, on)
        y = div(reduced_into(x, like, on, by = "sum"), cast(n, to = f64))
    }
    if by == "l2" { y = sqrt(reduced_into(x, like, on, by = "sum_square")) }
    if by == "log_sum" { y = log(reduced_into(x, like, on, by = "sum")) }
    if by == "log_sum_exp" {
        top = reduced_into(x, like, on, by = "max")
        m[..o] = where(abs(top[..o]) < inf, top[..o], 0)
        e[..s] = exp(x[..s] - (m[..(where(on[pos] > 0, 0, s))] else 0))
        y = add(m, log(reduced_into(e, like, on, by = "sum")))
    }
}

// ---- along one axis
// `cumsum` along the axis that the run names
op cumsum_at<T: number, J: int>(x: T[..S], axis: J[], exclusive: bool = false,
        reverse: bool = false) -> (y: T[..S])
{
    on = named_axes(reshape(axis, shape = [1]), rank = rank(x))
    z = x
    for i in 0..rank(x) {
        here[] = on[i] > 0
        z = if here {
            u = cumsum(x, axis = i, exclusive = exclusive, reverse = reverse)
            yield u
        } else {
            yield z
        }
    }
    y = z
}
// `cumprod` along the axis that the run names
op cumprod_at<T: number, J: int>(x: T[..S], axis: J[], exclusive: bool = false,
        reverse: bool = false) -> (y: T[..S])
{
    on = named_axes(reshape(axis, shape = [1]), rank = rank(x))
    z = x
    for i in 0..rank(x) {
        here[] = on[i] > 0
        z = if here {
            u = cumprod(x, axis = i, exclusive = exclusive, reverse = reverse)
            yield u
        } else {
            yield z
        }
    }
    y = z
}
// `dft` along the axis that the run names, which is not the last.
// The length is the axis's own unless it is given.
op dft_at<T: float, J: int>(x: T[..S, C], axis: J[], length: int[] = [], inverse: bool = false,
        onesided: bool = false) -> (y)
{
    on = named_axes(reshape(axis, shape = [1]), rank = rank(x))
    many[] = on[len(S)]
    dim axis_of_a_number <= 0 = many
    like[]: bool[] = true
    one[i in 0..1]: bool[1] = true
    for i in 0..len(S) {
        u = dft_along(x, axis = i, length = length, inverse = inverse, onesided = onesided)
        n = one_of(x, u, on, axis = i)
        like = one_more(like, n, bound(bound(one, x, axis = i), u, axis = i))
    }
    if inverse and onesided { z = parts(x, like, many = 1) } else { z = parts(x, like, many = 2) }
    for i in 0..len(S) {
        here[] = on[i] > 0
        z = if here {
            u = dft_along(x, axis = i, length = length, inverse = inverse, onesided = onesided)
            v = cut_like(u, z)
            yield v
        } else {
            yield z
        }
    }
    y = z
}
// `dft` of the axis' own length or another one
op dft_along<T: float>(x: T[..S], axis: int, length: int[], inverse: bool, onesided: bool) -> (y) {
    if len(length) > 0 {
        y = dft(x, axis = axis, inverse = inverse, onesided = onesided, length = length[0])
    } else {
        y = dft(x, axis = axis, inverse = inverse, onesided = onesided)
    }
}
// the size of an axis: that of b if the axis is `on`, else that of a
op one_of<T: any>(a: T[..M, D @ axis], b: T[..N, E @ axis], on: i64[R], axis: int) -> (n: i64[]) {
    n[] = where(on[axis] > 0, i64(E), D)
}
// zeros of x's type with the sizes of `like`, then `many`
op parts<T: any>(x: T[..S], like: bool[..O], many: int) -> (y: T[..O, many]) { y[..i] = T(0) }
// x under the sizes of another tensor, whose elements are all there
op cut_like<T: any>(x: T[..S], like: T[..O]) -> (y: T[..O]) { y[..o] = x[..o] else T(0) }
