mg 1
// A loop begins with a value, and changes a carried value, in the same bytes if nothing reads the old ones later.
// RUN: %mgc --emit-memplan %s | %FileCheck %s
// RUN: %mgc run %s --input x=1,2,3,4 --input w=0.5,2,1,1 | %FileCheck %s --check-prefix=OUT
// RUN: %mgc run %s --input x=1,2,3,4 --input w=0.5,2,1,1 -O0 | %FileCheck %s --check-prefix=OUT
// RUN: %mgc run %s --input x=1,2,3,4 --input w=0.5,2,1,1 --interp | %FileCheck %s --check-prefix=OUT
// CHECK: rows1 {{.*}} in place of rows
// CHECK: half {{.*}} its own bytes
// CHECK: rows2 {{.*}} its own bytes
// CHECK: old1 {{.*}} its own bytes
// CHECK: both {{.*}} in place of filled
// OUT: end: f32[4] = [0.0625, 32.0, 3.0, 4.0]
// OUT: total: f32[4] = [1.9375, 62.0, 15.0, 20.0]
// OUT: first: f32[4] = [0.125, 16.0, 3.0, 4.0]
graph g(x: f32[4], w: f32[4]) -> (end: f32[4], total: f32[4], first: f32[4])
{
    none[t in 0..5, i]: f32[5, 4] = 0
    // the rows are written over those of the trip before; y is read after h changes
    end, filled = loop t in 0..4 carry (h = x, rows = none) {
        rows1[t + z, i] else none = last[z in 0..1] h[i] over rows
        half[i] = h[i] * w[i]
        next h = half, rows = rows1
    }
    // the rows go on in another loop, which reads the old value behind the new one
    both, old = loop t in 4..5 carry (rows = filled, o = x) {
        rows2[t + z, i] else none = last[z in 0..1] end[i] over rows
        old1[i] = rows[4, i] + rows[3, i] + 0 * o[i]
        next rows = rows2, o = old1
    }
    total[i] = sum[t] both[t, i]
    first[i] = old[i]
}
