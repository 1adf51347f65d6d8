// RUN: %mgc --emit-ir -O2 %s | %FileCheck %s
mg 1
// A value that passes through a float of eight bits is rounded, unlike one of sixteen.
graph g(x: f32[64]) -> (y: f32[64], z: f32[64]) {
    // CHECK: y[i in 0..64]: f32[64] = f8e4m3(x[i]) * 2.0
    a[i]: f8e4m3[64] = x[i]
    y[i] = a[i] * 2.0
    // CHECK: z[i in 0..64]: f32[64] = x[i] * 3.0
    b[i]: bf16[64] = x[i]
    z[i] = b[i] * 3.0
}
