// An output behind a sum of products has no index along an axis of one point: so it shares the box of the sum, and is its kernel's.
// RUN: %mgc --emit-ir --passes=ones --graph=image %s | %FileCheck %s
// RUN: %mgc --emit-ir -O2 --graph=image %s | %FileCheck %s --check-prefix=FUSED
// RUN: %mgc --emit-ir --passes=ones --graph=row %s | %FileCheck %s --check-prefix=ROW
// RUN: %mgc --emit-ir --passes=ones --graph=read %s | %FileCheck %s --check-prefix=READ
// RUN: %mgc --emit-ir --passes=ones --graph=alone %s | %FileCheck %s --check-prefix=ALONE
mg 1

// CHECK: y[0, m in 0..6, i in 0..8]: f32[1, 6, 8] = s[m, i] + x[0, m, i]
// FUSED: y: f32[1, 6, 8] = fused {
// FUSED: y_in[0, m in 0..6, i in 0..8]
// FUSED: } #anchor("contraction")
graph image(x: f32[1, 6, 8], w: f32[6, 6]) -> (y: f32[1, 6, 8]) {
    s[m, i]: f32[6, 8] = sum[c] x[0, c, i] * w[m, c]
    y[n in 0..1, m in 0..6, i in 0..8] = s[m, i] + x[n, m, i]
}
// Of a box of one point an index stays.
// ROW: y[0, m in 0..1]: f32[1, 1] = max(s[m], 0.0)
graph row(x: f32[8], w: f32[1, 8]) -> (y: f32[1, 1]) {
    s[m]: f32[1] = sum[c] x[c] * w[m, c]
    y[n in 0..1, m in 0..1] = max(s[m], 0)
}
// Others that read the output ask for its axes.
// READ: y[n in 0..1, m in 0..6]: f32[1, 6] = s[m] + 1.0
graph read(x: f32[8], w: f32[6, 8]) -> (y: f32[1, 6], z: f32[1, 6]) {
    s[m]: f32[6] = sum[c] x[c] * w[m, c]
    y[n in 0..1, m in 0..6] = s[m] + 1
    z[n, m] = y[n, m] * y[n, 5 - m]
}
// Nothing to share a box with.
// ALONE: y[n in 0..1, m in 0..6]: f32[1, 6] = x[m] + 1.0
graph alone(x: f32[6]) -> (y: f32[1, 6]) {
    y[n in 0..1, m in 0..6] = x[m] + 1
}
