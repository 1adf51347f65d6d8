// At -O3, kernels of sums of products may take subnormal numbers for 0, but not where a jump could see it. The modes
// of arithmetic are those of before when such a kernel is done.
// RUN: %mgc --emit-kernels -O3 --march=x86-64-v3 --graph=sums %s | %FileCheck %s
// RUN: %mgc --emit-kernels -O2 --march=x86-64-v3 --graph=sums %s | %FileCheck %s --check-prefix=KEPT
// RUN: %mgc --emit-kernels -O3 --strict --march=x86-64-v3 --graph=sums %s | %FileCheck %s --check-prefix=KEPT
// RUN: %mgc --emit-kernels -O3 --march=x86-64-v3 --graph=jumps %s | %FileCheck %s --check-prefix=KEPT
// RUN: %mgc --emit-kernels -O3 --march=x86-64-v3 --graph=poles %s | %FileCheck %s --check-prefix=KEPT
// RUN: %mgc run -O2 --graph=sums --input x=ones %s | %FileCheck %s --check-prefix=AFTER
// RUN: %mgc run -O3 --graph=sums --input x=ones %s | %FileCheck %s --check-prefix=AFTER
// RUN: %mgc run -O2 --graph=tiny --input x=ones %s | %FileCheck %s --check-prefix=EXACT
// RUN: %mgc run -O3 --graph=tiny --input x=ones %s | %FileCheck %s --check-prefix=ZERO
mg 1
// CHECK-DAG: kernel contraction{{.*}} flushes {
// CHECK-DAG: kernel elementwise{{.*}} one_worker {
// KEPT-NOT: one_worker flushes
// AFTER: y
// AFTER: z
// AFTER-SAME: e-40
graph sums(x: f32[32, 64]) -> (y: f32[32, 64], z: f32[32]) {
    w[k in 0..64, j in 0..64]: f32[64, 64] = f32(k + j)
    y = matmul(x, w)
    z[i] = x[i, 0] * 0x1p-132
}
graph jumps(x: f32[32, 64], w: f32[64, 64], a: f32[32, 64]) -> (y: f32[32, 64]) {
    y[i, j] = where(a[i, j] == 0, 0, sum[k] x[i, k] * w[k, j])
}
// A subnormal divisor would be 0, and exponentials are computed by way of such numbers.
graph poles(x: f32[32, 64], w: f32[64, 64]) -> (y: f32[32, 64]) {
    y = sigmoid(matmul(x, w))
}
// EXACT: {{[0-9.]+}}e-39,
// ZERO: {{^}}{{.*}}0.0, 0.0,
graph tiny(x: f32[32, 64]) -> (y: f32[32, 64]) {
    w[k in 0..64, j in 0..64]: f32[64, 64] = f32(k + j) * 0x1p-140
    y = matmul(x, w)
}
