// RUN: %mgc --emit-ir --passes=canonicalise,squeeze,inline,unmerge,inline,canonicalise,dce %s | %FileCheck %s
// RUN: %mgc --emit-ir %s | %FileCheck %s --check-prefix=FUSED
mg 1
// A linear layer over the rows of a batch: the sum and what follows it have an index for each axis, so that all is one kernel.
graph linear(x: f32[2, 8, 16], w: f32[16, 32], b: f32[32], r: f32[2, 8, 32]) -> (y: f32[2, 8, 32]) {
    // CHECK: z[s0 in 0..2, s1 in 0..8, j in 0..32]: f32[2, 8, 32] = sum[k in 0..16] x[s0, s1, k] * w[k, j]
    // FUSED: y: f32[2, 8, 32] = fused {
    // FUSED: } #anchor("contraction")
    z = matmul(reshape(x, shape = [16, 16]), w)
    a[i, j] = z[i, j] + b[j]
    // CHECK: y_relu[{{.*}}]: f32[2, 8, 32] = max(a[
    y = add(relu(reshape(a, shape = [2, 8, 32])), r)
}
// An index for each of three axes.
// CHECK: graph three
graph three(x: f32[2, 3, 5, 16], w: f32[16, 8]) -> (y: f32[2, 3, 5, 8]) {
    // CHECK: sum[k in 0..16] x[{{[a-z0-9_]+}}, {{[a-z0-9_]+}}, {{[a-z0-9_]+}}, k] * w[k, j]
    y = relu(reshape(matmul(reshape(x, shape = [30, 16]), w), shape = [2, 3, 5, 8]))
}
// An index that walks a part of an axis, or parts of two, stays.
// CHECK: graph apart
graph apart(x: f32[6, 16], w: f32[8, 4]) -> (y: f32[12, 4], z: f32[4, 4]) {
    // CHECK: [i in 0..12, j in 0..4]: f32[12, 4] = sum
    y = matmul(reshape(x, shape = [12, 8]), w)
    // CHECK: [i in 0..4, j in 0..4]: f32[4, 4] = sum
    z[i, j] = sum[k in 0..8] x[(24 * i + k) / 16, (24 * i + k) % 16] * w[k, j]
}
// A reader that may be outside needs its axis.
// CHECK: graph outside
graph outside(x: f32[2, 8, 16], w: f32[16, 32]) -> (y: f32[16, 32]) {
    // CHECK: z[i in 0..16, j in 0..32]: f32[16, 32] = sum
    z = matmul(reshape(x, shape = [16, 16]), w)
    y[i in 0..16, j] = z[i + 1, j] else 0
}
// What adds up the axis has no index for it in its result.
// CHECK: graph added
graph added(x: f32[2, 8, 16], w: f32[16, 32]) -> (total: f32[], rows: f32[16]) {
    // CHECK: z[s0 in 0..2, s1 in 0..8, j in 0..32]: f32[2, 8, 32] = sum
    z = matmul(reshape(x, shape = [16, 16]), w)
    // CHECK: total[]: f32[] = sum[i in 0..16, j in 0..32] z[i/8, i % 8, j]
    total[] = sum[i, j] z[i, j]
    // CHECK: = max[j in 0..32] z[{{[a-z0-9_]+}}, {{[a-z0-9_]+}}, j]
    rows[i] = max[j] z[i, j]
}
