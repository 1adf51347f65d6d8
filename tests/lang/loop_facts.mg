// The body of a loop knows the range of its trip number, and the statements behind the loop know nothing of it: the loop
// may have no trips.
// RUN: %mgc --emit-ir -O0 %s | %FileCheck %s
// RUN: %mgc run %s --input x=random --input s=random --set B=0 --interp | %FileCheck %s --check-prefix=NONE
// RUN: %mgc run %s --input x=random --input s=random --set B=0 | %FileCheck %s --check-prefix=NONE

// CHECK-NOT: require
// CHECK: d[i in 0..t + 1]: f32[B] = c[i]
// CHECK: w[]: f32[] = x[0] else 0.5
// NONE: w: f32[] = 0.5
mg 1
graph g(x: f32[B], s: f32[B]) -> (v: f32[B], w: f32[]) {
    v = loop t in 0..B carry (c = s) {
        d[i in 0..t + 1]: f32[B] = c[i]
        d[i in t + 1..B]: f32[B] = x[i]
        next c = d
    }
    w[] = x[0] else 0.5
}
