// An argmax has no result over no terms, which is told before the run, also where a range depends on the row; without rows there is nothing to tell.
// One of its indices that has terms is enough. An inner argmax is computed once for all rows that it doesn't name, also for none.
// The derivative of a maximum over nothing has no elements, and that of others belongs to the first of the largest, or the first NaN, or to a base that is one.
// RUN: %mgc run %s --graph=places --set N=0 --set D=0 --input x=zeros | %FileCheck %s --check-prefix=NONE
// RUN: %not %mgc run %s --graph=places --set N=2 --set D=0 --input x=zeros 2>&1 | %FileCheck %s --check-prefix=EMPTY
// RUN: %not %mgc run --interp %s --graph=places --set N=2 --set D=0 --input x=zeros 2>&1 | %FileCheck %s --check-prefix=EMPTY
// RUN: %not %mgc run %s --graph=before --input x=1,2,3 2>&1 | %FileCheck %s --check-prefix=BEFORE
// RUN: %mgc run %s --graph=below --input x=1,3,2 | %FileCheck %s --check-prefix=BELOW
// RUN: %mgc run --interp %s --graph=below --input x=1,3,2 | %FileCheck %s --check-prefix=BELOW
// RUN: %not %mgc run %s --graph=below --input x=1 2>&1 | %FileCheck %s --check-prefix=ONE
// RUN: %not %mgc run %s --graph=apart --set N=0 --set D=0 --input x=zeros --input z=zeros 2>&1 | %FileCheck %s --check-prefix=APART
// RUN: %not %mgc run --interp %s --graph=apart --set N=0 --set D=0 --input x=zeros --input z=zeros 2>&1 | %FileCheck %s --check-prefix=APART
// RUN: %mgc run %s --graph=slope --set N=2 --set D=0 --input x=zeros --input w=ones | %FileCheck %s --check-prefix=NOTHING
// RUN: %mgc run --interp %s --graph=slope --set N=2 --set D=0 --input x=zeros --input w=ones | %FileCheck %s --check-prefix=NOTHING
// RUN: %mgc run %s --graph=slope --set N=2 --set D=3 --input x=1,2,2,nan,1,nan --input w=4,5 | %FileCheck %s --check-prefix=FIRST
// RUN: %mgc run %s --graph=onto --input x=1,nan,nan,4 --input b=nan,1 --input w=4,5 | %FileCheck %s --check-prefix=BASE
// RUN: %mgc --emit-ir -O0 --graph=slope %s | %mgc run - --set N=2 --set D=0 --input x=zeros --input w=ones | %FileCheck %s --check-prefix=NOTHING
mg 1
graph places(x: f32[N, D]) -> (p: i64[N]) { p[n] = argmax[d] x[n, d] }
graph before(x: f32[N]) -> (p: f32[N]) { p[n] = f32(argmin[d in 0..n] x[d]) }
graph below(x: f32[N]) -> (p: i64) { p[] = argmax[a in 0..N, b in 0..a] x[b] }
graph apart(x: f32[N], z: f32[D]) -> (p: f32[N]) { p[n] = x[n] + f32(argmax[d] z[d]) }
graph slope(x: f32[N, D], w: f32[N]) -> (d: f32[N, D]) {
    m[n] = max[k] x[n, k]
    d = derivative(m, x, along = w)
}
// NONE: p: i64[0] = []
// EMPTY: argmax over no elements has no result: this needs D >= 1 or 0 >= N (N = 2 from x, D = 0 from x)
// BEFORE: argmin over no elements has no result
graph onto(x: f32[4], b: f32[2], w: f32[2]) -> (dx: f32[4], db: f32[2]) {
    y[i / 2] = max[i] x[i] over b
    dx = derivative(y, x, along = w)
    db = derivative(y, b, along = w)
}
// BELOW: p: i64[] = 2
// ONE: argmax over no elements has no result: this needs N >= 2 (N = 1 from x)
// APART: argmax over no elements has no result: this needs D >= 1 (D = 0 from z)
// NOTHING: d: f32[2, 0]
// FIRST: [0.0, 4.0, 0.0],
// FIRST: [5.0, 0.0, 0.0]
// BASE: dx: f32[4] = [0.0, 0.0, 5.0, 0.0]
// BASE: db: f32[2] = [4.0, 0.0]
