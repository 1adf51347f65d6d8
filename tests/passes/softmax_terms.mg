// RUN: %mgc --emit-kernels --march=x86-64-v4 %s | %FileCheck %s
// RUN: %mgc --emit-kernels --march=x86-64-v4 --strict %s | %FileCheck %s --check-prefix=STRICT
mg 1

// The sum of a softmax has a reciprocal, by which its terms are multiplied; other sums may have none.
// CHECK: // row: y_m
// CHECK: * splat<{{[0-9]+}}>(1.0 / r
// CHECK: // row: s
// CHECK: / splat<
// STRICT: // row: y_m
// STRICT: / splat<
// STRICT-NOT: 1.0 /
graph g(x: f32[64, 1024]) -> (y: f32[64, 1024], z: f32[64, 1024]) {
    y = softmax(x)
    s[i] = sum[j] x[i, j]
    z[i, j] = x[i, j] / s[i]
}
