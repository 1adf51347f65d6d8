mg 1
// RUN: %mgc --emit-ir --passes=canonicalise,cse,dce --verify-each --no-annotations %s | %FileCheck %s
graph main(x: f32[N, M], w: f32[M], c: bool[]) -> (y: f32[N, M], z: f32[N], inner: f32[N]) {
    // CHECK-COUNT-1: sum[
    a[n] = sum[k] x[n, k] * w[k]
    // the same under other names, operands in another order of declaration
    b[row] = sum[column] x[row, column] * w[column]
    // CHECK: y[n in 0..N, k in 0..M]: f32[N, M] = x[n, k] * a[n] + a[n]
    y[n, k] = x[n, k] * a[n] + b[n]
    // CHECK: z[n in 0..N]: f32[N] = a[n] - a[n]
    z[n] = a[n] - b[n]
    // an op of a branch may merge with one of the body around it, but ops of two branches don't merge
    // CHECK: if c {
    // CHECK-NEXT: yield a
    // CHECK: else {
    // CHECK-NEXT: max[
    inner = if c {
        d[n] = sum[k] x[n, k] * w[k]
        yield d
    } else {
        e[n] = max[k] x[n, k]
        yield e
    }
}
// Equal expressions over different ranges are not equal.
// CHECK-LABEL: graph ranges
graph ranges(x: f32[8]) -> (y: f32[4], z: f32[8]) {
    // CHECK: y[i in 0..4]
    y[i in 0..4]: f32[4] = x[i]
    // CHECK: z[i in 0..8]
    z[i] = x[i]
}
// What a loop emits twice is emitted once, but an output stays one.
// CHECK-LABEL: graph emitted
graph emitted(x: f32[4], w: f32[4]) -> (y: f32[3, 4], z: f32[3, 4], first: f32[3, 4]) {
    // CHECK: h: f32[4], a: f32[3, 4], first: f32[3, 4] = loop t in 0..3 carry (p: f32[4] = x) {
    // CHECK: emit q, q
    h, a, b, first = loop t in 0..3 carry (p = x) {
        q[i] = p[i] * w[i]
        r[i] = q[i]
        next p = q
        emit q, r, q
    }
    // CHECK: y[t in 0..3, i in 0..4]: f32[3, 4] = a[t, i] + h[i]
    y[t, i] = a[t, i] + h[i]
    // CHECK: z[t in 0..3, i in 0..4]: f32[3, 4] = a[t, i] - h[i]
    z[t, i] = b[t, i] - h[i]
}
