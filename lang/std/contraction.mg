mg 1
// Sums of products: matrix products, convolutions and their integer forms. Any other contraction is
// an equation in the reader's own words; it is compiled the same way.

// the matrix product of the last two dimensions; those before them broadcast
op matmul<T: number>(a: T[..N, M, K], b: T[..N, K, P]) -> (y: T[..N, M, P])
    broadcast N
{
    y[..n, i, j] = sum[k] a[..n, i, k] * b[..n, k, j]
}
// a matrix times a vector
op matvec<T: number>(a: T[..N, M, K], b: T[..N, K]) -> (y: T[..N, M])
    broadcast N
{
    y[..n, i] = sum[k] a[..n, i, k] * b[..n, k]
}
// the sum of the products of two vectors
op dot<T: number>(a: T[..N, K], b: T[..N, K]) -> (y: T[..N])
    broadcast N
{
    y[..n] = sum[k] a[..n, k] * b[..n, k]
}
// the products of every element of a with every element of b
op outer<T: number>(a: T[..N, M], b: T[..N, P]) -> (y: T[..N, M, P])
    broadcast N
{
    y[..n, i, j] = a[..n, i] * b[..n, j]
}
// x times the transposed weight, which is how layers store it, plus a bias
op linear<T: number>(x: T[..N, I], weight: T[O, I], bias: T[O]?) -> (y: T[..N, O]) {
    y[..n, o] = (sum[i] x[..n, i] * weight[o, i]) + (bias[o] else 0)
}
// a form linear in each of two inputs
op bilinear<T: number>(a: T[..N, I], b: T[..N, J], weight: T[O, I, J], bias: T[O]?)
    -> (y: T[..N, O])
{
    y[..n, o] = (sum[i, j] a[..n, i] * weight[o, i, j] * b[..n, j]) + (bias[o] else 0)
}
// a + scale * b, where b broadcasts and a may be wider. The sum is rounded once, to the type of b.
op add_scaled<W: float, T: float>(a: W[..S], b: T[..S], scale: float = 1.0) -> (y: T[..S])
    broadcast S
{
    y[..s] = T(a[..s] + scale * W(b[..s]))
}
// alpha * a * b + beta * c, where either factor may be transposed, and c broadcasts
op gemm<T: float>(a: T[..A], b: T[..B], c: T[..C]?, alpha: float = 1.0, beta: float = 1.0,
        transpose_a: bool = false, transpose_b: bool = false) -> (y)
{
    if transpose_a { l = transpose(a, perm = [1, 0]) } else { l = a }
    if transpose_b { r = transpose(b, perm = [1, 0]) } else { r = b }
    z[i, j] = alpha * (sum[k] l[i, k] * r[k, j])
    if given(c) { y = add_scaled(z, c, scale = beta) } else { y = cast(z, to = T) }
}

// a convolution over the dimensions of x after its channels.
// It is depthwise if `groups` is the number of channels.
op conv<T: number>(x: T[N, groups * C, ..X], weight: T[groups * M, C, ..K], bias: T[groups * M]?,
        stride: int[..X] = 1, dilation: int[..X] = 1, pad: int[..X] = 0, pad_end: int[..X] = pad,
        groups: int = 1) -> (y: T[N, groups * M, ..O])
    require rank(weight) == rank(x) : "weight has rank {rank(weight)}, but x has rank {rank(x)}"
    require stride >= 1 and dilation >= 1 : "stride {stride}, dilation {dilation}: expected >= 1"
    require pad >= 0 and pad_end >= 0 : "pad {pad}, pad_end {pad_end}: expected >= 0"
    let ..P = X + pad + pad_end
    let ..R = reach(K, dilation)
    let ..Least = room(K, stride, dilation, false)
    require P >= Least : "the window covers {R}, but the input with its padding is only {P}"
    let ..O = windows(X, K, stride, dilation, pad, pad_end, false)
{
    y[n, (g, m), ..o] = (sum[c, ..k] (x[n, (g, c), ..(o * stride + k * dilation - pad)] else 0)
        * weight[(g, m), c, ..k])
        + (bias[(g, m)] else 0)
}
// conv over one spatial dimension
op conv1d<T: number>(x: T[N, groups * C, ..X @ 2..3], weight: T[groups * M, C, ..K],
        bias: T[groups * M]?, stride: int[..X] = 1, dilation: int[..X] = 1, pad: int[..X] = 0,
        pad_end: int[..X] = pad, groups: int = 1) -> (y)
{
    y = conv(x, weight, bias, stride = stride, dilation = dilation, pad = pad, pad_end = pad_end,
        groups = groups)
}
// conv over two spatial dimensions
op conv2d<T: number>(x: T[N, groups * C, ..X @ 2..4], weight: T[groups * M, C, ..K],
        bias: T[groups * M]?, stride: int[..X] = 1, dilation: int[..X] = 1, pad: int[..X] = 0,
        pad_end: int[..X] = pad, groups: int = 1) -> (y)
{
    y = conv(x, weight, bias, stride = stride, dilation = dilation, pad = pad, pad_end = pad_end,
        groups = groups)
}
// conv over three spatial dimensions
op conv3d<T: number>(x: T[N, groups * C, ..X @ 2..5], weight: T[groups * M, C, ..K],
        bias: T[groups * M]?, stride: int[..X] = 1, dilation: int[..X] = 1, pad: int[..X] = 0,
        pad_end: int[..X] = pad, groups: int = 1) -> (y)
{
    y = conv(x, weight, bias, stride = stride, dilation = dilation, pad = pad, pad_end = pad_end,
        groups = groups)
}
// a convolution of each channel by itself, over the places up to its own.
// `past` holds the K - 1 places before x (zeros if not given), `state` the last K - 1, for later.
op causal_conv<T: float>(x: T[B, C, L], weight: T[C, 1, K], bias: T[C]?, past: T[B, C, K - 1]?)
    -> (y: T[B, C, L], state: T[B, C, K - 1])
{
    a[b in 0..B, c in 0..C, i in 0..K - 1 + L]: T[B, C, K - 1 + L] = x[b, c,
        i - (K - 1)] else (past[b, c, i] else 0)
    y[b, c, t] = (sum[k] a[b, c, t + k] * weight[c, 0, k]) + (bias[c] else 0)
    state[b, c, i in 0..K - 1] = a[b, c, L + i]
}
// the transpose of conv: it scatters each element to the places from which conv would gather it
op conv_transpose<T: number>(x: T[N, groups * C, ..X], weight: T[groups * C, M, ..K],
        bias: T[groups * M]?, stride: int[..X] = 1, dilation: int[..X] = 1, pad: int[..X] = 0,
        pad_end: int[..X] = pad, out_pad: int[..X] = 0, groups: int = 1)
    -> (y: T[N, groups * M, ..O])
    require rank(weight) == rank(x) : "weight has rank {rank(weight)}, but x has rank {rank(x)}"
    require stride >= 1 and dilation >= 1 : "stride {stride}, dilation {dilation}: expected >= 1"
    let ..E = (X - 1) * stride + reach(K, dilation) + out_pad
    let ..P = pad + pad_end
    let ..O = E - P
    require O >= 0 : "the windows cover {E}, but the padding takes {P} off"
{
    z[n, (g, m), ..(i * stride + k * dilation - pad)]: T[N, groups * M,
        ..O] else none = sum[c, ..i, ..k] x[n, (g, c), ..i] * weight[(g, c), m, ..k]
    y[n, (g, m), ..o] = z[n, (g, m), ..o] + (bias[(g, m)] else 0)
}
// the transpose of conv with a given result size. What the windows cover beyond it is padding.
// If that is odd, the larger part is at the end if `end_larger`, else at the beginning.
op conv_transpose_to<T: number>(x: T[N, groups * C, ..X], weight: T[groups * C, M, ..K],
        bias: T[groups * M]?, extent: int[..X], stride: int[..X] = 1, dilation: int[..X] = 1,
        out_pad: int[..X] = 0, groups: int = 1, end_larger: bool = true)
    -> (y: T[N, groups * M, ..extent])
    require rank(weight) == rank(x) : "weight has rank {rank(weight)}, but x has rank {rank(x)}"
    require stride >= 1 and dilation >= 1 : "stride {stride}, dilation {dilation}: expected >= 1"
    let ..E = (X - 1) * stride + dilation * (K - 1) + 1 + out_pad - extent
{
    z[n, (g, m), ..(i * stride + k * dilation - where(end_larger, E / 2, E - E / 2))]: T[N,
        groups * M, ..extent] else none = sum[c, ..i, ..k] x[n, (g, c), ..i]
        * weight[(g, c), m, ..k]
    y[n, (g, m), ..o] = z[n, (g, m), ..o] + (bias[(g, m)] else 0)
}

// the patches that conv reads, one column for each result place
op unfold<T: any>(x: T[N, C, ..X], kernel: int[..X], stride: int[..X] = 1, dilation: int[..X] = 1,
        pad: int[..X] = 0, pad_end: int[..X] = pad) -> (y: T[N, C * size(kernel), size(O)])
    require kernel >= 1 : "kernel {kernel}: expected >= 1"
    require stride >= 1 and dilation >= 1 : "stride {stride}, dilation {dilation}: expected >= 1"
    require pad >= 0 and pad_end >= 0 : "pad {pad}, pad_end {pad_end}: expected >= 0"
    let ..P = X + pad + pad_end
    let ..R = reach(kernel, dilation)
    let ..Least = room(kernel, stride, dilation, false)
    require P >= Least : "the window covers {R}, but the input with its padding is only {P}"
    let ..O = windows(X, kernel, stride, dilation, pad, pad_end, false)
{
    p[n, c, ..k, ..o]: T[N, C, ..kernel, ..O] = x[n, c, ..(o * stride + k * dilation - pad)] else 0
    y[n, (c, ..k), (..o)] = p[n, c, ..k, ..o]
}
// the transpose of unfold: columns are added up at the places that they came from
op fold<T: number>(x: T[N, C * size(kernel), L], extent: int[], kernel: int[..extent],
        stride: int[..extent] = 1, dilation: int[..extent] = 1, pad: int[..extent] = 0,
        pad_end: int[..extent] = pad) -> (y: T[N, C, ..extent])
    require kernel >= 1 : "kernel {kernel}: expected >= 1"
    require stride >= 1 and dilation >= 1 : "stride {stride}, dilation {dilation}: expected >= 1"
    require pad >= 0 and pad_end >= 0 : "pad {pad}, pad_end {pad_end}: expected >= 0"
    let ..P = extent + pad + pad_end
    let ..R = reach(kernel, dilation)
    let ..Least = room(kernel, stride, dilation, false)
    require P >= Least : "the window covers {R}, but the result with its padding is only {P}"
    let ..O = windows(extent, kernel, stride, dilation, pad, pad_end, false)
    require L == size(O) : "there are {L} columns, but {size(O)} windows"
{
    p[n, c, ..k, ..o]: T[N, C, ..kernel, ..O] = x[n, (c, ..k), (..o)]
    y[n, c, ..(o * stride + k * dilation - pad)] else none = sum[..k, ..o] p[n, c, ..k, ..o]
}

// ---- products of integers, whose zero points are subtracted; sums are in i32
// the product of two matrices of integers, less their zero points; sums are in i32
op matmul_integer<A: int, B: int>(a: A[..N, M, K], b: B[..N, K, P], a_zero: A[]?, b_zero: B[]?)
    -> (y: i32[..N, M, P])
    broadcast N
{
    y[..n, i, j] = sum[k] (i32(a[..n, i, k]) - i32(a_zero[] else 0))
        * (i32(b[..n, k, j]) - i32(b_zero[] else 0))
}
// a convolution of integers; outside the image is the zero point, which adds nothing
op conv_integer<A: int, B: int>(x: A[N, groups * C, ..X], weight: B[groups * M, C, ..K],
        x_zero: A[]?, weight_zero: B[groups * M]?, stride: int[..X] = 1, dilation: int[..X] = 1,
        pad: int[..X] = 0, pad_end: int[..X] = pad, groups: int = 1) -> (y: i32[N, groups * M, ..O])
    require rank(weight) == rank(x) : "weight has rank {rank(weight)}, but x has rank {rank(x)}"
    require stride >= 1 and dilation >= 1 : "stride {stride}, dilation {dilation}: expected >= 1"
    require pad >= 0 and pad_end >= 0 : "pad {pad}, pad_end {pad_end}: expected >= 0"
    let ..P = X + pad + pad_end
    let ..R = reach(K, dilation)
    let ..Least = room(K, stride, dilation, false)
    require P >= Least : "the window covers {R}, but the input with its padding is only {P}"
    let ..O = windows(X, K, stride, dilation, pad, pad_end, false)
{
    y[n, (g, m), ..o] = sum[c, ..k] (i32(x[n, (g, c),
            ..(o * stride + k * dilation - pad)] else (x_zero[] else 0))
        - i32(x_zero[] else 0))
        * (i32(weight[(g, m), c, ..k]) - i32(weight_zero[(g, m)] else 0))
}
