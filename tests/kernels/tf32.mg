mg 1
// A product by matrix units: factors are rounded on their way to local memory, whose lines are padded. 32 items multiply
// together, and keep pairs of columns. Devices without these instructions add up the same sums one by one.
// RUN: sed -n 's|^//S: ||p' %s > %t.mgs
// RUN: %mgc --emit-opencl --target=gpu --march=cu=132,items=1024,local=49152,warp=32,ptx=90 --precision=tf32 --schedule=%t.mgs %s | %FileCheck %s
// RUN: %mgc --emit-opencl --target=gpu --march=cu=132,items=1024,local=49152,warp=32 --precision=tf32 %s | %FileCheck %s --check-prefix=F32
// RUN: %mgc --emit-opencl --target=gpu --march=cu=132,items=1024,local=49152,warp=32,ptx=90 %s | %FileCheck %s --check-prefix=SPLIT
// RUN: %mgc --emit-opencl --target=gpu --march=cu=132,items=1024,local=49152,warp=32,ptx=120 --precision=tf32 %s | %FileCheck %s --check-prefix=LOCAL
// RUN: %mgc --emit-kernels --target=gpu --march=cu=132,items=1024,local=49152,warp=32,ptx=90 --precision=tf32 --schedule=%t.mgs %s | %FileCheck %s --check-prefix=IR

//S: schedule y_matmul, y on gpu
//S:   for i by 1024, j by 128, i by 128 on core
//S:     for k by 32
//S:       stage a as [i, k] in local
//S:       stage b as [k, j] in local
//S:       for k
//S:         for i by 64, j by 64 on warp
//S:           do y_matmul with tf32
//S:     for i by 64, j by 64 on warp
//S:       do y

// CHECK: #ifdef __NV_CL_C_VERSION
// CHECK-NEXT: static float4 mg_product_tf32(float4 c, uint4 a, uint2 b) {
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// CHECK: __attribute__((reqd_work_group_size(128, 1, 1)))
// CHECK: __local float [[A:b[0-9]+_rows]][9216] __attribute__((aligned(64)));
// CHECK: __local float [[B:b[0-9]+_columns]][8704] __attribute__((aligned(64)));
// CHECK: *(__local float4 *)([[A]] + {{.*}}) = select(({{.*}} + (float4)(1.0f)), as_float4(((as_uint4({{.*}}) + (uint4)(4096u)) & (uint4)(4294959104u))), (fabs({{.*}}) < (float4)(3.4011621e+38f)));
// CHECK: barrier(
// CHECK: { // 64 x 64 sums of 32 items, 32 deep
// CHECK: #ifdef __NV_CL_C_VERSION
// CHECK-NEXT: __local const uint *row = (__local const uint *)([[A]] + {{.*}} + lane / 4 * 36 + lane % 4 * 1);
// CHECK-NEXT: __local const uint *column = (__local const uint *)([[B]] + {{.*}} + lane / 4 * 1 + lane % 4 * 136);
// CHECK: const uint4 a0 = (uint4)(row[0], row[288], row[4], row[292]);
// CHECK: const uint2 b0 = (uint2)(column[0], column[544]);
// CHECK: [[S:b[0-9]+_acc]][0] = mg_product_tf32([[S]][0], a0, b0);
// CHECK: #else
// CHECK: sum = fma(a.xxyy, b.xyxy, sum);
// CHECK: #endif
// CHECK: *(__global float2 *)(

// F32-NOT: mg_product
// F32: fma(
// F32-NOT: mg_product

// A device other than a Hopper has the local memory that it reports.
// LOCAL: __local float b{{[0-9]+}}_rows[5120]
// LOCAL: __local float b{{[0-9]+}}_columns[4352]
// LOCAL: { // 64 x 64 sums of 32 items, 16 deep

// Without that flag a Hopper multiplies split factors, in twelve instructions of eight steps. Items split rows while the
// instructions of the steps before run, and have both parts in registers.
// SPLIT: { // 64 x 128 sums of 128 items, 32 deep
// SPLIT: h[0] = a_upper0.x;
// SPLIT: wgmma.fence.sync.aligned;
// SPLIT-COUNT-3: wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32
// SPLIT: h[8] = a_upper1.x;
// SPLIT: wgmma.fence.sync.aligned;
// SPLIT-COUNT-9: wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32
// SPLIT-NOT: wgmma.mma_async
// SPLIT: for (int part = 0; part < 2; part++) {

// IR: product acc[64, 64] += rows[row0]<36, 1> * columns[column0]<1, 136>, 32 deep by tf32

graph main(a: f32[4096, 4096], b: f32[4096, 4096]) -> (y: f32[4096, 4096]) {
    y = relu(matmul(a, b))
}
