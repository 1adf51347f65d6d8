// A mean over ranges that end at each other divides by the number of points, at every level.
// RUN: %mgc run %s --input x=ones --set A=5 --interp | %FileCheck %s
// RUN: %mgc run %s --input x=ones --set A=5 -O0 | %FileCheck %s
// RUN: %mgc run %s --input x=ones --set A=5 -O2 | %FileCheck %s
// RUN: %mgc run %s --input x=ones --set A=5 -O3 --threads=2 --share=all | %FileCheck %s

// CHECK: v: f32[3] = [1.0, 1.0, 1.0]
// CHECK: w: f32[3] = [1.0, 1.0, 1.0]
// CHECK: u: f32[] = 5.0
mg 1
graph g(x: f32[A, 32]) -> (v: f32[3], w: f32[3], u: f32[]) {
    v[i in 0..3] = mean[r in 0..32, s in 0..A, t in r..32] x[s, t]
    w[i in 0..3] = mean[r in 0..A, s in 0..r + i + 1] x[r, s]
    u[] = (mean[r in 0..3, s in 0..2 * r] f32(2 * s + r)) + x[0, 0]
}
