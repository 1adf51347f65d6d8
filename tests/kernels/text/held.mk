// A wide product whose rows are held by the items: each holds as much of 16 rows as it has of the sums. So the items of a
// row meet at the product, and see what the others held there.
// RUN: %mgc kernels %s --run | %FileCheck %s
// RUN: %mgc kernels %s -o %t.mk && grep -v '^//' %s | grep . | diff - %t.mk
// RUN: sed 's/^ .*16 deep by bf16/& meanwhile {\n rows[0] = 0.0bf16<4>\n }/' %s > %t.wrong.mk
// RUN: %not %mgc kernels %t.wrong.mk --run 2>&1 | %FileCheck %s --check-prefix=CHANGED
// CHANGED: rows of a product change while it is computed

// Element d of row r is r + d, and columns are 1. So the sum of row 0 is 120, that of row 1 is 136, and so on.
// CHECK: y: f32[4] = [120.0, 136.0, 248.0, 1128.0]
kernel held(y: out f32[4]) items 128 {
  alloc private thread sums: f32<4>[1]
  alloc private thread rows: bf16<4>[2]
  alloc shared group columns: bf16[512] align 1024
  group g in 0..1 {
    item i in 0..512 {
      columns[i] = 1.0bf16
    }
    row: i64 = (shr(local_id, 5) * 16) + and(shr(local_id, 2), 7)
    at: i64 = row + (and(local_id, 3) * 2)
    rows[0] = cast<bf16>(cast<f32>(permute<0 1 2 3>(ramp<2>(at, 1), ramp<2>(at + 8, 1))))
    rows[1] = cast<bf16>(cast<f32>(permute<0 1 2 3>(ramp<2>(at + 8, 1), ramp<2>(at + 16, 1))))
    barrier group
    product sums[16, 8] = rows[0] held * columns[0] in_lines, 16 deep by bf16
    rows[0] = 0.0bf16<4>
    if local_id == 0 {
      y[0] = lane<0>(sums[0])
      y[2] = lane<2>(sums[0])
    }
    if local_id == 4 {
      y[1] = lane<0>(sums[0])
    }
    if local_id == 127 {
      y[3] = lane<2>(sums[0])
    }
  }
}
