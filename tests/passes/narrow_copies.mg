// A value that a product reads rounded, and something else as it is, has a rounded copy on a GPU. Sums of columns that round it read
// the copy, too; a sum along its row doesn't, since it may be part of the kernel that computes the value.
// RUN: %mgc --emit-ir --passes=narrow --verify-each --target=gpu --march=cu=2,items=64,warp=8 %s | %FileCheck %s
// RUN: %mgc --emit-ir --passes=narrow --verify-each %s | %FileCheck %s --check-prefix=CPU
// CPU-NOT: d_bf16
mg 1
graph g(x: f32[4, 8], w: bf16[8, 8])
    -> (y: f32[4, 8], bias: f32[8], row: f32[4], other: f32[8], whole: f32[4, 8])
{
    // CHECK: d[i in 0..4, j in 0..8]: f32[4, 8] = abs(
    // CHECK: d_bf16[{{.*}}: bf16[4, 8] = {{.*}}d[
    d[i, j]: f32[4, 8] = abs(x[i, j])
    // CHECK: y[{{.*}} sum[{{.*}} bf16(d_bf16[
    y[i, k] = sum[j] f32(bf16(d[i, j])) * f32(w[j, k])
    // CHECK: bias[{{.*}} sum[{{.*}} bf16(d_bf16[
    bias[j] = sum[i] f32(bf16(d[i, j]))
    // CHECK: row[{{.*}} sum[{{.*}} bf16(d[
    row[i] = sum[j] f32(bf16(d[i, j]))
    // CHECK: other[{{.*}} sum[{{.*}} f16(d[
    other[j] = sum[i] f32(f16(d[i, j]))
    whole[i, j] = d[i, j] * 2
}
