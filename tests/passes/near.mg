mg 1
// If a strip of columns is packed for few rows, it stays in the first cache until the last of them has read it.
// RUN: %mgc --emit-schedule --march=x86-64-v3 --graph=few %s | %FileCheck %s --check-prefix=FEW
// RUN: %mgc --emit-schedule --march=x86-64-v3 --graph=many %s | %FileCheck %s --check-prefix=MANY
// RUN: %mgc --emit-kernels --march=x86-64-v3 --graph=wide %s | %FileCheck %s --check-prefix=WIDE
graph few(x: f32[1, 64, 40, 40], w: f32[16, 64, 3, 3]) -> (y) {
    y = relu(conv(x, w, pad = 1))
}
// FEW: for p2 by 198
// FEW: do y_3 at last p2
graph many(x: f32[1, 64, 40, 40], w: f32[256, 64, 3, 3]) -> (y) {
    y = relu(conv(x, w, pad = 1))
}
// MANY-NOT: for p2 by
// The masks of many taps fill the registers, so a vector without an element outside has none.
graph wide(x: f32[1, 8, 50, 264], w: f32[8, 8, 3, 39]) -> (y) {
    y = conv(x, w, pad = [1, 19])
}
// WIDE: if {{.*}} <= 264
// WIDE-NOT: inside
// WIDE: } else {
// WIDE: inside
