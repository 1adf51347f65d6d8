mg 1
// Places that come from data. Indices count from 0, or from the end if negative; one that lies
// outside stops the run, with the line that read it. Where a scatter hits an element several times
// the hits combine in row-major order of the indices.

// the slices of x at the indices. The dimensions of the indices take the place of the axis.
op gather<T: any, I: int>(x: T[..R, V @ axis], ids: I[..J], axis: int = 0)
    -> (y: T[..R, ..J @ axis..axis + rank(ids)])
{
    y[..r, ..j @ axis..axis + rank(ids)] = x[..r, wrap(i64(ids[..j]), V) @ axis]
}
// rows of a table
op embedding<I: int, T: any>(ids: I[..N], weight: T[V, D]) -> (y: T[..N, D]) {
    y[..n, d] = weight[i64(ids[..n]), d]
}
// one element for each index: x[…, ids[…, j, …], …]
op gather_elements<T: any, I: int>(x: T[..R, V @ axis], ids: I[..S, J @ axis], axis: int = 0)
    -> (y: T[..S, J @ axis])
{
    y[..s, j @ axis] = x[..s, wrap(i64(ids[..s, j @ axis]), V) @ axis]
}
// the elements, or slices, of x at the positions that the last axis of ids holds. The first `batch` axes are common.
op gather_nd<T: any, I: int>(x: T[..B @ 0..batch, ..X @ batch..batch + K, ..R],
        ids: I[..B @ 0..batch, ..Q, K], batch: int = 0) -> (y: T[..B, ..Q, ..R])
{
    y[..b, ..q, ..r] = x[..b, ..(wrap(i64(ids[..b, ..q, pos]), X)), ..r]
}
// x with updates written at ids[…, j, …] of an axis. With "none" the last update of a place wins.
op scatter_elements<T: any, I: int>(x: T[..R, V @ axis], ids: I[..S, J @ axis],
        updates: T[..S, J @ axis], axis: int = 0,
        reduction: "none" | "add" | "mul" | "max" | "min" = "none") -> (y: T[..R, V @ axis])
{
    if reduction == "none" {
        y[..s, wrap(i64(ids[..s, j @ axis]), V) @ axis] = last[..s, j] updates[..s, j @ axis] over x
    }
    if reduction == "add" {
        y[..s, wrap(i64(ids[..s, j @ axis]), V) @ axis] = sum[..s, j] updates[..s, j @ axis] over x
    }
    if reduction == "mul" {
        y[..s, wrap(i64(ids[..s, j @ axis]), V) @ axis] = prod[..s, j] updates[..s, j @ axis] over x
    }
    if reduction == "max" {
        y[..s, wrap(i64(ids[..s, j @ axis]), V) @ axis] = max[..s, j] updates[..s, j @ axis] over x
    }
    if reduction == "min" {
        y[..s, wrap(i64(ids[..s, j @ axis]), V) @ axis] = min[..s, j] updates[..s, j @ axis] over x
    }
}
// x with slices of updates written at the positions that the last axis of ids holds
op scatter_nd<T: any, I: int>(x: T[..X @ 0..K, ..R], ids: I[..Q, K], updates: T[..Q, ..R],
        reduction: "none" | "add" | "mul" | "max" | "min" = "none") -> (y: T[..X, ..R])
{
    if reduction == "none" {
        y[..(wrap(i64(ids[..q, pos]), X)), ..r] = last[..q] updates[..q, ..r] over x
    }
    if reduction == "add" {
        y[..(wrap(i64(ids[..q, pos]), X)), ..r] = sum[..q] updates[..q, ..r] over x
    }
    if reduction == "mul" {
        y[..(wrap(i64(ids[..q, pos]), X)), ..r] = prod[..q] updates[..q, ..r] over x
    }
    if reduction == "max" {
        y[..(wrap(i64(ids[..q, pos]), X)), ..r] = max[..q] updates[..q, ..r] over x
    }
    if reduction == "min" {
        y[..(wrap(i64(ids[..q, pos]), X)), ..r] = min[..q] updates[..q, ..r] over x
    }
}
// `on` at each index along a new axis, `off` elsewhere. An index outside gives only `off`.
op one_hot<I: int, T: any>(ids: I[..N], off: T[], on: T[], depth: int, axis: int = -1)
    -> (y: T[..N, depth @ axis])
{
    y[..n, c @ axis] = where(i64(ids[..n]) == c or i64(ids[..n]) + depth == c, on[], off[])
}
// how often each of 0 … bins - 1 occurs
op bincount<I: int>(ids: I[..N], bins: int) -> (y: i64[bins]) {
    one[..n]: i64[..N] = 1
    y[i64(ids[..n])] else none = sum[..n] one[..n]
}
// how often each row of grams occurs in x, with gaps of up to `skips` between its elements.
op ngram_counts<T: any>(x: T[..B, L], grams: T[P, G], skips: int = 0) -> (y: f32[..B, P])
    let S = where(G == 1, 0, skips)
    require 0 <= skips and skips <= 1048576 : "skips is {skips}; expected 0 to 1048576"
{
    y[..b, p] = sum[s in 0..=S, i in 0..L] where(i + (G - 1) * (s + 1) < L
            and (all[k] ((x[..b, i + k * (s + 1)] else 0) == grams[p, k])), f32(1), 0)
}
// x, in which some columns are replaced
op put_columns<T: any, I: int>(x: T[..N, D], columns: T[..N, K], ids: I[K]) -> (y: T[..N, D]) {
    y[..n, i64(ids[k])] = last[k] columns[..n, k] over x
}

// ---- sizes that depend on data; `nonzero` is a builtin
// the slices of an axis for which keep is true
op compress<T: any>(x: T[..N, D @ axis], keep: bool[L], axis: int = 0) -> (y) {
    p = nonzero(keep)
    y[..n, c @ axis] = x[..n, p[0, c] @ axis]
}
// the distinct rows of x, in order, or in that of their first occurrence if not `sorted`.
// The other results are the place of each one's first occurrence, for each row the number of its
// distinct row, and how often each distinct row occurs. NaN equals NaN here.
op unique_rows<T: number>(x: T[N, M], sorted: bool = true)
    -> (y: T[some K <= N, M], first: i64[some K <= N], inverse: i64[N], counts: i64[some K <= N])
{
    start[i in 0..N]: i64[N] = i
    // The sort is stable, and takes the least significant column first.
    order = loop c in 0..M carry (p = start) {
        column[i] = x[p[i], M - 1 - c]
        q = argsort(column, axis = 0)
        next_order[i] = p[q[i]]
        next p = next_order
    }
    differs[i in 0..N, c in 0..M] = i > 0
        and (x[order[i], c] != x[order[max(i - 1, 0)], c]
            and (x[order[i], c] == x[order[i], c]
                or x[order[max(i - 1, 0)], c] == x[order[max(i - 1, 0)], c]))
    new[i] = any[c] differs[i, c]
    opens[i in 0..N] = where(i == 0 or new[i], i64(1), 0)
    count[] = sum[i] opens[i]
    dim K <= N = count
    // groups of equal rows: of each row, the group's number in the order and its first row
    number[i in 0..N] = sum[j in 0..i + 1] where(new[j], i64(1), 0)
    group[order[i]]: i64[N] = sum[i in 0..N] number[i]
    leader[group[r]]: i64[N] = min[r in 0..N] r
    if sorted {
        inverse = group
    } else {
        place[r in 0..N] = sum[j in 0..r] where(leader[group[j]] == j, i64(1), 0)
        inverse[r] = place[leader[group[r]]]
    }
    first[inverse[r]]: i64[K] = min[r in 0..N] r
    counts[inverse[r]]: i64[K] = sum[r in 0..N] i64(1)
    y[k in 0..K, m] = x[first[k], m]
}

// ---- order along an axis; the builtin `argsort` is stable and puts NaN last
// the elements of an axis in order; equal ones keep their order, and NaN comes last
op sort<T: number>(x: T[..N, D @ axis], axis: int = -1, descending: bool = false)
    -> (y: T[..N, D @ axis])
{
    p = argsort(x, axis = axis, descending = descending)
    y[..n, i @ axis] = x[..n, p[..n, i @ axis] @ axis]
}
// the k largest, or smallest, of an axis in order, and their places
op topk<T: number>(x: T[..N, D @ axis], k: int, axis: int = -1, largest: bool = true)
    -> (v: T[..N, k @ axis], i: i64[..N, k @ axis])
    require k <= D : "k is {k}, but the axis has {D} elements"
{
    p = argsort(x, axis = axis, descending = largest)
    i[..n, j @ axis] = p[..n, j @ axis]
    v[..n, j @ axis] = x[..n, p[..n, j @ axis] @ axis]
}
