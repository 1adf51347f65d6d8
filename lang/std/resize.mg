mg 1
// Resampling, one axis at a time: a resize of several axes is one call for each. `scale` is the
// result's size over x's. "align_corners" stretches to `length`, which is not `to` if the scaled
// size was rounded down. "tf_crop_and_resize" stretches to `to`.

// ---- elements at the places s of an axis; a place outside reads the edge
// elements at the places s of an axis, each from its nearest neighbour
op nearest_at<T: any>(x: T[..N, D @ axis], s: f32[K], axis: int = -1,
        rounding: "round_prefer_floor" | "round_prefer_ceil" | "floor"
        | "ceil" = "round_prefer_floor") -> (y: T[..N, K @ axis])
{
    if rounding == "round_prefer_floor" { r[o] = ceil(s[o] - 0.5) }
    if rounding == "round_prefer_ceil" { r[o] = floor(s[o] + 0.5) }
    if rounding == "floor" { r[o] = floor(s[o]) }
    if rounding == "ceil" { r[o] = ceil(s[o]) }
    y[..n, o @ axis] = x[..n, clamp(i64(r[o]), D) @ axis]
}
// elements at places, each between its two neighbours
op linear_at<T: float>(x: T[..N, D @ axis], s: f32[K], axis: int = -1) -> (y: T[..N, K @ axis]) {
    f[o] = T(s[o] - floor(s[o]))
    y[..n, o @ axis] = x[..n, clamp(i64(floor(s[o])), D) @ axis] * (1 - f[o])
        + x[..n, clamp(i64(floor(s[o])) + 1, D) @ axis] * f[o]
}
// the weight of a sample at distance t: Keys, 1981
op cubic_weight<T: float>(t: T[], a: float) -> (w: T[]) {
    w[] = where(abs(t[]) <= 1, ((a + 2) * abs(t[]) - (a + 3)) * abs(t[]) * abs(t[]) + 1,
        where(abs(t[]) < 2, ((a * abs(t[]) - 5 * a) * abs(t[]) + 8 * a) * abs(t[]) - 4 * a, 0))
}
// elements at the places s of an axis, each from four samples. A sample outside is the edge's.
// If `exclude_outside`, it is left out instead, and the other weights are scaled up.
op cubic_at<T: float>(x: T[..N, D @ axis], s: f32[K], axis: int = -1, a: float = -0.75,
        exclude_outside: bool = false) -> (y: T[..N, K @ axis])
{
    w[o, k in 0..4] = T(cubic_weight(s[o] - floor(s[o]) + 1 - k, a = a))
    if exclude_outside {
        one[i]: T[D] = 1
        v[o, k] = w[o, k] * (one[i64(floor(s[o])) - 1 + k] else 0)
    } else {
        v = w
    }
    y[..n, o @ axis] = (sum[k] v[o, k] * x[..n, clamp(i64(floor(s[o])) - 1 + k, D) @ axis])
        / (sum[j] v[o, j])
}
// elements at places, each from H samples to either side; t holds their distances, which may be
// stretched
op window_at<T: float>(x: T[..N, D @ axis], s: f32[K], t: T[K, 2 * H], axis: int = -1,
        mode: "linear" | "cubic" = "linear", a: float = -0.75, exclude_outside: bool = false)
    -> (y: T[..N, K @ axis])
{
    if mode == "linear" {
        w[o, k] = max(1 - abs(t[o, k]), 0)
    } else {
        w[o, k] = cubic_weight(t[o, k], a = a)
    }
    if exclude_outside {
        one[i]: T[D] = 1
        v[o, k] = w[o, k] * (one[i64(floor(s[o])) + 1 - H + k] else 0)
    } else {
        v = w
    }
    y[..n, o @ axis] = (sum[k] v[o, k] * x[..n, clamp(i64(floor(s[o])) + 1 - H + k, D) @ axis])
        / (sum[j] v[o, j])
}

// ---- axes in another size
// the place that element o of the result reads, in an axis of `from` elements
op resize_source(to: int, from: int, scale: float, length: float,
        coordinates: "half_pixel" | "half_pixel_symmetric" | "pytorch_half_pixel" | "asymmetric"
        | "align_corners" | "tf_crop_and_resize" | "tf_half_pixel_for_nn", begin: float = 0.0,
        end: float = 1.0) -> (s: f32[to])
{
    if coordinates == "half_pixel" { s[o] = (o + 0.5) / scale - 0.5 }
    if coordinates == "half_pixel_symmetric" {
        s[o] = 0.5 * from * (1 - to / length) + (o + 0.5) / scale - 0.5
    }
    if coordinates == "pytorch_half_pixel" { s[o] = where(to > 1, (o + 0.5) / scale - 0.5, 0) }
    if coordinates == "asymmetric" { s[o] = o / scale }
    if coordinates == "tf_half_pixel_for_nn" { s[o] = (o + 0.5) / scale }
    if coordinates == "tf_crop_and_resize" {
        s[o] = (from - 1)
            * where(to > 1, begin + o * (end - begin) / (1.0 * to - 1), 0.5 * (begin + end))
    }
    if coordinates == "align_corners" { s[o] = where(length > 1, o * (from - 1) / (length - 1), 0) }
}
// an axis in another size, each element taken from its nearest neighbour
op resize_nearest<T: any>(x: T[..N, D @ axis], to: int, axis: int = -1, scale: float = 1.0 * to / D,
        length: float = D * scale,
        coordinates: "half_pixel" | "half_pixel_symmetric" | "pytorch_half_pixel" | "asymmetric"
        | "align_corners" | "tf_crop_and_resize" | "tf_half_pixel_for_nn" = "half_pixel",
        begin: float = 0.0, end: float = 1.0,
        rounding: "round_prefer_floor" | "round_prefer_ceil" | "floor"
        | "ceil" = "round_prefer_floor") -> (y: T[..N, to @ axis])
{
    s = resize_source(to = to, from = D, scale = scale, length = length, coordinates = coordinates,
        begin = begin, end = end)
    y = nearest_at(x, s, axis = axis, rounding = rounding)
}
// an axis in another size, each element interpolated between its two neighbours
op resize_linear<T: float>(x: T[..N, D @ axis], to: int, axis: int = -1,
        scale: float = 1.0 * to / D, length: float = D * scale,
        coordinates: "half_pixel" | "half_pixel_symmetric" | "pytorch_half_pixel" | "asymmetric"
        | "align_corners" | "tf_crop_and_resize" | "tf_half_pixel_for_nn" = "half_pixel",
        begin: float = 0.0, end: float = 1.0) -> (y: T[..N, to @ axis])
{
    s = resize_source(to = to, from = D, scale = scale, length = length, coordinates = coordinates,
        begin = begin, end = end)
    y = linear_at(x, s, axis = axis)
}
// an axis in another size, each element from four samples. A sample outside is the edge's.
// If `exclude_outside`, it is left out instead, and the other weights are scaled up.
op resize_cubic<T: float>(x: T[..N, D @ axis], to: int, axis: int = -1, scale: float = 1.0 * to / D,
        length: float = D * scale, a: float = -0.75, exclude_outside: bool = false,
        coordinates: "half_pixel" | "half_pixel_symmetric" | "pytorch_half_pixel" | "asymmetric"
        | "align_corners" | "tf_crop_and_resize" | "tf_half_pixel_for_nn" = "half_pixel",
        begin: float = 0.0, end: float = 1.0) -> (y: T[..N, to @ axis])
{
    s = resize_source(to = to, from = D, scale = scale, length = length, coordinates = coordinates,
        begin = begin, end = end)
    y = cubic_at(x, s, axis = axis, a = a, exclude_outside = exclude_outside)
}
// an axis in a smaller size, with a window that is stretched so that every element counts: a
// triangle or the cubic of Keys. A sample outside is the edge's, or is left out.
op resize_antialias<T: float>(x: T[..N, D @ axis], to: int, axis: int = -1,
        scale: float = 1.0 * to / D, length: float = D * scale, mode: "linear" | "cubic" = "linear",
        a: float = -0.75, exclude_outside: bool = false,
        coordinates: "half_pixel" | "half_pixel_symmetric" | "pytorch_half_pixel" | "asymmetric"
        | "align_corners" | "tf_crop_and_resize" | "tf_half_pixel_for_nn" = "half_pixel",
        begin: float = 0.0, end: float = 1.0) -> (y: T[..N, to @ axis])
    // how far the window reaches to either side; `to` may be half an element more than scale says
    let H = where(mode == "linear", 1, 2) * max(1, ceildiv(2 * D, max(1, 2 * to - 1)))
{
    s = resize_source(to = to, from = D, scale = scale, length = length, coordinates = coordinates,
        begin = begin, end = end)
    t[o, k in 0..2 * H]: T[to, 2 * H] = T((floor(s[o]) + 1 - H + k - s[o]) * min(scale, 1.0))
    y = window_at(x, s, t, axis = axis, mode = mode, a = a, exclude_outside = exclude_outside)
}
// one axis resized in any way; where "tf_crop_and_resize" reads outside x it gives `outside`
op resize_axis<T: float>(x: T[..N, D @ axis], to: int, axis: int = -1, scale: float = 1.0 * to / D,
        length: float = D * scale, mode: "nearest" | "linear" | "cubic" = "linear",
        antialias: bool = false, a: float = -0.75, exclude_outside: bool = false,
        coordinates: "half_pixel" | "half_pixel_symmetric" | "pytorch_half_pixel" | "asymmetric"
        | "align_corners" | "tf_crop_and_resize" | "tf_half_pixel_for_nn" = "half_pixel",
        begin: float = 0.0, end: float = 1.0,
        rounding: "round_prefer_floor" | "round_prefer_ceil" | "floor"
        | "ceil" = "round_prefer_floor", outside: float = 0.0) -> (y: T[..N, to @ axis])
{
    if mode == "nearest" {
        r = resize_nearest(x, to = to, axis = axis, scale = scale, length = length,
            coordinates = coordinates, begin = begin, end = end, rounding = rounding)
    } else if antialias {
        r = resize_antialias(x, to = to, axis = axis, scale = scale, length = length, mode = mode,
            a = a, exclude_outside = exclude_outside, coordinates = coordinates, begin = begin,
            end = end)
    } else if mode == "linear" {
        r = resize_linear(x, to = to, axis = axis, scale = scale, length = length,
            coordinates = coordinates, begin = begin, end = end)
    } else {
        r = resize_cubic(x, to = to, axis = axis, scale = scale, length = length, a = a,
            exclude_outside = exclude_outside, coordinates = coordinates, begin = begin, end = end)
    }
    if coordinates == "tf_crop_and_resize" {
        s = resize_source(to = to, from = D, scale = scale, length = length,
            coordinates = coordinates, begin = begin, end = end)
        y[..n, o @ axis] = where(s[o] < 0 or s[o] > D - 1, outside, r[..n, o @ axis])
    } else {
        y = r
    }
}
// ---- by a scale that data decide
// the place that element o of the result reads, as in resize_source.
// `region` holds the begin and the end of the part that "tf_crop_and_resize" takes.
op resize_source_at(scale: f32[], region: f32[2]?, to: int, from: int,
        coordinates: "half_pixel" | "half_pixel_symmetric" | "pytorch_half_pixel" | "asymmetric"
        | "align_corners" | "tf_crop_and_resize" | "tf_half_pixel_for_nn") -> (s: f32[to])
{
    length[] = from * scale[]
    if coordinates == "half_pixel" { s[o] = (o + 0.5) / scale[] - 0.5 }
    if coordinates == "half_pixel_symmetric" {
        s[o] = 0.5 * from * (1 - to / length[]) + (o + 0.5) / scale[] - 0.5
    }
    if coordinates == "pytorch_half_pixel" { s[o] = where(to > 1, (o + 0.5) / scale[] - 0.5, 0) }
    if coordinates == "asymmetric" { s[o] = o / scale[] }
    if coordinates == "tf_half_pixel_for_nn" { s[o] = (o + 0.5) / scale[] }
    if coordinates == "tf_crop_and_resize" {
        s[o] = (from - 1)
            * where(to > 1, region[0] + o * (region[1] - region[0]) / (1.0 * to - 1),
                0.5 * (region[0] + region[1]))
    }
    if coordinates == "align_corners" {
        s[o] = where(length[] > 1, o * (from - 1) / (length[] - 1), 0)
    }
}
// one axis resized to `to` elements, in any way.
// Rounding "shrinking" takes the element before a place, but the one after it if the axis shrinks.
op resize_at<T: any>(x: T[..N, D @ axis], scale: f32[], region: f32[2]?, to: int, axis: int = -1,
        mode: "nearest" | "linear" | "cubic" = "linear", antialias: bool = false, a: float = -0.75,
        exclude_outside: bool = false,
        coordinates: "half_pixel" | "half_pixel_symmetric" | "pytorch_half_pixel" | "asymmetric"
        | "align_corners" | "tf_crop_and_resize" | "tf_half_pixel_for_nn" = "half_pixel",
        rounding: "round_prefer_floor" | "round_prefer_ceil" | "floor" | "ceil"
        | "shrinking" = "round_prefer_floor", outside: float = 0.0) -> (y: T[..N, to @ axis])
    // how far the window of antialias reaches, as in resize_antialias
    let H = where(mode == "linear", 1, 2) * max(1, ceildiv(2 * D, max(1, 2 * to - 1)))
{
    s = resize_source_at(scale, region, to = to, from = D, coordinates = coordinates)
    if mode == "nearest" and rounding == "shrinking" {
        before[o] = where(scale[] < 1, ceil(s[o]), floor(s[o]))
        r = nearest_at(x, before, axis = axis)
    } else if mode == "nearest" {
        r = nearest_at(x, s, axis = axis, rounding = rounding)
    } else if antialias {
        t[o, k in 0..2 * H]: T[to, 2 * H] = T((floor(s[o]) + 1 - H + k - s[o]) * min(scale[], 1))
        r = window_at(x, s, t, axis = axis, mode = mode, a = a, exclude_outside = exclude_outside)
    } else if mode == "linear" {
        r = linear_at(x, s, axis = axis)
    } else {
        r = cubic_at(x, s, axis = axis, a = a, exclude_outside = exclude_outside)
    }
    if coordinates == "tf_crop_and_resize" {
        y[..n, o @ axis] = where(s[o] < 0 or s[o] > D - 1, T(outside), r[..n, o @ axis])
    } else {
        y = r
    }
}
// images x[N, C, H, W] in another size
op resize2d<T: float>(x: T[N, C, H, W], height: int, width: int,
        mode: "nearest" | "linear" | "cubic" = "linear",
        coordinates: "half_pixel" | "half_pixel_symmetric" | "pytorch_half_pixel" | "asymmetric"
        | "align_corners" = "half_pixel") -> (y: T[N, C, height, width])
{
    if mode == "nearest" {
        y = resize_nearest(resize_nearest(x, to = height, axis = 2, coordinates = coordinates),
            to = width, axis = 3, coordinates = coordinates)
    }
    if mode == "linear" {
        y = resize_linear(resize_linear(x, to = height, axis = 2, coordinates = coordinates),
            to = width, axis = 3, coordinates = coordinates)
    }
    if mode == "cubic" {
        y = resize_cubic(resize_cubic(x, to = height, axis = 2, coordinates = coordinates),
            to = width, axis = 3, coordinates = coordinates)
    }
}
