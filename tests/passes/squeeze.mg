// RUN: %mgc --emit-ir --passes=squeeze --verify-each %s | %FileCheck %s
// RUN: %mgc --emit-ir --graph=one %s | %FileCheck %s --check-prefix=FUSED
// RUN: %mgc --emit-plan --graph=one %s | %FileCheck %s --check-prefix=PLAN
// RUN: %mgc --emit-plan --graph=views %s | %FileCheck %s --check-prefix=VIEWS
mg 1
// An inner value loses its axis of one point, and so does the output after it: the output itself is a
// view. So the last op of a net for one image joins its kernel, which writes the output itself.
// CHECK-LABEL: graph one
// PLAN: call #0 site 0(in0 + 0, in1 + 0, in2 + 0, out0 + 0
// PLAN-NOT: call
graph one(x: f32[1, 64], w: f32[32, 64], k: f32[32]) -> (y: f32[1, 32])
{
    // CHECK: h[o in 0..32]: f32[32] = sum[i in 0..64] x[0, i] * w[o, i]
    h[n in 0..1, o]: f32[1, 32] = sum[i] x[n, i] * w[o, i]
    // CHECK: [[Y:y_[0-9]+]][o in 0..32]: f32[32] = max(h[o] + k[o], 0.0)
    // CHECK: y[i0 in 0..1, i1 in 0..32]: f32[1, 32] = [[Y]][i1]
    // FUSED: } #anchor("contraction")
    // FUSED-NEXT: y[i0 in 0..1, i1 in 0..32]: f32[1, 32] = {{.*}}[i1]
    y[n in 0..1, o] = max(h[n, o] + k[o], 0)
}
// An output that lost no axis stays as it is.
// CHECK-LABEL: graph alone
graph alone(x: f32[1, 8]) -> (y: f32[1, 8])
{
    // CHECK: y[n in 0..1, i in 0..8]: f32[1, 8] = x[n, i] + 1.0
    // CHECK-NEXT: }
    y[n in 0..1, i] = x[n, i] + 1
}
// Other readers of the output read the value with fewer axes, even of a product that is written without the axis.
// CHECK-LABEL: graph read
graph read(x: f32[8], w: f32[6, 8]) -> (y: f32[1, 6], z: f32[1, 6])
{
    s[m]: f32[6] = sum[c] x[c] * w[m, c]
    // CHECK: [[Y:y_[0-9]+]][m in 0..6]: f32[6] = s[m] + 1.0
    // CHECK: [[Z:z_[0-9]+]][m in 0..6]: f32[6] = [[Y]][m] * [[Y]][5 - m]
    // CHECK: y[i0 in 0..1, i1 in 0..6]: f32[1, 6] = [[Y]][i1]
    // CHECK: z[i0 in 0..1, i1 in 0..6]: f32[1, 6] = [[Z]][i1]
    y[n in 0..1, m in 0..6] = s[m] + 1
    z[n, m] = y[n, m] * y[n, 5 - m]
}
// A value that an output views, through any number of views, is made in the output's bytes; a second output of
// the same bytes, and a view of an input, are copies.
// VIEWS: call #0 site 0(in0 + 0, out0 + 0
// VIEWS: call #1 site 1(out0 + 0, out1 + 0)
// VIEWS: call #1 site 2(in0 + 0, out2 + 0)
// VIEWS-NOT: call
graph views(x: f32[2, 3, 4]) -> (z: f32[24], y: f32[4, 6], t: f32[24])
{
    a[i, j, k] = exp(x[i, j, k])
    b = reshape(a, shape = [6, 4])
    y = reshape(b, shape = [4, 6])
    z = reshape(y, shape = [24])
    t = reshape(x, shape = [24])
}
