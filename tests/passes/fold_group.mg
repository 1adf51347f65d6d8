// A group is one kernel, so its ops stay equations, also if they are constants. What fuse makes can be compiled again.
// RUN: %mgc --emit-ir -O2 %s | %FileCheck %s
// RUN: %mgc run %s -O2 --input x=ones | %FileCheck %s --check-prefix=VALUES

// CHECK: e[i in 0..2]: f32[2] = exp(s[i]) + 1.0
// CHECK: const before: f32[2] = [2.0, 3.0]
// VALUES: [0.5, 0.5, 0.5]
mg 1
graph g(x: f32[2, 3]) -> (y: f32[2, 3], z: f32[2]) {
    p: f16[2] = fused {
        s[h in 0..2]: f16[2] = -1000 * f32(h + 1)
        e[i in 0..2]: f32[2] = exp(s[i]) + 1
        p_in[i in 0..2]: f16[2] = e[i] / 2
        yield p_in
    }
    y[h in 0..2, w in 0..3]: f32[2, 3] = p[h] * x[h, w]
    before[i in 0..2]: f32[2] = f32(i) + 2
    z[i] = log(before[i]) * x[i, 0]
}
