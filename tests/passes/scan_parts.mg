// RUN: %mgc --emit-kernels --threads=2 %s | %FileCheck %s --check-prefix=KERNELS
// RUN: %mgc run --threads=3 --input few=1,2 %s | %FileCheck %s
// RUN: %mgc run --input few=1,2 %s | %FileCheck %s
mg 1
// Scans so long that workers share one: parts are reduced, then scanned. Results are compared with sums that are known, in all
// directions, with and without a last vector that is not whole.
// KERNELS: before[0] = max(before[0], sums[past])
// CHECK: wrong: i64[4] = [0, 0, 0, 0]
graph scans(few: f32[2]) -> (wrong: i64[4]) {
    x[i in 0..65573]: f32[65573] = f32(i % 7) * few[0]
    n[i in 0..65600]: i32[65600] = i32(i / 64) - i32(i % 2) * i32(few[1])
    up[i in 0..65573] = sum[j in 0..i + 1] x[j]
    down[i in 0..65573] = sum[j in i..65573] x[j]
    before[r in 0..1, i in 0..65536] = sum[j in 0..i] x[j + r]
    most[i in 0..65600] = max[j in 0..i + 1] n[j]
    // the sum of i % 7 below i: 21 for each seven, and 0 + 1 + … for the rest
    known[i in 0..65574]: i64[65574] = 21 * (i / 7) + (i % 7) * (i % 7 - 1) / 2
    a[] = sum[i in 0..65573] i64(up[i] != f32(known[i + 1]))
    b[] = sum[i in 0..65573] i64(down[i] != f32(known[65573] - known[i]))
    c[] = sum[i in 0..65536] i64(before[0, i] != f32(known[i]))
    d[] = sum[i in 0..65600] i64(most[i] != i32(i / 64))
    wrong[k in 0..4] = where(k == 0, a[], where(k == 1, b[], where(k == 2, c[], d[])))
}
