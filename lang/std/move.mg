mg 1
// Movement: elements change their places, not their values. Each operator is an index map, so the
// compiler sees through it, and a view stays a view.

// ---- shape. One entry of `shape` may be -1; it gets the size that is left.
// the same elements in row-major order under another shape
op reshape<T: any>(x: T[..S], shape: int[]) -> (y: T[..O])
    let ..O = where(shape < 0, -(size(S) / size(shape)), shape)
    require size(S) == size(O) : "{size(S)} elements into {shape}"
{
    line[(..s)] = x[..s]
    y[..o] = line[(..o)]
}
// a shape that data give, completed for a tensor of sizes `own` with `total` elements.
// An entry of 0 becomes the size at its place, unless `keep0`; one of -1 becomes what is left.
op wanted_shape<I: int>(s: I[R], own: i64[Q], total: i64[], keep0: bool = false) -> (shape: i64[R])
{
    copied[i in 0..R] = where(s[i] == 0 and not keep0, own[i] else 0, i64(s[i]))
    others[] = prod[i] where(copied[i] < 0, i64(1), copied[i])
    shape[i] = where(copied[i] < 0, total[] / max(others[], 1), copied[i])
}
// x with the axes from `from` on joined into one
op flatten<T: any>(x: T[..A @ 0..from, ..B], from: int = 1) -> (y: T[..A, size(B)]) {
    y[..a, (..b)] = x[..a, ..b]
}
// x as a matrix: the axes before `axis` become one, and so do the others
op flatten2d<T: any>(x: T[..A @ 0..axis, ..B], axis: int = 1) -> (y: T[size(A), size(B)]) {
    y[(..a), (..b)] = x[..a, ..b]
}
// x without the given axes of size 1
op squeeze<T: any>(x: T[..S, ..(1) @ axes], axes: int[]) -> (y: T[..S]) {
    y[..s] = x[..s, ..(0) @ axes]
}
// x with axes of size 1 at the given places
op unsqueeze<T: any>(x: T[..S], axes: int[]) -> (y: T[..S, ..(1) @ axes]) {
    y[..s, ..(0) @ axes] = x[..s]
}
// x, repeated along its dimensions of size 1, and along new ones in front
op expand<T: any>(x: T[..S], shape: int[..S]) -> (y: T[..S]) broadcast S { y[..s] = x[..s] }

// ---- order
// dimension i of the result is dimension perm[i] of x
op transpose<T: any>(x: T[..S @ perm], perm: int[]) -> (y: T[..S]) { y[..s] = x[..s @ perm] }
// x with two of its axes exchanged
op swap_axes<T: any>(x: T[..N, P @ a, Q @ b], a: int = -2, b: int = -1) -> (y: T[..N, Q @ a, P @ b])
{
    y[..n, q @ a, p @ b] = x[..n, p @ a, q @ b]
}
// the elements of the given axes in reverse order
op flip<T: any>(x: T[..K, ..R @ axes], axes: int[]) -> (y: T[..K, ..R @ axes]) {
    y[..k, ..i @ axes] = x[..k, ..(R - 1 - i) @ axes]
}
// x with the first lengths[b] elements of each sequence reversed; the others stay
op reverse_sequence<T: any, I: int>(x: T[S @ axis, B @ 1 - axis, ..R], lengths: I[B], axis: int = 0)
    -> (y: T[S @ axis, B @ 1 - axis, ..R])
    require axis == 0 or axis == 1 : "axis is {axis}; expected 0 or 1"
{
    y[t @ axis, b @ 1 - axis, ..r] = x[where(t < i64(lengths[b]), i64(lengths[b]) - 1 - t,
            t) @ axis, b @ 1 - axis, ..r]
}
// the elements of an axis, moved on by shift; those that leave at one end enter at the other
op roll<T: any>(x: T[..N, D @ axis], shift: int, axis: int = -1) -> (y: T[..N, D @ axis]) {
    y[..n, i @ axis] = x[..n, (i - shift) % D @ axis]
}

// ---- joining and parting; `concat` of any number is a builtin
// two tensors along a new axis
op stack<T: any>(a: T[..S], b: T[..S], axis: int = 0) -> (y: T[..S, 2 @ axis]) {
    y[..s, i in 0..1 @ axis] = a[..s]
    y[..s, i in 1..2 @ axis] = b[..s]
}
// an axis in two: the part before place `at`, and the part from there on
op split<T: any>(x: T[..N, D @ axis], at: int, axis: int = 0)
    -> (a: T[..N, at @ axis], b: T[..N, D - at @ axis])
{
    a[..n, i @ axis] = x[..n, i @ axis]
    b[..n, i @ axis] = x[..n, at + i @ axis]
}
// two equal parts of an axis
op chunk2<T: any>(x: T[..N, 2 * D @ axis], axis: int = -1)
    -> (a: T[..N, D @ axis], b: T[..N, D @ axis])
{
    a[..n, i @ axis] = x[..n, (0, i) @ axis]
    b[..n, i @ axis] = x[..n, (1, i) @ axis]
}
// three equal parts of an axis
op chunk3<T: any>(x: T[..N, 3 * D @ axis], axis: int = -1)
    -> (a: T[..N, D @ axis], b: T[..N, D @ axis], c: T[..N, D @ axis])
{
    a[..n, i @ axis] = x[..n, (0, i) @ axis]
    b[..n, i @ axis] = x[..n, (1, i) @ axis]
    c[..n, i @ axis] = x[..n, (2, i) @ axis]
}
// four equal parts of an axis
op chunk4<T: any>(x: T[..N, 4 * D @ axis], axis: int = -1)
    -> (a: T[..N, D @ axis], b: T[..N, D @ axis], c: T[..N, D @ axis], d: T[..N, D @ axis])
{
    a[..n, i @ axis] = x[..n, (0, i) @ axis]
    b[..n, i @ axis] = x[..n, (1, i) @ axis]
    c[..n, i @ axis] = x[..n, (2, i) @ axis]
    d[..n, i @ axis] = x[..n, (3, i) @ axis]
}
// elements start, start + step, … before stop, of one axis. Ends may count from the end.
// As in numpy, places outside the axis are left out, so a slice may be empty.
op slice<T: any>(x: T[..N, D @ axis], axis: int, step: int = 1, start: int = where(step > 0, 0, -1),
        stop: int = where(step > 0, D, -1 - D)) -> (y: T[..N, L @ axis])
    let low = where(step > 0, 0, -1)
    let lo = min(max(wrap(start, D), low), D + low)
    let hi = min(max(wrap(stop, D), low), D + low)
    let L = max(0, ceildiv(hi - lo, step))
    require step > 0 or step < 0 : "the step is 0"
{
    y[..n, i @ axis] = x[..n, lo + i * step @ axis] else T(0)
}
// `length` elements of an axis from place `start` on, all of which must exist
op part<T: any>(x: T[..N, D @ axis], start: int, length: int, axis: int)
    -> (y: T[..N, length @ axis])
    require start >= 0 : "start {start} is negative"
    require length >= 0 : "length {length} is negative"
    require start + length <= D : "{length} elements from {start} on, but there are {D}"
{
    y[..n, i @ axis] = x[..n, start + i @ axis]
}
// a slice whose ends data decide
op slice_at<T: any>(x: T[..N, D @ axis], start: i64[], stop: i64[], axis: int, step: int = 1)
    -> (y: T[..N, some L <= max(0, ceildiv(D, abs(step))) @ axis])
    require step > 0 or step < 0 : "the step is 0"
{
    low[]: i64[] = where(step > 0, 0, -1)
    lo[] = min(max(where(start[] < 0, start[] + D, start[]), low[]), D + low[])
    hi[] = min(max(where(stop[] < 0, stop[] + D, stop[]), low[]), D + low[])
    many[] = max(where(step > 0, hi[] - lo[], lo[] - hi[]) + abs(step) - 1, 0) / abs(step)
    dim L <= max(0, ceildiv(D, abs(step))) = many
    y[..n, i in 0..L @ axis] = x[..n, lo[] + i * step @ axis] else T(0)
}
// a slice whose ends and step data decide; a step of 0 makes it empty
op slice_by<T: any>(x: T[..N, D @ axis], start: i64[], stop: i64[], step: i64[], axis: int)
    -> (y: T[..N, some L <= D @ axis])
{
    low[]: i64[] = where(step[] > 0, 0, -1)
    lo[] = min(max(where(start[] < 0, start[] + D, start[]), low[]), D + low[])
    hi[] = min(max(where(stop[] < 0, stop[] + D, stop[]), low[]), D + low[])
    span[] = max(where(step[] > 0, hi[] - lo[], lo[] - hi[]), 0)
    // A step longer than D takes one place, like any longer one.
    stride[] = min(max(step[], -D - 1), D + 1)
    many[] = (span[] + abs(stride[]) - 1) / abs(stride[])
    dim L <= D = many
    y[..n, i in 0..L @ axis] = x[..n, lo[] + i * stride[] @ axis] else T(0)
}
// the slice at one place of an axis, without the axis
op select<T: any>(x: T[..N, D @ axis], index: int, axis: int = 0) -> (y: T[..N]) {
    y[..n] = x[..n, wrap(index, D) @ axis]
}

// ---- repetition and edges
// x, repeated along each axis
op tile<T: any>(x: T[..S], times: int[..S]) -> (y: T[..(times * S)]) { y[..i] = x[..(i % S)] }
// each element of an axis several times in a row
op repeat<T: any>(x: T[..N, D @ axis], times: int, axis: int = -1) -> (y: T[..N, D * times @ axis])
{
    y[..n, (i, r) @ axis] = x[..n, i @ axis]
}
// x, surrounded by a value (0 if not given), by x mirrored, by its nearest edge, or by x again.
// A negative width crops.
op pad<T: any>(x: T[..X], value: T[]?, before: int[..X], after: int[..X] = before,
        mode: "constant" | "reflect" | "edge" | "wrap" = "constant")
    -> (y: T[..(X + before + after)])
{
    if mode == "constant" { y[..i] = x[..(i - before)] else (value[] else T(0)) }
    if mode == "reflect" { y[..i] = x[..(reflect(i - before, X))] }
    if mode == "edge" { y[..i] = x[..(clamp(i - before, X))] }
    if mode == "wrap" { y[..i] = x[..((i - before) % X)] }
}
// one axis, padded by widths that data decide; it grows by at most `most`
op pad_at<T: any>(x: T[..N, D @ axis], value: T[]?, before: i64[], after: i64[], axis: int,
        most: int, mode: "constant" | "reflect" | "edge" | "wrap" = "constant")
    -> (y: T[..N, some L <= D + most @ axis])
{
    many[] = max(D + before[] + after[], 0)
    dim L <= D + most = many
    if mode == "constant" {
        y[..n, i in 0..L @ axis] = x[..n, i - before[] @ axis] else (value[] else T(0))
    }
    if mode == "reflect" { y[..n, i in 0..L @ axis] = x[..n, reflect(i - before[], D) @ axis] }
    if mode == "edge" { y[..n, i in 0..L @ axis] = x[..n, clamp(i - before[], D) @ axis] }
    if mode == "wrap" { y[..n, i in 0..L @ axis] = x[..n, (i - before[]) % D @ axis] }
}
// the middle of x, or x in the middle of zeros, so that the result has the given sizes
op center_crop_pad<T: any>(x: T[..K, ..R @ axes], shape: int[..R], axes: int[])
    -> (y: T[..K, ..shape @ axes])
{
    // where 0 of the result lies in x
    y[..k, ..i @ axes] = x[..k,
        ..(i + where(R >= shape, (R - shape) / 2, -((shape - R) / 2))) @ axes] else T(0)
}

// ---- blocks
// channels as pixels: Shi et al., 2016.
// The block is the outermost part of the channels with "dcr", and the innermost with "crd".
op depth_to_space<T: any>(x: T[N, block * block * C, H, W], block: int, mode: "dcr" | "crd" = "dcr")
    -> (y: T[N, C, H * block, W * block])
{
    if mode == "dcr" {
        p[a, b, n, c, h, w]: T[block, block, N, C, H, W] = x[n, (a, b, c), h, w]
        y[n, c, (h, a), (w, b)] = p[a, b, n, c, h, w]
    } else {
        p[n, c, a, b, h, w]: T[N, C, block, block, H, W] = x[n, (c, a, b), h, w]
        y[n, c, (h, a), (w, b)] = p[n, c, a, b, h, w]
    }
}
// blocks of pixels as channels, the inverse of depth_to_space
op space_to_depth<T: any>(x: T[N, C, H * block, W * block], block: int, mode: "dcr" | "crd" = "dcr")
    -> (y: T[N, block * block * C, H, W])
{
    if mode == "dcr" {
        y[n, (a, b, c), h, w] = x[n, c, (h, a), (w, b)]
    } else {
        y[n, (c, a, b), h, w] = x[n, c, (h, a), (w, b)]
    }
}
// every pixel repeated `scale` times in both directions
op upsample2d<T: any>(x: T[N, C, H, W], scale: int) -> (y: T[N, C, H * scale, W * scale]) {
    y[n, c, (h, a), (w, b)] = x[n, c, h, w]
}
// the channels of the groups, interleaved: Zhang et al., 2018
op channel_shuffle<T: any>(x: T[N, groups * C, ..X], groups: int) -> (y: T[N, C * groups, ..X]) {
    y[n, (c, g), ..i] = x[n, (g, c), ..i]
}

// ---- triangles and diagonals; k counts diagonals upwards from the main one
// the upper or lower triangle; the rest is 0
op trilu<T: any>(x: T[..N, R, C], k: int = 0, upper: bool = true) -> (y: T[..N, R, C]) {
    if upper {
        y[..n, i, j] = where(j >= i + k, x[..n, i, j], T(0))
    } else {
        y[..n, i, j] = where(j <= i + k, x[..n, i, j], T(0))
    }
}
// the triangle on and above a diagonal; the rest is 0
op triu<T: any>(x: T[..N, R, C], k: int = 0) -> (y: T[..N, R, C]) {
    y = trilu(x, k = k, upper = true)
}
// the triangle on and below a diagonal; the rest is 0
op tril<T: any>(x: T[..N, R, C], k: int = 0) -> (y: T[..N, R, C]) {
    y = trilu(x, k = k, upper = false)
}

// ---- tensors from attributes alone
// a tensor of zeros
op zeros(shape: int[], type: type = f32) -> (y: type[..shape]) { y[..s] = type(0) }
// a tensor of ones
op ones(shape: int[], type: type = f32) -> (y: type[..shape]) { y[..s] = type(1) }
// a tensor of one value
op full<T: any>(value: T[], shape: int[]) -> (y: T[..shape]) { y[..s] = value[] }
// zeros in the shape and type of x
op zeros_like<T: any>(x: T[..S]) -> (y: T[..S]) { y[..s] = T(0) }
// ones in the shape and type of x
op ones_like<T: any>(x: T[..S]) -> (y: T[..S]) { y[..s] = T(1) }
// ones on a diagonal, zeros elsewhere
op eye(rows: int, columns: int = rows, k: int = 0, type: type = f32) -> (y: type[rows, columns]) {
    y[i, j] = type(j == i + k)
}
// 0, 1, … n - 1
op iota(n: int, type: type = i64) -> (y: type[n]) { y[i] = i }
// n numbers from start, delta apart
op range<T: number>(start: T[], delta: T[], n: int) -> (y: T[n]) { y[i] = start[] + i * delta[] }
// numbers from start, step apart, before stop; there are at most `most`, which is checked
op range_to<T: number>(start: T[], stop: T[], step: T[], most: int) -> (y: T[some K <= most]) {
    places[] = ceil((f64(stop[]) - f64(start[])) / f64(step[]))
    many[] = i64(max(places[], 0))
    dim K <= most = many
    y[i in 0..K] = start[] + T(i) * step[]
}
// n numbers from start to stop, both included
op linspace<T: float>(start: T[], stop: T[], n: int) -> (y: T[n]) {
    y[i] = start[] + i * (stop[] - start[]) / max(n - 1, 1)
}
