// RUN: %mgc --emit-ir --passes=affine %s | %FileCheck %s
// RUN: %mgc --emit-ir --strict --passes=affine %s | %FileCheck %s --check-prefix=STRICT
mg 1
graph g(x: f32[B, 8], d: f32[B, 4]) -> (y: f32[B, 4], u: f32[B, 4])
    weights "none.safetensors"
{
    param w: f32[4, 8]
    param m: f32[4]
    param v: f32[4]
    param b: f32[4]
    z[i, o]: f32[B, 4] = sum[k] x[i, k] * w[o, k]
    // CHECK: y_factor[o in 0..4]: f32[4] = 1.0 / sqrt(v[o] + 0.001)
    // CHECK: y_term[o in 0..4]: f32[4] = (0.0 - m[o]) / sqrt(v[o] + 0.001) + b[o]
    // CHECK: y[i in 0..B, o in 0..4]: f32[B, 4] = max(z[i, o] * y_factor[o] + y_term[o], 0.0)
    // STRICT-NOT: y_factor
    y[i, o] = max((z[i, o] - m[o]) / sqrt(v[o] + 0.001) + b[o], 0.0)
    // no sum: a difference of two inputs may cancel
    // CHECK: u[i in 0..B, o in 0..4]: f32[B, 4] = (d[i, o] - m[o]) / sqrt(v[o] + 0.001) + b[o]
    u[i, o] = (d[i, o] - m[o]) / sqrt(v[o] + 0.001) + b[o]
}
