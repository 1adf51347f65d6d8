mg 1
// RUN: %mgc --emit-ir --passes=fuse --verify-each -O2 %s | %FileCheck %s
// A contraction takes the elementwise equations over its result.
// CHECK-LABEL: graph epilogue
graph epilogue(x: f32[N, 64], w: f32[32, 64], b: f32[32]) -> (y: f32[N, 32]) {
    // CHECK: y: f32[N, 32] = fused {
    // CHECK-NEXT: z[n in 0..N, o in 0..32]
    // CHECK-NEXT: a[n in 0..N, o in 0..32]
    // CHECK-NEXT: y_in[n in 0..N, o in 0..32]
    // CHECK-NEXT: yield y_in
    // CHECK-NEXT: } #anchor("contraction")
    z[n, o] = sum[k] x[n, k] * w[o, k]
    a[n, o] = z[n, o] + b[o]
    y[n, o] = max(a[n, o], 0)
}
// A whole softmax is a row group; its other results are yielded, too.
// CHECK-LABEL: graph rows
graph rows(x: f32[N, 64]) -> (y: f32[N, 64], m: f32[N]) {
    // CHECK: m: f32[N], y: f32[N, 64] = fused {
    // CHECK: m_in[n in 0..N]
    // CHECK: e[n in 0..N, d in 0..64]
    // CHECK: s[n in 0..N]
    // CHECK: y_in[n in 0..N, d in 0..64]
    // CHECK: yield m_in, y_in
    // CHECK: } #anchor("row")
    m[n] = max[d] x[n, d]
    e[n, d] = exp(x[n, d] - m[n])
    s[n] = sum[d] e[n, d]
    y[n, d] = e[n, d] / s[n]
}
// A matrix product doesn't join rows, nor does an op that reads it at another place join it.
// CHECK-LABEL: graph apart
graph apart(x: f32[64, 64], w: f32[64, 64]) -> (y: f32[64, 64], t: f32[64, 64]) {
    // CHECK-NOT: anchor("contraction")
    // CHECK: #anchor("row")
    // CHECK-NOT: fused
    z[n, o] = sum[k] x[n, k] * w[o, k]
    s[n] = sum[o] z[n, o]
    y[n, o] = z[n, o] / s[n]
    t[n, o] = z[o, n] + 1
}
// Nothing joins a group that an op outside has read: it would have to stand before and after that op.
// CHECK-LABEL: graph order
graph order(x: f32[N]) -> (y: f32[N]) {
    // CHECK: b: f32[N] = fused {
    // CHECK-NEXT: a[i in 0..N]
    // CHECK-NEXT: b_in[i in 0..N]
    // CHECK: total[]: f32[] = sum[i in 0..N] b[i]
    // CHECK-NEXT: y[i in 0..N]: f32[N] = b[i] / total[]
    a[i] = x[i] + 1
    b[i] = a[i] * 2
    total[] = sum[i] b[i]
    y[i] = b[i] / total[]
}
// Single numbers are one kernel, whatever stands between them; not with one that is known only later.
// CHECK-LABEL: graph numbers
graph numbers(a: f32[], b: f32[], x: f32[8]) -> (y: f32[8], z: f32[8], late: f32[]) {
    // CHECK-NEXT: {
    // CHECK-NEXT: p: f32[], q: f32[] = fused {
    // CHECK: yield p_in, q_in
    p[] = exp(a[])
    y[i] = x[i] * p[]
    q[] = exp(b[]) + p[]
    z[i] = x[i] * q[]
    // CHECK: late[]: f32[] = sqrt(z[3])
    late[] = sqrt(z[3])
}
