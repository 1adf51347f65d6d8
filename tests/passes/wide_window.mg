// A window with rows of 39 taps is packed by the runs in which the image lies, as smaller ones are. Its result is not
// stored with channels innermost, since the next window, which sums over them, would gather each of its vectors.
// RUN: %mgc --emit-schedule --march=x86-64-v3 --weights=random %s | %FileCheck %s
// RUN: %mgc --explain=layouts --march=x86-64-v3 --weights=random %s 2>&1 | %FileCheck %s --check-prefix=ORDER
mg 1
import nn
// CHECK: stage x as {{.*}} by runs
// ORDER: h {{.*}}as written
graph g(x: f32[1, 8, 172, 264]) -> (y: f32[1, 1, 172, 264])
    weights "wide_window.safetensors"
{
    param w: f32[8, 8, 3, 39]
    param v: f32[1, 8, 5, 5]
    h = relu(conv2d(x, w, pad = [1, 19]))
    y = conv2d(h, v, pad = 2)
}
