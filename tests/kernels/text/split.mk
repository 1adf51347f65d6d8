// A wide product of split columns adds the products of rows by low columns to those of rows by columns.
// RUN: %mgc kernels %s --run | %FileCheck %s
// RUN: %mgc kernels %s -o %t.mk && grep -v '^//' %s | grep . | diff - %t.mk
// RUN: sed 's/split 256/split 200/' %s > %t.wrong.mk; %not %mgc kernels %t.wrong.mk 2>&1 | %FileCheck %s --check-prefix=LINES
// LINES: kernel split is invalid: a product of columns whose low parts are 200 elements behind
// RUN: sed 's/+= rows/= rows/' %s > %t.fresh.mk; %not %mgc kernels %t.fresh.mk 2>&1 | %FileCheck %s --check-prefix=FRESH
// FRESH: kernel split is invalid: a product of columns whose low parts are 256 elements behind

// Eight times 2.5 * 0.25 + 2.5 * 3.
// CHECK: y: f32[8] = [65.0, 65.0, 65.0, 65.0, 65.0, 65.0, 65.0, 65.0]
kernel split(y: out f32[8]) items 128 {
  alloc private thread sums: f32<4>[1]
  alloc shared group rows: f32[2048] align 1024
  alloc shared group columns: f32[512] align 1024
  group g in 0..1 {
    item i in 0..2048 {
      rows[i] = 2.5
    }
    item j in 0..512 {
      columns[j] = where(j < 256, 3.0, 0.25)
    }
    sums[0] = 0.0<4>
    barrier group
    product sums[16, 8] += rows[0] in_lines * columns[0] in_lines, 8 deep by tf32 split 256
    if local_id < 4 {
      y[local_id * 2]<2> = permute<0 1>(sums[0], sums[0])
    }
  }
}
