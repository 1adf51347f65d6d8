mg 1
// RUN: %mgc --emit-ir %s -o %t.mg
// RUN: %FileCheck %s < %t.mg
// RUN: %mgc --emit-ir %t.mg | diff - %t.mg
// Reads that a requirement with 'or' keeps inside are proved to be: the flat form verifies.
graph g(x: f32[N], z: f32[M]) -> (y: f32[M], w: f32[M]) {
    y[i] = x[i + 1] + z[i]
    w[i] = x[2 * i + 3] + z[M - 1 - i]
}

// CHECK: require 0 >= M or N >= M + 1
// CHECK: require N >= 2*M + 2 or 0 >= M
