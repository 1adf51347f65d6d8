mg 1
// Kernels of 128 and 256 items and the plan's loop become one kernel: surplus items reach every barrier, a value that is
// named before a barrier and used after it is passed on, and the kernels use one local memory in turn.
// RUN: %mgc --emit-opencl --launch=persistent %s | %FileCheck %s
// RUN: %mgc --emit-plan --launch=persistent --target=gpu %s | %FileCheck %s --check-prefix=PLAN

// CHECK: __kernel void mg_persistent(
// CHECK: __local uchar local_bytes[4224] __attribute__((aligned(64)));
// CHECK: __local float *[[MEET:b[0-9]+_meet]] = (__local float *)(local_bytes + 0);
// CHECK: float4 [[KEPT:b[0-9]+_kept]][1];
// CHECK: __local float *b{{[0-9]+}}_tile = (__local float *)(local_bytes + 0);
// CHECK: __local uint *who = (__local uint *)local_bytes;
// CHECK: for (long pass_
// CHECK: for (int t_{{[0-9]+}} = 0; {{.*}} < 3;
// CHECK: const int item_[[I:[0-9]+]] = min((int)get_local_id(0), 127);
// CHECK: [[KEPT]][0] = (float4)(0.0f);
// CHECK-NEXT: if (((int)get_local_id(0) < 128)) {
// CHECK-NEXT: const float4 [[V:v_[0-9]+]] = *(const __global float4 *)
// CHECK-NEXT: [[KEPT]][0] = [[V]];
// CHECK: [[MEET]][(first_
// CHECK: }
// CHECK-NEXT: const float4 [[V]] = [[KEPT]][0];
// CHECK-NEXT: barrier(
// CHECK: round = mg_meet(
// CHECK: _tile[
// CHECK-NOT: __kernel

// PLAN: kernel plan(
// PLAN-NEXT: call #{{[0-9]+}} site 0(
// PLAN-NEXT: barrier grid
// PLAN-NEXT: call #{{[0-9]+}} site {{[0-9]+}}({{.*}}; `#passes`)
// PLAN-NEXT: barrier grid
// PLAN-NEXT: }
graph mixed(x: f32[128, 128]) -> (y: f32[128, 128]) {
    y = loop t in 0..3 carry (h = x) {
        s = softmax(h)
        u[i, j] = s[j, i] + h[i, j]
        next h = u
    }
}
