// RUN: %mgc --emit-plan --target=gpu --march=cu=2,items=64,warp=8 %s | %FileCheck %s
mg 1
// Parts that only a concatenation reads are made in their places, 384 bytes apart, which leaves nothing to copy.
// CHECK: call #0 site 0(in0 + 0, in1 + 0, arena + 0)
// CHECK: call #1 site 1(in0 + 0, in2 + 0, arena + 384)
// CHECK: call #2 site 2(arena + 0, out0 + 0)
// CHECK-NOT: call
graph parts(x: f32[24, 64], w: f32[64, 96], v: f32[64, 64]) -> (m: f32[24]) {
    z = concat(matmul(x, w), matmul(x, v), axis = 1)
    m[i] = max[j] z[i, j]
}
