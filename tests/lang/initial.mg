mg 1
// Initial values that ops compute. In the flat form each is an op, which may be read again.
// RUN: %mgc --emit-ir -O0 %s > %t && %FileCheck %s < %t
// RUN: %mgc --emit-ir -O0 %t | diff %t -
// RUN: %mgc run %s --input x=random > %t.a && %mgc run %t --input x=random | diff %t.a -
// RUN: %mgc --emit-ir -O0 %s | %mgc fmt - > /dev/null
op eye(n: int) -> (y: f32[n, n]) { y[i, j] = where(i == j, f32(1), 0) }
layer cell(x: f32[B, I], features: int, layers: int) -> (y: f32[B, features]) {
    param w: f32[features, _] = random_normal(scale = 0.5 / sqrt(2.0 * layers))
    y = linear(x, w)
}
layer tower(x: f32[B, I], layers: int) -> (y: f32[B, I]) {
    param h[layers]: cell(features = I, layers = layers)
    y = x
    for i in 0..layers { y = h[i](y) }
}
// CHECK: graph g(
// CHECK: param q: bf16[8] = initial_[[Q:[0-9a-f]+]]()
// CHECK: param e: f32[8, 8] = initial_[[E:[0-9a-f]+]]()
// CHECK: buffer seeds: u32[3] = initial_[[S:[0-9a-f]+]]()
// CHECK: param t.h.0.w: f32[8, 8] = initial_[[W:[0-9a-f]+]]()
// CHECK: param t.h.1.w: f32[8, 8] = initial_[[W]]()
// CHECK: op initial_[[Q]](seed: u64[]) -> (y: bf16[8])
// CHECK: op initial_[[E]](seed: u64[]) -> (y: f32[8, 8])
// CHECK: op initial_[[S]](seed: u64[]) -> (y: u32[3])
// CHECK: op initial_[[W]](seed: u64[]) -> (y: f32[8, 8])
// CHECK: 0.25 * sqrt(
// CHECK-NOT: op
graph g(x: f32[2, 8]) -> (y: f32[2, 8], s: u32[3]) {
    param t: tower(layers = 2)
    z = loop i in 0..3 carry (a = x) {
        param q: bf16[8] = random_uniform(low = -1.0)
        param e: f32[8, 8] = eye(n = 8)
        b[n, j] = (sum[k] a[n, k] * e[k, j]) + f32(q[j])
        next a = b
    }
    buffer seeds: u32[3] = random_bits()
    s[i] = seeds[i]
    y = t(z)
}
