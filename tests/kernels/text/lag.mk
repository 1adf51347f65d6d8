// A wide product whose sums begin at 0, of rows and columns with two lines of depth. Only the stores that land later lag
// behind it.
// RUN: %mgc kernels %s --run | %FileCheck %s
// RUN: %mgc kernels %s -o %t.mk && grep -v '^//' %s | grep . | diff - %t.mk

// Rows are 1 in the first line and 2 in the second, columns 1 and 3, so the result is 64 + 6 * 64. The stores have landed
// after the second product, which has other sums, so the third finds 0 in the first line of columns.
// CHECK: y: f32[8] = [448.0, 448.0, 448.0, 448.0, 384.0, 384.0, 384.0, 384.0]
kernel lag(y: out f32[8]) items 128 {
  alloc private thread first: f32<4>[1]
  alloc private thread second: f32<4>[1]
  alloc private thread third: f32<4>[1]
  alloc shared group rows: bf16[8192] align 1024
  alloc shared group columns: bf16[1024] align 1024
  group g in 0..1 {
    item i in 0..4096 {
      rows[i] = 1.0bf16
      rows[i + 4096] = 2.0bf16
    }
    item j in 0..512 {
      columns[j] = 1.0bf16
      columns[j + 512] = 3.0bf16
    }
    barrier group
    product first[16, 8] = rows[0] in_lines * columns[0] in_lines, 128 deep by bf16
    barrier group
    product second[16, 8] = rows[0] in_lines * rows[0] in_lines, 64 deep by bf16 stores_lag meanwhile {
      if local_id < 64 {
        columns[local_id * 8]<8> = later 0.0bf16<8>
      }
    }
    second[0] = 0.0<4>
    product second[16, 8] = rows[0] in_lines * rows[0] in_lines, 64 deep by bf16
    barrier group
    product third[16, 8] = rows[0] in_lines * columns[0] in_lines, 128 deep by bf16
    if local_id < 4 {
      y[local_id] = lane<0>(first[0])
      y[local_id + 4] = lane<0>(third[0])
    }
  }
}
