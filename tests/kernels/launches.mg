mg 1
// On a device, a kernel with barriers over the grid becomes several, launched one after another. Every buffer comes as
// an object and the byte where it begins. A check on data leaves its code and the value.
// RUN: %mgc --emit-opencl --graph=main %s | %FileCheck %s
// RUN: %mgc --emit-opencl --graph=clamped %s | %FileCheck %s --check-prefix=CLAMPED

// CHECK: reqd_work_group_size([[ITEMS:[0-9]+]], 1, 1)
// CHECK: __kernel void mg_elementwise_{{[0-9]+}}({{.*}}, __global int *trap)
// CHECK: const int inside_[[N:[0-9]+]] = ((v_{{[0-9]+}} >= 0) & (v_{{[0-9]+}} < 5));
// CHECK: if ((!inside_[[N]])) {
// CHECK: if (!atomic_cmpxchg(trap, 0, 2)) { trap[1] = 1; ((__global long *)trap)[1] = v_{{[0-9]+}}; }
// CHECK: __kernel void mg_scatter_[[K:[0-9]+]]_0({{.*}}__global uchar *restrict b4_sum_in, long b4_sum_at) {
// CHECK: __global float *b4_sum = (__global float *)(b4_sum_in + b4_sum_at);
// CHECK: b4_sum[{{.*}}] =
// CHECK: __kernel void mg_scatter_[[K]]_1({{.*}}, __global int *trap) {
// CHECK: if (!atomic_cmpxchg(trap, 0, 1)) { trap[1] = 1; ((__global long *)trap)[1] = {{.*}}; }
// CHECK: __kernel void mg_scatter_[[K]]_2({{.*}}__global const uchar *restrict b4_sum_in
// CHECK: b3_y[{{.*}}] = mg_to_half1(
// CHECK-NOT: __kernel
graph main(x: f16[5], ids: i64[6], u: f16[6]) -> (y: f16[5], z: f16[6]) {
    y[ids[k]] = sum[k] u[k] over x
    z[k] = x[ids[k]]
}

// OpenCL's min and max take operands of one type: the index and the ends of its range are all int.
// CLAMPED: = min(max((int)(v_{{[0-9]+}}), 0), 3);
graph clamped(x: f32[4, 6], at: i32[5]) -> (y: f32[5, 6]) {
    y[n, i] = x[min(max(i64(at[n]), 0), 3), i]
}
