mg 1
// A product of split f32 asks for the boxes of a later block when its first step has been started, not its last one; its groups stay
// for several tiles, and begin the next one's boxes while they finish one.
// RUN: %mgc --emit-opencl --target=gpu --march=h200,cu=132,items=1024,local=49152,warp=32,ptx=90,boxes %s | %FileCheck %s
// RUN: %mgc --emit-kernels --target=gpu --march=h200,cu=132,items=1024,local=49152,warp=32,ptx=90,boxes %s | %FileCheck %s --check-prefix=STAY

// CHECK: for (int kb
// CHECK-COUNT-3: wgmma.mma_async
// CHECK-NOT: wgmma.mma_async
// CHECK: cp.async.bulk.tensor
// CHECK: wgmma.mma_async

// STAY: kernel contraction{{.*}} groups
// STAY: next: i64 =

import nn
graph main(x: f32[64, 56, 56, 64], w: f32[3, 3, 64, 64]) -> (y: f32[64, 56, 56, 64]) {
    y[n, h, v, m in 0..64]: f32[64, 56, 56, 64] = sum[k0 in 0..3, k1 in 0..3, c in 0..64] (x[n, h + k0 - 1, v + k1 - 1, c] else 0.0) * w[k0, k1, c, m]
}
