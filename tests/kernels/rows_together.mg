// RUN: %mgc --emit-kernels --march=x86-64-v3 %s | %FileCheck %s
// RUN: %mgc bisect %s | %FileCheck %s --check-prefix=RIGHT
mg 1
// A vector times the rows of a matrix that no near cache holds: four rows are reduced at once, each with its own sum and its
// rest after it. The vector's length is not a multiple of the lanes.
// CHECK: parallel chunk in 0..256 {
// CHECK: from: i64 = chunk * 4
// CHECK-COUNT-4: acc[{{[0-3]}}] = 0.0
// CHECK: for v in 0..{{[0-9]+}} step [[LANES:[0-9]+]] {
// CHECK: w[(from * 2047) + v]<
// CHECK: acc[0] = fma(
// CHECK: w[((from * 2047) + v) + 2047]
// CHECK: acc[1] = fma(
// CHECK: acc[3] = fma(
// CHECK: }
// CHECK: y{{.*}}[from] =
// CHECK: y{{.*}}[from + 3] =
// RIGHT: order {{ *}}right
graph one(x: f32[1, 2047], w: f32[1024, 2047], b: f32[1024]) -> (y: f32[1, 1024]) {
    y = relu(linear(x, w, b))
}
