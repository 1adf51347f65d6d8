// A product's factor that no trip of a loop changes is packed before the loop; before the outermost such loop, if loops
// lie in one another. What a trip changes is packed in each, and so is what a loop of one trip reads.
// RUN: %mgc --emit-plan --graph=g %s | %FileCheck %s
// RUN: %mgc --emit-plan --graph=nested %s | %FileCheck --check-prefix=NESTED %s
// RUN: %mgc --emit-plan --graph=changed %s | %FileCheck --check-prefix=CHANGED %s
// RUN: %mgc --emit-plan --graph=single %s | %FileCheck --check-prefix=CHANGED %s
mg 1
// CHECK: // site [[PACK:[0-9]+]]: n (pack)
// CHECK: kernel plan
// CHECK: call #{{[0-9]+}} site [[PACK]](in1 + 0, [[PACKED:arena [+] [0-9]+]])
// CHECK: for t in 0..3
// CHECK: call #{{[0-9]+}} site {{[0-9]+}}({{.*}}in1 + 0, {{.*}}[[PACKED]])
graph g(x: f32[16, 256], w: f32[512, 256]) -> (y: f32[16, 256]) {
    y = loop t in 0..3 carry (s = x) {
        n[i, j]: f32[16, 512] = sum[k] s[i, k] * w[j, k]
        m[i, j]: f32[16, 256] = tanh(n[i, j]) - n[i, j + 256]
        next s = m
    }
}
// NESTED: // site [[PACK:[0-9]+]]: n (pack)
// NESTED: kernel plan
// NESTED: call #{{[0-9]+}} site [[PACK]](
// NESTED: for t in 0..3
// NESTED: for t.2 in 0..2
// NESTED-NOT: site [[PACK]](
graph nested(x: f32[16, 256], w: f32[512, 256]) -> (y: f32[16, 256]) {
    y = loop t in 0..3 carry (s = x) {
        z = loop u in 0..2 carry (r = s) {
            n[i, j]: f32[16, 512] = sum[k] r[i, k] * w[j, k]
            m[i, j]: f32[16, 256] = tanh(n[i, j]) - n[i, j + 256]
            next r = m
        }
        next s = z
    }
}
// CHANGED-NOT: (pack)
graph changed(x: f32[16, 256], w: f32[3, 512, 256]) -> (y: f32[16, 256]) {
    y = loop t in 0..3 carry (s = x) {
        n[i, j]: f32[16, 512] = sum[k] s[i, k] * w[t, j, k]
        m[i, j]: f32[16, 256] = tanh(n[i, j]) - n[i, j + 256]
        next s = m
    }
}
graph single(x: f32[16, 256], w: f32[512, 256]) -> (y: f32[16, 256]) {
    y = loop t in 0..1 carry (s = x) {
        n[i, j]: f32[16, 512] = sum[k] s[i, k] * w[j, k]
        m[i, j]: f32[16, 256] = tanh(n[i, j]) - n[i, j + 256]
        next s = m
    }
}
// The packed factor gives the same sums: of whole numbers, so that no order of additions matters.
// RUN: %mgc run -O0 --graph=whole --input a=random --input b=random --output=y=%t.plain.npy %s
// RUN: %mgc run -O2 --graph=whole --input a=random --input b=random --output=y=%t.npy %s && cmp %t.npy %t.plain.npy
// RUN: %mgc run --threads=3 --share=all --graph=whole --input a=random --input b=random --output=y=%t.npy %s && cmp %t.npy %t.plain.npy
graph whole(a: i32[16, 64], b: i32[96, 64]) -> (y: f32[16, 64]) {
    x[i, k] = f32(mod(a[i, k], 5))
    w[j, k] = f32(mod(b[j, k], 5))
    y = loop t in 0..3 carry (s = x) {
        z = loop u in 0..t + 1 carry (r = s) {
            n[i, j]: f32[16, 96] = sum[k] r[i, k] * w[j, k]
            m[i, j]: f32[16, 64] = min(max(n[i, j] - n[i, j + 32], -9), 9)
            next r = m
        }
        next s = z
    }
}
