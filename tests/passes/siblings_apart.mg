// RUN: %mgc --emit-ir --explain=fusion %s 2>&1 >/dev/null | %FileCheck %s
// RUN: %mgc --emit-ir --passes=siblings %s | %FileCheck %s --check-prefix=IR
mg 1
// Why sums of products that share a factor stay apart, or don't.
// IR-LABEL: graph together
// IR: p_all
// IR-LABEL: graph outside
// IR-NOT: _all
graph together(x: f32[64, 32]) -> (y: f32[64])
    weights "together.safetensors"
{
    param w: f32[8, 32]
    param v: f32[8, 32]
    p[n, o] = sum[i] x[n, i] * w[o, i]
    // CHECK: p ({{.*}}siblings_apart.mg:[[@LINE-1]]:5) beside q ({{.*}}siblings_apart.mg:[[@LINE+1]]:5): one product
    q[n, o] = sum[i] x[n, i] * v[o, i]
    y[n] = sum[o] p[n, o] * q[n, 7 - o]
}
graph outside(x: f32[4, 6]) -> (q: f32[4, 6], y: f32[4, 6])
    weights "outside.safetensors"
{
    param w: f32[6, 6]
    param v: f32[6, 6]
    p[n, o] = sum[i] x[n, i] * w[o, i]
    // CHECK: p ({{.*}}) beside s ({{.*}}): apart: the second is a result of the graph
    s[n, o] = sum[i] x[n, i] * v[o, i]
    q = sort(s, axis = 1)
    y[n, o] = p[n, 5 - o]
}
// Concatenating weights in every run, or copying results to where they are seen, must pay.
graph given(x: f32[4, 64], w: f32[48, 64], v: f32[48, 64]) -> (y: f32[4]) {
    g1[n, o] = sum[i] x[n, i] * w[o, i]
    // CHECK: g1 ({{.*}}siblings_apart.mg:[[@LINE-1]]:5) beside g2 ({{.*}}siblings_apart.mg:[[@LINE+1]]:5): apart: each run would copy their weights or results: {{.*}}% of the work for the {{.*}}% to gain; parameters and results that are no outputs would need no copy
    g2[n, o] = sum[i] x[n, i] * v[o, i]
    y[n] = sum[o] g1[n, 47 - o] * g2[n, o]
}
graph results(x: f32[128, 64]) -> (r1: f32[128, 48], r2: f32[128, 48])
    weights "results.safetensors"
{
    param w: f32[48, 64]
    param v: f32[48, 64]
    r1[n, o] = sum[i] x[n, i] * w[o, i]
    // CHECK: r1 ({{.*}}) beside r2 ({{.*}}): apart: each run would copy their weights or results: {{.*}}%
    r2[n, o] = sum[i] x[n, i] * v[o, i]
}
// The second is computed from the first, so they are no siblings: nothing could join them.
graph depends(x: f32[4, 6]) -> (y: f32[4, 6])
    weights "depends.safetensors"
{
    param w: f32[6, 6]
    param v: f32[6, 6]
    d1[n, o] = sum[i] x[n, i] * w[o, i]
    s[i, k] = sum[n] d1[n, i] * v[i, k]
    // CHECK-NOT: d1 ({{.*}}) beside d2
    d2[n, o] = sum[i] x[n, i] * s[i, o]
    y[n, o] = d1[n, 5 - o] * d2[n, o]
}
// The second's weights only happen to be computed after the first.
graph later(x: f32[4, 6], z: f32[4, 6]) -> (y: f32[4, 6])
    weights "later.safetensors"
{
    param w: f32[6, 6]
    param v: f32[6, 6]
    l1[n, o] = sum[i] x[n, i] * w[o, i]
    s[i, k] = sum[n] z[n, i] * v[i, k]
    // CHECK: l1 ({{.*}}) beside l2 ({{.*}}): apart: the second's weights are computed after the first; computed before it, they could be joined
    l2[n, o] = sum[i] x[n, i] * s[i, o]
    y[n, o] = l1[n, 5 - o] * l2[n, o]
}
graph elsewhere(x: f32[4, 12]) -> (y: f32[4, 6])
    weights "elsewhere.safetensors"
{
    param w: f32[6, 6]
    param v: f32[6, 6]
    e1[n, o] = sum[i in 0..6] x[n, i] * w[o, i]
    // CHECK: e1 ({{.*}}) beside e2 ({{.*}}): apart: their operands differ
    e2[n, o] = sum[i in 0..6] x[n, i + 6] * v[o, i]
    y[n, o] = e1[n, 5 - o] * e2[n, o]
}
graph types(x: f32[4, 6]) -> (y: f32[4, 6])
    weights "types.safetensors"
{
    param w: f32[6, 6]
    param v: f32[6, 6]
    t1[n, o] = sum[i] x[n, i] * w[o, i]
    // CHECK: t1 ({{.*}}) beside t2 ({{.*}}): apart: their types differ; of one type they could be joined
    t2[n, o]: f64[4, 6] = sum[i] f64(x[n, i]) * f64(v[o, i])
    y[n, o] = t1[n, 5 - o] * f32(t2[n, o])
}
// In groups the factor depends on every axis of the result.
graph groups(x: f32[2, 3, 9]) -> (y: f32[2, 4, 9])
    weights "groups.safetensors"
{
    param w: f32[2, 4, 3]
    param v: f32[3, 4, 3]
    c1[g, o, t] = sum[i] x[g, i, t] * w[g, o, i]
    // CHECK: c1 ({{.*}}) beside c2 ({{.*}}): apart: their shapes differ along more than one axis; along one they could be joined
    c2[g in 0..3, o, t]: f32[3, 4, 9] = sum[i] x[g / 2, i, t] * v[g, o, i]
    y[g, o, t] = c1[g, 3 - o, t] * c2[g, o, t]
}
// As one product, the multiplication after them would read them again from memory.
graph gated(x: f32[64, 16]) -> (y: f32[64, 8])
    weights "gated.safetensors"
{
    param w: f32[640, 16]
    param v: f32[640, 16]
    param d: f32[8, 640]
    a[n, o] = sum[i] x[n, i] * w[o, i]
    // CHECK: a ({{.*}}) beside b ({{.*}}): apart: the ops after them would leave their kernels: {{.*}}% lost; if the same ops followed each alone, they could be joined
    b[n, o] = sum[i] x[n, i] * v[o, i]
    c[n, o] = a[n, o] * b[n, o]
    y[n, o] = sum[i] c[n, i] * d[o, i]
}
graph large(x: f32[2048, 512]) -> (y: f32[2048])
    weights "large.safetensors"
{
    param w: f32[2048, 512]
    param v: f32[2048, 512]
    l1[n, o] = sum[i] x[n, i] * w[o, i]
    // CHECK: l1 ({{.*}}) beside l2 ({{.*}}): apart: they are large: {{.*}}% to gain, 5% is needed
    l2[n, o] = sum[i] x[n, i] * v[o, i]
    y[n] = sum[o] l1[n, o] * l2[n, 2047 - o]
}
