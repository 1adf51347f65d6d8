mg 1
// If no group or near cache can hold a row, one pass computes the maximum and the sum relative to it, and
// another the result: groups or workers reduce parts of rows, which are then combined.
// RUN: %mgc --emit-opencl --graph=main --target=gpu --march=cu=132,items=1024,local=49152,warp=32 %s | %FileCheck %s
// RUN: %mgc --emit-ir --graph=main --target=gpu --march=cu=132,items=1024,local=49152,warp=32 %s | %FileCheck %s --check-prefix=IR
// RUN: %mgc --emit-kernels --graph=main --march=x86-64-v4 %s | %FileCheck %s --check-prefix=CPU
// A sum that overflows in a part gives the same as without parts.
// RUN: %mgc run --graph=overflow --input x=ones --no-cache %s | %FileCheck %s --check-prefix=OVERFLOW
// OVERFLOW: y: f32[] = inf

// CHECK: __kernel void mg_elementwise_
// CHECK: reqd_work_group_size(256, 1, 1)
// CHECK-NEXT: __kernel void mg_reduction_{{[0-9_]+}}(
// CHECK: float4 [[TOP:b[0-9]+_x]][1];
// CHECK: = *(const __global float4 *)(b0_x +
// CHECK: [[OLD:x_[0-9]+]] = [[TOP]][0];
// CHECK: [[NEW:all_[0-9]+]] = mg_max_float4([[OLD]],
// CHECK: = select({{.*}}[[NEW]]
// CHECK: [[TOP]][0] = [[NEW]];
// CHECK: barrier(
// CHECK: b3_parts[place_
// CHECK: b4_beside[place_
// CHECK: __kernel void mg_reduction_{{[0-9_]+}}(
// CHECK-NOT: = *(const __global float4 *)(b0_x +
// CHECK-NOT: __kernel

// IR: = fused {
// IR-NEXT: = max[
// IR-NEXT: = sum[
// IR-NEXT: yield
// IR: y: {{.*}} = fused {

// Workers take parts that stay in a cache: the second pass over one prefetches the next.
// CPU: kernel reduction_0(
// CPU: for i0 in 0..16 {
// CPU: parallel part in 0..512 {
// CPU: for v in 0..[[LAST:[0-9]+]] step
// CPU: = max(
// CPU: about: f32 = where(first == -inf, 0.0, min(first, 3.4028235e+38))
// CPU: for [[V:v.[0-9]+]] in 0..[[LAST]] step
// CPU: prefetch x[(((i0 * 1048576) + [[V]]) + (part * 2048)) + 2048]
// CPU: parts[at] = first
// CPU: others[at] =
// CPU: barrier grid
// CPU: kernel elementwise_1(
graph main(x: f32[16, 1048576]) -> (y: f32[16, 1048576]) { y = softmax(x) }

// The second sum doesn't follow the first: each has its own kernel, in parts of rows.
// RUN: %mgc --emit-ir --graph=apart --target=gpu --march=cu=132,items=1024,local=49152,warp=32 %s | %FileCheck %s --check-prefix=TWO
// RUN: %mgc --emit-opencl --graph=apart --target=gpu --march=cu=132,items=1024,local=49152,warp=32 %s | %FileCheck %s --check-prefix=APART
// TWO: yield m_in, s_in
// APART: __kernel void mg_reduction_{{[0-9]+}}_0(
// APART: __kernel void mg_reduction_{{[0-9]+}}_1(
// APART: __kernel void mg_reduction_{{[0-9]+}}_0(
// APART: __kernel void mg_reduction_{{[0-9]+}}_1(
// RUN: %mgc --emit-kernels --graph=few %s | %FileCheck %s --check-prefix=FEW
// FEW: kernel reduction_0(x: {{.*}} parts: inout f32[] noalias){{.*}} {
// FEW: kernel reduction_1(x: {{.*}} parts: inout f32[] noalias){{.*}} {
graph few(x: f32[1048576]) -> (m: f32[], s: f32[]) {
    m[] = max[j] x[j]
    s[] = sum[j] sqrt(abs(x[j] - m[]))
}
graph apart(x: f32[16, 1048576]) -> (m: f32[16], s: f32[16]) {
    m[i] = max[j] x[i, j]
    s[i] = sum[j] sqrt(abs(x[i, j] - m[i]))
}

graph overflow(x: f32[70000]) -> (y: f32[]) { y = variance(x * 3e38, axes = [0]) }
