// RUN: %mgc --emit-ir --passes=gather --verify-each %s | %FileCheck %s
// RUN: %mgc --emit-ir --passes=gather --strict %s | %FileCheck %s --check-prefix=STRICT
// RUN: %mgc --emit-ir %s | %FileCheck %s --check-prefix=FUSED
mg 1

// Stride and filter of one size: each place gets one term, so nothing is added in another order.
// CHECK: graph apart
// CHECK: y_terms[m in 0..4, k in 0..2, i in 0..8]: f32[4, 2, 8] = sum[c in 0..3] x[c, i] * w[c, m, k]
// CHECK: y[m in 0..4, (i in 0..8, i_step in 0..2)]: f32[4, 16] = y_terms[m, i_step, i]
// STRICT: graph apart
// STRICT: y_terms
graph apart(x: f32[3, 8], w: f32[3, 4, 2]) -> (y: f32[4, 16]) {
    y[m, 2 * i + k]: f32[4, 16] = sum[c, i, k] x[c, i] * w[c, m, k]
}

// A place gets the taps of its residue class; few of them are added up in one elementwise equation.
// CHECK: graph classes
// CHECK: y[m in 0..4, (i in 0..8, i_step in 0..2)]: f32[4, 16] = y_terms[m, (i_step + 1) % 2, i + (i_step + 1)/2] else 0.0 + y_terms[m, (i_step + 1) % 2 + 2, i + (i_step + 1)/2 - 1] else 0.0
// STRICT: graph classes
// STRICT-NOT: y_terms
graph classes(x: f32[3, 8], w: f32[3, 4, 3]) -> (y: f32[4, 16]) {
    y[m, 2 * i + k - 1]: f32[4, 16] else none = sum[c, i, k] x[c, i] * w[c, m, k]
}

// A sum over one channel, as of a depthwise convolution, needs no equation of its own.
// CHECK: graph depthwise
// CHECK-NOT: y_terms
// CHECK: y[g in 0..4, (i in 0..8, i_step in 0..2)]: f32[4, 16] = x[g, 0, i] * w[g, 0, i_step]
// STRICT: graph depthwise
graph depthwise(x: f32[4, 1, 8], w: f32[4, 1, 2]) -> (y: f32[4, 16]) {
    y[g, 2 * i + k]: f32[4, 16] = sum[c, i, k] x[g, c, i] * w[g, c, k]
}

// An odd size is rounded up to whole steps.
// CHECK: graph odd
// CHECK: y_whole[(i in 0..8, i_step in 0..2)]: f32[16]
// CHECK: y[i0 in 0..15]: f32[15] = y_whole[i0]
graph odd(x: f32[8], w: f32[8, 3]) -> (y: f32[15]) {
    y[2 * i + k - 1]: f32[15] else none = sum[i, k] x[i] * w[i, k]
}

// Stride and dilation have a common divisor: only every second place gets anything.
// CHECK: graph common
// CHECK: y[(i in 0..8, i_step in 0..4)]: f32[32] = where(floormod(i_step, 2) == 0 and
graph common(x: f32[8], w: f32[8, 3]) -> (y: f32[32]) {
    y[4 * i + 2 * k]: f32[32] else none = sum[i, k] x[i] * w[i, k]
}

// Without a stride, with many taps: a sum stays, from places that may be outside.
// CHECK: graph many
// CHECK: y[i in 0..40]: f32[40] = sum[k in 0..20] y_terms[k, i - k] else 0.0
graph many(x: f32[3, 21], w: f32[3, 20]) -> (y: f32[40]) {
    y[i + k]: f32[40] = sum[c, i, k] x[c, i] * w[c, k]
}

// Any order of terms does for a maximum, with --strict too; the place may fall as the index grows.
// CHECK: graph greatest
// CHECK: y[i in 0..10]: f32[10] = max(where(8 - i >= 0 and 8 - i < 8, x[8 - i, 0] else 0.0, -inf), where(
// STRICT: graph greatest
// STRICT: y[i in 0..10]: f32[10] = max(where(
graph greatest(x: f32[8, 2]) -> (y: f32[10]) {
    y[8 - i + k]: f32[10] else none = max[i, k] x[i, k]
}

// Terms are added to a base. If few terms go to a large base, they are written to it.
// CHECK: graph based
// CHECK: y[i0 in 0..16]: f32[16] = base[i0] + y_whole[i0]
// CHECK: z[i]: f32[100] = sum[i in 0..2] x[i] over large
graph based(x: f32[8], base: f32[16], large: f32[100]) -> (y: f32[16], z: f32[100]) {
    y[2 * i]: f32[16] = sum[i] x[i] over base
    z[i]: f32[100] else none = sum[i in 0..2] x[i] over large
}

// A scatter to places from data, or one whose terms have an order, stays.
// CHECK: graph stays
// CHECK: y[ids[i]]: f32[4] else none = sum
// CHECK: z[2*i + k]: f32[16] = last
// CHECK: d[i, i]: f32[8, 8] = sum
graph stays(x: f32[8], ids: i64[8], v: f32[8, 2], b: f32[16])
    -> (y: f32[4], z: f32[16], d: f32[8, 8])
{
    y[ids[i]]: f32[4] else none = sum[i] x[i]
    z[2 * i + k]: f32[16] = last[i, k] v[i, k] over b
    d[i, i]: f32[8, 8] = sum[i] x[i]
}

// Rows and columns of a larger image are split into place and phase, with what follows them: one
// kernel.
// FUSED: graph image
// FUSED: y{{.*}} = fused {
// FUSED-NEXT: {{.*}}i0 in 0..6, i0_step in 0..2, i1 in 0..7, i1_step in 0..2
// FUSED: max(
graph image(x: f32[1, 3, 6, 7], w: f32[3, 4, 4, 4], b: f32[4]) -> (y: f32[1, 4, 12, 14]) {
    y = relu(conv_transpose(x, w, b, stride = 2, pad = 1))
}

// If the indices are the digits of the place, nothing is left to sum.
// CHECK-LABEL: graph digits
// CHECK-NOT: sum[
// CHECK: y[b in 0..2, s in 0..5, e in 0..20]{{.*}}(e + 1) % 4]
graph digits(a: f32[2, 3, 5, 4]) -> (y: f32[2, 5, 20]) {
    y[b, s, 4 * h + e + 3]: f32[2, 5, 20] = sum[h, e] a[b, h, s, e]
}

// Places that a table of positions gives are places by an index, so rows of them are summed.
// FUSED: graph positions
// FUSED: y{{.*}}: f32[1024, 4] = sum[{{.*}} in 0..8] x[b, s, d]
graph positions(x: f32[8, 1024, 4]) -> (y: f32[1024, 4]) {
    at[b in 0..8, s in 0..1024]: i64[8, 1024] = s
    y[at[b, s], d]: f32[1024, 4] = sum[b, s] x[b, s, d]
}
