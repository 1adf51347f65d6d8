mg 1
// Matrix units take factors by vectors along the sum. So convolutions get channels innermost, and an image of three channels gets
// five more, which are zeros.
// RUN: %mgc --emit-ir --explain=layouts --target=gpu --march=cu=132,items=1024,local=49152,ptx=90 %s 2>%t.why | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=WHY < %t.why
// RUN: %mgc --emit-ir --target=gpu --march=cu=132,items=1024,local=49152 %s | %FileCheck %s --check-prefix=PLAIN
// RUN: %mgc --emit-schedule --target=gpu --march=cu=132,items=1024,local=49152,ptx=90 %s > %t.mgs && %FileCheck %s --check-prefix=TEXT < %t.mgs
import nn
graph net(image: f16[8, 3, 64, 64]) -> (y: f16[8, 128])
    weights "none.safetensors"
{
    param stem: nn.conv2d(channels = 64, kernel = 7, stride = 2, pad = 3, biased = false)
    param next: nn.conv2d(channels = 128, kernel = 3, pad = 1, biased = false)
    x = relu(stem(image))
    y = flatten(global_avg_pool(relu(next(x))))
}
// CHECK: image_padded[a0 in 0..8, a1 in 0..64, a2 in 0..64, a3 in 0..8]: f16[8, 64, 64, 8] = image[a0, a3, a1, a2] else 0.0
// CHECK: sum[k0 in 0..7, k1 in 0..7, c in 0..8] image_padded[n, 2*o0 + k0 - 3, 2*o1 + k1 - 3, c] else 0.0 * stem.weight[m, c, k0, k1] else 0.0
// CHECK: sum[k0 in 0..3, k1 in 0..3, c in 0..64] x[n, o0 + k0 - 1, o1 + k1 - 1, c] else 0.0 * next.weight[m, c, k0, k1]
// WHY: x {{.*}}instead of {{.*}} fewer to move
// PLAIN-NOT: image_padded
// PLAIN: sum[c in 0..3, k0 in 0..7, k1 in 0..7] image[n, c, 2*o0 + k0 - 3, 2*o1 + k1 - 3]
// TEXT: stage stem.weight as {{.*}} in kept
// TEXT: stage image_padded as [p, p2] in local
// TEXT: by wide
