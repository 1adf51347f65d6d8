mg 1
// A kernel's scratch for sizes that data decide is reserved beforehand, for the largest sizes.
// RUN: %mgc --emit-plan %s | %FileCheck %s

// CHECK: kernel bind(
// CHECK-NOT: C +
// CHECK: end{{.*}} = {{.*}} + (shr(N + 16383, 14) * 64
// CHECK: kernel plan(
graph sum_of_chosen(x: f64[N, 4], chosen: bool[N]) -> (y: f64[4]) {
    y = sum(compress(x, chosen, axis = 0), axes = [0])
}
