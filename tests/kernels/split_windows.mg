mg 1
// RUN: %mgc --emit-schedule --target=gpu --march=h200,cu=132,items=1024,local=49152,warp=32,ptx=90,boxes --weights=random %s | %FileCheck %s
// RUN: %mgc --emit-kernels --target=gpu --march=h200,cu=132,items=1024,local=49152,warp=32,ptx=90,boxes --weights=random %s | %FileCheck %s --check-prefix=IR

// Rows of f32 are split as items read them, so windows come as boxes, and no run packs them; weights are split once. The next boxes
// are asked for while a block is multiplied.
// CHECK: schedule y on gpu
// CHECK-NOT: in common
// CHECK: stage w as {{.*}} in kept
// CHECK-NOT: in common
// CHECK: do y with tf32 by split

// IR: box rows[{{.*}} walk 128
// IR: product {{.*}}, 32 deep by tf32 split {{[0-9]+}} meanwhile {
// IR: box rows[{{.*}} walk 128
// IR: }
// IR: release slot
graph convolution(x: f32[64, 28, 28, 128]) -> (y: f32[64, 28, 28, 128])
    weights "none.safetensors"
{
    param w: f32[3, 3, 128, 128]
    y[n, h, v, m in 0..128]: f32[64, 28, 28, 128] = sum[i in 0..3, j in 0..3, c in 0..128] (x[n, h + i - 1, v + j - 1, c] else 0.0) * w[i, j, c, m]
}
