mg 1
// Reading images at places between their elements: grids, regions, deformed windows. A place has a
// coordinate for each dimension of the image; its neighbours are the box of `taps` elements from
// `first` on, weighted by the product of one weight for each dimension.

// the sizes of x
op shape<T: any>(x: T[..X]) -> (y: i64[rank(x)]) {
    y[i in 0..rank(x)]: i64[rank(x)] = 0
    for a in 0..rank(x) {
        e = extent(x, axis = a)
        y[i] = where(i == a, e[], y[i])
    }
}
// the size of one axis
op extent<T: any>(x: T[..N, D @ axis], axis: int) -> (y: i64[]) { y[] = D }
// x times w, whose last dimension is an axis of x, and whose others are the first of x
op scale_axis<T: float>(x: T[..B @ 0..rank(w) - 1, ..R, J @ axis], w: T[..B, J], axis: int)
    -> (y: T[..B @ 0..rank(w) - 1, ..R, J @ axis])
{
    y[..b @ 0..rank(w) - 1, ..r, j @ axis] = x[..b @ 0..rank(w) - 1, ..r, j @ axis] * w[..b, j]
}
// the box around each place and its weights
op neighbours<T: float>(places: T[..B, R], taps: int[], mode: "nearest" | "linear" | "cubic")
    -> (first: i64[..B, R], w: T[..B, ..taps])
{
    if mode == "nearest" { f[..b, r] = round(places[..b, r]) }
    if mode != "nearest" { f[..b, r] = floor(places[..b, r]) }
    if mode == "cubic" { first[..b, r] = i64(f[..b, r]) - 1 }
    if mode != "cubic" { first[..b, r] = i64(f[..b, r]) }
    w[..b, ..t] = 1
    for a in 0..len(taps) {
        t[..b] = places[..b, a] - f[..b, a]
        if mode == "nearest" { v[..b, j in 0..1] = where(t[..b] < inf, T(1), 0) }
        if mode == "linear" { v[..b, j in 0..2] = where(j == 0, 1 - t[..b], t[..b]) }
        if mode == "cubic" { v[..b, j in 0..4] = cubic_weight(t[..b] + 1 - j, a = -0.75) }
        w = scale_axis(w, v, axis = rank(places) - 1 + a)
    }
}

// x at the places of a grid: Jaderberg et al., 2015.
// The grid counts dimensions from the last one and spans each from -1 to 1: between the centres of
// the outermost elements (`align_corners`) or between their outer edges.
op grid_sample<T: float, G: float>(x: T[N, C, ..X], grid: G[N, ..O, R],
        mode: "nearest" | "linear" | "cubic" = "linear",
        padding: "zeros" | "border" | "reflection" = "zeros", align_corners: bool = false)
    -> (y: T[N, C, ..O])
    require rank(x) == rank(grid) : "grid has rank {rank(grid)}, but x has rank {rank(x)}"
    require R == rank(x) - 2 : "grid has {R} coordinates for {rank(x) - 2} dimensions"
    let ..K = X * 0 + where(mode == "nearest", 1, where(mode == "linear", 2, 4))
{
    e = cast(shape(x), to = G)
    if align_corners {
        p[n, ..o, r in 0..R] = (grid[n, ..o, R - 1 - r] + 1) / 2 * (e[r + 2] - 1)
    } else {
        p[n, ..o, r in 0..R] = ((grid[n, ..o, R - 1 - r] + 1) * e[r + 2] - 1) / 2
    }
    if padding == "border" and mode != "nearest" {
        edge: G[] = where(align_corners, 0.0, 0.5)
        p[n, ..o, r] = where(p[n, ..o, r] < -edge[] or p[n, ..o, r] > e[r + 2] - 1 + edge[],
            min(max(p[n, ..o, r], 0), e[r + 2] - 1), p[n, ..o, r])
    }
    f, w = neighbours(p, taps = K, mode = mode)
    if padding == "zeros" {
        y[n, c, ..o] = sum[..t] (x[n, c, ..(f[n, ..o, pos] + t)] else 0) * T(w[n, ..o, ..t])
    }
    if padding == "border" {
        y[n, c, ..o] = sum[..t] x[n, c, ..(clamp(f[n, ..o, pos] + t, X))] * T(w[n, ..o, ..t])
    }
    if padding == "reflection" and align_corners {
        y[n, c, ..o] = sum[..t] x[n, c, ..(bounce(f[n, ..o, pos] + t, X))] * T(w[n, ..o, ..t])
    }
    if padding == "reflection" and not align_corners {
        y[n, c, ..o] = sum[..t] x[n, c, ..(mirror(f[n, ..o, pos] + t, X))] * T(w[n, ..o, ..t])
    }
}
// the grid for grid_sample that an affine map of the coordinates gives
op affine_grid<T: float>(theta: T[N, R, R + 1], shape: int[], align_corners: bool = false)
    -> (y: T[N, ..shape, R])
{
    base[..o, j in 0..R + 1]: T[..shape, R + 1] = 1
    for a in 0..len(shape) {
        line = even_places(base, axis = a, align_corners = align_corners)
        base = replace(base, line, axis = a, at = len(shape) - 1 - a)
    }
    y[n, ..o, i] = sum[j] theta[n, i, j] * base[..o, j]
}
// the places of an axis in -1..1
op even_places<T: float>(x: T[..N, D @ axis], axis: int, align_corners: bool) -> (y: T[D]) {
    if align_corners {
        y[i] = -1 + 2 * T(i) / max(D - 1, 1)
    } else {
        y[i] = (2 * T(i) + 1) / D - 1
    }
}
// x, in which the values of v replace one place of the last dimension, along an axis
op replace<T: any>(x: T[..N, D @ axis, J], v: T[D], axis: int, at: int) -> (y: T[..N, D @ axis, J])
{
    y[..n, d @ axis, j] = where(j == at, v[d], x[..n, d @ axis, j])
}

// ---- regions (y0, x0, y1, x1 from rows x0, y0, x1, y1) of an image, each pooled to one size
// the weight of the lower (t = 0) or upper neighbour of place p of n, or 0 far outside.
op side_weight<T: float>(p: T[], n: int, t: i64[]) -> (w: T[]) {
    w[] = where(p[] < -1 or p[] > n, 0,
        where(t[] == 0, 1 - (clip(p[], 0, n - 1) - floor(clip(p[], 0, n - 1))),
            clip(p[], 0, n - 1) - floor(clip(p[], 0, n - 1))))
}
// the position of a sample along one side of a box
op side_place<T: float>(p: T[], n: int, t: i64[]) -> (i: i64[]) {
    i[] = min(i64(clip(p[], 0, n - 1)) + t[], n - 1)
}
// the mean of `samples` x `samples` interpolated values in each bin of regions: He et al., 2017.
// With 0, a bin has a value for each element; "max" takes the largest weighted element instead.
op roi_align<T: float, I: int>(x: T[N, C, H, W], regions: T[R, 4], image: I[R], height: int,
        width: int, mode: "avg" | "max" = "avg", samples: int = 0, scale: float = 1.0,
        half_pixel: bool = true) -> (y: T[R, C, height, width])
    require 0 <= samples and samples <= 65536 : "samples is {samples}; expected 0 to 65536"
    require height >= 1 and width >= 1 : "{height} by {width} bins; expected at least 1 by 1"
{
    off[]: T[] = where(half_pixel, 0.5, 0.0)
    start[r, a in 0..2] = regions[r, 1 - a] * scale - off[]
    span[r, a in 0..2] = regions[r, 3 - a] * scale - off[] - start[r, a]
    bin[r, a] = where(half_pixel, span[r, a], max(span[r, a], 1)) / where(a == 0, height, width)
    if samples > 0 {
        count[r, a]: i64[R, 2] = samples
        y = roi_sample(x, image, start, bin, count, height = height, width = width, mode = mode,
            most = samples)
    } else {
        count[r, a]: i64[R, 2] = i64(ceil(bin[r, a]))
        most = maximum(max(count), 1)
        dim K <= 65536 = most
        y = roi_sample(x, image, start, bin, count, height = height, width = width, mode = mode,
            most = K)
    }
}
// the position of sample i of a bin's `count`
op sample_place<T: float>(start: T[], bin: T[], count: i64[], u: i64[], i: i64[]) -> (p: T[]) {
    p[] = start[] + bin[] * (T(u[]) + (T(i[]) + 0.5) / T(count[]))
}
// the mean or the largest of the samples in each bin of a region
op roi_sample<T: float, I: int>(x: T[N, C, H, W], image: I[R], start: T[R, 2], bin: T[R, 2],
        count: i64[R, 2], height: int, width: int, mode: "avg" | "max", most: int)
    -> (y: T[R, C, height, width])
{
    // A tensor of all samples would be as large as the largest region, so they are computed where
    // they are used.
    if mode == "avg" {
        y[r, c, u, v] = (sum[i in 0..most, j in 0..most, s in 0..2, t in 0..2] where(i < count[r, 0]
                and j < count[r, 1],
            side_weight(sample_place(start[r, 0], bin[r, 0], count[r, 0], u, i), s, n = H)
                * side_weight(sample_place(start[r, 1], bin[r, 1], count[r, 1], v, j), t, n = W)
                * x[i64(image[r]), c,
                    side_place(sample_place(start[r, 0], bin[r, 0], count[r, 0], u, i), s, n = H),
                    side_place(sample_place(start[r, 1], bin[r, 1], count[r, 1], v, j), t, n = W)],
            0))
            / T(max(count[r, 0] * count[r, 1], 1))
    } else {
        m[r, c, u, v]: T[R, C, height,
            width] = max[i in 0..most, j in 0..most, s in 0..2, t in 0..2] where(i < count[r, 0]
                and j < count[r, 1],
            side_weight(sample_place(start[r, 0], bin[r, 0], count[r, 0], u, i), s, n = H)
                * side_weight(sample_place(start[r, 1], bin[r, 1], count[r, 1], v, j), t, n = W)
                * x[i64(image[r]), c,
                    side_place(sample_place(start[r, 0], bin[r, 0], count[r, 0], u, i), s, n = H),
                    side_place(sample_place(start[r, 1], bin[r, 1], count[r, 1], v, j), t, n = W)],
            -inf)
        y[r, c, u, v] = where(count[r, 0] * count[r, 1] > 0, m[r, c, u, v], 0)
    }
}
// the nearest whole number, halves away from 0
op round_away<T: float>(x: T[]) -> (y: T[]) { y[] = sign(x[]) * floor(abs(x[]) + 0.5) }
// the largest element of each bin of regions: Girshick, 2015.
// A region (image, x0, y0, x1, y1) consists of whole elements. An empty bin gives 0.
op max_roi_pool<T: float>(x: T[N, C, H, W], regions: T[R, 5], height: int, width: int,
        scale: float = 1.0) -> (y: T[R, C, height, width])
    require height >= 1 and width >= 1 : "{height} by {width} bins; expected at least 1 by 1"
{
    // the first element of region r, and how many
    start[r, a in 0..2] = round_away(regions[r, 2 - a] * scale)
    count[r, a] = max(round_away(regions[r, 4 - a] * scale) - start[r, a] + 1, 1)
    top[r, u in 0..height + 1] = T(u) * count[r, 0] / height
    left[r, v in 0..width + 1] = T(v) * count[r, 1] / width
    m[r, c, u, v]: T[R, C, height, width] = max[h in 0..H, w in 0..W] where(T(h)
            >= start[r, 0] + floor(top[r, u])
            and T(h) < start[r, 0] + ceil(top[r, u + 1])
            and T(w) >= start[r, 1] + floor(left[r, v])
            and T(w) < start[r, 1] + ceil(left[r, v + 1]), x[i64(regions[r, 0]), c, h, w], -inf)
    y[r, c, u, v] = where(m[r, c, u, v] == -inf, 0, m[r, c, u, v])
}

// ---- deformable convolutions
// a convolution whose taps are moved by offsets and weighted by a mask: Zhu et al., 2019.
// There is an offset for each of `offset_groups` groups of channels, each tap and each dimension.
op deform_conv<T: float>(x: T[N, groups * C, ..X], weight: T[groups * M, C, ..K],
        offset: T[N, offset_groups * size(K) * (rank(x) - 2), ..O], bias: T[groups * M]?,
        mask: T[N, offset_groups * size(K), ..O]?, stride: int[..X] = 1, dilation: int[..X] = 1,
        pad: int[..X] = 0, pad_end: int[..X] = pad, groups: int = 1, offset_groups: int = 1)
    -> (y: T[N, groups * M, ..O])
    require rank(weight) == rank(x) : "weight has rank {rank(weight)}, but x has rank {rank(x)}"
    require stride >= 1 and dilation >= 1 : "stride {stride}, dilation {dilation}: expected >= 1"
    let ..P = X + pad + pad_end
    let ..R = reach(K, dilation)
    let ..Least = room(K, stride, dilation, false)
    require P >= Least : "the window covers {R}, but the input with its padding is only {P}"
    let ..W = windows(X, K, stride, dilation, pad, pad_end, false)
    require O == W : "there are offsets for {O} places, but the windows have {W}"
    require groups * C % offset_groups
        == 0 : "{groups * C} channels, {offset_groups} groups of offsets"
    let D = groups * C / offset_groups
    let ..S = X * 0 + 2
{
    moved[n, g, ..k, ..o, r]: T[N, offset_groups, ..K, ..O, rank(x) - 2] = offset[n, (g, ..k, r),
        ..o]
    f, w = neighbours(moved, taps = S, mode = "linear")
    s[n, (g, c), ..k, ..o]: T[N, offset_groups * D, ..K, ..O] = (sum[..t] (x[n, (g, c),
        ..(o * stride + k * dilation - pad + f[n, g, ..k, ..o, pos] + t)] else 0)
        * w[n, g, ..k, ..o, ..t])
        * (mask[n, (g, ..k), ..o] else 1)
    z[n, c, ..k, ..o]: T[N, groups * C, ..K, ..O] = s[n, c, ..k, ..o]
    y[n, (g, m), ..o] = (sum[c, ..k] z[n, (g, c), ..k, ..o] * weight[(g, m), c, ..k])
        + (bias[(g, m)] else 0)
}
