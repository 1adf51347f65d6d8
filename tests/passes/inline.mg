mg 1
// RUN: %mgc --emit-ir --passes=inline,canonicalise,dce --verify-each --no-annotations -O2 %s | %FileCheck %s
// RUN: %mgc --emit-ir --passes=inline,canonicalise,dce --verify-each --no-annotations -O2 --strict %s | %FileCheck --check-prefix=STRICT %s
graph main(x: f32[N, M], w: f32[M, K], h: f16[M])
    -> (product: f32[N, K], flat: f32[N, 6], norm: f32[N], kept: f32[N, M], half: f32[])
{
    // a transpose vanishes
    // CHECK: product[n in 0..N, j in 0..K]: f32[N, K] = sum[k in 0..M] x[n, k] * w[k, j]
    t[j, k]: f32[K, M] = w[k, j]
    product[n, j] = sum[k] x[n, k] * t[j, k]
    // a tuple that is decomposed again, too
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
// Large, and read over rows that no cache keeps: computed again from x instead of kept; not from two tensors, nor where rows are short.
// CHECK-LABEL: graph long
graph long(x: f32[4, 2097152], w: f32[4, 2097152])
    -> (y: f32[4, 2097152], z: f32[4, 2097152], v: f32[4096, 2048])
{
    // CHECK: s[n in 0..4]: f32[4] = sum[k in 0..2097152] exp(x[n, k])
    e[n, k] = exp(x[n, k])
    s[n] = sum[k] e[n, k]
    y[n, k] = e[n, k] / s[n]
    // CHECK: t[n in 0..4]: f32[4] = sum[k in 0..2097152] p[n, k]
    p[n, k] = exp(x[n, k]) * w[n, k]
    t[n] = sum[k] p[n, k]
    z[n, k] = p[n, k] / t[n]
    // CHECK: r[i in 0..4096]: f32[4096] = sum[k in 0..2048] q[i, k]
    q[i in 0..4096, k in 0..2048] = exp(x[i / 1024, i % 1024 * 2048 + k])
    r[i] = sum[k] q[i, k]
    v[i, k] = q[i, k] / r[i]
}

// What one of several pieces computes with is computed there; what it only moves is not, and what is read twice is not.
// CHECK-LABEL: graph pieces
graph pieces(x: f32[4, 8], w: f32[4, 8]) -> (y: f32[4, 16], z: f32[4, 9], v: f32[4, 9]) {
    // CHECK: y[n in 0..4, k in 0..8]: f32[4, 16] = exp(x[n, k]) * w[n, k] + 1.0
    // CHECK-NEXT: y[n in 0..4, k in 8..16]: f32[4, 16] = w[n, k - 8]
    a[n, k] = exp(x[n, k]) * w[n, k]
    y[n, k in 0..8]: f32[4, 16] = a[n, k] + 1
    y[n, k in 8..16] = w[n, k - 8]
    // CHECK: z[n in 0..4, k in 0..8]: f32[4, 9] = b[n, k]
    b[n, k] = exp(x[n, k]) + 1
    z[n, k in 0..8]: f32[4, 9] = b[n, k]
    z[n, k in 8..9] = 0
    // CHECK: v[n in 0..4, k in 0..8]: f32[4, 9] = c[n, k] * c[n, 7 - k]
    c[n, k] = exp(x[n, k]) + w[n, k]
    v[n, k in 0..8]: f32[4, 9] = c[n, k] * c[n, 7 - k]
    v[n, k in 8..9] = 0
}
// A mask by places is computed where it is added, but not for a sum of products, which packs it.
// CHECK-LABEL: graph masked
graph masked(x: f32[N, N], v: f32[N, K]) -> (y: f32[N, N], z: f32[N, K]) {
    // CHECK: mask[i in 0..N, j in 0..N]
    // CHECK: y[s0 in 0..N, s1 in 0..N]: f32[N, N] = x[s0, s1] + where(s1 <= s0, {{.*}}0.0{{.*}}, -inf)
    // CHECK: z[i in 0..N, k in 0..K]: f32[N, K] = sum[j in 0..N] mask[i, j] * v[j, k]
    mask[i in 0..N, j in 0..N]: f32[N, N] = where(j <= i, 0, -inf)
    y = x + mask
    z[i, k] = sum[j] mask[i, j] * v[j, k]
}
