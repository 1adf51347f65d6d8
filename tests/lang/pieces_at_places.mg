mg 1
// RUN: %mgc run %s --input x=1,2,3,4 | %FileCheck %s
// RUN: %mgc run --interp %s --input x=1,2,3,4 | %FileCheck %s
// Equations of single places, by hand and by a loop that is unrolled, and boxes that lie anyhow.
graph g(x: f32[4]) -> (y: f32[4], z: f32[4], w: f32[2, 4], v: f32[3, 3]) {
    y[0] = x[3]
    y[1] = x[2]
    y[i in 2..4] = x[3 - i]
    for i in 0..4 { z[i] = x[i] + i }
    w[0, j] = x[j]
    w[1, j] = -x[j]
    // Boxes around a place: no line divides them.
    v[i in 0..2, 0] = 1
    v[0, j in 1..3] = 2
    v[i in 1..3, 2] = 3
    v[2, j in 0..2] = 4
    v[1, 1] = x[0]
}
// CHECK: y: f32[4] = [4.0, 3.0, 2.0, 1.0]
// CHECK: z: f32[4] = [1.0, 3.0, 5.0, 7.0]
// CHECK: w: f32[2, 4] =
// CHECK-NEXT: [1.0, 2.0, 3.0, 4.0]
// CHECK-NEXT: [-1.0, -2.0, -3.0, -4.0]
// CHECK: v: f32[3, 3] =
// CHECK-NEXT: [1.0, 2.0, 2.0]
// CHECK-NEXT: [1.0, 1.0, 3.0]
// CHECK-NEXT: [4.0, 4.0, 3.0]
