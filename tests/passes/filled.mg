// Reads of known elements become the elements, and a scatter that then writes every place once is none.
// RUN: %mgc --emit-ir --passes=canonicalise,fold,canonicalise --verify-each %s | %FileCheck %s
// RUN: %mgc run %s --graph=g --input x=ones -O0 | %FileCheck %s --check-prefix=VALUES
// RUN: %mgc run %s --graph=g --input x=ones -O1 | %FileCheck %s --check-prefix=VALUES
// VALUES: whole:
// VALUES-NEXT: 2.0, 2.0, 2.0, 2.0
// VALUES: first: {{.*}} = [0, 1, 2, 3
// VALUES: part:
// VALUES-NEXT: 7.0, 1.0, 1.0, 1.0
// VALUES: twice:
// VALUES-NEXT: 3.0, 3.0, 3.0, 3.0
// VALUES: told:
// VALUES-NEXT: 0.099975586
mg 1
graph g(x: f32[2, 4])
    -> (whole: f32[2, 4], turned: f32[4, 2], first: i64[4], part: f32[2, 4], twice: f32[2, 4],
        known: f32[2, 4], told: f32[2, 4])
{
    zero[]: i64[] = 0
    one[]: i64[] = 3 - 2
    old[i, j]: f32[2, 4] = 7
    // CHECK: whole[i in 0..2, {{.*}}]: f32[2, 4] = x[i, {{.*}}] * 2.0{{$}}
    whole[i, zero[] + j] = last[j in 0..4] x[i, j] * 2 over old
    // CHECK: turned[{{.*}} in 0..4, {{.*}} in 0..2]: f32[4, 2] = x[
    turned[one[] + j, i] = sum[i in 0..2, j in -1..3] x[i, j + 1]
    // CHECK: const first: i64[4] = [0, 1, 2, 3]
    first[zero[] + j] = max[j in 0..4] j
    // CHECK: part[i in 0..2, j + 1]: f32[2, 4] = last
    part[i, one[] + j] = last[j in 0..3] x[i, j] over old
    // CHECK: twice[i in 0..2, j]: f32[2, 4] = sum
    twice[i, zero[] + j] = sum[j in 0..4, k in 0..3] x[i, j] * f32(k)
    // CHECK: known[{{.*}}]: f32[2, 4] = x[i, j] * 9.0
    table[k in 0..3]: i32[3] = i32(k) * i32(k) + 5
    known[i, j] = x[i, j] * f32(table[2])
    // CHECK: told[{{.*}}]: f32[2, 4] = x[i, j] * 0.099975586
    tenth[i]: f16[2] = 0.1
    told[i, j] = x[i, j] * tenth[i]
}
// A range that another index bounds is no box.
// CHECK-LABEL: graph ranges
// CHECK: y[j - i, i]: f32[4, 3] = sum[i in 0..3, j in i..i + 4] x[j]
graph ranges(x: f32[7]) -> (y: f32[4, 3]) {
    y[j - i, i]: f32[4, 3] = sum[i in 0..3, j in i..i + 4] x[j]
}
