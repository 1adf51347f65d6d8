// RUN: %mgc --emit-kernels --graph=g --march=x86-64-v4 %s | %FileCheck %s
// RUN: %mgc --emit-kernels --graph=g --march=x86-64-v4 --strict %s | %FileCheck %s --check-prefix=STRICT
// RUN: %mgc run --march=x86-64-v3 --graph=shifted --input=x=zeros --no-cache %s | %FileCheck %s --check-prefix=SHIFTED
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

// Outside, a score isn't one of those whose largest is taken: its exponential is infinite.
// SHIFTED: inf, inf, inf, 1.0
graph shifted(x: f32[2, 64]) -> (y: f32[2, 64]) {
    m[i] = max[j in 0..64] (x[i, j - 3] else -100)
    y[i, j in 0..64] = exp((x[i, j - 3] else 90) - m[i])
}
