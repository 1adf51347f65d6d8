// Nothing is read where an index certainly has no values, so a subscript may be outside there. Passes make such reads of
// reads with an else.
// RUN: %mgc --emit-ir -O1 %s | %FileCheck %s
// RUN: %mgc --emit-ir -O1 %s | %mgc --emit-ir -O1 - | %FileCheck %s
// RUN: %mgc run %s --input x=random | %FileCheck %s --check-prefix=VALUES

// A box with an empty side isn't walked, however long its other sides are.
// RUN: printf 'mg 1\ngraph g(x: f32[N, 0]) -> (y: f32[], t) {\n y[] = sum[i, j] x[i, j]\n t = tile(x, times = [1099511627776, 1])\n}\n' > %t.mg
// RUN: %mgc run %t.mg --interp --set N=3000000 --input x=zeros | %FileCheck %s --check-prefix=LONG
// RUN: %mgc run %t.mg -O0 --set N=3000000 --input x=zeros | %FileCheck %s --check-prefix=LONG
// RUN: %mgc run %t.mg -O2 --set N=3000000 --input x=zeros | %FileCheck %s --check-prefix=LONG
// LONG: y: f32[] = 0.0
// LONG: t: f32[3298534883328000000, 0] =

// CHECK: sum[s in 0..i] x[0, 0]
// CHECK: sum[r in 0..j + 1, s in 0..i] x[0, 0]
// VALUES: v: f32[1] = [0.0]
mg 1
graph g(x: f32[13, 0]) -> (v: f32[1], w: f32[1, 3]) {
    v[i in 0..1] = sum[s in 0..i] x[0, 0]
    w[i in 0..1, j in 0..3] = sum[r in 0..j + 1, s in 0..i] (x[r / 3, 0] else 1)
}
