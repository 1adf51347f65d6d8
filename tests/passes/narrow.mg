// What every read rounds is stored rounded: half the bytes, and what multiplies matrices takes it as it lies.
// RUN: %mgc --emit-ir --passes=narrow --verify-each %s | %FileCheck %s
// RUN: %mgc --emit-ir --passes=narrow %s -o %t.mg && %mgc --emit-ir -O0 %t.mg | diff %t.mg -
// RUN: %mgc run %s --input x=ones --input w=ones -O3 | %FileCheck %s --check-prefix=VALUES
// VALUES: 8.125
mg 1
graph g(x: f32[4, 8], w: f32[8, 8])
    -> (y: f32[4, 8], z: f32[4, 8], e: f16[4, 8], n: bf16[4, 8], r: f32[4, 8], twice: f32[4, 8],
        two: f32[8, 8])
{
    // CHECK: both[{{.*}}: bf16[4, 8] = abs(
    both[i, j]: f32[4, 8] = abs(x[i, j])
    // CHECK: copied[{{.*}}: bf16[4, 8] = x[
    // CHECK: moved[{{.*}}: bf16[4, 8] = copied[
    copied[i, j]: f32[4, 8] = x[i, j] / 8
    moved[i, j]: f32[4, 8] = copied[i, j]
    // CHECK: once[{{.*}}: f32[4, 8] = sqrt(
    once[i, j]: f32[4, 8] = sqrt(x[i, j])
    // CHECK: differ[{{.*}}: f32[4, 8] = x[
    differ[i, j]: f32[4, 8] = x[i, j] / 8
    // CHECK: wide[{{.*}}: f64[4, 8] =
    wide[i, j]: f64[4, 8] = f64(x[i, j])
    // CHECK: placed[{{.*}}: f32[4, 8] =
    placed[i, j] = x[3, j] * f32(once[i, j] > 0)
    y[i, k] = (sum[j] f32(bf16(both[i, j])) * f32(bf16(w[j, k]))) + f32(bf16(moved[i, k]))
    z[i, k] = once[i, k] * f32(bf16(once[i, k])) * f32(bf16(differ[i, k])) * f32(f16(differ[i, k]))
    e[i, k] = f16(wide[i, k])
    // CHECK: meant[{{.*}}: bf16[4, 8] = f32(bf16(x[
    meant[i, j]: f32[4, 8] = f32(bf16(x[i, j]))
    r[i, j] = meant[i, 7 - j]
    // what is stored in f16 is rounded to it first
    // CHECK: half[{{.*}}: f16[4, 8] = x[
    half[i, j]: f16[4, 8] = x[i, j] / 3
    twice[i, j] = f32(f8e4m3(half[i, j]))
    // what is joined of rounded values is rounded
    // CHECK: joined[{{.*}}: bf16[8, 8] = meant[
    joined = concat(meant, meant, axis = 0)
    two[i, j] = joined[i, j] * 2
    // an output has its type
    n[i, k] = bf16(placed[i, k])
}
