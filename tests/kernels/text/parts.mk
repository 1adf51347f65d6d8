// A product of 32 items that splits factors of f32 has the sums of whole factors, also if these are infinite, and adds them to
// the item's. It is one of tf32, and not wide. What follows on the next line may have a name that ends such a line.
// RUN: %mgc kernels %s --run | %FileCheck %s
// RUN: %mgc kernels %s -o %t.mk && grep -v '^//' %s | grep . | diff - %t.mk
// RUN: sed 's/by tf32 splits/by bf16 splits/' %s > %t.wrong.mk; %not %mgc kernels %t.wrong.mk 2>&1 | %FileCheck %s --check-prefix=ATOM
// ATOM: a product that splits factors is one of tf32 by 32 items

// 1 and eight times 1.0000001 * 3, and 1 and eight times infinity.
// CHECK: y: f32[4] = [25.000002, 25.000002, inf, inf]
kernel parts(y: out f32[4]) items 32 {
  alloc private thread sums: f32<4>[1]
  alloc private thread splits: f32<4>[1]
  alloc shared group rows: f32[128]
  alloc shared group columns: f32[64]
  group g in 0..1 {
    item i in 0..128 {
      rows[i] = where(i < 64, 1.0000001, inf)
    }
    item j in 0..64 {
      columns[j] = 3.0
    }
    sums[0] = 1.0<4>
    barrier group
    product sums[16, 8] += rows[0]<8, 1> * columns[0]<8, 1>, 8 deep by tf32 splits
    splits[0] = 1.0<4>
    product splits[16, 8] += rows[0]<8, 1> * columns[0]<8, 1>, 8 deep by tf32
    splits[0] = sums[0]
    if local_id < 1 {
      y[0]<4> = splits[0]
    }
  }
}
