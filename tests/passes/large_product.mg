mg 1
// A product whose multiplications 64 bits can't count is one all the same.
// RUN: %mgc --emit-kernels -O2 --threads=2 %s | %FileCheck %s
// CHECK: kernel contraction_0(

graph g(x: f32[2097152, 2097152], z: f32[2097152, 4194304]) -> (y) {
    y = matmul(x, z)
}
