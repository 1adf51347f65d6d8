mg 1
// RUN: %mgc run %s --input x=0,0,3,4 | %FileCheck %s
// A row of zeros stays so, and has a derivative, although the root's slope is infinite there.
graph g(x: f32[2, 2]) -> (y: f32[2, 2], d: f32[2, 2]) {
    y = normalize(x, axis = 1, eps = 0.5)
    l[] = sum[i, j] y[i, j] * (j + 1)
    d = derivative(l, x)
}
// CHECK: {{\[\[}}0.0, 0.0],
// CHECK-NEXT: [0.6, 0.8]]
// CHECK: {{\[\[}}2.0, 4.0],
// CHECK-NEXT: [-0.064{{[0-9]*}}, 0.04
