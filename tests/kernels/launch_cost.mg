mg 1
// Launches of loops in loops, and of loops of any range, are counted without overflow.
// RUN: %mgc --emit-opencl --graph=nested --target=gpu --march=cu=132 --explain=launch %s 2>&1 >/dev/null | %FileCheck %s
// RUN: %mgc --emit-opencl --graph=far --target=gpu --march=cu=132 --explain=launch %s 2>&1 >/dev/null | %FileCheck %s

// CHECK: 1000000000 separate launches, about {{[0-9]+}} s a pass
// CHECK-NEXT: one kernel with barriers, about {{[0-9]+}} s a pass: not taken
graph nested(x: f32[4]) -> (y: f32[4]) {
    y = loop i in 0..1000000 carry (a = x) {
        b = loop j in 0..1000000 carry (c = a) {
            next c = relu(c)
        }
        next a = b
    }
}
graph far(x: f32[4]) -> (y: f32[4]) {
    y = loop i in -9000000000000000000..9000000000000000000 carry (a = x) {
        next a = relu(a)
    }
}
