// RUN: %mgc --emit-ir -O0 --graph=blocks %s | %FileCheck %s
// RUN: %mgc --emit-ir -O0 --graph=shifted %s | %FileCheck %s --check-prefix=SHIFTED
// RUN: %mgc run --graph=blocks %s --input x=1,2,3,4,5,6,7 | %FileCheck %s --check-prefix=OUT
mg 1
// A size that is divided twice: 2 * (D / 4) is at most D / 2, so each read is inside.
op blocks_of(x: f32[W * k], k: int) -> (y: f32[W, k]) { y[w, b] = x[(w, b)] }

// CHECK: require 2*((D + 1)/4) >= (D + 1)/2
// CHECK: y[w in 0..(D + 1)/4, b in 0..2]: f32[(D + 1)/4, 2] = h[2*w + b]
// OUT: y: f32[2, 2] =
// OUT-NEXT: {{\[\[}}1.0, 3.0],
// OUT-NEXT: [5.0, 7.0]]
graph blocks(x: f32[D]) -> (y) {
    h[i in 0..(D + 1) / 2] = x[2 * i]
    y = blocks_of(h, k = 2)
}

// SHIFTED: y[i in 0..(D + 3)/4 - 1]: f32[(D + 3)/4 - 1] = h[2*i + 1]
graph shifted(x: f32[D]) -> (y: f32[((D - 3) / 2 + 1) / 2]) require D >= 8
{
    h[i in 0..(D - 3) / 2 + 1] = x[2 * i]
    y[i] = h[2 * i + 1]
}
