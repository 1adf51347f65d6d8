mg 1
// Functions of single numbers, for subscripts, ranges and shapes: every operand has rank 0, so a
// call is inlined wherever an index expression stands. Integer division floors there. Nothing in
// this file touches a tensor.

// an index that may count from the end: -1 is the last of n
op wrap(i: i64[], n: i64[]) -> (r: i64[]) { r[] = where(i[] < 0, i[] + n[], i[]) }

// the nearest valid index of n
op clamp(i: i64[], n: i64[]) -> (r: i64[]) { r[] = min(max(i[], 0), n[] - 1) }

// an index mirrored at both ends, whose end elements are not repeated: -1 is 1, n is n - 2
op reflect(i: i64[], n: i64[]) -> (r: i64[]) { r[] = n[] - 1 - abs(n[] - 1 - abs(i[])) }

// a / b rounded up
op ceildiv(a: i64[], b: i64[]) -> (r: i64[]) { r[] = -(-a[] / b[]) }

// the number of windows of k elements, d apart, at stride s, in x elements padded by p and q.
// Rounding up keeps a last window that hangs over the end, unless it would start in the padding
// at the end.
op windows(x: i64[], k: i64[], s: i64[], d: i64[], p: i64[], q: i64[], up: bool[]) -> (r: i64[]) {
    r[] = where(up[],
        min(ceildiv(x[] + p[] + q[] - d[] * (k[] - 1) - 1, s[]) + 1, ceildiv(x[] + p[], s[])),
        (x[] + p[] + q[] - d[] * (k[] - 1) - 1) / s[] + 1)
}

// the extent of a window of k elements, d apart
op reach(k: i64[], d: i64[]) -> (r: i64[]) { r[] = d[] * (k[] - 1) + 1 }

// the least number of padded elements for one window.
// A window of one element needs none. If sizes round up, it may overhang by less than a stride.
op room(k: i64[], s: i64[], d: i64[], up: bool[]) -> (r: i64[]) {
    r[] = where(k[] <= 1, 0, reach(k[], d[]) - where(up[], s[] - 1, 0))
}

// the padding, at both ends together, with which windows of k at stride s give
// ceildiv(x, s) results
op same_pad(x: i64[], k: i64[], s: i64[], d: i64[]) -> (r: i64[]) {
    r[] = max(0, (ceildiv(x[], s[]) - 1) * s[] + d[] * (k[] - 1) + 1 - x[])
}

// an index reflected at the centres of the end elements as often as needed: -1 is 1, n is n - 2
op bounce(i: i64[], n: i64[]) -> (r: i64[]) {
    r[] = min(i[] % (2 * n[] - 2), 2 * n[] - 2 - i[] % (2 * n[] - 2))
}
// an index reflected at the outer edges of the end elements as often as needed: -1 is 0, n is n - 1
op mirror(i: i64[], n: i64[]) -> (r: i64[]) {
    r[] = min(i[] % (2 * n[]), 2 * n[] - 1 - i[] % (2 * n[]))
}
