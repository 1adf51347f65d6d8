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
    // CHECK: y[c in 0..12, i in 0..7]: f32[12, 7] = t[c/4, c % 4, i] * t[c/4, c % 4, i + 1]
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
