mg 1
// A row that a trip reads goes into its readers, whether the number of trips is open, set or known.
// RUN: %mgc --emit-ir --passes=canonicalise,inline,dce --verify-each --no-annotations %s | %FileCheck %s
// RUN: %mgc --emit-ir --passes=canonicalise,inline,dce --verify-each --no-annotations --set S=9 %s | %FileCheck %s
// CHECK-NOT: row
// CHECK: y[j in 0..4]: f32[4] = x[t, j] * p[j] + exp(x[t, j])
// CHECK-NOT: back
// CHECK: z[j in 0..4]: f32[4] = x[{{8 - u|S - u - 1}}, j] * q[j]
// CHECK: w[j in 0..4]: f32[4] = x[v + 1, j] else 0.0 + r[j]
graph g(x: f32[S, 4]) -> (a: f32[4], b: f32[4], c: f32[4]) {
    one[j]: f32[4] = 1
    a = loop t in 0..S carry (p = one) {
        row[j] = x[t, j]
        y[j] = row[j] * p[j] + exp(row[j])
        next p = y
    }
    b = loop u in 0..S carry (q = one) {
        back[j] = x[S - 1 - u, j]
        z[j] = back[j] * q[j]
        next q = z
    }
    c = loop v in 0..S carry (r = one) {
        far[j] = x[v + 1, j] else 0
        w[j] = far[j] + r[j]
        next r = w
    }
}
