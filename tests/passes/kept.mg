// Values that depend on parameters and constants alone are made once, in the block that only the first run enters: the
// packed factor of a contraction, and the counts of an average, but not a value that the number of a trip picks.
// RUN: %mgc --emit-plan %s | %FileCheck %s
// CHECK: kernel plan
// CHECK: if slots[2] == 0 {
// CHECK: site {{[0-9]+}} untimed(weight0
// CHECK: slots[2] = 1
// CHECK: for t in 0..3
// CHECK: site {{[0-9]+}}({{.*}}weight1
mg 1
graph g(x: f32[16, 64]) -> (y: f32[16, 64])
    weights "none.safetensors"
{
    param once: f32[64, 64]
    param each: f32[3, 64, 64]
    h = matmul(x, once)
    y = loop t in 0..3 carry (s = h) {
        n[i, j]: f32[16, 64] = sum[k] s[i, k] * each[t, k, j]
        next s = n
    }
}
