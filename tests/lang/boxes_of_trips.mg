mg 1
// RUN: %mgc --emit-ir -O0 %s -o %t.mg
// RUN: %FileCheck %s < %t.mg
// RUN: %mgc --emit-ir -O0 %t.mg | diff %t.mg -
// RUN: %mgc run %s --input x=1,2 --input h=1,2,3,4 --input k=9 --input w=ones | %FileCheck %s --check-prefix=VALUES
// Boxes that depend on the trip of a loop that has none or one, and derivatives of slices there.
op turned<T: float>(x: T[N, M], h: T[D], trips: int) -> (y: T[D]) {
    r = loop t in 0..trips carry (s = h) {
        moved[i in 0..3 - t]: T[D] = s[i] * 2
        moved[i in 3 - t..4 - t]: T[D] = s[i] * x[t, 0]
        moved[i in 4 - t..D]: T[D] = s[i]
        z = loop q in 0..t carry (e = moved) {
            more[d] = e[d] + x[q, 0]
            next e = more
        }
        next s = z
    }
    y[d] = r[d]
}
// A place that data decide is inside by its modulus, in derivatives too.
// CHECK: d[o in 0..2, i in 0..4]: f32[2, 4] = d_v[o] * h[floormod(k[] + i, 4)] #
graph g(x: f32[1, 2], h: f32[4], w: f32[2, 4], k: i64[])
    -> (y: f32[4], dx: f32[1, 2], never: f32[4], d: f32[2, 4])
{
    y = turned(x, h, trips = 1)
    v[o] = sum[i in 0..4] w[o, i] * h[(k[] + i) % 4]
    l[] = (sum[o] v[o] * v[o]) + (sum[i] y[i])
    dx = derivative(l, x)
    d = derivative(l, w)
    never = turned(x, h, trips = 0)
}
// VALUES: y: f32[4] = [2.0, 4.0, 6.0, 4.0]
// VALUES: never: f32[4] = [1.0, 2.0, 3.0, 4.0]
