// Every edge is explained, with its line.
// RUN: %mgc --emit-ir --explain=fusion --graph=g %s 2>&1 >/dev/null | %FileCheck %s
mg 1
graph g(x: f32[N, 64], w: f32[64, 32], v: f32[32, 8]) -> (y: f32[N, 8]) {
    // CHECK: h ({{.*}}explain.mg:[[@LINE+1]]:9) -> a ({{.*}}explain.mg:[[@LINE+2]]:9): one kernel
    h = matmul(x, w)
    a = relu(h)
    // CHECK: a ({{.*}}explain.mg:[[@LINE-1]]:9) -> y ({{.*}}explain.mg:[[@LINE+1]]:9): apart: a kernel has one box, but h ({{.*}}explain.mg:[[@LINE-2]]:9) runs over N x 32 and y ({{.*}}explain.mg:[[@LINE+1]]:9) over N x 8
    y = matmul(a, v)
}
// RUN: %mgc --emit-ir --explain=fusion --graph=after %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=AFTER
// RUN: %mgc --emit-ir --explain=fusion --graph=after --debug-counter=fuse=..0 %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=HELD
// The steps after an attention end its kernel. A rewrite that is held back is not reported as made.
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
// Ops that a schedule separates are reported as apart, whatever the pass did.
graph losses(x: f32[N], w: f32[N]) -> (y: f32[]) {
    // LOSSES: a ({{.*}}) -> y ({{.*}}): apart: each of several long reductions is cut into parts for all workers; a kernel has one of them
    // LOSSES-NEXT: b ({{.*}}) -> y ({{.*}}): apart: each of several long reductions
    a[] = sum[i] x[i] * w[i]
    b[] = sum[i] w[i]
    y[] = a[] / b[]
}
// RUN: %mgc --emit-ir --explain=fusion --graph=between %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=BETWEEN
// Different boxes are named; a product after rows is reported as such.
graph between(x: f32[N, 4, 8], w: f32[16, 8]) -> (s: f32[4], m: f32[N, 8], p: f32[N, 4, 16]) {
    y = exp(neg(x))
    // BETWEEN: y ({{.*}}) -> s ({{.*}}): apart: a kernel has one box, but y_neg ({{.*}}) runs over N and s ({{.*}}) over 4
    // BETWEEN: y ({{.*}}) -> m ({{.*}}): apart: a kernel has one box, but y_neg ({{.*}}) runs over N x 4 and m ({{.*}}) over N x 8
    s[k] = sum[n, i] y[n, k, i]
    m[n, i] = max[k] y[n, k, i] * 2
    // BETWEEN: -> p ({{.*}}): apart: p ({{.*}}) is a matrix product: it reads its factors from memory
    p = linear(softmax(x), w)
}
// RUN: %mgc --emit-ir --explain=fusion --graph=first %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=FIRST
// The first reader of a value is named, with what would help: y could come first, z could not. Nothing is said about a value
// that the reader does not read.
graph first(x: f32[N, 8], w: f32[8, 8]) -> (p: f32[N, 8], y: f32[N, 8], z: f32[N, 8]) {
    h = exp(x)
    k = h * 2 + sin(h)
    p[n, o] = sum[i] h[n, i] * w[i, o]
    // FIRST: h ({{.*}}) -> k_left ({{.*}}): one kernel
    // FIRST: h ({{.*}}explain.mg:[[@LINE-4]]:9) -> p ({{.*}}): apart: p ({{.*}}) is a matrix product
    // FIRST: k ({{.*}}) -> y ({{.*}}): apart: p ({{.*}}explain.mg:[[@LINE-3]]:5) reads h ({{.*}}explain.mg:[[@LINE-5]]:9) from memory first; with y ({{.*}}explain.mg:[[@LINE+1]]:9) before it in the source they could be one
    y = cos(k)
    // FIRST: h ({{.*}}) -> z ({{.*}}): apart: p ({{.*}}), which z ({{.*}}explain.mg:[[@LINE+1]]:9) needs, reads h ({{.*}}) from memory: the first kernel has to end before the second begins
    z = h + tanh(p)
}
// RUN: %mgc --emit-ir --explain=fusion --graph=alone %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=ALONE
// An op with its own kernel says why.
graph alone(x: f32[N, 8], w: f32[8, 8], v: f32[8, 8]) -> (s: f32[N, 8], t: f32[N, 8], y: f32[N, 8]) {
    e = exp(x)
    // ALONE: e ({{.*}}) -> s ({{.*}}): apart: s ({{.*}}) reduces over a range that depends on an index (a scan)
    s[n, i] = sum[j in 0..i + 1] e[n, j]
    // ALONE: s ({{.*}}) -> t ({{.*}}): apart: s ({{.*}}) reduces over a range that depends on an index (a scan)
    t = s * 2
    a[n, o] = sum[i] e[n, i] * w[i, o]
    b[n, o] = sum[i] x[n, i] * v[i, o]
    // ALONE: b ({{.*}}) -> y ({{.*}}): apart: a ({{.*}}) and b ({{.*}}) are both matrix products; a kernel has one
    y = a + b
}
