// RUN: %mgc --emit-ir --passes=inline,layouts,dce %s | %FileCheck %s
// RUN: %mgc --emit-ir --explain=layouts %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=WHY
// RUN: %mgc --emit-ir %s | %FileCheck %s --check-prefix=FUSED
// RUN: %mgc --emit-ir --passes=inline,layouts,dce --strict %s | %FileCheck %s --check-prefix=STRICT
mg 1
// Steps with channels last stand between convolutions with channels first: the inner ones take over
// the order that writes and reads without a move, and share a box.
// FUSED: graph between
// FUSED-NOT: {{^ *}}r[
// FUSED: r{{.*}} = fused {
// FUSED: yield r_in
// WHY: r ({{.*}}layouts.mg:[[@LINE+8]]:5): [c, i, j] instead of [i, j, c]: {{[0-9]+}} elements fewer to move, with what depends on it
// CHECK: graph between
graph between(x: f32[8, 10, 10], w: f32[6, 8, 3, 3], v: f32[4, 6, 3, 3]) -> (y: f32[4, 6, 6])
{
    // CHECK: s[m in 0..6, i in 0..8, j in 0..8]: f32[6, 8, 8]
    s[m, i in 0..8, j in 0..8] = sum[c, k, l] x[c, i + k, j + l] * w[m, c, k, l]
    t[i, j, m] = s[m, i, j]
    // CHECK: r[c in 0..6, i in 0..8, j in 0..8]: f32[6, 8, 8] = max(s[c, i, j], 0.0)
    r[i, j, c] = max(t[i, j, c], 0)
    // CHECK: y[m in 0..4, i in 0..6, j in 0..6]: f32[4, 6, 6] = sum[c in 0..6, k in 0..3, l in 0..3] r[c, i + k, j + l] * v[m, c, k, l]
    y[m, i in 0..6, j in 0..6] = sum[c, k, l] r[i + k, j + l, c] * v[m, c, k, l]
}

// Heads that are merged: the product writes them side by side, and merging is a view.
// WHY: p ({{.*}}): [b, i, h, e] instead of [b, h, i, e]
// CHECK: graph heads
graph heads(a: f32[B, 3, S, S], v: f32[B, 3, S, 4], w: f32[12, 5]) -> (y: f32[B, S, 5])
{
    // CHECK: p[b in 0..B, i in 0..S, h in 0..3, e in 0..4]: f32[B, S, 3, 4] = sum[j in 0..S] a[b, h, i, j] * v[b, h, j, e]
    p[b, h, i, e] = sum[j] a[b, h, i, j] * v[b, h, j, e]
    // CHECK: m[b in 0..B, s in 0..S, (h in 0..3, e in 0..4)]: f32[B, S, 12] = p[b, s, h, e]
    m[b, s, (h, e)] = p[b, h, s, e]
    y[b, s, o] = sum[k] m[b, s, k] * w[k, o]
}

// Pooling, joins and reads that may be outside go with what they read; an output keeps its order,
// and so does an input: the first of the chain takes over the input's.
// CHECK: graph chain
graph chain(x: f32[6, 6, 16]) -> (y: f32[5, 5, 32])
{
    // CHECK: a[i in 0..6, j in 0..6, c in 0..16]: f32[6, 6, 16] = abs(x[i, j, c])
    a[c, i, j] = abs(x[i, j, c])
    // CHECK: p[i in 0..6, j in 0..6, c in 0..16]: f32[6, 6, 16] = max[k in 0..3, l in 0..3] a[i + k - 1, j + l - 1, c] else (-inf)
    p[c in 0..16, i in 0..6, j in 0..6] = max[k in 0..3, l in 0..3] a[c, i + k - 1, j + l - 1] else -inf
    // CHECK: q[i1 in 0..6, i2 in 0..6, i0 in 16..32]: f32[6, 6, 32] = a[i1, i2, i0 - 16]
    q = concat(p, a, axis = 0)
    // CHECK: y[i in 0..5, j in 0..5, c in 0..32]: f32[5, 5, 32] = q[i, j, c] + q[i + 1, j + 1, c]
    y[i in 0..5, j in 0..5, c in 0..32] = q[c, i, j] + q[c, i + 1, j + 1]
}

// A sum over innermost channels walks them last, so that they are contiguous: unless sums
// must keep their order.
// CHECK: graph channels
// STRICT: graph channels
graph channels(x: f32[9, 9, 16], w: f32[5, 16, 3, 3]) -> (y: f32[7, 7, 5])
{
    // CHECK: sum[k in 0..3, l in 0..3, c in 0..16] x[i + k, j + l, c] * w[m, c, k, l]
    // STRICT: sum[c in 0..16, k in 0..3, l in 0..3] x[i + k, j + l, c] * w[m, c, k, l]
    y[i in 0..7, j in 0..7, m] = sum[c, k, l] x[i + k, j + l, c] * w[m, c, k, l]
}

// Here nothing is gained: a matrix and its own transpose read both orders, whatever they are. A scatter, a prefix
// and values that a loop carries keep their orders.
// WHY: b ({{.*}}): [i, j], as written: no other order moves clearly fewer elements (128 elements still move)
// CHECK: graph kept
graph kept(x: f32[8, 8], id: i64[8]) -> (y: f32[8, 8], z: f32[8, 8], u: f32[8, 8])
{
    // CHECK: b[i in 0..8, j in 0..8]: f32[8, 8] = abs(x[i, j])
    b[i, j] = abs(x[i, j])
    y[i, j] = b[i, j] + b[j, i]
    // CHECK: c[id[i], j in 0..8]: f32[8, 8] else none
    c[id[i], j in 0..8]: f32[8, 8] else none = sum[i in 0..8] x[i, j]
    // CHECK: z[i in 0..8, j in 0..8]: f32[8, 8] = abs(c[j, i])
    z[i, j] = abs(c[j, i])
    // CHECK: d[i in 0..8, j in 0..8]: f32[8, 8] = sum[k in 0..j + 1] x[i, k]
    d[i in 0..8, j in 0..8] = sum[k in 0..j + 1] x[i, k]
    u[i, j] = exp(d[j, i])
}

// Windows on the last channels of a small image: parameters get a copy in the order of the result.
// Parts of one index, and a diagonal, are not two axes of it.
// CHECK: graph parts
graph parts(x: f32[7, 7, 24], u: f32[24, 7]) -> (y: f32[7, 7, 24], z: f32[24, 7])
{
    param w: f32[24, 3, 3]
    // CHECK: a[i in 0..7, j in 0..7, c in 0..24]: f32[7, 7, 24] = abs(x[i, j, c])
    a[c, i, j] = abs(x[i, j, c])
    // CHECK: w_last[a0 in 0..3, a1 in 0..3, a2 in 0..24]: f32[3, 3, 24] = w[a2, a0, a1]
    // CHECK: b[i in 0..7, j in 0..7, c in 0..24]: f32[7, 7, 24] = sum[k in 0..3, l in 0..3] a[i + k - 1, j + l - 1, c] else 0.0 * w_last[k, l, c]
    b[c in 0..24, i in 0..7, j in 0..7] = sum[k in 0..3, l in 0..3] a[c, i + k - 1, j + l - 1] else 0 * w[c, k, l]
    y[i in 0..7, j in 0..7, c in 0..24] = exp(b[c, i, j])
    d[g in 0..4, m in 0..6, i in 0..7] = exp(u[6 * g + m, i]) * u[6 * g + m, i]
    z[c in 0..24, i in 0..7] = d[c / 6, c % 6, i] + abs(d[c % 4, c / 4, i]) + y[i, i, c]
}

// A vector times a matrix streams it in place, without a copy.
// CHECK: graph vector
graph vector(x: f32[32]) -> (y: f32[16])
{
    param w: f32[16, 32]
    // CHECK-NOT: w_last
    y[o] = sum[i] x[i] * w[o, i]
}
