mg 1
// RUN: %mgc --emit-ir --passes=canonicalise --verify-each --no-annotations %s | %FileCheck %s
graph main(x: f32[N, 8], h: f16[N], i: i32[N]) -> (identities: f32[N, 8], halves: f16[N], kept: f32[N, 8], integers: i32[N], inside: f32[N, 8], outside: f32[N, 8], point: f32[N], square: f32[N, 8], pair: f32[3, 8], twice: f32[N, 8], thrice: f32[8, N], other: f32[N, 8]) {
    // CHECK: identities[n in 0..N, j in 0..8]: f32[N, 8] = x[n, j]
    identities[n, j] = -(-(x[n, j] * 1 / 1 - 0.0))
    // Two roundings to f16 in a row stay two casts: only exact ones go.
    // CHECK: halves[n in 0..N]: f16[N] = h[n]
    halves[n] = h[n] * 1
    // x + 0.0 makes 0.0 of -0.0.
    // CHECK: kept[n in 0..N, j in 0..8]: f32[N, 8] = x[n, j] + 0.0
    kept[n, j] = x[n, j] + 0.0
    // CHECK: integers[n in 0..N]: i32[N] = i[n]
    integers[n] = i[n] * 1 + 0 + i[n] * 0
    // CHECK: inside[n in 0..N, j in 0..8]: f32[N, 8] = x[n, j]
    inside[n, j] = x[n, j] else 7
    // CHECK: outside[n in 0..N, j in 0..8]: f32[N, 8] = 7.0
    outside[n, j]: f32[N, 8] = x[n, j + 8] else 7
    // CHECK: point[n in 0..N]: f32[N] = x[n, 3]
    point[n] = sum[j in 3..4] x[n, j]
    // CHECK: square[n in 0..N, j in 0..8]: f32[N, 8] = x[n, j] * x[n, j]
    square[n, j] = pow(x[n, j], 2)
    // CHECK: pair[j in 0..3, k in 0..8]: f32[3, 8] = j
    pair[(g in 0..1, j in 0..3), k in 0..8]: f32[3, 8] = f32(g + j)
    // A ReLU of a ReLU; not one with another bound, or the other way round.
    r[n, j] = max(x[n, j], 0)
    // CHECK: twice[n in 0..N, j in 0..8]: f32[N, 8] = r[n, j]
    twice[n, j] = max(r[n, j], 0)
    // It works for any number of them, and across moves.
    // CHECK: thrice[j in 0..8, n in 0..N]: f32[8, N] = twice[n, j]
    thrice[j, n] = max(twice[n, j], 0)
    // CHECK: other[n in 0..N, j in 0..8]: f32[N, 8] = max(r[n, j], 1.0) + min(r[n, j], 0.0)
    other[n, j] = max(r[n, j], 1) + min(r[n, j], 0)
}

// Pieces that all have no point become one, which reads nothing: the tensor has no elements.
// CHECK: graph nothing
graph nothing(x: f32[0, 4]) -> (y: f32[0, 2, 4])
{
    // CHECK: y[s0 in 0..0, s1 in 0..2, s2 in 0..4]: f32[0, 2, 4] = 0.0
    y[i, 0, k]: f32[0, 2, 4] = x[i, k]
    y[i, 1, k] = -x[i, k]
}
