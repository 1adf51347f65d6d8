// Mixed precision rounds the factors and results of products of matrices, and stores them so.
// RUN: %mgc --emit-ir -O0 --precision=bf16 %s | %FileCheck %s
// RUN: %mgc --emit-ir -O0 --precision=f16 %s | %FileCheck %s --check-prefix=F16
// RUN: %mgc --emit-ir -O0 %s | %FileCheck %s --check-prefix=F32
mg 1
graph net(x: f32[N, 8, 6], w: f32[4, 8, 3], v: f64[6, 6], h: bf16[4, 5]) -> (y: f32[N, 4], z, s, t, u)
{
    // An exact else stays, and a factor is rounded once for all its readers. The pooling sums no products.
    // CHECK: w_bf16[i0 in 0..4, i1 in 0..8, i2 in 0..3]: bf16[4, 8, 3] = f32(bf16(w[i0, i1, i2]))
    // CHECK: x_bf16[i0 in 0..N, i1 in 0..8, i2 in 0..6]: bf16[N, 8, 6] = f32(bf16(x[i0, i1, i2]))
    // CHECK: c[{{.*}}]: f32[N, 4, 6] = sum[{{.*}}] x_bf16[n, i, p + k - 1] else 0.0 * w_bf16[o, i, k]
    // CHECK: c_bf16[{{.*}}]: bf16[N, 4, 6] = f32(bf16(c[
    // CHECK: y[n in 0..N, o in 0..4]: f32[N, 4] = mean[p in 0..6] c_bf16_f32[n, o, p]
    // F16: w_f16[{{.*}}]: f16[4, 8, 3] = f32(f16(w[
    // F32-NOT: bf16(
    c[n, o, p]: f32[N, 4, 6] = sum[i, k] (x[n, i, p + k - 1] else 0) * w[o, i, k]
    y[n, o] = mean[p] c[n, o, p]
    // A result that products read is the narrow one. What is computed within a factor is rounded there.
    // CHECK: z_2[{{.*}}]: f32[N, 4, 4] = sum[p in 0..6] c_bf16[n, o, p] * bf16(where(c_bf16_f32[n, q, p] > 0.0, c_bf16_f32[n, q, p], 0.1))
    z[n, o, q]: f32[N, 4, 4] = sum[p] c[n, o, p] * where(c[n, q, p] > 0, c[n, q, p], 0.1)
    // Dot products of rows, f64, and values that are narrow already stay.
    // CHECK: s[n in 0..N]: f32[N] = sum[i in 0..8, p in 0..6] x[n, i, p] * x[n, i, p]
    // CHECK: t[{{.*}}]: f64[6, 6] = sum[j in 0..6] v[i, j] * v[j, k]
    // CHECK: u{{(_sum)?}}[{{.*}}] = sum[j in 0..5] h[i, j] * h[k, j]
    s[n] = sum[i, p] x[n, i, p] * x[n, i, p]
    t[i, k]: f64[6, 6] = sum[j] v[i, j] * v[j, k]
    u[i, k]: bf16[4, 4] = sum[j] h[i, j] * h[k, j]
}
