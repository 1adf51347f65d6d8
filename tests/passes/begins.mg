// Kernels that read the same from another place on are one: the call adds where they begin. Places that fall from there on stay in the
// kernel, since the call's would be past them.
// RUN: %mgc --emit-kernels %s | %FileCheck %s
// RUN: %mgc --emit-plan %s | %FileCheck %s --check-prefix=PLAN
mg 1
graph g(x: f32[3, 100]) -> (a: f32[100], b: f32[100], c: f32[99]) {
    a[i] = exp(x[0, i])
    b[i] = exp(x[2, i])
    c[i] = exp(x[1, 99 - i])
}
// CHECK: kernel elementwise_0(
// CHECK: kernel elementwise_1(
// CHECK: 199
// CHECK-NOT: kernel
// PLAN: call #0 site 0(in0 + 0, out0 + 0)
// PLAN: call #0 site 1(in0 + 800, out1 + 0)
// PLAN: call #1 site 2(in0 + 0, out2 + 0)
