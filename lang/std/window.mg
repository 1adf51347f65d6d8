mg 1
// Pooling over windows of any number of dimensions. The stride is the kernel's size unless it is
// given. `ceil_mode` keeps a last window that hangs over the end.

// the largest element of each window
op max_pool<T: number>(x: T[N, C, ..X], kernel: int[..X], stride: int[..X] = kernel,
        dilation: int[..X] = 1, pad: int[..X] = 0, pad_end: int[..X] = pad, ceil_mode: bool = false)
    -> (y: T[N, C, ..O])
    require kernel >= 1 : "kernel {kernel}: expected >= 1"
    require stride >= 1 and dilation >= 1 : "stride {stride}, dilation {dilation}: expected >= 1"
    require pad >= 0 and pad_end >= 0 : "pad {pad}, pad_end {pad_end}: expected >= 0"
    let ..P = X + pad + pad_end
    let ..R = reach(kernel, dilation)
    let ..Least = room(kernel, stride, dilation, ceil_mode)
    require P >= Least : "the window covers {R}, but the input with its padding is only {P}"
    let ..O = windows(X, kernel, stride, dilation, pad, pad_end, ceil_mode)
{
    y[n, c, ..o] = max[..k in 0..kernel] (x[n, c,
        ..(o * stride + k * dilation - pad)] else lowest(T))
}
// max_pool, with the place of each maximum in its image if `per_channel`, else in the whole tensor.
// Places are row-major, or column-major within each image if `columns`.
op max_pool_index<T: number>(x: T[N, C, ..X], kernel: int[..X], stride: int[..X] = kernel,
        dilation: int[..X] = 1, pad: int[..X] = 0, pad_end: int[..X] = pad, ceil_mode: bool = false,
        per_channel: bool = false, columns: bool = false)
    -> (y: T[N, C, ..O], index: i64[N, C, ..O])
    require kernel >= 1 : "kernel {kernel}: expected >= 1"
    require stride >= 1 and dilation >= 1 : "stride {stride}, dilation {dilation}: expected >= 1"
    require pad >= 0 and pad_end >= 0 : "pad {pad}, pad_end {pad_end}: expected >= 0"
    let ..P = X + pad + pad_end
    let ..R = reach(kernel, dilation)
    let ..Least = room(kernel, stride, dilation, ceil_mode)
    require P >= Least : "the window covers {R}, but the input with its padding is only {P}"
    let ..O = windows(X, kernel, stride, dilation, pad, pad_end, ceil_mode)
{
    y[n, c, ..o] = max[..k in 0..kernel] (x[n, c,
        ..(o * stride + k * dilation - pad)] else lowest(T))
    a[n, c, ..o]: i64[N, C, ..O] = argmax[..k in 0..kernel] (x[n, c,
        ..(o * stride + k * dilation - pad)] else lowest(T))
    if columns {
        within[..i]: i64[..X] = 0
        step[]: i64[] = 1
        for d in 0..rank(x) - 2 { within, step = column_step(within, step, axis = d) }
        place[n, c, ..i]: i64[N, C, ..X] = where(per_channel, 0, (n * C + c) * size(X))
            + within[..i]
        index[n, c, ..o] = place[n, c,
            ..(o * stride + coord(a[n, c, ..o], kernel) * dilation - pad)] else 0
    } else if per_channel {
        line[i in 0..size(X)] = i
        place[..i]: i64[..X] = line[(..i)]
        index[n, c, ..o] = place[..(o * stride
                + coord(a[n, c, ..o], kernel) * dilation
                - pad)] else 0
    } else {
        line[i in 0..size(x)] = i
        place[n, c, ..i]: i64[N, C, ..X] = line[(n, c, ..i)]
        index[n, c, ..o] = place[n, c,
            ..(o * stride + coord(a[n, c, ..o], kernel) * dilation - pad)] else 0
    }
}
// places with an axis's part added; one step along the axis is `step` places
op column_step(p: i64[..N, D @ axis], step: i64[], axis: int)
    -> (y: i64[..N, D @ axis], next_step: i64[])
{
    y[..n, i @ axis] = p[..n, i @ axis] + i * step[]
    next_step[] = step[] * D
}
// the transpose of max_pool: `index` says to which place of the result each element goes.
// Places are row-major; all others are 0.
op max_unpool<T: number, I: int>(x: T[N, C, ..X], index: I[N, C, ..X], kernel: int[..X],
        stride: int[..X] = kernel, pad: int[..X] = 0, pad_end: int[..X] = pad) -> (y: T[N, C, ..O])
    let ..E = (X - 1) * stride + kernel
    let ..P = pad + pad_end
    let ..O = E - P
    require O >= 0 : "the windows cover {E}, but the padding takes {P} off"
{
    zero[i in 0..size(O) * N * C]: T[size(O) * N * C] = 0
    line[i64(index[n, c, ..i])] = last[n, c, ..i] x[n, c, ..i] over zero
    y[n, c, ..o] = line[(n, c, ..o)]
}
// the mean of each window: of its elements inside the image, and in the padding if `count_pad`.
// What hangs over the padding never counts.
op avg_pool<T: float>(x: T[N, C, ..X], kernel: int[..X], stride: int[..X] = kernel,
        dilation: int[..X] = 1, pad: int[..X] = 0, pad_end: int[..X] = pad, ceil_mode: bool = false,
        count_pad: bool = false) -> (y: T[N, C, ..O])
    require kernel >= 1 : "kernel {kernel}: expected >= 1"
    require stride >= 1 and dilation >= 1 : "stride {stride}, dilation {dilation}: expected >= 1"
    require pad >= 0 and pad_end >= 0 : "pad {pad}, pad_end {pad_end}: expected >= 0"
    let ..P = X + pad + pad_end
    let ..R = reach(kernel, dilation)
    let ..Least = room(kernel, stride, dilation, ceil_mode)
    require P >= Least : "the window covers {R}, but the input with its padding is only {P}"
    let ..O = windows(X, kernel, stride, dilation, pad, pad_end, ceil_mode)
{
    if count_pad {
        one[..i]: T[..(X + pad + pad_end)] = 1
        m[..o]: T[..O] = sum[..k in 0..kernel] (one[..(o * stride + k * dilation)] else 0)
    } else {
        one[..i]: T[..X] = 1
        m[..o]: T[..O] = sum[..k in 0..kernel] (one[..(o * stride + k * dilation - pad)] else 0)
    }
    y[n, c, ..o] = (sum[..k in 0..kernel] (x[n, c, ..(o * stride + k * dilation - pad)] else 0))
        / m[..o]
}
// the p-norm of each window
op lp_pool<T: float>(x: T[N, C, ..X], kernel: int[..X], p: float = 2.0, stride: int[..X] = kernel,
        dilation: int[..X] = 1, pad: int[..X] = 0, pad_end: int[..X] = pad, ceil_mode: bool = false)
    -> (y: T[N, C, ..O])
    require kernel >= 1 : "kernel {kernel}: expected >= 1"
    require stride >= 1 and dilation >= 1 : "stride {stride}, dilation {dilation}: expected >= 1"
    require pad >= 0 and pad_end >= 0 : "pad {pad}, pad_end {pad_end}: expected >= 0"
    let ..P = X + pad + pad_end
    let ..R = reach(kernel, dilation)
    let ..Least = room(kernel, stride, dilation, ceil_mode)
    require P >= Least : "the window covers {R}, but the input with its padding is only {P}"
    let ..O = windows(X, kernel, stride, dilation, pad, pad_end, ceil_mode)
{
    y[n, c, ..o] = pow(sum[..k in 0..kernel] pow(abs(x[n, c,
                    ..(o * stride + k * dilation - pad)] else 0), p), 1 / p)
}
// max_pool over one dimension
op max_pool1d<T: number>(x: T[N, C, ..X @ 2..3], kernel: int[..X], stride: int[..X] = kernel,
        pad: int[..X] = 0, ceil_mode: bool = false) -> (y)
{
    y = max_pool(x, kernel = kernel, stride = stride, pad = pad, ceil_mode = ceil_mode)
}
// max_pool over two dimensions
op max_pool2d<T: number>(x: T[N, C, ..X @ 2..4], kernel: int[..X], stride: int[..X] = kernel,
        pad: int[..X] = 0, ceil_mode: bool = false) -> (y)
{
    y = max_pool(x, kernel = kernel, stride = stride, pad = pad, ceil_mode = ceil_mode)
}
// max_pool over three dimensions
op max_pool3d<T: number>(x: T[N, C, ..X @ 2..5], kernel: int[..X], stride: int[..X] = kernel,
        pad: int[..X] = 0, ceil_mode: bool = false) -> (y)
{
    y = max_pool(x, kernel = kernel, stride = stride, pad = pad, ceil_mode = ceil_mode)
}
// avg_pool over one dimension
op avg_pool1d<T: float>(x: T[N, C, ..X @ 2..3], kernel: int[..X], stride: int[..X] = kernel,
        pad: int[..X] = 0, ceil_mode: bool = false, count_pad: bool = true) -> (y)
{
    y = avg_pool(x, kernel = kernel, stride = stride, pad = pad, ceil_mode = ceil_mode,
        count_pad = count_pad)
}
// avg_pool over two dimensions
op avg_pool2d<T: float>(x: T[N, C, ..X @ 2..4], kernel: int[..X], stride: int[..X] = kernel,
        pad: int[..X] = 0, ceil_mode: bool = false, count_pad: bool = true) -> (y)
{
    y = avg_pool(x, kernel = kernel, stride = stride, pad = pad, ceil_mode = ceil_mode,
        count_pad = count_pad)
}
// avg_pool over three dimensions
op avg_pool3d<T: float>(x: T[N, C, ..X @ 2..5], kernel: int[..X], stride: int[..X] = kernel,
        pad: int[..X] = 0, ceil_mode: bool = false, count_pad: bool = true) -> (y)
{
    y = avg_pool(x, kernel = kernel, stride = stride, pad = pad, ceil_mode = ceil_mode,
        count_pad = count_pad)
}
// the largest element over all spatial dimensions
op global_max_pool<T: number>(x: T[N, C, ..X]) -> (y) {
    y = max(x, axes = [2..rank(x)], keepdims = true)
}
// the mean over all spatial dimensions
op global_avg_pool<T: float>(x: T[N, C, ..X]) -> (y) {
    y = mean(x, axes = [2..rank(x)], keepdims = true)
}
// the p-norm over all spatial dimensions
op global_lp_pool<T: float>(x: T[N, C, ..X], p: float = 2.0) -> (y) {
    r[n, c]: T[N, C] = pow(sum[..i] pow(abs(x[n, c, ..i]), p), 1 / p)
    y = unsqueeze(r, axes = [2..rank(x)])
}
