mg 1
// A product is a product even if 64 bits can't count its multiplications.
// RUN: %mgc --emit-kernels -O2 --threads=2 %s | %FileCheck %s
// CHECK: kernel contraction_0(

graph g(x: f32[2097152, 2097152], z: f32[2097152, 4194304]) -> (y) {
    y = matmul(x, z)
}
