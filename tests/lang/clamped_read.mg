mg 1
// RUN: %mgc --emit-ir -O0 %s | %FileCheck --strict-whitespace %s
// RUN: %mgc --emit-ir -O0 %s > %t.mg && %mgc --emit-ir -O0 %t.mg | %FileCheck --strict-whitespace %s
// What is required doesn't repeat what is proved: the least subscript is min(0, D - 1), and 0 is inside.
graph clamped(x: f32[D, 12]) -> (y) {
    y[i in 0..D + 2, j in 0..12] = x[min(D - 1, max(0, i - 2)), j]
}
// CHECK: require D >= 1 : "'x' is read out of bounds at axis 0 of size {D}"{{$}}
