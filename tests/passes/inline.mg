mg 1
// RUN: %mgc --emit-ir --passes=inline,canonicalise,dce --verify-each --no-annotations -O2 %s | %FileCheck %s
// RUN: %mgc --emit-ir --passes=inline,canonicalise,dce --verify-each --no-annotations -O2 --strict %s | %FileCheck --check-prefix=STRICT %s
graph main(x: f32[N, M], w: f32[M, K], h: f16[M]) -> (product: f32[N, K], flat: f32[N, 6], norm: f32[N], kept: f32[N, M], half: f32[]) {
    // a transpose vanishes
    // CHECK: product[n in 0..N, j in 0..K]: f32[N, K] = sum[k in 0..M] x[n, k] * w[k, j]
    t[j, k]: f32[K, M] = w[k, j]
    product[n, j] = sum[k] x[n, k] * t[j, k]
    // a tuple that is taken apart again, too
    // CHECK: flat[n in 0..N, (a in 0..2, b in 0..3)]: f32[N, 6] = n + a
    ramp[n in 0..N, (a in 0..2, b in 0..3)]: f32[N, 6] = f32(n + a)
    flat[n in 0..N, (a in 0..2, b in 0..3)]: f32[N, 6] = ramp[n, (a, b)]
    // each element is read once, by a reduction
    // CHECK: norm[n in 0..N]: f32[N] = sum[k in 0..M] abs(x[n, k] - 1.0)
    d[n, k] = abs(x[n, k] - 1)
    norm[n] = sum[k] d[n, k]
    // read by two: it stays
    // CHECK: e[n in 0..N, k in 0..M]: f32[N, M] = exp(x[n, k])
    // CHECK: s[n in 0..N]: f32[N] = sum[k in 0..M] e[n, k]
    // CHECK: kept[n in 0..N, k in 0..M]: f32[N, M] = e[n, k] / s[n]
    e[n, k] = exp(x[n, k])
    s[n] = sum[k] e[n, k]
    kept[n, k] = e[n, k] / s[n]
    // a rounding on the way is left out only if that is allowed
    // CHECK: half[]: f32[] = sum[k in 0..M] h[k] * h[k]
    // STRICT: half[]: f32[] = sum[k in 0..M] f16(h[k] * h[k])
    g[k]: f16[M] = h[k] * h[k]
    half[] = sum[k] g[k]
}
// Where a shape is kept apart by divisions that weren't there, the view stays.
// CHECK-LABEL: graph views
graph views(x: f32[4, 6], w: f32[24]) -> (y: f32[]) {
    // CHECK: line[(a in 0..4, b in 0..6)]: f32[24] = x[a, b]
    line[(a, b)]: f32[24] = x[a, b]
    // CHECK: y[]: f32[] = sum[i in 0..24] line[i] * w[i]
    y[] = sum[i] line[i] * w[i]
}
