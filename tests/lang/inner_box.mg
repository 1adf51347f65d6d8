// A reduction inside a term whose box begins later, or is empty there, becomes an equation of its own, which is read back.
// One without a loop for workers is one worker's work, in a kernel that its schedule's text gives again (laws.schedules).
// RUN: %mgc run %s --input x=1,2,3,4 --input w=1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4 | %FileCheck %s
// RUN: %mgc run --interp %s --input x=1,2,3,4 --input w=1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4 | %FileCheck %s
// RUN: %mgc --emit-ir -O0 %s | %mgc run - --input x=1,2,3,4 --input w=1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4 | %FileCheck %s
// RUN: %mgc --emit-ir -O0 %s > %t.mg && %mgc --emit-ir -O0 %t.mg | diff - %t.mg
mg 1
graph g(x: f32[4], w: f32[4, 4]) -> (y: f32[4], z: f32[4], least: f32[1, 3], none: f32[1, 0, 2]) {
    y[i in 0..2] = x[i]
    y[i in 2..4] = x[i] + (sum[k in 0..i] w[i, k] * x[k]) + (max[k in i - 1..4] x[k])
    z[i in 0..2] = x[i]
    z[i in 2..4] = sum[k in 1..3] (max[m in k..i + 1] w[m, k]) * x[k]
    least[i in 0..1, j in 0..2] = x[j]
    least[i in 0..1, j in 2..3] = min[r in 0..i] x[r]
    none[i in 0..1, j in 0..0, k in 0..1] = x[k]
}
// CHECK: y: f32[4] = [1.0, 2.0, 16.0, 32.0]
// CHECK: z: f32[4] = [1.0, 2.0, 15.0, 20.0]
// CHECK: least: f32[1, 3] =
// CHECK-NEXT: [1.0, 2.0, inf]
