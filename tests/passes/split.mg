// RUN: %mgc --emit-ir --passes=split %s | %FileCheck %s
// RUN: %mgc --emit-ir %s | %FileCheck %s --check-prefix=FUSED
mg 1
// A convolution in groups and what follows it have one box of group and channel; another reader sees
// the same element.
// FUSED: fused {
// FUSED: s[g in 0..3
// FUSED: t_in[g in 0..3
// FUSED: } #anchor("contraction")
graph g(x: f32[6, 8], w: f32[12, 2], b: f32[12]) -> (y: f32[12, 7])
{
    // CHECK: s[g in 0..3, m in 0..4, i in 0..8]: f32[3, 4, 8] = sum[c in 0..2] x[2*g + c, i] * w[4*g + m, c]
    s[(g in 0..3, m in 0..4), i in 0..8]: f32[12, 8] = sum[c in 0..2] x[2 * g + c, i] * w[4 * g + m, c]
    // CHECK: t[g in 0..3, m in 0..4, i in 0..8]: f32[3, 4, 8] = s[g, m, i] + b[4*g + m]
    t[c in 0..12, i in 0..8]: f32[12, 8] = s[c, i] + b[c]
    // CHECK: [[Y:y_[0-9]+]][g in 0..3, m in 0..4, i in 0..7]: f32[3, 4, 7] = t[g, m, i] * t[g, m, i + 1]
    // CHECK: y[i0 in 0..12, i1 in 0..7]: f32[12, 7] = [[Y]][i0/4, i0 % 4, i1]
    y[c in 0..12, i in 0..7] = t[c, i] * t[c, i + 1]
}
// A reader that may be outside needs its axis.
// CHECK: graph outside
graph outside(x: f32[6, 8], w: f32[12, 2], b: f32[12]) -> (y: f32[12, 8])
{
    // CHECK: s[(g in 0..3, m in 0..4), i in 0..8]: f32[12, 8]
    s[(g in 0..3, m in 0..4), i in 0..8]: f32[12, 8] = sum[c in 0..2] x[2 * g + c, i] * w[4 * g + m, c]
    t[c in 0..12, i in 0..8]: f32[12, 8] = s[c, i] + b[c]
    y[c in 0..12, i in 0..8] = t[c + 1, i] else 0
}
// The op that adds a bias to a convolution in groups has the axes of the sum, and so has the output after it, a view.
// CHECK: graph biased
// FUSED: graph biased
// FUSED: fused {
// FUSED: s[n in 0..2, g in 0..3
// FUSED: t[n in 0..2, g in 0..3
// FUSED: {{y(_3)?_in}}[n in 0..2, g in 0..3
// FUSED: } #anchor("contraction")
// FUSED-NEXT: y[{{.*}}]: f32[2, 12, 8] = {{.*}}[i0, i1/4, i1 % 4, i2]
graph biased(x: f32[2, 6, 8], w: f32[12, 2], b: f32[12]) -> (y: f32[2, 12, 8])
{
    s[n, g in 0..3, m in 0..4, i]: f32[2, 3, 4, 8] = sum[c in 0..2] x[n, 2 * g + c, i] * w[4 * g + m, c]
    // CHECK: t[n in 0..2, g in 0..3, m in 0..4, i in 0..8]: f32[2, 3, 4, 8] = s[n, g, m, i] + b[4*g + m]
    t[n, (g in 0..3, m in 0..4), i in 0..8]: f32[2, 12, 8] = s[n, g, m, i] + b[4 * g + m]
    y[n, c, i] = max(t[n, c, i], 0)
}
// A reader of only the first elements of the axis has its own axis.
// CHECK: graph part
graph part(x: f32[6, 8], w: f32[12, 2], b: f32[12]) -> (y: f32[4, 8])
{
    // CHECK: t[g in 0..3, m in 0..4, i in 0..8]: f32[3, 4, 8] = s[g, m, i] + b[4*g + m]
    s[g in 0..3, m in 0..4, i]: f32[3, 4, 8] = sum[c in 0..2] x[2 * g + c, i] * w[4 * g + m, c]
    t[(g in 0..3, m in 0..4), i in 0..8]: f32[12, 8] = s[g, m, i] + b[4 * g + m]
    // CHECK: y[c in 0..4, i in 0..8]: f32[4, 8] = max(t[0, c, i], 0.0)
    y[c in 0..4, i in 0..8] = max(t[c, i], 0)
}
