// Every edge is told about, with its line.
// RUN: %mgc --emit-ir --explain=fusion --graph=g %s 2>&1 >/dev/null | %FileCheck %s
mg 1
graph g(x: f32[N, 64], w: f32[64, 32], v: f32[32, 8]) -> (y: f32[N, 8]) {
    // CHECK: h ({{.*}}explain.mg:[[@LINE+1]]:9) -> a ({{.*}}explain.mg:[[@LINE+2]]:9): one kernel
    h = matmul(x, w)
    a = relu(h)
    // CHECK: a ({{.*}}explain.mg:[[@LINE-1]]:9) -> y ({{.*}}explain.mg:[[@LINE+1]]:9): apart: their boxes differ: N x 32 and N x 8
    y = matmul(a, v)
}
// RUN: %mgc --emit-ir --explain=fusion --graph=after %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=AFTER
// RUN: %mgc --emit-ir --explain=fusion --graph=after --debug-counter=fuse=..0 %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=HELD
// What follows an attention ends its kernel; a rewrite that is held back is not told as made.
graph after(q: f32[64, 32], k: f32[64, 32], v: f32[64, 32], x: f32[64, 32]) -> (y: f32[64, 32]) {
    s[n, m] = sum[d] q[n, d] * k[m, d]
    p = softmax(s)
    o[n, d] = sum[m] p[n, m] * v[m, d]
    // AFTER: s ({{.*}}) -> p_m ({{.*}}): one kernel
    // AFTER: o ({{.*}}) -> y ({{.*}}): one kernel
    // HELD-NOT: one kernel
    // HELD: apart: --debug-counter holds it back
    // HELD-NOT: one kernel
    y = o + x
}
// RUN: %mgc --emit-plan --explain=fusion --graph=losses %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=LOSSES
// What a schedule takes apart is told as apart, whatever the pass meant.
graph losses(x: f32[N], w: f32[N]) -> (y: f32[]) {
    // LOSSES: a ({{.*}}) -> y ({{.*}}): apart: no kernel takes the whole group
    // LOSSES-NEXT: b ({{.*}}) -> y ({{.*}}): apart: no kernel takes the whole group
    a[] = sum[i] x[i] * w[i]
    b[] = sum[i] w[i]
    y[] = a[] / b[]
}
// RUN: %mgc --emit-ir --explain=fusion --graph=between %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=BETWEEN
// Who read a value first is named; a product behind rows is told as such.
graph between(x: f32[N, 4, 8], w: f32[16, 8]) -> (s: f32[4], m: f32[N, 8], p: f32[N, 4, 16]) {
    y = exp(neg(x))
    // BETWEEN: y ({{.*}}) -> s ({{.*}}): apart: their boxes differ
    // BETWEEN: y ({{.*}}) -> m ({{.*}}): apart: an op between them reads it, in another kernel: s ({{.*}}explain.mg:[[@LINE+1]]:5)
    s[k] = sum[n, i] y[n, k, i]
    m[n, i] = max[k] y[n, k, i] * 2
    // BETWEEN: -> p ({{.*}}): apart: a matrix product begins a group, and takes nothing computed before it
    p = linear(softmax(x), w)
}
