// A write is computed if the reduction's indices stand on its left side, whatever their subscripts come to: a place that
// does not depend on them takes every value. Entries of a tuple may be bound, too. What is printed is read back.
// RUN: %mgc run %s --set A=1 --input x=1,2,3,4 --input b=5,6,7 | %FileCheck %s
// RUN: %mgc --emit-ir -O0 --set A=1 %s | %mgc run - --input x=1,2,3,4 --input b=5,6,7 | %FileCheck %s
// RUN: %mgc --emit-ir -O2 --set A=1 %s | %mgc run - --interp --input x=1,2,3,4 --input b=5,6,7 | %FileCheck %s
mg 1
graph g(x: f32[4, A], b: f32[3]) -> (scaled: f32[2, A], folded, kept, outside, rows, pairs) {
    scaled[m * (A - 1), j] = sum[m in 0..4, j in 0..A] x[m, j]
    folded[m % 1]: f32[3] = max[m in 0..4] x[m, 0]
    kept[m - m + 1]: f32[3] else none = last[m in 0..4] x[m, 0] over b
    outside[m - m + 3]: f32[3] else none = sum[m in 0..4] x[m, 0] over b
    rows[i in 0..2, m * (A - 1)]: f32[2, 1] else none = sum[m in 0..4] x[m, 0] * b[i]
    pairs[(i, m)]: f32[8] = sum[m in 0..4, i in 0..2] x[m, 0] * b[i]
}
// CHECK: scaled: f32[2, 1] =
// CHECK-NEXT: [10.0]
// CHECK-NEXT: [0.0]
// CHECK: folded: f32[3] = [4.0, -inf, -inf]
// CHECK: kept: f32[3] = [5.0, 4.0, 7.0]
// CHECK: outside: f32[3] = [5.0, 6.0, 7.0]
// CHECK: rows: f32[2, 1] =
// CHECK-NEXT: [50.0]
// CHECK-NEXT: [60.0]
// CHECK: pairs: f32[8] = [5.0, 10.0, 15.0, 20.0, 6.0, 12.0, 18.0, 24.0]
