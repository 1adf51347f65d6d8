// A sum over pixels, as the derivative of a convolution with respect to its weights: lanes run along the rows of the
// result, and rows of taps keep their lines of pixels. A convolution keeps its lanes along pixels.
// RUN: %mgc --emit-schedule --march=x86-64-v4 --graph=filter %s | %FileCheck %s
// RUN: %mgc --emit-schedule --march=x86-64-v3 --graph=filter %s | %FileCheck --check-prefix=AVX2 %s
// RUN: %mgc --emit-schedule --march=x86-64-v4 --graph=forward %s | %FileCheck --check-prefix=FORWARD %s
// The schedule is read back.
// RUN: %mgc --emit-schedule --march=x86-64-v4 --graph=filter %s >%t.mgs
// RUN: %mgc --emit-schedule --march=x86-64-v4 --graph=filter --schedule=%t.mgs %s | cmp - %t.mgs
// The sums are those of the definition, of whole numbers, so that no order of additions matters.
// RUN: %mgc run -O0 --graph=whole --input a=random --input b=random --output=d=%t.plain.npy %s
// RUN: %mgc run --graph=whole --input a=random --input b=random --output=d=%t.npy %s && cmp %t.npy %t.plain.npy
// RUN: %mgc run --march=x86-64-v3 --threads=3 --share=all --graph=whole --input a=random --input b=random \
// RUN: --output=d=%t.npy %s && cmp %t.npy %t.plain.npy
// RUN: %mgc --emit-schedule --graph=whole %s | %FileCheck --check-prefix=WHOLE %s
mg 1
// CHECK: index [[TAPS:p[0-9]*]] = c * kh * kw
// CHECK: stage dy as [o / 32, [[PIXELS:p[0-9]*]], 32]
// CHECK: stage x as {{\[}}[[TAPS]], [[PIXELS]]]
// CHECK: lane(16)
// AVX2: stage dy as [o / 16, [[PIXELS:p[0-9]*]], 16]
graph filter(x: f32[4, 32, 16, 16], dy: f32[4, 64, 16, 16]) -> (d: f32[64, 32, 3, 3]) {
    d[o, c, kh in 0..3, kw in 0..3]: f32[64, 32, 3, 3] = sum[n, h, w] dy[n, o, h, w]
        * (x[n, c, h + kh - 1, w + kw - 1] else 0)
}
// FORWARD: stage x as {{.*}} by runs
graph forward(x: f32[4, 32, 16, 16], w: f32[64, 32, 3, 3]) -> (y: f32[4, 64, 16, 16]) {
    y[n, o, i in 0..16, j in 0..16]: f32[4, 64, 16, 16] = sum[c, kh, kw] w[o, c, kh, kw]
        * (x[n, c, i + kh - 1, j + kw - 1] else 0)
}
// Lines of 12 pixels end in a part of a vector, the last strip has 5 rows of 37, and groups are a batch.
// WHOLE: stage x as [p
graph whole(a: i32[3, 2, 12, 8, 12], b: i32[3, 2, 37, 8, 12]) -> (d: f32[2, 37, 12, 3, 3]) {
    x[n, g, c, h, w] = f32(mod(a[n, g, c, h, w], 5))
    dy[n, g, o, h, w] = f32(mod(b[n, g, o, h, w], 5))
    d[g, o, c, kh in 0..3, kw in 0..3]: f32[2, 37, 12, 3, 3] = sum[n, h, w] dy[n, g, o, h, w]
        * (x[n, g, c, h + kh - 1, w + kw - 1] else 0)
}
