// Items of a GPU share a row even if many steps follow its sums, as in derivatives: an item holds the values that are
// read later, not all values of a row. The first kernel is that of a softmax's derivative, the second of a layer norm's.
// RUN: %mgc --emit-kernels --target=gpu --march=h200 %s | %FileCheck %s
mg 1
graph g(p: f32[64, 256, 256], z: f32[64, 256], e: f32[64, 256, 256], q: f32[64, 256, 256], x: f32[64, 256, 384], d_y: f32[64, 256, 384],
        w: f32[384], mu: f32[64, 256], v: f32[64, 256], u: f32[64, 256, 384])
    -> (softmax: f32[64, 256, 256], norm: f32[64, 256, 384])
{
    // CHECK: // row: dz {{.*}}, softmax
    // CHECK-NOT: if local_id == 0 {
    // CHECK: shared group meet
    dz[b, c] = sum[j] where(z[b, c] == 0.0, 0.0, -(p[b, c, j] / where(z[b, c] == 0.0, 1.0, z[b, c])) * q[b, c, j])
    de[b, c, j] = p[b, c, j] / where(z[b, c] == 0.0, 1.0, z[b, c])
    d8[b, c, j] = de[b, c, j] + dz[b, c]
    ds[b, c, j] = d8[b, c, j] * e[b, c, j]
    softmax[b, c, j] = ds[b, c, j] * 0.125

    // CHECK: // row: core {{.*}}, norm
    // CHECK-NOT: if local_id == 0 {
    // CHECK: shared group meet
    // CHECK-NOT: if local_id == 0 {
    core[n, m] = sum[r] d_y[n, m, r] * w[r] * (x[n, m, r] - mu[n, m])
    dv[n, m] = -(core[n, m] / (2.0 * (v[n, m] + 1e-05) * sqrt(v[n, m] + 1e-05)))
    dmu[n, m] = sum[r] -(d_y[n, m, r] * w[r] / sqrt(v[n, m] + 1e-05))
    f[n, m, r] = d_y[n, m, r] * w[r] / sqrt(v[n, m] + 1e-05)
    g[n, m, r] = dv[n, m] / 384.0 * (x[n, m, r] - mu[n, m]) + dv[n, m] / 384.0 * (x[n, m, r] - mu[n, m])
    h[n, m, r in 0..384] = dmu[n, m] / 384.0
    norm[n, m, r] = u[n, m, r] + f[n, m, r] + g[n, m, r] + h[n, m, r]
}
