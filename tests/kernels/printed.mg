mg 1
// A kernel as kernel IR and as OpenCL C: the same loops, whole vectors and a masked remainder.
// RUN: %mgc --emit-kernels --march=x86-64-v3 %s | %FileCheck %s --check-prefix=IR
// RUN: %mgc --emit-opencl %s | %FileCheck %s --check-prefix=CL
// RUN: %mgc --emit-opencl %S/inputs/softmax.mg | %FileCheck %s --check-prefix=ROW
// RUN: %mgc --emit-opencl %S/inputs/product.mg | %FileCheck %s --check-prefix=PRODUCT
// RUN: %mgc --emit-opencl --march=cu=2,items=64,warp=8 %S/inputs/several.mg | %FileCheck %s --check-prefix=SEVERAL

// IR: kernel [[NAME:[a-z_0-9]+]](x: in f32[] noalias, r: in f32[] noalias, y{{.*}}: out f32[] noalias){{.*}} {
// IR: for v in 0..
// IR: x[(i0 * 45) + v]<8>
// IR: max({{.*}}, 0.0<8>)
// IR: mask: bool<8> = ramp<8>(40, 1) < 45<8>
// IR: {mask else 0.0<8>}
// IR: if mask

// CL: #pragma OPENCL FP_CONTRACT OFF
// CL: static float mg_max_float_number(float a, float b)
// CL: reqd_work_group_size(256, 1, 1)
// CL: __kernel void mg_{{[a-z_0-9]+}}(__global const uchar *restrict b0_x_in, long b0_x_at, __global const uchar *restrict b1_r_in, long b1_r_at,
// CL: __global const float *b0_x = (__global const float *)(b0_x_in + b0_x_at);
// CL: for (int g_{{[0-9]+}} =
// CL: = b0_x[
// CL: = mg_max_float_number(

// A row's items meet in local memory, and read and write its elements once.
// ROW-NOT: expf
// ROW: __kernel void mg_row_{{[0-9]+}}(
// ROW: __local float [[MEET:b[0-9]+_meet]][128]
// ROW: = b0_x[
// ROW: [[MEET]][
// ROW-NEXT: barrier(
// ROW-NOT: = b0_x[
// ROW: fma(
// ROW: b1_y[

// Factors are loaded as whole vectors, staged twice, summed from local memory into registers.
// PRODUCT: __kernel void mg_contraction_{{[0-9]+}}(
// PRODUCT: __local float [[ROWS:b[0-9]+_rows]][
// PRODUCT: __local float [[COLUMNS:b[0-9]+_columns]][
// PRODUCT: = *(const __global float4 *)(b0_a +
// PRODUCT: *(__local float4 *)([[COLUMNS]] +
// PRODUCT: barrier(
// PRODUCT: for (int kb_
// PRODUCT: = *(const __local float4 *)([[ROWS]] +
// PRODUCT: = fma((float4)(
// PRODUCT: barrier(
// PRODUCT: mg_max_float4_number(

// Elements that take many instructions: an item loads its vectors before it computes the first, a group
// with fewer takes them one by one; quotients come from an estimate if the device has one.
// SEVERAL: rcp.approx
// SEVERAL: static float4 mg_near_quotient_float4(float4 a, float4 b) {
// SEVERAL: static float4 mg_inverse_float4(float4 a, float4 b) {
// SEVERAL: return a / b;
// SEVERAL: __kernel void mg_elementwise_0(
// SEVERAL: if (((t_{{[0-9]+}} + 256) <= 4290)) {
// SEVERAL-NOT: fma(
// SEVERAL-COUNT-4: = *(const __global float4 *)(b0_x + ((
// SEVERAL: = mg_inverse_float4(
// SEVERAL: *(__global float4 *)(b2_y
// SEVERAL-NOT: = *(const __global float4 *)
// SEVERAL-COUNT-3: *(__global float4 *)(b2_y
// SEVERAL: } else {
// SEVERAL-NEXT: for (int v_{{[0-9]+}} = t_{{[0-9]+}}; v_{{[0-9]+}} < 4290; v_{{[0-9]+}} += 64) {
graph main(x: f32[37, 45], r: f32[45]) -> (y: f32[37, 45]) {
    y = relu(x + r)
}
