// A large value that several kernels read is computed there, if that is cheaper than storing it.
// RUN: %mgc --emit-ir --graph=g --passes=sink --verify-each --march=x86-64-v4 --set N=4096 %s | %FileCheck %s
// RUN: %mgc --emit-ir --graph=g --passes=sink --verify-each --target=gpu --march=h200 --set N=4096 %s | %FileCheck %s
// RUN: %mgc --emit-ir --graph=g --passes=sink --march=h200 --target=gpu --set N=4096 %s | %mgc --emit-ir -O0 - | %FileCheck %s
// RUN: %mgc --emit-ir --graph=g --passes=sink --verify-each --march=x86-64-v4 --set N=4 %s | %FileCheck %s --check-prefix=SMALL
// RUN: %mgc --emit-ir --graph=both --passes=sink --verify-each --march=x86-64-v4 --set N=4096 %s | %FileCheck %s --check-prefix=BOTH
mg 1
graph g(x: f32[N, 50257], m: f32[N], at: i64[N], w: f32[50257, 64], h: f16[N, 50257])
    -> (chosen: f32[N], sums: f32[N], seen: f32[N, 50257], y: f32[N], product: f32[N, 64],
        less: f32[N], halves: f32[N], turned: f32[50257, N])
{
    // Also at places that data decide, which are still checked.
    // CHECK-NOT: logs[
    // SMALL: logs[
    logs[n, c] = x[n, c] - m[n]
    // CHECK: chosen{{.*}} = x[n, at[n]] - m[n]
    // SMALL: chosen{{.*}} = logs[n, at[n]]
    chosen[n] = logs[n, at[n]]
    // CHECK: sums{{.*}} exp(x[n, c] - m[n])
    sums[n] = sum[c] exp(logs[n, c])
    // What is seen from outside stays,
    // CHECK: y{{.*}} = sum[c in 0..50257] seen[n, c]
    seen[n, c] = 2 * x[n, c]
    y[n] = sum[c] seen[n, c]
    // and so does the factor of a product,
    // CHECK: product{{.*}} = sum[c in 0..50257] factor[n, c] * w[c, k]
    factor[n, c] = x[n, c] - 3
    product[n, k] = sum[c] factor[n, c] * w[c, k]
    // and what decides a jump: it must be the same number for all of its readers.
    // CHECK: less{{.*}} f32(edge[n, c] < 0.0)
    edge[n, c] = x[n, c] - m[n] * 2
    less[n] = sum[c] f32(edge[n, c] < 0)
    // A value is rounded as it would be stored.
    // CHECK: halves{{.*}} f16(h[n, c] * m[n])
    // CHECK: turned{{.*}} f16(h[n, c] * m[n])
    half[n, c]: f16[N, 50257] = h[n, c] * m[n]
    halves[n] = sum[c] half[n, c]
    turned[c, n] = half[n, c]
}

// Of two values of one kernel, the first stays for the readers that compute the second one of it.
graph both(x: f32[N, 50257], m: f32[N], e: f32[N]) -> (y: f32[50257, N], z: f32[N], turned: f32[50257, N])
{
    // BOTH: a: {{[^,]*}}, 50257] = fused
    a: f32[N, 50257], b: f32[N, 50257] = fused {
        a_in[n, c] = x[n, c] - m[n]
        b_in[n, c] = a_in[n, c] * 2.0 + e[n]
        yield a_in, b_in
    } #anchor("row")
    y[c, n] = a[n, c] + 2
    z[n] = sum[c] exp(a[n, c])
    // BOTH: turned{{.*}} = (a[n, c] * 2.0 + e[n]) / 3.0
    turned[c, n] = b[n, c] / 3
}
