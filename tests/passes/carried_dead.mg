mg 1
// The next value of a carried one takes over its bytes where nothing reads the old one any more, even if its own op never did. A
// carried value that is also emitted is then emitted first, so nothing else is copied.
// RUN: %mgc --emit-memplan --graph=cell %s | %FileCheck %s
// RUN: %mgc --emit-plan --graph=cell %s | %FileCheck %s --check-prefix=PLAN
// RUN: %mgc --emit-memplan --graph=branch %s | %FileCheck %s --check-prefix=BRANCH
// RUN: for mode in --interp -O0 -O2 -O3; do %mgc run --graph=cell --input x=1,2,3,4,5,6,7,8 %s $mode; done | %FileCheck %s --check-prefix=OUT
// RUN: for mode in --interp -O0 -O2 -O3; do %mgc run --graph=branch --input x=1,2 %s $mode; done | %FileCheck %s --check-prefix=CHOSEN
// RUN: %mgc --emit-memplan -O1 --graph=viewed %s | %FileCheck %s --check-prefix=VIEW
// RUN: for mode in --interp -O0 -O1 -O3; do %mgc run --graph=viewed --input x=1,2,3,4 %s $mode; done | %FileCheck %s --check-prefix=VIEWED
// CHECK: b {{.*}} in place of c
// CHECK: d {{.*}} in place of h
// PLAN: for t in
// PLAN-NEXT: call {{.*}} copies(
// PLAN-NEXT: barrier grid
// PLAN-NEXT: call {{.*}}site
// PLAN-NEXT: barrier grid
// PLAN-NEXT: call {{.*}}site
// PLAN-NEXT: barrier grid
// PLAN-NEXT: call {{.*}} copies(
// PLAN-NEXT: barrier grid
// PLAN-NEXT: }
// OUT: y: f32[2, 2] =
// OUT-NEXT: {{\[\[}}3452818.0, 21971462.0],
// OUT-NEXT: [4820607.5, 19139908.0]]
// OUT-NEXT: z: f32[2, 2, 2] =
// OUT-NEXT: {{\[\[\[}}62.5, 181.0],
// OUT-NEXT: [91.5, 170.0]],
// OUT-NEXT: {{\[\[}}1151060.4, 7324174.5],
// OUT-NEXT: [1607040.1, 6380293.0]]]
// OUT: y: f32[2, 2] =
// OUT-NEXT: {{\[\[}}3452818.0, 21971462.0],
// OUT-NEXT: [4820607.5, 19139908.0]]
// OUT-NEXT: z: f32[2, 2, 2] =
// OUT-NEXT: {{\[\[\[}}62.5, 181.0],
// OUT-NEXT: [91.5, 170.0]],
// OUT-NEXT: {{\[\[}}1151060.4, 7324174.5],
// OUT-NEXT: [1607040.1, 6380293.0]]]
// OUT: y: f32[2, 2] =
// OUT-NEXT: {{\[\[}}3452818.0, 21971462.0],
// OUT-NEXT: [4820607.5, 19139908.0]]
// OUT-NEXT: z: f32[2, 2, 2] =
// OUT-NEXT: {{\[\[\[}}62.5, 181.0],
// OUT-NEXT: [91.5, 170.0]],
// OUT-NEXT: {{\[\[}}1151060.4, 7324174.5],
// OUT-NEXT: [1607040.1, 6380293.0]]]
// OUT: y: f32[2, 2] =
// OUT-NEXT: {{\[\[}}3452818.0, 21971462.0],
// OUT-NEXT: [4820607.5, 19139908.0]]
// OUT-NEXT: z: f32[2, 2, 2] =
// OUT-NEXT: {{\[\[\[}}62.5, 181.0],
// OUT-NEXT: [91.5, 170.0]],
// OUT-NEXT: {{\[\[}}1151060.4, 7324174.5],
// OUT-NEXT: [1607040.1, 6380293.0]]]
graph cell(x: f32[2, 2, 2]) -> (y: f32[2, 2], z: f32[2, 2, 2]) {
    first[n, i]: f32[2, 2] = x[0, n, i] * 2
    h, c, seen, made = loop t in 0..2 carry (h = first, c = first) {
        a[n, i] = sum[k] h[n, k] * h[k, i]
        b[n, i] = x[t, n, i] + a[1 - n, i] * c[n, i]
        d[n, i] = b[n, i] * 0.5
        emit c, d
        next h = d, c = b
    }
    y[n, i] = h[n, i] + c[n, i]
    z[t, n, i] = seen[t, n, i] + made[t, n, i]
}
// A branch of an `if` has bytes of its own: the carried value is emitted behind it.
// BRANCH: q {{.*}} its own bytes
// CHOSEN: y: f32[2] = [5.0, 3.0]
// CHOSEN-NEXT: z: f32[3, 2] =
// CHOSEN-NEXT: {{\[\[}}2.0, 3.0],
// CHOSEN-NEXT: [5.0, 3.0],
// CHOSEN-NEXT: [5.0, 3.0]]
// CHOSEN: y: f32[2] = [5.0, 3.0]
// CHOSEN-NEXT: z: f32[3, 2] =
// CHOSEN-NEXT: {{\[\[}}2.0, 3.0],
// CHOSEN-NEXT: [5.0, 3.0],
// CHOSEN-NEXT: [5.0, 3.0]]
// CHOSEN: y: f32[2] = [5.0, 3.0]
// CHOSEN-NEXT: z: f32[3, 2] =
// CHOSEN-NEXT: {{\[\[}}2.0, 3.0],
// CHOSEN-NEXT: [5.0, 3.0],
// CHOSEN-NEXT: [5.0, 3.0]]
// CHOSEN: y: f32[2] = [5.0, 3.0]
// CHOSEN-NEXT: z: f32[3, 2] =
// CHOSEN-NEXT: {{\[\[}}2.0, 3.0],
// CHOSEN-NEXT: [5.0, 3.0],
// CHOSEN-NEXT: [5.0, 3.0]]
graph branch(x: f32[2]) -> (y: f32[2], z: f32[3, 2]) {
    h, seen = loop t in 0..3 carry (h = x) {
        few[] = h[0] < 4
        n = if few {
            q[i in 0..2] = h[1 - i] * 2
            yield q
        } else {
            yield h
        }
        emit h
        next h = n
    }
    y[i] = h[i] + 1
    z[t, i] = seen[t, i] + 1
}
// The bytes of a carried value are for the next one alone: no other takes them over from a view of it.
// VIEW: w {{.*}} its own bytes
// VIEW: v {{.*}} in place of h
// VIEWED: {{\[\[}}9.0, 11.0, 13.0, 15.0],
// VIEWED-NEXT: [29.0, 25.0, 21.0, 17.0],
// VIEWED-NEXT: [45.0, 53.0, 61.0, 69.0]]
// VIEWED: {{\[\[}}9.0, 11.0, 13.0, 15.0],
// VIEWED-NEXT: [29.0, 25.0, 21.0, 17.0],
// VIEWED-NEXT: [45.0, 53.0, 61.0, 69.0]]
// VIEWED: {{\[\[}}9.0, 11.0, 13.0, 15.0],
// VIEWED-NEXT: [29.0, 25.0, 21.0, 17.0],
// VIEWED-NEXT: [45.0, 53.0, 61.0, 69.0]]
// VIEWED: {{\[\[}}9.0, 11.0, 13.0, 15.0],
// VIEWED-NEXT: [29.0, 25.0, 21.0, 17.0],
// VIEWED-NEXT: [45.0, 53.0, 61.0, 69.0]]
graph viewed(x: f32[2, 2]) -> (z: f32[3, 4]) {
    h, seen = loop t in 0..3 carry (h = x) {
        y = reshape(h, shape = [4])
        w[i in 0..4] = y[i] * 2
        v[n in 0..2, i in 0..2] = w[3 - 2 * n - i] + 1
        u[i] = w[i] + v[0, 1]
        emit u
        next h = v
    }
    z[t, i] = seen[t, i]
}
