// A wide product: 128 items multiply 64 rows by 8 columns, which lie in lines. Later stores land with the next product, or
// when the sums are awaited, and so does a product that lags. A quarter of the items computes one of its own before.
// RUN: %mgc kernels %s --run | %FileCheck %s
// RUN: %mgc kernels %s -o %t.mk && grep -v '^//' %s | grep . | diff - %t.mk

// Rows are 1, and -1 from the 64th on. So the last two products subtract what the first two added, and more: column c is c
// there, and c + 1 once the stores have landed.
// CHECK: y: f32[8] = [-32.0, -32.0, -32.0, -32.0, -32.0, -32.0, -32.0, -32.0]
kernel wide(y: out f32[8]) items 128 {
  alloc private thread sums: f32<4>[1]
  alloc private thread small: f32<4>[1]
  alloc shared group rows: bf16[8192] align 1024
  alloc shared group columns: bf16[1024] align 1024
  group g in 0..1 {
    item i in 0..8192 {
      rows[i] = where(i < 4096, 1.0bf16, -1.0bf16)
    }
    item j in 0..512 {
      columns[j] = cast<bf16>(cast<f32>(floordiv(j, 64)))
      columns[j + 512] = cast<bf16>(cast<f32>(floordiv(j, 64)))
    }
    sums[0] = 0.0<4>
    small[0] = 0.0<4>
    barrier group
    if local_id < 32 {
      product small[16, 8] += rows[0]<64, 2> * columns[0]<64, 2>, 16 deep by bf16
    }
    product sums[16, 8] += rows[0] in_lines * columns[0] in_lines, 16 deep by bf16 lags meanwhile {
      if local_id < 64 {
        columns[(local_id * 8) + 512]<8> = later cast<bf16>(splat<8>(cast<f32>(floordiv(local_id, 8) + 1)))
      }
    }
    barrier group
    product sums[16, 8] += rows[0] in_lines * columns[0] in_lines, 16 deep by bf16 lags
    barrier group
    product sums[16, 8] += rows[4096] in_lines * columns[512] in_lines, 16 deep by bf16 lags
    barrier group
    product sums[16, 8] += rows[4096] in_lines * columns[512] in_lines, 16 deep by bf16
    if local_id < 4 {
      y[local_id * 2]<2> = permute<0 1>(sums[0], sums[0])
    }
  }
}
